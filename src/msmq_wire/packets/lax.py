"""Lenient decoding of truncated and damaged bytes."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar, overload

from msmq_wire.definitions.relations import DEFAULTS
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.mqmq import BaseHeader
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.records.diagnostic_reader import DiagnosticReader
from msmq_wire.records.record import Record, decode_record, hold_size
from msmq_wire.records.registry import DECODERS
from msmq_wire.records.spans import leaves
from msmq_wire.records.steps import fixed_structure
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import DecodeError, MsmqWireError, deferred, kept, left_over, need
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits
from msmq_wire.values.properties.values import READERS, PropertyValue, as_far_as, read_one, whole_size
from msmq_wire.values.reject import Reject

from .packet import LEAST_INTERNAL, about_flag, acknowledgment, class_of, cut_header, kind_of
from .packet_starts import (
    BASE_SIZE,
    FLAGS_AT,
    INTERNAL,
    PACKET_SIZE,
    begins_packet,
    cut_off,
    ends,
    unpack_base,
)
from .partial import (
    Decoded,
    LaxResult,
    Reached,
    Source,
    TruncatedField,
    move_from,
    of_fixed,
    of_reader,
    of_structure,
    of_whole,
)
from .wrong_flags import unreliable

if TYPE_CHECKING:
    from msmq_wire.ndr.model import Structure as NdrStructure
    from msmq_wire.ndr.record import NdrRecord
    from msmq_wire.records.model import Structure
    from msmq_wire.records.steps import FixedStructure

    from .kinds import Packet

__all__ = ["LaxResult", "decode_lax", "decode_part", "forget_parts", "stops_of"]


_EXTENSION = "ExtensionHeader.HeaderSize"
_EXTENSION_SIZE = DEFAULTS[_EXTENSION]
_SESSION = "SessionHeader"
_ANY_INTERNAL = "ConnectionParameters"
"""An internal packet; all of them begin with the same two headers."""
_Kind = TypeVar("_Kind", bound="Record | NdrRecord | PropertyValue")


@overload
def decode_lax(
    data: bytes | bytearray | memoryview, kind: None = None, *, limits: Limits = DEFAULT_LIMITS
) -> LaxResult[Packet]: ...
@overload
def decode_lax(
    data: bytes | bytearray | memoryview,
    kind: type[_Kind],
    *,
    vt: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> LaxResult[_Kind]: ...
@overload
def decode_lax(
    data: bytes | bytearray | memoryview,
    kind: str,
    *,
    vt: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> LaxResult: ...
def decode_lax(
    data: bytes | bytearray | memoryview,
    kind: type[Any] | str | None = None,
    *,
    vt: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> LaxResult:
    """Decode as much of a packet as possible; the contents of the bytes never raise an error.

    Args:
        data: Bytes that begin with a packet.  Bytes after the packet are returned in `rest`.
        kind: The record class, or the name of the structure, to decode, or `PropertyValue`.  By
            default, the type of the packet is detected.
        vt: The variant type of a property value.
        limits: Bounds for the decoder; of a packet that exceeds `packet_size` only the BaseHeader is decoded.

    Returns:
        The packet, or the decodable part: the fields by path, the complete headers, the
        truncated field, the errors and the remaining bytes.

    Raises:
        MsmqWireError: `kind` is unknown, or `vt` is missing for a property value.
        WrongTypeError: `data` is not a buffer, or `limits` are no Limits.
    """
    raw = as_bytes(data)
    need("limits", limits, Limits, "Limits")
    if kind is PropertyValue or kind == PropertyValue.__name__:
        return _lax_value(raw, vt, limits)
    if vt is not None:
        raise MsmqWireError("vt is the type of a property value, but kind is not PropertyValue")
    if kind is not None:
        known: Any = class_of(kind)
        return (_lax_record if issubclass(known, Record) else _lax_call)(known.layout, raw, limits)
    try:
        name = kind_of(raw)
        structure = structures()[name]
        hold_size(structure, raw, limits)
    except DecodeError as error:
        return _only_opening(raw, error)
    result = _lax_structure(structure, raw, limits)
    packet: Any = result.packet
    if packet is None or packet.BaseHeader.Flags:
        return result
    return of_whole(acknowledgment(packet), result.rest, limits)


_KEPT_SIZE = 4096
"""The largest size in bytes of parts whose results are kept."""
_decode_kept = lru_cache(maxsize=1024)(decode_lax)


forget_parts = _decode_kept.cache_clear
"""Drop the results that `decode_part` keeps."""


def decode_part(data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> LaxResult[Packet]:
    """Return the result of `decode_lax`, which is kept for other tables until `forget_parts`."""
    if len(data) > _KEPT_SIZE or limits != DEFAULT_LIMITS:
        return decode_lax(data, limits=limits)
    return _decode_kept(data)


def _lax_record(structure: Structure, raw: bytes, limits: Limits) -> LaxResult:
    """Decode bytes that should begin with a given structure."""
    try:
        if structure.scoped:
            decode_record(structure, raw, limits)
        hold_size(structure, raw, limits)
    except DecodeError as error:
        return LaxResult(None, {}, kept(error), raw)
    return _lax_structure(structure, raw, limits)


def _lax_structure(structure: Structure, raw: bytes, limits: Limits) -> LaxResult:
    """Decode bytes that begin with a given structure and are not too large."""
    is_packet = structure.extent is not None and structure.extent.path == PACKET_SIZE
    if is_packet and len(raw) < BASE_SIZE:
        error = deferred(partial(cut_header, "BaseHeader", raw, 0, f"{structure.name}."))
        result = LaxResult(None, {}, error, raw, Source(raw, structure.name, limits))
        return result.with_decoded(of_structure("BaseHeader", raw, 0, (error,)))
    says = unpack_base(raw)[3] if is_packet else 0
    if says <= len(raw):
        record = None
        with suppress(Reject):
            record, pos = DECODERS[structure.name](raw, 0, len(raw), limits)
        if record is not None:
            misled = _misled(structure, record, raw, pos, limits)
            return of_whole(record, raw[pos:], limits) if misled is None else misled
    fixed = fixed_structure(structure)
    if fixed is not None and len(raw) < fixed.size <= says:
        error = deferred(partial(cut_off, says, len(raw), 0, structure.name))
        return _truncated(fixed, raw, error, Source(raw, structure.name, limits))
    stops = ends(says, raw[FLAGS_AT]) if is_packet else (says,)
    if says <= len(raw) < stops[-1] and structure.name == UserMessage.__name__:
        cut = _without_session_header(raw, says, limits)
        if cut is not None:
            return cut
    rides, reader = len(stops) > 1, _read(structure, raw, stops[-1], limits, rejected=True)
    whole, unsure = reader.whole, ""
    if not whole:
        reader.errors[0] = kept(about_flag(reader.errors[0], raw, limits))
        unsure, _ = unreliable(reader.errors[0])
    elif says <= len(raw) and reader.errors[0].structure == _SESSION:  # it may be missing, not truncated
        reader.errors[0] = deferred(partial(about_flag, reader.errors[0], raw, limits))
    headers = {name: header for name, header in reader.completed.items() if header is not None}
    source = Source(raw, structure.name, limits)
    result = LaxResult(None, headers, reader.errors[0], raw[reader.reached :], source)
    if reader.passed_over:
        return result  # the fields are read on demand
    lax = of_reader(reader, limits.lax_fields)
    if unsure:
        move_from(unsure, lax.fields, lax.doubtful)
    if whole and rides and len(raw) < says and lax.fields.get(_EXTENSION, _EXTENSION_SIZE) != _EXTENSION_SIZE:
        # If PacketSize is wrong, the trailing SessionHeader is taken for this header.
        move_from(_EXTENSION, lax.fields, lax.doubtful)
    return result.with_decoded(lax)


def stops_of(data: bytes) -> list[DecodeError]:
    """Return the errors at the places where decoding of a packet stops, whichever field is the reason."""
    try:
        structure = structures()[kind_of(data)]
        hold_size(structure, data, DEFAULT_LIMITS)
    except DecodeError as error:
        return [kept(error)]
    stop = ends(unpack_base(data)[3], data[FLAGS_AT])[-1]
    return _read(structure, data, stop, DEFAULT_LIMITS).errors


def _read(
    structure: Structure, raw: bytes, stop: int, limits: Limits, *, rejected: bool = False
) -> DiagnosticReader:
    """Read a structure that states where it stops as far as possible; `whole` says that only bytes lack."""
    reader = DiagnosticReader(raw, limits, lax=True, whole=len(raw) < stop, rejected=rejected, shown=0)
    reader.run(structure, 0, len(raw))
    if reader.whole and reader.is_broken:
        reader = DiagnosticReader(raw, limits, lax=True, rejected=rejected, shown=0)
        reader.run(structure, 0, len(raw))
    return reader


def _truncated(
    fixed: FixedStructure, raw: bytes, error: DecodeError, source: Source | None = None
) -> LaxResult:
    """The result for a truncated packet with fields at fixed offsets, and a PacketSize with room for them."""
    headers: dict[str, Any] = {}
    reached = 0
    for name, decode, begin, end in fixed.parts:
        if end <= len(raw):
            headers[name], reached = decode(raw, begin, end, DEFAULT_LIMITS)
    result = LaxResult(None, headers, error, raw[reached:], source)
    return result.with_decoded(of_fixed(fixed, raw, errors=(error,)))


def _without_session_header(raw: bytes, says: int, limits: Limits) -> LaxResult | None:
    """The result for a message whose SessionHeader, after PacketSize, is truncated; None if more is wrong."""
    name = UserMessage.__name__
    try:
        record, _ = DECODERS[name](raw, 0, says, limits, ends_here=True)
    except Reject:
        return None
    error = cut_header(_SESSION, raw, says, f"{name}.")  # the header may be missing, not truncated
    error = deferred(partial(about_flag, error, raw, limits))
    fields, left_out = leaves(record, limits.lax_fields)
    header = of_structure(_SESSION, raw, says)
    decoded = Decoded(fields | header.fields, {}, header.reached, header.cut, (error,), left_out)
    headers = of_whole(record, b"", limits).headers
    return LaxResult(None, headers, error, raw[says:], Source(raw, name, limits)).with_decoded(decoded)


def _misled(structure: Structure, record: Any, raw: bytes, pos: int, limits: Limits) -> LaxResult | None:
    """The result for a message packet whose flag or size made the decoder stop before the end; else None."""
    if pos == len(raw) or begins_packet(raw, pos):
        return None
    error = kept(about_flag(left_over(structure.name, pos, len(raw)), raw, limits))
    reached = Reached(*unreliable(error))
    if not reached.path:
        return None
    fields, left_out = leaves(record, limits.lax_fields)
    doubtful: dict[str, Any] = {}
    move_from(reached.path, fields, doubtful)
    headers = of_whole(record, b"", limits).headers
    result = LaxResult(None, headers, error, raw[pos:], Source(raw, structure.name, limits))
    return result.with_decoded(Decoded(fields, doubtful, reached, None, (error,), left_out))


def _lax_call(structure: NdrStructure, raw: bytes, limits: Limits) -> LaxResult:
    """Decode bytes that begin with a structure of remote calls, or its fields before an error."""
    from msmq_wire.ndr.record import hold_stream  # noqa: PLC0415  # packets do not need it
    from msmq_wire.ndr.transfer import Reader  # noqa: PLC0415  # as above

    name, by_path = structure.name, dict[str, Any]()
    reader = Reader(raw, 0, limits, ms_union=False, fields=by_path)
    record, error, reached = None, None, None
    try:
        hold_stream(len(raw), limits, name)
        record = reader.read(name)
    except DecodeError as caught:
        error = kept(caught)
        reached = Reached(error.path.partition(".")[2], error.offset)
    fields = {path.partition(".")[2]: value for path, value in by_path.items()}
    result = Decoded(fields, {}, reached, None, () if error is None else (error,), reader.left_out)
    source = None if record is not None else Source(raw, name, limits)
    return LaxResult(record, {}, error, raw[reader.read_to :], source).with_decoded(result)


def _lax_value(raw: bytes, vt: int | None, limits: Limits) -> LaxResult:
    """Decode a property value."""
    if vt is None:
        raise MsmqWireError("a property value does not contain its type: vt is missing")
    need("vt", vt, int, "the number of a variant type")
    name = PropertyValue.__name__
    try:
        limits.hold("packet_size", len(raw), structure=name, path=name, offset=0)
        value, pos = read_one(int(vt), raw, 0, len(raw), name, name, "buffer", limits)
    except DecodeError as caught:
        error = kept(caught)
    else:
        result = Decoded({"value": value}, {}, None, None, ())
        return LaxResult(value, {}, None, raw[pos:]).with_decoded(result)
    cut = None
    if raw and vt in READERS and not error.limit.startswith("Limits."):
        cut = TruncatedField("value", 0, len(raw), whole_size(int(vt), raw), as_far_as(int(vt), raw))
    return LaxResult(None, {}, error, raw).with_decoded(Decoded({}, {}, Reached("value", 0), cut, (error,)))


def _only_opening(raw: bytes, error: DecodeError) -> LaxResult:
    """Decode only the first headers, because the type is unknown or the packet is too large."""
    error = kept(error)
    if not begins_packet(raw, 0):  # not a packet, so the fields of a BaseHeader may be meaningless
        base = of_structure("BaseHeader", raw, 0)
        lax = Decoded({}, base.fields, Reached(error.path, error.offset), base.cut, (error,))
        return LaxResult(None, {}, error, raw).with_decoded(lax)
    if len(raw) < BASE_SIZE:
        return LaxResult(None, {}, error, raw).with_decoded(of_structure("BaseHeader", raw, 0, (error,)))
    if raw[FLAGS_AT] & INTERNAL and len(raw) < min(unpack_base(raw)[3], LEAST_INTERNAL):
        fixed = fixed_structure(structures()[_ANY_INTERNAL])
        assert fixed is not None  # noqa: S101  # as all of the headers in it
        return _truncated(fixed, raw, error)
    fields, doubtful, cut = of_structure("BaseHeader", raw, 0).fields, {}, None
    if error.limit == "Limits.packet_size":
        reached = Reached("", BASE_SIZE)
    else:  # the type, the flag that announces the header, or a PacketSize without room for it is wrong
        second = of_structure("InternalHeader", raw, BASE_SIZE)
        reached, cut = second.reached or Reached("", LEAST_INTERNAL), second.cut
        doubtful = second.fields
    result = LaxResult(None, {"BaseHeader": BaseHeader.decode(raw[:BASE_SIZE])}, error, raw[BASE_SIZE:])
    return result.with_decoded(Decoded(fields, doubtful, reached, cut, (error,)))
