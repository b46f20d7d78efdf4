"""Property values as JSON types with their variant types, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.definitions.properties import VARTYPE

from . import plain
from .guid import GUID
from .properties.values import MAX_DEPTH, READERS, PropertyValue, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_VARIANTS = VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT
_OCTETS = VARTYPE.VT_VECTOR | VARTYPE.VT_UI1


def properties(values: Iterable[PropertyValue]) -> list[dict[str, Any]]:
    """Convert property values, each with its variant type."""
    return [{"vt": item.vt, "value": bare(item.vt, item.value)} for item in values]


def bare(vt: int, value: Any) -> Any:
    """Convert a property value without its type."""
    if vt == _VARIANTS:
        return properties(value)
    if isinstance(value, bytes):
        return value.hex()
    if vt & VARTYPE.VT_VECTOR:
        return [bare(vt & ~VARTYPE.VT_VECTOR, item) for item in value]
    return str(value) if isinstance(value, GUID) else value


def property_value(owner: str, path: str, value: Any, identifier: Any) -> PropertyValue:
    """Create a property value from its JSON form; without a type, the property determines it."""
    vt = type_of(identifier) if isinstance(identifier, int) else None
    if isinstance(value, dict):
        plain.know(owner, path, value, ("vt", "value"))
        if value.get("vt") is not None:
            vt = plain.number(owner, f"{path}.vt", value["vt"])
        value = value.get("value")
    if vt not in READERS:
        plain.refuse(owner, f"{path}.vt", vt, "a known variant type")
    value_given = PropertyValue(vt, _natural(owner, path, vt, value, 1))
    plain.rooted(value_given.encode, "PropertyValue.value", path)
    return value_given


def _natural(owner: str, path: str, vt: int, value: Any, depth: int) -> Any:
    if vt == _VARIANTS and depth <= MAX_DEPTH:
        items = []
        for item, where in plain.each(owner, path, value):
            if not isinstance(item, dict):
                plain.refuse(owner, where, item, "a dictionary of vt and value")
            plain.know(owner, where, item, ("vt", "value"))
            kind = plain.number(owner, f"{where}.vt", item.get("vt"))
            items.append(PropertyValue(kind, _natural(owner, where, kind, item.get("value"), depth + 1)))
        return tuple(items)
    if vt == _OCTETS:
        return plain.octets(owner, path, value)
    if vt & VARTYPE.VT_VECTOR and vt != _VARIANTS:
        base = vt & ~VARTYPE.VT_VECTOR
        return tuple(
            _natural(owner, where, base, item, depth) for item, where in plain.each(owner, path, value)
        )
    match vt:
        case VARTYPE.VT_BLOB:
            return plain.octets(owner, path, value)
        case VARTYPE.VT_CLSID:
            return plain.guid(owner, path, value)
        case VARTYPE.VT_LPWSTR | VARTYPE.VT_BSTR:
            return plain.text(owner, path, value)
        case VARTYPE.VT_EMPTY | VARTYPE.VT_NULL:
            return value if value is None else plain.refuse(owner, path, value, "null")
    if vt not in READERS or vt == _VARIANTS:
        plain.refuse(owner, f"{path}.vt", vt, "a variant type that is possible here")
    return plain.number(owner, path, value)
