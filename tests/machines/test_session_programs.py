"""The example programs and the queue manager for tests, over loopback TCP."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from support_docs import ROOT
from support_programs import program

import msmq_wire as mw
from msmq_wire import mqqb
from msmq_wire.session import Settings
from msmq_wire.testing.server import main, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXAMPLES = ROOT / "docs" / "examples"
HOSTS = 1000
PATIENCE = "600"
"""Seconds, which only end a hang."""


@pytest.fixture(autouse=True)
def many_files() -> Iterator[None]:
    """A thousand connections take a thousand open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * HOSTS if hard < 0 else min(4 * HOSTS, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *sys.path])}


async def run(name: str, *arguments: str, given: str = "") -> tuple[int, list[str]]:
    """Run an example; return its status and its lines."""
    status, written = await program(EXAMPLES / name, *arguments, given=given)
    return status, written.splitlines()


def to_queue(port: int, queue: str) -> list[str]:
    """The arguments of the client."""
    return ["127.0.0.1", str(port), f"private$\\{queue}", "some text"]


async def send(port: int, queue: str, *options: str) -> tuple[int, list[str]]:
    return await run("send_message.py", *to_queue(port, queue), *options)


@pytest.mark.each(5)
@pytest.mark.parametrize(
    ("queue", "options", "status", "last"),
    [
        ("orders", [], 0, "(0x0002)"),
        ("orders", ["--recoverable"], 0, "(0x0002)"),
        ("invoices", ["--transactional"], 0, "(0x0002)"),
        ("invoices", [], 1, "(0x800a)"),
        ("orders", ["--transactional"], 1, "(0x8009)"),
    ],
)
def test_a_client_sends_and_waits(queue: str, options: list[str], status: int, last: str) -> None:
    async def scene() -> None:
        async with serve(queues={"orders": False, "invoices": True}) as server:
            code, lines = await send(server.port, queue, *options)
            assert code == status
            assert [line for line in lines if line.endswith(last)]
            bodies = [message.MessagePropertiesHeader.MessageBody for message in server.received]
            assert bodies == ([] if status else ["some text".encode("utf-16-le")])

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("host", "port", "status", "last"),
    [
        ("nowhere", 1801, 1, "nowhere has no address: "),
        ("x" * 64, 1801, 1, " has no address: "),
        ("127.0.0.1", 70_000, 2, "error: port is 70000, not 1 to 65535"),
        ("a b", 1801, 2, "character ' ' at index 1 is not allowed"),
    ],
)
def test_a_client_that_cannot_send(
    host: str, port: int, status: int, last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up = socket.getaddrinfo

    def look_up(name: str, *arguments: Any, **options: Any) -> Any:
        if name == "nowhere":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return looked_up(name, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    code, lines = asyncio.run(run("send_message.py", host, str(port), "private$\\q", "text"))
    assert code == status
    assert last in lines[-1]


@pytest.mark.long
def test_a_client_comes_again_when_the_connection_breaks() -> None:
    """A proxy breaks the first connection after the handshake; the message arrives all the same, once."""

    async def scene() -> None:
        async with serve() as server:
            connections = 0

            async def relay(reader: Any, writer: Any, most: int) -> None:
                passed = 0
                while passed < most:
                    data = await reader.read(min(4096, most - passed))
                    if not data:
                        break
                    passed += len(data)
                    writer.write(data)
                    await writer.drain()
                writer.close()

            async def proxy(reader: Any, writer: Any) -> None:
                nonlocal connections
                connections += 1
                there, back = await asyncio.open_connection("127.0.0.1", server.port)
                first = connections == 1
                await asyncio.gather(
                    relay(reader, back, 572 + 32 + 300 if first else 1 << 20),
                    relay(there, writer, 572 + 32 if first else 1 << 20),
                )

            middle = await asyncio.start_server(proxy, "127.0.0.1", 0)
            port = middle.sockets[0].getsockname()[1]
            code, _ = await send(port, "orders", "--transactional")
            middle.close()
            assert code == 0
            assert connections == 2
            assert len(server.received) == 1

    asyncio.run(scene())


async def answering(reply: Callable[[bytes], bytes], *, close: bool) -> asyncio.Server:
    """Somebody who is no queue manager."""

    async def answer(reader: Any, writer: Any) -> None:
        asked = await reader.read(4096)
        writer.write(reply(asked))
        await writer.drain()
        if not close:
            await reader.read()
        writer.close()

    return await asyncio.start_server(answer, "127.0.0.1", 0)


def test_a_scanner_judges_what_answers() -> None:
    async def scene() -> None:
        strangers = {
            "not MSMQ: HTTP": await answering(lambda _: b"HTTP/1.1 400 Bad Request\r\n\r\n", close=True),
            "not MSMQ: SSH": await answering(lambda _: b"SSH-2.0-x\r\n", close=True),
            "not MSMQ: AMQP": await answering(lambda _: b"AMQP\0\0\x09\1", close=True),
            "not MSMQ: 32 32 30 20": await answering(lambda _: b"220 mail ESMTP ready\r\n", close=True),
            "half an answer: 100 bytes": await answering(lambda asked: asked[:100], close=True),
            "closed without an answer": await answering(lambda _: b"", close=True),
            "not MSMQ: it sends back": await answering(lambda asked: asked, close=False),
            "not MSMQ: 10": await answering(lambda asked: asked[:20] + bytes(552), close=True),
        }
        silent = await answering(lambda _: b"", close=False)
        async with serve() as server, serve(settings=Settings(max_sessions=0)) as full:
            ports = {title: one.sockets[0].getsockname()[1] for title, one in strangers.items()}
            ports["accepts: "] = server.port
            ports["refuses: "] = full.port
            hosts = [f"127.0.0.1:{port}" for port in ports.values()]
            code, lines = await run("scan.py", "--patience", PATIENCE, *hosts)
            assert code == 0
            said = {int(re.findall(r":(\d+) ", line)[0]): line.partition(" ")[2] for line in lines}
            for title, port in ports.items():
                assert said[port].startswith(title), (title, said[port])
            assert str(server.manager.identifier) in said[server.port]
            port = silent.sockets[0].getsockname()[1]
            assert await run("scan.py", "--patience", "0.2", f"127.0.0.1:{port}") == (
                0,
                [f"127.0.0.1:{port} silent"],
            )
        for one in (*strangers.values(), silent):
            one.close()

    asyncio.run(scene())


@pytest.mark.long
def test_a_scanner_asks_a_thousand_hosts_at_once() -> None:
    async def scene() -> None:
        async with serve("0.0.0.0") as server:  # noqa: S104  # so that all of 127.0.0.0/8 answers
            hosts = [f"127.1.{number // 250}.{number % 250 + 1}:{server.port}" for number in range(HOSTS)]
            code, lines = await run("scan.py", "--patience", PATIENCE, given="\n".join(hosts))
            assert code == 0
            assert sorted(line.partition(" ")[0] for line in lines) == sorted(hosts)
            assert [line for line in lines if " accepts: " not in line] == []

    asyncio.run(scene())


def test_the_queue_manager_as_a_program() -> None:
    async def scene() -> None:
        server = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "msmq_wire.testing.server",
            "--port",
            "0",
            "--queue",
            "orders",
            stdout=subprocess.PIPE,
            env=environment(),
        )
        assert server.stdout is not None
        first = (await server.stdout.readline()).decode()
        port = int(re.findall(r"listening on 127\.0\.0\.1:(\d+) as ", first)[0])
        assert (await send(port, "orders"))[0] == 0
        refused = await asyncio.create_subprocess_exec(  # it waits for an answer that never comes
            *(sys.executable, str(EXAMPLES / "send_message.py"), *to_queue(port, "others")),
            *("--patience", PATIENCE),
            stdout=subprocess.DEVNULL,
            env=environment(),
        )
        lines: list[str] = []
        while not lines or "others refuses a message: MQMSG_CLASS_NACK_BAD_DST_Q" not in lines[-1]:
            lines.append((await server.stdout.readline()).decode())
            assert lines[-1]
        for one in (server, refused):
            one.terminate()
            await one.wait()
        body = "18 bytes of VT_BSTR, a text of COM, 'some text'"
        assert f"127.0.0.1: orders gets 'from send_message.py': {body}\n" in lines

    asyncio.run(scene())


def test_a_scanner_takes_addresses_of_all_forms() -> None:
    """One that is no address is told, and the others are asked all the same."""

    async def scene() -> None:
        async with serve("::1") as server:
            given = [f"[::1]:{server.port}", "::1", "[::1]", "[::1", "[::1]x", "a:b", "h:99999999", "a..b:1"]
            code, lines = await run("scan.py", "--port", str(server.port), *given)
            assert code == 0
            said = dict(line.split(" ", 1) for line in lines)
            assert set(said) == set(given)
            assert all(said[name].startswith("accepts: ") for name in given[:3])
            assert all(said[name].startswith("no connection: ") for name in given[3:])

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--guid", "no", "--port", "0"], "a GUID, got 'no'"),
        (["--port", "99999"], "port is 99999, not 0 to 65535"),
    ],
)
def test_arguments_that_are_wrong(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_queue_manager_that_stops_while_a_client_talks_reports_no_error() -> None:
    reported: list[dict[str, Any]] = []

    async def talk() -> bytes:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
        async with serve() as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(mqqb.EstablishConnection().encode())
            answer = await reader.read(1 << 16)
        writer.close()
        await asyncio.sleep(0)
        return answer

    assert type(mw.decode(asyncio.run(talk()))).__name__ == "EstablishConnection"
    assert reported == []
