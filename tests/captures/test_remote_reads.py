"""Who reads from which queue, in captures of remote calls: NDR, frames and bindings are those of impacket."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from impacket.dcerpc.v5 import rpcrt
from impacket.dcerpc.v5.dtypes import GUID, LONG, LPWSTR, UCHAR, ULONG, USHORT
from impacket.dcerpc.v5.ndr import NDRCALL, NDRSTRUCT, NDRUNION, NDRUSMALL
from impacket.uuid import string_to_bin, uuidtup_to_bin

from msmq_wire import mqmq
from msmq_wire.captures.engine import run, run_live
from msmq_wire.captures.files.sources import Source
from msmq_wire.captures.flows.framing import PIECES
from msmq_wire.captures.rows import remote_reads
from msmq_wire.captures.rows.remote_reads import RemoteReads
from msmq_wire.packets.remote_reads import OPERATIONS, handle_of, opened_handle, opening

from .by_hand import Capture

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterable

REMOTE_READ = ("1A9134DD-7B39-45BA-AD88-44D01CA47F28", "1.0")
OTHER = ("76D12B80-3467-11D3-91FF-0090272F9EA3", "1.0")
NDR = ("8A885D04-1CEB-11C9-9FE8-08002B104860", "2.0")
NDR64 = ("71710533-BEBA-4937-8319-B5DBEF9CCC36", "1.0")
READER, SECOND = "11111111-2222-3333-4444-555555555555", "99999999-2222-3333-4444-555555555555"
ORDERS, PUBLIC = r"OS:server\private$\orders", "00112233-4455-6677-8899-aabbccddeeff"
QUEUE, PUBLIC_QUEUE = rf"DIRECT={ORDERS}", f"PUBLIC={PUBLIC.upper()}"
HANDLE, SECOND_HANDLE = (b"\0\0\0\0" + bytes([number]) * 16 for number in (0xA1, 0xB2))
OPEN, RECEIVE, OPEN_FOR_MOVE, RECEIVE_IN_TRANSACTION = 2, 7, 11, 13
WHOLE = rpcrt.PFC_FIRST_FRAG | rpcrt.PFC_LAST_FRAG
MESSAGE = mqmq.UserMessage.of(MessageBody=b"taken", DestinationQueue=r"DIRECT=OS:a\b").encode()


class _Union(NDRUNION):  # type: ignore[misc]  # impacket has no types
    commonHdr = (("tag", NDRUSMALL),)
    union: ClassVar = {1: ("m_gPublicID", GUID), 3: ("m_pDirectID", LPWSTR)}


class _QueueFormat(NDRSTRUCT):  # type: ignore[misc]
    structure = (
        ("m_qft", UCHAR),
        ("m_SuffixAndFlags", UCHAR),
        ("m_reserved", USHORT),
        ("_union", _Union),
    )


class _OpenQueue(NDRCALL):  # type: ignore[misc]
    structure = (
        ("pQueueFormat", _QueueFormat),
        ("dwAccess", ULONG),
        ("dwShareMode", ULONG),
        ("pClientId", GUID),
        ("fNonRoutingServer", LONG),
        ("Major", UCHAR),
        ("Minor", UCHAR),
        ("BuildNumber", USHORT),
        ("fWorkgroup", LONG),
    )


def open_stub(queue: str = ORDERS, reader: str = READER) -> bytes:
    """The arguments of R_OpenQueue and R_OpenQueueForMove."""
    call = _OpenQueue()
    named = call["pQueueFormat"]
    named["m_qft"] = named["_union"]["tag"] = 1 if queue == PUBLIC else 3
    if queue == PUBLIC:
        named["_union"]["m_gPublicID"] = string_to_bin(queue)
    else:
        named["_union"]["m_pDirectID"] = queue + "\0"
    call["dwAccess"], call["fNonRoutingServer"], call["BuildNumber"] = 1, 1, 7601
    call["pClientId"] = string_to_bin(reader)
    data: bytes = call.getData()
    return data


def receive_stub(handle: bytes = HANDLE, operation: int = RECEIVE) -> bytes:
    """The arguments of R_StartReceive and R_StartTransactionalReceive."""
    stub = handle + bytes(4) + struct.pack("<Q6I", 0, 0, 0, 60_000, 1, 4096, 4096)
    return stub + (b"\x77" * 16 if operation == RECEIVE_IN_TRANSACTION else b"")


def answer_stub(message: bytes = MESSAGE) -> bytes:
    """A time, a number, and one section with the whole packet."""
    section = struct.pack("<HxxIII", 0, len(message), len(message), 0x20004)
    array = struct.pack("<II", 0x20000, 1) + section + struct.pack("<I", len(message)) + message
    return struct.pack("<I4xQI", 1_700_000_000, 7, 1) + array + bytes(-len(message) % 4) + bytes(4)


class Frames:
    """Both directions of a connection of remote calls."""

    def __init__(self, *, port: int = 2105) -> None:
        self.talk = Capture(port=port).open()
        self.level = 0
        self.context = 0

    def bind(self, interface: Any = REMOTE_READ, syntax: Any = NDR, kind: int = rpcrt.MSRPC_BIND) -> Frames:
        """Propose two contexts, the last for an interface."""
        bind = rpcrt.MSRPCBind()
        for number, wanted in ((self.context, OTHER), (self.context + 1, interface)):
            item = rpcrt.CtxItem()
            item["AbstractSyntax"], item["TransferSyntax"] = uuidtup_to_bin(wanted), uuidtup_to_bin(syntax)
            item["ContextID"], item["TransItems"] = number, 1
            bind.addCtxItem(item)
        self.context += 1
        self.talk.send(self._frame(rpcrt.MSRPCHeader(), kind, 1, bind.getData()))
        self.talk.send(self._frame(rpcrt.MSRPCHeader(), kind + 1, 1, bytes(60)), way="<-")
        return self

    def _frame(self, frame: Any, kind: int, number: int, body: bytes, flags: int = WHOLE) -> bytes:
        frame["type"], frame["call_id"], frame["flags"], frame["pduData"] = kind, number, flags, body
        if self.level and kind in {rpcrt.MSRPC_REQUEST, rpcrt.MSRPC_RESPONSE}:
            trailer = rpcrt.SEC_TRAILER()
            trailer["auth_level"], trailer["auth_pad_len"] = self.level, 4
            frame["pad"], frame["auth_data"], frame["sec_trailer"] = bytes(4), bytes(16), trailer.getData()
        data: bytes = frame.get_packet()
        return data

    def fragments(self, frame: Any, kind: int, number: int, stub: bytes, size: int) -> list[bytes]:
        parts = [stub[at : at + size] for at in range(0, len(stub), size)]
        last = len(parts) - 1
        flags = [
            rpcrt.PFC_FIRST_FRAG * (at == 0) | rpcrt.PFC_LAST_FRAG * (at == last) for at in range(last + 1)
        ]
        return [
            self._frame(frame(), kind, number, part, flag) for part, flag in zip(parts, flags, strict=True)
        ]

    def request(self, operation: int, stub: bytes, number: int, size: int = 4000) -> list[bytes]:
        """The frames of a request."""

        def frame() -> Any:
            header = rpcrt.MSRPCRequestHeader()
            header["op_num"], header["ctx_id"] = operation, self.context
            return header

        return self.fragments(frame, rpcrt.MSRPC_REQUEST, number, stub, size)

    def answer(self, stub: bytes, number: int, size: int = 4000) -> list[bytes]:
        """The frames of an answer."""
        return self.fragments(rpcrt.MSRPCRespHeader, rpcrt.MSRPC_RESPONSE, number, stub, size)

    def call(self, operation: int, stub: bytes, answer: bytes, number: int, size: int = 4000) -> Frames:
        """A request and its answer."""
        self.talk.send(*self.request(operation, stub, number, size))
        self.talk.send(*self.answer(answer, number, size), way="<-")
        return self

    def opened(
        self, number: int, queue: str = ORDERS, reader: str = READER, handle: bytes = HANDLE, **more: Any
    ) -> Frames:
        return self.call(OPEN, open_stub(queue, reader), handle, number, **more)

    def received(self, number: int, handle: bytes = HANDLE, **more: Any) -> Frames:
        return self.call(RECEIVE, receive_stub(handle), answer_stub(), number, **more)


class Told(NamedTuple):
    """What a row says."""

    reader: str | None
    queue: str | None


KNOWN = Told(READER, QUEUE)
NOTHING = Told(None, None)


def told(rows: Iterable[dict[str, Any]]) -> list[Told]:
    return [Told(row["reader"], row["queue"]) for row in rows]


def all_ways(frames: Frames, place: pathlib.Path) -> list[Told]:
    """What `packets` and `messages` say, of a file and of a pipe: the same."""
    tables = frames.talk.close().tables(place)
    live: dict[str, list[dict[str, Any]]] = {"packets": [], "messages": []}
    source = Source(iter([frames.talk.data]), live=True)
    for name, batch in run_live(source, "-", ("packets", "messages")):
        live[name] += batch.to_pylist()
    rows = tables["messages"]
    assert {row["channel"] for row in rows} == {"remote-read"}
    assert {row["dst"] for row in rows} == {"10.0.0.1"}
    assert {row["body"] for row in rows} == {b"taken"}
    for others in (tables["packets"], live["packets"], live["messages"]):
        assert sorted(map(str, told(others))) == sorted(map(str, told(rows)))
    for name in ("packets", "messages"):
        positions = [
            [(row["flow"], row["offset"], *told([row])[0]) for row in of[name]] for of in (tables, live)
        ]
        assert sorted(positions[0]) == sorted(positions[1])
    return told(sorted(rows, key=lambda row: row["offset"]))


@pytest.mark.parametrize("size", [4000, 100, 33])
@pytest.mark.parametrize("bound", ["bind", "alter_context", "not captured"])
def test_a_remote_read(bound: str, size: int, tmp_path: pathlib.Path) -> None:
    frames = Frames()
    if bound == "bind":
        frames.bind()
    elif bound == "alter_context":
        frames.bind(OTHER).bind(kind=rpcrt.MSRPC_ALTERCTX)
    assert all_ways(frames.opened(2, size=size).received(3, size=size), tmp_path) == [KNOWN]


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


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (lambda frames: frames.bind().received(2), [NOTHING]),
        (lambda frames: frames.bind().opened(2, handle=SECOND_HANDLE).received(3), [NOTHING]),
        (lambda frames: frames.bind().received(2).opened(3).received(4), [NOTHING, KNOWN]),
        (lambda frames: frames.bind(OTHER).opened(2).received(3), [NOTHING]),
        (lambda frames: frames.bind(syntax=NDR64).opened(2).received(3), [NOTHING]),
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
        assert (row["partial"], *told([row])) == (True, KNOWN)


def test_sessions_have_no_reader(tmp_path: pathlib.Path) -> None:
    (row,) = Capture().open().send(MESSAGE).close().tables(tmp_path)["messages"]
    assert (row["channel"], *told([row])) == ("session", NOTHING)


def test_tables_alone(tmp_path: pathlib.Path) -> None:
    """The rows are the same, whichever other tables are made."""
    frames = Frames().bind().opened(2)
    for number in range(3, 9):
        frames.received(number)
    everything = frames.talk.close().tables(tmp_path)
    for name in ("packets", "messages"):
        rows = [row for _, batch in run([str(tmp_path / "a.pcap")], (name,)) for row in batch.to_pylist()]
        assert rows == everything[name]
        assert told(rows) == [KNOWN] * 6


# ------------------------------------------------------------------------------------------------- bounds


def pieces(*calls: dict[str, Any] | None) -> pa.RecordBatch:
    """Pieces of one connection."""
    rows = [{"sensor": "", "connection": "c", "transport": "tcp", "call": call} for call in calls]
    return pa.RecordBatch.from_pylist(
        [{name: row.get(name) for name in PIECES.names} for row in rows],
        schema=PIECES,
    )


def request(number: int, operation: int, stub: bytes | None) -> dict[str, Any]:
    return {"number": number, "begin": 0, "operation": operation, "is_bound": True, "stub": stub}


def answer(number: int, stub: bytes | None = None, begin: int = 0) -> dict[str, Any]:
    return {"number": number, "begin": begin, "operation": None, "is_bound": False, "stub": stub}


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


@given(st.sampled_from(sorted(OPERATIONS)), st.binary(max_size=200), st.binary(max_size=60), st.booleans())
def test_any_stub(operation: int, begin: bytes, end: bytes, is_exact: bool) -> None:  # drawn
    """Nothing raises, and no text is made of bytes that are none."""
    for stub in (begin + end, open_stub()[: len(begin)] + end):
        found = opening(operation, stub, is_exact=is_exact)
        assert found is None or found.reader is None or len(found.reader) == len(READER)
        assert opened_handle(operation, stub) in {None, stub[-20:]}
        assert handle_of(operation, stub, is_exact=is_exact) in {None, stub[:20]}
