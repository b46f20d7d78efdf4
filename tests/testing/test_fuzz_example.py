"""The example that fuzzes a queue manager: one that survives, one that falls, and none at all."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from support_programs import program
from support_specs import SPECS

from msmq_wire import mqmq
from msmq_wire import testing as mt
from msmq_wire.session import Established
from msmq_wire.testing.server import serve

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = SPECS.parent / "docs" / "examples" / "fuzz_server.py"


async def fuzzed(port: int, found: Path, *options: str) -> tuple[int, str]:
    return await program(PROGRAM, "127.0.0.1", port, "--found", found, *options)


def test_the_queue_manager_for_tests_survives(tmp_path: Path) -> None:
    async def scene() -> tuple[int, str]:
        async with serve() as server:
            return await fuzzed(server.port, tmp_path / "found", "--mutants", "12", "--wait", "20")

    assert asyncio.run(scene()) == (0, "12 mutants, and it still opens sessions\n")
    assert not (tmp_path / "found").exists()


def test_answers_in_several_segments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = asyncio.StreamReader.read

    async def read_few(reader: asyncio.StreamReader, _: int) -> bytes:
        return await read(reader, 200)

    monkeypatch.setattr(asyncio.StreamReader, "read", read_few)

    async def scene() -> tuple[int, str]:
        async with serve() as server:
            return await fuzzed(server.port, tmp_path, "--mutants", "3", "--wait", "20")

    assert asyncio.run(scene()) == (0, "3 mutants, and it still opens sessions\n")


class Events(list[object]):
    """Events of a server, of which the first one after the session without a mutant is told."""

    def __init__(self) -> None:
        super().__init__()
        self.came = asyncio.Event()

    def append(self, event: object) -> None:
        super().append(event)
        if len(self) > 2:  # that session is established and closed
            self.came.set()


async def fallen(found: Path, *options: str) -> tuple[int, str]:
    """The answer of the program about a server that stops listening with the first bent packet."""
    async with serve() as server:
        events = Events()
        server.events = events  # type: ignore[assignment]  # these tell

        async def fall() -> None:
            await events.came.wait()
            await server.stop()

        falling = asyncio.create_task(fall())
        try:
            return await fuzzed(server.port, found, "--wait", "20", *options)
        finally:
            await falling


def test_one_that_falls_is_told(tmp_path: Path) -> None:
    """The input is kept, can be read back, and is sent again."""
    status, said = asyncio.run(fallen(tmp_path, "--mutants", "30", "--seed", "1"))
    assert status == 1
    assert "stopped it" in said
    ((name, data),) = mt.regressions(tmp_path).items()
    assert name.endswith(".hex")
    assert data
    state = name.partition("-")[0]
    for number in range(30):  # it falls a moment after the first one
        (tmp_path / f"{state}-again-{number}.hex").write_text(data.hex())
    status, said = asyncio.run(fallen(tmp_path / "none", "--replay", str(tmp_path)))
    assert status == 1
    assert f".hex ({state}: replayed) stopped it" in said
    assert not (tmp_path / "none").exists()


@pytest.mark.long
def test_stored_mutants_are_sent_in_their_states(tmp_path: Path) -> None:
    (tmp_path / "UserMessage-7.hex").write_text("10c0")
    (tmp_path / "EstablishConnection-8.hex").write_text("00")

    async def scene() -> tuple[int, str]:
        async with serve() as server:
            said = await fuzzed(server.port, tmp_path, "--replay", str(tmp_path), "--wait", "20")
            assert (
                sum(isinstance(event, Established) for event in server.events) == 4
            )  # two with all mutants, one before
            return said

    assert asyncio.run(scene()) == (0, "2 mutants, and it still opens sessions\n")


@pytest.mark.long
def test_any_file_is_replayed(tmp_path: Path) -> None:
    """Its bytes tell where it belongs, unless somebody says so."""
    crash = tmp_path / "crash-1"
    crash.write_bytes(mqmq.UserMessage.of(MessageBody=b"body").encode()[:-2])

    async def scene(*options: str) -> int:
        async with serve() as server:
            answer = await fuzzed(server.port, tmp_path, "--replay", str(crash), "--wait", "20", *options)
            assert answer == (0, "1 mutants, and it still opens sessions\n")
            return sum(isinstance(event, Established) for event in server.events)

    assert asyncio.run(scene()) == 3  # one session for the message, and one before and after it
    assert asyncio.run(scene("--state", "EstablishConnection")) == 2


def test_what_cannot_be_replayed(tmp_path: Path, closed_port: int) -> None:
    status, said = asyncio.run(fuzzed(closed_port, tmp_path, "--replay", str(tmp_path / "found")))
    assert status == 2
    assert said.splitlines()[-1].endswith(f"there is no {tmp_path / 'found'}")
    status, said = asyncio.run(fuzzed(closed_port, tmp_path, "--replay", str(tmp_path)))
    assert status == 2
    assert said.splitlines()[-1].endswith(f"there are no files in {tmp_path}")
    (tmp_path / "x.hex").write_text("no digits")
    status, said = asyncio.run(fuzzed(closed_port, tmp_path, "--replay", str(tmp_path / "x.hex")))
    assert status == 2
    assert "hexadecimal digits" in said


def test_where_nobody_listens(tmp_path: Path, closed_port: int) -> None:
    status, said = asyncio.run(fuzzed(closed_port, tmp_path, "--mutants", "1"))
    assert status == 2
    assert "opens no session" in said


def test_a_host_that_opens_no_session(tmp_path: Path) -> None:
    """No mutant is blamed, because none was sent."""

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def scene() -> tuple[int, str]:
        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            return await fuzzed(server.sockets[0].getsockname()[1], tmp_path / "found", "--mutants", "3")

    status, said = asyncio.run(scene())
    assert status == 2
    assert "opens no session" in said
    assert not (tmp_path / "found").exists()
