"""What an endpoint does depends on bytes and times, not on how the bytes are cut into chunks."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from support_histories import BACK, CLIENT, QUEUES, SERVER, START, split

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.machines.session import Acceptor, Initiator, Message, QueueManager, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator


def _judge(packet: mqmq.UserMessage) -> int | None:
    return 0x8000 if packet.UserHeader.MessageID % 13 == 5 else None


def _chunks(data: bytes, dice: Random) -> Iterator[bytes]:
    while data:
        size = dice.choice((1, 3, 16, 40, 600, len(data)))
        yield data[:size]
        data = data[size:]


def _talk(seed: int, rounds: int, dice: Random | None) -> tuple[list[tuple[str, Any]], list[bytes]]:
    """Let two sides talk in rounds; return events and bytes of both, whatever the chunks are."""
    plan = Random(seed)  # noqa: S311  # no secret
    settings = Settings(window=plan.choice((1, 2, 5, 64)))
    client = Initiator(QueueManager(CLIENT, settings), remote=SERVER)
    server = Acceptor(QueueManager(SERVER, settings, judge=_judge))
    events: list[tuple[str, Any]] = []
    output: list[bytes] = []
    now = START
    events += [("client", event) for event in client.connected(now)]
    events += [("server", event) for event in server.connected(now)]
    for _ in range(rounds):
        for _ in range(plan.randint(0, 6)):
            kind, positive = plan.random(), plan.random() < 0.5
            message = Message(
                plan.choice(QUEUES), b"x" * plan.randint(0, 9), recoverable=kind < 0.4,
                transactional=kind > 0.7, admin_queue=BACK if positive else "", positive_arrival=positive,
                journal=plan.random() < 0.5,
            )  # fmt: skip
            client.send(message, now)
        if server.is_open and plan.random() < 0.4:
            server.send(Message(BACK, recoverable=True), now)
        for name, source, target in (("server", client, server), ("client", server, client)):
            data = source.data_to_send()
            output.append(data)
            chunks = [data] if dice is None else list(_chunks(data, dice))
            for chunk in chunks or [b""]:
                events += [(name, event) for event in target.receive(chunk, now)]
        now += plan.choice((0.0, 0.1, 0.6, 11.0, 31.0))
        events += [("client", event) for event in client.timeout(now)]
        events += [("server", event) for event in server.timeout(now)]
    output += [client.data_to_send(), server.data_to_send()]
    timers = [side.snapshot()["state"] for side in (client, server)]
    return [*events, ("states", timers)], output


@pytest.mark.each(4)
@pytest.mark.parametrize("part", range(4))
def test_any_split_gives_the_same_events_and_bytes(part: int) -> None:
    different = [
        (seed, split_seed)
        for seed in range(part, 60, 4)
        for split_seed in range(2)
        if _talk(seed, 12, Random(split_seed)) != _talk(seed, 12, None)  # noqa: S311  # no secret
    ]
    assert different == []


def test_messages_behind_the_parameters_wait_for_their_timer() -> None:
    """The window of the other side is known before anything is counted."""
    client = Initiator(QueueManager(CLIENT), remote=SERVER)
    client.connected(START)
    client.data_to_send()
    header = mqqb.EstablishConnectionHeader(ClientGuid=CLIENT, ServerGuid=SERVER)
    client.receive(mqqb.EstablishConnection(EstablishConnectionHeader=header).encode(), START)
    client.data_to_send()
    shapes = QueueManager(SERVER).shapes
    messages = [shapes.packet(Message(BACK), CLIENT, number, int(START)).encode() for number in range(1, 6)]
    client.receive(mqqb.ConnectionParameters().encode() + b"".join(messages), START)
    assert client.data_to_send() == b""
    client.timeout(START + 10)
    (ack,) = [mw.decode(raw) for raw in split(client.data_to_send())]
    assert isinstance(ack, mqqb.SessionAck)
    assert ack.SessionHeader.AckSequenceNumber == 5
