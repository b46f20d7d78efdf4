"""[MS-MQCN]: change notification.

1. `decode` reads both versions and checks that the text of version 2 is a notification.  Either version may
   be followed by one extra byte of the sender's buffer (errata C4).
2. This byte is the field `Unused` and round-trips; `wrap` adds it if the message has none.
3. The records themselves accept any text and any bytes after it, so that captured bytes can be rebuilt.
4. `pieces` describes the relation of NotificationUpdate to DirectoryChange of [MC-MQDSRP].
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from msmq_wire.documents.mqcn import (
    ChangeNotificationMessage,
    NotificationBody,
    NotificationUpdate,
    NotificationUpdates,
)
from msmq_wire.documents.notification_text import NotificationEvent, parse_notification
from msmq_wire.packets.carriers import Delivery, DirectoryQueue, address_of, carrier
from msmq_wire.packets.partial import Decoded, LaxResult, Reached, of_whole
from msmq_wire.packets.wrong_numbers import about_record
from msmq_wire.records.record import encode_record, read, require
from msmq_wire.records.registry import DECODERS
from msmq_wire.records.spans import leaves
from msmq_wire.values.algorithms import DEFAULT_HASHES
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import (
    DecodeError,
    EncodeError,
    deferred,
    elsewhere,
    kept,
    left_over,
    wrong_type,
    wrong_value,
)
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.reject import UNREADABLE
from msmq_wire.values.wchar import wchar_count

from .pieces import Shape, read_leniently, read_message

if TYPE_CHECKING:
    import uuid

    from msmq_wire.documents.user_message import UserMessage
    from msmq_wire.records.record import Record
    from msmq_wire.values.guid import GUID

__all__ = [
    "ChangeNotificationMessage",
    "NotificationBody",
    "NotificationEvent",
    "NotificationUpdate",
    "NotificationUpdates",
    "decode",
    "decode_lax",
    "encode",
    "wrap",
]


_MESSAGE = ChangeNotificationMessage.layout
_COUNT = "NumberOfUpdateNotifications"
_UPDATES = Shape(
    _MESSAGE,
    ("Version", _COUNT),
    "Data.Updates",
    NotificationUpdate.layout,
    "NumberOfUpdateNotifications",
    (),
)
_DATA_AT = _MESSAGE.offset_of("Data")
FROM_DIRECTORY = 1
_TEXT_PATH = f"{_MESSAGE.name}.Data.Text"


def _read(raw: bytes, limits: Limits) -> Any:
    """Decode a message, without a look at the text and the bytes after it.

    Raises:
        DecodeError: The bytes are not a message, or exceed a limit.
    """
    try:
        return read_message(_MESSAGE.name, raw, limits)[0]
    except DecodeError as error:
        raise deferred(partial(_about_update, kept(error), raw, limits), of_properties=True) from None


def _about_update(error: DecodeError, raw: bytes, limits: Limits) -> DecodeError:
    """Return the error about the wrong number of an update; the given one if unknown."""

    def is_whole(changed: bytes) -> bool:
        try:
            message, _ = DECODERS[_MESSAGE.name](changed, 0, len(changed), limits)
            return not _excess(message, changed, limits)
        except (*UNREADABLE, DecodeError):
            return False

    is_update = raw[:1] == bytes([FROM_DIRECTORY])
    return about_record(error, _MESSAGE.name, raw, limits, is_whole) if is_update else error


def _excess(message: Any, raw: bytes, limits: Limits) -> int:
    """The number of extra bytes after a message.

    Raises:
        DecodeError: The text of version 2 is not a notification.
    """
    data = message.Data
    if message.Version == FROM_DIRECTORY:
        allowed = 0 if _has_another_update(message, raw, limits) else 1
        return max(len(data.Unused) - allowed, 0)
    end = parse_notification(data.Text, path=_TEXT_PATH, offset=_DATA_AT, whole=False).end
    if end == len(data.Text):
        return 0
    return 2 * wchar_count(data.Text[end:]) + len(data.Unused)


def _has_another_update(message: Any, raw: bytes, limits: Limits) -> bool:
    """Whether the bytes behind the updates of version 1 begin with one that is not counted."""
    if message.Version != FROM_DIRECTORY:
        return False
    try:
        begin = len(raw) - len(message.Data.Unused)
        DECODERS[NotificationUpdate.layout.name](raw, begin, len(raw), limits)
    except UNREADABLE:
        return False
    return True


def _surplus(message: Any, raw: bytes, excess: int, limits: Limits) -> DecodeError:
    """The error for extra bytes: updates that the message does not count, or anything else."""
    error = left_over(_MESSAGE.name, len(raw) - excess, len(raw))
    if not _has_another_update(message, raw, limits):
        return _about_update(error, raw, limits)
    return elsewhere(
        error,
        path=f"{_MESSAGE.name}.Data",
        source_path=f"{_MESSAGE.name}.{_COUNT}",
        source_offset=_MESSAGE.offset_of(_COUNT),
    )


def decode(
    data: bytes | bytearray | memoryview, *, strict: bool = False, limits: Limits = DEFAULT_LIMITS
) -> ChangeNotificationMessage:
    """Decode one Change Notification Message ([MS-MQCN] 2.2.4) of either version.

    Args:
        data: The message, with or without the sender's extra byte: the body of a UserMessage.
        strict: Whether to raise `ConformanceError` for a message that violates a MUST of the documents, as
            `validate` reports it.
        limits: Bounds for the decoder.

    Raises:
        DecodeError: The bytes are not exactly one change notification, or exceed a limit.
        ConformanceError: The message violates a requirement, and `strict` is set.
    """
    raw = as_bytes(data)
    message = _read(raw, limits)
    excess = _excess(message, raw, limits)
    if excess:
        raise deferred(partial(_surplus, message, raw, excess, limits), of_properties=True)
    if strict:
        require(message)
    return message  # type: ignore[no-any-return]  # the reader serves all records


def decode_lax(data: bytes | bytearray | memoryview, *, limits: Limits = DEFAULT_LIMITS) -> LaxResult:
    """Decode as much of a change notification as possible; the contents of the bytes never raise an error.

    Args:
        data: Bytes that begin with a Change Notification Message.
        limits: Bounds for the decoder; a message that is too large is not decoded.

    Returns:
        The message as `packet`, and the bytes after it as `rest`.  If the message is truncated or damaged,
        `headers` has the complete fields, with the complete updates as ``Data.Updates`` and the fields of an
        incomplete update by their paths; `error` has the reason, and `rest` the bytes after these fields.
    """
    raw = as_bytes(data)
    try:
        message = _read(raw, limits)
    except DecodeError as error:
        shape = _UPDATES if raw[:1] == b"\x01" else None
        return read_leniently(_MESSAGE.name, raw, shape, error, limits)
    try:
        excess = _excess(message, raw, limits)
    except DecodeError as error:
        opening = {name: getattr(message, name) for name in _UPDATES.opening}
        doubtful, left_out = leaves(message.Data, limits.lax_fields)
        result = Decoded(
            opening,
            {f"Data.{path}": value for path, value in doubtful.items()},
            Reached("Data.Text", _DATA_AT),
            None,
            (error,),
            left_out,
        )
        return LaxResult(None, opening, error, raw[_DATA_AT:]).with_decoded(result)
    end = len(raw) - excess
    return of_whole(read(_MESSAGE, raw, 0, end, limits)[0] if excess else message, raw[end:], limits)


def encode(message: Record) -> bytes:
    """Encode a change notification, with exactly the values of its fields.

    Raises:
        EncodeError: The record is not a Change Notification Message, or a value cannot be encoded.
    """
    if not isinstance(message, ChangeNotificationMessage):
        raise EncodeError(
            wrong_type("a change notification", message),
            structure=_MESSAGE.name,
            path=_MESSAGE.name,
            expected=_MESSAGE.name,
            actual=message,
        )
    return encode_record(message)


# ------------------------------------------------------------------------------------------- carriers

TIME_TO_REACH_QUEUE = 300
"""TimeToReachQueue of a message with a notification, in seconds ([MS-MQCN] 3.3.5.3)."""


def wrap(
    message: ChangeNotificationMessage,
    destination: GUID | uuid.UUID | str,
    queue_manager: GUID | uuid.UUID | str,
    *,
    msmq_version: int = 6,
    message_id: int = 0,
    sent_time: int = 0,
) -> UserMessage:
    """Build the UserMessage that carries a change notification ([MS-MQCN] 3.3.5.3).

    The body is one byte longer than the message.  The result is unsigned; version 1 requires an MSMQ 1.0
    signature, version 2 an MSMQ 2.0 signature.

    Args:
        message: The notification.
        destination: The receiving queue manager: its GUID, as the document prescribes, or the name of its
            machine.  Text in the form of a GUID is a GUID.
        queue_manager: The sending queue manager; a message of version 1 names it as its sender (errata C8).
        msmq_version: Version of MSMQ, 1 to 6, which determines the default hash algorithm: MD5, SHA-1 from
            version 3 (errata C7), SHA-512 from version 5 ([MS-MQMQ] 2.2.19.3).
        message_id: Number of the message, unique within its sender.
        sent_time: When it is sent, seconds since 1970.

    Raises:
        EncodeError: The record is not a Change Notification Message, there is no such version of MSMQ, the
            destination is invalid, or a value does not fit its field.
    """
    record: Any = message
    body = encode(record)
    if not isinstance(msmq_version, int) or msmq_version not in DEFAULT_HASHES:
        raise EncodeError(
            wrong_value("a version of MSMQ", msmq_version),
            structure="UserMessage",
            path="UserMessage.MessagePropertiesHeader.HashAlgorithm",
            expected="1 to 6",
            actual=msmq_version,
        )
    if not record.Data.Unused:
        body += b"\0"
    delivery = Delivery(time_to_reach_queue=TIME_TO_REACH_QUEUE, hash_algorithm=DEFAULT_HASHES[msmq_version])
    return carrier(
        body,
        delivery,
        destination=address_of(DirectoryQueue.NOTIFICATION, destination),
        queue_manager=queue_manager,
        identified=record.Version == FROM_DIRECTORY,
        message_id=message_id,
        sent_time=sent_time,
    )
