"""What a capture holds of one way of a connection: packets, gaps and junk, each with its place.

1. Offsets count from the first byte that was captured; in a connection captured from its SYN on, that is the
   first byte of the stream.
2. A packet of which every byte was captured is a packet.  What was captured of any other, and whatever is no
   packet at all, is junk; what was not captured is a gap.
3. Spans come in order and without holes between them.  Junk that touches junk is one span, and so are gaps.
4. A packet with a directory message has its changes, taken from the message as it was before it was written.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire import GUID

__all__ = ["Account", "Change", "Span", "changes_of"]


class Change(NamedTuple):
    """A change in a directory message.

    Attributes:
        position: Which one of the message it is, from 0.
        server: GUID of the server that sent it.
        site: GUID of its site.
        type: Name of the message's record class.
        Command: What was done: 0 create, 1 update, 2 delete, 3 synchronize.
        PathName: Name of the object; None where it is told by its GUID.
        GuidIdentifier: GUID of the object; None where it is told by its name.
        PartitionID: GUID of the partition.
        PreviousSeqNumber: Eight bytes.
        SeqNumber: Eight bytes.
        PurgedSeqNumber: Eight bytes.
        properties: Number, variant type and value of each property; the value as text, bytes in hexadecimal.
    """

    position: int
    server: str
    site: str
    type: str
    Command: int
    PathName: str | None
    GuidIdentifier: str | None
    PartitionID: str
    PreviousSeqNumber: bytes
    SeqNumber: bytes
    PurgedSeqNumber: bytes
    properties: tuple[tuple[int, int, str], ...]


def changes_of(message: Any, server: GUID) -> tuple[Change, ...]:
    """The changes in a replication message from a server."""
    header = (
        getattr(message, "SyncReplyHeader", None) or getattr(message, "ChangeRequestHeader", None) or message
    )
    single = getattr(message, "DirectoryChange", None)
    changes = getattr(message, "DirectoryChanges", () if single is None else (single,))
    site = str(header.BaseReplicationHeader.SiteID)
    return tuple(
        Change(
            position, str(server), site, type(message).__name__, change.Command, change.PathName,
            None if change.GuidIdentifier is None else str(change.GuidIdentifier), str(change.PartitionID),
            change.PreviousSeqNumber.raw, change.SeqNumber.raw, change.PurgedSeqNumber.raw,
            tuple(
                (number, value.vt, _text(value.value))
                for number, value in zip(change.PropertyID, change.PropertyValue, strict=True)
            ),
        )
        for position, change in enumerate(changes)
    )  # fmt: skip


def _text(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return " ".join(map(_text, value))
    return value.hex() if isinstance(value, bytes) else str(value)


class Span(NamedTuple):
    """One piece of the ground truth.

    Attributes:
        file: Name of the capture file.
        src: IP address of the sender.
        src_port: Port of the sender.
        dst: IP address of the receiver.
        dst_port: Port of the receiver.
        connection: Number of the connection among those with these four, from 0, in the order of time.
        kind: ``packet``, ``gap``, ``junk`` or ``ping``.
        offset: Where it starts in the stream, in bytes; None for a ping.
        length: How many bytes it has.
        data: The bytes; None for a gap.
        packet: Name of the packet's record class; None for a gap and for junk.
        changes: The changes in the directory message that it carries, if it does.
    """

    file: str
    src: str
    src_port: int
    dst: str
    dst_port: int
    connection: int
    kind: str
    offset: int | None
    length: int
    data: bytes | None
    packet: str | None
    changes: tuple[Change, ...] = ()


class _Item:
    """Bytes that were sent together: a packet, or junk."""

    __slots__ = ("changes", "data", "end", "kind", "parts", "start")

    def __init__(self, start: int, data: bytes, kind: str | None, changes: tuple[Change, ...]) -> None:
        self.start = start
        self.changes = changes
        self.end = start + len(data)
        self.data = data
        self.kind = kind
        self.parts: list[tuple[int, int, bool | None]] = []


class Account:
    """Keeps account of one way of a connection.

    Args:
        labels: The first six attributes of its spans.
    """

    __slots__ = ("_base", "_held", "_items", "labels", "sent")

    def __init__(self, labels: tuple[str, str, int, str, int, int]) -> None:
        self.labels = labels
        self.sent = 0
        self._items: deque[_Item] = deque()
        self._base: int | None = None
        self._held: tuple[str, int, list[bytes], int] | None = None  # junk or a gap that may go on

    def send(self, data: bytes, kind: str | None, changes: tuple[Change, ...] = ()) -> None:
        """Take note of a packet, or of junk if its kind is None."""
        self._items.append(_Item(self.sent, data, kind, changes))
        self.sent += len(data)

    def segment(self, start: int, end: int, *, captured: bool | None) -> Iterator[Span]:
        """Take note of the next bytes on the wire; None if the capture had not begun yet."""
        if captured is not None and self._base is None:
            self._base = start
        while start < end:
            item = self._items[0]
            stop = min(end, item.end)
            item.parts.append((start, stop, captured))
            start = stop
            if stop == item.end:
                self._items.popleft()
                yield from self._judge(item)

    def close(self) -> Iterator[Span]:
        """End the stream; every byte must have been accounted for."""
        if self._items:
            raise AssertionError("bytes were sent and not put on the wire")
        yield from self._flush()

    def _judge(self, item: _Item) -> Iterator[Span]:
        if item.kind and all(captured for _, _, captured in item.parts):
            yield from self._flush()
            span = self._span("packet", item.start, len(item.data), item.data, item.kind)
            yield span._replace(changes=item.changes) if item.changes else span
            return
        for start, end, captured in item.parts:
            if captured is None:
                continue
            kind = "junk" if captured else "gap"
            if self._held is None or self._held[0] != kind:
                yield from self._flush()
                self._held = kind, start, [], 0
            name, first, pieces, length = self._held
            if captured:
                pieces.append(item.data[start - item.start : end - item.start])
            self._held = name, first, pieces, length + end - start

    def _flush(self) -> Iterator[Span]:
        if self._held is not None:
            kind, start, pieces, length = self._held
            self._held = None
            yield self._span(kind, start, length, b"".join(pieces) if kind == "junk" else None, None)

    def _span(self, kind: str, start: int, length: int, data: bytes | None, packet: str | None) -> Span:
        return Span(*self.labels, kind, start - (self._base or 0), length, data, packet)
