"""Packets in remote procedure calls: read whole however calls are divided, and every byte accounted for."""

from __future__ import annotations

import struct
from bisect import bisect_right
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from impacket.dcerpc.v5 import rpcrt
from impacket.uuid import uuidtup_to_bin
from support_remote_reads import parts_stub

from msmq_wire import mqmq
from msmq_wire.ndr.structures import SectionBuffer
from msmq_wire.packets import reassembly
from msmq_wire.packets.beginning import protocol_of
from msmq_wire.packets.reassembly import FlowReader, Kind, Origin, Piece

if TYPE_CHECKING:
    from collections.abc import Iterable

MESSAGES = [mqmq.UserMessage.of(MessageBody=bytes([size % 256]) * size).encode() for size in (5, 300, 3000)]
BIND = rpcrt.MSRPCHeader()
BIND["type"], BIND["pduData"] = rpcrt.MSRPC_BIND, bytes(56)
MARK = b"LIOR"
FIRST, LAST, OBJECT = rpcrt.PFC_FIRST_FRAG, rpcrt.PFC_LAST_FRAG, rpcrt.PFC_OBJECT_UUID


class Call(NamedTuple):
    """A call to send: its stub in parts, some of which are messages, and how it is divided into fragments."""

    parts: list[bytes]
    cuts: list[int]
    answers: bool = True
    value_size: int = 0
    has_object: bool = False

    @property
    def stub(self) -> bytes:
        return b"".join(self.parts)


def fragments(call: Call, number: int = 1) -> list[bytes]:
    """The frames of a call, made by impacket."""
    points = sorted({0, len(call.stub), *(cut % (len(call.stub) or 1) for cut in call.cuts)})
    parts = [call.stub[start:stop] for start, stop in pairwise(points)] or [b""]
    frames = []
    for at, part in enumerate(parts):
        frame = rpcrt.MSRPCRespHeader() if call.answers else rpcrt.MSRPCRequestHeader()
        frame["call_id"] = number
        frame["flags"] = FIRST * (at == 0) | LAST * (at == len(parts) - 1)
        if call.has_object and not call.answers:
            frame["flags"] |= OBJECT
            frame["uuid"] = bytes(range(16))
        frame["pduData"] = part
        if call.value_size:
            padding = -len(part) % 4
            trailer = rpcrt.SEC_TRAILER()
            trailer["auth_pad_len"] = padding
            frame["pad"], frame["auth_data"] = b"\xbb" * padding, b"\xaa" * call.value_size
            frame["sec_trailer"] = trailer.getData()
        frames.append(frame.get_packet())
    return frames


def big_endian(frame: bytes) -> bytes:
    """A frame whose numbers are in network byte order."""
    numbers = struct.pack(">HHI", *struct.unpack_from("<HHI", frame, 8))
    return frame[:4] + bytes(4) + numbers + frame[16:]


def pieces_of(data: bytes, cuts: Iterable[int] = (), lost: range = range(0)) -> list[Piece]:
    """The pieces of a flow in segments that are cut at these points, without the bytes that were lost."""
    reader, pieces = FlowReader(), list[Piece]()
    points = sorted({0, len(data), lost.start, lost.stop, *(cut % len(data) for cut in cuts)})
    for number, (start, stop) in enumerate(pairwise(points)):
        if start not in lost:
            pieces += reader.feed(start, data[start:stop], Origin(number, "a.pcap", number))
    pieces += reader.close(len(data))
    assert reader.protocol == "RPC"
    assert sum(piece.size for piece in pieces) == len(data)
    offsets = [piece.offset for piece in pieces]
    assert offsets == sorted(offsets)
    return pieces


def packets_of(pieces: Iterable[Piece]) -> list[bytes]:
    return [piece.data for piece in pieces if piece.kind is Kind.PACKET]


numbers = st.integers(0, 1 << 16)
calls = st.builds(
    Call,
    st.lists(st.sampled_from([*MESSAGES, bytes(24), b"\x01" * 3])),
    st.lists(numbers, max_size=6),
    st.booleans(),
    st.sampled_from([0, 16]),
    st.booleans(),
)


