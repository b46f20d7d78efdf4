"""[MS-MQMQ]: the data structures of Message Queuing.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from codecs import utf_16_le_decode as decode_utf16
from codecs import utf_16_le_encode as encode_utf16
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar

from msmq_wire.records.flags import Flags
from msmq_wire.records.packing import is_packed
from msmq_wire.records.record import Record
from msmq_wire.records.registry import register
from msmq_wire.values.guid import GUID
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import find_terminator

from . import readings

if TYPE_CHECKING:
    import datetime as dt
    import ipaddress
    import uuid
    from collections.abc import Iterable, Mapping
    from typing import Self

    from msmq_wire.documents import mqmq, mqrr
    from msmq_wire.names import format_names
    from msmq_wire.values import enumerations
    from msmq_wire.values.limits import Limits
    from msmq_wire.values.properties.natural import BodyValue

    _Bytes = bytes | bytearray | memoryview
    _Guid = GUID | uuid.UUID | str | bytes
__all__ = [
    "MQDSPUBLICKEY",
    "MQDSPUBLICKEYS",
    "MQUSERSIGNCERT",
    "MQUSERSIGNCERTS",
    "MULTICAST_ID",
    "OBJECTID",
    "SEQUENCE_INFO",
    "TA_ADDRESS",
    "ULARGE_INTEGER",
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
]
join = b"".join


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.1 MQDSPUBLICKEY


class MQDSPUBLICKEY(Record, frozen=True, gc=False):
    """A public key of a queue manager, with the provider that made it ([MS-MQMQ] 2.2.1).

    Attributes:
        ulKeyLen: Size of aBuf in bytes.
        ulProviderLen: Size of sProviderName in bytes, terminator included.
        ulProviderType: Provider type code.
        sProviderName: Provider name, terminator included.
        aBuf: BLOBHEADER, RSAPUBKEY and modulus; see PUBLICKEYBLOB.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    ulKeyLen: int
    ulProviderLen: int
    ulProviderType: int
    sProviderName: str
    aBuf: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            ulKeyLen: int = ...,
            ulProviderLen: int = ...,
            ulProviderType: int = 1,
            sProviderName: str = "",
            aBuf: _Bytes = b"",
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            ulKeyLen: int = ...,
            ulProviderLen: int = ...,
            ulProviderType: int = ...,
            sProviderName: str = ...,
            aBuf: _Bytes = ...,
        ) -> Self: ...


unpack_III = Struct("<III").unpack_from
new_MQDSPUBLICKEY = MQDSPUBLICKEY.raw


def decode_MQDSPUBLICKEY(
    data: bytes, pos: int, end: int, limits: Limits, origin: int | None = None
) -> tuple[MQDSPUBLICKEY, int]:
    ul_provider_type_end = pos + 12
    if ul_provider_type_end > end:
        raise Reject
    ul_key_len, ul_provider_len, ul_provider_type = unpack_III(data, pos)
    if ul_provider_len & 1:
        raise Reject
    if ul_provider_len // 2 > limits.string_length:
        raise Reject
    s_provider_name_end = ul_provider_type_end + ul_provider_len
    if s_provider_name_end > end:
        raise Reject
    a_buf_end = s_provider_name_end + ul_key_len
    if a_buf_end > end:
        raise Reject
    return new_MQDSPUBLICKEY(
        *(
            ul_key_len,
            ul_provider_len,
            ul_provider_type,
            decode_utf16(data[ul_provider_type_end:s_provider_name_end], "surrogatepass", True)[0],
            data[s_provider_name_end:a_buf_end],
        )
    ), a_buf_end


pack_III = Struct("<III").pack


def encode_MQDSPUBLICKEY(record: MQDSPUBLICKEY) -> bytes:
    return join(
        (
            pack_III(record.ulKeyLen, record.ulProviderLen, record.ulProviderType),
            encode_utf16(record.sProviderName, "surrogatepass")[0],
            record.aBuf,
        )
    )


register(MQDSPUBLICKEY, decode_MQDSPUBLICKEY, encode_MQDSPUBLICKEY)


# ----------------------------------------------------------------------- [MS-MQMQ] 2.2.2 MQDSPUBLICKEYS


class MQDSPUBLICKEYS(Record, frozen=True, gc=False):
    """Several public keys of a queue manager, as the directory keeps them ([MS-MQMQ] 2.2.2).

    Attributes:
        ulLen: Size of the whole structure in bytes.
        cNumofKeys: Count of keys.
        aPublicKeys: The keys.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    ulLen: int
    cNumofKeys: int
    aPublicKeys: tuple[mqmq.MQDSPUBLICKEY, ...]

    if TYPE_CHECKING:

        def __init__(
            self,
            ulLen: int = ...,
            cNumofKeys: int = ...,
            aPublicKeys: Iterable[mqmq.MQDSPUBLICKEY] = (),
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            ulLen: int = ...,
            cNumofKeys: int = ...,
            aPublicKeys: Iterable[mqmq.MQDSPUBLICKEY] = ...,
        ) -> Self: ...


unpack_II = Struct("<II").unpack_from
new_MQDSPUBLICKEYS = MQDSPUBLICKEYS.raw


def decode_MQDSPUBLICKEYS(data: bytes, pos: int, end: int, limits: Limits) -> tuple[MQDSPUBLICKEYS, int]:
    c_numof_keys_end = pos + 8
    if c_numof_keys_end > end:
        raise Reject
    ul_len, c_numof_keys = unpack_II(data, pos)
    limit = pos + ul_len
    if limit > end:
        raise Reject
    if c_numof_keys_end > limit:
        raise Reject
    if c_numof_keys > limits.elements:
        raise Reject
    a_public_keys = []
    for _ in range(c_numof_keys):
        ul_provider_type_end = c_numof_keys_end + 12
        if ul_provider_type_end > limit:
            raise Reject
        ul_key_len, ul_provider_len, ul_provider_type = unpack_III(data, c_numof_keys_end)
        if ul_provider_len & 1:
            raise Reject
        if ul_provider_len // 2 > limits.string_length:
            raise Reject
        s_provider_name_end = ul_provider_type_end + ul_provider_len
        if s_provider_name_end > limit:
            raise Reject
        a_buf_end = s_provider_name_end + ul_key_len
        if a_buf_end > limit:
            raise Reject
        a_public_keys.append(
            new_MQDSPUBLICKEY(
                *(
                    ul_key_len,
                    ul_provider_len,
                    ul_provider_type,
                    decode_utf16(data[ul_provider_type_end:s_provider_name_end], "surrogatepass", True)[0],
                    data[s_provider_name_end:a_buf_end],
                )
            )
        )
        c_numof_keys_end = a_buf_end
    if c_numof_keys_end != limit:
        raise Reject
    return new_MQDSPUBLICKEYS(*(ul_len, c_numof_keys, tuple(a_public_keys))), limit


pack_II = Struct("<II").pack


def encode_MQDSPUBLICKEYS(record: MQDSPUBLICKEYS) -> bytes:
    return join(
        (
            pack_II(record.ulLen, record.cNumofKeys),
            join([encode_MQDSPUBLICKEY(item) for item in record.aPublicKeys]),
        )
    )


register(MQDSPUBLICKEYS, decode_MQDSPUBLICKEYS, encode_MQDSPUBLICKEYS)


# --------------------------------------------------------------------------- [MS-MQMQ] 2.2.4 TA_ADDRESS


class TA_ADDRESS(Record, frozen=True, gc=False):
    """A transport address of one kind ([MS-MQMQ] 2.2.4).

    Attributes:
        AddressLength: Size of Address in bytes: 4 IP, 10 IPX, 16 foreign.
        AddressType: Kind of address.
        Address: The address.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    AddressLength: int
    AddressType: int
    Address: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            AddressLength: int = ...,
            AddressType: int = 0,
            Address: _Bytes = b"",
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            AddressLength: int = ...,
            AddressType: int = ...,
            Address: _Bytes = ...,
        ) -> Self: ...

    @property
    def address(self) -> ipaddress.IPv4Address | GUID | mqmq.IPXAddress | None:
        """From `AddressType` and `Address`: the address in its own type; None if they do not match."""
        return readings.address(self)


unpack_HH = Struct("<HH").unpack_from
new_TA_ADDRESS = TA_ADDRESS.raw


def decode_TA_ADDRESS(data: bytes, pos: int, end: int, limits: Limits) -> tuple[TA_ADDRESS, int]:
    address_type_end = pos + 4
    if address_type_end > end:
        raise Reject
    address_length, address_type = unpack_HH(data, pos)
    address_end = address_type_end + address_length
    if address_end > end:
        raise Reject
    return new_TA_ADDRESS(*(address_length, address_type, data[address_type_end:address_end])), address_end


pack_HH = Struct("<HH").pack


def encode_TA_ADDRESS(record: TA_ADDRESS) -> bytes:
    return join((pack_HH(record.AddressLength, record.AddressType), record.Address))


register(TA_ADDRESS, decode_TA_ADDRESS, encode_TA_ADDRESS)


# ------------------------------------------------------------------------- [MS-MQMQ] 2.2.4.2 IPXAddress


class IPXAddress(Record, frozen=True, gc=False):
    """An IPX address, the Address of a TA_ADDRESS of type IPX_ADDRESS_TYPE ([MS-MQMQ] 2.2.4.2).

    Attributes:
        Netnum: IPX network.
        nodenum: IPX node.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Netnum: bytes
    nodenum: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            Netnum: _Bytes = ...,
            nodenum: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Netnum: _Bytes = ...,
            nodenum: _Bytes = ...,
        ) -> Self: ...


new_IPXAddress = IPXAddress.raw
unpack_4s6s = Struct("<4s6s").unpack_from


def decode_IPXAddress(data: bytes, pos: int, end: int, limits: Limits) -> tuple[IPXAddress, int]:
    nodenum_end = pos + 10
    if nodenum_end > end:
        raise Reject
    netnum, nodenum = unpack_4s6s(data, pos)
    return new_IPXAddress(*(netnum, nodenum)), nodenum_end


pack_4s6s = Struct("<4s6s").pack


def encode_IPXAddress(record: IPXAddress) -> bytes:
    return pack_4s6s(record.Netnum, record.nodenum)


register(IPXAddress, decode_IPXAddress, encode_IPXAddress)


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.5.1 SEQUENCE_INFO


class SEQUENCE_INFO(Record, frozen=True, gc=False):
    """The position of a message in its stream ([MS-MQMQ] 2.2.5.1).

    Attributes:
        SeqID: Identifier of the sequence.
        SeqNo: Number of the message in the sequence.
        PrevNo: Number of the message before it.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    SeqID: int
    SeqNo: int
    PrevNo: int

    if TYPE_CHECKING:

        def __init__(
            self,
            SeqID: int = 0,
            SeqNo: int = 0,
            PrevNo: int = 0,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            SeqID: int = ...,
            SeqNo: int = ...,
            PrevNo: int = ...,
        ) -> Self: ...


new_SEQUENCE_INFO = SEQUENCE_INFO.raw
unpack_qII = Struct("<qII").unpack_from


def decode_SEQUENCE_INFO(data: bytes, pos: int, end: int, limits: Limits) -> tuple[SEQUENCE_INFO, int]:
    prev_no_end = pos + 16
    if prev_no_end > end:
        raise Reject
    seq_id, seq_no, prev_no = unpack_qII(data, pos)
    return new_SEQUENCE_INFO(*(seq_id, seq_no, prev_no)), prev_no_end


pack_qII = Struct("<qII").pack


def encode_SEQUENCE_INFO(record: SEQUENCE_INFO) -> bytes:
    return pack_qII(record.SeqID, record.SeqNo, record.PrevNo)


register(SEQUENCE_INFO, decode_SEQUENCE_INFO, encode_SEQUENCE_INFO)


