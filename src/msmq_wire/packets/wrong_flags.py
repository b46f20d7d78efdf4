"""The error for a message with a flag that contradicts its headers.

1. A clear flag whose header is present, or a set flag whose header is missing, makes decoders misinterpret
   bytes, so they stop somewhere behind.  If the message can be decoded with exactly one flag changed, and
   with nothing left, this flag is wrong.
2. Bytes after the last header are an ExtensionHeader only if they state its size (errata R12).
3. A length that ends a text before its terminator makes decoders read the rest of the text as the next
   fields.  One that reaches beyond the terminator makes them read the next fields as text.
4. A clear flag before a fixed number of bytes may leave a message that can be decoded, with other fields
   than those that were sent: `decoded_with_flag` tries whether it can also be decoded with the flag set.
5. A message packet of a remote read has a UserMessage, whose flags are tried in the same way.  The flags of
   its ExtensionHeader and the size of its DeadLetterHeader are tried if RemainingHeadersSize equals the
   number of remaining bytes.
6. `wrong_numbers` tries counts, sizes and forms of names.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from msmq_wire.definitions.relations import DEFAULTS, PRESENT, announcing
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Count, Text
from msmq_wire.records.record import diagnostic_reader, size_of_record
from msmq_wire.records.registry import DECODERS, PACKETS
from msmq_wire.values.enumerations import ALG_ID
from msmq_wire.values.errors import DecodeError, elsewhere, in_bytes, left_over
from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.reject import UNREADABLE

from .packet_starts import BASE_SIZE, FLAGS_AT, PACKET_SIZE, PACKET_SIZE_AT, ends, starts_packet, unpack_base
from .wrong_numbers import about_body, about_packet_size, about_session_header, instances_in, renumbered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.records.model import Group, Structure
    from msmq_wire.records.spans import FieldSpan
    from msmq_wire.values.limits import Limits

    _Spans = dict[str, FieldSpan]
    """The fields that can be read, by path."""

_MESSAGE: Final = "UserMessage"
_READ: Final = "MessagePacket"
_LEAST_SECURITY: Final = 16 + 8
"""The header, and a security identifier without subauthorities."""
_OWNERS: Final = ("BaseHeader", "UserHeader", "TransactionHeader", "DebugHeader")
"""The headers whose flags announce others; the flag of a SessionHeader moves nothing."""
_QUEUES: Final = {"UserHeader.Flags.AQ": "AdminQueue", "UserHeader.Flags.RQ": "ResponseQueue"}
_SRMP: Final = "UserHeader.Flags.AH"
_DEBUG: Final = "BaseHeader.Flags.DH"
_BEFORE_TRANSACTION: Final = {"UserHeader.Flags.TH", "UserHeader.Flags.CQ"}
"""Flags that, if they are tried set, make other bytes look like a TransactionHeader."""


def _bits(header: str, *begins: str) -> int:
    """Return the bits of the flags of a header whose names begin so; X is that of unused ones."""
    word = structures()[header].by_name["Flags"].word
    assert word is not None  # noqa: S101  # these headers have flags
    return sum(group.mask for group in word.groups if group.name.startswith(begins))


_NO_SECURITY: Final = _bits("SecurityHeader", "AS", "X") | 0xC
"""Bits of the flags of a SecurityHeader that are clear when sent, and those of ST that no type has."""
_UNUSED: Final = _bits("TransactionHeader", "X")
_PUBLIC_QUEUE: Final = 1
"""DebugHeader.Flags of a header with a queue."""
_ONLY_CLEARED: Final = {*_QUEUES, _SRMP}
"""Flags that are not tried set: the form of a name is unknown; AH is tried in remote reads only."""
_BEFORE_SECURITY: Final = {"UserHeader.Flags.SH", "UserHeader.Flags.CQ"}
"""Flags that, if they are tried set, make other bytes look like a SecurityHeader."""
_SOAP: Final = DEFAULTS["SoapHeader.HeaderSectionID"]
"""It is at the place of SRMPEnvelopeHeader.HeaderId."""
_EXTENSION: Final = f"{_MESSAGE}.ExtensionHeader"
_SUBQUEUE: Final = "SubqueueHeader"
_DEAD_LETTER: Final = "DeadLetterHeader"
_ADDRESS: Final = "ExtendedAddressHeader"
_ALWAYS_THERE: Final = {_SUBQUEUE, _ADDRESS}
"""If one of these headers is missing, the header is wrong, not the flag, which has to be 1 (errata R8)."""
_FLAGS: Final = {
    name: announcing(f"{_READ}.{name}")[0].rpartition(".")[2] for name in (_SUBQUEUE, _DEAD_LETTER, _ADDRESS)
}
"""The headers after an ExtensionHeader, in wire order, and its flags that announce them."""
_TRAILERS: Final = ("ExtensionHeader", *_FLAGS)
_ENDS_A_MESSAGE: Final = ("SoapHeader", "Body")
"""The text, by structure and field, that can be the last of a message: PacketSize may be wrong as well."""
_EXTENSION_BEGINS: Final = DEFAULTS["ExtensionHeader.HeaderSize"].to_bytes(4, "little")
_NUMBER: Final = 4
"""The size of a HeaderSize."""
_MOST_PADDING: Final = 3
_COUNTED_NAME: Final = "DirectQueueFormatName"
_NAMES: Final = "UserHeader"
_LIST: Final = "MQFAddressHeader"
_LISTS: Final = 2
"""The number of lists before an error whose numbers are tried."""
_NUMBERED: Final = {_NAMES, _COUNTED_NAME, "SecurityHeader", _LIST}
"""Headers with numbers that decide how what follows is read, and of which the bytes suggest other values."""


def _announcements() -> Iterator[tuple[str, str, int]]:
    """Yield each flag from its header on, the part that it announces, and its value for that."""
    for part in PRESENT:
        path, number = announcing(part)
        name = part.partition(".")[2]
        if path.split(".")[0] in _OWNERS and name != "SessionHeader" and ".Flags." in path:
            yield path, name, number


_ANNOUNCED: Final = {path: (name, number) for path, name, number in reversed([*_announcements()])}
"""The first part that each flag announces, and the value of the flag for that."""


def blamed(error: DecodeError, data: bytes, limits: Limits) -> DecodeError | None:
    """Return the error about the field that misled a decoder of a packet; None if unknown, or the same.

    Args:
        error: The error of a decoder that relied on this field.
        data: The packet.
        limits: Bounds for decoding.
    """
    named = _misled(error, data, limits)
    is_same = named is not None and named.code is Problem.VALUE and named.path == error.path
    return None if is_same else named


def _misled(error: DecodeError, data: bytes, limits: Limits) -> DecodeError | None:
    """Return the error about a field, which may be that of the given error."""
    outermost, _, inner = error.path.partition(".")
    if len(data) < BASE_SIZE or (error.code is Problem.SIZE_ABOVE and error.path.endswith(PACKET_SIZE)):
        return None  # bytes are missing
    if outermost != _READ:
        named = _of_message(error, data, limits)
        return named or _before_surplus(error, data, limits)
    if not inner.startswith(_MESSAGE):
        lower = _of_tries(limits)
        return _wrong_trailer(data, _READ, _spans(data, _READ, lower), lower)
    if not starts_packet(data, 0):
        return None
    if error.limit == PACKET_SIZE or error.code is Problem.LEFT_OVER:
        named = _wrong_packet_size(data, _of_tries(limits))
        if named is not None:
            return named
    for stop in ends(unpack_base(data)[3], data[FLAGS_AT]):
        if stop <= len(data):
            better = _of_message(elsewhere(error, path=inner), data[:stop], limits, is_read=True)
            if better is not None:
                source = better.source_path and f"{_READ}.{better.source_path}"
                return elsewhere(better, path=f"{_READ}.{better.path}", source_path=source)
    return None


def _before_surplus(error: DecodeError, data: bytes, limits: Limits) -> DecodeError | None:
    """Return the error about the field that misled a decoder of a message that other bytes follow."""
    stop = ends(unpack_base(data)[3], data[FLAGS_AT])[-1]
    if error.code is Problem.LEFT_OVER or stop >= len(data):
        return None
    return _of_message(error, data[:stop], limits)


def _of_message(
    error: DecodeError, data: bytes, limits: Limits, *, is_read: bool = False
) -> DecodeError | None:
    lower = _of_tries(limits)

    def is_whole(changed: bytes) -> bool:
        record = _whole(changed, "", lower)
        return record is not None and _has_algorithms(record.MessagePropertiesHeader)

    named = about_session_header(error, data) or about_packet_size(
        error, data, structures()[_MESSAGE], is_whole
    )
    if named is not None or _is_truncated(data):
        return named
    spans = _spans(data, _MESSAGE, lower)
    named = _long_length(data, spans, lower)
    if named is not None:
        return named
    length = _wrong_length(error, spans)
    instances = instances_in(spans.values(), _NUMBERED)
    names = [instance for instance in instances if instance.structure.name == _COUNTED_NAME]
    count = renumbered(data, names, is_whole, lower)
    if count is not None and length is not None and length.source_path == count.path:
        return length
    flags = _wrong_flags(data, spans, lower, is_read=is_read)
    named = flags[0] if len(flags) == 1 else _wrong_trailer(data, _MESSAGE, spans, lower)
    if named is not None:
        return named
    others = [instance for instance in instances if instance.structure.name != _LIST]
    lists = [instance for instance in instances if instance.structure.name == _LIST][-_LISTS:]
    if flags or _is_about_security(error, spans):  # the form of a name is a flag too
        others = [instance for instance in others if instance.structure.name != _NAMES]
    return (
        renumbered(data, [*others, *lists], is_whole, lower)
        or about_body(data, spans, is_whole)
        or length
        or _surplus(error, data, spans if lower is limits else _spans(data, _MESSAGE, limits))
    )


def _wrong_packet_size(data: bytes, limits: Limits) -> DecodeError | None:
    """Return the error about the PacketSize of the message of a remote read; None if it is right.

    The message ends at an ExtensionHeader that states its own size and that of all that follows.
    """
    stated, size = unpack_base(data)[3], data.find(_EXTENSION_BEGINS, BASE_SIZE)
    while size >= 0:
        header, pos = _extension(data, size, limits)
        if header is not None and pos + header.RemainingHeadersSize == len(data) and size != stated:
            changed = size.to_bytes(_NUMBER, "little") + data[PACKET_SIZE_AT + _NUMBER : size]
            if _whole(data[:PACKET_SIZE_AT] + changed, "", limits) is not None:
                where = f"{_READ}.{_MESSAGE}.{PACKET_SIZE}", PACKET_SIZE_AT
                expected = f"a size of {in_bytes(size)}"
                return _error(Problem.VALUE, expected, size, stated, "BaseHeader", *where)
        size = data.find(_EXTENSION_BEGINS, size + 1)
    return None


def _of_tries(limits: Limits) -> Limits:
    """Return bounds with at most the default limit of queues: an attempt may take the packet's size."""
    return limits if limits.queues < DEFAULT_LIMITS.queues else DEFAULT_LIMITS


