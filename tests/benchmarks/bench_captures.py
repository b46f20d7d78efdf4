"""What captures cost: tables beside tshark on the same file, and reassembly beside decoding and copying.

1. Each job runs in a process of its own, so that its processor time, its memory and its wall clock are those
   of the whole process, start of Python included.  Bytecode is kept, as of an installed package, whatever the
   environment says; the first turn may compile it.
2. Jobs take turns, and the least processor time of each counts: where others work on the same machine, only
   ratios within a run say something.
3. Reassembly is of segments of 1,460 bytes without faults: by the engine, which orders the segments of a
   capture and finds and checks the packets in them as columns, and by `FlowReader`, which is fed with one
   segment after the other.  Beside them are `decode` of the packets alone, and a copy of the bytes by joining
   the segments.
4. Messages that are alone in their connections are compared with as many in long ones, without what a
   capture of one message costs.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from ipaddress import IPv4Address
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.captures.engine import part_batches
from msmq_wire.captures.files.reading import ReadLimits, Tally
from msmq_wire.captures.files.splits import FileSlice
from msmq_wire.captures.flows.buckets import Bucket
from msmq_wire.captures.flows.framing import pieces_of
from msmq_wire.captures.network.frames import Ports
from msmq_wire.packets.reassembly import FlowReader, Kind, Origin
from msmq_wire.testing.captures import Faults, wire, write_captures
from msmq_wire.testing.captures.wire import Address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["Cost", "best", "connections", "main", "reassembly", "tables", "tables_command"]

_PROCESS = """
import sys