# ----------------------------------------------------------------------------- [MS-MQMQ] 2.2.8 OBJECTID


class OBJECTID(Record, frozen=True, gc=False):
    """A private queue, or another object within a group ([MS-MQMQ] 2.2.8).

    Attributes:
        Lineage: The group, such as the queue manager that hosts a private queue.
        Uniquifier: Number of the object within its group.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Lineage: GUID
    Uniquifier: int

    if TYPE_CHECKING:

        def __init__(
            self,
            Lineage: _Guid = ...,
            Uniquifier: int = 0,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Lineage: _Guid = ...,
            Uniquifier: int = ...,
        ) -> Self: ...


new_OBJECTID = OBJECTID.raw
unpack_16sI = Struct("<16sI").unpack_from


def decode_OBJECTID(data: bytes, pos: int, end: int, limits: Limits) -> tuple[OBJECTID, int]:
    uniquifier_end = pos + 20
    if uniquifier_end > end:
        raise Reject
    lineage, uniquifier = unpack_16sI(data, pos)
    return new_OBJECTID(*(GUID(lineage), uniquifier)), uniquifier_end


pack_16sI = Struct("<16sI").pack


def encode_OBJECTID(record: OBJECTID) -> bytes:
    return pack_16sI(record.Lineage.bytes_le, record.Uniquifier)


register(OBJECTID, decode_OBJECTID, encode_OBJECTID)


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.10 MULTICAST_ID


class MULTICAST_ID(Record, frozen=True, gc=False):
    """A multicast address and its port ([MS-MQMQ] 2.2.10).

    Attributes:
        m_address: IPv4 address, its first octet in the least significant byte.
        m_port: Port.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    m_address: int
    m_port: int

    if TYPE_CHECKING:

        def __init__(
            self,
            m_address: int = 0,
            m_port: int = 0,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            m_address: int = ...,
            m_port: int = ...,
        ) -> Self: ...


new_MULTICAST_ID = MULTICAST_ID.raw


def decode_MULTICAST_ID(data: bytes, pos: int, end: int, limits: Limits) -> tuple[MULTICAST_ID, int]:
    m_port_end = pos + 8
    if m_port_end > end:
        raise Reject
    m_address, m_port = unpack_II(data, pos)
    return new_MULTICAST_ID(*(m_address, m_port)), m_port_end


def encode_MULTICAST_ID(record: MULTICAST_ID) -> bytes:
    return pack_II(record.m_address, record.m_port)


register(MULTICAST_ID, decode_MULTICAST_ID, encode_MULTICAST_ID)


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.17 ULARGE_INTEGER


class ULARGE_INTEGER(Record, frozen=True, gc=False):
    """A number of 64 bits ([MS-MQMQ] 2.2.17).

    Attributes:
        QuadPart: The number.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    QuadPart: int

    if TYPE_CHECKING:

        def __init__(
            self,
            QuadPart: int = 0,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            QuadPart: int = ...,
        ) -> Self: ...


new_ULARGE_INTEGER = ULARGE_INTEGER.raw
unpack_Q = Struct("<Q").unpack_from


def decode_ULARGE_INTEGER(data: bytes, pos: int, end: int, limits: Limits) -> tuple[ULARGE_INTEGER, int]:
    quad_part_end = pos + 8
    if quad_part_end > end:
        raise Reject
    (quad_part,) = unpack_Q(data, pos)
    return new_ULARGE_INTEGER(*(quad_part,)), quad_part_end


pack_Q = Struct("<Q").pack


def encode_ULARGE_INTEGER(record: ULARGE_INTEGER) -> bytes:
    return pack_Q(record.QuadPart)


register(ULARGE_INTEGER, decode_ULARGE_INTEGER, encode_ULARGE_INTEGER)


# -------------------------------------------------------------------- [MS-MQMQ] 2.2.18.1.2 TxSequenceID


class TxSequenceID(Record, frozen=True, gc=False):
    """Identifier of a sequence of transactional messages ([MS-MQMQ] 2.2.18.1.2).

    Attributes:
        Ordinal: Low-order half of the 64-bit value.
        TimeStamp: High-order half of the 64-bit value.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Ordinal: int
    TimeStamp: int

    if TYPE_CHECKING:

        def __init__(
            self,
            Ordinal: int = 0,
            TimeStamp: int = 0,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Ordinal: int = ...,
            TimeStamp: int = ...,
        ) -> Self: ...


new_TxSequenceID = TxSequenceID.raw


def decode_TxSequenceID(data: bytes, pos: int, end: int, limits: Limits) -> tuple[TxSequenceID, int]:
    time_stamp_end = pos + 8
    if time_stamp_end > end:
        raise Reject
    ordinal, time_stamp = unpack_II(data, pos)
    return new_TxSequenceID(*(ordinal, time_stamp)), time_stamp_end


def encode_TxSequenceID(record: TxSequenceID) -> bytes:
    return pack_II(record.Ordinal, record.TimeStamp)


register(TxSequenceID, decode_TxSequenceID, encode_TxSequenceID)


# --------------------------------------------------------------- [MS-MQMQ] 2.2.18.1.3 MessageIdentifier


class MessageIdentifier(Record, frozen=True, gc=False):
    """Identifier of a message among all messages of all queue managers ([MS-MQMQ] 2.2.18.1.3).

    Attributes:
        QueueManagerGuid: Queue manager that sent the message.
        Ordinal: Number of the message, unique within its queue manager.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    QueueManagerGuid: GUID
    Ordinal: int

    if TYPE_CHECKING:

        def __init__(
            self,
            QueueManagerGuid: _Guid = ...,
            Ordinal: int = 0,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            QueueManagerGuid: _Guid = ...,
            Ordinal: int = ...,
        ) -> Self: ...


new_MessageIdentifier = MessageIdentifier.raw


def decode_MessageIdentifier(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[MessageIdentifier, int]:
    ordinal_end = pos + 20
    if ordinal_end > end:
        raise Reject
    queue_manager_guid, ordinal = unpack_16sI(data, pos)
    return new_MessageIdentifier(*(GUID(queue_manager_guid), ordinal)), ordinal_end


def encode_MessageIdentifier(record: MessageIdentifier) -> bytes:
    return pack_16sI(record.QueueManagerGuid.bytes_le, record.Ordinal)


register(MessageIdentifier, decode_MessageIdentifier, encode_MessageIdentifier)


# ------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4.1 MQFDirectQueueFormatName


class MQFDirectQueueFormatName(Record, frozen=True, gc=False):
    """A direct format name in a list of names ([MS-MQMQ] 2.2.18.1.4.1).

    Attributes:
        DirectFormatName: Direct format name without "DIRECT=", terminator not included.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    DirectFormatName: str

    if TYPE_CHECKING:

        def __init__(
            self,
            DirectFormatName: str = "",
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            DirectFormatName: str = ...,
        ) -> Self: ...

    @property
    def format_name(self) -> format_names.FormatName:
        """The format name of this wire form.

        Raises:
            EncodeError: The text on the wire is not a direct name.
        """
        return readings.format_name(self)


new_MQFDirectQueueFormatName = MQFDirectQueueFormatName.raw


