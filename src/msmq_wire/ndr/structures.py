"""The structures that calls carry, and their layouts.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from msmq_wire.documents.mqmq import MULTICAST_ID, OBJECTID
from msmq_wire.values.guid import GUID  # noqa: TC001  # signatures show the types of fields

from . import readings
from .model import (
    Arm,
    Array,
    Embedded,
    Field,
    Guid,
    Packed,
    Pointer,
    Scalar,
    String,
    Structure,
    Union,
    register,
    structures,
)
from .record import LEFT_OUT, NdrRecord

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable

    from msmq_wire.names import format_names
    from msmq_wire.values import enumerations
    from msmq_wire.values.properties.values import PropertyValue

    _Bytes = bytes | bytearray | memoryview
    _Guid = GUID | uuid.UUID | str | bytes

__all__ = [
    "BLOB",
    "CACLSID",
    "CAL",
    "CALPWSTR",
    "CAPROPVARIANT",
    "CAUB",
    "CAUH",
    "CAUI",
    "CAUL",
    "DL_ID",
    "MULTICAST_ID",
    "OBJECTID",
    "PROPVARIANT",
    "QUEUE_FORMAT",
    "SectionBuffer",
    "structures",
]

DL_ID_LAYOUT = Structure(
    "DL_ID",
    "[MS-MQMQ] 2.2.9",
    (
        Field("m_DlGuid", Guid(), "the distribution list in the directory"),
        Field("m_pwzDomain", Pointer(String()), "its Active Directory domain"),
    ),
    "A distribution list.",
)
QUEUE_FORMAT_LAYOUT = Structure(
    "QUEUE_FORMAT",
    "[MS-MQMQ] 2.2.7",
    (
        Field("m_qft", Scalar("B", 1), "kind of format name, see QUEUE_FORMAT_TYPE"),
        Field(
            "m_SuffixAndFlags",
            Scalar("B", 1),
            "bits 0 to 3 the suffix, see QUEUE_SUFFIX_TYPE; bits 4 to 7 the flags, 0x80 for a system queue",
        ),
        Field("m_reserved", Scalar("H", 2), "zero when sent"),
        Field(
            "_union",
            Union(
                "m_qft",
                Scalar("B", 1),
                {
                    0x0: None,
                    0x1: Arm("m_gPublicID", Guid(), "the public queue in the directory"),
                    0x2: Arm("m_oPrivateID", Packed("OBJECTID", 20, 4, "IHH8sI"), "the private queue"),
                    0x3: Arm("m_pDirectID", Pointer(String()), 'direct format name without "DIRECT="'),
                    0x4: Arm("m_gMachineID", Guid(), "the queue manager"),
                    0x5: Arm("m_GConnectorID", Guid(), "the connector queue"),
                    0x6: Arm("m_DlID", Embedded("DL_ID"), "the distribution list"),
                    0x7: Arm("m_MulticastID", Packed("MULTICAST_ID", 8, 4, "II"), "the multicast address"),
                    0x8: Arm(
                        "m_pDirectSubqueueID",
                        Pointer(String()),
                        'direct format name with a subqueue, without "DIRECT="',
                    ),
                },
            ),
            "the queue; the document gives the union no name, this one is ours",
        ),
    ),
    "A format name, as remote calls carry it.",
)
BLOB_LAYOUT = Structure(
    "BLOB",
    "[MS-MQMQ] 2.2.15",
    (
        Field("cbSize", Scalar("I", 4), "size of pBlobData in bytes"),
        Field("pBlobData", Pointer(Array(Scalar("B", 1), "cbSize")), "the bytes"),
    ),
    "A counted array of bytes.",
)
CAUB_LAYOUT = Structure(
    "CAUB",
    "[MS-MQMQ] 2.2.16.1",
    (
        Field("cElems", Scalar("I", 4), "count of numbers"),
        Field("pElems", Pointer(Array(Scalar("B", 1), "cElems")), "the numbers"),
    ),
    "A counted array of 8-bit numbers.",
)
CAUI_LAYOUT = Structure(
    "CAUI",
    "[MS-MQMQ] 2.2.16.2",
    (
        Field("cElems", Scalar("I", 4), "count of numbers"),
        Field("pElems", Pointer(Array(Scalar("H", 2), "cElems")), "the numbers"),
    ),
    "A counted array of 16-bit numbers.",
)
CAL_LAYOUT = Structure(
    "CAL",
    "[MS-MQMQ] 2.2.16.3",
    (
        Field("cElems", Scalar("I", 4), "count of numbers"),
        Field("pElems", Pointer(Array(Scalar("i", 4), "cElems")), "the numbers"),
    ),
    "A counted array of signed 32-bit numbers.",
)
CAUL_LAYOUT = Structure(
    "CAUL",
    "[MS-MQMQ] 2.2.16.4",
    (
        Field("cElems", Scalar("I", 4), "count of numbers"),
        Field("pElems", Pointer(Array(Scalar("I", 4), "cElems")), "the numbers"),
    ),
    "A counted array of 32-bit numbers.",
)
CAUH_LAYOUT = Structure(
    "CAUH",
    "[MS-MQMQ] 2.2.16.5",
    (
        Field("cElems", Scalar("I", 4), "count of numbers"),
        Field(
            "pElems",
            Pointer(Array(Scalar("Q", 8), "cElems")),
            "the numbers, each the QuadPart of a ULARGE_INTEGER",
        ),
    ),
    "A counted array of 64-bit numbers.",
)
CACLSID_LAYOUT = Structure(
    "CACLSID",
    "[MS-MQMQ] 2.2.16.6",
    (
        Field("cElems", Scalar("I", 4), "count of GUIDs"),
        Field("pElems", Pointer(Array(Guid(), "cElems")), "the GUIDs"),
    ),
    "A counted array of GUIDs.",
)
CALPWSTR_LAYOUT = Structure(
    "CALPWSTR",
    "[MS-MQMQ] 2.2.16.7",
    (
        Field("cElems", Scalar("I", 4), "count of texts"),
        Field("pElems", Pointer(Array(Pointer(String()), "cElems")), "the texts"),
    ),
    "A counted array of texts.",
)
CAPROPVARIANT_LAYOUT = Structure(
    "CAPROPVARIANT",
    "[MS-MQMQ] 2.2.16.8",
    (
        Field("cElems", Scalar("I", 4), "count of values"),
        Field("pElems", Pointer(Array(Embedded("PROPVARIANT"), "cElems")), "the values"),
    ),
    "A counted array of values of any types.",
)
PROPVARIANT_LAYOUT = Structure(
    "PROPVARIANT",
    "[MS-MQMQ] 2.2.13.1",
    (
        Field("vt", Scalar("H", 2), "variant type, see VARTYPE"),
        Field("wReserved1", Scalar("B", 1), "any value"),
        Field("wReserved2", Scalar("B", 1), "any value"),
        Field("wReserved3", Scalar("I", 4), "any value"),
        Field(
            "_varUnion",
            Union(
                "vt",
                Scalar("H", 2),
                {
                    0x0: None,
                    0x1: None,
                    0x10: Arm("cVal", Scalar("b", 1), "a number"),
                    0x11: Arm("bVal", Scalar("B", 1), "a number"),
                    0x2: Arm("iVal", Scalar("h", 2), "a number"),
                    0x12: Arm("uiVal", Scalar("H", 2), "a number"),
                    0x3: Arm("lVal", Scalar("i", 4), "a number"),
                    0x13: Arm("ulVal", Scalar("I", 4), "a number"),
                    0x14: Arm("hVal", Scalar("q", 8), "a number"),
                    0x15: Arm("uhVal", Scalar("Q", 8), "a number, the QuadPart of a ULARGE_INTEGER"),
                    0xB: Arm("boolVal", Scalar("H", 2), "0xFFFF for true, 0 for false"),
                    0x48: Arm("puuid", Pointer(Guid()), "a GUID"),
                    0x41: Arm("blob", Embedded("BLOB"), "bytes"),
                    0x1F: Arm("pwszVal", Pointer(String()), "a text"),
                    0x1011: Arm("caub", Embedded("CAUB"), "numbers"),
                    0x1012: Arm("caui", Embedded("CAUI"), "numbers"),
                    0x1003: Arm("cal", Embedded("CAL"), "numbers"),
                    0x1013: Arm("caul", Embedded("CAUL"), "numbers"),
                    0x1015: Arm("cauh", Embedded("CAUH"), "numbers"),
                    0x1048: Arm("cauuid", Embedded("CACLSID"), "GUIDs"),
                    0x101F: Arm("calpwstr", Embedded("CALPWSTR"), "texts"),
                    0x100C: Arm("capropvar", Embedded("CAPROPVARIANT"), "values"),
                },
            ),
            "the value, in the form that vt selects",
        ),
    ),
    "A value and its variant type, `tag_inner_PROPVARIANT` of the document.",
)
SectionBuffer_LAYOUT = Structure(
    "SectionBuffer",
    "[MS-MQRR] 2.2.6",
    (
        Field(
            "SectionBufferType",
            Scalar("H", 2, enumeration="SectionType"),
            "whether this is the whole packet, or which section",
        ),
        Field(
            "SectionSizeAlloc",
            Scalar("I", 4),
            "size of the section with the whole body, in bytes; at least SectionSize",
            default="SectionSize",
        ),
        Field("SectionSize", Scalar("I", 4), "size of pSectionBuffer in bytes"),
        Field("pSectionBuffer", Pointer(Array(Scalar("B", 1), "SectionSize")), "the section"),
    ),
    "A message packet that a remote read returned, or one of its two sections.",
)
register(
    DL_ID_LAYOUT,
    QUEUE_FORMAT_LAYOUT,
    BLOB_LAYOUT,
    CAUB_LAYOUT,
    CAUI_LAYOUT,
    CAL_LAYOUT,
    CAUL_LAYOUT,
    CAUH_LAYOUT,
    CACLSID_LAYOUT,
    CALPWSTR_LAYOUT,
    CAPROPVARIANT_LAYOUT,
    PROPVARIANT_LAYOUT,
    SectionBuffer_LAYOUT,
)


class DL_ID(NdrRecord, frozen=True):
    """A distribution list ([MS-MQMQ] 2.2.9).

    Attributes:
        m_DlGuid: The distribution list in the directory.
        m_pwzDomain: Its Active Directory domain.
    """

    layout: ClassVar[Structure] = DL_ID_LAYOUT

    m_DlGuid: GUID = LEFT_OUT
    m_pwzDomain: str | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            m_DlGuid: _Guid = ...,
            m_pwzDomain: str | None = ...,
        ) -> None: ...


class QUEUE_FORMAT(NdrRecord, frozen=True):
    """A format name, as remote calls carry it ([MS-MQMQ] 2.2.7).

    Attributes:
        m_qft: Kind of format name, see QUEUE_FORMAT_TYPE.
        m_SuffixAndFlags: Bits 0 to 3 the suffix, see QUEUE_SUFFIX_TYPE; bits 4 to 7 the flags, 0x80 for a
            system queue.
        m_reserved: Zero when sent.
        _union: The queue; the document gives the union no name, this one is ours.
    """

    layout: ClassVar[Structure] = QUEUE_FORMAT_LAYOUT

    m_qft: int = LEFT_OUT
    m_SuffixAndFlags: int = LEFT_OUT
    m_reserved: int = LEFT_OUT
    _union: GUID | OBJECTID | str | DL_ID | MULTICAST_ID | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            m_qft: int = ...,
            m_SuffixAndFlags: int = ...,
            m_reserved: int = ...,
            _union: _Guid | OBJECTID | str | DL_ID | MULTICAST_ID | None = ...,
        ) -> None: ...

    @property
    def m_gPublicID(self) -> GUID | None:
        """The public queue in the directory. None unless `m_qft` is 0x1."""
        return cast("GUID | None", self._union) if self.m_qft == 0x1 else None

    @property
    def m_oPrivateID(self) -> OBJECTID | None:
        """The private queue. None unless `m_qft` is 0x2."""
        return cast("OBJECTID | None", self._union) if self.m_qft == 0x2 else None

    @property
    def m_pDirectID(self) -> str | None:
        """Direct format name without "DIRECT=". None unless `m_qft` is 0x3."""
        return cast("str | None", self._union) if self.m_qft == 0x3 else None

    @property
    def m_gMachineID(self) -> GUID | None:
        """The queue manager. None unless `m_qft` is 0x4."""
        return cast("GUID | None", self._union) if self.m_qft == 0x4 else None

    @property
    def m_GConnectorID(self) -> GUID | None:
        """The connector queue. None unless `m_qft` is 0x5."""
        return cast("GUID | None", self._union) if self.m_qft == 0x5 else None

    @property
    def m_DlID(self) -> DL_ID | None:
        """The distribution list. None unless `m_qft` is 0x6."""
        return cast("DL_ID | None", self._union) if self.m_qft == 0x6 else None

    @property
    def m_MulticastID(self) -> MULTICAST_ID | None:
        """The multicast address. None unless `m_qft` is 0x7."""
        return cast("MULTICAST_ID | None", self._union) if self.m_qft == 0x7 else None

    @property
    def m_pDirectSubqueueID(self) -> str | None:
        """Direct format name with a subqueue, without "DIRECT=". None unless `m_qft` is 0x8."""
        return cast("str | None", self._union) if self.m_qft == 0x8 else None

    @property
    def suffix(self) -> enumerations.QUEUE_SUFFIX_TYPE | int:
        """From `m_SuffixAndFlags`: the suffix type; unknown values are returned as `int`."""
        return readings.suffix(self)

    @property
    def is_system(self) -> bool:
        """From `m_SuffixAndFlags`: whether the queue is a system queue."""
        return readings.is_system(self)

    @property
    def format_name(self) -> format_names.FormatName | None:
        """The format name; None for QUEUE_FORMAT_TYPE_UNKNOWN.

        Raises:
            EncodeError: The value is not a format name, such as one with an invalid suffix.
        """
        return readings.format_name(self)

    @classmethod
    def of(cls, name: format_names.FormatName | str) -> Self:
        """Create a QUEUE_FORMAT from a format name, or from its text, such as ``PUBLIC=`` and a GUID.

        Raises:
            EncodeError: The text is not a format name, or one of several elements, which calls cannot carry.
            WrongTypeError: `name` is neither; the format name of a queue in a header is its `format_name`.
        """
        record: Self = readings.queue_format(cls, name)
        return record


class BLOB(NdrRecord, frozen=True):
    """A counted array of bytes ([MS-MQMQ] 2.2.15).

    Attributes:
        cbSize: Size of pBlobData in bytes.
        pBlobData: The bytes.
    """

    layout: ClassVar[Structure] = BLOB_LAYOUT

    cbSize: int = LEFT_OUT
    pBlobData: bytes | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            cbSize: int = ...,
            pBlobData: _Bytes | None = ...,
        ) -> None: ...


class CAUB(NdrRecord, frozen=True):
    """A counted array of 8-bit numbers ([MS-MQMQ] 2.2.16.1).

    Attributes:
        cElems: Count of numbers.
        pElems: The numbers.
    """

    layout: ClassVar[Structure] = CAUB_LAYOUT

    cElems: int = LEFT_OUT
    pElems: bytes | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            cElems: int = ...,
            pElems: _Bytes | None = ...,
        ) -> None: ...


class CAUI(NdrRecord, frozen=True):
    """A counted array of 16-bit numbers ([MS-MQMQ] 2.2.16.2).

    Attributes:
        cElems: Count of numbers.
        pElems: The numbers.
    """

    layout: ClassVar[Structure] = CAUI_LAYOUT

    cElems: int = LEFT_OUT
    pElems: tuple[int, ...] | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            cElems: int = ...,
            pElems: Iterable[int] | None = ...,
        ) -> None: ...


class CAL(NdrRecord, frozen=True):
    """A counted array of signed 32-bit numbers ([MS-MQMQ] 2.2.16.3).

    Attributes:
        cElems: Count of numbers.
        pElems: The numbers.
    """

    layout: ClassVar[Structure] = CAL_LAYOUT

    cElems: int = LEFT_OUT
    pElems: tuple[int, ...] | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            cElems: int = ...,
            pElems: Iterable[int] | None = ...,
        ) -> None: ...


class CAUL(NdrRecord, frozen=True):
    """A counted array of 32-bit numbers ([MS-MQMQ] 2.2.16.4).

    Attributes:
        cElems: Count of numbers.
        pElems: The numbers.
    """

    layout: ClassVar[Structure] = CAUL_LAYOUT

    cElems: int = LEFT_OUT
    pElems: tuple[int, ...] | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            cElems: int = ...,
            pElems: Iterable[int] | None = ...,
        ) -> None: ...


class CAUH(NdrRecord, frozen=True):
    """A counted array of 64-bit numbers ([MS-MQMQ] 2.2.16.5).

    Attributes:
        cElems: Count of numbers.
        pElems: The numbers, each the QuadPart of a ULARGE_INTEGER.
    """

    layout: ClassVar[Structure] = CAUH_LAYOUT

    cElems: int = LEFT_OUT
    pElems: tuple[int, ...] | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            cElems: int = ...,
            pElems: Iterable[int] | None = ...,
        ) -> None: ...


class CACLSID(NdrRecord, frozen=True):
    """A counted array of GUIDs ([MS-MQMQ] 2.2.16.6).

    Attributes:
        cElems: Count of GUIDs.
        pElems: The GUIDs.
    """

    layout: ClassVar[Structure] = CACLSID_LAYOUT

    cElems: int = LEFT_OUT
    pElems: tuple[GUID, ...] | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            cElems: int = ...,
            pElems: Iterable[_Guid] | None = ...,
        ) -> None: ...


class CALPWSTR(NdrRecord, frozen=True):
    """A counted array of texts ([MS-MQMQ] 2.2.16.7).

    Attributes:
        cElems: Count of texts.
        pElems: The texts.
    """

    layout: ClassVar[Structure] = CALPWSTR_LAYOUT

    cElems: int = LEFT_OUT
    pElems: tuple[str | None, ...] | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            cElems: int = ...,
            pElems: Iterable[str | None] | None = ...,
        ) -> None: ...


class CAPROPVARIANT(NdrRecord, frozen=True):
    """A counted array of values of any types ([MS-MQMQ] 2.2.16.8).

    Attributes:
        cElems: Count of values.
        pElems: The values.
    """

    layout: ClassVar[Structure] = CAPROPVARIANT_LAYOUT

    cElems: int = LEFT_OUT
    pElems: tuple[PROPVARIANT, ...] | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            cElems: int = ...,
            pElems: Iterable[PROPVARIANT] | None = ...,
        ) -> None: ...


class PROPVARIANT(NdrRecord, frozen=True):
    """A value and its variant type, `tag_inner_PROPVARIANT` of the document ([MS-MQMQ] 2.2.13.1).

    Attributes:
        vt: Variant type, see VARTYPE.
        wReserved1: Any value.
        wReserved2: Any value.
        wReserved3: Any value.
        _varUnion: The value, in the form that vt selects.
    """

    layout: ClassVar[Structure] = PROPVARIANT_LAYOUT

    vt: int = LEFT_OUT
    wReserved1: int = LEFT_OUT
    wReserved2: int = LEFT_OUT
    wReserved3: int = LEFT_OUT
    _varUnion: (
        int | GUID | BLOB | str | CAUB | CAUI | CAL | CAUL | CAUH | CACLSID | CALPWSTR | CAPROPVARIANT | None
    ) = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            vt: int = ...,
            wReserved1: int = ...,
            wReserved2: int = ...,
            wReserved3: int = ...,
            _varUnion: int
            | GUID
            | BLOB
            | str
            | CAUB
            | CAUI
            | CAL
            | CAUL
            | CAUH
            | CACLSID
            | CALPWSTR
            | CAPROPVARIANT
            | None = ...,
        ) -> None: ...

    @property
    def cVal(self) -> int | None:
        """A number. None unless `vt` is 0x10."""
        return cast("int | None", self._varUnion) if self.vt == 0x10 else None

    @property
    def bVal(self) -> int | None:
        """A number. None unless `vt` is 0x11."""
        return cast("int | None", self._varUnion) if self.vt == 0x11 else None

    @property
    def iVal(self) -> int | None:
        """A number. None unless `vt` is 0x2."""
        return cast("int | None", self._varUnion) if self.vt == 0x2 else None

    @property
    def uiVal(self) -> int | None:
        """A number. None unless `vt` is 0x12."""
        return cast("int | None", self._varUnion) if self.vt == 0x12 else None

    @property
    def lVal(self) -> int | None:
        """A number. None unless `vt` is 0x3."""
        return cast("int | None", self._varUnion) if self.vt == 0x3 else None

    @property
    def ulVal(self) -> int | None:
        """A number. None unless `vt` is 0x13."""
        return cast("int | None", self._varUnion) if self.vt == 0x13 else None

    @property
    def hVal(self) -> int | None:
        """A number. None unless `vt` is 0x14."""
        return cast("int | None", self._varUnion) if self.vt == 0x14 else None

    @property
    def uhVal(self) -> int | None:
        """A number, the QuadPart of a ULARGE_INTEGER. None unless `vt` is 0x15."""
        return cast("int | None", self._varUnion) if self.vt == 0x15 else None

    @property
    def boolVal(self) -> int | None:
        """0xFFFF for true, 0 for false. None unless `vt` is 0xb."""
        return cast("int | None", self._varUnion) if self.vt == 0xB else None

    @property
    def puuid(self) -> GUID | None:
        """A GUID. None unless `vt` is 0x48."""
        return cast("GUID | None", self._varUnion) if self.vt == 0x48 else None

    @property
    def blob(self) -> BLOB | None:
        """Bytes. None unless `vt` is 0x41."""
        return cast("BLOB | None", self._varUnion) if self.vt == 0x41 else None

    @property
    def pwszVal(self) -> str | None:
        """A text. None unless `vt` is 0x1f."""
        return cast("str | None", self._varUnion) if self.vt == 0x1F else None

    @property
    def caub(self) -> CAUB | None:
        """Numbers. None unless `vt` is 0x1011."""
        return cast("CAUB | None", self._varUnion) if self.vt == 0x1011 else None

    @property
    def caui(self) -> CAUI | None:
        """Numbers. None unless `vt` is 0x1012."""
        return cast("CAUI | None", self._varUnion) if self.vt == 0x1012 else None

    @property
    def cal(self) -> CAL | None:
        """Numbers. None unless `vt` is 0x1003."""
        return cast("CAL | None", self._varUnion) if self.vt == 0x1003 else None

    @property
    def caul(self) -> CAUL | None:
        """Numbers. None unless `vt` is 0x1013."""
        return cast("CAUL | None", self._varUnion) if self.vt == 0x1013 else None

    @property
    def cauh(self) -> CAUH | None:
        """Numbers. None unless `vt` is 0x1015."""
        return cast("CAUH | None", self._varUnion) if self.vt == 0x1015 else None

    @property
    def cauuid(self) -> CACLSID | None:
        """GUIDs. None unless `vt` is 0x1048."""
        return cast("CACLSID | None", self._varUnion) if self.vt == 0x1048 else None

    @property
    def calpwstr(self) -> CALPWSTR | None:
        """Texts. None unless `vt` is 0x101f."""
        return cast("CALPWSTR | None", self._varUnion) if self.vt == 0x101F else None

    @property
    def capropvar(self) -> CAPROPVARIANT | None:
        """Values. None unless `vt` is 0x100c."""
        return cast("CAPROPVARIANT | None", self._varUnion) if self.vt == 0x100C else None

    @property
    def property_value(self) -> PropertyValue:
        """The value and its type, without reserved fields, counts and pointers.

        A null pointer is an empty text, vector or BLOB, or a null GUID.

        Raises:
            EncodeError: There is no such value.
        """
        return readings.property_value(self)

    @classmethod
    def of(cls, vt: int | PropertyValue, value: Any = None) -> Self:
        """Create a PROPVARIANT from a `PropertyValue`, or from arguments of `PropertyValue.of`.

        Raises:
            EncodeError: The value does not fit its type, or calls cannot carry the type.
        """
        record: Self = readings.propvariant(cls, vt, value)
        return record


class SectionBuffer(NdrRecord, frozen=True):
    """A message packet that a remote read returned, or one of its two sections ([MS-MQRR] 2.2.6).

    Attributes:
        SectionBufferType: Whether this is the whole packet, or which section.
        SectionSizeAlloc: Size of the section with the whole body, in bytes; at least SectionSize.
        SectionSize: Size of pSectionBuffer in bytes.
        pSectionBuffer: The section.
    """

    layout: ClassVar[Structure] = SectionBuffer_LAYOUT

    SectionBufferType: int = LEFT_OUT
    SectionSizeAlloc: int = LEFT_OUT
    SectionSize: int = LEFT_OUT
    pSectionBuffer: bytes | None = LEFT_OUT

    if TYPE_CHECKING:

        def __init__(
            self,
            SectionBufferType: int = ...,
            SectionSizeAlloc: int = ...,
            SectionSize: int = ...,
            pSectionBuffer: _Bytes | None = ...,
        ) -> None: ...

    @property
    def section_type(self) -> enumerations.SectionType | int:
        """From `SectionBufferType`: which section this is; unknown values are returned as `int`."""
        return readings.section_type(self)

    @property
    def missing(self) -> int:
        """Bytes of the body that were not returned: `SectionSizeAlloc` beyond `SectionSize`."""
        return readings.missing(self)
