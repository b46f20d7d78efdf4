"""Every rule finds its breach, and nothing else: conformant records with one thing bent.

1. Ways to break a rule are in `testing.bent`, and packets of a reader who had not seen the code break most
   rules, see `test_audit`.  A row of `BENT` or `IN_CONTEXT` is for a rule that one of the two lacks: a
   requirement, a conformant record, and the fields that are set to other values.  The fields are set as
   they are, without recomputing anything, but for PacketSize.
2. The bent record has exactly that one violation; the tests of the tables `WITH` list what cannot be told
   apart from another requirement.
3. Reserved bits and property values have rows that are derived from the rules and from the property table.
"""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any, Final

import pytest
from support_marks import proves
from support_rows import for_each, table
from support_specs import SPECS, load_requirements

import msmq_wire as mw
from msmq_wire import GUID, NULL_GUID, PropertyValue, Record, mqcn, mqdsrp, mqmq, mqqb, mqrr, rpc
from msmq_wire.checks.rules import FUNCTION_IDS, RULES
from msmq_wire.checks.validation import Context, validate
from msmq_wire.definitions.properties import VARTYPE, Form, ObjectClass
from msmq_wire.documents.propid import PROPERTIES
from msmq_wire.testing.bent.records import BENDABLE, BENDABLE_IN_CONTEXT, bend, bent
from msmq_wire.testing.strategies.directory import signed

if TYPE_CHECKING:
    from collections.abc import Mapping


G1, G2 = GUID(b"\x11" * 16), GUID(b"\x22" * 16)
SID = b"\x01\x01" + bytes(5) + b"\x05\x12\x00\x00\x00"
DESCRIPTOR = b"\x01\x00\x04\x80" + bytes(16)
KEY = mqqb.PUBLICKEYBLOB(pubExp=65537, modulus=b"\x07" * 64).encode()
CERTIFICATE = mqmq.MQUSERSIGNCERTS(Certificates=(mqmq.MQUSERSIGNCERT(Certificate=b"certificate"),))
KEYS = mqmq.MQDSPUBLICKEYS(aPublicKeys=(mqmq.MQDSPUBLICKEY(sProviderName="p", aBuf=KEY),))
ADDRESSES = (
    mqmq.TA_ADDRESS(AddressType=1, Address=bytes(4)).encode()
    + mqmq.TA_ADDRESS(AddressType=3, Address=bytes(10)).encode()
)


# -------------------------------------------------------------------------------- conformant records

MESSAGE = mqmq.UserMessage(
    UserHeader=mqmq.UserHeader(SourceQueueManager=G1, DestinationQueue="DIRECT=OS:host\\queue"),
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="label", MessageBody=b"body"),
)
SIMPLE = mqqb.SIMPLEBLOB(encryptedKey=b"k" * 64)
SECURITY = mqmq.SecurityHeader(
    SecurityData=mqmq.SecurityData(
        SecurityID=SID,
        EncryptionKey=mqqb.SIMPLEBLOB(encryptedKey=b"k" * 64).encode(),
        Signature=b"s" * 16,
        SenderCert=b"c" * 5,
        ProviderInfo=mqmq.ProviderInfo(ProviderType=1, ProviderName="provider").encode(),
    )
)
LISTS = mqmq.MultiQueueFormatHeader(
    Destination=mqmq.MQFAddressHeader(
        FormatNameList=(
            mqmq.MQFFormatNameElement(FormatName=mqmq.PublicQueueFormatName(G1)),
            mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName("OS:host\\queue")),
        )
    ),
    Administration=mqmq.MQFAddressHeader(),
    Response=mqmq.MQFAddressHeader(),
    Signature=mqmq.MQFSignatureHeader(Signature=b"sign"),
)
NAMES = mqmq.MQFAddressHeader(
    HeaderID=0x64,
    FormatNameList=(
        mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDistributionQueueFormatName(G1)),
        mqmq.MQFFormatNameElement(FormatName=mqmq.PrivateQueueFormatName(G1, 1)),
    ),
)
FULL = mqmq.UserMessage(
    BaseHeader=mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(TR=1)),
    UserHeader=mqmq.UserHeader(
        SourceQueueManager=G1,
        QueueManagerAddress=G2,
        DestinationQueue=f"PUBLIC={G1}",
        AdminQueue=f"PUBLIC={G2}",
        ResponseQueue=f"PUBLIC={G2}",
        ConnectorType=G1,
    ),
    TransactionHeader=mqmq.TransactionHeader(ConnectorQMGuid=G1),
    SecurityHeader=SECURITY,
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
        Flags=mqmq.MessagePropertiesHeaderFlags(PA=1),
        Label="label",
        ExtensionData=b"extension",
        MessageBody=b"body",
    ),
    DebugHeader=mqmq.DebugHeader(QueueIdentifier=G1),
    SoapHeader=mqmq.SoapHeader(Header="header", Body="body"),
    MultiQueueFormatHeader=LISTS,
    SessionHeader=mqmq.SessionHeader(),
)
OF_SEVERAL = mw.replace(MESSAGE, MultiQueueFormatHeader=LISTS)
SUBQUEUE = mqrr.SubqueueHeader(SubqueueName="sub\0".encode("utf-16-le").ljust(64, b"\0"))
SENDER = mqrr.ExtendedAddressHeader(AddressLength=4, AddressType=1, Address=b"\x7f\0\0\1".ljust(16, b"\0"))
SENT_OVER_HTTP = mqmq.UserMessage(
    UserHeader=mqmq.UserHeader(
        SourceQueueManager=G1,
        QueueManagerAddress=GUID(
            mqrr.UserHeaderAddress(AddressLength=4, AddressType=1, Address=b"\x7f\0\0\1\0\0\0\0").encode()
        ),
        DestinationQueue="DIRECT=OS:host\\queue",
    ),
    SRMPEnvelopeHeader=mqrr.SRMPEnvelopeHeader(Data="<soap/>"),
    CompoundMessageHeader=mqrr.CompoundMessageHeader(MsgBodyOffset=4, MsgBodySize=6, Data=b"POST body."),
)
HTTP = mqrr.MessagePacket(UserMessage=SENT_OVER_HTTP)
REMOTE = mqrr.MessagePacket(
    UserMessage=SENT_OVER_HTTP,
    ExtensionHeader=mqrr.ExtensionHeader(),
    SubqueueHeader=SUBQUEUE,
    DeadLetterHeader=mqrr.DeadLetterHeader(DeadLetterPathName="dead"),
    ExtendedAddressHeader=SENDER,
)
READ = mqrr.MessagePacket(
    UserMessage=mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=G1, QueueManagerAddress=G2, DestinationQueue=f"PUBLIC={G1}"
        )
    ),
    ExtensionHeader=mqrr.ExtensionHeader(),
    SubqueueHeader=SUBQUEUE,
    DeadLetterHeader=mqrr.DeadLetterHeader(DeadLetterPathName="dead"),
    ExtendedAddressHeader=SENDER,
)


def _acknowledgment(kind: Any, message_class: int, body: Record) -> Any:
    return kind(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=G1,
            QueueManagerAddress=G2,
            DestinationQueue=mqmq.PrivateQueueFormatNameId(4),
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label="QM Ordering Ack", MessageClass=message_class, MessageBody=body.encode()
        ),
    )


ORDER_BODY = mqqb.OrderAckBody(TxSequenceNumber=3, TxPreviousSequenceNumber=2)
FINAL_BODY = mqqb.FinalAckBody(TxSequenceNumber=3, TxPreviousSequenceNumber=1, SourceGUID=G1)
ORDER_ACK = _acknowledgment(mqqb.OrderAck, 0x00FF, ORDER_BODY)
FINAL_ACK = _acknowledgment(mqqb.FinalAck, 0x4000, FINAL_BODY)
DIRECT_ACKS = [
    (ack, mqmq.DirectQueueFormatName(DirectFormatName=f"{address}\\private$\\ORDER_queue$"))
    for ack in (ORDER_ACK, FINAL_ACK)
    for address in ("TCP:10.0.0.1", "TCP:fe80::1", "SPX:00000001.00a0c9112233", "IPX:00000001:00A0C9112233")
]
READ_AS_MESSAGES = {
    name: mqmq.UserMessage(
        BaseHeader=ack.BaseHeader,
        UserHeader=mw.replace(ack.UserHeader, {"Flags.HH": 1}),
        MessagePropertiesHeader=ack.MessagePropertiesHeader,
        SoapHeader=mqmq.SoapHeader(),
    )
    for name, ack in (("ORDER_ACK", ORDER_ACK), ("FINAL_ACK", FINAL_ACK))
}
"""Acknowledgments with an optional header, which are read as a UserMessage (errata Q21)."""
BY_NAME = {"UserHeader.QueueManagerAddress": NULL_GUID}
IN_BRACKETS = mqmq.DirectQueueFormatName(DirectFormatName="TCP:[::1]\\PRIVATE$\\order_queue$")
NO_ADDRESS = mqmq.DirectQueueFormatName(DirectFormatName="TCP:10.0.0.1\\private$\\other_queue$")
CHANGE = mqdsrp.DirectoryChange(
    Command=1, PathName="host\\queue", PropertyID=(104,), PropertyValue=(PropertyValue(17, 1),)
)
BY_GUID = mqdsrp.DirectoryChange(Command=1, GuidIdentifier=G1)
FROM_SITE: dict[str, Any] = {"BaseReplicationHeader": mqdsrp.BaseReplicationHeader(SiteID=G2)}
REQUEST = mqdsrp.ChangeRequestMessage(
    ChangeRequestHeader=mqdsrp.ChangeRequestHeader(
        RequestIdentifier=7, RequesterName="bsc", PSCName="psc", **FROM_SITE
    ),
    DirectoryChange=CHANGE,
)
FIRST, SECOND, THIRD = map(mqdsrp.SEQUENCE_NUMBER.of, (1, 2, 3))


def _second_reading(name: str) -> Any:
    """Return a message of the second reading of [MC-MQDSRP]."""
    lines = gzip.decompress((SPECS / "vectors" / "directory.jsonl.gz").read_bytes()).splitlines()
    (row,) = [row for row in map(json.loads, lines) if (row["document"], row["name"]) == ("MC-MQDSRP", name)]
    return mqdsrp.decode(bytes.fromhex(row["hex"]))


SYNC_REPLY = _second_reading("sync reply two queues chained")
OF_ENTERPRISE, OF_SITE = _second_reading("sync reply site"), _second_reading("sync reply machine")
A_DELETION = _second_reading("sync reply deletion")
PROPAGATION = mqdsrp.ChangePropagationMessage(
    **FROM_SITE,
    DirectoryChanges=(
        mw.replace(CHANGE, SeqNumber=FIRST),
        mw.replace(BY_GUID, PreviousSeqNumber=FIRST, SeqNumber=SECOND),
    ),
    SeqNumberHeader=mqdsrp.SeqNumberHeader(
        MachineName="psc", PartitionSeqNumbers=(mqdsrp.PARTITION_SEQ_NUMBERS(PartitionID=G1),)
    ),
)
CHANGE_REPLY = mqdsrp.ChangeReplyMessage(RequestIdentifier=7, RequesterName="bsc", **FROM_SITE)
SYNC_REQUEST = mqdsrp.SyncRequestMessage(RequesterName="psc", **FROM_SITE)
BSC_ACK = mqdsrp.BSCAckMessage(BSCMachineID=G1, BSCName="bsc", **FROM_SITE)
PSC_ACK = mqdsrp.PSCAckMessage(PSCSiteID=G2, PSCName="psc", **FROM_SITE)
PURGED = mqdsrp.AlreadyPurgedMessage(PurgedSeqNumber=FIRST, **FROM_SITE)

