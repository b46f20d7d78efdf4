"""What tells packets apart by their first bytes, by hand from the pages of the headers."""

from __future__ import annotations

import struct

import pytest
from support_rows import for_each

from msmq_wire import mqmq, mqqb
from msmq_wire.documents import opening


@pytest.mark.tables
@for_each(
    ("name", "value"),
    lambda: [
        # [MS-MQMQ] 2.2.19.1: BaseHeader
        ("BASE_SIZE", 1 + 1 + 2 + 4 + 4 + 4),
        ("VERSION", 0x10),
        ("FLAGS_AT", 2),
        ("INTERNAL", 0x0008),
        ("TRAILING_SESSION_HEADER", 0x0010),
        ("SIGNATURE_AT", 4),
        ("SIGNATURE", int.from_bytes(b"LIOR", "little")),
        ("PACKET_SIZE_AT", 8),
        # [MS-MQQB] 2.2.1: InternalHeader
        ("INTERNAL_HEADER_SIZE", 2 + 2),
        ("INTERNAL_FLAGS_AT", 2),
        ("INTERNAL_TYPE", 0x000F),
        # [MS-MQMQ] 2.2.20.4: SessionHeader
        ("SESSION_HEADER_SIZE", 2 + 2 + 4 + 4 + 2 + 2),
        # [MS-MQQB] 2.2.7: PingPacket
        ("PING_SIGNATURE_AT", 2),
        ("PING_SIGNATURE", 0x5548),
    ],
)
def test_numbers_of_the_pages(name: str, value: int) -> None:
    """INTERNAL_HEADER_SIZE, PING_SIGNATURE and the like; there are no others."""
    assert getattr(opening, name) == value
    assert sorted(opening.__all__) == sorted(
        name for name in vars(opening) if name.isupper() and not name.startswith("_")
    )


def test_the_format_reads_a_base_header() -> None:
    """Version, flags, signature and size; the byte between the first two is reserved."""
    header = mqmq.BaseHeader(Reserved=7, Flags=mqmq.BaseHeaderFlags(0x0103), PacketSize=0x12345678)
    data = header.encode()
    assert struct.unpack_from(opening.BASE_FORMAT, data) == (0x10, 0x0103, opening.SIGNATURE, 0x12345678)
    assert struct.calcsize(opening.BASE_FORMAT) == 12  # the time behind it is not needed


def test_packets_have_the_numbers() -> None:
    assert mqqb.PingPacket().encode()[2:4] == b"HU"
    assert len(mqmq.SessionHeader().encode()) == opening.SESSION_HEADER_SIZE
    assert len(mqqb.InternalHeader().encode()) == opening.INTERNAL_HEADER_SIZE
