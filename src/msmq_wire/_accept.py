"""Accepting the values that a caller gives for the fields of a record.

1. Every value is checked and converted once, here; a record that was built can be encoded.
2. A value that cannot be written is refused with an `EncodeError` that names the field.
3. None stands for what was left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from . import _expression as expression
from . import _relations as relations
from ._layout import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Field,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Sequence,
    Structure,
    Text,
    Values,
)
from ._left_out import LeftOut, LeftOutBytes
from ._plan import plan_of
from ._wchar import from_wchars, to_wchars, wchar_count
from .errors import EncodeError, in_bytes, shortened
from .guid import GUID, NULL_GUID
from .sequence_number import MIN_SEQ_NUMBER, SEQUENCE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Acceptor", "refuse", "units"]

_HOSTS = {
    "UserHeader.DestinationQueue": ((3, "QueueManagerAddress"),),
    "UserHeader.AdminQueue": ((2, "SourceQueueManager"), (3, "QueueManagerAddress")),
    "UserHeader.ResponseQueue": ((2, "SourceQueueManager"), (3, "QueueManagerAddress")),
}
"""The hosts that a short private name can leave out, and the selector that says which one."""


def refuse(structure: Structure, name: str, problem: str, expected: object, actual: object) -> NoReturn:
    path = f"{structure.name}.{name}" if name else structure.name
    raise EncodeError(problem, structure=structure.name, path=path, expected=expected, actual=actual)


def _integer(structure: Structure, field: Field, kind: Integer, value: Any) -> int:
    low, high = kind.bounds
    if not isinstance(value, int) or not low <= value <= high:
        problem = f"{shortened(value)} does not fit {in_bytes(kind.size)}"
        refuse(structure, field.name, problem, f"{low} to {high:#x}", value)
    return value if type(value) is LeftOut else int(value)


def _bytes(structure: Structure, field: Field, value: Any) -> bytes:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        refuse(structure, field.name, f"{type(value).__name__} is not bytes", "bytes", value)
    raw = value if isinstance(value, LeftOutBytes) else bytes(value)
    count = getattr(field.kind, "count", None)
    if isinstance(count, int) and len(raw) != count:
        refuse(structure, field.name, f"has {len(raw)} bytes, takes exactly {count}", count, len(raw))
    return raw


def _text(structure: Structure, field: Field, kind: Text, value: Any) -> str:
    if not isinstance(value, str):
        refuse(structure, field.name, f"{type(value).__name__} is not text", "str", value)
    if kind.count == NUL and "\0" in value:
        refuse(
            structure,
            field.name,
            f"has a null character at {value.index(chr(0))}, which would end it there",
            "text without null characters",
            value,
        )
    if value.isascii():
        return str(value)
    # Two halves of a surrogate pair are one character on the wire.
    return from_wchars(to_wchars(value))


def _guid(structure: Structure, field: Field, value: Any) -> GUID:
    try:
        return GUID.of(value)
    except EncodeError as error:
        refuse(structure, field.name, error.problem, error.expected, value)


def _sequence_number(structure: Structure, field: Field, value: Any) -> SEQUENCE_NUMBER:
    try:
        return SEQUENCE_NUMBER.of(value)
    except EncodeError as error:
        refuse(structure, field.name, error.problem, error.expected, value)


def _numbers(structure: Structure, field: Field, kind: Numbers, value: Any) -> tuple[int, ...]:
    top = (1 << kind.size * 8) - 1
    try:
        found = tuple(value)
    except TypeError:
        refuse(structure, field.name, f"{type(value).__name__} is not a sequence", "numbers", value)
    for index, item in enumerate(found):
        if not isinstance(item, int) or not 0 <= item <= top:
            refuse(
                structure,
                f"{field.name}[{index}]",
                f"{shortened(item)} does not fit {in_bytes(kind.size)}",
                f"0 to {top:#x}",
                item,
            )
    return found


def units(value: Any) -> int:
    """How many elements an array value has on the wire."""
    if isinstance(value, str):
        return wchar_count(value)
    return len(value)


class Acceptor:
    """Takes the values for one record; lives for one call."""

    def __init__(
        self, cls: Any, given: Mapping[str, Any], named: frozenset[str], encoder: Callable[[str], Any]
    ) -> None:
        self.cls = cls
        self.structure: Structure = cls.layout
        self.plan = plan_of(self.structure)
        self.given = given
        self.named = named
        self.encoder = encoder
        self.values: dict[str, Any] = {}
        self.chosen: dict[str, int] = {}

    def accept(self, field: Field, value: Any) -> Any:
        """Check and convert a value that was given; None stays None where something will be computed."""
        structure, kind = self.structure, field.kind
        if isinstance(kind, Flags):
            return self.flags(field, value)
        if value is None:
            return self.empty(field)
        match kind:
            case Integer():
                return _integer(structure, field, kind, value)
            case Guid():
                return _guid(structure, field, value)
            case Sequence():
                return _sequence_number(structure, field, value)
            case Numbers():
                return _numbers(structure, field, kind, value)
            case Values():
                return self.property_values(field, kind, value)
            case Bytes() | Padding():
                return _bytes(structure, field, value)
            case Text():
                return self.terminated(field, _text(structure, field, kind, value))
            case Nested():
                return self.part(field, kind.structure.name, value)
            case Items():
                return self.parts(field, kind.structure.name, value)
            case Choice():
                return self.form(field, kind, value)

    def empty(self, field: Field) -> Any:
        match field.kind:
            case Guid() if field.present is None:
                return NULL_GUID
            case Sequence():
                return MIN_SEQ_NUMBER
            case Text() if field.present is None:
                return ""
            case Items() | Numbers() | Values():
                return ()
            case Nested() as kind if field.present is None:
                return self.cls.class_of(kind.structure.name)()
            case Bytes(count=count) if count != EOF or not field.is_filler:
                default = relations.DEFAULTS.get(f"{self.structure.name}.{field.name}")
                if default is not None:
                    return default
                turned = isinstance(count, str) and count != EOF and expression.quotient(count)
                return bytes(count) if isinstance(count, int) else b"" if turned or count == EOF else None
        return None

    def flags(self, field: Field, value: Any) -> Any:
        kind = self.cls.flags[field.name]
        if value is None:
            return kind._partial(kind.defaults, 0)  # noqa: SLF001  # one mechanism in two modules
        return value if isinstance(value, kind) else kind(value)

    def terminated(self, field: Field, text: str) -> str:
        """Text whose length is left out gets the terminator that it lacks."""
        count = next((name for name, source in self.plan.counts.items() if source.field is field), None)
        open_ended = count and self.is_left_out(count) and field.name in self.named
        if open_ended and text and not text.endswith("\0"):
            return text + "\0"
        return text

    def part(self, field: Field, name: str, value: Any) -> Any:
        if type(value) is not self.cls.class_of(name):
            refuse(self.structure, field.name, f"{type(value).__name__} is not {name}", name, value)
        if value.layout.scoped and field.present and not self.part_size(value):
            return None  # parts without bytes cannot be told from absent ones
        return value

    def parts(self, field: Field, name: str, value: Any) -> tuple[Any, ...]:
        try:
            found = tuple(value)
        except TypeError:
            refuse(self.structure, field.name, f"{type(value).__name__} is not a sequence", name, value)
        for index, item in enumerate(found):
            if type(item) is not self.cls.class_of(name):
                refuse(
                    self.structure,
                    f"{field.name}[{index}]",
                    f"{type(item).__name__} is not {name}",
                    name,
                    item,
                )
        return found

    def property_values(self, field: Field, kind: Values, value: Any) -> tuple[Any, ...]:
        """Property values as given, or made of natural values with the types that the identifiers ask for."""
        from .property_values import PropertyValue, type_of  # noqa: PLC0415  # only the directory protocols need it

        identifiers = self.values[kind.identifiers]
        made = []
        try:
            items = tuple(value)
        except TypeError:
            refuse(self.structure, field.name, f"{type(value).__name__} is not a sequence", "values", value)
        for index, item in enumerate(items):
            path = f"{field.name}[{index}]"
            try:
                if isinstance(item, PropertyValue):
                    made.append(PropertyValue.of(item.vt, item.value))
                    continue
                vartype = type_of(identifiers[index]) if index < len(identifiers) else None
                if vartype is None:
                    refuse(self.structure, path, "has no known type", "a PropertyValue", item)
                made.append(PropertyValue.of(vartype, item))
            except EncodeError as error:
                refuse(self.structure, path, error.problem, error.expected, item)
        if len(made) != len(identifiers):
            refuse(
                self.structure,
                field.name,
                f"has {len(made)} values for {len(identifiers)} identifiers",
                len(identifiers),
                len(made),
            )
        return tuple(made)

    def form(self, field: Field, kind: Choice, value: Any) -> Any:
        names = dict.fromkeys(form.name for form in kind.forms.values() if form)
        if not hasattr(value, "layout"):
            try:
                value = self.queue_name(field, value)
            except EncodeError as error:
                refuse(self.structure, field.name, error.problem, error.expected, value)
        if type(value).__name__ not in names or type(value) is not self.cls.class_of(type(value).__name__):
            refuse(
                self.structure,
                field.name,
                f"{type(value).__name__} is no form of {field.name}",
                ", ".join(names),
                value,
            )
        return value

    def queue_name(self, field: Field, value: Any) -> Any:
        """The wire form of a format name; a private queue of a known host takes its short form."""
        # Few build by name, and that module is large.
        from .format_names import FormatName, parse_format_name  # noqa: PLC0415
        from .queue_names import to_wire  # noqa: PLC0415

        if not isinstance(value, (str, FormatName)):
            return value
        wire: Any = None
        if field.name == "DestinationQueue" and self.is_left_out("QueueManagerAddress"):
            # The name of a private queue says which queue manager the message goes to.
            name = parse_format_name(value) if isinstance(value, str) else value
            self.values["QueueManagerAddress"] = getattr(name, "computer", NULL_GUID)
        for number, host in _HOSTS.get(f"{self.structure.name}.{field.name}", ()):
            wire = to_wire(value, host=self.values[host])
            if type(wire).__name__ == "PrivateQueueFormatNameId":
                self.chosen[field.name] = number
                break
        return wire

    def is_left_out(self, name: str) -> bool:
        """Whether the caller gave no value for a field."""
        return self.given.get(name) is None

    def part_size(self, record: Any) -> int:
        """How many bytes a part takes."""
        return len(self.encoder(type(record).__name__)(record))
