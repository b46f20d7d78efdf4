"""The fields of messages that rules compare: the rows from which `captures.comparing` makes violations.

1. A row is a UserMessage that was captured completely; `COMPARED` has its columns.
2. Names of queues repeat, so one packet of each combination is decoded, for the queue and the size of the
   UserHeader.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import marks
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.schemas import plain, schema_of
from msmq_wire.checks.sessions.facts import queue_digest
from msmq_wire.packets.packet import decode
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.guid import GUID

from .packets import CARRIED, POSITION
from .session_facts import SEQUENCE, sequences

_NAMES: Final = ("UserHeader.DestinationQueue", "UserHeader.AdminQueue", "UserHeader.ResponseQueue")
_SOURCE, _ADDRESS = "UserHeader.SourceQueueManager", "UserHeader.QueueManagerAddress"
_CONNECTOR: Final = "UserHeader.ConnectorType"
_NUMBERS: Final = {
    "message_id": "UserHeader.MessageID",
    "sent_at": "UserHeader.SentTime",
    "message_class": "MessagePropertiesHeader.MessageClass",
    "number": "TransactionHeader.TxSequenceNumber",
    "previous": "TransactionHeader.PreviousTxSequenceNumber",
    "transaction": "TransactionHeader.Flags.ID",
}
_FLAGS: Final = {"first": "TransactionHeader.Flags.FM", "last": "TransactionHeader.Flags.LM"}
_LABEL, _BODY = "MessagePropertiesHeader.Label", "MessagePropertiesHeader.MessageBody"
_ENCRYPTED: Final = "SecurityHeader.Flags.EB"
FIELDS: Final = (
    _SOURCE, _ADDRESS, _CONNECTOR, *_NAMES, *_NUMBERS.values(), *_FLAGS.values(), *SEQUENCE, _LABEL, _BODY,
    _ENCRYPTED,
)  # fmt: skip
"""The fields from which the rows are made."""

COMPARED: Final = schema_of(
    [
        *CARRIED,
        ("manager", pa.string(), "GUID of the queue manager that sent it first."),
        ("message_id", pa.int64(), "UserHeader.MessageID."),
        ("copy", pa.bool_(), "Whether it goes to a dead-letter queue or to a journal."),
        ("sent_at", pa.int64(), "UserHeader.SentTime."),
        ("message_class", pa.int64(), "MessagePropertiesHeader.MessageClass."),
        ("label", pa.string(), "Its label."),
        ("body_size", pa.int64(), "Size of its body; null if it is encrypted."),
        ("head", pa.binary(), "The beginning of its body; null if it is encrypted."),
        ("queue", pa.string(), "The `queue_digest` of its destination."),
        ("sequence", pa.uint64(), "TransactionHeader.TxSequenceID; null if it is not transactional."),
        ("number", pa.int64(), "TransactionHeader.TxSequenceNumber."),
        ("previous", pa.int64(), "TransactionHeader.PreviousTxSequenceNumber."),
        ("first", pa.bool_(), "Whether TransactionHeader.Flags.FM is set."),
        ("last", pa.bool_(), "Whether TransactionHeader.Flags.LM is set."),
        ("transaction", pa.int64(), "TransactionHeader.Flags.ID."),
        ("header", pa.int64(), "Offset of the TransactionHeader in the packet, if there is one."),
    ]
)
"""The columns."""

HEAD: Final = 32
"""The number of bytes of a body by which messages are distinguished."""
COPIES: Final = {"dead_letter": (";DEADLETTER", ";DEADXACT"), "journal": (";JOURNAL",)}
"""The suffixes of the names of queues to which queue managers move or copy messages."""
_COPIES: Final = tuple(suffix for suffixes in COPIES.values() for suffix in suffixes)
_KNOWN: Final[dict[tuple[Any, ...], Any]] = {}
"""The values that are computed from names of queues, by their fields."""


def compared(pieces: pa.RecordBatch, read: pa.StructArray) -> pa.RecordBatch:
    """Return the rows for the messages among pieces.

    Args:
        pieces: The pieces.
        read: Their decoded columns, at least `FIELDS`, with Spark's types.
    """
    wanted = pc.and_(
        pc.equal(read.field("kind"), "UserMessage"), pc.equal(pieces.column("kind"), Kind.PACKET)
    )
    chosen = pa.array(np.flatnonzero(marks(wanted)))

    def whole(path: str) -> pa.Array:
        return pc.struct_field(read, path.split("."))

    def column(path: str) -> pa.Array:
        return whole(path).take(chosen)

    columns = {name: pieces.column(name).take(chosen) for name in POSITION}
    columns |= {name: column(path) for name, path in _NUMBERS.items()}
    columns |= {name: pc.equal(column(path), 1) for name, path in _FLAGS.items()}
    managers = column(_SOURCE).dictionary_encode()
    texts = pa.array([str(GUID(value)) for value in managers.dictionary.to_pylist()], pa.string())
    columns["manager"] = texts.take(managers.indices)
    columns["label"] = column(_LABEL)
    # Each hop may have a key of its own, so that equal bodies differ.
    encrypted = pc.fill_null(pc.equal(column(_ENCRYPTED), 1), False)
    for name, values in (
        ("head", pc.binary_slice(whole(_BODY), 0, HEAD)),
        ("body_size", pc.binary_length(whole(_BODY))),
    ):
        columns[name] = pc.if_else(encrypted, None, values.take(chosen))
    columns["sequence"] = sequences(*map(column, SEQUENCE))
    columns |= _of_names(
        pieces.column("data"), chosen, [column(path) for path in (_ADDRESS, _CONNECTOR, *_NAMES)]
    )
    arrays = [columns[field.name].cast(field.type) for field in COMPARED]
    return pa.RecordBatch.from_arrays(arrays, schema=plain(COMPARED))


def _of_names(data: pa.Array, chosen: pa.Array, names: list[pa.Array]) -> dict[str, pa.Array]:
    """Return the columns that depend on the names of queues in the UserHeader."""
    address, connector, *queues = names
    distinct = Distinct(
        address, connector.is_valid(), *(field for queue in queues for field in queue.flatten())
    )

    def value(row: int) -> tuple[str, bool, int]:
        packet: Any = decode(data[chosen[row].as_py()].as_py())
        user = packet.UserHeader
        size = len(packet.BaseHeader.encode()) + len(user.encode())
        return queue_digest(user), is_copy(user), size

    values = distinct.each(_KNOWN, value)
    by_name = [*zip(*values, strict=True)] or [(), (), ()]
    types = (pa.string(), pa.bool_(), pa.int64())
    return {
        name: distinct.array(column, kind)
        for name, column, kind in zip(("queue", "copy", "header"), by_name, types, strict=True)
    }


def is_copy(header: Any) -> bool:
    """Return whether the destination in a UserHeader is a dead-letter queue or a journal."""
    try:
        name = header.destination
    except MsmqWireError:
        return False
    return name is not None and str(name).upper().endswith(_COPIES)
