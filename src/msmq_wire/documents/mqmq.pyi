"""Generated from the layouts; do not edit.  The nox session `stubs` writes it anew."""

import datetime as dt
import ipaddress
from collections.abc import Iterable
from typing import Any
from typing import Self
import uuid
from msmq_wire.documents import mqmq
from msmq_wire.documents import mqrr
from msmq_wire.documents import mqcn
from msmq_wire.names import format_names
from msmq_wire.packets import replication
from msmq_wire.records.record import Flags
from msmq_wire.records.record import Record
from msmq_wire.values.guid import GUID
from msmq_wire.values.enumerations import (
    ADDRESS_TYPE,
    ALG_ID,
    MESSAGE_CLASS_VALUES,
    PROVIDER_TYPE,
    QUEUE_FORMAT_TYPE,
    QUEUE_SUFFIX_TYPE,
)

__all__ = [
    "ADDRESS_TYPE",
    "ALG_ID",
    "MESSAGE_CLASS_VALUES",
    "MQDSPUBLICKEY",
    "MQDSPUBLICKEYS",
    "MQUSERSIGNCERT",
    "MQUSERSIGNCERTS",
    "PROVIDER_TYPE",
    "QUEUE_FORMAT_TYPE",
    "QUEUE_SUFFIX_TYPE",
    "SEQUENCE_INFO",
    "TA_ADDRESS",
    "XACTUOW",
    "BaseHeader",
    "BaseHeaderFlags",
    "DebugHeader",
    "DebugHeaderFlags",
    "DirectQueueFormatName",
    "IPXAddress",
    "MQFAddressHeader",
    "MQFDirectQueueFormatName",
    "MQFDistributionQueueFormatName",
    "MQFFormatNameElement",
    "MQFSignatureHeader",
    "MessageIdentifier",
    "MessagePropertiesHeader",
    "MessagePropertiesHeaderFlags",
    "MultiQueueFormatHeader",
    "PrivateQueueFormatName",
    "PrivateQueueFormatNameId",
    "ProviderInfo",
    "PublicQueueFormatName",
    "SecurityData",
    "SecurityHeader",
    "SecurityHeaderFlags",
    "SenderCertPublicKey",
    "SessionHeader",
    "SoapHeader",
    "TransactionHeader",
    "TransactionHeaderFlags",
    "TxSequenceID",
    "UserHeader",
    "UserHeaderFlags",
    "UserMessage",
]

_Bytes = bytes | bytearray | memoryview

_Guid = GUID | uuid.UUID | str | bytes

class BaseHeaderFlags(Flags):
    """Groups of `BaseHeader.Flags`: options of the packet."""
    def __new__(
        cls,
        value: int | None = None,
        /,
        *,
        PR: int = ...,
        IN: int = ...,
        SH: int = ...,
        DH: int = ...,
        X9: int = ...,
        X8: int = ...,
        TR: int = ...,
        X6: int = ...,
        X5: int = ...,
        X4: int = ...,
        X3: int = ...,
        X2: int = ...,
        X1: int = ...,
        X0: int = ...,
    ) -> Self: ...
    def replace(
        self,
        *,
        PR: int = ...,
        IN: int = ...,
        SH: int = ...,
        DH: int = ...,
        X9: int = ...,
        X8: int = ...,
        TR: int = ...,
        X6: int = ...,
        X5: int = ...,
        X4: int = ...,
        X3: int = ...,
        X2: int = ...,
        X1: int = ...,
        X0: int = ...,
    ) -> Self: ...
    @property
    def PR(self) -> int:
        """Priority, 0 to 7, 7 the highest; 0 for a transactional message."""
    @property
    def IN(self) -> int:
        """Internal packet: connection establishment or session acknowledgment."""
    @property
    def SH(self) -> int:
        """A SessionHeader is present."""
    @property
    def DH(self) -> int:
        """A DebugHeader is present."""
    @property
    def X9(self) -> int:
        """Reserved."""
    @property
    def X8(self) -> int:
        """Reserved."""
    @property
    def TR(self) -> int:
        """Tracing of this message is enabled."""
    @property
    def X6(self) -> int:
        """Reserved."""
    @property
    def X5(self) -> int:
        """Reserved."""
    @property
    def X4(self) -> int:
        """Reserved."""
    @property
    def X3(self) -> int:
        """Reserved."""
    @property
    def X2(self) -> int:
        """Reserved."""
    @property
    def X1(self) -> int:
        """Reserved."""
    @property
    def X0(self) -> int:
        """Reserved."""

