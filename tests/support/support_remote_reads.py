"""Captures of remote reads, call by call: NDR, frames and bindings come from impacket."""

from __future__ import annotations

import struct
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from impacket.dcerpc.v5 import rpcrt
from impacket.dcerpc.v5.dtypes import GUID, LONG, LPWSTR, UCHAR, ULONG, USHORT
from impacket.dcerpc.v5.ndr import NDRCALL, NDRSTRUCT, NDRUNION, NDRUSMALL
from impacket.uuid import string_to_bin, uuidtup_to_bin
from support_by_hand import A, Capture

from msmq_wire import mqmq

if TYPE_CHECKING:
    from collections.abc import Sequence

REMOTE_READ = ("1A9134DD-7B39-45BA-AD88-44D01CA47F28", "1.0")
OTHER = ("76D12B80-3467-11D3-91FF-0090272F9EA3", "1.0")
NDR = ("8A885D04-1CEB-11C9-9FE8-08002B104860", "2.0")
NDR64 = ("71710533-BEBA-4937-8319-B5DBEF9CCC36", "1.0")
FEATURES = ("6CB71C2C-9812-4540-0300-000000000000", "1.0")
"""Not a transfer syntax: a client negotiates features of the connection with it."""
READER, SECOND = "11111111-2222-3333-4444-555555555555", "99999999-2222-3333-4444-555555555555"
ORDERS, PUBLIC = r"OS:server\private$\orders", "00112233-4455-6677-8899-aabbccddeeff"
QUEUE, PUBLIC_QUEUE = rf"DIRECT={ORDERS}", f"PUBLIC={PUBLIC.upper()}"
PRIVATE = rf"PRIVATE={PUBLIC.upper()}\0000001A"
HANDLE, SECOND_HANDLE = (b"\0\0\0\0" + bytes([number]) * 16 for number in (0xA1, 0xB2))
OPEN, RECEIVE, END, OPEN_FOR_MOVE, RECEIVE_IN_TRANSACTION = 2, 7, 9, 11, 13
NACK, ACK = 1, 2
HANDLE_BIG = bytes(4) + UUID(OTHER[0]).bytes
HANDLE_LITTLE = bytes(4) + UUID(OTHER[0]).bytes_le
"""One handle in both byte orders."""
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


def open_stub_64(queue: str = ORDERS, reader: str = READER) -> bytes:
    """The same in NDR64, by hand: the union, its arm, pointers and counts are at multiples of 8."""
    kind = {PUBLIC: 1, PRIVATE: 2}.get(queue, 3)
    stub = struct.pack("<BBH4xB7x", kind, 0, 0, kind)
    if kind == 1:
        stub += string_to_bin(queue)
    elif kind == 2:
        stub += string_to_bin(PUBLIC) + struct.pack("<I4x", 0x1A)  # a structure ends at a multiple of 8
    else:
        text = (queue + "\0").encode("utf-16-le")
        count = len(text) // 2
        stub += struct.pack("<QQQQ", 0x20000, count, 0, count) + text + bytes(-len(text) % 4)
    return stub + struct.pack("<II16sIBBHI", 1, 0, string_to_bin(reader), 1, 6, 1, 7601, 0)


def open_stub_big(queue: str = ORDERS, reader: str = READER) -> bytes:
    """The same in NDR with big-endian numbers, by hand ([C706] 14.2, 14.3)."""
    kind = {PUBLIC: 1, PRIVATE: 2}.get(queue, 3)
    stub = struct.pack(">BBHB3x", kind, 0, 0, kind)
    if kind == 1:
        stub += UUID(queue).bytes
    elif kind == 2:
        stub += UUID(PUBLIC).bytes + struct.pack(">I", 0x1A)
    else:
        text = (queue + "\0").encode("utf-16-be")
        count = len(text) // 2
        stub += struct.pack(">IIII", 0x20000, count, 0, count) + text + bytes(-len(text) % 4)
    return stub + struct.pack(">II16sIBBHI", 1, 0, UUID(reader).bytes, 1, 6, 1, 7601, 0)


def big_endian(data: bytes, form: str, at: int) -> bytes:
    """Bytes in which the numbers at an offset are in network byte order."""
    end = at + struct.calcsize(f"<{form}")
    return data[:at] + struct.pack(f">{form}", *struct.unpack(f"<{form}", data[at:end])) + data[end:]


def receive_stub(
    handle: bytes = HANDLE, operation: int = RECEIVE, *, action: int = 0, request: int = 1
) -> bytes:
    """The arguments of R_StartReceive and R_StartTransactionalReceive."""
    stub = handle + bytes(4) + struct.pack("<Q6I", 0, 0, action, 60_000, request, 4096, 4096)
    return stub + (b"\x77" * 16 if operation == RECEIVE_IN_TRANSACTION else b"")


def end_stub(handle: bytes = HANDLE, *, request: int = 1, answer: int = ACK) -> bytes:
    """The arguments of R_EndReceive."""
    return handle + struct.pack("<II", answer, request)


