"""Each rule on conformant packets: it was asked about many, and had nothing against any.

1. One population serves all rules: every structure and packet, every property with values that it may have,
   and answers beside their requests.  The rules count how often they are asked while it is judged.
2. A requirement fails if its rule was never asked or found something.  That the rule finds what is wrong is
   shown by the bent packets in `test_testing` and `test_rules_bent`.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from strategies import UNSHRUNK
from support_marks import proves
from support_rows import for_each, table
from support_rules import violations_of

from msmq_wire import GUID, PropertyValue, mqdsrp
from msmq_wire import testing as mt
from msmq_wire.checks import validation
from msmq_wire.checks.rules import FUNCTION_IDS, RULE_FUNCTIONS, RULES, carriers, changes, mqcn
from msmq_wire.checks.validation import Context, validate
from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.propid import by_number
from msmq_wire.packets.carriers import DirectoryQueue, carries
from msmq_wire.packets.directory.carried import carried_by
from msmq_wire.testing.bent.in_context import IN_CONTEXT
from msmq_wire.testing.strategies.directory import (
    carried,
    carried_notification,
    property_numbers,
    property_value,
)
from msmq_wire.testing.strategies.packets import from_dice, message, message_packet
from msmq_wire.values.properties.values import register_type, unregister_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from msmq_wire.checks.rules import RawViolation

RULED = table(lambda: sorted({rule.requirement for rules in RULES.values() for rule in rules} | FUNCTION_IDS))
OF_NONE = {"MQMQ-2.2.20.6-08"}
"""Rules that speak of no conformant record: a SecurityHeader without SecurityData breaks MQMQ-2.2.20.6-23."""
PROPERTIES_OF = {"DirectoryChange": "PropertyID", "NotificationUpdate": "PropertyId"}
GENERAL_TYPE = {"DirectoryChange": "MQDSRP-2.2.4-12", "NotificationUpdate": "MQCN-2.2.6-14"}
TRUTH = 9999
"""An identifier that no document uses, for the truth values that no property of the documents has."""


def _drawn(count: int, strategy: Any, judge: Callable[[Any], None]) -> None:
    """Judge some examples, the same in each run."""

    @settings(UNSHRUNK, max_examples=count)
    @given(strategy)
    def look(example: Any) -> None:
        judge(example)

    look()


class Population:
    """What the rules said of conformant records.

    Attributes:
        asked: How often each rule was asked.
        complaints: What was found nevertheless, by requirement: the first sentence of each.
    """

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.complaints: dict[str, str] = {}

    def judge(self, record: Any, context: Context | None = None) -> None:
        """By the validator, and by the rules read row by row, which are counted."""
        for item in validate(record, "practice", context=context):
            self._note(item.level, item.requirement, str(item))
        channel = validation.channel_of(record.layout.name)
        judges = {name: (_counting_judge(name, self.asked),) for name in RULE_FUNCTIONS}
        if type(record).__name__ == "UserMessage":
            _count_sent(self.asked, record)
        for told_item in violations_of(record, "practice", channel, context, asked=self.asked, judges=judges):
            self._note(told_item.level, told_item.requirement, str(told_item))

    def _note(self, level: str, requirement: str, sentence: str) -> None:
        if level != "practice":
            self.complaints.setdefault(requirement, sentence)


def _count_sent(asked: Counter[str], message: Any) -> None:
    carried = carried_by(message)
    replication = carries(message) is DirectoryQueue.REPLICATION
    if carried is not None:
        deliveries = carriers.DELIVERIES.get(type(carried).__name__, ())
        others = {one for ids in carriers.DELIVERIES.values() for one in ids}
        of_document = "MQDSRP-" if replication else "MQCN-"
        asked.update(deliveries)
        asked.update(one for one in carriers.FUNCTION_IDS - others if one.startswith(of_document))


def _counting_judge(structure: str, asked: Counter[str]) -> Callable[[Any], Iterator[RawViolation]]:
    def judge(record: Any) -> Iterator[RawViolation]:
        asked.update(mqcn.FUNCTION_IDS.get(structure, ()))
        if getattr(record, "DirectoryChanges", ()):
            asked.update(changes.FUNCTION_IDS[structure])
        identifiers = getattr(record, PROPERTIES_OF.get(structure, ""), ())
        for identifier, value in zip(identifiers, getattr(record, "PropertyValue", ()), strict=True):
            known = by_number(identifier)
            asked[(known and known.type_requirement) or GENERAL_TYPE[structure]] += 1
            if value.vt == VARTYPE.VT_BOOL:
                asked["MQMQ-2.2.14-01"] += 1
            if known is not None and value.value not in ("", b"", ()):
                asked.update(known.value_requirements)
        for own in RULE_FUNCTIONS[structure]:
            yield from own(record)

    return judge


SOME: Final = GUID(b"\x11" * 16)


def _each(population: Population, values: tuple[PropertyValue, ...], numbers: tuple[int, ...]) -> None:
    for number, value in zip(numbers, values, strict=True):
        population.judge(
            mqdsrp.DirectoryChange(GuidIdentifier=SOME, PropertyID=(number,), PropertyValue=(value,))
        )


def _is_encrypted(message: Any) -> bool:
    return bool(message.SecurityHeader.Flags.EB)


def _judge_all(population: Population) -> None:
    conforms = population.judge
    for name in structures():
        _drawn(25, mt.valid(name), conforms)
    # Few of these have a class of an application, an address in both headers, or an encrypted body.
    _drawn(100, mt.valid("MessagePropertiesHeader"), conforms)
    _drawn(50, from_dice(partial(message_packet, extended=True)), conforms)
    _drawn(50, from_dice(partial(message, with_security=True)).filter(_is_encrypted), conforms)
    numbers = tuple(number for number, _ in property_numbers())
    values = from_dice(lambda dice: tuple(property_value(dice, number) for number in numbers))
    _drawn(10, values, lambda drawn: _each(population, drawn, numbers))
    for name in carriers.DELIVERIES:
        _drawn(4, from_dice(partial(carried, name=name)), conforms)
    _drawn(8, from_dice(carried_notification), conforms)
    for bend in IN_CONTEXT.values():
        _drawn(4, from_dice(bend.base), lambda pair: population.judge(*pair))
    register_type(TRUTH, VARTYPE.VT_BOOL)
    try:
        _each(
            population, tuple(PropertyValue(VARTYPE.VT_BOOL, value) for value in (0, 0xFFFF)), (TRUTH, TRUTH)
        )
    finally:
        unregister_type(TRUTH)


@pytest.fixture(scope="module")
def population() -> Population:
    """Many conformant records, judged."""
    judged = Population()
    _judge_all(judged)
    return judged


@pytest.mark.tables
@pytest.mark.requirement
@for_each("requirement", lambda: [proves(one) for one in RULED()])
def test_conformant_packets_obey(requirement: str, population: Population) -> None:
    assert requirement not in population.complaints, population.complaints[requirement]
    assert (population.asked[requirement] > 0) == (requirement not in OF_NONE), "how often it was asked"
