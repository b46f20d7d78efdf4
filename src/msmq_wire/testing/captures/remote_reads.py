"""Connections in which a program reads queues by the remote calls of [MS-MQRR], as bytes.

1. The reader binds, opens a queue, and reads its messages one by one.  It acknowledges each that it removes,
   unless the read ends in another way.
2. An answer has three parts, so that the ground truth has a separate entry for the packet in it.
"""

from __future__ import annotations

import struct
from itertools import count
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from msmq_wire import GUID, rpc
from msmq_wire.packets.remote_reads import END, NDR, OPEN, RECEIVE, REMOTE_READ

if TYPE_CHECKING:
    from collections.abc import Sequence
    from ipaddress import IPv4Address

RPC_PORT: Final = 2105
"""The port of the calls ([MS-MQRR] 2.1)."""
_REQUEST, _RESPONSE, _BIND, _BIND_ACK = 0, 2, 11, 12
_WHOLE: Final = 3
"""The flags of a frame that is the first and the last of its call."""
_FRAGMENT: Final = 4280
_RECEIVE_ACCESS: Final = 1
_LATEST_BUILD: Final = 20_348
_REMOVE, _LOOK = 0, 0x4000_0011
"""Actions: to remove the first message, and to look at the next one, MQ_LOOKUP_PEEK_NEXT."""
_TAKEN, _REFUSED = 2, 1
"""RR_ACK and RR_NACK."""
_NO_MESSAGE: Final = 0xC00E_0088
"""MQ_ERROR_MESSAGE_NOT_FOUND ([MS-MQRR] 3.1.4.9)."""
_WAIT: Final = 60_000
"""Milliseconds that a call waits for a message."""


Ending: TypeAlias = Literal["taken", "refused", "failed", "unanswered", "looked at"]
"""How the read of a message ends: its reader acknowledges it, or says that it has not received it, or the
call that acknowledges it fails or has no answer; or the reader only looks at it, which no call ends.
"""


class Reader(NamedTuple):
    """A program that reads queues remotely.

    Attributes:
        name: Name of its host.
        ip: The IP address.
        identifier: The GUID by which it opens queues.
    """

    name: str
    ip: IPv4Address
    identifier: GUID


def remote_reads(
    reader: GUID, queue: str, packets: Sequence[bytes], opened: GUID, *, ending: Ending = "taken"
) -> list[tuple[int, bytes]]:
    """Return the data of a connection, each part with its direction: 0 from the reader, 1 to it.

    Args:
        reader: The identifier of the reader.
        queue: Format name of the queue.
        packets: The messages in it.
        opened: The identifier of the handle of the opened queue.
        ending: How each read ends.
    """
    looks = ending == "looked at"
    context = struct.pack("<HBx", 0, 1) + REMOTE_READ + NDR
    bind = struct.pack("<HHIBxH", _FRAGMENT, _FRAGMENT, 0, 1, 0) + context
    port = f"{RPC_PORT}\0".encode()
    agreed = struct.pack("<HHIH", _FRAGMENT, _FRAGMENT, 1, len(port)) + port
    agreed += bytes(-(len(agreed)) % 4) + struct.pack("<B3xHH", 1, 0, 0) + NDR
    handle = bytes(4) + opened.bytes_le
    opening = rpc.encode(rpc.QUEUE_FORMAT.of(queue))
    opening += bytes(-len(opening) % 4) + struct.pack("<II", _RECEIVE_ACCESS, 0) + reader.bytes_le
    opening += struct.pack("<IBBHI", 1, 6, 3, _LATEST_BUILD, 0)
    said = [
        (0, _frame(_BIND, 1, bind)),
        (1, _frame(_BIND_ACK, 1, agreed)),
        (0, _request(OPEN, 2, opening)),
        (1, _response(2, handle)),
    ]
    calls = count(3)
    for number, packet in enumerate(packets):
        call, action = next(calls), _LOOK if looks else _REMOVE
        wanted = handle + bytes(4) + struct.pack("<Q6I", number * looks, 0, action, _WAIT, number, 4096, 4096)
        section = rpc.SectionBuffer(pSectionBuffer=packet)
        answer = struct.pack("<I4xQI", 0, number, 1) + rpc.encode_sections([section], offset=20)
        frame = _response(call, answer + bytes(-len(answer) % 4) + bytes(4))
        begin = frame.index(packet)
        end = begin + len(packet)
        said += [(0, _request(RECEIVE, call, wanted))]
        said += [(1, part) for part in (frame[:begin], packet, frame[end:])]
        if not looks:
            call, acknowledgment = next(calls), _REFUSED if ending == "refused" else _TAKEN
            said += [(0, _request(END, call, handle + struct.pack("<II", acknowledgment, number)))]
        if ending in {"taken", "refused", "failed"}:
            result = _NO_MESSAGE if ending == "failed" else 0
            said += [(1, _response(call, struct.pack("<I", result)))]
    return said


def _request(operation: int, call: int, stub: bytes) -> bytes:
    return _frame(_REQUEST, call, struct.pack("<IHH", len(stub), 0, operation) + stub)


def _response(call: int, stub: bytes) -> bytes:
    return _frame(_RESPONSE, call, struct.pack("<IHBx", len(stub), 0, 0) + stub)


def _frame(kind: int, call: int, body: bytes) -> bytes:
    return struct.pack("<BBBBIHHI", 5, 0, kind, _WHOLE, 0x10, 16 + len(body), 0, call) + body
