"""Nothing that a session was given is lost without an event, whenever it was given and however it ends."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from support_talk import BACK, CLIENT, QUEUE, SERVER, START, Talk

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.machines.session import (
    NO_ROOM,
    Acceptor,
    Acknowledged,
    Closed,
    Duplicate,
    Expired,
    Initiator,
    Message,
    QueueManager,
    Received,
    Returned,
    Settings,
)
from msmq_wire.values.errors import MsmqWireError


def test_an_acceptor_gives_back_what_it_cannot_send() -> None:
    """The connection breaks before the request, so nobody knows for whom the messages are."""
    acceptor = Acceptor(QueueManager(SERVER))
    early = acceptor.send(Message(BACK, b"1"), START)
    acceptor.connected(START)
    tokens = [early, acceptor.send(Message(BACK, b"2", transactional=True), START)]
    *returned, closed = acceptor.disconnected(START + 1)
    assert closed == Closed("disconnected", 2, retry=False)
    contents: list[Any] = [event for event in returned if isinstance(event, Returned)]
    assert [(event.token, event.content.MessagePropertiesHeader.MessageBody) for event in contents] == [
        (tokens[0], b"1"), (tokens[1], b"2"),
    ]  # fmt: skip
    assert acceptor.waiting == 0
    with pytest.raises(MsmqWireError, match="send it in another one"):
        acceptor.send(Message(BACK), START + 2)
    again = Initiator(QueueManager(SERVER), remote=CLIENT)
    again.send(contents[1].content, START + 3)
    assert again.waiting == 1


def test_a_message_with_a_number_of_the_caller_is_not_overwritten() -> None:
    manager = QueueManager(CLIENT)
    session = Initiator(manager, remote=SERVER)
    packet = manager.shapes.packet(Message(QUEUE), SERVER, 2, int(START))
    tokens = [session.send(packet, START), *(session.send(Message(QUEUE)) for _ in range(3))]
    assert (tokens, session.waiting) == ([2, 1, 3, 4], 4)


def test_what_one_peer_is_sent_in_two_sessions_waits_for_both() -> None:
    """Also where the caller has numbered two messages alike."""
    manager = QueueManager(SERVER)
    packet = manager.shapes.packet(Message(BACK), CLIENT, 9, int(START))
    first, second = (Talk() for _ in range(2))
    for talk in (first, second):
        talk.managers["<-"] = manager
        talk.opened()
        talk.send(packet, "<-")
    first.cut()
    second.cut()
    assert sum(len(box["table"]) for box in manager.snapshot()["outboxes"][CLIENT.bytes_le.hex()]) == 2


def test_a_message_without_room_is_no_duplicate_when_it_comes_again() -> None:
    kinds: tuple[dict[str, Any], ...] = ({}, {"recoverable": True}, {"transactional": True})
    for kind in kinds:
        talk = Talk().opened()
        talk.managers["<-"].judge = lambda _: NO_ROOM
        talk.send(Message(QUEUE, b"1", **kind))
        talk.arrive("->")
        assert not talk.is_up
        talk.managers["<-"].judge = None
        talk.wait(5.0)
        talk.settle()
        assert talk.bodies() == [b"1"]
        assert [event for event in talk.events["<-"] if isinstance(event, Duplicate)] == []


def _unaccounted(seed: int) -> set[int]:
    """Return the tokens of messages to which nothing happened and which wait nowhere."""
    dice = Random(seed)  # noqa: S311  # no secret
    managers = QueueManager(CLIENT), QueueManager(SERVER)
    client = Initiator(managers[0], remote=SERVER)
    events: list[tuple[int, Any]] = []
    given: list[set[int]] = [set(), set()]
    unsent: set[int] = set()
    now = START

    def take(side: int, found: list[Any]) -> None:
        events.extend((side, event) for event in found)

    for _ in range(dice.randint(1, 4)):
        server = Acceptor(managers[1])
        sides: tuple[Any, Any] = client, server
        take(0, client.connected(now))
        if dice.random() < 0.9:
            take(1, server.connected(now))
        for _ in range(dice.randint(0, 14)):
            side = dice.randint(0, 1)
            choice = dice.random()
            if choice < 0.4:
                kind = dice.choice(({}, {"recoverable": True}, {"transactional": True}, {"reach_queue": 1}))
                with suppress(MsmqWireError):  # refused, so not given
                    given[side].add(sides[side].send(Message((QUEUE, BACK)[side], **kind), now))
            elif choice < 0.9:
                data = sides[side].data_to_send()
                cut = len(data) if dice.random() < 0.9 else dice.randint(0, len(data))
                take(1 - side, sides[1 - side].receive(data[:cut], now))
            else:
                now += dice.choice((0.6, 11.0, 70.0))
                take(side, sides[side].timeout(now))
        take(0, client.disconnected(now))
        take(1, server.disconnected(now) if dice.random() < 0.5 else server.close(now))
        unsent |= {int(token) for token in server.snapshot()["box"]["table"]}  # it was never connected
    waiting = {int(token) for token in client.snapshot()["box"]["table"]}
    kept = {
        int(token)
        for boxes in managers[1].snapshot()["outboxes"].values() for box in boxes for token in box["table"]
    }  # fmt: skip
    told: list[set[int]] = [waiting, kept | unsent]
    for side, event in events:
        if isinstance(event, (Acknowledged, Expired, Returned)) and event.token is not None:
            told[side].add(event.token)
    return (given[0] - told[0]) | (given[1] - told[1])


def test_every_message_waits_or_was_reported() -> None:
    assert [seed for seed in range(300) if _unaccounted(seed)] == []


def _arrivals(stored: bool) -> list[type]:
    """What a message becomes that arrives twice, with the settings of a short history."""
    talk = Talk(server=Settings(history_size=1 if not stored else 10)).opened()
    for body in (b"1", b"2"):
        talk.send(Message(QUEUE, body))
    data = bytes(talk.flying["->"])
    talk.arrive("->")
    server = talk.side("<-")
    again = [packet for raw in [data] for packet in mw.PacketStream().feed(raw)]
    events = [event for packet in again if isinstance(packet, mqmq.UserMessage)
              for event in server.receive(mw.encode(packet), START)]  # fmt: skip
    return [type(event) for event in events]


def test_beyond_the_size_of_the_history_a_message_is_delivered_again() -> None:
    assert _arrivals(stored=True) == [Duplicate, Duplicate]
    assert _arrivals(stored=False) == [Received, Received]
