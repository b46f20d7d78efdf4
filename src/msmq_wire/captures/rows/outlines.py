"""Outlines of packets for the session monitor, as columns, so that most packets need not become records.

1. The columns are computed where packets are decoded, and outlines are created from them, connection by
   connection.
2. Packets other than UserMessage, OrderAck and FinalAck are decoded as records.
3. Destinations repeat, so the digest of a destination is computed once for equal rows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire import mqmq
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.checks.sessions import outline
from msmq_wire.packets.packet import decode
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.guid import GUID

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FIELDS", "OUTLINE", "outline_columns", "outlined"]

_KINDS: Final = (outline.UserMessage, outline.OrderAck, outline.FinalAck)
_ACKNOWLEDGMENTS: Final = ("OrderAck", "FinalAck")
_USER: Final = ("SourceQueueManager", "QueueManagerAddress", "MessageID", "Flags.DM")
_TRANSACTION: Final = (
    "TxSequenceID.Ordinal",
    "TxSequenceID.TimeStamp",
    "TxSequenceNumber",
    "PreviousTxSequenceNumber",
)
_COUNTS: Final = mqmq.SessionHeader.__struct_fields__
_CLASS, _BODY = "MessagePropertiesHeader.MessageClass", "MessagePropertiesHeader.MessageBody"
_COPIED: Final = (
    *(f"UserHeader.{name}" for name in _USER),
    _CLASS,
    *(f"TransactionHeader.{name}" for name in _TRANSACTION),
    *(f"SessionHeader.{name}" for name in _COUNTS),
)
FIELDS: Final = (*_COPIED, _BODY, "UserHeader.DestinationQueue")
"""The fields that outlines are made of."""
_QUEUE: Final = "queue"
_GUIDS: Final = _COPIED[:2]
OUTLINE: Final = pa.schema(
    [
        *((path, pa.binary() if path in _GUIDS else pa.int64()) for path in _COPIED),
        (_BODY, pa.binary()),
        (_QUEUE, pa.string()),
    ]
)
"""The columns of outlines: fields, the body of acknowledgments, and the digest of the destination."""
_MODES: Final = (outline.CLEAR, outline.SET)
_KNOWN: Final = 1 << 12


def outline_columns(data: pa.Array, read: pa.StructArray) -> list[pa.Array]:
    """Return the columns of `OUTLINE`; null for headers that a packet does not have.

    Args:
        data: The packets.
        read: Their columns, at least `FIELDS`, with Spark's types.
    """
    made = {path: pc.struct_field(read, path.split(".")) for path in _COPIED}
    acknowledges = pc.is_in(read.field("kind"), pa.array(_ACKNOWLEDGMENTS))
    made[_BODY] = pc.if_else(acknowledges, pc.struct_field(read, _BODY.split(".")), None)
    made[_QUEUE] = _queues(data, read)
    return [made[field.name].cast(field.type) for field in OUTLINE]


def _queues(data: pa.Array, read: pa.StructArray) -> pa.Array:
    """Return digests of the destinations of transactional messages."""
    user = read.field("UserHeader")
    sent = pc.and_(read.field("TransactionHeader").is_valid(), read.field("error").is_null())
    (rows,) = sent.to_numpy(zero_copy_only=False).nonzero()
    if not len(rows):
        return pa.nulls(len(read), pa.string())
    taken = user.take(pa.array(rows))
    distinct = Distinct(taken.field("QueueManagerAddress"), *taken.field("DestinationQueue").flatten())
    heads: list[Any] = [decode(data[row].as_py()) for row in rows[distinct.first].tolist()]
    digests = pa.array([outline.queue_digest(head.UserHeader) for head in heads], pa.string())
    places = np.full(len(read), -1, np.int64)
    places[rows] = distinct.indices.to_numpy()
    return digests.take(pa.array(places, mask=places < 0))


def outlined(rows: pa.RecordBatch, data: pa.ChunkedArray) -> list[Any]:
    """Return what the session monitor takes of each piece: an outline or a record; None if it is no packet.

    Args:
        rows: Pieces, with their `type`, the columns of `OUTLINE`, and the `place` of their bytes.
        data: The bytes of all pieces.
    """
    found: list[Any] = [None] * len(rows)
    types = rows.column("type").to_numpy(zero_copy_only=False)
    left = pc.equal(rows.column("kind"), Kind.PACKET.value).to_numpy(zero_copy_only=False).copy()
    for kind in _KINDS:
        own = left & (types == kind.__name__)
        left &= ~own
        (index,) = own.nonzero()
        if len(index):
            made = _made(kind, rows.take(pa.array(index)), data)
            for row, one in zip(index.tolist(), made, strict=True):
                found[row] = one
    places = rows.column("place")
    for row in np.flatnonzero(left).tolist():
        found[row] = decode(data[places[row].as_py()].as_py())
    return found


def _made(kind: Any, rows: pa.RecordBatch, data: pa.ChunkedArray) -> list[Any]:
    """Return the outlines of packets of one kind."""
    count = len(rows)
    transactions: list[Any] = [None] * count
    session_headers: list[Any] = [None] * count
    there, (ordinals, stamps, *numbers) = _present(rows, "TransactionHeader", _TRANSACTION)
    sequences = map(mqmq.TxSequenceID.raw, ordinals, stamps)
    for at, one in zip(there, map(outline.Transaction, sequences, *numbers), strict=True):
        transactions[at] = one
    there, counts = _present(rows, "SessionHeader", _COUNTS)
    for at, one in zip(there, map(mqmq.SessionHeader.raw, *counts), strict=True):
        session_headers[at] = one
    source, address, number, modes = (rows.column(f"UserHeader.{name}").to_pylist() for name in _USER)
    headers = map(
        outline.UserHeader, map(_text, source), map(_guid, address), number,
        map(_MODES.__getitem__, modes), rows.column(_QUEUE).to_pylist(),
    )  # fmt: skip
    classes = rows.column(_CLASS).to_pylist()
    if kind.__name__ in _ACKNOWLEDGMENTS:
        properties = map(outline.Properties, classes, rows.column(_BODY).to_pylist())
    else:
        properties = map(_class, classes)
    places = rows.column("place").to_pylist()
    return [*map(kind, headers, properties, transactions, session_headers, [data] * count, places)]


def _present(rows: pa.RecordBatch, header: str, names: tuple[str, ...]) -> tuple[list[int], list[list[Any]]]:
    """Return the rows that have a header, and the values of its fields in these rows."""
    columns = [rows.column(f"{header}.{name}") for name in names]
    there: NDArray[np.int64] = np.flatnonzero(columns[0].is_valid().to_numpy(zero_copy_only=False))
    taken = pa.array(there)
    return there.tolist(), [column.take(taken).to_pylist() for column in columns]


@lru_cache(maxsize=_KNOWN)
def _text(guid: bytes) -> str:
    return str(GUID(guid))


@lru_cache(maxsize=_KNOWN)
def _guid(guid: bytes) -> GUID:
    return GUID(guid)


@lru_cache(maxsize=_KNOWN)
def _class(number: int) -> outline.Properties:
    return outline.Properties(number)
