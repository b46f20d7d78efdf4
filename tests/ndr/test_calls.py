"""What calls carry, against octets derived by hand from the IDL and [C706]."""

from __future__ import annotations

import json
import re
import struct
import tomllib
import tracemalloc
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_hostile import events
from support_rows import for_each, table

import msmq_wire as mw
from msmq_wire import mqmq, mqrr, rpc
from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.ndr.model import Array, Embedded, Pointer, Union, structures
from msmq_wire.ndr.transfer import Reader
from msmq_wire.testing import calls, message_packets
from msmq_wire.values.limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable

VECTORS = tomllib.loads((Path(__file__).parents[2] / "specs/vectors/calls.toml").read_text("utf-8"))["call"]
NAMES = table(lambda: sorted(structures()))
GUID_TEXT = "00112233-4455-6677-8899-aabbccddeeff"


def octets(vector: dict[str, Any]) -> bytes:
    return b"".join(bytes.fromhex(row[1]) for row in vector["octets"])


def plain(value: Any) -> Any:
    """A dictionary without what is None."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if item is not None}
    return [plain(item) for item in value] if isinstance(value, list) else value


# ---------------------------------------------------------------------------------------------- vectors


@for_each("vector", lambda: VECTORS, ids=lambda vector: vector["name"])
def test_vector(vector: dict[str, Any]) -> None:
    """Both ways, field by field."""
    data, cls = octets(vector), getattr(rpc, vector["structure"])
    ms_union = vector.get("ms_union", False)
    record = cls.decode(data, ms_union=ms_union)
    shown = mw.to_dict(record)
    assert shown.pop("$structure") == vector["structure"]
    assert plain(shown) == vector["fields"]
    assert record.encode(ms_union=ms_union) == data
    assert mw.from_dict(vector["fields"], vector["structure"]) == record


@for_each("vector", lambda: VECTORS, ids=lambda vector: vector["name"])
def test_every_cut_is_refused(vector: dict[str, Any]) -> None:
    data, cls = octets(vector), getattr(rpc, vector["structure"])
    for end in range(len(data)):
        with pytest.raises(mw.DecodeError) as caught:
            cls.decode(data[:end], ms_union=vector.get("ms_union", False))
        assert 0 <= caught.value.offset <= end
    with pytest.raises(mw.DecodeError, match="1 byte left over"):
        cls.decode(data + b"\0", ms_union=vector.get("ms_union", False))


def test_every_structure_and_every_form_has_a_vector_or_is_part_of_one() -> None:
    seen = {vector["structure"] for vector in VECTORS}
    arms = {vector["fields"].get("vt") for vector in VECTORS}
    assert seen == {"QUEUE_FORMAT", "PROPVARIANT", "SectionBuffer"}
    assert {0x02, 0x0B, 0x13, 0x15, 0x41, 0x1015, 0x101F, 0x100C} <= arms


# -------------------------------------------------------------------------------------------- IDL typed in

IDL = {
    "DL_ID": ("m_DlGuid", "m_pwzDomain"),
    "QUEUE_FORMAT": ("m_qft", "m_SuffixAndFlags", "m_reserved", "_union"),
    "BLOB": ("cbSize", "pBlobData"),
    **dict.fromkeys(
        ("CAUB", "CAUI", "CAL", "CAUL", "CAUH", "CACLSID", "CALPWSTR", "CAPROPVARIANT"), ("cElems", "pElems")
    ),
    "PROPVARIANT": ("vt", "wReserved1", "wReserved2", "wReserved3", "_varUnion"),
    "SectionBuffer": ("SectionBufferType", "SectionSizeAlloc", "SectionSize", "pSectionBuffer"),
}
CASES = {
    "QUEUE_FORMAT": {
        0: None,
        1: "m_gPublicID",
        2: "m_oPrivateID",
        3: "m_pDirectID",
        4: "m_gMachineID",
        5: "m_GConnectorID",
        6: "m_DlID",
        7: "m_MulticastID",
        8: "m_pDirectSubqueueID",
    },
    "PROPVARIANT": {
        VARTYPE.VT_EMPTY: None,
        VARTYPE.VT_NULL: None,
        VARTYPE.VT_I1: "cVal",
        VARTYPE.VT_UI1: "bVal",
        VARTYPE.VT_I2: "iVal",
        VARTYPE.VT_UI2: "uiVal",
        VARTYPE.VT_I4: "lVal",
        VARTYPE.VT_UI4: "ulVal",
        VARTYPE.VT_I8: "hVal",
        VARTYPE.VT_UI8: "uhVal",
        VARTYPE.VT_BOOL: "boolVal",
        VARTYPE.VT_CLSID: "puuid",
        VARTYPE.VT_BLOB: "blob",
        VARTYPE.VT_LPWSTR: "pwszVal",
        VARTYPE.VT_VECTOR | VARTYPE.VT_UI1: "caub",
        VARTYPE.VT_VECTOR | VARTYPE.VT_UI2: "caui",
        VARTYPE.VT_VECTOR | VARTYPE.VT_I4: "cal",
        VARTYPE.VT_VECTOR | VARTYPE.VT_UI4: "caul",
        VARTYPE.VT_VECTOR | VARTYPE.VT_UI8: "cauh",
        VARTYPE.VT_VECTOR | VARTYPE.VT_CLSID: "cauuid",
        VARTYPE.VT_VECTOR | VARTYPE.VT_LPWSTR: "calpwstr",
        VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT: "capropvar",
    },
}


def test_layouts_are_the_idl() -> None:
    assert {name: tuple(field.name for field in item.fields) for name, item in structures().items()} == IDL
    for name, cases in CASES.items():
        union = structures()[name].fields[-1].type
        assert isinstance(union, Union)
        assert {value: arm and arm.name for value, arm in union.arms.items()} == cases


# ------------------------------------------------------------------------------------------- any record


@for_each("name", NAMES)
@pytest.mark.parametrize("ms_union", [False, True])
@given(data=st.data())
def test_record_survives(name: str, ms_union: bool, data: st.DataObject) -> None:  # parametrized
    record = data.draw(calls(name))
    raw = record.encode(ms_union=ms_union)
    back = type(record).decode(raw, ms_union=ms_union)
    assert back == record
    assert hash(back) == hash(record)
    assert type(record).decode(bytearray(raw), ms_union=ms_union) == record
    assert mw.from_dict(mw.to_dict(record)) == record
    for line in mw.explain(record).splitlines():
        assert line.isprintable()
        assert line.isascii()


@for_each("name", NAMES)
@given(data=st.data())
def test_damaged_octets(name: str, data: st.DataObject) -> None:
    """A DecodeError within the octets, or a record that is written and read as itself."""
    raw = bytearray(data.draw(calls(name)).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        if raw:
            raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cls = getattr(rpc, name)
    try:
        record = cls.decode(raw)
    except mw.DecodeError as caught:
        error = caught
    else:
        assert cls.decode(record.encode()) == record
        return
    assert 0 <= error.offset <= len(raw)
    assert error.path.partition(".")[0] == name
    assert error.structure in structures()
    assert ascii(str(error))[1:-1] in mw.explain(raw, name)


@for_each("name", NAMES)
@given(data=st.data(), offset=st.integers(0, 20))
def test_within_a_stream(name: str, data: st.DataObject, offset: int) -> None:
    """Alignment counts from the beginning of the stream, wherever a record stands."""
    records = tuple(data.draw(st.lists(calls(name), max_size=3)))
    stream = bytes(offset) + rpc.encode_array(records, offset=offset)
    cls = getattr(rpc, name)
    assert rpc.decode_array(cls, stream, offset=offset) == (records, len(stream))
    for record in records:
        stream = bytes(offset) + rpc.encode(record, offset=offset) + b"more"
        assert rpc.decode(cls, stream, offset=offset) == (record, len(stream) - 4)


def test_gaps_and_referents_are_read_whatever_they_hold() -> None:
    vector = next(item for item in VECTORS if item["name"] == "direct format name")
    data = octets(vector)
    odd = data[:5] + b"\xaa\xbb\xcc" + b"\xef\xbe\xad\xde" + data[12:]
    assert rpc.QUEUE_FORMAT.decode(odd) == rpc.QUEUE_FORMAT.decode(data)


# ----------------------------------------------------------------------------------------------- errors

HEAD = "1f00000000000000" + "1f000000" + "00000200"
BAD: dict[str, tuple[str, str, int]] = {
    "text longer than its room": (HEAD + "010000000000000002000000" + "61000000", "_varUnion.pwszVal", 16),
    "text from the middle": (HEAD + "030000000100000002000000" + "61000000", "_varUnion.pwszVal", 16),
    "text longer than what is left": (HEAD + "09000000000000000900000061000000", "_varUnion.pwszVal", 28),
    "text without terminator": (HEAD + "020000000000000002000000" + "61006200", "_varUnion.pwszVal", 28),
    "text that ends early": (HEAD + "030000000000000003000000" + "610000000000", "_varUnion.pwszVal", 28),
    "discriminant of another form": ("1f00000000000000" + "02000000", "_varUnion", 8),
    "type that no form has": ("0800000000000000" + "08000000", "vt", 0),
    "count of the array": (
        "4100000000000000" + "41000000" + "03000000" + "00000200" + "02000000" + "6162",
        "_varUnion.blob.pBlobData",
        20,
    ),
    "more elements than octets": (
        "1310000000000000" + "13100000" + "ffffff3f" + "00000200" + "ffffff3f",
        "_varUnion.caul.pElems",
        24,
    ),
    "more pointers than octets": (
        "1f10000000000000" + "1f100000" + "02000000" + "00000200" + "02000000" + bytes(7).hex(),
        "_varUnion.calpwstr.pElems",
        24,
    ),
    "more values than octets": (
        "0c10000000000000" + "0c100000" + "01000000" + "00000200" + "01000000" + bytes(9).hex(),
        "_varUnion.capropvar.pElems",
        24,
    ),
}


@for_each("case", lambda: BAD)
def test_refused(case: str) -> None:
    raw, path, offset = BAD[case]
    with pytest.raises(mw.DecodeError) as caught:
        rpc.PROPVARIANT.decode(bytes.fromhex(raw))
    assert (caught.value.path, caught.value.offset) == (f"PROPVARIANT.{path}", offset)


@pytest.mark.parametrize("offset", range(3, 12))
def test_a_record_behind_the_end(offset: int) -> None:
    """No octets are there, however far behind."""
    with pytest.raises(mw.DecodeError) as caught:
        rpc.decode(rpc.SectionBuffer, b"abc", offset=offset)
    assert (caught.value.offset, caught.value.actual) == (3, 0)


def test_the_lie_is_named() -> None:
    with pytest.raises(mw.DecodeError) as caught:
        rpc.PROPVARIANT.decode(bytes.fromhex(BAD["count of the array"][0]))
    assert (caught.value.source_path, caught.value.source_offset) == ("PROPVARIANT._varUnion.blob.cbSize", 12)
    assert (caught.value.expected, caught.value.actual) == (3, 2)


@pytest.mark.requirement("MQMQ-2.2.13.1-02", "MQMQ-2.2.13.1-03", "MQMQ-2.2.13.1-04")
def test_reserved_fields_of_values_are_disregarded() -> None:
    """VT_I4 5 with other reserved fields, typed in from the page: it is read, and violates nothing."""
    value = rpc.PROPVARIANT.decode(bytes.fromhex("0300 a1 b2 c3d4e5f6 03000000 05000000".replace(" ", "")))
    assert (value.vt, value._varUnion) == (3, 5)
    assert (value.wReserved1, value.wReserved2, value.wReserved3) == (0xA1, 0xB2, 0xF6E5D4C3)
    assert mw.validate(value) == ()


def test_limits() -> None:
    value = rpc.PROPVARIANT.of(VARTYPE.VT_VECTOR | VARTYPE.VT_UI4, range(9)).encode()
    assert rpc.PROPVARIANT.decode(value, limits=mw.Limits(elements=9))
    for bound, data in (
        (mw.Limits(elements=8), value),
        (mw.Limits(string_length=2), rpc.PROPVARIANT.of(VARTYPE.VT_LPWSTR, "abc").encode()),
        (mw.Limits(packet_size=10), value),
    ):
        with pytest.raises(mw.DecodeError, match=r"limit: Limits\."):
            rpc.PROPVARIANT.decode(data, limits=bound)


def test_depth_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways, and as for property values of other packets."""

    def around(value: rpc.PROPVARIANT) -> rpc.PROPVARIANT:
        vector = VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT
        return rpc.PROPVARIANT(vt=vector, _varUnion=rpc.CAPROPVARIANT(pElems=(value,)))

    value = rpc.PROPVARIANT(vt=0x1013, _varUnion=rpc.CAUL(pElems=(1, 2)))
    for _ in range(8):
        value = around(value)
    assert rpc.PROPVARIANT.decode(value.encode()) == value
    assert rpc.PROPVARIANT.of(0x100C, value.property_value.value) == value
    value = around(value)
    with pytest.raises(mw.EncodeError, match="expected at most 8 arrays of structures in each other, got 9"):
        value.encode()
    monkeypatch.setattr("msmq_wire.ndr.transfer.MAX_DEPTH", 9)
    data = value.encode()
    monkeypatch.undo()
    with pytest.raises(
        mw.DecodeError, match="expected at most 8 arrays of structures in each other, found 9"
    ):
        rpc.PROPVARIANT.decode(data)
    plain: dict[str, Any] = {"vt": 3, "_varUnion": 1}
    for _ in range(1000):
        plain = {"vt": 0x100C, "_varUnion": {"pElems": [plain]}}
    with pytest.raises(mw.EncodeError, match="is nested too deep"):
        mw.from_dict(plain, "PROPVARIANT")


