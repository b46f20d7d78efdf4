"""The generated modules: every group, every refusal of a builder, every decoder of packets."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_specs import load_vectors

from msmq_wire import EncodeError, Record, mqcn, mqdsrp, mqmq, mqqb, mqrr
from msmq_wire import testing as mt
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Flags
from msmq_wire.records.registry import DECODERS, PACKETS, SHARING
from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.reject import UNREADABLE, Reject

LOADED = (mqcn, mqdsrp, mqmq, mqqb, mqrr)  # all structures have their classes
NAMES = [*structures()]
WORDS = [
    f"{name}.{field.name}"
    for name, structure in structures().items()
    for field in structure.fields
    if isinstance(field.kind, Flags)
]
FRAMES = [vector for vector in load_vectors() if vector.packet in PACKETS]


@pytest.mark.parametrize("name", NAMES)
def test_groups(name: str) -> None:
    """Each group of a word is the bits that the layout gives it, and only those."""
    for field in structures()[name].fields:
        if isinstance(field.kind, Flags):
            words = Record.class_of(name).flags[field.name]
            for group in field.kind.groups:
                assert getattr(words(group.mask), group.name) == (1 << group.width) - 1
                everything = (1 << field.kind.size * 8) - 1
                assert getattr(words(everything & ~group.mask), group.name) == 0
                assert words(0).replace(**{group.name: 1}) == 1 << group.shift


@pytest.mark.parametrize("name", NAMES)
def test_builders_refuse_what_is_no_value(name: str) -> None:
    """With the path of the field that has it; and take back what they have made, by place and by name."""
    cls = Record.class_of(name)
    for field in structures()[name].fields:
        for wrong in (object(), 1.5):
            with pytest.raises(EncodeError) as caught:
                cls(**{field.name: wrong})
            assert caught.value.path.startswith(f"{name}.{field.name}")
    with pytest.raises(EncodeError, match="no such field"):
        cls(NoSuchField=1)


def taken(decode: Any, data: bytes) -> Any:
    try:
        return decode(data, len(data), DEFAULT_LIMITS)
    except UNREADABLE:
        return None


def agreed(name: str, data: bytes, ends: Any) -> None:
    """What the decoders of a packet, and that of the structure, make of its first bytes."""
    for end in ends:
        part = data[:end]
        made = taken(PACKETS[name], part)
        assert taken(SHARING[name], part) == made
        try:
            whole, at = DECODERS[name](part, 0, end, DEFAULT_LIMITS)
        except Reject:
            assert made is None
        else:
            assert made == (whole if at == end else None)
        assert made is None or made.encode() == part


@pytest.mark.parametrize("vector", FRAMES, ids=lambda vector: f"{vector.source}:{vector.name}")
def test_decoders_of_packets_agree(vector: Any) -> None:
    """The one that shares numbers, and the one of the structure, make the same of a packet, at every cut."""
    size = len(vector.data)
    agreed(vector.packet, vector.data, [*range(0, size, 1 + size // 300), size])


@pytest.mark.parametrize("name", [*PACKETS])
@given(st.data())
def test_decoders_of_drawn_packets_agree(name: str, data: st.DataObject) -> None:
    raw = data.draw(mt.valid(name)).encode()
    cut = data.draw(st.integers(0, len(raw)))
    agreed(name, raw, (cut, len(raw)))
    assert taken(PACKETS[name], raw) is not None


def test_a_decoder_takes_a_padding() -> None:
    """Between the texts of a SoapHeader, with which the first ends a word."""
    header = mqmq.SoapHeader(Header="ab\0", HeaderPadding=b"\0\0", Body="xy\0")
    data = header.encode()
    found, end = DECODERS["SoapHeader"](data, 0, len(data), DEFAULT_LIMITS)
    assert (found.HeaderPadding, found.Body, end) == (b"\0\0", "xy\0", len(data))


@pytest.mark.parametrize("name", WORDS)
def test_words_that_are_not_given(name: str) -> None:
    """[MS-MQMQ] 2.2.19: priority 3 and a MessagePropertiesHeader; [MS-MQQB] 2.2.5: bit 20 of the system."""
    usual = {
        "BaseHeader.Flags": 3,
        "UserHeader.Flags": 1 << 21,
        "EstablishConnectionHeader.OperatingSystem": 1 << 4,
    }
    structure, _, field = name.partition(".")
    cls = Record.class_of(structure)
    assert cls.flags[field].defaults == getattr(cls(), field) == usual.get(name, 0)
    assert cls.flags[field]() == usual.get(name, 0)
