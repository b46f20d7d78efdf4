"""The shared state of all sessions of a queue manager ([MS-MQQB] 3.1.1.3).

1. A `QueueManager` has its identity, its settings, and its records of other queue managers.  It has no
   queues: `judge` decides whether a message is accepted.
2. Sessions refer to it; it does not refer to them, except for the outboxes of acceptors, which wait here for
   the next session of the same peer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

import msmq_wire as mw
from msmq_wire import GUID, mqmq
from msmq_wire.values.errors import MsmqWireError, WrongTypeError, need, shortened, wrong_type
from msmq_wire.values.numbers import NEGATIVE_CLASSES, is_negative_class

from .link import need_time
from .management import IncomingTransfer, incoming_transfers
from .message import PacketTemplateCache
from .readings import Readings
from .settings import Settings
from .state import MAX_SOURCES, NEVER, Guid, Inbox, Outbox

NO_ROOM = -1
"""The result of `judge` if the quota of the whole queue manager is exceeded: the session is closed."""

Judge: TypeAlias = Callable[[mqmq.UserMessage], int | None]
"""Decides whether a message is accepted.

It returns None, a negative class of [MS-MQMQ] 2.2.18.1.6 such as MQMSG_CLASS_NACK_BAD_DST_Q, or `NO_ROOM`.
Another result raises a `MsmqWireError` from `receive`.  After that, or an error of its own, close the
connection and report it with `disconnected`, so that the message is sent again.
"""


def need_negative(name: str, message_class: object, expected: str) -> None:
    """Raise an error unless a value of the caller is a negative class.

    Raises:
        WrongTypeError: The value is not a number; True and False are none.
        MsmqWireError: The number does not have the form of a negative class.
    """
    if not isinstance(message_class, int) or isinstance(message_class, bool):
        raise WrongTypeError(f"{name}: {wrong_type(expected, message_class)}")
    if not is_negative_class(message_class):
        raise MsmqWireError(f"{name} is {shortened(message_class)}, not {expected} ({NEGATIVE_CLASSES})")


class _Memory(msgspec.Struct):
    """The records of a queue manager, as plain data."""

    identifier: Guid
    message_id: int = 0
    cookie: int = 0
    stamp: int = 0
    sessions: int = 0
    initiators: dict[str, int] = msgspec.field(default_factory=dict)
    history: dict[str, float] = msgspec.field(default_factory=dict)
    cleanup: float = NEVER
    inboxes: dict[Guid, Inbox] = msgspec.field(default_factory=dict)
    outboxes: dict[str, list[Outbox]] = msgspec.field(default_factory=dict)


def _key(source: GUID, message_id: int) -> str:
    return f"{source.bytes_le.hex()}{message_id:08x}"


class QueueManager:
    """The state of a queue manager that its sessions share.

    Attributes:
        identifier: `QueueManager.Identifier`.
        settings: Its durations, sizes and policies.
        readings: Its interpretations of ambiguous statements.
        judge: Decides whether a message is accepted; accepts every message by default.
        shapes: Cached packets, as templates for similar messages.
        booted: Boot time of its system, in seconds since 1970, for `TimeStamp`.
    """

    __slots__ = ("_memory", "booted", "identifier", "judge", "readings", "settings", "shapes")

    def __init__(
        self,
        identifier: GUID | str,
        settings: Settings | None = None,
        *,
        judge: Judge | None = None,
        booted: float = 0.0,
        readings: Readings | None = None,
    ) -> None:
        """Create a queue manager that knows no other queue managers.

        Raises:
            EncodeError: The identifier is not a GUID.
            WrongTypeError: Another argument has the wrong type.
            MsmqWireError: The boot time is not within 32 bits.
        """
        self.identifier = GUID.of(identifier)
        need("settings", settings, (Settings, type(None)), "Settings")
        need("readings", readings, (Readings, type(None)), "Readings")
        need_time(booted, "booted")
        if judge is not None and not callable(judge):
            raise WrongTypeError(f"judge: {wrong_type('a function', judge)}")
        self.settings = settings if settings is not None else Settings()
        self.readings = readings if readings is not None else Readings()
        self.judge = judge
        self.booted = booted
        self.shapes = PacketTemplateCache(self.identifier, self.settings.profile)
        self._memory = _Memory(self.identifier.bytes_le.hex())

    @property
    def sessions(self) -> int:
        """Number of accepted sessions that are not closed."""
        return self._memory.sessions

    @property
    def has_room(self) -> bool:
        """Whether another session would be accepted."""
        return self._memory.sessions < self.settings.max_sessions

    def has_license(self, initiator: GUID) -> bool:
        """Whether a session with an initiator is licensed; those with one count once ([MS-MQQB] note 57)."""
        most, initiators = self.settings.licenses, self._memory.initiators
        return most is None or len(initiators) < most or initiator.bytes_le.hex() in initiators

    def count_session(self, change: int, initiator: str) -> None:
        """Count a session with an initiator, in hexadecimal, that was accepted (1) or closed (-1)."""
        memory = self._memory
        memory.sessions += change
        count = memory.initiators.pop(initiator, 0) + change
        if count > 0:
            memory.initiators[initiator] = count

    def next_message_id(self) -> int:
        """Increment MessageIdOrdinal and return it; 0 means none and is skipped."""
        memory = self._memory
        memory.message_id = memory.message_id % 0xFFFFFFFF + 1
        return memory.message_id

    def next_cookie(self) -> int:
        """Increment PingCookie and return it."""
        self._memory.cookie = (self._memory.cookie + 1) & 0xFFFFFFFF
        return self._memory.cookie

    def next_sequence(self, now: float) -> int:
        """Return a new TxSequenceID, as a 64-bit number, greater than all before ([MS-MQQB] 3.1.1.3.1)."""
        memory = self._memory
        memory.stamp = max(int(now), memory.stamp + 1)
        return (memory.stamp & 0xFFFFFFFF) << 32 | 1

    # ------------------------------------------------------------------------------------------ history

    def has_come(self, source: GUID, message_id: int, now: float) -> bool:
        """Return whether a message is in MessageIDHistoryTable, and add it ([MS-MQQB] 3.1.5.8.1)."""
        memory, key = self._memory, _key(source, message_id)
        history = memory.history
        if not history:
            memory.cleanup = now + self.settings.history
        is_repeated = history.pop(key, None) is not None
        history[key] = now
        if len(history) > self.settings.history_size:
            del history[next(iter(history))]
        return is_repeated

    def take_back(self, source: GUID, message_id: int) -> None:
        """Remove a message from the history, because it was not kept and has to be sent again."""
        self._memory.history.pop(_key(source, message_id), None)

    def clean_history(self, now: float) -> None:
        """Process the MessageIDHistory Cleanup Timer, with the time of any session (3.1.6.7)."""
        memory, duration = self._memory, self.settings.history
        history = memory.history
        if memory.cleanup == NEVER or memory.cleanup > now + duration:  # restarted, or set back
            memory.cleanup = now + duration
        if memory.cleanup + duration == memory.cleanup:
            duration = 0.0  # too short for the precision of the time
        while history and memory.cleanup <= now:
            at = memory.cleanup
            for key, came in [*history.items()]:
                if came < at - duration or not duration:
                    del history[key]
                elif came > at:
                    history[key] = at  # likewise
            memory.cleanup += duration

    # ------------------------------------------------------------------------------------------ peers

    def inbox(self, source: GUID) -> Inbox:
        """Return the transactional sequences of another queue manager."""
        boxes, key = self._memory.inboxes, source.bytes_le.hex()
        box = boxes.get(key)
        if box is None:
            box = boxes[key] = Inbox()
            if len(boxes) > MAX_SOURCES:
                del boxes[next(iter(boxes))]
        return box

    def take_outbox(self, remote: str) -> Outbox:
        """Remove and return the messages that wait for a queue manager; the calling session stores them."""
        waiting = self._memory.outboxes.get(remote)
        if not waiting:
            return Outbox()
        box, others = waiting[0], waiting[1:]
        kept = []
        # A session has one sequence; messages that were already sent wait for a session of their own.
        for other in others:
            shared = box.table.keys() & other.table.keys()
            if shared or any(entry.number for entry in other.table.values()):
                kept.append(other)
                continue
            box.table.update(other.table)
            box.awaiting_final.update(other.awaiting_final)
            box.acknowledgments += other.acknowledgments
            box.acknowledgment_bytes += other.acknowledgment_bytes
        if kept:
            self._memory.outboxes[remote] = kept
        else:
            del self._memory.outboxes[remote]
        return box

    def keep_outbox(self, remote: str, box: Outbox) -> None:
        """Store the messages that wait for the next session of a queue manager.

        If there are too many, acknowledgments for peers that never reconnect are dropped; messages of
        the caller are not.
        """
        if not box.table and not box.awaiting_final:
            return
        kept = self._memory.outboxes
        kept.setdefault(remote, []).append(box)
        boxes = [(key, outgoing) for key, waiting in kept.items() for outgoing in waiting]
        size = sum(outgoing.acknowledgment_bytes for _, outgoing in boxes)
        surplus = len(boxes) - MAX_SOURCES
        for key, outgoing in boxes:
            if surplus <= 0 and size <= 4 * self.settings.max_acknowledgment_bytes:
                break
            if len(outgoing.table) == outgoing.acknowledgments and not outgoing.awaiting_final:
                kept[key].remove(outgoing)
                if not kept[key]:
                    del kept[key]
                surplus -= 1
                size -= outgoing.acknowledgment_bytes

    @property
    def incoming_transfers(self) -> list[IncomingTransfer]:
        """Progress of received transactional messages, by sender and queue ([MS-MQDMPR] 3.1.1.5)."""
        return [
            transfer
            for key, inbox in self._memory.inboxes.items()
            for transfer in incoming_transfers(GUID(bytes.fromhex(key)), inbox, self.identifier)
        ]

    # ------------------------------------------------------------------------------------------ snapshot

    def snapshot(self) -> dict[str, Any]:
        """Return the state that has to survive a crash, as JSON types.

        Messages that wait in sessions are in the snapshots of the sessions.
        """
        snapshot: dict[str, Any] = msgspec.to_builtins(self._memory, str_keys=True)
        return snapshot

    @classmethod
    def restore(
        cls,
        snapshot: dict[str, Any],
        settings: Settings | None = None,
        *,
        judge: Judge | None = None,
        booted: float = 0.0,
        readings: Readings | None = None,
    ) -> QueueManager:
        """Create a queue manager from a `snapshot`.

        Raises:
            MsmqWireError: The argument is not a snapshot.
        """
        try:
            memory = msgspec.convert(snapshot, _Memory, strict=True, str_keys=True)
            identifier = GUID.of(bytes.fromhex(memory.identifier))
            manager = cls(identifier, settings, judge=judge, booted=booted, readings=readings)
        except (msgspec.ValidationError, mw.EncodeError, ValueError, TypeError) as error:
            raise MsmqWireError(f"not a snapshot of a QueueManager: {error}") from None
        manager._memory = memory
        return manager
