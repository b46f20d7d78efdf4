"""The law: what was written reads back the same, and what was read is written back the same."""

from __future__ import annotations

import copy
import pickle
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    ALONE,
    DIRECTORY_ALONE,
    DIRECTORY_NAMES,
    NAMES,
    damaged,
    messages,
    near_valid,
    notifications,
    packets,
    property_values,
    records,
)
from support_directory import facts
from support_rows import for_each

import msmq_wire as mw
from msmq_wire import DecodeError, Record, mqcn, mqdsrp, mqmq, mqqb
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.packet import accept
from msmq_wire.records.record import diagnostic_reader, size_of_record
from msmq_wire.records.registry import DECODERS
from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.properties.values import READERS, PropertyValue
from msmq_wire.values.refusals import Problem
from msmq_wire.values.reject import Reject

if TYPE_CHECKING:
    from msmq_wire.records.model import Structure

TWICE = settings(max_examples=settings.default.max_examples * 2 if settings.default else 40)
EVERY = NAMES + DIRECTORY_NAMES
READABLE = ALONE + DIRECTORY_ALONE
BIG = ("UserMessage", "MessagePacket", "ChangePropagationMessage", "ChangeNotificationMessage")


def compiled(structure: Structure, data: bytes) -> tuple[Any, int] | None:
    """What the compiled decoder says, or None where it refuses."""
    try:
        return DECODERS[structure.name](data, 0, len(data), DEFAULT_LIMITS)
    except Reject:
        return None


def walked(structure: Structure, data: bytes) -> tuple[Any, int] | None:
    """What the diagnostic reader says, or None where it refuses."""
    try:
        made, pos = diagnostic_reader(data).read(structure, 0, len(data))
    except DecodeError as error:
        check_error(error, data)
        return None
    return made, pos


def check_error(error: DecodeError, data: bytes) -> None:
    """Whatever is wrong, the error says where."""
    assert 0 <= error.offset <= len(data)
    assert error.problem
    assert error.structure in EVERY
    assert error.path.split(".")[0] in EVERY
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
        error = caught.value
        if error.code is Problem.LEFT_OVER:
            assert (error.offset, error.actual) == (pos, len(data) - pos)
        else:  # what stands before these bytes, and explains them
            assert error.offset < pos


@for_each("name", lambda: READABLE)
@given(data=st.data())
def test_record_survives(name: str, data: st.DataObject) -> None:
    """decode(encode(r)) == r, whatever holds the bytes."""
    record = data.draw(records(name))
    raw = record.encode()
    cls = type(record)
    assert mw.encode(record) == raw
    assert size_of_record(record) == len(raw)
    back = cls.decode(raw)
    assert back == record
    assert back.encode() == raw
    assert repr(back) == repr(record)
    assert cls.decode(bytearray(raw)) == cls.decode(memoryview(raw)) == record
    check_bytes(name, raw)


@for_each("name", lambda: READABLE)
@given(data=st.data())
def test_damaged_bytes(name: str, data: st.DataObject) -> None:
    """encode(decode(b)) == b for all that is accepted, and nothing but DecodeError for the rest."""
    check_bytes(name, data.draw(near_valid(name)))


@for_each("name", lambda: BIG)
@TWICE
@given(data=st.data())
def test_damaged_messages(name: str, data: st.DataObject) -> None:
    """The same for the largest structures, several accidents each."""
    raw = data.draw(records(name)).encode()
    for _ in range(5):
        check_bytes(name, data.draw(damaged(raw)))


@for_each("name", lambda: READABLE)
@given(raw=st.binary(max_size=160))
def test_random_bytes(name: str, raw: bytes) -> None:
    """The same for bytes that never were a record."""
    check_bytes(name, raw)


@pytest.mark.parametrize("name", ["SecurityData", "NotificationUpdates"])
@given(data=st.data())
def test_scoped_record(name: str, data: st.DataObject) -> None:
    """A structure whose sizes stand around it can be written, but not read alone."""
    record = data.draw(records(name))
    with pytest.raises(DecodeError) as caught:
        type(record).decode(record.encode())
    error = caught.value
    assert error.problem == "cannot be decoded alone, because its sizes are in the enclosing structure"
    assert (error.structure, error.path, error.offset) == (name, name, 0)


@pytest.mark.parametrize("reserved", [1, 0x80, 0x100, 0xFFFF])
@pytest.mark.parametrize("cls", [mqqb.EstablishConnection, mqqb.ConnectionParameters, mqqb.SessionAck])
def test_every_bit_of_reserved_bytes(cls: Any, reserved: int) -> None:
    packet = cls(InternalHeader=mqqb.InternalHeader(Reserved=reserved))
    assert packet.encode()[16:18] == reserved.to_bytes(2, "little")
    check_bytes(cls.__name__, packet.encode())
    accepted: Any = accept(packet.encode(), DEFAULT_LIMITS)
    assert accepted.InternalHeader.Reserved == reserved


@pytest.mark.parametrize("label", ["", "a", "ab", "abc", "\U0001f600"])
@pytest.mark.parametrize("body", range(4))
@pytest.mark.parametrize("cls", [mqqb.OrderAck, mqqb.FinalAck])
def test_acknowledgments_of_odd_sizes(cls: Any, label: str, body: int) -> None:
    """Not as the page has them; padded to four bytes all the same, and read by the fast reader too."""
    properties = mqmq.MessagePropertiesHeader(Label=label, MessageBody=bytes(body))
    raw = cls(MessagePropertiesHeader=properties).encode()
    assert len(raw) % 4 == 0
    assert compiled(structures()[cls.__name__], raw) is not None
    check_bytes(cls.__name__, raw)


