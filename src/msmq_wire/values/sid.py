"""Security identifiers as text ([MS-DTYP] 2.4.2.1, 2.4.2.2)."""

from __future__ import annotations

from typing import Final

_REVISION: Final = 1
MOST_AUTHORITIES: Final = 15
_LONG: Final = 1 << 32
"""From this identifier authority on, the text has it in hexadecimal."""


def sid_size(data: bytes, at: int = 0) -> int:
    """Return the size of the SID at an offset, by its number of authorities; 0 if the bytes end before it."""
    return 8 + 4 * data[at + 1] if at + 1 < len(data) else 0


def is_sid(data: bytes) -> bool:
    """Return whether bytes have the form of a SID, [MS-DTYP] 2.4.2.2."""
    has_head = len(data) >= 8 and data[0] == _REVISION and data[1] <= MOST_AUTHORITIES
    return has_head and len(data) == sid_size(data)


def sid_text(data: bytes) -> str | None:
    """Return the text of a SID, such as ``S-1-5-18``; None if the bytes are not a SID."""
    if not is_sid(data):
        return None
    top = int.from_bytes(data[2:8], "big")
    parts = [str(int.from_bytes(data[at : at + 4], "little")) for at in range(8, len(data), 4)]
    return "-".join(["S-1", str(top) if top < _LONG else f"{top:#014x}", *parts])
