"""Directory messages put together byte by byte, and what the pages say of them.

1. `specs/vectors/directory.jsonl.gz` has every message, operation, event and property of [MC-MQDSRP] and
   [MS-MQCN], and messages that violate the statements on their bytes.  The verdicts were written before
   anything was decoded.
2. All ways of the library agree with the page: records, lenient results, dictionaries, columns and carriers.
"""

from __future__ import annotations

import gzip
import json
from typing import Any, NamedTuple

import pytest
from support_rows import for_each, table
from support_specs import SPECS, load_requirements

import msmq_wire as mw
from msmq_wire import mqcn, mqdsrp
from msmq_wire.testing.strategies.directory import signed

CATALOGUE = {row.id for row in load_requirements()}
DOCUMENTS: dict[str, Any] = {"MC-MQDSRP": mqdsrp, "MS-MQCN": mqcn}
HOST = "557358d1-9150-9595-4997-b6e611ea26c6"


class Case(NamedTuple):
    """One message, and what the page says of it."""

    document: str
    name: str
    data: bytes
    verdict: str
    requirements: list[str]


def _cases() -> list[Case]:
    lines = gzip.decompress((SPECS / "vectors" / "directory.jsonl.gz").read_bytes()).splitlines()
    rows = [json.loads(line) for line in lines]
    return [
        Case(row["document"], row["name"], bytes.fromhex(row["hex"]), row["verdict"], row["requirements"])
        for row in rows
    ]


CASES = _cases()
READ = table(lambda: [case for case in CASES if case.verdict != "undecodable"])


def _requirements(record: Any) -> list[str]:
    return sorted({violation.requirement for violation in mw.validate(record)})


def _name(case: Case) -> str:
    return f"{case.document}: {case.name}"


def test_there_are_all_kinds() -> None:
    verdicts = {case.verdict for case in CASES}
    assert verdicts == {"valid", "violation", "undecodable"}
    assert {type(DOCUMENTS[case.document].decode(case.data)).__name__ for case in READ()} == {
        *(kind.__name__ for kind in mqdsrp.Message.__args__),
        "ChangeNotificationMessage",
    }
    assert {name for case in CASES for name in case.requirements} <= CATALOGUE


@for_each("case", READ, ids=_name)
def test_what_can_be_read(case: Case) -> None:
    document = DOCUMENTS[case.document]
    record = document.decode(case.data)
    assert document.encode(record) == case.data
    assert _requirements(record) == case.requirements
    lenient = document.decode_lax(case.data)
    assert lenient.error is None
    assert _requirements(lenient) == case.requirements
    again = mw.from_dict(json.loads(json.dumps(mw.to_dict(record))))
    assert again == record
    if case.requirements:
        with pytest.raises(mw.ConformanceError):
            document.decode(case.data, strict=True)
    else:
        assert document.decode(case.data, strict=True) == record


@for_each("case", lambda: [case for case in CASES if case.verdict == "undecodable"], ids=_name)
def test_what_cannot_be_read(case: Case) -> None:
    document = DOCUMENTS[case.document]
    with pytest.raises(mw.DecodeError) as caught:
        document.decode(case.data)
    assert caught.value.requirement in CATALOGUE
    lenient = document.decode_lax(case.data)
    if lenient.error is None:  # the message is followed by more bytes
        assert lenient.rest
    else:
        assert str(lenient.error) == str(caught.value)


def test_columns() -> None:
    pa = pytest.importorskip("pyarrow")
    from msmq_wire import arrow  # noqa: PLC0415  # an extra

    messages = [case for case in CASES if case.document == "MC-MQDSRP"]
    table = arrow.decode_directory(pa.array([case.data for case in messages], pa.binary()))
    for case, row in zip(messages, table.to_pylist(), strict=True):
        assert (row["error"] is not None) == (case.verdict == "undecodable"), case.name
    to = {"MC-MQDSRP": "host", "MS-MQCN": HOST}
    carriers = []
    for case in READ():
        message = DOCUMENTS[case.document].decode(case.data)
        sender = getattr(message, "BSCMachineID", HOST)
        carriers.append(mw.encode(signed(DOCUMENTS[case.document].wrap(message, to[case.document], sender))))
    found = arrow.validate(pa.array(carriers, pa.binary())).to_pylist()
    for case, data, violations in zip(READ(), carriers, found, strict=True):
        named = sorted({violation["requirement"] for violation in violations})
        assert named == case.requirements == _requirements(mw.decode(data)), case.name
