"""Generated from the layouts; do not edit.  The nox session `stubs` writes it anew."""

from typing import Self
import uuid
from msmq_wire.documents import mqmq
from msmq_wire.documents import mqqb
from msmq_wire.records.record import Flags
from msmq_wire.records.record import Record
from msmq_wire.values.guid import GUID

__all__ = [
    "PUBLICKEYBLOB",
    "SIMPLEBLOB",
    "ConnectionParameters",
    "ConnectionParametersHeader",
    "EstablishConnection",
    "EstablishConnectionHeader",
    "EstablishConnectionHeaderOperatingSystem",
    "FinalAck",
    "FinalAckBody",
    "InternalHeader",
    "InternalHeaderFlags",
    "OrderAck",
    "OrderAckBody",
    "PingPacket",
    "PingPacketFlags",
    "SessionAck",
]

_Bytes = bytes | bytearray | memoryview

_Guid = GUID | uuid.UUID | str | bytes

class EstablishConnectionHeaderOperatingSystem(Flags):
    """Groups of `EstablishConnectionHeader.OperatingSystem`: facts about the request."""
    def __new__(
        cls,
        value: int | None = None,
        /,
        *,
        RE: int = ...,
        SE: int = ...,
        OS: int = ...,
        QS: int = ...,
        X11: int = ...,
        X12: int = ...,
        X13: int = ...,
        X14: int = ...,
        X15: int = ...,
    ) -> Self: ...
    def replace(
        self,
        *,
        RE: int = ...,
        SE: int = ...,
        OS: int = ...,
        QS: int = ...,
        X11: int = ...,
        X12: int = ...,
        X13: int = ...,
        X14: int = ...,
        X15: int = ...,
    ) -> Self: ...
    @property
    def RE(self) -> int:
        """0x10."""
    @property
    def SE(self) -> int:
        """No ping was sent."""
    @property
    def OS(self) -> int:
        """Initiator runs a server system."""
    @property
    def QS(self) -> int:
        """Guaranteed quality of service."""
    @property
    def X11(self) -> int:
        """Unused."""
    @property
    def X12(self) -> int:
        """Unused."""
    @property
    def X13(self) -> int:
        """Unused."""
    @property
    def X14(self) -> int:
        """Unused."""
    @property
    def X15(self) -> int:
        """Unused."""

class InternalHeaderFlags(Flags):
    """Groups of `InternalHeader.Flags`: type and state."""
    def __new__(
        cls,
        value: int | None = None,
        /,
        *,
        PT: int = ...,
        CS: int = ...,
        X5: int = ...,
        X6: int = ...,
        X7: int = ...,
        X8: int = ...,
        X9: int = ...,
        X10: int = ...,
        X11: int = ...,
        X12: int = ...,
        X13: int = ...,
        X14: int = ...,
        X15: int = ...,
    ) -> Self: ...
    def replace(
        self,
        *,
        PT: int = ...,
        CS: int = ...,
        X5: int = ...,
        X6: int = ...,
        X7: int = ...,
        X8: int = ...,
        X9: int = ...,
        X10: int = ...,
        X11: int = ...,
        X12: int = ...,
        X13: int = ...,
        X14: int = ...,
        X15: int = ...,
    ) -> Self: ...
    @property
    def PT(self) -> int:
        """Packet type."""
    @property
    def CS(self) -> int:
        """Connection refused."""
    @property
    def X5(self) -> int:
        """Reserved."""
    @property
    def X6(self) -> int:
        """Reserved."""
    @property
    def X7(self) -> int:
        """Reserved."""
    @property
    def X8(self) -> int:
        """Reserved."""
    @property
    def X9(self) -> int:
        """Reserved."""
    @property
    def X10(self) -> int:
        """Reserved."""
    @property
    def X11(self) -> int:
        """Reserved."""
    @property
    def X12(self) -> int:
        """Reserved."""
    @property
    def X13(self) -> int:
        """Reserved."""
    @property
    def X14(self) -> int:
        """Reserved."""
    @property
    def X15(self) -> int:
        """Reserved."""

class PingPacketFlags(Flags):
    """Groups of `PingPacket.Flags`: type of initiator and answer."""
    def __new__(cls, value: int | None = None, /, *, RC: int = ..., RF: int = ..., X: int = ...) -> Self: ...
    def replace(self, *, RC: int = ..., RF: int = ..., X: int = ...) -> Self: ...
    @property
    def RC(self) -> int:
        """Initiator is neither WinServer nor WinEnt."""
    @property
    def RF(self) -> int:
        """A session would be refused."""
    @property
    def X(self) -> int:
        """Unused, any value."""

