"""The headers of [MS-MQRR] 2.2.5 as one C text."""

from __future__ import annotations

MQRR = r"""
// ------------------------------------------------------------------ [MS-MQRR] 2.2.7 SectionType
enum SectionType : uint16 {
    stFullPacket = 0, stBinaryFirstSection = 1, stBinarySecondSection = 2,
    stSrmpFirstSection = 3, stSrmpSecondSection = 4
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.1.2.1 SRMPEnvelopeHeader
// The SOAP envelope of a message that was sent over HTTP.
struct SRMPEnvelopeHeader {
    uint16 HeaderId;                    // number of the header
    uint16 Reserved;                    // any value
    uint32 DataLength;                  // WCHARs in Data, terminator included
    wchar  Data[DataLength];            // SOAP envelope of the message, terminator included
    char   Padding[-(DataLength * 2) & 3]; // to a 4-byte boundary; any value
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.1.2.2 CompoundMessageHeader
// The HTTP request of a message that was sent over HTTP, with the position of its body.
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
// Announces the further headers after a message.
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
// The subqueue of a message and its moves.
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
// The dead-letter queue that the application requested.
struct DeadLetterHeader {
    uint32 HeaderSize;                  // size of this header in bytes, padding included
    wchar  DeadLetterPathName[];        // application's dead-letter queue, terminator not included
    char   Padding[EOF];                // to a 4-byte boundary, zeros
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.5 ExtendedAddressHeader
// The address of the host that sent a message.
struct ExtendedAddressHeader {
    uint32 HeaderSize;                  // size of this header in bytes, 28
    uint16 AddressLength;               // length of the address in Address, in bytes
    ADDRESS_TYPE AddressType;           // kind of address; 0: ignore this header
    uint32 AddressScope;                // scope of an IPv6 address, otherwise 0
    char   Address[16];                 // host that sent the message
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.5.1 UserMessage, the overlay of UserHeader.QueueManagerAddress
// The value of `UserHeader.QueueManagerAddress` in a remote read: the address of the sending host.
struct UserHeaderAddress {
    uint16 AddressLength;               // length of the address in bytes, even if Address has only its beginning
    ADDRESS_TYPE AddressType;           // kind of address
    uint32 AddressScope;                // scope of an IPv6 address, otherwise 0
    char   Address[8];                  // as much of the address as fits
};
"""