_NEW = {
    101: (72, G1), 102: (72, G1), 103: (31, "host\\queue"), 104: (17, 0), 105: (19, 0), 106: (2, 0),
    107: (19, 0), 108: (31, ""), 109: (3, 0), 110: (3, 0), 111: (17, 0), 112: (19, 0), 113: (17, 0),
    114: (17, 1), 1101: (65, DESCRIPTOR),
}  # fmt: skip


def _update(command: int, properties: Mapping[int, tuple[int, Any]], **fields: Any) -> Any:
    return mqcn.NotificationUpdate(
        Command=command,
        GuidMasterId=G2,
        PropertyId=tuple(properties),
        PropertyValue=tuple(PropertyValue(*value) for value in properties.values()),
        **fields,
    )


CREATED = _update(0, _NEW, PathName="host\\queue")
CHANGED = _update(1, {115: (72, G1), 104: (17, 1)}, GuidIdentifier=G1)
DELETED = _update(2, {1403: (17, 1), 1404: (17, 1)}, GuidIdentifier=G1)
UPDATES = mqcn.ChangeNotificationMessage(
    Version=1, Data=mqcn.NotificationUpdates.raw((CREATED, CHANGED, DELETED), b"\0")
)
UPDATES = bend(UPDATES, "NumberOfUpdateNotifications", 3)
BODY = mqcn.NotificationBody.of(1, G1, "server")
NOTIFICATION = mqcn.ChangeNotificationMessage(Version=2, Data=BODY)
CARRIER = signed(mqcn.wrap(NOTIFICATION, G1, G2))
ESTABLISH = mqqb.EstablishConnection(EstablishConnectionHeader=mqqb.EstablishConnectionHeader(ClientGuid=G1))
PARAMETERS = mqqb.ConnectionParameters()
SESSION_ACK = mqqb.SessionAck()
REPLICATION = {
    type(message).__name__: signed(mqdsrp.wrap(message, "host", G1))
    for message in (REQUEST, CHANGE_REPLY, SYNC_REQUEST, SYNC_REPLY, PURGED, BSC_ACK, PSC_ACK, PROPAGATION)
}
CARRIED_REQUEST = REPLICATION["ChangeRequestMessage"]
CERT_KEY = mqmq.SenderCertPublicKey(Modulus=b"\x07" * 16)

CONFORMANT: Final[dict[str, Any]] = {
    name: value
    for name, value in globals().items()
    if isinstance(value, Record) and name not in {"NO_ADDRESS", "SENT_OVER_HTTP"}
}
"""Records without any violation, on either level."""


@for_each(("ack", "queue"), lambda: DIRECT_ACKS)
def test_acknowledgments_to_a_direct_name(ack: Any, queue: Any) -> None:
    packet = bent(ack, {**BY_NAME, "UserHeader.Flags.DQ": 7, "UserHeader.DestinationQueue": queue})
    assert validate(packet, "should") == ()


@for_each("name", lambda: CONFORMANT)
def test_conformant(name: str) -> None:
    assert validate(CONFORMANT[name], "practice") == ()


# -------------------------------------------------------------------------------------- bent records

_T = "TransactionHeader"
_P = "MessagePropertiesHeader"
_M = "MultiQueueFormatHeader"
_TEXT = BODY.Text


def _key_of(key: bytes) -> dict[str, Any]:
    return {
        "EncryptionKeySize": len(key),
        "SecurityData.EncryptionKey": key,
        "SecurityData.EncryptionKeyPadding": bytes(-len(key) % 4),
    }


def _certified(key: Any) -> dict[str, Any]:
    data = key.encode()
    return {
        "SenderCertSize": len(data),
        "SecurityData.SenderCert": data,
        "SecurityData.SenderCertPadding": bytes(-len(data) % 4),
    }


TO_PUBLIC = {"UserHeader.Flags.DQ": 5, "UserHeader.DestinationQueue": mqmq.PublicQueueFormatName(G1)}
TO_OTHER = {
    **BY_NAME,
    "UserHeader.Flags.DQ": 7,
    "UserHeader.DestinationQueue": MESSAGE.UserHeader.DestinationQueue,
}
TO_NO_ADDRESS = {**BY_NAME, "UserHeader.Flags.DQ": 7, "UserHeader.DestinationQueue": NO_ADDRESS}
TO_BRACKETS = {**BY_NAME, "UserHeader.Flags.DQ": 7, "UserHeader.DestinationQueue": IN_BRACKETS}
OTHER_ADDRESS = GUID(b"\4\0\2\0" + bytes(12))
_C0, _C1 = "DirectoryChanges[0]", "DirectoryChanges[1]"
OF_ANOTHER_BSC = signed(mqdsrp.wrap(mw.replace(BSC_ACK, BSCMachineID=G2), "host", G1))


LISTED = [
    ("MQDSRP-3.2.7.8-11", "site"), ("MQDSRP-3.2.7.8-12", "cn"), ("MQDSRP-3.2.7.8-13", "enterprise"),
    ("MQDSRP-3.2.7.8-14", "user"), ("MQDSRP-3.2.7.8-15", "link"), ("MQDSRP-3.2.7.8-16", "machine"),
    ("MQDSRP-3.2.7.8-17", "queue"),
]  # fmt: skip


def _without_last(name: str) -> tuple[Any, dict[str, Any]]:
    """Return a reply about one object, and the object without its last property."""
    reply = _second_reading(f"sync reply {name}")
    (change,) = reply.DirectoryChanges
    return reply, {
        f"{_C0}.NumberOfProperties": change.NumberOfProperties - 1,
        f"{_C0}.PropertyID": change.PropertyID[:-1],
        f"{_C0}.PropertyValue": change.PropertyValue[:-1],
    }


def _queue_in(part: str, queue: Any) -> dict[str, Any]:
    """Return another administration or response queue of a message, by its wire form; None for none."""
    form = {type(None): 0, mqmq.PrivateQueueFormatNameId: 2, mqmq.PublicQueueFormatName: 5}[type(queue)]
    flag = "AQ" if part == "AdminQueue" else "RQ"
    return {f"UserHeader.{part}": queue, f"UserHeader.Flags.{flag}": form}


def _other_queues(name: str, requirement: str) -> list[tuple[str, Any, dict[str, Any]]]:
    """Return the breaches in where acknowledgments of a message and answers go."""
    packet = REPLICATION[name]
    public = mqmq.PublicQueueFormatName(G2)
    if packet.UserHeader.AdminQueue is None:
        return [(requirement, packet, _queue_in("ResponseQueue", public))]
    return [
        (requirement, packet, _queue_in(part, wrong))
        for part in ("AdminQueue", "ResponseQueue")
        for wrong in (public, mqmq.PrivateQueueFormatNameId(2))
    ]


