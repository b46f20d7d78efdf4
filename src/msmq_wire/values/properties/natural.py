"""Values as Python programs have them, and as they stand on the wire."""

from __future__ import annotations

import datetime as dt
from typing import Any, TypeAlias
from uuid import UUID

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.values.guid import GUID
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER
from msmq_wire.values.wchar import from_wchars, to_wchars

from .types import BLOBS, BYTES, CLSID, FORMATS, TEXTS, VARIANTS, VECTOR

__all__ = ["BodyValue", "Natural", "from_natural", "to_natural"]

Natural: TypeAlias = "bool | int | str | bytes | UUID | tuple[Natural, ...] | None"
"""What the value of a property means."""
BodyValue: TypeAlias = bool | int | str | bytes | UUID | tuple[Natural, ...]
"""What the body of a message means, by its BodyType; bytes where it says nothing."""

_BOOL = int(VARTYPE.VT_BOOL)
_TIMES = frozenset({VARTYPE.VT_I4, VARTYPE.VT_UI4, VARTYPE.VT_I8, VARTYPE.VT_UI8})
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def to_natural(vt: int, value: Any) -> Any:
    """What a value on the wire means."""
    if vt == VARIANTS:
        return tuple(item.natural for item in value)
    if vt & VECTOR and vt != BYTES:
        return tuple(to_natural(vt & ~VECTOR, item) for item in value)
    if vt == _BOOL:
        return value != 0
    return value.uuid if vt == CLSID else value


def from_natural(vt: int, value: Any) -> Any:
    """What stands on the wire for a value; one that does not fit its type may come out as it is.

    Raises:
        TypeError: It is no value of the type.
        ValueError: As above.
    """
    if vt in BLOBS:
        return _raw(value)
    if vt == VARIANTS:
        return tuple(value)
    if vt & VECTOR and not isinstance(value, str):
        return tuple(from_natural(vt & ~VECTOR, item) for item in value)
    if vt == _BOOL and isinstance(value, bool):
        return 0xFFFF if value else 0
    if vt == CLSID:
        return GUID.of(value)
    if vt in _TIMES and isinstance(value, dt.datetime):
        return (value - _EPOCH) // dt.timedelta(seconds=1)
    if vt in FORMATS and isinstance(value, int):
        return int(value)
    if vt in TEXTS and isinstance(value, str) and not value.isascii():
        # Two halves of a surrogate pair are one character on the wire.
        return from_wchars(to_wchars(value))
    return value


def _raw(value: Any) -> bytes:
    """The bytes that a blob gets from bytes, numbers, a sequence number, a record or several records."""
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
