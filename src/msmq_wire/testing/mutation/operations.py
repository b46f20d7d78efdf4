"""The named mutations of packets and sessions.

1. A mutation takes an input and a source of choices; the same choices give the same bytes.
2. It changes one thing and nothing else: sizes keep their old values, so that a reader has to detect the
   contradiction.
3. It returns None if it is not applicable, for example without an acknowledgment to change.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Text
from msmq_wire.values.enumerations import ENUMERATIONS
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.hints import did_you_mean
from msmq_wire.values.numbers import MAX_PACKET_SIZE

from .numbers import View, places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from msmq_wire.records.spans import FieldSpan

    from .numbers import Switch


class _Named(StrEnum):
    """Names whose error for another name suggests one of them."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        hint = did_you_mean(str(value), cls) or f"; there are {', '.join(cls)}"
        raise MsmqWireError(f"there is no mutation {value!r}{hint}")


class Mutation(_Named):
    """The mutations of a packet."""

    FLIP_PRESENCE = "flip-presence"
    """A flag announces an absent header, or does not announce a present one."""
    SELECT_FORM = "select-form"
    """A selector names another form, or another packet type, than the one that follows."""
    LIE_IN_LENGTH = "lie-in-length"
    """A size or offset is wrong: by one, doubled, beyond the packet, or at a limit of its width."""
    LIE_IN_COUNT = "lie-in-count"
    """A count of elements is too large or too small."""
    WRAP_SIZE = "wrap-size"
    """A size or count is so large that its size in bytes, modulo 16 or 32 bits, equals the actual size."""
    MOVE_BOUNDARY = "move-boundary"
    """One size is decreased and another increased by as much, which moves their boundary."""
    SPLICE_HEADER = "splice-header"
    """A header of this or another packet replaces a header, or is inserted between two."""
    DROP_PART = "drop-part"
    """A header or a part of it is removed, while everything that refers to it remains."""
    REPEAT_PART = "repeat-part"
    """A header is repeated many times."""
    BREAK_ACKNOWLEDGMENT = "break-acknowledgment"
    """A sequence number or window contradicts the preceding packets."""
    DROP_TERMINATOR = "drop-terminator"
    """A text has no terminator."""
    ODD_BYTES = "odd-bytes"
    """A text has half a WCHAR more or less."""
    SET_RESERVED = "set-reserved"
    """Reserved bits and bytes are set."""
    SET_KNOWN = "set-known"
    """A number has another documented value, of an enumeration or of a selector."""
    SET_EXTREME = "set-extreme"
    """A number is at or near its minimum or maximum, or the limit of a sign, or a power of two."""
    CUT_OFF = "cut-off"
    """The packet is truncated at the boundary of a field, or one byte beside it."""
    APPEND = "append"
    """Zeros, the packet again, or another packet are appended."""
    CHANGE_BYTES = "change-bytes"
    """One to four bytes are changed."""


class SessionMutation(_Named):
    """The mutations of a session."""

    SWAP = "swap"
    """Two packets are swapped."""
    DROP = "drop"
    """A packet is removed."""
    DUPLICATE = "duplicate"
    """A packet is sent twice in a row."""
    REPLAY = "replay"
    """A packet is sent again later."""
    REVERSE = "reverse"
    """Some consecutive packets are reversed."""
    RESTART = "restart"
    """The session restarts in the middle."""
    INTERLEAVE = "interleave"
    """The packets of another session are interleaved."""
    CUT_OFF = "cut-off"
    """A packet is truncated, and the session continues with the next one."""
    REFUSE = "refuse"
    """A connection is refused: an answer of the handshake has InternalHeader.Flags.CS."""
    BREAK_ACKNOWLEDGMENT = "break-acknowledgment"
    """A sequence number, acknowledgment or window contradicts the preceding packets."""
    MUTATE_PACKET = "mutate-packet"
    """One packet is mutated."""


