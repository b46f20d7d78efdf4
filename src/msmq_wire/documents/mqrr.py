"""[MS-MQRR] 2.2.5: headers of the message packets of a remote read.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from codecs import utf_16_le_decode as decode_utf16
from codecs import utf_16_le_encode as encode_utf16
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar

from msmq_wire.records.flags import Flags
from msmq_wire.records.record import Record
from msmq_wire.records.registry import register
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import find_terminator

from . import readings

if TYPE_CHECKING:
    import ipaddress
    from collections.abc import Mapping
    from typing import Self

    from msmq_wire.values.limits import Limits

    _Bytes = bytes | bytearray | memoryview
__all__ = [
    "CompoundMessageHeader",
    "DeadLetterHeader",
    "ExtendedAddressHeader",
    "ExtensionHeader",
    "ExtensionHeaderFlags",
    "SRMPEnvelopeHeader",
    "SubqueueHeader",
    "SubqueueHeaderFlags",
    "UserHeaderAddress",
]
join = b"".join


# ------------------------------------------------------------- [MS-MQRR] 2.2.5.1.2.1 SRMPEnvelopeHeader


class SRMPEnvelopeHeader(Record, frozen=True, gc=False):
    """The SOAP envelope of a message that was sent over HTTP ([MS-MQRR] 2.2.5.1.2.1).

    Attributes:
        HeaderId: Number of the header.
        Reserved: Any value.
        DataLength: WCHARs in Data, terminator included.
        Data: SOAP envelope of the message, terminator included.
        Padding: To a 4-byte boundary; any value.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    HeaderId: int
    Reserved: int
    DataLength: int
    Data: str
    Padding: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            HeaderId: int = 0,
            Reserved: int = 0,
            DataLength: int = ...,
            Data: str = "",
            Padding: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            HeaderId: int = ...,
            Reserved: int = ...,
            DataLength: int = ...,
            Data: str = ...,
            Padding: _Bytes = ...,
        ) -> Self: ...

    @property
    def envelope(self) -> str:
        """From `Data`: the SOAP envelope, without its terminator; null characters within it stay."""
        return readings.envelope(self)


unpack_HHI = Struct("<HHI").unpack_from
new_SRMPEnvelopeHeader = SRMPEnvelopeHeader.raw


def decode_SRMPEnvelopeHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[SRMPEnvelopeHeader, int]:
    data_length_end = pos + 8
    if data_length_end > end:
        raise Reject
    header_id, reserved, data_length = unpack_HHI(data, pos)
    if data_length > limits.string_length:
        raise Reject
    data__end = data_length_end + data_length * 2
    if data__end > end:
        raise Reject
    padding_end = data__end + (-(data_length * 2) & 3)
    if padding_end > end:
        raise Reject
    return new_SRMPEnvelopeHeader(
        *(
            header_id,
            reserved,
            data_length,
            decode_utf16(data[data_length_end:data__end], "surrogatepass", True)[0],
            data[data__end:padding_end],
        )
    ), padding_end


pack_HHI = Struct("<HHI").pack


def encode_SRMPEnvelopeHeader(record: SRMPEnvelopeHeader) -> bytes:
    return join(
        (
            pack_HHI(record.HeaderId, record.Reserved, record.DataLength),
            encode_utf16(record.Data, "surrogatepass")[0],
            record.Padding,
        )
    )


register(SRMPEnvelopeHeader, decode_SRMPEnvelopeHeader, encode_SRMPEnvelopeHeader)


# ---------------------------------------------------------- [MS-MQRR] 2.2.5.1.2.2 CompoundMessageHeader