class PUBLICKEYBLOB(Record):
    """A public RSA key for key exchange.

    Attributes:
        bType: 0x06, a public key; the page prints values only, so this name is ours.
        bVersion: 0x02; the name is ours.
        reserved: zero; the name is ours.
        aiKeyAlg: CALG_RSA_KEYX; the name is ours.
        magic: "RSA1"; the name is ours.
        bitLen: length of modulus in bits.
        pubExp: e of the key pair.
        modulus: n of the key pair, little-endian.
    """
    def __init__(
        self,
        bType: int = ...,
        bVersion: int = ...,
        reserved: int = ...,
        aiKeyAlg: int = ...,
        magic: _Bytes = ...,
        bitLen: int = ...,
        pubExp: int = ...,
        modulus: _Bytes = ...,
    ) -> None: ...
    @property
    def bType(self) -> int:
        """0x06, a public key; the page prints values only, so this name is ours."""
    @property
    def bVersion(self) -> int:
        """0x02; the name is ours."""
    @property
    def reserved(self) -> int:
        """Zero; the name is ours."""
    @property
    def aiKeyAlg(self) -> int:
        """CALG_RSA_KEYX; the name is ours."""
    @property
    def magic(self) -> bytes:
        """ "RSA1"; the name is ours."""
    @property
    def bitLen(self) -> int:
        """Length of modulus in bits."""
    @property
    def pubExp(self) -> int:
        """E of the key pair."""
    @property
    def modulus(self) -> bytes:
        """N of the key pair, little-endian."""

class SIMPLEBLOB(Record):
    """A session key, encrypted for its receiver.

    Attributes:
        bType: 0x01, a session key; the page prints values only, so this name is ours.
        bVersion: 0x02; the name is ours.
        reserved: zero; the name is ours.
        sessionKeyAlgorithm: cipher that the key is for.
        aiKeyAlg: CALG_RSA_KEYX; the name is ours.
        encryptedKey: session key, encrypted with RSAES-PKCS1-v1_5, little-endian.
    """
    def __init__(
        self,
        bType: int = ...,
        bVersion: int = ...,
        reserved: int = ...,
        sessionKeyAlgorithm: int = ...,
        aiKeyAlg: int = ...,
        encryptedKey: _Bytes = ...,
    ) -> None: ...
    @property
    def bType(self) -> int:
        """0x01, a session key; the page prints values only, so this name is ours."""
    @property
    def bVersion(self) -> int:
        """0x02; the name is ours."""
    @property
    def reserved(self) -> int:
        """Zero; the name is ours."""
    @property
    def sessionKeyAlgorithm(self) -> int:
        """Cipher that the key is for."""
    @property
    def aiKeyAlg(self) -> int:
        """CALG_RSA_KEYX; the name is ours."""
    @property
    def encryptedKey(self) -> bytes:
        """Session key, encrypted with RSAES-PKCS1-v1_5, little-endian."""

class ConnectionParameters(Record):
    """Offers or confirms the parameters of a session.

    Attributes:
        BaseHeader: kind and size of the packet.
        InternalHeader: packet type 0x3.
        ConnectionParametersHeader: timeouts and window.
    """
    def __init__(
        self,
        BaseHeader: mqmq.BaseHeader = ...,
        InternalHeader: mqqb.InternalHeader = ...,
        ConnectionParametersHeader: mqqb.ConnectionParametersHeader = ...,
    ) -> None: ...
    @property
    def BaseHeader(self) -> mqmq.BaseHeader:
        """Kind and size of the packet."""
    @property
    def InternalHeader(self) -> mqqb.InternalHeader:
        """Packet type 0x3."""
    @property
    def ConnectionParametersHeader(self) -> mqqb.ConnectionParametersHeader:
        """Timeouts and window."""
    @property
    def is_refused(self) -> bool:
        """From `InternalHeader.Flags.CS`: whether the connection is refused."""

class ConnectionParametersHeader(Record):
    """Timeouts and window of a session.

    Attributes:
        RecoverableAckTimeout: milliseconds before a recoverable message is acknowledged, 500 to 120000.
        AckTimeout: milliseconds without acknowledgment before the session closes, 20000 to 120000.
        Reserved: zero when sent.
        WindowSize: unacknowledged packets allowed.
    """
    def __init__(
        self,
        RecoverableAckTimeout: int = ...,
        AckTimeout: int = ...,
        Reserved: int = ...,
        WindowSize: int = ...,
    ) -> None: ...
    @property
    def RecoverableAckTimeout(self) -> int:
        """Milliseconds before a recoverable message is acknowledged, 500 to 120000."""
    @property
    def AckTimeout(self) -> int:
        """Milliseconds without acknowledgment before the session closes, 20000 to 120000."""
    @property
    def Reserved(self) -> int:
        """Zero when sent."""
    @property
    def WindowSize(self) -> int:
        """Unacknowledged packets allowed."""

