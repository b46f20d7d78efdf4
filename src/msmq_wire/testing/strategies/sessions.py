"""Sessions of [MS-MQQB]: consistent packets in both directions.

1. A session is opened by EstablishConnection and ConnectionParameters, each asked and answered.  A refused
   session ends there.  After the end of one session another may be opened: a reconnect, with new counters.
2. The SessionHeader of a packet counts the UserMessages that its sender has sent and received in the
   session, the recoverable ones separately; acknowledged messages are persisted.  A SessionAck is sent only
   if a message awaits acknowledgment.
3. Messages of a transaction have consecutive numbers in one sequence, and are acknowledged by OrderAck and
   FinalAck.  Acknowledgments are messages too, and count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msmq_wire as mw
from msmq_wire import mqmq, mqqb

from .choices import GUIDS, Dice
from .packets import final_ack_body, final_ack_of, from_dice, message, order_ack_body, order_ack_of, sent_by

if TYPE_CHECKING:
    from hypothesis import strategies as st

    from msmq_wire import GUID
    from msmq_wire.packets.kinds import Packet

_WINDOW = mqmq.SessionHeader().WindowSize
Direction: TypeAlias = Literal["->", "<-"]
"""``"->"`` for packets of the initiator, ``"<-"`` for packets of the acceptor."""


class Side:
    """The counts of one side in a session."""

    def __init__(self, manager: GUID) -> None:
        self.manager = manager
        self.sent = self.received = self.recoverable_sent = self.recoverable_received = 0
        self.acknowledged = self.announced = 0

    def send(self, other: Side, *, recoverable: bool) -> None:
        """Count a message to the other side."""
        self.sent += 1
        self.recoverable_sent += recoverable
        other.received += 1
        other.recoverable_received += recoverable

    def header(self) -> Any:
        """Return the next SessionHeader of this side."""
        waiting = self.recoverable_received - self.acknowledged
        first = self.acknowledged + 1 if waiting else 0
        self.acknowledged = self.recoverable_received
        self.announced = self.received
        return mqmq.SessionHeader.raw(
            self.received, first, (1 << waiting) - 1, self.sent, self.recoverable_sent, _WINDOW, 0
        )


class _Talk:
    """The packets of all sessions between two queue managers."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.managers = GUIDS[1 + dice.byte() % 31], GUIDS[32 + dice.byte() % 31]
        self.packets: list[tuple[Direction, Any]] = []
        self.sides: dict[Direction, Side] = {}
        self.number = 0
        self.last = {"->": 0, "<-": 0}

    def open(self, *, refused: bool, stamp: int) -> None:
        self.sides = {"->": Side(self.managers[0]), "<-": Side(self.managers[1])}
        header = mqqb.EstablishConnectionHeader(
            ClientGuid=self.managers[0], ServerGuid=self.managers[1], TimeStamp=stamp
        )
        answer = mqqb.InternalHeader(Flags=mqqb.InternalHeaderFlags(CS=int(refused)))
        self.packets.append(("->", mqqb.EstablishConnection(EstablishConnectionHeader=header)))
        self.packets.append(
            ("<-", mqqb.EstablishConnection(InternalHeader=answer, EstablishConnectionHeader=header))
        )
        if not refused:
            parameters = mqqb.ConnectionParameters()
            self.packets += [("->", parameters), ("<-", parameters)]

    def send(self, way: Direction, packet: Any, *, recoverable: bool, riding: bool) -> Any:
        """Count a message, number it, and append a SessionHeader."""
        back: Direction = "<-" if way == "->" else "->"
        ours, theirs = self.sides[way], self.sides[back]
        self.number += 1
        ours.send(theirs, recoverable=recoverable)
        packet = sent_by(packet, ours.manager)
        head = mw.replace(packet.UserHeader, MessageID=self.number)
        changes: dict[str, Any] = {"UserHeader": head}
        if riding:
            changes["SessionHeader"] = ours.header()
        sent = mw.replace(packet, **changes)
        self.packets.append((way, sent))
        return sent

    def message(self, way: Direction) -> None:
        dice = self.dice
        transactional, riding = dice.flag(), dice.flag()
        packet = message(
            Dice(dice.draw),
            transactional=transactional,
            with_session_header=False,
            over_http=False,
            from_remote_read=False,
            with_destinations=False,
            with_soap=False,
        )
        if transactional:
            number = self.last[way] = self.last[way] + 1
            header = mqmq.TransactionHeader(
                Flags=packet.TransactionHeader.Flags.replace(FA=1),
                TxSequenceID=mqmq.TxSequenceID(1, 1),
                TxSequenceNumber=number,
                PreviousTxSequenceNumber=number - 1,
                ConnectorQMGuid=packet.TransactionHeader.ConnectorQMGuid,
            )
            packet = mw.replace(packet, TransactionHeader=header)
        if transactional and packet.UserHeader.QueueManagerAddress:  # the receiver acknowledges it
            header = mw.replace(packet.UserHeader, QueueManagerAddress=self.managers[way == "->"])
            packet = mw.replace(packet, UserHeader=header)
        recoverable = bool(packet.UserHeader.Flags.DM)
        sent = self.send(way, packet, recoverable=recoverable, riding=riding)
        if transactional and dice.flag():
            self.acknowledge("<-" if way == "->" else "->", sent)

    def acknowledge(self, way: Direction, sent: Any) -> None:
        """Return OrderAck and FinalAck of a transactional message; they cannot have a SessionHeader."""
        order, final = (
            order_ack_of(self.dice, order_ack_body(sent)),
            final_ack_of(self.dice, final_ack_body(sent)),
        )
        self.send(way, order, recoverable=False, riding=False)
        self.send(way, final, recoverable=True, riding=False)

    def session(self) -> None:
        refused = self.dice.byte() % 4 == 3
        self.open(refused=refused, stamp=len(self.packets) * 1000)
        if refused:
            return
        for _ in range(self.dice.byte() % 4):
            way: Direction = self.dice.pick(("->", "<-"))
            owing = [side for side in self.sides if self.sides[side].received != self.sides[side].announced]
            if self.dice.byte() % 3 == 2 and owing:
                if way not in owing:
                    (way,) = owing
                self.packets.append((way, mqqb.SessionAck(SessionHeader=self.sides[way].header())))
            else:
                self.message(way)


def session_packets(dice: Dice) -> list[tuple[Direction, Packet]]:
    """Return the packets of one session, or of several with reconnects."""
    talk = _Talk(dice)
    for _ in range(1 + dice.byte() % 3 // 2):
        talk.session()
    return talk.packets


def sessions() -> st.SearchStrategy[list[tuple[Direction, Packet]]]:
    """Generate the packets between two queue managers: one session, or several with reconnects.

    Every packet is conformant, also in the context of the packet that it answers or acknowledges.

    Examples:
        >>> from hypothesis import find
        >>> for way, packet in find(sessions(), lambda session: len(session) == 5):
        ...     print(way, type(packet).__name__)
        -> EstablishConnection
        <- EstablishConnection
        -> ConnectionParameters
        <- ConnectionParameters
        -> UserMessage
    """
    return from_dice(session_packets)
