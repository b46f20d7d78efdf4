"""The layout model: structures, their fields, and how the bytes of each field are read.

1. A `Structure` contains `Field`s in wire order; the `Kind` of a field defines how its bytes are read.
2. The compiler builds the model from the definitions and emits it as source; all other code is derived from
   it.
3. A kind states the facts that other code needs, such as its size, the fields that determine its length, and
   its value when empty.  `BaseKind` lists these facts; code that uses a fact works for new kinds, too.
4. The classes of kinds and conditions have tags, because the exported layouts are the model itself.
"""

from __future__ import annotations

from functools import cache, cached_property
from struct import calcsize
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec

from msmq_wire.definitions.relations import Alignment
from msmq_wire.values.guid import GUID
from msmq_wire.values.hooks import import_layouts
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.wchar import wchar_count

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "EOF",
    "LEFT",
    "NUL",
    "Alignment",
    "BaseKind",
    "Bytes",
    "Choice",
    "Count",
    "Extent",
    "Field",
    "Fill",
    "Flags",
    "Group",
    "Guid",
    "Integer",
    "Items",
    "Kind",
    "Nested",
    "Numbers",
    "Padding",
    "Presence",
    "Rival",
    "Sequence",
    "Structure",
    "Text",
    "Values",
    "count_of",
    "register",
    "structures",
]

EOF = "EOF"
"""Count of an array that takes all remaining bytes of its structure."""
NUL = "NUL"
"""Count of a text that ends at a null character."""


class Count(msgspec.Struct, frozen=True, omit_defaults=True, tag="count"):
    """The length of an array is in another field.

    Attributes:
        number: Path of that field, relative to the structure.
        per_unit: How much one element adds to the field: 2 if it counts the bytes of a text of WCHARs.
    """

    number: str
    per_unit: int = 1

    def __str__(self) -> str:
        return self.number if self.per_unit == 1 else f"{self.number} / {self.per_unit}"


class Fill(msgspec.Struct, frozen=True, omit_defaults=True, tag="fill"):
    """Bytes that fill up to a multiple of `boundary`, after parts whose sizes are in other fields.

    Attributes:
        boundary: The multiple, a power of two.
        sizes: Paths of the fields with these sizes, each with the number of bytes per unit.
        more: Additional bytes before the fill.
    """

    boundary: int
    sizes: tuple[tuple[str, int], ...]
    more: int = 0

    def size(self, value: Callable[[str], Any]) -> Any:
        """Return the number of fill bytes; `value` returns the number (or array of numbers) at a path."""
        return -sum(value(path) * unit for path, unit in self.sizes) - self.more & self.boundary - 1

    def __str__(self) -> str:
        terms = [str(self.more)] if self.more else []
        terms += [path if unit == 1 else f"{path} * {unit}" for path, unit in self.sizes]
        behind = " + ".join(terms)
        return f"-{behind if behind.isidentifier() else f'({behind})'} & {self.boundary - 1}"


class Presence(msgspec.Struct, frozen=True, omit_defaults=True):
    """When an optional field is present.

    Attributes:
        numbers: Paths of the numbers that decide; empty if the field is present when bytes remain.
        value: The required number; None if any of the numbers must be nonzero.
    """

    numbers: tuple[str, ...]
    value: int | None = None

    @property
    def path(self) -> str:
        """The path of the number that decides; empty if there is none or more than one."""
        return self.numbers[0] if len(self.numbers) == 1 else ""

    @property
    def means(self) -> int:
        """The number that announces the field."""
        return 1 if self.value is None else self.value

    def test(self, value: Callable[[str], Any], left: Any) -> Any:
        """Return whether the field is present; `value` returns the number (or array) at a path."""
        if not self.numbers:
            return left != 0
        tested = value(self.numbers[0])
        for number in self.numbers[1:]:
            tested = tested | value(number)
        return tested != 0 if self.value is None else tested == self.value

    def __str__(self) -> str:
        test = " | ".join(self.numbers) or "bytes left"
        return test if self.value is None else f"{test} == {self.value}"


