"""[MS-MQQB]: the packets of the binary protocol.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from codecs import utf_16_le_decode as decode_utf16
from codecs import utf_16_le_encode as encode_utf16
from functools import cache, partial
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace

from msmq_wire.records import accept, replacing
from msmq_wire.records.flags import Flags
from msmq_wire.records.left_out import LeftOut
from msmq_wire.records.plain import Taken
from msmq_wire.records.record import Record
from msmq_wire.records.registry import ENCODERS, PACKETS, SHARING, SIZES, register
from msmq_wire.values import plain
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.numbers import NUMBERS
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import wchar_count

from . import layouts, readings
from .mqmq import (
    BaseHeader,
    MessagePropertiesHeader,
    SessionHeader,
    TxSequenceID,
    UserHeader,
    class_TxSequenceID,
    default_TxSequenceID,
    from_plain_BaseHeader,
    from_plain_MessagePropertiesHeader,
    from_plain_SessionHeader,
    from_plain_TxSequenceID,
    from_plain_UserHeader,
    known_BaseHeaderFlags,
    known_MessagePropertiesHeaderFlags,
    known_UserHeaderFlags,
    new_BaseHeader,
    new_DirectQueueFormatName,
    new_MessagePropertiesHeader,
    new_PrivateQueueFormatName,
    new_PrivateQueueFormatNameId,
    new_PublicQueueFormatName,
    new_SessionHeader,
    new_TxSequenceID,
    new_UserHeader,
    partial_BaseHeaderFlags,
    partial_UserHeaderFlags,
    plain_BaseHeader,
    plain_MessagePropertiesHeader,
    plain_SessionHeader,
    plain_TxSequenceID,
    plain_UserHeader,
)

if TYPE_CHECKING:
    import uuid
    from typing import Self

    from msmq_wire.documents import (
        mqmq,
        mqqb,
    )
    from msmq_wire.records.model import Structure
    from msmq_wire.values.limits import Limits

    _Bytes = bytes | bytearray | memoryview
    _Guid = GUID | uuid.UUID | str | bytes
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
join = b"".join


# ----------------------------------------------------------------------- [MS-MQQB] 2.2.1 InternalHeader


class InternalHeaderFlags(Flags):
    """Groups of `InternalHeader.Flags`: type and state."""

    __slots__ = ()
    kind = layouts.InternalHeader.flags("Flags")
    structure = "InternalHeader"
    field = "Flags"
    defaults = 0x0

    if TYPE_CHECKING:

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
        return int(self) & 0xF

    @property
    def CS(self) -> int:
        """Connection refused."""
        return int(self) >> 4 & 0x1

    @property
    def X5(self) -> int:
        """Reserved."""
        return int(self) >> 5 & 0x1

    @property
    def X6(self) -> int:
        """Reserved."""
        return int(self) >> 6 & 0x1

    @property
    def X7(self) -> int:
        """Reserved."""
        return int(self) >> 7 & 0x1

    @property
    def X8(self) -> int:
        """Reserved."""
        return int(self) >> 8 & 0x1

    @property
    def X9(self) -> int:
        """Reserved."""
        return int(self) >> 9 & 0x1

    @property
    def X10(self) -> int:
        """Reserved."""
        return int(self) >> 10 & 0x1

    @property
    def X11(self) -> int:
        """Reserved."""
        return int(self) >> 11 & 0x1

    @property
    def X12(self) -> int:
        """Reserved."""
        return int(self) >> 12 & 0x1

    @property
    def X13(self) -> int:
        """Reserved."""
        return int(self) >> 13 & 0x1

    @property
    def X14(self) -> int:
        """Reserved."""
        return int(self) >> 14 & 0x1

    @property
    def X15(self) -> int:
        """Reserved."""
        return int(self) >> 15 & 0x1


class InternalHeader(Record, frozen=True, gc=False):
    """The type of an internal packet ([MS-MQQB] 2.2.1).

    Attributes:
        Reserved: Zero when sent.
        Flags: Type and state.
    """

    layout: ClassVar[Structure] = layouts.InternalHeader
    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": InternalHeaderFlags}

    Reserved: int
    Flags: InternalHeaderFlags

    if TYPE_CHECKING:

        def __init__(
            self,
            Reserved: int = 0,
            Flags: InternalHeaderFlags | int = ...,
        ) -> None: ...


known_InternalHeaderFlags = InternalHeaderFlags.seen
new_InternalHeader = InternalHeader.raw
unpack_HH = Struct("<HH").unpack_from


def decode_InternalHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[InternalHeader, int]:
    flags_end = pos + 4
    if flags_end > end:
        raise Reject
    reserved, flags = unpack_HH(data, pos)
    return new_InternalHeader(*(reserved, known_InternalHeaderFlags[flags])), flags_end


pack_HH = Struct("<HH").pack


def encode_InternalHeader(record: InternalHeader) -> bytes:
    return pack_HH(record.Reserved, record.Flags)


def size_InternalHeader(record: InternalHeader) -> int:
    size = 4
    return size


refuse_arguments_InternalHeader = partial(replacing.refuse_arguments, layouts.InternalHeader)
integer_InternalHeader_Reserved = accept.for_field(accept.integer, layouts.InternalHeader, "Reserved")
class_InternalHeaderFlags = InternalHeaderFlags
partial_InternalHeaderFlags = InternalHeaderFlags.partial
open_InternalHeaderFlags = InternalHeaderFlags.open_words


def build_InternalHeader(
    Reserved: Any = None, Flags: Any = None, *more: Any, **unknown: Any
) -> InternalHeader:
    if more or unknown:
        refuse_arguments_InternalHeader(more, unknown)
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 65535:
            Reserved = integer_InternalHeader_Reserved(Reserved)
    if Flags is None:
        pass
    elif Flags.__class__ is partial_InternalHeaderFlags:
        _given_Flags = Flags.given
    else:
        if Flags.__class__ is not class_InternalHeaderFlags:
            Flags = class_InternalHeaderFlags(Flags)
        _given_Flags = 0xFFFF
    if Flags is None:
        Flags = 0x0
        Flags = open_InternalHeaderFlags[Flags]
    else:
        if Flags.__class__ is not class_InternalHeaderFlags:
            Flags = open_InternalHeaderFlags[Flags | _given_Flags << 16]
    made: InternalHeader = new_InternalHeader(*(Reserved, Flags))
    return made


groups_InternalHeaderFlags = InternalHeaderFlags.groups


def plain_InternalHeader(record: InternalHeader) -> dict[str, Any]:
    return {
        "Reserved": record.Reserved,
        "Flags": groups_InternalHeaderFlags[record.Flags].copy(),
    }


def from_plain_InternalHeader(fields: Any, path: str) -> InternalHeader:
    taken = Taken(layouts.InternalHeader, fields, path)
    made: InternalHeader = taken.make(
        InternalHeader, Reserved=taken.one("Reserved", plain.number), Flags=taken.flags("Flags")
    )
    return made


register(
    InternalHeader,
    decode_InternalHeader,
    encode_InternalHeader,
    size_InternalHeader,
    build_InternalHeader,
    plain_InternalHeader,
    from_plain_InternalHeader,
)


# --------------------------------------------------------- [MS-MQQB] 2.2.2.1 ConnectionParametersHeader


class ConnectionParametersHeader(Record, frozen=True, gc=False):
    """Timeouts and window of a session ([MS-MQQB] 2.2.2.1).

    Attributes:
        RecoverableAckTimeout: Milliseconds before a recoverable message is acknowledged, 500 to 120000.
        AckTimeout: Milliseconds without acknowledgment before the session closes, 20000 to 120000.
        Reserved: Zero when sent.
        WindowSize: Unacknowledged packets allowed.
    """

    layout: ClassVar[Structure] = layouts.ConnectionParametersHeader
    flags: ClassVar[dict[str, type[Flags]]] = {}

    RecoverableAckTimeout: int
    AckTimeout: int
    Reserved: int
    WindowSize: int

    if TYPE_CHECKING:

        def __init__(
            self,
            RecoverableAckTimeout: int = 500,
            AckTimeout: int = 20000,
            Reserved: int = 0,
            WindowSize: int = 64,
        ) -> None: ...


new_ConnectionParametersHeader = ConnectionParametersHeader.raw
unpack_IIHH = Struct("<IIHH").unpack_from


def decode_ConnectionParametersHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[ConnectionParametersHeader, int]:
    window_size_end = pos + 12
    if window_size_end > end:
        raise Reject
    recoverable_ack_timeout, ack_timeout, reserved, window_size = unpack_IIHH(data, pos)
    return new_ConnectionParametersHeader(
        *(recoverable_ack_timeout, ack_timeout, reserved, window_size)
    ), window_size_end


pack_IIHH = Struct("<IIHH").pack


def encode_ConnectionParametersHeader(record: ConnectionParametersHeader) -> bytes:
    return pack_IIHH(record.RecoverableAckTimeout, record.AckTimeout, record.Reserved, record.WindowSize)


def size_ConnectionParametersHeader(record: ConnectionParametersHeader) -> int:
    size = 12
    return size


refuse_arguments_ConnectionParametersHeader = partial(
    replacing.refuse_arguments, layouts.ConnectionParametersHeader
)
integer_ConnectionParametersHeader_RecoverableAckTimeout = accept.for_field(
    accept.integer, layouts.ConnectionParametersHeader, "RecoverableAckTimeout"
)
integer_ConnectionParametersHeader_AckTimeout = accept.for_field(
    accept.integer, layouts.ConnectionParametersHeader, "AckTimeout"
)
integer_ConnectionParametersHeader_Reserved = accept.for_field(
    accept.integer, layouts.ConnectionParametersHeader, "Reserved"
)
integer_ConnectionParametersHeader_WindowSize = accept.for_field(
    accept.integer, layouts.ConnectionParametersHeader, "WindowSize"
)


def build_ConnectionParametersHeader(
    RecoverableAckTimeout: Any = None,
    AckTimeout: Any = None,
    Reserved: Any = None,
    WindowSize: Any = None,
    *more: Any,
    **unknown: Any,
) -> ConnectionParametersHeader:
    if more or unknown:
        refuse_arguments_ConnectionParametersHeader(more, unknown)
    if RecoverableAckTimeout is None:
        RecoverableAckTimeout = 500
    else:
        if RecoverableAckTimeout.__class__ is not int or not 0 <= RecoverableAckTimeout <= 4294967295:
            RecoverableAckTimeout = integer_ConnectionParametersHeader_RecoverableAckTimeout(
                RecoverableAckTimeout
            )
    if AckTimeout is None:
        AckTimeout = 20000
    else:
        if AckTimeout.__class__ is not int or not 0 <= AckTimeout <= 4294967295:
            AckTimeout = integer_ConnectionParametersHeader_AckTimeout(AckTimeout)
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 65535:
            Reserved = integer_ConnectionParametersHeader_Reserved(Reserved)
    if WindowSize is None:
        WindowSize = 64
    else:
        if WindowSize.__class__ is not int or not 0 <= WindowSize <= 65535:
            WindowSize = integer_ConnectionParametersHeader_WindowSize(WindowSize)
    made: ConnectionParametersHeader = new_ConnectionParametersHeader(
        *(RecoverableAckTimeout, AckTimeout, Reserved, WindowSize)
    )
    return made


def plain_ConnectionParametersHeader(record: ConnectionParametersHeader) -> dict[str, Any]:
    return {
        "RecoverableAckTimeout": record.RecoverableAckTimeout,
        "AckTimeout": record.AckTimeout,
        "Reserved": record.Reserved,
        "WindowSize": record.WindowSize,
    }


def from_plain_ConnectionParametersHeader(fields: Any, path: str) -> ConnectionParametersHeader:
    taken = Taken(layouts.ConnectionParametersHeader, fields, path)
    made: ConnectionParametersHeader = taken.make(
        ConnectionParametersHeader,
        RecoverableAckTimeout=taken.one("RecoverableAckTimeout", plain.number),
        AckTimeout=taken.one("AckTimeout", plain.number),
        Reserved=taken.one("Reserved", plain.number),
        WindowSize=taken.one("WindowSize", plain.number),
    )
    return made


register(
    ConnectionParametersHeader,
    decode_ConnectionParametersHeader,
    encode_ConnectionParametersHeader,
    size_ConnectionParametersHeader,
    build_ConnectionParametersHeader,
    plain_ConnectionParametersHeader,
    from_plain_ConnectionParametersHeader,
)


# ----------------------------------------------------------------- [MS-MQQB] 2.2.2 ConnectionParameters


class ConnectionParameters(Record, frozen=True, gc=False):
    """Proposes or confirms the parameters of a session ([MS-MQQB] 2.2.2).

    Attributes:
        BaseHeader: Kind and size of the packet.
        InternalHeader: Packet type 0x3.
        ConnectionParametersHeader: Timeouts and window.
    """

    layout: ClassVar[Structure] = layouts.ConnectionParameters
    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseHeader: mqmq.BaseHeader
    InternalHeader: mqqb.InternalHeader
    ConnectionParametersHeader: mqqb.ConnectionParametersHeader

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseHeader: mqmq.BaseHeader = ...,
            InternalHeader: mqqb.InternalHeader = ...,
            ConnectionParametersHeader: mqqb.ConnectionParametersHeader = ...,
        ) -> None: ...

    @property
    def is_refused(self) -> bool:
        """From `InternalHeader.Flags.CS`: whether the connection is refused."""
        return readings.is_refused(self)


unpack_BBHIIIHHIIHH = Struct("<BBHIIIHHIIHH").unpack_from
new_ConnectionParameters = ConnectionParameters.raw


def decode_ConnectionParameters(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[ConnectionParameters, int]:
    window_size_end = pos + 32
    if window_size_end > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        internal_header_reserved,
        internal_header_flags,
        recoverable_ack_timeout,
        ack_timeout,
        connection_parameters_header_reserved,
        window_size,
    ) = unpack_BBHIIIHHIIHH(data, pos)
    limit = pos + packet_size
    if limit > end:
        raise Reject
    if window_size_end != limit:
        raise Reject
    return new_ConnectionParameters(
        *(
            new_BaseHeader(
                *(
                    version_number,
                    reserved,
                    known_BaseHeaderFlags[flags],
                    signature,
                    packet_size,
                    time_to_reach_queue,
                )
            ),
            new_InternalHeader(*(internal_header_reserved, known_InternalHeaderFlags[internal_header_flags])),
            new_ConnectionParametersHeader(
                *(recoverable_ack_timeout, ack_timeout, connection_parameters_header_reserved, window_size)
            ),
        )
    ), limit


pack_BBHIIIHHIIHH = Struct("<BBHIIIHHIIHH").pack


def encode_ConnectionParameters(record: ConnectionParameters) -> bytes:
    base_header = record.BaseHeader
    internal_header = record.InternalHeader
    connection_parameters_header = record.ConnectionParametersHeader
    return pack_BBHIIIHHIIHH(
        base_header.VersionNumber,
        base_header.Reserved,
        base_header.Flags,
        base_header.Signature,
        base_header.PacketSize,
        base_header.TimeToReachQueue,
        internal_header.Reserved,
        internal_header.Flags,
        connection_parameters_header.RecoverableAckTimeout,
        connection_parameters_header.AckTimeout,
        connection_parameters_header.Reserved,
        connection_parameters_header.WindowSize,
    )


def size_ConnectionParameters(record: ConnectionParameters) -> int:
    size = 32
    return size


refuse_arguments_ConnectionParameters = partial(replacing.refuse_arguments, layouts.ConnectionParameters)
default_BaseHeader = cache(BaseHeader)
part_ConnectionParameters_BaseHeader = accept.for_field(
    accept.part, layouts.ConnectionParameters, "BaseHeader", BaseHeader
)
class_BaseHeader = BaseHeader
default_InternalHeader = cache(InternalHeader)
part_ConnectionParameters_InternalHeader = accept.for_field(
    accept.part, layouts.ConnectionParameters, "InternalHeader", InternalHeader
)
class_InternalHeader = InternalHeader
default_ConnectionParametersHeader = cache(ConnectionParametersHeader)
part_ConnectionParameters_ConnectionParametersHeader = accept.for_field(
    accept.part, layouts.ConnectionParameters, "ConnectionParametersHeader", ConnectionParametersHeader
)
class_ConnectionParametersHeader = ConnectionParametersHeader


def build_ConnectionParameters(
    BaseHeader: Any = None,
    InternalHeader: Any = None,
    ConnectionParametersHeader: Any = None,
    *more: Any,
    **unknown: Any,
) -> ConnectionParameters:
    if more or unknown:
        refuse_arguments_ConnectionParameters(more, unknown)
    if BaseHeader is None:
        BaseHeader = default_BaseHeader()
    else:
        if BaseHeader.__class__ is not class_BaseHeader:
            part_ConnectionParameters_BaseHeader(BaseHeader)
    if InternalHeader is None:
        InternalHeader = default_InternalHeader()
    else:
        if InternalHeader.__class__ is not class_InternalHeader:
            part_ConnectionParameters_InternalHeader(InternalHeader)
    if ConnectionParametersHeader is None:
        ConnectionParametersHeader = default_ConnectionParametersHeader()
    else:
        if ConnectionParametersHeader.__class__ is not class_ConnectionParametersHeader:
            part_ConnectionParameters_ConnectionParametersHeader(ConnectionParametersHeader)
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is LeftOut:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x8
            if _Flags.given & 0x8:
                _open = 0x8 & ~_Flags.given
                _Flags = known_BaseHeaderFlags[_Flags & ~_open | _bits & _open]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -9 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
        if _PacketSize.__class__ is LeftOut:
            _PacketSize = 32
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if InternalHeader.Flags.__class__ is partial_InternalHeaderFlags:
        _Flags = InternalHeader.Flags
        _bits = 0x3
        if _Flags.given & 0xF:
            _open = 0xF & ~_Flags.given
            _Flags = known_InternalHeaderFlags[_Flags & ~_open | _bits & _open]
        else:
            _Flags = known_InternalHeaderFlags[_Flags & -16 | _bits]
        InternalHeader = replace(InternalHeader, Flags=_Flags)
    made: ConnectionParameters = new_ConnectionParameters(
        *(BaseHeader, InternalHeader, ConnectionParametersHeader)
    )
    return made


def plain_ConnectionParameters(record: ConnectionParameters) -> dict[str, Any]:
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "InternalHeader": plain_InternalHeader(record.InternalHeader),
        "ConnectionParametersHeader": plain_ConnectionParametersHeader(record.ConnectionParametersHeader),
    }


def from_plain_ConnectionParameters(fields: Any, path: str) -> ConnectionParameters:
    taken = Taken(layouts.ConnectionParameters, fields, path)
    made: ConnectionParameters = taken.make(
        ConnectionParameters,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        InternalHeader=taken.part("InternalHeader", from_plain_InternalHeader),
        ConnectionParametersHeader=taken.part(
            "ConnectionParametersHeader", from_plain_ConnectionParametersHeader
        ),
    )
    return made


register(
    ConnectionParameters,
    decode_ConnectionParameters,
    encode_ConnectionParameters,
    size_ConnectionParameters,
    build_ConnectionParameters,
    plain_ConnectionParameters,
    from_plain_ConnectionParameters,
)


def decode_packet_ConnectionParameters(data: bytes, end: int, limits: Limits) -> ConnectionParameters:
    if end > limits.packet_size:
        raise Reject
    if end != 32:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        internal_header_reserved,
        internal_header_flags,
        recoverable_ack_timeout,
        ack_timeout,
        connection_parameters_header_reserved,
        window_size,
    ) = unpack_BBHIIIHHIIHH(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    if packet_size != 32:
        raise Reject
    packet: ConnectionParameters = new_ConnectionParameters(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_InternalHeader(*(internal_header_reserved, known_InternalHeaderFlags[internal_header_flags])),
            new_ConnectionParametersHeader(
                *(recoverable_ack_timeout, ack_timeout, connection_parameters_header_reserved, window_size)
            ),
        )
    )
    return packet


PACKETS["ConnectionParameters"] = decode_packet_ConnectionParameters


def decode_packet_ConnectionParameters_sharing(data: bytes, end: int, limits: Limits) -> ConnectionParameters:
    if end > limits.packet_size:
        raise Reject
    if end != 32:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        internal_header_reserved,
        internal_header_flags,
        recoverable_ack_timeout,
        ack_timeout,
        connection_parameters_header_reserved,
        window_size,
    ) = unpack_BBHIIIHHIIHH(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    if packet_size != 32:
        raise Reject
    packet: ConnectionParameters = new_ConnectionParameters(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_InternalHeader(
                *(
                    NUMBERS[internal_header_reserved >> 8][internal_header_reserved & 0xFF],
                    known_InternalHeaderFlags[internal_header_flags],
                )
            ),
            new_ConnectionParametersHeader(
                *(
                    recoverable_ack_timeout,
                    ack_timeout,
                    NUMBERS[connection_parameters_header_reserved >> 8][
                        connection_parameters_header_reserved & 0xFF
                    ],
                    NUMBERS[window_size >> 8][window_size & 0xFF],
                )
            ),
        )
    )
    return packet


SHARING["ConnectionParameters"] = decode_packet_ConnectionParameters_sharing


# ---------------------------------------------------------- [MS-MQQB] 2.2.3.1 EstablishConnectionHeader


class EstablishConnectionHeaderOperatingSystem(Flags):
    """Groups of `EstablishConnectionHeader.OperatingSystem`: facts about the request."""

    __slots__ = ()
    kind = layouts.EstablishConnectionHeader.flags("OperatingSystem")
    structure = "EstablishConnectionHeader"
    field = "OperatingSystem"
    defaults = 0x10

    if TYPE_CHECKING:

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
        return int(self) & 0xFF

    @property
    def SE(self) -> int:
        """No ping was sent."""
        return int(self) >> 8 & 0x1

    @property
    def OS(self) -> int:
        """Initiator runs a server system."""
        return int(self) >> 9 & 0x1

    @property
    def QS(self) -> int:
        """Guaranteed quality of service."""
        return int(self) >> 10 & 0x1

    @property
    def X11(self) -> int:
        """Unused."""
        return int(self) >> 11 & 0x1

    @property
    def X12(self) -> int:
        """Unused."""
        return int(self) >> 12 & 0x1

    @property
    def X13(self) -> int:
        """Unused."""
        return int(self) >> 13 & 0x1

    @property
    def X14(self) -> int:
        """Unused."""
        return int(self) >> 14 & 0x1

    @property
    def X15(self) -> int:
        """Unused."""
        return int(self) >> 15 & 0x1


class EstablishConnectionHeader(Record, frozen=True, gc=False):
    """The queue managers of a session request ([MS-MQQB] 2.2.3.1).

    Attributes:
        ClientGuid: Queue manager of the initiator.
        ServerGuid: Queue manager of the acceptor; null in a request by direct format name.
        TimeStamp: Milliseconds since the initiator's system started.
        OperatingSystem: Facts about the request.
        Reserved: Zero when sent.
        Padding: 0x5A each in a response, any value in a request.
    """

    layout: ClassVar[Structure] = layouts.EstablishConnectionHeader
    flags: ClassVar[dict[str, type[Flags]]] = {"OperatingSystem": EstablishConnectionHeaderOperatingSystem}

    ClientGuid: GUID
    ServerGuid: GUID
    TimeStamp: int
    OperatingSystem: EstablishConnectionHeaderOperatingSystem
    Reserved: int
    Padding: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            ClientGuid: _Guid = ...,
            ServerGuid: _Guid = ...,
            TimeStamp: int = 0,
            OperatingSystem: EstablishConnectionHeaderOperatingSystem | int = ...,
            Reserved: int = 0,
            Padding: _Bytes = ...,
        ) -> None: ...


known_EstablishConnectionHeaderOperatingSystem = EstablishConnectionHeaderOperatingSystem.seen
new_EstablishConnectionHeader = EstablishConnectionHeader.raw
unpack_16s16sIHH512s = Struct("<16s16sIHH512s").unpack_from


def decode_EstablishConnectionHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[EstablishConnectionHeader, int]:
    padding_end = pos + 552
    if padding_end > end:
        raise Reject
    client_guid, server_guid, time_stamp, operating_system, reserved, padding = unpack_16s16sIHH512s(
        data, pos
    )
    return new_EstablishConnectionHeader(
        *(
            GUID(client_guid),
            GUID(server_guid),
            time_stamp,
            known_EstablishConnectionHeaderOperatingSystem[operating_system],
            reserved,
            padding,
        )
    ), padding_end


pack_16s16sIHH512s = Struct("<16s16sIHH512s").pack


def encode_EstablishConnectionHeader(record: EstablishConnectionHeader) -> bytes:
    return pack_16s16sIHH512s(
        record.ClientGuid.bytes_le,
        record.ServerGuid.bytes_le,
        record.TimeStamp,
        record.OperatingSystem,
        record.Reserved,
        record.Padding,
    )


def size_EstablishConnectionHeader(record: EstablishConnectionHeader) -> int:
    size = 552
    return size


refuse_arguments_EstablishConnectionHeader = partial(
    replacing.refuse_arguments, layouts.EstablishConnectionHeader
)
guid_EstablishConnectionHeader_ClientGuid = accept.for_field(
    accept.guid, layouts.EstablishConnectionHeader, "ClientGuid"
)
guid_EstablishConnectionHeader_ServerGuid = accept.for_field(
    accept.guid, layouts.EstablishConnectionHeader, "ServerGuid"
)
integer_EstablishConnectionHeader_TimeStamp = accept.for_field(
    accept.integer, layouts.EstablishConnectionHeader, "TimeStamp"
)
class_EstablishConnectionHeaderOperatingSystem = EstablishConnectionHeaderOperatingSystem
partial_EstablishConnectionHeaderOperatingSystem = EstablishConnectionHeaderOperatingSystem.partial
default_EstablishConnectionHeaderOperatingSystem = EstablishConnectionHeaderOperatingSystem.seen[0x10]
integer_EstablishConnectionHeader_Reserved = accept.for_field(
    accept.integer, layouts.EstablishConnectionHeader, "Reserved"
)
default_EstablishConnectionHeader_Padding = b"Z" * 512
raw_bytes_EstablishConnectionHeader_Padding = accept.for_field(
    accept.raw_bytes, layouts.EstablishConnectionHeader, "Padding"
)


def build_EstablishConnectionHeader(
    ClientGuid: Any = None,
    ServerGuid: Any = None,
    TimeStamp: Any = None,
    OperatingSystem: Any = None,
    Reserved: Any = None,
    Padding: Any = None,
    *more: Any,
    **unknown: Any,
) -> EstablishConnectionHeader:
    if more or unknown:
        refuse_arguments_EstablishConnectionHeader(more, unknown)
    if ClientGuid is None:
        ClientGuid = NULL_GUID
    else:
        if not (
            ClientGuid.__class__ is GUID
            and (_raw := ClientGuid.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            ClientGuid = guid_EstablishConnectionHeader_ClientGuid(ClientGuid)
    if ServerGuid is None:
        ServerGuid = NULL_GUID
    else:
        if not (
            ServerGuid.__class__ is GUID
            and (_raw := ServerGuid.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            ServerGuid = guid_EstablishConnectionHeader_ServerGuid(ServerGuid)
    if TimeStamp is None:
        TimeStamp = 0
    else:
        if TimeStamp.__class__ is not int or not 0 <= TimeStamp <= 4294967295:
            TimeStamp = integer_EstablishConnectionHeader_TimeStamp(TimeStamp)
    if OperatingSystem is None:
        OperatingSystem = default_EstablishConnectionHeaderOperatingSystem
    elif OperatingSystem.__class__ is not class_EstablishConnectionHeaderOperatingSystem:
        OperatingSystem = class_EstablishConnectionHeaderOperatingSystem(OperatingSystem)
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 65535:
            Reserved = integer_EstablishConnectionHeader_Reserved(Reserved)
    if Padding is None:
        Padding = default_EstablishConnectionHeader_Padding
    else:
        if Padding.__class__ is not bytes or len(Padding) != 512:
            Padding = raw_bytes_EstablishConnectionHeader_Padding(Padding)
    made: EstablishConnectionHeader = new_EstablishConnectionHeader(
        *(ClientGuid, ServerGuid, TimeStamp, OperatingSystem, Reserved, Padding)
    )
    return made


groups_EstablishConnectionHeaderOperatingSystem = EstablishConnectionHeaderOperatingSystem.groups


def plain_EstablishConnectionHeader(record: EstablishConnectionHeader) -> dict[str, Any]:
    return {
        "ClientGuid": record.ClientGuid.__str__(),
        "ServerGuid": record.ServerGuid.__str__(),
        "TimeStamp": record.TimeStamp,
        "OperatingSystem": groups_EstablishConnectionHeaderOperatingSystem[record.OperatingSystem].copy(),
        "Reserved": record.Reserved,
        "Padding": record.Padding.hex(),
    }


def from_plain_EstablishConnectionHeader(fields: Any, path: str) -> EstablishConnectionHeader:
    taken = Taken(layouts.EstablishConnectionHeader, fields, path)
    made: EstablishConnectionHeader = taken.make(
        EstablishConnectionHeader,
        ClientGuid=taken.one("ClientGuid", plain.guid),
        ServerGuid=taken.one("ServerGuid", plain.guid),
        TimeStamp=taken.one("TimeStamp", plain.number),
        OperatingSystem=taken.flags("OperatingSystem"),
        Reserved=taken.one("Reserved", plain.number),
        Padding=taken.one("Padding", plain.octets),
    )
    return made


register(
    EstablishConnectionHeader,
    decode_EstablishConnectionHeader,
    encode_EstablishConnectionHeader,
    size_EstablishConnectionHeader,
    build_EstablishConnectionHeader,
    plain_EstablishConnectionHeader,
    from_plain_EstablishConnectionHeader,
)


# ------------------------------------------------------------------ [MS-MQQB] 2.2.3 EstablishConnection


class EstablishConnection(Record, frozen=True, gc=False):
    """Requests a session, or answers the request ([MS-MQQB] 2.2.3).

    Attributes:
        BaseHeader: Kind and size of the packet.
        InternalHeader: Packet type 0x2.
        EstablishConnectionHeader: The two queue managers.
    """

    layout: ClassVar[Structure] = layouts.EstablishConnection
    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseHeader: mqmq.BaseHeader
    InternalHeader: mqqb.InternalHeader
    EstablishConnectionHeader: mqqb.EstablishConnectionHeader

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseHeader: mqmq.BaseHeader = ...,
            InternalHeader: mqqb.InternalHeader = ...,
            EstablishConnectionHeader: mqqb.EstablishConnectionHeader = ...,
        ) -> None: ...

    @property
    def is_refused(self) -> bool:
        """From `InternalHeader.Flags.CS`: whether the connection is refused."""
        return readings.is_refused(self)


unpack_BBHIIIHH16s16sIHH512s = Struct("<BBHIIIHH16s16sIHH512s").unpack_from
new_EstablishConnection = EstablishConnection.raw


def decode_EstablishConnection(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[EstablishConnection, int]:
    padding_end = pos + 572
    if padding_end > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        internal_header_reserved,
        internal_header_flags,
        client_guid,
        server_guid,
        time_stamp,
        operating_system,
        establish_connection_header_reserved,
        padding,
    ) = unpack_BBHIIIHH16s16sIHH512s(data, pos)
    limit = pos + packet_size
    if limit > end:
        raise Reject
    if padding_end != limit:
        raise Reject
    return new_EstablishConnection(
        *(
            new_BaseHeader(
                *(
                    version_number,
                    reserved,
                    known_BaseHeaderFlags[flags],
                    signature,
                    packet_size,
                    time_to_reach_queue,
                )
            ),
            new_InternalHeader(*(internal_header_reserved, known_InternalHeaderFlags[internal_header_flags])),
            new_EstablishConnectionHeader(
                *(
                    GUID(client_guid),
                    GUID(server_guid),
                    time_stamp,
                    known_EstablishConnectionHeaderOperatingSystem[operating_system],
                    establish_connection_header_reserved,
                    padding,
                )
            ),
        )
    ), limit


pack_BBHIIIHH16s16sIHH512s = Struct("<BBHIIIHH16s16sIHH512s").pack


def encode_EstablishConnection(record: EstablishConnection) -> bytes:
    base_header = record.BaseHeader
    internal_header = record.InternalHeader
    establish_connection_header = record.EstablishConnectionHeader
    return pack_BBHIIIHH16s16sIHH512s(
        base_header.VersionNumber,
        base_header.Reserved,
        base_header.Flags,
        base_header.Signature,
        base_header.PacketSize,
        base_header.TimeToReachQueue,
        internal_header.Reserved,
        internal_header.Flags,
        establish_connection_header.ClientGuid.bytes_le,
        establish_connection_header.ServerGuid.bytes_le,
        establish_connection_header.TimeStamp,
        establish_connection_header.OperatingSystem,
        establish_connection_header.Reserved,
        establish_connection_header.Padding,
    )


def size_EstablishConnection(record: EstablishConnection) -> int:
    size = 572
    return size


refuse_arguments_EstablishConnection = partial(replacing.refuse_arguments, layouts.EstablishConnection)
part_EstablishConnection_BaseHeader = accept.for_field(
    accept.part, layouts.EstablishConnection, "BaseHeader", BaseHeader
)
part_EstablishConnection_InternalHeader = accept.for_field(
    accept.part, layouts.EstablishConnection, "InternalHeader", InternalHeader
)
default_EstablishConnectionHeader = cache(EstablishConnectionHeader)
part_EstablishConnection_EstablishConnectionHeader = accept.for_field(
    accept.part, layouts.EstablishConnection, "EstablishConnectionHeader", EstablishConnectionHeader
)
class_EstablishConnectionHeader = EstablishConnectionHeader


def build_EstablishConnection(
    BaseHeader: Any = None,
    InternalHeader: Any = None,
    EstablishConnectionHeader: Any = None,
    *more: Any,
    **unknown: Any,
) -> EstablishConnection:
    if more or unknown:
        refuse_arguments_EstablishConnection(more, unknown)
    if BaseHeader is None:
        BaseHeader = default_BaseHeader()
    else:
        if BaseHeader.__class__ is not class_BaseHeader:
            part_EstablishConnection_BaseHeader(BaseHeader)
    if InternalHeader is None:
        InternalHeader = default_InternalHeader()
    else:
        if InternalHeader.__class__ is not class_InternalHeader:
            part_EstablishConnection_InternalHeader(InternalHeader)
    if EstablishConnectionHeader is None:
        EstablishConnectionHeader = default_EstablishConnectionHeader()
    else:
        if EstablishConnectionHeader.__class__ is not class_EstablishConnectionHeader:
            part_EstablishConnection_EstablishConnectionHeader(EstablishConnectionHeader)
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is LeftOut:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x8
            if _Flags.given & 0x8:
                _open = 0x8 & ~_Flags.given
                _Flags = known_BaseHeaderFlags[_Flags & ~_open | _bits & _open]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -9 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
        if _PacketSize.__class__ is LeftOut:
            _PacketSize = 572
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if InternalHeader.Flags.__class__ is partial_InternalHeaderFlags:
        _Flags = InternalHeader.Flags
        _bits = 0x2
        if _Flags.given & 0xF:
            _open = 0xF & ~_Flags.given
            _Flags = known_InternalHeaderFlags[_Flags & ~_open | _bits & _open]
        else:
            _Flags = known_InternalHeaderFlags[_Flags & -16 | _bits]
        InternalHeader = replace(InternalHeader, Flags=_Flags)
    made: EstablishConnection = new_EstablishConnection(
        *(BaseHeader, InternalHeader, EstablishConnectionHeader)
    )
    return made


def plain_EstablishConnection(record: EstablishConnection) -> dict[str, Any]:
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "InternalHeader": plain_InternalHeader(record.InternalHeader),
        "EstablishConnectionHeader": plain_EstablishConnectionHeader(record.EstablishConnectionHeader),
    }


def from_plain_EstablishConnection(fields: Any, path: str) -> EstablishConnection:
    taken = Taken(layouts.EstablishConnection, fields, path)
    made: EstablishConnection = taken.make(
        EstablishConnection,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        InternalHeader=taken.part("InternalHeader", from_plain_InternalHeader),
        EstablishConnectionHeader=taken.part(
            "EstablishConnectionHeader", from_plain_EstablishConnectionHeader
        ),
    )
    return made


register(
    EstablishConnection,
    decode_EstablishConnection,
    encode_EstablishConnection,
    size_EstablishConnection,
    build_EstablishConnection,
    plain_EstablishConnection,
    from_plain_EstablishConnection,
)


def decode_packet_EstablishConnection(data: bytes, end: int, limits: Limits) -> EstablishConnection:
    if end > limits.packet_size:
        raise Reject
    if end != 572:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        internal_header_reserved,
        internal_header_flags,
        client_guid,
        server_guid,
        time_stamp,
        operating_system,
        establish_connection_header_reserved,
        padding,
    ) = unpack_BBHIIIHH16s16sIHH512s(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    if packet_size != 572:
        raise Reject
    packet: EstablishConnection = new_EstablishConnection(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_InternalHeader(*(internal_header_reserved, known_InternalHeaderFlags[internal_header_flags])),
            new_EstablishConnectionHeader(
                *(
                    GUID(client_guid),
                    GUID(server_guid),
                    time_stamp,
                    known_EstablishConnectionHeaderOperatingSystem[operating_system],
                    establish_connection_header_reserved,
                    padding,
                )
            ),
        )
    )
    return packet


PACKETS["EstablishConnection"] = decode_packet_EstablishConnection


def decode_packet_EstablishConnection_sharing(data: bytes, end: int, limits: Limits) -> EstablishConnection:
    if end > limits.packet_size:
        raise Reject
    if end != 572:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        internal_header_reserved,
        internal_header_flags,
        client_guid,
        server_guid,
        time_stamp,
        operating_system,
        establish_connection_header_reserved,
        padding,
    ) = unpack_BBHIIIHH16s16sIHH512s(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    if packet_size != 572:
        raise Reject
    packet: EstablishConnection = new_EstablishConnection(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_InternalHeader(
                *(
                    NUMBERS[internal_header_reserved >> 8][internal_header_reserved & 0xFF],
                    known_InternalHeaderFlags[internal_header_flags],
                )
            ),
            new_EstablishConnectionHeader(
                *(
                    GUID(client_guid),
                    GUID(server_guid),
                    time_stamp,
                    known_EstablishConnectionHeaderOperatingSystem[operating_system],
                    NUMBERS[establish_connection_header_reserved >> 8][
                        establish_connection_header_reserved & 0xFF
                    ],
                    padding,
                )
            ),
        )
    )
    return packet


SHARING["EstablishConnection"] = decode_packet_EstablishConnection_sharing


# ----------------------------------------------------------------------- [MS-MQQB] 2.2.4.1 OrderAckBody


class OrderAckBody(Record, frozen=True, gc=False):
    """Identifies the transactional message that arrived in order; the body of an OrderAck ([MS-MQQB]
    2.2.4.1).

    Attributes:
        TxSequenceID: Sequence of the message acknowledged.
        TxSequenceNumber: Its number in the sequence, from 1.
        TxPreviousSequenceNumber: TxSequenceNumber - 1.
        Reserved: Zeros.
    """

    layout: ClassVar[Structure] = layouts.OrderAckBody
    flags: ClassVar[dict[str, type[Flags]]] = {}

    TxSequenceID: mqmq.TxSequenceID
    TxSequenceNumber: int
    TxPreviousSequenceNumber: int
    Reserved: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            TxSequenceID: mqmq.TxSequenceID = ...,
            TxSequenceNumber: int = 1,
            TxPreviousSequenceNumber: int = ...,
            Reserved: _Bytes = ...,
        ) -> None: ...


new_OrderAckBody = OrderAckBody.raw
unpack_IIII20s = Struct("<IIII20s").unpack_from


def decode_OrderAckBody(data: bytes, pos: int, end: int, limits: Limits) -> tuple[OrderAckBody, int]:
    reserved_end = pos + 36
    if reserved_end > end:
        raise Reject
    ordinal, time_stamp, tx_sequence_number, tx_previous_sequence_number, reserved = unpack_IIII20s(data, pos)
    return new_OrderAckBody(
        *(new_TxSequenceID(*(ordinal, time_stamp)), tx_sequence_number, tx_previous_sequence_number, reserved)
    ), reserved_end


pack_IIII20s = Struct("<IIII20s").pack


def encode_OrderAckBody(record: OrderAckBody) -> bytes:
    tx_sequence_id = record.TxSequenceID
    return pack_IIII20s(
        tx_sequence_id.Ordinal,
        tx_sequence_id.TimeStamp,
        record.TxSequenceNumber,
        record.TxPreviousSequenceNumber,
        record.Reserved,
    )


def size_OrderAckBody(record: OrderAckBody) -> int:
    size = 36
    return size


refuse_arguments_OrderAckBody = partial(replacing.refuse_arguments, layouts.OrderAckBody)
part_OrderAckBody_TxSequenceID = accept.for_field(
    accept.part, layouts.OrderAckBody, "TxSequenceID", TxSequenceID
)
integer_OrderAckBody_TxSequenceNumber = accept.for_field(
    accept.integer, layouts.OrderAckBody, "TxSequenceNumber"
)
integer_OrderAckBody_TxPreviousSequenceNumber = accept.for_field(
    accept.integer, layouts.OrderAckBody, "TxPreviousSequenceNumber"
)
ZEROS_20 = bytes(20)
raw_bytes_OrderAckBody_Reserved = accept.for_field(accept.raw_bytes, layouts.OrderAckBody, "Reserved")


def build_OrderAckBody(
    TxSequenceID: Any = None,
    TxSequenceNumber: Any = None,
    TxPreviousSequenceNumber: Any = None,
    Reserved: Any = None,
    *more: Any,
    **unknown: Any,
) -> OrderAckBody:
    if more or unknown:
        refuse_arguments_OrderAckBody(more, unknown)
    if TxSequenceID is None:
        TxSequenceID = default_TxSequenceID()
    else:
        if TxSequenceID.__class__ is not class_TxSequenceID:
            part_OrderAckBody_TxSequenceID(TxSequenceID)
    if TxSequenceNumber is None:
        TxSequenceNumber = 1
    else:
        if TxSequenceNumber.__class__ is not int or not 0 <= TxSequenceNumber <= 4294967295:
            TxSequenceNumber = integer_OrderAckBody_TxSequenceNumber(TxSequenceNumber)
    if TxPreviousSequenceNumber is not None:
        if TxPreviousSequenceNumber.__class__ is not int or not 0 <= TxPreviousSequenceNumber <= 4294967295:
            TxPreviousSequenceNumber = integer_OrderAckBody_TxPreviousSequenceNumber(TxPreviousSequenceNumber)
    if Reserved is None:
        Reserved = ZEROS_20
    else:
        if Reserved.__class__ is not bytes or len(Reserved) != 20:
            Reserved = raw_bytes_OrderAckBody_Reserved(Reserved)
    if TxPreviousSequenceNumber is None:
        TxPreviousSequenceNumber = max(TxSequenceNumber - 1, 0)
    made: OrderAckBody = new_OrderAckBody(
        *(TxSequenceID, TxSequenceNumber, TxPreviousSequenceNumber, Reserved)
    )
    return made


def plain_OrderAckBody(record: OrderAckBody) -> dict[str, Any]:
    return {
        "TxSequenceID": plain_TxSequenceID(record.TxSequenceID),
        "TxSequenceNumber": record.TxSequenceNumber,
        "TxPreviousSequenceNumber": record.TxPreviousSequenceNumber,
        "Reserved": record.Reserved.hex(),
    }


def from_plain_OrderAckBody(fields: Any, path: str) -> OrderAckBody:
    taken = Taken(layouts.OrderAckBody, fields, path)
    made: OrderAckBody = taken.make(
        OrderAckBody,
        TxSequenceID=taken.part("TxSequenceID", from_plain_TxSequenceID),
        TxSequenceNumber=taken.one("TxSequenceNumber", plain.number),
        TxPreviousSequenceNumber=taken.one("TxPreviousSequenceNumber", plain.number),
        Reserved=taken.one("Reserved", plain.octets),
    )
    return made


register(
    OrderAckBody,
    decode_OrderAckBody,
    encode_OrderAckBody,
    size_OrderAckBody,
    build_OrderAckBody,
    plain_OrderAckBody,
    from_plain_OrderAckBody,
)


# ----------------------------------------------------------------------------- [MS-MQQB] 2.2.4 OrderAck


class OrderAck(Record, frozen=True, gc=False):
    """Acknowledges transactional messages that arrived in order ([MS-MQQB] 2.2.4).

    Attributes:
        BaseHeader: All flags clear.
        UserHeader: Sender, and the sender's order queue as destination.
        MessagePropertiesHeader: Class ORDER_ACK; the body is an OrderAckBody.
    """

    layout: ClassVar[Structure] = layouts.OrderAck
    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseHeader: mqmq.BaseHeader
    UserHeader: mqmq.UserHeader
    MessagePropertiesHeader: mqmq.MessagePropertiesHeader

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseHeader: mqmq.BaseHeader = ...,
            UserHeader: mqmq.UserHeader = ...,
            MessagePropertiesHeader: mqmq.MessagePropertiesHeader = ...,
        ) -> None: ...

    @property
    def acknowledged(self) -> mqqb.OrderAckBody:
        """From `MessagePropertiesHeader.MessageBody`: the message that arrived.

        Raises:
            DecodeError: The body does not have 36 bytes.
        """
        return readings.order_ack_body(self)


unpack_BBHIII16s16sIIII = Struct("<BBHIII16s16sIIII").unpack_from
unpack_H = Struct("<H").unpack_from
unpack_16s = Struct("<16s").unpack_from
unpack_I = Struct("<I").unpack_from
unpack_16sI = Struct("<16sI").unpack_from
unpack_BBH20sIIIIIIII = Struct("<BBH20sIIIIIIII").unpack_from
new_OrderAck = OrderAck.raw


def decode_OrderAck(data: bytes, pos: int, end: int, limits: Limits) -> tuple[OrderAck, int]:
    user_header_flags_end = pos + 64
    if user_header_flags_end > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        source_queue_manager,
        queue_manager_address,
        time_to_be_received,
        sent_time,
        message_id,
        user_header_flags,
    ) = unpack_BBHIII16s16sIIII(data, pos)
    limit = pos + packet_size
    if limit > end:
        raise Reject
    destination_queue_form = user_header_flags & 0x1C00
    if destination_queue_form == 0x1C00:  # DQ = 7
        count_end = user_header_flags_end + 2
        if count_end > limit:
            raise Reject
        (count,) = unpack_H(data, user_header_flags_end)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = count_end + count
        if direct_format_name_end > limit:
            raise Reject
        padding_end = direct_format_name_end + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(
                count,
                decode_utf16(data[count_end:direct_format_name_end], "surrogatepass", True)[0],
                data[direct_format_name_end:padding_end],
            )
        )
        destination_queue_end = padding_end
    elif destination_queue_form == 0x1400:  # DQ = 5
        public_queue_identifier_end = user_header_flags_end + 16
        if public_queue_identifier_end > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, user_header_flags_end)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = public_queue_identifier_end
    elif destination_queue_form == 0xC00:  # DQ = 3
        private_queue_identifier_end = user_header_flags_end + 4
        if private_queue_identifier_end > limit:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, user_header_flags_end)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        destination_queue_end = private_queue_identifier_end
    elif destination_queue_form == 0:  # DQ = 0
        destination_queue = None
        destination_queue_end = user_header_flags_end
    else:
        raise Reject
    if user_header_flags & 0x47E000:  # AQ, RQ, CQ
        admin_queue_form = user_header_flags & 0xE000
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue_count_end = destination_queue_end + 2
            if admin_queue_count_end > limit:
                raise Reject
            (admin_queue_count,) = unpack_H(data, destination_queue_end)
            if admin_queue_count & 1:
                raise Reject
            if admin_queue_count // 2 > limits.string_length:
                raise Reject
            admin_queue_direct_format_name_end = admin_queue_count_end + admin_queue_count
            if admin_queue_direct_format_name_end > limit:
                raise Reject
            admin_queue_padding_end = admin_queue_direct_format_name_end + (-(2 + admin_queue_count) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(
                    admin_queue_count,
                    decode_utf16(
                        data[admin_queue_count_end:admin_queue_direct_format_name_end], "surrogatepass", True
                    )[0],
                    data[admin_queue_direct_format_name_end:admin_queue_padding_end],
                )
            )
            admin_queue_end = admin_queue_padding_end
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue_private_queue_identifier_end = destination_queue_end + 20
            if admin_queue_private_queue_identifier_end > limit:
                raise Reject
            admin_queue_source_queue_manager, admin_queue_private_queue_identifier = unpack_16sI(
                data, destination_queue_end
            )
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(admin_queue_source_queue_manager), admin_queue_private_queue_identifier)
            )
            admin_queue_end = admin_queue_private_queue_identifier_end
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue_public_queue_identifier_end = destination_queue_end + 16
            if admin_queue_public_queue_identifier_end > limit:
                raise Reject
            (admin_queue_public_queue_identifier,) = unpack_16s(data, destination_queue_end)
            admin_queue = new_PublicQueueFormatName(*(GUID(admin_queue_public_queue_identifier),))
            admin_queue_end = admin_queue_public_queue_identifier_end
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue_private_queue_identifier_2_end = destination_queue_end + 4
            if admin_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (admin_queue_private_queue_identifier_2,) = unpack_I(data, destination_queue_end)
            admin_queue = new_PrivateQueueFormatNameId(*(admin_queue_private_queue_identifier_2,))
            admin_queue_end = admin_queue_private_queue_identifier_2_end
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue_count_end = admin_queue_end + 2
            if response_queue_count_end > limit:
                raise Reject
            (response_queue_count,) = unpack_H(data, admin_queue_end)
            if response_queue_count & 1:
                raise Reject
            if response_queue_count // 2 > limits.string_length:
                raise Reject
            response_queue_direct_format_name_end = response_queue_count_end + response_queue_count
            if response_queue_direct_format_name_end > limit:
                raise Reject
            response_queue_padding_end = response_queue_direct_format_name_end + (
                -(2 + response_queue_count) & 3
            )
            response_queue = new_DirectQueueFormatName(
                *(
                    response_queue_count,
                    decode_utf16(
                        data[response_queue_count_end:response_queue_direct_format_name_end],
                        "surrogatepass",
                        True,
                    )[0],
                    data[response_queue_direct_format_name_end:response_queue_padding_end],
                )
            )
            response_queue_end = response_queue_padding_end
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue_private_queue_identifier_end = admin_queue_end + 20
            if response_queue_private_queue_identifier_end > limit:
                raise Reject
            response_queue_source_queue_manager, response_queue_private_queue_identifier = unpack_16sI(
                data, admin_queue_end
            )
            response_queue = new_PrivateQueueFormatName(
                *(GUID(response_queue_source_queue_manager), response_queue_private_queue_identifier)
            )
            response_queue_end = response_queue_private_queue_identifier_end
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue_public_queue_identifier_end = admin_queue_end + 16
            if response_queue_public_queue_identifier_end > limit:
                raise Reject
            (response_queue_public_queue_identifier,) = unpack_16s(data, admin_queue_end)
            response_queue = new_PublicQueueFormatName(*(GUID(response_queue_public_queue_identifier),))
            response_queue_end = response_queue_public_queue_identifier_end
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue_private_queue_identifier_2_end = admin_queue_end + 4
            if response_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (response_queue_private_queue_identifier_2,) = unpack_I(data, admin_queue_end)
            response_queue = new_PrivateQueueFormatNameId(*(response_queue_private_queue_identifier_2,))
            response_queue_end = response_queue_private_queue_identifier_2_end
        elif response_queue_form in (0, 0x10000):  # RQ = 0 or 1
            response_queue = None
            response_queue_end = admin_queue_end
        else:
            raise Reject
        if user_header_flags & 0x400000:  # CQ
            user_header_connector_type_end = response_queue_end + 16
            if user_header_connector_type_end > limit:
                raise Reject
            (user_header_connector_type,) = unpack_16s(data, response_queue_end)
            connector_type = GUID(user_header_connector_type)
            response_queue_end = user_header_connector_type_end
        else:
            connector_type = None
        destination_queue_end = response_queue_end
    else:
        admin_queue = response_queue = connector_type = None
    extension_size_end = destination_queue_end + 56
    if extension_size_end > limit:
        raise Reject
    (
        message_properties_header_flags,
        label_length,
        message_class,
        correlation_id,
        body_type,
        application_tag,
        message_size,
        allocation_body_size,
        privacy_level,
        hash_algorithm,
        encryption_algorithm,
        extension_size,
    ) = unpack_BBH20sIIIIIIII(data, destination_queue_end)
    if label_length > limits.string_length:
        raise Reject
    label_end = extension_size_end + label_length * 2
    if label_end > limit:
        raise Reject
    extension_data_end = label_end + extension_size
    message_body_end = extension_data_end + message_size
    message_properties_header_padding_end = message_body_end + (
        -(label_length * 2 + extension_size + message_size) & 3
    )
    if message_properties_header_padding_end != limit:
        raise Reject
    return new_OrderAck(
        *(
            new_BaseHeader(
                *(
                    version_number,
                    reserved,
                    known_BaseHeaderFlags[flags],
                    signature,
                    packet_size,
                    time_to_reach_queue,
                )
            ),
            new_UserHeader(
                *(
                    GUID(source_queue_manager),
                    GUID(queue_manager_address),
                    time_to_be_received,
                    sent_time,
                    message_id,
                    known_UserHeaderFlags[user_header_flags],
                    destination_queue,
                    admin_queue,
                    response_queue,
                    connector_type,
                )
            ),
            new_MessagePropertiesHeader(
                *(
                    known_MessagePropertiesHeaderFlags[message_properties_header_flags],
                    label_length,
                    message_class,
                    correlation_id,
                    body_type,
                    application_tag,
                    message_size,
                    allocation_body_size,
                    privacy_level,
                    hash_algorithm,
                    encryption_algorithm,
                    extension_size,
                    decode_utf16(data[extension_size_end:label_end], "surrogatepass", True)[0],
                    data[label_end:extension_data_end],
                    data[extension_data_end:message_body_end],
                    data[message_body_end:message_properties_header_padding_end],
                )
            ),
        )
    ), limit


pack_BBHIII16s16sIIII = Struct("<BBHIII16s16sIIII").pack
pack_BBH20sIIIIIIII = Struct("<BBH20sIIIIIIII").pack


def encode_OrderAck(record: OrderAck) -> bytes:
    base_header = record.BaseHeader
    user_header = record.UserHeader
    destination_queue = user_header.DestinationQueue
    admin_queue = user_header.AdminQueue
    response_queue = user_header.ResponseQueue
    connector_type = user_header.ConnectorType
    message_properties_header = record.MessagePropertiesHeader
    return join(
        (
            pack_BBHIII16s16sIIII(
                base_header.VersionNumber,
                base_header.Reserved,
                base_header.Flags,
                base_header.Signature,
                base_header.PacketSize,
                base_header.TimeToReachQueue,
                user_header.SourceQueueManager.bytes_le,
                user_header.QueueManagerAddress.bytes_le,
                user_header.TimeToBeReceived,
                user_header.SentTime,
                user_header.MessageID,
                user_header.Flags,
            ),
            (b"" if destination_queue is None else ENCODERS[destination_queue.__class__](destination_queue)),
            (
                join(
                    (
                        (b"" if admin_queue is None else ENCODERS[admin_queue.__class__](admin_queue)),
                        (
                            b""
                            if response_queue is None
                            else ENCODERS[response_queue.__class__](response_queue)
                        ),
                        (b"" if connector_type is None else connector_type.bytes_le),
                    )
                )
                if admin_queue is not None or response_queue is not None or connector_type is not None
                else b""
            ),
            pack_BBH20sIIIIIIII(
                message_properties_header.Flags,
                message_properties_header.LabelLength,
                message_properties_header.MessageClass,
                message_properties_header.CorrelationID,
                message_properties_header.BodyType,
                message_properties_header.ApplicationTag,
                message_properties_header.MessageSize,
                message_properties_header.AllocationBodySize,
                message_properties_header.PrivacyLevel,
                message_properties_header.HashAlgorithm,
                message_properties_header.EncryptionAlgorithm,
                message_properties_header.ExtensionSize,
            ),
            encode_utf16(message_properties_header.Label, "surrogatepass")[0],
            message_properties_header.ExtensionData,
            message_properties_header.MessageBody,
            message_properties_header.Padding,
        )
    )


def size_OrderAck(record: OrderAck) -> int:
    user_header = record.UserHeader
    message_properties_header = record.MessagePropertiesHeader
    size = (
        120
        + (
            (
                len(message_properties_header.Label)
                if message_properties_header.Label.isascii()
                else wchar_count(message_properties_header.Label)
            )
            * 2
        )
        + len(message_properties_header.ExtensionData)
        + len(message_properties_header.MessageBody)
        + len(message_properties_header.Padding)
    )
    if (_part := user_header.DestinationQueue) is not None:
        size += SIZES[_part.__class__](_part)
    if (_part_2 := user_header.AdminQueue) is not None:
        size += SIZES[_part_2.__class__](_part_2)
    if (_part_3 := user_header.ResponseQueue) is not None:
        size += SIZES[_part_3.__class__](_part_3)
    if (_part_4 := user_header.ConnectorType) is not None:
        size += 16
    return size


refuse_arguments_OrderAck = partial(replacing.refuse_arguments, layouts.OrderAck)
part_OrderAck_BaseHeader = accept.for_field(accept.part, layouts.OrderAck, "BaseHeader", BaseHeader)
default_UserHeader = cache(UserHeader)
part_OrderAck_UserHeader = accept.for_field(accept.part, layouts.OrderAck, "UserHeader", UserHeader)
class_UserHeader = UserHeader
default_MessagePropertiesHeader = cache(MessagePropertiesHeader)
part_OrderAck_MessagePropertiesHeader = accept.for_field(
    accept.part, layouts.OrderAck, "MessagePropertiesHeader", MessagePropertiesHeader
)
class_MessagePropertiesHeader = MessagePropertiesHeader


def build_OrderAck(
    BaseHeader: Any = None,
    UserHeader: Any = None,
    MessagePropertiesHeader: Any = None,
    *more: Any,
    **unknown: Any,
) -> OrderAck:
    if more or unknown:
        refuse_arguments_OrderAck(more, unknown)
    if BaseHeader is None:
        BaseHeader = default_BaseHeader()
    else:
        if BaseHeader.__class__ is not class_BaseHeader:
            part_OrderAck_BaseHeader(BaseHeader)
    if UserHeader is None:
        UserHeader = default_UserHeader()
    else:
        if UserHeader.__class__ is not class_UserHeader:
            part_OrderAck_UserHeader(UserHeader)
    if MessagePropertiesHeader is None:
        MessagePropertiesHeader = default_MessagePropertiesHeader()
    else:
        if MessagePropertiesHeader.__class__ is not class_MessagePropertiesHeader:
            part_OrderAck_MessagePropertiesHeader(MessagePropertiesHeader)
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is LeftOut:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x0
            if _Flags.given & 0x7:
                _open = 0x7 & ~_Flags.given
                _Flags = known_BaseHeaderFlags[_Flags & ~_open | _bits & _open]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -8 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
        if _PacketSize.__class__ is LeftOut:
            _PacketSize = (
                120
                + (
                    (
                        len(MessagePropertiesHeader.Label)
                        if MessagePropertiesHeader.Label.isascii()
                        else wchar_count(MessagePropertiesHeader.Label)
                    )
                    * 2
                )
                + len(MessagePropertiesHeader.ExtensionData)
                + len(MessagePropertiesHeader.MessageBody)
                + len(MessagePropertiesHeader.Padding)
            )
            if (_part := UserHeader.DestinationQueue) is not None:
                _PacketSize += SIZES[_part.__class__](_part)
            if (_part_2 := UserHeader.AdminQueue) is not None:
                _PacketSize += SIZES[_part_2.__class__](_part_2)
            if (_part_3 := UserHeader.ResponseQueue) is not None:
                _PacketSize += SIZES[_part_3.__class__](_part_3)
            if (_part_4 := UserHeader.ConnectorType) is not None:
                _PacketSize += 16
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if UserHeader.Flags.__class__ is partial_UserHeaderFlags:
        _Flags = UserHeader.Flags
        _Flags = known_UserHeaderFlags[_Flags]
        UserHeader = replace(UserHeader, Flags=_Flags)
    made: OrderAck = new_OrderAck(*(BaseHeader, UserHeader, MessagePropertiesHeader))
    return made


def plain_OrderAck(record: OrderAck) -> dict[str, Any]:
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "UserHeader": plain_UserHeader(record.UserHeader),
        "MessagePropertiesHeader": plain_MessagePropertiesHeader(record.MessagePropertiesHeader),
    }


def from_plain_OrderAck(fields: Any, path: str) -> OrderAck:
    taken = Taken(layouts.OrderAck, fields, path)
    made: OrderAck = taken.make(
        OrderAck,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        UserHeader=taken.part("UserHeader", from_plain_UserHeader),
        MessagePropertiesHeader=taken.part("MessagePropertiesHeader", from_plain_MessagePropertiesHeader),
    )
    return made


register(
    OrderAck,
    decode_OrderAck,
    encode_OrderAck,
    size_OrderAck,
    build_OrderAck,
    plain_OrderAck,
    from_plain_OrderAck,
)


def decode_packet_OrderAck(data: bytes, end: int, limits: Limits) -> OrderAck:
    if end > limits.packet_size:
        raise Reject
    if 64 > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        source_queue_manager,
        queue_manager_address,
        time_to_be_received,
        sent_time,
        message_id,
        user_header_flags,
    ) = unpack_BBHIII16s16sIIII(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    limit = packet_size
    if limit > end:
        raise Reject
    destination_queue_form = user_header_flags & 0x1C00
    if destination_queue_form == 0x1C00:  # DQ = 7
        if 66 > limit:
            raise Reject
        (count,) = unpack_H(data, 64)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = 66 + count
        if direct_format_name_end > limit:
            raise Reject
        padding_end = direct_format_name_end + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(
                count,
                decode_utf16(data[66:direct_format_name_end], "surrogatepass", True)[0],
                data[direct_format_name_end:padding_end],
            )
        )
        destination_queue_end = padding_end
    elif destination_queue_form == 0x1400:  # DQ = 5
        if 80 > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, 64)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = 80
    elif destination_queue_form == 0xC00:  # DQ = 3
        if 68 > limit:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, 64)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        destination_queue_end = 68
    elif destination_queue_form == 0:  # DQ = 0
        destination_queue = None
        destination_queue_end = 64
    else:
        raise Reject
    if user_header_flags & 0x47E000:  # AQ, RQ, CQ
        admin_queue_form = user_header_flags & 0xE000
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue_count_end = destination_queue_end + 2
            if admin_queue_count_end > limit:
                raise Reject
            (admin_queue_count,) = unpack_H(data, destination_queue_end)
            if admin_queue_count & 1:
                raise Reject
            if admin_queue_count // 2 > limits.string_length:
                raise Reject
            admin_queue_direct_format_name_end = admin_queue_count_end + admin_queue_count
            if admin_queue_direct_format_name_end > limit:
                raise Reject
            admin_queue_padding_end = admin_queue_direct_format_name_end + (-(2 + admin_queue_count) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(
                    admin_queue_count,
                    decode_utf16(
                        data[admin_queue_count_end:admin_queue_direct_format_name_end], "surrogatepass", True
                    )[0],
                    data[admin_queue_direct_format_name_end:admin_queue_padding_end],
                )
            )
            admin_queue_end = admin_queue_padding_end
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue_private_queue_identifier_end = destination_queue_end + 20
            if admin_queue_private_queue_identifier_end > limit:
                raise Reject
            admin_queue_source_queue_manager, admin_queue_private_queue_identifier = unpack_16sI(
                data, destination_queue_end
            )
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(admin_queue_source_queue_manager), admin_queue_private_queue_identifier)
            )
            admin_queue_end = admin_queue_private_queue_identifier_end
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue_public_queue_identifier_end = destination_queue_end + 16
            if admin_queue_public_queue_identifier_end > limit:
                raise Reject
            (admin_queue_public_queue_identifier,) = unpack_16s(data, destination_queue_end)
            admin_queue = new_PublicQueueFormatName(*(GUID(admin_queue_public_queue_identifier),))
            admin_queue_end = admin_queue_public_queue_identifier_end
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue_private_queue_identifier_2_end = destination_queue_end + 4
            if admin_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (admin_queue_private_queue_identifier_2,) = unpack_I(data, destination_queue_end)
            admin_queue = new_PrivateQueueFormatNameId(*(admin_queue_private_queue_identifier_2,))
            admin_queue_end = admin_queue_private_queue_identifier_2_end
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue_count_end = admin_queue_end + 2
            if response_queue_count_end > limit:
                raise Reject
            (response_queue_count,) = unpack_H(data, admin_queue_end)
            if response_queue_count & 1:
                raise Reject
            if response_queue_count // 2 > limits.string_length:
                raise Reject
            response_queue_direct_format_name_end = response_queue_count_end + response_queue_count
            if response_queue_direct_format_name_end > limit:
                raise Reject
            response_queue_padding_end = response_queue_direct_format_name_end + (
                -(2 + response_queue_count) & 3
            )
            response_queue = new_DirectQueueFormatName(
                *(
                    response_queue_count,
                    decode_utf16(
                        data[response_queue_count_end:response_queue_direct_format_name_end],
                        "surrogatepass",
                        True,
                    )[0],
                    data[response_queue_direct_format_name_end:response_queue_padding_end],
                )
            )
            response_queue_end = response_queue_padding_end
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue_private_queue_identifier_end = admin_queue_end + 20
            if response_queue_private_queue_identifier_end > limit:
                raise Reject
            response_queue_source_queue_manager, response_queue_private_queue_identifier = unpack_16sI(
                data, admin_queue_end
            )
            response_queue = new_PrivateQueueFormatName(
                *(GUID(response_queue_source_queue_manager), response_queue_private_queue_identifier)
            )
            response_queue_end = response_queue_private_queue_identifier_end
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue_public_queue_identifier_end = admin_queue_end + 16
            if response_queue_public_queue_identifier_end > limit:
                raise Reject
            (response_queue_public_queue_identifier,) = unpack_16s(data, admin_queue_end)
            response_queue = new_PublicQueueFormatName(*(GUID(response_queue_public_queue_identifier),))
            response_queue_end = response_queue_public_queue_identifier_end
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue_private_queue_identifier_2_end = admin_queue_end + 4
            if response_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (response_queue_private_queue_identifier_2,) = unpack_I(data, admin_queue_end)
            response_queue = new_PrivateQueueFormatNameId(*(response_queue_private_queue_identifier_2,))
            response_queue_end = response_queue_private_queue_identifier_2_end
        elif response_queue_form in (0, 0x10000):  # RQ = 0 or 1
            response_queue = None
            response_queue_end = admin_queue_end
        else:
            raise Reject
        if user_header_flags & 0x400000:  # CQ
            user_header_connector_type_end = response_queue_end + 16
            if user_header_connector_type_end > limit:
                raise Reject
            (user_header_connector_type,) = unpack_16s(data, response_queue_end)
            connector_type = GUID(user_header_connector_type)
            response_queue_end = user_header_connector_type_end
        else:
            connector_type = None
        destination_queue_end = response_queue_end
    else:
        admin_queue = response_queue = connector_type = None
    extension_size_end = destination_queue_end + 56
    if extension_size_end > limit:
        raise Reject
    (
        message_properties_header_flags,
        label_length,
        message_class,
        correlation_id,
        body_type,
        application_tag,
        message_size,
        allocation_body_size,
        privacy_level,
        hash_algorithm,
        encryption_algorithm,
        extension_size,
    ) = unpack_BBH20sIIIIIIII(data, destination_queue_end)
    if label_length > limits.string_length:
        raise Reject
    label_end = extension_size_end + label_length * 2
    if label_end > limit:
        raise Reject
    extension_data_end = label_end + extension_size
    message_body_end = extension_data_end + message_size
    message_properties_header_padding_end = message_body_end + (
        -(label_length * 2 + extension_size + message_size) & 3
    )
    if message_properties_header_padding_end != limit:
        raise Reject
    if limit != end:
        raise Reject
    packet: OrderAck = new_OrderAck(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_UserHeader(
                *(
                    GUID(source_queue_manager),
                    GUID(queue_manager_address),
                    time_to_be_received,
                    sent_time,
                    message_id,
                    known_UserHeaderFlags[user_header_flags],
                    destination_queue,
                    admin_queue,
                    response_queue,
                    connector_type,
                )
            ),
            new_MessagePropertiesHeader(
                *(
                    known_MessagePropertiesHeaderFlags[message_properties_header_flags],
                    label_length,
                    message_class,
                    correlation_id,
                    body_type,
                    application_tag,
                    message_size,
                    allocation_body_size,
                    privacy_level,
                    hash_algorithm,
                    encryption_algorithm,
                    extension_size,
                    decode_utf16(data[extension_size_end:label_end], "surrogatepass", True)[0],
                    data[label_end:extension_data_end],
                    data[extension_data_end:message_body_end],
                    data[message_body_end:message_properties_header_padding_end],
                )
            ),
        )
    )
    return packet


PACKETS["OrderAck"] = decode_packet_OrderAck


def decode_packet_OrderAck_sharing(data: bytes, end: int, limits: Limits) -> OrderAck:
    if end > limits.packet_size:
        raise Reject
    if 64 > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        source_queue_manager,
        queue_manager_address,
        time_to_be_received,
        sent_time,
        message_id,
        user_header_flags,
    ) = unpack_BBHIII16s16sIIII(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    limit = packet_size
    if limit > end:
        raise Reject
    destination_queue_form = user_header_flags & 0x1C00
    if destination_queue_form == 0x1C00:  # DQ = 7
        if 66 > limit:
            raise Reject
        (count,) = unpack_H(data, 64)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = 66 + count
        if direct_format_name_end > limit:
            raise Reject
        padding_end = direct_format_name_end + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(
                NUMBERS[count >> 8][count & 0xFF],
                decode_utf16(data[66:direct_format_name_end], "surrogatepass", True)[0],
                data[direct_format_name_end:padding_end],
            )
        )
        destination_queue_end = padding_end
    elif destination_queue_form == 0x1400:  # DQ = 5
        if 80 > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, 64)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = 80
    elif destination_queue_form == 0xC00:  # DQ = 3
        if 68 > limit:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, 64)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        destination_queue_end = 68
    elif destination_queue_form == 0:  # DQ = 0
        destination_queue = None
        destination_queue_end = 64
    else:
        raise Reject
    if user_header_flags & 0x47E000:  # AQ, RQ, CQ
        admin_queue_form = user_header_flags & 0xE000
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue_count_end = destination_queue_end + 2
            if admin_queue_count_end > limit:
                raise Reject
            (admin_queue_count,) = unpack_H(data, destination_queue_end)
            if admin_queue_count & 1:
                raise Reject
            if admin_queue_count // 2 > limits.string_length:
                raise Reject
            admin_queue_direct_format_name_end = admin_queue_count_end + admin_queue_count
            if admin_queue_direct_format_name_end > limit:
                raise Reject
            admin_queue_padding_end = admin_queue_direct_format_name_end + (-(2 + admin_queue_count) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(
                    NUMBERS[admin_queue_count >> 8][admin_queue_count & 0xFF],
                    decode_utf16(
                        data[admin_queue_count_end:admin_queue_direct_format_name_end], "surrogatepass", True
                    )[0],
                    data[admin_queue_direct_format_name_end:admin_queue_padding_end],
                )
            )
            admin_queue_end = admin_queue_padding_end
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue_private_queue_identifier_end = destination_queue_end + 20
            if admin_queue_private_queue_identifier_end > limit:
                raise Reject
            admin_queue_source_queue_manager, admin_queue_private_queue_identifier = unpack_16sI(
                data, destination_queue_end
            )
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(admin_queue_source_queue_manager), admin_queue_private_queue_identifier)
            )
            admin_queue_end = admin_queue_private_queue_identifier_end
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue_public_queue_identifier_end = destination_queue_end + 16
            if admin_queue_public_queue_identifier_end > limit:
                raise Reject
            (admin_queue_public_queue_identifier,) = unpack_16s(data, destination_queue_end)
            admin_queue = new_PublicQueueFormatName(*(GUID(admin_queue_public_queue_identifier),))
            admin_queue_end = admin_queue_public_queue_identifier_end
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue_private_queue_identifier_2_end = destination_queue_end + 4
            if admin_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (admin_queue_private_queue_identifier_2,) = unpack_I(data, destination_queue_end)
            admin_queue = new_PrivateQueueFormatNameId(*(admin_queue_private_queue_identifier_2,))
            admin_queue_end = admin_queue_private_queue_identifier_2_end
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue_count_end = admin_queue_end + 2
            if response_queue_count_end > limit:
                raise Reject
            (response_queue_count,) = unpack_H(data, admin_queue_end)
            if response_queue_count & 1:
                raise Reject
            if response_queue_count // 2 > limits.string_length:
                raise Reject
            response_queue_direct_format_name_end = response_queue_count_end + response_queue_count
            if response_queue_direct_format_name_end > limit:
                raise Reject
            response_queue_padding_end = response_queue_direct_format_name_end + (
                -(2 + response_queue_count) & 3
            )
            response_queue = new_DirectQueueFormatName(
                *(
                    NUMBERS[response_queue_count >> 8][response_queue_count & 0xFF],
                    decode_utf16(
                        data[response_queue_count_end:response_queue_direct_format_name_end],
                        "surrogatepass",
                        True,
                    )[0],
                    data[response_queue_direct_format_name_end:response_queue_padding_end],
                )
            )
            response_queue_end = response_queue_padding_end
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue_private_queue_identifier_end = admin_queue_end + 20
            if response_queue_private_queue_identifier_end > limit:
                raise Reject
            response_queue_source_queue_manager, response_queue_private_queue_identifier = unpack_16sI(
                data, admin_queue_end
            )
            response_queue = new_PrivateQueueFormatName(
                *(GUID(response_queue_source_queue_manager), response_queue_private_queue_identifier)
            )
            response_queue_end = response_queue_private_queue_identifier_end
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue_public_queue_identifier_end = admin_queue_end + 16
            if response_queue_public_queue_identifier_end > limit:
                raise Reject
            (response_queue_public_queue_identifier,) = unpack_16s(data, admin_queue_end)
            response_queue = new_PublicQueueFormatName(*(GUID(response_queue_public_queue_identifier),))
            response_queue_end = response_queue_public_queue_identifier_end
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue_private_queue_identifier_2_end = admin_queue_end + 4
            if response_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (response_queue_private_queue_identifier_2,) = unpack_I(data, admin_queue_end)
            response_queue = new_PrivateQueueFormatNameId(*(response_queue_private_queue_identifier_2,))
            response_queue_end = response_queue_private_queue_identifier_2_end
        elif response_queue_form in (0, 0x10000):  # RQ = 0 or 1
            response_queue = None
            response_queue_end = admin_queue_end
        else:
            raise Reject
        if user_header_flags & 0x400000:  # CQ
            user_header_connector_type_end = response_queue_end + 16
            if user_header_connector_type_end > limit:
                raise Reject
            (user_header_connector_type,) = unpack_16s(data, response_queue_end)
            connector_type = GUID(user_header_connector_type)
            response_queue_end = user_header_connector_type_end
        else:
            connector_type = None
        destination_queue_end = response_queue_end
    else:
        admin_queue = response_queue = connector_type = None
    extension_size_end = destination_queue_end + 56
    if extension_size_end > limit:
        raise Reject
    (
        message_properties_header_flags,
        label_length,
        message_class,
        correlation_id,
        body_type,
        application_tag,
        message_size,
        allocation_body_size,
        privacy_level,
        hash_algorithm,
        encryption_algorithm,
        extension_size,
    ) = unpack_BBH20sIIIIIIII(data, destination_queue_end)
    if label_length > limits.string_length:
        raise Reject
    label_end = extension_size_end + label_length * 2
    if label_end > limit:
        raise Reject
    extension_data_end = label_end + extension_size
    message_body_end = extension_data_end + message_size
    message_properties_header_padding_end = message_body_end + (
        -(label_length * 2 + extension_size + message_size) & 3
    )
    if message_properties_header_padding_end != limit:
        raise Reject
    if limit != end:
        raise Reject
    packet: OrderAck = new_OrderAck(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_UserHeader(
                *(
                    GUID(source_queue_manager),
                    GUID(queue_manager_address),
                    time_to_be_received,
                    sent_time,
                    message_id,
                    known_UserHeaderFlags[user_header_flags],
                    destination_queue,
                    admin_queue,
                    response_queue,
                    connector_type,
                )
            ),
            new_MessagePropertiesHeader(
                *(
                    known_MessagePropertiesHeaderFlags[message_properties_header_flags],
                    label_length,
                    NUMBERS[message_class >> 8][message_class & 0xFF],
                    correlation_id,
                    body_type,
                    application_tag,
                    message_size,
                    allocation_body_size,
                    privacy_level,
                    hash_algorithm,
                    encryption_algorithm,
                    extension_size,
                    decode_utf16(data[extension_size_end:label_end], "surrogatepass", True)[0],
                    data[label_end:extension_data_end],
                    data[extension_data_end:message_body_end],
                    data[message_body_end:message_properties_header_padding_end],
                )
            ),
        )
    )
    return packet


SHARING["OrderAck"] = decode_packet_OrderAck_sharing


# ----------------------------------------------------------------------- [MS-MQQB] 2.2.5.1 FinalAckBody


class FinalAckBody(Record, frozen=True, gc=False):
    """Identifies the transactional message that was received or rejected; the body of a FinalAck
    ([MS-MQQB] 2.2.5.1).

    Attributes:
        TxSequenceID: Sequence of the message acknowledged.
        TxSequenceNumber: Its number in the sequence, from 1.
        TxPreviousSequenceNumber: Number of the message received before it.
        SourceGUID: Queue manager that sent the message.
        MessageID: Number of the message.
    """

    layout: ClassVar[Structure] = layouts.FinalAckBody
    flags: ClassVar[dict[str, type[Flags]]] = {}

    TxSequenceID: mqmq.TxSequenceID
    TxSequenceNumber: int
    TxPreviousSequenceNumber: int
    SourceGUID: GUID
    MessageID: int

    if TYPE_CHECKING:

        def __init__(
            self,
            TxSequenceID: mqmq.TxSequenceID = ...,
            TxSequenceNumber: int = 1,
            TxPreviousSequenceNumber: int = 0,
            SourceGUID: _Guid = ...,
            MessageID: int = 0,
        ) -> None: ...


new_FinalAckBody = FinalAckBody.raw
unpack_IIII16sI = Struct("<IIII16sI").unpack_from


def decode_FinalAckBody(data: bytes, pos: int, end: int, limits: Limits) -> tuple[FinalAckBody, int]:
    message_id_end = pos + 36
    if message_id_end > end:
        raise Reject
    ordinal, time_stamp, tx_sequence_number, tx_previous_sequence_number, source_guid, message_id = (
        unpack_IIII16sI(data, pos)
    )
    return new_FinalAckBody(
        *(
            new_TxSequenceID(*(ordinal, time_stamp)),
            tx_sequence_number,
            tx_previous_sequence_number,
            GUID(source_guid),
            message_id,
        )
    ), message_id_end


pack_IIII16sI = Struct("<IIII16sI").pack


def encode_FinalAckBody(record: FinalAckBody) -> bytes:
    tx_sequence_id = record.TxSequenceID
    return pack_IIII16sI(
        tx_sequence_id.Ordinal,
        tx_sequence_id.TimeStamp,
        record.TxSequenceNumber,
        record.TxPreviousSequenceNumber,
        record.SourceGUID.bytes_le,
        record.MessageID,
    )


def size_FinalAckBody(record: FinalAckBody) -> int:
    size = 36
    return size


refuse_arguments_FinalAckBody = partial(replacing.refuse_arguments, layouts.FinalAckBody)
part_FinalAckBody_TxSequenceID = accept.for_field(
    accept.part, layouts.FinalAckBody, "TxSequenceID", TxSequenceID
)
integer_FinalAckBody_TxSequenceNumber = accept.for_field(
    accept.integer, layouts.FinalAckBody, "TxSequenceNumber"
)
integer_FinalAckBody_TxPreviousSequenceNumber = accept.for_field(
    accept.integer, layouts.FinalAckBody, "TxPreviousSequenceNumber"
)
guid_FinalAckBody_SourceGUID = accept.for_field(accept.guid, layouts.FinalAckBody, "SourceGUID")
integer_FinalAckBody_MessageID = accept.for_field(accept.integer, layouts.FinalAckBody, "MessageID")


def build_FinalAckBody(
    TxSequenceID: Any = None,
    TxSequenceNumber: Any = None,
    TxPreviousSequenceNumber: Any = None,
    SourceGUID: Any = None,
    MessageID: Any = None,
    *more: Any,
    **unknown: Any,
) -> FinalAckBody:
    if more or unknown:
        refuse_arguments_FinalAckBody(more, unknown)
    if TxSequenceID is None:
        TxSequenceID = default_TxSequenceID()
    else:
        if TxSequenceID.__class__ is not class_TxSequenceID:
            part_FinalAckBody_TxSequenceID(TxSequenceID)
    if TxSequenceNumber is None:
        TxSequenceNumber = 1
    else:
        if TxSequenceNumber.__class__ is not int or not 0 <= TxSequenceNumber <= 4294967295:
            TxSequenceNumber = integer_FinalAckBody_TxSequenceNumber(TxSequenceNumber)
    if TxPreviousSequenceNumber is None:
        TxPreviousSequenceNumber = 0
    else:
        if TxPreviousSequenceNumber.__class__ is not int or not 0 <= TxPreviousSequenceNumber <= 4294967295:
            TxPreviousSequenceNumber = integer_FinalAckBody_TxPreviousSequenceNumber(TxPreviousSequenceNumber)
    if SourceGUID is None:
        SourceGUID = NULL_GUID
    else:
        if not (
            SourceGUID.__class__ is GUID
            and (_raw := SourceGUID.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            SourceGUID = guid_FinalAckBody_SourceGUID(SourceGUID)
    if MessageID is None:
        MessageID = 0
    else:
        if MessageID.__class__ is not int or not 0 <= MessageID <= 4294967295:
            MessageID = integer_FinalAckBody_MessageID(MessageID)
    made: FinalAckBody = new_FinalAckBody(
        *(TxSequenceID, TxSequenceNumber, TxPreviousSequenceNumber, SourceGUID, MessageID)
    )
    return made


def plain_FinalAckBody(record: FinalAckBody) -> dict[str, Any]:
    return {
        "TxSequenceID": plain_TxSequenceID(record.TxSequenceID),
        "TxSequenceNumber": record.TxSequenceNumber,
        "TxPreviousSequenceNumber": record.TxPreviousSequenceNumber,
        "SourceGUID": record.SourceGUID.__str__(),
        "MessageID": record.MessageID,
    }


def from_plain_FinalAckBody(fields: Any, path: str) -> FinalAckBody:
    taken = Taken(layouts.FinalAckBody, fields, path)
    made: FinalAckBody = taken.make(
        FinalAckBody,
        TxSequenceID=taken.part("TxSequenceID", from_plain_TxSequenceID),
        TxSequenceNumber=taken.one("TxSequenceNumber", plain.number),
        TxPreviousSequenceNumber=taken.one("TxPreviousSequenceNumber", plain.number),
        SourceGUID=taken.one("SourceGUID", plain.guid),
        MessageID=taken.one("MessageID", plain.number),
    )
    return made


register(
    FinalAckBody,
    decode_FinalAckBody,
    encode_FinalAckBody,
    size_FinalAckBody,
    build_FinalAckBody,
    plain_FinalAckBody,
    from_plain_FinalAckBody,
)


# ----------------------------------------------------------------------------- [MS-MQQB] 2.2.5 FinalAck


class FinalAck(Record, frozen=True, gc=False):
    """Reports the final result of a transactional message ([MS-MQQB] 2.2.5).

    Attributes:
        BaseHeader: All flags clear.
        UserHeader: Sender, and the sender's order queue as destination.
        MessagePropertiesHeader: Class says the outcome; the body is a FinalAckBody.
    """

    layout: ClassVar[Structure] = layouts.FinalAck
    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseHeader: mqmq.BaseHeader
    UserHeader: mqmq.UserHeader
    MessagePropertiesHeader: mqmq.MessagePropertiesHeader

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseHeader: mqmq.BaseHeader = ...,
            UserHeader: mqmq.UserHeader = ...,
            MessagePropertiesHeader: mqmq.MessagePropertiesHeader = ...,
        ) -> None: ...

    @property
    def acknowledged(self) -> mqqb.FinalAckBody:
        """From `MessagePropertiesHeader.MessageBody`: the message that was received or rejected.

        Raises:
            DecodeError: The body does not have 36 bytes.
        """
        return readings.final_ack_body(self)

    @property
    def is_positive(self) -> bool:
        """Whether the message was received by an application."""
        return readings.is_positive(self)


new_FinalAck = FinalAck.raw


def decode_FinalAck(data: bytes, pos: int, end: int, limits: Limits) -> tuple[FinalAck, int]:
    user_header_flags_end = pos + 64
    if user_header_flags_end > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        source_queue_manager,
        queue_manager_address,
        time_to_be_received,
        sent_time,
        message_id,
        user_header_flags,
    ) = unpack_BBHIII16s16sIIII(data, pos)
    limit = pos + packet_size
    if limit > end:
        raise Reject
    destination_queue_form = user_header_flags & 0x1C00
    if destination_queue_form == 0x1C00:  # DQ = 7
        count_end = user_header_flags_end + 2
        if count_end > limit:
            raise Reject
        (count,) = unpack_H(data, user_header_flags_end)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = count_end + count
        if direct_format_name_end > limit:
            raise Reject
        padding_end = direct_format_name_end + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(
                count,
                decode_utf16(data[count_end:direct_format_name_end], "surrogatepass", True)[0],
                data[direct_format_name_end:padding_end],
            )
        )
        destination_queue_end = padding_end
    elif destination_queue_form == 0x1400:  # DQ = 5
        public_queue_identifier_end = user_header_flags_end + 16
        if public_queue_identifier_end > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, user_header_flags_end)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = public_queue_identifier_end
    elif destination_queue_form == 0xC00:  # DQ = 3
        private_queue_identifier_end = user_header_flags_end + 4
        if private_queue_identifier_end > limit:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, user_header_flags_end)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        destination_queue_end = private_queue_identifier_end
    elif destination_queue_form == 0:  # DQ = 0
        destination_queue = None
        destination_queue_end = user_header_flags_end
    else:
        raise Reject
    if user_header_flags & 0x47E000:  # AQ, RQ, CQ
        admin_queue_form = user_header_flags & 0xE000
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue_count_end = destination_queue_end + 2
            if admin_queue_count_end > limit:
                raise Reject
            (admin_queue_count,) = unpack_H(data, destination_queue_end)
            if admin_queue_count & 1:
                raise Reject
            if admin_queue_count // 2 > limits.string_length:
                raise Reject
            admin_queue_direct_format_name_end = admin_queue_count_end + admin_queue_count
            if admin_queue_direct_format_name_end > limit:
                raise Reject
            admin_queue_padding_end = admin_queue_direct_format_name_end + (-(2 + admin_queue_count) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(
                    admin_queue_count,
                    decode_utf16(
                        data[admin_queue_count_end:admin_queue_direct_format_name_end], "surrogatepass", True
                    )[0],
                    data[admin_queue_direct_format_name_end:admin_queue_padding_end],
                )
            )
            admin_queue_end = admin_queue_padding_end
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue_private_queue_identifier_end = destination_queue_end + 20
            if admin_queue_private_queue_identifier_end > limit:
                raise Reject
            admin_queue_source_queue_manager, admin_queue_private_queue_identifier = unpack_16sI(
                data, destination_queue_end
            )
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(admin_queue_source_queue_manager), admin_queue_private_queue_identifier)
            )
            admin_queue_end = admin_queue_private_queue_identifier_end
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue_public_queue_identifier_end = destination_queue_end + 16
            if admin_queue_public_queue_identifier_end > limit:
                raise Reject
            (admin_queue_public_queue_identifier,) = unpack_16s(data, destination_queue_end)
            admin_queue = new_PublicQueueFormatName(*(GUID(admin_queue_public_queue_identifier),))
            admin_queue_end = admin_queue_public_queue_identifier_end
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue_private_queue_identifier_2_end = destination_queue_end + 4
            if admin_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (admin_queue_private_queue_identifier_2,) = unpack_I(data, destination_queue_end)
            admin_queue = new_PrivateQueueFormatNameId(*(admin_queue_private_queue_identifier_2,))
            admin_queue_end = admin_queue_private_queue_identifier_2_end
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue_count_end = admin_queue_end + 2
            if response_queue_count_end > limit:
                raise Reject
            (response_queue_count,) = unpack_H(data, admin_queue_end)
            if response_queue_count & 1:
                raise Reject
            if response_queue_count // 2 > limits.string_length:
                raise Reject
            response_queue_direct_format_name_end = response_queue_count_end + response_queue_count
            if response_queue_direct_format_name_end > limit:
                raise Reject
            response_queue_padding_end = response_queue_direct_format_name_end + (
                -(2 + response_queue_count) & 3
            )
            response_queue = new_DirectQueueFormatName(
                *(
                    response_queue_count,
                    decode_utf16(
                        data[response_queue_count_end:response_queue_direct_format_name_end],
                        "surrogatepass",
                        True,
                    )[0],
                    data[response_queue_direct_format_name_end:response_queue_padding_end],
                )
            )
            response_queue_end = response_queue_padding_end
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue_private_queue_identifier_end = admin_queue_end + 20
            if response_queue_private_queue_identifier_end > limit:
                raise Reject
            response_queue_source_queue_manager, response_queue_private_queue_identifier = unpack_16sI(
                data, admin_queue_end
            )
            response_queue = new_PrivateQueueFormatName(
                *(GUID(response_queue_source_queue_manager), response_queue_private_queue_identifier)
            )
            response_queue_end = response_queue_private_queue_identifier_end
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue_public_queue_identifier_end = admin_queue_end + 16
            if response_queue_public_queue_identifier_end > limit:
                raise Reject
            (response_queue_public_queue_identifier,) = unpack_16s(data, admin_queue_end)
            response_queue = new_PublicQueueFormatName(*(GUID(response_queue_public_queue_identifier),))
            response_queue_end = response_queue_public_queue_identifier_end
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue_private_queue_identifier_2_end = admin_queue_end + 4
            if response_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (response_queue_private_queue_identifier_2,) = unpack_I(data, admin_queue_end)
            response_queue = new_PrivateQueueFormatNameId(*(response_queue_private_queue_identifier_2,))
            response_queue_end = response_queue_private_queue_identifier_2_end
        elif response_queue_form in (0, 0x10000):  # RQ = 0 or 1
            response_queue = None
            response_queue_end = admin_queue_end
        else:
            raise Reject
        if user_header_flags & 0x400000:  # CQ
            user_header_connector_type_end = response_queue_end + 16
            if user_header_connector_type_end > limit:
                raise Reject
            (user_header_connector_type,) = unpack_16s(data, response_queue_end)
            connector_type = GUID(user_header_connector_type)
            response_queue_end = user_header_connector_type_end
        else:
            connector_type = None
        destination_queue_end = response_queue_end
    else:
        admin_queue = response_queue = connector_type = None
    extension_size_end = destination_queue_end + 56
    if extension_size_end > limit:
        raise Reject
    (
        message_properties_header_flags,
        label_length,
        message_class,
        correlation_id,
        body_type,
        application_tag,
        message_size,
        allocation_body_size,
        privacy_level,
        hash_algorithm,
        encryption_algorithm,
        extension_size,
    ) = unpack_BBH20sIIIIIIII(data, destination_queue_end)
    if label_length > limits.string_length:
        raise Reject
    label_end = extension_size_end + label_length * 2
    if label_end > limit:
        raise Reject
    extension_data_end = label_end + extension_size
    message_body_end = extension_data_end + message_size
    message_properties_header_padding_end = message_body_end + (
        -(label_length * 2 + extension_size + message_size) & 3
    )
    if message_properties_header_padding_end != limit:
        raise Reject
    return new_FinalAck(
        *(
            new_BaseHeader(
                *(
                    version_number,
                    reserved,
                    known_BaseHeaderFlags[flags],
                    signature,
                    packet_size,
                    time_to_reach_queue,
                )
            ),
            new_UserHeader(
                *(
                    GUID(source_queue_manager),
                    GUID(queue_manager_address),
                    time_to_be_received,
                    sent_time,
                    message_id,
                    known_UserHeaderFlags[user_header_flags],
                    destination_queue,
                    admin_queue,
                    response_queue,
                    connector_type,
                )
            ),
            new_MessagePropertiesHeader(
                *(
                    known_MessagePropertiesHeaderFlags[message_properties_header_flags],
                    label_length,
                    message_class,
                    correlation_id,
                    body_type,
                    application_tag,
                    message_size,
                    allocation_body_size,
                    privacy_level,
                    hash_algorithm,
                    encryption_algorithm,
                    extension_size,
                    decode_utf16(data[extension_size_end:label_end], "surrogatepass", True)[0],
                    data[label_end:extension_data_end],
                    data[extension_data_end:message_body_end],
                    data[message_body_end:message_properties_header_padding_end],
                )
            ),
        )
    ), limit


def encode_FinalAck(record: FinalAck) -> bytes:
    base_header = record.BaseHeader
    user_header = record.UserHeader
    destination_queue = user_header.DestinationQueue
    admin_queue = user_header.AdminQueue
    response_queue = user_header.ResponseQueue
    connector_type = user_header.ConnectorType
    message_properties_header = record.MessagePropertiesHeader
    return join(
        (
            pack_BBHIII16s16sIIII(
                base_header.VersionNumber,
                base_header.Reserved,
                base_header.Flags,
                base_header.Signature,
                base_header.PacketSize,
                base_header.TimeToReachQueue,
                user_header.SourceQueueManager.bytes_le,
                user_header.QueueManagerAddress.bytes_le,
                user_header.TimeToBeReceived,
                user_header.SentTime,
                user_header.MessageID,
                user_header.Flags,
            ),
            (b"" if destination_queue is None else ENCODERS[destination_queue.__class__](destination_queue)),
            (
                join(
                    (
                        (b"" if admin_queue is None else ENCODERS[admin_queue.__class__](admin_queue)),
                        (
                            b""
                            if response_queue is None
                            else ENCODERS[response_queue.__class__](response_queue)
                        ),
                        (b"" if connector_type is None else connector_type.bytes_le),
                    )
                )
                if admin_queue is not None or response_queue is not None or connector_type is not None
                else b""
            ),
            pack_BBH20sIIIIIIII(
                message_properties_header.Flags,
                message_properties_header.LabelLength,
                message_properties_header.MessageClass,
                message_properties_header.CorrelationID,
                message_properties_header.BodyType,
                message_properties_header.ApplicationTag,
                message_properties_header.MessageSize,
                message_properties_header.AllocationBodySize,
                message_properties_header.PrivacyLevel,
                message_properties_header.HashAlgorithm,
                message_properties_header.EncryptionAlgorithm,
                message_properties_header.ExtensionSize,
            ),
            encode_utf16(message_properties_header.Label, "surrogatepass")[0],
            message_properties_header.ExtensionData,
            message_properties_header.MessageBody,
            message_properties_header.Padding,
        )
    )


def size_FinalAck(record: FinalAck) -> int:
    user_header = record.UserHeader
    message_properties_header = record.MessagePropertiesHeader
    size = (
        120
        + (
            (
                len(message_properties_header.Label)
                if message_properties_header.Label.isascii()
                else wchar_count(message_properties_header.Label)
            )
            * 2
        )
        + len(message_properties_header.ExtensionData)
        + len(message_properties_header.MessageBody)
        + len(message_properties_header.Padding)
    )
    if (_part := user_header.DestinationQueue) is not None:
        size += SIZES[_part.__class__](_part)
    if (_part_2 := user_header.AdminQueue) is not None:
        size += SIZES[_part_2.__class__](_part_2)
    if (_part_3 := user_header.ResponseQueue) is not None:
        size += SIZES[_part_3.__class__](_part_3)
    if (_part_4 := user_header.ConnectorType) is not None:
        size += 16
    return size


refuse_arguments_FinalAck = partial(replacing.refuse_arguments, layouts.FinalAck)
part_FinalAck_BaseHeader = accept.for_field(accept.part, layouts.FinalAck, "BaseHeader", BaseHeader)
part_FinalAck_UserHeader = accept.for_field(accept.part, layouts.FinalAck, "UserHeader", UserHeader)
part_FinalAck_MessagePropertiesHeader = accept.for_field(
    accept.part, layouts.FinalAck, "MessagePropertiesHeader", MessagePropertiesHeader
)


def build_FinalAck(
    BaseHeader: Any = None,
    UserHeader: Any = None,
    MessagePropertiesHeader: Any = None,
    *more: Any,
    **unknown: Any,
) -> FinalAck:
    if more or unknown:
        refuse_arguments_FinalAck(more, unknown)
    if BaseHeader is None:
        BaseHeader = default_BaseHeader()
    else:
        if BaseHeader.__class__ is not class_BaseHeader:
            part_FinalAck_BaseHeader(BaseHeader)
    if UserHeader is None:
        UserHeader = default_UserHeader()
    else:
        if UserHeader.__class__ is not class_UserHeader:
            part_FinalAck_UserHeader(UserHeader)
    if MessagePropertiesHeader is None:
        MessagePropertiesHeader = default_MessagePropertiesHeader()
    else:
        if MessagePropertiesHeader.__class__ is not class_MessagePropertiesHeader:
            part_FinalAck_MessagePropertiesHeader(MessagePropertiesHeader)
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is LeftOut:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x0
            if _Flags.given & 0x7:
                _open = 0x7 & ~_Flags.given
                _Flags = known_BaseHeaderFlags[_Flags & ~_open | _bits & _open]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -8 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
        if _PacketSize.__class__ is LeftOut:
            _PacketSize = (
                120
                + (
                    (
                        len(MessagePropertiesHeader.Label)
                        if MessagePropertiesHeader.Label.isascii()
                        else wchar_count(MessagePropertiesHeader.Label)
                    )
                    * 2
                )
                + len(MessagePropertiesHeader.ExtensionData)
                + len(MessagePropertiesHeader.MessageBody)
                + len(MessagePropertiesHeader.Padding)
            )
            if (_part := UserHeader.DestinationQueue) is not None:
                _PacketSize += SIZES[_part.__class__](_part)
            if (_part_2 := UserHeader.AdminQueue) is not None:
                _PacketSize += SIZES[_part_2.__class__](_part_2)
            if (_part_3 := UserHeader.ResponseQueue) is not None:
                _PacketSize += SIZES[_part_3.__class__](_part_3)
            if (_part_4 := UserHeader.ConnectorType) is not None:
                _PacketSize += 16
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if UserHeader.Flags.__class__ is partial_UserHeaderFlags:
        _Flags = UserHeader.Flags
        _bits = 0x20
        if _Flags.given & 0x60:
            _open = 0x60 & ~_Flags.given
            _Flags = known_UserHeaderFlags[_Flags & ~_open | _bits & _open]
        else:
            _Flags = known_UserHeaderFlags[_Flags & -97 | _bits]
        UserHeader = replace(UserHeader, Flags=_Flags)
    made: FinalAck = new_FinalAck(*(BaseHeader, UserHeader, MessagePropertiesHeader))
    return made


def plain_FinalAck(record: FinalAck) -> dict[str, Any]:
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "UserHeader": plain_UserHeader(record.UserHeader),
        "MessagePropertiesHeader": plain_MessagePropertiesHeader(record.MessagePropertiesHeader),
    }


def from_plain_FinalAck(fields: Any, path: str) -> FinalAck:
    taken = Taken(layouts.FinalAck, fields, path)
    made: FinalAck = taken.make(
        FinalAck,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        UserHeader=taken.part("UserHeader", from_plain_UserHeader),
        MessagePropertiesHeader=taken.part("MessagePropertiesHeader", from_plain_MessagePropertiesHeader),
    )
    return made


register(
    FinalAck,
    decode_FinalAck,
    encode_FinalAck,
    size_FinalAck,
    build_FinalAck,
    plain_FinalAck,
    from_plain_FinalAck,
)


def decode_packet_FinalAck(data: bytes, end: int, limits: Limits) -> FinalAck:
    if end > limits.packet_size:
        raise Reject
    if 64 > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        source_queue_manager,
        queue_manager_address,
        time_to_be_received,
        sent_time,
        message_id,
        user_header_flags,
    ) = unpack_BBHIII16s16sIIII(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    limit = packet_size
    if limit > end:
        raise Reject
    destination_queue_form = user_header_flags & 0x1C00
    if destination_queue_form == 0x1C00:  # DQ = 7
        if 66 > limit:
            raise Reject
        (count,) = unpack_H(data, 64)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = 66 + count
        if direct_format_name_end > limit:
            raise Reject
        padding_end = direct_format_name_end + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(
                count,
                decode_utf16(data[66:direct_format_name_end], "surrogatepass", True)[0],
                data[direct_format_name_end:padding_end],
            )
        )
        destination_queue_end = padding_end
    elif destination_queue_form == 0x1400:  # DQ = 5
        if 80 > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, 64)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = 80
    elif destination_queue_form == 0xC00:  # DQ = 3
        if 68 > limit:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, 64)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        destination_queue_end = 68
    elif destination_queue_form == 0:  # DQ = 0
        destination_queue = None
        destination_queue_end = 64
    else:
        raise Reject
    if user_header_flags & 0x47E000:  # AQ, RQ, CQ
        admin_queue_form = user_header_flags & 0xE000
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue_count_end = destination_queue_end + 2
            if admin_queue_count_end > limit:
                raise Reject
            (admin_queue_count,) = unpack_H(data, destination_queue_end)
            if admin_queue_count & 1:
                raise Reject
            if admin_queue_count // 2 > limits.string_length:
                raise Reject
            admin_queue_direct_format_name_end = admin_queue_count_end + admin_queue_count
            if admin_queue_direct_format_name_end > limit:
                raise Reject
            admin_queue_padding_end = admin_queue_direct_format_name_end + (-(2 + admin_queue_count) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(
                    admin_queue_count,
                    decode_utf16(
                        data[admin_queue_count_end:admin_queue_direct_format_name_end], "surrogatepass", True
                    )[0],
                    data[admin_queue_direct_format_name_end:admin_queue_padding_end],
                )
            )
            admin_queue_end = admin_queue_padding_end
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue_private_queue_identifier_end = destination_queue_end + 20
            if admin_queue_private_queue_identifier_end > limit:
                raise Reject
            admin_queue_source_queue_manager, admin_queue_private_queue_identifier = unpack_16sI(
                data, destination_queue_end
            )
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(admin_queue_source_queue_manager), admin_queue_private_queue_identifier)
            )
            admin_queue_end = admin_queue_private_queue_identifier_end
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue_public_queue_identifier_end = destination_queue_end + 16
            if admin_queue_public_queue_identifier_end > limit:
                raise Reject
            (admin_queue_public_queue_identifier,) = unpack_16s(data, destination_queue_end)
            admin_queue = new_PublicQueueFormatName(*(GUID(admin_queue_public_queue_identifier),))
            admin_queue_end = admin_queue_public_queue_identifier_end
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue_private_queue_identifier_2_end = destination_queue_end + 4
            if admin_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (admin_queue_private_queue_identifier_2,) = unpack_I(data, destination_queue_end)
            admin_queue = new_PrivateQueueFormatNameId(*(admin_queue_private_queue_identifier_2,))
            admin_queue_end = admin_queue_private_queue_identifier_2_end
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue_count_end = admin_queue_end + 2
            if response_queue_count_end > limit:
                raise Reject
            (response_queue_count,) = unpack_H(data, admin_queue_end)
            if response_queue_count & 1:
                raise Reject
            if response_queue_count // 2 > limits.string_length:
                raise Reject
            response_queue_direct_format_name_end = response_queue_count_end + response_queue_count
            if response_queue_direct_format_name_end > limit:
                raise Reject
            response_queue_padding_end = response_queue_direct_format_name_end + (
                -(2 + response_queue_count) & 3
            )
            response_queue = new_DirectQueueFormatName(
                *(
                    response_queue_count,
                    decode_utf16(
                        data[response_queue_count_end:response_queue_direct_format_name_end],
                        "surrogatepass",
                        True,
                    )[0],
                    data[response_queue_direct_format_name_end:response_queue_padding_end],
                )
            )
            response_queue_end = response_queue_padding_end
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue_private_queue_identifier_end = admin_queue_end + 20
            if response_queue_private_queue_identifier_end > limit:
                raise Reject
            response_queue_source_queue_manager, response_queue_private_queue_identifier = unpack_16sI(
                data, admin_queue_end
            )
            response_queue = new_PrivateQueueFormatName(
                *(GUID(response_queue_source_queue_manager), response_queue_private_queue_identifier)
            )
            response_queue_end = response_queue_private_queue_identifier_end
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue_public_queue_identifier_end = admin_queue_end + 16
            if response_queue_public_queue_identifier_end > limit:
                raise Reject
            (response_queue_public_queue_identifier,) = unpack_16s(data, admin_queue_end)
            response_queue = new_PublicQueueFormatName(*(GUID(response_queue_public_queue_identifier),))
            response_queue_end = response_queue_public_queue_identifier_end
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue_private_queue_identifier_2_end = admin_queue_end + 4
            if response_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (response_queue_private_queue_identifier_2,) = unpack_I(data, admin_queue_end)
            response_queue = new_PrivateQueueFormatNameId(*(response_queue_private_queue_identifier_2,))
            response_queue_end = response_queue_private_queue_identifier_2_end
        elif response_queue_form in (0, 0x10000):  # RQ = 0 or 1
            response_queue = None
            response_queue_end = admin_queue_end
        else:
            raise Reject
        if user_header_flags & 0x400000:  # CQ
            user_header_connector_type_end = response_queue_end + 16
            if user_header_connector_type_end > limit:
                raise Reject
            (user_header_connector_type,) = unpack_16s(data, response_queue_end)
            connector_type = GUID(user_header_connector_type)
            response_queue_end = user_header_connector_type_end
        else:
            connector_type = None
        destination_queue_end = response_queue_end
    else:
        admin_queue = response_queue = connector_type = None
    extension_size_end = destination_queue_end + 56
    if extension_size_end > limit:
        raise Reject
    (
        message_properties_header_flags,
        label_length,
        message_class,
        correlation_id,
        body_type,
        application_tag,
        message_size,
        allocation_body_size,
        privacy_level,
        hash_algorithm,
        encryption_algorithm,
        extension_size,
    ) = unpack_BBH20sIIIIIIII(data, destination_queue_end)
    if label_length > limits.string_length:
        raise Reject
    label_end = extension_size_end + label_length * 2
    if label_end > limit:
        raise Reject
    extension_data_end = label_end + extension_size
    message_body_end = extension_data_end + message_size
    message_properties_header_padding_end = message_body_end + (
        -(label_length * 2 + extension_size + message_size) & 3
    )
    if message_properties_header_padding_end != limit:
        raise Reject
    if limit != end:
        raise Reject
    packet: FinalAck = new_FinalAck(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_UserHeader(
                *(
                    GUID(source_queue_manager),
                    GUID(queue_manager_address),
                    time_to_be_received,
                    sent_time,
                    message_id,
                    known_UserHeaderFlags[user_header_flags],
                    destination_queue,
                    admin_queue,
                    response_queue,
                    connector_type,
                )
            ),
            new_MessagePropertiesHeader(
                *(
                    known_MessagePropertiesHeaderFlags[message_properties_header_flags],
                    label_length,
                    message_class,
                    correlation_id,
                    body_type,
                    application_tag,
                    message_size,
                    allocation_body_size,
                    privacy_level,
                    hash_algorithm,
                    encryption_algorithm,
                    extension_size,
                    decode_utf16(data[extension_size_end:label_end], "surrogatepass", True)[0],
                    data[label_end:extension_data_end],
                    data[extension_data_end:message_body_end],
                    data[message_body_end:message_properties_header_padding_end],
                )
            ),
        )
    )
    return packet


PACKETS["FinalAck"] = decode_packet_FinalAck


def decode_packet_FinalAck_sharing(data: bytes, end: int, limits: Limits) -> FinalAck:
    if end > limits.packet_size:
        raise Reject
    if 64 > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        source_queue_manager,
        queue_manager_address,
        time_to_be_received,
        sent_time,
        message_id,
        user_header_flags,
    ) = unpack_BBHIII16s16sIIII(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    limit = packet_size
    if limit > end:
        raise Reject
    destination_queue_form = user_header_flags & 0x1C00
    if destination_queue_form == 0x1C00:  # DQ = 7
        if 66 > limit:
            raise Reject
        (count,) = unpack_H(data, 64)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = 66 + count
        if direct_format_name_end > limit:
            raise Reject
        padding_end = direct_format_name_end + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(
                NUMBERS[count >> 8][count & 0xFF],
                decode_utf16(data[66:direct_format_name_end], "surrogatepass", True)[0],
                data[direct_format_name_end:padding_end],
            )
        )
        destination_queue_end = padding_end
    elif destination_queue_form == 0x1400:  # DQ = 5
        if 80 > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, 64)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = 80
    elif destination_queue_form == 0xC00:  # DQ = 3
        if 68 > limit:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, 64)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        destination_queue_end = 68
    elif destination_queue_form == 0:  # DQ = 0
        destination_queue = None
        destination_queue_end = 64
    else:
        raise Reject
    if user_header_flags & 0x47E000:  # AQ, RQ, CQ
        admin_queue_form = user_header_flags & 0xE000
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue_count_end = destination_queue_end + 2
            if admin_queue_count_end > limit:
                raise Reject
            (admin_queue_count,) = unpack_H(data, destination_queue_end)
            if admin_queue_count & 1:
                raise Reject
            if admin_queue_count // 2 > limits.string_length:
                raise Reject
            admin_queue_direct_format_name_end = admin_queue_count_end + admin_queue_count
            if admin_queue_direct_format_name_end > limit:
                raise Reject
            admin_queue_padding_end = admin_queue_direct_format_name_end + (-(2 + admin_queue_count) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(
                    NUMBERS[admin_queue_count >> 8][admin_queue_count & 0xFF],
                    decode_utf16(
                        data[admin_queue_count_end:admin_queue_direct_format_name_end], "surrogatepass", True
                    )[0],
                    data[admin_queue_direct_format_name_end:admin_queue_padding_end],
                )
            )
            admin_queue_end = admin_queue_padding_end
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue_private_queue_identifier_end = destination_queue_end + 20
            if admin_queue_private_queue_identifier_end > limit:
                raise Reject
            admin_queue_source_queue_manager, admin_queue_private_queue_identifier = unpack_16sI(
                data, destination_queue_end
            )
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(admin_queue_source_queue_manager), admin_queue_private_queue_identifier)
            )
            admin_queue_end = admin_queue_private_queue_identifier_end
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue_public_queue_identifier_end = destination_queue_end + 16
            if admin_queue_public_queue_identifier_end > limit:
                raise Reject
            (admin_queue_public_queue_identifier,) = unpack_16s(data, destination_queue_end)
            admin_queue = new_PublicQueueFormatName(*(GUID(admin_queue_public_queue_identifier),))
            admin_queue_end = admin_queue_public_queue_identifier_end
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue_private_queue_identifier_2_end = destination_queue_end + 4
            if admin_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (admin_queue_private_queue_identifier_2,) = unpack_I(data, destination_queue_end)
            admin_queue = new_PrivateQueueFormatNameId(*(admin_queue_private_queue_identifier_2,))
            admin_queue_end = admin_queue_private_queue_identifier_2_end
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue_count_end = admin_queue_end + 2
            if response_queue_count_end > limit:
                raise Reject
            (response_queue_count,) = unpack_H(data, admin_queue_end)
            if response_queue_count & 1:
                raise Reject
            if response_queue_count // 2 > limits.string_length:
                raise Reject
            response_queue_direct_format_name_end = response_queue_count_end + response_queue_count
            if response_queue_direct_format_name_end > limit:
                raise Reject
            response_queue_padding_end = response_queue_direct_format_name_end + (
                -(2 + response_queue_count) & 3
            )
            response_queue = new_DirectQueueFormatName(
                *(
                    NUMBERS[response_queue_count >> 8][response_queue_count & 0xFF],
                    decode_utf16(
                        data[response_queue_count_end:response_queue_direct_format_name_end],
                        "surrogatepass",
                        True,
                    )[0],
                    data[response_queue_direct_format_name_end:response_queue_padding_end],
                )
            )
            response_queue_end = response_queue_padding_end
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue_private_queue_identifier_end = admin_queue_end + 20
            if response_queue_private_queue_identifier_end > limit:
                raise Reject
            response_queue_source_queue_manager, response_queue_private_queue_identifier = unpack_16sI(
                data, admin_queue_end
            )
            response_queue = new_PrivateQueueFormatName(
                *(GUID(response_queue_source_queue_manager), response_queue_private_queue_identifier)
            )
            response_queue_end = response_queue_private_queue_identifier_end
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue_public_queue_identifier_end = admin_queue_end + 16
            if response_queue_public_queue_identifier_end > limit:
                raise Reject
            (response_queue_public_queue_identifier,) = unpack_16s(data, admin_queue_end)
            response_queue = new_PublicQueueFormatName(*(GUID(response_queue_public_queue_identifier),))
            response_queue_end = response_queue_public_queue_identifier_end
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue_private_queue_identifier_2_end = admin_queue_end + 4
            if response_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (response_queue_private_queue_identifier_2,) = unpack_I(data, admin_queue_end)
            response_queue = new_PrivateQueueFormatNameId(*(response_queue_private_queue_identifier_2,))
            response_queue_end = response_queue_private_queue_identifier_2_end
        elif response_queue_form in (0, 0x10000):  # RQ = 0 or 1
            response_queue = None
            response_queue_end = admin_queue_end
        else:
            raise Reject
        if user_header_flags & 0x400000:  # CQ
            user_header_connector_type_end = response_queue_end + 16
            if user_header_connector_type_end > limit:
                raise Reject
            (user_header_connector_type,) = unpack_16s(data, response_queue_end)
            connector_type = GUID(user_header_connector_type)
            response_queue_end = user_header_connector_type_end
        else:
            connector_type = None
        destination_queue_end = response_queue_end
    else:
        admin_queue = response_queue = connector_type = None
    extension_size_end = destination_queue_end + 56
    if extension_size_end > limit:
        raise Reject
    (
        message_properties_header_flags,
        label_length,
        message_class,
        correlation_id,
        body_type,
        application_tag,
        message_size,
        allocation_body_size,
        privacy_level,
        hash_algorithm,
        encryption_algorithm,
        extension_size,
    ) = unpack_BBH20sIIIIIIII(data, destination_queue_end)
    if label_length > limits.string_length:
        raise Reject
    label_end = extension_size_end + label_length * 2
    if label_end > limit:
        raise Reject
    extension_data_end = label_end + extension_size
    message_body_end = extension_data_end + message_size
    message_properties_header_padding_end = message_body_end + (
        -(label_length * 2 + extension_size + message_size) & 3
    )
    if message_properties_header_padding_end != limit:
        raise Reject
    if limit != end:
        raise Reject
    packet: FinalAck = new_FinalAck(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_UserHeader(
                *(
                    GUID(source_queue_manager),
                    GUID(queue_manager_address),
                    time_to_be_received,
                    sent_time,
                    message_id,
                    known_UserHeaderFlags[user_header_flags],
                    destination_queue,
                    admin_queue,
                    response_queue,
                    connector_type,
                )
            ),
            new_MessagePropertiesHeader(
                *(
                    known_MessagePropertiesHeaderFlags[message_properties_header_flags],
                    label_length,
                    NUMBERS[message_class >> 8][message_class & 0xFF],
                    correlation_id,
                    body_type,
                    application_tag,
                    message_size,
                    allocation_body_size,
                    privacy_level,
                    hash_algorithm,
                    encryption_algorithm,
                    extension_size,
                    decode_utf16(data[extension_size_end:label_end], "surrogatepass", True)[0],
                    data[label_end:extension_data_end],
                    data[extension_data_end:message_body_end],
                    data[message_body_end:message_properties_header_padding_end],
                )
            ),
        )
    )
    return packet


SHARING["FinalAck"] = decode_packet_FinalAck_sharing


# --------------------------------------------------------------------------- [MS-MQQB] 2.2.6 SessionAck


class SessionAck(Record, frozen=True, gc=False):
    """Acknowledges messages received on a session ([MS-MQQB] 2.2.6).

    Attributes:
        BaseHeader: Kind and size of the packet.
        InternalHeader: Packet type 0x1.
        SessionHeader: Acknowledgments and window.
    """

    layout: ClassVar[Structure] = layouts.SessionAck
    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseHeader: mqmq.BaseHeader
    InternalHeader: mqqb.InternalHeader
    SessionHeader: mqmq.SessionHeader

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseHeader: mqmq.BaseHeader = ...,
            InternalHeader: mqqb.InternalHeader = ...,
            SessionHeader: mqmq.SessionHeader = ...,
        ) -> None: ...


unpack_BBHIIIHHHHIHHHH = Struct("<BBHIIIHHHHIHHHH").unpack_from
new_SessionAck = SessionAck.raw


def decode_SessionAck(data: bytes, pos: int, end: int, limits: Limits) -> tuple[SessionAck, int]:
    session_header_reserved_end = pos + 36
    if session_header_reserved_end > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        internal_header_reserved,
        internal_header_flags,
        ack_sequence_number,
        recoverable_msg_ack_seq_number,
        recoverable_msg_ack_flags,
        user_msg_sequence_number,
        recoverable_msg_seq_number,
        window_size,
        session_header_reserved,
    ) = unpack_BBHIIIHHHHIHHHH(data, pos)
    limit = pos + packet_size
    if limit > end:
        raise Reject
    if session_header_reserved_end != limit:
        raise Reject
    return new_SessionAck(
        *(
            new_BaseHeader(
                *(
                    version_number,
                    reserved,
                    known_BaseHeaderFlags[flags],
                    signature,
                    packet_size,
                    time_to_reach_queue,
                )
            ),
            new_InternalHeader(*(internal_header_reserved, known_InternalHeaderFlags[internal_header_flags])),
            new_SessionHeader(
                *(
                    ack_sequence_number,
                    recoverable_msg_ack_seq_number,
                    recoverable_msg_ack_flags,
                    user_msg_sequence_number,
                    recoverable_msg_seq_number,
                    window_size,
                    session_header_reserved,
                )
            ),
        )
    ), limit


pack_BBHIIIHHHHIHHHH = Struct("<BBHIIIHHHHIHHHH").pack


def encode_SessionAck(record: SessionAck) -> bytes:
    base_header = record.BaseHeader
    internal_header = record.InternalHeader
    session_header = record.SessionHeader
    return pack_BBHIIIHHHHIHHHH(
        base_header.VersionNumber,
        base_header.Reserved,
        base_header.Flags,
        base_header.Signature,
        base_header.PacketSize,
        base_header.TimeToReachQueue,
        internal_header.Reserved,
        internal_header.Flags,
        session_header.AckSequenceNumber,
        session_header.RecoverableMsgAckSeqNumber,
        session_header.RecoverableMsgAckFlags,
        session_header.UserMsgSequenceNumber,
        session_header.RecoverableMsgSeqNumber,
        session_header.WindowSize,
        session_header.Reserved,
    )


def size_SessionAck(record: SessionAck) -> int:
    size = 36
    return size


refuse_arguments_SessionAck = partial(replacing.refuse_arguments, layouts.SessionAck)
part_SessionAck_BaseHeader = accept.for_field(accept.part, layouts.SessionAck, "BaseHeader", BaseHeader)
part_SessionAck_InternalHeader = accept.for_field(
    accept.part, layouts.SessionAck, "InternalHeader", InternalHeader
)
default_SessionHeader = cache(SessionHeader)
part_SessionAck_SessionHeader = accept.for_field(
    accept.part, layouts.SessionAck, "SessionHeader", SessionHeader
)
class_SessionHeader = SessionHeader


def build_SessionAck(
    BaseHeader: Any = None, InternalHeader: Any = None, SessionHeader: Any = None, *more: Any, **unknown: Any
) -> SessionAck:
    if more or unknown:
        refuse_arguments_SessionAck(more, unknown)
    if BaseHeader is None:
        BaseHeader = default_BaseHeader()
    else:
        if BaseHeader.__class__ is not class_BaseHeader:
            part_SessionAck_BaseHeader(BaseHeader)
    if InternalHeader is None:
        InternalHeader = default_InternalHeader()
    else:
        if InternalHeader.__class__ is not class_InternalHeader:
            part_SessionAck_InternalHeader(InternalHeader)
    if SessionHeader is None:
        SessionHeader = default_SessionHeader()
    else:
        if SessionHeader.__class__ is not class_SessionHeader:
            part_SessionAck_SessionHeader(SessionHeader)
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is LeftOut:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x18
            if _Flags.given & 0x18:
                _open = 0x18 & ~_Flags.given
                _Flags = known_BaseHeaderFlags[_Flags & ~_open | _bits & _open]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -25 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
        if _PacketSize.__class__ is LeftOut:
            _PacketSize = 36
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if InternalHeader.Flags.__class__ is partial_InternalHeaderFlags:
        _Flags = InternalHeader.Flags
        _bits = 0x1
        if _Flags.given & 0xF:
            _open = 0xF & ~_Flags.given
            _Flags = known_InternalHeaderFlags[_Flags & ~_open | _bits & _open]
        else:
            _Flags = known_InternalHeaderFlags[_Flags & -16 | _bits]
        InternalHeader = replace(InternalHeader, Flags=_Flags)
    made: SessionAck = new_SessionAck(*(BaseHeader, InternalHeader, SessionHeader))
    return made


def plain_SessionAck(record: SessionAck) -> dict[str, Any]:
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "InternalHeader": plain_InternalHeader(record.InternalHeader),
        "SessionHeader": plain_SessionHeader(record.SessionHeader),
    }


def from_plain_SessionAck(fields: Any, path: str) -> SessionAck:
    taken = Taken(layouts.SessionAck, fields, path)
    made: SessionAck = taken.make(
        SessionAck,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        InternalHeader=taken.part("InternalHeader", from_plain_InternalHeader),
        SessionHeader=taken.part("SessionHeader", from_plain_SessionHeader),
    )
    return made


register(
    SessionAck,
    decode_SessionAck,
    encode_SessionAck,
    size_SessionAck,
    build_SessionAck,
    plain_SessionAck,
    from_plain_SessionAck,
)


def decode_packet_SessionAck(data: bytes, end: int, limits: Limits) -> SessionAck:
    if end > limits.packet_size:
        raise Reject
    if end != 36:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        internal_header_reserved,
        internal_header_flags,
        ack_sequence_number,
        recoverable_msg_ack_seq_number,
        recoverable_msg_ack_flags,
        user_msg_sequence_number,
        recoverable_msg_seq_number,
        window_size,
        session_header_reserved,
    ) = unpack_BBHIIIHHHHIHHHH(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    if packet_size != 36:
        raise Reject
    packet: SessionAck = new_SessionAck(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_InternalHeader(*(internal_header_reserved, known_InternalHeaderFlags[internal_header_flags])),
            new_SessionHeader(
                *(
                    ack_sequence_number,
                    recoverable_msg_ack_seq_number,
                    recoverable_msg_ack_flags,
                    user_msg_sequence_number,
                    recoverable_msg_seq_number,
                    window_size,
                    session_header_reserved,
                )
            ),
        )
    )
    return packet


PACKETS["SessionAck"] = decode_packet_SessionAck


def decode_packet_SessionAck_sharing(data: bytes, end: int, limits: Limits) -> SessionAck:
    if end > limits.packet_size:
        raise Reject
    if end != 36:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        internal_header_reserved,
        internal_header_flags,
        ack_sequence_number,
        recoverable_msg_ack_seq_number,
        recoverable_msg_ack_flags,
        user_msg_sequence_number,
        recoverable_msg_seq_number,
        window_size,
        session_header_reserved,
    ) = unpack_BBHIIIHHHHIHHHH(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    if packet_size != 36:
        raise Reject
    packet: SessionAck = new_SessionAck(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_InternalHeader(
                *(
                    NUMBERS[internal_header_reserved >> 8][internal_header_reserved & 0xFF],
                    known_InternalHeaderFlags[internal_header_flags],
                )
            ),
            new_SessionHeader(
                *(
                    NUMBERS[ack_sequence_number >> 8][ack_sequence_number & 0xFF],
                    NUMBERS[recoverable_msg_ack_seq_number >> 8][recoverable_msg_ack_seq_number & 0xFF],
                    recoverable_msg_ack_flags,
                    NUMBERS[user_msg_sequence_number >> 8][user_msg_sequence_number & 0xFF],
                    NUMBERS[recoverable_msg_seq_number >> 8][recoverable_msg_seq_number & 0xFF],
                    NUMBERS[window_size >> 8][window_size & 0xFF],
                    NUMBERS[session_header_reserved >> 8][session_header_reserved & 0xFF],
                )
            ),
        )
    )
    return packet


SHARING["SessionAck"] = decode_packet_SessionAck_sharing


# --------------------------------------------------------------------------- [MS-MQQB] 2.2.7 PingPacket


class PingPacketFlags(Flags):
    """Groups of `PingPacket.Flags`: type of initiator and answer."""

    __slots__ = ()
    kind = layouts.PingPacket.flags("Flags")
    structure = "PingPacket"
    field = "Flags"
    defaults = 0x0

    if TYPE_CHECKING:

        def __new__(
            cls, value: int | None = None, /, *, RC: int = ..., RF: int = ..., X: int = ...
        ) -> Self: ...
        def replace(self, *, RC: int = ..., RF: int = ..., X: int = ...) -> Self: ...

    @property
    def RC(self) -> int:
        """Initiator is neither WinServer nor WinEnt."""
        return int(self) & 0x1

    @property
    def RF(self) -> int:
        """A session would be refused."""
        return int(self) >> 1 & 0x1

    @property
    def X(self) -> int:
        """Unused, any value."""
        return int(self) >> 2 & 0x3FFF


class PingPacket(Record, frozen=True, gc=False):
    """Asks over UDP whether a session would be accepted, or answers the question ([MS-MQQB] 2.2.7).

    Attributes:
        Flags: Type of initiator and answer.
        Signature: 0x5548.
        Cookie: Correlates response and request.
        QMGuid: Queue manager that made this packet.
    """

    layout: ClassVar[Structure] = layouts.PingPacket
    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": PingPacketFlags}

    Flags: PingPacketFlags
    Signature: int
    Cookie: int
    QMGuid: GUID

    if TYPE_CHECKING:

        def __init__(
            self,
            Flags: PingPacketFlags | int = ...,
            Signature: int = 21832,
            Cookie: int = 0,
            QMGuid: _Guid = ...,
        ) -> None: ...


known_PingPacketFlags = PingPacketFlags.seen
new_PingPacket = PingPacket.raw
unpack_HHI16s = Struct("<HHI16s").unpack_from


def decode_PingPacket(data: bytes, pos: int, end: int, limits: Limits) -> tuple[PingPacket, int]:
    qm_guid_end = pos + 24
    if qm_guid_end > end:
        raise Reject
    flags, signature, cookie, qm_guid = unpack_HHI16s(data, pos)
    return new_PingPacket(*(known_PingPacketFlags[flags], signature, cookie, GUID(qm_guid))), qm_guid_end


pack_HHI16s = Struct("<HHI16s").pack


def encode_PingPacket(record: PingPacket) -> bytes:
    return pack_HHI16s(record.Flags, record.Signature, record.Cookie, record.QMGuid.bytes_le)


def size_PingPacket(record: PingPacket) -> int:
    size = 24
    return size


refuse_arguments_PingPacket = partial(replacing.refuse_arguments, layouts.PingPacket)
class_PingPacketFlags = PingPacketFlags
partial_PingPacketFlags = PingPacketFlags.partial
default_PingPacketFlags = PingPacketFlags.seen[0x0]
integer_PingPacket_Signature = accept.for_field(accept.integer, layouts.PingPacket, "Signature")
integer_PingPacket_Cookie = accept.for_field(accept.integer, layouts.PingPacket, "Cookie")
guid_PingPacket_QMGuid = accept.for_field(accept.guid, layouts.PingPacket, "QMGuid")


def build_PingPacket(
    Flags: Any = None,
    Signature: Any = None,
    Cookie: Any = None,
    QMGuid: Any = None,
    *more: Any,
    **unknown: Any,
) -> PingPacket:
    if more or unknown:
        refuse_arguments_PingPacket(more, unknown)
    if Flags is None:
        Flags = default_PingPacketFlags
    elif Flags.__class__ is not class_PingPacketFlags:
        Flags = class_PingPacketFlags(Flags)
    if Signature is None:
        Signature = 21832
    else:
        if Signature.__class__ is not int or not 0 <= Signature <= 65535:
            Signature = integer_PingPacket_Signature(Signature)
    if Cookie is None:
        Cookie = 0
    else:
        if Cookie.__class__ is not int or not 0 <= Cookie <= 4294967295:
            Cookie = integer_PingPacket_Cookie(Cookie)
    if QMGuid is None:
        QMGuid = NULL_GUID
    else:
        if not (
            QMGuid.__class__ is GUID and (_raw := QMGuid.bytes_le).__class__ is bytes and len(_raw) == 16
        ):
            QMGuid = guid_PingPacket_QMGuid(QMGuid)
    made: PingPacket = new_PingPacket(*(Flags, Signature, Cookie, QMGuid))
    return made


groups_PingPacketFlags = PingPacketFlags.groups


def plain_PingPacket(record: PingPacket) -> dict[str, Any]:
    return {
        "Flags": groups_PingPacketFlags[record.Flags].copy(),
        "Signature": record.Signature,
        "Cookie": record.Cookie,
        "QMGuid": record.QMGuid.__str__(),
    }


def from_plain_PingPacket(fields: Any, path: str) -> PingPacket:
    taken = Taken(layouts.PingPacket, fields, path)
    made: PingPacket = taken.make(
        PingPacket,
        Flags=taken.flags("Flags"),
        Signature=taken.one("Signature", plain.number),
        Cookie=taken.one("Cookie", plain.number),
        QMGuid=taken.one("QMGuid", plain.guid),
    )
    return made


register(
    PingPacket,
    decode_PingPacket,
    encode_PingPacket,
    size_PingPacket,
    build_PingPacket,
    plain_PingPacket,
    from_plain_PingPacket,
)


# ------------------------------------------------------------------------ [MS-MQQB] 2.4.1 PUBLICKEYBLOB


class PUBLICKEYBLOB(Record, frozen=True, gc=False):
    """A public RSA key for key exchange ([MS-MQQB] 2.4.1).

    Attributes:
        bType: 0x06, a public key; the page prints values only, so this name is ours.
        bVersion: 0x02; the name is ours.
        reserved: Zero; the name is ours.
        aiKeyAlg: CALG_RSA_KEYX; the name is ours.
        magic: "RSA1"; the name is ours.
        bitLen: Length of modulus in bits.
        pubExp: E of the key pair.
        modulus: N of the key pair, little-endian.
    """

    layout: ClassVar[Structure] = layouts.PUBLICKEYBLOB
    flags: ClassVar[dict[str, type[Flags]]] = {}

    bType: int
    bVersion: int
    reserved: int
    aiKeyAlg: int
    magic: bytes
    bitLen: int
    pubExp: int
    modulus: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            bType: int = 6,
            bVersion: int = 2,
            reserved: int = 0,
            aiKeyAlg: int = 41984,
            magic: _Bytes = ...,
            bitLen: int = ...,
            pubExp: int = 0,
            modulus: _Bytes = ...,
        ) -> None: ...


unpack_BBHI4sII = Struct("<BBHI4sII").unpack_from
new_PUBLICKEYBLOB = PUBLICKEYBLOB.raw


def decode_PUBLICKEYBLOB(data: bytes, pos: int, end: int, limits: Limits) -> tuple[PUBLICKEYBLOB, int]:
    pub_exp_end = pos + 20
    if pub_exp_end > end:
        raise Reject
    b_type, b_version, reserved, ai_key_alg, magic, bit_len, pub_exp = unpack_BBHI4sII(data, pos)
    return new_PUBLICKEYBLOB(
        *(b_type, b_version, reserved, ai_key_alg, magic, bit_len, pub_exp, data[pub_exp_end:end])
    ), end


pack_BBHI4sII = Struct("<BBHI4sII").pack


def encode_PUBLICKEYBLOB(record: PUBLICKEYBLOB) -> bytes:
    return join(
        (
            pack_BBHI4sII(
                record.bType,
                record.bVersion,
                record.reserved,
                record.aiKeyAlg,
                record.magic,
                record.bitLen,
                record.pubExp,
            ),
            record.modulus,
        )
    )


def size_PUBLICKEYBLOB(record: PUBLICKEYBLOB) -> int:
    modulus = record.modulus
    size = 20 + len(modulus)
    return size


refuse_arguments_PUBLICKEYBLOB = partial(replacing.refuse_arguments, layouts.PUBLICKEYBLOB)
integer_PUBLICKEYBLOB_bType = accept.for_field(accept.integer, layouts.PUBLICKEYBLOB, "bType")
integer_PUBLICKEYBLOB_bVersion = accept.for_field(accept.integer, layouts.PUBLICKEYBLOB, "bVersion")
integer_PUBLICKEYBLOB_reserved = accept.for_field(accept.integer, layouts.PUBLICKEYBLOB, "reserved")
integer_PUBLICKEYBLOB_aiKeyAlg = accept.for_field(accept.integer, layouts.PUBLICKEYBLOB, "aiKeyAlg")
default_PUBLICKEYBLOB_magic = b"RSA1"
raw_bytes_PUBLICKEYBLOB_magic = accept.for_field(accept.raw_bytes, layouts.PUBLICKEYBLOB, "magic")
integer_PUBLICKEYBLOB_bitLen = accept.for_field(accept.integer, layouts.PUBLICKEYBLOB, "bitLen")
integer_PUBLICKEYBLOB_pubExp = accept.for_field(accept.integer, layouts.PUBLICKEYBLOB, "pubExp")
raw_bytes_PUBLICKEYBLOB_modulus = accept.for_field(accept.raw_bytes, layouts.PUBLICKEYBLOB, "modulus")


def build_PUBLICKEYBLOB(
    bType: Any = None,
    bVersion: Any = None,
    reserved: Any = None,
    aiKeyAlg: Any = None,
    magic: Any = None,
    bitLen: Any = None,
    pubExp: Any = None,
    modulus: Any = None,
    *more: Any,
    **unknown: Any,
) -> PUBLICKEYBLOB:
    if more or unknown:
        refuse_arguments_PUBLICKEYBLOB(more, unknown)
    _out_modulus = modulus is None
    if bType is None:
        bType = 6
    else:
        if bType.__class__ is not int or not 0 <= bType <= 255:
            bType = integer_PUBLICKEYBLOB_bType(bType)
    if bVersion is None:
        bVersion = 2
    else:
        if bVersion.__class__ is not int or not 0 <= bVersion <= 255:
            bVersion = integer_PUBLICKEYBLOB_bVersion(bVersion)
    if reserved is None:
        reserved = 0
    else:
        if reserved.__class__ is not int or not 0 <= reserved <= 65535:
            reserved = integer_PUBLICKEYBLOB_reserved(reserved)
    if aiKeyAlg is None:
        aiKeyAlg = 41984
    else:
        if aiKeyAlg.__class__ is not int or not 0 <= aiKeyAlg <= 4294967295:
            aiKeyAlg = integer_PUBLICKEYBLOB_aiKeyAlg(aiKeyAlg)
    if magic is None:
        magic = default_PUBLICKEYBLOB_magic
    else:
        if magic.__class__ is not bytes or len(magic) != 4:
            magic = raw_bytes_PUBLICKEYBLOB_magic(magic)
    if bitLen is not None:
        if bitLen.__class__ is not int or not 0 <= bitLen <= 4294967295:
            bitLen = integer_PUBLICKEYBLOB_bitLen(bitLen)
    if pubExp is None:
        pubExp = 0
    else:
        if pubExp.__class__ is not int or not 0 <= pubExp <= 4294967295:
            pubExp = integer_PUBLICKEYBLOB_pubExp(pubExp)
    if modulus is None:
        modulus = b""
    else:
        if modulus.__class__ is not bytes:
            modulus = raw_bytes_PUBLICKEYBLOB_modulus(modulus)
    if bitLen is None:
        bitLen = len(modulus) * 8
    made: PUBLICKEYBLOB = new_PUBLICKEYBLOB(
        *(bType, bVersion, reserved, aiKeyAlg, magic, bitLen, pubExp, modulus)
    )
    return made


def plain_PUBLICKEYBLOB(record: PUBLICKEYBLOB) -> dict[str, Any]:
    return {
        "bType": record.bType,
        "bVersion": record.bVersion,
        "reserved": record.reserved,
        "aiKeyAlg": record.aiKeyAlg,
        "magic": record.magic.hex(),
        "bitLen": record.bitLen,
        "pubExp": record.pubExp,
        "modulus": record.modulus.hex(),
    }


def from_plain_PUBLICKEYBLOB(fields: Any, path: str) -> PUBLICKEYBLOB:
    taken = Taken(layouts.PUBLICKEYBLOB, fields, path)
    made: PUBLICKEYBLOB = taken.make(
        PUBLICKEYBLOB,
        bType=taken.one("bType", plain.number),
        bVersion=taken.one("bVersion", plain.number),
        reserved=taken.one("reserved", plain.number),
        aiKeyAlg=taken.one("aiKeyAlg", plain.number),
        magic=taken.one("magic", plain.octets),
        bitLen=taken.one("bitLen", plain.number),
        pubExp=taken.one("pubExp", plain.number),
        modulus=taken.one("modulus", plain.octets),
    )
    return made


register(
    PUBLICKEYBLOB,
    decode_PUBLICKEYBLOB,
    encode_PUBLICKEYBLOB,
    size_PUBLICKEYBLOB,
    build_PUBLICKEYBLOB,
    plain_PUBLICKEYBLOB,
    from_plain_PUBLICKEYBLOB,
)


# --------------------------------------------------------------------------- [MS-MQQB] 2.4.2 SIMPLEBLOB


class SIMPLEBLOB(Record, frozen=True, gc=False):
    """A session key, encrypted for its receiver ([MS-MQQB] 2.4.2).

    Attributes:
        bType: 0x01, a session key; the page prints values only, so this name is ours.
        bVersion: 0x02; the name is ours.
        reserved: Zero; the name is ours.
        sessionKeyAlgorithm: Cipher that the key is for.
        aiKeyAlg: CALG_RSA_KEYX; the name is ours.
        encryptedKey: Session key, encrypted with RSAES-PKCS1-v1_5, little-endian.
    """

    layout: ClassVar[Structure] = layouts.SIMPLEBLOB
    flags: ClassVar[dict[str, type[Flags]]] = {}

    bType: int
    bVersion: int
    reserved: int
    sessionKeyAlgorithm: int
    aiKeyAlg: int
    encryptedKey: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            bType: int = 1,
            bVersion: int = 2,
            reserved: int = 0,
            sessionKeyAlgorithm: int = 26128,
            aiKeyAlg: int = 41984,
            encryptedKey: _Bytes = ...,
        ) -> None: ...


unpack_BBHII = Struct("<BBHII").unpack_from
new_SIMPLEBLOB = SIMPLEBLOB.raw


def decode_SIMPLEBLOB(data: bytes, pos: int, end: int, limits: Limits) -> tuple[SIMPLEBLOB, int]:
    ai_key_alg_end = pos + 12
    if ai_key_alg_end > end:
        raise Reject
    b_type, b_version, reserved, session_key_algorithm, ai_key_alg = unpack_BBHII(data, pos)
    return new_SIMPLEBLOB(
        *(b_type, b_version, reserved, session_key_algorithm, ai_key_alg, data[ai_key_alg_end:end])
    ), end


pack_BBHII = Struct("<BBHII").pack


def encode_SIMPLEBLOB(record: SIMPLEBLOB) -> bytes:
    return join(
        (
            pack_BBHII(
                record.bType, record.bVersion, record.reserved, record.sessionKeyAlgorithm, record.aiKeyAlg
            ),
            record.encryptedKey,
        )
    )


def size_SIMPLEBLOB(record: SIMPLEBLOB) -> int:
    encrypted_key = record.encryptedKey
    size = 12 + len(encrypted_key)
    return size


refuse_arguments_SIMPLEBLOB = partial(replacing.refuse_arguments, layouts.SIMPLEBLOB)
integer_SIMPLEBLOB_bType = accept.for_field(accept.integer, layouts.SIMPLEBLOB, "bType")
integer_SIMPLEBLOB_bVersion = accept.for_field(accept.integer, layouts.SIMPLEBLOB, "bVersion")
integer_SIMPLEBLOB_reserved = accept.for_field(accept.integer, layouts.SIMPLEBLOB, "reserved")
integer_SIMPLEBLOB_sessionKeyAlgorithm = accept.for_field(
    accept.integer, layouts.SIMPLEBLOB, "sessionKeyAlgorithm"
)
integer_SIMPLEBLOB_aiKeyAlg = accept.for_field(accept.integer, layouts.SIMPLEBLOB, "aiKeyAlg")
raw_bytes_SIMPLEBLOB_encryptedKey = accept.for_field(accept.raw_bytes, layouts.SIMPLEBLOB, "encryptedKey")


def build_SIMPLEBLOB(
    bType: Any = None,
    bVersion: Any = None,
    reserved: Any = None,
    sessionKeyAlgorithm: Any = None,
    aiKeyAlg: Any = None,
    encryptedKey: Any = None,
    *more: Any,
    **unknown: Any,
) -> SIMPLEBLOB:
    if more or unknown:
        refuse_arguments_SIMPLEBLOB(more, unknown)
    _out_encryptedKey = encryptedKey is None
    if bType is None:
        bType = 1
    else:
        if bType.__class__ is not int or not 0 <= bType <= 255:
            bType = integer_SIMPLEBLOB_bType(bType)
    if bVersion is None:
        bVersion = 2
    else:
        if bVersion.__class__ is not int or not 0 <= bVersion <= 255:
            bVersion = integer_SIMPLEBLOB_bVersion(bVersion)
    if reserved is None:
        reserved = 0
    else:
        if reserved.__class__ is not int or not 0 <= reserved <= 65535:
            reserved = integer_SIMPLEBLOB_reserved(reserved)
    if sessionKeyAlgorithm is None:
        sessionKeyAlgorithm = 26128
    else:
        if sessionKeyAlgorithm.__class__ is not int or not 0 <= sessionKeyAlgorithm <= 4294967295:
            sessionKeyAlgorithm = integer_SIMPLEBLOB_sessionKeyAlgorithm(sessionKeyAlgorithm)
    if aiKeyAlg is None:
        aiKeyAlg = 41984
    else:
        if aiKeyAlg.__class__ is not int or not 0 <= aiKeyAlg <= 4294967295:
            aiKeyAlg = integer_SIMPLEBLOB_aiKeyAlg(aiKeyAlg)
    if encryptedKey is None:
        encryptedKey = b""
    else:
        if encryptedKey.__class__ is not bytes:
            encryptedKey = raw_bytes_SIMPLEBLOB_encryptedKey(encryptedKey)
    made: SIMPLEBLOB = new_SIMPLEBLOB(
        *(bType, bVersion, reserved, sessionKeyAlgorithm, aiKeyAlg, encryptedKey)
    )
    return made


def plain_SIMPLEBLOB(record: SIMPLEBLOB) -> dict[str, Any]:
    return {
        "bType": record.bType,
        "bVersion": record.bVersion,
        "reserved": record.reserved,
        "sessionKeyAlgorithm": record.sessionKeyAlgorithm,
        "aiKeyAlg": record.aiKeyAlg,
        "encryptedKey": record.encryptedKey.hex(),
    }


def from_plain_SIMPLEBLOB(fields: Any, path: str) -> SIMPLEBLOB:
    taken = Taken(layouts.SIMPLEBLOB, fields, path)
    made: SIMPLEBLOB = taken.make(
        SIMPLEBLOB,
        bType=taken.one("bType", plain.number),
        bVersion=taken.one("bVersion", plain.number),
        reserved=taken.one("reserved", plain.number),
        sessionKeyAlgorithm=taken.one("sessionKeyAlgorithm", plain.number),
        aiKeyAlg=taken.one("aiKeyAlg", plain.number),
        encryptedKey=taken.one("encryptedKey", plain.octets),
    )
    return made


register(
    SIMPLEBLOB,
    decode_SIMPLEBLOB,
    encode_SIMPLEBLOB,
    size_SIMPLEBLOB,
    build_SIMPLEBLOB,
    plain_SIMPLEBLOB,
    from_plain_SIMPLEBLOB,
)
