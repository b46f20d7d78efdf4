"""The layouts against the documents: every offset, size and bit position, typed in from the pages.

This is the one place where the documents are restated on purpose: what stands here was read from the
figures and tables, never from the definitions.
"""

from __future__ import annotations

from typing import Any

import pytest
from strategies import DOCUMENTS
from support_rows import for_each

from msmq_wire import Record
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import (
    EOF,
    NUL,
    Alignment,
    Bytes,
    Choice,
    Field,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Padding,
    Structure,
    Text,
)
from msmq_wire.values.enumerations import enumerations

pytestmark = pytest.mark.tables(0)

# One line a structure: section, name, total size in bytes or "variable".  Below it one line a field: its
# offset and size in bytes, both "-" from where they vary (a fixed size keeps its number), and its name.
# "*" marks a field that is not in the figure but in the text, or whose name the page does not print.
PAGES = """
[MS-MQMQ] 2.2.1 MQDSPUBLICKEY variable
    0 4 ulKeyLen
    4 4 ulProviderLen
    8 4 ulProviderType
    12 - sProviderName
    - - aBuf
[MS-MQMQ] 2.2.2 MQDSPUBLICKEYS variable
    0 4 ulLen
    4 4 cNumofKeys
    8 - aPublicKeys
[MS-MQMQ] 2.2.4 TA_ADDRESS variable
    0 2 AddressLength
    2 2 AddressType
    4 - Address
[MS-MQMQ] 2.2.4.2 IPXAddress 10
    0 4 Netnum
    4 6 nodenum
[MS-MQMQ] 2.2.5.1 SEQUENCE_INFO 16
    0 8 SeqID
    8 4 SeqNo
    12 4 PrevNo
[MS-MQMQ] 2.2.8 OBJECTID 20
    0 16 Lineage
    16 4 Uniquifier
[MS-MQMQ] 2.2.10 MULTICAST_ID 8
    0 4 m_address
    4 4 m_port
[MS-MQMQ] 2.2.17 ULARGE_INTEGER 8
    0 8 QuadPart
[MS-MQMQ] 2.2.18.1.2 TxSequenceID 8
    0 4 Ordinal
    4 4 TimeStamp
[MS-MQMQ] 2.2.18.1.3 MessageIdentifier 20
    0 16 QueueManagerGuid
    16 4 Ordinal
[MS-MQMQ] 2.2.18.1.4 MQFFormatNameElement variable
    0 2 FormatType
    2 - Padding*
    - - FormatName
[MS-MQMQ] 2.2.18.1.4.1 MQFDirectQueueFormatName variable
    0 - DirectFormatName
[MS-MQMQ] 2.2.18.1.4.2 MQFDistributionQueueFormatName 16
    0 16 DistributionListIdentifier
[MS-MQMQ] 2.2.18.1.5.1 PrivateQueueFormatNameId 4
    0 4 PrivateQueueIdentifier
[MS-MQMQ] 2.2.18.1.5.2 DirectQueueFormatName variable
    0 2 Count
    2 - DirectFormatName
    - - Padding*
[MS-MQMQ] 2.2.18.1.7.1 PublicQueueFormatName 16
    0 16 PublicQueueIdentifier
[MS-MQMQ] 2.2.18.1.7.2 PrivateQueueFormatName 20
    0 16 SourceQueueManager
    16 4 PrivateQueueIdentifier
[MS-MQMQ] 2.2.18.1.8 XACTUOW 16
    0 16 rgb
[MS-MQMQ] 2.2.19.1 BaseHeader 16
    0 1 VersionNumber
    1 1 Reserved
    2 2 Flags
    4 4 Signature
    8 4 PacketSize
    12 4 TimeToReachQueue
[MS-MQMQ] 2.2.19.2 UserHeader variable
    0 16 SourceQueueManager
    16 16 QueueManagerAddress
    32 4 TimeToBeReceived
    36 4 SentTime
    40 4 MessageID
    44 4 Flags
    48 - DestinationQueue
    - - AdminQueue
    - - ResponseQueue
    - 16 ConnectorType
[MS-MQMQ] 2.2.19.3 MessagePropertiesHeader variable
    0 1 Flags
    1 1 LabelLength
    2 2 MessageClass
    4 20 CorrelationID
    24 4 BodyType
    28 4 ApplicationTag
    32 4 MessageSize
    36 4 AllocationBodySize
    40 4 PrivacyLevel
    44 4 HashAlgorithm
    48 4 EncryptionAlgorithm
    52 4 ExtensionSize
    56 - Label
    - - ExtensionData
    - - MessageBody
    - - Padding*
[MS-MQMQ] 2.2.20 UserMessage variable
    0 16 BaseHeader
    16 - UserHeader
    - - TransactionHeader
    - - SecurityHeader
    - - MessagePropertiesHeader
    - - DebugHeader
    - - SRMPEnvelopeHeader
    - - CompoundMessageHeader
    - - SoapHeader
    - - MultiQueueFormatHeader
    - 12 ExtensionHeader*
    - 148 SubqueueHeader*
    - - DeadLetterHeader*
    - 28 ExtendedAddressHeader*
    - 16 SessionHeader
[MS-MQMQ] 2.2.20.1 MultiQueueFormatHeader variable
    0 - Destination
    - - Administration
    - - Response
    - - Signature
    - - Padding*
[MS-MQMQ] 2.2.20.2 MQFAddressHeader variable
    0 4 HeaderSize
    4 2 HeaderID
    6 2 Reserved
    8 4 ElementCount
    12 - FormatNameList
    - - Padding*
[MS-MQMQ] 2.2.20.3 MQFSignatureHeader variable
    0 2 ID
    2 2 Reserved
    4 4 Size
    8 - Signature
[MS-MQMQ] 2.2.20.4 SessionHeader 16
    0 2 AckSequenceNumber
    2 2 RecoverableMsgAckSeqNumber
    4 4 RecoverableMsgAckFlags
    8 2 UserMsgSequenceNumber
    10 2 RecoverableMsgSeqNumber
    12 2 WindowSize
    14 2 Reserved
[MS-MQMQ] 2.2.20.5 TransactionHeader variable
    0 4 Flags
    4 8 TxSequenceID
    12 4 TxSequenceNumber
    16 4 PreviousTxSequenceNumber
    20 16 ConnectorQMGuid
[MS-MQMQ] 2.2.20.6 SecurityHeader variable
    0 2 Flags
    2 2 SenderIdSize
    4 2 EncryptionKeySize
    6 2 SignatureSize
    8 4 SenderCertSize
    12 4 ProviderInfoSize
    16 - SecurityData
[MS-MQMQ] 2.2.20.6 SecurityData variable
    0 - SecurityID
    - - SecurityIDPadding*
    - - EncryptionKey
    - - EncryptionKeyPadding*
    - - Signature
    - - SignaturePadding*
    - - SenderCert
    - - SenderCertPadding*
    - - ProviderInfo
    - - ProviderInfoPadding*
[MS-MQMQ] 2.2.20.6 ProviderInfo variable
    0 4 ProviderType
    4 - ProviderName
[MS-MQMQ] 2.2.20.6 SenderCertPublicKey variable
    0 1 bType*
    1 1 bVersion*
    2 2 reserved*
    4 4 KeyType
    8 4 magic*
    12 4 LengthInBits
    16 4 PublicExponent
    20 - Modulus
[MS-MQMQ] 2.2.20.7 SoapHeader variable
    0 2 HeaderSectionID
    2 2 Reserved
    4 4 HeaderDataLength
    8 - Header
    - - HeaderPadding*
    - 2 BodySectionID
    - 2 Reserved1
    - 4 BodyDataLength
    - - Body
    - - Padding*
[MS-MQMQ] 2.2.20.8 DebugHeader variable
    0 2 Flags
    2 2 Reserved
    4 16 QueueIdentifier
[MS-MQMQ] 2.2.21 MQUSERSIGNCERTS variable
    0 4 CertificateCount
    4 - Certificates
[MS-MQMQ] 2.2.22 MQUSERSIGNCERT variable
    0 16 Digest
    16 16 Identifier
    32 4 CertificateLength
    36 - Certificate
[MS-MQQB] 2.2.1 InternalHeader 4
    0 2 Reserved
    2 2 Flags
[MS-MQQB] 2.2.2 ConnectionParameters 32
    0 16 BaseHeader
    16 4 InternalHeader
    20 12 ConnectionParametersHeader
[MS-MQQB] 2.2.2.1 ConnectionParametersHeader 12
    0 4 RecoverableAckTimeout
    4 4 AckTimeout
    8 2 Reserved
    10 2 WindowSize
[MS-MQQB] 2.2.3 EstablishConnection 572
    0 16 BaseHeader
    16 4 InternalHeader
    20 552 EstablishConnectionHeader
[MS-MQQB] 2.2.3.1 EstablishConnectionHeader 552
    0 16 ClientGuid
    16 16 ServerGuid
    32 4 TimeStamp
    36 2 OperatingSystem
    38 2 Reserved
    40 512 Padding
[MS-MQQB] 2.2.4 OrderAck variable
    0 16 BaseHeader
    16 - UserHeader
    - - MessagePropertiesHeader
[MS-MQQB] 2.2.4.1 OrderAckBody 36
    0 8 TxSequenceID
    8 4 TxSequenceNumber
    12 4 TxPreviousSequenceNumber
    16 20 Reserved
[MS-MQQB] 2.2.5 FinalAck variable
    0 16 BaseHeader
    16 - UserHeader
    - - MessagePropertiesHeader
[MS-MQQB] 2.2.5.1 FinalAckBody 36
    0 8 TxSequenceID
    8 4 TxSequenceNumber
    12 4 TxPreviousSequenceNumber
    16 16 SourceGUID
    32 4 MessageID
[MS-MQQB] 2.2.6 SessionAck 36
    0 16 BaseHeader
    16 4 InternalHeader
    20 16 SessionHeader
[MS-MQQB] 2.2.7 PingPacket 24
    0 2 Flags
    2 2 Signature
    4 4 Cookie
    8 16 QMGuid
[MS-MQQB] 2.4.1 PUBLICKEYBLOB variable
    0 1 bType*
    1 1 bVersion*
    2 2 reserved*
    4 4 aiKeyAlg*
    8 4 magic*
    12 4 bitLen
    16 4 pubExp
    20 - modulus
[MS-MQQB] 2.4.2 SIMPLEBLOB variable
    0 1 bType*
    1 1 bVersion*
    2 2 reserved*
    4 4 sessionKeyAlgorithm
    8 4 aiKeyAlg*
    12 - encryptedKey
[MS-MQRR] 2.2.5 MessagePacket variable
    0 - UserMessage
    - 12 ExtensionHeader
    - 148 SubqueueHeader
    - - DeadLetterHeader
    - 28 ExtendedAddressHeader
[MS-MQRR] 2.2.5.1 UserHeaderAddress 16
    0 2 AddressLength
    2 2 AddressType
    4 4 AddressScope
    8 8 Address
[MS-MQRR] 2.2.5.1.2.1 SRMPEnvelopeHeader variable
    0 2 HeaderId
    2 2 Reserved
    4 4 DataLength
    8 - Data
    - - Padding*
[MS-MQRR] 2.2.5.1.2.2 CompoundMessageHeader variable
    0 2 HeaderId
    2 2 Reserved
    4 4 HTTPBodySize
    8 4 MsgBodySize
    12 4 MsgBodyOffset
    16 - Data
    - - Padding*
[MS-MQRR] 2.2.5.2 ExtensionHeader 12
    0 4 HeaderSize
    4 4 RemainingHeadersSize
    8 1 Flags
    9 3 Reserved
[MS-MQRR] 2.2.5.3 SubqueueHeader 148
    0 4 HeaderSize
    4 4 Flags*
    8 4 AbortCounter
    12 4 MoveCounter
    16 4 LastMoveTime
    20 64 SubqueueName
    84 64 TargetSubqueueName
[MS-MQRR] 2.2.5.4 DeadLetterHeader variable
    0 4 HeaderSize
    4 - DeadLetterPathName
    - - Padding*
[MS-MQRR] 2.2.5.5 ExtendedAddressHeader 28
    0 4 HeaderSize
    4 2 AddressLength
    6 2 AddressType
    8 4 AddressScope
    12 16 Address
"""

