"""Property values: every variant type both ways, natural values, values cut short, what properties mean."""

from __future__ import annotations

import copy
import datetime as dt
import operator
import pickle
import re
import uuid
from decimal import Decimal, localcontext
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_directory import VARIANTS, facts, values, values_of
from support_rows import for_each

from msmq_wire import GUID, DecodeError, EncodeError, MsmqWireError, mqdsrp, mqmq
from msmq_wire.definitions.properties import VARTYPE, ObjectClass
from msmq_wire.documents.directory_properties import Properties, body_value, interpret, pack
from msmq_wire.values.body_types import BODY_TYPES
from msmq_wire.values.properties.values import (
    MAX_DEPTH,
    READERS,
    PackedVector,
    PropertyValue,
    register_type,
    type_of,
    unregister_type,
)
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

VECTOR = int(VARTYPE.VT_VECTOR)
ID = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
ID_BYTES = "33221100554477668899aabbccddeeff"
MOMENT = dt.datetime(2001, 9, 9, 1, 46, 40, tzinfo=dt.UTC)
ONE_BILLION = 1_000_000_000
PRIVATE = 0x7000_0001

# Variant type, natural value, bytes: by hand from [MS-MQCN] 2.2.3.1 to 2.2.3.15.
PAGE: list[tuple[int, Any, str]] = [
    (2, -2, "feff"),
    (3, -2, "feffffff"),
    (11, True, "ffff"),
    (11, False, "0000"),
    (16, -2, "fe"),
    (17, 254, "fe"),
    (18, 0x1234, "3412"),
    (19, 0x12345678, "78563412"),
    (20, -2, "feffffffffffffff"),
    (21, 0x0102030405060708, "0807060504030201"),
    (31, "aé", "6100e9000000"),
    (31, "", "0000"),
    (65, b"\1\2\3", "03000000010203"),
    (72, ID, ID_BYTES),
    (0x1013, (1, 2), "020000000100000002000000"),
    (0x1048, (ID,), "01000000" + ID_BYTES),
    (0x101F, ("a", "", "b"), "03000000610000000000 62000000"),
]
# The other types, built in the same way.
BEYOND: list[tuple[int, Any, str]] = [
    (0, None, ""),
    (1, None, ""),
    (8, "a", "61000000"),
    (0x1011, b"\1\2", "020000000102"),
    (0x1010, (-1, 1), "02000000ff01"),
    (0x1002, (-2,), "01000000feff"),
    (0x1012, (), "00000000"),
    (0x1003, (-2,), "01000000feffffff"),
    (0x1014, (-1,), "01000000ffffffffffffffff"),
    (0x1015, (1,), "010000000100000000000000"),
    (0x100B, (True, False), "02000000ffff0000"),
    (0x1008, ("a",), "0100000061000000"),
    (0x1041, (b"", b"\7"), "02000000 00000000 01000000 07"),
    (0x100C, (), "00000000"),
]


@for_each(("vt", "natural", "octets"), lambda: PAGE + BEYOND)
def test_forms(vt: int, natural: Any, octets: str) -> None:
    data = bytes.fromhex(octets)
    made = PropertyValue.of(vt, natural)
    assert made.encode() == data
    assert PropertyValue.decode(vt, bytearray(data)) == made
    assert made.natural == natural
    assert type(made.natural) is type(natural)
    assert PropertyValue.of(vt, made.value) == made


def test_every_type_has_a_case() -> None:
    assert {vt for vt, _, _ in PAGE + BEYOND} == READERS.keys()


def test_variants() -> None:
    inner = (PropertyValue(2, 1), PropertyValue(31, "a"), PropertyValue(0, None), PropertyValue(VARIANTS, ()))
    data = bytes.fromhex("04000000 0200 0100 1f00 61000000 0000 0c10 00000000")
    made = PropertyValue.of(VARIANTS, list(inner))
    assert made.encode() == data
    assert PropertyValue.decode(VARIANTS, data) == made
    assert made.natural == (1, "a", None, ())
    assert PropertyValue.of(VARIANTS, made.value) == made
    with pytest.raises(EncodeError, match="not a PropertyValue, so its type is unknown"):
        PropertyValue.of(VARIANTS, made.natural)


