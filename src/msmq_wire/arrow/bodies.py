"""The form of a body, its text, and the types of its objects."""

from __future__ import annotations

import math
import re
import string
import struct
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from filetype.match import match
from filetype.types import ARCHIVE, DOCUMENT, IMAGE, TYPES

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents.directory_properties import body_value
from msmq_wire.values.body_types import BODY_TYPES

from ._filling.text import utf8_array
from .columns import writable
from .distinct import Distinct
from .dotnet import is_object, type_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMS: Final = (
    "its BodyType, such as ``VT_BSTR``, if the body has the form of this type: the size of a number, or "
    "whole characters, with or without a terminator, and with a null character before the end only in "
    "``VT_BSTR``; of every other body, of no type, of a type of bytes or of an unknown type, what it is: "
    "``UTF-8 XML``, ``UTF-8``, ``UTF-16``, ``Latin-1 (guess)``, ``.NET binary``, the format of a file by its "
    "first bytes, such as ``gzip``, ``ZIP``, ``PDF``, ``PNG``, ``BMP`` or ``PE``, else ``bytes`` or "
    "``empty``; or ``encrypted``"
)
"""The forms that `read_body` returns, in words."""
_NAMES: Final = {
    "gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd", "7z": "7-Zip", "jpg": "JPEG", "tif": "TIFF",
    "webp": "WebP", "lz4": "lz4", "lz": "lzip", "lzo": "lzop", "sqlite": "SQLite",
}  # fmt: skip
"""Names of formats, by their suffixes; the others are named by the suffix in capitals."""
_WEAK: Final = frozenset({"bmp", "br", "elf", "eot", "exe", "ico", "ps", "Z"})
"""Formats that `filetype` detects without a distinctive mark: by two bytes, small numbers, or common bytes.

Of these, bitmaps and executables are detected by their headers.
"""
_OF_OTHERS: Final = frozenset({"apng", "docx", "epub", "odp", "ods", "odt", "pptx", "xlsx"})
"""The matchers of formats that are PNG or ZIP."""
_MATCHERS: Final = [
    matcher
    for matcher in TYPES
    if matcher in (*IMAGE, *DOCUMENT, *ARCHIVE) and matcher.extension not in _WEAK | _OF_OTHERS
]
"""The matchers of images, documents and archives."""
_BITMAP: Final = "BMP"
SUFFIXES: Final = {
    _BITMAP: "bmp",
    **{_NAMES.get(suffix, suffix.upper()): suffix for suffix in (matcher.extension for matcher in _MATCHERS)},
}
"""Suffixes of the formats of files that are not executables."""
_BITMAP_HEADERS: Final = struct.Struct("<2x4xIII")
"""Reserved bytes, the offset of the pixels, and the size of the second header, with its mark before."""
_FILE_HEADER, _LEAST_HEADER = 14, 12
"""Sizes of the first header of a bitmap, and of the shortest second one."""
_LEAST_OF_FILE: Final = 8
"""Minimum size of a file: three bytes with the mark of gzip may be a small number."""
_PDF: Final = b"%PDF-"
_PE_POINTER, _PE_MARK = 0x3C, b"PE\0\0"
_NE_MARKS: Final = (b"NE", b"LE", b"LX")
_SHORTCUT: Final = bytes.fromhex("4c0000000114020000000000c000000000000046")
"""The size of the header of a shortcut of Windows, and its class ([MS-SHLLINK] 2.1)."""
_CLASS_OR_FAT: Final = b"\xca\xfe\xba\xbe"
_FIRST_CLASS: Final = 45
"""The version of the first Java classes; of a Mach-O file for several processors, their number is there."""
_MACH: Final = {
    b"\xfe\xed\xfa\xce": ">", b"\xfe\xed\xfa\xcf": ">", b"\xce\xfa\xed\xfe": "<", b"\xcf\xfa\xed\xfe": "<",
}  # fmt: skip
"""The marks of Mach-O files for one processor, and the byte order of what follows."""
_MACH_TYPE, _MACH_TYPES = 12, range(1, 16)
"""Offset and values of the type of a Mach-O file: an object, a program, a library and others."""
_XML: Final = re.compile(rb"(\xef\xbb\xbf)?\s*<[?!A-Za-z]")
_XML_16: Final = re.compile(rb"(\xff\xfe)?<\0[?!A-Za-z]\0")
_CONTROLS: Final = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]")
_JOINERS: Final = re.compile("[\u200b-\u200f]")
"""Characters without a shape that Arabic, Hebrew, Indian scripts and emoji need; none reorders other text."""
_LEAST: Final = 2
"""Minimum number of characters of text; a single one may be a small number."""
_PLAIN: Final = (string.ascii_letters + string.digits + " ").encode()
_LEAST_PLAIN: Final = 8
"""Minimum number of plain characters, which must be two thirds of a text, in bytes that may be Windows-1252.

Latin-1 is called a guess: texts in code pages of other languages look alike.
"""
_MARKS: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_LARGE_SETS: Final = (("gb2312", 3.1), ("shift_jis", 3.2), ("euc_kr", 3.0), ("big5", 2.3))
"""Character sets of East Asia, and the bits of evidence of each character in the set: log2(65536 / size)."""
_EVIDENCE: Final = 12.0
"""Minimum evidence that bytes without a mark are UTF-16, in bits.

Of random bodies of 8 bytes about 1 in 100 has it, because there are several sets; of longer ones almost none.
"""
_MOST_SCRIPTS: Final = 2
"""Maximum number of high bytes that are not common in a text of an alphabet; arrays of numbers have more."""
_WIDE: Final = (int(VARTYPE.VT_BSTR), int(VARTYPE.VT_LPWSTR))
"""Types of texts of 16-bit units."""
_UNTERMINATED: Final = int(VARTYPE.VT_BSTR)
"""The type whose size states where the text ends, so that it may contain any number of zeros."""
_TYPES_OF_OBJECTS: Final = pa.list_(pa.string())
_COMMON_ROWS: Final = frozenset((0x00, 0x20))
"""High bytes of code units in texts of any script: Latin-1, and punctuation."""
_SURROGATES: Final = dict.fromkeys(range(0xD8, 0xE0), 0xD8)
"""High bytes of surrogates, which count as one script."""


