"""The structures of [MS-MQMQ] as C text, in the order of the document for line-by-line comparison.

`void` marks a field whose form another field selects; `[EOF]` means all remaining bytes of the enclosing
size.  `relations` completes both.  Whole messages are a text of their own, because they also have headers of
[MS-MQRR].
"""

from __future__ import annotations

MQMQ = r"""
// ------------------------------------------------------------------ [MS-DTYP] 2.3.4.2 GUID
typedef struct { uint32 Data1; uint16 Data2; uint16 Data3; char Data4[8]; } GUID;

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.1, 2.2.19.3, 2.2.20.6; the type's name is ours
enum PROVIDER_TYPE : uint32 { PROV_RSA_FULL = 0x00000001, PROV_RSA_AES = 0x00000018 };
enum ALG_ID : uint32 {
    CALG_RSA_SIGN = 0x00002400, CALG_RSA_KEYX = 0x0000A400,
    CALG_RC2 = 0x00006602, CALG_AES_128 = 0x0000660E, CALG_AES_192 = 0x0000660F, CALG_AES_256 = 0x00006610,
    CALG_RC4 = 0x00006801,
    CALG_MD2 = 0x00008001, CALG_MD4 = 0x00008002, CALG_MD5 = 0x00008003, CALG_SHA1 = 0x00008004,
    CALG_SHA_256 = 0x0000800C, CALG_SHA_512 = 0x0000800E
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.4, [MS-MQRR] 2.2.5.1; the type's name is ours
enum ADDRESS_TYPE : uint16 {
    IP_ADDRESS_TYPE = 0x0001, IP_RAS_ADDRESS_TYPE = 0x0002, IPX_ADDRESS_TYPE = 0x0003,
    FOREIGN_ADDRESS_TYPE = 0x0005, IPV6_ADDRESS_TYPE = 0x0006
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.6 QUEUE_FORMAT_TYPE
enum QUEUE_FORMAT_TYPE : uint16 {
    QUEUE_FORMAT_TYPE_UNKNOWN = 0, QUEUE_FORMAT_TYPE_PUBLIC = 1, QUEUE_FORMAT_TYPE_PRIVATE = 2,
    QUEUE_FORMAT_TYPE_DIRECT = 3, QUEUE_FORMAT_TYPE_MACHINE = 4, QUEUE_FORMAT_TYPE_CONNECTOR = 5,
    QUEUE_FORMAT_TYPE_DL = 6, QUEUE_FORMAT_TYPE_MULTICAST = 7, QUEUE_FORMAT_TYPE_SUBQUEUE = 8
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.11 QUEUE_SUFFIX_TYPE
enum QUEUE_SUFFIX_TYPE : uint8 {
    QUEUE_SUFFIX_TYPE_NONE = 0, QUEUE_SUFFIX_TYPE_JOURNAL = 1, QUEUE_SUFFIX_TYPE_DEADLETTER = 2,
    QUEUE_SUFFIX_TYPE_DEADXACT = 3, QUEUE_SUFFIX_TYPE_XACTONLY = 4, QUEUE_SUFFIX_TYPE_SUBQUEUE = 5
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.6 MESSAGE_CLASS_VALUES
enum MESSAGE_CLASS_VALUES : uint16 {
    MQMSG_CLASS_NORMAL = 0x0000,
    MQMSG_CLASS_REPORT = 0x0001,
    MQMSG_CLASS_ACK_REACH_QUEUE = 0x0002,
    MQMSG_CLASS_ORDER_ACK = 0x00FF,
    MQMSG_CLASS_ACK_RECEIVE = 0x4000,
    MQMSG_CLASS_NACK_BAD_DST_Q = 0x8000,
    MQMSG_CLASS_NACK_DELETED = 0x8001,
    MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT = 0x8002,
    MQMSG_CLASS_NACK_Q_EXCEED_QUOTA = 0x8003,
    MQMSG_CLASS_NACK_ACCESS_DENIED = 0x8004,
    MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED = 0x8005,
    MQMSG_CLASS_NACK_BAD_SIGNATURE = 0x8006,
    MQMSG_CLASS_NACK_BAD_ENCRYPTION = 0x8007,
    MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q = 0x8009,
    MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG = 0x800A,
    MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER = 0x800B,
    MQMSG_CLASS_NACK_Q_DELETED = 0xC000,
    MQMSG_CLASS_NACK_Q_PURGED = 0xC001,
    MQMSG_CLASS_NACK_RECEIVE_TIMEOUT = 0xC002,
    MQMSG_CLASS_NACK_RECEIVE_REJECTED = 0xC004
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.23 MQQMACCESSMASK
flag MQQMACCESSMASK : uint32 {
    MQSEC_DELETE_DEADLETTER_MESSAGE = 0x00000001,
    MQSEC_PEEK_DEADLETTER_MESSAGE = 0x00000002,
    MQSEC_CREATE_QUEUE = 0x00000004,
    MQSEC_SET_MACHINE_PROPERTIES = 0x00000010,
    MQSEC_GET_MACHINE_PROPERTIES = 0x00000020,
    MQSEC_DELETE_JOURNAL_QUEUE_MESSAGE = 0x00000040,
    MQSEC_PEEK_JOURNAL_QUEUE_MESSAGE = 0x00000080,
    MQSEC_DELETE_MACHINE = 0x00010000,
    MQSEC_GET_MACHINE_PERMISSIONS = 0x00020000,
    MQSEC_CHANGE_MACHINE_PERMISSIONS = 0x00040000,
    MQSEC_TAKE_MACHINE_OWNERSHIP = 0x00080000,
    MQSEC_RECEIVE_DEADLETTER_MESSAGE = MQSEC_DELETE_DEADLETTER_MESSAGE | MQSEC_PEEK_DEADLETTER_MESSAGE,
    MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE = MQSEC_DELETE_JOURNAL_QUEUE_MESSAGE | MQSEC_PEEK_JOURNAL_QUEUE_MESSAGE,
    MQSEC_MACHINE_GENERIC_READ = MQSEC_GET_MACHINE_PROPERTIES | MQSEC_GET_MACHINE_PERMISSIONS | MQSEC_RECEIVE_DEADLETTER_MESSAGE | MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE,
    MQSEC_MACHINE_GENERIC_WRITE = MQSEC_GET_MACHINE_PROPERTIES | MQSEC_GET_MACHINE_PERMISSIONS | MQSEC_CREATE_QUEUE,
    MQSEC_MACHINE_GENERIC_ALL = MQSEC_RECEIVE_DEADLETTER_MESSAGE | MQSEC_RECEIVE_JOURNAL_QUEUE_MESSAGE | MQSEC_CREATE_QUEUE | MQSEC_SET_MACHINE_PROPERTIES | MQSEC_GET_MACHINE_PROPERTIES | MQSEC_DELETE_MACHINE | MQSEC_GET_MACHINE_PERMISSIONS | MQSEC_CHANGE_MACHINE_PERMISSIONS | MQSEC_TAKE_MACHINE_OWNERSHIP,
    MQSEC_MACHINE_WORLD_RIGHTS = MQSEC_GET_MACHINE_PROPERTIES | MQSEC_GET_MACHINE_PERMISSIONS
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.24 MQQUEUEACCESSMASK
flag MQQUEUEACCESSMASK : uint32 {
    MQSEC_DELETE_MESSAGE = 0x00000001,
    MQSEC_PEEK_MESSAGE = 0x00000002,
    MQSEC_WRITE_MESSAGE = 0x00000004,
    MQSEC_DELETE_JOURNAL_MESSAGE = 0x00000008,
    MQSEC_SET_QUEUE_PROPERTIES = 0x00000010,
    MQSEC_GET_QUEUE_PROPERTIES = 0x00000020,
    MQSEC_DELETE_QUEUE = 0x00010000,
    MQSEC_GET_QUEUE_PERMISSIONS = 0x00020000,
    MQSEC_CHANGE_QUEUE_PERMISSIONS = 0x00040000,
    MQSEC_TAKE_QUEUE_OWNERSHIP = 0x00080000,
    MQSEC_RECEIVE_MESSAGE = MQSEC_DELETE_MESSAGE | MQSEC_PEEK_MESSAGE,
    MQSEC_RECEIVE_JOURNAL_MESSAGE = MQSEC_DELETE_JOURNAL_MESSAGE | MQSEC_PEEK_MESSAGE,
    MQSEC_QUEUE_GENERIC_READ = MQSEC_GET_QUEUE_PROPERTIES | MQSEC_GET_QUEUE_PERMISSIONS | MQSEC_RECEIVE_MESSAGE | MQSEC_RECEIVE_JOURNAL_MESSAGE,
    MQSEC_QUEUE_GENERIC_WRITE = MQSEC_GET_QUEUE_PROPERTIES | MQSEC_GET_QUEUE_PERMISSIONS | MQSEC_WRITE_MESSAGE,
    MQSEC_QUEUE_GENERIC_ALL = MQSEC_RECEIVE_MESSAGE | MQSEC_RECEIVE_JOURNAL_MESSAGE | MQSEC_WRITE_MESSAGE | MQSEC_SET_QUEUE_PROPERTIES | MQSEC_GET_QUEUE_PROPERTIES | MQSEC_DELETE_QUEUE | MQSEC_GET_QUEUE_PERMISSIONS | MQSEC_CHANGE_QUEUE_PERMISSIONS | MQSEC_TAKE_QUEUE_OWNERSHIP
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.25 MQSITEACCESSMASK
flag MQSITEACCESSMASK : uint32 {
    MQSEC_CREATE_FRS = 0x00000001,
    MQSEC_CREATE_BSC = 0x00000002,
    MQSEC_CREATE_MACHINE = 0x00000004,
    MQSEC_SET_SITE_PROPERTIES = 0x00000010,
    MQSEC_GET_SITE_PROPERTIES = 0x00000020,
    MQSEC_DELETE_SITE = 0x00010000,
    MQSEC_GET_SITE_PERMISSIONS = 0x00020000,
    MQSEC_CHANGE_SITE_PERMISSIONS = 0x00040000,
    MQSEC_TAKE_SITE_OWNERSHIP = 0x00080000,
    MQSEC_SITE_GENERIC_READ = MQSEC_GET_SITE_PROPERTIES | MQSEC_GET_SITE_PERMISSIONS,
    MQSEC_SITE_GENERIC_WRITE = MQSEC_GET_SITE_PROPERTIES | MQSEC_GET_SITE_PERMISSIONS | MQSEC_CREATE_MACHINE,
    MQSEC_SITE_GENERIC_ALL = MQSEC_CREATE_FRS | MQSEC_CREATE_BSC | MQSEC_CREATE_MACHINE | MQSEC_SET_SITE_PROPERTIES | MQSEC_GET_SITE_PROPERTIES | MQSEC_DELETE_SITE | MQSEC_GET_SITE_PERMISSIONS | MQSEC_CHANGE_SITE_PERMISSIONS | MQSEC_TAKE_SITE_OWNERSHIP
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.26 MQENTACCESSMASK
flag MQENTACCESSMASK : uint32 {
    MQSEC_CREATE_USER = 0x00000001,
    MQSEC_CREATE_SITE = 0x00000002,
    MQSEC_CREATE_CN = 0x00000004,
    MQSEC_SET_ENTERPRISE_PROPERTIES = 0x00000010,
    MQSEC_GET_ENTERPRISE_PROPERTIES = 0x00000020,
    MQSEC_DELETE_ENTERPRISE = 0x00010000,
    MQSEC_GET_ENTERPRISE_PERMISSIONS = 0x00020000,
    MQSEC_CHANGE_ENTERPRISE_PERMISSIONS = 0x00040000,
    MQSEC_TAKE_ENTERPRISE_OWNERSHIP = 0x00080000,
    MQSEC_ENTERPRISE_GENERIC_READ = MQSEC_CREATE_USER | MQSEC_GET_ENTERPRISE_PROPERTIES | MQSEC_GET_ENTERPRISE_PERMISSIONS,
    MQSEC_ENTERPRISE_GENERIC_WRITE = MQSEC_CREATE_USER | MQSEC_GET_ENTERPRISE_PROPERTIES | MQSEC_GET_ENTERPRISE_PERMISSIONS | MQSEC_CREATE_SITE | MQSEC_CREATE_CN,
    MQSEC_ENTERPRISE_GENERIC_ALL = MQSEC_CREATE_USER | MQSEC_CREATE_CN | MQSEC_CREATE_SITE | MQSEC_SET_ENTERPRISE_PROPERTIES | MQSEC_GET_ENTERPRISE_PROPERTIES | MQSEC_DELETE_ENTERPRISE | MQSEC_GET_ENTERPRISE_PERMISSIONS | MQSEC_CHANGE_ENTERPRISE_PERMISSIONS | MQSEC_TAKE_ENTERPRISE_OWNERSHIP
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.27 MQCNACCESSMASK
flag MQCNACCESSMASK : uint32 {
    MQSEC_CN_OPEN_CONNECTOR = 0x00000001,
    MQSEC_SET_CN_PROPERTIES = 0x00000010,
    MQSEC_GET_CN_PROPERTIES = 0x00000020,
    MQSEC_DELETE_CN = 0x00010000,
    MQSEC_GET_CN_PERMISSIONS = 0x00020000,
    MQSEC_CHANGE_CN_PERMISSIONS = 0x00040000,
    MQSEC_TAKE_CN_OWNERSHIP = 0x00080000,
    MQSEC_CN_GENERIC_READ = MQSEC_GET_CN_PROPERTIES | MQSEC_GET_CN_PERMISSIONS,
    SEC_CN_GENERIC_ALL = MQSEC_CN_OPEN_CONNECTOR | MQSEC_SET_CN_PROPERTIES | MQSEC_GET_CN_PROPERTIES | MQSEC_DELETE_CN | MQSEC_GET_CN_PERMISSIONS | MQSEC_CHANGE_CN_PERMISSIONS | MQSEC_TAKE_CN_OWNERSHIP
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.1 MQDSPUBLICKEY
// A public key of a queue manager, with the provider that made it.
struct MQDSPUBLICKEY {
    uint32 ulKeyLen;                    // size of aBuf in bytes
    uint32 ulProviderLen;               // size of sProviderName in bytes, terminator included
    PROVIDER_TYPE ulProviderType;       // provider type code
    wchar  sProviderName[ulProviderLen / 2]; // provider name, terminator included
    char   aBuf[ulKeyLen];              // BLOBHEADER, RSAPUBKEY and modulus; see PUBLICKEYBLOB
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.2 MQDSPUBLICKEYS
// Several public keys of a queue manager, as the directory keeps them.
struct MQDSPUBLICKEYS {
    uint32 ulLen;                       // size of the whole structure in bytes
    uint32 cNumofKeys;                  // count of keys
    MQDSPUBLICKEY aPublicKeys[cNumofKeys]; // the keys
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.4 TA_ADDRESS
// A transport address of one kind.
struct TA_ADDRESS {
    uint16 AddressLength;               // size of Address in bytes: 4 IP, 10 IPX, 16 foreign
    ADDRESS_TYPE AddressType;           // kind of address
    char   Address[AddressLength];      // the address
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.4.2 IPX Address
// An IPX address, the Address of a TA_ADDRESS of type IPX_ADDRESS_TYPE.
struct IPXAddress {
    char   Netnum[4];                   // IPX network
    char   nodenum[6];                  // IPX node
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.5.1 SEQUENCE_INFO
// The position of a message in its stream.
struct SEQUENCE_INFO {
    int64  SeqID;                       // identifier of the sequence
    uint32 SeqNo;                       // number of the message in the sequence
    uint32 PrevNo;                      // number of the message before it
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.8 OBJECTID
// A private queue, or another object within a group.
struct OBJECTID {
    GUID   Lineage;                     // the group, such as the queue manager that hosts a private queue
    uint32 Uniquifier;                  // number of the object within its group
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.10 MULTICAST_ID
// A multicast address and its port.
struct MULTICAST_ID {
    uint32 m_address;                   // IPv4 address, its first octet in the least significant byte
    uint32 m_port;                      // port
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.17 ULARGE_INTEGER
// A number of 64 bits.
struct ULARGE_INTEGER {
    uint64 QuadPart;                    // the number
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.2 TxSequenceID
// Identifier of a sequence of transactional messages.
struct TxSequenceID {
    uint32 Ordinal;                     // low-order half of the 64-bit value
    uint32 TimeStamp;                   // high-order half of the 64-bit value
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.3 MessageIdentifier
// Identifier of a message among all messages of all queue managers.
struct MessageIdentifier {
    GUID   QueueManagerGuid;            // queue manager that sent the message
    uint32 Ordinal;                     // number of the message, unique within its queue manager
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4.1 MQFDirectQueueFormatName
// A direct format name in a list of names.
struct MQFDirectQueueFormatName {
    wchar  DirectFormatName[];          // direct format name without "DIRECT=", terminator not included
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4.2 MQFDistributionQueueFormatName
// A distribution list in a list of names.
struct MQFDistributionQueueFormatName {
    GUID   DistributionListIdentifier;  // distribution list in the directory
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.5.1 PrivateQueueFormatNameId
// A private queue whose host is stated elsewhere.
struct PrivateQueueFormatNameId {
    uint32 PrivateQueueIdentifier;      // number of the private queue on its host
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.5.2 DirectQueueFormatName
// A direct format name in a UserHeader.
struct DirectQueueFormatName {
    uint16 Count;                       // size of DirectFormatName in bytes, terminator included, padding not
    wchar  DirectFormatName[Count / 2]; // direct format name without "DIRECT=", terminator included
    char   Padding[-(2 + Count) & 3];   // to a 4-byte boundary of the header; any value
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.7.1 PublicQueueFormatName
// A public queue.
struct PublicQueueFormatName {
    GUID   PublicQueueIdentifier;       // the public queue in the directory
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.7.2 PrivateQueueFormatName
// A private queue and its host.
struct PrivateQueueFormatName {
    GUID   SourceQueueManager;          // queue manager that hosts the queue
    uint32 PrivateQueueIdentifier;      // number of the private queue on that host
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4 MQFFormatNameElement
// One element of a list of names, in one of four forms.
struct MQFFormatNameElement {
    QUEUE_FORMAT_TYPE FormatType;       // form of FormatName
    void   Padding;                     // to the boundary that the form asks for; any value
    void   FormatName;                  // the queue's name in the form that FormatType selects
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.8 XACTUOW
// Identifier of a transactional unit of work.
struct XACTUOW {
    char   rgb[16];                     // identifier of a transactional unit of work
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.19.1 BaseHeader
// The first header of every packet, with its version, flags and size.
struct BaseHeader {
    uint8  VersionNumber;               // version of the packet format, 0x10
    uint8  Reserved;                    // any value
    struct {
        uint16 PR : 3;                      // priority, 0 to 7, 7 the highest; 0 for a transactional message
        uint16 IN : 1;                      // internal packet: connection establishment or session acknowledgment
        uint16 SH : 1;                      // a SessionHeader is present
        uint16 DH : 1;                      // a DebugHeader is present
        uint16 X9 : 1;                      // reserved
        uint16 X8 : 1;                      // reserved
        uint16 TR : 1;                      // tracing of this message is enabled
        uint16 X6 : 1;                      // reserved
        uint16 X5 : 1;                      // reserved
        uint16 X4 : 1;                      // reserved
        uint16 X3 : 1;                      // reserved
        uint16 X2 : 1;                      // reserved
        uint16 X1 : 1;                      // reserved
        uint16 X0 : 1;                      // reserved
    } Flags;                            // options of the packet
    uint32 Signature;                   // 0x524F494C
    uint32 PacketSize;                  // size of the packet in bytes, at most 0x00400000; without a SessionHeader that follows a UserMessage
    uint32 TimeToReachQueue;            // time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.19.2 UserHeader
// The sender and the queues of a message, and the headers that follow.
struct UserHeader {
    GUID   SourceQueueManager;          // queue manager of the original sender
    GUID   QueueManagerAddress;         // destination queue manager; null for a direct format name
    uint32 TimeToBeReceived;            // seconds until the message expires; 0xFFFFFFFF: never
    uint32 SentTime;                    // when the packet was sent, seconds since 1970-01-01 UTC
    uint32 MessageID;                   // number of the message, unique within its sender
    struct {
        uint32 RC : 5;                      // routing servers passed, 0x00 to 0x1D
        uint32 DM : 2;                      // delivery mode
        uint32 X1 : 1;                      // reserved
        uint32 JN : 1;                      // negative source journaling
        uint32 JP : 1;                      // positive source journaling
        uint32 DQ : 3;                      // form of DestinationQueue
        uint32 AQ : 3;                      // form of AdminQueue
        uint32 RQ : 3;                      // form of ResponseQueue
        uint32 SH : 1;                      // a SecurityHeader is present
        uint32 TH : 1;                      // a TransactionHeader is present
        uint32 MP : 1;                      // a MessagePropertiesHeader is present, always
        uint32 CQ : 1;                      // ConnectorType is present
        uint32 MQ : 1;                      // a MultiQueueFormatHeader is present
        uint32 X2 : 1;                      // reserved
        uint32 AH : 1;                      // the message was sent over HTTP; the SRMP headers are present
        uint32 X3 : 2;                      // reserved
        uint32 HH : 1;                      // a SoapHeader is present
        uint32 X4 : 3;                      // reserved
    } Flags;                            // options of the message
    void   DestinationQueue;            // final destination, in the form that Flags.DQ selects
    void   AdminQueue;                  // queue for administration acknowledgments, in the form that Flags.AQ selects
    void   ResponseQueue;               // queue for replies, in the form that Flags.RQ selects
    GUID   ConnectorType;               // defined by the application; present if Flags.CQ is set
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.19.3 MessagePropertiesHeader
// A message's class, label and body.
struct MessagePropertiesHeader {
    struct {
        uint8 PA : 1;                       // acknowledge delivery
        uint8 PR : 1;                       // acknowledge retrieval
        uint8 NA : 1;                       // acknowledge failure of delivery
        uint8 NR : 1;                       // acknowledge failure of retrieval
        uint8 X  : 4;                       // unused
    } Flags;                            // administration acknowledgments asked for
    uint8  LabelLength;                 // WCHARs in Label, terminator included, at most 0xFA
    MESSAGE_CLASS_VALUES MessageClass;  // type of the message
    char   CorrelationID[20];           // application's data; in an acknowledgment the MessageIdentifier of the message acknowledged
    uint32 BodyType;                    // variant type of the body
    uint32 ApplicationTag;              // application's number
    uint32 MessageSize;                 // size of MessageBody in bytes
    uint32 AllocationBodySize;          // bytes allocated for MessageBody, at least MessageSize
    uint32 PrivacyLevel;                // encryption of the body
    ALG_ID HashAlgorithm;               // hash that the signature uses
    ALG_ID EncryptionAlgorithm;         // cipher of the body
    uint32 ExtensionSize;               // size of ExtensionData in bytes
    wchar  Label[LabelLength];          // application's description, terminator included
    char   ExtensionData[ExtensionSize]; // application's additional data
    char   MessageBody[MessageSize];    // the message itself
    char   Padding[-(LabelLength * 2 + ExtensionSize + MessageSize) & 3]; // to a multiple of 4 bytes; any value
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.2 MQFAddressHeader
// A list of queue names.
struct MQFAddressHeader {
    uint32 HeaderSize;                  // size of this header in bytes, variable data included
    uint16 HeaderID;                    // which list this is
    uint16 Reserved;                    // zero when sent
    uint32 ElementCount;                // count of names
    MQFFormatNameElement FormatNameList[ElementCount]; // the names
    char   Padding[EOF];                // to a 4-byte boundary; any value
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.3 MQFSignatureHeader
// The signature of a MultiQueueFormatHeader.
struct MQFSignatureHeader {
    uint16 ID;                          // 0x015E
    uint16 Reserved;                    // zero when sent
    uint32 Size;                        // size of Signature in bytes
    char   Signature[Size];             // the signature
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.1 MultiQueueFormatHeader
// All destinations of a message that was sent to several queues.
struct MultiQueueFormatHeader {
    MQFAddressHeader Destination;       // every queue that was sent a copy
    MQFAddressHeader Administration;    // administration queues
    MQFAddressHeader Response;          // response queues
    MQFSignatureHeader Signature;       // signature of the packet
    void   Padding;                     // to a 4-byte boundary of the packet; any value
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.4 SessionHeader
// Acknowledgments of the messages received on a session, and its window.
struct SessionHeader {
    uint16 AckSequenceNumber;           // UserMessage packets received on this session
    uint16 RecoverableMsgAckSeqNumber;  // lowest persisted recoverable message not yet acknowledged; 0: none
    uint32 RecoverableMsgAckFlags;      // bit k: recoverable message RecoverableMsgAckSeqNumber + k is on disk
    uint16 UserMsgSequenceNumber;       // UserMessage packets sent on this session
    uint16 RecoverableMsgSeqNumber;     // recoverable UserMessage packets sent on this session
    uint16 WindowSize;                  // acknowledgment window in packets, 1 to 0xFFFF
    uint16 Reserved;                    // any value
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.5 TransactionHeader
// The position of a message in its transactional sequence.
struct TransactionHeader {
    struct {
        uint32 CG : 1;                      // ConnectorQMGuid is present
        uint32 FA : 1;                      // a FinalAck packet is required
        uint32 FM : 1;                      // first message of its transaction
        uint32 LM : 1;                      // last message of its transaction
        uint32 ID : 20;                     // identifier that correlates the packets of one transaction
        uint32 X1 : 1;                      // unused
        uint32 X2 : 1;                      // unused
        uint32 X3 : 1;                      // unused
        uint32 X4 : 1;                      // unused
        uint32 X5 : 1;                      // unused
        uint32 X6 : 1;                      // unused
        uint32 X7 : 1;                      // unused
        uint32 X8 : 1;                      // unused
    } Flags;                            // options of the transaction
    TxSequenceID TxSequenceID;          // the sequence that both numbers belong to
    uint32 TxSequenceNumber;            // position of the message in the sequence, from 1
    uint32 PreviousTxSequenceNumber;    // position of the previous message; 0: none
    GUID   ConnectorQMGuid;             // connector queue manager; present if Flags.CG is set
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.6 SecurityHeader
// Sender's identity, keys, signature and certificate.
struct SecurityHeader {
    struct {
        uint16 ST : 4;                      // type of SecurityData.SecurityID
        uint16 AU : 1;                      // message is authenticated, zero when sent
        uint16 EB : 1;                      // body is encrypted
        uint16 DE : 1;                      // default cryptographic provider
        uint16 AI : 1;                      // SecurityData is present
        uint16 AS : 4;                      // authentication signature type, zero when sent
        uint16 X12 : 1;                     // unused
        uint16 X13 : 1;                     // unused
        uint16 X14 : 1;                     // unused
        uint16 X15 : 1;                     // unused
    } Flags;                            // options of the security information
    uint16 SenderIdSize;                // size of SecurityData.SecurityID in bytes
    uint16 EncryptionKeySize;           // size of SecurityData.EncryptionKey in bytes
    uint16 SignatureSize;               // size of SecurityData.Signature in bytes
    uint32 SenderCertSize;              // size of SecurityData.SenderCert in bytes, at most 0xFFFF
    uint32 ProviderInfoSize;            // size of SecurityData.ProviderInfo in bytes
    struct {
        char   SecurityID[SenderIdSize]; // SID of the sender, or GUID of its queue manager
        char   SecurityIDPadding[-SenderIdSize & 3]; // to a 4-byte boundary; the name is ours
        char   EncryptionKey[EncryptionKeySize]; // session key, see SIMPLEBLOB
        char   EncryptionKeyPadding[-EncryptionKeySize & 3]; // to a 4-byte boundary; the name is ours
        char   Signature[SignatureSize]; // digital signature of the packet
        char   SignaturePadding[-SignatureSize & 3]; // to a 4-byte boundary; the name is ours
        char   SenderCert[SenderCertSize]; // X.509 certificate of the sender
        char   SenderCertPadding[-SenderCertSize & 3]; // to a 4-byte boundary; the name is ours
        char   ProviderInfo[ProviderInfoSize]; // alternative provider, see ProviderInfo
        char   ProviderInfoPadding[-ProviderInfoSize & 3]; // to a 4-byte boundary; the name is ours
    } SecurityData;                     // the five parts; absent when all five sizes are zero
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.6 ProviderInfo
// The cryptographic provider that made a signature, from `SecurityData.ProviderInfo`.
struct ProviderInfo {
    uint32 ProviderType;                // type of the provider that made the signature
    wchar  ProviderName[];              // its name, terminator not included
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.6 SenderCert
// The public key in a sender's certificate.
struct SenderCertPublicKey {
    uint8  bType;                       // 0x06, a public key; the page prints values only, so this name is ours
    uint8  bVersion;                    // 0x02; the name is ours
    uint16 reserved;                    // zero; the name is ours
    ALG_ID KeyType;                     // the purpose of the key
    char   magic[4];                    // "RSA1"; the name is ours
    uint32 LengthInBits;                // length of Modulus in bits
    uint32 PublicExponent;              // e of the key pair
    char   Modulus[EOF];                // n of the key pair, little-endian, filled up with zeros
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.7 SoapHeader
// Two texts of the application.
struct SoapHeader {
    uint16 HeaderSectionID;             // 0x0320
    uint16 Reserved;                    // zero when sent
    uint32 HeaderDataLength;            // WCHARs in Header, terminator included
    wchar  Header[HeaderDataLength];    // application's text, terminator included
    void   HeaderPadding;               // to a 4-byte boundary if BodySectionID is aligned, otherwise absent; any value
    uint16 BodySectionID;               // 0x0384
    uint16 Reserved1;                   // zero when sent
    uint32 BodyDataLength;              // WCHARs in Body, terminator included
    wchar  Body[BodyDataLength];        // application's text, terminator included
    void   Padding;                     // to a 4-byte boundary of the packet; any value
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.8 DebugHeader
// The queue that receives trace messages.
struct DebugHeader {
    struct {
        uint16 QT : 2;                      // form of the trace queue
        uint16 X2 : 1;                      // unused
        uint16 X3 : 1;                      // unused
        uint16 X4 : 1;                      // unused
        uint16 X5 : 1;                      // unused
        uint16 X6 : 1;                      // unused
        uint16 X7 : 1;                      // unused
        uint16 X8 : 1;                      // unused
        uint16 X9 : 1;                      // unused
        uint16 X10 : 1;                     // unused
        uint16 X11 : 1;                     // unused
        uint16 X12 : 1;                     // unused
        uint16 X13 : 1;                     // unused
        uint16 X14 : 1;                     // unused
        uint16 X15 : 1;                     // unused
    } Flags;                            // options of tracing
    uint16 Reserved;                    // zero when sent
    GUID   QueueIdentifier;             // queue that receives trace messages; present if Flags.QT is 1
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.22 MQUSERSIGNCERT
// A user's certificate with its digest and identifier.
struct MQUSERSIGNCERT {
    char   Digest[16];                  // MD5 of Certificate
    GUID   Identifier;                  // identifier of the certificate
    uint32 CertificateLength;           // size of Certificate in bytes
    char   Certificate[CertificateLength]; // X.509 certificate
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.21 MQUSERSIGNCERTS
// All certificates of a user, as the directory keeps them.
struct MQUSERSIGNCERTS {
    uint32 CertificateCount;            // count of certificates
    MQUSERSIGNCERT Certificates[CertificateCount]; // the certificates
};
"""

