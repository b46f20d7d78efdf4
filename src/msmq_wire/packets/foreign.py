"""Unsupported file formats by their first bytes, and the programs that convert, unpack or read them.

Formats without a certain mark are detected by the name of the file, if the bytes are not conclusive.
"""

from __future__ import annotations

import re
import struct
from typing import Final

NO_CAPTURE: Final = "the file does not begin as {} does"
"""The problem of a file in none of the formats that are expected."""
FORMATS: Final = "pcap, pcapng or MSMQ packets"
"""The formats that are expected of a file."""
FOREIGN_HEAD: Final = 512
"""The number of first bytes that identify each format."""
_CAPTURES: Final = (
    (b"btsnoop\0", "a capture of Bluetooth (btsnoop)"),
    (b"iptrace 1.0", "a capture of AIX iptrace"),
    (b"iptrace 2.0", "a capture of AIX iptrace"),
    (b"GMBU", "a capture of Microsoft Network Monitor"),
    (b"RTSS", "a capture of Microsoft Network Monitor 1"),
    (b"snoop\0\0\0", "a capture of Solaris snoop"),
    (b"TRSNIFF data", "a capture of Network General Sniffer"),
    (b"XCP\0", "a capture of Network Associates Sniffer"),
    (b"VL\0\0", "a capture of Cinco NetXRay"),
    (b"\xaa\xaa\xaa\xaa", "a capture of InfoVista 5View"),
    (b"\5VNF", "a capture of Visual Networks"),
    (b"\x7fver", "a capture of Savvius or WildPackets Peek"),
    (b"ObserverPktBuffe", "a capture of Viavi (Network Instruments) Observer"),
    (b"\x42\xd2\0\x34\x12\x66\x22\x88", "a capture of RADCOM WAN/LAN Analyzer"),
    (b"\0\0\2\0\x12\5\0\x10", "a capture of Tektronix K12xx (rf5)"),
    (b"TR\0d\0", "a trace of HP-UX nettl"),
    (b"\0\0\0\1\0\0\0\0\0\7\xd0\0", "a trace of HP-UX nettl"),
    (b"+---------+---------------+----------+", "a text file of Tektronix K12xx (k12text)"),
)
_LINK_TYPE_OF_FRAMES: Final = frozenset(
    {"a trace of HP-UX nettl", "a text file of Tektronix K12xx (k12text)"}
)
"""Formats that name the link type for each frame, so that it has to be given."""
_NOVELL: Final = re.compile(rb"[\1\7]\x10(?s:.){4}Trace Display Trace File")
_ARCHIVES: Final = (
    (0, b"PK\3\4", "a ZIP archive", "unzip FILE"),
    (0, b"Rar!\x1a\x07", "a RAR archive", "unrar x FILE"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "7z x FILE"),
    (257, b"ustar", "a tar archive", "tar -xf FILE"),
)
"""Offset and bytes that identify archives, and the command that unpacks them."""
TABLE_FILES: Final = {
    ".parquet": (0, b"PAR1", "a table in Parquet"),
    ".orc": (0, b"ORC", "a table in ORC"),
    ".avro": (0, b"Obj\x01", "a table in Avro"),
    ".duckdb": (8, b"DUCK", "a database of DuckDB"),
    ".db": (0, b"SQLite format 3\0", "a database of SQLite"),
    ".log": (0, b"#separator", "a log in the format of Zeek"),
}
"""Offset and bytes that identify files of tables in forms that are written, by suffix, and their names."""
_TABLES: Final = (*TABLE_FILES.values(), (0, b"ARROW1\0\0", "a table in Arrow"))
_EDITCAP: Final = "editcap -F pcapng FILE FILE.pcapng"
_TRACES: Final = (
    "a trace of Windows (ETL) as pktmon and netsh write it",
    "pktmon etl2pcap FILE --out FILE.pcapng, or etl2pcapng",
)
_ENDACE: Final = ("a capture of an Endace card (ERF)", _EDITCAP)
_SUFFIXES: Final = {".erf": _ENDACE, ".etl": _TRACES}
"""Formats without a certain mark, with the command that converts them, by the suffixes of files."""
_TRACE: Final = struct.Struct("<HBB")
_TRACE_AT: Final = 72
"""Offset of the version, kind and mark of the first event in the first buffer of an ETL file."""
_ERF_HEADER: Final = struct.Struct("<QBB")  # time stamp, type, flags; then sizes in network byte order
_ERF_SIZES: Final = struct.Struct("!HHH")  # size of the record, lost records, size on the wire
_ERF_TYPES: Final = range(1, 49)
_ERF_META: Final = 0x80 | 27
"""Records about the capture, which for example editcap writes first; they have no frame and often no time."""


def foreign(head: bytes, name: str = "") -> str:
    """Return the format of an unsupported file, and what converts, unpacks or reads it; empty if unknown.

    Args:
        head: The first bytes of the file, as many as `FOREIGN_HEAD`.
        name: Its name, which is used if the bytes are not conclusive.
    """
    for at, magic, archive, command in _ARCHIVES:
        if head.startswith(magic, at):
            return f"{archive}, which is not read; unpack it with: {command}"
    for at, magic, table in _TABLES:
        if head.startswith(magic, at):
            return f"{table}, which is no capture; read it with a program for tables, such as DuckDB"
    if _is_trace(head):
        return _unread(*_TRACES)
    capture_format = next((format_name for magic, format_name in _CAPTURES if head.startswith(magic)), "")
    if capture_format:
        link_type = "-T ether " if capture_format in _LINK_TYPE_OF_FRAMES else ""
        return _unread(capture_format, _EDITCAP.replace("FILE", f"{link_type}FILE", 1))
    if _NOVELL.match(head):
        return _unread("a capture of Novell LANalyzer", _EDITCAP)
    if _is_erf(head):
        return _unread(*_ENDACE)
    named = next(
        (format_of for suffix, format_of in _SUFFIXES.items() if name.lower().endswith(suffix)), None
    )
    return f"by its name {_unread(*named)}" if head and named else ""


def _unread(form: str, command: str) -> str:
    return f"{form}, which is not read; convert it with: {command}"


def _is_trace(head: bytes) -> bool:
    """Return whether the bytes are the first buffer of an ETL file, which begins with its size."""
    if len(head) < _TRACE_AT + _TRACE.size:
        return False
    size = int.from_bytes(head[:4], "little")
    _, kind, mark = _TRACE.unpack_from(head, _TRACE_AT)
    return size > 0 and size % 1024 == 0 and size <= 1 << 24 and kind in {1, 2} and mark == 0xC0


def _is_erf(head: bytes) -> bool:
    """Return whether the bytes are ERF records, which have no magic: at least two in order of time."""
    at = before = count = 0
    while at + _ERF_HEADER.size + _ERF_SIZES.size <= len(head):
        time, kind, _ = _ERF_HEADER.unpack_from(head, at)
        size, _, wire = _ERF_SIZES.unpack_from(head, at + _ERF_HEADER.size)
        if kind == _ERF_META and size > 16 and not time >> 63:
            at, count = at + size, count + 3  # no other format looks like this
            continue
        sound = kind & 0x7F in _ERF_TYPES and 16 <= size <= 0x1_0000 and wire and time >= before
        if not sound or (before and (time - before) >> 32 > 86_400 * 366) or time >> 32 < 1_000_000:
            return count > 2
        at, before, count = at + size, time, count + 1
    return count > 1
