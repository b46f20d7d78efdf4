"""Explanations of packets, field by field.

1. There is one line for each field: offset (hexadecimal and decimal), bytes, name, value, meaning.  Names are
   indented by nesting; the line of a structure has its section on the first occurrence.
2. Every byte belongs to a line: fields, omitted elements of a long array, bytes left over, bytes not read.
3. Damaged bytes are explained up to the error.  If the size of a broken header states where the header ends,
   the explanation continues after it.  The last line is the error.  Fields with an uncertain offset are
   marked as doubtful.
4. The output is printable ASCII, the length and number of its lines are bounded, and it depends only on the
   input.
"""

from __future__ import annotations

import textwrap
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.documents.layouts import structures
from msmq_wire.ndr.record import NdrRecord
from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.packet import about_flag, class_of, decode
from msmq_wire.packets.packet_starts import begins_ping
from msmq_wire.records.record import (
    Record,
    decode_record,
    diagnostic_reader,
    encode_record,
    hold_size,
    read,
    record_class,
)
from msmq_wire.records.spans import MORE, UNREAD, FieldSpan, spans_of
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import DecodeError, kept, left_over, need, need_count, need_one_of
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.refusals import Problem

from . import meanings, texts
from .calls import INDEX, call_class, explain_call
from .known_values import EMBEDDED
from .listing import Line, columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.checks.profiles import ProfileName
    from msmq_wire.records.model import Structure

_DUMPED_ROWS = 6
_ROW = 8
_LIST_WIDTH = 60


class _Findings(NamedTuple):
    """The result of reading some bytes.

    Attributes:
        pieces: The fields found, in wire order.
        end: Offset after the last of them.
        error: The error that explains why the bytes cannot be read, or None.
        stop: The error that ended reading, if it is not `error`.
        note: A remark for the last line.
        others: The errors of further parts.
        doubtful: Paths of fields that may have been read at a wrong offset.
    """

    pieces: list[FieldSpan]
    end: int
    error: DecodeError | None = None
    stop: DecodeError | None = None
    note: str = ""
    others: tuple[DecodeError, ...] = ()
    doubtful: frozenset[str] = frozenset()


