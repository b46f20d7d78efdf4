"""Vectorised decoding and encoding of Arrow arrays of packets; needs the extra ``arrow``.

1. `decode_packets` decodes what `msmq_wire.decode` decodes, with the same errors; `decode_directory` does the
   same for `mqdsrp.decode`.  `encode_packets` and `encode_directory` are the inverse.  `decode_messages`
   interprets messages.
2. The columns are the fields of the layouts, with their names in the documents; `packet_type` returns their
   types.
3. A row that cannot be decoded has an `error`, and in its columns the fields that could be decoded.  The
   contents of the bytes raise no exceptions.
4. Labels, bodies and other bytes of variable length are views into the input, which they keep alive.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from msmq_wire.values.extras import needed

try:
    import numpy as np
    import pyarrow as pa
except ModuleNotFoundError as error:
    raise needed("arrow", error) from None

from msmq_wire.checks.rules import CHANNELS, LEVELS
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.lax import decode_part
from msmq_wire.packets.packet import decode, kind_of
from msmq_wire.values.errors import MsmqWireError, need, need_one_of, wrong_type
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits

from ._encode import encode_rows
from ._filling.nested import TreeColumn
from ._filling.store import NOWHERE, Store, bitmap
from ._input import Rows, rows_of
from ._reading.vectors import Kinds, directory_kinds, packet_kinds, read_chunks
from ._rows import Outcomes, Readers, read_rows
from ._validators.clearing import VIOLATION, cleared_rows, columns_to_clear, violations
from ._validators.plans import LISTS
from ._validators.table import met
from .messages import FIELDS, MESSAGE_TYPE, messages_of
from .schema import (
    ERROR_TYPE,
    REACHED_TYPE,
    Style,
    TextForm,
    Tree,
    directory_tree,
    packet_tree,
    paths_of,
    projected,
    result_type,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from msmq_wire.checks.rules import Channel, Level

__all__ = [
    "ERROR_TYPE",
    "REACHED_TYPE",
    "VIOLATION",
    "cleared",
    "decode_and_clear",
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


def __dir__() -> list[str]:
    return sorted(__all__)


def packet_type(
    columns: Iterable[str] | None = None, *, spark: bool = False, text: TextForm = "utf16"
) -> pa.StructType:
    """The type of the result of `decode_packets` for the same arguments.

    In addition to the fields, it has three columns.  `kind` is the name of the packet's structure.  `error`
    is null if the row was decoded.  `reached` is null as well; for a truncated or damaged row, it has the
    path of the first field that could not be decoded, and its offset in bytes from the beginning of the row.

    Args:
        columns: Dotted paths of the columns to decode, such as ``UserHeader.Flags.DQ``; the path of a
            structure selects all its fields.  None for every column.  The three are always included.
        spark: Whether to use Spark's types: signed types that hold all values of unsigned ones, and plain
            binary and string columns instead of views, GUIDs and dictionaries.
        text: ``utf16`` leaves texts as bytes in wire encoding.  ``utf8`` makes string columns, in which a
            lone surrogate becomes U+FFFD.

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
    clock_tolerance: float = 0.0,
) -> pa.ListArray:
    """Validate each packet of an array, like `msmq_wire.validate`.

    Whole columns are checked first; rows that this does not clear are validated one at a time.

    Args:
        array: An Arrow array of bytes, as for `decode_packets`.
        level: As for `msmq_wire.validate`.
        channel: As for `msmq_wire.validate`.
        offsets: The offsets of the rows of a buffer, and the end of the last row, in bytes.
        seen_at: `Context.seen_at` of each row: timestamps, or seconds since 1970; null if unknown.
        receiver_address: `Context.receiver_address` of each row, likewise.
        clock_tolerance: `Context.clock_tolerance` of all rows, in seconds.

    Returns:
        A list of `VIOLATION` for each row, empty without violations; null for a null and for bytes that are
        neither a packet nor a Ping.

    Raises:
        MsmqWireError: The argument is not an array of bytes, times or addresses have the wrong type or
            length, or a time is none that a `Context` accepts.
        ValueError: There is no such level or channel.
    """
    _require_known(level, channel)
    rows = rows_of(array, offsets)
    return violations(rows, level, channel, _read, met(len(rows), seen_at, receiver_address, clock_tolerance))


