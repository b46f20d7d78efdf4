"""Property values of the specs, converted to values of the library."""

from __future__ import annotations

from typing import Any

from msmq_wire import GUID, PropertyValue
from msmq_wire.documents.propid import VARTYPE

__all__ = ["VARTYPES", "property_value"]

VARTYPES = {
    "VT_EMPTY": 0,
    "VT_NULL": 1,
    "VT_I2": 2,
    "VT_I4": 3,
    "VT_BSTR": 8,
    "VT_BOOL": 11,
    "VT_VARIANT": 12,
    "VT_I1": 16,
    "VT_UI1": 17,
    "VT_UI2": 18,
    "VT_UI4": 19,
    "VT_I8": 20,
    "VT_UI8": 21,
    "VT_LPWSTR": 31,
    "VT_BLOB": 65,
    "VT_CLSID": 72,
}
"""The numbers of the variant types of [MS-MQMQ] 2.2.12, typed in, and of VT_BSTR, which bodies have."""


def wire(name: str, value: Any) -> Any:
    """A value of the specs in the form of `PropertyValue.value`."""
    base, _, vector = name.partition(" | ")
    if base == "VT_VARIANT":
        return tuple(property_value(item["type"], item.get("value")) for item in value)
    if name in {"VT_BLOB", "VT_UI1 | VT_VECTOR"}:
        return bytes.fromhex(value)
    if vector:
        return tuple(wire(base, item) for item in value)
    if base == "VT_CLSID":
        return GUID.of(value)
    return int(value, 16) if base == "VT_UI8" and isinstance(value, str) else value


def property_value(name: str, value: Any) -> PropertyValue:
    """A property value of the specs."""
    base, _, vector = name.partition(" | ")
    number = VARTYPE[base] | (VARTYPE.VT_VECTOR if vector else 0)
    return PropertyValue(number, wire(name, value))