@given(st.lists(calls, min_size=1, max_size=4), st.lists(numbers, max_size=8), st.booleans())
@example([Call([bytes(24), MESSAGES[2], bytes(8)], [1000, 2000])], [], False)
@example([Call([MESSAGES[0]], list(range(1, 200)), value_size=16)], list(range(1, 9)), True)
def test_any_division(sent: list[Call], cuts: list[int], is_big: bool) -> None:  # drawn
    """Fragments, segments, authentication, objects and byte orders do not change what is read."""
    frames = [BIND.getData()]
    for number, call in enumerate(sent, 1):
        frames += fragments(call, number)
    pieces = pieces_of(b"".join(map(big_endian, frames) if is_big else frames), cuts)
    assert packets_of(pieces) == [part for call in sent for part in call.parts if part in MESSAGES]
    assert {piece.kind for piece in pieces} <= {Kind.PACKET, Kind.JUNK}


@pytest.mark.parametrize("is_64", [False, True])
@pytest.mark.parametrize("count", [1, 2])
def test_an_answer_with_a_part_of_a_packet(count: int, is_64: bool) -> None:
    """The packet ends with its section, wherever the answer is divided: its beginning, too."""
    message = mqmq.UserMessage.of(MessageBody=bytes(range(60))).encode()
    parts = zip((1, 2)[:count], (message[:-20], message[-20:]), strict=False)
    sections = [SectionBuffer(SectionBufferType=kind, pSectionBuffer=part) for kind, part in parts]
    stub = parts_stub(sections, is_64=is_64)
    begin = stub.index(message[:16])
    for cuts in ([], [1], [47, 48], *([begin + at] for at in range(-9, 20)), range(len(stub))):
        pieces = pieces_of(b"".join([BIND.getData(), *fragments(Call([stub], [*cuts]))]))
        read = [piece for piece in pieces if piece.kind is not Kind.JUNK]
        assert [(piece.kind, piece.data) for piece in read] == [(Kind.UNREADABLE, message[:-20])]


@given(st.lists(calls, min_size=2, max_size=4), numbers, st.lists(numbers, max_size=8), st.booleans())
@example([Call([bytes(24), MESSAGES[2]], [1000, 2000]), Call([MESSAGES[1]], [200])], 100, [], False)
def test_a_capture_that_begins_within_a_frame(
    sent: list[Call], begin: int, cuts: list[int], is_big: bool
) -> None:  # drawn
    """Calls behind it are read as always, unless a message begins in what is left of the first frame."""
    frames = [frame for number, call in enumerate(sent, 1) for frame in fragments(call, number)]
    frames = [*map(big_endian, frames)] if is_big else frames
    ends = [*accumulate(map(len, frames))]
    begin %= ends[-1]
    first = bisect_right(ends, begin)
    data = b"".join(frames)
    assume(begin not in {0, *ends} and first < len(frames) - 1)
    assume(MARK not in data[begin : ends[first]])
    pieces = pieces_of(data[begin:], cuts)
    calls_of_frames = [number for number, call in enumerate(sent) for _ in fragments(call)]
    left = sent[calls_of_frames[first] + 1 :]
    wanted = [part for call in left for part in call.parts if part in MESSAGES]
    assert packets_of(pieces)[-len(wanted) or len(pieces) :] == wanted


@pytest.mark.parametrize("begin", [0, 7, 60])
def test_a_connection_of_msmq_that_is_captured_from_within(begin: int) -> None:
    """Its packets are read, also those with the bytes of calls in their bodies."""
    calls_within = b"".join(fragments(Call([bytes(100)], [20, 40])))
    message = mqmq.UserMessage.of(MessageBody=calls_within).encode()
    data = bytes(100)[begin:] + message + MESSAGES[1]
    reader = FlowReader()
    pieces = [*reader.feed(0, data, Origin(1, "a.pcap", 1)), *reader.close(len(data))]
    assert packets_of(pieces) == [message, MESSAGES[1]]
    assert reader.protocol == ""


def test_many_segments_without_a_beginning() -> None:
    """Work is linear: the first bytes are looked at again only when there are twice as many."""
    reader = FlowReader()
    with mock.patch.object(reassembly, "protocol_of", wraps=protocol_of) as asked:
        for at in range(70_000):
            for _ in reader.feed(at, b"\x05", Origin(at, "a.pcap", at)):
                pass
    assert asked.call_count < 20
    assert reader.protocol == ""


