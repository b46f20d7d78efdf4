"""Detecting the type of packets, decoding and encoding.

1. A packet begins with a BaseHeader with the right version and signature; all other bytes are rejected.
2. `InternalHeader.Flags.PT` is the type of an internal packet; all others are messages.  A message that
   acknowledges others as in [MS-MQQB] 3.1.5.1.1 is an OrderAck or a FinalAck.
3. `decode` takes exactly one packet and raises an error for more or fewer bytes; `lax` decodes as much as
   possible.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, overload

from msmq_wire.documents.mqmq import DirectQueueFormatName, PrivateQueueFormatNameId
from msmq_wire.documents.opening import INTERNAL_FLAGS_AT, INTERNAL_HEADER_SIZE, INTERNAL_TYPE, ORDER_LABEL
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.records.record import Record, encode, hold_size, read, require
from msmq_wire.records.registry import CLASSES, DECODERS, PACKETS
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import (
    DecodeError,
    MsmqWireError,
    deferred,
    explained,
    in_bytes,
    kept,
    left_over,
    need,
)
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.numbers import ORDER_QUEUE
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.reject import UNREADABLE, Reject

from . import packet_starts as _framing
from .packet_starts import (
    BASE_SIZE,
    FLAGS_AT,
    INTERNAL,
    MARK_SIZE,
    PACKET_SIZE,
    begins_packet,
    cut_off,
    no_packet,
    starts_packet,
    unpack_base,
)

if TYPE_CHECKING:
    from msmq_wire.records.steps import FixedStructure

    from .kinds import Packet

__all__ = ["ORDER_LABEL", "SIGNATURE", "VERSION", "decode", "encode"]

SIGNATURE = _framing.SIGNATURE
"""`BaseHeader.Signature`, the bytes ``LIOR``."""
VERSION = _framing.VERSION
"""`BaseHeader.VersionNumber`."""

_ORDER_QUEUE_NAME = "\\private$\\order_queue$\0"
_TYPE_AT = BASE_SIZE + INTERNAL_FLAGS_AT
LEAST_INTERNAL = BASE_SIZE + INTERNAL_HEADER_SIZE
"""Size of the headers that determine the type of a packet."""
_MESSAGE = "UserMessage"
_WITH_FLAGS = frozenset({_MESSAGE, "MessagePacket"})
"""Structures with flags that announce headers."""
_IN_LIST = "MQFFormatNameElement"
"""The structure with a number that seems wrong if the size or the count of a list is."""


@cache
def _internal() -> dict[int, str]:
    """The structures of internal packets by their type; imported late, because messages do not need it."""
    from msmq_wire.definitions.relations import announced  # noqa: PLC0415  # see above

    return announced("InternalHeader.Flags.PT")


def wrong_mark(data: bytes, offset: int) -> DecodeError:
    """The error for bytes that cannot be the beginning of a packet, with advice."""
    from .mistaken import mistaken  # noqa: PLC0415  # only needed for errors

    return no_packet(data, offset, mistaken(data) or "this is not a packet")


def kind_of(data: bytes) -> str:
    """The name of the structure that the first bytes announce.

    Raises:
        DecodeError: They do not announce a packet.
    """
    if len(data) < MARK_SIZE or not starts_packet(data, 0):
        raise deferred(partial(_not_begun, data))
    if not data[FLAGS_AT] & INTERNAL:
        return _MESSAGE
    if len(data) < LEAST_INTERNAL:
        raise deferred(partial(_cut_internal, data))
    number, internal = data[_TYPE_AT] & INTERNAL_TYPE, _internal()
    if number not in internal:
        allowed = "one of " + ", ".join(f"{value:#x}" for value in internal)
        raise DecodeError(
            say(Problem.VALUE, allowed, f"{number:#x}"),
            structure="InternalHeader",
            path="InternalHeader.Flags.PT",
            offset=_TYPE_AT,
            expected=allowed,
            actual=number,
            limit=PACKET_SIZE,
        )
    return internal[number]


def _not_begun(data: bytes) -> DecodeError:
    """The error for bytes that do not begin with the mark of a packet."""
    return cut_header("BaseHeader", data, 0) if begins_packet(data, 0) else wrong_mark(data, 0)


def _cut_internal(data: bytes) -> DecodeError:
    """The error for an internal packet that is truncated before its type."""
    if len(data) < BASE_SIZE:
        return cut_header("BaseHeader", data, 0)
    size = unpack_base(data)[3]
    if size > len(data):
        return cut_off(size, len(data), 0)
    return cut_header("InternalHeader", data, BASE_SIZE)


@cache
def _fixed(name: str) -> FixedStructure:
    """The fields of a header that are at fixed offsets."""
    from msmq_wire.records.steps import fixed_structure  # noqa: PLC0415  # only needed for errors

    fixed = fixed_structure(CLASSES[name].layout)
    assert fixed is not None  # noqa: S101  # as all of the headers that are named here
    return fixed


def cut_header(name: str, data: bytes, start: int, outer: str = "") -> DecodeError:
    """The error for a truncated header with fields at fixed offsets; `outer` is the path before it."""
    field, begin, end = _fixed(name).incomplete(len(data) - start)
    size, left = end - begin, len(data) - start - begin
    return DecodeError(
        say(Problem.SHORT, in_bytes(size), left),
        structure=name,
        path=f"{outer}{name}.{field}",
        offset=start + begin,
        expected=size,
        actual=left,
    )


def _rejected(data: bytes, limits: Limits) -> DecodeError:
    """Return the error about bytes that are not exactly one packet."""
    try:
        name = kind_of(data)
        structure = CLASSES[name].layout
        hold_size(structure, data, limits)
    except DecodeError as caught:
        return kept(caught)
    try:
        pos = read(structure, data, 0, len(data), limits)[1]
    except DecodeError as caught:
        return about_flag(kept(caught), data, limits)
    error, meant = left_over(name, pos, len(data)), _what_follows(data, pos, limits)
    return explained(error, meant) if meant else about_flag(error, data, limits)


def about_flag(error: DecodeError, data: bytes, limits: Limits) -> DecodeError:
    """Return the error about the field that misled a decoder, such as a flag; the given one if unknown."""
    is_flag = error.code is Problem.VALUE and error.structure != _IN_LIST
    if is_flag or error.code is Problem.ALONE or error.limit.startswith("Limits."):
        return error
    name = error.path.partition(".")[0]
    if name in _WITH_FLAGS:
        from .wrong_flags import blamed  # noqa: PLC0415  # only needed for errors

        return blamed(error, data, limits) or error
    from .wrong_numbers import about_record  # noqa: PLC0415  # as above

    return about_record(error, name, data, limits)


def _what_follows(data: bytes, pos: int, limits: Limits) -> str:
    """Describe the bytes after a packet, with advice; empty if they are unknown."""
    if len(data) >= pos + MARK_SIZE and starts_packet(data, pos):
        return "another packet follows: PacketStream separates them"
    is_read, size = False, len(data)
    if size <= limits.packet_size:
        with suppress(Reject):
            is_read = DECODERS["MessagePacket"](data, 0, size, limits)[1] == size
    return 'these bytes are a MessagePacket: decode(data, "MessagePacket")' if is_read else ""


def _decode_first(data: bytes, end: int, limits: Limits) -> Any:
    """Decode the first internal packet of the process; imports their decoders."""
    import_module("msmq_wire.documents.mqqb")  # otherwise `PACKETS` would look it up in the layouts
    internal = _internal()
    for byte in range(256):
        name = internal.get(byte & INTERNAL_TYPE)
        if name is None:
            _DECODERS.pop(byte, None)
        else:
            _DECODERS[byte] = PACKETS[name]
    return _DECODERS[data[_TYPE_AT]](data, end, limits)


_DECODERS: dict[int, Any] = dict.fromkeys(range(256), _decode_first)
"""Decoders of internal packets, by the byte of their type."""
_decode_message = PACKETS[_MESSAGE]


# Imported lazily: few messages are acknowledgments.


@cache
def _classes() -> tuple[int, int]:
    """The class of an OrderAck, and the least of a FinalAck."""
    classes = import_module("msmq_wire.values.enumerations").MESSAGE_CLASS_VALUES
    return classes.MQMSG_CLASS_ORDER_ACK, classes.MQMSG_CLASS_ACK_RECEIVE


@cache
def _parts(kind: Any) -> tuple[attrgetter[Any], attrgetter[Any]]:
    """The headers of a kind of acknowledgment, and the further headers of a message."""
    fields, whole = kind.layout.by_name, UserMessage.layout.by_name
    return attrgetter(*fields), attrgetter(*(name for name in whole if name not in fields))


def kind_by_class(message_class: int) -> Any:
    """The class of a message with the label of acknowledgments: OrderAck, FinalAck or UserMessage."""
    order, final = _classes()
    if message_class == order:
        return CLASSES["OrderAck"]
    return CLASSES["FinalAck"] if message_class >= final else UserMessage


def acknowledgment(message: Any) -> Any:
    """Convert a message that is an acknowledgment to OrderAck or FinalAck ([MS-MQQB] 3.1.5.1.1).

    Other messages are returned unchanged.  The caller has checked that no base flag is set.
    """
    if message.MessagePropertiesHeader.Label != ORDER_LABEL:
        return message
    kind = acknowledgment_class(message)
    return message if kind is UserMessage else kind.raw(*_parts(kind)[0](message))


def acknowledgment_class(message: Any) -> Any:
    """The class of a message with the label of acknowledgments and no base flags, or of its known part."""
    properties = message.MessagePropertiesHeader
    kind = kind_by_class(properties.MessageClass)
    if kind is UserMessage or (
        kind is CLASSES["OrderAck"] and properties.MessageSize != CLASSES["OrderAckBody"].layout.least_size
    ):
        return UserMessage
    _, read_others = _parts(kind)
    return kind if is_for_order_queue(message) and not any(read_others(message)) else UserMessage


def is_for_order_queue(message: Any) -> bool:
    """Whether the destination of a message is the queue for OrderAck and FinalAck packets."""
    queue = message.UserHeader.DestinationQueue
    if isinstance(queue, PrivateQueueFormatNameId):
        return queue.PrivateQueueIdentifier == ORDER_QUEUE
    return isinstance(queue, DirectQueueFormatName) and names_order_queue(queue.DirectFormatName)


def names_order_queue(name: str) -> bool:
    """Whether a direct name, as it is on the wire, is that of the queue for these packets on any machine."""
    return name.lower().endswith(_ORDER_QUEUE_NAME)


def class_of(kind: type[Any] | str) -> Any:
    """The record class for a class or a name.

    Raises:
        MsmqWireError: There is no such class.
    """
    name = str(kind if isinstance(kind, str) else getattr(kind, "__name__", ""))
    try:
        return CLASSES[name]
    except KeyError:
        from msmq_wire.records.model import structures  # noqa: PLC0415  # as above
        from msmq_wire.values.hints import no_structure  # noqa: PLC0415  # as above

        raise MsmqWireError(no_structure(kind, structures())) from None


_Kind = TypeVar("_Kind", bound=Record)


@overload
def decode(
    data: bytes | bytearray | memoryview,
    kind: None = None,
    *,
    strict: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Packet: ...
@overload
def decode(
    data: bytes | bytearray | memoryview,
    kind: type[_Kind],
    *,
    strict: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> _Kind: ...
@overload
def decode(
    data: bytes | bytearray | memoryview, kind: str, *, strict: bool = False, limits: Limits = DEFAULT_LIMITS
) -> Record: ...
def decode(
    data: bytes | bytearray | memoryview,
    kind: type[Record] | str | None = None,
    *,
    strict: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Any:
    """Decode one packet of [MS-MQQB] or one UserMessage of [MS-MQMQ].

    Args:
        data: The bytes of exactly one packet.  A SessionHeader after a UserMessage is part of the packet.
        kind: The record class, or the name of the structure, to decode.  By default, the type of the packet
            is detected.
        strict: Whether to raise `ConformanceError` for a packet that violates a MUST of the documents, as
            `validate` reports it.
        limits: Bounds for the decoder.

    Returns:
        A UserMessage, OrderAck, FinalAck, SessionAck, EstablishConnection or ConnectionParameters.

    Raises:
        DecodeError: The bytes are not exactly one packet, or exceed a limit.
        ConformanceError: The packet violates a requirement, and `strict` is set.
        MsmqWireError: `kind` is unknown.
        WrongTypeError: `data` is not a buffer, or `limits` are no Limits.
    """
    if strict:
        sound = decode(data, kind, limits=limits)
        require(sound)
        return sound
    if kind is not None:
        return class_of(kind).decode(data, limits=limits)
    packet: Any  # a Packet, or None if the fast reader rejects it
    raw = data if data.__class__ is bytes else as_bytes(data)
    try:
        flags = raw[FLAGS_AT]
        if flags & INTERNAL:
            return _DECODERS[raw[_TYPE_AT]](raw, len(raw), limits)
        packet = _decode_message(raw, len(raw), limits)
    except UNREADABLE:
        packet = None
    except AttributeError:
        need("limits", limits, Limits, "Limits")
        raise
    if packet is None:
        need("limits", limits, Limits, "Limits")
        raise deferred(partial(_rejected, raw, limits))
    return packet if flags or packet.BaseHeader.Flags else acknowledgment(packet)


def accept(data: bytes, limits: Limits) -> Packet | None:
    """Decode a packet, or return None where `decode` raises, which saves the time to locate the error.

    `decode` repeats these lines, because one more call would cost an eighth of the time of the shortest
    packets.
    """
    try:
        flags = data[FLAGS_AT]
        if flags & INTERNAL:
            return _DECODERS[data[_TYPE_AT]](data, len(data), limits)  # type: ignore[no-any-return]  # a Packet
        packet = _decode_message(data, len(data), limits)
    except UNREADABLE:
        return None
    return packet if flags or packet.BaseHeader.Flags else acknowledgment(packet)  # type: ignore[no-any-return]  # as above
