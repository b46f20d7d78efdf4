"""[MS-MQMQ] 2.2.20: the optional headers of a message, and the bits that announce one or none.

1. A signature is as long as the modulus of the key that made it.  Whether it is right is not checked here,
   because that takes RSA, and forms that no document states (errata M26).
2. The errata decide ambiguous statements: AI and SecurityData M4, cryptographic providers M8, AU and AS M9,
   alignment of names M13, HeaderID M14, unused bits of a TransactionHeader M10, moduli M67.
3. Alignment in a list of names counts from the start of the list's header.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import msgspec

from msmq_wire.packets.certificates import PUBLIC_KEY, modulus_size
from msmq_wire.records.record import size_of_record
from msmq_wire.values.guid import GUID_SIZE
from msmq_wire.values.sid import is_sid
from msmq_wire.values.wchar import find_terminator, wchar_count

from .vocabulary import (
    RECEIVED,
    SENT,
    SHOULD,
    Embedded,
    Rule,
    count,
    ends_with_null,
    fills,
    fits,
    identifies,
    in_range,
    inside,
    must_be,
    on,
    one_of,
    presence,
    rule,
    size,
    unused,
    wchars,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_LIST_BEGINS = 12
_NAME_BEGINS = 2
_BOUNDARY = 4
_PARTS = ("SecurityID", "EncryptionKey", "Signature", "SenderCert", "ProviderInfo")
LEAST_SIMPLEBLOB = 12
SIGNATURE_TYPES = (1, 3, 5)
"""What a receiver sets AS to, [MS-MQQB] 3.1.5.8.3: a right signature of MSMQ 1.0, 2.0 or 3.0."""


# -------------------------------------------------------------------------------------- conditions


def exponent(requirement: str, path: str) -> tuple[Rule, ...]:
    """Return the rules: a number is the public exponent of some pair of RSA keys, [RFC8017] 3.1."""
    allowed = "an odd number of 3 or more"
    return (
        rule(requirement, path, "with bits", 1, allowed),
        rule(requirement, path, "!=", 1, allowed),
    )


def _part(header: Any, name: str) -> bytes:
    data: bytes = b"" if header.SecurityData is None else getattr(header.SecurityData, name)
    return data


def _is_provider(data: bytes) -> bool:
    """Return whether bytes are a 4-byte number and a text with exactly one null, at its end."""
    return find_terminator(data, 4, len(data)) == len(data) - 2 >= 4


AS_LONG_AS_KEY = "as long as the modulus of the key in SenderCert"


def is_as_long_as_key(signature: bytes, certificate: bytes) -> bool:
    """Return whether a signature has the size of the key in a certificate; true if either is missing."""
    return not (signature and certificate) or modulus_size(certificate) in {None, len(signature)}


def _aligned(form: str, boundary: int) -> Callable[[Any], bool]:
    """Return a condition on a list: names of this form start at the next multiple of the boundary."""

    def holds(header: Any) -> bool:
        at = _LIST_BEGINS
        for element in header.FormatNameList:
            padding = len(element.Padding)
            begins = at + _NAME_BEGINS + padding
            if element.FormatName.layout.name == form and (begins % boundary or padding >= boundary):
                return False
            at += size_of_record(element)
        return True

    return holds


_PUBLIC = "PublicQueueFormatName"
_PUBLIC_ALIGNED = _aligned(_PUBLIC, _BOUNDARY)


def _header_size_fits(header: Any) -> bool:
    """Return whether a reader ends there; it may omit the padding at the end, and that of public names."""
    taken = size_of_record(header)
    whole = taken - len(header.Padding) <= header.HeaderSize <= taken
    names = header.FormatNameList
    packed = not any(element.Padding for element in names if element.FormatName.layout.name == _PUBLIC)
    return bool(whole and (packed or _PUBLIC_ALIGNED(header)))


def _part_padded(part: str) -> Callable[[Any], bool]:
    both = attrgetter(part, f"{part}Padding")

    def holds(data: Any) -> bool:
        value, padding = both(data)
        return len(padding) == -len(value) & 3

    return holds


def _padded(header: Any) -> bool:
    """Return whether the padding ends at the next multiple of 4 bytes, or before it, with the packet."""
    size = len(header.Padding)
    return size <= (size - size_of_record(header)) & 3


def _header_padded(header: Any) -> bool:
    """Return whether there is no padding before BodySectionID, or one to a multiple of 4 bytes (M16)."""
    size = len(header.HeaderPadding)
    return not size or size == -2 * wchar_count(header.Header) & 3


# ------------------------------------------------------------------------------------------- rules

RULES: dict[str, tuple[Rule, ...]] = {
    "UserMessage": (
        *presence("UserMessage.TransactionHeader", missing="MQMQ-2.2.19.2-21", extra="MQMQ-2.2.19.2-22"),
        *presence("UserMessage.SecurityHeader", missing="MQMQ-2.2.19.2-19", extra="MQMQ-2.2.19.2-20"),
        *presence("UserMessage.DebugHeader", missing="MQMQ-2.2.19.1-09", extra="MQMQ-2.2.19.1-09"),
        *presence("UserMessage.SoapHeader", missing="MQMQ-2.2.19.2-34", extra="MQMQ-2.2.19.2-35"),
        *presence("UserMessage.MultiQueueFormatHeader", missing="MQMQ-2.2.19.2-27", extra="MQMQ-2.2.19.2-28"),
        *presence("UserMessage.SessionHeader", missing="MQMQ-2.2.20-11", extra="MQMQ-2.2.20-11"),
        fills(
            "MQMQ-2.2.19.1-31",
            "SoapHeader.Padding",
            lambda m: not size_of_record(m.SoapHeader) % _BOUNDARY or not _padded(m.SoapHeader),
            ("SoapHeader", "is there"),
            ("MultiQueueFormatHeader", "is there"),
        ),
    ),
    "BaseHeader": unused(
        "MQMQ-2.2.19.1", "Flags", X9=10, X8=12, X6=16, X5=18, X4=20, X3=22, X2=24, X1=26, X0=28
    ),
    "UserHeader": (
        *unused("MQMQ-2.2.19.2", "Flags", X1=12, X2=29, X4=36),
        msgspec.structs.replace(
            must_be("MQMQ-2.2.19.2-32", "Flags.X3", 0, SHOULD),
            erratum="M37",
            practice="read one more header where bit 26 is set",
        ),
    ),
    "MultiQueueFormatHeader": (
        rule("MQMQ-2.2.20.1-01", "Destination.ElementCount", "!=", 0, "the number of one name or more"),
        must_be("MQMQ-2.2.20.2-02", "Destination.HeaderID", 0x0064),
        must_be("MQMQ-2.2.20.2-02", "Administration.HeaderID", 0x00C8),
        must_be("MQMQ-2.2.20.2-02", "Response.HeaderID", 0x012C),
        fills("MQMQ-2.2.19.1-31", "Padding", _padded),
    ),
    "MQFAddressHeader": (
        fits("MQMQ-2.2.20.2-01", "HeaderSize", _header_size_fits, "the size of the header in bytes"),
        one_of("MQMQ-2.2.20.2-02", "HeaderID", 0x0064, 0x00C8, 0x012C),
        must_be("MQMQ-2.2.20.2-03", "Reserved", 0, SHOULD),
        count("MQMQ-2.2.20.2-05", "ElementCount", "FormatNameList"),
        fits(
            "MQMQ-2.2.20.2-05",
            "ElementCount",
            lambda h: len(h.Padding) < _BOUNDARY or h.ElementCount != len(h.FormatNameList),
            "the number of all names in HeaderSize",
        ),
        fits(
            "MQMQ-2.2.20.1-02",
            "Padding",
            lambda h: size_of_record(h) % _BOUNDARY == 0,
            "what fills the header up to a multiple of 4 bytes",
        ),
        fits(
            "MQMQ-2.2.18.1.4.1-03",
            "FormatNameList",
            _aligned("MQFDirectQueueFormatName", 2),
            "a list with direct names on 2-byte boundaries",
        ),
        fits(
            "MQMQ-2.2.18.1.4.2-03",
            "FormatNameList",
            _aligned("MQFDistributionQueueFormatName", 4),
            "a list with distribution lists on 4-byte boundaries",
        ),
        fits(
            "MQMQ-2.2.18.1.7.2-05",
            "FormatNameList",
            _aligned("PrivateQueueFormatName", 4),
            "a list with private names on 4-byte boundaries",
        ),
    ),
    "MQFSignatureHeader": (
        must_be("MQMQ-2.2.20.3-01", "ID", 0x015E),
        must_be("MQMQ-2.2.20.3-02", "Reserved", 0, SHOULD),
        size("MQMQ-2.2.20.3-04", "Size", "Signature"),
    ),
    "SessionHeader": (
        must_be("MQMQ-2.2.20.4-13", "WindowSize", 0x0040, SHOULD),
        in_range("MQMQ-2.2.20.4-15", "WindowSize", 1, 0xFFFF),
        rule(
            "MQMQ-2.2.20.4-09",
            "RecoverableMsgAckFlags",
            "with bits",
            1,
            "with bit 0, which stands for RecoverableMsgAckSeqNumber",
            ("RecoverableMsgAckSeqNumber", "!=", 0),
        ),
        rule(
            "MQMQ-2.2.20.4-09",
            "RecoverableMsgAckFlags",
            "with bits",
            1,
            "0, or with bit 0, which stands for RecoverableMsgAckSeqNumber",
            ("RecoverableMsgAckFlags", "!=", 0),
        ),
    ),
    "TransactionHeader": (
        *presence("TransactionHeader.ConnectorQMGuid", missing="MQMQ-2.2.20.5-03"),
        *unused("MQMQ-2.2.20.5", "Flags", X1=10, X2=12, X3=14, X4=16, X5=18, X6=20, X7=22, X8=24),
        *presence("TransactionHeader.ConnectorQMGuid", extra="MQMQ-2.2.20.5-31"),
        in_range("MQMQ-2.2.20.5-33", "TxSequenceNumber", 1, 0xFFFFFFFF),
        in_range("MQMQ-2.2.20.5-34", "PreviousTxSequenceNumber", 0, 0xFFFFFFFE),
        fits(
            "MQMQ-2.2.20.5-36",
            "PreviousTxSequenceNumber",
            lambda h: h.PreviousTxSequenceNumber < h.TxSequenceNumber,
            "less than TxSequenceNumber",
            ("TxSequenceNumber", "!=", 0),
            ("PreviousTxSequenceNumber", "!=", 0xFFFFFFFF),
        ),
    ),
    "SecurityHeader": (
        one_of("MQMQ-2.2.20.6-01", "Flags.ST", 0, 1, 2),
        rule("MQMQ-2.2.20.6-02", "SenderIdSize", "==", 0, "0 while ST is 0", ("Flags.ST", "==", 0)),
        fits(
            "MQMQ-2.2.20.6-03",
            "SecurityData.SecurityID",
            lambda h: is_sid(_part(h, "SecurityID")),
            "a SID, because ST is 1",
            ("Flags.ST", "==", 1),
        ),
        fits(
            "MQMQ-2.2.20.6-04",
            "SecurityData.SecurityID",
            lambda h: len(_part(h, "SecurityID")) == GUID_SIZE,
            "a GUID of 16 bytes, because ST is 2",
            ("Flags.ST", "==", 2),
        ),
        must_be("MQMQ-2.2.20.6-05", "Flags.AU", 0),
        fits(
            "MQMQ-2.2.20.6-07",
            "SecurityData.ProviderInfo",
            lambda h: _part(h, "ProviderInfo"),
            "the provider that made the signature, because DE is 0",
            ("Flags.DE", "==", 0),
            ("SignatureSize", "!=", 0),
        ),
        rule(
            "MQMQ-2.2.20.6-08", "Flags.AI", "==", 0, "0 without SecurityData", ("SecurityData", "is absent")
        ),
        *on(SENT, must_be("MQMQ-2.2.20.6-09", "Flags.AS", 0)),
        *on(
            RECEIVED,
            rule(
                "MQMQ-2.2.20.6-09",
                "Flags.AS",
                "in",
                frozenset({0, *SIGNATURE_TYPES}),
                "0, or the type of the signature that the receiver found right: 1, 3 or 5",
            ),
        ),
        *unused("MQMQ-2.2.20.6", "Flags", X12=10, X13=12, X14=14, X15=16),
        size("MQMQ-2.2.20.6-18", "SenderIdSize", "SecurityData.SecurityID"),
        size("MQMQ-2.2.20.6-19", "EncryptionKeySize", "SecurityData.EncryptionKey"),
        size("MQMQ-2.2.20.6-20", "SignatureSize", "SecurityData.Signature"),
        size("MQMQ-2.2.20.6-21", "SenderCertSize", "SecurityData.SenderCert"),
        size("MQMQ-2.2.20.6-22", "ProviderInfoSize", "SecurityData.ProviderInfo"),
        rule(
            "MQMQ-2.2.20.6-23",
            "SenderIdSize",
            "!=",
            0,
            "not 0 while the other four sizes are 0",
            ("EncryptionKeySize", "==", 0),
            ("SignatureSize", "==", 0),
            ("SenderCertSize", "==", 0),
            ("ProviderInfoSize", "==", 0),
        ),
        rule("MQMQ-2.2.20.6-43", "ProviderInfoSize", "==", 0, "0 while DE is 1", ("Flags.DE", "==", 1)),
        in_range("MQMQ-2.2.20.6-44", "SenderCertSize", 0, 0xFFFF),
        fits(
            "MQMQ-2.2.20.6-46",
            "SecurityData.ProviderInfo",
            lambda h: not (data := _part(h, "ProviderInfo")) or _is_provider(data),
            "a number of 4 bytes and a text with a terminator",
        ),
        rule(
            "MQMQ-2.2.20.6-06",
            "EncryptionKeySize",
            "!=",
            0,
            "the size of the key of the body, because EB is 1",
            ("Flags.EB", "==", 1),
        ),
    ),
    "SecurityData": (
        *(fills("MQMQ-2.2.20.6-25", f"{part}Padding", _part_padded(part)) for part in _PARTS),
        fits(
            "MQQB-2.4.2-02",
            "EncryptionKey",
            lambda d: not d.EncryptionKey or len(d.EncryptionKey) >= LEAST_SIMPLEBLOB,
            f"a SIMPLEBLOB of {LEAST_SIMPLEBLOB} bytes or more",
        ),
        fits(
            "MQQB-3.1.7.1.4-01",
            "Signature",
            lambda d: is_as_long_as_key(d.Signature, d.SenderCert),
            AS_LONG_AS_KEY,
        ),
    ),
    "SenderCertPublicKey": (
        one_of("MQMQ-2.2.20.6-32", "KeyType", 0x2400, 0xA400),
        *exponent("MQMQ-2.2.20.6-36", "PublicExponent"),
        must_be("MQMQ-2.2.20.6-48", "bType", 6),
        must_be("MQMQ-2.2.20.6-48", "bVersion", 2),
        must_be("MQMQ-2.2.20.6-48", "reserved", 0),
        must_be("MQMQ-2.2.20.6-48", "magic", b"RSA1"),
        fits(
            "MQMQ-2.2.20.6-34",
            "LengthInBits",
            lambda k: -(-k.LengthInBits // 8) == len(k.Modulus),
            "the length of Modulus in bits",
        ),
        fits(
            "MQMQ-2.2.20.6-40",
            "Modulus",
            lambda k: (
                -(-k.LengthInBits // 8) != len(k.Modulus)
                or not int.from_bytes(k.Modulus, "little") >> k.LengthInBits
            ),
            "filled up with zeros",
        ),
    ),
    "SoapHeader": (
        must_be("MQMQ-2.2.20.7-01", "HeaderSectionID", 0x0320),
        must_be("MQMQ-2.2.20.7-02", "Reserved", 0, SHOULD),
        wchars("MQMQ-2.2.20.7-04", "HeaderDataLength", "Header"),
        must_be("MQMQ-2.2.20.7-05", "BodySectionID", 0x0384),
        must_be("MQMQ-2.2.20.7-06", "Reserved1", 0, SHOULD),
        wchars("MQMQ-2.2.20.7-08", "BodyDataLength", "Body"),
        ends_with_null("MQMQ-2.2.20.7-09", "Header", empty=True),
        ends_with_null("MQMQ-2.2.20.7-10", "Body", empty=True),
        fills("MQMQ-2.2.19.1-31", "HeaderPadding", _header_padded),
        fills("MQMQ-2.2.19.1-31", "Padding", _padded),
    ),
    "DebugHeader": (
        one_of("MQMQ-2.2.20.8-01", "Flags.QT", 0, 1),
        *unused("MQMQ-2.2.20.8", "Flags", X2=2, X3=4, X4=6, X5=8, X6=10, X7=12, X8=14, X9=16),
        *unused("MQMQ-2.2.20.8", "Flags", X10=18, X11=20, X12=22, X13=24, X14=26, X15=28),
        must_be("MQMQ-2.2.20.8-30", "Reserved", 0, SHOULD),
        *presence("DebugHeader.QueueIdentifier", missing="MQMQ-2.2.20.8-32", extra="MQMQ-2.2.20.8-33"),
        identifies("MQMQ-2.2.20.8-34", "QueueIdentifier", "the queue for reports"),
    ),
}

EMBEDDED: dict[str, tuple[Embedded, ...]] = {
    "SecurityData": (
        inside("EncryptionKey", "SIMPLEBLOB"),
        inside("SenderCert", "SenderCertPublicKey", PUBLIC_KEY),
        inside("ProviderInfo", "ProviderInfo"),
    ),
}
