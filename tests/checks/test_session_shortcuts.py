"""One question about a usual packet instead of every rule: what is violated and known is the same."""

from __future__ import annotations

from itertools import groupby
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from support_examples import share
from support_histories import History

from msmq_wire.checks.rules import session, session_order
from msmq_wire.checks.sessions.facts import Facts, facts_of
from msmq_wire.checks.sessions.monitor import SessionMonitor
from msmq_wire.documents.session_protocol import OPENED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.checks.rules.session import PacketInContext
    from msmq_wire.checks.sessions.state import Direction

Tape = list[tuple["Direction", Any]]
SHORTCUTS = (
    (session, "agrees", session.HEADER),
    (session_order, "is_new", session_order.MESSAGE),
    (session_order, "is_next", session_order.TRANSACTION),
)
NUMBERS = (
    "message_id", "sent_at", "sequence", "number", "previous", "acknowledged", "first", "sent",
    "recoverable_sent", "window",
)  # fmt: skip


def _bent(facts: Facts, dice: Random) -> Facts:
    """Facts with another number or another bit."""
    if dice.random() < 0.2:
        return msgspec.structs.replace(facts, flags=facts.flags ^ 1 << dice.randrange(32))
    name = dice.choice(NUMBERS)
    value = getattr(facts, name)
    step = dice.choice((-2, -1, 1, 2, 0x8000))
    return facts if value is None else msgspec.structs.replace(facts, **{name: max(value + step, 0)})


def _damaged(tape: Tape, dice: Random) -> Iterator[tuple[Direction, Any]]:
    """A tape with packets that are bent, sent twice, or missing, which is None."""
    for way, packet in tape:
        chance = dice.random()
        facts = facts_of(packet) if type(packet).__name__ in OPENED else packet
        if chance < 0.03:
            yield way, None
            continue
        yield way, _bent(facts, dice) if chance > 0.9 and isinstance(facts, Facts) else facts
        if chance < 0.06:
            yield way, facts


def _judged(tape: Tape, only: Direction | None = None) -> tuple[list[Any], dict[str, Any]]:
    """What a monitor reports, and its state at the end."""
    monitor = SessionMonitor(routes=False, only=only, idle=True, opener="->")
    reported: list[Any] = []
    for at, (way, packet) in enumerate(tape):
        if packet is None:
            monitor.gap(way)
        else:
            reported += monitor.feed(way, packet, at=_time(at), since=_time(at), offset=at)
    return reported, monitor.snapshot()


def _judged_at_once(tape: Tape, only: Direction | None = None) -> tuple[list[Any], dict[str, Any]]:
    """The same, with all facts between other packets at once."""
    monitor = SessionMonitor(routes=False, only=only, idle=True, opener="->")
    reported: list[Any] = []
    rows = ((at, way, packet) for at, (way, packet) in enumerate(tape))
    for are_facts, stretch in groupby(rows, lambda row: isinstance(row[2], Facts)):
        if are_facts:
            seen = [(way, facts, _time(at), _time(at), at) for at, way, facts in stretch]
            found = monitor.feed_facts(seen)
            assert all(item.stream_offset == seen[index][-1] for index, item in found)
            reported += [item for _, item in found]
            continue
        for at, way, packet in stretch:
            if packet is None:
                monitor.gap(way)
            else:
                reported += monitor.feed(way, packet, at=_time(at), since=_time(at), offset=at)
    return reported, monitor.snapshot()


def _time(at: int) -> float | None:
    """The time of a packet; some have none, among them the first ones."""
    return None if at < 3 or at % 7 == 0 else float(at)


def _tapes(seeds: range) -> Iterator[Tape]:
    for seed in seeds:
        tape = [row for connection in History(seed).connections for row in connection.tapes["middle"]]
        yield tape
        yield [*_damaged(tape, Random(seed))]  # noqa: S311  # no secret


def _compare(seeds: range, patch: pytest.MonkeyPatch) -> tuple[set[str], set[str]]:
    """Compare with a monitor that asks every rule; return what was violated, and the shortcuts taken."""
    violated: set[str] = set()
    taken: set[str] = set()
    for tape in _tapes(seeds):
        with patch.context() as every:
            for module, name, _ in SHORTCUTS:
                every.setattr(module, name, lambda _: False)
            expected = _judged(tape)
        with patch.context() as watched:
            for module, name, rules in SHORTCUTS:
                shortcut = getattr(module, name)

                def usual(
                    moment: PacketInContext, shortcut: Any = shortcut, name: str = name, rules: Any = rules
                ) -> bool:
                    if not shortcut(moment):
                        return False
                    taken.add(name)
                    assert all(rule.holds(moment) for rule in rules)
                    return True

                watched.setattr(module, name, usual)
            assert _judged(tape) == expected
        assert _judged(tape) == expected
        violated |= {item.requirement for item in expected[0]}
    return violated, taken


def test_shortcuts(monkeypatch: pytest.MonkeyPatch) -> None:
    violated, taken = _compare(range(12), monkeypatch)
    assert taken == {name for _, name, _ in SHORTCUTS}
    for _, _, rules in SHORTCUTS:
        assert violated & {rule.requirement for rule in rules}


def _compare_at_once(seeds: range) -> None:
    for tape in _tapes(seeds):
        for only in (None, "->"):
            own = [row for row in tape if only is None or row[0] == only]
            assert _judged_at_once(own, only) == _judged(own, only)


def test_facts_at_once() -> None:
    _compare_at_once(range(12))


MANY = range(12, 12 + share(400, 100))


@pytest.mark.long
def test_facts_of_many_histories_at_once() -> None:
    _compare_at_once(MANY)


@pytest.mark.long
def test_shortcuts_of_many_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    violated, _ = _compare(MANY, monkeypatch)
    ruled = {rule.requirement for _, _, rules in SHORTCUTS for rule in rules}
    assert violated >= ruled
