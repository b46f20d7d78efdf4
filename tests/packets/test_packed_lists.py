"""Lists with public names, of which no page says where they begin: the bytes decide (erratum M13)."""

from __future__ import annotations

import struct
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import msmq_wire as mw
from msmq_wire import arrow, mqmq

PUBLIC, PRIVATE, DIRECT = 1, 2, 3
HEAD = struct.Struct("<IHHI")


def name(kind: int, number: int, at: int, boundary: int) -> bytes:
    """A name that begins at a place in its list, and the padding in front of it."""
    content = {
        PUBLIC: bytes([number] * 16),
        PRIVATE: bytes([number] * 16) + struct.pack("<I", number),
        DIRECT: f"OS:host{number}\\q\0".encode("utf-16-le"),
    }[kind]
    wanted = {PUBLIC: boundary, PRIVATE: 4, DIRECT: 2}[kind]
    return struct.pack("<H", kind) + bytes(-(at + 2) % wanted) + content


def names(kinds: list[int], boundary: int) -> bytes:
    """A list by hand: public names are aligned on that boundary."""
    made = b""
    for number, kind in enumerate(kinds, 1):
        made += name(kind, number, HEAD.size + len(made), boundary)
    return HEAD.pack(HEAD.size + len(made), 0x64, 0, len(kinds)) + made


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def read(data: bytes) -> Any:
    header = mqmq.MQFAddressHeader.decode(data)
    assert header.encode() == data
    return header


def publics(header: Any) -> list[int]:
    return [
        one.FormatName.PublicQueueIdentifier.bytes_le[0]
        for one in header.FormatNameList
        if one.FormatType == PUBLIC
    ]


def in_message(data: bytes) -> bytes:
    """A message with that list as its destinations."""
    header = mqmq.MultiQueueFormatHeader()
    queue = mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b")
    whole = mqmq.UserMessage(UserHeader=queue, MultiQueueFormatHeader=header).encode()
    lists = header.encode()
    at = whole.rindex(lists)
    made = whole[:at] + data + lists[HEAD.size :]
    return made[:8] + struct.pack("<I", len(made)) + made[12:]


@pytest.mark.parametrize("kinds", [[1], [1, 1], [1, 1, 1], [3, 1], [1, 3, 1, 2], [2, 1, 2, 1, 3]])
@pytest.mark.parametrize("boundary", [4, 2])
def test_both_ways_are_read(kinds: list[int], boundary: int) -> None:
    data = padded(names(kinds, boundary))
    header = read(data)
    assert publics(header) == [at for at, kind in enumerate(kinds, 1) if kind == PUBLIC]
    assert header.is_packed == (names(kinds, 4) != names(kinds, 2) and boundary == 2)
    assert not mw.validate(header)
    lax = mw.decode_lax(data, mqmq.MQFAddressHeader)
    assert (lax.packet, lax.error) == (header, None)
    assert "PublicQueueIdentifier" in mw.explain(data, mqmq.MQFAddressHeader)


@given(st.lists(st.sampled_from([PUBLIC, PRIVATE, DIRECT]), min_size=1, max_size=12), st.sampled_from([2, 4]))
def test_in_messages(kinds: list[int], boundary: int) -> None:
    data = in_message(padded(names(kinds, boundary)))
    message: Any = mw.decode(data)
    assert mw.encode(message) == data
    found = message.MultiQueueFormatHeader.Destination
    assert publics(found) == [at for at, kind in enumerate(kinds, 1) if kind == PUBLIC]
    assert mw.decode_lax(data).packet == message
    column = arrow.decode_packets(pa.array([data]))
    assert column[0]["error"].as_py() is None
    assert arrow.encode_packets(column)[0].as_py() == data
    stream = mw.PacketStream()
    assert next(iter(stream.feed(data))) == message


def test_where_both_fit_names_are_aligned() -> None:
    """One public name, and a HeaderSize that counts two more bytes: two bytes before it, or after it."""
    data = bytearray(padded(names([PUBLIC], 2)))
    data[0] = len(data)
    header = read(bytes(data))
    assert not header.is_packed
    assert publics(header) == [1]
    assert header.FormatNameList[0].Padding == b"\1\1"


def test_a_packed_list_leaves_less_than_a_boundary_unused() -> None:
    """Four public names fill 84 bytes without paddings and 92 with them; what lies between is no list."""
    data = bytearray(names([PUBLIC] * 4, 2))
    assert len(data) == 84
    assert read(bytes(data)).is_packed
    data[0] = 88
    with pytest.raises(mw.DecodeError):
        mqmq.MQFAddressHeader.decode(bytes(data) + bytes(4))


def test_what_fits_neither_way_is_refused_as_before() -> None:
    data = bytearray(padded(names([PUBLIC, PUBLIC], 2)))
    data[0] -= 8
    with pytest.raises(mw.DecodeError, match="expected one of 0x1, 0x2, 0x3, 0x6, found 0x"):
        mqmq.MQFAddressHeader.decode(bytes(data[:-8]))


def test_what_is_built_is_aligned() -> None:
    public = mqmq.PublicQueueFormatName(mw.GUID(bytes(16)))
    element = mqmq.MQFFormatNameElement(FormatType=PUBLIC, FormatName=public)
    header = mqmq.MQFAddressHeader(HeaderID=0x64, FormatNameList=[element] * 3)
    assert not header.is_packed
    assert read(header.encode()) == header


@pytest.mark.parametrize("there", [0, 1])
@pytest.mark.parametrize("kinds", [[1], [1, 1, 1], [3, 1]])
def test_a_packet_that_is_cut_behind_a_packed_list(kinds: list[int], there: int) -> None:
    """In the two bytes that fill it up: all of the list is known, as far as the caller wants to know."""
    raw = names(kinds, 2)
    data = in_message(padded(raw))
    at = data.index(raw) + len(raw)
    cut, whole = mw.decode_lax(data[: at + there]), mw.decode_lax(data)
    path = "MultiQueueFormatHeader.Destination.Padding"
    assert cut.reached == (path, at)
    assert cut.cut == ((path, at, 1, 2, b"\0") if there else None)
    assert dict(cut.doubtful) == {}
    assert list(cut.fields.items()) == [*whole.fields.items()][: len(cut.fields)]
    assert list(whole.fields)[len(cut.fields)] == path
    assert (cut.left_out, cut.errors) == (0, (cut.error,))
    for most in (1, len(cut.fields) - 5, 2 * len(cut.fields)):
        bound = mw.decode_lax(data[: at + there], limits=mw.Limits(lax_fields=most))
        shown = {name.partition("]")[0] for name in bound.fields if "[" in name}
        assert bound.left_out + len(shown) == len(kinds)
        assert bound.reached == cut.reached
    assert bound.fields == cut.fields
