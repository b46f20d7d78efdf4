"""[MS-MQQB] 2.2 and 2.4: internal packets, acknowledgments, the Ping, and key blobs.

1. The errata decide ambiguous statements: refusal Q1, ServerGuid Q2, DM of an OrderAck Q3, classes of a
   FinalAck Q4, addresses of an order queue Q6, gaps in a FinalAck Q16.
2. Fields that an answer repeats are checked if the context contains the request.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from operator import attrgetter
from typing import Any, Final

from msgspec.structs import replace

from msmq_wire.documents.opening import ORDER_LABEL, PING_SIGNATURE
from msmq_wire.documents.readings import is_transactional
from msmq_wire.packets.packet import is_for_order_queue
from msmq_wire.values.algorithms import AES, MODULUS_SIZES, RC
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.numbers import DIRECT, FOREVER, ORDER_QUEUE

from .mqmq_message import AS_LONG_AS_KEY, exponent, is_as_long_as_key
from .vocabulary import (
    AS_REQUESTED,
    NO_REFUSAL,
    SHOULD,
    Comparison,
    Context,
    Embedded,
    Repeats,
    Rule,
    asked,
    fits,
    given,
    identifies,
    in_range,
    inside,
    must_be,
    of_acknowledged,
    one_of,
    practice,
    rule,
    unused,
)

_BODY_SIZE = 36
_CS = "InternalHeader.Flags.CS"
_OS = "OperatingSystem.OS"
_PRIVATE = 3
_ADDRESSED = frozenset({_PRIVATE, 5})
_ORDER_QUEUE = re.compile(
    r"(?:TCP:(?P<ip>[^\\]+)|(?:SPX|IPX):[0-9A-F]{8}[.:][0-9A-F]{12})\\PRIVATE\$\\order_queue\$\0",
    re.IGNORECASE | re.ASCII,
)
_MP_DQ_DM = 1 << 21 | 7 << 10 | 3 << 5
_RECEIVED = int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE)
FINAL_CLASSES: Final = (
    _RECEIVED, 0x8009, 0x8000, 0x8004, 0x8007, 0x800B, 0x8006, 0x8003, 0xC000, 0xC001, 0xC002,
)  # fmt: skip
"""The classes of a FinalAck ([MS-MQQB] 2.2.5)."""
_HIGHEST = 0xFFFFFFFF
_OF_TRANSACTIONAL: Final = "that of the message acknowledged, which is not transactional and has none"


# -------------------------------------------------------------------------------------- conditions


def _order_queue_number(packet: Any) -> bool:
    queue = packet.UserHeader.DestinationQueue
    return bool(getattr(queue, "PrivateQueueIdentifier", ORDER_QUEUE) == ORDER_QUEUE)


def _order_queue_name(packet: Any) -> bool:
    name = getattr(packet.UserHeader.DestinationQueue, "DirectFormatName", None)
    return name is None or is_order_queue(name)


def is_order_queue(name: str) -> bool:
    """Return whether a direct name is that of an order queue: SPX, or TCP with an IP address.

    The address has no brackets: IPv6address of [RFC3986] has none.
    """
    match = _ORDER_QUEUE.fullmatch(name)
    if match is None or match["ip"] is None:
        return match is not None
    try:
        ip_address(match["ip"])
    except ValueError:
        return False
    return "%" not in match["ip"]  # the grammar has no zones


def is_at(name: str, address: str | None) -> bool:
    """Return whether an order queue's direct name has this address; true for names without an IP address."""
    match = _ORDER_QUEUE.fullmatch(name)
    if match is None or match["ip"] is None:
        return True
    try:
        return ip_address(match["ip"]) == ip_address(str(address))
    except ValueError:
        return True


def _order_queue_is_there(packet: Any, context: Context) -> bool:
    """Return whether the direct name of an order queue has the receiver's address."""
    name = getattr(packet.UserHeader.DestinationQueue, "DirectFormatName", None)
    return name is None or is_at(name, context.receiver_address)