@given(values())
def test_values_round_trip(value: PropertyValue) -> None:
    data = value.encode()
    assert PropertyValue.decode(value.vt, data) == value
    assert PropertyValue.of(
        value.vt, value.natural if value.vt != VARIANTS else value.value
    ).encode() == data or (value.vt & ~VECTOR == VARTYPE.VT_BOOL)


SHORT_TEXTS = st.builds(PropertyValue, st.sampled_from([8, 31]), st.text(min_size=1, max_size=4).filter(
    lambda text: "\0" not in text
))  # fmt: skip


@given(values() | SHORT_TEXTS, values())
def test_nobody_can_tell_what_was_read_from_what_was_made(value: PropertyValue, other: PropertyValue) -> None:
    """However a value is kept in memory."""
    seen = PropertyValue.decode(value.vt, value.encode())
    for one, two in ((seen, value), (value, seen), (seen, PropertyValue.decode(value.vt, value.encode()))):
        assert one == two
        assert operator.ne(one, two) is False
        assert hash(one) == hash(two)
        assert repr(one) == repr(two)
    assert (seen == other) == (other == seen) == (value == other)
    assert seen != value.value
    assert (seen.vt, seen.value, seen.natural) == (value.vt, value.value, value.natural)
    assert type(seen.value) is type(value.value)
    assert isinstance(seen, PropertyValue)
    for again in (pickle.loads(pickle.dumps(seen)), copy.copy(seen), copy.deepcopy(seen)):  # noqa: S301  # our own
        assert again == seen == value
        assert again.encode() == value.encode()
    match seen:
        case PropertyValue(vt, inner):
            assert (vt, inner) == (value.vt, value.value)
    assert PropertyValue(seen.vt, seen.value) == seen


def test_equal_bytes_of_other_types_are_other_values() -> None:
    one, two = (PropertyValue.decode(vt | VECTOR, b"\1\0\0\0\1\0") for vt in (2, 18))
    assert one != two
    assert (one.value, two.value) == ((1,), (1,))
    assert PropertyValue.decode(31, b"\x41\1\0\0") != PropertyValue.decode(8, b"\x41\1\0\0")


def test_a_vector_says_its_length_without_its_elements() -> None:
    vector = PropertyValue.decode(31 | VECTOR, b"\2\0\0\0a\0\0\0\0\0")
    assert isinstance(vector, PackedVector)
    assert (vector.count, vector.value) == (2, ("a", ""))


@given(values())
def test_every_prefix_is_refused(value: PropertyValue) -> None:
    data = value.encode()
    for end in range(len(data)):
        with pytest.raises(DecodeError) as caught:
            PropertyValue.decode(value.vt, data[:end])
        assert caught.value.structure == caught.value.path == "PropertyValue"
        assert 0 <= caught.value.offset <= end
    with pytest.raises(DecodeError, match="1 byte left over"):
        PropertyValue.decode(value.vt, data + b"\7")


@given(st.sampled_from(sorted(READERS)), st.binary(max_size=40))
def test_any_bytes(vt: int, data: bytes) -> None:
    try:
        value = PropertyValue.decode(vt, data)
    except DecodeError:
        return
    assert value.encode() == data


@pytest.mark.parametrize(
    ("vt", "octets", "problem", "expected", "actual"),
    [
        (19, "010203", "expected 4 bytes, found 3", 4, 3),
        (72, "0102", "expected 16 bytes, found 2", 16, 2),
        (
            31,
            "6100",
            "expected a terminator at the end, found 2 bytes without one",
            "a WCHAR 0x0000",
            "2 bytes without one",
        ),
        (65, "010000", "expected 4 bytes for its count, found 3", 4, 3),
        (
            65,
            "ffffffff00",
            "expected elements that fit 1 byte, found a count of 4294967295",
            "at most 1 byte",
            0xFFFFFFFF,
        ),
        (
            0x1048,
            "ffffffff00",
            "expected elements that fit 1 byte, found a count of 4294967295",
            "at most 1 byte",
            0xFFFFFFFF,
        ),
        (
            5,
            "",
            "expected a variant type of [MS-MQMQ] 2.2.12, found 0x5",
            "a variant type of [MS-MQMQ] 2.2.12",
            5,
        ),
    ],
)
def test_errors_say_what_is_wrong(
    vt: int, octets: str, problem: str, expected: object, actual: object
) -> None:
    with pytest.raises(DecodeError) as caught:
        PropertyValue.decode(vt, bytes.fromhex(octets))
    assert facts(caught.value) == (problem, "PropertyValue", "PropertyValue", 0, expected, actual, "buffer")
    blamed = "PropertyValue" if "a count of" in problem else None  # only a count that is there can lie
    assert caught.value.source_path == blamed


