"""The layouts of all structures: the C texts and the relations of `definitions` as one model.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from msmq_wire.records.model import (
    Alignment,
    Bytes,
    Choice,
    Count,
    Extent,
    Field,
    Fill,
    Flags,
    Group,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Presence,
    Rival,
    Sequence,
    Structure,
    Text,
    Values,
    register,
    structures,
)

__all__ = [
    "MQDSPUBLICKEY",
    "MQDSPUBLICKEYS",
    "MQUSERSIGNCERT",
    "MQUSERSIGNCERTS",
    "MULTICAST_ID",
    "OBJECTID",
    "PARTITION_SEQ_NUMBERS",
    "PUBLICKEYBLOB",
    "SEQUENCE_INFO",
    "SIMPLEBLOB",
    "TA_ADDRESS",
    "ULARGE_INTEGER",
    "XACTUOW",
    "AlreadyPurgedMessage",
    "BSCAckMessage",
    "BaseHeader",
    "BaseReplicationHeader",
    "ChangeNotificationMessage",
    "ChangePropagationMessage",
    "ChangeReplyMessage",
    "ChangeRequestHeader",
    "ChangeRequestMessage",
    "CompoundMessageHeader",
    "ConnectionParameters",
    "ConnectionParametersHeader",
    "DeadLetterHeader",
    "DebugHeader",
    "DirectQueueFormatName",
    "DirectoryChange",
    "EstablishConnection",
    "EstablishConnectionHeader",
    "ExtendedAddressHeader",
    "ExtensionHeader",
    "FinalAck",
    "FinalAckBody",
    "IPXAddress",
    "InternalHeader",
    "MQFAddressHeader",
    "MQFDirectQueueFormatName",
    "MQFDistributionQueueFormatName",
    "MQFFormatNameElement",
    "MQFSignatureHeader",
    "MessageIdentifier",
    "MessagePacket",
    "MessagePropertiesHeader",
    "MultiQueueFormatHeader",
    "NotificationBody",
    "NotificationUpdate",
    "NotificationUpdates",
    "OrderAck",
    "OrderAckBody",
    "PSCAckMessage",
    "PingPacket",
    "PrivateQueueFormatName",
    "PrivateQueueFormatNameId",
    "ProviderInfo",
    "PublicQueueFormatName",
    "SRMPEnvelopeHeader",
    "SecurityData",
    "SecurityHeader",
    "SenderCertPublicKey",
    "SeqNumberHeader",
    "SessionAck",
    "SessionHeader",
    "SoapHeader",
    "SubqueueHeader",
    "SyncReplyHeader",
    "SyncReplyMessage",
    "SyncRequestMessage",
    "TransactionHeader",
    "TxSequenceID",
    "UserHeader",
    "UserHeaderAddress",
    "UserMessage",
    "structures",
]

MQDSPUBLICKEY = Structure(
    "MQDSPUBLICKEY",
    "[MS-MQMQ] 2.2.1",
    (
        Field("ulKeyLen", Integer("I", 4), "size of aBuf in bytes"),
        Field("ulProviderLen", Integer("I", 4), "size of sProviderName in bytes, terminator included"),
        Field("ulProviderType", Integer("I", 4, enumeration="PROVIDER_TYPE"), "provider type code"),
        Field(
            "sProviderName",
            Text(Count("ulProviderLen", per_unit=2)),
            "provider name, terminator included",
            limit="string_length",
        ),
        Field("aBuf", Bytes(Count("ulKeyLen")), "BLOBHEADER, RSAPUBKEY and modulus; see PUBLICKEYBLOB"),
    ),
    doc="A public key of a queue manager, with the provider that made it.",
)

MQDSPUBLICKEYS = Structure(
    "MQDSPUBLICKEYS",
    "[MS-MQMQ] 2.2.2",
    (
        Field("ulLen", Integer("I", 4), "size of the whole structure in bytes"),
        Field("cNumofKeys", Integer("I", 4), "count of keys"),
        Field("aPublicKeys", Items(MQDSPUBLICKEY, Count("cNumofKeys")), "the keys", limit="elements"),
    ),
    extent=Extent("ulLen", 1),
    doc="Several public keys of a queue manager, as the directory keeps them.",
)

TA_ADDRESS = Structure(
    "TA_ADDRESS",
    "[MS-MQMQ] 2.2.4",
    (
        Field("AddressLength", Integer("H", 2), "size of Address in bytes: 4 IP, 10 IPX, 16 foreign"),
        Field("AddressType", Integer("H", 2, enumeration="ADDRESS_TYPE"), "kind of address"),
        Field("Address", Bytes(Count("AddressLength")), "the address"),
    ),
    doc="A transport address of one kind.",
)

IPXAddress = Structure(
    "IPXAddress",
    "[MS-MQMQ] 2.2.4.2",
    (
        Field("Netnum", Bytes(4), "IPX network"),
        Field("nodenum", Bytes(6), "IPX node"),
    ),
    doc="An IPX address, the Address of a TA_ADDRESS of type IPX_ADDRESS_TYPE.",
)

SEQUENCE_INFO = Structure(
    "SEQUENCE_INFO",
    "[MS-MQMQ] 2.2.5.1",
    (
        Field("SeqID", Integer("q", 8), "identifier of the sequence"),
        Field("SeqNo", Integer("I", 4), "number of the message in the sequence"),
        Field("PrevNo", Integer("I", 4), "number of the message before it"),
    ),
    doc="The position of a message in its stream.",
)

OBJECTID = Structure(
    "OBJECTID",
    "[MS-MQMQ] 2.2.8",
    (
        Field("Lineage", Guid(), "the group, such as the queue manager that hosts a private queue"),
        Field("Uniquifier", Integer("I", 4), "number of the object within its group"),
    ),
    doc="A private queue, or another object within a group.",
)

MULTICAST_ID = Structure(
    "MULTICAST_ID",
    "[MS-MQMQ] 2.2.10",
    (
        Field("m_address", Integer("I", 4), "IPv4 address, its first octet in the least significant byte"),
        Field("m_port", Integer("I", 4), "port"),
    ),
    doc="A multicast address and its port.",
)

ULARGE_INTEGER = Structure(
    "ULARGE_INTEGER",
    "[MS-MQMQ] 2.2.17",
    (Field("QuadPart", Integer("Q", 8), "the number"),),
    doc="A number of 64 bits.",
)

TxSequenceID = Structure(
    "TxSequenceID",
    "[MS-MQMQ] 2.2.18.1.2",
    (
        Field("Ordinal", Integer("I", 4), "low-order half of the 64-bit value"),
        Field("TimeStamp", Integer("I", 4), "high-order half of the 64-bit value"),
    ),
    doc="Identifier of a sequence of transactional messages.",
)

MessageIdentifier = Structure(
    "MessageIdentifier",
    "[MS-MQMQ] 2.2.18.1.3",
    (
        Field("QueueManagerGuid", Guid(), "queue manager that sent the message"),
        Field("Ordinal", Integer("I", 4), "number of the message, unique within its queue manager"),
    ),
    doc="Identifier of a message among all messages of all queue managers.",
)

MQFDirectQueueFormatName = Structure(
    "MQFDirectQueueFormatName",
    "[MS-MQMQ] 2.2.18.1.4.1",
    (
        Field(
            "DirectFormatName",
            Text("NUL"),
            'direct format name without "DIRECT=", terminator not included',
            limit="string_length",
        ),
    ),
    doc="A direct format name in a list of names.",
)

MQFDistributionQueueFormatName = Structure(
    "MQFDistributionQueueFormatName",
    "[MS-MQMQ] 2.2.18.1.4.2",
    (Field("DistributionListIdentifier", Guid(), "distribution list in the directory"),),
    doc="A distribution list in a list of names.",
)

PrivateQueueFormatNameId = Structure(
    "PrivateQueueFormatNameId",
    "[MS-MQMQ] 2.2.18.1.5.1",
    (Field("PrivateQueueIdentifier", Integer("I", 4), "number of the private queue on its host"),),
    doc="A private queue whose host is stated elsewhere.",
)

DirectQueueFormatName = Structure(
    "DirectQueueFormatName",
    "[MS-MQMQ] 2.2.18.1.5.2",
    (
        Field(
            "Count", Integer("H", 2), "size of DirectFormatName in bytes, terminator included, padding not"
        ),
        Field(
            "DirectFormatName",
            Text(Count("Count", per_unit=2)),
            'direct format name without "DIRECT=", terminator included',
            limit="string_length",
        ),
        Field(
            "Padding",
            Bytes(
                Fill(
                    4,
                    (
                        (
                            "Count",
                            1,
                        ),
                    ),
                    more=2,
                )
            ),
            "to a 4-byte boundary of the header; any value",
            is_filler=True,
        ),
    ),
    doc="A direct format name in a UserHeader.",
)

PublicQueueFormatName = Structure(
    "PublicQueueFormatName",
    "[MS-MQMQ] 2.2.18.1.7.1",
    (Field("PublicQueueIdentifier", Guid(), "the public queue in the directory"),),
    doc="A public queue.",
)

PrivateQueueFormatName = Structure(
    "PrivateQueueFormatName",
    "[MS-MQMQ] 2.2.18.1.7.2",
    (
        Field("SourceQueueManager", Guid(), "queue manager that hosts the queue"),
        Field("PrivateQueueIdentifier", Integer("I", 4), "number of the private queue on that host"),
    ),
    doc="A private queue and its host.",
)

MQFFormatNameElement = Structure(
    "MQFFormatNameElement",
    "[MS-MQMQ] 2.2.18.1.4",
    (
        Field("FormatType", Integer("H", 2, enumeration="QUEUE_FORMAT_TYPE"), "form of FormatName"),
        Field(
            "Padding",
            Padding(
                Alignment(
                    "MQFAddressHeader",
                    4,
                    selector="FormatType",
                    boundaries=(
                        (
                            3,
                            2,
                        ),
                    ),
                    packed=(1,),
                )
            ),
            "to the boundary that the form asks for; any value",
            is_filler=True,
        ),
        Field(
            "FormatName",
            Choice(
                "FormatType",
                {
                    0x1: PublicQueueFormatName,
                    0x2: PrivateQueueFormatName,
                    0x3: MQFDirectQueueFormatName,
                    0x6: MQFDistributionQueueFormatName,
                },
            ),
            "the queue's name in the form that FormatType selects",
        ),
    ),
    doc="One element of a list of names, in one of four forms.",
)

XACTUOW = Structure(
    "XACTUOW",
    "[MS-MQMQ] 2.2.18.1.8",
    (Field("rgb", Bytes(16), "identifier of a transactional unit of work"),),
    doc="Identifier of a transactional unit of work.",
)

BaseHeader = Structure(
    "BaseHeader",
    "[MS-MQMQ] 2.2.19.1",
    (
        Field("VersionNumber", Integer("B", 1), "version of the packet format, 0x10"),
        Field("Reserved", Integer("B", 1), "any value", is_filler=True),
        Field(
            "Flags",
            Flags(
                "BaseHeaderFlags",
                "H",
                2,
                (
                    Group("PR", 0, 3, "priority, 0 to 7, 7 the highest; 0 for a transactional message"),
                    Group("IN", 3, 1, "internal packet: connection establishment or session acknowledgment"),
                    Group("SH", 4, 1, "a SessionHeader is present"),
                    Group("DH", 5, 1, "a DebugHeader is present"),
                    Group("X9", 6, 1, "reserved"),
                    Group("X8", 7, 1, "reserved"),
                    Group("TR", 8, 1, "tracing of this message is enabled"),
                    Group("X6", 9, 1, "reserved"),
                    Group("X5", 10, 1, "reserved"),
                    Group("X4", 11, 1, "reserved"),
                    Group("X3", 12, 1, "reserved"),
                    Group("X2", 13, 1, "reserved"),
                    Group("X1", 14, 1, "reserved"),
                    Group("X0", 15, 1, "reserved"),
                ),
            ),
            "options of the packet",
        ),
        Field("Signature", Integer("I", 4), "0x524F494C"),
        Field(
            "PacketSize",
            Integer("I", 4),
            "size of the packet in bytes, at most 0x00400000; without a SessionHeader that follows a UserMessage",
        ),
        Field(
            "TimeToReachQueue",
            Integer("I", 4),
            "time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite",
        ),
    ),
    doc="The first header of every packet, with its version, flags and size.",
)

UserHeader = Structure(
    "UserHeader",
    "[MS-MQMQ] 2.2.19.2",
    (
        Field("SourceQueueManager", Guid(), "queue manager of the original sender"),
        Field("QueueManagerAddress", Guid(), "destination queue manager; null for a direct format name"),
        Field("TimeToBeReceived", Integer("I", 4), "seconds until the message expires; 0xFFFFFFFF: never"),
        Field("SentTime", Integer("I", 4), "when the packet was sent, seconds since 1970-01-01 UTC"),
        Field("MessageID", Integer("I", 4), "number of the message, unique within its sender"),
        Field(
            "Flags",
            Flags(
                "UserHeaderFlags",
                "I",
                4,
                (
                    Group("RC", 0, 5, "routing servers passed, 0x00 to 0x1D"),
                    Group("DM", 5, 2, "delivery mode"),
                    Group("X1", 7, 1, "reserved"),
                    Group("JN", 8, 1, "negative source journaling"),
                    Group("JP", 9, 1, "positive source journaling"),
                    Group("DQ", 10, 3, "form of DestinationQueue"),
                    Group("AQ", 13, 3, "form of AdminQueue"),
                    Group("RQ", 16, 3, "form of ResponseQueue"),
                    Group("SH", 19, 1, "a SecurityHeader is present"),
                    Group("TH", 20, 1, "a TransactionHeader is present"),
                    Group("MP", 21, 1, "a MessagePropertiesHeader is present, always"),
                    Group("CQ", 22, 1, "ConnectorType is present"),
                    Group("MQ", 23, 1, "a MultiQueueFormatHeader is present"),
                    Group("X2", 24, 1, "reserved"),
                    Group("AH", 25, 1, "the message was sent over HTTP; the SRMP headers are present"),
                    Group("X3", 26, 2, "reserved"),
                    Group("HH", 28, 1, "a SoapHeader is present"),
                    Group("X4", 29, 3, "reserved"),
                ),
            ),
            "options of the message",
        ),
        Field(
            "DestinationQueue",
            Choice(
                "Flags.DQ",
                {
                    0x0: None,
                    0x3: PrivateQueueFormatNameId,
                    0x5: PublicQueueFormatName,
                    0x7: DirectQueueFormatName,
                },
            ),
            "final destination, in the form that Flags.DQ selects",
        ),
        Field(
            "AdminQueue",
            Choice(
                "Flags.AQ",
                {
                    0x0: None,
                    0x2: PrivateQueueFormatNameId,
                    0x3: PrivateQueueFormatNameId,
                    0x5: PublicQueueFormatName,
                    0x6: PrivateQueueFormatName,
                    0x7: DirectQueueFormatName,
                },
            ),
            "queue for administration acknowledgments, in the form that Flags.AQ selects",
        ),
        Field(
            "ResponseQueue",
            Choice(
                "Flags.RQ",
                {
                    0x0: None,
                    0x1: None,
                    0x2: PrivateQueueFormatNameId,
                    0x3: PrivateQueueFormatNameId,
                    0x4: PrivateQueueFormatNameId,
                    0x5: PublicQueueFormatName,
                    0x6: PrivateQueueFormatName,
                    0x7: DirectQueueFormatName,
                },
            ),
            "queue for replies, in the form that Flags.RQ selects",
        ),
        Field(
            "ConnectorType",
            Guid(),
            "defined by the application; present if Flags.CQ is set",
            present=Presence(("Flags.CQ",)),
        ),
    ),
    doc="The sender and the queues of a message, and the headers that follow.",
)

MessagePropertiesHeader = Structure(
    "MessagePropertiesHeader",
    "[MS-MQMQ] 2.2.19.3",
    (
        Field(
            "Flags",
            Flags(
                "MessagePropertiesHeaderFlags",
                "B",
                1,
                (
                    Group("PA", 0, 1, "acknowledge delivery"),
                    Group("PR", 1, 1, "acknowledge retrieval"),
                    Group("NA", 2, 1, "acknowledge failure of delivery"),
                    Group("NR", 3, 1, "acknowledge failure of retrieval"),
                    Group("X", 4, 4, "unused"),
                ),
            ),
            "administration acknowledgments asked for",
        ),
        Field("LabelLength", Integer("B", 1), "WCHARs in Label, terminator included, at most 0xFA"),
        Field("MessageClass", Integer("H", 2, enumeration="MESSAGE_CLASS_VALUES"), "type of the message"),
        Field(
            "CorrelationID",
            Bytes(20),
            "application's data; in an acknowledgment the MessageIdentifier of the message acknowledged",
        ),
        Field("BodyType", Integer("I", 4), "variant type of the body"),
        Field("ApplicationTag", Integer("I", 4), "application's number"),
        Field("MessageSize", Integer("I", 4), "size of MessageBody in bytes"),
        Field("AllocationBodySize", Integer("I", 4), "bytes allocated for MessageBody, at least MessageSize"),
        Field("PrivacyLevel", Integer("I", 4), "encryption of the body"),
        Field("HashAlgorithm", Integer("I", 4, enumeration="ALG_ID"), "hash that the signature uses"),
        Field("EncryptionAlgorithm", Integer("I", 4, enumeration="ALG_ID"), "cipher of the body"),
        Field("ExtensionSize", Integer("I", 4), "size of ExtensionData in bytes"),
        Field(
            "Label",
            Text(Count("LabelLength")),
            "application's description, terminator included",
            limit="string_length",
        ),
        Field("ExtensionData", Bytes(Count("ExtensionSize")), "application's additional data"),
        Field("MessageBody", Bytes(Count("MessageSize")), "the message itself"),
        Field(
            "Padding",
            Bytes(
                Fill(
                    4,
                    (
                        (
                            "LabelLength",
                            2,
                        ),
                        (
                            "ExtensionSize",
                            1,
                        ),
                        (
                            "MessageSize",
                            1,
                        ),
                    ),
                )
            ),
            "to a multiple of 4 bytes; any value",
            is_filler=True,
        ),
    ),
    doc="A message's class, label and body.",
)

MQFAddressHeader = Structure(
    "MQFAddressHeader",
    "[MS-MQMQ] 2.2.20.2",
    (
        Field("HeaderSize", Integer("I", 4), "size of this header in bytes, variable data included"),
        Field("HeaderID", Integer("H", 2), "which list this is"),
        Field("Reserved", Integer("H", 2), "zero when sent", is_filler=True),
        Field("ElementCount", Integer("I", 4), "count of names"),
        Field(
            "FormatNameList", Items(MQFFormatNameElement, Count("ElementCount")), "the names", limit="queues"
        ),
        Field("Padding", Bytes("EOF"), "to a 4-byte boundary; any value", is_filler=True),
    ),
    extent=Extent("HeaderSize", 4),
    doc="A list of queue names.",
)

MQFSignatureHeader = Structure(
    "MQFSignatureHeader",
    "[MS-MQMQ] 2.2.20.3",
    (
        Field("ID", Integer("H", 2), "0x015E"),
        Field("Reserved", Integer("H", 2), "zero when sent", is_filler=True),
        Field("Size", Integer("I", 4), "size of Signature in bytes"),
        Field("Signature", Bytes(Count("Size")), "the signature"),
    ),
    doc="The signature of a MultiQueueFormatHeader.",
)

MultiQueueFormatHeader = Structure(
    "MultiQueueFormatHeader",
    "[MS-MQMQ] 2.2.20.1",
    (
        Field("Destination", Nested(MQFAddressHeader), "every queue that was sent a copy"),
        Field("Administration", Nested(MQFAddressHeader), "administration queues"),
        Field("Response", Nested(MQFAddressHeader), "response queues"),
        Field("Signature", Nested(MQFSignatureHeader), "signature of the packet"),
        Field(
            "Padding",
            Padding(Alignment("MultiQueueFormatHeader", 4, cut_short=True)),
            "to a 4-byte boundary of the packet; any value",
            is_filler=True,
        ),
    ),
    doc="All destinations of a message that was sent to several queues.",
)

SessionHeader = Structure(
    "SessionHeader",
    "[MS-MQMQ] 2.2.20.4",
    (
        Field("AckSequenceNumber", Integer("H", 2), "UserMessage packets received on this session"),
        Field(
            "RecoverableMsgAckSeqNumber",
            Integer("H", 2),
            "lowest persisted recoverable message not yet acknowledged; 0: none",
        ),
        Field(
            "RecoverableMsgAckFlags",
            Integer("I", 4),
            "bit k: recoverable message RecoverableMsgAckSeqNumber + k is on disk",
        ),
        Field("UserMsgSequenceNumber", Integer("H", 2), "UserMessage packets sent on this session"),
        Field(
            "RecoverableMsgSeqNumber", Integer("H", 2), "recoverable UserMessage packets sent on this session"
        ),
        Field("WindowSize", Integer("H", 2), "acknowledgment window in packets, 1 to 0xFFFF"),
        Field("Reserved", Integer("H", 2), "any value", is_filler=True),
    ),
    doc="Acknowledgments of the messages received on a session, and its window.",
)

TransactionHeader = Structure(
    "TransactionHeader",
    "[MS-MQMQ] 2.2.20.5",
    (
        Field(
            "Flags",
            Flags(
                "TransactionHeaderFlags",
                "I",
                4,
                (
                    Group("CG", 0, 1, "ConnectorQMGuid is present"),
                    Group("FA", 1, 1, "a FinalAck packet is required"),
                    Group("FM", 2, 1, "first message of its transaction"),
                    Group("LM", 3, 1, "last message of its transaction"),
                    Group("ID", 4, 20, "identifier that correlates the packets of one transaction"),
                    Group("X1", 24, 1, "unused"),
                    Group("X2", 25, 1, "unused"),
                    Group("X3", 26, 1, "unused"),
                    Group("X4", 27, 1, "unused"),
                    Group("X5", 28, 1, "unused"),
                    Group("X6", 29, 1, "unused"),
                    Group("X7", 30, 1, "unused"),
                    Group("X8", 31, 1, "unused"),
                ),
            ),
            "options of the transaction",
        ),
        Field("TxSequenceID", Nested(TxSequenceID), "the sequence that both numbers belong to"),
        Field("TxSequenceNumber", Integer("I", 4), "position of the message in the sequence, from 1"),
        Field("PreviousTxSequenceNumber", Integer("I", 4), "position of the previous message; 0: none"),
        Field(
            "ConnectorQMGuid",
            Guid(),
            "connector queue manager; present if Flags.CG is set",
            present=Presence(("Flags.CG",)),
        ),
    ),
    doc="The position of a message in its transactional sequence.",
)

SecurityData = Structure(
    "SecurityData",
    "[MS-MQMQ] 2.2.20.6",
    (
        Field("SecurityID", Bytes(Count("SenderIdSize")), "SID of the sender, or GUID of its queue manager"),
        Field(
            "SecurityIDPadding",
            Bytes(
                Fill(
                    4,
                    (
                        (
                            "SenderIdSize",
                            1,
                        ),
                    ),
                )
            ),
            "to a 4-byte boundary; the name is ours",
            is_filler=True,
        ),
        Field("EncryptionKey", Bytes(Count("EncryptionKeySize")), "session key, see SIMPLEBLOB"),
        Field(
            "EncryptionKeyPadding",
            Bytes(
                Fill(
                    4,
                    (
                        (
                            "EncryptionKeySize",
                            1,
                        ),
                    ),
                )
            ),
            "to a 4-byte boundary; the name is ours",
            is_filler=True,
        ),
        Field("Signature", Bytes(Count("SignatureSize")), "digital signature of the packet"),
        Field(
            "SignaturePadding",
            Bytes(
                Fill(
                    4,
                    (
                        (
                            "SignatureSize",
                            1,
                        ),
                    ),
                )
            ),
            "to a 4-byte boundary; the name is ours",
            is_filler=True,
        ),
        Field("SenderCert", Bytes(Count("SenderCertSize")), "X.509 certificate of the sender"),
        Field(
            "SenderCertPadding",
            Bytes(
                Fill(
                    4,
                    (
                        (
                            "SenderCertSize",
                            1,
                        ),
                    ),
                )
            ),
            "to a 4-byte boundary; the name is ours",
            is_filler=True,
        ),
        Field("ProviderInfo", Bytes(Count("ProviderInfoSize")), "alternative provider, see ProviderInfo"),
        Field(
            "ProviderInfoPadding",
            Bytes(
                Fill(
                    4,
                    (
                        (
                            "ProviderInfoSize",
                            1,
                        ),
                    ),
                )
            ),
            "to a 4-byte boundary; the name is ours",
            is_filler=True,
        ),
    ),
    scoped=True,
    doc="the five parts; absent when all five sizes are zero",
)

SecurityHeader = Structure(
    "SecurityHeader",
    "[MS-MQMQ] 2.2.20.6",
    (
        Field(
            "Flags",
            Flags(
                "SecurityHeaderFlags",
                "H",
                2,
                (
                    Group("ST", 0, 4, "type of SecurityData.SecurityID"),
                    Group("AU", 4, 1, "message is authenticated, zero when sent"),
                    Group("EB", 5, 1, "body is encrypted"),
                    Group("DE", 6, 1, "default cryptographic provider"),
                    Group("AI", 7, 1, "SecurityData is present"),
                    Group("AS", 8, 4, "authentication signature type, zero when sent"),
                    Group("X12", 12, 1, "unused"),
                    Group("X13", 13, 1, "unused"),
                    Group("X14", 14, 1, "unused"),
                    Group("X15", 15, 1, "unused"),
                ),
            ),
            "options of the security information",
        ),
        Field("SenderIdSize", Integer("H", 2), "size of SecurityData.SecurityID in bytes"),
        Field("EncryptionKeySize", Integer("H", 2), "size of SecurityData.EncryptionKey in bytes"),
        Field("SignatureSize", Integer("H", 2), "size of SecurityData.Signature in bytes"),
        Field("SenderCertSize", Integer("I", 4), "size of SecurityData.SenderCert in bytes, at most 0xFFFF"),
        Field("ProviderInfoSize", Integer("I", 4), "size of SecurityData.ProviderInfo in bytes"),
        Field(
            "SecurityData",
            Nested(SecurityData),
            "the five parts; absent when all five sizes are zero",
            present=Presence(
                (
                    "SenderIdSize",
                    "EncryptionKeySize",
                    "SignatureSize",
                    "SenderCertSize",
                    "ProviderInfoSize",
                )
            ),
        ),
    ),
    doc="Sender's identity, keys, signature and certificate.",
)

ProviderInfo = Structure(
    "ProviderInfo",
    "[MS-MQMQ] 2.2.20.6",
    (
        Field("ProviderType", Integer("I", 4), "type of the provider that made the signature"),
        Field("ProviderName", Text("NUL"), "its name, terminator not included", limit="string_length"),
    ),
    doc="The cryptographic provider that made a signature, from `SecurityData.ProviderInfo`.",
)

SenderCertPublicKey = Structure(
    "SenderCertPublicKey",
    "[MS-MQMQ] 2.2.20.6",
    (
        Field(
            "bType", Integer("B", 1), "0x06, a public key; the page prints values only, so this name is ours"
        ),
        Field("bVersion", Integer("B", 1), "0x02; the name is ours"),
        Field("reserved", Integer("H", 2), "zero; the name is ours", is_filler=True),
        Field("KeyType", Integer("I", 4, enumeration="ALG_ID"), "the purpose of the key"),
        Field("magic", Bytes(4), '"RSA1"; the name is ours'),
        Field("LengthInBits", Integer("I", 4), "length of Modulus in bits"),
        Field("PublicExponent", Integer("I", 4), "e of the key pair"),
        Field("Modulus", Bytes("EOF"), "n of the key pair, little-endian, filled up with zeros"),
    ),
    doc="The public key in a sender's certificate.",
)

SoapHeader = Structure(
    "SoapHeader",
    "[MS-MQMQ] 2.2.20.7",
    (
        Field("HeaderSectionID", Integer("H", 2), "0x0320"),
        Field("Reserved", Integer("H", 2), "zero when sent", is_filler=True),
        Field("HeaderDataLength", Integer("I", 4), "WCHARs in Header, terminator included"),
        Field(
            "Header",
            Text(Count("HeaderDataLength")),
            "application's text, terminator included",
            limit="string_length",
        ),
        Field(
            "HeaderPadding",
            Padding(
                Alignment(
                    "SoapHeader",
                    4,
                    before=(
                        "BodySectionID",
                        900,
                    ),
                )
            ),
            "to a 4-byte boundary if BodySectionID is aligned, otherwise absent; any value",
            is_filler=True,
        ),
        Field("BodySectionID", Integer("H", 2), "0x0384"),
        Field("Reserved1", Integer("H", 2), "zero when sent", is_filler=True),
        Field("BodyDataLength", Integer("I", 4), "WCHARs in Body, terminator included"),
        Field(
            "Body",
            Text(Count("BodyDataLength")),
            "application's text, terminator included",
            limit="string_length",
        ),
        Field(
            "Padding",
            Padding(Alignment("SoapHeader", 4, cut_short=True)),
            "to a 4-byte boundary of the packet; any value",
            is_filler=True,
        ),
    ),
    doc="Two texts of the application.",
)

DebugHeader = Structure(
    "DebugHeader",
    "[MS-MQMQ] 2.2.20.8",
    (
        Field(
            "Flags",
            Flags(
                "DebugHeaderFlags",
                "H",
                2,
                (
                    Group("QT", 0, 2, "form of the trace queue"),
                    Group("X2", 2, 1, "unused"),
                    Group("X3", 3, 1, "unused"),
                    Group("X4", 4, 1, "unused"),
                    Group("X5", 5, 1, "unused"),
                    Group("X6", 6, 1, "unused"),
                    Group("X7", 7, 1, "unused"),
                    Group("X8", 8, 1, "unused"),
                    Group("X9", 9, 1, "unused"),
                    Group("X10", 10, 1, "unused"),
                    Group("X11", 11, 1, "unused"),
                    Group("X12", 12, 1, "unused"),
                    Group("X13", 13, 1, "unused"),
                    Group("X14", 14, 1, "unused"),
                    Group("X15", 15, 1, "unused"),
                ),
            ),
            "options of tracing",
        ),
        Field("Reserved", Integer("H", 2), "zero when sent", is_filler=True),
        Field(
            "QueueIdentifier",
            Guid(),
            "queue that receives trace messages; present if Flags.QT is 1",
            present=Presence(("Flags.QT",), value=1),
        ),
    ),
    doc="The queue that receives trace messages.",
)

MQUSERSIGNCERT = Structure(
    "MQUSERSIGNCERT",
    "[MS-MQMQ] 2.2.22",
    (
        Field("Digest", Bytes(16), "MD5 of Certificate"),
        Field("Identifier", Guid(), "identifier of the certificate"),
        Field("CertificateLength", Integer("I", 4), "size of Certificate in bytes"),
        Field("Certificate", Bytes(Count("CertificateLength")), "X.509 certificate"),
    ),
    doc="A user's certificate with its digest and identifier.",
)

MQUSERSIGNCERTS = Structure(
    "MQUSERSIGNCERTS",
    "[MS-MQMQ] 2.2.21",
    (
        Field("CertificateCount", Integer("I", 4), "count of certificates"),
        Field(
            "Certificates",
            Items(MQUSERSIGNCERT, Count("CertificateCount")),
            "the certificates",
            limit="elements",
        ),
    ),
    doc="All certificates of a user, as the directory keeps them.",
)

SRMPEnvelopeHeader = Structure(
    "SRMPEnvelopeHeader",
    "[MS-MQRR] 2.2.5.1.2.1",
    (
        Field("HeaderId", Integer("H", 2), "number of the header"),
        Field("Reserved", Integer("H", 2), "any value", is_filler=True),
        Field("DataLength", Integer("I", 4), "WCHARs in Data, terminator included"),
        Field(
            "Data",
            Text(Count("DataLength")),
            "SOAP envelope of the message, terminator included",
            limit="string_length",
        ),
        Field(
            "Padding",
            Bytes(
                Fill(
                    4,
                    (
                        (
                            "DataLength",
                            2,
                        ),
                    ),
                )
            ),
            "to a 4-byte boundary; any value",
            is_filler=True,
        ),
    ),
    doc="The SOAP envelope of a message that was sent over HTTP.",
)

CompoundMessageHeader = Structure(
    "CompoundMessageHeader",
    "[MS-MQRR] 2.2.5.1.2.2",
    (
        Field("HeaderId", Integer("H", 2), "number of the header, 500 in packets seen"),
        Field("Reserved", Integer("H", 2), "any value", is_filler=True),
        Field("HTTPBodySize", Integer("I", 4), "size of Data in bytes"),
        Field("MsgBodySize", Integer("I", 4), "size of the message body within Data in bytes"),
        Field("MsgBodyOffset", Integer("I", 4), "where the message body starts within Data"),
        Field("Data", Bytes(Count("HTTPBodySize")), "the HTTP POST that carried the message"),
        Field(
            "Padding",
            Bytes(
                Fill(
                    4,
                    (
                        (
                            "HTTPBodySize",
                            1,
                        ),
                    ),
                )
            ),
            "to a 4-byte boundary; any value",
            is_filler=True,
        ),
    ),
    doc="The HTTP request of a message that was sent over HTTP, with the position of its body.",
)

ExtensionHeader = Structure(
    "ExtensionHeader",
    "[MS-MQRR] 2.2.5.2",
    (
        Field("HeaderSize", Integer("I", 4), "size of this header in bytes"),
        Field(
            "RemainingHeadersSize", Integer("I", 4), "sum of the sizes of the headers that follow, in bytes"
        ),
        Field(
            "Flags",
            Flags(
                "ExtensionHeaderFlags",
                "B",
                1,
                (
                    Group("DL", 0, 1, "a DeadLetterHeader is present"),
                    Group("SQ", 1, 1, "a SubqueueHeader is present"),
                    Group("X2", 2, 1, "unused"),
                    Group("DI", 3, 1, "the dead-letter queue is invalid"),
                    Group("EA", 4, 1, "an ExtendedAddressHeader is present"),
                    Group("X5", 5, 1, "unused"),
                    Group("X6", 6, 1, "unused"),
                    Group("X7", 7, 1, "unused"),
                ),
            ),
            "which headers follow",
        ),
        Field("Reserved", Bytes(3), "any value", is_filler=True),
    ),
    doc="Announces the further headers after a message.",
)

SubqueueHeader = Structure(
    "SubqueueHeader",
    "[MS-MQRR] 2.2.5.3",
    (
        Field("HeaderSize", Integer("I", 4), "size of this header in bytes, 148"),
        Field(
            "Flags",
            Flags(
                "SubqueueHeaderFlags",
                "I",
                4,
                (
                    Group("TM", 0, 1, "zero"),
                    Group(
                        "AcknowledgementClass",
                        1,
                        16,
                        "acknowledgment class of the message, see MESSAGE_CLASS_VALUES",
                    ),
                    Group("Reserved", 17, 15, "any value"),
                ),
            ),
            "the page gives the three parts no common name; this one is ours",
        ),
        Field("AbortCounter", Integer("I", 4), "failed attempts in a row to read or move the message"),
        Field("MoveCounter", Integer("I", 4), "how often the message was moved"),
        Field("LastMoveTime", Integer("I", 4), "local time of the last move; 0: never moved"),
        Field("SubqueueName", Bytes(64), "subqueue of the message: 32 WCHARs, filled up with zeros"),
        Field(
            "TargetSubqueueName",
            Bytes(64),
            "subqueue that a pending move goes to: 32 WCHARs, filled up with zeros",
        ),
    ),
    doc="The subqueue of a message and its moves.",
)

DeadLetterHeader = Structure(
    "DeadLetterHeader",
    "[MS-MQRR] 2.2.5.4",
    (
        Field("HeaderSize", Integer("I", 4), "size of this header in bytes, padding included"),
        Field(
            "DeadLetterPathName",
            Text("NUL"),
            "application's dead-letter queue, terminator not included",
            limit="string_length",
        ),
        Field("Padding", Bytes("EOF"), "to a 4-byte boundary, zeros", is_filler=True),
    ),
    extent=Extent("HeaderSize", 1),
    doc="The dead-letter queue that the application requested.",
)

ExtendedAddressHeader = Structure(
    "ExtendedAddressHeader",
    "[MS-MQRR] 2.2.5.5",
    (
        Field("HeaderSize", Integer("I", 4), "size of this header in bytes, 28"),
        Field("AddressLength", Integer("H", 2), "length of the address in Address, in bytes"),
        Field(
            "AddressType",
            Integer("H", 2, enumeration="ADDRESS_TYPE"),
            "kind of address; 0: ignore this header",
        ),
        Field("AddressScope", Integer("I", 4), "scope of an IPv6 address, otherwise 0"),
        Field("Address", Bytes(16), "host that sent the message"),
    ),
    doc="The address of the host that sent a message.",
)

UserHeaderAddress = Structure(
    "UserHeaderAddress",
    "[MS-MQRR] 2.2.5.1",
    (
        Field(
            "AddressLength",
            Integer("H", 2),
            "length of the address in bytes, even if Address has only its beginning",
        ),
        Field("AddressType", Integer("H", 2, enumeration="ADDRESS_TYPE"), "kind of address"),
        Field("AddressScope", Integer("I", 4), "scope of an IPv6 address, otherwise 0"),
        Field("Address", Bytes(8), "as much of the address as fits"),
    ),
    doc="The value of `UserHeader.QueueManagerAddress` in a remote read: the address of the sending host.",
)

UserMessage = Structure(
    "UserMessage",
    "[MS-MQMQ] 2.2.20",
    (
        Field("BaseHeader", Nested(BaseHeader), "kind, size and lifetime of the packet"),
        Field("UserHeader", Nested(UserHeader), "sender, queues and options"),
        Field(
            "TransactionHeader",
            Nested(TransactionHeader),
            "place in a transactional sequence; present if UserHeader.Flags.TH is set",
            present=Presence(("UserHeader.Flags.TH",)),
        ),
        Field(
            "SecurityHeader",
            Nested(SecurityHeader),
            "sender, signature and keys; present if UserHeader.Flags.SH is set",
            present=Presence(("UserHeader.Flags.SH",)),
        ),
        Field(
            "MessagePropertiesHeader",
            Nested(MessagePropertiesHeader),
            "label, class and body; present if UserHeader.Flags.MP is set",
        ),
        Field(
            "DebugHeader",
            Nested(DebugHeader),
            "trace queue; present if BaseHeader.Flags.DH is set",
            present=Presence(("BaseHeader.Flags.DH",)),
        ),
        Field(
            "SRMPEnvelopeHeader",
            Nested(SRMPEnvelopeHeader),
            "SOAP envelope; present if UserHeader.Flags.AH is set",
            present=Presence(("UserHeader.Flags.AH",)),
        ),
        Field(
            "CompoundMessageHeader",
            Nested(CompoundMessageHeader),
            "HTTP message; present if UserHeader.Flags.AH is set",
            present=Presence(("UserHeader.Flags.AH",)),
        ),
        Field(
            "SoapHeader",
            Nested(SoapHeader),
            "application's SOAP texts; present if UserHeader.Flags.HH is set",
            present=Presence(("UserHeader.Flags.HH",)),
        ),
        Field(
            "MultiQueueFormatHeader",
            Nested(MultiQueueFormatHeader),
            "all destinations; present if UserHeader.Flags.MQ is set",
            present=Presence(("UserHeader.Flags.MQ",)),
        ),
        Field(
            "ExtensionHeader",
            Nested(ExtensionHeader),
            "announces the next three; present if bytes remain within PacketSize",
            present=Presence(()),
        ),
        Field(
            "SubqueueHeader",
            Nested(SubqueueHeader),
            "subqueue; present if ExtensionHeader.Flags.SQ is set",
            present=Presence(("ExtensionHeader.Flags.SQ",)),
        ),
        Field(
            "DeadLetterHeader",
            Nested(DeadLetterHeader),
            "dead-letter queue; present if ExtensionHeader.Flags.DL is set",
            present=Presence(("ExtensionHeader.Flags.DL",)),
        ),
        Field(
            "ExtendedAddressHeader",
            Nested(ExtendedAddressHeader),
            "sender's address; present if ExtensionHeader.Flags.EA is set",
            present=Presence(("ExtensionHeader.Flags.EA",)),
        ),
        Field(
            "SessionHeader",
            Nested(SessionHeader),
            "acknowledgment after the message, not counted in PacketSize; present if BaseHeader.Flags.SH is set",
            present=Presence(("BaseHeader.Flags.SH",)),
            outside=True,
            rival=Rival("ExtensionHeader", 12, 0, 4, 16),
        ),
    ),
    extent=Extent("BaseHeader.PacketSize", 1),
    doc="A message: a packet of the binary protocol, or a message that was sent over HTTP ([MS-MQRR] 2.2.5.1).",
)

MessagePacket = Structure(
    "MessagePacket",
    "[MS-MQRR] 2.2.5",
    (
        Field("UserMessage", Nested(UserMessage), "the message"),
        Field(
            "ExtensionHeader",
            Nested(ExtensionHeader),
            "announces the next three; absent in packets of Windows Server 2003",
            present=Presence(()),
        ),
        Field(
            "SubqueueHeader",
            Nested(SubqueueHeader),
            "subqueue; present if ExtensionHeader.Flags.SQ is set",
            present=Presence(("ExtensionHeader.Flags.SQ",)),
        ),
        Field(
            "DeadLetterHeader",
            Nested(DeadLetterHeader),
            "dead-letter queue; present if ExtensionHeader.Flags.DL is set",
            present=Presence(("ExtensionHeader.Flags.DL",)),
        ),
        Field(
            "ExtendedAddressHeader",
            Nested(ExtendedAddressHeader),
            "sender's address; present if ExtensionHeader.Flags.EA is set",
            present=Presence(("ExtensionHeader.Flags.EA",)),
        ),
    ),
    doc="A message and the headers that follow it in a remote read.",
)

InternalHeader = Structure(
    "InternalHeader",
    "[MS-MQQB] 2.2.1",
    (
        Field("Reserved", Integer("H", 2), "zero when sent", is_filler=True),
        Field(
            "Flags",
            Flags(
                "InternalHeaderFlags",
                "H",
                2,
                (
                    Group("PT", 0, 4, "packet type"),
                    Group("CS", 4, 1, "connection refused"),
                    Group("X5", 5, 1, "reserved"),
                    Group("X6", 6, 1, "reserved"),
                    Group("X7", 7, 1, "reserved"),
                    Group("X8", 8, 1, "reserved"),
                    Group("X9", 9, 1, "reserved"),
                    Group("X10", 10, 1, "reserved"),
                    Group("X11", 11, 1, "reserved"),
                    Group("X12", 12, 1, "reserved"),
                    Group("X13", 13, 1, "reserved"),
                    Group("X14", 14, 1, "reserved"),
                    Group("X15", 15, 1, "reserved"),
                ),
            ),
            "type and state",
        ),
    ),
    doc="The type of an internal packet.",
)

ConnectionParametersHeader = Structure(
    "ConnectionParametersHeader",
    "[MS-MQQB] 2.2.2.1",
    (
        Field(
            "RecoverableAckTimeout",
            Integer("I", 4),
            "milliseconds before a recoverable message is acknowledged, 500 to 120000",
        ),
        Field(
            "AckTimeout",
            Integer("I", 4),
            "milliseconds without acknowledgment before the session closes, 20000 to 120000",
        ),
        Field("Reserved", Integer("H", 2), "zero when sent", is_filler=True),
        Field("WindowSize", Integer("H", 2), "unacknowledged packets allowed"),
    ),
    doc="Timeouts and window of a session.",
)

ConnectionParameters = Structure(
    "ConnectionParameters",
    "[MS-MQQB] 2.2.2",
    (
        Field("BaseHeader", Nested(BaseHeader), "kind and size of the packet"),
        Field("InternalHeader", Nested(InternalHeader), "packet type 0x3"),
        Field("ConnectionParametersHeader", Nested(ConnectionParametersHeader), "timeouts and window"),
    ),
    extent=Extent("BaseHeader.PacketSize", 1),
    doc="Proposes or confirms the parameters of a session.",
)

EstablishConnectionHeader = Structure(
    "EstablishConnectionHeader",
    "[MS-MQQB] 2.2.3.1",
    (
        Field("ClientGuid", Guid(), "queue manager of the initiator"),
        Field("ServerGuid", Guid(), "queue manager of the acceptor; null in a request by direct format name"),
        Field("TimeStamp", Integer("I", 4), "milliseconds since the initiator's system started"),
        Field(
            "OperatingSystem",
            Flags(
                "EstablishConnectionHeaderOperatingSystem",
                "H",
                2,
                (
                    Group("RE", 0, 8, "0x10"),
                    Group("SE", 8, 1, "no ping was sent"),
                    Group("OS", 9, 1, "initiator runs a server system"),
                    Group("QS", 10, 1, "guaranteed quality of service"),
                    Group("X11", 11, 1, "unused"),
                    Group("X12", 12, 1, "unused"),
                    Group("X13", 13, 1, "unused"),
                    Group("X14", 14, 1, "unused"),
                    Group("X15", 15, 1, "unused"),
                ),
            ),
            "facts about the request",
        ),
        Field("Reserved", Integer("H", 2), "zero when sent", is_filler=True),
        Field("Padding", Bytes(512), "0x5A each in a response, any value in a request", is_filler=True),
    ),
    doc="The queue managers of a session request.",
)

EstablishConnection = Structure(
    "EstablishConnection",
    "[MS-MQQB] 2.2.3",
    (
        Field("BaseHeader", Nested(BaseHeader), "kind and size of the packet"),
        Field("InternalHeader", Nested(InternalHeader), "packet type 0x2"),
        Field("EstablishConnectionHeader", Nested(EstablishConnectionHeader), "the two queue managers"),
    ),
    extent=Extent("BaseHeader.PacketSize", 1),
    doc="Requests a session, or answers the request.",
)

OrderAckBody = Structure(
    "OrderAckBody",
    "[MS-MQQB] 2.2.4.1",
    (
        Field("TxSequenceID", Nested(TxSequenceID), "sequence of the message acknowledged"),
        Field("TxSequenceNumber", Integer("I", 4), "its number in the sequence, from 1"),
        Field("TxPreviousSequenceNumber", Integer("I", 4), "TxSequenceNumber - 1"),
        Field("Reserved", Bytes(20), "zeros", is_filler=True),
    ),
    doc="Identifies the transactional message that arrived in order; the body of an OrderAck.",
)

OrderAck = Structure(
    "OrderAck",
    "[MS-MQQB] 2.2.4",
    (
        Field("BaseHeader", Nested(BaseHeader), "all flags clear"),
        Field("UserHeader", Nested(UserHeader), "sender, and the sender's order queue as destination"),
        Field(
            "MessagePropertiesHeader",
            Nested(MessagePropertiesHeader),
            "class ORDER_ACK; the body is an OrderAckBody",
        ),
    ),
    extent=Extent("BaseHeader.PacketSize", 1),
    doc="Acknowledges transactional messages that arrived in order.",
)

FinalAckBody = Structure(
    "FinalAckBody",
    "[MS-MQQB] 2.2.5.1",
    (
        Field("TxSequenceID", Nested(TxSequenceID), "sequence of the message acknowledged"),
        Field("TxSequenceNumber", Integer("I", 4), "its number in the sequence, from 1"),
        Field("TxPreviousSequenceNumber", Integer("I", 4), "number of the message received before it"),
        Field("SourceGUID", Guid(), "queue manager that sent the message"),
        Field("MessageID", Integer("I", 4), "number of the message"),
    ),
    doc="Identifies the transactional message that was received or rejected; the body of a FinalAck.",
)

FinalAck = Structure(
    "FinalAck",
    "[MS-MQQB] 2.2.5",
    (
        Field("BaseHeader", Nested(BaseHeader), "all flags clear"),
        Field("UserHeader", Nested(UserHeader), "sender, and the sender's order queue as destination"),
        Field(
            "MessagePropertiesHeader",
            Nested(MessagePropertiesHeader),
            "its class is the outcome; the body is a FinalAckBody",
        ),
    ),
    extent=Extent("BaseHeader.PacketSize", 1),
    doc="Reports the final result of a transactional message.",
)

SessionAck = Structure(
    "SessionAck",
    "[MS-MQQB] 2.2.6",
    (
        Field("BaseHeader", Nested(BaseHeader), "kind and size of the packet"),
        Field("InternalHeader", Nested(InternalHeader), "packet type 0x1"),
        Field("SessionHeader", Nested(SessionHeader), "acknowledgments and window"),
    ),
    extent=Extent("BaseHeader.PacketSize", 1),
    doc="Acknowledges messages received on a session.",
)

PingPacket = Structure(
    "PingPacket",
    "[MS-MQQB] 2.2.7",
    (
        Field(
            "Flags",
            Flags(
                "PingPacketFlags",
                "H",
                2,
                (
                    Group("RC", 0, 1, "initiator is neither WinServer nor WinEnt"),
                    Group("RF", 1, 1, "a session would be refused"),
                    Group("X", 2, 14, "unused, any value"),
                ),
            ),
            "type of initiator and answer",
        ),
        Field("Signature", Integer("H", 2), "0x5548"),
        Field("Cookie", Integer("I", 4), "correlates response and request"),
        Field("QMGuid", Guid(), "queue manager that made this packet"),
    ),
    doc="Asks over UDP whether a session would be accepted, or answers the question.",
)

PUBLICKEYBLOB = Structure(
    "PUBLICKEYBLOB",
    "[MS-MQQB] 2.4.1",
    (
        Field(
            "bType", Integer("B", 1), "0x06, a public key; the page prints values only, so this name is ours"
        ),
        Field("bVersion", Integer("B", 1), "0x02; the name is ours"),
        Field("reserved", Integer("H", 2), "zero; the name is ours", is_filler=True),
        Field("aiKeyAlg", Integer("I", 4, enumeration="ALG_ID"), "CALG_RSA_KEYX; the name is ours"),
        Field("magic", Bytes(4), '"RSA1"; the name is ours'),
        Field("bitLen", Integer("I", 4), "length of modulus in bits"),
        Field("pubExp", Integer("I", 4), "e of the key pair"),
        Field("modulus", Bytes("EOF"), "n of the key pair, little-endian"),
    ),
    doc="A public RSA key for key exchange.",
)

SIMPLEBLOB = Structure(
    "SIMPLEBLOB",
    "[MS-MQQB] 2.4.2",
    (
        Field(
            "bType", Integer("B", 1), "0x01, a session key; the page prints values only, so this name is ours"
        ),
        Field("bVersion", Integer("B", 1), "0x02; the name is ours"),
        Field("reserved", Integer("H", 2), "zero; the name is ours", is_filler=True),
        Field("sessionKeyAlgorithm", Integer("I", 4, enumeration="ALG_ID"), "cipher that the key is for"),
        Field("aiKeyAlg", Integer("I", 4, enumeration="ALG_ID"), "CALG_RSA_KEYX; the name is ours"),
        Field("encryptedKey", Bytes("EOF"), "session key, encrypted with RSAES-PKCS1-v1_5, little-endian"),
    ),
    doc="A session key, encrypted for its receiver.",
)

PARTITION_SEQ_NUMBERS = Structure(
    "PARTITION_SEQ_NUMBERS",
    "[MC-MQDSRP] 2.2.3",
    (
        Field("PartitionID", Guid(), "the directory partition"),
        Field("LastSeqNumber", Sequence(), "its newest change"),
        Field("PurgedSeqNumber", Sequence(), "its purged sequence number"),
    ),
    doc="The sequence numbers of a directory partition.",
)

DirectoryChange = Structure(
    "DirectoryChange",
    "[MC-MQDSRP] 2.2.4",
    (
        Field("Command", Integer("B", 1), "the operation on the object"),
        Field(
            "UseGuid",
            Integer("B", 1),
            "0: PathName names the object, 1: GuidIdentifier does",
            known=(
                0,
                1,
            ),
        ),
        Field(
            "PathName",
            Text("NUL"),
            "path name of the object, terminator not included; present if UseGuid is 0",
            present=Presence(("UseGuid",), value=0),
            limit="string_length",
        ),
        Field(
            "GuidIdentifier",
            Guid(),
            "identifier of the object; present if UseGuid is 1",
            present=Presence(("UseGuid",), value=1),
        ),
        Field("PartitionID", Guid(), "partition that the change belongs to"),
        Field("PreviousSeqNumber", Sequence(), "the change before this one in the partition"),
        Field("SeqNumber", Sequence(), "this change"),
        Field("PurgedSeqNumber", Sequence(), "purged sequence number of the partition"),
        Field("NumberOfProperties", Integer("B", 1), "count of properties"),
        Field(
            "PropertyID",
            Numbers("I", 4, Count("NumberOfProperties")),
            "identifiers of the properties",
            limit="properties",
        ),
        Field(
            "PropertyValue",
            Values("PropertyID"),
            "their values, each in the form that its identifier asks for",
        ),
    ),
    doc="One change of one directory object.",
)

BaseReplicationHeader = Structure(
    "BaseReplicationHeader",
    "[MC-MQDSRP] 2.2.5.1",
    (
        Field("Version", Integer("B", 1), "0x00"),
        Field("SiteID", Guid(), "site of the sending queue manager"),
        Field("Operation", Integer("B", 1), "type of the message"),
    ),
    doc="The first header of every replication message: its operation and its sender's site.",
)

ChangeRequestHeader = Structure(
    "ChangeRequestHeader",
    "[MC-MQDSRP] 2.2.5.2",
    (
        Field("BaseReplicationHeader", Nested(BaseReplicationHeader), "operation 0x01"),
        Field("PartitionID", Guid(), "partition of the object"),
        Field(
            "RequestIdentifier", Integer("I", 4), "correlates reply and request, unique within the requester"
        ),
        Field(
            "PSCNameOffset",
            Integer("I", 4),
            "WCHARs from the beginning of RequesterName to PSCName; 0: no PSCName",
        ),
        Field(
            "RequesterName",
            Text("NUL"),
            "machine that asked first, terminator not included",
            limit="string_length",
        ),
        Field(
            "PSCName",
            Text("NUL"),
            "primary site controller of that machine, terminator not included; only from a BSC",
            present=Presence(("PSCNameOffset",)),
            offset_in=(
                "PSCNameOffset",
                "RequesterName",
            ),
            limit="string_length",
        ),
    ),
    doc="Identifies the queue manager that requests a change from the object authority.",
)

SyncReplyHeader = Structure(
    "SyncReplyHeader",
    "[MC-MQDSRP] 2.2.5.3",
    (
        Field("BaseReplicationHeader", Nested(BaseReplicationHeader), "operation 0x03"),
        Field("PartitionID", Guid(), "partition that the reply is about"),
        Field("FromSeqNumber", Sequence(), "where the synchronization starts"),
        Field("ToSeqNumber", Sequence(), "where it ends"),
        Field("PurgedSeqNumber", Sequence(), "purged sequence number of the partition"),
        Field("Count", Integer("I", 4), "count of changes in the message"),
        Field("CompleteSync0", Integer("I", 4), "state of sync0 on the object authority"),
    ),
    doc="The range of the changes in a synchronization reply.",
)

SeqNumberHeader = Structure(
    "SeqNumberHeader",
    "[MC-MQDSRP] 2.2.5.4",
    (
        Field("Count", Integer("H", 2), "count of partitions"),
        Field(
            "MachineName",
            Text("NUL"),
            "machine that sends, terminator not included; absent if Count is 0",
            present=Presence(("Count",)),
            limit="string_length",
        ),
        Field(
            "PartitionSeqNumbers",
            Items(PARTITION_SEQ_NUMBERS, Count("Count")),
            "the partitions' numbers",
            limit="elements",
        ),
    ),
    doc="The sequence numbers of the sender's partitions.",
)

ChangeRequestMessage = Structure(
    "ChangeRequestMessage",
    "[MC-MQDSRP] 2.2.6.2",
    (
        Field("ChangeRequestHeader", Nested(ChangeRequestHeader), "the requester, and the partition"),
        Field("DirectoryChange", Nested(DirectoryChange), "the change asked for"),
    ),
    doc="Requests a change of an object from the object authority (operation 0x01).",
)

ChangeReplyMessage = Structure(
    "ChangeReplyMessage",
    "[MC-MQDSRP] 2.2.6.3",
    (
        Field("BaseReplicationHeader", Nested(BaseReplicationHeader), "operation 0x04"),
        Field("RequestIdentifier", Integer("I", 4), "of the request that this answers"),
        Field("Result", Integer("I", 4), "HRESULT of the change"),
        Field(
            "RequesterName",
            Text("NUL"),
            "machine that asked first, terminator not included",
            limit="string_length",
        ),
    ),
    doc="Reports the result of a requested change (operation 0x04).",
)

SyncRequestMessage = Structure(
    "SyncRequestMessage",
    "[MC-MQDSRP] 2.2.6.4",
    (
        Field("BaseReplicationHeader", Nested(BaseReplicationHeader), "operation 0x02"),
        Field("PartitionID", Guid(), "partition to synchronize"),
        Field("FromSeqNumber", Sequence(), "where to start"),
        Field("ToSeqNumber", Sequence(), "where to end"),
        Field("KnownPurgedSeqNumber", Sequence(), "purged sequence number that the requester knows"),
        Field("IsSync0", Integer("B", 1), "1: the partition is in the sync0 state"),
        Field("Scope", Integer("B", 1), "1: enterprise scope only"),
        Field(
            "RequesterName", Text("NUL"), "machine that sends, terminator not included", limit="string_length"
        ),
    ),
    doc="Requests the changes of a partition (operation 0x02).",
)

SyncReplyMessage = Structure(
    "SyncReplyMessage",
    "[MC-MQDSRP] 2.2.6.5",
    (
        Field("SyncReplyHeader", Nested(SyncReplyHeader), "partition, range and state"),
        Field(
            "DirectoryChanges",
            Items(DirectoryChange, Count("SyncReplyHeader.Count")),
            "the changes, SyncReplyHeader.Count of them",
            limit="changes",
        ),
    ),
    doc="Carries the changes of a partition (operation 0x03).",
)

BSCAckMessage = Structure(
    "BSCAckMessage",
    "[MC-MQDSRP] 2.2.6.6",
    (
        Field("BaseReplicationHeader", Nested(BaseReplicationHeader), "operation 0x07"),
        Field("BSCMachineID", Guid(), "queue manager of the backup site controller"),
        Field("BSCName", Text("NUL"), "its machine name, terminator not included", limit="string_length"),
    ),
    doc="A backup site controller acknowledges to its primary (operation 0x07).",
)

PSCAckMessage = Structure(
    "PSCAckMessage",
    "[MC-MQDSRP] 2.2.6.7",
    (
        Field("BaseReplicationHeader", Nested(BaseReplicationHeader), "operation 0x06"),
        Field("PSCSiteID", Guid(), "site of the primary site controller"),
        Field("AckedPartitionID", Guid(), "partition that is acknowledged"),
        Field("AckedSeqNumber", Sequence(), "up to this change"),
        Field(
            "PSCName",
            Text("NUL"),
            "machine name of the controller, terminator not included",
            limit="string_length",
        ),
    ),
    doc="A primary site controller acknowledges to the object authority (operation 0x06).",
)

AlreadyPurgedMessage = Structure(
    "AlreadyPurgedMessage",
    "[MC-MQDSRP] 2.2.6.8",
    (
        Field("BaseReplicationHeader", Nested(BaseReplicationHeader), "operation 0x05"),
        Field("PartitionID", Guid(), "partition that was asked for"),
        Field("PurgedSeqNumber", Sequence(), "its purged sequence number"),
    ),
    doc="Reports that the requested changes were purged (operation 0x05).",
)

ChangePropagationMessage = Structure(
    "ChangePropagationMessage",
    "[MC-MQDSRP] 2.2.6.9",
    (
        Field("BaseReplicationHeader", Nested(BaseReplicationHeader), "operation 0x00"),
        Field("Flush", Integer("B", 1), "1: a flush message, not to be flushed on"),
        Field("Count", Integer("H", 2), "count of changes"),
        Field("DirectoryChanges", Items(DirectoryChange, Count("Count")), "the changes", limit="changes"),
        Field("SeqNumberHeader", Nested(SeqNumberHeader), "numbers of the sender's partitions"),
    ),
    doc="Propagates new changes to the directory's neighbors (operation 0x00).",
)

NotificationBody = Structure(
    "NotificationBody",
    "[MS-MQCN] 2.2.5",
    (
        Field(
            "Text",
            Text("EOF"),
            "the text of the notification, and the bytes after it; the name is ours",
            limit="string_length",
        ),
        Field("Unused", Bytes("EOF"), "the odd byte after the text, if there is one; the name is ours"),
    ),
    doc="A queue manager's notification, as text.",
)

NotificationUpdate = Structure(
    "NotificationUpdate",
    "[MS-MQCN] 2.2.6",
    (
        Field("Command", Integer("B", 1), "the operation on the object"),
        Field(
            "UseGuid",
            Integer("B", 1),
            "0: PathName names the object, 1: GuidIdentifier does",
            known=(
                0,
                1,
            ),
        ),
        Field(
            "PathName",
            Text("NUL"),
            "path name of the object, terminator not included; present if UseGuid is 0",
            present=Presence(("UseGuid",), value=0),
            limit="string_length",
        ),
        Field(
            "GuidIdentifier",
            Guid(),
            "identifier of the object; present if UseGuid is 1",
            present=Presence(("UseGuid",), value=1),
        ),
        Field("GuidMasterId", Guid(), "directory server where the change was made"),
        Field("Reserved", Bytes(24), "any value", is_filler=True),
        Field("NumberOfProperties", Integer("B", 1), "count of properties"),
        Field(
            "PropertyId",
            Numbers("I", 4, Count("NumberOfProperties")),
            "identifiers of the properties",
            limit="properties",
        ),
        Field(
            "PropertyValue",
            Values("PropertyId"),
            "their values, each in the form that its identifier asks for",
        ),
    ),
    doc="One change of a queue or a machine, with the layout of `mqdsrp.DirectoryChange`.",
)

NotificationUpdates = Structure(
    "NotificationUpdates",
    "[MS-MQCN] 2.2.4",
    (
        Field(
            "Updates",
            Items(NotificationUpdate, Count("NumberOfUpdateNotifications")),
            "the updates, without padding between them; the name is ours",
            limit="changes",
        ),
        Field("Unused", Bytes("EOF"), "the byte that the sender's buffer has too many; the name is ours"),
    ),
    scoped=True,
    doc="The updates of one message of version 1.",
)

ChangeNotificationMessage = Structure(
    "ChangeNotificationMessage",
    "[MS-MQCN] 2.2.4",
    (
        Field("Version", Integer("B", 1), "1: from a directory service, 2: from a queue manager"),
        Field("NumberOfUpdateNotifications", Integer("B", 1), "count of updates; 1 in version 2"),
        Field(
            "Data",
            Choice("Version", {0x1: NotificationUpdates, 0x2: NotificationBody}),
            "updates or a body, selected by Version",
        ),
    ),
    doc="Notifies a queue manager of changes in the directory.",
)

register(
    "mqmq",
    MQDSPUBLICKEY,
    MQDSPUBLICKEYS,
    TA_ADDRESS,
    IPXAddress,
    SEQUENCE_INFO,
    OBJECTID,
    MULTICAST_ID,
    ULARGE_INTEGER,
    TxSequenceID,
    MessageIdentifier,
    MQFDirectQueueFormatName,
    MQFDistributionQueueFormatName,
    PrivateQueueFormatNameId,
    DirectQueueFormatName,
    PublicQueueFormatName,
    PrivateQueueFormatName,
    MQFFormatNameElement,
    XACTUOW,
    BaseHeader,
    UserHeader,
    MessagePropertiesHeader,
    MQFAddressHeader,
    MQFSignatureHeader,
    MultiQueueFormatHeader,
    SessionHeader,
    TransactionHeader,
    SecurityData,
    SecurityHeader,
    ProviderInfo,
    SenderCertPublicKey,
    SoapHeader,
    DebugHeader,
    MQUSERSIGNCERT,
    MQUSERSIGNCERTS,
)

register(
    "mqrr",
    SRMPEnvelopeHeader,
    CompoundMessageHeader,
    ExtensionHeader,
    SubqueueHeader,
    DeadLetterHeader,
    ExtendedAddressHeader,
    UserHeaderAddress,
)

register("user_message", UserMessage, MessagePacket)

register(
    "mqqb",
    InternalHeader,
    ConnectionParametersHeader,
    ConnectionParameters,
    EstablishConnectionHeader,
    EstablishConnection,
    OrderAckBody,
    OrderAck,
    FinalAckBody,
    FinalAck,
    SessionAck,
    PingPacket,
    PUBLICKEYBLOB,
    SIMPLEBLOB,
)

register(
    "mqdsrp",
    PARTITION_SEQ_NUMBERS,
    DirectoryChange,
    BaseReplicationHeader,
    ChangeRequestHeader,
    SyncReplyHeader,
    SeqNumberHeader,
    ChangeRequestMessage,
    ChangeReplyMessage,
    SyncRequestMessage,
    SyncReplyMessage,
    BSCAckMessage,
    PSCAckMessage,
    AlreadyPurgedMessage,
    ChangePropagationMessage,
)

register("mqcn", NotificationBody, NotificationUpdate, NotificationUpdates, ChangeNotificationMessage)
