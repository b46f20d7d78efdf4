"""Flows out of captures by hand: what TCP and captures do, and what may be made of it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from impacket.dcerpc.v5 import rpcrt
from support_by_hand import MICRO, A, B, Capture
from support_specs import load_tcp_packets

import msmq_wire as mw
from msmq_wire import captures, mqmq, mqqb
from msmq_wire.captures import table_builder
from msmq_wire.captures.engine import run_live
from msmq_wire.captures.files.sources import Source
from msmq_wire.testing.captures.wire import ACK, FIN, RST, SYN, Path

from .segments import cut

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

MESSAGE = load_tcp_packets()["frame-7-user-message-completed"]
WHOLE = MESSAGE * 3


def check_whole(tables: dict[str, list[dict[str, Any]]], count: int = 3, connections: int = 1) -> None:
    """All packets are there, nothing is missing, and nothing else is."""
    forward = [row for row in tables["packets"] if row["direction"] == "->"]
    assert [row["data"] for row in forward] == [MESSAGE] * count
    assert tables["gaps"] == []
    assert [row for row in tables["quarantine"] if row["kind"] != "conflict"] == []
    assert len({row["connection"] for row in tables["flows"]}) == connections
    sizes = [row["size"] for row in tables["flows"] if row["direction"] == "->"]
    assert sum(sizes) == count * len(MESSAGE)


def test_late_and_repeated_fins(tmp_path: pathlib.Path) -> None:
    """A FIN takes a number and no byte, wherever it is captured and however often."""
    talk = Capture().open()
    *parts, last = cut(WHOLE)
    talk.send(*parts)
    end = talk.next["->"] + len(last)
    talk.add("->", end, FIN | ACK)
    talk.next["->"] = end + 1
    talk.add("->", end + 1)
    talk.add("->", end - len(last), FIN | ACK, last)
    talk.add("->", end + 1)
    talk.add("->", end, FIN | ACK)
    talk.add("->", end + 1)
    talk.add("<-", talk.next["<-"])
    check_whole(talk.tables(tmp_path))


def test_a_fin_that_was_not_captured(tmp_path: pathlib.Path) -> None:
    talk = Capture().open().send(*cut(WHOLE))
    talk.add("->", talk.next["->"] + 1)
    check_whole(talk.tables(tmp_path))


@pytest.mark.parametrize("lost", [0, 50])
def test_data_behind_a_fin(lost: int, tmp_path: pathlib.Path) -> None:
    """A peer that goes on sending after its FIN: no byte is missing for its number."""
    talk = Capture().open().send(WHOLE)
    end = talk.next["->"]
    talk.add("->", end, FIN | ACK)
    talk.add("->", end + 1 + lost, ACK, MESSAGE)
    talk.add("->", end, FIN | ACK)
    talk.add("->", end + 1 + lost + len(MESSAGE), ACK, MESSAGE)
    tables = talk.tables(tmp_path)
    assert [row["size"] for row in tables["gaps"]] == [lost] * bool(lost)
    places = [row["offset"] for row in tables["packets"] if row["type"] == "UserMessage"]
    assert places[-2:] == [len(WHOLE) + lost, len(WHOLE) + lost + len(MESSAGE)]


def test_data_with_the_number_of_a_fin(tmp_path: pathlib.Path) -> None:
    """Its number is that of a byte, so nothing moves."""
    talk = Capture().open().send(WHOLE)
    end = talk.next["->"]
    talk.add("->", end, FIN | ACK)
    talk.add("->", end, ACK, MESSAGE)
    talk.add("->", end + len(MESSAGE), ACK, MESSAGE)
    tables = talk.tables(tmp_path)
    assert not tables["gaps"]
    places = [row["offset"] for row in tables["packets"] if row["type"] == "UserMessage"]
    assert places[-2:] == [len(WHOLE), len(WHOLE) + len(MESSAGE)]


def test_what_is_missing_at_the_end(tmp_path: pathlib.Path) -> None:
    """A FIN shows how long the flow is, and so does a later segment without bytes."""
    for flags in (FIN | ACK, ACK):
        talk = Capture().open().send(WHOLE)
        talk.add("->", talk.next["->"] + 500, flags)
        tables = talk.tables(tmp_path)
        assert [(row["offset"], row["size"]) for row in tables["gaps"]] == [(len(WHOLE), 500)]


@pytest.mark.each(5)
@pytest.mark.parametrize("payload", [b"", MESSAGE])
@pytest.mark.parametrize("beyond", [0, 1, 2, 500])
@pytest.mark.parametrize("sent", [b"", WHOLE])
def test_what_the_other_side_acknowledges_at_the_end(
    sent: bytes, beyond: int, payload: bytes, tmp_path: pathlib.Path
) -> None:
    """The flow has these bytes; one of them may be the number of a FIN."""
    talk = Capture().open().send(sent)
    talk.next["->"] += beyond
    talk.send(payload, way="<-")
    tables = talk.tables(tmp_path)
    shown = [(len(sent), beyond)] if beyond > 1 else []
    assert [(row["offset"], row["size"]) for row in tables["gaps"]] == shown
    forward = [row["size"] for row in tables["flows"] if row["direction"] == "->"]
    assert forward == [len(sent) + sum(size for _, size in shown)]
    assert all(row["difference"] == 0 for row in tables["balance"])
    assert len([row for row in tables["packets"] if row["direction"] == "<-"]) == bool(payload)


@pytest.mark.parametrize("way", ["->", "<-"])
@pytest.mark.parametrize("payload", [b"", MESSAGE])
def test_only_one_direction_was_captured(way: str, payload: bytes, tmp_path: pathlib.Path) -> None:
    """What it acknowledges is of a flow that is not there."""
    talk = Capture()
    talk.add(way, 1000, ACK, payload)
    tables = talk.tables(tmp_path)
    assert len(tables["packets"]) == bool(payload)
    assert not tables["gaps"]


@pytest.mark.each(4)
@pytest.mark.parametrize("lost", [{22}, {1, 22}, {0, 22}, {2}])
def test_repeated_fins_behind_what_is_missing(lost: set[int], tmp_path: pathlib.Path) -> None:
    """The bytes that are missing are gaps, each once, and FINs are none of them."""
    parts = cut(WHOLE)
    assert len(parts) == 23
    for fins in (1, 3):
        talk = Capture().open()
        for number, part in enumerate(parts):
            if number in lost:
                talk.next["->"] += len(part)
            else:
                talk.send(part)
        end = talk.next["->"]
        for _ in range(fins):
            talk.add("->", end, FIN | ACK)
        talk.next["->"] = end + 1
        talk.send(b"", way="<-", flags=FIN | ACK)
        talk.add("->", end + 1)
        tables = talk.tables(tmp_path)
        found = [(row["offset"], row["size"]) for row in tables["gaps"]]
        assert found == [(300 * number, len(parts[number])) for number in sorted(lost)]
        assert sum(row["size"] for row in tables["flows"]) == len(WHOLE)


@pytest.mark.parametrize("acknowledged", [True, False])
def test_fast_open(acknowledged: bool, tmp_path: pathlib.Path) -> None:  # a parameter of a test
    """Data in a SYN are data, whether the other side takes them at once or wants them again."""
    talk = Capture()
    first, *rest = cut(WHOLE)
    start = talk.next["->"]
    talk.add("->", start, SYN, first)
    talk.next["->"] = start + 1 + (len(first) if acknowledged else 0)
    talk.send(b"", way="<-", flags=SYN | ACK)
    talk.next["<-"] += 1
    talk.send(*([] if acknowledged else [first]), *rest).close()
    check_whole(talk.tables(tmp_path))


@pytest.mark.each(4)
@pytest.mark.parametrize("order", ["ABab", "ABba", "BAab", "BAba", "AaBb", "ABa", "AABbaa", "BABbab"])
@pytest.mark.parametrize("back", [5000, 1000])
def test_both_sides_open_at_once(order: str, back: int, tmp_path: pathlib.Path) -> None:
    """It is one connection, of the SYN that was captured first; capitals are SYNs, the others SYN-ACKs."""
    talk = Capture(back=back)
    there, back = talk.next["->"], talk.next["<-"]
    for event in order:
        way, seq, ack = ("->", there, back + 1) if event in "Aa" else ("<-", back, there + 1)
        talk.next["<-" if way == "->" else "->"] = ack if event.islower() else 0
        talk.add(way, seq, SYN | ACK if event.islower() else SYN)
    talk.next = {"->": there + 1, "<-": back + 1}
    tables = talk.send(*cut(WHOLE)).send(*cut(WHOLE), way="<-").close().tables(tmp_path)
    assert sorted((row["direction"], row["size"]) for row in tables["flows"]) == [
        ("->", len(WHOLE)),
        ("<-", len(WHOLE)),
    ]
    assert len({row["connection"] for row in tables["flows"]}) == 1
    opened = {row["src_port"] for row in tables["flows"] if row["direction"] == "->"}
    assert back == there or opened == ({A.port} if order[0] == "A" else {B.port})
    assert all(row["opened"] and row["closed"] for row in tables["flows"])
    assert len(tables["packets"]) == 6
    assert not tables["gaps"] + tables["quarantine"]


def test_a_clock_that_is_set_back(tmp_path: pathlib.Path) -> None:
    """Frames are in order, whatever the clock says."""
    talk = Capture().open()
    for number, part in enumerate(cut(WHOLE)):
        talk.send(part)
        if number % 3 == 2:
            talk.time -= 3600 * MICRO
    check_whole(talk.close().tables(tmp_path))


@pytest.mark.parametrize("flags", [RST, RST | ACK])
@pytest.mark.parametrize("answered", [True, False])
def test_a_port_that_is_scanned(flags: int, answered: bool, tmp_path: pathlib.Path) -> None:
    """A connection that is reset before its first byte has no bytes, and none are missing."""
    talk = Capture()
    talk.add("->", talk.next["->"], SYN)
    talk.next["->"] += 1
    if answered:
        talk.add("<-", talk.next["<-"], SYN | ACK)
        talk.next["<-"] += 1
        talk.add("->", talk.next["->"], flags)
    else:
        talk.add("<-", 0, flags)
    tables = talk.tables(tmp_path)
    assert tables["gaps"] == []
    assert {row["size"] for row in tables["flows"]} == {0}


@pytest.mark.parametrize("order", [(3, 0, 1), (3, 4, 0, 1), (3, 1, 4, 2, 0), (3, 4, 5, 1)])
def test_a_syn_that_is_captured_late(order: tuple[int, ...], tmp_path: pathlib.Path) -> None:
    """Bytes that were captured before the SYN, or its answer, belong to the connection that it opened."""
    talk = Capture(seq=2**32 - 600).open().send(*cut(WHOLE)).close()
    moved = [talk.frames[at] for at in order]
    talk.frames = moved + [frame for at, frame in enumerate(talk.frames) if at not in order]
    check_whole(talk.tables(tmp_path))


@pytest.mark.parametrize("order", [(4, 3, 0, 1, 2), (4, 0, 1, 3, 2), (4, 3, 2, 0, 1)])
def test_an_answer_before_a_late_syn(order: tuple[int, ...], tmp_path: pathlib.Path) -> None:
    """The bytes of the other side belong to the connection too, as its SYN shows."""
    talk = Capture().open().send(WHOLE).send(MESSAGE, way="<-")
    talk.frames = [(time, talk.frames[at][1]) for time, at in enumerate(order, talk.time)]
    tables = talk.tables(tmp_path)
    check_whole(tables)
    assert [row["data"] for row in tables["packets"] if row["direction"] == "<-"] == [MESSAGE]


@pytest.mark.each(3)
@pytest.mark.parametrize("at", [4, 10, 25])
def test_a_clock_that_is_set_back_between_files(at: int, tmp_path: pathlib.Path) -> None:
    """The second file seems to be the first, with the end of the connection; its numbers show what it is."""
    talk = Capture(seq=2**32 - 600).open().send(*cut(WHOLE)).send(*cut(MESSAGE), way="<-").close()
    second = [(time - 3600 * MICRO, frame) for time, frame in talk.frames[at:]]
    talk.frames = talk.frames[:at]
    (tmp_path / "b").mkdir()
    talk.tables(tmp_path)
    (tmp_path / "a.pcap").rename(tmp_path / "b" / "first.pcap")
    talk.frames = second
    talk.tables(tmp_path)
    (tmp_path / "a.pcap").rename(tmp_path / "b" / "second.pcap")
    found = captures.tables(tmp_path / "b")
    tables = {name: found[name].read_all().to_pylist() for name in found}
    assert repr(found) == f"Tables({', '.join(captures.TABLES)})"
    check_whole(tables)
    assert [row["data"] for row in tables["packets"] if row["direction"] == "<-"] == [MESSAGE]


def test_keep_alives(tmp_path: pathlib.Path) -> None:
    """Their byte is none of the flow, even if it is another one than before."""
    talk = Capture().open().send(*cut(WHOLE))
    for data in (b"", b"\0", b"\0", WHOLE[-1:]):
        talk.add("->", talk.next["->"] - 1, ACK, data)
    tables = talk.close().tables(tmp_path)
    check_whole(tables)
    assert tables["quarantine"] == []


def test_keep_alives_after_acknowledgments(tmp_path: pathlib.Path) -> None:
    """The byte before the next one is a keep-alive too if segments without bytes precede it."""
    talk = Capture().open().send(*cut(WHOLE)).send(MESSAGE, way="<-")
    for _ in range(3):
        for way in ("->", "<-"):
            talk.add(way, talk.next[way])
            talk.add(way, talk.next[way] - 1)
            talk.add(way, talk.next[way] - 1, ACK, b"\xff")
    tables = talk.close().tables(tmp_path)
    check_whole(tables)
    assert tables["quarantine"] == []


def test_keep_alives_before_any_data(tmp_path: pathlib.Path) -> None:
    """Before the first byte there is only the SYN, also of a side that never sends data."""
    talk = Capture().open()
    for way in ("->", "<-", "->", "<-"):
        talk.add(way, talk.next[way] - 1, ACK, b"\0")
    talk.send(*cut(WHOLE)).add("<-", talk.next["<-"] - 1, ACK, b"\0")
    tables = talk.close().tables(tmp_path)
    check_whole(tables)
    assert tables["quarantine"] == []


@pytest.mark.parametrize("answer", ["itself", "another number", "first"])
def test_a_connection_with_itself(answer: str, tmp_path: pathlib.Path) -> None:
    """Both ends are the same (RFC 9293, 3.5, simultaneous open); so each direction is the same flow too."""
    talk = Capture()
    talk.ways = {"->": Path(A, A)}
    opening = [(1000, SYN, b"", 0), (1000 if answer == "itself" else 7000, SYN | ACK, b"", 1001)]
    for seq, flags, data, ack in opening if answer != "first" else opening[::-1]:
        talk.next["<-"] = ack
        talk.add("->", seq, flags, data)
    talk.next["->"] = talk.next["<-"] = 1001
    for part in cut(WHOLE):
        talk.send(part)
        talk.next["<-"] = talk.next["->"]
        talk.add("->", talk.next["->"])
    tables = talk.tables(tmp_path)
    if answer == "itself":
        check_whole(tables)
    assert len(tables["packets"]) >= 3
    assert not any(row["difference"] for row in tables["balance"])
    assert sum(row["frames"] for row in tables["frames"]) == len(talk.frames)


def test_both_sides_begin_with_the_same_number(tmp_path: pathlib.Path) -> None:
    talk = Capture(back=1000)
    for flags, ack in ((SYN, 0), (SYN | ACK, 1001)):
        for way in ("->", "<-"):
            talk.next = dict.fromkeys(talk.next, ack)
            talk.add(way, 1000, flags)
    talk.send(*cut(WHOLE)).send(MESSAGE, way="<-").close()
    tables = talk.tables(tmp_path)
    check_whole(tables)
    assert tables["quarantine"] == []


@pytest.mark.each(48)
@pytest.mark.parametrize("seed", range(40))
def test_hostile_connections(seed: int, tmp_path: pathlib.Path) -> None:
    """Any flags with numbers that collide, of any side, also of one with itself: a run never ends early."""
    dice = random.Random(seed)  # noqa: S311  # a seed, not a secret
    talk = Capture(port=A.port)
    if seed % 4 == 0:
        talk.ways = {"->": Path(A, A), "<-": Path(A, A)}
    numbers = (5, 6, 7, 8, 2**32 - 1, 0, 2**31)
    for _ in range(dice.randrange(2, 80)):
        talk.next = dict.fromkeys(talk.next, dice.choice(numbers))
        flags = dice.choice((SYN, SYN, SYN | ACK, SYN | ACK, ACK, ACK, FIN, RST, RST | ACK, SYN | FIN, 0))
        data = dice.choice((b"", b"", b"z", b"yy", WHOLE[:300], WHOLE[300:700]))
        talk.add(dice.choice(("->", "<-")), dice.choice(numbers), flags, data)
    tables = talk.tables(tmp_path)
    assert not any(row["difference"] for row in tables["balance"])
    assert sum(row["frames"] for row in tables["frames"]) == len(talk.frames)
    names = [row["flow"] for row in tables["flows"]]
    assert len(names) == len({*names})


@pytest.mark.parametrize("size", [100, 1000])
def test_the_text_of_a_reset(size: int, tmp_path: pathlib.Path) -> None:
    """It explains the RST, and is no part of the flow, whether frames are read one by one or together."""
    talk = Capture().open().send(*cut(WHOLE, size))
    talk.add("->", talk.next["->"], RST | ACK, b"connection aborted by the administrator")
    tables = talk.tables(tmp_path)
    check_whole(tables)
    assert tables["quarantine"] == []


@pytest.mark.each(4)
@pytest.mark.parametrize("size", range(1, 9))
def test_a_first_packet_in_small_segments(size: int, tmp_path: pathlib.Path) -> None:
    """A connection on another port is found even if no segment has the mark of a packet as a whole."""
    talk = Capture(port=4444, seq=2**32 - 4).open().send(WHOLE[:size], WHOLE[size:100])
    early = talk.frames.pop()
    talk.send(*cut(WHOLE[100:], 7))
    talk.frames.append(early)
    check_whole(talk.close().tables(tmp_path))
    other = Capture(port=4444).open().send(b"\x10\0\0", b"\0LIO", b"T" + bytes(50)).close()
    tables = other.tables(tmp_path)
    assert [(row["reason"], row["frames"]) for row in tables["frames"]] == [
        ("other stream", len(other.frames))
    ]
    assert tables["frames"][0]["bytes"] == sum(len(frame) for _, frame in other.frames)


def test_other_protocols(tmp_path: pathlib.Path) -> None:
    """What was sent to the port of MSMQ and is another protocol is named."""
    talk = Capture().open().send(b"POST /msmq HTTP/1.1\r\nHost: b\r\n\r\n" + bytes(500))
    talk.send(b"\x15\3\3\0\2\2\x28", way="<-")
    rows = talk.close().tables(tmp_path)["quarantine"]
    assert {row["error"].partition(":")[0] for row in rows} == {"these bytes are HTTP", "these bytes are TLS"}
    assert {row["direction"]: row["cause"] for row in rows} == {
        "->": "no packet begins here: HTTP",
        "<-": "unfinished at the end: TLS",
    }


def test_other_protocols_break_no_requirement(tmp_path: pathlib.Path) -> None:
    """No session of MSMQ is there, and nobody violates its rules; junk in a session still does."""
    talk = Capture().open().send(b"GET / HTTP/1.1\r\n\r\n").send(b"HTTP/1.1 404 \r\n\r\n", way="<-").close()
    tables = talk.tables(tmp_path)
    assert (tables["violations"], tables["sessions"]) == ([], [])
    tables = Capture().open().send(b"no protocol at all").close().tables(tmp_path)
    assert [row["requirement"] for row in tables["violations"]] == ["MQQB-3.1.5.1.2-01"]
    assert len(tables["sessions"]) == 1


@pytest.mark.parametrize(
    ("number", "requirement"),
    [(2, "MQQB-3.1.5.3.2-02"), (3, "MQQB-3.1.5.4.1-01"), (None, "MQQB-3.1.5.3.2-02")],
)
def test_parameters_that_refuse_a_session(
    tmp_path: pathlib.Path, number: int | None, requirement: str
) -> None:
    """They are reported once, also if nothing tells which side asks."""
    asks = mqqb.EstablishConnectionHeader(ServerGuid=mw.GUID(b"S" * 16), ClientGuid=mw.GUID(b"C" * 16))
    answers = mw.replace(asks, Padding=b"\x5a" * 512)
    kinds: list[Any] = [
        mqqb.EstablishConnection(EstablishConnectionHeader=asks),
        mqqb.EstablishConnection(EstablishConnectionHeader=answers),
        mqqb.ConnectionParameters(),
        mqqb.ConnectionParameters(),
    ]
    refusing = mw.replace(kinds[2], **{"InternalHeader.Flags.CS": 1})
    talk = Capture() if number is None else Capture().open()
    if number is None:
        talk.send(refusing.encode())
    for at, packet in enumerate(kinds[: 0 if number is None else number + 1]):
        talk.send((refusing if at == number else packet).encode(), way="<-" if at % 2 else "->")
    rows = talk.close().tables(tmp_path)["violations"]
    assert [row["requirement"] for row in rows if row["path"].endswith("CS")] == [requirement]


def call(kind: int, body: bytes = b"", flags: int = rpcrt.PFC_FIRST_FRAG | rpcrt.PFC_LAST_FRAG) -> bytes:
    """A frame of a remote procedure call, made by impacket."""
    frame = rpcrt.MSRPCRespHeader() if kind == rpcrt.MSRPC_RESPONSE else rpcrt.MSRPCHeader()
    frame["type"] = kind
    frame["flags"] = flags
    frame["pduData"] = body
    data: bytes = frame.getData()
    return data


@pytest.mark.each(3)
@pytest.mark.parametrize("fragment", [10_000, 100, 60])
def test_a_message_of_a_remote_read(tmp_path: pathlib.Path, fragment: int) -> None:
    """It is found in the answer, and judged as [MS-MQRR] says; the frames around it are named."""
    talk = Capture(port=2105).open()
    talk.send(call(rpcrt.MSRPC_BIND, bytes(56))).send(call(rpcrt.MSRPC_BINDACK, bytes(44)), way="<-")
    talk.send(call(rpcrt.MSRPC_REQUEST, bytes(48)))
    message = mqmq.UserMessage.of(MessageBody=b"taken", DestinationQueue="DIRECT=OS:a\\b")
    data = message.encode()
    stub = cut(bytes(24) + data + bytes(8), fragment)
    flags = [rpcrt.PFC_FIRST_FRAG, *[0] * (len(stub) - 1)]
    flags[-1] |= rpcrt.PFC_LAST_FRAG
    for body, flag in zip(stub, flags, strict=True):
        talk.send(*cut(call(rpcrt.MSRPC_RESPONSE, body, flag), 60), way="<-")
    talk.close()
    tables = talk.tables(tmp_path)
    (row,) = tables["messages"]
    assert (row["channel"], row["session"], row["number_in_session"]) == ("remote-read", None, None)
    assert (row["body"], row["dst"]) == (b"taken", "10.0.0.1")
    expected = [violation.requirement for violation in mw.validate(message, channel="remote-read")]
    assert [row["requirement"] for row in tables["violations"]] == expected
    assert tables["sessions"] == []
    with (tmp_path / "a.pcap").open("rb") as pipe:
        source = Source(iter([pipe.read()]), live=True)
        live = [batch for _, batch in run_live(source, "-", ("violations",))]
    assert [row["requirement"] for batch in live for row in batch.to_pylist()] == expected
    causes = {row["cause"] for row in tables["quarantine"]}
    assert "no packet begins here: RPC" in causes
    talk = Capture().open().send(data)
    assert [row["channel"] for row in talk.tables(tmp_path)["messages"]] == ["session"]


def test_what_cannot_be_read_behind_what_is_missing(tmp_path: pathlib.Path) -> None:
    """Bytes that are no packet break the session; behind missing bytes they may be the rest of one."""
    for lost, broken in ((0, True), (200, False)):
        talk = Capture().open().send(MESSAGE)
        talk.next["->"] += lost
        tables = talk.send(b"\xaa" * 60).send(MESSAGE).close().tables(tmp_path)
        assert ("MQQB-3.1.5.1.2-01" in {row["requirement"] for row in tables["violations"]}) is broken
        assert [row["kind"] for row in tables["quarantine"]] == ["junk"]


def test_zero_windows(tmp_path: pathlib.Path) -> None:
    """A probe has the next byte, which comes again with others."""
    talk = Capture().open().send(WHOLE[:100])
    for _ in range(3):
        talk.add("->", talk.next["->"], ACK, WHOLE[100:101])
    check_whole(talk.send(WHOLE[100:]).close().tables(tmp_path))


def test_a_port_that_is_used_again(tmp_path: pathlib.Path) -> None:
    talk = Capture().open().send(MESSAGE).close()
    talk.next = {"->": 3_000_000_000, "<-": 17}
    talk.open().send(MESSAGE)
    talk.add("->", 0, RST)
    talk.next = {"->": 2**32 - 100, "<-": 99}
    check_whole(talk.open().send(MESSAGE).close().tables(tmp_path), connections=3)


@pytest.mark.parametrize("end", [FIN, RST])
def test_a_port_that_is_used_again_with_nearby_numbers(end: int, tmp_path: pathlib.Path) -> None:
    """A connection that has ended is not that of the next SYN, even if its bytes would follow this SYN."""
    talk = Capture(seq=2**32 - 100).send(MESSAGE)
    if end == FIN:
        talk.close()
    else:
        talk.add("<-", talk.next["<-"], RST)
    talk.next = {"->": 2**32 - 2000, "<-": 99}
    check_whole(talk.open().send(MESSAGE).close().tables(tmp_path), 2, connections=2)


@pytest.mark.parametrize("first", [True, False])
def test_copies_that_differ(first: bool, tmp_path: pathlib.Path) -> None:  # as above
    """The one with the right checksum counts, whichever came first; the other is evidence."""
    talk = Capture().open()
    good = talk.add("->", talk.next["->"], ACK, WHOLE)
    time, _ = talk.frames.pop()
    bad = good[:100] + b"??" + good[102:]
    talk.frames += [(time, bad), (time + 1, good)] if first else [(time, good), (time + 1, bad)]
    talk.next["->"] += len(WHOLE)
    tables = talk.close().tables(tmp_path)
    check_whole(tables)
    (evidence,) = tables["quarantine"]
    assert (evidence["kind"], evidence["first_frame"]) == ("conflict", 4 if first else 5)
    assert evidence["data"] == bad[54:]


def test_a_fin_that_was_not_captured_after_a_repeated_segment(tmp_path: pathlib.Path) -> None:
    """The number after it shows no missing byte, also after an older segment came again."""
    talk = Capture().open()
    start = talk.next["->"]
    talk.send(*cut(WHOLE))
    talk.add("->", start, ACK, WHOLE[:100])
    talk.add("->", talk.next["->"] + 1, ACK)
    tables = talk.tables(tmp_path)
    check_whole(tables)
    assert sorted(row["size"] for row in tables["flows"]) == [0, len(WHOLE)]


def test_a_sender_with_unfinished_checksums(tmp_path: pathlib.Path) -> None:
    """They are no damage: nothing is dropped, and the first copy counts."""
    talk = Capture().open().send(*cut(WHOLE)).close()
    talk.frames = [(time, frame[:50] + b"\x12\x34" + frame[52:]) for time, frame in talk.frames]
    check_whole(talk.tables(tmp_path))


def test_one_side(tmp_path: pathlib.Path) -> None:
    talk = Capture().open().send(*cut(WHOLE), b"").close()
    talk.frames = [(time, frame) for time, frame in talk.frames if frame[26:30] == A.ip.packed]
    check_whole(talk.tables(tmp_path))


REQUEST, ANSWER, ALERT = b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\n", b"\x15\3\3\0\2\2\x28"


def named(talk: Capture, place: pathlib.Path) -> dict[tuple[str, str], int]:
    """The frames by reason and detail: of a file and of a pipe the same."""
    rows = talk.tables(place)["frames"]
    assert sum(row["bytes"] for row in rows) == sum(len(data) for _, data in talk.frames)
    live = run_live(Source(iter([talk.data]), live=True), rows[0]["file"], ("frames",))
    assert [row for _, batch in live for row in batch.to_pylist()] == rows
    return {(row["reason"], row["detail"]): row["frames"] for row in rows}


def test_other_protocols_on_the_port_of_msmq(tmp_path: pathlib.Path) -> None:
    """Their frames are counted as those on other ports: a connection without a packet, by its protocol."""
    talk = Capture().open().send(REQUEST).send(ANSWER, way="<-").close()
    count = len(talk.frames)
    assert named(talk, tmp_path) == {("other stream", "HTTP"): count}
    balance = talk.tables(tmp_path)["balance"]
    assert {row["in_quarantine"] for row in balance} == {len(REQUEST), len(ANSWER)}
    talk = Capture().open().send(REQUEST).send(ALERT, way="<-").close()
    assert named(talk, tmp_path) == {("other stream", "HTTP"): count}  # as the side that opened it begins
    talk = Capture().open().send(b"of no protocol").close()
    assert named(talk, tmp_path) == {("read", ""): len(talk.frames)}


def test_msmq_in_other_protocols(tmp_path: pathlib.Path) -> None:
    """A connection in which a packet begins, whole or not, has MSMQ, whatever its first bytes are."""
    for data in (REQUEST + WHOLE, REQUEST + WHOLE[:200]):
        talk = Capture().open().send(*cut(data)).close()
        assert named(talk, tmp_path) == {("read", ""): len(talk.frames)}
    talk = Capture().open().send(REQUEST).send(*cut(WHOLE), way="<-").close()
    assert named(talk, tmp_path) == {("read", ""): len(talk.frames)}


def test_a_port_that_another_protocol_reuses(tmp_path: pathlib.Path) -> None:
    """Connections count one by one."""
    talk = Capture().open().send(*cut(WHOLE)).close()
    count = len(talk.frames)
    other = Capture(seq=77_000).open().send(REQUEST).close()
    talk.join(other)
    assert named(talk, tmp_path) == {("read", ""): count, ("other stream", "HTTP"): len(other.frames)}


def test_any_port(tmp_path: pathlib.Path) -> None:
    """What is MSMQ is told by its bytes; other streams are counted."""
    talk = Capture(port=8080).open().send(*cut(WHOLE)).close()
    other = (
        Capture(port=80).open().send(b"GET / HTTP/1.1\r\n\r\n").send(b"HTTP/1.1 200 OK\r\n", way="<-").close()
    )
    talk.frames += other.frames
    tables = talk.tables(tmp_path)
    check_whole(tables)
    counts = {row["reason"]: row["frames"] for row in tables["frames"]}
    assert counts == {"read": len(talk.frames) - len(other.frames), "other stream": len(other.frames)}


def test_little(tmp_path: pathlib.Path) -> None:
    """A capture without a frame, and one with nothing of interest."""
    tables = Capture().tables(tmp_path, names=None)
    (row,) = tables.pop("frames")  # nothing is left out without a trace
    assert (row["reason"], row["frames"]) == ("no frames", 0)
    assert {name: len(rows) for name, rows in tables.items() if rows} == {}
    tables = Capture(port=80).open().tables(tmp_path, names=None)
    assert {name for name, rows in tables.items() if rows} == {"frames"}


@pytest.mark.long
def test_a_long_connection_is_not_copied(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes, not time: sessions are made without a copy of the bytes of a connection."""
    message = mqmq.UserMessage(
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=bytes(1 << 20))
    ).encode()
    count, held = 48, [0]
    by_connection = table_builder.by_connection

    def watched(*arguments: Any) -> Iterator[pa.RecordBatch]:
        before = pa.total_allocated_bytes()
        for batch in by_connection(*arguments):
            held.append(pa.total_allocated_bytes() - before)
            yield batch

    monkeypatch.setattr(table_builder, "by_connection", watched)
    capture = Capture().open().send(*cut(message * count, 60_000)).close()
    tables = capture.tables(tmp_path, captures.Settings(memory=1))
    assert len(tables["sessions"]) == 1
    assert len(held) > 1
    assert max(held) < len(message)
