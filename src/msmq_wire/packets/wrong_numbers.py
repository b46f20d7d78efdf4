"""The error for bytes with a number that contradicts what it states: a count, a size, an offset, a form.

1. A wrong number makes decoders misinterpret the bytes that it describes, so they stop somewhere behind.
2. The bytes suggest other values of a number: how many elements there are, where a text or a list ends, which
   forms a name can have, how many bytes the input has.
3. If the input can be decoded completely with another value of exactly one number, this number is wrong.  Two
   groups of one flags word are named together.  Otherwise the error remains where decoding stopped.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from msmq_wire.definitions.relations import DEFAULTS, FIXED
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.mqmq import SecurityHeaderFlags, SessionHeader
from msmq_wire.records.model import EOF, Choice, Items, Numbers, Text, count_of
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.records.registry import DECODERS
from msmq_wire.values.errors import DecodeError, elsewhere, in_bytes
from msmq_wire.values.guid import GUID_SIZE
from msmq_wire.values.numbers import MAX_PROPERTIES, SENT_BY_QUEUE_MANAGER
from msmq_wire.values.refusals import Problem, say
from msmq_wire.values.reject import UNREADABLE
from msmq_wire.values.sid import is_sid, sid_size
from msmq_wire.values.wchar import find_terminator, from_wchars

from .certificates import PUBLIC_KEY, certificate_size
from .packet_starts import (
    BASE_SIZE,
    FLAGS_AT,
    PACKET_SIZE,
    PACKET_SIZE_AT,
    SESSION_HEADER_SIZE,
    begins_packet,
    ends,
    unpack_base,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from msmq_wire.records.model import Field, Structure
    from msmq_wire.records.spans import FieldSpan
    from msmq_wire.values.limits import Limits

_SHOWN: Final = 64
"""The number of elements of a list that are read in detail."""
_TRIED: Final = 8
"""The number of structures before an error whose numbers are tried."""
_NEAR: Final = 4
"""Numbers of properties that differ by no more than this are tried, besides that of all known identifiers."""
_MAY_BE_CUT: Final = frozenset(
    {
        *(Problem.SHORT, Problem.COUNT_SHORT, Problem.UNTERMINATED),
        *(Problem.COUNT_ABOVE, Problem.ELEMENTS_ABOVE),
    }
)
"""Why truncated bytes are rejected."""
_PRIVATE: Final = range(1 << 16)
"""Unknown identifiers that are private rather than other bytes."""
_NAMED_BY: Final = ".UseGuid"
"""The field that says how an object is named: with its other value, an unknown identifier can be skipped."""
_SESSION: Final = "SessionHeader"
_SHOWS_SESSION: Final = "UserMessage.BaseHeader.Flags.SH"
_MODULI: Final = (64, 128, 256, 512)
"""The sizes of the usual RSA keys, and of what is signed or encrypted with them."""
_PROVIDER_TYPE: Final = 4
_MOST_TYPE: Final = 0xFF
"""The number of the type of a provider is below a hundred; two letters of a name are a larger number."""
_PROPERTIES: Final = "UserMessage.MessagePropertiesHeader"
_BODY_SIZES: Final = ("ExtensionSize", "MessageSize")
_DEBUG: Final = structures()["DebugHeader"].least_size
_BEHIND_BODY: Final = tuple(
    (constant.to_bytes(4, "little"), debug + structures()[name].offset_of(field))
    for debug in (0, _DEBUG, _DEBUG + GUID_SIZE)
    for name, field, constant in (
        ("SoapHeader", "HeaderSectionID", DEFAULTS["SoapHeader.HeaderSectionID"]),
        ("MQFAddressHeader", "HeaderID", FIXED["MultiQueueFormatHeader"]["Destination.HeaderID"]),
    )
)
"""The constants of a SoapHeader and of the list of destinations, each with two zeros behind it; a DebugHeader
may come before them."""
_ENDS: Final = 16
"""The number of places of each of these constants that may be the end of a body."""
_DIRECT: Final = "DirectQueueFormatName"
_PADDED: Final = 4
"""A list states its size without the bytes that fill it up to a multiple of this."""


class Instance(NamedTuple):
    """A structure in the input, whose own numbers may be wrong.

    Attributes:
        structure: Its layout.
        offset: Its offset in the input.
        path: Its dotted path from the outermost structure on.
        spans: Its fields that can be read, by their paths in it.
    """

    structure: Structure
    offset: int
    path: str
    spans: Mapping[str, FieldSpan]


def instance_at(structure: Structure, offset: int, path: str, data: bytes, limits: Limits) -> Instance:
    """Return the structure at an offset of the input."""
    reader = diagnostic_reader(data, limits, shown=1)
    with suppress(DecodeError):
        reader.read(structure, offset, len(data))
    return Instance(structure, offset, path, _relative(reader.spans, structure.name))


def instances_in(
    spans: Iterable[FieldSpan], names: Container[str] | None = None, most: int = sys.maxsize
) -> list[Instance]:
    """Return the structures among the fields of an outer structure.

    Args:
        spans: The fields.
        names: The names of the wanted structures; None for all.
        most: How many are wanted besides the first one, the last ones.
    """
    inside = [
        span
        for span in spans
        if span.value is None
        and not span.structure.scoped
        and (names is None or span.structure.name in names)
    ]
    return [
        Instance(span.structure, span.offset, span.path, _relative(spans, span.path))
        for span in (*inside[:1], *inside[1:][-most:])
    ]


def _relative(spans: Iterable[FieldSpan], path: str) -> dict[str, FieldSpan]:
    """Return the fields of a structure by their paths in it."""
    return {span.path[len(path) + 1 :]: span for span in spans if span.path.startswith(f"{path}.")}


class _Other(NamedTuple):
    """Another value of a number: its path in the structure, the value, and the field that depends on it."""

    path: str
    value: int
    field: Field


def renumbered(
    data: bytes, instances: Iterable[Instance], is_whole: Callable[[bytes], bool], limits: Limits
) -> DecodeError | None:
    """Return the error about the number that contradicts the input; None if it is unknown.

    Args:
        data: The input, which cannot be decoded.
        instances: The structures whose numbers are tried.
        is_whole: Whether other bytes can be decoded completely.
        limits: Bounds for decoding.
    """
    errors: dict[str, DecodeError] = {}
    for instance in instances:
        for error in _contradictions(data, instance, is_whole, limits):
            errors.setdefault(error.path, error)
    wrong = [*errors.values()]
    if len(wrong) <= 1:
        return wrong[0] if wrong else None
    words = {error.path.rpartition(".")[0] for error in wrong}
    if len(words) > 1 or any(error.code is not Problem.FLAG for error in wrong):
        return None
    groups = [error.path.rpartition(".")[2] for error in wrong]
    expected = " or ".join(f"{group} {error.expected}" for group, error in zip(groups, wrong, strict=True))
    actual = " and ".join(f"{group} {error.actual}" for group, error in zip(groups, wrong, strict=True))
    (word,), offset = words, wrong[0].offset
    return DecodeError(
        say(Problem.FLAG, expected, actual),
        structure=wrong[0].structure,
        path=word,
        offset=offset,
        expected=expected,
        actual=actual,
        source_path=word,
        source_offset=offset,
    )


def _contradictions(
    data: bytes, instance: Instance, is_whole: Callable[[bytes], bool], limits: Limits
) -> Iterator[DecodeError]:
    """Yield an error about each other value of a number with which the input can be decoded."""
    structure, begin, path, spans = instance
    for other in _others(structure, begin, spans, data, limits):
        word, _, name = other.path.partition(".")
        span = spans[word]
        mask, shift = (1 << 8 * span.size) - 1, 0
        if name:
            assert span.field is not None  # noqa: S101  # a flags word is a field
            assert span.field.word is not None  # noqa: S101  # only a word has groups
            group = span.field.word.group(name)
            mask, shift = group.mask, group.shift
        number = int.from_bytes(span.cut(data), "little")
        stated, end = (number & mask) >> shift, span.offset + span.size
        if stated == other.value or other.value << shift & ~mask:
            continue
        changed = (number & ~mask | other.value << shift).to_bytes(span.size, "little")
        if not is_whole(data[: span.offset] + changed + data[end:]):
            continue
        expected = f"{other.value} with {other.field.name}" if name else f"{other.value}"
        is_offset = other.field.offset_in is not None and other.value != 0
        problem = Problem.FLAG if name else Problem.OFFSET if is_offset else Problem.VALUE
        yield DecodeError(
            say(problem, expected, stated),
            structure=structure.name,
            path=f"{path}.{other.path}",
            offset=span.offset,
            expected=expected if name else other.value,
            actual=stated,
            source_path=f"{path}.{other.path}",
            source_offset=span.offset,
        )


def _others(
    structure: Structure, begin: int, spans: Mapping[str, FieldSpan], data: bytes, limits: Limits
) -> Iterator[_Other]:
    """Yield the values that the bytes suggest for the numbers of a structure."""
    for field in structure.fields:
        kind, count = field.kind, count_of(field.kind)
        number = spans.get(count.number) if count else None
        if isinstance(kind, Choice):
            yield from (_Other(kind.selector, value, field) for value in _forms(field, kind, spans, data))
        elif field.offset_in:
            source, origin = field.offset_in
            at = spans[origin].offset if origin in spans else len(data)
            stop = find_terminator(data, at, len(data))
            if source in spans and stop >= 0:
                yield from (_Other(source, value, field) for value in (0, (stop + 2 - at) // 2))
        elif field.known and field.name in spans:
            yield from (_Other(field.name, value, field) for value in field.known)
        elif field.part is not None and field.part.scoped:
            yield from _of_bytes(field.part, f"{field.name}.", spans, data)
        elif number is None or count is None:
            continue
        elif isinstance(kind, Items):
            yield from _of_list(structure, begin, field, number, data, limits)
        elif isinstance(kind, Text):
            at = begin + structure.offset_of(field.name)
            stop = find_terminator(data, at, len(data))
            if stop >= 0:
                yield _Other(count.number, (stop + 2 - at) // 2 * count.per_unit, field)
        elif isinstance(kind, Numbers):
            most = _identifiers(data, number.offset + number.size, kind.unit)
            near = range(number.value - _NEAR, number.value + _NEAR + 1)
            values = {most, *near} & {*range(most + 1)}
            yield from (_Other(count.number, value, field) for value in sorted(values))
    yield from _of_bytes(structure, "", spans, data)


def _of_bytes(
    structure: Structure, prefix: str, spans: Mapping[str, FieldSpan], data: bytes
) -> Iterator[_Other]:
    """Yield the sizes of fields whose bytes say themselves where they end, or have one of few sizes."""
    for field in structure.fields:
        count, sizes = count_of(field.kind), _SIZES.get(f"{structure.name}.{field.name}")
        if field.name == "SecurityID" and "Flags" in spans:
            sizes = _BY_SENDER.get(SecurityHeaderFlags(spans["Flags"].value).ST, sizes)
        if sizes is None or count is None or count.number not in spans:
            continue
        at = max(span.offset + span.size for span in spans.values() if span.value is not None)
        if prefix + field.name in spans:
            at = spans[prefix + field.name].offset
        yield from (_Other(count.number, size, field) for size in sizes(data, at))


def _key_size(data: bytes, at: int) -> list[int]:
    if not data.startswith(PUBLIC_KEY, at):
        return []
    key = structures()["PUBLICKEYBLOB"]
    bits = data[at + key.offset_of("bitLen") : at + key.offset_of("pubExp")]
    return [key.least_size + int.from_bytes(bits, "little") // 8]


def _encrypted_key_sizes(_: bytes, __: int) -> list[int]:
    return [0, *(structures()["SIMPLEBLOB"].least_size + size for size in _MODULI)]


def _certificate_sizes(data: bytes, at: int) -> list[int]:
    size = certificate_size(data, at)
    return [0, *([] if size is None else [size])]


def _sid_sizes(data: bytes, at: int) -> list[int]:
    size = sid_size(data, at)
    return [size] if is_sid(data[at : at + size]) else []


def _provider_size(data: bytes, at: int) -> list[int]:
    is_type = 0 < int.from_bytes(data[at : at + _PROVIDER_TYPE], "little") <= _MOST_TYPE
    stop = find_terminator(data, at + _PROVIDER_TYPE, len(data))
    return [0, *([stop + 2 - at] if is_type and stop >= 0 else [])]


_SIZES: Final[dict[str, Callable[[bytes, int], list[int]]]] = {
    "MQDSPUBLICKEY.aBuf": _key_size,
    "MQUSERSIGNCERT.Certificate": lambda data, at: _certificate_sizes(data, at)[1:],
    "SecurityData.SecurityID": lambda data, at: [0, GUID_SIZE, *_sid_sizes(data, at)],
    "SecurityData.EncryptionKey": _encrypted_key_sizes,
    "SecurityData.Signature": lambda _, __: [0, *_MODULI],
    "SecurityData.SenderCert": _certificate_sizes,
    "SecurityData.ProviderInfo": _provider_size,
}
"""Fields of bytes to a function that returns the sizes which the bytes at an offset suggest."""
_BY_SENDER: Final[dict[int, Callable[[bytes, int], list[int]]]] = {
    1: _sid_sizes,  # a SID
    SENT_BY_QUEUE_MANAGER: lambda _, __: [GUID_SIZE],
}
"""The same for SecurityID, by SecurityHeader.Flags.ST."""


def _forms(field: Field, kind: Choice, spans: Mapping[str, FieldSpan], data: bytes) -> list[int]:
    """Return a value of the selector for each form that a name may have instead of the stated one.

    Only a direct name shows by its text that it has the right form; identifiers may have any bytes.
    """
    word, _, name = kind.selector.partition(".")
    if not name or word not in spans:
        return []
    values = {form.name: value for value, form in reversed(kind.forms.items()) if form is not None}
    if field.name not in spans:
        return [*values.values()] if _is_absent(kind, spans[word], name, data) else []
    is_direct = _is_direct(data, spans[field.name].offset)
    if spans[field.name].structure.name == _DIRECT:
        return [] if is_direct else [value for form, value in values.items() if form != _DIRECT]
    return [values[_DIRECT]] if is_direct and _DIRECT in values else []


def _is_absent(kind: Choice, span: FieldSpan, name: str, data: bytes) -> bool:
    """Return whether a group of a flags word says that there is no name."""
    assert span.field is not None  # noqa: S101  # a flags word is a field
    assert span.field.word is not None  # noqa: S101  # only a word has groups
    group = span.field.word.group(name)
    stated = (int.from_bytes(span.cut(data), "little") & group.mask) >> group.shift
    return stated in kind.forms and kind.forms[stated] is None


def _is_direct(data: bytes, at: int) -> bool:
    """Return whether a direct name begins at an offset: its size, and a text with one null, at its end."""
    size = int.from_bytes(data[at : at + 2], "little")
    stop = find_terminator(data, at + 2, len(data))
    return at + 2 < stop == at + size and from_wchars(data[at + 2 : stop]).isprintable()


def _identifiers(data: bytes, at: int, size: int) -> int:
    """Return the number of consecutive identifiers of properties."""
    from msmq_wire.values.properties.values import type_of  # noqa: PLC0415  # as for property values

    number = 0
    while (
        number < MAX_PROPERTIES
        and at + size <= len(data)
        and type_of(int.from_bytes(data[at : at + size], "little")) is not None
    ):
        number, at = number + 1, at + size
    return number


def _of_list(
    structure: Structure, begin: int, field: Field, number: FieldSpan, data: bytes, limits: Limits
) -> Iterator[_Other]:
    """Yield other numbers of elements, and the size up to the last element."""
    kind = field.kind_as(Items)
    at = begin + structure.offset_of(field.name)
    offsets, extent = [at], structure.extent
    with suppress(*UNREADABLE):
        while len(offsets) <= (len(data) - at) // max(kind.structure.least_size, 1):
            offsets.append(DECODERS[kind.structure.name](data, offsets[-1], len(data), limits, begin)[1])
    path = kind.count.number
    stop, spare = len(data), 1
    if extent is not None:
        size = begin + structure.offset_of(extent.path)
        stop, spare = begin + int.from_bytes(data[size : size + 4], "little"), _PADDED
        if number.value < len(offsets):
            yield _Other(extent.path, offsets[number.value] - begin, field)
    for elements, end in enumerate(offsets):
        if stop - spare < end <= stop:
            yield _Other(path, elements, field)


def about_record(
    error: DecodeError,
    name: str,
    data: bytes,
    limits: Limits,
    is_whole: Callable[[bytes], bool] | None = None,
) -> DecodeError:
    """Return the error about the wrong number of a structure other than a message; the given one if unknown.

    Args:
        error: The error of a decoder that relied on the number.
        name: The structure.
        data: Its bytes.
        limits: Bounds for decoding.
        is_whole: Whether other bytes can be decoded completely; by default, whether the structure fills them.
    """
    structure = structures()[name]

    def fills(changed: bytes) -> bool:
        try:
            return bool(DECODERS[name](changed, 0, len(changed), limits)[1] == len(changed))
        except UNREADABLE:
            return False

    whole = is_whole or fills
    if structure.extent is not None and structure.extent.path == PACKET_SIZE:
        return about_packet_size(error, data, structure, whole) or error
    if is_whole is None and _takes_any_rest(structure):
        return error
    if _has_changes(structure) or error.limit.startswith("Limits."):
        return error
    reader = diagnostic_reader(data, limits, shown=_SHOWN)
    with suppress(DecodeError):
        reader.read(structure, 0, len(data))
    number = renumbered(data, instances_in(reader.spans, most=_TRIED), whole, limits)
    return better(error, number, data)


def better(error: DecodeError, other: DecodeError | None, data: bytes) -> DecodeError:
    """Return the error about a wrong number, or the given error.

    Bytes that end too early may also be truncated.  Then the number is only the source of the given error,
    unless what it describes shows that it is wrong.

    Args:
        error: The error of a decoder.
        other: The error about the number; None if there is none.
        data: The bytes.
    """
    if other is None or other.path == error.path:
        return error
    if error.code is Problem.IDENTIFIER and error.actual in _PRIVATE and other.path.endswith(_NAMED_BY):
        return error
    if error.code in _MAY_BE_CUT and error.limit == "buffer" and not _is_refuted(other, data):
        return elsewhere(error, source_path=other.path, source_offset=other.offset)
    return other


def _is_refuted(error: DecodeError, data: bytes) -> bool:
    """Return whether a number counts identifiers of no property, or bytes of no text, or leads to none."""
    structure, name, stated = structures()[error.structure], error.path.rpartition(".")[2], error.actual
    if name not in structure.by_name or not isinstance(stated, int):
        return False  # it is a flag
    begin = error.offset - structure.offset_of(name)
    for field in structure.fields:
        if isinstance(field.kind, Numbers) and field.kind.count.number == name:
            unit, at = field.kind.unit, error.offset + structure.by_name[name].least_size
            return _identifiers(data, at, unit) < stated <= (len(data) - at) // unit
        if isinstance(field.kind, Text) and (count := count_of(field.kind)) and count.number == name:
            at = begin + structure.offset_of(field.name)
            stop = find_terminator(data, at, len(data))
            return stop >= 0 and stop + 2 - at != stated * 2 // count.per_unit
        if field.offset_in and field.offset_in[0] == name:
            at = begin + structure.offset_of(field.offset_in[1]) + 2 * stated
            stop = find_terminator(data, at, len(data))
            return stop >= 0 and not from_wchars(data[at:stop]).isprintable()
    return False


def _takes_any_rest(structure: Structure) -> bool:
    """Return whether a structure, or a part of it, has all bytes up to the end of the input."""
    if structure.extent is not None:
        return False
    return any(
        getattr(field.kind, "count", None) == EOF or any(_takes_any_rest(part) for part in field.structures)
        for field in structure.fields
    )


def _has_changes(structure: Structure) -> bool:
    """Return whether a structure has a list of changes of a directory, whose module tries their numbers."""
    elements = [field.element for field in structure.fields if field.element is not None]
    return any(field.identifiers for element in elements for field in element.fields)


def about_packet_size(
    error: DecodeError, data: bytes, structure: Structure, is_whole: Callable[[bytes], bool]
) -> DecodeError | None:
    """Return the error about a PacketSize that is too small; None if another number may be wrong.

    Bytes that follow the packet belong to it if it can be decoded with them, or if the size has no room for
    the headers that every packet of this type has.  If none follow, a header may be missing.

    Args:
        error: The error of a decoder that stopped at the size.
        data: The packet, and any bytes after it.
        structure: Its layout.
        is_whole: Whether other bytes can be decoded completely.
    """
    if error.limit != PACKET_SIZE or len(data) < BASE_SIZE:
        return None
    stated, flags = unpack_base(data)[3], data[FLAGS_AT]
    sizes = dict.fromkeys((len(data), 2 * len(data) - ends(len(data), flags)[-1]))
    least = structure.least_size
    if len(data) in ends(stated, flags):
        return None
    right = [
        size
        for size in (() if begins_packet(data, stated) else sizes)
        if is_whole(data[:PACKET_SIZE_AT] + size.to_bytes(4, "little") + data[PACKET_SIZE_AT + 4 :])
    ]
    if not right and stated >= least:
        return None
    expected = right[0] if right else f"at least {least}"
    wanted = f"a size of {in_bytes(right[0])}" if right else ""
    problem = (
        say(Problem.VALUE, wanted, stated) if right else say(Problem.SIZE_BELOW, in_bytes(least), stated)
    )
    path = f"{structure.name}.{PACKET_SIZE}"
    return DecodeError(
        problem,
        structure="BaseHeader",
        path=path,
        offset=PACKET_SIZE_AT,
        expected=expected,
        actual=stated,
        source_path=path,
        source_offset=PACKET_SIZE_AT,
    )


def about_body(
    data: bytes, spans: Mapping[str, FieldSpan], is_whole: Callable[[bytes], bool]
) -> DecodeError | None:
    """Return the error about the size of the body or of the extension of a message; None if neither is wrong.

    The header behind the body begins with a constant, or the packet ends there.  AllocationBodySize, which
    repeats the size of a plain body, shows which of the two sizes is wrong.

    Args:
        data: The message, up to its end.
        spans: Its fields that can be read, by path.
        is_whole: Whether other bytes can be decoded completely.
    """
    sizes = [
        spans.get(f"{_PROPERTIES}.{name}") for name in (*_BODY_SIZES, "AllocationBodySize", "LabelLength")
    ]
    if None in sizes:
        return None
    extension, body, allocated, label = (span for span in sizes if span is not None)
    begin = spans[_PROPERTIES].offset + structures()["MessagePropertiesHeader"].least_size
    span, other = (body, extension) if allocated.value != body.value else (extension, body)
    for end in _ends_of_body(data, begin):
        is_last = end == len(data)
        most = end - begin - 2 * label.value - other.value
        value = allocated.value if span is body else most
        if (
            value < 0
            or value == span.value
            or not most - _PADDED < value <= most
            or (is_last and span is extension)
        ):
            continue
        changed = value.to_bytes(span.size, "little")
        if is_whole(data[: span.offset] + changed + data[span.offset + span.size :]):
            return DecodeError(
                say(
                    Problem.VALUE, f"{value}" if span is body else f"{max(most - 3, 0)} to {most}", span.value
                ),
                structure="MessagePropertiesHeader",
                path=span.path,
                offset=span.offset,
                expected=value,
                actual=span.value,
                source_path=span.path,
                source_offset=span.offset,
            )
    return None


def _ends_of_body(data: bytes, begin: int) -> list[int]:
    """Return the offsets at which the body of a message may end: few, and that of all bytes."""
    offsets = {len(data)} if (len(data) - begin) % _PADDED == 0 else set()
    for mark, at in _BEHIND_BODY:
        stop = len(data)
        for _ in range(_ENDS):
            stop = data.rfind(mark, begin + at, stop)
            if stop < 0:
                break
            if (stop - at - begin) % _PADDED == 0:
                offsets.add(stop - at)
    return sorted(offsets)


def about_session_header(error: DecodeError, data: bytes) -> DecodeError | None:
    """Return the error about the flag that announces a SessionHeader; None if it is not about one.

    If the header is missing, the flag is named as the source.  If 16 bytes with a window and a zero
    `Reserved` follow a message without the flag, the flag is wrong.

    Args:
        error: The error of the decoder.
        data: The message, and any bytes after it.
    """
    if error.structure == _SESSION and not error.actual and error.path.startswith(f"UserMessage.{_SESSION}"):
        return elsewhere(error, source_path=_SHOWS_SESSION, source_offset=FLAGS_AT)
    header = data[error.offset :]
    if (
        error.code is not Problem.LEFT_OVER
        or error.path != "UserMessage"
        or len(header) != SESSION_HEADER_SIZE
        or ends(0, data[FLAGS_AT])[1:]
        or begins_packet(data, error.offset)
        or (session := SessionHeader.decode(header)).Reserved
        or not session.WindowSize
    ):
        return None
    expected = f"1 with {_SESSION}"
    return DecodeError(
        say(Problem.FLAG, expected, 0),
        structure="BaseHeader",
        path=_SHOWS_SESSION,
        offset=FLAGS_AT,
        expected=1,
        actual=0,
        source_path=_SHOWS_SESSION,
        source_offset=FLAGS_AT,
    )
