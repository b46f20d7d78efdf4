"""SIDs as text: [MS-DTYP] 2.4.2.1 for the text, 2.4.2.2 for the bytes."""

from __future__ import annotations

import pytest

from msmq_wire.values.sid import sid_text


def sid(authority: int, *parts: int, revision: int = 1) -> bytes:
    head = bytes([revision, len(parts)]) + authority.to_bytes(6, "big")
    return head + b"".join(part.to_bytes(4, "little") for part in parts)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (sid(5, 18), "S-1-5-18"),
        (sid(5, 32, 544), "S-1-5-32-544"),
        (sid(16, 0xFFFFFFFF), "S-1-16-4294967295"),
        (sid(0), "S-1-0"),
        (sid(0xFFFFFFFF, 1), "S-1-4294967295-1"),
        (sid(0x100000000, 1), "S-1-0x000100000000-1"),  # twelve digits from 2^32 on
        (sid(0xFFFFFFFFFFFF, 1), "S-1-0xffffffffffff-1"),
        (sid(5, *range(15)), "S-1-5-0-1-2-3-4-5-6-7-8-9-10-11-12-13-14"),
    ],
)
def test_text(data: bytes, text: str) -> None:
    assert sid_text(data) == text


@pytest.mark.parametrize(
    "data",
    [
        sid(5, *range(16)),
        sid(5, 18, revision=0),
        sid(5, 18, revision=2),
        sid(5, 18)[:-1],
        sid(5, 18) + b"\0",
        sid(5)[:7],
        b"\1",
        b"",
    ],
)
def test_bytes_that_are_no_sid(data: bytes) -> None:
    assert sid_text(data) is None
