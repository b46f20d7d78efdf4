"""A breach in received bytes has a name, whether decoding refuses the bytes or `validate` reports it.

Bent records are written and read again.  The catalogue says of each requirement which of the two happens.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis.errors import UnsatisfiedAssumption
from support_specs import load_requirements

import msmq_wire as mw
from msmq_wire import mqcn, mqdsrp, mqmq, mqqb, mqrr
from msmq_wire import testing as mt
from msmq_wire.documents.layouts import structures
from msmq_wire.testing.bent import records as _bent
from msmq_wire.testing.strategies.choices import rolled
from msmq_wire.values import refusals as _refusals

if TYPE_CHECKING:
    from collections.abc import Iterator

CATALOGUE = {row.id: row for row in load_requirements()}
MUSTS = [requirement for requirement, level in mt.BENDABLE.items() if level == "must"]
REFUSED = [requirement for requirement in MUSTS if CATALOGUE[requirement].received]
TABLES = (_refusals.KINDS, _refusals.FIELDS, _refusals.PROMISES, _refusals.BOUNDS)


def _records(requirement: str, count: int) -> Iterator[Any]:
    """Records that break a requirement and can be written."""
    places = _bent._places().get(requirement)
    for seed in range(count):
        dice = rolled(Random(seed))  # noqa: S311  # any will do
        try:
            if places is None:
                record = _bent._bad_property(dice, requirement)
            else:
                record = _bent._broken(dice, requirement, places[seed % len(places)])
            record.encode()
        except (UnsatisfiedAssumption, mw.EncodeError):
            continue
        yield record


def _read(record: Any) -> Any:
    """The record that the bytes give, or the error; None for what cannot be read alone."""
    try:
        return type(record).decode(record.encode())
    except mw.DecodeError as error:
        return None if "alone" in error.problem else error


@pytest.mark.parametrize("requirement", REFUSED)
def test_refused_with_a_name(requirement: str) -> None:
    for record in _records(requirement, 6):
        read = _read(record)
        if isinstance(read, mw.DecodeError):
            assert read.requirement in CATALOGUE, str(read)
        elif read is not None:
            assert requirement not in {item.requirement for item in mw.validate(read)}


@pytest.mark.parametrize("requirement", [one for one in MUSTS if one not in REFUSED])
def test_reported(requirement: str) -> None:
    for record in _records(requirement, 80):
        read = _read(record)
        if isinstance(read, mw.Record) and requirement in {item.requirement for item in mw.validate(read)}:
            return
    pytest.fail(f"{requirement} was never reported of received bytes")


def test_names_are_those_of_the_documents() -> None:
    layouts = structures()
    for table in TABLES:
        for key, requirement in table.items():
            name = key[1] if isinstance(key, tuple) else key
            assert CATALOGUE[requirement].absolute, requirement
            structure, _, path = name.partition(".")
            assert structure in layouts or name == "PROPVARIANT.vt", name
            if path and structure in layouts:
                assert path.partition(".")[0] in layouts[structure].by_name, name


def _with(data: bytes, at: int, number: int, size: int = 4) -> bytes:
    return data[:at] + number.to_bytes(size, "little") + data[at + size :]


MESSAGE = mqmq.UserMessage(
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=b"body", Label="label"),
    SoapHeader=mqmq.SoapHeader(Header="h", Body="b"),
).encode()
ESTABLISH = mqqb.EstablishConnection().encode()
ASKED = mqdsrp.ChangeReplyMessage(RequesterName="psc").encode()
DAMAGED: list[tuple[str, Any, bytes]] = [
    ("MQMQ-2.2.19.1-01", mw.decode, _with(MESSAGE, 0, 9, 1)),
    ("MQMQ-2.2.19.1-30", mw.decode, _with(MESSAGE, 4, 9)),
    ("MQMQ-2.2.19.1-31", mw.decode, MESSAGE[:-1]),
    ("MQMQ-2.2.19.1-31", mw.decode, MESSAGE + b"\0"),
    ("MQMQ-2.2.19.1-31", mw.decode, _with(MESSAGE, 8, 20)),
    ("MQMQ-2.2.19.1-37", mw.decode, _with(MESSAGE, 8, 0x400004).ljust(0x400004, b"\0")),
    ("MQQB-2.2.1-03", mw.decode, _with(ESTABLISH, 18, 9, 2)),
    ("MQMQ-2.2.20-11", mw.decode, _with(MESSAGE, 2, 0x10, 2) + bytes(8)),
    ("MQDSRP-2.2.5.1-02", mqdsrp.decode, _with(ASKED, 17, 9, 1)),
    ("MQDSRP-2.1-02", mqdsrp.decode, ASKED + b"\0"),
    ("MQDSRP-2.2.6.3-05", mqdsrp.decode, ASKED[:-2]),
    ("MQDSRP-2.1-02", mqdsrp.decode, ASKED[:20]),
    ("MQCN-2.2.4-04", mqcn.decode, b"\7\1"),
    ("MQRR-2.2.5.2-01", mqrr.MessagePacket.decode, mqrr.MessagePacket().encode() + b"\x0c" + bytes(20)),
]


@pytest.mark.parametrize(
    ("requirement", "decode", "data"), DAMAGED, ids=[str(n) for n in range(len(DAMAGED))]
)
def test_damaged(requirement: str, decode: Any, data: bytes) -> None:
    with pytest.raises(mw.DecodeError) as caught:
        decode(data)
    assert caught.value.requirement == requirement


def test_a_limit_of_the_caller_is_no_breach() -> None:
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(MESSAGE, limits=mw.Limits(packet_size=16))
    assert caught.value.requirement is None