# Field of flags, and for each group its least significant bit, or its first and last.
GROUPS = {
    "BaseHeader.Flags": (
        "PR 0-2, IN 3, SH 4, DH 5, X9 6, X8 7, TR 8, X6 9, X5 10, X4 11, X3 12, X2 13, X1 14, X0 15"
    ),
    "UserHeader.Flags": (
        "RC 0-4, DM 5-6, X1 7, JN 8, JP 9, DQ 10-12, AQ 13-15, RQ 16-18, SH 19, TH 20, MP 21, CQ 22, MQ 23, "
        "X2 24, AH 25, X3 26-27, HH 28, X4 29-31"
    ),
    "MessagePropertiesHeader.Flags": "PA 0, PR 1, NA 2, NR 3, X 4-7",
    "TransactionHeader.Flags": (
        "CG 0, FA 1, FM 2, LM 3, ID 4-23, X1 24, X2 25, X3 26, X4 27, X5 28, X6 29, X7 30, X8 31"
    ),
    "SecurityHeader.Flags": "ST 0-3, AU 4, EB 5, DE 6, AI 7, AS 8-11, X12 12, X13 13, X14 14, X15 15",
    "DebugHeader.Flags": (
        "QT 0-1, X2 2, X3 3, X4 4, X5 5, X6 6, X7 7, X8 8, X9 9, X10 10, X11 11, X12 12, "
        "X13 13, X14 14, X15 15"
    ),
    "InternalHeader.Flags": (
        "PT 0-3, CS 4, X5 5, X6 6, X7 7, X8 8, X9 9, X10 10, X11 11, X12 12, X13 13, X14 14, X15 15"
    ),
    "EstablishConnectionHeader.OperatingSystem": (
        "RE 0-7, SE 8, OS 9, QS 10, X11 11, X12 12, X13 13, X14 14, X15 15"
    ),
    "PingPacket.Flags": "RC 0, RF 1, X 2-15",
    "ExtensionHeader.Flags": "DL 0, SQ 1, X2 2, DI 3, EA 4, X5 5, X6 6, X7 7",
    "SubqueueHeader.Flags": "TM 0, AcknowledgementClass 1-16, Reserved 17-31",
}