# Of each message the requirements on lifetime and priority; seconds that are those of others, or nearly its
# own; priorities next to its own and to the 3 of what is sent again; the requirement on acknowledgments.
SENT = [
    (
        "ChangePropagationMessage",
        "MQDSRP-3.3.7.2-15",
        "MQDSRP-3.3.7.2-16",
        1199,
        (2, 4, 7),
        "MQDSRP-3.3.7.2-17",
    ),
    (
        "ChangeRequestMessage",
        "MQDSRP-3.3.7.1-05",
        "MQDSRP-3.3.7.1-06",
        1200,
        (0, 2, 4, 6),
        "MQDSRP-3.3.7.1-07",
    ),
    ("SyncRequestMessage", "MQDSRP-3.3.7.3-13", "MQDSRP-3.3.7.3-14", 1199, (2, 4, 7), "MQDSRP-3.3.7.3-15"),
    ("SyncReplyMessage", "MQDSRP-3.2.7.3-25", "MQDSRP-3.2.7.3-26", 1199, (2, 4, 7), "MQDSRP-3.2.7.3-27"),
    ("ChangeReplyMessage", "MQDSRP-3.2.7.6-08", "MQDSRP-3.2.7.6-09", 1200, (0, 2, 4, 6), "MQDSRP-3.2.7.6-10"),
    ("AlreadyPurgedMessage", "MQDSRP-3.2.7.7-07", "MQDSRP-3.2.7.7-07", 1199, (2, 4, 7), "MQDSRP-3.2.7.7-07"),
    ("PSCAckMessage", "MQDSRP-3.3.7.4-09", "MQDSRP-3.3.7.4-10", 1199, (2, 4, 7), "MQDSRP-3.3.7.4-11"),
    ("BSCAckMessage", "MQDSRP-3.3.6.2-06", "MQDSRP-3.3.6.2-07", 1199, (2, 4, 7), "MQDSRP-3.3.6.2-08"),
]
BENT: list[tuple[str, Any, dict[str, Any]]] = [
    # fields of two headers
    ("MQMQ-2.2.19.2-03", MESSAGE, TO_PUBLIC),
    (
        "MQMQ-2.2.19.2-03",
        MESSAGE,
        {"UserHeader.Flags.DQ": 3, "UserHeader.DestinationQueue": mqmq.PrivateQueueFormatNameId(7)},
    ),
    ("MQMQ-2.2.19.3-28", FULL, {f"{_P}.HashAlgorithm": 0x8004}),
    ("MQMQ-2.2.19.3-28", OF_SEVERAL, {f"{_P}.HashAlgorithm": 0x8004}),
    ("MQMQ-2.2.19.3-43", OF_SEVERAL, {f"{_P}.HashAlgorithm": 0}),
    # how directory messages are sent
    ("MQDSRP-3.1.7.2.1-07", CARRIED_REQUEST, {"UserHeader.Flags.DM": 1}),
    ("MQDSRP-3.1.7.2.1-12", CARRIED_REQUEST, {f"{_P}.HashAlgorithm": 0x8004}),
    *((row[1], REPLICATION[row[0]], {"BaseHeader.TimeToReachQueue": row[3]}) for row in SENT),
    *((row[1], REPLICATION[row[0]], {"UserHeader.TimeToBeReceived": 1201}) for row in SENT),
    *((row[2], REPLICATION[row[0]], {"BaseHeader.Flags.PR": wrong}) for row in SENT for wrong in row[4]),
    *(
        (row[5], REPLICATION[row[0]], {f"{_P}.Flags.PR": 1})
        for row in SENT
        if REPLICATION[row[0]].UserHeader.AdminQueue is not None
    ),
    *(each for row in SENT for each in _other_queues(row[0], row[5])),
    ("MQDSRP-3.3.6.2-03", OF_ANOTHER_BSC, {}),
    (
        "MQCN-1.9-01",
        CARRIER,
        {
            "UserHeader.QueueManagerAddress": NULL_GUID,
            "UserHeader.Flags.DQ": 7,
            "UserHeader.DestinationQueue": mqmq.DirectQueueFormatName(
                DirectFormatName="OS:host\\private$\\notify_queue$"
            ),
        },
    ),
    ("MQCN-3.3.5.3-07", CARRIER, {f"{_P}.HashAlgorithm": 0x8001}),
    # what a change says in its message
    ("MQDSRP-3.1.7.1.1-14", REQUEST, {"DirectoryChange.PartitionID": G2}),
    ("MQDSRP-3.2.7.3-07", A_DELETION, {f"{_C0}.Command": 3}),
    ("MQDSRP-3.2.7.3-15", SYNC_REPLY, {f"{_C1}.SeqNumber": FIRST}),
    *((requirement, *_without_last(name)) for requirement, name in LISTED),
    ("MQCN-3.3.5.3-04", CARRIER, {"BaseHeader.TimeToReachQueue": 301}),
    ("MQCN-3.3.5.3-05", CARRIER, {"UserHeader.Flags.DM": 1}),
    # what was not looked at
    ("MQMQ-2.2.19.1-07", ESTABLISH, {"BaseHeader.Flags.SH": 1}),
    ("MQMQ-2.2.19.1-07", PARAMETERS, {"BaseHeader.Flags.SH": 1}),
    *(
        ("MQMQ-2.2.18.1.5.2-03", mqmq.DirectQueueFormatName(DirectFormatName=name), {})
        for name in ("DIRECT=OS:host\\queue", "OS:a b\\queue", "queue", "SPX:1.2\\queue")
    ),
    *(("MQQB-2.4.2-03", mqqb.SIMPLEBLOB(encryptedKey=bytes(size)), {}) for size in (0, 1, 100, 255, 257)),
    ("MQQB-2.4.2-02", SECURITY, _key_of(b"short")),
    ("MQQB-2.4.2-02", SECURITY, _key_of(b"\2" + SIMPLE.encode()[1:])),
    ("MQMQ-2.2.20.6-32", SECURITY, _certified(mw.replace(CERT_KEY, KeyType=1))),
    ("MQRR-2.2.5.3-03", SUBQUEUE, {"Flags.AcknowledgementClass": 5}),
    ("MQRR-2.2.5.3-05", SUBQUEUE, {"SubqueueName": b"a\0" * 32}),
    ("MQRR-2.2.5.3-08", SUBQUEUE, {"TargetSubqueueName": b"a\0" * 32}),
    ("MQRR-2.2.5.3-12", SUBQUEUE, {"LastMoveTime": 1}),
    # left over
    ("MQCN-2.2.4-02", UPDATES, {"Data": mqcn.NotificationUpdates.raw(UPDATES.Data.Updates, b"\0\0")}),
    ("MQCN-2.2.5-05", BODY, {"Unused": b"\0\0"}),
    # [MS-MQMQ] 2.2.19.1
    ("MQMQ-2.2.19.1-02", MESSAGE, {"BaseHeader.Reserved": 0x5A}),
    ("MQMQ-2.2.19.1-05", ESTABLISH, {"BaseHeader.Flags.IN": 0}),
    ("MQMQ-2.2.19.1-05", PARAMETERS, {"BaseHeader.Flags.IN": 0}),
    ("MQMQ-2.2.19.1-05", SESSION_ACK, {"BaseHeader.Flags.IN": 0}),
    ("MQMQ-2.2.19.1-31", MESSAGE, {"BaseHeader.PacketSize": 16}),
    ("MQMQ-2.2.19.1-31", SESSION_ACK, {"BaseHeader.PacketSize": 20}),
    ("MQMQ-2.2.19.1-31", ORDER_ACK, {"BaseHeader.PacketSize": 20}),
    ("MQMQ-2.2.19.1-37", mqmq.BaseHeader(), {"PacketSize": 0x00400001}),
    # [MS-MQMQ] 2.2.19.2
    ("MQMQ-2.2.19.2-40", MESSAGE, {f"{_P}.Flags.NR": 1}),
    ("MQMQ-2.2.19.2-50", MESSAGE, {"UserHeader.DestinationQueue": mqmq.PublicQueueFormatName(G1)}),
    ("MQMQ-2.2.19.2-50", MESSAGE, {"UserHeader.DestinationQueue": None}),
    ("MQMQ-2.2.19.2-51", FULL, {"UserHeader.AdminQueue": mqmq.PrivateQueueFormatNameId(1)}),
    ("MQMQ-2.2.19.2-51", MESSAGE, {"UserHeader.AdminQueue": mqmq.PrivateQueueFormatNameId(1)}),
    ("MQMQ-2.2.19.2-52", FULL, {"UserHeader.Flags.RQ": 1}),
    ("MQMQ-2.2.19.2-52", FULL, {"UserHeader.ResponseQueue": None}),
    # [MS-MQMQ] 2.2.19.3
    ("MQMQ-2.2.19.3-13", MESSAGE, {f"{_P}.LabelLength": 9}),
    ("MQMQ-2.2.19.3-22", MESSAGE, {f"{_P}.MessageSize": 3}),
    ("MQMQ-2.2.19.3-33", FULL, {f"{_P}.ExtensionSize": 3}),
    ("MQMQ-2.2.19.3-40", MESSAGE, {f"{_P}.Padding": b"1"}),
    ("MQMQ-2.2.12-07", MESSAGE, {f"{_P}.BodyType": 12}),
    # [MS-MQMQ] 2.2.20
    ("MQMQ-2.2.20-02", MESSAGE, {"BaseHeader.Flags.IN": 1}),
    ("MQMQ-2.2.20.1-02", FULL, {f"{_M}.Response.Padding": b"1"}),
    ("MQMQ-2.2.20.2-01", FULL, {f"{_M}.Response.HeaderSize": 16}),
    ("MQMQ-2.2.20.5-36", FULL, {f"{_T}.PreviousTxSequenceNumber": 1}),
    ("MQMQ-2.2.20.5-36", FULL, {f"{_T}.PreviousTxSequenceNumber": 0xFFFFFFFE}),
    ("MQMQ-2.2.20.5-31", FULL, {f"{_T}.Flags.CG": 0}),
    ("MQMQ-2.2.20.6-03", SECURITY, {"SecurityData.SecurityID": b"\x02" + SID[1:]}),
    ("MQMQ-2.2.20.6-04", SECURITY, {"Flags.ST": 2}),
    ("MQMQ-2.2.20.6-18", SECURITY, {"SenderIdSize": 1}),
    ("MQMQ-2.2.20.6-19", SECURITY, {"EncryptionKeySize": 1}),
    ("MQMQ-2.2.20.6-20", SECURITY, {"SignatureSize": 1}),
    ("MQMQ-2.2.20.6-22", SECURITY, {"ProviderInfoSize": 1}),
    ("MQMQ-2.2.20.6-25", SECURITY, {"SecurityData.SenderCertPadding": b""}),
    ("MQMQ-2.2.20.6-32", CERT_KEY, {"KeyType": 0x8003}),
    ("MQMQ-2.2.20.6-34", CERT_KEY, {"LengthInBits": 16}),
    *(("MQMQ-2.2.20.6-36", CERT_KEY, {"PublicExponent": number}) for number in (0, 1, 2, 65536)),
    *(("MQQB-2.4.1-02", mqqb.PUBLICKEYBLOB.decode(KEY), {"pubExp": number}) for number in (0, 1, 2, 65536)),
    *(
        ("MQMQ-2.2.20.6-48", CERT_KEY, {name: value})
        for name, value in (("bType", 7), ("bVersion", 1), ("reserved", 1), ("magic", b"RSA2"))
    ),
    ("MQMQ-2.2.20.6-40", CERT_KEY, {"LengthInBits": 121}),
    ("MQMQ-2.2.20.6-40", CERT_KEY, {"LengthInBits": 122}),  # of the bits of 7, one is too many
    (
        "MQMQ-2.2.20.6-44",
        SECURITY,
        {
            "SecurityData.SenderCert": bytes(65536),
            "SecurityData.SenderCertPadding": b"",
            "SenderCertSize": 65536,
        },
    ),
    ("MQMQ-2.2.20.6-46", SECURITY, {"SecurityData.ProviderInfo": b"\1\0\0\0a\0", "ProviderInfoSize": 6}),
    ("MQMQ-2.2.20.7-05", FULL, {"SoapHeader.BodySectionID": 1}),
    # [MS-MQMQ] 2.2.1 to 2.2.18, 2.2.21, 2.2.22
    ("MQMQ-2.2.1-05", KEYS, {"aPublicKeys[0].aBuf": b"\x01" + KEY[1:]}),
    ("MQMQ-2.2.18.1.4-02", LISTS.Destination.FormatNameList[0], {"FormatType": 6}),
    (
        "MQMQ-2.2.18.1.4.1-02",
        FULL,
        {f"{_M}.Destination.FormatNameList[1].FormatName.DirectFormatName": "DIRECT=OS:abc"},
    ),
    (
        "MQMQ-2.2.18.1.4.1-03",
        LISTS.Destination,
        {"FormatNameList[1].Padding": b"1", "Padding": b"1", "HeaderSize": 64},
    ),
    (
        "MQMQ-2.2.18.1.4.2-03",
        NAMES,
        {"FormatNameList[0].Padding": b"", "FormatNameList[1].Padding": b"", "HeaderSize": 52},
    ),
    ("MQMQ-2.2.18.1.7.2-05", NAMES, {"FormatNameList[1].Padding": b"", "Padding": b"12", "HeaderSize": 56}),
    ("MQMQ-2.2.18.1.5.2-03", MESSAGE, {"UserHeader.DestinationQueue.DirectFormatName": "OS:host\\queues"}),
    ("MQMQ-2.2.21-01", CERTIFICATE, {"CertificateCount": 2}),
    ("MQMQ-2.2.22-01", CERTIFICATE, {"Certificates[0].Digest": bytes(16)}),
    ("MQMQ-2.2.22-02", CERTIFICATE, {"Certificates[0].CertificateLength": 2}),
    # [MS-MQQB]
    ("MQQB-2.2.2-02", PARAMETERS, {"InternalHeader.Flags.PT": 2}),
    ("MQQB-2.2.3-02", ESTABLISH, {"InternalHeader.Flags.PT": 1}),
    ("MQQB-2.2.4-01", ORDER_ACK, {"BaseHeader.Flags.IN": 1}),
    ("MQQB-2.2.4-05", ORDER_ACK, {"UserHeader.DestinationQueue.PrivateQueueIdentifier": 5}),
    ("MQQB-2.2.4-06", ORDER_ACK, TO_OTHER),
    ("MQQB-2.2.4-06", ORDER_ACK, TO_NO_ADDRESS),
    ("MQQB-2.2.4-06", ORDER_ACK, TO_BRACKETS),
    ("MQQB-2.2.5-07", FINAL_ACK, TO_BRACKETS),
    ("MQQB-2.2.4-03", READ_AS_MESSAGES["ORDER_ACK"], {}),
    ("MQQB-2.2.5-04", READ_AS_MESSAGES["FINAL_ACK"], {}),
    ("MQQB-3.1.7.17-01", ORDER_ACK, {f"{_P}.PrivacyLevel": 1}),
    ("MQQB-3.1.7.17-01", FINAL_ACK, {f"{_P}.PrivacyLevel": 3}),
    ("MQQB-2.2.4-08", ORDER_ACK, {f"{_P}.Label": "QM Ordering Nak\0"}),
    ("MQQB-2.2.4-10", ORDER_ACK, {f"{_P}.Flags.PA": 1}),
    ("MQQB-2.2.4-11", ORDER_ACK, {f"{_P}.MessageClass": 0x4000}),
    ("MQQB-2.2.4.1-03", ORDER_BODY, {"TxPreviousSequenceNumber": 1}),
    (
        "MQQB-2.2.4.1-03",
        ORDER_ACK,
        {f"{_P}.MessageBody": bend(ORDER_BODY, "TxPreviousSequenceNumber", 9).encode()},
    ),
    ("MQQB-2.2.4.1-04", ORDER_BODY, {"Reserved": b"\x01" * 20}),
    ("MQQB-2.2.4.1-07", ORDER_BODY, {"TxPreviousSequenceNumber": 0xFFFFFFFF}),
    ("MQQB-2.2.5-01", FINAL_ACK, {"BaseHeader.Flags.PR": 1}),
    ("MQQB-2.2.5-06", FINAL_ACK, {"UserHeader.DestinationQueue.PrivateQueueIdentifier": 5}),
    ("MQQB-2.2.5-07", FINAL_ACK, TO_OTHER),
    ("MQQB-2.2.5-09", FINAL_ACK, {f"{_P}.Label": "QM Ordering Nak\0"}),
    ("MQQB-2.2.5-11", FINAL_ACK, {f"{_P}.Flags.PA": 1}),
    ("MQQB-2.2.5.1-09", FINAL_BODY, {"TxSequenceNumber": 5, "TxPreviousSequenceNumber": 5}),
    ("MQQB-2.2.5.1-09", FINAL_BODY, {"TxSequenceNumber": 5, "TxPreviousSequenceNumber": 9}),
    ("MQQB-2.2.5.1-05", FINAL_BODY, {"TxPreviousSequenceNumber": 0xFFFFFFFF}),
    ("MQQB-2.2.6-03", SESSION_ACK, {"InternalHeader.Flags.PT": 3}),
    ("MQQB-2.4.1-04", mqqb.PUBLICKEYBLOB.decode(KEY), {"bitLen": 8}),
    *(
        ("MQQB-2.4.1-05", mqqb.PUBLICKEYBLOB.decode(KEY), {name: 9})
        for name in ("bType", "bVersion", "reserved", "aiKeyAlg")
    ),
    *(("MQQB-2.4.2-02", SIMPLE, {name: 9}) for name in ("bType", "bVersion", "reserved", "aiKeyAlg")),
    # [MS-MQRR]
    ("MQRR-2.2.5.1-01", HTTP, {"UserMessage.UserHeader.QueueManagerAddress": GUID(b"\5\0\1\0" + bytes(12))}),
    ("MQRR-2.2.5.1-02", REMOTE, {"UserMessage.UserHeader.QueueManagerAddress": OTHER_ADDRESS}),
    (
        "MQRR-2.2.5.1-03",
        HTTP,
        {"UserMessage.UserHeader.QueueManagerAddress": GUID(b"\4\0\1\0\1" + bytes(11))},
    ),
    ("MQRR-2.2.5.1.1-02", READ, {"UserMessage.SRMPEnvelopeHeader": SENT_OVER_HTTP.SRMPEnvelopeHeader}),
    ("MQRR-2.2.5.1.1-03", READ, {"UserMessage.CompoundMessageHeader": SENT_OVER_HTTP.CompoundMessageHeader}),
    ("MQRR-2.2.5.1.2-03", HTTP, {"UserMessage.CompoundMessageHeader": None}),
    ("MQRR-2.2.5.1.2.2-04", HTTP, {"UserMessage.CompoundMessageHeader.MsgBodySize": 7}),
    ("MQRR-2.2.5.1.2.2-05", HTTP, {"UserMessage.CompoundMessageHeader.MsgBodyOffset": 11}),
    ("MQRR-2.2.5.2-01", REMOTE, {"ExtensionHeader.RemainingHeadersSize": 1}),
    ("MQRR-2.2.5.2-01", READ, {"ExtensionHeader.RemainingHeadersSize": 1}),
    ("MQRR-2.2.5.2-02", REMOTE, {"ExtensionHeader.Flags.DL": 0}),
    ("MQRR-2.2.5.2-03", READ, {"DeadLetterHeader": None, "ExtensionHeader.RemainingHeadersSize": 176}),
    ("MQRR-2.2.5.3-06", SUBQUEUE, {"SubqueueName": b"a\0\0\0b".ljust(64, b"\0")}),
    ("MQRR-2.2.5.3-09", SUBQUEUE, {"TargetSubqueueName": bytes(63) + b"\1"}),
    ("MQRR-2.2.5.4-03", mqrr.DeadLetterHeader(DeadLetterPathName="dead"), {"Padding": b"\0\1"}),
    # [MC-MQDSRP]
    ("MQDSRP-2.2.4-03", BY_GUID, {"PathName": "host\\queue"}),
    ("MQDSRP-2.2.4-05", BY_GUID, {"GuidIdentifier": None}),
    ("MQDSRP-2.2.4-06", CHANGE, {"NumberOfProperties": 2}),
    ("MQDSRP-2.2.4-07", CHANGE, {"PropertyValue": ()}),
    ("MQDSRP-2.2.4-10", CHANGE, {"GuidIdentifier": G1}),
    ("MQDSRP-2.2.5.2-01", REQUEST, {"ChangeRequestHeader.BaseReplicationHeader.Operation": 2}),
    ("MQDSRP-2.2.5.2-03", REQUEST, {"ChangeRequestHeader.PSCName": None}),
    ("MQDSRP-2.2.5.2-05", REQUEST, {"ChangeRequestHeader.PSCNameOffset": 3}),
    ("MQDSRP-2.2.5.3-01", SYNC_REPLY, {"SyncReplyHeader.BaseReplicationHeader.Operation": 2}),
    ("MQDSRP-2.2.5.4-01", mqdsrp.SeqNumberHeader(), {"MachineName": "psc"}),
    ("MQDSRP-2.2.6.3-01", CHANGE_REPLY, {"BaseReplicationHeader.Operation": 2}),
    ("MQDSRP-2.2.6.4-01", SYNC_REQUEST, {"BaseReplicationHeader.Operation": 3}),
    ("MQDSRP-2.2.6.6-01", BSC_ACK, {"BaseReplicationHeader.Operation": 2}),
    ("MQDSRP-2.2.6.7-01", PSC_ACK, {"BaseReplicationHeader.Operation": 2}),
    ("MQDSRP-2.2.6.8-01", PURGED, {"BaseReplicationHeader.Operation": 2}),
    ("MQDSRP-2.2.6.9-01", PROPAGATION, {"BaseReplicationHeader.Operation": 2}),
    # [MS-MQCN]
    ("MQCN-2.2.4-02", UPDATES, {"NumberOfUpdateNotifications": 2}),
    ("MQCN-2.2.4-05", NOTIFICATION, {"Version": 1}),
    ("MQCN-2.2.5-02", BODY, {"Text": _TEXT.replace("<Event>1", "<Event>5")}),
    ("MQCN-2.2.5-05", BODY, {"Text": _TEXT + "more"}),
    ("MQCN-2.2.5-05", NOTIFICATION, {"Data.Text": _TEXT.replace("<ObjectGuid>", "<Guid>")}),
    ("MQCN-2.2.5-05", BODY, {"Text": _TEXT + _TEXT[_TEXT.index("</DomainController>") :]}),
    ("MQCN-2.2.5-07", BODY, {"Text": _TEXT.replace("-", "", 1)}),
    ("MQCN-2.2.5-08", BODY, {"Text": _TEXT.replace("server", "a server")}),
    ("MQCN-2.2.5-08", BODY, {"Text": _TEXT.replace("server", "s" * 257)}),
    ("MQCN-2.2.6-03", CHANGED, {"GuidIdentifier": None}),
    ("MQCN-2.2.6-05", CREATED, {"PathName": "host"}),
    ("MQCN-2.2.6-06", CHANGED, {"PathName": "host\\queue"}),
    ("MQCN-2.2.6-10", CHANGED, {"NumberOfProperties": 3}),
    ("MQCN-2.2.6-11", CHANGED, {"PropertyValue": ()}),
    ("MQCN-3.3.5.2-01", UPDATES, {"NumberOfUpdateNotifications": 0, "Data.Updates": ()}),
]

