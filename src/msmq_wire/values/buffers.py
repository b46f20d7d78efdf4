"""Input buffers, how they are shown, and the errors for arguments that are not buffers."""

from __future__ import annotations

import struct
from os import PathLike

from .errors import WrongTypeError, wrong_type

_SHOWN = 32


def as_bytes(data: bytes | bytearray | memoryview, wanted: str = "bytes") -> bytes:
    """Return the bytes of a buffer, copied unless the buffer is immutable.

    Args:
        data: The buffer.
        wanted: What the caller accepts, for the error.

    Raises:
        WrongTypeError: The argument is not a buffer; the error explains how to pass text or a path.  (`bytes`
            would interpret an integer as a number of zeros.)
    """
    if type(data) is bytes:
        return data
    try:
        return memoryview(data).tobytes()
    except TypeError:
        raise no_bytes(data, wanted) from None


def brief(value: object) -> str:
    """The repr of a value; of many bytes, their number and the first ones."""
    if isinstance(value, bytes) and len(value) > _SHOWN:
        return f"<{len(value)} bytes {value[:8].hex()}...>"
    return repr(value)


def little_endian(data: bytes, form: str, *, is_big: bool) -> bytes:
    """Return numbers in little-endian order.

    Args:
        data: The numbers.
        form: Their format, for `struct`.
        is_big: Whether they are big-endian.
    """
    return struct.pack(f"<{form}", *struct.unpack(f">{form}", data)) if is_big else data


def no_bytes(data: object, wanted: str = "bytes") -> WrongTypeError:
    """The error for an argument that is not a buffer, with advice for text and paths."""
    return WrongTypeError(_hint(data, wrong_type(wanted, data)))


def _hint(data: object, wanted: str) -> str:
    if isinstance(data, str):
        return f"{wanted}: use bytes.fromhex(text) for hexadecimal digits, or read the file for a file name"
    if isinstance(data, PathLike):
        return f"{wanted}: use path.read_bytes(), or pass the path of a capture to msmq_wire.captures.read"
    return wanted


def no_record(given: object) -> WrongTypeError:
    """The error for an argument that is not a record, with advice for bytes and classes."""
    if isinstance(given, type):
        return WrongTypeError(
            f"expected a record, got the class {given.__name__}: create one with {given.__name__}()"
        )
    wanted = wrong_type("a record", given)
    is_data = isinstance(given, (bytes, bytearray, memoryview))
    return WrongTypeError(f"{wanted}: use msmq_wire.decode(data)" if is_data else wanted)
