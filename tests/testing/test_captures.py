"""The generator of captures: its files hold what its ground truth says, by a reading of their own."""

from __future__ import annotations

import gzip
import io
import re
import struct
from collections import defaultdict
from functools import cache
from ipaddress import ip_address
from itertools import groupby
from random import Random
from typing import TYPE_CHECKING, Any

import dpkt
import pyarrow.parquet as pq
import pytest

import msmq_wire as mw
from msmq_wire import mqdsrp, mqmq
from msmq_wire.packets.carriers import carries
from msmq_wire.packets.directory.carried import carried_by
from msmq_wire.packets.stream import Frame as StreamFrame
from msmq_wire.testing.captures import Faults, Frame, Span
from msmq_wire.testing.captures import files as captures
from msmq_wire.testing.captures.donors import Pool, Template, stamped
from msmq_wire.testing.captures.message_truth import message_truth
from msmq_wire.testing.captures.session_truth import Ledger, Step
from msmq_wire.testing.captures.truth import IntendedViolation, Item, Rest, Sent, changes_of
from msmq_wire.testing.captures.wire import Address
from msmq_wire.testing.captures.wire import Path as Path_

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from msmq_wire.testing.captures import Form

MOD = 1 << 32
SYN, FIN = 2, 1
KINDS = tuple(Faults.__struct_fields__)