def test_where_a_message_was_captured() -> None:
    """From the segment of its first byte to that of its last, whatever interrupts it."""
    frames = fragments(Call([bytes(24), MESSAGES[1], bytes(8)], [200]))
    data = b"".join(frames)
    last = len(data) - 9
    (packet,) = (piece for piece in pieces_of(data, [48, 49, last, last + 1]) if piece.kind is Kind.PACKET)
    assert packet.first is not None
    assert packet.last is not None
    assert (packet.offset, packet.first.frame, packet.last.frame) == (48, 1, 3)


@pytest.mark.parametrize("divided", [[], [100, 400]])
def test_a_gap(divided: list[int]) -> None:
    """What is missing ends one call; the next one is read."""
    calls = [Call([bytes(24), MESSAGES[1]], divided), Call([MESSAGES[2]], divided), Call([MESSAGES[0]], [])]
    parts = [b"".join(fragments(call, number)) for number, call in enumerate(calls)]
    lost = range(len(parts[0]) + 200, len(parts[0]) + 300)
    pieces = pieces_of(b"".join(parts), lost=lost)
    assert packets_of(pieces) == [MESSAGES[1], MESSAGES[0]]
    cut = [piece for piece in pieces if piece.kind not in {Kind.PACKET, Kind.JUNK}]
    assert [piece.kind for piece in cut] == [Kind.UNREADABLE, Kind.GAP]
    assert cut[0].partial is not None


@pytest.mark.parametrize("cut", [10, 30, 300])
def test_an_end_within_a_call(cut: int) -> None:
    """The part of a message that was captured is unreadable; nothing is made up."""
    data = b"".join(fragments(Call([MESSAGES[1]], [100, 200])))
    pieces = pieces_of(BIND.getData() + data[:cut])
    assert packets_of(pieces) == []
    assert any(piece.partial for piece in pieces) == (cut > 50)


def alternating(sent: list[Call], order: list[int]) -> list[bytes]:
    """The fragments of calls, each time the next one of the call that the order selects."""
    left = {number: fragments(call, number) for number, call in enumerate(sent, 1)}
    frames = []
    for choice in order + [0] * sum(map(len, left.values())):
        if left:
            number = [*left][choice % len(left)]
            frames.append(left[number].pop(0))
            left = {key: rest for key, rest in left.items() if rest}
    return frames


@given(
    st.lists(calls, min_size=2, max_size=4),
    st.lists(numbers, max_size=30),
    st.lists(numbers, max_size=8),
)
@example([Call([MESSAGES[2]], [1000]), Call([MESSAGES[2], MESSAGES[0]], [1000])], [0, 1, 0, 1], [])
@example([Call([MESSAGES[2]], [1000], value_size=16), Call([MESSAGES[1]] * 3, [10, 800])], [0, 1, 1, 1], [])
def test_calls_that_alternate(sent: list[Call], order: list[int], cuts: list[int]) -> None:  # drawn
    """Fragments of other calls between those of one change nothing but the places of packets."""
    data = b"".join([BIND.getData(), *alternating(sent, order)])
    pieces = pieces_of(data, cuts)
    wanted = [part for call in sent for part in call.parts if part in MESSAGES]
    assert sorted(packets_of(pieces)) == sorted(wanted)
    assert {piece.kind for piece in pieces} <= {Kind.PACKET, Kind.JUNK}
    assert {piece.data[0] for piece in pieces if piece.kind is Kind.PACKET} <= {MESSAGES[0][0]}
    assert all(data[piece.offset] == piece.data[0] for piece in pieces)


def test_where_messages_of_alternating_calls_were_captured() -> None:
    """Each from its own first to its own last segment."""
    frames = alternating([Call([MESSAGES[2]], [1000]), Call([MESSAGES[2]], [1000])], [0, 1, 0, 1])
    ends = [*accumulate(map(len, frames))]
    packets = [piece for piece in pieces_of(b"".join(frames), ends[:-1]) if piece.kind is Kind.PACKET]
    captured = [(piece.first and piece.first.frame, piece.last and piece.last.frame) for piece in packets]
    assert captured == [(0, 2), (1, 3)]
    assert [piece.offset for piece in packets] == [24, ends[0] + 24]


