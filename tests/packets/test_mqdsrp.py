"""Replication messages: what cannot be read or written of them, hostile numbers, and large ones.

Whole, cut and damaged ones are in `tests/documents/test_directory_vectors.py` and `test_roundtrip.py`.
"""

from __future__ import annotations

import struct
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from support_directory import changes, facts
from support_hostile import events
from support_rows import for_each

from msmq_wire import GUID, DecodeError, EncodeError, Limits, mqdsrp
from msmq_wire.definitions.properties import ObjectClass
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.directory import pieces as directory
from msmq_wire.packets.directory import replication
from msmq_wire.records.registry import DECODERS
from msmq_wire.values.errors import WrongTypeError
from msmq_wire.values.properties.values import PropertyValue
from msmq_wire.values.reject import Reject
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

SITE = "33221100554477668899aabbccddeeff"
SITE_ID = GUID.of("00112233-4455-6677-8899-aabbccddeeff")
PARTITION = "101112131415161718191a1b1c1d1e1f"
PARTITION_ID = GUID(bytes.fromhex(PARTITION))
ONE, TWO = "0000000000000001", "0000000000000002"
OPERATION_AT = 17

change = mqdsrp.DirectoryChange(
    Command=1,
    GuidIdentifier=SITE_ID,
    PartitionID=PARTITION_ID,
    PreviousSeqNumber=1,
    SeqNumber=2,
    PropertyID=[105, 108],
    PropertyValue=[10, "xy"],
)
header = mqdsrp.BaseReplicationHeader(SiteID=SITE_ID)
REQUEST = mqdsrp.ChangeRequestMessage(
    mqdsrp.ChangeRequestHeader(
        BaseReplicationHeader=header,
        PartitionID=PARTITION_ID,
        RequestIdentifier=7,
        RequesterName="r",
        PSCName="p",
    ),
    change,
)
RECORDS = {
    "ChangePropagationMessage": mqdsrp.ChangePropagationMessage(
        BaseReplicationHeader=header,
        Flush=1,
        DirectoryChanges=[change],
        SeqNumberHeader=mqdsrp.SeqNumberHeader(
            MachineName="m", PartitionSeqNumbers=[mqdsrp.PARTITION_SEQ_NUMBERS(PARTITION_ID, 1, 2)]
        ),
    ),
    "ChangeRequestMessage": REQUEST,
    "SyncRequestMessage": mqdsrp.SyncRequestMessage(
        BaseReplicationHeader=header,
        PartitionID=PARTITION_ID,
        FromSeqNumber=1,
        ToSeqNumber=2,
        IsSync0=1,
        Scope=1,
        RequesterName="r",
    ),
    "SyncReplyMessage": mqdsrp.SyncReplyMessage(
        mqdsrp.SyncReplyHeader(
            BaseReplicationHeader=header,
            PartitionID=PARTITION_ID,
            FromSeqNumber=1,
            ToSeqNumber=2,
            CompleteSync0=2,
        ),
        [change],
    ),
    "ChangeReplyMessage": mqdsrp.ChangeReplyMessage(
        BaseReplicationHeader=header, RequestIdentifier=7, Result=0xC00E0504, RequesterName="r"
    ),
    "AlreadyPurgedMessage": mqdsrp.AlreadyPurgedMessage(
        BaseReplicationHeader=header, PartitionID=PARTITION_ID, PurgedSeqNumber=2
    ),
    "PSCAckMessage": mqdsrp.PSCAckMessage(
        BaseReplicationHeader=header,
        PSCSiteID=SITE_ID,
        AckedPartitionID=PARTITION_ID,
        AckedSeqNumber=2,
        PSCName="p",
    ),
    "BSCAckMessage": mqdsrp.BSCAckMessage(
        BaseReplicationHeader=header, BSCMachineID=PARTITION_ID, BSCName="b"
    ),
}


BYTES = {name: record.encode() for name, record in RECORDS.items()}


def collected(data: bytes) -> tuple[list[Any], DecodeError | None]:
    """The changes that came, and the error that ended them."""
    found = []
    try:
        for one in mqdsrp.iter_changes(data):
            found.append(one)  # noqa: PERF402  # those in front of an error matter
    except DecodeError as error:
        return found, error
    return found, None


