"""Generated from the layouts; do not edit.  The nox session `stubs` writes it anew."""

import ipaddress
from typing import Any
from typing import Self
from msmq_wire.documents import mqmq
from msmq_wire.documents import mqrr
from msmq_wire.records.record import Flags
from msmq_wire.records.record import Record

__all__ = [
    "CompoundMessageHeader",
    "DeadLetterHeader",
    "ExtendedAddressHeader",
    "ExtensionHeader",
    "ExtensionHeaderFlags",
    "MessagePacket",
    "SRMPEnvelopeHeader",
    "SubqueueHeader",
    "SubqueueHeaderFlags",
    "UserHeaderAddress",
]

_Bytes = bytes | bytearray | memoryview

class ExtensionHeaderFlags(Flags):
    """Groups of `ExtensionHeader.Flags`: which headers follow."""
    def __new__(
        cls,
        value: int | None = None,
        /,
        *,
        DL: int = ...,
        SQ: int = ...,
        X2: int = ...,
        DI: int = ...,
        EA: int = ...,
        X5: int = ...,
        X6: int = ...,
        X7: int = ...,
    ) -> Self: ...
    def replace(
        self,
        *,
        DL: int = ...,
        SQ: int = ...,
        X2: int = ...,
        DI: int = ...,
        EA: int = ...,
        X5: int = ...,
        X6: int = ...,
        X7: int = ...,
    ) -> Self: ...
    @property
    def DL(self) -> int:
        """A DeadLetterHeader is present."""
    @property
    def SQ(self) -> int:
        """A SubqueueHeader is present."""
    @property
    def X2(self) -> int:
        """Unused."""
    @property
    def DI(self) -> int:
        """The dead-letter queue is invalid."""
    @property
    def EA(self) -> int:
        """An ExtendedAddressHeader is present."""
    @property
    def X5(self) -> int:
        """Unused."""
    @property
    def X6(self) -> int:
        """Unused."""
    @property
    def X7(self) -> int:
        """Unused."""

class SubqueueHeaderFlags(Flags):
    """Groups of `SubqueueHeader.Flags`: the page gives the three parts no common name; this one is ours."""
    def __new__(
        cls,
        value: int | None = None,
        /,
        *,
        TM: int = ...,
        AcknowledgementClass: int = ...,
        Reserved: int = ...,
    ) -> Self: ...
    def replace(self, *, TM: int = ..., AcknowledgementClass: int = ..., Reserved: int = ...) -> Self: ...
    @property
    def TM(self) -> int:
        """Zero."""
    @property
    def AcknowledgementClass(self) -> int:
        """Acknowledgment class of the message, see MESSAGE_CLASS_VALUES."""
    @property
    def Reserved(self) -> int:
        """Any value."""

class CompoundMessageHeader(Record):
    """The HTTP request of a message that came over HTTP, and where in it the body is.

    Attributes:
        HeaderId: number of the header, 500 in packets seen.
        Reserved: any value.
        HTTPBodySize: size of Data in bytes.
        MsgBodySize: size of the message body within Data in bytes.
        MsgBodyOffset: where the message body starts within Data.
        Data: the HTTP POST that carried the message.
        Padding: to a 4-byte boundary; any value.
    """
    def __init__(
        self,
        HeaderId: int = ...,
        Reserved: int = ...,
        HTTPBodySize: int = ...,
        MsgBodySize: int = ...,
        MsgBodyOffset: int = ...,
        Data: _Bytes = ...,
        Padding: _Bytes = ...,
    ) -> None: ...
    @property
    def HeaderId(self) -> int:
        """Number of the header, 500 in packets seen."""
    @property
    def Reserved(self) -> int:
        """Any value."""
    @property
    def HTTPBodySize(self) -> int:
        """Size of Data in bytes."""
    @property
    def MsgBodySize(self) -> int:
        """Size of the message body within Data in bytes."""
    @property
    def MsgBodyOffset(self) -> int:
        """Where the message body starts within Data."""
    @property
    def Data(self) -> bytes:
        """The HTTP POST that carried the message."""
    @property
    def Padding(self) -> bytes:
        """To a 4-byte boundary; any value."""

