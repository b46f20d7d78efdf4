"""The command line where its input, its output or the names that it is given are hostile."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support_by_hand import Capture, pcap

import msmq_wire as mw
from msmq_wire import mqqb
from msmq_wire.cli import main, pieces
from msmq_wire.cli.outcome import Outcome
from msmq_wire.packets.stream import PacketStream

PACKET = mw.encode(mqqb.SessionAck())
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


def run(*words: str, data: bytes = b"", **options: Any) -> subprocess.CompletedProcess[bytes]:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-m", "msmq_wire", *words],
        input=data,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        **options,
    )


@pytest.mark.each(2)
@needs_full
@pytest.mark.parametrize("count", [1, 2000])
def test_a_full_disk_is_not_blamed_on_the_input(count: int) -> None:
    """Whether it shows at once or when the buffer is written: one line, status 4."""
    with FULL.open("wb") as full:
        done = run("explain", data=PACKET * count, stdout=full)
    assert (done.returncode, done.stderr) == (4, b"msmq-wire: standard output: No space left on device\n")


@needs_full
def test_nobody_to_complain_to() -> None:
    with FULL.open("wb") as full:
        done = run("explain", data=b"no packet at all", stderr=full)
    assert (done.returncode, done.stdout) == (1, b"")


@pytest.mark.each(2)
@pytest.mark.skipif(os.name != "posix", reason="closes what a shell would close")
@pytest.mark.parametrize(
    ("number", "status", "said"),
    [
        (0, 1, b"msmq-wire: standard input: Bad file descriptor\n"),
        (1, 4, b"msmq-wire: standard output: Bad file descriptor\n"),
    ],
)
def test_a_closed_stream_is_named(number: int, status: int, said: bytes) -> None:
    words = ["explain", "-"] if number == 0 else ["explain", "--hex", PACKET.hex()]
    program = f"import os, sys; os.close({number}); os.execv(sys.executable, sys.argv[1:])"
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", program, sys.executable, "-m", "msmq_wire", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (status, b"", said)


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[2Jb", "a\udcffb", "a\u2028b", "\u00e4"])
def test_names_are_shown_escaped(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A file or kind with a line break, an escape sequence or half a character stays one printable line."""
    assert main(["explain", f"{name}.bin"]) == 1
    assert main(["explain", "--hex", PACKET.hex(), "--kind", name]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(line.isascii() and line.isprintable() for line in lines)


def test_what_reads_on_is_enough() -> None:
    """Whoever reads has seen enough: no complaint."""
    process = subprocess.Popen(  # our own interpreter
        [sys.executable, "-m", "msmq_wire", "explain"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, errors = process.communicate(PACKET * 2000)
    assert (process.returncode, errors) == (141, b"")


@needs_full
def test_a_page_that_does_not_fit_is_named() -> None:
    """Closing a file writes again what could not be written; this error does not name the file."""
    done = run("explain", "--hex", PACKET.hex(), "--html", str(FULL))
    assert (done.returncode, done.stderr) == (4, b"msmq-wire: /dev/full: No space left on device\n")


@pytest.mark.each(5)
@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="there is no /proc here")
@pytest.mark.parametrize("verb", ["explain", "packets", "validate", "sessions", "carve"])
def test_a_file_that_cannot_be_read_is_named(verb: str) -> None:
    """The first page of the memory of a process can be opened, but not read."""
    done = run(verb, "/proc/self/mem")
    assert (done.returncode, done.stderr) == (1, b"msmq-wire: /proc/self/mem: Input/output error\n")


def test_bytes_between_packets_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither `explain` nor `validate` keeps what it has shown: a disk image has gigabytes of it."""
    streams: list[PacketStream] = []

    class Kept(PacketStream):
        def __init__(self, *words: Any, **options: Any) -> None:
            super().__init__(*words, **options)
            streams.append(self)

    monkeypatch.setattr(pieces, "PacketStream", Kept)
    zeros: Any = SimpleNamespace(
        unread="", name="-", chunks=None, data=lambda **_: iter([bytes(1 << 20)] * 8)
    )
    for _ in pieces.byte_pieces(zeros, None, Outcome()):
        pass
    (stream,) = streams
    assert stream.bytes_skipped == 8 << 20
    assert sum(len(skip.data) for skip in stream.skipped) < 1 << 20


HUGE = "9" * 30


@pytest.mark.parametrize(
    "words",
    [
        ["explain", "--frame", HUGE],
        ["explain", "--limit", HUGE],
        ["packets", "--limit", HUGE],
        ["packets", "--where", f"size={HUGE}"],
        ["diff", f"FILE#{HUGE}", PACKET.hex()],
        ["diff", f"FILE#{HUGE * 200}", PACKET.hex()],
        ["diff", "FILE#0", PACKET.hex()],
    ],
)
@pytest.mark.parametrize("capture", [False, True])
def test_huge_numbers_are_no_fault(
    words: list[str], *, capture: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers beyond 63 bits, and the packet before the first one: at most one line, no traceback."""
    path = tmp_path / "packets"
    path.write_bytes(pcap([], 101) if capture else PACKET)
    words = [word.replace("FILE", str(path)) for word in words]
    status = main([*words, *[str(path)] * (words[0] != "diff")])
    said = capsys.readouterr().err
    assert said.count("\n") == (status != 0)
    if words[0] == "diff":
        assert status == 1
        assert said.startswith("msmq-wire: ")


@needs_full
def test_carved_packets_that_do_not_fit(tmp_path: Path) -> None:
    """The error holds a part of the memory map while it is raised."""
    (tmp_path / "image").write_bytes(PACKET * 400)
    done = run("carve", str(tmp_path / "image"), "--output", str(FULL))
    assert (done.returncode, done.stderr) == (4, b"msmq-wire: /dev/full: No space left on device\n")


def test_segments_that_a_pipe_cannot_use_are_told() -> None:
    """Another connection with the ports of one that has ended, of which the beginning was not captured."""
    capture = Capture().open().send(PACKET).close()
    capture.send(PACKET)
    done = run("packets", data=capture.data)
    assert (done.returncode, done.stdout.count(b"\n")) == (1, 1)
    assert b"1 segment came too late for a pipe" in done.stderr