def test_a_message_of_the_largest_size() -> None:
    """Its trailers and what NDR adds are not counted, as what follows PacketSize is not."""
    properties = mqmq.MessagePropertiesHeader(MessageBody=b"")
    size = mqmq.UserMessage(MessagePropertiesHeader=properties).BaseHeader.PacketSize
    properties = mqmq.MessagePropertiesHeader(MessageBody=bytes(mw.Limits().packet_size - size))
    message = mqmq.UserMessage(MessagePropertiesHeader=properties)
    assert message.BaseHeader.PacketSize == mw.Limits().packet_size
    packet = mqrr.MessagePacket(UserMessage=message, ExtensionHeader=mqrr.ExtensionHeader())
    assert mqrr.MessagePacket.decode(packet.encode()) == packet
    for most in (1 << 30, 10):
        sections = rpc.split_message(packet, most)
        assert [section for section in sections if mw.validate(section)] == []
        stub = rpc.encode_sections(sections)
        read = rpc.join_sections(rpc.decode_sections(stub)[0])
        assert read.packet.ExtensionHeader == packet.ExtensionHeader
    message = mw.replace(message, {"MessagePropertiesHeader.MessageBody": bytes(4_200_000)})
    with pytest.raises(mw.DecodeError) as caught:
        mqrr.MessagePacket.decode(mqrr.MessagePacket(UserMessage=message).encode())
    assert caught.value.path == "MessagePacket.UserMessage.BaseHeader.PacketSize"


def test_copies_with_other_values() -> None:
    """A count that is not given follows its array."""
    section = rpc.SectionBuffer(SectionSizeAlloc=9, pSectionBuffer=b"ab")
    changed = mw.replace(section, pSectionBuffer=b"abc")
    assert (changed.SectionSize, changed.SectionSizeAlloc) == (3, 9)
    assert mw.replace(section, {"SectionSize": 7}).SectionSize == 7
    assert mw.encode(changed) == changed.encode()  # type: ignore[arg-type]  # of records of packets, and others
    with pytest.raises(mw.EncodeError):
        mw.replace(section, typo=1)
    with pytest.raises(mw.WrongTypeError):
        mw.replace(section, 5)  # type: ignore[call-overload]  # it is the error


def test_the_base_class() -> None:
    for call in (rpc.NdrRecord, lambda: rpc.NdrRecord.decode(b""), lambda: rpc.decode(rpc.NdrRecord, b"")):
        with pytest.raises(mw.WrongTypeError):
            call()


def test_items_of_a_buffer_that_are_no_bytes() -> None:
    data = rpc.SectionBuffer(SectionSizeAlloc=4, pSectionBuffer=b"abcd").encode()
    assert rpc.SectionBuffer.decode(memoryview(data).cast("H")).pSectionBuffer == b"abcd"
    with pytest.raises(mw.DecodeError, match="24 bytes left over"):
        rpc.SectionBuffer.decode(memoryview(data + bytes(24)).cast("H"))


def test_lenient_results_are_validated() -> None:
    queue = rpc.QUEUE_FORMAT(m_qft=1, m_SuffixAndFlags=1)
    assert mw.validate(mw.decode_lax(queue.encode(), rpc.QUEUE_FORMAT)) == mw.validate(queue) != ()
    cut = mw.decode_lax(queue.encode()[:-1], rpc.QUEUE_FORMAT)
    assert mw.to_dict(cut)["$structure"] == "QUEUE_FORMAT"
    assert "MQMQ-2.2.7-04" in {item.requirement for item in mw.validate(cut).unjudged}
    assert mw.validate(cut, ignore="MQMQ-2.2.7-04").unjudged != mw.validate(cut).unjudged