def decode_MQFDirectQueueFormatName(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[MQFDirectQueueFormatName, int]:
    direct_format_name_end = find_terminator(data, pos, end)
    if direct_format_name_end < 0:
        raise Reject
    if (direct_format_name_end - (pos)) // 2 > limits.string_length:
        raise Reject
    return new_MQFDirectQueueFormatName(
        *(decode_utf16(data[pos:direct_format_name_end], "surrogatepass", True)[0],)
    ), direct_format_name_end + 2


def encode_MQFDirectQueueFormatName(record: MQFDirectQueueFormatName) -> bytes:
    return join((encode_utf16(record.DirectFormatName, "surrogatepass")[0], b"\0\0"))


register(MQFDirectQueueFormatName, decode_MQFDirectQueueFormatName, encode_MQFDirectQueueFormatName)


# ------------------------------------------------ [MS-MQMQ] 2.2.18.1.4.2 MQFDistributionQueueFormatName


class MQFDistributionQueueFormatName(Record, frozen=True, gc=False):
    """A distribution list in a list of names ([MS-MQMQ] 2.2.18.1.4.2).

    Attributes:
        DistributionListIdentifier: Distribution list in the directory.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    DistributionListIdentifier: GUID

    if TYPE_CHECKING:

        def __init__(
            self,
            DistributionListIdentifier: _Guid = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            DistributionListIdentifier: _Guid = ...,
        ) -> Self: ...

    @property
    def format_name(self) -> format_names.FormatName:
        """The format name of this wire form.

        Raises:
            EncodeError: The text on the wire is not a direct name.
        """
        return readings.format_name(self)


new_MQFDistributionQueueFormatName = MQFDistributionQueueFormatName.raw
unpack_16s = Struct("<16s").unpack_from


def decode_MQFDistributionQueueFormatName(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[MQFDistributionQueueFormatName, int]:
    distribution_list_identifier_end = pos + 16
    if distribution_list_identifier_end > end:
        raise Reject
    (distribution_list_identifier,) = unpack_16s(data, pos)
    return new_MQFDistributionQueueFormatName(
        *(GUID(distribution_list_identifier),)
    ), distribution_list_identifier_end


pack_16s = Struct("<16s").pack


def encode_MQFDistributionQueueFormatName(record: MQFDistributionQueueFormatName) -> bytes:
    return pack_16s(record.DistributionListIdentifier.bytes_le)


register(
    MQFDistributionQueueFormatName,
    decode_MQFDistributionQueueFormatName,
    encode_MQFDistributionQueueFormatName,
)


# ------------------------------------------------------ [MS-MQMQ] 2.2.18.1.5.1 PrivateQueueFormatNameId


class PrivateQueueFormatNameId(Record, frozen=True, gc=False):
    """A private queue whose host is stated elsewhere ([MS-MQMQ] 2.2.18.1.5.1).

    Attributes:
        PrivateQueueIdentifier: Number of the private queue on its host.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    PrivateQueueIdentifier: int

    if TYPE_CHECKING:

        def __init__(
            self,
            PrivateQueueIdentifier: int = 0,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            PrivateQueueIdentifier: int = ...,
        ) -> Self: ...


new_PrivateQueueFormatNameId = PrivateQueueFormatNameId.raw
unpack_I = Struct("<I").unpack_from


def decode_PrivateQueueFormatNameId(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[PrivateQueueFormatNameId, int]:
    private_queue_identifier_end = pos + 4
    if private_queue_identifier_end > end:
        raise Reject
    (private_queue_identifier,) = unpack_I(data, pos)
    return new_PrivateQueueFormatNameId(*(private_queue_identifier,)), private_queue_identifier_end


pack_I = Struct("<I").pack


def encode_PrivateQueueFormatNameId(record: PrivateQueueFormatNameId) -> bytes:
    return pack_I(record.PrivateQueueIdentifier)


register(PrivateQueueFormatNameId, decode_PrivateQueueFormatNameId, encode_PrivateQueueFormatNameId)


# --------------------------------------------------------- [MS-MQMQ] 2.2.18.1.5.2 DirectQueueFormatName


class DirectQueueFormatName(Record, frozen=True, gc=False):
    """A direct format name in a UserHeader ([MS-MQMQ] 2.2.18.1.5.2).

    Attributes:
        Count: Size of DirectFormatName in bytes, terminator included, padding not.
        DirectFormatName: Direct format name without "DIRECT=", terminator included.
        Padding: To a 4-byte boundary of the header; any value.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Count: int
    DirectFormatName: str
    Padding: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            Count: int = ...,
            DirectFormatName: str = "",
            Padding: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Count: int = ...,
            DirectFormatName: str = ...,
            Padding: _Bytes = ...,
        ) -> Self: ...

    @property
    def format_name(self) -> format_names.FormatName:
        """The format name of this wire form.

        Raises:
            EncodeError: The text on the wire is not a direct name.
        """
        return readings.format_name(self)


unpack_H = Struct("<H").unpack_from
new_DirectQueueFormatName = DirectQueueFormatName.raw


def decode_DirectQueueFormatName(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[DirectQueueFormatName, int]:
    count_end = pos + 2
    if count_end > end:
        raise Reject
    (count,) = unpack_H(data, pos)
    if count & 1:
        raise Reject
    if count // 2 > limits.string_length:
        raise Reject
    direct_format_name_end = count_end + count
    if direct_format_name_end > end:
        raise Reject
    padding_end = direct_format_name_end + (-(2 + count) & 3)
    if padding_end > end:
        raise Reject
    return new_DirectQueueFormatName(
        *(
            count,
            decode_utf16(data[count_end:direct_format_name_end], "surrogatepass", True)[0],
            data[direct_format_name_end:padding_end],
        )
    ), padding_end


pack_H = Struct("<H").pack


def encode_DirectQueueFormatName(record: DirectQueueFormatName) -> bytes:
    return join(
        (pack_H(record.Count), encode_utf16(record.DirectFormatName, "surrogatepass")[0], record.Padding)
    )


register(DirectQueueFormatName, decode_DirectQueueFormatName, encode_DirectQueueFormatName)


# --------------------------------------------------------- [MS-MQMQ] 2.2.18.1.7.1 PublicQueueFormatName


class PublicQueueFormatName(Record, frozen=True, gc=False):
    """A public queue ([MS-MQMQ] 2.2.18.1.7.1).

    Attributes:
        PublicQueueIdentifier: The public queue in the directory.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    PublicQueueIdentifier: GUID

    if TYPE_CHECKING:

        def __init__(
            self,
            PublicQueueIdentifier: _Guid = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            PublicQueueIdentifier: _Guid = ...,
        ) -> Self: ...

    @property
    def format_name(self) -> format_names.FormatName:
        """The format name of this wire form.

        Raises:
            EncodeError: The text on the wire is not a direct name.
        """
        return readings.format_name(self)


new_PublicQueueFormatName = PublicQueueFormatName.raw


def decode_PublicQueueFormatName(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[PublicQueueFormatName, int]:
    public_queue_identifier_end = pos + 16
    if public_queue_identifier_end > end:
        raise Reject
    (public_queue_identifier,) = unpack_16s(data, pos)
    return new_PublicQueueFormatName(*(GUID(public_queue_identifier),)), public_queue_identifier_end


def encode_PublicQueueFormatName(record: PublicQueueFormatName) -> bytes:
    return pack_16s(record.PublicQueueIdentifier.bytes_le)


register(PublicQueueFormatName, decode_PublicQueueFormatName, encode_PublicQueueFormatName)


# -------------------------------------------------------- [MS-MQMQ] 2.2.18.1.7.2 PrivateQueueFormatName


class PrivateQueueFormatName(Record, frozen=True, gc=False):
    """A private queue and its host ([MS-MQMQ] 2.2.18.1.7.2).

    Attributes:
        SourceQueueManager: Queue manager that hosts the queue.
        PrivateQueueIdentifier: Number of the private queue on that host.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    SourceQueueManager: GUID
    PrivateQueueIdentifier: int

    if TYPE_CHECKING:

        def __init__(
            self,
            SourceQueueManager: _Guid = ...,
            PrivateQueueIdentifier: int = 0,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            SourceQueueManager: _Guid = ...,
            PrivateQueueIdentifier: int = ...,
        ) -> Self: ...

    @property
    def format_name(self) -> format_names.FormatName:
        """The format name of this wire form.

        Raises:
            EncodeError: The text on the wire is not a direct name.
        """
        return readings.format_name(self)


new_PrivateQueueFormatName = PrivateQueueFormatName.raw


def decode_PrivateQueueFormatName(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[PrivateQueueFormatName, int]:
    private_queue_identifier_end = pos + 20
    if private_queue_identifier_end > end:
        raise Reject
    source_queue_manager, private_queue_identifier = unpack_16sI(data, pos)
    return new_PrivateQueueFormatName(
        *(GUID(source_queue_manager), private_queue_identifier)
    ), private_queue_identifier_end


def encode_PrivateQueueFormatName(record: PrivateQueueFormatName) -> bytes:
    return pack_16sI(record.SourceQueueManager.bytes_le, record.PrivateQueueIdentifier)


register(PrivateQueueFormatName, decode_PrivateQueueFormatName, encode_PrivateQueueFormatName)


# ------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4 MQFFormatNameElement


class MQFFormatNameElement(Record, frozen=True, gc=False):
    """One element of a list of names, in one of four forms ([MS-MQMQ] 2.2.18.1.4).

    Attributes:
        FormatType: Form of FormatName.
        Padding: To the boundary that the form asks for; any value.
        FormatName: The queue's name in the form that FormatType selects.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    FormatType: int
    Padding: bytes
    FormatName: (
        mqmq.PublicQueueFormatName
        | mqmq.PrivateQueueFormatName
        | mqmq.MQFDirectQueueFormatName
        | mqmq.MQFDistributionQueueFormatName
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            FormatType: int = ...,
            Padding: _Bytes = ...,
            FormatName: mqmq.PublicQueueFormatName
            | mqmq.PrivateQueueFormatName
            | mqmq.MQFDirectQueueFormatName
            | mqmq.MQFDistributionQueueFormatName = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            FormatType: int = ...,
            Padding: _Bytes = ...,
            FormatName: mqmq.PublicQueueFormatName
            | mqmq.PrivateQueueFormatName
            | mqmq.MQFDirectQueueFormatName
            | mqmq.MQFDistributionQueueFormatName = ...,
        ) -> Self: ...

    @property
    def format_name(self) -> format_names.FormatName:
        """The format name of this wire form.

        Raises:
            EncodeError: The text on the wire is not a direct name.
        """
        return readings.format_name(self)


new_MQFFormatNameElement = MQFFormatNameElement.raw


def decode_MQFFormatNameElement(
    data: bytes, pos: int, end: int, limits: Limits, origin: int | None = None
) -> tuple[MQFFormatNameElement, int]:
    if origin is None:
        origin = pos
    format_type_end = pos + 2
    if format_type_end > end:
        raise Reject
    (format_type,) = unpack_H(data, pos)
    padding_end = format_type_end + (origin - (format_type_end) & (1 if format_type == 3 else 3))
    format_name_form = format_type
    if format_name_form == 6:
        distribution_list_identifier_end = padding_end + 16
        if distribution_list_identifier_end > end:
            raise Reject
        (distribution_list_identifier,) = unpack_16s(data, padding_end)
        format_name = new_MQFDistributionQueueFormatName(*(GUID(distribution_list_identifier),))
        format_name_end = distribution_list_identifier_end
    elif format_name_form == 3:
        if padding_end > end:
            raise Reject
        direct_format_name_end = find_terminator(data, padding_end, end)
        if direct_format_name_end < 0:
            raise Reject
        if (direct_format_name_end - (padding_end)) // 2 > limits.string_length:
            raise Reject
        format_name = new_MQFDirectQueueFormatName(
            *(decode_utf16(data[padding_end:direct_format_name_end], "surrogatepass", True)[0],)
        )
        format_name_end = direct_format_name_end + 2
    elif format_name_form == 2:
        private_queue_identifier_end = padding_end + 20
        if private_queue_identifier_end > end:
            raise Reject
        source_queue_manager, private_queue_identifier = unpack_16sI(data, padding_end)
        format_name = new_PrivateQueueFormatName(*(GUID(source_queue_manager), private_queue_identifier))
        format_name_end = private_queue_identifier_end
    elif format_name_form == 1:
        public_queue_identifier_end = padding_end + 16
        if public_queue_identifier_end > end:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, padding_end)
        format_name = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        format_name_end = public_queue_identifier_end
    else:
        raise Reject
    return new_MQFFormatNameElement(
        *(format_type, data[format_type_end:padding_end], format_name)
    ), format_name_end


def encode_MQFFormatNameElement(record: MQFFormatNameElement) -> bytes:
    format_name = record.FormatName
    return join(
        (pack_H(record.FormatType), record.Padding, (b"" if format_name is None else format_name._write()))
    )


register(MQFFormatNameElement, decode_MQFFormatNameElement, encode_MQFFormatNameElement)


# ------------------------------------------------------------------------- [MS-MQMQ] 2.2.18.1.8 XACTUOW


class XACTUOW(Record, frozen=True, gc=False):
    """Identifier of a transactional unit of work ([MS-MQMQ] 2.2.18.1.8).

    Attributes:
        rgb: Identifier of a transactional unit of work.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    rgb: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            rgb: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            rgb: _Bytes = ...,
        ) -> Self: ...


new_XACTUOW = XACTUOW.raw


def decode_XACTUOW(data: bytes, pos: int, end: int, limits: Limits) -> tuple[XACTUOW, int]:
    rgb_end = pos + 16
    if rgb_end > end:
        raise Reject
    (rgb,) = unpack_16s(data, pos)
    return new_XACTUOW(*(rgb,)), rgb_end


def encode_XACTUOW(record: XACTUOW) -> bytes:
    return pack_16s(record.rgb)


register(XACTUOW, decode_XACTUOW, encode_XACTUOW)


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.19.1 BaseHeader


class BaseHeaderFlags(Flags):
    """Groups of `BaseHeader.Flags`: options of the packet."""

    __slots__ = ()
    structure = "BaseHeader"
    field = "Flags"
    defaults = 0x3

    if TYPE_CHECKING:

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
        return int(self) & 0x7

    @property
    def IN(self) -> int:
        """Internal packet: connection establishment or session acknowledgment."""
        return int(self) >> 3 & 0x1

    @property
    def SH(self) -> int:
        """A SessionHeader is present."""
        return int(self) >> 4 & 0x1

    @property
    def DH(self) -> int:
        """A DebugHeader is present."""
        return int(self) >> 5 & 0x1

    @property
    def X9(self) -> int:
        """Reserved."""
        return int(self) >> 6 & 0x1

    @property
    def X8(self) -> int:
        """Reserved."""
        return int(self) >> 7 & 0x1

    @property
    def TR(self) -> int:
        """Tracing of this message is enabled."""
        return int(self) >> 8 & 0x1

    @property
    def X6(self) -> int:
        """Reserved."""
        return int(self) >> 9 & 0x1

    @property
    def X5(self) -> int:
        """Reserved."""
        return int(self) >> 10 & 0x1

    @property
    def X4(self) -> int:
        """Reserved."""
        return int(self) >> 11 & 0x1

    @property
    def X3(self) -> int:
        """Reserved."""
        return int(self) >> 12 & 0x1

    @property
    def X2(self) -> int:
        """Reserved."""
        return int(self) >> 13 & 0x1

    @property
    def X1(self) -> int:
        """Reserved."""
        return int(self) >> 14 & 0x1

    @property
    def X0(self) -> int:
        """Reserved."""
        return int(self) >> 15 & 0x1


class BaseHeader(Record, frozen=True, gc=False):
    """The first header of every packet, with its version, flags and size ([MS-MQMQ] 2.2.19.1).

    Attributes:
        VersionNumber: Version of the packet format, 0x10.
        Reserved: Any value.
        Flags: Options of the packet.
        Signature: 0x524F494C.
        PacketSize: Size of the packet in bytes, at most 0x00400000; without a SessionHeader that follows
            a UserMessage.
        TimeToReachQueue: Time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": BaseHeaderFlags}

    VersionNumber: int
    Reserved: int
    Flags: BaseHeaderFlags
    Signature: int
    PacketSize: int
    TimeToReachQueue: int

    if TYPE_CHECKING:

        def __init__(
            self,
            VersionNumber: int = 16,
            Reserved: int = 0,
            Flags: BaseHeaderFlags | int = ...,
            Signature: int = 0x524F494C,
            PacketSize: int = ...,
            TimeToReachQueue: int = 0xFFFFFFFF,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            VersionNumber: int = ...,
            Reserved: int = ...,
            Flags: BaseHeaderFlags | int = ...,
            Signature: int = ...,
            PacketSize: int = ...,
            TimeToReachQueue: int = ...,
        ) -> Self: ...

    @property
    def time_to_reach_queue(self) -> dt.timedelta | None:
        """From `TimeToReachQueue`: the time to reach the queue manager; None means infinite.

        In a message of a remote read the field is the second since 1970 at which the message expires
        ([MS-MQRR] 2.2.5.1).
        """
        return readings.time_to_reach_queue(self)


known_BaseHeaderFlags = BaseHeaderFlags.cache
new_BaseHeader = BaseHeader.raw
unpack_BBHIII = Struct("<BBHIII").unpack_from


def decode_BaseHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[BaseHeader, int]:
    time_to_reach_queue_end = pos + 16
    if time_to_reach_queue_end > end:
        raise Reject
    version_number, reserved, flags, signature, packet_size, time_to_reach_queue = unpack_BBHIII(data, pos)
    return new_BaseHeader(
        *(version_number, reserved, known_BaseHeaderFlags[flags], signature, packet_size, time_to_reach_queue)
    ), time_to_reach_queue_end


pack_BBHIII = Struct("<BBHIII").pack


def encode_BaseHeader(record: BaseHeader) -> bytes:
    return pack_BBHIII(
        record.VersionNumber,
        record.Reserved,
        record.Flags,
        record.Signature,
        record.PacketSize,
        record.TimeToReachQueue,
    )


register(BaseHeader, decode_BaseHeader, encode_BaseHeader)


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.19.2 UserHeader


class UserHeaderFlags(Flags):
    """Groups of `UserHeader.Flags`: options of the message."""

    __slots__ = ()
    structure = "UserHeader"
    field = "Flags"
    defaults = 0x200000

    if TYPE_CHECKING:

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
        return int(self) & 0x1F

    @property
    def DM(self) -> int:
        """Delivery mode."""
        return int(self) >> 5 & 0x3

    @property
    def X1(self) -> int:
        """Reserved."""
        return int(self) >> 7 & 0x1

    @property
    def JN(self) -> int:
        """Negative source journaling."""
        return int(self) >> 8 & 0x1

    @property
    def JP(self) -> int:
        """Positive source journaling."""
        return int(self) >> 9 & 0x1

    @property
    def DQ(self) -> int:
        """Form of DestinationQueue."""
        return int(self) >> 10 & 0x7

    @property
    def AQ(self) -> int:
        """Form of AdminQueue."""
        return int(self) >> 13 & 0x7

    @property
    def RQ(self) -> int:
        """Form of ResponseQueue."""
        return int(self) >> 16 & 0x7

    @property
    def SH(self) -> int:
        """A SecurityHeader is present."""
        return int(self) >> 19 & 0x1

    @property
    def TH(self) -> int:
        """A TransactionHeader is present."""
        return int(self) >> 20 & 0x1

    @property
    def MP(self) -> int:
        """A MessagePropertiesHeader is present, always."""
        return int(self) >> 21 & 0x1

    @property
    def CQ(self) -> int:
        """ConnectorType is present."""
        return int(self) >> 22 & 0x1

    @property
    def MQ(self) -> int:
        """A MultiQueueFormatHeader is present."""
        return int(self) >> 23 & 0x1

    @property
    def X2(self) -> int:
        """Reserved."""
        return int(self) >> 24 & 0x1

    @property
    def AH(self) -> int:
        """The message was sent over HTTP; the SRMP headers are present."""
        return int(self) >> 25 & 0x1

    @property
    def X3(self) -> int:
        """Reserved."""
        return int(self) >> 26 & 0x3

    @property
    def HH(self) -> int:
        """A SoapHeader is present."""
        return int(self) >> 28 & 0x1

    @property
    def X4(self) -> int:
        """Reserved."""
        return int(self) >> 29 & 0x7


class UserHeader(Record, frozen=True, gc=False):
    """The sender and the queues of a message, and the headers that follow ([MS-MQMQ] 2.2.19.2).

    Attributes:
        SourceQueueManager: Queue manager of the original sender.
        QueueManagerAddress: Destination queue manager; null for a direct format name.
        TimeToBeReceived: Seconds until the message expires; 0xFFFFFFFF: never.
        SentTime: When the packet was sent, seconds since 1970-01-01 UTC.
        MessageID: Number of the message, unique within its sender.
        Flags: Options of the message.
        DestinationQueue: Final destination, in the form that Flags.DQ selects.
        AdminQueue: Queue for administration acknowledgments, in the form that Flags.AQ selects.
        ResponseQueue: Queue for replies, in the form that Flags.RQ selects.
        ConnectorType: Defined by the application; present if Flags.CQ is set.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": UserHeaderFlags}

    SourceQueueManager: GUID
    QueueManagerAddress: GUID
    TimeToBeReceived: int
    SentTime: int
    MessageID: int
    Flags: UserHeaderFlags
    DestinationQueue: (
        mqmq.PrivateQueueFormatNameId | mqmq.PublicQueueFormatName | mqmq.DirectQueueFormatName | None
    )
    AdminQueue: (
        mqmq.PrivateQueueFormatNameId
        | mqmq.PublicQueueFormatName
        | mqmq.PrivateQueueFormatName
        | mqmq.DirectQueueFormatName
        | None
    )
    ResponseQueue: (
        mqmq.PrivateQueueFormatNameId
        | mqmq.PublicQueueFormatName
        | mqmq.PrivateQueueFormatName
        | mqmq.DirectQueueFormatName
        | None
    )
    ConnectorType: GUID | None

    if TYPE_CHECKING:

        def __init__(
            self,
            SourceQueueManager: _Guid = ...,
            QueueManagerAddress: _Guid = ...,
            TimeToBeReceived: int = 0xFFFFFFFF,
            SentTime: int = 0,
            MessageID: int = 0,
            Flags: UserHeaderFlags | int = ...,
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
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
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
        ) -> Self: ...

    @property
    def time_to_be_received(self) -> dt.timedelta | None:
        """From `TimeToBeReceived`: the time until the message expires; None means infinite."""
        return readings.time_to_be_received(self)

    @property
    def sent_at(self) -> dt.datetime:
        """From `SentTime`: the time of sending, in UTC."""
        return readings.sent_at(self)

    @property
    def message_identifier(self) -> mqmq.MessageIdentifier:
        """From `SourceQueueManager` and `MessageID`: the identifier of this message in acknowledgments."""
        return readings.message_identifier(self)

    @property
    def destination(self) -> format_names.FormatName | None:
        """From `DestinationQueue`: the final destination; None if there is none.

        Raises:
            EncodeError: The text on the wire is not a direct name.
        """
        return readings.destination(self)

    @property
    def admin_queue(self) -> format_names.FormatName | None:
        """From `AdminQueue`: the queue for administration acknowledgments; None if there is none.

        Raises:
            EncodeError: The text on the wire is not a direct name.
        """
        return readings.admin_queue(self)

    @property
    def response_queue(self) -> format_names.FormatName | None:
        """From `ResponseQueue`: the queue for replies; None if there is none.

        Raises:
            EncodeError: The text on the wire is not a direct name, or the host is that of the administration
                queue (Flags.RQ 0x4) and that queue does not state its host.
        """
        return readings.response_queue(self)

    @property
    def received_from(self) -> mqrr.UserHeaderAddress:
        """From `QueueManagerAddress` of a remote read: the address of the sender ([MS-MQRR] 2.2.5.1)."""
        return readings.received_from(self)


known_UserHeaderFlags = UserHeaderFlags.cache
unpack_16s16sIIII = Struct("<16s16sIIII").unpack_from
new_UserHeader = UserHeader.raw


def decode_UserHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[UserHeader, int]:
    flags_end = pos + 48
    if flags_end > end:
        raise Reject
    source_queue_manager, queue_manager_address, time_to_be_received, sent_time, message_id, flags = (
        unpack_16s16sIIII(data, pos)
    )
    destination_queue_form = flags & 0x1C00
    if destination_queue_form == 0x1C00:  # DQ = 7
        count_end = flags_end + 2
        if count_end > end:
            raise Reject
        (count,) = unpack_H(data, flags_end)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = count_end + count
        if direct_format_name_end > end:
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
        public_queue_identifier_end = flags_end + 16
        if public_queue_identifier_end > end:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, flags_end)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = public_queue_identifier_end
    elif destination_queue_form == 0xC00:  # DQ = 3
        private_queue_identifier_end = flags_end + 4
        if private_queue_identifier_end > end:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, flags_end)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        destination_queue_end = private_queue_identifier_end
    elif destination_queue_form == 0:  # DQ = 0
        destination_queue = None
        destination_queue_end = flags_end
    else:
        raise Reject
    if flags & 0x47E000:  # AQ, RQ, CQ
        admin_queue_form = flags & 0xE000
        admin_queue: Any
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue, admin_queue_end = decode_DirectQueueFormatName(
                data, destination_queue_end, end, limits
            )
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue, admin_queue_end = decode_PrivateQueueFormatName(
                data, destination_queue_end, end, limits
            )
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue, admin_queue_end = decode_PublicQueueFormatName(
                data, destination_queue_end, end, limits
            )
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue, admin_queue_end = decode_PrivateQueueFormatNameId(
                data, destination_queue_end, end, limits
            )
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = flags & 0x70000
        response_queue: Any
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue, response_queue_end = decode_DirectQueueFormatName(
                data, admin_queue_end, end, limits
            )
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue, response_queue_end = decode_PrivateQueueFormatName(
                data, admin_queue_end, end, limits
            )
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue, response_queue_end = decode_PublicQueueFormatName(
                data, admin_queue_end, end, limits
            )
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue, response_queue_end = decode_PrivateQueueFormatNameId(
                data, admin_queue_end, end, limits
            )
        elif response_queue_form in (0, 0x10000):  # RQ = 0 or 1
            response_queue = None
            response_queue_end = admin_queue_end
        else:
            raise Reject
        if flags & 0x400000:  # CQ
            connector_type_2_end = response_queue_end + 16
            if connector_type_2_end > end:
                raise Reject
            (connector_type_2,) = unpack_16s(data, response_queue_end)
            connector_type = GUID(connector_type_2)
            response_queue_end = connector_type_2_end
        else:
            connector_type = None
        destination_queue_end = response_queue_end
    else:
        admin_queue = response_queue = connector_type = None
    if destination_queue_end > end:
        raise Reject
    return new_UserHeader(
        *(
            GUID(source_queue_manager),
            GUID(queue_manager_address),
            time_to_be_received,
            sent_time,
            message_id,
            known_UserHeaderFlags[flags],
            destination_queue,
            admin_queue,
            response_queue,
            connector_type,
        )
    ), destination_queue_end


pack_16s16sIIII = Struct("<16s16sIIII").pack


def encode_UserHeader(record: UserHeader) -> bytes:
    destination_queue = record.DestinationQueue
    admin_queue = record.AdminQueue
    response_queue = record.ResponseQueue
    connector_type = record.ConnectorType
    return join(
        (
            pack_16s16sIIII(
                record.SourceQueueManager.bytes_le,
                record.QueueManagerAddress.bytes_le,
                record.TimeToBeReceived,
                record.SentTime,
                record.MessageID,
                record.Flags,
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
        )
    )


register(UserHeader, decode_UserHeader, encode_UserHeader)


# ----------------------------------------------------------- [MS-MQMQ] 2.2.19.3 MessagePropertiesHeader


class MessagePropertiesHeaderFlags(Flags):
    """Groups of `MessagePropertiesHeader.Flags`: administration acknowledgments asked for."""

    __slots__ = ()
    structure = "MessagePropertiesHeader"
    field = "Flags"
    defaults = 0x0

    if TYPE_CHECKING:

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
        return int(self) & 0x1

    @property
    def PR(self) -> int:
        """Acknowledge retrieval."""
        return int(self) >> 1 & 0x1

    @property
    def NA(self) -> int:
        """Acknowledge failure of delivery."""
        return int(self) >> 2 & 0x1

    @property
    def NR(self) -> int:
        """Acknowledge failure of retrieval."""
        return int(self) >> 3 & 0x1

    @property
    def X(self) -> int:
        """Unused."""
        return int(self) >> 4 & 0xF


class MessagePropertiesHeader(Record, frozen=True, gc=False):
    """A message's class, label and body ([MS-MQMQ] 2.2.19.3).

    Attributes:
        Flags: Administration acknowledgments asked for.
        LabelLength: WCHARs in Label, terminator included, at most 0xFA.
        MessageClass: Type of the message.
        CorrelationID: Application's data; in an acknowledgment the MessageIdentifier of the message
            acknowledged.
        BodyType: Variant type of the body.
        ApplicationTag: Application's number.
        MessageSize: Size of MessageBody in bytes.
        AllocationBodySize: Bytes allocated for MessageBody, at least MessageSize.
        PrivacyLevel: Encryption of the body.
        HashAlgorithm: Hash that the signature uses.
        EncryptionAlgorithm: Cipher of the body.
        ExtensionSize: Size of ExtensionData in bytes.
        Label: Application's description, terminator included.
        ExtensionData: Application's additional data.
        MessageBody: The message itself.
        Padding: To a multiple of 4 bytes; any value.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": MessagePropertiesHeaderFlags}

    Flags: MessagePropertiesHeaderFlags
    LabelLength: int
    MessageClass: int
    CorrelationID: bytes
    BodyType: int
    ApplicationTag: int
    MessageSize: int
    AllocationBodySize: int
    PrivacyLevel: int
    HashAlgorithm: int
    EncryptionAlgorithm: int
    ExtensionSize: int
    Label: str
    ExtensionData: bytes
    MessageBody: bytes
    Padding: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            Flags: MessagePropertiesHeaderFlags | int = ...,
            LabelLength: int = ...,
            MessageClass: int = 0,
            CorrelationID: _Bytes = ...,
            BodyType: int = 0,
            ApplicationTag: int = 0,
            MessageSize: int = ...,
            AllocationBodySize: int = ...,
            PrivacyLevel: int = 0,
            HashAlgorithm: int = 32782,
            EncryptionAlgorithm: int = ...,
            ExtensionSize: int = ...,
            Label: str = "",
            ExtensionData: _Bytes = b"",
            MessageBody: _Bytes = b"",
            Padding: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
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
        ) -> Self: ...

    @property
    def label(self) -> str:
        """From `Label`: the application's description, without its terminator; null characters within it stay."""
        return readings.label(self)

    @property
    def message_class(self) -> enumerations.MESSAGE_CLASS_VALUES | int:
        """From `MessageClass`: the member of the enumeration, or the number if it has none."""
        return readings.message_class(self)

    @property
    def correlation_identifier(self) -> mqmq.MessageIdentifier:
        """From `CorrelationID`: the message to which an acknowledgment or an answer refers; zero for none."""
        return readings.correlation_identifier(self)

    @property
    def typed_body(self) -> BodyValue:
        """From `MessageBody` and `BodyType`: text, number, GUID or another value of that type.

        Bytes if the type is unknown, or if the body does not match it.
        """
        return readings.typed_part(self)


known_MessagePropertiesHeaderFlags = MessagePropertiesHeaderFlags.cache
unpack_BBH20sIIIIIIII = Struct("<BBH20sIIIIIIII").unpack_from
new_MessagePropertiesHeader = MessagePropertiesHeader.raw


def decode_MessagePropertiesHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[MessagePropertiesHeader, int]:
    extension_size_end = pos + 56
    if extension_size_end > end:
        raise Reject
    (
        flags,
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
    ) = unpack_BBH20sIIIIIIII(data, pos)
    if label_length > limits.string_length:
        raise Reject
    label_end = extension_size_end + label_length * 2
    if label_end > end:
        raise Reject
    extension_data_end = label_end + extension_size
    message_body_end = extension_data_end + message_size
    padding_end = message_body_end + (-(label_length * 2 + extension_size + message_size) & 3)
    if padding_end > end:
        raise Reject
    return new_MessagePropertiesHeader(
        *(
            known_MessagePropertiesHeaderFlags[flags],
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
            data[message_body_end:padding_end],
        )
    ), padding_end


pack_BBH20sIIIIIIII = Struct("<BBH20sIIIIIIII").pack


def encode_MessagePropertiesHeader(record: MessagePropertiesHeader) -> bytes:
    return join(
        (
            pack_BBH20sIIIIIIII(
                record.Flags,
                record.LabelLength,
                record.MessageClass,
                record.CorrelationID,
                record.BodyType,
                record.ApplicationTag,
                record.MessageSize,
                record.AllocationBodySize,
                record.PrivacyLevel,
                record.HashAlgorithm,
                record.EncryptionAlgorithm,
                record.ExtensionSize,
            ),
            encode_utf16(record.Label, "surrogatepass")[0],
            record.ExtensionData,
            record.MessageBody,
            record.Padding,
        )
    )


register(MessagePropertiesHeader, decode_MessagePropertiesHeader, encode_MessagePropertiesHeader)


# ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.2 MQFAddressHeader


class MQFAddressHeader(Record, frozen=True, gc=False):
    """A list of queue names ([MS-MQMQ] 2.2.20.2).

    Attributes:
        HeaderSize: Size of this header in bytes, variable data included.
        HeaderID: Which list this is.
        Reserved: Zero when sent.
        ElementCount: Count of names.
        FormatNameList: The names.
        Padding: To a 4-byte boundary; any value.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    HeaderSize: int
    HeaderID: int
    Reserved: int
    ElementCount: int
    FormatNameList: tuple[mqmq.MQFFormatNameElement, ...]
    Padding: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            HeaderSize: int = ...,
            HeaderID: int = ...,
            Reserved: int = 0,
            ElementCount: int = ...,
            FormatNameList: Iterable[mqmq.MQFFormatNameElement] = (),
            Padding: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            HeaderSize: int = ...,
            HeaderID: int = ...,
            Reserved: int = ...,
            ElementCount: int = ...,
            FormatNameList: Iterable[mqmq.MQFFormatNameElement] = ...,
            Padding: _Bytes = ...,
        ) -> Self: ...

    @property
    def names(self) -> format_names.MultipleName | None:
        """From `FormatNameList`: the names as one multiple-element name; None for an empty list.

        Raises:
            EncodeError: The text of an element is not a direct name.
        """
        return readings.names(self)

    @property
    def is_packed(self) -> bool:
        """From `FormatNameList`: whether public names have no padding before them.

        The document does not state where they begin; the decoder determines it from `HeaderSize` and
        `ElementCount`.
        """
        return readings.is_packed(self)


unpack_IHHI = Struct("<IHHI").unpack_from
new_MQFAddressHeader = MQFAddressHeader.raw


def decode_MQFAddressHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[MQFAddressHeader, int]:
    element_count_end = pos + 12
    if element_count_end > end:
        raise Reject
    header_size, header_id, reserved, element_count = unpack_IHHI(data, pos)
    limit = pos + (header_size + 3 & -4)
    if limit > end:
        raise Reject
    if element_count_end > limit:
        raise Reject
    if element_count > limits.queues:
        raise Reject
    format_name_list = []
    first = element_count_end
    packed = None
    for _ in range(element_count):
        format_type_end = element_count_end + 2
        if format_type_end > limit:
            raise Reject
        (format_type,) = unpack_H(data, element_count_end)
        if packed is None and format_type == 1:
            packed = is_packed(
                MQFFormatNameElement.layout,
                decode_MQFFormatNameElement,
                data,
                first,
                limit,
                pos,
                element_count,
                pos + header_size,
                limits,
            )
        padding_end = format_type_end + (
            0 if packed and format_type == 1 else (pos - (format_type_end) & (1 if format_type == 3 else 3))
        )
        format_name_form = format_type
        if format_name_form == 6:
            distribution_list_identifier_end = padding_end + 16
            if distribution_list_identifier_end > limit:
                raise Reject
            (distribution_list_identifier,) = unpack_16s(data, padding_end)
            format_name = new_MQFDistributionQueueFormatName(*(GUID(distribution_list_identifier),))
            format_name_end = distribution_list_identifier_end
        elif format_name_form == 3:
            if padding_end > limit:
                raise Reject
            direct_format_name_end = find_terminator(data, padding_end, limit)
            if direct_format_name_end < 0:
                raise Reject
            if (direct_format_name_end - (padding_end)) // 2 > limits.string_length:
                raise Reject
            format_name = new_MQFDirectQueueFormatName(
                *(decode_utf16(data[padding_end:direct_format_name_end], "surrogatepass", True)[0],)
            )
            format_name_end = direct_format_name_end + 2
        elif format_name_form == 2:
            private_queue_identifier_end = padding_end + 20
            if private_queue_identifier_end > limit:
                raise Reject
            source_queue_manager, private_queue_identifier = unpack_16sI(data, padding_end)
            format_name = new_PrivateQueueFormatName(*(GUID(source_queue_manager), private_queue_identifier))
            format_name_end = private_queue_identifier_end
        elif format_name_form == 1:
            public_queue_identifier_end = padding_end + 16
            if public_queue_identifier_end > limit:
                raise Reject
            (public_queue_identifier,) = unpack_16s(data, padding_end)
            format_name = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
            format_name_end = public_queue_identifier_end
        else:
            raise Reject
        format_name_list.append(
            new_MQFFormatNameElement(*(format_type, data[format_type_end:padding_end], format_name))
        )
        element_count_end = format_name_end
    return new_MQFAddressHeader(
        *(
            header_size,
            header_id,
            reserved,
            element_count,
            tuple(format_name_list),
            data[element_count_end:limit],
        )
    ), limit


pack_IHHI = Struct("<IHHI").pack


def encode_MQFAddressHeader(record: MQFAddressHeader) -> bytes:
    return join(
        (
            pack_IHHI(record.HeaderSize, record.HeaderID, record.Reserved, record.ElementCount),
            join([encode_MQFFormatNameElement(item) for item in record.FormatNameList]),
            record.Padding,
        )
    )


register(MQFAddressHeader, decode_MQFAddressHeader, encode_MQFAddressHeader)


# ---------------------------------------------------------------- [MS-MQMQ] 2.2.20.3 MQFSignatureHeader


class MQFSignatureHeader(Record, frozen=True, gc=False):
    """The signature of a MultiQueueFormatHeader ([MS-MQMQ] 2.2.20.3).

    Attributes:
        ID: 0x015E.
        Reserved: Zero when sent.
        Size: Size of Signature in bytes.
        Signature: The signature.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    ID: int
    Reserved: int
    Size: int
    Signature: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            ID: int = 350,
            Reserved: int = 0,
            Size: int = ...,
            Signature: _Bytes = b"",
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            ID: int = ...,
            Reserved: int = ...,
            Size: int = ...,
            Signature: _Bytes = ...,
        ) -> Self: ...