class DeadLetterHeader(Record):
    """The dead-letter queue that the application asked for.

    Attributes:
        HeaderSize: size of this header in bytes, padding included.
        DeadLetterPathName: application's dead-letter queue, terminator not included.
        Padding: to a 4-byte boundary, zeros.
    """
    def __init__(
        self,
        HeaderSize: int = ...,
        DeadLetterPathName: str = ...,
        Padding: _Bytes = ...,
    ) -> None: ...
    @property
    def HeaderSize(self) -> int:
        """Size of this header in bytes, padding included."""
    @property
    def DeadLetterPathName(self) -> str:
        """Application's dead-letter queue, terminator not included."""
    @property
    def Padding(self) -> bytes:
        """To a 4-byte boundary, zeros."""

class ExtendedAddressHeader(Record):
    """The address of the host that sent a message.

    Attributes:
        HeaderSize: size of this header in bytes, 28.
        AddressLength: length of the address in Address, in bytes.
        AddressType: kind of address; 0: ignore this header.
        AddressScope: scope of an IPv6 address, otherwise 0.
        Address: host that sent the message.
    """
    def __init__(
        self,
        HeaderSize: int = ...,
        AddressLength: int = ...,
        AddressType: int = ...,
        AddressScope: int = ...,
        Address: _Bytes = ...,
    ) -> None: ...
    @property
    def HeaderSize(self) -> int:
        """Size of this header in bytes, 28."""
    @property
    def AddressLength(self) -> int:
        """Length of the address in Address, in bytes."""
    @property
    def AddressType(self) -> int:
        """Kind of address; 0: ignore this header."""
    @property
    def AddressScope(self) -> int:
        """Scope of an IPv6 address, otherwise 0."""
    @property
    def Address(self) -> bytes:
        """Host that sent the message."""
    @property
    def ip_address(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """From `AddressType` and `Address`: the sender's address; None if there is none or it was cut off."""

class ExtensionHeader(Record):
    """Which further headers follow a message.

    Attributes:
        HeaderSize: size of this header in bytes.
        RemainingHeadersSize: sum of the sizes of the headers that follow, in bytes.
        Flags: which headers follow.
        Reserved: any value.
    """
    def __init__(
        self,
        HeaderSize: int = ...,
        RemainingHeadersSize: int = ...,
        Flags: ExtensionHeaderFlags | int = ...,
        Reserved: _Bytes = ...,
    ) -> None: ...
    @property
    def HeaderSize(self) -> int:
        """Size of this header in bytes."""
    @property
    def RemainingHeadersSize(self) -> int:
        """Sum of the sizes of the headers that follow, in bytes."""
    @property
    def Flags(self) -> ExtensionHeaderFlags:
        """Which headers follow."""
    @property
    def Reserved(self) -> bytes:
        """Any value."""

class MessagePacket(Record):
    """A message and the headers that follow it in a remote read.

    Attributes:
        UserMessage: the message.
        ExtensionHeader: announces the next three; absent in packets of Windows Server 2003.
        SubqueueHeader: subqueue; present if ExtensionHeader.Flags.SQ is set.
        DeadLetterHeader: dead-letter queue; present if ExtensionHeader.Flags.DL is set.
        ExtendedAddressHeader: sender's address; present if ExtensionHeader.Flags.EA is set.
    """
    def __init__(
        self,
        UserMessage: mqmq.UserMessage = ...,
        ExtensionHeader: mqrr.ExtensionHeader | None = ...,
        SubqueueHeader: mqrr.SubqueueHeader | None = ...,
        DeadLetterHeader: mqrr.DeadLetterHeader | None = ...,
        ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None = ...,
    ) -> None: ...
    @property
    def UserMessage(self) -> mqmq.UserMessage:
        """The message."""
    @property
    def ExtensionHeader(self) -> mqrr.ExtensionHeader | None:
        """Announces the next three; absent in packets of Windows Server 2003."""
    @property
    def SubqueueHeader(self) -> mqrr.SubqueueHeader | None:
        """Subqueue; present if ExtensionHeader.Flags.SQ is set."""
    @property
    def DeadLetterHeader(self) -> mqrr.DeadLetterHeader | None:
        """Dead-letter queue; present if ExtensionHeader.Flags.DL is set."""
    @property
    def ExtendedAddressHeader(self) -> mqrr.ExtendedAddressHeader | None:
        """Sender's address; present if ExtensionHeader.Flags.EA is set."""

class SRMPEnvelopeHeader(Record):
    """The SOAP envelope of a message that came over HTTP.

    Attributes:
        HeaderId: number of the header.
        Reserved: any value.
        DataLength: WCHARs in Data, terminator included.
        Data: SOAP envelope of the message, terminator included.
        Padding: to a 4-byte boundary; any value.
    """
    def __init__(
        self,
        HeaderId: int = ...,
        Reserved: int = ...,
        DataLength: int = ...,
        Data: str = ...,
        Padding: _Bytes = ...,
    ) -> None: ...
    @property
    def HeaderId(self) -> int:
        """Number of the header."""
    @property
    def Reserved(self) -> int:
        """Any value."""
    @property
    def DataLength(self) -> int:
        """WCHARs in Data, terminator included."""
    @property
    def Data(self) -> str:
        """SOAP envelope of the message, terminator included."""
    @property
    def Padding(self) -> bytes:
        """To a 4-byte boundary; any value."""
    @property
    def envelope(self) -> str:
        """From `Data`: the SOAP envelope, without its terminator."""

class SubqueueHeader(Record):
    """The subqueue of a message and its moves.

    Attributes:
        HeaderSize: size of this header in bytes, 148.
        Flags: the page gives the three parts no common name; this one is ours.
        AbortCounter: failed attempts in a row to read or move the message.
        MoveCounter: how often the message was moved.
        LastMoveTime: local time of the last move; 0: never moved.
        SubqueueName: subqueue of the message: 32 WCHARs, filled up with zeros.
        TargetSubqueueName: subqueue that a pending move goes to: 32 WCHARs, filled up with zeros.
    """
    def __init__(
        self,
        HeaderSize: int = ...,
        Flags: SubqueueHeaderFlags | int = ...,
        AbortCounter: int = ...,
        MoveCounter: int = ...,
        LastMoveTime: int = ...,
        SubqueueName: _Bytes = ...,
        TargetSubqueueName: _Bytes = ...,
    ) -> None: ...
    @property
    def HeaderSize(self) -> int:
        """Size of this header in bytes, 148."""
    @property
    def Flags(self) -> SubqueueHeaderFlags:
        """The page gives the three parts no common name; this one is ours."""
    @property
    def AbortCounter(self) -> int:
        """Failed attempts in a row to read or move the message."""
    @property
    def MoveCounter(self) -> int:
        """How often the message was moved."""
    @property
    def LastMoveTime(self) -> int:
        """Local time of the last move; 0: never moved."""
    @property
    def SubqueueName(self) -> bytes:
        """Subqueue of the message: 32 WCHARs, filled up with zeros."""
    @property
    def TargetSubqueueName(self) -> bytes:
        """Subqueue that a pending move goes to: 32 WCHARs, filled up with zeros."""
    @property
    def subqueue_name(self) -> str:
        """From `SubqueueName`: the subqueue of the message; empty if there is none."""
    @property
    def target_subqueue_name(self) -> str:
        """From `TargetSubqueueName`: where a pending move goes; empty if there is none."""

class UserHeaderAddress(Record):
    """What `UserHeader.QueueManagerAddress` holds in a remote read: the address of the sending host.

    Attributes:
        AddressLength: length of the address in bytes, even where Address holds only its start.
        AddressType: kind of address.
        AddressScope: scope of an IPv6 address, otherwise 0.
        Address: as much of the address as fits.
    """
    def __init__(
        self,
        AddressLength: int = ...,
        AddressType: int = ...,
        AddressScope: int = ...,
        Address: _Bytes = ...,
    ) -> None: ...
    @property
    def AddressLength(self) -> int:
        """Length of the address in bytes, even where Address holds only its start."""
    @property
    def AddressType(self) -> int:
        """Kind of address."""
    @property
    def AddressScope(self) -> int:
        """Scope of an IPv6 address, otherwise 0."""
    @property
    def Address(self) -> bytes:
        """As much of the address as fits."""
    @property
    def ip_address(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """From `AddressType` and `Address`: the sender's address; None if there is none or it was cut off."""
