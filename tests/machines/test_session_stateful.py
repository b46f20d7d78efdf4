"""Two endpoints under all that a network does: the monitor finds nothing, and what is promised is kept."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support_examples import examples
from support_talk import BACK, OTHER_QUEUE, QUEUE, Talk

from msmq_wire.machines.session import AcknowledgedBy, Message, Settings, Violated

WAYS = st.sampled_from(("->", "<-"))


class Talking(RuleBasedStateMachine):
    """A talk, step by step."""

    def __init__(self) -> None:
        super().__init__()
        self.talk = Talk(Settings(window=4, history=1e9))
        self.count = 0
        self.sent: dict[str, list[bytes]] = {"express": [], "recoverable": [], "transactional": []}
        self.tokens: dict[int, str] = {}
        self.delivered: list[bytes] = []
        self.taken = 0

    @initialize(opened=st.booleans())
    def begin(self, *, opened: bool) -> None:
        if opened:
            self.talk.opened()

    def _collect(self) -> None:
        self.delivered += self.talk.bodies()[len(self.delivered) - self.taken :]

    @rule(
        kind=st.sampled_from(("express", "recoverable", "transactional")),
        queue=st.sampled_from((QUEUE, OTHER_QUEUE)),
        journal=st.booleans(),
        asks=st.booleans(),
    )
    def send(self, kind: str, queue: str, *, journal: bool, asks: bool) -> None:
        self.count += 1
        body = b"%d" % self.count
        message = Message(
            queue,
            body,
            recoverable=kind == "recoverable",
            transactional=kind == "transactional",
            journal=journal,
            admin_queue=BACK if asks else "",
            positive_arrival=asks,
            positive_receive=asks,
        )
        self.tokens[self.talk.send(message)] = kind
        self.sent[kind].append(body)

    @precondition(lambda self: self.talk.is_up and self.talk.server.is_open)
    @rule()
    def answer(self) -> None:
        self.talk.send(Message(BACK, b"back"), "<-")

    @precondition(lambda self: not self.talk.is_up)
    @rule()
    def connect(self) -> None:
        self.talk.connect()

    @precondition(lambda self: self.talk.is_up)
    @rule(way=WAYS, most=st.integers(1, 700))
    def arrive(self, way: Any, most: int) -> None:
        self.talk.arrive(way, most)

    @precondition(lambda self: self.talk.is_up)
    @rule()
    def exchange(self) -> None:
        for way in ("->", "<-", "->", "<-"):
            self.talk.arrive(way)

    @rule(seconds=st.sampled_from((0.0, 0.3, 0.6, 2.0, 12.0, 31.0, 400.0)))
    def wait(self, seconds: float) -> None:
        self.talk.wait(seconds)

    @rule(seconds=st.sampled_from((-3600.0, -1.0, 100_000.0)))
    def jump(self, seconds: float) -> None:
        self.talk.wait(seconds)

    @precondition(lambda self: self.talk.is_up)
    @rule()
    def cut(self) -> None:
        self.talk.cut()

    @precondition(lambda self: self.talk.is_up and self.talk.client.is_open)
    @rule(there=st.integers(0, 900), back=st.integers(0, 300), seconds=st.sampled_from((0.0, 0.6, 12.0)))
    def reconnect(self, there: int, back: int, seconds: float) -> None:
        """Some of what is under way arrives, then the connection breaks, and another one is opened."""
        self.talk.arrive("->", there)
        self.talk.wait(seconds)
        self.talk.arrive("<-", back)
        if self.talk.is_up:
            self.talk.cut()
        self.talk.opened()

    @precondition(lambda self: self.talk.is_up)
    @rule(way=WAYS)
    def restart(self, way: Any) -> None:
        self.talk.restart(way)

    @rule()
    def consume(self) -> None:
        self._collect()
        self.taken += self.talk.consume()

    @precondition(lambda self: self.talk.is_up)
    @rule(way=WAYS)
    def pause(self, way: Any) -> None:
        side = self.talk.side(way)
        side.pause(self.talk.now)
        self.talk.write()
        side.resume(self.talk.now)
        self.talk.write()

    @invariant()
    def nothing_is_illegal(self) -> None:
        assert self.talk.findings == []
        assert not [
            event for events in self.talk.events.values() for event in events if isinstance(event, Violated)
        ]

    def teardown(self) -> None:
        self.talk.settle()
        self._collect()
        self.nothing_is_illegal()
        delivered = self.delivered
        transactional = [body for body in delivered if body in self.sent["transactional"]]
        assert transactional == self.sent["transactional"]
        for kind in ("express", "recoverable"):
            assert sorted(body for body in delivered if body in self.sent[kind]) == sorted(self.sent[kind])
        by = {
            "express": self.talk.acknowledged(AcknowledgedBy.SESSION),
            "recoverable": self.talk.acknowledged(AcknowledgedBy.STORED),
            "transactional": self.talk.acknowledged(AcknowledgedBy.ORDER),
        }
        early = set(self.talk.acknowledged(AcknowledgedBy.FINAL)) - set(by["transactional"])
        by["transactional"] += early  # taken from the queue before the OrderAck was due
        for kind, tokens in by.items():
            assert sorted(tokens) == sorted(token for token, of in self.tokens.items() if of == kind)


TestTalking = Talking.TestCase
TestTalking.settings = settings(max_examples=examples(300), stateful_step_count=60, deadline=None)