@for_each("vt", lambda: sorted(vt for vt in READERS if vt & VECTOR or vt == VARTYPE.VT_BLOB))
def test_counts_are_held_against_the_bytes(vt: int) -> None:
    with pytest.raises(DecodeError):
        PropertyValue.decode(vt, b"\xff\xff\xff\xff" + bytes(96))


@pytest.mark.parametrize(
    "octets", ["01000000", "01000000 00", "01000000 0500 00000000", "01000000 0300 000000"]
)
def test_elements_that_cannot_be_read(octets: str) -> None:
    with pytest.raises(DecodeError):
        PropertyValue.decode(VARIANTS, bytes.fromhex(octets))


def test_depth_is_bounded() -> None:
    one = b"\1\0\0\0\x0c\x10"
    deepest = one * (MAX_DEPTH - 1) + bytes(4)
    value = PropertyValue.decode(VARIANTS, deepest)
    assert value.encode() == deepest
    with pytest.raises(DecodeError):
        PropertyValue.decode(VARIANTS, one * MAX_DEPTH + bytes(4))
    with pytest.raises(EncodeError, match=f"is nested within {MAX_DEPTH} other vectors"):
        PropertyValue(VARIANTS, (value,)).encode()
    with pytest.raises(DecodeError):
        PropertyValue.decode(VARIANTS, one * 100_000 + bytes(4))