def _repeats(requirement: str, structure: str, path: str) -> Rule:
    """Return a rule: a response repeats a field of the request."""
    read_value = attrgetter(path)

    def wanted(record: Any, context: Context) -> Any:
        request = asked(context, structure)
        if request is None:
            return None
        return read_value(
            request if type(request) is type(record) else getattr(request, f"{structure}Header")
        )

    return given("request", requirement, path, Repeats(path, wanted), AS_REQUESTED)


def _acknowledges(requirement: str, path: str, wanted: str) -> Rule:
    """Return a rule: an acknowledgment repeats a field of the acknowledged message."""

    def of_message(_: Any, context: Context) -> Any:
        value = asked(context, "UserMessage")
        for name in wanted.split("."):
            value = getattr(value, name, None)
        return value

    return given("request", requirement, path, Repeats(path, of_message), of_acknowledged(wanted))


def _of_transactional(requirement: str) -> Rule:
    """Return a rule: an acknowledgment is about a message that has a TxSequenceID."""

    def holds(_: Any, context: Context) -> bool:
        message = asked(context, "UserMessage")
        return message is None or is_transactional(message)

    return given("request", requirement, "TxSequenceID", holds, _OF_TRANSACTIONAL)


def _is_of_destination(ack: Any, context: Context) -> bool:
    """Return whether the queue manager that a message is for acknowledges it, if the message names it."""
    message = asked(context, "UserMessage")
    if message is None or message.UserHeader.Flags.DQ not in _ADDRESSED:
        return True
    return bool(ack.UserHeader.SourceQueueManager == message.UserHeader.QueueManagerAddress)


def _answers_to(packet: Any, context: Context) -> bool:
    """Return whether the answer fits; a refused request may have asked for another queue manager (Q2)."""
    request = asked(context, "EstablishConnection")
    guid = packet.EstablishConnectionHeader.ServerGuid
    if request is None or packet.InternalHeader.Flags.CS:
        return True
    wanted = request.EstablishConnectionHeader.ServerGuid
    return bool(guid == (wanted if wanted != NULL_GUID else context.sender or guid))


def _answers_as_itself(packet: Any, context: Context) -> bool:
    """Return whether an acceptor names itself; if the request is known, `_answers_to` checks this."""
    guid = packet.EstablishConnectionHeader.ServerGuid
    is_checked = context.request is not None or packet.InternalHeader.Flags.CS or guid == NULL_GUID
    return bool(is_checked or not context.answers or guid == context.sender)


def _why_class(context: Context) -> str:
    return f"because the initiator is {'' if context.server_class else 'not '}of the server class"


def _accepts(requirement: str, *, response: bool) -> Rule:
    """Return a rule: only the answer to an EstablishConnection can refuse a session."""
    return given(
        "is_response",
        requirement,
        _CS,
        lambda p, context: context.answers is not response or not p.InternalHeader.Flags.CS,
        NO_REFUSAL,
    )


def _refuses_strangers(packet: Any, context: Context) -> bool:
    request = asked(context, "EstablishConnection")
    if request is None or context.sender is None:
        return True
    wanted = request.EstablishConnectionHeader.ServerGuid
    return wanted in {NULL_GUID, context.sender} or bool(packet.InternalHeader.Flags.CS)