def unreliable(error: DecodeError) -> tuple[str, int]:
    """Return path and offset, in the packet, of the first field that a wrong trailer makes unreliable.

    It is the flags word of an ExtensionHeader, because its flags decide which headers follow, or the text
    that begins after a wrong size; the path is empty if the error is about neither.
    """
    word, _, flag = error.path.partition(".")[2].rpartition(".")
    if word.endswith("ExtensionHeader.Flags") and flag in _FLAGS.values():
        return word, error.offset
    is_size = error.code is Problem.VALUE and word.endswith("DeadLetterHeader") and flag == "HeaderSize"
    return (f"{word}.DeadLetterPathName", error.offset + _NUMBER) if is_size else ("", 0)


def _wrong_flags(data: bytes, spans: _Spans, limits: Limits, *, is_read: bool) -> list[DecodeError]:
    """Return an error about each flag that may contradict a message; if there is one, it does."""
    return [
        error
        for path, (part, number) in (*_ANNOUNCED.items(), *((path, (_QUEUES[path], -1)) for path in _QUEUES))
        if (span := spans.get(f"{_MESSAGE}.{path.rpartition('.')[0]}")) is not None
        and (error := _contradiction(data, span, path, part, number, limits, is_read=is_read)) is not None
    ]


def _is_truncated(data: bytes) -> bool:
    """Return whether a message is too short for its PacketSize: then no other flag or length helps."""
    return len(data) < BASE_SIZE or unpack_base(data)[3] > len(data)


