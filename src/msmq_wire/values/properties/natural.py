"""Conversion between Python values and wire values."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, TypeAlias

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.values.guid import GUID
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.times import EPOCH
from msmq_wire.values.wchar import from_wchars, to_wchars

from .types import BLOBS, BYTES, CLSID, FORMATS, VARIANTS, VECTOR

if TYPE_CHECKING:
    from decimal import Decimal
    from uuid import UUID

Natural: TypeAlias = "bool | int | str | bytes | UUID | tuple[Natural, ...] | None"
"""The Python value of a property."""
BodyValue: TypeAlias = "bool | int | float | Decimal | dt.datetime | str | bytes | UUID | tuple[Natural, ...]"
"""The Python value of a message body, by its BodyType; bytes if the type is unknown."""

_BOOL = int(VARTYPE.VT_BOOL)
_TIMES = frozenset({VARTYPE.VT_I4, VARTYPE.VT_UI4, VARTYPE.VT_I8, VARTYPE.VT_UI8})


def to_natural(vt: int, value: Any) -> Any:
    """Convert a wire value to a Python value."""
    if vt == VARIANTS:
        return tuple(item.natural for item in value)
    if vt & VECTOR and vt != BYTES:
        return tuple(to_natural(vt & ~VECTOR, item) for item in value)
    if vt == _BOOL:
        return value != 0
    return value.uuid if vt == CLSID else value


def from_natural(vt: int, value: Any) -> Any:
    """Convert a Python value to a wire value; a value that does not fit its type may be returned unchanged.

    Raises:
        TypeError: The value does not match the type.
        ValueError: As above.
    """
    if vt in BLOBS:
        return _raw(value)
    if vt & VECTOR and isinstance(value, (AbstractSet, Mapping)):
        raise TypeError  # they have no order, or lose elements
    if vt == VARIANTS:
        return tuple(value)
    if vt & VECTOR and not isinstance(value, str):
        return tuple(from_natural(vt & ~VECTOR, item) for item in value)
    if vt == _BOOL and isinstance(value, bool):
        return 0xFFFF if value else 0
    if vt == CLSID:
        return GUID.of(value)
    if vt in _TIMES and isinstance(value, dt.datetime):
        return (value - EPOCH) // dt.timedelta(seconds=1)
    if vt in FORMATS and isinstance(value, int):
        return int(value)
    if isinstance(value, str) and not value.isascii():
        # Two halves of a surrogate pair are one character on the wire.
        return from_wchars(to_wchars(value))
    return value


def _raw(value: Any) -> bytes:
    """The bytes of a blob from bytes, numbers, a sequence number, a record or several records."""
    if isinstance(value, SEQUENCE_NUMBER):
        return SEQUENCE_NUMBER.of(value).raw
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if hasattr(value, "layout"):
        return bytes(value.encode())
    items = tuple(value)
    if items and all(hasattr(item, "layout") for item in items):
        return b"".join(item.encode() for item in items)
    return bytes(items)