WITH: dict[str, tuple[tuple[Any, dict[str, Any]], str]] = {
    # The range contains the value that is recommended.
    "MQMQ-2.2.20.4-15": ((FULL, {"SessionHeader.WindowSize": 0}), "MQMQ-2.2.20.4-13"),
    # Without SecurityData all sizes are 0.
    "MQMQ-2.2.20.6-08": ((mqmq.SecurityHeader(), {"Flags.AI": 1}), "MQMQ-2.2.20.6-23"),
}
"""Requirements that cannot be broken apart: the bent record, and what else it breaks."""


@pytest.mark.requirement
@for_each(("requirement", "record", "changes"), lambda: [proves(*row) for row in BENT])
def test_one_violation(requirement: str, record: Any, changes: dict[str, Any]) -> None:
    broken = bent(record, changes)
    found = validate(broken, "practice")
    assert [item.requirement for item in found] == [requirement]
    assert found[0].path.partition(".")[0] == broken.layout.name
    assert 0 <= found[0].offset <= len(broken.encode())
    assert found[0].message.startswith(found[0].path)


def test_the_catalogue_says_what_cannot_be_broken_apart() -> None:
    rows = {row.id: row.inseparable_from for row in load_requirements() if row.inseparable_from}
    assert rows == {requirement: (other,) for requirement, (_, other) in WITH.items()}


@pytest.mark.requirement
@for_each("requirement", lambda: [proves(one) for one in WITH])
def test_violations_that_go_together(requirement: str) -> None:
    (record, changes), other = WITH[requirement]
    found = [item.requirement for item in validate(bent(record, changes), "should")]
    assert sorted(found) == sorted([requirement, other])
    assert requirement in {item.requirement for item in validate(bent(record, changes))}


# ---------------------------------------------------------------------------------- derived from rules

_BASES = {
    "SecurityHeader": SECURITY,
    "InternalHeader": ESTABLISH.InternalHeader,
    "EstablishConnectionHeader": ESTABLISH.EstablishConnectionHeader,
}
"""Those without violations, where an omitted field is one."""
_UNUSED = table(
    lambda: [
        (rule.requirement, structure, rule.path)
        for structure, rules in RULES.items()
        for rule in rules
        if rule.level == "should"
        and "Flags.X" in rule.path.replace("OperatingSystem", "Flags")
        and rule.path != "Flags.X"
    ]
)


