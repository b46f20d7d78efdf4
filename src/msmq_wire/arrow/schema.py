"""The columns of a structure, derived from its layout, and their Arrow types.

1. Every field of a layout is a column with the same name; a nested structure is a struct, an array a list.
2. A flags word is a struct of its bit groups, so each group is a column.
3. A field with several forms is one struct with the fields of all forms; the fields of other forms are null.
4. In the same way, packets of several kinds are one struct with the fields of all kinds.
5. Reserved fields and paddings are columns, too, so encoding restores the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

import msgspec
import pyarrow as pa

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.kinds import Packet
from msmq_wire.records.model import (
    Field,
    Group,
    Integer,
    Nested,
    Numbers,
    Structure,
    Text,
    Values,
)
from msmq_wire.values.errors import MsmqWireError, need
from msmq_wire.values.properties.types import VECTOR

TextForm = Literal["utf16", "utf8"]
TIME = pa.timestamp("us", tz="UTC")

_SIGNED = {1: pa.int16(), 2: pa.int32(), 4: pa.int64(), 8: pa.decimal128(20, 0)}
_UNSIGNED = {1: pa.uint8(), 2: pa.uint16(), 4: pa.uint32(), 8: pa.uint64()}
_PLAIN = {1: pa.int8(), 2: pa.int16(), 4: pa.int32(), 8: pa.int64()}


class Style(NamedTuple):
    """The Arrow types of the values.

    Attributes:
        spark: Whether to use only types that Spark supports.
        text: How texts are stored.
    """

    spark: bool = False
    text: TextForm = "utf16"


class Number(msgspec.Struct, frozen=True, cache_hash=True):
    """A fixed-width number."""

    name: str
    size: int
    signed: bool
    optional: bool = False


class Fixed(msgspec.Struct, frozen=True, cache_hash=True):
    """Fixed-size bytes."""

    name: str
    size: int
    optional: bool = False


class Blob(msgspec.Struct, frozen=True, cache_hash=True):
    """Variable-length bytes, or a text of 16-bit units."""

    name: str
    text: bool = False
    optional: bool = False


class Word(msgspec.Struct, frozen=True, cache_hash=True):
    """A flags word; `groups` are the selected bit groups."""

    name: str
    size: int
    groups: tuple[Group, ...]
    optional: bool = False


class Tree(msgspec.Struct, frozen=True, cache_hash=True):
    """A structure, or several that share a column; `forms` contains their names."""

    name: str
    children: tuple[Node, ...]
    forms: tuple[str, ...]
    optional: bool = False


class Lists(msgspec.Struct, frozen=True, cache_hash=True):
    """A list of values."""

    name: str
    item: Node
    optional: bool = False


class Property(msgspec.Struct, frozen=True, cache_hash=True):
    """A property value: its variant type, and the one column with its value."""

    name: str
    children: tuple[Node, ...]
    optional: bool = False


Node = Number | Fixed | Blob | Word | Tree | Lists | Property

ITEM = "element"
PROPERTY = Property(
    ITEM,
    (
        Number("vt", 2, signed=False),
        Number("integer", 8, signed=True, optional=True),
        Blob("text", text=True, optional=True),
        Fixed("guid", 16, optional=True),
        Blob("binary", optional=True),
        Lists("integers", Number(ITEM, 8, signed=True), optional=True),
        Lists("texts", Blob(ITEM, text=True), optional=True),
        Lists("guids", Fixed(ITEM, 16), optional=True),
        Lists("binaries", Blob(ITEM), optional=True),
    ),
)

_INTEGERS = frozenset(
    {
        VARTYPE.VT_I1, VARTYPE.VT_UI1, VARTYPE.VT_I2, VARTYPE.VT_UI2, VARTYPE.VT_I4, VARTYPE.VT_UI4,
        VARTYPE.VT_I8, VARTYPE.VT_UI8, VARTYPE.VT_BOOL,
    }
)  # fmt: skip
SLOTS = {
    **{int(vt): "integer" for vt in _INTEGERS},
    **{vt | VECTOR: "integers" for vt in _INTEGERS},
    int(VARTYPE.VT_LPWSTR): "text",
    int(VARTYPE.VT_BSTR): "text",
    VARTYPE.VT_LPWSTR | VECTOR: "texts",
    VARTYPE.VT_BSTR | VECTOR: "texts",
    int(VARTYPE.VT_CLSID): "guid",
    VARTYPE.VT_CLSID | VECTOR: "guids",
    int(VARTYPE.VT_BLOB): "binary",
    VARTYPE.VT_BLOB | VECTOR: "binaries",
    VARTYPE.VT_UI1 | VECTOR: "binary",
    VARTYPE.VT_VARIANT | VECTOR: "binary",
}
"""The column that holds a property value, by variant type; types without a value are missing."""


def node_of(field: Field) -> Node:
    """Return the column of a field."""
    kind, name, optional = field.kind, field.name, field.present is not None
    if field.element:
        return Lists(name, _tree(ITEM, [field.element], optional=False), optional)
    if field.structures:
        return _tree(name, field.structures, optional=field.can_be_none)
    if field.word:
        return Word(name, field.word.size, field.groups, optional)
    match kind:
        case Integer():
            return Number(name, kind.size, kind.format.islower(), optional)
        case Numbers():
            return Lists(name, Number(ITEM, kind.size, kind.format.islower()), optional)
        case Values():
            return Lists(name, PROPERTY, optional)
        case Text():
            return Blob(name, text=True, optional=optional)
    return Fixed(name, kind.least_size, optional) if kind.code else Blob(name, optional=optional)


def _tree(name: str, forms: list[Structure], *, optional: bool) -> Tree:
    """Return one struct for a structure, or for several that share a column."""
    nodes: dict[str, Node] = {}
    for structure in forms:
        for field in structure.fields:
            node = node_of(field)
            if len(forms) > 1:
                node = msgspec.structs.replace(node, optional=True)
            existing = nodes.setdefault(field.name, node)
            assert existing == node, f"{name}.{field.name} has two types"  # noqa: S101  # true for all layouts of the definitions
    return Tree(name, tuple(nodes.values()), tuple(form.name for form in forms), optional)


@cache
def packet_tree() -> Tree:
    """Return the columns of all results of `msmq_wire.decode`."""
    names = [kind.__name__ for kind in Packet.__args__]
    return _tree("", [structures()[name] for name in names], optional=True)


@cache
def directory_tree() -> Tree:
    """Return the columns of all results of `mqdsrp.decode`."""
    names = [kind.__name__ for kind in mqdsrp.Message.__args__]
    return _tree("", [structures()[name] for name in names], optional=True)


# ------------------------------------------------------------------------------------------ projection


def projected(tree: Tree, columns: Iterable[str] | None) -> Tree:
    """Select the columns at these dotted paths, in page order; those of every result need not be selected.

    Raises:
        MsmqWireError: There is no such column.
    """
    if columns is None:
        return tree
    paths = [path for path in paths_of(columns) if path not in _RESULTS]
    for path in paths:
        if path.partition(".")[0] in _RESULTS:
            raise MsmqWireError(f"there is no column {path}")
    wanted = _by_head(paths)
    return msgspec.structs.replace(tree, children=_chosen(tree.children, wanted, ""))


def paths_of(columns: Iterable[str]) -> list[str]:
    """Return the paths of columns as a list.

    Raises:
        WrongTypeError: They are not texts.
    """
    need("columns", columns, Iterable, "paths of columns")
    paths = [columns] if isinstance(columns, str) else [*columns]
    for path in paths:
        need("columns", path, str, "the path of a column")
    return paths


def _by_head(paths: Iterable[str]) -> dict[str, set[str]]:
    """Return the rests of dotted paths by their first steps."""
    names: dict[str, set[str]] = {}
    for path in paths:
        head, _, rest = path.partition(".")
        names.setdefault(head, set()).add(rest)
    return names


def _chosen(children: tuple[Node, ...], wanted: dict[str, set[str]], prefix: str) -> tuple[Node, ...]:
    names = [child.name for child in children]
    for name in wanted:
        if name not in names:
            available = ", ".join(names)
            raise MsmqWireError(f"there is no column {prefix}{name}: {prefix or 'a packet'} has {available}")
    return tuple(
        _narrowed(child, wanted[child.name], f"{prefix}{child.name}.")
        for child in children
        if child.name in wanted
    )


def _narrowed(node: Node, rests: set[str], prefix: str) -> Node:
    if "" in rests:
        return node
    wanted = _by_head(rests)
    match node:
        case Tree() | Property():
            return msgspec.structs.replace(node, children=_chosen(node.children, wanted, prefix))
        case Word():
            chosen = tuple(group for group in node.groups if group.name in wanted)
            unknown = wanted.keys() - {group.name for group in chosen}
            if not unknown and not any(inner - {""} for inner in wanted.values()):
                return msgspec.structs.replace(node, groups=chosen)
        case Lists():
            return msgspec.structs.replace(node, item=_narrowed(node.item, rests, prefix))
    raise MsmqWireError(f"there is no column {prefix}{min(rests)}")


# ----------------------------------------------------------------------------------------- Arrow types

ERROR_TYPE = pa.struct(
    [
        ("structure", pa.string()),
        ("path", pa.string()),
        ("offset", pa.int64()),
        ("expected", pa.string()),
        ("actual", pa.string()),
        ("limit", pa.string()),
        ("message", pa.string()),
    ]
)
"""Why a row was not decoded: the attributes and the text of its `DecodeError`."""

REACHED_TYPE = pa.struct([("path", pa.string()), ("offset", pa.int64())])
"""The first field that was not read, as in `LaxResult.reached`."""


_RESULTS = frozenset(
    {
        *("kind", "error", "reached"),
        *(f"error.{field.name}" for field in ERROR_TYPE),
        *(f"reached.{field.name}" for field in REACHED_TYPE),
    }
)
"""The paths of the columns that every result has."""


def number_type(bits: int, size: int, *, signed: bool, spark: bool) -> pa.DataType:
    """Return the Arrow type of a number; for Spark, the smallest signed type that holds all values."""
    if signed:
        return _PLAIN[size]
    if not spark:
        return _UNSIGNED[size]
    return _PLAIN[size] if bits < size * 8 else _SIGNED[size]


def group_size(group: Group) -> int:
    """Return the size in bytes of the smallest number that holds a bit group."""
    return 1 if group.width <= 8 else 2 if group.width <= 16 else 4


@lru_cache(maxsize=4096)
def arrow_type(node: Node, style: Style) -> pa.DataType:
    """Return the Arrow type of a column."""
    match node:
        case Number():
            return number_type(8 * node.size, node.size, signed=node.signed, spark=style.spark)
        case Fixed():
            return pa.binary() if style.spark else pa.binary(node.size)
        case Blob():
            return blob_type(node, style)
        case Word():
            return pa.struct(
                [
                    pa.field(
                        group.name,
                        number_type(group.width, group_size(group), signed=False, spark=style.spark),
                        nullable=False,
                    )
                    for group in node.groups
                ]
            )
        case Lists():
            return pa.list_(pa.field(ITEM, arrow_type(node.item, style), nullable=False))
    return pa.struct([field_of(child, arrow_type(child, style)) for child in node.children])


def field_of(node: Node, kind: pa.DataType) -> pa.Field:
    """Return the field of a column; always nullable, because a truncated packet may lack any field."""
    return pa.field(node.name, kind)


def blob_type(node: Blob, style: Style) -> pa.DataType:
    """Return the Arrow type of variable-length bytes or text."""
    if node.text and style.text == "utf8":
        return pa.string()
    return pa.binary() if style.spark else pa.binary_view()


@lru_cache(maxsize=64)
def result_type(tree: Tree, style: Style) -> pa.StructType:
    """Return the type of the whole result: kind, error, reached, and the columns."""
    kind = pa.string() if style.spark else pa.dictionary(pa.int8(), pa.string())
    return pa.struct(
        [("kind", kind), ("error", ERROR_TYPE), ("reached", REACHED_TYPE)]
        + [(child.name, arrow_type(child, style)) for child in tree.children]
    )


# ------------------------------------------------------------------------------------ schemas of tables


def schema_of(columns: Iterable[tuple[Any, ...]]) -> pa.Schema:
    """Return a schema with the meaning of each column in its metadata, as ``comment``.

    Args:
        columns: The name, the type and the meaning of each column; further items are ignored.
    """
    return pa.schema(
        [pa.field(name, kind, metadata={"comment": _plain(comment)}) for name, kind, comment, *_ in columns]
    )


def _plain(comment: str) -> str:
    """Return a sentence of a docstring for readers of tables: code in single backticks, single spaces."""
    return " ".join(comment.replace("``", "`").split())


def described(fields: Iterable[pa.Field], kinds: Iterable[Structure]) -> list[pa.Field]:
    """Return the columns of structures with their meaning from the definitions, as ``comment``.

    Args:
        fields: The columns.
        kinds: The structures whose fields they are; of several, the first with a field of the name counts.
    """
    by_name = {field.name: field for structure in reversed([*kinds]) for field in structure.fields}
    return [field.with_metadata({"comment": _plain(_meaning(by_name[field.name]))}) for field in fields]


def _meaning(field: Field) -> str:
    if isinstance(field.kind, Nested):
        structure = field.kind.structure
        return f"{structure.section} {structure.name}: {structure.doc}"
    text = field.doc[:1].upper() + field.doc[1:]
    return text if text.endswith(".") else f"{text}."


def plain(schema: pa.Schema) -> pa.Schema:
    """Return the schema without comments, because tables have comments and batches have none."""
    return pa.schema([(field.name, field.type) for field in schema])
