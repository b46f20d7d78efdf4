"""The columns of messages are the readings of their records, whatever the messages are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

import msmq_wire as mw
from msmq_wire import testing as mt
from msmq_wire.arrow import decode_packets
from msmq_wire.captures.rows.messages import FIELDS, messages
from msmq_wire.captures.rows.packets import CARRIED
from msmq_wire.packets.carriers import carries

from .segments import GOLDEN

if TYPE_CHECKING:
    import datetime as dt

PLACED = {name for name, _, _ in CARRIED}
QUEUES = ("destination", "admin_queue", "response_queue")


def rows_of(data: list[bytes]) -> list[dict[str, Any]]:
    """What the worker makes of these messages."""
    packets = decode_packets(pa.array(data, pa.binary()), spark=True, text="utf8")
    columns = {name: pa.nulls(len(data), kind) for name, kind, _ in CARRIED}
    columns |= {path: pc.struct_field(packets, path.split(".")) for path in FIELDS}
    (batch,) = messages()([pa.RecordBatch.from_pydict(columns)])
    rows: list[dict[str, Any]] = batch.to_pylist()
    return rows


def name_of(message: Any, reading: str, problems: list[str]) -> str | None:
    try:
        name = getattr(message.UserHeader, reading)
    except mw.MsmqWireError as error:
        problems.append(f"{reading}: {error}")
        return None
    return None if name is None else str(name)


def expected(message: Any) -> dict[str, Any]:
    """The same, asked of the record."""
    base, user, properties = message.BaseHeader, message.UserHeader, message.MessagePropertiesHeader
    correlation = properties.correlation_identifier
    answered = f"{correlation.QueueManagerGuid}\\{correlation.Ordinal}"
    text = message.typed_body
    sender = None if message.SecurityHeader is None else message.SecurityHeader.sender
    problems: list[str] = []
    queue = carries(message)
    return {
        "message": f"{user.SourceQueueManager}\\{user.MessageID}",
        "sent_at": user.sent_at,
        **{name: name_of(message, name, problems) for name in QUEUES},
        "message_class": getattr(properties.message_class, "name", str(properties.message_class)),
        "label": properties.label,
        "correlation": answered if any(properties.CorrelationID) else None,
        "time_to_reach_queue": seconds(base.time_to_reach_queue),
        "time_to_be_received": seconds(user.time_to_be_received),
        "priority": base.Flags.PR,
        "recoverable": bool(user.Flags.DM),
        "transactional": message.is_transactional,
        "sender": None if sender is None else str(sender),
        "body_type": properties.BodyType,
        "application_tag": properties.ApplicationTag,
        "body": message.body,
        "text": None if isinstance(text, bytes) else str(text).rstrip("\0"),
        "carries": queue.name if queue else None,
        "problems": problems,
    }  # fmt: skip


def without_halves(value: Any) -> Any:
    """Halves of surrogate pairs are possible on the wire, and impossible in UTF-8."""
    if isinstance(value, list):
        return [without_halves(one) for one in value]
    return re.sub("[\ud800-\udfff]", "\ufffd", value) if isinstance(value, str) else value


def seconds(value: dt.timedelta | None) -> int | None:
    return None if value is None else int(value.total_seconds())


@given(st.lists(mt.user_messages(), min_size=1, max_size=4))
def test_readings(drawn: list[Any]) -> None:
    data = [mw.encode(message) for message in drawn]
    decoded: list[Any] = [mw.decode(one) for one in data]
    rows = rows_of(data)
    for row, message in zip(rows, decoded, strict=True):
        own = {name: value for name, value in row.items() if name not in PLACED | ADDED}
        problems = own["problems"]
        own["problems"] = [problem for problem in problems if not problem.startswith("destinations: ")]
        if row["body_form"] in {"UTF-8 XML", "UTF-16"}:
            own["text"] = None
        check_added(row, message, len(problems) - len(own["problems"]))
        assert own == {name: without_halves(value) for name, value in expected(message).items()}


OF_PARTS = {"partial", "packet_size", "reached", "error"}
ADDED = {"destinations", "acknowledgments", "encrypted", "signed", "body_form"} | OF_PARTS


def check_added(row: dict[str, Any], message: Any, unnamed: int) -> None:
    """What a message says of its destinations, acknowledgments, encryption, signatures and body."""
    several, security = message.MultiQueueFormatHeader, message.SecurityHeader
    if several is None:
        assert row["destinations"] == [row["destination"]] * (row["destination"] is not None)
    else:
        assert len(row["destinations"]) + unnamed == len(several.Destination.FormatNameList)
        if not unnamed:
            names = [str(element.format_name) for element in several.Destination.FormatNameList]
            assert row["destinations"] == without_halves(names)
    assert row["encrypted"] == bool(security and security.Flags.EB)
    sizes = [security and security.SignatureSize, several and several.Signature.Size]
    assert row["signed"] == any(sizes)
    assert len(row["acknowledgments"]) == sum(
        getattr(message.MessagePropertiesHeader.Flags, flag) for flag in ("PA", "PR", "NA", "NR")
    )
    assert (row["body_form"] == "encrypted") == row["encrypted"]
    assert [row[name] for name in ("partial", "packet_size", "reached", "error")] == [False, None, None, None]
    assert (row["text"] is None) == (row["body_form"] in {"encrypted", "empty", "bytes", ".NET binary"})


@pytest.mark.parametrize(
    ("kind", "body", "form", "text"),
    [
        (8, "Grüße".encode("utf-16-le") + b"\0\0", "VT_BSTR", "Grüße"),
        (0, b"", "empty", None),
        (0, b"<?xml version='1.0'?><a>\xc3\xbc</a>", "UTF-8 XML", "<?xml version='1.0'?><a>ü</a>"),
        (0, b"\xef\xbb\xbf<a/>", "UTF-8 XML", "<a/>"),
        (0, "<a/>\0".encode("utf-16-le"), "UTF-16", "<a/>"),
        (0, b"<a>\xff</a>", "bytes", None),
        (0, bytes.fromhex("0001000000ffffffff0100000000000000") + b"rest", ".NET binary", None),
        (0, b"anything", "bytes", None),
        (3, b"\x07\0\0\0", "VT_I4", "7"),
    ],
)
def test_bodies(kind: int, body: bytes, form: str, text: str | None) -> None:
    """What a body is follows from its BodyType, or from how it begins."""
    message: Any = mw.decode(GOLDEN["frame-7-user-message-completed"])
    properties = mw.mqmq.MessagePropertiesHeader(BodyType=kind, MessageBody=body)
    (row,) = rows_of([mw.encode(mw.replace(message, MessagePropertiesHeader=properties))])
    assert (row["body_form"], row["text"]) == (form, text)


def test_captured() -> None:
    data = [one for one in GOLDEN.values() if type(mw.decode(one)).__name__ == "UserMessage"]
    for row, one in zip(rows_of(data), data, strict=True):
        assert row["message"] == expected(mw.decode(one))["message"]
    assert rows_of([]) == []