class Change(NamedTuple):
    """Changed bytes, and the path of the changed field or part; ``byte N`` if it is not a field."""

    data: bytes
    path: str


class Subject(NamedTuple):
    """The input of a mutation."""

    view: View
    donors: tuple[View, ...]
    random: Random


# -------------------------------------------------------------------------------------------- single numbers


def _write(data: bytes, piece: FieldSpan, value: int) -> Change:
    raw = (value % (1 << piece.size * 8)).to_bytes(piece.size, "little")
    return _replace(data, piece, raw)


def _replace(data: bytes, piece: FieldSpan, raw: bytes) -> Change:
    return Change(data[: piece.offset] + raw + data[piece.offset + piece.size :], piece.path)


def _switch(subject: Subject, table: dict[tuple[str, str], tuple[Switch, ...]]) -> Change | None:
    switches = [
        (piece, switch)
        for piece in subject.view.owned(table)
        # It has a field.
        for switch in table[piece.structure.name, piece.field.name]  # type: ignore[union-attr]
    ]
    if not switches:
        return None
    piece, switch = subject.random.choice(switches)
    mask = (1 << switch.width) - 1
    word = int(piece.value)
    old = word >> switch.shift & mask
    others = [value for value in (*switch.values, subject.random.randint(0, mask)) if value != old]
    new = subject.random.choice(others or [old ^ 1]) & mask
    return _write(subject.view.data, piece, word & ~(mask << switch.shift) | new << switch.shift)


def flip_presence(subject: Subject) -> Change | None:
    return _switch(subject, places().presence)


def select_form(subject: Subject) -> Change | None:
    return _switch(subject, places().forms)