def _acknowledgment(section: str, flags: int, mask: int, *numbers: int) -> tuple[Rule, ...]:
    """Return the rules of both acknowledgments, by the numbers of their requirements."""
    form, number, name, label, size, asked, body, position = (f"{section}-{item:02}" for item in numbers)
    return (
        must_be(f"{section}-01", "BaseHeader.Flags", 0),
        rule(
            f"{section}-{flags:02}",
            "UserHeader.Flags",
            "without bits",
            0xFFFFFFFF & ~mask,
            f"without bits outside {mask:#x}",
        ),
        one_of(form, "UserHeader.Flags.DQ", 3, 7),
        fits(
            number,
            "UserHeader.DestinationQueue",
            _order_queue_number,
            "private queue 4",
            ("UserHeader.Flags.DQ", "==", _PRIVATE),
        ),
        fits(
            name,
            "UserHeader.DestinationQueue",
            _order_queue_name,
            r"TCP: or SPX:, an address without brackets, and \PRIVATE$\order_queue$",
            ("UserHeader.Flags.DQ", "==", DIRECT),
        ),
        must_be(label, "MessagePropertiesHeader.Label", ORDER_LABEL),
        must_be(size, "MessagePropertiesHeader.MessageSize", _BODY_SIZE),
        must_be(asked, "MessagePropertiesHeader.Flags", 0),
        must_be(body, "MessagePropertiesHeader.BodyType", 0),
        must_be("MQQB-3.1.7.17-01", "MessagePropertiesHeader.PrivacyLevel", 0),
        given(
            "receiver_address",
            position,
            "UserHeader.DestinationQueue",
            _order_queue_is_there,
            "the receiver's address",
        ),
        practice(
            rule(
                "MQMQ-2.2.19.1-36",
                "BaseHeader.TimeToReachQueue",
                "==",
                FOREVER,
                f"{FOREVER:#x}, because it is not a UserMessage",
            ),
            erratum="M19",
            known="build it as a message and leave the default there",
        ),
    )


_ACKNOWLEDGMENTS = {
    "MQQB-2.2.4": _acknowledgment("MQQB-2.2.4", 3, _MP_DQ_DM, 4, 5, 6, 8, 9, 10, 12, 7),
    "MQQB-2.2.5": _acknowledgment("MQQB-2.2.5", 4, _MP_DQ_DM, 5, 6, 7, 9, 10, 11, 14, 8),
}
_ORDER_CLASS = ("MessagePropertiesHeader.MessageClass", "==", 0x00FF)
_FINAL_CLASS = ("MessagePropertiesHeader.MessageClass", "within", (_RECEIVED, 0xFFFF))
_OF_ACKNOWLEDGMENTS = ("MessagePropertiesHeader.Label", "==", ORDER_LABEL)


def _when(row: Rule, *when: tuple[Any, ...]) -> Rule:
    """Return a rule that applies if other comparisons hold too."""
    return replace(row, when=(*(Comparison(*each) for each in when), *row.when))


def _unrecognized(section: str, *when: tuple[Any, ...]) -> tuple[Rule, ...]:
    """Return the rules of an acknowledgment without a context, for one that is a UserMessage by Q21."""
    return tuple(
        _when(row, *when)
        for row in _ACKNOWLEDGMENTS[section]
        if not row.needs and row.level == "must" and (row.path, row.operator, row.value) not in when
    )


def _is_made_with_key(message: Any) -> bool:
    signature = message.MultiQueueFormatHeader.Signature.Signature
    return is_as_long_as_key(signature, message.SecurityHeader.SecurityData.SenderCert)


_NO_SESSION_HEADER = rule("MQMQ-2.2.19.1-07", "BaseHeader.Flags.SH", "==", 0, "0 without SessionHeader")

# ------------------------------------------------------------------------------------------- rules

