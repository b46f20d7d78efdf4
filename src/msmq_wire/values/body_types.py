"""Types of message bodies that the documents lack and implementations send."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from struct import Struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

BODY_TYPES: Final = {
    4: "VT_R4, a number of COM",
    5: "VT_R8, a number of COM",
    6: "VT_CY, an amount of money of COM",
    7: "VT_DATE, a time of COM",
    8: "VT_BSTR, a text of COM",
    30: "VT_LPSTR, a text of bytes",
    68: "VT_STREAMED_OBJECT, an object of COM",
    69: "VT_STORED_OBJECT, an object of COM",
    0x300: "768, an object of .NET that BinaryMessageFormatter wrote",
    0x2011: "VT_ARRAY | VT_UI1, an array of bytes of COM",
}
"""Values of `MessagePropertiesHeader.BodyType` that [MS-MQMQ] 2.2.12 lacks, with their names (M3)."""

_CURRENCY_PLACES: Final = -4
_DAY_ZERO: Final = dt.datetime(1899, 12, 30)  # noqa: DTZ001  # a time of COM has no time zone
_MILLISECONDS: Final = 86_400_000


def value_of_com(body_type: int, body: bytes) -> float | Decimal | dt.datetime | str | None:
    """Convert a body of a type of COM (CURRENCY and DATE of [MS-OAUT]); None if it has another form.

    Args:
        body_type: The variant type.
        body: The body, not encrypted.

    Returns:
        `float` for VT_R4 and VT_R8, `Decimal` for VT_CY, `datetime` without a time zone for VT_DATE, `str`
        for VT_LPSTR in ASCII or UTF-8.
    """
    read = _READERS.get(body_type)
    try:
        return None if read is None else read(body)
    except (ValueError, OverflowError):
        return None


def _number(form: str) -> Callable[[bytes], float]:
    layout = Struct(form)

    def read(body: bytes) -> float:
        if len(body) != layout.size:
            raise ValueError
        number: float = layout.unpack(body)[0]
        return number

    return read


def _currency(body: bytes) -> Decimal:
    units = int(_integer(body))
    return Decimal((units < 0, [*map(int, str(abs(units)))], _CURRENCY_PLACES))  # exact in every context


def _date(body: bytes) -> dt.datetime:
    """Days since the end of 1899, to a millisecond; the time of day counts forwards also before that."""
    number = _double(body)
    days = int(number)
    time = round(abs(number - days) * _MILLISECONDS)
    if number and not days and not time:
        raise ValueError  # eight bytes that are another number
    return _DAY_ZERO + dt.timedelta(days=days, milliseconds=time)


def _text(body: bytes) -> str:
    text = body.removesuffix(b"\0").decode()
    if "\0" in text:
        raise ValueError
    return text


_double = _number("<d")
_integer = _number("<q")
_READERS: Final[dict[int, Callable[[bytes], float | Decimal | dt.datetime | str]]] = {
    4: _number("<f"),
    5: _double,
    6: _currency,
    7: _date,
    30: _text,
}
