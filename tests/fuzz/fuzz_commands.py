"""Whatever a file holds, each verb of the command line ends with a status of its own and printable text."""

from __future__ import annotations

import io
import os
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from harness import instrumented, main

with instrumented():
    from msmq_wire import cli
    from msmq_wire.cli.output import Status

MODULES = ("cli.commands", "cli.options", "cli.pieces", "cli.inputs", "cli.captured", "cli.rows")
KIND = None
HEAD = 1
"""One byte chooses the words; what the file holds is after it."""
WORDS = (
    ("explain", "FILE"),
    ("packets", "FILE"),
    ("messages", "--format", "jsonl", "FILE"),
    ("validate", "FILE"),
    ("sessions", "FILE"),
    ("deliveries", "FILE"),
    ("dependencies", "FILE", "--format", "dot"),
    ("queues", "FILE", "--format", "csv"),
    ("hosts", "FILE"),
    ("follow", "a", "FILE"),
    ("carve", "FILE"),
    ("carve", "--inside", "--confidence", "low", "FILE"),
    ("diff", "FILE", "FILE"),
    ("encode", "FILE"),
    ("explain", "--kind", "DirectoryChange", "FILE"),
    ("packets", "--where", "size>100", "--limit", "3", "FILE"),
    ("explain", "--hex", "TEXT"),
    ("packets", "--where", "TEXT", "FILE"),
    ("validate", "--level", "practice", "FILE"),
)
_STATUSES = frozenset(map(int, Status)) - {int(Status.INTERRUPTED), int(Status.CLOSED)}


def check(data: bytes) -> None:
    words = WORDS[(data[0] if data else 0) % len(WORDS)]
    held = data[HEAD:]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place:
        path = Path(place, "file")
        path.write_bytes(held)
        given = {"FILE": os.fspath(path), "TEXT": held.decode("latin-1").replace("\0", " ")}
        with redirect_stdout(out), redirect_stderr(err):
            status = cli.main([given.get(word, word) for word in words])
    assert status in _STATUSES
    said, complaint = (stream.buffer.getvalue() for stream in (out, err))
    if words[0] != "encode":  # which writes bytes
        assert all(line.isprintable() for line in said.decode().split("\n"))
    assert all(byte in b"\n" or 0x20 <= byte < 0x7F for byte in complaint)
    assert all(line.startswith(b"msmq-wire: ") for line in complaint.splitlines())
    assert bool(complaint) or status in {int(Status.DONE), int(Status.FOUND)}


if __name__ == "__main__":
    check(b"")  # what is imported late takes longer than an input may
    main(__name__)
