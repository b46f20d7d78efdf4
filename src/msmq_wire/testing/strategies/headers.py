"""Valid headers of messages, and the other structures of [MS-MQMQ], [MS-MQRR] and [MS-MQQB] 2.4.

1. A function creates one structure from a `Dice`; `MAKERS` contains the functions by structure.
2. Values that depend on other structures are arguments, such as the queues, and whether acknowledgments are
   requested.
3. Reserved bits are clear and paddings are zero; `records` generates other values.
4. Small structures are created with `raw`, which computes nothing and is faster.
"""

from __future__ import annotations

from functools import cache
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Any, Final

from msmq_wire import mqmq, mqqb, mqrr
from msmq_wire.values.algorithms import AES, BLOCKS, CIPHERS, HASHES, MODULUS_SIZES, RC, SHA_512
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.numbers import FOREVER, MAX_PACKET_SIZE

from .choices import GUIDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from .choices import Dice

DIRECT_NAMES: Final = (
    "OS:host\\queue",
    "OS:host\\private$\\queue",
    "TCP:10.0.0.1\\queue",
    "HTTP://host/msmq/queue",
    "OS:host.example\\private$\\queue;journal",
)
"""Direct format names without ``DIRECT=``."""
_WRITABLE: Final = DIRECT_NAMES[:-1]
"""Those of queues that are not only read, which lists may name."""
_QUEUE_NUMBERS = (
    2,
    5,
    8,
    0x10,
    0xFFFFFFFF,
)  # 1 and 3 are the queues of directory messages, 4 is the order queue
_OF_A_FORM = (MESSAGE_CLASS_VALUES.MQMSG_CLASS_ORDER_ACK, MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT)
_CLASSES = (
    *(int(value) for value in MESSAGE_CLASS_VALUES if value not in _OF_A_FORM),
    *(0x0100, 0xE0FF),
)
"""Classes of messages of any form."""
_BODY_TYPES = (0, 8, 31, 8, 17, 17 | 0x1000, 12 | 0x1000, 72, 1, 2, 3, 11, 16, 18, 19, 20, 21, 65)
_CIPHERS = {0: (0, *RC, *AES), **CIPHERS}
_HASHES = tuple(map(int, reversed(HASHES)))
SID = b"\x01\x01" + bytes(5) + b"\x05\x12\x00\x00\x00"


# ------------------------------------------------------------------------------------------- names


def _private_id(dice: Dice) -> Any:
    return mqmq.PrivateQueueFormatNameId.raw(dice.pick(_QUEUE_NUMBERS))


def _public(dice: Dice) -> Any:
    return mqmq.PublicQueueFormatName.raw(dice.identity())


def _direct(dice: Dice) -> Any:
    return _direct_name(dice.pick(DIRECT_NAMES))


@cache
def _direct_name(name: str) -> Any:
    return mqmq.DirectQueueFormatName(DirectFormatName=name + "\0")


def _private(dice: Dice) -> Any:
    return mqmq.PrivateQueueFormatName.raw(dice.identity(), dice.pick(_QUEUE_NUMBERS))


_DESTINATIONS: tuple[tuple[int, Callable[[Dice], Any]], ...] = (
    (7, _direct), (5, _public), (3, _private_id), (0, lambda _: None))  # fmt: skip
_ADMINISTRATION: tuple[tuple[int, Callable[[Dice], Any]], ...] = (
    (7, _direct), (5, _public), (3, _private_id), (2, _private_id), (6, _private))  # fmt: skip
_RESPONSE: tuple[tuple[int, Callable[[Dice], Any]], ...] = (
    (0, lambda _: None), (7, _direct), (5, _public), (3, _private_id), (2, _private_id), (4, _private_id),
    (6, _private), (1, lambda _: None))  # fmt: skip
_RESPONSE_ALONE = tuple(row for row in _RESPONSE if row[0] not in {1, 4})
"""Response queues that do not refer to an administration queue."""


