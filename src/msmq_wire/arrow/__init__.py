"""Whole Arrow arrays of packets at once; needs the extra ``arrow``.

1. `decode_packets` reads what `msmq_wire.decode` reads, and comes to the same verdict for every row:
   `decode_directory` is the same for `mqdsrp.decode`, and `encode_packets` the way back.  `decode_messages`
   says what messages mean.
2. The columns are those of the layouts, under the names of the page; `packet_type` says their types.
3. A row that cannot be read has an `error`, and what is known of it in its columns; nothing is raised for
   what the bytes are.
4. Labels, bodies and other bytes of any length are views into the input, which they keep alive.
"""

from __future__ import annotations

from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.values.extras import needed

try:
    import numpy as np
    import pyarrow as pa
except ModuleNotFoundError as error:
    raise needed("arrow", error) from None

from msmq_wire.checks.rules import CHANNELS, LEVELS
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.packet import decode, kind_of
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits

from ._encode import encode_rows
from ._filling.nested import TreeColumn
from ._filling.store import Store, bitmap
from ._input import Rows, rows_of
from ._reading.vectors import Kinds, directory_kinds, packet_kinds, read_chunks
from ._rows import Readers, Verdicts, read_rows
from ._schema import (
    ERROR_TYPE,
    REACHED_TYPE,
    Style,
    TextForm,
    Tree,
    directory_tree,
    packet_tree,
    projected,
    result_type,
)
from ._verdicts import FINDING, cleared_rows, findings, met

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from msmq_wire.checks.rules import Channel, Level

__all__ = [
    "ERROR_TYPE",
    "FINDING",
    "REACHED_TYPE",
    "cleared",
    "decode_directory",
    "decode_messages",
    "decode_packets",
    "directory_type",
    "encode_directory",
    "encode_packets",
    "message_type",
    "packet_type",
    "validate",
]


def packet_type(
    columns: Iterable[str] | None = None, *, spark: bool = False, text: TextForm = "utf16"
) -> pa.StructType:
    """The type of what `decode_packets` returns for the same arguments.

    Besides the columns of the page it has `kind`, the name of the packet's structure; `error`, which is null
    where the row was read; and `reached`, which then is null as well: of a row that is cut off or damaged the
    path of the first field that was not read, and its offset in bytes from the beginning of the row.

    Args:
        columns: Dotted paths of the columns that are wanted, such as ``UserHeader.Flags.DQ``; a path of a
            structure stands for all of it.  None: every column.
        spark: Whether to use Spark's types: a signed number that holds all values for an unsigned one,
            decimal(20, 0) for one of 64 bits, and plain binary and string columns instead of views, GUIDs
            and dictionaries.
        text: ``utf16`` leaves texts as the bytes on the wire.  ``utf8`` makes string columns, in which half
            a surrogate pair becomes U+FFFD.

    Raises:
        MsmqWireError: There is no such column.
    """
    return _PACKETS.type_of(columns, Style(spark, text))


def validate(
    array: Any,
    level: Level = "must",
    *,
    channel: Channel = "session",
    offsets: Any = None,
    seen_at: Any = None,
    receiver_address: Any = None,
) -> pa.ListArray:
    """List the requirements that packets violate: what `msmq_wire.validate` finds, for each row.

    Packets are compared by whole columns; what these do not clear is judged one row at a time.

    Args:
        array: An Arrow array of bytes, as `decode_packets` takes it, not chunked.
        level: As `msmq_wire.validate` takes it.
        channel: Where the packets were met, likewise.
        offsets: Where the rows of a buffer begin, and where the last one ends.
        seen_at: For each row `Context.seen_at`: timestamps, or seconds since 1970; null where not known.
        receiver_address: For each row `Context.receiver_address`, likewise.

    Returns:
        A list of `FINDING` for each row, empty where nothing is wrong; null for a null and for what is no
        packet.

    Raises:
        MsmqWireError: The argument is no array of bytes, or times or addresses are none, or too many or few.
        ValueError: There is no such level or channel.
    """
    _require_known(level, channel)
    rows = rows_of(array, offsets)
    return findings(rows, level, channel, _read, met(len(rows), seen_at, receiver_address))


def cleared(
    array: Any,
    level: Level = "must",
    *,
    channel: Channel = "session",
    offsets: Any = None,
    seen_at: Any = None,
    receiver_address: Any = None,
) -> pa.BooleanArray:
    """Tell of which packets whole columns say that they violate nothing: a filter before `validate`.

    Args:
        array: As for `validate`.
        level: As for `validate`.
        channel: As for `validate`.
        offsets: As for `validate`.
        seen_at: As for `validate`.
        receiver_address: As for `validate`.

    Returns:
        True for a packet of which `validate` finds nothing; False tells nothing, and only `validate` can.

    Raises:
        MsmqWireError: The argument is no array of bytes, or times are none, or too many or few.
        ValueError: There is no such level or channel.
    """
    _require_known(level, channel)
    rows = rows_of(array, offsets)
    return pa.array(cleared_rows(rows, level, channel, _read, met(len(rows), seen_at, receiver_address)))