class NoPandas:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "pandas":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, NoPandas)
from msmq_wire import captures
"""
"""Pandas is hidden, as where only the extra is installed: pyarrow would import it, in 0.3 s and 40 MB."""
_WRITE = (
    f"{_PROCESS}"
    "captures.write(sys.argv[1], sys.argv[2], names=sys.argv[3].split(',') if sys.argv[3] else None)"
)
_FIELDS = ("-o", "tcp.desegment_tcp_streams:TRUE", "-T", "fields", "-e", "tcp.payload")
_SEGMENT = 1460
_FIN, _SYN, _ACK = 1, 2, 0x10
_FEW = 200
_CONNECTIONS = 20_000


class Cost(NamedTuple):
    """What a process took.

    Attributes:
        processor: Seconds of processor time.
        clock: Seconds on the clock.
        memory: The most memory that it had, in megabytes.
    """

    processor: float
    clock: float
    memory: float


def _run(command: Sequence[str]) -> Cost:
    began = time.perf_counter()
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    with subprocess.Popen(  # noqa: S603  # commands of ours
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            problem = process.stderr.read().decode() if process.stderr else ""
            raise RuntimeError(f"{command[0]} ended with {process.returncode}: {problem}")
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - began, usage.ru_maxrss / 1024)


def best(jobs: dict[str, Callable[[], Cost]], turns: int) -> dict[str, Cost]:
    """The least of several turns of each job, which take turns."""
    costs = [{name: job() for name, job in jobs.items()} for _ in range(turns)]
    return {name: min(cost[name] for cost in costs) for name in jobs}


def tables(packets: int, turns: int, place: Path) -> dict[str, Cost]:
    """All tables, `packets` alone, and tshark, on captures of so many packets with all faults."""
    made = write_captures(place, packets, seed=1, faults=Faults.all(), managers=100)
    folder, output = str(made.captures[0].parent), place / "tables"

    def job(names: str) -> Callable[[], Cost]:
        return lambda: _run([sys.executable, "-c", _WRITE, folder, str(output), names])

    def tshark(arguments: Sequence[str]) -> Cost:
        costs = [_run(["tshark", "-r", str(path), *arguments]) for path in made.captures]
        return Cost(
            sum(cost.processor for cost in costs),
            sum(cost.clock for cost in costs),
            max(cost.memory for cost in costs),
        )

    jobs: dict[str, Callable[[], Cost]] = {"all tables": job(""), "packets": job("packets")}
    if shutil.which("tshark"):
        jobs["tshark with payload"] = lambda: tshark(_FIELDS)
    return best(jobs, turns)


def connections(messages: int, turns: int, place: Path) -> dict[str, Cost]:
    """All tables of messages that are alone in their connections, of as many in one, and of a single one."""

    def job(name: str, sizes: Sequence[int]) -> Callable[[], Cost]:
        path = place / f"{name}.pcap"
        path.write_bytes(_connections(sizes))
        return lambda: _run([sys.executable, "-c", _WRITE, str(path), str(place / "tables"), ""])

    jobs = {
        "alone": job("alone", [1] * messages),
        "in one": job("long", [messages]),
        "single": job("single", [1]),
    }
    return best(jobs, turns)


def _connections(sizes: Iterable[int]) -> bytes:
    """Return a capture of connections with so many messages each, a segment for each message."""
    frames = []
    numbers = itertools.count(1)
    for port, size in enumerate(sizes, start=1024):
        source = Address(IPv4Address("192.0.2.2") + (port >> 16), port & 0xFFFF, bytes(6))
        path = wire.Path(source, Address(IPv4Address("192.0.2.1"), 1801, bytes(6)))
        frames.append(path.tcp(0, 0, _SYN))
        offset = 1
        for _ in range(size):
            header = mqmq.UserHeader(MessageID=next(numbers))
            properties = mqmq.MessagePropertiesHeader(Label="a message", MessageBody=bytes(100))
            message = mqmq.UserMessage(UserHeader=header, MessagePropertiesHeader=properties).encode()
            frames.append(path.tcp(offset, 1, _ACK, message))
            offset += len(message)
        frames.append(path.tcp(offset, 1, _ACK | _FIN))
    return _pcap(frames)


def tables_command(inputs: Sequence[Path], output: Path) -> list[str]:
    """The command that writes all tables of captures by the local engine, and prints its stages."""
    code = (
        f"{_PROCESS}tell = lambda progress: print(progress.stage, flush=True)\n"
        "captures.write(sys.argv[2:], sys.argv[1], settings=captures.Settings(progress=tell))"
    )
    return [sys.executable, "-c", code, str(output), *map(str, inputs)]


def _capture(segments: Sequence[tuple[int, bytes]]) -> bytes:
    """Return a capture of one direction of a connection."""
    src, dst = (Address(IPv4Address(f"192.0.2.{end}"), 1801, bytes(6)) for end in (1, 2))
    path = wire.Path(src, dst)
    return _pcap([path.tcp(offset & 0xFFFFFFFF, 1, _ACK, data) for offset, data in segments])


def _pcap(frames: Sequence[bytes]) -> bytes:
    """Return a capture of frames, a microsecond after each other."""
    records = [
        struct.pack("<IIII", *divmod(number, 1_000_000), len(frame), len(frame)) + frame
        for number, frame in enumerate(frames)
    ]
    return b"".join((struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 18, 1), *records))


def reassembly(size: int, total: int, turns: int) -> dict[str, float]:
    """Seconds to reassemble, to decode and to copy about `total` bytes of packets of about that size."""
    body = bytes(max(size - 200, 0))
    packet = mqmq.UserMessage(
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="reassembly", MessageBody=body)
    ).encode()
    count = max(total // len(packet), 1)
    stream = packet * count
    segments = [(at, stream[at : at + _SEGMENT]) for at in range(0, len(stream), _SEGMENT)]
    origin = Origin(1, "capture", 1)
    capture = _capture(segments)
    part = FileSlice("capture", "pcap", 0, len(capture))
    read = part_batches(part, ReadLimits(Ports(None, None)), Tally(), file=pa.BufferReader(capture))
    batches = [batch for _, batch in read]

    def require(found: int) -> None:
        if found != count:
            raise AssertionError(f"{found} packets of {count}")

    def engine() -> None:
        pieces = pieces_of()(next(Bucket(batches, Path(gettempdir())).parts()).ordered())
        require(sum(pc.sum(pc.equal(batch.column("kind"), "packet")).as_py() or 0 for batch in pieces))

    def reassembled() -> None:
        reader, found = FlowReader(), 0
        for offset, data in segments:
            found += sum(piece.kind is Kind.PACKET for piece in reader.feed(offset, data, origin))
        require(found + sum(piece.kind is Kind.PACKET for piece in reader.close()))

    def decoded() -> None:
        for _ in range(count):
            mw.decode(packet)

    def copied() -> None:
        b"".join([data for _, data in segments])

    jobs = {"engine": engine, "FlowReader": reassembled, "decode": decoded, "copy": copied}
    found = dict.fromkeys(jobs, float("inf"))
    for _ in range(turns):
        for name, run in jobs.items():
            began = time.process_time()
            run()
            found[name] = min(found[name], time.process_time() - began)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packets", nargs="*", type=int, default=[10_000, 100_000], help="how many")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--bytes", type=int, default=16 << 20, help="how many bytes are reassembled")
    given = parser.parse_args(arguments)
    for packets in (_FEW, *given.packets):
        with tempfile.TemporaryDirectory() as place:
            found = tables(packets, given.turns, Path(place))
        peer = found.get("tshark with payload")
        for name, cost in found.items():
            ratio = "" if peer is None else f", {cost.processor / peer.processor:5.2f} of tshark"
            each = f"{cost.processor / packets * 1e6:8.1f} us a packet{ratio}"
            whole = f"{cost.clock:7.2f} s, {cost.memory:5.0f} MB"
            print(f"{packets:>10,} packets  {name:<20} {each}, {whole}", flush=True)
    with tempfile.TemporaryDirectory() as place:
        costs = connections(_CONNECTIONS, given.turns, Path(place))
    alone, together = (costs[name].processor - costs["single"].processor for name in ("alone", "in one"))
    print(
        f"{_CONNECTIONS:>10,} connections a message each {alone / _CONNECTIONS * 1e6:8.1f} us, "
        f"{alone / max(together, 1e-9):5.2f} of one connection"
    )
    for size in (500, 1000, 2000, 4000, 4_000_000):
        seconds = reassembly(size, given.bytes, given.turns)
        for own in ("engine", "FlowReader"):
            ratios = ", ".join(
                f"{seconds[own] / max(seconds[name], 1e-9):6.2f} times {name}" for name in ("decode", "copy")
            )
            print(f"{size:>10,} bytes    reassembly by {own:<10} {ratios}", flush=True)


if __name__ == "__main__":
    main()