GUIDS = {
    "OBJECTID.Lineage",
    "MessageIdentifier.QueueManagerGuid",
    "MQFDistributionQueueFormatName.DistributionListIdentifier",
    "PublicQueueFormatName.PublicQueueIdentifier",
    "PrivateQueueFormatName.SourceQueueManager",
    "UserHeader.SourceQueueManager",
    "UserHeader.QueueManagerAddress",
    "UserHeader.ConnectorType",
    "TransactionHeader.ConnectorQMGuid",
    "DebugHeader.QueueIdentifier",
    "MQUSERSIGNCERT.Identifier",
    "EstablishConnectionHeader.ClientGuid",
    "EstablishConnectionHeader.ServerGuid",
    "FinalAckBody.SourceGUID",
    "PingPacket.QMGuid",
}

TEXTS = {
    # counted in bytes, terminator included
    "MQDSPUBLICKEY.sProviderName": "ulProviderLen / 2",
    "DirectQueueFormatName.DirectFormatName": "Count / 2",
    # counted in WCHARs, terminator included
    "MessagePropertiesHeader.Label": "LabelLength",
    "SoapHeader.Header": "HeaderDataLength",
    "SoapHeader.Body": "BodyDataLength",
    "SRMPEnvelopeHeader.Data": "DataLength",
    # up to the terminator
    "MQFDirectQueueFormatName.DirectFormatName": NUL,
    "ProviderInfo.ProviderName": NUL,
    "DeadLetterHeader.DeadLetterPathName": NUL,
}

