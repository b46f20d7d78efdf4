r"""Messages to send, and their packets.

1. `Message` is plain data.  The session sets identifiers, sequence numbers and flags.
2. Queue names are texts with their keyword: ``DIRECT=TCP:10.0.0.1\private$\orders``.
3. A message that cannot be encoded raises an error when it is passed to a session, not when it is sent.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import astuple, replace

import msmq_wire as mw
from msmq_wire import GUID, NULL_GUID, mqmq
from msmq_wire.checks.profiles import PROFILES
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import elsewhere, wrong_type
from msmq_wire.values.numbers import FOREVER

from .interop import require_sendable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from msmq_wire.checks.profiles import ProfileName

_LONGEST_LABEL = 249
"""LabelLength is 0xFA at most, with the terminator ([MS-MQMQ] 2.2.19.3)."""
_FIRST_WITH_MARKS = 2
"""Version of Message Queuing that marks first and last of a transaction ([MS-MQMQ] note 18)."""


class Message(msgspec.Struct, frozen=True):
    """A message to be sent.

    Attributes:
        destination: Format name of the queue.
        body: The application's data.
        label: At most 249 characters of UTF-16.
        priority: 0 to 7; transactional messages have 0.
        recoverable: Whether it survives a crash; transactional messages always do.
        transactional: Whether it is delivered exactly once and in order.
        first: Whether it is the first of its transaction.
        last: Whether it is the last of its transaction.
        transaction: Number that the messages of a transaction share, at most 0xFFFFF; 0 if not transactional.
        journal: Positive source journaling: a copy is kept after delivery.
        dead_letter: Negative source journaling: a copy is kept if delivery fails.
        final_ack: Whether the receiver acknowledges when a transactional message is taken from its queue.
        admin_queue: Format name of the queue for administration acknowledgments; empty if none is asked for.
        positive_arrival: Whether its arrival is acknowledged to that queue.
        positive_receive: Whether its removal from the queue by a receiver is acknowledged.
        negative_arrival: Whether a failure to arrive is reported.
        negative_receive: Whether a failure to be received from the queue is reported.
        response_queue: Format name of the queue for replies.
        reach_queue: Time to reach its queue, in seconds.
        be_received: Time to be received, in seconds.
        correlation: Twenty bytes of the application; shorter values are padded.
        body_type: Variant type of the body.
        application_tag: The application's number.
        extension: The application's additional data.
        message_class: Class of [MS-MQMQ] 2.2.18.1.6; not 0 for acknowledgments and reports only.
        trace: GUID of the public queue for reports of the message; empty for none.
    """

    destination: str
    body: bytes = b""
    label: str = ""
    priority: int = 3
    recoverable: bool = False
    transactional: bool = False
    first: bool = True
    last: bool = True
    transaction: int = 0
    journal: bool = False
    dead_letter: bool = False
    final_ack: bool = False
    admin_queue: str = ""
    positive_arrival: bool = False
    positive_receive: bool = False
    negative_arrival: bool = False
    negative_receive: bool = False
    response_queue: str = ""
    reach_queue: int = FOREVER
    be_received: int = FOREVER
    correlation: bytes = b""
    body_type: int = 0
    application_tag: int = 0
    extension: bytes = b""
    message_class: int = 0
    trace: str = ""

    @property
    def is_stored(self) -> bool:
        """Whether it is sent as recoverable."""
        return self.recoverable or self.transactional


def correlation(source: GUID, message_id: int) -> bytes:
    """Return the OBJECTID by which an acknowledgment refers to its message ([MS-MQMQ] 2.2.8)."""
    return source.bytes_le + message_id.to_bytes(4, "little")


@lru_cache(maxsize=1024)
def destination(name: str, remote: GUID) -> tuple[Any, GUID]:
    """Return DestinationQueue and QueueManagerAddress for a format name (null for a direct name).

    Raises:
        EncodeError: A UserHeader has no form for such a name.
    """
    format_name = mw.format_names.parse_format_name(name)
    if isinstance(format_name, mw.format_names.PrivateName):
        return mw.queue_names.to_wire(format_name, host=format_name.computer), format_name.computer
    address = NULL_GUID if isinstance(format_name, mw.format_names.DirectName) else remote
    return mw.queue_names.to_wire(format_name), address


@lru_cache(maxsize=1024)
def _queue(name: str, source: GUID) -> Any:
    """Return AdminQueue or ResponseQueue for a format name; the sender's own private queues have a number."""
    return mw.queue_names.to_wire(name, host=source) if name else None


