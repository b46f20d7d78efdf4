"""The structures of [MS-MQRR] 2.2.5 as one C text, and the whole UserMessage, which has its headers too."""

from __future__ import annotations

__all__ = ["MQRR"]

MQRR = r"""
// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.1.2.1 SRMPEnvelopeHeader
struct SRMPEnvelopeHeader {
    uint16 HeaderId;                    // number of the header
    uint16 Reserved;                    // any value
    uint32 DataLength;                  // WCHARs in Data, terminator included
    wchar  Data[DataLength];            // SOAP envelope of the message, terminator included
    char   Padding[-(DataLength * 2) & 3]; // to a 4-byte boundary; any value
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.1.2.2 CompoundMessageHeader
struct CompoundMessageHeader {
    uint16 HeaderId;                    // number of the header, 500 in packets seen
    uint16 Reserved;                    // any value
    uint32 HTTPBodySize;                // size of Data in bytes
    uint32 MsgBodySize;                 // size of the message body within Data in bytes
    uint32 MsgBodyOffset;               // where the message body starts within Data
    char   Data[HTTPBodySize];          // the HTTP POST that carried the message
    char   Padding[-HTTPBodySize & 3];  // to a 4-byte boundary; any value
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.2 ExtensionHeader
struct ExtensionHeader {
    uint32 HeaderSize;                  // size of this header in bytes
    uint32 RemainingHeadersSize;        // sum of the sizes of the headers that follow, in bytes
    struct {
        uint8 DL : 1;                   // a DeadLetterHeader is present
        uint8 SQ : 1;                   // a SubqueueHeader is present
        uint8 X2 : 1;                   // unused
        uint8 DI : 1;                   // the dead-letter queue is invalid
        uint8 EA : 1;                   // an ExtendedAddressHeader is present
        uint8 X5 : 1;                   // unused
        uint8 X6 : 1;                   // unused
        uint8 X7 : 1;                   // unused
    } Flags;                            // which headers follow
    char   Reserved[3];                 // any value
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.3 SubqueueHeader
struct SubqueueHeader {
    uint32 HeaderSize;                  // size of this header in bytes, 148
    struct {
        uint32 TM : 1;                  // zero
        uint32 AcknowledgementClass : 16; // acknowledgment class of the message, see MESSAGE_CLASS_VALUES
        uint32 Reserved : 15;           // any value
    } Flags;                            // the page gives the three parts no common name; this one is ours
    uint32 AbortCounter;                // failed attempts in a row to read or move the message
    uint32 MoveCounter;                 // how often the message was moved
    uint32 LastMoveTime;                // local time of the last move; 0: never moved
    char   SubqueueName[64];            // subqueue of the message: 32 WCHARs, filled up with zeros
    char   TargetSubqueueName[64];      // subqueue that a pending move goes to: 32 WCHARs, filled up with zeros
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.4 DeadLetterHeader
struct DeadLetterHeader {
    uint32 HeaderSize;                  // size of this header in bytes, padding included
    wchar  DeadLetterPathName[];        // application's dead-letter queue, terminator not included
    char   Padding[EOF];                // to a 4-byte boundary, zeros
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.5 ExtendedAddressHeader
struct ExtendedAddressHeader {
    uint32 HeaderSize;                  // size of this header in bytes, 28
    uint16 AddressLength;               // length of the address in Address, in bytes
    ADDRESS_TYPE AddressType;           // kind of address; 0: ignore this header
    uint32 AddressScope;                // scope of an IPv6 address, otherwise 0
    char   Address[16];                 // host that sent the message
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.1 UserMessage, the overlay of UserHeader.QueueManagerAddress
struct UserHeaderAddress {
    uint16 AddressLength;               // length of the address in bytes, even where Address holds only its start
    ADDRESS_TYPE AddressType;           // kind of address
    uint32 AddressScope;                // scope of an IPv6 address, otherwise 0
    char   Address[8];                  // as much of the address as fits
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.20, [MS-MQRR] 2.2.5.1 UserMessage
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
    SessionHeader SessionHeader;        // acknowledgment that rides along, behind PacketSize; present if BaseHeader.Flags.SH is set
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5 Message Packet Structure
struct MessagePacket {
    UserMessage UserMessage;            // the message
    ExtensionHeader ExtensionHeader;    // announces the next three; absent in packets of Windows Server 2003
    SubqueueHeader SubqueueHeader;      // subqueue; present if ExtensionHeader.Flags.SQ is set
    DeadLetterHeader DeadLetterHeader;  // dead-letter queue; present if ExtensionHeader.Flags.DL is set
    ExtendedAddressHeader ExtendedAddressHeader; // sender's address; present if ExtensionHeader.Flags.EA is set
};
"""