def name_element(dice: Dice) -> Any:
    """Return a name for a list of names."""
    return mqmq.MQFFormatNameElement(FormatName=dice.pick(_LISTED)(dice))


def _mqf_direct(dice: Dice) -> Any:
    return mqmq.MQFDirectQueueFormatName.raw(dice.pick(_WRITABLE))


def _distribution_list(dice: Dice) -> Any:
    return mqmq.MQFDistributionQueueFormatName.raw(dice.identity())


_LISTED = (_mqf_direct, _public, _private, _distribution_list)


# ------------------------------------------------------------------------------------------- headers


def base_header(dice: Dice) -> Any:
    """Return a header alone; in a packet it depends on the other headers."""
    traced = dice.flag()
    return mqmq.BaseHeader(
        Flags=mqmq.BaseHeaderFlags(
            PR=dice.byte() & 7, IN=int(dice.flag()), SH=int(dice.flag()), DH=int(traced), TR=int(traced)
        ),
        PacketSize=dice.pick((0, 16, MAX_PACKET_SIZE)),
        TimeToReachQueue=dice.number(32, FOREVER),
    )


def address(dice: Dice) -> Any:
    """Return the address by which a remote read replaces a queue manager."""
    if dice.flag():
        return mqrr.UserHeaderAddress(
            AddressLength=16, AddressType=6, AddressScope=dice.number(32), Address=bytes(range(8))
        )
    host = IPv4Address(dice.number(32)).packed
    return mqrr.UserHeaderAddress(AddressLength=4, AddressType=1, Address=host.ljust(8, b"\0"))


def user_header(
    dice: Dice, *, transactional: bool = False, acknowledged: bool = False, remote_read: bool = False
) -> Any:
    """Return a header; the message decides whether it is transactional, acknowledged or read remotely."""
    sender, expiry = dice.identity(), dice.number(32, FOREVER)
    sent, number = dice.number(32), dice.number(32)
    hops, mode, journals, connected = dice.byte() % 0x1E, dice.byte() & 1, dice.byte(), dice.flag()
    form, queue = dice.pick(_DESTINATIONS)
    response, make_response = dice.pick(_RESPONSE if acknowledged else _RESPONSE_ALONE)
    manager = NULL_GUID if form == 7 else dice.guid()
    if form in {3, 5} and manager == NULL_GUID:
        manager = GUIDS[1]
    if form == 7 and remote_read:
        manager = GUID(address(dice).encode())
    groups = {"DM": 1 if transactional else mode, "DQ": form, "RQ": response}
    admin = None
    if acknowledged:
        groups["AQ"], make_admin = dice.pick(_ADMINISTRATION)
        admin = make_admin(dice)
    return mqmq.UserHeader(
        SourceQueueManager=sender,
        QueueManagerAddress=manager,
        TimeToBeReceived=expiry,
        SentTime=sent,
        MessageID=number,
        Flags=mqmq.UserHeaderFlags(RC=hops, JN=journals & 1, JP=journals >> 1 & 1, **groups),
        DestinationQueue=queue(dice),
        AdminQueue=admin,
        ResponseQueue=make_response(dice),
        ConnectorType=dice.guid() if connected else None,
    )


