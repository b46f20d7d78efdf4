"""Each switch of `Readings`: what an endpoint does by the letter, and what it does without."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

from support_sequences import GUIDS
from support_specs import load_errata
from test_session_sequences import Desk, step_output

from msmq_wire.machines.session import AS_PRINTED, Readings, Settings

if TYPE_CHECKING:
    from msmq_wire.machines.session import QueueManager

CASES: dict[str, tuple[str, str, str, str]] = {
    # switch: role, steps, what goes out at last in our reading, and by the letter
    "own_window": ("I", "connect in:E in:P(window=1) | send:x send:x", "x", "x,x"),
    "number_received_last": ("A", "open in:t1/0 in:t2/1 +2 in:t1/0 | +0.6", "o2", "o1"),
    "numbered_anew": ("I", "open send:t cut +5 connect in:E | in:P", "t1/0", "t2/1"),
    "duplicates_not_counted": ("A", "open in:x(id=5) in:x(id=5) | +15", "a2", "a1"),
    "own_sequence": ("A", "open in:t1/0 | +0.6", "o1", "o1@0:0"),
    "empty_riders": ("A", "open in:r +0.8 | send:x", "xa:1:1", "xa:0:0"),
    "late_acknowledgments": ("A", "connect in:E in:P(rec=20000) in:r | +15", "a1:1:1", "-"),
    "counted_before_stored": (
        "A", "connect in:E in:P(window=200) in:r*32 | in:r", "a32:1:4294967295", "a33:1:4294967295",
    ),
    "resends_by_acknowledgments": (
        "I", "open send:t in:a +30 in:a +30 in:a +30 in:a | +30", "-", "t1/0",
    ),
}  # fmt: skip


def _last(role: str, steps: str, readings: Readings) -> str:
    desk = Desk(role, Settings(window=200), readings)
    before, after = steps.split("|")
    for step in before.split():
        desk.step(step)
    desk.output.clear()
    for step in after.split():
        desk.step(step)
    return step_output(desk)


def test_what_each_switch_changes() -> None:
    different = {}
    for name, (role, steps, ours, letter) in CASES.items():
        found = _last(role, steps, Readings()), _last(role, steps, Readings(**{name: True}))
        if found != (ours, letter):
            different[name] = found
    assert different == {}


def test_every_switch_has_a_case_and_an_erratum() -> None:
    known = {erratum.id for erratum in load_errata()}
    text = inspect.getdoc(Readings) or ""
    named = dict(re.findall(r"^    (\w+): [^:]*?\(errata\s+(Q\d+)\)\.$", text, re.MULTILINE | re.DOTALL))
    assert set(named) == set(Readings.__struct_fields__) == set(CASES)
    assert set(named.values()) <= known


def test_switches_are_off_and_the_letter_has_them_all() -> None:
    assert not any(getattr(Readings(), name) for name in Readings.__struct_fields__)
    assert all(getattr(AS_PRINTED, name) for name in Readings.__struct_fields__)


def test_readings_outlive_a_restart() -> None:
    desk = Desk("I", Settings(), AS_PRINTED)
    manager: QueueManager = desk.manager
    again = type(manager).restore(manager.snapshot(), readings=AS_PRINTED)
    kept: Any = again.readings
    assert (kept, again.identifier) == (AS_PRINTED, GUIDS[">"])