ANY: Any = rpc
"""The module, to give its constructors what they do not take."""


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (lambda: ANY.PROPVARIANT(vt=8), "PROPVARIANT.vt"),
        (lambda: ANY.PROPVARIANT(vt=0, _varUnion=1), "PROPVARIANT._varUnion"),
        (lambda: ANY.PROPVARIANT(vt=2, _varUnion=1 << 15), "PROPVARIANT._varUnion.iVal"),
        (lambda: ANY.PROPVARIANT(vt=0x1F, _varUnion="a\0b"), "PROPVARIANT._varUnion.pwszVal"),
        (lambda: ANY.PROPVARIANT(vt=0x1F, _varUnion=b"ab"), "PROPVARIANT._varUnion.pwszVal"),
        (lambda: ANY.PROPVARIANT(vt=0x48, _varUnion="no GUID"), "PROPVARIANT._varUnion.puuid"),
        (lambda: ANY.PROPVARIANT(vt=0x41, _varUnion=b"abc"), "PROPVARIANT._varUnion.blob"),
        (lambda: ANY.BLOB(pBlobData="abc"), "BLOB.pBlobData"),
        (lambda: ANY.CAUL(pElems="abc"), "CAUL.pElems"),
        (lambda: ANY.CAUL(pElems=5), "CAUL.pElems"),
        (lambda: ANY.CAUL(pElems=[1, None]), "CAUL.pElems[1]"),
        (lambda: ANY.CAL(pElems=[1 << 31]), "CAL.pElems[0]"),
        (lambda: ANY.CAL(pElems=[1, -(1 << 31) - 1]), "CAL.pElems[1]"),
        (lambda: ANY.CAL(pElems=[2.5]), "CAL.pElems[0]"),
        (lambda: ANY.CAL(pElems=[1, 2.5]), "CAL.pElems[1]"),
        (lambda: ANY.SectionBuffer(SectionBufferType="x"), "SectionBuffer.SectionBufferType"),
    ],
)
def test_what_cannot_be_written_is_refused(make: Any, path: str) -> None:
    with pytest.raises(mw.EncodeError) as caught:
        make()
    assert caught.value.path == path


VARIANTS = VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT


def variants(*held: rpc.PROPVARIANT) -> rpc.PROPVARIANT:
    return rpc.PROPVARIANT(vt=VARIANTS, _varUnion=rpc.CAPROPVARIANT(pElems=held))


@pytest.mark.parametrize(
    ("most", "left_out"),
    [(0, 4), (4, 4), (5, 4), (6, 3), (9, 3), (10, 4), (14, 4), (15, 3), (19, 3), (1000, 0)],
)
def test_elements_that_are_left_out_are_counted(most: int, left_out: int) -> None:
    """Of the fields of a call, those of further elements are omitted, wherever the call ends; none is lost.

    The variant with the vector has 5 fields, the first element 4 and a text behind all, the second 5 and two
    elements behind all, the third 5, the last 4.
    """
    text = rpc.PROPVARIANT.of(VARTYPE.VT_LPWSTR, "text")
    number = rpc.PROPVARIANT(vt=VARTYPE.VT_I2, _varUnion=1)
    whole = variants(text, variants(number, text), number, text).encode()
    for cut in range(len(whole) + 1):
        every = mw.decode_lax(whole[:cut], rpc.PROPVARIANT)
        some = mw.decode_lax(whole[:cut], rpc.PROPVARIANT, limits=mw.Limits(lax_fields=most))
        assert (some.packet, str(some.error), some.rest) == (every.packet, str(every.error), every.rest)
        assert every.left_out == 0
        assert every.fields.items() >= some.fields.items()
        lost = every.fields.keys() - some.fields.keys()
        assert all("[" in path for path in lost)
        assert len(some.fields) >= min(most, len(every.fields))
        assert some.left_out or not lost
    assert some.left_out == left_out
    assert left_out or not lost


def test_fields_of_a_large_call_are_bounded() -> None:
    held = variants(*[rpc.PROPVARIANT(vt=VARTYPE.VT_I2, _varUnion=1)] * 3000).encode()
    for data in (held, held[:-1]):
        result = mw.decode_lax(data, rpc.PROPVARIANT)
        assert len(result.fields) == mw.Limits().lax_fields
        assert result.left_out == 3000 - (10_000 - 5) // 5


def test_numbers_of_a_list_are_plain_numbers() -> None:
    """The least and the largest are among them; those of a subclass become plain ones."""
    assert rpc.CAL(pElems=[-(1 << 31), (1 << 31) - 1]).pElems == (-(1 << 31), (1 << 31) - 1)
    assert [type(item) for item in rpc.CAL(pElems=[True, VARTYPE.VT_I2, 3]).pElems or ()] == [int] * 3


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (
            lambda: ANY.decode("QUEUE_FORMAT", b""),
            "expected a class of records, such as QUEUE_FORMAT, got 'QUEUE_FORMAT'",
        ),
        (lambda: ANY.decode_array(mqmq.UserMessage, b""), "got <class '.*UserMessage'>"),
        (lambda: ANY.encode("x"), "expected a record, got str"),
        (lambda: ANY.encode_array([b"x"]), "expected a record, got bytes"),
        (lambda: ANY.PROPVARIANT.of("VT_I4", 5), "expected the number of a variant type, got str"),
        (lambda: ANY.split_message(mqmq.UserMessage(), 5), "expected a MessagePacket, got UserMessage"),
        (lambda: ANY.QUEUE_FORMAT.of(5), "name: expected a format name or its text, got int$"),
        (
            lambda: ANY.QUEUE_FORMAT.of(mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\b\0")),
            "name: expected a format name or its text, got DirectQueueFormatName: use its format_name$",
        ),
    ],
)
def test_what_is_no_record(use: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        use()


@pytest.mark.parametrize("call", [ANY.decode, ANY.decode_array])
def test_nothing_is_read_before_the_beginning(call: Any) -> None:
    with pytest.raises(ValueError, match=r"^offset is -1, not 0 or more$"):
        call(rpc.QUEUE_FORMAT, bytes(8), offset=-1)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"vt": 2, "_varUnion": "x"}, "PROPVARIANT._varUnion"),
        ({"vt": 2, "other": 1}, "PROPVARIANT.other"),
        ({"vt": 2, 5: 1}, "PROPVARIANT.int"),
        ({"_varUnion": 1}, "PROPVARIANT._varUnion"),
        ({"vt": 0x41, "_varUnion": "abc"}, "PROPVARIANT._varUnion"),
        ({"vt": 0x41, "_varUnion": {"pBlobData": "xy"}}, "PROPVARIANT._varUnion.pBlobData"),
        ({"vt": 0x1013, "_varUnion": {"pElems": 1}}, "PROPVARIANT._varUnion.pElems"),
        ({"vt": 0x1013, "_varUnion": {"pElems": [1 << 40]}}, "PROPVARIANT._varUnion.pElems[0]"),
        ({"vt": 0x1F, "_varUnion": 1}, "PROPVARIANT._varUnion"),
    ],
)
def test_dictionaries_that_are_no_record(given: dict[str, Any], path: str) -> None:
    with pytest.raises(mw.EncodeError) as caught:
        mw.from_dict(given, "PROPVARIANT")
    assert caught.value.path == path


# --------------------------------------------------------------------------------------------- meanings


@pytest.mark.parametrize(
    "text",
    [
        f"PUBLIC={GUID_TEXT.upper()}",
        f"PUBLIC={GUID_TEXT.upper()};JOURNAL",
        f"PRIVATE={GUID_TEXT.upper()}\\00000012",
        "DIRECT=TCP:192.0.2.1\\private$\\q",
        "DIRECT=OS:host\\q;sub",
        "DIRECT=OS:host\\q;JOURNAL",
        f"MACHINE={GUID_TEXT.upper()};DEADXACT",
        f"CONNECTOR={GUID_TEXT.upper()};XACTONLY",
        f"DL={GUID_TEXT.upper()}",
        f"DL={GUID_TEXT.upper()}@example.org",
        "MULTICAST=224.1.2.3:12345",
    ],
)
def test_format_names(text: str) -> None:
    record = rpc.QUEUE_FORMAT.of(text)
    back = rpc.QUEUE_FORMAT.decode(record.encode())
    assert str(back.format_name) == text
    assert mw.validate(back, "should") == ()


@pytest.mark.parametrize(
    ("suffix", "text"),
    [(2, r"OS:h\q"), (3, r"OS:h\q"), (3, r"OS:h\q;JOURNAL"), (1, r"OS:h\SYSTEM$;DEADXACT")],
)
def test_a_suffix_that_would_name_another_queue(suffix: int, text: str) -> None:
    record = rpc.QUEUE_FORMAT(m_qft=3, m_SuffixAndFlags=0x80 | suffix, _union=text)
    with pytest.raises(mw.EncodeError, match="cannot have the suffix"):
        _ = record.format_name
    record = rpc.QUEUE_FORMAT(m_qft=3, m_SuffixAndFlags=0x83, _union=r"OS:h\SYSTEM$")
    assert str(record.format_name) == r"DIRECT=OS:h\SYSTEM$;DEADXACT"


def test_a_suffix_that_the_text_lacks() -> None:
    record = rpc.QUEUE_FORMAT(m_qft=3, m_SuffixAndFlags=0x81, _union="OS:h\\q")
    assert record.suffix == mqmq.QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_JOURNAL
    assert record.is_system
    assert str(record.format_name) == "DIRECT=OS:h\\q;JOURNAL"
    assert record.m_pDirectID == "OS:h\\q"
    assert record.m_gPublicID is None
    assert rpc.QUEUE_FORMAT().format_name is None
    assert rpc.QUEUE_FORMAT(m_SuffixAndFlags=0x0F).suffix == 15


def test_the_octet_of_suffix_and_flags() -> None:
    """The low half is the suffix, the highest bit says that it is a system queue ([MS-MQMQ] 2.2.7)."""
    records = [rpc.QUEUE_FORMAT(m_SuffixAndFlags=number) for number in range(256)]
    assert [(record.suffix, record.is_system) for record in records] == [
        (number % 16, number >= 128) for number in range(256)
    ]