class DebugHeaderFlags(Flags):
    """Groups of `DebugHeader.Flags`: options of tracing."""
    def __new__(
        cls,
        value: int | None = None,
        /,
        *,
        QT: int = ...,
        X2: int = ...,
        X3: int = ...,
        X4: int = ...,
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
        QT: int = ...,
        X2: int = ...,
        X3: int = ...,
        X4: int = ...,
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
    def QT(self) -> int:
        """Form of the trace queue."""
    @property
    def X2(self) -> int:
        """Unused."""
    @property
    def X3(self) -> int:
        """Unused."""
    @property
    def X4(self) -> int:
        """Unused."""
    @property
    def X5(self) -> int:
        """Unused."""
    @property
    def X6(self) -> int:
        """Unused."""
    @property
    def X7(self) -> int:
        """Unused."""
    @property
    def X8(self) -> int:
        """Unused."""
    @property
    def X9(self) -> int:
        """Unused."""
    @property
    def X10(self) -> int:
        """Unused."""
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

class MessagePropertiesHeaderFlags(Flags):
    """Groups of `MessagePropertiesHeader.Flags`: administration acknowledgments asked for."""
    def __new__(
        cls,
        value: int | None = None,
        /,
        *,
        PA: int = ...,
        PR: int = ...,
        NA: int = ...,
        NR: int = ...,
        X: int = ...,
    ) -> Self: ...
    def replace(
        self, *, PA: int = ..., PR: int = ..., NA: int = ..., NR: int = ..., X: int = ...
    ) -> Self: ...
    @property
    def PA(self) -> int:
        """Acknowledge delivery."""
    @property
    def PR(self) -> int:
        """Acknowledge retrieval."""
    @property
    def NA(self) -> int:
        """Acknowledge failure of delivery."""
    @property
    def NR(self) -> int:
        """Acknowledge failure of retrieval."""
    @property
    def X(self) -> int:
        """Unused."""

class SecurityHeaderFlags(Flags):
    """Groups of `SecurityHeader.Flags`: options of the security information."""
    def __new__(
        cls,
        value: int | None = None,
        /,
        *,
        ST: int = ...,
        AU: int = ...,
        EB: int = ...,
        DE: int = ...,
        AI: int = ...,
        AS: int = ...,
        X12: int = ...,
        X13: int = ...,
        X14: int = ...,
        X15: int = ...,
    ) -> Self: ...
    def replace(
        self,
        *,
        ST: int = ...,
        AU: int = ...,
        EB: int = ...,
        DE: int = ...,
        AI: int = ...,
        AS: int = ...,
        X12: int = ...,
        X13: int = ...,
        X14: int = ...,
        X15: int = ...,
    ) -> Self: ...
    @property
    def ST(self) -> int:
        """Type of SecurityData.SecurityID."""
    @property
    def AU(self) -> int:
        """Message is authenticated, zero when sent."""
    @property
    def EB(self) -> int:
        """Body is encrypted."""
    @property
    def DE(self) -> int:
        """Default cryptographic provider."""
    @property
    def AI(self) -> int:
        """SecurityData is present."""
    @property
    def AS(self) -> int:
        """Authentication signature type, zero when sent."""
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

class TransactionHeaderFlags(Flags):
    """Groups of `TransactionHeader.Flags`: options of the transaction."""
    def __new__(
        cls,
        value: int | None = None,
        /,
        *,
        CG: int = ...,
        FA: int = ...,
        FM: int = ...,
        LM: int = ...,
        ID: int = ...,
        X1: int = ...,
        X2: int = ...,
        X3: int = ...,
        X4: int = ...,
        X5: int = ...,
        X6: int = ...,
        X7: int = ...,
        X8: int = ...,
    ) -> Self: ...
    def replace(
        self,
        *,
        CG: int = ...,
        FA: int = ...,
        FM: int = ...,
        LM: int = ...,
        ID: int = ...,
        X1: int = ...,
        X2: int = ...,
        X3: int = ...,
        X4: int = ...,
        X5: int = ...,
        X6: int = ...,
        X7: int = ...,
        X8: int = ...,
    ) -> Self: ...
    @property
    def CG(self) -> int:
        """ConnectorQMGuid is present."""
    @property
    def FA(self) -> int:
        """A FinalAck packet is required."""
    @property
    def FM(self) -> int:
        """First message of its transaction."""
    @property
    def LM(self) -> int:
        """Last message of its transaction."""
    @property
    def ID(self) -> int:
        """Identifier that correlates the packets of one transaction."""
    @property
    def X1(self) -> int:
        """Unused."""
    @property
    def X2(self) -> int:
        """Unused."""
    @property
    def X3(self) -> int:
        """Unused."""
    @property
    def X4(self) -> int:
        """Unused."""
    @property
    def X5(self) -> int:
        """Unused."""
    @property
    def X6(self) -> int:
        """Unused."""
    @property
    def X7(self) -> int:
        """Unused."""
    @property
    def X8(self) -> int:
        """Unused."""

class UserHeaderFlags(Flags):
    """Groups of `UserHeader.Flags`: options of the message."""
    def __new__(
        cls,
        value: int | None = None,
        /,
        *,
        RC: int = ...,
        DM: int = ...,
        X1: int = ...,
        JN: int = ...,
        JP: int = ...,
        DQ: int = ...,
        AQ: int = ...,
        RQ: int = ...,
        SH: int = ...,
        TH: int = ...,
        MP: int = ...,
        CQ: int = ...,
        MQ: int = ...,
        X2: int = ...,
        AH: int = ...,
        X3: int = ...,
        HH: int = ...,
        X4: int = ...,
    ) -> Self: ...
    def replace(
        self,
        *,
        RC: int = ...,
        DM: int = ...,
        X1: int = ...,
        JN: int = ...,
        JP: int = ...,
        DQ: int = ...,
        AQ: int = ...,
        RQ: int = ...,
        SH: int = ...,
        TH: int = ...,
        MP: int = ...,
        CQ: int = ...,
        MQ: int = ...,
        X2: int = ...,
        AH: int = ...,
        X3: int = ...,
        HH: int = ...,
        X4: int = ...,
    ) -> Self: ...
    @property
    def RC(self) -> int:
        """Routing servers passed, 0x00 to 0x1D."""
    @property
    def DM(self) -> int:
        """Delivery mode."""
    @property
    def X1(self) -> int:
        """Reserved."""
    @property
    def JN(self) -> int:
        """Negative source journaling."""
    @property
    def JP(self) -> int:
        """Positive source journaling."""
    @property
    def DQ(self) -> int:
        """Form of DestinationQueue."""
    @property
    def AQ(self) -> int:
        """Form of AdminQueue."""
    @property
    def RQ(self) -> int:
        """Form of ResponseQueue."""
    @property
    def SH(self) -> int:
        """A SecurityHeader is present."""
    @property
    def TH(self) -> int:
        """A TransactionHeader is present."""
    @property
    def MP(self) -> int:
        """A MessagePropertiesHeader is present, always."""
    @property
    def CQ(self) -> int:
        """ConnectorType is present."""
    @property
    def MQ(self) -> int:
        """A MultiQueueFormatHeader is present."""
    @property
    def X2(self) -> int:
        """Reserved."""
    @property
    def AH(self) -> int:
        """The message was sent over HTTP; the SRMP headers are present."""
    @property
    def X3(self) -> int:
        """Reserved."""
    @property
    def HH(self) -> int:
        """A SoapHeader is present."""
    @property
    def X4(self) -> int:
        """Reserved."""

class MQDSPUBLICKEY(Record):
    """A public key of a queue manager, with the provider that made it.

    Attributes:
        ulKeyLen: size of aBuf in bytes.
        ulProviderLen: size of sProviderName in bytes, terminator included.
        ulProviderType: provider type code.
        sProviderName: provider name, terminator included.
        aBuf: BLOBHEADER, RSAPUBKEY and modulus; see PUBLICKEYBLOB.
    """
    def __init__(
        self,
        ulKeyLen: int = ...,
        ulProviderLen: int = ...,
        ulProviderType: int = ...,
        sProviderName: str = ...,
        aBuf: _Bytes = ...,
    ) -> None: ...
    @property
    def ulKeyLen(self) -> int:
        """Size of aBuf in bytes."""
    @property
    def ulProviderLen(self) -> int:
        """Size of sProviderName in bytes, terminator included."""
    @property
    def ulProviderType(self) -> int:
        """Provider type code."""
    @property
    def sProviderName(self) -> str:
        """Provider name, terminator included."""
    @property
    def aBuf(self) -> bytes:
        """BLOBHEADER, RSAPUBKEY and modulus; see PUBLICKEYBLOB."""

class MQDSPUBLICKEYS(Record):
    """Several public keys of a queue manager, as the directory keeps them.

    Attributes:
        ulLen: size of the whole structure in bytes.
        cNumofKeys: count of keys.
        aPublicKeys: the keys.
    """
    def __init__(
        self,
        ulLen: int = ...,
        cNumofKeys: int = ...,
        aPublicKeys: Iterable[mqmq.MQDSPUBLICKEY] = ...,
    ) -> None: ...
    @property
    def ulLen(self) -> int:
        """Size of the whole structure in bytes."""
    @property
    def cNumofKeys(self) -> int:
        """Count of keys."""
    @property
    def aPublicKeys(self) -> tuple[mqmq.MQDSPUBLICKEY, ...]:
        """The keys."""

class MQUSERSIGNCERT(Record):
    """A user's certificate with its digest and identifier.

    Attributes:
        Digest: MD5 of Certificate.
        Identifier: identifier of the certificate.
        CertificateLength: size of Certificate in bytes.
        Certificate: X.509 certificate.
    """
    def __init__(
        self,
        Digest: _Bytes = ...,
        Identifier: _Guid = ...,
        CertificateLength: int = ...,
        Certificate: _Bytes = ...,
    ) -> None: ...
    @property
    def Digest(self) -> bytes:
        """MD5 of Certificate."""
    @property
    def Identifier(self) -> GUID:
        """Identifier of the certificate."""
    @property
    def CertificateLength(self) -> int:
        """Size of Certificate in bytes."""
    @property
    def Certificate(self) -> bytes:
        """X.509 certificate."""

class MQUSERSIGNCERTS(Record):
    """All certificates of a user, as the directory keeps them.

    Attributes:
        CertificateCount: count of certificates.
        Certificates: the certificates.
    """
    def __init__(
        self,
        CertificateCount: int = ...,
        Certificates: Iterable[mqmq.MQUSERSIGNCERT] = ...,
    ) -> None: ...
    @property
    def CertificateCount(self) -> int:
        """Count of certificates."""
    @property
    def Certificates(self) -> tuple[mqmq.MQUSERSIGNCERT, ...]:
        """The certificates."""

class SEQUENCE_INFO(Record):
    """Where a message stands in its stream.

    Attributes:
        SeqID: identifier of the sequence.
        SeqNo: number of the message in the sequence.
        PrevNo: number of the message before it.
    """
    def __init__(
        self,
        SeqID: int = ...,
        SeqNo: int = ...,
        PrevNo: int = ...,
    ) -> None: ...
    @property
    def SeqID(self) -> int:
        """Identifier of the sequence."""
    @property
    def SeqNo(self) -> int:
        """Number of the message in the sequence."""
    @property
    def PrevNo(self) -> int:
        """Number of the message before it."""

class TA_ADDRESS(Record):
    """A transport address of one kind.

    Attributes:
        AddressLength: size of Address in bytes: 4 IP, 10 IPX, 16 foreign.
        AddressType: kind of address.
        Address: the address.
    """
    def __init__(
        self,
        AddressLength: int = ...,
        AddressType: int = ...,
        Address: _Bytes = ...,
    ) -> None: ...
    @property
    def AddressLength(self) -> int:
        """Size of Address in bytes: 4 IP, 10 IPX, 16 foreign."""
    @property
    def AddressType(self) -> int:
        """Kind of address."""
    @property
    def Address(self) -> bytes:
        """The address."""
    @property
    def address(self) -> ipaddress.IPv4Address | GUID | mqmq.IPXAddress | None:
        """From `AddressType` and `Address`: the address in its own type; None where they do not agree."""

class XACTUOW(Record):
    """Identifier of a transactional unit of work.

    Attributes:
        rgb: identifier of a transactional unit of work.
    """
    def __init__(
        self,
        rgb: _Bytes = ...,
    ) -> None: ...
    @property
    def rgb(self) -> bytes:
        """Identifier of a transactional unit of work."""

class BaseHeader(Record):
    """The first header of every packet: what it is and how long it is.

    Attributes:
        VersionNumber: version of the packet format, 0x10.
        Reserved: any value.
        Flags: options of the packet.
        Signature: 0x524F494C.
        PacketSize: size of the packet in bytes, at most 0x00400000; without a SessionHeader that follows a UserMessage.
        TimeToReachQueue: seconds that the message has to reach its queue manager; 0xFFFFFFFF: for ever.
    """
    def __init__(
        self,
        VersionNumber: int = ...,
        Reserved: int = ...,
        Flags: BaseHeaderFlags | int = ...,
        Signature: int = ...,
        PacketSize: int = ...,
        TimeToReachQueue: int = ...,
    ) -> None: ...
    @property
    def VersionNumber(self) -> int:
        """Version of the packet format, 0x10."""
    @property
    def Reserved(self) -> int:
        """Any value."""
    @property
    def Flags(self) -> BaseHeaderFlags:
        """Options of the packet."""
    @property
    def Signature(self) -> int:
        """0x524F494C."""
    @property
    def PacketSize(self) -> int:
        """Size of the packet in bytes, at most 0x00400000; without a SessionHeader that follows a UserMessage."""
    @property
    def TimeToReachQueue(self) -> int:
        """Seconds that the message has to reach its queue manager; 0xFFFFFFFF: for ever."""
    @property
    def time_to_reach_queue(self) -> dt.timedelta | None:
        """From `TimeToReachQueue`: the time to reach the queue manager; None means for ever."""

class DebugHeader(Record):
    """The queue that receives trace messages.

    Attributes:
        Flags: options of tracing.
        Reserved: zero when sent.
        QueueIdentifier: queue that receives trace messages; present if Flags.QT is 1.
    """
    def __init__(
        self,
        Flags: DebugHeaderFlags | int = ...,
        Reserved: int = ...,
        QueueIdentifier: _Guid | None = ...,
    ) -> None: ...
    @property
    def Flags(self) -> DebugHeaderFlags:
        """Options of tracing."""
    @property
    def Reserved(self) -> int:
        """Zero when sent."""
    @property
    def QueueIdentifier(self) -> GUID | None:
        """Queue that receives trace messages; present if Flags.QT is 1."""

class DirectQueueFormatName(Record):
    """A direct format name in a UserHeader.

    Attributes:
        Count: size of DirectFormatName in bytes, terminator included, padding not.
        DirectFormatName: direct format name without "DIRECT=", terminator included.
        Padding: to a 4-byte boundary of the header; any value.
    """
    def __init__(
        self,
        Count: int = ...,
        DirectFormatName: str = ...,
        Padding: _Bytes = ...,
    ) -> None: ...
    @property
    def Count(self) -> int:
        """Size of DirectFormatName in bytes, terminator included, padding not."""
    @property
    def DirectFormatName(self) -> str:
        """Direct format name without "DIRECT=", terminator included."""
    @property
    def Padding(self) -> bytes:
        """To a 4-byte boundary of the header; any value."""
    @property
    def format_name(self) -> format_names.FormatName:
        """The format name that this wire form stands for.

        Raises:
            EncodeError: The text on the wire is no direct name.
        """

class IPXAddress(Record):
    """An IPX address, the Address of a TA_ADDRESS of type IPX_ADDRESS_TYPE.

    Attributes:
        Netnum: IPX network.
        nodenum: IPX node.
    """
    def __init__(
        self,
        Netnum: _Bytes = ...,
        nodenum: _Bytes = ...,
    ) -> None: ...
    @property
    def Netnum(self) -> bytes:
        """IPX network."""
    @property
    def nodenum(self) -> bytes:
        """IPX node."""

class MQFAddressHeader(Record):
    """A list of queue names.

    Attributes:
        HeaderSize: size of this header in bytes, variable data included.
        HeaderID: which list this is.
        Reserved: zero when sent.
        ElementCount: count of names.
        FormatNameList: the names.
        Padding: to a 4-byte boundary; any value.
    """
    def __init__(
        self,
        HeaderSize: int = ...,
        HeaderID: int = ...,
        Reserved: int = ...,
        ElementCount: int = ...,
        FormatNameList: Iterable[mqmq.MQFFormatNameElement] = ...,
        Padding: _Bytes = ...,
    ) -> None: ...
    @property
    def HeaderSize(self) -> int:
        """Size of this header in bytes, variable data included."""
    @property
    def HeaderID(self) -> int:
        """Which list this is."""
    @property
    def Reserved(self) -> int:
        """Zero when sent."""
    @property
    def ElementCount(self) -> int:
        """Count of names."""
    @property
    def FormatNameList(self) -> tuple[mqmq.MQFFormatNameElement, ...]:
        """The names."""
    @property
    def Padding(self) -> bytes:
        """To a 4-byte boundary; any value."""
    @property
    def names(self) -> format_names.MultipleName | None:
        """From `FormatNameList`: the names as one multiple-element name; None for an empty list.

        Raises:
            EncodeError: An element's text is no direct name.
        """

class MQFDirectQueueFormatName(Record):
    """A direct format name in a list of names.

    Attributes:
        DirectFormatName: direct format name without "DIRECT=", terminator not included.
    """
    def __init__(
        self,
        DirectFormatName: str = ...,
    ) -> None: ...
    @property
    def DirectFormatName(self) -> str:
        """Direct format name without "DIRECT=", terminator not included."""
    @property
    def format_name(self) -> format_names.FormatName:
        """The format name that this wire form stands for.

        Raises:
            EncodeError: The text on the wire is no direct name.
        """

class MQFDistributionQueueFormatName(Record):
    """A distribution list in a list of names.

    Attributes:
        DistributionListIdentifier: distribution list in the directory.
    """
    def __init__(
        self,
        DistributionListIdentifier: _Guid = ...,
    ) -> None: ...
    @property
    def DistributionListIdentifier(self) -> GUID:
        """Distribution list in the directory."""
    @property
    def format_name(self) -> format_names.FormatName:
        """The format name that this wire form stands for.

        Raises:
            EncodeError: The text on the wire is no direct name.
        """

class MQFFormatNameElement(Record):
    """One name of a list of names, in one of four forms.

    Attributes:
        FormatType: form of FormatName.
        Padding: to the boundary that the form asks for; any value.
        FormatName: the queue's name in the form that FormatType selects.
    """
    def __init__(
        self,
        FormatType: int = ...,
        Padding: _Bytes = ...,
        FormatName: mqmq.PublicQueueFormatName
        | mqmq.PrivateQueueFormatName
        | mqmq.MQFDirectQueueFormatName
        | mqmq.MQFDistributionQueueFormatName = ...,
    ) -> None: ...
    @property
    def FormatType(self) -> int:
        """Form of FormatName."""
    @property
    def Padding(self) -> bytes:
        """To the boundary that the form asks for; any value."""
    @property
    def FormatName(
        self,
    ) -> (
        mqmq.PublicQueueFormatName
        | mqmq.PrivateQueueFormatName
        | mqmq.MQFDirectQueueFormatName
        | mqmq.MQFDistributionQueueFormatName
    ):
        """The queue's name in the form that FormatType selects."""
    @property
    def format_name(self) -> format_names.FormatName:
        """The format name that this wire form stands for.

        Raises:
            EncodeError: The text on the wire is no direct name.
        """

class MQFSignatureHeader(Record):
    """The signature of a MultiQueueFormatHeader.

    Attributes:
        ID: 0x015E.
        Reserved: zero when sent.
        Size: size of Signature in bytes.
        Signature: the signature.
    """
    def __init__(
        self,
        ID: int = ...,
        Reserved: int = ...,
        Size: int = ...,
        Signature: _Bytes = ...,
    ) -> None: ...
    @property
    def ID(self) -> int:
        """0x015E."""
    @property
    def Reserved(self) -> int:
        """Zero when sent."""
    @property
    def Size(self) -> int:
        """Size of Signature in bytes."""
    @property
    def Signature(self) -> bytes:
        """The signature."""

class MessageIdentifier(Record):
    """Identifier of a message among all messages of all queue managers.

    Attributes:
        QueueManagerGuid: queue manager that sent the message.
        Ordinal: number of the message, unique within its queue manager.
    """
    def __init__(
        self,
        QueueManagerGuid: _Guid = ...,
        Ordinal: int = ...,
    ) -> None: ...
    @property
    def QueueManagerGuid(self) -> GUID:
        """Queue manager that sent the message."""
    @property
    def Ordinal(self) -> int:
        """Number of the message, unique within its queue manager."""

class MessagePropertiesHeader(Record):
    """A message's class, label and body.

    Attributes:
        Flags: administration acknowledgments asked for.
        LabelLength: WCHARs in Label, terminator included, at most 0xFA.
        MessageClass: type of the message.
        CorrelationID: application's data; in an acknowledgment the MessageIdentifier of the message acknowledged.
        BodyType: variant type of the body.
        ApplicationTag: application's number.
        MessageSize: size of MessageBody in bytes.
        AllocationBodySize: bytes allocated for MessageBody, at least MessageSize.
        PrivacyLevel: encryption of the body.
        HashAlgorithm: hash that the signature uses.
        EncryptionAlgorithm: cipher of the body.
        ExtensionSize: size of ExtensionData in bytes.
        Label: application's description, terminator included.
        ExtensionData: application's additional data.
        MessageBody: the message itself.
        Padding: to a multiple of 4 bytes; any value.
    """
    def __init__(
        self,
        Flags: MessagePropertiesHeaderFlags | int = ...,
        LabelLength: int = ...,
        MessageClass: int = ...,
        CorrelationID: _Bytes = ...,
        BodyType: int = ...,
        ApplicationTag: int = ...,
        MessageSize: int = ...,
        AllocationBodySize: int = ...,
        PrivacyLevel: int = ...,
        HashAlgorithm: int = ...,
        EncryptionAlgorithm: int = ...,
        ExtensionSize: int = ...,
        Label: str = ...,
        ExtensionData: _Bytes = ...,
        MessageBody: _Bytes = ...,
        Padding: _Bytes = ...,
    ) -> None: ...
    @property
    def Flags(self) -> MessagePropertiesHeaderFlags:
        """Administration acknowledgments asked for."""
    @property
    def LabelLength(self) -> int:
        """WCHARs in Label, terminator included, at most 0xFA."""
    @property
    def MessageClass(self) -> int:
        """Type of the message."""
    @property
    def CorrelationID(self) -> bytes:
        """Application's data; in an acknowledgment the MessageIdentifier of the message acknowledged."""
    @property
    def BodyType(self) -> int:
        """Variant type of the body."""
    @property
    def ApplicationTag(self) -> int:
        """Application's number."""
    @property
    def MessageSize(self) -> int:
        """Size of MessageBody in bytes."""
    @property
    def AllocationBodySize(self) -> int:
        """Bytes allocated for MessageBody, at least MessageSize."""
    @property
    def PrivacyLevel(self) -> int:
        """Encryption of the body."""
    @property
    def HashAlgorithm(self) -> int:
        """Hash that the signature uses."""
    @property
    def EncryptionAlgorithm(self) -> int:
        """Cipher of the body."""
    @property
    def ExtensionSize(self) -> int:
        """Size of ExtensionData in bytes."""
    @property
    def Label(self) -> str:
        """Application's description, terminator included."""
    @property
    def ExtensionData(self) -> bytes:
        """Application's additional data."""
    @property
    def MessageBody(self) -> bytes:
        """The message itself."""
    @property
    def Padding(self) -> bytes:
        """To a multiple of 4 bytes; any value."""
    @property
    def label(self) -> str:
        """From `Label`: the application's description, without its terminator."""
    @property
    def message_class(self) -> mqmq.MESSAGE_CLASS_VALUES | int:
        """From `MessageClass`: the member of the enumeration, or the number if it has none."""
    @property
    def correlation_identifier(self) -> mqmq.MessageIdentifier:
        """From `CorrelationID`: the message that an administration acknowledgment speaks of."""
    @property
    def typed_body(self) -> Any:
        """From `MessageBody` and `BodyType`: text, number, GUID or whatever else the type says.

        Bytes where the type says nothing, and where the body does not fit it.
        """

class MultiQueueFormatHeader(Record):
    """All destinations of a message that was sent to several queues.

    Attributes:
        Destination: every queue that was sent a copy.
        Administration: administration queues.
        Response: response queues.
        Signature: signature of the packet.
        Padding: to a 4-byte boundary of the packet; any value.
    """
    def __init__(
        self,
        Destination: mqmq.MQFAddressHeader = ...,
        Administration: mqmq.MQFAddressHeader = ...,
        Response: mqmq.MQFAddressHeader = ...,
        Signature: mqmq.MQFSignatureHeader = ...,
        Padding: _Bytes = ...,
    ) -> None: ...
    @property
    def Destination(self) -> mqmq.MQFAddressHeader:
        """Every queue that was sent a copy."""
    @property
    def Administration(self) -> mqmq.MQFAddressHeader:
        """Administration queues."""
    @property
    def Response(self) -> mqmq.MQFAddressHeader:
        """Response queues."""
    @property
    def Signature(self) -> mqmq.MQFSignatureHeader:
        """Signature of the packet."""
    @property
    def Padding(self) -> bytes:
        """To a 4-byte boundary of the packet; any value."""

class PrivateQueueFormatName(Record):
    """A private queue and its host.

    Attributes:
        SourceQueueManager: queue manager that hosts the queue.
        PrivateQueueIdentifier: number of the private queue on that host.
    """
    def __init__(
        self,
        SourceQueueManager: _Guid = ...,
        PrivateQueueIdentifier: int = ...,
    ) -> None: ...
    @property
    def SourceQueueManager(self) -> GUID:
        """Queue manager that hosts the queue."""
    @property
    def PrivateQueueIdentifier(self) -> int:
        """Number of the private queue on that host."""
    @property
    def format_name(self) -> format_names.FormatName:
        """The format name that this wire form stands for.

        Raises:
            EncodeError: The text on the wire is no direct name.
        """

class PrivateQueueFormatNameId(Record):
    """A private queue whose host is known from elsewhere.

    Attributes:
        PrivateQueueIdentifier: number of the private queue on its host.
    """
    def __init__(
        self,
        PrivateQueueIdentifier: int = ...,
    ) -> None: ...
    @property
    def PrivateQueueIdentifier(self) -> int:
        """Number of the private queue on its host."""

class ProviderInfo(Record):
    """The cryptographic provider that made a signature, from `SecurityData.ProviderInfo`.

    Attributes:
        ProviderType: type of the provider that made the signature.
        ProviderName: its name, terminator not included.
    """
    def __init__(
        self,
        ProviderType: int = ...,
        ProviderName: str = ...,
    ) -> None: ...
    @property
    def ProviderType(self) -> int:
        """Type of the provider that made the signature."""
    @property
    def ProviderName(self) -> str:
        """Its name, terminator not included."""

class PublicQueueFormatName(Record):
    """A public queue.

    Attributes:
        PublicQueueIdentifier: the public queue in the directory.
    """
    def __init__(
        self,
        PublicQueueIdentifier: _Guid = ...,
    ) -> None: ...
    @property
    def PublicQueueIdentifier(self) -> GUID:
        """The public queue in the directory."""
    @property
    def format_name(self) -> format_names.FormatName:
        """The format name that this wire form stands for.

        Raises:
            EncodeError: The text on the wire is no direct name.
        """

class SecurityData(Record):
    """The five parts behind a SecurityHeader, each followed by its padding.

    Attributes:
        SecurityID: SID of the sender, or GUID of its queue manager.
        SecurityIDPadding: to a 4-byte boundary; the name is ours.
        EncryptionKey: session key, see SIMPLEBLOB.
        EncryptionKeyPadding: to a 4-byte boundary; the name is ours.
        Signature: digital signature of the packet.
        SignaturePadding: to a 4-byte boundary; the name is ours.
        SenderCert: X.509 certificate of the sender.
        SenderCertPadding: to a 4-byte boundary; the name is ours.
        ProviderInfo: alternative provider, see ProviderInfo.
        ProviderInfoPadding: to a 4-byte boundary; the name is ours.
    """
    def __init__(
        self,
        SecurityID: _Bytes = ...,
        SecurityIDPadding: _Bytes = ...,
        EncryptionKey: _Bytes = ...,
        EncryptionKeyPadding: _Bytes = ...,
        Signature: _Bytes = ...,
        SignaturePadding: _Bytes = ...,
        SenderCert: _Bytes = ...,
        SenderCertPadding: _Bytes = ...,
        ProviderInfo: _Bytes = ...,
        ProviderInfoPadding: _Bytes = ...,
    ) -> None: ...
    @property
    def SecurityID(self) -> bytes:
        """SID of the sender, or GUID of its queue manager."""
    @property
    def SecurityIDPadding(self) -> bytes:
        """To a 4-byte boundary; the name is ours."""
    @property
    def EncryptionKey(self) -> bytes:
        """Session key, see SIMPLEBLOB."""
    @property
    def EncryptionKeyPadding(self) -> bytes:
        """To a 4-byte boundary; the name is ours."""
    @property
    def Signature(self) -> bytes:
        """Digital signature of the packet."""
    @property
    def SignaturePadding(self) -> bytes:
        """To a 4-byte boundary; the name is ours."""
    @property
    def SenderCert(self) -> bytes:
        """X.509 certificate of the sender."""
    @property
    def SenderCertPadding(self) -> bytes:
        """To a 4-byte boundary; the name is ours."""
    @property
    def ProviderInfo(self) -> bytes:
        """Alternative provider, see ProviderInfo."""
    @property
    def ProviderInfoPadding(self) -> bytes:
        """To a 4-byte boundary; the name is ours."""

class SecurityHeader(Record):
    """Sender's identity, keys, signature and certificate.

    Attributes:
        Flags: options of the security information.
        SenderIdSize: size of SecurityData.SecurityID in bytes.
        EncryptionKeySize: size of SecurityData.EncryptionKey in bytes.
        SignatureSize: size of SecurityData.Signature in bytes.
        SenderCertSize: size of SecurityData.SenderCert in bytes, at most 0xFFFF.
        ProviderInfoSize: size of SecurityData.ProviderInfo in bytes.
        SecurityData: the five parts; absent when all five sizes are zero.
    """
    def __init__(
        self,
        Flags: SecurityHeaderFlags | int = ...,
        SenderIdSize: int = ...,
        EncryptionKeySize: int = ...,
        SignatureSize: int = ...,
        SenderCertSize: int = ...,
        ProviderInfoSize: int = ...,
        SecurityData: mqmq.SecurityData | None = ...,
    ) -> None: ...
    @property
    def Flags(self) -> SecurityHeaderFlags:
        """Options of the security information."""
    @property
    def SenderIdSize(self) -> int:
        """Size of SecurityData.SecurityID in bytes."""
    @property
    def EncryptionKeySize(self) -> int:
        """Size of SecurityData.EncryptionKey in bytes."""
    @property
    def SignatureSize(self) -> int:
        """Size of SecurityData.Signature in bytes."""
    @property
    def SenderCertSize(self) -> int:
        """Size of SecurityData.SenderCert in bytes, at most 0xFFFF."""
    @property
    def ProviderInfoSize(self) -> int:
        """Size of SecurityData.ProviderInfo in bytes."""
    @property
    def SecurityData(self) -> mqmq.SecurityData | None:
        """The five parts; absent when all five sizes are zero."""
    @property
    def sender(self) -> GUID | str | None:
        """From `SecurityData.SecurityID`: a queue manager's GUID, a SID as text, or None.

        None also where the bytes do not have the form that `Flags.ST` announces.
        """
    @property
    def provider(self) -> mqmq.ProviderInfo | None:
        """From `SecurityData.ProviderInfo`: the alternative provider, or None.

        Raises:
            DecodeError: The bytes are no ProviderInfo.
        """

class SenderCertPublicKey(Record):
    """The public key in a sender's certificate.

    Attributes:
        bType: 0x06, a public key; the page prints values only, so this name is ours.
        bVersion: 0x02; the name is ours.
        reserved: zero; the name is ours.
        KeyType: what the key is for.
        magic: "RSA1"; the name is ours.
        LengthInBits: length of Modulus in bits.
        PublicExponent: e of the key pair.
        Modulus: n of the key pair, little-endian, filled up with zeros.
    """
    def __init__(
        self,
        bType: int = ...,
        bVersion: int = ...,
        reserved: int = ...,
        KeyType: int = ...,
        magic: _Bytes = ...,
        LengthInBits: int = ...,
        PublicExponent: int = ...,
        Modulus: _Bytes = ...,
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
    def KeyType(self) -> int:
        """What the key is for."""
    @property
    def magic(self) -> bytes:
        """ "RSA1"; the name is ours."""
    @property
    def LengthInBits(self) -> int:
        """Length of Modulus in bits."""
    @property
    def PublicExponent(self) -> int:
        """E of the key pair."""
    @property
    def Modulus(self) -> bytes:
        """N of the key pair, little-endian, filled up with zeros."""

class SessionHeader(Record):
    """Acknowledgments of the messages received on a session, and its window.

    Attributes:
        AckSequenceNumber: UserMessage packets received on this session.
        RecoverableMsgAckSeqNumber: lowest persisted recoverable message not yet acknowledged; 0: none.
        RecoverableMsgAckFlags: bit k: recoverable message RecoverableMsgAckSeqNumber + k is on disk.
        UserMsgSequenceNumber: UserMessage packets sent on this session.
        RecoverableMsgSeqNumber: recoverable UserMessage packets sent on this session.
        WindowSize: acknowledgment window in packets, 1 to 0xFFFF.
        Reserved: any value.
    """
    def __init__(
        self,
        AckSequenceNumber: int = ...,
        RecoverableMsgAckSeqNumber: int = ...,
        RecoverableMsgAckFlags: int = ...,
        UserMsgSequenceNumber: int = ...,
        RecoverableMsgSeqNumber: int = ...,
        WindowSize: int = ...,
        Reserved: int = ...,
    ) -> None: ...
    @property
    def AckSequenceNumber(self) -> int:
        """UserMessage packets received on this session."""
    @property
    def RecoverableMsgAckSeqNumber(self) -> int:
        """Lowest persisted recoverable message not yet acknowledged; 0: none."""
    @property
    def RecoverableMsgAckFlags(self) -> int:
        """Bit k: recoverable message RecoverableMsgAckSeqNumber + k is on disk."""
    @property
    def UserMsgSequenceNumber(self) -> int:
        """UserMessage packets sent on this session."""
    @property
    def RecoverableMsgSeqNumber(self) -> int:
        """Recoverable UserMessage packets sent on this session."""
    @property
    def WindowSize(self) -> int:
        """Acknowledgment window in packets, 1 to 0xFFFF."""
    @property
    def Reserved(self) -> int:
        """Any value."""

class SoapHeader(Record):
    """Two texts of the application.

    Attributes:
        HeaderSectionID: 0x0320.
        Reserved: zero when sent.
        HeaderDataLength: WCHARs in Header, terminator included.
        Header: application's text, terminator included.
        BodySectionID: 0x0384.
        Reserved1: zero when sent.
        BodyDataLength: WCHARs in Body, terminator included.
        Body: application's text, terminator included.
        Padding: to a 4-byte boundary of the packet; any value.
    """
    def __init__(
        self,
        HeaderSectionID: int = ...,
        Reserved: int = ...,
        HeaderDataLength: int = ...,
        Header: str = ...,
        BodySectionID: int = ...,
        Reserved1: int = ...,
        BodyDataLength: int = ...,
        Body: str = ...,
        Padding: _Bytes = ...,
    ) -> None: ...
    @property
    def HeaderSectionID(self) -> int:
        """0x0320."""
    @property
    def Reserved(self) -> int:
        """Zero when sent."""
    @property
    def HeaderDataLength(self) -> int:
        """WCHARs in Header, terminator included."""
    @property
    def Header(self) -> str:
        """Application's text, terminator included."""
    @property
    def BodySectionID(self) -> int:
        """0x0384."""
    @property
    def Reserved1(self) -> int:
        """Zero when sent."""
    @property
    def BodyDataLength(self) -> int:
        """WCHARs in Body, terminator included."""
    @property
    def Body(self) -> str:
        """Application's text, terminator included."""
    @property
    def Padding(self) -> bytes:
        """To a 4-byte boundary of the packet; any value."""

class TransactionHeader(Record):
    """Where a message stands in its transactional sequence.

    Attributes:
        Flags: options of the transaction.
        TxSequenceID: the sequence that both numbers belong to.
        TxSequenceNumber: position of the message in the sequence, from 1.
        PreviousTxSequenceNumber: position of the message before it; 0: none.
        ConnectorQMGuid: connector queue manager; present if Flags.CG is set.
    """
    def __init__(
        self,
        Flags: TransactionHeaderFlags | int = ...,
        TxSequenceID: mqmq.TxSequenceID = ...,
        TxSequenceNumber: int = ...,
        PreviousTxSequenceNumber: int = ...,
        ConnectorQMGuid: _Guid | None = ...,
    ) -> None: ...
    @property
    def Flags(self) -> TransactionHeaderFlags:
        """Options of the transaction."""
    @property
    def TxSequenceID(self) -> mqmq.TxSequenceID:
        """The sequence that both numbers belong to."""
    @property
    def TxSequenceNumber(self) -> int:
        """Position of the message in the sequence, from 1."""
    @property
    def PreviousTxSequenceNumber(self) -> int:
        """Position of the message before it; 0: none."""
    @property
    def ConnectorQMGuid(self) -> GUID | None:
        """Connector queue manager; present if Flags.CG is set."""

class TxSequenceID(Record):
    """Identifier of a sequence of transactional messages.

    Attributes:
        Ordinal: low-order half of the 64-bit value.
        TimeStamp: high-order half of the 64-bit value.
    """
    def __init__(
        self,
        Ordinal: int = ...,
        TimeStamp: int = ...,
    ) -> None: ...
    @property
    def Ordinal(self) -> int:
        """Low-order half of the 64-bit value."""
    @property
    def TimeStamp(self) -> int:
        """High-order half of the 64-bit value."""

class UserHeader(Record):
    """Who sends a message, to which queues, and which headers go with it.

    Attributes:
        SourceQueueManager: queue manager of the original sender.
        QueueManagerAddress: destination queue manager; null for a direct format name.
        TimeToBeReceived: seconds until the message expires; 0xFFFFFFFF: never.
        SentTime: when the packet was sent, seconds since 1970-01-01 UTC.
        MessageID: number of the message, unique within its sender.
        Flags: options of the message.
        DestinationQueue: final destination, in the form that Flags.DQ selects.
        AdminQueue: queue for administration acknowledgments, in the form that Flags.AQ selects.
        ResponseQueue: queue for replies, in the form that Flags.RQ selects.
        ConnectorType: defined by the application; present if Flags.CQ is set.
    """
    def __init__(
        self,
        SourceQueueManager: _Guid = ...,
        QueueManagerAddress: _Guid = ...,
        TimeToBeReceived: int = ...,
        SentTime: int = ...,
        MessageID: int = ...,
        Flags: UserHeaderFlags | int = ...,
        DestinationQueue: mqmq.PrivateQueueFormatNameId
        | mqmq.PublicQueueFormatName
        | mqmq.DirectQueueFormatName
        | format_names.FormatName
        | str
        | None = ...,
        AdminQueue: mqmq.PrivateQueueFormatNameId
        | mqmq.PublicQueueFormatName
        | mqmq.PrivateQueueFormatName
        | mqmq.DirectQueueFormatName
        | format_names.FormatName
        | str
        | None = ...,
        ResponseQueue: mqmq.PrivateQueueFormatNameId
        | mqmq.PublicQueueFormatName
        | mqmq.PrivateQueueFormatName
        | mqmq.DirectQueueFormatName
        | format_names.FormatName
        | str
        | None = ...,
        ConnectorType: _Guid | None = ...,
    ) -> None: ...
    @property
    def SourceQueueManager(self) -> GUID:
        """Queue manager of the original sender."""
    @property
    def QueueManagerAddress(self) -> GUID:
        """Destination queue manager; null for a direct format name."""
    @property
    def TimeToBeReceived(self) -> int:
        """Seconds until the message expires; 0xFFFFFFFF: never."""
    @property
    def SentTime(self) -> int:
        """When the packet was sent, seconds since 1970-01-01 UTC."""
    @property
    def MessageID(self) -> int:
        """Number of the message, unique within its sender."""
    @property
    def Flags(self) -> UserHeaderFlags:
        """Options of the message."""
    @property
    def DestinationQueue(
        self,
    ) -> mqmq.PrivateQueueFormatNameId | mqmq.PublicQueueFormatName | mqmq.DirectQueueFormatName | None:
        """Final destination, in the form that Flags.DQ selects."""
    @property
    def AdminQueue(
        self,
    ) -> (
        mqmq.PrivateQueueFormatNameId
        | mqmq.PublicQueueFormatName
        | mqmq.PrivateQueueFormatName
        | mqmq.DirectQueueFormatName
        | None
    ):
        """Queue for administration acknowledgments, in the form that Flags.AQ selects."""
    @property
    def ResponseQueue(
        self,
    ) -> (
        mqmq.PrivateQueueFormatNameId
        | mqmq.PublicQueueFormatName
        | mqmq.PrivateQueueFormatName
        | mqmq.DirectQueueFormatName
        | None
    ):
        """Queue for replies, in the form that Flags.RQ selects."""
    @property
    def ConnectorType(self) -> GUID | None:
        """Defined by the application; present if Flags.CQ is set."""
    @property
    def time_to_be_received(self) -> dt.timedelta | None:
        """From `TimeToBeReceived`: the time until the message expires; None means never."""
    @property
    def sent_at(self) -> dt.datetime:
        """From `SentTime`: when the packet was sent, in UTC."""
    @property
    def message_identifier(self) -> mqmq.MessageIdentifier:
        """From `SourceQueueManager` and `MessageID`: what acknowledgments of this message carry."""
    @property
    def destination(self) -> format_names.FormatName | None:
        """From `DestinationQueue`: the final destination; None if there is none.

        Raises:
            EncodeError: The text on the wire is no direct name.
        """
    @property
    def admin_queue(self) -> format_names.FormatName | None:
        """From `AdminQueue`: the queue for administration acknowledgments; None if there is none.

        Raises:
            EncodeError: The text on the wire is no direct name.
        """
    @property
    def response_queue(self) -> format_names.FormatName | None:
        """From `ResponseQueue`: the queue for replies; None if there is none.

        Raises:
            EncodeError: The text on the wire is no direct name, or the host is the administration queue's
                (Flags.RQ 0x4) and that queue does not tell its host.
        """
    @property
    def received_from(self) -> mqrr.UserHeaderAddress:
        """From `QueueManagerAddress` of a message read remotely: who sent it ([MS-MQRR] 2.2.5.1)."""

class UserMessage(Record):
    """A whole message: a packet of the binary protocol, or one that came over HTTP ([MS-MQRR] 2.2.5.1).

    Attributes:
        BaseHeader: kind, size and lifetime of the packet.
        UserHeader: sender, queues and options.
        TransactionHeader: place in a transactional sequence; present if UserHeader.Flags.TH is set.
        SecurityHeader: sender, signature and keys; present if UserHeader.Flags.SH is set.
        MessagePropertiesHeader: label, class and body; present if UserHeader.Flags.MP is set.
        DebugHeader: trace queue; present if BaseHeader.Flags.DH is set.
        SRMPEnvelopeHeader: SOAP envelope; present if UserHeader.Flags.AH is set.
        CompoundMessageHeader: HTTP message; present if UserHeader.Flags.AH is set.
        SoapHeader: application's SOAP texts; present if UserHeader.Flags.HH is set.
        MultiQueueFormatHeader: all destinations; present if UserHeader.Flags.MQ is set.
        ExtensionHeader: announces the next three; present if bytes remain within PacketSize.
        SubqueueHeader: subqueue; present if ExtensionHeader.Flags.SQ is set.
        DeadLetterHeader: dead-letter queue; present if ExtensionHeader.Flags.DL is set.
        ExtendedAddressHeader: sender's address; present if ExtensionHeader.Flags.EA is set.
        SessionHeader: acknowledgment that rides along, behind PacketSize; present if BaseHeader.Flags.SH is set.
    """
    def __init__(
        self,
        BaseHeader: mqmq.BaseHeader = ...,
        UserHeader: mqmq.UserHeader = ...,
        TransactionHeader: mqmq.TransactionHeader | None = ...,
        SecurityHeader: mqmq.SecurityHeader | None = ...,
        MessagePropertiesHeader: mqmq.MessagePropertiesHeader = ...,
        DebugHeader: mqmq.DebugHeader | None = ...,
        SRMPEnvelopeHeader: mqrr.SRMPEnvelopeHeader | None = ...,
        CompoundMessageHeader: mqrr.CompoundMessageHeader | None = ...,
        SoapHeader: mqmq.SoapHeader | None = ...,
        MultiQueueFormatHeader: mqmq.MultiQueueFormatHeader | None = ...,
        ExtensionHeader: mqrr.ExtensionHeader | None = ...,
        SubqueueHeader: mqrr.SubqueueHeader | None = ...,
        DeadLetterHeader: mqrr.DeadLetterHeader | None = ...,
        ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None = ...,
        SessionHeader: mqmq.SessionHeader | None = ...,
    ) -> None: ...
    @property
    def BaseHeader(self) -> mqmq.BaseHeader:
        """Kind, size and lifetime of the packet."""
    @property
    def UserHeader(self) -> mqmq.UserHeader:
        """Sender, queues and options."""
    @property
    def TransactionHeader(self) -> mqmq.TransactionHeader | None:
        """Place in a transactional sequence; present if UserHeader.Flags.TH is set."""
    @property
    def SecurityHeader(self) -> mqmq.SecurityHeader | None:
        """Sender, signature and keys; present if UserHeader.Flags.SH is set."""
    @property
    def MessagePropertiesHeader(self) -> mqmq.MessagePropertiesHeader:
        """Label, class and body; present if UserHeader.Flags.MP is set."""
    @property
    def DebugHeader(self) -> mqmq.DebugHeader | None:
        """Trace queue; present if BaseHeader.Flags.DH is set."""
    @property
    def SRMPEnvelopeHeader(self) -> mqrr.SRMPEnvelopeHeader | None:
        """SOAP envelope; present if UserHeader.Flags.AH is set."""
    @property
    def CompoundMessageHeader(self) -> mqrr.CompoundMessageHeader | None:
        """HTTP message; present if UserHeader.Flags.AH is set."""
    @property
    def SoapHeader(self) -> mqmq.SoapHeader | None:
        """Application's SOAP texts; present if UserHeader.Flags.HH is set."""
    @property
    def MultiQueueFormatHeader(self) -> mqmq.MultiQueueFormatHeader | None:
        """All destinations; present if UserHeader.Flags.MQ is set."""
    @property
    def ExtensionHeader(self) -> mqrr.ExtensionHeader | None:
        """Announces the next three; present if bytes remain within PacketSize."""
    @property
    def SubqueueHeader(self) -> mqrr.SubqueueHeader | None:
        """Subqueue; present if ExtensionHeader.Flags.SQ is set."""
    @property
    def DeadLetterHeader(self) -> mqrr.DeadLetterHeader | None:
        """Dead-letter queue; present if ExtensionHeader.Flags.DL is set."""
    @property
    def ExtendedAddressHeader(self) -> mqrr.ExtendedAddressHeader | None:
        """Sender's address; present if ExtensionHeader.Flags.EA is set."""
    @property
    def SessionHeader(self) -> mqmq.SessionHeader | None:
        """Acknowledgment that rides along, behind PacketSize; present if BaseHeader.Flags.SH is set."""
    @property
    def is_transactional(self) -> bool:
        """Whether the message belongs to a transaction: it has a TransactionHeader."""
    @property
    def body(self) -> bytes:
        """The message's payload: `MessageBody`, or for a message sent over HTTP the part that is its body.

        The SRMP body is what CompoundMessageHeader's offset and size name, as far as it lies within Data.
        """
    @property
    def typed_body(self) -> Any:
        """From `body` and `MessagePropertiesHeader.BodyType`: text, number, GUID or whatever else the type says.

        Bytes where the type says nothing, where the body does not fit it, and where it is encrypted.
        """
    @property
    def directory_message(self) -> replication.Message | mqcn.ChangeNotificationMessage | None:
        """From queue, class and `MessageBody`: the replication message or change notification in the body.

        None for a message that carries neither; `carriers` says how that is told.

        Raises:
            DecodeError: The message should carry one, but its body cannot be read as one.
        """
