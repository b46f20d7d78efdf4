"""Detection of input that is not a packet: captures, archives, text, compressed or pickled data."""

from __future__ import annotations

import re
from binascii import a2b_base64
from typing import TYPE_CHECKING, Final

from .foreign import FOREIGN_HEAD, foreign
from .packet_starts import SIGNATURE_AT, SIGNATURE_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

CAPTURES: Final = {
    b"\xd4\xc3\xb2\xa1": "pcap",
    b"\xa1\xb2\xc3\xd4": "pcap",
    b"\x4d\x3c\xb2\xa1": "pcap",
    b"\xa1\xb2\x3c\x4d": "pcap",
    b"\x34\xcd\xb2\xa1": "pcap",
    b"\xa1\xb2\xcd\x34": "pcap",
    b"\x0a\x0d\x0d\x0a": "pcapng",
}
"""Capture formats that `msmq_wire.captures` reads, by their first bytes."""
PACKED: Final = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
}
"""Compression formats by their first bytes."""
_SUFFIXES: Final = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd", ".lz4": "lz4"}
"""Compression formats by the suffixes of files."""
PCAP_VERSIONS: Final = (b"\2\0\4\0", b"\0\2\0\4")
"""Version 2.4 of pcap, in either byte order; before it is a mark, and behind it eight unused bytes."""
_BYTE_ORDERS: Final = (b"\x4d\x3c\x2b\x1a", b"\x1a\x2b\x3c\x4d")
"""The byte-order magic of pcapng."""
_HEX: Final = re.compile(rb"\s*(?:[0-9A-Fa-f]{2}[\s:]*){8,}")
_METHODS: Final = (
    rb"GET|HEAD|POST|PUT|DELETE|OPTIONS|TRACE|PATCH|PRI|PROPFIND|PROPPATCH|MKCOL|COPY|MOVE|LOCK|UNLOCK|SEARCH"
    rb"|REPORT|NOTIFY|SUBSCRIBE|M-POST|M-SEARCH|RPC_IN_DATA|RPC_OUT_DATA"
)
_PROTOCOLS: Final = {
    "HTTP": rb"HTTP/1\.|(?:%b) (?:[/*]|http)|CONNECT \w" % _METHODS,
    "TLS": rb"[\x14-\x17]\x03[\x00-\x04][\x00-\x48]",
    "SSH": rb"SSH-[12]",
    "SMB": rb"\x00[\x00-\xff]{3}[\xfd-\xff]SMB",
    "RPC": rb"\x05[\x00\x01][\x00-\x13][\x00-\xff][\x00\x10]\x00\x00\x00",
    "AMQP": rb"AMQP[\x00-\x03]",
    "RDP": rb"\x03\x00\x00[\x0b-\xff][\x06-\xfa][\xd0\xe0\xf0]",
}
"""Patterns of the first bytes of other protocols over TCP; MSMQ uses HTTP and RPC on other ports."""
_PROTOCOL: Final = re.compile(
    b"|".join(b"(?P<%b>%b)" % (name.encode(), pattern) for name, pattern in _PROTOCOLS.items())
)
RPC_HEADER: Final = re.compile(rb"(?=%b)" % _PROTOCOLS["RPC"])
"""The first bytes of a frame of DCE/RPC: version, kind, flags, representation of data ([C706] 12.6.3.1)."""
NAMED_BY: Final = 16
"""The number of first bytes that identify the protocol."""
_LOOKED_AT: Final = 256


def _format_of(head: bytes, formats: Mapping[bytes, str]) -> str:
    return next((name for magic, name in formats.items() if head.startswith(magic)), "")


def capture_name(head: bytes) -> str:
    """The format of a capture that is read, compressed or not, by its first bytes; empty for other data."""
    return _format_of(head, CAPTURES | PACKED) or damaged_capture(head)


def damaged_capture(head: bytes) -> str:
    """The format of a capture whose first four bytes are damaged, by those behind; empty for other data."""
    if head[8:12] in _BYTE_ORDERS and head[SIGNATURE_AT:8] != SIGNATURE_BYTES:
        return "pcapng"
    return "pcap" if head[4:8] in PCAP_VERSIONS and head[8:16] == bytes(8) else ""


def packing_name(head: bytes) -> str:
    """The compression format of data by its first bytes; empty for other data."""
    return _format_of(head, PACKED)


def packing_by_name(name: str) -> str:
    """The compression format that the name of a file states; empty if it states none."""
    return next((packing for suffix, packing in _SUFFIXES.items() if name.lower().endswith(suffix)), "")


def protocol_name(head: bytes) -> str:
    """The protocol of TCP that begins with these bytes, such as ``HTTP``; empty if unknown."""
    match = _PROTOCOL.match(head[:_LOOKED_AT])
    return (match and match.lastgroup) or ""


def is_base64(head: bytes) -> bool:
    """Whether these bytes begin a packet in base64."""
    try:
        return a2b_base64(head[:12])[SIGNATURE_AT:].startswith(SIGNATURE_BYTES)
    except ValueError:
        return False


def mistaken(data: bytes) -> str:
    """Describe bytes that are not a packet, with advice; empty if their format is unknown."""
    head = data[:_LOOKED_AT]
    capture = _format_of(head, CAPTURES)
    if capture:
        return f"these bytes begin a {capture} capture: read it with msmq_wire.captures.read(path)"
    packed = _format_of(head, PACKED)
    if packed:
        return f"these bytes are compressed with {packed}: decompress them first"
    if _HEX.match(head):
        return "these bytes are hexadecimal text: decode bytes.fromhex(text)"
    if is_base64(head):
        return "these bytes are base64 text: decode base64.b64decode(text)"
    unread = foreign(data[:FOREIGN_HEAD])
    if unread:
        return f"these bytes are {unread}"
    protocol = protocol_name(head)
    if protocol:
        return f"these bytes are {protocol}"
    if head[:1] == b"\x80" and head[1:2] in (b"\2", b"\3", b"\4", b"\5") and data[-1:] == b".":
        return "these bytes are a pickle"
    begin = head.find(SIGNATURE_BYTES, SIGNATURE_AT + 1) - SIGNATURE_AT
    return f"a packet may begin at byte {begin}: msmq_wire.carve finds it" if begin > 0 else ""