RULES: dict[str, tuple[Rule, ...]] = {
    "InternalHeader": (
        must_be("MQQB-2.2.1-01", "Reserved", 0),
        one_of("MQQB-2.2.1-03", "Flags.PT", 1, 2, 3),
        rule(
            "MQQB-2.2.1-05",
            "Flags.CS",
            "==",
            0,
            "0 unless PT is 2 or 3",
            ("Flags.PT", "not in", frozenset({2, 3})),
        ),
        *unused("MQQB-2.2.1", "Flags", X5=8, X6=10, X7=12, X8=14, X9=16, X10=18, X11=20),
        *unused("MQQB-2.2.1", "Flags", X12=22, X13=24, X14=26, X15=28),
    ),
    "ConnectionParameters": (
        must_be("MQQB-2.2.2-02", "InternalHeader.Flags.PT", 3),
        _NO_SESSION_HEADER,
        # In whichever direction it goes: if that is unknown, the requirement for requests stands for both.
        Rule("MQQB-3.1.5.3.2-02", _CS, "==", 0, NO_REFUSAL, of_requests=True),
        _accepts("MQQB-3.1.5.4.1-01", response=True),
    ),
    "ConnectionParametersHeader": (
        _repeats("MQQB-3.1.5.4.1-02", "ConnectionParameters", "RecoverableAckTimeout"),
        _repeats("MQQB-3.1.5.4.1-03", "ConnectionParameters", "AckTimeout"),
        must_be("MQQB-2.2.2.1-01", "Reserved", 0),
        in_range("MQQB-2.2.2.1-03", "RecoverableAckTimeout", 0x1F4, 0x1D4C0),
        in_range("MQQB-2.2.2.1-04", "AckTimeout", 0x4E20, 0x1D4C0),
    ),
    "EstablishConnection": (
        must_be("MQQB-2.2.3-02", "InternalHeader.Flags.PT", 2),
        _NO_SESSION_HEADER,
        _accepts("MQQB-3.1.5.2.3-01", response=False),
        given(
            "is_response",
            "MQQB-2.2.3.1-03",
            "EstablishConnectionHeader.ServerGuid",
            lambda p, context: not context.answers or p.EstablishConnectionHeader.ServerGuid != NULL_GUID,
            "the acceptor in an answer",
        ),
        given(
            "request",
            "MQQB-2.2.1-06",
            "InternalHeader.Flags.CS",
            _refuses_strangers,
            "1 for a foreign ServerGuid",
        ),
        given(
            "request",
            "MQQB-2.2.3.1-03",
            "EstablishConnectionHeader.ServerGuid",
            _answers_to,
            "that of the request, or the acceptor's where the request has none",
        ),
        given(
            "sender",
            "MQQB-2.2.3.1-03",
            "EstablishConnectionHeader.ServerGuid",
            _answers_as_itself,
            "the acceptor, which sent the answer",
        ),
    ),
    "EstablishConnectionHeader": (
        must_be("MQQB-2.2.3.1-05", "OperatingSystem.RE", 0x10),
        *unused("MQQB-2.2.3.1", "OperatingSystem", X11=11, X12=13, X13=15, X14=17, X15=19),
        must_be("MQQB-2.2.3.1-21", "Reserved", 0),
        given(
            "receiver",
            "MQQB-2.2.3.1-01",
            "ServerGuid",
            lambda h, context: context.answers or h.ServerGuid in {NULL_GUID, context.receiver},
            "the queue manager that is asked, or null for a direct name",
        ),
        _repeats("MQQB-2.2.3.1-08", "EstablishConnection", "OperatingSystem.SE"),
        given(
            "server_class",
            "MQQB-2.2.3.1-09",
            _OS,
            Repeats(_OS, lambda _, context: int(bool(context.server_class)), _why_class),
            "1 for an initiator of the server class, otherwise 0",
        ),
        _repeats("MQQB-2.2.3.1-09", "EstablishConnection", _OS),
        given(
            "is_response",
            "MQQB-2.2.3.1-23",
            "Padding",
            lambda h, context: not context.answers or h.Padding == b"\x5a" * 512,
            "0x5a throughout in a response",
        ),
        _repeats("MQQB-2.2.3.1-25", "EstablishConnection", "ClientGuid"),
        given(
            "sender",
            "MQQB-2.2.3.1-25",
            "ClientGuid",
            lambda h, context: (
                context.answers or not context.knows("is_response") or h.ClientGuid == context.sender
            ),
            "the initiator, which sent the request",
        ),
        given(
            "receiver",
            "MQQB-2.2.3.1-25",
            "ClientGuid",
            lambda h, context: not context.answers or h.ClientGuid in {NULL_GUID, context.receiver},
            "the initiator, which receives the response",
        ),
        practice(
            identifies("MQQB-2.2.3.1-25", "ClientGuid", "the initiator"),
            erratum="M50",
            known="ask for a session without saying who they are, and are answered",
        ),
        _repeats("MQQB-2.2.3.1-26", "EstablishConnection", "TimeStamp"),
    ),
    "OrderAck": (
        *_ACKNOWLEDGMENTS["MQQB-2.2.4"],
        must_be("MQQB-2.2.4-11", "MessagePropertiesHeader.MessageClass", 0x00FF),
        given(
            "request",
            "MQMQ-2.2.18.1.6-01",
            "UserHeader.SourceQueueManager",
            _is_of_destination,
            of_acknowledged("UserHeader.QueueManagerAddress"),
        ),
    ),
    "UserMessage": (
        fits(
            "MQQB-2.2.5-09",
            "MessagePropertiesHeader.Label",
            lambda m: not is_for_order_queue(m),
            f"{ORDER_LABEL!r} in an acknowledgment for the order queue",
            _FINAL_CLASS,
            ("MessagePropertiesHeader.Label", "!=", ORDER_LABEL),
        ),
        fits(
            "MQQB-3.1.7.1.4-02",
            "MultiQueueFormatHeader.Signature.Signature",
            _is_made_with_key,
            AS_LONG_AS_KEY,
            ("MultiQueueFormatHeader", "is there"),
            ("SecurityHeader.SecurityData", "is there"),
        ),
        *_unrecognized("MQQB-2.2.4", _ORDER_CLASS),
        *_unrecognized("MQQB-2.2.5", _FINAL_CLASS, _OF_ACKNOWLEDGMENTS),
    ),
    "OrderAckBody": (
        fits(
            "MQQB-2.2.4.1-03",
            "TxPreviousSequenceNumber",
            lambda b: b.TxPreviousSequenceNumber == b.TxSequenceNumber - 1,
            "TxSequenceNumber - 1",
            ("TxSequenceNumber", "!=", 0),
            ("TxPreviousSequenceNumber", "!=", _HIGHEST),
        ),
        fits("MQQB-2.2.4.1-04", "Reserved", lambda b: not any(b.Reserved), "zeros", level=SHOULD),
        in_range("MQQB-2.2.4.1-06", "TxSequenceNumber", 1, _HIGHEST),
        in_range("MQQB-2.2.4.1-07", "TxPreviousSequenceNumber", 0, _HIGHEST - 1),
        _acknowledges("MQQB-2.2.4.1-01", "TxSequenceID", "TransactionHeader.TxSequenceID"),
        _of_transactional("MQQB-2.2.4.1-01"),
        _acknowledges("MQQB-2.2.4.1-02", "TxSequenceNumber", "TransactionHeader.TxSequenceNumber"),
    ),
    "FinalAck": (
        must_be("MQQB-2.2.5-03", "UserHeader.Flags.DM", 1),
        *_ACKNOWLEDGMENTS["MQQB-2.2.5"],
        one_of("MQQB-2.2.5-13", "MessagePropertiesHeader.MessageClass", *FINAL_CLASSES),
    ),
    "FinalAckBody": (
        in_range("MQQB-2.2.5.1-04", "TxSequenceNumber", 1, _HIGHEST),
        in_range("MQQB-2.2.5.1-05", "TxPreviousSequenceNumber", 0, _HIGHEST - 1),
        fits(
            "MQQB-2.2.5.1-09",
            "TxPreviousSequenceNumber",
            lambda b: b.TxPreviousSequenceNumber < b.TxSequenceNumber,
            "less than TxSequenceNumber",
            ("TxSequenceNumber", "!=", 0),
            ("TxPreviousSequenceNumber", "!=", _HIGHEST),
        ),
        _acknowledges("MQQB-2.2.5.1-01", "TxSequenceID", "TransactionHeader.TxSequenceID"),
        _of_transactional("MQQB-2.2.5.1-01"),
        _acknowledges("MQQB-2.2.5.1-02", "TxSequenceNumber", "TransactionHeader.TxSequenceNumber"),
        _acknowledges(
            "MQQB-2.2.5.1-03", "TxPreviousSequenceNumber", "TransactionHeader.PreviousTxSequenceNumber"
        ),
        _acknowledges("MQQB-2.2.5.1-07", "SourceGUID", "UserHeader.SourceQueueManager"),
        practice(
            identifies("MQQB-2.2.5.1-07", "SourceGUID", "the sender of the message acknowledged"),
            erratum="M50",
            known="leave the sender null in what they send, which acknowledgments repeat",
        ),
        _acknowledges("MQQB-2.2.5.1-08", "MessageID", "UserHeader.MessageID"),
    ),
    "SessionAck": (
        must_be("MQQB-2.2.6-02", "BaseHeader.Flags.SH", 1),
        must_be("MQQB-2.2.6-03", "InternalHeader.Flags.PT", 1),
    ),
    "PingPacket": (
        must_be("MQQB-2.2.7-22", "Signature", PING_SIGNATURE),
        given(
            "server_class",
            "MQQB-2.2.7-02",
            "Flags.RC",
            lambda p, context: context.answers or context.server_class or p.Flags.RC,
            "1 in a request of an initiator that is not of the server class",
        ),
        given(
            "server_class",
            "MQQB-2.2.7-03",
            "Flags.RC",
            lambda p, context: context.answers or not context.server_class or not p.Flags.RC,
            "0 in a request of an initiator of the server class",
        ),
        _repeats("MQQB-2.2.7-04", "PingPacket", "Flags.RC"),
        given(
            "is_response",
            "MQQB-2.2.7-07",
            "Flags.RF",
            lambda p, context: context.answers or not p.Flags.RF,
            "0 in a request",
        ),
        _repeats("MQQB-2.2.7-24", "PingPacket", "Cookie"),
        given(
            "sender",
            "MQQB-2.2.7-27",
            "QMGuid",
            lambda p, context: p.QMGuid == context.sender,
            "the queue manager that made the packet",
        ),
    ),
    "PUBLICKEYBLOB": (
        *exponent("MQQB-2.4.1-02", "pubExp"),
        fits(
            "MQQB-2.4.1-04",
            "bitLen",
            lambda k: k.bitLen == len(k.modulus) * 8,
            "the length of modulus in bits",
        ),
        must_be("MQQB-2.4.1-05", "bType", 6),
        must_be("MQQB-2.4.1-05", "bVersion", 2),
        must_be("MQQB-2.4.1-05", "reserved", 0),
        must_be("MQQB-2.4.1-05", "aiKeyAlg", 0xA400),
        must_be("MQQB-2.4.1-05", "magic", b"RSA1"),
    ),
    "SIMPLEBLOB": (
        fits(
            "MQQB-2.4.2-03",
            "encryptedKey",
            lambda k: len(k.encryptedKey) in MODULUS_SIZES,
            "as long as the modulus of an RSA key: 64, 128 or 256 bytes",
        ),
        one_of("MQQB-2.4.2-01", "sessionKeyAlgorithm", *AES, *RC),
        must_be("MQQB-2.4.2-02", "bType", 1),
        must_be("MQQB-2.4.2-02", "bVersion", 2),
        must_be("MQQB-2.4.2-02", "reserved", 0),
        must_be("MQQB-2.4.2-02", "aiKeyAlg", 0xA400),
    ),
}

EMBEDDED: dict[str, tuple[Embedded, ...]] = {
    "OrderAck": (inside("MessagePropertiesHeader.MessageBody", "OrderAckBody"),),
    "FinalAck": (inside("MessagePropertiesHeader.MessageBody", "FinalAckBody"),),
}
