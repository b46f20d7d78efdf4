"""The fields of messages that rules compare: the rows from which `captures.comparing` makes violations.

1. A row is a UserMessage that was captured completely; `COMPARED` has its columns.
2. The sizes of headers repeat, so one packet of each is decoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import marks
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.schemas import plain, schema_of
from msmq_wire.packets.packet import decode
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.guid import GUID

from .destinations import destination_columns
from .packets import CARRIED, POSITION
from .session_facts import SEQUENCE, sequences

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
_SIZES: Final[dict[tuple[Any, ...], Any]] = {}
"""The sizes of both headers before a TransactionHeader, by what they depend on."""


def compared(pieces: pa.RecordBatch, read: pa.StructArray) -> pa.RecordBatch:
    """Return the rows for the messages among pieces.

    Args:
        pieces: The pieces.
        read: Their decoded columns, at least `FIELDS`, with Spark's types.
    """
    wanted = pc.and_(
        pc.equal(read.field("kind"), "UserMessage"), pc.equal(pieces.column("kind"), Kind.PACKET)
    )
    rows = np.flatnonzero(marks(wanted))
    chosen = pa.array(rows)

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
    data = pieces.column("data")
    columns["queue"], columns["copy"] = destination_columns(data, read.field("UserHeader"), rows)
    columns["header"] = _header_sizes(data, rows, column(_CONNECTOR), [*map(column, _NAMES)])
    arrays = [columns[field.name].cast(field.type) for field in COMPARED]
    return pa.RecordBatch.from_arrays(arrays, schema=plain(COMPARED))


def _header_sizes(
    data: pa.Array, rows: NDArray[np.int64], connector: pa.Array, queues: list[pa.StructArray]
) -> pa.Array:
    """Return the sizes of BaseHeader and UserHeader, which depend on the kinds and lengths of the names."""
    names = [
        part if queue.type[number].name == "Count" else part.is_valid()
        for queue in queues
        for number, part in enumerate(queue.flatten())
    ]
    distinct = Distinct(connector.is_valid(), *names)

    def size(row: int) -> int:
        packet: Any = decode(data[int(rows[row])].as_py())
        return len(packet.BaseHeader.encode()) + len(packet.UserHeader.encode())

    return distinct.array(distinct.each(_SIZES, size), pa.int64())
