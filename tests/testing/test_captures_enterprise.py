"""A generated enterprise looks like one: addresses, ports, times, shares of what happens, messages."""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from functools import cache
from inspect import signature
from ipaddress import ip_address, ip_network
from itertools import pairwise
from random import Random
from typing import Any

import dpkt
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.arrow.messages import MESSAGES
from msmq_wire.testing.captures import Faults, Frame, Session, Span
from msmq_wire.testing.captures import files as captures
from msmq_wire.testing.captures.donors import Pool
from msmq_wire.testing.captures.enterprise import Enterprise, Manager, is_due, ride
from msmq_wire.testing.captures.message_truth import message_truth
from msmq_wire.testing.captures.session_truth import TALLY, Entry, Ledger, Step
from msmq_wire.testing.captures.truth import Account, IntendedViolation, Sent
from msmq_wire.testing.captures.wire import Address, Path
from msmq_wire.testing.strategies.replication import Replicas
from msmq_wire.testing.strategies.sessions import Side
from msmq_wire.values.guid import NULL_GUID

PACKETS, MANAGERS = 6000, 30


@cache
def events() -> tuple[list[Frame], list[Span], list[Session]]:
    made = list(captures.events(PACKETS, seed=8, faults=Faults(), managers=MANAGERS, files=3))
    return (
        [event for event in made if isinstance(event, Frame)],
        [event for event in made if isinstance(event, Span)],
        [event for event in made if isinstance(event, Session)],
    )


@cache
def few() -> tuple[list[Span], list[Session]]:
    """Longer sessions of few queue managers."""
    made = list(captures.events(4000, seed=8, faults=Faults(), managers=5))
    return [one for one in made if isinstance(one, Span)], [one for one in made if isinstance(one, Session)]


@cache
def packets() -> list[tuple[Span, Any]]:
    """All packets but Pings, in the order in which they were sent."""
    return [(span, mw.decode(span.data)) for span in events()[1] if span.kind == "packet" and span.data]


def tags(data: bytes) -> tuple[int, ...]:
    at, found = 12, []
    while data[at : at + 2] == b"\x81\0":
        found.append(int.from_bytes(data[at + 2 : at + 4], "big"))
        at += 4
    return tuple(found)


def ip(data: bytes) -> Any:
    return dpkt.ethernet.Ethernet(data[:12] + data[12 + 4 * len(tags(data)) :]).data


def test_times() -> None:
    """Frames are in order of time, at most 0.4 ms apart, from the autumn of 2023 on."""
    times = [frame.time for frame in events()[0]]
    steps = Counter(later - earlier for earlier, later in pairwise(times))
    assert times[0] // 1_000_000 == 1_700_000_000
    assert (min(steps), max(steps)) == (1, 399)


def test_addresses() -> None:
    """Computers have one hardware address, and IP addresses of private networks or of documentation."""
    frames = events()[0]
    hardware: dict[Any, set[bytes]] = defaultdict(set)
    networks = ip_network("10.0.0.0/8"), ip_network("2001:db8::/32")
    versions = Counter[int]()
    for frame in frames:
        packet = ip(frame.data)
        for raw, mac in ((packet.src, frame.data[6:12]), (packet.dst, frame.data[:6])):
            address = ip_address(raw)
            assert any(address in network for network in networks)
            hardware[address].add(mac)
        versions[address.version] += 1
    assert all(len(found) == 1 for found in hardware.values())
    ends = Counter(mac for found in hardware.values() for mac in found)
    assert set(ends.values()) == {1, 2}  # one computer has an address of each version
    for address, (mac,) in hardware.items():  # of the number of the computer
        number = int.from_bytes(mac[3:], "big")
        assert address.packed[-1] == number + 1
    assert all(mac[0] & 3 == 2 for mac in ends)  # administered locally, of one computer
    assert MANAGERS - 3 <= len(ends) <= MANAGERS
    assert 0.1 < versions[6] / versions.total() < 0.45


def test_tags() -> None:
    """None, one or two; the frames of a connection have the same."""
    of_way: dict[Any, set[tuple[int, ...]]] = defaultdict(set)
    for frame in events()[0]:
        packet = ip(frame.data)
        ends = frozenset({(packet.src, packet.data.sport), (packet.dst, packet.data.dport)})
        of_way[ends].add(tags(frame.data))
    assert all(len(found) == 1 for found in of_way.values())
    found = {tag for (tag,) in of_way.values()}
    assert {len(tag) for tag in found} == {0, 1, 2}
    assert all(tag[-1] in range(100, 107) and tag[:-1] in {(), (7,)} for tag in found if tag)


def test_ports() -> None:
    """Those of [MS-MQQB] 2.1, and dynamic ones of the initiators, new for each connection (RFC 6335)."""
    _, spans, sessions = events()
    assert {session.dst_port for session in sessions} == {1801}
    assert all(49152 <= session.src_port <= 65535 for session in sessions)
    assert {session.connection for session in sessions} == {0}
    asked = [span for span in spans if span.kind == "ping" and span.dst_port == 3527]
    answers = [span for span in spans if span.kind == "ping" and span.src_port == 3527]
    assert len(asked) == len(answers) > 0
    assert all(49152 <= span.src_port <= 65535 for span in asked)
    assert 0.15 < len(asked) / len(sessions) < 0.45


def test_pings() -> None:
    """An answer has the cookie of the question and the GUID of the other queue manager; each has its own."""
    spans = [span for span in events()[1] if span.kind == "ping"]
    pings = [mqqb.PingPacket.decode(span.data or b"") for span in spans]
    managers = {
        address: party.manager
        for session in events()[2]
        if session.handshake == "complete"
        for address, party in ((session.src, session.forward), (session.dst, session.backward))
    }
    for span, ping in zip(spans, pings, strict=True):
        assert (span.dst_port if ping.Flags.RC else span.src_port) == 3527
        assert managers.get(span.src, str(ping.QMGuid)) == str(ping.QMGuid)
        assert (span.connection, span.length) == (0, len(span.data or b""))
    for question, answer in zip(pings[::2], pings[1::2], strict=True):
        assert (question.Flags.RC, answer.Flags.RC) == (1, 0)
        assert question.Cookie == answer.Cookie
        assert question.QMGuid != answer.QMGuid
    assert len({ping.Cookie for ping in pings}) == len(pings) // 2
    assert max(ping.Cookie for ping in pings) > 1 << 31


