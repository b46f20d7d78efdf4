"""The common parts of the tables' schemas."""

from __future__ import annotations

import inspect
import re
import types
import typing
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
import pyarrow as pa

from msmq_wire.arrow.schema import TIME, plain, schema_of

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["FLOW", "PLACE", "TIME", "arrow_of", "coded", "plain", "schema_of", "sentences_of", "uncoded"]

FLOW: Final = (
    ("sensor", pa.string(), "Where the flow was captured: the directory of its capture files."),
    ("transport", pa.string(), "``tcp``, ``udp`` or ``raw``."),
    ("connection", pa.string(), "Identifier of the connection, the same for both directions."),
    ("flow", pa.string(), "One direction of one connection."),
    ("direction", pa.string(), "``->`` from the side that opened the connection, ``<-`` to it."),
    ("src", pa.string(), "IP address of the sender."),
    ("src_port", pa.int32(), "Port of the sender."),
    ("dst", pa.string(), "IP address of the receiver."),
    ("dst_port", pa.int32(), "Port of the receiver."),
)
"""The columns that identify flows, the same in all tables."""
FLOW_NAMES: Final = [name for name, _, _ in FLOW]
FLOW_KEY: Final = ("sensor", "flow")
"""The columns that tell flows apart."""
CONNECTION_KEY: Final = ("sensor", "connection")
"""The columns that tell connections apart."""

PLACE: Final = (
    ("offset", pa.int64(), "Offset of its first byte in the flow."),
    ("size", pa.int64(), "Size in bytes, with a SessionHeader behind a packet; of a part, of what it has."),
    ("time", TIME, "Time of capture of its first segment; for a gap, of the segment before it."),
    ("end_time", TIME, "Time of capture of its last segment; for a gap, of the segment after it."),
    ("file", pa.string(), "The capture file of its first segment."),
    ("first_frame", pa.int64(), "Number of its first frame in `file`."),
    ("last_file", pa.string(), "The capture file of its last segment."),
    ("last_frame", pa.int64(), "Number of its last frame in `last_file`."),
)
"""The columns for location and time."""


def coded(columns: Iterable[tuple[str, pa.DataType]], *unique: str) -> pa.Schema:
    """Return columns with texts and bytes as numbers of a dictionary: shorter, and faster to compare.

    Args:
        columns: Their names and types.
        unique: Columns of texts that do not repeat, and stay as they are.
    """
    repeated = {kind: pa.dictionary(pa.int32(), kind) for kind in (pa.string(), pa.binary())}
    return pa.schema([(name, kind if name in unique else repeated.get(kind, kind)) for name, kind in columns])


def uncoded(schema: pa.Schema) -> pa.Schema:
    """Return the columns without dictionaries.

    Otherwise a few rows would keep the dictionary of all rows.
    """
    kinds = [field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in schema]
    return pa.schema([field.with_type(kind) for field, kind in zip(schema, kinds, strict=True)])


def arrow_of(annotation: Any) -> pa.DataType:
    """Return the Arrow type for a Python type: numbers, texts, msgspec structs, dictionaries.

    Raises:
        KeyError: There is no such type.
    """
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in {typing.Union, types.UnionType}:
        (annotation,) = (argument for argument in arguments if argument is not type(None))
        return arrow_of(annotation)
    if origin is Literal:
        return pa.string()
    if origin is dict:
        return pa.map_(arrow_of(arguments[0]), arrow_of(arguments[1]))
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return pa.struct([(field.name, arrow_of(field.type)) for field in msgspec.structs.fields(annotation)])
    return _SCALARS[annotation]


_ATTRIBUTE: Final = re.compile(r"^    (\w+): (.*(?:\n {8,}.*)*)", re.MULTILINE)


def sentences_of(kind: type) -> dict[str, str]:
    """Return the description of each attribute in the docstring of a class, in the words of tables."""
    text = inspect.getdoc(kind) or ""
    sentences = _ATTRIBUTE.findall(text.partition("Attributes:\n")[2])
    return {name: re.sub(r"\bNone\b", "null", " ".join(sentence.split())) for name, sentence in sentences}


_SCALARS: Final = {
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    str: pa.string(),
    bytes: pa.binary(),
}
