"""[MS-MQMQ] 2.2.19: the three headers that every message has, and what a packet as a whole has to agree on.

1. Doubtful statements go by the errata: PacketSize M2, ResponseQueue M1, BodyType M3, administration queues
   M5 and M34, message classes M6, ciphers M11, TimeToReachQueue M19, HashAlgorithm M35, Reserved M36.
2. Whether a header is there is said in 2.2.20 and by the flag itself; the flag's requirement is named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from msmq_wire.records.record import encode_record
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.wchar import wchar_count

from ._vocabulary import (
    SENT,
    SHOULD,
    Rule,
    absent_unless,
    ends_with_null,
    form,
    given,
    in_range,
    must_be,
    on,
    one_of,
    practice,
    present_when,
    rule,
    size,
    unused,
    wchars,
)

if TYPE_CHECKING:
    from ._vocabulary import Channel, Context

__all__ = ["BODY_TYPES", "RULES"]

_FOR_EVER = 0xFFFFFFFF
_DIRECT = 7
_CLASSES = frozenset(map(int, MESSAGE_CLASS_VALUES))
_ADMINISTRATION = _CLASSES - {0x0000, 0x0001, 0x00FF}
_APPLICATION_BITS = 0xE1FF
_VECTOR = 0x1000
BODY_TYPES: Final = {
    4: "VT_R4, a number of COM",
    5: "VT_R8, a number of COM",
    6: "VT_CY, an amount of money of COM",
    7: "VT_DATE, a time of COM",
    8: "VT_BSTR, a text of COM",
    30: "VT_LPSTR, a text of bytes",
    68: "VT_STREAMED_OBJECT, an object of COM",
    69: "VT_STORED_OBJECT, an object of COM",
    0x300: "768, an object of .NET that BinaryMessageFormatter wrote",
    0x2011: "VT_ARRAY | VT_UI1, an array of bytes of COM",
}
"""Types of bodies that [MS-MQMQ] 2.2.12 lacks and implementations send, each with its name (M3)."""
_TYPES = frozenset({0, 1, 2, 3, 11, 12, 16, 17, 18, 19, 20, 21, 31, 65, 72})
_RC, _AES = frozenset({0x6602, 0x6801}), frozenset({0x660E, 0x660F, 0x6610})
_CIPHERS = {1: _RC, 3: _RC, 5: _AES}
_HASHES = frozenset({0x8001, 0x8002, 0x8003, 0x8004, 0x800C, 0x800E})
_ONE_OF_THE_HASHES = "one of " + ", ".join(f"{number:#x}" for number in sorted(_HASHES))
_NOT_READ: tuple[Channel, ...] = ("session", "directory", "stored")
_FILLED = 0x5A
_CLOCKS = 60
_SESSION_HEADER = 16
_ASKING = 0x0F


# -------------------------------------------------------------------------------------- conditions


def _packet_sizes(packet: Any) -> tuple[int, ...]:
    """What PacketSize may be: with a SessionHeader behind a UserMessage there are two readings (M2)."""
    whole = len(encode_record(packet))
    if getattr(packet, "SessionHeader", None) is not None and packet.layout.name == "UserMessage":
        return whole - _SESSION_HEADER, whole
    return (whole,)


def _cipher_fits(header: Any) -> bool:
    """A cipher that goes with the level; a level without ciphers and an unknown cipher are no matter here."""
    allowed = _CIPHERS.get(header.PrivacyLevel)
    cipher = header.EncryptionAlgorithm
    return allowed is None or cipher in allowed or cipher not in _RC | _AES


def _in_time(message: Any, known: Context) -> bool:
    """Whether a message was still worth sending; clocks differ, so a minute more is granted."""
    base = message.BaseHeader
    if base.TimeToReachQueue == _FOR_EVER or known.seen_at is None:
        return True
    return bool(known.seen_at <= message.UserHeader.SentTime + base.TimeToReachQueue + _CLOCKS)


def _acknowledges(header: Any, request: Any) -> bool:
    if header.MessageClass not in _ADMINISTRATION or request.layout.name != "UserMessage":
        return True
    return bool(header.CorrelationID == encode_record(request.UserHeader.message_identifier))


def _direct_without_manager(header: Any) -> bool:
    return bool(header.Flags.DQ != _DIRECT or header.QueueManagerAddress == NULL_GUID)


def _hash_is_named(message: Any) -> bool:
    """Whether a signature comes with the algorithm that made it."""
    security = message.SecurityHeader
    return security is None or not security.SignatureSize or message.MessagePropertiesHeader.HashAlgorithm


def _padded(header: Any) -> bool:
    """The fixed part is a multiple of 4 bytes."""
    label = 2 * wchar_count(header.Label)
    return (label + len(header.ExtensionData) + len(header.MessageBody) + len(header.Padding)) % 4 == 0


def _sent_as(number: int, name: str) -> Rule:
    return practice(
        "MQMQ-2.2.19.3-20",
        "BodyType",
        lambda h: h.BodyType != number,
        "a variant type of [MS-MQMQ] 2.2.12",
        erratum="M3",
        known=f"send {name}",
    )


_PACKET_SIZE = rule(
    "MQMQ-2.2.19.1-31",
    "BaseHeader.PacketSize",
    lambda p: p.BaseHeader.PacketSize in _packet_sizes(p),
    "the size of the packet in bytes",
)

# ------------------------------------------------------------------------------------------- rules

RULES: dict[str, tuple[Rule, ...]] = {
    "BaseHeader": (
        must_be("MQMQ-2.2.19.1-01", "VersionNumber", 0x10),
        practice(
            "MQMQ-2.2.19.1-02",
            "Reserved",
            lambda h: h.Reserved != _FILLED,
            "anything, because a receiver disregards it",
            erratum="M36",
            known="leave 0x5a there in what they answer",
        ),
        *unused("MQMQ-2.2.19.1", "Flags", X9=10, X8=12, X6=16, X5=18, X4=20, X3=22, X2=24, X1=26, X0=28),
        rule("MQMQ-2.2.19.1-15", "Flags.DH", lambda h: h.Flags.DH or not h.Flags.TR, "1 while TR is 1"),
        must_be("MQMQ-2.2.19.1-30", "Signature", 0x524F494C),
        rule("MQMQ-2.2.19.1-37", "PacketSize", lambda h: h.PacketSize <= 0x00400000, "at most 0x400000"),
    ),
    "UserHeader": (
        *on(
            _NOT_READ,  # a remote read puts the sender's address there, [MS-MQRR] 2.2.5.1
            rule(
                "MQMQ-2.2.19.2-04", "QueueManagerAddress", _direct_without_manager, "null for a direct name"
            ),
            given(
                "receiver",
                "MQMQ-2.2.19.2-03",
                "QueueManagerAddress",
                lambda h, known: h.Flags.DQ not in {3, 5} or h.QueueManagerAddress == known.receiver,
                "the queue manager that the packet is for",
            ),
        ),
        in_range("MQMQ-2.2.19.2-08", "Flags.RC", 0, 0x1D),
        one_of("MQMQ-2.2.19.2-09", "Flags.DM", 0, 1),
        *unused("MQMQ-2.2.19.2", "Flags", X1=12, X2=29, X4=36),
        msgspec.structs.replace(
            must_be("MQMQ-2.2.19.2-32", "Flags.X3", 0, SHOULD),
            erratum="M37",
            practice="read one more header where bit 26 is set",
        ),
        one_of("MQMQ-2.2.19.2-16", "Flags.DQ", 0, 3, 5, 7),
        one_of("MQMQ-2.2.19.2-17", "Flags.AQ", 0, 2, 3, 5, 6, 7),
        rule("MQMQ-2.2.19.2-23", "Flags.DM", lambda h: h.Flags.DM or not h.Flags.TH, "not 0 while TH is 1"),
        must_be("MQMQ-2.2.19.2-24", "Flags.MP", 1),
        present_when("MQMQ-2.2.19.2-25", "ConnectorType", "Flags.CQ"),
        absent_unless("MQMQ-2.2.19.2-26", "ConnectorType", "Flags.CQ"),
        form("MQMQ-2.2.19.2-50", "DestinationQueue", "Flags.DQ"),
        form("MQMQ-2.2.19.2-51", "AdminQueue", "Flags.AQ"),
        form("MQMQ-2.2.19.2-52", "ResponseQueue", "Flags.RQ"),
        *on(
            SENT,
            rule("MQMQ-2.2.19.2-31", "Flags.AH", lambda h: not h.Flags.AH, "0 in a packet that is sent"),
        ),
    ),
    "MessagePropertiesHeader": (
        rule("MQMQ-2.2.19.3-05", "Flags.X", lambda h: not h.Flags & 0x10, "without bit 4", SHOULD),
        rule("MQMQ-2.2.19.3-07", "Flags.X", lambda h: not h.Flags & 0x20, "without bit 5", SHOULD),
        rule("MQMQ-2.2.19.3-09", "Flags.X", lambda h: not h.Flags & 0x40, "without bit 6", SHOULD),
        rule("MQMQ-2.2.19.3-11", "Flags.X", lambda h: not h.Flags & 0x80, "without bit 7", SHOULD),
        wchars("MQMQ-2.2.19.3-13", "LabelLength", "Label"),
        rule(
            "MQMQ-2.2.19.3-16",
            "MessageClass",
            lambda h: h.MessageClass in _CLASSES or not h.MessageClass & ~_APPLICATION_BITS,
            "a class of [MS-MQMQ] 2.2.18.1.6, or one of the application within 0xe1ff",
        ),
        given(
            "request",
            "MQMQ-2.2.19.3-19",
            "CorrelationID",
            lambda h, known: _acknowledges(h, known.request),
            "the identifier of the message acknowledged",
        ),
        rule(
            "MQMQ-2.2.19.3-20",
            "BodyType",
            lambda h: h.BodyType & ~_VECTOR in _TYPES or h.BodyType in BODY_TYPES,
            "a variant type of [MS-MQMQ] 2.2.12",
        ),
        *(_sent_as(number, name) for number, name in BODY_TYPES.items()),
        rule("MQMQ-2.2.12-07", "BodyType", lambda h: h.BodyType != 0x000C, "VT_VARIANT only as a vector"),
        rule(
            "MQMQ-2.2.12-17", "BodyType", lambda h: h.BodyType != _VECTOR, "VT_VECTOR only with another type"
        ),
        size("MQMQ-2.2.19.3-22", "MessageSize", "MessageBody"),
        rule(
            "MQMQ-2.2.19.3-24",
            "AllocationBodySize",
            lambda h: h.AllocationBodySize >= h.MessageSize,
            "at least MessageSize",
        ),
        one_of("MQMQ-2.2.19.3-25", "PrivacyLevel", 0, 1, 3, 5),
        rule(
            "MQMQ-2.2.19.3-29",
            "EncryptionAlgorithm",
            lambda h: h.EncryptionAlgorithm in _RC | _AES or not h.EncryptionAlgorithm | h.PrivacyLevel,
            "one of 0x6602, 0x6610, 0x660e, 0x660f, 0x6801",
        ),
        rule(
            "MQMQ-2.2.19.3-31",
            "EncryptionAlgorithm",
            _cipher_fits,
            "RC2 or RC4 with PrivacyLevel 1 and 3, AES with PrivacyLevel 5",
        ),
        size("MQMQ-2.2.19.3-33", "ExtensionSize", "ExtensionData"),
        ends_with_null("MQMQ-2.2.19.3-36", "Label", empty=True),
        rule("MQMQ-2.2.19.3-40", "Padding", _padded, "what fills the header up to a multiple of 4 bytes"),
        in_range("MQMQ-2.2.19.3-42", "LabelLength", 0, 0xFA),
        rule(
            "MQMQ-2.2.19.3-43",
            "HashAlgorithm",
            lambda h: h.HashAlgorithm in _HASHES or not h.HashAlgorithm,
            _ONE_OF_THE_HASHES,
        ),
        practice(
            "MQMQ-2.2.19.3-43",
            "HashAlgorithm",
            lambda h: h.HashAlgorithm,
            _ONE_OF_THE_HASHES,
            erratum="M35",
            known="send and accept 0 in a message without a signature",
        ),
    ),
    "UserMessage": (
        rule(
            "MQMQ-2.2.19.1-04",
            "BaseHeader.Flags.PR",
            lambda m: not (m.BaseHeader.Flags.PR and m.UserHeader.Flags.TH),
            "0 in a transactional message",
        ),
        present_when("MQMQ-2.2.19.1-09", "DebugHeader", "BaseHeader.Flags.DH"),
        absent_unless("MQMQ-2.2.19.1-09", "DebugHeader", "BaseHeader.Flags.DH"),
        _PACKET_SIZE,
        given(
            "seen_at",
            "MQMQ-2.2.19.1-34",
            "BaseHeader.TimeToReachQueue",
            _in_time,
            "a time that had not passed when the packet was seen",
        ),
        rule(
            "MQMQ-2.2.19.1-32",
            "BaseHeader.PacketSize",
            lambda m: m.SessionHeader is None or m.BaseHeader.PacketSize != len(encode_record(m)),
            "the size of the packet without its SessionHeader",
        ),
        present_when("MQMQ-2.2.19.2-19", "SecurityHeader", "UserHeader.Flags.SH"),
        absent_unless("MQMQ-2.2.19.2-20", "SecurityHeader", "UserHeader.Flags.SH"),
        present_when("MQMQ-2.2.19.2-21", "TransactionHeader", "UserHeader.Flags.TH"),
        absent_unless("MQMQ-2.2.19.2-22", "TransactionHeader", "UserHeader.Flags.TH"),
        present_when("MQMQ-2.2.19.2-27", "MultiQueueFormatHeader", "UserHeader.Flags.MQ"),
        absent_unless("MQMQ-2.2.19.2-28", "MultiQueueFormatHeader", "UserHeader.Flags.MQ"),
        present_when("MQMQ-2.2.19.2-34", "SoapHeader", "UserHeader.Flags.HH"),
        absent_unless("MQMQ-2.2.19.2-35", "SoapHeader", "UserHeader.Flags.HH"),
        rule(
            "MQMQ-2.2.19.3-43",
            "MessagePropertiesHeader.HashAlgorithm",
            _hash_is_named,
            f"{_ONE_OF_THE_HASHES}, because there is a signature",
        ),
        practice(
            "MQMQ-2.2.19.2-40",
            "UserHeader.Flags.AQ",
            lambda m: m.UserHeader.Flags.AQ or not m.MessagePropertiesHeader.Flags & _ASKING,
            "the form of an administration queue, because acknowledgments are asked for",
            erratum="M5",
            known="ask for acknowledgments and name no queue for them",
        ),
        rule(
            "MQMQ-2.2.19.2-41",
            "UserHeader.Flags.AQ",
            lambda m: not m.UserHeader.Flags.AQ or m.MessagePropertiesHeader.Flags,
            "0, because no acknowledgment is asked for",
        ),
        must_be("MQMQ-2.2.20-02", "BaseHeader.Flags.IN", 0),
        present_when("MQMQ-2.2.20-11", "SessionHeader", "BaseHeader.Flags.SH"),
        absent_unless("MQMQ-2.2.20-11", "SessionHeader", "BaseHeader.Flags.SH"),
    ),
    **dict.fromkeys(
        ("EstablishConnection", "ConnectionParameters", "SessionAck"),
        (
            must_be("MQMQ-2.2.19.1-05", "BaseHeader.Flags.IN", 1),
            must_be("MQMQ-2.2.19.1-08", "BaseHeader.Flags.DH", 0),
            must_be("MQMQ-2.2.19.1-36", "BaseHeader.TimeToReachQueue", _FOR_EVER),
            _PACKET_SIZE,
        ),
    ),
    **dict.fromkeys(
        ("OrderAck", "FinalAck"),
        (_PACKET_SIZE,),
    ),
}
