"""Hypothesis strategies that are derived from the layouts: whole records, and bytes that almost are some.

1. `records` builds through the record classes: every optional part on or off, every form of a choice, any
   number, text with lone surrogates, property values of every type, any reserved bit and any padding byte.
2. `packets` is the same for what `msmq_wire.decode` takes, `messages` for what `mqdsrp.decode` takes and
   `notifications` for what `mqcn.decode` takes.
3. `near_valid` takes the bytes of such a record and damages them.

Not every variant type has a published property identifier, so a private one is registered for each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from msmq_wire import GUID, Record, mqcn, mqdsrp
from msmq_wire._layout import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Field,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Sequence,
    Structure,
    Text,
    Values,
    structures,
)
from msmq_wire._propid_table import PROPERTIES
from msmq_wire.notification import notification_text
from msmq_wire.property_values import READERS, PropertyValue, register_type, type_of
from msmq_wire.propid import VARTYPE
from msmq_wire.sequence_number import SEQUENCE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "ALONE",
    "DIRECTORY_ALONE",
    "DIRECTORY_DOCUMENTS",
    "DIRECTORY_NAMES",
    "DOCUMENTS",
    "NAMES",
    "PACKET_NAMES",
    "damaged",
    "messages",
    "near_valid",
    "notifications",
    "packets",
    "property_values",
    "records",
]

DOCUMENTS = ("MS-MQMQ", "MS-MQQB", "MS-MQRR")
"""The documents of messages between queue managers."""
DIRECTORY_DOCUMENTS = ("MC-MQDSRP", "MS-MQCN")
"""The documents of the directory protocols, whose structures are loaded when their modules are."""
NAMES = tuple(name for name, structure in structures().items() if structure.document in DOCUMENTS)
"""Every structure of these documents."""
ALONE = tuple(name for name in NAMES if not structures()[name].scoped)
"""Every structure that can be read by itself."""
DIRECTORY_NAMES = tuple(
    name for name, structure in structures().items() if structure.document in DIRECTORY_DOCUMENTS
)
"""Every structure of the directory protocols."""
DIRECTORY_ALONE = tuple(name for name in DIRECTORY_NAMES if not structures()[name].scoped)
"""Every structure of these that can be read by itself."""
PACKET_NAMES = ("UserMessage", "OrderAck", "FinalAck", "SessionAck", "EstablishConnection",
                "ConnectionParameters")  # fmt: skip
"""Every structure that `msmq_wire.decode` returns."""

_PLAIN = "aZ\\é\u0100\u4e00\uffff\U0001f600"
_WILD = _PLAIN + "\ud83d\ude00\udfff"
_COUNT = re.compile(r"(\w+(?:\.\w+)?)(?: / (\d+))?")
_VALUE_IS = re.compile(r"(\w+) == (\d+)")

_PRIVATE = 0xFFF00000
_IDENTIFIERS: dict[int, list[int]] = {vt: [_PRIVATE + vt] for vt in READERS}
"""Property identifiers by their variant type: a private one, and those that are published."""
for _vt, _own in _IDENTIFIERS.items():
    register_type(_own[0], _vt)
for _row in PROPERTIES:
    if type_of(_row.number) == _row.vartype:
        _IDENTIFIERS[_row.vartype].append(_row.number)
_NESTED = 3


@dataclass(frozen=True)
class _Wish:
    """What the records shall be like.

    Attributes:
        tidy: Whether texts hold well-formed UTF-16 only.
        pins: Values of fields and groups of flags by their path, such as ``BaseHeader.Flags.IN``.
    """

    tidy: bool = False
    pins: Mapping[str, int] = field(default_factory=dict)


def _joined(text: str) -> str:
    """The text with surrogates that make a pair joined to one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _text(wish: _Wish, *, null: bool) -> st.SearchStrategy[str]:
    letters = (_PLAIN if wish.tidy else _WILD) + ("\0" if null else "")
    return st.text(st.sampled_from(letters), max_size=6).map(_joined)


def _integers(kind: Integer) -> st.SearchStrategy[int]:
    low, high = kind.bounds
    return st.sampled_from((low, high, 0, 1)) | st.integers(low, high)


def _filled(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=1, max_size=4).map(lambda some: (some * size)[:size])


def _counts(structure: Structure, chosen: Mapping[str, int]) -> dict[str, tuple[str, Field, int]]:
    """Count fields: the scoped part that holds the array, the array, and what one element counts."""
    found = {}
    for item in structure.fields:
        arrays = [("", item)]
        inside = item.kind.structure if isinstance(item.kind, Nested) else None
        if isinstance(item.kind, Choice):
            inside = item.kind.forms[chosen[item.kind.selector]]
        if inside is not None and inside.scoped:
            arrays = [(item.name, inner) for inner in inside.fields]
        for part, array in arrays:
            count = getattr(array.kind, "count", None)
            match = _COUNT.fullmatch(count) if isinstance(count, str) else None
            if match and match[1].partition(".")[0] in structure.by_name:
                found[match[1]] = part, array, int(match[2] or 1)
    return found


