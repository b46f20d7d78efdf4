"""What receivers disregard, and which values a property may have: places and values typed in from the pages.

1. Bytes of others are changed where the page draws a field that receivers disregard.  All else is read as
   before, the bytes come back, and no rule forbids what is there.
2. A notification is put together byte by byte, with a value that the section of its property allows, or not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from support_outside import by_hand, independent, leaves
from support_rows import for_each

import msmq_wire as mw
from msmq_wire import PropertyValue, mqdsrp
from msmq_wire.definitions.properties import VARTYPE


class Place(NamedTuple):
    """Where a page draws a field that receivers disregard.

    Attributes:
        requirement: The requirement.
        kind: The structure in whose bytes it is changed.
        offset: Its first byte there, or the byte of a bit.
        bits: Which bits of the bytes from there on; the first of a byte has the value 1.
        field: Its name.
    """

    requirement: str
    kind: str
    offset: int
    bits: bytes
    field: str


def _bit(requirement: str, kind: str, offset: int, bit: int, field: str) -> Place:
    return Place(requirement, kind, offset + bit // 8, bytes([1 << bit % 8]), field)


def _whole(requirement: str, kind: str, offset: int, size: int, field: str) -> Place:
    return Place(requirement, kind, offset, b"\xff" * size, field)


PLACES = (
    # [MS-MQMQ] 2.2.19.3: Flags is the first byte, PA PR NA NR X X X X.
    _bit("MQMQ-2.2.19.3-06", "MessagePropertiesHeader", 0, 4, "Flags"),
    _bit("MQMQ-2.2.19.3-08", "MessagePropertiesHeader", 0, 5, "Flags"),
    _bit("MQMQ-2.2.19.3-10", "MessagePropertiesHeader", 0, 6, "Flags"),
    _bit("MQMQ-2.2.19.3-12", "MessagePropertiesHeader", 0, 7, "Flags"),
    # [MS-MQMQ] 2.2.20.3: ID, Reserved, Size, Signature.
    _whole("MQMQ-2.2.20.3-03", "MQFSignatureHeader", 2, 2, "Reserved"),
    # [MS-MQQB] 2.2.1: Reserved, Flags.
    _whole("MQQB-2.2.1-02", "InternalHeader", 0, 2, "Reserved"),
    # [MS-MQQB] 2.2.2: after 16 bytes of BaseHeader and 4 of InternalHeader two timeouts of 4 bytes.
    _whole("MQQB-2.2.2.1-02", "ConnectionParameters", 16 + 4 + 8, 2, "Reserved"),
    # [MS-MQQB] 2.2.3: after these headers two GUIDs, TimeStamp, and OperatingSystem of 2 bytes.
    _whole("MQQB-2.2.3.1-22", "EstablishConnection", 16 + 4 + 38, 2, "Reserved"),
    # [MS-MQQB] 2.2.7: Flags are the first two bytes, RC RF and then X.
    *(_bit(f"MQQB-2.2.7-{bit + 6:02}", "Ping", 0, bit, "Flags") for bit in range(2, 16)),
    # [MS-MQRR] 2.2.5.1.2: HeaderId, Reserved.
    _whole("MQRR-2.2.5.1.2.1-02", "SRMPEnvelopeHeader", 2, 2, "Reserved"),
    _whole("MQRR-2.2.5.1.2.2-02", "CompoundMessageHeader", 2, 2, "Reserved"),
    # [MS-MQRR] 2.2.5.2: two sizes of 4 bytes, Flags of one byte DL SQ X2 DI EA X5 X6 X7, Reserved.
    _bit("MQRR-2.2.5.2-05", "ExtensionHeader", 8, 2, "Flags"),
    _bit("MQRR-2.2.5.2-08", "ExtensionHeader", 8, 3, "Flags"),
    _bit("MQRR-2.2.5.2-10", "ExtensionHeader", 8, 5, "Flags"),
    _bit("MQRR-2.2.5.2-11", "ExtensionHeader", 8, 6, "Flags"),
    _bit("MQRR-2.2.5.2-12", "ExtensionHeader", 8, 7, "Flags"),
    _whole("MQRR-2.2.5.2-13", "ExtensionHeader", 9, 3, "Reserved"),
    # [MS-MQRR] 2.2.5.3 with 2.2.5.5 (erratum R3): after HeaderSize one bit, 16 bits, and then 15 of Reserved.
    Place("MQRR-2.2.5.3-04", "SubqueueHeader", 6, b"\xfe\xff", "Flags"),
    # [MS-MQCN] 2.2.6: with a GUID for the object 2 + 16 + 16 bytes stand before Reserved.
    _whole("MQCN-2.2.6-09", "NotificationUpdate", 34, 24, "Reserved"),
)
READ = {"Ping": "PingPacket"}


def bytes_of_others(kind: str) -> list[bytes]:
    """Vectors of a structure, also those that violate something, and its bytes as put together by hand."""
    found = [row.data for row in independent() if row.kind == kind]
    found += [row.data for row in by_hand() if row.structure == kind]
    return [data for data in found if kind != "NotificationUpdate" or data[1] == 1]


def must(record: Any, field: str) -> set[tuple[str, str]]:
    """The requirements that a record violates, but for what senders owe to the field itself."""
    found = mw.validate(record, "must")
    return {(item.requirement, item.path) for item in found if f".{field}" not in item.path}


@pytest.mark.requirement
@for_each(
    "place",
    lambda: [
        pytest.param(one, id=one.requirement, marks=pytest.mark.requirement(one.requirement))
        for one in PLACES
    ],
)
def test_what_is_disregarded_may_be_anything(place: Place) -> None:
    kind = READ.get(place.kind, place.kind)
    bases = bytes_of_others(place.kind)
    assert bases
    for base in bases:
        for bits in (place.bits, bytes(len(place.bits))):
            here = base[place.offset : place.offset + len(bits)]
            changed = bytes(old & ~mask | new for old, mask, new in zip(here, place.bits, bits, strict=True))
            data = base[: place.offset] + changed + base[place.offset + len(bits) :]
            record: Any = mw.decode(data, kind)
            assert record.encode() == data
            before, after = dict(leaves(mw.decode(base, kind))), dict(leaves(record))
            differ = {path for path in before | after if before.get(path) != after.get(path)}
            assert all(path.startswith(f".{place.field}") for path in differ), differ
            assert bool(differ) == (data != base)
            assert must(record, place.field) == must(mw.decode(base, kind), place.field)


def notification(number: int, value: str) -> bytes:
    """The bytes of [MS-MQCN] 2.2.6: a change of one property of an object, which a GUID names."""
    guids = "00112233445566778899aabbccddeeff" * 2
    return bytes.fromhex(f"0101{guids}{'00' * 24}01{number.to_bytes(4, 'little').hex()}{value}")


def text(value: str) -> str:
    """A text and its terminator."""
    return f"{value}\0".encode("utf-16-le").hex()


def judged(number: int, value: str) -> set[str]:
    """What of the value of a property is violated, in a notification and in a change alike."""
    data = notification(number, value)
    record: Any = mw.decode(data, "NotificationUpdate")
    assert record.encode() == data
    (read,) = record.PropertyValue
    change = mqdsrp.DirectoryChange(
        GuidIdentifier=mw.GUID(bytes(16)), PropertyID=(number,), PropertyValue=(read,)
    )
    found = [item for item in mw.validate(change, "must") if "PropertyValue" in item.path]
    assert {item.requirement for item in mw.validate(record, "must") if "PropertyValue" in item.path} >= {
        item.requirement for item in found
    }
    return {item.requirement for item in found}


_NO_MEANING = {
    # number, and values in the form of its type: [MS-MQCN] 2.2.3
    "MQMQ-2.3.1.18-01": (118, "00000000", "efbeadde"),
    "MQMQ-2.3.1.19-01": (119, "00000000", "efbeadde"),
    "MQMQ-2.3.2.12-01": (212, "00000000", "efbeadde"),
    "MQMQ-2.3.2.39-01": (1205, "00000000", "03000000010203"),
    "MQMQ-2.3.5.5-01": (605, "0000", "adde"),
    "MQMQ-2.3.5.6-01": (606, "0000", "adde"),
    "MQMQ-2.3.5.10-01": (610, "00000000", "03000000010203"),
    "MQMQ-2.3.5.11-01": (611, "00000000", "efbeadde"),
    "MQMQ-2.3.5.12-01": (612, "00000000", "efbeadde"),
    "MQMQ-2.3.5.13-01": (613, "00000000", "efbeadde"),
    "MQMQ-2.3.5.14-01": (614, "00000000", "efbeadde"),
    "MQMQ-2.3.5.18-01": (615, "00000000", "efbeadde"),
}


@pytest.mark.requirement
@for_each(
    ("number", "values"),
    lambda: [
        pytest.param(number, values, id=one, marks=pytest.mark.requirement(one))
        for one, (number, *values) in _NO_MEANING.items()
    ],
)
def test_values_without_a_meaning_are_not_judged(number: int, values: list[str]) -> None:
    for value in values:
        assert judged(number, value) == set()
        record: Any = mw.decode(notification(number, value), "NotificationUpdate")
        assert record.PropertyValue[0].encode().hex() == value


_DN = "CN=msmq,CN=MyComp,CN=Computers,DC=MyDomain,DC=COM"
_ALLOWED: dict[str, tuple[int, tuple[str, ...], tuple[str, ...]]] = {
    # number, values that the section allows, values that it does not
    "MQMQ-2.3.1.22-01": (
        124,
        (text("host.example.com\\orders"), text("host.example.com\\private$\\orders")),
        (text("orders"), text("host.example.com\\")),
    ),
    "MQMQ-2.3.1.23-01": (
        125,
        (text("224.0.0.1:80"), text("239.255.255.255:65535")),
        (text("236.1.1.1"), text(":80")),
    ),
    "MQMQ-2.3.1.24-01": (
        126,
        (
            text(
                "LDAP://MyLDAPServer/CN=MyQueue,CN=msmq,CN=MyComp,CN=Computers,DC=MyDomain,DC=MyCompany,DC=COM"
            ),
        ),
        (text("CN=MyQueue,CN=msmq"), text("HTTP://MyLDAPServer/CN=MyQueue")),
    ),
    "MQMQ-2.3.2.9-01": (
        210,
        ("00000000", "01000000", "02000000", "04000000", "08000000", "10000000"),
        ("20000000", "00000080"),
    ),
    "MQMQ-2.3.2.22-01": (223, ("00000000", "01000000" + text(_DN)), ("01000000" + text("no name"),)),
    "MQMQ-2.3.2.23-01": (
        224,
        ("00000000", "02000000" + text(_DN) * 2),
        ("02000000" + text(_DN) + text("=x"),),
    ),
    "MQMQ-2.3.6.4-01": (
        702,
        # no certificate; one of one byte: its MD5, a GUID, its length, itself
        ("0400000000000000", "2900000001000000cfcd208495d565ef66e7dff9f98764da" + "00" * 16 + "0100000030"),
        ("0100000000", "0400000001000000"),
    ),
    "MQMQ-2.3.7.7-01": (807, ("00000000", "01000000" + text(_DN)), ("01000000" + text("no name"),)),
    # UF_FLAG codes: 0x200 a normal account, 0x1000 a computer's, 0x80000 trusted for delegation; 0x4 is none
    "MQMQ-2.3.10.3-01": (5204, ("00020000", "00100000", "00100800"), ("04000000", "00000080")),
}


@pytest.mark.requirement
@for_each(
    ("requirement", "number", "allowed", "others"),
    lambda: [
        pytest.param(one, *row, id=one, marks=pytest.mark.requirement(one)) for one, row in _ALLOWED.items()
    ],
)
def test_values_that_a_section_allows(
    requirement: str, number: int, allowed: tuple[str, ...], others: tuple[str, ...]
) -> None:
    for value in allowed:
        assert judged(number, value) == set(), value
    for value in others:
        assert judged(number, value) == {requirement}, value


@pytest.mark.requirement("MQMQ-2.2.3-01")
@pytest.mark.parametrize("number", [1103, 1303])
def test_parts_of_a_security_descriptor(number: int) -> None:
    """[MS-MQMQ] 2.2.3: 1 the owner, 2 the group, 4 the DACL, 8 the SACL; and any of them together."""
    for value in range(16):
        assert "MQMQ-2.2.3-01" not in judged(number, f"{value:02x}000000")
    for other in ("10000000", "00010000", "00000080"):
        assert "MQMQ-2.2.3-01" in judged(number, other)


@pytest.mark.requirement("MQDSRP-2.2.1-03")
@pytest.mark.parametrize(
    ("number", "value", "vartype", "read"),
    [
        # [MS-MQMQ] 2.3.1: label VT_LPWSTR, quota VT_UI4, journal VT_UI1, priority VT_I2, instance VT_CLSID
        (108, "610062000000", VARTYPE.VT_LPWSTR, "ab"),
        (105, "04030201", VARTYPE.VT_UI4, 0x01020304),
        (104, "01", VARTYPE.VT_UI1, 1),
        (106, "feff", VARTYPE.VT_I2, -2),
        (
            101,
            "33221100554477668899aabbccddeeff",
            VARTYPE.VT_CLSID,
            mw.GUID.of("00112233-4455-6677-8899-aabbccddeeff"),
        ),
    ],
)
def test_the_type_of_a_value_comes_from_its_number(number: int, value: str, vartype: int, read: Any) -> None:
    """No type is on the wire: the bytes after the number are the value."""
    record: Any = mw.decode(notification(number, value), "NotificationUpdate")
    assert record.PropertyValue == (PropertyValue(vartype, read),)
