"""A crash at any moment loses what was not stored, and what is stored decides what the protocol promises.

A side stores before it sends.  A crash strikes between a call and the storing, between the storing and the
sending, or at rest; what was stored last is what the side begins with again ([MS-MQQB] 3.1.1.3.2).
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, Literal, TypeAlias

import pytest
from support_talk import CLIENT, QUEUE, SERVER, START

from msmq_wire.machines.session import Acceptor, Connect, Initiator, Message, QueueManager, Received

Storing: TypeAlias = Literal["all", "without history", "messages"]
"""What a side stores: both snapshots before it sends; these without the history; messages when they are given
or come, but not what becomes of them.

The last is not enough for transactional messages, whose numbers have to survive: a sender that numbers anew
is not understood, nor is a receiver that does not know the number accepted last.
"""
KINDS: dict[str, dict[str, Any]] = {
    "express": {}, "recoverable": {"recoverable": True}, "transactional": {"transactional": True},
}  # fmt: skip


class CrashError(Exception):
    """The power of a side is gone."""


class Life:
    """A sender and a receiver that crash, and a wire between them."""

    def __init__(self, seed: int, storing: Storing) -> None:
        self.dice = Random(seed)  # noqa: S311  # no secret
        self.storing = storing
        self.now = START
        self.calm = False
        self.sender = QueueManager(CLIENT)
        self.client = Initiator(self.sender, remote=SERVER)
        self.receiver = QueueManager(SERVER)
        self.server: Acceptor | None = None
        self.flying: dict[str, bytes] = {"->": b"", "<-": b""}
        self.given: dict[str, list[bytes]] = {kind: [] for kind in KINDS}
        self.queue: list[bytes] = []  # on the disk of the receiver, with express messages in memory only
        self.arrived: list[tuple[str, bytes]] = []
        self.disk: dict[str, str] = {}
        self.store_client(given=True)
        self.disk["receiver"] = json.dumps(self.receiver.snapshot())

    # ------------------------------------------------------------------------------------------ storing

    def store_client(self, *, given: bool = False) -> None:
        if given or self.storing != "messages":
            self.disk["client"] = json.dumps([self.sender.snapshot(), self.client.snapshot()])

    def store_server(self, events: list[Any]) -> None:
        """Messages that are to be stored, together with what tells that they came."""
        for event in events:
            if isinstance(event, Received):
                body = event.message.MessagePropertiesHeader.MessageBody
                transactional = event.message.TransactionHeader is not None
                kind = "transactional" if transactional else "recoverable" if event.store else "express"
                self.arrived.append((kind, body))
        known = self.receiver.snapshot()
        if self.storing == "without history":
            known["history"] = {}
        if self.storing != "messages":
            self.disk["receiver"] = json.dumps(known)

    def crash(self, side: str) -> None:
        if not self.calm and self.dice.random() < 0.02:
            raise CrashError(side)

    def restart(self, side: str) -> None:
        """A side comes back with what it has stored; the connection is gone."""
        self.flying = {"->": b"", "<-": b""}
        self.server = None
        if side == "client":
            manager, session = json.loads(self.disk["client"])
            self.sender = QueueManager.restore(manager)
            self.client = Initiator.restore(session, self.sender)
        else:
            known = {**json.loads(self.disk["receiver"]), "sessions": 0, "initiators": {}}
            self.receiver = QueueManager.restore(known)
        self.client.disconnected(self.now)

    # -------------------------------------------------------------------------------------------- steps

    def step(self) -> None:
        try:
            self.attempt()
        except CrashError as error:
            self.restart(str(error))

    def attempt(self) -> None:
        self.crash(self.dice.choice(("client", "server")))
        choice = self.dice.random()
        if choice < 0.25 and not self.calm:
            kind = self.dice.choice(sorted(KINDS)[: 2 if self.storing == "messages" else 3])
            body = b"%d" % sum(map(len, self.given.values()))
            self.client.send(Message(QUEUE, body, **KINDS[kind]), self.now)
            self.crash("client")
            self.store_client(given=True)
            self.given[kind].append(body)
            self.send()
        elif choice < 0.65:
            self.exchange()
        elif choice < 0.9:
            self.now += self.dice.choice((0.3, 0.6, 6.0, 11.0, 31.0))
            events = self.client.timeout(self.now)
            if self.server is not None:
                self.store_server(self.server.timeout(self.now))
            self.send()
            if any(isinstance(event, Connect) for event in events):
                self.connect()
        elif self.server is None:
            self.connect()
        elif not self.calm and self.dice.random() < 0.3:
            self.server.disconnected(self.now)
            self.server = None
            self.flying = {"->": b"", "<-": b""}
            self.client.disconnected(self.now)
            self.store_client()

    def connect(self) -> None:
        if self.server is not None or self.client.phase not in {"CLOSED", "WAITING_RECONNECT"}:
            return
        self.server = Acceptor(self.receiver)
        self.client.connected(self.now)
        self.server.connected(self.now)
        self.send()

    def send(self) -> None:
        """What was said goes out, after it was stored."""
        self.crash("client")
        self.store_client()
        self.crash("client")
        self.flying["->"] += self.client.data_to_send()
        if self.server is not None:
            self.flying["<-"] += self.server.data_to_send()

    def exchange(self) -> None:
        if self.server is None:
            return
        size = self.dice.choice((100, 1000, 10_000))
        piece, self.flying["->"] = self.flying["->"][:size], self.flying["->"][size:]
        events = self.server.receive(piece, self.now)
        self.crash("server")
        self.store_server(events)
        self.crash("server")
        self.flying["<-"] += self.server.data_to_send()
        piece, self.flying["<-"] = self.flying["<-"][:size], self.flying["<-"][size:]
        self.client.receive(piece, self.now)
        self.send()
        if self.server.phase == "CLOSED" or self.client.phase in {"CLOSED", "WAITING_RECONNECT"}:
            self.server = None
            self.client.disconnected(self.now)

    def lived(self) -> Life:
        for _ in range(120):
            self.step()
        self.calm = True
        for _ in range(3000):
            self.step()
            if not self.client.waiting:
                return self
        raise AssertionError("they never come to an end")

    def of(self, kind: str) -> list[bytes]:
        return [body for was, body in self.arrived if was == kind]


def _broken_promises(storing: Storing, seeds: range) -> list[tuple[int, str]]:
    broken: list[tuple[int, str]] = []
    for seed in seeds:
        life = Life(seed, storing).lived()
        express, recoverable, transactional = (life.of(kind) for kind in KINDS)
        given = life.given
        exactly = storing == "all"
        if exactly and len(set(express)) != len(express):
            broken.append((seed, "express: at most once"))
        if not set(express) <= set(given["express"]):
            broken.append((seed, "express: only what was given"))
        if not set(given["recoverable"]) <= set(recoverable):
            broken.append((seed, "recoverable: at least once"))
        if exactly and len(recoverable) != len(set(recoverable)):
            broken.append((seed, "recoverable: once, while the history lasts"))
        if not set(given["transactional"]) <= set(transactional):
            broken.append((seed, "transactional: at least once"))
        if storing != "messages" and transactional != given["transactional"]:
            broken.append((seed, "transactional: exactly once, in order"))
    return broken


@pytest.mark.long
def test_with_both_snapshots_every_promise_holds() -> None:
    assert _broken_promises("all", range(60)) == []


@pytest.mark.long
def test_without_the_history_transactional_messages_come_exactly_once() -> None:
    assert _broken_promises("without history", range(60)) == []


def test_with_messages_alone_a_recoverable_one_comes_at_least_once() -> None:
    assert _broken_promises("messages", range(60)) == []
