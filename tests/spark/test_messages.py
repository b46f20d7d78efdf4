"""The columns of messages are the readings of their records, whatever the messages are; without Spark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given
from hypothesis import strategies as st

import msmq_wire as mw
from msmq_wire import testing as mt
from msmq_wire.arrow import decode_packets
from msmq_wire.captures.rows.messages import FIELDS, messages
from msmq_wire.captures.rows.packets import CARRIED
from msmq_wire.packets.carriers import carries

from .support_segments import GOLDEN

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
        "text": None if isinstance(text, bytes) else str(text),
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
        own = {name: value for name, value in row.items() if name not in PLACED}
        assert own == {name: without_halves(value) for name, value in expected(message).items()}


def test_captured() -> None:
    data = [one for one in GOLDEN.values() if type(mw.decode(one)).__name__ == "UserMessage"]
    for row, one in zip(rows_of(data), data, strict=True):
        assert row["message"] == expected(mw.decode(one))["message"]
    assert rows_of([]) == []