LEFT = Presence(())
"""Present if bytes remain."""


class BaseKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """The facts about a kind of field; each kind overrides those that differ from these defaults.

    Attributes:
        is_list: Whether it is an array whose elements are values of their own: its value is a tuple.
        is_number: Whether it is one number of fixed width, which other fields can refer to.
        value_class: The class of its value if `struct` reads only the bytes of it.
    """

    is_list: ClassVar[bool] = False
    is_number: ClassVar[bool] = False
    value_class: ClassVar[type | None] = None

    @property
    def code(self) -> str:
        """Its `struct` format if it has the same size in every record; otherwise empty."""
        return ""

    @property
    def omitted(self) -> Any:
        """Its value if a caller omits it: zero or empty; `...` if the value depends on other fields."""
        return () if self.is_list else ...

    @property
    def unit(self) -> int:
        """The size of one element of an array in bytes."""
        return 1

    @property
    def fixed_size(self) -> int | None:
        """Its size in bytes if it is the same in every record, else None."""
        return calcsize(f"<{self.code}") if self.code else None

    @property
    def least_size(self) -> int:
        """Its smallest possible size in bytes."""
        return self.fixed_size or 0

    @property
    def structures(self) -> list[Structure]:
        """The structures that the field, or each of its elements, can be."""
        return []

    @property
    def numbers(self) -> tuple[str, ...]:
        """The paths of the fields on which its size or form depends."""
        count: object = getattr(self, "count", None)
        if isinstance(count, Count):
            return (count.number,)
        return tuple(path for path, _ in count.sizes) if isinstance(count, Fill) else ()

    def length(self, value: Callable[[str], Any]) -> Any:
        """Return the number of elements that another field states, None if none does.

        Args:
            value: Returns the number (or array of numbers) at a path.
        """
        count = count_of(self)
        if count is None:
            return None
        number = value(count.number)
        return number if count.per_unit == 1 else number // count.per_unit

    def form(self, value: Callable[[str], Any]) -> Structure | None:
        """Return the structure of the field; None if it is not a structure, or its number selects none.

        Args:
            value: Returns the number at a path.
        """
        del value
        return None

    def is_empty(self, value: Callable[[str], Any]) -> bool:
        """Return whether another field states that it is empty; `value` returns the number at a path."""
        count = count_of(self)
        return count is not None and bool(value(count.number) == 0)

    def size_of(self, value: Any) -> int:
        """Return the size in bytes of a value that contains no structures."""
        return len(value) * self.unit if self.fixed_size is None else self.fixed_size


def _bounds(code: str, size: int) -> tuple[int, int]:
    """Return the smallest and the largest number of a size in bytes; a small letter has a sign."""
    bits = size * 8
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if code.islower() else (0, (1 << bits) - 1)


class Integer(BaseKind, frozen=True, tag="integer"):
    """A fixed-width number.

    Attributes:
        format: Its letter in `struct` formats; lower case if it is signed.
        size: Its size in bytes.
        enumeration: The C enumeration with which it was declared; None if there is none.
    """

    format: str
    size: int
    enumeration: str | None = None

    is_number: ClassVar[bool] = True

    @property
    def code(self) -> str:
        return self.format

    @property
    def omitted(self) -> Any:
        return 0

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest value."""
        return _bounds(self.format, self.size)


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bit group of a flags word."""

    name: str
    shift: int
    width: int
    doc: str

    @property
    def mask(self) -> int:
        """The mask of the group in the flags word."""
        return (1 << self.width) - 1 << self.shift


class Flags(BaseKind, frozen=True, tag="flags"):
    """A flags word, which consists of bit groups."""

    name: str
    format: str
    size: int
    groups: tuple[Group, ...]

    is_number: ClassVar[bool] = True

    @property
    def code(self) -> str:
        return self.format

    def group(self, name: str) -> Group:
        """Return the group with that name."""
        return next(group for group in self.groups if group.name == name)