@pytest.mark.parametrize(
    ("kind", "read"), [(rpcrt.MSRPC_FAULT, 0), (19, 0), (18, 1), (rpcrt.MSRPC_ALTERCTX, 1)]
)
def test_frames_between_the_fragments_of_a_call(kind: int, read: int) -> None:
    """A fault ends its call, as an orphaned call does; a cancellation asks for its end only."""
    frame = rpcrt.MSRPCHeader()
    frame["type"], frame["call_id"], frame["pduData"] = kind, 7, bytes(16)
    one = fragments(Call([MESSAGES[1]], [200]), 7)
    other = fragments(Call([MESSAGES[0]], [50]), 8)
    pieces = pieces_of(b"".join([other[0], one[0], frame.getData(), one[1], other[1]]))
    assert packets_of(pieces) == [MESSAGES[0], *[MESSAGES[1]] * read]


@pytest.mark.parametrize("count", [64, 65, 200])
def test_many_open_calls(count: int) -> None:
    """The oldest call is ended if too many are open; nothing is lost or read twice."""
    parts = [fragments(Call([MESSAGES[0]], [100]), number) for number in range(count)]
    pieces = pieces_of(b"".join(part[0] for part in parts) + b"".join(part[1] for part in parts))
    assert packets_of(pieces) == [MESSAGES[0]] * 64
    assert [piece.kind for piece in pieces].count(Kind.UNREADABLE) == count - 64


def test_a_call_that_does_not_go_on() -> None:
    """What follows waits for its packet for a while, and is read then."""
    begun, rest = fragments(Call([MESSAGES[2]], [1000]), 1)
    other = b"".join(fragments(Call([bytes(60_000)], []), 2) + fragments(Call([MESSAGES[1]], []), 3))
    reader, pieces, most = FlowReader(1 << 16), list[Piece](), 0
    data = begun + other * 20 + rest
    for at in range(0, len(data), 10_000):
        pieces += reader.feed(at, data[at : at + 10_000], Origin(at, "a.pcap", at))
        most = max(most, at - sum(piece.size for piece in pieces))
    pieces += reader.close(len(data))
    assert packets_of(pieces) == [MESSAGES[1]] * 20
    assert 1 << 19 <= most <= 1 << 20
    assert sum(piece.size for piece in pieces) == len(data)


def request(operation: int, stub: bytes, number: int, context: int = 1) -> bytes:
    frame = rpcrt.MSRPCRequestHeader()
    frame["call_id"], frame["op_num"], frame["ctx_id"], frame["pduData"] = number, operation, context, stub
    data: bytes = frame.get_packet()
    return data


def bind(*contexts: tuple[int, str]) -> bytes:
    """A bind that proposes interfaces by their UUIDs, in NDR."""
    body = rpcrt.MSRPCBind()
    for number, interface in contexts:
        item = rpcrt.CtxItem()
        item["ContextID"], item["TransItems"] = number, 1
        item["AbstractSyntax"] = uuidtup_to_bin((interface, "1.0"))
        item["TransferSyntax"] = uuidtup_to_bin(("8a885d04-1ceb-11c9-9fe8-08002b104860", "2.0"))
        body.addCtxItem(item)
    frame = rpcrt.MSRPCHeader()
    frame["type"], frame["pduData"] = rpcrt.MSRPC_BIND, body.getData()
    data: bytes = frame.get_packet()
    return data


REMOTE_READ = "1a9134dd-7b39-45ba-ad88-44d01ca47f28"
OTHER = "76d12b80-3467-11d3-91ff-0090272f9ea3"


def calls_of(pieces: Iterable[Piece]) -> list[tuple[int, int | None, int | None, int | None, bytes | None]]:
    return [
        (call.number, call.begin, call.operation, call.word, call.stub)
        for call in (piece.call for piece in pieces)
        if call is not None
    ]


def test_what_requests_say() -> None:
    """Those of remote reads whose interface is bound, or not known; also behind missing bytes."""
    begun = bind((0, OTHER), (1, REMOTE_READ))
    sent = [request(7, b"a" * 56, 2), request(7, b"b" * 56, 3, 0), request(3, b"c" * 20, 4),
            request(13, b"d" * 72, 5, 9), request(2, b"e" * 2048, 6), request(2, b"f" * 2049, 7)]  # fmt: skip
    lost = bytes(100)
    at = [len(begun) + len(lost) + start for start in accumulate(map(len, sent), initial=0)]
    pieces = pieces_of(begun + lost + b"".join(sent), lost=range(len(begun), len(begun) + len(lost)))
    assert calls_of(pieces) == [
        (2, at[0], 7, 4, b"a" * 56),
        (5, at[3], 13, None, b"d" * 72),
        (6, at[4], 2, 4, b"e" * 2048),
        (7, at[5], 2, 4, None),
    ]
    assert calls_of(pieces_of(bind((1, REMOTE_READ)) + big_endian(sent[0]) + sent[2][:-1])) == []


