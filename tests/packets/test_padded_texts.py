"""SoapHeaders whose parts may be padded: where BodySectionID stands decides (erratum M16)."""

from __future__ import annotations

import struct
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import msmq_wire as mw
from msmq_wire import arrow, mqmq

BODY = 0x0384
TEXTS = st.text(st.characters(codec="utf-16", exclude_characters="\0"), max_size=9)


def soap(header: str, body: str, between: bytes, number: int = BODY) -> bytes:
    """A SoapHeader by hand; a text is given with its null."""
    parts = [text.encode("utf-16-le") for text in (header, body)]
    data = struct.pack("<HHI", 0x0320, 0, len(parts[0]) // 2) + parts[0] + between
    data += struct.pack("<HHI", number, 0, len(parts[1]) // 2) + parts[1]
    return data + b"\xee" * (-len(data) % 4)


def read(data: bytes) -> Any:
    header = mqmq.SoapHeader.decode(data)
    assert header.encode() == data
    lax = mw.decode_lax(data, mqmq.SoapHeader)
    assert (lax.packet, lax.error) == (header, None)
    return header


def in_message(data: bytes) -> bytes:
    head = mqmq.UserMessage(UserHeader=mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(HH=1))).encode()
    made = head + data
    return made[:8] + struct.pack("<I", len(made)) + made[12:]


@pytest.mark.parametrize("between", [b"", b"\0\0", b"\x5a\xa5"])
def test_both_ways_are_read(between: bytes) -> None:
    header = read(soap("ab\0", "body\0", between))
    assert (header.Header, header.Body, header.BodySectionID) == ("ab\0", "body\0", BODY)
    assert header.HeaderPadding == between
    assert header.is_padded == bool(between)
    assert not mw.validate(header, "should")


def test_where_the_header_ends_on_the_boundary_nothing_is_between() -> None:
    header = read(soap("a\0", "b\0", b""))
    assert not header.is_padded


@pytest.mark.parametrize(
    "data",
    [
        soap("ab\0", "", b"")[:16] + struct.pack("<HI", BODY, 0) + bytes(2),
        soap("ab\0", "b\0", b"", 1),
        soap("ab\0", "", b"\0\0", 1)[:-2],
    ],
    ids=["at once, and behind too", "at once, another number", "behind, another number"],
)
def test_padding_is_there_only_if_the_number_shows_it(data: bytes) -> None:
    assert not read(data).is_padded


def test_another_number_is_told() -> None:
    header = read(soap("ab\0", "b\0", b"", 0x385))
    assert [found.requirement for found in mw.validate(header)] == ["MQMQ-2.2.20.7-05"]


@pytest.mark.long
@given(TEXTS, TEXTS, st.booleans())
def test_in_messages(header: str, body: str, padded: bool) -> None:
    odd = len((header + "\0").encode("utf-16-le")) % 4
    data = in_message(soap(header + "\0", body + "\0", b"\xab\xcd" if padded and odd else b""))
    message: Any = mw.decode(data)
    assert mw.encode(message) == data
    assert message.SoapHeader.is_padded is bool(padded and odd)
    assert message.SoapHeader.Body == body + "\0"
    assert mw.decode_lax(data).packet == message
    assert mw.from_dict(mw.to_dict(message)) == message
    column = arrow.decode_packets(pa.array([data, data[:-1]]))
    assert column[0]["error"].as_py() is None
    assert arrow.encode_packets(column)[0].as_py() == data
    assert next(iter(mw.PacketStream().feed(data))) == message


@given(st.binary(max_size=40), st.booleans())
def test_readers_agree_on_any_bytes(tail: bytes, marked: bool) -> None:
    """All readers read the same of any bytes behind Header."""
    mark = struct.pack("<H", BODY) if marked else b""
    data = in_message(struct.pack("<HHI", 0x0320, 0, 1) + b"\0\0" + tail[:2] + mark + tail[2:])
    told = None
    try:
        packet = mw.decode(data)
    except mw.DecodeError as error:
        assert mw.decode_lax(data).error is not None
        told = str(error)
    else:
        assert mw.decode_lax(data).packet == packet
        assert mw.encode(packet) == data
    (row,) = arrow.decode_packets(pa.array([data]))
    assert (row["error"].as_py() or {"message": None})["message"] == told


def test_what_is_built_and_replaced() -> None:
    built = mqmq.SoapHeader(Header="ab", Body="body")
    assert built.HeaderPadding == b""
    padded = mqmq.SoapHeader(Header="ab", Body="body", HeaderPadding=b"\xab\xcd")
    assert read(padded.encode()) == padded
    assert len(padded.encode()) % 4 == 0
    assert mw.replace(padded, Reserved=1).HeaderPadding == b"\xab\xcd"
    assert mw.replace(padded, Header="abcd").HeaderPadding == b"\xab\xcd"
    shorter = mw.replace(padded, Header="abc")
    assert (shorter.HeaderPadding, read(shorter.encode())) == (b"", shorter)
    message = mqmq.UserMessage(SoapHeader=padded)
    assert mw.decode(message.encode()) == message
    assert mw.replace(message, SoapHeader=shorter).encode() == mqmq.UserMessage(SoapHeader=shorter).encode()
    assert "HeaderPadding" in mw.explain(message)
