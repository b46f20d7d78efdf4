"""The structures of [MS-MQQB] 2.2 and 2.4 as one C text."""

from __future__ import annotations

MQQB = r"""
// ------------------------------------------------------------------ [MS-MQQB] 2.2.1 InternalHeader
// The type of an internal packet.
struct InternalHeader {
    uint16 Reserved;                    // zero when sent
    struct {
        uint16 PT : 4;                  // packet type
        uint16 CS : 1;                  // connection refused
        uint16 X5 : 1;                  // reserved
        uint16 X6 : 1;                  // reserved
        uint16 X7 : 1;                  // reserved
        uint16 X8 : 1;                  // reserved
        uint16 X9 : 1;                  // reserved
        uint16 X10 : 1;                 // reserved
        uint16 X11 : 1;                 // reserved
        uint16 X12 : 1;                 // reserved
        uint16 X13 : 1;                 // reserved
        uint16 X14 : 1;                 // reserved
        uint16 X15 : 1;                 // reserved
    } Flags;                            // type and state
};

// ------------------------------------------------------------------ [MS-MQQB] 2.2.2.1 ConnectionParametersHeader
// Timeouts and window of a session.
struct ConnectionParametersHeader {
    uint32 RecoverableAckTimeout;       // milliseconds before a recoverable message is acknowledged, 500 to 120000
    uint32 AckTimeout;                  // milliseconds without acknowledgment before the session closes, 20000 to 120000
    uint16 Reserved;                    // zero when sent
    uint16 WindowSize;                  // unacknowledged packets allowed
};

// ------------------------------------------------------------------ [MS-MQQB] 2.2.2 ConnectionParameters
// Proposes or confirms the parameters of a session.
struct ConnectionParameters {
    BaseHeader BaseHeader;              // kind and size of the packet
    InternalHeader InternalHeader;      // packet type 0x3
    ConnectionParametersHeader ConnectionParametersHeader; // timeouts and window
};

// ------------------------------------------------------------------ [MS-MQQB] 2.2.3.1 EstablishConnectionHeader
// The queue managers of a session request.
struct EstablishConnectionHeader {
    GUID   ClientGuid;                  // queue manager of the initiator
    GUID   ServerGuid;                  // queue manager of the acceptor; null in a request by direct format name
    uint32 TimeStamp;                   // milliseconds since the initiator's system started
    struct {
        uint16 RE : 8;                  // 0x10
        uint16 SE : 1;                  // no ping was sent
        uint16 OS : 1;                  // initiator runs a server system
        uint16 QS : 1;                  // guaranteed quality of service
        uint16 X11 : 1;                 // unused
        uint16 X12 : 1;                 // unused
        uint16 X13 : 1;                 // unused
        uint16 X14 : 1;                 // unused
        uint16 X15 : 1;                 // unused
    } OperatingSystem;                  // facts about the request
    uint16 Reserved;                    // zero when sent
    char   Padding[512];                // 0x5A each in a response, any value in a request
};

// ------------------------------------------------------------------ [MS-MQQB] 2.2.3 EstablishConnection
// Requests a session, or answers the request.
struct EstablishConnection {
    BaseHeader BaseHeader;              // kind and size of the packet
    InternalHeader InternalHeader;      // packet type 0x2
    EstablishConnectionHeader EstablishConnectionHeader; // the two queue managers
};

// ------------------------------------------------------------------ [MS-MQQB] 2.2.4.1 OrderAck Body
// Identifies the transactional message that arrived in order; the body of an OrderAck.
struct OrderAckBody {
    TxSequenceID TxSequenceID;          // sequence of the message acknowledged
    uint32 TxSequenceNumber;            // its number in the sequence, from 1
    uint32 TxPreviousSequenceNumber;    // TxSequenceNumber - 1
    char   Reserved[20];                // zeros
};

// ------------------------------------------------------------------ [MS-MQQB] 2.2.4 OrderAck
// Acknowledges transactional messages that arrived in order.
struct OrderAck {
    BaseHeader BaseHeader;              // all flags clear
    UserHeader UserHeader;              // sender, and the sender's order queue as destination
    MessagePropertiesHeader MessagePropertiesHeader; // class ORDER_ACK; the body is an OrderAckBody
};

// ------------------------------------------------------------------ [MS-MQQB] 2.2.5.1 FinalAck Body
// Identifies the transactional message that was received or rejected; the body of a FinalAck.
struct FinalAckBody {
    TxSequenceID TxSequenceID;          // sequence of the message acknowledged
    uint32 TxSequenceNumber;            // its number in the sequence, from 1
    uint32 TxPreviousSequenceNumber;    // number of the message received before it
    GUID   SourceGUID;                  // queue manager that sent the message
    uint32 MessageID;                   // number of the message
};

// ------------------------------------------------------------------ [MS-MQQB] 2.2.5 FinalAck
// Reports the final result of a transactional message.
struct FinalAck {
    BaseHeader BaseHeader;              // all flags clear
    UserHeader UserHeader;              // sender, and the sender's order queue as destination
    MessagePropertiesHeader MessagePropertiesHeader; // its class is the outcome; the body is a FinalAckBody
};

// ------------------------------------------------------------------ [MS-MQQB] 2.2.6 SessionAck
// Acknowledges messages received on a session.
struct SessionAck {
    BaseHeader BaseHeader;              // kind and size of the packet
    InternalHeader InternalHeader;      // packet type 0x1
    SessionHeader SessionHeader;        // acknowledgments and window
};

// ------------------------------------------------------------------ [MS-MQQB] 2.2.7 Ping Packet
// Asks over UDP whether a session would be accepted, or answers the question.
struct PingPacket {
    struct {
        uint16 RC : 1;                  // initiator is neither WinServer nor WinEnt
        uint16 RF : 1;                  // a session would be refused
        uint16 X  : 14;                 // unused, any value
    } Flags;                            // type of initiator and answer
    uint16 Signature;                   // 0x5548
    uint32 Cookie;                      // correlates response and request
    GUID   QMGuid;                      // queue manager that made this packet
};

// ------------------------------------------------------------------ [MS-MQQB] 2.4.1 PUBLICKEYBLOB
// A public RSA key for key exchange.
struct PUBLICKEYBLOB {
    uint8  bType;                       // 0x06, a public key; the page prints values only, so this name is ours
    uint8  bVersion;                    // 0x02; the name is ours
    uint16 reserved;                    // zero; the name is ours
    ALG_ID aiKeyAlg;                    // CALG_RSA_KEYX; the name is ours
    char   magic[4];                    // "RSA1"; the name is ours
    uint32 bitLen;                      // length of modulus in bits
    uint32 pubExp;                      // e of the key pair
    char   modulus[EOF];                // n of the key pair, little-endian
};

// ------------------------------------------------------------------ [MS-MQQB] 2.4.2 SIMPLEBLOB
// A session key, encrypted for its receiver.
struct SIMPLEBLOB {
    uint8  bType;                       // 0x01, a session key; the page prints values only, so this name is ours
    uint8  bVersion;                    // 0x02; the name is ours
    uint16 reserved;                    // zero; the name is ours
    ALG_ID sessionKeyAlgorithm;         // cipher that the key is for
    ALG_ID aiKeyAlg;                    // CALG_RSA_KEYX; the name is ours
    char   encryptedKey[EOF];           // session key, encrypted with RSAES-PKCS1-v1_5, little-endian
};
"""
