"""The command line where its input, its output or the names that it is given are hostile."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import msmq_wire as mw
from msmq_wire import mqqb
from msmq_wire.cli import main

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