def property_values(vt: int, *, tidy: bool = False, depth: int = 0) -> st.SearchStrategy[PropertyValue]:
    """Any value of a variant type."""
    return _wire_values(vt, _Wish(tidy), depth).map(lambda value: PropertyValue(vt, value))


def _wire_values(vt: int, wish: _Wish, depth: int) -> st.SearchStrategy[Any]:
    base = VARTYPE(vt & ~VARTYPE.VT_VECTOR)
    if vt == VARTYPE.VT_UI1 | VARTYPE.VT_VECTOR:
        return st.binary(max_size=6)
    if base == VARTYPE.VT_VARIANT:
        inner = [number for number in READERS if number != vt or depth < _NESTED]
        one = st.sampled_from(inner).flatmap(
            lambda number: property_values(number, tidy=wish.tidy, depth=depth + 1)
        )
        return st.lists(one, max_size=3).map(tuple)
    if vt & VARTYPE.VT_VECTOR:
        return st.lists(_wire_values(base, wish, depth), max_size=3).map(tuple)
    match base:
        case VARTYPE.VT_EMPTY | VARTYPE.VT_NULL:
            return st.none()
        case VARTYPE.VT_LPWSTR | VARTYPE.VT_BSTR:
            return _text(wish, null=False)
        case VARTYPE.VT_BLOB:
            return st.binary(max_size=6)
        case VARTYPE.VT_CLSID:
            return _filled(16).map(GUID)
    return _integers(_NUMBERS[base])


_NUMBERS = {
    VARTYPE.VT_I1: Integer("b", 1),
    VARTYPE.VT_UI1: Integer("B", 1),
    VARTYPE.VT_I2: Integer("h", 2),
    VARTYPE.VT_UI2: Integer("H", 2),
    VARTYPE.VT_BOOL: Integer("H", 2),
    VARTYPE.VT_I4: Integer("i", 4),
    VARTYPE.VT_UI4: Integer("I", 4),
    VARTYPE.VT_I8: Integer("q", 8),
    VARTYPE.VT_UI8: Integer("Q", 8),
}


def _units(value: Any) -> int:
    return len(value.encode("utf-16-le", "surrogatepass")) // 2 if isinstance(value, str) else len(value)