COUNTED_BYTES = {
    "MQDSPUBLICKEY.aBuf": "ulKeyLen",
    "TA_ADDRESS.Address": "AddressLength",
    "MessagePropertiesHeader.ExtensionData": "ExtensionSize",
    "MessagePropertiesHeader.MessageBody": "MessageSize",
    "MQFSignatureHeader.Signature": "Size",
    "SecurityData.SecurityID": "SenderIdSize",
    "SecurityData.EncryptionKey": "EncryptionKeySize",
    "SecurityData.Signature": "SignatureSize",
    "SecurityData.SenderCert": "SenderCertSize",
    "SecurityData.ProviderInfo": "ProviderInfoSize",
    "MQUSERSIGNCERT.Certificate": "CertificateLength",
    "CompoundMessageHeader.Data": "HTTPBodySize",
    "SenderCertPublicKey.Modulus": EOF,
    "PUBLICKEYBLOB.modulus": EOF,
    "SIMPLEBLOB.encryptedKey": EOF,
}

# Arrays: the type of the elements, a structure or GUID, and the field that counts them.
ARRAYS = {
    "MQDSPUBLICKEYS.aPublicKeys": ("MQDSPUBLICKEY", "cNumofKeys"),
    "MQFAddressHeader.FormatNameList": ("MQFFormatNameElement", "ElementCount"),
    "MQUSERSIGNCERTS.Certificates": ("MQUSERSIGNCERT", "CertificateCount"),
}

ID, DIRECT = "PrivateQueueFormatNameId", "DirectQueueFormatName"
PUBLIC, PRIVATE = "PublicQueueFormatName", "PrivateQueueFormatName"
FORMS = {
    "UserHeader.DestinationQueue": ("Flags.DQ", {0: None, 3: ID, 5: PUBLIC, 7: DIRECT}),
    "UserHeader.AdminQueue": ("Flags.AQ", {0: None, 2: ID, 3: ID, 5: PUBLIC, 6: PRIVATE, 7: DIRECT}),
    "UserHeader.ResponseQueue": (
        "Flags.RQ",
        {0: None, 1: None, 2: ID, 3: ID, 4: ID, 5: PUBLIC, 6: PRIVATE, 7: DIRECT},
    ),
    "MQFFormatNameElement.FormatName": (
        "FormatType",
        {1: PUBLIC, 2: PRIVATE, 3: "MQFDirectQueueFormatName", 6: "MQFDistributionQueueFormatName"},
    ),
}

