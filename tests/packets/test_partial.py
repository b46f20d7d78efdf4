"""What is known of bytes that are cut off or damaged: which fields, which values, with which certainty.

What is expected is worked out from the whole record: its fields are laid one after the other by their
sizes.  The values of the fixed parts are those of the independent reader whose vectors are in `specs`.
"""

from __future__ import annotations

import gzip
import json
import pickle
from collections import Counter
from functools import cache, partial
from itertools import islice, product
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ALONE, records
from support_examples import share
from support_hostile import events
from support_rows import for_each
from support_specs import SPECS

import msmq_wire
from msmq_wire import DecodeError, Limits, PropertyValue, Record
from msmq_wire.packets.packet import kind_of
from msmq_wire.packets.partial import nested, of_fixed, of_reader
from msmq_wire.records.diagnostic_reader import DiagnosticReader, TruncatedField
from msmq_wire.records.model import (
    NUL,
    Choice,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Sequence,
    Structure,
    Text,
    Values,
    structures,
)
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.records.steps import fixed_structure
from msmq_wire.values.limits import DEFAULT_LIMITS

# Parts are looked up by name throughout, so the types of the stubs are not asked.
mw: Any = msmq_wire
mqmq, mqcn, mqdsrp = mw.mqmq, mw.mqcn, mw.mqdsrp

BASE_SIZE = 16
OPENING = 20
OPEN_ENDED = {"SIMPLEBLOB", "PUBLICKEYBLOB", "SenderCertPublicKey", "NotificationBody"}
"""Structures that end where their bytes do, so that a part of one is a whole one."""


class Place(NamedTuple):
    """A field of a whole record: where it is, and what it holds."""

    path: str
    start: int
    end: int
    value: Any


def places(record: Record) -> list[Place]:
    """Every field of a record that is no structure, in the order of the bytes."""
    found: list[Place] = []
    _lay(record, 0, "", found)
    return found


def _lay(record: Any, pos: int, prefix: str, found: list[Place]) -> int:
    for field in record.layout.fields:
        value = getattr(record, field.name)
        path = prefix + field.name
        if value is None:
            continue
        match field.kind:
            case Nested() | Choice():
                pos = _lay(value, pos, f"{path}.", found)
                continue
            case Items():
                for index, item in enumerate(value):
                    pos = _lay(item, pos, f"{path}[{index}].", found)
                continue
            case Values():
                for index, item in enumerate(value):
                    size = len(item.encode())
                    found.append(Place(f"{path}[{index}]", pos, pos + size, item))
                    pos += size
                continue
            case Integer(size=size) | Flags(size=size) | Guid(size=size) | Sequence(size=size):
                pass
            case Numbers(size=one):
                size = one * len(value)
            case Text(count=count):
                size = len(value.encode("utf-16-le", "surrogatepass")) + (2 if count == NUL else 0)
            case _:
                size = len(value)
        found.append(Place(path, pos, pos + size, value))
        pos += size
    return pos


class Sample(NamedTuple):
    """Bytes of the independent reader, what they are here, and its values."""

    name: str
    data: bytes
    kind: str | None
    record: Any
    said: dict[str, Any]


