"""Each rule is broken, and the violation is the same for the record, its bytes, its columns and its parts."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pyarrow as pa
from hypothesis.errors import UnsatisfiedAssumption
from support_rows import table

import msmq_wire as mw
from msmq_wire import arrow
from msmq_wire import testing as mt
from msmq_wire.checks.rules import FUNCTION_IDS, RULES
from msmq_wire.testing.bent import operators
from msmq_wire.testing.bent import records as _bent
from msmq_wire.testing.bent.bases import WHOLE
from msmq_wire.testing.bent.several_fields import SEVERAL
from msmq_wire.testing.strategies.choices import rolled

TRIES = 12


def _pairs() -> dict[str, tuple[Any, Any]]:
    """A conformant record and the same record bent, for each requirement that one record can violate."""
    pairs: dict[str, tuple[Any, Any]] = {}
    for requirement in mt.BENDABLE:
        for place in _bent.sites_of_rules().get(requirement, ()):
            for seed in range(TRIES):
                dice = rolled(Random(seed))  # noqa: S311  # any will do
                bases: list[Any] = []

                def base(dice: Any, make: Any = place.base, kept: list[Any] = bases) -> Any:
                    kept.append(make(dice))
                    return kept[-1]

                try:
                    broken = _bent.broken_record(dice, requirement, place._replace(base=base))
                except UnsatisfiedAssumption:
                    continue
                pairs[requirement] = bases[-1], broken
                break
    return pairs


PAIRS = table(_pairs)


def _facts(violations: Any) -> list[tuple[str, str, int, str]]:
    return [(item.requirement, item.path, item.offset, item.message) for item in violations]


def test_every_rule_is_broken_by_some_record() -> None:
    places = _bent.sites_of_rules()
    assert not {requirement for requirement in mt.BENDABLE if requirement in places} - PAIRS().keys()


def test_every_twin_is_clean() -> None:
    unclean = {
        requirement: str(violations)
        for requirement, (twin, _) in PAIRS().items()
        if (violations := mw.validate(twin, mt.BENDABLE[requirement]))
    }
    assert not unclean


def test_bytes_have_the_violation_of_the_record() -> None:
    different = {}
    for requirement, (_, broken) in PAIRS().items():
        level = mt.BENDABLE[requirement]
        try:
            read = type(broken).decode(broken.encode())
        except (mw.EncodeError, mw.DecodeError):
            continue  # refused, or decoded within another structure only
        if read == broken and _facts(mw.validate(read, level)) != _facts(mw.validate(broken, level)):
            different[requirement] = str(mw.validate(read, level))
    assert not different


def test_columns_have_the_violation_of_the_record() -> None:
    different = {}
    packets: dict[Any, dict[str, bytes]] = {}
    for requirement, (_, broken) in PAIRS().items():
        with suppress(mw.MsmqWireError):  # no packet
            packets.setdefault(mt.BENDABLE[requirement], {})[requirement] = mw.encode(broken)
    for level, own in packets.items():
        rows = arrow.validate(pa.array(own.values(), pa.binary()), level=level).to_pylist()
        for (requirement, data), row in zip(own.items(), rows, strict=True):
            try:
                read = mw.decode(data)
            except mw.MsmqWireError:
                continue  # no packet
            told = [(item["requirement"], item["path"], item["offset"], item["message"]) for item in row]
            if told != _facts(mw.validate(read, level)):
                different[requirement] = told
    assert not different


def test_partial_results_have_the_violation_of_the_record() -> None:
    """A byte is missing at the end: what is violated by known fields is reported alike, or as unchecked."""
    different = {}
    for requirement, (_, broken) in PAIRS().items():
        level = mt.BENDABLE[requirement]
        try:
            data = mw.encode(broken)
            whole = mw.decode(data)
        except mw.MsmqWireError:
            continue
        expected = _facts(mw.validate(whole, level))
        result = mw.decode_lax(data[:-1])
        if result.source is None or result.source.kind != type(whole).__name__:
            continue  # what is missing says that it is an acknowledgment
        partial = mw.validate(result, level)
        unchecked = {item.requirement for item in partial.unjudged}
        for facts in expected:
            if facts[0] not in unchecked and facts not in _facts(partial):
                different[requirement] = str(partial)
    assert not different


def test_every_operator_is_derived() -> None:
    """Only functions and forms have ways of their own."""
    used = {row.operator for rows in RULES.values() for row in rows}
    assert used - operators.DERIVED.keys() <= {"fits", "form of"}
    assert FUNCTION_IDS.isdisjoint(_bent.sites_of_rules().keys() - WHOLE.keys() - SEVERAL.keys())
