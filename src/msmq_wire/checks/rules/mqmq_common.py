"""[MS-MQMQ] 2.2.19: the three headers of every message, and rules on the packet as a whole.

1. The errata decide ambiguous statements: PacketSize M2, ResponseQueue M1, BodyType M3, administration queues
   M5 and M34, message classes M6, ciphers M11, TimeToReachQueue M19, HashAlgorithm M35, Reserved M36, clocks
   M41, encryption M42, AllocationBodySize M43, a null sender M50, encryption for direct names Q43, classes of
   acknowledgments Q44, names of machines D66.
2. The presence of a header is required by 2.2.20 and by its flag; violations name the requirement of the
   flag.
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from msmq_wire.checks.offsets import offset_of
from msmq_wire.documents.opening import SESSION_HEADER_SIZE
from msmq_wire.documents.readings import SIGNATURE_SIZES, is_encrypted, is_transactional
from msmq_wire.documents.session_protocol import ACKNOWLEDGMENTS
from msmq_wire.packets.carriers import carries
from msmq_wire.records.record import encode_record, record_class, size_of_record
from msmq_wire.values.algorithms import AES, BLOCKS, HASH_NUMBERS, RC, SHA_512
from msmq_wire.values.body_types import BODY_TYPES
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import DecodeError, EncodeError
from msmq_wire.values.guid import GUID_SIZE, NULL_GUID
from msmq_wire.values.numbers import DIRECT, FOREVER, MAX_PACKET_SIZE, SENT_BY_QUEUE_MANAGER
from msmq_wire.values.wchar import wchar_count

from .vocabulary import (
    ACKNOWLEDGING,
    AS_SENT,
    POSITIVE,
    SENT,
    SHOULD,
    Comparison,
    Context,
    Rule,
    asked,
    ends_with_null,
    fits,
    form,
    given,
    identifies,
    in_range,
    must_be,
    on,
    one_of,
    practice,
    presence,
    rule,
    size,
    wchars,
)

if TYPE_CHECKING:
    from collections.abc import Callable


CLASSES = frozenset(map(int, MESSAGE_CLASS_VALUES))
_APPLICATION_BITS = 0xE1FF
_VECTOR = 0x1000
_TYPES = (0, 1, 2, 3, 11, 12, 16, 17, 18, 19, 20, 21, 31, 65, 72)
_SENT_TYPES = frozenset({*_TYPES, *(_VECTOR | number for number in _TYPES), *BODY_TYPES})
_RC, _AES = frozenset(RC), frozenset(AES)
_ONE_OF_THE_CIPHERS = "one of 0x6602, 0x6610, 0x660e, 0x660f, 0x6801"
_CIPHERS_OF_LEVELS = "RC2 or RC4 with PrivacyLevel 1 and 3, AES with PrivacyLevel 5"
_ONE_OF_THE_HASHES = "one of " + ", ".join(map(hex, sorted(HASH_NUMBERS)))
_FILLED = 0x5A
_ASKING = 0x0F


# -------------------------------------------------------------------------------------- conditions


def _packet_size_fits(packet: Any) -> bool:
    """Return whether PacketSize is right; with an appended SessionHeader, two values are valid (M2)."""
    whole, stated = size_of_record(packet), packet.BaseHeader.PacketSize
    if stated == whole:
        return True
    riding = getattr(packet, "SessionHeader", None) is not None and packet.layout.name == "UserMessage"
    return riding and bool(stated == whole - SESSION_HEADER_SIZE)


def _in_time(message: Any, context: Context) -> bool:
    """Return whether a message had not expired when it was captured; clocks count seconds (errata M41)."""
    base = message.BaseHeader
    if base.TimeToReachQueue == FOREVER or context.seen_at is None:
        return True
    last = message.UserHeader.SentTime + base.TimeToReachQueue + context.clock_tolerance
    return bool(math.floor(context.seen_at) <= last)


def _acknowledges(requirement: str, path: str, holds: Callable[[Any, Any], Any], allowed: str) -> Rule:
    """Return a rule for an administration acknowledgment and the message that it acknowledges."""

    def fits_request(message: Any, context: Context) -> bool:
        request = asked(context, "UserMessage")
        acknowledges = message.MessagePropertiesHeader.MessageClass in ACKNOWLEDGING
        return request is None or not acknowledges or bool(holds(message, request))

    return given("request", requirement, path, fits_request, allowed)


def _has_always(requirement: str, path: str, value: int) -> Rule:
    """Return a rule: a number of an administration acknowledgment does not depend on the message."""
    number = attrgetter(path)
    return _acknowledges(requirement, path, lambda m, _: number(m) == value, f"{value:#x}" if value else "0")


def _is_about(requirement: str, number: int, holds: Callable[[Any], Any], what: str) -> Rule:
    """Return a rule: an acknowledgment of a class is about a message for which a condition holds."""
    return _acknowledges(
        requirement,
        "MessagePropertiesHeader.MessageClass",
        lambda m, q: m.MessagePropertiesHeader.MessageClass != number or holds(q),
        f"another class than {number:#x}, because the message acknowledged {what}",
    )


def _has_no_signature(requirement: str, size: str) -> Rule:
    """Return a rule: an administration acknowledgment has no signature of this size."""

    def has_none(message: Any, _: Any) -> bool:
        value = message
        for name in size.split("."):
            value = getattr(value, name, None)
        return not value

    return _acknowledges(requirement, size, has_none, "0, because acknowledgments are not signed")


def _if_signed(row: Rule) -> tuple[Rule, ...]:
    """Return a rule for messages that have a signature, in either of the places for one."""
    return tuple(replace(row, when=(Comparison(size, "!=", 0), *row.when)) for size in SIGNATURE_SIZES)


def _returns(requirement: str, reply: str, request: str, names: Callable[[Any], tuple[str, ...]]) -> Rule:
    """Return a rule: a message that carries a reply goes to a machine that its request names."""

    def fits_request(message: Any, context: Context) -> bool:
        question = asked(context, request)
        if question is None or asked(Context(request=message), reply) is None:
            return True
        text = getattr(message.UserHeader.DestinationQueue, "DirectFormatName", "")
        machine = text.partition(":")[2].partition("\\")[0]
        return any(_is_one_machine(machine, name.rstrip("\0")) for name in names(question) if name)

    allowed = f"a queue of the machine that the {request} names"
    return given("request", requirement, "UserHeader.DestinationQueue", fits_request, allowed)


def _is_one_machine(name: str, other: str) -> bool:
    """Return whether two names may be of one machine; one without a domain is in any (errata D66)."""
    shorter, longer = sorted((name.upper(), other.upper()), key=len)
    return longer == shorter or ("." not in shorter and longer.startswith(f"{shorter}."))


def _names(header: Any, part: str) -> str | None:
    """Return the format name of a queue in a UserHeader, in capitals; None if there is none, or no form."""
    try:
        name = getattr(header, part)
    except EncodeError:
        return None
    return None if name is None else str(name).upper()


def _returns_body(message: Any, request: Any) -> bool:
    """Return whether a negative acknowledgment has the body of the message, which is not encrypted."""
    if message.MessagePropertiesHeader.MessageClass in POSITIVE or is_encrypted(request):
        return True
    return bool(message.MessagePropertiesHeader.MessageBody == request.MessagePropertiesHeader.MessageBody)


def _returns_nothing_else(message: Any, request: Any) -> bool:
    """Return whether a positive acknowledgment, and that of an encrypted message, has no body."""
    is_positive = message.MessagePropertiesHeader.MessageClass in POSITIVE
    return not (is_positive or is_encrypted(request)) or not message.MessagePropertiesHeader.MessageBody


def cipher_of_key(key: bytes) -> int:
    """Return the algorithm for which a SIMPLEBLOB has a key; 0 for other bytes, and if it is unknown."""
    try:
        blob = record_class("SIMPLEBLOB").decode(key)
    except DecodeError:
        return 0
    cipher = int(blob.sessionKeyAlgorithm)
    return cipher if (blob.bType, blob.bVersion) == (1, 2) and cipher in _RC | _AES else 0


def _is_of_key(message: Any) -> bool:
    """Return whether the body is encrypted by the algorithm of the key in the message, if that is known."""
    data = message.SecurityHeader.SecurityData
    cipher = 0 if data is None else cipher_of_key(data.EncryptionKey)
    return cipher in {0, message.MessagePropertiesHeader.EncryptionAlgorithm}


def _allocates_body(message: Any) -> bool:
    header = message.MessagePropertiesHeader
    return bool(header.AllocationBodySize == len(header.MessageBody))


def _fills_blocks(message: Any) -> bool:
    """Return whether a body is as long as an encrypted one: the padding adds one byte or more to any body."""
    header = message.MessagePropertiesHeader
    size = len(header.MessageBody)
    return size > 0 and size % BLOCKS[header.EncryptionAlgorithm] == 0


def _announces(flag: str) -> Callable[[Any], bool]:
    """Return the condition that a clear flag hides nothing, for messages of an impossible class.

    The class of such a message may be a part of what the flag would announce: then the message has a possible
    class if it is read with the flag set.
    """
    trail = tuple(flag.split(".")[:-1])

    def holds(message: Any) -> bool:
        if _is_class(message):
            return True
        from msmq_wire.packets.wrong_flags import decoded_with_flag  # noqa: PLC0415  # for such messages only

        other = decoded_with_flag(encode_record(message), flag, offset_of(message, trail))
        return other is None or not _is_class(other)

    return holds


def _is_class(message: Any) -> bool:
    """Return whether the class of a message is a documented one, or one of the application."""
    number = message.MessagePropertiesHeader.MessageClass
    return number in CLASSES or not number & ~_APPLICATION_BITS


def _is_signed_by_sender(message: Any) -> bool:
    """Return whether SecurityID is the original sender; other rules report bytes that are not a GUID."""
    data = message.SecurityHeader.SecurityData
    sid = b"" if data is None else data.SecurityID
    return len(sid) != GUID_SIZE or bool(sid == message.UserHeader.SourceQueueManager.bytes_le)


def _comes_from(message: Any, context: Context) -> bool:
    """Return whether the sender of a packet signed it; what has a direct name is not passed on by others."""
    header, sender = message.SecurityHeader, context.sender
    is_signed = (
        header is not None and header.Flags.ST == SENT_BY_QUEUE_MANAGER and header.SecurityData is not None
    )
    return (
        not is_signed
        or message.UserHeader.Flags.DQ != DIRECT
        or len(header.SecurityData.SecurityID) != GUID_SIZE
        or (sender is not None and header.SecurityData.SecurityID == sender.bytes_le)
    )


def _is_sha_512(message: Any) -> bool:
    """Return whether the recommended algorithm is used; for directory messages others are required."""
    return message.MessagePropertiesHeader.HashAlgorithm == SHA_512 or carries(message) is not None


def _padded(header: Any) -> bool:
    """Return whether the variable part is filled up to the next multiple of 4 bytes, not beyond it."""
    label = 2 * wchar_count(header.Label)
    return len(header.Padding) == -(label + len(header.ExtensionData) + len(header.MessageBody)) & 3


def _sent_as(number: int, name: str) -> Rule:
    return practice(
        rule("MQMQ-2.2.19.3-20", "BodyType", "!=", number, "a variant type of [MS-MQMQ] 2.2.12"),
        erratum="M3",
        known=f"send {name}",
    )


_PACKET_SIZE = fits(
    "MQMQ-2.2.19.1-31", "BaseHeader.PacketSize", _packet_size_fits, "the size of the packet in bytes"
)

# ------------------------------------------------------------------------------------------- rules

_ADMINISTRATION_ACKNOWLEDGMENT = (
    _acknowledges(
        "MQQB-3.1.7.15-01",
        "UserHeader.DestinationQueue",
        lambda m, q: _names(m.UserHeader, "destination") == _names(q.UserHeader, "admin_queue"),
        "the administration queue of the message acknowledged",
    ),
    _acknowledges(
        "MQQB-3.1.7.15-02",
        "UserHeader.ResponseQueue",
        lambda m, q: _names(m.UserHeader, "response_queue") == _names(q.UserHeader, "destination"),
        "the destination queue of the message acknowledged",
    ),
    _acknowledges(
        "MQQB-3.1.7.15-03",
        "UserHeader.Flags.DM",
        lambda m, q: bool(m.UserHeader.Flags.DM) == bool(q.UserHeader.Flags.DM),
        "that of the message acknowledged",
    ),
    _has_always("MQQB-3.1.7.15-04", "MessagePropertiesHeader.Flags", 0),
    _has_always("MQQB-3.1.7.15-05", "BaseHeader.TimeToReachQueue", FOREVER),
    _has_always("MQQB-3.1.7.15-05", "UserHeader.TimeToBeReceived", FOREVER),
    _has_always("MQQB-3.1.7.15-06", "UserHeader.Flags.JP", 0),
    _has_always("MQQB-3.1.7.15-06", "UserHeader.Flags.JN", 0),
    _has_always("MQQB-3.1.7.15-07", "MessagePropertiesHeader.PrivacyLevel", 0),
    *(_has_no_signature("MQQB-3.1.7.15-08", size) for size in SIGNATURE_SIZES),
    _acknowledges(
        "MQQB-3.1.7.15-09",
        "MessagePropertiesHeader.MessageBody",
        _returns_body,
        "that of the message acknowledged",
    ),
    _acknowledges(
        "MQQB-3.1.7.15-10",
        "MessagePropertiesHeader.MessageBody",
        _returns_nothing_else,
        "empty in a positive acknowledgment, and in that of an encrypted message",
    ),
    # Other classes tell nothing of the message (errata Q44).
    _is_about(
        "MQQB-3.1.5.8.2-01",
        int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q),
        is_transactional,
        "is not transactional",
    ),
    _is_about(
        "MQQB-3.1.5.8.2-02",
        int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG),
        lambda q: not is_transactional(q),
        "is transactional",
    ),
)
"""[MS-MQQB] 3.1.5.8.2, 3.1.7.15: administration acknowledgments, compared with the message acknowledged."""

RULES: dict[str, tuple[Rule, ...]] = {
    "BaseHeader": (
        must_be("MQMQ-2.2.19.1-01", "VersionNumber", 0x10),
        practice(
            rule("MQMQ-2.2.19.1-02", "Reserved", "!=", _FILLED, "anything, because a receiver disregards it"),
            erratum="M36",
            known="leave 0x5a there in what they answer",
        ),
        rule("MQMQ-2.2.19.1-15", "Flags.DH", "==", 1, "1 while TR is 1", ("Flags.TR", "==", 1)),
        must_be("MQMQ-2.2.19.1-30", "Signature", 0x524F494C),
        rule("MQMQ-2.2.19.1-37", "PacketSize", "<=", MAX_PACKET_SIZE, f"at most {MAX_PACKET_SIZE:#x}"),
    ),
    "UserHeader": (
        practice(
            identifies("MQMQ-2.2.19.2-01", "SourceQueueManager", "the sender"),
            erratum="M50",
            known="leave it null in what they send, and take such messages",
        ),
        *on(
            AS_SENT,  # a remote read stores the sender's address there, [MS-MQRR] 2.2.5.1
            rule(
                "MQMQ-2.2.19.2-04",
                "QueueManagerAddress",
                "==",
                NULL_GUID,
                "null for a direct name",
                ("Flags.DQ", "==", DIRECT),
            ),
            rule(
                "MQMQ-2.2.19.2-03",
                "QueueManagerAddress",
                "!=",
                NULL_GUID,
                "the queue manager of a queue that is not named directly",
                ("Flags.DQ", "in", frozenset({3, 5})),
            ),
            given(
                "receiver",
                "MQMQ-2.2.19.2-03",
                "QueueManagerAddress",
                lambda h, context: h.Flags.DQ not in {3, 5} or h.QueueManagerAddress == context.receiver,
                "the queue manager that the packet is for",
            ),
        ),
        in_range("MQMQ-2.2.19.2-08", "Flags.RC", 0, 0x1D),
        one_of("MQMQ-2.2.19.2-09", "Flags.DM", 0, 1),
        one_of("MQMQ-2.2.19.2-16", "Flags.DQ", 0, 3, 5, 7),
        one_of("MQMQ-2.2.19.2-17", "Flags.AQ", 0, 2, 3, 5, 6, 7),
        rule("MQMQ-2.2.19.2-23", "Flags.DM", "!=", 0, "not 0 while TH is 1", ("Flags.TH", "==", 1)),
        must_be("MQMQ-2.2.19.2-24", "Flags.MP", 1),
        *presence("UserHeader.ConnectorType", missing="MQMQ-2.2.19.2-25", extra="MQMQ-2.2.19.2-26"),
        rule(
            "MQMQ-2.2.19.2-47",
            "Flags.AQ",
            "!=",
            0,
            "the form of an administration queue, because RQ refers to it",
            ("Flags.RQ", "in", frozenset({1, 4})),
        ),
        form("MQMQ-2.2.19.2-50", "DestinationQueue", "Flags.DQ"),
        form("MQMQ-2.2.19.2-51", "AdminQueue", "Flags.AQ"),
        form("MQMQ-2.2.19.2-52", "ResponseQueue", "Flags.RQ"),
        *on(SENT, rule("MQMQ-2.2.19.2-31", "Flags.AH", "==", 0, "0 in a packet that is sent")),
    ),
    "MessagePropertiesHeader": (
        rule("MQMQ-2.2.19.3-05", "Flags.X", "without bits", 1, "without bit 4", level=SHOULD),
        rule("MQMQ-2.2.19.3-07", "Flags.X", "without bits", 2, "without bit 5", level=SHOULD),
        rule("MQMQ-2.2.19.3-09", "Flags.X", "without bits", 4, "without bit 6", level=SHOULD),
        rule("MQMQ-2.2.19.3-11", "Flags.X", "without bits", 8, "without bit 7", level=SHOULD),
        wchars("MQMQ-2.2.19.3-13", "LabelLength", "Label"),
        rule(
            "MQMQ-2.2.19.3-16",
            "MessageClass",
            "without bits",
            0xFFFF & ~_APPLICATION_BITS,
            "a class of [MS-MQMQ] 2.2.18.1.6, or one of the application within 0xe1ff",
            ("MessageClass", "not in", CLASSES),
        ),
        rule("MQMQ-2.2.19.3-20", "BodyType", "in", _SENT_TYPES, "a variant type of [MS-MQMQ] 2.2.12"),
        *(_sent_as(number, name) for number, name in BODY_TYPES.items()),
        rule("MQMQ-2.2.12-07", "BodyType", "!=", 0x000C, "VT_VARIANT only as a vector"),
        rule("MQMQ-2.2.12-17", "BodyType", "!=", _VECTOR, "VT_VECTOR only with another type"),
        size("MQMQ-2.2.19.3-22", "MessageSize", "MessageBody"),
        rule(
            "MQMQ-2.2.19.3-24", "AllocationBodySize", "at least field", "MessageSize", "at least MessageSize"
        ),
        rule(
            "MQMQ-2.2.19.3-24", "AllocationBodySize", "<=", MAX_PACKET_SIZE, f"at most {MAX_PACKET_SIZE:#x}"
        ),
        one_of("MQMQ-2.2.19.3-25", "PrivacyLevel", 0, 1, 3, 5),
        rule(
            "MQMQ-2.2.19.3-29",
            "EncryptionAlgorithm",
            "in",
            _RC | _AES | {0},
            _ONE_OF_THE_CIPHERS,
            ("PrivacyLevel", "==", 0),
        ),
        rule(
            "MQMQ-2.2.19.3-29",
            "EncryptionAlgorithm",
            "in",
            _RC | _AES,
            _ONE_OF_THE_CIPHERS,
            ("PrivacyLevel", "!=", 0),
        ),
        rule(
            "MQMQ-2.2.19.3-31",
            "EncryptionAlgorithm",
            "not in",
            _AES,
            _CIPHERS_OF_LEVELS,
            ("PrivacyLevel", "in", frozenset({1, 3})),
        ),
        rule(
            "MQMQ-2.2.19.3-31",
            "EncryptionAlgorithm",
            "not in",
            _RC,
            _CIPHERS_OF_LEVELS,
            ("PrivacyLevel", "==", 5),
        ),
        size("MQMQ-2.2.19.3-33", "ExtensionSize", "ExtensionData"),
        ends_with_null("MQMQ-2.2.19.3-36", "Label", empty=True),
        fits("MQMQ-2.2.19.3-40", "Padding", _padded, "what fills the header up to a multiple of 4 bytes"),
        in_range("MQMQ-2.2.19.3-42", "LabelLength", 0, 0xFA),
        rule("MQMQ-2.2.19.3-43", "HashAlgorithm", "in", HASH_NUMBERS | {0}, _ONE_OF_THE_HASHES),
        practice(
            rule("MQMQ-2.2.19.3-43", "HashAlgorithm", "!=", 0, _ONE_OF_THE_HASHES),
            erratum="M35",
            known="send and accept 0 in a message without a signature",
        ),
    ),
    "UserMessage": (
        rule(
            "MQMQ-2.2.19.1-04",
            "BaseHeader.Flags.PR",
            "==",
            0,
            "0 in a transactional message",
            ("UserHeader.Flags.TH", "==", 1),
        ),
        _PACKET_SIZE,
        *on(
            AS_SENT,  # a remote read returns an absolute time there, [MS-MQRR] 2.2.5.1
            given(
                "seen_at",
                "MQMQ-2.2.19.1-34",
                "BaseHeader.TimeToReachQueue",
                _in_time,
                "a time that had not passed when the packet was seen",
            ),
        ),
        _acknowledges(
            "MQMQ-2.2.19.3-19",
            "MessagePropertiesHeader.CorrelationID",
            lambda m, q: (
                m.MessagePropertiesHeader.CorrelationID == encode_record(q.UserHeader.message_identifier)
            ),
            "the identifier of the message acknowledged",
        ),
        *_ADMINISTRATION_ACKNOWLEDGMENT,
        fits(
            "MQMQ-2.2.19.2-26",
            "UserHeader.Flags.CQ",
            _announces("UserHeader.Flags.CQ"),
            "1, because a ConnectorType follows",
            ("MessagePropertiesHeader.MessageClass", "not in", CLASSES),
        ),
        fits(
            "MQMQ-2.2.20.5-31",
            "TransactionHeader.Flags.CG",
            _announces("TransactionHeader.Flags.CG"),
            "1, because a ConnectorQMGuid follows",
            ("MessagePropertiesHeader.MessageClass", "not in", CLASSES),
            ("TransactionHeader", "is there"),
        ),
        _returns("MQDSRP-3.2.7.3-24", "SyncReplyMessage", "SyncRequestMessage", lambda q: (q.RequesterName,)),
        _returns(
            "MQDSRP-3.2.7.7-06", "AlreadyPurgedMessage", "SyncRequestMessage", lambda q: (q.RequesterName,)
        ),
        _returns(
            "MQDSRP-3.2.7.6-07",
            "ChangeReplyMessage",
            "ChangeRequestMessage",
            lambda q: (q.ChangeRequestHeader.RequesterName, q.ChangeRequestHeader.PSCName),
        ),
        fits(
            "MQMQ-2.2.20.6-26",
            "SecurityHeader.SecurityData.SecurityID",
            _is_signed_by_sender,
            "SourceQueueManager, because ST is 2",
            ("SecurityHeader.Flags.ST", "==", SENT_BY_QUEUE_MANAGER),
        ),
        *on(
            SENT,
            given(
                "sender",
                "MQMQ-2.2.20.6-26",
                "SecurityHeader.SecurityData.SecurityID",
                _comes_from,
                "the queue manager that sent the packet, because ST is 2 and no other one passed it on",
            ),
        ),
        fits(
            "MQQB-2.4.2-04",
            "MessagePropertiesHeader.EncryptionAlgorithm",
            _is_of_key,
            "the algorithm of the key in EncryptionKey",
            ("SecurityHeader.Flags.EB", "==", 1),
            ("MessagePropertiesHeader.EncryptionAlgorithm", "in", _RC | _AES),
        ),
        *on(
            SENT,  # the receiver decrypts the body
            fits(
                "MQMQ-2.2.19.3-45",
                "MessagePropertiesHeader.MessageBody",
                _fills_blocks,
                "8 bytes in RC2 and 16 in AES, or a multiple, because it is encrypted and padded",
                ("SecurityHeader.Flags.EB", "==", 1),
                ("MessagePropertiesHeader.EncryptionAlgorithm", "in", frozenset(BLOCKS)),
            ),
            fits(
                "MQQB-3.1.7.1.5-01",
                "MessagePropertiesHeader.AllocationBodySize",
                _allocates_body,
                "the size of MessageBody, because that is encrypted",
                ("SecurityHeader.Flags.EB", "==", 1),
            ),
            practice(
                rule(
                    "MQQB-3.1.7.1.5-02",
                    "UserHeader.Flags.DQ",
                    "in",
                    frozenset({3, 5}),
                    "3 or 5, because the directory has the key of the receiver for these names only",
                    ("SecurityHeader.Flags.EB", "==", 1),
                ),
                erratum="Q43",
                known="send what an application encrypted to direct names",
            ),
        ),
        rule(
            "MQMQ-2.2.20.6-06",
            "MessagePropertiesHeader.PrivacyLevel",
            "!=",
            0,
            "1, 3 or 5, because EB is 1",
            ("SecurityHeader.Flags.EB", "==", 1),
        ),
        *_if_signed(
            fits(
                "MQMQ-2.2.19.3-28",
                "MessagePropertiesHeader.HashAlgorithm",
                _is_sha_512,
                f"{SHA_512:#x}, because there is a signature",
                ("MessagePropertiesHeader.HashAlgorithm", "!=", 0),
                level=SHOULD,
            )
        ),
        fits(
            "MQMQ-2.2.19.1-32",
            "BaseHeader.PacketSize",
            lambda m: m.BaseHeader.PacketSize != size_of_record(m),
            "the size of the packet without its SessionHeader",
            ("SessionHeader", "is there"),
        ),
        *_if_signed(
            rule(
                "MQMQ-2.2.19.3-43",
                "MessagePropertiesHeader.HashAlgorithm",
                "!=",
                0,
                f"{_ONE_OF_THE_HASHES}, because there is a signature",
            )
        ),
        practice(
            rule(
                "MQMQ-2.2.19.2-40",
                "UserHeader.Flags.AQ",
                "!=",
                0,
                "the form of an administration queue, because acknowledgments are asked for",
                ("MessagePropertiesHeader.Flags", "with bits", _ASKING),
            ),
            erratum="M5",
            known="ask for acknowledgments and name no queue for them",
        ),
        rule(
            "MQMQ-2.2.19.2-41",
            "UserHeader.Flags.AQ",
            "==",
            0,
            "0, because no acknowledgment is asked for",
            ("MessagePropertiesHeader.Flags", "==", 0),
        ),
        must_be("MQMQ-2.2.20-02", "BaseHeader.Flags.IN", 0),
    ),
    **dict.fromkeys(
        ("EstablishConnection", "ConnectionParameters", "SessionAck"),
        (
            must_be("MQMQ-2.2.19.1-05", "BaseHeader.Flags.IN", 1),
            must_be("MQMQ-2.2.19.1-08", "BaseHeader.Flags.DH", 0),
            must_be("MQMQ-2.2.19.1-36", "BaseHeader.TimeToReachQueue", FOREVER),
            _PACKET_SIZE,
        ),
    ),
    **dict.fromkeys(ACKNOWLEDGMENTS, (_PACKET_SIZE,)),
}
