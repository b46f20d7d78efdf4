"""TCP connections as a capture contains them, with all kinds of faults.

1. Data is split into segments; sometimes several short packets share one.  Each segment may have one of
   `Faults`; `Account` then determines which bytes a reader can know.
2. The first captured segment of a direction and the last one have no faults, because a capture does not
   contain what came before or after.  If the last segment would be lost, it is only late.
3. If bytes at the same place contradict each other, the ones captured first are right, except those with a
   wrong checksum.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from msmq_wire.values.errors import MsmqWireError, need_within

from .session_truth import Ledger, Session
from .truth import Account, Sent, Span
from .wire import ACK, FIN, PSH, SYN, Path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from .wire import Address

_MSS = 1460
_MOD = 1 << 32
_OF_SEGMENTS = (
    "loss", "reorder", "retransmit", "overlap", "conflict", "keepalive", "truncate", "damage", "fragment",
)  # fmt: skip
"""Faults of which a segment has at most one."""

Event: TypeAlias = "bytes | Span | Session"
"""A frame, or a piece of the ground truth."""


class Faults(msgspec.Struct, frozen=True, kw_only=True):
    """The probabilities of faults, each from 0 to 1; those of segments add up to at most 1.

    Attributes:
        loss: Segments that the capture misses.
        reorder: Segments that are captured after the next one of their direction.
        retransmit: Segments that are captured twice.
        overlap: Segments that begin with bytes of the previous one.
        conflict: Segments that are captured again with other bytes.
        keepalive: Segments after which an old byte follows as a keep-alive.
        truncate: Segments that the capture truncates.
        damage: Segments that are captured first with a wrong byte and checksum, and then correctly.
        fragment: Segments whose IP packet is split into two fragments.
        spoil: Unreadable packets, and bytes that are not a packet.
        bend: Messages that violate a requirement.
        wrap: Directions whose sequence numbers soon exceed 2**32.
        midstream: Connections whose beginning is missing in the capture.
        reuse: Connections that reuse the ports of an earlier one.
        diverge: Directory changes that another server sends again with different contents.
        late: Connections whose FINs are captured before late segments, and again after them.
        fastopen: Connections whose SYN contains the first packet (TCP Fast Open).
        tunnel: Connections that are captured in VXLAN, as a mirror in a data center sends them.
        clock: Frames at which the clock of the sensor is set back by up to a second.
    """

    loss: float = 0.0
    reorder: float = 0.0
    retransmit: float = 0.0
    overlap: float = 0.0
    conflict: float = 0.0
    keepalive: float = 0.0
    truncate: float = 0.0
    damage: float = 0.0
    fragment: float = 0.0
    spoil: float = 0.0
    bend: float = 0.0
    wrap: float = 0.0
    midstream: float = 0.0
    reuse: float = 0.0
    diverge: float = 0.0
    late: float = 0.0
    fastopen: float = 0.0
    tunnel: float = 0.0
    clock: float = 0.0

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            need_within(name, getattr(self, name), 0, 1, "a share from 0 to 1")
        total = sum(getattr(self, name) for name in _OF_SEGMENTS)
        if total > 1:
            raise MsmqWireError(f"the shares of faults of segments add up to {total:g}, not to 1 at most")

    @classmethod
    def all(cls) -> Faults:
        """Return faults of every kind."""
        return cls(
            loss=0.004, reorder=0.02, retransmit=0.01, overlap=0.005, conflict=0.003, keepalive=0.002,
            truncate=0.002, damage=0.002, fragment=0.003, spoil=0.003, bend=0.005, wrap=0.1, midstream=0.05,
            reuse=0.2, diverge=0.05, late=0.2, fastopen=0.1, tunnel=0.1, clock=0.0005,
        )  # fmt: skip

    @classmethod
    def parse(cls, text: str) -> Faults:
        """Faults from ``"all"``, ``"none"`` or a list such as ``"loss=0.01,reorder=0.05"``.

        Raises:
            MsmqWireError: There is no such fault, or a share is not a number from 0 to 1.
        """
        if text in {"all", "none"}:
            return cls.all() if text == "all" else cls()
        shares = {}
        for part in text.split(","):
            name, _, share = part.strip().partition("=")
            if name not in cls.__struct_fields__:
                names = ", ".join(cls.__struct_fields__)
                raise MsmqWireError(f"there is no fault {name!r}; there are {names}")
            try:
                shares[name] = float(share)
            except ValueError:
                raise MsmqWireError(f"the share {name} is {share!r}, which is not a number") from None
        return cls(**shares)


class _Way:
    """One direction of a connection: the bytes sent, and the frames captured."""

    __slots__ = ("account", "before", "buffer", "isn", "late_frame", "lost", "next", "path", "started")

    def __init__(self, path: Path, isn: int, account: Account) -> None:
        self.path = path
        self.isn = isn
        self.account = account
        self.buffer = bytearray()
        self.next = 0  # number of bytes that were split into segments
        self.started = False  # whether the capture has a segment of this direction
        self.before = b""  # the previous segment, if it was captured completely and in order
        self.late_frame: bytes | None = None  # a frame that is captured late
        self.lost: list[
            tuple[int, int, bytes]
        ] = []  # place, size and frame of data that is lost if other data follows


def initial_number(random: Random, faults: Faults) -> int:
    """Return the number with which a direction begins."""
    number = random.randrange(_MOD)
    return _MOD - random.randrange(1, 5000) if random.random() < faults.wrap else number


class Connection:
    """A connection between two addresses; its methods yield frames and spans.

    Args:
        random: The source of random numbers.
        ends: The addresses of the initiator and of the acceptor.
        vlan: IEEE 802.1Q tags.
        file: Name of the capture file, for the spans.
        number: The connection's number, for the spans.
        faults: The faults.
        prompt: Whether every packet is sent at once; otherwise some wait for the next one.
        isns: The numbers with which its directions begin, if another sensor captures it, too.
    """

    def __init__(
        self,
        random: Random,
        ends: tuple[Address, Address],
        *,
        vlan: tuple[int, ...],
        file: str,
        number: int,
        faults: Faults,
        prompt: bool = False,
        isns: tuple[int, int] | None = None,
    ) -> None:
        self._random = random
        self._prompt = prompt
        self._shares = (*accumulate(getattr(faults, kind) for kind in _OF_SEGMENTS), 1.0)
        self.muted = random.randrange(1, 30) if random.random() < faults.midstream else 0
        # Faults with probability 0 use no random numbers, so the other results of a seed do not change.
        self._fast = bool(faults.fastopen) and not self.muted and random.random() < faults.fastopen
        self._ends_late = bool(faults.late) and random.random() < faults.late
        tunnelled = bool(faults.tunnel) and random.random() < faults.tunnel
        tunnel = random.getrandbits(24) if tunnelled else None
        ways = []
        for way, (src, dst) in enumerate((ends, ends[::-1])):
            isn = initial_number(random, faults) if isns is None else isns[way]
            labels = (file, str(src.ip), src.port, str(dst.ip), dst.port, number)
            ways.append(_Way(Path(src, dst, vlan, tunnel), isn, Account(labels)))
        self._ways = ways[0], ways[1]
        self._ledger = Ledger(ends, file, number)

    def open(self) -> Iterator[Event]:
        """Yield the three segments that open a connection; TCP Fast Open delays them to the first packet."""
        if not self._fast:
            yield from self._handshake(b"")

    def _handshake(self, data: bytes) -> Iterator[Event]:
        there, back = self._ways
        self._fast = False
        yield from self._bare(there.path.tcp(there.isn, 0, SYN, data))
        there.next = len(data)
        yield from self._bare(back.path.tcp(back.isn, (there.isn + 1 + len(data)) % _MOD, SYN | ACK))
        yield from self._bare(self._acknowledgment(0))

    def send(self, sent: Sent) -> Iterator[Event]:
        """Send a packet, or junk."""
        # A side answers only after it received everything, so data of the other side is sent first.
        yield from self._flush(1 - sent.way)
        side = self._ways[sent.way]
        side.account.send(sent, self._ledger.send(sent.way, sent.step))
        if self._fast and not sent.way and len(sent.data) <= _MSS:
            yield from self._handshake(sent.data)
            side.started, side.before = True, sent.data
            yield from side.account.segment(0, side.next, captured=True)
            return
        if self._fast:
            yield from self._handshake(b"")
        side.buffer += sent.data
        if self._prompt or self._random.random() < 0.8:
            yield from self._flush(sent.way)

    @property
    def begins(self) -> bool:
        """Whether the capture has begun."""
        return not self.muted

    @property
    def holds(self) -> bool:
        """Whether a segment waits until the next one of its direction was captured."""
        return any(side.late_frame is not None for side in self._ways)

    def late(self) -> Iterator[Event]:
        """Yield the segments that wait."""
        for side in self._ways:
            yield from self._late(side)

    def close(self) -> Iterator[Event]:
        """Send the remaining data, and the segments that close a connection."""
        if self._fast:
            yield from self._handshake(b"")
        for way in (0, 1):
            yield from self._flush(way)
        if self._ends_late:
            yield from self._fins()
        for side in self._ways:
            yield from self._late(side)
            for start, size, frame in side.lost:
                yield frame
                yield from side.account.segment(start, start + size, captured=True)
            yield from side.account.close()
        yield from self._ledger.close()
        if self._ends_late:
            for way, side in enumerate(self._ways):
                if side.before:
                    yield self._segment(way, side.next - len(side.before), side.before)
        yield from self._fins()
        yield self._acknowledgment(0, 1)

    def _fins(self) -> Iterator[bytes]:
        """Yield the segments with a FIN; they are always captured, so every connection is in the capture."""
        for way, side in enumerate(self._ways):
            yield self._segment(way, side.next, b"", ACK | FIN)

    def _flush(self, way: int) -> Iterator[Event]:
        side = self._ways[way]
        data = bytes(side.buffer)
        side.buffer.clear()
        for at in range(0, len(data), _MSS):
            yield from self._emit(way, data[at : at + _MSS])
        if data and self._random.random() < 0.5:
            yield from self._bare(self._acknowledgment(1 - way))

    def _emit(self, way: int, payload: bytes) -> Iterator[Event]:
        """Send a segment, or apply its fault."""
        side = self._ways[way]
        start, end = side.next, side.next + len(payload)
        side.next = end
        if self.muted:
            self.muted -= 1
            yield from side.account.segment(start, end, captured=None)
            return
        fault = self._fault() if side.started else None
        side.started = True
        if fault == "loss":
            side.lost.append((start, len(payload), self._segment(way, start, payload)))
            side.before = b""
            return
        for first, size, _ in side.lost:
            yield from side.account.segment(first, first + size, captured=False)
        side.lost.clear()
        # One byte alone at the end would be a keep-alive; without `prompt`, old seeds keep their bytes.
        if fault == "truncate" and len(payload) > 1 + self._prompt:
            cut = self._random.randrange(1, len(payload) - self._prompt)
            yield self._segment(way, start, payload)[: cut - len(payload)]
            yield from side.account.segment(start, start + cut, captured=True)
            rest = payload[cut:]
            side.lost.append((start + cut, len(rest), self._segment(way, start + cut, rest)))
            side.before = b""
            return
        yield from side.account.segment(start, end, captured=True)
        frame = self._segment(way, start, payload)
        if fault == "reorder" and side.late_frame is None:
            side.late_frame = frame
            side.before = b""
            return
        yield from self._faulty(way, fault, start, payload, frame)
        side.before = payload
        yield from self._late(side)

    def _faulty(
        self, way: int, fault: str | None, start: int, payload: bytes, frame: bytes
    ) -> Iterator[Event]:
        """Yield a segment that is captured completely, and additional frames of its fault."""
        before, random = self._ways[way].before, self._random
        match fault:
            case "overlap" | "conflict" if before and random.random() < 0.5:
                more = before[-random.randrange(1, len(before) + 1) :]
                first = start - len(more)
                if fault == "conflict":
                    more = more[:-1] + bytes([more[-1] ^ 0x55])
                yield self._segment(way, first, more + payload)
            case "conflict":
                yield frame
                yield self._segment(way, start, bytes(byte ^ 0x55 for byte in payload))
            case "retransmit":
                yield frame
                yield frame
            case "damage":
                yield frame[:-1] + bytes([frame[-1] ^ 0x55])
                yield frame
            case "fragment":
                yield from self._ways[way].path.fragments(frame)
            case "keepalive":
                yield frame
                yield self._segment(way, start + len(payload) - 1, b"\0")
            case _:
                yield frame

    def _fault(self) -> str | None:
        return self._random.choices((*_OF_SEGMENTS, None), cum_weights=self._shares)[0]

    def _late(self, side: _Way) -> Iterator[bytes]:
        if side.late_frame is not None:
            yield side.late_frame
            side.late_frame = None

    def _segment(self, way: int, start: int, payload: bytes, flags: int = ACK | PSH) -> bytes:
        side, other = self._ways[way], self._ways[1 - way]
        return side.path.tcp(
            (side.isn + 1 + start) % _MOD, (other.isn + 1 + other.next) % _MOD, flags, payload
        )

    def _acknowledgment(self, way: int, fin: int = 0) -> bytes:
        side, other = self._ways[way], self._ways[1 - way]
        seq, ack = side.isn + 1 + side.next + fin, other.isn + 1 + other.next + fin
        return side.path.tcp(seq % _MOD, ack % _MOD, ACK)

    def _bare(self, frame: bytes) -> Iterator[bytes]:
        """Yield a segment without payload, if the capture has started."""
        if self.muted:
            self.muted -= 1
        else:
            yield frame
