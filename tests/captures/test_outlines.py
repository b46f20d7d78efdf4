"""A session is judged by outlines of packets, which columns give, as it is by the packets themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support_bent_sessions import BENDS
from support_sessions import WAYS, Wire

from msmq_wire import mqmq, mqqb
from msmq_wire.arrow import decode_packets
from msmq_wire.captures.rows.outlines import FIELDS, OUTLINE, outline_columns, outlined
from msmq_wire.checks.sessions.monitor import SessionMonitor
from msmq_wire.checks.sessions.outline import Outline

if TYPE_CHECKING:
    from msmq_wire.checks.sessions.monitor import Direction

CHOICES = st.binary(max_size=30)
OUTLINED = {"UserMessage", "OrderAck", "FinalAck"}


def seen_by_columns(packets: list[bytes | None]) -> list[Any]:
    """What the monitor is given of packets; None stands for a gap."""
    data = pa.array(packets, pa.binary())
    read = decode_packets(data, columns=FIELDS, spark=True)
    kinds = ["gap" if packet is None else "packet" for packet in packets]
    rows = pa.RecordBatch.from_arrays(
        [
            *outline_columns(data, read),
            read.field("kind"),
            pa.array(kinds, pa.string()),
            pa.array(range(len(packets))),
        ],
        names=[*OUTLINE.names, "type", "kind", "place"],
    )
    return outlined(rows, pa.chunked_array([data]))


@pytest.mark.each(4)
@pytest.mark.parametrize("requirement", BENDS)
def test_bent_sessions(requirement: str) -> None:
    """Findings, their words and what is known afterwards are the same."""
    outlines = 0

    @given(CHOICES, CHOICES, st.sampled_from(WAYS))
    @settings(phases=[Phase.generate], max_examples=10)
    def same(before: bytes, after: bytes, way: Direction) -> None:
        nonlocal outlines
        wire = Wire()
        wire.open()
        wire.talk(before).settle()
        BENDS[requirement](wire, way)
        wire.talk(after)
        tape = [(one, packet) for one, packet in wire.tape if type(packet).__name__ != "PingPacket"]
        seen = seen_by_columns([packet.encode() for _, packet in tape])
        outlines += sum(isinstance(one, Outline) for one in seen)
        by_record, by_outline = SessionMonitor(), SessionMonitor()
        for (one, packet), light in zip(tape, seen, strict=True):
            assert by_outline.feed(one, light) == by_record.feed(one, packet)
            assert isinstance(light, Outline) is (type(packet).__name__ in OUTLINED)
        assert by_outline.snapshot() == by_record.snapshot()

    same()
    assert outlines


def test_what_is_no_message_is_the_packet_itself() -> None:
    wire = Wire()
    wire.open()
    found = seen_by_columns([None, *(packet.encode() for _, packet in wire.tape)])
    assert found == [None, *(packet for _, packet in wire.tape)]


def test_only_transactional_messages_have_digests_of_their_queues() -> None:
    """Equal ones for equal queues, in whatever order the messages are."""

    def message(queue: str, *, transactional: bool = True) -> bytes:
        name = mqmq.DirectQueueFormatName(DirectFormatName=f"OS:{queue}\0")
        transaction = mqmq.TransactionHeader(TxSequenceNumber=1) if transactional else None
        header = mqmq.UserHeader(DestinationQueue=name)
        return mqmq.UserMessage(UserHeader=header, TransactionHeader=transaction).encode()

    packets = [message("a", transactional=False), message("b"), message("a"), mqqb.SessionAck().encode()]
    packets += [message("b"), message("b", transactional=False)]
    queues = [one.UserHeader.queue for one in seen_by_columns([*packets]) if isinstance(one, Outline)]
    assert [queue is None for queue in queues] == [True, False, False, False, True]
    assert queues[1] == queues[3] != queues[2]
