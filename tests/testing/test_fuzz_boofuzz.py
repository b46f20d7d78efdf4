"""The example for boofuzz: a queue manager that survives, and none at all."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from support_specs import SPECS

from msmq_wire.session import Established
from msmq_wire.testing.server import serve

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = SPECS.parent / "docs" / "examples" / "fuzz_boofuzz.py"


async def fuzzed(place: Path, port: int, mutants: int) -> tuple[int | None, str]:
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        str(PROGRAM),
        "127.0.0.1",
        str(port),
        "--mutants",
        str(mutants),
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(SPECS.parent / "src"), *sys.path])},
    )
    out, _ = await program.communicate()
    return program.returncode, out.decode()


@pytest.mark.long
def test_boofuzz_walks_to_the_last_packet(tmp_path: Path) -> None:
    """Each of the three packets has its mutants; those before it open the session."""

    async def scene() -> tuple[int | None, str, int]:
        async with serve() as server:
            status, out = await fuzzed(tmp_path, server.port, 4)
            return status, out, sum(isinstance(event, Established) for event in server.events)

    status, out, opened = asyncio.run(scene())
    assert (status, out) == (0, "12 cases, and it still accepts connections\n")
    log = (tmp_path / "boofuzz.log").read_text("utf-8")
    for name in ("EstablishConnection", "ConnectionParameters", "UserMessage"):
        assert log.count(f"Fuzzing Node '{name}'") == 4
    assert opened >= 4  # before each mutant of the message


@pytest.mark.long
def test_boofuzz_where_nobody_listens(tmp_path: Path, closed_port: int) -> None:
    status, out = asyncio.run(fuzzed(tmp_path, closed_port, 1))
    assert status == 1
    assert out.startswith("case 1, or the one before it, stopped it: ConnectionRefusedError")