def test_sensors() -> None:
    """Each has connections, and those of two queue managers are in one file."""
    _, _, sessions = events()
    assert {session.file for session in sessions} == {"sensor00", "sensor01", "sensor02"}
    files: dict[Any, set[str]] = defaultdict(set)
    for session in sessions:
        files[frozenset({session.src, session.dst})].add(session.file)
    assert all(len(found) == 1 for found in files.values())
    assert len(files) > MANAGERS


@pytest.mark.long
def test_sessions() -> None:
    """A twentieth is refused; the others have up to 400 rounds, and many connections are open at once."""
    frames, _, sessions = events()
    handshakes = Counter(session.handshake for session in sessions)
    assert set(handshakes) <= {"complete", "refused", "incomplete"}
    assert 0 < handshakes["refused"] < 0.15 * len(sessions)
    sizes = [one.forward.packets + one.backward.packets for one in sessions if one.handshake == "complete"]
    assert min(sizes) < 20
    rounds = [one.forward.messages + one.backward.messages for one in few()[1]]
    assert 250 < max(rounds) < 600
    now, most = set(), 0
    for frame in frames:
        packet = ip(frame.data)
        if isinstance(packet.data, dpkt.tcp.TCP):
            ends = frozenset({(packet.src, packet.data.sport), (packet.dst, packet.data.dport)})
            if packet.data.flags & 2:
                now.add(ends)
            if packet.data.flags & 1:
                now.discard(ends)
            most = max(most, len(now))
    assert 30 < most <= 41


def test_who_sends() -> None:
    """The initiator sends most of the messages, and both acknowledge before many of them wait."""
    _, _, sessions = events()
    sides = [side for session in sessions for side in (session.forward, session.backward)]
    sent = [sum(side.messages for side in sides[at::2]) for at in (0, 1)]
    assert 1.3 < sent[0] / sent[1] < 3
    assert all((side.unacknowledged or 0) <= 41 for side in sides)
    assert all((side.recoverable_unacknowledged or 0) <= 13 for side in sides)
    assert max(side.unacknowledged or 0 for side in sides) > 10


@pytest.mark.long
def test_what_waits_at_the_end_of_a_session() -> None:
    """Nothing in many of them, in which both acknowledge at last; the others break off."""
    made = list(captures.events(6000, seed=3, faults=Faults(), managers=5))
    ended = [one for one in made if isinstance(one, Session) and one.handshake == "complete"][:-12]
    settled = [one for one in ended if one.forward.unacknowledged == one.backward.unacknowledged == 0]
    assert 0.3 < len(settled) / len(ended) < 1


@pytest.mark.parametrize(
    ("index", "address", "longer", "vlan"),
    [
        (0, "10.0.0.1", "2001:db8::1", ()), (1, "10.1.0.2", "2001:db8:1::2", ()),
        (6, "10.6.0.7", "2001:db8:6::7", (106,)), (10, "10.3.0.11", "2001:db8:3::b", (7, 103)),
        (249, "10.4.0.250", "2001:db8:4::fa", ()), (250, "10.5.1.1", "2001:db8:5::fb", ()),
        (4999, "10.1.19.250", "2001:db8:1::1388", ()),
    ],
)  # fmt: skip
def test_addresses_of_a_large_enterprise(
    index: int, address: str, longer: str, vlan: tuple[int, ...]
) -> None:
    """None of a network itself and none for all in it, of up to 5000 computers; each has its own."""
    made = Manager(index, Random(index))  # noqa: S311  # any will do
    assert [str(ip) for ip in made.ips] == [address, longer]
    assert made.mac == b"\x02\x00\x5e" + index.to_bytes(3, "big")
    assert made.vlan == vlan


def test_ports_go_around() -> None:
    """From the last dynamic port to the first (RFC 6335)."""
    made = Manager(1, Random(1))  # noqa: S311  # as above
    made.recent_port = 65533
    assert [made.port() for _ in range(4)] == [65534, 65535, 49152, 49153]


