"""The law: what was written reads back the same, and what was read is written back the same."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import msmq_wire as mw
from msmq_wire import DecodeError, Record
from msmq_wire._codegen import Reject
from msmq_wire._layout import Structure, structures
from msmq_wire._record import _COMPILER, walker
from strategies import ALONE, NAMES, damaged, near_valid, packets, records

TWICE = settings(max_examples=settings.default.max_examples * 2 if settings.default else 40)
BIG = ("UserMessage", "MessagePacket")


def compiled(structure: Structure, data: bytes) -> tuple[Any, int] | None:
    """What the compiled decoder says, or None where it refuses."""
    try:
        return _COMPILER.decoder(structure.name)(data, 0, len(data))
    except Reject:
        return None


def walked(structure: Structure, data: bytes) -> tuple[Any, int] | None:
    """What the slow reader says, or None where it refuses."""
    try:
        made, pos = walker(data).read(structure, 0, len(data))
    except DecodeError as error:
        check_error(error, data)
        return None
    return made, pos


def check_error(error: DecodeError, data: bytes) -> None:
    """Whatever is wrong, the error says where."""
    assert 0 <= error.offset <= len(data)
    assert error.problem
    assert error.structure in NAMES
    assert error.path.split(".")[0] in NAMES
    assert error.limit
    assert f"`{error.path}`" in str(error)


def check_bytes(name: str, data: bytes) -> None:
    """Two readers agree, and what they accept is written back as it was."""
    structure = structures()[name]
    fast, slow = compiled(structure, data), walked(structure, data)
    assert fast == slow
    if fast is None:
        with pytest.raises(DecodeError):
            Record.class_of(name).decode(data)
        return
    record, pos = fast
    assert record.encode() == data[:pos]
    if pos == len(data):
        assert Record.class_of(name).decode(data) == record
    else:
        with pytest.raises(DecodeError) as caught:
            Record.class_of(name).decode(data)
        assert (caught.value.offset, caught.value.actual) == (pos, len(data) - pos)


@pytest.mark.parametrize("name", ALONE)
@given(data=st.data())
def test_record_survives(name: str, data: st.DataObject) -> None:
    """decode(encode(r)) == r, whatever holds the bytes."""
    record = data.draw(records(name))
    raw = record.encode()
    cls = type(record)
    assert mw.encode(record) == raw
    back = cls.decode(raw)
    assert back == record
    assert back.encode() == raw
    assert repr(back) == repr(record)
    assert cls.decode(bytearray(raw)) == cls.decode(memoryview(raw)) == record
    check_bytes(name, raw)


@pytest.mark.parametrize("name", ALONE)
@given(data=st.data())
def test_damaged_bytes(name: str, data: st.DataObject) -> None:
    """encode(decode(b)) == b for all that is accepted, and nothing but DecodeError for the rest."""
    check_bytes(name, data.draw(near_valid(name)))


@pytest.mark.parametrize("name", BIG)
@TWICE
@given(data=st.data())
def test_damaged_messages(name: str, data: st.DataObject) -> None:
    """The same for the largest structures, several accidents each."""
    raw = data.draw(records(name)).encode()
    for _ in range(5):
        check_bytes(name, data.draw(damaged(raw)))


@pytest.mark.parametrize("name", ALONE)
@given(raw=st.binary(max_size=160))
def test_random_bytes(name: str, raw: bytes) -> None:
    """The same for bytes that never were a record."""
    check_bytes(name, raw)


@pytest.mark.parametrize("name", ["SecurityData"])
@given(data=st.data())
def test_scoped_record(name: str, data: st.DataObject) -> None:
    """A structure whose sizes stand around it can be written, but not read alone."""
    record = data.draw(records(name))
    with pytest.raises(DecodeError) as caught:
        type(record).decode(record.encode())
    error = caught.value
    assert error.problem == "cannot be read alone, because its sizes stand in the structure around it"
    assert (error.structure, error.path, error.offset) == (name, name, 0)


@TWICE
@given(packet=packets())
def test_packet_survives(packet: Any) -> None:
    """What `decode` makes of a packet's bytes is the packet; `decode_lax` agrees and reads no further."""
    raw = mw.encode(packet)
    assert mw.decode(raw) == packet
    assert mw.decode(bytearray(raw)) == mw.decode(memoryview(raw)) == packet
    lax = mw.decode_lax(raw)
    assert (lax.packet, lax.error, lax.rest) == (packet, None, b"")
    present = [field.name for field in packet.layout.fields if getattr(packet, field.name) is not None]
    assert list(lax.headers) == present