# Fields that may be absent, and what announces them: a number that is not 0, or has the value after "==".
OPTIONAL = {
    "UserHeader.ConnectorType": "Flags.CQ",
    "TransactionHeader.ConnectorQMGuid": "Flags.CG",
    "DebugHeader.QueueIdentifier": "Flags.QT == 1",
    "SecurityHeader.SecurityData": (
        "SenderIdSize | EncryptionKeySize | SignatureSize | SenderCertSize | ProviderInfoSize"
    ),
    "UserMessage.TransactionHeader": "UserHeader.Flags.TH",
    "UserMessage.SecurityHeader": "UserHeader.Flags.SH",
    "UserMessage.DebugHeader": "BaseHeader.Flags.DH",
    "UserMessage.SRMPEnvelopeHeader": "UserHeader.Flags.AH",
    "UserMessage.CompoundMessageHeader": "UserHeader.Flags.AH",
    "UserMessage.SoapHeader": "UserHeader.Flags.HH",
    "UserMessage.MultiQueueFormatHeader": "UserHeader.Flags.MQ",
    "UserMessage.ExtensionHeader": "bytes left",
    "UserMessage.SubqueueHeader": "ExtensionHeader.Flags.SQ",
    "UserMessage.DeadLetterHeader": "ExtensionHeader.Flags.DL",
    "UserMessage.ExtendedAddressHeader": "ExtensionHeader.Flags.EA",
    "UserMessage.SessionHeader": "BaseHeader.Flags.SH",
    "MessagePacket.ExtensionHeader": "bytes left",
    "MessagePacket.SubqueueHeader": "ExtensionHeader.Flags.SQ",
    "MessagePacket.DeadLetterHeader": "ExtensionHeader.Flags.DL",
    "MessagePacket.ExtendedAddressHeader": "ExtensionHeader.Flags.EA",
    # [MC-MQDSRP] 2.2.4, 2.2.5.2 and 2.2.5.5, and [MS-MQCN] 2.2.6, which have no figures above
    "DirectoryChange.PathName": "UseGuid == 0",
    "DirectoryChange.GuidIdentifier": "UseGuid == 1",
    "ChangeRequestHeader.PSCName": "PSCNameOffset",
    "SeqNumberHeader.MachineName": "Count",
    "NotificationUpdate.PathName": "UseGuid == 0",
    "NotificationUpdate.GuidIdentifier": "UseGuid == 1",
}

