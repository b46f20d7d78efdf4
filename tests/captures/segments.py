"""Segments by hand: what the capture of a connection looks like, one event at a time."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from support_specs import load_tcp_packets

from msmq_wire.captures.files.segments import ACK, FIN, RST, SEGMENTS, SYN
from msmq_wire.captures.flows.buckets import Bucket
from msmq_wire.captures.schemas import plain

if TYPE_CHECKING:
    from msmq_wire.captures.flows.pair_groups import PairGroup

GOLDEN = load_tcp_packets()
MESSAGE = GOLDEN["frame-7-user-message-completed"]
SESSION_ACK = GOLDEN["frame-8-session-acknowledgment"]
EPOCH = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


class Capture:
    """Rows of one capture file, in the order of the calls."""

    def __init__(self, file: str = "/captures/a.pcap") -> None:
        self.file = file
        self.rows: list[dict[str, Any]] = []
        self.others: list[Capture] = []

    def add(self, **values: Any) -> None:
        """A row; what is left out is nothing or follows from the others."""
        frame = len(self.rows) + 1
        payload = values.setdefault("payload", b"")
        row = {
            "file": self.file,
            "frame": frame,
            "offset": 24 + 100 * frame,
            "time": EPOCH + dt.timedelta(milliseconds=frame),
            "captured": len(payload),
            "marked": True,
            **values,
        }
        row.setdefault("length", row["captured"])
        self.rows.append({name: row.get(name) for name in SEGMENTS.names})


class Talk:
    """A TCP connection: each call is a segment in the capture."""

    def __init__(self, capture: Capture, client: int = 1000, server: int = 5000, **ends: Any) -> None:
        self.capture = capture
        self.next = {"->": client, "<-": server}
        self.ends = {"src": "10.0.0.1", "src_port": 49152, "dst": "10.0.0.2", "dst_port": 1801, **ends}

    def segment(self, way: str, seq: int, payload: bytes = b"", flags: int = ACK, **more: Any) -> None:
        """Any segment."""
        ends = self.ends
        if way == "<-":
            ends = {
                "src": ends["dst"],
                "src_port": ends["dst_port"],
                "dst": ends["src"],
                "dst_port": ends["src_port"],
            }
        ack = self.next["<-" if way == "->" else "->"] % 2**32
        self.capture.add(
            transport="tcp", seq=seq % 2**32, ack=ack, flags=flags, payload=payload, **{**ends, **more}
        )

    def open(self) -> Talk:
        """The handshake."""
        for way, flags in (("->", SYN), ("<-", SYN | ACK), ("->", ACK)):
            self.segment(way, self.next[way], flags=flags)
            if flags & SYN:
                self.next[way] += 1
        return self

    def send(self, way: str, *payloads: bytes, lost: bool = False) -> Talk:
        """Segments one after the other; lost ones are not captured."""
        for payload in payloads:
            if not lost:
                self.segment(way, self.next[way], payload)
            self.next[way] += len(payload)
        return self

    def close(self, flags: int = FIN | ACK) -> Talk:
        """Both sides end."""
        for way in ("->", "<-"):
            self.segment(way, self.next[way], flags=flags)
            self.next[way] += 1
        self.segment("->", self.next["->"])
        return self

    def reset(self) -> Talk:
        """One side ends, with a number out of the blue."""
        self.segment("->", 0, flags=RST)
        return self


def batch_of(*captures: Capture) -> pa.RecordBatch:
    """The rows as the engine takes them: those that could be read."""
    rows = [row for capture in captures for row in capture.rows if row["error"] is None]
    return pa.RecordBatch.from_pylist(rows, schema=plain(SEGMENTS))


def part_of(*batches: pa.RecordBatch) -> PairGroup:
    """The flows of segments that are few enough for one part."""
    (part,) = Bucket([*batches], Path("nowhere")).parts()
    return part


class Row(dict[str, Any]):
    """A row of Arrow whose columns are attributes."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


def rows_of(batch: pa.RecordBatch) -> list[Any]:
    """Rows; structs are rows too, and maps."""
    return [_row(row) for row in batch.to_pylist()]


def _row(value: Any) -> Any:
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        value = dict(value)
    if isinstance(value, dict):
        return Row({name: _row(inner) for name, inner in value.items()})
    return [_row(inner) for inner in value] if isinstance(value, list) else value


def cut(data: bytes, size: int = 300) -> list[bytes]:
    """Pieces of one size."""
    return [data[start : start + size] for start in range(0, len(data), size)]