@lru_cache(maxsize=1024)
def _flags(
    dm: int, jn: int, jp: int, acknowledgments: tuple[int, int, int, int], priority: int, traced: int
) -> tuple[Any, Any, Any]:
    pa, pr, na, nr = acknowledgments
    return (
        mqmq.UserHeaderFlags(DM=dm, JN=jn, JP=jp),
        mqmq.MessagePropertiesHeaderFlags(PA=pa, PR=pr, NA=na, NR=nr),
        mqmq.BaseHeaderFlags(PR=priority, TR=traced),
    )


_SHAPES = 256
_LONGEST_SHAPE = 1 << 12
"""The most bytes of an extension, or characters of a queue, of a packet that is kept."""
_exchanged: Any = replace
"""Alternative values for fields on which no other fields depend."""
_BODY = Message.__struct_fields__.index("body")


class PacketTemplateCache:
    """Cached packets for messages that differ only in body, number and time.

    A message with a body of the same length has the same derived fields, so only these three are
    replaced.
    """

    __slots__ = ("_made", "profile", "source")

    def __init__(self, source: GUID, profile: ProfileName | None = None) -> None:
        """Create a cache for a queue manager, which may imitate a version of Windows."""
        self.source = source
        self.profile = profile
        self._made: dict[tuple[Any, ...], mqmq.UserMessage] = {}

    def packet(self, message: Message, remote: GUID, message_id: int, sent_at: int) -> mqmq.UserMessage:
        """Return the result of `packet_of`.

        Raises:
            EncodeError: A value does not fit, or violates [MS-MQMQ].
        """
        body, fields = message.body, astuple(message)
        if type(body) is not bytes:
            _require_types(message)
            return self.packet(replace(message, body=as_bytes(body)), remote, message_id, sent_at)
        # Values of different types may be equal, such as 1 and True.
        key = (*fields[:_BODY], len(body), *fields[_BODY + 1 :], *map(type, fields), remote)
        try:
            ready = self._made.get(key)
        except (TypeError, ValueError):  # a value is not hashable, such as a writable memoryview
            ready = None
        if ready is None:
            _require_types(message)
            packet = packet_of(
                message,
                source=self.source,
                remote=remote,
                message_id=message_id,
                sent_at=sent_at,
                profile=self.profile,
            )
            require_sendable(packet, self.profile)
            _require_valid(packet)
            texts = message.extension, message.destination, message.admin_queue, message.response_queue
            if max(map(len, texts)) <= _LONGEST_SHAPE:
                if len(self._made) >= _SHAPES:
                    del self._made[next(iter(self._made))]
                bare = _exchanged(packet.MessagePropertiesHeader, MessageBody=b"")
                self._made[key] = _exchanged(packet, MessagePropertiesHeader=bare)
            return packet
        same: mqmq.UserMessage = _exchanged(
            ready,
            UserHeader=_exchanged(ready.UserHeader, MessageID=message_id, SentTime=sent_at),
            MessagePropertiesHeader=_exchanged(ready.MessagePropertiesHeader, MessageBody=body),
        )
        return same


def _require_valid(packet: mqmq.UserMessage) -> None:
    """Check that the headers of a packet are as [MS-MQMQ] describes them, whatever its queue is for.

    Raises:
        EncodeError: They are not.
    """
    for violation in mw.validate(packet):
        if violation.level == "must" and violation.section.startswith("[MS-MQMQ]"):
            raise mw.EncodeError(
                f"{violation.message} ({violation.requirement})",
                structure=violation.path.partition(".")[0],
                path=violation.path,
                expected=violation.allowed,
                actual=violation.found,
            )


def _require_types(message: Message) -> None:
    """Check that the fields of a message have their declared types.

    Raises:
        EncodeError: A field has another type.
    """
    for name, kind in _TYPES.items():
        actual = getattr(message, name)
        if name == "body" and isinstance(actual, (bytearray, memoryview)):
            continue
        if not isinstance(actual, kind) or (kind is int and isinstance(actual, bool)):
            raise mw.EncodeError(
                wrong_type(kind.__name__, actual),
                structure="Message",
                path=f"Message.{name}",
                expected=kind.__name__,
                actual=actual,
            )