def test_several_elements_are_refused() -> None:
    with pytest.raises(mw.EncodeError, match="MultipleName"):
        rpc.QUEUE_FORMAT.of("DIRECT=OS:a\\q,DIRECT=OS:b\\q")


@given(value=st.data())
def test_property_values(value: st.DataObject) -> None:
    """A property value is the same after a call."""
    record = value.draw(calls("PROPVARIANT"))
    held = record.property_value
    again = rpc.PROPVARIANT.of(held)
    assert again.property_value == held
    assert rpc.PROPVARIANT.decode(again.encode()).property_value == held


def test_natural_values() -> None:
    assert rpc.PROPVARIANT.of(VARTYPE.VT_BOOL, True).boolVal == 0xFFFF
    assert rpc.PROPVARIANT.of(VARTYPE.VT_LPWSTR, "text").property_value.natural == "text"
    assert rpc.PROPVARIANT(vt=VARTYPE.VT_LPWSTR).property_value.value == ""
    assert rpc.PROPVARIANT(vt=VARTYPE.VT_CLSID).property_value.value == mw.NULL_GUID
    assert rpc.PROPVARIANT(vt=VARTYPE.VT_BLOB).property_value.value == b""
    blob = rpc.PROPVARIANT(vt=VARTYPE.VT_BLOB, _varUnion=rpc.BLOB())
    assert blob.property_value.value == b""
    vector = rpc.PROPVARIANT(vt=VARTYPE.VT_VECTOR | VARTYPE.VT_UI4, _varUnion=rpc.CAUL())
    assert vector.property_value.value == ()
    with pytest.raises(
        mw.EncodeError, match=r"^remote calls cannot carry VT_I1 \| VT_VECTOR - at `PROPVARIANT.vt`"
    ):
        rpc.PROPVARIANT.of(VARTYPE.VT_VECTOR | VARTYPE.VT_I1, [1])
    with pytest.raises(mw.EncodeError, match=r"^remote calls cannot carry VT_BSTR - at"):
        rpc.PROPVARIANT.of(VARTYPE.VT_BSTR, "text")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: ANY.PROPVARIANT(vt=3, lVal=4),
            "no such field; lVal is a form of _varUnion - at `PROPVARIANT.lVal`",
        ),
        (lambda: ANY.BLOB(cbSise=4), "no such field; did you mean cbSize? - at `BLOB.cbSise`"),
        (lambda: ANY.BLOB(zebra=4), "no such field - at `BLOB.zebra`"),
        (lambda: ANY.BLOB(1, b"", 3), "expected at most 2 fields, got 3 - at `BLOB`"),
    ],
)
def test_unknown_fields_are_named(call: Any, said: str) -> None:
    with pytest.raises(mw.EncodeError) as caught:
        call()
    assert str(caught.value) == said


@pytest.mark.parametrize("name", ["QUEUE_FORMAT", "PROPVARIANT"])
def test_each_type_has_its_own_form(name: str) -> None:
    """The property of a form has the value of its types, and is None for all others."""
    cls = getattr(rpc, name)
    kind, union = cls.layout.fields[0].name, cls.layout.fields[-1]
    arms = {number: arm.name for number, arm in union.type.arms.items() if arm is not None}
    for number, name_of_form in arms.items():
        record = cls(**{kind: number})
        held = object()
        msgspec.structs.force_setattr(record, union.name, held)
        for other in set(arms.values()):
            assert getattr(record, other) is (held if other == name_of_form else None)


def test_numbers_of_pointers() -> None:
    """They count in fours from 0x20000, without those to nothing."""
    record = rpc.PROPVARIANT(
        vt=int(VARTYPE.VT_VECTOR | VARTYPE.VT_LPWSTR), _varUnion=rpc.CALPWSTR(pElems=(None, "a", None, "b"))
    )
    words = memoryview(record.encode()[16:40]).cast("I").tolist()
    assert words == [0x20000, 4, 0, 0x20004, 0, 0x20008]


def test_the_limit_of_texts() -> None:
    """The terminator does not count; the error is at the number of characters."""
    text = rpc.PROPVARIANT.of(VARTYPE.VT_LPWSTR, "abc").encode()
    assert rpc.decode(rpc.PROPVARIANT, text, limits=mw.Limits(string_length=3))
    with pytest.raises(mw.DecodeError) as caught:
        rpc.decode(rpc.PROPVARIANT, text, limits=mw.Limits(string_length=2))
    assert (caught.value.offset, caught.value.actual) == (24, 3)


def test_no_element_is_left() -> None:
    head = "4100000000000000" + "41000000" + "03000000" + "00000200" + "03000000"
    with pytest.raises(mw.DecodeError) as caught:
        rpc.PROPVARIANT.decode(bytes.fromhex(head))
    assert caught.value.expected == "at most 0"


def test_null_texts_are_empty() -> None:
    texts = rpc.CALPWSTR(pElems=(None, "a"))
    record = rpc.PROPVARIANT(vt=int(VARTYPE.VT_VECTOR | VARTYPE.VT_LPWSTR), _varUnion=texts)
    assert record.property_value.value == ("", "a")
    assert rpc.PROPVARIANT.decode(record.encode()) == record


def test_repr_is_short() -> None:
    """A null pointer is left out, and of many bytes the first eight are shown."""
    assert repr(rpc.BLOB(cbSize=0, pBlobData=None)) == "BLOB(cbSize=0)"
    assert repr(rpc.BLOB(pBlobData=b"ab")) == "BLOB(cbSize=2, pBlobData=b'ab')"
    assert repr(rpc.BLOB(pBlobData=bytes(range(99)))) == (
        "BLOB(cbSize=99, pBlobData=<99 bytes 0001020304050607...>)"
    )


def test_listing() -> None:
    inner = [mw.PropertyValue(int(VARTYPE.VT_UI1), number) for number in range(3)]
    record = rpc.PROPVARIANT.of(VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT, inner)
    text = mw.explain(record)
    assert "VT_VARIANT | VT_VECTOR" in text
    assert "_varUnion.capropvar.pElems[2]._varUnion.bVal" in text
    short = mw.explain(record, max_elements=1)
    assert "pElems[1]" not in short
    assert "_varUnion.capropvar.pElems[..]" in short
    few = mw.explain(record, limits=mw.Limits(fields=3))
    assert len(few.splitlines()) == 6
    assert "  wReserved2[..]  ... more" in few
    whole = mw.explain(rpc.PROPVARIANT.of(VARTYPE.VT_VECTOR | VARTYPE.VT_UI4, [7]))
    assert "  01 00 00 00    _varUnion.caul.pElems  1             elements" in whole
    assert "QUEUE_SUFFIX_TYPE_JOURNAL, system queue" in mw.explain(
        rpc.QUEUE_FORMAT(m_qft=1, m_SuffixAndFlags=0x81)
    )
    assert re.search(
        "m_qft +0x1 +QUEUE_FORMAT_TYPE_PUBLIC$", mw.explain(rpc.QUEUE_FORMAT(m_qft=1)), re.MULTILINE
    )
    broken = mw.explain(record.encode()[:30], rpc.PROPVARIANT)
    assert broken.splitlines()[-1].startswith("error: ")
    cut = mw.explain(record.encode()[:3], rpc.PROPVARIANT)
    assert cut.splitlines()[2].split()[2:4] == ["truncated", "PROPVARIANT"]
    assert "1 byte left over" in mw.explain(record.encode() + b"\0", "PROPVARIANT")


