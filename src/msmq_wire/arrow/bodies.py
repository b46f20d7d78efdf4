"""The form of a body, and its text."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents.directory_properties import body_value
from msmq_wire.values.body_types import BODY_TYPES

from .columns import writable

__all__ = ["FORMS", "read_body"]

FORMS: Final = (
    "its BodyType, such as ``VT_BSTR``; without one ``UTF-8 XML``, ``UTF-8``, ``UTF-16``, ``.NET binary``, "
    "``bytes`` or ``empty``; or ``encrypted``"
)
"""What `read_body` calls bodies, in words."""
_DOT_NET: Final = b"\0\1\0\0\0\xff\xff\xff\xff\1\0\0\0"
"""Prefix of a .NET BinaryFormatter stream ([MS-NRBF] 2.6.1)."""
_XML: Final = re.compile(rb"(\xef\xbb\xbf)?\s*<[?!A-Za-z]")
_XML_16: Final = re.compile(rb"(\xff\xfe)?<\0[?!A-Za-z]\0")
_SHOWN: Final = bytes([*b"\t\n\r", *range(0x20, 0x7F), *range(0x80, 0x100)])
"""Bytes of printable text in UTF-8, and of white space."""
_LEAST: Final = 2
"""Minimum number of characters of text; one could as well be a small number."""


def read_body(kind: int, body: bytes) -> tuple[str, str | None]:
    """Return the form of a body and its text, by its BodyType or else by its first bytes.

    The text has no terminators; it is None if the body is neither text nor a number.
    """
    value = body_value(kind, body) if kind else body
    if not isinstance(value, bytes):
        return _type_name(kind), writable(str(value).rstrip("\0"))
    if not body:
        return "empty", None
    for name, mark, codec in (("UTF-8 XML", _XML, "utf-8-sig"), ("UTF-16", _XML_16, "utf-16-le")):
        if mark.match(body):
            try:
                return name, body.decode(codec).removeprefix("\ufeff").rstrip("\0")
            except UnicodeDecodeError:
                continue
    if body.startswith(_DOT_NET):
        return ".NET binary", None
    return _plain_text(body) or ("bytes", None)


def _plain_text(body: bytes) -> tuple[str, str] | None:
    """Return the form and the text of bytes that are only printable characters; None for other bytes."""
    form, shown = "UTF-8", body.rstrip(b"\0")
    if len(body) % 2 == 0 and not body[1::2].strip(b"\0"):
        form, shown = "UTF-16", body[::2].rstrip(b"\0")
    if len(shown.strip()) < _LEAST or shown.translate(None, _SHOWN):
        return None
    try:
        text = shown.decode("latin-1" if form == "UTF-16" else "utf-8")
    except UnicodeDecodeError:
        return None
    return (form, text) if text.isascii() or "".join(text.split()).isprintable() else None


@cache
def _type_name(kind: int) -> str:
    try:
        return VARTYPE(kind).name or f"{kind:#06x}"
    except ValueError:
        return BODY_TYPES.get(kind, f"{kind:#06x}").partition(",")[0]