@pytest.mark.requirement
@for_each(("requirement", "structure", "path"), lambda: [proves(*row) for row in _UNUSED()])
def test_unused_bits(requirement: str, structure: str, path: str) -> None:
    broken = bend(_BASES.get(structure) or Record.class_of(structure)(), path, 1)
    assert [item.requirement for item in validate(broken, "should")] == [requirement]
    assert validate(broken) == ()


_DIRECTORY = table(
    lambda: [
        known
        for known in PROPERTIES
        if known.object_class not in {ObjectClass.MANAGEMENT_MACHINE, ObjectClass.MANAGEMENT_QUEUE}
    ]
)
_BAD_VALUES: dict[str, Any] = {
    "MQMQ-2.3.1.8-01": "l" * 125,
    "MQMQ-2.3.1.23-02": "1.2.3.4:5",
    "MQMQ-2.3.10.4-01": "a b",
}


def _bad_value(requirement: str, vartype: int) -> Any:
    if requirement in _BAD_VALUES:
        return _BAD_VALUES[requirement]
    base = vartype & ~VARTYPE.VT_VECTOR
    usual: dict[int, Any] = {
        VARTYPE.VT_LPWSTR: "\x01", VARTYPE.VT_BLOB: b"\x09", VARTYPE.VT_UI1: 0xEE, VARTYPE.VT_UI2: 0xEEEE
    }  # fmt: skip
    bad = usual.get(base, 0xEEEEEEEE)
    return (bad,) if vartype & VARTYPE.VT_VECTOR else bad


_VALUES = table(
    lambda: sorted(
        {
            (requirement, known.number, known.vartype)
            for known in _DIRECTORY()
            for requirement in known.value_requirements
            if requirement in FUNCTION_IDS
        }
    )
)


@pytest.mark.requirement
@for_each(("requirement", "number", "vartype"), lambda: [proves(*row) for row in _VALUES()])
def test_property_value(requirement: str, number: int, vartype: int) -> None:
    value = PropertyValue(vartype, _bad_value(requirement, vartype))
    record = mqdsrp.DirectoryChange(GuidIdentifier=G1, PropertyID=(number,), PropertyValue=(value,))
    found = validate(record, "should")
    assert [item.requirement for item in found] == [requirement]
    assert found[0].path == "DirectoryChange.PropertyValue[0]"
    assert record.encode()[found[0].offset :] == value.encode()
    assert validate(mqdsrp.DirectoryChange.decode(record.encode())) == found


@for_each("known", _DIRECTORY, ids=lambda known: known.name)
def test_property_type(known: Any) -> None:
    for kind, name, general in (
        (mqdsrp.DirectoryChange, "PropertyID", "MQDSRP-2.2.4-12"),
        (mqcn.NotificationUpdate, "PropertyId", "MQCN-2.2.6-14"),
    ):
        master: dict[str, Any] = {} if kind is mqdsrp.DirectoryChange else {"GuidMasterId": G2}
        record = kind(Command=3, GuidIdentifier=G1, **master)
        record = bend(bend(record, name, (known.number,)), "NumberOfProperties", 1)
        record = bend(record, "PropertyValue", (PropertyValue(VARTYPE.VT_I8, 0),))
        found = {item.requirement for item in validate(record)} - {"MQCN-2.2.6-01"}
        assert found == {known.type_requirement or general}


@pytest.mark.requirement("MQMQ-2.2.14-01")
def test_truth_values() -> None:
    from msmq_wire.values.properties.values import register_type, unregister_type  # noqa: PLC0415  # only here

    register_type(9999, VARTYPE.VT_BOOL)
    try:
        for value, expected in ((0, []), (0xFFFF, []), (1, ["MQMQ-2.2.14-01"])):
            record = mqdsrp.DirectoryChange(
                GuidIdentifier=G1, PropertyID=(9999,), PropertyValue=(PropertyValue(VARTYPE.VT_BOOL, value),)
            )
            assert [item.requirement for item in validate(record)] == expected
    finally:
        unregister_type(9999)


_GOOD_BLOBS = {
    Form.SID: SID,
    Form.SECURITY_DESCRIPTOR: DESCRIPTOR,
    Form.TA_ADDRESS: ADDRESSES,
    Form.MQDSPUBLICKEYS: KEYS.encode(),
    Form.MQUSERSIGNCERTS: CERTIFICATE.encode(),
}


@for_each(
    "known", lambda: [known for known in _DIRECTORY() if known.kind in _GOOD_BLOBS], ids=lambda p: p.name
)
def test_blobs_that_hold_what_they_should(known: Any) -> None:
    for blob in (_GOOD_BLOBS[known.kind], b""):
        value = PropertyValue(known.vartype, blob)
        record = mqdsrp.DirectoryChange(GuidIdentifier=G1, PropertyID=(known.number,), PropertyValue=(value,))
        assert validate(record, "should") == ()


def test_blobs_without_a_structure() -> None:
    value = PropertyValue(VARTYPE.VT_BLOB, b"revoked")
    record = mqdsrp.DirectoryChange(GuidIdentifier=G1, PropertyID=(610,), PropertyValue=(value,))
    assert validate(record, "should") == ()


def test_messages_that_carry_nothing() -> None:
    changes = {f"{_P}.MessageClass": 0x8000, f"{_P}.MessageBody": b"anything", f"{_P}.MessageSize": 8}
    record = bent(CARRIER, {**changes, f"{_P}.AllocationBodySize": 8, f"{_P}.Padding": b""})
    assert validate(record, "should") == ()


def test_within_a_blob() -> None:
    bad = ADDRESSES + mqmq.TA_ADDRESS(AddressType=6, Address=bytes(16)).encode()
    values = (PropertyValue(31, "host"), PropertyValue(65, bad))
    record = mqdsrp.DirectoryChange(GuidIdentifier=G1, PropertyID=(203, 206), PropertyValue=values)
    (found,) = validate(record)
    assert found.requirement == "MQMQ-2.2.4-03"
    assert found.path == "DirectoryChange.PropertyValue[1].AddressType"
    assert record.encode()[found.offset :] == bad[len(ADDRESSES) + 2 :]


# ------------------------------------------------------------------------------------------- context

ASKED = mqqb.EstablishConnection(
    EstablishConnectionHeader=mqqb.EstablishConnectionHeader(
        ClientGuid=G1,
        ServerGuid=G2,
        TimeStamp=5,
        OperatingSystem=mqqb.EstablishConnectionHeaderOperatingSystem(SE=1),
    )
)
PING = mqqb.PingPacket(Flags=mqqb.PingPacketFlags(RC=1), Cookie=5, QMGuid=G1)
SENT = bent(
    FULL,
    {
        "UserHeader.SourceQueueManager": G1,
        "UserHeader.MessageID": 9,
        f"{_T}.TxSequenceNumber": 3,
        f"{_T}.PreviousTxSequenceNumber": 1,
    },
)
EXPRESS = bent(SENT, {_T: None, "UserHeader.Flags.TH": 0})
ACKNOWLEDGED = bend(FINAL_BODY, "SourceGUID", G1)
ACKNOWLEDGED = bend(ACKNOWLEDGED, "MessageID", 9)
NACK = mqmq.UserMessage(
    UserHeader=mqmq.UserHeader(
        QueueManagerAddress=G2,
        Flags=mqmq.UserHeaderFlags(DM=1),
        DestinationQueue=f"PUBLIC={G2}",
        ResponseQueue=f"PUBLIC={G1}",
    ),
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
        MessageClass=0x8000,
        CorrelationID=SENT.UserHeader.message_identifier.encode(),
        EncryptionAlgorithm=0x6610,
        MessageBody=b"body",
    ),
)
_U = "UserHeader"
_DIRECT = MESSAGE.UserHeader.DestinationQueue
NOT_OF_A_NACK: list[tuple[str, dict[str, Any]]] = [
    ("01", {f"{_U}.DestinationQueue": mqmq.PublicQueueFormatName(G1)}),
    ("02", {f"{_U}.ResponseQueue": _DIRECT, f"{_U}.Flags.RQ": 7}),
    ("03", {f"{_U}.Flags.DM": 0}),
    ("04", {f"{_P}.Flags.PA": 1, f"{_U}.AdminQueue": _DIRECT, f"{_U}.Flags.AQ": 7}),
    ("05", {"BaseHeader.TimeToReachQueue": 60}),
    ("05", {f"{_U}.TimeToBeReceived": 60}),
    ("06", {f"{_U}.Flags.JP": 1}),
    ("06", {f"{_U}.Flags.JN": 1}),
    ("07", {f"{_P}.PrivacyLevel": 5}),
    ("08", {"SecurityHeader": signed(MESSAGE).SecurityHeader, f"{_U}.Flags.SH": 1}),
    ("08", {"MultiQueueFormatHeader": LISTS, f"{_U}.Flags.MQ": 1}),
    ("09", {f"{_P}.MessageBody": b"ydob"}),
]
"""What an administration acknowledgment cannot have, by the number in [MS-MQQB] 3.1.7.15."""
REPLY = mw.replace(SYNC_REPLY, SyncReplyHeader=mw.replace(SYNC_REPLY.SyncReplyHeader, CompleteSync0=0))
SYNC = mqdsrp.SyncRequestMessage(
    PartitionID=REPLY.SyncReplyHeader.PartitionID,
    FromSeqNumber=REPLY.SyncReplyHeader.FromSeqNumber,
    ToSeqNumber=REPLY.SyncReplyHeader.ToSeqNumber,
    RequesterName="psc",
    **FROM_SITE,
)
_E = "EstablishConnectionHeader"
TO_ADDRESS = {**BY_NAME, "UserHeader.Flags.DQ": 7, "UserHeader.DestinationQueue": DIRECT_ACKS[0][1]}
OF_SENT = Context(request=SENT)
TO_ANOTHER = {"UserHeader.DestinationQueue.DirectFormatName": "OS:far\\PRIVATE$\\MQIS_QUEUE$\0"}


SYNC_ASKED = mw.replace(
    SYNC_REQUEST,
    PartitionID=SYNC_REPLY.SyncReplyHeader.PartitionID,
    FromSeqNumber=SYNC_REPLY.SyncReplyHeader.FromSeqNumber,
    ToSeqNumber=SYNC_REPLY.SyncReplyHeader.ToSeqNumber,
)

EMPTY = mqdsrp.SyncReplyMessage(
    SyncReplyHeader=mqdsrp.SyncReplyHeader(PurgedSeqNumber=FIRST, **FROM_SITE), DirectoryChanges=()
)


def _back(machine: str, reply: Any) -> Any:
    return signed(mqdsrp.wrap(reply, machine, G1))


