"""Identifies connections by their endpoints, and the sequence numbers of their SYNs.

1. A connection is identified by its endpoints and the sequence number of its SYN, so a reused port starts a
   new connection.  The data of a SYN (TCP Fast Open, RFC 7413) may be acknowledged or not.
2. If both sides open a connection at once, it is identified by the earlier SYN.
3. A delayed copy of a SYN of an older connection changes nothing if no data follow: see `Openings.take`.
4. Only a SYN begins the next connection: no FIN, no RST and no time does, because segments may be captured
   later.  A FIN or RST before the first SYN only shows that what precedes it is of another connection.
5. Segments that were captured before a SYN are of its connection if their numbers fit (`may_be_of`).
   Delayed segments whose numbers are before the SYN are of one of the last `OLDER` connections (`home_of`).
6. The distance of two sequence numbers is the one modulo 2**32 with the smallest absolute value.
7. Files and pipes decide alike, with the functions of this module, of which connection a segment is, which
   segments are keep-alives, which copy of a byte is read first, and whether bytes are missing at the end.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from msmq_wire.captures.files.segments import FIN, RST, SYN
from msmq_wire.values.numbers import PING_PORT, PORT
from msmq_wire.views.texts import endpoint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WRAP: Final = 1 << 32
"""The number of sequence numbers."""
_HALF: Final = WRAP >> 1
NONE: Final = -1
"""The opening of a connection whose SYN was not captured; the number of an unknown byte."""
LEAST: Final = -(1 << 63)
"""An offset before all others."""
OLDER: Final = 16
"""Of how many connections before that of a SYN a delayed segment may be; else it is of one without a SYN."""
_SYNS: Final = 256
"""The SYNs of so many connections between two endpoints are remembered."""
_NEXT: Final = 16
"""Number of segments after the copy of a SYN among which the next one of its flow is searched."""
_LATE: Final = 1 << 20
"""Maximum distance of bytes captured before their SYN, or of acknowledged ones that were not captured.

