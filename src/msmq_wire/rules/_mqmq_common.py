"""[MS-MQMQ] 2.2.19: the three headers that every message has, and what a packet as a whole has to agree on.

1. Doubtful statements go by the errata: PacketSize M2, ResponseQueue M1, BodyType M3, administration queues
   M5 and M34, message classes M6, ciphers M11, TimeToReachQueue M19.
2. Whether a header is there is said in 2.2.20 and by the flag itself; the flag's requirement is named.
"""

from __future__ import annotations

from typing import Any

from msmq_wire._enumerations import MESSAGE_CLASS_VALUES
from msmq_wire._record import encode_record
from msmq_wire._wchar import wchar_count
from msmq_wire.guid import NULL_GUID

from ._vocabulary import (
    SHOULD,
    Rule,
    Scope,
    absent_unless,
    ends_with_null,
    form,
    given,
    in_range,
    must_be,
    one_of,
    present_when,
    rule,
    scoped,
    size,
    unused,
    wchars,
)

__all__ = ["RULES"]

_FOR_EVER = 0xFFFFFFFF
_DIRECT = 7
_CLASSES = frozenset(map(int, MESSAGE_CLASS_VALUES))
_ADMINISTRATION = _CLASSES - {0x0000, 0x0001, 0x00FF}
_APPLICATION_BITS = 0xE1FF
_VECTOR = 0x1000
_TYPES = frozenset({0, 1, 2, 3, 11, 12, 16, 17, 18, 19, 20, 21, 31, 65, 72})
_RC, _AES = frozenset({0x6602, 0x6801}), frozenset({0x660E, 0x660F, 0x6610})
_CIPHERS = {1: _RC, 3: _RC, 5: _AES}
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


def _acknowledges(header: Any, request: Any) -> bool:
    if header.MessageClass not in _ADMINISTRATION or request.layout.name != "UserMessage":
        return True
    return bool(header.CorrelationID == encode_record(request.UserHeader.message_identifier))


def _direct_without_manager(header: Any, scope: Scope) -> bool:
    """A remote read puts the sender's address there ([MS-MQRR] 2.2.5.1)."""
    return header.Flags.DQ != _DIRECT or header.QueueManagerAddress == NULL_GUID or scope.remote_read


def _padded(header: Any) -> bool:
    """The fixed part is a multiple of 4 bytes."""
    label = 2 * wchar_count(header.Label)
    return (label + len(header.ExtensionData) + len(header.MessageBody) + len(header.Padding)) % 4 == 0


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
        *unused("MQMQ-2.2.19.1", "Flags", X9=10, X8=12, X6=16, X5=18, X4=20, X3=22, X2=24, X1=26, X0=28),
        rule("MQMQ-2.2.19.1-15", "Flags.DH", lambda h: h.Flags.DH or not h.Flags.TR, "1 while TR is 1"),
        must_be("MQMQ-2.2.19.1-30", "Signature", 0x524F494C),
        rule("MQMQ-2.2.19.1-37", "PacketSize", lambda h: h.PacketSize <= 0x00400000, "at most 0x400000"),
    ),
    "UserHeader": (
        scoped("MQMQ-2.2.19.2-04", "QueueManagerAddress", _direct_without_manager, "null for a direct name"),
        in_range("MQMQ-2.2.19.2-08", "Flags.RC", 0, 0x1D),
        one_of("MQMQ-2.2.19.2-09", "Flags.DM", 0, 1),
        *unused("MQMQ-2.2.19.2", "Flags", X1=12, X2=29, X3=32, X4=36),
        one_of("MQMQ-2.2.19.2-16", "Flags.DQ", 0, 3, 5, 7),
        one_of("MQMQ-2.2.19.2-17", "Flags.AQ", 0, 2, 3, 5, 6, 7),
        rule("MQMQ-2.2.19.2-23", "Flags.DM", lambda h: h.Flags.DM or not h.Flags.TH, "not 0 while TH is 1"),
        must_be("MQMQ-2.2.19.2-24", "Flags.MP", 1),
        present_when("MQMQ-2.2.19.2-25", "ConnectorType", "Flags.CQ"),
        absent_unless("MQMQ-2.2.19.2-26", "ConnectorType", "Flags.CQ"),
        form("MQMQ-2.2.19.2-50", "DestinationQueue", "Flags.DQ"),
        form("MQMQ-2.2.19.2-51", "AdminQueue", "Flags.AQ"),
        form("MQMQ-2.2.19.2-52", "ResponseQueue", "Flags.RQ"),
        given(
            "receiver",
            "MQMQ-2.2.19.2-03",
            "QueueManagerAddress",
            lambda h, known: h.Flags.DQ not in {3, 5} or h.QueueManagerAddress == known.receiver,
            "the queue manager that the packet is for",
        ),
        given(
            "remote_read",
            "MQMQ-2.2.19.2-31",
            "Flags.AH",
            lambda h, known: known.remote_read or not h.Flags.AH,
            "0 in a packet of the binary protocol",
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
            lambda h: h.BodyType & ~_VECTOR in _TYPES,
            "a variant type of [MS-MQMQ] 2.2.12",
        ),
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
        one_of("MQMQ-2.2.19.3-43", "HashAlgorithm", 0x8001, 0x8002, 0x8003, 0x8004, 0x800C, 0x800E),
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
            "MQMQ-2.2.19.2-40",
            "UserHeader.Flags.AQ",
            lambda m: m.UserHeader.Flags.AQ or not m.MessagePropertiesHeader.Flags & _ASKING,
            "the form of an administration queue, because acknowledgments are asked for",
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