TRACED = bent(
    FULL,
    {
        "UserHeader.SourceQueueManager": G1,
        "UserHeader.QueueManagerAddress": NULL_GUID,
        "UserHeader.MessageID": 77,
        "UserHeader.Flags.DQ": 7,
        "UserHeader.DestinationQueue": mqmq.DirectQueueFormatName(DirectFormatName="OS:HOST\\q\0"),
    },
)
TRACED = mw.replace(
    TRACED,
    DebugHeader=mqmq.DebugHeader(Flags=mqmq.DebugHeaderFlags(QT=1), QueueIdentifier=G2),
)
_TOLD = "<MESSAGE ID>0000004d</MESSAGE ID>\r\n<TARGET QUEUE>DIRECT=OS:host\\q</TARGET QUEUE>\r\n"
REPORT = mqmq.UserMessage(
    UserHeader=mqmq.UserHeader(
        SourceQueueManager=G2,
        QueueManagerAddress=G1,
        DestinationQueue=mqmq.PublicQueueFormatName(G2),
    ),
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
        MessageClass=mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT,
        Label=f"1111:0000004d:00 received by {G1} at 10:20 AM Mon,Jan 05 26\0",
        MessageBody=_TOLD.encode("utf-16-le"),
    ),
)

PUBLIC = mqmq.PublicQueueFormatName(G1)

IN_CONTEXT: list[tuple[str, Any, dict[str, Any], Context]] = [
    *(
        (requirement, _back(machine, reply), TO_ANOTHER, Context(request=request))
        for requirement, machine, reply, request in (
            ("MQDSRP-3.2.7.3-24", "PSC", SYNC_REPLY, SYNC_ASKED),
            ("MQDSRP-3.2.7.7-06", "psc", PURGED, SYNC_REQUEST),
            ("MQDSRP-3.2.7.6-07", "bsc", CHANGE_REPLY, REQUEST),
        )
    ),
    ("MQQB-3.1.5.8.9-07", REPORT, {}, Context(request=mw.replace(TRACED, {"UserHeader.MessageID": 78}))),
    ("MQQB-3.1.5.8.9-08", REPORT, {}, Context(request=bend(TRACED, "UserHeader.DestinationQueue", PUBLIC))),
    *((f"MQQB-3.1.7.15-{number}", NACK, changes, Context(request=SENT)) for number, changes in NOT_OF_A_NACK),
    ("MQQB-2.2.1-06", ASKED, {}, Context(request=ASKED, sender=G1)),
    ("MQQB-2.2.3.1-01", ASKED, {}, Context(receiver=G1)),
    ("MQQB-2.2.3.1-09", ASKED, {f"{_E}.OperatingSystem.OS": 0}, Context(server_class=True)),
    ("MQQB-2.2.3.1-09", ASKED, {f"{_E}.OperatingSystem.OS": 1}, Context(request=ASKED)),
    ("MQQB-2.2.3.1-25", ASKED, {}, Context(is_response=True, receiver=G2)),
    ("MQQB-2.2.7-02", PING, {"Flags.RC": 0}, Context(server_class=False)),
    ("MQQB-2.2.7-03", PING, {"Flags.RC": 1}, Context(server_class=True)),
    ("MQQB-2.2.7-27", PING, {"QMGuid": G2}, Context(sender=G1)),
    ("MQQB-2.2.5.1-03", ACKNOWLEDGED, {"TxPreviousSequenceNumber": 0}, Context(request=SENT)),
    ("MQQB-2.2.4-07", ORDER_ACK, TO_ADDRESS, Context(receiver_address="10.0.0.2")),
    ("MQQB-2.2.5-08", FINAL_ACK, TO_ADDRESS, Context(receiver_address="10.0.0.2")),
    ("MQQB-2.2.5.1-08", ACKNOWLEDGED, {"MessageID": 1}, Context(request=SENT)),
    ("MQQB-2.2.4.1-01", ORDER_BODY, {}, Context(request=EXPRESS)),
    ("MQQB-2.2.5.1-01", ACKNOWLEDGED, {}, Context(request=EXPRESS)),
    ("MQQB-2.2.5.1-01", FINAL_ACK, {f"{_P}.MessageBody": ACKNOWLEDGED.encode()}, Context(request=EXPRESS)),
    ("MQQB-3.1.5.8.2-01", NACK, {f"{_P}.MessageClass": 0x8009}, Context(request=EXPRESS)),
    ("MQQB-3.1.5.8.2-02", NACK, {f"{_P}.MessageClass": 0x800A}, Context(request=SENT)),
    ("MQDSRP-2.2.6.3-03", CHANGE_REPLY, {"RequestIdentifier": 8}, Context(request=REQUEST)),
    (
        "MQDSRP-3.1.7.1.1-09",
        REQUEST,
        {"ChangeRequestHeader.PSCName": None, "ChangeRequestHeader.PSCNameOffset": 0},
        Context(role="BSC"),
    ),
    ("MQDSRP-3.3.7.3-10", SYNC, {"Scope": 0}, Context(role="PSC")),
    ("MQDSRP-2.2.6.6-05", BSC_ACK, {}, Context(role="PSC")),
    ("MQDSRP-2.2.6.6-05", REPLICATION["BSCAckMessage"], {}, Context(role="PSC")),
    ("MQDSRP-2.2.6.7-06", PSC_ACK, {}, Context(role="BSC")),
    ("MQDSRP-2.2.6.9-08", PROPAGATION, {}, Context(role="BSC")),
    ("MQCN-2.2.4-01", NOTIFICATION, {}, Context(role="directory")),
    ("MQDSRP-3.3.6.2-03", BSC_ACK, {}, Context(sender=G2)),
    ("MQDSRP-3.2.7.3-04", PURGED, {}, Context(request=bend(SYNC_REQUEST, "FromSeqNumber", FIRST))),
    ("MQDSRP-3.2.7.3-04", PURGED, {}, Context(request=bend(SYNC_REQUEST, "KnownPurgedSeqNumber", FIRST))),
    ("MQDSRP-3.2.7.3-04", EMPTY, {}, Context(request=SYNC_REQUEST)),
    ("MQMQ-2.2.20.6-26", REPLICATION["PSCAckMessage"], {}, Context(sender=G2)),
]


@pytest.mark.requirement
@for_each(("requirement", "record", "changes", "context"), lambda: [proves(*row) for row in IN_CONTEXT])
def test_in_context(requirement: str, record: Any, changes: dict[str, Any], context: Context) -> None:
    broken = bent(record, changes)
    assert [item.requirement for item in validate(broken, "should", context=context)] == [requirement]
    assert validate(broken, "should") == ()


@pytest.mark.parametrize(
    ("record", "context"),
    [
        (ASKED, Context(request=ASKED, sender=G2, receiver=G1)),
        (ASKED, Context(is_response=False, sender=G1, receiver=G2)),
        (PING, Context(request=PING, sender=G1)),
        (bend(PING, "Flags.RF", 1), Context(is_response=True)),
        (NACK, Context(request=SENT)),
        (bend(NACK, f"{_P}.MessageClass", 0x8009), Context(request=SENT)),
        (bend(NACK, f"{_P}.MessageClass", 0x800A), Context(request=EXPRESS)),
        *(
            (bend(NACK, f"{_P}.MessageClass", number), Context(request=EXPRESS))
            for number in (0x8006, 0x8007)
        ),
        (REPORT, Context(request=TRACED)),
        (MESSAGE, Context(request=SENT, sender=G1, receiver=G2)),
        (ORDER_BODY, Context(request=SENT)),
        (bent(ORDER_ACK, TO_ADDRESS), Context(receiver_address="10.0.0.1")),
        (bent(ORDER_ACK, TO_ADDRESS), Context(receiver_address="no address")),
        (bend(MESSAGE, "BaseHeader.TimeToReachQueue", 10), Context(seen_at=70, clock_tolerance=60)),
        (bend(MESSAGE, "BaseHeader.TimeToReachQueue", 10), Context(seen_at=10.9)),
        (MESSAGE, Context(seen_at=1e10)),
        (ACKNOWLEDGED, Context(request=SENT)),
        (ACKNOWLEDGED, Context(request=MESSAGE.UserHeader)),
        (CHANGE_REPLY, Context(request=REQUEST)),
        (REPLY, Context(request=SYNC)),
        (REPLY, Context(request=bend(SYNC, "ToSeqNumber", mqdsrp.MAX_SEQ_NUMBER))),
        (PURGED, Context(request=SYNC_REQUEST)),
        (REQUEST, Context(role="BSC")),
        (bend(SYNC, "Scope", 1), Context(role="PSC")),
        (BSC_ACK, Context(role="BSC")),
        (PSC_ACK, Context(role="PSC")),
        (PROPAGATION, Context(role="PSC")),
        (ASKED, Context(is_response=True, receiver=G1)),
        (bend(ASKED, f"{_E}.ClientGuid", NULL_GUID), Context(is_response=True, receiver=G1)),
        (ASKED, Context(is_response=False, receiver=G2)),
        (NOTIFICATION, Context(role="queue manager")),
        (BSC_ACK, Context(sender=G1)),
        (REPLICATION["BSCAckMessage"], Context(sender=G1)),
        (CARRIER, Context(sender=G1)),
    ],
)
def test_nothing_wrong_in_context(record: Any, context: Context) -> None:
    assert validate(record, "should", context=context) == ()


def test_the_time_of_a_message_that_a_remote_read_returns() -> None:
    """It is absolute there, and the message is in its queue: the rule is about messages in transit."""
    late = bend(MESSAGE, "BaseHeader.TimeToReachQueue", 10), Context(seen_at=1e10)
    told = {
        channel: {violation.requirement for violation in validate(late[0], channel=channel, context=late[1])}
        for channel in ("session", "remote-read")
    }
    assert {channel: "MQMQ-2.2.19.1-34" in names for channel, names in told.items()} == {
        "session": True,
        "remote-read": False,
    }


def test_every_rule_has_a_bent_record() -> None:
    """One that is typed in here, or a way to break it that `testing.bent` has or makes by the operator."""
    bent_ids = {row[0] for row in BENT} | {row[0] for row in IN_CONTEXT} | set(WITH)
    bent_ids |= {row[0] for row in _UNUSED()} | {row[0] for row in _VALUES()}
    bent_ids |= {known.type_requirement for known in _DIRECTORY() if known.type_requirement}
    bent_ids |= {"MQDSRP-2.2.4-12", "MQCN-2.2.6-14", "MQMQ-2.2.14-01"}
    ruled = {rule.requirement for rules in RULES.values() for rule in rules}
    assert sorted(bent_ids - ruled - FUNCTION_IDS) == []
    assert sorted((ruled | FUNCTION_IDS) - bent_ids - BENDABLE.keys() - BENDABLE_IN_CONTEXT.keys()) == []


# --------------------------------------------------------------------------------------------- edges


@pytest.mark.requirement("MQMQ-2.2.20.6-03")
@pytest.mark.parametrize(("authorities", "expected"), [(0, ()), (15, ()), (16, ("MQMQ-2.2.20.6-03",))])
def test_how_long_a_sid_can_be(authorities: int, expected: tuple[str, ...]) -> None:
    sid = bytes([1, authorities]) + bytes(6 + 4 * authorities)
    header = mqmq.SecurityHeader(
        Flags=mqmq.SecurityHeaderFlags(ST=1), SecurityData=mqmq.SecurityData(SecurityID=sid)
    )
    assert tuple(item.requirement for item in validate(header)) == expected