def explain(
    data: bytes | bytearray | memoryview | Record | NdrRecord,
    kind: type[Record | NdrRecord] | str | None = None,
    *,
    max_elements: int = 10,
    profile: ProfileName | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> str:
    """Explain a packet, any other record, or damaged bytes, field by field.

    Args:
        data: A record, or bytes that begin with a packet of [MS-MQQB] or [MS-MQMQ] 2.2.20; or NDR of a
            structure of remote calls, given by `kind`.
        kind: The structure of the bytes, as class or name; by default the type of the packet is detected.
        max_elements: The number of elements of each array to show.
        profile: A version of Windows, such as ``"windows-xp"``.  Features that this version does not send are
            listed after the explanation, in lines that begin with the name of the profile.
        limits: Bounds for the decoder; `Limits.fields` bounds the listing.

    Returns:
        Lines of printable ASCII, without a newline at the end.  If the bytes cannot be decoded, the last line
        is ``error: `` and the text of the `DecodeError`.

    Raises:
        EncodeError: The record cannot be encoded.
        MsmqWireError: There is no structure of that kind, or `max_elements` is negative.
    """
    need_count("max_elements", max_elements)
    need("limits", limits, Limits, "Limits")
    is_record = isinstance(data, (Record, NdrRecord))
    raw = encode_record(data) if is_record else as_bytes(data, "bytes or a record")  # type: ignore[arg-type]
    call = type(data) if isinstance(data, NdrRecord) else None if is_record else call_class(kind)
    if call is not None:
        lines = [*explain_call(raw, call, max_elements=max_elements, limits=limits)]
    else:
        finder = _Finder(raw, _Room(max_elements, limits.fields), limits)
        if isinstance(data, Record):
            findings = finder.check(data)
        else:
            findings = finder.identify() if kind is None else finder.read(class_of(kind).layout)
        lines = [*_Report(raw, findings).text()]
    if profile is not None:
        lines += _of_profile(data if is_record else raw, kind, profile, limits)
    return "\n".join(lines)


def _of_profile(data: Any, kind: Any, profile: ProfileName, limits: Limits) -> Iterator[str]:
    """Yield a line for each value that a version of Windows does not send; none for unreadable bytes."""
    from msmq_wire.checks.profiles import PROFILES  # noqa: PLC0415  # the rules are large
    from msmq_wire.checks.validation import validate  # noqa: PLC0415  # as above

    need_one_of("profile", profile, PROFILES)
    if not isinstance(data, (Record, NdrRecord)):
        try:
            data = decode(data, limits=limits) if kind is None else class_of(kind).decode(data)
        except DecodeError:
            return
    for violation in validate(data, profile=profile, limits=limits):
        if violation.note:
            yield f"{profile}: {ascii(violation.message)[1:-1]}"


# ---------------------------------------------------------------------------------------- finding pieces


class _Room(NamedTuple):
    """Maximum sizes of a listing.

    Attributes:
        elements: Number of elements of each array to show.
        fields: Number of fields after which no further element is shown.
    """

    elements: int
    fields: int


class _Finder:
    """Finds the fields in bytes.

    Args:
        raw: The bytes.
        room: Maximum sizes of the listing.
        limits: Bounds for the decoder.
    """

    def __init__(self, raw: bytes, room: _Room, limits: Limits) -> None:
        self.raw = raw
        self.room = room
        self.limits = limits

    def identify(self) -> _Findings:
        """Find the fields of bytes that begin like a packet or a Ping datagram."""
        raw = self.raw
        if begins_ping(raw):
            return self.read(structures()["PingPacket"])
        result = decode_lax(raw, limits=self.limits)
        packet, error = result.packet, result.error
        if error is None:
            assert packet is not None  # noqa: S101  # for type checkers: there is one or the other
            return _Findings(self.apart(packet), len(raw) - len(result.rest))
        del result, packet  # the bytes will be read again
        # The path of an error begins with the detected structure; a header alone is not a packet.
        name = error.path.partition(".")[0]
        if name not in {"BaseHeader", "InternalHeader"}:
            return self.broken(structures()[name], error)
        pieces = self.walked("BaseHeader", 0)
        if name == "InternalHeader":
            pieces += self.walked(name, pieces[0].size)
        return _Findings(pieces, _end(pieces), error)

    def apart(self, record: Record) -> list[FieldSpan]:
        """Return the fields of a complete record."""
        return spans_of(record, elements=self.room.elements, fields=self.room.fields)

    def walked(self, name: str, pos: int) -> list[FieldSpan]:
        """Return the readable fields of a structure."""
        reader = diagnostic_reader(self.raw)
        with suppress(DecodeError):  # the caller reports its own error
            reader.read(structures()[name], pos, len(self.raw))
        return reader.spans

    def read(self, structure: Structure) -> _Findings:
        """Find the fields of bytes that should begin with a structure."""
        raw, limits = self.raw, self.limits
        try:
            if structure.scoped:
                decode_record(structure, raw, limits)
            hold_size(structure, raw, limits)
            record, pos = read(structure, raw, 0, len(raw), limits)
        except DecodeError as caught:
            error = kept(caught)  # the traceback would keep the fields in memory
            error = error if structure.scoped else kept(about_flag(error, raw, limits))
        else:
            surplus = (
                None if pos == len(raw) else about_flag(left_over(structure.name, pos, len(raw)), raw, limits)
            )
            is_named = surplus is not None and surplus.code is not Problem.LEFT_OVER
            return _Findings(self.apart(record), pos, surplus if is_named else None)
        return _Findings([], 0, error) if structure.scoped else self.broken(structure, error)

    def broken(self, structure: Structure, error: DecodeError) -> _Findings:
        """Find the fields of a broken structure, up to the error."""
        shown, fields = max(self.room.elements, 1), self.room.fields
        reader = diagnostic_reader(self.raw, self.limits, lax=True, shown=shown, fields=fields)
        stop = None
        try:
            reader.read(structure, 0, len(self.raw))
        except DecodeError as lax:
            stop = reader.stop or lax
        pieces = reader.spans
        doubtful = frozenset(piece.path for piece in reader.doubtful if piece.field)
        stop = None if str(stop) == str(error) else stop
        findings = _Findings(_shortened(pieces, self.room.elements), _end(pieces), error, stop)
        return findings._replace(others=tuple(reader.errors[1:]), doubtful=doubtful)

    def check(self, record: Any) -> _Findings:
        """Find the fields of an encoded record, and check that it decodes to the same record."""
        structure, size = record.layout, len(self.raw)
        pieces = self.apart(record)
        if structure.scoped:
            return _Findings(pieces, size)
        try:
            again, pos = read(structure, self.raw, 0, size, self.limits)
        except DecodeError as error:
            return _Findings(pieces, size, error)
        if pos != size:
            return _Findings(pieces, size, left_over(structure.name, pos, size))
        note = "" if again == record else "these bytes decode to another record"
        return _Findings(pieces, size, note=note)


def _end(pieces: list[FieldSpan]) -> int:
    return pieces[-1].offset + pieces[-1].size


def _shortened(pieces: list[FieldSpan], most: int) -> list[FieldSpan]:
    """Return the pieces without the elements after the first `most`; truncated elements are kept."""
    broken = {piece.path for piece in pieces if piece.value is None and not piece.size}
    kept: list[FieldSpan] = []
    for piece in pieces:
        hidden = next(
            (
                index
                for index in INDEX.finditer(piece.path)
                if int(index[1]) >= most and piece.path[: index.end()] not in broken
            ),
            None,
        )
        path, count = piece.path, 0
        if hidden and len(path) == hidden.end():
            path, count = path[: hidden.start()] + MORE, 1
        elif hidden is None and path.endswith(MORE):
            count = piece.value
        elif hidden is None:
            kept.append(piece)
        if count:
            start = piece.offset
            if kept[-1].path == path:
                start, count = kept[-1].offset, kept[-1].value + count
                kept.pop()
            kept.append(
                FieldSpan(path, start, piece.offset + piece.size - start, count, None, piece.structure)
            )
    return kept


# --------------------------------------------------------------------------------------------- the report


def _is_about(error: DecodeError, piece: FieldSpan, path: str) -> bool:
    """Return whether an error is about a field, or about an element of an array of numbers in one row."""
    array, _, index = error.path.rpartition("[")
    if array == path and index[:-1].isdecimal():
        return piece.offset <= error.offset < piece.offset + piece.size
    return error.path == path and error.offset == piece.offset


class _Report:
    """The lines of one explanation."""

    def __init__(self, raw: bytes, findings: _Findings) -> None:
        self.raw = raw
        self.findings = findings
        self.pieces = list(self.opened(findings.pieces))
        self.view = meanings.View(raw, {piece.path: piece for piece in self.pieces})
        self.sections: set[str] = set()

    def opened(self, pieces: list[FieldSpan]) -> Iterator[FieldSpan]:
        """Yield the pieces; bytes that hold a structure are replaced by the fields of that structure."""
        for piece in pieces:
            owner = f"{piece.structure.name}.{piece.path.rpartition('.')[2]}"
            name, start = EMBEDDED.get(piece.path, EMBEDDED.get(owner, ("", b"")))
            data = piece.cut(self.raw)
            if name and data.startswith(start) and piece.size:
                try:
                    inside = record_class(name).decode(data)
                except DecodeError:
                    pass  # shown as plain bytes
                else:
                    yield from spans_of(inside, piece.path, piece.offset, piece.field, elements=0, fields=0)
                    continue
            yield piece

    def text(self) -> Iterator[str]:
        yield from columns(list(self.lines()), len(self.raw))
        yield from self.verdict()

    def verdict(self) -> Iterator[str]:
        findings = self.findings
        if findings.error or findings.note:
            yield ""
        for other in findings.others:
            if other is not findings.stop:
                yield f"also: {texts.escape(str(other))}"
        if findings.stop:
            yield f"stopped: {texts.escape(str(findings.stop))}"
        if findings.error:
            yield f"error: {texts.escape(str(findings.error))}"
        if findings.note:
            yield f"note: {findings.note}"

    def lines(self) -> Iterator[Line]:
        around: list[FieldSpan] = []
        for piece in self.pieces:
            while around and not piece.path.startswith(around[-1].path + "."):
                yield from self.absent(around.pop())
            if piece.value is None:
                around.append(piece)
                yield self.structure(piece)
            elif piece.path.endswith(MORE):
                yield self.more(piece)
            elif piece.path.endswith(UNREAD):
                yield self.unread(piece)
            elif piece.size or piece.field is None:
                yield from self.field(piece)
        while around:
            yield from self.absent(around.pop())
        yield from self.rest()

    def structure(self, piece: FieldSpan) -> Line:
        name = piece.path.rpartition(".")[2]
        kind = piece.structure
        shown = [] if kind.name == name else [kind.name]
        if kind.name not in self.sections:
            self.sections.add(kind.name)
            shown.append(kind.section)
        value = self.view.queue(piece)
        about, depth = "  ".join(shown), piece.path.count(".")
        size = self.size(piece)
        return Line(piece.offset, size, depth, name, value or about, about if value else "", depth == 1)

    def size(self, piece: FieldSpan) -> str:
        """Return the size of a structure, also of one before left-over bytes."""
        error = self.findings.error
        if error is None or piece.size:
            return texts.size(piece.size)
        if error.code == Problem.LEFT_OVER and error.path == piece.path:
            return texts.size(error.offset - piece.offset)
        return "truncated"

    def more(self, piece: FieldSpan) -> Line:
        name = piece.path.removesuffix(MORE).rpartition(".")[2] + "[..]"
        shown = texts.size(piece.size)
        return Line(piece.offset, shown, piece.path.count("."), name, f"... {piece.value:,} more")

    def unread(self, piece: FieldSpan) -> Line:
        """Return the line of skipped bytes of a broken part, whose size states its end."""
        path = piece.path.removesuffix(UNREAD)
        part = path == f"{piece.structure.name}" or path.rpartition(".")[2] not in piece.structure.by_name
        depth, name = path.count(".") + part, path.rpartition(".")[2]
        shown = texts.hex_bytes(piece.value)
        return Line(piece.offset, shown, depth, "(not read)" if part else name, "broken", "skipped")

    def field(self, piece: FieldSpan) -> Iterator[Line]:
        depth, name = piece.path.count("."), piece.path.rpartition(".")[2]
        data = piece.cut(self.raw)
        value, meaning = self.view.describe(piece)
        meaning = self.marked(piece, piece.path, meaning)
        yield Line(piece.offset, texts.hex_bytes(data), depth, name, value, meaning)
        for group in piece.field.groups if piece.field else ():
            bits = getattr(piece.value, group.name)
            path = f"{piece.path}.{group.name}"
            mark = self.marked(piece, path, meanings.group(piece.structure, name, group, bits))
            if bits or mark:
                last = group.shift + group.width - 1
                where = f"bit {last}" if group.width == 1 else f"bits {group.shift}-{last}"
                yield Line(None, where.rjust(_ROW + 2), depth + 1, group.name, str(bits), mark)

    def marked(self, piece: FieldSpan, path: str, meaning: str) -> str:
        """Return the meaning of a field, with the error if it is about this field."""
        findings = self.findings
        for error in (findings.error, *findings.others):
            if error and _is_about(error, piece, path):
                return f"{meaning}  <-- {texts.escape(error.problem)}".lstrip()
        if path in findings.doubtful and piece.value is not None:
            return f"{meaning}  (doubtful)".lstrip()
        return meaning

    def absent(self, piece: FieldSpan) -> Iterator[Line]:
        """Yield lines with the names of the optional parts that a structure does not have."""
        if not piece.size:
            return
        names = []
        for field in piece.structure.fields:
            path = f"{piece.path}.{field.name}"
            shown = self.view.pieces.get(path)
            listed = f"{path}[0]" in self.view.pieces or path + MORE in self.view.pieces
            if not listed and not field.is_filler and (shown is None or not shown.size):
                names.append(field.name)
        depth = piece.path.count(".") + 1
        for index, line in enumerate(textwrap.wrap(", ".join(names), _LIST_WIDTH)):
            yield Line(None, "", depth, "" if index else "(absent)", line)

    def rest(self) -> Iterator[Line]:
        """Yield lines for the bytes after the last field, with a dump of the first ones."""
        end = self.findings.end
        data = self.raw[end:]
        if not data:
            return
        name = "(not read)" if self.findings.error else "(left over)"
        yield Line(end, texts.size(len(data)), 0, name)
        for at in range(0, min(len(data), _DUMPED_ROWS * _ROW), _ROW):
            row = data[at : at + _ROW]
            text = "".join(chr(unit) if 0x20 <= unit <= 0x7E else "." for unit in row)
            yield Line(end + at, row.hex(" "), 0, "", text)
        if len(data) > _DUMPED_ROWS * _ROW:
            yield Line(end + _DUMPED_ROWS * _ROW, "..", 0, "")