@pytest.mark.parametrize(("kind", "group"), [(11, 7), (12, 7), (14, 7), (15, 7), (12, 0), (13, 7), (3, 7)])
def test_the_association_group_of_a_connection(kind: int, group: int) -> None:
    """Frames that bind have it ([C706] 12.6.4), in either byte order, except a proposal of a new one."""
    frame = rpcrt.MSRPCHeader()
    frame["type"], frame["call_id"], frame["pduData"] = kind, 3, struct.pack("<HHI", 1, 2, group)
    little = frame.getData()
    big = big_endian(little[:-8]) + struct.pack(">HHI", 1, 2, group)
    told = [piece.call for piece in pieces_of(little + big + little[:-1]) if piece.call]
    expected = [(3, at, group) for at in (0, len(little))] if group and kind > 10 and kind != 13 else []
    assert [(call.number, call.begin, call.group) for call in told] == expected


def test_which_answers_say_something() -> None:
    """Those that may have a handle, and those with a message: the whole one, and what is left of one."""
    sent = [
        *fragments(Call([b"a" * 20], [7]), 2),
        *fragments(Call([b"b" * 28], []), 3),
        *fragments(Call([b"c" * 21], []), 4),
        *fragments(Call([bytes(24), MESSAGES[0]], [30]), 5),
        *fragments(Call([bytes(24), MESSAGES[0]], [30]), 6)[1:],
        *fragments(Call([MESSAGES[1]], [100]), 7)[:1],
    ]
    at = [*accumulate(map(len, sent), initial=0)]
    assert calls_of(pieces_of(b"".join(sent))) == [
        (2, at[0], None, None, b"a" * 20),
        (3, at[2], None, None, b"b" * 28),
        (5, at[4], None, None, None),
        (7, at[7], None, None, None),
    ]


def test_presentation_contexts_are_bounded() -> None:
    """Contexts beyond the first 1024 are not known, so that requests have to speak for themselves."""
    binds = [bind(*((number, OTHER) for number in range(at, at + 128))) for at in range(0, 2048, 128)]
    sent = b"".join(binds) + request(7, bytes(56), 2, 1023) + request(7, bytes(56), 3, 1024)
    assert [call[0] for call in calls_of(pieces_of(sent))] == [3]


def test_binds_of_any_bytes() -> None:
    """A number of contexts that is wrong leads nowhere."""
    frame = rpcrt.MSRPCHeader()
    frame["type"] = rpcrt.MSRPC_BIND
    for body in (b"", bytes(8), bytes(8) + b"\xff", bytes(8) + b"\xff\0\0\0" + b"\xff" * 40):
        frame["pduData"] = body
        assert len(calls_of(pieces_of(frame.getData() + request(7, bytes(56), 2)))) == 1


def test_bytes_that_are_no_frame() -> None:
    """They are skipped up to the next header."""
    whole = b"".join(fragments(Call([MESSAGES[1]], [200])))
    for junk in (b"\x05", b"\x05\0\2\3\x10\0\0\0\0\0\0\0", bytes(1000), whole[40:200]):
        pieces = pieces_of(BIND.getData() + junk + whole)
        assert packets_of(pieces) == [MESSAGES[1]]


def test_fragments_without_end() -> None:
    """Fragments without bytes, and very many, do not stay in memory; work is linear."""
    first, second = fragments(Call([MESSAGES[2]], [100]))
    empty = bytearray(first[:24])
    empty[3], empty[8:10] = 0, (24).to_bytes(2, "little")
    pieces = pieces_of(first + bytes(empty) * 1000 + second)
    assert packets_of(pieces) == []
    assert first[24:] + second[24:] == MESSAGES[2]
    tiny = bytearray(empty)
    tiny[8:10] = (25).to_bytes(2, "little")
    rest = b"".join(bytes(tiny) + MESSAGES[2][at : at + 1] for at in range(100, len(MESSAGES[2]) - 1))
    pieces = pieces_of(first + rest + second[:8] + b"\x19\0" + second[10:24] + MESSAGES[2][-1:])
    assert packets_of(pieces) == [MESSAGES[2]]
