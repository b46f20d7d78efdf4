"""SEQUENCE_NUMBER: eight bytes that count changes, the first byte the most significant."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, overload

import msgspec

from .errors import EncodeError, shortened, wrong_value

if TYPE_CHECKING:
    from typing import Self

_SIZE = 8
_MODULUS = 1 << _SIZE * 8
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{16}")


class SEQUENCE_NUMBER(msgspec.Struct, frozen=True, gc=False, order=True):
    """A sequence number of [MC-MQDSRP] 2.2.2: immutable, totally ordered, counting modulo 2**64.

    Arithmetic wraps: ``MAX + 1`` is the least number, and ``MIN - 1`` the greatest.

    Attributes:
        raw: The eight bytes in wire order; numbers compare like their bytes.
    """

    raw: bytes

    @classmethod
    def of(cls, value: SEQUENCE_NUMBER | int | bytes | str) -> SEQUENCE_NUMBER:
        """Convert a value to a sequence number.

        Args:
            value: A sequence number, an integer from 0 to 2**64 - 1, the eight bytes, or their sixteen hex
                digits.

        Raises:
            EncodeError: The value is none of these.
        """
        if isinstance(value, SEQUENCE_NUMBER):
            if type(value.raw) is bytes and len(value.raw) == _SIZE:
                return value
        elif isinstance(value, int):
            if 0 <= value < _MODULUS:
                return cls(value.to_bytes(_SIZE, "big"))
        elif isinstance(value, str):
            if _HEXADECIMAL.fullmatch(value):
                return cls(bytes.fromhex(value))
        elif isinstance(value, (bytes, bytearray, memoryview)):
            raw = bytes(value)
            if len(raw) == _SIZE:
                return cls(raw)
        raise EncodeError(
            wrong_value("a sequence number", value),
            structure="SEQUENCE_NUMBER",
            path="SEQUENCE_NUMBER",
            expected="a SEQUENCE_NUMBER, an integer below 2**64, 8 bytes, or 16 hex digits",
            actual=value,
        )

    def __int__(self) -> int:
        return int.from_bytes(self.raw, "big")

    def __index__(self) -> int:
        return int.from_bytes(self.raw, "big")

    def __add__(self, count: int) -> Self:
        if not isinstance(count, int):
            return NotImplemented
        return type(self)(((int(self) + count) % _MODULUS).to_bytes(8, "big"))

    @overload
    def __sub__(self, count: int) -> Self: ...
    @overload
    def __sub__(self, count: SEQUENCE_NUMBER) -> int: ...
    def __sub__(self, count: Any) -> Any:
        """Subtract an integer, or return the distance from another sequence number, modulo 2**64."""
        if isinstance(count, SEQUENCE_NUMBER):
            return (int(self) - int(count)) % _MODULUS
        if not isinstance(count, int):
            return NotImplemented
        return type(self)(((int(self) - count) % _MODULUS).to_bytes(8, "big"))

    def increment(self) -> Self:
        """The next number; the least number after the greatest."""
        return self + 1

    def decrement(self) -> Self:
        """The previous number; the greatest number before the least."""
        return self - 1

    def __str__(self) -> str:
        return self.raw.hex()

    def __repr__(self) -> str:
        if type(self.raw) is bytes and len(self.raw) == _SIZE:
            return f"SEQUENCE_NUMBER.of({int(self):#x})"
        return f"SEQUENCE_NUMBER({shortened(self.raw)})"


MIN_SEQ_NUMBER = SEQUENCE_NUMBER(bytes(8))
"""The least sequence number, eight bytes 0x00."""
MAX_SEQ_NUMBER = SEQUENCE_NUMBER(b"\xff" * 8)
"""The greatest sequence number, eight bytes 0xFF."""
