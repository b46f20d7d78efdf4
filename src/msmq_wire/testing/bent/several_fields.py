"""Violations that need several changed fields: for example, a length and its bytes.

1. A `Bend` creates a valid record, and the fields to change together, by path.
2. `INSEPARABLE` contains requirements that cannot be violated without violating another one.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msmq_wire as mw
from msmq_wire import mqmq, mqrr
from msmq_wire.checks.rules.carriers import DELIVERIES
from msmq_wire.checks.rules.changes import LISTS
from msmq_wire.definitions.properties import VARTYPE, ObjectClass
from msmq_wire.documents.directory_objects import deletion
from msmq_wire.documents.propid import PROPERTIES
from msmq_wire.packets.directory import notification as mqcn
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.testing.strategies.choices import GUIDS
from msmq_wire.testing.strategies.directory import MAKERS as DIRECTORY
from msmq_wire.testing.strategies.directory import (
    UPDATES,
    answer,
    carried,
    carried_notification,
    propagated,
    property_value,
    signed,
)
from msmq_wire.testing.strategies.headers import MAKERS as HEADERS
from msmq_wire.testing.strategies.packets import MAKERS as PACKETS
from msmq_wire.testing.strategies.packets import extended_packet, message, report
from msmq_wire.values.algorithms import MODULUS_SIZES
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.properties.values import PropertyValue

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from msmq_wire.testing.strategies.choices import Dice

_MOST_LABEL = 250
_MOST_CERTIFICATE = 0xFFFF
_UNKNOWN = 9999
_QUOTA_OF_MACHINE = 214
_OTHER = {115: 104}
_UNTYPED = tuple(
    row.number for row in PROPERTIES if row.type_requirement is None and row.vartype != VARTYPE.VT_I8
)
_PUBLIC = mqmq.PublicQueueFormatName(GUIDS[1])
_PRIVATE = mqmq.PrivateQueueFormatName(GUIDS[2], 1)
_DIRECT = mqmq.MQFDirectQueueFormatName("OS:host\\queue")
_LIST = mqmq.MQFDistributionQueueFormatName(GUIDS[3])


class Bend(NamedTuple):
    """A valid record, and the fields to change."""

    base: Callable[[Dice], Any]
    changes: Callable[[Any, Dice], Mapping[str, Any]]


def _set(**fields: Any) -> Callable[[Any, Dice], Mapping[str, Any]]:
    """Return the same changes for every record; ``__`` stands for the dots of a path."""
    changes = {path.replace("__", "."): value for path, value in fields.items()}
    return lambda _, __: changes


# --------------------------------------------------------------------------------------------- messages


def _header(packet: Any, **fields: Any) -> dict[str, Any]:
    """Return a MessagePropertiesHeader with changed fields, and with dependent fields updated."""
    return {"MessagePropertiesHeader": mw.replace(packet.MessagePropertiesHeader, **fields)}


def _body(other: Callable[[bytes, Dice], bytes]) -> Callable[[Any, Dice], Mapping[str, Any]]:
    """Return the change to another body, given a function of the body."""

    def changes(packet: Any, dice: Dice) -> Mapping[str, Any]:
        body = other(packet.MessagePropertiesHeader.MessageBody, dice)
        return _header(packet, MessageBody=body, AllocationBodySize=len(body))

    return changes


def _longer_body(body: bytes, dice: Dice) -> bytes:
    return body + bytes(1 + dice.byte() % 4)


def _to_public_queue(_: Any, dice: Dice) -> Mapping[str, Any]:
    queue = mqmq.PublicQueueFormatName(dice.identity())
    return {"UserHeader.Flags.DQ": 5, "UserHeader.DestinationQueue": queue}


_TO_DIRECT_NAME = _set(
    UserHeader__Flags__DQ=7,
    UserHeader__DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName="OS:host\\queue\0"),
    UserHeader__QueueManagerAddress=NULL_GUID,
)


def _of_another_number(packet: Any, _: Dice) -> Mapping[str, Any]:
    """Return a body with another number than the label of the report has."""
    body = packet.MessagePropertiesHeader.MessageBody.decode("utf-16-le")
    number = body.partition(">")[2][:8]
    other = f"{int(number, 16) ^ 1:08X}"
    return {"MessagePropertiesHeader.MessageBody": body.replace(number, other, 1).encode("utf-16-le")}


def _encrypted(dice: Dice) -> Any:
    """Return a message with a key by AES of 256 bits."""
    packet = message(dice, with_security=True)
    key = HEADERS["SIMPLEBLOB"](dice)
    data = mqmq.SecurityData(EncryptionKey=mw.replace(key, sessionKeyAlgorithm=0x6610).encode())
    security = mqmq.SecurityHeader(Flags=mqmq.SecurityHeaderFlags(EB=1), SecurityData=data)
    user = mw.replace(
        packet.UserHeader,
        QueueManagerAddress=dice.identity(),
        Flags=packet.UserHeader.Flags.replace(DQ=5),
        DestinationQueue=_PUBLIC,
    )
    header = mw.replace(
        packet.MessagePropertiesHeader,
        PrivacyLevel=5,
        EncryptionAlgorithm=0x6610,
        MessageBody=bytes(32),
        AllocationBodySize=32,
    )
    return mw.replace(packet, UserHeader=user, SecurityHeader=security, MessagePropertiesHeader=header)


def _from_an_address(dice: Dice) -> Any:
    """Return a message to a direct name, as a remote read returns it, with the IPv6 address of its sender."""
    packet = extended_packet(dice)
    header = packet.UserMessage.UserHeader
    begins = mqrr.UserHeaderAddress(AddressLength=16, AddressType=6, Address=bytes(range(1, 9)))
    header = mw.replace(
        header,
        QueueManagerAddress=mw.GUID(begins.encode()),
        Flags=header.Flags.replace(DQ=7),
        DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName="OS:host\\queue\0"),
    )
    address = mqrr.ExtendedAddressHeader(AddressLength=16, AddressType=6, Address=bytes(range(1, 17)))
    inner = mw.replace(packet.UserMessage, UserHeader=header)
    return mw.replace(packet, UserMessage=inner, ExtendedAddressHeader=address)


def _signed(dice: Dice) -> Any:
    """Return a header with a signature and its provider."""
    header = HEADERS["SecurityHeader"](dice)
    data = header.SecurityData
    provider = data.ProviderInfo or mqmq.ProviderInfo(ProviderType=1, ProviderName="p").encode()
    signed = mw.replace(data, Signature=data.Signature or b"signature", ProviderInfo=provider)
    return mw.replace(header, SecurityData=signed)


def _all_of(record: Any) -> Mapping[str, Any]:
    """Return all fields of another record of the same structure."""
    return {field.name: getattr(record, field.name) for field in record.layout.fields}


def _of_key(dice: Dice) -> Any:
    """Return a header with a signature and the key of the signature."""
    modulus = b"\xee" * dice.pick(MODULUS_SIZES)
    data = mqmq.SecurityData(
        Signature=bytes(len(modulus)), SenderCert=mqmq.SenderCertPublicKey(Modulus=modulus).encode()
    )
    return mqmq.SecurityHeader(SecurityData=data)


def _longer(header: Any, dice: Dice) -> Mapping[str, Any]:
    signature = header.SecurityData.Signature + bytes(4 + 4 * (dice.byte() % 4))
    return {"SecurityData.Signature": signature, "SignatureSize": len(signature)}


def _of_several_by_key(dice: Dice) -> Any:
    """Return a message to several destinations with a signature and the key of the signature."""
    header = _of_key(dice)
    packet = message(dice, with_destinations=True, with_security=False)
    several = mw.replace(
        packet.MultiQueueFormatHeader,
        Signature=mqmq.MQFSignatureHeader(Signature=header.SecurityData.Signature),
    )
    return mw.replace(packet, SecurityHeader=header, MultiQueueFormatHeader=several)


def _longer_of_several(packet: Any, dice: Dice) -> Mapping[str, Any]:
    more = bytes(4 + 4 * (dice.byte() % 4))
    path = "MultiQueueFormatHeader.Signature"
    signature = packet.MultiQueueFormatHeader.Signature.Signature + more
    size = {"BaseHeader.PacketSize": packet.BaseHeader.PacketSize + len(more)}
    return size | {f"{path}.Signature": signature, f"{path}.Size": len(signature)}


def _large_certificate(header: Any, dice: Dice) -> Mapping[str, Any]:
    data = mw.replace(header.SecurityData, SenderCert=bytes(_MOST_CERTIFICATE + 1 + dice.byte() % 8))
    return _all_of(mw.replace(header, SecurityData=data))


# ------------------------------------------------------------------------------------------ lists of names


def _names(*forms: Any) -> Callable[[Dice], Any]:
    return lambda _: mqmq.MQFAddressHeader(
        HeaderID=0x64, FormatNameList=tuple(mqmq.MQFFormatNameElement(FormatName=form) for form in forms)
    )


def _shifted(header: Any, dice: Dice) -> Mapping[str, Any]:
    """Return a list whose last name starts too early or too late."""
    *before, last = header.FormatNameList
    size = dice.pick([size for size in range(4) if size % 2 != len(last.Padding) % 2])
    moved = mqmq.MQFFormatNameElement(last.FormatType, bytes(size), last.FormatName)
    return _all_of(mw.replace(header, FormatNameList=(*before, moved)))


# --------------------------------------------------------------------------------------- notifications


def _truth(dice: Dice) -> Any:
    """Return a change with a property that is unknown to this library, so it can have any type."""
    value = PropertyValue(VARTYPE.VT_BOOL, dice.pick((0, 0xFFFF)))
    return mqdsrp.DirectoryChange.raw(
        3, 1, None, dice.identity(), dice.guid(), *(mqdsrp.MIN_SEQ_NUMBER,) * 3, 1, (_UNKNOWN,), (value,)
    )


def _properties_of(numbers: Sequence[int], dice: Dice, update: Any = None) -> dict[str, Any]:
    """Return other properties, with the values of an update, or other valid values."""
    values = {} if update is None else dict(zip(update.PropertyId, update.PropertyValue, strict=True))
    return {
        "NumberOfProperties": len(numbers),
        "PropertyId": tuple(numbers),
        "PropertyValue": tuple(values.get(number) or property_value(dice, number) for number in numbers),
    }


def _without(number: int) -> Callable[[Any, Dice], Mapping[str, Any]]:
    """Return one property less; if it was the only one, another of the same object."""
    return lambda update, dice: _properties_of(
        [other for other in update.PropertyId if other != number] or [_OTHER[number]], dice, update
    )


def _with(number: int) -> Callable[[Any, Dice], Mapping[str, Any]]:
    return lambda update, dice: _properties_of((*update.PropertyId, number), dice, update)


def _unknown_property(update: Any, _: Dice) -> Mapping[str, Any]:
    """Return an identifier that no document has; its value needs no type of its own."""
    return {"PropertyId": (*update.PropertyId[:-1], _UNKNOWN)}


def _mistyped(update: Any, dice: Dice) -> Mapping[str, Any]:
    """Return a value of another type for a property whose type has no requirement of its own."""
    number = dice.pick(_UNTYPED)
    return {
        "NumberOfProperties": len(update.PropertyId) + 1,
        "PropertyId": (*update.PropertyId, number),
        "PropertyValue": (*update.PropertyValue, PropertyValue(VARTYPE.VT_I8, 0)),
    }


def _not_of_the_enterprise(_: Any, dice: Dice) -> Mapping[str, Any]:
    values = dice.pick(((0, 1), (1, 2)))
    return {"PropertyValue": tuple(PropertyValue(VARTYPE.VT_UI1, value) for value in values)}


def _carried(dice: Dice) -> Any:
    message = DIRECTORY["ChangeNotificationMessage"](dice)
    return signed(mqcn.wrap(message, dice.identity(), dice.identity()))


def _change_with(index: int, **fields: Any) -> Callable[[Any, Dice], Mapping[str, Any]]:
    """Return the changes of a message, one of them with other fields, without recomputing anything."""

    def changes(message: Any, _: Dice) -> Mapping[str, Any]:
        change = message.DirectoryChanges[index]
        values = {name: value(change) if callable(value) else value for name, value in fields.items()}
        fields_before = {field.name: getattr(change, field.name) for field in change.layout.fields}
        altered = list(message.DirectoryChanges)
        altered[index] = type(change).raw(*{**fields_before, **values}.values())
        return {"DirectoryChanges": tuple(altered)}

    return changes


def _replied(**options: Any) -> Callable[[Dice], Any]:
    """Return a reply whose range has numbers before and after those of its changes."""

    def base(dice: Dice) -> Any:
        reply = answer(dice, 2, **options)
        header = mw.replace(reply.SyncReplyHeader, FromSeqNumber=_FIVE, ToSeqNumber=_TEN)
        numbers = [header.FromSeqNumber, *map(mqdsrp.SEQUENCE_NUMBER.of, range(7, 9))]
        changes = tuple(
            mw.replace(change, PreviousSeqNumber=before, SeqNumber=number)
            for change, (before, number) in zip(reply.DirectoryChanges, pairwise(numbers), strict=True)
        )
        return mw.replace(reply, SyncReplyHeader=header, DirectoryChanges=changes)

    return base


_FOUR, _FIVE, _TEN, _ELEVEN = map(mqdsrp.SEQUENCE_NUMBER.of, (4, 5, 10, 11))
_NAMED: dict[str, Any] = {"UseGuid": 0, "PathName": "host", "GuidIdentifier": None}
_SHORT_LIST = {
    "NumberOfProperties": lambda change: change.NumberOfProperties - 1,
    "PropertyID": lambda change: change.PropertyID[:-1],
    "PropertyValue": lambda change: change.PropertyValue[:-1],
}
_REVERSED = {
    "PropertyID": lambda change: change.PropertyID[::-1],
    "PropertyValue": lambda change: change.PropertyValue[::-1],
}
_OF_REPLIES: Final = {
    "MQDSRP-3.2.7.3-06": Bend(
        _replied(of=ObjectClass.SITE, deleted=True),
        _change_with(1, PropertyValue=deletion(1, int(ObjectClass.QUEUE))[1]),
    ),
    "MQDSRP-3.2.7.3-07": Bend(_replied(deleted=True), _change_with(1, Command=3)),
    "MQDSRP-3.2.7.3-08": Bend(_replied(deleted=True), _change_with(0, **_NAMED)),
    "MQDSRP-3.2.7.3-09": Bend(_replied(), _change_with(1, PartitionID=GUIDS[3])),
    "MQDSRP-3.2.7.3-11": Bend(
        _replied(), _change_with(0, PurgedSeqNumber=lambda change: change.PurgedSeqNumber + 1)
    ),
    "MQDSRP-3.2.7.3-13": Bend(_replied(deleted=True), _change_with(1, **_REVERSED)),
    "MQDSRP-3.2.7.3-15": Bend(_replied(deleted=True), _change_with(1, SeqNumber=_FOUR)),
    "MQDSRP-3.2.7.3-16": Bend(_replied(), _change_with(0, PreviousSeqNumber=_FOUR)),
    "MQDSRP-3.2.7.3-17": Bend(_replied(), _change_with(1, PreviousSeqNumber=_FIVE)),
    "MQDSRP-3.2.7.8-04": Bend(_replied(deleted=False), _change_with(1, SeqNumber=_ELEVEN)),
    "MQDSRP-3.2.7.8-07": Bend(_replied(deleted=False), _change_with(1, Command=1)),
    "MQDSRP-3.2.7.8-08": Bend(_replied(deleted=False), _change_with(1, **_NAMED)),
    **{
        requirement: Bend(_replied(of=kind, deleted=False), _change_with(1, **_SHORT_LIST))
        for kind, requirement in LISTS.items()
    },
}


def _propagation(dice: Dice) -> Any:
    """Return two changes of one partition, each with a number above the one before it."""
    number = 2 + dice.number(32)
    changes = tuple(
        mw.replace(
            change,
            PartitionID=GUIDS[2],
            PreviousSeqNumber=mqdsrp.SEQUENCE_NUMBER.of(before),
            SeqNumber=mqdsrp.SEQUENCE_NUMBER.of(before + 1),
        )
        for change, before in zip(propagated(dice, 2), (number, number + 1), strict=True)
    )
    return mw.replace(DIRECTORY["ChangePropagationMessage"](dice), DirectoryChanges=changes, Count=2)


_PAIR = deletion(1, 1)[1]
_OF_PROPAGATIONS: Final = {
    "MQDSRP-2.2.4-14": Bend(_propagation, _change_with(0, PreviousSeqNumber=lambda change: change.SeqNumber)),
    "MQDSRP-3.1.7.1.2-12": Bend(
        _propagation, _change_with(1, PreviousSeqNumber=lambda change: change.PreviousSeqNumber - 1)
    ),
    "MQDSRP-3.1.7.1.2-06": Bend(
        _propagation,
        _change_with(1, Command=2, NumberOfProperties=2, PropertyID=(1404, 1403), PropertyValue=_PAIR),
    ),
}


def _of_dead_letters(dice: Dice) -> Any:
    """Return a packet with a DeadLetterHeader."""
    packet = extended_packet(dice)
    header = HEADERS["DeadLetterHeader"](dice)
    return mw.replace(packet, ExtensionHeader=mqrr.ExtensionHeader(), DeadLetterHeader=header)


def _for_no_queue(packet: Any, _: Dice) -> Mapping[str, Any]:
    """Return a DeadLetterHeader without a name."""
    header = mqrr.DeadLetterHeader()
    more = len(header.encode()) - len(packet.DeadLetterHeader.encode())
    size = packet.ExtensionHeader.RemainingHeadersSize + more
    return {"DeadLetterHeader": header, "ExtensionHeader.RemainingHeadersSize": size}


def _shortened(name: str) -> Callable[[Any, Dice], Mapping[str, Any]]:
    """Return a packet without one of the headers that the ExtensionHeader announces."""

    def changes(packet: Any, _: Dice) -> Mapping[str, Any]:
        rest = packet.ExtensionHeader.RemainingHeadersSize - len(getattr(packet, name).encode())
        return {name: None, "ExtensionHeader.RemainingHeadersSize": rest}

    return changes


_A_USER = mqmq.SecurityHeader(
    Flags=mqmq.SecurityHeaderFlags(ST=1, DE=1),
    SecurityData=mqmq.SecurityData(
        SecurityID=b"\x01\x01" + bytes(5) + b"\x05\x12" + bytes(3), Signature=bytes(64)
    ),
)


def _acknowledged(_: Any, dice: Dice) -> Mapping[str, Any]:
    """Return the administration queue of another message, and one acknowledgment more."""
    header = carried(dice, "BSCAckMessage").UserHeader
    queue = {"UserHeader.AdminQueue": header.AdminQueue, "UserHeader.Flags.AQ": header.Flags.AQ}
    return {**queue, "MessagePropertiesHeader.Flags.PA": 1}


def _unsigned(packet: Any, _: Dice) -> Mapping[str, Any]:
    """Return a header that identifies the sender, without a signature."""
    flags = mqmq.SecurityHeaderFlags(ST=2)
    identifier = packet.UserHeader.SourceQueueManager.bytes_le
    data = mqmq.SecurityData(SecurityID=identifier)
    return {"SecurityHeader": mqmq.SecurityHeader(Flags=flags, SecurityData=data)}


def _by_number(number: int) -> Callable[[Any, Dice], Mapping[str, Any]]:
    """Return the destination as a private queue of a queue manager, by its number."""

    def changes(_: Any, dice: Dice) -> Mapping[str, Any]:
        return {
            "UserHeader.QueueManagerAddress": dice.identity(),
            "UserHeader.Flags.DQ": 3,
            "UserHeader.DestinationQueue": mqmq.PrivateQueueFormatNameId(number),
        }

    return changes


def _by_path(_: Any, __: Dice) -> Mapping[str, Any]:
    """Return the destination as a queue of a machine, by its path name."""
    name = mqmq.DirectQueueFormatName(DirectFormatName="OS:host\\private$\\notify_queue$\0")
    return {
        "UserHeader.QueueManagerAddress": NULL_GUID,
        "UserHeader.Flags.DQ": 7,
        "UserHeader.DestinationQueue": name,
    }


def _of_another(packet: Any, _: Dice) -> Mapping[str, Any]:
    body = packet.directory_message
    return _header(packet, MessageBody=mw.replace(body, BSCMachineID=GUIDS[3]).encode())


_CREATED, _DELETED = UPDATES["created"], UPDATES["deleted"]
_QUEUE, _MACHINE = UPDATES["changed queue"], UPDATES["changed machine"]

_WITHOUT_KEY = mqmq.SecurityHeader(
    Flags=mqmq.SecurityHeaderFlags(EB=1), SecurityData=mqmq.SecurityData(SenderCert=b"certificate")
)


def of_a_queue_manager(dice: Dice) -> Any:
    """Return a message of a queue manager that proves its identity."""
    packet = message(dice, with_security=False)
    return mw.replace(packet, **_unsigned(packet, dice))


SEVERAL: Final[dict[str, Bend]] = {
    "MQMQ-2.2.19.2-47": Bend(
        partial(message, with_acknowledgments=False),
        _set(UserHeader__Flags__RQ=1, UserHeader__ResponseQueue=None),
    ),
    "MQMQ-2.2.20.1-01": Bend(
        partial(message, with_destinations=True),
        _set(MultiQueueFormatHeader__Destination=mqmq.MQFAddressHeader(HeaderID=0x64)),
    ),
    "MQMQ-2.2.19.3-45": Bend(
        _encrypted, _body(lambda body, dice: _longer_body(body, dice) if dice.flag() else b"")
    ),
    "MQMQ-2.2.20.6-06": Bend(
        partial(message, with_security=True),
        _set(
            SecurityHeader=_WITHOUT_KEY,
            MessagePropertiesHeader__PrivacyLevel=1,
            MessagePropertiesHeader__EncryptionAlgorithm=0x6801,
        ),
    ),
    "MQMQ-2.2.20.6-26": Bend(
        of_a_queue_manager, lambda *_: {"SecurityHeader.SecurityData.SecurityID": b"\xee" * 16}
    ),
    "MQMQ-2.1.7-01": Bend(
        HEADERS["MQFDirectQueueFormatName"], _set(DirectFormatName="OS:host\\queue;JOURNAL")
    ),
    "MQMQ-2.2.4-01": Bend(
        HEADERS["TA_ADDRESS"],
        lambda address, dice: {"Address": address.Address + bytes(1 + dice.byte() % 3)},
    ),
    "MQMQ-2.2.14-01": Bend(
        _truth,
        lambda _, dice: {"PropertyValue": (PropertyValue(VARTYPE.VT_BOOL, 1 + dice.byte()),)},
    ),
    "MQMQ-2.2.18.1.4.1-03": Bend(_names(_PUBLIC, _DIRECT), _shifted),
    "MQMQ-2.2.18.1.4.2-03": Bend(_names(_PUBLIC, _LIST), _shifted),
    "MQMQ-2.2.18.1.7.2-05": Bend(_names(_LIST, _PRIVATE), _shifted),
    "MQMQ-2.2.19.1-32": Bend(
        partial(message, with_session_header=True),
        lambda packet, _: {"BaseHeader.PacketSize": len(packet.encode())},
    ),
    "MQMQ-2.2.19.3-42": Bend(
        PACKETS["UserMessage"],
        lambda packet, dice: _header(packet, Label="l" * (_MOST_LABEL + dice.byte() % 5) + "\0"),
    ),
    "MQMQ-2.2.20.6-07": Bend(
        _signed,
        _set(SecurityData__ProviderInfo=b"", SecurityData__ProviderInfoPadding=b"", ProviderInfoSize=0),
    ),
    "MQMQ-2.2.20.6-23": Bend(
        HEADERS["SecurityHeader"],
        lambda _, dice: _all_of(mqmq.SecurityHeader(Flags=mqmq.SecurityHeaderFlags(DE=dice.byte() & 1))),
    ),
    "MQMQ-2.2.20.6-40": Bend(
        lambda dice: mqmq.SenderCertPublicKey(Modulus=b"\xff" * (1 + dice.byte() % 16)),
        lambda key, dice: {"LengthInBits": 8 * len(key.Modulus) - 1 - dice.byte() % 7},
    ),
    "MQMQ-2.2.20.6-44": Bend(HEADERS["SecurityHeader"], _large_certificate),
    "MQQB-3.1.7.1.5-01": Bend(_encrypted, _set(MessagePropertiesHeader__AllocationBodySize=48)),
    "MQQB-3.1.7.1.5-02": Bend(_encrypted, _TO_DIRECT_NAME),
    "MQQB-2.4.2-04": Bend(_encrypted, _set(MessagePropertiesHeader__EncryptionAlgorithm=0x660F)),
    "MQQB-3.1.7.1.4-01": Bend(_of_key, _longer),
    "MQQB-3.1.7.1.4-02": Bend(_of_several_by_key, _longer_of_several),
    "MQQB-3.1.5.8.9-01": Bend(report, _TO_DIRECT_NAME),
    "MQQB-3.1.5.8.9-03": Bend(report, lambda packet, _: _header(packet, Label="received\0")),
    "MQQB-3.1.5.8.9-04": Bend(report, _body(_longer_body)),
    "MQQB-3.1.5.8.9-05": Bend(report, _of_another_number),
    "MQQB-2.2.4-04": Bend(PACKETS["OrderAck"], _to_public_queue),
    "MQQB-2.2.4-09": Bend(PACKETS["OrderAck"], _body(_longer_body)),
    "MQQB-2.2.5-05": Bend(PACKETS["FinalAck"], _to_public_queue),
    "MQQB-2.2.5-10": Bend(PACKETS["FinalAck"], _body(_longer_body)),
    "MQCN-2.2.2-01": Bend(_QUEUE, _unknown_property),
    "MQCN-2.2.6-03": Bend(_QUEUE, _set(GuidIdentifier=None)),
    "MQCN-2.2.6-06": Bend(_QUEUE, _set(PathName="host\\queue")),
    "MQCN-2.2.6-14": Bend(_CREATED, _mistyped),
    "MQCN-3.3.5.2-05": Bend(
        _CREATED, lambda _, dice: {"UseGuid": 1, "PathName": None, "GuidIdentifier": dice.identity()}
    ),
    "MQCN-3.3.5.2-06": Bend(
        _QUEUE,
        lambda _, dice: {
            "UseGuid": 0,
            "PathName": dice.pick(("host\\queue", "host")),
            "GuidIdentifier": None,
        },
    ),
    "MQCN-3.3.5.2-14": Bend(_CREATED, _without(114)),
    "MQCN-3.3.5.2-15": Bend(_CREATED, _with(126)),
    "MQCN-3.3.5.2-17": Bend(_QUEUE, _without(115)),
    "MQCN-3.3.5.2-19": Bend(_MACHINE, _without(219)),
    "MQCN-3.3.5.2-22": Bend(_DELETED, _without(1404)),
    "MQCN-3.3.5.2-26": Bend(_DELETED, _not_of_the_enterprise),
    "MQRR-2.2.5.5-06": Bend(_from_an_address, _set(ExtendedAddressHeader__Address=b"\xee" * 16)),
    "MQRR-2.2.5.4-02": Bend(_of_dead_letters, _for_no_queue),
    "MQRR-2.2.5.2-04": Bend(extended_packet, _shortened("SubqueueHeader")),
    "MQRR-2.2.5.2-09": Bend(extended_packet, _shortened("ExtendedAddressHeader")),
    "MQCN-2.1-01": Bend(carried_notification, _body(lambda body, _: body[:1])),
    "MQCN-3.3.5.3-06": Bend(carried_notification, _set(MessagePropertiesHeader__MessageClass=0x0100)),
    "MQDSRP-3.1.7.2.1-03": Bend(carried, _set(MessagePropertiesHeader__MessageClass=1)),
    "MQCN-3.3.5.3-09": Bend(_carried, _body(lambda body, _: body[:-1])),
    "MQDSRP-2.1-02": Bend(carried, _body(lambda body, _: body + b"more")),
    "MQDSRP-3.1.7.2.1-14": Bend(carried, _set(SecurityHeader=_A_USER)),
    "MQCN-3.3.5.3-15": Bend(partial(carried_notification, updates=True), _set(SecurityHeader=_A_USER)),
    **{ids[2]: Bend(partial(carried, name=name), _acknowledged) for name, ids in DELIVERIES.items()},
    **_OF_REPLIES,
    **_OF_PROPAGATIONS,
    "MQDSRP-3.1.7.2.1-13": Bend(carried, _unsigned),
    "MQDSRP-3.1.7.2.1-17": Bend(carried, _by_number(1)),
    "MQDSRP-3.3.6.2-03": Bend(partial(carried, name="BSCAckMessage"), _of_another),
    "MQDSRP-3.3.7.9-05": Bend(partial(carried, again=True), _set(BaseHeader__Flags__PR=5)),
    "MQCN-1.9-01": Bend(carried_notification, _by_path),
    "MQCN-3.3.5.3-07": Bend(carried_notification, _set(MessagePropertiesHeader__HashAlgorithm=0x800C)),
    "MQCN-3.3.5.3-08": Bend(carried_notification, _unsigned),
    "MQCN-3.3.5.2-01": Bend(
        DIRECTORY["ChangeNotificationMessage"],
        _set(Version=1, NumberOfUpdateNotifications=0, Data=mqcn.NotificationUpdates(Updates=())),
    ),
    "MQCN-3.3.5.2-02": Bend(
        _CREATED,
        lambda update, dice: _properties_of((_QUOTA_OF_MACHINE, *update.PropertyId), dice, update),
    ),
    "MQCN-3.3.5.2-03": Bend(_QUEUE, lambda _, dice: _properties_of((dice.pick((301, 501)),), dice)),
    "MQCN-3.3.5.2-09": Bend(_MACHINE, _set(GuidIdentifier=GUIDS[3])),
    "MQCN-3.3.5.2-18": Bend(_QUEUE, _with(108)),
    "MQCN-3.3.5.2-20": Bend(_MACHINE, _with(203)),
}
"""Requirements that need several changed fields, and how to violate them."""

INSEPARABLE: Final = {"MQMQ-2.2.20.6-08": "MQMQ-2.2.20.6-23"}
"""Requirements that cannot be violated alone, or not at all: without SecurityData all sizes are 0."""