LISTINGS: list[tuple[Any, str]] = [
    (
        rpc.PROPVARIANT.of(VARTYPE.VT_VECTOR | VARTYPE.VT_UI4, range(11)),
        """
        0000 0 20 bytes PROPVARIANT [MS-MQMQ] 2.2.13.1
        0000 0 13 10 vt 0x1013 VT_UI4 | VT_VECTOR
        0002 2 00 wReserved1 0
        0003 3 00 wReserved2 0
        0004 4 00 00 00 00 wReserved3 0
        0008 8 13 10 _varUnion 0x1013 copy of the selector
        000a 10 00 00 (gap)
        000c 12 8 bytes _varUnion.caul CAUL [MS-MQMQ] 2.2.16.4
        000c 12 0b 00 00 00 _varUnion.caul.cElems 11
        0010 16 00 00 02 00 _varUnion.caul.pElems 0x20000 pointer
        0014 20 0b 00 00 00 _varUnion.caul.pElems 11 elements
        0018 24 00 00 00 00 .. 00 00 00 _varUnion.caul.pElems 0, 1, 2, 3, 4, 5, 6, 7, ... 3 more
        """,
    ),
    (
        rpc.SectionBuffer(SectionBufferType=1, pSectionBuffer=b"abc", SectionSizeAlloc=7),
        """
        0000 0 16 bytes SectionBuffer [MS-MQRR] 2.2.6
        0000 0 01 00 SectionBufferType 0x1 stBinaryFirstSection
        0002 2 00 00 (gap)
        0004 4 07 00 00 00 SectionSizeAlloc 7
        0008 8 03 00 00 00 SectionSize 3
        000c 12 00 00 02 00 pSectionBuffer 0x20000 pointer
        0010 16 03 00 00 00 pSectionBuffer 3 elements
        0014 20 61 62 63 pSectionBuffer 3 bytes, "abc"
        """,
    ),
    (
        rpc.QUEUE_FORMAT(m_qft=6, _union=rpc.DL_ID(m_DlGuid=GUID_TEXT, m_pwzDomain="a.b")),
        f"""
        0000 0 28 bytes QUEUE_FORMAT [MS-MQMQ] 2.2.7
        0000 0 06 m_qft 0x6 QUEUE_FORMAT_TYPE_DL
        0001 1 00 m_SuffixAndFlags 0x0 QUEUE_SUFFIX_TYPE_NONE
        0002 2 00 00 m_reserved 0
        0004 4 06 _union 0x6 copy of the selector
        0005 5 00 00 00 (gap)
        0008 8 20 bytes _union.m_DlID DL_ID [MS-MQMQ] 2.2.9
        0008 8 33 22 11 00 .. dd ee ff _union.m_DlID.m_DlGuid {GUID_TEXT}
        0018 24 00 00 02 00 _union.m_DlID.m_pwzDomain 0x20000 pointer
        001c 28 04 00 00 00 .. 00 00 00 _union.m_DlID.m_pwzDomain 4 WCHARs from 0 on in a room of 4
        0028 40 61 00 2e 00 62 00 00 00 _union.m_DlID.m_pwzDomain "a.b"
        """,
    ),
    (
        rpc.PROPVARIANT(vt=VARTYPE.VT_LPWSTR),
        """
        0000 0 16 bytes PROPVARIANT [MS-MQMQ] 2.2.13.1
        0000 0 1f 00 vt 0x1f VT_LPWSTR
        0002 2 00 wReserved1 0
        0003 3 00 wReserved2 0
        0004 4 00 00 00 00 wReserved3 0
        0008 8 1f 00 _varUnion 0x1f copy of the selector
        000a 10 00 00 (gap)
        000c 12 00 00 00 00 _varUnion.pwszVal 0x0 pointer to nothing
        """,
    ),
]


@for_each(("record", "rows"), lambda: LISTINGS)
def test_whole_listings(record: Any, rows: str) -> None:
    """Every octet has a line, also a gap, a pointer, and a count that comes before the elements."""
    found = [" ".join(line.split()) for line in mw.explain(record).splitlines()[1:]]
    assert [line for line in found if line] == [line.strip() for line in rows.split("\n") if line.strip()]


# ----------------------------------------------------------------------------------------- requirements

NAME = GUID_TEXT
KINDS: dict[str, dict[str, Any]] = {
    "MQMQ-2.2.7-02": {"m_qft": 1, "m_SuffixAndFlags": 0x80},
    "MQMQ-2.2.7-03": {"m_qft": 4},
    "MQMQ-2.2.7-04": {"m_qft": 1, "m_SuffixAndFlags": 0x01},
    "MQMQ-2.2.7-05": {"m_qft": 5, "m_SuffixAndFlags": 0x81},
    "MQMQ-2.2.7-06": {"m_qft": 4, "m_SuffixAndFlags": 0x02},
    "MQMQ-2.2.7-07": {"m_qft": 1, "m_SuffixAndFlags": 0x82},
    "MQMQ-2.2.7-08": {"m_qft": 4, "m_SuffixAndFlags": 0x03},
    "MQMQ-2.2.7-09": {"m_qft": 1, "m_SuffixAndFlags": 0x83},
    "MQMQ-2.2.7-10": {"m_qft": 1, "m_SuffixAndFlags": 0x04},
    "MQMQ-2.2.7-11": {"m_qft": 8, "m_SuffixAndFlags": 0x85, "_union": "OS:h\\q;s"},
    "MQMQ-2.2.7-12": {"m_qft": 1, "m_SuffixAndFlags": 0x05},
    "MQMQ-2.2.7-13": {"m_qft": 1, "m_reserved": 1},
    "MQMQ-2.2.7-16": {"m_qft": 8, "m_SuffixAndFlags": 0x05, "_union": "OS:h\\q"},
    "MQMQ-2.2.7-17": {"m_qft": 3, "_union": "direct=OS:h\\q"},
    "MQMQ-2.2.7-19": {"m_qft": 1, "m_SuffixAndFlags": 0x86},
    "MQMQ-2.2.7-20": {"m_qft": 5, "m_SuffixAndFlags": 0x44},
}
SECTIONS: dict[str, dict[str, Any]] = {
    "MQRR-2.2.6-01": {"SectionBufferType": 5, "pSectionBuffer": b"", "SectionSizeAlloc": 0},
    "MQRR-2.2.6-02": {"SectionBufferType": 2, "pSectionBuffer": b"ab", "SectionSizeAlloc": 3},
    "MQRR-2.2.6-03": {"SectionBufferType": 1, "pSectionBuffer": b"ab", "SectionSizeAlloc": 1},
    "MQRR-2.2.6-04": {
        "SectionBufferType": 1,
        "pSectionBuffer": b"ab",
        "SectionSize": 1,
        "SectionSizeAlloc": 4,
    },
    "MQRR-2.2.6-05": {"SectionBufferType": 0},
}
COUNTED = {
    f"MQMQ-2.2.16.{number}-01": name
    for number, name in enumerate(
        ("CAUB", "CAUI", "CAL", "CAUL", "CAUH", "CACLSID", "CALPWSTR", "CAPROPVARIANT"), 1
    )
}
BROKEN: Callable[[], dict[str, tuple[str, dict[str, Any]]]] = table(
    lambda: {
        **{requirement: ("QUEUE_FORMAT", fields) for requirement, fields in KINDS.items()},
        **{requirement: ("SectionBuffer", fields) for requirement, fields in SECTIONS.items()},
        "MQMQ-2.2.14-01": ("PROPVARIANT", {"vt": int(VARTYPE.VT_BOOL), "_varUnion": 1}),
        "MQMQ-2.2.15-01": ("BLOB", {"cbSize": 1}),
        **{requirement: (name, {"cElems": 2}) for requirement, name in COUNTED.items()},
    }
)


@pytest.mark.requirement
@for_each(
    "requirement", lambda: [pytest.param(name, marks=pytest.mark.requirement(name)) for name in BROKEN()]
)
def test_one_requirement_is_broken(requirement: str) -> None:
    """Each rule finds what breaks it and nothing else."""
    name, fields = BROKEN()[requirement]
    found = mw.validate(getattr(rpc, name)(**fields), "should")
    assert [violation.requirement for violation in found] == [requirement]
    (violation,) = found
    assert violation.path.partition(".")[0] == name
    assert violation.allowed in violation.message
    assert mw.validate(getattr(rpc, name)(**fields), "should", ignore=requirement) == ()


def test_violations_are_in_the_order_of_their_offsets() -> None:
    """Without a suffix, both the flags of byte 1 and the kind in byte 0 are wrong here."""
    found = mw.validate(rpc.QUEUE_FORMAT(m_qft=4, m_SuffixAndFlags=0x80))
    assert [(violation.offset, violation.requirement) for violation in found] == [
        (0, "MQMQ-2.2.7-03"),
        (1, "MQMQ-2.2.7-02"),
    ]


@pytest.mark.requirement("MQRR-2.2.6-01")
def test_a_full_section_is_a_message_packet() -> None:
    data = mqrr.MessagePacket().encode()
    for size in (0, 2, len(data) - 1, len(data)):
        full, first = (
            rpc.SectionBuffer(SectionBufferType=kind, pSectionBuffer=data[:size], SectionSizeAlloc=size)
            for kind in (0, 1)
        )
        found = [violation.requirement for violation in mw.validate(full)]
        assert found == ([] if size == len(data) else ["MQRR-2.2.6-01"])
        assert mw.validate(first) == ()


@pytest.mark.requirement("MQRR-2.2.6-01")
@pytest.mark.parametrize("over_http", [False, True])
@pytest.mark.parametrize("size", [63, 64, 80])
def test_a_first_section_is_of_the_transport_of_its_type(over_http: bool, size: int) -> None:
    """The flags of a UserHeader end at byte 64; AH is bit 25 of them."""
    data = b"\xff" * 63 + bytes([0xFD + 2 * over_http]) + bytes(16)
    for kind in (1, 3):
        record = rpc.SectionBuffer(SectionBufferType=kind, pSectionBuffer=data[:size], SectionSizeAlloc=size)
        is_wrong = size > 63 and over_http != (kind == 3)
        violations = [(violation.requirement, violation.allowed[0]) for violation in mw.validate(record)]
        assert violations == [("MQRR-2.2.6-01", str(4 - kind))] * is_wrong


