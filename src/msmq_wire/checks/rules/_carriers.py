"""[MC-MQDSRP] 3.1.7.2.1 and [MS-MQCN] 3.3.5.3: how messages with directory messages are sent.

1. The destination queue and the class of a message show that it carries a directory message.  The directory
   message determines its lifetime and priority.
2. A negative acknowledgment returns the body, but is not sent as the original message was.
3. A message returned by a remote read does not show how it was sent, because its lifetime is a point in time.
4. A message that is sent again has a short lifetime and the default priority ([MC-MQDSRP] 3.3.7.9).  Its
   acknowledgments are not checked where the lifetime shows that it may be one.
5. The errata decide ambiguous statements: priority 8 D10.  Signatures are not checked here, because that
   requires a key.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msmq_wire.documents.mqmq import MessagePropertiesHeaderFlags
from msmq_wire.packets.carriers import DirectoryQueue, carries, queue_of
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.directory.carried import read_carried
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.guid import NULL_GUID

from ._vocabulary import Embedded, RawViolation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from msmq_wire.records.record import Record

    from ._vocabulary import Channel

__all__ = ["DELIVERIES", "EMBEDDED", "JUDGED"]

_NORMAL = int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_NORMAL)
_BODY = "MessagePropertiesHeader", "MessageBody"
_PRIORITY = "BaseHeader", "Flags", "PR"
_TO_REACH = "BaseHeader", "TimeToReachQueue"
_TO_BE_RECEIVED = "UserHeader", "TimeToBeReceived"
_MODE = "UserHeader", "Flags", "DM"
_ACKNOWLEDGED = "MessagePropertiesHeader", "Flags"
_IDENTIFIED = "SecurityHeader", "Flags", "ST"
_QUEUE_MANAGER = 2
_NOTIFIED_WITHIN = 300
_FROM_DIRECTORY = 1
_ACKNOWLEDGMENTS = int(MessagePropertiesHeaderFlags(PA=1, PR=1, NA=1, NR=1))
_NOT_READ: tuple[Channel, ...] = ("session", "directory", "stored")

DELIVERIES: Final = {
    "ChangePropagationMessage": ("MQDSRP-3.3.7.2-15", "MQDSRP-3.3.7.2-16", "MQDSRP-3.3.7.2-17"),
    "ChangeRequestMessage": ("MQDSRP-3.3.7.1-05", "MQDSRP-3.3.7.1-06", "MQDSRP-3.3.7.1-07"),
    "SyncRequestMessage": ("MQDSRP-3.3.7.3-13", "MQDSRP-3.3.7.3-14", "MQDSRP-3.3.7.3-15"),
    "SyncReplyMessage": ("MQDSRP-3.2.7.3-25", "MQDSRP-3.2.7.3-26", "MQDSRP-3.2.7.3-27"),
    "ChangeReplyMessage": ("MQDSRP-3.2.7.6-08", "MQDSRP-3.2.7.6-09", "MQDSRP-3.2.7.6-10"),
    "AlreadyPurgedMessage": ("MQDSRP-3.2.7.7-07", "MQDSRP-3.2.7.7-07", "MQDSRP-3.2.7.7-07"),
    "PSCAckMessage": ("MQDSRP-3.3.7.4-09", "MQDSRP-3.3.7.4-10", "MQDSRP-3.3.7.4-11"),
    "BSCAckMessage": ("MQDSRP-3.3.6.2-06", "MQDSRP-3.3.6.2-07", "MQDSRP-3.3.6.2-08"),
}
"""The requirements on lifetime, priority and acknowledgments, by the directory message."""


def _looked_into(message: Any) -> Iterable[RawViolation | tuple[tuple[int, ...], int, Record]]:
    queue = carries(message)
    return () if queue is None else _carried(message, queue)


def _carried(
    message: Any, queue: DirectoryQueue
) -> Iterator[RawViolation | tuple[tuple[int, ...], int, Record]]:
    """Yield the directory message in the body, and violations of the message that carries it."""
    replication = queue is DirectoryQueue.REPLICATION
    carried = None
    if message.SecurityHeader is None or not message.SecurityHeader.Flags.EB:
        try:
            carried = read_carried(message, queue)
        except DecodeError as error:  # an expected message that cannot be decoded must be reported
            kind = "a replication message" if replication else "a change notification"
            yield RawViolation(
                "MQDSRP-2.1-02" if replication else "MQCN-2.1-01",
                _BODY,
                message.MessagePropertiesHeader.MessageBody,
                f"{kind} and nothing else",
                f"{'.'.join(('UserMessage', *_BODY))} should be {kind}, but {error.path}: {error.problem}",
            )
    if carried is not None:
        yield (), 0, carried
        if not replication and len(carried.Data.Unused) != 1:
            held = message.MessagePropertiesHeader.MessageBody
            yield RawViolation(
                "MQCN-3.3.5.3-09", _BODY, held, "one byte longer than the change notification in it"
            )
    if message.MessagePropertiesHeader.MessageClass != _NORMAL:
        return
    if message.UserHeader.Flags.DM:
        express = "MQDSRP-3.1.7.2.1-07" if replication else "MQCN-3.3.5.3-05"
        yield _sent(express, _MODE, message.UserHeader.Flags.DM, "0, which is express")
    if replication or (carried is not None and carried.Version == _FROM_DIRECTORY):
        yield from _identification(message, "MQDSRP-3.1.7.2.1-14" if replication else "MQCN-3.3.5.3-15")
    if replication:
        yield from _replication(message, carried)
    elif message.BaseHeader.TimeToReachQueue != _NOTIFIED_WITHIN:
        found = message.BaseHeader.TimeToReachQueue
        yield _sent("MQCN-3.3.5.3-04", _TO_REACH, found, f"{_NOTIFIED_WITHIN} seconds")


def _sent(requirement: str, steps: tuple[str, ...], found: Any, allowed: str) -> RawViolation:
    """Yield violations in how the message was sent; a message from a remote read does not show this."""
    return RawViolation(requirement, steps, found, allowed, channels=_NOT_READ)


def _identification(message: Any, requirement: str) -> Iterator[RawViolation]:
    """Yield a violation unless the sender identifier is that of a queue manager."""
    security = message.SecurityHeader
    if security is None:
        yield _sent(requirement, _IDENTIFIED[:1], None, "present, with a queue manager as the sender")
    elif security.Flags.ST != _QUEUE_MANAGER:
        yield _sent(requirement, _IDENTIFIED, security.Flags.ST, f"{_QUEUE_MANAGER}, a queue manager")


class _Sent(NamedTuple):
    """How a replication message may be sent, for the first time or again."""

    hash_algorithm: int
    seconds: tuple[int, ...]
    priorities: tuple[int, ...]
    lifetime: int
    acknowledgments: int


@cache
def _sending(kind: type[Record]) -> _Sent:
    usual, again = (mqdsrp.delivery_of(kind, NULL_GUID, again=again) for again in (False, True))
    seconds = sorted({usual.time_to_reach_queue, again.time_to_reach_queue}, reverse=True)
    priorities = sorted({usual.priority, again.priority}, reverse=True)
    asked = int(MessagePropertiesHeaderFlags(NA=int(usual.negative_acknowledgment)))
    return _Sent(usual.hash_algorithm, tuple(seconds), tuple(priorities), usual.time_to_reach_queue, asked)


def _replication(message: Any, carried: Any) -> Iterator[RawViolation]:
    kind: Any = mqdsrp.ChangePropagationMessage if carried is None else type(carried)
    wanted = _sending(kind)
    found = message.MessagePropertiesHeader.HashAlgorithm
    if found != wanted.hash_algorithm:
        path = "MessagePropertiesHeader", "HashAlgorithm"
        yield _sent("MQDSRP-3.1.7.2.1-12", path, found, f"{wanted.hash_algorithm:#x}")
    if carried is None:
        return
    lifetime, urgency, acknowledged = DELIVERIES[kind.__name__]
    lifetimes = {
        _TO_REACH: message.BaseHeader.TimeToReachQueue,
        _TO_BE_RECEIVED: message.UserHeader.TimeToBeReceived,
    }
    for path, held in lifetimes.items():
        if held not in wanted.seconds:
            yield _sent(lifetime, path, held, f"{' or '.join(map(str, wanted.seconds))} seconds")
    if message.BaseHeader.Flags.PR not in wanted.priorities:
        allowed = " or ".join(map(str, wanted.priorities))
        yield _sent(urgency, _PRIORITY, message.BaseHeader.Flags.PR, allowed)
    asked = int(message.MessagePropertiesHeader.Flags) & _ACKNOWLEDGMENTS
    if asked != wanted.acknowledgments and message.BaseHeader.TimeToReachQueue == wanted.lifetime:
        yield _sent(acknowledged, _ACKNOWLEDGED, asked, f"{wanted.acknowledgments:#x}")


_NOTIFICATION = "ChangeNotificationMessage"


def _unread(message: Any, _: int) -> Iterator[tuple[str, str]]:
    """Yield the messages that an unknown body may contain."""
    queue = queue_of(message)
    if queue is DirectoryQueue.REPLICATION:
        yield from (("", name) for name in DELIVERIES)
    elif queue is DirectoryQueue.NOTIFICATION:
        yield "", _NOTIFICATION


EMBEDDED: dict[str, tuple[Embedded, ...]] = {
    "UserMessage": (
        Embedded(
            ".".join(_BODY), _looked_into, judges=True, holds=(*DELIVERIES, _NOTIFICATION), unread=_unread
        ),
    )
}
JUDGED = frozenset(
    {"MQDSRP-2.1-02", "MQDSRP-3.1.7.2.1-07", "MQDSRP-3.1.7.2.1-12", "MQDSRP-3.1.7.2.1-14"}
    | {"MQCN-2.1-01", "MQCN-3.3.5.3-04", "MQCN-3.3.5.3-05", "MQCN-3.3.5.3-09", "MQCN-3.3.5.3-15"}
).union(*DELIVERIES.values())
