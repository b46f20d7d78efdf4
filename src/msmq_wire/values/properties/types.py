"""The variant types with a wire form, and the type of each property identifier."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from msmq_wire.definitions.properties import PROPERTIES, VARTYPE, ObjectClass
from msmq_wire.values.errors import (
    MsmqWireError,
    WrongTypeError,
    locate_errors,
    need,
    need_within,
    wrong_type,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MOST = 0xFFFF_FFFF
VECTOR = int(VARTYPE.VT_VECTOR)
VARIANTS = int(VARTYPE.VT_VARIANT | VECTOR)
BYTES = int(VARTYPE.VT_UI1 | VECTOR)
BLOBS = frozenset({int(VARTYPE.VT_BLOB), BYTES})
CLSID = int(VARTYPE.VT_CLSID)
TEXTS = frozenset({int(VARTYPE.VT_LPWSTR), int(VARTYPE.VT_BSTR)})
NOTHING = frozenset({int(VARTYPE.VT_EMPTY), int(VARTYPE.VT_NULL)})
"""The types whose values have no bytes."""
_SCALARS = {
    VARTYPE.VT_I1: "b",
    VARTYPE.VT_UI1: "B",
    VARTYPE.VT_I2: "h",
    VARTYPE.VT_UI2: "H",
    VARTYPE.VT_BOOL: "H",
    VARTYPE.VT_I4: "i",
    VARTYPE.VT_UI4: "I",
    VARTYPE.VT_I8: "q",
    VARTYPE.VT_UI8: "Q",
}
FORMATS = {int(vt): struct.Struct("<" + code) for vt, code in _SCALARS.items()}
"""The `struct` formats of the numeric types."""
VECTORS = frozenset(vt | VECTOR for vt in (*FORMATS, *TEXTS, int(VARTYPE.VT_BLOB), CLSID)) - {BYTES} | {
    VARIANTS
}
"""The types whose value is a tuple."""
FORMS = frozenset({*FORMATS, *BLOBS, *TEXTS, *NOTHING, *VECTORS, CLSID})
"""Every type that can be decoded and encoded."""


def name_of(vt: int) -> str:
    """Format a variant type: ``VT_CLSID | VT_VECTOR``; an unknown one in hexadecimal."""
    base = vt & ~VECTOR
    try:
        name = VARTYPE(base).name
    except ValueError:
        return f"0x{vt:04X}"
    return name if base == vt else f"{name} | VT_VECTOR"


_TYPES: dict[int, int] = {
    row.number: int(row.vartype)
    for row in PROPERTIES
    if row.object_class not in {ObjectClass.MANAGEMENT_MACHINE, ObjectClass.MANAGEMENT_QUEUE}
}
_PUBLISHED = frozenset(_TYPES)
IDENTIFIERS = {identifier: identifier for identifier in _TYPES}
"""One shared object for each known identifier, so that lists of identifiers take little memory."""
_LISTENERS: list[Callable[[], None]] = []


def when_types_change(listener: Callable[[], None]) -> None:
    """Call a function whenever a type is registered or unregistered."""
    _LISTENERS.append(listener)


def type_of(identifier: int) -> int | None:
    """Variant type of a property identifier ([MS-MQMQ] 2.3); None for an unknown identifier."""
    try:
        return _TYPES.get(identifier)
    except TypeError:  # it is not hashable
        raise WrongTypeError(f"identifier: {wrong_type('a number', identifier)}") from None


def identifiers_by_type() -> dict[int, tuple[int, ...]]:
    """Every identifier with a known type, including registered ones, by variant type."""
    by_type: dict[int, list[int]] = {}
    for identifier, vartype in _TYPES.items():
        by_type.setdefault(vartype, []).append(identifier)
    return {vartype: tuple(identifiers) for vartype, identifiers in by_type.items()}


def register_type(identifier: int, vartype: int) -> None:
    """Register the type of a private property identifier for all decoders of this process.

    Args:
        identifier: The identifier, 0 to 0xFFFFFFFF.
        vartype: A variant type with a wire form.

    Raises:
        WrongTypeError: An argument is not a number.
        MsmqWireError: The identifier is no number of 32 bits, or published with another type, or the variant
            type has no form.
    """
    need("identifier", identifier, int, "a number")
    need_within("identifier", identifier, 0, _MOST, "0 to 0xFFFFFFFF")
    need("vartype", vartype, int, "the number of a variant type")
    if identifier in _PUBLISHED and _TYPES[identifier] != vartype:
        raise MsmqWireError(f"property {identifier} is published with type {_TYPES[identifier]:#x}")
    if vartype not in FORMS:
        raise MsmqWireError(f"variant type {vartype:#x} has no form")
    locate_errors()
    _TYPES[identifier] = int(vartype)
    IDENTIFIERS[identifier] = identifier
    _types_changed()


def unregister_type(identifier: int) -> None:
    """Remove the type of a private identifier; published and unknown identifiers are ignored.

    Raises:
        WrongTypeError: The identifier is not a number.
    """
    need("identifier", identifier, int, "a number")
    if identifier not in _PUBLISHED:
        locate_errors()
        _TYPES.pop(identifier, None)
        IDENTIFIERS.pop(identifier, None)
        _types_changed()


def private_types() -> dict[int, int]:
    """The variant types of the registered identifiers, by identifier; for another process."""
    return {identifier: vartype for identifier, vartype in _TYPES.items() if identifier not in _PUBLISHED}


def register_types(types: Mapping[int, int]) -> None:
    """Register the types of `private_types` of another process."""
    for identifier, vartype in types.items():
        register_type(identifier, vartype)


def _types_changed() -> None:
    for listener in _LISTENERS:
        listener()
