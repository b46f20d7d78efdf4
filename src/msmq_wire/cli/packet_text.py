"""Bytes in the form of text: digits, dumps, literals of programming languages, base64.

1. Text is UTF-8, UTF-16 or Latin-1.  White space of any width counts as a space, and characters without a
   width are ignored.
2. The form follows from the text: a dump has a line with the offset zero, a literal has a backslash or
   quotation marks, an array has numbers with commas, and base64 begins with the signature of a packet.  All
   other text must be digits, which may follow ``0x``.
3. The offsets of a line and of the next one determine its number of bytes, so that its text column may have
   any characters.  The bytes of the last line end where those of the line before it do. An asterisk stands
   for copies of the line above it.
4. Errors state the line and the column.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from msmq_wire.packets.mistaken import is_base64
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.views.texts import counted

from .tcpdump_text import capture_of, dumps_in, is_of_tcpdump

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MARKS: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"\xef\xbb\xbf": "utf-8"}
"""Byte order marks, and their encodings."""
_HEAD: Final = 64
_MOSTLY: Final = 0.7
"""The least share of ASCII in text without a byte order mark that is not UTF-8."""
_HIGH: Final = bytes(range(0x80, 0x100))
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_WIDE_SPACE: Final = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_NO_WIDTH: Final = re.compile("[\xad\u200b-\u200f\u2060\ufeff]")

_DUMP: Final = re.compile(r"\s*(?:0x)?0{4,16}(?:h?:|[ \t]{2})")
"""The beginning of a dump: the offset zero."""
_DUMP_OF_OD: Final = re.compile(r"\s*0{6} [0-9A-Fa-f]{2}(?: .*)?\n(?:.*\n)*?[0-9A-Fa-f]{6,}\s*")
"""A dump of ``od``, with one space after the offset; its last line is the offset of the end."""
_LATER: Final = re.compile(r"\s*(?:0x)?[0-9A-Fa-f]{4,16}:[ \t]+[0-9A-Fa-f]{2}")
"""The beginning of a dump with another offset, which is an error."""
_ABOVE: Final = re.compile(
    r"\s*(?:(?:Path|Label):.*|Offset +Bytes.*|-+ -+ -+|(?:00 01 02 03|0 +1 +2 +3)[ 0-9A-Fa-f]*)\s*"
)
"""A line above a dump of ``Format-Hex``."""
_OFFSET: Final = re.compile(r"\s*(?:0x)?([0-9A-Fa-f]{4,16})(h?:|(?=\s|$))")
_BYTE: Final = re.compile(r"[ \t-]{0,3}([0-9A-Fa-f]{2})")
_LAST_BYTE: Final = re.compile(r"[ \t-]?([0-9A-Fa-f]{2})(?=[ \t|-]|$)")
_LAST_GROUP: Final = re.compile(r"[ \t]?((?:[0-9A-Fa-f]{2})+)(?=[ \t]|$)")
"""Bytes of the only line of a dump, without and with a colon after the offset."""
_MOST: Final = 1 << 28
"""The most bytes of a dump with repeated lines."""
_ROW: Final = 16
_HALF_ROW: Final = 8
"""Usual numbers of bytes in a line of a dump; many have a wider gap after half of them."""

_COMMENT: Final = re.compile(
    r"/\*.*?\*/|//[^\n]*|#[^\n]*|\(\s*(?:byte|char|unsigned char|uint8_t)\s*\)", re.DOTALL
)
_OF_TYPE: Final = "(?:_?[uU]8?)?"
"""The suffixes of unsigned numbers in C, C++ and Rust."""
_FIRST_NUMBER: Final = re.compile(
    rf"(?<![\w.])(?:0[xX][0-9A-Fa-f]{{1,2}}{_OF_TYPE}[\s,]+(?=0[xX])"
    rf"|(?:0[xX][0-9A-Fa-f]{{1,2}}|-?\d{{1,3}}){_OF_TYPE},)"
)
_NUMBER: Final = re.compile(
    rf"0[xX]([0-9A-Fa-f]{{1,2}})(?![0-9A-Fa-f]){_OF_TYPE}|(-?\d{{1,3}}){_OF_TYPE}(?!\w)|'([^'\\])'"
)
_BETWEEN: Final = re.compile(r"[\s,]*")
_BIGGEST: Final = 0xFF

_QUOTE: Final = re.compile(r"[\"']")
_IN_QUOTES: Final = {quote: re.compile(rf"(?:[^{quote}\\]+|\\.)*", re.DOTALL) for quote in ('"', "'")}
_ONLY_ESCAPES: Final = re.compile(r"(?:\\x[0-9A-Fa-f]{2}[\s,]*)+")
_CHARACTER: Final = re.compile(
    r"\\(?:(?:x|u00)([0-9A-Fa-f]{2})|([0-7]{1,3})|(\n[ \t]*)|([abefnrtv\\'\"?]))|([^\\])"
)
_SIMPLE: Final = {
    "a": 7, "b": 8, "e": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63
}  # fmt: skip

_PREFIX: Final = re.compile(r"\s*0[xX](?=[0-9A-Fa-f])")
_NO_DIGIT: Final = re.compile(r"[^0-9A-Fa-f\s:;,-]")
_UNIT: Final = re.compile(r"[^:;,-]+")
_BASE64: Final = re.compile(r"\s*(?:data:[\w/+.;=-]*,)?[\"']?(?P<digits>[A-Za-z0-9+/_\s-]+)")
"""The beginning of base64, also with the two digits that are safe in URLs."""
_PADDING: Final = re.compile(r"(?:=\s*){0,2}[\"',;\s]*")
_URL_SAFE: Final = str.maketrans("-_", "+/")
_QUARTET: Final = 4
"""Digits of base64 that stand for three bytes."""
_NUMERAL: Final = re.compile(r"0[xX][0-9A-Fa-f]+|-?\d+")
_LONG_NUMERAL: Final = re.compile(r"(?<!\w)0[xX][0-9A-Fa-f]{3,}")
_WORD: Final = re.compile(r"[^\s,;\])}]+")
_NEITHER: Final = "neither digits, a dump, a literal, an array nor base64 of a packet: "


def text_of(data: bytes) -> str | None:
    """Return the text of these bytes; None if they are not text.

    Args:
        data: The bytes, or the first of them: the last character may be cut.
    """
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    encoding = _MARKS[mark] if mark else _encoding_of(data)
    if encoding is None:
        return None
    text = data[len(mark) :].decode(encoding, "replace")
    return None if not text or _CONTROLS.search(text) else text


def _encoding_of(data: bytes) -> str | None:
    """Return the encoding of text without a byte order mark; None for other bytes."""
    head = data[:_HEAD]
    for encoding, high, low in (("utf-16-le", head[1::2], head[::2]), ("utf-16-be", head[::2], head[1::2])):
        if low and all(low) and high.count(0) > _MOSTLY * len(low):
            return encoding
    try:
        data.decode()
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            is_latin = len(data) - len(data.translate(None, _HIGH)) <= (1 - _MOSTLY) * len(data)
            return "latin-1" if is_latin else None
    return "utf-8"


def bytes_of_text(text: str) -> bytes:
    """Return the bytes that a text stands for.

    Args:
        text: Digits with white space anywhere, or with a colon, hyphen or comma between bytes; a dump of
            ``xxd``, ``hexdump -C``, ``od -A x -t x1``, Wireshark or ``Format-Hex``, whose offsets begin at
            zero and leave no gap; the output of ``tcpdump -X``, which stands for a capture; a literal or an
            array of bytes, as in C, C#, Go, Java, PowerShell, Python or Rust; or base64 of a packet.

    Raises:
        MsmqWireError: The text is none of these; the error states the line and the column.
    """
    text = _WIDE_SPACE.sub(" ", _NO_WIDTH.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    lines = text.split("\n")
    if is_of_tcpdump(text):
        return capture_of([_from_dump(lines[:end], start) for start, end in dumps_in(lines)])
    above = 0
    while above < len(lines) and (not lines[above].strip() or _ABOVE.fullmatch(lines[above])):
        above += 1
    has_title = any(line.strip() for line in lines[:above])
    rest = "\n".join(lines[above:])
    if (
        _DUMP.match(rest)
        or _DUMP_OF_OD.fullmatch(rest)
        or _LATER.match(rest)
        or (has_title and _OFFSET.match(rest))
    ):
        return _from_dump(lines, above)
    try:
        return _from_other(text)
    except MsmqWireError:
        begins = next((number for number, line in enumerate(lines, 1) if _DUMP.match(line)), None)
        if begins is None:
            raise
        raise MsmqWireError(f"line {begins} begins a dump; remove what is above it") from None


def _from_other(text: str) -> bytes:
    """Convert text that is not a dump."""
    match = _BASE64.match(text)
    if match and is_base64(_base64_digits(match["digits"][:_HEAD]).encode()):
        return _from_base64(text, match)
    if "\\" in text or _QUOTE.search(text):
        return _from_literal(text)
    plain = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)
    first = _FIRST_NUMBER.search(plain)
    if first and ("0x" in plain.lower() or any(bracket in plain[: first.start()] for bracket in "[({=")):
        return _from_array(plain, first.start())
    return _from_digits(text)


def _problem(text: str, position: int, sentence: str, before: str = "") -> MsmqWireError:
    """Return an error with the line and the column of a position."""
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return MsmqWireError(f"{before}line {line}, column {column}: {sentence}")


# ----------------------------------------------------------------------------------------------- dumps


class _Line(NamedTuple):
    """A line of a dump.

    Attributes:
        number: Its number, from 1.
        text: The line.
        offset: The offset of its bytes.
        start: The column in which they begin, from 0.
        colon: Whether a colon follows the offset; then bytes are in groups of any size.
        repeats: Whether an asterisk is above it: the line before it is repeated up to this offset.
    """

    number: int
    text: str
    offset: int
    start: int
    colon: bool
    repeats: bool


_END: Final = _Line(0, "", 0, 0, colon=False, repeats=False)
"""The bytes after the last line."""


def _from_dump(lines: list[str], above: int) -> bytes:
    """Convert a dump, which begins below these lines."""
    most = _ROW if any(line.strip() for line in lines[:above]) else _MOST
    data = bytearray()
    values, end = b"", None
    for row, following in pairwise(chain(_rows(lines, above), [_END])):
        if row.repeats and values and len(data) < row.offset <= _MOST:
            data += values * ((row.offset - len(data)) // len(values))
        if row.offset != len(data):
            raise _wrong_offset(row, len(data))
        if following is not _END and not following.repeats and following.offset > row.offset:
            values, end = _counted(row, following.offset - row.offset)
        elif end is not None:
            values, _ = _counted(row._replace(text=row.text[:end].rstrip()), None)
        else:
            values = _alone(row, most)
        data += values
    return bytes(data)


def _rows(lines: list[str], above: int) -> Iterator[_Line]:
    repeats = False
    for number, line in enumerate(lines[above:], above + 1):
        if not line.strip():
            continue
        if line.strip() == "*":
            repeats = True
            continue
        match = _OFFSET.match(line)
        if match is None:
            raise MsmqWireError(f"line {number} of the dump has no offset: {line.strip()[:40]!r}")
        yield _Line(number, line, int(match[1], 16), match.end(), bool(match[2]), repeats)
        repeats = False
    if repeats:
        raise MsmqWireError("the dump ends with an asterisk: the offset of its end is missing")


def _wrong_offset(row: _Line, expected: int) -> MsmqWireError:
    digits = row.text.split()[0].strip(":h")
    advice = ""
    if row.offset == 0:
        advice = "; a second dump begins there: give one at a time"
    elif digits.isdecimal() and int(digits) == expected:
        advice = "; the offsets are decimal: dump with hexadecimal ones"
    return MsmqWireError(
        f"line {row.number} of the dump: expected the offset {expected:#x}, found {row.offset:#x}{advice}"
    )


def _counted(row: _Line, count: int | None) -> tuple[bytes, int]:
    """Return this many bytes of a line, or all of them, and the column in which they end."""
    values, at = bytearray(), row.start
    while count is None or len(values) < count:
        match = _BYTE.match(row.text, at)
        if match is None:
            if count is None and not row.text[at:].strip():
                break
            after = "" if count is None else f", because the next line is at {row.offset + count:#x}"
            raise _no_byte(row, at, f"expected byte {len(values) + 1}, two hexadecimal digits{after}")
        values.append(int(match[1], 16))
        at = match.end()
    return bytes(values), at


def _no_byte(row: _Line, at: int, sentence: str) -> MsmqWireError:
    rest = row.text[at:].split()
    shown = repr(rest[0]) if rest else "the end of the line"
    column = len(row.text) - len(row.text[at:].lstrip()) + 1
    return MsmqWireError(f"line {row.number}, column {column}: {sentence}, found {shown}")


def _alone(row: _Line, most: int) -> bytes:
    """Return the bytes of the only line: they end at two spaces, at a bar, or at the maximum of a line."""
    values, at = bytearray(), len(row.text) - len(row.text[row.start :].lstrip())
    pattern = _LAST_GROUP if row.colon else _LAST_BYTE
    while len(values) < most and (match := pattern.match(row.text, at)):
        values += bytes.fromhex(match[1])
        at = match.end()
        if not row.colon and len(values) == _HALF_ROW and row.text[at : at + 2] == "  ":
            at += 1
    rest = row.text[at:]
    if rest.strip() and not rest.startswith(("  ", "|", " |", "\t")) and len(values) < most:
        raise _no_byte(row, at, "expected two hexadecimal digits")
    return bytes(values)


# ----------------------------------------------------------------------------- literals, arrays, base64


def _from_literal(text: str) -> bytes:
    """Convert the strings of a literal, or text with escapes that has no quotation marks."""
    if _ONLY_ESCAPES.fullmatch(text.strip()):
        return bytes.fromhex("".join(re.findall(r"\\x(..)", text)))
    strings = list(_strings(text)) or [(len(text) - len(text.lstrip()), text.strip())]
    if not any("\\" in string for _, string in strings):
        return _from_digits(_without_others(text, strings))
    return b"".join(_unescaped(text, start, string) for start, string in strings)


def _without_others(text: str, strings: Iterable[tuple[int, str]]) -> str:
    """Return a text with spaces in the place of everything that is not in its strings."""
    parts, at = [], 0
    for start, string in strings:
        parts += [re.sub(r"[^\n]", " ", text[at:start]), string]
        at = start + len(string)
    return "".join(parts)


def _strings(text: str) -> Iterator[tuple[int, str]]:
    """Yield the strings in quotation marks, with their positions."""
    quote = _QUOTE.search(text)
    while quote is not None:
        match = _IN_QUOTES[quote[0]].match(text, quote.end())
        inner = match[0] if match else ""
        yield quote.end(), inner
        quote = _QUOTE.search(text, quote.end() + len(inner) + 1)


def _unescaped(text: str, start: int, string: str) -> bytes:
    values = bytearray()
    at = 0
    while at < len(string):
        match = _CHARACTER.match(string, at)
        if match is None:
            raise _problem(text, start + at, f"unknown escape {string[at : at + 2]!r}")
        hexadecimal, octal, joined, simple, plain = match.groups()
        value = (
            int(hexadecimal, 16) if hexadecimal else int(octal, 8) if octal else _SIMPLE.get(simple or "", 0)
        )
        value = ord(plain) if plain else value
        if value > _BIGGEST:
            raise _problem(text, start + at, f"{match[0]!r} is not one byte")
        if joined is None:
            values.append(value)
        at = match.end()
    return bytes(values)


def _from_array(text: str, start: int) -> bytes:
    """Convert numbers up to the bracket that closes the array, or to the end of the text."""
    values, at = bytearray(), start
    while at < len(text) and text[at] not in "]})":
        match = _NUMBER.match(text, at)
        if match is None:
            raise _problem(text, at, _no_number(text, at))
        hexadecimal, decimal, character = match.groups()
        value = int(hexadecimal, 16) if hexadecimal else int(decimal) if decimal else ord(character)
        if not -0x80 <= value <= _BIGGEST:
            raise _problem(text, at, f"{match[0]} is not one byte")
        values.append(value & _BIGGEST)
        at = _BETWEEN.match(text, match.end()).end()  # type: ignore[union-attr]  # it matches nothing, too
    return bytes(values)


def _no_number(text: str, at: int) -> str:
    """Return why no number of one byte is at a position."""
    word = _WORD.match(text, at)
    value = word[0] if word else text[at]
    if _NUMERAL.fullmatch(value):
        return f"{value} is not one byte"
    return f"expected a number of one byte, found {value!r}"


def _base64_digits(text: str) -> str:
    return "".join(text.split()).translate(_URL_SAFE)


def _from_base64(text: str, match: re.Match[str]) -> bytes:
    digits, end = _base64_digits(match["digits"]), match.end("digits")
    before = "base64 of a packet: "
    if not _PADDING.fullmatch(text, end):
        raise _problem(text, end, f"expected a digit of base64, found {text[end]!r}", before)
    if len(digits) % _QUARTET == 1:
        last = match.start("digits") + len(match["digits"].rstrip()) - 1
        raise _problem(text, last, "expected more digits of base64, found the end", before)
    return a2b_base64(digits + "=" * (-len(digits) % _QUARTET))


def _from_digits(text: str) -> bytes:
    """Convert digits."""
    prefix = _PREFIX.match(text)
    if prefix and not _PREFIX.search(text, prefix.end()):
        text = " " * prefix.end() + text[prefix.end() :]
    other = _NO_DIGIT.search(text)
    numeral = _LONG_NUMERAL.match(text, other.start() - 1) if other and other.start() else None
    if numeral:
        raise _problem(text, numeral.start(), f"{numeral[0]} is not one byte")
    if other:
        raise _problem(text, other.start(), f"expected a hexadecimal digit, found {other[0]!r}", _NEITHER)
    for unit in _UNIT.finditer(text):
        digits = "".join(unit[0].split())
        if len(digits) % 2:
            start = unit.start() + len(unit[0]) - len(unit[0].lstrip())
            raise _problem(
                text,
                start,
                f"expected two hexadecimal digits a byte, found {counted(len(digits), 'digit')}",
            )
    return bytes.fromhex("".join(re.findall(r"[0-9A-Fa-f]", text)))
