"""Facts of packets for the session monitor, as columns, so that most packets need not become records.

1. The columns are computed where packets are decoded, and `Facts` are created from them, connection by
   connection.
2. Packets of the handshake are decoded as records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import marks
from msmq_wire.arrow.columns import guid_text
from msmq_wire.checks.sessions.facts import FINAL, PATHS, RECOVERABLE, Facts
from msmq_wire.documents.session_protocol import OPENED
from msmq_wire.packets.packet import decode
from msmq_wire.packets.packet_starts import starts_packet
from msmq_wire.packets.reassembly import PARTS, Kind
from msmq_wire.values.guid import NULL_GUID

from .destinations import destination_columns
from .readings import acknowledged_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_GUIDS: Final = ("manager", "address", "named_manager")
SEQUENCE: Final = ("TransactionHeader.TxSequenceID.TimeStamp", "TransactionHeader.TxSequenceID.Ordinal")
"""The fields of the identifier of a sequence."""
_BODY: Final = "MessagePropertiesHeader.MessageBody"
FIELDS: Final = (*PATHS.values(), *SEQUENCE, *FINAL, _BODY, "UserHeader.DestinationQueue")
"""The fields from which facts are made."""
_TYPES: Final = {
    **dict.fromkeys(PATHS, pa.int64()),
    **dict.fromkeys(_GUIDS, pa.binary()),
    "recoverable": pa.bool_(),
    "final": pa.bool_(),
    "sequence": pa.uint64(),
    "named_message": pa.int64(),
    "queue": pa.string(),
}
_NAMES: Final = [name for name in Facts.__struct_fields__ if name in _TYPES]
_NULLABLE: Final = {"sequence", "named_manager", "queue", "acknowledged"}
FACTS: Final = pa.schema([(f"facts.{name}", _TYPES[name]) for name in _NAMES])
"""The columns of facts: the attributes of `Facts`; null in packets that do not have them."""


def fact_columns(data: pa.Array, read: pa.StructArray) -> list[pa.Array]:
    """Return the columns of `FACTS`.

    Args:
        data: The packets.
        read: Their columns, at least `FIELDS`, with Spark's types.
    """

    def column(path: str) -> pa.Array:
        return pc.struct_field(read, path.split("."))

    columns = {name: column(path) for name, path in PATHS.items()}
    columns["recoverable"] = pc.equal(columns["recoverable"], RECOVERABLE)
    set_flags = [pc.fill_null(pc.equal(column(path), 1), fill_value=False) for path in FINAL]
    columns["final"] = pc.and_(column(FINAL[-1]).is_valid(), pc.or_(pc.or_(*set_flags[:2]), set_flags[2]))
    columns["sequence"] = sequences(*map(column, SEQUENCE))
    columns["queue"] = _queues(data, read)
    for name, values in _of_bodies(read.field("kind"), column(_BODY)).items():
        columns[name] = pc.coalesce(columns[name], values) if name in columns else values
    return [columns[name].cast(_TYPES[name]) for name in _NAMES]


def sequences(time_stamp: pa.Array, ordinal: pa.Array) -> pa.Array:
    """Return what `sequence_of` does, as a column."""
    high = pc.shift_left(time_stamp.cast(pa.uint64()), pa.scalar(32, pa.uint64()))
    return pc.bit_wise_or(high, ordinal.cast(pa.uint64()))


def _of_bodies(kinds: pa.Array, bodies: pa.Array) -> dict[str, pa.Array]:
    """Return the columns for the fields in the bodies of acknowledgments; null for other packets."""
    fields = acknowledged_fields(kinds, bodies)
    stamp, ordinal = (fields[f"acknowledged.TxSequenceID.{name}"] for name in ("TimeStamp", "Ordinal"))
    return {
        "sequence": sequences(stamp, ordinal),
        "number": fields["acknowledged.TxSequenceNumber"],
        "previous": fields["acknowledged.TxPreviousSequenceNumber"],
        "named_manager": fields["acknowledged.SourceGUID"],
        "named_message": fields["acknowledged.MessageID"],
    }


def _queues(data: pa.Array, read: pa.StructArray) -> pa.Array:
    """Return digests of the destinations of transactional messages."""
    user = read.field("UserHeader")
    sent = pc.and_(read.field("TransactionHeader").is_valid(), read.field("error").is_null())
    (rows,) = sent.to_numpy(zero_copy_only=False).nonzero()
    if not len(rows):
        return pa.nulls(len(read), pa.string())
    digests, _ = destination_columns(data, user, rows)
    indices = np.full(len(read), -1, np.int64)
    indices[rows] = np.arange(len(rows))
    return digests.take(pa.array(indices, mask=indices < 0))


def packets_for_monitor(rows: pa.RecordBatch, data: pa.ChunkedArray) -> list[Any]:
    """Return the packet of each piece: facts or a record for the session monitor; None if it has none.

    Of a packet that cannot be read whole, the bytes are returned.

    Args:
        rows: Pieces, with their `type`, the columns of `FACTS`, and the `place` of their bytes.
        data: The bytes of all pieces.
    """
    kinds, data_indices = rows.column("kind"), numbers_of(rows.column("data_index"))
    packets = pc.equal(kinds, Kind.PACKET.value)
    counted = marks(pc.and_(packets, pc.is_in(rows.column("type"), pa.array(sorted(OPENED)))))
    # Most rows are counted: the facts of the others, which are nothing, cost less than a copy of these.
    session_packets: list[Any] = [*_facts(rows, data, data_indices)] if counted.any() else [None] * len(rows)
    packets, parts = marks(packets), marks(pc.is_in(kinds, pa.array(sorted(PARTS))))
    for row in np.flatnonzero(~counted).tolist():
        session_packets[row] = None
        if packets[row]:
            session_packets[row] = decode(data[data_indices[row]].as_py())
        elif parts[row]:
            part = data[data_indices[row]].as_py()
            session_packets[row] = part if starts_packet(part, 0) else None
    return session_packets


def _facts(rows: pa.RecordBatch, data: pa.ChunkedArray, indices: list[int]) -> Iterator[Facts]:
    """Yield the facts of messages and acknowledgments."""
    columns = (_values(name, rows.column(f"facts.{name}")) for name in _NAMES)
    return map(Facts, texts_of(rows.column("type")), *columns, [data] * len(rows), indices)


def _values(name: str, column: pa.Array) -> list[Any]:
    """Return a column as Python values, with the values of an attribute that a packet does not have."""
    if name in _GUIDS:
        absent = None if name in _NULLABLE else ""
        return texts_of(column, absent, _address if name == "address" else guid_text)
    return texts_of(column) if column.type == pa.string() else numbers_of(column, may_lack=name in _NULLABLE)


def _address(raw: bytes) -> str:
    return "" if raw == NULL_GUID.bytes_le else guid_text(raw)


def numbers_of(column: pa.Array, *, may_lack: bool = True) -> list[Any]:
    """Return a column of numbers, times or flags as Python values, in a tenth of the time of `to_pylist`.

    Args:
        column: The column.
        may_lack: Whether null becomes None; else it becomes 0.
    """
    filled = pc.fill_null(column, pa.scalar(0).cast(column.type))
    values: list[Any] = filled.to_numpy(zero_copy_only=False).tolist()
    if may_lack and column.null_count:
        for row in np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False)).tolist():
            values[row] = None
    return values


def texts_of(column: pa.Array, absent: Any = None, text: Callable[[Any], str] = str) -> list[Any]:
    """Return a column as texts; values repeat, so that the text of each is made once.

    Args:
        column: The column.
        absent: The value for null.
        text: Makes the text of a value.
    """
    coded = column.dictionary_encode()
    texts = [*map(text, coded.dictionary.to_pylist()), absent]
    indices = pc.fill_null(coded.indices, len(texts) - 1).to_numpy(zero_copy_only=False)
    values: list[Any] = np.array(texts, object)[indices].tolist()
    return values