ENUMERATIONS = {
    "MQQMACCESSMASK": {
        "MQSEC_DELETE_DEADLETTER_MESSAGE": 0x1,
        "MQSEC_PEEK_DEADLETTER_MESSAGE": 0x2,
        "MQSEC_CREATE_QUEUE": 0x4,
        "MQSEC_SET_MACHINE_PROPERTIES": 0x10,
        "MQSEC_GET_MACHINE_PROPERTIES": 0x20,
        "MQSEC_DELETE_JOURNAL_QUEUE_MESSAGE": 0x40,
        "MQSEC_PEEK_JOURNAL_QUEUE_MESSAGE": 0x80,
        "MQSEC_DELETE_MACHINE": 0x10000,
        "MQSEC_GET_MACHINE_PERMISSIONS": 0x20000,
        "MQSEC_CHANGE_MACHINE_PERMISSIONS": 0x40000,
        "MQSEC_TAKE_MACHINE_OWNERSHIP": 0x80000,
        "MQSEC_RECEIVE_DEADLETTER_MESSAGE": 1 + 2,
        "MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE": 0x40 + 0x80,
        "MQSEC_MACHINE_GENERIC_READ": 0x20 + 0x20000 + 3 + 0xC0,
        "MQSEC_MACHINE_GENERIC_WRITE": 0x20 + 0x20000 + 4,
        "MQSEC_MACHINE_GENERIC_ALL": 3 + 0xC0 + 4 + 0x10 + 0x20 + 0xF0000,
        "MQSEC_MACHINE_WORLD_RIGHTS": 0x20 + 0x20000,
    },
    "MQQUEUEACCESSMASK": {
        "MQSEC_DELETE_MESSAGE": 0x1,
        "MQSEC_PEEK_MESSAGE": 0x2,
        "MQSEC_WRITE_MESSAGE": 0x4,
        "MQSEC_DELETE_JOURNAL_MESSAGE": 0x8,
        "MQSEC_SET_QUEUE_PROPERTIES": 0x10,
        "MQSEC_GET_QUEUE_PROPERTIES": 0x20,
        "MQSEC_DELETE_QUEUE": 0x10000,
        "MQSEC_GET_QUEUE_PERMISSIONS": 0x20000,
        "MQSEC_CHANGE_QUEUE_PERMISSIONS": 0x40000,
        "MQSEC_TAKE_QUEUE_OWNERSHIP": 0x80000,
        "MQSEC_RECEIVE_MESSAGE": 1 + 2,
        "MQSEC_RECEIVE_JOURNAL_MESSAGE": 8 + 2,
        "MQSEC_QUEUE_GENERIC_READ": 0x20 + 0x20000 + 8 + 2 + 1,
        "MQSEC_QUEUE_GENERIC_WRITE": 0x20 + 0x20000 + 4,
        "MQSEC_QUEUE_GENERIC_ALL": 1 + 2 + 8 + 4 + 0x10 + 0x20 + 0xF0000,
    },
    "MQSITEACCESSMASK": {
        "MQSEC_CREATE_FRS": 0x1,
        "MQSEC_CREATE_BSC": 0x2,
        "MQSEC_CREATE_MACHINE": 0x4,
        "MQSEC_SET_SITE_PROPERTIES": 0x10,
        "MQSEC_GET_SITE_PROPERTIES": 0x20,
        "MQSEC_DELETE_SITE": 0x10000,
        "MQSEC_GET_SITE_PERMISSIONS": 0x20000,
        "MQSEC_CHANGE_SITE_PERMISSIONS": 0x40000,
        "MQSEC_TAKE_SITE_OWNERSHIP": 0x80000,
        "MQSEC_SITE_GENERIC_READ": 0x20 + 0x20000,
        "MQSEC_SITE_GENERIC_WRITE": 0x20 + 0x20000 + 4,
        "MQSEC_SITE_GENERIC_ALL": 1 + 2 + 4 + 0x10 + 0x20 + 0xF0000,
    },
    "MQENTACCESSMASK": {
        "MQSEC_CREATE_USER": 0x1,
        "MQSEC_CREATE_SITE": 0x2,
        "MQSEC_CREATE_CN": 0x4,
        "MQSEC_SET_ENTERPRISE_PROPERTIES": 0x10,
        "MQSEC_GET_ENTERPRISE_PROPERTIES": 0x20,
        "MQSEC_DELETE_ENTERPRISE": 0x10000,
        "MQSEC_GET_ENTERPRISE_PERMISSIONS": 0x20000,
        "MQSEC_CHANGE_ENTERPRISE_PERMISSIONS": 0x40000,
        "MQSEC_TAKE_ENTERPRISE_OWNERSHIP": 0x80000,
        "MQSEC_ENTERPRISE_GENERIC_READ": 1 + 0x20 + 0x20000,
        "MQSEC_ENTERPRISE_GENERIC_WRITE": 1 + 0x20 + 0x20000 + 2 + 4,
        "MQSEC_ENTERPRISE_GENERIC_ALL": 1 + 4 + 2 + 0x10 + 0x20 + 0xF0000,
    },
    "MQCNACCESSMASK": {
        "MQSEC_CN_OPEN_CONNECTOR": 0x1,
        "MQSEC_SET_CN_PROPERTIES": 0x10,
        "MQSEC_GET_CN_PROPERTIES": 0x20,
        "MQSEC_DELETE_CN": 0x10000,
        "MQSEC_GET_CN_PERMISSIONS": 0x20000,
        "MQSEC_CHANGE_CN_PERMISSIONS": 0x40000,
        "MQSEC_TAKE_CN_OWNERSHIP": 0x80000,
        "MQSEC_CN_GENERIC_READ": 0x20 + 0x20000,
        "SEC_CN_GENERIC_ALL": 1 + 0x10 + 0x20 + 0xF0000,
    },
    "SectionType": {
        "stFullPacket": 0,
        "stBinaryFirstSection": 1,
        "stBinarySecondSection": 2,
        "stSrmpFirstSection": 3,
        "stSrmpSecondSection": 4,
    },
    "PROVIDER_TYPE": {"PROV_RSA_FULL": 0x00000001, "PROV_RSA_AES": 0x00000018},
    "ADDRESS_TYPE": {
        "IP_ADDRESS_TYPE": 0x0001,
        "IP_RAS_ADDRESS_TYPE": 0x0002,
        "IPX_ADDRESS_TYPE": 0x0003,
        "FOREIGN_ADDRESS_TYPE": 0x0005,
        "IPV6_ADDRESS_TYPE": 0x0006,
    },
    "QUEUE_FORMAT_TYPE": {
        "QUEUE_FORMAT_TYPE_UNKNOWN": 0,
        "QUEUE_FORMAT_TYPE_PUBLIC": 1,
        "QUEUE_FORMAT_TYPE_PRIVATE": 2,
        "QUEUE_FORMAT_TYPE_DIRECT": 3,
        "QUEUE_FORMAT_TYPE_MACHINE": 4,
        "QUEUE_FORMAT_TYPE_CONNECTOR": 5,
        "QUEUE_FORMAT_TYPE_DL": 6,
        "QUEUE_FORMAT_TYPE_MULTICAST": 7,
        "QUEUE_FORMAT_TYPE_SUBQUEUE": 8,
    },
    "MESSAGE_CLASS_VALUES": {
        "MQMSG_CLASS_NORMAL": 0x0000,
        "MQMSG_CLASS_REPORT": 0x0001,
        "MQMSG_CLASS_ACK_REACH_QUEUE": 0x0002,
        "MQMSG_CLASS_ORDER_ACK": 0x00FF,
        "MQMSG_CLASS_ACK_RECEIVE": 0x4000,
        "MQMSG_CLASS_NACK_BAD_DST_Q": 0x8000,
        "MQMSG_CLASS_NACK_DELETED": 0x8001,
        "MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT": 0x8002,
        "MQMSG_CLASS_NACK_Q_EXCEED_QUOTA": 0x8003,
        "MQMSG_CLASS_NACK_ACCESS_DENIED": 0x8004,
        "MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED": 0x8005,
        "MQMSG_CLASS_NACK_BAD_SIGNATURE": 0x8006,
        "MQMSG_CLASS_NACK_BAD_ENCRYPTION": 0x8007,
        "MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q": 0x8009,
        "MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG": 0x800A,
        "MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER": 0x800B,
        "MQMSG_CLASS_NACK_Q_DELETED": 0xC000,
        "MQMSG_CLASS_NACK_Q_PURGED": 0xC001,
        "MQMSG_CLASS_NACK_RECEIVE_TIMEOUT": 0xC002,
        "MQMSG_CLASS_NACK_RECEIVE_REJECTED": 0xC004,
    },
}

