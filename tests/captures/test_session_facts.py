"""A session is judged by facts of packets, which columns give, as it is by the packets themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support_bent_sessions import BENDS
from support_sessions import WAYS, Wire

from msmq_wire import mqmq, mqqb
from msmq_wire.arrow import decode_packets
from msmq_wire.captures.rows.session_facts import FACTS, FIELDS, fact_columns, judged_packets
from msmq_wire.checks.sessions.facts import Facts, facts_of
from msmq_wire.checks.sessions.monitor import SessionMonitor

if TYPE_CHECKING:
    from msmq_wire.checks.sessions.monitor import Direction

CHOICES = st.binary(max_size=30)
MESSAGES = {"UserMessage", "OrderAck", "FinalAck", "SessionAck"}


def seen_by_columns(packets: list[bytes | None]) -> list[Any]:
    """What the monitor is given of packets; None stands for a gap."""
    data = pa.array(packets, pa.binary())
    read = decode_packets(data, columns=FIELDS, spark=True)
    kinds = ["gap" if packet is None else "packet" for packet in packets]
    rows = pa.RecordBatch.from_arrays(
        [
            *fact_columns(data, read),
            read.field("kind"),
            pa.array(kinds, pa.string()),
            pa.array(range(len(packets))),
        ],
        names=[*FACTS.names, "type", "kind", "place"],
    )
    return judged_packets(rows, pa.chunked_array([data]))


@pytest.mark.each(4)
@pytest.mark.parametrize("requirement", BENDS)
def test_bent_sessions(requirement: str) -> None:
    """Findings, their words and what is known afterwards are the same."""
    judged = 0

    @given(CHOICES, CHOICES, st.sampled_from(WAYS))
    @settings(phases=[Phase.generate], max_examples=10)
    def same(before: bytes, after: bytes, way: Direction) -> None:
        nonlocal judged
        wire = Wire()
        wire.open()
        wire.talk(before).settle()
        BENDS[requirement](wire, way)
        wire.talk(after)
        tape = [(one, packet) for one, packet in wire.tape if type(packet).__name__ != "PingPacket"]
        seen = seen_by_columns([packet.encode() for _, packet in tape])
        judged += sum(isinstance(one, Facts) for one in seen)
        for (_, packet), light in zip(tape, seen, strict=True):
            if isinstance(light, Facts):
                bare = {"data": None, "row": 0}
                expected = msgspec.structs.replace(facts_of(packet), **bare)
                assert msgspec.structs.replace(light, **bare) == expected
        by_record, by_facts = SessionMonitor(routes=False), SessionMonitor(routes=False)
        for (one, packet), light in zip(tape, seen, strict=True):
            assert by_facts.feed(one, light) == by_record.feed(one, packet)
            assert isinstance(light, Facts) is (type(packet).__name__ in MESSAGES)
        assert by_facts.snapshot() == by_record.snapshot()

    same()
    assert judged


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
    queues = [one.queue for one in seen_by_columns([*packets]) if isinstance(one, Facts)]
    assert [queue is None for queue in queues] == [True, False, False, True, False, True]
    assert queues[1] == queues[4] != queues[2]
