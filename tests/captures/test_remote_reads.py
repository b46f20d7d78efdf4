"""Who reads from which queue, in captures of remote calls: NDR, frames and bindings are those of impacket."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from impacket.dcerpc.v5 import rpcrt
from support_by_hand import Capture
from support_remote_reads import (
    END,
    FEATURES,
    HANDLE,
    HANDLE_BIG,
    HANDLE_LITTLE,
    MESSAGE,
    NACK,
    NDR64,
    OPEN,
    OPEN_FOR_MOVE,
    ORDERS,
    OTHER,
    PRIVATE,
    PUBLIC,
    PUBLIC_QUEUE,
    QUEUE,
    READER,
    RECEIVE,
    RECEIVE_IN_TRANSACTION,
    SECOND,
    SECOND_HANDLE,
    Frames,
    answer_stub,
    end_stub,
    open_stub,
    open_stub_64,
    open_stub_big,
    parts_stub,
    receive_stub,
)

from msmq_wire import mqmq, mqrr, rpc
from msmq_wire.captures.engine import run, run_live
from msmq_wire.captures.files.sources import Source
from msmq_wire.captures.flows.framing import PIECES
from msmq_wire.captures.reports.stories import story
from msmq_wire.captures.rows import remote_reads
from msmq_wire.captures.rows.remote_reads import RemoteReads
from msmq_wire.packets.calls import Call
from msmq_wire.packets.remote_reads import OPERATIONS, ending, handle_of, opened_handle, opening

from .conversations import Wire, answered, message
from .segments import EPOCH, Talk

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterable


class Told(NamedTuple):
    """What a row says."""

    reader: str | None
    queue: str | None


KNOWN = Told(READER, QUEUE)
NOTHING = Told(None, None)


def reads_of(rows: Iterable[dict[str, Any]]) -> list[Told]:
    return [Told(row["reader"], row["queue"]) for row in rows]


def all_ways(frames: Frames, place: pathlib.Path, client: str = "10.0.0.1") -> list[Told]:
    """What `packets` and `messages` say, of a file and of a pipe: the same."""
    tables = frames.talk.close().tables(place)
    live: dict[str, list[dict[str, Any]]] = {"packets": [], "messages": []}
    source = Source(iter([frames.talk.data]), live=True)
    for name, batch in run_live(source, "-", ("packets", "messages")):
        live[name] += batch.to_pylist()
    rows = tables["messages"]
    assert {row["channel"] for row in rows} == {"remote-read"}
    assert {row["dst"] for row in rows} == {client}
    assert {row["body"] for row in rows} == {b"taken"}
    for others in (tables["packets"], live["packets"], live["messages"]):
        assert sorted(map(str, reads_of(others))) == sorted(map(str, reads_of(rows)))
    for name in ("packets", "messages"):
        positions = [
            [(row["flow"], row["offset"], *reads_of([row])[0]) for row in of[name]] for of in (tables, live)
        ]
        assert sorted(positions[0]) == sorted(positions[1])
    return reads_of(sorted(rows, key=lambda row: row["offset"]))


@pytest.mark.each(3)
@pytest.mark.parametrize("size", [4000, 100, 33])
@pytest.mark.parametrize("bound", ["bind", "alter_context", "not captured"])
def test_a_remote_read(bound: str, size: int, tmp_path: pathlib.Path) -> None:
    frames = Frames()
    if bound == "bind":
        frames.bind()
    elif bound == "alter_context":
        frames.bind(OTHER).bind(kind=rpcrt.MSRPC_ALTERCTX)
    assert all_ways(frames.opened(2, size=size).received(3, size=size), tmp_path) == [KNOWN]


ONLY = "Only a remote read of it was captured"
TAKEN, IN_TRANSACTION, RETURNED = (
    "A remote read took it from the queue {}.",
    (
        "A remote read took it from the queue {} in a transaction, and no captured packet says whether that "
        "was committed."
    ),
    "A remote read returned it from the queue {}, and no captured call proves that it was taken.",
)
JOURNAL = f"{ORDERS};JOURNAL"
NO_MESSAGE = 0xC00E0088
"""MQ_ERROR_MESSAGE_NOT_FOUND, with which R_EndReceive fails ([MS-MQRR] 3.1.4.9)."""


def in_transaction(frames: Frames) -> Frames:
    """A read in a transaction."""
    stub = receive_stub(HANDLE, RECEIVE_IN_TRANSACTION)
    return frames.call(RECEIVE_IN_TRANSACTION, stub, answer_stub(), 3)


@pytest.mark.each(9)
@pytest.mark.parametrize(
    ("sent", "state", "why"),
    [
        (lambda frames: frames.received(3).ended(4), "received", TAKEN),
        (lambda frames: frames.received(3, size=33).ended(4), "received", TAKEN),
        (lambda frames: frames.received(3, action=0x4000_0021).ended(4), "received", TAKEN),
        (lambda frames: frames.received(3).received(4, request=2).ended(5, request=2), "received", TAKEN),
        (lambda frames: frames.received(3).ended(4, answer=NACK).received(5).ended(6), "received", TAKEN),
        (lambda frames: frames.received(3), "reached", RETURNED),
        (lambda frames: frames.received(3).ended(4, answer=NACK), "reached", RETURNED),
        (lambda frames: frames.received(3).ended(4, answer=NACK).ended(5), "reached", RETURNED),
        (lambda frames: frames.received(3).ended(4, request=2), "reached", RETURNED),
        (lambda frames: frames.received(3).ended(4, SECOND_HANDLE), "reached", RETURNED),
        (lambda frames: frames.received(3).ended(4, result=NO_MESSAGE), "reached", RETURNED),
        (lambda frames: frames.received(3).ended(4, result=NO_MESSAGE, answer=NACK), "reached", RETURNED),
        (lambda frames: frames.received(3).ended(4, result=NO_MESSAGE).ended(5), "received", TAKEN),
        (lambda frames: frames.received(3).unanswered(END, end_stub(), 4), "reached", RETURNED),
        (lambda frames: frames.received(3).unanswered(END, end_stub(), 4).ended(5), "received", TAKEN),
        (lambda frames: frames.received(3).unanswered(END, end_stub(), 4).failed(4), "reached", RETURNED),
        (
            lambda frames: frames.received(3).unanswered(RECEIVE, receive_stub(), 4).ended(5),
            "reached",
            RETURNED,
        ),
        (lambda frames: frames.ended(3).received(4), "reached", RETURNED),
        (lambda frames: frames.received(3, action=0x8000_0000).ended(4), "reached", RETURNED),
        (lambda frames: frames.received(3, action=0x4000_0018).ended(4), "reached", RETURNED),
        (lambda frames: frames.received(3).ended(4, operation=15), "reached", RETURNED),
        (lambda frames: in_transaction(frames).ended(4), "reached", RETURNED),
        (lambda frames: in_transaction(frames).ended(4, operation=15, answer=NACK), "reached", RETURNED),
        (lambda frames: in_transaction(frames).ended(4, operation=15, result=5), "reached", RETURNED),
        (lambda frames: in_transaction(frames).ended(4, operation=15), "reached", IN_TRANSACTION),
        (
            lambda frames: in_transaction(frames).ended(4, operation=15).received(5).ended(6),
            "received",
            TAKEN,
        ),
    ],
)
def test_the_fate_of_a_message_that_was_read(sent: Any, state: str, why: str, tmp_path: pathlib.Path) -> None:
    """It was in its queue; it was taken if the call that ends the request to remove it succeeds."""
    tables = sent(Frames().bind().opened(2)).talk.close().tables(tmp_path, names=None)
    (row,) = tables["deliveries"]
    assert (row["state"], row["why"], row["class"]) == (state, why.format(QUEUE), None)
    proofs = [(proof["what"], proof["time"] is None) for proof in row["proof"]]
    is_ended = why != RETURNED
    assert proofs == [("remote read", False), *[("end of the remote read", False)] * is_ended]
    (queue,) = tables["queues"]
    assert queue["states"] == [(state, 1)]
    lines = [line for line in story(row) if "the call that ends the remote read succeeded: " in line]
    assert len(lines) == is_ended


@pytest.mark.each(3)
@pytest.mark.parametrize(
    ("queue", "why"),
    [
        (None, f"{ONLY}, and no captured call says from which queue."),
        (JOURNAL, f"{ONLY}, from the queue DIRECT={JOURNAL}."),
        ("OS:server\\SYSTEM$;DEADXACT", f"{ONLY}, from the queue DIRECT=OS:server\\SYSTEM$;DEADXACT."),
    ],
)
def test_a_read_that_proves_nothing(queue: str | None, why: str, tmp_path: pathlib.Path) -> None:
    """A journal or a dead-letter queue has copies, also of messages that no queue has."""
    frames = Frames().bind()
    if queue is not None:
        frames.opened(2, queue)
    (row,) = frames.received(3).ended(4).talk.close().tables(tmp_path, names=None)["deliveries"]
    assert (row["state"], row["why"], row["class"]) == ("unknown", why, None)
    assert [proof["what"] for proof in row["proof"]] == ["remote read"]


BOTH = ONE, TWO = (r"OS:one\private$\orders", r"OS:two\private$\orders")
ABSENT = "Of one of its queues, nothing was captured."


def to_both(queue: str) -> bytes:
    """A message to two queues, as one of them has it."""
    names = [
        mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName=name))
        for name in BOTH
    ]
    lists = mqmq.MultiQueueFormatHeader(Destination=mqmq.MQFAddressHeader(FormatNameList=names))
    return mqmq.UserMessage.of(DestinationQueue=f"DIRECT={queue}", MultiQueueFormatHeader=lists).encode()


@pytest.mark.each(6)
@pytest.mark.parametrize(
    ("sent_to", "reads", "why", "states"),
    [
        (None, [(ONE, ONE)], f"{ONLY}, from the queue DIRECT={ONE}.", ["received", "unknown"]),
        (None, [(ONE, ONE), (TWO, TWO)], TAKEN.format(f"DIRECT={ONE}"), ["received", "received"]),
        (None, [(ORDERS, ONE)], f"{ONLY}, from the queue {QUEUE}.", ["unknown", "unknown"]),
        (ONE, [(ONE.upper(), ONE)], ABSENT, ["received", "unknown"]),
        (ONE, [(ONE, ONE), (TWO, TWO)], TAKEN.format(f"DIRECT={ONE}"), ["received", "received"]),
        (ONE, [(ORDERS, TWO)], None, ["unknown", "unknown"]),
    ],
)
def test_a_read_of_a_message_to_several_queues(
    sent_to: str | None,
    reads: list[tuple[str, str]],
    why: str | None,
    states: list[str],
    tmp_path: pathlib.Path,
) -> None:
    """It was in the queue that was read if the packet is one for this queue; the worst state counts."""
    frames = Frames().bind()
    for number, (queue, destination) in enumerate(reads):
        handle, call = bytes(4) + bytes([number + 1]) * 16, 4 * number + 2
        frames.opened(call, queue, handle=handle)
        frames.call(RECEIVE, receive_stub(handle), answer_stub(to_both(destination)), call + 1)
        frames.ended(call + 2, handle)
    talk = frames.talk.close()
    if sent_to is not None:
        talk = Capture().open().send(to_both(sent_to)).close().join(talk)
    tables = talk.tables(tmp_path, names=None)
    (row,) = tables["deliveries"]
    assert row["state"] == ("received" if states == ["received", "received"] else "unknown")
    assert why in {None, row["why"]}
    assert [proof["what"] for proof in row["proof"]].count("end of the remote read") == (
        row["state"] == "received"
    )
    uses = {use["queue"]: use["states"] for use in tables["queues"]}
    assert uses == {f"DIRECT={queue}": [(state, 1)] for queue, state in zip(BOTH, states, strict=True)}


@pytest.mark.each(4)
@pytest.mark.parametrize("groups", [(7, 7), (7, 8)])
@pytest.mark.parametrize("ports", [(50000, 50001), (50001, 50000)])
@pytest.mark.parametrize("has_packet", [True, False])
def test_another_connection_of_the_association_ends_a_read(
    has_packet: bool, groups: tuple[int, int], ports: tuple[int, int], tmp_path: pathlib.Path
) -> None:
    """Whichever is listed first, and whether it has a packet of its own or not."""
    one, other = (Frames(client=("10.0.0.1", port)).bind(group=group)
                  for port, group in zip(ports, groups, strict=True))  # fmt: skip
    one.opened(2).received(3).talk.close()
    if has_packet:
        other.opened(2, PUBLIC, SECOND, SECOND_HANDLE).received(3, SECOND_HANDLE, request=5)
    other.ended(4).talk.close()
    (row,) = one.talk.join(other.talk).tables(tmp_path, names=None)["deliveries"]
    flows = {proof["flow"] for proof in row["proof"]}
    assert (row["state"], len(flows)) == (("received", 2) if groups == (7, 7) else ("reached", 1))


@pytest.mark.each(5)
@pytest.mark.parametrize("is_bound", [True, False])
@pytest.mark.parametrize(
    ("queue", "expected"),
    [(ORDERS, QUEUE), (ORDERS[:-1], QUEUE[:-1]), (PUBLIC, PUBLIC_QUEUE), (PRIVATE, PRIVATE)],
)
def test_the_other_transfer_syntax(queue: str, expected: str, is_bound: bool, tmp_path: pathlib.Path) -> None:
    """NDR64 between systems of 64 bits."""
    frames = Frames()
    if is_bound:
        frames.bind(syntax=NDR64)
    frames.call(OPEN, open_stub_64(queue), HANDLE, 2).received(3)
    assert all_ways(frames, tmp_path) == [Told(READER, expected)]


@pytest.mark.each(3)
@pytest.mark.parametrize("level", [0, 2, 5])
@pytest.mark.parametrize(
    ("open_by", "receive_by"), [(OPEN, RECEIVE_IN_TRANSACTION), (OPEN_FOR_MOVE, RECEIVE)]
)
def test_each_call(open_by: int, receive_by: int, level: int, tmp_path: pathlib.Path) -> None:
    """Also with authentication, as long as stubs are not encrypted."""
    frames = Frames(port=2103).bind()
    frames.level = level
    handle = bytes(range(1, 9)) * (open_by == OPEN_FOR_MOVE) + HANDLE
    frames.call(open_by, open_stub(PUBLIC), handle, 2)
    frames.call(receive_by, receive_stub(HANDLE, receive_by), answer_stub(), 3)
    assert all_ways(frames, tmp_path) == [Told(READER, PUBLIC_QUEUE)]


@pytest.mark.each(16)
@pytest.mark.parametrize("bound", [True, False])
@pytest.mark.parametrize(
    ("queue", "expected"),
    [(ORDERS, QUEUE), (ORDERS[:-1], QUEUE[:-1]), (PUBLIC, PUBLIC_QUEUE), (PRIVATE, PRIVATE)],
)
def test_the_other_byte_order(queue: str, expected: str, bound: bool, tmp_path: pathlib.Path) -> None:
    """A client, or a server, or both with big-endian numbers; the handle is the same one."""
    requests, answers = {rpcrt.MSRPC_BIND, rpcrt.MSRPC_REQUEST}, {rpcrt.MSRPC_BINDACK, rpcrt.MSRPC_RESPONSE}
    for number, big in enumerate((requests, answers, requests | answers)):
        frames = Frames()
        frames.big = big
        if bound:
            frames.bind()
        asked, told = (HANDLE_BIG if kinds <= big else HANDLE_LITTLE for kinds in (requests, answers))
        stub = open_stub_big if requests <= big else open_stub
        if queue == PRIVATE and stub is open_stub:
            continue  # impacket has no such queue
        frames.call(OPEN, stub(queue), told, 2).received(3, asked)
        place = tmp_path / str(number)
        place.mkdir()
        assert all_ways(frames, place) == [Told(READER, expected)]


OWN_HOST, OTHER_HOST = ("10.0.0.1", 50001), ("10.0.0.9", 50001)


def associated(client: tuple[str, int] = OWN_HOST, **bound: Any) -> Frames:
    """A connection that names a handle of another one."""
    return Frames(client=client).bind(**bound).received(3)


@pytest.mark.each(3)
@pytest.mark.parametrize("client", [OWN_HOST, ("10.0.0.1", 1025)])
@pytest.mark.parametrize(
    ("opened_in", "received_in"),
    [
        ({"group": 7}, {"wanted_group": 7, "group": 7}),
        ({"group": 7}, {"wanted_group": 7}),
        ({"wanted_group": 7}, {"kind": rpcrt.MSRPC_ALTERCTX, "group": 7}),
    ],
)
def test_an_association(
    opened_in: Any, received_in: Any, client: tuple[str, int], tmp_path: pathlib.Path
) -> None:
    """One connection opens the queue, and another one of the group receives, whichever is listed first."""
    frames = Frames().bind(**opened_in).opened(2)
    frames.talk.close().join(associated(client, **received_in).talk)
    for rows in (tables := frames.talk.close().tables(tmp_path))["packets"], tables["messages"]:
        assert reads_of(rows) == [KNOWN]


def test_an_association_in_a_pipe(tmp_path: pathlib.Path) -> None:
    """A connection with a message is read there, too."""
    frames = Frames().bind(group=7).opened(2).received(3)
    frames.talk.close().join(associated(group=7).talk)
    assert all_ways(frames, tmp_path) == [KNOWN, KNOWN]


@pytest.mark.each(3)
@pytest.mark.parametrize(
    ("opened_in", "received_in"),
    [
        ({"group": 7}, {"group": 8}),
        ({}, {}),
        ({}, {"group": 7}),
        ({"group": 7}, {}),
        ({"group": 7}, {"group": 7, "client": OTHER_HOST}),
    ],
)
def test_other_associations(opened_in: Any, received_in: Any, tmp_path: pathlib.Path) -> None:
    """Handles are those of one group of connections between two hosts."""
    frames = Frames().bind(**opened_in).opened(2)
    frames.talk.close().join(associated(**received_in).talk)
    host, _ = received_in.get("client", OWN_HOST)
    assert all_ways(frames, tmp_path, host) == [NOTHING]


def test_a_handle_that_is_opened_later(tmp_path: pathlib.Path) -> None:
    """A connection knows its own handles from when they are opened."""
    frames = Frames().bind(group=7).received(2).opened(3).received(4)
    assert all_ways(frames, tmp_path) == [NOTHING, KNOWN]


def test_a_connection_that_only_opens_a_queue(tmp_path: pathlib.Path) -> None:
    """It is a connection without MSMQ, as others are; only its protocol is named."""
    tables = Frames().bind(group=7).opened(2).talk.close().tables(tmp_path)
    (row,) = tables.pop("frames")
    assert (row["reason"], row["detail"]) == ("other stream", "RPC")
    assert not any(tables.values())


def test_two_queues_whose_calls_alternate(tmp_path: pathlib.Path) -> None:
    """Answers come in another order than requests, and their fragments between each other."""
    frames = Frames().bind().opened(2).opened(3, PUBLIC, SECOND, SECOND_HANDLE)
    one, other = (
        frames.request(RECEIVE, receive_stub(handle), number, 30)
        for number, handle in ((4, HANDLE), (5, SECOND_HANDLE))
    )
    frames.talk.send(one[0], other[0], *other[1:], *one[1:])
    first, second = (frames.answer(answer_stub(), number, 100) for number in (5, 4))
    frames.talk.send(*[part for pair in zip(first, second, strict=True) for part in pair], way="<-")
    frames.received(6)
    assert all_ways(frames, tmp_path) == [Told(SECOND, PUBLIC_QUEUE), KNOWN, KNOWN]


def test_a_client_without_a_name(tmp_path: pathlib.Path) -> None:
    """A null GUID names nobody; a half of a surrogate pair cannot be written."""
    frames = Frames().bind().opened(2, "OS:h\\q", "00000000-0000-0000-0000-000000000000").received(3)
    assert all_ways(frames, tmp_path) == [Told(None, "DIRECT=OS:h\\q")]


def unheard(frames: Frames) -> Frames:
    """The answer that has the handle was not captured."""
    frames.talk.send(*frames.request(OPEN, open_stub(), 2))
    return frames.received(3)


def unasked(frames: Frames) -> Frames:
    """A request was not captured, and its number was used before."""
    frames.opened(2).received(3)
    (request,) = frames.request(RECEIVE, receive_stub(SECOND_HANDLE), 3)
    frames.talk.next["->"] += len(request)
    frames.talk.send(*frames.answer(answer_stub(), 3), way="<-")
    return frames


def private(frames: Frames) -> Frames:
    """The calls are encrypted, as the level says."""
    frames.level = rpcrt.RPC_C_AUTHN_LEVEL_PKT_PRIVACY
    return frames.opened(2).received(3)


@pytest.mark.each(6)
@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (lambda frames: frames.bind().received(2), [NOTHING]),
        (lambda frames: frames.bind().opened(2, handle=SECOND_HANDLE).received(3), [NOTHING]),
        (lambda frames: frames.bind().received(2).opened(3).received(4), [NOTHING, KNOWN]),
        (lambda frames: frames.bind(OTHER).opened(2).received(3), [NOTHING]),
        (lambda frames: frames.bind(syntax=FEATURES).opened(2).received(3), [NOTHING]),
        (lambda frames: frames.bind(syntax=NDR64).opened(2).received(3), [NOTHING]),
        (lambda frames: frames.bind().call(OPEN, open_stub_64(), HANDLE, 2).received(3), [NOTHING]),
        (lambda frames: frames.bind().opened(2, handle=HANDLE + bytes(4)).received(3), [NOTHING]),
        (lambda frames: frames.bind().opened(2, handle=bytes(20)).received(3, bytes(20)), [NOTHING]),
        (lambda frames: frames.call(OPEN, open_stub() + bytes(4), HANDLE, 2).received(3), [NOTHING]),
        (lambda frames: frames.bind().call(OPEN, open_stub() + bytes(4), HANDLE, 2).received(3), [KNOWN]),
        (lambda frames: frames.bind().call(OPEN, open_stub()[:-1], HANDLE, 2).received(3), [NOTHING]),
        (lambda frames: frames.bind().call(OPEN, open_stub().ljust(2048), HANDLE, 2).received(3), [KNOWN]),
        (lambda frames: frames.bind().call(OPEN, open_stub().ljust(2049), HANDLE, 2).received(3), [NOTHING]),
        (lambda frames: frames.bind().call(3, open_stub(), HANDLE, 2).received(3), [NOTHING]),
        (lambda frames: unheard(frames.bind()), [NOTHING]),
        (lambda frames: unasked(frames.bind()), [KNOWN, NOTHING]),
        (lambda frames: private(frames.bind()), [NOTHING]),
    ],
)  # fmt: skip
def test_what_no_call_says(sent: Any, expected: list[Told], tmp_path: pathlib.Path) -> None:
    assert all_ways(sent(Frames()), tmp_path) == expected


def test_an_answer_whose_beginning_is_missing(tmp_path: pathlib.Path) -> None:
    """What is left of it has the number of its call; the message at its end is known."""
    frames = Frames().bind().opened(2)
    frames.talk.send(*frames.request(RECEIVE, receive_stub(), 3))
    first, second = frames.answer(bytes(40) + MESSAGE, 3, 40)[0], frames.answer(MESSAGE, 3)[0]
    frames.talk.next["<-"] += len(first)
    second = second[:3] + bytes([rpcrt.PFC_LAST_FRAG]) + second[4:]
    frames.talk.send(second, way="<-").send(*frames.answer(bytes(4), 4), way="<-")
    assert all_ways(frames, tmp_path) == [KNOWN]


def test_a_partial_message(tmp_path: pathlib.Path) -> None:
    """The capture ends within it."""
    frames = Frames().bind().opened(2)
    frames.talk.send(*frames.request(RECEIVE, receive_stub(), 3))
    frames.talk.send(frames.answer(answer_stub(), 3)[0][:-60], way="<-")
    tables = frames.talk.tables(tmp_path)
    for name in ("packets", "messages"):
        (row,) = tables[name]
        assert (row["partial"], *reads_of([row])) == (True, KNOWN)


@pytest.mark.parametrize("is_64", [False, True])
@pytest.mark.parametrize(("wanted", "size"), [(0, 4000), (3, 4000), (3, 150)])
def test_a_reader_that_wants_a_part_of_the_body(
    wanted: int, size: int, is_64: bool, tmp_path: pathlib.Path
) -> None:
    """What follows the first section is no body, and the message is the one that was sent."""
    message = mqrr.MessagePacket(
        UserMessage=mqmq.UserMessage.decode(MESSAGE), ExtensionHeader=mqrr.ExtensionHeader()
    )
    sections = rpc.split_message(message, max_body=wanted)
    assert len(sections) == 2
    stub = parts_stub(sections, is_64=is_64)
    frames = Frames().bind().opened(2).call(RECEIVE, receive_stub(), stub, 3, size)
    tables = frames.talk.close().tables(tmp_path, names=None)
    (row,) = tables["messages"]
    assert (row["body"] or b"", row["partial"], *reads_of([row])) == (b"taken"[:wanted], True, KNOWN)
    (delivery,) = tables["deliveries"]
    assert (delivery["state"], delivery["variants"]) == ("reached", 1)
    assert [read["queue"] for read in delivery["reads"]] == [KNOWN.queue]
    assert any(f"returned it from {KNOWN.queue} to" in line for line in story(delivery))


def test_a_message_within_the_rest_of_a_body(tmp_path: pathlib.Path) -> None:
    """A reader that wants a part of the body gets the end of the packet in a section of its own."""
    packet = mqmq.UserMessage.of(MessageBody=b"head" + MESSAGE + b"tail")
    cut = packet.encode().index(b"head") + 4
    sections = [
        rpc.SectionBuffer(SectionBufferType=kind, pSectionBuffer=data, SectionSizeAlloc=len(data))
        for kind, data in ((1, packet.encode()[:cut]), (2, packet.encode()[cut:]))
    ]
    stub = parts_stub(sections, is_64=False)
    tables = Frames().bind().opened(2).call(RECEIVE, receive_stub(), stub, 3).talk.close().tables(tmp_path)
    assert [(row["body"], row["partial"]) for row in tables["messages"]] == [(b"head", True)]


def test_the_protocol_is_named_once(tmp_path: pathlib.Path) -> None:
    """Of each frame: the error says what its bytes are, and what a packet has in their place."""
    rows = Frames().bind().opened(2).received(3, size=100).talk.close().tables(tmp_path)["quarantine"]
    named = [row["error"] for row in rows if row["cause"].endswith(": RPC")]
    assert len(named) > 3
    assert {error.count("these bytes are RPC") for error in named} == {1}
    assert all(error.startswith("these bytes are RPC: expected 0x524f494c, found ") for error in named)


def test_sessions_have_no_reader(tmp_path: pathlib.Path) -> None:
    (row,) = Capture().open().send(MESSAGE).close().tables(tmp_path)["messages"]
    assert (row["channel"], *reads_of([row])) == ("session", NOTHING)


def test_tables_alone(tmp_path: pathlib.Path) -> None:
    """The rows are the same, whichever other tables are made."""
    frames = Frames().bind().opened(2)
    for number in range(3, 9):
        frames.received(number)
    everything = frames.talk.close().tables(tmp_path, names=None)
    for name in ("packets", "messages"):
        rows = [row for _, batch in run([str(tmp_path / "a.pcap")], (name,)) for row in batch.to_pylist()]
        assert rows == everything[name]
        assert reads_of(rows) == [KNOWN] * 6


# ------------------------------------------------------------------------------------------------- bounds


def pieces(*calls: dict[str, Any] | None) -> pa.RecordBatch:
    """Pieces of one connection."""
    rows = [{"sensor": "", "connection": "c", "transport": "tcp", "call": call} for call in calls]
    return pa.RecordBatch.from_pylist(
        [{name: row.get(name) for name in PIECES.names} for row in rows],
        schema=PIECES,
    )


def request(number: int, operation: int, stub: bytes | None) -> dict[str, Any]:
    return msgspec.structs.asdict(Call(number, 0, operation, 4, stub))


def answer(number: int, stub: bytes | None = None, begin: int = 0) -> dict[str, Any]:
    return msgspec.structs.asdict(Call(number, begin, stub=stub))


@pytest.mark.parametrize(("more", "known"), [(2, True), (3, False)])
def test_requests_and_handles_are_bounded(more: int, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were used least recently are forgotten."""
    monkeypatch.setattr(remote_reads, "_MOST", 3)
    reads = RemoteReads()
    calls = [request(1, OPEN, open_stub()), answer(1, HANDLE), request(2, RECEIVE, receive_stub())]
    reads.columns(pieces(*calls))
    reads.columns(pieces(*(request(number, RECEIVE, receive_stub()) for number in range(3, 3 + more))))
    found = reads.columns(pieces(answer(2), None))
    assert found["queue"].to_pylist() == [QUEUE if known else None, None]