@pytest.mark.parametrize(
    ("vt", "value"),
    [
        (2, 0x8000),
        (19, -1),
        (19, 1.5),
        (19, "1"),
        (19, None),
        (11, 0x10000),
        (31, 5),
        (31, "a\0b"),
        (8, "\0"),
        (65, "text"),
        (65, 5),
        (65, [256]),
        (72, "no GUID"),
        (72, GUID(b"short")),
        (0, 1),
        (0x101F, "abc"),
        (0x101F, 5),
        (0x1013, "12"),
        (0x1013, (1, "2")),
        (VARIANTS, (1,)),
        (VARIANTS, 5),
        (19, dt.datetime(2001, 9, 9)),  # noqa: DTZ001  # that is what is refused
    ],
)
def test_values_that_do_not_fit(vt: int, value: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        PropertyValue.of(vt, value)
    assert caught.value.structure == "PropertyValue"
    assert caught.value.path == "PropertyValue.value"
    assert caught.value.expected in {
        f"variant type {vt:#x}",
        f"variant type {vt & ~VECTOR:#x}",
        "variant type 0x1f",
    }


@pytest.mark.parametrize("vt", [5, 0x1001])
def test_numbers_that_are_no_type(vt: int) -> None:
    """The number is at fault, not the value: it may have been given in place of the value."""
    with pytest.raises(EncodeError, match=rf"^expected a variant type .*, got {vt} - at `PropertyValue.vt`$"):
        PropertyValue.of(vt, ())


@pytest.mark.parametrize(
    ("vt", "value", "said"),
    [
        (3, "x", "an integer from -2147483648 to 2147483647 for VT_I4, got 'x'"),
        (18, 1 << 16, "an integer from 0 to 65535 for VT_UI2, got 65536"),
        (0x1013, [1, -1], "an integer from 0 to 4294967295 for VT_UI4, got -1"),
        (31, 5, "text for VT_LPWSTR, got 5"),
        (0x101F, "abc", "a sequence for VT_LPWSTR | VT_VECTOR, got 'abc'"),
        (65, "abc", "bytes for VT_BLOB, got 'abc'"),
        (0x1011, 5, "bytes for VT_UI1 | VT_VECTOR, got 5"),
        (72, b"12", "a GUID for VT_CLSID, got b'12'"),
        (1, 0, "None for VT_NULL, got 0"),
    ],
)
def test_errors_say_what_a_type_takes(vt: int, value: Any, said: str) -> None:
    with pytest.raises(EncodeError, match=f"^{re.escape(f'expected {said} - at `PropertyValue.value`')}$"):
        PropertyValue.of(vt, value)


def test_null_characters_are_named() -> None:
    with pytest.raises(EncodeError, match="expected text without null characters, got one at 1"):
        PropertyValue.of(31, "a\0b")


def test_two_halves_are_one_character() -> None:
    made = PropertyValue.of(31, "\ud83d\ude00")
    assert made.value == "\U0001f600"
    assert PropertyValue.decode(31, made.encode()) == made


@pytest.mark.parametrize(
    ("value", "raw"),
    [
        (bytearray(b"ab"), b"ab"),
        (memoryview(b"ab"), b"ab"),
        ([1, 2], b"\1\2"),
        ((), b""),
        (SEQUENCE_NUMBER.of(1), b"\0\0\0\0\0\0\0\1"),
        (mqmq.TA_ADDRESS(AddressType=1, Address=b"\1\2\3\4"), b"\4\0\1\0\1\2\3\4"),
        ([mqmq.TA_ADDRESS(AddressType=1, Address=b"\1\2\3\4")] * 2, b"\4\0\1\0\1\2\3\4" * 2),
    ],
)
def test_blobs_are_made_of(value: Any, raw: bytes) -> None:
    made = PropertyValue.of(65, value)
    assert made.value == raw
    assert type(made.value) is bytes


def test_moments_become_seconds() -> None:
    assert PropertyValue.of(3, MOMENT).value == ONE_BILLION
    west = MOMENT.astimezone(dt.timezone(dt.timedelta(hours=-3)))
    assert PropertyValue.of(20, west).value == ONE_BILLION
    assert PropertyValue.of(19, True).value == 1
    assert type(PropertyValue.of(19, True).value) is int


# ------------------------------------------------------------------------------------- registered types


def test_private_types() -> None:
    assert type_of(PRIVATE) is None
    data = mqdsrp.DirectoryChange(
        PathName="a", PropertyID=[PRIVATE], PropertyValue=[PropertyValue(0x1013, (1, 2))]
    ).encode()
    with pytest.raises(DecodeError) as caught:
        mqdsrp.DirectoryChange.decode(data)
    assert str(PRIVATE) in caught.value.problem
    assert caught.value.path == "DirectoryChange.PropertyID[0]"
    register_type(PRIVATE, 0x1013)
    try:
        assert type_of(PRIVATE) == 0x1013
        change = mqdsrp.DirectoryChange.decode(data)
        assert dict(change.properties) == {PRIVATE: (1, 2)}
        assert change.properties[PRIVATE] == (1, 2)
    finally:
        unregister_type(PRIVATE)
    assert type_of(PRIVATE) is None
    unregister_type(PRIVATE)
    unregister_type(108)
    assert type_of(108) == VARTYPE.VT_LPWSTR


@pytest.mark.parametrize("vt", [-1, 5, 70_000, 0x1005, 0xFFFF])
def test_numbers_that_are_no_variant_types(vt: int) -> None:
    """Whatever the value is, the type is what is wrong."""
    for value in (1, "text", (1, 2), None):
        with pytest.raises(EncodeError, match=f"expected a variant type .*, got {vt}") as caught:
            PropertyValue.of(vt, value)
        assert caught.value.path == "PropertyValue.vt"


def test_published_types_stay() -> None:
    register_type(108, 31)
    with pytest.raises(MsmqWireError, match="published with type 0x1f"):
        register_type(108, 19)
    with pytest.raises(MsmqWireError, match="0x5 has no form"):
        register_type(PRIVATE, 5)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("x", 0x13), "identifier: expected a number, got str"),
        (([], 0x13), "identifier: expected a number, got list"),
        ((-1, 0x13), "identifier is -1, not 0 to 0xFFFFFFFF"),
        ((1 << 32, 0x13), "identifier is 4294967296, not 0 to 0xFFFFFFFF"),
        ((PRIVATE, "x"), "vartype: expected the number of a variant type, got str"),
        ((PRIVATE, None), "vartype: expected the number of a variant type, got NoneType"),
    ],
)
def test_types_that_cannot_be_registered(arguments: tuple[Any, Any], problem: str) -> None:
    """All decoders of the process would meet them."""
    with pytest.raises(MsmqWireError) as caught:
        register_type(*arguments)
    assert str(caught.value) == problem
    assert type_of(PRIVATE) is None


# --------------------------------------------------------------------------------- what properties mean