def _lie(subject: Subject, pieces: list[FieldSpan]) -> Change | None:
    if not pieces:
        return None
    piece = subject.random.choice(pieces)
    value, top = int(piece.value), (1 << piece.size * 8) - 1
    left = len(subject.view.data) - piece.offset
    usual = {0, 1, 2, value - 1, value + 1, value + 2, value + 4, value * 2, value // 2, left, left + 1,
             left // 2, len(subject.view.data), top, top - 1, top - 3, top // 2, top // 2 + 1}  # fmt: skip
    near, any_number = value + subject.random.randint(-256, 256), subject.random.randint(0, top)
    lies = subject.random.choice((usual, {near, value + 3}, {any_number, value + 5}))
    return _write(
        subject.view.data,
        piece,
        subject.random.choice(sorted(lie for lie in lies if lie % (top + 1) != value)),
    )


def lie_in_length(subject: Subject) -> Change | None:
    return _lie(subject, subject.view.owned(places().lengths))


def lie_in_count(subject: Subject) -> Change | None:
    return _lie(
        subject, [*subject.view.owned(places().counts), *(count for count, _ in subject.view.value_counts())]
    )


def wrap_size(subject: Subject) -> Change | None:
    counts = places().counts
    pieces = [
        *subject.view.owned(places().lengths | set(counts)),
        *(count for count, _ in subject.view.value_counts()),
    ]
    if not pieces:
        return None
    piece = subject.random.choice(pieces)
    owned = (piece.structure.name, piece.field.name if piece.field else "")
    unit = counts.get(owned) or subject.random.choice((2, 4, 8, 16))
    bits = subject.random.choice(tuple(bits for bits in (16, 32) if bits <= piece.size * 8) or (8,))
    surplus = subject.random.choice((0, subject.random.randrange(64), subject.random.randrange(4096)))
    return _write(subject.view.data, piece, int(piece.value) + -(-(1 << bits) // unit) + surplus)


def break_acknowledgment(subject: Subject) -> Change | None:
    pieces = subject.view.owned(places().arithmetic)
    if not pieces:
        return None
    piece = subject.random.choice(pieces)
    raw = piece.cut(subject.view.data)
    order: Any = "little" if piece.field and piece.field.kind.is_number else "big"
    value, top = int.from_bytes(raw, order), (1 << piece.size * 8) - 1
    other = subject.random.choice(pieces)
    there = int.from_bytes(other.cut(subject.view.data), order)
    numbers = {0, 1, top, top // 2 + 1, value + 1, value - 1, value + 2, value ^ top, there}
    if subject.random.random() < 0.5:
        numbers = {subject.random.randint(0, top), value + 3}
    wrong = subject.random.choice(sorted({number % (top + 1) for number in numbers} - {value}))
    return _replace(subject.view.data, piece, wrong.to_bytes(piece.size, order))


def set_known(subject: Subject) -> Change | None:
    pieces = [piece for piece in subject.view.fields if piece.field and _known(piece)]
    if not pieces:
        return None
    piece = subject.random.choice(pieces)
    return _write(subject.view.data, piece, subject.random.choice(_known(piece)))


def _known(piece: FieldSpan) -> list[int]:
    enumeration = piece.field.enumeration if piece.field else None
    return [int(member) for member in ENUMERATIONS[enumeration]] if enumeration else []


def set_extreme(subject: Subject) -> Change | None:
    pieces = [
        piece
        for piece in subject.view.fields
        if piece.field and piece.size and (piece.field.kind.is_number or _is_array(piece))
    ]
    if not pieces:
        return None
    piece = _an_element(subject, subject.random.choice(pieces))
    top = (1 << piece.size * 8) - 1
    return _write(
        subject.view.data,
        piece,
        subject.random.choice(
            (*(0, top, top // 2, top // 2 + 1), *[1 << subject.random.randrange(piece.size * 8)] * 2)
        )
        + subject.random.choice((0, subject.random.randint(-64, 64))),
    )


def _is_array(piece: FieldSpan) -> bool:
    """Return whether a field is an array of numbers."""
    return isinstance(piece.value, tuple) and bool(piece.value) and isinstance(piece.value[0], int)


def _an_element(subject: Subject, piece: FieldSpan) -> FieldSpan:
    """Return an element of an array of numbers; a number itself is returned unchanged."""
    if not _is_array(piece):
        return piece
    unit = piece.size // len(piece.value)
    index = subject.random.randrange(len(piece.value))
    return piece._replace(
        path=f"{piece.path}[{index}]", offset=piece.offset + index * unit, size=unit, value=piece.value[index]
    )


def set_reserved(subject: Subject) -> Change | None:
    pieces = [piece for piece in subject.view.fields if piece.size and _reserved(piece)]
    if not pieces:
        return None
    piece = subject.random.choice(pieces)
    raw = piece.cut(subject.view.data)
    mask = _reserved(piece)
    word = int.from_bytes(raw, "little") ^ (subject.random.getrandbits(piece.size * 8) & mask or mask)
    return _replace(subject.view.data, piece, word.to_bytes(piece.size, "little"))


def _reserved(piece: FieldSpan) -> int:
    """Return the bits of a field without meaning."""
    if piece.field is None:
        return 0
    if piece.field.is_filler:
        return (1 << piece.size * 8) - 1
    return sum(group.mask for group in piece.field.groups if group.name.startswith("X"))


# --------------------------------------------------------------------------------------------------- texts


def _a_text(subject: Subject) -> tuple[FieldSpan, bytearray] | None:
    """Return a text that is not empty, and its bytes."""
    fields = subject.view.fields
    texts = [piece for piece in fields if piece.size and piece.field and isinstance(piece.field.kind, Text)]
    if not texts:
        return None
    piece = subject.random.choice(texts)
    return piece, bytearray(piece.cut(subject.view.data))


def drop_terminator(subject: Subject) -> Change | None:
    text = _a_text(subject)
    if text is None:
        return None
    piece, raw = text
    is_terminated = piece.field and piece.field.kind.least_size
    if is_terminated and subject.random.random() < 0.2:
        del raw[-2:]
    else:
        raw[-2:] = subject.random.choice((b"A\0", b"\0\xd8", *[subject.random.randbytes(2)] * 4))
    return _replace(subject.view.data, piece, bytes(raw))


def odd_bytes(subject: Subject) -> Change | None:
    text = _a_text(subject)
    if text is None:
        return None
    piece, raw = text
    at = subject.random.randrange(len(raw))
    if subject.random.random() < 0.3:
        del raw[at]
    else:
        raw.insert(at, subject.random.choice((0, 0x41, 0xFF, *[subject.random.randrange(256)] * 5)))
    return _replace(subject.view.data, piece, bytes(raw))


# --------------------------------------------------------------------------------------------------- parts


def move_boundary(subject: Subject) -> Change | None:
    pieces = subject.view.owned(places().lengths)
    losers = [piece for piece in pieces if piece.value]
    if len(pieces) < 2 or not losers:
        return None
    second = subject.random.choice(losers)
    first = subject.random.choice([piece for piece in pieces if piece is not second])
    steps = {1, 2, 4, 16, int(second.value) // 2, int(second.value), subject.random.randint(1, 256)}
    step = subject.random.choice([step for step in sorted(steps) if 0 < step <= int(second.value)])
    moved = _write(subject.view.data, first, int(first.value) + step).data
    return Change(_write(moved, second, int(second.value) - step).data, first.path)


def splice_header(subject: Subject) -> Change | None:
    donor = subject.random.choice((subject.view, *subject.donors))
    if not subject.view.parts or not donor.parts:
        return None
    target = subject.random.choice(subject.view.parts)
    alike = [part for part in donor.parts if part.structure is target.structure]
    source = subject.random.choice(alike if alike and subject.random.random() < 0.5 else donor.parts)
    raw = source.cut(donor.data)
    if subject.random.random() < 0.5:
        return _replace(subject.view.data, target, raw)
    data = subject.view.data
    return Change(data[: target.offset] + raw + data[target.offset :], target.path)


def drop_part(subject: Subject) -> Change | None:
    if not subject.view.parts:
        return None
    part = subject.random.choice(subject.view.parts)
    raw = part.cut(subject.view.data)
    first, last = sorted(subject.random.randrange(len(raw) + 1) for _ in range(2))
    kept = raw[:first] + raw[last:] if subject.random.random() < 0.8 and first < last else b""
    return _replace(subject.view.data, part, kept)


def repeat_part(subject: Subject) -> Change | None:
    if not subject.view.parts:
        return None
    part = subject.random.choice(subject.view.parts)
    raw = part.cut(subject.view.data)
    copies = subject.random.choice((2, 3, 17, 256, *[subject.random.randint(2, 256)] * 4))
    fit = MAX_PACKET_SIZE // max(len(raw), 1)
    return _replace(subject.view.data, part, raw * min(copies, max(fit, 2)))


# --------------------------------------------------------------------------------------------------- bytes


def cut_off(subject: Subject) -> Change | None:
    ends = [piece.offset for piece in subject.view.fields] or [len(subject.view.data) // 2]
    end = subject.random.choice(ends) + subject.random.choice((-1, 0, 0, 1))
    if subject.random.random() < 0.5:
        end = subject.random.randrange(len(subject.view.data) or 1)
    end = min(max(end, 0), len(subject.view.data))
    return Change(subject.view.data[:end], f"byte {end}") if len(subject.view.data) else None


def append(subject: Subject) -> Change:
    other = subject.random.choice((subject.view, *subject.donors)).data
    some = subject.random.randbytes(subject.random.randint(1, 32))
    tail = subject.random.choice((b"\0", bytes(16), other, other[:16], *[some] * 12))
    return Change(subject.view.data + tail, f"byte {len(subject.view.data)}")


def change_bytes(subject: Subject) -> Change:
    data = bytearray(subject.view.data or b"\0")
    changed = set()
    for _ in range(subject.random.randint(1, 4)):
        offset = subject.random.randrange(len(data))
        data[offset] = subject.random.choice((0, 1, 0x7F, 0x80, 0xFF, *[subject.random.randrange(256)] * 5))
        changed.add(offset)
    return Change(bytes(data), ", ".join(f"byte {offset}" for offset in sorted(changed)))


MUTATIONS: dict[Mutation, Callable[[Subject], Change | None]] = {
    mutation: globals()[mutation.name.lower()] for mutation in Mutation
}
"""The function of each mutation; it returns None if it is not applicable."""


# ------------------------------------------------------------------------------------------------- sessions


def _swap(session: list[bytes], _: Sequence[bytes], random: Random) -> None:
    if len(session) > 1:
        first, second = random.sample(range(len(session)), 2)
        session[first], session[second] = session[second], session[first]


def _drop(session: list[bytes], _: Sequence[bytes], random: Random) -> None:
    del session[random.randrange(len(session))]


def _duplicate(session: list[bytes], _: Sequence[bytes], random: Random) -> None:
    at = random.randrange(len(session))
    session.insert(at, session[at])


def _replay(session: list[bytes], _: Sequence[bytes], random: Random) -> None:
    at = random.randrange(len(session))
    session.insert(random.randint(at, len(session)), session[at])


def _reverse(session: list[bytes], _: Sequence[bytes], random: Random) -> None:
    if len(session) > 1:
        first, last = sorted(random.sample(range(len(session)), 2))
        session[first : last + 1] = session[first : last + 1][::-1]


def _restart(session: list[bytes], _: Sequence[bytes], random: Random) -> None:
    at = random.randint(0, len(session))
    session[at:at] = session[: random.randint(1, len(session))]


def _interleave(session: list[bytes], donors: Sequence[bytes], random: Random) -> None:
    for packet in donors or session[:]:
        session.insert(random.randint(0, len(session)), packet)


def _cut_off(session: list[bytes], _: Sequence[bytes], random: Random) -> None:
    at = random.randrange(len(session))
    session[at] = session[at][: random.randint(0, len(session[at]))]


def _fields_of(session: list[bytes], owners: frozenset[tuple[str, str]]) -> list[tuple[int, FieldSpan]]:
    """Return the fields of these names in all packets, each with the index of its packet."""
    return [(index, field) for index, data in enumerate(session) for field in View(data, None).owned(owners)]


def _refuse(session: list[bytes], _: Sequence[bytes], random: Random) -> None:
    """Set CS in one packet; without a packet of the protocol itself, drop all behind a packet."""
    flags = _fields_of(session, frozenset({("InternalHeader", "Flags")}))
    if not flags:
        del session[random.randrange(len(session)) :]
        return
    index, field = random.choice(flags)
    refused = structures()["InternalHeader"].flags("Flags").group("CS").mask
    session[index] = _write(session[index], field, int(field.value) | refused).data


def _break_acknowledgment(session: list[bytes], _: Sequence[bytes], random: Random) -> None:
    """Break an acknowledgment in one packet; in a session without any, repeat a packet."""
    numbered = _fields_of(session, places().arithmetic)
    if not numbered:
        _duplicate(session, (), random)
        return
    index, _field = random.choice(numbered)
    change = break_acknowledgment(Subject(View(session[index], None), (), random))
    session[index] = session[index] if change is None else change.data


SESSION_MUTATIONS: dict[SessionMutation, Callable[[list[bytes], Sequence[bytes], Random], None]] = {
    SessionMutation.SWAP: _swap,
    SessionMutation.DROP: _drop,
    SessionMutation.DUPLICATE: _duplicate,
    SessionMutation.REPLAY: _replay,
    SessionMutation.REVERSE: _reverse,
    SessionMutation.RESTART: _restart,
    SessionMutation.INTERLEAVE: _interleave,
    SessionMutation.CUT_OFF: _cut_off,
    SessionMutation.REFUSE: _refuse,
    SessionMutation.BREAK_ACKNOWLEDGMENT: _break_acknowledgment,
}
"""The function of each session mutation, which changes the list; the caller handles MUTATE_PACKET."""