class EstablishConnection(Record):
    """Asks for a session, or answers that.

    Attributes:
        BaseHeader: kind and size of the packet.
        InternalHeader: packet type 0x2.
        EstablishConnectionHeader: who connects to whom.
    """
    def __init__(
        self,
        BaseHeader: mqmq.BaseHeader = ...,
        InternalHeader: mqqb.InternalHeader = ...,
        EstablishConnectionHeader: mqqb.EstablishConnectionHeader = ...,
    ) -> None: ...
    @property
    def BaseHeader(self) -> mqmq.BaseHeader:
        """Kind and size of the packet."""
    @property
    def InternalHeader(self) -> mqqb.InternalHeader:
        """Packet type 0x2."""
    @property
    def EstablishConnectionHeader(self) -> mqqb.EstablishConnectionHeader:
        """Who connects to whom."""
    @property
    def is_refused(self) -> bool:
        """From `InternalHeader.Flags.CS`: whether the connection is refused."""

class EstablishConnectionHeader(Record):
    """Who wants a session with whom.

    Attributes:
        ClientGuid: queue manager of the initiator.
        ServerGuid: queue manager of the acceptor; null in a request by direct format name.
        TimeStamp: milliseconds since the initiator's system started.
        OperatingSystem: facts about the request.
        Reserved: zero when sent.
        Padding: 0x5A each in a response, any value in a request.
    """
    def __init__(
        self,
        ClientGuid: _Guid = ...,
        ServerGuid: _Guid = ...,
        TimeStamp: int = ...,
        OperatingSystem: EstablishConnectionHeaderOperatingSystem | int = ...,
        Reserved: int = ...,
        Padding: _Bytes = ...,
    ) -> None: ...
    @property
    def ClientGuid(self) -> GUID:
        """Queue manager of the initiator."""
    @property
    def ServerGuid(self) -> GUID:
        """Queue manager of the acceptor; null in a request by direct format name."""
    @property
    def TimeStamp(self) -> int:
        """Milliseconds since the initiator's system started."""
    @property
    def OperatingSystem(self) -> EstablishConnectionHeaderOperatingSystem:
        """Facts about the request."""
    @property
    def Reserved(self) -> int:
        """Zero when sent."""
    @property
    def Padding(self) -> bytes:
        """0x5A each in a response, any value in a request."""

class FinalAck(Record):
    """Says what became of a transactional message.

    Attributes:
        BaseHeader: all flags clear.
        UserHeader: sender, and the sender's order queue as destination.
        MessagePropertiesHeader: class says the outcome; the body is a FinalAckBody.
    """
    def __init__(
        self,
        BaseHeader: mqmq.BaseHeader = ...,
        UserHeader: mqmq.UserHeader = ...,
        MessagePropertiesHeader: mqmq.MessagePropertiesHeader = ...,
    ) -> None: ...
    @property
    def BaseHeader(self) -> mqmq.BaseHeader:
        """All flags clear."""
    @property
    def UserHeader(self) -> mqmq.UserHeader:
        """Sender, and the sender's order queue as destination."""
    @property
    def MessagePropertiesHeader(self) -> mqmq.MessagePropertiesHeader:
        """Class says the outcome; the body is a FinalAckBody."""
    @property
    def acknowledged(self) -> mqqb.FinalAckBody:
        """From `MessagePropertiesHeader.MessageBody`: which message met its end.

        Raises:
            DecodeError: The body does not have 36 bytes.
        """
    @property
    def is_positive(self) -> bool:
        """Whether the message was received by an application."""

class FinalAckBody(Record):
    """Which transactional message met its end; the body of a FinalAck.

    Attributes:
        TxSequenceID: sequence of the message acknowledged.
        TxSequenceNumber: its number in the sequence, from 1.
        TxPreviousSequenceNumber: number of the message received before it.
        SourceGUID: queue manager that sent the message.
        MessageID: number of the message.
    """
    def __init__(
        self,
        TxSequenceID: mqmq.TxSequenceID = ...,
        TxSequenceNumber: int = ...,
        TxPreviousSequenceNumber: int = ...,
        SourceGUID: _Guid = ...,
        MessageID: int = ...,
    ) -> None: ...
    @property
    def TxSequenceID(self) -> mqmq.TxSequenceID:
        """Sequence of the message acknowledged."""
    @property
    def TxSequenceNumber(self) -> int:
        """Its number in the sequence, from 1."""
    @property
    def TxPreviousSequenceNumber(self) -> int:
        """Number of the message received before it."""
    @property
    def SourceGUID(self) -> GUID:
        """Queue manager that sent the message."""
    @property
    def MessageID(self) -> int:
        """Number of the message."""

