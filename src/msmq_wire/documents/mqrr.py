"""[MS-MQRR] 2.2.5: headers of the message packets of a remote read.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from codecs import utf_16_le_decode as decode_utf16
from codecs import utf_16_le_encode as encode_utf16
from functools import partial
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar

from msmq_wire.records import accept, replacing
from msmq_wire.records.flags import Flags
from msmq_wire.records.left_out import KeptText, LeftOut
from msmq_wire.records.plain import Taken
from msmq_wire.records.record import Record
from msmq_wire.records.registry import register
from msmq_wire.values import plain
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import find_terminator, wchar_count

from . import layouts, readings

if TYPE_CHECKING:
    import ipaddress
    from typing import Self

    from msmq_wire.records.model import Structure
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

    layout: ClassVar[Structure] = layouts.SRMPEnvelopeHeader
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

    @property
    def envelope(self) -> str:
        """From `Data`: the SOAP envelope, without its terminator."""
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
        Padding = PADDINGS[-(_true_DataLength * 2) & 3]
    made: SRMPEnvelopeHeader = new_SRMPEnvelopeHeader(*(HeaderId, Reserved, DataLength, Data, Padding))
    return made


def plain_SRMPEnvelopeHeader(record: SRMPEnvelopeHeader) -> dict[str, Any]:
    return {
        "HeaderId": record.HeaderId,
        "Reserved": record.Reserved,
        "DataLength": record.DataLength,
        "Data": record.Data,
        "Padding": record.Padding.hex(),
    }


def from_plain_SRMPEnvelopeHeader(fields: Any, path: str) -> SRMPEnvelopeHeader:
    taken = Taken(layouts.SRMPEnvelopeHeader, fields, path)
    made: SRMPEnvelopeHeader = taken.make(
        SRMPEnvelopeHeader,
        HeaderId=taken.one("HeaderId", plain.number),
        Reserved=taken.one("Reserved", plain.number),
        DataLength=taken.one("DataLength", plain.number),
        Data=taken.one("Data", plain.text),
        Padding=taken.one("Padding", plain.octets),
    )
    return made


register(
    SRMPEnvelopeHeader,
    decode_SRMPEnvelopeHeader,
    encode_SRMPEnvelopeHeader,
    size_SRMPEnvelopeHeader,
    build_SRMPEnvelopeHeader,
    plain_SRMPEnvelopeHeader,
    from_plain_SRMPEnvelopeHeader,
)


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

    layout: ClassVar[Structure] = layouts.CompoundMessageHeader
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
    made: CompoundMessageHeader = new_CompoundMessageHeader(
        *(HeaderId, Reserved, HTTPBodySize, MsgBodySize, MsgBodyOffset, Data, Padding)
    )
    return made


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
    taken = Taken(layouts.CompoundMessageHeader, fields, path)
    made: CompoundMessageHeader = taken.make(
        CompoundMessageHeader,
        HeaderId=taken.one("HeaderId", plain.number),
        Reserved=taken.one("Reserved", plain.number),
        HTTPBodySize=taken.one("HTTPBodySize", plain.number),
        MsgBodySize=taken.one("MsgBodySize", plain.number),
        MsgBodyOffset=taken.one("MsgBodyOffset", plain.number),
        Data=taken.one("Data", plain.octets),
        Padding=taken.one("Padding", plain.octets),
    )
    return made


register(
    CompoundMessageHeader,
    decode_CompoundMessageHeader,
    encode_CompoundMessageHeader,
    size_CompoundMessageHeader,
    build_CompoundMessageHeader,
    plain_CompoundMessageHeader,
    from_plain_CompoundMessageHeader,
)


# -------------------------------------------------------------------- [MS-MQRR] 2.2.5.2 ExtensionHeader


class ExtensionHeaderFlags(Flags):
    """Groups of `ExtensionHeader.Flags`: which headers follow."""

    __slots__ = ()
    kind = layouts.ExtensionHeader.flags("Flags")
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

    layout: ClassVar[Structure] = layouts.ExtensionHeader
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


known_ExtensionHeaderFlags = ExtensionHeaderFlags.seen
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


def size_ExtensionHeader(record: ExtensionHeader) -> int:
    size = 12
    return size


refuse_arguments_ExtensionHeader = partial(replacing.refuse_arguments, layouts.ExtensionHeader)
integer_ExtensionHeader_HeaderSize = accept.for_field(accept.integer, layouts.ExtensionHeader, "HeaderSize")
LEFT_OUT_0 = LeftOut(0)
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
    made: ExtensionHeader = new_ExtensionHeader(*(HeaderSize, RemainingHeadersSize, Flags, Reserved))
    return made


groups_ExtensionHeaderFlags = ExtensionHeaderFlags.groups


def plain_ExtensionHeader(record: ExtensionHeader) -> dict[str, Any]:
    return {
        "HeaderSize": record.HeaderSize,
        "RemainingHeadersSize": int(record.RemainingHeadersSize),
        "Flags": groups_ExtensionHeaderFlags[record.Flags].copy(),
        "Reserved": record.Reserved.hex(),
    }


def from_plain_ExtensionHeader(fields: Any, path: str) -> ExtensionHeader:
    taken = Taken(layouts.ExtensionHeader, fields, path)
    made: ExtensionHeader = taken.make(
        ExtensionHeader,
        HeaderSize=taken.one("HeaderSize", plain.number),
        RemainingHeadersSize=taken.one("RemainingHeadersSize", plain.number),
        Flags=taken.flags("Flags"),
        Reserved=taken.one("Reserved", plain.octets),
    )
    return made


register(
    ExtensionHeader,
    decode_ExtensionHeader,
    encode_ExtensionHeader,
    size_ExtensionHeader,
    build_ExtensionHeader,
    plain_ExtensionHeader,
    from_plain_ExtensionHeader,
)


# --------------------------------------------------------------------- [MS-MQRR] 2.2.5.3 SubqueueHeader


class SubqueueHeaderFlags(Flags):
    """Groups of `SubqueueHeader.Flags`: the page gives the three parts no common name; this one is
    ours."""

    __slots__ = ()
    kind = layouts.SubqueueHeader.flags("Flags")
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

    layout: ClassVar[Structure] = layouts.SubqueueHeader
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

    @property
    def subqueue_name(self) -> str:
        """From `SubqueueName`: the subqueue of the message; empty if there is none."""
        return readings.subqueue_name(self)

    @property
    def target_subqueue_name(self) -> str:
        """From `TargetSubqueueName`: the target of a pending move; empty if there is none."""
        return readings.target_subqueue_name(self)


known_SubqueueHeaderFlags = SubqueueHeaderFlags.seen
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


def size_SubqueueHeader(record: SubqueueHeader) -> int:
    size = 148
    return size


refuse_arguments_SubqueueHeader = partial(replacing.refuse_arguments, layouts.SubqueueHeader)
integer_SubqueueHeader_HeaderSize = accept.for_field(accept.integer, layouts.SubqueueHeader, "HeaderSize")
class_SubqueueHeaderFlags = SubqueueHeaderFlags
partial_SubqueueHeaderFlags = SubqueueHeaderFlags.partial
default_SubqueueHeaderFlags = SubqueueHeaderFlags.seen[0x0]
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
    made: SubqueueHeader = new_SubqueueHeader(
        *(HeaderSize, Flags, AbortCounter, MoveCounter, LastMoveTime, SubqueueName, TargetSubqueueName)
    )
    return made


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
    taken = Taken(layouts.SubqueueHeader, fields, path)
    made: SubqueueHeader = taken.make(
        SubqueueHeader,
        HeaderSize=taken.one("HeaderSize", plain.number),
        Flags=taken.flags("Flags"),
        AbortCounter=taken.one("AbortCounter", plain.number),
        MoveCounter=taken.one("MoveCounter", plain.number),
        LastMoveTime=taken.one("LastMoveTime", plain.number),
        SubqueueName=taken.one("SubqueueName", plain.octets),
        TargetSubqueueName=taken.one("TargetSubqueueName", plain.octets),
    )
    return made


register(
    SubqueueHeader,
    decode_SubqueueHeader,
    encode_SubqueueHeader,
    size_SubqueueHeader,
    build_SubqueueHeader,
    plain_SubqueueHeader,
    from_plain_SubqueueHeader,
)


# ------------------------------------------------------------------- [MS-MQRR] 2.2.5.4 DeadLetterHeader


class DeadLetterHeader(Record, frozen=True, gc=False):
    """The dead-letter queue that the application requested ([MS-MQRR] 2.2.5.4).

    Attributes:
        HeaderSize: Size of this header in bytes, padding included.
        DeadLetterPathName: Application's dead-letter queue, terminator not included.
        Padding: To a 4-byte boundary, zeros.
    """

    layout: ClassVar[Structure] = layouts.DeadLetterHeader
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
    _out_HeaderSize = HeaderSize is None
    _out_Padding = Padding is None
    if HeaderSize is None:
        HeaderSize = 0
    else:
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
    if Padding is None:
        Padding = PADDINGS[
            -(
                4
                + (
                    (
                        len(DeadLetterPathName)
                        if DeadLetterPathName.isascii()
                        else wchar_count(DeadLetterPathName)
                    )
                    * 2
                    + 2
                )
            )
            & 3
        ]
    if _out_HeaderSize:
        if _out_Padding:
            Padding = bytes(
                -(
                    4
                    + (
                        (
                            len(DeadLetterPathName)
                            if DeadLetterPathName.isascii()
                            else wchar_count(DeadLetterPathName)
                        )
                        * 2
                        + 2
                    )
                )
                & 3
            )
        HeaderSize = (
            4
            + (
                (len(DeadLetterPathName) if DeadLetterPathName.isascii() else wchar_count(DeadLetterPathName))
                * 2
                + 2
            )
            + len(Padding)
        )
    made: DeadLetterHeader = new_DeadLetterHeader(*(HeaderSize, DeadLetterPathName, Padding))
    return made


def plain_DeadLetterHeader(record: DeadLetterHeader) -> dict[str, Any]:
    return {
        "HeaderSize": record.HeaderSize,
        "DeadLetterPathName": record.DeadLetterPathName,
        "Padding": record.Padding.hex(),
    }


def from_plain_DeadLetterHeader(fields: Any, path: str) -> DeadLetterHeader:
    taken = Taken(layouts.DeadLetterHeader, fields, path)
    made: DeadLetterHeader = taken.make(
        DeadLetterHeader,
        HeaderSize=taken.one("HeaderSize", plain.number),
        DeadLetterPathName=taken.one("DeadLetterPathName", plain.text),
        Padding=taken.one("Padding", plain.octets),
    )
    return made


register(
    DeadLetterHeader,
    decode_DeadLetterHeader,
    encode_DeadLetterHeader,
    size_DeadLetterHeader,
    build_DeadLetterHeader,
    plain_DeadLetterHeader,
    from_plain_DeadLetterHeader,
)


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

    layout: ClassVar[Structure] = layouts.ExtendedAddressHeader
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
    made: ExtendedAddressHeader = new_ExtendedAddressHeader(
        *(HeaderSize, AddressLength, AddressType, AddressScope, Address)
    )
    return made


def plain_ExtendedAddressHeader(record: ExtendedAddressHeader) -> dict[str, Any]:
    return {
        "HeaderSize": record.HeaderSize,
        "AddressLength": record.AddressLength,
        "AddressType": record.AddressType,
        "AddressScope": record.AddressScope,
        "Address": record.Address.hex(),
    }


def from_plain_ExtendedAddressHeader(fields: Any, path: str) -> ExtendedAddressHeader:
    taken = Taken(layouts.ExtendedAddressHeader, fields, path)
    made: ExtendedAddressHeader = taken.make(
        ExtendedAddressHeader,
        HeaderSize=taken.one("HeaderSize", plain.number),
        AddressLength=taken.one("AddressLength", plain.number),
        AddressType=taken.one("AddressType", plain.number),
        AddressScope=taken.one("AddressScope", plain.number),
        Address=taken.one("Address", plain.octets),
    )
    return made


register(
    ExtendedAddressHeader,
    decode_ExtendedAddressHeader,
    encode_ExtendedAddressHeader,
    size_ExtendedAddressHeader,
    build_ExtendedAddressHeader,
    plain_ExtendedAddressHeader,
    from_plain_ExtendedAddressHeader,
)


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

    layout: ClassVar[Structure] = layouts.UserHeaderAddress
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
    made: UserHeaderAddress = new_UserHeaderAddress(*(AddressLength, AddressType, AddressScope, Address))
    return made


def plain_UserHeaderAddress(record: UserHeaderAddress) -> dict[str, Any]:
    return {
        "AddressLength": record.AddressLength,
        "AddressType": record.AddressType,
        "AddressScope": record.AddressScope,
        "Address": record.Address.hex(),
    }


def from_plain_UserHeaderAddress(fields: Any, path: str) -> UserHeaderAddress:
    taken = Taken(layouts.UserHeaderAddress, fields, path)
    made: UserHeaderAddress = taken.make(
        UserHeaderAddress,
        AddressLength=taken.one("AddressLength", plain.number),
        AddressType=taken.one("AddressType", plain.number),
        AddressScope=taken.one("AddressScope", plain.number),
        Address=taken.one("Address", plain.octets),
    )
    return made


register(
    UserHeaderAddress,
    decode_UserHeaderAddress,
    encode_UserHeaderAddress,
    size_UserHeaderAddress,
    build_UserHeaderAddress,
    plain_UserHeaderAddress,
    from_plain_UserHeaderAddress,
)
