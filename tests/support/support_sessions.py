"""Two queue managers that talk by [MS-MQQB] 3.1, and a wire between them that a test records.

The wire keeps the order of each direction and delays it.  A sent packet is on the tape at once and arrives
when the test decides, so that acknowledgments lag behind as they do in a capture.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msmq_wire as mw
from msmq_wire import mqmq, mqqb

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.checks.sessions.monitor import Direction

N = 0x1_0000
CLIENT, SERVER, STRANGER = (mw.GUID(bytes([n]) * 16) for n in (1, 2, 3))
WAYS: tuple[Direction, Direction] = ("->", "<-")


def other(way: Direction) -> Direction:
    return "<-" if way == "->" else "->"


def bend(record: Any, path: str, value: Any) -> Any:
    """The same record with another value in a field; fields that depend on it are unchanged."""
    name, _, rest = path.partition(".")
    if rest:
        inner: Any = getattr(record, name)
        groups = {rest: value}
        value = bend(inner, rest, value) if isinstance(inner, mw.Record) else inner.replace(**groups)
    return mw.replace(record, **{name: value})


@dataclass
class Sent:
    """A transactional message that awaits its OrderAck."""

    message: int
    sequence: tuple[int, int]
    number: int
    previous: int
    queue: int


@dataclass
class Manager:
    """The ADM elements of 3.1.1.3.1 that packets show."""

    guid: mw.GUID
    window: int = 64
    sent: int = 0
    recoverable_sent: int = 0
    received: int = 0
    recoverable_received: int = 0
    acknowledged: int = 0
    told: int = 0
    unacknowledged: int = 0
    peer_acknowledged: int = 0
    messages: int = 0
    ordinal: int = 1
    number: int = 1
    incoming: tuple[int, int] = (0, 0)
    incoming_number: int = 0
    unread: list[Any] = field(default_factory=list)
    waiting: list[Sent] = field(default_factory=list)
    behind: int = 0

    def begin(self, start: int = 0) -> None:
        self.sent = self.recoverable_sent = self.received = self.recoverable_received = start
        self.acknowledged = self.told = self.peer_acknowledged = start
        self.unacknowledged = 0

    def header(self, window: int) -> Any:
        """The SessionHeader that is sent next; it acknowledges all received messages (3.1.6.4)."""
        waiting = min(self.recoverable_received - self.acknowledged, 32)
        first = (self.acknowledged + 1) % N if waiting else 0
        self.acknowledged += waiting
        self.told = self.received
        return mqmq.SessionHeader(
            AckSequenceNumber=self.received % N,
            RecoverableMsgAckSeqNumber=first,
            RecoverableMsgAckFlags=(1 << waiting) - 1,
            UserMsgSequenceNumber=self.sent % N,
            RecoverableMsgSeqNumber=self.recoverable_sent % N,
            WindowSize=window,
        )


class Wire:
    """Two queue managers and the packets between them."""

    def __init__(self, window: int = 64) -> None:
        self.tape: list[tuple[Direction, Any]] = []
        self.flying: dict[Direction, list[Any]] = {"->": [], "<-": []}
        self.sides: dict[Direction, Manager] = {
            "->": Manager(CLIENT, window),
            "<-": Manager(SERVER, window),
        }

    def put(self, way: Direction, packet: Any, bent: Callable[[Any], Any] | None = None) -> Any:
        """Send a packet; the tape gets it bent, while the receiver gets the correct packet."""
        self.tape.append((way, packet if bent is None else bent(packet)))
        self.flying[way].append(packet)
        return packet

    # ---------------------------------------------------------------------------------------- handshake

    def request(self, way: Direction = "->", **fields: Any) -> Any:
        us, them = self.sides[way], self.sides[other(way)]
        header = mqqb.EstablishConnectionHeader(
            ClientGuid=us.guid, ServerGuid=them.guid, TimeStamp=1000 * len(self.tape)
        )
        return mqqb.EstablishConnection(EstablishConnectionHeader=mw.replace(header, **fields))

    def open(
        self, way: Direction = "->", bent: dict[int, Callable[[Any], Any]] | None = None, last: int = 4
    ) -> None:
        """A handshake, of which some packets may be bent, or the last left out."""
        back, bent = other(way), bent or {}
        for side in self.sides.values():
            side.begin()
            side.behind = len(side.waiting)  # these go first
        self.flying = {"->": [], "<-": []}
        request = self.request(way)
        packets = [
            (way, request),
            (back, request),
            (way, self.parameters(way)),
            (back, self.parameters(back)),
        ]
        for index, (direction, packet) in enumerate(packets[:last]):
            self.tape.append((direction, bent[index](packet) if index in bent else packet))

    def parameters(self, way: Direction) -> Any:
        return mqqb.ConnectionParameters(
            ConnectionParametersHeader=mqqb.ConnectionParametersHeader(
                RecoverableAckTimeout=1000, AckTimeout=30000, WindowSize=self.sides[way].window
            )
        )

    def reconnect(self) -> None:
        """The transport breaks; packets in transit are lost, and transactional messages are sent again."""
        self.open()
        for way in WAYS:
            self.resend(way)

    # ----------------------------------------------------------------------------------------- messages

    def can_send(self, way: Direction) -> bool:
        return self.sides[way].unacknowledged < self.sides[way].window

    def _message(self, way: Direction, packet: Any, *, riding: bool, bent: Any = None) -> Any:
        us = self.sides[way]
        us.sent += 1
        us.unacknowledged += 1
        us.recoverable_sent += int(packet.UserHeader.Flags.DM)
        if riding:
            packet = mw.replace(packet, SessionHeader=us.header(us.window))
        return self.put(way, packet, bent)

    def _user_header(self, way: Direction, message: int, queue: int, *, recoverable: bool) -> Any:
        return mqmq.UserHeader(
            SourceQueueManager=self.sides[way].guid,
            QueueManagerAddress=self.sides[other(way)].guid,
            MessageID=message,
            DestinationQueue=mqmq.PrivateQueueFormatNameId(queue),
            Flags=mqmq.UserHeaderFlags(DM=int(recoverable)),
        )

    def _next_message(self, way: Direction) -> int:
        us = self.sides[way]
        us.messages += 1
        return us.messages * 2 + (way == "<-")

    def send(
        self, way: Direction, *, recoverable: bool = False, riding: bool = False, bent: Any = None
    ) -> Any:
        """A message that is not transactional."""
        header = self._user_header(way, self._next_message(way), 7, recoverable=recoverable)
        return self._message(way, mqmq.UserMessage(UserHeader=header), riding=riding, bent=bent)

    def transact(self, way: Direction, *, queue: int = 8, riding: bool = False, bent: Any = None) -> Any:
        """A transactional message, sent for the first time (3.1.7.1.3)."""
        us = self.sides[way]
        assert not us.behind
        place = Sent(self._next_message(way), (us.ordinal, 5), us.number, us.number - 1, queue)
        us.number += 1
        us.waiting.append(place)
        return self._transactional(way, place, riding=riding, bent=bent)

    def _transactional(self, way: Direction, place: Sent, *, riding: bool = False, bent: Any = None) -> Any:
        packet = mqmq.UserMessage(
            UserHeader=self._user_header(way, place.message, place.queue, recoverable=True),
            TransactionHeader=mqmq.TransactionHeader(
                TxSequenceID=mqmq.TxSequenceID(*place.sequence),
                TxSequenceNumber=place.number,
                PreviousTxSequenceNumber=place.previous,
                Flags=mqmq.TransactionHeaderFlags(FA=1),
            ),
        )
        return self._message(way, packet, riding=riding, bent=bent)

    def resend(self, way: Direction) -> None:
        """Send messages without OrderAck again (3.1.6.5); the first one may have lost its predecessor."""
        us = self.sides[way]
        us.behind = len(us.waiting)
        self.catch_up(way)

    def catch_up(self, way: Direction) -> None:
        """Continue to send them, up to the window."""
        us = self.sides[way]
        us.behind = min(us.behind, len(us.waiting))
        while us.behind and self.can_send(way):
            at = len(us.waiting) - us.behind
            if at:
                us.waiting[at].previous = us.waiting[at - 1].number
            us.behind -= 1
            self._transactional(way, us.waiting[at])

    def session_ack(self, way: Direction, bent: Any = None) -> Any:
        us = self.sides[way]
        return self.put(way, mqqb.SessionAck(SessionHeader=us.header(us.window)), bent)

    def _acknowledgment(self, way: Direction, kind: Any, message_class: int, body: Any) -> Any:
        return kind(
            UserHeader=self._user_header(way, self._next_message(way), 4, recoverable=kind is mqqb.FinalAck),
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
                Label="QM Ordering Ack\0", MessageClass=message_class, MessageBody=body.encode()
            ),
        )

    def order_ack(self, way: Direction, **changed: Any) -> Any:
        us = self.sides[way]
        body = mqqb.OrderAckBody(
            TxSequenceID=mqmq.TxSequenceID(*us.incoming), TxSequenceNumber=us.incoming_number
        )
        made = self._acknowledgment(way, mqqb.OrderAck, 0xFF, body)
        wrong = self._acknowledgment(way, mqqb.OrderAck, 0xFF, mw.replace(body, **changed))
        return self._message(way, made, riding=False, bent=lambda _: wrong)

    def final_ack(self, way: Direction, **changed: Any) -> Any:
        """The oldest message that was received is taken from its queue."""
        message = self.sides[way].unread.pop(0)
        header = message.TransactionHeader
        body = mqqb.FinalAckBody(
            TxSequenceID=header.TxSequenceID,
            TxSequenceNumber=header.TxSequenceNumber,
            TxPreviousSequenceNumber=header.PreviousTxSequenceNumber,
            SourceGUID=message.UserHeader.SourceQueueManager,
            MessageID=message.UserHeader.MessageID,
        )
        made = self._acknowledgment(way, mqqb.FinalAck, 0x4000, body)
        wrong = self._acknowledgment(way, mqqb.FinalAck, 0x4000, mw.replace(body, **changed))
        return self._message(way, made, riding=False, bent=lambda _: wrong)

    # ------------------------------------------------------------------------------------------ arrival

    def arrive(self, way: Direction, most: int = 1) -> None:
        """The next packets of a direction reach the other side."""
        for packet in self.flying[way][:most]:
            self._arrived(self.sides[other(way)], packet)
        del self.flying[way][:most]

    def settle(self) -> None:
        for way in WAYS:
            self.arrive(way, len(self.flying[way]))

    def _arrived(self, us: Manager, packet: Any) -> None:
        header = getattr(packet, "SessionHeader", None)
        if not isinstance(packet, mqqb.SessionAck):
            us.received += 1
            us.recoverable_received += int(packet.UserHeader.Flags.DM)
        if header is not None:
            fresh = (header.AckSequenceNumber - us.peer_acknowledged) % N
            us.peer_acknowledged += fresh
            us.unacknowledged -= fresh
        if isinstance(packet, mqqb.OrderAck):
            self._order_acknowledged(us, packet)
        elif isinstance(packet, mqmq.UserMessage) and packet.TransactionHeader is not None:
            self._accept(us, packet)

    @staticmethod
    def _order_acknowledged(us: Manager, packet: Any) -> None:
        body = mqqb.OrderAckBody.decode(packet.MessagePropertiesHeader.MessageBody)
        if (body.TxSequenceID.Ordinal, body.TxSequenceID.TimeStamp) != (us.ordinal, 5):
            return
        us.waiting = [place for place in us.waiting if place.number > body.TxSequenceNumber]
        if not us.waiting:
            us.ordinal += 1
            us.number = 1

    @staticmethod
    def _accept(us: Manager, packet: Any) -> None:
        """Accept a transactional message in order and once (3.1.5.8.6)."""
        header = packet.TransactionHeader
        place = header.TxSequenceID.Ordinal, header.TxSequenceID.TimeStamp
        number, previous = header.TxSequenceNumber, header.PreviousTxSequenceNumber
        same = place == us.incoming and previous <= us.incoming_number < number
        if same or (place > us.incoming and previous == 0):
            us.incoming, us.incoming_number = place, number
            us.unread.append(packet)

    # ------------------------------------------------------------------------------------- random talk

    def step(self, choice: int) -> None:
        """Do one of the possible actions, chosen by a number from 0 to 255."""
        way, riding = WAYS[choice & 1], bool(choice & 2)
        us = self.sides[way]
        what = choice >> 2 & 15
        if what < 5:
            self.arrive(way, 1 + (choice >> 6))
        elif what < 7:
            if us.received != us.told or us.recoverable_received != us.acknowledged:
                self.session_ack(way)
        elif what == 15 and choice >> 6 == 3:
            self.reconnect()
        elif not self.can_send(way):
            return
        elif us.behind:
            self.catch_up(way)
        elif what == 7:
            self.send(way, riding=riding)
        elif what == 8:
            self.send(way, recoverable=True, riding=riding)
        elif what < 12:
            self.transact(way, riding=riding)
        elif what == 12:
            self.resend(way)
        elif what == 13 and us.incoming_number:
            self.order_ack(way)
        elif what == 14 and us.unread:
            self.final_ack(way)

    def talk(self, choices: bytes) -> Wire:
        for choice in choices:
            self.step(choice)
        return self
