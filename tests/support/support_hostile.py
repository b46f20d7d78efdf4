"""The cost of reading: counted events and traced memory."""

from __future__ import annotations

import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

from msmq_wire import DecodeError

if TYPE_CHECKING:
    from collections.abc import Callable


def events(read: Callable[[bytes], Any], data: bytes) -> int:
    """The number of lines and calls that reading executes, without what is compiled or imported once."""
    count = 0

    def trace(*_: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    def located() -> None:
        try:
            read(data)
        except DecodeError as error:
            str(error)  # which locates it

    located()
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        located()
    finally:
        sys.settrace(before)
    return count


def peak(read: Callable[[bytes], Any], data: bytes) -> int:
    """Maximum memory in bytes that reading or rejecting uses beyond its input.

    Call `events` with a little such input before: what is compiled once is no part of it, and tracing takes a
    third of the time, as Python 3.11 counts lines anew at each allocation in a function never traced.
    """
    tracemalloc.start()
    try:
        read(data)
    except DecodeError as error:
        str(error)  # which locates it
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return most