@pytest.mark.requirement("MQMQ-2.2.20.6-25")
@pytest.mark.parametrize("name", ["SecurityID", "EncryptionKey", "Signature", "SenderCert", "ProviderInfo"])
@pytest.mark.parametrize("size", range(1, 9))
def test_parts_of_a_security_header_end_on_boundaries(name: str, size: int) -> None:
    parts: dict[str, Any] = {name: b"\1" * size}
    data = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(**parts)).encode()
    assert data[16:] == b"\1" * size + bytes((4 - size % 4) % 4)
    assert mqmq.SecurityHeader.decode(data).encode() == data


@pytest.mark.requirement("MQMQ-2.2.19.2-03")
@pytest.mark.parametrize(
    ("form", "queue"), [(3, mqmq.PrivateQueueFormatNameId(7)), (5, mqmq.PublicQueueFormatName(G1))]
)
def test_whom_a_packet_is_for(form: int, queue: Any) -> None:
    packet = bent(MESSAGE, {"UserHeader.Flags.DQ": form, "UserHeader.DestinationQueue": queue})
    packet = bend(packet, "UserHeader.QueueManagerAddress", G1)
    assert validate(packet, context=Context(receiver=G1)) == ()
    assert [item.requirement for item in validate(packet, context=Context(receiver=G2))] == [
        "MQMQ-2.2.19.2-03"
    ]


@pytest.mark.requirement("MQMQ-2.2.19.3-19")
@pytest.mark.parametrize(
    ("message_class", "judged"), [(0x0000, False), (0x0001, False), (0x00FF, False), (0x0002, True)]
)
def test_which_classes_acknowledge(message_class: int, judged: bool) -> None:
    record = bend(NACK, f"{_P}.CorrelationID", bytes(20))
    record = bend(record, f"{_P}.MessageClass", message_class)
    found = {item.requirement for item in validate(record, context=Context(request=SENT))}
    assert ("MQMQ-2.2.19.3-19" in found) == judged


@pytest.mark.requirement("MQQB-2.2.5.1-08")
def test_the_body_of_an_acknowledgment_is_judged_within_its_packet() -> None:
    body = bend(ACKNOWLEDGED, "MessageID", 1)
    packet = _acknowledgment(mqqb.FinalAck, 0x4000, body)
    found = {item.requirement: item.path for item in validate(packet, context=OF_SENT)}
    assert found["MQQB-2.2.5.1-08"] == "FinalAck.MessagePropertiesHeader.MessageBody.MessageID"


_OWNER = DESCRIPTOR[:4] + b"\x14\0\0\0" + DESCRIPTOR[8:]
_SYSTEM = bytes.fromhex("010100000000000512000000")
"""The SID of the operating system, S-1-5-18."""


def _with_list(acl: str, *, control: int = 4, sacl: bool = False) -> bytes:
    """Return a descriptor with an access control list behind it, [MS-DTYP] 2.4.5 and 2.4.6."""
    offsets = bytes(8) + (b"\x14\0\0\0\0\0\0\0" if sacl else b"\0\0\0\0\x14\0\0\0")
    return bytes((1, 0, control, 0x80)) + offsets + bytes.fromhex(acl)


@pytest.mark.parametrize(
    ("descriptor", "right"),
    [
        (DESCRIPTOR, True),
        (b"\x02" + DESCRIPTOR[1:], False),
        (DESCRIPTOR[:3] + b"\x00" + DESCRIPTOR[4:], False),
        (DESCRIPTOR[:3] + b"\x01" + DESCRIPTOR[4:], False),
        (DESCRIPTOR[:-1], False),
        (_OWNER + _SYSTEM, True),
        (_OWNER + b"owner", False),
        (_OWNER + b"\x02" + _SYSTEM[1:], False),
        (_OWNER + _SYSTEM[:-1], False),
        (_OWNER[:8] + b"\x14\0\0\0" + _OWNER[12:] + _SYSTEM, True),
        (_OWNER[:8] + b"\x16\0\0\0" + _OWNER[12:] + _SYSTEM, False),
        (_with_list("0200080000000000"), True),
        (_with_list("0400080000000000"), True),
        (_with_list("0200080000000000", control=0x10, sacl=True), True),
        (_with_list("0200080000000000", control=0), False),
        (_with_list("0200080000000000", sacl=True), False),
        (_with_list("0300080000000000"), False),
        (_with_list("0201080000000000"), False),
        (_with_list("0200080000000100"), False),
        (_with_list("0200070000000000"), False),
        (_with_list("02000c0000000000"), False),
        (_with_list("02000800000000"), False),
        (_with_list("0200080001000000"), False),
        (_with_list("02001c0001000000000014000100000001010000000000051200" + "0000"), True),
        (_with_list("02001c0001000000000018000100000001010000000000051200" + "0000"), False),
        (_with_list("02001c0001000000000013000100000001010000000000051200" + "0000"), False),
        (_with_list("02001c0002000000000014000100000001010000000000051200" + "0000"), False),
        (_OWNER, False),
        (_OWNER[:8] + b"\x13\0\0\0" + _OWNER[12:] + b"group", False),
        (DESCRIPTOR[:7] + b"\x01" + DESCRIPTOR[8:], False),
        (DESCRIPTOR[:8] + b"\x14\0\0\0" + b"\x01\0\0\0" + DESCRIPTOR[16:] + b"group", False),
    ],
)
def test_what_a_security_descriptor_is(descriptor: bytes, right: bool) -> None:
    value = PropertyValue(VARTYPE.VT_BLOB, descriptor)
    record = mqdsrp.DirectoryChange(GuidIdentifier=G1, PropertyID=(1101,), PropertyValue=(value,))
    assert (validate(record) == ()) == right


def test_blobs_behind_one_that_cannot_be_read() -> None:
    bad = ADDRESSES + mqmq.TA_ADDRESS(AddressType=6, Address=bytes(16)).encode()
    values = (PropertyValue(65, b"\1\2\3"), PropertyValue(65, bad))
    record = mqdsrp.DirectoryChange(GuidIdentifier=G1, PropertyID=(206, 206), PropertyValue=values)
    assert [item.path for item in validate(record)] == [
        "DirectoryChange.PropertyValue[0]",
        "DirectoryChange.PropertyValue[1].AddressType",
    ]


def test_violations_print_guids_as_text() -> None:
    packet = bend(MESSAGE, "UserHeader.QueueManagerAddress", G1)
    (found,) = validate(packet)
    assert f"is {G1}, but" in found.message


def test_the_end_of_a_dead_letter_header_is_not_rounded() -> None:
    data = bytes.fromhex("0c0000000200000061000000")
    odd = mqrr.DeadLetterHeader(DeadLetterPathName="abc").encode()
    odder = bytes.fromhex("0b00000061000000000000")
    for one in (data, odd, odder):
        record = mqrr.DeadLetterHeader.decode(one)
        assert (record.HeaderSize, record.encode()) == (len(one), one)


def test_the_padding_of_a_list_of_queues_may_be_cut_short() -> None:
    data = LISTS.encode()
    header = bend(LISTS, "Signature.Signature", b"sig")
    header = bend(bend(header, "Signature.Size", 3), "Padding", b"")
    short = header.encode()
    assert len(short) < len(data)
    assert mqmq.MultiQueueFormatHeader.decode(short).Padding == b""


def test_a_queue_manager_notifies_in_version_2() -> None:
    found = validate(UPDATES, context=Context(role="queue manager"))
    assert [item.requirement for item in found] == ["MQCN-2.2.4-01"]


def test_an_acknowledgment_of_nothing_begins_at_one() -> None:
    assert mqqb.FinalAckBody().TxSequenceNumber == 1


@pytest.mark.requirement("MQMQ-2.2.18.1.4.1-02")
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("OS:host\\queue", True),
        ("OS:host\\a,b", True),  # allowed by the first version only
        ("OS:host\\queue;sub", True),  # allowed by the latest version only
        ("TCP:1.2.3\\queue", False),
        ("OS:host", False),
    ],
)
def test_which_direct_names_a_list_takes(text: str, right: bool) -> None:
    assert (validate(mqmq.MQFDirectQueueFormatName(DirectFormatName=text)) == ()) == right


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("DIRECT=OS:host\\q", "expected one of TCP, SPX, IPX, OS, HTTP, HTTPS and a colon (without DIRECT=)"),
        (
            "TCP:host\\q",
            "TCP address: expected an IPv4 or IPv6 address (a host name follows OS:), found 'host'",
        ),
        ("OS:host\\privat$\\q", "character '\\\\' at index 7 is not allowed (it may follow private$ only)"),
        ("OS:a\nb\\q", "OS address: character '\\n' at index 1 is not allowed"),
    ],
)
def test_what_is_wrong_with_a_direct_name(text: str, told: str) -> None:
    for name in (
        mqmq.MQFDirectQueueFormatName(DirectFormatName=text),
        rpc.QUEUE_FORMAT(m_qft=3, _union=text),
    ):
        (violation,) = validate(name)
        assert violation.allowed.startswith("a direct format name: ")
        assert told in violation.message


@pytest.mark.requirement("MQQB-2.2.1-06")
def test_who_may_be_asked() -> None:
    """The queue manager itself, and whichever is there; another one is refused."""
    for asked, flag, right in [(G1, 0, True), (NULL_GUID, 0, True), (G2, 0, False), (G2, 1, True)]:
        request = bend(ASKED, f"{_E}.ServerGuid", asked)
        answer = bent(request, {"InternalHeader.Flags.CS": flag, f"{_E}.ServerGuid": asked or G1})
        found = {item.requirement for item in validate(answer, context=Context(request=request, sender=G1))}
        assert ("MQQB-2.2.1-06" not in found) == right


@pytest.mark.requirement("MQQB-3.1.5.3.2-02")
@pytest.mark.requirement("MQQB-3.1.5.4.1-01")
@pytest.mark.parametrize(
    ("context", "requirement"),
    [
        (None, "MQQB-3.1.5.3.2-02"),
        (Context(sender=G1), "MQQB-3.1.5.3.2-02"),
        (Context(is_response=False), "MQQB-3.1.5.3.2-02"),
        (Context(is_response=True), "MQQB-3.1.5.4.1-01"),
        (Context(request=PARAMETERS), "MQQB-3.1.5.4.1-01"),
    ],
)
def test_parameters_refuse_no_session(context: Context | None, requirement: str) -> None:
    """In neither direction, so also if the direction is unknown; whole or in part."""
    packet = bent(PARAMETERS, {"InternalHeader.Flags.CS": 1})
    part = mw.decode_lax(packet.encode()[:24])
    for read in (packet, part):
        assert [item.requirement for item in validate(read, context=context)] == [requirement]