@pytest.mark.parametrize(("more", "known"), [(2, True), (3, False)])
def test_handles_are_bounded(more: int, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_reads, "_MOST", 3)
    reads = RemoteReads()
    for number, handle in enumerate([HANDLE, *(bytes([at]) * 20 for at in range(1, 1 + more))]):
        reads.columns(pieces(request(number, OPEN, open_stub()), answer(number, handle)))
    found = reads.columns(pieces(request(99, RECEIVE, receive_stub()), answer(99)))
    assert found["reader"].to_pylist() == [None, READER if known else None]


@given(
    st.sampled_from(sorted(OPERATIONS)),
    st.binary(max_size=200),
    st.binary(max_size=60),
    st.sampled_from([None, 4, 8]),
)
def test_any_stub(operation: int, begin: bytes, end: bytes, word: int | None) -> None:  # drawn
    """Nothing raises, and no text is made of bytes that are none."""
    for whole in (begin, open_stub(), open_stub_64()):
        stub = whole[: len(begin)] + end
        found = opening(operation, stub, word)
        assert found is None or found.reader is None or len(found.reader) == len(READER)
        assert opened_handle(operation, stub) in {None, stub[-20:]}
        assert handle_of(operation, stub, word) in {None, stub[:20]}
        ended = ending(operation, stub, word)
        assert ended is None or ended[::2] == (stub[:20], stub[20:24] == b"\2\0\0\0")


@pytest.mark.parametrize(("later", "dst_port", "broken"), [(3, 1801, 0), (90, 1801, 1), (90, 2105, 0)])
def test_the_time_to_reach_the_queue_of_a_message_that_was_read(
    later: int, dst_port: int, broken: int, tmp_path: pathlib.Path
) -> None:
    """It is in its queue, in which it may be for longer; a packet that is sent so late breaks a rule."""
    wire = Wire(tmp_path)
    data = message(TimeToReachQueue=5)
    is_read = dst_port != 1801
    talk = Talk(wire.sensor(), src="10.0.0.50", dst_port=dst_port).open()
    side, payload = ("<-", answered(data)) if is_read else ("->", data)
    talk.segment(side, talk.next[side], payload, time=EPOCH + dt.timedelta(seconds=later))
    late = [row for row in wire.rows("violations") if row["requirement"] == "MQMQ-2.2.19.1-34"]
    assert len(late) == broken
    assert len(wire.rows("messages")) == 1
