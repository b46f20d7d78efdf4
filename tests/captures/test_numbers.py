"""Numbers of messages in sessions, and what acknowledgments acknowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import msmq_wire as mw
from msmq_wire import captures, mqmq, mqqb
from msmq_wire.captures.rows.numbers import Numbers
from msmq_wire.packets.reassembly import Kind
from msmq_wire.testing.captures import write_captures

if TYPE_CHECKING:
    from pathlib import Path

ONE, OTHER = (f"11111111-2222-3333-4444-55555555550{number}" for number in (1, 2))
COUNTED = {"UserMessage", "OrderAck", "FinalAck"}


def numbers_of(*rows: tuple[Any, ...], numbers: Numbers | None = None) -> list[int | None]:
    """The numbers of pieces: flow, kind, type, UserMsgSequenceNumber, and for some offset and first bytes."""
    whole = [(*row, *(None, b"")[len(row) - 4 :]) for row in rows]
    flows, kinds, types, stated, offsets, data = zip(*whole, strict=True)
    columns = {
        "sensor": ["s"] * len(rows),
        "flow": list(flows),
        "kind": [str(kind) for kind in kinds],
        "transport": ["tcp"] * len(rows),
        "offset": pa.array(offsets, pa.int64()),
        "data": pa.array(data, pa.binary()),
    }
    pieces = pa.RecordBatch.from_pydict(columns)
    announced, counts = pa.array(types, pa.string()), pa.array(stated, pa.int64())
    counted: list[int | None] = (numbers or Numbers()).of(pieces, announced, counts).to_pylist()
    return counted


def head(size: int, *, rides: bool = False) -> bytes:
    """A BaseHeader that states a size, and whether a SessionHeader follows."""
    return mqmq.BaseHeader(PacketSize=size, Flags=mqmq.BaseHeaderFlags(SH=int(rides))).encode()


P, G = Kind.PACKET, Kind.GAP


def test_numbers_from_the_handshake_on() -> None:
    assert numbers_of(
        ("a", P, "EstablishConnection", None),
        ("a", P, "ConnectionParameters", None),
        ("a", P, "UserMessage", None),
        ("a", P, "SessionAck", 1),
        ("a", P, "OrderAck", None),
        ("a", P, "FinalAck", None),
        ("a", P, "UserMessage", 4),
        ("a", Kind.CONFLICT, None, None),
        ("a", P, "UserMessage", None),
    ) == [None, None, 1, None, 2, 3, 4, None, 5]


def test_numbers_after_missing_bytes_are_those_that_are_stated() -> None:
    assert numbers_of(
        ("a", P, "UserMessage", None),
        ("a", P, "UserMessage", 65535),
        ("a", P, "UserMessage", None),
        ("a", G, None, None),
        ("a", P, "UserMessage", None),
        ("a", P, "SessionAck", 7),
        ("a", Kind.HEAD, "UserMessage", None),
        ("a", G, None, None),
        ("a", Kind.REST, None, None),
        ("a", P, "UserMessage", None),
    ) == [None, 65535, 0, None, None, None, 8, None, None, None]


@pytest.mark.parametrize(
    ("kind", "data", "after"),
    [
        ("UserMessage", head(600), 3),
        ("UserMessage", head(600, rides=True), 3),  # which has its SessionHeader
        ("UserMessage", head(584, rides=True), 3),
        ("UserMessage", head(584), None),
        ("SessionAck", head(600), 2),
        ("ConnectionParameters", head(600), 2),
        ("UserMessage", head(590, rides=True), None),
        ("UserMessage", head(5000), None),
        (None, head(600), None),
        ("UserMessage", head(600)[:-1], None),
    ],
)
@pytest.mark.parametrize("split", range(7))
def test_missing_bytes_within_a_packet(kind: str | None, data: bytes, after: int | None, split: int) -> None:
    """If the next packet begins where the PacketSize says; wherever batches end."""
    rows: list[tuple[Any, ...]] = [
        ("a", P, "ConnectionParameters", None, 0, b""),
        ("a", P, "UserMessage", None, 90, b""),
        ("a", Kind.HEAD, kind, None, 200, data),
        ("a", G, None, None, 300, None),
        ("a", Kind.REST, None, None, 400, None),
        ("a", Kind.CONFLICT, None, None, 390, None),
        ("a", P, "UserMessage", None, 800, b""),
    ]
    numbers = Numbers()
    found = numbers_of(*rows[:split], numbers=numbers) if split else []
    found += numbers_of(*rows[split:], numbers=numbers)
    assert [found[1], found[-1]] == [1, after]
    assert found[2] == (2 if kind == "UserMessage" else None)


@pytest.mark.parametrize(
    ("kind", "size", "following", "after"),
    [
        ("UserMessage", 600, 800, 3),
        ("UserMessage", 600, 900, None),  # another packet may be in between
        ("UserMessage", 36, 236, None),  # no message is so short
        ("SessionAck", 36, 236, None),  # nothing but the length could be wrong in it
        (None, 600, 800, None),
    ],
)
def test_a_packet_that_cannot_be_read(kind: str | None, size: int, following: int, after: int | None) -> None:
    """A message counts if the next packet begins where its PacketSize says."""
    rows: list[tuple[Any, ...]] = [
        ("a", P, "ConnectionParameters", None, 0, b""),
        ("a", P, "UserMessage", None, 90, b""),
        ("a", Kind.UNREADABLE, kind, None, 200, head(size)),
        ("a", P, "UserMessage", None, following, b""),
    ]
    assert numbers_of(*rows)[-1] == after


def test_bytes_that_are_missing_beside_a_packet_as_well() -> None:
    assert numbers_of(
        ("a", P, "ConnectionParameters", None, 0, b""),
        ("a", Kind.HEAD, "UserMessage", None, 90, head(110)),
        ("a", G, None, None, 150, None),
        ("a", P, "UserMessage", None, 300, b""),
    ) == [None, 1, None, None]


def test_a_count_that_is_contradicted_is_unknown() -> None:
    assert numbers_of(
        ("a", P, "ConnectionParameters", None),
        ("a", P, "UserMessage", 5),
        ("a", P, "UserMessage", None),
    ) == [None, 1, None]


def test_flows_are_counted_apart_and_go_on() -> None:
    numbers = Numbers()
    start = ("ConnectionParameters", None)
    first = numbers_of(("a", P, *start), ("b", P, *start), ("a", P, "UserMessage", None), numbers=numbers)
    second = numbers_of(("b", P, "UserMessage", None), ("a", P, "UserMessage", None), numbers=numbers)
    assert (first, second) == ([None, None, 1], [1, 2])


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    made = write_captures(tmp_path_factory.mktemp("all"), 400, seed=5, managers=6, files=1)
    found = captures.tables(made.captures, ["packets", "messages", "sessions"])
    return {name: reader.read_all().to_pylist() for name, reader in found.items()}


def test_each_side_counts_its_messages(tables: dict[str, list[dict[str, Any]]]) -> None:
    flows: dict[tuple[str, str], list[int]] = {}
    for row in sorted(tables["packets"], key=lambda row: (row["flow"], row["offset"])):
        if row["transport"] == "tcp":
            assert (row["number_in_session"] is not None) == (row["type"] in COUNTED)
            if row["type"] in COUNTED:
                flows.setdefault((row["sensor"], row["flow"]), []).append(row["number_in_session"])
            if row["SessionHeader"] is not None and row["type"] in COUNTED:
                assert row["number_in_session"] == row["SessionHeader"]["UserMsgSequenceNumber"]
    assert flows
    assert all(numbers == [*range(1, len(numbers) + 1)] for numbers in flows.values())
    packets = {(row["flow"], row["offset"]): row for row in tables["packets"]}
    for row in tables["messages"]:
        packet = packets[row["flow"], row["offset"]]
        shared = ("session", "number_in_session", "message", "message_class", "acknowledged_message")
        assert [row[name] for name in shared] == [packet[name] for name in shared]


def test_sessions_and_acknowledgments_join(tables: dict[str, list[dict[str, Any]]]) -> None:
    sessions = {row["session"]: row for row in tables["sessions"]}
    assert {row["session"] for row in tables["messages"]} <= {*sessions}
    for row in tables["packets"]:
        if row["type"] == "EstablishConnection":
            session = sessions[row["session"]]
            if session["handshake"] == "incomplete":  # nothing has confirmed who they are
                continue
            for name in ("source_queue_manager", "destination_queue_manager"):
                assert row[name] in {None, session[name]}
    ordered = {(row["sequence"], row["number_in_sequence"]) for row in tables["messages"] if row["sequence"]}
    messages = {row["message"] for row in tables["messages"]}
    for kind, others in (("OrderAck", {None}), ("FinalAck", messages)):
        own = [row for row in tables["packets"] if row["type"] == kind]
        assert own
        assert {row["acknowledged_message"] for row in own} <= others
        assert {(row["acknowledged_sequence"], row["acknowledged_number"]) for row in own} <= ordered


def test_what_acknowledgments_acknowledge(tmp_path: Path) -> None:
    """[MS-MQQB] 2.2.4, 2.2.5: the body; [MS-MQMQ] 2.2.20.3: the CorrelationID of a report."""
    sequence = mqmq.TxSequenceID(Ordinal=3, TimeStamp=0x655F1C2A)
    header = mqmq.UserHeader(SourceQueueManager=ONE, QueueManagerAddress=OTHER, MessageID=4)
    order = mqqb.OrderAckBody(TxSequenceID=sequence, TxSequenceNumber=5, TxPreviousSequenceNumber=4)
    final = mqqb.FinalAckBody(
        TxSequenceID=sequence, TxSequenceNumber=5, TxPreviousSequenceNumber=4, SourceGUID=OTHER, MessageID=6
    )
    bodies = {"OrderAck": (order, 0xFF), "FinalAck": (final, 0x4000)}
    data = []
    for name, (body, number) in bodies.items():
        properties = mqmq.MessagePropertiesHeader(
            MessageClass=number, Label="QM Ordering Ack\0", MessageBody=body.encode()
        )
        queue = mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\private$\\order_queue$\0")
        own = mw.replace(header, DestinationQueue=queue, Flags=mqmq.UserHeaderFlags(DQ=7, MP=1))
        kind = getattr(mqqb, name)
        data.append(kind(UserHeader=own, MessagePropertiesHeader=properties).encode())
    correlation = mqmq.MessageIdentifier(QueueManagerGuid=OTHER, Ordinal=7).encode()
    for number in (0x8003, 0):
        properties = mqmq.MessagePropertiesHeader(MessageClass=number, CorrelationID=correlation)
        acks = mqmq.SessionHeader(AckSequenceNumber=8) if number else None
        message = mqmq.UserMessage(UserHeader=header, MessagePropertiesHeader=properties, SessionHeader=acks)
        data.append(message.encode())
    (tmp_path / "some.packets").write_bytes(b"".join(data))
    rows = captures.tables(tmp_path, ["packets"])["packets"].read_all().to_pylist()
    names = (
        "acknowledged_message",
        "acknowledged_sequence",
        "acknowledged_number",
        "acknowledged_in_session",
    )
    assert {row["message"] for row in rows} == {f"{ONE}\\4"}
    assert [(row["type"], *(row[name] for name in names)) for row in rows] == [
        ("OrderAck", None, "655f1c2a00000003", 5, None),
        ("FinalAck", f"{OTHER}\\6", "655f1c2a00000003", 5, None),
        ("UserMessage", f"{OTHER}\\7", None, None, 8),
        ("UserMessage", None, None, None, None),
    ]