ALGORITHMS = {
    0x8001: "MD2", 0x8002: "MD4", 0x8003: "MD5", 0x8004: "SHA1", 0x800C: "SHA_256", 0x800E: "SHA_512",
    0x6602: "RC2", 0x6610: "AES_256", 0x660E: "AES_128", 0x660F: "AES_192", 0x6801: "RC4",
    0x2400: "RSA_SIGN", 0xA400: "RSA_KEYX",
}  # fmt: skip

Row = tuple[int | None, int | None, str]


def parsed() -> dict[str, tuple[str, int | None, list[Row]]]:
    """The pages by name of the structure: section, size and rows."""
    found: dict[str, tuple[str, int | None, list[Row]]] = {}
    rows: list[Row] = []
    for line in PAGES.strip().splitlines():
        words = line.split()
        if line.startswith("["):
            document, number, name, size = words
            rows = []
            assert name not in found
            found[name] = f"{document} {number}", None if size == "variable" else int(size), rows
        else:
            offset, size, name = words
            numbers = [None if word == "-" else int(word) for word in (offset, size)]
            rows.append((numbers[0], numbers[1], name.rstrip("*")))
    return found


EXPECTED = parsed()


def width(field: Field) -> int | None:
    """Bytes that a field takes where it is present, or None where that varies."""
    match field.kind:
        case Integer(size=size) | Flags(size=size) | Guid(size=size):
            return size
        case Bytes(count=int(count)):
            return count
        case Nested(structure=inner):
            return inner.fixed_size
    return None


def laid_out(structure: Structure) -> list[Row]:
    """What the layout says, in the form of the pages."""
    rows: list[Row] = []
    offset: int | None = 0
    for field in structure.fields:
        size = width(field)
        rows.append((offset, size, field.name))
        offset = None if offset is None or size is None or field.present else offset + size
    return rows


def element(structure: Structure) -> str:
    """The type that the page prints for the elements of an array: a GUID is one, and no structure."""
    return structure.name.removesuffix("Element") if [*structure.by_name] == ["Value"] else structure.name


def by_path(kind: type) -> dict[str, Field]:
    """All fields of a kind by their path."""
    return {
        f"{name}.{field.name}": field
        for name in EXPECTED
        for field in structures()[name].fields
        if isinstance(field.kind, kind)
    }


def test_all_structures() -> None:
    """The pages and the layouts have the same structures."""
    known = {
        name
        for name, structure in structures().items()
        if structure.document in DOCUMENTS and element(structure) == name
    }
    assert set(EXPECTED) == known


@for_each("name", lambda: EXPECTED)
def test_fields(name: str) -> None:
    """Section, names, order, offsets and sizes."""
    section, size, rows = EXPECTED[name]
    structure = structures()[name]
    assert structure.section == section
    assert laid_out(structure) == rows
    assert structure.fixed_size == size
    assert structure.document == section[1:8]
    assert list(structure.by_name) == [field for _, _, field in rows]


@for_each("name", lambda: EXPECTED)
def test_least_size(name: str) -> None:
    """The smallest instance has all that is always there: fixed fields, terminators, shortest forms."""
    structure = structures()[name]
    least = 0
    for field in structure.fields:
        if f"{name}.{field.name}" in OPTIONAL:
            continue
        size = width(field)
        path = f"{name}.{field.name}"
        if size is not None:
            least += size
        elif TEXTS.get(path) == NUL or path == "MQFFormatNameElement.FormatName":
            least += 2
        elif isinstance(field.kind, Nested):
            least += field.kind.structure.least_size
    assert structure.least_size == least


@for_each("path", lambda: GROUPS)
def test_groups(path: str) -> None:
    """Every bit of a flags word belongs to the group that the page shows it in."""
    name, _, field_name = path.partition(".")
    kind = structures()[name].by_name[field_name].kind
    assert isinstance(kind, Flags)
    expected: list[tuple[str, int, int]] = []
    for words in GROUPS[path].split(", "):
        group, bits = words.split()
        first, _, last = bits.partition("-")
        expected.append((group, int(first), int(last or first) - int(first) + 1))
    assert [(item.name, item.shift, item.width) for item in kind.groups] == expected
    assert sum(width for _, _, width in expected) == kind.size * 8
    flags = Record.class_of(name).flags[field_name]
    for name, shift, width in expected:
        word = flags(((1 << width) - 1) << shift)
        assert kind.group(name).mask == int(word)
        assert word.to_dict() == {other: (1 << width) - 1 if other == name else 0 for other, _, _ in expected}