class Guid(BaseKind, frozen=True, tag="guid"):
    """A GUID of 16 bytes."""

    size: int = 16

    value_class: ClassVar[type | None] = GUID

    @property
    def code(self) -> str:
        return f"{self.size}s"


class Sequence(BaseKind, frozen=True, tag="sequence"):
    """A SEQUENCE_NUMBER of 8 bytes."""

    size: int = 8

    value_class: ClassVar[type | None] = SEQUENCE_NUMBER

    @property
    def code(self) -> str:
        return f"{self.size}s"


class Numbers(BaseKind, frozen=True, tag="numbers"):
    """An array of numbers."""

    format: str
    size: int
    count: Count

    is_list: ClassVar[bool] = True

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest value of an element."""
        return _bounds(self.format, self.size)

    @property
    def unit(self) -> int:
        return self.size


class Values(BaseKind, frozen=True, tag="property_values"):
    """Property values, one for each identifier in the sibling `identifiers`."""

    identifiers: str

    is_list: ClassVar[bool] = True

    @property
    def numbers(self) -> tuple[str, ...]:
        return (self.identifiers,)

    def length(self, value: Callable[[str], Any]) -> Any:
        return len(value(self.identifiers))

    def is_empty(self, value: Callable[[str], Any]) -> bool:
        return not value(self.identifiers)


class Bytes(BaseKind, frozen=True, tag="bytes"):
    """Bytes: a fixed number, counted by another field, up to a boundary, or all that remain (`EOF`)."""

    count: int | str | Count | Fill

    @property
    def omitted(self) -> Any:
        return b"" if isinstance(self.count, Count) else ...

    @property
    def code(self) -> str:
        return f"{self.count}s" if isinstance(self.count, int) else ""


class Text(BaseKind, frozen=True, tag="text"):
    """WCHARs: counted by another field, up to a terminator (`NUL`), or as many as fit (`EOF`)."""

    count: str | Count

    @property
    def omitted(self) -> Any:
        return ""

    @property
    def unit(self) -> int:
        return 2

    @property
    def least_size(self) -> int:
        return 2 if self.count == NUL else 0

    def size_of(self, value: Any) -> int:
        return 2 * wchar_count(value) + (2 if self.count == NUL else 0)


class Nested(BaseKind, frozen=True, tag="structure"):
    """A nested structure."""

    structure: Structure

    @property
    def fixed_size(self) -> int | None:
        return self.structure.fixed_size

    @property
    def least_size(self) -> int:
        return self.structure.least_size

    @property
    def structures(self) -> list[Structure]:
        return [self.structure]

    def form(self, value: Callable[[str], Any]) -> Structure | None:
        del value
        return self.structure


class Items(BaseKind, frozen=True, tag="array"):
    """An array of structures."""

    structure: Structure
    count: Count

    is_list: ClassVar[bool] = True

    @property
    def unit(self) -> int:
        return self.structure.least_size

    @property
    def structures(self) -> list[Structure]:
        return [self.structure]


class Choice(BaseKind, frozen=True, tag="choice"):
    """One of several structures, or nothing, selected by the value of `selector`."""

    selector: str
    forms: dict[int, Structure | None]

    @property
    def structures(self) -> list[Structure]:
        """The structures that can be selected, without duplicates."""
        return [*{form.name: form for form in self.forms.values() if form is not None}.values()]

    @property
    def least_size(self) -> int:
        return min(form.least_size if form else 0 for form in self.forms.values())

    @property
    def numbers(self) -> tuple[str, ...]:
        return (self.selector,)

    def form(self, value: Callable[[str], Any]) -> Structure | None:
        return self.forms.get(int(value(self.selector)))

    def is_empty(self, value: Callable[[str], Any]) -> bool:
        return self.forms.get(int(value(self.selector)), ...) is None

    @property
    def omitted(self) -> Any:
        return None if None in self.forms.values() else ...


class Padding(BaseKind, frozen=True, tag="padding"):
    """Bytes up to an alignment boundary."""

    alignment: Alignment


Kind = Integer | Flags | Guid | Sequence | Numbers | Values | Bytes | Text | Nested | Items | Choice | Padding
_Kind = TypeVar("_Kind", bound=Kind)


class Rival(msgspec.Struct, frozen=True, omit_defaults=True):
    """A structure that can replace a part; it states its own size and the size of all that follows.

    Attributes:
        structure: Its name.
        size: Its size in bytes.
        own: Offset of the field with its own size.
        rest: Offset of the field with the number of bytes that follow it.
        room: Size of the part in bytes.  If exactly this many bytes remain, they are the part.
    """

    structure: str
    size: int
    own: int
    rest: int
    room: int

    def stands(self, data: bytes, at: int, end: int) -> bool:
        """Return whether this structure, not the part, is at offset `at`, judged by its sizes."""
        left = end - at
        return (
            left >= self.size
            and left != self.room
            and int.from_bytes(data[at + self.own : at + self.own + 4], "little") == self.size
            and int.from_bytes(data[at + self.rest : at + self.rest + 4], "little") == left - self.size
        )


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of a structure, in page order.

    Attributes:
        name: Its name in the specification.
        kind: How its bytes are read.
        doc: A short description.
        present: When the field is present; None if always.
        outside: Whether it is after the size that the structure's extent states.
        rival: A structure that can replace it although it is announced.
        known: The values with which reading can continue after the field; None if all.
        offset_in: The field with this field's offset in WCHARs, and the field from which it counts.
        limit: The attribute of `Limits` that bounds the number of elements or WCHARs.
        is_filler: Whether it carries no information: padding, or a reserved field.
    """

    name: str
    kind: Kind
    doc: str
    present: Presence | None = None
    outside: bool = False
    known: tuple[int, ...] | None = None
    offset_in: tuple[str, str] | None = None
    limit: str | None = None
    is_filler: bool = False
    rival: Rival | None = None

    @property
    def structures(self) -> list[Structure]:
        """The structures that the field, or each of its elements, can be."""
        return self.kind.structures

    @property
    def part(self) -> Structure | None:
        """The structure of a nested field; None for other kinds."""
        return self.kind.structure if isinstance(self.kind, Nested) else None

    @property
    def element(self) -> Structure | None:
        """The structure of each element of an array; None for other kinds."""
        return self.kind.structure if isinstance(self.kind, Items) else None

    @property
    def word(self) -> Flags | None:
        """The flags word, if the field is one; None for other kinds."""
        return self.kind if isinstance(self.kind, Flags) else None

    @property
    def groups(self) -> tuple[Group, ...]:
        """The bit groups of a flags word; empty for other kinds."""
        return self.word.groups if self.word else ()

    @property
    def identifiers(self) -> str:
        """The field with the identifiers of the property values in this field; empty for other kinds."""
        return self.kind.identifiers if isinstance(self.kind, Values) else ""

    @property
    def enumeration(self) -> str | None:
        """The C enumeration of a number; None for other kinds, or without one."""
        return self.kind.enumeration if isinstance(self.kind, Integer) else None

    @property
    def alignment(self) -> Alignment | None:
        """The boundary up to which padding goes; None for other kinds."""
        return self.kind.alignment if isinstance(self.kind, Padding) else None

    @property
    def can_be_none(self) -> bool:
        """Whether a record may have None in the field, because it is optional or has several forms."""
        return self.present is not None or isinstance(self.kind, Choice)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The paths of the fields on which its presence, size or form depends."""
        return (*self.present.numbers, *self.kind.numbers) if self.present else self.kind.numbers

    @property
    def fixed_size(self) -> int | None:
        """The size in bytes if it is the same in every record, else None."""
        return None if self.present else self.kind.fixed_size

    @property
    def least_size(self) -> int:
        """The smallest possible size in bytes."""
        return 0 if self.present else self.kind.least_size

    def kind_as(self, wanted: type[_Kind]) -> _Kind:
        """Return the kind as the class that the caller knows it to have.

        Raises:
            TypeError: The kind has another class.
        """
        if not isinstance(self.kind, wanted):
            raise TypeError(f"expected {wanted.__name__} of {self.name}, got {type(self.kind).__name__}")
        return self.kind


class Extent(msgspec.Struct, frozen=True, omit_defaults=True):
    """The field that states the size of a structure, and the multiple to which it is rounded up."""

    path: str
    multiple: int


class Structure:
    """A structure of a document; the export refers to it by its name.

    Attributes:
        name: Its name in the specification.
        section: Document and section, such as ``[MS-MQMQ] 2.2.19.1``.
        fields: Its fields in page order.
        extent: The field that states its size; None if its fields do.
        scoped: Whether its sizes are in the enclosing structure, so that it cannot be read alone.
        doc: A short description.
        by_name: Its fields by name.
        home: The module of `documents` with its record.
    """

    def __init__(
        self,
        name: str,
        section: str,
        fields: tuple[Field, ...],
        extent: Extent | None = None,
        *,
        scoped: bool = False,
        doc: str = "",
    ) -> None:
        self.name = name
        self.section = section
        self.fields = fields
        self.extent = extent
        self.scoped = scoped
        self.doc = doc
        self.by_name = {field.name: field for field in fields}
        self.home = ""

    def __repr__(self) -> str:
        return f"<Structure {self.name}>"

    @property
    def document(self) -> str:
        """Short name of the document, such as ``MS-MQMQ``."""
        return self.section[1:].partition("]")[0]

    @cached_property
    def fixed_size(self) -> int | None:
        """The size in bytes if it is the same for every record, else None."""
        sizes = [item.fixed_size for item in self.fields]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    @cached_property
    def least_size(self) -> int:
        """The smallest possible size in bytes."""
        return sum(item.least_size for item in self.fields)

    def flags(self, name: str) -> Flags:
        """Return the bit groups of a flags word."""
        return self.by_name[name].kind_as(Flags)

    def at(self, path: str) -> tuple[Field, Group | None]:
        """Return the field at a dotted path; for a bit group its word, and the group.

        Raises:
            KeyError: There is no such field.
        """
        name, _, rest = path.partition(".")
        field = self.by_name[name]
        if rest and field.part:
            return field.part.at(rest)
        return field, field.word.group(rest) if rest and field.word else None

    def group(self, path: str) -> Group | None:
        """Return the bit group at a dotted path; None if the path does not name a bit group."""
        try:
            return self.at(path)[1]
        except KeyError:
            return None

    def owner_of(self, name: str) -> str:
        """The end of an error message with the part that has a field; empty if none has it."""
        for item in self.fields:
            if item.part and name in item.part.by_name:
                return f"; {item.name} has it"
        return ""

    def offset_of(self, name: str) -> int:
        """Return the offset of a field that is at the same offset in every record."""
        return _offsets(self)[name]


@cache
def _offsets(structure: Structure) -> dict[str, int]:
    """Return the smallest possible offset of each field."""
    offsets, offset = {}, 0
    for item in structure.fields:
        offsets[item.name] = offset
        offset += item.least_size
    return offsets


def count_of(kind: BaseKind) -> Count | None:
    """Return the count of an array if another field holds it, else None."""
    count = getattr(kind, "count", None)
    return count if isinstance(count, Count) else None


_STRUCTURES: dict[str, Structure] = {}


def register(home: str, *structures: Structure) -> None:
    """Register structures under their names; `home` is the module of `documents` with their records."""
    for structure in structures:
        _STRUCTURES[structure.name] = structure
        structure.home = home


def structures() -> dict[str, Structure]:
    """Return all structures by name."""
    if not _STRUCTURES:
        import_layouts()
    return _STRUCTURES
