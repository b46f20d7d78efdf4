"""[MS-MQQB]: the packets of the binary protocol.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from codecs import utf_16_le_decode as decode_utf16
from codecs import utf_16_le_encode as encode_utf16
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar

from msmq_wire.records.flags import Flags
from msmq_wire.records.record import Later, Record
from msmq_wire.records.registry import PACKETS, register
from msmq_wire.values.guid import GUID
from msmq_wire.values.reject import Reject

from . import readings
from .mqmq import (
    BaseHeaderFlags,
    MessagePropertiesHeaderFlags,
    UserHeaderFlags,
    decode_DirectQueueFormatName,
    decode_PrivateQueueFormatName,
    decode_PrivateQueueFormatNameId,
    decode_PublicQueueFormatName,
    known_BaseHeaderFlags,
    known_MessagePropertiesHeaderFlags,
    known_UserHeaderFlags,
    new_BaseHeader,
    new_DirectQueueFormatName,
    new_MessagePropertiesHeader,
    new_PrivateQueueFormatNameId,
    new_PublicQueueFormatName,
    new_SessionHeader,
    new_TxSequenceID,
    new_UserHeader,
)

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping
    from typing import Self

    from msmq_wire.documents import mqmq, mqqb
    from msmq_wire.names import format_names
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

    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": InternalHeaderFlags}

    Reserved: int
    Flags: InternalHeaderFlags

    if TYPE_CHECKING:

        def __init__(
            self,
            Reserved: int = 0,
            Flags: InternalHeaderFlags | int = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Reserved: int = ...,
            Flags: InternalHeaderFlags | int = ...,
        ) -> Self: ...


known_InternalHeaderFlags = InternalHeaderFlags.cache
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


register(InternalHeader, decode_InternalHeader, encode_InternalHeader)


# --------------------------------------------------------- [MS-MQQB] 2.2.2.1 ConnectionParametersHeader


class ConnectionParametersHeader(Record, frozen=True, gc=False):
    """Timeouts and window of a session ([MS-MQQB] 2.2.2.1).

    Attributes:
        RecoverableAckTimeout: Milliseconds before a recoverable message is acknowledged, 500 to 120000.
        AckTimeout: Milliseconds without acknowledgment before the session closes, 20000 to 120000.
        Reserved: Zero when sent.
        WindowSize: Unacknowledged packets allowed.
    """

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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            RecoverableAckTimeout: int = ...,
            AckTimeout: int = ...,
            Reserved: int = ...,
            WindowSize: int = ...,
        ) -> Self: ...


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


register(ConnectionParametersHeader, decode_ConnectionParametersHeader, encode_ConnectionParametersHeader)


# ----------------------------------------------------------------- [MS-MQQB] 2.2.2 ConnectionParameters


class ConnectionParameters(Record, frozen=True, gc=False):
    """Proposes or confirms the parameters of a session ([MS-MQQB] 2.2.2).

    Attributes:
        BaseHeader: Kind and size of the packet.
        InternalHeader: Packet type 0x3.
        ConnectionParametersHeader: Timeouts and window.
    """

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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseHeader: mqmq.BaseHeader = ...,
            InternalHeader: mqqb.InternalHeader = ...,
            ConnectionParametersHeader: mqqb.ConnectionParametersHeader = ...,
        ) -> Self: ...

    @property
    def is_refused(self) -> bool:
        """From `InternalHeader.Flags.CS`: whether the connection is refused."""
        return readings.is_refused(self)

    if TYPE_CHECKING:

        @staticmethod
        def of(
            TimeToReachQueue: int | None = None,
            RecoverableAckTimeout: int | None = None,
            AckTimeout: int | None = None,
            WindowSize: int | None = None,
            InternalHeaderFlags: InternalHeaderFlags | int | None = None,
            BaseHeaderFlags: BaseHeaderFlags | int | None = None,
        ) -> ConnectionParameters:
            """Create one from the fields of its parts: BaseHeader, InternalHeader, ConnectionParametersHeader.

            An omitted argument has the default of its part's class, or is computed.

            Args:
                TimeToReachQueue: Time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite.
                RecoverableAckTimeout: Milliseconds before a recoverable message is acknowledged, 500 to 120000.
                AckTimeout: Milliseconds without acknowledgment before the session closes, 20000 to 120000.
                WindowSize: Unacknowledged packets allowed.
                InternalHeaderFlags: `InternalHeader.Flags`: type and state.
                BaseHeaderFlags: `BaseHeader.Flags`: options of the packet.

            Raises:
                EncodeError: A field holds a value that cannot be encoded.
            """

    else:
        of = Later()


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


register(ConnectionParameters, decode_ConnectionParameters, encode_ConnectionParameters)


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


# ---------------------------------------------------------- [MS-MQQB] 2.2.3.1 EstablishConnectionHeader


class EstablishConnectionHeaderOperatingSystem(Flags):
    """Groups of `EstablishConnectionHeader.OperatingSystem`: facts about the request."""

    __slots__ = ()
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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            ClientGuid: _Guid = ...,
            ServerGuid: _Guid = ...,
            TimeStamp: int = ...,
            OperatingSystem: EstablishConnectionHeaderOperatingSystem | int = ...,
            Reserved: int = ...,
            Padding: _Bytes = ...,
        ) -> Self: ...


known_EstablishConnectionHeaderOperatingSystem = EstablishConnectionHeaderOperatingSystem.cache
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


register(EstablishConnectionHeader, decode_EstablishConnectionHeader, encode_EstablishConnectionHeader)


# ------------------------------------------------------------------ [MS-MQQB] 2.2.3 EstablishConnection


class EstablishConnection(Record, frozen=True, gc=False):
    """Requests a session, or answers the request ([MS-MQQB] 2.2.3).

    Attributes:
        BaseHeader: Kind and size of the packet.
        InternalHeader: Packet type 0x2.
        EstablishConnectionHeader: The two queue managers.
    """

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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseHeader: mqmq.BaseHeader = ...,
            InternalHeader: mqqb.InternalHeader = ...,
            EstablishConnectionHeader: mqqb.EstablishConnectionHeader = ...,
        ) -> Self: ...

    @property
    def is_refused(self) -> bool:
        """From `InternalHeader.Flags.CS`: whether the connection is refused."""
        return readings.is_refused(self)

    if TYPE_CHECKING:

        @staticmethod
        def of(
            TimeToReachQueue: int | None = None,
            ClientGuid: _Guid | None = None,
            ServerGuid: _Guid | None = None,
            TimeStamp: int | None = None,
            EstablishConnectionHeaderOperatingSystem: EstablishConnectionHeaderOperatingSystem
            | int
            | None = None,
            InternalHeaderFlags: InternalHeaderFlags | int | None = None,
            BaseHeaderFlags: BaseHeaderFlags | int | None = None,
        ) -> EstablishConnection:
            """Create one from the fields of its parts: BaseHeader, InternalHeader, EstablishConnectionHeader.

            An omitted argument has the default of its part's class, or is computed.

            Args:
                TimeToReachQueue: Time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite.
                ClientGuid: Queue manager of the initiator.
                ServerGuid: Queue manager of the acceptor; null in a request by direct format name.
                TimeStamp: Milliseconds since the initiator's system started.
                EstablishConnectionHeaderOperatingSystem: `EstablishConnectionHeader.OperatingSystem`: facts about
                    the request.
                InternalHeaderFlags: `InternalHeader.Flags`: type and state.
                BaseHeaderFlags: `BaseHeader.Flags`: options of the packet.

            Raises:
                EncodeError: A field holds a value that cannot be encoded.
            """

    else:
        of = Later()


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


register(EstablishConnection, decode_EstablishConnection, encode_EstablishConnection)


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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            TxSequenceID: mqmq.TxSequenceID = ...,
            TxSequenceNumber: int = ...,
            TxPreviousSequenceNumber: int = ...,
            Reserved: _Bytes = ...,
        ) -> Self: ...


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


register(OrderAckBody, decode_OrderAckBody, encode_OrderAckBody)


# ----------------------------------------------------------------------------- [MS-MQQB] 2.2.4 OrderAck


class OrderAck(Record, frozen=True, gc=False):
    """Acknowledges transactional messages that arrived in order ([MS-MQQB] 2.2.4).

    Attributes:
        BaseHeader: All flags clear.
        UserHeader: Sender, and the sender's order queue as destination.
        MessagePropertiesHeader: Class ORDER_ACK; the body is an OrderAckBody.
    """

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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseHeader: mqmq.BaseHeader = ...,
            UserHeader: mqmq.UserHeader = ...,
            MessagePropertiesHeader: mqmq.MessagePropertiesHeader = ...,
        ) -> Self: ...

    @property
    def acknowledged(self) -> mqqb.OrderAckBody:
        """From `MessagePropertiesHeader.MessageBody`: the message that arrived.

        Raises:
            DecodeError: The body does not have 36 bytes.
        """
        return readings.order_ack_body(self)

    if TYPE_CHECKING:

        @staticmethod
        def of(
            TimeToReachQueue: int | None = None,
            SourceQueueManager: _Guid | None = None,
            QueueManagerAddress: _Guid | None = None,
            TimeToBeReceived: int | None = None,
            SentTime: int | None = None,
            MessageID: int | None = None,
            DestinationQueue: mqmq.PrivateQueueFormatNameId
            | mqmq.PublicQueueFormatName
            | mqmq.DirectQueueFormatName
            | format_names.FormatName
            | str
            | None = None,
            AdminQueue: mqmq.PrivateQueueFormatNameId
            | mqmq.PublicQueueFormatName
            | mqmq.PrivateQueueFormatName
            | mqmq.DirectQueueFormatName
            | format_names.FormatName
            | str
            | None = None,
            ResponseQueue: mqmq.PrivateQueueFormatNameId
            | mqmq.PublicQueueFormatName
            | mqmq.PrivateQueueFormatName
            | mqmq.DirectQueueFormatName
            | format_names.FormatName
            | str
            | None = None,
            ConnectorType: _Guid | None = None,
            MessageClass: int | None = None,
            CorrelationID: _Bytes | None = None,
            BodyType: int | None = None,
            ApplicationTag: int | None = None,
            PrivacyLevel: int | None = None,
            HashAlgorithm: int | None = None,
            EncryptionAlgorithm: int | None = None,
            Label: str | None = None,
            ExtensionData: _Bytes | None = None,
            MessageBody: _Bytes | None = None,
            MessagePropertiesHeaderFlags: MessagePropertiesHeaderFlags | int | None = None,
            UserHeaderFlags: UserHeaderFlags | int | None = None,
            BaseHeaderFlags: BaseHeaderFlags | int | None = None,
        ) -> OrderAck:
            """Create one from the fields of its parts: BaseHeader, UserHeader, MessagePropertiesHeader.

            An omitted argument has the default of its part's class, or is computed.

            Args:
                TimeToReachQueue: Time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite.
                SourceQueueManager: Queue manager of the original sender.
                QueueManagerAddress: Destination queue manager; null for a direct format name.
                TimeToBeReceived: Seconds until the message expires; 0xFFFFFFFF: never.
                SentTime: When the packet was sent, seconds since 1970-01-01 UTC.
                MessageID: Number of the message, unique within its sender.
                DestinationQueue: Final destination, in the form that Flags.DQ selects.
                AdminQueue: Queue for administration acknowledgments, in the form that Flags.AQ selects.
                ResponseQueue: Queue for replies, in the form that Flags.RQ selects.
                ConnectorType: Defined by the application; present if Flags.CQ is set.
                MessageClass: Type of the message.
                CorrelationID: Application's data; in an acknowledgment the MessageIdentifier of the message
                    acknowledged.
                BodyType: Variant type of the body.
                ApplicationTag: Application's number.
                PrivacyLevel: Encryption of the body.
                HashAlgorithm: Hash that the signature uses.
                EncryptionAlgorithm: Cipher of the body.
                Label: Application's description, terminator included.
                ExtensionData: Application's additional data.
                MessageBody: The message itself.
                MessagePropertiesHeaderFlags: `MessagePropertiesHeader.Flags`: administration acknowledgments
                    asked for.
                UserHeaderFlags: `UserHeader.Flags`: options of the message.
                BaseHeaderFlags: `BaseHeader.Flags`: options of the packet.

            Raises:
                EncodeError: A field holds a value that cannot be encoded.
            """

    else:
        of = Later()


unpack_BBHIII16s16sIIII = Struct("<BBHIII16s16sIIII").unpack_from
unpack_H = Struct("<H").unpack_from
unpack_16s = Struct("<16s").unpack_from
unpack_I = Struct("<I").unpack_from
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
        admin_queue: Any
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue, admin_queue_end = decode_DirectQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue, admin_queue_end = decode_PrivateQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue, admin_queue_end = decode_PublicQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue, admin_queue_end = decode_PrivateQueueFormatNameId(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        response_queue: Any
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue, response_queue_end = decode_DirectQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue, response_queue_end = decode_PrivateQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue, response_queue_end = decode_PublicQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue, response_queue_end = decode_PrivateQueueFormatNameId(
                data, admin_queue_end, limit, limits
            )
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
            (b"" if destination_queue is None else destination_queue._write()),
            (
                join(
                    (
                        (b"" if admin_queue is None else admin_queue._write()),
                        (b"" if response_queue is None else response_queue._write()),
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


register(OrderAck, decode_OrderAck, encode_OrderAck)


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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            TxSequenceID: mqmq.TxSequenceID = ...,
            TxSequenceNumber: int = ...,
            TxPreviousSequenceNumber: int = ...,
            SourceGUID: _Guid = ...,
            MessageID: int = ...,
        ) -> Self: ...


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


register(FinalAckBody, decode_FinalAckBody, encode_FinalAckBody)


# ----------------------------------------------------------------------------- [MS-MQQB] 2.2.5 FinalAck


class FinalAck(Record, frozen=True, gc=False):
    """Reports the final result of a transactional message ([MS-MQQB] 2.2.5).

    Attributes:
        BaseHeader: All flags clear.
        UserHeader: Sender, and the sender's order queue as destination.
        MessagePropertiesHeader: Its class is the outcome; the body is a FinalAckBody.
    """

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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseHeader: mqmq.BaseHeader = ...,
            UserHeader: mqmq.UserHeader = ...,
            MessagePropertiesHeader: mqmq.MessagePropertiesHeader = ...,
        ) -> Self: ...

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

    if TYPE_CHECKING:

        @staticmethod
        def of(
            TimeToReachQueue: int | None = None,
            SourceQueueManager: _Guid | None = None,
            QueueManagerAddress: _Guid | None = None,
            TimeToBeReceived: int | None = None,
            SentTime: int | None = None,
            MessageID: int | None = None,
            DestinationQueue: mqmq.PrivateQueueFormatNameId
            | mqmq.PublicQueueFormatName
            | mqmq.DirectQueueFormatName
            | format_names.FormatName
            | str
            | None = None,
            AdminQueue: mqmq.PrivateQueueFormatNameId
            | mqmq.PublicQueueFormatName
            | mqmq.PrivateQueueFormatName
            | mqmq.DirectQueueFormatName
            | format_names.FormatName
            | str
            | None = None,
            ResponseQueue: mqmq.PrivateQueueFormatNameId
            | mqmq.PublicQueueFormatName
            | mqmq.PrivateQueueFormatName
            | mqmq.DirectQueueFormatName
            | format_names.FormatName
            | str
            | None = None,
            ConnectorType: _Guid | None = None,
            MessageClass: int | None = None,
            CorrelationID: _Bytes | None = None,
            BodyType: int | None = None,
            ApplicationTag: int | None = None,
            PrivacyLevel: int | None = None,
            HashAlgorithm: int | None = None,
            EncryptionAlgorithm: int | None = None,
            Label: str | None = None,
            ExtensionData: _Bytes | None = None,
            MessageBody: _Bytes | None = None,
            MessagePropertiesHeaderFlags: MessagePropertiesHeaderFlags | int | None = None,
            UserHeaderFlags: UserHeaderFlags | int | None = None,
            BaseHeaderFlags: BaseHeaderFlags | int | None = None,
        ) -> FinalAck:
            """Create one from the fields of its parts: BaseHeader, UserHeader, MessagePropertiesHeader.

            An omitted argument has the default of its part's class, or is computed.

            Args:
                TimeToReachQueue: Time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite.
                SourceQueueManager: Queue manager of the original sender.
                QueueManagerAddress: Destination queue manager; null for a direct format name.
                TimeToBeReceived: Seconds until the message expires; 0xFFFFFFFF: never.
                SentTime: When the packet was sent, seconds since 1970-01-01 UTC.
                MessageID: Number of the message, unique within its sender.
                DestinationQueue: Final destination, in the form that Flags.DQ selects.
                AdminQueue: Queue for administration acknowledgments, in the form that Flags.AQ selects.
                ResponseQueue: Queue for replies, in the form that Flags.RQ selects.
                ConnectorType: Defined by the application; present if Flags.CQ is set.
                MessageClass: Type of the message.
                CorrelationID: Application's data; in an acknowledgment the MessageIdentifier of the message
                    acknowledged.
                BodyType: Variant type of the body.
                ApplicationTag: Application's number.
                PrivacyLevel: Encryption of the body.
                HashAlgorithm: Hash that the signature uses.
                EncryptionAlgorithm: Cipher of the body.
                Label: Application's description, terminator included.
                ExtensionData: Application's additional data.
                MessageBody: The message itself.
                MessagePropertiesHeaderFlags: `MessagePropertiesHeader.Flags`: administration acknowledgments
                    asked for.
                UserHeaderFlags: `UserHeader.Flags`: options of the message.
                BaseHeaderFlags: `BaseHeader.Flags`: options of the packet.

            Raises:
                EncodeError: A field holds a value that cannot be encoded.
            """

    else:
        of = Later()


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
        admin_queue: Any
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue, admin_queue_end = decode_DirectQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue, admin_queue_end = decode_PrivateQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue, admin_queue_end = decode_PublicQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue, admin_queue_end = decode_PrivateQueueFormatNameId(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        response_queue: Any
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue, response_queue_end = decode_DirectQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue, response_queue_end = decode_PrivateQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue, response_queue_end = decode_PublicQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue, response_queue_end = decode_PrivateQueueFormatNameId(
                data, admin_queue_end, limit, limits
            )
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
            (b"" if destination_queue is None else destination_queue._write()),
            (
                join(
                    (
                        (b"" if admin_queue is None else admin_queue._write()),
                        (b"" if response_queue is None else response_queue._write()),
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


register(FinalAck, decode_FinalAck, encode_FinalAck)


# --------------------------------------------------------------------------- [MS-MQQB] 2.2.6 SessionAck


class SessionAck(Record, frozen=True, gc=False):
    """Acknowledges messages received on a session ([MS-MQQB] 2.2.6).

    Attributes:
        BaseHeader: Kind and size of the packet.
        InternalHeader: Packet type 0x1.
        SessionHeader: Acknowledgments and window.
    """

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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            BaseHeader: mqmq.BaseHeader = ...,
            InternalHeader: mqqb.InternalHeader = ...,
            SessionHeader: mqmq.SessionHeader = ...,
        ) -> Self: ...

    if TYPE_CHECKING:

        @staticmethod
        def of(
            TimeToReachQueue: int | None = None,
            AckSequenceNumber: int | None = None,
            RecoverableMsgAckSeqNumber: int | None = None,
            RecoverableMsgAckFlags: int | None = None,
            UserMsgSequenceNumber: int | None = None,
            RecoverableMsgSeqNumber: int | None = None,
            WindowSize: int | None = None,
            InternalHeaderFlags: InternalHeaderFlags | int | None = None,
            BaseHeaderFlags: BaseHeaderFlags | int | None = None,
        ) -> SessionAck:
            """Create one from the fields of its parts: BaseHeader, InternalHeader, SessionHeader.

            An omitted argument has the default of its part's class, or is computed.

            Args:
                TimeToReachQueue: Time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite.
                AckSequenceNumber: UserMessage packets received on this session.
                RecoverableMsgAckSeqNumber: Lowest persisted recoverable message not yet acknowledged; 0: none.
                RecoverableMsgAckFlags: Bit k: recoverable message RecoverableMsgAckSeqNumber + k is on disk.
                UserMsgSequenceNumber: UserMessage packets sent on this session.
                RecoverableMsgSeqNumber: Recoverable UserMessage packets sent on this session.
                WindowSize: Acknowledgment window in packets, 1 to 0xFFFF.
                InternalHeaderFlags: `InternalHeader.Flags`: type and state.
                BaseHeaderFlags: `BaseHeader.Flags`: options of the packet.

            Raises:
                EncodeError: A field holds a value that cannot be encoded.
            """

    else:
        of = Later()


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


register(SessionAck, decode_SessionAck, encode_SessionAck)


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


# --------------------------------------------------------------------------- [MS-MQQB] 2.2.7 PingPacket


class PingPacketFlags(Flags):
    """Groups of `PingPacket.Flags`: type of initiator and answer."""

    __slots__ = ()
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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Flags: PingPacketFlags | int = ...,
            Signature: int = ...,
            Cookie: int = ...,
            QMGuid: _Guid = ...,
        ) -> Self: ...


known_PingPacketFlags = PingPacketFlags.cache
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


register(PingPacket, decode_PingPacket, encode_PingPacket)


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
            pubExp: int = 0x10001,
            modulus: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            bType: int = ...,
            bVersion: int = ...,
            reserved: int = ...,
            aiKeyAlg: int = ...,
            magic: _Bytes = ...,
            bitLen: int = ...,
            pubExp: int = ...,
            modulus: _Bytes = ...,
        ) -> Self: ...


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


register(PUBLICKEYBLOB, decode_PUBLICKEYBLOB, encode_PUBLICKEYBLOB)


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

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            bType: int = ...,
            bVersion: int = ...,
            reserved: int = ...,
            sessionKeyAlgorithm: int = ...,
            aiKeyAlg: int = ...,
            encryptedKey: _Bytes = ...,
        ) -> Self: ...


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


register(SIMPLEBLOB, decode_SIMPLEBLOB, encode_SIMPLEBLOB)
