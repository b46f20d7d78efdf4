"""Hostile input costs little: refusing costs about what reading costs, and memory follows the input.

Work is counted in events of the interpreter, never in seconds.
"""

from __future__ import annotations

import struct
import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

import msmq_wire as mw
from msmq_wire import DecodeError, PropertyValue, mqdsrp, mqmq
from msmq_wire.propid import VARTYPE

if TYPE_CHECKING:
    from collections.abc import Callable

PARTS: Any = mqmq
MESSAGES: Any = mqdsrp
QUEUE = "OS:a\\b"
"""The shortest direct name."""


def queues(count: int, name: str = QUEUE) -> bytes:
    """A packet for that many queues."""
    element = PARTS.MQFFormatNameElement(FormatName=PARTS.MQFDirectQueueFormatName(name))
    header = PARTS.MultiQueueFormatHeader(
        Destination=PARTS.MQFAddressHeader(FormatNameList=[element] * count)
    )
    packet: bytes = PARTS.UserMessage(MultiQueueFormatHeader=header).encode()
    return packet


def changes(count: int, properties: int = 0) -> bytes:
    one = MESSAGES.DirectoryChange(
        PathName="a", PropertyID=[104] * properties, PropertyValue=[1] * properties
    )
    return mqdsrp.encode(MESSAGES.ChangePropagationMessage(DirectoryChanges=[one] * count))


def certificates(count: int) -> bytes:
    made: bytes = PARTS.MQUSERSIGNCERTS(Certificates=[PARTS.MQUSERSIGNCERT()] * count).encode()
    return made


def at_the_end(data: bytes) -> bytes:
    """The same with its last deciding number broken: only whoever has read everything else can see it."""
    return data[:-20] + b"\xff" * 20


def value(vt: int) -> Callable[[bytes], Any]:
    return lambda data: PropertyValue.decode(vt | VARTYPE.VT_VECTOR, data)


READERS: dict[str, tuple[Callable[[bytes], Any], Callable[[int], bytes]]] = {
    "queues": (mw.decode, queues),
    "changes": (mqdsrp.decode, changes),
    "properties": (mqdsrp.decode, lambda count: changes(count // 20, 255)),
    "certificates": (mqmq.MQUSERSIGNCERTS.decode, certificates),
}


def events(read: Callable[[bytes], Any], data: bytes) -> int:
    """Lines and calls that a reading takes."""
    count = 0

    def trace(*_: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        read(data)
    except DecodeError:
        pass
    finally:
        sys.settrace(before)
    return count


def peak(read: Callable[[bytes], Any], data: bytes) -> int:
    tracemalloc.start()
    try:
        read(data)
    except DecodeError:
        pass
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return most


@pytest.mark.parametrize("name", READERS)
def test_refusing_costs_what_reading_costs(name: str) -> None:
    read, make = READERS[name]
    data = make(800)
    read(data)
    with pytest.raises(DecodeError):
        read(at_the_end(data))
    assert events(read, at_the_end(data)) < 20 * events(read, data)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("broken", [False, True])
def test_work_is_linear(name: str, broken: bool) -> None:
    read, make = READERS[name]
    small, large = make(400), make(1600)
    if broken:
        small, large = at_the_end(small), at_the_end(large)
    for data in (small, large):  # what is compiled once is no work of the second reading
        events(read, data)
    assert events(read, large) < 5 * events(read, small)


@pytest.mark.parametrize("lax", [mw.decode_lax, mw.explain])
def test_lax_readers_are_linear_too(lax: Callable[[bytes], Any]) -> None:
    small, large = at_the_end(queues(400)), at_the_end(queues(1600))
    for data in (small, large):
        events(lax, data)
    assert events(lax, large) < 5 * events(lax, small)


MEMORY: list[tuple[str, Callable[[bytes], Any], bytes]] = [
    ("queues", mw.decode, queues(8_000)),
    ("queues broken", mw.decode, at_the_end(queues(32_000))),
    ("changes", mqdsrp.decode, changes(4_000)),
    ("changes broken", mqdsrp.decode, at_the_end(changes(4_000))),
    ("properties", mqdsrp.decode, changes(120, 255)),
    ("certificates", mqmq.MQUSERSIGNCERTS.decode, certificates(4_000)),
    ("bytes", value(VARTYPE.VT_I1), struct.pack("<I", 200_000) + b"\x90" * 200_000),
    ("numbers", value(VARTYPE.VT_UI4), struct.pack("<I", 50_000) + b"\x90" * 200_000),
    ("texts", value(VARTYPE.VT_LPWSTR), struct.pack("<I", 100_000) + bytes(200_000)),
    ("GUIDs", value(VARTYPE.VT_CLSID), struct.pack("<I", 12_500) + b"\x90" * 200_000),
    ("blobs", value(VARTYPE.VT_BLOB), struct.pack("<I", 50_000) + bytes(200_000)),
    ("variants", value(VARTYPE.VT_VARIANT), struct.pack("<I", 40_000) + b"\x10\x10\0\0\0\0" * 40_000),
    ("nothings", value(VARTYPE.VT_VARIANT), struct.pack("<I", 200_000) + b"\0\0\1\0" * 100_000),
]


@pytest.mark.parametrize(("read", "data"), [case[1:] for case in MEMORY], ids=[case[0] for case in MEMORY])
def test_memory_is_bounded_by_the_input(read: Callable[[bytes], Any], data: bytes) -> None:
    """At most ten times the input and a megabyte."""
    peak(read, data[:100])  # what is compiled once
    assert peak(read, data) < 10 * len(data) + (1 << 20)


@pytest.mark.parametrize("name", ["", "x"])
def test_names_that_nobody_has_are_bounded_by_a_limit(name: str) -> None:
    """Four to six bytes a name: a record is larger than that, so a limit is what bounds it."""
    data = queues(60_000, name)
    assert peak(mw.decode, data) < 30 * len(data) + (1 << 20)
    with pytest.raises(DecodeError, match="elements: 60000"):
        mw.decode(data, limits=mw.Limits(elements=20_000))
    assert peak(lambda raw: mw.decode(raw, limits=mw.Limits(elements=20_000)), data) < 1 << 20


def test_explaining_takes_more_but_not_much() -> None:
    data = at_the_end(queues(8_000))
    assert peak(mw.explain, data) < 40 * len(data) + (1 << 20)


def test_explaining_passes_over_elements_that_are_not_shown() -> None:
    lines = mw.explain(queues(3_000)[:-2] + b"\xff\xff\xff").splitlines()
    assert any("FormatNameList[9]" in line for line in lines)
    assert any("... 2,9" in line for line in lines)
    assert len(lines) < 150
