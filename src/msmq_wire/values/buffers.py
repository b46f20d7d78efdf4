"""Input buffers, and what is said of what is none."""

from __future__ import annotations

from os import PathLike

__all__ = ["as_bytes", "no_bytes", "no_record"]


def as_bytes(data: bytes | bytearray | memoryview) -> bytes:
    """The bytes of a buffer; they are copied unless they cannot change.

    Raises:
        TypeError: The argument is no buffer; the error says what to do with text and with a path.  (`bytes`
            would take a number for a count of zeros.)
    """
    if type(data) is bytes:
        return data
    try:
        return memoryview(data).tobytes()
    except TypeError:
        raise no_bytes(data) from None


def no_bytes(data: object) -> TypeError:
    """The error for what is no buffer, with what to do with text and with a path."""
    return TypeError(_hint(data))


def _hint(data: object) -> str:
    wanted = f"bytes are wanted, and this is {type(data).__name__}"
    if isinstance(data, str):
        return f"{wanted}: give bytes.fromhex(text) for digits, or the content of the file for its name"
    if isinstance(data, PathLike):
        return f"{wanted}: give path.read_bytes(), or the path to msmq_wire.captures.read for a capture"
    return wanted


def no_record(given: object) -> TypeError:
    """The error for what is no record, with what to do with bytes."""
    wanted = f"a record is wanted, and this is {type(given).__name__}"
    is_data = isinstance(given, (bytes, bytearray, memoryview))
    return TypeError(f"{wanted}: give msmq_wire.decode(data)" if is_data else wanted)