def _contradiction(
    data: bytes, span: FieldSpan, path: str, part: str, number: int, limits: Limits, *, is_read: bool
) -> DecodeError | None:
    """Return the error about a flag if the message can be decoded with the other value of it.

    Args:
        data: The message.
        span: The flags word.
        path: The flag.
        part: The part that it announces.
        number: The value that announces the part; -1 if any but 0 does.
        limits: Bounds for decoding.
        is_read: Whether a remote read returned the message.
    """
    stated = _stated(data, span, path)
    announces = stated != 0 if number < 0 else stated == number
    if path in _ONLY_CLEARED and not announces and not (is_read and path == _SRMP):
        return None
    other = 0 if announces else number
    if _whole(_with_flag(data, span, path, other), path, limits) is None:
        return None
    expected = f"{other} {'without' if announces else 'with'} {part}"
    is_number = stated in {0, 1} or number < 0
    problem = Problem.PROMISE if announces else Problem.FLAG if is_number else Problem.VALUE
    return _error(problem, expected, other, stated, span.structure.name, f"{_MESSAGE}.{path}", span.offset)


@cache
def _group(path: str) -> Group:
    """Return the bits of a flag, by its path from its header on."""
    name, _, inner = path.partition(".")
    bits = structures()[name].at(inner)[1]
    assert bits is not None  # noqa: S101  # all flags are groups of a word
    return bits


