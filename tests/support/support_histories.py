"""Histories of two queue managers: messages that expire, are rejected or removed, connections that break.

Three taps see what passes: one beside each queue manager, and one in the middle.  A connection that breaks
loses the packets in transit, for each tap those that had not passed it yet.  Everything follows from a seed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.checks.sessions.monitor import SessionMonitor
from msmq_wire.machines.session import (
    Acceptor,
    Closed,
    Connect,
    Initiator,
    Message,
    QueueManager,
    Received,
    Settings,
)
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from msmq_wire.checks.sessions.monitor import Direction
    from msmq_wire.values.violation import Violation

CLIENT, SERVER = (mw.GUID(bytes([n]) * 16) for n in (1, 2))
WAYS: tuple[Direction, Direction] = ("->", "<-")
QUEUES = (f"PRIVATE={SERVER}\\00000007", f"PRIVATE={SERVER}\\00000008", r"DIRECT=TCP:10.0.0.1\private$\q")
BACK = f"PRIVATE={CLIENT}\\00000009"
START = 1_700_000_000.0
REFUSALS = (
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q,
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_ACCESS_DENIED,
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA,
)
REMOVALS = (
    0x4000,
    0x4000,
    0x4000,
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_PURGED,
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT,
)
Tap: TypeAlias = Literal["client", "middle", "server"]
TAPS: tuple[Tap, Tap, Tap] = ("client", "middle", "server")
Tape: TypeAlias = "list[tuple[Direction, Any]]"


def split(data: bytes) -> Iterator[bytes]:
    """The packets of a side, one by one."""
    while data:
        flags, size = data[2], int.from_bytes(data[8:12], "little")
        internal, riding = flags & 0x08, flags & 0x10
        end = size + (16 if riding and not internal else 0)
        yield data[:end]
        data = data[end:]


@dataclass
class Connection:
    """The packets of a transport connection that the taps captured, and those in transit."""

    tapes: dict[Tap, Tape] = field(default_factory=lambda: {tap: [] for tap in TAPS})
    near: dict[Direction, list[tuple[bytes, Any]]] = field(default_factory=lambda: {way: [] for way in WAYS})
    far: dict[Direction, list[tuple[bytes, Any]]] = field(default_factory=lambda: {way: [] for way in WAYS})


class History:
    """Two queue managers and their history."""

    def __init__(self, seed: int, steps: int = 70) -> None:
        self.dice = Random(seed)  # noqa: S311  # no secret
        self.now = START
        settings = Settings(window=self.dice.choice((1, 2, 4, 64)), insecure_nacks=self.dice.random() < 0.5)
        self.managers: dict[Direction, QueueManager] = {
            "->": QueueManager(CLIENT, settings),
            "<-": QueueManager(SERVER, settings, judge=self.judge),
        }
        self.client = Initiator(self.managers["->"], remote=SERVER)
        self.server: Acceptor | None = None
        self.connections: list[Connection] = []
        self.queues: dict[Direction, list[mqmq.UserMessage]] = {"->": [], "<-": []}
        self.closing = False
        for _ in range(steps):
            self.step()

    def judge(self, packet: mqmq.UserMessage) -> int | None:
        number = packet.UserHeader.MessageID
        return REFUSALS[number % len(REFUSALS)] if number % 11 == 3 else None

    def step(self) -> None:
        choice = self.dice.random()
        if choice < 0.26:
            self.send()
        elif choice < 0.60:
            self.deliver(self.dice.choice(WAYS))
        elif choice < 0.74:
            self.wait(self.dice.choice((0.05, 0.3, 0.6, 2.0, 11.0, 31.0, 70.0)))
        elif choice < 0.84:
            self.consume()
        elif choice < 0.91:
            if self.server is None:
                self.connect()
        elif choice < 0.94:
            self.cut()
        elif choice < 0.97 and self.server is not None:
            side = self.side(self.dice.choice(WAYS))
            side.pause(self.now)
            self.write()
            if self.dice.random() < 0.7:
                side.resume(self.now)
        elif self.server is not None:
            for way in WAYS:
                self.side(way).resume(self.now)
            self.exchange()
        self.write()

    # ------------------------------------------------------------------------------------------ wire

    def side(self, way: Direction) -> Initiator | Acceptor:
        side = self.client if way == "->" else self.server
        assert side is not None
        return side

    def connect(self) -> None:
        self.connections.append(Connection())
        self.server = Acceptor(self.managers["<-"], address="10.0.0.2")
        self.client.connected(self.now)
        self.server.connected(self.now)
        self.write()
        if self.dice.random() < 0.9:
            self.exchange()

    def exchange(self) -> None:
        for _ in range(3):
            for way in WAYS:
                self.deliver(way, everything=True)

    def write(self) -> None:
        for way in WAYS:
            if way == "<-" and self.server is None:
                continue
            data = self.side(way).data_to_send()
            if self.server is None:
                continue
            connection = self.connections[-1]
            for raw in split(data):
                packet = mw.decode(raw)
                connection.near[way].append((raw, packet))
                connection.tapes["client" if way == "->" else "server"].append((way, packet))

    def deliver(self, way: Direction, *, everything: bool = False) -> None:
        """Some packets pass the middle, and some of these arrive."""
        if self.server is None:
            return
        connection, back = self.connections[-1], WAYS[way == "->"]
        near, far = connection.near[way], connection.far[way]
        count = len(near) if everything else self.dice.randint(0, len(near))
        for raw, packet in near[:count]:
            connection.tapes["middle"].append((way, packet))
            far.append((raw, packet))
        del near[:count]
        count = len(far) if everything else self.dice.randint(0, len(far))
        arriving, far[:count] = far[:count], []
        for raw, packet in arriving:
            if self.server is None or connection is not self.connections[-1]:
                return
            connection.tapes["server" if way == "->" else "client"].append((way, packet))
            self.take(back, self.side(back).receive(raw, self.now))
            self.write()

    def take(self, way: Direction, events: list[Any]) -> None:
        for event in events:
            if isinstance(event, Received):
                self.queues[way].append(event.message)
            elif isinstance(event, Closed):
                self.cut()
            elif isinstance(event, Connect) and self.server is None and self.dice.random() < 0.5:
                self.connect()

    def cut(self) -> None:
        if self.closing or self.server is None:
            return
        self.closing = True
        self.write()
        server, self.server = self.server, None
        self.client.disconnected(self.now)
        server.disconnected(self.now)
        self.closing = False

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.take("->", self.client.timeout(self.now))
        if self.server is not None:
            self.take("<-", self.server.timeout(self.now))

    # ------------------------------------------------------------------------------------------ messages

    def send(self) -> None:
        dice = self.dice
        way: Direction = (
            "<-" if self.server is not None and self.server.is_open and dice.random() < 0.3 else "->"
        )
        kind = dice.choice(("express", "recoverable", "transactional", "transactional"))
        asks = [dice.random() < 0.5 for _ in range(2)]
        message = Message(
            dice.choice(QUEUES) if way == "->" else BACK,
            bytes(dice.randint(0, 9)),
            recoverable=kind == "recoverable",
            transactional=kind == "transactional",
            journal=dice.random() < 0.3,
            dead_letter=dice.random() < 0.3,
            final_ack=dice.random() < 0.3 and kind == "transactional",
            admin_queue=BACK if way == "->" and any(asks) and dice.random() < 0.4 else "",
            positive_arrival=asks[0],
            negative_arrival=asks[1],
            reach_queue=dice.choice((mw.session.FOREVER, mw.session.FOREVER, 1, 5, 40)),
        )
        for _ in range(dice.choice((1, 1, 1, 2, 5))):
            self.side(way).send(message, self.now)

    def consume(self) -> None:
        way = self.dice.choice(WAYS)
        if self.server is not None and self.queues[way]:
            message = self.queues[way].pop(self.dice.randrange(len(self.queues[way])))
            self.take(way, self.side(way).consumed(message, self.now, self.dice.choice(REMOVALS)))


# --------------------------------------------------------------------------------------------- judging


def feed(monitor: SessionMonitor, tape: Tape, dropped: Collection[int] = ()) -> list[Violation]:
    """The findings of a monitor on a tape; packets that were not captured are gaps."""
    findings: list[Violation] = []
    for index, (way, packet) in enumerate(tape):
        if index in dropped:
            monitor.gap(way)
        else:
            findings += monitor.feed(way, packet)
    return findings


def judged(history: History, seed: int) -> Iterator[tuple[str, list[Violation]]]:
    """Yield the findings of monitors in a history, by their view of it."""
    dice = Random(seed)  # noqa: S311  # no secret
    for tap in TAPS:
        tapes = [connection.tapes[tap] for connection in history.connections]
        for tape in tapes:
            monitor = SessionMonitor(idle=True, one_connection=True, opener="->")
            yield f"{tap}, each connection", feed(monitor, tape)
        whole = SessionMonitor(idle=True)
        findings: list[Violation] = []
        for tape in tapes:
            findings += feed(whole, tape)
            whole.disconnect()
        yield f"{tap}, all connections", findings
        together = [row for tape in tapes for row in tape]
        yield f"{tap}, no ends of connections", feed(SessionMonitor(), together)
        start, stop = sorted(dice.randint(0, len(together)) for _ in range(2))
        yield f"{tap}, joined late and cut", feed(SessionMonitor(), together[start:stop])
        firsts = [dice.randint(0, len(together)) for _ in range(dice.randint(1, 3))]
        lost = {index for first in firsts for index in range(first, first + dice.choice((1, 1, 3)))}
        yield f"{tap}, losses", feed(SessionMonitor(), together, lost)
        if tapes:
            tape = dice.choice(tapes)
            lost = {dice.randint(0, len(tape)) for _ in range(dice.randint(1, 4))}
            monitor = SessionMonitor(idle=True, one_connection=True, opener="->")
            yield f"{tap}, losses in one connection", feed(monitor, tape, lost)
            start = dice.randint(0, len(tape))
            monitor = SessionMonitor(one_connection=True)
            yield f"{tap}, joined late in one connection", feed(monitor, tape[start:])
        way = dice.choice(WAYS)
        one = [row for row in together if row[0] == way]
        yield f"{tap}, one direction", feed(SessionMonitor(only=way), one)
