"""Layers for Scapy, backed by the codec; needs the extra ``scapy``.

1. There is a layer for each structure, with the name from its document.  `MSMQ` detects the type of a packet.
   The fields are those of the record; `record` returns the record itself.
2. An omitted field is computed when the layer is built: lengths, counts, and flags for optional headers.  All
   fields of a decoded layer are set; after ``del layer.PacketSize``, this field is computed again.
   A packet that cannot be decoded whole is a layer with the fields before the error, and `Raw` behind it.
3. TCP port 1801 and UDP port 3527 are bound ([MS-MQQB] 2.1).  `bind_by_signature` finds packets on any port.
   With ``TCPSession``, packets that span segments are reassembled.
4. Scapy is licensed under the GPL, version 2.  This package has another license, contains no code of Scapy,
   and imports it in no other module.  If you distribute both as one work, you must comply with the GPL.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from msmq_wire.values.extras import needed

try:
    from scapy.fields import Field
    from scapy.layers.inet import TCP, UDP
    from scapy.packet import Packet, Padding, Raw, bind_layers
    from scapy.packet import fuzz as fuzzed
    from scapy.volatile import RandBin, RandNum, VolatileValue
except ModuleNotFoundError as error:
    raise needed("scapy", error) from None

from msmq_wire.definitions.relations import EXTENTS, MARKS, REMAINDERS
from msmq_wire.documents import mqcn, mqdsrp, mqmq, mqqb, mqrr, user_message  # noqa: F401  # they register their records
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.packet import kind_of
from msmq_wire.packets.packet_starts import (
    BASE_SIZE,
    MARK_SIZE,
    ends,
    likelier_first,
    starts_packet,
    unpack_base,
)
from msmq_wire.packets.stream import Frame, PacketStream
from msmq_wire.records import model
from msmq_wire.records.record import Record, encode_record, record_class
from msmq_wire.values.buffers import no_record
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.hints import did_you_mean
from msmq_wire.values.numbers import MAX_PACKET_SIZE, PING_PORT, PORT

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LAYERS", "MSMQ", "Structure", "bind_by_signature", "layer_of"]


def __dir__() -> list[str]:
    return sorted(__all__)


class _Unset:
    """The default of a field: computed, zero, or empty.  It has no attributes, and accepts none."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "computed"

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"the field is not set, so it has no {name}; assign a whole value first")

    def copy(self) -> _Unset:
        return self

    def __deepcopy__(self, memo: Any) -> _Unset:
        return self


_UNSET = _Unset()


class _RandText(VolatileValue):
    """A short random text, with a terminator if the text of the record includes one."""

    def __init__(self, end: str) -> None:
        super().__init__()
        self.end = end

    def _fix(self) -> str:
        return bytes(RandBin(RandNum(0, 12))).hex() + self.end


class _RandMade(VolatileValue):
    """Random bytes of a fixed size, converted by a function."""

    def __init__(self, make: Any, size: int) -> None:
        super().__init__()
        self.make, self.size = make, size

    def _fix(self) -> Any:
        return self.make(bytes(RandBin(self.size)))


class _Value(Field):
    """A field of a record; the complete record is decoded and encoded at once."""

    __slots__ = ("holds_packets", "islist", "kind", "path")

    def __init__(self, owner: str, field: model.Field, *, derived: bool) -> None:
        kind = field.kind
        open_part = field.part and not field.present
        is_omitted = not open_part and (derived or field.structures or kind.is_list)
        # Scapy fuzzes only fields with a default.
        super().__init__(field.name, None if is_omitted or field.present else _UNSET, "B")
        self.path = f"{owner}.{field.name}"
        self.kind = kind
        self.holds_packets = bool(field.structures)
        self.islist = int(field.element is not None)

    def any2i(self, pkt: Any, x: Any) -> Any:
        del pkt
        return x

    i2h = h2i = any2i

    def i2repr(self, pkt: Any, x: Any) -> str:
        del pkt
        return repr(x) if isinstance(x, (str, bytes, tuple)) else str(x)

    def randval(self) -> Any:
        """Return a random value that the field can hold."""
        match self.kind:
            case model.Integer() as kind:
                return RandNum(*kind.bounds)
            case model.Text() as kind:
                return _RandText("" if kind.count == model.NUL else "\0")
            case model.Bytes(count=model.Count()):
                return RandBin(RandNum(0, 24))
            case model.Nested() as kind:
                return fuzzed(LAYERS[kind.structure.name]())
            case kind if kind.code and not kind.is_number:
                return _RandMade(kind.value_class or bytes, kind.least_size)
        return None


@cache
def _field_type(kind: type[model.Kind]) -> type[_Value]:
    """Return the class of the fields of a kind, whose name is what Scapy's `ls` shows."""
    return type(f"{kind.__name__}Field", (_Value,), {"__slots__": ()})