def test_all_flags() -> None:
    """No flags word is missing from the table above."""
    assert set(by_path(Flags)) == set(GROUPS)


def test_guids() -> None:
    """What the pages call a GUID is one."""
    assert set(by_path(Guid)) == GUIDS


def test_texts() -> None:
    """What the pages call WCHARs or Unicode is text, counted as they say."""
    assert {path: str(field.kind.count) for path, field in by_path(Text).items()} == TEXTS  # type: ignore[union-attr]  # by_path finds that kind


def test_counted_bytes() -> None:
    """Bytes are counted by the field that the pages name."""
    found = {
        path: str(field.kind.count)  # type: ignore[union-attr]  # by_path finds that kind
        for path, field in by_path(Bytes).items()
        if not field.is_filler and width(field) is None
    }
    assert found == COUNTED_BYTES


def test_arrays() -> None:
    """Arrays of structures or GUIDs and the fields that count them."""
    kinds: dict[str, Any] = {path: field.kind for path, field in by_path(Items).items()}
    assert {path: (element(kind.structure), str(kind.count)) for path, kind in kinds.items()} == ARRAYS


def test_forms() -> None:
    """The forms of queue names and the values that select them."""
    found = {}
    for path, field in by_path(Choice).items():
        assert isinstance(field.kind, Choice)
        forms = {value: form.name if form else None for value, form in field.kind.forms.items()}
        found[path] = field.kind.selector, forms
    assert found == FORMS


def test_optional_fields() -> None:
    """What the pages call optional, and nothing else, may be absent; what they name announces it."""
    announced = {
        f"{name}.{field.name}": str(field.present)
        for name, structure in structures().items()
        for field in structure.fields
        if field.present
    }
    assert announced == OPTIONAL


def test_signed_numbers() -> None:
    """SeqID is the only signed number of these documents."""
    signed = {path for path, field in by_path(Integer).items() if field.kind.bounds[0] < 0}  # type: ignore[union-attr]  # by_path finds that kind
    assert signed == {"SEQUENCE_INFO.SeqID"}


# Paddings whose size depends on the place: from where the boundary counts, the boundary in bytes, and for
# values of a field another one; the rest is read so by the errata M13, M16 and M32.
PADDINGS = {
    "MQFFormatNameElement.Padding": Alignment("MQFAddressHeader", 4, "FormatType", ((3, 2),), packed=(1,)),
    "MultiQueueFormatHeader.Padding": Alignment("MultiQueueFormatHeader", 4, cut_short=True),
    "SoapHeader.HeaderPadding": Alignment("SoapHeader", 4, before=("BodySectionID", 900)),
    "SoapHeader.Padding": Alignment("SoapHeader", 4, cut_short=True),
}


def test_paddings() -> None:
    """Paddings to a boundary that depends on the place: 4 bytes, for direct names of a list 2."""
    kinds: dict[str, Any] = {path: field.kind for path, field in by_path(Padding).items()}
    assert {path: kind.alignment for path, kind in kinds.items()} == PADDINGS


def test_sizes_of_the_whole() -> None:
    """Which field states the size of its structure, and to which multiple it is rounded up."""
    extents: dict[str, Any] = {name: structures()[name].extent for name in EXPECTED}
    packets = ("UserMessage", "OrderAck", "FinalAck", "EstablishConnection", "ConnectionParameters",
               "SessionAck")  # fmt: skip
    assert {name: (extent.path, extent.multiple) for name, extent in extents.items() if extent} == {
        "MQDSPUBLICKEYS": ("ulLen", 1),
        "MQFAddressHeader": ("HeaderSize", 4),
        "DeadLetterHeader": ("HeaderSize", 1),
        **dict.fromkeys(packets, ("BaseHeader.PacketSize", 1)),
    }


@for_each("name", lambda: ENUMERATIONS)
def test_enumerations(name: str) -> None:
    """Names and numbers of the enumerations."""
    assert enumerations()[name] == ENUMERATIONS[name]


def test_algorithms() -> None:
    """The identifiers of hashes, ciphers and kinds of keys."""
    assert {number: f"CALG_{name}" for number, name in ALGORITHMS.items()} == {
        number: name for name, number in enumerations()["ALG_ID"].items()
    }


@for_each("name", lambda: EXPECTED)
def test_classes(name: str) -> None:
    """Every structure has a class of that name with those fields, and each field a description."""
    structure = structures()[name]
    cls = Record.class_of(name)
    assert cls.layout is structure
    assert cls.__name__ == name
    assert cls.__struct_fields__ == tuple(structure.by_name)
    told = " ".join(cls.__doc__.split()).lower()
    for field in structure.fields:
        if not field.is_filler:
            assert field.doc
            assert f"{field.name}: {field.doc}".lower() in told
    assert set(cls.flags) == {field.name for field in structure.fields if isinstance(field.kind, Flags)}
