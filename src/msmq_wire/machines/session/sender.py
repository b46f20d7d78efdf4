"""The sending half of a session ([MS-MQQB] 3.1.7.1, 3.1.5.5 to 3.1.5.7): numbers, window, resending.

1. A message stays in the table until it needs no further processing.  Messages are sent in the order of the
   table.
2. `flying` contains packets without a session acknowledgment, in the order sent; its length is
   UnAckedMessageCount.  By the wording of 3.1.3.2 that count would start with messages that were not sent yet
   (errata Q28).
3. A transactional message keeps its number when it is sent again, also in a later session (errata Q26), so
   the receiver detects duplicates.
4. The number of unacknowledged messages never exceeds the smaller of both windows (errata Q23).
5. The resend interval grows with each resending, and begins anew when an OrderAck arrives (errata Q37).
"""

from __future__ import annotations

import heapq
from collections import deque
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msmq_wire as mw
from msmq_wire import GUID, NULL_GUID, mqmq, mqqb
from msmq_wire.checks.sessions.of_endpoints import names_unsent, not_ordered, stores_unsent
from msmq_wire.checks.sessions.state import SideState
from msmq_wire.documents.session_protocol import NUMBERS, PAUSED, acknowledge, ahead, distance
from msmq_wire.documents.transactions import sequence_of, transaction_id
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.numbers import FOREVER

from .acknowledgments import administration, order_ack
from .events import Acknowledged, AcknowledgedBy, Elsewhere, Expired, Journal
from .interop import goes_to_system_queue, require_sendable
from .message import Message
from .reports import report_of_sending, report_queue
from .state import Entry

if TYPE_CHECKING:
    from .link import Link
    from .state import Outbox


_AFTER_REFUSAL = 0.5
"""Seconds in which refusals of messages that were sent together come."""

Sendable = Message | mqmq.UserMessage | mqqb.OrderAck | mqqb.FinalAck
"""The content that `put` accepts."""