@pytest.mark.requirement("MQMQ-2.2.20.2-02")
@pytest.mark.parametrize("name", ["Destination", "Administration", "Response"])
def test_each_list_has_the_number_of_its_place(name: str) -> None:
    number = 0x64 if name == "Response" else 0x12C
    (found,) = validate(bend(LISTS, f"{name}.HeaderID", number))
    assert (found.requirement, found.path) == ("MQMQ-2.2.20.2-02", f"MultiQueueFormatHeader.{name}.HeaderID")


@pytest.mark.requirement("MQRR-2.2.5.4-03")
def test_padding_to_a_boundary_that_was_reached() -> None:
    header = mqrr.DeadLetterHeader(DeadLetterPathName="queue")
    assert (header.Padding, validate(header)) == (b"", ())
    longer = bend(bend(header, "Padding", header.Padding + bytes(4)), "HeaderSize", header.HeaderSize + 4)
    assert [item.requirement for item in validate(longer)] == ["MQRR-2.2.5.4-03"]


@pytest.mark.requirement("MQQB-2.2.4-05")
def test_a_queue_of_another_form_has_no_number() -> None:
    changes = {"UserHeader.DestinationQueue": mqmq.PublicQueueFormatName(G1)}
    for packet, requirement in ((ORDER_ACK, "MQQB-2.2.4-05"), (FINAL_ACK, "MQQB-2.2.5-06")):
        assert requirement not in {item.requirement for item in validate(bent(packet, changes))}
        wrong = bent(packet, {"UserHeader.DestinationQueue": mqmq.PrivateQueueFormatNameId(5)})
        assert requirement in {item.requirement for item in validate(wrong)}


def test_where_a_certificate_within_a_property_is_wrong() -> None:
    data = bytearray(CERTIFICATE.encode())
    data[-1] ^= 1  # the certificate no longer has its digest
    record = mqdsrp.DirectoryChange(
        GuidIdentifier=G1, PropertyID=(203,), PropertyValue=(PropertyValue(65, bytes(data)),)
    )
    known = next(known for known in PROPERTIES if known.kind is Form.MQUSERSIGNCERTS)
    record = bend(record, "PropertyID", (known.number,))
    found = validate(record)
    assert [item.path for item in found] == ["DirectoryChange.PropertyValue[0].Certificates[0].Digest"]
    assert record.encode()[found[0].offset :][:16] == CERTIFICATE.Certificates[0].Digest


def test_numbers_from_ten_on_are_printed_in_hexadecimal() -> None:
    for number, text in ((9, "is 9,"), (10, "is 0xa,")):
        (found,) = validate(bend(NOTIFICATION, "Version", number))[:1]
        assert text in found.message


@pytest.mark.requirement("MQMQ-2.2.1-05")
def test_the_shortest_key() -> None:
    for size, right in ((19, False), (20, True)):
        key = mqmq.MQDSPUBLICKEY(sProviderName="p", aBuf=KEY[:8] + bytes(size - 8))
        found = {item.requirement for item in validate(key)}
        assert ("MQMQ-2.2.1-05" not in found) == right


@pytest.mark.requirement("MQMQ-2.2.19.2-40")
@pytest.mark.parametrize("group", ["PA", "PR", "NA", "NR"])
def test_what_asks_for_acknowledgments(group: str) -> None:
    packet = bent(MESSAGE, {f"{_P}.Flags.{group}": 1})
    assert [item.requirement for item in validate(packet, "practice")] == ["MQMQ-2.2.19.2-40"]
    assert validate(packet, "should") == ()


@pytest.mark.requirement("MQDSRP-3.3.7.3-10")
def test_the_scope_of_a_bsc() -> None:
    for scope in (0, 1):
        found = validate(bend(SYNC, "Scope", scope), context=Context(role="BSC"))
        assert [item.requirement for item in found] == ["MQDSRP-3.3.7.3-10"] * scope


def test_a_text_in_small_letters() -> None:
    text = mqcn.NotificationBody.of(1, GUID(b"\xab" * 16), "server").Text
    for one in (text.upper(), text.lower()):
        assert validate(bend(BODY, "Text", one)) == ()


@pytest.mark.parametrize(
    ("packet", "requirement"), [(ORDER_ACK, "MQQB-2.2.4-03"), (FINAL_ACK, "MQQB-2.2.5-04")]
)
def test_which_flags_an_acknowledgment_may_have(packet: Any, requirement: str) -> None:
    word = int(packet.UserHeader.Flags)
    for bit in range(32):
        flags = mqmq.UserHeaderFlags(word | 1 << bit)
        found = {item.requirement for item in validate(bend(packet, "UserHeader.Flags", flags))}
        assert (requirement not in found) == (bit in {5, 6, 10, 11, 12, 21}), bit


def test_a_request_of_another_kind_is_not_answered() -> None:
    for packet, request in ((PING, ASKED), (ASKED, PING), (ORDER_BODY, PING)):
        found = {item.requirement for item in validate(packet, context=Context(request=request))}
        assert not {"MQQB-2.2.7-04", "MQQB-2.2.7-24", "MQQB-2.2.3.1-25", "MQQB-2.2.4.1-01"} & found


@pytest.mark.requirement("MQRR-2.2.5.3-06")
@pytest.mark.parametrize("at", [22, 24, 62])
def test_what_follows_a_long_name_of_a_subqueue(at: int) -> None:
    name = bytearray("ten_digits".encode("utf-16-le").ljust(64, b"\0"))
    assert validate(bend(SUBQUEUE, "SubqueueName", bytes(name))) == ()
    name[at] = 1
    assert len(validate(bend(SUBQUEUE, "SubqueueName", bytes(name)))) == 1


def test_a_sid_without_authorities_tells_its_type() -> None:
    sid = b"\1\0" + bytes(6)
    assert mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=sid)).Flags.ST == 1
    assert mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=sid[:7])).Flags.ST == 2


@pytest.mark.requirement("MQMQ-2.2.1-06")
def test_texts_that_may_be_empty_and_others() -> None:
    (found,) = validate(bend(bend(KEYS.aPublicKeys[0], "sProviderName", ""), "ulProviderLen", 0))
    assert (found.requirement, found.allowed) == (
        "MQMQ-2.2.1-06",
        "a text that ends at its only null character",
    )
    label = bend(MESSAGE.MessagePropertiesHeader, "Label", "label")
    (found,) = [item for item in validate(label) if item.requirement == "MQMQ-2.2.19.3-36"]
    assert found.allowed == "empty, or a text that ends at its only null character"


@pytest.mark.requirement("MQDSRP-2.2.5.2-05")
def test_where_the_name_of_the_psc_begins() -> None:
    header = REQUEST.ChangeRequestHeader
    for offset in range(8):
        found = {item.requirement for item in validate(bend(header, "PSCNameOffset", offset))}
        assert ("MQDSRP-2.2.5.2-05" not in found) == (offset == len(header.RequesterName) + 1)


@pytest.mark.requirement("MQMQ-2.2.19.3-31")
@pytest.mark.parametrize(("level", "ciphers"), [(0, "all"), (1, "RC"), (3, "RC"), (5, "AES")])
def test_which_ciphers_go_with_a_level(level: int, ciphers: str) -> None:
    header = bend(MESSAGE.MessagePropertiesHeader, "PrivacyLevel", level)
    for cipher in (0x6602, 0x6801, 0x660E, 0x660F, 0x6610):
        found = validate(bend(header, "EncryptionAlgorithm", cipher))
        fits = ciphers in {"all", "RC" if cipher in {0x6602, 0x6801} else "AES"}
        assert [item.requirement for item in found] == ([] if fits else ["MQMQ-2.2.19.3-31"])


@pytest.mark.parametrize(
    ("old", "new", "requirement"),
    [
        ("server", "ser\nver", "MQCN-2.2.5-08"),
        ("<Notification", "<Not\u0131fication", "MQCN-2.2.5-05"),  # which is an i, to Unicode
    ],
)
def test_texts_with_odd_characters(old: str, new: str, requirement: str) -> None:
    found = validate(bend(BODY, "Text", _TEXT.replace(old, new)))
    assert [item.requirement for item in found] == [requirement]


@pytest.mark.requirement("MQQB-2.4.2-02")
def test_within_the_key_of_a_message() -> None:
    key = bend(mqqb.SIMPLEBLOB(encryptedKey=bytes(64)), "reserved", 7).encode()
    header = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(EncryptionKey=key))
    assert [(item.requirement, item.path) for item in validate(header)] == [
        ("MQQB-2.4.2-02", "SecurityHeader.SecurityData.EncryptionKey.reserved")
    ]


@pytest.mark.requirement("MQRR-2.2.5.3-06")
def test_a_subqueue_whose_name_has_bytes_of_zero() -> None:
    name = "a\u0100b\0".encode("utf-16-le").ljust(64, b"\0")
    assert validate(bend(SUBQUEUE, "SubqueueName", name)) == ()


@pytest.mark.requirement("MQMQ-2.2.20.2-01")
@pytest.mark.parametrize("name", ["h", "ho", "hos", "host", "hosts"])
def test_lists_whose_size_leaves_out_the_padding(name: str) -> None:
    queue = mqmq.MQFDirectQueueFormatName(DirectFormatName=f"OS:{name}\\q")
    made = mqmq.MQFAddressHeader(HeaderID=100, FormatNameList=(mqmq.MQFFormatNameElement(3, b"", queue),))
    for size in {made.HeaderSize, len(made.encode()) - len(made.Padding)}:
        header = bend(made, "HeaderSize", size)
        assert validate(header) == ()
        assert mqmq.MQFAddressHeader.decode(header.encode()) == header


@pytest.mark.parametrize(
    ("first", "second", "requirements"),
    [
        (104, 202, ["MQCN-3.3.5.2-17", "MQCN-3.3.5.2-18"]),
        (219, 115, ["MQCN-3.3.5.2-19", "MQCN-3.3.5.2-20"]),
    ],
)
def test_the_first_property_tells_what_was_changed(first: int, second: int, requirements: list[str]) -> None:
    update = _update(1, {first: (17, 0), second: (72, G1)}, GuidIdentifier=G1)
    assert [item.requirement for item in validate(update)] == requirements


@pytest.mark.requirement("MQCN-3.3.5.2-26")
def test_values_of_a_deletion_are_judged_with_its_properties() -> None:
    values = (PropertyValue(17, 1), PropertyValue(17, 0))
    update = bend(DELETED, "PropertyValue", values)
    assert "MQCN-3.3.5.2-26" in {item.requirement for item in validate(update)}
    update = bend(update, "PropertyId", (1404, 1403))
    assert [item.requirement for item in validate(update)] == ["MQCN-3.3.5.2-22"]


@pytest.mark.requirement("MQQB-2.2.3.1-01")
@pytest.mark.parametrize(("asked", "right"), [(G1, True), (NULL_GUID, True), (G2, False)])
def test_whom_a_request_is_for(asked: GUID, right: bool) -> None:
    request = bend(ASKED, f"{_E}.ServerGuid", asked)
    assert (validate(request, context=Context(receiver=G1)) == ()) == right


def test_a_context_is_given_by_names() -> None:
    with pytest.raises(TypeError):
        Context(PING)  # type: ignore[call-arg]  # this is the mistake
