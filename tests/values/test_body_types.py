"""Bodies of a type of COM: [MS-OAUT] 2.2.24 and 2.2.25 define CURRENCY and DATE."""

from __future__ import annotations

import struct
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from support_rows import for_each

from msmq_wire.values.body_types import BODY_TYPES, value_of_com

R4, R8, CY, DATE, TEXT = 4, 5, 6, 7, 30
DAY = 86_400_000


def date(days: float) -> bytes:
    return struct.pack("<d", days)


@pytest.mark.parametrize(
    ("vt", "body", "value"),
    [
        (R4, struct.pack("<f", 1.5), 1.5),
        (R8, struct.pack("<d", -2.25), -2.25),
        (CY, struct.pack("<q", 12_345), Decimal("1.2345")),
        (CY, struct.pack("<q", -1), Decimal("-0.0001")),
        (CY, struct.pack("<q", 2**63 - 1), Decimal("922337203685477.5807")),
        (DATE, date(0), datetime.fromisoformat("1899-12-30 00:00:00")),
        (DATE, date(1.25), datetime.fromisoformat("1899-12-31 06:00:00")),
        (DATE, date(-1.25), datetime.fromisoformat("1899-12-29 06:00:00")),
        (DATE, date(1 / DAY), datetime.fromisoformat("1899-12-30 00:00:00.001000")),
        (DATE, date(40_000 + (DAY - 1) / DAY), datetime.fromisoformat("2009-07-06 23:59:59.999000")),
        (TEXT, b"abc", "abc"),
        (TEXT, "\u00e4\0".encode(), "\u00e4"),
        (TEXT, b"", ""),
    ],
)
def test_values(vt: int, body: bytes, value: Any) -> None:
    assert value_of_com(vt, body) == value


@for_each(
    ("vt", "body"),
    lambda: [
        *(
            (vt, bytes(size))
            for vt, sizes in ((R4, (3, 5)), (R8, (7, 9)), (CY, (7, 9)), (DATE, (7, 9)))
            for size in sizes
        ),
        (DATE, date(0.4 / DAY)),  # less than a millisecond: another number
        (DATE, date(float("nan"))),
        (DATE, date(float("inf"))),
        (DATE, date(1e9)),
        (TEXT, b"a\0b"),
        (TEXT, b"a\0\0"),
        (TEXT, b"\xff"),
        (2, bytes(2)),
        (8, b"abc"),
    ],
)
def test_bodies_of_another_form(vt: int, body: bytes) -> None:
    assert value_of_com(vt, body) is None


def test_types_that_the_document_lacks() -> None:
    """Those of COM ([MS-OAUT] 2.2.7 and the storage types of OLE), and the mark of BinaryMessageFormatter."""
    assert sorted(BODY_TYPES) == [4, 5, 6, 7, 8, 30, 68, 69, 0x300, 0x2011]