def test_sequences() -> None:
    """Transactional messages are numbered from one on; a quarter is acknowledged at once, as it asks."""
    numbers: dict[Any, list[int]] = defaultdict(list)
    acknowledgments = Counter[str]()
    transactional = 0
    sent: dict[Any, Any] = {}
    stamps: dict[Any, set[Any]] = defaultdict(set)
    identifiers: dict[Any, set[Any]] = defaultdict(set)
    for span, packet in packets():
        acknowledgments[span.packet or ""] += 1
        if span.packet == "UserMessage" and packet.TransactionHeader:
            header = packet.TransactionHeader
            assert (header.Flags.FM, header.Flags.LM) == (1, 1)  # each is a transaction
            assert packet.UserHeader.MessageID % 2**20 == header.Flags.ID
            identifiers[packet.UserHeader.SourceQueueManager, header.TxSequenceID].add((span.src, span.dst))
            stamps[frozenset({span.src, span.dst})].add((span.src, header.TxSequenceID.TimeStamp))
            assert header.PreviousTxSequenceNumber == header.TxSequenceNumber - 1
            numbers[span.src, span.dst].append(header.TxSequenceNumber)
            sent[span.src, span.dst] = packet
            transactional += 1
        elif span.packet in {"OrderAck", "FinalAck"}:
            kind: Any = mqqb.OrderAckBody if span.packet == "OrderAck" else mqqb.FinalAckBody
            body = kind.decode(packet.MessagePropertiesHeader.MessageBody)
            message = sent[span.dst, span.src]
            assert body.TxSequenceNumber == message.TransactionHeader.TxSequenceNumber
            assert body.TxPreviousSequenceNumber == message.TransactionHeader.PreviousTxSequenceNumber
            assert body.TxSequenceID == message.TransactionHeader.TxSequenceID
            assert packet.UserHeader.QueueManagerAddress == message.UserHeader.SourceQueueManager
            if span.packet == "FinalAck":
                assert body.SourceGUID == message.UserHeader.SourceQueueManager
                assert body.MessageID == message.UserHeader.MessageID
                flags = message.UserHeader.Flags
                assert flags.JP or flags.JN or message.TransactionHeader.Flags.FA
    assert all(found == [*range(1, len(found) + 1)] for found in numbers.values())
    assert {len(ends) for ends in identifiers.values()} == {1}
    for of_pair in stamps.values():  # each direction has its own
        assert {stamp for _, stamp in of_pair} <= {1, 2}
        assert len(of_pair) == len({stamp for _, stamp in of_pair})
    assert 0.5 < acknowledgments["FinalAck"] / acknowledgments["OrderAck"] < 1  # not all ask for it
    assert 0.15 < acknowledgments["OrderAck"] / transactional < 0.35


def test_numbers_of_messages() -> None:
    """Those of a queue manager go up by one, and the time of sending is that of the capture."""
    numbers: dict[Any, list[int]] = defaultdict(list)
    for _, packet in packets():
        user = getattr(packet, "UserHeader", None)
        if user is not None:
            numbers[user.SourceQueueManager].append(user.MessageID)
    assert all(sorted(found) == [*range(1, len(found) + 1)] for found in numbers.values())
    frames = events()[0]
    ends = frames[0].time // 1_000_000, frames[-1].time // 1_000_000
    sent = [packet.UserHeader.SentTime for _, packet in packets() if isinstance(packet, mqmq.UserMessage)]
    assert (min(sent), max(sent)) == ends


def test_handshakes() -> None:
    """The request has the clock of its sender, in milliseconds; the answer repeats it or refuses."""
    _, _, sessions = events()
    start = events()[0][0].time // 1000
    for session in sessions:
        assert session.time_stamp is not None
        assert 0 <= (session.time_stamp - start) % (1 << 32) < 10_000
    times = [session.time_stamp for session in sessions]
    assert len(set(times)) > len(times) // 2
    assert {time % 2 for time in times if time} == {0, 1}


