"""The codec against another reader of the same C text: dissect.cstruct itself.

1. Which structures it can read alone follows from the layouts; a list names some that it has to read.
2. It is tried in both of its ways of working, compiled and interpreted.
3. It reads each field as we do, and writes the bytes that we write.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from dissect.cstruct import cstruct
from hypothesis import given
from hypothesis import strategies as st
from strategies import near_valid, records
from support_rows import for_each, table
from support_specs import load_vectors

from msmq_wire import DecodeError, Record
from msmq_wire.definitions.c_mqmq import MQMQ
from msmq_wire.definitions.c_mqqb import MQQB
from msmq_wire.definitions.c_mqrr import MQRR
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import (
    EOF,
    Bytes,
    Choice,
    Field,
    Flags,
    Guid,
    Items,
    Nested,
    Padding,
    Structure,
    Text,
)

TEXTS = {"MS-MQMQ": MQMQ, "MS-MQRR": MQRR, "MS-MQQB": MQQB}

EXPECTED = {
    "BaseHeader",
    "CompoundMessageHeader",
    "ConnectionParameters",
    "ConnectionParametersHeader",
    "DirectQueueFormatName",
    "EstablishConnection",
    "EstablishConnectionHeader",
    "ExtendedAddressHeader",
    "ExtensionHeader",
    "FinalAckBody",
    "IPXAddress",
    "InternalHeader",
    "MQDSPUBLICKEY",
    "MQDSPUBLICKEYS",
    "MQFDirectQueueFormatName",
    "MQFDistributionQueueFormatName",
    "MQFSignatureHeader",
    "MULTICAST_ID",
    "MQUSERSIGNCERT",
    "MQUSERSIGNCERTS",
    "MessageIdentifier",
    "MessagePropertiesHeader",
    "OBJECTID",
    "OrderAckBody",
    "PUBLICKEYBLOB",
    "PingPacket",
    "PrivateQueueFormatName",
    "PrivateQueueFormatNameId",
    "ProviderInfo",
    "PublicQueueFormatName",
    "SEQUENCE_INFO",
    "SIMPLEBLOB",
    "SRMPEnvelopeHeader",
    "SenderCertPublicKey",
    "SessionAck",
    "SessionHeader",
    "SubqueueHeader",
    "TA_ADDRESS",
    "TxSequenceID",
    "ULARGE_INTEGER",
    "UserHeaderAddress",
    "XACTUOW",
}


def readable_field(structure: Structure, field: Field) -> bool:
    """Whether the C text alone says all about a field."""
    match field.kind:
        case Choice() | Padding():
            return False
        case Bytes(count=count) if count == EOF:
            return structure.extent is None
        case Nested(structure=inner) | Items(structure=inner):
            return readable(inner)
    return field.present is None


def readable(structure: Structure) -> bool:
    """Whether cstruct can read a structure by itself."""
    return not structure.scoped and all(
        field.present is None and readable_field(structure, field) for field in structure.fields
    )


@cache
def types(*, compiled: bool) -> Any:
    """All types, as cstruct understands them."""
    made = cstruct()
    for text in TEXTS.values():
        made.load(text, compiled=compiled)
    return made


NAMES = table(
    lambda: sorted(
        name
        for name, structure in structures().items()
        if structure.document in TEXTS and readable(structure) and hasattr(types(compiled=True), name)
    )
)
"""Those with a name in C: a structure within another one is read with that, an element with its array."""


def same(kind: Any, ours: Any, theirs: Any) -> None:
    """One field, read twice."""
    match kind:
        case Flags():
            for group in kind.groups:
                assert getattr(theirs, group.name) == getattr(ours, group.name), group.name
            assert theirs.dumps() == int(ours).to_bytes(kind.size, "little")
        case Guid():
            assert theirs.dumps() == ours.bytes_le
        case Bytes():
            assert bytes(theirs) == ours
        case Text():
            assert str(theirs) == ours
        case Nested(structure=inner):
            same_record(inner, ours, theirs)
        case Items(structure=inner):
            assert len(theirs) == len(ours)
            for our, their in zip(ours, theirs, strict=True):
                if hasattr(types(compiled=True), inner.name):
                    same_record(inner, our, their)
                else:  # in C, an element is the value itself
                    same(inner.by_name["Value"].kind, our.Value, their)
        case _:
            assert int(theirs) == ours


def same_record(structure: Structure, ours: Any, theirs: Any) -> None:
    """All fields, read twice."""
    for field in structure.fields:
        same(field.kind, getattr(ours, field.name), getattr(theirs, field.name))


def check(name: str, record: Any, data: bytes, *, compiled: bool) -> None:
    """Another reader finds the same in the bytes and writes the same bytes."""
    their_type = getattr(types(compiled=compiled), name)
    theirs = their_type(data)
    same_record(structures()[name], record, theirs)
    assert theirs.dumps() == data


def test_readable() -> None:
    """Each of the list is tried; the rest needs what C cannot say."""
    assert set(NAMES()) >= EXPECTED


@for_each("name", NAMES)
def test_modes_differ(name: str) -> None:
    """The two ways of working really are two."""
    assert getattr(types(compiled=False), name) is not getattr(types(compiled=True), name)
    assert not getattr(types(compiled=False), name).__compiled__


with_both = pytest.mark.parametrize(
    "compiled", [True, pytest.param(False, marks=pytest.mark.long)], ids=["compiled", "interpreted"]
)


@with_both
@for_each("name", NAMES)
@given(data=st.data())
def test_same_record(name: str, compiled: bool, data: st.DataObject) -> None:
    """What our class builds and writes, cstruct reads field by field and writes again."""
    record = data.draw(records(name, tidy=True))
    check(name, record, record.encode(), compiled=compiled)


@with_both
@for_each("name", NAMES)
@given(data=st.data())
def test_same_bytes(name: str, compiled: bool, data: st.DataObject) -> None:
    """What our decoder accepts, cstruct reads alike."""
    raw = data.draw(near_valid(name, tidy=True))
    try:
        record = Record.class_of(name).decode(raw)
        texts(record)
    except (DecodeError, UnicodeEncodeError):
        return
    check(name, record, raw, compiled=compiled)


def texts(record: Any) -> None:
    """Raise for text with lone surrogates, which cstruct cannot read."""
    for field in record.layout.fields:
        value = getattr(record, field.name)
        if isinstance(value, str):
            value.encode("utf-16-le")
        elif isinstance(value, Record):
            texts(value)
        elif isinstance(value, tuple):
            for inner in value:
                texts(inner)


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
@for_each(
    "vector",
    lambda: [vector for vector in load_vectors() if vector.packet in NAMES()],
    ids=lambda vector: vector.name,
)
def test_vectors(vector: Any, compiled: bool) -> None:
    """The golden vectors."""
    record = Record.class_of(vector.packet).decode(vector.data)
    check(vector.packet, record, vector.data, compiled=compiled)