def _stated(data: bytes, span: FieldSpan, path: str) -> int:
    """Return the value of a flag in its word."""
    bits = _group(path)
    return (int.from_bytes(span.cut(data), "little") & bits.mask) >> bits.shift


def _with_flag(data: bytes, span: FieldSpan, path: str, value: int) -> bytes:
    """Return the message with another value of a flag in its word."""
    bits, begin, end = _group(path), span.offset, span.offset + span.size
    word = int.from_bytes(span.cut(data), "little") & ~bits.mask | value << bits.shift
    return data[:begin] + word.to_bytes(span.size, "little") + data[end:]


def decoded_with_flag(data: bytes, path: str, offset: int) -> Any:
    """Decode a message with a flag set; None if it is set already, or if that fails.

    Args:
        data: A message.
        path: The flag.
        offset: The offset of its word.
    """
    name, word, _ = path.split(".")
    bits, size = _group(path), structures()[name].by_name[word].kind.fixed_size
    assert size is not None  # noqa: S101  # as of all words
    number = int.from_bytes(data[offset : offset + size], "little")
    if number & bits.mask:
        return None
    changed = (number | bits.mask).to_bytes(size, "little")
    return _whole(data[:offset] + changed + data[offset + size :], path, DEFAULT_LIMITS)


def _whole(data: bytes, path: str, limits: Limits) -> Any:
    """Decode a message; None if that fails, or leaves bytes that only remote reads have."""
    try:
        record = PACKETS[_MESSAGE](data, len(data), limits)
    except UNREADABLE:
        return None
    security = record.SecurityHeader
    # Identifiers, signatures and keys are longer: it is a TransactionHeader or a part of a SecurityHeader.
    taken = path in _BEFORE_SECURITY and security is not None and size_of_record(security) < _LEAST_SECURITY
    label = record.MessagePropertiesHeader.Label
    is_cut = bool(label) and not label.endswith("\0")  # then its length is what is wrong
    part = _ANNOUNCED[path][0] if path in _ANNOUNCED else ""
    srmp = path == _SRMP and record.SRMPEnvelopeHeader is not None
    followed = record.SoapHeader is not None or record.MultiQueueFormatHeader is not None
    debug = record.DebugHeader if path == _DEBUG and not followed else None
    is_whole = (
        record.ExtensionHeader is None
        and not taken
        and not is_cut
        and _begins_as_sent(getattr(record, part, None))
        and (path not in _BEFORE_TRANSACTION or _is_in_order(record.TransactionHeader))
        and (not srmp or _is_srmp(record))
        and (debug is None or _names_queue(debug))
    )
    return record if is_whole else None