class _Draft:
    """One record in the making."""

    def __init__(self, draw: Any, structure: Structure, wish: _Wish, loose: frozenset[str]) -> None:
        self.draw = draw
        self.structure = structure
        self.wish = wish
        self.loose = set(loose)
        self.given: dict[str, Any] = {}
        self.chosen: dict[str, int] = {}
        self.there: dict[str, bool] = {}
        self.parts_loose: dict[str, set[str]] = {}
        self.told: dict[str, int] = {}

    def make(self) -> Any:
        self.choose_parts()
        counts = _counts(self.structure, self.chosen)
        for path in counts:
            self.loosen(path)
        extent = self.structure.extent
        if extent:
            self.loosen(extent.path)
        for item in self.structure.fields:
            if item.name not in self.loose and self.there.get(item.name, True):
                value = self.value(item)
                if value is not None:
                    self.given[item.name] = value
        self.count(counts)
        self.tell()
        return Record.class_of(self.structure.name)(**self.given)

    def loosen(self, path: str) -> None:
        """Leave a field of this structure or of a part to the builder."""
        part, _, name = path.rpartition(".")
        (self.parts_loose.setdefault(part, set()) if part else self.loose).add(name)

    def choose_parts(self) -> None:
        """Choose which optional fields are there and which form each choice takes."""
        rules: dict[str, bool] = {}
        for item in self.structure.fields:
            rule = item.present
            match = _VALUE_IS.fullmatch(rule or "")
            known = self.structure.by_name[match[1]].known if match else None
            if match and known:
                if match[1] not in self.told:
                    self.told[match[1]] = self.draw(st.sampled_from(known))
                    self.loose.add(match[1])
                self.there[item.name] = self.told[match[1]] == int(match[2])
            elif item.offset_in:
                self.loose.add(item.offset_in[0])
                self.there[item.name] = self.draw(st.booleans())
            elif rule is not None:
                path = rule.partition(" == ")[0]
                head, _, rest = path.partition(".")
                if rule not in rules:
                    rules[rule] = self.there.get(head, True) and self.draw(st.booleans())
                self.there[item.name] = rules[rule]
                if rest and head in self.structure.by_name and "|" not in rule:
                    inner = self.structure.by_name[head].kind
                    if isinstance(inner, Flags):
                        self.loose.add(path)
                    else:
                        self.parts_loose.setdefault(head, set()).add(rest)
            if isinstance(item.kind, Choice):
                self.chosen[item.kind.selector] = self.draw(st.sampled_from(list(item.kind.forms)))

    def value(self, item: Field) -> Any:
        path = f"{self.structure.name}.{item.name}"
        kind = item.kind
        if path in self.wish.pins:
            return self.wish.pins[path]
        match kind:
            case Integer():
                return self.chosen[item.name] if item.name in self.chosen else self.draw(_integers(kind))
            case Flags():
                return self.flags(item, kind)
            case Guid():
                return GUID(self.draw(_filled(16)))
            case Sequence():
                return SEQUENCE_NUMBER(self.draw(_filled(8)))
            case Numbers():
                return self.numbers(item, kind)
            case Values():
                return self.property_values(self.given[kind.identifiers])
            case Bytes(count=int(count)):
                return self.draw(_filled(count))
            case Bytes(count=str(count)):
                return self.bytes(count)
            case Text():
                return self.draw(_text(self.wish, null=kind.count != NUL))
            case Nested():
                return self.nested(item, kind.structure)
            case Items():
                one = records_of(kind.structure, self.wish)
                return self.draw(st.lists(one, max_size=3))
            case Choice():
                form = kind.forms[self.chosen[kind.selector]]
                return form and self.draw(records_of(form, self.wish))
            case Padding():
                return None

    def bytes(self, count: str) -> bytes | None:
        extent = self.structure.extent
        if count == EOF and extent and (extent.multiple > 1 or self.draw(st.booleans())):
            return None
        if count == EOF or _COUNT.fullmatch(count):
            # Behind a text that takes all there is, one byte can be left.
            texts = [getattr(item.kind, "count", None) for item in self.structure.fields if _is_text(item)]
            return self.draw(st.binary(max_size=1 if EOF in texts else 9))  # type: ignore[no-any-return]  # draw is untyped here
        return None

    def numbers(self, item: Field, kind: Numbers) -> tuple[int, ...]:
        values = [other for other in self.structure.fields if isinstance(other.kind, Values)]
        if any(getattr(other.kind, "identifiers", None) == item.name for other in values):
            known = st.sampled_from(list(_IDENTIFIERS.values())).flatmap(st.sampled_from)
            return tuple(self.draw(st.lists(known, max_size=4)))
        return tuple(self.draw(st.lists(_integers(Integer(kind.format, kind.size)), max_size=4)))

    def property_values(self, identifiers: tuple[int, ...]) -> tuple[PropertyValue, ...]:
        types = [type_of(identifier) for identifier in identifiers]
        return tuple(self.draw(property_values(vt, tidy=self.wish.tidy)) for vt in types if vt is not None)

    def nested(self, item: Field, structure: Structure) -> Any:
        loose = frozenset(self.parts_loose.get(item.name, ()))
        made = self.draw(records_of(structure, self.wish, loose))
        if structure.scoped and not made.encode():
            return None
        return made

    def flags(self, item: Field, kind: Flags) -> Any:
        word = self.draw(st.integers(0, (1 << kind.size * 8) - 1))
        path = f"{self.structure.name}.{item.name}"
        groups = {}
        for group in kind.groups:
            own = f"{item.name}.{group.name}"
            pinned = self.wish.pins.get(f"{path}.{group.name}")
            value = self.chosen.get(own, word >> group.shift & (1 << group.width) - 1)
            if own not in self.loose:
                groups[group.name] = value if pinned is None else pinned
        return Record.class_of(self.structure.name).flags[item.name](**groups)

    def count(self, counts: dict[str, tuple[str, Field, int]]) -> None:
        """Now and then say what a count would be anyway; its text then gets no terminator."""
        for name, (part, array, per_unit) in counts.items():
            owner = self.given.get(part) if part else None
            value = getattr(owner, array.name, b"") if part else self.given.get(array.name, b"")
            for item in self.structure.fields:
                if item.present == name and _is_text(item) and not value:
                    self.given.pop(item.name, None)
            if "." not in name and self.draw(st.booleans()):
                self.given[name] = _units(value) * per_unit

    def tell(self) -> None:
        """Now and then say what follows from which optional parts are there."""
        for name, number in self.told.items():
            if self.draw(st.booleans()):
                self.given[name] = number


def _is_text(item: Field) -> bool:
    return isinstance(item.kind, Text)


def records_of(
    structure: Structure, wish: _Wish, loose: frozenset[str] = frozenset()
) -> st.SearchStrategy[Any]:
    @st.composite
    def made(draw: Any) -> Any:
        return _Draft(draw, structure, wish, loose).make()

    return made()


