"""The whole UserMessage and the message packet of a remote read, made of headers of [MS-MQMQ] and [MS-MQRR], as one C text."""

from __future__ import annotations

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