def answer_stub(message: bytes = MESSAGE, *, kind: int = 0, big: bool = False) -> bytes:
    """A time, a number, and one section: with the whole packet, or with the first part of one."""
    order, size = ">" if big else "<", len(message)
    array = struct.pack(f"{order}IIHxxIIII", 0x20000, 1, kind, size + 8 * kind, size, 0x20004, size) + message
    return struct.pack(f"{order}I4xQI", 1_700_000_000, 7, 1) + array + bytes(-size % 4) + bytes(4)


def parts_stub(sections: Sequence[Any], *, is_64: bool) -> bytes:
    """The answer with two sections: [MS-MQRR] 2.2.6 in both transfer syntaxes."""
    head = struct.pack("<I4xQI", 1_700_000_000, 7, len(sections))
    if is_64:
        array = struct.pack("<4xQQ", 1, len(sections))
        for section in sections:
            size = section.SectionSize
            array += struct.pack("<III4xQ", section.SectionBufferType, section.SectionSizeAlloc, size, 1)
    else:
        array = struct.pack("<II", 1, len(sections))
        for section in sections:
            size = section.SectionSize
            array += struct.pack("<HxxIII", section.SectionBufferType, section.SectionSizeAlloc, size, 1)
    for section in sections:
        array += struct.pack("<Q" if is_64 else "<I", section.SectionSize) + section.pSectionBuffer
        array += bytes(-len(head + array) % (8 if is_64 else 4))
    return head + array + bytes(4)


class Frames:
    """Both directions of a connection of remote calls."""

    def __init__(self, *, port: int = 2105, client: tuple[str, int] = ("10.0.0.1", 50000)) -> None:
        host, own = client
        self.talk = Capture(port=port, client=A._replace(ip=ip_address(host), port=own)).open()
        self.level = 0
        self.context = 0
        self.big: set[int] = set()
        """The kinds of frames whose numbers are big-endian."""

    def bind(
        self,
        interface: Any = REMOTE_READ,
        syntax: Any = NDR,
        kind: int = rpcrt.MSRPC_BIND,
        wanted_group: int = 0,
        group: int = 0,
    ) -> Frames:
        """Propose two contexts, the last for an interface, in an association group that the answer states."""
        bind = rpcrt.MSRPCBind()
        bind["assoc_group"] = wanted_group
        for number, proposed in ((self.context, OTHER), (self.context + 1, interface)):
            item = rpcrt.CtxItem()
            item["AbstractSyntax"], item["TransferSyntax"] = uuidtup_to_bin(proposed), uuidtup_to_bin(syntax)
            item["ContextID"], item["TransItems"] = number, 1
            bind.addCtxItem(item)
        self.context += 1
        self.talk.send(self._frame(rpcrt.MSRPCHeader(), kind, 1, bind.getData()))
        answer = struct.pack("<HHI", 4280, 4280, group) + bytes(52)
        self.talk.send(self._frame(rpcrt.MSRPCHeader(), kind + 1, 1, answer), way="<-")
        return self

    def _frame(self, frame: Any, kind: int, number: int, body: bytes, flags: int = WHOLE) -> bytes:
        frame["type"], frame["call_id"], frame["flags"], frame["pduData"] = kind, number, flags, body
        if self.level and kind in {rpcrt.MSRPC_REQUEST, rpcrt.MSRPC_RESPONSE}:
            trailer = rpcrt.SEC_TRAILER()
            trailer["auth_level"], trailer["auth_pad_len"] = self.level, 4
            frame["pad"], frame["auth_data"], frame["sec_trailer"] = bytes(4), bytes(16), trailer.getData()
        data: bytes = frame.get_packet()
        if kind not in self.big:
            return data
        data = big_endian(data[:4] + bytes(4) + data[8:], "HHI", 8)
        if kind in {rpcrt.MSRPC_REQUEST, rpcrt.MSRPC_RESPONSE}:
            return big_endian(data, "IHH" if kind == rpcrt.MSRPC_REQUEST else "IH", 16)
        data = big_endian(data, "HHI", 16)
        if kind == rpcrt.MSRPC_BIND:
            data = big_endian(data, 2 * f"HBB{2 * 'IHH8sI'}", 28)
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

    def received(self, number: int, handle: bytes = HANDLE, size: int = 4000, **more: Any) -> Frames:
        return self.call(RECEIVE, receive_stub(handle, **more), answer_stub(), number, size)

    def ended(
        self, number: int, handle: bytes = HANDLE, operation: int = END, result: int = 0, **more: Any
    ) -> Frames:
        return self.call(operation, end_stub(handle, **more), struct.pack("<I", result), number)

    def unanswered(self, operation: int, stub: bytes, number: int) -> Frames:
        """A request without an answer."""
        self.talk.send(*self.request(operation, stub, number))
        return self

    def failed(self, number: int) -> Frames:
        """The fault that answers a request, with RPC_S_PROCNUM_OUT_OF_RANGE."""
        body = struct.pack("<IHBxII", 0, self.context, 0, 0x1C010002, 0)
        self.talk.send(self._frame(rpcrt.MSRPCHeader(), rpcrt.MSRPC_FAULT, number, body), way="<-")
        return self