def cleared(
    array: Any,
    level: Level = "must",
    *,
    channel: Channel = "session",
    offsets: Any = None,
    seen_at: Any = None,
    receiver_address: Any = None,
    clock_tolerance: float = 0.0,
) -> pa.BooleanArray:
    """Find packets without violations by checking whole columns: a fast filter before `validate`.

    Args:
        array: As for `validate`.
        level: As for `validate`.
        channel: As for `validate`.
        offsets: As for `validate`.
        seen_at: As for `validate`.
        receiver_address: As for `validate`.
        clock_tolerance: As for `validate`.

    Returns:
        True for packets without violations.  False means undecided; use `validate` for these packets.

    Raises:
        MsmqWireError: As for `validate`.
        ValueError: There is no such level or channel.
    """
    _require_known(level, channel)
    rows = rows_of(array, offsets)
    return pa.array(
        cleared_rows(rows, level, channel, _read, met(len(rows), seen_at, receiver_address, clock_tolerance))
    )


def decode_and_clear(
    array: Any,
    level: Level = "must",
    *,
    columns: Iterable[str] | None = None,
    seen_at: Any = None,
    receiver_address: Any = None,
    clock_tolerance: float = 0.0,
    spark: bool = False,
    text: TextForm = "utf16",
) -> tuple[pa.StructArray, pa.BooleanArray]:
    """Decode packets and find those without violations; each packet is read once for both.

    Args:
        array: An Arrow array of bytes, as for `decode_packets`.
        level: As for `validate`.
        columns: As for `decode_packets`.
        seen_at: As for `validate`.
        receiver_address: As for `validate`.
        clock_tolerance: As for `validate`.
        spark: As for `decode_packets`.
        text: As for `decode_packets`.

    Returns:
        The results of `decode_packets` and, with the channel ``"session"``, of `cleared`.

    Raises:
        MsmqWireError: As for `decode_packets` and `cleared`.
        ValueError: There is no such level.
    """
    _require_known(level, "session")
    rows = rows_of(array)
    circumstances = met(len(rows), seen_at, receiver_address, clock_tolerance)
    paths = None if columns is None else paths_of(columns)
    tree = wanted = projected(packet_tree(), paths)
    if paths is not None:
        tree = projected(packet_tree(), {*paths, *columns_to_clear(level, "session", circumstances)})
    begun = {LISTS: np.full(len(rows), NOWHERE, np.int64)}
    read = _PACKETS.read(rows, tree, DEFAULT_LIMITS, begun)

    def take(some: Rows, paths: tuple[str, ...], begins: Mapping[str, NDArray[np.int64]]) -> pa.StructArray:
        if len(some) < len(rows):  # a chunk of very many rows
            return _read(some, paths, begins)
        for name, places in begins.items():
            places[:] = begun[name]
        return read.array(_columns(paths), Style())

    clear = cleared_rows(rows, level, "session", take, circumstances, at_once=True)
    return read.array(wanted, Style(spark, text)), pa.array(clear)


def _require_known(level: Level, channel: Channel) -> None:
    need_one_of("level", level, LEVELS)
    need_one_of("channel", channel, CHANNELS)


