"""The generated validators against the rules read row by row: the same findings, in the same order."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st
from strategies import ALONE
from support_rows import for_each
from support_rules import violations_of
from support_specs import load_vectors

import msmq_wire as mw
from msmq_wire import testing as mt
from msmq_wire.checks.rules import CHANNELS, LEVELS, RULES
from msmq_wire.checks.validators import VALIDATORS
from msmq_wire.checks.validators import registry as _registry
from msmq_wire.testing.bent.records import bend, others, walk
from msmq_wire.testing.strategies.choices import rolled
from msmq_wire.values.errors import EncodeError

if TYPE_CHECKING:
    from msmq_wire.checks.validation import Channel, Level

STREWN = 4
"""Fields that are changed in one record at most."""


def agree(record: Any, level: Level = "practice", channel: Channel = "session") -> None:
    found = mw.validate(record, level, channel=channel)
    expected = violations_of(record, level, channel)
    assert sorted(
        (one.requirement, one.path, str(one.found), one.allowed, one.level) for one in found
    ) == sorted((one.requirement, one.path, str(one.found), one.allowed, one.level) for one in expected)
    first = mw.validate(record, level, channel=channel, limits=mw.Limits(violations=1))
    assert first.left_out == len(expected) - 1 or not expected
    assert [(one.requirement, one.path) for one in first] == [
        (one.requirement, one.path) for one in expected[:1]
    ]


def strewn(record: Any, seed: int) -> Any:
    """The record with a few fields changed, each to something that can be written; what follows is not."""
    chance = random.Random(seed)  # noqa: S311  # drawn faults need no secrecy
    for _ in range(chance.randint(1, STREWN)):
        path, inner = [], record
        while isinstance(inner, mw.Record):
            field = chance.choice(inner.layout.fields)
            path.append(field.name)
            inner = getattr(inner, field.name)
        try:
            choices = list(others(*walk(record, ".".join(path)), rolled(chance)))
            made = bend(record, ".".join(path), chance.choice(choices)) if choices else record
            made.encode()
        except (EncodeError, TypeError, AttributeError):
            continue  # such a record cannot be written at all
        record = made
    return record


def test_each_structure_with_rules_has_a_verdict() -> None:
    assert _registry.VALIDATORS is VALIDATORS
    assert RULES.keys() <= VALIDATORS.keys()


@for_each("channel", lambda: CHANNELS)
@for_each("level", lambda: LEVELS)
def test_vectors(level: Level, channel: Channel) -> None:
    for vector in load_vectors():
        if not vector.truncated:
            agree(mw.Record.class_of(vector.packet).decode(vector.data), level, channel)


@given(st.data(), st.sampled_from(ALONE), st.sampled_from(CHANNELS))
def test_valid_records(data: st.DataObject, name: str, channel: Channel) -> None:
    agree(data.draw(mt.valid(name)), channel=channel)


@given(st.deferred(mt.bent_packets), st.sampled_from(LEVELS), st.sampled_from(CHANNELS))
def test_bent_records(bent: tuple[str, Any], level: Level, channel: Channel) -> None:
    agree(bent[1], level, channel)


@given(st.data(), st.sampled_from(ALONE), st.integers(0, 2**32), st.sampled_from(CHANNELS))
def test_strewn_faults(data: st.DataObject, name: str, seed: int, channel: Channel) -> None:
    agree(strewn(data.draw(mt.valid(name)), seed), channel=channel)