def _is_about_security(error: DecodeError, spans: _Spans) -> bool:
    """Return whether an error is in the data of a SecurityHeader with possible flags."""
    flags = spans.get(f"{_MESSAGE}.SecurityHeader.Flags")
    return error.structure == "SecurityData" and flags is not None and not int(flags.value) & _NO_SECURITY


def _has_algorithms(header: Any) -> bool:
    """Return whether the algorithms of a message are known, which other bytes are hardly."""
    return {header.HashAlgorithm, header.EncryptionAlgorithm} <= {*map(int, ALG_ID)}


def _is_in_order(header: Any) -> bool:
    """Return whether a TransactionHeader, if there is one, has its numbers in order and no unused bits."""
    return header is None or bool(
        header.PreviousTxSequenceNumber < header.TxSequenceNumber and not int(header.Flags) & _UNUSED
    )


def _begins_as_sent(header: Any) -> bool:
    """Return whether a header, if there is one, begins with its number, as zeros after a message do not."""
    if header is None:
        return True
    first = header.layout.fields[0].name
    value = getattr(header, first)
    return bool(DEFAULTS.get(f"{header.layout.name}.{first}", value) == value)


def _names_queue(debug: Any) -> bool:
    """Return whether a last DebugHeader has a queue and no unused bit; any four bytes can lack both."""
    return bool(debug.Flags == _PUBLIC_QUEUE and not debug.Reserved)


def _is_srmp(message: Any) -> bool:
    """Return whether the headers are those of an SRMP message: a text that ends with null, no SoapHeader."""
    envelope = message.SRMPEnvelopeHeader
    return bool(envelope.HeaderId != _SOAP and envelope.Data.endswith("\0"))


def _wrong_trailer(data: bytes, outermost: str, spans: _Spans, limits: Limits) -> DecodeError | None:
    """Return the error about the one flag or size that contradicts the bytes after the ExtensionHeader.

    Args:
        data: The packet, up to its end.
        outermost: Its structure.
        spans: Its fields that can be read.
        limits: Bounds for decoding.
    """
    path = f"{outermost}.ExtensionHeader"
    if path not in spans:
        return None
    begin = spans[path].offset
    header, pos = _extension(data, begin, limits)
    if header is None or pos + header.RemainingHeadersSize != len(data):
        return None
    announced = {name for name, flag in _FLAGS.items() if getattr(header.Flags, flag)}
    errors = []
    for name in _FLAGS.keys() - (announced & _ALWAYS_THERE):
        if not _are_whole(data, pos, announced ^ {name}, limits):
            continue
        stated = int(name in announced)
        expected = f"{1 - stated} {'without' if stated else 'with'} {name}"
        problem = Problem.PROMISE if stated else Problem.FLAG
        where = f"{path}.Flags.{_FLAGS[name]}", begin + structures()["ExtensionHeader"].offset_of("Flags")
        errors.append(_error(problem, expected, 1 - stated, stated, "ExtensionHeader", *where))
    at = pos + structures()[_SUBQUEUE].least_size * (_SUBQUEUE in announced)
    size = len(data) - structures()[_ADDRESS].least_size * (_ADDRESS in announced) - at
    stated = int.from_bytes(data[at : at + _NUMBER], "little")
    if _DEAD_LETTER in announced and size >= _NUMBER and size != stated:
        changed = data[:at] + size.to_bytes(_NUMBER, "little") + data[at + _NUMBER :]
        if _are_whole(changed, pos, announced, limits):
            where = f"{outermost}.DeadLetterHeader.HeaderSize", at
            errors.append(
                _error(Problem.VALUE, f"a size of {in_bytes(size)}", size, stated, "DeadLetterHeader", *where)
            )
    return errors[0] if len(errors) == 1 else None


def _error(
    problem: Problem, expected: str, value: int, stated: int, structure: str, path: str, offset: int
) -> DecodeError:
    return DecodeError(
        say(problem, expected, stated),
        structure=structure,
        path=path,
        offset=offset,
        expected=value,
        actual=stated,
        source_path=path,
        source_offset=offset,
    )


