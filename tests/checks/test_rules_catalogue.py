"""The rules against the catalogue: every requirement that bytes can break has its place."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
from support_rows import for_each
from support_specs import load_errata, load_requirements

from msmq_wire import mqcn, mqdsrp
from msmq_wire.checks.rules import (
    CAPTURED,
    EMBEDDED,
    FUNCTION_IDS,
    OF_CALLS,
    OPERATORS,
    OTHER_FIELD,
    RULE_FUNCTIONS,
    RULES,
)
from msmq_wire.documents.layouts import structures
from msmq_wire.values.guid import NULL_GUID

pytestmark = pytest.mark.tables
LOADED = (mqcn, mqdsrp)  # their structures are known once they are imported
ERRATA = {erratum.id: erratum for erratum in load_errata()}
CATALOGUE = {row.id: row for row in load_requirements()}
OF_CAPTURES = {rule.requirement for rule in CAPTURED}
RULED = {rule.requirement for rules in RULES.values() for rule in rules} | FUNCTION_IDS


def test_a_rule_for_each_row_that_says_so_and_a_row_for_each_rule() -> None:
    said = {row.id for row in CATALOGUE.values() if "validate" in row.checked and not row.same_as}
    ruled = RULED | OF_CALLS
    assert sorted(said - ruled) == [], "without a rule"
    assert sorted(ruled - said) == [], "a rule of a row that does not say so"


def test_a_rule_of_captures_for_each_row_that_says_so_and_a_row_for_each_rule() -> None:
    said = {row.id for row in CATALOGUE.values() if "capture" in row.checked and not row.same_as}
    assert sorted(said) == sorted(OF_CAPTURES)
    for rule in CAPTURED:
        row = CATALOGUE[rule.requirement]
        assert rule.level in {row.level.partition(" ")[0].lower(), "practice"}
        assert (rule.level == "practice") == bool(rule.erratum)
        assert not rule.erratum or ERRATA[rule.erratum].evidence
        structure, _, field = rule.path.partition(".")[2].partition(".")
        assert field.partition(".")[0] in structures()[structure].by_name


def test_what_repeats_others_names_rules() -> None:
    rows = [row for row in CATALOGUE.values() if row.same_as]
    assert rows
    for row in rows:
        place, rules = ("capture", OF_CAPTURES) if "capture" in row.checked else ("validate", RULED)
        assert set(row.same_as) <= rules, row.id
        assert place in row.checked, row.id


def test_rules_are_of_kinds_that_can_be_checked() -> None:
    assert {CATALOGUE[requirement].kind for requirement in RULED | OF_CAPTURES} == {"wire", "context"}


@for_each("structure", lambda: RULES)
def test_rules_of_a_structure(structure: str) -> None:
    fields = structures()[structure].by_name
    for rule in RULES[structure]:
        row = CATALOGUE[rule.requirement]
        assert rule.level in {row.level.partition(" ")[0].lower(), "practice"}, rule.requirement
        assert bool(rule.erratum) == bool(rule.practice)
        assert rule.erratum or rule.level != "practice"
        if rule.erratum:
            assert ERRATA[rule.erratum].evidence, rule.erratum
        assert rule.path.partition(".")[0] in fields, rule.requirement
        assert rule.allowed
        assert rule.operator in OPERATORS
        # A null GUID stands for nothing, whatever the context.
        in_bytes = rule.channels or rule.of_requests or rule.value == NULL_GUID
        if not rule.needs and row.kind == "context" and not in_bytes:
            pytest.fail(f"{rule.requirement} takes a context")


OF_OTHER_FIELDS = frozenset(
    """
    MQMQ-2.2.12-07 MQMQ-2.2.12-17 MQMQ-2.2.18.1.4.1-03 MQMQ-2.2.18.1.4.2-03 MQMQ-2.2.18.1.6-01
    MQMQ-2.2.18.1.7.2-05 MQMQ-2.2.19.2-40 MQMQ-2.2.19.2-41 MQMQ-2.2.19.2-47 MQMQ-2.2.19.3-05 MQMQ-2.2.19.3-07
    MQMQ-2.2.19.3-09 MQMQ-2.2.19.3-11 MQMQ-2.2.20.1-02 MQMQ-2.2.20.6-07 MQMQ-2.2.20.6-43 MQQB-2.4.1-04
    MQQB-2.4.2-04 MQQB-3.1.5.8.9-01 MQRR-2.2.5.1-01 MQRR-2.2.5.1-02 MQRR-2.2.5.1-03 MQRR-2.2.5.4-03
    MQDSRP-3.2.7.3-04 MQDSRP-3.2.7.3-24 MQDSRP-3.2.7.6-07 MQDSRP-3.2.7.7-06 MQCN-2.2.2-01 MQCN-2.2.5-02
    MQCN-2.2.5-03 MQCN-2.2.5-07 MQCN-2.2.5-08
    """.split()  # noqa: SIM905  # one id beside the other
)
"""Requirements that a rule checks by another field than their subject, such as a size by what it counts."""


def _compared() -> dict[str, set[str]]:
    """The names of the structures, fields and groups that the rules of each requirement compare."""
    names: dict[str, set[str]] = {}
    for structure, rules in RULES.items():
        for rule in rules:
            each: Any
            for each in (rule, *rule.when):
                paths = (structure, each.path, each.value if each.operator in OTHER_FIELD else structure)
                names.setdefault(rule.requirement, set()).update(".".join(paths).split("."))
    return names


@for_each(("requirement", "names"), lambda: _compared().items(), ids=lambda row: row[0])
def test_a_requirement_is_about_what_its_rules_compare(requirement: str, names: set[str]) -> None:
    subject = CATALOGUE[requirement].subject.rpartition(".")[2].removesuffix("Packet")
    assert (subject in names) == (requirement not in OF_OTHER_FIELDS), (subject, names)


_NUMBER = r"(0x[0-9a-f]+|\d+)\b"
_CONDITION = re.compile(rf"\b(while|because|unless) (\w+) is {_NUMBER}(?: or {_NUMBER})?")


@for_each("structure", lambda: RULES)
def test_sentences_have_the_numbers_that_rules_compare(structure: str) -> None:
    """The value, if the sentence begins with a number, and the number of a field that is a condition."""
    for rule in RULES[structure]:
        said = re.match(rf"(not )?{_NUMBER}", rule.allowed)
        if said and isinstance(rule.value, int) and (said[1] or rule.operator == "=="):
            assert rule.operator == ("!=" if said[1] else "=="), rule
            numbers = re.findall(_NUMBER, rule.allowed) if " for " in rule.allowed else [said[2]]
            assert rule.value in {int(number, 0) for number in numbers}, rule
        conditions = [] if rule.operator == "fits" else _CONDITION.findall(rule.allowed)  # of a function
        for word, name, *numbers in conditions:
            (condition,) = (each for each in rule.when if each.path.rpartition(".")[2] == name)
            assert condition.operator in ({"!=", "not in"} if word == "unless" else {"=="}), rule
            allowed = condition.value if isinstance(condition.value, frozenset) else {condition.value}
            assert {int(number, 0) for number in numbers if number} <= allowed, rule


def test_operators_that_name_another_field() -> None:
    """Values that are paths of fields stand with these operators, and each of these has such a value."""
    met = set()
    for structure, rules in RULES.items():
        fields = structures()[structure].by_name
        compared: list[Any] = [each for rule in rules for each in (rule, *rule.when)]
        for each in compared:
            if isinstance(each.value, str) and each.value.partition(".")[0] in fields:
                assert each.operator in OTHER_FIELD, each
            if each.operator in OTHER_FIELD:
                assert each.value.partition(".")[0] in fields, each
            met.add(each.operator)
    assert met == set(OPERATORS)


@pytest.mark.parametrize(
    "made",
    [
        'mqmq.SecurityData(EncryptionKey=b"1234")',
        "mqmq.MQDSPUBLICKEY(aBuf=bytes.fromhex('0602000000a40000525341310002000001000100') + bytes(64))",
    ],
)
def test_structures_within_bytes_are_known_in_a_fresh_process(made: str) -> None:
    """The blobs of one document lie within structures of another, which may be all that a program imports."""
    code = f"from msmq_wire import mqmq; import msmq_wire as mw; print(len(mw.validate({made})))"
    found = subprocess.run(  # noqa: S603  # the texts above
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert found.stdout.strip().isdigit(), found.stderr


def test_judges_and_embedded_structures_belong_to_structures() -> None:
    assert {*RULE_FUNCTIONS, *EMBEDDED} <= set(structures())
    for structure, rows in EMBEDDED.items():
        for row in rows:
            assert row.path.partition(".")[0] in structures()[structure].by_name