def message_properties_header(
    dice: Dice,
    *,
    acknowledged: bool | None = None,
    body: Any = None,
    cipher: int = 0,
    signed: bool = False,
) -> Any:
    """Return a header; if acknowledgments are requested, at least one of their flags is set.

    Args:
        dice: The source of choices.
        acknowledged: Whether acknowledgments are requested.
        body: The body; up to twelve bytes by default.
        cipher: The algorithm by which the body is encrypted, or 0.
        signed: Whether the message has a signature.
    """
    asked = dice.byte() % 15 + 1 if dice.flag(acknowledged) else 0
    level = dice.pick([level for level in _CIPHERS if not cipher or (level and cipher in _CIPHERS[level])])
    content = _whole_blocks(dice.binary(12), cipher) if body is None else body
    label = dice.text(6)
    if dice.byte() % 32 == 31:
        label = "l" * 249
    return mqmq.MessagePropertiesHeader(
        Flags=mqmq.MessagePropertiesHeaderFlags(
            PA=asked & 1, PR=asked >> 1 & 1, NA=asked >> 2 & 1, NR=asked >> 3 & 1
        ),
        MessageClass=dice.pick(_CLASSES),
        CorrelationID=dice.guid().bytes_le + dice.byte().to_bytes(4, "little"),
        BodyType=dice.pick(_BODY_TYPES),
        ApplicationTag=dice.number(32),
        AllocationBodySize=len(content) + dice.pick((0,) if cipher else (0, 1, 0x1000)),
        PrivacyLevel=level,
        HashAlgorithm=SHA_512 if signed else dice.pick(_HASHES),
        EncryptionAlgorithm=dice.pick((cipher,) if cipher else _CIPHERS[level]),
        Label=f"{label}\0" if label else "",
        ExtensionData=dice.binary(6) if dice.flag() else b"",
        MessageBody=content,
    )


def fills_blocks(body: bytes, cipher: int) -> bool:
    """Return whether a body has the length of one that the algorithm has encrypted."""
    block = BLOCKS.get(cipher, 0)
    return not block or (len(body) > 0 and len(body) % block == 0)


def _whole_blocks(body: bytes, cipher: int) -> bytes:
    """Return a body padded as the algorithm pads it: by one byte at least."""
    block = BLOCKS.get(cipher, 0)
    return body + bytes(block - len(body) % block) if block else body


def transaction_header(dice: Dice) -> Any:
    """Return the place of a message in a sequence."""
    number = max(dice.number(32, 1), 1)
    bits = dice.byte()
    transaction, connected = dice.number(20), dice.flag()
    return mqmq.TransactionHeader.raw(
        mqmq.TransactionHeaderFlags(bits & 0xE | transaction << 4 | connected),
        mqmq.TxSequenceID.raw(dice.number(32), dice.number(32)),
        number,
        dice.pick((number - 1, 0)),
        dice.guid() if connected else None,
    )


def _encrypted(dice: Dice) -> bytes:
    """Return as many bytes as the modulus of an RSA key has."""
    return dice.binary(8).ljust(dice.pick(MODULUS_SIZES), b"k")


def _encryption_key(dice: Dice) -> bytes:
    if not dice.flag():
        return b""
    return mqqb.SIMPLEBLOB(
        sessionKeyAlgorithm=dice.pick((0x6610, 0x660E, 0x660F, 0x6602, 0x6801)), encryptedKey=_encrypted(dice)
    ).encode()


def security_header(dice: Dice, manager: GUID | None = None) -> Any:
    """Return the identity of the sender, and its proof; at least one of the five parts is present.

    Args:
        dice: The source of choices.
        manager: The queue manager that sends the message; by default any.
    """
    sender = dice.byte() % 3
    identity = (b"", SID, (dice.identity() if manager is None else manager).bytes_le)[sender]
    key = _encryption_key(dice)
    signature = dice.binary() if dice.flag() else b""
    certificate = dice.binary() if dice.flag() else b""
    provider = b""
    if dice.flag():
        provider = mqmq.ProviderInfo(ProviderType=dice.pick((1, 24)), ProviderName=dice.text()).encode()
    if not (identity or key or signature or certificate or provider):
        sender, identity = 1, SID
    return mqmq.SecurityHeader(
        Flags=mqmq.SecurityHeaderFlags(ST=sender, EB=int(dice.flag() and bool(key))),
        SecurityData=mqmq.SecurityData(
            SecurityID=identity,
            EncryptionKey=key,
            Signature=signature,
            SenderCert=certificate,
            ProviderInfo=provider,
        ),
    )