def _require_known(level: Level, channel: Channel) -> None:
    if level not in LEVELS or channel not in CHANNELS:
        raise ValueError(f"there is no level {level!r} or no channel {channel!r}")


def directory_type(
    columns: Iterable[str] | None = None, *, spark: bool = False, text: TextForm = "utf16"
) -> pa.StructType:
    """The type of what `decode_directory` returns for the same arguments; they mean what they mean there.

    Raises:
        MsmqWireError: There is no such column.
    """
    return _DIRECTORY.type_of(columns, Style(spark, text))


def decode_packets(
    array: Any,
    *,
    columns: Iterable[str] | None = None,
    offsets: Any = None,
    spark: bool = False,
    text: TextForm = "utf16",
    limits: Limits = DEFAULT_LIMITS,
) -> pa.StructArray:
    """Read many packets, one a row.

    Args:
        array: An Arrow array of bytes: binary, large_binary, binary_view or of fixed size, whole or chunked.
            With `offsets`, a buffer.
        columns: Dotted paths of the columns that are wanted; None: every column.  Every row is checked as a
            whole, whatever is wanted.
        offsets: Where the rows of a buffer begin, and where the last one ends.
        spark: Whether to use only types that Spark has, as `packet_type` says.
        text: How to store texts, as `packet_type` says.
        limits: How much to take at most of each packet.  With any but the default ones, rows are read one at
            a time.

    Returns:
        A row for a row, of the type that `packet_type` gives for the same columns and forms.  A null gives a
        null.  A row with an error has in its columns what `decode_lax(...).fields` has: the fields whose
        bytes all are there and whose place is certain.  What it does not have is null; a list ends before
        its first element that is not known.  Its `kind` is what its first bytes announce.

    Raises:
        MsmqWireError: The argument is no array of bytes, or there is no such column.
    """
    return _PACKETS.decoded(array, columns, offsets, Style(spark, text), limits)


def decode_directory(
    array: Any,
    *,
    columns: Iterable[str] | None = None,
    offsets: Any = None,
    spark: bool = False,
    text: TextForm = "utf16",
    limits: Limits = DEFAULT_LIMITS,
) -> pa.StructArray:
    """Read many replication messages of [MC-MQDSRP] 2.2.6, one a row.

    A property value is a struct: its variant type `vt`, and the one column that has the value: `integer`
    (VT_BOOL is its pattern, VT_UI8 has its bits as a signed number), `text`, `guid`, `binary`, or the list
    of these.  A vector of VT_VARIANT is in `binary` as it is on the wire.

    Args:
        array: The messages, as for `decode_packets`.
        columns: As for `decode_packets`, such as ``DirectoryChanges.SeqNumber``.
        offsets: As for `decode_packets`.
        spark: As for `decode_packets`.
        text: As for `decode_packets`.
        limits: As for `decode_packets`.

    Returns:
        A row for a row, of the type that `directory_type` gives.

    Raises:
        MsmqWireError: The argument is no array of bytes, or there is no such column.
    """
    return _DIRECTORY.decoded(array, columns, offsets, Style(spark, text), limits)


def decode_messages(array: Any, *, offsets: Any = None) -> pa.StructArray:
    """Read what many UserMessages mean, one a row: queues as format names, label, body, text, times, flags.

    The columns are those of the readings of single messages, as the table `messages` of captures has them.

    Args:
        array: The packets, as for `decode_packets`.
        offsets: As for `decode_packets`.

    Returns:
        A row for a row, of the type that `message_type` gives.  A null gives a null.  What cannot be read or
        is no UserMessage has an `error`, and nothing else.

    Raises:
        MsmqWireError: The argument is no array of bytes.
    """
    from ._messages import FIELDS, messages_of  # noqa: PLC0415  # columns alone need no readings

    read = decode_packets(array, columns=FIELDS, offsets=offsets, spark=True, text="utf8")
    return messages_of(read)


def message_type() -> pa.StructType:
    """The type of what `decode_messages` returns; a field says in its metadata what it means to be null."""
    from ._messages import MESSAGE_TYPE  # noqa: PLC0415  # as above

    return MESSAGE_TYPE


