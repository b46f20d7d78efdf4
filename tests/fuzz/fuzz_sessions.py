"""Whatever packets follow each other, the monitor judges them, and all that it remembers is plain data."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import cycle
from typing import TYPE_CHECKING, Any, Literal
from unittest.mock import patch

import msgspec
from harness import instrumented, main

with instrumented():
    import msmq_wire as mw
    from msmq_wire import mqqb
    from msmq_wire.checks.sessions import monitor as session_monitor
    from msmq_wire.checks.sessions import steps as _session_steps
    from msmq_wire.checks.sessions.monitor import SessionMonitor
    from msmq_wire.packets.stream import Frame

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = ("checks.sessions.monitor", "checks.sessions.steps", "checks.sessions.state")
KIND = "stream"
HEAD = 16
"""One byte says how the monitor begins, the next ones which way each packet goes, what happens before it, and
whether the second monitor is stored after it; the packets are after.  A run of whole Ping datagrams between
them is fed as such."""
GAP, DISCONNECT = 0xF0, 0xE0
_PING_SIZE = len(mqqb.PingPacket().encode())
_WAYS: tuple[Literal["->", "<-"], ...] = ("->", "<-")
_SOMETIMES: tuple[Literal["->", "<-"] | None, ...] = (None, *_WAYS, None)


_REPORTABLE = _session_steps.reportable()
_FEW: dict[Any, dict[str, Any]] = {
    session_monitor: {"MAX_FINISHED": 2},
    _session_steps: {"MAX_PINGS": 2, "MAX_QUEUES": 2, "MAX_REMEMBERED": 4, "MAX_SEQUENCES": 2},
}
"""Bounds of what a monitor remembers, so low that the packets of an input exceed them."""


def check(data: bytes) -> None:
    with ExitStack() as bounds:
        if data[:1] > b"\x7f":
            for module, few in _FEW.items():
                bounds.enter_context(patch.multiple(module, **few))
        _check(data)


def _check(data: bytes) -> None:
    start, plan = data[0] if data else 0, cycle(data[1:HEAD] or b"\0")
    monitors = _begun(start), _begun(start)
    for number, (offset, item) in enumerate(_items(data[HEAD:])):
        choice = next(plan)
        said, again = (_taken(monitor, item, choice, number, offset) for monitor in monitors)
        assert said == again
        assert all(finding.packet <= number and finding.stream_offset == offset for finding in said)
        assert {finding.requirement for finding in said} <= _REPORTABLE
        assert all(f"packet {finding.packet} {finding.direction}" in str(finding) for finding in said)
        if choice & 4:
            monitors = monitors[0], _stored(monitors[1])
    monitors = monitors[0], _stored(monitors[1])
    assert monitors[0].summary == monitors[1].summary
    assert monitors[0].disconnect() == monitors[1].disconnect()
    assert monitors[0].take_finished() == monitors[1].take_finished()
    assert monitors[0].take_finished() == ()
    _not_taken(monitors[0])
    _not_restored(data)


def _begun(start: int) -> SessionMonitor:
    return SessionMonitor(
        idle=bool(start & 1),
        one_connection=bool(start & 2),
        opener=_SOMETIMES[start >> 2 & 3],
        only=_SOMETIMES[start >> 4 & 3],
    )


def _items(data: bytes) -> Iterator[tuple[int, Any]]:
    """Packets, Ping datagrams, and errors for what is neither, each with its place."""
    for item in mw.PacketStream(1 << 16).frames(data, final=True):
        if isinstance(item, Frame):
            yield item.offset, item.packet
            continue
        for at in range(0, len(item.data), _PING_SIZE):
            try:
                ping = mqqb.PingPacket.decode(item.data[at : at + _PING_SIZE])
            except mw.DecodeError:
                yield item.offset + at, item.error
                break
            yield item.offset + at, ping


def _taken(monitor: SessionMonitor, item: Any, choice: int, number: int, offset: int) -> tuple[Any, ...]:
    way = _WAYS[choice & 1]
    at = float(number) if choice & 2 else None
    if choice & 0xF0 == GAP:
        monitor.gap(way)
    elif choice & 0xF0 == DISCONNECT:
        monitor.disconnect()
    if isinstance(item, mw.DecodeError):
        return monitor.unreadable(way, item, at=at, offset=offset)
    return monitor.feed(way, item, at=at, offset=offset)


def _stored(monitor: SessionMonitor) -> SessionMonitor:
    return SessionMonitor.restore(msgspec.json.decode(msgspec.json.encode(monitor.snapshot())))


def _not_taken(monitor: Any) -> None:
    """What is no packet of a session, or goes in no direction, is refused, and nothing is changed by it."""
    before = monitor.snapshot()
    for direction, packet in (("<>", mqqb.PingPacket()), ("->", mw.GUID(bytes(16)))):
        try:
            monitor.feed(direction, packet)
        except ValueError:
            assert monitor.snapshot() == before
        else:
            raise AssertionError(direction)


def _not_restored(data: bytes) -> None:
    """A snapshot that lost a part or has another in its place is a monitor, or refused."""
    snapshot = SessionMonitor().snapshot()
    keys = sorted(snapshot)
    for byte in data[:2]:
        snapshot[keys[byte % len(keys)]] = [None, 7, "->", [], {}, {"->": {}}][byte // len(keys) % 6]
    try:
        monitor = SessionMonitor.restore(snapshot)
    except ValueError as error:
        assert str(error).startswith("not a snapshot of a SessionMonitor")  # the words are the property
    else:
        assert _stored(monitor).summary == monitor.summary


if __name__ == "__main__":
    main(__name__)
