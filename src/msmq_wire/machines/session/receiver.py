"""The receiving half of a session: counts, duplicates, order, and acknowledgments ([MS-MQQB] 3.1.5.8).

1. Every message is counted, including duplicates.  By the wording of 3.1.5.8.1 a duplicate would not be
   counted, and the counts of both sides would differ afterwards (errata Q27).
2. The number of a transactional sequence is that of the message accepted last.  By the wording of 3.1.5.8.6 a
   dropped message would decrease it (errata Q24).
3. A message that is refused because the queue manager has no room is not stored, so it is not a duplicate
   when it is sent again; one that exceeds the quota of its queue has its place in the sequence (errata Q38).
4. Sequences are identified by sender and identifier, so a sender can send to several queues at once.  A new
   sequence must be greater than the previous one to the same queue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msmq_wire as mw
from msmq_wire import NULL_GUID, mqmq, mqqb
from msmq_wire.checks.located import unreadable
from msmq_wire.checks.rules.session import requirement_of_unreadable
from msmq_wire.checks.sessions.of_endpoints import contradicts_arrived
from msmq_wire.checks.sessions.state import SideState
from msmq_wire.documents.session_protocol import NUMBERS
from msmq_wire.documents.transactions import sequence_of
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.numbers import DIRECT, FOREVER

from .acknowledgments import administration, final_ack, order_ack
from .events import (
    Acknowledged,
    AcknowledgedBy,
    Duplicate,
    Elsewhere,
    Expired,
    Journal,
    OutOfOrder,
    Received,
    Rejected,
)
from .interop import goes_to_system_queue, refusal
from .link import Ended
from .manager import NO_ROOM, need_negative
from .reports import report_of_arrival, report_queue
from .state import MAX_QUEUES, MAX_SEQUENCES, Order

if TYPE_CHECKING:
    from msmq_wire import GUID

    from .link import Link
    from .sender import Sender

_FLAGS = 32
"""Number of bits of RecoverableMsgAckFlags."""
_MOST_HOPS = 0x1D
"""Largest value of `UserHeader.Flags.RC`."""
_AT_THE_QUEUE = frozenset({MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA, NO_ROOM})
"""Refusals of [MS-MQQB] 3.1.5.8.8, after everything else; the others come first (3.1.5.8.2, 3.1.5.8.3)."""


class Receiver:
    """Handles packets from the other side, once the session is open."""

    __slots__ = ("link", "sender")

    def __init__(self, link: Link, sender: Sender) -> None:
        """Create the receiving half."""
        self.link = link
        self.sender = sender

    # ------------------------------------------------------------------------------------------ packets

    def session_ack(self, packet: mqqb.SessionAck) -> None:
        """Receive a SessionAck ([MS-MQQB] 3.1.5.5)."""
        self.sender.acknowledged(packet.SessionHeader)
        self._compare(packet.SessionHeader)

    def _compare(self, header: mqmq.SessionHeader) -> None:
        """Compare the counts of a SessionHeader with the messages that arrived ([MS-MQQB] 3.1.5.5.5)."""
        state = self.link.state
        arrived = state.received % NUMBERS, state.recoverable_received % NUMBERS
        if (header.UserMsgSequenceNumber, header.RecoverableMsgSeqNumber) != arrived:
            link, side = self.link, SideState(sent=arrived[0], recoverable_sent=arrived[1])
            raise link.ended_by(contradicts_arrived(link.packet, side))

    def order_ack(self, packet: mqqb.OrderAck) -> None:
        """Receive an OrderAck ([MS-MQQB] 3.1.5.6)."""
        self._count(packet)
        body = self._read(mqqb.OrderAckBody, packet)
        self.sender.order_acknowledged(body)

    def final_ack(self, packet: mqqb.FinalAck) -> None:
        """Receive a FinalAck ([MS-MQQB] 3.1.5.7)."""
        self._count(packet)
        body = self._read(mqqb.FinalAckBody, packet)
        self.sender.finally_acknowledged(body, packet.MessagePropertiesHeader.MessageClass)

    def _read(self, kind: Any, packet: Any) -> Any:
        try:
            return kind.decode(packet.MessagePropertiesHeader.MessageBody)
        except mw.DecodeError as error:
            raise self.link.ended_by(unreadable(requirement_of_unreadable(error.path), error)) from None

    def message(self, packet: mqmq.UserMessage) -> None:
        """Receive a UserMessage ([MS-MQQB] 3.1.5.8).

        A message whose SessionHeader has wrong counts is accepted before the session is closed ([MS-MQMQ]
        2.2.20.4).  One whose SessionHeader acknowledges messages that were not sent is not accepted; it is
        sent again.
        """
        link = self.link
        manager, header = link.manager, packet.UserHeader
        settings, box = manager.settings, self.sender.box
        if (
            box.acknowledgments >= settings.max_acknowledgments
            or box.acknowledgment_bytes >= settings.max_acknowledgment_bytes
        ):
            raise Ended("acknowledgments are not taken")
        transactional = packet.TransactionHeader is not None
        is_duplicate = not transactional and manager.has_come(
            header.SourceQueueManager, header.MessageID, link.state.now
        )
        if is_duplicate and manager.readings.duplicates_not_counted:
            link.events.append(Duplicate(packet))
            return
        try:
            self._arrived(packet)
        except Ended:
            if not (is_duplicate or transactional):
                manager.take_back(header.SourceQueueManager, header.MessageID)
            raise
        if is_duplicate:
            link.events.append(Duplicate(packet))
        else:
            self._take(packet)
        if packet.SessionHeader is not None:
            self._compare(packet.SessionHeader)

    def _take(self, packet: mqmq.UserMessage) -> None:
        """Deliver, forward or refuse a message that was counted."""
        link = self.link
        state, manager, header = link.state, link.manager, packet.UserHeader
        transactional = packet.TransactionHeader is not None
        here = header.QueueManagerAddress in (manager.identifier, NULL_GUID)
        if not here and header.Flags.RC >= _MOST_HOPS:
            self.reject(packet, MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED)
            return
        refused = self._judged(packet) if here else None
        if refused is not None and refused not in _AT_THE_QUEUE:
            self.reject(packet, refused)
            return
        lasts = packet.BaseHeader.TimeToReachQueue
        if lasts != FOREVER and state.now - header.SentTime > lasts:
            self._expired(packet)
            return
        if not here:
            self._forward(packet)
            return
        if refused == NO_ROOM and not (transactional and not self._is_next(packet)):
            manager.take_back(header.SourceQueueManager, header.MessageID)
            raise Ended("no room")
        if transactional and not self._accepts(packet):
            return
        if refused is not None:
            self.reject(packet, refused)
            return
        self._hand_over(packet, packet, "deliver")
        if packet.MessagePropertiesHeader.Flags.PA:
            self.administer(packet, MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_REACH_QUEUE)

    def _judged(self, packet: mqmq.UserMessage) -> int | None:
        """Return the class with which a message for this queue manager is refused; None if it is not."""
        manager = self.link.manager
        profile = manager.settings.profile
        refused = refusal(packet, profile) if profile is not None else None
        if refused is not None or manager.judge is None:
            return refused
        try:
            judgment = manager.judge(packet)
            if judgment is not None and judgment != NO_ROOM:
                need_negative("the result of judge", judgment, "None, NO_ROOM or a negative class")
        except Exception:
            manager.take_back(packet.UserHeader.SourceQueueManager, packet.UserHeader.MessageID)
            raise
        return judgment

    def _arrived(self, packet: mqmq.UserMessage) -> None:
        """Count a message, and process its acknowledgments of messages of this side."""
        self._count(packet)
        if packet.UserHeader.Flags.DQ == DIRECT:
            self.link.state.direct = True
        if packet.SessionHeader is not None:
            self.sender.acknowledged(packet.SessionHeader)
        if packet.MessagePropertiesHeader.MessageClass:
            self._administration(packet)

    def _count(self, packet: Any) -> None:
        """Count a message ([MS-MQQB] 3.1.5.8.2, 3.1.5.8.7)."""
        link = self.link
        state = link.state
        state.received += 1
        state.unacknowledged += 1
        state.active = True
        recoverable = packet.UserHeader.Flags.DM == 1
        readings = link.manager.readings
        if recoverable and state.recoverable_received - state.last_acknowledged >= _FLAGS:
            later = not readings.counted_before_stored  # this message is acknowledged with the next one
            state.received -= later
            self.sender.session_ack()
            state.received += later
            state.unacknowledged = int(later)
        if "ack_send" not in state.timers:
            state.ack_started = state.now
            link.start("ack_send", max(0.001, state.ack_timeout / 2000))
        if recoverable:
            state.recoverable_received += 1
            if not state.flags:
                state.ack_started = state.now
                soon = state.recoverable_ack_timeout
                if not readings.late_acknowledgments:
                    soon = min(soon, state.ack_timeout // 2 or 1)
                link.start("ack_send", soon / 1000)
            state.flags |= 1 << (state.recoverable_received - state.last_acknowledged - 1)

    @property
    def enough(self) -> int:
        """Number of messages that are acknowledged without waiting for a timer: half a window."""
        return (min(self.link.manager.settings.window, self.link.state.peer_window or 1) + 1) // 2

    # ------------------------------------------------------------------------------------------ decisions

    def _administration(self, packet: mqmq.UserMessage) -> None:
        """Handle an administration acknowledgment of a message of this side ([MS-MQQB] 3.1.5.11)."""
        properties = packet.MessagePropertiesHeader
        named, ours = properties.CorrelationID, self.link.manager.identifier.bytes_le
        if named[:16] == ours:
            token = int.from_bytes(named[16:], "little")
            done = token not in self.sender.box.table and token not in self.sender.box.awaiting_final
            self.link.events.append(
                Acknowledged(
                    token, AcknowledgedBy.ADMINISTRATION, properties.MessageClass, done=done, journal=""
                )
            )

    def _expired(self, packet: mqmq.UserMessage) -> None:
        """Handle a message that arrived too late ([MS-MQQB] 3.1.5.8, Message Expiration)."""
        if packet.MessagePropertiesHeader.Flags.NA:
            self.administer(packet, MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT)
        self.link.events.append(Expired(None, packet, "", None))

    def _forward(self, packet: mqmq.UserMessage) -> None:
        """Handle a message for another queue manager ([MS-MQQB] 3.1.5.8.2, 3.1.5.8.5)."""
        header = packet.UserHeader
        flags = header.Flags.replace(RC=header.Flags.RC + 1)
        onward = mw.replace(packet, UserHeader=mw.replace(header, Flags=flags), SessionHeader=None)
        self._hand_over(packet, onward, "forward")

    def _hand_over(
        self, packet: mqmq.UserMessage, onward: mqmq.UserMessage, action: Literal["deliver", "forward"]
    ) -> None:
        """Pass a message to the caller, with a report if it is traced ([MS-MQQB] 3.1.5.8.9)."""
        link, trace = self.link, report_queue(packet)
        link.events.append(Received(onward, action, packet.UserHeader.Flags.DM == 1, trace))
        if trace is not None:
            report: Any = report_of_arrival(packet, link.state.now)
            link.events.append(Elsewhere(report, None))

    def reject(self, packet: mqmq.UserMessage, message_class: int) -> None:
        """Reject a message ([MS-MQQB] 3.1.5.8.2, 3.1.5.8.8)."""
        where: Journal = ""
        if packet.TransactionHeader is not None:
            self.finally_acknowledge(packet, packet.TransactionHeader, message_class)
        elif (
            packet.UserHeader.Flags.JN
            and message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA
        ):
            where = "dead-letter"
        if packet.MessagePropertiesHeader.Flags.NA:
            self.administer(packet, message_class)
        self.link.events.append(Rejected(packet, message_class, where))

    def _place(self, packet: mqmq.UserMessage) -> tuple[int, int, int, str]:
        """Return sequence and number of a message, the number accepted last, and a key of its queue."""
        header: Any = packet.TransactionHeader
        inbox = self.link.manager.inbox(packet.UserHeader.SourceQueueManager)
        identifier, queue = sequence_of(header.TxSequenceID), packet.UserHeader.DestinationQueue
        key = f"{type(queue).__name__}:{queue.encode().hex()}" if queue is not None else ""
        return identifier, header.TxSequenceNumber, inbox.sequences.get(identifier, 0), key

    def _is_next(self, packet: mqmq.UserMessage) -> bool:
        """Return whether a transactional message is in order ([MS-MQQB] 3.1.5.8.6)."""
        identifier, number, last, key = self._place(packet)
        header: Any = packet.TransactionHeader
        previous = header.PreviousTxSequenceNumber
        newest = self.link.manager.inbox(packet.UserHeader.SourceQueueManager).newest.get(key, 0)
        if last:
            return previous <= last < number and identifier >= newest
        return previous == 0 and number > 0 and identifier > newest

    def _accepts(self, packet: mqmq.UserMessage) -> bool:
        """Process a transactional message; return whether it is accepted ([MS-MQQB] 3.1.5.8.6)."""
        link = self.link
        source = packet.UserHeader.SourceQueueManager
        inbox = link.manager.inbox(source)
        inbox.accessed = link.state.now
        accepted = self._is_next(packet)
        identifier, number, last, key = self._place(packet)
        newest = inbox.newest.get(key, 0)
        if accepted:
            inbox.rejects = 0
            _keep(inbox.newest, key, identifier, MAX_QUEUES)
        else:
            inbox.rejects += 1
        is_old = last >= number or identifier < newest
        if accepted or link.manager.readings.number_received_last:
            last = number
            _keep(inbox.sequences, identifier, number, MAX_SEQUENCES)
        self._schedule(source, identifier, last)
        if not accepted:
            link.events.append(Duplicate(packet) if is_old else OutOfOrder(packet, last, inbox.rejects))
        return accepted

    def _schedule(self, source: GUID, sequence: int, number: int) -> None:
        """Schedule an OrderAck ([MS-MQQB] 3.1.1.6.2)."""
        link = self.link
        state, settings = link.state, link.manager.settings
        if not number:
            return
        order = Order(source.bytes_le.hex(), sequence, number)
        _keep(state.orders, f"{order.source}{sequence:016x}", order, MAX_QUEUES)
        running = "order_ack" in state.timers
        if not running or state.now - state.last_order < settings.order_ack_delay:
            link.start("order_ack", settings.order_ack)

    def send_order_acks(self) -> None:
        """Order Ack Send Timer Event ([MS-MQQB] 3.1.6.9); OrderAcks for other senders become events."""
        link = self.link
        state, manager = link.state, link.manager
        for key, order in list(state.orders.items()):
            if order.source == state.remote:
                continue
            del state.orders[key]
            source = mw.GUID(bytes.fromhex(order.source))
            profile = manager.settings.profile
            packet = order_ack(manager.identifier, source, "", 0, 0, order.sequence, order.number, profile)
            link.events.append(Elsewhere(packet, source))
        state.sendable_orders = bool(state.orders)
        state.last_order = state.now

    # ------------------------------------------------------------------------------------ acknowledgments

    def administer(self, packet: mqmq.UserMessage, message_class: int) -> None:
        """Send an administration acknowledgment ([MS-MQQB] 3.1.7.15), over this session if it leads there."""
        link = self.link
        state, settings = link.state, link.manager.settings
        if not settings.acknowledges_system_queues and goes_to_system_queue(packet):
            return
        answer = administration(packet, message_class, insecure=settings.insecure_nacks)
        if answer is None:
            return
        acknowledgment, manager = answer
        if manager is None:
            name = mw.format_names.DirectName.parse(acknowledgment.destination)
            here = not state.address or name.address.lower() == state.address.lower()
        else:
            here = manager.bytes_le.hex() == state.remote
        if not here:
            link.events.append(Elsewhere(acknowledgment, manager))
            return
        try:
            self.sender.put(acknowledgment, acknowledges=True)
        except mw.EncodeError:  # the acknowledgment cannot be encoded, for example because of a long name
            return

    def finally_acknowledge(
        self, packet: mqmq.UserMessage, transaction: mqmq.TransactionHeader, message_class: int
    ) -> None:
        """Send a FinalAck ([MS-MQQB] 3.1.7.17)."""
        link = self.link
        state, manager = link.state, link.manager
        source = packet.UserHeader.SourceQueueManager
        here = source.bytes_le.hex() == state.remote
        address = state.address if state.direct and here else ""
        profile = manager.settings.profile
        acknowledgment = final_ack(
            packet, transaction, message_class, manager.identifier, address, 0, 0, profile
        )
        if here:
            self.sender.put(acknowledgment, acknowledges=True)
        else:
            link.events.append(Elsewhere(acknowledgment, source))


def _keep(table: dict[Any, Any], key: Any, value: Any, most: int) -> None:
    """Append an entry to a table of limited size."""
    table.pop(key, None)
    table[key] = value
    if len(table) > most:
        del table[next(iter(table))]
