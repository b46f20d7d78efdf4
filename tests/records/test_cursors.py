"""Where the diagnostic reader is: numbers that are looked up by a path, their offsets, and limits."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from msmq_wire import mqmq
from msmq_wire.documents.layouts import structures
from msmq_wire.records.cursors import NOBODY, FieldCursor, Limit, NumberPlace, StructureCursor, is_placed
from msmq_wire.records.model import EOF, Bytes, Count, Field, Guid, Integer, Nested, Structure, Text
from msmq_wire.records.packing import BOUNDARY, is_packed, origin_of, packing, rival_stands
from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.reject import Reject

WORD = Integer("I", 4)
TEXT = Field("Text", Text(Count("Inner.Size", 2)), "")
INNER = Structure("Inner", "[X] 1", (Field("Flags", WORD, ""), Field("Size", WORD, "")))
OUTER = Structure("Outer", "[X] 2", (Field("Number", WORD, ""), Field("Inner", Nested(INNER), ""), TEXT))


def steps_of(structure: Structure) -> Any:
    """What a cursor asks the steps of a structure: no fields are read together."""
    return SimpleNamespace(structure=structure, rows={})


def opened() -> tuple[StructureCursor, StructureCursor]:
    """A structure at byte 100, with a part whose numbers were read."""
    outer = StructureCursor(steps_of(OUTER), "Outer.", "", 100, None)
    outer.values["Number"], outer.starts["Number"] = 7, 100
    inner = outer.inner["Inner"] = StructureCursor(steps_of(INNER), "Outer.", "Inner.", 104, outer)
    inner.values |= {"Flags": mqmq.UserHeaderFlags(DQ=5), "Size": 9}
    inner.starts |= {"Flags": 104, "Size": 108}
    return outer, inner


def test_numbers_by_their_paths() -> None:
    """They are in the structure itself, in a part of it, or around it."""
    outer, inner = opened()
    assert (outer.lookup("Number"), inner.lookup("Number")) == (7, 7)
    assert (outer.lookup("Inner.Size"), inner.lookup("Size")) == (9, 9)
    assert (outer.lookup("Inner.Flags.DQ"), inner.lookup("Flags.DQ")) == (5, 5)
    assert inner.lookup("Inner.Size") == 9
    assert outer.lookup("Text") == 0  # a field that is not there
    for frame in opened():
        with pytest.raises(KeyError):
            frame.lookup("Nothing")
    assert outer.parent is None
    assert inner.parent is outer


def test_places_of_numbers() -> None:
    outer, inner = opened()
    assert outer.location_of("Number") == inner.location_of("Number") == ("Outer", "Outer.Number", 100)
    assert outer.location_of("Inner.Size") == inner.location_of("Size") == ("Inner", "Outer.Inner.Size", 108)
    assert inner.location_of("Flags.DQ") == ("Inner", "Outer.Inner.Flags.DQ", 104)
    assert inner.location_of("Inner.Size") == outer.location_of("Inner.Size")
    assert outer.source("Inner.Size") == NumberPlace("Outer.Inner.Size", 108)
    for frame in opened():
        with pytest.raises(KeyError):
            frame.location_of("Nothing")
    assert (inner.origin("Outer"), inner.origin("Inner"), outer.origin("Inner")) == (100, 104, 100)
    assert inner.origin("Nothing") == 104


def test_numbers_of_a_part_that_was_read_at_once() -> None:
    """The record has them, and its layout their offsets."""
    header = mqmq.MessagePropertiesHeader(LabelLength=3, Label="ab\0")
    around = Structure("Outer", "[X] 2", (Field("Part", Nested(header.layout), ""),))
    outer = StructureCursor(steps_of(around), "Outer.", "", 40, None)
    outer.values["Part"], outer.starts["Part"] = header, 40
    assert outer.lookup("Part.LabelLength") == 3
    assert outer.lookup("Part.Flags.PA") == 0
    at = header.layout.offset_of("LabelLength")
    assert outer.location_of("Part.LabelLength") == (
        "MessagePropertiesHeader", "Outer.Part.LabelLength", 40 + at
    )  # fmt: skip


def test_what_an_open_structure_begins_with() -> None:
    frame = StructureCursor(steps_of(OUTER), "Outer.", "", 100, None)
    assert (frame.path, frame.structure) == ("Outer", OUTER)
    assert (frame.is_known, frame.is_in_step, frame.is_packed) == (False, True, False)
    assert (frame.values, frame.starts, frame.inner, frame.claim) == ({}, {}, {}, None)


@pytest.mark.parametrize(
    ("end", "says", "short"), [(0, 0, False), (5, 5, False), (5, 6, True), (5, 4, False)]
)
def test_a_limit_before_what_is_said(end: int, says: int, short: bool) -> None:
    assert Limit(end, "x", says=says).is_short is short
    assert not Limit(0, "buffer").is_short
    assert Limit(5, "buffer").source is NOBODY
    assert Limit(5, "buffer", says=sys.maxsize).is_short


def test_a_field_that_is_about_to_be_read() -> None:
    outer, inner = opened()
    limit = Limit(130, "Outer.Number", NumberPlace("Outer.Number", 100))
    plain = FieldCursor(inner, INNER.by_name["Size"], 108, limit)
    assert (plain.path, plain.left) == ("Outer.Inner.Size", 22)
    assert plain.source == NumberPlace("Outer.Number", 100)  # what states the limit
    counted = FieldCursor(outer, TEXT, 112, limit)
    assert counted.source == NumberPlace("Outer.Inner.Size", 108)  # what states its own size
    outer.claim = NumberPlace("Claim", 3)
    assert plain.source == NumberPlace("Claim", 3)  # the count that announces what is around it
    error = plain.wrong("wrong", 1, 2)
    assert (error.path, error.offset, error.limit) == ("Outer.Inner.Size", 108, "Outer.Number")
    assert (error.structure, error.expected, error.actual) == ("Inner", 1, 2)
    assert (error.source_path, error.source_offset) == (None, None)
    assert plain.wrong("wrong", 1, 2, element=0).path == "Outer.Inner.Size[0]"
    error = inner.wrong("Size", limit, "wrong", 1, 2)
    assert (error.path, error.offset, error.structure) == ("Outer.Inner.Size", 108, "Inner")
    assert (error.source_path, error.source_offset, error.limit) == (error.path, 108, "Outer.Number")


@pytest.mark.parametrize(
    ("fields", "scoped", "placed"),
    [
        ([Field("A", WORD, ""), Field("B", WORD, "")], False, True),
        ([Field("A", WORD, ""), Field("B", WORD, "")], True, False),  # its sizes are elsewhere
        ([Field("A", WORD, ""), Field("T", Bytes(EOF), "")], False, True),
        ([Field("T", Bytes(EOF), ""), Field("A", WORD, "")], False, False),
        ([Field("A", WORD, ""), Field("T", Bytes(EOF), ""), Field("B", WORD, "")], False, False),
        ([Field("G", Guid(), ""), Field("A", WORD, ""), Field("T", Bytes(EOF), "")], False, True),
        ([Field("G", Guid(), "")], False, True),
    ],
)
def test_structures_that_can_be_read_at_once(fields: list[Any], scoped: bool, placed: bool) -> None:
    """All their numbers have a fixed place, so that an error can name it."""
    assert is_placed(Structure("S", "[X] 3", tuple(fields), scoped=scoped)) is placed


# -------------------------------------------------------------------------------------------- packed lists


def test_elements_that_can_be_packed() -> None:
    """[MS-MQMQ] 2.2.20.1: only the padding of a public name is in doubt; the type before it has two bytes."""
    element = structures()["MQFFormatNameElement"]
    assert packing(element) == (frozenset({1}), 2, 2)
    assert packing(structures()["MQDSPUBLICKEY"]) is None
    public, private = b"\1\0" + bytes(16), b"\2\0" + bytes(20)
    assert origin_of(element, bytes(5) + public, 5, 99) == 7
    assert origin_of(element, bytes(5) + private, 5, 99) == 99
    assert origin_of(structures()["MQDSPUBLICKEY"], public, 0, 99) == 99


@pytest.mark.parametrize(
    ("stated", "packed"),
    [(19, False), (20, True), (21, True), (23, True), (24, False), (32, False)],
)
def test_a_list_is_packed_if_it_fits_in_no_other_way(stated: int, packed: bool) -> None:
    """Two elements of ten bytes, or of sixteen with paddings; up to three bytes may be unused."""
    assert BOUNDARY == 4
    element = structures()["MQFFormatNameElement"]

    def decode(_: bytes, at: int, end: int, __: Any, origin: int) -> tuple[None, int]:
        size = 16 if origin == 0 else 10
        if at + size > end:
            raise Reject
        return None, at + size

    data = (b"\1\0" + bytes(8)) * 4
    assert is_packed(element, decode, data, 0, 40, 0, 2, stated, DEFAULT_LIMITS) is packed
    assert not is_packed(element, decode, data, 0, 40, 0, 0, 0, DEFAULT_LIMITS)  # nothing is in doubt
    assert is_packed(element, decode, data, 0, 20, 0, 2, 20, DEFAULT_LIMITS)  # nothing is behind it
    assert not is_packed(element, decode, data, 0, 15, 0, 2, 15, DEFAULT_LIMITS)  # it fits in no way


def test_a_part_that_is_absent_though_announced() -> None:
    """If the input may end there and does, or if a header that replaces it is there."""
    rider = structures()["UserMessage"].by_name["SessionHeader"]
    assert rider.rival is not None
    assert rival_stands(rider, b"", 0, 0, ends_here=True)
    assert not rival_stands(rider, b"", 0, 0, ends_here=False)
    assert not rival_stands(rider, bytes(16), 0, 16, ends_here=True)
    other = rider.rival
    header = bytearray(other.size + 8)
    header[other.own : other.own + 4] = other.size.to_bytes(4, "little")
    header[other.rest : other.rest + 4] = (8).to_bytes(4, "little")
    assert rival_stands(rider, bytes(header), 0, len(header), ends_here=False)
    plain = structures()["UserMessage"].by_name["UserHeader"]
    assert not rival_stands(plain, b"", 0, 0, ends_here=True)
