"""The queue manager for tests: its command, and its clock."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from typing import Any

import pytest

import msmq_wire as mw
from msmq_wire import mqmq, mqqb, session
from msmq_wire.testing import server


def test_queues_of_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each queue is transactional or not; an option that is given several times has all its values."""
    made: list[Any] = []

    def stopped(*arguments: Any) -> None:
        made.append(arguments)
        raise OSError("no socket here")

    monkeypatch.setattr(server, "QueueServer", stopped)
    words = ["--queue", "a", "--transactional-queue", "b", "--queue", "c"]
    assert server.main(words) == 1
    assert server.main([]) == 1
    assert [queues for _, _, queues, _ in made] == [{"a": False, "c": False, "b": True}, None]
    assert capsys.readouterr().err == "no socket here\n" * 2


def _judged(queues: server.QueueServer, message: mqmq.UserMessage) -> int | None:
    assert queues.manager.judge is not None
    return queues.manager.judge(message)


@pytest.mark.parametrize("name", ["orders", "Private$\\Orders", ".\\private$\\orders"])
def test_names_of_queues_may_have_a_path(name: str) -> None:
    kept = server.QueueServer(queues={name: False})
    for queue, answer in (("orders", None), ("others", mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q)):
        message = mqmq.UserMessage.of(DestinationQueue=f"DIRECT=OS:a\\private$\\{queue}")
        assert _judged(kept, message) == answer


@pytest.mark.parametrize(
    ("number", "rejected"), [(0, False), (0x4000, False), (0x8004, True), (0xC000, True)]
)
def test_an_acknowledgment_says_whether_it_rejects(number: int, rejected: bool) -> None:
    event = session.Acknowledged(1, session.AcknowledgedBy.FINAL, number, done=True, journal="")
    assert event.rejected is rejected


def test_queues_are_a_dictionary() -> None:
    with pytest.raises(TypeError, match=r"^queues: expected a dictionary of .*, got list$"):
        server.QueueServer(queues=["orders"])  # type: ignore[arg-type]  # it is the error


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"port": -1}, "port is -1, not 0 to 65535"),
        ({"port": 70000}, "port is 70000, not 0 to 65535"),
        ({"port": 65536}, "port is 65536, not 0 to 65535"),
        ({"port": "x"}, "port: expected a whole number, got str"),
        ({"host": 5}, "host: expected an address, got int"),
        ({"host": "a\0b"}, r"host is 'a\\x00b', not an address"),
        ({"host": "x" * 70 + ".test"}, r"host is '.*', not an address"),
        ({"queues": {5: True}}, "queues: expected names of queues, got int"),
        ({"queues": {"orders": "no"}}, r"queues\['orders'\]: expected whether it is transactional, got str"),
    ],
)
def test_wrong_addresses_and_queues(arguments: dict[str, Any], told: str) -> None:
    async def run() -> None:
        async with server.serve(**arguments):
            pass

    with pytest.raises(mw.MsmqWireError, match=f"^{told}$"):
        asyncio.run(run())