unpack_HHI = Struct("<HHI").unpack_from
new_MQFSignatureHeader = MQFSignatureHeader.raw


def decode_MQFSignatureHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[MQFSignatureHeader, int]:
    size__end = pos + 8
    if size__end > end:
        raise Reject
    id_, reserved, size_ = unpack_HHI(data, pos)
    signature_end = size__end + size_
    if signature_end > end:
        raise Reject
    return new_MQFSignatureHeader(*(id_, reserved, size_, data[size__end:signature_end])), signature_end


pack_HHI = Struct("<HHI").pack


def encode_MQFSignatureHeader(record: MQFSignatureHeader) -> bytes:
    return join((pack_HHI(record.ID, record.Reserved, record.Size), record.Signature))


register(MQFSignatureHeader, decode_MQFSignatureHeader, encode_MQFSignatureHeader)


# ------------------------------------------------------------ [MS-MQMQ] 2.2.20.1 MultiQueueFormatHeader


class MultiQueueFormatHeader(Record, frozen=True, gc=False):
    """All destinations of a message that was sent to several queues ([MS-MQMQ] 2.2.20.1).

    Attributes:
        Destination: Every queue that was sent a copy.
        Administration: Administration queues.
        Response: Response queues.
        Signature: Signature of the packet.
        Padding: To a 4-byte boundary of the packet; any value.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Destination: mqmq.MQFAddressHeader
    Administration: mqmq.MQFAddressHeader
    Response: mqmq.MQFAddressHeader
    Signature: mqmq.MQFSignatureHeader
    Padding: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            Destination: mqmq.MQFAddressHeader = ...,
            Administration: mqmq.MQFAddressHeader = ...,
            Response: mqmq.MQFAddressHeader = ...,
            Signature: mqmq.MQFSignatureHeader = ...,
            Padding: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Destination: mqmq.MQFAddressHeader = ...,
            Administration: mqmq.MQFAddressHeader = ...,
            Response: mqmq.MQFAddressHeader = ...,
            Signature: mqmq.MQFSignatureHeader = ...,
            Padding: _Bytes = ...,
        ) -> Self: ...


new_MultiQueueFormatHeader = MultiQueueFormatHeader.raw


def decode_MultiQueueFormatHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[MultiQueueFormatHeader, int]:
    destination, destination_end = decode_MQFAddressHeader(data, pos, end, limits)
    administration, administration_end = decode_MQFAddressHeader(data, destination_end, end, limits)
    response, response_end = decode_MQFAddressHeader(data, administration_end, end, limits)
    size__end = response_end + 8
    if size__end > end:
        raise Reject
    id_, reserved, size_ = unpack_HHI(data, response_end)
    signature_end = size__end + size_
    if signature_end > end:
        raise Reject
    padding_end = signature_end + min((pos - (signature_end) & 3), end - (signature_end))
    if padding_end > end:
        raise Reject
    return new_MultiQueueFormatHeader(
        *(
            destination,
            administration,
            response,
            new_MQFSignatureHeader(*(id_, reserved, size_, data[size__end:signature_end])),
            data[signature_end:padding_end],
        )
    ), padding_end


def encode_MultiQueueFormatHeader(record: MultiQueueFormatHeader) -> bytes:
    destination = record.Destination
    administration = record.Administration
    response = record.Response
    signature = record.Signature
    return join(
        (
            pack_IHHI(
                destination.HeaderSize, destination.HeaderID, destination.Reserved, destination.ElementCount
            ),
            join([encode_MQFFormatNameElement(item) for item in destination.FormatNameList]),
            destination.Padding,
            pack_IHHI(
                administration.HeaderSize,
                administration.HeaderID,
                administration.Reserved,
                administration.ElementCount,
            ),
            join([encode_MQFFormatNameElement(item) for item in administration.FormatNameList]),
            administration.Padding,
            pack_IHHI(response.HeaderSize, response.HeaderID, response.Reserved, response.ElementCount),
            join([encode_MQFFormatNameElement(item) for item in response.FormatNameList]),
            response.Padding,
            pack_HHI(signature.ID, signature.Reserved, signature.Size),
            signature.Signature,
            record.Padding,
        )
    )


register(MultiQueueFormatHeader, decode_MultiQueueFormatHeader, encode_MultiQueueFormatHeader)


# --------------------------------------------------------------------- [MS-MQMQ] 2.2.20.4 SessionHeader


class SessionHeader(Record, frozen=True, gc=False):
    """Acknowledgments of the messages received on a session, and its window ([MS-MQMQ] 2.2.20.4).

    Attributes:
        AckSequenceNumber: UserMessage packets received on this session.
        RecoverableMsgAckSeqNumber: Lowest persisted recoverable message not yet acknowledged; 0: none.
        RecoverableMsgAckFlags: Bit k: recoverable message RecoverableMsgAckSeqNumber + k is on disk.
        UserMsgSequenceNumber: UserMessage packets sent on this session.
        RecoverableMsgSeqNumber: Recoverable UserMessage packets sent on this session.
        WindowSize: Acknowledgment window in packets, 1 to 0xFFFF.
        Reserved: Any value.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    AckSequenceNumber: int
    RecoverableMsgAckSeqNumber: int
    RecoverableMsgAckFlags: int
    UserMsgSequenceNumber: int
    RecoverableMsgSeqNumber: int
    WindowSize: int
    Reserved: int

    if TYPE_CHECKING:

        def __init__(
            self,
            AckSequenceNumber: int = 0,
            RecoverableMsgAckSeqNumber: int = 0,
            RecoverableMsgAckFlags: int = 0,
            UserMsgSequenceNumber: int = 0,
            RecoverableMsgSeqNumber: int = 0,
            WindowSize: int = 64,
            Reserved: int = 0,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            AckSequenceNumber: int = ...,
            RecoverableMsgAckSeqNumber: int = ...,
            RecoverableMsgAckFlags: int = ...,
            UserMsgSequenceNumber: int = ...,
            RecoverableMsgSeqNumber: int = ...,
            WindowSize: int = ...,
            Reserved: int = ...,
        ) -> Self: ...


