"""[MC-MQDSRP]: directory replication.

1. `decode` selects the message by its operation; `encode` writes any message.  The version is not checked,
   because the documents define only the layouts of version 0x00.
2. `iter_changes` decodes the changes of a large message one at a time, with the same errors.
3. `wrap` builds the UserMessage that [MC-MQDSRP] 3.1.7.2.1 prescribes; the property `directory_message` of a
   UserMessage extracts the message.
4. `pieces` describes the relation of DirectoryChange to Notification Update of [MS-MQCN].
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from msmq_wire.documents.mqdsrp import (
    PARTITION_SEQ_NUMBERS,
    AlreadyPurgedMessage,
    BaseReplicationHeader,
    BSCAckMessage,
    ChangePropagationMessage,
    ChangeReplyMessage,
    ChangeRequestHeader,
    ChangeRequestMessage,
    DirectoryChange,
    PSCAckMessage,
    SeqNumberHeader,
    SyncReplyHeader,
    SyncReplyMessage,
    SyncRequestMessage,
)
from msmq_wire.packets.carriers import Delivery, DirectoryQueue, address_of, carrier
from msmq_wire.packets.partial import LaxResult, Reached, of_structure, of_whole
from msmq_wire.records.record import encode_record, hold_size, require
from msmq_wire.records.registry import DECODERS
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.enumerations import ALG_ID
from msmq_wire.values.errors import (
    DecodeError,
    EncodeError,
    WrongTypeError,
    deferred,
    left_over,
    need,
    wrong_type,
    wrong_value,
)
from msmq_wire.values.guid import GUID
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.reject import Reject
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER, MIN_SEQ_NUMBER, SEQUENCE_NUMBER

from .pieces import Pieces, read_leniently, read_message, rejected, shape_of, surplus

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterator

    from msmq_wire.documents.user_message import UserMessage
    from msmq_wire.records.record import Record

__all__ = [
    "MAX_SEQ_NUMBER",
    "MIN_SEQ_NUMBER",
    "PARTITION_SEQ_NUMBERS",
    "SEQUENCE_NUMBER",
    "AlreadyPurgedMessage",
    "BSCAckMessage",
    "BaseReplicationHeader",
    "ChangePropagationMessage",
    "ChangeReplyMessage",
    "ChangeRequestHeader",
    "ChangeRequestMessage",
    "DirectoryChange",
    "Message",
    "PSCAckMessage",
    "SeqNumberHeader",
    "SyncReplyHeader",
    "SyncReplyMessage",
    "SyncRequestMessage",
    "decode",
    "decode_lax",
    "delivery_of",
    "encode",
    "iter_changes",
    "wrap",
]


Message = (
    ChangePropagationMessage
    | ChangeRequestMessage
    | SyncRequestMessage
    | SyncReplyMessage
    | ChangeReplyMessage
    | AlreadyPurgedMessage
    | PSCAckMessage
    | BSCAckMessage
)
"""The union of the classes that `decode` returns, in the order of their operations ([MC-MQDSRP] 2.2.5.1)."""

_MESSAGES: tuple[type[Record], ...] = get_args(Message)
_NAMES = [kind.__name__ for kind in _MESSAGES]
DECODERS_BY_FORM = [DECODERS[name] for name in _NAMES]

_HEADER_SIZE = BaseReplicationHeader.layout.least_size
OPERATION_AT = BaseReplicationHeader.layout.offset_of("Operation")


# ------------------------------------------------------------------------------------------- the codec


def kind_of(data: bytes) -> str:
    """The name of the message that the header announces.

    Raises:
        DecodeError: The header does not announce a message.
    """
    if len(data) < _HEADER_SIZE:
        BaseReplicationHeader.decode(data)
    operation = data[OPERATION_AT]
    if operation >= len(_MESSAGES):
        allowed = f"0x0 to {len(_MESSAGES) - 1:#x}"
        raise DecodeError(
            say(Problem.VALUE, allowed, f"{operation:#x}"),
            structure="BaseReplicationHeader",
            path="BaseReplicationHeader.Operation",
            offset=OPERATION_AT,
            expected=allowed,
            actual=operation,
        )
    return _NAMES[operation]


def decode(
    data: bytes | bytearray | memoryview, *, strict: bool = False, limits: Limits = DEFAULT_LIMITS
) -> Message:
    """Decode one replication message ([MC-MQDSRP] 2.2.6).

    Args:
        data: The bytes of exactly one message: the body of a UserMessage.
        strict: Whether to raise `ConformanceError` for a message that violates a MUST of the documents, as
            `validate` reports it.
        limits: Bounds for the decoder.

    Returns:
        One of the eight messages of `Message`.

    Raises:
        DecodeError: The bytes are not exactly one replication message, or exceed a limit.
        ConformanceError: The message violates a requirement, and `strict` is set.
    """
    raw = data if data.__class__ is bytes else as_bytes(data)
    pair: tuple[Message, int] | None
    try:  # as in `read_message`, but calls cost too much here
        pair = (
            DECODERS_BY_FORM[raw[OPERATION_AT]](raw, 0, len(raw), limits)
            if len(raw) <= limits.packet_size
            else None
        )
    except (Reject, LookupError):
        pair = None
    except AttributeError:
        need("limits", limits, Limits, "Limits")
        raise
    if pair is None:
        raise deferred(partial(rejected, kind_of(raw), raw, limits), of_properties=True)
    message, pos = pair
    if pos != len(raw):
        raise deferred(partial(surplus, message, pos, raw, limits), of_properties=True)
    if strict:
        require(message)
    return message


def decode_lax(data: bytes | bytearray | memoryview, *, limits: Limits = DEFAULT_LIMITS) -> LaxResult:
    """Decode as much of a replication message as possible; the contents of the bytes never raise an error.

    Args:
        data: Bytes that begin with a replication message.
        limits: Bounds for the decoder; a message that is too large is not decoded.

    Returns:
        The message as `packet`, and the bytes after it as `rest`.  If the message is truncated or damaged,
        `headers` has the complete fields by name, including the complete changes, and the fields of an
        incomplete change by their paths, such as ``DirectoryChanges[3].PropertyValue[0]``; `error` has the
        reason, and `rest` the bytes after these fields.
    """
    raw = as_bytes(data)
    try:
        name = kind_of(raw)
    except DecodeError as error:
        header = BaseReplicationHeader.decode(raw[:_HEADER_SIZE]) if len(raw) >= _HEADER_SIZE else None
        headers = {} if header is None else {"BaseReplicationHeader": header}
        lax = of_structure("BaseReplicationHeader", raw, 0)
        if header is not None:
            lax = lax._replace(reached=Reached("", _HEADER_SIZE))
        result = LaxResult(None, headers, error, raw[_HEADER_SIZE:] if header is not None else raw)
        return result.with_decoded(lax._replace(errors=(error,)))
    try:
        message, pos = read_message(name, raw, limits)
    except DecodeError as error:
        return read_leniently(name, raw, shape_of(name), error, limits)
    return of_whole(message, raw[pos:], limits)


def iter_changes(
    data: bytes | bytearray | memoryview, *, limits: Limits = DEFAULT_LIMITS
) -> Iterator[DirectoryChange]:
    """Iterate over the changes of a replication message; one change is in memory at a time.

    Args:
        data: The bytes of exactly one message.
        limits: Bounds for the decoder.

    Yields:
        The changes of a ChangePropagationMessage or SyncReplyMessage, the single change of a
        ChangeRequestMessage, none for other messages.

    Raises:
        DecodeError: The bytes cannot be decoded.  The changes before the error have been yielded by then.
    """
    need("limits", limits, Limits, "Limits")
    raw = as_bytes(data)
    name = kind_of(raw)
    shape = shape_of(name)
    if shape is None:
        message: Any = decode(raw, limits=limits)
        if name == ChangeRequestMessage.__name__:
            yield message.DirectoryChange
        return
    hold_size(shape.structure, raw, limits)
    pieces = Pieces(shape, raw, limits)
    yield from pieces.changes()
    if pieces.position != len(raw):
        raise pieces.about_count(left_over(name, pieces.position, len(raw)))


def encode(message: Record) -> bytes:
    """Encode a replication message, with exactly the values of its fields.

    Raises:
        EncodeError: The record is not a replication message, or a value cannot be encoded.
    """
    if not isinstance(message, _MESSAGES):
        raise EncodeError(
            wrong_type("a replication message", message),
            structure="BaseReplicationMessage",
            path="BaseReplicationMessage",
            expected=", ".join(cls.__name__ for cls in _MESSAGES),
            actual=message,
        )
    return encode_record(message)


# ------------------------------------------------------------------------------------------- carriers

_SHORT = 10
_LONG = 20 * 60
_HIGH = 7  # [MC-MQDSRP] requires 8, which does not fit three bits (errata D10)
_USUAL = 3

_DELIVERIES: dict[type[Record], tuple[int, int, bool]] = {
    ChangePropagationMessage: (_LONG, _USUAL, False),  # 3.3.7.2
    ChangeRequestMessage: (_SHORT, _HIGH, True),  # 3.3.7.1
    SyncRequestMessage: (_LONG, _USUAL, True),  # 3.3.7.3
    SyncReplyMessage: (_LONG, _USUAL, False),  # 3.2.7.3
    ChangeReplyMessage: (_SHORT, _HIGH, True),  # 3.2.7.6
    AlreadyPurgedMessage: (_LONG, _USUAL, False),  # 3.2.7.7
    PSCAckMessage: (_LONG, _USUAL, True),  # 3.3.7.4
    BSCAckMessage: (_LONG, _USUAL, True),  # 3.3.6.2
}
"""Timeout in seconds, priority, and whether a failure is reported, by message."""
_AGAIN = (_SHORT, _USUAL, True)  # 3.3.7.9


def delivery_of(
    kind: type[Record], queue_manager: GUID | uuid.UUID | str, *, again: bool = False
) -> Delivery:
    """The delivery options of a replication message, as the event that sends it prescribes.

    Args:
        kind: Class of the message.
        queue_manager: The sending queue manager, whose replication queue receives returned messages.
        again: Whether the message was rejected for its signature and is sent again ([MC-MQDSRP] 3.3.7.9).
    """
    if not isinstance(kind, type) or kind not in _DELIVERIES:
        raise WrongTypeError(f"kind: {wrong_value('the class of a replication message', kind)}")
    timeout, priority, acknowledged = _AGAIN if again else _DELIVERIES[kind]
    queue = DirectoryQueue.REPLICATION
    return Delivery(
        time_to_reach_queue=timeout,
        time_to_be_received=timeout,
        priority=priority,
        hash_algorithm=int(ALG_ID.CALG_MD5),
        negative_acknowledgment=acknowledged,
        reply_queue=f"PRIVATE={GUID.of(queue_manager)}\\{queue.number:08X}" if acknowledged else None,
    )


def wrap(
    message: Record,
    destination: GUID | uuid.UUID | str,
    queue_manager: GUID | uuid.UUID | str,
    *,
    again: bool = False,
    message_id: int = 0,
    sent_time: int = 0,
) -> UserMessage:
    """Build the UserMessage that carries a replication message ([MC-MQDSRP] 3.1.7.2.1).

    Timeout, priority, acknowledgments and their queues follow from the message.  The result is unsigned; the
    document requires an MSMQ 1.0 signature with MD5 (errata D26).

    Args:
        message: A replication message.
        destination: The receiving queue manager: the name of its machine, as the document prescribes, or its
            GUID.  Text in the form of a GUID is a GUID.
        queue_manager: The sending queue manager.
        again: Whether the message was refused for its signature and is sent again ([MC-MQDSRP] 3.3.7.9).
        message_id: Number of the message, unique within its sender.
        sent_time: When it is sent, seconds since 1970.

    Raises:
        EncodeError: The record is not a replication message, the destination is invalid, or a value does not
            fit its field.
    """
    body = encode(message)
    return carrier(
        body,
        delivery_of(type(message), queue_manager, again=again),
        destination=address_of(DirectoryQueue.REPLICATION, destination),
        queue_manager=GUID.of(queue_manager),
        identified=True,
        message_id=message_id,
        sent_time=sent_time,
    )
