"""Violations that two messages show together: captures by hand, with what the pages demand typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.captures.comparing import COMPARABLE, violations_of_pairs
from msmq_wire.captures.engine import Settings
from msmq_wire.captures.table_builder import TableBuilder

from . import conversations
from .conversations import QUEUE, SENDER, SENT
from .conversations import ROUTER as OTHER
from .segments import Talk, batch_of

if TYPE_CHECKING:
    from pathlib import Path

IDENTIFIER, POSITION = "MQMQ-2.2.19.2-07", "MQMQ-2.2.20.5-26"
FIRST, NOT_FIRST, LAST, NOT_LAST, ONE_ID, UNIQUE_ID = (f"MQMQ-2.2.20.5-0{n}" for n in range(4, 10))


class Wire(conversations.Wire):
    """Captures, and the violations of two messages in them."""

    def talk(self, port: int = 40001) -> Talk:
        """A connection at the first sensor."""
        capture = self.captures[0] if self.captures else self.sensor()
        return Talk(capture, src_port=port).open()

    def violations(self, level: Any = "must", ignored: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
        maker = TableBuilder(frozenset({"violations"}), self.settings, self.directory)
        tables = [*maker.tables([batch_of(*self.captures)], 0)]
        batches = [batch for name, batch in tables if name == COMPARABLE]
        found = [batch for _, batch in violations_of_pairs(batches, level, ignored)]
        again = [batch for _, batch in violations_of_pairs(_reversed(batches), level, ignored)]
        rows = [row for batch in found for row in batch.to_pylist()]
        assert rows == [row for batch in again for row in batch.to_pylist()]
        return rows


def _reversed(batches: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    return [batch.take(pa.array(range(len(batch) - 1, -1, -1))) for batch in reversed(batches)]


@pytest.fixture
def wire(tmp_path: Path) -> Wire:
    return Wire(tmp_path)


def message(number: int, body: bytes = b"order", **more: Any) -> bytes:
    fields = {
        "SourceQueueManager": SENDER, "MessageID": number, "SentTime": SENT, "MessageBody": body,
        "DestinationQueue": QUEUE,
    }  # fmt: skip
    return mw.encode(mqmq.UserMessage.of(**{**fields, **more}))


def transacted(
    message_id: int,
    number: int,
    bounds: str = "",
    transaction: int = 1,
    *,
    sequence: int = 5,
    previous: int | None = None,
    **more: Any,
) -> bytes:
    """A message of a sequence; `bounds` has F for the first of a transaction and L for the last."""
    flags = mqmq.TransactionHeaderFlags(FM=int("F" in bounds), LM=int("L" in bounds), ID=transaction)
    header = mqmq.TransactionHeader(
        Flags=flags,
        TxSequenceID=mqmq.TxSequenceID(Ordinal=1, TimeStamp=sequence),
        TxSequenceNumber=number,
        PreviousTxSequenceNumber=number - 1 if previous is None else previous,
    )
    return message(message_id, body=b"%d" % message_id, TransactionHeader=header, **more)


# ---------------------------------------------------------------------------------------------- identifiers


@pytest.mark.requirement(IDENTIFIER)
@pytest.mark.requirement("MQMQ-2.2.18.1.3-02")
def test_two_messages_with_one_identifier(wire: Wire) -> None:
    first, second = wire.talk(), wire.talk(40002)
    first.send("->", message(1)).send("->", message(7, b"one"))
    second.send("->", message(8)).send("->", message(7, b"another"))
    (row,) = wire.violations()
    assert (row["requirement"], row["level"], row["found"]) == (IDENTIFIER, "must", "7")
    assert row["path"] == "UserMessage.UserHeader.MessageID"
    assert row["message"] == "UserMessage.UserHeader.MessageID is 7, which a different message has."
    assert message(7)[row["field_offset"] :][:4] == b"\7\0\0\0"
    assert row["offset"] == len(message(8))
    assert row["other"]["offset"] == len(message(1))
    assert row["flow"] != row["other"]["flow"]
    assert row["time"] > row["other"]["time"]
    assert wire.violations(ignored=frozenset({IDENTIFIER})) == []


@pytest.mark.parametrize(("later", "level"), [(4293, "must"), (4294, "practice"), (-4294, "practice")])
def test_identifiers_start_over(wire: Wire, later: int, level: str) -> None:
    """After 2^32 messages, which take 4,294 seconds at a million a second."""
    wire.talk().send("->", message(7, b"one"))
    wire.talk(40002).send("->", message(7, b"another", SentTime=1767225600 + later))
    assert len(wire.violations()) == (level == "must")
    (row,) = wire.violations("practice")
    assert (row["requirement"], row["level"], row["found"]) == (IDENTIFIER, level, "7")


def test_each_different_message_with_an_identifier_is_told_once(wire: Wire) -> None:
    talk = wire.talk()
    for body in (b"one", b"two", b"one", b"three", b"two"):
        talk.send("->", message(7, body))
    rows = wire.violations()
    assert len(rows) == 2
    assert {row["other"]["offset"] for row in rows} == {0}


@pytest.mark.parametrize(
    "another",
    [
        pytest.param(message(7), id="sent again"),
        pytest.param(message(7, b"x", SourceQueueManager=OTHER), id="another queue manager"),
        pytest.param(message(8, b"x"), id="another number"),
        pytest.param(message(7, DestinationQueue="DIRECT=OS:other\\q"), id="another queue"),
        pytest.param(
            message(7, b"x", MessageClass=0x8002, DestinationQueue="DIRECT=OS:a\\SYSTEM$;DEADLETTER"),
            id="moved to a dead-letter queue",
        ),
        pytest.param(message(7)[:-5], id="not captured completely"),
    ],
)  # fmt: skip
def test_what_is_no_second_message(wire: Wire, another: bytes) -> None:
    wire.talk().send("->", message(7))
    wire.talk(40002).send("->", another).close()
    assert wire.violations() == []


def test_encrypted_bodies_may_differ(wire: Wire) -> None:
    key: dict[str, Any] = {
        "EncryptionKey": b"k" * 76,
        "SecurityHeaderFlags": mqmq.SecurityHeaderFlags(EB=1),
    }
    wire.talk().send("->", message(7, b"12345678", **key))
    wire.talk(40002).send("->", message(7, b"8765432112345678", **key))
    assert wire.violations() == []


# --------------------------------------------------------------------------------------------- transactions


@pytest.mark.parametrize(
    ("earlier", "later", "requirement", "wrong"),
    [
        pytest.param((1, 1, "F"), (2, 2, "F"), NOT_FIRST, "later", id="FM again",
                     marks=pytest.mark.requirement(NOT_FIRST)),
        pytest.param((1, 1, "FL"), (2, 2, "L"), NOT_LAST, "earlier", id="LM too early",
                     marks=pytest.mark.requirement(NOT_LAST)),
        pytest.param((1, 1, "FL"), (2, 2, "L", 2), FIRST, "later", id="no FM",
                     marks=pytest.mark.requirement(FIRST)),
        pytest.param((1, 1, "F"), (2, 2, "FL", 2), LAST, "earlier", id="no LM",
                     marks=pytest.mark.requirement(LAST)),
        pytest.param((1, 1, "F"), (2, 2, "L", 2), ONE_ID, "later", id="another ID",
                     marks=pytest.mark.requirement(ONE_ID)),
        pytest.param((1, 1, "FL"), (2, 2, "FL"), UNIQUE_ID, "later", id="the same ID",
                     marks=pytest.mark.requirement(UNIQUE_ID)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("connections", [1, pytest.param(2, marks=pytest.mark.long)])
def test_bounds_of_transactions(
    wire: Wire, earlier: Any, later: Any, requirement: str, wrong: str, connections: int
) -> None:
    packets = [transacted(*earlier), transacted(*later)]
    talk = wire.talk().send("->", packets[0])
    (talk if connections == 1 else wire.talk(40002)).send("->", packets[1])
    (row,) = wire.violations()
    assert (row["requirement"], row["level"]) == (requirement, "must")
    begins = {"earlier": 0, "later": len(packets[0]) if connections == 1 else 0}
    assert (row["offset"], row["other"]["offset"]) == (
        begins[wrong],
        begins["later" if wrong == "earlier" else "earlier"],
    )
    assert (row["flow"] == row["other"]["flow"]) == (connections == 1)
    # The flags are the first word of the header: by the page, FM is bit 2, LM bit 3, ID bits 4 to 23.
    flags = int.from_bytes(packets[wrong == "later"][row["field_offset"] :][:4], "little")
    found = {"FM": flags >> 2 & 1, "LM": flags >> 3 & 1, "ID": flags >> 4 & 0xFFFFF}
    assert row["found"] == str(found[row["path"].rpartition(".")[2]])


@pytest.mark.parametrize(
    "packets",
    [
        pytest.param([(1, 1, "F"), (2, 2, ""), (3, 3, "L"), (4, 4, "FL", 2)], id="as it should be"),
        pytest.param([(1, 1, "FL"), (3, 2, "L", 2)], id="the first message may have gone elsewhere"),
        pytest.param([(1, 1, "F"), (3, 2, "FL", 2)], id="the last message may have gone elsewhere"),
        pytest.param([(1, 1, "F"), (2, 3, "F")], id="what lies between was not captured"),
        pytest.param([(1, 1, "F"), (2, 2, "L", 2, {"sequence": 6})], id="another sequence"),
        pytest.param(
            [(1, 1, "FL"), (2, 2, "L", 2, {"DestinationQueue": "DIRECT=OS:b\\q"})], id="another queue"
        ),
        pytest.param([(1, 1, "FL"), (2, 2, "FL", 1, {"SourceQueueManager": OTHER})], id="another sender"),
        pytest.param([(1, 1, "F"), (1, 1, "F"), (2, 2, "L"), (2, 2, "L")], id="sent again"),
        pytest.param([(1, 1, "F"), (1, 2, "F"), (2, 3, "L")], id="sent again with another number"),
    ],
)  # fmt: skip
def test_transactions_without_violations(wire: Wire, packets: list[Any]) -> None:
    talk = wire.talk()
    for packet in packets:
        more = packet[-1] if isinstance(packet[-1], dict) else {}
        talk.send("->", transacted(*(value for value in packet if value is not more), **more))
    assert wire.violations() == []


@pytest.mark.requirement(UNIQUE_ID)
def test_an_identifier_of_a_transaction_comes_again(wire: Wire) -> None:
    """By the SDK it may after a restart or 2^20 transactions: the first is practice, the second is right."""
    wire.talk().send("->", transacted(1, 1, "FL")).send("->", transacted(5, 5, "FL", 2))
    wire.talk(40002).send("->", transacted(9, 9, "FL"))
    wire.talk(40003).send("->", transacted(9 + 2**20, 12, "FL"))
    assert wire.violations() == []
    (row,) = wire.violations("practice")
    assert (row["requirement"], row["level"], row["found"]) == (UNIQUE_ID, "practice", "1")
    assert row["path"] == "UserMessage.TransactionHeader.Flags.ID"


@pytest.mark.requirement(POSITION)
def test_a_number_of_a_sequence_is_used_again_in_another_session(wire: Wire) -> None:
    wire.talk().send("->", transacted(1, 1, "FL")).send("->", transacted(2, 2, "FL", 2))
    wire.talk(40002).send("->", transacted(3, 2, "FL", 3))
    (row,) = wire.violations()
    assert (row["requirement"], row["found"]) == (POSITION, "2")
    assert transacted(3, 2)[row["field_offset"] :][:4] == b"\2\0\0\0"
    assert row["other"]["offset"] == len(transacted(1, 1))


def test_each_sensor_sees_a_message(wire: Wire) -> None:
    for name in ("a", "b"):
        Talk(wire.sensor(name)).open().send("->", message(7, b"one"))
    (one, two) = wire.captures
    Talk(one, src_port=40002).open().send("->", message(7, b"two"))
    Talk(two, src_port=40002).open().send("->", message(7, b"two"))
    assert [row["requirement"] for row in wire.violations()] == [IDENTIFIER]


@pytest.mark.parametrize(("tolerance", "expired"), [(0, True), (9, True), (11, False), (60, False)])
def test_the_tolerance_for_clocks_is_a_setting(wire: Wire, tolerance: float, expired: bool) -> None:
    """By the clock of the sender, the time of the message ended ten seconds before the capture began."""
    late = message(1, SentTime=1767225600 - 100, TimeToReachQueue=90)
    wire.talk().send("->", late)
    settings = Settings(clock_tolerance=tolerance)
    tables = TableBuilder(frozenset({"violations"}), settings, wire.directory).tables(
        [batch_of(*wire.captures)], 0
    )
    rows = [row for name, batch in tables if name == "violations" for row in batch.to_pylist()]
    assert ("MQMQ-2.2.19.1-34" in {row["requirement"] for row in rows}) is expired
