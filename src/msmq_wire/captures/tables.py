"""The tables, each a function from Arrow batches to Arrow batches.

1. `packets`, `gaps` and `quarantine` divide the pieces of all flows.  `balance` checks them against `flows`,
   whose sizes are computed without the bytes.  The bytes of a truncated or damaged packet are in
   `quarantine`, and its headers are a row of `packets` that is marked as partial.
2. The other tables interpret the packets.  A packet may be in several of them.
3. Column names in PascalCase are those of the documents; all other names are defined by this library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow import decode_packets, packet_type
from msmq_wire.arrow.messages import FIELDS, fields_of
from msmq_wire.arrow.schema import described, packet_tree
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.reassembly import Kind

from .files.segments import cause_of, file_of
from .flows.connections import may_be_after_fin
from .rows.channels import channels_of
from .rows.community import COMMUNITY_ID, community_ids
from .rows.messages import SHARED
from .rows.numbers import IN_SESSION
from .rows.packets import CARRIED, POSITION, STYLE
from .rows.partial import are_begun
from .rows.readings import READ, read_headers
from .rows.remote_reads import OPENED
from .schemas import FLOW, FLOW_NAMES, TIME, plain, schema_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from .rows.numbers import Numbers
    from .rows.packets import PacketValidator

DIRECTORY_KIND: Final = "directory"
"""The kind in `quarantine` of the body of a message that should be a directory message."""
_HEADERS: Final = packet_type(**STYLE)
_VERDICT: Final = {"kind", "error", "reached"}
_ERROR: Final = {"error": "message", "path": "path", "error_offset": "offset"}
"""The columns of `quarantine` about an error, and where they are in that of a packet."""

PACKETS: Final = pa.schema(
    [
        *schema_of(
            [
                *CARRIED,
                *IN_SESSION,
                COMMUNITY_ID,
                (
                    "type",
                    pa.string(),
                    "Name of the structure; of a partial packet, by its first bytes.",
                ),
                ("data", pa.binary(), "The available bytes of the packet."),
                (
                    "partial",
                    pa.bool_(),
                    "Whether it is truncated or damaged; then its bytes are counted in `quarantine`.",
                ),
                ("reached", pa.string(), "Of a partial packet, the first unknown field."),
                ("error", pa.string(), "Of a partial packet, the error."),
            ]
        ),
        *READ.schema,
        *described(
            (field for field in _HEADERS if field.name not in _VERDICT),
            (structures()[name] for name in packet_tree().forms),
        ),
    ]
)
"""The columns of `packets`: position, type, bytes, and headers."""

GAPS: Final = schema_of(CARRIED)
"""The columns of `gaps`."""

QUARANTINE: Final = schema_of(
    [
        *CARRIED,
        ("kind", pa.string(), "A kind of piece, or ``frame`` or ``file`` or ``directory``."),
        ("cause", pa.string(), "The cause, in a few words, for counting."),
        (
            "protocol",
            pa.string(),
            "The protocol of its flow, by the first captured bytes, such as RPC; null for MSMQ or unknown.",
        ),
        ("error", pa.string(), "The error; of a packet that cannot be read whole, as in `packets`."),
        ("path", pa.string(), "The field at which decoding failed."),
        (
            "error_offset",
            pa.int64(),
            "Offset of the error in the packet, or in the body; of other bytes, in the flow or in the file.",
        ),
        (
            "places",
            pa.int64(),
            "Of a file or frame, the number of such errors in the file; this row is the first.",
        ),
        ("data", pa.binary(), "The bytes; of a very long frame, its beginning."),
    ]
)
"""The columns of `quarantine`."""

FLOWS: Final = schema_of(
    [
        *FLOW,
        COMMUNITY_ID,
        ("size", pa.int64(), "Bytes of the flow, captured or not."),
        ("captured", pa.int64(), "Captured bytes, including repeated ones."),
        ("segments", pa.int64(), "Number of segments that describe its bytes."),
        ("opened", pa.bool_(), "Whether the beginning of the connection was captured."),
        ("closed", pa.bool_(), "Whether the flow was ended by a FIN or a RST."),
        ("finished", pa.bool_(), "Whether a FIN was captured, after which its sender sends no more bytes."),
        ("time", TIME, "Time of capture of the first segment."),
        ("end_time", TIME, "Time of capture of the last segment."),
    ]
)
"""The columns of `flows`."""

BALANCE: Final = schema_of(
    [
        ("sensor", pa.string(), "As in `flows`."),
        ("flow", pa.string(), "As in `flows`."),
        ("bytes", pa.int64(), "Bytes of the flow."),
        ("in_packets", pa.int64(), "Bytes in `packets`."),
        ("in_quarantine", pa.int64(), "Bytes in `quarantine`."),
        ("in_gaps", pa.int64(), "Bytes in `gaps`."),
        ("difference", pa.int64(), "Bytes in none of them; always 0."),
    ]
)
"""The columns of `balance`."""

FRAMES: Final = schema_of(
    [
        ("sensor", pa.string(), "Directory of the capture file."),
        ("file", pa.string(), "The capture file."),
        ("reason", pa.string(), "The result of the frames."),
        ("detail", pa.string(), "The protocol, type or error; empty if unknown."),
        ("frames", pa.int64(), "Number of frames."),
        ("bytes", pa.int64(), "Captured bytes of the frames, with their headers."),
    ]
)
"""The columns of `frames`: every frame of a file is in one row."""


def sensor_of(file: str) -> str:
    """The directory of a capture file, from the name that tables have, in which ``/`` separates names."""
    return file[: file.rfind("/") + 1]


class Read(NamedTuple):
    """The packets among some pieces, and parts of packets, decoded.

    Attributes:
        pieces: These pieces.
        row_index: The index of each among all pieces.
        columns: The decoded columns.
        clear: Which packets are known to have no violations.
    """

    pieces: pa.RecordBatch
    row_index: NDArray[np.int64]
    columns: pa.StructArray
    clear: pa.BooleanArray

    def among(self, count: int) -> pa.Array:
        """Return the index of the packet of each of all pieces, of which this is the number; null without."""
        indices = np.full(count, -1, np.int64)
        indices[self.row_index] = np.arange(len(self.row_index))
        return pa.array(indices, mask=indices < 0)


def read_pieces(
    pieces: pa.RecordBatch, validator: PacketValidator | None, columns: Iterable[str] | None = None
) -> Read:
    """Decode the packets among pieces, once for all tables.

    Args:
        pieces: The pieces.
        validator: Validates packets; None if that is not needed.
        columns: As for `decode_packets`.
    """
    are_packets = are_begun(pieces)
    rows, (row_index,) = pieces.filter(are_packets), are_packets.to_numpy(zero_copy_only=False).nonzero()
    if validator is not None:
        return Read(rows, row_index, *validator.decoded(rows, columns))
    read = decode_packets(rows.column("data"), columns=columns, **STYLE)
    return Read(rows, row_index, read, pa.nulls(len(rows), pa.bool_()))


def packets(packets_read: Read, pieces: pa.RecordBatch, numbers: Numbers) -> pa.RecordBatch:
    """Return the packets among pieces, with position, type, bytes, and headers as nested structs.

    Args:
        packets_read: The packets.
        pieces: All pieces, with the columns of `OPENED` if they are known.
        numbers: The counts of the flows so far.
    """
    rows, read = packets_read.pieces, packets_read.columns
    columns_by_name = dict(zip((field.name for field in _HEADERS), read.flatten(), strict=True))
    taken = packets_read.among(len(pieces))
    stated = pc.struct_field(columns_by_name["SessionHeader"], "UserMsgSequenceNumber").take(taken)
    counted = numbers.of(pieces, columns_by_name["kind"].take(taken), stated)
    columns_by_name["channel"] = channels_of(rows)
    in_session = pc.equal(columns_by_name["channel"], "session")
    columns_by_name["session"] = pc.if_else(in_session, rows.column("connection"), None)
    columns_by_name["community_id"] = community_ids(rows)
    columns_by_name |= {
        column.name: pa.nulls(len(rows), column.type)
        for column in OPENED
        if column.name not in rows.schema.names
    }
    columns_by_name["number_in_session"] = pc.if_else(
        in_session, counted.take(pa.array(packets_read.row_index)), None
    )
    columns_by_name |= read_headers(read)
    columns_by_name["partial"] = pc.not_equal(rows.column("kind"), str(Kind.PACKET))
    columns_by_name["type"] = pc.if_else(
        columns_by_name["partial"], columns_by_name["kind"], rows.column("type")
    )
    for name, inner in (("error", "message"), ("reached", "path")):
        columns_by_name[name] = pc.if_else(
            columns_by_name["partial"], pc.struct_field(columns_by_name[name], inner), None
        )
    columns = [
        columns_by_name[field.name] if field.name in columns_by_name else rows.column(field.name)
        for field in PACKETS
    ]
    return pa.RecordBatch.from_arrays(columns, schema=plain(PACKETS))


def whole_packets(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Return the rows of `packets` that were captured completely."""
    return rows.filter(pc.invert(rows.column("partial")))


