"""The rules against the catalogue: every requirement that bytes can break has its place."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from msmq_wire import DecodeError, PropertyValue, decode, mqcn, mqdsrp, mqmq
from msmq_wire._layout import structures
from msmq_wire.rules import ELSEWHERE, EMBEDDED, JUDGED, JUDGES, RULES, SAME
from support_specs import load_requirements

if TYPE_CHECKING:
    from collections.abc import Callable

CATALOGUE = {row.id: row for row in load_requirements()}
WIRE = {row.id for row in CATALOGUE.values() if row.kind == "wire"}
RULED = {rule.requirement for rules in RULES.values() for rule in rules} | JUDGED
PLACES = {"decode", "encode", "session", "machine", "nowhere"}


@pytest.mark.parametrize("document", ["MS-MQMQ", "MS-MQQB", "MS-MQRR", "MC-MQDSRP", "MS-MQCN"])
def test_every_wire_requirement_has_its_place(document: str) -> None:
    rows = {requirement for requirement in WIRE if CATALOGUE[requirement].document == document}
    assert rows
    assert rows - RULED - set(SAME) - set(ELSEWHERE) == set()


def test_no_requirement_has_two_places() -> None:
    places = Counter([*RULED, *SAME, *ELSEWHERE])
    assert [requirement for requirement, times in places.items() if times > 1] == []


def test_requirements_exist() -> None:
    assert {*RULED, *SAME, *ELSEWHERE} - set(CATALOGUE) == set()


def test_rules_are_of_kinds_that_can_be_checked() -> None:
    assert {CATALOGUE[requirement].kind for requirement in RULED} == {"wire", "context"}
    assert {CATALOGUE[requirement].kind for requirement in (*SAME, *ELSEWHERE)} == {"wire"}


@pytest.mark.parametrize("structure", RULES)
def test_rules_of_a_structure(structure: str) -> None:
    fields = structures()[structure].by_name
    for rule in RULES[structure]:
        row = CATALOGUE[rule.requirement]
        assert rule.level == row.level.partition(" ")[0].lower(), rule.requirement
        assert rule.path.partition(".")[0] in fields, rule.requirement
        assert rule.allowed
        if rule.needs:
            assert rule.scoped
        elif row.kind == "context":
            pytest.fail(f"{rule.requirement} takes a context")


def test_judges_and_embedded_structures_belong_to_structures() -> None:
    assert {*JUDGES, *EMBEDDED} <= set(structures())
    for structure, rows in EMBEDDED.items():
        for row in rows:
            assert row.path.partition(".")[0] in structures()[structure].by_name


@pytest.mark.parametrize("requirement", SAME)
def test_what_repeats_another_names_a_rule(requirement: str) -> None:
    others = SAME[requirement].split()
    assert others
    assert set(others) <= RULED


@pytest.mark.parametrize("requirement", ELSEWHERE)
def test_what_is_elsewhere_says_where_and_why(requirement: str) -> None:
    where, why = ELSEWHERE[requirement]
    assert where in PLACES
    assert why


# What the table says of sizes and refusals, checked where a line can check it.

SIZES = {
    "MQMQ-2.2.4.2-01": ("IPXAddress", 10),
    "MQMQ-2.2.5.1-01": ("SEQUENCE_INFO", 16),
    "MQMQ-2.2.18.1.2-01": ("TxSequenceID", 8),
    "MQMQ-2.2.18.1.3-03": ("MessageIdentifier", 20),
    "MQMQ-2.2.18.1.5.1-01": ("PrivateQueueFormatNameId", 4),
    "MQMQ-2.2.18.1.7.1-01": ("PublicQueueFormatName", 16),
    "MQMQ-2.2.18.1.7.2-01": ("PrivateQueueFormatName", 20),
    "MQMQ-2.2.19.1-39": ("BaseHeader", 16),
    "MQMQ-2.2.20.4-16": ("SessionHeader", 16),
    "MQQB-2.2.1-30": ("InternalHeader", 4),
    "MQQB-2.2.2-03": ("ConnectionParameters", 32),
    "MQQB-2.2.3-03": ("EstablishConnection", 572),
    "MQQB-2.2.3.1-24": ("EstablishConnectionHeader", 552),
    "MQQB-2.2.4.1-08": ("OrderAckBody", 36),
    "MQQB-2.2.5.1-06": ("FinalAckBody", 36),
    "MQQB-2.2.6-04": ("SessionAck", 36),
    "MQQB-2.2.7-26": ("PingPacket", 24),
    "MQDSRP-2.2.3-01": ("PARTITION_SEQ_NUMBERS", 32),
    "MQDSRP-2.2.5.1-03": ("BaseReplicationHeader", 18),
    "MQDSRP-2.2.5.3-03": ("SyncReplyHeader", 66),
    "MQDSRP-2.2.6.8-02": ("AlreadyPurgedMessage", 42),
}
LEAST_SIZES = {
    "MQMQ-2.2.19.2-53": ("UserHeader", 48),
    "MQMQ-2.2.19.3-44": ("MessagePropertiesHeader", 56),
    "MQMQ-2.2.20.5-35": ("TransactionHeader", 20),
    "MQMQ-2.2.20.6-47": ("SecurityHeader", 16),
    "MQMQ-2.2.22-03": ("MQUSERSIGNCERT", 36),
    "MQDSRP-2.2.6.4-04": ("SyncRequestMessage", 60 + 2),  # with the terminator of an empty name
    "MQDSRP-2.2.6.6-02": ("BSCAckMessage", 34 + 2),
    "MQDSRP-2.2.6.7-02": ("PSCAckMessage", 58 + 2),
}


@pytest.mark.parametrize("requirement", [*SIZES, *LEAST_SIZES])
def test_layouts_have_the_sizes_of_the_catalogue(requirement: str) -> None:
    assert ELSEWHERE[requirement][0] == "encode"
    if requirement in SIZES:
        name, size = SIZES[requirement]
        assert structures()[name].fixed_size == size
    else:
        name, size = LEAST_SIZES[requirement]
        assert structures()[name].least_size == size


_MESSAGE = mqmq.UserMessage(
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=b"body")
).encode()
REFUSED: dict[str, tuple[Callable[[bytes], object], bytes]] = {
    # MessageSize and ExtensionSize beyond the packet
    "MQMQ-2.2.19.3-23": (decode, _MESSAGE[:96] + b"\xff\xff\xff\x7f" + _MESSAGE[100:]),
    "MQMQ-2.2.19.3-34": (decode, _MESSAGE[:116] + b"\xff\xff\xff\x7f" + _MESSAGE[120:]),
    # a vector of one variant of type 0x7777
    "MQMQ-2.2.13.1-01": (lambda data: PropertyValue.decode(0x100C, data), b"\1\0\0\0\x77\x77\0\0"),
    "MQDSRP-2.2.6.1-01": (mqdsrp.decode, bytes(17) + b"\x08" + bytes(24)),
    "MQCN-3.3.5.3-11": (mqcn.decode, b"\0\2\1<"),
}


def test_what_decoding_refuses() -> None:
    assert set(REFUSED) == {requirement for requirement, place in ELSEWHERE.items() if place[0] == "decode"}
    for read, data in REFUSED.values():
        with pytest.raises(DecodeError):
            read(data)