@pytest.mark.requirement("MQRR-2.2.6-02", "MQRR-2.2.6-03")
@pytest.mark.parametrize("kind", range(5))
@pytest.mark.parametrize("allocated", [1, 2, 3])
def test_only_a_first_section_is_part_of_more(kind: int, allocated: int) -> None:
    """A whole packet and a second section have the allocated size; a first section has that or less."""
    record = rpc.SectionBuffer(SectionBufferType=kind, pSectionBuffer=b"ab", SectionSizeAlloc=allocated)
    found = {violation.requirement for violation in mw.validate(record)}
    is_first = kind in {1, 3}
    assert ("MQRR-2.2.6-02" in found) == (not is_first and allocated != 2)
    assert ("MQRR-2.2.6-03" in found) == (is_first and allocated < 2)


@pytest.mark.requirement("MQMQ-2.2.7-16")
@pytest.mark.parametrize("text", [None, "", "no name;s"])
def test_a_subqueue_that_is_no_direct_name(text: str | None) -> None:
    found = mw.validate(rpc.QUEUE_FORMAT(m_qft=8, m_SuffixAndFlags=0x05, _union=text))
    assert "MQMQ-2.2.7-16" in {violation.requirement for violation in found}


NO_NAMES = (
    "",
    "OS:h",
    "OS:\\q",
    "OS:h\\",
    "OS:h\\a\\b",
    "FOO:h\\q",
    "TCP:10.0.0.256\\q",
    f"OS:h\\{'q' * 125}",
)


@pytest.mark.requirement("MQMQ-2.2.7-16", "MQMQ-2.2.7-17")
@pytest.mark.parametrize("text", [*NO_NAMES, "DIRECT=OS:h\\q", "PUBLIC=x", "OS:h\\SYSTEM$;JUNK"])
def test_what_is_no_direct_name(text: str) -> None:
    """The whole grammar counts, not the prefix alone; the place is that of the text."""
    direct = rpc.QUEUE_FORMAT(m_qft=3, _union=text)
    subqueue = rpc.QUEUE_FORMAT(m_qft=8, m_SuffixAndFlags=5, _union=f"{text};s")
    for name, requirement, arm in (
        (direct, "MQMQ-2.2.7-17", "m_pDirectID"),
        (subqueue, "MQMQ-2.2.7-16", "m_pDirectSubqueueID"),
    ):
        (violation,) = mw.validate(rpc.QUEUE_FORMAT.decode(name.encode()), "practice")
        assert (violation.requirement, violation.level) == (requirement, "must")
        assert (violation.path, violation.offset) == (f"QUEUE_FORMAT._union.{arm}", 24)


def test_names_by_the_sdk_and_by_version() -> None:
    """As in packets: M47, and the grammar of the version."""
    name = rpc.QUEUE_FORMAT(m_qft=3, _union="OS:h\\my queue")
    (violation,) = mw.validate(name, "practice")
    assert (violation.level, violation.erratum) == ("practice", "M47")
    assert mw.validate(name) == ()
    old = rpc.QUEUE_FORMAT(m_qft=3, _union="OS:h\\a+b")
    assert mw.validate(old) == mw.validate(old, profile="windows-nt-4.0") == ()
    (violation,) = mw.validate(old, profile="windows-7")
    assert (violation.requirement, violation.note) == ("MQMQ-2.2.7-17", "[MS-MQMQ] 2.1")
    later = rpc.QUEUE_FORMAT(m_qft=8, m_SuffixAndFlags=5, _union="OS:h\\q;s")
    assert mw.validate(later, profile="windows-vista") == ()
    assert "MQMQ-2.2.7-01" in {item.requirement for item in mw.validate(later, profile="windows-xp")}


def test_a_null_pointer_points_to_no_elements() -> None:
    value = rpc.PROPVARIANT(vt=0x1013, _varUnion=rpc.CAUL(cElems=2))
    (violation,) = mw.validate(rpc.PROPVARIANT.decode(value.encode()))
    assert (violation.requirement, violation.offset) == ("MQMQ-2.2.16.4-01", 12)
    assert violation.path == "PROPVARIANT._varUnion.caul.cElems"


def test_a_section_made_by_hand() -> None:
    """Omitted sizes follow from the bytes; a copy with fewer of them is a section that was cut."""
    section = rpc.SectionBuffer(pSectionBuffer=b"section")
    assert (section.SectionSizeAlloc, section.SectionSize, section.missing) == (7, 7, 0)
    assert not [one for one in mw.validate(section) if "Size" in one.path]
    cut = mw.replace(section, pSectionBuffer=b"sec")
    assert (cut.SectionSizeAlloc, cut.SectionSize, cut.missing) == (7, 3, 4)
    given = rpc.SectionBuffer(SectionSizeAlloc=0, SectionSize=5, pSectionBuffer=b"section")
    assert (given.SectionSizeAlloc, given.SectionSize) == (0, 5)
    assert rpc.SectionBuffer(SectionSize=5, pSectionBuffer=b"section").SectionSizeAlloc == 5


@pytest.mark.requirement("MQMQ-2.2.7-01", "MQMQ-2.2.7-18", "MQMQ-2.2.9-01", "MQMQ-2.2.9-02")
def test_every_cut_or_surplus_structure_of_a_call_has_a_requirement() -> None:
    pieces = [
        rpc.QUEUE_FORMAT(m_qft=1, _union=GUID_TEXT),
        rpc.QUEUE_FORMAT(m_qft=2, _union=mqmq.OBJECTID(Lineage=GUID_TEXT, Uniquifier=5)),
        rpc.QUEUE_FORMAT(m_qft=3, _union="OS:h\\q"),
        rpc.QUEUE_FORMAT(m_qft=6, _union=rpc.DL_ID(m_DlGuid=GUID_TEXT, m_pwzDomain="domain")),
        rpc.QUEUE_FORMAT(m_qft=7, _union=mqmq.MULTICAST_ID(m_address=1, m_port=2)),
        rpc.QUEUE_FORMAT(m_qft=8, _union="OS:h\\q;s"),
        rpc.DL_ID(m_DlGuid=GUID_TEXT, m_pwzDomain="domain"),
        *(rpc.PROPVARIANT.of(vt, value) for vt, value in ((0, None), (3, 1), (31, "text"), (72, GUID_TEXT))),
        *(rpc.PROPVARIANT.of(vt, value) for vt, value in ((65, b"ab"), (0x101F, ["a", "b"]), (0x1015, [1]))),
        rpc.SectionBuffer(pSectionBuffer=b"ab"),
    ]
    for record in pieces:
        data = record.encode()
        for part in [*(data[:size] for size in range(len(data))), data + bytes(1)]:
            with pytest.raises(mw.DecodeError) as caught:
                type(record).decode(part)
            assert caught.value.requirement, str(caught.value)


REFUSED = [
    ("QUEUE_FORMAT", "0900000009", "MQMQ-2.2.7-01"),
    ("QUEUE_FORMAT", "0100000004", "MQMQ-2.2.7-01"),
    ("QUEUE_FORMAT", "03000000 03000000 00000200 02000000 00000000 02000000 4100 4200", "MQMQ-2.2.7-17"),
    ("QUEUE_FORMAT", "08050000 08000000 00000200 01000000 00000000 02000000 4100 0000", "MQMQ-2.2.7-16"),
    ("QUEUE_FORMAT", "02000000 02000000" + "11" * 19, "MQMQ-2.2.7-15"),
    ("QUEUE_FORMAT", "01000000 01000000" + "11" * 15, "MQMQ-2.2.7-18"),
    ("QUEUE_FORMAT", "010000", "MQMQ-2.2.7-18"),
    ("DL_ID", "11" * 16 + "00000200 01000000 00000000 01000000 4100", "MQMQ-2.2.9-01"),
    ("DL_ID", "11" * 15, "MQMQ-2.2.9-02"),
    (
        "PROPVARIANT",
        "1f00000000000000 1f000000 00000200 01000000 00000000 02000000 4100 0000",
        "MQMQ-2.2.12-14",
    ),
]


@pytest.mark.requirement
@for_each(
    ("name", "data", "requirement"),
    lambda: [pytest.param(*row, marks=pytest.mark.requirement(row[2])) for row in REFUSED],
)
def test_refusals_of_calls_have_requirements(name: str, data: str, requirement: str) -> None:
    with pytest.raises(mw.DecodeError) as caught:
        getattr(rpc, name).decode(bytes.fromhex(data))
    assert caught.value.requirement == requirement


@pytest.mark.requirement("MQMQ-2.2.7-01")
def test_kinds_of_queues() -> None:
    for number in range(9):
        assert rpc.QUEUE_FORMAT(m_qft=number).m_qft == number
    with pytest.raises(mw.EncodeError):
        rpc.QUEUE_FORMAT(m_qft=9)
    with pytest.raises(mw.DecodeError):
        rpc.QUEUE_FORMAT.decode(bytes.fromhex("0900000009"))


@pytest.mark.requirement("MQMQ-2.2.7-15")
def test_private_queue_is_an_objectid() -> None:
    identifier = mqmq.OBJECTID(Lineage=GUID_TEXT, Uniquifier=5)
    assert (
        rpc.QUEUE_FORMAT.decode(rpc.QUEUE_FORMAT(m_qft=2, _union=identifier).encode()).m_oPrivateID
        == identifier
    )
    with pytest.raises(mw.EncodeError):
        rpc.QUEUE_FORMAT(m_qft=2, _union=GUID_TEXT)


