"""Whatever a peer says, in any pieces, an endpoint tells it in events, stays bounded, and says packets."""

from __future__ import annotations

import json
from itertools import cycle
from typing import TYPE_CHECKING, Any

from harness import instrumented, main

with instrumented():
    import msmq_wire as mw
    from msmq_wire.machines import session as endpoints
    from msmq_wire.session import (
        PROFILES,
        Acceptor,
        Closed,
        Initiator,
        Message,
        QueueManager,
        Received,
        Settings,
        Violated,
    )

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = ("machines.session.endpoint", "machines.session.receiver", "machines.session.sender")
KIND = "stream"
HEAD = 16
"""One byte says which end it is and which version of Windows it acts like; each of the next ones what a piece
of the peer's bytes is followed by, and how long it is.  The bytes are after."""
CLIENT, SERVER = (mw.GUID(bytes([n]) * 16) for n in (1, 2))
START = 1_700_000_000.0
_EVENTS = tuple(getattr(endpoints, name) for name in (
    "Acknowledged", "Closed", "Connect", "Duplicate", "Elsewhere", "Established", "Expired", "OutOfOrder",
    "Received", "Refused", "Rejected", "Violated",
))  # fmt: skip
_PROFILES = (None, *PROFILES.values())
_MOST = 200
"""Pieces of an input that are looked at."""
_BOUND = 20
"""What an endpoint remembers, in bytes as JSON, for each byte that it was told, beside a fixed part."""
_FIXED = 60_000


def check(data: bytes) -> None:
    start, plan = data[0] if data else 0, cycle(data[1:HEAD] or b"\0")
    managers = [_manager(start), _manager(start)]
    sides = [_begun(start, manager) for manager in managers]
    now, told = START, 0
    for piece, choice in zip(
        _pieces(data[HEAD:], cycle(data[HEAD - 1 : 0 : -1] or b"\0")), plan, strict=False
    ):
        told += len(piece)
        now += _LATER[choice & 3]
        events = [_step(side, piece, choice, now) for side in sides]
        assert events[0] == events[1]
        _known(events[0])
        said = [side.data_to_send() for side in sides]
        assert said[0] == said[1]
        _packets(said[0])
        if choice & 0x10:
            sides[1], managers[1] = _restored(sides[1], managers[1])
        assert len(json.dumps(sides[0].snapshot())) <= _FIXED + _BOUND * told
        assert sides[0].queue_state
        assert sides[0].transfer.EodNoAckCount <= sides[0].waiting
    assert [side.snapshot() for side in sides[:1]] == [side.snapshot() for side in sides[1:]]


_LATER = (0.0, 0.6, 45.0, -100.0)


def _manager(start: int) -> QueueManager:
    profile = _PROFILES[start >> 1 & 0x1F if start >> 1 & 0x1F < len(_PROFILES) else 0]
    settings = profile or Settings(history_size=20, max_acknowledgments=20, max_acknowledgment_bytes=4000)
    return QueueManager(SERVER if start & 1 else CLIENT, settings, judge=_judge if start & 0x40 else None)


def _begun(start: int, manager: QueueManager) -> Any:
    if start & 1:
        side: Any = Acceptor(manager)
    else:
        side = Initiator(manager, remote=SERVER)
        for message in MESSAGES:
            side.send(message, START)
    side.connected(START)
    return side


QUEUE = f"PRIVATE={SERVER}\\00000007"
MESSAGES = (
    Message(QUEUE, b"1"),
    Message(QUEUE, b"2", recoverable=True),
    Message(QUEUE, b"3", transactional=True),
    Message(QUEUE, b"4", trace="11111111-2222-3333-4444-555555555555"),
)


def _judge(packet: Any) -> int | None:
    size = len(packet.MessagePropertiesHeader.MessageBody)
    return (None, -1, 0x8000)[size % 3]


def _pieces(data: bytes, sizes: Iterator[int]) -> Iterator[bytes]:
    at = 0
    for size, _ in zip(sizes, range(_MOST), strict=False):
        if at >= len(data):
            return
        length = (1, 13, 600, 1 << 16)[size >> 5 & 3]
        yield data[at : at + length]
        at += length


def _step(side: Any, piece: bytes, choice: int, now: float) -> list[Any]:
    events: list[Any] = side.receive(piece, now)
    match choice >> 2 & 3:
        case 1:
            events += side.timeout(now)
        case 2 if choice & 0x80:
            events += side.disconnected(now)
        case 3:
            for event in list(events):
                if isinstance(event, Received) and event.action == "deliver":
                    events += side.consumed(event.message, now)
    if choice & 0x60 == 0x60 and side.phase in {"CLOSED", "WAITING_RECONNECT"}:
        events += side.connected(now)
    return events


def _known(events: list[Any]) -> None:
    """Each event is one of those that the page has, and a violation closes the session."""
    assert all(isinstance(event, _EVENTS) for event in events)
    for event, after in zip(events, [*events[1:], None], strict=False):
        if isinstance(event, Violated):
            assert event.violation.requirement
            assert isinstance(after, Closed)
            assert after.reason == "violated"


def _packets(data: bytes) -> None:
    """What an endpoint says are whole packets."""
    stream = mw.PacketStream()
    packets = stream.feed(data)
    assert not stream.skipped
    assert b"".join(mw.encode(packet) for packet in packets) == data


def _restored(side: Any, manager: QueueManager) -> tuple[Any, QueueManager]:
    """What goes on from snapshots that were written down."""
    again = QueueManager.restore(
        json.loads(json.dumps(manager.snapshot())), manager.settings, judge=manager.judge
    )
    return type(side).restore(json.loads(json.dumps(side.snapshot())), again), again


if __name__ == "__main__":
    main(__name__)