@TWICE
@given(data=st.data())
def test_damaged_packet(data: st.DataObject) -> None:
    """`decode` gives the bytes back or raises DecodeError; `decode_lax` never raises."""
    whole = data.draw(packets()).encode()
    for _ in range(3):
        check_packet(data.draw(damaged(whole)))


def check_packet(raw: bytes) -> None:
    """`decode` and `decode_lax` agree."""
    lax = mw.decode_lax(raw)
    try:
        packet = mw.decode(raw)
    except DecodeError as error:
        check_error(error, raw)
        if lax.error is None:
            assert mw.encode(lax.packet) + lax.rest == raw
            assert error.actual == len(lax.rest)  # noqa: PT017  # both outcomes are right
        else:
            assert lax.packet is None
            assert raw.endswith(lax.rest)
    else:
        assert mw.encode(packet) == raw
        assert lax.packet == packet
        assert lax.rest == b""


@given(raw=st.binary(max_size=120))
def test_random_packet(raw: bytes) -> None:
    """Random bytes are no packet, with and without a packet's first bytes."""
    for data in (raw, b"\x10\x00" + raw[:2] + b"LIOR" + raw[2:]):
        lax = mw.decode_lax(data)
        try:
            packet = mw.decode(data)
        except DecodeError as error:
            check_error(error, data)
            assert lax.error is not None or lax.rest
        else:
            assert mw.encode(packet) == data


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_copies(name: str, data: st.DataObject) -> None:
    """Pickles and copies are equal to the original, hash alike and are written alike."""
    record = data.draw(records(name))
    twins = [copy.copy(record), copy.deepcopy(record)]
    twins += [pickle.loads(pickle.dumps(record, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]  # noqa: S301  # own pickles
    for twin in twins:
        assert type(twin) is type(record)
        assert twin == record
        assert hash(twin) == hash(record)
        assert twin.encode() == record.encode()


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda part: pickle.loads(pickle.dumps(part))])  # noqa: S301  # own pickles
def test_unfinished_copies(twin: Any) -> None:
    """A copy of a part still leaves to its whole what the part left to it."""
    transaction = mw.mqmq.TransactionHeader()
    whole = mw.mqmq.UserMessage(UserHeader=twin(mw.mqmq.UserHeader()), TransactionHeader=transaction)
    assert whole == mw.mqmq.UserMessage(TransactionHeader=transaction)
    flags = twin(mw.mqmq.UserHeaderFlags(JN=1))
    made = mw.mqmq.UserMessage(
        UserHeader=mw.mqmq.UserHeader(Flags=flags), BaseHeader=twin(mw.mqmq.BaseHeader())
    )
    assert (made.UserHeader.Flags.MP, made.UserHeader.Flags.JN) == (1, 1)
    with_transaction = mw.mqmq.UserMessage(
        UserHeader=mw.mqmq.UserHeader(Flags=flags), TransactionHeader=transaction
    )
    assert (with_transaction.UserHeader.Flags.TH, with_transaction.UserHeader.Flags.DM) == (1, 1)
    elements = [
        twin(mw.mqmq.MQFFormatNameElement(FormatName=mw.mqmq.MQFDirectQueueFormatName(DirectFormatName=name)))
        for name in ("a", "ab")
    ]
    header = mw.mqmq.MQFAddressHeader(FormatNameList=elements)
    assert mw.mqmq.MQFAddressHeader.decode(header.encode()) == header