def carried(message: Any) -> list[Any]:
    """The changes of a message."""
    if isinstance(message, mqdsrp.ChangeRequestMessage):
        return [message.DirectoryChange]
    return list(getattr(message, "DirectoryChanges", ()))


def refusal(data: bytes) -> DecodeError:
    """What `decode` says of bytes that it refuses; the other readers have to say the same."""
    with pytest.raises(DecodeError) as caught:
        mqdsrp.decode(data)
    error = caught.value
    _, other = collected(data)
    assert other is not None
    assert facts(other) == facts(error)
    lax = mqdsrp.decode_lax(data)
    if error.problem.endswith("left over"):
        assert lax.packet is not None
        assert lax.rest == data[error.offset :]
    else:
        assert lax.packet is None
        assert lax.error is not None
        assert facts(lax.error) == facts(error)
        assert data.endswith(lax.rest)
    return error


@pytest.mark.parametrize("operation", [8, 0x10, 0xFF])
def test_unknown_operations(operation: int) -> None:
    data = bytes.fromhex("00" + SITE) + bytes([operation]) + b"data"
    error = refusal(data)
    assert facts(error) == (
        f"expected 0x0 to 0x7, found {operation:#x}",
        "BaseReplicationHeader",
        "BaseReplicationHeader.Operation",
        OPERATION_AT,
        "0x0 to 0x7",
        operation,
        "buffer",
    )
    lax = mqdsrp.decode_lax(data)
    assert lax.headers == {"BaseReplicationHeader": mqdsrp.BaseReplicationHeader(0, SITE_ID, operation)}
    assert lax.rest == b"data"
    assert lax.reached == ("", 18)  # the header is known
    assert list(lax.fields) == [
        f"BaseReplicationHeader.{name}" for name in ("Version", "SiteID", "Operation")
    ]
    assert lax.errors == (lax.error,)
    assert lax.cut is None


def test_too_short_for_a_header() -> None:
    error = refusal(b"\0\1\2")
    assert (error.path, error.offset) == ("BaseReplicationHeader.SiteID", 1)
    lax = mqdsrp.decode_lax(b"\0\1\2")
    assert (dict(lax.headers), lax.rest) == ({}, b"\0\1\2")
    assert lax.reached == ("BaseReplicationHeader.SiteID", 1)
    assert lax.cut == ("BaseReplicationHeader.SiteID", 1, 2, 16, b"\1\2")
    assert dict(lax.fields) == {"BaseReplicationHeader.Version": 0}


def test_versions_are_data() -> None:
    data = b"\7" + BYTES["BSCAckMessage"][1:]
    message = mqdsrp.decode(data)
    assert isinstance(message, mqdsrp.BSCAckMessage)
    assert message.BaseReplicationHeader.Version == 7


@pytest.mark.parametrize("data", [5, "text", None])
def test_only_buffers_are_read(data: Any) -> None:
    for read in (mqdsrp.decode, mqdsrp.decode_lax, lambda given: list(mqdsrp.iter_changes(given))):
        with pytest.raises(TypeError):
            read(data)


# ----------------------------------------------------------------------------------------- properties


@pytest.mark.parametrize("values", [None, (), [1]])
def test_each_identifier_has_a_value(values: Any) -> None:
    """Also if the values are omitted: a change without them could be written, and not be read."""
    with pytest.raises(EncodeError) as caught:
        mqdsrp.DirectoryChange(PathName="a", PropertyID=[101, 102], PropertyValue=values)
    assert caught.value.path.startswith("DirectoryChange.PropertyValue")


@given(changes())
def test_changes_know_their_properties(one: Any) -> None:
    assert len(one.properties) == len(set(one.PropertyID))
    assert one.object_class is None or isinstance(one.object_class, ObjectClass)


# ------------------------------------------------------------------------------------ unknown properties


