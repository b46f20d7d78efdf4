"""Reads pcapng files, and goes on behind damage.

1. Each interface has its own link type and clock, and each section its own byte order.
2. A block is sound if its type is known and its size is at both ends of it.  After a block that is not sound,
   reading goes on at the next sound one: within the bytes that it claims, or behind them.
3. Frames are numbered as Wireshark does: blocks with other events than packets have numbers, too.

The layout is that of draft-ietf-opsawg-pcapng.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from msmq_wire.captures.network.links import LINK_TYPES, LinkVote
from msmq_wire.packets.mistaken import CAPTURES
from msmq_wire.values.errors import in_bytes, plural
from msmq_wire.values.times import SECOND

from .containers import (
    AHEAD,
    BEFORE,
    ENOUGH,
    HOLE,
    NO_MARK,
    NO_TIME,
    SAMPLE,
    STEP,
    ZEROS,
    CaptureReader,
    Damage,
    Frames,
    link_problem,
    passed_over,
)
from .pcap import PCAP_HEADER

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from .sources import Source

_LATEST: Final = 253_402_300_800 * SECOND  # the year 10000, which Python's datetime cannot represent

PCAPNG_MAGIC: Final = b"\x0a\x0d\x0d\x0a"
_SECTION, _INTERFACE, _OLD, _SIMPLE, _ENHANCED = 0x0A0D0D0A, 1, 2, 3, 6
_PACKETS: Final = frozenset({_ENHANCED, _OLD, _SIMPLE})
"""Types of blocks that contain a frame."""
EVENTS: Final = {
    9: "systemd journal", 0x204: "sysdig event", 0x216: "sysdig event", 0x221: "sysdig event",
    0xBAD: "custom block", 0x4000_0BAD: "custom block",
}  # fmt: skip
"""Blocks without a packet that Wireshark numbers as frames."""
_KNOWN: Final = frozenset({_SECTION, *range(1, 11), *range(0x201, 0x223), *EVENTS})
"""Types of blocks at which reading goes on behind damage."""
_KNOWN_TYPES: Final = np.array(sorted(_KNOWN), np.uint32)
_LEAST: Final = 12
"""Size of an empty block; also enough bytes to read a block's size and a section's byte order."""
_VERSIONS: Final = frozenset({(1, 0), (1, 2)})
"""Versions of sections, which are the same; some programs have written the second one."""
_VERSION_AT, _AFTER_VERSION = 12, 16
_MOST_BLOCK = 1 << 24
"""Size limit of pcapng blocks without a packet; Wireshark uses the same limit."""
_BYTE_ORDERS: Final = {b"\x1a\x2b\x3c\x4d": ">", b"\x4d\x3c\x2b\x1a": "<"}
_MOST_SECTION: Final = 0x1_0000
_RESOLUTION, _OFFSET = 9, 14  # options of an interface: if_tsresol, if_tsoffset
_SIZES: Final = {_RESOLUTION: 1, _OFFSET: 8}
_LEAST_INTERFACE: Final = 20
"""Size of the block of an interface without options, in bytes."""
_LEAST_USUAL: Final = 16
_LEASTS: Final = {_INTERFACE: 20, _OLD: 32, 4: 12, 5: 24, _ENHANCED: 32, 10: 20}
"""Sizes of the smallest blocks, where it is not `_LEAST_USUAL`."""
_ETHERNET: Final = 1
_LINK_AT, _AFTER_LINK = 8, 12
_JUDGED: Final = 1
"""Stands behind the link type of an interface in a preamble if it was compared with frames."""
_MOST_ASSUMED: Final = 16
"""The number of interfaces that may be described among bytes that were passed over."""
_NOWHERE, _UNCERTAIN = -1, -2
_HOLE: Final = 8
"""Number of zeros at a block from which they are a hole."""


class _Interface(NamedTuple):
    """An interface of a section.

    Attributes:
        link: Link type; -1 if its block cannot be read.
        longest: Largest captured size of a frame; 0 for no limit.
        ticks: Time units per second.
        seconds: Offset to add to times.
    """

    link: int
    longest: int
    ticks: int
    seconds: int


class _Section(NamedTuple):
    """The state of a pcapng section: byte order and interfaces."""

    order: str
    interfaces: list[_Interface]


class _Block(NamedTuple):
    """A block: type, offset in the chunk, and size."""

    kind: int
    at: int
    size: int


class _Packet(NamedTuple):
    """What a block of a packet says of its frame: the sizes and the index of its first byte, too.

    Attributes:
        interface: The number of its interface.
        time: The time in units of the interface; None if the block has none.
        start: Index of its first byte in the chunk.
        captured: Its size.
        wire: Its size on the wire.
    """

    interface: int
    time: int | None
    start: int
    captured: int
    wire: int


class _LinkState:
    """What is known of the link type of an interface.

    Args:
        link: The link type that its block states.
        is_judged: Whether it was compared with frames before.

    Attributes:
        stated: The link type that its block states.
        vote: What its frames prove.
        is_judged: Whether later frames change nothing.
        is_open: Whether frames may follow that cannot be read yet.
        told: What is wrong with it, as far as it was reported.
        first: Offset of the block of its first frame.
        link_at: Index of its link type in the preamble.
    """

    __slots__ = ("first", "is_judged", "is_open", "link_at", "stated", "told", "vote")

    def __init__(self, link: int, *, is_judged: bool = False) -> None:
        self.stated = link
        self.vote = LinkVote(link)
        self.is_judged = is_judged
        self.is_open = False
        self.told = ""
        self.first: int | None = None
        self.link_at = 0


class _MoreNeeded(Exception):
    """More bytes have to be read before a block can be."""


class _Refused(Exception):
    """A block cannot be read; the text is the reason."""


class _Gathering:
    """Collects the frames of a chunk."""

    def __init__(self, chunk: bytes, base: int, number: int) -> None:
        self.chunk = chunk
        self.base = base
        self._first = number
        self._rows: list[tuple[int, ...]] = []

    def add(self, *row: int) -> None:
        """Add a frame: a number for each array of `Frames`."""
        self._rows.append(row)

    def frames(self) -> Iterator[Frames]:
        """Yield the collected frames, if there are any."""
        if self._rows:
            yield Frames(self.chunk, self._first, *np.array(self._rows, np.int64).T.copy())


class PcapngReader(CaptureReader):
    """Reads the frames of a pcapng file, or of a part of it.

    Args:
        source: The file, or a part of it that starts with a block.
        preamble: The earlier blocks that are needed to read this part; empty for a whole file.
        most: Largest size of a frame in bytes.
        number: The number of the first frame.
        growing: As for `CaptureReader`.
    """

    preamble: bytearray

    def __init__(
        self, source: Source, preamble: bytes, most: int, number: int, *, growing: bool = False
    ) -> None:
        super().__init__(source, most, number, growing=growing)
        self.preamble = bytearray()
        self._is_first = not preamble
        self._order = "<"
        self._section: _Section | None = None
        self._before: int | None = None  # index of the block of a packet before it
        self._uncertain = 0  # index of a place that may be a block
        self._passed = False  # whether blocks of the section may be unknown
        self._links: list[_LinkState] = []  # for each interface of the section, also ahead of the next block
        self._ahead = 0  # offset behind the last block whose frame was compared with its link type
        at = 0
        while at + _LEAST <= len(preamble):
            if preamble[at : at + 4] == PCAPNG_MAGIC:
                self._order = _order_of(preamble[at : at + _LEAST])
            kind, size = struct.unpack_from(f"{self._order}II", preamble, at)
            with suppress(_Refused, struct.error):  # reported when the block itself was read
                self._describe(kind, preamble[at : at + size])
            at += size

    def run(self) -> Iterator[Frames | Damage]:
        """Yield frames and damages."""
        yield from self._run()
        for index in range(len(self._section.interfaces) if self._section is not None else 0):
            self._links[index].is_open = False
            yield from self._judge(index)

    def _run(self) -> Iterator[Frames | Damage]:
        window = self._window
        if self._is_first:
            yield from self._mend()
        while self._end is None:
            problem, claimed = yield from self._walk()
            if problem:
                yield from self._resume(problem, claimed)
            elif not window.over:
                self._more()
            elif self._at == len(window.data) or self._growing:
                return
            else:
                yield from self._resume("")

    def _more(self) -> None:
        """Omit what is before the last block of a packet, and read more."""
        keep = self._at if self._before is None else self._before
        self._window.more(keep)
        self._at -= keep
        self._before = None if self._before is None else 0

    def _mend(self) -> Iterator[Damage]:
        """Take the first block for a section header, also if its type is damaged."""
        window = self._window
        while len(window.data) < _LEAST and not window.over:
            self._more()
        first = window.data[:4]
        if window.data[8:_LEAST] in _BYTE_ORDERS and first != PCAPNG_MAGIC:
            window.data = PCAPNG_MAGIC + window.data[4:]
            yield Damage(None, window.base, NO_MARK.format(first.hex(), form="pcapng"), first)

    # ------------------------------------------------------------------------------------- sound blocks

    def _walk(self) -> Generator[Frames | Damage, None, tuple[str, int]]:
        """Process the blocks in the window up to a wrong one.

        Returns:
            What is wrong, or an empty text; and the offset at which the wrong block ends by its own size.
        """
        window = self._window
        chunk, end = window.data, len(window.data)
        self._gathering = _Gathering(chunk, window.base, self.number)
        problem, claimed = "", 0
        while self._at + _LEAST <= end:
            at = self._at
            order = self._order_at(at)
            kind, size = struct.unpack_from(f"{order}II", chunk, at)
            if not _fits(kind, size, self._most):
                problem = f"a block of type {kind} states a size of {in_bytes(size)}"
                break
            if at + size > end:
                break
            block = _Block(kind, at, size)
            whole = struct.unpack_from(f"{order}I", chunk, at + size - 4)[0] == size
            ends = whole or self._ends(block)
            if not ends:
                if ends is False:
                    problem, claimed = f"the sizes of a block of type {kind} differ", window.base + at + size
                break
            if kind in {_SECTION, _INTERFACE}:
                yield from self._gathered()
            self._order = order
            self._at += size
            before, self._before = self._before, at if kind in _PACKETS else None
            try:
                for damage in self._take(block, whole=whole):
                    yield from self._gathered()
                    yield damage
            except _MoreNeeded:
                self._at, self._before = at, before
                break
        yield from self._gathered()
        return problem, claimed

    def _gathered(self) -> Iterator[Frames]:
        """Yield the frames that were collected, and begin anew."""
        gathering = self._gathering
        self._gathering = _Gathering(self._window.data, self._window.base, self.number)
        yield from gathering.frames()

    def _order_at(self, at: int) -> str:
        """Return the byte order of the block at an index."""
        data = self._window.data
        return _order_of(data[at : at + _LEAST]) if data.startswith(PCAPNG_MAGIC, at) else self._order

    def _ends(self, block: _Block) -> bool | None:
        """Return whether a block whose sizes differ ends by the first of them; None if uncertain."""
        window = self._window
        after = block.at + block.size
        inside = self._next(block.at + 1, after, after)
        if inside != _NOWHERE:
            return None if inside == _UNCERTAIN else False
        if after + _LEAST > len(window.data):
            return True if window.over else None
        kind, size = struct.unpack_from(f"{self._order_at(after)}II", window.data, after)
        return kind in _KNOWN and _fits(kind, size, self._most)

    def _take(self, block: _Block, *, whole: bool) -> Iterator[Frames | Damage]:
        """Process a block: update the section, or collect its frame."""
        kind, at, size = block
        data, offset = (
            self._window.data[at : at + size] if kind not in _PACKETS else b"",
            self._window.base + at,
        )
        problem = "" if whole else "length fields do not match"
        section = self._section
        self._passed = self._passed or kind not in _KNOWN
        if section is None and kind != _SECTION:
            yield self._damage(block, offset, "it is in no section")
            return
        try:
            if kind not in _PACKETS:
                self._describe(kind, _unjudged(data) if kind == _INTERFACE else data)
            elif whole and section is not None:
                yield from self._packet(section, block)
            if kind in EVENTS:
                self._gathering.add(offset, NO_TIME, ~kind, 0, at, 0, offset + block.size)
                self.number += 1
        except (_Refused, struct.error) as error:
            problem = str(error)
        if kind == _SECTION:
            yield from self._described(data, offset)
        if problem:
            yield self._damage(block, offset, problem)

    def _damage(self, block: _Block, offset: int, problem: str) -> Damage:
        """Return the damage of a block that is complete but cannot be read."""
        kind, at, size = block
        frame = None
        if kind in _PACKETS:
            frame = self.number
            self.number += 1
        problem = f"a block of type {kind} cannot be read: {problem}"
        return Damage(frame, offset, problem, self._window.data[at : at + size], frames=int(kind in _PACKETS))

    def _describe(self, kind: int, data: bytes) -> None:
        """Process a block that describes later ones."""
        if kind == _SECTION:
            self.preamble, self._section, self._passed = bytearray(data), _Section(self._order, []), False
            self._links.clear()
        elif kind == _INTERFACE and self._section is not None:
            index, link_at = len(self._section.interfaces), len(self.preamble) + _LINK_AT
            self.preamble += data
            state = self._link_state(data)
            if index == len(self._links) or self._links[index].stated != state.stated:
                self._links[index:] = [state]
            self._links[index].link_at = link_at
            _add_interface(self._section, data)

    def _described(self, data: bytes, offset: int) -> Iterator[Damage]:
        """Yield the faults of a section header."""
        if data[8:12] not in _BYTE_ORDERS:
            yield Damage(None, offset, "a section header has no byte-order magic", data)
        if len(data) >= _AFTER_VERSION:
            version = major, minor = struct.unpack_from(f"{self._order}HH", data, _VERSION_AT)
            if version not in _VERSIONS:
                problem = f"version {major}.{minor} of pcapng is unknown; the section is read as version 1.0"
                yield Damage(None, offset + _VERSION_AT, problem, data[_VERSION_AT:_AFTER_VERSION])

    def _packet(self, section: _Section, block: _Block) -> Iterator[Frames | Damage]:
        """Collect the frame in a block."""
        begin = self._window.base + block.at
        packet = self._packet_of(block)
        index = packet.interface
        if index >= len(section.interfaces) or not self._links[index].is_judged:
            self._compare(section, index, block.at)
            if not self._links[index].is_open:
                yield from self._gathered()  # with the preamble before it changes
            yield from self._assume(section, index, block.at)
            yield from self._judge(index)
        interface = section.interfaces[index]
        captured, time = packet.captured, NO_TIME
        if packet.time is None:
            captured = min(captured, interface.longest or captured)
        else:
            time = packet.time * SECOND // interface.ticks + interface.seconds * SECOND
            if not 0 <= time < _LATEST:
                time = NO_TIME
        self._gathering.add(
            begin, time, interface.link, packet.wire, packet.start, captured, begin + block.size
        )
        self.number += 1

    def _packet_of(self, block: _Block) -> _Packet:
        """Return what a block says of its frame.

        Raises:
            _Refused: It contradicts itself.
        """
        chunk, order, (kind, at, size) = self._window.data, self._order, block
        if size < _LEASTS.get(kind, _LEAST_USUAL):  # the fields around the frame
            raise _Refused(f"{size} bytes are too few for it")
        if kind == _SIMPLE:
            (wire,) = struct.unpack_from(f"{order}I", chunk, at + 8)
            return _Packet(0, None, at + 12, min(wire, size - _LEAST_USUAL), wire)
        if kind == _ENHANCED:
            index, high, low, captured, wire = struct.unpack_from(f"{order}IIIII", chunk, at + 8)
        else:
            index, _, high, low, captured, wire = struct.unpack_from(f"{order}HHIIII", chunk, at + 8)
        if captured > size - 32:
            raise _Refused(f"states {in_bytes(captured)}, {size - 32} are present")
        return _Packet(index, high << 32 | low, at + 28, captured, wire)

    # ------------------------------------------------------------------------------------- link types

    def _link_state(self, data: bytes) -> _LinkState:
        """Return what the block of an interface says of its link type."""
        if len(data) < _LEAST_INTERFACE:
            return _LinkState(-1, is_judged=True)
        link, judged = struct.unpack_from(f"{self._order}HH", data, _LINK_AT)
        return _LinkState(link, is_judged=judged == _JUDGED)

    def _judge(self, index: int) -> Iterator[Damage]:
        """Read the frames of an interface by the link type that they prove; yield what is wrong with it."""
        state, section = self._links[index], self._section
        if state.is_judged or section is None or state.first is None:
            return
        interface, vote = section.interfaces[index], state.vote
        problem = ""
        if not state.is_open or interface.link not in LINK_TYPES:
            problem = link_problem(vote, interface.link, f"interface {index}", f" of interface {index}")
        if problem and problem != state.told:
            yield Damage(None, state.first, problem, b"")
        state.told = problem
        if vote.frames > 1 or problem:
            self.resumed = max(self.resumed, self._ahead)  # these frames belong together
        if not state.is_open:
            state.is_judged = True
            section.interfaces[index] = interface._replace(link=vote.link)
            field = struct.pack(f"{section.order}HH", vote.link, _JUDGED)
            self.preamble[state.link_at : state.link_at + len(field)] = field

    def _compare(self, section: _Section, index: int, block_at: int) -> None:
        """Compare the frames from a block on with the link type of its interface.

        Args:
            section: The section.
            index: The number of the interface.
            block_at: Index of the block.

        Raises:
            _MoreNeeded: More frames have to be read before.
            _Refused: There is no such interface.
        """
        links, window = self._links, self._window
        if index >= len(section.interfaces):
            if index > _MOST_ASSUMED or (section.interfaces and not self._passed):
                raise _Refused(f"there is no interface {index}")
            links += [_LinkState(_ETHERNET) for _ in range(len(links), index + 1)]
        state = links[index]
        self._ahead = max(self._ahead, window.base + block_at)
        limit = AHEAD + (self._ahead if state.first is None else state.first)
        state.is_open = False
        while not state.vote.is_settled and self._ahead < limit:
            at = self._ahead - window.base
            size = self._block(at)
            if size is None and not window.over and not window.live:
                raise _MoreNeeded
            if not size or not self._is_looked_at(at, size):
                is_end = size is None and window.over and not self._growing
                state.is_open = not (is_end or window.data.startswith(PCAPNG_MAGIC, at))
                break
            self._ahead += size

    def _is_looked_at(self, at: int, size: int) -> bool:
        """Compare the frame in a block with the link type of its interface; return if that can be done."""
        (kind,) = struct.unpack_from(f"{self._order}I", self._window.data, at)
        if kind == _INTERFACE:
            self._links.append(self._link_state(_unjudged(self._window.data[at : at + size])))
        if kind in _PACKETS:
            with suppress(_Refused):
                packet = self._packet_of(_Block(kind, at, size))
                if packet.interface >= len(self._links):
                    return False
                state = self._links[packet.interface]
                if state.first is None:
                    state.first = self._window.base + at
                if not (state.is_judged or state.vote.is_settled):
                    end = packet.start + packet.captured
                    state.vote.add(self._window.data[packet.start : end], packet.wire)
        return bool(kind != _SECTION)

    def _assume(self, section: _Section, index: int, at: int) -> Iterator[Damage]:
        """Describe an interface whose block is damaged, or among bytes that were passed over.

        Args:
            section: The section.
            index: The number of the interface.
            at: Index of the block of its first frame.
        """
        if index < len(section.interfaces):
            return
        link = self._links[index].vote.link
        name = "Ethernet" if link == _ETHERNET else f"link type {link}"
        problem = f"nothing describes interface {index}; its frames are read as {name}, with microseconds"
        self.resumed = self._window.base + at
        yield Damage(None, self.resumed, problem, b"")
        for state in self._links[len(section.interfaces) : index + 1]:
            state.stated = state.vote.link
            fields = (_INTERFACE, _LEAST_INTERFACE, state.stated, 0, 0, _LEAST_INTERFACE)
            self._describe(_INTERFACE, struct.pack(f"{section.order}IIHHII", *fields))

    # ------------------------------------------------------------------------------------- behind damage

    def _next(self, first: int, last: int, run: int, *, exact: bool = False) -> int:
        """Return where the next sound block begins; `_NOWHERE`, or `_UNCERTAIN` if more bytes are needed.

        Args:
            first: Index of the first place.
            last: Index behind the last place.
            run: Valid blocks have to follow each other up to this index, which those within a frame do not.
            exact: Whether the last of them has to end with the file.
        """
        data, over = self._window.data, self._window.over
        failed: set[int] = set()  # so that no block is looked at for each one before it
        for offset in self._candidates(first, last):
            here, size = offset, 0 if offset in failed else self._block(offset)
            while size and here + size < run and not (over and here + size == len(data)):
                failed.add(here)
                here += size
                size = 0 if here in failed else self._block(here)
            if size is None and not over:
                self._uncertain = offset
                return _UNCERTAIN
            if size or (size is None and here > offset and not exact):  # the last one lacks bytes
                return offset
        return _NOWHERE

    def _candidates(self, first: int, last: int) -> Iterator[int]:
        """Yield the places where a type and a size of a block are."""
        data, step = self._window.data, STEP
        last = min(last, len(data) - _LEAST + 1)
        if self._section is None:
            offset = data.find(PCAPNG_MAGIC, first)
            while 0 <= offset < last:
                yield offset
                offset = data.find(PCAPNG_MAGIC, offset + 1)
            return
        numbers = np.ndarray((max(len(data) - 3, 0),), f"{self._order}u4", data, strides=(1,))
        while first < last:
            end = min(first + step, last)
            kinds, sizes = numbers[first:end], numbers[first + 4 : end + 4]
            good = (
                np.isin(kinds, _KNOWN_TYPES) & (sizes >= _LEAST) & (sizes % 4 == 0) & (sizes <= _MOST_BLOCK)
            )
            good |= kinds == _SECTION  # perhaps in the other byte order
            yield from (np.flatnonzero(good) + first).tolist()
            first, step = end, min(2 * step, 1 << 20)

    def _block(self, at: int) -> int | None:
        """Return the size of a sound block; 0 if it is not sound, None if bytes of it are missing."""
        data, order = self._window.data, self._order_at(at)
        if at + _LEAST > len(data):
            return None
        if data.startswith(PCAPNG_MAGIC, at) and data[at + 8 : at + 12] not in _BYTE_ORDERS:
            return 0
        kind, size = struct.unpack_from(f"{order}II", data, at)
        if kind not in _KNOWN or not _fits(kind, size, self._most) or size < _LEASTS.get(kind, _LEAST_USUAL):
            return 0
        if at + size > len(data):
            return None
        if struct.unpack_from(f"{order}I", data, at + size - 4)[0] != size:
            return 0
        if kind == _ENHANCED and (size < 32 or struct.unpack_from(f"{order}I", data, at + 20)[0] > size - 32):
            return 0
        return int(size)

    def _begin(self, head: bytes) -> None:
        """Begin a section whose header has a wrong size: its byte order is all that the blocks need.

        If its mark is wrong, too, the next block shows the order, at a multiple of four bytes.
        """
        named = _BYTE_ORDERS.get(head[8:_LEAST])
        while named is None and len(self._window.data) - self._at < ENOUGH and not self._window.over:
            self._more()
        for mark, order in _BYTE_ORDERS.items():
            if named in {order, None}:
                self._order = order
                body = mark + struct.pack(f"{order}HHq", 1, 0, -1)
                size = struct.pack(f"{order}I", _LEAST + len(body))
                self._describe(_SECTION, PCAPNG_MAGIC + size + body + size)
                offset = self._next(self._at + 1, self._at + ENOUGH, 0) if named is None else _NOWHERE
                if offset >= 0 and (offset - self._at) % 4 == 0:
                    break

    def _overlapping(self, *, exact: bool) -> int:
        """Return where a sound block begins in the one before, which may have lost bytes; or `_NOWHERE`.

        Args:
            exact: Whether the sound blocks have to end with the file.
        """
        inside = _UNCERTAIN
        while self._before is not None and inside == _UNCERTAIN:
            run = len(self._window.data) if exact else self._at + 1
            inside = self._next(self._before + 1, self._at, run, exact=exact)
            if inside == _UNCERTAIN:
                self._more()
        return max(inside, _NOWHERE)

    def _resume(self, problem: str, claimed: int = 0) -> Iterator[Damage]:
        """Find the next sound block; yield the damage before it.

        Args:
            problem: What is wrong; empty if the block lacks bytes at the end of the file.
            claimed: Offset at which a block ends by its own size.
        """
        window = self._window
        start = window.base + self._at
        inside = self._overlapping(exact=not problem)
        self._before = None
        if inside >= 0:
            size = self._at - inside
            self._at, self.resumed = inside, window.base + inside
            yield Damage(self.number - 1, start, BEFORE.format(size=in_bytes(size)), b"")
            return
        data = window.data[self._at : self._at + SAMPLE]
        kind = struct.unpack_from(f"{self._order_at(self._at)}I", data)[0] if len(data) >= _LEAST else 0
        frames = int(kind in _PACKETS)
        if CAPTURES.get(data[:4]) == "pcap" and self._section is not None:
            yield self._join(data[:PCAP_HEADER])
            return
        cut, zeros = not problem, start
        # Blocks that do not end with the file are those of a capture in a frame that was cut.
        exact, run = cut, len(window.data) + window.base if cut else claimed
        if kind == _SECTION and len(data) >= _LEAST:
            exact, run = False, 0
            self._begin(data)
        self._at += 1
        while (offset := self._next(self._at, len(window.data), run - window.base, exact=exact)) < 0:
            zeros = window.behind_zeros(zeros)
            if offset == _UNCERTAIN:
                self._at = self._uncertain
            else:
                self._at = max(len(window.data) - _LEAST + 1, self._at)
                if window.over:
                    break
            self._more()
        if offset >= 0:
            self._at = offset
            self._passed, self.resumed = True, window.base + offset
            size, hole = self.resumed - start, min(window.behind_zeros(zeros), self.resumed) - start
            if cut:
                problem = f"a block of type {kind} is longer than the file"
            problem = f"{problem}; {passed_over(size)}"
            if hole >= _HOLE:
                problem = HOLE.format(zeros=hole, size=size)
            yield Damage(self.number if frames else None, start, problem, data[:size], size, frames)
            self.number += frames
            return
        size = window.base + len(window.data) - start
        self._end, self.sound = start, cut
        if cut:
            problem = f"the file ends within the header of a block: {size} of {_LEAST} bytes"
            if size >= _LEAST:
                (whole,) = struct.unpack_from(f"{self._order}I", data, 4)
                problem = f"the file ends within a block: {size} of {whole} bytes"
        elif window.behind_zeros(zeros) == start + size:
            problem, data, size = ZEROS.format(size=size), data[:_LEAST], 0
        else:
            problem = (
                f"{problem}; in {in_bytes(size)} that {plural(size, 'follows', 'follow')}, no block is found"
            )
        yield Damage(self.number if frames else None, start, problem, data, size)


def _fits(kind: int, size: int, most: int) -> bool:
    """Return whether a block of this type can have this size, for frames of up to `most` bytes."""
    return size >= _LEAST and size % 4 == 0 and size <= (most + 0x1_0000 if kind in _PACKETS else _MOST_BLOCK)


def _order_of(head: bytes) -> str:
    """Return the byte order of a section header: by its mark, or else by its size."""
    (size,) = struct.unpack_from("<I", head, 4)
    return _BYTE_ORDERS.get(head[8:12], "<" if size <= _MOST_SECTION else ">")


def _unjudged(data: bytes) -> bytes:
    """Return the block of an interface without what a file may have behind its link type."""
    return data[: _LINK_AT + 2] + bytes(2) + data[_AFTER_LINK:] if len(data) >= _LEAST_INTERFACE else data


def _add_interface(section: _Section, data: bytes) -> None:
    """Add the interface that a block describes."""
    order, interfaces = section
    # Later interfaces keep their numbers even if this one is invalid.
    interfaces.append(_Interface(-1, 0, SECOND, 0))
    if len(data) < _LEAST_INTERFACE:
        raise _Refused(f"{len(data)} bytes are too few for it")
    link, _, longest = struct.unpack_from(f"{order}HHI", data, 8)
    # Frames can be read without the options, so a damaged option does not invalidate the interface.
    interfaces[-1] = _Interface(link, longest, SECOND, 0)
    for code, value in _options(data, order):
        if code == _RESOLUTION:
            power = value[0]
            ticks = 2 ** (power & 0x7F) if power & 0x80 else 10**power
            interfaces[-1] = interfaces[-1]._replace(ticks=ticks)
        elif code == _OFFSET:
            interfaces[-1] = interfaces[-1]._replace(seconds=struct.unpack(f"{order}q", value)[0])


def _options(data: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """Iterate over the options of an interface, by their codes."""
    at, end = 16, len(data) - 4
    while at + 4 <= end:
        code, size = struct.unpack_from(f"{order}HH", data, at)
        if at + 4 + size > end:
            raise _Refused("an option is longer than the block")
        if code == 0:
            return
        if size != _SIZES.get(code, size):
            raise _Refused(f"option {code} has {in_bytes(size)} instead of {_SIZES[code]}")
        yield code, data[at + 4 : at + 4 + size]
        at += 4 + size + -size % 4