class CompoundMessageHeader(Record, frozen=True, gc=False):
    """The HTTP request of a message that was sent over HTTP, with the position of its body ([MS-MQRR]
    2.2.5.1.2.2).

    Attributes:
        HeaderId: Number of the header, 500 in packets seen.
        Reserved: Any value.
        HTTPBodySize: Size of Data in bytes.
        MsgBodySize: Size of the message body within Data in bytes.
        MsgBodyOffset: Where the message body starts within Data.
        Data: The HTTP POST that carried the message.
        Padding: To a 4-byte boundary; any value.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    HeaderId: int
    Reserved: int
    HTTPBodySize: int
    MsgBodySize: int
    MsgBodyOffset: int
    Data: bytes
    Padding: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            HeaderId: int = 500,
            Reserved: int = 0,
            HTTPBodySize: int = ...,
            MsgBodySize: int = 0,
            MsgBodyOffset: int = 0,
            Data: _Bytes = b"",
            Padding: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            HeaderId: int = ...,
            Reserved: int = ...,
            HTTPBodySize: int = ...,
            MsgBodySize: int = ...,
            MsgBodyOffset: int = ...,
            Data: _Bytes = ...,
            Padding: _Bytes = ...,
        ) -> Self: ...


unpack_HHIII = Struct("<HHIII").unpack_from
new_CompoundMessageHeader = CompoundMessageHeader.raw


def decode_CompoundMessageHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[CompoundMessageHeader, int]:
    msg_body_offset_end = pos + 16
    if msg_body_offset_end > end:
        raise Reject
    header_id, reserved, http_body_size, msg_body_size, msg_body_offset = unpack_HHIII(data, pos)
    data__end = msg_body_offset_end + http_body_size
    padding_end = data__end + (-http_body_size & 3)
    if padding_end > end:
        raise Reject
    return new_CompoundMessageHeader(
        *(
            header_id,
            reserved,
            http_body_size,
            msg_body_size,
            msg_body_offset,
            data[msg_body_offset_end:data__end],
            data[data__end:padding_end],
        )
    ), padding_end


pack_HHIII = Struct("<HHIII").pack


def encode_CompoundMessageHeader(record: CompoundMessageHeader) -> bytes:
    return join(
        (
            pack_HHIII(
                record.HeaderId,
                record.Reserved,
                record.HTTPBodySize,
                record.MsgBodySize,
                record.MsgBodyOffset,
            ),
            record.Data,
            record.Padding,
        )
    )


register(CompoundMessageHeader, decode_CompoundMessageHeader, encode_CompoundMessageHeader)


# -------------------------------------------------------------------- [MS-MQRR] 2.2.5.2 ExtensionHeader


class ExtensionHeaderFlags(Flags):
    """Groups of `ExtensionHeader.Flags`: which headers follow."""

    __slots__ = ()
    structure = "ExtensionHeader"
    field = "Flags"
    defaults = 0x0

    if TYPE_CHECKING:

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
        return int(self) & 0x1

    @property
    def SQ(self) -> int:
        """A SubqueueHeader is present."""
        return int(self) >> 1 & 0x1

    @property
    def X2(self) -> int:
        """Unused."""
        return int(self) >> 2 & 0x1

    @property
    def DI(self) -> int:
        """The dead-letter queue is invalid."""
        return int(self) >> 3 & 0x1

    @property
    def EA(self) -> int:
        """An ExtendedAddressHeader is present."""
        return int(self) >> 4 & 0x1

    @property
    def X5(self) -> int:
        """Unused."""
        return int(self) >> 5 & 0x1

    @property
    def X6(self) -> int:
        """Unused."""
        return int(self) >> 6 & 0x1

    @property
    def X7(self) -> int:
        """Unused."""
        return int(self) >> 7 & 0x1


class ExtensionHeader(Record, frozen=True, gc=False):
    """Announces the further headers after a message ([MS-MQRR] 2.2.5.2).

    Attributes:
        HeaderSize: Size of this header in bytes.
        RemainingHeadersSize: Sum of the sizes of the headers that follow, in bytes.
        Flags: Which headers follow.
        Reserved: Any value.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": ExtensionHeaderFlags}

    HeaderSize: int
    RemainingHeadersSize: int
    Flags: ExtensionHeaderFlags
    Reserved: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            HeaderSize: int = 12,
            RemainingHeadersSize: int = ...,
            Flags: ExtensionHeaderFlags | int = ...,
            Reserved: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            HeaderSize: int = ...,
            RemainingHeadersSize: int = ...,
            Flags: ExtensionHeaderFlags | int = ...,
            Reserved: _Bytes = ...,
        ) -> Self: ...


known_ExtensionHeaderFlags = ExtensionHeaderFlags.cache
new_ExtensionHeader = ExtensionHeader.raw
unpack_IIB3s = Struct("<IIB3s").unpack_from


def decode_ExtensionHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[ExtensionHeader, int]:
    reserved_end = pos + 12
    if reserved_end > end:
        raise Reject
    header_size, remaining_headers_size, flags, reserved = unpack_IIB3s(data, pos)
    return new_ExtensionHeader(
        *(header_size, remaining_headers_size, known_ExtensionHeaderFlags[flags], reserved)
    ), reserved_end


pack_IIB3s = Struct("<IIB3s").pack


def encode_ExtensionHeader(record: ExtensionHeader) -> bytes:
    return pack_IIB3s(record.HeaderSize, record.RemainingHeadersSize, record.Flags, record.Reserved)


register(ExtensionHeader, decode_ExtensionHeader, encode_ExtensionHeader)


# --------------------------------------------------------------------- [MS-MQRR] 2.2.5.3 SubqueueHeader


