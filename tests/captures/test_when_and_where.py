"""Packets of captures are judged with the time at which, and the address to which, they went."""

from __future__ import annotations

from ipaddress import ip_address
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pytest
from support_by_hand import MICRO, pcap

import msmq_wire as mw
from captures.segments import MESSAGE
from msmq_wire import mqmq, mqqb
from msmq_wire.captures.engine import Settings, run, run_live
from msmq_wire.captures.files.sources import Source
from msmq_wire.testing.captures.wire import Address, Path

if TYPE_CHECKING:
    import pathlib

LATE, PLACE = "MQMQ-2.2.19.1-34", "MQQB-2.2.4-07"
SEEN = 1_700_000_000
WAY = Path(
    Address(ip_address("10.0.0.1"), 50000, b"\x02\0\0\0\0\1"),
    Address(ip_address("10.0.0.2"), 1801, b"\x02\0\0\0\0\2"),
)


def message(lasts: int, sent: int) -> bytes:
    """A message with a time to reach its queue."""
    made: Any = mw.decode(MESSAGE)
    base = mw.replace(made.BaseHeader, TimeToReachQueue=lasts)
    user = mw.replace(made.UserHeader, SentTime=sent)
    return mw.encode(mw.replace(made, BaseHeader=base, UserHeader=user))


def ack(address: str) -> bytes:
    """An acknowledgment for a queue at an address."""
    queue = mqmq.DirectQueueFormatName(DirectFormatName=f"TCP:{address}\\private$\\order_queue$\0")
    return mqqb.OrderAck(
        UserHeader=mqmq.UserHeader(DestinationQueue=queue),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label="QM Ordering Ack",
            MessageClass=0x00FF,
            MessageBody=mqqb.OrderAckBody(TxSequenceNumber=3, TxPreviousSequenceNumber=2).encode(),
        ),
    ).encode()


def capture(packets: list[bytes]) -> bytes:
    """A capture of one segment for each packet, all at the same time."""
    starts = accumulate(map(len, packets), initial=1)
    return pcap(
        (SEEN * MICRO, WAY.tcp(at, 7, 0x18, packet)) for at, packet in zip(starts, packets, strict=False)
    )


PACKETS = [
    message(10, SEEN - 70),
    message(10, SEEN - 71),
    message(0xFFFFFFFF, 0),
    ack("10.0.0.2"),
    ack("10.0.0.1"),
]


def violations_in(batches: Any) -> set[tuple[int, str]]:
    """Which packets, by their numbers, break which of the two requirements."""
    starts = [sum(map(len, PACKETS[:number])) for number in range(len(PACKETS))]
    return {
        (starts.index(row["offset"]), row["requirement"])
        for name, batch in batches
        if name == "violations"
        for row in batch.to_pylist()
        if row["requirement"] in {LATE, PLACE}
    }


def test_times_and_addresses(tmp_path: pathlib.Path) -> None:
    """The second message was seen a second too late; the last acknowledgment went elsewhere."""
    data = capture(PACKETS)
    path = tmp_path / "capture.pcap"
    path.write_bytes(data)
    expected = {(1, LATE), (4, PLACE)}
    assert violations_in(run([str(path)], ["violations"])) == expected
    assert violations_in(run([str(path)], ["violations", "sessions"])) == expected
    assert violations_in(run_live(Source(iter([data]), live=True), "-", ("violations",))) == expected


@pytest.mark.parametrize("wanted", [["violations"], ["violations", "sessions"]])
def test_the_same_in_a_table_and_by_hand(tmp_path: pathlib.Path, wanted: list[str]) -> None:
    path = tmp_path / "capture.pcap"
    path.write_bytes(capture(PACKETS))
    table = violations_in(run([str(path)], wanted))
    context = mw.Context(seen_at=float(SEEN), receiver_address="10.0.0.2", clock_tolerance=60)
    by_hand = {
        (number, one.requirement)
        for number, packet in enumerate(PACKETS)
        for one in mw.validate(mw.decode(packet), context=context)
        if one.requirement in {LATE, PLACE}
    }
    assert table == by_hand


@pytest.mark.parametrize("wanted", [["violations"], ["violations", "sessions"]])
def test_the_same_as_by_hand_with_a_profile(tmp_path: pathlib.Path, wanted: list[str]) -> None:
    """What a version of Windows lacks is found in packets in which nothing else is wrong."""
    packet = PACKETS[2]
    path = tmp_path / "capture.pcap"
    path.write_bytes(capture([packet]))
    settings = Settings(profile="windows-nt-4.0")
    table = [
        (row["path"], row["message"])
        for name, batch in run([str(path)], wanted, settings)
        if name == "violations"
        for row in batch.to_pylist()
    ]
    assert not mw.validate(mw.decode(packet))
    lacking = mw.validate(mw.decode(packet), profile="windows-nt-4.0")
    assert table == [(one.path, one.message) for one in lacking]
    assert table