def test_bodies_and_labels() -> None:
    """Mostly texts of up to 800 bytes, some much longer, a fifth of bytes; as business programs have them."""
    messages = [
        packet.MessagePropertiesHeader
        for span, packet in packets()
        if span.packet == "UserMessage" and span.message and span.message.carries is None
    ]
    sizes = sorted(len(one.MessageBody) for one in messages)
    assert sizes[0] >= 20
    assert 100 < sizes[len(sizes) // 2] < 300
    assert 4000 < sizes[-1] < 41_000
    kinds = Counter(one.BodyType for one in messages)
    assert set(kinds) == {8, 31, 0x1011}
    assert 0.1 < kinds[0x1011] / kinds.total() < 0.35
    assert kinds[8] > kinds[31] > 0
    for one in messages:
        if one.BodyType != 0x1011:
            assert one.MessageBody.decode("utf-16-le").startswith("<order><")
            assert one.MessageBody.decode("utf-16-le").endswith("></order>")
    assert {"", "Order", "Invoice 2024", "r\u00e9essai", "\u5728\u5eab"} <= {one.label for one in messages}


def test_destinations() -> None:
    """Messages for a direct format name go to a private queue of one of the computers."""
    sent = [span for span in events()[1] if span.message and span.data and not span.message.carries]
    alone: list[Any] = [mw.decode(span.data or b"") for span in sent]
    names = {str(message.destination) for message in alone if message.MultiQueueFormatHeader is None}
    direct = [name for name in names if name.startswith("DIRECT=")]
    assert direct
    hosts = {name.removeprefix("DIRECT=OS:").partition("\\")[0] for name in direct}
    assert all("\\private$\\" in name for name in direct)
    assert hosts <= {
        f"{site}-msmq{index:02d}"
        for index in range(MANAGERS)
        for site in (("hq", "lab", "north", "south", "east", "west", "dc")[index % 7],)
    }


def test_directory_servers() -> None:
    """Three queue managers replicate among themselves, and no other does."""
    pairs = {
        (span.src, span.dst): span.message.destination
        for span in few()[0]
        if span.message and span.message.carries == "REPLICATION"
    }
    servers = {mac for ends in pairs for mac in ends}
    sites = {int(str(ip_address(one)).split(".")[1]) for one in servers if "." in one}
    assert sites <= {0, 1, 2}
    assert 3 <= len(servers) <= 6
    assert {span.message.carries for span in few()[0] if span.message} == {None, "REPLICATION"}
    assert all(name and name.lower().endswith("\\private$\\mqis_queue$") for name in pairs.values()), pairs


# --------------------------------------------------------------------------------- the truth of a session

ENDS = (
    Address(ip_address("10.0.0.1"), 50000, b"\2\0\0\0\0\1"),
    Address(ip_address("10.0.0.2"), 1801, b"\2\0\0\0\0\2"),
)
REQUEST = Step(1, managers=("one", None), time_stamp=77)
HANDSHAKE = (
    (0, REQUEST),
    (1, REQUEST._replace(handshake=2, managers=("one", "two"))),
    (0, Step(3, timeouts=(1000, 30000), window=64)),
    (1, Step(4, timeouts=(1001, 30001), window=32)),
)


def session_of(*steps: tuple[int, Step | None] | tuple[int, Step | None, Any]) -> Session:
    """The truth of a session of which these packets were sent, and captured unless something else is said."""
    ledger = Ledger(ENDS, "a", 3)
    for way, step, *fate in steps:
        ledger.send(way, step).fate = fate[0] if fate else "whole"
    (session,) = ledger.close()
    return session


def test_a_session_is_told() -> None:
    session = session_of(*HANDSHAKE)
    assert session[:6] == ("a", "10.0.0.1", 50000, "10.0.0.2", 1801, 3)
    assert session[6:12] == ("complete", "closed", "->", 77, 1000, 30000)
    assert session.forward == ("one", 64, 2, (0,) * 7, 0, False, 0, 0, 0, 0)
    assert session.backward == ("two", 32, 2, (0,) * 7, 0, False, 0, 0, 0, 0)


def test_nothing_captured_is_no_session() -> None:
    ledger = Ledger(ENDS, "a", 0)
    for way, step in HANDSHAKE:
        ledger.send(way, step).fate = "before"
    assert list(ledger.close()) == []


def test_messages_are_counted() -> None:
    """By kinds; those that await an acknowledgment are what was sent less what was acknowledged."""
    sent = [
        (0, Step(tally=("express",), sent=1)),
        (0, Step(tally=("recoverable", "acknowledgments"), sent=2, recoverable=1)),
        (0, Step(tally=("transactional",), sent=3, recoverable=2, sequence_number=1)),
        (0, Step(tally=("transactional",), sent=4, recoverable=3, sequence_number=2)),
        (1, Step(tally=("order_acks",), sent=1, ordered=1)),
        (1, Step(tally=("final_acks",), sent=2, recoverable=1)),
        (1, Step(tally=("session_acks",), sent=2, recoverable=1, window=16, acknowledges=3,
                 recoverable_acknowledges=1)),
    ]  # fmt: skip
    session = session_of(*HANDSHAKE, *sent)
    assert session.outcome == "broken"
    assert session.forward == ("one", 64, 6, (1, 1, 2, 1, 0, 0, 0), 4, False, 3, 1, 2, 1)
    assert session.backward == ("two", 32, 5, (0, 0, 0, 0, 1, 1, 1), 2, False, 0, 2, 1, 0)
    last = Step(tally=("session_acks",), sent=4, recoverable=3, window=128, acknowledges=2,
                recoverable_acknowledges=1)  # fmt: skip
    again = last._replace(acknowledges=4, recoverable_acknowledges=3, sent=2, recoverable=1)
    session = session_of(*HANDSHAKE, *sent, (0, last), (1, again))
    assert session.outcome == "closed"
    assert (session.forward.window, session.backward.window) == (128, 128)
    assert session.forward[6:9] == (4, 0, 0)
    assert session.backward[6:9] == (2, 0, 0)


def test_refused_and_incomplete_sessions() -> None:
    refusal = HANDSHAKE[1][1]._replace(refused=True, managers=("one", None))
    session = session_of(HANDSHAKE[0], (1, refusal))
    assert (session.handshake, session.outcome, session.backward.manager) == ("refused", "refused", None)
    for packets in (1, 2, 3):
        session = session_of(*HANDSHAKE[:packets])
        assert (session.handshake, session.outcome) == ("incomplete", "broken")


@pytest.mark.parametrize("fate", ["lost", "before"])
@pytest.mark.parametrize("missing", range(4))
def test_handshakes_with_a_gap(missing: int, fate: Any) -> None:
    """A handshake whose request is known is incomplete until a packet is missing; then it is unseen."""
    steps = [(way, step, fate if at == missing else "whole") for at, (way, step) in enumerate(HANDSHAKE)]
    session = session_of(*steps)
    assert session.time_stamp == 77  # the answer has it, too
    wanted = {
        ("lost", 0): "complete", ("lost", 1): "unseen", ("lost", 2): "unseen", ("lost", 3): "unseen",
        ("before", 0): "complete", ("before", 1): "incomplete", ("before", 2): "incomplete",
        ("before", 3): "incomplete",
    }  # fmt: skip
    assert session.handshake == wanted[fate, missing]
    assert (session.forward.lost, session.backward.lost) == (
        fate == "lost" and missing in {0, 2},
        fate == "lost" and missing in {1, 3},
    )


@pytest.mark.parametrize("junk", [False, True])
def test_counts_behind_a_gap(junk: bool) -> None:
    """What its sender sent and had acknowledged is unknown until a SessionHeader says it again."""
    one = (0, Step(tally=("express",), sent=1))
    gap: Any = (0, None, "whole") if junk else (0, Step(tally=("express",), sent=2), "lost")
    session = session_of(*HANDSHAKE, one, gap, (0, Step(tally=("express",), sent=3)))
    assert session.forward == ("one", 64, 4, (2, 0, 0, 0, 0, 0, 0), 2, True, 0, None, None, 0)
    assert session.backward == ("two", 32, 2, (0,) * 7, 0, False, None, None, None, 0)
    assert session.outcome == "closed"
    header = Step(tally=("express",), sent=4, recoverable=2, acknowledges=0, recoverable_acknowledges=0)
    session = session_of(*HANDSHAKE, one, gap, (0, header), (1, header._replace(sent=0, recoverable=0)))
    assert session.forward[6:9] == (0, 4, 2)
    assert session.backward[6:9] == (0, 0, 0)


def test_sequences_that_are_known() -> None:
    """From their first message on, if nothing is missing since the handshake."""
    first, second = ((0, Step(tally=("transactional",), sent=at, sequence_number=at)) for at in (1, 2))
    assert session_of(*HANDSHAKE, first, second).forward.order_unacknowledged == 2
    assert session_of(*HANDSHAKE, second).forward.order_unacknowledged == 0
    assert session_of(first, second).forward.order_unacknowledged == 0
    assert session_of(*HANDSHAKE, first, (1, None), second).forward.order_unacknowledged == 0
    assert session_of(*HANDSHAKE, first, (1, None)).forward.order_unacknowledged == 0


# ------------------------------------------------------------------------------------------------ frames


@pytest.mark.parametrize("version", [4, 6])
@pytest.mark.parametrize("size", [0, 1, 2, 101])
def test_frames(version: int, size: int) -> None:
    """As an independent reader sees them: no fragments of IPv4, 128 hops, and the right checksums."""
    hosts = ("10.0.0.1", "10.0.0.2") if version == 4 else ("2001:db8::1", "2001:db8::2")
    src, dst = (
        Address(ip_address(host), port, bytes(6)) for host, port in zip(hosts, (50000, 1801), strict=True)
    )
    path, payload = Path(src, dst), bytes(range(size))
    frames = [path.tcp(7, 9, 24, payload), path.udp(payload)]
    for number, frame in enumerate(frames, 1):
        packet: Any = dpkt.ethernet.Ethernet(frame).data
        assert (packet.src, packet.dst) == (src.ip.packed, dst.ip.packed)
        if version == 4:
            assert (packet.ttl, packet.df, packet.mf, packet.offset, packet.id) == (128, 1, 0, 0, number)
            assert packet.len == len(frame) - 14
        else:
            assert (packet.hlim, packet.plen) == (128, len(frame) - 54)
        inner = packet.data
        assert (inner.sport, inner.dport, bytes(inner.data)) == (50000, 1801, payload)
        protocol = 6 if number == 1 else 17
        pseudo = src.ip.packed + dst.ip.packed + struct.pack("!II", len(bytes(inner)), protocol)
        assert dpkt.in_cksum(pseudo + bytes(inner)) == 0
        if version == 4:
            assert dpkt.in_cksum(frame[14:34]) == 0
    segment = dpkt.ethernet.Ethernet(frames[0]).data.data
    assert (segment.seq, segment.ack, segment.flags, segment.win, segment.off) == (7, 9, 24, 64240, 5)


def test_numbers_of_frames_go_around() -> None:
    """Identification has sixteen bits, of a fragment too."""
    path = Path(*ENDS)
    path.identification = 0xFFFD
    frames = [path.tcp(7, 9, 24, bytes(16)) for _ in range(4)]
    path.identification = 0xFFFF
    frames += path.fragments(frames[0])
    found = [dpkt.ethernet.Ethernet(frame).data.id for frame in frames]
    assert found == [0xFFFE, 0xFFFF, 0, 1, 0, 0]


@pytest.mark.parametrize("size", [0, 8, 12, 100])
def test_fragments(size: int) -> None:
    """The first has half of the packet, in whole units of 8 bytes."""
    path = Path(*ENDS)
    frame = path.tcp(7, 9, 24, bytes(size))
    first, second = (dpkt.ethernet.Ethernet(part).data for part in path.fragments(frame))
    assert (first.mf, first.offset, second.mf) == (1, 0, 0)
    assert second.offset * 8 == first.len - 20 == (20 + size) // 2 // 8 * 8
    assert first.id == second.id
    for part in (first, second):
        assert (part.ttl, part.df) == (128, 0)
        assert dpkt.in_cksum(bytes(part)[:20]) == 0


def test_frames_that_are_too_short_for_fragments() -> None:
    path = Path(*ENDS)
    assert [len(list(path.fragments(path.udp(bytes(size))))) for size in (0, 7, 8)] == [1, 1, 2]


# ------------------------------------------------------------------------------------------------- faults


def test_faults_of_a_text() -> None:
    assert Faults.parse("none") == Faults()
    assert Faults.parse("all") == Faults.all()
    assert Faults.parse(" loss=0.25, wrap=1 ") == Faults(loss=0.25, wrap=1.0)
    assert all(0 < getattr(Faults.all(), kind) < 0.5 for kind in Faults.__struct_fields__)
    assert not any(getattr(Faults(), kind) for kind in Faults.__struct_fields__)
    assert Faults(loss=0.5, reorder=0.5).loss == 0.5  # together as many as there are


def test_what_the_command_writes_unless_told(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers that the help says: 10000 packets of 24 queue managers in 4 files of pcap, no faults.

    The functions have the same.
    """
    given: dict[str, Any] = {}
    write = captures.write_captures

    def noted(directory: str, packets: int, **more: Any) -> Any:
        given.update(more, packets=packets)
        raise mw.MsmqWireError(directory)

    monkeypatch.setattr(captures, "write_captures", noted)
    assert captures.main([str(tmp_path)]) == 1
    assert given == {
        "packets": 10_000, "seed": 0, "faults": Faults(), "files": 4, "form": "pcap",
    }  # fmt: skip
    given |= {"faults": None, "managers": 24}  # without the option, the function's own number
    for call in (captures.events, write):
        rows = signature(call).parameters.values()
        defaults = {row.name: row.default for row in rows if row.default is not row.empty}
        assert defaults.items() <= given.items()
        assert {"seed", "faults", "managers", "files"} <= defaults.keys()


@pytest.mark.parametrize("form", ["pcap", "pcapng"])
def test_heads_of_files(form: Any, tmp_path: Any) -> None:
    """Version, link type Ethernet and frames of up to 256 KiB; a section of pcapng has no size."""
    done = captures.write_captures(tmp_path, 20, files=1, form=form)
    data = done.captures[0].read_bytes()
    if form == "pcap":
        assert struct.unpack_from("<IHHiIII", data) == (0xA1B2C3D4, 2, 4, 0, 0, 262_144, 1)
        return
    section = (0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
    assert struct.unpack_from("<IIIHHqI", data) == section
    assert struct.unpack_from("<IIHHII", data, 28) == (1, 20, 1, 0, 262_144, 20)


@pytest.mark.parametrize("form", ["pcap.gz"])
def test_heads_of_packed_files(form: Any, tmp_path: Any) -> None:
    """Packed fast, without name and time, so that the same packets give the same bytes (RFC 1952)."""
    done = captures.write_captures(tmp_path, 1, files=1, form=form)
    data = done.captures[0].read_bytes()
    assert data[:4] == b"\x1f\x8b\x08\0"
    assert data[4:9] == b"\0\0\0\0\x04"


def test_tables_are_written_in_several_parts(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By rows or by bytes, whichever is enough; all rows are there, in their order."""
    whole = captures.write_captures(tmp_path / "one", 60, files=1)
    for number, (rows, size) in enumerate([(7, 1 << 30), (1 << 30, 1000)]):
        monkeypatch.setattr(captures, "BATCH_ROWS", rows)
        monkeypatch.setattr(captures, "BATCH_BYTES", size)
        parts = captures.write_captures(tmp_path / f"{number}", 60, files=1)
        for name in ("truth", "messages", "sessions"):
            one, other = (pq.read_table(getattr(done, name)) for done in (whole, parts))
            assert one.equals(other)
        assert pq.ParquetFile(parts.truth).num_row_groups > pq.ParquetFile(whole.truth).num_row_groups == 1


def test_each_header_of_a_session_says_what_was_sent() -> None:
    """All four numbers, and one bit for each recoverable message since the last; [MS-MQMQ] 2.2.20.4."""
    sent, recoverable, told_of = Counter[Any](), Counter[Any](), Counter[Any]()
    seen = Counter[str]()
    for span, packet in packets():
        way, back = (*span[1:3], *span[3:5]), (*span[3:5], *span[1:3])
        if span.packet in {"UserMessage", "OrderAck", "FinalAck"}:
            sent[way] += 1
            recoverable[way] += packet.UserHeader.Flags.DM
        header = getattr(packet, "SessionHeader", None)
        if header is None:
            continue
        assert header.UserMsgSequenceNumber == sent[way]
        assert header.RecoverableMsgSeqNumber == recoverable[way]
        assert header.AckSequenceNumber == sent[back]
        new = recoverable[back] - told_of[way]
        assert header.RecoverableMsgAckFlags == (1 << new) - 1
        assert header.RecoverableMsgAckSeqNumber == (told_of[way] + 1 if new else 0)
        if span.packet == "SessionAck":
            assert sent[back] > seen[f"{way}"]  # it has something to say
        seen[f"{way}"], told_of[way] = sent[back], recoverable[back]
    assert max(told_of.values()) > 20


def test_who_asks_for_a_session() -> None:
    """Either of two queue managers, always the same; with the faults of ports too, from a dynamic port."""
    ways = {
        (session.forward.manager, session.backward.manager)
        for session in few()[1]
        if session.handshake == "complete"
    }
    assert not ways & {(other, one) for one, other in ways}
    hosts = {(int(one.src.split(".")[3]), int(one.dst.split(".")[3])) for one in few()[1] if "." in one.src}
    assert {one < other for one, other in hosts} == {True, False}
    again = captures.events(300, seed=8, faults=Faults(reuse=1.0), managers=5)
    sessions = [one for one in again if isinstance(one, Session)]
    assert all(session.src_port >= 49152 for session in sessions)
    ports: dict[Any, set[int]] = defaultdict(set)
    for one in sessions:
        ports[one.file, one.src, one.dst].add(one.src_port)
    assert {len(found) for found in ports.values()} == {1}


def side(**counts: int) -> Side:
    made = Side(NULL_GUID)
    for name, count in counts.items():
        setattr(made, name, count)
    return made


@pytest.mark.parametrize(
    ("counts", "due"),
    [
        ({}, False),
        ({"received": 40}, False),
        ({"received": 41}, True),
        ({"received": 141, "announced": 101}, False),
        ({"received": 141, "announced": 100}, True),
        ({"recoverable_received": 12}, False),
        ({"recoverable_received": 13}, True),
        ({"recoverable_received": 43, "acknowledged": 31}, False),
        ({"recoverable_received": 43, "acknowledged": 30}, True),
    ],
)
def test_when_a_side_acknowledges(counts: dict[str, int], due: bool) -> None:
    """Before its peer has to wait, whose window is 64: behind 40 messages, and behind 12 recoverable ones."""
    assert is_due(side(**counts)) is due


@pytest.mark.parametrize(("acknowledged", "named"), [(2, 3), (3, None)])
def test_what_a_header_acknowledges(acknowledged: int, named: int | None) -> None:
    """Recoverable messages only if there is one that the side has not acknowledged yet."""
    raw, step = ride(side(received=5, recoverable_received=3, acknowledged=acknowledged, sent=4))
    assert (step.window, step.acknowledges, step.recoverable_acknowledges) == (64, 5, named)
    header = mqmq.SessionHeader.decode(raw)
    assert (header.AckSequenceNumber, header.UserMsgSequenceNumber, header.WindowSize) == (5, 4, 64)


def test_numbers_of_a_sequence_go_around() -> None:
    """From the largest number to 1; no message has the number 0."""
    made = Enterprise(1000, 1, None, managers=5, files=1)
    pair = made.idle[0]
    pair.sequence_numbers = [0xFFFFFFFD, 0]
    sides = side(), side()
    numbers = [
        mw.decode(sent.data).TransactionHeader  # type: ignore[union-attr]  # messages all
        for _ in range(60)
        for sent in made.message_packets(pair, 0, sides)
        if sent.kind == "UserMessage"
    ]
    found = [(one.TxSequenceNumber, one.PreviousTxSequenceNumber) for one in numbers if one]
    most = 0xFFFFFFFF
    assert found[:4] == [(most - 1, most - 2), (most, most - 1), (1, 0), (2, 1)]


def test_everyone_talks_in_a_small_enterprise() -> None:
    """Of five queue managers each has sessions with each other."""
    pairs = {
        frozenset({one.forward.manager, one.backward.manager})
        for one in few()[1]
        if one.handshake == "complete"
    }
    assert len(set().union(*pairs)) == 5
    assert len(pairs) == 10


def test_sessions_have_the_packets_of_their_streams() -> None:
    """Each kind of packet is counted as often as there are such packets."""
    _, spans, sessions = events()
    packets_of = Counter(span.packet for span in spans if span.kind == "packet")
    sides = [side for session in sessions for side in (session.forward, session.backward)]
    counts = {kind: sum(side.tally[at] for side in sides) for at, kind in enumerate(TALLY)}
    kinds = {"order_acks": "OrderAck", "final_acks": "FinalAck", "session_acks": "SessionAck"}
    assert {kind: counts[kind] for kind in kinds} == {kind: packets_of[name] for kind, name in kinds.items()}
    assert counts["express"] + counts["recoverable"] + counts["transactional"] == packets_of["UserMessage"]
    assert packets_of["OrderAck"] != packets_of["FinalAck"]
    classes = [packet.MessagePropertiesHeader.MessageClass for span, packet in packets() if span.message]
    assert 0 < counts["acknowledgments"] == sum(map(bool, classes)) < len(classes)  # class 0 is a message's


def test_messages_that_carry_a_session_header() -> None:
    """Half of a pool, each second one."""
    pool = Pool(Random(5), ("a",), 10)  # noqa: S311  # any will do
    assert [template.rides for template in pool.messages] == [False, True] * 5


@pytest.mark.parametrize("lost", [True, False])
def test_lost_deliveries_are_not_sent(lost: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one directory server replicates to another may be lost, and is then in no capture."""
    step = Replicas.step
    monkeypatch.setattr(
        Replicas, "step", lambda self, dice: [one._replace(lost=lost) for one in step(self, dice)]
    )
    spans = [one for one in captures.events(300, seed=8, managers=5) if isinstance(one, Span)]
    assert any(span.message and span.message.carries for span in spans) is not lost


def test_segments() -> None:
    """Of up to 1460 bytes, some with several packets; half of what is sent is acknowledged at once."""
    segments = [ip(frame.data).data for frame in events()[0]]
    tcp = [segment for segment in segments if isinstance(segment, dpkt.tcp.TCP)]
    full = [bytes(segment.data) for segment in tcp if segment.data]
    several = sum(data.count(b"LIOR") > 1 for data in full)
    bare = sum(segment.flags == 16 and not segment.data for segment in tcp)
    assert max(map(len, full)) == 1460
    assert 0.04 < several / len(full) < 0.2
    assert 0.3 < bare / len(full) < 0.6


def test_acknowledgments_of_segments() -> None:
    """Each segment acknowledges what the other side has sent before it."""
    sent: dict[Any, int] = {}
    seen = Counter[Any]()
    for frame in events()[0]:
        packet = ip(frame.data)
        segment = packet.data
        if not isinstance(segment, dpkt.tcp.TCP):
            continue
        way = packet.src, segment.sport, packet.dst, segment.dport
        back = (*way[2:], *way[:2])
        syn, fin = bool(segment.flags & 2), bool(segment.flags & 1)
        if segment.flags & 16 and not (fin or back in seen):
            assert segment.ack == sent[back]
        assert syn or segment.seq == sent[way]
        sent[way] = (segment.seq + syn + fin + len(segment.data)) % (1 << 32)
        if fin:
            seen[way] += 1
    assert set(seen.values()) == {1}
    assert len(seen) == len(sent)


@pytest.mark.parametrize(
    ("pieces", "certain"),
    [
        ("pjp", [True]),
        ("jp", [False]),
        ("pj", [False]),
        ("pjjp", [False, False]),
        ("pgjp", [False]),
        ("pjgp", [False]),
        ("pjpjp", [True, True]),
    ],
)
def test_junk_between_packets_is_certain(pieces: str, certain: list[bool]) -> None:
    """A reader has to find it if it is one piece between two packets, and nothing is missing there."""
    account = Account(("a", "10.0.0.1", 1, "10.0.0.2", 2, 0))
    breach = IntendedViolation("MQQB-3.1.5.1.2-01", None)
    spans: list[Span] = []
    for at, piece in enumerate(pieces):
        step = Step() if piece != "j" else None
        sent = Sent(
            0, b"abcd", None if piece == "j" else "SessionAck", step, breach=breach if step is None else None
        )
        account.send(sent, Entry(0, step))
        spans += account.segment(4 * at, 4 * at + 4, captured=piece != "g")
    spans += account.close()
    assert [one.certain for span in spans if span.kind == "junk" for one in span.breaches] == certain
    assert sum(span.length for span in spans) == 4 * len(pieces)


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        (0, None),
        (1, "PRIVATE={sender}\\00000005"),
        (2, "PRIVATE={sender}\\00000009"),
        (3, "PRIVATE=BBBBBBBB-2222-3333-4444-555555555555\\00000009"),
    ],
)
def test_hosts_of_response_queues(form: int, wanted: str | None) -> None:
    """RQ of [MS-MQMQ] 2.2.19.2: 1 the administration queue, 2 on the sender, 3 on the receiver; 0 none."""
    own = mqmq.PrivateQueueFormatNameId
    header = mqmq.UserHeader(
        QueueManagerAddress=mw.GUID.of("BBBBBBBB-2222-3333-4444-555555555555"),
        DestinationQueue="DIRECT=OS:a\\b",
        AdminQueue=own(5),
        ResponseQueue=own(9) if form in {2, 3} else None,
        Flags=mqmq.UserHeaderFlags(RQ=form, AQ=2),
    )
    told_of = message_truth(mqmq.UserMessage(UserHeader=header))
    assert told_of.response_queue == wanted
    assert told_of.admin_queue == "PRIVATE={sender}\\00000005"


NOBODY = "AAAAAAAA-2222-3333-4444-555555555555"
RECEIVER = "BBBBBBBB-2222-3333-4444-555555555555"


@pytest.mark.parametrize("infinite", [False, True])
def test_all_of_a_message_is_told(infinite: bool) -> None:
    """Each field by itself; an infinite time is none, and so is a correlation of zeros."""
    message = mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(
            Flags=mqmq.BaseHeaderFlags(PR=5), TimeToReachQueue=0xFFFFFFFF if infinite else 7
        ),
        UserHeader=mqmq.UserHeader(
            QueueManagerAddress=mw.GUID.of(RECEIVER),
            TimeToBeReceived=0xFFFFFFFF if infinite else 0xFFFFFFFE,
            Flags=mqmq.UserHeaderFlags(DM=int(infinite)),
            DestinationQueue=mqmq.PublicQueueFormatName(mw.GUID.of(NOBODY)),
        ),
        TransactionHeader=mqmq.TransactionHeader() if infinite else None,
        SecurityHeader=mqmq.SecurityHeader(
            Flags=mqmq.SecurityHeaderFlags(ST=2),
            SecurityData=mqmq.SecurityData(SecurityID=mw.GUID.of(NOBODY).bytes_le),
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            MessageClass=0x8004 if infinite else 0x0100,
            CorrelationID=bytes(20) if infinite else bytes(19) + b"\1",
            BodyType=8,
            ApplicationTag=9,
            Label="label\0",
            MessageBody="text".encode("utf-16-le"),
        ),
    )
    told_of = message_truth(message, "QUEUE").sent(mw.GUID.of(RECEIVER), 12, 13)
    assert told_of._asdict() == {
        "message": f"{RECEIVER.lower()}\\12",
        "sent_at": 13,
        "destination": f"PUBLIC={NOBODY}",
        "admin_queue": None,
        "response_queue": None,
        "message_class": "MQMSG_CLASS_NACK_ACCESS_DENIED" if infinite else "256",
        "label": "label",
        "correlation": None if infinite else f"{NULL_GUID}\\{1 << 24}",
        "time_to_reach_queue": None if infinite else 7,
        "time_to_be_received": None if infinite else 0xFFFFFFFE,
        "priority": 5,
        "recoverable": infinite,
        "transactional": infinite,
        "sender": NOBODY.lower(),
        "body_type": 8,
        "application_tag": 9,
        "body": b"t\0e\0x\0t\0",
        "text": "text",
        "carries": "QUEUE",
    }


@pytest.mark.parametrize(
    ("kind", "encrypted", "wanted"),
    [
        (8, 0, "ab"),
        (31, 0, "ab"),
        (8, 1, None),
        (31, 1, None),
        (30, 0, None),
        (0, 0, None),
        (0x1011, 0, None),
    ],
)
def test_which_bodies_are_texts(kind: int, encrypted: int, wanted: str | None) -> None:
    """VT_BSTR and VT_LPWSTR that are not encrypted."""
    header = mqmq.SecurityHeader(Flags=mqmq.SecurityHeaderFlags(EB=encrypted))
    body = mqmq.MessagePropertiesHeader(BodyType=kind, MessageBody=b"a\0b\0")
    user = mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b")
    for security in (header, None)[: 2 - encrypted]:
        message = mqmq.UserMessage(UserHeader=user, SecurityHeader=security, MessagePropertiesHeader=body)
        assert message_truth(message).text == wanted


@pytest.mark.parametrize(
    ("queue", "wanted"),
    [
        (mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\b\0"), "DIRECT=OS:a\\b"),
        (mqmq.PublicQueueFormatName(mw.GUID.of(NOBODY)), f"PUBLIC={NOBODY}"),
        (mqmq.PrivateQueueFormatNameId(0xAB), f"PRIVATE={RECEIVER}\\000000AB"),
        (mqmq.PrivateQueueFormatName(mw.GUID.of(NOBODY), 0x10), f"PRIVATE={NOBODY}\\00000010"),
    ],
)
def test_queues_of_messages_are_told_in_each_form(queue: Any, wanted: str) -> None:
    """A number alone is one of the computer of the destination, unless the flags say the sender."""
    own = isinstance(queue, mqmq.PrivateQueueFormatNameId)
    forms = {"DirectQueueFormatName": 7, "PublicQueueFormatName": 5, "PrivateQueueFormatNameId": 3}
    form = forms.get(type(queue).__name__, 6)
    header = mqmq.UserHeader(
        QueueManagerAddress=mw.GUID.of(RECEIVER),
        DestinationQueue=mqmq.PrivateQueueFormatNameId(1),
        AdminQueue=queue,
        ResponseQueue=queue,
        Flags=mqmq.UserHeaderFlags(AQ=form, RQ=form),
    )
    told_of = message_truth(mqmq.UserMessage(UserHeader=header)).sent(mw.GUID.of(NOBODY), 1, 2)
    assert told_of.destination == f"PRIVATE={RECEIVER}\\00000001"
    assert (told_of.admin_queue, told_of.response_queue) == (wanted, wanted)
    if own:
        sender = mw.replace(header, Flags=mqmq.UserHeaderFlags(AQ=2, RQ=2))
        told_of = message_truth(mqmq.UserMessage(UserHeader=sender)).sent(mw.GUID.of(NOBODY), 1, 2)
        assert (told_of.admin_queue, told_of.response_queue) == (f"PRIVATE={NOBODY}\\000000AB",) * 2


def test_the_truth_of_messages_has_columns_of_the_table() -> None:
    """It names some of the columns again; each has the type that it has in the table."""
    location = set(captures.TRUTH.names)
    own = [field for field in captures.MESSAGES if field.name not in location]
    assert len(own) > 15
    for field in own:
        is_time = field.name == "sent_at"  # in full seconds, as in the header
        assert field.type == (pa.timestamp("s", "UTC") if is_time else MESSAGES.schema.field(field.name).type)
