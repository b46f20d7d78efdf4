"""Building the records of [MS-MQRR] 2.2.5: headers of the message packets of a remote read.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from msmq_wire.documents import layouts
from msmq_wire.documents.mqrr import (
    CompoundMessageHeader,
    DeadLetterHeader,
    ExtendedAddressHeader,
    ExtensionHeader,
    ExtensionHeaderFlags,
    SRMPEnvelopeHeader,
    SubqueueHeader,
    SubqueueHeaderFlags,
    UserHeaderAddress,
    new_CompoundMessageHeader,
    new_DeadLetterHeader,
    new_ExtendedAddressHeader,
    new_ExtensionHeader,
    new_SRMPEnvelopeHeader,
    new_SubqueueHeader,
    new_UserHeaderAddress,
)
from msmq_wire.records import accept, replacing
from msmq_wire.records.omitted import KeptText, Omitted
from msmq_wire.records.plain import FieldSource
from msmq_wire.records.registry import register_builders as register
from msmq_wire.values import plain
from msmq_wire.values.wchar import wchar_count

# ------------------------------------------------------------- [MS-MQRR] 2.2.5.1.2.1 SRMPEnvelopeHeader


def size_SRMPEnvelopeHeader(record: SRMPEnvelopeHeader) -> int:
    data_ = record.Data
    padding = record.Padding
    size = 8 + ((len(data_) if data_.isascii() else wchar_count(data_)) * 2) + len(padding)
    return size


refuse_arguments_SRMPEnvelopeHeader = partial(replacing.refuse_arguments, layouts.SRMPEnvelopeHeader)
integer_SRMPEnvelopeHeader_HeaderId = accept.for_field(accept.integer, layouts.SRMPEnvelopeHeader, "HeaderId")
integer_SRMPEnvelopeHeader_Reserved = accept.for_field(accept.integer, layouts.SRMPEnvelopeHeader, "Reserved")
integer_SRMPEnvelopeHeader_DataLength = accept.for_field(
    accept.integer, layouts.SRMPEnvelopeHeader, "DataLength"
)
text_SRMPEnvelopeHeader_Data = accept.for_field(accept.text, layouts.SRMPEnvelopeHeader, "Data")
raw_bytes_SRMPEnvelopeHeader_Padding = accept.for_field(
    accept.raw_bytes, layouts.SRMPEnvelopeHeader, "Padding"
)
refuse_size_SRMPEnvelopeHeader = partial(
    replacing.refuse_size, layouts.SRMPEnvelopeHeader, "Data", "DataLength", "WCHARs", 4294967295
)
PADDINGS = (b"", b"\x00", b"\x00\x00", b"\x00\x00\x00")


def build_SRMPEnvelopeHeader(
    HeaderId: Any = None,
    Reserved: Any = None,
    DataLength: Any = None,
    Data: Any = None,
    Padding: Any = None,
    *more: Any,
    **unknown: Any,
) -> SRMPEnvelopeHeader:
    if more or unknown:
        refuse_arguments_SRMPEnvelopeHeader(more, unknown)
    if HeaderId is None:
        HeaderId = 0
    else:
        if HeaderId.__class__ is not int or not 0 <= HeaderId <= 65535:
            HeaderId = integer_SRMPEnvelopeHeader_HeaderId(HeaderId)
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 65535:
            Reserved = integer_SRMPEnvelopeHeader_Reserved(Reserved)
    if DataLength is not None:
        if DataLength.__class__ is not int or not 0 <= DataLength <= 4294967295:
            DataLength = integer_SRMPEnvelopeHeader_DataLength(DataLength)
    if Data is None:
        Data = ""
    else:
        if Data.__class__ is KeptText:
            Data = str(Data)
        else:
            if Data.__class__ is not str or not Data.isascii():
                Data = text_SRMPEnvelopeHeader_Data(Data)
            if DataLength is None and Data and Data[-1] != "\0":
                Data += "\0"
    if Padding is not None:
        if Padding.__class__ is not bytes:
            Padding = raw_bytes_SRMPEnvelopeHeader_Padding(Padding)
    _true_DataLength = len(Data) if Data.isascii() else wchar_count(Data)
    if DataLength is None:
        DataLength = _true_DataLength
        if DataLength > 4294967295:
            refuse_size_SRMPEnvelopeHeader(DataLength)
    if Padding is None:
        Padding = PADDINGS[-(_true_DataLength * 2) % 4]
    record: SRMPEnvelopeHeader = new_SRMPEnvelopeHeader(*(HeaderId, Reserved, DataLength, Data, Padding))
    return record


def plain_SRMPEnvelopeHeader(record: SRMPEnvelopeHeader) -> dict[str, Any]:
    return {
        "HeaderId": record.HeaderId,
        "Reserved": record.Reserved,
        "DataLength": record.DataLength,
        "Data": record.Data,
        "Padding": record.Padding.hex(),
    }


def from_plain_SRMPEnvelopeHeader(fields: Any, path: str) -> SRMPEnvelopeHeader:
    taken = FieldSource(layouts.SRMPEnvelopeHeader, fields, path)
    record: SRMPEnvelopeHeader = taken.make(
        SRMPEnvelopeHeader,
        HeaderId=taken.value("HeaderId", plain.number),
        Reserved=taken.value("Reserved", plain.number),
        DataLength=taken.value("DataLength", plain.number),
        Data=taken.value("Data", plain.text),
        Padding=taken.value("Padding", plain.octets),
    )
    return record


register(
    SRMPEnvelopeHeader,
    size_SRMPEnvelopeHeader,
    build_SRMPEnvelopeHeader,
    plain_SRMPEnvelopeHeader,
    from_plain_SRMPEnvelopeHeader,
)


# ---------------------------------------------------------- [MS-MQRR] 2.2.5.1.2.2 CompoundMessageHeader


def size_CompoundMessageHeader(record: CompoundMessageHeader) -> int:
    data_ = record.Data
    padding = record.Padding
    size = 16 + len(data_) + len(padding)
    return size


refuse_arguments_CompoundMessageHeader = partial(replacing.refuse_arguments, layouts.CompoundMessageHeader)
integer_CompoundMessageHeader_HeaderId = accept.for_field(
    accept.integer, layouts.CompoundMessageHeader, "HeaderId"
)
integer_CompoundMessageHeader_Reserved = accept.for_field(
    accept.integer, layouts.CompoundMessageHeader, "Reserved"
)
integer_CompoundMessageHeader_HTTPBodySize = accept.for_field(
    accept.integer, layouts.CompoundMessageHeader, "HTTPBodySize"
)
integer_CompoundMessageHeader_MsgBodySize = accept.for_field(
    accept.integer, layouts.CompoundMessageHeader, "MsgBodySize"
)
integer_CompoundMessageHeader_MsgBodyOffset = accept.for_field(
    accept.integer, layouts.CompoundMessageHeader, "MsgBodyOffset"
)
raw_bytes_CompoundMessageHeader_Data = accept.for_field(
    accept.raw_bytes, layouts.CompoundMessageHeader, "Data"
)
raw_bytes_CompoundMessageHeader_Padding = accept.for_field(
    accept.raw_bytes, layouts.CompoundMessageHeader, "Padding"
)
refuse_size_CompoundMessageHeader = partial(
    replacing.refuse_size, layouts.CompoundMessageHeader, "Data", "HTTPBodySize", "bytes", 4294967295
)


def build_CompoundMessageHeader(
    HeaderId: Any = None,
    Reserved: Any = None,
    HTTPBodySize: Any = None,
    MsgBodySize: Any = None,
    MsgBodyOffset: Any = None,
    Data: Any = None,
    Padding: Any = None,
    *more: Any,
    **unknown: Any,
) -> CompoundMessageHeader:
    if more or unknown:
        refuse_arguments_CompoundMessageHeader(more, unknown)
    if HeaderId is None:
        HeaderId = 500
    else:
        if HeaderId.__class__ is not int or not 0 <= HeaderId <= 65535:
            HeaderId = integer_CompoundMessageHeader_HeaderId(HeaderId)
    if Reserved is None:
        Reserved = 0
    else:
        if Reserved.__class__ is not int or not 0 <= Reserved <= 65535:
            Reserved = integer_CompoundMessageHeader_Reserved(Reserved)
    if HTTPBodySize is not None:
        if HTTPBodySize.__class__ is not int or not 0 <= HTTPBodySize <= 4294967295:
            HTTPBodySize = integer_CompoundMessageHeader_HTTPBodySize(HTTPBodySize)
    if MsgBodySize is None:
        MsgBodySize = 0
    else:
        if MsgBodySize.__class__ is not int or not 0 <= MsgBodySize <= 4294967295:
            MsgBodySize = integer_CompoundMessageHeader_MsgBodySize(MsgBodySize)
    if MsgBodyOffset is None:
        MsgBodyOffset = 0
    else:
        if MsgBodyOffset.__class__ is not int or not 0 <= MsgBodyOffset <= 4294967295:
            MsgBodyOffset = integer_CompoundMessageHeader_MsgBodyOffset(MsgBodyOffset)
    if Data is None:
        Data = b""
    else:
        if Data.__class__ is not bytes:
            Data = raw_bytes_CompoundMessageHeader_Data(Data)
    if Padding is not None:
        if Padding.__class__ is not bytes:
            Padding = raw_bytes_CompoundMessageHeader_Padding(Padding)
    _true_HTTPBodySize = len(Data)
    if HTTPBodySize is None:
        HTTPBodySize = _true_HTTPBodySize
        if HTTPBodySize > 4294967295:
            refuse_size_CompoundMessageHeader(HTTPBodySize)
    if Padding is None:
        Padding = PADDINGS[-_true_HTTPBodySize & 3]
    record: CompoundMessageHeader = new_CompoundMessageHeader(
        *(HeaderId, Reserved, HTTPBodySize, MsgBodySize, MsgBodyOffset, Data, Padding)
    )
    return record


def plain_CompoundMessageHeader(record: CompoundMessageHeader) -> dict[str, Any]:
    return {
        "HeaderId": record.HeaderId,
        "Reserved": record.Reserved,
        "HTTPBodySize": record.HTTPBodySize,
        "MsgBodySize": record.MsgBodySize,
        "MsgBodyOffset": record.MsgBodyOffset,
        "Data": record.Data.hex(),
        "Padding": record.Padding.hex(),
    }


def from_plain_CompoundMessageHeader(fields: Any, path: str) -> CompoundMessageHeader:
    taken = FieldSource(layouts.CompoundMessageHeader, fields, path)
    record: CompoundMessageHeader = taken.make(
        CompoundMessageHeader,
        HeaderId=taken.value("HeaderId", plain.number),
        Reserved=taken.value("Reserved", plain.number),
        HTTPBodySize=taken.value("HTTPBodySize", plain.number),
        MsgBodySize=taken.value("MsgBodySize", plain.number),
        MsgBodyOffset=taken.value("MsgBodyOffset", plain.number),
        Data=taken.value("Data", plain.octets),
        Padding=taken.value("Padding", plain.octets),
    )
    return record


register(
    CompoundMessageHeader,
    size_CompoundMessageHeader,
    build_CompoundMessageHeader,
    plain_CompoundMessageHeader,
    from_plain_CompoundMessageHeader,
)


# -------------------------------------------------------------------- [MS-MQRR] 2.2.5.2 ExtensionHeader


def size_ExtensionHeader(record: ExtensionHeader) -> int:
    size = 12
    return size


refuse_arguments_ExtensionHeader = partial(replacing.refuse_arguments, layouts.ExtensionHeader)
integer_ExtensionHeader_HeaderSize = accept.for_field(accept.integer, layouts.ExtensionHeader, "HeaderSize")
LEFT_OUT_0 = Omitted(0)
integer_ExtensionHeader_RemainingHeadersSize = accept.for_field(
    accept.integer, layouts.ExtensionHeader, "RemainingHeadersSize"
)
class_ExtensionHeaderFlags = ExtensionHeaderFlags
partial_ExtensionHeaderFlags = ExtensionHeaderFlags.partial
ZEROS_3 = bytes(3)
raw_bytes_ExtensionHeader_Reserved = accept.for_field(accept.raw_bytes, layouts.ExtensionHeader, "Reserved")
open_ExtensionHeaderFlags = ExtensionHeaderFlags.open_words


def build_ExtensionHeader(
    HeaderSize: Any = None,
    RemainingHeadersSize: Any = None,
    Flags: Any = None,
    Reserved: Any = None,
    *more: Any,
    **unknown: Any,
) -> ExtensionHeader:
    if more or unknown:
        refuse_arguments_ExtensionHeader(more, unknown)
    if HeaderSize is None:
        HeaderSize = 12
    else:
        if HeaderSize.__class__ is not int or not 0 <= HeaderSize <= 4294967295:
            HeaderSize = integer_ExtensionHeader_HeaderSize(HeaderSize)
    if RemainingHeadersSize is None:
        RemainingHeadersSize = LEFT_OUT_0
    else:
        if RemainingHeadersSize.__class__ is not int or not 0 <= RemainingHeadersSize <= 4294967295:
            RemainingHeadersSize = integer_ExtensionHeader_RemainingHeadersSize(RemainingHeadersSize)
    if Flags is None:
        pass
    elif Flags.__class__ is partial_ExtensionHeaderFlags:
        _given_Flags = Flags.given
    else:
        if Flags.__class__ is not class_ExtensionHeaderFlags:
            Flags = class_ExtensionHeaderFlags(Flags)
        _given_Flags = 0xFF
    if Reserved is None:
        Reserved = ZEROS_3
    else:
        if Reserved.__class__ is not bytes or len(Reserved) != 3:
            Reserved = raw_bytes_ExtensionHeader_Reserved(Reserved)
    if Flags is None:
        Flags = 0x0
        Flags = open_ExtensionHeaderFlags[Flags]
    else:
        if Flags.__class__ is not class_ExtensionHeaderFlags:
            Flags = open_ExtensionHeaderFlags[Flags | _given_Flags << 8]
    record: ExtensionHeader = new_ExtensionHeader(*(HeaderSize, RemainingHeadersSize, Flags, Reserved))
    return record


groups_ExtensionHeaderFlags = ExtensionHeaderFlags.groups


def plain_ExtensionHeader(record: ExtensionHeader) -> dict[str, Any]:
    return {
        "HeaderSize": record.HeaderSize,
        "RemainingHeadersSize": int(record.RemainingHeadersSize),
        "Flags": groups_ExtensionHeaderFlags[record.Flags].copy(),
        "Reserved": record.Reserved.hex(),
    }


def from_plain_ExtensionHeader(fields: Any, path: str) -> ExtensionHeader:
    taken = FieldSource(layouts.ExtensionHeader, fields, path)
    record: ExtensionHeader = taken.make(
        ExtensionHeader,
        HeaderSize=taken.value("HeaderSize", plain.number),
        RemainingHeadersSize=taken.value("RemainingHeadersSize", plain.number),
        Flags=taken.flags("Flags"),
        Reserved=taken.value("Reserved", plain.octets),
    )
    return record


register(
    ExtensionHeader,
    size_ExtensionHeader,
    build_ExtensionHeader,
    plain_ExtensionHeader,
    from_plain_ExtensionHeader,
)


# --------------------------------------------------------------------- [MS-MQRR] 2.2.5.3 SubqueueHeader


def size_SubqueueHeader(record: SubqueueHeader) -> int:
    size = 148
    return size


refuse_arguments_SubqueueHeader = partial(replacing.refuse_arguments, layouts.SubqueueHeader)
integer_SubqueueHeader_HeaderSize = accept.for_field(accept.integer, layouts.SubqueueHeader, "HeaderSize")
class_SubqueueHeaderFlags = SubqueueHeaderFlags
partial_SubqueueHeaderFlags = SubqueueHeaderFlags.partial
default_SubqueueHeaderFlags = SubqueueHeaderFlags.cache[0x0]
integer_SubqueueHeader_AbortCounter = accept.for_field(accept.integer, layouts.SubqueueHeader, "AbortCounter")
integer_SubqueueHeader_MoveCounter = accept.for_field(accept.integer, layouts.SubqueueHeader, "MoveCounter")
integer_SubqueueHeader_LastMoveTime = accept.for_field(accept.integer, layouts.SubqueueHeader, "LastMoveTime")
ZEROS_64 = bytes(64)
raw_bytes_SubqueueHeader_SubqueueName = accept.for_field(
    accept.raw_bytes, layouts.SubqueueHeader, "SubqueueName"
)
raw_bytes_SubqueueHeader_TargetSubqueueName = accept.for_field(
    accept.raw_bytes, layouts.SubqueueHeader, "TargetSubqueueName"
)


def build_SubqueueHeader(
    HeaderSize: Any = None,
    Flags: Any = None,
    AbortCounter: Any = None,
    MoveCounter: Any = None,
    LastMoveTime: Any = None,
    SubqueueName: Any = None,
    TargetSubqueueName: Any = None,
    *more: Any,
    **unknown: Any,
) -> SubqueueHeader:
    if more or unknown:
        refuse_arguments_SubqueueHeader(more, unknown)
    if HeaderSize is None:
        HeaderSize = 148
    else:
        if HeaderSize.__class__ is not int or not 0 <= HeaderSize <= 4294967295:
            HeaderSize = integer_SubqueueHeader_HeaderSize(HeaderSize)
    if Flags is None:
        Flags = default_SubqueueHeaderFlags
    elif Flags.__class__ is not class_SubqueueHeaderFlags:
        Flags = class_SubqueueHeaderFlags(Flags)
    if AbortCounter is None:
        AbortCounter = 0
    else:
        if AbortCounter.__class__ is not int or not 0 <= AbortCounter <= 4294967295:
            AbortCounter = integer_SubqueueHeader_AbortCounter(AbortCounter)
    if MoveCounter is None:
        MoveCounter = 0
    else:
        if MoveCounter.__class__ is not int or not 0 <= MoveCounter <= 4294967295:
            MoveCounter = integer_SubqueueHeader_MoveCounter(MoveCounter)
    if LastMoveTime is None:
        LastMoveTime = 0
    else:
        if LastMoveTime.__class__ is not int or not 0 <= LastMoveTime <= 4294967295:
            LastMoveTime = integer_SubqueueHeader_LastMoveTime(LastMoveTime)
    if SubqueueName is None:
        SubqueueName = ZEROS_64
    else:
        if SubqueueName.__class__ is not bytes or len(SubqueueName) != 64:
            SubqueueName = raw_bytes_SubqueueHeader_SubqueueName(SubqueueName)
    if TargetSubqueueName is None:
        TargetSubqueueName = ZEROS_64
    else:
        if TargetSubqueueName.__class__ is not bytes or len(TargetSubqueueName) != 64:
            TargetSubqueueName = raw_bytes_SubqueueHeader_TargetSubqueueName(TargetSubqueueName)
    record: SubqueueHeader = new_SubqueueHeader(
        *(HeaderSize, Flags, AbortCounter, MoveCounter, LastMoveTime, SubqueueName, TargetSubqueueName)
    )
    return record


groups_SubqueueHeaderFlags = SubqueueHeaderFlags.groups


def plain_SubqueueHeader(record: SubqueueHeader) -> dict[str, Any]:
    return {
        "HeaderSize": record.HeaderSize,
        "Flags": groups_SubqueueHeaderFlags[record.Flags].copy(),
        "AbortCounter": record.AbortCounter,
        "MoveCounter": record.MoveCounter,
        "LastMoveTime": record.LastMoveTime,
        "SubqueueName": record.SubqueueName.hex(),
        "TargetSubqueueName": record.TargetSubqueueName.hex(),
    }


def from_plain_SubqueueHeader(fields: Any, path: str) -> SubqueueHeader:
    taken = FieldSource(layouts.SubqueueHeader, fields, path)
    record: SubqueueHeader = taken.make(
        SubqueueHeader,
        HeaderSize=taken.value("HeaderSize", plain.number),
        Flags=taken.flags("Flags"),
        AbortCounter=taken.value("AbortCounter", plain.number),
        MoveCounter=taken.value("MoveCounter", plain.number),
        LastMoveTime=taken.value("LastMoveTime", plain.number),
        SubqueueName=taken.value("SubqueueName", plain.octets),
        TargetSubqueueName=taken.value("TargetSubqueueName", plain.octets),
    )
    return record


register(
    SubqueueHeader, size_SubqueueHeader, build_SubqueueHeader, plain_SubqueueHeader, from_plain_SubqueueHeader
)


# ------------------------------------------------------------------- [MS-MQRR] 2.2.5.4 DeadLetterHeader


def size_DeadLetterHeader(record: DeadLetterHeader) -> int:
    dead_letter_path_name = record.DeadLetterPathName
    padding = record.Padding
    size = (
        4
        + (
            (
                len(dead_letter_path_name)
                if dead_letter_path_name.isascii()
                else wchar_count(dead_letter_path_name)
            )
            * 2
            + 2
        )
        + len(padding)
    )
    return size


refuse_arguments_DeadLetterHeader = partial(replacing.refuse_arguments, layouts.DeadLetterHeader)
integer_DeadLetterHeader_HeaderSize = accept.for_field(accept.integer, layouts.DeadLetterHeader, "HeaderSize")
text_DeadLetterHeader_DeadLetterPathName = accept.for_field(
    accept.text, layouts.DeadLetterHeader, "DeadLetterPathName"
)
raw_bytes_DeadLetterHeader_Padding = accept.for_field(accept.raw_bytes, layouts.DeadLetterHeader, "Padding")


def build_DeadLetterHeader(
    HeaderSize: Any = None, DeadLetterPathName: Any = None, Padding: Any = None, *more: Any, **unknown: Any
) -> DeadLetterHeader:
    if more or unknown:
        refuse_arguments_DeadLetterHeader(more, unknown)
    if HeaderSize is not None:
        if HeaderSize.__class__ is not int or not 0 <= HeaderSize <= 4294967295:
            HeaderSize = integer_DeadLetterHeader_HeaderSize(HeaderSize)
    if DeadLetterPathName is None:
        DeadLetterPathName = ""
    else:
        if (
            DeadLetterPathName.__class__ is not str
            or not DeadLetterPathName.isascii()
            or "\0" in DeadLetterPathName
        ):
            DeadLetterPathName = text_DeadLetterHeader_DeadLetterPathName(DeadLetterPathName)
    if Padding is not None:
        if Padding.__class__ is not bytes:
            Padding = raw_bytes_DeadLetterHeader_Padding(Padding)
    _size = 4 + (
        (len(DeadLetterPathName) if DeadLetterPathName.isascii() else wchar_count(DeadLetterPathName)) * 2 + 2
    )
    if Padding is None:
        Padding = PADDINGS[-_size % 4]
    if HeaderSize is None:
        HeaderSize = _size + len(Padding)
    record: DeadLetterHeader = new_DeadLetterHeader(*(HeaderSize, DeadLetterPathName, Padding))
    return record


def plain_DeadLetterHeader(record: DeadLetterHeader) -> dict[str, Any]:
    return {
        "HeaderSize": record.HeaderSize,
        "DeadLetterPathName": record.DeadLetterPathName,
        "Padding": record.Padding.hex(),
    }


def from_plain_DeadLetterHeader(fields: Any, path: str) -> DeadLetterHeader:
    taken = FieldSource(layouts.DeadLetterHeader, fields, path)
    record: DeadLetterHeader = taken.make(
        DeadLetterHeader,
        HeaderSize=taken.value("HeaderSize", plain.number),
        DeadLetterPathName=taken.value("DeadLetterPathName", plain.text),
        Padding=taken.value("Padding", plain.octets),
    )
    return record


register(
    DeadLetterHeader,
    size_DeadLetterHeader,
    build_DeadLetterHeader,
    plain_DeadLetterHeader,
    from_plain_DeadLetterHeader,
)


# -------------------------------------------------------------- [MS-MQRR] 2.2.5.5 ExtendedAddressHeader


def size_ExtendedAddressHeader(record: ExtendedAddressHeader) -> int:
    size = 28
    return size


refuse_arguments_ExtendedAddressHeader = partial(replacing.refuse_arguments, layouts.ExtendedAddressHeader)
integer_ExtendedAddressHeader_HeaderSize = accept.for_field(
    accept.integer, layouts.ExtendedAddressHeader, "HeaderSize"
)
integer_ExtendedAddressHeader_AddressLength = accept.for_field(
    accept.integer, layouts.ExtendedAddressHeader, "AddressLength"
)
integer_ExtendedAddressHeader_AddressType = accept.for_field(
    accept.integer, layouts.ExtendedAddressHeader, "AddressType"
)
integer_ExtendedAddressHeader_AddressScope = accept.for_field(
    accept.integer, layouts.ExtendedAddressHeader, "AddressScope"
)
ZEROS_16 = bytes(16)
raw_bytes_ExtendedAddressHeader_Address = accept.for_field(
    accept.raw_bytes, layouts.ExtendedAddressHeader, "Address"
)


def build_ExtendedAddressHeader(
    HeaderSize: Any = None,
    AddressLength: Any = None,
    AddressType: Any = None,
    AddressScope: Any = None,
    Address: Any = None,
    *more: Any,
    **unknown: Any,
) -> ExtendedAddressHeader:
    if more or unknown:
        refuse_arguments_ExtendedAddressHeader(more, unknown)
    if HeaderSize is None:
        HeaderSize = 28
    else:
        if HeaderSize.__class__ is not int or not 0 <= HeaderSize <= 4294967295:
            HeaderSize = integer_ExtendedAddressHeader_HeaderSize(HeaderSize)
    if AddressLength is None:
        AddressLength = 0
    else:
        if AddressLength.__class__ is not int or not 0 <= AddressLength <= 65535:
            AddressLength = integer_ExtendedAddressHeader_AddressLength(AddressLength)
    if AddressType is None:
        AddressType = 0
    else:
        if AddressType.__class__ is not int or not 0 <= AddressType <= 65535:
            AddressType = integer_ExtendedAddressHeader_AddressType(AddressType)
    if AddressScope is None:
        AddressScope = 0
    else:
        if AddressScope.__class__ is not int or not 0 <= AddressScope <= 4294967295:
            AddressScope = integer_ExtendedAddressHeader_AddressScope(AddressScope)
    if Address is None:
        Address = ZEROS_16
    else:
        if Address.__class__ is not bytes or len(Address) != 16:
            Address = raw_bytes_ExtendedAddressHeader_Address(Address)
    record: ExtendedAddressHeader = new_ExtendedAddressHeader(
        *(HeaderSize, AddressLength, AddressType, AddressScope, Address)
    )
    return record


def plain_ExtendedAddressHeader(record: ExtendedAddressHeader) -> dict[str, Any]:
    return {
        "HeaderSize": record.HeaderSize,
        "AddressLength": record.AddressLength,
        "AddressType": record.AddressType,
        "AddressScope": record.AddressScope,
        "Address": record.Address.hex(),
    }


def from_plain_ExtendedAddressHeader(fields: Any, path: str) -> ExtendedAddressHeader:
    taken = FieldSource(layouts.ExtendedAddressHeader, fields, path)
    record: ExtendedAddressHeader = taken.make(
        ExtendedAddressHeader,
        HeaderSize=taken.value("HeaderSize", plain.number),
        AddressLength=taken.value("AddressLength", plain.number),
        AddressType=taken.value("AddressType", plain.number),
        AddressScope=taken.value("AddressScope", plain.number),
        Address=taken.value("Address", plain.octets),
    )
    return record


register(
    ExtendedAddressHeader,
    size_ExtendedAddressHeader,
    build_ExtendedAddressHeader,
    plain_ExtendedAddressHeader,
    from_plain_ExtendedAddressHeader,
)


# ------------------------------------------------------------------ [MS-MQRR] 2.2.5.1 UserHeaderAddress


def size_UserHeaderAddress(record: UserHeaderAddress) -> int:
    size = 16
    return size


refuse_arguments_UserHeaderAddress = partial(replacing.refuse_arguments, layouts.UserHeaderAddress)
integer_UserHeaderAddress_AddressLength = accept.for_field(
    accept.integer, layouts.UserHeaderAddress, "AddressLength"
)
integer_UserHeaderAddress_AddressType = accept.for_field(
    accept.integer, layouts.UserHeaderAddress, "AddressType"
)
integer_UserHeaderAddress_AddressScope = accept.for_field(
    accept.integer, layouts.UserHeaderAddress, "AddressScope"
)
ZEROS_8 = bytes(8)
raw_bytes_UserHeaderAddress_Address = accept.for_field(accept.raw_bytes, layouts.UserHeaderAddress, "Address")


def build_UserHeaderAddress(
    AddressLength: Any = None,
    AddressType: Any = None,
    AddressScope: Any = None,
    Address: Any = None,
    *more: Any,
    **unknown: Any,
) -> UserHeaderAddress:
    if more or unknown:
        refuse_arguments_UserHeaderAddress(more, unknown)
    if AddressLength is None:
        AddressLength = 0
    else:
        if AddressLength.__class__ is not int or not 0 <= AddressLength <= 65535:
            AddressLength = integer_UserHeaderAddress_AddressLength(AddressLength)
    if AddressType is None:
        AddressType = 0
    else:
        if AddressType.__class__ is not int or not 0 <= AddressType <= 65535:
            AddressType = integer_UserHeaderAddress_AddressType(AddressType)
    if AddressScope is None:
        AddressScope = 0
    else:
        if AddressScope.__class__ is not int or not 0 <= AddressScope <= 4294967295:
            AddressScope = integer_UserHeaderAddress_AddressScope(AddressScope)
    if Address is None:
        Address = ZEROS_8
    else:
        if Address.__class__ is not bytes or len(Address) != 8:
            Address = raw_bytes_UserHeaderAddress_Address(Address)
    record: UserHeaderAddress = new_UserHeaderAddress(*(AddressLength, AddressType, AddressScope, Address))
    return record


def plain_UserHeaderAddress(record: UserHeaderAddress) -> dict[str, Any]:
    return {
        "AddressLength": record.AddressLength,
        "AddressType": record.AddressType,
        "AddressScope": record.AddressScope,
        "Address": record.Address.hex(),
    }


def from_plain_UserHeaderAddress(fields: Any, path: str) -> UserHeaderAddress:
    taken = FieldSource(layouts.UserHeaderAddress, fields, path)
    record: UserHeaderAddress = taken.make(
        UserHeaderAddress,
        AddressLength=taken.value("AddressLength", plain.number),
        AddressType=taken.value("AddressType", plain.number),
        AddressScope=taken.value("AddressScope", plain.number),
        Address=taken.value("Address", plain.octets),
    )
    return record


register(
    UserHeaderAddress,
    size_UserHeaderAddress,
    build_UserHeaderAddress,
    plain_UserHeaderAddress,
    from_plain_UserHeaderAddress,
)
