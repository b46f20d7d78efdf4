"""Directory properties by name, with values of matching Python types.

1. `interpret` converts one value by its property: a time to `datetime`, a truth value to `bool`, a blob with
   a structure to that structure.  Security descriptors, identifiers of users, certificates and unstructured
   keys stay bytes.
2. `Properties` is a view of the two arrays of a directory change; it converts a value on access.
3. A value that does not have the form of its property is converted by its variant type alone: bytes stay
   bytes.  Only `interpret` raises an error for it.
4. `pack` is the inverse, from names and values to the two arrays.
5. `body_value` converts a message body by its BodyType, in the same way.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msmq_wire.definitions.properties import VARTYPE, Form, ObjectClass
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.propid import by_name, by_number
from msmq_wire.records.record import read, record_class
from msmq_wire.values.body_types import value_of_com
from msmq_wire.values.errors import (
    DecodeError,
    EncodeError,
    elsewhere,
    in_bytes,
    need,
    shortened,
    wrong_value,
)
from msmq_wire.values.properties.values import PropertyValue, type_of
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.times import EPOCH
from msmq_wire.values.wchar import from_wchars

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from msmq_wire.values.properties.natural import BodyValue

__all__ = ["Properties", "body_value", "interpret", "pack"]

_RAW_BODIES = frozenset(
    {VARTYPE.VT_EMPTY, VARTYPE.VT_NULL, VARTYPE.VT_BLOB, VARTYPE.VT_UI1 | VARTYPE.VT_VECTOR}
)
_OBJECT_TYPES = frozenset(int(member) for member in ObjectClass if member > 0)
_SEQUENCE_NUMBER_SIZE = 8


def interpret(identifier: int, value: PropertyValue) -> Any:
    """Convert a value by its property.

    Args:
        identifier: The PROPID of a directory property ([MS-MQMQ] 2.3), or a private one.
        value: Its value.

    Returns:
        A `datetime` in UTC for a time, `bool` for a truth value, SEQUENCE_NUMBER, MQDSPUBLICKEYS or
        MQUSERSIGNCERTS for a blob with one of these, a tuple of TA_ADDRESS for a list of addresses, an
        `ObjectClass` for an object type, and `PropertyValue.natural` for all others.

    Raises:
        DecodeError: The blob does not have the structure of the property.
        WrongTypeError: `value` is not a PropertyValue, or `identifier` is not a number.
    """
    need("value", value, PropertyValue, "a PropertyValue")
    definition = by_number(identifier)
    if definition is None or definition.vartype != value.vt:
        return value.natural
    match definition.kind:
        case Form.TIME:
            return EPOCH + dt.timedelta(seconds=value.value)
        case Form.BOOLEAN if value.value in {0, 1}:
            return bool(value.value)
        case Form.OBJECT_TYPE if value.value in _OBJECT_TYPES:
            return ObjectClass(value.value)
        case Form.SEQUENCE_NUMBER:
            return _sequence_number(definition.name, value.value)
        case Form.TA_ADDRESS:
            return _addresses(value.value)
        case Form.MQDSPUBLICKEYS | Form.MQUSERSIGNCERTS:
            return record_class(definition.kind.value).decode(value.value)
    return value.natural


def _sequence_number(name: str, raw: bytes) -> SEQUENCE_NUMBER:
    if len(raw) != _SEQUENCE_NUMBER_SIZE:
        raise DecodeError(
            say(Problem.SHORT, in_bytes(_SEQUENCE_NUMBER_SIZE), len(raw)),
            structure="SEQUENCE_NUMBER",
            path=name,
            offset=0,
            expected=_SEQUENCE_NUMBER_SIZE,
            actual=len(raw),
        )
    return SEQUENCE_NUMBER(raw)


def _addresses(raw: bytes) -> tuple[Any, ...]:
    """Consecutive addresses up to the end of the blob."""
    addresses = []
    pos = 0
    while pos < len(raw):
        address, pos = read(structures()["TA_ADDRESS"], raw, pos, len(raw))
        addresses.append(address)
    return tuple(addresses)


class Properties(Mapping[str | int, Any]):
    """The properties of one directory change, by name.

    A key is the name of a property (``"PROPID_Q_LABEL"``), or its number if it has no name; a look-up accepts
    the number of any property.  If an identifier occurs twice, the first value is used.
    """

    __slots__ = ("_values",)

    def __init__(self, identifiers: Sequence[int], values: Sequence[PropertyValue]) -> None:
        self._values: dict[int, PropertyValue] = {}
        for identifier, value in zip(identifiers, values, strict=False):
            self._values.setdefault(identifier, value)

    def __getitem__(self, key: str | int) -> Any:
        number, value = self._find(key)
        try:
            return interpret(number, value)
        except DecodeError:
            return value.natural

    def raw(self, key: str | int) -> PropertyValue:
        """The wire value of a property.

        Raises:
            KeyError: The change does not have the property.
        """
        return self._find(key)[1]

    def _find(self, key: str | int) -> tuple[int, PropertyValue]:
        number = key
        if isinstance(key, str):
            definition = by_name(key)
            if definition is None or by_number(definition.number) is not definition:
                raise KeyError(key)
            number = definition.number
        if not isinstance(number, int) or number not in self._values:
            raise KeyError(key)
        return number, self._values[number]

    def __iter__(self) -> Iterator[Any]:
        for number in self._values:
            definition = by_number(number)
            yield number if definition is None else definition.name

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Properties({dict(self)!r})"


def pack(
    properties: Mapping[str, Any] | Mapping[int, Any] | Mapping[str | int, Any],
) -> tuple[tuple[int, ...], tuple[PropertyValue, ...]]:
    """Create the two arrays of a directory change from values by name or number.

    Args:
        properties: Values as for `PropertyValue.of`, or `PropertyValue`s, in wire order.

    Returns:
        The identifiers and their values.

    Raises:
        EncodeError: A name is not a directory property, a number has no known type, or a value does not fit.
        WrongTypeError: `properties` is not a mapping.
    """
    need("properties", properties, Mapping, "a mapping of names or numbers to values")
    identifiers = []
    values = []
    key: str | int
    for key, value in properties.items():
        definition = by_name(key) if isinstance(key, str) else None
        if definition is not None and by_number(definition.number) is not definition:
            definition = None
        number = definition.number if definition else key
        vartype = type_of(number) if isinstance(number, int) else None
        if not isinstance(number, int) or (vartype is None and not isinstance(value, PropertyValue)):
            raise EncodeError(
                wrong_value("a directory property of a known type", key),
                structure="PropertyValue",
                path=f"properties[{shortened(key)}]",
                expected="a name or number of [MS-MQMQ] 2.3.1 to 2.3.10 or 2.3.13",
                actual=key,
            )
        identifiers.append(number)
        try:
            values.append(
                value
                if vartype is None or isinstance(value, PropertyValue)
                else PropertyValue.of(vartype, value)
            )
        except EncodeError as error:
            raise elsewhere(error, path=f"properties[{shortened(key)}]") from error
    return tuple(identifiers), tuple(values)


def body_value(body_type: int, body: bytes) -> BodyValue:
    """Convert a message body by its BodyType ([MS-MQMQ] 2.2.19.3); bytes if it does not match.

    The size of a body is known, so a text needs no terminator and bytes need no count; other vectors begin
    with their count, as in a property value.  For VT_EMPTY, VT_NULL and every type that neither [MS-MQMQ]
    2.2.12 nor `value_of_com` knows, the result is the bytes.

    Args:
        body_type: The variant type.
        body: The body, not encrypted.

    Returns:
        `bool`, `int`, `str`, `uuid.UUID`, a tuple of these, a value of COM, or `bytes`.

    Raises:
        WrongTypeError: `body_type` is not a number, or `body` is not bytes.
    """
    need("body_type", body_type, int, "a number")
    need("body", body, bytes, "bytes")
    if body_type in _RAW_BODIES:
        return body
    of_com = value_of_com(body_type, body)
    if of_com is not None:
        return of_com
    if body_type in {VARTYPE.VT_LPWSTR, VARTYPE.VT_BSTR}:
        return _text_body(body, terminated=body_type == VARTYPE.VT_LPWSTR)
    try:
        meant: BodyValue = PropertyValue.decode(body_type, body).natural
    except DecodeError:
        return body
    return meant


def _text_body(body: bytes, *, terminated: bool) -> str | bytes:
    if len(body) % 2:
        return body
    text = from_wchars(body)
    if not terminated:
        return text
    text = text.removesuffix("\0")
    return body if "\0" in text else text