def test_findings_within_and_their_offsets() -> None:
    bad = rpc.PROPVARIANT(vt=VARTYPE.VT_BOOL, _varUnion=2)
    vector = VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT
    record = rpc.PROPVARIANT(vt=vector, _varUnion=rpc.CAPROPVARIANT(pElems=[bad, bad]))
    found = mw.validate(record)
    assert [item.offset for item in found] == [34, 50]
    assert found[1].path == "PROPVARIANT._varUnion.capropvar.pElems[1]._varUnion.boolVal"
    few = mw.validate(record, limits=mw.Limits(violations=1))
    assert (len(few), few.left_out) == (1, 1)


# --------------------------------------------------------------------------------------------- sections


def http_message(body: bytes) -> mqrr.MessagePacket:
    message = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=HTTP://h/msmq/q"),
        SRMPEnvelopeHeader=mqrr.SRMPEnvelopeHeader(Data="<e/>"),
        CompoundMessageHeader=mqrr.CompoundMessageHeader(Data=body),
    )
    return mqrr.MessagePacket(UserMessage=message, ExtensionHeader=mqrr.ExtensionHeader())


def binary_message(body: bytes, **trailers: Any) -> mqrr.MessagePacket:
    message = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:h\\q"),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=body, Label="label"),
    )
    return mqrr.MessagePacket(UserMessage=message, **trailers)


@pytest.mark.parametrize("make", [binary_message, http_message])
@pytest.mark.parametrize("most", [0, 1, 9, 18])
def test_two_sections_are_one_message(make: Any, most: int) -> None:
    body = b"nineteen bytes here"
    packet = make(body) if make is http_message else make(body, ExtensionHeader=mqrr.ExtensionHeader())
    head = 16 if make is http_message else 0
    sections = rpc.split_message(packet, most, most + head)
    first, second = sections
    assert first.section_type in {mqrr.SectionType.stBinaryFirstSection, mqrr.SectionType.stSrmpFirstSection}
    assert second.SectionBufferType == first.SectionBufferType + 1
    data = b"\0\0" + rpc.encode_sections(sections, offset=2)
    back, end = rpc.decode_sections(data, offset=2)
    assert (back, end) == (sections, len(data))
    assert all(mw.validate(section) == () for section in back)
    read = rpc.join_sections(back)
    assert read.missing == len(body) - most
    assert read.body == body[:most]
    assert read.packet.ExtensionHeader == packet.ExtensionHeader
    assert len(read.packet.encode()) == len(packet.encode())


@pytest.mark.parametrize("make", [binary_message, http_message])
def test_the_limit_of_a_message_in_sections(make: Any) -> None:
    """What is missing of the body counts, too."""
    packet = make(b"nineteen bytes here")
    sections = rpc.split_message(packet, 9, 25)
    whole = sections[0].SectionSizeAlloc
    assert rpc.join_sections(sections, limits=mw.Limits(packet_size=whole + -whole % 4)).missing
    with pytest.raises(mw.DecodeError) as caught:
        rpc.join_sections(sections, limits=mw.Limits(packet_size=whole - 1))
    assert (caught.value.path, caught.value.offset) == ("SectionBuffer[0].SectionSizeAlloc", 0)
    assert (caught.value.actual, caught.value.limit) == (whole, "Limits.packet_size")


SECURED = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=bytes(range(12))))
TRANSACTED = mqmq.TransactionHeader(TxSequenceID=mqmq.TxSequenceID(1, 2))


@pytest.mark.parametrize("most", [0, 5])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"TransactionHeader": TRANSACTED},
        {"SecurityHeader": SECURED},
        {"TransactionHeader": TRANSACTED, "SecurityHeader": SECURED},
        {"MessagePropertiesHeader": mqmq.MessagePropertiesHeader(Label="label", MessageBody=b"body")},
        {"DebugHeader": mqmq.DebugHeader(QueueIdentifier=GUID_TEXT)},
    ],
    ids=lambda headers: "+".join(headers) or "none",
)
@pytest.mark.parametrize("make", [binary_message, http_message])
def test_first_section_ends_in_the_body(make: Any, headers: dict[str, Any], most: int) -> None:
    """Whatever headers stand before the body, the first section has so many bytes of it."""
    marked = b"<these bytes are nowhere else..>"
    if make is binary_message:
        headers = {
            name: value for name, value in headers.items() if not name.startswith(("Message", "Debug"))
        }
    packet = make(marked)
    packet = msgspec.structs.replace(
        packet, UserMessage=msgspec.structs.replace(packet.UserMessage, **headers)
    )
    first = rpc.split_message(packet, most, most)[0]
    start = packet.encode().index(marked)
    if make is http_message:
        start -= 16
    assert first.pSectionBuffer == packet.encode()[: start + most]
    assert first.SectionSizeAlloc == start + len(marked) + (16 if make is http_message else 0)


def test_nothing_of_an_http_message_is_returned_unless_it_is_asked_for() -> None:
    packet = http_message(b"nineteen bytes here")
    assert rpc.split_message(packet, 9) == rpc.split_message(packet, 9, 0)


def test_first_section_alone() -> None:
    packet = binary_message(b"0123456789")
    with pytest.raises(ValueError, match=r"^max_body is -1, which is not a count$"):
        rpc.split_message(packet, -1)
    with pytest.raises(ValueError, match=r"^max_compound is -2, which is not a count$"):
        rpc.split_message(packet, 1, -2)
    (first,) = rpc.split_message(packet, 4)
    read = rpc.join_sections([first])
    assert (read.missing, read.body) == (6, b"0123")
    assert read.packet.UserMessage.MessagePropertiesHeader.MessageBody == b"0123" + bytes(6)


def _refused(*sections: rpc.SectionBuffer) -> mw.DecodeError:
    with pytest.raises(mw.DecodeError) as caught:
        rpc.join_sections(sections)
    return caught.value


@pytest.mark.parametrize("make", [binary_message, http_message])
def test_a_first_section_that_ends_before_the_body(make: Any) -> None:
    """Then the packet does not say where its body ends, and zeros would become headers."""
    first = rpc.split_message(make(b"0123456789"), 0, 16)[0]
    data = first.pSectionBuffer
    assert data is not None
    assert rpc.join_sections([first]).missing == 10
    for size in range(len(data)):
        cut = msgspec.structs.replace(first, SectionSize=size, pSectionBuffer=data[:size])
        error = _refused(cut)
        assert error.path == "SectionBuffer[0].pSectionBuffer"
        assert error.problem.startswith("expected a section that reaches ")
        assert error.actual == f"{size} byte{'' if size == 1 else 's'}"


@pytest.mark.parametrize("make", [binary_message, http_message])
def test_a_section_that_contradicts_the_sizes_in_the_packet(make: Any) -> None:
    """Of 10 bytes, two more may be counted: whether the padding belongs to the section is not said."""
    packet = make(b"0123456789")
    packet = msgspec.structs.replace(packet, ExtensionHeader=mqrr.ExtensionHeader())
    first, second = rpc.split_message(packet, 4, 20)
    whole = packet.encode().index(b"0123456789") + 10
    for size in range(first.SectionSize, whole + 6):
        changed = msgspec.structs.replace(first, SectionSizeAlloc=size)
        if size in {whole, whole + 2}:
            read = rpc.join_sections((changed, second))
            assert (read.body, read.missing) == (b"0123", 6)
            assert read.packet.ExtensionHeader == packet.ExtensionHeader
        else:
            error = _refused(changed, second)
            assert (error.source_path, error.expected) == ("SectionBuffer[0].SectionSizeAlloc", whole)


def test_a_section_that_contradicts_itself() -> None:
    """Its size is that of its bytes, which a null pointer does not have."""
    first, second = rpc.split_message(binary_message(b"0123", ExtensionHeader=mqrr.ExtensionHeader()), 1)
    lost = msgspec.structs.replace(second, pSectionBuffer=None)
    sections = rpc.decode_sections(rpc.encode_sections((first, lost)))[0]
    error = _refused(*sections)
    assert (error.path, error.expected, error.actual) == ("SectionBuffer[1].SectionSize", 0, 12)


def test_a_section_behind_a_whole_packet() -> None:
    whole = rpc.split_message(binary_message(b"0123"), 9)[0]
    assert "expected no more section" in _refused(whole, whole).problem


def test_sections_in_another_order() -> None:
    first, second = rpc.split_message(http_message(b"nineteen bytes here"), 9, 25)
    for sections, index in (((), 0), ((second, first), 0), ((first, first), 1), ((first, second, second), 2)):
        with pytest.raises(mw.DecodeError) as caught:
            rpc.join_sections(sections)
        assert caught.value.path == f"SectionBuffer[{index}].SectionBufferType"
        follows = [mqrr.SectionType.stSrmpSecondSection] if index == 1 else []
        assert caught.value.expected == (follows if index else "a whole packet or its first section")
        assert caught.value.actual == (sections[index].SectionBufferType if sections else None)