USER_MESSAGE = r"""
// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20, [MS-MQRR] 2.2.5.1 UserMessage
// A message: a packet of the binary protocol, or a message that was sent over HTTP ([MS-MQRR] 2.2.5.1).
struct UserMessage {
    BaseHeader BaseHeader;              // kind, size and lifetime of the packet
    UserHeader UserHeader;              // sender, queues and options
    TransactionHeader TransactionHeader; // place in a transactional sequence; present if UserHeader.Flags.TH is set
    SecurityHeader SecurityHeader;      // sender, signature and keys; present if UserHeader.Flags.SH is set
    MessagePropertiesHeader MessagePropertiesHeader; // label, class and body; present if UserHeader.Flags.MP is set
    DebugHeader DebugHeader;            // trace queue; present if BaseHeader.Flags.DH is set
    SRMPEnvelopeHeader SRMPEnvelopeHeader; // SOAP envelope; present if UserHeader.Flags.AH is set
    CompoundMessageHeader CompoundMessageHeader; // HTTP message; present if UserHeader.Flags.AH is set
    SoapHeader SoapHeader;              // application's SOAP texts; present if UserHeader.Flags.HH is set
    MultiQueueFormatHeader MultiQueueFormatHeader; // all destinations; present if UserHeader.Flags.MQ is set
    ExtensionHeader ExtensionHeader;    // announces the next three; present if bytes remain within PacketSize
    SubqueueHeader SubqueueHeader;      // subqueue; present if ExtensionHeader.Flags.SQ is set
    DeadLetterHeader DeadLetterHeader;  // dead-letter queue; present if ExtensionHeader.Flags.DL is set
    ExtendedAddressHeader ExtendedAddressHeader; // sender's address; present if ExtensionHeader.Flags.EA is set
    SessionHeader SessionHeader;        // acknowledgment after the message, not counted in PacketSize; present if BaseHeader.Flags.SH is set
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5 Message Packet Structure
// A message and the headers that follow it in a remote read.
struct MessagePacket {
    UserMessage UserMessage;            // the message
    ExtensionHeader ExtensionHeader;    // announces the next three; absent in packets of Windows Server 2003
    SubqueueHeader SubqueueHeader;      // subqueue; present if ExtensionHeader.Flags.SQ is set
    DeadLetterHeader DeadLetterHeader;  // dead-letter queue; present if ExtensionHeader.Flags.DL is set
    ExtendedAddressHeader ExtendedAddressHeader; // sender's address; present if ExtensionHeader.Flags.EA is set
};
"""