@cache
def samples() -> tuple[Sample, ...]:
    """Every vector that can be read, once."""
    found: dict[bytes, Sample] = {}
    with gzip.open(SPECS / "vectors" / "independent.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            data = bytes.fromhex(row["hex"])
            if row["verdict"] == "undecodable" or data in found:
                continue
            for kind in (None, row["kind"]):
                try:
                    record = mw.decode(data, kind)
                except (DecodeError, ValueError):
                    continue
                found[data] = Sample(row["name"], data, kind, record, row["fields"])
                break
    return tuple(found.values())


def known_at(places: list[Place], cut: int) -> list[Place]:
    """The places of a whole record whose fields the first bytes have; what a field is follows it in one case.

    Whether a SoapHeader has a padding after its first text is told by the number behind that.
    """
    there = [place for place in places if place.end <= cut]
    if there and there[-1].path.endswith("HeaderPadding"):
        text = next(place for place in reversed(there) if place.path.endswith("HeaderDataLength"))
        if (there[-1].start - text.end) % 4:
            del there[-1]
    return there


def cuts(size: int) -> list[int]:
    """Where to cut: at every third byte, in a thorough run at each; in long bodies at every 17th."""
    return [*range(0, min(size, 260), 3 // share(3)), *range(min(size, 260), size, 17)]


def check_cut(data: bytes, kind: Any, whole: list[Place], cut: int) -> None:
    """Hold what is known of the first bytes against the fields whose last byte is among them."""
    result = mw.decode_lax(data[:cut], kind)
    there = known_at(whole, cut)
    behind = whole[len(there)]
    assert list(result.fields.items()) == [(place.path, place.value) for place in there]
    assert not result.doubtful
    assert result.reached == (behind.path, behind.start)
    assert result.error is not None
    assert result.errors == (result.error,)
    if behind.start == cut:
        assert result.cut is None
    else:
        assert result.cut[:3] == (behind.path, behind.start, cut - behind.start)
        assert result.cut.whole in {None, behind.end - behind.start}
        if isinstance(behind.value, bytes):
            assert result.cut.value == data[behind.start : cut]
        elif isinstance(behind.value, str):
            units = data[behind.start : behind.start + (cut - behind.start) // 2 * 2]
            assert result.cut.value.encode("utf-16-le", "surrogatepass") == units


# --------------------------------------------------------------------------------------------------- cuts


def test_there_are_vectors_of_many_kinds() -> None:
    assert len(samples()) > 400
    assert len({type(sample.record).__name__ for sample in samples()}) > 30


@pytest.mark.each(24)
@pytest.mark.parametrize("part", range(24))
def test_at_every_cut_the_fields_are_those_whose_last_byte_is_there(part: int) -> None:
    for sample in samples()[part::24]:
        whole = places(sample.record)
        assert whole[-1].end == len(sample.data)
        result = mw.decode_lax(sample.data, sample.kind)
        assert list(result.fields.items()) == [(place.path, place.value) for place in whole]
        assert (result.reached, result.cut, result.errors, dict(result.doubtful)) == (None, None, (), {})
        if type(sample.record).__name__ in OPEN_ENDED:
            continue
        for cut in cuts(len(sample.data)):
            check_cut(sample.data, sample.kind, whole, cut)


@given(st.sampled_from(ALONE).flatmap(records), st.data())
def test_generated_records_at_a_cut(record: Any, data: Any) -> None:
    raw, whole = record.encode(), places(record)
    if not raw or type(record).__name__ in OPEN_ENDED or record.layout.scoped:
        return
    try:
        assert mw.decode(raw, type(record)) == record
    except DecodeError:
        return  # it contradicts itself
    cut = data.draw(st.integers(0, len(raw) - 1))
    result = mw.decode_lax(raw[:cut], type(record))
    if result.packet is None and not result.doubtful and len(result.errors) == 1:
        there = known_at(whole, cut)
        assert list(result.fields.items()) == [(place.path, place.value) for place in there]


def elements_around(path: str) -> list[str]:
    """The elements of arrays that a field is in, the outermost first."""
    return [path[: at + 1] for at, sign in enumerate(path) if sign == "]"]


def messages() -> list[Any]:
    """Directory messages with changes, or updates, and values in each."""
    change = mqdsrp.DirectoryChange(PathName="m", PropertyID=[101, 103], PropertyValue=[bytes(16), "m"])
    update = mqcn.NotificationUpdate(PathName="m\\q", PropertyId=[103], PropertyValue=["m\\q"])
    return [
        mqdsrp.SyncReplyMessage(DirectoryChanges=[change] * 3),
        mqdsrp.ChangePropagationMessage(DirectoryChanges=[change] * 2),
        mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=[update] * 3)),
    ]


@pytest.mark.parametrize("most", [0, 12])
def test_a_bound_of_fields_holds_for_whatever_is_read(most: int) -> None:
    """Of complete packets and cut ones, by each function: only elements are omitted, and each is counted."""
    limits, omitted = Limits(lax_fields=most), Counter[str]()
    made = [Sample("made", message.encode(), type(message).__name__, message, {}) for message in messages()]
    for sample in (*samples(), *made):
        take = partial(mw.decode_lax, kind=sample.kind)
        home = {"mqdsrp": mqdsrp.decode_lax, "mqcn": mqcn.decode_lax}.get(
            type(sample.record).__module__.rpartition(".")[2]
        )
        for read in filter(None, (take, home)):
            for data in (sample.data, sample.data[:-1]):
                every, some = read(data), read(data, limits=limits)
                there, shown = {**every.fields, **every.doubtful}, {**some.fields, **some.doubtful}
                begun = {element for path in shown for element in elements_around(path)}
                lost = {
                    next(element for element in elements_around(path) if element not in begun)
                    for path in there.keys() - shown.keys()
                }
                assert every.left_out == 0
                assert shown.items() <= there.items()
                assert len(lost) == some.left_out, sample.name
                assert len(shown) >= min(most, len(there)) or some.packet is None
                omitted[type(sample.record).__name__] += some.left_out
    assert {name for name, count in omitted.items() if count} >= {
        *("UserMessage", "SyncReplyMessage", "ChangePropagationMessage", "ChangeNotificationMessage")
    }


def test_the_independent_reader_says_the_same_of_fixed_parts() -> None:
    """Numbers and GUIDs, whose values its vectors have by the same names."""
    compared: Counter[str] = Counter()
    for sample in samples():
        said = {path: value for path, value in flat(sample.said) if isinstance(value, int)}
        for cut in (len(sample.data) // 3, len(sample.data) // 2, len(sample.data) - 1):
            for path, value in mw.decode_lax(sample.data[:cut], sample.kind).fields.items():
                if path in said and isinstance(value, int):
                    assert int(value) == said[path], (sample.name, path)
                    compared[path] += 1
    assert len(compared) > 100
    assert sum(compared.values()) > 7000


def flat(fields: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """The values of the independent reader by dotted path; a flags word is under `_Flags` there."""
    found: list[tuple[str, Any]] = []
    for name, value in fields.items():
        if isinstance(value, dict):
            found += flat(value, f"{prefix}{name}.")
        else:
            found.append((prefix + name.removeprefix("_"), value))
    return found


@given(mw.testing.packets(), st.data())
def test_complete_parts_are_read_at_once_or_field_by_field(packet: Any, data: Any) -> None:
    """Compiled decoders of complete parts give the same fields, also where bytes are damaged."""
    raw = packet.encode()
    if len(raw) <= OPENING:
        return
    part = raw[: data.draw(st.integers(OPENING, len(raw) - 1))]
    if data.draw(st.booleans()):
        at = data.draw(st.integers(BASE_SIZE, len(part) - 1))
        part = part[:at] + bytes([data.draw(st.integers(0, 255))]) + part[at + 1 :]
    try:
        structure = structures()[kind_of(part)]
    except DecodeError:
        return
    at_once, in_detail = (
        DiagnosticReader(part, DEFAULT_LIMITS, lax=True, whole=whole) for whole in (True, False)
    )
    at_once.run(structure, 0, len(part))
    in_detail.run(structure, 0, len(part))
    if at_once.is_broken:
        return  # it stops at the first contradiction, and the other one goes on
    assert list(map(str, at_once.errors)) == list(map(str, in_detail.errors))
    one, other = of_reader(at_once), of_reader(in_detail)
    assert one.fields | one.doubtful == other.fields | other.doubtful
    assert (one.reached, one.cut) == (other.reached, other.cut)


FIXED = [structure for structure in structures().values() if fixed_structure(structure)]
"""Structures with all fields at fixed offsets."""


@for_each("structure", lambda: FIXED, ids=lambda structure: structure.name)
def test_fields_at_fixed_offsets_are_read_at_once_or_one_by_one(structure: Structure) -> None:
    """Fields, the truncated one, and the first that is missing are the same at every cut."""
    fixed = fixed_structure(structure)
    assert fixed is not None
    assert fixed.size == structure.fixed_size
    if structure.extent:
        return  # of packets, the next test
    data = bytes(range(1, 256)) * 3
    cuts = range(min(fixed.size + 2, 60))
    for start, cut in product((0, 3), cuts):
        reader = diagnostic_reader(data[: start + cut], lax=True)
        reader.run(structure, start, start + cut)
        in_detail, at_once = of_reader(reader), of_fixed(fixed, data[: start + cut], start)
        assert at_once._replace(errors=in_detail.errors) == in_detail
        assert list(at_once.fields) == list(in_detail.fields)


@pytest.mark.parametrize(
    "kind", [mw.mqqb.ConnectionParameters, mw.mqqb.EstablishConnection, mw.mqqb.SessionAck]
)
def test_truncated_packets_with_fields_at_fixed_offsets(kind: Any) -> None:
    """They are read as the diagnostic reader does, also if PacketSize has no room for all fields."""
    assert kind.layout in FIXED
    whole = kind().encode()
    for size in (len(whole) - 3, len(whole) - 1, len(whole), len(whole) + 9, 1 << 31):
        data = whole[:8] + size.to_bytes(4, "little") + whole[12:]
        for cut in (*range(OPENING, min(60, len(data))), len(data) - 5, len(data) - 1):
            if cut >= size:
                continue
            lax = mw.decode_lax(data[:cut])
            reader = DiagnosticReader(data[:cut], DEFAULT_LIMITS, lax=True, whole=True)
            reader.run(kind.layout, 0, cut)
            if reader.is_broken:
                reader = DiagnosticReader(data[:cut], DEFAULT_LIMITS, lax=True)
                reader.run(kind.layout, 0, cut)
            in_detail = of_reader(reader)
            assert list(map(str, lax.errors)) == list(map(str, in_detail.errors))
            assert lax.decoded._replace(errors=()) == in_detail._replace(errors=())
            headers = {name: part for name, part in reader.completed.items() if part is not None}
            assert (lax.headers, lax.rest) == (headers, data[reader.reached : cut])


@pytest.mark.parametrize("kind", [mw.mqmq.UserMessage, mw.mqqb.ConnectionParameters])
def test_truncated_headers_are_located(kind: Any) -> None:
    """The error is that of the diagnostic reader for the header that the bytes end in."""
    data = kind().encode()
    small = data[:8] + (18).to_bytes(4, "little") + data[12:]
    for packet, cut in [(data, cut) for cut in range(BASE_SIZE)] + [(small, cut) for cut in (18, 19)]:
        name, start = ("BaseHeader", 0) if cut < BASE_SIZE else ("InternalHeader", BASE_SIZE)
        if (name == "InternalHeader" or cut >= 8) and kind is mw.mqmq.UserMessage:
            continue  # the type is known
        with pytest.raises(DecodeError) as caught:
            kind_of(packet[:cut])
        with pytest.raises(DecodeError) as expected:
            diagnostic_reader(packet[:cut]).read(structures()[name], start, cut)
        assert str(caught.value) == str(expected.value)
        assert vars(caught.value) == vars(expected.value)


def test_a_padding_that_may_not_be_there() -> None:
    """A SoapHeader whose first text ends within a word, with its padding and without."""
    for padding in (b"", b"\0\0"):
        header = mqmq.SoapHeader(Header="ab\0", HeaderPadding=padding, Body="xy\0")
        data = msmq_wire.replace(message(), SoapHeader=header).encode()
        whole = places(mw.decode(data))
        at = next(place.start for place in whole if place.path == "SoapHeader.HeaderPadding")
        for cut in range(at - 4, len(data)):
            result = mw.decode_lax(data[:cut])
            there = known_at(whole, cut)
            assert list(result.fields.items()) == [(place.path, place.value) for place in there], cut
            slow = diagnostic_reader(data[:cut], lax=True)
            with pytest.raises(DecodeError) as caught:
                slow.read(structures()["UserMessage"], 0, cut)
            found = of_reader(slow)
            assert (str(caught.value), found.fields) == (str(result.error), result.fields)
            assert (found.reached, found.cut, found.doubtful) == (result.reached, result.cut, {})
            alone = data[at - 14 : cut]
            part = mw.decode_lax(alone, mqmq.SoapHeader)
            if cut < next(place.end for place in whole if place.path == "SoapHeader.Body"):
                with pytest.raises(DecodeError) as caught:
                    mqmq.SoapHeader.decode(alone)
                assert str(part.error) == str(caught.value)
                assert alone.endswith(part.rest)


def test_a_list_that_is_cut_may_have_no_paddings() -> None:
    """A public name whose padding holds something: it may be the beginning of the name."""
    public = mqmq.PublicQueueFormatName(mw.GUID(bytes(range(101, 117))))
    names = [mqmq.MQFFormatNameElement(FormatType=1, FormatName=public)] * 2
    header = mqmq.MQFAddressHeader(HeaderID=100, FormatNameList=names)
    aligned = msmq_wire.replace(
        message(), MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader(Destination=header)
    ).encode()
    begin = aligned.index(bytes(range(101, 117))) - 4
    result = mw.decode_lax(aligned[: begin + 30])
    assert "MultiQueueFormatHeader.Destination.FormatNameList[1].FormatType" in result.fields
    packed = bytearray(aligned)
    del packed[begin + 2 : begin + 4]
    name = "MultiQueueFormatHeader.Destination.FormatNameList[0]."
    for end in range(4, 40):
        result = mw.decode_lax(bytes(packed[: begin + end]))
        assert not any(path.startswith(name) for path in result.fields)
        assert result.doubtful[name + "Padding"] == b"ef"
        assert "MultiQueueFormatHeader.Destination.ElementCount" in result.fields


# ------------------------------------------------------------------------------------------------- damage


def message() -> Any:
    """A message with a label and a body."""
    return mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:server\\private$\\orders"),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="an order", MessageBody=bytes(range(40))),
    )


def to_many() -> Any:
    """A message to several queues."""

    def names(number: int, *texts: str) -> Any:
        kind = mqmq.MQFDirectQueueFormatName
        elements = [mqmq.MQFFormatNameElement(FormatName=kind(DirectFormatName=text)) for text in texts]
        return mqmq.MQFAddressHeader(HeaderID=number, FormatNameList=elements)

    return msmq_wire.replace(
        message(),
        MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader(
            Destination=names(100, "OS:a\\b", "OS:c\\d", "OS:e\\f"),
            Administration=names(200),
            Response=names(300, "OS:r\\s"),
        ),
    )


@pytest.mark.each(8)
@pytest.mark.parametrize("part", range(8))
def test_no_certain_value_is_wrong_but_that_of_the_damaged_byte(part: int) -> None:
    """At every byte, two kinds of damage.

    Two things cannot be told from damage, and are left out: a packet that can be read is another packet, and
    bytes that end too early and contradict nothing are taken for cut off.
    """
    broken = 0
    for number, sample in islice(enumerate(samples()), part, None, 8):
        whole = {place.path: place for place in places(sample.record)}
        size = len(sample.data)
        for at in range(0, size, 1 if size < 400 else 7):
            for byte in (sample.data[at] ^ 1 << (at + number) % 8, sample.data[at] + 1 & 255):
                damaged = sample.data[:at] + bytes([byte]) + sample.data[at + 1 :]
                result = mw.decode_lax(damaged, sample.kind)
                if result.packet is not None:
                    continue
                ends = {error.limit.partition(".")[0] for error in result.errors} <= {"buffer", "Limits"}
                if not result.doubtful and (result.cut or result.reached.offset >= size or ends):
                    continue  # it ends too early
                broken += 1
                for path, value in result.fields.items():
                    place = whole.get(path)
                    own = place is not None and place.start <= at < place.end
                    assert own or (place is not None and place.value == value), (sample.name, at, path)
    assert broken > 100


def test_a_broken_part_in_the_middle_does_not_end_reading() -> None:
    data = bytearray(to_many().encode())
    whole = mw.decode_lax(bytes(data)).fields
    at = data.index("OS:c".encode("utf-16-le")) - 2
    data[at] = 9  # no form of a name
    result = mw.decode_lax(bytes(data))
    assert [error.path for error in result.errors] == [
        "UserMessage.MultiQueueFormatHeader.Destination.FormatNameList[1].FormatType"
    ]
    lost = {path for path in whole if path.startswith("MultiQueueFormatHeader.Destination.FormatNameList")}
    lost.add("MultiQueueFormatHeader.Destination.Padding")
    assert {path: value for path, value in whole.items() if path not in lost} == result.fields
    assert set(result.doubtful) < lost
    assert result.doubtful["MultiQueueFormatHeader.Destination.FormatNameList[0].FormatType"] == 3
    assert result.reached == ("MultiQueueFormatHeader.Destination.FormatNameList[1].FormatName", at + 4)


def test_each_broken_part_has_its_error() -> None:
    data = bytearray(to_many().encode())
    for name in ("OS:c", "OS:r"):
        data[data.index(name.encode("utf-16-le")) - 2] = 9
    result = mw.decode_lax(bytes(data))
    parts = [error.path.split(".")[2] for error in result.errors]
    assert parts == ["Destination", "Response"]
    assert result.error == result.errors[0]
    assert "MultiQueueFormatHeader.Signature.ID" in result.fields
    shown = mw.explain(bytes(data))
    assert shown.count("skipped") == 2
    assert shown.count("also: ") == 1
    assert "(doubtful)" in shown


def test_a_text_that_is_broken_is_passed_over() -> None:
    """Its count says where it ends, and the algorithms after it confirm that."""
    data = bytearray(message().encode())
    count = 64
    assert data[count] % 2 == 0
    data[count] += 1
    data[count + 2 + data[count] - 1 : count + 2 + data[count] - 1] = b""
    result = mw.decode_lax(bytes(data))
    assert result.error.path == "UserMessage.UserHeader.DestinationQueue.Count"
    assert result.reached.path == "UserHeader.DestinationQueue.DirectFormatName"
    assert result.fields["MessagePropertiesHeader.Label"] == "an order\0"
    assert "UserHeader.DestinationQueue.Padding" not in result.fields


def test_a_session_header_behind_a_broken_message_is_read() -> None:
    rider = mqmq.SessionHeader(AckSequenceNumber=7)
    data = bytearray(msmq_wire.replace(message(), SessionHeader=rider).encode())
    data[61] &= ~0x10 & 255
    data[61] &= ~8 & 255  # a form of the destination that there is not
    result = mw.decode_lax(bytes(data))
    assert result.error.path.endswith("UserHeader.Flags.DQ")
    assert result.doubtful["SessionHeader.AckSequenceNumber"] == 7


@pytest.mark.parametrize(("place", "more", "recovered"), [(9, 1, 0), (10, 2, 1)])
def test_a_session_header_is_not_taken_for_an_extension_header_with_certainty(
    place: int, more: int, recovered: int
) -> None:
    """Whether its first number, as the size of such a header, fits into the packet's wrong size or not."""
    rider = mqmq.SessionHeader(AckSequenceNumber=7, RecoverableMsgAckSeqNumber=recovered, WindowSize=1)
    data = bytearray(msmq_wire.replace(message(), SessionHeader=rider).encode())
    data[place] += more
    result = mw.decode_lax(bytes(data))
    assert "ExtensionHeader.HeaderSize" in result.doubtful
    assert not any(path.startswith("ExtensionHeader") for path in result.fields)


def test_an_extension_header_of_another_size_is_certain_if_no_session_header_rides() -> None:
    extension = mw.mqrr.ExtensionHeader(HeaderSize=20)
    data = msmq_wire.replace(message(), ExtensionHeader=extension).encode()
    result = mw.decode_lax(data[:-1])
    assert result.fields["ExtensionHeader.HeaderSize"] == 20
    assert not result.doubtful


@pytest.mark.each(4)
@pytest.mark.parametrize("damaged", [False, True])
@pytest.mark.parametrize("most", [0, 35, 36, 38, 39, 54, 55, 1000])
def test_elements_that_are_left_out_are_counted(most: int, damaged: bool) -> None:
    """Each element that is read and has no field is counted, wherever the packet ends or is wrong."""
    limits = Limits(lax_fields=most)
    whole = to_many().encode()
    start = whole.index(to_many().MultiQueueFormatHeader.encode())

    def elements(fields: Any) -> set[str]:
        return {path.partition("]")[0] for path in fields if "[" in path}

    left_out = []
    for cut in range(start, len(whole) + 1):
        data = bytearray(whole[:cut])
        if damaged:
            data[start + 8 : start + 9] = b"\4"  # the number of destinations
        every = mw.decode_lax(bytes(data), limits=Limits(lax_fields=10_000))
        some = mw.decode_lax(bytes(data), limits=limits)
        assert every.left_out == 0
        there = elements({**every.fields, **every.doubtful})
        shown = elements({**some.fields, **some.doubtful})
        assert len(there) - len(shown) == some.left_out
        assert shown <= there
        left_out.append(some.left_out)
    if not damaged:
        before = [number for number, path in enumerate(every.fields) if path.endswith("].FormatType")]
        assert left_out[-1] == max(left_out) == sum(number >= most for number in before)


# -------------------------------------------------------------------------------------------- other kinds


def test_bytes_that_are_no_packet_are_doubtful() -> None:
    result = mw.decode_lax(b"\x11" + bytes(30))
    assert not result.fields
    assert result.doubtful["BaseHeader.VersionNumber"] == 0x11
    assert result.reached == ("BaseHeader.Signature", 4)
    nothing = mw.decode_lax(b"")
    assert not nothing.fields
    assert nothing.reached == ("BaseHeader.VersionNumber", 0)


def test_a_terminated_text_that_is_cut_is_a_text() -> None:
    """Its size is unknown, as its end is missing; half a unit is not shown."""
    dead = mw.mqrr.DeadLetterHeader(DeadLetterPathName="abc")
    data = mw.replace(message(), DeadLetterHeader=dead).encode()
    start = data.index("abc".encode("utf-16-le"))
    for there, text in enumerate(["", "", "a", "a", "ab", "ab", "abc", "abc"][1:], 1):
        result = mw.decode_lax(data[: start + there])
        assert result.cut == ("DeadLetterHeader.DeadLetterPathName", start, there, None, text)


def test_an_internal_packet_of_no_type() -> None:
    data = bytearray(mw.mqqb.SessionAck().encode())
    data[18] = 9
    result = mw.decode_lax(bytes(data))
    assert set(result.doubtful) == {"InternalHeader.Reserved", "InternalHeader.Flags"}
    assert len(result.fields) == 6
    assert (result.reached, result.rest) == (("", 20), bytes(data[16:]))
    assert list(result.headers) == ["BaseHeader"]


@pytest.mark.parametrize("size", range(16, 20))
@pytest.mark.parametrize("length", [18, 19])
def test_an_internal_packet_whose_size_has_no_room_for_its_header(size: int, length: int) -> None:
    """Either the size or the flag that announces the header is wrong, so nothing of the header is certain."""
    data = bytearray(mw.mqqb.SessionAck().encode()[:length])
    data[8] = size
    result = mw.decode_lax(bytes(data))
    cut_off = size > length  # then nothing is wrong; the rest of the header is missing
    assert ("InternalHeader.Reserved" in result.fields) == cut_off
    assert set(result.doubtful) == (set() if cut_off else {"InternalHeader.Reserved"})


def test_a_packet_that_is_too_large_shows_its_first_header() -> None:
    data = message().encode()
    result = mw.decode_lax(data, limits=Limits(packet_size=20))
    assert list(result.fields)[-1] == "BaseHeader.TimeToReachQueue"
    assert result.reached == ("", 16)
    for end in (16, 17, 20, len(data)):
        result = mw.decode_lax(data[:end], limits=Limits(packet_size=15))
        assert (list(result.headers), result.rest) == (["BaseHeader"], data[16:end])
        assert (result.reached, result.cut) == (("", 16), None)
    result = mw.decode_lax(data[:15], limits=Limits(packet_size=14))
    assert (dict(result.headers), result.rest) == ({}, data[:15])
    assert result.cut == ("BaseHeader.TimeToReachQueue", 12, 3, 4, data[12:15])
    assert result.error is not None
    assert result.errors == (result.error,)
    assert result.error.limit == "Limits.packet_size"


def test_a_packet_that_should_be_longer_and_has_no_more_fields() -> None:
    data = bytearray(mw.mqqb.ConnectionParameters().encode())
    data[8] += 8
    result = mw.decode_lax(bytes(data))
    assert result.reached == ("", len(data))
    assert len(result.fields) == len(mw.decode_lax(mw.mqqb.ConnectionParameters().encode()).fields)


@pytest.mark.parametrize(
    ("vt", "value", "cut", "kept"),
    [
        (31, "hello", 6, "hel"),
        (31, "hello", 0, None),
        (0x1013, (1, 2, 3), 13, (1, 2)),
        (0x1011, b"abcdef", 7, b"abc"),
        (65, b"abcdef", 9, b"abcde"),
        (19, 77, 3, b"\x4d\0\0"),
        (0x100C, (PropertyValue(19, 5), PropertyValue(31, "x")), 12, (PropertyValue(19, 5),)),
    ],
)
def test_a_property_value_as_far_as_it_goes(vt: int, value: Any, cut: int, kept: Any) -> None:
    data = PropertyValue(vt, value).encode()
    whole = mw.decode_lax(data + b"!!", PropertyValue, vt=vt)
    assert (dict(whole.fields), whole.rest) == ({"value": PropertyValue(vt, value)}, b"!!")
    assert mw.to_dict(whole)["vt"] == vt
    result = mw.decode_lax(data[:cut], PropertyValue, vt=vt)
    assert (result.packet, dict(result.fields), result.rest) == (None, {}, data[:cut])
    assert (result.cut and result.cut.value) == kept
    assert result.reached == ("value", 0)
    if result.cut:  # texts say only at their end how long they are
        assert result.cut.whole == (None if vt in {31, 0x100C} or (cut < 4 and vt != 19) else len(data))
    assert mw.to_dict(result)["$error"] == str(result.error)


def test_kinds_that_there_are_not() -> None:
    with pytest.raises(ValueError, match="no structure"):
        mw.decode_lax(b"", "Nothing")
    with pytest.raises(ValueError, match="vt is missing"):
        mw.decode_lax(b"", PropertyValue)
    assert mw.decode_lax(bytes(40), "SecurityData").error is not None
    assert mw.decode_lax(bytes(40), "SecurityData").reached == ("", 0)
    assert not mw.decode_lax(bytes(40), "SecurityData").fields


def test_directory_messages_at_every_cut() -> None:
    header = mqdsrp.BaseReplicationHeader(SiteID=mw.NULL_GUID, Operation=0)
    change = mqdsrp.DirectoryChange(
        Command=1, PathName="a\\b", PropertyID=(101, 103), PropertyValue=(mw.NULL_GUID, "label")
    )
    found = mqdsrp.ChangePropagationMessage(
        BaseReplicationHeader=header,
        DirectoryChanges=(change,) * 3,
        SeqNumberHeader=mqdsrp.SeqNumberHeader(),
    )
    update = mqcn.NotificationUpdate(
        Command=1, PathName="a\\b", PropertyId=(101, 103), PropertyValue=(mw.NULL_GUID, "label")
    )
    notice = mqcn.ChangeNotificationMessage(
        Version=1, NumberOfUpdateNotifications=2, Data=mqcn.NotificationUpdates(Updates=(update,) * 2)
    )
    for module, record in ((mqdsrp, found), (mqcn, notice)):
        data, whole = record.encode(), places(record)
        for cut in range(len(data)):
            result = module.decode_lax(data[:cut])
            there = [place for place in whole if place.end <= cut]
            if result.packet is None:
                assert list(result.fields.items()) == [(place.path, place.value) for place in there], cut
                assert result.errors == (result.error,)
                assert str(result.errors[0]) == str(result.error)
        refused = module.decode_lax(data, limits=Limits(changes=1))
        assert refused.reached is not None
        assert refused.rest == data[refused.reached.offset :]
    text = mqcn.decode_lax(b"\2\1" + "x=".encode("utf-16-le"))
    assert dict(text.fields) == {"Version": 2, "NumberOfUpdateNotifications": 1}
    assert text.doubtful["Data.Text"] == "x="


# ------------------------------------------------------------------------------------------------- views


def test_explain_and_to_dict_agree() -> None:
    for sample in samples()[::9]:
        cut = len(sample.data) * 2 // 3
        part = sample.data[:cut]
        result = mw.decode_lax(part, sample.kind)
        plain = mw.to_dict(result)
        if result.packet is not None:
            assert plain == mw.to_dict(result.packet)
            continue
        assert json.loads(json.dumps(plain)) == plain
        assert plain["$error"] == str(result.error)
        assert plain["$reached"] == result.reached._asdict()
        shown = mw.explain(part, sample.kind)
        assert shown.splitlines()[-1] == "error: " + str(result.error)
        for path, value in result.fields.items():
            inner: Any = plain
            for step in path.replace("[", ".[").split("."):
                inner = inner[int(step[1:-1])] if step.startswith("[") else inner[step]
            expected = int(value) if isinstance(value, int) and not hasattr(value, "to_dict") else None
            assert expected is None or inner == expected
            if value not in {b"", ""}:
                name = path.rpartition(".")[2]
                assert name in shown or "[..]" in shown


@pytest.mark.parametrize(
    ("count", "expected"), [(0, {"Count": 0, "DirectoryChanges": []}), (2, {"Count": 2})]
)
def test_only_a_list_without_elements_is_known_to_be_empty(count: int, expected: dict[str, Any]) -> None:
    kind = mqdsrp.ChangePropagationMessage.layout
    assert nested({"Count": count}, structure=kind) == expected


def test_a_result_can_be_kept_and_compared() -> None:
    data = message().encode()[:100]
    result = mw.decode_lax(data)
    again = pickle.loads(pickle.dumps(result))  # noqa: S301  # ours
    assert again.fields == result.fields
    assert again == result == mw.decode_lax(data)
    assert hash(again) == hash(result)
    others = [message().encode()[:99], message().encode(), bytes(100)]
    assert all(mw.decode_lax(other) != result for other in others)


def test_a_value_that_is_too_large_is_so_from_its_beginning() -> None:
    result = mw.decode_lax(bytes(40), mw.PropertyValue, vt=0x1011, limits=mw.Limits(packet_size=30))
    assert result.error is not None
    assert (result.error.offset, result.error.path, result.error.actual) == (0, "PropertyValue", 40)


@pytest.mark.parametrize(
    ("vt", "data", "cut"),
    [
        (19, b"", None),  # no byte of it is there
        (19, b"12", ("value", 0, 2, 4, b"12")),
        (9999, b"1234", None),  # nobody knows how large it should be
    ],
)
def test_what_is_there_of_a_property_value(vt: int, data: bytes, cut: Any) -> None:
    result = mw.decode_lax(data, PropertyValue, vt=vt)
    assert (result.cut, result.reached, result.errors) == (cut, ("value", 0), (result.error,))
    exact = mw.decode_lax(b"1234", PropertyValue, vt=19, limits=Limits(packet_size=4))
    assert (exact.error, exact.errors, exact.reached, exact.cut) == (None, (), None, None)


def test_a_result_without_a_source_has_no_fields() -> None:
    error = DecodeError("wrong", structure="X", path="X", offset=3)
    for known in (error, None):
        result = mw.LaxResult(None, {}, known, b"rest")
        assert (dict(result.fields), dict(result.doubtful), result.reached) == ({}, {}, ("", 0))
        assert (result.cut, result.left_out) == (None, 0)
        assert result.errors == ((error,) if known else ())


def test_paths_become_nested_values() -> None:
    """Lists are as long as their last known element, with None for what is missing before it."""
    fields = {"A.B[2].C": 1, "A.B[0]": 2, "A.D": 3, "E[1][1]": 4, "F": 5, "A.B[2].G": 6}
    assert nested(fields) == {
        "A": {"B": [2, None, {"C": 1, "G": 6}], "D": 3},
        "E": [None, [None, 4]],
        "F": 5,
    }
    assert nested({"A[0]": 1, "A[1]": 2}, lambda value: -value) == {"A": [-1, -2]}
    assert nested({}) == {}


@pytest.mark.parametrize("name", ["message", "SessionAck", "EstablishConnection", "ConnectionParameters"])
def test_headers_that_are_there_to_their_last_byte(name: str) -> None:
    """They are complete, and the rest is what follows the last of them."""
    record: Any = message() if name == "message" else getattr(mw.mqqb, name)()
    data = record.encode()
    ends, end = {}, 0
    for field in record.layout.fields:
        part = getattr(record, field.name)
        if part is not None:
            end += len(part.encode())
            ends[field.name] = end
    assert end == len(data)
    for cut in sorted({end + step for end in ends.values() for step in (-1, 0, 1)} - {end, end + 1}):
        result = mw.decode_lax(data[:cut])
        there = [part for part, end in ends.items() if end <= cut]
        assert dict(result.headers) == {part: getattr(record, part) for part in there}
        assert result.rest == data[ends[there[-1]] if there else 0 : cut]


def test_a_call_that_is_not_read_is_all_rest() -> None:
    raw = mw.rpc.QUEUE_FORMAT.of(r"DIRECT=OS:s\q").encode()
    result = mw.decode_lax(raw, mw.rpc.QUEUE_FORMAT, limits=Limits(packet_size=len(raw) - 1))
    assert (result.packet, dict(result.fields), result.rest) == (None, {}, raw)
    assert (result.reached, result.cut, result.errors) == (("", 0), None, (result.error,))
    exact = mw.decode_lax(raw, mw.rpc.QUEUE_FORMAT, limits=Limits(packet_size=len(raw)))
    assert (exact.error, exact.errors, exact.reached, exact.rest) == (None, (), None, b"")


@pytest.mark.parametrize(
    ("doubts", "doubtful"),
    [([], ""), ([(0, 1)], "a"), ([(1, 2), (3, 5)], "bde"), ([(2, 3), (3, 4)], "cd"), ([(0, 6)], "abcdef")],
)
def test_what_lies_in_a_range_of_doubts(doubts: list[tuple[int, int]], doubtful: str) -> None:
    """From its first field up to the one before its end; structures and what was not read are no fields."""
    kind = mqmq.BaseHeader.layout
    reader: Any = DiagnosticReader(b"", DEFAULT_LIMITS)
    with pytest.raises(DecodeError):
        reader.read(kind, 0, 0)
    fields = [(name, at, 1, at, None, kind) for at, name in enumerate("abcdef")]
    beside = [("", 0, 9, None, None, kind), ("z[?]", 6, 1, b"z", None, kind)]
    more = [("y[+]", 7, 2, number, None, kind) for number in (3, 4)]
    reader.log, reader.evidence = [*fields, *beside, *more], SimpleNamespace(doubts=doubts)
    reader.missed, reader.errors = ("x", 9), []
    reader.cut = cut = TruncatedField("x", 9, 1, 2, b"x")
    found = of_reader(reader)
    values = {name: at for at, name in enumerate("abcdef")}
    assert found.doubtful == {path: value for path, value in values.items() if path in doubtful}
    assert found.fields == {path: value for path, value in values.items() if path not in doubtful}
    assert (found.reached, found.cut, found.errors) == (("x", 9), cut, ())
    assert found.left_out == 7
    reader.missed, reader.cut = ("", 9), None
    assert of_reader(reader).reached == ("", 9)
    reader.missed = None
    assert of_reader(reader)[2:4] == (None, None)


@pytest.mark.parametrize(
    ("label", "algorithm", "is_certain"),
    [("poc", 0, True), ("po", 0, False), ("p\u4e00\u4e01\u4e02", 0, False), ("po", 0x8003, True)],
)
def test_a_label_is_evidence(label: str, algorithm: int, is_certain: bool) -> None:
    """ASCII with a terminator where its length says is no chance, also if no algorithm tells the header."""
    over_http: dict[str, Any] = {
        "SRMPEnvelopeHeader": mw.mqrr.SRMPEnvelopeHeader(Data="<se:Envelope/>"),
        "CompoundMessageHeader": mw.mqrr.CompoundMessageHeader(),
    }
    record = mqmq.UserMessage.of(
        DestinationQueue="DIRECT=OS:a\\b", Label=label, HashAlgorithm=algorithm, **over_http
    )
    record = mw.replace(record, {"MessagePropertiesHeader.EncryptionAlgorithm": algorithm and 0x6602})
    data = bytearray(record.encode())
    length = data.index("<se".encode("utf-16-le")) - 4
    data[length + 3] = 0x80
    result = mw.decode_lax(bytes(data))
    assert result.reached.path == "SRMPEnvelopeHeader.Data"
    paths = {"UserHeader.DestinationQueue.DirectFormatName", "MessagePropertiesHeader.Label"}
    assert (paths <= result.fields.keys(), paths <= result.doubtful.keys()) == (is_certain, not is_certain)


def test_the_packet_behind_another_one_is_no_reason_to_search_for_faults() -> None:
    """Reading packet after packet from one buffer costs no more than reading each alone."""
    data = mqmq.UserMessage.of(MessageBody=bytes(100)).encode()
    assert events(mw.decode_lax, data + data) < 2 * events(mw.decode_lax, data)
    result = mw.decode_lax(data + data)
    assert (result.packet, result.error, result.rest) == (mw.decode(data), None, data)