def broken() -> tuple[bytes, int]:
    """A reply whose second change has an unknown property after a known one, and where that stands."""
    unknown = mqdsrp.DirectoryChange(
        PathName="a", PropertyID=[105, 4000, 108], PropertyValue=[5, PropertyValue(19, 1), "x"]
    )
    message = mqdsrp.SyncReplyMessage(DirectoryChanges=[change, unknown, change])
    return message.encode(), 66 + len(change.encode()) + 2 + 4 + 40 + 1 + 12 + 4


def test_unknown_properties_end_the_reading() -> None:
    data, at = broken()
    error = refusal(data)
    assert (error.structure, error.offset, error.actual) == ("DirectoryChange", at - 12, 4000)
    assert error.path == "SyncReplyMessage.DirectoryChanges[1].PropertyID[1]"
    assert error.requirement == "MQDSRP-2.2.4-12"
    assert "4000" in error.problem


def test_lax_keeps_what_was_understood() -> None:
    data, at = broken()
    lax = mqdsrp.decode_lax(data)
    place = "DirectoryChanges[1]"
    assert lax.headers["SyncReplyHeader"].Count == 3
    assert lax.headers["DirectoryChanges"] == (change,)
    assert lax.headers[f"{place}.PathName"] == "a"
    assert lax.headers[f"{place}.PropertyID"] == (105, 4000, 108)
    assert lax.headers[f"{place}.PropertyValue[0]"] == PropertyValue(19, 5)
    assert f"{place}.PropertyValue[1]" not in lax.headers
    assert f"{place}.GuidIdentifier" not in lax.headers
    assert lax.rest == data[at:]


def test_lax_of_a_single_change() -> None:
    data = BYTES["ChangeRequestMessage"]
    lax = mqdsrp.decode_lax(data[:-1])
    assert lax.headers["ChangeRequestHeader"] == REQUEST.ChangeRequestHeader
    assert lax.headers["DirectoryChange.PropertyValue[0]"] == PropertyValue(19, 10)
    assert lax.rest == data[-6:-1]


def test_lax_of_a_closing_that_breaks_off() -> None:
    data = BYTES["ChangePropagationMessage"]
    lax = mqdsrp.decode_lax(data[:-1])
    assert list(lax.headers) == [
        "BaseReplicationHeader",
        "Flush",
        "Count",
        "DirectoryChanges",
        "SeqNumberHeader.Count",
        "SeqNumberHeader.MachineName",
    ]
    assert lax.headers["DirectoryChanges"] == (change,)
    assert lax.rest == data[-32:-1]


def test_lax_of_an_opening_that_breaks_off() -> None:
    data = BYTES["SyncReplyMessage"]
    lax = mqdsrp.decode_lax(data[:40])
    assert lax.headers["SyncReplyHeader.PartitionID"] == PARTITION_ID
    assert lax.rest == data[34:40]


def test_readers_that_disagree_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    data = BYTES["SyncReplyMessage"]
    shape = directory.shape_of("SyncReplyMessage")
    assert shape is not None
    too_large = shape._replace(element=structures()["UserMessage"])
    with pytest.raises(AssertionError, match="two readers"):
        list(directory.Pieces(too_large, data).changes())

    def refuse(*_: object) -> None:
        raise Reject

    monkeypatch.setattr(replication, "DECODERS_BY_FORM", [refuse] * 8)
    with pytest.raises(DecodeError) as caught:
        mqdsrp.decode(data)
    with pytest.raises(AssertionError, match="two readers"):
        str(caught.value)


# ------------------------------------------------------------------------------------- hostile numbers


