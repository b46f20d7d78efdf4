"""GUID: sixteen bytes that compare as bytes and print as text."""

from __future__ import annotations

import uuid

import msgspec

from .errors import EncodeError, wrong_value

GUID_SIZE = 16
"""Size of a GUID in bytes."""
GUID_FORM = "IHH8s"
"""The numbers of a GUID, for `struct`."""


class GUID(msgspec.Struct, frozen=True, gc=False, order=True):
    """A GUID in the wire format of [MS-DTYP] 2.3.4.2.

    Creating one from bytes is much faster than `uuid.UUID`; its text is computed on demand.

    Attributes:
        bytes_le: The sixteen bytes in wire order (Data1 to Data3 little-endian).
    """

    bytes_le: bytes

    @classmethod
    def of(cls, value: GUID | uuid.UUID | str | bytes) -> GUID:
        """Convert a value to a GUID.

        Args:
            value: A GUID, a `uuid.UUID`, its text (hyphens and braces optional, any case), or the sixteen
                bytes in wire order.

        Raises:
            EncodeError: The value is none of these.
        """
        if isinstance(value, GUID):
            if type(value.bytes_le) is bytes and len(value.bytes_le) == GUID_SIZE:
                return value
        elif isinstance(value, (bytes, bytearray, memoryview)):
            raw = bytes(value)
            if len(raw) == GUID_SIZE:
                return cls(raw)
        elif isinstance(value, str):
            try:
                if value.isascii():  # `uuid` takes the digits of all scripts
                    return cls(uuid.UUID(value).bytes_le)
            except ValueError:
                pass
        elif isinstance(value, uuid.UUID):
            return cls(value.bytes_le)
        raise EncodeError(
            wrong_value("a GUID", value.bytes_le if isinstance(value, GUID) else value),
            structure="GUID",
            path="GUID",
            expected="a GUID, a uuid.UUID, its text, or 16 bytes",
            actual=value,
        )

    @property
    def uuid(self) -> uuid.UUID:
        """The same identifier as a `uuid.UUID`."""
        return uuid.UUID(bytes_le=self.bytes_le)

    def __str__(self) -> str:
        a = self.bytes_le
        return f"{a[3::-1].hex()}-{a[5:3:-1].hex()}-{a[7:5:-1].hex()}-{a[8:10].hex()}-{a[10:].hex()}"

    def __repr__(self) -> str:
        if type(self.bytes_le) is bytes and len(self.bytes_le) == GUID_SIZE:
            return f"GUID.of('{self}')"
        return f"GUID({self.bytes_le!r})"

    def __bool__(self) -> bool:
        return any(self.bytes_le)


NULL_GUID = GUID(bytes(16))
"""The GUID of sixteen zero bytes."""