class SubqueueHeaderFlags(Flags):
    """Groups of `SubqueueHeader.Flags`: the page gives the three parts no common name; this one is
    ours."""

    __slots__ = ()
    structure = "SubqueueHeader"
    field = "Flags"
    defaults = 0x0

    if TYPE_CHECKING:

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
        return int(self) & 0x1

    @property
    def AcknowledgementClass(self) -> int:
        """Acknowledgment class of the message, see MESSAGE_CLASS_VALUES."""
        return int(self) >> 1 & 0xFFFF

    @property
    def Reserved(self) -> int:
        """Any value."""
        return int(self) >> 17 & 0x7FFF


class SubqueueHeader(Record, frozen=True, gc=False):
    """The subqueue of a message and its moves ([MS-MQRR] 2.2.5.3).

    Attributes:
        HeaderSize: Size of this header in bytes, 148.
        Flags: The page gives the three parts no common name; this one is ours.
        AbortCounter: Failed attempts in a row to read or move the message.
        MoveCounter: How often the message was moved.
        LastMoveTime: Local time of the last move; 0: never moved.
        SubqueueName: Subqueue of the message: 32 WCHARs, filled up with zeros.
        TargetSubqueueName: Subqueue that a pending move goes to: 32 WCHARs, filled up with zeros.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": SubqueueHeaderFlags}

    HeaderSize: int
    Flags: SubqueueHeaderFlags
    AbortCounter: int
    MoveCounter: int
    LastMoveTime: int
    SubqueueName: bytes
    TargetSubqueueName: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            HeaderSize: int = 148,
            Flags: SubqueueHeaderFlags | int = ...,
            AbortCounter: int = 0,
            MoveCounter: int = 0,
            LastMoveTime: int = 0,
            SubqueueName: _Bytes = ...,
            TargetSubqueueName: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            HeaderSize: int = ...,
            Flags: SubqueueHeaderFlags | int = ...,
            AbortCounter: int = ...,
            MoveCounter: int = ...,
            LastMoveTime: int = ...,
            SubqueueName: _Bytes = ...,
            TargetSubqueueName: _Bytes = ...,
        ) -> Self: ...

    @property
    def subqueue_name(self) -> str:
        """From `SubqueueName`: the subqueue of the message; empty if there is none."""
        return readings.subqueue_name(self)

    @property
    def target_subqueue_name(self) -> str:
        """From `TargetSubqueueName`: the target of a pending move; empty if there is none."""
        return readings.target_subqueue_name(self)


known_SubqueueHeaderFlags = SubqueueHeaderFlags.cache
new_SubqueueHeader = SubqueueHeader.raw
unpack_IIIII64s64s = Struct("<IIIII64s64s").unpack_from


def decode_SubqueueHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[SubqueueHeader, int]:
    target_subqueue_name_end = pos + 148
    if target_subqueue_name_end > end:
        raise Reject
    header_size, flags, abort_counter, move_counter, last_move_time, subqueue_name, target_subqueue_name = (
        unpack_IIIII64s64s(data, pos)
    )
    return new_SubqueueHeader(
        *(
            header_size,
            known_SubqueueHeaderFlags[flags],
            abort_counter,
            move_counter,
            last_move_time,
            subqueue_name,
            target_subqueue_name,
        )
    ), target_subqueue_name_end


pack_IIIII64s64s = Struct("<IIIII64s64s").pack


def encode_SubqueueHeader(record: SubqueueHeader) -> bytes:
    return pack_IIIII64s64s(
        record.HeaderSize,
        record.Flags,
        record.AbortCounter,
        record.MoveCounter,
        record.LastMoveTime,
        record.SubqueueName,
        record.TargetSubqueueName,
    )


register(SubqueueHeader, decode_SubqueueHeader, encode_SubqueueHeader)


# ------------------------------------------------------------------- [MS-MQRR] 2.2.5.4 DeadLetterHeader


class DeadLetterHeader(Record, frozen=True, gc=False):
    """The dead-letter queue that the application requested ([MS-MQRR] 2.2.5.4).

    Attributes:
        HeaderSize: Size of this header in bytes, padding included.
        DeadLetterPathName: Application's dead-letter queue, terminator not included.
        Padding: To a 4-byte boundary, zeros.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    HeaderSize: int
    DeadLetterPathName: str
    Padding: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            HeaderSize: int = ...,
            DeadLetterPathName: str = "",
            Padding: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            HeaderSize: int = ...,
            DeadLetterPathName: str = ...,
            Padding: _Bytes = ...,
        ) -> Self: ...


unpack_I = Struct("<I").unpack_from
new_DeadLetterHeader = DeadLetterHeader.raw


