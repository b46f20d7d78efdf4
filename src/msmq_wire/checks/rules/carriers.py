"""[MC-MQDSRP] 3.1.7.2.1 and [MS-MQCN] 3.3.5.3: how messages with directory messages are sent.

1. The destination queue and the class of a message show that it carries a directory message.  The directory
   message determines its lifetime, priority, acknowledgments and queues.
2. A negative acknowledgment returns the body, but is not sent as the original message was.
3. A message returned by a remote read does not show how it was sent, because its lifetime is a point in time.
4. A message that is sent again has a short lifetime and the default priority ([MC-MQDSRP] 3.3.7.9).  The
   lifetime shows it or, where the lifetime is short anyway, the priority.
5. The errata decide ambiguous statements: priority 8 D10, the signature D26, its hash algorithm C7.  Whether
   a signature is right is not checked here, because that requires a key.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from msmq_wire.checks.offsets import Inside
from msmq_wire.documents.mqmq import DirectQueueFormatName, MessagePropertiesHeaderFlags
from msmq_wire.documents.readings import is_encrypted
from msmq_wire.names.format_names import PrivateName
from msmq_wire.packets.carriers import NORMAL, DirectoryQueue, carries, queue_of
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.directory.carried import read_carried
from msmq_wire.packets.directory.notification import FROM_DIRECTORY, TIME_TO_REACH_QUEUE
from msmq_wire.values.algorithms import DEFAULT_HASHES
from msmq_wire.values.errors import DecodeError, EncodeError
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.numbers import SENT_BY_QUEUE_MANAGER
from msmq_wire.values.refusals import Problem

from .vocabulary import ACKNOWLEDGING, AS_SENT, Embedded, RawViolation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from msmq_wire.checks.offsets import Step
    from msmq_wire.packets.carriers import Delivery
    from msmq_wire.records.record import Record


_CLASS = ("MessagePropertiesHeader", "MessageClass")
NORMAL_CLASS: Final = f"{NORMAL}, which is normal"
"""The class of a message that carries a directory message, in words that follow "has to be"."""
_BODY = "MessagePropertiesHeader", "MessageBody"
_PRIORITY = "BaseHeader", "Flags", "PR"
_TO_REACH = "BaseHeader", "TimeToReachQueue"
_TO_BE_RECEIVED = "UserHeader", "TimeToBeReceived"
_MODE = "UserHeader", "Flags", "DM"
_ACKNOWLEDGED = "MessagePropertiesHeader", "Flags"
_IDENTIFIED = "SecurityHeader", "Flags", "ST"
_SIGNED = "SecurityHeader", "SignatureSize"
_DESTINATION = "UserHeader", "DestinationQueue"
_BY_MACHINE = "OS:"
_AGAIN = "MQDSRP-3.3.7.9-05"
_NO_LONGER = "MQCN-3.3.5.3-09"
_ACKNOWLEDGMENTS = int(MessagePropertiesHeaderFlags(PA=1, PR=1, NA=1, NR=1))

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
    return _of_another_class(message) if queue is None else _carried(message, queue)


def _of_another_class(message: Any) -> Iterator[RawViolation]:
    """Yield a violation if a directory message has a class that is neither Normal nor an acknowledgment."""
    number = message.MessagePropertiesHeader.MessageClass
    queue = None if number == NORMAL or number in ACKNOWLEDGING else queue_of(message)
    if queue is None:
        return
    try:
        read_carried(message, queue)
    except DecodeError:
        return
    normal = "MQDSRP-3.1.7.2.1-03" if queue is DirectoryQueue.REPLICATION else "MQCN-3.3.5.3-06"
    yield _sent(normal, _CLASS, number, NORMAL_CLASS)


def _carried(
    message: Any, queue: DirectoryQueue
) -> Iterator[RawViolation | tuple[tuple[int, ...], int, Record]]:
    """Yield the directory message in the body, and violations of the message that carries it."""
    replication = queue is DirectoryQueue.REPLICATION
    carried = None
    if not is_encrypted(message):
        try:
            carried = read_carried(message, queue)
        except DecodeError as error:  # an expected message that cannot be decoded must be reported
            kind = "a replication message" if replication else "a change notification"
            is_surplus = error.code is Problem.LEFT_OVER and error.requirement == _NO_LONGER
            yield RawViolation(
                "MQDSRP-2.1-02" if replication else _NO_LONGER if is_surplus else "MQCN-2.1-01",
                _BODY,
                message.MessagePropertiesHeader.MessageBody,
                f"{kind} and nothing else",
                f"{'.'.join(('UserMessage', *_BODY))} should be {kind}, but {error.path}: {error.problem}",
            )
    if carried is not None:
        yield (), 0, carried
        if not replication and len(carried.Data.Unused) != 1:
            body = message.MessagePropertiesHeader.MessageBody
            yield RawViolation(_NO_LONGER, _BODY, body, "one byte longer than the change notification in it")
    if message.MessagePropertiesHeader.MessageClass != NORMAL:
        return
    if message.UserHeader.Flags.DM:
        express = "MQDSRP-3.1.7.2.1-07" if replication else "MQCN-3.3.5.3-05"
        yield _sent(express, _MODE, message.UserHeader.Flags.DM, "0, which is express")
    identified = replication or (carried is not None and carried.Version == FROM_DIRECTORY)
    if identified:
        yield from _identification(message, "MQDSRP-3.1.7.2.1-14" if replication else "MQCN-3.3.5.3-15")
    yield from _signature(
        message, "MQDSRP-3.1.7.2.1-13" if replication else "MQCN-3.3.5.3-08", identified=identified
    )
    yield from _replication(message, carried) if replication else _notification(message)


def _sent(requirement: str, steps: tuple[Step, ...], value: Any, allowed: str) -> RawViolation:
    """Yield violations in how the message was sent; a message from a remote read does not show this."""
    return RawViolation(requirement, steps, value, allowed, channels=AS_SENT)


def _identification(message: Any, requirement: str) -> Iterator[RawViolation]:
    """Yield a violation unless the sender identifier is that of a queue manager."""
    security = message.SecurityHeader
    if security is None:
        yield _sent(requirement, _IDENTIFIED[:1], None, "present, with a queue manager as the sender")
    elif security.Flags.ST != SENT_BY_QUEUE_MANAGER:
        yield _sent(requirement, _IDENTIFIED, security.Flags.ST, f"{SENT_BY_QUEUE_MANAGER}, a queue manager")


def _signature(message: Any, requirement: str, *, identified: bool) -> Iterator[RawViolation]:
    """Yield a violation if there is no signature; a missing header may already be reported."""
    security = message.SecurityHeader
    if security is None and not identified:
        yield _sent(requirement, _IDENTIFIED[:1], None, "present, with a signature")
    elif security is not None and not security.SignatureSize:
        yield _sent(requirement, _SIGNED, 0, "the size of a signature, because the message is signed")


def _notification(message: Any) -> Iterator[RawViolation]:
    """Yield violations in how a change notification is sent."""
    value = message.BaseHeader.TimeToReachQueue
    if value != TIME_TO_REACH_QUEUE:
        yield _sent("MQCN-3.3.5.3-04", _TO_REACH, value, f"{TIME_TO_REACH_QUEUE} seconds")
    value = message.MessagePropertiesHeader.HashAlgorithm
    if value not in DEFAULT_HASHES.values():
        defaults = ", ".join(map(hex, sorted({*DEFAULT_HASHES.values()})))
        allowed = f"the default of a version of MSMQ: {defaults}"
        yield _sent("MQCN-3.3.5.3-07", ("MessagePropertiesHeader", "HashAlgorithm"), value, allowed)
    name = message.UserHeader.DestinationQueue
    if type(name) is DirectQueueFormatName:
        yield _sent("MQCN-1.9-01", _DESTINATION, name, "the private queue 3 of a queue manager, by number")


@cache
def _deliveries(kind: type[Record]) -> tuple[Delivery, Delivery]:
    """Return the delivery of a first and of a repeated message, without the owners of its queues."""
    usual, again = (mqdsrp.delivery_of(kind, NULL_GUID, again=again) for again in (False, True))
    return usual, again


def _is_again(message: Any, usual: Delivery, again: Delivery) -> bool:
    """Return whether a message was sent again, by its lifetime or, if that is the same, by its priority."""
    if usual.time_to_reach_queue == again.time_to_reach_queue:
        return bool(again.priority == message.BaseHeader.Flags.PR)
    return bool(message.BaseHeader.TimeToReachQueue == again.time_to_reach_queue)


def _replication(message: Any, carried: Any) -> Iterator[RawViolation]:
    kind: Any = mqdsrp.ChangePropagationMessage if carried is None else type(carried)
    usual, again = _deliveries(kind)
    algorithm = message.MessagePropertiesHeader.HashAlgorithm
    if algorithm != usual.hash_algorithm:
        path = "MessagePropertiesHeader", "HashAlgorithm"
        yield _sent("MQDSRP-3.1.7.2.1-12", path, algorithm, f"{usual.hash_algorithm:#x}")
    name = message.UserHeader.DestinationQueue
    if not getattr(name, "DirectFormatName", "").upper().startswith(_BY_MACHINE):
        allowed = f"DIRECT=OS:, the name of a machine and {DirectoryQueue.REPLICATION.path}"
        yield _sent("MQDSRP-3.1.7.2.1-17", _DESTINATION, name, allowed)
    if carried is None:
        return
    resent = _is_again(message, usual, again)
    delivery = again if resent else usual
    lifetime, urgency, acknowledged = (_AGAIN,) * 3 if resent else DELIVERIES[kind.__name__]
    lifetimes = {
        _TO_REACH: (message.BaseHeader.TimeToReachQueue, delivery.time_to_reach_queue),
        _TO_BE_RECEIVED: (message.UserHeader.TimeToBeReceived, delivery.time_to_be_received),
    }
    for path, (value, wanted) in lifetimes.items():
        if value != wanted:
            yield _sent(lifetime, path, value, f"{_or(resent, wanted, again.time_to_reach_queue)} seconds")
    if delivery.priority != message.BaseHeader.Flags.PR:
        allowed = _or(resent, delivery.priority, again.priority)
        yield _sent(urgency, _PRIORITY, message.BaseHeader.Flags.PR, allowed)
    yield from _acknowledgments(message, acknowledged, asked=delivery.negative_acknowledgment)
    yield from _own_name(message, carried)


def _or(resent: bool, usual: int, again: int) -> str:
    """Return the allowed values in words; a message that looks like a first one may be a repetition."""
    return str(usual) if resent or usual == again else f"{usual} or {again}"


def _acknowledgments(message: Any, requirement: str, *, asked: bool) -> Iterator[RawViolation]:
    """Yield violations in the requested acknowledgments, and in the queues for them and for answers."""
    flags = int(message.MessagePropertiesHeader.Flags) & _ACKNOWLEDGMENTS
    wanted = int(MessagePropertiesHeaderFlags(NA=int(asked)))
    if flags != wanted:
        yield _sent(requirement, _ACKNOWLEDGED, flags, f"{wanted:#x}")
    header = message.UserHeader
    queue = PrivateName(header.SourceQueueManager, DirectoryQueue.REPLICATION.number)
    for part, named in (("AdminQueue", header.AdminQueue), ("ResponseQueue", header.ResponseQueue)):
        if asked and _queue_named(header, part) != queue:
            yield _sent(requirement, ("UserHeader", part), named, f"{queue}, a queue of the sender")
        elif not asked and (named is not None or (part == "ResponseQueue" and header.Flags.RQ)):
            yield _sent(requirement, ("UserHeader", part), named, "absent")


def _queue_named(header: Any, part: str) -> Any:
    try:
        return header.admin_queue if part == "AdminQueue" else header.response_queue
    except EncodeError:  # the text is not a name, or the name has no host; other rules report both
        return None


def _own_name(message: Any, carried: Any) -> Iterator[RawViolation]:
    """Yield a violation if BSCMachineID of an acknowledgment is not the sender's queue manager."""
    source = message.UserHeader.SourceQueueManager
    if type(carried) is mqdsrp.BSCAckMessage and carried.BSCMachineID != source:
        steps = (*_BODY, Inside(0, carried), "BSCMachineID")
        yield _sent("MQDSRP-3.3.6.2-03", steps, carried.BSCMachineID, "SourceQueueManager of the message")


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
            ".".join(_BODY), _looked_into, reports=True, holds=(*DELIVERIES, _NOTIFICATION), unread=_unread
        ),
    )
}
FUNCTION_IDS = frozenset(
    {
        "MQDSRP-2.1-02",
        "MQDSRP-3.1.7.2.1-03",
        "MQDSRP-3.1.7.2.1-07",
        "MQDSRP-3.1.7.2.1-12",
        "MQDSRP-3.1.7.2.1-13",
    }
    | {"MQDSRP-3.1.7.2.1-14", "MQDSRP-3.1.7.2.1-17", "MQDSRP-3.3.6.2-03", _AGAIN}
    | {
        "MQCN-3.3.5.3-06",
        "MQCN-1.9-01",
        "MQCN-2.1-01",
        "MQCN-3.3.5.3-04",
        "MQCN-3.3.5.3-05",
        "MQCN-3.3.5.3-07",
    }
    | {"MQCN-3.3.5.3-08", _NO_LONGER, "MQCN-3.3.5.3-15"}
).union(*DELIVERIES.values())