class Body(NamedTuple):
    """The form and contents of a body.

    Attributes:
        form: Its form, one of `FORMS`.
        text: Its text without terminators; None if it is neither text nor a number.
        types: Names of the classes of its objects; None if it is not serialized by .NET.
    """

    form: str
    text: str | None = None
    types: list[str] | None = None


def read_body(kind: int, body: bytes) -> Body:
    """Return the form and contents of a body, by its BodyType or else by its first bytes."""
    value = body_value(kind, body) if kind else body
    if not isinstance(value, bytes):
        return Body(_type_name(kind), writable(str(value).rstrip("\0")))
    if not body:
        return Body("empty")
    for name, mark, codec in (("UTF-8 XML", _XML, "utf-8-sig"), ("UTF-16", _XML_16, "utf-16-le")):
        if mark.match(body):
            try:
                return Body(name, body.decode(codec).removeprefix("\ufeff").rstrip("\0"))
            except UnicodeDecodeError:
                continue
    if is_object(body):
        return Body(".NET binary", types=[writable(name) for name in type_names(body).names])
    text = None if body.startswith(_PDF) else _plain_text(body)
    return text or Body(_file_format(body) or "bytes")


def read_bodies(
    kinds: pa.Array, are_encrypted: pa.Array, bodies: pa.Array
) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Return the attributes of `Body` for bodies as columns, null where an argument is null.

    Texts of 16-bit units are read together, the others one by one, equal ones once.

    Args:
        kinds: Their BodyTypes.
        are_encrypted: Whether each is encrypted.
        bodies: Their bytes.
    """
    hidden = pc.fill_null(are_encrypted, False).to_numpy(zero_copy_only=False)
    complete = pc.and_(pc.and_(kinds.is_valid(), are_encrypted.is_valid()), bodies.is_valid())
    complete = complete.to_numpy(zero_copy_only=False)
    rows, texts = _wide_texts(kinds, bodies, complete & ~hidden)
    alone = complete & ~hidden
    alone[rows] = False
    (others,) = alone.nonzero()
    taken = pa.array(others)
    distinct = Distinct(kinds.take(taken), bodies.take(taken))
    read = [*(read_body(kind, body) for kind, body in distinct.values), Body("encrypted")]
    indices = np.full(len(kinds), len(rows) + len(read) - 1)
    indices[rows] = np.arange(len(rows))
    indices[others] = len(rows) + distinct.indices.to_numpy()
    taken = pa.array(indices, mask=~complete)
    kinds_of_texts = kinds.take(pa.array(rows)).dictionary_encode()
    names = pa.array([_type_name(kind) for kind in kinds_of_texts.dictionary.to_pylist()], pa.string())
    of_texts = (names.take(kinds_of_texts.indices), texts, pa.nulls(len(rows), _TYPES_OF_OBJECTS))
    forms, read_texts, types = (
        pa.concat_arrays([together, pa.array(values, together.type)]).take(taken)
        for together, values in zip(of_texts, zip(*read, strict=True), strict=True)
    )
    return forms, read_texts, types


def _wide_texts(
    kinds: pa.Array, bodies: pa.Array, chosen: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], pa.Array]:
    """Return which bodies are texts of 16-bit units by their BodyTypes, and these without terminators."""
    even = pc.equal(pc.bit_wise_and(pc.binary_length(bodies), 1), 0)
    wide = pc.fill_null(pc.and_(pc.is_in(kinds, pa.array(_WIDE, kinds.type)), even), False)
    (rows,) = (chosen & wide.to_numpy(zero_copy_only=False)).nonzero()
    taken = pa.array(rows)
    whole = utf8_array(bodies.take(taken))
    texts = pc.ascii_rtrim(whole, "\0")
    terminators = pc.subtract(pc.binary_length(whole), pc.binary_length(texts))
    ended = pc.and_(pc.less_equal(terminators, 1), pc.less(pc.find_substring(texts, "\0"), 0))
    good = pc.or_(ended, pc.equal(kinds.take(taken), _UNTERMINATED))
    return rows[good.to_numpy(zero_copy_only=False)], texts.filter(good).cast(pa.string())


def _file_format(body: bytes) -> str:
    """Return the format of a file by its first bytes; empty if unknown."""
    if len(body) < _LEAST_OF_FILE:
        return ""
    form = match(body, _MATCHERS)
    if form:
        suffix: str = form.extension
        return _NAMES.get(suffix, suffix.upper())
    return _BITMAP if _is_bitmap(body) else executable_name(body)


def _is_bitmap(body: bytes) -> bool:
    """Return whether the headers of a bitmap are valid: reserved bytes are zero, and pixels follow them."""
    if not body.startswith(b"BM") or len(body) < _BITMAP_HEADERS.size:
        return False
    reserved, pixels, size = _BITMAP_HEADERS.unpack_from(body)
    return not reserved and _LEAST_HEADER <= size <= pixels - _FILE_HEADER and pixels <= len(body)


def executable_name(body: bytes) -> str:
    """Return the format of what runs as a program, by its headers; empty if it is none.

    It is ``PE``, ``NE``, ``LE``, ``LX``, ``ELF``, ``Mach-O``, ``Java class``, or ``LNK`` for a shortcut of
    Windows.
    """
    if body.startswith(b"\x7fELF"):  # the next bytes are its class and its byte order, 1 or 2 each
        return "ELF" if len(body) > 5 and {*body[4:6]} <= {1, 2} else ""
    if body.startswith(_SHORTCUT):
        return "LNK"
    if body.startswith(b"MZ") and len(body) >= _PE_POINTER + 4:
        (at,) = struct.unpack_from("<I", body, _PE_POINTER)
        if body[at : at + 4] == _PE_MARK:
            return "PE"
        return body[at : at + 2].decode() if body[at : at + 2] in _NE_MARKS else ""
    return _of_macintosh_or_java(body)


def _of_macintosh_or_java(body: bytes) -> str:
    if body.startswith(_CLASS_OR_FAT) and len(body) >= _LEAST_OF_FILE:
        minor, major = struct.unpack_from(">HH", body, 4)
        if major >= _FIRST_CLASS:
            return "Java class"
        return "Mach-O" if major and not minor else ""
    order = _MACH.get(body[:4])
    if order is None or len(body) < _MACH_TYPE + 4:
        return ""
    (kind,) = struct.unpack_from(f"{order}I", body, _MACH_TYPE)
    return "Mach-O" if kind in _MACH_TYPES else ""


def _plain_text(body: bytes) -> Body | None:
    """Return the form and the text of bytes that are only printable characters; None for other bytes."""
    if codec := _MARKS.get(body[:2]):
        text = _printable(body[2:], codec)
        return Body("UTF-16", text) if text else None
    text = _printable(body, "utf-8-sig")  # also a word in Devanagari whose high bytes, 9, are all tabs
    if text is not None and len(text.strip()) >= _LEAST:
        return Body("UTF-8", text)
    read = ((_printable(body, codec), body[at::2]) for codec, at in (("utf-16-le", 1), ("utf-16-be", 0)))
    texts = [(_evidence(text, rows), text) for text, rows in read if text and len(text.strip()) >= _LEAST]
    # Of equal evidence, the text with more surrogate pairs, which are rarely there by chance, is shorter.
    evidence, text = max(texts, default=(0.0, ""), key=lambda item: (item[0], -len(item[1])))
    if evidence >= _EVIDENCE:
        return Body("UTF-16", text)
    guess = _latin(body)
    return Body("Latin-1 (guess)", guess) if guess else None


def _latin(body: bytes) -> str | None:
    """Return the text of bytes that may be Windows-1252, of which Latin-1 is a part; None for other bytes."""
    plain = len(body) - len(body.translate(None, _PLAIN))
    if plain < max(len(body) * 2 / 3, _LEAST_PLAIN) or _is_utf8(body):
        return None
    return _printable(body, "cp1252")


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _printable(body: bytes, codec: str) -> str | None:
    """Return the text of bytes without terminators; None if a character is neither printable nor a space."""
    try:
        text = body.decode(codec).rstrip("\0")
    except UnicodeDecodeError:
        return None
    if _CONTROLS.search(text):
        return None
    return text if text.isascii() or "".join(_JOINERS.sub("", text).split()).isprintable() else None


def _evidence(text: str, rows: bytes) -> float:
    """Return the evidence for a text in UTF-16 in bits; `rows` are the high bytes of its code units.

    A text of an alphabet has few different high bytes.  A text of an East Asian script has many, but
    its characters are those of a national character set.
    """
    scripts = len({_SURROGATES.get(row, row) for row in rows} - _COMMON_ROWS)
    units = len(text) + sum(character > "\uffff" for character in text)
    evidence = [units * bits for codec, bits in _LARGE_SETS if _has(codec, text)]
    if scripts <= _MOST_SCRIPTS:
        evidence.append(units * (8 - math.log2(scripts + len(_COMMON_ROWS))) - 8 * scripts)
    return max(evidence, default=0.0)


def _has(codec: str, text: str) -> bool:
    try:
        text.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


@cache
def _type_name(kind: int) -> str:
    try:
        return VARTYPE(kind).name or f"{kind:#06x}"
    except ValueError:
        return BODY_TYPES.get(kind, f"{kind:#06x}").partition(",")[0]
