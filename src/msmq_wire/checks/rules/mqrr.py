"""[MS-MQRR] 2.2.5: the headers that only remote reads return.

1. The errata decide ambiguous statements: short subqueue names R1, truncated addresses R4, lengths in WCHARs
   R6, the flags SQ and EA R8, HeaderSize with padding R10.
2. All rules apply to remote reads only.  There, `UserHeader.QueueManagerAddress` is an address in a message
   to a direct name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.documents.readings import ADDRESS_LENGTHS
from msmq_wire.names.grammar import is_subqueue_name
from msmq_wire.records.record import size_of_record
from msmq_wire.values.numbers import DIRECT
from msmq_wire.values.wchar import wchar_count

from .mqmq_common import CLASSES
from .vocabulary import (
    Rule,
    byte_count,
    ends_with_null,
    fills,
    fits,
    leftover,
    must_be,
    on,
    one_of,
    presence,
    rule,
    size,
    size_of,
    wchars,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_IPV4, _IPV6 = ADDRESS_LENGTHS


# -------------------------------------------------------------------------------------- conditions


def _address(requirement: str, holds: Callable[[Any], bool], allowed: str) -> Rule:
    """Return a rule for the address that replaces a queue manager."""
    return fits(
        requirement,
        "QueueManagerAddress",
        lambda header: holds(header.received_from),
        allowed,
        ("Flags.DQ", "==", DIRECT),
    )


def _fits(address: Any) -> bool:
    length = ADDRESS_LENGTHS.get(address.AddressType)
    return length is None or bool(address.AddressLength == length)


def _is_of_user_header(packet: Any) -> bool:
    """Return whether both headers have one address; UserHeader has room for its first 8 bytes."""
    address = packet.ExtendedAddressHeader
    header = getattr(packet, "UserMessage", packet).UserHeader.received_from
    if address.AddressType != header.AddressType or address.AddressType not in ADDRESS_LENGTHS:
        return True  # other rules report wrong types
    length = min(ADDRESS_LENGTHS[address.AddressType], len(header.Address))
    return bool(address.Address[:length] == header.Address[:length])


def _source_address(form: str) -> Rule:
    """Return the rule for the address in the last header, given the path of the destination's form."""
    return fits(
        "MQRR-2.2.5.5-06",
        "ExtendedAddressHeader.Address",
        _is_of_user_header,
        "the address that UserHeader has too",
        ("ExtendedAddressHeader", "is there"),
        (form, "==", DIRECT),
    )


def _scope_fits(address: Any) -> bool:
    return bool(address.AddressType == _IPV6 or not address.AddressScope)


def _ends_in_zeros(raw: bytes) -> bool:
    """Return whether all characters after the first null character are null."""
    units = [raw[at : at + 2] for at in range(0, len(raw), 2)]
    end = units.index(b"\0\0") if b"\0\0" in units else len(units)
    return not any(raw[end * 2 :])


def _has_null(raw: bytes) -> bool:
    return any(raw[at : at + 2] == b"\0\0" for at in range(0, len(raw), 2))