def decode_DeadLetterHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[DeadLetterHeader, int]:
    header_size_end = pos + 4
    if header_size_end > end:
        raise Reject
    (header_size,) = unpack_I(data, pos)
    limit = pos + header_size
    if limit > end:
        raise Reject
    if header_size_end > limit:
        raise Reject
    dead_letter_path_name_end = find_terminator(data, header_size_end, limit)
    if dead_letter_path_name_end < 0:
        raise Reject
    if (dead_letter_path_name_end - (header_size_end)) // 2 > limits.string_length:
        raise Reject
    return new_DeadLetterHeader(
        *(
            header_size,
            decode_utf16(data[header_size_end:dead_letter_path_name_end], "surrogatepass", True)[0],
            data[dead_letter_path_name_end + 2 : limit],
        )
    ), limit


pack_I = Struct("<I").pack


def encode_DeadLetterHeader(record: DeadLetterHeader) -> bytes:
    return join(
        (
            pack_I(record.HeaderSize),
            encode_utf16(record.DeadLetterPathName, "surrogatepass")[0],
            b"\0\0",
            record.Padding,
        )
    )


register(DeadLetterHeader, decode_DeadLetterHeader, encode_DeadLetterHeader)


# -------------------------------------------------------------- [MS-MQRR] 2.2.5.5 ExtendedAddressHeader


class ExtendedAddressHeader(Record, frozen=True, gc=False):
    """The address of the host that sent a message ([MS-MQRR] 2.2.5.5).

    Attributes:
        HeaderSize: Size of this header in bytes, 28.
        AddressLength: Length of the address in Address, in bytes.
        AddressType: Kind of address; 0: ignore this header.
        AddressScope: Scope of an IPv6 address, otherwise 0.
        Address: Host that sent the message.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    HeaderSize: int
    AddressLength: int
    AddressType: int
    AddressScope: int
    Address: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            HeaderSize: int = 28,
            AddressLength: int = 0,
            AddressType: int = 0,
            AddressScope: int = 0,
            Address: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            HeaderSize: int = ...,
            AddressLength: int = ...,
            AddressType: int = ...,
            AddressScope: int = ...,
            Address: _Bytes = ...,
        ) -> Self: ...

    @property
    def ip_address(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """From `AddressType` and `Address`: the sender's address; None if it is absent or truncated."""
        return readings.ip_address(self)


new_ExtendedAddressHeader = ExtendedAddressHeader.raw
unpack_IHHI16s = Struct("<IHHI16s").unpack_from


def decode_ExtendedAddressHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[ExtendedAddressHeader, int]:
    address_end = pos + 28
    if address_end > end:
        raise Reject
    header_size, address_length, address_type, address_scope, address = unpack_IHHI16s(data, pos)
    return new_ExtendedAddressHeader(
        *(header_size, address_length, address_type, address_scope, address)
    ), address_end


pack_IHHI16s = Struct("<IHHI16s").pack


def encode_ExtendedAddressHeader(record: ExtendedAddressHeader) -> bytes:
    return pack_IHHI16s(
        record.HeaderSize, record.AddressLength, record.AddressType, record.AddressScope, record.Address
    )


register(ExtendedAddressHeader, decode_ExtendedAddressHeader, encode_ExtendedAddressHeader)


# ------------------------------------------------------------------ [MS-MQRR] 2.2.5.1 UserHeaderAddress


class UserHeaderAddress(Record, frozen=True, gc=False):
    """The value of `UserHeader.QueueManagerAddress` in a remote read: the address of the sending host
    ([MS-MQRR] 2.2.5.1).

    Attributes:
        AddressLength: Length of the address in bytes, even if Address has only its beginning.
        AddressType: Kind of address.
        AddressScope: Scope of an IPv6 address, otherwise 0.
        Address: As much of the address as fits.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    AddressLength: int
    AddressType: int
    AddressScope: int
    Address: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            AddressLength: int = 0,
            AddressType: int = 0,
            AddressScope: int = 0,
            Address: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            AddressLength: int = ...,
            AddressType: int = ...,
            AddressScope: int = ...,
            Address: _Bytes = ...,
        ) -> Self: ...

    @property
    def ip_address(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """From `AddressType` and `Address`: the sender's address; None if it is absent or truncated."""
        return readings.ip_address(self)


new_UserHeaderAddress = UserHeaderAddress.raw
unpack_HHI8s = Struct("<HHI8s").unpack_from


def decode_UserHeaderAddress(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[UserHeaderAddress, int]:
    address_end = pos + 16
    if address_end > end:
        raise Reject
    address_length, address_type, address_scope, address = unpack_HHI8s(data, pos)
    return new_UserHeaderAddress(*(address_length, address_type, address_scope, address)), address_end


pack_HHI8s = Struct("<HHI8s").pack


def encode_UserHeaderAddress(record: UserHeaderAddress) -> bytes:
    return pack_HHI8s(record.AddressLength, record.AddressType, record.AddressScope, record.Address)


register(UserHeaderAddress, decode_UserHeaderAddress, encode_UserHeaderAddress)
