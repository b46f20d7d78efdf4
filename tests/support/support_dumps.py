"""Dumps of bytes, as programs print them."""

from __future__ import annotations

__all__ = ["format_hex", "hexdump", "od", "tcpdump", "wireshark", "xxd"]


def xxd(data: bytes) -> str:
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{at:08x}: {row.hex(' ', -2):<39}  {shown}")
    return "\n".join(lines) + "\n"


def tcpdump(data: bytes) -> str:
    """As ``tcpdump -X`` prints it."""
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        words = " ".join(row[pair : pair + 2].hex() for pair in range(0, len(row), 2))
        lines.append(f"\t{at:#06x}:  {words:<39}  {characters(row)}")
    return "\n".join(lines)


def wireshark(data: bytes) -> str:
    """As Wireshark copies it."""
    rows = {at: data[at : at + 16] for at in range(0, len(data), 16)}
    return "\n".join(f"{at:04x}   {row.hex(' '):<47}   {characters(row)}" for at, row in rows.items()) + "\n"


def characters(row: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)


def hexdump(data: bytes) -> str:
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        digits = f"{row[:8].hex(' ')}  {row[8:].hex(' ')}"
        lines.append(f"{at:08x}  {digits:<48}  |{characters(row)}|")
    return "\n".join([*lines, f"{len(data):08x}"]) + "\n"


def od(data: bytes) -> str:
    """As ``od -A x -t x1z`` prints it."""
    rows = {at: data[at : at + 16] for at in range(0, len(data), 16)}
    lines = [f"{at:06x} {row.hex(' '):<47}  >{characters(row)}<" for at, row in rows.items()]
    return "\n".join([*lines, f"{len(data):06x}"]) + "\n"


def format_hex(data: bytes) -> str:
    """As ``Format-Hex`` of PowerShell 7 prints it."""
    lines = [
        "",
        "   Label: Byte[] (Array) <1A2B3C4D>",
        "",
        "          Offset Bytes                                           Ascii",
        "                 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F",
        "          ------ ----------------------------------------------- -----",
    ]
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "\ufffd" for byte in row)
        lines.append(f"{at:016X} {row.hex(' ').upper():<47} {shown}")
    return "\r\n".join([*lines, ""])
