"""Creates outlines of packets for the session monitor from columns, so most packets need not be decoded.

1. The columns that a session needs are read for all packets of a batch at once.
2. Packets other than UserMessage, OrderAck and FinalAck are decoded as records.
3. Destinations repeat, so the digest of a destination is computed once for equal rows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from msmq_wire import mqmq
from msmq_wire.arrow import decode_packets
from msmq_wire.arrow._messages import Distinct
from msmq_wire.checks.sessions import outline
from msmq_wire.packets.packet import decode
from msmq_wire.values.guid import GUID

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["outlined"]

_ACKNOWLEDGMENTS: Final = (outline.OrderAck, outline.FinalAck)
_USER: Final = ("SourceQueueManager", "QueueManagerAddress", "MessageID", "Flags.DM")
_SEQUENCE: Final = ("TxSequenceID.Ordinal", "TxSequenceID.TimeStamp")
_NUMBERS: Final = ("TxSequenceNumber", "PreviousTxSequenceNumber")
_COUNTS: Final = mqmq.SessionHeader.__struct_fields__
_CLASS, _BODY = "MessagePropertiesHeader.MessageClass", "MessagePropertiesHeader.MessageBody"
_COLUMNS: Final = (
    *(f"UserHeader.{name}" for name in (*_USER, "DestinationQueue")),
    *(f"TransactionHeader.{name}" for name in (*_SEQUENCE, *_NUMBERS)),
    *(f"SessionHeader.{name}" for name in _COUNTS),
    _CLASS,
)
_MODES: Final = (outline.CLEAR, outline.SET)
_KNOWN: Final = 1 << 12


def outlined(data: pa.Array) -> list[Any]:
    """Return the input of the session monitor for each packet: an outline or the record; None for a null.

    Args:
        data: Packets that can be decoded, and nulls.
    """
    read = decode_packets(data, columns=_COLUMNS, spark=True)
    kinds = np.array(read.field("kind").to_pylist(), np.object_)
    found: list[Any] = [None] * len(data)
    left = read.field("kind").is_valid().to_numpy(zero_copy_only=False)
    for kind in (outline.UserMessage, *_ACKNOWLEDGMENTS):
        own = kinds == kind.__name__
        left &= ~own
        rows = np.flatnonzero(own)
        if len(rows):
            for row, made in zip(rows.tolist(), _made(kind, data, rows, read.take(rows)), strict=True):
                found[row] = made
    for row in np.flatnonzero(left).tolist():
        found[row] = decode(data[row].as_py())
    return found


def _made(kind: Any, data: pa.Array, rows: NDArray[np.int64], read: pa.StructArray) -> list[Any]:
    """Return the outlines of packets of one kind, which are in these rows."""
    count = len(rows)
    transactions: list[Any] = [None] * count
    session_headers: list[Any] = [None] * count
    header = read.field("TransactionHeader")
    transactional = np.flatnonzero(header.is_valid().to_numpy(zero_copy_only=False))
    if len(transactional):
        taken = header.take(transactional)
        sequences = map(mqmq.TxSequenceID.raw, *(_values(taken, name) for name in _SEQUENCE))
        numbers = (_values(taken, name) for name in _NUMBERS)
        for at, one in zip(
            transactional.tolist(), map(outline.Transaction, sequences, *numbers), strict=True
        ):
            transactions[at] = one
    header = read.field("SessionHeader")
    counted = np.flatnonzero(header.is_valid().to_numpy(zero_copy_only=False))
    if len(counted):
        riders = header.take(counted)
        counts = (_values(riders, name) for name in _COUNTS)
        for at, one in zip(counted.tolist(), map(mqmq.SessionHeader.raw, *counts), strict=True):
            session_headers[at] = one
    user = read.field("UserHeader")
    source, address, number, modes = (_values(user, name) for name in _USER)
    queues = _queues(data, rows, user, transactional)
    headers = map(
        outline.UserHeader, map(_text, source), map(_guid, address), number,
        map(_MODES.__getitem__, modes), queues,
    )  # fmt: skip
    classes = _values(read.field("MessagePropertiesHeader"), "MessageClass")
    if kind in _ACKNOWLEDGMENTS:
        bodies = decode_packets(data.take(rows), columns=(_BODY,), spark=True)
        texts = _values(bodies.field("MessagePropertiesHeader"), "MessageBody")
        properties = map(outline.Properties, classes, texts)
    else:
        properties = map(_class, classes)
    places = rows.tolist()
    return [*map(kind, headers, properties, transactions, session_headers, [data] * count, places)]


def _values(array: Any, path: str) -> list[Any]:
    for name in path.split("."):
        array = array.field(name)
    found: list[Any] = array.to_pylist()
    return found


def _queues(
    data: pa.Array, rows: NDArray[np.int64], user: Any, transactional: NDArray[np.int64]
) -> list[str | None]:
    """Return digests of the destinations of transactional messages."""
    queues: NDArray[Any] = np.full(len(rows), None, np.object_)
    if len(transactional):
        taken = user.take(transactional)
        distinct = Distinct(taken.field("QueueManagerAddress"), *taken.field("DestinationQueue").flatten())
        firsts = rows[transactional[distinct.first]].tolist()
        heads: list[Any] = [decode(data[row].as_py()) for row in firsts]
        digests = np.array([outline.queue_digest(head.UserHeader) for head in heads], np.object_)
        queues[transactional] = digests[distinct.indices.to_numpy()]
    found: list[str | None] = queues.tolist()
    return found


@lru_cache(maxsize=_KNOWN)
def _text(guid: bytes) -> str:
    return str(GUID(guid))


@lru_cache(maxsize=_KNOWN)
def _guid(guid: bytes) -> GUID:
    return GUID(guid)


@lru_cache(maxsize=_KNOWN)
def _class(number: int) -> outline.Properties:
    return outline.Properties(number)