KEYS = mqmq.MQDSPUBLICKEYS()
CERTIFICATES = mqmq.MQUSERSIGNCERTS(Certificates=[mqmq.MQUSERSIGNCERT(Certificate=b"cert")])
ADDRESSES = (
    mqmq.TA_ADDRESS(AddressType=1, Address=b"\1\2\3\4"),
    mqmq.TA_ADDRESS(AddressType=5, Address=bytes(16)),
)
MEANINGS: dict[str, Any] = {
    "PROPID_Q_INSTANCE": ID,
    "PROPID_Q_LABEL": "label",
    "PROPID_Q_CREATE_TIME": MOMENT,
    "PROPID_Q_TRANSACTION": True,
    "PROPID_Q_QUOTA": 5,
    "PROPID_Q_SEQNUM": SEQUENCE_NUMBER.of(7),
    "PROPID_Q_SECURITY": b"descriptor",
    "PROPID_QM_ADDRESS": ADDRESSES,
    "PROPID_QM_CNS": (ID, ID),
    "PROPID_QM_SIGN_PKS": KEYS,
    "PROPID_U_SIGN_CERT": CERTIFICATES,
    "PROPID_D_OBJTYPE": ObjectClass.QUEUE,
}


def test_meanings_both_ways() -> None:
    found = Properties(*pack(MEANINGS))
    assert dict(found) == MEANINGS
    assert len(found) == len(MEANINGS)
    assert type(found["PROPID_Q_TRANSACTION"]) is bool
    assert isinstance(found["PROPID_D_OBJTYPE"], ObjectClass)
    assert found[108] == "label"
    assert found.raw("PROPID_Q_TRANSACTION") == PropertyValue(17, 1)
    assert 109 in found
    assert repr(Properties([105], [PropertyValue(19, 5)])) == "Properties({'PROPID_Q_QUOTA': 5})"


@pytest.mark.parametrize(
    "key", ["PROPID_Q_TYPE", "PROPID_X", "PROPID_MGMT_MSMQ_ACTIVEQUEUES", 1, 102, None, 1.5, 105.0, [105]]
)
def test_properties_that_are_not_there(key: Any) -> None:
    found = Properties(*pack(MEANINGS))
    assert key not in found
    with pytest.raises(KeyError):
        found[key]
    with pytest.raises(KeyError):
        found.raw(key)


def test_first_of_two_counts() -> None:
    assert dict(Properties([105, 105], [PropertyValue(19, 1), PropertyValue(19, 2)])) == {"PROPID_Q_QUOTA": 1}


def test_short_numbers_of_a_list_that_is_read_often() -> None:
    """PROPID_Q_BASEPRIORITY is a VT_I2 ([MS-MQMQ] 2.3.1.6): two bytes with a sign, each time."""
    change = mqdsrp.DirectoryChange(PathName="a", PropertyID=(106,), PropertyValue=(0,)).encode()
    borders = (-0x8000, -0x1235, -257, -256, -6, -5, -1, 0, 255, 256, 257, 258, 511, 512, 513, 0x1234, 0x7FFF)
    for number in borders * 9:
        data = change[:-2] + number.to_bytes(2, "little", signed=True)
        assert mqdsrp.DirectoryChange.decode(data).PropertyValue == (PropertyValue(2, number),)


def test_a_property_has_both_a_number_and_a_value() -> None:
    """Of a change whose arrays differ in length, what has no partner is no property."""
    values = [PropertyValue(19, 1), PropertyValue(31, "label")]
    assert dict(Properties([105], values)) == {"PROPID_Q_QUOTA": 1}
    assert dict(Properties([105, 108, 110], values)) == {"PROPID_Q_QUOTA": 1, "PROPID_Q_LABEL": "label"}


@pytest.mark.parametrize(
    ("name", "value", "structure"),
    [
        ("PROPID_Q_SEQNUM", b"1234567", "SEQUENCE_NUMBER"),
        ("PROPID_QM_ADDRESS", b"\4\0\1\0\1\2\3", "TA_ADDRESS"),
        ("PROPID_QM_SIGN_PKS", b"\1", "MQDSPUBLICKEYS"),
        ("PROPID_U_SIGN_CERT", b"\1\0\0\0", "MQUSERSIGNCERTS"),
    ],
)
def test_blobs_of_another_form_stay_bytes(name: str, value: bytes, structure: str) -> None:
    found = Properties(*pack({name: value}))
    assert found[name] == value
    ((number,), (raw,)) = pack({name: value})
    with pytest.raises(DecodeError) as caught:
        interpret(number, raw)
    assert caught.value.structure == structure
    if structure == "SEQUENCE_NUMBER":
        error = caught.value
        assert (error.path, error.offset, error.expected, error.actual) == (name, 0, 8, len(value))
        assert error.problem == "expected 8 bytes, found 7"