def _has_name(part: str) -> Callable[[Any], bool]:
    """Return whether a subqueue may have the name; true for an empty name, whose header may be ignored."""

    def holds(header: Any) -> bool:
        raw = getattr(header, part)
        even = raw[: len(raw) // 2 * 2]
        return not _counts(header) or is_subqueue_name(even.decode("utf-16-le", "replace").partition("\0")[0])

    return holds


def _counts(header: Any) -> bool:
    """Return whether the header applies: with an empty SubqueueName it is ignored."""
    return any(header.SubqueueName[:2])


def _rest(message: Any) -> int:
    return size_of(message.SubqueueHeader, message.DeadLetterHeader, message.ExtendedAddressHeader)


def _body_begins(header: Any) -> bool:
    return bool(header.MsgBodyOffset <= len(header.Data))


def _body_ends(header: Any) -> bool:
    return not _body_begins(header) or bool(header.MsgBodyOffset + header.MsgBodySize <= len(header.Data))


_EXTENSIONS = (
    fits(
        "MQRR-2.2.5.2-01",
        "ExtensionHeader.RemainingHeadersSize",
        lambda m: m.ExtensionHeader.RemainingHeadersSize == _rest(m),
        "the size of the headers that follow in bytes",
        ("ExtensionHeader", "is there"),
    ),
    *presence("MessagePacket.DeadLetterHeader", extra="MQRR-2.2.5.2-02"),
    *presence("MessagePacket.DeadLetterHeader", missing="MQRR-2.2.5.2-03"),
    rule(
        "MQRR-2.2.5.2-04",
        "SubqueueHeader",
        "is there",
        None,
        "present, because SQ is 1",
        ("ExtensionHeader.Flags.SQ", "==", 1),
    ),
    rule(
        "MQRR-2.2.5.2-09",
        "ExtendedAddressHeader",
        "is there",
        None,
        "present, because EA is 1",
        ("ExtensionHeader.Flags.EA", "==", 1),
    ),
)

# ------------------------------------------------------------------------------------------- rules

_ROWS: dict[str, tuple[Rule, ...]] = {
    "UserHeader": (
        _address("MQRR-2.2.5.1-01", _fits, "an address with an AddressLength of 4 for IPv4 or 16 for IPv6"),
        _address(
            "MQRR-2.2.5.1-02",
            lambda a: a.AddressType in ADDRESS_LENGTHS,
            "an address with an AddressType of 1 or 6",
        ),
        _address("MQRR-2.2.5.1-03", _scope_fits, "an address with an AddressScope of 0 unless it is IPv6"),
    ),
    "UserMessage": (
        *presence("UserMessage.SRMPEnvelopeHeader", extra="MQRR-2.2.5.1.1-02"),
        *presence("UserMessage.CompoundMessageHeader", extra="MQRR-2.2.5.1.1-03"),
        *presence("UserMessage.SRMPEnvelopeHeader", missing="MQRR-2.2.5.1.2-02"),
        *presence("UserMessage.CompoundMessageHeader", missing="MQRR-2.2.5.1.2-03"),
        *_EXTENSIONS,
        _source_address("UserHeader.Flags.DQ"),
    ),
    "MessagePacket": (*_EXTENSIONS, _source_address("UserMessage.UserHeader.Flags.DQ")),
    "SRMPEnvelopeHeader": (
        wchars("MQRR-2.2.5.1.2.1-03", "DataLength", "Data"),
        ends_with_null("MQRR-2.2.5.1.2.1-04", "Data"),
        fills("MQMQ-2.2.19.1-31", "Padding", lambda h: len(h.Padding) == -2 * wchar_count(h.Data) & 3),
    ),
    "CompoundMessageHeader": (
        size("MQRR-2.2.5.1.2.2-03", "HTTPBodySize", "Data"),
        fits(
            "MQRR-2.2.5.1.2.2-04",
            "MsgBodySize",
            _body_ends,
            "what lies between MsgBodyOffset and the end of Data",
        ),
        fits("MQRR-2.2.5.1.2.2-05", "MsgBodyOffset", _body_begins, "a place within Data"),
        fills("MQMQ-2.2.19.1-31", "Padding", lambda h: len(h.Padding) == -len(h.Data) & 3),
    ),
    "ExtensionHeader": (
        must_be("MQRR-2.2.5.2-04", "Flags.SQ", 1),
        must_be("MQRR-2.2.5.2-09", "Flags.EA", 1),
        must_be("MQRR-2.2.5.2-14", "HeaderSize", 12),
    ),
    "SubqueueHeader": (
        must_be("MQRR-2.2.5.3-02", "Flags.TM", 0),
        fits(
            "MQRR-2.2.5.3-03",
            "Flags.AcknowledgementClass",
            lambda h: h.Flags.AcknowledgementClass in CLASSES or not _counts(h),
            "a class of [MS-MQMQ] 2.2.18.1.6",
        ),
        fits("MQRR-2.2.5.3-05", "SubqueueName", lambda h: _has_null(h.SubqueueName), "ended by a null"),
        fits(
            "MQRR-2.2.5.3-08",
            "TargetSubqueueName",
            lambda h: _has_null(h.TargetSubqueueName) or not _counts(h),
            "ended by a null",
        ),
        fits(
            "MQRR-2.2.5.3-12",
            "LastMoveTime",
            lambda h: not h.LastMoveTime or not _counts(h),
            "0 while MoveCounter is 0",
            ("MoveCounter", "==", 0),
        ),
        *(
            fits(
                requirement,
                part,
                _has_name(part),
                "the name of a subqueue, which has no separator",
            )
            for requirement, part in (
                ("MQRR-2.2.5.3-05", "SubqueueName"),
                ("MQRR-2.2.5.3-08", "TargetSubqueueName"),
            )
        ),
        fits(
            "MQRR-2.2.5.3-06",
            "SubqueueName",
            lambda h: _ends_in_zeros(h.SubqueueName),
            "filled up with zeros",
        ),
        fits(
            "MQRR-2.2.5.3-09",
            "TargetSubqueueName",
            lambda h: _ends_in_zeros(h.TargetSubqueueName),
            "filled up with zeros",
        ),
        must_be("MQRR-2.2.5.3-11", "HeaderSize", 148),
    ),
    "DeadLetterHeader": (
        byte_count("MQRR-2.2.5.4-01", "HeaderSize"),
        rule("MQRR-2.2.5.4-02", "DeadLetterPathName", "!=", "", "the name of a dead-letter queue"),
        fits(
            "MQRR-2.2.5.4-03",
            "Padding",
            lambda h: not any(h.Padding) and not size_of_record(h) % 4,
            "zeros up to a 4-byte boundary",
        ),
    ),
    "ExtendedAddressHeader": (
        *(
            rule(
                "MQRR-2.2.5.5-02",
                "AddressLength",
                "==",
                length,
                "4 for IPv4 and 16 for IPv6",
                ("AddressType", "==", number),
            )
            for number, length in ADDRESS_LENGTHS.items()
        ),
        one_of("MQRR-2.2.5.5-03", "AddressType", 0, _IPV4, _IPV6),
        rule(
            "MQRR-2.2.5.5-05",
            "AddressScope",
            "==",
            0,
            "0 unless AddressType is 6",
            ("AddressType", "not in", frozenset({0, _IPV6})),  # with type 0 the header is ignored
        ),
        must_be("MQRR-2.2.5.5-09", "HeaderSize", 28),
    ),
}

RULES: dict[str, tuple[Rule, ...]] = {
    structure: on(("remote-read",), *rows) for structure, rows in _ROWS.items()
}
"""The document applies to messages that a remote read returns, and to no others."""
RULES["DeadLetterHeader"] += (  # on every channel, because the header must not hide bytes
    leftover("MQRR-2.2.5.4-03", "Padding", 3, "padding, because the path name ends the header"),
)
