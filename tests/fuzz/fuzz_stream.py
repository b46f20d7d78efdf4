"""A stream loses no byte, finds the same packets however it is cut into chunks, and says what it skipped."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from harness import instrumented, main, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire.packets import stream
    from msmq_wire.packets.stream import Frame, Partial, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable

MODULES = ("packets.stream", "packets.marks")
KIND = "stream"
HEAD = 4
"""So many bytes say how large the chunks are; the stream is after them."""


_SIZES: dict[str, Any] = {"LARGE": 48, "PIECE": 160}
"""What counts as large, so low that an input reaches it."""


def check(data: bytes) -> None:
    if data and data[0] & 1:
        with patch.multiple(stream, **_SIZES):
            _check(data, 512)
    else:
        _check(data, 1 << 16)


def _check(data: bytes, most: int) -> None:
    sizes, session = cycle([byte * byte // 16 + 1 for byte in data[:HEAD]] or [1]), data[HEAD:]
    whole = _frames(session, [len(session)], most)
    chunked = _frames(session, sizes, most, 1 if data and data[0] & 2 else None)
    assert b"".join(item.data for item in whole) == session
    _packets(session, [item.packet for item in whole if isinstance(item, Frame)], most)
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
            assert repr(one) == repr(other)
        if isinstance(one, Partial):
            assert one.data.endswith(one.result.rest)
            assert one.result.headers or one.result.fields or one.result.doubtful


def _packets(session: bytes, wanted: list[mw.Packet], most: int) -> None:
    """The plain interface finds the same, and a closed stream takes no more."""
    reader = mw.PacketStream(most, max_skipped=4096, limits=mw.Limits(packet_size=most - 1))
    assert reader.feed(bytearray(session)) + reader.close() == wanted
    try:
        reader.feed(session + b"\0")
    except mw.MsmqWireError as error:
        assert "was closed after" in str(error)
    else:
        raise AssertionError("a closed stream took more")
    assert reader.close() == []
    assert len(reader.skipped) + reader.forgotten == reader.skips
    assert reader.take_skipped() is not None
    assert reader.skipped == ()
    assert reader.synchronised
    assert "closed" in repr(reader)


def _frames(
    session: bytes, sizes: Iterable[int], most: int, taken: int | None = None
) -> list[Frame | Skipped]:
    """Everything in a stream; of each iterator but the last only so much is taken before it is dropped."""
    reader = mw.PacketStream(most)
    found: list[Frame | Skipped] = []
    at = 0
    for number, size in enumerate(sizes):
        if at >= len(session):
            break
        after = at + (size << 4 * (number // 128))  # single bytes for a while, but not for ever
        found += islice(reader.frames(session[at:after]), taken)
        at = after
    found += reader.frames(final=True)
    assert reader.bytes_fed == len(session)
    assert reader.pending == b""
    assert reader.bytes_skipped == sum(len(item.data) for item in found if isinstance(item, Skipped))
    return found


if __name__ == "__main__":
    main(__name__)