@given(packet=message_packets(), most=st.integers(0, 300))
def test_sections_of_any_message(packet: mqrr.MessagePacket, most: int) -> None:
    if packet.UserMessage.CompoundMessageHeader is not None:
        most += 16  # a header that is cut off itself says no sizes
    sections = rpc.split_message(packet, most, most)
    assert all(mw.validate(section) == () for section in sections)
    read = rpc.join_sections(sections)
    assert len(read.packet.encode()) == len(packet.encode())
    if not read.missing:
        assert read.packet.UserMessage.BaseHeader == packet.UserMessage.BaseHeader
    if len(sections) == 1 and sections[0].SectionBufferType == mqrr.SectionType.stFullPacket:
        assert read.packet == packet


def test_no_sections() -> None:
    assert rpc.decode_sections(bytes(4)) == ((), 4)
    assert rpc.encode_sections(()) == bytes(4)
    with pytest.raises(mw.DecodeError, match="expected a whole packet or its first section, found none"):
        rpc.join_sections(())


def test_sections_that_are_not_of_one_message() -> None:
    first, second = rpc.split_message(binary_message(b"0123", ExtensionHeader=mqrr.ExtensionHeader()), 1)
    whole = rpc.split_message(binary_message(b"0123"), 9)[0]
    other = rpc.SectionBuffer(SectionBufferType=4, SectionSizeAlloc=0, pSectionBuffer=b"")
    for wrong in (
        [second],
        [second, first],
        [first, first],
        [whole, second],
        [first, second, second],
        [first, other],
    ):
        with pytest.raises(mw.DecodeError) as caught:
            rpc.join_sections(wrong)
        assert caught.value.path.endswith("SectionBufferType")
    short = rpc.SectionBuffer(SectionBufferType=1, SectionSizeAlloc=3, pSectionBuffer=bytes(8))
    with pytest.raises(mw.DecodeError, match="expected a size of 8 bytes, found 3"):
        rpc.join_sections([short])
    huge = rpc.SectionBuffer(SectionBufferType=1, SectionSizeAlloc=0xFFFFFFFF, pSectionBuffer=b"")
    with pytest.raises(mw.DecodeError, match="packet size"):
        rpc.join_sections([huge])


# ------------------------------------------------------------------------------------- least alignments


def test_arrays_of_structures_stand_where_their_largest_number_may() -> None:
    """Elements are aligned, so that a number of 64 bits in the second one is, too."""
    union = structures()["PROPVARIANT"].fields[-1].type
    assert isinstance(union, Union)
    pointer = structures()["CAPROPVARIANT"].fields[-1].type
    assert pointer == Pointer(Array(Embedded("PROPVARIANT"), "cElems"))
    values = [mw.PropertyValue(int(VARTYPE.VT_UI1), 1), mw.PropertyValue(int(VARTYPE.VT_UI8), 2)]
    raw = rpc.PROPVARIANT.of(VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT, values).encode()
    assert raw.index(bytes.fromhex("1500000000000000")) == 40
    assert raw.index(bytes.fromhex("0200000000000000"), 48) == 56


# ----------------------------------------------------------------------------------------------- memory

EMPTY = rpc.PROPVARIANT()
MANY: dict[str, Any] = {
    "values": [EMPTY] * 1000,
    "texts": [rpc.PROPVARIANT(vt=VARTYPE.VT_LPWSTR, _varUnion="")] * 1000,
    "no bytes": [rpc.PROPVARIANT(vt=VARTYPE.VT_BLOB, _varUnion=rpc.BLOB())] * 1000,
}


@pytest.mark.long
@for_each("name", lambda: [*MANY, "numbers", "names", "nothing"])
def test_memory(name: str) -> None:
    """What is read takes fifteen times its octets at most, while it is read, too."""
    if name in MANY:
        vector = VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT
        record = rpc.PROPVARIANT(vt=vector, _varUnion=rpc.CAPROPVARIANT(pElems=MANY[name]))
    elif name == "numbers":
        record = rpc.PROPVARIANT.of(VARTYPE.VT_VECTOR | VARTYPE.VT_UI4, [70_000] * 1_000)
    else:
        texts = [None if name == "nothing" else ""] * 2_000
        held = rpc.CALPWSTR(pElems=texts)
        record = rpc.PROPVARIANT(vt=VARTYPE.VT_VECTOR | VARTYPE.VT_LPWSTR, _varUnion=held)
    raw = record.encode()
    rpc.PROPVARIANT.decode(raw)
    tracemalloc.start()
    try:
        assert rpc.PROPVARIANT.decode(raw) is not None
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 15 * len(raw)


def test_no_octets_cost_more_than_their_count() -> None:
    """Twice the octets, twice the work; a count alone costs nothing."""

    def work(count: int) -> int:
        vector = VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT
        held = rpc.CAPROPVARIANT(pElems=[EMPTY] * count)
        raw = rpc.PROPVARIANT(vt=vector, _varUnion=held).encode()
        return events(rpc.PROPVARIANT.decode, raw)

    work(10)
    assert work(400) <= 2.2 * work(200)
    claim = bytes.fromhex("0c10000000000000" + "0c100000" + "ffffff0f" + "00000200" + "ffffff0f")
    with pytest.raises(mw.DecodeError, match="expected a count of at most"):
        rpc.PROPVARIANT.decode(claim)


@pytest.mark.parametrize(
    "value",
    [
        rpc.PROPVARIANT.of(VARTYPE.VT_BOOL, True),
        rpc.PROPVARIANT.of(VARTYPE.VT_BOOL, False),
        rpc.PROPVARIANT.of(VARTYPE.VT_UI4, 7),
    ],
)
def test_truth_values_and_none(value: Any) -> None:
    """Both are permitted, and nothing is said of a variant that has none."""
    assert mw.validate(value) == ()


@given(st.data())
def test_what_is_left_of_damaged_structures(data: st.DataObject) -> None:
    """Whatever the bytes, `decode_lax` agrees with `decode`, and has the fields that precede the error."""
    kind = getattr(rpc, data.draw(st.sampled_from(NAMES())))
    record = data.draw(calls(kind))
    raw = bytearray(record.encode())
    whole = mw.decode_lax(bytes(raw) + b"more", kind)
    assert (whole.packet, whole.rest, whole.error) == (record, b"more", None)
    assert mw.to_dict(whole) == mw.to_dict(record)
    if data.draw(st.booleans()) and raw:
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    raw = raw[: data.draw(st.integers(0, len(raw)))]
    found = mw.decode_lax(raw, kind.__name__)
    if found.error is None:
        expected, end = rpc.decode(kind, raw)
        assert (found.packet, found.rest) == (expected, bytes(raw[end:]))
        return
    with pytest.raises(mw.DecodeError, match=re.escape(str(found.error))):
        rpc.decode(kind, raw)
    assert found.packet is None
    assert found.reached is not None
    assert found.reached.path not in found.fields
    assert bytes(raw).endswith(found.rest)
    json.dumps(mw.to_dict(found))


def test_the_fields_before_a_cut() -> None:
    raw = rpc.QUEUE_FORMAT.of(r"DIRECT=OS:s\q").encode()[:15]
    found = mw.decode_lax(raw, rpc.QUEUE_FORMAT)
    assert found.fields == {"m_qft": 3, "m_SuffixAndFlags": 0, "m_reserved": 0}
    assert found.reached == ("_union.m_pDirectID", 12)
    assert found.rest == raw[12:]


def test_a_type_without_a_property_value() -> None:
    assert mw.decode_lax(b"\1\0", "PropertyValue", vt=18).packet == mw.PropertyValue(18, 1)
    with pytest.raises(mw.MsmqWireError, match="kind is not PropertyValue"):
        mw.decode_lax(b"", vt=18)  # type: ignore[call-overload]  # it is the error


IDENTIFIER = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")


@pytest.mark.parametrize(
    ("octets", "expected"),
    [
        (
            struct.pack(">BBHB3x16sI", 2, 0, 0, 2, IDENTIFIER.bytes, 0x1A),
            rpc.QUEUE_FORMAT.of(f"PRIVATE={IDENTIFIER}\\0000001a"),
        ),
        (
            struct.pack(">BBHB3xII", 7, 0, 0, 7, 0xE1020304, 1234),
            rpc.QUEUE_FORMAT(m_qft=7, _union=mqmq.MULTICAST_ID(0xE1020304, 1234)),
        ),
        (struct.pack(">IIIHHH", 3, 0x20000, 3, 1, 0x100, 0xFFFE), rpc.CAUI(pElems=(1, 0x100, 0xFFFE))),
        (
            struct.pack(">III16s16s", 2, 0x20000, 2, IDENTIFIER.bytes, bytes(16)),
            rpc.CACLSID(pElems=(mw.GUID.of(IDENTIFIER), mw.GUID(bytes(16)))),
        ),
        (struct.pack(">III3s", 3, 0x20000, 3, b"abc"), rpc.BLOB(pBlobData=b"abc")),
    ],
)
def test_big_endian_numbers(octets: bytes, expected: Any) -> None:
    """Each number is in the other order; texts of bytes are not ([C706] 14.2)."""
    reader = Reader(octets, 0, DEFAULT_LIMITS, ms_union=False, is_big=True)
    assert reader.read(type(expected).__name__) == type(expected).decode(expected.encode())
    assert reader.pos == len(octets)