class Sender:
    """The sending half of one side.

    Attributes:
        box: Messages and their transactional sequence.
        waiting: Tokens of messages to be sent.
        flying: Tokens of packets without a session acknowledgment; 0 for an OrderAck.
        unstored: Tokens of recoverable messages that are not stored yet, by their number in this session.
        numbered: Tokens of transactional messages that were sent and have no OrderAck, in order.
        expiring: Expiry times and tokens of messages, as a heap.
    """

    __slots__ = ("box", "expiring", "flying", "link", "numbered", "unstored", "waiting")

    def __init__(self, link: Link, box: Outbox) -> None:
        """Create the sending half with the messages of an outbox."""
        self.link = link
        self.flying: deque[int] = deque()
        self.unstored: dict[int, int] = {}
        self.adopt(box)

    def adopt(self, box: Outbox) -> None:
        """Take over an outbox: all its messages are to be sent."""
        self.box = box
        self.waiting: deque[int] = deque(box.table)
        self.numbered: deque[int] = deque(token for token, entry in box.table.items() if entry.number)
        self.expiring = [
            (entry.deadline, token) for token, entry in box.table.items() if entry.deadline is not None
        ]
        heapq.heapify(self.expiring)
        for entry in box.table.values():
            entry.flying = False

    def begin(self) -> None:
        """Start a session: all waiting messages are sent again ([MS-MQQB] 3.1.3.2)."""
        self.flying.clear()
        self.unstored.clear()
        if self.link.manager.readings.numbered_anew:
            for entry in self.box.table.values():
                entry.sequence = entry.number = 0
        self.adopt(self.box)
        self.link.state.previous = self.box.last_ack
        self._watch_expiry()

    # ------------------------------------------------------------------------------ adding messages

    def put(self, content: Sendable, *, acknowledges: bool = False) -> int:
        """Add a message to the table ([MS-MQQB] 3.1.7.12).

        Args:
            content: A message, or a packet to forward.
            acknowledges: Whether it is an acknowledgment created by this side.

        Returns: Its token.

        Raises:
            EncodeError: The content cannot be encoded.
            MsmqWireError: Its MessageID is in use.
        """
        manager, state = self.link.manager, self.link.state
        if isinstance(content, Message):
            token = self._fresh_id()
            sent_at = int(state.now)
            packet: Any = manager.shapes.packet(content, _guid(state.remote), token, sent_at)
            entry = Entry(
                packet.encode(),
                content.is_stored,
                content.transactional,
                acknowledges,
                content.transactional and (content.journal or content.dead_letter or content.final_ack),
                content.journal and self._is_journaled(packet),
                content.dead_letter and self._is_journaled(packet),
                traced=bool(content.trace),
            )
            lasts = content.reach_queue
            until = sent_at + lasts
        else:
            require_sendable(content, manager.settings.profile)
            token, packet = self._identified(content)
            entry = self._entry_of(packet, acknowledges=acknowledges)
            lasts = packet.BaseHeader.TimeToReachQueue
            until = packet.UserHeader.SentTime + lasts
        box = self.box
        if lasts != FOREVER:
            entry.deadline = float(until)
            heapq.heappush(self.expiring, (entry.deadline, token))
            self._watch_expiry()
        if acknowledges:
            box.acknowledgments += 1
            box.acknowledgment_bytes += len(entry.data)
        box.table[token] = entry
        self.waiting.append(token)
        return token

    def _identified(self, packet: Any) -> tuple[int, Any]:
        """Return a packet with its number, and the token; only own packets without a number get a new one."""
        manager, header = self.link.manager, packet.UserHeader
        if header.SourceQueueManager != manager.identifier:
            return self._fresh_id(), packet
        if header.MessageID:
            if header.MessageID in self.box.table or header.MessageID in self.box.awaiting_final:
                raise MsmqWireError(f"MessageID {header.MessageID} is already in use")
            return header.MessageID, packet
        token = self._fresh_id()
        sent_at = header.SentTime or int(self.link.state.now)
        return token, mw.replace(packet, UserHeader=mw.replace(header, MessageID=token, SentTime=sent_at))

    def _fresh_id(self) -> int:
        """Return a new MessageID; those that the caller has set are skipped."""
        box, manager = self.box, self.link.manager
        token = manager.next_message_id()
        while token in box.table or token in box.awaiting_final:
            token = manager.next_message_id()
        return token

    def _entry_of(self, packet: Any, *, acknowledges: bool) -> Entry:
        flags = packet.UserHeader.Flags
        if getattr(packet, "SessionHeader", None) is not None:
            packet = mw.replace(packet, SessionHeader=None)
        transaction: Any = getattr(packet, "TransactionHeader", None)
        ours = packet.UserHeader.SourceQueueManager == self.link.manager.identifier
        transactional = transaction is not None and ours
        journaled = bool(flags.JP or flags.JN) and self._is_journaled(packet)
        return Entry(
            packet.encode(),
            stored=flags.DM == 1,
            transactional=transactional,
            acknowledges=acknowledges,
            final=transactional and bool(flags.JP or flags.JN or transaction.Flags.FA),
            journal=journaled and bool(flags.JP),
            dead_letter=journaled and bool(flags.JN),
            traced=isinstance(packet, mqmq.UserMessage) and report_queue(packet) is not None,
        )

    def _is_journaled(self, packet: Any) -> bool:
        """Return whether source journaling is done for a message that requests it ([MS-MQQB] note 2)."""
        return self.link.manager.settings.journals_system_queues or not goes_to_system_queue(packet)

    def take_back(self, token: int) -> Entry:
        """Remove a message from the table."""
        entry = self.box.table.pop(token)
        if entry.acknowledges:
            self.box.acknowledgments -= 1
            self.box.acknowledgment_bytes -= len(entry.data)
        return entry

    # ------------------------------------------------------------------------------------------ sending

    def pump(self) -> None:
        """Send all packets that can be sent now ([MS-MQQB] 3.1.7.1)."""
        link, waiting, flying = self.link, self.waiting, self.flying
        state, table = link.state, self.box.table
        if state.phase != "OPEN" or state.paused:
            return
        limit = link.manager.settings.window
        if not link.manager.readings.own_window:
            limit = min(limit, state.peer_window or 1)
        while len(flying) < limit:
            if state.sendable_orders:
                self._send_order()
                continue
            if not waiting:
                return
            token = waiting.popleft()
            entry = table.get(token)
            if entry is None or entry.flying:
                continue
            if entry.deadline is not None and state.now > entry.deadline:
                heapq.heappush(self.expiring, (entry.deadline, token))
                link.start("expiry", 0)  # the timer reports it to the caller
                continue
            self._send(token, entry)

    def _send(self, token: int, entry: Entry) -> None:
        """Update and send the packet ([MS-MQQB] 3.1.7.1.3, 3.1.7.1.6)."""
        state = self.link.state
        data = self._placed(token, entry) if entry.transactional else entry.data
        entry.flying = True
        if entry.stored:
            state.recoverable_sent += 1
            self.unstored[state.recoverable_sent] = token
        self._transmit(token, data)
        if entry.traced:
            self._report(data)

    def _report(self, data: bytes) -> None:
        """Send a trace message ([MS-MQQB] 3.1.7.1.7)."""
        link = self.link
        packet: Any = mw.decode(data)
        report = report_of_sending(packet, link.state.now, link.state.address)
        if report is not None:
            link.events.append(Elsewhere(report, None))

    def _transmit(self, token: int, data: bytes) -> None:
        link = self.link
        state = link.state
        state.sent += 1
        if state.unacknowledged and self._is_late():
            packet: Any = mw.decode(data)
            if isinstance(packet, mqmq.UserMessage):
                data = _riding(packet, self.header(riding=True))
        self.flying.append(token)
        state.active = True
        if "ack_wait" not in state.timers:
            link.start("ack_wait", self.ack_wait)
        link.output.append(data)

    @property
    def ack_wait(self) -> float:
        """Return the duration of the Session Ack Wait Timer ([MS-MQQB] 3.1.2.4, product note 46)."""
        state = self.link.state
        factor = self.link.manager.settings.ack_wait_factor if state.direct else 1
        return factor * state.ack_timeout / 1000

    def _is_late(self) -> bool:
        """Return whether over 75 percent of the Session Ack Send Timer have passed ([MS-MQQB] 3.1.7.11)."""
        state = self.link.state
        until = state.timers.get("ack_send")
        return until is not None and state.now - state.ack_started > 0.75 * (until - state.ack_started)

    def _placed(self, token: int, entry: Entry) -> bytes:
        """Return a transactional message with its place in the sequence."""
        link, box = self.link, self.box
        state = link.state
        if entry.number:
            previous = state.previous
        else:
            if not box.sequence:
                box.sequence = link.manager.next_sequence(state.now)
            entry.sequence, entry.number = box.sequence, box.next_number
            box.next_number += 1
            previous = entry.number - 1
            self.numbered.append(token)
        link.start_if_stopped("tx_wait", self._resend_interval)
        state.previous = entry.number
        packet: Any = mw.decode(entry.data)
        header = mw.replace(
            packet.TransactionHeader,
            TxSequenceID=transaction_id(entry.sequence),
            TxSequenceNumber=entry.number,
            PreviousTxSequenceNumber=previous,
        )
        placed: mqmq.UserMessage = mw.replace(packet, TransactionHeader=header)
        return placed.encode()

    @property
    def _resend_interval(self) -> float:
        return self.box.interval(self.link.manager.settings.resend)

    def _lengthen_interval(self) -> None:
        intervals = self.link.manager.settings.resend
        self.box.resend_index = min(self.box.resend_index + 1, len(intervals) - 1)

    def _send_order(self) -> None:
        """Send one of the due OrderAcks ([MS-MQQB] 3.1.6.9)."""
        link = self.link
        state, manager = link.state, link.manager
        key, order = next(iter(state.orders.items()))
        del state.orders[key]
        if not state.orders:
            state.sendable_orders = False
        sequence = self.box.sequence if manager.readings.own_sequence else order.sequence
        packet = order_ack(
            manager.identifier,
            _guid(order.source),
            state.address if state.direct else "",
            manager.next_message_id(),
            int(state.now),
            sequence,
            order.number,
            manager.settings.profile,
        )
        self._transmit(0, packet.encode())

    def resend(self) -> None:
        """Send all transactional messages without OrderAck again ([MS-MQQB] 3.1.6.5)."""
        table = self.box.table
        if not self.link.manager.readings.resends_by_acknowledgments:
            self._lengthen_interval()
        again = {token: None for token in self.numbered if token in table}
        for token in again:
            table[token].flying = False
        self.numbered = deque(again)
        self.waiting = deque([*again, *(token for token in self.waiting if token not in again)])
        self.link.state.previous = self.box.last_ack
        self.link.stop("tx_wait")

    def _resend_soon(self) -> None:
        """Resend messages that the receiver dropped, because they came before the refused one was given up.

        Each of them may be refused, too: their FinalAcks come first, so that they are not sent again.
        """
        now, timers = self.link.state.now, self.link.state.timers
        self.link.start(
            "tx_wait", min(_AFTER_REFUSAL, max(timers.get("tx_wait", now + _AFTER_REFUSAL) - now, 0.0))
        )

    # ------------------------------------------------------------------------------------------ session acks

    def header(self, window: int | None = None, *, riding: bool = False) -> mqmq.SessionHeader:
        """Return the current SessionHeader, which acknowledges all received messages ([MS-MQQB] 3.1.6.4)."""
        link = self.link
        state = link.state
        if riding and link.manager.readings.empty_riders:
            state.flags = 0
        header = mqmq.SessionHeader(
            AckSequenceNumber=state.received % NUMBERS,
            RecoverableMsgAckSeqNumber=(state.last_acknowledged + 1) % NUMBERS if state.flags else 0,
            RecoverableMsgAckFlags=state.flags,
            UserMsgSequenceNumber=state.sent % NUMBERS,
            RecoverableMsgSeqNumber=state.recoverable_sent % NUMBERS,
            WindowSize=(PAUSED if state.paused else link.manager.settings.window)
            if window is None
            else window,
        )
        state.flags = state.unacknowledged = 0
        state.last_acknowledged = state.recoverable_received
        link.stop("ack_send")
        return header

    def session_ack(self, window: int | None = None) -> None:
        """Send a SessionAck."""
        self.link.output.append(mqqb.SessionAck(SessionHeader=self.header(window)).encode())

    def acknowledged(self, header: mqmq.SessionHeader) -> None:
        """Process a SessionHeader ([MS-MQQB] 3.1.5.5).

        Raises:
            Ended: The header acknowledges messages that were not sent.
        """
        link, flying = self.link, self.flying
        state = link.state
        fresh = distance(header.AckSequenceNumber, state.acknowledged)
        if fresh > len(flying):
            raise link.ended_by(names_unsent(link.packet, self._side()))
        table = self.box.table
        for _ in range(fresh):
            token = flying.popleft()
            entry = table.get(token)
            if entry is not None and not entry.stored:
                self._done(token, AcknowledgedBy.SESSION)
        state.acknowledged += fresh
        # Not as strict as `names_none` of the protocol: flags count from zero also where it names no message.
        if header.RecoverableMsgAckSeqNumber or header.RecoverableMsgAckFlags:
            self._stored(header.RecoverableMsgAckSeqNumber, header.RecoverableMsgAckFlags)
        if flying or self.unstored:
            link.start("ack_wait", self.ack_wait)
        else:
            link.stop("ack_wait")
        state.peer_window = header.WindowSize

    def _stored(self, first: int, flags: int) -> None:
        """Mark recoverable messages as stored: all up to the first, and those of the flags."""
        state = self.link.state
        base = state.recoverable_acknowledged
        last = ahead(first, base % NUMBERS) + max(flags.bit_length() - 1, 0)
        if last > state.recoverable_sent - base:
            raise self.link.ended_by(stores_unsent(self.link.packet, self._side()))
        number, flags = acknowledge(base % NUMBERS, state.recoverable_flags, first, flags)
        reached = base + distance(number, base)
        for stored in range(base + 1, reached + 1):
            self._is_stored(stored)
        for bit in range(flags.bit_length()):
            if flags >> bit & 1:
                self._is_stored(reached + 1 + bit)
        state.recoverable_acknowledged, state.recoverable_flags = reached, flags

    def _side(self) -> SideState:
        """Return the numbers of sent and acknowledged messages, as the rules of sessions take them."""
        state = self.link.state
        return SideState(
            sent=state.sent % NUMBERS,
            recoverable_sent=state.recoverable_sent % NUMBERS,
            acknowledged=state.acknowledged % NUMBERS,
            recoverable_acknowledged=state.recoverable_acknowledged % NUMBERS,
            recoverable_flags=state.recoverable_flags,
        )

    def _is_stored(self, number: int) -> None:
        token = self.unstored.pop(number, 0)
        entry = self.box.table.get(token)
        if entry is not None and not entry.transactional:
            self._done(token, AcknowledgedBy.STORED)

    def _done(self, token: int, kind: AcknowledgedBy) -> None:
        """Finish a delivered message that is not transactional; journaling by [MS-MQQB] 3.1.5.5.4."""
        entry = self.take_back(token)
        if not entry.acknowledges:
            journal: Journal = "journal" if entry.journal else ""
            self.link.events.append(Acknowledged(token, kind, 0, done=True, journal=journal))

    # ------------------------------------------------------------------------------------------ order acks

    def order_acknowledged(self, body: mqqb.OrderAckBody) -> None:
        """Process an OrderAck ([MS-MQQB] 3.1.5.6).

        Raises:
            Ended: The OrderAck acknowledges messages that were not sent.
        """
        link, box = self.link, self.box
        sequence, number = sequence_of(body.TxSequenceID), body.TxSequenceNumber
        if (sequence, number) >= (box.sequence, box.next_number):
            raise link.ended_by(not_ordered(link.packet, box.sequence, box.next_number - 1))
        if sequence != box.sequence:
            return
        box.ack_time = link.state.now
        box.ack_count += 1
        if link.manager.readings.resends_by_acknowledgments:
            self._lengthen_interval()
        elif number > box.last_ack:
            box.resend_index = 0
        box.last_ack = max(box.last_ack, number)
        numbered = self.numbered
        while numbered:
            token = numbered[0]
            entry = box.table.get(token)
            if entry is not None and entry.number > box.last_ack:
                break
            numbered.popleft()
            if entry is None:
                continue
            self.take_back(token)
            if entry.final:
                box.awaiting_final[token] = entry.journal, entry.dead_letter
            link.events.append(Acknowledged(token, AcknowledgedBy.ORDER, 0, done=not entry.final, journal=""))
        if numbered:
            link.start("tx_wait", self._resend_interval)
        self._end_sequence()

    def _end_sequence(self) -> None:
        """Start another sequence if every message of this one is acknowledged ([MS-MQQB] 3.1.1.5)."""
        box, table = self.box, self.box.table
        while self.numbered and self.numbered[0] not in table:
            self.numbered.popleft()
        if self.numbered or box.next_number == 1:
            return
        box.resend_index = box.last_ack = 0
        ordinal = (box.sequence + 1) & 0xFFFFFFFF
        box.sequence = box.sequence + 1 if ordinal else 0
        box.next_number = 1
        self.link.state.previous = 0
        self.link.stop("tx_wait")

    def finally_acknowledged(self, body: mqqb.FinalAckBody, message_class: int) -> None:
        """Process a FinalAck ([MS-MQQB] 3.1.5.7)."""
        link, box, token = self.link, self.box, body.MessageID
        if body.SourceGUID != link.manager.identifier:
            return
        positive = message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE
        entry = box.table.get(token)
        if token in box.awaiting_final:
            journal, dead_letter = box.awaiting_final.pop(token)
        elif (
            entry is not None
            and entry.number == body.TxSequenceNumber
            and entry.number
            and entry.sequence == sequence_of(body.TxSequenceID)
        ):
            journal, dead_letter = entry.journal, entry.dead_letter
            self.take_back(token)
            self._end_sequence()
            if not positive and self.numbered:
                self._resend_soon()
        else:
            return
        where: Journal = ""
        if positive and journal:
            where = "journal"
        elif not positive and dead_letter:
            where = "transactional dead-letter"
        link.events.append(Acknowledged(token, AcknowledgedBy.FINAL, message_class, done=True, journal=where))

    # ------------------------------------------------------------------------------------------ expiry

    def _watch_expiry(self) -> None:
        if self.expiring:
            deadline = self.expiring[0][0]
            self.link.start("expiry", max(0.0, deadline - self.link.state.now) + 0.001)

    def expire(self) -> None:
        """Report messages that expired before they were sent ([MS-MQQB] 3.1.7.1.2)."""
        link, heap, table = self.link, self.expiring, self.box.table
        while heap and heap[0][0] < link.state.now:
            _, token = heapq.heappop(heap)
            entry = table.get(token)
            # A message that was sent in time is checked when it is sent again.
            if entry is None or entry.flying:
                continue
            self.take_back(token)
            self._tell_expired(token, entry)
            self._end_sequence()
        self._watch_expiry()

    def _tell_expired(self, token: int, entry: Entry) -> None:
        if entry.acknowledges:
            return
        packet: Any = mw.decode(entry.data)
        where: Journal = ""
        if entry.dead_letter:
            where = "transactional dead-letter" if entry.transactional else "dead-letter"
        acknowledgment = None
        if packet.MessagePropertiesHeader.Flags.NA:
            answer = administration(
                packet,
                MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT,
                insecure=self.link.manager.settings.insecure_nacks,
            )
            acknowledgment = answer[0] if answer is not None else None
        self.link.events.append(Expired(token, None, where, acknowledgment))


@lru_cache(maxsize=64)
def _guid(text: str) -> GUID:
    return GUID(bytes.fromhex(text)) if text else NULL_GUID


def _riding(packet: mqmq.UserMessage, header: mqmq.SessionHeader) -> bytes:
    """Return a packet with a SessionHeader after it."""
    return mw.encode(mw.replace(packet, SessionHeader=header))