@pytest.mark.parametrize("name", ["a\ud800", "\ud800", "\udc00a", "a\udc00\ud800"])
def test_halves_of_characters_in_names(name: str) -> None:
    """Any sequence of WCHARs is a name, also with half a character at its end."""
    for record in (mqcn.NotificationUpdate(PathName=name), mqdsrp.DirectoryChange(PathName=name)):
        raw = record.encode()
        assert (name + "\0").encode("utf-16-le", "surrogatepass") in raw
        assert size_of_record(record) == len(raw)
        check_bytes(type(record).__name__, raw)
        assert type(record).decode(raw) == record


@TWICE
@given(packet=packets())
def test_packet_survives(packet: Any) -> None:
    """What `decode` makes of a packet's bytes is the packet; `decode_lax` agrees and reads no further."""
    raw = mw.encode(packet)
    assert mw.decode(raw) == packet
    assert accept(raw, DEFAULT_LIMITS) == packet
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
            assert lax.packet is not None
            assert mw.encode(lax.packet) + lax.rest == raw
            # Bytes are left over, or the number that would have included them is named.
            assert error.actual == len(lax.rest) or error.source_path is not None  # noqa: PT017
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


@TWICE
@given(message=messages())
def test_message_survives(message: Any) -> None:
    """What `mqdsrp.decode` makes of a message's bytes is the message; the other readers agree."""
    raw = mqdsrp.encode(message)
    assert mqdsrp.decode(raw) == message
    assert mqdsrp.decode(bytearray(raw)) == mqdsrp.decode(memoryview(raw)) == message
    check_directory(mqdsrp, raw)


@TWICE
@given(message=notifications())
def test_notification_survives(message: Any) -> None:
    """The same for `mqcn`."""
    raw = mqcn.encode(message)
    assert mqcn.decode(raw) == message
    assert mqcn.decode(bytearray(raw)) == mqcn.decode(memoryview(raw)) == message
    check_directory(mqcn, raw)


@TWICE
@given(data=st.data())
def test_damaged_directory_message(data: st.DataObject) -> None:
    """The readers of both protocols give the bytes back or raise DecodeError, whatever the bytes are."""
    for module, kinds in ((mqdsrp, messages()), (mqcn, notifications())):
        whole = data.draw(kinds).encode()
        for _ in range(3):
            check_directory(module, data.draw(damaged(whole)))


@TWICE
@given(raw=st.binary(max_size=120), operation=st.integers(0, 8))
def test_random_directory_message(raw: bytes, operation: int) -> None:
    """The same for random bytes, with and without the first bytes of a message."""
    check_directory(mqdsrp, raw)
    check_directory(mqdsrp, bytes(17) + bytes([operation]) + raw)
    check_directory(mqcn, raw)
    check_directory(mqcn, b"\x01\x01" + raw)
    check_directory(mqcn, b"\x02\x01" + raw)


def check_directory(module: Any, raw: bytes) -> None:
    """`decode`, `decode_lax` and, where there is one, `iter_changes` agree."""
    lax = module.decode_lax(raw)
    message, error = outcome(module.decode, raw)
    if module is mqdsrp:
        changes, verdict = changes_of(raw)
        assert str(verdict) == str(error)
        if message is not None:
            alone = getattr(message, "DirectoryChange", None)
            assert tuple(changes) == getattr(message, "DirectoryChanges", () if alone is None else (alone,))
        if error is not None and "left over" not in error.problem and len(raw) > 17 and raw[17] < 8:
            _, verdict = outcome(mqdsrp.Message.__args__[raw[17]].decode, raw)  # by the diagnostic reader
            assert verdict is not None
            assert facts(verdict) == facts(error)
    if error is None:
        assert module.encode(message) == raw
        assert (lax.packet, lax.error, lax.rest) == (message, None, b"")
        return
    check_error(error, raw)
    if lax.error is None:
        assert module.encode(lax.packet) + lax.rest == raw
        assert error.actual == len(lax.rest)
    else:
        assert str(lax.error) == str(error)
        assert lax.packet is None
        assert raw.endswith(lax.rest)


def outcome(function: Any, raw: bytes) -> tuple[Any, DecodeError | None]:
    """What a function makes of some bytes, and what it says against them."""
    try:
        return function(raw), None
    except DecodeError as error:
        return None, error


def changes_of(raw: bytes) -> tuple[list[Any], DecodeError | None]:
    """The changes of a message, and what is wrong after them."""
    changes: list[Any] = []
    try:
        for change in mqdsrp.iter_changes(raw):
            changes.append(change)  # noqa: PERF402  # those in front of an error count
    except DecodeError as error:
        return changes, error
    return changes, None


@for_each("vt", lambda: READERS)
@given(data=st.data())
def test_property_value_survives(vt: int, data: st.DataObject) -> None:
    """The law for a property value by itself, and for bytes that almost are one."""
    value = data.draw(property_values(vt))
    raw = value.encode()
    assert PropertyValue.decode(vt, raw) == value
    assert PropertyValue.of(vt, value.value) == value
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  # own pickles
    for wrong in (data.draw(damaged(raw)), data.draw(st.binary(max_size=24))):
        found, error = outcome(lambda given: PropertyValue.decode(vt, given), wrong)
        if error is None:
            assert found.encode() == wrong
        else:
            assert re.fullmatch(r"PropertyValue(\[\d+\])*", error.path)
            assert error.structure == "PropertyValue"
            assert 0 <= error.offset <= len(wrong)


@pytest.mark.each(2)
@for_each("name", lambda: EVERY)
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
