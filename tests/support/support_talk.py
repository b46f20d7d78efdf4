"""Two queue managers that talk through endpoints, over a wire that a test breaks, delays and records.

Written bytes are on the tape at once, where the session monitor checks them; they arrive in pieces that the
test chooses.  A break loses the bytes in transit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msmq_wire as mw
from msmq_wire.checks.sessions.monitor import SessionMonitor
from msmq_wire.machines.session import (
    Acceptor,
    Acknowledged,
    AcknowledgedBy,
    Closed,
    Connect,
    Initiator,
    Message,
    QueueManager,
    Received,
    Settings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from msmq_wire.checks.sessions.monitor import Direction

CLIENT, SERVER = (mw.GUID(bytes([n]) * 16) for n in (1, 2))
QUEUE = f"PRIVATE={SERVER}\\00000007"
OTHER_QUEUE = f"PRIVATE={SERVER}\\00000008"
BACK = f"PRIVATE={CLIENT}\\00000009"
START = 1_700_000_000.0


class Talk:
    """A client with an `Initiator`, and a server with an `Acceptor` for each connection."""

    def __init__(
        self, settings: Settings | None = None, server: Settings | None = None, **options: Any
    ) -> None:
        self.now = START
        self.managers: dict[Direction, QueueManager] = {
            "->": QueueManager(CLIENT, settings),
            "<-": QueueManager(SERVER, server if server is not None else settings),
        }
        self.client = Initiator(self.managers["->"], **(options or {"remote": SERVER}))
        self.server: Acceptor | None = None
        self.flying: dict[Direction, bytearray] = {"->": bytearray(), "<-": bytearray()}
        self.monitor = SessionMonitor(idle=True, one_connection=True, opener="->")
        self.streams: dict[Direction, mw.PacketStream] = {}
        self.tape: list[tuple[Direction, Any]] = []
        self.findings: list[Any] = []
        self.events: dict[Direction, list[Any]] = {"->": [], "<-": []}
        self.wants = False

    # ------------------------------------------------------------------------------------------ wire

    @property
    def is_up(self) -> bool:
        return self.server is not None

    def side(self, way: Direction) -> Initiator | Acceptor:
        side = self.client if way == "->" else self.server
        assert side is not None
        return side

    def connect(self) -> None:
        assert not self.is_up
        self.flying = {"->": bytearray(), "<-": bytearray()}
        self.streams = {"->": mw.PacketStream(), "<-": mw.PacketStream()}
        self.server = Acceptor(self.managers["<-"])
        self.wants = False
        self.take("->", self.client.connected(self.now))
        self.take("<-", self.server.connected(self.now))
        self.write()

    def write(self) -> None:
        """Put the output of both sides on the tape and on the wire."""
        for way in ("->", "<-"):
            if way == "<-" and self.server is None:
                continue
            data = self.side(way).data_to_send()
            if self.is_up:
                self.flying[way] += data
                for packet in self.streams[way].feed(data):
                    self.tape.append((way, packet))
                    self.findings += self.monitor.feed(way, packet)
                assert not self.streams[way].skipped

    def take(self, way: Direction, events: Iterable[Any]) -> None:
        for event in events:
            self.events[way].append(event)
            if isinstance(event, Closed) and self.is_up:
                self.cut(closed_by=way)
            if isinstance(event, Connect):
                self.wants = True

    def cut(self, closed_by: Direction | None = None) -> None:
        """The transport breaks, or one side has closed it."""
        self.write()
        server, self.server = self.server, None
        if closed_by != "->":
            self.take("->", self.client.disconnected(self.now))
        if closed_by != "<-" and server is not None:
            self.take("<-", server.disconnected(self.now))
        self.monitor.disconnect()

    def arrive(self, way: Direction, most: int | None = None) -> None:
        """Deliver this many bytes of a direction to the other side."""
        if not self.is_up:
            return
        back: Direction = "<-" if way == "->" else "->"
        piece = bytes(self.flying[way][:most])
        del self.flying[way][: len(piece)]
        self.take(back, self.side(back).receive(piece, self.now))
        self.write()

    def wait(self, seconds: float) -> None:
        """Advance the time."""
        self.now += seconds
        self.take("->", self.client.timeout(self.now))
        if self.server is not None:
            self.take("<-", self.server.timeout(self.now))
        self.write()

    # ------------------------------------------------------------------------------------------ talk

    def send(self, message: Message | mw.mqmq.UserMessage, way: Direction = "->") -> int:
        token = self.side(way).send(message, self.now)
        self.write()
        return token

    def consume(self, way: Direction = "<-", message_class: int = 0x4000) -> bool:
        """The oldest message that came to a side is taken from its queue."""
        for index, event in enumerate(self.events[way]):
            if isinstance(event, Received) and self.is_up:
                self.take(way, self.side(way).consumed(event.message, self.now, message_class))
                del self.events[way][index]
                self.write()
                return True
        return False

    def restart(self, way: Direction) -> None:
        """Replace a side by one restored from its snapshot."""
        manager = self.managers[way]
        again = QueueManager.restore(manager.snapshot(), manager.settings, judge=manager.judge)
        side = self.side(way)
        self.managers[way] = again
        if way == "->":
            self.client = Initiator.restore(side.snapshot(), again)
        else:
            self.server = Acceptor.restore(side.snapshot(), again)

    def settle(self, rounds: int = 400) -> None:
        """Continue without failures until both sides have nothing left to send."""
        for _ in range(rounds):
            if not self.is_up and (self.wants or not self.client.is_open) and self.client.waiting:
                self.connect()
            for _ in range(40):
                if not self.is_up or not (self.flying["->"] or self.flying["<-"]):
                    break
                self.arrive("->")
                self.arrive("<-")
            if not self.client.waiting and not self.client.unacknowledged and self.quiet:
                return
            self.wait(1.0)
        raise AssertionError("they never come to an end")

    @property
    def quiet(self) -> bool:
        server = self.server
        return server is None or not (server.waiting or server.unacknowledged)

    # ------------------------------------------------------------------------------------------ results

    def packets(self, way: Direction, kind: type) -> list[Any]:
        """The packets of a class that one side sent."""
        return [packet for direction, packet in self.tape if direction == way and type(packet) is kind]

    def bodies(self, way: Direction = "<-") -> list[bytes]:
        """Bodies of the messages that came to a side, in their order."""
        return [
            event.message.MessagePropertiesHeader.MessageBody
            for event in self.events[way]
            if isinstance(event, Received)
        ]

    def acknowledged(self, kind: AcknowledgedBy, way: Direction = "->") -> list[int]:
        return [
            event.token
            for event in self.events[way]
            if isinstance(event, Acknowledged) and event.kind is kind
        ]

    def opened(self) -> Talk:
        """Connect, and let the handshake arrive."""
        self.connect()
        for _ in range(2):
            self.arrive("->")
            self.arrive("<-")
        return self
