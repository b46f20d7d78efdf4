"""Hypothesis strategies that are derived from the layouts: whole records, and bytes that almost are some.

1. `records` builds through the record classes: every optional part on or off, every form of a choice, any
   number, text with lone surrogates, any reserved bit and any padding byte.
2. `packets` is the same for what `msmq_wire.decode` takes.
3. `near_valid` takes the bytes of such a record and damages them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from msmq_wire import GUID, Record
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
    Padding,
    Structure,
    Text,
    structures,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ALONE", "DOCUMENTS", "NAMES", "PACKET_NAMES", "damaged", "near_valid", "packets", "records"]

DOCUMENTS = ("MS-MQMQ", "MS-MQQB", "MS-MQRR")
"""The documents whose structures are here; others are loaded when their modules are."""
NAMES = tuple(name for name, structure in structures().items() if structure.document in DOCUMENTS)
"""Every structure of these documents."""
ALONE = tuple(name for name in NAMES if not structures()[name].scoped)
"""Every structure that can be read by itself."""
PACKET_NAMES = ("UserMessage", "OrderAck", "FinalAck", "SessionAck", "EstablishConnection",
                "ConnectionParameters")  # fmt: skip
"""Every structure that `msmq_wire.decode` returns."""

_PLAIN = "aZ\\é\u0100\u4e00\uffff\U0001f600"
_WILD = _PLAIN + "\ud83d\ude00\udfff"
_COUNT = re.compile(r"(\w+)(?: / (\d+))?")


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


def _counts(structure: Structure) -> dict[str, tuple[str, Field, int]]:
    """Count fields: the scoped part that holds the array, the array, and what one element counts."""
    found = {}
    for item in structure.fields:
        arrays = [("", item)]
        if isinstance(item.kind, Nested) and item.kind.structure.scoped:
            arrays = [(item.name, inner) for inner in item.kind.structure.fields]
        for part, array in arrays:
            count = getattr(array.kind, "count", None)
            match = _COUNT.fullmatch(count) if isinstance(count, str) else None
            if match and match[1] in structure.by_name:
                found[match[1]] = part, array, int(match[2] or 1)
    return found


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

    def make(self) -> Any:
        self.choose_parts()
        counts = _counts(self.structure)
        self.loose |= set(counts)
        extent = self.structure.extent
        if extent:
            part, _, name = extent.path.rpartition(".")
            (self.parts_loose.setdefault(part, set()) if part else self.loose).add(name)
        for item in self.structure.fields:
            if item.name not in self.loose and self.there.get(item.name, True):
                value = self.value(item)
                if value is not None:
                    self.given[item.name] = value
        self.count(counts)
        return Record.class_of(self.structure.name)(**self.given)

    def choose_parts(self) -> None:
        """Choose which optional fields are there and which form each choice takes."""
        rules: dict[str, bool] = {}
        for item in self.structure.fields:
            rule = item.present
            if rule is not None:
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

    def value(self, item: Field) -> Any:  # noqa: C901  # one branch a kind
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
            return self.draw(st.binary(max_size=9))  # type: ignore[no-any-return]  # draw is untyped here
        return None

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
            if self.draw(st.booleans()):
                self.given[name] = _units(value) * per_unit


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
            value = tuple(scrambled(inner, draw) for inner in value)
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
