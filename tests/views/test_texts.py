"""Values as short texts of one line, and the columns of a listing."""

from __future__ import annotations

import pytest

from msmq_wire.views import texts
from msmq_wire.views.listing import Line, columns


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a ~b", "a ~b"),
        ("\x1f\x7f\n", "\\x1f\\x7f\\n"),
        ("\xe4\u0100\U0001f600", "\\xe4\\u0100\\U0001f600"),
        ("\ud800", "\\ud800"),
        ("a\\b", "a\\b"),  # names of queues have many of them
    ],
)
def test_all_but_printable_ascii_is_escaped(text: str, escaped: str) -> None:
    assert texts.escape(text) == escaped


def test_letters_of_all_languages_are_printable() -> None:
    assert texts.printable("\xe4 \u4e00 a") == "\xe4 \u4e00 a"
    assert texts.printable("\xe4\x7f\n") == "\xe4\\x7f\\n"
    assert texts.printable("\xe4\x7f\n", in_json=True) == "\xe4\\u007f\\n"


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", '""'),
        ('a"b', '"a\\"b"'),
        ("x" * 60, '"' + "x" * 60 + '"'),
        ("x" * 40 + "y" * 21, '"' + "x" * 40 + '" .. "' + "y" * 20 + '"'),
        ("\n" * 30, '"' + "\\n" * 30 + '"'),
        ("\n" * 31, '"' + "\\n" * 20 + '" .. "' + "\\n" * 10 + '"'),
        ("x" * 100 + "\xe4" * 9, '"' + "x" * 40 + '" .. "' + "\\xe4" * 5 + '"'),  # whole escapes only
    ],
)
def test_long_texts_have_a_beginning_and_an_end(text: str, quoted: str) -> None:
    """Of sixty characters, forty and twenty."""
    assert texts.quote(text) == quoted


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"", ""),
        (b"\1", "01"),
        (bytes(range(8)), "00 01 02 03 04 05 06 07"),
        (bytes(range(9)), "00 01 02 03 .. 06 07 08"),
        (bytes(range(99)), "00 01 02 03 .. 60 61 62"),
    ],
)
def test_bytes(data: bytes, shown: str) -> None:
    assert texts.hex_bytes(data) == shown


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0 bytes"), (1, "1 byte"), (2, "2 bytes"), (1234567, "1,234,567 bytes")]
)
def test_sizes(count: int, shown: str) -> None:
    assert texts.size(count) == shown


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"", "0 bytes"),
        (b"\0", "1 byte, all 00"),
        (bytes(9), "9 bytes, all 00"),
        (b"a" * 8, '8 bytes, "aaaaaaaa"'),
        (b"a" * 9, "9 bytes, all 61"),
        (b"\x81" * 8, "8 bytes"),
        (b"hello", '5 bytes, "hello"'),
        (b"hello\0", '6 bytes, "hello"'),
        ("h\xe9!".encode("utf-16-le"), '6 bytes, "h\\xe9!"'),
        ("\u0600x".encode("utf-16-le"), "4 bytes"),  # from there on most pairs of bytes are letters
        (("ab" * 24).encode(), '48 bytes, "' + "ab" * 24 + '"'),
        (("ab" * 24 + "c").encode(), '49 bytes, "' + "ab" * 24 + '" ..'),
        (b"a\x01b", "3 bytes"),
        (b"a\t\r\nb", '5 bytes, "a\\t\\r\\nb"'),
    ],
)
def test_bytes_that_look_like_text(data: bytes, shown: str) -> None:
    assert texts.preview(data) == shown


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0, "s", "0 s"),
        (59, "s", "59 s"),
        (60, "s", "1 min"),
        (61, "s", "1 min 1 s"),
        (3599, "s", "59 min 59 s"),
        (3600, "s", "1 h"),
        (86399, "s", "23 h 59 min 59 s"),
        (86400 + 3600 + 60 + 1, "s", "1 d 1 h 1 min 1 s"),
        (345600, "s", "4 d"),
        (0xFFFFFFFE, "s", "49710 d 6 h 28 min 14 s"),
        (0xFFFFFFFF, "s", "for ever"),
        (0xFFFFFFFF, "ms", "49 d 17 h 2 min 47 s"),
        (5, "ms", "0.005 s"),
        (1000, "ms", "1 s"),
        (59999, "ms", "59.999 s"),
        (60001, "ms", "1 min"),
    ],
)
def test_durations(value: int, unit: str, shown: str) -> None:
    assert texts.duration(value, unit) == shown


def test_dates() -> None:
    assert texts.date(0) == "1970-01-01 00:00:00 UTC"
    assert texts.date(0xFFFFFFFF, "local time") == "2106-02-07 06:28:15 local time"


@pytest.mark.parametrize(
    ("first", "bits", "shown"),
    [(5, 0, ""), (5, 1, "5"), (5, 0b10111, "5-7, 9"), (0, 0b110, "1-2"), (9, 0b10101, "9, 11, 13")],
)
def test_numbers_of_bits(first: int, bits: int, shown: str) -> None:
    assert texts.sequence_numbers(first, bits) == shown


@pytest.mark.parametrize(
    ("kind", "size", "shown"),
    [
        (1, 3, None),
        (1, 4, "0.1.2.3"),
        (1, 9, "0.1.2.3"),
        (3, 9, None),
        (3, 10, "00010203.040506070809"),
        (3, 12, "00010203.040506070809"),
        (6, 7, None),
        (6, 8, "1:203:405:607:: (truncated)"),
        (6, 15, "1:203:405:607:809:a0b:c0d:e00 (truncated)"),
        (6, 16, "1:203:405:607:809:a0b:c0d:e0f"),
        (6, 20, "1:203:405:607:809:a0b:c0d:e0f"),
        (2, 16, None),
    ],
)
def test_addresses(kind: int, size: int, shown: str | None) -> None:
    """IP, IPX and IPv6 ([MS-MQMQ] 2.2.4.2)."""
    assert texts.address(kind, bytes(range(size))) == shown


def test_columns_are_as_wide_as_what_is_in_them() -> None:
    lines = [
        Line(0, "2 bytes", 0, "Header", "[X] 1"),
        Line(0, "01", 1, "Number", "1", "the first", head=True),
        Line(None, "    bit 3", 2, "Group", "1"),
        Line(0x1F, "01 02", 1, "Other", "a long value here", "meant"),
    ]
    assert list(columns(lines, 0x20)) == [
        "offset     bytes      field      value         meaning",
        "0000    0  2 bytes    Header     [X] 1",
        "",
        "0000    0  01           Number   1             the first",
        "               bit 3      Group  1",
        "001f   31  01 02        Other    a long value here  meant",
    ]
    wide = list(columns([Line(0x12345, "01", 0, "A")], 0x123456))
    assert wide == ["offset         bytes  field  value         meaning", "012345  74565  01  A"]


@pytest.mark.parametrize(
    ("host", "port", "text"),
    [("10.0.0.1", 1801, "10.0.0.1:1801"), ("::1", 1801, "[::1]:1801"), (None, None, "")],
)
def test_endpoints(host: str | None, port: int | None, text: str) -> None:
    """The colons of IPv6 are in brackets, as in addresses of the web."""
    assert texts.endpoint(host, port) == text
