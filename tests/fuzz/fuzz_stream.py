"""A stream loses no byte, finds the same packets however it is cut into chunks, and says what it skipped."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from harness import instrumented, main, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire.stream import Frame, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable

MODULES = ("stream", "_framing")
KIND = "stream"
HEAD = 4
"""So many bytes say how large the chunks are; the stream is behind them."""


def check(data: bytes) -> None:
    sizes, session = cycle([byte * byte // 16 + 1 for byte in data[:HEAD]] or [1]), data[HEAD:]
    whole = _frames(session, [len(session)])
    chunked = _frames(session, sizes)
    assert b"".join(item.data for item in whole) == session
    _packets(session, [item.packet for item in whole if isinstance(item, Frame)])
    assert [(type(item), item.offset, item.data) for item in chunked] == [
        (type(item), item.offset, item.data) for item in whole
    ]
    for one, other in zip(whole, chunked, strict=True):
        assert session[one.offset : one.offset + len(one.data)] == one.data
        if isinstance(one, Frame) and isinstance(other, Frame):
            assert mw.encode(one.packet) == one.data
            assert other.packet == one.packet
        if isinstance(one, Skipped) and isinstance(other, Skipped):
            placed(one.error, session)
            assert str(other.error) == str(one.error)


def _packets(session: bytes, wanted: list[mw.Packet]) -> None:
    """The plain interface finds the same."""
    stream = mw.PacketStream(1 << 16, max_skipped=4096)
    assert stream.feed(session) + stream.close() == wanted
    assert stream.close() == []
    assert len(stream.skipped) + stream.forgotten == stream.skips
    assert stream.take_skipped() is not None
    assert stream.skipped == ()
    assert stream.synchronised
    assert "closed" in repr(stream)


def _frames(session: bytes, sizes: Iterable[int]) -> list[Frame | Skipped]:
    stream = mw.PacketStream(1 << 16)
    found: list[Frame | Skipped] = []
    at = 0
    for number, size in enumerate(sizes):
        if at >= len(session):
            break
        after = at + (size << 4 * (number // 128))  # single bytes for a while, but not for ever
        found += stream.frames(session[at:after])
        at = after
    found += stream.frames(final=True)
    assert stream.bytes_fed == len(session)
    assert stream.pending == b""
    assert stream.bytes_skipped == sum(len(item.data) for item in found if isinstance(item, Skipped))
    return found


if __name__ == "__main__":
    main(__name__)