def gaps(pieces: pa.RecordBatch) -> pa.RecordBatch:
    """Return the gaps among pieces."""
    return pieces.filter(pc.equal(pieces.column("kind"), str(Kind.GAP))).select(POSITION)


def message_fields(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Return position, session, index, and the input of `rows.messages`, of complete messages.

    Only these columns are copied, because `packets` has a column for each field of each header.
    """
    wanted = pc.and_(pc.equal(rows.column("type"), "UserMessage"), pc.invert(rows.column("partial")))
    columns = [*rows.select(SHARED).columns, pa.array(np.arange(len(rows))), *fields_of(rows).values()]
    return pa.RecordBatch.from_arrays(columns, names=[*SHARED, "index", *FIELDS]).filter(wanted)


# ----------------------------------------------------------------------------------------- quarantine


def quarantine_of_pieces(pieces: pa.RecordBatch, packets_read: Read) -> pa.RecordBatch:
    """Return the pieces of flows that are neither packets nor gaps.

    Args:
        pieces: All pieces.
        packets_read: The packets among them, and parts of packets.
    """
    in_tables = pa.array([str(Kind.PACKET), str(Kind.GAP)])
    are_others = pc.invert(pc.is_in(pieces.column("kind"), in_tables))
    rows = pieces.filter(are_others)
    columns = {name: rows.column(name) for name in QUARANTINE.names if name != "places"}
    errors = packets_read.columns.field("error").take(packets_read.among(len(pieces)).filter(are_others))
    for name, inner in _ERROR.items():
        columns[name] = pc.coalesce(pc.struct_field(errors, inner), columns[name])
    is_unreadable = pc.and_(errors.is_valid(), pc.equal(rows.column("kind"), str(Kind.UNREADABLE)))
    columns["cause"] = pc.if_else(is_unreadable, _cause(columns["path"]), columns["cause"])
    return _filled(columns, rows.num_rows)


def _cause(path: Any) -> Any:
    """Return the cause of errors at these paths: equal for all elements of an array."""
    return pc.binary_join_element_wise("unreadable: ", pc.replace_substring_regex(path, r"\[\d+\]", "[]"), "")


def _filled(columns: dict[str, Any], count: int) -> pa.RecordBatch:
    """Return a batch of `quarantine`; missing columns are null."""
    arrays = [
        columns[field.name].cast(field.type)
        if field.name in columns
        else pa.repeat(pa.scalar(1 if field.name == "places" else None, field.type), count)
        for field in QUARANTINE
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=plain(QUARANTINE))


def quarantine_of_segments(segments: pa.RecordBatch) -> pa.RecordBatch:
    """Return the frames and files that could not be read."""
    rows = segments.filter(pc.is_valid(segments.column("error")))
    column = rows.column
    files = [file_of(name) for name in column("file").to_pylist()]
    columns = {
        "sensor": pa.array([sensor_of(file) for file in files], pa.string()),
        **{
            name: column(name)
            for name in ("transport", "src", "src_port", "dst", "dst_port", "places", "error")
        },
        "size": column("length"),
        "time": column("time"),
        "end_time": column("time"),
        "file": pa.array(files, pa.string()),
        "first_frame": column("frame"),
        "last_file": pa.array(files, pa.string()),
        "last_frame": column("frame"),
        "kind": pc.if_else(pc.is_null(column("frame")), "file", "frame"),
        "cause": pa.array(map(cause_of, column("error").to_pylist()), pa.string()),
        "error_offset": column("offset"),
        "data": column("payload"),
    }
    return _filled(columns, rows.num_rows)


def quarantine_of_bodies(bodies: pa.RecordBatch) -> pa.RecordBatch:
    """Return the directory messages that could not be decoded."""
    rows = bodies.filter(pc.is_valid(bodies.column("error")))
    columns = {name: rows.column(name) for name in (*POSITION, "error", "path", "error_offset", "data")}
    columns["kind"] = pa.array([DIRECTORY_KIND] * rows.num_rows, pa.string())
    columns["cause"] = _cause(rows.column("path"))
    return _filled(columns, rows.num_rows)


# ----------------------------------------------------------------------------------------- flows


_LOW: Final = int(np.iinfo(np.int64).min)
_HIGH: Final = int(np.iinfo(np.int64).max)
_SUMS: Final[dict[str, tuple[np.ufunc, int]]] = {
    "first": (np.minimum, _HIGH),
    "bytes_end": (np.maximum, _LOW),
    "shown": (np.maximum, _LOW),
    "fin": (np.logical_or, 0),
    "captured": (np.add, 0),
    "segments": (np.add, 0),
    "opened": (np.logical_or, 0),
    "closed": (np.logical_or, 0),
    "since": (np.minimum, _HIGH),
    "until": (np.maximum, _LOW),
}
"""The totals of flows: how each is added up from rows, and its value without rows."""


def totals(starts: NDArray[np.int64], columns: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the totals of the rows of flows, an entry for each flow.

    Args:
        starts: The first row of each flow; the rows of a flow are consecutive.
        columns: The columns of `ordering.ORDERED` that this depends on, and how many segments of the flow
            each row is; times in microseconds, -1 if not known.
    """
    stream_offset, solid, time = columns["stream_offset"], columns["solid"], columns["time"]
    end = stream_offset + columns["length"]
    values = {
        "first": stream_offset,
        "bytes_end": np.where(solid, end, _LOW),
        "shown": np.where(solid, _LOW, stream_offset),
        "since": np.where(time < 0, _HIGH, time),
        "until": time,
        **{name: columns[name] for name in ("fin", "captured", "opened", "closed", "segments")},
    }
    return {name: add.reduceat(values[name], starts) for name, (add, _) in _SUMS.items()}


def merged(
    sums: dict[str, NDArray[Any]], flows: NDArray[np.int64], more: dict[str, NDArray[Any]], count: int
) -> None:
    """Add totals of further rows of flows.

    Args:
        sums: The totals of all flows so far; empty at first.
        flows: The numbers of different flows.
        more: Their totals.
        count: The number of all flows.
    """
    for name, (add, nothing) in _SUMS.items():
        total = sums.setdefault(name, np.full(count, nothing, more[name].dtype))
        total[flows] = add(total[flows], more[name])


def flow_rows(keys: list[pa.Array], sums: dict[str, NDArray[Any]]) -> pa.RecordBatch:
    """Return the table `flows`.

    A flow ends at its last byte, or at a segment without bytes that shows missing ones.

    Args:
        keys: The columns of `FLOW`, a row for each flow.
        sums: Their totals.
    """
    bytes_end, shown, first, until = (sums[name] for name in ("bytes_end", "shown", "first", "until"))
    end = np.where(may_be_after_fin(shown, bytes_end, is_ended=sums["fin"]), bytes_end, shown)
    size = np.maximum(end, first) - first
    has_time = pa.array(until >= 0)
    arrays = [
        *keys,
        community_ids(pa.table(keys, FLOW_NAMES)),
        pa.array(size),
        *(pa.array(sums[name]) for name in ("captured", "segments", "opened", "closed", "fin")),
        *(pc.if_else(has_time, pa.array(values), None).cast(TIME) for values in (sums["since"], until)),
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=plain(FLOWS))