class Way:
    """One way of a connection, put together as simply as can be: first captured byte wins."""

    def __init__(self) -> None:
        self.first: int | None = None  # sequence number of offset 0
        self.bytes: dict[int, int] = {}
        self.end = 0
        self.last = 0

    def take(self, seq: int, flags: int, payload: bytes, length: int) -> None:
        if self.first is None:
            self.first = (seq + 1) % MOD if flags & SYN else seq
            self.last = 0
        start = (seq + bool(flags & SYN) - self.first - self.last + MOD // 2) % MOD - MOD // 2 + self.last
        self.last = start
        for at, byte in enumerate(payload, start):
            self.bytes.setdefault(at, byte)
        if length or flags & FIN:
            self.end = max(self.end, start + length)

    def runs(self) -> list[tuple[int, bytes]]:
        """What was captured, as (offset, bytes) without holes; before offset 0 nothing counts."""
        places = sorted(at for at in self.bytes if at >= 0)
        grouped = groupby(enumerate(places), lambda pair: pair[1] - pair[0])
        runs = [[at for _, at in group] for _, group in grouped]
        return [(run[0], bytes(self.bytes[at] for at in run)) for run in runs]


class Wire:
    """What is in frames: datagrams out of tunnels, fragments put together, none with a wrong checksum."""

    def __init__(self) -> None:
        self.parts: dict[Any, dict[int, tuple[bytes, bool]]] = defaultdict(dict)

    def read(self, data: bytes) -> tuple[Any, Any, bytes, int] | None:
        """Source, destination and content of a datagram, and its size on the wire."""
        at = 12
        while data[at : at + 2] == b"\x81\0":  # tags
            at += 4
        raw = data[at + 2 :]
        if raw[0] >> 4 == 4:
            size, number, word = struct.unpack_from("!2xHHH", raw)
            protocol, ends = raw[9], raw[12:20]
            head, size, place, more = 20, size - 20, (word & 0x1FFF) * 8, bool(word & 0x2000)
        else:
            size, protocol = struct.unpack_from("!4xHB", raw)
            ends, head, place, more, number = raw[8:40], 40, 0, False, 0
            if protocol == 44:
                protocol, word, number = struct.unpack_from("!BxHI", raw, 40)
                head, size, place, more = 48, size - 8, word & ~7, bool(word & 1)
        if protocol == 17 and raw[head + 2 : head + 4] == (4789).to_bytes(2, "big"):
            return self.read(raw[head + 16 :])
        key = ends, number
        content = raw[head:]
        if place or more:
            self.parts[key][place] = content, more
            known = sorted(self.parts[key].items())
            content = b"".join(part for _, (part, _) in known)
            if known[0][0] or known[-1][1][1] or known[-1][0] + len(known[-1][1][0]) != len(content):
                return None
            size = len(content)
            del self.parts[key]
        if len(content) == size and not self.is_right(ends, protocol, content):
            return None
        return ends[: len(ends) // 2], ends[len(ends) // 2 :], content, size

    @staticmethod
    def is_right(ends: bytes, protocol: int, content: bytes) -> bool:
        """Whether the checksum is right."""
        data = ends + struct.pack("!II", len(content), protocol) + content + bytes(len(content) % 2)
        total: int = sum(struct.unpack(f"!{len(data) // 2}H", data))
        return total % 0xFFFF == 0


def reassembled(frames: Iterable[Frame]) -> tuple[dict[Any, Way], list[bytes]]:
    """Ways by addresses and number of the connection, and the datagrams."""
    ways: dict[Any, Way] = {}
    numbers: dict[Any, tuple[int, int]] = {}
    pings = []
    wires: dict[str, Wire] = defaultdict(Wire)
    to_text = dpkt.utils.inet_to_str
    for frame in frames:
        read = wires[frame.file].read(frame.data)
        if read is None:
            continue
        src, dst, content, size = read
        if struct.unpack_from("!H", content, 2) == (3527,) or struct.unpack_from("!H", content) == (3527,):
            pings.append(content[8:])
            continue
        segment = dpkt.tcp.TCP(content)
        key = (to_text(src), segment.sport, to_text(dst), segment.dport)
        pair = frozenset({key[:2], key[2:]})
        if segment.flags == SYN:
            number, seq = numbers.get(pair, (-1, -1))
            if seq != segment.seq:
                numbers[pair] = number + 1, segment.seq
        number = numbers.setdefault(pair, (0, -1))[0]
        way = ways.setdefault((*key, number), Way())
        way.take(segment.seq, segment.flags, segment.data, size - segment.off * 4)
    return ways, pings


def run(packets: int, seed: int, faults: Faults, **more: Any) -> tuple[list[Frame], list[Span]]:
    events = list(captures.events(packets, seed=seed, faults=faults, **more))
    return [e for e in events if isinstance(e, Frame)], [e for e in events if isinstance(e, Span)]


OFTEN = Faults(**{kind: min(1, 5 * getattr(Faults.all(), kind)) for kind in KINDS if kind != "bend"})


def check(frames: list[Frame], spans: list[Span]) -> dict[str, int]:
    """Hold the spans against the frames; counts of the spans by kind."""
    ways, pings = reassembled(frames)
    assert sorted(pings) == sorted(span.data for span in spans if span.kind == "ping" and span.data)
    of_way: dict[Any, list[Span]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    for span in spans:
        counts[span.kind] += 1
        if span.kind != "ping":
            of_way[span[1:6]].append(span)
    assert set(of_way) <= set(ways)
    for key, way in ways.items():
        found: list[tuple[str, int, int, bytes | None, str | None]] = []
        end = 0
        for offset, data in way.runs():
            if offset > end:
                found.append(("gap", end, offset - end, None, None))
            end = offset + len(data)
            stream = mw.PacketStream(max_skipped=None)
            items = stream.frames(data, final=True)
            for whole, group in groupby(items, lambda item: isinstance(item, StreamFrame)):
                some: list[Any] = list(group)
                if whole:
                    found += [
                        ("packet", offset + one.offset, len(one.data), one.data, type(one.packet).__name__)
                        for one in some
                    ]
                else:
                    junk = b"".join(one.data for one in some)
                    found.append(("junk", offset + some[0].offset, len(junk), junk, None))
        if way.end > end:
            found.append(("gap", end, way.end - end, None, None))
        assert [tuple(span[6:11]) for span in of_way[key]] == found
    return counts


def test_without_faults() -> None:
    """What is sent is what is there, and every packet is one that the documents allow."""
    frames, spans = run(700, 1, Faults(), managers=7)
    counts = check(frames, spans)
    assert set(counts) == {"packet", "ping"}
    assert counts["packet"] == 700
    packets = [mw.decode(span.data) for span in spans if span.kind == "packet" and span.data]
    kinds = {type(packet).__name__ for packet in packets}
    assert kinds == {
        "UserMessage", "OrderAck", "FinalAck", "SessionAck", "EstablishConnection", "ConnectionParameters",
    }  # fmt: skip
    assert not [found for packet in packets[:300] for found in mw.validate(packet, "should")]
    carried = [carried_by(packet) for packet in packets if isinstance(packet, mqmq.UserMessage)]
    assert {type(one) for one in carried} >= {mqdsrp.ChangePropagationMessage}
    refused = [packet for packet in packets if getattr(getattr(packet, "InternalHeader", 0), "Flags", 0)]
    assert refused


@cache
def plain() -> list[bytes]:
    """The frames without a fault."""
    return [frame.data for frame in run(400, 2, Faults(), managers=5)[0]]


@pytest.mark.each(20)
@pytest.mark.parametrize("fault", KINDS)
def test_each_fault(fault: str) -> None:
    """One kind of fault, often."""
    often = {"midstream": 0.7, **dict.fromkeys(("wrap", "reuse", "late", "fastopen", "tunnel"), 1.0)}
    share = often.get(fault, 0.1)
    frames, spans = run(400, 2, Faults(**{fault: share}), managers=5)
    counts = check(frames, spans)
    assert ("gap" in counts) == (fault in {"loss", "truncate"})
    if fault != "midstream":  # it begins within a packet or between two
        assert ("junk" in counts) == (fault in {"loss", "truncate", "spoil"})
    if fault == "reuse":
        assert max(span.connection for span in spans) > 0
    assert [frame.data for frame in frames] != plain()


@pytest.mark.each(4)
@pytest.mark.parametrize("seed", range(4))
def test_all_faults(seed: int) -> None:
    counts = check(*run(500, seed, OFTEN))
    assert set(counts) == {"packet", "ping", "gap", "junk"}


# ---------------------------------------------------------------------------------------------- frames

ENDS = (
    Address(ip_address("10.0.0.1"), 50000, b"\2\0\0\0\0\1"),
    Address(ip_address("10.0.0.2"), 1801, b"\2\0\0\0\0\2"),
)


def test_frames_in_a_tunnel() -> None:
    """VXLAN is UDP to port 4789 with a header of 8 bytes (RFC 7348); fragments are within it."""
    path = Path_(*ENDS, tunnel=7)
    frame, plain = (one.tcp(1, 2, 16, b"x" * 100) for one in (path, Path_(*ENDS)))
    fragments = [*path.fragments(frame)]
    for outer in (frame, *fragments):
        assert outer[23] == 17
        assert outer[34:38] == (4789).to_bytes(2, "big") * 2
        assert outer[42:50] == b"\x08\0\0\0\0\0\7\0"
    assert frame[50:] == plain
    first, second = (fragment[50:] for fragment in fragments)
    assert first[:14] == second[:14] == plain[:14]
    assert first[20:22] + second[20:22] == b"\x20\0\0\x07"  # more follow; 7 * 8 bytes precede
    assert first[34:] + second[34:] == plain[34:]


# -------------------------------------------------------------------------------------- ground truth


def test_queues_and_correlation_of_a_message() -> None:
    """RQ 4: the response queue is on the host of the administration queue ([MS-MQMQ] 2.2.19.2)."""
    host, own = (f"{letter * 8}-2222-3333-4444-555555555555" for letter in "BA")
    message = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=mw.GUID.of(own),
            DestinationQueue="DIRECT=OS:a\\b",
            AdminQueue=f"PRIVATE={host}\\00000007",
            ResponseQueue=mqmq.PrivateQueueFormatNameId(9),
            Flags=mqmq.UserHeaderFlags(RQ=4),
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            CorrelationID=mw.GUID.of(own).bytes_le + b"\2\1\0\0"
        ),
    )
    told = message_truth(message)
    assert told.admin_queue == f"PRIVATE={host}\\00000007"
    assert told.response_queue == f"PRIVATE={host}\\00000009"
    assert told.correlation == f"{own.lower()}\\258"


@pytest.mark.parametrize(("host", "head", "own"), [("10.0.0.{}", 20, 20), ("fe80::{}", 40, 48)])
def test_fragments_have_the_bytes_of_their_packet(host: str, head: int, own: int) -> None:
    """Behind the IP header, and with IPv6 behind the header of fragments too."""
    one, other = (Address(ip_address(host.format(at)), 1801, bytes([2, 0, 0, 0, 0, at])) for at in (1, 2))
    path = Path_(one, other)
    frame = path.tcp(1, 2, 16, bytes(range(100)))
    fragments = [*path.fragments(frame)]
    assert len(fragments) == 2
    assert b"".join(fragment[14 + own :] for fragment in fragments) == frame[14 + head :]


@pytest.mark.parametrize(
    ("kind", "raw", "wanted"),
    [
        (0, "01020000000000051500000000010000", None),
        (1, "01020000000000051500000000010000", "S-1-5-21-256"),
        (1, "0101010000000000 07000000", "S-1-0x010000000000-7"),
        (1, "0201000000000005 12000000", None),
        (1, "0101000000000000 07000000", "S-1-0-7"),
        (1, "0101000001000000 07000000", "S-1-16777216-7"),
        (1, "0101000100000000 07000000", "S-1-0x000100000000-7"),
        (1, "010f000000000005" + "01000000" * 15, "S-1-5" + "-1" * 15),
        (1, "0110000000000005" + "01000000" * 16, None),
        (1, "0100000000000005", "S-1-5"),
        (1, "", None),
        (2, "", None),
        (1, "010200000000000515000000", None),
        (2, "030201000504070608090a0b0c0d0e0f", "00010203-0405-0607-0809-0a0b0c0d0e0f"),
        (2, "030201000504070608090a0b0c0d0e", None),
        (3, "030201000504070608090a0b0c0d0e0f", None),
    ],
)
def test_sender_of_a_message(kind: int, raw: str, wanted: str | None) -> None:
    """A SID or a GUID, as the flags say, if it has its size."""
    header = mqmq.SecurityHeader(
        Flags=mqmq.SecurityHeaderFlags(ST=kind),
        SecurityData=mqmq.SecurityData(SecurityID=bytes.fromhex(raw)),
    )
    user = mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b")
    assert message_truth(mqmq.UserMessage(UserHeader=user, SecurityHeader=header)).sender == wanted


@pytest.mark.parametrize(
    ("steps", "handshake", "outcome"),
    [
        ((), "unseen", "closed"),
        ((1, 2, 3), "incomplete", "broken"),
        ((1, 2, 3, 4), "complete", "closed"),
        ((1, 2, 3, 4, 0), "complete", "broken"),
    ],
)
def test_outcomes_of_sessions(steps: tuple[int, ...], handshake: str, outcome: str) -> None:
    """Closed, unless the handshake is incomplete or a message without acknowledgment is known."""
    ledger = Ledger(ENDS, "a", 0)
    for step in (Step(at, managers=("one", "two")) for at in steps or (0,)):
        sent = ledger.send(not step.handshake % 2, step._replace(sent=not step.handshake))
        sent.fate = "whole"
    (told,) = ledger.close()
    managers = ("one", "two") if steps else (None, None)
    assert (told.handshake, told.outcome) == (handshake, outcome)
    assert (told.forward.manager, told.backward.manager) == managers


# ------------------------------------------------------------------------------------------------ files


def read_back(path: Path) -> list[tuple[int, bytes]]:
    """The frames of a capture file, with microseconds."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [(round(time * 1e6), frame) for time, frame in dpkt.pcap.UniversalReader(io.BytesIO(data))]


@pytest.mark.long
@pytest.mark.parametrize("form", ["pcap", "pcapng", "pcap.gz", "pcapng.gz"])
def test_files(form: Form, tmp_path: Path) -> None:
    """The files have the frames and the truth that `events` yields, and no other bytes the next time."""
    frames, spans = run(200, 5, Faults.all(), files=2)
    done = captures.write_captures(tmp_path / "one", 200, seed=5, faults=Faults.all(), files=2, form=form)
    assert [path.name for path in done.captures] == [f"sensor00.{form}", f"sensor01.{form}"]
    for path in done.captures:
        name = path.name.partition(".")[0]
        assert read_back(path) == [(frame.time, frame.data) for frame in frames if frame.file == name]
        if form == "pcap":  # the zone and the accuracy of times are always zero
            assert path.read_bytes()[:16] == struct.pack("<IHHiI", 0xA1B2C3D4, 2, 4, 0, 0)
    table = pq.read_table(done.truth)
    assert table.schema.equals(captures.TRUTH)
    named = [span._replace(file=f"{span.file}.{form}") for span in spans]
    assert [tuple(row.values()) for row in table.to_pylist()] == [span[:11] for span in named]
    directory = pq.read_table(done.directory)
    assert directory.schema.equals(captures.DIRECTORY)
    told = [(*span[:6], span.offset, *change) for span in named for change in span.changes]
    assert [as_told(row) for row in directory.to_pylist()] == told
    counts = {kind: sum(span.kind == kind for span in spans) for kind in ("packet", "gap", "junk", "ping")}
    sizes = len(frames), sum(len(frame.data) for frame in frames)
    assert done[6:] == (*sizes, *counts.values(), len(told))
    again = captures.write_captures(tmp_path / "two", 200, seed=5, faults=Faults.all(), files=2, form=form)
    assert [path.read_bytes() for path in again.captures] == [path.read_bytes() for path in done.captures]


def as_told(row: dict[str, Any]) -> tuple[Any, ...]:
    *others, properties = row.values()
    return *others, tuple(tuple(one.values()) for one in properties)


@pytest.mark.each(2)
@pytest.mark.parametrize("seed", [1, 2])
def test_changes_are_told(seed: int) -> None:
    """The changes of a span are those in its bytes; without the fault, no change has two versions."""
    versions = set()
    for faults in (Faults(), Faults(diverge=1.0)):
        _, spans = run(600, seed, faults, managers=5)
        told: dict[tuple[str, bytes], set[Any]] = {}
        for span in spans:
            message: Any = mw.decode(span.data) if span.packet == "UserMessage" and span.data else None
            carried = carried_by(message) if message is not None and carries(message) else None
            single = getattr(carried, "DirectoryChange", None)
            changes = getattr(carried, "DirectoryChanges", () if single is None else (single,))
            assert [
                (change.Command, change.SeqNumber, len(change.properties)) for change in span.changes
            ] == [(change.Command, change.SeqNumber.raw, len(change.PropertyID)) for change in changes]
            for change in span.changes:
                if change.type == "ChangePropagationMessage":
                    told.setdefault((change.PartitionID, change.SeqNumber), set()).add(change.properties)
        versions.add(max(map(len, told.values())))
    assert versions == {1, 2}


ONE, TWO, SITE, SERVER = (mw.GUID(bytes([number]) * 16) for number in range(1, 5))
NAMED: Any = mqdsrp.DirectoryChange(
    Command=2, PathName="host\\queue", PartitionID=ONE, PreviousSeqNumber=5, SeqNumber=6, PurgedSeqNumber=7,
    PropertyID=(105, 108), PropertyValue=(9, "label"),
)  # fmt: skip
NUMBERED: Any = mqdsrp.DirectoryChange(
    GuidIdentifier=TWO, PartitionID=ONE, PreviousSeqNumber=1, SeqNumber=2, PurgedSeqNumber=3,
    PropertyID=(101,), PropertyValue=(TWO,),
)  # fmt: skip
FIELDS = {
    "host\\queue": (2, "host\\queue", None, str(ONE), *(bytes(7) + bytes([number]) for number in (5, 6, 7)),
                    ((105, 19, "9"), (108, 31, "label"))),
    None: (0, None, str(TWO), str(ONE), *(bytes(7) + bytes([number]) for number in (1, 2, 3)),
           ((101, 72, str(TWO)),)),
}  # fmt: skip
HEADER: Any = mqdsrp.BaseReplicationHeader(SiteID=SITE)
TOLD: list[tuple[Any, list[Any]]] = [
    (mqdsrp.ChangePropagationMessage(BaseReplicationHeader=HEADER, DirectoryChanges=(NAMED, NUMBERED)),
     [NAMED, NUMBERED]),
    (mqdsrp.SyncReplyMessage(SyncReplyHeader=mqdsrp.SyncReplyHeader(BaseReplicationHeader=HEADER),
                             DirectoryChanges=(NUMBERED, NAMED)), [NUMBERED, NAMED]),
    (mqdsrp.ChangeRequestMessage(
        ChangeRequestHeader=mqdsrp.ChangeRequestHeader(BaseReplicationHeader=HEADER), DirectoryChange=NAMED),
     [NAMED]),
    (mqdsrp.AlreadyPurgedMessage(BaseReplicationHeader=HEADER), []),
]  # fmt: skip


@pytest.mark.parametrize(("message", "wanted"), TOLD, ids=[type(row[0]).__name__ for row in TOLD])
def test_all_of_a_change_is_told(message: Any, wanted: list[Any]) -> None:
    """Who sent it, where it is in its message, and each of its fields; a number has eight bytes."""
    found = changes_of(message, SERVER)
    assert [one.position for one in found] == [*range(len(wanted))]
    assert {(one.server, one.site, one.type) for one in found} == (
        {(str(SERVER), str(SITE), type(message).__name__)} if wanted else set()
    )
    assert [one[4:] for one in found] == [FIELDS[change.PathName] for change in wanted]


@pytest.mark.parametrize(
    ("behind", "before", "captured", "certain"),
    [
        (True, True, [True], True),
        (True, True, [False], False),
        (True, True, [True, True], False),
        (False, True, [True], False),
        (True, False, [True], False),
    ],
)
def test_breaches_of_junk(behind: bool, before: bool, captured: list[bool], certain: bool) -> None:
    """They are certain for one piece between two packets, all of which was captured."""
    breach = IntendedViolation("MQMQ-2.2.19.1-01", "BaseHeader.VersionNumber")
    rest = Rest("junk", 0, behind_packet=behind)
    for part in captured:
        nothing: Any = None
        item = Item(0, Sent(0, b"junk", None, breach=breach), nothing)
        item.parts.append((0, 4, part))
        rest.items.append(item)
    assert rest.breaches(before_packet=before) == (breach._replace(certain=certain),) * len(captured)


def test_breaches_are_told() -> None:
    """Each packet breaks the requirement that it was bent to break, and no other; junk breaks one too.

    Some junk is a packet but for one bit of its signature.
    """
    _, spans = run(600, 3, captures.Faults(bend=0.3, spoil=0.1), managers=5)
    broken = set()
    for span in spans:
        if span.kind == "packet" and span.data:
            found = [(one.requirement, one.path, True) for one in mw.validate(mw.decode(span.data))]
            assert [tuple(breach) for breach in span.breaches] == found
            broken |= {breach.requirement for breach in span.breaches}
        elif span.kind == "junk":
            assert {breach.requirement for breach in span.breaches} <= UNREADABLE
            assert span.breaches
    assert len(broken) > 20
    signatures = [span.data[4:8] for span in spans if span.kind == "junk" and span.data]
    right = int.from_bytes(b"LIOR")
    assert any((int.from_bytes(found) ^ right).bit_count() == 1 for found in signatures)


UNREADABLE = {"MQQB-3.1.5.1.2-01", "MQQB-3.1.5.1.3-01"}


@pytest.mark.each(2)
@pytest.mark.parametrize("faults", [Faults(), OFTEN])
def test_messages_are_told(faults: Faults) -> None:
    """What is told of a message is what its bytes say."""
    _, spans = run(400, 4, faults, managers=5)
    for span in spans:
        assert (span.message is None) == (span.packet != "UserMessage")
        if span.message is not None and span.data:
            message: Any = mw.decode(span.data)
            told, user, properties = span.message, message.UserHeader, message.MessagePropertiesHeader
            identifier = f"{user.SourceQueueManager}\\{user.MessageID}"
            assert (told.message, told.sent_at) == (identifier, user.SentTime)
            assert (told.label, told.body) == (properties.label, properties.MessageBody)
            several = message.MultiQueueFormatHeader
            listed = several.Destination.FormatNameList if several is not None else ()
            names = [user.destination, *(element.format_name for element in listed)]
            assert told.destination == next((str(name) for name in names if name is not None), None)
            assert bool(told.carries) == bool(span.changes) or not span.changes


@pytest.mark.each(4)
@pytest.mark.parametrize(("seed", "faults"), [(0, OFTEN), (1, OFTEN), (2, OFTEN), (0, Faults(loss=0.3))])
def test_sessions_are_told(seed: int, faults: Faults) -> None:
    """A session has as many packets as were captured of it, and is told once."""
    events = list(captures.events(600, seed=seed, faults=faults, managers=8))
    counts: dict[Any, int] = defaultdict(int)
    lost = set()
    for span in events:
        if isinstance(span, Span) and span.kind != "ping":
            counts[span[:6]] += span.kind == "packet"
            lost |= set() if span.kind == "packet" else {span[:6]}
    told = [event for event in events if isinstance(event, captures.Session)]
    assert len(told) == len({session[:6] for session in told})
    for session in told:
        assert (session.initiator is None) == (session.time_stamp is None)  # both are of the first packet
        file, src, src_port, dst, dst_port, number = session[:6]
        there, back = (
            (file, src, src_port, dst, dst_port, number),
            (file, dst, dst_port, src, src_port, number),
        )
        for way, party in ((there, session.forward), (back, session.backward)):
            assert (party.packets, party.lost) == (counts.pop(way, 0), way in lost)
    assert not any(counts.values())
    assert {session.handshake for session in told} >= {"complete", "unseen"}


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(tmp_path), "--packets", "60", "--seed", "3", "--faults", "wrap=1,reorder=0.5"]
    assert captures.main(words) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert re.fullmatch(
        r"4 captures, [\d,]+ frames, [\d,]+ bytes: 60 packets, \d+ pings, 0 gaps, 0 pieces of junk, .+\n",
        shown.out,
    )


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--packets", "-1"], "packets is -1, not 0 to 4611686018427387904"),
        (["--managers", "3"], "managers is 3, not 5 to 5000"),
        (["--files", "0"], "files is 0, not 1 to 1000"),
        (["--faults", "fire=1"], f"there is no fault 'fire'; there are {', '.join(KINDS)}"),
        (["--faults", "loss=much"], "the share loss is 'much', which is not a number"),
        (["--faults", "loss=1.5"], "loss is 1.5, not a share from 0 to 1"),
    ],
)
def test_words_that_mean_nothing(
    words: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert captures.main([str(tmp_path / "new"), *words]) == 1
    assert capsys.readouterr().err == f"msmq_wire.testing.captures: {problem}\n"
    assert not (tmp_path / "new").exists()


def test_a_format_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(mw.MsmqWireError, match="there is no format 'cap'; there are pcap, pcapng, "):
        captures.write_captures(tmp_path, 1, form="cap")  # type: ignore[arg-type]  # that is the test


def test_a_place_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert captures.main([str(tmp_path / "file"), "--packets", "1"]) == 1
    assert capsys.readouterr().err.startswith("msmq_wire.testing.captures: ")


def test_nothing_is_sent() -> None:
    assert run(0, 1, Faults()) == ([], [])


def test_shares_add_up_to_one_at_most() -> None:
    with pytest.raises(mw.MsmqWireError, match=r"the shares of faults of segments add up to 1\.5, not to 1"):
        Faults(loss=0.5, reorder=1.0)
    with pytest.raises(TypeError):
        Faults(0.5)  # type: ignore[call-arg]  # each has its name


def test_a_pool_of_messages() -> None:
    """An eighth as many are spoilt as there are messages; whether there are bent ones is said."""
    for bent in (False, True):
        pool = Pool(Random(3), ("a", "b"), 16, bent=bent)  # noqa: S311  # any will do
        assert (len(pool.messages), len(pool.spoilt), bool(pool.bent)) == (16, 2, bent)
        assert all(isinstance(mw.decode(message.data), mqmq.UserMessage) for message in pool.messages)
    modes = [mw.decode(message.data).UserHeader.Flags.DM for message in pool.bent]  # type: ignore[union-attr]  # messages all
    assert set(modes) == {0, 1}


def test_messages_of_a_pool() -> None:
    """Spoilt ones are damaged messages, or other bytes; bent ones conform but for what was bent in them."""
    pool = Pool(Random(4), ("a", "b"), 48, bent=True)  # noqa: S311  # any will do
    packets: list[Any] = [mw.decode(message.data) for message in pool.messages]
    for message, packet in zip(pool.messages, packets, strict=True):
        assert message.kind == "UserMessage"
        assert message.rides is (packet.SessionHeader is not None)
        assert message.recoverable is bool(packet.UserHeader.Flags.DM)
        assert message.transactional is (packet.TransactionHeader is not None)
        assert message.acknowledges is (packet.MessagePropertiesHeader.MessageClass != 0)
        assert message.breach is None
        assert not mw.validate(packet, "should")
        assert packet.MessagePropertiesHeader.AllocationBodySize == len(message.meaning.body)  # type: ignore[union-attr]  # each has one
        for name, path in (("source", "SourceQueueManager"), ("number", "MessageID"), ("sent", "SentTime")):
            at, size = message.spans[name]
            value = getattr(packet.UserHeader, path)
            wanted = value.bytes_le if name == "source" else value.to_bytes(4, "little")
            assert message.data[at : at + size] == wanted
    assert {one.acknowledges for one in pool.messages} == {False, True}
    for bent in pool.bent:
        packet = mw.decode(bent.data)
        assert [(one.requirement, one.path) for one in mw.validate(packet)] == [bent.breach[:2]]  # type: ignore[index]  # each has one
        assert packet.ExtensionHeader is packet.CompoundMessageHeader is None  # type: ignore[union-attr]  # a message
    for acknowledgment, kind in ((pool.order_ack, "OrderAck"), (pool.final_ack, "FinalAck")):
        assert acknowledgment.kind == kind
        assert {acknowledgment.rides, acknowledgment.transactional} == {False}
        assert acknowledgment.meaning is None
        assert mw.decode(acknowledgment.data).UserHeader.QueueManagerAddress  # type: ignore[union-attr]  # it has one
    assert (pool.session_ack.kind, pool.session_ack.spans) == ("SessionAck", {})
    damaged = 0
    for spoilt, breach in pool.spoilt:
        pieces = mw.PacketStream(max_skipped=None).frames(spoilt, final=True)
        assert not any(isinstance(piece, StreamFrame) for piece in pieces)
        assert breach.path is None
        same = [one.data for one in pool.messages if len(one.data) == len(spoilt)]
        changes = [sum(a != b for a, b in zip(one, spoilt, strict=True)) for one in same]
        damaged += bool(changes) and min(changes) <= 4  # a word
    assert damaged  # the others are cut, or are no packets


def test_fields_are_stamped() -> None:
    """In their places; the header of a session at the end."""
    template = Template("UserMessage", bytes(12), {"number": (2, 4)})
    assert stamped(template, {"number": b"abcd"}) == bytes(2) + b"abcd" + bytes(6)
    assert stamped(template, {}, b"xyz") == bytes(9) + b"xyz"
