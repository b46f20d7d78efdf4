"""The ground truth of one direction of a connection: packets, gaps and junk, each with its offset.

1. Offsets count from the first captured byte; in a connection captured from its SYN on, that is the first
   byte of the stream.
2. A completely captured packet is a packet.  Captured bytes of other packets, and bytes that are not a
   packet, are junk.  Missing bytes are a gap.
3. Spans are in order and contiguous.  Adjacent junk is one span, and so are adjacent gaps.
4. The interpretation of a packet, its directory changes and its violations come from the code that created
   it, before it was encoded.
5. Junk violates a requirement, too.  This is certain if all of it was captured between two packets.  Next to
   a gap or other junk, a reader may choose other boundaries.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire import GUID

    from .message_truth import Message
    from .session_truth import Entry, Fate, Step
    from .statements import Statement


class Change(NamedTuple):
    """A change in a directory message.

    Attributes:
        position: Index of the change in the message.
        server: GUID of the server that sent it.
        site: GUID of its site.
        type: Name of the message's record class.
        Command: The command: 0 create, 1 update, 2 delete, 3 synchronize.
        PathName: Name of the object; None if it is identified by its GUID.
        GuidIdentifier: GUID of the object; None if it is identified by its name.
        PartitionID: GUID of the partition.
        PreviousSeqNumber: Eight bytes.
        SeqNumber: Eight bytes.
        PurgedSeqNumber: Eight bytes.
        properties: Number, variant type and value of each property; the value as text, bytes in
            hexadecimal.
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
    """Return the changes in a replication message from a server."""
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
    """One span of the ground truth.

    Attributes:
        file: Name of the capture file.
        src: IP address of the sender.
        src_port: Port of the sender.
        dst: IP address of the receiver.
        dst_port: Port of the receiver.
        connection: Index of the connection among those with these addresses and ports, in the order of
            time.
        kind: ``packet``, ``gap``, ``junk`` or ``ping``.
        offset: Offset in the stream, in bytes; None for a ping.
        length: Size in bytes.
        data: The bytes; None for a gap.
        packet: Name of the packet's record class; None for a gap and for junk.
        changes: The changes in the directory message that it carries, if any.
        message: The interpreted message, if it is a UserMessage.
        violations: The requirements that it violates; for junk, those that the sent bytes violate.
        statement: Its direction, its statement about messages, and when it passed, if a `Network` wrote it.
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
    message: Message | None = None
    breaches: tuple[IntendedViolation, ...] = ()
    statement: tuple[int, Statement, float] | None = None


class IntendedViolation(NamedTuple):
    """A requirement that was violated on purpose.

    Attributes:
        requirement: Its id.
        path: The field that was bent; None for bytes that are not a packet.
        certain: Whether a reader must find exactly this violation.
    """

    requirement: str
    path: str | None
    certain: bool = True


class Sent(NamedTuple):
    """The data that a queue manager sends, with its ground truth.

    Attributes:
        way: 0 from the initiator, 1 from the acceptor.
        data: The bytes.
        kind: Name of the packet's record class; None for junk.
        step: Its effect on the session; None for junk.
        message: The interpreted message, if it is a UserMessage.
        changes: The changes of the directory that it carries.
        breach: The requirement that it violates.
        statement: Its direction, its statement about messages, and when it passes the sensor.
    """

    way: int
    data: bytes
    kind: str | None
    step: Step | None = None
    message: Message | None = None
    changes: tuple[Change, ...] = ()
    breach: IntendedViolation | None = None
    statement: tuple[int, Statement, float] | None = None


class Item:
    """A packet or junk that was sent."""

    __slots__ = ("end", "entry", "parts", "sent", "start")

    def __init__(self, start: int, sent: Sent, entry: Entry) -> None:
        self.start = start
        self.end = start + len(sent.data)
        self.sent = sent
        self.entry = entry
        self.parts: list[tuple[int, int, bool | None]] = []

    @property
    def captured(self) -> bool:
        """Return whether it was captured completely."""
        return all(captured for _, _, captured in self.parts)

    @property
    def fate(self) -> Fate:
        """Return which of its bytes were captured."""
        if all(captured is None for _, _, captured in self.parts):
            return "before"
        return "whole" if self.sent.kind and self.captured else "lost"


class Rest:
    """Junk or a gap that may continue.

    Attributes:
        kind: ``junk`` or ``gap``.
        start: Its offset.
        length: Size in bytes.
        pieces: The bytes of junk.
        items: The packets and junk that were sent there.
        behind_packet: Whether it follows a packet.
    """

    def __init__(self, kind: str, start: int, *, behind_packet: bool) -> None:
        self.kind = kind
        self.start = start
        self.length = 0
        self.pieces: list[bytes] = []
        self.items: list[Item] = []
        self.behind_packet = behind_packet

    def add(self, item: Item, start: int, end: int) -> None:
        """Add some bytes of an item."""
        self.length += end - start
        if self.kind == "junk":
            self.pieces.append(item.sent.data[start - item.start : end - item.start])
        if not self.items or self.items[-1] is not item:
            self.items.append(item)

    def breaches(self, *, before_packet: bool) -> tuple[IntendedViolation, ...]:
        """Yield the requirements that were violated on purpose in this junk."""
        certain = self.behind_packet and before_packet and len(self.items) == 1 and self.items[0].captured
        intended = (item.sent.breach for item in self.items if not item.sent.kind)
        return tuple(breach._replace(certain=certain) for breach in intended if breach)


class Account:
    """The ground truth of one direction of a connection.

    Args:
        labels: The first six attributes of its spans.
    """

    __slots__ = ("_base", "_behind_packet", "_items", "_rest", "labels", "sent")

    def __init__(self, labels: tuple[str, str, int, str, int, int]) -> None:
        self.labels = labels
        self.sent = 0
        self._items: deque[Item] = deque()
        self._base: int | None = None
        self._rest: Rest | None = None
        self._behind_packet = False

    def send(self, sent: Sent, entry: Entry) -> None:
        """Add sent data, and the ledger entry to update when it is known which bytes were captured."""
        self._items.append(Item(self.sent, sent, entry))
        self.sent += len(sent.data)

    def segment(self, start: int, end: int, *, captured: bool | None) -> Iterator[Span]:
        """Add the next bytes on the wire; None if the capture had not started yet."""
        if captured is not None and self._base is None:
            self._base = start
        while start < end:
            item = self._items[0]
            stop = min(end, item.end)
            item.parts.append((start, stop, captured))
            start = stop
            if stop == item.end:
                self._items.popleft()
                item.entry.fate = item.fate
                yield from self._judge(item)

    def close(self) -> Iterator[Span]:
        """End the stream; all bytes must have been assigned to segments."""
        if self._items:
            raise AssertionError("bytes were sent but not put on the wire")
        yield from self._flush()

    def _judge(self, item: Item) -> Iterator[Span]:
        sent = item.sent
        if item.fate == "whole":
            yield from self._flush(before_packet=True)
            span = self._span("packet", item.start, len(sent.data), sent.data, sent.kind)
            breaches = (sent.breach,) if sent.breach else ()
            yield span._replace(
                changes=sent.changes, message=sent.message, breaches=breaches, statement=sent.statement
            )
            self._behind_packet = True
            return
        for start, end, captured in item.parts:
            if captured is None:
                continue
            kind = "junk" if captured else "gap"
            if self._rest is None or self._rest.kind != kind:
                yield from self._flush()
                self._rest = Rest(kind, start, behind_packet=self._behind_packet)
                self._behind_packet = False
            self._rest.add(item, start, end)

    def _flush(self, *, before_packet: bool = False) -> Iterator[Span]:
        rest, self._rest = self._rest, None
        if rest is not None:
            data = b"".join(rest.pieces) if rest.kind == "junk" else None
            span = self._span(rest.kind, rest.start, rest.length, data, None)
            breaches = rest.breaches(before_packet=before_packet) if rest.kind == "junk" else ()
            yield span._replace(breaches=breaches)

    def _span(self, kind: str, start: int, length: int, data: bytes | None, packet: str | None) -> Span:
        return Span(*self.labels, kind, start - (self._base or 0), length, data, packet)