def encode_packets(array: Any) -> pa.BinaryArray:
    """The bytes of many packets: the way back from `decode_packets`.

    Args:
        array: A struct array with the column `kind`, of any of the types that `packet_type` makes.  What is
            null, and a column that is not there, is worked out where the constructor of the record works it
            out.

    Returns:
        A row for a row, and the same bytes that were decoded; a null for a null and for a row with an error.
        A chunked array gives a chunked array; more than 2 GiB in one array are a large_binary.

    Raises:
        MsmqWireError: It is no struct array with the column `kind`.
        EncodeError: A row cannot be written; its number is in the text.
    """
    return _PACKETS.encoded(array)


def encode_directory(array: Any) -> pa.BinaryArray:
    """The bytes of many replication messages: the way back from `decode_directory`.

    Raises:
        MsmqWireError: It is no struct array with the column `kind`.
        EncodeError: A row cannot be written; its number is in the text.
    """
    return _DIRECTORY.encoded(array)


@lru_cache(maxsize=16)
def _columns(columns: tuple[str, ...]) -> Tree:
    return projected(packet_tree(), columns)


def _read(rows: Rows, columns: tuple[str, ...], begins: Mapping[str, NDArray[np.int64]]) -> pa.StructArray:
    return _PACKETS.rows(rows, _columns(columns), Style(), DEFAULT_LIMITS, begins)


class _Family(NamedTuple):
    """What packets and replication messages have in common.

    Attributes:
        tree: Makes all columns.
        kinds: Tells kinds of rows.
        readers: What reads single rows; its decoders take limits.
    """

    tree: Callable[[], Tree]
    kinds: Callable[[], Kinds]
    readers: Readers

    def type_of(self, columns: Iterable[str] | None, style: Style) -> pa.StructType:
        """The type of what is decoded."""
        return result_type(projected(self.tree(), columns), style)

    def decoded(
        self, array: Any, columns: Iterable[str] | None, offsets: Any, style: Style, limits: Limits
    ) -> pa.StructArray:
        """The columns of an array."""
        tree = projected(self.tree(), columns)
        if not isinstance(array, pa.ChunkedArray):
            return self.rows(rows_of(array, offsets), tree, style, limits)
        parts = [self.rows(rows_of(chunk), tree, style, limits) for chunk in array.chunks]
        return pa.concat_arrays(parts) if parts else pa.array([], result_type(tree, style))

    def rows(
        self,
        rows: Rows,
        tree: Tree,
        style: Style,
        limits: Limits,
        begins: Mapping[str, NDArray[np.int64]] = MappingProxyType({}),
    ) -> pa.StructArray:
        """The columns of rows; `begins` takes where structures begin, by their names."""
        verdicts = Verdicts(list(tree.forms), len(rows))
        column = TreeColumn(tree, len(rows), Store(style, rows.buffers()))
        for name, places in begins.items():
            child = column.child(name)
            if child is not None:
                child.begins = places
        decode, decode_lax, kind_of = self.readers
        readers = Readers(partial(decode, limits=limits), partial(decode_lax, limits=limits), kind_of)
        if limits == DEFAULT_LIMITS:
            left = read_chunks(rows, self.kinds(), readers.decode, column, verdicts)
        else:
            left = np.arange(len(rows)) if rows.valid is None else np.flatnonzero(rows.valid)
        read_rows(rows, left, readers, column, verdicts)
        return _assembled(rows, column, verdicts, style)

    def encoded(self, array: Any) -> Any:
        """The bytes of columns."""
        if isinstance(array, pa.ChunkedArray):
            parts = [self.encoded(chunk) for chunk in array.chunks]
            kind = pa.large_binary() if any(part.type == pa.large_binary() for part in parts) else pa.binary()
            return pa.chunked_array([part.cast(kind) for part in parts], kind)
        if not isinstance(array, pa.Array):
            raise MsmqWireError(f"{type(array).__name__} is no Arrow array of structs")
        return encode_rows(array, self.tree().forms)


_PACKETS = _Family(packet_tree, packet_kinds, Readers(decode, decode_lax, kind_of))
_DIRECTORY = _Family(
    directory_tree, directory_kinds, Readers(mqdsrp.decode, mqdsrp.decode_lax, mqdsrp.kind_of)
)


def _assembled(rows: Rows, column: TreeColumn, verdicts: Verdicts, style: Style) -> pa.StructArray:
    kind, error, reached = verdicts.arrays(rows.valid)
    if style.spark:
        kind = kind.cast(pa.string())
    children = [kind, error, reached, *map(column.array_of, column.nodes)]
    made = result_type(column.node, style)
    if column.store.outgrown:
        names = ["kind", "error", "reached", *column.nodes]
        made = pa.struct([(name, child.type) for name, child in zip(names, children, strict=True)])
    return pa.StructArray.from_buffers(made, len(rows), [bitmap(rows.valid)], children=children)
