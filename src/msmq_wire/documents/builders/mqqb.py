"""Building the records of [MS-MQQB]: the packets of the binary protocol.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from msmq_wire.documents import layouts
from msmq_wire.documents.mqmq import (
    BaseHeader,
    BaseHeaderFlags,
    MessagePropertiesHeader,
    MessagePropertiesHeaderFlags,
    PrivateQueueFormatNameId,
    SessionHeader,
    TxSequenceID,
    UserHeader,
    UserHeaderFlags,
    known_BaseHeaderFlags,
    known_UserHeaderFlags,
    new_BaseHeader,
    new_MessagePropertiesHeader,
    new_SessionHeader,
    new_UserHeader,
)
from msmq_wire.documents.mqqb import (
    PUBLICKEYBLOB,
    SIMPLEBLOB,
    ConnectionParameters,
    ConnectionParametersHeader,
    EstablishConnection,
    EstablishConnectionHeader,
    EstablishConnectionHeaderOperatingSystem,
    FinalAck,
    FinalAckBody,
    InternalHeader,
    InternalHeaderFlags,
    OrderAck,
    OrderAckBody,
    PingPacket,
    PingPacketFlags,
    SessionAck,
    known_InternalHeaderFlags,
    new_ConnectionParameters,
    new_ConnectionParametersHeader,
    new_EstablishConnection,
    new_EstablishConnectionHeader,
    new_FinalAck,
    new_FinalAckBody,
    new_InternalHeader,
    new_OrderAck,
    new_OrderAckBody,
    new_PingPacket,
    new_PUBLICKEYBLOB,
    new_SessionAck,
    new_SIMPLEBLOB,
)
from msmq_wire.records import accept, replacing
from msmq_wire.records.omitted import Omitted
from msmq_wire.records.plain import FieldSource
from msmq_wire.records.registry import register_builders as register
from msmq_wire.records.registry import size_of
from msmq_wire.values import plain
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.wchar import wchar_count

from .mqmq import (
    bits_UserHeader_AdminQueue,
    bits_UserHeader_DestinationQueue,
    bits_UserHeader_ResponseQueue,
    build_BaseHeader,
    build_MessagePropertiesHeader,
    build_SessionHeader,
    build_UserHeader,
    class_TxSequenceID,
    default_MessagePropertiesHeaderFlags,
    default_TxSequenceID,
    form_UserHeader_AdminQueue,
    form_UserHeader_DestinationQueue,
    form_UserHeader_ResponseQueue,
    from_plain_BaseHeader,
    from_plain_MessagePropertiesHeader,
    from_plain_SessionHeader,
    from_plain_TxSequenceID,
    from_plain_UserHeader,
    guid_UserHeader_ConnectorType,
    guid_UserHeader_QueueManagerAddress,
    guid_UserHeader_SourceQueueManager,
    integer_BaseHeader_TimeToReachQueue,
    integer_MessagePropertiesHeader_ApplicationTag,
    integer_MessagePropertiesHeader_BodyType,
    integer_MessagePropertiesHeader_EncryptionAlgorithm,
    integer_MessagePropertiesHeader_HashAlgorithm,
    integer_MessagePropertiesHeader_MessageClass,
    integer_MessagePropertiesHeader_PrivacyLevel,
    integer_SessionHeader_AckSequenceNumber,
    integer_SessionHeader_RecoverableMsgAckFlags,
    integer_SessionHeader_RecoverableMsgAckSeqNumber,
    integer_SessionHeader_RecoverableMsgSeqNumber,
    integer_SessionHeader_UserMsgSequenceNumber,
    integer_SessionHeader_WindowSize,
    integer_UserHeader_MessageID,
    integer_UserHeader_SentTime,
    integer_UserHeader_TimeToBeReceived,
    partial_BaseHeaderFlags,
    partial_UserHeaderFlags,
    plain_BaseHeader,
    plain_MessagePropertiesHeader,
    plain_SessionHeader,
    plain_TxSequenceID,
    plain_UserHeader,
    raw_bytes_MessagePropertiesHeader_CorrelationID,
    raw_bytes_MessagePropertiesHeader_ExtensionData,
    raw_bytes_MessagePropertiesHeader_MessageBody,
    refuse_size_MessagePropertiesHeader,
    refuse_size_MessagePropertiesHeader_2,
    refuse_size_MessagePropertiesHeader_3,
    text_MessagePropertiesHeader_Label,
)

if TYPE_CHECKING:
    import uuid

    from msmq_wire.documents import mqmq
    from msmq_wire.names import format_names

    _Bytes = bytes | bytearray | memoryview
    _Guid = GUID | uuid.UUID | str | bytes


# ----------------------------------------------------------------------- [MS-MQQB] 2.2.1 InternalHeader


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
    record: InternalHeader = new_InternalHeader(*(Reserved, Flags))
    return record


groups_InternalHeaderFlags = InternalHeaderFlags.groups


def plain_InternalHeader(record: InternalHeader) -> dict[str, Any]:
    return {
        "Reserved": record.Reserved,
        "Flags": groups_InternalHeaderFlags[record.Flags].copy(),
    }


def from_plain_InternalHeader(fields: Any, path: str) -> InternalHeader:
    taken = FieldSource(layouts.InternalHeader, fields, path)
    record: InternalHeader = taken.make(
        InternalHeader, Reserved=taken.value("Reserved", plain.number), Flags=taken.flags("Flags")
    )
    return record


register(
    InternalHeader, size_InternalHeader, build_InternalHeader, plain_InternalHeader, from_plain_InternalHeader
)


# --------------------------------------------------------- [MS-MQQB] 2.2.2.1 ConnectionParametersHeader


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
    record: ConnectionParametersHeader = new_ConnectionParametersHeader(
        *(RecoverableAckTimeout, AckTimeout, Reserved, WindowSize)
    )
    return record


def plain_ConnectionParametersHeader(record: ConnectionParametersHeader) -> dict[str, Any]:
    return {
        "RecoverableAckTimeout": record.RecoverableAckTimeout,
        "AckTimeout": record.AckTimeout,
        "Reserved": record.Reserved,
        "WindowSize": record.WindowSize,
    }


def from_plain_ConnectionParametersHeader(fields: Any, path: str) -> ConnectionParametersHeader:
    taken = FieldSource(layouts.ConnectionParametersHeader, fields, path)
    record: ConnectionParametersHeader = taken.make(
        ConnectionParametersHeader,
        RecoverableAckTimeout=taken.value("RecoverableAckTimeout", plain.number),
        AckTimeout=taken.value("AckTimeout", plain.number),
        Reserved=taken.value("Reserved", plain.number),
        WindowSize=taken.value("WindowSize", plain.number),
    )
    return record


register(
    ConnectionParametersHeader,
    size_ConnectionParametersHeader,
    build_ConnectionParametersHeader,
    plain_ConnectionParametersHeader,
    from_plain_ConnectionParametersHeader,
)


# ----------------------------------------------------------------- [MS-MQQB] 2.2.2 ConnectionParameters


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
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is Omitted:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x8
            if _Flags.given & 0x8:
                _Flags = known_BaseHeaderFlags[_Flags]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -9 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
        if _PacketSize.__class__ is Omitted:
            _PacketSize = 32
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if InternalHeader.Flags.__class__ is partial_InternalHeaderFlags:
        _Flags = InternalHeader.Flags
        _bits = 0x3
        if _Flags.given & 0xF:
            _Flags = known_InternalHeaderFlags[_Flags]
        else:
            _Flags = known_InternalHeaderFlags[_Flags & -16 | _bits]
        InternalHeader = replace(InternalHeader, Flags=_Flags)
    record: ConnectionParameters = new_ConnectionParameters(
        *(BaseHeader, InternalHeader, ConnectionParametersHeader)
    )
    return record


def plain_ConnectionParameters(record: ConnectionParameters) -> dict[str, Any]:
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "InternalHeader": plain_InternalHeader(record.InternalHeader),
        "ConnectionParametersHeader": plain_ConnectionParametersHeader(record.ConnectionParametersHeader),
    }


def from_plain_ConnectionParameters(fields: Any, path: str) -> ConnectionParameters:
    taken = FieldSource(layouts.ConnectionParameters, fields, path)
    record: ConnectionParameters = taken.make(
        ConnectionParameters,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        InternalHeader=taken.part("InternalHeader", from_plain_InternalHeader),
        ConnectionParametersHeader=taken.part(
            "ConnectionParametersHeader", from_plain_ConnectionParametersHeader
        ),
    )
    return record


usual_InternalHeaderFlags = InternalHeaderFlags.cache[0x3]
usual_BaseHeaderFlags = BaseHeaderFlags.cache[0xB]


def of_ConnectionParameters(
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
    if InternalHeaderFlags is not None or BaseHeaderFlags is not None:
        return build_ConnectionParameters(
            BaseHeader=build_BaseHeader(Flags=BaseHeaderFlags, TimeToReachQueue=TimeToReachQueue),
            InternalHeader=build_InternalHeader(Flags=InternalHeaderFlags),
            ConnectionParametersHeader=build_ConnectionParametersHeader(
                RecoverableAckTimeout=RecoverableAckTimeout, AckTimeout=AckTimeout, WindowSize=WindowSize
            ),
        )
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
    if WindowSize is None:
        WindowSize = 64
    else:
        if WindowSize.__class__ is not int or not 0 <= WindowSize <= 65535:
            WindowSize = integer_ConnectionParametersHeader_WindowSize(WindowSize)
    ConnectionParametersHeader = new_ConnectionParametersHeader(
        *(RecoverableAckTimeout, AckTimeout, 0, WindowSize)
    )
    InternalHeader = new_InternalHeader(*(0, usual_InternalHeaderFlags))
    if TimeToReachQueue is None:
        TimeToReachQueue = 4294967295
    else:
        if TimeToReachQueue.__class__ is not int or not 0 <= TimeToReachQueue <= 4294967295:
            TimeToReachQueue = integer_BaseHeader_TimeToReachQueue(TimeToReachQueue)
    _PacketSize = 32
    BaseHeader = new_BaseHeader(*(16, 0, usual_BaseHeaderFlags, 1380927820, _PacketSize, TimeToReachQueue))
    record: ConnectionParameters = new_ConnectionParameters(
        *(BaseHeader, InternalHeader, ConnectionParametersHeader)
    )
    return record


register(
    ConnectionParameters,
    size_ConnectionParameters,
    build_ConnectionParameters,
    plain_ConnectionParameters,
    from_plain_ConnectionParameters,
    of_ConnectionParameters,
)


# ---------------------------------------------------------- [MS-MQQB] 2.2.3.1 EstablishConnectionHeader


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
default_EstablishConnectionHeaderOperatingSystem = EstablishConnectionHeaderOperatingSystem.cache[0x10]
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
    record: EstablishConnectionHeader = new_EstablishConnectionHeader(
        *(ClientGuid, ServerGuid, TimeStamp, OperatingSystem, Reserved, Padding)
    )
    return record


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
    taken = FieldSource(layouts.EstablishConnectionHeader, fields, path)
    record: EstablishConnectionHeader = taken.make(
        EstablishConnectionHeader,
        ClientGuid=taken.value("ClientGuid", plain.guid),
        ServerGuid=taken.value("ServerGuid", plain.guid),
        TimeStamp=taken.value("TimeStamp", plain.number),
        OperatingSystem=taken.flags("OperatingSystem"),
        Reserved=taken.value("Reserved", plain.number),
        Padding=taken.value("Padding", plain.octets),
    )
    return record


register(
    EstablishConnectionHeader,
    size_EstablishConnectionHeader,
    build_EstablishConnectionHeader,
    plain_EstablishConnectionHeader,
    from_plain_EstablishConnectionHeader,
)


# ------------------------------------------------------------------ [MS-MQQB] 2.2.3 EstablishConnection


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
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is Omitted:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x8
            if _Flags.given & 0x8:
                _Flags = known_BaseHeaderFlags[_Flags]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -9 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
        if _PacketSize.__class__ is Omitted:
            _PacketSize = 572
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if InternalHeader.Flags.__class__ is partial_InternalHeaderFlags:
        _Flags = InternalHeader.Flags
        _bits = 0x2
        if _Flags.given & 0xF:
            _Flags = known_InternalHeaderFlags[_Flags]
        else:
            _Flags = known_InternalHeaderFlags[_Flags & -16 | _bits]
        InternalHeader = replace(InternalHeader, Flags=_Flags)
    record: EstablishConnection = new_EstablishConnection(
        *(BaseHeader, InternalHeader, EstablishConnectionHeader)
    )
    return record


def plain_EstablishConnection(record: EstablishConnection) -> dict[str, Any]:
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "InternalHeader": plain_InternalHeader(record.InternalHeader),
        "EstablishConnectionHeader": plain_EstablishConnectionHeader(record.EstablishConnectionHeader),
    }


def from_plain_EstablishConnection(fields: Any, path: str) -> EstablishConnection:
    taken = FieldSource(layouts.EstablishConnection, fields, path)
    record: EstablishConnection = taken.make(
        EstablishConnection,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        InternalHeader=taken.part("InternalHeader", from_plain_InternalHeader),
        EstablishConnectionHeader=taken.part(
            "EstablishConnectionHeader", from_plain_EstablishConnectionHeader
        ),
    )
    return record


usual_InternalHeaderFlags_2 = InternalHeaderFlags.cache[0x2]


def of_EstablishConnection(
    TimeToReachQueue: int | None = None,
    ClientGuid: _Guid | None = None,
    ServerGuid: _Guid | None = None,
    TimeStamp: int | None = None,
    EstablishConnectionHeaderOperatingSystem: EstablishConnectionHeaderOperatingSystem | int | None = None,
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
    if (
        EstablishConnectionHeaderOperatingSystem is not None
        or InternalHeaderFlags is not None
        or BaseHeaderFlags is not None
    ):
        return build_EstablishConnection(
            BaseHeader=build_BaseHeader(Flags=BaseHeaderFlags, TimeToReachQueue=TimeToReachQueue),
            InternalHeader=build_InternalHeader(Flags=InternalHeaderFlags),
            EstablishConnectionHeader=build_EstablishConnectionHeader(
                ClientGuid=ClientGuid,
                ServerGuid=ServerGuid,
                TimeStamp=TimeStamp,
                OperatingSystem=EstablishConnectionHeaderOperatingSystem,
            ),
        )
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
    EstablishConnectionHeader = new_EstablishConnectionHeader(
        *(
            ClientGuid,
            ServerGuid,
            TimeStamp,
            default_EstablishConnectionHeaderOperatingSystem,
            0,
            default_EstablishConnectionHeader_Padding,
        )
    )
    InternalHeader = new_InternalHeader(*(0, usual_InternalHeaderFlags_2))
    if TimeToReachQueue is None:
        TimeToReachQueue = 4294967295
    else:
        if TimeToReachQueue.__class__ is not int or not 0 <= TimeToReachQueue <= 4294967295:
            TimeToReachQueue = integer_BaseHeader_TimeToReachQueue(TimeToReachQueue)
    _PacketSize = 572
    BaseHeader = new_BaseHeader(*(16, 0, usual_BaseHeaderFlags, 1380927820, _PacketSize, TimeToReachQueue))
    record: EstablishConnection = new_EstablishConnection(
        *(BaseHeader, InternalHeader, EstablishConnectionHeader)
    )
    return record


register(
    EstablishConnection,
    size_EstablishConnection,
    build_EstablishConnection,
    plain_EstablishConnection,
    from_plain_EstablishConnection,
    of_EstablishConnection,
)


# ----------------------------------------------------------------------- [MS-MQQB] 2.2.4.1 OrderAckBody


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
    record: OrderAckBody = new_OrderAckBody(
        *(TxSequenceID, TxSequenceNumber, TxPreviousSequenceNumber, Reserved)
    )
    return record


def plain_OrderAckBody(record: OrderAckBody) -> dict[str, Any]:
    return {
        "TxSequenceID": plain_TxSequenceID(record.TxSequenceID),
        "TxSequenceNumber": record.TxSequenceNumber,
        "TxPreviousSequenceNumber": record.TxPreviousSequenceNumber,
        "Reserved": record.Reserved.hex(),
    }


def from_plain_OrderAckBody(fields: Any, path: str) -> OrderAckBody:
    taken = FieldSource(layouts.OrderAckBody, fields, path)
    record: OrderAckBody = taken.make(
        OrderAckBody,
        TxSequenceID=taken.part("TxSequenceID", from_plain_TxSequenceID),
        TxSequenceNumber=taken.value("TxSequenceNumber", plain.number),
        TxPreviousSequenceNumber=taken.value("TxPreviousSequenceNumber", plain.number),
        Reserved=taken.value("Reserved", plain.octets),
    )
    return record


register(OrderAckBody, size_OrderAckBody, build_OrderAckBody, plain_OrderAckBody, from_plain_OrderAckBody)


# ----------------------------------------------------------------------------- [MS-MQQB] 2.2.4 OrderAck


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
        size += size_of(_part)
    if (_part_2 := user_header.AdminQueue) is not None:
        size += size_of(_part_2)
    if (_part_3 := user_header.ResponseQueue) is not None:
        size += size_of(_part_3)
    if (_part_4 := user_header.ConnectorType) is not None:
        size += 16
    return size


refuse_arguments_OrderAck = partial(replacing.refuse_arguments, layouts.OrderAck)
part_OrderAck_BaseHeader = accept.for_field(accept.part, layouts.OrderAck, "BaseHeader", BaseHeader)
default_OrderAck_UserHeader = cache(
    lambda: UserHeader(DestinationQueue=PrivateQueueFormatNameId(PrivateQueueIdentifier=4))
)
part_OrderAck_UserHeader = accept.for_field(accept.part, layouts.OrderAck, "UserHeader", UserHeader)
class_UserHeader = UserHeader
default_OrderAck_MessagePropertiesHeader = cache(
    lambda: MessagePropertiesHeader(
        MessageClass=255, Label="QM Ordering Ack\x00", MessageBody=OrderAckBody().encode()
    )
)
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
        UserHeader = default_OrderAck_UserHeader()
    else:
        if UserHeader.__class__ is not class_UserHeader:
            part_OrderAck_UserHeader(UserHeader)
    if MessagePropertiesHeader is None:
        MessagePropertiesHeader = default_OrderAck_MessagePropertiesHeader()
    else:
        if MessagePropertiesHeader.__class__ is not class_MessagePropertiesHeader:
            part_OrderAck_MessagePropertiesHeader(MessagePropertiesHeader)
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is Omitted:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x0
            if _Flags.given & 0x7:
                _Flags = known_BaseHeaderFlags[_Flags]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -8 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
        if _PacketSize.__class__ is Omitted:
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
                _PacketSize += size_of(_part)
            if (_part_2 := UserHeader.AdminQueue) is not None:
                _PacketSize += size_of(_part_2)
            if (_part_3 := UserHeader.ResponseQueue) is not None:
                _PacketSize += size_of(_part_3)
            if (_part_4 := UserHeader.ConnectorType) is not None:
                _PacketSize += 16
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if UserHeader.Flags.__class__ is partial_UserHeaderFlags:
        _Flags = UserHeader.Flags
        _Flags = known_UserHeaderFlags[_Flags]
        UserHeader = replace(UserHeader, Flags=_Flags)
    record: OrderAck = new_OrderAck(*(BaseHeader, UserHeader, MessagePropertiesHeader))
    return record


def plain_OrderAck(record: OrderAck) -> dict[str, Any]:
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "UserHeader": plain_UserHeader(record.UserHeader),
        "MessagePropertiesHeader": plain_MessagePropertiesHeader(record.MessagePropertiesHeader),
    }


def from_plain_OrderAck(fields: Any, path: str) -> OrderAck:
    taken = FieldSource(layouts.OrderAck, fields, path)
    record: OrderAck = taken.make(
        OrderAck,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        UserHeader=taken.part("UserHeader", from_plain_UserHeader),
        MessagePropertiesHeader=taken.part("MessagePropertiesHeader", from_plain_MessagePropertiesHeader),
    )
    return record


PADDINGS = (b"", b"\x00", b"\x00\x00", b"\x00\x00\x00")
usual_BaseHeaderFlags_2 = BaseHeaderFlags.cache[0x0]


def of_OrderAck(
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
    if DestinationQueue is None:
        DestinationQueue = PrivateQueueFormatNameId(PrivateQueueIdentifier=4)
    if MessageClass is None:
        MessageClass = 255
    if Label is None:
        Label = "QM Ordering Ack\x00"
    if MessageBody is None:
        MessageBody = OrderAckBody().encode()
    if MessagePropertiesHeaderFlags is not None or UserHeaderFlags is not None or BaseHeaderFlags is not None:
        return build_OrderAck(
            BaseHeader=build_BaseHeader(Flags=BaseHeaderFlags, TimeToReachQueue=TimeToReachQueue),
            UserHeader=build_UserHeader(
                SourceQueueManager=SourceQueueManager,
                QueueManagerAddress=QueueManagerAddress,
                TimeToBeReceived=TimeToBeReceived,
                SentTime=SentTime,
                MessageID=MessageID,
                Flags=UserHeaderFlags,
                DestinationQueue=DestinationQueue,
                AdminQueue=AdminQueue,
                ResponseQueue=ResponseQueue,
                ConnectorType=ConnectorType,
            ),
            MessagePropertiesHeader=build_MessagePropertiesHeader(
                Flags=MessagePropertiesHeaderFlags,
                MessageClass=MessageClass,
                CorrelationID=CorrelationID,
                BodyType=BodyType,
                ApplicationTag=ApplicationTag,
                PrivacyLevel=PrivacyLevel,
                HashAlgorithm=HashAlgorithm,
                EncryptionAlgorithm=EncryptionAlgorithm,
                Label=Label,
                ExtensionData=ExtensionData,
                MessageBody=MessageBody,
            ),
        )
    if MessageClass is None:
        MessageClass = 0
    else:
        if MessageClass.__class__ is not int or not 0 <= MessageClass <= 65535:
            MessageClass = integer_MessagePropertiesHeader_MessageClass(MessageClass)
    if CorrelationID is None:
        CorrelationID = ZEROS_20
    else:
        if CorrelationID.__class__ is not bytes or len(CorrelationID) != 20:
            CorrelationID = raw_bytes_MessagePropertiesHeader_CorrelationID(CorrelationID)
    if BodyType is None:
        BodyType = 0
    else:
        if BodyType.__class__ is not int or not 0 <= BodyType <= 4294967295:
            BodyType = integer_MessagePropertiesHeader_BodyType(BodyType)
    if ApplicationTag is None:
        ApplicationTag = 0
    else:
        if ApplicationTag.__class__ is not int or not 0 <= ApplicationTag <= 4294967295:
            ApplicationTag = integer_MessagePropertiesHeader_ApplicationTag(ApplicationTag)
    if PrivacyLevel is None:
        PrivacyLevel = 0
    else:
        if PrivacyLevel.__class__ is not int or not 0 <= PrivacyLevel <= 4294967295:
            PrivacyLevel = integer_MessagePropertiesHeader_PrivacyLevel(PrivacyLevel)
    if HashAlgorithm is None:
        HashAlgorithm = 32782
    else:
        if HashAlgorithm.__class__ is not int or not 0 <= HashAlgorithm <= 4294967295:
            HashAlgorithm = integer_MessagePropertiesHeader_HashAlgorithm(HashAlgorithm)
    if EncryptionAlgorithm is not None:
        if EncryptionAlgorithm.__class__ is not int or not 0 <= EncryptionAlgorithm <= 4294967295:
            EncryptionAlgorithm = integer_MessagePropertiesHeader_EncryptionAlgorithm(EncryptionAlgorithm)
    if Label is None:
        Label = ""
        _true_LabelLength = 0
    else:
        if Label.__class__ is not str or not Label.isascii():
            Label = text_MessagePropertiesHeader_Label(Label)
        if Label and Label[-1] != "\0":
            Label += "\0"
        _true_LabelLength = len(Label) if Label.isascii() else wchar_count(Label)
        if _true_LabelLength > 255:
            refuse_size_MessagePropertiesHeader(_true_LabelLength)
    if ExtensionData is None:
        ExtensionData = b""
        _true_ExtensionSize = 0
    else:
        if ExtensionData.__class__ is not bytes:
            ExtensionData = raw_bytes_MessagePropertiesHeader_ExtensionData(ExtensionData)
        _true_ExtensionSize = len(ExtensionData)
        if _true_ExtensionSize > 4294967295:
            refuse_size_MessagePropertiesHeader_2(_true_ExtensionSize)
    if MessageBody is None:
        MessageBody = b""
        _true_MessageSize = 0
    else:
        if MessageBody.__class__ is not bytes:
            MessageBody = raw_bytes_MessagePropertiesHeader_MessageBody(MessageBody)
        _true_MessageSize = len(MessageBody)
        if _true_MessageSize > 4294967295:
            refuse_size_MessagePropertiesHeader_3(_true_MessageSize)
    if EncryptionAlgorithm is None:
        EncryptionAlgorithm = 26128 if PrivacyLevel == 5 else 26625
    _Padding = PADDINGS[-(_true_LabelLength * 2 + _true_ExtensionSize + _true_MessageSize) & 3]
    MessagePropertiesHeader = new_MessagePropertiesHeader(
        *(
            default_MessagePropertiesHeaderFlags,
            _true_LabelLength,
            MessageClass,
            CorrelationID,
            BodyType,
            ApplicationTag,
            _true_MessageSize,
            (len(MessageBody)),
            PrivacyLevel,
            HashAlgorithm,
            EncryptionAlgorithm,
            _true_ExtensionSize,
            Label,
            ExtensionData,
            MessageBody,
            _Padding,
        )
    )
    _out_QueueManagerAddress = QueueManagerAddress is None
    if SourceQueueManager is None:
        SourceQueueManager = NULL_GUID
    else:
        if not (
            SourceQueueManager.__class__ is GUID
            and (_raw := SourceQueueManager.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            SourceQueueManager = guid_UserHeader_SourceQueueManager(SourceQueueManager)
    if QueueManagerAddress is None:
        QueueManagerAddress = NULL_GUID
    else:
        if not (
            QueueManagerAddress.__class__ is GUID
            and (_raw := QueueManagerAddress.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            QueueManagerAddress = guid_UserHeader_QueueManagerAddress(QueueManagerAddress)
    if TimeToBeReceived is None:
        TimeToBeReceived = 4294967295
    else:
        if TimeToBeReceived.__class__ is not int or not 0 <= TimeToBeReceived <= 4294967295:
            TimeToBeReceived = integer_UserHeader_TimeToBeReceived(TimeToBeReceived)
    if SentTime is None:
        SentTime = 0
    else:
        if SentTime.__class__ is not int or not 0 <= SentTime <= 4294967295:
            SentTime = integer_UserHeader_SentTime(SentTime)
    if MessageID is None:
        MessageID = 0
    else:
        if MessageID.__class__ is not int or not 0 <= MessageID <= 4294967295:
            MessageID = integer_UserHeader_MessageID(MessageID)
    _chosen_DestinationQueue = None
    if DestinationQueue is not None:
        if DestinationQueue.__class__ not in form_UserHeader_DestinationQueue.classes:
            _given_DestinationQueue = (
                DestinationQueue,
                None if _out_QueueManagerAddress else QueueManagerAddress,
            )
            DestinationQueue, _chosen_DestinationQueue, _host = (
                DestinationQueue.__class__ is str
                and form_UserHeader_DestinationQueue.texts.get(_given_DestinationQueue)
            ) or form_UserHeader_DestinationQueue(*_given_DestinationQueue)
            if _host is not None:
                QueueManagerAddress = _host
                _out_QueueManagerAddress = False
    _chosen_AdminQueue = None
    if AdminQueue is not None:
        if AdminQueue.__class__ not in form_UserHeader_AdminQueue.classes:
            _given_AdminQueue = (
                AdminQueue,
                SourceQueueManager,
                None if _out_QueueManagerAddress else QueueManagerAddress,
            )
            AdminQueue, _chosen_AdminQueue, _host = (
                AdminQueue.__class__ is str and form_UserHeader_AdminQueue.texts.get(_given_AdminQueue)
            ) or form_UserHeader_AdminQueue(*_given_AdminQueue)
            if _host is not None:
                QueueManagerAddress = _host
                _out_QueueManagerAddress = False
    _chosen_ResponseQueue = None
    if ResponseQueue is not None:
        if ResponseQueue.__class__ not in form_UserHeader_ResponseQueue.classes:
            _given_ResponseQueue = (
                ResponseQueue,
                SourceQueueManager,
                None if _out_QueueManagerAddress else QueueManagerAddress,
            )
            ResponseQueue, _chosen_ResponseQueue, _host = (
                ResponseQueue.__class__ is str
                and form_UserHeader_ResponseQueue.texts.get(_given_ResponseQueue)
            ) or form_UserHeader_ResponseQueue(*_given_ResponseQueue)
            if _host is not None:
                QueueManagerAddress = _host
                _out_QueueManagerAddress = False
    if ConnectorType is not None:
        if not (
            ConnectorType.__class__ is GUID
            and (_raw := ConnectorType.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            ConnectorType = guid_UserHeader_ConnectorType(ConnectorType)
    _UserHeaderFlags = 0x200000
    if ConnectorType is not None:
        _UserHeaderFlags |= 0x400000
    if DestinationQueue is not None:
        _UserHeaderFlags |= (
            bits_UserHeader_DestinationQueue[DestinationQueue.__class__]
            if _chosen_DestinationQueue is None
            else _chosen_DestinationQueue << 10
        )
    if AdminQueue is not None:
        _UserHeaderFlags |= (
            bits_UserHeader_AdminQueue[AdminQueue.__class__]
            if _chosen_AdminQueue is None
            else _chosen_AdminQueue << 13
        )
    if ResponseQueue is not None:
        _UserHeaderFlags |= (
            bits_UserHeader_ResponseQueue[ResponseQueue.__class__]
            if _chosen_ResponseQueue is None
            else _chosen_ResponseQueue << 16
        )
    UserHeader = new_UserHeader(
        *(
            SourceQueueManager,
            QueueManagerAddress,
            TimeToBeReceived,
            SentTime,
            MessageID,
            known_UserHeaderFlags[_UserHeaderFlags],
            DestinationQueue,
            AdminQueue,
            ResponseQueue,
            ConnectorType,
        )
    )
    if TimeToReachQueue is None:
        TimeToReachQueue = 4294967295
    else:
        if TimeToReachQueue.__class__ is not int or not 0 <= TimeToReachQueue <= 4294967295:
            TimeToReachQueue = integer_BaseHeader_TimeToReachQueue(TimeToReachQueue)
    _PacketSize = 120 + (_true_LabelLength * 2) + _true_ExtensionSize + _true_MessageSize + len(_Padding)
    if DestinationQueue is not None:
        _PacketSize += size_of(DestinationQueue)
    if AdminQueue is not None:
        _PacketSize += size_of(AdminQueue)
    if ResponseQueue is not None:
        _PacketSize += size_of(ResponseQueue)
    if ConnectorType is not None:
        _PacketSize += 16
    BaseHeader = new_BaseHeader(*(16, 0, usual_BaseHeaderFlags_2, 1380927820, _PacketSize, TimeToReachQueue))
    record: OrderAck = new_OrderAck(*(BaseHeader, UserHeader, MessagePropertiesHeader))
    return record


register(OrderAck, size_OrderAck, build_OrderAck, plain_OrderAck, from_plain_OrderAck, of_OrderAck)


# ----------------------------------------------------------------------- [MS-MQQB] 2.2.5.1 FinalAckBody


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
    record: FinalAckBody = new_FinalAckBody(
        *(TxSequenceID, TxSequenceNumber, TxPreviousSequenceNumber, SourceGUID, MessageID)
    )
    return record


def plain_FinalAckBody(record: FinalAckBody) -> dict[str, Any]:
    return {
        "TxSequenceID": plain_TxSequenceID(record.TxSequenceID),
        "TxSequenceNumber": record.TxSequenceNumber,
        "TxPreviousSequenceNumber": record.TxPreviousSequenceNumber,
        "SourceGUID": record.SourceGUID.__str__(),
        "MessageID": record.MessageID,
    }


def from_plain_FinalAckBody(fields: Any, path: str) -> FinalAckBody:
    taken = FieldSource(layouts.FinalAckBody, fields, path)
    record: FinalAckBody = taken.make(
        FinalAckBody,
        TxSequenceID=taken.part("TxSequenceID", from_plain_TxSequenceID),
        TxSequenceNumber=taken.value("TxSequenceNumber", plain.number),
        TxPreviousSequenceNumber=taken.value("TxPreviousSequenceNumber", plain.number),
        SourceGUID=taken.value("SourceGUID", plain.guid),
        MessageID=taken.value("MessageID", plain.number),
    )
    return record


register(FinalAckBody, size_FinalAckBody, build_FinalAckBody, plain_FinalAckBody, from_plain_FinalAckBody)


# ----------------------------------------------------------------------------- [MS-MQQB] 2.2.5 FinalAck


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
        size += size_of(_part)
    if (_part_2 := user_header.AdminQueue) is not None:
        size += size_of(_part_2)
    if (_part_3 := user_header.ResponseQueue) is not None:
        size += size_of(_part_3)
    if (_part_4 := user_header.ConnectorType) is not None:
        size += 16
    return size


refuse_arguments_FinalAck = partial(replacing.refuse_arguments, layouts.FinalAck)
part_FinalAck_BaseHeader = accept.for_field(accept.part, layouts.FinalAck, "BaseHeader", BaseHeader)
part_FinalAck_UserHeader = accept.for_field(accept.part, layouts.FinalAck, "UserHeader", UserHeader)
default_FinalAck_MessagePropertiesHeader = cache(
    lambda: MessagePropertiesHeader(
        MessageClass=16384, Label="QM Ordering Ack\x00", MessageBody=FinalAckBody().encode()
    )
)
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
        UserHeader = default_OrderAck_UserHeader()
    else:
        if UserHeader.__class__ is not class_UserHeader:
            part_FinalAck_UserHeader(UserHeader)
    if MessagePropertiesHeader is None:
        MessagePropertiesHeader = default_FinalAck_MessagePropertiesHeader()
    else:
        if MessagePropertiesHeader.__class__ is not class_MessagePropertiesHeader:
            part_FinalAck_MessagePropertiesHeader(MessagePropertiesHeader)
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is Omitted:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x0
            if _Flags.given & 0x7:
                _Flags = known_BaseHeaderFlags[_Flags]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -8 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
        if _PacketSize.__class__ is Omitted:
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
                _PacketSize += size_of(_part)
            if (_part_2 := UserHeader.AdminQueue) is not None:
                _PacketSize += size_of(_part_2)
            if (_part_3 := UserHeader.ResponseQueue) is not None:
                _PacketSize += size_of(_part_3)
            if (_part_4 := UserHeader.ConnectorType) is not None:
                _PacketSize += 16
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if UserHeader.Flags.__class__ is partial_UserHeaderFlags:
        _Flags = UserHeader.Flags
        _bits = 0x20
        if _Flags.given & 0x60:
            _Flags = known_UserHeaderFlags[_Flags]
        else:
            _Flags = known_UserHeaderFlags[_Flags & -97 | _bits]
        UserHeader = replace(UserHeader, Flags=_Flags)
    record: FinalAck = new_FinalAck(*(BaseHeader, UserHeader, MessagePropertiesHeader))
    return record


def plain_FinalAck(record: FinalAck) -> dict[str, Any]:
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "UserHeader": plain_UserHeader(record.UserHeader),
        "MessagePropertiesHeader": plain_MessagePropertiesHeader(record.MessagePropertiesHeader),
    }


def from_plain_FinalAck(fields: Any, path: str) -> FinalAck:
    taken = FieldSource(layouts.FinalAck, fields, path)
    record: FinalAck = taken.make(
        FinalAck,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        UserHeader=taken.part("UserHeader", from_plain_UserHeader),
        MessagePropertiesHeader=taken.part("MessagePropertiesHeader", from_plain_MessagePropertiesHeader),
    )
    return record


def of_FinalAck(
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
    if DestinationQueue is None:
        DestinationQueue = PrivateQueueFormatNameId(PrivateQueueIdentifier=4)
    if MessageClass is None:
        MessageClass = 16384
    if Label is None:
        Label = "QM Ordering Ack\x00"
    if MessageBody is None:
        MessageBody = FinalAckBody().encode()
    if MessagePropertiesHeaderFlags is not None or UserHeaderFlags is not None or BaseHeaderFlags is not None:
        return build_FinalAck(
            BaseHeader=build_BaseHeader(Flags=BaseHeaderFlags, TimeToReachQueue=TimeToReachQueue),
            UserHeader=build_UserHeader(
                SourceQueueManager=SourceQueueManager,
                QueueManagerAddress=QueueManagerAddress,
                TimeToBeReceived=TimeToBeReceived,
                SentTime=SentTime,
                MessageID=MessageID,
                Flags=UserHeaderFlags,
                DestinationQueue=DestinationQueue,
                AdminQueue=AdminQueue,
                ResponseQueue=ResponseQueue,
                ConnectorType=ConnectorType,
            ),
            MessagePropertiesHeader=build_MessagePropertiesHeader(
                Flags=MessagePropertiesHeaderFlags,
                MessageClass=MessageClass,
                CorrelationID=CorrelationID,
                BodyType=BodyType,
                ApplicationTag=ApplicationTag,
                PrivacyLevel=PrivacyLevel,
                HashAlgorithm=HashAlgorithm,
                EncryptionAlgorithm=EncryptionAlgorithm,
                Label=Label,
                ExtensionData=ExtensionData,
                MessageBody=MessageBody,
            ),
        )
    if MessageClass is None:
        MessageClass = 0
    else:
        if MessageClass.__class__ is not int or not 0 <= MessageClass <= 65535:
            MessageClass = integer_MessagePropertiesHeader_MessageClass(MessageClass)
    if CorrelationID is None:
        CorrelationID = ZEROS_20
    else:
        if CorrelationID.__class__ is not bytes or len(CorrelationID) != 20:
            CorrelationID = raw_bytes_MessagePropertiesHeader_CorrelationID(CorrelationID)
    if BodyType is None:
        BodyType = 0
    else:
        if BodyType.__class__ is not int or not 0 <= BodyType <= 4294967295:
            BodyType = integer_MessagePropertiesHeader_BodyType(BodyType)
    if ApplicationTag is None:
        ApplicationTag = 0
    else:
        if ApplicationTag.__class__ is not int or not 0 <= ApplicationTag <= 4294967295:
            ApplicationTag = integer_MessagePropertiesHeader_ApplicationTag(ApplicationTag)
    if PrivacyLevel is None:
        PrivacyLevel = 0
    else:
        if PrivacyLevel.__class__ is not int or not 0 <= PrivacyLevel <= 4294967295:
            PrivacyLevel = integer_MessagePropertiesHeader_PrivacyLevel(PrivacyLevel)
    if HashAlgorithm is None:
        HashAlgorithm = 32782
    else:
        if HashAlgorithm.__class__ is not int or not 0 <= HashAlgorithm <= 4294967295:
            HashAlgorithm = integer_MessagePropertiesHeader_HashAlgorithm(HashAlgorithm)
    if EncryptionAlgorithm is not None:
        if EncryptionAlgorithm.__class__ is not int or not 0 <= EncryptionAlgorithm <= 4294967295:
            EncryptionAlgorithm = integer_MessagePropertiesHeader_EncryptionAlgorithm(EncryptionAlgorithm)
    if Label is None:
        Label = ""
        _true_LabelLength = 0
    else:
        if Label.__class__ is not str or not Label.isascii():
            Label = text_MessagePropertiesHeader_Label(Label)
        if Label and Label[-1] != "\0":
            Label += "\0"
        _true_LabelLength = len(Label) if Label.isascii() else wchar_count(Label)
        if _true_LabelLength > 255:
            refuse_size_MessagePropertiesHeader(_true_LabelLength)
    if ExtensionData is None:
        ExtensionData = b""
        _true_ExtensionSize = 0
    else:
        if ExtensionData.__class__ is not bytes:
            ExtensionData = raw_bytes_MessagePropertiesHeader_ExtensionData(ExtensionData)
        _true_ExtensionSize = len(ExtensionData)
        if _true_ExtensionSize > 4294967295:
            refuse_size_MessagePropertiesHeader_2(_true_ExtensionSize)
    if MessageBody is None:
        MessageBody = b""
        _true_MessageSize = 0
    else:
        if MessageBody.__class__ is not bytes:
            MessageBody = raw_bytes_MessagePropertiesHeader_MessageBody(MessageBody)
        _true_MessageSize = len(MessageBody)
        if _true_MessageSize > 4294967295:
            refuse_size_MessagePropertiesHeader_3(_true_MessageSize)
    if EncryptionAlgorithm is None:
        EncryptionAlgorithm = 26128 if PrivacyLevel == 5 else 26625
    _Padding = PADDINGS[-(_true_LabelLength * 2 + _true_ExtensionSize + _true_MessageSize) & 3]
    MessagePropertiesHeader = new_MessagePropertiesHeader(
        *(
            default_MessagePropertiesHeaderFlags,
            _true_LabelLength,
            MessageClass,
            CorrelationID,
            BodyType,
            ApplicationTag,
            _true_MessageSize,
            (len(MessageBody)),
            PrivacyLevel,
            HashAlgorithm,
            EncryptionAlgorithm,
            _true_ExtensionSize,
            Label,
            ExtensionData,
            MessageBody,
            _Padding,
        )
    )
    _out_QueueManagerAddress = QueueManagerAddress is None
    if SourceQueueManager is None:
        SourceQueueManager = NULL_GUID
    else:
        if not (
            SourceQueueManager.__class__ is GUID
            and (_raw := SourceQueueManager.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            SourceQueueManager = guid_UserHeader_SourceQueueManager(SourceQueueManager)
    if QueueManagerAddress is None:
        QueueManagerAddress = NULL_GUID
    else:
        if not (
            QueueManagerAddress.__class__ is GUID
            and (_raw := QueueManagerAddress.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            QueueManagerAddress = guid_UserHeader_QueueManagerAddress(QueueManagerAddress)
    if TimeToBeReceived is None:
        TimeToBeReceived = 4294967295
    else:
        if TimeToBeReceived.__class__ is not int or not 0 <= TimeToBeReceived <= 4294967295:
            TimeToBeReceived = integer_UserHeader_TimeToBeReceived(TimeToBeReceived)
    if SentTime is None:
        SentTime = 0
    else:
        if SentTime.__class__ is not int or not 0 <= SentTime <= 4294967295:
            SentTime = integer_UserHeader_SentTime(SentTime)
    if MessageID is None:
        MessageID = 0
    else:
        if MessageID.__class__ is not int or not 0 <= MessageID <= 4294967295:
            MessageID = integer_UserHeader_MessageID(MessageID)
    _chosen_DestinationQueue = None
    if DestinationQueue is not None:
        if DestinationQueue.__class__ not in form_UserHeader_DestinationQueue.classes:
            _given_DestinationQueue = (
                DestinationQueue,
                None if _out_QueueManagerAddress else QueueManagerAddress,
            )
            DestinationQueue, _chosen_DestinationQueue, _host = (
                DestinationQueue.__class__ is str
                and form_UserHeader_DestinationQueue.texts.get(_given_DestinationQueue)
            ) or form_UserHeader_DestinationQueue(*_given_DestinationQueue)
            if _host is not None:
                QueueManagerAddress = _host
                _out_QueueManagerAddress = False
    _chosen_AdminQueue = None
    if AdminQueue is not None:
        if AdminQueue.__class__ not in form_UserHeader_AdminQueue.classes:
            _given_AdminQueue = (
                AdminQueue,
                SourceQueueManager,
                None if _out_QueueManagerAddress else QueueManagerAddress,
            )
            AdminQueue, _chosen_AdminQueue, _host = (
                AdminQueue.__class__ is str and form_UserHeader_AdminQueue.texts.get(_given_AdminQueue)
            ) or form_UserHeader_AdminQueue(*_given_AdminQueue)
            if _host is not None:
                QueueManagerAddress = _host
                _out_QueueManagerAddress = False
    _chosen_ResponseQueue = None
    if ResponseQueue is not None:
        if ResponseQueue.__class__ not in form_UserHeader_ResponseQueue.classes:
            _given_ResponseQueue = (
                ResponseQueue,
                SourceQueueManager,
                None if _out_QueueManagerAddress else QueueManagerAddress,
            )
            ResponseQueue, _chosen_ResponseQueue, _host = (
                ResponseQueue.__class__ is str
                and form_UserHeader_ResponseQueue.texts.get(_given_ResponseQueue)
            ) or form_UserHeader_ResponseQueue(*_given_ResponseQueue)
            if _host is not None:
                QueueManagerAddress = _host
                _out_QueueManagerAddress = False
    if ConnectorType is not None:
        if not (
            ConnectorType.__class__ is GUID
            and (_raw := ConnectorType.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            ConnectorType = guid_UserHeader_ConnectorType(ConnectorType)
    _UserHeaderFlags = 0x200020
    if ConnectorType is not None:
        _UserHeaderFlags |= 0x400000
    if DestinationQueue is not None:
        _UserHeaderFlags |= (
            bits_UserHeader_DestinationQueue[DestinationQueue.__class__]
            if _chosen_DestinationQueue is None
            else _chosen_DestinationQueue << 10
        )
    if AdminQueue is not None:
        _UserHeaderFlags |= (
            bits_UserHeader_AdminQueue[AdminQueue.__class__]
            if _chosen_AdminQueue is None
            else _chosen_AdminQueue << 13
        )
    if ResponseQueue is not None:
        _UserHeaderFlags |= (
            bits_UserHeader_ResponseQueue[ResponseQueue.__class__]
            if _chosen_ResponseQueue is None
            else _chosen_ResponseQueue << 16
        )
    UserHeader = new_UserHeader(
        *(
            SourceQueueManager,
            QueueManagerAddress,
            TimeToBeReceived,
            SentTime,
            MessageID,
            known_UserHeaderFlags[_UserHeaderFlags],
            DestinationQueue,
            AdminQueue,
            ResponseQueue,
            ConnectorType,
        )
    )
    if TimeToReachQueue is None:
        TimeToReachQueue = 4294967295
    else:
        if TimeToReachQueue.__class__ is not int or not 0 <= TimeToReachQueue <= 4294967295:
            TimeToReachQueue = integer_BaseHeader_TimeToReachQueue(TimeToReachQueue)
    _PacketSize = 120 + (_true_LabelLength * 2) + _true_ExtensionSize + _true_MessageSize + len(_Padding)
    if DestinationQueue is not None:
        _PacketSize += size_of(DestinationQueue)
    if AdminQueue is not None:
        _PacketSize += size_of(AdminQueue)
    if ResponseQueue is not None:
        _PacketSize += size_of(ResponseQueue)
    if ConnectorType is not None:
        _PacketSize += 16
    BaseHeader = new_BaseHeader(*(16, 0, usual_BaseHeaderFlags_2, 1380927820, _PacketSize, TimeToReachQueue))
    record: FinalAck = new_FinalAck(*(BaseHeader, UserHeader, MessagePropertiesHeader))
    return record


register(FinalAck, size_FinalAck, build_FinalAck, plain_FinalAck, from_plain_FinalAck, of_FinalAck)


# --------------------------------------------------------------------------- [MS-MQQB] 2.2.6 SessionAck


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
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is Omitted:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x18
            if _Flags.given & 0x18:
                _open = 0x18 & ~_Flags.given
                _Flags = known_BaseHeaderFlags[_Flags & ~_open | _bits & _open]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -25 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
        if _PacketSize.__class__ is Omitted:
            _PacketSize = 36
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if InternalHeader.Flags.__class__ is partial_InternalHeaderFlags:
        _Flags = InternalHeader.Flags
        _bits = 0x1
        if _Flags.given & 0xF:
            _Flags = known_InternalHeaderFlags[_Flags]
        else:
            _Flags = known_InternalHeaderFlags[_Flags & -16 | _bits]
        InternalHeader = replace(InternalHeader, Flags=_Flags)
    record: SessionAck = new_SessionAck(*(BaseHeader, InternalHeader, SessionHeader))
    return record


def plain_SessionAck(record: SessionAck) -> dict[str, Any]:
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "InternalHeader": plain_InternalHeader(record.InternalHeader),
        "SessionHeader": plain_SessionHeader(record.SessionHeader),
    }


def from_plain_SessionAck(fields: Any, path: str) -> SessionAck:
    taken = FieldSource(layouts.SessionAck, fields, path)
    record: SessionAck = taken.make(
        SessionAck,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        InternalHeader=taken.part("InternalHeader", from_plain_InternalHeader),
        SessionHeader=taken.part("SessionHeader", from_plain_SessionHeader),
    )
    return record


usual_InternalHeaderFlags_3 = InternalHeaderFlags.cache[0x1]
usual_BaseHeaderFlags_3 = BaseHeaderFlags.cache[0x1B]


def of_SessionAck(
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
    if InternalHeaderFlags is not None or BaseHeaderFlags is not None:
        return build_SessionAck(
            BaseHeader=build_BaseHeader(Flags=BaseHeaderFlags, TimeToReachQueue=TimeToReachQueue),
            InternalHeader=build_InternalHeader(Flags=InternalHeaderFlags),
            SessionHeader=build_SessionHeader(
                AckSequenceNumber=AckSequenceNumber,
                RecoverableMsgAckSeqNumber=RecoverableMsgAckSeqNumber,
                RecoverableMsgAckFlags=RecoverableMsgAckFlags,
                UserMsgSequenceNumber=UserMsgSequenceNumber,
                RecoverableMsgSeqNumber=RecoverableMsgSeqNumber,
                WindowSize=WindowSize,
            ),
        )
    if AckSequenceNumber is None:
        AckSequenceNumber = 0
    else:
        if AckSequenceNumber.__class__ is not int or not 0 <= AckSequenceNumber <= 65535:
            AckSequenceNumber = integer_SessionHeader_AckSequenceNumber(AckSequenceNumber)
    if RecoverableMsgAckSeqNumber is None:
        RecoverableMsgAckSeqNumber = 0
    else:
        if RecoverableMsgAckSeqNumber.__class__ is not int or not 0 <= RecoverableMsgAckSeqNumber <= 65535:
            RecoverableMsgAckSeqNumber = integer_SessionHeader_RecoverableMsgAckSeqNumber(
                RecoverableMsgAckSeqNumber
            )
    if RecoverableMsgAckFlags is None:
        RecoverableMsgAckFlags = 0
    else:
        if RecoverableMsgAckFlags.__class__ is not int or not 0 <= RecoverableMsgAckFlags <= 4294967295:
            RecoverableMsgAckFlags = integer_SessionHeader_RecoverableMsgAckFlags(RecoverableMsgAckFlags)
    if UserMsgSequenceNumber is None:
        UserMsgSequenceNumber = 0
    else:
        if UserMsgSequenceNumber.__class__ is not int or not 0 <= UserMsgSequenceNumber <= 65535:
            UserMsgSequenceNumber = integer_SessionHeader_UserMsgSequenceNumber(UserMsgSequenceNumber)
    if RecoverableMsgSeqNumber is None:
        RecoverableMsgSeqNumber = 0
    else:
        if RecoverableMsgSeqNumber.__class__ is not int or not 0 <= RecoverableMsgSeqNumber <= 65535:
            RecoverableMsgSeqNumber = integer_SessionHeader_RecoverableMsgSeqNumber(RecoverableMsgSeqNumber)
    if WindowSize is None:
        WindowSize = 64
    else:
        if WindowSize.__class__ is not int or not 0 <= WindowSize <= 65535:
            WindowSize = integer_SessionHeader_WindowSize(WindowSize)
    SessionHeader = new_SessionHeader(
        *(
            AckSequenceNumber,
            RecoverableMsgAckSeqNumber,
            RecoverableMsgAckFlags,
            UserMsgSequenceNumber,
            RecoverableMsgSeqNumber,
            WindowSize,
            0,
        )
    )
    InternalHeader = new_InternalHeader(*(0, usual_InternalHeaderFlags_3))
    if TimeToReachQueue is None:
        TimeToReachQueue = 4294967295
    else:
        if TimeToReachQueue.__class__ is not int or not 0 <= TimeToReachQueue <= 4294967295:
            TimeToReachQueue = integer_BaseHeader_TimeToReachQueue(TimeToReachQueue)
    _PacketSize = 36
    BaseHeader = new_BaseHeader(*(16, 0, usual_BaseHeaderFlags_3, 1380927820, _PacketSize, TimeToReachQueue))
    record: SessionAck = new_SessionAck(*(BaseHeader, InternalHeader, SessionHeader))
    return record


register(
    SessionAck, size_SessionAck, build_SessionAck, plain_SessionAck, from_plain_SessionAck, of_SessionAck
)


# --------------------------------------------------------------------------- [MS-MQQB] 2.2.7 PingPacket


def size_PingPacket(record: PingPacket) -> int:
    size = 24
    return size


refuse_arguments_PingPacket = partial(replacing.refuse_arguments, layouts.PingPacket)
class_PingPacketFlags = PingPacketFlags
partial_PingPacketFlags = PingPacketFlags.partial
default_PingPacketFlags = PingPacketFlags.cache[0x0]
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
    record: PingPacket = new_PingPacket(*(Flags, Signature, Cookie, QMGuid))
    return record


groups_PingPacketFlags = PingPacketFlags.groups


def plain_PingPacket(record: PingPacket) -> dict[str, Any]:
    return {
        "Flags": groups_PingPacketFlags[record.Flags].copy(),
        "Signature": record.Signature,
        "Cookie": record.Cookie,
        "QMGuid": record.QMGuid.__str__(),
    }


def from_plain_PingPacket(fields: Any, path: str) -> PingPacket:
    taken = FieldSource(layouts.PingPacket, fields, path)
    record: PingPacket = taken.make(
        PingPacket,
        Flags=taken.flags("Flags"),
        Signature=taken.value("Signature", plain.number),
        Cookie=taken.value("Cookie", plain.number),
        QMGuid=taken.value("QMGuid", plain.guid),
    )
    return record


register(PingPacket, size_PingPacket, build_PingPacket, plain_PingPacket, from_plain_PingPacket)


# ------------------------------------------------------------------------ [MS-MQQB] 2.4.1 PUBLICKEYBLOB


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
        pubExp = 65537
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
    record: PUBLICKEYBLOB = new_PUBLICKEYBLOB(
        *(bType, bVersion, reserved, aiKeyAlg, magic, bitLen, pubExp, modulus)
    )
    return record


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
    taken = FieldSource(layouts.PUBLICKEYBLOB, fields, path)
    record: PUBLICKEYBLOB = taken.make(
        PUBLICKEYBLOB,
        bType=taken.value("bType", plain.number),
        bVersion=taken.value("bVersion", plain.number),
        reserved=taken.value("reserved", plain.number),
        aiKeyAlg=taken.value("aiKeyAlg", plain.number),
        magic=taken.value("magic", plain.octets),
        bitLen=taken.value("bitLen", plain.number),
        pubExp=taken.value("pubExp", plain.number),
        modulus=taken.value("modulus", plain.octets),
    )
    return record


register(
    PUBLICKEYBLOB, size_PUBLICKEYBLOB, build_PUBLICKEYBLOB, plain_PUBLICKEYBLOB, from_plain_PUBLICKEYBLOB
)


# --------------------------------------------------------------------------- [MS-MQQB] 2.4.2 SIMPLEBLOB


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
    record: SIMPLEBLOB = new_SIMPLEBLOB(
        *(bType, bVersion, reserved, sessionKeyAlgorithm, aiKeyAlg, encryptedKey)
    )
    return record


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
    taken = FieldSource(layouts.SIMPLEBLOB, fields, path)
    record: SIMPLEBLOB = taken.make(
        SIMPLEBLOB,
        bType=taken.value("bType", plain.number),
        bVersion=taken.value("bVersion", plain.number),
        reserved=taken.value("reserved", plain.number),
        sessionKeyAlgorithm=taken.value("sessionKeyAlgorithm", plain.number),
        aiKeyAlg=taken.value("aiKeyAlg", plain.number),
        encryptedKey=taken.value("encryptedKey", plain.octets),
    )
    return record


register(SIMPLEBLOB, size_SIMPLEBLOB, build_SIMPLEBLOB, plain_SIMPLEBLOB, from_plain_SIMPLEBLOB)