class InternalHeader(Record):
    """What kind of internal packet this is.

    Attributes:
        Reserved: zero when sent.
        Flags: type and state.
    """
    def __init__(
        self,
        Reserved: int = ...,
        Flags: InternalHeaderFlags | int = ...,
    ) -> None: ...
    @property
    def Reserved(self) -> int:
        """Zero when sent."""
    @property
    def Flags(self) -> InternalHeaderFlags:
        """Type and state."""

class OrderAck(Record):
    """Acknowledges transactional messages that arrived in order.

    Attributes:
        BaseHeader: all flags clear.
        UserHeader: sender, and the sender's order queue as destination.
        MessagePropertiesHeader: class ORDER_ACK; the body is an OrderAckBody.
    """
    def __init__(
        self,
        BaseHeader: mqmq.BaseHeader = ...,
        UserHeader: mqmq.UserHeader = ...,
        MessagePropertiesHeader: mqmq.MessagePropertiesHeader = ...,
    ) -> None: ...
    @property
    def BaseHeader(self) -> mqmq.BaseHeader:
        """All flags clear."""
    @property
    def UserHeader(self) -> mqmq.UserHeader:
        """Sender, and the sender's order queue as destination."""
    @property
    def MessagePropertiesHeader(self) -> mqmq.MessagePropertiesHeader:
        """Class ORDER_ACK; the body is an OrderAckBody."""
    @property
    def acknowledged(self) -> mqqb.OrderAckBody:
        """From `MessagePropertiesHeader.MessageBody`: which message arrived.

        Raises:
            DecodeError: The body does not have 36 bytes.
        """

class OrderAckBody(Record):
    """Which transactional message arrived in order; the body of an OrderAck.

    Attributes:
        TxSequenceID: sequence of the message acknowledged.
        TxSequenceNumber: its number in the sequence, from 1.
        TxPreviousSequenceNumber: TxSequenceNumber - 1.
        Reserved: zeros.
    """
    def __init__(
        self,
        TxSequenceID: mqmq.TxSequenceID = ...,
        TxSequenceNumber: int = ...,
        TxPreviousSequenceNumber: int = ...,
        Reserved: _Bytes = ...,
    ) -> None: ...
    @property
    def TxSequenceID(self) -> mqmq.TxSequenceID:
        """Sequence of the message acknowledged."""
    @property
    def TxSequenceNumber(self) -> int:
        """Its number in the sequence, from 1."""
    @property
    def TxPreviousSequenceNumber(self) -> int:
        """TxSequenceNumber - 1."""
    @property
    def Reserved(self) -> bytes:
        """Zeros."""

class PingPacket(Record):
    """Asks over UDP whether a session would be accepted, or answers that.

    Attributes:
        Flags: type of initiator and answer.
        Signature: 0x5548.
        Cookie: correlates response and request.
        QMGuid: queue manager that made this packet.
    """
    def __init__(
        self,
        Flags: PingPacketFlags | int = ...,
        Signature: int = ...,
        Cookie: int = ...,
        QMGuid: _Guid = ...,
    ) -> None: ...
    @property
    def Flags(self) -> PingPacketFlags:
        """Type of initiator and answer."""
    @property
    def Signature(self) -> int:
        """0x5548."""
    @property
    def Cookie(self) -> int:
        """Correlates response and request."""
    @property
    def QMGuid(self) -> GUID:
        """Queue manager that made this packet."""

class SessionAck(Record):
    """Acknowledges messages received on a session.

    Attributes:
        BaseHeader: kind and size of the packet.
        InternalHeader: packet type 0x1.
        SessionHeader: acknowledgments and window.
    """
    def __init__(
        self,
        BaseHeader: mqmq.BaseHeader = ...,
        InternalHeader: mqqb.InternalHeader = ...,
        SessionHeader: mqmq.SessionHeader = ...,
    ) -> None: ...
    @property
    def BaseHeader(self) -> mqmq.BaseHeader:
        """Kind and size of the packet."""
    @property
    def InternalHeader(self) -> mqqb.InternalHeader:
        """Packet type 0x1."""
    @property
    def SessionHeader(self) -> mqmq.SessionHeader:
        """Acknowledgments and window."""
