"""Violations that depend on a context, such as an answer that does not fit its request.

A `Bend` here creates a valid record with its context, and the fields to change.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.checks.validation import Context
from msmq_wire.names.format_names import DirectName
from msmq_wire.packets.directory import notification as mqcn
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.testing.strategies.choices import GUIDS
from msmq_wire.testing.strategies.directory import MAKERS as DIRECTORY
from msmq_wire.testing.strategies.directory import answer, signed
from msmq_wire.testing.strategies.packets import MAKERS as PACKETS
from msmq_wire.testing.strategies.packets import (
    REPORTED,
    final_ack_body,
    message,
    order_ack_body,
    order_ack_of,
    report,
    sent_by,
)
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.numbers import FOREVER

from .several_fields import Bend, of_a_queue_manager

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from msmq_wire.testing.strategies.choices import Dice

_REFUSED = (0x8000, 0x8004, 0xC000)
_STRANGER = GUID(b"\xee" * 16)
_MOST = mqdsrp.MAX_SEQ_NUMBER
_NONE = mqdsrp.MIN_SEQ_NUMBER


def _other(path: str, *, bits: int = 16) -> Callable[[Any, Dice], Mapping[str, Any]]:
    """Return another number."""

    def changes(record: Any, dice: Dice) -> Mapping[str, Any]:
        value = attrgetter(path)(record)
        return {path: (value + 1 + dice.byte() % ((1 << bits) - 1)) % (1 << bits)}

    return changes


def _set(path: str, value: Any) -> Callable[[Any, Dice], Mapping[str, Any]]:
    return lambda _, __: {path: value}


# ---------------------------------------------------------------------------------------------- sessions


def _asked(dice: Dice) -> Any:
    """Return a request for a session, which is equal to the answer that accepts it."""
    return mqqb.EstablishConnection(
        EstablishConnectionHeader=mqqb.EstablishConnectionHeader(
            ClientGuid=dice.identity(),
            ServerGuid=dice.identity(),
            TimeStamp=dice.number(32),
            OperatingSystem=mqqb.EstablishConnectionHeaderOperatingSystem(
                SE=dice.byte() & 1, OS=dice.byte() & 1
            ),
        )
    )


def _repeated(make: Callable[[Dice], Any]) -> Callable[[Dice], tuple[Any, Context]]:
    """Return an answer that is equal to its request."""

    def answer(dice: Dice) -> tuple[Any, Context]:
        request = make(dice)
        return request, Context(request=request)

    return answer


def _with_peer(make: Callable[[Dice], Any], **paths: str) -> Callable[[Dice], tuple[Any, Context]]:
    """Return a record, and a context with the sender or the receiver that is in a field of the record."""

    def record_in_context(dice: Dice) -> tuple[Any, Context]:
        record = make(dice)
        return record, Context(**{name: attrgetter(path)(record) for name, path in paths.items()})

    return record_in_context


def _refused(dice: Dice) -> tuple[Any, Context]:
    """Return a request for another queue manager than the one that received it."""
    request = _asked(dice)
    header = mw.replace(request.EstablishConnectionHeader, ServerGuid=_STRANGER)
    request = mw.replace(request, EstablishConnectionHeader=header)
    flags = mqqb.InternalHeaderFlags(CS=1)
    answer = mw.replace(request, InternalHeader=mqqb.InternalHeader(Flags=flags))
    return answer, Context(request=request, sender=dice.identity())


def _asking_ping(dice: Dice) -> Any:
    packet = PACKETS["PingPacket"](dice)
    return mw.replace(packet, Flags=mqqb.PingPacketFlags(RC=packet.Flags.RC))


def _ping(dice: Dice) -> tuple[Any, Context]:
    packet = _asking_ping(dice)
    return packet, Context(is_response=False, sender=packet.QMGuid)


def _from_a_class(server_class: bool, dice: Dice) -> tuple[Any, Context]:
    flags = mqqb.PingPacketFlags(RC=not server_class)
    return mw.replace(_asking_ping(dice), Flags=flags), Context(server_class=server_class)


def _connects(dice: Dice) -> tuple[Any, Context]:
    request = _asked(dice)
    return request, Context(server_class=bool(request.EstablishConnectionHeader.OperatingSystem.OS))


def _ordered(dice: Dice) -> tuple[Any, Context]:
    request = message(dice, transactional=True)
    return order_ack_body(request), Context(request=request)


def _acknowledged_in_order(dice: Dice) -> tuple[Any, Context]:
    """Return the OrderAck of the queue manager that a message to a public queue is for."""
    request = message(dice, transactional=True, with_security=False)
    header = mw.replace(
        request.UserHeader,
        QueueManagerAddress=dice.identity(),
        DestinationQueue=mqmq.PublicQueueFormatName(GUIDS[5]),
        Flags=request.UserHeader.Flags.replace(DQ=5),
    )
    answer = sent_by(order_ack_of(dice, order_ack_body(request)), header.QueueManagerAddress)
    return answer, Context(request=mw.replace(request, UserHeader=header))


def _finished(dice: Dice) -> tuple[Any, Context]:
    request = message(dice, transactional=True)
    return final_ack_body(request), Context(request=request)


def _next_in_order(body: Any, dice: Dice) -> Mapping[str, Any]:
    """Return another number with its predecessor, so that the pair is valid and the sequence is not."""
    number = body.TxSequenceNumber % 0xFFFF + 1 + dice.byte()
    return {"TxSequenceNumber": number, "TxPreviousSequenceNumber": number - 1}


def _other_number(body: Any, dice: Dice) -> Mapping[str, Any]:
    number = body.TxSequenceNumber
    return {"TxSequenceNumber": number - 1 - dice.byte() if number > 0x200 else number + 1 + dice.byte()}


def _acknowledged(name: str) -> Callable[[Dice], tuple[Any, Context]]:
    """Return an acknowledgment for a machine with a known address, with that address."""

    def make(dice: Dice) -> tuple[Any, Context]:
        packet = PACKETS[name](dice)
        header = mw.replace(
            packet.UserHeader, QueueManagerAddress=NULL_GUID, DestinationQueue=_order_queue("10.0.0.1")
        )
        return mw.replace(packet, UserHeader=header), Context(receiver_address="10.0.0.1")

    return make


def _order_queue(address: str) -> Any:
    return mqmq.DirectQueueFormatName(DirectFormatName=f"TCP:{address}\\private$\\order_queue$\0")


_ELSEWHERE = _order_queue("10.0.0.2")


def _in_time(dice: Dice) -> tuple[Any, Context]:
    """Return a message with unlimited time, captured when one with a second has just expired."""
    packet = message(dice)
    header = mw.replace(packet.BaseHeader, TimeToReachQueue=FOREVER)
    return mw.replace(packet, BaseHeader=header), Context(seen_at=packet.UserHeader.SentTime + 2)


_OTHER_SEQUENCE = _set("TxSequenceID", mqmq.TxSequenceID(0x1234, 0x5678))


# ---------------------------------------------------------------------------------------------- messages


def _returned(dice: Dice, *, transactional: bool | None = None) -> tuple[Any, Context]:
    """Return a negative acknowledgment and the message to which it refers, [MS-MQQB] 3.1.7.15."""
    request = message(dice, with_acknowledgments=True, with_security=False, transactional=transactional)
    form, named = dice.pick(_ADMINISTRATION)
    flags = request.UserHeader.Flags.replace(AQ=form)
    asked = mw.replace(request.UserHeader, AdminQueue=named, Flags=flags)
    request = mw.replace(request, UserHeader=asked)
    queue = asked.admin_queue
    direct = isinstance(queue, DirectName)
    name: Any = named
    if isinstance(named, mqmq.PrivateQueueFormatName):
        name = mqmq.PrivateQueueFormatNameId(named.PrivateQueueIdentifier)
    answer = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=dice.identity(),
            QueueManagerAddress=NULL_GUID if direct else getattr(queue, "computer", _STRANGER),
            MessageID=dice.number(32),
            Flags=mqmq.UserHeaderFlags(DM=asked.Flags.DM),
            DestinationQueue=name,
            ResponseQueue=None if asked.destination is None else str(asked.destination),
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            MessageClass=dice.pick(_REFUSED),
            CorrelationID=asked.message_identifier.encode(),
            MessageBody=request.MessagePropertiesHeader.MessageBody,
        ),
    )
    return answer, Context(request=request)


def _reported(dice: Dice) -> tuple[Any, Context]:
    """Return a report and the message that it is about, [MS-MQQB] 3.1.5.8.9."""
    report_message = report(dice)
    begins, _, computer = report_message.MessagePropertiesHeader.Label.partition(" at ")[0].rpartition(" ")
    traced = message(dice, with_debug=True)
    number = int(begins.split(":")[1], 16)
    header = mw.replace(
        traced.UserHeader,
        SourceQueueManager=mw.GUID.of(computer),
        QueueManagerAddress=NULL_GUID,
        MessageID=number,
        DestinationQueue=REPORTED,
        Flags=traced.UserHeader.Flags.replace(DQ=7),
    )
    queue = report_message.UserHeader.DestinationQueue.PublicQueueIdentifier
    debug = mqmq.DebugHeader(Flags=mqmq.DebugHeaderFlags(QT=1), QueueIdentifier=queue)
    return report_message, Context(request=mw.replace(traced, UserHeader=header, DebugHeader=debug))


def _of_another_message(record: Any, _: Dice) -> Mapping[str, Any]:
    """Return the label and the body of the report of the message with another number."""
    header = record.MessagePropertiesHeader
    number = header.Label.split(":")[1]
    other = f"{int(number, 16) ^ 1:08X}"
    body = header.MessageBody.decode("utf-16-le").replace(number, other, 1)
    label = header.Label.replace(f":{number}:", f":{other}:", 1)
    return {
        "MessagePropertiesHeader.Label": label,
        "MessagePropertiesHeader.MessageBody": body.encode("utf-16-le"),
    }


def _of_another_queue(record: Any, _: Dice) -> Mapping[str, Any]:
    body = record.MessagePropertiesHeader.MessageBody.decode("utf-16-le")
    return {"MessagePropertiesHeader.MessageBody": body.replace("OS:host", "OS:tsoh", 1).encode("utf-16-le")}


_ADMINISTRATION: Final = (
    (7, mqmq.DirectQueueFormatName(DirectFormatName="OS:host\\admin\0")),
    (5, mqmq.PublicQueueFormatName(GUIDS[5])),
    (6, mqmq.PrivateQueueFormatName(GUIDS[6], 7)),
)
"""Administration queues with their forms in the flags of a UserHeader."""


def _other_body(_: Any, dice: Dice) -> Mapping[str, Any]:
    body = b"another" + dice.binary()
    return {
        "MessagePropertiesHeader.MessageBody": body,
        "MessagePropertiesHeader.MessageSize": len(body),
        "MessagePropertiesHeader.AllocationBodySize": len(body),
        "MessagePropertiesHeader.Padding": bytes(-len(body) % 4),
    }


_ELSE = mqmq.DirectQueueFormatName(DirectFormatName="OS:elsewhere\\queue\0")


# --------------------------------------------------------------------------------------------- directory


def _from_a_role(name: str, role: Any, **fields: Any) -> Callable[[Dice], tuple[Any, Context]]:
    """Return a message of a kind, with fields as the role requires."""
    return lambda dice: (mw.replace(DIRECTORY[name](dice), **fields), Context(role=role))


def _change_reply(dice: Dice) -> tuple[Any, Context]:
    request = DIRECTORY["ChangeRequestMessage"](dice)
    header = request.ChangeRequestHeader
    answer = mw.replace(
        DIRECTORY["ChangeReplyMessage"](dice),
        RequestIdentifier=header.RequestIdentifier,
        RequesterName=header.RequesterName,
    )
    return answer, Context(request=request)


def _sync_reply(dice: Dice) -> tuple[Any, Context]:
    """Return an answer and its request; the answer ends before the largest number, which asks for all."""
    reply = answer(dice, 0)
    header = mw.replace(reply.SyncReplyHeader, ToSeqNumber=mqdsrp.SEQUENCE_NUMBER.of(1 << 40))
    request = mw.replace(
        DIRECTORY["SyncRequestMessage"](dice),
        PartitionID=header.PartitionID,
        FromSeqNumber=header.FromSeqNumber,
        ToSeqNumber=header.ToSeqNumber,
        KnownPurgedSeqNumber=header.PurgedSeqNumber,
    )
    header = mw.replace(header, CompleteSync0=request.IsSync0)
    return mw.replace(reply, SyncReplyHeader=header), Context(request=request)


def _signed_by_its_sender(dice: Dice) -> tuple[Any, Context]:
    """Return a message that a queue manager signs and sends to a direct name, so that nobody passes it on."""
    packet = of_a_queue_manager(dice)
    header = mw.replace(
        packet.UserHeader,
        {"DestinationQueue": _ELSE, "Flags.DQ": 7, "QueueManagerAddress": NULL_GUID},
    )
    return mw.replace(packet, UserHeader=header), Context(sender=header.SourceQueueManager)


def _purged(dice: Dice) -> tuple[Any, Context]:
    request = DIRECTORY["SyncRequestMessage"](dice)
    request = mw.replace(request, FromSeqNumber=_NONE, KnownPurgedSeqNumber=_NONE)
    answer = mw.replace(
        DIRECTORY["AlreadyPurgedMessage"](dice),
        PartitionID=request.PartitionID,
        PurgedSeqNumber=mqdsrp.SEQUENCE_NUMBER.of(1 + dice.number(32)),
    )
    return answer, Context(request=request)


def _carried_back(
    make: Callable[[Dice], tuple[Any, Context]], path: str
) -> Callable[[Dice], tuple[Any, Context]]:
    """Return the message that carries a reply to the machine whose name its request has."""

    def carrier(dice: Dice) -> tuple[Any, Context]:
        reply, context = make(dice)
        request = mw.replace(context.request, {path: _REQUESTER})
        if path.startswith("ChangeRequestHeader"):
            reply = mw.replace(reply, RequesterName=_REQUESTER)
        return signed(mqdsrp.wrap(reply, _REQUESTER, dice.identity())), Context(request=request)

    return carrier


_REQUESTER: Final = "requester"
_QUEUE_NAME: Final = "UserHeader.DestinationQueue.DirectFormatName"


def _to_a_stranger(record: Any, _: Dice) -> Mapping[str, Any]:
    """Return the name of the same queue at a machine whose name has as many characters."""
    name = attrgetter(_QUEUE_NAME)(record)
    return {_QUEUE_NAME: name.replace(_REQUESTER, _REQUESTER[::-1])}


def _from_a_directory(dice: Dice) -> tuple[Any, Context]:
    updates = DIRECTORY["NotificationUpdates"](dice)
    return mqcn.ChangeNotificationMessage(Version=1, Data=updates), Context(role="directory")


IN_CONTEXT: Final[dict[str, Bend]] = {
    "MQMQ-2.2.20.6-26": Bend(
        _signed_by_its_sender,
        lambda *_: {
            "SecurityHeader.SecurityData.SecurityID": _STRANGER.bytes_le,
            "UserHeader.SourceQueueManager": _STRANGER,
        },
    ),
    "MQMQ-2.2.19.2-03": Bend(
        _with_peer(message, receiver="UserHeader.QueueManagerAddress"),
        _set("UserHeader.QueueManagerAddress", _STRANGER),
    ),
    "MQMQ-2.2.19.3-19": Bend(_returned, _set("MessagePropertiesHeader.CorrelationID", b"\xee" * 20)),
    "MQQB-3.1.7.15-01": Bend(
        _returned,
        lambda *_: {
            "UserHeader.DestinationQueue": _ELSE,
            "UserHeader.Flags.DQ": 7,
            "UserHeader.QueueManagerAddress": NULL_GUID,
        },
    ),
    "MQQB-3.1.7.15-02": Bend(
        _returned, lambda *_: {"UserHeader.ResponseQueue": _ELSE, "UserHeader.Flags.RQ": 7}
    ),
    "MQQB-3.1.7.15-03": Bend(_returned, _other("UserHeader.Flags.DM", bits=1)),
    "MQQB-3.1.7.15-04": Bend(
        _returned,
        lambda *_: {
            "MessagePropertiesHeader.Flags.PA": 1,
            "UserHeader.AdminQueue": _ELSE,
            "UserHeader.Flags.AQ": 7,
        },
    ),
    "MQQB-3.1.7.15-05": Bend(_returned, _set("BaseHeader.TimeToReachQueue", 60)),
    "MQQB-3.1.7.15-06": Bend(_returned, _set("UserHeader.Flags.JN", 1)),
    "MQQB-3.1.7.15-07": Bend(
        _returned,
        lambda *_: {
            "MessagePropertiesHeader.PrivacyLevel": 5,
            "MessagePropertiesHeader.EncryptionAlgorithm": 0x6610,
        },
    ),
    "MQQB-3.1.7.15-08": Bend(
        _returned,
        lambda packet, _: {"SecurityHeader": signed(packet).SecurityHeader, "UserHeader.Flags.SH": 1},
    ),
    "MQQB-3.1.7.15-09": Bend(_returned, _other_body),
    "MQQB-3.1.7.15-10": Bend(
        _returned,
        lambda packet, dice: {**_other_body(packet, dice), "MessagePropertiesHeader.MessageClass": 0x0002},
    ),
    "MQQB-3.1.5.8.2-01": Bend(
        partial(_returned, transactional=False), _set("MessagePropertiesHeader.MessageClass", 0x8009)
    ),
    "MQQB-3.1.5.8.2-02": Bend(
        partial(_returned, transactional=True), _set("MessagePropertiesHeader.MessageClass", 0x800A)
    ),
    "MQQB-3.1.5.8.9-06": Bend(
        _reported, _set("UserHeader.DestinationQueue", mqmq.PublicQueueFormatName(_STRANGER))
    ),
    "MQQB-3.1.5.8.9-07": Bend(_reported, _of_another_message),
    "MQQB-3.1.5.8.9-08": Bend(_reported, _of_another_queue),
    "MQQB-3.1.5.2.3-01": Bend(
        lambda dice: (_asked(dice), Context(is_response=False)), _set("InternalHeader.Flags.CS", 1)
    ),
    "MQQB-3.1.5.4.1-01": Bend(_repeated(PACKETS["ConnectionParameters"]), _set("InternalHeader.Flags.CS", 1)),
    "MQQB-3.1.5.4.1-02": Bend(
        _repeated(PACKETS["ConnectionParameters"]),
        _set("ConnectionParametersHeader.RecoverableAckTimeout", 501),
    ),
    "MQQB-3.1.5.4.1-03": Bend(
        _repeated(PACKETS["ConnectionParameters"]), _set("ConnectionParametersHeader.AckTimeout", 20001)
    ),
    "MQQB-2.2.1-06": Bend(_refused, _set("InternalHeader.Flags.CS", 0)),
    "MQQB-2.2.3.1-01": Bend(
        _with_peer(_asked, receiver="EstablishConnectionHeader.ServerGuid"),
        _set("EstablishConnectionHeader.ServerGuid", _STRANGER),
    ),
    "MQQB-2.2.3.1-03": Bend(_repeated(_asked), _set("EstablishConnectionHeader.ServerGuid", _STRANGER)),
    "MQQB-2.2.3.1-08": Bend(
        _repeated(_asked), _other("EstablishConnectionHeader.OperatingSystem.SE", bits=1)
    ),
    "MQQB-2.2.3.1-09": Bend(_connects, _other("EstablishConnectionHeader.OperatingSystem.OS", bits=1)),
    "MQQB-2.2.3.1-23": Bend(_repeated(_asked), _set("EstablishConnectionHeader.Padding", bytes(512))),
    "MQQB-2.2.3.1-25": Bend(_repeated(_asked), _set("EstablishConnectionHeader.ClientGuid", _STRANGER)),
    "MQQB-2.2.3.1-26": Bend(_repeated(_asked), _other("EstablishConnectionHeader.TimeStamp")),
    "MQQB-2.2.7-02": Bend(partial(_from_a_class, False), _set("Flags.RC", 0)),
    "MQQB-2.2.7-03": Bend(partial(_from_a_class, True), _set("Flags.RC", 1)),
    "MQQB-2.2.7-04": Bend(_repeated(_asking_ping), _other("Flags.RC", bits=1)),
    "MQQB-2.2.7-07": Bend(_ping, _set("Flags.RF", 1)),
    "MQQB-2.2.7-24": Bend(_repeated(_asking_ping), _other("Cookie")),
    "MQQB-2.2.7-27": Bend(_ping, _set("QMGuid", _STRANGER)),
    "MQMQ-2.2.18.1.6-01": Bend(_acknowledged_in_order, _set("UserHeader.SourceQueueManager", _STRANGER)),
    "MQQB-2.2.4.1-01": Bend(_ordered, _OTHER_SEQUENCE),
    "MQQB-2.2.4.1-02": Bend(_ordered, _next_in_order),
    "MQQB-2.2.5.1-01": Bend(_finished, _OTHER_SEQUENCE),
    "MQQB-2.2.5.1-02": Bend(_finished, _other_number),
    "MQQB-2.2.5.1-03": Bend(
        _finished, lambda body, _: {"TxPreviousSequenceNumber": 0 if body.TxPreviousSequenceNumber else 1}
    ),
    "MQQB-2.2.4-07": Bend(_acknowledged("OrderAck"), _set("UserHeader.DestinationQueue", _ELSEWHERE)),
    "MQQB-2.2.5-08": Bend(_acknowledged("FinalAck"), _set("UserHeader.DestinationQueue", _ELSEWHERE)),
    "MQMQ-2.2.19.1-34": Bend(_in_time, _set("BaseHeader.TimeToReachQueue", 1)),
    "MQQB-2.2.5.1-07": Bend(_finished, _set("SourceGUID", _STRANGER)),
    "MQQB-2.2.5.1-08": Bend(_finished, _other("MessageID")),
    "MQDSRP-2.2.6.3-03": Bend(_change_reply, _other("RequestIdentifier")),
    "MQDSRP-2.2.6.3-06": Bend(_change_reply, _set("RequesterName", "stranger")),
    "MQDSRP-3.1.7.1.1-09": Bend(
        _from_a_role("ChangeRequestHeader", "BSC", PSCName="psc"),
        lambda *_: {"PSCName": None, "PSCNameOffset": 0},
    ),
    "MQDSRP-3.2.7.3-05": Bend(_sync_reply, _set("SyncReplyHeader.ToSeqNumber", _MOST)),
    "MQDSRP-3.2.7.3-19": Bend(_sync_reply, _set("SyncReplyHeader.PartitionID", _STRANGER)),
    "MQDSRP-3.2.7.3-20": Bend(_sync_reply, _set("SyncReplyHeader.FromSeqNumber", _MOST)),
    "MQDSRP-3.2.7.3-23": Bend(_sync_reply, _other("SyncReplyHeader.CompleteSync0", bits=1)),
    **{
        requirement: Bend(_carried_back(make, path), _to_a_stranger)
        for requirement, make, path in (
            ("MQDSRP-3.2.7.3-24", _sync_reply, "RequesterName"),
            ("MQDSRP-3.2.7.7-06", _purged, "RequesterName"),
            ("MQDSRP-3.2.7.6-07", _change_reply, "ChangeRequestHeader.RequesterName"),
        )
    },
    "MQDSRP-3.2.7.3-04": Bend(_purged, _set("PurgedSeqNumber", _NONE)),
    "MQDSRP-3.3.6.2-03": Bend(
        _with_peer(DIRECTORY["BSCAckMessage"], sender="BSCMachineID"), _set("BSCMachineID", _STRANGER)
    ),
    "MQDSRP-3.2.7.7-04": Bend(_purged, _set("PartitionID", _STRANGER)),
    **{
        requirement: Bend(
            _from_a_role("BaseReplicationHeader", role, Operation=2), _set("Operation", operation)
        )
        for requirement, role, operation in (
            ("MQDSRP-2.2.6.6-05", "PSC", 7),
            ("MQDSRP-2.2.6.7-06", "BSC", 6),
            ("MQDSRP-2.2.6.9-08", "BSC", 0),
        )
    },
    "MQDSRP-3.3.7.3-10": Bend(_from_a_role("SyncRequestMessage", "PSC", Scope=1), _set("Scope", 0)),
    "MQCN-2.2.4-01": Bend(
        _from_a_directory,
        lambda _, dice: {
            "Version": 2,
            "NumberOfUpdateNotifications": 1,
            "Data": DIRECTORY["NotificationBody"](dice),
        },
    ),
}
"""Requirements that need a context, and how to violate them."""