def debug_header(dice: Dice) -> Any:
    """Return a DebugHeader, with or without a queue for reports."""
    queue = dice.identity() if dice.flag() else None
    return mqmq.DebugHeader.raw(mqmq.DebugHeaderFlags(int(queue is not None)), 0, queue)


def soap_header(dice: Dice) -> Any:
    """Return a SoapHeader with texts of an application."""
    return mqmq.SoapHeader(Header=dice.text() + "\0", Body=dice.text() + "\0")


def srmp_headers(dice: Dice) -> tuple[Any, Any]:
    """Return the two headers of a message that was sent over HTTP."""
    return _srmp_envelope(dice), _compound_message(dice)


def _srmp_envelope(dice: Dice) -> Any:
    return mqrr.SRMPEnvelopeHeader(
        HeaderId=dice.number(16), Reserved=dice.number(16), Data=f"<soap>{dice.text()}</soap>\0"
    )


def _compound_message(dice: Dice) -> Any:
    body = dice.binary()
    return mqrr.CompoundMessageHeader(
        HeaderId=dice.number(16, 500), MsgBodySize=len(body), MsgBodyOffset=5, Data=b"POST " + body
    )


def address_list(dice: Dice, header_id: int, sizes: tuple[int, ...] = (0, 1, 0, 2)) -> Any:
    """Return a list of names, with one of some sizes."""
    names = tuple(name_element(dice) for _ in range(dice.pick(sizes)))
    return mqmq.MQFAddressHeader(HeaderID=header_id, FormatNameList=names)


def multi_queue_format_header(dice: Dice) -> Any:
    """Return all destinations of a message."""
    return mqmq.MultiQueueFormatHeader(
        Destination=address_list(dice, 0x64, (1, 2)),
        Administration=address_list(dice, 0xC8),
        Response=address_list(dice, 0x12C),
        Signature=mqmq.MQFSignatureHeader(Signature=dice.binary() if dice.flag() else b""),
    )


def session_header(dice: Dice) -> Any:
    """Return received and sent counts; `sessions` generates consistent ones."""
    received, first, flags = dice.number(16), dice.number(16), dice.number(32)
    if first or flags:
        flags |= 1  # the bit of the first number
    return mqmq.SessionHeader.raw(received, first, flags, dice.number(16), dice.number(16), 64, 0)


def _subqueue_name(dice: Dice) -> bytes:
    name = dice.pick(("", "sub", "q" * 31))
    return name.encode("utf-16-le").ljust(64, b"\0")


def subqueue_header(dice: Dice) -> Any:
    """Return the subqueue of a message."""
    return mqrr.SubqueueHeader.raw(
        148,
        mqrr.SubqueueHeaderFlags(dice.pick(tuple(map(int, MESSAGE_CLASS_VALUES))) << 1),
        dice.number(32),
        moves := dice.number(32),
        dice.number(32) if moves else 0,
        _subqueue_name(dice),
        _subqueue_name(dice),
    )


def dead_letter_header(dice: Dice) -> Any:
    """Return a dead-letter queue."""
    return _dead_letters(dice.pick(("dead", "host\\dead", "DIRECT=OS:host\\dead1")))


@cache
def _dead_letters(name: str) -> Any:
    return mqrr.DeadLetterHeader(DeadLetterPathName=name)


def extended_address_header(dice: Dice) -> Any:
    """Return the host that sent a message."""
    kind, length, filled = dice.pick(((1, 4, 4), (6, 16, 16), (0, 0, 0)))
    return mqrr.ExtendedAddressHeader.raw(
        28, length, kind, dice.number(32) if kind == 6 else 0, dice.guid().bytes_le[:filled].ljust(16, b"\0")
    )


def extension_headers(dice: Dice) -> dict[str, Any]:
    """Return the headers that only a remote read returns, by name."""
    return {
        "ExtensionHeader": mqrr.ExtensionHeader(Flags=mqrr.ExtensionHeaderFlags(DI=int(dice.flag()))),
        "SubqueueHeader": subqueue_header(dice),
        "DeadLetterHeader": dead_letter_header(dice) if dice.flag() else None,
        "ExtendedAddressHeader": extended_address_header(dice),
    }


