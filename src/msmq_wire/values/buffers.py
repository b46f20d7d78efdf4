"""Input buffers."""

from __future__ import annotations

__all__ = ["as_bytes"]


def as_bytes(data: bytes | bytearray | memoryview) -> bytes:
    """The bytes of a buffer; they are copied unless they cannot change.

    Raises:
        TypeError: The argument is no buffer.  (`bytes` would take a number for a count of zeros.)
    """
    return data if type(data) is bytes else memoryview(data).tobytes()
