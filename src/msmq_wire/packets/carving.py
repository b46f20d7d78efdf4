"""Finding packets in arbitrary bytes: memory images, disk images, storage files of a queue manager.

1. A packet, or a part of one, begins with the version and signature of a BaseHeader.  A packet whose
   beginning is missing is not found.
2. Bytes that decode up to their PacketSize are a complete packet; `decode_lax` decodes all others.
3. The inside of a packet is not searched unless requested, because bodies may contain packets.
4. The bytes may be a memory map: only one window or packet is copied at a time.
5. The cost is linear for all inputs: signatures that claim large packets are paid for by the bytes between
   them (`RereadBudget`).
6. The container format of storage files (``p0000001.mq`` and so on) is not documented and not parsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from msmq_wire.definitions.relations import CONSTANT_BITS
from msmq_wire.documents.layouts import structures
from msmq_wire.values.buffers import no_bytes
from msmq_wire.values.errors import ConformanceError, need
from msmq_wire.values.hooks import require_conformance
from msmq_wire.values.limits import DEFAULT_LIMITS, Limits

from .lax import decode_lax
from .packet_starts import (
    BASE_SIZE,
    MARK_SIZE,
    RereadBudget,
    ends,
    likelier_first,
    search,
    start_mask,
    unpack_base,
)
from .partial import LaxResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.records.record import Record

Confidence = Literal["high", "medium", "low"]
"""The confidence that a packet begins at an offset."""

WINDOW = 0x4_0000
"""Size of the search window in bytes."""
_HEADERS = BASE_SIZE + structures()["UserHeader"].least_size
"""Size of the first headers of a message, in which no other packet begins."""
PROBE = 0x1000
"""Bytes of a large packet that are decoded before the whole packet is tried."""


class Carved(msgspec.Struct, frozen=True):
    """A packet, or a part of one, in a buffer.

    Attributes:
        offset: Offset from the beginning of the buffer, in bytes.
        size: Number of bytes that were decoded; for a complete packet, its size.
        kind: The structure, such as ``"UserMessage"``; ``"BaseHeader"`` if it is unknown.
        confidence: ``"high"``: the packet is complete and violates no MUST.  ``"medium"``: it is complete and
            violates one, such as half of a packet followed by zeros; or it is truncated or damaged, and its
            second header has the constant values of such headers.  ``"low"``: only the signature was found.
        reason: Why the confidence is not higher; otherwise ``"read whole"``.
        result: The result of `decode_lax`.
        inside: Offset of the enclosing packet, if packets within packets were requested.
    """

    offset: int
    size: int
    kind: str
    confidence: Confidence
    reason: str
    result: LaxResult
    inside: int | None = None


def carve(buffer: Any, *, inside: bool = False, limits: Limits = DEFAULT_LIMITS) -> Iterator[Carved]:
    """Find all packets, and parts of packets, in a buffer.

    Args:
        buffer: Bytes, a memory map, or any other object with the buffer protocol.
        inside: Whether to search inside packets too, for example in the bodies of messages.
        limits: Bounds for the decoder.

    Returns:
        A lazy iterator over the finds, in order of their offsets.

    Raises:
        TypeError: The buffer is not a bytes-like object.
    """
    try:
        view = memoryview(buffer)
    except TypeError:
        raise no_bytes(buffer) from None
    is_plain = view.c_contiguous and view.nbytes
    view = view.cast("B") if is_plain else memoryview(view.tobytes())
    need("limits", limits, Limits, "Limits")
    return _Carver(view, limits, inside=inside).places()


class _Carver:
    """A single pass over a buffer."""

    def __init__(self, view: memoryview, limits: Limits, *, inside: bool) -> None:
        self.view = view
        self.limits = limits
        self.inside = inside
        self.budget = RereadBudget(limits.packet_size)
        self.begin = self.looked_at = 0  # the window whose signatures are known
        self.marks = b""

    def places(self) -> Iterator[Carved]:
        outer, outer_end = None, 0
        pos = self.next_mark(0)
        while pos >= 0:
            carved = self.carve(pos)
            if pos < outer_end:
                carved = msgspec.structs.replace(carved, inside=outer)
            elif carved.result.packet is not None:
                outer, outer_end = pos, pos + carved.size
            yield carved
            step = MARK_SIZE if self.inside or carved.confidence == "low" else max(carved.size, MARK_SIZE)
            pos = self.next_mark(pos + step)

    def next_mark(self, pos: int) -> int:
        """The offset of the next packet signature, or -1."""
        end = len(self.view)
        while pos + MARK_SIZE <= end:
            if pos >= self.looked_at:
                self.begin, self.looked_at = pos, min(pos + WINDOW, end)
                # Copied, because searching bytes is many times as fast as searching a view.
                self.marks = start_mask(bytes(self.view[pos : pos + WINDOW + MARK_SIZE - 1]))
            at = self.marks.find(1, pos - self.begin)
            if at >= 0:
                return self.begin + at
            pos = self.looked_at
        return -1

    def carve(self, pos: int) -> Carved:
        """Decode the bytes at a signature."""
        view, end = self.view, len(self.view)
        head = bytes(view[pos : pos + BASE_SIZE])
        if len(head) < BASE_SIZE:
            return self.partial(pos, decode_lax(head, limits=self.limits))
        _, flags, _, size = unpack_base(head)
        if not BASE_SIZE <= size <= self.limits.packet_size:
            return self.marked(pos, head, f"PacketSize is {size}, which is not a valid size")
        if search(bytes(view[pos + MARK_SIZE : min(pos + _HEADERS, pos + size, end)]), 0) >= 0:
            return self.marked(pos, head, "another signature follows within its first headers")
        stops = likelier_first(view, tuple(min(stop, end) for stop in ends(pos + size, flags)))
        tried = []
        if size > PROBE:
            probe = decode_lax(bytes(view[pos : min(pos + PROBE, end)]), limits=self.limits)
            if probe.doubtful or len(probe.errors) > 1 or not self.budget.pay(size, pos):
                return self.partial(pos, probe)
        for stop in dict.fromkeys(stops):
            result = decode_lax(bytes(view[pos:stop]), limits=self.limits)
            if result.packet is not None:
                confidence, reason = _confidence_in(result.packet)
                whole = stop - pos - len(result.rest)
                return Carved(pos, whole, type(result.packet).__name__, confidence, reason, result)
            tried.append(result)
        return self.partial(pos, tried[0])

    def marked(self, pos: int, head: bytes, reason: str) -> Carved:
        """A find of low confidence: only a signature."""
        return Carved(pos, len(head), "BaseHeader", "low", reason, decode_lax(head, limits=self.limits))

    def partial(self, pos: int, result: LaxResult) -> Carved:
        """An incomplete or damaged packet."""
        cut, reached = result.cut, result.reached
        size = cut.offset + cut.size if cut else reached.offset if reached else 0
        name = str(result.error.path).partition(".")[0] if result.error else ""
        confidence: Confidence = "medium" if _has_signs(result) else "low"
        return Carved(pos, size, name, confidence, str(result.error), result)


def _confidence_in(packet: Record) -> tuple[Confidence, str]:
    """Return the confidence in a packet that was read whole, and the reason."""
    try:
        require_conformance(packet)
    except ConformanceError as error:
        first, more = error.violations[0], len(error.violations) - 1
        others = f", and {more:,} more" if more else ""
        return "medium", f"whole, but breaks a requirement: {first}{others}"
    return "high", "read whole"


def _has_signs(result: LaxResult) -> bool:
    """Whether a header has the constant values of its kind."""
    for path, groups in CONSTANT_BITS.items():
        word = result.fields.get(path, result.doubtful.get(path))
        if word is not None:
            return all(getattr(word, group) == bits for group, bits in groups.items())
    return "InternalHeader.Flags" in result.fields