@pytest.mark.parametrize("host", ["no.such.host", "192.0.2.1"])
def test_an_address_that_cannot_be_used_is_named(
    host: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that is not resolved, and an address of another machine."""

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)  # asks nobody

    async def run() -> None:
        async with server.serve(host):
            pass

    with pytest.raises(OSError, match=rf"^\[Errno -?\d+\] cannot listen on {re.escape(host)}:0: \w"):
        asyncio.run(run())
    assert server.main(["--host", host, "--port", "0"]) == 1
    assert f"cannot listen on {host}:0: " in capsys.readouterr().err


def test_the_command_tells_of_a_wrong_port(capsys: pytest.CaptureFixture[str]) -> None:
    assert server.main(["--port", "70000"]) == 1
    assert capsys.readouterr().err == "port is 70000, not 0 to 65535\n"


def test_what_is_due_is_done_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """An acknowledgment waits for half of AckTimeout; no time passes here but that which the server waits."""
    now, wait = [1000.0], asyncio.wait
    timeouts = mqqb.ConnectionParametersHeader(RecoverableAckTimeout=500, AckTimeout=200, WindowSize=9)

    async def talk() -> mw.Packet:
        async with server.serve() as manager:

            async def waiting(tasks: Any, *, timeout: float | None) -> Any:  # noqa: ASYNC109  # as asyncio has it
                if timeout is None or not manager.received or now[0] > 1000:
                    return await wait(tasks)
                now[0] += timeout
                return set(), tasks

            monkeypatch.setattr(asyncio, "wait", waiting)
            monkeypatch.setattr(time, "time", lambda: now[0])
            reader, writer = await asyncio.open_connection("127.0.0.1", manager.port)
            for packet in (
                mqqb.EstablishConnection(),
                mqqb.ConnectionParameters(ConnectionParametersHeader=timeouts),
                mqmq.UserMessage(),
            ):
                writer.write(packet.encode())
                answer = mw.decode(await reader.read(1 << 16))
            writer.close()
            return answer

    assert type(asyncio.run(talk())) is mqqb.SessionAck
    assert now[0] == pytest.approx(1000.1)


def test_an_interrupted_server_ends_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is how it is ended."""

    async def interrupted(_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(server, "run", interrupted)
    assert server.main([]) == 0


def test_who_talks_is_told_with_the_address() -> None:
    """The port is known from the start on; each line about a peer names its IP address."""
    lines: list[str] = []

    async def talk() -> None:
        kept = server.QueueServer(say=lines.append)
        assert kept.port == 0
        await kept.start()
        assert lines == [f"listening on 127.0.0.1:{kept.port} as {kept.manager.identifier}"]
        reader, writer = await asyncio.open_connection("127.0.0.1", kept.port)
        writer.write(mqqb.EstablishConnection().encode() + mqqb.ConnectionParameters().encode())
        assert await reader.read(1 << 16)
        writer.close()
        await kept.stop()

    asyncio.run(talk())
    assert "127.0.0.1" in lines[1]


SENT = mqmq.UserMessage.of(
    MessageBody=b"<order/>", DestinationQueue="DIRECT=OS:a\\private$\\Orders", Label="label\0"
)
SAID: list[tuple[Any, str]] = [
    (session.Received(SENT, "deliver", store=False, trace=None), "orders gets 'label': 8 bytes, b'<order/>'"),
    (session.Received(SENT, "forward", store=False, trace=None), "Received"),
    (session.Rejected(SENT, 0x8004, ""), "orders refuses a message: MQMSG_CLASS_NACK_ACCESS_DENIED"),
    (
        session.Violated(mw.Violation("MQQB-2.2.1-04", "p", 0, 9, "a type", "no such type.")),
        "violates MQQB-2.2.1-04: no such type.",
    ),
    (session.Closed("idle", 0, retry=False), "closed, idle"),
    (session.Elsewhere(mqqb.OrderAck(), None), "an acknowledgment for another host is dropped"),
    (session.Duplicate(SENT), "Duplicate"),
    (session.Acknowledged(1, session.AcknowledgedBy.FINAL, 0, done=True, journal=""), ""),
]


@pytest.mark.parametrize(("event", "line"), SAID, ids=[type(row[0]).__name__ for row in SAID])
def test_each_event_is_told_in_a_line(event: Any, line: str) -> None:
    """But for acknowledgments; only a message for one of its queues is kept."""
    lines: list[str] = []
    kept = server.QueueServer(say=lines.append)
    kept.take(session.Acceptor(kept.manager), event, "10.0.0.9")
    assert lines == ([f"10.0.0.9: {line}"] if line else [])
    assert kept.events == [event]
    assert kept.received == ([SENT] if "gets" in line else [])


def test_a_message_is_taken_from_its_queue_at_once() -> None:
    """So that who asked to be told of it is; here at a queue of another computer."""
    asked = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\q", AdminQueue="DIRECT=OS:other\\q"),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Flags=mqmq.MessagePropertiesHeaderFlags(PR=1)),
    )
    lines: list[str] = []
    kept = server.QueueServer(say=lines.append)
    came = session.Received(asked, "deliver", store=False, trace=None)
    kept.take(session.Acceptor(kept.manager, address="10.0.0.9"), came, "10.0.0.9")
    assert [type(event) for event in kept.events] == [session.Received, session.Elsewhere]
    assert lines[1:] == ["10.0.0.9: an acknowledgment for another host is dropped"]


def test_a_connection_that_ends_leaves_nothing_behind() -> None:
    """However it ends: nothing fails in the background, and its end is told once."""
    faults: list[Any] = []

    async def talk() -> list[list[type]]:
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        told = []
        for data in (b"no packet at all", mqqb.EstablishConnection().encode(), b""):
            async with server.serve() as manager:
                reader, writer = await asyncio.open_connection("127.0.0.1", manager.port)
                writer.write(data)
                if data:
                    await reader.read(1 << 16)
                    kept = [*manager.connections]
                    writer.close()
                    await asyncio.gather(*kept)
                else:
                    writer.write_eof()
                    assert await reader.read() == b""  # it has closed its side
                    writer.close()
                told.append([type(event) for event in manager.events])
        return told

    told = asyncio.run(talk())
    assert told[:2] == [[session.Violated, session.Closed], [session.Closed]]
    assert faults == []


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("queue", [False, True])
def test_transactional_messages_are_for_transactional_queues(queue: bool, asked: bool) -> None:
    """Each mixture has its class, [MS-MQMQ] 2.2.18.1.6; without a list every queue takes every message."""
    message = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\orders"),
        TransactionHeader=mqmq.TransactionHeader() if asked else None,
    )
    wanted = None if queue is asked else 0x800A if queue else 0x8009
    assert _judged(server.QueueServer(queues={"ORDERS": queue}), message) == wanted
    assert _judged(server.QueueServer(queues={"invoices": queue}), message) == 0x8000
    assert _judged(server.QueueServer(), message) is None


