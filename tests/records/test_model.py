"""What a layout says by itself: bounds, masks, sizes and offsets, of small layouts by hand."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from msmq_wire.compiler.kinds import sources
from msmq_wire.records.diagnostic_reader import DiagnosticReader
from msmq_wire.records.model import (
    EOF,
    LEFT,
    NUL,
    Alignment,
    Bytes,
    Choice,
    Count,
    Field,
    Fill,
    Flags,
    Group,
    Guid,
    Integer,
    Items,
    Kind,
    Nested,
    Numbers,
    Padding,
    Presence,
    Rival,
    Sequence,
    Structure,
    Text,
    Values,
    count_of,
    structures,
)

BYTE, SHORT, WORD = Integer("B", 1), Integer("H", 2), Integer("I", 4)
LOW, HIGH = Group("Low", 0, 3, ""), Group("High", 12, 4, "")
FLAGS = Flags("Flags", "H", 2, (LOW, HIGH))
POINT = Structure("Point", "[X] 1", (Field("X", SHORT, ""), Field("Y", WORD, "")))
TEXT = Structure("Text", "[X] 2", (Field("Size", BYTE, ""), Field("Text", Text(Count("Size")), "")))
WHOLE = Structure(
    "Whole",
    "[MS-X] 3.4",
    (
        Field("Flags", FLAGS, ""),
        Field("Point", Nested(POINT), ""),
        Field("Name", Text(NUL), ""),
        Field("Number", BYTE, ""),
    ),
)


def field(kind: Any, **more: Any) -> Field:
    return Field("Field", kind, "", **more)


@pytest.mark.parametrize(
    ("code", "size", "low", "high"),
    [
        ("B", 1, 0, 255),
        ("b", 1, -128, 127),
        ("H", 2, 0, 65535),
        ("h", 2, -32768, 32767),
        ("I", 4, 0, 4294967295),
        ("i", 4, -2147483648, 2147483647),
    ],
)
def test_bounds_of_numbers(code: str, size: int, low: int, high: int) -> None:
    """A small letter is a number with a sign, as in the module `struct`."""
    assert Integer(code, size).bounds == (low, high)


def test_groups_of_a_word() -> None:
    assert (LOW.mask, HIGH.mask) == (0b111, 0xF000)
    assert FLAGS.group("High") is HIGH


def test_counts() -> None:
    """Units are elements unless more is said."""
    assert Count("Size").per_unit == 1
    assert (str(Count("Size")), str(Count("Size", 2))) == ("Size", "Size / 2")
    assert count_of(Numbers("I", 4, Count("Size"))) == Count("Size")
    assert count_of(Text(NUL)) is count_of(Bytes(16)) is count_of(BYTE) is None


@pytest.mark.parametrize(
    ("fill", "numbers", "size", "text"),
    [
        (Fill(4, (("A", 1),)), {"A": 0}, 0, "-A & 3"),
        (Fill(4, (("A", 1),)), {"A": 1}, 3, "-A & 3"),
        (Fill(4, (("A", 1),)), {"A": 4}, 0, "-A & 3"),
        (Fill(4, (("A", 2),)), {"A": 3}, 2, "-(A * 2) & 3"),
        (Fill(8, (("A", 2), ("B", 1)), 3), {"A": 2, "B": 2}, 7, "-(3 + A * 2 + B) & 7"),
    ],
)
def test_bytes_up_to_a_multiple(fill: Fill, numbers: dict[str, int], size: int, text: str) -> None:
    assert fill.size(numbers.__getitem__) == size
    assert (size + fill.more + sum(numbers[path] * unit for path, unit in fill.sizes)) % fill.boundary == 0
    assert str(fill) == text


@pytest.mark.parametrize(
    ("presence", "numbers", "left", "there"),
    [
        (LEFT, {}, 0, False),
        (LEFT, {}, 1, True),
        (Presence(("A",)), {"A": 0}, 9, False),
        (Presence(("A",)), {"A": 2}, 0, True),
        (Presence(("A", "B")), {"A": 0, "B": 0}, 9, False),
        (Presence(("A", "B")), {"A": 2, "B": 0}, 0, True),
        (Presence(("A", "B")), {"A": 0, "B": 1}, 0, True),
        (Presence(("A", "B", "C")), {"A": 0, "B": 0, "C": 1}, 0, True),
        (Presence(("A",), 2), {"A": 2}, 0, True),
        (Presence(("A",), 2), {"A": 3}, 9, False),
        (Presence(("A",), 0), {"A": 0}, 0, True),
        (Presence(("A",), 0), {"A": 1}, 9, False),
    ],
)
def test_when_a_field_is_there(presence: Presence, numbers: dict[str, int], left: int, there: bool) -> None:
    assert presence.test(numbers.__getitem__, left) is there


def test_what_announces_a_field() -> None:
    assert [(one.path, one.means, str(one)) for one in (LEFT, Presence(("A",)), Presence(("A",), 0))] == [
        ("", 1, "bytes left"),
        ("A", 1, "A"),
        ("A", 0, "A == 0"),
    ]
    both = Presence(("A", "B"), 3)
    assert (both.path, both.means, str(both)) == ("", 3, "A | B == 3")


def test_a_structure_in_the_place_of_a_part() -> None:
    """It has room for itself, states its own size and that of the rest, and is no part that just fits."""
    rival = Rival("R", size=8, own=0, rest=4, room=16)

    def stands(own: int, rest: int, left: int, *, at: int = 3) -> bool:
        data = bytes(at) + own.to_bytes(4, "little") + rest.to_bytes(4, "little") + bytes(40)
        return rival.stands(data, at, at + left)

    assert stands(8, 4, 12)
    assert stands(8, 0, 8)  # nothing behind it
    assert not stands(8, 8, 16)  # the part fits exactly
    assert stands(8, 9, 17)
    assert not stands(8, 0, 7)  # it has no room
    assert not stands(9, 4, 12)
    assert not stands(7, 4, 12)
    assert not stands(8, 5, 12)
    assert not stands(8 + (1 << 24), 4, 12)  # all four bytes count
    assert not stands(8, 4 + (1 << 24), 12)


@pytest.mark.parametrize(
    ("kind", "fixed", "least"),
    [
        (BYTE, 1, 1),
        (WORD, 4, 4),
        (FLAGS, 2, 2),
        (Guid(), 16, 16),
        (Sequence(), 8, 8),
        (Bytes(5), 5, 5),
        (Bytes(Count("N")), None, 0),
        (Bytes(EOF), None, 0),
        (Nested(POINT), 6, 6),
        (Nested(TEXT), None, 1),
        (Text(NUL), None, 2),  # its terminator
        (Text(EOF), None, 0),
        (Text(Count("N")), None, 0),
        (Items(POINT, Count("N")), None, 0),
        (Choice("N", {1: POINT, 2: TEXT}), None, 1),
        (Choice("N", {0: None, 1: POINT}), None, 0),
        (Choice("N", {1: POINT}), None, 6),
    ],
)
def test_sizes_of_fields(kind: Any, fixed: int | None, least: int) -> None:
    assert (field(kind).fixed_size, field(kind).least_size) == (fixed, least)
    optional = field(kind, present=LEFT)
    assert (optional.fixed_size, optional.least_size) == (None, 0)


@pytest.mark.parametrize(
    ("kind", "value", "size"),
    [
        (SHORT, 7, 2),
        (Guid(), None, 16),
        (Sequence(), None, 8),
        (Numbers("I", 4, Count("N")), (1, 2, 3), 12),
        (Numbers("H", 2, Count("N")), (1, 2, 3), 6),
        (Text(EOF), "ab\U0001f600", 8),
        (Text(NUL), "ab", 6),
        (Text(Count("N")), "", 0),
        (Bytes(Count("N")), b"abc", 3),
    ],
)
def test_sizes_of_values(kind: Any, value: Any, size: int) -> None:
    assert kind.size_of(value) == size


@pytest.mark.parametrize(
    ("kind", "code", "unit", "omitted", "numbers"),
    [
        (SHORT, "H", 1, 0, ()),
        (FLAGS, "H", 1, ..., ()),
        (Guid(), "16s", 1, ..., ()),
        (Sequence(), "8s", 1, ..., ()),
        (Numbers("I", 4, Count("N")), "", 4, (), ("N",)),
        (Values("Ids"), "", 1, (), ("Ids",)),
        (Bytes(5), "5s", 1, ..., ()),
        (Bytes(Count("N")), "", 1, b"", ("N",)),
        (Bytes(Fill(4, (("A", 1), ("B", 2)))), "", 1, ..., ("A", "B")),
        (Bytes(EOF), "", 1, ..., ()),
        (Text(Count("N", 2)), "", 2, "", ("N",)),
        (Text(NUL), "", 2, "", ()),
        (Nested(POINT), "", 1, ..., ()),
        (Items(POINT, Count("N")), "", 6, (), ("N",)),
        (Choice("N", {0: None, 1: POINT}), "", 1, None, ("N",)),
        (Choice("N", {1: POINT}), "", 1, ..., ("N",)),
        (Padding(Alignment("X", 4)), "", 1, ..., ()),
    ],
)
def test_facts_of_kinds(kind: Any, code: str, unit: int, omitted: Any, numbers: tuple[str, ...]) -> None:
    assert (kind.code, kind.unit, kind.omitted, kind.numbers) == (code, unit, omitted, numbers)
    assert field(kind, present=Presence(("P",))).numbers == ("P", *numbers)
    assert kind.is_list == (omitted == ())
    assert kind.is_number == (code == "H")


@pytest.mark.parametrize(
    ("kind", "stated", "length"),
    [
        (Items(POINT, Count("N")), 3, 3),
        (Numbers("I", 4, Count("N")), 0, 0),
        (Text(Count("N", 2)), 6, 3),
        (Bytes(Count("N")), 5, 5),
        (Values("N"), (7, 8), 2),
        (Values("N"), (), 0),
        (Text(NUL), 0, None),
        (Bytes(EOF), 0, None),
        (SHORT, 0, None),
    ],
)
def test_the_length_that_another_field_states(kind: Any, stated: Any, length: int | None) -> None:
    assert kind.length({"N": stated}.__getitem__) == length
    assert kind.is_empty({"N": stated}.__getitem__) == (length == 0)


def test_the_form_that_another_field_selects() -> None:
    choice = Choice("N", {0: None, 1: POINT, 2: TEXT})
    assert [choice.form({"N": number}.__getitem__) for number in (0, 1, 2, 3)] == [None, POINT, TEXT, None]
    assert [choice.is_empty({"N": number}.__getitem__) for number in (0, 1, 3)] == [True, False, False]
    assert Nested(POINT).form({"N": 0}.__getitem__) is POINT
    assert SHORT.form({"N": 0}.__getitem__) is None


def test_what_only_some_kinds_are() -> None:
    assert (field(Nested(POINT)).part, field(Items(POINT, Count("N"))).part) == (POINT, None)
    assert (field(Nested(POINT)).element, field(Items(POINT, Count("N"))).element) == (None, POINT)
    assert (field(FLAGS).word, field(BYTE).word) == (FLAGS, None)
    assert (field(FLAGS).groups, field(BYTE).groups) == ((LOW, HIGH), ())
    assert (field(Values("Ids")).identifiers, field(BYTE).identifiers) == ("Ids", "")
    assert (field(Padding(Alignment("X", 4))).alignment, field(BYTE).alignment) == (Alignment("X", 4), None)
    assert (field(Integer("I", 4, "Names")).enumeration, field(WORD).enumeration) == ("Names", None)
    assert field(FLAGS).enumeration is None
    assert [field(Choice("N", {1: POINT})).can_be_none, field(BYTE, present=LEFT).can_be_none] == [True, True]
    assert not field(Nested(POINT)).can_be_none


def test_a_new_kind_is_generated_and_read() -> None:
    """Each kind has a row in the table of the compiler; the diagnostic reader knows its size or reads it."""
    kinds: list[Any] = [
        BYTE, FLAGS, Guid(), Sequence(), Numbers("I", 4, Count("N")), Values("N"), Bytes(EOF), Text(EOF),
        Nested(POINT), Items(POINT, Count("N")), Choice("N", {1: POINT}), Padding(Alignment("X", 4)),
    ]  # fmt: skip
    assert {type(kind) for kind in kinds} == set(get_args(Kind))
    assert {type(kind) for kind in kinds if not kind.code} <= set(DiagnosticReader.readers)
    assert all(sources(kind).annotation for kind in kinds)


def test_structures_of_a_field() -> None:
    assert field(Choice("N", {0: None, 1: POINT, 2: TEXT, 3: POINT})).structures == [POINT, TEXT]
    assert field(Nested(POINT)).structures == field(Items(POINT, Count("N"))).structures == [POINT]
    assert field(BYTE).structures == field(Values("N")).structures == []


def test_a_field_has_the_kind_that_is_expected() -> None:
    assert field(BYTE).kind_as(Integer) is BYTE
    with pytest.raises(TypeError, match=r"^expected Nested of Field, got Integer$"):
        field(BYTE).kind_as(Nested)


def test_a_structure_of_fields() -> None:
    assert WHOLE.document == "MS-X"
    assert (WHOLE.fixed_size, WHOLE.least_size) == (None, 2 + 6 + 2 + 1)
    assert (POINT.fixed_size, POINT.least_size) == (6, 6)
    assert Structure("Empty", "[X] 5", ()).fixed_size == 0
    assert [WHOLE.offset_of(name) for name in ("Flags", "Point", "Name", "Number")] == [0, 2, 8, 10]
    assert WHOLE.flags("Flags") is FLAGS
    assert (WHOLE.scoped, WHOLE.extent, WHOLE.doc) == (False, None, "")
    plain = WHOLE.by_name["Number"]
    assert (plain.outside, plain.is_filler, plain.present, plain.known) == (False, False, None, None)


def test_paths_in_a_structure() -> None:
    flags, point, y = WHOLE.by_name["Flags"], WHOLE.by_name["Point"], POINT.by_name["Y"]
    assert WHOLE.at("Flags") == (flags, None)
    assert WHOLE.at("Flags.High") == (flags, HIGH)
    assert WHOLE.at("Point") == (point, None)
    assert WHOLE.at("Point.Y") == (y, None)
    assert WHOLE.group("Flags.Low") is LOW
    assert WHOLE.group("Flags") is WHOLE.group("Number") is WHOLE.group("Nothing") is None
    with pytest.raises(KeyError):
        WHOLE.at("Point.Z")
    assert WHOLE.owner_of("Y") == "; Point has it"
    assert WHOLE.owner_of("Flags") == WHOLE.owner_of("High") == ""


def test_all_structures_are_there_by_name() -> None:
    known = structures()
    assert {"BaseHeader", "UserMessage", "DirectoryChange", "NotificationUpdate"} <= known.keys()
    assert all(name == structure.name for name, structure in known.items())


@pytest.mark.parametrize(
    ("kind", "part", "element", "groups"),
    [
        (Nested(POINT), POINT, None, ()),
        (Items(POINT, Count("Size")), None, POINT, ()),
        (FLAGS, None, None, (LOW, HIGH)),
        (Choice("Size", {0: None, 1: POINT}), None, None, ()),
        (WORD, None, None, ()),
    ],
)
def test_what_a_field_has(kind: Any, part: Structure | None, element: Structure | None, groups: Any) -> None:
    field = Field("F", kind, "")
    assert (field.part, field.element, field.groups) == (part, element, groups)