_TYPES: dict[str, type] = {field.name: field.type for field in msgspec.structs.fields(Message)}


def defaults_of(profile: ProfileName | None) -> dict[str, Any]:
    """Return the fields of a MessagePropertiesHeader that a version of Windows fills in differently."""
    return PROFILES[profile].defaults if profile is not None else {}


def packet_of(
    message: Message,
    *,
    source: GUID,
    remote: GUID,
    message_id: int,
    sent_at: int,
    profile: ProfileName | None = None,
) -> mqmq.UserMessage:
    """Return the packet of a message ([MS-MQQB] 3.1.7.11); its place in a sequence is set when it is sent.

    Args:
        message: The message.
        source: The queue manager that sends it.
        remote: The queue manager that receives it.
        message_id: The number of the message.
        sent_at: When it was passed to the session, in seconds since 1970.
        profile: The version of Windows whose defaults are used.

    Raises:
        EncodeError: A value does not fit.
    """
    for name in () if message.transactional else ("transaction", "final_ack"):
        if value := getattr(message, name):
            raise mw.EncodeError(
                f"expected {type(value)()} in a message that is not transactional, got {value}",
                structure="Message",
                path=f"Message.{name}",
                expected=type(value)(),
                actual=value,
            )
    length = len(message.label.encode("utf-16-le", "surrogatepass")) // 2
    if length > _LONGEST_LABEL:
        raise mw.EncodeError(
            f"expected a label of at most {_LONGEST_LABEL} characters of UTF-16, got {length}",
            structure="Message",
            path="Message.label",
            expected=f"at most {_LONGEST_LABEL} characters",
            actual=message.label,
        )
    with _naming("destination"):
        queue, address = destination(message.destination, remote)
    priority = 0 if message.transactional else message.priority
    user_flags, property_flags, base_flags = _flags(
        int(message.is_stored),
        int(message.dead_letter),
        int(message.journal),
        (
            int(message.positive_arrival),
            int(message.positive_receive),
            int(message.negative_arrival),
            int(message.negative_receive),
        ),
        priority,
        int(bool(message.trace)),
    )
    header = mqmq.UserHeader(
        SourceQueueManager=source,
        QueueManagerAddress=address,
        TimeToBeReceived=message.be_received,
        SentTime=sent_at,
        MessageID=message_id,
        Flags=user_flags,
        DestinationQueue=queue,
        **_optional_queues(message, source),
    )
    properties = mqmq.MessagePropertiesHeader(
        Flags=property_flags,
        MessageClass=message.message_class,
        CorrelationID=message.correlation.ljust(20, b"\0"),
        BodyType=message.body_type,
        ApplicationTag=message.application_tag,
        Label=f"{message.label}\0" if message.label else "",
        ExtensionData=message.extension,
        MessageBody=message.body,
        **defaults_of(profile),
    )
    with _naming("trace"):
        debug = mqmq.DebugHeader(QueueIdentifier=GUID.of(message.trace)) if message.trace else None
    base = mqmq.BaseHeader(Flags=base_flags, TimeToReachQueue=message.reach_queue)
    if not message.transactional:
        return mqmq.UserMessage(
            BaseHeader=base, UserHeader=header, MessagePropertiesHeader=properties, DebugHeader=debug
        )
    marks = profile is None or PROFILES[profile].msmq_version >= _FIRST_WITH_MARKS
    return mqmq.UserMessage(
        BaseHeader=base,
        UserHeader=header,
        TransactionHeader=mqmq.TransactionHeader(
            Flags=mqmq.TransactionHeaderFlags(
                FA=int(message.final_ack),
                FM=int(message.first and marks),
                LM=int(message.last and marks),
                ID=message.transaction,
            )
        ),
        MessagePropertiesHeader=properties,
        DebugHeader=debug,
    )


def _optional_queues(message: Message, source: GUID) -> Mapping[str, Any]:
    if not message.admin_queue and not message.response_queue:
        return {}
    with _naming("admin_queue"):
        admin = _queue(message.admin_queue, source)
    with _naming("response_queue"):
        response = _queue(message.response_queue, source)
    return {"AdminQueue": admin, "ResponseQueue": response}


@contextmanager
def _naming(attribute: str) -> Iterator[None]:
    """Let errors name an attribute of the message."""
    try:
        yield
    except mw.EncodeError as error:
        raise elsewhere(error, structure="Message", path=f"Message.{attribute}") from None