# -------------------------------------------------------------------------------------- other structures


def _key_blob(dice: Dice) -> Any:
    return mqqb.PUBLICKEYBLOB(pubExp=dice.pick((65537, 3)), modulus=dice.binary())


def _public_key(dice: Dice) -> Any:
    return mqmq.MQDSPUBLICKEY(
        ulProviderType=dice.pick((1, 24)), sProviderName=dice.text() + "\0", aBuf=_key_blob(dice).encode()
    )


def _ta_address(dice: Dice) -> Any:
    kind, length = dice.pick(((1, 4), (2, 4), (3, 10), (5, 16)))
    return mqmq.TA_ADDRESS(AddressType=kind, Address=dice.guid().bytes_le[:length])


def _certificate(dice: Dice) -> Any:
    return mqmq.MQUSERSIGNCERT(Identifier=dice.guid(), Certificate=dice.binary())


def _several(make: Callable[[Dice], Any], dice: Dice) -> tuple[Any, ...]:
    return tuple(make(dice) for _ in range(dice.byte() % 3))


def _user_header_alone(dice: Dice) -> Any:
    return user_header(dice, transactional=dice.flag(), acknowledged=dice.flag())


MAKERS: Final[dict[str, Callable[[Dice], Any]]] = {
    "BaseHeader": base_header,
    "UserHeader": _user_header_alone,
    "MessagePropertiesHeader": message_properties_header,
    "TransactionHeader": transaction_header,
    "SecurityHeader": security_header,
    "SecurityData": lambda dice: security_header(dice).SecurityData,
    "DebugHeader": debug_header,
    "SoapHeader": soap_header,
    "SRMPEnvelopeHeader": _srmp_envelope,
    "CompoundMessageHeader": _compound_message,
    "MultiQueueFormatHeader": multi_queue_format_header,
    "MQFAddressHeader": lambda dice: address_list(dice, dice.pick((0x64, 0xC8, 0x12C))),
    "MQFSignatureHeader": lambda dice: mqmq.MQFSignatureHeader(Signature=dice.binary()),
    "MQFFormatNameElement": name_element,
    "MQFDirectQueueFormatName": _mqf_direct,
    "DirectQueueFormatName": _direct,
    "SessionHeader": session_header,
    "ExtensionHeader": lambda dice: mqrr.ExtensionHeader(
        Flags=mqrr.ExtensionHeaderFlags(DL=int(dice.flag()), SQ=1, EA=1, DI=int(dice.flag())),
        RemainingHeadersSize=dice.number(32),
    ),
    "SubqueueHeader": subqueue_header,
    "DeadLetterHeader": dead_letter_header,
    "ExtendedAddressHeader": extended_address_header,
    "UserHeaderAddress": address,
    "ProviderInfo": lambda dice: mqmq.ProviderInfo(ProviderType=dice.pick((1, 24)), ProviderName=dice.text()),
    "SenderCertPublicKey": lambda dice: mqmq.SenderCertPublicKey(
        KeyType=dice.pick((0x2400, 0xA400)), PublicExponent=dice.pick((65537, 3)), Modulus=dice.binary()
    ),
    "PUBLICKEYBLOB": _key_blob,
    "SIMPLEBLOB": lambda dice: mqqb.SIMPLEBLOB(encryptedKey=_encrypted(dice)),
    "MQDSPUBLICKEY": _public_key,
    "MQDSPUBLICKEYS": lambda dice: mqmq.MQDSPUBLICKEYS(aPublicKeys=_several(_public_key, dice)),
    "TA_ADDRESS": _ta_address,
    "MQUSERSIGNCERT": _certificate,
    "MQUSERSIGNCERTS": lambda dice: mqmq.MQUSERSIGNCERTS(Certificates=_several(_certificate, dice)),
}
"""Functions that create a structure, by its name."""
