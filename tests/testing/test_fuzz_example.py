"""The example that fuzzes a queue manager: one that survives, one that falls, and none at all."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from support_specs import SPECS

from msmq_wire import testing as mt
from msmq_wire.testing.server import serve

if TYPE_CHECKING:
    from pathlib import Path

ROOT = SPECS.parent


async def fuzzed(port: int, found: Path, *options: str) -> tuple[int | None, str]:
    path = os.pathsep.join([str(ROOT / "src"), *sys.path])
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        str(ROOT / "docs" / "examples" / "fuzz_server.py"),
        "127.0.0.1",
        str(port),
        "--found",
        str(found),
        *options,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": path},
    )
    out, _ = await program.communicate()
    return program.returncode, out.decode()


def test_the_queue_manager_for_tests_survives(tmp_path: Path) -> None:
    async def scene() -> tuple[int | None, str]:
        async with serve() as server:
            return await fuzzed(server.port, tmp_path / "found", "--mutants", "12", "--wait", "20")

    assert asyncio.run(scene()) == (0, "12 mutants, and it still opens sessions\n")
    assert not (tmp_path / "found").exists()


def test_one_that_falls_is_told(tmp_path: Path) -> None:
    """It stops listening with the first bent packet; the input is kept and can be read back."""

    async def scene() -> tuple[int | None, str]:
        async with serve() as server:

            async def fall() -> None:
                while not server.events:  # noqa: ASYNC110  # nobody tells
                    await asyncio.sleep(0.01)
                await server.stop()

            falling = asyncio.create_task(fall())
            try:
                return await fuzzed(server.port, tmp_path, "--mutants", "30", "--seed", "1", "--wait", "20")
            finally:
                await falling

    status, said = asyncio.run(scene())
    assert status == 1
    assert "stopped it" in said
    ((name, data),) = mt.regressions(tmp_path).items()
    assert name.endswith(".hex")
    assert data


def test_where_nobody_listens(tmp_path: Path) -> None:
    status, said = asyncio.run(fuzzed(1, tmp_path, "--mutants", "1"))
    assert status == 2
    assert "opens no session" in said
