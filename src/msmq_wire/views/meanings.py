"""Meanings of values as text, from the documentation of the field and from other fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.documents.directory_properties import body_value
from msmq_wire.documents.propid import by_number, vartype_name
from msmq_wire.names.format_names import DirectName, DistributionListName, PrivateName, PublicName
from msmq_wire.records.model import NUL, Flags, Guid, Integer, Numbers, Text, Values
from msmq_wire.values.body_types import BODY_TYPES
from msmq_wire.values.errors import EncodeError, plural
from msmq_wire.values.guid import GUID
from msmq_wire.values.numbers import FOREVER
from msmq_wire.values.properties.values import PackedVector
from msmq_wire.values.sid import sid_text
from msmq_wire.values.wchar import from_wchars, wchar_count

from . import texts
from .known_values import EXPECTED, HEXADECIMAL, NAMES, OPTIONAL, UNITS, VALUES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from msmq_wire.records.model import Field, Group, Structure
    from msmq_wire.records.spans import FieldSpan


def _clause(doc: str) -> str:
    return doc.partition(";")[0]


def group(structure: Structure, field: str, bits: Group, value: int) -> str:
    """Return the meaning of a group of bits; empty if no bit is set and zero has no meaning."""
    path = f"{structure.name}.{field}.{bits.name}"
    names = VALUES.get(path, {})
    if path in EXPECTED:
        return "" if value == EXPECTED[path] else f"should be {EXPECTED[path]:#x}"
    if value in names and (value or path not in OPTIONAL):
        return names[value]
    if not value:
        return ""
    return _clause(bits.doc) if not names or path in OPTIONAL else "not a documented value"


class View(NamedTuple):
    """All fields found in some bytes, so that the description of one field can depend on others.

    Attributes:
        data: The bytes.
        pieces: The fields, by path.
    """

    data: bytes
    pieces: Mapping[str, FieldSpan]

    def value(self, path: str) -> Any:
        """Return the value at a path, or None."""
        piece = self.pieces.get(path)
        return piece.value if piece else None

    def describe(self, piece: FieldSpan) -> tuple[str, str]:
        """Return the value and the meaning of a field, as texts."""
        field = piece.field
        if field is None:
            return self._property(piece)
        match field.kind:
            case Integer() as kind:
                return self._number(piece, field, kind)
            case Flags() as kind:
                return f"{int(piece.value):#0{2 + 2 * kind.size}x}", ""
            case Guid():
                return str(piece.value), self._guid(piece, field)
            case Text() as kind:
                return _text(piece.value, kind)
            case Numbers():
                more = " .." if len(piece.value) > texts.BYTES_SHOWN else ""
                return " ".join(
                    map(str, piece.value[: texts.BYTES_SHOWN])
                ) + more, f"{len(piece.value)} numbers"
        if field.kind.value_class:
            return str(piece.value), _clause(field.doc)
        return self._bytes(piece, field)

    def _property(self, piece: FieldSpan) -> tuple[str, str]:
        """Return a property value, and the name of its property."""
        path, _, index = piece.path.removesuffix("]").rpartition("[")
        parent, _, field = path.rpartition(".")
        kind = piece.structure.by_name[field].kind_as(Values)
        identifiers = self.value(f"{parent}.{kind.identifiers}")
        definition = by_number(identifiers[int(index)])
        name = f"{definition.name if definition else identifiers[int(index)]}, {vartype_name(piece.value.vt)}"
        if isinstance(piece.value, PackedVector):
            return _elements(piece.value.count), name
        value = piece.value.value
        if isinstance(value, str):
            return texts.quote(value), name
        if isinstance(value, bytes):
            return texts.preview(value), name
        if isinstance(value, tuple):
            return _elements(len(value)), name
        return "nothing" if value is None else str(value), name

    def _number(self, piece: FieldSpan, field: Field, kind: Integer) -> tuple[str, str]:
        name, value = f"{piece.structure.name}.{field.name}", piece.value
        wide = f"{value:#0{2 + 2 * kind.size}x}"
        shown = wide if kind.enumeration or name in HEXADECIMAL else str(value)
        if field.is_filler:
            return shown, ""
        if name in EXPECTED:
            wanted = f"{EXPECTED[name]:#x}" if name in HEXADECIMAL else EXPECTED[name]
            return shown, "as documented" if value == EXPECTED[name] else f"should be {wanted}"
        if value in VALUES.get(name, {}):
            return shown, VALUES[name][value]
        if kind.enumeration:
            return shown, NAMES[kind.enumeration].get(value, f"not in {kind.enumeration}")
        if name in VALUES and name not in OPTIONAL:
            return shown, "not a documented value"
        if name in UNITS:
            return shown, self._time(piece.path, value, UNITS[name])
        if name == "MessagePropertiesHeader.BodyType":
            type_name = vartype_name(value)
            sent = BODY_TYPES.get(value, type_name).removeprefix(f"{value}, ")
            return shown, sent if type_name.startswith("0x") else type_name
        if name == "SessionHeader.RecoverableMsgAckFlags":
            first = self.value(piece.path.replace("AckFlags", "AckSeqNumber"))
            numbers = texts.sequence_numbers(first or 0, value)
            return shown, f"on disk: {numbers}" if numbers else "none"
        return shown, _clause(field.doc)

    def _time(self, path: str, value: int, unit: str) -> str:
        if "date" in unit:
            return texts.date(value, "UTC" if unit == "date" else "local time")
        # In a remote read the time to reach the queue has become the time at which it ends.
        if path.startswith("MessagePacket.") and path.endswith("TimeToReachQueue") and value != FOREVER:
            return f"until {texts.date(value)}"
        return texts.duration(value, unit)

    def _guid(self, piece: FieldSpan, field: Field) -> str:
        if not piece.value:
            return "null"
        parent = piece.path.rpartition(".")[0]
        if piece.path.startswith("MessagePacket.") and field.name == "QueueManagerAddress":
            kind, raw = int.from_bytes(piece.value.bytes_le[2:4], "little"), piece.value.bytes_le[8:]
            flags = self.value(f"{parent}.Flags")
            if flags is not None and flags.DQ == 7:
                return f"sent by {texts.address(kind, raw) or 'a host of unknown address'}"
            return "host that sent it"
        return _clause(field.doc)

    def _bytes(self, piece: FieldSpan, field: Field) -> tuple[str, str]:
        name, value = field.name, piece.value
        parent = piece.path.rpartition(".")[0]
        shown = texts.preview(value)
        if field.is_filler or not any(value):
            return shown, ""
        meaning = None
        if name == "SecurityID":
            meaning = sid_text(value) or (str(GUID(value)) if len(value) == 16 else None)
        elif name == "Address":
            meaning = texts.address(self.value(f"{parent}.AddressType"), value)
        elif name == "CorrelationID" and self.value(f"{parent}.MessageClass"):
            meaning = f"message {GUID(value[:16])}\\{int.from_bytes(value[16:], 'little')}"
        elif name == "MessageBody" and not self._encrypted():
            meant = body_value(self.value(f"{parent}.BodyType") or 0, value)
            if isinstance(meant, str) and shown == texts.size(len(value)):
                shown = f"{shown}, {texts.quote(meant)}"
            elif not isinstance(meant, (str, bytes, tuple)):
                meaning = str(meant)
        elif name.endswith("SubqueueName"):
            return texts.quote(from_wchars(value).partition("\0")[0]), ""
        return shown, meaning or ""

    def _encrypted(self) -> bool:
        flags = self.value("UserMessage.SecurityHeader.Flags")
        return flags is not None and bool(flags.EB)

    # -- names of queues

    def queue(self, piece: FieldSpan) -> str:
        """Return the format name that a structure holds, or an empty text."""
        path = piece.path
        match piece.structure.name:
            case "MQFFormatNameElement":
                inner = self.pieces.get(f"{path}.FormatName")
                return self.queue(inner) if inner else ""
            case "DirectQueueFormatName" | "MQFDirectQueueFormatName":
                return _direct(self.value(f"{path}.DirectFormatName"))
            case "PublicQueueFormatName":
                guid = self.value(f"{path}.PublicQueueIdentifier")
                return str(PublicName(guid)) if guid is not None else ""
            case "MQFDistributionQueueFormatName":
                guid = self.value(f"{path}.DistributionListIdentifier")
                return str(DistributionListName(guid)) if guid is not None else ""
            case "PrivateQueueFormatName" | "PrivateQueueFormatNameId":
                host = self.value(f"{path}.SourceQueueManager") or self._host(path)
                number = self.value(f"{path}.PrivateQueueIdentifier")
                if number is None:
                    return ""
                return str(PrivateName(host, number)) if host else f"PRIVATE=?\\{number:08X}"
        return ""

    def _host(self, path: str) -> GUID | None:
        """Return the computer of a private queue whose name has only a number ([MS-MQMQ] 2.2.19.2)."""
        header, _, field = path.rpartition(".")
        flags = self.value(f"{header}.Flags")
        form = {"DestinationQueue": "DQ", "AdminQueue": "AQ", "ResponseQueue": "RQ"}.get(field)
        if flags is None or form is None:
            return None
        where = getattr(flags, form)
        if where == 4:
            admin = f"{header}.AdminQueue"
            return self.value(f"{admin}.SourceQueueManager") or self._host(admin)
        source = {2: "SourceQueueManager", 3: "QueueManagerAddress"}.get(where)
        return self.value(f"{header}.{source}") or None


def _text(value: str, kind: Text) -> tuple[str, str]:
    whole = value.removesuffix("\0") if kind.count != NUL else value
    units = wchar_count(value)
    count = f"{units:,} WCHARs" if units * 2 > texts.BYTES_SHOWN else ""
    lacking = "no terminator" if kind.count != NUL and whole == value else ""
    return texts.quote(whole), ", ".join(part for part in (count, lacking) if part)


def _direct(text: str | None) -> str:
    if text is None:
        return ""
    name = text.removesuffix("\0")
    shown = "DIRECT=" + texts.quote(name)[1:-1]
    if len(name) > texts.CHARACTERS_SHOWN:
        return shown
    try:
        DirectName.from_wire_text(name)
    except EncodeError:
        return f"{shown} (not a format name)"
    return shown


def _elements(count: int) -> str:
    return f"{count} {plural(count, 'element')}"