Numbers of other connections are usually farther away."""
OPENED: Final = " #"
"""The separator before the number of the SYN in the name of a flow; omitted if the SYN was not captured."""
_LISTENING: Final = {"tcp": PORT, "udp": PING_PORT}
"""The ports of MSMQ at which queue managers listen."""
_CALLS_FROM: Final = 1024
"""The least port of remote calls: those of MSMQ, such as 2103, and those that the system assigns."""


def near(number: Any, before: Any) -> Any:
    """Return how far sequence numbers, or arrays of them, are ahead of others; negative if behind."""
    distance = number - before
    distance += _HALF
    distance %= WRAP
    distance -= _HALF
    return distance


def may_be_of(first: Any, number: Any, size: int = 0) -> Any:
    """Return whether segments that came before the SYN, or after another one, may be of its flow.

    Args:
        first: The number of the first byte of the flow, or an array; `NONE` if it is unknown.
        number: The number of each segment, or an array.
        size: How many bytes of the flow are known.
    """
    return (first != NONE) & ((number - first) % WRAP <= size + _LATE)


def is_before(stream_offset: Any, begin: Any, length: Any, flags: Any) -> Any:
    """Return whether segments are of an older connection, because they are before the SYN of their flow.

    The number of the SYN itself may be that of a keep-alive, or of the first of several bytes, but not of a
    FIN without bytes.

    Args:
        stream_offset: The offset of each segment in the flow.
        begin: The offset after the SYN.
        length: The number of its bytes.
        flags: Its flags.
    """
    return stream_offset < begin - ((length > 0) | ((flags & FIN) == 0))


def may_be_alive(length: Any, flags: Any) -> Any:
    """Return whether segments may be keep-alives: those of a single byte, without SYN, FIN and RST."""
    return (length == 1) & ((flags & (SYN | FIN | RST)) == 0)


def is_keep_alive(end: int, longest: int, data: int) -> bool:
    """Return whether a segment that may be one is a keep-alive (RFC 9293, 3.8.4).

    Args:
        end: The offset after the byte.
        longest: The end of the SYN and of the longer segments of the flow so far.
        data: The end of the single bytes so far that are data, such as probes of a zero window.
    """
    return data < end == longest


def may_be_after_fin(number: Any, end: Any, *, is_ended: Any) -> Any:
    """Return whether segments without bytes show no missing ones, because they may be those after the FIN.

    A FIN has a sequence number and no byte, whether it was captured or not.

    Args:
        number: The offset of each segment.
        end: The end of the segment before it, or of all segments of its flow.
        is_ended: Whether these have a FIN whose number is not counted in the end.
    """
    return is_ended | (number <= end + 1)


def may_acknowledge(number: Any, end: Any) -> Any:
    """Return whether segments may acknowledge bytes behind those of a flow that were captured.

    One that acknowledges many more is of another connection between the same ports, as is the answer to a SYN
    from a side that knows an older one (RFC 9293, 3.5.1).

    Args:
        number: The offset up to which each acknowledges bytes.
        end: The end of the captured segments of the flow.
    """
    return number <= end + _LATE


def read_order(stream_offset: Any, wrong: Any) -> Any:
    """Return numbers in the order in which segments of a flow are read.

    Of those with the same offset, those with a wrong checksum come last: the receiver has dropped them.
    """
    return 2 * stream_offset + wrong


def _begins_again(seq: int, size: int, following: Iterable[tuple[bool, int, int]]) -> bool | None:
    """Return whether the next segment of the flow follows a SYN, as for `Openings.take`."""
    count = 0
    for count, (is_own, flags, number) in enumerate(islice(following, _NEXT), 1):  # noqa: B007  # used below
        if is_own and not flags & (SYN | RST):
            return (number - seq - 1) % WRAP <= size
    return False if count == _NEXT else None


def home_of(
    order: Sequence[int],
    stop: int,
    extents: Mapping[tuple[int, bool], tuple[int, int]],
    number: int,
    *,
    forward: bool,
) -> int:
    """Return the opening of the connection of a delayed segment, which is before the SYN of its flow.

    It is the last older one with a flow whose numbers fit, or `NONE`.

    Args:
        order: The openings of the connections between the endpoints, one after the other.
        stop: The index of the connection of the SYN.
        extents: By opening, and whether they go from the endpoint that is named first, the number of the SYN
            of each flow and its size.
        number: The number of the segment.
        forward: Whether it goes from the endpoint that is named first.
    """
    for opening in reversed(order[max(stop - OLDER, 0) : stop]):
        first, size = extents.get((opening, forward), (NONE, 0))
        if may_be_of(first, number, size):
            return opening
    return NONE


@lru_cache(maxsize=4096)  # called for each segment of a pipe
def pair_of(
    transport: str,
    file: str | None,
    src: str | None,
    src_port: int | None,
    dst: str | None,
    dst_port: int | None,
) -> tuple[str, bool]:
    """Return the text of a pair of endpoints, and whether the sender is the one that is named first.

    Pieces of a file of packets have the name of the file; contents that it had later have names of their own.
    """
    if transport == "raw":
        name, _, numbers = (file or "").partition("\0")
        rewrites = numbers.partition(".")[2] or "0"
        return name if rewrites == "0" else f"{name} ({int(rewrites) + 1})", True
    sender, receiver = endpoint(src, src_port), endpoint(dst, dst_port)
    return f"{transport} {min(sender, receiver)} {max(sender, receiver)}", sender <= receiver


def group_of(pair: str) -> str:
    """Return a key that is equal for pairs that belong together: their hosts, if they may have remote calls.

    A call may name a handle that another connection between the two has opened.
    """
    kind, _, ends = pair.partition(" ")
    if kind != "tcp":
        return pair
    hosts, ports = zip(*(end.rpartition(":")[::2] for end in ends.split(" ")), strict=True)
    is_calling = all(port.isdigit() and int(port) >= _CALLS_FROM for port in ports)
    return " ".join(sorted(hosts)) if is_calling and str(PORT) not in ports else pair


class Openings:
    """The last `_SYNS` connections between two endpoints, one after the other, by their SYNs.

    An opening is the sequence number of the SYN times two, plus one if its sender is named first.

    Args:
        crossed: For openings of SYNs that crossed a SYN of the other side, the opening of their connection.

    Attributes:
        current: The opening of the connection of the following segments; `NONE` before the first SYN.
        firsts: The first number of each flow of the first connection, by whether it goes from the endpoint
            that is named first; `NONE` if unknown.
    """

    def __init__(self, crossed: Mapping[int, int] | None = None) -> None:
        self.current = self._first = NONE
        self.firsts = dict[bool, int]()
        self._crossed = crossed or {}
        self._sides = dict[int, int]()  # by opening, the senders of its SYNs: 1, 2 if named first, or the sum
        self._last = dict[bool, tuple[int, int]]()  # by sender, number and size of the last SYN without ACK

    @property
    def order(self) -> list[int]:
        """The openings of the connections, one after the other."""
        return [*self._sides]

    def take(
        self,
        seq: int,
        ack: int | None,
        size: int,
        *,
        forward: bool,
        following: Iterable[tuple[bool, int, int]],
    ) -> tuple[int, bool | None]:
        """Take a SYN; return its opening, and whether that is current now.

        An older connection is current again if the next segment of the flow follows its repeated first SYN,
        as in another capture with another clock, or if it is not remembered.  None means that no segment of
        the flow is there yet, and that nothing has changed.

        Args:
            seq: Its sequence number.
            ack: Its acknowledgment number; None without the flag ACK.
            size: The number of its bytes.
            forward: Whether its sender is named first.
            following: Whether the next segments of the pair have its direction, their flags and numbers.
        """
        own = opening = seq * 2 + forward
        if ack is not None:
            begin = (ack - 1) % WRAP
            number, most = self._last.get(not forward, (begin, 0))
            opening = (number if (begin - number) % WRAP <= most else begin) * 2 + (not forward)
            if own in self._sides:  # both sides opened: each answers with its own SYN (RFC 9293, 3.5)
                opening, later = sorted((own, opening), key=[*self._sides, opening].index)
                self.current = opening if self.current == later else self.current
        opening = self._crossed.get(opening, opening)
        if opening ^ 1 in self._sides:
            opening ^= 1  # flows have different numbers, also if both sides opened with this one
        sides = self._sides.get(opening, 0)
        if opening != self.current and sides & (1 + forward):
            is_answer = bool(opening & 1) != forward and sides & (1 + (not forward))
            is_again = False if is_answer else _begins_again(seq, size, following)
            if not is_again:
                return opening, is_again
        if ack is None:
            self._last[forward] = seq, size
        if self._first == NONE:
            self._first, self.firsts = opening, {forward: seq + 1, not forward: NONE if ack is None else ack}
        elif ack is not None and opening == self._first and self.firsts[forward] == NONE:
            self.firsts[forward] = seq + 1
        self._sides[opening] = sides | (1 + forward)
        self.current = opening
        if len(self._sides) > _SYNS:
            del self._sides[next(other for other in self._sides if other != opening)]
        return opening, True


def _listens(transport: str, port: int) -> tuple[bool, int]:
    """Return a key that is greater for the side that listens: the port of MSMQ, or usually the lower one."""
    return port == _LISTENING.get(transport), -port


def flow_of(values: tuple[Any, ...], opening: int, *, forward: bool) -> tuple[Any, ...]:
    """Return the columns of `FLOW`.

    Args:
        values: Sensor, pair of endpoints, transport, file, and both endpoints.
        opening: As in `Openings`.
        forward: Whether the flow goes from the endpoint that is named first.
    """
    sensor, pair, transport, file, src, src_port, dst, dst_port = values
    number = "" if opening == NONE else f"{OPENED}{opening >> 1:x}"
    if transport == "raw":
        flow = file
    else:
        flow = f"{transport} {endpoint(src, src_port)} > {endpoint(dst, dst_port)}{number}"
    if opening == NONE:
        unequal = dst_port is not None and src_port is not None and dst_port != src_port
        # Each direction differs from the other.
        outward = _listens(transport, dst_port) > _listens(transport, src_port) if unequal else forward
    else:
        outward = bool(opening & 1) == forward
    ends = src, src_port, dst, dst_port
    return sensor, transport, pair + number, flow, "->" if outward else "<-", *ends
