"""Finds the numbers that determine how bytes are read, from the layouts.

1. A number is a length if it determines the size of a text, bytes or a structure, and a count if it
   determines the length of an array.
2. A switch is a group of flags, or a number, that determines whether a part is present or which form it has.
3. The lax reader locates the fields in the bytes, so this works for damaged bytes, too.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.definitions import relations
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.packet import ORDER_LABEL, kind_of
from msmq_wire.records.model import Choice, Structure, count_of
from msmq_wire.records.record import Record, diagnostic_reader
from msmq_wire.records.spans import UNREAD
from msmq_wire.values.errors import DecodeError, MsmqWireError, need
from msmq_wire.values.hints import no_structure
from msmq_wire.values.limits import UNLIMITED
from msmq_wire.values.properties.forms import COUNT, FIXED, READERS, TYPE
from msmq_wire.values.properties.types import BLOBS, TEXTS, VARIANTS, VECTOR
from msmq_wire.values.properties.values import PropertyValue
from msmq_wire.views.calls import call_class
from msmq_wire.views.known_values import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.records.spans import FieldSpan

_SIZES = re.compile(r"\w*(?:Size|Length|Offset|bitLen|LengthInBits)")
_ARITHMETIC = re.compile(r"\w*(?:SequenceNumber|SeqNumber|AckFlags|WindowSize|MessageID)")
_ORDER_LABEL = ORDER_LABEL.removesuffix("\0").encode("utf-16-le")
_KINDS = ("packet", "replication", "notification")

Owned = tuple[str, str]
"""A structure and one of its fields."""


class Switch(NamedTuple):
    """Bits of a number that determine what follows.

    Attributes:
        shift: The lowest of these bits.
        width: Number of bits.
        values: The known values.
    """

    shift: int
    width: int
    values: tuple[int, ...]


class NumberLocations(NamedTuple):
    """The determining numbers of all structures.

    Attributes:
        lengths: Sizes and offsets.
        counts: Numbers of elements, each with the smallest size of an element.
        presence: Switches that determine whether a part is present.
        forms: Switches that determine which form a part has, or the type of the packet.
        arithmetic: Numbers of messages and acknowledgments, which depend on other packets.
    """

    lengths: frozenset[Owned]
    counts: dict[Owned, int]
    presence: dict[Owned, tuple[Switch, ...]]
    forms: dict[Owned, tuple[Switch, ...]]
    arithmetic: frozenset[Owned]


@cache
def places() -> NumberLocations:
    """Return every determining number, by its structure and field."""
    lengths: set[Owned] = set()
    counts: dict[Owned, int] = {}
    presence: dict[Owned, list[Switch]] = {}
    forms: dict[Owned, list[Switch]] = {}
    for structure in structures().values():
        for field in structure.fields:
            count = count_of(field.kind)
            if count:
                for owned in _owners(structure, count.number):
                    if field.kind.is_list:
                        counts[owned] = field.kind.unit
                    else:
                        lengths.add(owned)
            present = field.present
            if present and (present.value is not None or structure.group(present.path)):
                _add(presence, structure, present.path, (0, 1))
            if isinstance(field.kind, Choice):
                _add(forms, structure, field.kind.selector, tuple(field.kind.forms))
            if field.kind.is_number and _SIZES.fullmatch(field.name):
                lengths.add((structure.name, field.name))
        if structure.extent:
            lengths.update(_owners(structure, structure.extent.path))
        for path in relations.FIXED.get(structure.name, ()):
            _add(forms, structure, path, (relations.FIXED[structure.name][path],))
    arithmetic = {
        (structure.name, field.name)
        for structure in structures().values()
        for field in structure.fields
        if _ARITHMETIC.fullmatch(field.name)
    }
    lengths -= arithmetic | set(counts)
    return NumberLocations(
        frozenset(lengths), counts, _merged(presence), _merged(forms), frozenset(arithmetic)
    )


def _merged(table: dict[Owned, list[Switch]]) -> dict[Owned, tuple[Switch, ...]]:
    """Merge switches for the same bits to one with all values."""
    merged: dict[Owned, tuple[Switch, ...]] = {}
    for owned, switches in table.items():
        bits: dict[tuple[int, int], set[int]] = {}
        for switch in switches:
            bits.setdefault((switch.shift, switch.width), set()).update(switch.values)
        merged[owned] = tuple(Switch(*bit_range, tuple(sorted(values))) for bit_range, values in bits.items())
    return merged


def _owners(structure: Structure, path: str) -> Iterator[Owned]:
    """Return structures and fields for a path relative to a structure, or to an enclosing one."""
    head, _, rest = path.partition(".")
    field = structure.by_name.get(head)
    if field is None:
        for around in structures().values():
            parts = [part for inner in around.fields for part in inner.structures]
            if structure in parts:
                yield from _owners(around, path)
    elif field.part and rest:
        yield from _owners(field.part, rest)
    else:
        yield structure.name, head


def _add(table: dict[Owned, list[Switch]], structure: Structure, path: str, values: tuple[Any, ...]) -> None:
    numbers = tuple(value for value in values if isinstance(value, int))
    for owner, name in _owners(structure, path):
        field = structures()[owner].by_name[name]
        if field.word:
            group = field.word.group(path.rpartition(".")[2])
            table.setdefault((owner, name), []).append(Switch(group.shift, group.width, numbers))
        elif field.kind.is_number:
            table.setdefault((owner, name), []).append(Switch(0, field.least_size * 8, numbers))


class View:
    """Some bytes and the fields found in them.

    Attributes:
        data: The bytes.
        fields: Every field with a value, in wire order, including those of structures inside bytes.
        parts: The completely read structures inside the outermost one, in wire order.
    """

    def __init__(self, data: bytes, kind: type[Record] | str | None) -> None:
        self.data = data
        self.fields: list[FieldSpan] = []
        self.parts: list[FieldSpan] = []
        structure = _structure(data, kind)
        if structure is not None and not structure.scoped:  # whose sizes are in another one
            self._read(structure, 0, len(data), "")

    def _read(self, structure: Structure, start: int, end: int, path: str) -> None:
        reader = diagnostic_reader(self.data[:end], UNLIMITED, lax=True)
        with suppress(DecodeError):  # keep the fields that were read before the error
            reader.read(structure, start, end)
        for piece in reader.spans:
            named = piece._replace(path=path + piece.path)
            if piece.path.endswith(UNREAD):
                continue
            if piece.value is not None:
                self.fields.append(named)
                self._inside(named)
            elif piece.size and "." in piece.path:
                self.parts.append(named)

    def _inside(self, piece: FieldSpan) -> None:
        """Read the structure inside a byte field."""
        owned = f"{piece.structure.name}.{piece.path.rpartition('.')[2]}"
        name, _ = EMBEDDED.get(piece.path, EMBEDDED.get(owned, ("", b"")))
        if name and piece.size:
            self._read(structures()[name], piece.offset, piece.offset + piece.size, f"{piece.path}.")

    def owned(self, table: Any) -> list[FieldSpan]:
        """Return the fields that are in a table of `NumberLocations`."""
        return [
            piece
            for piece in self.fields
            if piece.field and (piece.structure.name, piece.field.name) in table
        ]

    def value_counts(self) -> Iterator[tuple[FieldSpan, int]]:
        """Yield the counts within property values, as fields, each with the least size of what it counts."""
        for field in self.fields:
            if isinstance(field.value, PropertyValue):
                end = field.offset + field.size
                for path, offset, count, unit in _counts(field.value.vt, self.data, field.offset, end):
                    yield (
                        field._replace(path=field.path + path, offset=offset, size=COUNT.size, value=count),
                        unit,
                    )


def _counts(
    vt: int, data: bytes, offset: int, end: int, path: str = ""
) -> Iterator[tuple[str, int, int, int]]:
    """Yield the counts within a property value: path in it, offset, count, and the unit."""
    if vt not in BLOBS and not vt & VECTOR:
        return
    element = vt & ~VECTOR
    unit = 1 if vt in BLOBS else FIXED.get(element) or (2 if element in TEXTS or vt == VARIANTS else 4)
    (count,) = COUNT.unpack_from(data, offset)
    yield f"{path}.Count", offset, count, unit
    if unit == 1 or element in FIXED or element in TEXTS:
        return
    position = offset + COUNT.size
    for index in range(count):
        inner = element
        if vt == VARIANTS:
            inner = TYPE.unpack_from(data, position)[0]
            position += TYPE.size
        yield from _counts(inner, data, position, end, f"{path}[{index}]")
        position = READERS[inner](data, position, end)[1]


def named_structure(kind: type[Record] | str | None) -> Structure | None:
    """Return the structure of a class or of a name; None if the bytes decide.

    Raises:
        WrongTypeError: The argument is neither.
        MsmqWireError: There is no such structure.
    """
    need("kind", kind, (str, type, type(None)), "a structure or its name")
    if kind is None or kind in _KINDS:
        return None
    structure = structures().get(kind) if isinstance(kind, str) else getattr(kind, "layout", None)
    if not isinstance(structure, Structure):
        call = call_class(kind)
        if call is not None:
            raise MsmqWireError(
                f"{call.__name__} is a structure of remote calls, of which there are no mutants"
            )
        raise MsmqWireError(no_structure(kind, structures()))
    return structure


def _structure(data: bytes, kind: type[Record] | str | None) -> Structure | None:
    """Return the structure to read, or None if it cannot be determined."""
    named = named_structure(kind)
    if named is not None:
        return named
    if kind == "notification":
        return structures()["ChangeNotificationMessage"]
    if kind == "replication":
        kinds: Any = mqdsrp.Message
        names = [cls.__name__ for cls in kinds.__args__]
        number = data[mqdsrp.OPERATION_AT] if len(data) > mqdsrp.OPERATION_AT else len(names)
        return structures()[names[number]] if number < len(names) else None
    if _ORDER_LABEL in data:
        packet: Record | None = decode_lax(data).packet
        if packet is not None:
            return packet.layout
    try:
        return structures()[kind_of(data)]
    except DecodeError:
        return None
