"""Every length has every wrong value, once, and nothing else changes."""

from __future__ import annotations

from typing import Any

import pytest

import msmq_wire as mw
from msmq_wire import mqdsrp, mqmq
from msmq_wire import testing as mt
from msmq_wire.testing.mutation.numbers import View, places
from msmq_wire.values.properties.values import register_type, unregister_type

FULL = mt.samples()[1]
"""A UserMessage with every header."""


def test_every_length_of_a_packet() -> None:
    """The numbers are those of the layouts, and each has the values of which readers are afraid."""
    mutants = mt.length_mutants(FULL)
    stated = View(FULL, None).owned(places().lengths | set(places().counts))
    assert list(mutants.coverage) == [field.path for field in stated]
    top = {field.path: (1 << field.size * 8) - 1 for field in stated}
    missing = []
    for field in stated:
        values = {mutant.value for mutant in mutants if mutant.path == field.path} | {int(field.value)}
        wanted = {0, 1, int(field.value) - 1, int(field.value) + 1, top[field.path], top[field.path] // 2 + 1}
        wanted |= {1 << 31, (1 << 32) - 1} if field.size == 4 else set()
        missing += [(field.path, value) for value in wanted - values if 0 <= value <= top[field.path]]
    assert missing == []


def test_only_the_number_changes() -> None:
    mutants = mt.length_mutants(FULL)
    sizes = {field.path: field.size for field in View(FULL, None).fields}
    wrong = []
    for mutant in mutants:
        end = mutant.offset + sizes[mutant.path]
        whole = FULL[: mutant.offset] + mutant.value.to_bytes(end - mutant.offset, "little") + FULL[end:]
        if mutant.data != whole or mutant.data == FULL or mutant.value == mutant.truth:
            wrong.append(mutant)
    assert wrong == []
    assert len({mutant.data for mutant in mutants}) == len(mutants)


def test_the_fields_of_the_published_exploit() -> None:
    """CVE-2023-21554 lies in these two, with a product that wraps."""
    paths = {"UserMessage.SRMPEnvelopeHeader.DataLength", "UserMessage.CompoundMessageHeader.HTTPBodySize"}
    mutants = [mutant for mutant in mt.length_mutants(FULL) if mutant.path in paths]
    assert {mutant.path for mutant in mutants} == paths
    wrapping = [mutant for mutant in mutants if "a product that wraps in 32 bits" in mutant.reason]
    assert [mutant.value for mutant in wrapping] == [1 << 31]
    assert mw.decode_lax(wrapping[0].data).error is not None
    seeds = [headers(seed) for seed in mt.seed_corpus(count=60)]
    assert sum("SRMPEnvelopeHeader" in names for names in seeds) > 5


def headers(data: bytes) -> list[str]:
    return list(mw.decode_lax(data).headers)


def test_counts_in_property_values() -> None:
    """Blobs, vectors, vectors of blobs, and vectors of variants."""
    values: list[Any] = [
        mw.PropertyValue.of(65, b"blob"),
        mw.PropertyValue.of(0x1013, [1, 2]),
        mw.PropertyValue.of(0x1041, [b"a", b"bc"]),
        mw.PropertyValue.of(0x101F, ["text"]),
        mw.PropertyValue.of(0x100C, [mw.PropertyValue.of(19, 7), mw.PropertyValue.of(65, b"deep")]),
    ]
    for index, value in enumerate(values):
        register_type(9000 + index, value.vt)
    try:
        change = mqdsrp.DirectoryChange(
            PathName="a", PropertyID=range(9000, 9000 + len(values)), PropertyValue=values
        )
        mutants = mt.length_mutants(change.encode(), kind=mqdsrp.DirectoryChange)
        places_of = {mutant.path.removeprefix("DirectoryChange."): mutant.truth for mutant in mutants}
    finally:
        for index in range(len(values)):
            unregister_type(9000 + index)
    assert places_of == {
        "NumberOfProperties": 5,
        "PropertyValue[0].Count": 4,
        "PropertyValue[1].Count": 2,
        "PropertyValue[2].Count": 2,
        "PropertyValue[2][0].Count": 1,
        "PropertyValue[2][1].Count": 2,
        "PropertyValue[3].Count": 1,
        "PropertyValue[4].Count": 2,
        "PropertyValue[4][1].Count": 4,
    }


def test_pairs_agree() -> None:
    """A body that is too long, in a packet that claims to be as long: the two numbers hide each other."""
    packet = mqmq.UserMessage.of(Label="label", MessageBody=b"body")
    mutants = mt.length_mutants(packet.encode(), pairs=True)
    assert len(mutants) > len(mt.length_mutants(packet.encode()))
    body = "UserMessage.MessagePropertiesHeader.MessageSize"
    pairs = {mutant.agreeing[0][0]: mutant for mutant in mutants if mutant.agreeing and mutant.path == body}
    assert set(pairs) == {
        "UserMessage.BaseHeader.PacketSize",
        "UserMessage.MessagePropertiesHeader.AllocationBodySize",
    }
    size = "UserMessage.BaseHeader.PacketSize"
    differences = {
        mutant.agreeing[0][1] - packet.BaseHeader.PacketSize - (mutant.value - 4)
        for mutant in mutants
        if mutant.path == body and mutant.agreeing and mutant.agreeing[0][0] == size
    }
    assert differences == {0}
    for data in mt.samples():
        distinct = mt.length_mutants(data, pairs=True)
        assert len({mutant.data for mutant in distinct}) == len(distinct)


def test_where_a_length_leads() -> None:
    packet = mqmq.UserMessage.of(Label="label", MessageBody=b"body" * 10).encode()
    reached = {
        mutant.value: mutant.reaches
        for mutant in mt.length_mutants(packet)
        if mutant.path.endswith("MessageSize")
    }
    assert reached[39] == "into UserMessage.MessagePropertiesHeader.MessageBody"
    assert reached[41] == "1 byte past the input"
    assert reached[(1 << 32) - 1].endswith("bytes past the input")


def test_it_is_a_sequence_in_wire_order() -> None:
    mutants = mt.length_mutants(FULL)
    offsets = [mutant.offset for mutant in mutants]
    assert offsets == sorted(offsets)
    assert mutants[:3] == [mutants[0], mutants[1], mutants[2]]
    assert mutants[-1] == mutants[len(mutants) - 1]
    assert len(mutants.table().splitlines()) == len(mutants.coverage)
    assert sum(map(len, mutants.coverage.values())) == len(mutants)


@pytest.mark.parametrize("data", [b"", b"\x10", bytes(40), FULL[:100]])
def test_any_bytes_have_a_list(data: bytes) -> None:
    mutants = mt.length_mutants(data, pairs=True)
    assert all(len(mutant.data) == len(data) for mutant in mutants)
