"""Message packets that a remote read returns in sections ([MS-MQRR] 2.2.6, 3.1.4.7).

1. If the reader requested only part of the body, the packet is returned in two sections: everything up to the
   returned part of the body, and everything after the body.  The second is omitted if it is empty.
2. Joining fills the rest of the body with zeros, because the sizes in the packet are those of the whole body.
   `missing` is their number.  The packet says where its body ends; `SectionSizeAlloc` has to agree.
3. The document does not state whether the padding after the body is in a section: `SectionSizeAlloc` may
   count it, and missing bytes up to the next multiple of four are filled with zeros too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from msmq_wire.documents.layouts import structures
from msmq_wire.documents.user_message import MessagePacket
from msmq_wire.records.model import count_of
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.enumerations import SectionType
from msmq_wire.values.errors import DecodeError, WrongTypeError, in_bytes, need, need_count, wrong_type
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.refusals import Problem, say

from .record import need_offset, reader_at
from .structures import SectionBuffer
from .transfer import Writer

if TYPE_CHECKING:
    from msmq_wire.records.model import Structure
    from msmq_wire.records.record import Record

_BEGINNING = "a whole packet or its first section"
_FIRST = {
    SectionType.stBinaryFirstSection: SectionType.stBinarySecondSection,
    SectionType.stSrmpFirstSection: SectionType.stSrmpSecondSection,
}
"""The second section that belongs to each first one."""
_BODIES = {
    SectionType.stBinaryFirstSection: ("MessagePropertiesHeader", "MessageBody"),
    SectionType.stSrmpFirstSection: ("CompoundMessageHeader", "Data"),
}
"""The header with the body of a message, and the field of it."""


class ReadMessage(msgspec.Struct, frozen=True):
    """A message that a remote read returned.

    Attributes:
        packet: The message packet; missing bytes of the body are zeros, so no signature of it verifies.
        missing: The number of missing bytes at the end of the body.
    """

    packet: MessagePacket
    missing: int

    @property
    def body(self) -> bytes:
        """The returned part of the body: of `MessageBody`, or of the HTTP message."""
        message = self.packet.UserMessage
        compound = message.CompoundMessageHeader
        whole = message.MessagePropertiesHeader.MessageBody if compound is None else compound.Data
        return whole[: len(whole) - self.missing]


def join_sections(sections: Iterable[SectionBuffer], *, limits: Limits = DEFAULT_LIMITS) -> ReadMessage:
    """Join the sections of one message and decode the message packet.

    Args:
        sections: One or two sections, in order.
        limits: Bounds for the decoder; `Limits.packet_size` bounds the first of two sections as well, with
            the missing bytes.

    Raises:
        DecodeError: The sections do not belong to one message or contradict the sizes in it, or the packet
            cannot be decoded: a first section that ends before the body, or before the Data of the
            CompoundMessageHeader, lacks numbers of the message.
    """
    need("limits", limits, Limits, "Limits")
    sections = _sections(sections)
    first = sections[0] if sections else None
    second = _FIRST.get(first.SectionBufferType) if first else None  # type: ignore[call-overload]  # a number
    wanted = [second] if second else []
    if first is None or (second is None and first.SectionBufferType != SectionType.stFullPacket):
        raise _wrong_type(_BEGINNING, 0, _BEGINNING, first)
    for index, section in enumerate(sections):
        if index and section.SectionBufferType not in wanted[index - 1 : index]:
            completes = "the section that completes the first" if wanted[index - 1 :] else "no more section"
            raise _wrong_type(completes, index, wanted[index - 1 : index], section)
        size = len(section.pSectionBuffer or b"")
        if section.SectionSize != size:
            raise _wrong_size(index, "SectionSize", size, section.SectionSize)
        if section.SectionSizeAlloc < size or ((index or not wanted) and section.missing):
            raise _wrong_size(index, "SectionSizeAlloc", size, section.SectionSizeAlloc)
    if wanted:
        path, whole = "SectionBuffer[0].SectionSizeAlloc", first.SectionSizeAlloc
        limits.hold("packet_size", whole, structure="SectionBuffer", path=path, offset=0)
    parts = [section.pSectionBuffer or b"" for section in sections]
    missing = 0
    if wanted:
        missing, fill = _missing(first, limits)
        parts.insert(1, bytes(fill))
    return ReadMessage(MessagePacket.decode(b"".join(parts), limits=limits), missing)


def _missing(first: SectionBuffer, limits: Limits) -> tuple[int, int]:
    """Return how many bytes of the body the first of two sections lacks, and how many with its padding.

    Raises:
        DecodeError: The section ends before the body, or contradicts the sizes in it.
    """
    data, layout = first.pSectionBuffer or b"", MessagePacket.layout
    reader = diagnostic_reader(data, limits, lax=True, whole=True, shown=1)
    reader.run(layout, 0, len(data))
    if reader.is_broken:
        MessagePacket.decode(data, limits=limits)
    spans = {span.path: span for span in reader.spans}
    name, body = _BODIES[SectionType(first.SectionBufferType)]
    header = f"{layout.name}.UserMessage.{name}"
    start, size = structures()[name].least_size, 0
    for number, unit in _sizes_up_to(structures()[name], body):
        start, stated = start + size, spans.get(f"{header}.{number}")
        size = len(data) if stated is None else stated.value * unit
    start += spans[header].offset if header in spans else len(data)
    if start > len(data):
        actual = in_bytes(len(data))
        raise DecodeError(
            say(Problem.VALUE, f"a section that reaches {name}.{body}", f"one of {actual}"),
            structure="SectionBuffer",
            path="SectionBuffer[0].pSectionBuffer",
            offset=0,
            expected=f"{name}.{body}",
            actual=actual,
        )
    whole = start + size
    padded = whole + -whole % 4
    if first.SectionSizeAlloc not in {whole, padded}:
        raise _wrong_size(0, "SectionSizeAlloc", whole, first.SectionSizeAlloc)
    return max(whole - len(data), 0), padded - len(data)


def _sizes_up_to(structure: Structure, name: str) -> Iterator[tuple[str, int]]:
    """Yield the numbers that state the sizes of fields up to one, each with its unit in bytes."""
    for field in structure.fields:
        count = count_of(field.kind)
        if count is not None:
            yield count.number, field.kind.unit // count.per_unit
        if field.name == name:
            return


def _wrong_type(wanted: str, index: int, expected: object, section: SectionBuffer | None) -> DecodeError:
    actual = "none" if section is None else f"type {section.SectionBufferType:#x}"
    return DecodeError(
        say(Problem.VALUE, wanted, actual),
        structure="SectionBuffer",
        path=f"SectionBuffer[{index}].SectionBufferType",
        offset=0,
        expected=expected,
        actual=None if section is None else section.SectionBufferType,
    )


def _wrong_size(index: int, field: str, expected: int, actual: int) -> DecodeError:
    path = f"SectionBuffer[{index}].{field}"
    return DecodeError(
        say(Problem.VALUE, f"a size of {in_bytes(expected)}", actual),
        structure="SectionBuffer",
        path=path,
        offset=0,
        expected=expected,
        actual=actual,
        source_path=path,
        source_offset=0,
    )


def split_message(packet: MessagePacket, max_body: int, max_compound: int = 0) -> tuple[SectionBuffer, ...]:
    """Split a message into the sections that a remote read returns.

    The caller sets the time in `BaseHeader.TimeToReachQueue` that [MS-MQRR] 3.1.4.7 requires of a server.

    Args:
        packet: The message packet.
        max_body: Requested bytes of the body (``dwMaxBodySize``).
        max_compound: The same for a message that was sent over HTTP (``dwMaxCompoundMessageSize``), counted
            from the beginning of its CompoundMessageHeader.

    Raises:
        TypeError: `packet` is not a MessagePacket.
        ValueError: A count is negative.
    """
    if not isinstance(packet, MessagePacket):
        raise WrongTypeError(wrong_type("a MessagePacket", packet))
    for name, size in (("max_body", max_body), ("max_compound", max_compound)):
        need_count(name, size)
    data, message = packet.encode(), packet.UserMessage
    compound = message.CompoundMessageHeader
    headers: list[Record | None] = [
        message.BaseHeader,
        message.UserHeader,
        message.TransactionHeader,
        message.SecurityHeader,
    ]
    if compound is None:
        properties = message.MessagePropertiesHeader
        start = _size(headers) + _size([properties]) - len(properties.Padding) - len(properties.MessageBody)
        size, behind, most = len(properties.MessageBody), len(properties.Padding), max_body
        kind = SectionType.stBinaryFirstSection
    else:
        headers += [message.MessagePropertiesHeader, message.DebugHeader, message.SRMPEnvelopeHeader]
        start, size, behind, most = _size(headers), _size([compound]), 0, max_compound
        kind = SectionType.stSrmpFirstSection
    if most >= size:
        return (_section(SectionType.stFullPacket, data, len(data)),)
    trailers = data[start + size + behind :]
    first = _section(kind, data[: start + most], start + size)
    return (first, _section(_FIRST[kind], trailers, len(trailers))) if trailers else (first,)


def _size(records: Iterable[Record | None]) -> int:
    return sum(len(record.encode()) for record in records if record is not None)


def _section(kind: SectionType, data: bytes, whole: int) -> SectionBuffer:
    return SectionBuffer(SectionBufferType=kind, SectionSizeAlloc=whole, pSectionBuffer=data)


def decode_sections(
    data: bytes | bytearray | memoryview, *, offset: int = 0, limits: Limits = DEFAULT_LIMITS
) -> tuple[tuple[SectionBuffer, ...], int]:
    """Decode the argument ``ppPacketSections`` from the stub data of a response.

    Args:
        data: The whole stub data.
        offset: Offset of the argument, or of the gap before it.
        limits: Bounds for the decoder.

    Returns:
        The sections, none for a null pointer, and the offset after them.

    Raises:
        DecodeError: The bytes are too few, exceed a limit or contradict themselves.
    """
    reader = reader_at(as_bytes(data), offset, limits, "SectionBuffer")
    there = reader.read_pointer("SectionBuffer")
    return (reader.read_array("SectionBuffer") if there else ()), reader.pos


def _sections(given: Any) -> tuple[SectionBuffer, ...]:
    """Return the sections as a tuple.

    Raises:
        WrongTypeError: The argument is not a sequence of sections.
    """
    need("sections", given, Iterable, "sections")
    sections = tuple(given)
    for section in sections:
        need("sections", section, SectionBuffer, "a SectionBuffer")
    return sections


def encode_sections(sections: Iterable[SectionBuffer], *, offset: int = 0) -> bytes:
    """Encode the argument ``ppPacketSections`` at an offset of the stub data."""
    need_offset(offset)
    sections = _sections(sections)
    writer = Writer(offset, ms_union=False)
    writer.write_pointer(there=bool(sections))
    if sections:
        writer.write_array(sections)
    return bytes(writer.data)