class Structure(Packet):
    """The base class of all layers; each layer is one structure of a document.

    Attributes:
        layout: The layout of the structure.
    """

    layout: ClassVar[model.Structure]
    fields_desc: ClassVar[list[Any]] = []

    def getfield_and_val(self, attr: str) -> Any:
        """Return a field and its value; a required part that is not set becomes a layer of this packet."""
        result = super().getfield_and_val(attr)
        if result is not None and result[1] is _UNSET and isinstance(result[0], _Value):
            kind = result[0].kind
            if isinstance(kind, model.Nested):
                self.fields[attr] = LAYERS[kind.structure.name]()
                return result[0], self.fields[attr]
        return result

    def __setattr__(self, attr: str, val: Any) -> None:
        """Set a field of this layer or of its payload.

        Raises:
            AttributeError: There is no such field.
        """
        if attr in self.__all_slots__:
            object.__setattr__(self, attr, val)
            return
        try:
            self.setfieldval(attr, val)
        except AttributeError:
            hint = did_you_mean(attr, self.layout.by_name) or self.layout.owner_of(attr)
            raise AttributeError(f"{self.name} has no field {attr}{hint}") from None

    @property
    def record(self) -> Record:
        """The record with the values of the fields.

        Raises:
            EncodeError: A value does not fit its field.
        """
        record: Record = record_class(self.layout.name)(**self._given(_plain))
        return record

    def _given(self, convert: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the values of the fields that are set, converted."""
        given = {}
        for field in self.layout.fields:
            value = self.getfieldval(field.name)
            if not isinstance(value, _Unset) and (value is not None or field.name in self.fields):
                given[field.name] = convert(value)
        return given

    def self_build(self) -> bytes:
        """Encode the record; an incomplete packet that was not changed keeps its bytes."""
        if self.raw_packet_cache is not None and self._given(_snapshot) == self.raw_packet_cache_fields:
            return bytes(self.raw_packet_cache)
        return encode_record(self.record)

    def do_dissect(self, s: bytes) -> bytes:
        """Decode the structure, and return the bytes after it, or those from an error on.

        Raises:
            DecodeError: The bytes cannot be decoded as this structure, and are not a packet.
        """
        if "BaseHeader" not in self.layout.by_name:
            return self._dissect_whole(s, self.layout.fixed_size or len(s))
        try:
            return self._dissect_whole(s, _first_size(s))
        except DecodeError:
            return self._dissect_part(s)

    def _dissect_whole(self, data: bytes, size: int) -> bytes:
        self._fill(record_class(self.layout.name).decode(data[:size]))
        return data[size:]

    def _dissect_part(self, data: bytes) -> bytes:
        """Set the fields before the error, and return the bytes from there on."""
        result = decode_lax(data)
        end = len(data) if result.reached is None else result.reached.offset
        for path, value in {**result.fields, **result.doubtful}.items():
            _set(self, path.split("."), value)
        self.explicit = 1
        self.raw_packet_cache, self.raw_packet_cache_fields = data[:end], self._given(_snapshot)
        return data[end:]

    def _fill(self, record: Any) -> None:
        for field in self.layout.fields:
            self.fields[field.name] = _layer(getattr(record, field.name))
        self.explicit = 1

    def guess_payload_class(self, payload: bytes) -> Any:
        """Return the class for the bytes after a packet: another packet may follow in the same segment."""
        return MSMQ if len(payload) >= BASE_SIZE and starts_packet(payload, 0) else Raw

    @classmethod
    def tcp_reassemble(cls, data: bytes, metadata: Any, session: Any) -> Any:
        """Return the complete packets at the beginning, and the rest as `Padding`; for Scapy's TCPSession.

        Without a complete packet it returns None, and waits for more; at the end of the connection, and for
        bytes that are not a packet, it returns the available bytes.
        """
        del session
        end = 0
        while (next_end := _end_of(data, end)) is not None and next_end <= len(data):
            end = next_end
        if metadata.get("tcp_end") and data:
            return MSMQ(data) if starts_packet(data, 0) else Raw(data)
        if end:
            return MSMQ(data[:end]) / Padding(data[end:]) if end < len(data) else MSMQ(data)
        return Raw(data) if next_end is None and len(data) >= BASE_SIZE else None


def _end_of(data: bytes, start: int) -> int | None:
    """Return the end of a packet whose BaseHeader is complete; None if there is none."""
    if len(data) - start < BASE_SIZE or not starts_packet(data, start):
        return None
    _, flags, _, size = unpack_base(data, start)
    if not BASE_SIZE <= size <= MAX_PACKET_SIZE:
        return None
    stops = ends(start + size, flags)
    return stops[-1] if len(data) < stops[-1] else likelier_first(data, stops)[0]


def _first_size(data: bytes) -> int:
    """Return the size of the first packet in some bytes."""
    frame = next(PacketStream().frames(data, final=True), None)
    return len(frame.data) if isinstance(frame, Frame) else len(data)


def _set(layer: Structure, path: list[str], value: Any) -> None:
    """Set the field at a path within a layer; parts and elements on the way become layers."""
    name, _, index = path[0].partition("[")
    if len(path) == 1 and not index:
        layer.fields[name] = value
        return
    field = layer.layout.by_name[name]
    if index:
        elements = layer.fields.setdefault(name, [])
        if len(path) == 1:
            elements.append(value)
            return
        if len(elements) == int(index[:-1]):
            elements.append(LAYERS[field.structures[0].name]())
        part = elements[-1]
    else:
        part = layer.fields.get(name)
        if part is None:
            part = layer.fields[name] = _part_with(field, path[1].partition("[")[0])
    _set(part, path[1:], value)


def _part_with(field: model.Field, name: str) -> Structure:
    """Create the layer of a part that has a field."""
    return next(LAYERS[form.name]() for form in field.structures if name in form.by_name)


def _snapshot(value: Any) -> Any:
    """Return a snapshot of the value of a field, to detect every later change."""
    if isinstance(value, Structure):
        return value._given(_snapshot)  # noqa: SLF001  # our own class
    return list(map(_snapshot, value)) if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    """Convert the value of a layer to the value of a record."""
    if isinstance(value, VolatileValue):
        return _plain(value._fix())  # noqa: SLF001  # as Scapy does
    if isinstance(value, Structure):
        return value.record
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def _layer(value: Any) -> Any:
    """Convert the value of a record to the value of a layer."""
    if isinstance(value, Record):
        return layer_of(value)
    if isinstance(value, tuple) and value and isinstance(value[0], Record):
        return [layer_of(item) for item in value]
    return value


def layer_of(record: Record) -> Structure:
    """Create the layer of a record, with every field set.

    Raises:
        TypeError: The argument is not a record.
    """
    if not isinstance(record, Record):
        raise no_record(record)
    layer: Structure = LAYERS[record.layout.name]()
    layer._fill(record)  # noqa: SLF001  # our own class
    return layer


def _derived(structure: model.Structure) -> set[str]:
    """Return the fields that depend on others, or identify a packet: they are computed and not fuzzed."""
    derived = {
        path.partition(".")[2] for path in (*MARKS, *REMAINDERS) if path.startswith(f"{structure.name}.")
    }
    if structure.name in EXTENTS:
        derived.add(EXTENTS[structure.name][0])
    for other in structures().values():
        for field in other.fields:
            numbers = [*field.numbers, *(field.offset_in or ())[:1]]
            derived |= {name for path in numbers for name in path.split(".")}
    return (derived | {"PacketSize", "Padding"}) & set(structure.by_name)


def _define(structure: model.Structure) -> type[Structure]:
    derived = _derived(structure)
    fields = [
        _field_type(type(field.kind))(structure.name, field, derived=field.name in derived)
        for field in structure.fields
    ]
    members = {
        "__doc__": structure.doc,
        "__module__": __name__,  # where `pickle` looks for it
        "fields_desc": fields,
        "layout": structure,
        "name": structure.name,
    }
    return type(structure.name, (Structure,), members)


LAYERS: dict[str, type[Structure]] = {}
"""The layer of each structure by its name."""
for _structure in structures().values():
    LAYERS[_structure.name] = _define(_structure)


class MSMQ(Structure):
    """A packet of any type; without bytes, a UserMessage."""

    name = "MSMQ"

    @classmethod
    def dispatch_hook(cls, _pkt: bytes | None = None, *_: Any, **__: Any) -> Any:
        """Return the layer for the first packet of some bytes; ``Raw`` if none begins there."""
        if not _pkt:
            return LAYERS["UserMessage"]
        frame = next(PacketStream().frames(_pkt, final=True), None)
        if isinstance(frame, Frame):
            return LAYERS[frame.packet.layout.name]
        if len(_pkt) < MARK_SIZE or not starts_packet(_pkt, 0):
            return Raw
        try:
            return LAYERS[kind_of(_pkt)]
        except DecodeError:
            return LAYERS["BaseHeader"] if len(_pkt) >= BASE_SIZE else Raw


def bind_by_signature() -> None:
    """Make Scapy decode TCP payloads that begin like a packet, on any port."""
    inherited = TCP.guess_payload_class

    def guess(self: Any, payload: bytes) -> Any:
        return MSMQ if len(payload) >= BASE_SIZE and starts_packet(payload, 0) else inherited(self, payload)

    if getattr(inherited, "__module__", "") != __name__:
        TCP.guess_payload_class = guess


bind_layers(TCP, MSMQ, dport=PORT)
bind_layers(TCP, MSMQ, sport=PORT)
bind_layers(UDP, LAYERS["PingPacket"], dport=PING_PORT)
bind_layers(UDP, LAYERS["PingPacket"], sport=PING_PORT)


def __getattr__(name: str) -> Any:
    """Return the layer of a structure."""
    if name in LAYERS:
        return LAYERS[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
