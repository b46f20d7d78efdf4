"""The calls of a remote read that contain the reader, the queue and its outcome ([MS-MQRR] 3.1.4).

1. R_OpenQueue and R_OpenQueueForMove name a queue and the client that opens it.  Their answers have a context
   handle, which later calls use instead.
2. R_StartReceive and R_StartTransactionalReceive name the handle of the queue whose message they return.
3. A message that R_StartReceive returns stays in its queue after a peek.  Otherwise it is removed when
   R_EndReceive with the same handle and number acknowledges it and returns MQ_OK.  One that
   R_StartTransactionalReceive returns is acknowledged by R_EndTransactionalReceive, and removed when the
   transaction is committed, which no call of the interface reports.
4. Stubs are read in NDR and NDR64, in either byte order.  If the interface and the transfer syntax of a call
   were not captured, its stub must have exactly the size of its arguments.
5. The answer to a call may have another byte order than the call, so handles are little-endian here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from msmq_wire.values.buffers import little_endian
from msmq_wire.values.enumerations import SectionType
from msmq_wire.values.errors import DecodeError, MsmqWireError
from msmq_wire.values.guid import GUID, GUID_FORM, NULL_GUID
from msmq_wire.values.limits import DEFAULT_LIMITS

from .packet_starts import MARK_SIZE, starts_packet

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

REMOTE_READ: Final = GUID.of("1a9134dd-7b39-45ba-ad88-44d01ca47f28").bytes_le + b"\1\0\0\0"
"""The interface, with its version."""
NDR: Final = GUID.of("8a885d04-1ceb-11c9-9fe8-08002b104860").bytes_le + b"\2\0\0\0"
"""The transfer syntax of 32-bit programs, with its version."""
_NDR64: Final = GUID.of("71710533-beba-4937-8319-b5dbef9ccc36").bytes_le + b"\1\0\0\0"
INTERFACES: Final = {REMOTE_READ + NDR: 4, REMOTE_READ + _NDR64: 8}
"""The size of pointers, by interface and transfer syntax as a presentation context names them."""
SYNTAX: Final = f"{GUID_FORM}I"
"""The numbers of an interface or a transfer syntax: a UUID and a version."""
OPEN, RECEIVE, END, _OPEN_FOR_MOVE = 2, 7, 9, 11
"""The opnums of R_OpenQueue, R_StartReceive, R_EndReceive and R_OpenQueueForMove."""
_RECEIVE_IN_TRANSACTION, _END_IN_TRANSACTION = 13, 15
"""The opnums of R_StartTransactionalReceive and R_EndTransactionalReceive."""
IN_TRANSACTION: Final = frozenset({_RECEIVE_IN_TRANSACTION, _END_IN_TRANSACTION})
"""Both of them."""
_HANDLE: Final = 20
"""The size of a context handle."""
_HANDLE_FORM: Final = f"I{GUID_FORM}"
"""Its numbers: attributes and a UUID."""
_HANDLE_AT: Final = {OPEN: 0, _OPEN_FOR_MOVE: 8}
"""Where an answer has the handle: after ``pMoveContext``, if there is one."""
_RECEIVE_SIZES: Final = {RECEIVE: 56, _RECEIVE_IN_TRANSACTION: 72}
"""The sizes of the arguments: a handle, LookupId, six numbers, and the transaction if there is one."""
_ACTION_AT, _NUMBER_AT = 36, 44
"""Where both calls that receive have ``ulAction`` and ``dwRequestId``."""
_PEEKS: Final = 0x8000_0010
"""Bits of ``ulAction``: any of them is set in the actions that leave the message in its queue."""
_TAKEN: Final = 2
"""RR_ACK."""
_WORDS: Final = sorted(INTERFACES.values())
_ENDS: Final = frozenset({END, _END_IN_TRANSACTION})
OPERATIONS: Final = frozenset({*_HANDLE_AT, *_RECEIVE_SIZES, *_ENDS})
"""The calls that are read, by opnum."""
_SECTIONS_AT: Final = 16
"""Where an answer with a packet has the number of its sections."""
_SECTION_AT: Final = {48: (28, 2, 36, 44), 72: (40, 4, 48, 64)}
"""Where an answer with one section has its type and the size of that, its size, and its size again.

