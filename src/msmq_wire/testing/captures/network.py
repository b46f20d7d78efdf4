"""Queue managers that communicate through session endpoints, over failing links with capturing sensors.

1. `Network` is a simulation of discrete events: a heap contains future events with their times.
2. Hosts implement [MS-MQQB] 3.1 by `machines.session`: they connect, send again, acknowledge, refuse and
   forward.  Programs beside them read queues.  This module does not decide the fate of a message.
3. Each `Letter` records the actions of queue managers on it, and the evidence about it in captured packets.
4. A packet passes a sensor when it is written, if the sensor is beside the writer, and otherwise when it
   arrives.  A connection that breaks loses the packets in transit.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable
from ipaddress import IPv4Address
from math import inf
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

import msmq_wire as mw
from msmq_wire import GUID, NULL_GUID, mqmq, mqqb, mqrr
from msmq_wire.documents.readings import is_encrypted
from msmq_wire.documents.session_protocol import COUNTED, distance
from msmq_wire.documents.transactions import sequence_of
from msmq_wire.machines.session import (
    Acceptor,
    Acknowledged,
    Closed,
    Connect,
    Elsewhere,
    Expired,
    Initiator,
    Message,
    QueueManager,
    Received,
    Rejected,
    Returned,
)
from msmq_wire.machines.session.message import packet_of
from msmq_wire.values.numbers import FOREVER, PORT
from msmq_wire.values.times import SECOND

from .connections import Connection, initial_number
from .remote_reads import RPC_PORT, remote_reads
from .replication import handshake
from .session_truth import Step
from .statements import Deed, Evidence, Letter, Statement, state_of
from .truth import Sent, Span
from .wire import FIRST_PORT, LAST_PORT, Address, Frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from msmq_wire.machines.session import Settings
    from msmq_wire.names.format_names import PrivateName

    from .connections import Faults
    from .remote_reads import Ending, Reader
    from .statements import What

Seal: TypeAlias = Callable[[mqmq.UserMessage], mqmq.UserMessage]
"""Returns a packet with a signature or with an encrypted body."""
_CLASS: Final = mqmq.MESSAGE_CLASS_VALUES

_STEP: Final = Step()
_OPENING: Final = 2
"""The number of segments that open a connection: the SYN, and its answer."""
_DIRECT: Final = "direct "
_QUEUE: Final = ", queue "
"""Precedes the number of a session to one of several queues of a host."""
_COPIES: Final = {
    "journal": "JOURNAL",
    "dead-letter": "DEADLETTER",
    "transactional dead-letter": "DEADXACT",
}
"""The names of the queues to which queue managers move copies."""
_HELD: Final = 0.01
"""The maximum delay in seconds of a segment that is captured out of order."""
_LATE: Final = 0.5


class Sensor(NamedTuple):
    """A place at which packets are captured.

    Attributes:
        name: Its name, which is that of its capture file.
        beside: Name of the host beside it; it captures the connections of this host.
    """

    name: str
    beside: str


class Seen(NamedTuple):
    """The captured part of a connection that no host of the network opened.

    Attributes:
        opened: Whether the opening of the connection was captured.
        whole: Whether all bytes were.
        spans: The ground truth of both directions.
    """

    opened: bool
    whole: bool
    spans: tuple[Span, ...]


class Read(NamedTuple):
    """A message that a remote read returned.

    Attributes:
        time: The time of the read, in seconds since 1970.
        letter: The message.
        reader: The program that read it.
        captured: Whether a sensor captured all bytes of the calls.
    """

    time: float
    letter: Letter
    reader: Reader
    captured: bool


class Collected(NamedTuple):
    """A copy of a message that a program moved to another host.

    Attributes:
        time: When, in seconds since 1970.
        letter: The message.
        host: Name of the host that had the copy.
        queue: Where it was, as in `Journal`.
        captured: Whether a sensor captured all bytes of the packet.
    """

    time: float
    letter: Letter
    host: str
    queue: str
    captured: bool


class Host:
    """A queue manager, the queues that it has, and its sessions.

    Attributes:
        name: Its name.
        ip: Its address.
        manager: The queue manager.
        queues: Messages in its queues, oldest first.
        copies: Packets in its journal and its dead-letter queues, with the names of these as in `Journal`.
        routes: For each other host, the next host on the way.
        is_up: Whether it runs.
    """

    def __init__(
        self, name: str, ip: IPv4Address, identifier: GUID, settings: Settings, judge: Any = None
    ) -> None:
        self.name = name
        self.ip = ip
        self.identifier = identifier
        self.settings = settings
        self.judge = judge
        self.mac = b"\x02\x00" + ip.packed
        self.manager = QueueManager(identifier, settings, judge=judge)
        self.queues: deque[mqmq.UserMessage] = deque()
        self.copies: list[tuple[mqmq.UserMessage, str]] = []
        self.routes: dict[str, str] = {}
        self.initiators: dict[str, Initiator] = {}
        self.is_up = True
        self._port = FIRST_PORT + int.from_bytes(identifier.bytes_le[:2], "little") % 1000

    def port(self) -> int:
        """Return an unused port."""
        self._port = self._port + 1 if self._port < LAST_PORT else FIRST_PORT
        return self._port


class _View:
    """The number of messages whose acknowledgment an observer of a connection has seen, by direction."""

    def __init__(self) -> None:
        self.accepted = [0, 0]
        self.stored = [0, 0]


class _Tap:
    """The view of one sensor on a connection: packets that pass it, and packets that it captures."""

    def __init__(self, sensor: str, line: int, beside: int, connection: Connection) -> None:
        self.sensor = sensor
        self.name = f"{line} {sensor}"
        self.views = {"passed": _View(), "captured": _View()}
        self.beside = beside
        self.connection = connection
        self.passed = 0  # packets
        self.captured = 0  # those of which all bytes were captured


class _Line:
    """A transport connection between two hosts, the initiator first."""

    def __init__(self, number: int, key: str, hosts: tuple[Host, Host], ends: tuple[Any, Any]) -> None:
        self.number = number
        self.key = key
        self.hosts = hosts
        self.ends = ends
        self.is_up = True
        self.flying: tuple[deque[Any], deque[Any]] = deque(), deque()
        self.arrived: tuple[list[Letter | None], list[Letter | None]] = [], []  # counted packets, by way
        self.stored: tuple[list[Letter | None], list[Letter | None]] = [], []  # recoverable ones
        self.taps: list[_Tap] = []

    def hop(self, way: int) -> tuple[str, str]:
        """Return the names of the writer and the reader of a direction."""
        return self.hosts[way].name, self.hosts[1 - way].name


class Visit:
    """A connection that no host of the network opens, and that one sensor captures.

    Args:
        network: The network.
        sensor: Name of the sensor.
        connection: The connection.
    """

    def __init__(self, network: Network, sensor: str, connection: Connection) -> None:
        self._network = network
        self._sensor = sensor
        self._connection = connection
        self._opened = connection.muted < _OPENING
        self._spans: list[Span] = []
        self._size = 0
        self._is_closed = False
        network.visits.append(self)
        self._see(connection.open())

    def send(self, packets: Sequence[tuple[int, bytes]]) -> None:
        """Write packets, or bytes that are not packets, now, each with its direction."""
        for way, data in packets:
            self._size += len(data)
            self._see(self._connection.send(Sent(way, data, _kind(data))))

    def close(self) -> Seen:
        """End the connection, if it has not ended; return what was captured of it."""
        if not self._is_closed:
            self._is_closed = True
            self._see(self._connection.close())
            self._network.visits.remove(self)
        whole = sum(span.length for span in self._spans if span.kind != "gap") == self._size
        return Seen(self._opened, whole, tuple(self._spans))

    def _see(self, events: Iterator[Any]) -> None:
        captured = self._network.seen(self._sensor, events)
        self._spans += [event for event in captured if isinstance(event, Span)]


class Network:
    """Hosts, links between them, and sensors.

    Args:
        random: The source of random numbers.
        hosts: The hosts.
        sensors: The sensors.
        faults: The faults of captures.
        start: When it begins, in seconds since 1970.
        latency: The minimum and the maximum delay of a packet in seconds.

    Attributes:
        now: The time.
        on_received: Called when a message is in its queue; None for nothing.
        letters: All messages that were written; one to several queues has a letter for each of them.
        reads: The messages that remote reads returned.
        collected: The copies that programs moved to other hosts.
        visits: The connections that no host opened, and that have not ended.
        lost: The connections of which a sensor did not capture all bytes, as in `Evidence`.
        late: The connections of which a segment was captured long after it had passed.
        lost_pairs: Names of the two hosts of each of these.
        until: For each sensor, when its last frame was captured, in seconds since 1970.
    """

    def __init__(
        self,
        random: Random,
        hosts: list[Host],
        sensors: list[Sensor],
        faults: Faults,
        *,
        start: float,
        latency: tuple[float, float] = (0.001, 0.05),
    ) -> None:
        self._random = random
        self.hosts = {host.name: host for host in hosts}
        self._by_identifier = {host.identifier: host for host in hosts}
        self._by_ip = {str(host.ip): host for host in hosts}
        self._sensors = sensors
        self._faults = faults
        self._latency = latency
        self.now = start
        self.on_received: Callable[[Host, mqmq.UserMessage], None] | None = None
        self.letters: list[Letter] = []
        self.reads: list[Read] = []
        self.collected: list[Collected] = []
        self.visits: list[Visit] = []
        self._journaled: dict[Letter, mqmq.UserMessage] = {}
        self._numbered: dict[tuple[GUID, int], list[Letter]] = {}
        self._lists: dict[tuple[GUID, int], Mapping[str, str]] = {}
        self._destinations: dict[tuple[GUID, int, str], str] = {}  # of copies, by the sessions that take them
        self.lost: set[str] = set()
        self.late: set[str] = set()
        self.lost_pairs: set[frozenset[str]] = set()
        self.lines: list[_Line] = []
        self.until: dict[str, float] = {}
        self._sequences: dict[tuple[GUID, int], list[tuple[int, Letter]]] = {}
        self._tokens: dict[tuple[str, int], tuple[GUID, int]] = {}
        self._down: dict[frozenset[str], int] = {}
        self._heap: list[tuple[float, int, Callable[[], object]]] = []
        self._counter = 0
        self._lines_made = 0
        self._intruders = 0
        self._stamp = 0
        self._woken: dict[int, float] = {}
        self._output: list[Frame | Span] = []

    # ------------------------------------------------------------------------------------------- events

    def at(self, time: float, action: Callable[[], object]) -> None:
        """Schedule an event."""
        self._counter += 1
        heapq.heappush(self._heap, (max(time, self.now), self._counter, action))

    def run(self, until: float) -> Iterator[Frame | Span]:
        """Yield frames in the order of capture, and spans, up to a time; then the capture ends."""
        while self._heap and self._heap[0][0] <= until:
            self.now, _, action = heapq.heappop(self._heap)
            action()
            yield from self._flushed()
        self.now = until
        for line in [*self.lines]:
            self._end(line)
        for visit in [*self.visits]:
            visit.close()
        yield from self._flushed()

    def _flushed(self) -> Iterator[Frame | Span]:
        output, self._output = self._output, []
        yield from output

    # --------------------------------------------------------------------------------------- applications

    def send(
        self, host: str, to: str, message: Message, *, direct: bool = False, seal: Seal | None = None
    ) -> None:
        """Let an application send a message to a queue of another host.

        Args:
            host: Name of the host.
            to: Name of the other one.
            message: The message.
            direct: Whether its queue has a direct name.
            seal: Signs or encrypts its packet, if given.
        """
        sender = self.hosts[host]
        if not sender.is_up:
            return
        content = message if seal is None else seal(self._packet(sender, message))
        self._put(sender, f"{_DIRECT}{to}" if direct else to, content)

    def distribute(
        self, host: str, message: Message, queues: Sequence[PrivateName], group: GUID | None = None
    ) -> None:
        """Let an application send a message to queues of other hosts, a copy to each.

        Each queue of a host has a session of its own ([MS-MQQB] 3.1.1.3.1).

        Args:
            host: Name of the host.
            message: The message; its destination is ignored.
            queues: The queues.
            group: The distribution list that stands for them in the packets; None if these list them.
        """
        sender = self.hosts[host]
        if not sender.is_up:
            return
        forms: list[Any] = [
            mqmq.PrivateQueueFormatName.raw(queue.computer, queue.identifier) for queue in queues
        ]
        if group is not None:
            forms = [mqmq.MQFDistributionQueueFormatName.raw(group)]
        elements = [mqmq.MQFFormatNameElement(FormatName=form) for form in forms]
        listed = mqmq.MultiQueueFormatHeader(Destination=mqmq.MQFAddressHeader(FormatNameList=elements))
        number = sender.manager.next_message_id()
        names = {str(queue): self.name_of(queue.computer) for queue in queues}
        grouped = {} if group is None else {str(mw.format_names.parse_format_name(f"DL={group}")): ""}
        self._lists[sender.identifier, number] = names | grouped
        hosts: list[str] = []
        for name, to in names.items():
            key = f"{to}{_QUEUE}{hosts.count(to)}" if to in hosts else to
            hosts.append(to)
            self._destinations[sender.identifier, number, key] = name
            copy = self._packet(sender, msgspec.structs.replace(message, destination=name), number)
            self._put(sender, key, mw.replace(copy, MultiQueueFormatHeader=listed))

    def _packet(self, host: Host, message: Message, number: int = 0) -> mqmq.UserMessage:
        """Return the packet of a message that a host sends now; the session numbers it if necessary."""
        return packet_of(
            message, source=host.identifier, remote=NULL_GUID, message_id=number, sent_at=int(self.now)
        )

    def _put(self, host: Host, key: str, content: Any) -> None:
        endpoint = self._initiator(host, key)
        token = endpoint.send(content, self.now)
        header: Any = getattr(content, "UserHeader", None)
        foreign = header is not None and header.SourceQueueManager != host.identifier
        self._tokens[host.name, token] = (
            (header.SourceQueueManager, header.MessageID) if foreign else (host.identifier, token)
        )
        self._wake(host, key, endpoint)

    def _initiator(self, host: Host, key: str) -> Initiator:
        """Return the session of a host to the next one on the way to another."""
        if key not in host.initiators:
            other = self._next(host, key)
            host.initiators[key] = (
                Initiator(host.manager, address=str(other.ip))
                if key.startswith(_DIRECT)
                else Initiator(host.manager, remote=other.identifier)
            )
        return host.initiators[key]

    def _next(self, host: Host, key: str) -> Host:
        key, _, _ = key.partition(_QUEUE)
        direct = key.removeprefix(_DIRECT)
        return self.hosts[direct if direct != key else host.routes.get(key, key)]

    def name_of(self, identifier: GUID) -> str:
        """Return the name of the host with a queue manager."""
        return self._by_identifier[identifier].name

    def read(self, host: str, message_class: int, packet: mqmq.UserMessage | None = None) -> None:
        """Let a program take a message from the queues of a host, or remove it.

        Args:
            host: Name of the host.
            message_class: ACK_RECEIVE, or the negative class with which it is removed.
            packet: The message; None for the oldest one.
        """
        reader = self.hosts[host]
        if not reader.is_up or not reader.queues:
            return
        packet = reader.queues[0] if packet is None else packet
        reader.queues.remove(packet)
        letter = self._letter(packet)
        what = state_of(message_class)
        letter.deeds.append(Deed(self.now, host, what, message_class))
        source = self._by_identifier[packet.UserHeader.SourceQueueManager]
        for line in self.lines:
            if line.hosts[1] is reader and line.hosts[0] is source and line.ends[1].is_open:
                self._take(line, 1, line.ends[1].consumed(packet, self.now, message_class))
                self._write(line)
                return
        endpoint = self._initiator(reader, source.name)
        self._handle(reader, endpoint.consumed(packet, self.now, message_class), source.name)
        self._wake(reader, source.name, endpoint)

    def read_from_afar(
        self,
        reader: Reader,
        host: str,
        queue: str,
        sensor: str,
        random: Random,
        *,
        ending: Ending = "taken",
    ) -> None:
        """Let a program read all messages of a queue of another host by remote calls.

        Args:
            reader: The program.
            host: Name of the host.
            queue: Format name of the queue.
            sensor: Name of the sensor that captures the calls.
            random: Determines sequence numbers, ports and delays.
            ending: How each read ends; only messages that are taken leave the queue.
        """
        server = self.hosts[host]
        wanted = queue.lower()  # case does not matter
        packets = [packet for packet in server.queues if self._letter(packet).destination.lower() == wanted]
        if not server.is_up or not packets:
            return
        for packet in packets if ending == "taken" else ():
            self.read(host, _CLASS.MQMSG_CLASS_ACK_RECEIVE, packet)
        returned = [self._returned(packet) for packet in packets]
        handle = GUID(len(self.reads).to_bytes(4, "little") + reader.identifier.bytes_le[4:])
        said = remote_reads(reader.identifier, queue, returned, handle, ending=ending)
        seen = self.intrude(str(reader.ip), str(server.ip), said, sensor, random, port=RPC_PORT)
        for packet in packets:
            letter = self._letter(packet)
            self.reads.append(Read(self.now, letter, reader, seen.whole))
            line = f"calls {len(self.reads)} {sensor}"
            if not seen.whole:
                self.lost.add(line)
            proved: list[tuple[Letter | None, What]] = [(letter, "returned")]
            proved += [(letter, "taken")] if ending == "taken" else []
            message_class = packet.MessagePropertiesHeader.MessageClass
            proved += [(self._about(packet), "told")] if message_class else []
            for about, what in proved:
                if about is None:
                    continue
                reported = message_class if what == "told" else 0
                evidence = Evidence(what, (host, reader.name), line, reported, self.now)
                about.passed[what, line, reported] = evidence
                if seen.whole:
                    about.captured[what, line, reported] = evidence

    def _returned(self, packet: mqmq.UserMessage) -> bytes:
        """Return a message as a remote read returns it ([MS-MQRR] 2.2.5.1)."""
        header = packet.UserHeader
        if header.QueueManagerAddress == NULL_GUID:
            ip = self._by_identifier[header.SourceQueueManager].ip.packed
            address = mqrr.UserHeaderAddress(AddressLength=4, AddressType=1, Address=ip.ljust(8, b"\0"))
            header = mw.replace(header, QueueManagerAddress=GUID(address.encode()))
        return mw.encode(mw.replace(packet, UserHeader=header, SessionHeader=None))

    def intrude(
        self,
        src: str,
        dst: str,
        packets: Sequence[tuple[int, bytes]],
        sensor: str,
        random: Random,
        *,
        port: int = PORT,
    ) -> Seen:
        """Let a sensor capture a connection that no host opens, with the given packets only.

        Args:
            src: The address that opens it.
            dst: That of the other side.
            packets: The direction and the bytes of each packet, or of bytes that are not packets.
            sensor: Name of the sensor.
            random: Determines sequence numbers, ports and delays.
            port: The port of the other side.
        """
        visit = self.visit(src, dst, sensor, random, port=port)
        visit.send(packets)
        return visit.close()

    def visit(
        self, src: str, dst: str, sensor: str, random: Random, *, port: int = PORT, own: int | None = None
    ) -> Visit:
        """Let a sensor capture a connection that no host opens; the arguments are those of `intrude`.

        Args:
            src: The address that opens it.
            dst: That of the other side.
            sensor: Name of the sensor.
            random: Determines sequence numbers, ports and delays.
            port: The port of the other side.
            own: The port of the side that opens it; None for an unused one.
        """
        self._intruders += 1
        if own is None:
            own = FIRST_PORT + self._intruders % (LAST_PORT - FIRST_PORT)
        ends = tuple(
            Address(IPv4Address(ip), at, b"\x02\x01" + IPv4Address(ip).packed)
            for ip, at in ((src, own), (dst, port))
        )
        connection = Connection(
            random, (ends[0], ends[1]), vlan=(), file=sensor, number=0, faults=self._faults, prompt=True
        )
        return Visit(self, sensor, connection)

    def collect(self, host: str, to: str, sensor: str, random: Random, *, most: int) -> None:
        """Let a program move copies from the journal and the dead-letter queues of a host to another one.

        Args:
            host: Name of the host.
            to: Name of the other one.
            sensor: Name of the sensor that captures the session.
            random: Determines sequence numbers and delays.
            most: The largest number of copies.
        """
        source, target = self.hosts[host], self.hosts[to]
        if not source.copies or not source.is_up or not target.is_up:
            return
        copies, source.copies = source.copies[:most], source.copies[most:]
        moved = [mw.encode(_moved(packet, to, _COPIES[queue])) for packet, queue in copies]
        rider = mqmq.SessionHeader(AckSequenceNumber=len(moved))
        visit = self.visit(str(source.ip), str(target.ip), sensor, random, own=source.port())
        visit.send(handshake(source.identifier, target.identifier, self.now))
        visit.send([*((0, data) for data in moved), (1, mw.encode(mqqb.SessionAck(SessionHeader=rider)))])
        capture = visit.close()
        if not capture.whole:
            self.lost_pairs.add(frozenset((host, to)))
        captured = {span.data for span in capture.spans if span.kind == "packet"}
        for (packet, queue), data in zip(copies, moved, strict=True):
            self.collected.append(Collected(self.now, self._letter(packet), host, queue, data in captured))

    # -------------------------------------------------------------------------------------------- failures

    def break_link(self, first: str, second: str, seconds: float) -> None:
        """Break all connections between two hosts; no connection can be opened for a time."""
        pair = frozenset((first, second))
        for line in [*self.lines]:
            if {host.name for host in line.hosts} == pair:
                self._cut(line)
        if seconds:
            self._down[pair] = self._down.get(pair, 0) + 1

            def mend() -> None:
                self._down[pair] -= 1

            self.at(self.now + seconds, mend)

    def restart(self, name: str, seconds: float) -> None:
        """Stop a host, and start it again with the state on its disk."""
        host = self.hosts[name]
        if not host.is_up:
            return
        for line in [*self.lines]:
            if host in line.hosts:
                self._cut(line)
        host.is_up = False
        kept = host.manager.snapshot()
        sessions = {key: endpoint.snapshot() for key, endpoint in host.initiators.items()}

        def start() -> None:
            host.is_up = True
            host.manager = QueueManager.restore(kept, host.settings, judge=host.judge)
            for key, snapshot in sessions.items():
                endpoint = host.initiators[key] = Initiator.restore(snapshot, host.manager)
                self._handle(host, endpoint.disconnected(self.now), key)
                self._wake(host, key, endpoint)

        self.at(self.now + seconds, start)

    # ---------------------------------------------------------------------------------------- connections

    def _connect(self, host: Host, key: str) -> None:
        """Open a transport connection for an initiator, if the other host can be reached."""
        endpoint = host.initiators[key]
        other = self._next(host, key)
        if not other.is_up or self._down.get(frozenset((host.name, other.name))):
            self._handle(host, endpoint.disconnected(self.now), key)
            self._wake(host, key, endpoint)
            return
        self._lines_made += 1
        acceptor = Acceptor(other.manager, address=str(host.ip))
        line = _Line(self._lines_made, key, (host, other), (endpoint, acceptor))
        self.lines.append(line)
        ends = Address(host.ip, host.port(), host.mac), Address(other.ip, PORT, other.mac)
        isns = initial_number(self._random, self._faults), initial_number(self._random, self._faults)
        for sensor in self._sensors:
            for beside in (0, 1):
                if line.hosts[beside].name == sensor.beside:
                    connection = Connection(
                        self._random,
                        ends,
                        vlan=(),
                        file=sensor.name,
                        number=0,
                        faults=self._faults,
                        prompt=True,
                        isns=isns,
                    )
                    tap = _Tap(sensor.name, line.number, beside, connection)
                    line.taps.append(tap)
                    self._capture(line, tap, connection.open())
        self._take(line, 0, endpoint.connected(self.now))
        self._take(line, 1, acceptor.connected(self.now))
        self._write(line)

    def _write(self, line: _Line) -> None:
        """Put the output of both sides on the wire."""
        for way in (0, 1):
            if not line.is_up:
                return
            written = mw.PacketStream().frames(line.ends[way].data_to_send(), final=True)
            for raw in (packet.data for packet in written):
                statement, kind = self._statement(line, way, raw)
                self._pass(line, way, way, raw, kind, statement)
                line.flying[way].append((raw, kind, statement))
                self.at(
                    self.now + self._random.uniform(*self._latency),
                    lambda way=way: self._arrive(line, way),  # type: ignore[misc]
                )
        for way in (0, 1):
            self._wake_line(line, way)

    def _arrive(self, line: _Line, way: int) -> None:
        """Deliver the next packet of a direction to the other side."""
        if not line.is_up or not line.flying[way]:
            return
        raw, kind, statement = line.flying[way].popleft()
        self._pass(line, way, 1 - way, raw, kind, statement)
        if kind in COUNTED:
            letter = statement.carries
            line.arrived[way].append(letter)
            if _is_recoverable(raw):
                line.stored[way].append(letter)
        self._take(line, 1 - way, line.ends[1 - way].receive(raw, self.now))
        self._write(line)

    def _pass(self, line: _Line, way: int, beside: int, raw: bytes, kind: str, statement: Statement) -> None:
        """A packet passes the sensors that are beside one end."""
        for tap in line.taps:
            if tap.beside == beside:
                tap.passed += 1
                if tap.connection.begins:
                    self._learn(line, tap, "passed", (way, statement, self.now))
                sent = Sent(way, raw, kind, _STEP, statement=(way, statement, self.now))
                self._capture(line, tap, tap.connection.send(sent))
                if tap.connection.holds:
                    self.at(self.now + _HELD, lambda tap=tap: self._capture(line, tap, tap.connection.late()))  # type: ignore[misc]

    def seen(self, sensor: str, events: Iterator[Any]) -> Iterator[Any]:
        """Yield the frames and spans of a connection that a sensor captures, and put them out."""
        for event in events:
            if isinstance(event, bytes):
                self._stamp = max(self._stamp + 1, int(self.now * SECOND))
                self.until[sensor] = self._stamp / SECOND
                self._output.append(Frame(sensor, self._stamp, event))
            elif isinstance(event, Span):
                self._output.append(event)
            yield event

    def _capture(self, line: _Line, tap: _Tap, events: Iterator[Any]) -> None:
        for event in self.seen(tap.sensor, events):
            if isinstance(event, Span) and event.statement is not None:
                tap.captured += 1
                if self.now - event.statement[2] > _LATE:
                    self.late.add(tap.name)
                self._learn(line, tap, "captured", event.statement)

    def _cut(self, line: _Line, closed_by: int | None = None) -> None:
        """The transport breaks, or one side has closed it."""
        if not line.is_up:
            return
        self._write(line)
        self._end(line)
        for side, host in enumerate(line.hosts):
            if closed_by != side:
                self._handle(host, line.ends[side].disconnected(self.now), "" if side else line.key)
        self._wake(line.hosts[0], line.key, line.ends[0])

    def _end(self, line: _Line) -> None:
        """The sensors see the end of a connection."""
        if not line.is_up:
            return
        line.is_up = False
        self.lines.remove(line)
        for tap in line.taps:
            self._capture(line, tap, tap.connection.close())
            if tap.captured < tap.passed:
                self.lost.add(tap.name)
                self.lost_pairs.add(frozenset(line.hop(0)))

    # --------------------------------------------------------------------------------------------- timers

    def _wake(self, host: Host, key: str, endpoint: Initiator) -> None:
        """Call an initiator's `timeout` in time."""
        for line in self.lines:
            if line.ends[0] is endpoint:
                self._write(line)
                return

        def due() -> None:
            if host.initiators.get(key) is endpoint and host.is_up:
                self._handle(host, endpoint.timeout(self.now), key)
                self._wake(host, key, endpoint)

        self._at_timeout(endpoint, due)

    def _wake_line(self, line: _Line, side: int) -> None:
        endpoint = line.ends[side]

        def due() -> None:
            if line.is_up:
                self._take(line, side, endpoint.timeout(self.now))
                self._write(line)
            elif side == 0:
                self._wake(line.hosts[0], line.key, endpoint)

        self._at_timeout(endpoint, due)

    def _at_timeout(self, endpoint: Any, due: Callable[[], None]) -> None:
        """Schedule an action at the next timeout of an endpoint, unless it is already scheduled."""
        at = endpoint.next_timeout
        if at is None:
            return
        woken_at = self._woken.get(id(endpoint))
        if woken_at is not None and self.now < woken_at <= at:
            return
        self._woken[id(endpoint)] = at

        def wake() -> None:
            if self._woken.get(id(endpoint)) == at:
                del self._woken[id(endpoint)]
                due()

        self.at(at + 1e-6, wake)

    # --------------------------------------------------------------------------------------------- events

    def _take(self, line: _Line, side: int, events: list[Any]) -> None:
        self._handle(line.hosts[side], events, "" if side else line.key, line, side)

    def _handle(
        self, host: Host, events: list[Any], key: str, line: _Line | None = None, side: int | None = None
    ) -> None:
        """Perform the work that an endpoint requests of its queue manager."""
        for event in events:
            match event:
                case Received(message=packet, action="deliver"):
                    host.queues.append(packet)
                    self._did(host, packet, "reached")
                    if self.on_received is not None:
                        self.on_received(host, packet)
                case Received(message=packet):
                    self._did(host, packet, "forwarded")
                    self._forward(host, packet)
                case Rejected(message=packet, message_class=message_class, journal=journal):
                    self._did(host, packet, "refused", message_class)
                    if journal:
                        host.copies.append((packet, journal))
                case Expired(message=None, token=token, journal=journal):
                    self._finished(host, key, token or 0, "expired", journal)
                case Expired(message=packet):
                    self._did(host, packet, "expired")
                case Acknowledged(token=token, journal=journal) if journal:
                    self._finished(host, key, token, "", journal)
                case Elsewhere(content=content, manager=manager):
                    self._elsewhere(host, content, manager)
                case Returned(content=content):
                    self._forward(host, content)
                case Connect():
                    self._connect(host, key)
                case Closed() if line is not None:
                    self._cut(line, closed_by=side)
                case _:
                    pass

    def _did(self, host: Host, packet: Any, what: str, message_class: int = 0) -> None:
        self._letter(packet).deeds.append(Deed(self.now, host.name, what, message_class))

    def _finished(self, host: Host, key: str, token: int, what: str, journal: str) -> None:
        """Record the final action of a sender on a message, or on its copy in one session."""
        source, number = self._tokens.get((host.name, token), (host.identifier, 0))
        letter = self._named(source, number, self._destinations.get((source, number, key), ""))
        if letter is not None:
            done = (what, "dead-lettered" if "dead-letter" in journal else "")
            letter.deeds += [Deed(self.now, host.name, action) for action in done if action]
            if journal and letter in self._journaled:
                host.copies.append((self._journaled[letter], journal))

    def _forward(self, host: Host, packet: Any) -> None:
        """Send a packet to the queue manager that it names, or to the host in its direct name."""
        to = self._by_identifier.get(packet.UserHeader.QueueManagerAddress)
        if to is not None:
            self._put(host, to.name, packet)

    def _elsewhere(self, host: Host, content: Any, manager: GUID | None) -> None:
        """Send an acknowledgment in another session."""
        if manager is not None:
            self._put(host, self._by_identifier[manager].name, content)
            return
        address = mw.format_names.DirectName.parse(content.destination).address
        self._put(host, f"{_DIRECT}{self._by_ip[address].name}", content)

    # ---------------------------------------------------------------------------------------------- truth

    def _letter(self, packet: Any) -> Letter:
        """Return the message in a packet."""
        header, properties = packet.UserHeader, packet.MessagePropertiesHeader
        key = header.SourceQueueManager, header.MessageID
        copies = self._numbered.setdefault(key, [])
        letter = next(iter(copies), None)
        if packet.MultiQueueFormatHeader is not None:
            name = mw.queue_names.from_wire(header.DestinationQueue, host=header.QueueManagerAddress)
            letter = next((copy for copy in copies if copy.destination == str(name)), None)
        if letter is None:
            security, home = packet.SecurityHeader, self._home(header)
            name = mw.queue_names.from_wire(header.DestinationQueue, host=header.QueueManagerAddress)
            reach, receive = (
                inf if limit == FOREVER else limit
                for limit in (packet.BaseHeader.TimeToReachQueue, header.TimeToBeReceived)
            )
            letter = Letter(
                message=f"{str(key[0]).lower()}\\{key[1]}",
                source=self._by_identifier[key[0]].name,
                home=home,
                transactional=packet.TransactionHeader is not None,
                sent_at=header.SentTime,
                reach=reach,
                receive=receive,
                tells_arrival=header.AdminQueue is not None and bool(properties.Flags.PA),
                tells_removal=header.AdminQueue is not None and bool(properties.Flags.PR),
                label=properties.Label.rstrip("\0"),
                destination=str(name),
                queues=self._lists.get(key, {str(name): home}),
                message_class=properties.MessageClass,
                size=packet.BaseHeader.PacketSize,
                encrypted=is_encrypted(packet),
                signed=security is not None and bool(security.SecurityData.Signature),
            )
            copies.append(letter)
            self.letters.append(letter)
        return letter

    def _home(self, header: Any) -> str:
        """Return the name of the host with the queue of a message; empty if there is only an address."""
        host = self._by_identifier.get(header.QueueManagerAddress)
        if host is not None:
            return host.name
        name = getattr(header.DestinationQueue, "DirectFormatName", "")
        machine = name.removeprefix("OS:").partition("\\")[0]
        return machine if machine in self.hosts else ""

    def _named(self, source: GUID, number: int, to: str) -> Letter | None:
        """Return the message with an identifier, or of several copies the one to a queue, or to a host."""
        copies = self._numbered.get((source, number), ())
        own = (letter for letter in copies if to in {letter.destination, letter.home})
        return next(own, None) or next(iter(copies), None)

    def _about(self, packet: mqmq.UserMessage) -> Letter | None:
        """Return the message that an administration acknowledgment or a response names."""
        properties: Any = packet.MessagePropertiesHeader
        named, to = properties.CorrelationID, self.name_of(packet.UserHeader.SourceQueueManager)
        if properties.MessageClass:
            to = str(packet.UserHeader.response_queue)  # [MS-MQQB] 3.1.7.15
        return self._named(GUID(named[:16]), int.from_bytes(named[16:], "little"), to)

    def _statement(self, line: _Line, way: int, raw: bytes) -> tuple[Statement, str]:
        """Return the statement of a packet, and the name of its record class."""
        packet: Any = mw.decode(raw)
        kind = type(packet).__name__
        statement = Statement()
        header = getattr(packet, "SessionHeader", None)
        if header is not None:
            arrived, stored = len(line.arrived[1 - way]), len(line.stored[1 - way])
            flags = header.RecoverableMsgAckFlags
            through = (header.RecoverableMsgAckSeqNumber + flags.bit_length() - 1) if flags else 0
            statement = statement._replace(
                accepted=arrived - distance(arrived, header.AckSequenceNumber),
                stored=stored - distance(stored, through) if flags else 0,
            )
        if kind not in COUNTED:
            return statement, kind
        properties = packet.MessagePropertiesHeader
        if kind == "OrderAck":
            body: Any = mqqb.OrderAckBody.decode(properties.MessageBody)
            sequence = self.hosts[line.hop(way)[1]].identifier, sequence_of(body.TxSequenceID)
            return statement._replace(sequence=sequence, ordered=body.TxSequenceNumber), kind
        if kind == "FinalAck":
            body = mqqb.FinalAckBody.decode(properties.MessageBody)
            source = body.SourceGUID, sequence_of(body.TxSequenceID)
            numbered = dict(self._sequences.get(source, ()))
            letter = numbered.get(body.TxSequenceNumber) or self._named(body.SourceGUID, body.MessageID, "")
            return statement._replace(concludes=letter, message_class=properties.MessageClass), kind
        letter = self._letter(packet)
        if packet.UserHeader.Flags.JN or packet.UserHeader.Flags.JP:
            self._journaled[letter] = packet
        if packet.TransactionHeader is not None:
            self._place(letter, packet)
        about = self._about(packet)
        statement = statement._replace(carries=letter)
        if properties.MessageClass:
            return statement._replace(about=about, message_class=properties.MessageClass), kind
        return statement._replace(answers=about), kind

    def _place(self, letter: Letter, packet: Any) -> None:
        """Store the place of a message in its sequence."""
        header = packet.TransactionHeader
        key = packet.UserHeader.SourceQueueManager, sequence_of(header.TxSequenceID)
        numbers = self._sequences.setdefault(key, [])
        if not numbers or numbers[-1][0] < header.TxSequenceNumber:
            numbers.append((header.TxSequenceNumber, letter))

    def _learn(
        self,
        line: _Line,
        tap: _Tap,
        name: Literal["passed", "captured"],
        stated: tuple[int, Statement, float],
    ) -> None:
        """Record for each message the evidence of a packet that passed a sensor, or was captured."""
        way, statement, time = stated
        hop, view = line.hop(way), tap.views[name]

        def note(letter: Letter | None, what: What, message_class: int = 0) -> bool:
            key = what, hop, tap.name, message_class
            if letter is None or key in getattr(letter, name):
                return False
            getattr(letter, name)[key] = Evidence(*key, time)
            return True

        note(statement.carries, "carried")
        note(statement.about, "told", statement.message_class)
        note(statement.concludes, "concluded", statement.message_class)
        note(statement.answers, "answered")
        counted: tuple[tuple[What, int, list[int], Any], ...] = (
            ("accepted", statement.accepted, view.accepted, line.arrived),
            ("stored", statement.stored, view.stored, line.stored),
        )
        for what, count, noted, packets in counted:
            for letter in packets[1 - way][noted[way] : count]:
                note(letter, what)
            noted[way] = max(noted[way], count)
        if statement.sequence is not None:
            for number, letter in reversed(self._sequences.get(statement.sequence, ())):
                if number <= statement.ordered and not note(letter, "ordered"):
                    break


def _moved(packet: mqmq.UserMessage, host: str, queue: str) -> mqmq.UserMessage:
    """Return a message on its way to a journal or a dead-letter queue of a host."""
    name = mw.format_names.DirectName.parse(rf"DIRECT=OS:{host}\SYSTEM$;{queue}")
    form: Any = mw.queue_names.to_wire(name)
    header = mw.replace(packet.UserHeader, Flags=packet.UserHeader.Flags.replace(TH=0))
    # Only flags that are not given follow from the form of the name.
    header = mw.replace(header, DestinationQueue=form, QueueManagerAddress=NULL_GUID)
    return mw.replace(packet, UserHeader=header, SessionHeader=None, TransactionHeader=None)


def _kind(data: bytes) -> str | None:
    """Return the name of the record class of a packet; None for other bytes."""
    try:
        return type(mw.decode(data)).__name__
    except mw.DecodeError:
        return None


def _is_recoverable(raw: bytes) -> bool:
    packet: Any = mw.decode(raw)
    return bool(packet.UserHeader.Flags.DM == 1)