def directory_type(
    columns: Iterable[str] | None = None, *, spark: bool = False, text: TextForm = "utf16"
) -> pa.StructType:
    """The type of the result of `decode_directory` for the same arguments.

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
    """Decode an array of packets, one in each row.

    Args:
        array: An Arrow array of bytes: binary, large_binary, binary_view or fixed size, plain or chunked.
            With `offsets`, a buffer.
        columns: Dotted paths of the columns to decode; None for every column.  Every row is always checked
            completely.
        offsets: The offsets of the rows of a buffer, and the end of the last row, in bytes.
        spark: Whether to use only Spark's types, see `packet_type`.
        text: How to store texts, see `packet_type`.
        limits: Bounds for each packet.  With other limits than the defaults, rows are decoded one at a time.

    Returns:
        One row for each input row, of the type that `packet_type` returns for the same arguments.  A null
        gives a null.  The columns of a row with an error have the values of `decode_lax(...).fields`: the
        complete fields with a certain offset.  All other values are null, and a list ends before its first
        unknown element.  `kind` is the type that the first bytes announce.

    Raises:
        MsmqWireError: The argument is not an array of bytes, or there is no such column.
    """
    need("spark", spark, bool, "True or False")
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
    """Decode an array of replication messages ([MC-MQDSRP] 2.2.6), one in each row.

    A property value is a struct of its variant type `vt` and one column for each form of value: `integer`
    (VT_BOOL as its pattern, VT_UI8 with its bits as a signed number), `text`, `guid`, `binary`, or a list of
    one of these.  A vector of VT_VARIANT is in `binary`, in wire format.

    Args:
        array: The messages, as for `decode_packets`.
        columns: As for `decode_packets`, such as ``DirectoryChanges.SeqNumber``.
        offsets: As for `decode_packets`.
        spark: As for `decode_packets`.
        text: As for `decode_packets`.
        limits: As for `decode_packets`.

    Returns:
        One row for each input row, of the type that `directory_type` returns.

    Raises:
        MsmqWireError: The argument is not an array of bytes, or there is no such column.
    """
    return _DIRECTORY.decoded(array, columns, offsets, Style(spark, text), limits)


def decode_messages(array: Any, *, offsets: Any = None) -> pa.StructArray:
    """Interpret an array of UserMessages: queues as format names, label, body, text, times, flags.

    The columns are those of the table `messages` of captures, without those about the capture, the connection
    and the session, and without `partial`, `reached` and `packet_size`.

    Args:
        array: The packets, as for `decode_packets`.
        offsets: As for `decode_packets`.

    Returns:
        One row for each input row, of the type that `message_type` returns.  A null gives a null.  A row that
        cannot be decoded, or is not a UserMessage, has only an `error`.

    Raises:
        MsmqWireError: The argument is not an array of bytes.
    """
    read = decode_packets(array, columns=FIELDS, offsets=offsets, spark=True, text="utf8")
    return messages_of(read)


def message_type() -> pa.StructType:
    """The type of the result of `decode_messages`; the metadata of a field describes the meaning of null."""
    return MESSAGE_TYPE


def encode_packets(array: Any) -> pa.BinaryArray:
    """Encode an array of packets: the inverse of `decode_packets`.

    Args:
        array: A struct array with the column `kind`, of any type that `packet_type` returns, or of columns
            with values that the records' constructors accept; numbers are whole numbers, and no truth values.
            Null values and missing columns are computed like omitted arguments.

    Returns:
        The bytes of each row: those that were decoded.  A null gives a null, and so does a row with an error.
        A chunked array gives a chunked array; more than 2 GiB in one array give a large_binary.

    Raises:
        MsmqWireError: The argument is not a struct array with the column `kind`, or two columns have the
            same name.
        EncodeError: A row cannot be encoded: a value does not fit, has the wrong type, or is in a column that
            the packet does not have.  The message has the number of the row.
    """
    return _PACKETS.encoded(array)


def encode_directory(array: Any) -> pa.BinaryArray:
    """Encode an array of replication messages: the inverse of `decode_directory`.

    Raises:
        MsmqWireError: The argument is not a struct array with the column `kind`, or two columns have the
            same name.
        EncodeError: A row cannot be encoded: a value does not fit, has the wrong type, or is in a column that
            the packet does not have.  The message has the number of the row.
    """
    return _DIRECTORY.encoded(array)


@lru_cache(maxsize=16)
def _columns(columns: tuple[str, ...]) -> Tree:
    return projected(packet_tree(), columns)


def _read(rows: Rows, columns: tuple[str, ...], begins: Mapping[str, NDArray[np.int64]]) -> pa.StructArray:
    tree = _columns(columns)
    return _PACKETS.read(rows, tree, DEFAULT_LIMITS, begins).array(tree, Style())


class _Read(NamedTuple):
    """Rows that were read.

    Attributes:
        rows: The rows.
        column: Their columns.
        outcomes: The kind of each row, or its error.
    """

    rows: Rows
    column: TreeColumn
    outcomes: Outcomes

    def array(self, tree: Tree, style: Style) -> pa.StructArray:
        """Return the columns of `tree` that were read, with the types of a style."""
        rows, store = self.rows, self.column.store
        store.style, store.outgrown = style, False
        kind, error, reached = self.outcomes.arrays(rows.valid)
        if style.spark:
            kind = kind.cast(pa.string())
        children = [kind, error, reached, *map(self.column.array_of, tree.children)]
        struct = result_type(tree, style)
        if store.outgrown:
            names = ["kind", "error", "reached", *(child.name for child in tree.children)]
            struct = pa.struct([(name, child.type) for name, child in zip(names, children, strict=True)])
        return pa.StructArray.from_buffers(struct, len(rows), [bitmap(rows.valid)], children=children)


class _Family(NamedTuple):
    """The common parts of decoding packets and replication messages.

    Attributes:
        tree: Creates all columns.
        kinds: Detects the types of rows.
        readers: Decodes single rows, with limits.
    """

    tree: Callable[[], Tree]
    kinds: Callable[[], Kinds]
    readers: Readers

    def type_of(self, columns: Iterable[str] | None, style: Style) -> pa.StructType:
        """The type of the decoded array."""
        need_one_of("text", style.text, get_args(TextForm))
        return result_type(projected(self.tree(), columns), style)

    def decoded(
        self, array: Any, columns: Iterable[str] | None, offsets: Any, style: Style, limits: Limits
    ) -> pa.StructArray:
        """The columns of an array."""
        need_one_of("text", style.text, get_args(TextForm))
        need("limits", limits, Limits, "Limits")
        tree = projected(self.tree(), columns)
        if not isinstance(array, pa.ChunkedArray):
            return self.read(rows_of(array, offsets), tree, limits).array(tree, style)
        parts = [self.read(rows_of(chunk), tree, limits).array(tree, style) for chunk in array.chunks]
        return pa.concat_arrays(parts) if parts else pa.array([], result_type(tree, style))

    def read(
        self,
        rows: Rows,
        tree: Tree,
        limits: Limits,
        begins: Mapping[str, NDArray[np.int64]] = MappingProxyType({}),
    ) -> _Read:
        """Read the columns of rows; `begins` collects the offsets of structures by name."""
        outcomes = Outcomes(list(tree.forms), len(rows))
        column = TreeColumn(tree, len(rows), Store(rows.buffers()))
        for name, places in begins.items():
            child = column.child(name)
            if child is not None:
                child.begins = places
        decode, decode_lax, kind_of = self.readers
        readers = Readers(partial(decode, limits=limits), partial(decode_lax, limits=limits), kind_of)
        if limits == DEFAULT_LIMITS:
            left = read_chunks(rows, self.kinds(), readers.decode, column, outcomes)
        else:
            left = np.arange(len(rows)) if rows.valid is None else np.flatnonzero(rows.valid)
        read_rows(rows, left, readers, column, outcomes)
        return _Read(rows, column, outcomes)

    def encoded(self, array: Any, first: int = 0) -> Any:
        """Encode columns; `first` is the number of the first row, for errors."""
        if isinstance(array, pa.ChunkedArray):
            starts = accumulate(map(len, array.chunks), initial=0)
            parts = [self.encoded(chunk, start) for chunk, start in zip(array.chunks, starts, strict=False)]
            kind = pa.large_binary() if any(part.type == pa.large_binary() for part in parts) else pa.binary()
            return pa.chunked_array([part.cast(kind) for part in parts], kind)
        if not isinstance(array, pa.Array):
            raise MsmqWireError(wrong_type("an Arrow array of structs", array))
        return encode_rows(array, self.tree().forms, first)


_PACKETS = _Family(packet_tree, packet_kinds, Readers(decode, decode_part, kind_of))
_DIRECTORY = _Family(
    directory_tree, directory_kinds, Readers(mqdsrp.decode, mqdsrp.decode_lax, mqdsrp.kind_of)
)
