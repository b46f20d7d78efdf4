"""Checks and converts the values that a caller gives for the fields of a record.

1. Every value is checked and converted once, so a record that was built can be encoded.  The generated
   builders accept clearly valid values themselves and pass all others to this module.
2. A value that cannot be encoded raises an `EncodeError` that names the field.
3. None means that the field was omitted.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, cast

from msmq_wire.definitions.relations import INFERRED_HOST, OMITTABLE_HOSTS
from msmq_wire.values.errors import (
    WITHOUT_NULL,
    EncodeError,
    in_bytes,
    null_character,
    shortened,
    wrong_type,
    wrong_value,
)
from msmq_wire.values.guid import GUID
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.wchar import from_wchars, to_wchars

from .model import NUL, Field, Integer, Numbers, Structure, Text
from .omitted import Omitted, OmittedBytes

if TYPE_CHECKING:
    from collections.abc import Callable


def for_field(
    function: Callable[..., Any], structure: Structure, name: str, *more: Any
) -> Callable[..., Any]:
    """Bind a function of this module to one field; the result takes only the value."""
    return partial(function, structure, structure.by_name[name], *more)


def refuse(structure: Structure, name: str, problem: str, expected: object, actual: object) -> NoReturn:
    path = f"{structure.name}.{name}" if name else structure.name
    raise EncodeError(problem, structure=structure.name, path=path, expected=expected, actual=actual)


def integer(structure: Structure, field: Field, value: Any) -> int:
    kind = cast("Integer", field.kind)
    low, high = kind.bounds
    if not isinstance(value, int) or not low <= value <= high:
        problem = wrong_value(f"{low} to {high}", value)
        refuse(structure, field.name, problem, f"{low} to {high:#x}", value)
    return value if type(value) is Omitted else int(value)


def raw_bytes(structure: Structure, field: Field, value: Any) -> bytes:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        refuse(structure, field.name, wrong_type("bytes", value), "bytes", value)
    raw = value if isinstance(value, OmittedBytes) else bytes(value)
    count = getattr(field.kind, "count", None)
    if isinstance(count, int) and len(raw) != count:
        refuse(structure, field.name, wrong_value(in_bytes(count), len(raw)), count, len(raw))
    return raw


def text(structure: Structure, field: Field, value: Any) -> str:
    if not isinstance(value, str):
        refuse(structure, field.name, wrong_type("text", value), "str", value)
    if cast("Text", field.kind).count == NUL and "\0" in value:
        refuse(structure, field.name, null_character(value), WITHOUT_NULL, value)
    if value.isascii():
        return str(value)
    # Two halves of a surrogate pair are stored as one character, as the decoder returns them.
    return from_wchars(to_wchars(value))


def guid(structure: Structure, field: Field, value: Any) -> GUID:
    try:
        return GUID.of(value)
    except EncodeError as error:
        refuse(structure, field.name, error.problem, error.expected, value)


def sequence_number(structure: Structure, field: Field, value: Any) -> SEQUENCE_NUMBER:
    try:
        return SEQUENCE_NUMBER.of(value)
    except EncodeError as error:
        refuse(structure, field.name, error.problem, error.expected, value)


def numbers(structure: Structure, field: Field, value: Any) -> tuple[int, ...]:
    kind = cast("Numbers", field.kind)
    low, high = kind.bounds
    try:
        numbers_given = tuple(value)
    except TypeError:
        refuse(structure, field.name, wrong_type("a sequence", value), "numbers", value)
    for index, item in enumerate(numbers_given):
        if not isinstance(item, int) or not low <= item <= high:
            refuse(
                structure,
                f"{field.name}[{index}]",
                f"{shortened(item)} does not fit {in_bytes(kind.size)}",
                f"{low} to {high:#x}",
                item,
            )
    return numbers_given


def part(structure: Structure, field: Field, cls: Any, value: Any) -> Any:
    if type(value) is not cls:
        name = cls.__name__
        refuse(structure, field.name, wrong_type(name, value), name, value)
    return value


def parts(structure: Structure, field: Field, cls: Any, value: Any) -> tuple[Any, ...]:
    name = cls.__name__
    try:
        parts_given = tuple(value)
    except TypeError:
        refuse(structure, field.name, wrong_type("a sequence", value), name, value)
    for index, item in enumerate(parts_given):
        if type(item) is not cls:
            refuse(structure, f"{field.name}[{index}]", wrong_type(name, item), name, item)
    return parts_given


def property_values(
    structure: Structure, field: Field, identifiers: tuple[int, ...], value: Any
) -> tuple[Any, ...]:
    """Return given property values; convert natural values to the types that their identifiers require."""
    from msmq_wire.values.properties.values import PropertyValue, type_of  # noqa: PLC0415  # only the directory protocols need it

    values = []
    try:
        items = () if value is None else tuple(value)
    except TypeError:
        refuse(structure, field.name, wrong_type("a sequence", value), "values", value)
    for index, item in enumerate(items):
        path = f"{field.name}[{index}]"
        try:
            if isinstance(item, PropertyValue):
                values.append(PropertyValue.of(item.vt, item.value))
                continue
            vartype = type_of(identifiers[index]) if index < len(identifiers) else None
            if vartype is None:
                refuse(
                    structure,
                    path,
                    wrong_type("a PropertyValue, as its type is unknown", item),
                    "a PropertyValue",
                    item,
                )
            values.append(PropertyValue.of(vartype, item))
        except EncodeError as error:
            refuse(structure, path, error.problem, error.expected, item)
    if len(values) != len(identifiers):
        refuse(
            structure,
            field.name,
            wrong_value(f"{len(identifiers)} values, one for each identifier", len(values)),
            len(identifiers),
            len(values),
        )
    return tuple(values)


_LONGEST, MANY = 256, 1024
"""The longest text that is cached, in characters, and the number of cached texts per field."""


class Forms:
    """Converts the values of one field to records of its forms, with the field's converter.

    Attributes:
        classes: The record classes of the forms.
        convert: The function that converts other values; None if only records are accepted.
        texts: The results for texts, by the arguments: senders use the same few texts repeatedly.
    """

    __slots__ = ("classes", "convert", "field", "structure", "texts")

    def __init__(self, structure: Structure, field: str, *classes: Any, convert: Any = None) -> None:
        self.structure = structure
        self.field = field
        self.classes = classes
        self.convert = convert
        self.texts: dict[tuple[Any, ...], tuple[Any, int | None, GUID | None]] = {}

    def __call__(self, value: Any, *hosts: Any) -> tuple[Any, int | None, GUID | None]:
        """Convert a value.

        Args:
            value: The given value, which is not in `texts`.
            hosts: The hosts that a short name can omit, as in `OMITTABLE_HOSTS`; None for each omitted one.

        Returns:
            The record, the selector of its form if the converter chose it, and the host that the value names.
        """
        accepted = value, None, None
        path = f"{self.structure.name}.{self.field}"
        if self.convert is not None and not hasattr(value, "layout"):
            try:
                by_field = dict(
                    zip(dict.fromkeys(host for _, host in OMITTABLE_HOSTS[path]), hosts, strict=True)
                )
                accepted = self.convert(value, by_field, OMITTABLE_HOSTS[path], INFERRED_HOST.get(path))
            except EncodeError as error:
                refuse(self.structure, self.field, error.problem, error.expected, value)
        value_taken = accepted[0]
        if type(value_taken) not in self.classes:
            names = ", ".join([cls.__name__ for cls in self.classes])
            refuse(self.structure, self.field, wrong_type(f"one of {names}", value_taken), names, value_taken)
        if value.__class__ is str and len(value) <= _LONGEST:
            if len(self.texts) >= MANY:
                self.texts.clear()
            self.texts[value, *hosts] = accepted
        return accepted