new_SessionHeader = SessionHeader.raw
unpack_HHIHHHH = Struct("<HHIHHHH").unpack_from


def decode_SessionHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[SessionHeader, int]:
    reserved_end = pos + 16
    if reserved_end > end:
        raise Reject
    (
        ack_sequence_number,
        recoverable_msg_ack_seq_number,
        recoverable_msg_ack_flags,
        user_msg_sequence_number,
        recoverable_msg_seq_number,
        window_size,
        reserved,
    ) = unpack_HHIHHHH(data, pos)
    return new_SessionHeader(
        *(
            ack_sequence_number,
            recoverable_msg_ack_seq_number,
            recoverable_msg_ack_flags,
            user_msg_sequence_number,
            recoverable_msg_seq_number,
            window_size,
            reserved,
        )
    ), reserved_end


pack_HHIHHHH = Struct("<HHIHHHH").pack


def encode_SessionHeader(record: SessionHeader) -> bytes:
    return pack_HHIHHHH(
        record.AckSequenceNumber,
        record.RecoverableMsgAckSeqNumber,
        record.RecoverableMsgAckFlags,
        record.UserMsgSequenceNumber,
        record.RecoverableMsgSeqNumber,
        record.WindowSize,
        record.Reserved,
    )


register(SessionHeader, decode_SessionHeader, encode_SessionHeader)