def test_values_of_another_form_stay_numbers() -> None:
    assert interpret(113, PropertyValue(17, 5)) == 5
    assert interpret(1404, PropertyValue(type_of(1404) or 0, 99)) == 99
    assert interpret(109, PropertyValue(31, "text")) == "text"
    assert interpret(PRIVATE, PropertyValue(11, 1)) is True
    assert interpret(109, PropertyValue(3, -1)) == dt.datetime(1969, 12, 31, 23, 59, 59, tzinfo=dt.UTC)
    assert interpret(109, PropertyValue(3, -(2**31))).year == 1901


def test_pack_by_number_and_value() -> None:
    ready = PropertyValue(19, 5)
    mixed: dict[str | int, Any] = {105: 5, PRIVATE: ready, "PROPID_Q_LABEL": PropertyValue(19, 1)}
    assert pack(mixed) == (
        (105, PRIVATE, 108),
        (ready, ready, PropertyValue(19, 1)),
    )


@pytest.mark.parametrize("key", ["PROPID_X", "PROPID_MGMT_MSMQ_ACTIVEQUEUES", PRIVATE, None])
def test_pack_refuses_unknown_names(key: Any) -> None:
    with pytest.raises(EncodeError, match="expected a directory property of a known type, got") as caught:
        pack({key: 1})
    assert caught.value.actual == key


def test_pack_refuses_values() -> None:
    with pytest.raises(EncodeError) as caught:
        pack({"PROPID_Q_QUOTA": "x"})
    assert caught.value.path == "properties['PROPID_Q_QUOTA']"
    assert caught.value.actual == "x"


# --------------------------------------------------------------------------------------- message bodies


@pytest.mark.parametrize(
    ("vt", "octets", "value"),
    [
        (31, "61006200", "ab"),
        (31, "610062000000", "ab"),
        (31, "", ""),
        (31, "0000", ""),
        (31, "610000006200", bytes.fromhex("610000006200")),
        (31, "6100 62", bytes.fromhex("610062")),
        (8, "61000000", "a\0"),
        (8, "61", b"a"),
        (3, "ffffffff", -1),
        (3, "ffffff", b"\xff\xff\xff"),
        (3, "", b""),
        (11, "ffff", True),
        (72, ID_BYTES, ID),
        (65, "0102", b"\1\2"),
        (0x1011, "0102", b"\1\2"),
        (0x1013, "0100000005000000", (5,)),
        (0x1013, "05000000", b"\5\0\0\0"),
        (65, "0100000005", b"\1\0\0\0\5"),
        (0x1011, "0100000005", b"\1\0\0\0\5"),
        (0, "0102", b"\1\2"),
        (0, "", b""),
        (1, "", b""),
        (0xFFFFFFFF, "01", b"\1"),
        (7, "01", b"\1"),
        (4, "00002040", 2.5),
        (4, "0000000000000440", bytes.fromhex("0000000000000440")),
        (5, "0000000000000440", 2.5),
        (5, "00002040", bytes.fromhex("00002040")),
        (6, "c01dfeffffffffff", Decimal("-12.3456")),
        (6, "0000000000000080", Decimal("-922337203685477.5808")),
        (6, "ffffff", b"\xff\xff\xff"),
        (7, "000000000000f43f", dt.datetime.fromisoformat("1899-12-31T06:00")),
        (7, "000000000000f4bf", dt.datetime.fromisoformat("1899-12-29T06:00")),
        (7, "0000000000000000", dt.datetime.fromisoformat("1899-12-30")),
        (7, "000000000000f87f", bytes.fromhex("000000000000f87f")),
        (7, "0000000060e34641", bytes.fromhex("0000000060e34641")),
        (7, "9c7500883ce4377e", bytes.fromhex("9c7500883ce4377e")),
        (7, "0000b3a69ea1da08", bytes.fromhex("0000b3a69ea1da08")),
        (30, "616200", "ab"),
        (30, "c3a9", "\xe9"),
        (30, "e9", b"\xe9"),
        (30, "610062", b"a\0b"),
        (16, "ff", -1),
        (17, "ff", 255),
        (0x2011, "0102", b"\1\2"),
        (68, "0102", b"\1\2"),
    ],
)
def test_bodies(vt: int, octets: str, value: Any) -> None:
    body = bytes.fromhex(octets)
    assert body_value(vt, body) == value
    header = mqmq.MessagePropertiesHeader(BodyType=vt, MessageBody=body)
    assert header.typed_body == value
    assert mqmq.UserMessage(MessagePropertiesHeader=header).typed_body == value
    secret = mqmq.SecurityHeader(
        Flags=mqmq.SecurityHeaderFlags(EB=1), SecurityData=mqmq.SecurityData(EncryptionKey=b"key")
    )
    assert mqmq.UserMessage(MessagePropertiesHeader=header, SecurityHeader=secret).typed_body == body
    signed = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=bytes(16)))
    assert mqmq.UserMessage(MessagePropertiesHeader=header, SecurityHeader=signed).typed_body == value


