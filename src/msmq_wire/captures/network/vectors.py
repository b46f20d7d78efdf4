"""Reads many common frames at once: TCP in an IP packet that was captured completely, also in VXLAN.

1. The results equal those of `frames.Dissector`; a test compares them.  All other frames are left to the
   dissector: other tunnels, fragments, truncated frames, and contradictory headers.
2. Numbers are gathered from the chunk for all frames together; bytes are copied once.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa

from msmq_wire.captures.files.containers import NO_TIME
from msmq_wire.captures.files.segments import RST, SEGMENTS
from msmq_wire.captures.schemas import plain
from msmq_wire.packets.packet_starts import marked
from msmq_wire.values.numbers import PORT

from .frames import MODULUS
from .links import IPV4, IPV6, TAGS
from .tunnels import VXLAN_PORTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from msmq_wire.captures.files.containers import Frames

    from .frames import Ports

    Numbers = NDArray[np.int64]

_TCP, _UDP = 6, 17
_FEW: Final = 16
"""With fewer frames, vectors are not faster."""
_TAGS: Final = 2
"""How many tags of IEEE 802.1Q and 802.1ad are skipped."""
_FRAGMENT: Final = 0x3FFF
_VXLAN: Final = 16
"""Size of the headers of UDP and VXLAN (RFC 7348)."""
_HEADERS: Final = {0: (4, None), 1: (14, 12), 12: (0, None), 14: (0, None), 101: (0, None), 108: (4, None),
                   113: (16, 14), 228: (0, None), 229: (0, None), 276: (20, 0)}  # fmt: skip
"""Size of the link header and offset of the EtherType in it, by link type; None: the IP version decides."""
_PLAIN: Final = plain(SEGMENTS)


class Usual(NamedTuple):
    """The frames that were read.

    Attributes:
        batch: Their rows.
        rest: Indices of the other frames.
        size: Captured bytes of the frames that were read.
        wrong: How many of these have a wrong checksum.
    """

    batch: pa.RecordBatch
    rest: NDArray[np.int64]
    size: int
    wrong: int


def usual(name: str, frames: Frames, ports: Ports) -> Usual | None:
    """Read the common frames; return None if there are too few.

    Args:
        name: The file.
        frames: The frames.
        ports: Which ports are read.
    """
    count = len(frames.starts)
    link = int(frames.links[0]) if count else -1
    if count < _FEW or link not in _HEADERS:
        return None
    chunk = Chunk(frames.chunk)
    start, size = frames.starts, frames.sizes
    header, type_at = _HEADERS[link]
    stop = start + size
    at = start + header
    good = frames.links == link
    kind, at = chunk.untagged(chunk.version(at) if type_at is None else chunk.word(start + type_at), at)
    (tunnelled,) = chunk.in_vxlan(kind, at).nonzero()
    if len(tunnelled):
        inner = at[tunnelled] + (chunk.byte(at[tunnelled]) & 15) * 4 + _VXLAN
        kind[tunnelled], at[tunnelled] = chunk.untagged(chunk.word(inner + 12), inner + 14)
    version = chunk.version(at)
    four, six = (kind == IPV4) & (version == IPV4), (kind == IPV6) & (version == IPV6)
    words = chunk.byte(at) & 15
    tcp = at + np.where(four, words * 4, 40)
    total = np.where(four, chunk.word(at + 2), chunk.word(at + 4) + 40)
    protocol = np.where(four, chunk.byte(at + 9), chunk.byte(at + 6))
    end = at + total
    good &= (protocol == _TCP) & (end <= stop) & (tcp + 20 <= end)
    good &= six | four & (words >= 5) & ((chunk.word(at + 6) & _FRAGMENT) == 0)
    data = tcp + (chunk.byte(tcp + 12) >> 4) * 4
    good &= (data >= tcp + 20) & (data <= end)
    sport, dport = chunk.word(tcp), chunk.word(tcp + 2)
    if ports.tcp is not None:
        wanted = np.array(sorted(ports.tcp), np.int64)
        good &= np.isin(sport, wanted) | np.isin(dport, wanted)
    index = np.flatnonzero(good)
    if len(index) < _FEW:
        return None
    pick = _Picked(at[index], tcp[index], data[index], end[index], sport[index], dport[index], four[index])
    checksum = pick.checksums(chunk)
    flags = chunk.byte(pick.tcp + 13)
    pick = pick._replace(end=np.where(flags & RST, pick.data, pick.end))
    times = frames.times[index]
    length = pa.array((pick.end - pick.data).astype(np.int32))
    src, dst = pick.addresses(chunk)
    numbers = len(index)
    nothing = pa.nulls(numbers, pa.string())
    arrays = [
        pa.repeat(pa.scalar(name, pa.string()), numbers),
        pa.array(index + frames.number),
        pa.array(frames.offsets[index]),
        pa.array(times, mask=times == NO_TIME).cast(_PLAIN.field("time").type),
        pa.repeat(pa.scalar("tcp", pa.string()), numbers),
        src,
        pa.array(pick.sport.astype(np.int32)),
        dst,
        pa.array(pick.dport.astype(np.int32)),
        pa.array(chunk.long(pick.tcp + 4)),
        pa.array(chunk.long(pick.tcp + 8)),
        pa.array(flags.astype(np.int32)),
        cut_out(frames.chunk, pick.data, pick.end),
        length,
        length,
        checksum,
        pa.array(pick.marks(frames.chunk)),
        pa.array(size[index].astype(np.int32)),
        pa.nulls(numbers, pa.int64()),
        nothing,
    ]
    wrong = numbers - checksum.null_count - checksum.true_count
    batch = pa.RecordBatch.from_arrays(arrays, schema=_PLAIN)
    return Usual(batch, np.flatnonzero(~good), int(size[index].sum()), wrong)


def cut_out(data: bytes | memoryview, starts: Numbers, ends: Numbers) -> pa.Array:
    """Return ranges of bytes as an array; the ranges are in order and do not overlap.

    If each range begins where the previous one ends, nothing is copied.
    """
    if len(starts) and (starts[1:] == ends[:-1]).all():
        edges = np.r_[starts, ends[-1:]].astype(np.int32)
        buffers = [None, pa.py_buffer(edges), pa.py_buffer(data)]
        return pa.Array.from_buffers(pa.binary(), len(starts), buffers)
    edges = np.r_[np.column_stack([starts, ends]).ravel(), len(data)].astype(np.int32)
    buffers = [None, pa.py_buffer(edges), pa.py_buffer(data)]
    ranges_and_others = pa.Array.from_buffers(pa.binary(), len(edges) - 1, buffers)
    return ranges_and_others.take(pa.array(np.arange(0, len(edges) - 1, 2)))


class Chunk:
    """The bytes of a chunk; reads numbers in network byte order at many offsets."""

    def __init__(self, data: bytes) -> None:
        self.bytes = data
        self._data = np.frombuffer(data, np.uint8)
        self._words, self._longs = (
            np.ndarray((len(data) - size + 1,), f">u{size}", data, strides=(1,)) for size in (2, 4)
        )

    def byte(self, at: Numbers) -> Numbers:
        """Return the byte at each offset; offsets outside the chunk are clipped, their values not used."""
        return self._data.take(at, mode="clip").astype(np.int64)

    def word(self, at: Numbers) -> Numbers:
        """Return the 16-bit number at each offset; offsets behind the chunk as in `byte`."""
        return self._words[np.minimum(at, len(self._words) - 1)].astype(np.int64)

    def long(self, at: Numbers) -> Numbers:
        """Return the 32-bit number at each offset; offsets behind the chunk as in `byte`."""
        return self._longs[np.minimum(at, len(self._longs) - 1)].astype(np.int64)

    def sums(self, start: Numbers, end: Numbers) -> Numbers:
        """Return the sum of the 16-bit numbers in each range modulo 65,535; a zero follows an odd size.

        The ranges are in order, and not longer than an IP packet, so that a sum has 32 bits.
        """
        words = np.frombuffer(self.bytes, "<u2", len(self.bytes) // 2)
        edges = np.column_stack([start, end]).ravel() // 2
        within = edges[edges < len(words)]  # the last range may reach the end of the bytes
        sums = np.add.reduceat(words, within, dtype=np.uint32)[::2].astype(np.int64)
        odd = (start & 1).astype(np.bool_)
        sums += np.where(end & 1, self.byte(end - 1), 0) - np.where(odd, self.byte(start - 1), 0)
        # Exchanging the two bytes is a multiplication by 256; at odd offsets they are exchanged already.
        swapped: Numbers = np.where(odd, sums, sums << 8) % MODULUS
        return swapped

    def version(self, at: Numbers) -> Numbers:
        """Return the EtherType for the version in the IP header at each offset; 0 for other versions."""
        version = self.byte(at) >> 4
        return np.where(version == 4, IPV4, np.where(version == 6, IPV6, 0))

    def untagged(self, kind: Numbers, at: Numbers) -> tuple[Numbers, Numbers]:
        """Return the types and offsets after the tags."""
        for _ in range(_TAGS):
            tagged = np.isin(kind, TAGS)
            if not tagged.any():
                break
            kind, at = np.where(tagged, self.word(at + 2), kind), np.where(tagged, at + 4, at)
        return kind, at

    def in_vxlan(self, kind: Numbers, at: Numbers) -> NDArray[np.bool_]:
        """Return which frames have another Ethernet frame in VXLAN over IPv4, if they are long enough."""
        is_vxlan: NDArray[np.bool_] = (kind == IPV4) & (self.byte(at + 9) == _UDP)
        if not is_vxlan.any():
            return is_vxlan
        udp = at + (self.byte(at) & 15) * 4
        is_vxlan &= (self.version(at) == IPV4) & (udp >= at + 20) & ((self.word(at + 6) & _FRAGMENT) == 0)
        is_vxlan &= np.isin(self.word(udp + 2), VXLAN_PORTS)
        is_vxlan &= ((self.byte(udp + 8) & 8) != 0) & (self.byte(udp + 15) == 0)
        return is_vxlan

    def strings(self, at: Numbers, size: int) -> NDArray[np.void]:
        """Return `size` bytes at each offset."""
        gathered = self._data.take(at[:, None] + np.arange(size))
        strings: NDArray[np.void] = np.ascontiguousarray(gathered).view(f"V{size}")[:, 0]
        return strings


class _Picked(NamedTuple):
    """Offsets in the chunk: IP header, TCP header, payload and its end; ports; whether it is IPv4."""

    at: Numbers
    tcp: Numbers
    data: Numbers
    end: Numbers
    sport: Numbers
    dport: Numbers
    four: NDArray[np.bool_]

    def checksums(self, chunk: Chunk) -> pa.Array:
        """Return whether each checksum is right; null if the network card fills it in later."""
        size = self.end - self.tcp
        sums = chunk.sums(self.tcp, self.end)
        pseudo = size + _TCP
        for here, start, count in ((self.four, 12, 2), (~self.four, 8, 8)):
            addresses = self.at[here] + start
            pseudo[here] += sum(chunk.long(addresses + 4 * number) for number in range(count))
        right = (sums + pseudo) % MODULUS == 0
        unfilled = chunk.word(self.tcp + 16) % MODULUS == pseudo % MODULUS
        return pa.array(right, mask=~right & unfilled)

    def addresses(self, chunk: Chunk) -> tuple[pa.Array, pa.Array]:
        """Return the addresses of senders and receivers as text."""
        columns = []
        for way in (0, 1):
            texts: list[str] = []
            text_of = np.empty(len(self.at), np.int64)
            for here, start, size in ((self.four, 12, 4), (~self.four, 8, 16)):
                offsets = self.at[here] + start + way * size
                if not len(offsets):
                    continue
                if size == 4:
                    raw = pa.array(chunk.long(offsets))
                else:
                    buffers = [None, pa.py_buffer(chunk.strings(offsets, size))]
                    raw = pa.Array.from_buffers(pa.binary(size), len(offsets), buffers)
                coded = raw.dictionary_encode()
                text_of[here] = coded.indices.to_numpy() + len(texts)
                address = IPv4Address if size == 4 else IPv6Address
                texts += [str(address(number)) for number in coded.dictionary.to_pylist()]
            columns.append(pa.array(texts, pa.string()).take(pa.array(text_of)))
        return columns[0], columns[1]

    def marks(self, chunk: bytes) -> NDArray[np.bool_]:
        """Return which frames may be MSMQ: by port, or because a packet starts in them."""
        starts_packet: NDArray[np.bool_] = (self.sport == PORT) | (self.dport == PORT)
        (others,) = (~starts_packet).nonzero()
        ranges = zip(self.data[others].tolist(), self.end[others].tolist(), strict=True)
        starts_packet[others] = [marked(chunk[start:end]) for start, end in ranges]
        return starts_packet