# ----------------------------------------------------------------- [MS-MQMQ] 2.2.20.5 TransactionHeader


class TransactionHeaderFlags(Flags):
    """Groups of `TransactionHeader.Flags`: options of the transaction."""

    __slots__ = ()
    structure = "TransactionHeader"
    field = "Flags"
    defaults = 0x0

    if TYPE_CHECKING:

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
        return int(self) & 0x1

    @property
    def FA(self) -> int:
        """A FinalAck packet is required."""
        return int(self) >> 1 & 0x1

    @property
    def FM(self) -> int:
        """First message of its transaction."""
        return int(self) >> 2 & 0x1

    @property
    def LM(self) -> int:
        """Last message of its transaction."""
        return int(self) >> 3 & 0x1

    @property
    def ID(self) -> int:
        """Identifier that correlates the packets of one transaction."""
        return int(self) >> 4 & 0xFFFFF

    @property
    def X1(self) -> int:
        """Unused."""
        return int(self) >> 24 & 0x1

    @property
    def X2(self) -> int:
        """Unused."""
        return int(self) >> 25 & 0x1

    @property
    def X3(self) -> int:
        """Unused."""
        return int(self) >> 26 & 0x1

    @property
    def X4(self) -> int:
        """Unused."""
        return int(self) >> 27 & 0x1

    @property
    def X5(self) -> int:
        """Unused."""
        return int(self) >> 28 & 0x1

    @property
    def X6(self) -> int:
        """Unused."""
        return int(self) >> 29 & 0x1

    @property
    def X7(self) -> int:
        """Unused."""
        return int(self) >> 30 & 0x1

    @property
    def X8(self) -> int:
        """Unused."""
        return int(self) >> 31 & 0x1


class TransactionHeader(Record, frozen=True, gc=False):
    """The position of a message in its transactional sequence ([MS-MQMQ] 2.2.20.5).

    Attributes:
        Flags: Options of the transaction.
        TxSequenceID: The sequence that both numbers belong to.
        TxSequenceNumber: Position of the message in the sequence, from 1.
        PreviousTxSequenceNumber: Position of the previous message; 0: none.
        ConnectorQMGuid: Connector queue manager; present if Flags.CG is set.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": TransactionHeaderFlags}

    Flags: TransactionHeaderFlags
    TxSequenceID: mqmq.TxSequenceID
    TxSequenceNumber: int
    PreviousTxSequenceNumber: int
    ConnectorQMGuid: GUID | None

    if TYPE_CHECKING:

        def __init__(
            self,
            Flags: TransactionHeaderFlags | int = ...,
            TxSequenceID: mqmq.TxSequenceID = ...,
            TxSequenceNumber: int = 1,
            PreviousTxSequenceNumber: int = 0,
            ConnectorQMGuid: _Guid | None = None,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Flags: TransactionHeaderFlags | int = ...,
            TxSequenceID: mqmq.TxSequenceID = ...,
            TxSequenceNumber: int = ...,
            PreviousTxSequenceNumber: int = ...,
            ConnectorQMGuid: _Guid | None = ...,
        ) -> Self: ...


known_TransactionHeaderFlags = TransactionHeaderFlags.cache
unpack_IIIII = Struct("<IIIII").unpack_from
new_TransactionHeader = TransactionHeader.raw


def decode_TransactionHeader(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[TransactionHeader, int]:
    previous_tx_sequence_number_end = pos + 20
    if previous_tx_sequence_number_end > end:
        raise Reject
    flags, ordinal, time_stamp, tx_sequence_number, previous_tx_sequence_number = unpack_IIIII(data, pos)
    if flags & 0x1:  # CG
        connector_qm_guid_2_end = previous_tx_sequence_number_end + 16
        if connector_qm_guid_2_end > end:
            raise Reject
        (connector_qm_guid_2,) = unpack_16s(data, previous_tx_sequence_number_end)
        connector_qm_guid = GUID(connector_qm_guid_2)
        previous_tx_sequence_number_end = connector_qm_guid_2_end
    else:
        connector_qm_guid = None
    return new_TransactionHeader(
        *(
            known_TransactionHeaderFlags[flags],
            new_TxSequenceID(*(ordinal, time_stamp)),
            tx_sequence_number,
            previous_tx_sequence_number,
            connector_qm_guid,
        )
    ), previous_tx_sequence_number_end


pack_IIIII = Struct("<IIIII").pack


def encode_TransactionHeader(record: TransactionHeader) -> bytes:
    tx_sequence_id = record.TxSequenceID
    connector_qm_guid = record.ConnectorQMGuid
    return join(
        (
            pack_IIIII(
                record.Flags,
                tx_sequence_id.Ordinal,
                tx_sequence_id.TimeStamp,
                record.TxSequenceNumber,
                record.PreviousTxSequenceNumber,
            ),
            (b"" if connector_qm_guid is None else connector_qm_guid.bytes_le),
        )
    )


register(TransactionHeader, decode_TransactionHeader, encode_TransactionHeader)


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SecurityData


class SecurityData(Record, frozen=True, gc=False):
    """The five parts; absent when all five sizes are zero ([MS-MQMQ] 2.2.20.6).

    Attributes:
        SecurityID: SID of the sender, or GUID of its queue manager.
        SecurityIDPadding: To a 4-byte boundary; the name is ours.
        EncryptionKey: Session key, see SIMPLEBLOB.
        EncryptionKeyPadding: To a 4-byte boundary; the name is ours.
        Signature: Digital signature of the packet.
        SignaturePadding: To a 4-byte boundary; the name is ours.
        SenderCert: X.509 certificate of the sender.
        SenderCertPadding: To a 4-byte boundary; the name is ours.
        ProviderInfo: Alternative provider, see ProviderInfo.
        ProviderInfoPadding: To a 4-byte boundary; the name is ours.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    SecurityID: bytes
    SecurityIDPadding: bytes
    EncryptionKey: bytes
    EncryptionKeyPadding: bytes
    Signature: bytes
    SignaturePadding: bytes
    SenderCert: bytes
    SenderCertPadding: bytes
    ProviderInfo: bytes
    ProviderInfoPadding: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            SecurityID: _Bytes = b"",
            SecurityIDPadding: _Bytes = ...,
            EncryptionKey: _Bytes = b"",
            EncryptionKeyPadding: _Bytes = ...,
            Signature: _Bytes = b"",
            SignaturePadding: _Bytes = ...,
            SenderCert: _Bytes = b"",
            SenderCertPadding: _Bytes = ...,
            ProviderInfo: _Bytes = b"",
            ProviderInfoPadding: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
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
        ) -> Self: ...


