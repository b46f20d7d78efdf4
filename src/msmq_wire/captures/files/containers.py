"""The common parts of readers of capture files: frames, damage, and a window on the bytes.

1. Frames are returned as `Frames`: all frames of one chunk of the file, with arrays of their record data.
2. Damage is reported once, as a `Damage`.  Reading goes on at the next record or block that is sound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from msmq_wire.captures.network.links import LINK_TYPES
from msmq_wire.values.errors import in_bytes, plural

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from msmq_wire.captures.network.links import LinkVote

    from .sources import Source

CHUNK = 1 << 20
ENOUGH: Final = 512
"""Number of bytes of records or blocks that tell the form of a file, or their byte order."""
STEP: Final = 4096
"""Number of offsets that are searched first behind damage; each time twice as many."""
SAMPLE: Final = 0x1_0000
"""Number of damaged bytes that are kept."""
NO_MARK: Final = "the file begins with 0x{}, which is no mark of {form}; it is read as {form}"
"""The problem of a capture of which the first bytes are damaged."""
BEFORE: Final = "a record begins {size} before the end of the frame before it; it is read there"
"""The problem of a frame that has lost bytes, by the record behind it."""
HOLE: Final = "a hole of {zeros} bytes of zeros, as if they were not written; {size} bytes were passed over"
ZEROS: Final = "{size} bytes of zeros follow, as if the rest of the file was not written"
JOINED: Final = "another capture begins within the file; its frames are read as later ones"
"""The note about the header of a capture behind the last record of another one: nothing is lost."""


AHEAD = 4 << 20
"""Number of bytes, from the first frame of an interface on, whose frames prove its link type."""


def link_problem(vote: LinkVote, stated: int, of: str, whose: str = "") -> str:
    """Return what is wrong with a link type, by its frames; an empty text if nothing is.

    Args:
        vote: What the frames prove.
        stated: The link type that a header states.
        of: The name of this header.
        whose: Whose frames they are, as words that follow a noun.
    """
    if vote.link != stated:
        return f"{of} states link type {stated}, but frames begin as those of {vote.link}; they are read so"
    if stated not in LINK_TYPES:
        return f"frames{whose} have the link type {stated}, which is not read"
    if not vote.is_unreadable:
        return ""
    return f"the first {vote.frames:,} frames{whose} are not IP by link type {stated}, and prove no other"


def passed_over(size: int) -> str:
    """Return the part of a sentence that tells how many bytes are not read."""
    return f"{in_bytes(size)} {plural(size, 'was', 'were')} passed over"


class Window:
    """The bytes of a source from one place to another; both move forward.

    Args:
        source: The bytes.

    Attributes:
        data: The bytes.
        base: Offset of the first of them.
        over: Whether no more bytes follow.
        live: As for the source.
    """

    def __init__(self, source: Source) -> None:
        self.data = b""
        self.base = source.offset
        self.over = False
        self.live = source.live
        self._source = source

    def more(self, at: int) -> None:
        """Omit the bytes before an index, and read more."""
        chunk = self._source.some(CHUNK)
        self.over = not chunk
        self.data = self.data[at:] + chunk
        self.base += at

    def give_back(self, at: int) -> None:
        """Give the bytes from an index on back to the source, for another reader."""
        self._source.put_back(self.data[at:])
        self.data, self.over = self.data[:at], True

    def behind_zeros(self, offset: int) -> int:
        """Return the offset behind the zeros that begin at an offset in the file, as far as they are read."""
        rest = self.data[offset - self.base :] if offset >= self.base else b"."
        return offset + len(rest) - len(rest.lstrip(b"\0"))


class Frames(NamedTuple):
    """Consecutive captured frames of a file.  Each array has one entry per frame.

    Attributes:
        chunk: The bytes of the file that contain the frames.
        number: The number of the first frame in the file, starting at 1.
        offsets: Offsets of the records in the file, in bytes.
        times: Microseconds since 1970, or `NO_TIME`.
        links: Link types.
        wires: Sizes on the wire, in bytes.
        starts: Starts of the frames in the chunk.
        sizes: Captured sizes, in bytes.
        ends: Offsets after the records in the file.
    """

    chunk: bytes
    number: int
    offsets: NDArray[np.int64]
    times: NDArray[np.int64]
    links: NDArray[np.int64]
    wires: NDArray[np.int64]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    ends: NDArray[np.int64]


NO_TIME: Final = -1
"""The time of a frame whose block has none."""


class Damage(NamedTuple):
    """Bytes that cannot be read.

    Attributes:
        number: The number that the frame would have; None if the damage is not in a frame.
        offset: Offset of the damage in the file.
        problem: The error.
        data: The damaged bytes, truncated if long.
        size: Number of the damaged bytes, if they are more than `data`.
        frames: How many frames it replaces, which are in no `Frames`.
    """

    number: int | None
    offset: int
    problem: str
    data: bytes
    size: int = 0
    frames: int = 0

    @property
    def bytes(self) -> int:
        """The number of the damaged bytes."""
        return max(self.size, len(self.data))


class CaptureReader:
    """The state of a reader of captures.

    Args:
        source: The bytes to read.
        most: Largest size of a frame in bytes.
        number: The number of the first frame.
        growing: Whether the file is still written, so that a record or block that lacks bytes is no damage.

    Attributes:
        preamble: The headers that describe the last frames; it may grow.
        number: The number of the next frame.
        sound: Whether records or blocks may follow; False if the last bytes are neither.
        resumed: Offset at which reading went on behind damage for the last time; 0 if there was none.
        joined: Whether a capture of another format begins at the end.
    """

    preamble: bytes | bytearray

    def __init__(self, source: Source, most: int, number: int, *, growing: bool) -> None:
        self.number = number
        self.sound = True
        self.resumed = 0
        self.joined = False
        self._most = most
        self._growing = growing
        self._window = Window(source)
        self._at = 0  # index of the next record or block in the window
        self._end: int | None = None

    @property
    def end(self) -> int:
        """Offset after the last record or block that was read."""
        return self._window.base + self._at if self._end is None else self._end

    def _join(self, header: bytes) -> Damage:
        """End before a capture of another format, which begins here, and note that."""
        self._end, self.sound, self.joined = self.end, False, True
        self._window.give_back(self._at)
        return Damage(None, self._end, JOINED, header)