def scrambled(record: Any, draw: Callable[[st.SearchStrategy[bytes]], bytes]) -> Any:
    """The same record, every field given to its class, with any bytes for padding."""
    values = {}
    for item in record.layout.fields:
        value = getattr(record, item.name)
        if isinstance(value, Record):
            value = scrambled(value, draw)
        elif isinstance(value, tuple):
            value = tuple(scrambled(inner, draw) if isinstance(inner, Record) else inner for inner in value)
        elif item.is_filler and isinstance(value, bytes) and 0 < len(value) <= 4:
            value = draw(st.binary(min_size=len(value), max_size=len(value)))
        values[item.name] = value
    return type(record)(**values)


def records(
    name: str, *, tidy: bool = False, pins: Mapping[str, int] | None = None
) -> st.SearchStrategy[Any]:
    """Records of a structure that can be written and read again."""
    plain = records_of(structures()[name], _Wish(tidy, pins or {}))

    @st.composite
    def finished(draw: Any) -> Any:
        return scrambled(draw(plain), draw)

    return finished()


_ALL = {"BaseHeader.VersionNumber": 0x10, "BaseHeader.Signature": 0x524F494C}
_PINS: dict[str, dict[str, int]] = {
    "UserMessage": {**_ALL, "BaseHeader.Flags.IN": 0},
    "SessionAck": {**_ALL, "BaseHeader.Flags.IN": 1, "InternalHeader.Flags.PT": 1},
    "EstablishConnection": {**_ALL, "BaseHeader.Flags.IN": 1, "InternalHeader.Flags.PT": 2},
    "ConnectionParameters": {**_ALL, "BaseHeader.Flags.IN": 1, "InternalHeader.Flags.PT": 3},
}


def packets() -> st.SearchStrategy[Any]:
    """Packets that `msmq_wire.decode` returns as they are; the two acknowledgments have their own tests."""
    kinds = [records(name, pins=pins) for name, pins in _PINS.items()]
    return st.one_of(*kinds, kinds[0], kinds[0])


_MESSAGES: tuple[type[Any], ...] = (
    mqdsrp.ChangePropagationMessage,
    mqdsrp.ChangeRequestMessage,
    mqdsrp.SyncRequestMessage,
    mqdsrp.SyncReplyMessage,
    mqdsrp.ChangeReplyMessage,
    mqdsrp.AlreadyPurgedMessage,
    mqdsrp.PSCAckMessage,
    mqdsrp.BSCAckMessage,
)
"""The messages by their operation, [MC-MQDSRP] 2.2.5.1."""


def messages() -> st.SearchStrategy[Any]:
    """Messages that `mqdsrp.decode` returns as they are."""
    return st.one_of(
        *(
            records(cls.__name__, pins={"BaseReplicationHeader.Operation": operation})
            for operation, cls in enumerate(_MESSAGES)
        )
    )


@st.composite
def notifications(draw: Any) -> Any:
    """Messages that `mqcn.decode` returns as they are."""
    odd = draw(st.binary(max_size=1))
    several: Any = mqcn.NotificationUpdates
    body: Any = mqcn.NotificationBody
    message: Any = mqcn.ChangeNotificationMessage
    if draw(st.booleans()):
        updates = draw(st.lists(records("NotificationUpdate"), max_size=3))
        return message(Data=several(Updates=updates, Unused=odd))
    text = notification_text(
        draw(st.integers(1, 4)),
        draw(_filled(16).map(GUID)),
        draw(st.text(st.sampled_from("!dc.1;>~"), min_size=1, max_size=8)),
    )
    text += draw(st.sampled_from(("", "\0")))
    return message(Data=body(Text=text, Unused=odd))


@st.composite
def damaged(draw: Any, data: bytes) -> bytes:
    """Bytes after an accident or three."""
    made = bytearray(data)
    for _ in range(draw(st.integers(1, 3))):
        here = draw(st.integers(0, max(len(made) - 1, 0)))
        match draw(st.sampled_from(("flip", "set", "set", "step", "cut", "extend", "drop", "insert"))):
            case "flip" if made:
                made[here] ^= 1 << draw(st.integers(0, 7))
            case "set" if made:
                made[here] = draw(st.sampled_from((0, 1, 2, 3, 7, 0x7F, 0xFF)))
            case "step" if made:
                made[here] = (made[here] + draw(st.integers(-4, 4))) & 0xFF
            case "cut":
                del made[here:]
            case "extend":
                made += draw(st.binary(max_size=20))
            case "drop":
                del made[here : here + draw(st.integers(1, 4))]
            case "insert":
                made[here:here] = draw(st.binary(min_size=1, max_size=4))
    return bytes(made)


def near_valid(name: str, *, tidy: bool = False) -> st.SearchStrategy[bytes]:
    """Bytes of a record after an accident."""
    return records(name, tidy=tidy).flatmap(lambda record: damaged(record.encode()))