The keys are where its bytes begin in NDR and NDR64.
"""
_FIRST_AT: Final = {64: (28, 2, 36, 60), 96: (40, 4, 48, 88)}
"""The same of the first of two sections."""
_FIRST: Final = frozenset({SectionType.stBinaryFirstSection, SectionType.stSrmpFirstSection})
LONGEST_BEGINNING: Final = max(_FIRST_AT) + MARK_SIZE
"""How many bytes of an answer are read at most: up to the signature of a packet in it."""
_MQ_OK: Final = bytes(4)
"""The answer to a call that ended the removal of a message; other ones have a failure HRESULT."""
ANSWER_SIZES: Final = frozenset({len(_MQ_OK), *(at + _HANDLE for at in _HANDLE_AT.values())})
"""The sizes of answers that have an HRESULT alone, or a handle."""
_CLIENT_AT, _AFTER_QUEUE = 8, 36
"""After the QUEUE_FORMAT: where ``pClientId`` is, after two numbers, and the size of all arguments."""


_PROPOSING: Final = frozenset({b"\x0b", b"\x0e"})
"""A bind and an alter_context, in the third byte of a frame."""
FRAME: Final = b"\x05"
"""The first byte of each frame: its version."""
_UUIDS: Final = tuple(little_endian(REMOTE_READ, SYNTAX, is_big=is_big)[:16] for is_big in (False, True))
"""The interface in both byte orders."""


class Opening(NamedTuple):
    """The arguments of a call that opens a queue.

    Attributes:
        queue: The format name of the queue; None if it is not one.
        reader: The GUID of the client; None for a null GUID.
    """

    queue: str | None
    reader: str | None


class Ending(NamedTuple):
    """The arguments of a call that ends the removal of a message.

    Attributes:
        handle: The handle of the queue.
        number: That of the request that it ends, as `removal_of` returns it.
        is_taken: Whether the client has the message; otherwise it stays in the queue.
        in_transaction: Whether the request is one in a transaction; then only the commit removes the message.
    """

    handle: bytes
    number: int
    is_taken: bool
    in_transaction: bool


def opening(operation: int, stub: bytes, word: int | None, *, is_big: bool = False) -> Opening | None:
    """Return the arguments in the stub of a request that opens a queue; None for other or unreadable stubs.

    Args:
        operation: The opnum of the call.
        stub: The whole stub.
        word: The size of pointers, of `INTERFACES`; None if the interface of the call is unknown.  Then
            nothing may follow the arguments.
        is_big: Whether numbers are big-endian.
    """
    if operation not in _HANDLE_AT:
        return None
    read = (
        _opening(stub, size, is_exact=word is None, is_big=is_big) for size in _WORDS if word in {None, size}
    )
    return next((each for each in read if each is not None), None)


def _opening(stub: bytes, word: int, *, is_exact: bool, is_big: bool) -> Opening | None:
    # Imported here: few streams have such calls.
    from msmq_wire.ndr.structures import QUEUE_FORMAT  # noqa: PLC0415
    from msmq_wire.ndr.transfer import Reader  # noqa: PLC0415

    reader = Reader(stub, 0, DEFAULT_LIMITS, ms_union=False, word=word, is_big=is_big)
    try:
        queue = reader.read(QUEUE_FORMAT.layout.name)
    except DecodeError:
        return None
    start = reader.pos + -reader.pos % 4
    if not _fits(len(stub), start + _AFTER_QUEUE, is_exact=is_exact):
        return None
    at = start + _CLIENT_AT
    client = GUID(little_endian(stub[at : at + 16], GUID_FORM, is_big=is_big))
    try:
        name = queue.format_name
        text = None if name is None else str(name)
    except MsmqWireError:
        text = None
    return Opening(text, None if client == NULL_GUID else str(client))


def opened_handle(operation: int, stub: bytes, *, is_big: bool = False) -> bytes | None:
    """Return the handle in the answer to a call that opens a queue; None for others, and for a null handle.

    Args:
        operation: The opnum of the call.
        stub: The whole stub of the answer.
        is_big: Whether its numbers are big-endian.
    """
    at = _HANDLE_AT.get(operation)
    if at is None or len(stub) != at + _HANDLE:
        return None
    return _handle(stub[at:], is_big=is_big)


def handle_of(operation: int, stub: bytes, word: int | None, *, is_big: bool = False) -> bytes | None:
    """Return the handle from which a call reads a message; None for others, and for a null handle.

    The arguments are those of `opening`.
    """
    size = _RECEIVE_SIZES.get(operation)
    if size is None or not _fits(len(stub), size, is_exact=word is None):
        return None
    return _handle(stub[:_HANDLE], is_big=is_big)


def removal_of(stub: bytes, *, is_big: bool = False) -> int | None:
    """Return the number of a request to remove a message; None for a peek.

    The arguments are those of a call for which `handle_of` returns a handle.
    """
    action, number = (_number(stub, at, is_big=is_big) for at in (_ACTION_AT, _NUMBER_AT))
    return None if action & _PEEKS else number


def ending(operation: int, stub: bytes, word: int | None, *, is_big: bool = False) -> Ending | None:
    """Return the arguments of a call that ends the removal of a message; None for others.

    The arguments are those of `opening`.
    """
    at = _HANDLE + 4
    if operation not in _ENDS or not _fits(len(stub), at + 4, is_exact=word is None):
        return None
    acknowledgment, number = (_number(stub, where, is_big=is_big) for where in (_HANDLE, at))
    handle = _handle(stub[:_HANDLE], is_big=is_big)
    if handle is None:
        return None
    return Ending(handle, number, acknowledgment == _TAKEN, operation in IN_TRANSACTION)


def has_succeeded(stub: bytes) -> bool:
    """Return whether the answer to a call of `ending` reports success ([MS-MQRR] 3.1.4.9).

    Args:
        stub: The whole stub of the answer.
    """
    return stub == _MQ_OK


def _number(stub: bytes, at: int, *, is_big: bool) -> int:
    return int.from_bytes(stub[at : at + 4], "big" if is_big else "little")


def whole_section(stub: bytes | bytearray, at: int, *, is_big: bool = False) -> int | None:
    """Return the size of the section that begins in an answer, if it is the only one and has a whole packet.

    If a reader requests only a part of the body, a packet is longer than its section ([MS-MQRR] 2.2.6).

    Args:
        stub: The beginning of the stub of the answer.
        at: The offset at which a packet begins in it.
        is_big: Whether numbers are big-endian.
    """
    return _section(stub, at, _SECTION_AT, {SectionType.stFullPacket}, 1, is_big=is_big)


def end_of_first(stub: bytes | bytearray, *, is_big: bool = False) -> int | None:
    """Return where a section with the first part of a packet ends in the stub of an answer; None without one.

    The packet lacks the bytes of its body that the reader did not request ([MS-MQRR] 2.2.6).

    Args:
        stub: The beginning of the stub: `LONGEST_BEGINNING` bytes, or all if it has fewer.
        is_big: Whether its numbers are big-endian.
    """
    for count, positions in ((1, _SECTION_AT), (2, _FIRST_AT)):
        for at in positions:
            size = _section(stub, at, positions, _FIRST, count, is_big=is_big)
            if size is not None and len(stub) >= at + MARK_SIZE and starts_packet(bytes(stub), at):
                return at + size
    return None


def _section(
    stub: bytes | bytearray,
    at: int,
    positions: Mapping[int, tuple[int, int, int, int]],
    kinds: Collection[int],
    wanted: int,
    *,
    is_big: bool,
) -> int | None:
    """Return the size of the section that begins in an answer, if it is of a kind, and one of so many."""
    if at not in positions or len(stub) < at:
        return None
    type_at, type_size, size_at, again_at = positions[at]
    begin = bytes(stub[:at])
    kind = int.from_bytes(begin[type_at : type_at + type_size], "big" if is_big else "little")
    count, size, again = (_number(begin, where, is_big=is_big) for where in (_SECTIONS_AT, size_at, again_at))
    return size if kind in kinds and count == wanted and size == again else None


def _fits(size: int, wanted: int, *, is_exact: bool) -> bool:
    return size == wanted or (size > wanted and not is_exact)


def _handle(raw: bytes, *, is_big: bool) -> bytes | None:
    return little_endian(raw, _HANDLE_FORM, is_big=is_big) if any(raw) else None


def begins_binding(data: bytes) -> bool:
    """Whether bytes begin with a frame of DCE/RPC that proposes the interface of remote reads."""
    is_proposal = data[2:3] in _PROPOSING and data[:1] == FRAME
    return is_proposal and any(uuid in data for uuid in _UUIDS)