def encode_SecurityData(record: SecurityData) -> bytes:
    return join(
        (
            record.SecurityID,
            record.SecurityIDPadding,
            record.EncryptionKey,
            record.EncryptionKeyPadding,
            record.Signature,
            record.SignaturePadding,
            record.SenderCert,
            record.SenderCertPadding,
            record.ProviderInfo,
            record.ProviderInfoPadding,
        )
    )


register(SecurityData, None, encode_SecurityData)


# -------------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SecurityHeader


class SecurityHeaderFlags(Flags):
    """Groups of `SecurityHeader.Flags`: options of the security information."""

    __slots__ = ()
    structure = "SecurityHeader"
    field = "Flags"
    defaults = 0x0

    if TYPE_CHECKING:

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
        return int(self) & 0xF

    @property
    def AU(self) -> int:
        """Message is authenticated, zero when sent."""
        return int(self) >> 4 & 0x1

    @property
    def EB(self) -> int:
        """Body is encrypted."""
        return int(self) >> 5 & 0x1

    @property
    def DE(self) -> int:
        """Default cryptographic provider."""
        return int(self) >> 6 & 0x1

    @property
    def AI(self) -> int:
        """SecurityData is present."""
        return int(self) >> 7 & 0x1

    @property
    def AS(self) -> int:
        """Authentication signature type, zero when sent."""
        return int(self) >> 8 & 0xF

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


class SecurityHeader(Record, frozen=True, gc=False):
    """Sender's identity, keys, signature and certificate ([MS-MQMQ] 2.2.20.6).

    Attributes:
        Flags: Options of the security information.
        SenderIdSize: Size of SecurityData.SecurityID in bytes.
        EncryptionKeySize: Size of SecurityData.EncryptionKey in bytes.
        SignatureSize: Size of SecurityData.Signature in bytes.
        SenderCertSize: Size of SecurityData.SenderCert in bytes, at most 0xFFFF.
        ProviderInfoSize: Size of SecurityData.ProviderInfo in bytes.
        SecurityData: The five parts; absent when all five sizes are zero.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": SecurityHeaderFlags}

    Flags: SecurityHeaderFlags
    SenderIdSize: int
    EncryptionKeySize: int
    SignatureSize: int
    SenderCertSize: int
    ProviderInfoSize: int
    SecurityData: mqmq.SecurityData | None

    if TYPE_CHECKING:

        def __init__(
            self,
            Flags: SecurityHeaderFlags | int = ...,
            SenderIdSize: int = ...,
            EncryptionKeySize: int = ...,
            SignatureSize: int = ...,
            SenderCertSize: int = ...,
            ProviderInfoSize: int = ...,
            SecurityData: mqmq.SecurityData | None = None,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Flags: SecurityHeaderFlags | int = ...,
            SenderIdSize: int = ...,
            EncryptionKeySize: int = ...,
            SignatureSize: int = ...,
            SenderCertSize: int = ...,
            ProviderInfoSize: int = ...,
            SecurityData: mqmq.SecurityData | None = ...,
        ) -> Self: ...

    @property
    def sender(self) -> GUID | str | None:
        """From `SecurityData.SecurityID`: a queue manager's GUID, a SID as text, or None.

        None also if the bytes do not have the form that `Flags.ST` announces.
        """
        return readings.sender(self)

    @property
    def provider(self) -> mqmq.ProviderInfo | None:
        """From `SecurityData.ProviderInfo`: the alternative provider, or None.

        Raises:
            DecodeError: The bytes are not a ProviderInfo.
        """
        return readings.provider(self)


known_SecurityHeaderFlags = SecurityHeaderFlags.cache
unpack_HHHHII = Struct("<HHHHII").unpack_from
new_SecurityData = SecurityData.raw
new_SecurityHeader = SecurityHeader.raw


def decode_SecurityHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[SecurityHeader, int]:
    provider_info_size_end = pos + 16
    if provider_info_size_end > end:
        raise Reject
    flags, sender_id_size, encryption_key_size, signature_size, sender_cert_size, provider_info_size = (
        unpack_HHHHII(data, pos)
    )
    if sender_id_size | encryption_key_size | signature_size | sender_cert_size | provider_info_size:
        security_id_end = provider_info_size_end + sender_id_size
        security_id_padding_end = security_id_end + (-sender_id_size & 3)
        encryption_key_end = security_id_padding_end + encryption_key_size
        encryption_key_padding_end = encryption_key_end + (-encryption_key_size & 3)
        signature_end = encryption_key_padding_end + signature_size
        signature_padding_end = signature_end + (-signature_size & 3)
        sender_cert_end = signature_padding_end + sender_cert_size
        sender_cert_padding_end = sender_cert_end + (-sender_cert_size & 3)
        provider_info_end = sender_cert_padding_end + provider_info_size
        provider_info_padding_end = provider_info_end + (-provider_info_size & 3)
        security_data = new_SecurityData(
            *(
                data[provider_info_size_end:security_id_end],
                data[security_id_end:security_id_padding_end],
                data[security_id_padding_end:encryption_key_end],
                data[encryption_key_end:encryption_key_padding_end],
                data[encryption_key_padding_end:signature_end],
                data[signature_end:signature_padding_end],
                data[signature_padding_end:sender_cert_end],
                data[sender_cert_end:sender_cert_padding_end],
                data[sender_cert_padding_end:provider_info_end],
                data[provider_info_end:provider_info_padding_end],
            )
        )
        provider_info_size_end = provider_info_padding_end
    else:
        security_data = None
    if provider_info_size_end > end:
        raise Reject
    return new_SecurityHeader(
        *(
            known_SecurityHeaderFlags[flags],
            sender_id_size,
            encryption_key_size,
            signature_size,
            sender_cert_size,
            provider_info_size,
            security_data,
        )
    ), provider_info_size_end


pack_HHHHII = Struct("<HHHHII").pack


def encode_SecurityHeader(record: SecurityHeader) -> bytes:
    security_data = record.SecurityData
    if security_data is None:
        return pack_HHHHII(
            record.Flags,
            record.SenderIdSize,
            record.EncryptionKeySize,
            record.SignatureSize,
            record.SenderCertSize,
            record.ProviderInfoSize,
        )
    return join(
        (
            pack_HHHHII(
                record.Flags,
                record.SenderIdSize,
                record.EncryptionKeySize,
                record.SignatureSize,
                record.SenderCertSize,
                record.ProviderInfoSize,
            ),
            security_data.SecurityID,
            security_data.SecurityIDPadding,
            security_data.EncryptionKey,
            security_data.EncryptionKeyPadding,
            security_data.Signature,
            security_data.SignaturePadding,
            security_data.SenderCert,
            security_data.SenderCertPadding,
            security_data.ProviderInfo,
            security_data.ProviderInfoPadding,
        )
    )


register(SecurityHeader, decode_SecurityHeader, encode_SecurityHeader)


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 ProviderInfo


class ProviderInfo(Record, frozen=True, gc=False):
    """The cryptographic provider that made a signature, from `SecurityData.ProviderInfo` ([MS-MQMQ]
    2.2.20.6).

    Attributes:
        ProviderType: Type of the provider that made the signature.
        ProviderName: Its name, terminator not included.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    ProviderType: int
    ProviderName: str

    if TYPE_CHECKING:

        def __init__(
            self,
            ProviderType: int = 0,
            ProviderName: str = "",
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            ProviderType: int = ...,
            ProviderName: str = ...,
        ) -> Self: ...


new_ProviderInfo = ProviderInfo.raw


def decode_ProviderInfo(data: bytes, pos: int, end: int, limits: Limits) -> tuple[ProviderInfo, int]:
    provider_type_end = pos + 4
    if provider_type_end > end:
        raise Reject
    (provider_type,) = unpack_I(data, pos)
    provider_name_end = find_terminator(data, provider_type_end, end)
    if provider_name_end < 0:
        raise Reject
    if (provider_name_end - (provider_type_end)) // 2 > limits.string_length:
        raise Reject
    return new_ProviderInfo(
        *(provider_type, decode_utf16(data[provider_type_end:provider_name_end], "surrogatepass", True)[0])
    ), provider_name_end + 2


def encode_ProviderInfo(record: ProviderInfo) -> bytes:
    return join((pack_I(record.ProviderType), encode_utf16(record.ProviderName, "surrogatepass")[0], b"\0\0"))


register(ProviderInfo, decode_ProviderInfo, encode_ProviderInfo)


# --------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SenderCertPublicKey


