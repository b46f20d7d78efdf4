"""Conformant packets: packets that a conformant queue manager could send.

1. Each optional header is present in half of the messages, unless the caller decides.
2. Values on which headers have to agree are chosen first and passed to each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

import msmq_wire as mw
from msmq_wire import mqmq, mqqb, mqrr
from msmq_wire.checks.profiles import PROFILES, Profile
from msmq_wire.checks.rules.mqqb import FINAL_CLASSES
from msmq_wire.checks.validation import validate
from msmq_wire.documents.opening import ORDER_LABEL
from msmq_wire.documents.readings import is_signed
from msmq_wire.values.algorithms import SHA_512
from msmq_wire.values.errors import need, need_one_of
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.numbers import DIRECT, FOREVER, ORDER_QUEUE, SENT_BY_QUEUE_MANAGER

from .choices import Dice
from .generic import optional_headers
from .headers import (
    debug_header,
    extension_headers,
    fills_blocks,
    message_properties_header,
    multi_queue_format_header,
    security_header,
    session_header,
    soap_header,
    srmp_headers,
    transaction_header,
    user_header,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.checks.profiles import ProfileName
    from msmq_wire.packets.kinds import Packet
    from msmq_wire.values.guid import GUID

_ORDER_QUEUES = (
    "TCP:10.0.0.1\\PRIVATE$\\order_queue$\0",
    "SPX:00000001.0123456789AB\\private$\\order_queue$\0",
)
HEADERS = frozenset({
    "TransactionHeader", "SecurityHeader", "DebugHeader", "SRMPEnvelopeHeader", "CompoundMessageHeader",
    "SoapHeader", "MultiQueueFormatHeader", "SessionHeader", "ExtensionHeader", "SubqueueHeader",
    "DeadLetterHeader", "ExtendedAddressHeader",
})  # fmt: skip
"""Optional headers of messages that `message` makes; any other is made from its layout."""


def message(
    dice: Dice,
    *,
    transactional: bool | None = None,
    with_security: bool | None = None,
    with_debug: bool | None = None,
    with_soap: bool | None = None,
    with_destinations: bool | None = None,
    with_acknowledgments: bool | None = None,
    with_session_header: bool | None = None,
    over_http: bool | None = False,
    from_remote_read: bool | None = None,
    read_from_afar: bool = False,
    with_others: bool = True,
    body: st.SearchStrategy[bytes] | None = None,
) -> Any:
    """A UserMessage; the options are those of `user_messages`.

    With others, it also has headers that are not in `HEADERS`.
    """
    tx = dice.flag(transactional)
    security = dice.flag(with_security)
    debug = dice.flag(with_debug)
    soap = dice.flag(with_soap)
    destinations = dice.flag(with_destinations)
    acknowledged = dice.flag(with_acknowledgments)
    session = dice.flag(with_session_header)
    http = dice.flag(over_http)
    remote = dice.flag(from_remote_read)
    traced, priority, expiry = dice.flag(), dice.byte() & 7, dice.number(32, FOREVER)
    groups = {"TR": int(debug and traced), "PR": 0 if tx else priority}
    envelope, compound = srmp_headers(dice) if http else (None, None)
    others = optional_headers("UserMessage", HEADERS, dice) if with_others else {}
    header = user_header(
        Dice(dice.draw), transactional=tx, acknowledged=acknowledged, remote_read=http or read_from_afar
    )
    proof = security_header(Dice(dice.draw), header.SourceQueueManager) if security else None
    content = None if body is None else dice.draw(body)
    is_block = content is None or fills_blocks(content, _cipher_of(proof))
    if proof is not None and not (is_block and header.Flags.DQ in _LISTED):
        proof = mw.replace(proof, Flags=proof.Flags.replace(EB=0))
    drawn = mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(**groups), TimeToReachQueue=expiry),
        UserHeader=header,
        TransactionHeader=transaction_header(Dice(dice.draw)) if tx else None,
        SecurityHeader=proof,
        MessagePropertiesHeader=message_properties_header(
            Dice(dice.draw),
            acknowledged=acknowledged,
            body=content,
            cipher=_cipher_of(proof),
            signed=proof is not None and bool(proof.SignatureSize),
        ),
        DebugHeader=debug_header(dice) if debug else None,
        SRMPEnvelopeHeader=envelope,
        CompoundMessageHeader=compound,
        SoapHeader=soap_header(dice) if soap else None,
        MultiQueueFormatHeader=multi_queue_format_header(Dice(dice.draw)) if destinations else None,
        SessionHeader=session_header(Dice(dice.draw)) if session else None,
        **(_with_one_address(header, extension_headers(Dice(dice.draw))) if remote else {}),
        **others,
    )
    return (
        mw.replace(drawn, {"MessagePropertiesHeader.HashAlgorithm": SHA_512}) if is_signed(drawn) else drawn
    )


def _cipher_of(security: Any) -> int:
    """Return the algorithm of the key in a SecurityHeader; 0 for a body that is not encrypted."""
    if security is None or not security.Flags.EB:
        return 0
    return int(mqqb.SIMPLEBLOB.decode(security.SecurityData.EncryptionKey).sessionKeyAlgorithm)


def report(dice: Dice) -> Any:
    """A UserMessage that reports another one, [MS-MQQB] 3.1.5.8.9."""
    packet = message(dice, transactional=False, with_security=False)
    source, number, hops = str(dice.identity()).upper(), dice.number(32), dice.byte() % 30
    queue = f"DIRECT={REPORTED.DirectFormatName[:-1]}"
    lines = f"<MESSAGE ID>{number:08X}</MESSAGE ID>\r\n<TARGET QUEUE>{queue}</TARGET QUEUE>\r\n"
    if dice.flag():
        lines += f"<NEXT HOP>10.0.0.1</NEXT HOP>\r\n<HOP COUNT>{hops:02X} </HOP COUNT>\r\n"
    body = lines.encode("utf-16-le")
    return mw.replace(
        packet,
        UserHeader=mw.replace(
            packet.UserHeader,
            QueueManagerAddress=dice.identity(),
            Flags=packet.UserHeader.Flags.replace(DM=0, DQ=5),
            DestinationQueue=mqmq.PublicQueueFormatName(dice.identity()),
        ),
        MessagePropertiesHeader=mw.replace(
            packet.MessagePropertiesHeader,
            MessageClass=mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT,
            Label=f"{source[:4]}:{number:08X}:{hops:02X} received by {source} at {dice.pick(_MOMENTS)}\0",
            MessageBody=body,
            AllocationBodySize=len(body),
        ),
    )


REPORTED = mqmq.DirectQueueFormatName(DirectFormatName="OS:host\\q\0")
"""The destination of the messages that reports are about."""
_MOMENTS = ("10:20 AM Mon,Jan 05 26", "23:59:59 PM Sun,Dec 31 00", "00:00 AM Thu,Feb 29 24")


def sent_by(message: Any, manager: GUID) -> Any:
    """Return a message as another queue manager sends it, with its own name in place of another."""
    parts: dict[str, Any] = {"UserHeader": mw.replace(message.UserHeader, SourceQueueManager=manager)}
    security = getattr(message, "SecurityHeader", None)  # OrderAck and FinalAck have none
    if security is not None and security.Flags.ST == SENT_BY_QUEUE_MANAGER:
        data = mw.replace(security.SecurityData, SecurityID=manager.bytes_le)
        parts["SecurityHeader"] = mw.replace(security, SecurityData=data)
    return mw.replace(message, **parts)


_LISTED = frozenset({3, 5})
"""Forms of names whose queue managers have a key in the directory."""


def user_messages(
    *,
    transactional: bool | None = None,
    with_security: bool | None = None,
    with_debug: bool | None = None,
    with_soap: bool | None = None,
    with_destinations: bool | None = None,
    with_acknowledgments: bool | None = None,
    with_session_header: bool | None = None,
    over_http: bool | None = False,
    from_remote_read: bool | None = None,
    body: st.SearchStrategy[bytes] | None = None,
    profile: ProfileName | None = None,
) -> st.SearchStrategy[mqmq.UserMessage]:
    """Generate conformant messages.  An option is True for "in all", False for "in none", None for "in some".

    Args:
        transactional: Whether there is a TransactionHeader.
        with_security: Whether there is a SecurityHeader.
        with_debug: Whether there is a DebugHeader.
        with_soap: Whether there is a SoapHeader.
        with_destinations: Whether there is a MultiQueueFormatHeader.
        with_acknowledgments: Whether administration acknowledgments are requested, in an AdminQueue.
        with_session_header: Whether a SessionHeader follows.
        over_http: Whether there are the SRMPEnvelopeHeader and the CompoundMessageHeader.  Such a message
            conforms on the channel "remote-read" only.
        from_remote_read: Whether there are the ExtensionHeader and the headers that it announces.
        body: A strategy for MessageBody; up to twelve bytes by default.
        profile: A version of Windows, such as ``"windows-xp"``; only its features are used.

    Raises:
        WrongTypeError: An option is not True, False or None, or `body` is not a strategy.
        MsmqWireError: There is no such profile.

    Examples:
        >>> from hypothesis import find, strategies as st
        >>> message = find(user_messages(transactional=True), lambda m: m.MessagePropertiesHeader.Label)
        >>> message.SecurityHeader is None
        True
        >>> find(user_messages(body=st.just(b"<order/>")), lambda m: True).MessagePropertiesHeader.MessageBody
        b'<order/>'
    """
    options: dict[str, Any] = {
        "transactional": transactional,
        "with_security": with_security,
        "with_debug": with_debug,
        "with_soap": with_soap,
        "with_destinations": with_destinations,
        "with_acknowledgments": with_acknowledgments,
        "with_session_header": with_session_header,
        "over_http": over_http,
        "from_remote_read": from_remote_read,
    }
    for name, option in options.items():
        need(name, option, (bool, type(None)), "True, False or None")
    need("body", body, (st.SearchStrategy, type(None)), "a strategy")
    options["body"] = body
    if profile is None:
        return from_dice(lambda dice: message(dice, **options))
    need_one_of("profile", profile, PROFILES)
    return from_dice(lambda dice: sent_by_version(message(dice, **options), PROFILES[profile])).filter(
        lambda sent: not validate(sent, profile=profile, channel="remote-read" if over_http else "session")
    )


def sent_by_version(sent: Any, profile: Profile) -> Any:
    """Return a message with the algorithms of a version of Windows, and without the headers that it lacks."""
    privacy = sent.MessagePropertiesHeader.PrivacyLevel
    plain = profile.msmq_version == 1 or (privacy == _BY_AES and profile.msmq_version <= _LAST_WITHOUT_AES)
    fields = {**profile.defaults, "EncryptionAlgorithm": _RC4, **({"PrivacyLevel": 0} if plain else {})}
    if not plain and (privacy == _BY_AES or _cipher_of(sent.SecurityHeader)):
        del fields["EncryptionAlgorithm"]
    header = mw.replace(sent.MessagePropertiesHeader, **fields)
    lists = sent.MultiQueueFormatHeader if profile.msmq_version > _LAST_WITHOUT_LISTS else None
    security = sent.SecurityHeader
    if security is not None and plain:
        security = mw.replace(security, Flags=security.Flags.replace(EB=0))
    return mw.replace(
        sent, SecurityHeader=security, MessagePropertiesHeader=header, MultiQueueFormatHeader=lists
    )


_RC4, _BY_AES, _LAST_WITHOUT_AES, _LAST_WITHOUT_LISTS = 0x6801, 5, 3, 2


@st.composite
def _drawn(draw: Any, make: Any) -> Any:
    return make(Dice(draw))


def from_dice(make: Callable[[Dice], Any]) -> st.SearchStrategy[Any]:
    """Generate the results of a function of a `Dice`."""
    return _drawn(make)


def _with_one_address(header: Any, extensions: dict[str, Any]) -> dict[str, Any]:
    """Return the last headers with the address of which a UserHeader has the beginning."""
    address = extensions.get("ExtendedAddressHeader")
    if address is None or header.Flags.DQ != DIRECT:
        return extensions
    begins = header.received_from
    if address.AddressType != begins.AddressType:
        return extensions
    length = min(begins.AddressLength, len(begins.Address))
    whole = begins.Address[:length] + address.Address[length:]
    return {**extensions, "ExtendedAddressHeader": mw.replace(address, Address=whole)}


def message_packet(dice: Dice, *, extended: bool | None = None, **options: Any) -> Any:
    """A message packet; the other options are those of `message`."""
    extensions = extension_headers(Dice(dice.draw)) if dice.flag(extended) else {}
    options = {"over_http": None, **options}
    inner = message(dice, from_remote_read=False, with_session_header=False, read_from_afar=True, **options)
    extensions = _with_one_address(inner.UserHeader, extensions)
    return mqrr.MessagePacket(UserMessage=inner, **extensions)


def extended_packet(dice: Dice) -> Any:
    """A message packet with headers behind the message ([MS-MQRR] 2.2.5)."""
    return message_packet(dice, extended=True)


def message_packets() -> st.SearchStrategy[mqrr.MessagePacket]:
    """Generate conformant messages in the form that a remote read returns."""
    return from_dice(message_packet)


# ------------------------------------------------------------------------------------- internal packets


def _establish_connection(dice: Dice) -> Any:
    response = dice.flag()
    bits = dice.byte()
    return mqqb.EstablishConnection(
        InternalHeader=mqqb.InternalHeader(Flags=mqqb.InternalHeaderFlags(CS=int(response and dice.flag()))),
        EstablishConnectionHeader=mqqb.EstablishConnectionHeader(
            ClientGuid=dice.identity(),
            ServerGuid=dice.guid(),
            TimeStamp=dice.number(32),
            OperatingSystem=mqqb.EstablishConnectionHeaderOperatingSystem(
                SE=bits & 1, OS=bits >> 1 & 1, QS=bits >> 2 & 1
            ),
            Padding=b"\x5a" * 512 if response else bytes([dice.pick((0x5A, 0, 0xFF))]) * 512,
        ),
        **optional_headers("EstablishConnection", (), dice),
    )


def establish_connections() -> st.SearchStrategy[mqqb.EstablishConnection]:
    """Generate conformant session requests, replies and refusals."""
    return from_dice(_establish_connection)


def _connection_parameters(dice: Dice) -> Any:
    return mqqb.ConnectionParameters(
        ConnectionParametersHeader=mqqb.ConnectionParametersHeader(
            RecoverableAckTimeout=dice.pick((500, 1496, 120000)),
            AckTimeout=dice.pick((20000, 120000)),
            WindowSize=dice.number(16, 64),
        ),
        **optional_headers("ConnectionParameters", (), dice),
    )


def connection_parameters() -> st.SearchStrategy[mqqb.ConnectionParameters]:
    """Generate conformant session parameters."""
    return from_dice(_connection_parameters)


def _session_ack(dice: Dice) -> Any:
    return mqqb.SessionAck(SessionHeader=session_header(dice), **optional_headers("SessionAck", (), dice))


def session_acks() -> st.SearchStrategy[mqqb.SessionAck]:
    """Generate conformant session acknowledgments."""
    return from_dice(_session_ack)


def _acknowledgment(dice: Dice, kind: Any, message_class: int, body: Any) -> Any:
    direct = dice.flag()
    queue: Any = mqmq.PrivateQueueFormatNameId(ORDER_QUEUE)
    if direct:
        queue = mqmq.DirectQueueFormatName(DirectFormatName=dice.pick(_ORDER_QUEUES))
    return kind(
        BaseHeader=mqmq.BaseHeader(TimeToReachQueue=dice.number(32, FOREVER)),
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=dice.identity(),
            QueueManagerAddress=NULL_GUID if direct else dice.identity(),
            SentTime=dice.number(32),
            MessageID=dice.number(32),
            DestinationQueue=queue,
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label=ORDER_LABEL, MessageClass=message_class, MessageBody=body.encode()
        ),
        **optional_headers(kind.layout.name, (), dice),
    )


def _order_ack_body(dice: Dice) -> Any:
    return mqqb.OrderAckBody(
        TxSequenceID=mqmq.TxSequenceID(dice.number(32), dice.number(32)),
        TxSequenceNumber=max(dice.number(32, 1), 1),
    )


def _final_ack_body(dice: Dice) -> Any:
    number = max(dice.number(32, 1), 1)
    return mqqb.FinalAckBody(
        TxSequenceID=mqmq.TxSequenceID(dice.number(32), dice.number(32)),
        TxSequenceNumber=number,
        TxPreviousSequenceNumber=dice.pick((number - 1, 0)),
        SourceGUID=dice.identity(),
        MessageID=dice.number(32),
    )


def order_ack_body(message: Any) -> Any:
    """Return the body that states that a transactional message arrived in order."""
    header = message.TransactionHeader
    return mqqb.OrderAckBody(TxSequenceID=header.TxSequenceID, TxSequenceNumber=header.TxSequenceNumber)


def final_ack_body(message: Any) -> Any:
    """Return the body that states the final result of a transactional message."""
    header = message.TransactionHeader
    return mqqb.FinalAckBody(
        TxSequenceID=header.TxSequenceID,
        TxSequenceNumber=header.TxSequenceNumber,
        TxPreviousSequenceNumber=header.PreviousTxSequenceNumber,
        SourceGUID=message.UserHeader.SourceQueueManager,
        MessageID=message.UserHeader.MessageID,
    )


def order_ack_of(dice: Dice, body: Any) -> Any:
    """Return an OrderAck with that body."""
    return _acknowledgment(dice, mqqb.OrderAck, 0x00FF, body)


def final_ack_of(dice: Dice, body: Any) -> Any:
    """Return a FinalAck with that body."""
    return _acknowledgment(dice, mqqb.FinalAck, dice.pick(FINAL_CLASSES), body)


def order_acks() -> st.SearchStrategy[mqqb.OrderAck]:
    """Generate conformant acknowledgments of transactional messages that arrived in order."""
    return from_dice(MAKERS["OrderAck"])


def final_acks() -> st.SearchStrategy[mqqb.FinalAck]:
    """Generate conformant acknowledgments of the final result of transactional messages."""
    return from_dice(MAKERS["FinalAck"])


def _ping(dice: Dice) -> Any:
    bits = dice.byte()
    flags = mqqb.PingPacketFlags(RC=bits & 1, RF=bits >> 1 & 1)
    return mqqb.PingPacket(Flags=flags, Cookie=dice.number(32), QMGuid=dice.identity())


def pings() -> st.SearchStrategy[mqqb.PingPacket]:
    """Generate conformant Ping packets, which are sent over UDP."""
    return from_dice(_ping)


def packets() -> st.SearchStrategy[Packet]:
    """Generate conformant packets of every class that `msmq_wire.decode` returns.

    Examples:
        >>> from hypothesis import find
        >>> import msmq_wire as mw
        >>> packet = find(packets(), lambda p: len(mw.encode(p)) < 40)
        >>> type(packet).__name__
        'ConnectionParameters'
    """
    return st.one_of(
        connection_parameters(), session_acks(), establish_connections(), order_acks(), final_acks(),
        user_messages(),
    )  # fmt: skip


MAKERS: Final[dict[str, Callable[[Dice], Any]]] = {
    "UserMessage": message,
    "MessagePacket": message_packet,
    "EstablishConnection": _establish_connection,
    "EstablishConnectionHeader": lambda dice: _establish_connection(dice).EstablishConnectionHeader,
    "InternalHeader": lambda dice: _establish_connection(dice).InternalHeader,
    "ConnectionParameters": _connection_parameters,
    "ConnectionParametersHeader": lambda dice: _connection_parameters(dice).ConnectionParametersHeader,
    "SessionAck": _session_ack,
    "OrderAckBody": _order_ack_body,
    "OrderAck": lambda dice: order_ack_of(dice, _order_ack_body(dice)),
    "FinalAckBody": _final_ack_body,
    "FinalAck": lambda dice: final_ack_of(dice, _final_ack_body(dice)),
    "PingPacket": _ping,
}
"""Functions that create a structure, by its name."""
