"""Input buffers."""

from __future__ import annotations

from os import PathLike

__all__ = ["as_bytes"]


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
        raise TypeError(_hint(data)) from None


def _hint(data: object) -> str:
    wanted = f"bytes are wanted, and this is {type(data).__name__}"
    if isinstance(data, str):
        return f"{wanted}: give bytes.fromhex(text) for digits, or the content of the file for its name"
    if isinstance(data, PathLike):
        return f"{wanted}: give path.read_bytes(), or the path to msmq_wire.captures.read for a capture"
    return wanted