def test_money_is_exact_in_every_context() -> None:
    with localcontext() as context:
        context.prec = 3
        assert body_value(6, bytes.fromhex("c01dfeffffffffff")) == Decimal("-12.3456")


@given(
    st.sampled_from(sorted({*READERS, *BODY_TYPES})) | st.integers(0, 0xFFFFFFFF),
    st.binary(max_size=40) | st.binary(min_size=8, max_size=8),
)
def test_bodies_never_raise(vt: int, body: bytes) -> None:
    body_value(vt, body)


@given(st.sampled_from(sorted(READERS)).flatmap(values_of))
def test_properties_never_raise(value: PropertyValue) -> None:
    for number in (105, 108, 109, 113, 117, 206, 239, 1404):
        assert dict(Properties([number], [value]))


_VARIANTS: Final = int(VARTYPE.VT_VARIANT | VARTYPE.VT_VECTOR)


def _variants(*elements: PropertyValue) -> PropertyValue:
    return PropertyValue(_VARIANTS, elements)


_NUMBER, _WORD = PropertyValue(VARTYPE.VT_I4, 1), PropertyValue(VARTYPE.VT_LPWSTR, "ab")
_NESTED: Final = _variants(_NUMBER, _WORD, _variants(_NUMBER, _WORD)).encode()


@pytest.mark.parametrize(
    ("data", "path", "offset", "problem"),
    [
        (_NESTED[:4] + b"\x77\x77" + _NESTED[6:], "[0]", 4, "expected a variant type"),
        (_NESTED[:30] + b"\x99\0" + _NESTED[32:], "[2][1]", 30, "expected a variant type"),
        (_NESTED[:16], "", 0, "elements that fit 12 bytes, found a count of 3"),
        (_NESTED[:-1], "", 0, "elements that fit 33 bytes, found a count of 3"),
        (b"\xff\xff\xff\xff" + _NESTED[4:], "", 0, "found a count of 4294967295"),
    ],
)
def test_the_element_whose_type_is_wrong(data: bytes, path: str, offset: int, problem: str) -> None:
    """Of a vector of variants, the error names the element; the count if the bytes end before its end."""
    with pytest.raises(DecodeError) as caught:
        PropertyValue.decode(_VARIANTS, data)
    assert (caught.value.path, caught.value.offset) == (f"PropertyValue{path}", offset)
    assert problem in caught.value.problem
    assert (caught.value.source_path is not None) == (not path)


def test_vectors_that_are_nested_too_deep() -> None:
    value = _NUMBER
    for _ in range(MAX_DEPTH):
        value = _variants(value)
    data = (1).to_bytes(4, "little") + _VARIANTS.to_bytes(2, "little") + value.encode()
    assert PropertyValue.decode(_VARIANTS, value.encode()) == value
    with pytest.raises(DecodeError, match=f"at most {MAX_DEPTH} vectors .* byte {6 * MAX_DEPTH - 2}$"):
        PropertyValue.decode(_VARIANTS, data)


def test_an_element_that_is_no_value() -> None:
    with pytest.raises(EncodeError, match="expected a sequence of PropertyValue"):
        PropertyValue(_VARIANTS, (1,)).encode()
