"""Finding packets in bytes that are no stream: memory images, disk images, files of a queue manager.

1. A packet, or what there is of one, begins where version and signature of a BaseHeader stand.  What lost its
   beginning is not found.
2. What can be read whole up to its PacketSize is a packet; of anything else `decode_lax` says what is there.
3. Within a packet no other one is looked for, unless that is asked for: bodies carry packets.
4. The bytes may be a memory map: nothing of it is copied but one window or packet at a time.
5. Cost is linear, whatever the bytes are: marks that claim large packets are paid for by the bytes between
   them (`_REREADS`).
6. Nothing is claimed of the file around the packets: the container of a queue manager's storage files
   (``p0000001.mq`` and the like) is documented nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from msmq_wire.definitions.relations import SIGNS
from msmq_wire.documents.layouts import structures
from msmq_wire.values.buffers import no_bytes
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits

from .lax import decode_lax
from .marks import BASE_SIZE, MARK_SIZE, begins_packet, ends, places_of_marks, search, unpack_base
from .partial import LaxResult

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Carved", "Confidence", "carve"]

Confidence = Literal["high", "medium", "low"]
"""How sure it is that a packet begins at a place."""

_WINDOW = 0x4_0000
"""Bytes that are searched at once."""
_HEADERS = BASE_SIZE + structures()["UserHeader"].least_size
"""Bytes of the first headers of a message, in which no other packet begins."""
_PROBE = 0x1000
"""Bytes of a large packet that are read before it is believed."""
_REREADS = 4
"""How many bytes may be read of packets that prove to be none, for each byte passed."""


class Carved(msgspec.Struct, frozen=True):
    """A place where a packet begins, or a part of one.

    Attributes:
        offset: Where it begins, in bytes from the beginning of the buffer.
        size: Bytes that were read as it: of a packet that is whole all of them.
        kind: The structure that it is, such as ``"UserMessage"``; ``"BaseHeader"`` where that is not known.
        confidence: ``"high"``: it can be read whole.  ``"medium"``: it is cut off or damaged, and the header
            after its BaseHeader has what such headers always have.  ``"low"``: it has the mark of a packet.
        reason: Why the confidence is not higher, in words; for a whole packet that it was read.
        result: What was read.
        inside: Offset of the packet that it lies within, where those were asked for.
    """

    offset: int
    size: int
    kind: str
    confidence: Confidence
    reason: str
    result: LaxResult
    inside: int | None = None


def carve(
    buffer: Any,
    *,
    inside: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Iterator[Carved]:
    """Find every place in a buffer where a packet begins, or a part of one.

    Args:
        buffer: Bytes, a memory map, or anything else whose memory can be viewed as bytes.
        inside: Whether to look for packets within packets too: those in a message's body.
        limits: How much to take at most of a packet.

    Returns:
        An iterator over the places, in their order.  The buffer is looked at as it goes on.

    Raises:
        TypeError: The buffer is no bytes-like object, or its bytes are not contiguous.
    """
    try:
        view = memoryview(buffer).cast("B")
    except TypeError:
        raise no_bytes(buffer) from None
    return _Carver(view, limits, inside=inside).places()


class _Carver:
    """One pass over a buffer."""

    def __init__(self, view: memoryview, limits: Limits, *, inside: bool) -> None:
        self.view = view
        self.limits = limits
        self.inside = inside
        self.allowance = _REREADS * limits.packet_size
        self.paid_at = 0
        self.begin = self.looked_at = 0  # the window in which marks are known
        self.marks = b""

    def places(self) -> Iterator[Carved]:
        outer, outer_end = None, 0
        pos = self.next_mark(0)
        while pos >= 0:
            found = self.judge(pos)
            if pos < outer_end:
                found = msgspec.structs.replace(found, inside=outer)
            elif found.confidence == "high":
                outer, outer_end = pos, pos + found.size
            yield found
            step = MARK_SIZE if self.inside or found.confidence == "low" else max(found.size, MARK_SIZE)
            pos = self.next_mark(pos + step)

    def next_mark(self, pos: int) -> int:
        """Where the next mark of a packet begins, or -1."""
        end = len(self.view)
        while pos + MARK_SIZE <= end:
            if pos >= self.looked_at:
                self.begin, self.looked_at = pos, min(pos + _WINDOW, end)
                # Copied: what searches bytes is many times as fast as what searches a view.
                self.marks = places_of_marks(bytes(self.view[pos : pos + _WINDOW + MARK_SIZE - 1]))
            at = self.marks.find(1, pos - self.begin)
            if at >= 0:
                return self.begin + at
            pos = self.looked_at
        return -1

    def judge(self, pos: int) -> Carved:
        """What begins at a mark."""
        view, end = self.view, len(self.view)
        head = bytes(view[pos : pos + BASE_SIZE])
        if len(head) < BASE_SIZE:
            return self.partial(pos, decode_lax(head, limits=self.limits))
        _, flags, _, size = unpack_base(head)
        if not BASE_SIZE <= size <= self.limits.packet_size:
            return self.marked(pos, head, f"PacketSize is {size}, which is no size of a packet")
        if search(bytes(view[pos + MARK_SIZE : min(pos + _HEADERS, pos + size, end)]), 0) >= 0:
            return self.marked(pos, head, "another mark follows within its first headers")
        stops = [min(stop, end) for stop in ends(pos + size, flags)]
        if not begins_packet(bytes(view[stops[0] : stops[0] + MARK_SIZE]), 0):
            stops.reverse()  # a SessionHeader may ride along after it, or be counted within
        best = None
        if size > _PROBE:
            probe = decode_lax(bytes(view[pos : min(pos + _PROBE, end)]), limits=self.limits)
            if probe.doubtful or len(probe.errors) > 1 or not self.pay(size, pos):
                return self.partial(pos, probe)
        for stop in dict.fromkeys(stops):
            result = decode_lax(bytes(view[pos:stop]), limits=self.limits)
            if result.packet is not None:
                whole = stop - pos - len(result.rest)
                return Carved(pos, whole, type(result.packet).__name__, "high", "read whole", result)
            best = best or result
        assert best is not None  # noqa: S101  # there is at least one end
        return self.partial(pos, best)

    def marked(self, pos: int, head: bytes, reason: str) -> Carved:
        """What has the mark of a packet and is hardly one."""
        return Carved(pos, len(head), "BaseHeader", "low", reason, decode_lax(head, limits=self.limits))

    def partial(self, pos: int, result: LaxResult) -> Carved:
        """What is not whole."""
        cut, reached = result.cut, result.reached
        size = cut.offset + cut.size if cut else reached.offset if reached else 0
        name = str(result.error.path).partition(".")[0] if result.error else ""
        confidence: Confidence = "medium" if _has_signs(result) else "low"
        return Carved(pos, size, name, confidence, str(result.error), result)

    def pay(self, size: int, pos: int) -> bool:
        """Whether so many more bytes may be read in vain."""
        most = _REREADS * self.limits.packet_size
        self.allowance = min(self.allowance + _REREADS * (pos - self.paid_at), most) - size
        self.paid_at = pos
        if self.allowance >= 0:
            return True
        self.allowance += size
        return False


def _has_signs(result: LaxResult) -> bool:
    """Whether a header is there that has what such headers always have."""
    for path, groups in SIGNS.items():
        word = result.fields.get(path, result.doubtful.get(path))
        if word is not None:
            return all(getattr(word, group) == bits for group, bits in groups.items())
    return "InternalHeader.Flags" in result.fields