class SenderCertPublicKey(Record, frozen=True, gc=False):
    """The public key in a sender's certificate ([MS-MQMQ] 2.2.20.6).

    Attributes:
        bType: 0x06, a public key; the page prints values only, so this name is ours.
        bVersion: 0x02; the name is ours.
        reserved: Zero; the name is ours.
        KeyType: The purpose of the key.
        magic: "RSA1"; the name is ours.
        LengthInBits: Length of Modulus in bits.
        PublicExponent: E of the key pair.
        Modulus: N of the key pair, little-endian, filled up with zeros.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    bType: int
    bVersion: int
    reserved: int
    KeyType: int
    magic: bytes
    LengthInBits: int
    PublicExponent: int
    Modulus: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            bType: int = 6,
            bVersion: int = 2,
            reserved: int = 0,
            KeyType: int = 9216,
            magic: _Bytes = ...,
            LengthInBits: int = ...,
            PublicExponent: int = 0x10001,
            Modulus: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            bType: int = ...,
            bVersion: int = ...,
            reserved: int = ...,
            KeyType: int = ...,
            magic: _Bytes = ...,
            LengthInBits: int = ...,
            PublicExponent: int = ...,
            Modulus: _Bytes = ...,
        ) -> Self: ...


unpack_BBHI4sII = Struct("<BBHI4sII").unpack_from
new_SenderCertPublicKey = SenderCertPublicKey.raw


def decode_SenderCertPublicKey(
    data: bytes, pos: int, end: int, limits: Limits
) -> tuple[SenderCertPublicKey, int]:
    public_exponent_end = pos + 20
    if public_exponent_end > end:
        raise Reject
    b_type, b_version, reserved, key_type, magic, length_in_bits, public_exponent = unpack_BBHI4sII(data, pos)
    return new_SenderCertPublicKey(
        *(
            b_type,
            b_version,
            reserved,
            key_type,
            magic,
            length_in_bits,
            public_exponent,
            data[public_exponent_end:end],
        )
    ), end


pack_BBHI4sII = Struct("<BBHI4sII").pack


def encode_SenderCertPublicKey(record: SenderCertPublicKey) -> bytes:
    return join(
        (
            pack_BBHI4sII(
                record.bType,
                record.bVersion,
                record.reserved,
                record.KeyType,
                record.magic,
                record.LengthInBits,
                record.PublicExponent,
            ),
            record.Modulus,
        )
    )


register(SenderCertPublicKey, decode_SenderCertPublicKey, encode_SenderCertPublicKey)


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.20.7 SoapHeader


class SoapHeader(Record, frozen=True, gc=False):
    """Two texts of the application ([MS-MQMQ] 2.2.20.7).

    Attributes:
        HeaderSectionID: 0x0320.
        Reserved: Zero when sent.
        HeaderDataLength: WCHARs in Header, terminator included.
        Header: Application's text, terminator included.
        HeaderPadding: To a 4-byte boundary if BodySectionID is aligned, otherwise absent; any value.
        BodySectionID: 0x0384.
        Reserved1: Zero when sent.
        BodyDataLength: WCHARs in Body, terminator included.
        Body: Application's text, terminator included.
        Padding: To a 4-byte boundary of the packet; any value.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    HeaderSectionID: int
    Reserved: int
    HeaderDataLength: int
    Header: str
    HeaderPadding: bytes
    BodySectionID: int
    Reserved1: int
    BodyDataLength: int
    Body: str
    Padding: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            HeaderSectionID: int = 800,
            Reserved: int = 0,
            HeaderDataLength: int = ...,
            Header: str = "",
            HeaderPadding: _Bytes = ...,
            BodySectionID: int = 900,
            Reserved1: int = 0,
            BodyDataLength: int = ...,
            Body: str = "",
            Padding: _Bytes = ...,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            HeaderSectionID: int = ...,
            Reserved: int = ...,
            HeaderDataLength: int = ...,
            Header: str = ...,
            HeaderPadding: _Bytes = ...,
            BodySectionID: int = ...,
            Reserved1: int = ...,
            BodyDataLength: int = ...,
            Body: str = ...,
            Padding: _Bytes = ...,
        ) -> Self: ...

    @property
    def is_padded(self) -> bool:
        """From `HeaderPadding`: whether `BodySectionID` is aligned instead of directly after `Header`.

        The document shows no padding there; the position of the number of `BodySectionID` decides.
        """
        return readings.is_padded(self)


new_SoapHeader = SoapHeader.raw


def decode_SoapHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[SoapHeader, int]:
    header_data_length_end = pos + 8
    if header_data_length_end > end:
        raise Reject
    header_section_id, reserved, header_data_length = unpack_HHI(data, pos)
    if header_data_length > limits.string_length:
        raise Reject
    header_end = header_data_length_end + header_data_length * 2
    if header_end > end:
        raise Reject
    header_padding_size = pos - (header_end) & 3
    if header_padding_size and (
        data.startswith(b"\x84\x03", header_end)
        or not data.startswith(b"\x84\x03", header_end + header_padding_size)
    ):
        header_padding_size = 0
    header_padding_end = header_end + header_padding_size
    body_data_length_end = header_padding_end + 8
    if body_data_length_end > end:
        raise Reject
    body_section_id, reserved1, body_data_length = unpack_HHI(data, header_padding_end)
    if body_data_length > limits.string_length:
        raise Reject
    body_end = body_data_length_end + body_data_length * 2
    if body_end > end:
        raise Reject
    padding_end = body_end + min((pos - (body_end) & 3), end - (body_end))
    if padding_end > end:
        raise Reject
    return new_SoapHeader(
        *(
            header_section_id,
            reserved,
            header_data_length,
            decode_utf16(data[header_data_length_end:header_end], "surrogatepass", True)[0],
            data[header_end:header_padding_end],
            body_section_id,
            reserved1,
            body_data_length,
            decode_utf16(data[body_data_length_end:body_end], "surrogatepass", True)[0],
            data[body_end:padding_end],
        )
    ), padding_end


def encode_SoapHeader(record: SoapHeader) -> bytes:
    return join(
        (
            pack_HHI(record.HeaderSectionID, record.Reserved, record.HeaderDataLength),
            encode_utf16(record.Header, "surrogatepass")[0],
            record.HeaderPadding,
            pack_HHI(record.BodySectionID, record.Reserved1, record.BodyDataLength),
            encode_utf16(record.Body, "surrogatepass")[0],
            record.Padding,
        )
    )


register(SoapHeader, decode_SoapHeader, encode_SoapHeader)


# ----------------------------------------------------------------------- [MS-MQMQ] 2.2.20.8 DebugHeader


class DebugHeaderFlags(Flags):
    """Groups of `DebugHeader.Flags`: options of tracing."""

    __slots__ = ()
    structure = "DebugHeader"
    field = "Flags"
    defaults = 0x0

    if TYPE_CHECKING:

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
        return int(self) & 0x3

    @property
    def X2(self) -> int:
        """Unused."""
        return int(self) >> 2 & 0x1

    @property
    def X3(self) -> int:
        """Unused."""
        return int(self) >> 3 & 0x1

    @property
    def X4(self) -> int:
        """Unused."""
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

    @property
    def X8(self) -> int:
        """Unused."""
        return int(self) >> 8 & 0x1

    @property
    def X9(self) -> int:
        """Unused."""
        return int(self) >> 9 & 0x1

    @property
    def X10(self) -> int:
        """Unused."""
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


class DebugHeader(Record, frozen=True, gc=False):
    """The queue that receives trace messages ([MS-MQMQ] 2.2.20.8).

    Attributes:
        Flags: Options of tracing.
        Reserved: Zero when sent.
        QueueIdentifier: Queue that receives trace messages; present if Flags.QT is 1.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {"Flags": DebugHeaderFlags}

    Flags: DebugHeaderFlags
    Reserved: int
    QueueIdentifier: GUID | None

    if TYPE_CHECKING:

        def __init__(
            self,
            Flags: DebugHeaderFlags | int = ...,
            Reserved: int = 0,
            QueueIdentifier: _Guid | None = None,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Flags: DebugHeaderFlags | int = ...,
            Reserved: int = ...,
            QueueIdentifier: _Guid | None = ...,
        ) -> Self: ...


known_DebugHeaderFlags = DebugHeaderFlags.cache
new_DebugHeader = DebugHeader.raw


def decode_DebugHeader(data: bytes, pos: int, end: int, limits: Limits) -> tuple[DebugHeader, int]:
    reserved_end = pos + 4
    if reserved_end > end:
        raise Reject
    flags, reserved = unpack_HH(data, pos)
    if (flags & 3) == 1:  # QT
        queue_identifier_2_end = reserved_end + 16
        if queue_identifier_2_end > end:
            raise Reject
        (queue_identifier_2,) = unpack_16s(data, reserved_end)
        queue_identifier = GUID(queue_identifier_2)
        reserved_end = queue_identifier_2_end
    else:
        queue_identifier = None
    return new_DebugHeader(*(known_DebugHeaderFlags[flags], reserved, queue_identifier)), reserved_end


def encode_DebugHeader(record: DebugHeader) -> bytes:
    queue_identifier = record.QueueIdentifier
    return join(
        (
            pack_HH(record.Flags, record.Reserved),
            (b"" if queue_identifier is None else queue_identifier.bytes_le),
        )
    )


register(DebugHeader, decode_DebugHeader, encode_DebugHeader)


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.22 MQUSERSIGNCERT


class MQUSERSIGNCERT(Record, frozen=True, gc=False):
    """A user's certificate with its digest and identifier ([MS-MQMQ] 2.2.22).

    Attributes:
        Digest: MD5 of Certificate.
        Identifier: Identifier of the certificate.
        CertificateLength: Size of Certificate in bytes.
        Certificate: X.509 certificate.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    Digest: bytes
    Identifier: GUID
    CertificateLength: int
    Certificate: bytes

    if TYPE_CHECKING:

        def __init__(
            self,
            Digest: _Bytes = ...,
            Identifier: _Guid = ...,
            CertificateLength: int = ...,
            Certificate: _Bytes = b"",
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            Digest: _Bytes = ...,
            Identifier: _Guid = ...,
            CertificateLength: int = ...,
            Certificate: _Bytes = ...,
        ) -> Self: ...


unpack_16s16sI = Struct("<16s16sI").unpack_from
new_MQUSERSIGNCERT = MQUSERSIGNCERT.raw


def decode_MQUSERSIGNCERT(
    data: bytes, pos: int, end: int, limits: Limits, origin: int | None = None
) -> tuple[MQUSERSIGNCERT, int]:
    certificate_length_end = pos + 36
    if certificate_length_end > end:
        raise Reject
    digest, identifier, certificate_length = unpack_16s16sI(data, pos)
    certificate_end = certificate_length_end + certificate_length
    if certificate_end > end:
        raise Reject
    return new_MQUSERSIGNCERT(
        *(digest, GUID(identifier), certificate_length, data[certificate_length_end:certificate_end])
    ), certificate_end


pack_16s16sI = Struct("<16s16sI").pack


def encode_MQUSERSIGNCERT(record: MQUSERSIGNCERT) -> bytes:
    return join(
        (
            pack_16s16sI(record.Digest, record.Identifier.bytes_le, record.CertificateLength),
            record.Certificate,
        )
    )


register(MQUSERSIGNCERT, decode_MQUSERSIGNCERT, encode_MQUSERSIGNCERT)


# --------------------------------------------------------------------- [MS-MQMQ] 2.2.21 MQUSERSIGNCERTS


class MQUSERSIGNCERTS(Record, frozen=True, gc=False):
    """All certificates of a user, as the directory keeps them ([MS-MQMQ] 2.2.21).

    Attributes:
        CertificateCount: Count of certificates.
        Certificates: The certificates.
    """

    flags: ClassVar[dict[str, type[Flags]]] = {}

    CertificateCount: int
    Certificates: tuple[mqmq.MQUSERSIGNCERT, ...]

    if TYPE_CHECKING:

        def __init__(
            self,
            CertificateCount: int = ...,
            Certificates: Iterable[mqmq.MQUSERSIGNCERT] = (),
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            CertificateCount: int = ...,
            Certificates: Iterable[mqmq.MQUSERSIGNCERT] = ...,
        ) -> Self: ...


new_MQUSERSIGNCERTS = MQUSERSIGNCERTS.raw


def decode_MQUSERSIGNCERTS(data: bytes, pos: int, end: int, limits: Limits) -> tuple[MQUSERSIGNCERTS, int]:
    certificate_count_end = pos + 4
    if certificate_count_end > end:
        raise Reject
    (certificate_count,) = unpack_I(data, pos)
    if certificate_count > limits.elements:
        raise Reject
    certificates = []
    for _ in range(certificate_count):
        certificate_length_end = certificate_count_end + 36
        if certificate_length_end > end:
            raise Reject
        digest, identifier, certificate_length = unpack_16s16sI(data, certificate_count_end)
        certificate_end = certificate_length_end + certificate_length
        if certificate_end > end:
            raise Reject
        certificates.append(
            new_MQUSERSIGNCERT(
                *(digest, GUID(identifier), certificate_length, data[certificate_length_end:certificate_end])
            )
        )
        certificate_count_end = certificate_end
    return new_MQUSERSIGNCERTS(*(certificate_count, tuple(certificates))), certificate_count_end


def encode_MQUSERSIGNCERTS(record: MQUSERSIGNCERTS) -> bytes:
    return join(
        (pack_I(record.CertificateCount), join([encode_MQUSERSIGNCERT(item) for item in record.Certificates]))
    )


register(MQUSERSIGNCERTS, decode_MQUSERSIGNCERTS, encode_MQUSERSIGNCERTS)