def test_numbers_are_bounded_before_anything_is_read() -> None:
    data = BYTES["SyncReplyMessage"][:58] + b"\xff\xff\xff\xff" + bytes(38)
    tracemalloc.start()
    error = refusal(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(data) == 100
    assert peak < 1 << 20
    assert (error.offset, error.actual) == (58, 0xFFFFFFFF)
    assert error.path == "SyncReplyMessage.SyncReplyHeader.Count"


@pytest.mark.parametrize(
    ("data", "path", "actual"),
    [
        (BYTES["ChangePropagationMessage"][:19] + b"\xff\xff" + bytes(99), "Count", 0xFFFF),
        (
            BYTES["ChangePropagationMessage"][:19] + b"\0\0\xff\xff" + bytes(99),
            "SeqNumberHeader.Count",
            0xFFFF,
        ),
    ],
)
def test_other_numbers_are_bounded(data: bytes, path: str, actual: int) -> None:
    error = refusal(data)
    assert (error.path, error.actual) == (f"ChangePropagationMessage.{path}", actual)


def test_number_of_properties_is_bounded() -> None:
    one = change.encode()
    data = BYTES["SyncReplyMessage"][:66] + one[:58] + b"\xff" + one[59:]
    error = refusal(data)
    assert error.path == "SyncReplyMessage.DirectoryChanges[0].PropertyID"
    assert (error.offset, error.expected) == (66 + 59, 255 * 4)


# ------------------------------------------------------------------------------------------- encoding


@pytest.mark.parametrize(
    ("make", "path", "actual"),
    [
        (
            lambda: mqdsrp.DirectoryChange(PathName="", PropertyID=[105] * 256, PropertyValue=[1] * 256),
            "DirectoryChange.PropertyID",
            256,
        ),
        (
            lambda: mqdsrp.ChangePropagationMessage(DirectoryChanges=[change] * 0x10000),
            "ChangePropagationMessage.DirectoryChanges",
            0x10000,
        ),
        (lambda: mqdsrp.DirectoryChange(PathName="a\0b"), "DirectoryChange.PathName", "a\0b"),
        (lambda: mqdsrp.BSCAckMessage(BSCName="\0"), "BSCAckMessage.BSCName", "\0"),
        (mqdsrp.DirectoryChange, "DirectoryChange.PathName", 0),
        (lambda: mqdsrp.DirectoryChange(PathName="", GuidIdentifier=SITE_ID), "DirectoryChange.PathName", 2),
        (
            lambda: mqdsrp.DirectoryChange(PathName="", PropertyID=[4000], PropertyValue=[1]),
            "DirectoryChange.PropertyValue[0]",
            1,
        ),
        (
            lambda: mqdsrp.DirectoryChange(PathName="", PropertyID=[108], PropertyValue=["\0"]),
            "DirectoryChange.PropertyValue[0]",
            "\0",
        ),
        (
            lambda: mqdsrp.DirectoryChange(PathName="", PropertyID=[108], PropertyValue=[]),
            "DirectoryChange.PropertyValue",
            0,
        ),
    ],
)
def test_what_cannot_be_written(make: Any, path: str, actual: object) -> None:
    with pytest.raises(EncodeError) as caught:
        make()
    assert (caught.value.path, caught.value.actual) == (path, actual)


@pytest.mark.parametrize("value", [change, header, None, b"", 5])
def test_only_messages_are_written(value: Any) -> None:
    with pytest.raises(EncodeError, match="expected a replication message, got") as caught:
        mqdsrp.encode(value)
    assert caught.value.actual is value


def test_bent_messages_are_written_as_they_are() -> None:
    bent = mqdsrp.SyncReplyMessage(mqdsrp.SyncReplyHeader(Count=7), [change])
    assert mqdsrp.encode(bent)[58:62] == b"\7\0\0\0"
    assert mqdsrp.decode(mqdsrp.encode(RECORDS["BSCAckMessage"])) == RECORDS["BSCAckMessage"]


# -------------------------------------------------------------------------------------------- readings


def test_properties_of_a_change() -> None:
    assert change.properties == {"PROPID_Q_QUOTA": 10, "PROPID_Q_LABEL": "xy"}
    assert change.object_class is ObjectClass.QUEUE
    assert mqdsrp.DirectoryChange(PathName="").object_class is None


def test_class_of_a_deletion() -> None:
    gone = mqdsrp.DirectoryChange(
        Command=2, GuidIdentifier=SITE_ID, PropertyID=[1403, 1404], PropertyValue=[1, 2]
    )
    assert gone.object_class is ObjectClass.MACHINE
    half = mqdsrp.DirectoryChange(Command=2, PathName="", PropertyID=[1403], PropertyValue=[1])
    assert half.object_class is None


# ----------------------------------------------------------------------------------------------- size


def reply(count: int) -> bytes:
    """A SyncReplyMessage of that many small changes."""
    start = BYTES["SyncReplyMessage"][:58] + struct.pack("<II", count, 0)
    middle = bytes.fromhex(SITE + PARTITION)
    numbers = (struct.pack(">QQQ", number, number + 1, 0) for number in range(count))
    return start + b"".join(b"\1\1" + middle + some + b"\0" for some in numbers)


def propagation(count: int) -> bytes:
    """A ChangePropagationMessage of that many changes."""
    one = change.encode()
    start = BYTES["ChangePropagationMessage"][:19] + struct.pack("<H", count)
    return start + one * count + b"\0\0"


def quota(count: int) -> bytes:
    """A ChangePropagationMessage whose changes have the costliest properties: one byte each."""
    one = change.encode()[:58] + b"\xff" + struct.pack("<I", 104) * 255 + b"\1" * 255
    return BYTES["ChangePropagationMessage"][:19] + struct.pack("<H", count) + one * count + b"\0\0"


@pytest.mark.long
@pytest.mark.parametrize(
    "data", [reply(10_000), propagation(5_000), quota(250)], ids=["sync", "flush", "quota"]
)
def test_large_messages(data: bytes) -> None:
    tracemalloc.start()
    message: Any = mqdsrp.decode(data)
    _, decoding = tracemalloc.get_traced_memory()
    again = mqdsrp.encode(message)
    _, both = tracemalloc.get_traced_memory()
    count = len(message.DirectoryChanges)
    last = message.DirectoryChanges[-1]
    del message
    tracemalloc.stop()
    assert again == data
    assert decoding < 20 * len(data)
    assert both < 20 * len(data)

    seen = 0
    for seen, one in enumerate(mqdsrp.iter_changes(data), 1):  # noqa: B007  # the last ones are looked at
        pass
    assert (seen, one) == (count, last)


@pytest.mark.parametrize("data", [reply(5_000), propagation(5_000)], ids=["sync", "flush"])
def test_one_change_at_a_time(data: bytes) -> None:
    tracemalloc.start()
    for _ in mqdsrp.iter_changes(data):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < len(data) / 4


@pytest.mark.long
def test_large_message_that_breaks_off() -> None:
    data = reply(5_000)[:-1]
    events(refusal, reply(9)[:-1])  # see `support_hostile.peak`
    tracemalloc.start()
    error = refusal(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert error.path == "SyncReplyMessage.DirectoryChanges[4999].NumberOfProperties"
    assert peak < 20 * len(data)
    assert len(mqdsrp.decode_lax(data).headers["DirectoryChanges"]) == 4_999


def test_sequence_numbers_of_large_messages() -> None:
    numbers = [one.SeqNumber for one in mqdsrp.iter_changes(reply(300))]
    assert numbers == sorted(numbers)
    assert numbers[-1] == SEQUENCE_NUMBER.of(300)


@for_each("name", lambda: BYTES)
def test_changes_of_each_message(name: str) -> None:
    """One for one change, all for several, none where there are none; never with bytes behind the message."""
    data = BYTES[name]
    message: Any = mqdsrp.decode(data)
    expected = getattr(message, "DirectoryChanges", None)
    if name == "ChangeRequestMessage":
        expected = (message.DirectoryChange,)
    assert tuple(mqdsrp.iter_changes(data)) == (expected or ())
    with pytest.raises(DecodeError, match="1 byte left over") as caught:
        list(mqdsrp.iter_changes(data + b"z"))
    assert caught.value.offset == len(data)


@for_each("name", lambda: BYTES)
def test_messages_larger_than_the_limit(name: str) -> None:
    """The limit itself is permitted; beyond it, nothing is decoded."""
    data = BYTES[name]
    at, below = Limits(packet_size=len(data)), Limits(packet_size=len(data) - 1)
    assert mqdsrp.decode(data, limits=at) == mqdsrp.decode(data)
    assert mqdsrp.decode_lax(data, limits=at).error is None
    list(mqdsrp.iter_changes(data, limits=at))
    for read in (mqdsrp.decode, lambda *args, **more: list(mqdsrp.iter_changes(*args, **more))):
        with pytest.raises(DecodeError, match="packet size") as caught:
            read(data, limits=below)
        assert caught.value.limit == "Limits.packet_size"
    lax = mqdsrp.decode_lax(data, limits=below)
    assert (lax.packet, dict(lax.headers), lax.rest) == (None, {}, data)


@pytest.mark.parametrize("name", ["SyncReplyMessage", "ChangePropagationMessage"])
def test_a_limit_on_changes(name: str) -> None:
    data = BYTES[name]
    count = len(list(mqdsrp.iter_changes(data, limits=Limits(changes=1000))))
    assert count
    assert len(list(mqdsrp.iter_changes(data, limits=Limits(changes=count)))) == count
    with pytest.raises(DecodeError) as caught:
        list(mqdsrp.iter_changes(data, limits=Limits(changes=count - 1)))
    assert caught.value.limit == "Limits.changes"


def test_a_message_of_changes_may_have_none() -> None:
    data = mqdsrp.SyncReplyMessage().encode()
    assert list(mqdsrp.iter_changes(data)) == []
    assert mqdsrp.decode_lax(data).packet == mqdsrp.SyncReplyMessage()


def test_deliveries_are_those_of_replication_messages() -> None:
    for kind in (mqdsrp.DirectoryChange, int, "SyncReplyMessage", mqdsrp.SyncReplyMessage()):
        with pytest.raises(WrongTypeError, match=r"^kind: expected the class of a replication message"):
            replication.delivery_of(kind, SITE_ID)  # type: ignore[arg-type]  # what a caller might do


@for_each("name", lambda: BYTES)
def test_what_is_complete_is_told_once(name: str) -> None:
    """At every cut: a part that is complete by its name alone, another one by the paths of its fields."""
    data, record = BYTES[name], RECORDS[name]
    for cut in range(len(data)):
        headers = mqdsrp.decode_lax(data[:cut]).headers
        for path, value in headers.items():
            outer = path.partition(".")[0].partition("[")[0]
            if outer != path:
                assert outer not in headers or outer == "DirectoryChanges"
            elif path in record.__struct_fields__:
                whole: Any = getattr(record, path)
                assert value == (whole[: len(value)] if path == "DirectoryChanges" else whole)


@pytest.mark.parametrize("count", [3, 4, 9, 200])
def test_changes_that_have_no_room(count: int) -> None:
    """The number is refused before the first change; each has 60 bytes or more."""
    data = BYTES["SyncReplyMessage"]
    bent = data[:58] + count.to_bytes(4, "little") + data[62:] + bytes(20)
    least = mqdsrp.DirectoryChange.layout.least_size
    assert count * least > len(bent) - 66
    seen: list[Any] = []
    with pytest.raises(DecodeError) as caught:
        seen += mqdsrp.iter_changes(bent)
    assert seen == []
    assert (caught.value.path, caught.value.actual) == ("SyncReplyMessage.SyncReplyHeader.Count", count)
    assert refusal(bent).path == "SyncReplyMessage.SyncReplyHeader.Count"


@for_each("name", lambda: BYTES)
def test_a_broken_message_of_the_largest_size_is_read(name: str) -> None:
    """As far as it goes, as without a limit."""
    data = BYTES[name][:-1]
    free, bound = mqdsrp.decode_lax(data), mqdsrp.decode_lax(data, limits=Limits(packet_size=len(data)))
    assert bound.headers == free.headers
    assert bound.headers
    assert bound.rest == free.rest
    assert dict(bound.fields) == dict(free.fields)


def _refused(data: bytes) -> DecodeError:
    """Return the error about a message; it is the same for all ways to read it."""
    with pytest.raises(DecodeError) as caught:
        mqdsrp.decode(data)
    with pytest.raises(DecodeError) as again:
        list(mqdsrp.iter_changes(data))
    assert str(again.value) == str(caught.value)
    return caught.value


def _stating(data: bytes, at: int, number: int) -> bytes:
    return data[:at] + number.to_bytes(2, "little") + data[at + 2 :]


SYNC_COUNT_AT, COUNT_AT = 58, 19


@pytest.mark.parametrize(("changes", "stated"), [(1, 0), (1, 2), (3, 2), (3, 5), (3, 4)])
def test_a_wrong_number_of_changes_in_a_reply(changes: int, stated: int) -> None:
    """The number is the source of the error: of what is missing, or left over."""
    whole = mqdsrp.encode(mqdsrp.SyncReplyMessage(DirectoryChanges=[change] * changes))
    error = _refused(_stating(whole, SYNC_COUNT_AT, stated))
    assert "SyncReplyMessage.SyncReplyHeader.Count" in {error.source_path, error.path}
    assert SYNC_COUNT_AT in {error.source_offset, error.offset}
    assert error.requirement == "MQDSRP-2.2.6.5-02"


def test_surplus_that_is_no_change() -> None:
    """Nothing says that the number of changes is wrong; nor do bytes that end within a change."""
    whole = mqdsrp.encode(mqdsrp.SyncReplyMessage(DirectoryChanges=[change] * 2))
    assert _refused(whole + b"\xff" * 60).source_path is None
    for size in range(len(whole) - 9, len(whole)):
        assert "Count" not in (_refused(whole[:size]).source_path or "")


@pytest.mark.parametrize("partitions", [0, 1, 2])
@pytest.mark.parametrize(("changes", "stated"), [(1, 0), (2, 1), (2, 3), (3, 1), (3, 9)])
def test_a_wrong_number_of_changes_in_a_propagation(changes: int, stated: int, partitions: int) -> None:
    """It is named, because the message is whole with exactly one other."""
    numbers = [mqdsrp.PARTITION_SEQ_NUMBERS(PARTITION_ID, 1, 2)] * partitions
    closing = mqdsrp.SeqNumberHeader(
        MachineName="machine" if partitions else None, PartitionSeqNumbers=numbers
    )
    message = mqdsrp.ChangePropagationMessage(DirectoryChanges=[change] * changes, SeqNumberHeader=closing)
    whole = mqdsrp.encode(message)
    error = _refused(_stating(whole, COUNT_AT, stated))
    assert (error.path, error.offset) == ("ChangePropagationMessage.Count", COUNT_AT)
    assert error.requirement == "MQDSRP-2.2.6.9-05"


def test_surplus_costs_no_second_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the bytes after the changes are tried as one more, and other numbers of the last three changes."""
    message = mqdsrp.ChangePropagationMessage(DirectoryChanges=[change] * 500)
    calls, decode = [], DECODERS["DirectoryChange"]

    def counted(data: bytes, pos: int, end: int, limits: Limits) -> tuple[Any, int]:
        calls.append(pos)
        return decode(data, pos, end, limits)

    monkeypatch.setitem(DECODERS, "DirectoryChange", counted)
    data = mqdsrp.encode(message)
    with pytest.raises(DecodeError, match="3 bytes left over"):
        mqdsrp.decode(data + bytes(3))
    assert len(calls) < 40


@pytest.mark.parametrize("partitions", [1, 2, 3])
@pytest.mark.parametrize("stated", [0, 1, 2])
def test_a_wrong_number_of_partitions(partitions: int, stated: int) -> None:
    numbers = [mqdsrp.PARTITION_SEQ_NUMBERS(PARTITION_ID, 1, 2)] * partitions
    closing = mqdsrp.SeqNumberHeader(MachineName="machine", PartitionSeqNumbers=numbers)
    message = mqdsrp.ChangePropagationMessage(DirectoryChanges=[change], SeqNumberHeader=closing)
    whole, at = mqdsrp.encode(message), COUNT_AT + 2 + len(change.encode())
    data = _stating(whole, at, stated)
    if stated == partitions:
        assert mqdsrp.decode(data) == message
        return
    error = _refused(data)
    path = "ChangePropagationMessage.SeqNumberHeader.Count"
    assert (error.source_path or error.path, error.source_offset or error.offset) == (path, at)