def _extension(data: bytes, begin: int, limits: Limits) -> tuple[Any, int]:
    """Return an ExtensionHeader that states its size, and its end; None if there is none."""
    try:
        header, pos = DECODERS["ExtensionHeader"](data, begin, len(data), limits)
    except UNREADABLE:
        return None, begin
    return (header if header.HeaderSize == pos - begin else None), pos


def _are_whole(data: bytes, pos: int, announced: set[str], limits: Limits) -> bool:
    """Return whether the headers that the flags announce fill the bytes, and each states its size."""
    for name in _FLAGS:
        if name not in announced:
            continue
        begin = pos
        try:
            header, pos = DECODERS[name](data, pos, len(data), limits)
        except UNREADABLE:
            return False
        if header.HeaderSize != pos - begin:
            return False
        if name == _DEAD_LETTER and not (header.DeadLetterPathName and len(header.Padding) <= _MOST_PADDING):
            return False
    return pos == len(data)


def _spans(data: bytes, outermost: str, limits: Limits) -> _Spans:
    """Return the fields that can be read, by path."""
    reader = diagnostic_reader(data, limits, shown=1)
    with suppress(DecodeError):
        reader.read(structures()[outermost], 0, len(data))
    return {span.path: span for span in reader.spans}


def _counted_texts(spans: _Spans) -> Iterator[tuple[str, FieldSpan, FieldSpan, int]]:
    """Yield each text with its path, the field of its length, and what a WCHAR adds to that field."""
    for path, span in spans.items():
        parent, _, name = path.rpartition(".")
        field = span.structure.by_name.get(name)
        if field is not None and isinstance(field.kind, Text) and isinstance(field.kind.count, Count):
            yield path, span, spans[f"{parent}.{field.kind.count.number}"], field.kind.count.per_unit


def _long_length(data: bytes, spans: _Spans, limits: Limits) -> DecodeError | None:
    """Return the error about the length of a text, if a message can be decoded that ends at its terminator.

    Args:
        data: The message, up to its end.
        spans: Its fields that can be read.
        limits: Bounds for decoding.
    """
    if _is_truncated(data):
        return None
    for _, span, length, unit in _counted_texts(spans):
        units = span.value.find("\0") + 1
        if not 0 < units < len(span.value):
            continue
        begin, end, size = length.offset, length.offset + length.size, units * unit
        if _whole(data[:begin] + size.to_bytes(length.size, "little") + data[end:], "", limits) is not None:
            expected = f"{size}, up to the terminator"
            structure, path = length.structure.name, length.path
            return _error(Problem.VALUE, expected, size, length.value, structure, path, begin)
    return None


def _wrong_length(error: DecodeError, spans: _Spans) -> DecodeError | None:
    """Return the error about the first text before the error that its length ends without a terminator.

    Args:
        error: The error of a decoder that relied on the length.
        spans: The fields of the message that can be read.
    """
    for path, span, length, _ in _counted_texts(spans):
        name = path.rpartition(".")[2]
        is_unsure = (span.structure.name, name) == _ENDS_A_MESSAGE
        if is_unsure or span.offset + span.size > error.offset or span.value.endswith("\0"):
            continue
        if span.value or name == "DirectFormatName":  # other texts may be empty
            count = f"{span.size // 2} WCHARs"
            return DecodeError(
                say(Problem.UNTERMINATED, count),
                structure=span.structure.name,
                path=path,
                offset=span.offset,
                expected="a last WCHAR 0x0000",
                actual=count,
                source_path=length.path,
                source_offset=length.offset,
            )
    return None


def _surplus(error: DecodeError, data: bytes, spans: _Spans) -> DecodeError | None:
    """Return the error about bytes after the last header that are not an ExtensionHeader; else None.

    Args:
        error: The error of a decoder that read them as one.
        data: The message, up to its end.
        spans: Its fields that can be read.
    """
    outermost, _, inner = error.path.partition(".")
    if outermost != _MESSAGE or not inner.startswith(_TRAILERS):
        return None
    extension: Structure = structures()["ExtensionHeader"]
    header, stated = spans.get(_EXTENSION), spans.get(f"{_EXTENSION}.HeaderSize")
    if header is None or (stated is not None and stated.value == extension.least_size):
        return None
    return left_over(_MESSAGE, header.offset, len(data))
