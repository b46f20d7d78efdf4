"""Captures by hand: the frames of a connection, one after the other, as a file."""

from __future__ import annotations

import struct
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from msmq_wire import captures
from msmq_wire.captures.gathering import LATE
from msmq_wire.testing.captures.wire import ACK, FIN, SYN, Address, Path

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterable

A = Address(ip_address("10.0.0.1"), 50000, b"\2\0\0\0\0\1")
B = Address(ip_address("10.0.0.2"), 1801, b"\2\0\0\0\0\2")
MICRO = 1_000_000
OF_CONNECTIONS = tuple(name for name in captures.TABLES if name not in LATE | {"findings"})
"""The tables of each connection by itself."""


def pcap(frames: Iterable[tuple[int, bytes]], link: int = 1) -> bytes:
    """A capture file of frames, each with its time in microseconds."""
    data = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)]
    for time, frame in frames:
        data += [struct.pack("<IIII", *divmod(time, MICRO), len(frame), len(frame)), frame]
    return b"".join(data)


class Capture:
    """Builds a capture file: frames of one connection, each with its time in microseconds."""

    def __init__(self, port: int = 1801, seq: int = 1000, back: int = 5000, client: Address = A) -> None:
        listener = B._replace(port=port)
        self.ways = {"->": Path(client, listener), "<-": Path(listener, client)}
        self.next = {"->": seq, "<-": back}
        self.frames: list[tuple[int, bytes]] = []
        self.time = 1_700_000_000 * MICRO

    def add(self, way: str, seq: int, flags: int = ACK, data: bytes = b"") -> bytes:
        ack = self.next["<-" if way == "->" else "->"]
        frame = self.ways[way].tcp(seq % 2**32, ack % 2**32, flags, data)
        self.time += 1000
        self.frames.append((self.time, frame))
        return frame

    def open(self) -> Capture:
        for way, flags in (("->", SYN), ("<-", SYN | ACK), ("->", ACK)):
            self.add(way, self.next[way], flags)
            self.next[way] += bool(flags & SYN)
        return self

    def send(self, *parts: bytes, way: str = "->", flags: int = ACK) -> Capture:
        for data in parts:
            self.add(way, self.next[way], flags, data)
            self.next[way] += len(data) + bool(flags & FIN)
        return self

    def join(self, other: Capture) -> Capture:
        """Add the frames of another connection, which were captured later."""
        later = self.time - other.frames[0][0] + 1000
        self.frames += [(time + later, frame) for time, frame in other.frames]
        self.time = self.frames[-1][0]
        return self

    def close(self) -> Capture:
        self.send(b"", flags=FIN | ACK).send(b"", way="<-", flags=FIN | ACK)
        self.add("->", self.next["->"])
        return self

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return pcap(self.frames)

    def tables(
        self,
        path: pathlib.Path,
        settings: captures.Settings | None = None,
        names: Iterable[str] | None = OF_CONNECTIONS,
    ) -> dict[str, list[dict[str, Any]]]:
        """The rows of tables; all if no names are given, which takes twice as long."""
        place = path / "a.pcap"
        place.write_bytes(self.data)
        return {
            name: reader.read_all().to_pylist()
            for name, reader in captures.tables(place, names, settings).items()
        }
