"""The rules against the catalogue: every requirement that bytes can break has its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from msmq_wire import DecodeError, PropertyValue, decode, mqcn, mqdsrp, mqmq
from msmq_wire._layout import structures
from msmq_wire.rules import EMBEDDED, JUDGED, JUDGES, RULES
from support_specs import load_requirements

if TYPE_CHECKING:
    from collections.abc import Callable

CATALOGUE = {row.id: row for row in load_requirements()}
RULED = {rule.requirement for rules in RULES.values() for rule in rules} | JUDGED


def test_a_rule_for_each_row_that_says_so_and_a_row_for_each_rule() -> None:
    said = {row.id for row in CATALOGUE.values() if "validate" in row.checked and not row.same_as}
    assert said == RULED


def test_what_repeats_others_names_rules() -> None:
    rows = [row for row in CATALOGUE.values() if row.same_as]
    assert rows
    for row in rows:
        assert set(row.same_as) <= RULED, row.id
        assert "validate" in row.checked, row.id


def test_rules_are_of_kinds_that_can_be_checked() -> None:
    assert {CATALOGUE[requirement].kind for requirement in RULED} == {"wire", "context"}


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


# What the catalogue says of sizes and refusals, checked where a line can check it.

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
    assert CATALOGUE[requirement].checked == ("encode",)
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
    wire = {row.id for row in CATALOGUE.values() if row.kind == "wire"}
    assert set(REFUSED) == {
        requirement for requirement in wire if CATALOGUE[requirement].checked == ("decode",)
    }
    for read, data in REFUSED.values():
        with pytest.raises(DecodeError):
            read(data)