def test_what_the_command_does_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It listens at this computer alone, at the port of [MS-MQQB] 2.1."""
    given: dict[str, Any] = {}

    async def noted(arguments: Any) -> None:
        given.update(vars(arguments))

    monkeypatch.setattr(server, "run", noted)
    assert server.main([]) == 0
    assert given == {
        "host": "127.0.0.1", "port": 1801, "guid": None, "queue": [], "transactional_queue": [],
        "profile": None,
    }  # fmt: skip
    words = ["--port", "65535", "--profile", "windows-xp", "--guid", "{0}", "--transactional-queue", "a"]
    assert server.main(words) == 0
    assert (given["port"], given["profile"], given["guid"]) == (65535, "windows-xp", "{0}")
    assert given["transactional_queue"] == ["a"]


@pytest.mark.parametrize("port", [0, 1, 65535])
def test_each_port_can_be_listened_at(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    async def noted(_: Any, host: str, number: int, **__: Any) -> None:
        asked.append((host, number))
        raise OSError(98, "in use")

    monkeypatch.setattr(asyncio, "start_server", noted)
    with pytest.raises(OSError, match=rf"cannot listen on 127\.0\.0\.1:{port}: in use") as error:
        asyncio.run(server.QueueServer().start(port=port))
    assert error.value.errno == 98
    assert asked == [("127.0.0.1", port)]


def test_a_long_message_is_read_in_pieces() -> None:
    """However many pieces it comes in."""
    body = bytes(300_000)
    message = mqmq.UserMessage.of(MessageBody=body, DestinationQueue="DIRECT=OS:a\\q")

    async def talk() -> list[bytes]:
        async with server.serve() as manager:
            reader, writer = await asyncio.open_connection("127.0.0.1", manager.port)
            for packet in (mqqb.EstablishConnection(), mqqb.ConnectionParameters(), message):
                writer.write(packet.encode())
            writer.write_eof()
            await reader.read()  # to its end
            writer.close()
            return [one.MessagePropertiesHeader.MessageBody for one in manager.received]

    assert asyncio.run(talk()) == [body]
