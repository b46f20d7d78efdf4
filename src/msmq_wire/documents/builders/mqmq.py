"""Building the records of [MS-MQMQ]: the data structures of Message Queuing.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from msmq_wire.definitions.relations import FUNCTIONS
from msmq_wire.documents import layouts
from msmq_wire.documents.converters import queue_form
from msmq_wire.documents.mqmq import (
    MQDSPUBLICKEY,
    MQDSPUBLICKEYS,
    MQUSERSIGNCERT,
    MQUSERSIGNCERTS,
    MULTICAST_ID,
    OBJECTID,
    SEQUENCE_INFO,
    TA_ADDRESS,
    ULARGE_INTEGER,
    XACTUOW,
    BaseHeader,
    BaseHeaderFlags,
    DebugHeader,
    DebugHeaderFlags,
    DirectQueueFormatName,
    IPXAddress,
    MessageIdentifier,
    MessagePropertiesHeader,
    MessagePropertiesHeaderFlags,
    MQFAddressHeader,
    MQFDirectQueueFormatName,
    MQFDistributionQueueFormatName,
    MQFFormatNameElement,
    MQFSignatureHeader,
    MultiQueueFormatHeader,
    PrivateQueueFormatName,
    PrivateQueueFormatNameId,
    ProviderInfo,
    PublicQueueFormatName,
    SecurityData,
    SecurityHeader,
    SecurityHeaderFlags,
    SenderCertPublicKey,
    SessionHeader,
    SoapHeader,
    TransactionHeader,
    TransactionHeaderFlags,
    TxSequenceID,
    UserHeader,
    UserHeaderFlags,
    new_BaseHeader,
    new_DebugHeader,
    new_DirectQueueFormatName,
    new_IPXAddress,
    new_MessageIdentifier,
    new_MessagePropertiesHeader,
    new_MQDSPUBLICKEY,
    new_MQDSPUBLICKEYS,
    new_MQFAddressHeader,
    new_MQFDirectQueueFormatName,
    new_MQFDistributionQueueFormatName,
    new_MQFFormatNameElement,
    new_MQFSignatureHeader,
    new_MQUSERSIGNCERT,
    new_MQUSERSIGNCERTS,
    new_MULTICAST_ID,
    new_MultiQueueFormatHeader,
    new_OBJECTID,
    new_PrivateQueueFormatName,
    new_PrivateQueueFormatNameId,
    new_ProviderInfo,
    new_PublicQueueFormatName,
    new_SecurityData,
    new_SecurityHeader,
    new_SenderCertPublicKey,
    new_SEQUENCE_INFO,
    new_SessionHeader,
    new_SoapHeader,
    new_TA_ADDRESS,
    new_TransactionHeader,
    new_TxSequenceID,
    new_ULARGE_INTEGER,
    new_UserHeader,
    new_XACTUOW,
)
from msmq_wire.records import accept, replacing
from msmq_wire.records.omitted import KeptText, Omitted, OmittedBytes
from msmq_wire.records.plain import FieldSource
from msmq_wire.records.registry import register_builders as register
from msmq_wire.records.registry import size_of
from msmq_wire.values import plain
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.wchar import wchar_count

# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.1 MQDSPUBLICKEY


def size_MQDSPUBLICKEY(record: MQDSPUBLICKEY) -> int:
    s_provider_name = record.sProviderName
    a_buf = record.aBuf
    size = (
        12
        + ((len(s_provider_name) if s_provider_name.isascii() else wchar_count(s_provider_name)) * 2)
        + len(a_buf)
    )
    return size


refuse_arguments_MQDSPUBLICKEY = partial(replacing.refuse_arguments, layouts.MQDSPUBLICKEY)
integer_MQDSPUBLICKEY_ulKeyLen = accept.for_field(accept.integer, layouts.MQDSPUBLICKEY, "ulKeyLen")
integer_MQDSPUBLICKEY_ulProviderLen = accept.for_field(accept.integer, layouts.MQDSPUBLICKEY, "ulProviderLen")
integer_MQDSPUBLICKEY_ulProviderType = accept.for_field(
    accept.integer, layouts.MQDSPUBLICKEY, "ulProviderType"
)
text_MQDSPUBLICKEY_sProviderName = accept.for_field(accept.text, layouts.MQDSPUBLICKEY, "sProviderName")
raw_bytes_MQDSPUBLICKEY_aBuf = accept.for_field(accept.raw_bytes, layouts.MQDSPUBLICKEY, "aBuf")
refuse_size_MQDSPUBLICKEY = partial(
    replacing.refuse_size, layouts.MQDSPUBLICKEY, "sProviderName", "ulProviderLen", "WCHARs", 2147483647
)
refuse_size_MQDSPUBLICKEY_2 = partial(
    replacing.refuse_size, layouts.MQDSPUBLICKEY, "aBuf", "ulKeyLen", "bytes", 4294967295
)


def build_MQDSPUBLICKEY(
    ulKeyLen: Any = None,
    ulProviderLen: Any = None,
    ulProviderType: Any = None,
    sProviderName: Any = None,
    aBuf: Any = None,
    *more: Any,
    **unknown: Any,
) -> MQDSPUBLICKEY:
    if more or unknown:
        refuse_arguments_MQDSPUBLICKEY(more, unknown)
    if ulKeyLen is not None:
        if ulKeyLen.__class__ is not int or not 0 <= ulKeyLen <= 4294967295:
            ulKeyLen = integer_MQDSPUBLICKEY_ulKeyLen(ulKeyLen)
    if ulProviderLen is not None:
        if ulProviderLen.__class__ is not int or not 0 <= ulProviderLen <= 4294967295:
            ulProviderLen = integer_MQDSPUBLICKEY_ulProviderLen(ulProviderLen)
    if ulProviderType is None:
        ulProviderType = 1
    else:
        if ulProviderType.__class__ is not int or not 0 <= ulProviderType <= 4294967295:
            ulProviderType = integer_MQDSPUBLICKEY_ulProviderType(ulProviderType)
    if sProviderName is None:
        sProviderName = ""
    else:
        if sProviderName.__class__ is KeptText:
            sProviderName = str(sProviderName)
        else:
            if sProviderName.__class__ is not str or not sProviderName.isascii():
                sProviderName = text_MQDSPUBLICKEY_sProviderName(sProviderName)
            if ulProviderLen is None and sProviderName and sProviderName[-1] != "\0":
                sProviderName += "\0"
    if aBuf is None:
        aBuf = b""
    else:
        if aBuf.__class__ is not bytes:
            aBuf = raw_bytes_MQDSPUBLICKEY_aBuf(aBuf)
    _true_ulProviderLen = len(sProviderName) if sProviderName.isascii() else wchar_count(sProviderName)
    if ulProviderLen is None:
        ulProviderLen = _true_ulProviderLen
        if ulProviderLen > 2147483647:
            refuse_size_MQDSPUBLICKEY(ulProviderLen)
        ulProviderLen *= 2
    _true_ulKeyLen = len(aBuf)
    if ulKeyLen is None:
        ulKeyLen = _true_ulKeyLen
        if ulKeyLen > 4294967295:
            refuse_size_MQDSPUBLICKEY_2(ulKeyLen)
    record: MQDSPUBLICKEY = new_MQDSPUBLICKEY(*(ulKeyLen, ulProviderLen, ulProviderType, sProviderName, aBuf))
    return record


def plain_MQDSPUBLICKEY(record: MQDSPUBLICKEY) -> dict[str, Any]:
    return {
        "ulKeyLen": record.ulKeyLen,
        "ulProviderLen": record.ulProviderLen,
        "ulProviderType": record.ulProviderType,
        "sProviderName": record.sProviderName,
        "aBuf": record.aBuf.hex(),
    }


def from_plain_MQDSPUBLICKEY(fields: Any, path: str) -> MQDSPUBLICKEY:
    taken = FieldSource(layouts.MQDSPUBLICKEY, fields, path)
    record: MQDSPUBLICKEY = taken.make(
        MQDSPUBLICKEY,
        ulKeyLen=taken.value("ulKeyLen", plain.number),
        ulProviderLen=taken.value("ulProviderLen", plain.number),
        ulProviderType=taken.value("ulProviderType", plain.number),
        sProviderName=taken.value("sProviderName", plain.text),
        aBuf=taken.value("aBuf", plain.octets),
    )
    return record


register(
    MQDSPUBLICKEY, size_MQDSPUBLICKEY, build_MQDSPUBLICKEY, plain_MQDSPUBLICKEY, from_plain_MQDSPUBLICKEY
)


# ----------------------------------------------------------------------- [MS-MQMQ] 2.2.2 MQDSPUBLICKEYS


def size_MQDSPUBLICKEYS(record: MQDSPUBLICKEYS) -> int:
    a_public_keys = record.aPublicKeys
    size = 8 + sum(map(size_MQDSPUBLICKEY, a_public_keys))
    return size


refuse_arguments_MQDSPUBLICKEYS = partial(replacing.refuse_arguments, layouts.MQDSPUBLICKEYS)
integer_MQDSPUBLICKEYS_ulLen = accept.for_field(accept.integer, layouts.MQDSPUBLICKEYS, "ulLen")
integer_MQDSPUBLICKEYS_cNumofKeys = accept.for_field(accept.integer, layouts.MQDSPUBLICKEYS, "cNumofKeys")
parts_MQDSPUBLICKEYS_aPublicKeys = accept.for_field(
    accept.parts, layouts.MQDSPUBLICKEYS, "aPublicKeys", MQDSPUBLICKEY
)
refuse_size_MQDSPUBLICKEYS = partial(
    replacing.refuse_size, layouts.MQDSPUBLICKEYS, "aPublicKeys", "cNumofKeys", "elements", 4294967295
)


def build_MQDSPUBLICKEYS(
    ulLen: Any = None, cNumofKeys: Any = None, aPublicKeys: Any = None, *more: Any, **unknown: Any
) -> MQDSPUBLICKEYS:
    if more or unknown:
        refuse_arguments_MQDSPUBLICKEYS(more, unknown)
    if ulLen is not None:
        if ulLen.__class__ is not int or not 0 <= ulLen <= 4294967295:
            ulLen = integer_MQDSPUBLICKEYS_ulLen(ulLen)
    if cNumofKeys is not None:
        if cNumofKeys.__class__ is not int or not 0 <= cNumofKeys <= 4294967295:
            cNumofKeys = integer_MQDSPUBLICKEYS_cNumofKeys(cNumofKeys)
    if aPublicKeys is None:
        aPublicKeys = ()
    else:
        aPublicKeys = parts_MQDSPUBLICKEYS_aPublicKeys(aPublicKeys)
    _true_cNumofKeys = len(aPublicKeys)
    if cNumofKeys is None:
        cNumofKeys = _true_cNumofKeys
        if cNumofKeys > 4294967295:
            refuse_size_MQDSPUBLICKEYS(cNumofKeys)
    if ulLen is None:
        ulLen = 8 + sum(map(size_MQDSPUBLICKEY, aPublicKeys))
    record: MQDSPUBLICKEYS = new_MQDSPUBLICKEYS(*(ulLen, cNumofKeys, aPublicKeys))
    return record


def plain_MQDSPUBLICKEYS(record: MQDSPUBLICKEYS) -> dict[str, Any]:
    return {
        "ulLen": record.ulLen,
        "cNumofKeys": record.cNumofKeys,
        "aPublicKeys": [plain_MQDSPUBLICKEY(item) for item in record.aPublicKeys],
    }


def from_plain_MQDSPUBLICKEYS(fields: Any, path: str) -> MQDSPUBLICKEYS:
    taken = FieldSource(layouts.MQDSPUBLICKEYS, fields, path)
    record: MQDSPUBLICKEYS = taken.make(
        MQDSPUBLICKEYS,
        ulLen=taken.value("ulLen", plain.number),
        cNumofKeys=taken.value("cNumofKeys", plain.number),
        aPublicKeys=taken.parts("aPublicKeys", from_plain_MQDSPUBLICKEY),
    )
    return record


register(
    MQDSPUBLICKEYS, size_MQDSPUBLICKEYS, build_MQDSPUBLICKEYS, plain_MQDSPUBLICKEYS, from_plain_MQDSPUBLICKEYS
)


# --------------------------------------------------------------------------- [MS-MQMQ] 2.2.4 TA_ADDRESS


def size_TA_ADDRESS(record: TA_ADDRESS) -> int:
    address = record.Address
    size = 4 + len(address)
    return size


refuse_arguments_TA_ADDRESS = partial(replacing.refuse_arguments, layouts.TA_ADDRESS)
integer_TA_ADDRESS_AddressLength = accept.for_field(accept.integer, layouts.TA_ADDRESS, "AddressLength")
integer_TA_ADDRESS_AddressType = accept.for_field(accept.integer, layouts.TA_ADDRESS, "AddressType")
raw_bytes_TA_ADDRESS_Address = accept.for_field(accept.raw_bytes, layouts.TA_ADDRESS, "Address")
refuse_size_TA_ADDRESS = partial(
    replacing.refuse_size, layouts.TA_ADDRESS, "Address", "AddressLength", "bytes", 65535
)


def build_TA_ADDRESS(
    AddressLength: Any = None, AddressType: Any = None, Address: Any = None, *more: Any, **unknown: Any
) -> TA_ADDRESS:
    if more or unknown:
        refuse_arguments_TA_ADDRESS(more, unknown)
    if AddressLength is not None:
        if AddressLength.__class__ is not int or not 0 <= AddressLength <= 65535:
            AddressLength = integer_TA_ADDRESS_AddressLength(AddressLength)
    if AddressType is None:
        AddressType = 0
    else:
        if AddressType.__class__ is not int or not 0 <= AddressType <= 65535:
            AddressType = integer_TA_ADDRESS_AddressType(AddressType)
    if Address is None:
        Address = b""
    else:
        if Address.__class__ is not bytes:
            Address = raw_bytes_TA_ADDRESS_Address(Address)
    _true_AddressLength = len(Address)
    if AddressLength is None:
        AddressLength = _true_AddressLength
        if AddressLength > 65535:
            refuse_size_TA_ADDRESS(AddressLength)
    record: TA_ADDRESS = new_TA_ADDRESS(*(AddressLength, AddressType, Address))
    return record


def plain_TA_ADDRESS(record: TA_ADDRESS) -> dict[str, Any]:
    return {
        "AddressLength": record.AddressLength,
        "AddressType": record.AddressType,
        "Address": record.Address.hex(),
    }


def from_plain_TA_ADDRESS(fields: Any, path: str) -> TA_ADDRESS:
    taken = FieldSource(layouts.TA_ADDRESS, fields, path)
    record: TA_ADDRESS = taken.make(
        TA_ADDRESS,
        AddressLength=taken.value("AddressLength", plain.number),
        AddressType=taken.value("AddressType", plain.number),
        Address=taken.value("Address", plain.octets),
    )
    return record


register(TA_ADDRESS, size_TA_ADDRESS, build_TA_ADDRESS, plain_TA_ADDRESS, from_plain_TA_ADDRESS)


# ------------------------------------------------------------------------- [MS-MQMQ] 2.2.4.2 IPXAddress


def size_IPXAddress(record: IPXAddress) -> int:
    size = 10
    return size


refuse_arguments_IPXAddress = partial(replacing.refuse_arguments, layouts.IPXAddress)
ZEROS_4 = bytes(4)
raw_bytes_IPXAddress_Netnum = accept.for_field(accept.raw_bytes, layouts.IPXAddress, "Netnum")
ZEROS_6 = bytes(6)
raw_bytes_IPXAddress_nodenum = accept.for_field(accept.raw_bytes, layouts.IPXAddress, "nodenum")


def build_IPXAddress(Netnum: Any = None, nodenum: Any = None, *more: Any, **unknown: Any) -> IPXAddress:
    if more or unknown:
        refuse_arguments_IPXAddress(more, unknown)
    if Netnum is None:
        Netnum = ZEROS_4
    else:
        if Netnum.__class__ is not bytes or len(Netnum) != 4:
            Netnum = raw_bytes_IPXAddress_Netnum(Netnum)
    if nodenum is None:
        nodenum = ZEROS_6
    else:
        if nodenum.__class__ is not bytes or len(nodenum) != 6:
            nodenum = raw_bytes_IPXAddress_nodenum(nodenum)
    record: IPXAddress = new_IPXAddress(*(Netnum, nodenum))
    return record


def plain_IPXAddress(record: IPXAddress) -> dict[str, Any]:
    return {
        "Netnum": record.Netnum.hex(),
        "nodenum": record.nodenum.hex(),
    }


def from_plain_IPXAddress(fields: Any, path: str) -> IPXAddress:
    taken = FieldSource(layouts.IPXAddress, fields, path)
    record: IPXAddress = taken.make(
        IPXAddress, Netnum=taken.value("Netnum", plain.octets), nodenum=taken.value("nodenum", plain.octets)
    )
    return record


register(IPXAddress, size_IPXAddress, build_IPXAddress, plain_IPXAddress, from_plain_IPXAddress)


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.5.1 SEQUENCE_INFO


def size_SEQUENCE_INFO(record: SEQUENCE_INFO) -> int:
    size = 16
    return size


refuse_arguments_SEQUENCE_INFO = partial(replacing.refuse_arguments, layouts.SEQUENCE_INFO)
integer_SEQUENCE_INFO_SeqID = accept.for_field(accept.integer, layouts.SEQUENCE_INFO, "SeqID")
integer_SEQUENCE_INFO_SeqNo = accept.for_field(accept.integer, layouts.SEQUENCE_INFO, "SeqNo")
integer_SEQUENCE_INFO_PrevNo = accept.for_field(accept.integer, layouts.SEQUENCE_INFO, "PrevNo")


def build_SEQUENCE_INFO(
    SeqID: Any = None, SeqNo: Any = None, PrevNo: Any = None, *more: Any, **unknown: Any
) -> SEQUENCE_INFO:
    if more or unknown:
        refuse_arguments_SEQUENCE_INFO(more, unknown)
    if SeqID is None:
        SeqID = 0
    else:
        if SeqID.__class__ is not int or not -9223372036854775808 <= SeqID <= 9223372036854775807:
            SeqID = integer_SEQUENCE_INFO_SeqID(SeqID)
    if SeqNo is None:
        SeqNo = 0
    else:
        if SeqNo.__class__ is not int or not 0 <= SeqNo <= 4294967295:
            SeqNo = integer_SEQUENCE_INFO_SeqNo(SeqNo)
    if PrevNo is None:
        PrevNo = 0
    else:
        if PrevNo.__class__ is not int or not 0 <= PrevNo <= 4294967295:
            PrevNo = integer_SEQUENCE_INFO_PrevNo(PrevNo)
    record: SEQUENCE_INFO = new_SEQUENCE_INFO(*(SeqID, SeqNo, PrevNo))
    return record


def plain_SEQUENCE_INFO(record: SEQUENCE_INFO) -> dict[str, Any]:
    return {
        "SeqID": record.SeqID,
        "SeqNo": record.SeqNo,
        "PrevNo": record.PrevNo,
    }


def from_plain_SEQUENCE_INFO(fields: Any, path: str) -> SEQUENCE_INFO:
    taken = FieldSource(layouts.SEQUENCE_INFO, fields, path)
    record: SEQUENCE_INFO = taken.make(
        SEQUENCE_INFO,
        SeqID=taken.value("SeqID", plain.number),
        SeqNo=taken.value("SeqNo", plain.number),
        PrevNo=taken.value("PrevNo", plain.number),
    )
    return record


register(
    SEQUENCE_INFO, size_SEQUENCE_INFO, build_SEQUENCE_INFO, plain_SEQUENCE_INFO, from_plain_SEQUENCE_INFO
)


# ----------------------------------------------------------------------------- [MS-MQMQ] 2.2.8 OBJECTID


def size_OBJECTID(record: OBJECTID) -> int:
    size = 20
    return size


refuse_arguments_OBJECTID = partial(replacing.refuse_arguments, layouts.OBJECTID)
guid_OBJECTID_Lineage = accept.for_field(accept.guid, layouts.OBJECTID, "Lineage")
integer_OBJECTID_Uniquifier = accept.for_field(accept.integer, layouts.OBJECTID, "Uniquifier")


def build_OBJECTID(Lineage: Any = None, Uniquifier: Any = None, *more: Any, **unknown: Any) -> OBJECTID:
    if more or unknown:
        refuse_arguments_OBJECTID(more, unknown)
    if Lineage is None:
        Lineage = NULL_GUID
    else:
        if not (
            Lineage.__class__ is GUID and (_raw := Lineage.bytes_le).__class__ is bytes and len(_raw) == 16
        ):
            Lineage = guid_OBJECTID_Lineage(Lineage)
    if Uniquifier is None:
        Uniquifier = 0
    else:
        if Uniquifier.__class__ is not int or not 0 <= Uniquifier <= 4294967295:
            Uniquifier = integer_OBJECTID_Uniquifier(Uniquifier)
    record: OBJECTID = new_OBJECTID(*(Lineage, Uniquifier))
    return record


def plain_OBJECTID(record: OBJECTID) -> dict[str, Any]:
    return {
        "Lineage": record.Lineage.__str__(),
        "Uniquifier": record.Uniquifier,
    }


def from_plain_OBJECTID(fields: Any, path: str) -> OBJECTID:
    taken = FieldSource(layouts.OBJECTID, fields, path)
    record: OBJECTID = taken.make(
        OBJECTID,
        Lineage=taken.value("Lineage", plain.guid),
        Uniquifier=taken.value("Uniquifier", plain.number),
    )
    return record


register(OBJECTID, size_OBJECTID, build_OBJECTID, plain_OBJECTID, from_plain_OBJECTID)


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.10 MULTICAST_ID


def size_MULTICAST_ID(record: MULTICAST_ID) -> int:
    size = 8
    return size


refuse_arguments_MULTICAST_ID = partial(replacing.refuse_arguments, layouts.MULTICAST_ID)
integer_MULTICAST_ID_m_address = accept.for_field(accept.integer, layouts.MULTICAST_ID, "m_address")
integer_MULTICAST_ID_m_port = accept.for_field(accept.integer, layouts.MULTICAST_ID, "m_port")


def build_MULTICAST_ID(m_address: Any = None, m_port: Any = None, *more: Any, **unknown: Any) -> MULTICAST_ID:
    if more or unknown:
        refuse_arguments_MULTICAST_ID(more, unknown)
    if m_address is None:
        m_address = 0
    else:
        if m_address.__class__ is not int or not 0 <= m_address <= 4294967295:
            m_address = integer_MULTICAST_ID_m_address(m_address)
    if m_port is None:
        m_port = 0
    else:
        if m_port.__class__ is not int or not 0 <= m_port <= 4294967295:
            m_port = integer_MULTICAST_ID_m_port(m_port)
    record: MULTICAST_ID = new_MULTICAST_ID(*(m_address, m_port))
    return record


def plain_MULTICAST_ID(record: MULTICAST_ID) -> dict[str, Any]:
    return {
        "m_address": record.m_address,
        "m_port": record.m_port,
    }


def from_plain_MULTICAST_ID(fields: Any, path: str) -> MULTICAST_ID:
    taken = FieldSource(layouts.MULTICAST_ID, fields, path)
    record: MULTICAST_ID = taken.make(
        MULTICAST_ID,
        m_address=taken.value("m_address", plain.number),
        m_port=taken.value("m_port", plain.number),
    )
    return record


register(MULTICAST_ID, size_MULTICAST_ID, build_MULTICAST_ID, plain_MULTICAST_ID, from_plain_MULTICAST_ID)


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.17 ULARGE_INTEGER


def size_ULARGE_INTEGER(record: ULARGE_INTEGER) -> int:
    size = 8
    return size


refuse_arguments_ULARGE_INTEGER = partial(replacing.refuse_arguments, layouts.ULARGE_INTEGER)
integer_ULARGE_INTEGER_QuadPart = accept.for_field(accept.integer, layouts.ULARGE_INTEGER, "QuadPart")


def build_ULARGE_INTEGER(QuadPart: Any = None, *more: Any, **unknown: Any) -> ULARGE_INTEGER:
    if more or unknown:
        refuse_arguments_ULARGE_INTEGER(more, unknown)
    if QuadPart is None:
        QuadPart = 0
    else:
        if QuadPart.__class__ is not int or not 0 <= QuadPart <= 18446744073709551615:
            QuadPart = integer_ULARGE_INTEGER_QuadPart(QuadPart)
    record: ULARGE_INTEGER = new_ULARGE_INTEGER(*(QuadPart,))
    return record


def plain_ULARGE_INTEGER(record: ULARGE_INTEGER) -> dict[str, Any]:
    return {
        "QuadPart": record.QuadPart,
    }


def from_plain_ULARGE_INTEGER(fields: Any, path: str) -> ULARGE_INTEGER:
    taken = FieldSource(layouts.ULARGE_INTEGER, fields, path)
    record: ULARGE_INTEGER = taken.make(ULARGE_INTEGER, QuadPart=taken.value("QuadPart", plain.number))
    return record


register(
    ULARGE_INTEGER, size_ULARGE_INTEGER, build_ULARGE_INTEGER, plain_ULARGE_INTEGER, from_plain_ULARGE_INTEGER
)


# -------------------------------------------------------------------- [MS-MQMQ] 2.2.18.1.2 TxSequenceID


def size_TxSequenceID(record: TxSequenceID) -> int:
    size = 8
    return size


refuse_arguments_TxSequenceID = partial(replacing.refuse_arguments, layouts.TxSequenceID)
integer_TxSequenceID_Ordinal = accept.for_field(accept.integer, layouts.TxSequenceID, "Ordinal")
integer_TxSequenceID_TimeStamp = accept.for_field(accept.integer, layouts.TxSequenceID, "TimeStamp")


def build_TxSequenceID(
    Ordinal: Any = None, TimeStamp: Any = None, *more: Any, **unknown: Any
) -> TxSequenceID:
    if more or unknown:
        refuse_arguments_TxSequenceID(more, unknown)
    if Ordinal is None:
        Ordinal = 0
    else:
        if Ordinal.__class__ is not int or not 0 <= Ordinal <= 4294967295:
            Ordinal = integer_TxSequenceID_Ordinal(Ordinal)
    if TimeStamp is None:
        TimeStamp = 0
    else:
        if TimeStamp.__class__ is not int or not 0 <= TimeStamp <= 4294967295:
            TimeStamp = integer_TxSequenceID_TimeStamp(TimeStamp)
    record: TxSequenceID = new_TxSequenceID(*(Ordinal, TimeStamp))
    return record


def plain_TxSequenceID(record: TxSequenceID) -> dict[str, Any]:
    return {
        "Ordinal": record.Ordinal,
        "TimeStamp": record.TimeStamp,
    }


def from_plain_TxSequenceID(fields: Any, path: str) -> TxSequenceID:
    taken = FieldSource(layouts.TxSequenceID, fields, path)
    record: TxSequenceID = taken.make(
        TxSequenceID,
        Ordinal=taken.value("Ordinal", plain.number),
        TimeStamp=taken.value("TimeStamp", plain.number),
    )
    return record


register(TxSequenceID, size_TxSequenceID, build_TxSequenceID, plain_TxSequenceID, from_plain_TxSequenceID)


# --------------------------------------------------------------- [MS-MQMQ] 2.2.18.1.3 MessageIdentifier


def size_MessageIdentifier(record: MessageIdentifier) -> int:
    size = 20
    return size


refuse_arguments_MessageIdentifier = partial(replacing.refuse_arguments, layouts.MessageIdentifier)
guid_MessageIdentifier_QueueManagerGuid = accept.for_field(
    accept.guid, layouts.MessageIdentifier, "QueueManagerGuid"
)
integer_MessageIdentifier_Ordinal = accept.for_field(accept.integer, layouts.MessageIdentifier, "Ordinal")


def build_MessageIdentifier(
    QueueManagerGuid: Any = None, Ordinal: Any = None, *more: Any, **unknown: Any
) -> MessageIdentifier:
    if more or unknown:
        refuse_arguments_MessageIdentifier(more, unknown)
    if QueueManagerGuid is None:
        QueueManagerGuid = NULL_GUID
    else:
        if not (
            QueueManagerGuid.__class__ is GUID
            and (_raw := QueueManagerGuid.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            QueueManagerGuid = guid_MessageIdentifier_QueueManagerGuid(QueueManagerGuid)
    if Ordinal is None:
        Ordinal = 0
    else:
        if Ordinal.__class__ is not int or not 0 <= Ordinal <= 4294967295:
            Ordinal = integer_MessageIdentifier_Ordinal(Ordinal)
    record: MessageIdentifier = new_MessageIdentifier(*(QueueManagerGuid, Ordinal))
    return record


def plain_MessageIdentifier(record: MessageIdentifier) -> dict[str, Any]:
    return {
        "QueueManagerGuid": record.QueueManagerGuid.__str__(),
        "Ordinal": record.Ordinal,
    }


def from_plain_MessageIdentifier(fields: Any, path: str) -> MessageIdentifier:
    taken = FieldSource(layouts.MessageIdentifier, fields, path)
    record: MessageIdentifier = taken.make(
        MessageIdentifier,
        QueueManagerGuid=taken.value("QueueManagerGuid", plain.guid),
        Ordinal=taken.value("Ordinal", plain.number),
    )
    return record


register(
    MessageIdentifier,
    size_MessageIdentifier,
    build_MessageIdentifier,
    plain_MessageIdentifier,
    from_plain_MessageIdentifier,
)


# ------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4.1 MQFDirectQueueFormatName


def size_MQFDirectQueueFormatName(record: MQFDirectQueueFormatName) -> int:
    direct_format_name = record.DirectFormatName
    size = (
        len(direct_format_name) if direct_format_name.isascii() else wchar_count(direct_format_name)
    ) * 2 + 2
    return size


refuse_arguments_MQFDirectQueueFormatName = partial(
    replacing.refuse_arguments, layouts.MQFDirectQueueFormatName
)
text_MQFDirectQueueFormatName_DirectFormatName = accept.for_field(
    accept.text, layouts.MQFDirectQueueFormatName, "DirectFormatName"
)


def build_MQFDirectQueueFormatName(
    DirectFormatName: Any = None, *more: Any, **unknown: Any
) -> MQFDirectQueueFormatName:
    if more or unknown:
        refuse_arguments_MQFDirectQueueFormatName(more, unknown)
    if DirectFormatName is None:
        DirectFormatName = ""
    else:
        if (
            DirectFormatName.__class__ is not str
            or not DirectFormatName.isascii()
            or "\0" in DirectFormatName
        ):
            DirectFormatName = text_MQFDirectQueueFormatName_DirectFormatName(DirectFormatName)
    record: MQFDirectQueueFormatName = new_MQFDirectQueueFormatName(*(DirectFormatName,))
    return record


def plain_MQFDirectQueueFormatName(record: MQFDirectQueueFormatName) -> dict[str, Any]:
    return {
        "DirectFormatName": record.DirectFormatName,
    }


def from_plain_MQFDirectQueueFormatName(fields: Any, path: str) -> MQFDirectQueueFormatName:
    taken = FieldSource(layouts.MQFDirectQueueFormatName, fields, path)
    record: MQFDirectQueueFormatName = taken.make(
        MQFDirectQueueFormatName, DirectFormatName=taken.value("DirectFormatName", plain.text)
    )
    return record


register(
    MQFDirectQueueFormatName,
    size_MQFDirectQueueFormatName,
    build_MQFDirectQueueFormatName,
    plain_MQFDirectQueueFormatName,
    from_plain_MQFDirectQueueFormatName,
)


# ------------------------------------------------ [MS-MQMQ] 2.2.18.1.4.2 MQFDistributionQueueFormatName


def size_MQFDistributionQueueFormatName(record: MQFDistributionQueueFormatName) -> int:
    size = 16
    return size


refuse_arguments_MQFDistributionQueueFormatName = partial(
    replacing.refuse_arguments, layouts.MQFDistributionQueueFormatName
)
guid_MQFDistributionQueueFormatName_DistributionListIdentifier = accept.for_field(
    accept.guid, layouts.MQFDistributionQueueFormatName, "DistributionListIdentifier"
)


def build_MQFDistributionQueueFormatName(
    DistributionListIdentifier: Any = None, *more: Any, **unknown: Any
) -> MQFDistributionQueueFormatName:
    if more or unknown:
        refuse_arguments_MQFDistributionQueueFormatName(more, unknown)
    if DistributionListIdentifier is None:
        DistributionListIdentifier = NULL_GUID
    else:
        if not (
            DistributionListIdentifier.__class__ is GUID
            and (_raw := DistributionListIdentifier.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            DistributionListIdentifier = guid_MQFDistributionQueueFormatName_DistributionListIdentifier(
                DistributionListIdentifier
            )
    record: MQFDistributionQueueFormatName = new_MQFDistributionQueueFormatName(
        *(DistributionListIdentifier,)
    )
    return record


def plain_MQFDistributionQueueFormatName(record: MQFDistributionQueueFormatName) -> dict[str, Any]:
    return {
        "DistributionListIdentifier": record.DistributionListIdentifier.__str__(),
    }


def from_plain_MQFDistributionQueueFormatName(fields: Any, path: str) -> MQFDistributionQueueFormatName:
    taken = FieldSource(layouts.MQFDistributionQueueFormatName, fields, path)
    record: MQFDistributionQueueFormatName = taken.make(
        MQFDistributionQueueFormatName,
        DistributionListIdentifier=taken.value("DistributionListIdentifier", plain.guid),
    )
    return record


register(
    MQFDistributionQueueFormatName,
    size_MQFDistributionQueueFormatName,
    build_MQFDistributionQueueFormatName,
    plain_MQFDistributionQueueFormatName,
    from_plain_MQFDistributionQueueFormatName,
)


# ------------------------------------------------------ [MS-MQMQ] 2.2.18.1.5.1 PrivateQueueFormatNameId


def size_PrivateQueueFormatNameId(record: PrivateQueueFormatNameId) -> int:
    size = 4
    return size


refuse_arguments_PrivateQueueFormatNameId = partial(
    replacing.refuse_arguments, layouts.PrivateQueueFormatNameId
)
integer_PrivateQueueFormatNameId_PrivateQueueIdentifier = accept.for_field(
    accept.integer, layouts.PrivateQueueFormatNameId, "PrivateQueueIdentifier"
)


def build_PrivateQueueFormatNameId(
    PrivateQueueIdentifier: Any = None, *more: Any, **unknown: Any
) -> PrivateQueueFormatNameId:
    if more or unknown:
        refuse_arguments_PrivateQueueFormatNameId(more, unknown)
    if PrivateQueueIdentifier is None:
        PrivateQueueIdentifier = 0
    else:
        if PrivateQueueIdentifier.__class__ is not int or not 0 <= PrivateQueueIdentifier <= 4294967295:
            PrivateQueueIdentifier = integer_PrivateQueueFormatNameId_PrivateQueueIdentifier(
                PrivateQueueIdentifier
            )
    record: PrivateQueueFormatNameId = new_PrivateQueueFormatNameId(*(PrivateQueueIdentifier,))
    return record


def plain_PrivateQueueFormatNameId(record: PrivateQueueFormatNameId) -> dict[str, Any]:
    return {
        "PrivateQueueIdentifier": record.PrivateQueueIdentifier,
    }


def from_plain_PrivateQueueFormatNameId(fields: Any, path: str) -> PrivateQueueFormatNameId:
    taken = FieldSource(layouts.PrivateQueueFormatNameId, fields, path)
    record: PrivateQueueFormatNameId = taken.make(
        PrivateQueueFormatNameId, PrivateQueueIdentifier=taken.value("PrivateQueueIdentifier", plain.number)
    )
    return record


register(
    PrivateQueueFormatNameId,
    size_PrivateQueueFormatNameId,
    build_PrivateQueueFormatNameId,
    plain_PrivateQueueFormatNameId,
    from_plain_PrivateQueueFormatNameId,
)


# --------------------------------------------------------- [MS-MQMQ] 2.2.18.1.5.2 DirectQueueFormatName


def size_DirectQueueFormatName(record: DirectQueueFormatName) -> int:
    direct_format_name = record.DirectFormatName
    padding = record.Padding
    size = (
        2
        + ((len(direct_format_name) if direct_format_name.isascii() else wchar_count(direct_format_name)) * 2)
        + len(padding)
    )
    return size


refuse_arguments_DirectQueueFormatName = partial(replacing.refuse_arguments, layouts.DirectQueueFormatName)
integer_DirectQueueFormatName_Count = accept.for_field(accept.integer, layouts.DirectQueueFormatName, "Count")
text_DirectQueueFormatName_DirectFormatName = accept.for_field(
    accept.text, layouts.DirectQueueFormatName, "DirectFormatName"
)
raw_bytes_DirectQueueFormatName_Padding = accept.for_field(
    accept.raw_bytes, layouts.DirectQueueFormatName, "Padding"
)
refuse_size_DirectQueueFormatName = partial(
    replacing.refuse_size, layouts.DirectQueueFormatName, "DirectFormatName", "Count", "WCHARs", 32767
)
PADDINGS = (b"", b"\x00", b"\x00\x00", b"\x00\x00\x00")


def build_DirectQueueFormatName(
    Count: Any = None, DirectFormatName: Any = None, Padding: Any = None, *more: Any, **unknown: Any
) -> DirectQueueFormatName:
    if more or unknown:
        refuse_arguments_DirectQueueFormatName(more, unknown)
    if Count is not None:
        if Count.__class__ is not int or not 0 <= Count <= 65535:
            Count = integer_DirectQueueFormatName_Count(Count)
    if DirectFormatName is None:
        DirectFormatName = ""
    else:
        if DirectFormatName.__class__ is KeptText:
            DirectFormatName = str(DirectFormatName)
        else:
            if DirectFormatName.__class__ is not str or not DirectFormatName.isascii():
                DirectFormatName = text_DirectQueueFormatName_DirectFormatName(DirectFormatName)
            if Count is None and DirectFormatName and DirectFormatName[-1] != "\0":
                DirectFormatName += "\0"
    if Padding is not None:
        if Padding.__class__ is not bytes:
            Padding = raw_bytes_DirectQueueFormatName_Padding(Padding)
    _true_Count = len(DirectFormatName) if DirectFormatName.isascii() else wchar_count(DirectFormatName)
    if Count is None:
        Count = _true_Count
        if Count > 32767:
            refuse_size_DirectQueueFormatName(Count)
        Count *= 2
    if Padding is None:
        Padding = PADDINGS[-(2 + (_true_Count * 2)) % 4]
    record: DirectQueueFormatName = new_DirectQueueFormatName(*(Count, DirectFormatName, Padding))
    return record


def plain_DirectQueueFormatName(record: DirectQueueFormatName) -> dict[str, Any]:
    return {
        "Count": record.Count,
        "DirectFormatName": record.DirectFormatName,
        "Padding": record.Padding.hex(),
    }


def from_plain_DirectQueueFormatName(fields: Any, path: str) -> DirectQueueFormatName:
    taken = FieldSource(layouts.DirectQueueFormatName, fields, path)
    record: DirectQueueFormatName = taken.make(
        DirectQueueFormatName,
        Count=taken.value("Count", plain.number),
        DirectFormatName=taken.value("DirectFormatName", plain.text),
        Padding=taken.value("Padding", plain.octets),
    )
    return record


register(
    DirectQueueFormatName,
    size_DirectQueueFormatName,
    build_DirectQueueFormatName,
    plain_DirectQueueFormatName,
    from_plain_DirectQueueFormatName,
)


# --------------------------------------------------------- [MS-MQMQ] 2.2.18.1.7.1 PublicQueueFormatName


def size_PublicQueueFormatName(record: PublicQueueFormatName) -> int:
    size = 16
    return size


refuse_arguments_PublicQueueFormatName = partial(replacing.refuse_arguments, layouts.PublicQueueFormatName)
guid_PublicQueueFormatName_PublicQueueIdentifier = accept.for_field(
    accept.guid, layouts.PublicQueueFormatName, "PublicQueueIdentifier"
)


def build_PublicQueueFormatName(
    PublicQueueIdentifier: Any = None, *more: Any, **unknown: Any
) -> PublicQueueFormatName:
    if more or unknown:
        refuse_arguments_PublicQueueFormatName(more, unknown)
    if PublicQueueIdentifier is None:
        PublicQueueIdentifier = NULL_GUID
    else:
        if not (
            PublicQueueIdentifier.__class__ is GUID
            and (_raw := PublicQueueIdentifier.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            PublicQueueIdentifier = guid_PublicQueueFormatName_PublicQueueIdentifier(PublicQueueIdentifier)
    record: PublicQueueFormatName = new_PublicQueueFormatName(*(PublicQueueIdentifier,))
    return record


def plain_PublicQueueFormatName(record: PublicQueueFormatName) -> dict[str, Any]:
    return {
        "PublicQueueIdentifier": record.PublicQueueIdentifier.__str__(),
    }


def from_plain_PublicQueueFormatName(fields: Any, path: str) -> PublicQueueFormatName:
    taken = FieldSource(layouts.PublicQueueFormatName, fields, path)
    record: PublicQueueFormatName = taken.make(
        PublicQueueFormatName, PublicQueueIdentifier=taken.value("PublicQueueIdentifier", plain.guid)
    )
    return record


register(
    PublicQueueFormatName,
    size_PublicQueueFormatName,
    build_PublicQueueFormatName,
    plain_PublicQueueFormatName,
    from_plain_PublicQueueFormatName,
)


# -------------------------------------------------------- [MS-MQMQ] 2.2.18.1.7.2 PrivateQueueFormatName


def size_PrivateQueueFormatName(record: PrivateQueueFormatName) -> int:
    size = 20
    return size


refuse_arguments_PrivateQueueFormatName = partial(replacing.refuse_arguments, layouts.PrivateQueueFormatName)
guid_PrivateQueueFormatName_SourceQueueManager = accept.for_field(
    accept.guid, layouts.PrivateQueueFormatName, "SourceQueueManager"
)
integer_PrivateQueueFormatName_PrivateQueueIdentifier = accept.for_field(
    accept.integer, layouts.PrivateQueueFormatName, "PrivateQueueIdentifier"
)


def build_PrivateQueueFormatName(
    SourceQueueManager: Any = None, PrivateQueueIdentifier: Any = None, *more: Any, **unknown: Any
) -> PrivateQueueFormatName:
    if more or unknown:
        refuse_arguments_PrivateQueueFormatName(more, unknown)
    if SourceQueueManager is None:
        SourceQueueManager = NULL_GUID
    else:
        if not (
            SourceQueueManager.__class__ is GUID
            and (_raw := SourceQueueManager.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            SourceQueueManager = guid_PrivateQueueFormatName_SourceQueueManager(SourceQueueManager)
    if PrivateQueueIdentifier is None:
        PrivateQueueIdentifier = 0
    else:
        if PrivateQueueIdentifier.__class__ is not int or not 0 <= PrivateQueueIdentifier <= 4294967295:
            PrivateQueueIdentifier = integer_PrivateQueueFormatName_PrivateQueueIdentifier(
                PrivateQueueIdentifier
            )
    record: PrivateQueueFormatName = new_PrivateQueueFormatName(*(SourceQueueManager, PrivateQueueIdentifier))
    return record


def plain_PrivateQueueFormatName(record: PrivateQueueFormatName) -> dict[str, Any]:
    return {
        "SourceQueueManager": record.SourceQueueManager.__str__(),
        "PrivateQueueIdentifier": record.PrivateQueueIdentifier,
    }


def from_plain_PrivateQueueFormatName(fields: Any, path: str) -> PrivateQueueFormatName:
    taken = FieldSource(layouts.PrivateQueueFormatName, fields, path)
    record: PrivateQueueFormatName = taken.make(
        PrivateQueueFormatName,
        SourceQueueManager=taken.value("SourceQueueManager", plain.guid),
        PrivateQueueIdentifier=taken.value("PrivateQueueIdentifier", plain.number),
    )
    return record


register(
    PrivateQueueFormatName,
    size_PrivateQueueFormatName,
    build_PrivateQueueFormatName,
    plain_PrivateQueueFormatName,
    from_plain_PrivateQueueFormatName,
)


# ------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4 MQFFormatNameElement


def size_MQFFormatNameElement(record: MQFFormatNameElement) -> int:
    padding = record.Padding
    format_name = record.FormatName
    size = 2 + len(padding)
    if format_name is not None:
        size += size_of(format_name)
    return size


refuse_arguments_MQFFormatNameElement = partial(replacing.refuse_arguments, layouts.MQFFormatNameElement)
integer_MQFFormatNameElement_FormatType = accept.for_field(
    accept.integer, layouts.MQFFormatNameElement, "FormatType"
)
raw_bytes_MQFFormatNameElement_Padding = accept.for_field(
    accept.raw_bytes, layouts.MQFFormatNameElement, "Padding"
)
form_MQFFormatNameElement_FormatName = accept.Forms(
    layouts.MQFFormatNameElement,
    "FormatName",
    PublicQueueFormatName,
    PrivateQueueFormatName,
    MQFDirectQueueFormatName,
    MQFDistributionQueueFormatName,
)
numbers_MQFFormatNameElement_FormatName = {
    PublicQueueFormatName: (1,),
    PrivateQueueFormatName: (2,),
    MQFDirectQueueFormatName: (3,),
    MQFDistributionQueueFormatName: (6,),
}
refuse_missing_MQFFormatNameElement = partial(
    replacing.refuse_missing, layouts.MQFFormatNameElement, "FormatName"
)
boundaries_MQFFormatNameElement = {3: 2}


def build_MQFFormatNameElement(
    FormatType: Any = None, Padding: Any = None, FormatName: Any = None, *more: Any, **unknown: Any
) -> MQFFormatNameElement:
    if more or unknown:
        refuse_arguments_MQFFormatNameElement(more, unknown)
    if FormatType is not None:
        if FormatType.__class__ is not int or not 0 <= FormatType <= 65535:
            FormatType = integer_MQFFormatNameElement_FormatType(FormatType)
    if Padding is not None:
        if Padding.__class__ is not bytes:
            Padding = raw_bytes_MQFFormatNameElement_Padding(Padding)
    if FormatName is not None:
        if FormatName.__class__ not in form_MQFFormatNameElement_FormatName.classes:
            form_MQFFormatNameElement_FormatName(FormatName)
    _numbers = numbers_MQFFormatNameElement_FormatName.get(FormatName.__class__)
    if _numbers is None:
        refuse_missing_MQFFormatNameElement()
    if FormatType is None:
        FormatType = _numbers[0]
    if Padding is None:
        Padding = OmittedBytes(bytes(-(2) % boundaries_MQFFormatNameElement.get(FormatType, 4)))
    record: MQFFormatNameElement = new_MQFFormatNameElement(*(FormatType, Padding, FormatName))
    return record


def plain_MQFFormatNameElement(record: MQFFormatNameElement) -> dict[str, Any]:
    format_name = record.FormatName
    return {
        "FormatType": record.FormatType,
        "Padding": record.Padding.hex(),
        "FormatName": None if format_name is None else format_name._plain(),
    }


def from_plain_MQFFormatNameElement(fields: Any, path: str) -> MQFFormatNameElement:
    taken = FieldSource(layouts.MQFFormatNameElement, fields, path)
    record: MQFFormatNameElement = taken.make(
        MQFFormatNameElement,
        FormatType=taken.value("FormatType", plain.number),
        Padding=taken.value("Padding", plain.octets),
        FormatName=taken.form("FormatName"),
    )
    return record


register(
    MQFFormatNameElement,
    size_MQFFormatNameElement,
    build_MQFFormatNameElement,
    plain_MQFFormatNameElement,
    from_plain_MQFFormatNameElement,
)


# ------------------------------------------------------------------------- [MS-MQMQ] 2.2.18.1.8 XACTUOW


def size_XACTUOW(record: XACTUOW) -> int:
    size = 16
    return size


refuse_arguments_XACTUOW = partial(replacing.refuse_arguments, layouts.XACTUOW)
ZEROS_16 = bytes(16)
raw_bytes_XACTUOW_rgb = accept.for_field(accept.raw_bytes, layouts.XACTUOW, "rgb")


def build_XACTUOW(rgb: Any = None, *more: Any, **unknown: Any) -> XACTUOW:
    if more or unknown:
        refuse_arguments_XACTUOW(more, unknown)
    if rgb is None:
        rgb = ZEROS_16
    else:
        if rgb.__class__ is not bytes or len(rgb) != 16:
            rgb = raw_bytes_XACTUOW_rgb(rgb)
    record: XACTUOW = new_XACTUOW(*(rgb,))
    return record


def plain_XACTUOW(record: XACTUOW) -> dict[str, Any]:
    return {
        "rgb": record.rgb.hex(),
    }


def from_plain_XACTUOW(fields: Any, path: str) -> XACTUOW:
    taken = FieldSource(layouts.XACTUOW, fields, path)
    record: XACTUOW = taken.make(XACTUOW, rgb=taken.value("rgb", plain.octets))
    return record


register(XACTUOW, size_XACTUOW, build_XACTUOW, plain_XACTUOW, from_plain_XACTUOW)


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.19.1 BaseHeader


def size_BaseHeader(record: BaseHeader) -> int:
    size = 16
    return size


refuse_arguments_BaseHeader = partial(replacing.refuse_arguments, layouts.BaseHeader)
integer_BaseHeader_VersionNumber = accept.for_field(accept.integer, layouts.BaseHeader, "VersionNumber")
integer_BaseHeader_Reserved = accept.for_field(accept.integer, layouts.BaseHeader, "Reserved")
class_BaseHeaderFlags = BaseHeaderFlags
partial_BaseHeaderFlags = BaseHeaderFlags.partial
integer_BaseHeader_Signature = accept.for_field(accept.integer, layouts.BaseHeader, "Signature")
LEFT_OUT_0 = Omitted(0)
integer_BaseHeader_PacketSize = accept.for_field(accept.integer, layouts.BaseHeader, "PacketSize")
integer_BaseHeader_TimeToReachQueue = accept.for_field(accept.integer, layouts.BaseHeader, "TimeToReachQueue")
open_BaseHeaderFlags = BaseHeaderFlags.open_words


def build_BaseHeader(
    VersionNumber: Any = None,
    Reserved: Any = None,
    Flags: Any = None,
    Signature: Any = None,
    PacketSize: Any = None,
    TimeToReachQueue: Any = None,
    *more: Any,
    **unknown: Any,
) -> BaseHeader:
    if more or unknown:
        refuse_arguments_BaseHeader(more, unknown)
    if VersionNumber is None:
        VersionNumber = 16
    else:
        if VersionNumber.__class__ is not int or not 0 <= VersionNumber <= 255:
            VersionNumber = integer_BaseHeader_VersionNumber(VersionNumber)
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 255:
            Reserved = integer_BaseHeader_Reserved(Reserved)
    if Flags is None:
        pass
    elif Flags.__class__ is partial_BaseHeaderFlags:
        _given_Flags = Flags.given
    else:
        if Flags.__class__ is not class_BaseHeaderFlags:
            Flags = class_BaseHeaderFlags(Flags)
        _given_Flags = 0xFFFF
    if Signature is None:
        Signature = 1380927820
    else:
        if Signature.__class__ is not int or not 0 <= Signature <= 4294967295:
            Signature = integer_BaseHeader_Signature(Signature)
    if PacketSize is None:
        PacketSize = LEFT_OUT_0
    else:
        if PacketSize.__class__ is not int or not 0 <= PacketSize <= 4294967295:
            PacketSize = integer_BaseHeader_PacketSize(PacketSize)
    if TimeToReachQueue is None:
        TimeToReachQueue = 4294967295
    else:
        if TimeToReachQueue.__class__ is not int or not 0 <= TimeToReachQueue <= 4294967295:
            TimeToReachQueue = integer_BaseHeader_TimeToReachQueue(TimeToReachQueue)
    if Flags is None:
        Flags = 0x3
        Flags = open_BaseHeaderFlags[Flags]
    else:
        if Flags.__class__ is not class_BaseHeaderFlags:
            Flags = open_BaseHeaderFlags[Flags | _given_Flags << 16]
    record: BaseHeader = new_BaseHeader(
        *(VersionNumber, Reserved, Flags, Signature, PacketSize, TimeToReachQueue)
    )
    return record


groups_BaseHeaderFlags = BaseHeaderFlags.groups


def plain_BaseHeader(record: BaseHeader) -> dict[str, Any]:
    return {
        "VersionNumber": record.VersionNumber,
        "Reserved": record.Reserved,
        "Flags": groups_BaseHeaderFlags[record.Flags].copy(),
        "Signature": record.Signature,
        "PacketSize": int(record.PacketSize),
        "TimeToReachQueue": record.TimeToReachQueue,
    }


def from_plain_BaseHeader(fields: Any, path: str) -> BaseHeader:
    taken = FieldSource(layouts.BaseHeader, fields, path)
    record: BaseHeader = taken.make(
        BaseHeader,
        VersionNumber=taken.value("VersionNumber", plain.number),
        Reserved=taken.value("Reserved", plain.number),
        Flags=taken.flags("Flags"),
        Signature=taken.value("Signature", plain.number),
        PacketSize=taken.value("PacketSize", plain.number),
        TimeToReachQueue=taken.value("TimeToReachQueue", plain.number),
    )
    return record


register(BaseHeader, size_BaseHeader, build_BaseHeader, plain_BaseHeader, from_plain_BaseHeader)


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.19.2 UserHeader


def size_UserHeader(record: UserHeader) -> int:
    destination_queue = record.DestinationQueue
    admin_queue = record.AdminQueue
    response_queue = record.ResponseQueue
    connector_type = record.ConnectorType
    size = 48
    if destination_queue is not None:
        size += size_of(destination_queue)
    if admin_queue is not None:
        size += size_of(admin_queue)
    if response_queue is not None:
        size += size_of(response_queue)
    if connector_type is not None:
        size += 16
    return size


refuse_arguments_UserHeader = partial(replacing.refuse_arguments, layouts.UserHeader)
guid_UserHeader_SourceQueueManager = accept.for_field(accept.guid, layouts.UserHeader, "SourceQueueManager")
guid_UserHeader_QueueManagerAddress = accept.for_field(accept.guid, layouts.UserHeader, "QueueManagerAddress")
integer_UserHeader_TimeToBeReceived = accept.for_field(accept.integer, layouts.UserHeader, "TimeToBeReceived")
integer_UserHeader_SentTime = accept.for_field(accept.integer, layouts.UserHeader, "SentTime")
integer_UserHeader_MessageID = accept.for_field(accept.integer, layouts.UserHeader, "MessageID")
class_UserHeaderFlags = UserHeaderFlags
partial_UserHeaderFlags = UserHeaderFlags.partial
form_UserHeader_DestinationQueue = accept.Forms(
    layouts.UserHeader,
    "DestinationQueue",
    PrivateQueueFormatNameId,
    PublicQueueFormatName,
    DirectQueueFormatName,
    convert=queue_form,
)
form_UserHeader_AdminQueue = accept.Forms(
    layouts.UserHeader,
    "AdminQueue",
    PrivateQueueFormatNameId,
    PublicQueueFormatName,
    PrivateQueueFormatName,
    DirectQueueFormatName,
    convert=queue_form,
)
form_UserHeader_ResponseQueue = accept.Forms(
    layouts.UserHeader,
    "ResponseQueue",
    PrivateQueueFormatNameId,
    PublicQueueFormatName,
    PrivateQueueFormatName,
    DirectQueueFormatName,
    convert=queue_form,
)
guid_UserHeader_ConnectorType = accept.for_field(accept.guid, layouts.UserHeader, "ConnectorType")
open_UserHeaderFlags = UserHeaderFlags.open_words
bits_UserHeader_DestinationQueue = {
    type(None): 0,
    PrivateQueueFormatNameId: 3072,
    PublicQueueFormatName: 5120,
    DirectQueueFormatName: 7168,
}
bits_UserHeader_AdminQueue = {
    type(None): 0,
    PrivateQueueFormatNameId: 16384,
    PublicQueueFormatName: 40960,
    PrivateQueueFormatName: 49152,
    DirectQueueFormatName: 57344,
}
bits_UserHeader_ResponseQueue = {
    type(None): 0,
    PrivateQueueFormatNameId: 131072,
    PublicQueueFormatName: 327680,
    PrivateQueueFormatName: 393216,
    DirectQueueFormatName: 458752,
}
numbers_UserHeader_DestinationQueue = {
    type(None): (0,),
    PrivateQueueFormatNameId: (3,),
    PublicQueueFormatName: (5,),
    DirectQueueFormatName: (7,),
}
numbers_UserHeader_AdminQueue = {
    type(None): (0,),
    PrivateQueueFormatNameId: (2, 3),
    PublicQueueFormatName: (5,),
    PrivateQueueFormatName: (6,),
    DirectQueueFormatName: (7,),
}
numbers_UserHeader_ResponseQueue = {
    type(None): (0, 1),
    PrivateQueueFormatNameId: (2, 3, 4),
    PublicQueueFormatName: (5,),
    PrivateQueueFormatName: (6,),
    DirectQueueFormatName: (7,),
}


def build_UserHeader(
    SourceQueueManager: Any = None,
    QueueManagerAddress: Any = None,
    TimeToBeReceived: Any = None,
    SentTime: Any = None,
    MessageID: Any = None,
    Flags: Any = None,
    DestinationQueue: Any = None,
    AdminQueue: Any = None,
    ResponseQueue: Any = None,
    ConnectorType: Any = None,
    *more: Any,
    **unknown: Any,
) -> UserHeader:
    if more or unknown:
        refuse_arguments_UserHeader(more, unknown)
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
    if Flags is None:
        pass
    elif Flags.__class__ is partial_UserHeaderFlags:
        _given_Flags = Flags.given
    else:
        if Flags.__class__ is not class_UserHeaderFlags:
            Flags = class_UserHeaderFlags(Flags)
        _given_Flags = 0xFFFFFFFF
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
    if Flags is None:
        Flags = 0x47FC0000200000
        if ConnectorType is not None:
            Flags |= 0x400000
        if DestinationQueue is not None:
            Flags |= (
                bits_UserHeader_DestinationQueue[DestinationQueue.__class__]
                if _chosen_DestinationQueue is None
                else _chosen_DestinationQueue << 10
            )
        if AdminQueue is not None:
            Flags |= (
                bits_UserHeader_AdminQueue[AdminQueue.__class__]
                if _chosen_AdminQueue is None
                else _chosen_AdminQueue << 13
            )
        if ResponseQueue is not None:
            Flags |= (
                bits_UserHeader_ResponseQueue[ResponseQueue.__class__]
                if _chosen_ResponseQueue is None
                else _chosen_ResponseQueue << 16
            )
        Flags = open_UserHeaderFlags[Flags]
    else:
        if DestinationQueue is not None or Flags & 0x1C00:
            _numbers_DestinationQueue = numbers_UserHeader_DestinationQueue[DestinationQueue.__class__]
            if Flags >> 10 & 7 not in _numbers_DestinationQueue:
                if not _given_Flags & 0x1C00:
                    Flags = (
                        Flags & -7169
                        | (
                            _numbers_DestinationQueue[0]
                            if _chosen_DestinationQueue is None
                            else _chosen_DestinationQueue
                        )
                        << 10
                    )
                    _given_Flags |= 0x1C00
        if AdminQueue is not None or Flags & 0xE000:
            _numbers_AdminQueue = numbers_UserHeader_AdminQueue[AdminQueue.__class__]
            if Flags >> 13 & 7 not in _numbers_AdminQueue:
                if not _given_Flags & 0xE000:
                    Flags = (
                        Flags & -57345
                        | (_numbers_AdminQueue[0] if _chosen_AdminQueue is None else _chosen_AdminQueue) << 13
                    )
                    _given_Flags |= 0xE000
        if ResponseQueue is not None or Flags & 0x70000:
            _numbers_ResponseQueue = numbers_UserHeader_ResponseQueue[ResponseQueue.__class__]
            if Flags >> 16 & 7 not in _numbers_ResponseQueue:
                if not _given_Flags & 0x70000:
                    Flags = (
                        Flags & -458753
                        | (
                            _numbers_ResponseQueue[0]
                            if _chosen_ResponseQueue is None
                            else _chosen_ResponseQueue
                        )
                        << 16
                    )
                    _given_Flags |= 0x70000
        if not _given_Flags & 0x400000:
            Flags = Flags & -4194305 | (0x400000 if ConnectorType is not None else 0)
            _given_Flags |= 0x400000
        if Flags.__class__ is not class_UserHeaderFlags:
            Flags = open_UserHeaderFlags[Flags | _given_Flags << 32]
    record: UserHeader = new_UserHeader(
        *(
            SourceQueueManager,
            QueueManagerAddress,
            TimeToBeReceived,
            SentTime,
            MessageID,
            Flags,
            DestinationQueue,
            AdminQueue,
            ResponseQueue,
            ConnectorType,
        )
    )
    return record


groups_UserHeaderFlags = UserHeaderFlags.groups


def plain_UserHeader(record: UserHeader) -> dict[str, Any]:
    destination_queue = record.DestinationQueue
    admin_queue = record.AdminQueue
    response_queue = record.ResponseQueue
    connector_type = record.ConnectorType
    return {
        "SourceQueueManager": record.SourceQueueManager.__str__(),
        "QueueManagerAddress": record.QueueManagerAddress.__str__(),
        "TimeToBeReceived": record.TimeToBeReceived,
        "SentTime": record.SentTime,
        "MessageID": record.MessageID,
        "Flags": groups_UserHeaderFlags[record.Flags].copy(),
        "DestinationQueue": None if destination_queue is None else destination_queue._plain(),
        "AdminQueue": None if admin_queue is None else admin_queue._plain(),
        "ResponseQueue": None if response_queue is None else response_queue._plain(),
        "ConnectorType": None if connector_type is None else connector_type.__str__(),
    }


def from_plain_UserHeader(fields: Any, path: str) -> UserHeader:
    taken = FieldSource(layouts.UserHeader, fields, path)
    record: UserHeader = taken.make(
        UserHeader,
        SourceQueueManager=taken.value("SourceQueueManager", plain.guid),
        QueueManagerAddress=taken.value("QueueManagerAddress", plain.guid),
        TimeToBeReceived=taken.value("TimeToBeReceived", plain.number),
        SentTime=taken.value("SentTime", plain.number),
        MessageID=taken.value("MessageID", plain.number),
        Flags=taken.flags("Flags"),
        DestinationQueue=taken.form("DestinationQueue"),
        AdminQueue=taken.form("AdminQueue"),
        ResponseQueue=taken.form("ResponseQueue"),
        ConnectorType=taken.value("ConnectorType", plain.guid),
    )
    return record


register(UserHeader, size_UserHeader, build_UserHeader, plain_UserHeader, from_plain_UserHeader)


# ----------------------------------------------------------- [MS-MQMQ] 2.2.19.3 MessagePropertiesHeader


def size_MessagePropertiesHeader(record: MessagePropertiesHeader) -> int:
    label = record.Label
    extension_data = record.ExtensionData
    message_body = record.MessageBody
    padding = record.Padding
    size = (
        56
        + ((len(label) if label.isascii() else wchar_count(label)) * 2)
        + len(extension_data)
        + len(message_body)
        + len(padding)
    )
    return size


refuse_arguments_MessagePropertiesHeader = partial(
    replacing.refuse_arguments, layouts.MessagePropertiesHeader
)
class_MessagePropertiesHeaderFlags = MessagePropertiesHeaderFlags
partial_MessagePropertiesHeaderFlags = MessagePropertiesHeaderFlags.partial
default_MessagePropertiesHeaderFlags = MessagePropertiesHeaderFlags.cache[0x0]
integer_MessagePropertiesHeader_LabelLength = accept.for_field(
    accept.integer, layouts.MessagePropertiesHeader, "LabelLength"
)
integer_MessagePropertiesHeader_MessageClass = accept.for_field(
    accept.integer, layouts.MessagePropertiesHeader, "MessageClass"
)
ZEROS_20 = bytes(20)
raw_bytes_MessagePropertiesHeader_CorrelationID = accept.for_field(
    accept.raw_bytes, layouts.MessagePropertiesHeader, "CorrelationID"
)
integer_MessagePropertiesHeader_BodyType = accept.for_field(
    accept.integer, layouts.MessagePropertiesHeader, "BodyType"
)
integer_MessagePropertiesHeader_ApplicationTag = accept.for_field(
    accept.integer, layouts.MessagePropertiesHeader, "ApplicationTag"
)
integer_MessagePropertiesHeader_MessageSize = accept.for_field(
    accept.integer, layouts.MessagePropertiesHeader, "MessageSize"
)
integer_MessagePropertiesHeader_AllocationBodySize = accept.for_field(
    accept.integer, layouts.MessagePropertiesHeader, "AllocationBodySize"
)
integer_MessagePropertiesHeader_PrivacyLevel = accept.for_field(
    accept.integer, layouts.MessagePropertiesHeader, "PrivacyLevel"
)
integer_MessagePropertiesHeader_HashAlgorithm = accept.for_field(
    accept.integer, layouts.MessagePropertiesHeader, "HashAlgorithm"
)
integer_MessagePropertiesHeader_EncryptionAlgorithm = accept.for_field(
    accept.integer, layouts.MessagePropertiesHeader, "EncryptionAlgorithm"
)
integer_MessagePropertiesHeader_ExtensionSize = accept.for_field(
    accept.integer, layouts.MessagePropertiesHeader, "ExtensionSize"
)
text_MessagePropertiesHeader_Label = accept.for_field(accept.text, layouts.MessagePropertiesHeader, "Label")
raw_bytes_MessagePropertiesHeader_ExtensionData = accept.for_field(
    accept.raw_bytes, layouts.MessagePropertiesHeader, "ExtensionData"
)
raw_bytes_MessagePropertiesHeader_MessageBody = accept.for_field(
    accept.raw_bytes, layouts.MessagePropertiesHeader, "MessageBody"
)
raw_bytes_MessagePropertiesHeader_Padding = accept.for_field(
    accept.raw_bytes, layouts.MessagePropertiesHeader, "Padding"
)
refuse_size_MessagePropertiesHeader = partial(
    replacing.refuse_size, layouts.MessagePropertiesHeader, "Label", "LabelLength", "WCHARs", 255
)
refuse_size_MessagePropertiesHeader_2 = partial(
    replacing.refuse_size,
    layouts.MessagePropertiesHeader,
    "ExtensionData",
    "ExtensionSize",
    "bytes",
    4294967295,
)
refuse_size_MessagePropertiesHeader_3 = partial(
    replacing.refuse_size, layouts.MessagePropertiesHeader, "MessageBody", "MessageSize", "bytes", 4294967295
)


def build_MessagePropertiesHeader(
    Flags: Any = None,
    LabelLength: Any = None,
    MessageClass: Any = None,
    CorrelationID: Any = None,
    BodyType: Any = None,
    ApplicationTag: Any = None,
    MessageSize: Any = None,
    AllocationBodySize: Any = None,
    PrivacyLevel: Any = None,
    HashAlgorithm: Any = None,
    EncryptionAlgorithm: Any = None,
    ExtensionSize: Any = None,
    Label: Any = None,
    ExtensionData: Any = None,
    MessageBody: Any = None,
    Padding: Any = None,
    *more: Any,
    **unknown: Any,
) -> MessagePropertiesHeader:
    if more or unknown:
        refuse_arguments_MessagePropertiesHeader(more, unknown)
    if Flags is None:
        Flags = default_MessagePropertiesHeaderFlags
    elif Flags.__class__ is not class_MessagePropertiesHeaderFlags:
        Flags = class_MessagePropertiesHeaderFlags(Flags)
    if LabelLength is not None:
        if LabelLength.__class__ is not int or not 0 <= LabelLength <= 255:
            LabelLength = integer_MessagePropertiesHeader_LabelLength(LabelLength)
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
    if MessageSize is not None:
        if MessageSize.__class__ is not int or not 0 <= MessageSize <= 4294967295:
            MessageSize = integer_MessagePropertiesHeader_MessageSize(MessageSize)
    if AllocationBodySize is not None:
        if AllocationBodySize.__class__ is not int or not 0 <= AllocationBodySize <= 4294967295:
            AllocationBodySize = integer_MessagePropertiesHeader_AllocationBodySize(AllocationBodySize)
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
    if ExtensionSize is not None:
        if ExtensionSize.__class__ is not int or not 0 <= ExtensionSize <= 4294967295:
            ExtensionSize = integer_MessagePropertiesHeader_ExtensionSize(ExtensionSize)
    if Label is None:
        Label = ""
    else:
        if Label.__class__ is KeptText:
            Label = str(Label)
        else:
            if Label.__class__ is not str or not Label.isascii():
                Label = text_MessagePropertiesHeader_Label(Label)
            if LabelLength is None and Label and Label[-1] != "\0":
                Label += "\0"
    if ExtensionData is None:
        ExtensionData = b""
    else:
        if ExtensionData.__class__ is not bytes:
            ExtensionData = raw_bytes_MessagePropertiesHeader_ExtensionData(ExtensionData)
    if MessageBody is None:
        MessageBody = b""
    else:
        if MessageBody.__class__ is not bytes:
            MessageBody = raw_bytes_MessagePropertiesHeader_MessageBody(MessageBody)
    if Padding is not None:
        if Padding.__class__ is not bytes:
            Padding = raw_bytes_MessagePropertiesHeader_Padding(Padding)
    _true_LabelLength = len(Label) if Label.isascii() else wchar_count(Label)
    if LabelLength is None:
        LabelLength = _true_LabelLength
        if LabelLength > 255:
            refuse_size_MessagePropertiesHeader(LabelLength)
    _true_ExtensionSize = len(ExtensionData)
    if ExtensionSize is None:
        ExtensionSize = _true_ExtensionSize
        if ExtensionSize > 4294967295:
            refuse_size_MessagePropertiesHeader_2(ExtensionSize)
    _true_MessageSize = len(MessageBody)
    if MessageSize is None:
        MessageSize = _true_MessageSize
        if MessageSize > 4294967295:
            refuse_size_MessagePropertiesHeader_3(MessageSize)
    if AllocationBodySize is None:
        AllocationBodySize = len(MessageBody)
    if EncryptionAlgorithm is None:
        EncryptionAlgorithm = 26128 if PrivacyLevel == 5 else 26625
    if Padding is None:
        Padding = PADDINGS[-(_true_LabelLength * 2 + _true_ExtensionSize + _true_MessageSize) & 3]
    record: MessagePropertiesHeader = new_MessagePropertiesHeader(
        *(
            Flags,
            LabelLength,
            MessageClass,
            CorrelationID,
            BodyType,
            ApplicationTag,
            MessageSize,
            AllocationBodySize,
            PrivacyLevel,
            HashAlgorithm,
            EncryptionAlgorithm,
            ExtensionSize,
            Label,
            ExtensionData,
            MessageBody,
            Padding,
        )
    )
    return record


groups_MessagePropertiesHeaderFlags = MessagePropertiesHeaderFlags.groups


def plain_MessagePropertiesHeader(record: MessagePropertiesHeader) -> dict[str, Any]:
    return {
        "Flags": groups_MessagePropertiesHeaderFlags[record.Flags].copy(),
        "LabelLength": record.LabelLength,
        "MessageClass": record.MessageClass,
        "CorrelationID": record.CorrelationID.hex(),
        "BodyType": record.BodyType,
        "ApplicationTag": record.ApplicationTag,
        "MessageSize": record.MessageSize,
        "AllocationBodySize": record.AllocationBodySize,
        "PrivacyLevel": record.PrivacyLevel,
        "HashAlgorithm": record.HashAlgorithm,
        "EncryptionAlgorithm": record.EncryptionAlgorithm,
        "ExtensionSize": record.ExtensionSize,
        "Label": record.Label,
        "ExtensionData": record.ExtensionData.hex(),
        "MessageBody": record.MessageBody.hex(),
        "Padding": record.Padding.hex(),
    }


def from_plain_MessagePropertiesHeader(fields: Any, path: str) -> MessagePropertiesHeader:
    taken = FieldSource(layouts.MessagePropertiesHeader, fields, path)
    record: MessagePropertiesHeader = taken.make(
        MessagePropertiesHeader,
        Flags=taken.flags("Flags"),
        LabelLength=taken.value("LabelLength", plain.number),
        MessageClass=taken.value("MessageClass", plain.number),
        CorrelationID=taken.value("CorrelationID", plain.octets),
        BodyType=taken.value("BodyType", plain.number),
        ApplicationTag=taken.value("ApplicationTag", plain.number),
        MessageSize=taken.value("MessageSize", plain.number),
        AllocationBodySize=taken.value("AllocationBodySize", plain.number),
        PrivacyLevel=taken.value("PrivacyLevel", plain.number),
        HashAlgorithm=taken.value("HashAlgorithm", plain.number),
        EncryptionAlgorithm=taken.value("EncryptionAlgorithm", plain.number),
        ExtensionSize=taken.value("ExtensionSize", plain.number),
        Label=taken.value("Label", plain.text),
        ExtensionData=taken.value("ExtensionData", plain.octets),
        MessageBody=taken.value("MessageBody", plain.octets),
        Padding=taken.value("Padding", plain.octets),
    )
    return record


register(
    MessagePropertiesHeader,
    size_MessagePropertiesHeader,
    build_MessagePropertiesHeader,
    plain_MessagePropertiesHeader,
    from_plain_MessagePropertiesHeader,
)


# ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.2 MQFAddressHeader


def size_MQFAddressHeader(record: MQFAddressHeader) -> int:
    format_name_list = record.FormatNameList
    padding = record.Padding
    size = 12 + sum(map(size_MQFFormatNameElement, format_name_list)) + len(padding)
    return size


refuse_arguments_MQFAddressHeader = partial(replacing.refuse_arguments, layouts.MQFAddressHeader)
integer_MQFAddressHeader_HeaderSize = accept.for_field(accept.integer, layouts.MQFAddressHeader, "HeaderSize")
integer_MQFAddressHeader_HeaderID = accept.for_field(accept.integer, layouts.MQFAddressHeader, "HeaderID")
integer_MQFAddressHeader_Reserved = accept.for_field(accept.integer, layouts.MQFAddressHeader, "Reserved")
integer_MQFAddressHeader_ElementCount = accept.for_field(
    accept.integer, layouts.MQFAddressHeader, "ElementCount"
)
parts_MQFAddressHeader_FormatNameList = accept.for_field(
    accept.parts, layouts.MQFAddressHeader, "FormatNameList", MQFFormatNameElement
)
raw_bytes_MQFAddressHeader_Padding = accept.for_field(accept.raw_bytes, layouts.MQFAddressHeader, "Padding")
refuse_size_MQFAddressHeader = partial(
    replacing.refuse_size, layouts.MQFAddressHeader, "FormatNameList", "ElementCount", "elements", 4294967295
)
align_MQFAddressHeader_FormatNameList = partial(
    replacing.align_items, [layouts.MQFFormatNameElement.by_name["Padding"]], size_MQFFormatNameElement
)


def build_MQFAddressHeader(
    HeaderSize: Any = None,
    HeaderID: Any = None,
    Reserved: Any = None,
    ElementCount: Any = None,
    FormatNameList: Any = None,
    Padding: Any = None,
    *more: Any,
    **unknown: Any,
) -> MQFAddressHeader:
    if more or unknown:
        refuse_arguments_MQFAddressHeader(more, unknown)
    if HeaderSize is not None:
        if HeaderSize.__class__ is not int or not 0 <= HeaderSize <= 4294967295:
            HeaderSize = integer_MQFAddressHeader_HeaderSize(HeaderSize)
    if HeaderID is None:
        HeaderID = LEFT_OUT_0
    else:
        if HeaderID.__class__ is not int or not 0 <= HeaderID <= 65535:
            HeaderID = integer_MQFAddressHeader_HeaderID(HeaderID)
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 65535:
            Reserved = integer_MQFAddressHeader_Reserved(Reserved)
    if ElementCount is not None:
        if ElementCount.__class__ is not int or not 0 <= ElementCount <= 4294967295:
            ElementCount = integer_MQFAddressHeader_ElementCount(ElementCount)
    if FormatNameList is None:
        FormatNameList = ()
    else:
        FormatNameList = parts_MQFAddressHeader_FormatNameList(FormatNameList)
    if Padding is not None:
        if Padding.__class__ is not bytes:
            Padding = raw_bytes_MQFAddressHeader_Padding(Padding)
    _true_ElementCount = len(FormatNameList)
    if ElementCount is None:
        ElementCount = _true_ElementCount
        if ElementCount > 4294967295:
            refuse_size_MQFAddressHeader(ElementCount)
    FormatNameList = align_MQFAddressHeader_FormatNameList(FormatNameList, 12)
    _size = 12 + sum(map(size_MQFFormatNameElement, FormatNameList))
    if Padding is None:
        Padding = PADDINGS[-_size % 4]
    if HeaderSize is None:
        HeaderSize = _size + len(Padding)
    record: MQFAddressHeader = new_MQFAddressHeader(
        *(HeaderSize, HeaderID, Reserved, ElementCount, FormatNameList, Padding)
    )
    return record


def plain_MQFAddressHeader(record: MQFAddressHeader) -> dict[str, Any]:
    return {
        "HeaderSize": record.HeaderSize,
        "HeaderID": int(record.HeaderID),
        "Reserved": record.Reserved,
        "ElementCount": record.ElementCount,
        "FormatNameList": [plain_MQFFormatNameElement(item) for item in record.FormatNameList],
        "Padding": record.Padding.hex(),
    }


def from_plain_MQFAddressHeader(fields: Any, path: str) -> MQFAddressHeader:
    taken = FieldSource(layouts.MQFAddressHeader, fields, path)
    record: MQFAddressHeader = taken.make(
        MQFAddressHeader,
        HeaderSize=taken.value("HeaderSize", plain.number),
        HeaderID=taken.value("HeaderID", plain.number),
        Reserved=taken.value("Reserved", plain.number),
        ElementCount=taken.value("ElementCount", plain.number),
        FormatNameList=taken.parts("FormatNameList", from_plain_MQFFormatNameElement),
        Padding=taken.value("Padding", plain.octets),
    )
    return record


register(
    MQFAddressHeader,
    size_MQFAddressHeader,
    build_MQFAddressHeader,
    plain_MQFAddressHeader,
    from_plain_MQFAddressHeader,
)


# ---------------------------------------------------------------- [MS-MQMQ] 2.2.20.3 MQFSignatureHeader


def size_MQFSignatureHeader(record: MQFSignatureHeader) -> int:
    signature = record.Signature
    size = 8 + len(signature)
    return size


refuse_arguments_MQFSignatureHeader = partial(replacing.refuse_arguments, layouts.MQFSignatureHeader)
integer_MQFSignatureHeader_ID = accept.for_field(accept.integer, layouts.MQFSignatureHeader, "ID")
integer_MQFSignatureHeader_Reserved = accept.for_field(accept.integer, layouts.MQFSignatureHeader, "Reserved")
integer_MQFSignatureHeader_Size = accept.for_field(accept.integer, layouts.MQFSignatureHeader, "Size")
raw_bytes_MQFSignatureHeader_Signature = accept.for_field(
    accept.raw_bytes, layouts.MQFSignatureHeader, "Signature"
)
refuse_size_MQFSignatureHeader = partial(
    replacing.refuse_size, layouts.MQFSignatureHeader, "Signature", "Size", "bytes", 4294967295
)


def build_MQFSignatureHeader(
    ID: Any = None, Reserved: Any = None, Size: Any = None, Signature: Any = None, *more: Any, **unknown: Any
) -> MQFSignatureHeader:
    if more or unknown:
        refuse_arguments_MQFSignatureHeader(more, unknown)
    if ID is None:
        ID = 350
    else:
        if ID.__class__ is not int or not 0 <= ID <= 65535:
            ID = integer_MQFSignatureHeader_ID(ID)
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 65535:
            Reserved = integer_MQFSignatureHeader_Reserved(Reserved)
    if Size is not None:
        if Size.__class__ is not int or not 0 <= Size <= 4294967295:
            Size = integer_MQFSignatureHeader_Size(Size)
    if Signature is None:
        Signature = b""
    else:
        if Signature.__class__ is not bytes:
            Signature = raw_bytes_MQFSignatureHeader_Signature(Signature)
    _true_Size = len(Signature)
    if Size is None:
        Size = _true_Size
        if Size > 4294967295:
            refuse_size_MQFSignatureHeader(Size)
    record: MQFSignatureHeader = new_MQFSignatureHeader(*(ID, Reserved, Size, Signature))
    return record


def plain_MQFSignatureHeader(record: MQFSignatureHeader) -> dict[str, Any]:
    return {
        "ID": record.ID,
        "Reserved": record.Reserved,
        "Size": record.Size,
        "Signature": record.Signature.hex(),
    }


def from_plain_MQFSignatureHeader(fields: Any, path: str) -> MQFSignatureHeader:
    taken = FieldSource(layouts.MQFSignatureHeader, fields, path)
    record: MQFSignatureHeader = taken.make(
        MQFSignatureHeader,
        ID=taken.value("ID", plain.number),
        Reserved=taken.value("Reserved", plain.number),
        Size=taken.value("Size", plain.number),
        Signature=taken.value("Signature", plain.octets),
    )
    return record


register(
    MQFSignatureHeader,
    size_MQFSignatureHeader,
    build_MQFSignatureHeader,
    plain_MQFSignatureHeader,
    from_plain_MQFSignatureHeader,
)


# ------------------------------------------------------------ [MS-MQMQ] 2.2.20.1 MultiQueueFormatHeader


def size_MultiQueueFormatHeader(record: MultiQueueFormatHeader) -> int:
    destination = record.Destination
    administration = record.Administration
    response = record.Response
    signature = record.Signature
    padding = record.Padding
    size = (
        44
        + sum(map(size_MQFFormatNameElement, destination.FormatNameList))
        + len(destination.Padding)
        + sum(map(size_MQFFormatNameElement, administration.FormatNameList))
        + len(administration.Padding)
        + sum(map(size_MQFFormatNameElement, response.FormatNameList))
        + len(response.Padding)
        + len(signature.Signature)
        + len(padding)
    )
    return size


refuse_arguments_MultiQueueFormatHeader = partial(replacing.refuse_arguments, layouts.MultiQueueFormatHeader)
default_MQFAddressHeader = cache(MQFAddressHeader)
part_MultiQueueFormatHeader_Destination = accept.for_field(
    accept.part, layouts.MultiQueueFormatHeader, "Destination", MQFAddressHeader
)
class_MQFAddressHeader = MQFAddressHeader
part_MultiQueueFormatHeader_Administration = accept.for_field(
    accept.part, layouts.MultiQueueFormatHeader, "Administration", MQFAddressHeader
)
part_MultiQueueFormatHeader_Response = accept.for_field(
    accept.part, layouts.MultiQueueFormatHeader, "Response", MQFAddressHeader
)
default_MQFSignatureHeader = cache(MQFSignatureHeader)
part_MultiQueueFormatHeader_Signature = accept.for_field(
    accept.part, layouts.MultiQueueFormatHeader, "Signature", MQFSignatureHeader
)
class_MQFSignatureHeader = MQFSignatureHeader
raw_bytes_MultiQueueFormatHeader_Padding = accept.for_field(
    accept.raw_bytes, layouts.MultiQueueFormatHeader, "Padding"
)


def build_MultiQueueFormatHeader(
    Destination: Any = None,
    Administration: Any = None,
    Response: Any = None,
    Signature: Any = None,
    Padding: Any = None,
    *more: Any,
    **unknown: Any,
) -> MultiQueueFormatHeader:
    if more or unknown:
        refuse_arguments_MultiQueueFormatHeader(more, unknown)
    if Destination is None:
        Destination = default_MQFAddressHeader()
    else:
        if Destination.__class__ is not class_MQFAddressHeader:
            part_MultiQueueFormatHeader_Destination(Destination)
    if Administration is None:
        Administration = default_MQFAddressHeader()
    else:
        if Administration.__class__ is not class_MQFAddressHeader:
            part_MultiQueueFormatHeader_Administration(Administration)
    if Response is None:
        Response = default_MQFAddressHeader()
    else:
        if Response.__class__ is not class_MQFAddressHeader:
            part_MultiQueueFormatHeader_Response(Response)
    if Signature is None:
        Signature = default_MQFSignatureHeader()
    else:
        if Signature.__class__ is not class_MQFSignatureHeader:
            part_MultiQueueFormatHeader_Signature(Signature)
    if Padding is not None:
        if Padding.__class__ is not bytes:
            Padding = raw_bytes_MultiQueueFormatHeader_Padding(Padding)
    if Padding is None:
        Padding = bytes(
            -(
                12
                + sum(map(size_MQFFormatNameElement, Destination.FormatNameList))
                + len(Destination.Padding)
                + 12
                + sum(map(size_MQFFormatNameElement, Administration.FormatNameList))
                + len(Administration.Padding)
                + 12
                + sum(map(size_MQFFormatNameElement, Response.FormatNameList))
                + len(Response.Padding)
                + 8
                + len(Signature.Signature)
            )
            % 4
        )
    if Destination.HeaderID.__class__ is Omitted:
        _HeaderID = 100
        Destination = replace(Destination, HeaderID=_HeaderID)
    if Administration.HeaderID.__class__ is Omitted:
        _HeaderID = 200
        Administration = replace(Administration, HeaderID=_HeaderID)
    if Response.HeaderID.__class__ is Omitted:
        _HeaderID = 300
        Response = replace(Response, HeaderID=_HeaderID)
    record: MultiQueueFormatHeader = new_MultiQueueFormatHeader(
        *(Destination, Administration, Response, Signature, Padding)
    )
    return record


def plain_MultiQueueFormatHeader(record: MultiQueueFormatHeader) -> dict[str, Any]:
    return {
        "Destination": plain_MQFAddressHeader(record.Destination),
        "Administration": plain_MQFAddressHeader(record.Administration),
        "Response": plain_MQFAddressHeader(record.Response),
        "Signature": plain_MQFSignatureHeader(record.Signature),
        "Padding": record.Padding.hex(),
    }


def from_plain_MultiQueueFormatHeader(fields: Any, path: str) -> MultiQueueFormatHeader:
    taken = FieldSource(layouts.MultiQueueFormatHeader, fields, path)
    record: MultiQueueFormatHeader = taken.make(
        MultiQueueFormatHeader,
        Destination=taken.part("Destination", from_plain_MQFAddressHeader),
        Administration=taken.part("Administration", from_plain_MQFAddressHeader),
        Response=taken.part("Response", from_plain_MQFAddressHeader),
        Signature=taken.part("Signature", from_plain_MQFSignatureHeader),
        Padding=taken.value("Padding", plain.octets),
    )
    return record


register(
    MultiQueueFormatHeader,
    size_MultiQueueFormatHeader,
    build_MultiQueueFormatHeader,
    plain_MultiQueueFormatHeader,
    from_plain_MultiQueueFormatHeader,
)


# --------------------------------------------------------------------- [MS-MQMQ] 2.2.20.4 SessionHeader


def size_SessionHeader(record: SessionHeader) -> int:
    size = 16
    return size


refuse_arguments_SessionHeader = partial(replacing.refuse_arguments, layouts.SessionHeader)
integer_SessionHeader_AckSequenceNumber = accept.for_field(
    accept.integer, layouts.SessionHeader, "AckSequenceNumber"
)
integer_SessionHeader_RecoverableMsgAckSeqNumber = accept.for_field(
    accept.integer, layouts.SessionHeader, "RecoverableMsgAckSeqNumber"
)
integer_SessionHeader_RecoverableMsgAckFlags = accept.for_field(
    accept.integer, layouts.SessionHeader, "RecoverableMsgAckFlags"
)
integer_SessionHeader_UserMsgSequenceNumber = accept.for_field(
    accept.integer, layouts.SessionHeader, "UserMsgSequenceNumber"
)
integer_SessionHeader_RecoverableMsgSeqNumber = accept.for_field(
    accept.integer, layouts.SessionHeader, "RecoverableMsgSeqNumber"
)
integer_SessionHeader_WindowSize = accept.for_field(accept.integer, layouts.SessionHeader, "WindowSize")
integer_SessionHeader_Reserved = accept.for_field(accept.integer, layouts.SessionHeader, "Reserved")


def build_SessionHeader(
    AckSequenceNumber: Any = None,
    RecoverableMsgAckSeqNumber: Any = None,
    RecoverableMsgAckFlags: Any = None,
    UserMsgSequenceNumber: Any = None,
    RecoverableMsgSeqNumber: Any = None,
    WindowSize: Any = None,
    Reserved: Any = None,
    *more: Any,
    **unknown: Any,
) -> SessionHeader:
    if more or unknown:
        refuse_arguments_SessionHeader(more, unknown)
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
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 65535:
            Reserved = integer_SessionHeader_Reserved(Reserved)
    record: SessionHeader = new_SessionHeader(
        *(
            AckSequenceNumber,
            RecoverableMsgAckSeqNumber,
            RecoverableMsgAckFlags,
            UserMsgSequenceNumber,
            RecoverableMsgSeqNumber,
            WindowSize,
            Reserved,
        )
    )
    return record


def plain_SessionHeader(record: SessionHeader) -> dict[str, Any]:
    return {
        "AckSequenceNumber": record.AckSequenceNumber,
        "RecoverableMsgAckSeqNumber": record.RecoverableMsgAckSeqNumber,
        "RecoverableMsgAckFlags": record.RecoverableMsgAckFlags,
        "UserMsgSequenceNumber": record.UserMsgSequenceNumber,
        "RecoverableMsgSeqNumber": record.RecoverableMsgSeqNumber,
        "WindowSize": record.WindowSize,
        "Reserved": record.Reserved,
    }


def from_plain_SessionHeader(fields: Any, path: str) -> SessionHeader:
    taken = FieldSource(layouts.SessionHeader, fields, path)
    record: SessionHeader = taken.make(
        SessionHeader,
        AckSequenceNumber=taken.value("AckSequenceNumber", plain.number),
        RecoverableMsgAckSeqNumber=taken.value("RecoverableMsgAckSeqNumber", plain.number),
        RecoverableMsgAckFlags=taken.value("RecoverableMsgAckFlags", plain.number),
        UserMsgSequenceNumber=taken.value("UserMsgSequenceNumber", plain.number),
        RecoverableMsgSeqNumber=taken.value("RecoverableMsgSeqNumber", plain.number),
        WindowSize=taken.value("WindowSize", plain.number),
        Reserved=taken.value("Reserved", plain.number),
    )
    return record


register(
    SessionHeader, size_SessionHeader, build_SessionHeader, plain_SessionHeader, from_plain_SessionHeader
)


# ----------------------------------------------------------------- [MS-MQMQ] 2.2.20.5 TransactionHeader


def size_TransactionHeader(record: TransactionHeader) -> int:
    connector_qm_guid = record.ConnectorQMGuid
    size = 20
    if connector_qm_guid is not None:
        size += 16
    return size


refuse_arguments_TransactionHeader = partial(replacing.refuse_arguments, layouts.TransactionHeader)
class_TransactionHeaderFlags = TransactionHeaderFlags
partial_TransactionHeaderFlags = TransactionHeaderFlags.partial
default_TxSequenceID = cache(TxSequenceID)
part_TransactionHeader_TxSequenceID = accept.for_field(
    accept.part, layouts.TransactionHeader, "TxSequenceID", TxSequenceID
)
class_TxSequenceID = TxSequenceID
integer_TransactionHeader_TxSequenceNumber = accept.for_field(
    accept.integer, layouts.TransactionHeader, "TxSequenceNumber"
)
integer_TransactionHeader_PreviousTxSequenceNumber = accept.for_field(
    accept.integer, layouts.TransactionHeader, "PreviousTxSequenceNumber"
)
guid_TransactionHeader_ConnectorQMGuid = accept.for_field(
    accept.guid, layouts.TransactionHeader, "ConnectorQMGuid"
)
open_TransactionHeaderFlags = TransactionHeaderFlags.open_words


def build_TransactionHeader(
    Flags: Any = None,
    TxSequenceID: Any = None,
    TxSequenceNumber: Any = None,
    PreviousTxSequenceNumber: Any = None,
    ConnectorQMGuid: Any = None,
    *more: Any,
    **unknown: Any,
) -> TransactionHeader:
    if more or unknown:
        refuse_arguments_TransactionHeader(more, unknown)
    if Flags is None:
        pass
    elif Flags.__class__ is partial_TransactionHeaderFlags:
        _given_Flags = Flags.given
    else:
        if Flags.__class__ is not class_TransactionHeaderFlags:
            Flags = class_TransactionHeaderFlags(Flags)
        _given_Flags = 0xFFFFFFFF
    if TxSequenceID is None:
        TxSequenceID = default_TxSequenceID()
    else:
        if TxSequenceID.__class__ is not class_TxSequenceID:
            part_TransactionHeader_TxSequenceID(TxSequenceID)
    if TxSequenceNumber is None:
        TxSequenceNumber = 1
    else:
        if TxSequenceNumber.__class__ is not int or not 0 <= TxSequenceNumber <= 4294967295:
            TxSequenceNumber = integer_TransactionHeader_TxSequenceNumber(TxSequenceNumber)
    if PreviousTxSequenceNumber is None:
        PreviousTxSequenceNumber = 0
    else:
        if PreviousTxSequenceNumber.__class__ is not int or not 0 <= PreviousTxSequenceNumber <= 4294967295:
            PreviousTxSequenceNumber = integer_TransactionHeader_PreviousTxSequenceNumber(
                PreviousTxSequenceNumber
            )
    if ConnectorQMGuid is not None:
        if not (
            ConnectorQMGuid.__class__ is GUID
            and (_raw := ConnectorQMGuid.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            ConnectorQMGuid = guid_TransactionHeader_ConnectorQMGuid(ConnectorQMGuid)
    if Flags is None:
        Flags = 0x100000000
        if ConnectorQMGuid is not None:
            Flags |= 0x1
        Flags = open_TransactionHeaderFlags[Flags]
    else:
        if not _given_Flags & 0x1:
            Flags = Flags & -2 | (0x1 if ConnectorQMGuid is not None else 0)
            _given_Flags |= 0x1
        if Flags.__class__ is not class_TransactionHeaderFlags:
            Flags = open_TransactionHeaderFlags[Flags | _given_Flags << 32]
    record: TransactionHeader = new_TransactionHeader(
        *(Flags, TxSequenceID, TxSequenceNumber, PreviousTxSequenceNumber, ConnectorQMGuid)
    )
    return record


groups_TransactionHeaderFlags = TransactionHeaderFlags.groups


def plain_TransactionHeader(record: TransactionHeader) -> dict[str, Any]:
    connector_qm_guid = record.ConnectorQMGuid
    return {
        "Flags": groups_TransactionHeaderFlags[record.Flags].copy(),
        "TxSequenceID": plain_TxSequenceID(record.TxSequenceID),
        "TxSequenceNumber": record.TxSequenceNumber,
        "PreviousTxSequenceNumber": record.PreviousTxSequenceNumber,
        "ConnectorQMGuid": None if connector_qm_guid is None else connector_qm_guid.__str__(),
    }


def from_plain_TransactionHeader(fields: Any, path: str) -> TransactionHeader:
    taken = FieldSource(layouts.TransactionHeader, fields, path)
    record: TransactionHeader = taken.make(
        TransactionHeader,
        Flags=taken.flags("Flags"),
        TxSequenceID=taken.part("TxSequenceID", from_plain_TxSequenceID),
        TxSequenceNumber=taken.value("TxSequenceNumber", plain.number),
        PreviousTxSequenceNumber=taken.value("PreviousTxSequenceNumber", plain.number),
        ConnectorQMGuid=taken.value("ConnectorQMGuid", plain.guid),
    )
    return record


register(
    TransactionHeader,
    size_TransactionHeader,
    build_TransactionHeader,
    plain_TransactionHeader,
    from_plain_TransactionHeader,
)


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SecurityData


def size_SecurityData(record: SecurityData) -> int:
    security_id = record.SecurityID
    security_id_padding = record.SecurityIDPadding
    encryption_key = record.EncryptionKey
    encryption_key_padding = record.EncryptionKeyPadding
    signature = record.Signature
    signature_padding = record.SignaturePadding
    sender_cert = record.SenderCert
    sender_cert_padding = record.SenderCertPadding
    provider_info = record.ProviderInfo
    provider_info_padding = record.ProviderInfoPadding
    size = (
        len(security_id)
        + len(security_id_padding)
        + len(encryption_key)
        + len(encryption_key_padding)
        + len(signature)
        + len(signature_padding)
        + len(sender_cert)
        + len(sender_cert_padding)
        + len(provider_info)
        + len(provider_info_padding)
    )
    return size


refuse_arguments_SecurityData = partial(replacing.refuse_arguments, layouts.SecurityData)
raw_bytes_SecurityData_SecurityID = accept.for_field(accept.raw_bytes, layouts.SecurityData, "SecurityID")
raw_bytes_SecurityData_SecurityIDPadding = accept.for_field(
    accept.raw_bytes, layouts.SecurityData, "SecurityIDPadding"
)
raw_bytes_SecurityData_EncryptionKey = accept.for_field(
    accept.raw_bytes, layouts.SecurityData, "EncryptionKey"
)
raw_bytes_SecurityData_EncryptionKeyPadding = accept.for_field(
    accept.raw_bytes, layouts.SecurityData, "EncryptionKeyPadding"
)
raw_bytes_SecurityData_Signature = accept.for_field(accept.raw_bytes, layouts.SecurityData, "Signature")
raw_bytes_SecurityData_SignaturePadding = accept.for_field(
    accept.raw_bytes, layouts.SecurityData, "SignaturePadding"
)
raw_bytes_SecurityData_SenderCert = accept.for_field(accept.raw_bytes, layouts.SecurityData, "SenderCert")
raw_bytes_SecurityData_SenderCertPadding = accept.for_field(
    accept.raw_bytes, layouts.SecurityData, "SenderCertPadding"
)
raw_bytes_SecurityData_ProviderInfo = accept.for_field(accept.raw_bytes, layouts.SecurityData, "ProviderInfo")
raw_bytes_SecurityData_ProviderInfoPadding = accept.for_field(
    accept.raw_bytes, layouts.SecurityData, "ProviderInfoPadding"
)


def build_SecurityData(
    SecurityID: Any = None,
    SecurityIDPadding: Any = None,
    EncryptionKey: Any = None,
    EncryptionKeyPadding: Any = None,
    Signature: Any = None,
    SignaturePadding: Any = None,
    SenderCert: Any = None,
    SenderCertPadding: Any = None,
    ProviderInfo: Any = None,
    ProviderInfoPadding: Any = None,
    *more: Any,
    **unknown: Any,
) -> SecurityData:
    if more or unknown:
        refuse_arguments_SecurityData(more, unknown)
    if SecurityID is None:
        SecurityID = b""
    else:
        if SecurityID.__class__ is not bytes:
            SecurityID = raw_bytes_SecurityData_SecurityID(SecurityID)
    if SecurityIDPadding is not None:
        if SecurityIDPadding.__class__ is not bytes:
            SecurityIDPadding = raw_bytes_SecurityData_SecurityIDPadding(SecurityIDPadding)
    if EncryptionKey is None:
        EncryptionKey = b""
    else:
        if EncryptionKey.__class__ is not bytes:
            EncryptionKey = raw_bytes_SecurityData_EncryptionKey(EncryptionKey)
    if EncryptionKeyPadding is not None:
        if EncryptionKeyPadding.__class__ is not bytes:
            EncryptionKeyPadding = raw_bytes_SecurityData_EncryptionKeyPadding(EncryptionKeyPadding)
    if Signature is None:
        Signature = b""
    else:
        if Signature.__class__ is not bytes:
            Signature = raw_bytes_SecurityData_Signature(Signature)
    if SignaturePadding is not None:
        if SignaturePadding.__class__ is not bytes:
            SignaturePadding = raw_bytes_SecurityData_SignaturePadding(SignaturePadding)
    if SenderCert is None:
        SenderCert = b""
    else:
        if SenderCert.__class__ is not bytes:
            SenderCert = raw_bytes_SecurityData_SenderCert(SenderCert)
    if SenderCertPadding is not None:
        if SenderCertPadding.__class__ is not bytes:
            SenderCertPadding = raw_bytes_SecurityData_SenderCertPadding(SenderCertPadding)
    if ProviderInfo is None:
        ProviderInfo = b""
    else:
        if ProviderInfo.__class__ is not bytes:
            ProviderInfo = raw_bytes_SecurityData_ProviderInfo(ProviderInfo)
    if ProviderInfoPadding is not None:
        if ProviderInfoPadding.__class__ is not bytes:
            ProviderInfoPadding = raw_bytes_SecurityData_ProviderInfoPadding(ProviderInfoPadding)
    if SecurityIDPadding is None:
        SecurityIDPadding = PADDINGS[-len(SecurityID) & 3]
    if EncryptionKeyPadding is None:
        EncryptionKeyPadding = PADDINGS[-len(EncryptionKey) & 3]
    if SignaturePadding is None:
        SignaturePadding = PADDINGS[-len(Signature) & 3]
    if SenderCertPadding is None:
        SenderCertPadding = PADDINGS[-len(SenderCert) & 3]
    if ProviderInfoPadding is None:
        ProviderInfoPadding = PADDINGS[-len(ProviderInfo) & 3]
    record: SecurityData = new_SecurityData(
        *(
            SecurityID,
            SecurityIDPadding,
            EncryptionKey,
            EncryptionKeyPadding,
            Signature,
            SignaturePadding,
            SenderCert,
            SenderCertPadding,
            ProviderInfo,
            ProviderInfoPadding,
        )
    )
    return record


def plain_SecurityData(record: SecurityData) -> dict[str, Any]:
    return {
        "SecurityID": record.SecurityID.hex(),
        "SecurityIDPadding": record.SecurityIDPadding.hex(),
        "EncryptionKey": record.EncryptionKey.hex(),
        "EncryptionKeyPadding": record.EncryptionKeyPadding.hex(),
        "Signature": record.Signature.hex(),
        "SignaturePadding": record.SignaturePadding.hex(),
        "SenderCert": record.SenderCert.hex(),
        "SenderCertPadding": record.SenderCertPadding.hex(),
        "ProviderInfo": record.ProviderInfo.hex(),
        "ProviderInfoPadding": record.ProviderInfoPadding.hex(),
    }


def from_plain_SecurityData(fields: Any, path: str) -> SecurityData:
    taken = FieldSource(layouts.SecurityData, fields, path)
    record: SecurityData = taken.make(
        SecurityData,
        SecurityID=taken.value("SecurityID", plain.octets),
        SecurityIDPadding=taken.value("SecurityIDPadding", plain.octets),
        EncryptionKey=taken.value("EncryptionKey", plain.octets),
        EncryptionKeyPadding=taken.value("EncryptionKeyPadding", plain.octets),
        Signature=taken.value("Signature", plain.octets),
        SignaturePadding=taken.value("SignaturePadding", plain.octets),
        SenderCert=taken.value("SenderCert", plain.octets),
        SenderCertPadding=taken.value("SenderCertPadding", plain.octets),
        ProviderInfo=taken.value("ProviderInfo", plain.octets),
        ProviderInfoPadding=taken.value("ProviderInfoPadding", plain.octets),
    )
    return record


register(SecurityData, size_SecurityData, build_SecurityData, plain_SecurityData, from_plain_SecurityData)


# -------------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SecurityHeader


def size_SecurityHeader(record: SecurityHeader) -> int:
    security_data = record.SecurityData
    size = 16
    if security_data is not None:
        size += (
            len(security_data.SecurityID)
            + len(security_data.SecurityIDPadding)
            + len(security_data.EncryptionKey)
            + len(security_data.EncryptionKeyPadding)
            + len(security_data.Signature)
            + len(security_data.SignaturePadding)
            + len(security_data.SenderCert)
            + len(security_data.SenderCertPadding)
            + len(security_data.ProviderInfo)
            + len(security_data.ProviderInfoPadding)
        )
    return size


refuse_arguments_SecurityHeader = partial(replacing.refuse_arguments, layouts.SecurityHeader)
class_SecurityHeaderFlags = SecurityHeaderFlags
partial_SecurityHeaderFlags = SecurityHeaderFlags.partial
integer_SecurityHeader_SenderIdSize = accept.for_field(accept.integer, layouts.SecurityHeader, "SenderIdSize")
integer_SecurityHeader_EncryptionKeySize = accept.for_field(
    accept.integer, layouts.SecurityHeader, "EncryptionKeySize"
)
integer_SecurityHeader_SignatureSize = accept.for_field(
    accept.integer, layouts.SecurityHeader, "SignatureSize"
)
integer_SecurityHeader_SenderCertSize = accept.for_field(
    accept.integer, layouts.SecurityHeader, "SenderCertSize"
)
integer_SecurityHeader_ProviderInfoSize = accept.for_field(
    accept.integer, layouts.SecurityHeader, "ProviderInfoSize"
)
part_SecurityHeader_SecurityData = accept.for_field(
    accept.part, layouts.SecurityHeader, "SecurityData", SecurityData
)
class_SecurityData = SecurityData
refuse_size_SecurityHeader = partial(
    replacing.refuse_size, layouts.SecurityHeader, "SecurityData.SecurityID", "SenderIdSize", "bytes", 65535
)
refuse_size_SecurityHeader_2 = partial(
    replacing.refuse_size,
    layouts.SecurityHeader,
    "SecurityData.EncryptionKey",
    "EncryptionKeySize",
    "bytes",
    65535,
)
refuse_size_SecurityHeader_3 = partial(
    replacing.refuse_size, layouts.SecurityHeader, "SecurityData.Signature", "SignatureSize", "bytes", 65535
)
refuse_size_SecurityHeader_4 = partial(
    replacing.refuse_size,
    layouts.SecurityHeader,
    "SecurityData.SenderCert",
    "SenderCertSize",
    "bytes",
    4294967295,
)
refuse_size_SecurityHeader_5 = partial(
    replacing.refuse_size,
    layouts.SecurityHeader,
    "SecurityData.ProviderInfo",
    "ProviderInfoSize",
    "bytes",
    4294967295,
)
open_SecurityHeaderFlags = SecurityHeaderFlags.open_words


def build_SecurityHeader(
    Flags: Any = None,
    SenderIdSize: Any = None,
    EncryptionKeySize: Any = None,
    SignatureSize: Any = None,
    SenderCertSize: Any = None,
    ProviderInfoSize: Any = None,
    SecurityData: Any = None,
    *more: Any,
    **unknown: Any,
) -> SecurityHeader:
    if more or unknown:
        refuse_arguments_SecurityHeader(more, unknown)
    if Flags is None:
        pass
    elif Flags.__class__ is partial_SecurityHeaderFlags:
        _given_Flags = Flags.given
    else:
        if Flags.__class__ is not class_SecurityHeaderFlags:
            Flags = class_SecurityHeaderFlags(Flags)
        _given_Flags = 0xFFFF
    if SenderIdSize is not None:
        if SenderIdSize.__class__ is not int or not 0 <= SenderIdSize <= 65535:
            SenderIdSize = integer_SecurityHeader_SenderIdSize(SenderIdSize)
    if EncryptionKeySize is not None:
        if EncryptionKeySize.__class__ is not int or not 0 <= EncryptionKeySize <= 65535:
            EncryptionKeySize = integer_SecurityHeader_EncryptionKeySize(EncryptionKeySize)
    if SignatureSize is not None:
        if SignatureSize.__class__ is not int or not 0 <= SignatureSize <= 65535:
            SignatureSize = integer_SecurityHeader_SignatureSize(SignatureSize)
    if SenderCertSize is not None:
        if SenderCertSize.__class__ is not int or not 0 <= SenderCertSize <= 4294967295:
            SenderCertSize = integer_SecurityHeader_SenderCertSize(SenderCertSize)
    if ProviderInfoSize is not None:
        if ProviderInfoSize.__class__ is not int or not 0 <= ProviderInfoSize <= 4294967295:
            ProviderInfoSize = integer_SecurityHeader_ProviderInfoSize(ProviderInfoSize)
    if SecurityData is not None:
        if SecurityData.__class__ is not class_SecurityData:
            part_SecurityHeader_SecurityData(SecurityData)
        if not (
            SecurityData.SecurityID
            or SecurityData.SecurityIDPadding
            or SecurityData.EncryptionKey
            or SecurityData.EncryptionKeyPadding
            or SecurityData.Signature
            or SecurityData.SignaturePadding
            or SecurityData.SenderCert
            or SecurityData.SenderCertPadding
            or SecurityData.ProviderInfo
            or SecurityData.ProviderInfoPadding
        ):
            SecurityData = None
    if SenderIdSize is None:
        SenderIdSize = 0 if SecurityData is None else len(SecurityData.SecurityID)
        if SenderIdSize > 65535:
            refuse_size_SecurityHeader(SenderIdSize)
    if EncryptionKeySize is None:
        EncryptionKeySize = 0 if SecurityData is None else len(SecurityData.EncryptionKey)
        if EncryptionKeySize > 65535:
            refuse_size_SecurityHeader_2(EncryptionKeySize)
    if SignatureSize is None:
        SignatureSize = 0 if SecurityData is None else len(SecurityData.Signature)
        if SignatureSize > 65535:
            refuse_size_SecurityHeader_3(SignatureSize)
    if SenderCertSize is None:
        SenderCertSize = 0 if SecurityData is None else len(SecurityData.SenderCert)
        if SenderCertSize > 4294967295:
            refuse_size_SecurityHeader_4(SenderCertSize)
    if ProviderInfoSize is None:
        ProviderInfoSize = 0 if SecurityData is None else len(SecurityData.ProviderInfo)
        if ProviderInfoSize > 4294967295:
            refuse_size_SecurityHeader_5(ProviderInfoSize)
    if Flags is None:
        Flags = 0x0
        if SecurityData is not None:
            Flags |= (
                (
                    0
                    if not SecurityData.SecurityID
                    else 1
                    if SecurityData.SecurityID[0] == 1
                    and len(SecurityData.SecurityID) >= 8
                    and (len(SecurityData.SecurityID) == 8 + 4 * SecurityData.SecurityID[1])
                    else 2
                )
                | ((1 if SecurityData.Signature and (not SecurityData.ProviderInfo) else 0) << 6)
                | 0x80
            )
        Flags = open_SecurityHeaderFlags[Flags]
    else:
        if not _given_Flags & 0xF:
            Flags = (
                Flags & -16
                | (
                    0
                    if SecurityData is None or not SecurityData.SecurityID
                    else 1
                    if SecurityData.SecurityID[0] == 1
                    and len(SecurityData.SecurityID) >= 8
                    and (len(SecurityData.SecurityID) == 8 + 4 * SecurityData.SecurityID[1])
                    else 2
                )
                << 0
            )
        if not _given_Flags & 0x40:
            Flags = (
                Flags & -65
                | (
                    1
                    if SecurityData is not None and SecurityData.Signature and (not SecurityData.ProviderInfo)
                    else 0
                )
                << 6
            )
        if not _given_Flags & 0x80:
            Flags = Flags & -129 | (0 if SecurityData is None else 1) << 7
        if Flags.__class__ is not class_SecurityHeaderFlags:
            Flags = open_SecurityHeaderFlags[Flags | _given_Flags << 16]
    record: SecurityHeader = new_SecurityHeader(
        *(
            Flags,
            SenderIdSize,
            EncryptionKeySize,
            SignatureSize,
            SenderCertSize,
            ProviderInfoSize,
            SecurityData,
        )
    )
    return record


groups_SecurityHeaderFlags = SecurityHeaderFlags.groups


def plain_SecurityHeader(record: SecurityHeader) -> dict[str, Any]:
    security_data = record.SecurityData
    return {
        "Flags": groups_SecurityHeaderFlags[record.Flags].copy(),
        "SenderIdSize": record.SenderIdSize,
        "EncryptionKeySize": record.EncryptionKeySize,
        "SignatureSize": record.SignatureSize,
        "SenderCertSize": record.SenderCertSize,
        "ProviderInfoSize": record.ProviderInfoSize,
        "SecurityData": None if security_data is None else plain_SecurityData(security_data),
    }


def from_plain_SecurityHeader(fields: Any, path: str) -> SecurityHeader:
    taken = FieldSource(layouts.SecurityHeader, fields, path)
    record: SecurityHeader = taken.make(
        SecurityHeader,
        Flags=taken.flags("Flags"),
        SenderIdSize=taken.value("SenderIdSize", plain.number),
        EncryptionKeySize=taken.value("EncryptionKeySize", plain.number),
        SignatureSize=taken.value("SignatureSize", plain.number),
        SenderCertSize=taken.value("SenderCertSize", plain.number),
        ProviderInfoSize=taken.value("ProviderInfoSize", plain.number),
        SecurityData=taken.part("SecurityData", from_plain_SecurityData),
    )
    return record


register(
    SecurityHeader, size_SecurityHeader, build_SecurityHeader, plain_SecurityHeader, from_plain_SecurityHeader
)


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 ProviderInfo


def size_ProviderInfo(record: ProviderInfo) -> int:
    provider_name = record.ProviderName
    size = 4 + ((len(provider_name) if provider_name.isascii() else wchar_count(provider_name)) * 2 + 2)
    return size


refuse_arguments_ProviderInfo = partial(replacing.refuse_arguments, layouts.ProviderInfo)
integer_ProviderInfo_ProviderType = accept.for_field(accept.integer, layouts.ProviderInfo, "ProviderType")
text_ProviderInfo_ProviderName = accept.for_field(accept.text, layouts.ProviderInfo, "ProviderName")


def build_ProviderInfo(
    ProviderType: Any = None, ProviderName: Any = None, *more: Any, **unknown: Any
) -> ProviderInfo:
    if more or unknown:
        refuse_arguments_ProviderInfo(more, unknown)
    if ProviderType is None:
        ProviderType = 0
    else:
        if ProviderType.__class__ is not int or not 0 <= ProviderType <= 4294967295:
            ProviderType = integer_ProviderInfo_ProviderType(ProviderType)
    if ProviderName is None:
        ProviderName = ""
    else:
        if ProviderName.__class__ is not str or not ProviderName.isascii() or "\0" in ProviderName:
            ProviderName = text_ProviderInfo_ProviderName(ProviderName)
    record: ProviderInfo = new_ProviderInfo(*(ProviderType, ProviderName))
    return record


def plain_ProviderInfo(record: ProviderInfo) -> dict[str, Any]:
    return {
        "ProviderType": record.ProviderType,
        "ProviderName": record.ProviderName,
    }


def from_plain_ProviderInfo(fields: Any, path: str) -> ProviderInfo:
    taken = FieldSource(layouts.ProviderInfo, fields, path)
    record: ProviderInfo = taken.make(
        ProviderInfo,
        ProviderType=taken.value("ProviderType", plain.number),
        ProviderName=taken.value("ProviderName", plain.text),
    )
    return record


register(ProviderInfo, size_ProviderInfo, build_ProviderInfo, plain_ProviderInfo, from_plain_ProviderInfo)


# --------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SenderCertPublicKey


def size_SenderCertPublicKey(record: SenderCertPublicKey) -> int:
    modulus = record.Modulus
    size = 20 + len(modulus)
    return size


refuse_arguments_SenderCertPublicKey = partial(replacing.refuse_arguments, layouts.SenderCertPublicKey)
integer_SenderCertPublicKey_bType = accept.for_field(accept.integer, layouts.SenderCertPublicKey, "bType")
integer_SenderCertPublicKey_bVersion = accept.for_field(
    accept.integer, layouts.SenderCertPublicKey, "bVersion"
)
integer_SenderCertPublicKey_reserved = accept.for_field(
    accept.integer, layouts.SenderCertPublicKey, "reserved"
)
integer_SenderCertPublicKey_KeyType = accept.for_field(accept.integer, layouts.SenderCertPublicKey, "KeyType")
default_SenderCertPublicKey_magic = b"RSA1"
raw_bytes_SenderCertPublicKey_magic = accept.for_field(accept.raw_bytes, layouts.SenderCertPublicKey, "magic")
integer_SenderCertPublicKey_LengthInBits = accept.for_field(
    accept.integer, layouts.SenderCertPublicKey, "LengthInBits"
)
integer_SenderCertPublicKey_PublicExponent = accept.for_field(
    accept.integer, layouts.SenderCertPublicKey, "PublicExponent"
)
raw_bytes_SenderCertPublicKey_Modulus = accept.for_field(
    accept.raw_bytes, layouts.SenderCertPublicKey, "Modulus"
)


def build_SenderCertPublicKey(
    bType: Any = None,
    bVersion: Any = None,
    reserved: Any = None,
    KeyType: Any = None,
    magic: Any = None,
    LengthInBits: Any = None,
    PublicExponent: Any = None,
    Modulus: Any = None,
    *more: Any,
    **unknown: Any,
) -> SenderCertPublicKey:
    if more or unknown:
        refuse_arguments_SenderCertPublicKey(more, unknown)
    if bType is None:
        bType = 6
    else:
        if bType.__class__ is not int or not 0 <= bType <= 255:
            bType = integer_SenderCertPublicKey_bType(bType)
    if bVersion is None:
        bVersion = 2
    else:
        if bVersion.__class__ is not int or not 0 <= bVersion <= 255:
            bVersion = integer_SenderCertPublicKey_bVersion(bVersion)
    if reserved is None:
        reserved = 0
    else:
        if reserved.__class__ is not int or not 0 <= reserved <= 65535:
            reserved = integer_SenderCertPublicKey_reserved(reserved)
    if KeyType is None:
        KeyType = 9216
    else:
        if KeyType.__class__ is not int or not 0 <= KeyType <= 4294967295:
            KeyType = integer_SenderCertPublicKey_KeyType(KeyType)
    if magic is None:
        magic = default_SenderCertPublicKey_magic
    else:
        if magic.__class__ is not bytes or len(magic) != 4:
            magic = raw_bytes_SenderCertPublicKey_magic(magic)
    if LengthInBits is not None:
        if LengthInBits.__class__ is not int or not 0 <= LengthInBits <= 4294967295:
            LengthInBits = integer_SenderCertPublicKey_LengthInBits(LengthInBits)
    if PublicExponent is None:
        PublicExponent = 65537
    else:
        if PublicExponent.__class__ is not int or not 0 <= PublicExponent <= 4294967295:
            PublicExponent = integer_SenderCertPublicKey_PublicExponent(PublicExponent)
    if Modulus is None:
        Modulus = b""
    else:
        if Modulus.__class__ is not bytes:
            Modulus = raw_bytes_SenderCertPublicKey_Modulus(Modulus)
    if LengthInBits is None:
        LengthInBits = len(Modulus) * 8
    record: SenderCertPublicKey = new_SenderCertPublicKey(
        *(bType, bVersion, reserved, KeyType, magic, LengthInBits, PublicExponent, Modulus)
    )
    return record


def plain_SenderCertPublicKey(record: SenderCertPublicKey) -> dict[str, Any]:
    return {
        "bType": record.bType,
        "bVersion": record.bVersion,
        "reserved": record.reserved,
        "KeyType": record.KeyType,
        "magic": record.magic.hex(),
        "LengthInBits": record.LengthInBits,
        "PublicExponent": record.PublicExponent,
        "Modulus": record.Modulus.hex(),
    }


def from_plain_SenderCertPublicKey(fields: Any, path: str) -> SenderCertPublicKey:
    taken = FieldSource(layouts.SenderCertPublicKey, fields, path)
    record: SenderCertPublicKey = taken.make(
        SenderCertPublicKey,
        bType=taken.value("bType", plain.number),
        bVersion=taken.value("bVersion", plain.number),
        reserved=taken.value("reserved", plain.number),
        KeyType=taken.value("KeyType", plain.number),
        magic=taken.value("magic", plain.octets),
        LengthInBits=taken.value("LengthInBits", plain.number),
        PublicExponent=taken.value("PublicExponent", plain.number),
        Modulus=taken.value("Modulus", plain.octets),
    )
    return record


register(
    SenderCertPublicKey,
    size_SenderCertPublicKey,
    build_SenderCertPublicKey,
    plain_SenderCertPublicKey,
    from_plain_SenderCertPublicKey,
)


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.20.7 SoapHeader


def size_SoapHeader(record: SoapHeader) -> int:
    header = record.Header
    header_padding = record.HeaderPadding
    body = record.Body
    padding = record.Padding
    size = (
        16
        + ((len(header) if header.isascii() else wchar_count(header)) * 2)
        + len(header_padding)
        + ((len(body) if body.isascii() else wchar_count(body)) * 2)
        + len(padding)
    )
    return size


refuse_arguments_SoapHeader = partial(replacing.refuse_arguments, layouts.SoapHeader)
integer_SoapHeader_HeaderSectionID = accept.for_field(accept.integer, layouts.SoapHeader, "HeaderSectionID")
integer_SoapHeader_Reserved = accept.for_field(accept.integer, layouts.SoapHeader, "Reserved")
integer_SoapHeader_HeaderDataLength = accept.for_field(accept.integer, layouts.SoapHeader, "HeaderDataLength")
text_SoapHeader_Header = accept.for_field(accept.text, layouts.SoapHeader, "Header")
raw_bytes_SoapHeader_HeaderPadding = accept.for_field(accept.raw_bytes, layouts.SoapHeader, "HeaderPadding")
integer_SoapHeader_BodySectionID = accept.for_field(accept.integer, layouts.SoapHeader, "BodySectionID")
integer_SoapHeader_Reserved1 = accept.for_field(accept.integer, layouts.SoapHeader, "Reserved1")
integer_SoapHeader_BodyDataLength = accept.for_field(accept.integer, layouts.SoapHeader, "BodyDataLength")
text_SoapHeader_Body = accept.for_field(accept.text, layouts.SoapHeader, "Body")
raw_bytes_SoapHeader_Padding = accept.for_field(accept.raw_bytes, layouts.SoapHeader, "Padding")
refuse_size_SoapHeader = partial(
    replacing.refuse_size, layouts.SoapHeader, "Header", "HeaderDataLength", "WCHARs", 4294967295
)
refuse_size_SoapHeader_2 = partial(
    replacing.refuse_size, layouts.SoapHeader, "Body", "BodyDataLength", "WCHARs", 4294967295
)


def build_SoapHeader(
    HeaderSectionID: Any = None,
    Reserved: Any = None,
    HeaderDataLength: Any = None,
    Header: Any = None,
    HeaderPadding: Any = None,
    BodySectionID: Any = None,
    Reserved1: Any = None,
    BodyDataLength: Any = None,
    Body: Any = None,
    Padding: Any = None,
    *more: Any,
    **unknown: Any,
) -> SoapHeader:
    if more or unknown:
        refuse_arguments_SoapHeader(more, unknown)
    if HeaderSectionID is None:
        HeaderSectionID = 800
    else:
        if HeaderSectionID.__class__ is not int or not 0 <= HeaderSectionID <= 65535:
            HeaderSectionID = integer_SoapHeader_HeaderSectionID(HeaderSectionID)
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 65535:
            Reserved = integer_SoapHeader_Reserved(Reserved)
    if HeaderDataLength is not None:
        if HeaderDataLength.__class__ is not int or not 0 <= HeaderDataLength <= 4294967295:
            HeaderDataLength = integer_SoapHeader_HeaderDataLength(HeaderDataLength)
    if Header is None:
        Header = ""
    else:
        if Header.__class__ is KeptText:
            Header = str(Header)
        else:
            if Header.__class__ is not str or not Header.isascii():
                Header = text_SoapHeader_Header(Header)
            if HeaderDataLength is None and Header and Header[-1] != "\0":
                Header += "\0"
    if HeaderPadding is not None:
        if HeaderPadding.__class__ is not bytes:
            HeaderPadding = raw_bytes_SoapHeader_HeaderPadding(HeaderPadding)
    if BodySectionID is None:
        BodySectionID = 900
    else:
        if BodySectionID.__class__ is not int or not 0 <= BodySectionID <= 65535:
            BodySectionID = integer_SoapHeader_BodySectionID(BodySectionID)
    if Reserved1 is None:
        Reserved1 = 0
    else:
        if Reserved1.__class__ is not int or not 0 <= Reserved1 <= 65535:
            Reserved1 = integer_SoapHeader_Reserved1(Reserved1)
    if BodyDataLength is not None:
        if BodyDataLength.__class__ is not int or not 0 <= BodyDataLength <= 4294967295:
            BodyDataLength = integer_SoapHeader_BodyDataLength(BodyDataLength)
    if Body is None:
        Body = ""
    else:
        if Body.__class__ is KeptText:
            Body = str(Body)
        else:
            if Body.__class__ is not str or not Body.isascii():
                Body = text_SoapHeader_Body(Body)
            if BodyDataLength is None and Body and Body[-1] != "\0":
                Body += "\0"
    if Padding is not None:
        if Padding.__class__ is not bytes:
            Padding = raw_bytes_SoapHeader_Padding(Padding)
    _true_HeaderDataLength = len(Header) if Header.isascii() else wchar_count(Header)
    if HeaderDataLength is None:
        HeaderDataLength = _true_HeaderDataLength
        if HeaderDataLength > 4294967295:
            refuse_size_SoapHeader(HeaderDataLength)
    _true_BodyDataLength = len(Body) if Body.isascii() else wchar_count(Body)
    if BodyDataLength is None:
        BodyDataLength = _true_BodyDataLength
        if BodyDataLength > 4294967295:
            refuse_size_SoapHeader_2(BodyDataLength)
    if HeaderPadding is None:
        HeaderPadding = b""
    elif HeaderPadding.__class__ is OmittedBytes:
        HeaderPadding = (
            bytes(HeaderPadding)
            if len(HeaderPadding)
            == len(bytes(-(8 + ((len(Header) if Header.isascii() else wchar_count(Header)) * 2)) % 4))
            else b""
        )
    if Padding is None:
        Padding = bytes(
            -(
                16
                + ((len(Header) if Header.isascii() else wchar_count(Header)) * 2)
                + len(HeaderPadding)
                + ((len(Body) if Body.isascii() else wchar_count(Body)) * 2)
            )
            % 4
        )
    record: SoapHeader = new_SoapHeader(
        *(
            HeaderSectionID,
            Reserved,
            HeaderDataLength,
            Header,
            HeaderPadding,
            BodySectionID,
            Reserved1,
            BodyDataLength,
            Body,
            Padding,
        )
    )
    return record


def plain_SoapHeader(record: SoapHeader) -> dict[str, Any]:
    return {
        "HeaderSectionID": record.HeaderSectionID,
        "Reserved": record.Reserved,
        "HeaderDataLength": record.HeaderDataLength,
        "Header": record.Header,
        "HeaderPadding": record.HeaderPadding.hex(),
        "BodySectionID": record.BodySectionID,
        "Reserved1": record.Reserved1,
        "BodyDataLength": record.BodyDataLength,
        "Body": record.Body,
        "Padding": record.Padding.hex(),
    }


def from_plain_SoapHeader(fields: Any, path: str) -> SoapHeader:
    taken = FieldSource(layouts.SoapHeader, fields, path)
    record: SoapHeader = taken.make(
        SoapHeader,
        HeaderSectionID=taken.value("HeaderSectionID", plain.number),
        Reserved=taken.value("Reserved", plain.number),
        HeaderDataLength=taken.value("HeaderDataLength", plain.number),
        Header=taken.value("Header", plain.text),
        HeaderPadding=taken.value("HeaderPadding", plain.octets),
        BodySectionID=taken.value("BodySectionID", plain.number),
        Reserved1=taken.value("Reserved1", plain.number),
        BodyDataLength=taken.value("BodyDataLength", plain.number),
        Body=taken.value("Body", plain.text),
        Padding=taken.value("Padding", plain.octets),
    )
    return record


register(SoapHeader, size_SoapHeader, build_SoapHeader, plain_SoapHeader, from_plain_SoapHeader)


# ----------------------------------------------------------------------- [MS-MQMQ] 2.2.20.8 DebugHeader


def size_DebugHeader(record: DebugHeader) -> int:
    queue_identifier = record.QueueIdentifier
    size = 4
    if queue_identifier is not None:
        size += 16
    return size


refuse_arguments_DebugHeader = partial(replacing.refuse_arguments, layouts.DebugHeader)
class_DebugHeaderFlags = DebugHeaderFlags
partial_DebugHeaderFlags = DebugHeaderFlags.partial
integer_DebugHeader_Reserved = accept.for_field(accept.integer, layouts.DebugHeader, "Reserved")
guid_DebugHeader_QueueIdentifier = accept.for_field(accept.guid, layouts.DebugHeader, "QueueIdentifier")
open_DebugHeaderFlags = DebugHeaderFlags.open_words


def build_DebugHeader(
    Flags: Any = None, Reserved: Any = None, QueueIdentifier: Any = None, *more: Any, **unknown: Any
) -> DebugHeader:
    if more or unknown:
        refuse_arguments_DebugHeader(more, unknown)
    if Flags is None:
        pass
    elif Flags.__class__ is partial_DebugHeaderFlags:
        _given_Flags = Flags.given
    else:
        if Flags.__class__ is not class_DebugHeaderFlags:
            Flags = class_DebugHeaderFlags(Flags)
        _given_Flags = 0xFFFF
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 65535:
            Reserved = integer_DebugHeader_Reserved(Reserved)
    if QueueIdentifier is not None:
        if not (
            QueueIdentifier.__class__ is GUID
            and (_raw := QueueIdentifier.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            QueueIdentifier = guid_DebugHeader_QueueIdentifier(QueueIdentifier)
    if Flags is None:
        Flags = 0x30000
        if QueueIdentifier is not None:
            Flags |= 0x1
        Flags = open_DebugHeaderFlags[Flags]
    else:
        if not _given_Flags & 0x3:
            Flags = Flags & -4 | (
                0x1 if QueueIdentifier is not None else 0 if (Flags & 0x3) == 0x1 else Flags & 0x3
            )
            _given_Flags |= 0x3
        if Flags.__class__ is not class_DebugHeaderFlags:
            Flags = open_DebugHeaderFlags[Flags | _given_Flags << 16]
    record: DebugHeader = new_DebugHeader(*(Flags, Reserved, QueueIdentifier))
    return record


groups_DebugHeaderFlags = DebugHeaderFlags.groups


def plain_DebugHeader(record: DebugHeader) -> dict[str, Any]:
    queue_identifier = record.QueueIdentifier
    return {
        "Flags": groups_DebugHeaderFlags[record.Flags].copy(),
        "Reserved": record.Reserved,
        "QueueIdentifier": None if queue_identifier is None else queue_identifier.__str__(),
    }


def from_plain_DebugHeader(fields: Any, path: str) -> DebugHeader:
    taken = FieldSource(layouts.DebugHeader, fields, path)
    record: DebugHeader = taken.make(
        DebugHeader,
        Flags=taken.flags("Flags"),
        Reserved=taken.value("Reserved", plain.number),
        QueueIdentifier=taken.value("QueueIdentifier", plain.guid),
    )
    return record


register(DebugHeader, size_DebugHeader, build_DebugHeader, plain_DebugHeader, from_plain_DebugHeader)


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.22 MQUSERSIGNCERT


def size_MQUSERSIGNCERT(record: MQUSERSIGNCERT) -> int:
    certificate = record.Certificate
    size = 36 + len(certificate)
    return size


refuse_arguments_MQUSERSIGNCERT = partial(replacing.refuse_arguments, layouts.MQUSERSIGNCERT)
raw_bytes_MQUSERSIGNCERT_Digest = accept.for_field(accept.raw_bytes, layouts.MQUSERSIGNCERT, "Digest")
guid_MQUSERSIGNCERT_Identifier = accept.for_field(accept.guid, layouts.MQUSERSIGNCERT, "Identifier")
integer_MQUSERSIGNCERT_CertificateLength = accept.for_field(
    accept.integer, layouts.MQUSERSIGNCERT, "CertificateLength"
)
raw_bytes_MQUSERSIGNCERT_Certificate = accept.for_field(
    accept.raw_bytes, layouts.MQUSERSIGNCERT, "Certificate"
)
refuse_size_MQUSERSIGNCERT = partial(
    replacing.refuse_size, layouts.MQUSERSIGNCERT, "Certificate", "CertificateLength", "bytes", 4294967295
)
md5 = FUNCTIONS["md5"]


def build_MQUSERSIGNCERT(
    Digest: Any = None,
    Identifier: Any = None,
    CertificateLength: Any = None,
    Certificate: Any = None,
    *more: Any,
    **unknown: Any,
) -> MQUSERSIGNCERT:
    if more or unknown:
        refuse_arguments_MQUSERSIGNCERT(more, unknown)
    if Digest is not None:
        if Digest.__class__ is not bytes or len(Digest) != 16:
            Digest = raw_bytes_MQUSERSIGNCERT_Digest(Digest)
    if Identifier is None:
        Identifier = NULL_GUID
    else:
        if not (
            Identifier.__class__ is GUID
            and (_raw := Identifier.bytes_le).__class__ is bytes
            and len(_raw) == 16
        ):
            Identifier = guid_MQUSERSIGNCERT_Identifier(Identifier)
    if CertificateLength is not None:
        if CertificateLength.__class__ is not int or not 0 <= CertificateLength <= 4294967295:
            CertificateLength = integer_MQUSERSIGNCERT_CertificateLength(CertificateLength)
    if Certificate is None:
        Certificate = b""
    else:
        if Certificate.__class__ is not bytes:
            Certificate = raw_bytes_MQUSERSIGNCERT_Certificate(Certificate)
    _true_CertificateLength = len(Certificate)
    if CertificateLength is None:
        CertificateLength = _true_CertificateLength
        if CertificateLength > 4294967295:
            refuse_size_MQUSERSIGNCERT(CertificateLength)
    if Digest is None:
        Digest = md5(Certificate)
    record: MQUSERSIGNCERT = new_MQUSERSIGNCERT(*(Digest, Identifier, CertificateLength, Certificate))
    return record


def plain_MQUSERSIGNCERT(record: MQUSERSIGNCERT) -> dict[str, Any]:
    return {
        "Digest": record.Digest.hex(),
        "Identifier": record.Identifier.__str__(),
        "CertificateLength": record.CertificateLength,
        "Certificate": record.Certificate.hex(),
    }


def from_plain_MQUSERSIGNCERT(fields: Any, path: str) -> MQUSERSIGNCERT:
    taken = FieldSource(layouts.MQUSERSIGNCERT, fields, path)
    record: MQUSERSIGNCERT = taken.make(
        MQUSERSIGNCERT,
        Digest=taken.value("Digest", plain.octets),
        Identifier=taken.value("Identifier", plain.guid),
        CertificateLength=taken.value("CertificateLength", plain.number),
        Certificate=taken.value("Certificate", plain.octets),
    )
    return record


register(
    MQUSERSIGNCERT, size_MQUSERSIGNCERT, build_MQUSERSIGNCERT, plain_MQUSERSIGNCERT, from_plain_MQUSERSIGNCERT
)


# --------------------------------------------------------------------- [MS-MQMQ] 2.2.21 MQUSERSIGNCERTS


def size_MQUSERSIGNCERTS(record: MQUSERSIGNCERTS) -> int:
    certificates = record.Certificates
    size = 4 + sum(map(size_MQUSERSIGNCERT, certificates))
    return size


refuse_arguments_MQUSERSIGNCERTS = partial(replacing.refuse_arguments, layouts.MQUSERSIGNCERTS)
integer_MQUSERSIGNCERTS_CertificateCount = accept.for_field(
    accept.integer, layouts.MQUSERSIGNCERTS, "CertificateCount"
)
parts_MQUSERSIGNCERTS_Certificates = accept.for_field(
    accept.parts, layouts.MQUSERSIGNCERTS, "Certificates", MQUSERSIGNCERT
)
refuse_size_MQUSERSIGNCERTS = partial(
    replacing.refuse_size, layouts.MQUSERSIGNCERTS, "Certificates", "CertificateCount", "elements", 4294967295
)


def build_MQUSERSIGNCERTS(
    CertificateCount: Any = None, Certificates: Any = None, *more: Any, **unknown: Any
) -> MQUSERSIGNCERTS:
    if more or unknown:
        refuse_arguments_MQUSERSIGNCERTS(more, unknown)
    if CertificateCount is not None:
        if CertificateCount.__class__ is not int or not 0 <= CertificateCount <= 4294967295:
            CertificateCount = integer_MQUSERSIGNCERTS_CertificateCount(CertificateCount)
    if Certificates is None:
        Certificates = ()
    else:
        Certificates = parts_MQUSERSIGNCERTS_Certificates(Certificates)
    _true_CertificateCount = len(Certificates)
    if CertificateCount is None:
        CertificateCount = _true_CertificateCount
        if CertificateCount > 4294967295:
            refuse_size_MQUSERSIGNCERTS(CertificateCount)
    record: MQUSERSIGNCERTS = new_MQUSERSIGNCERTS(*(CertificateCount, Certificates))
    return record


def plain_MQUSERSIGNCERTS(record: MQUSERSIGNCERTS) -> dict[str, Any]:
    return {
        "CertificateCount": record.CertificateCount,
        "Certificates": [plain_MQUSERSIGNCERT(item) for item in record.Certificates],
    }


def from_plain_MQUSERSIGNCERTS(fields: Any, path: str) -> MQUSERSIGNCERTS:
    taken = FieldSource(layouts.MQUSERSIGNCERTS, fields, path)
    record: MQUSERSIGNCERTS = taken.make(
        MQUSERSIGNCERTS,
        CertificateCount=taken.value("CertificateCount", plain.number),
        Certificates=taken.parts("Certificates", from_plain_MQUSERSIGNCERT),
    )
    return record


register(
    MQUSERSIGNCERTS,
    size_MQUSERSIGNCERTS,
    build_MQUSERSIGNCERTS,
    plain_MQUSERSIGNCERTS,
    from_plain_MQUSERSIGNCERTS,
)
