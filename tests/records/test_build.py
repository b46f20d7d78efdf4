"""Building: what is left out is worked out, what is given is kept, what cannot be written is refused."""

from __future__ import annotations

import dataclasses
import hashlib
import uuid
from operator import attrgetter
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st
from strategies import DIRECTORY_NAMES, NAMES
from support_rows import for_each

import msmq_wire
from msmq_wire import GUID, NULL_GUID, EncodeError, Record
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Choice, Integer, Nested
from msmq_wire.testing.strategies.any_record import drafts

# Much here is wrong on purpose, so the types of the stubs are not asked.
mw: Any = msmq_wire
mqdsrp, mqmq, mqqb, mqrr = mw.mqdsrp, mw.mqmq, mw.mqqb, mw.mqrr

QM = "557358d1-9150-9595-4997-b6e611ea26c6"


def direct(name: str) -> Any:
    """A direct name as an element of a list."""
    return mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName=name))


def public() -> Any:
    """A public name as an element of a list."""
    return mqmq.MQFFormatNameElement(FormatName=mqmq.PublicQueueFormatName(PublicQueueIdentifier=QM))


def private() -> Any:
    """A private name as an element of a list."""
    return mqmq.MQFFormatNameElement(
        FormatName=mqmq.PrivateQueueFormatName(SourceQueueManager=QM, PrivateQueueIdentifier=8)
    )


def distribution() -> Any:
    """A distribution list as an element of a list."""
    return mqmq.MQFFormatNameElement(
        FormatName=mqmq.MQFDistributionQueueFormatName(DistributionListIdentifier=QM)
    )


def refusal(make: Any, *args: Any, **given: Any) -> dict[str, Any]:
    """The facts of the EncodeError that building causes."""
    with pytest.raises(EncodeError) as caught:
        make(*args, **given)
    error = caught.value
    assert str(error) == f"{error.problem} - at `{error.path}`"
    return {name: getattr(error, name) for name in ("problem", "structure", "path", "expected", "actual")}


# ------------------------------------------------------------------------------------ lengths and counts

COUNTED = [
    ("MQDSPUBLICKEY", {"aBuf": b"12345"}, "ulKeyLen", 5),
    ("MQDSPUBLICKEY", {"sProviderName": "ab"}, "ulProviderLen", 6),
    ("MQDSPUBLICKEYS", {"aPublicKeys": [mqmq.MQDSPUBLICKEY()] * 2}, "cNumofKeys", 2),
    ("MQDSPUBLICKEYS", {"aPublicKeys": [mqmq.MQDSPUBLICKEY()] * 2}, "ulLen", 32),
    ("TA_ADDRESS", {"Address": bytes(10)}, "AddressLength", 10),
    ("DirectQueueFormatName", {"DirectFormatName": "OS:a\\b"}, "Count", 14),
    ("DirectQueueFormatName", {}, "Count", 0),
    ("MessagePropertiesHeader", {"Label": "abc"}, "LabelLength", 4),
    ("MessagePropertiesHeader", {"Label": "\U0001f600"}, "LabelLength", 3),
    ("MessagePropertiesHeader", {"Label": ""}, "LabelLength", 0),
    ("MessagePropertiesHeader", {"ExtensionData": bytes(3)}, "ExtensionSize", 3),
    ("MessagePropertiesHeader", {"MessageBody": bytes(9)}, "MessageSize", 9),
    ("MessagePropertiesHeader", {"MessageBody": bytes(9)}, "AllocationBodySize", 9),
    ("MQFAddressHeader", {"FormatNameList": [public(), public()]}, "ElementCount", 2),
    ("MQFAddressHeader", {"FormatNameList": [public(), public()]}, "HeaderSize", 52),
    ("MQFAddressHeader", {}, "HeaderSize", 12),
    ("MQFSignatureHeader", {"Signature": bytes(6)}, "Size", 6),
    ("SecurityHeader", {"SecurityData": mqmq.SecurityData(SecurityID=b"abc")}, "SenderIdSize", 3),
    ("SecurityHeader", {"SecurityData": mqmq.SecurityData(EncryptionKey=b"ab")}, "EncryptionKeySize", 2),
    ("SecurityHeader", {"SecurityData": mqmq.SecurityData(Signature=b"a")}, "SignatureSize", 1),
    ("SecurityHeader", {"SecurityData": mqmq.SecurityData(SenderCert=b"abcd")}, "SenderCertSize", 4),
    ("SecurityHeader", {"SecurityData": mqmq.SecurityData(ProviderInfo=b"abcde")}, "ProviderInfoSize", 5),
    ("SecurityHeader", {}, "SenderIdSize", 0),
    ("SenderCertPublicKey", {"Modulus": bytes(64)}, "LengthInBits", 512),
    ("PUBLICKEYBLOB", {"modulus": bytes(128)}, "bitLen", 1024),
    ("SoapHeader", {"Header": "ab"}, "HeaderDataLength", 3),
    ("SoapHeader", {"Body": "abc"}, "BodyDataLength", 4),
    ("MQUSERSIGNCERT", {"Certificate": bytes(7)}, "CertificateLength", 7),
    ("MQUSERSIGNCERTS", {"Certificates": [mqmq.MQUSERSIGNCERT()] * 3}, "CertificateCount", 3),
    ("SRMPEnvelopeHeader", {"Data": "abc"}, "DataLength", 4),
    ("CompoundMessageHeader", {"Data": b"abc"}, "HTTPBodySize", 3),
    ("DeadLetterHeader", {"DeadLetterPathName": "ab"}, "HeaderSize", 12),
    ("DeadLetterHeader", {"DeadLetterPathName": "a"}, "HeaderSize", 8),
    ("ExtensionHeader", {}, "HeaderSize", 12),
    ("SubqueueHeader", {}, "HeaderSize", 148),
    ("ExtendedAddressHeader", {}, "HeaderSize", 28),
]


@for_each(("name", "given", "field", "value"), lambda: COUNTED)
def test_counts(name: str, given: dict[str, Any], field: str, value: int) -> None:
    """A length or count that is left out is that of its array; one that is given stays, even if wrong."""
    cls = Record.class_of(name)
    made = cls(**given)
    assert getattr(made, field) == value
    assert cls.decode(made.encode()) == made
    bent = cls(**given, **{field: value + 2})
    assert getattr(bent, field) == value + 2
    size = cls.layout.by_name[field].kind.size
    states = value.to_bytes(size, "little"), (value + 2).to_bytes(size, "little")
    right, wrong = cls(**given, **{field: value}).encode(), bent.encode()
    assert any(
        right[at : at + size] == states[0] and wrong == right[:at] + states[1] + right[at + size :]
        for at in range(len(right))
    ) or len(right) != len(wrong)


@pytest.mark.parametrize(
    ("name", "given", "padding", "size"),
    [
        ("DirectQueueFormatName", {"DirectFormatName": "a"}, "Padding", 2),
        ("DirectQueueFormatName", {"DirectFormatName": "ab"}, "Padding", 0),
        ("MessagePropertiesHeader", {"MessageBody": b"a"}, "Padding", 3),
        (
            "MessagePropertiesHeader",
            {"Label": "ab", "ExtensionData": b"abc", "MessageBody": b"a"},
            "Padding",
            2,
        ),
        ("MessagePropertiesHeader", {"Label": "abc", "ExtensionData": b"abcd"}, "Padding", 0),
        ("SRMPEnvelopeHeader", {"Data": "ab"}, "Padding", 2),
        ("SRMPEnvelopeHeader", {"Data": "abc"}, "Padding", 0),
        ("CompoundMessageHeader", {"Data": b"a"}, "Padding", 3),
        ("DeadLetterHeader", {"DeadLetterPathName": "ab"}, "Padding", 2),
        ("DeadLetterHeader", {"DeadLetterPathName": "a"}, "Padding", 0),
        ("SoapHeader", {"Header": "a", "Body": "ab"}, "Padding", 2),
        ("SoapHeader", {"Header": "ab", "Body": "ab"}, "Padding", 0),
        ("SecurityData", {"SecurityID": b"a"}, "SecurityIDPadding", 3),
        ("SecurityData", {"EncryptionKey": b"ab"}, "EncryptionKeyPadding", 2),
        ("SecurityData", {"Signature": b"abc"}, "SignaturePadding", 1),
        ("SecurityData", {"SenderCert": b"abcd"}, "SenderCertPadding", 0),
        ("SecurityData", {"ProviderInfo": b"abcde"}, "ProviderInfoPadding", 3),
        ("MQFAddressHeader", {"FormatNameList": [direct("a")]}, "Padding", 2),
        ("MQFAddressHeader", {"FormatNameList": [direct("ab")]}, "Padding", 0),
        ("MQFFormatNameElement", {"FormatName": mqmq.PublicQueueFormatName()}, "Padding", 2),
        ("MQFFormatNameElement", {"FormatName": mqmq.MQFDirectQueueFormatName()}, "Padding", 0),
    ],
)
def test_padding(name: str, given: dict[str, Any], padding: str, size: int) -> None:
    """Paddings that are left out are zeros up to the boundary; those that are given stay."""
    cls = Record.class_of(name)
    made = cls(**given)
    assert getattr(made, padding) == bytes(size)
    other = b"\xaa" * size
    chosen = cls(**given, **{padding: other})
    assert getattr(chosen, padding) == other
    assert len(chosen.encode()) == len(made.encode())
    if not structures()[name].scoped:
        assert cls.decode(chosen.encode()) == chosen
    bent = cls(**given, **{padding: bytes(size + 1)})
    assert getattr(bent, padding) == bytes(size + 1)


def test_signature_padding_of_lists() -> None:
    """A MultiQueueFormatHeader ends on a boundary."""
    for size in range(6):
        header = mqmq.MultiQueueFormatHeader(Signature=mqmq.MQFSignatureHeader(Signature=bytes(size)))
        assert header.Padding == bytes(-size % 4)
        assert mqmq.MultiQueueFormatHeader.decode(header.encode()) == header
    assert len(header.encode()) % 4 == 0


def test_padding_cut_short() -> None:
    """Paddings at the end of a packet may be missing, and are then written as they were."""
    soap = mqmq.SoapHeader(Header="a", Body="ab", Padding=b"")
    assert mqmq.SoapHeader.decode(soap.encode()) == soap
    half = mqmq.SoapHeader(Header="a", Body="ab", Padding=b"x")
    assert mqmq.SoapHeader.decode(half.encode()) == half
    message = mqmq.UserMessage(SoapHeader=soap)
    assert mw.decode(message.encode()) == message
    lists = mqmq.MultiQueueFormatHeader(Signature=mqmq.MQFSignatureHeader(Signature=b"a"), Padding=b"zz")
    message = mqmq.UserMessage(MultiQueueFormatHeader=lists)
    assert mw.decode(message.encode()) == message


# -------------------------------------------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("DirectQueueFormatName", "DirectFormatName", "Count"),
        ("MessagePropertiesHeader", "Label", "LabelLength"),
        ("SoapHeader", "Header", "HeaderDataLength"),
        ("SoapHeader", "Body", "BodyDataLength"),
        ("SRMPEnvelopeHeader", "Data", "DataLength"),
        ("MQDSPUBLICKEY", "sProviderName", "ulProviderLen"),
    ],
)
def test_terminator(name: str, text: str, count: str) -> None:
    """Counted texts get the terminator that they lack, unless their length is given."""
    cls = Record.class_of(name)
    unit = 2 if count in {"Count", "ulProviderLen"} else 1
    assert getattr(cls(**{text: "ab"}), text) == "ab\0"
    assert getattr(cls(**{text: "ab\0"}), text) == "ab\0"
    assert getattr(cls(**{text: "a\0b"}), text) == "a\0b\0"
    assert getattr(cls(**{text: ""}), text) == ""
    assert getattr(cls(**{text: "ab"}), count) == 3 * unit
    exact = cls(**{text: "ab", count: 2 * unit})
    assert (getattr(exact, text), getattr(exact, count)) == ("ab", 2 * unit)
    assert cls.decode(exact.encode()) == exact
    bent = cls(**{text: "ab", count: 9 * unit})
    assert (getattr(bent, text), getattr(bent, count)) == ("ab", 9 * unit)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("MQFDirectQueueFormatName", "DirectFormatName"),
        ("ProviderInfo", "ProviderName"),
        ("DeadLetterHeader", "DeadLetterPathName"),
    ],
)
def test_terminated_text(name: str, text: str) -> None:
    """Texts that end at a null are held without it, and can hold none."""
    cls = Record.class_of(name)
    made = cls(**{text: "ab"})
    assert getattr(made, text) == "ab"
    assert b"a\0b\0\0\0" in made.encode()
    assert cls.decode(made.encode()) == made
    assert refusal(cls, **{text: "ab\0"}) == {
        "problem": "expected text without null characters, got one at 2",
        "structure": name,
        "path": f"{name}.{text}",
        "expected": "text without null characters",
        "actual": "ab\0",
    }


def test_longest_label() -> None:
    """249 characters and the terminator are what the page allows; one byte cannot count more than 255."""
    label = mqmq.MessagePropertiesHeader(Label="a" * 249)
    assert label.LabelLength == 250
    assert mqmq.MessagePropertiesHeader.decode(label.encode()) == label
    assert mqmq.MessagePropertiesHeader(Label="a" * 254).LabelLength == 255
    assert refusal(mqmq.MessagePropertiesHeader, Label="a" * 255) == {
        "problem": "expected at most 255 WCHARs, which LabelLength can count, got 256",
        "structure": "MessagePropertiesHeader",
        "path": "MessagePropertiesHeader.Label",
        "expected": 255,
        "actual": 256,
    }
    assert refusal(mqmq.MessagePropertiesHeader, Label="\U0001f600" * 128)["actual"] == 257


def test_too_long_direct_name() -> None:
    """A length in bytes is not called WCHARs."""
    assert mqmq.DirectQueueFormatName(DirectFormatName="a" * 32766).Count == 65534
    found = refusal(mqmq.DirectQueueFormatName, DirectFormatName="a" * 40000)
    assert (found["structure"], found["path"]) == (
        "DirectQueueFormatName",
        "DirectQueueFormatName.DirectFormatName",
    )
    assert "80002 WCHARs" not in found["problem"]


def test_too_many_bytes() -> None:
    """Arrays that their counts cannot say, also those of a part."""
    assert refusal(mqmq.TA_ADDRESS, Address=bytes(65536))["path"] == "TA_ADDRESS.Address"
    found = refusal(mqmq.SecurityHeader, SecurityData=mqmq.SecurityData(Signature=bytes(65536)))
    assert found["path"] == "SecurityHeader.SecurityData.Signature"
    assert found["problem"] == "expected at most 65535 bytes, which SignatureSize can count, got 65536"
    assert (found["structure"], found["expected"], found["actual"]) == ("SecurityHeader", 65535, 65536)


def test_lone_surrogates() -> None:
    """Any sequence of WCHARs can be held."""
    made = mqmq.MessagePropertiesHeader(Label="\ud800x\udfff")
    assert made.encode()[56:64].hex() == "00d87800ffdf0000"
    assert mqmq.MessagePropertiesHeader.decode(made.encode()) == made


def test_split_surrogate_pair() -> None:
    """Two halves of one character are that character."""
    halves = mqmq.DirectQueueFormatName(DirectFormatName="\ud83d\ude00")
    assert halves == mqmq.DirectQueueFormatName(DirectFormatName="\U0001f600")
    assert mqmq.DirectQueueFormatName.decode(halves.encode()) == halves


# -------------------------------------------------------------------------- presence flags and selectors


@pytest.mark.parametrize(
    ("part", "header", "group"),
    [
        (mqmq.TransactionHeader(), "UserHeader", "TH"),
        (mqmq.SecurityHeader(), "UserHeader", "SH"),
        (mqmq.DebugHeader(), "BaseHeader", "DH"),
        (mqmq.SoapHeader(), "UserHeader", "HH"),
        (mqmq.MultiQueueFormatHeader(), "UserHeader", "MQ"),
        (mqmq.SessionHeader(), "BaseHeader", "SH"),
    ],
)
def test_presence(part: Any, header: str, group: str) -> None:
    """A part sets its flag; a flag that was given stays, right or wrong."""
    name = type(part).__name__
    message = mqmq.UserMessage(**{name: part})
    assert getattr(getattr(message, header).Flags, group) == 1
    assert mw.decode(message.encode()) == message
    assert getattr(getattr(mqmq.UserMessage(), header).Flags, group) == 0
    cls = Record.class_of(header)
    unset = cls(Flags=cls.flags["Flags"](**{group: 0}))
    assert getattr(getattr(mqmq.UserMessage(**{name: part, header: unset}), header).Flags, group) == 0
    bent = cls(Flags=cls.flags["Flags"](**{group: 1}))
    assert getattr(getattr(mqmq.UserMessage(**{header: bent}), header).Flags, group) == 1


def test_presence_of_srmp() -> None:
    """The two headers of a message that came over HTTP go together under one flag."""
    message = mqmq.UserMessage(
        SRMPEnvelopeHeader=mqrr.SRMPEnvelopeHeader(Data="x"),
        CompoundMessageHeader=mqrr.CompoundMessageHeader(Data=b"x"),
    )
    assert message.UserHeader.Flags.AH == 1
    assert message.CompoundMessageHeader.HeaderId == 500
    assert mw.decode(message.encode()) == message


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"SubqueueHeader": mqrr.SubqueueHeader()}, "ExtensionHeader"),
        ({"DeadLetterHeader": mqrr.DeadLetterHeader()}, "ExtensionHeader"),
        ({"ExtendedAddressHeader": mqrr.ExtendedAddressHeader()}, "ExtensionHeader"),
        ({"SRMPEnvelopeHeader": mqrr.SRMPEnvelopeHeader()}, "CompoundMessageHeader"),
        ({"CompoundMessageHeader": mqrr.CompoundMessageHeader()}, "SRMPEnvelopeHeader"),
    ],
)
def test_missing_companions(given: dict[str, Any], named: str) -> None:
    """A part without the part that it cannot be read without is refused, or gets it."""
    for cls in (mqmq.UserMessage, mqrr.MessagePacket):
        if not set(given) <= set(cls.layout.by_name):
            continue
        try:
            message = cls(**given)
        except EncodeError as error:
            assert error.path == f"{cls.__name__}.{named}"  # noqa: PT017  # either way is right
        else:
            assert cls.decode(message.encode()) == message


def test_optional_fields_of_headers() -> None:
    """Flags of a header's own optional fields."""
    user = mqmq.UserHeader(ConnectorType=QM)
    assert user.Flags.CQ == 1
    assert mqmq.UserHeader.decode(user.encode()) == user
    assert mqmq.UserHeader().Flags.CQ == 0
    assert mqmq.UserHeader(ConnectorType=QM, Flags=mqmq.UserHeaderFlags(CQ=0)).Flags.CQ == 0
    transaction = mqmq.TransactionHeader(ConnectorQMGuid=QM)
    assert transaction.Flags.CG == 1
    assert mqmq.TransactionHeader().Flags.CG == 0
    debug = mqmq.DebugHeader(QueueIdentifier=QM)
    assert debug.Flags.QT == 1
    assert mqmq.DebugHeader().Flags.QT == 0
    assert mqmq.DebugHeader(Flags=mqmq.DebugHeaderFlags(QT=2)).Flags.QT == 2


@pytest.mark.parametrize(
    ("group", "field", "form", "value"),
    [
        ("DQ", "DestinationQueue", None, 0),
        ("DQ", "DestinationQueue", mqmq.PrivateQueueFormatNameId(), 3),
        ("DQ", "DestinationQueue", mqmq.PublicQueueFormatName(), 5),
        ("DQ", "DestinationQueue", mqmq.DirectQueueFormatName(), 7),
        ("AQ", "AdminQueue", None, 0),
        ("AQ", "AdminQueue", mqmq.PrivateQueueFormatNameId(), 2),
        ("AQ", "AdminQueue", mqmq.PublicQueueFormatName(), 5),
        ("AQ", "AdminQueue", mqmq.PrivateQueueFormatName(), 6),
        ("AQ", "AdminQueue", mqmq.DirectQueueFormatName(), 7),
        ("RQ", "ResponseQueue", None, 0),
        ("RQ", "ResponseQueue", mqmq.PrivateQueueFormatNameId(), 2),
        ("RQ", "ResponseQueue", mqmq.PublicQueueFormatName(), 5),
        ("RQ", "ResponseQueue", mqmq.PrivateQueueFormatName(), 6),
        ("RQ", "ResponseQueue", mqmq.DirectQueueFormatName(), 7),
    ],
)
def test_queue_forms(group: str, field: str, form: Any, value: int) -> None:
    """The form of a queue's name sets its selector."""
    header = mqmq.UserHeader(**{field: form})
    assert getattr(header.Flags, group) == value
    assert header.Flags.MP == 1
    assert mqmq.UserHeader.decode(header.encode()) == header
    bent = mqmq.UserHeader(**{field: form, "Flags": mqmq.UserHeaderFlags(**{group: 1})})
    assert getattr(bent.Flags, group) == 1


@pytest.mark.parametrize(
    ("group", "field", "values"),
    [("AQ", "AdminQueue", (2, 3)), ("RQ", "ResponseQueue", (2, 3, 4))],
)
def test_queue_forms_with_a_choice(group: str, field: str, values: tuple[int, ...]) -> None:
    """Where several values select one form, the one that was given stays."""
    for value in values:
        header = mqmq.UserHeader(
            **{field: mqmq.PrivateQueueFormatNameId(), "Flags": mqmq.UserHeaderFlags(**{group: value})}
        )
        assert getattr(header.Flags, group) == value
        assert mqmq.UserHeader.decode(header.encode()) == header
    assert mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(RQ=1)).Flags.RQ == 1


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (mqmq.PublicQueueFormatName(), 1),
        (mqmq.PrivateQueueFormatName(), 2),
        (mqmq.MQFDirectQueueFormatName(), 3),
        (mqmq.MQFDistributionQueueFormatName(), 6),
    ],
)
def test_element_forms(form: Any, value: int) -> None:
    """The form of an element sets its type."""
    element = mqmq.MQFFormatNameElement(FormatName=form)
    assert element.FormatType == value
    assert mqmq.MQFFormatNameElement.decode(element.encode()) == element
    assert mqmq.MQFFormatNameElement(FormatName=form, FormatType=9).FormatType == 9


def test_element_without_form() -> None:
    """There is no element without a name."""
    for given in ({}, {"FormatType": 3}):
        assert refusal(mqmq.MQFFormatNameElement, **given) == {
            "problem": "is missing",
            "structure": "MQFFormatNameElement",
            "path": "MQFFormatNameElement.FormatName",
            "expected": "one of its forms",
            "actual": None,
        }


def test_flags_left_out() -> None:
    """What a message asks of its headers' flags when nobody gave them."""
    plain = mqmq.UserMessage()
    assert (plain.BaseHeader.Flags.PR, plain.UserHeader.Flags.DM, plain.UserHeader.Flags.MP) == (3, 0, 1)
    transactional = mqmq.UserMessage(TransactionHeader=mqmq.TransactionHeader())
    assert transactional.BaseHeader.Flags.PR == 0
    assert (transactional.UserHeader.Flags.DM, transactional.UserHeader.Flags.TH) == (1, 1)


def test_flags_partly_given() -> None:
    """A group that was given stays; the others are worked out."""
    user = mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(DM=1), DestinationQueue=mqmq.PublicQueueFormatName())
    message = mqmq.UserMessage(UserHeader=user)
    assert (
        message.UserHeader.Flags.to_dict() | {"DM": 1, "DQ": 5, "MP": 1} == message.UserHeader.Flags.to_dict()
    )
    assert int(message.UserHeader.Flags) == 1 << 5 | 5 << 10 | 1 << 21
    kept = mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(PR=7)),
        UserHeader=mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(DM=0)),
        TransactionHeader=mqmq.TransactionHeader(),
    )
    assert (kept.BaseHeader.Flags.PR, kept.UserHeader.Flags.DM, kept.UserHeader.Flags.TH) == (7, 0, 1)
    whole = mqmq.UserMessage(UserHeader=mqmq.UserHeader(Flags=0), TransactionHeader=mqmq.TransactionHeader())
    assert int(whole.UserHeader.Flags) == 0
    settled = message.UserHeader.Flags
    assert type(settled) is mqmq.UserHeaderFlags


def test_part_is_not_changed() -> None:
    """Building a whole leaves the caller's parts as they were."""
    user, base, extension = mqmq.UserHeader(), mqmq.BaseHeader(), mqrr.ExtensionHeader()
    before = (user.encode(), base.encode(), extension.encode())
    first = mqmq.UserMessage(
        BaseHeader=base,
        UserHeader=user,
        TransactionHeader=mqmq.TransactionHeader(),
        ExtensionHeader=extension,
        SubqueueHeader=mqrr.SubqueueHeader(),
    )
    assert (user.encode(), base.encode(), extension.encode()) == before
    second = mqmq.UserMessage(BaseHeader=base, UserHeader=user, ExtensionHeader=extension)
    assert first.UserHeader.Flags.TH == 1
    assert second.UserHeader.Flags.TH == 0
    assert second.BaseHeader.PacketSize == len(second.encode())


def test_security_flags() -> None:
    """The kind of identifier and the presence of the data follow from the data."""
    sid = bytes.fromhex("010500000000000515000000ad4a9ebd36d9fa3d63a656dae8030000")
    for identifier, kind in ((b"", 0), (sid, 1), (uuid.UUID(QM).bytes_le, 2), (sid[:-1], 2)):
        made = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=identifier, SenderCert=b"c"))
        assert (kind, 1) == (made.Flags.ST, made.Flags.AI)
    signed = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(Signature=b"s"))
    assert signed.Flags.DE == 1
    foreign = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(Signature=b"s", ProviderInfo=b"p"))
    assert foreign.Flags.DE == 0
    assert int(mqmq.SecurityHeader().Flags) == 0
    given = mqmq.SecurityHeader(
        Flags=mqmq.SecurityHeaderFlags(ST=3, AI=0), SecurityData=mqmq.SecurityData(SecurityID=sid)
    )
    assert (given.Flags.ST, given.Flags.AI) == (3, 0)
    assert mqmq.SecurityHeader.decode(given.encode()) == given


def test_empty_security_data() -> None:
    """Five empty parts are no SecurityData."""
    made = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData())
    assert mqmq.SecurityHeader.decode(made.encode()) == made


# ------------------------------------------------------------------------------------------------- sizes


def test_packet_size() -> None:
    """PacketSize counts all but the SessionHeader of a message."""
    for given in (
        {},
        {"MessagePropertiesHeader": mqmq.MessagePropertiesHeader(MessageBody=bytes(101))},
        {"SecurityHeader": mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=b"x"))},
        {"SoapHeader": mqmq.SoapHeader(Header="x"), "DebugHeader": mqmq.DebugHeader(QueueIdentifier=QM)},
        {"ExtensionHeader": mqrr.ExtensionHeader(), "DeadLetterHeader": mqrr.DeadLetterHeader()},
    ):
        message = mqmq.UserMessage(**given)
        assert message.BaseHeader.PacketSize == len(message.encode())
        with_session = mqmq.UserMessage(**given, SessionHeader=mqmq.SessionHeader())
        assert with_session.BaseHeader.PacketSize == len(message.encode()) == len(with_session.encode()) - 16
    given_size = mqmq.UserMessage(BaseHeader=mqmq.BaseHeader(PacketSize=7))
    assert given_size.BaseHeader.PacketSize == 7


@pytest.mark.parametrize("kind", [mqqb.OrderAck, mqqb.FinalAck])
@pytest.mark.parametrize("mode", [0, 1, 3])
def test_given_groups_of_an_acknowledgment(kind: Any, mode: int) -> None:
    """A group that is given stays, and the others have the values of an acknowledgment."""
    usual = kind(UserHeader=mqmq.UserHeader()).UserHeader.Flags
    flags = kind(UserHeader=mqmq.UserHeader(Flags=mqmq.UserHeader.flags["Flags"](DM=mode))).UserHeader.Flags
    assert (flags.DM, flags.replace(DM=usual.DM)) == (mode, usual)


def test_the_offset_of_input_that_is_too_large() -> None:
    """Of a structure without a size of its own, the whole input is too large."""
    data = mqmq.SessionHeader().encode()
    with pytest.raises(msmq_wire.DecodeError) as refused:
        mqmq.SessionHeader.decode(data, limits=msmq_wire.Limits(packet_size=len(data) - 1))
    error = refused.value
    assert (error.structure, error.path, error.offset) == ("SessionHeader", "SessionHeader", 0)


@pytest.mark.parametrize(
    ("name", "size"), [("EstablishConnection", 572), ("ConnectionParameters", 32), ("SessionAck", 36)]
)
def test_internal_packets(name: str, size: int) -> None:
    """Internal packets state their kind and their whole size."""
    made = Record.class_of(name)()
    assert made.BaseHeader.PacketSize == len(made.encode()) == size
    assert made.BaseHeader.Flags.IN == 1
    assert (name == "SessionAck") == made.BaseHeader.Flags.SH
    assert {"SessionAck": 1, "EstablishConnection": 2, "ConnectionParameters": 3}[
        name
    ] == made.InternalHeader.Flags.PT
    assert (made.BaseHeader.VersionNumber, made.BaseHeader.Signature) == (0x10, 0x524F494C)
    assert made.BaseHeader.TimeToReachQueue == 0xFFFFFFFF
    refusing = Record.class_of(name)(
        InternalHeader=mqqb.InternalHeader(Flags=mqqb.InternalHeaderFlags(CS=1, PT=9))
    )
    assert (refusing.InternalHeader.Flags.CS, refusing.InternalHeader.Flags.PT) == (1, 9)


def test_acknowledgments() -> None:
    """OrderAck and FinalAck have no priority; a FinalAck is recoverable."""
    order, final = mqqb.OrderAck(), mqqb.FinalAck()
    assert int(order.BaseHeader.Flags) == int(final.BaseHeader.Flags) == 0
    assert (order.UserHeader.Flags.DM, final.UserHeader.Flags.DM) == (0, 1)
    assert order.BaseHeader.PacketSize == len(order.encode())
    body = mqqb.OrderAckBody(TxSequenceNumber=5)
    assert body.TxPreviousSequenceNumber == 4
    assert mqqb.OrderAckBody().TxPreviousSequenceNumber == 0
    assert mqqb.OrderAckBody(TxSequenceNumber=0).TxPreviousSequenceNumber == 0


def test_remaining_headers() -> None:
    """RemainingHeadersSize sums what follows, in a message and after one."""
    three = {
        "SubqueueHeader": mqrr.SubqueueHeader(),
        "DeadLetterHeader": mqrr.DeadLetterHeader(DeadLetterPathName="ab"),
        "ExtendedAddressHeader": mqrr.ExtendedAddressHeader(),
    }
    for cls in (mqmq.UserMessage, mqrr.MessagePacket):
        made = cls(ExtensionHeader=mqrr.ExtensionHeader(), **three)
        assert made.ExtensionHeader.RemainingHeadersSize == 148 + 12 + 28
        assert made.ExtensionHeader.Flags.to_dict() == {
            "DL": 1, "SQ": 1, "X2": 0, "DI": 0, "EA": 1, "X5": 0, "X6": 0, "X7": 0,
        }  # fmt: skip
        assert cls.decode(made.encode()) == made
        alone = cls(ExtensionHeader=mqrr.ExtensionHeader())
        assert alone.ExtensionHeader.RemainingHeadersSize == 0
        assert int(alone.ExtensionHeader.Flags) == 0
        kept = cls(ExtensionHeader=mqrr.ExtensionHeader(RemainingHeadersSize=5), **three)
        assert kept.ExtensionHeader.RemainingHeadersSize == 5


def test_list_headers() -> None:
    """The three lists of a message bear their numbers."""
    header = mqmq.MultiQueueFormatHeader()
    numbers = [part.HeaderID for part in (header.Destination, header.Administration, header.Response)]
    assert numbers == [0x64, 0xC8, 0x12C]
    assert header.Signature.ID == 0x15E
    assert len(header.encode()) == 44
    kept = mqmq.MultiQueueFormatHeader(Destination=mqmq.MQFAddressHeader(HeaderID=1))
    assert kept.Destination.HeaderID == 1


# ------------------------------------------------------------------------------------------------- lists


@pytest.mark.parametrize(
    ("elements", "paddings"),
    [
        ([public()], [2]),
        ([public(), public()], [2, 2]),
        ([direct("a"), public()], [0, 0]),
        ([direct("ab"), public()], [0, 2]),
        ([direct("abc"), private()], [0, 0]),
        ([direct(""), distribution()], [0, 2]),
        ([direct("a"), direct("b"), public()], [0, 0, 2]),
        ([public(), direct("a"), private(), direct("ab"), distribution()], [2, 0, 0, 0, 2]),
    ],
)
def test_alignment_of_elements(elements: list[Any], paddings: list[int]) -> None:
    """GUIDs of a list start on 4-byte boundaries of its header, whatever odd names stand before them."""
    header = mqmq.MQFAddressHeader(FormatNameList=elements)
    assert [len(element.Padding) for element in header.FormatNameList] == paddings
    assert mqmq.MQFAddressHeader.decode(header.encode()) == header
    assert header.HeaderSize == len(header.encode())
    assert header.HeaderSize % 4 == 0
    offset = 12
    for element in header.FormatNameList:
        start = offset + 2 + len(element.Padding)
        assert start % (2 if element.FormatType == 3 else 4) == 0
        offset += len(element.encode())
    lists = mqmq.MultiQueueFormatHeader(Administration=header, Response=header)
    message = mqmq.UserMessage(MultiQueueFormatHeader=lists)
    assert mw.decode(message.encode()) == message


def test_given_paddings_of_elements() -> None:
    """A padding that was given stays, even where it is in the way."""
    odd = mqmq.MQFFormatNameElement(FormatName=mqmq.PublicQueueFormatName(), Padding=b"xyz")
    header = mqmq.MQFAddressHeader(FormatNameList=[odd])
    assert header.FormatNameList[0].Padding == b"xyz"


def test_address_list_with_size_given() -> None:
    """The right size may be given as well."""
    for name in ("a", "ab", "abc"):
        elements = [direct(name), public()]
        header = mqmq.MQFAddressHeader(FormatNameList=elements)
        assert mqmq.MQFAddressHeader(FormatNameList=elements, HeaderSize=header.HeaderSize) == header


def test_sequences() -> None:
    """Any iterable of elements will do, and a tuple is kept."""
    for given in ([public()], (public(),), iter([public()]), (element for element in [public()])):
        header = mqmq.MQFAddressHeader(FormatNameList=given)
        assert type(header.FormatNameList) is tuple
        assert len(header.FormatNameList) == 1


# ---------------------------------------------------------------------------------------------- defaults

DEFAULTS = {
    "BaseHeader.VersionNumber": 0x10,
    "BaseHeader.Signature": 0x524F494C,
    "BaseHeader.TimeToReachQueue": 0xFFFFFFFF,
    "UserHeader.TimeToBeReceived": 0xFFFFFFFF,
    "UserHeader.QueueManagerAddress": NULL_GUID,
    "MessagePropertiesHeader.HashAlgorithm": 0x800E,
    "MessagePropertiesHeader.EncryptionAlgorithm": 0x6801,
    "MessagePropertiesHeader.CorrelationID": bytes(20),
    "SessionHeader.WindowSize": 0x40,
    "TransactionHeader.TxSequenceNumber": 1,
    "SoapHeader.HeaderSectionID": 0x320,
    "SoapHeader.BodySectionID": 0x384,
    "ConnectionParametersHeader.WindowSize": 64,
    "EstablishConnectionHeader.Padding": b"\x5a" * 512,
    "PingPacket.Signature": 0x5548,
    "SenderCertPublicKey.magic": b"RSA1",
    "SenderCertPublicKey.KeyType": 0x2400,
    "PUBLICKEYBLOB.aiKeyAlg": 0xA400,
    "PUBLICKEYBLOB.bType": 6,
    "SIMPLEBLOB.bType": 1,
    "SIMPLEBLOB.bVersion": 2,
    "SIMPLEBLOB.sessionKeyAlgorithm": 0x6610,
    "SubqueueHeader.SubqueueName": bytes(64),
    "MQDSPUBLICKEY.ulProviderType": 1,
    "XACTUOW.rgb": bytes(16),
    "BaseHeader.Flags.PR": 3,
    "UserHeader.Flags.MP": 1,
    "UserHeader.Flags.DM": 0,
    "MQFSignatureHeader.ID": 0x15E,
    "CompoundMessageHeader.HeaderId": 500,
    "ExtensionHeader.HeaderSize": 12,
    "SubqueueHeader.HeaderSize": 148,
    "ExtendedAddressHeader.HeaderSize": 28,
    "ConnectionParametersHeader.RecoverableAckTimeout": 500,
    "ConnectionParametersHeader.AckTimeout": 20000,
    "EstablishConnectionHeader.OperatingSystem.RE": 0x10,
    "OrderAckBody.TxSequenceNumber": 1,
    "OrderAckBody.TxPreviousSequenceNumber": 0,
    "FinalAckBody.TxSequenceNumber": 1,
    "SenderCertPublicKey.bType": 6,
    "SenderCertPublicKey.bVersion": 2,
    "PUBLICKEYBLOB.bVersion": 2,
    "PUBLICKEYBLOB.magic": b"RSA1",
    "SIMPLEBLOB.aiKeyAlg": 0xA400,
    "EstablishConnection.BaseHeader.Flags.IN": 1,
    "EstablishConnection.BaseHeader.Flags.SH": 0,
    "EstablishConnection.InternalHeader.Flags.PT": 2,
    "ConnectionParameters.BaseHeader.Flags.IN": 1,
    "ConnectionParameters.BaseHeader.Flags.SH": 0,
    "ConnectionParameters.InternalHeader.Flags.PT": 3,
    "SessionAck.BaseHeader.Flags.IN": 1,
    "SessionAck.BaseHeader.Flags.SH": 1,
    "SessionAck.InternalHeader.Flags.PT": 1,
    "OrderAck.BaseHeader.Flags.PR": 0,
    "FinalAck.BaseHeader.Flags.PR": 0,
    "FinalAck.UserHeader.Flags.DM": 1,
    "MultiQueueFormatHeader.Destination.HeaderID": 0x64,
    "MultiQueueFormatHeader.Administration.HeaderID": 0xC8,
    "MultiQueueFormatHeader.Response.HeaderID": 0x12C,
    "ChangePropagationMessage.BaseReplicationHeader.Operation": 0,
    "ChangeRequestHeader.BaseReplicationHeader.Operation": 1,
    "SyncRequestMessage.BaseReplicationHeader.Operation": 2,
    "SyncReplyHeader.BaseReplicationHeader.Operation": 3,
    "ChangeReplyMessage.BaseReplicationHeader.Operation": 4,
    "AlreadyPurgedMessage.BaseReplicationHeader.Operation": 5,
    "PSCAckMessage.BaseReplicationHeader.Operation": 6,
    "BSCAckMessage.BaseReplicationHeader.Operation": 7,
}


@pytest.mark.tables
@for_each("path", lambda: DEFAULTS)
def test_defaults(path: str) -> None:
    """What a field holds when it is left out."""
    name, _, field = path.partition(".")
    assert attrgetter(field)(Record.class_of(name)()) == DEFAULTS[path]


def test_dependent_defaults() -> None:
    """Defaults that depend on other fields."""
    assert mqmq.MessagePropertiesHeader(PrivacyLevel=5).EncryptionAlgorithm == 0x6610
    assert mqmq.MessagePropertiesHeader(PrivacyLevel=3).EncryptionAlgorithm == 0x6801
    assert mqmq.MessagePropertiesHeader(PrivacyLevel=5, EncryptionAlgorithm=0).EncryptionAlgorithm == 0
    certificate = b"certificate"
    made = mqmq.MQUSERSIGNCERT(Certificate=certificate)
    assert made.Digest == hashlib.md5(certificate, usedforsecurity=False).digest()
    assert mqmq.MQUSERSIGNCERT(Certificate=certificate, Digest=bytes(16)).Digest == bytes(16)
    assert mqqb.EstablishConnectionHeader().OperatingSystem.RE == 0x10


@for_each("name", lambda: [name for name in NAMES if name != "MQFFormatNameElement"])
def test_nothing_given(name: str) -> None:
    """Every structure can be built of nothing and read again."""
    made = Record.class_of(name)()
    if not structures()[name].scoped:
        assert type(made).decode(made.encode()) == made
    for field in made.layout.fields:
        if not field.present and not isinstance(field.kind, Choice):
            assert getattr(made, field.name) is not None


# ------------------------------------------------------------------------------------------ mw.replace


def test_replace_computes_anew() -> None:
    """Sizes, counts, paddings, presence flags and selectors follow; the rest stays."""
    message = mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(Reserved=9, Flags=mqmq.BaseHeaderFlags(PR=5)),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="x", MessageBody=b"abc"),
    )
    properties = mw.replace(message.MessagePropertiesHeader, MessageBody=bytes(50))
    assert (properties.MessageSize, properties.AllocationBodySize, properties.Label) == (50, 50, "x\0")
    assert len(properties.encode()) % 4 == 0
    longer = mw.replace(message, MessagePropertiesHeader=properties)
    assert longer.BaseHeader.PacketSize == len(longer.encode())
    assert (longer.BaseHeader.Reserved, longer.BaseHeader.Flags.PR) == (9, 5)
    with_debug = mw.replace(longer, DebugHeader=mqmq.DebugHeader(), SoapHeader=mqmq.SoapHeader(Body="b"))
    assert (with_debug.BaseHeader.Flags.DH, with_debug.UserHeader.Flags.HH) == (1, 1)
    assert mw.decode(with_debug.encode()) == with_debug
    back = mw.replace(
        with_debug, DebugHeader=None, SoapHeader=None, MessagePropertiesHeader=message.MessagePropertiesHeader
    )
    assert back == message


def test_replace_on_read_packets() -> None:
    """The same for what was read, where nothing is marked as left out."""
    message = mw.decode(
        mqmq.UserMessage(UserHeader=mqmq.UserHeader(DestinationQueue=mqmq.PublicQueueFormatName())).encode()
    )
    user = mw.replace(
        message.UserHeader, DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\b")
    )
    assert user.Flags.DQ == 7
    moved = mw.replace(message, UserHeader=user, SessionHeader=mqmq.SessionHeader())
    assert (moved.BaseHeader.PacketSize, moved.BaseHeader.Flags.SH) == (len(moved.encode()) - 16, 1)
    assert mw.decode(moved.encode()) == moved
    connector = mw.replace(message.UserHeader, ConnectorType=QM)
    assert connector.Flags.CQ == 1
    assert mw.replace(connector, ConnectorType=None) == message.UserHeader


def test_replace_decides_between_forms_anew() -> None:
    change = mqdsrp.DirectoryChange(PathName="abc")
    moved = mw.replace(change, PathName=None, GuidIdentifier=QM)
    assert (change.UseGuid, moved.UseGuid) == (0, 1)
    assert mw.replace(moved, PathName="abc", GuidIdentifier=None) == change
    element = mw.replace(public(), FormatName=direct("abc").FormatName)
    assert (public().FormatType, element.FormatType) == (1, 3)
    assert mw.replace(element, FormatName=public().FormatName) == public()


def test_replace_keeps_what_is_named() -> None:
    """A named field is kept as given, even if it is a size."""
    properties = mqmq.MessagePropertiesHeader(MessageBody=b"abc")
    bent = mw.replace(properties, MessageSize=1000)
    assert (bent.MessageSize, bent.MessageBody) == (1000, b"abc")
    assert mw.replace(bent, ApplicationTag=1).MessageSize == 3
    assert mw.replace(properties, MessageBody=b"", AllocationBodySize=7).AllocationBodySize == 7
    user = mw.replace(mqmq.UserHeader(), Flags=mqmq.UserHeaderFlags(0))
    assert int(user.Flags) == 0


def test_replace_keeps_a_size_that_only_has_a_least_value() -> None:
    """More may be allocated than the body needs; another body needs another size (errata M43)."""
    properties = mqmq.MessagePropertiesHeader(MessageBody=b"abc", AllocationBodySize=4096)
    assert mw.replace(properties) == properties
    assert mw.replace(properties, ApplicationTag=1).AllocationBodySize == 4096
    assert mw.replace(properties, MessageBody=b"abcd").AllocationBodySize == 4


def test_replace_keeps_paddings() -> None:
    """Paddings that keep their size keep their bytes."""
    properties = mqmq.MessagePropertiesHeader(MessageBody=b"abc", Padding=b"\xee")
    assert mw.replace(properties, MessageBody=b"xyz").Padding == b"\xee"
    assert mw.replace(properties, ApplicationTag=3).Padding == b"\xee"
    assert mw.replace(properties, MessageBody=b"xy").Padding == bytes(2)
    assert mw.replace(properties, MessageBody=b"xyz", Padding=b"\x11").Padding == b"\x11"
    establish = mqqb.EstablishConnectionHeader(Padding=b"\x01" * 512)
    assert mw.replace(establish, TimeStamp=3).Padding == b"\x01" * 512


def test_replace_lists() -> None:
    """A list that changes has its count, its size and its paddings anew."""
    header = mqmq.MQFAddressHeader(FormatNameList=[public()], HeaderID=0x64)
    longer = mw.replace(header, FormatNameList=[direct("abc"), public()])
    assert (longer.ElementCount, longer.HeaderID) == (2, 0x64)
    assert longer == mqmq.MQFAddressHeader(FormatNameList=[direct("abc"), public()], HeaderID=0x64)
    keys = mw.replace(mqmq.MQDSPUBLICKEYS(), aPublicKeys=[mqmq.MQDSPUBLICKEY(aBuf=b"123")])
    assert (keys.ulLen, keys.cNumofKeys) == (23, 1)
    letter = mw.replace(mqrr.DeadLetterHeader(), DeadLetterPathName="abc")
    assert letter.HeaderSize == len(letter.encode()) == 12
    security = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=b"abc"))
    assert mw.replace(security, SecurityData=mqmq.SecurityData(Signature=b"xy")).SignatureSize == 2
    assert mw.replace(security, SecurityData=None).SenderIdSize == 0


def test_replace_remaining_headers() -> None:
    """What announces the last headers follows them."""
    packet = mqrr.MessagePacket(ExtensionHeader=mqrr.ExtensionHeader(), SubqueueHeader=mqrr.SubqueueHeader())
    more = mw.replace(packet, ExtendedAddressHeader=mqrr.ExtendedAddressHeader())
    assert (more.ExtensionHeader.RemainingHeadersSize, more.ExtensionHeader.Flags.EA) == (176, 1)
    assert mqrr.MessagePacket.decode(more.encode()) == more


def test_replace_keeps_unterminated_text() -> None:
    """A text that nobody names stays, terminated or not."""
    for record in (
        mqmq.MessagePropertiesHeader(Label="abc", LabelLength=3),
        mqmq.SoapHeader(Header="abc", HeaderDataLength=3, Body="x\0y", BodyDataLength=3),
        mqrr.SRMPEnvelopeHeader(Data="ab", DataLength=2),
        mqmq.DirectQueueFormatName(DirectFormatName="ab", Count=4),
        mqmq.MQDSPUBLICKEY(sProviderName="ab", ulProviderLen=4),
    ):
        read = type(record).decode(record.encode())
        assert mw.replace(read) == read
    label = mqmq.MessagePropertiesHeader(Label="abc", LabelLength=3)
    assert mw.replace(label, ApplicationTag=1).Label == "abc"
    assert mw.replace(label, Label="xyz").Label == "xyz\0"


def test_replace_keeps_fitting_presence() -> None:
    """A flag that already says the truth stays as it is."""
    debug = mqmq.DebugHeader(Flags=mqmq.DebugHeaderFlags(QT=2, X9=1))
    assert mw.replace(debug, Reserved=1).Flags == debug.Flags
    user = mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(RQ=1))
    assert mw.replace(user, MessageID=5).Flags == user.Flags
    assert mw.replace(debug, QueueIdentifier=QM).Flags.QT == 1


def test_replace_refuses_a_part_twice() -> None:
    """A number that is named must not be lost without a word."""
    packet = mqqb.SessionAck()
    for changes, path in (
        ({"BaseHeader": mqmq.BaseHeader(Reserved=7), "BaseHeader.PacketSize": 99}, "SessionAck.BaseHeader"),
        ({"BaseHeader.Flags": 0, "BaseHeader.Flags.PR": 1}, "BaseHeader.Flags"),
    ):
        with pytest.raises(mw.EncodeError, match="is given as a whole, and so is a part of it") as caught:
            mw.replace(packet, changes)
        assert caught.value.path == path
    with pytest.raises(mw.WrongTypeError, match="the name of a change: expected text, got int"):
        mw.replace(packet, {5: 1})


def test_replace_refuses() -> None:
    """Replacing checks as building does, and leaves the old record alone."""
    old = mqmq.TxSequenceID(Ordinal=1, TimeStamp=2)
    assert refusal(mw.replace, old, Ordinal=1 << 32)["path"] == "TxSequenceID.Ordinal"
    assert refusal(mw.replace, old, Nothing=1)["problem"] == "no such field"
    assert mw.replace(old) == old
    assert mw.replace(old, Ordinal=7) == mqmq.TxSequenceID(Ordinal=7, TimeStamp=2)
    assert old == mqmq.TxSequenceID(Ordinal=1, TimeStamp=2)


@for_each("name", lambda: [name for name in NAMES if name != "MQFFormatNameElement"])
def test_replace_nothing(name: str) -> None:
    """Replacing nothing changes nothing."""
    made = Record.class_of(name)()
    assert mw.replace(made) == made
    assert mw.replace(made).encode() == made.encode()


# --------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("name", "field", "low", "high"),
    [
        ("BaseHeader", "VersionNumber", 0, 0xFF),
        ("SessionHeader", "WindowSize", 0, 0xFFFF),
        ("TxSequenceID", "Ordinal", 0, 0xFFFFFFFF),
        ("SEQUENCE_INFO", "SeqID", -(1 << 63), (1 << 63) - 1),
        ("MessagePropertiesHeader", "LabelLength", 0, 0xFF),
    ],
)
def test_ranges(name: str, field: str, low: int, high: int) -> None:
    """Numbers at the edges are taken, those beyond are refused with the range."""
    cls = Record.class_of(name)
    for value in (low, high):
        assert getattr(cls(**{field: value}), field) == value
    wrong: tuple[object, ...] = (low - 1, high + 1, "1", 1.0, b"1")
    for bad in wrong:
        assert refusal(cls, **{field: bad}) == {
            "problem": f"expected {low} to {high}, got {bad!r}",
            "structure": name,
            "path": f"{name}.{field}",
            "expected": f"{low} to {high:#x}",
            "actual": bad,
        }


@for_each("name", lambda: NAMES + DIRECTORY_NAMES)
def test_range_of_every_number(name: str) -> None:
    """One less than the least number that fits the field and one more than the largest are refused."""
    for field in structures()[name].fields:
        if isinstance(field.kind, Integer):
            bits, signed = field.kind.size * 8, field.kind.format.islower()
            low, high = (-1 << bits - 1, 1 << bits - 1) if signed else (0, 1 << bits)
            for bad in (low - 1, high):
                error = refusal(Record.class_of(name), **{field.name: bad})
                assert (error["path"], error["actual"]) == (f"{name}.{field.name}", bad)


def test_numbers_become_plain() -> None:
    """Members of enumerations and truth values are stored as numbers."""
    made = mqmq.MessagePropertiesHeader(
        MessageClass=mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT, PrivacyLevel=True
    )
    assert type(made.MessageClass) is int
    assert type(made.PrivacyLevel) is int
    assert made.MessageClass == mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT


@pytest.mark.parametrize("value", [bytes(3), bytearray(3), memoryview(bytes(3))])
def test_bytes_like(value: Any) -> None:
    """Bytes of any kind are copied."""
    made = mqmq.TA_ADDRESS(Address=value)
    assert type(made.Address) is bytes
    assert hash(made) == hash(mqmq.TA_ADDRESS(Address=bytes(3)))


def test_wrong_types() -> None:
    """Each kind of field refuses what is not of its kind."""
    assert refusal(mqmq.TA_ADDRESS, Address="ab") == {
        "problem": "expected bytes, got str",
        "structure": "TA_ADDRESS",
        "path": "TA_ADDRESS.Address",
        "expected": "bytes",
        "actual": "ab",
    }
    assert refusal(mqmq.MessagePropertiesHeader, Label=b"ab") == {
        "problem": "expected text, got bytes",
        "structure": "MessagePropertiesHeader",
        "path": "MessagePropertiesHeader.Label",
        "expected": "str",
        "actual": b"ab",
    }
    assert refusal(mqmq.TransactionHeader, TxSequenceID=5) == {
        "problem": "expected TxSequenceID, got int",
        "structure": "TransactionHeader",
        "path": "TransactionHeader.TxSequenceID",
        "expected": "TxSequenceID",
        "actual": 5,
    }
    assert refusal(mqmq.MQUSERSIGNCERTS, Certificates=5) == {
        "problem": "expected a sequence, got int",
        "structure": "MQUSERSIGNCERTS",
        "path": "MQUSERSIGNCERTS.Certificates",
        "expected": "MQUSERSIGNCERT",
        "actual": 5,
    }
    assert refusal(mqmq.MQUSERSIGNCERTS, Certificates=[mqmq.MQUSERSIGNCERT(), None]) == {
        "problem": "expected MQUSERSIGNCERT, got NoneType",
        "structure": "MQUSERSIGNCERTS",
        "path": "MQUSERSIGNCERTS.Certificates[1]",
        "expected": "MQUSERSIGNCERT",
        "actual": None,
    }
    assert refusal(mqmq.UserHeader, SourceQueueManager="no") == {
        "problem": "expected a GUID, got 'no'",
        "structure": "UserHeader",
        "path": "UserHeader.SourceQueueManager",
        "expected": "a GUID, a uuid.UUID, its text, or 16 bytes",
        "actual": "no",
    }
    found = refusal(mqmq.UserHeader, DestinationQueue=mqmq.PrivateQueueFormatName())
    assert found["problem"] == f"expected one of {found['expected']}, got PrivateQueueFormatName"
    assert found["path"] == "UserHeader.DestinationQueue"
    assert found["expected"] == "PrivateQueueFormatNameId, PublicQueueFormatName, DirectQueueFormatName"


@pytest.mark.parametrize("form", ["OS:a\\b", 3, object()])
def test_wrong_form(form: object) -> None:
    """A form is a record, whatever the name of the class of something else."""
    assert refusal(mqmq.UserHeader, AdminQueue=form)["actual"] is form

    @dataclasses.dataclass
    class PublicQueueFormatName:
        """A class of someone else."""

    assert refusal(mqmq.UserHeader, AdminQueue=PublicQueueFormatName())["path"] == "UserHeader.AdminQueue"


@pytest.mark.parametrize("value", [GUID(b"abc"), GUID(bytes(17)), GUID(5), GUID("a" * 16), GUID(None)])  # type: ignore[arg-type]  # that is the point
def test_malformed_guid(value: GUID) -> None:
    """A GUID that does not hold sixteen bytes is refused when it is put into a record."""
    found = refusal(mqmq.UserHeader, SourceQueueManager=value)
    assert (found["path"], found["actual"]) == ("UserHeader.SourceQueueManager", value)


def test_guids_become_guids() -> None:
    """Whatever means a GUID is stored as one."""
    for value in (QM, uuid.UUID(QM), GUID.of(QM), GUID.of(QM).bytes_le, bytearray(GUID.of(QM).bytes_le)):
        assert mqmq.PublicQueueFormatName(PublicQueueIdentifier=value).PublicQueueIdentifier == GUID.of(QM)


def test_wrong_lengths() -> None:
    """Arrays of fixed size take exactly that."""
    for size in (0, 19, 21):
        assert refusal(mqmq.MessagePropertiesHeader, CorrelationID=bytes(size)) == {
            "problem": f"expected 20 bytes, got {size}",
            "structure": "MessagePropertiesHeader",
            "path": "MessagePropertiesHeader.CorrelationID",
            "expected": 20,
            "actual": size,
        }


def test_unknown_fields() -> None:
    """A field that does not exist is refused with those that do."""
    assert refusal(mqmq.TxSequenceID, Timestamp=1) == {
        "problem": "no such field; did you mean TimeStamp?",
        "structure": "TxSequenceID",
        "path": "TxSequenceID.Timestamp",
        "expected": "Ordinal, TimeStamp",
        "actual": 1,
    }


def test_given_twice() -> None:
    """A field by place and by name: Python itself refuses that, as of every function."""
    with pytest.raises(TypeError, match="multiple values for argument 'Ordinal'"):
        mqmq.TxSequenceID(1, Ordinal=2)


def test_too_many_positional() -> None:
    """More values than fields."""
    assert refusal(mqmq.TxSequenceID, 1, 2, 3) == {
        "problem": "expected at most 2 fields, got 3",
        "structure": "TxSequenceID",
        "path": "TxSequenceID",
        "expected": None,
        "actual": (3,),
    }


def test_positional() -> None:
    """Values by place stand in page order; None leaves out."""
    assert mqmq.TxSequenceID(1, 2) == mqmq.TxSequenceID(Ordinal=1, TimeStamp=2)
    assert mqmq.TxSequenceID(1) == mqmq.TxSequenceID(Ordinal=1)
    assert mqmq.TA_ADDRESS(None, 1, b"abcd").AddressLength == 4
    assert mqmq.SessionHeader(1, WindowSize=None).WindowSize == 0x40


# ------------------------------------------------------------------------------------------------- flags


def test_flags() -> None:
    """A word of groups is a number; each group is an attribute."""
    word = mqmq.UserHeaderFlags(0x281C00)
    assert (word, word.DQ, word.SH, word.MP, word.DM) == (0x281C00, 7, 1, 1, 0)
    assert repr(word) == str(word) == "UserHeaderFlags(DQ=7, SH=1, MP=1)"
    assert repr(mqmq.BaseHeaderFlags(0)) == "BaseHeaderFlags(0)"
    assert mqmq.UserHeaderFlags(0x281C00, DQ=0) == 0x280000
    assert word.replace(DQ=5, DM=1) == mqmq.UserHeaderFlags(0x281C00, DQ=5, DM=1)
    assert mqmq.BaseHeaderFlags() == mqmq.BaseHeaderFlags(PR=3) == 3
    assert repr(mqmq.BaseHeaderFlags(IN=1)) == "BaseHeaderFlags(PR=3, IN=1)"
    assert word.to_dict()["DQ"] == 7
    assert isinstance(word, int)
    assert list(mqmq.MessagePropertiesHeaderFlags(0x1F).to_dict().items()) == [
        ("PA", 1), ("PR", 1), ("NA", 1), ("NR", 1), ("X", 1),
    ]  # fmt: skip


def test_replaced_flags_are_given() -> None:
    """Every group of a replaced word counts as given."""
    word = mqmq.UserHeaderFlags(DM=1).replace(JN=1)
    message = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(Flags=word), TransactionHeader=mqmq.TransactionHeader()
    )
    assert message.UserHeader.Flags == word
    assert message.UserHeader.Flags.TH == 0


def test_flags_refuse() -> None:
    """Groups and words that do not fit."""
    assert refusal(mqmq.BaseHeaderFlags, PR=8) == {
        "problem": "expected 0 to 7, got 8",
        "structure": "BaseHeader",
        "path": "BaseHeader.Flags.PR",
        "expected": "0 to 0x7",
        "actual": 8,
    }
    assert refusal(mqmq.BaseHeaderFlags, IN=2)["problem"] == "expected 0 to 1, got 2"
    assert refusal(mqmq.BaseHeaderFlags, IN=-1)["actual"] == -1
    assert refusal(mqmq.BaseHeaderFlags, IN="1")["actual"] == "1"
    assert refusal(mqmq.DebugHeaderFlags, XX=1) == {
        "problem": "DebugHeaderFlags has no group XX",
        "structure": "DebugHeader",
        "path": "DebugHeader.Flags.XX",
        "expected": "QT, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15",
        "actual": "XX",
    }
    assert refusal(mqmq.BaseHeaderFlags, 0x10000) == {
        "problem": "expected 0 to 65535, got 65536",
        "structure": "BaseHeader",
        "path": "BaseHeader.Flags",
        "expected": "0 to 0xffff",
        "actual": 0x10000,
    }
    assert refusal(mqmq.BaseHeader, Flags=-1)["path"] == "BaseHeader.Flags"
    assert refusal(mqmq.BaseHeader, Flags="3")["actual"] == "3"
    assert refusal(mqmq.BaseHeaderFlags(0).replace, PR=9)["actual"] == 9


def test_flags_from_many_words() -> None:
    """More words than are remembered read all the same."""
    for word in range(0, 0x10000, 13):
        assert mqmq.BaseHeader.decode(bytes(2) + word.to_bytes(2, "little") + bytes(12)).Flags == word
    assert len(mqmq.BaseHeaderFlags.cache) <= 4096


# ------------------------------------------------------------------------------------------- the classes


def test_immutable() -> None:
    """Records cannot be changed."""
    made = mqmq.TxSequenceID(1, 2)
    with pytest.raises(AttributeError):
        made.Ordinal = 3
    with pytest.raises(AttributeError):
        made.Other = 3
    with pytest.raises((AttributeError, TypeError)):
        del made.Ordinal
    assert not hasattr(made, "__dict__")


def test_equality_and_hash() -> None:
    """Records are equal if they are of one class with equal fields, and then hash alike."""
    one, two = mqmq.UserMessage(), mqmq.UserMessage()
    assert one is not two
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two, mw.decode(one.encode())}) == 1
    assert mqmq.TxSequenceID(1, 2) != mqmq.TxSequenceID(2, 1)
    assert mqmq.PublicQueueFormatName() != mqmq.MQFDistributionQueueFormatName()
    assert mqmq.TxSequenceID(1, 2) != (1, 2)


def test_repr() -> None:
    """Fields as given to the class; absent parts and empty fillers are left out, long bytes cut."""
    assert repr(mqmq.TxSequenceID(1, 2)) == "TxSequenceID(Ordinal=1, TimeStamp=2)"
    assert (
        repr(mqmq.PublicQueueFormatName(QM))
        == f"PublicQueueFormatName(PublicQueueIdentifier=GUID.of('{QM}'))"
    )
    assert repr(mqmq.DebugHeader()) == "DebugHeader(Flags=DebugHeaderFlags(0))"
    assert repr(mqmq.DebugHeader(Reserved=3)) == "DebugHeader(Flags=DebugHeaderFlags(0), Reserved=3)"
    assert "Padding" not in repr(mqmq.MessagePropertiesHeader(MessageBody=b"a"))
    assert "Padding=b'xyz'" in repr(mqmq.MessagePropertiesHeader(MessageBody=b"a", Padding=b"xyz"))
    assert "MessageBody=<33 bytes 6161616161616161...>" in repr(
        mqmq.MessagePropertiesHeader(MessageBody=b"a" * 33)
    )
    assert f"MessageBody={b'a' * 32!r}" in repr(mqmq.MessagePropertiesHeader(MessageBody=b"a" * 32))
    assert "TransactionHeader" not in repr(mqmq.UserMessage())
    label = mqmq.MessagePropertiesHeader(Label="what is behind an absent part")
    assert "Label='what is behind an absent part\\x00'" in repr(
        mqmq.UserMessage(MessagePropertiesHeader=label)
    )
    assert "Flags=" in repr(mqmq.BaseHeader())  # behind an empty filler


@for_each("name", lambda: [name for name in NAMES if name != "MQFFormatNameElement"])
def test_repr_builds(name: str) -> None:
    """A repr without cut bytes builds the record again."""
    made = Record.class_of(name)()
    text = repr(made)
    if "...>" not in text:
        names = {
            key: value
            for module in (mqmq, mqqb, mqrr)
            for key, value in vars(module).items()
            if not key.startswith("_")
        }
        names |= {known: Record.class_of(known) for known in NAMES}
        assert eval(text, {"GUID": GUID, **names}) == made  # noqa: S307  # our own repr


def test_parts_are_records() -> None:
    """A part that is always there is built when it is left out."""
    for name in NAMES:
        if name == "MQFFormatNameElement":
            continue
        made = Record.class_of(name)()
        for field in made.layout.fields:
            if isinstance(field.kind, Nested) and not field.present:
                assert type(getattr(made, field.name)) is Record.class_of(field.kind.structure.name)


def test_huge_numbers() -> None:
    """A number too long to be shown is refused like any other."""
    for huge in (1 << 20000, -(1 << 20000)):
        found = refusal(mqmq.TxSequenceID, Ordinal=huge)
        assert (found["path"], found["actual"]) == ("TxSequenceID.Ordinal", huge)
        assert refusal(mqmq.BaseHeaderFlags, huge)["path"] == "BaseHeader.Flags"
        assert refusal(mqmq.BaseHeaderFlags, IN=huge)["path"] == "BaseHeader.Flags.IN"
        assert refusal(mqmq.UserHeader, SourceQueueManager=huge)["path"] == "UserHeader.SourceQueueManager"


@for_each("name", lambda: NAMES)
@hypothesis.given(st.data())
def test_sizes(name: str, data: st.DataObject) -> None:
    """A size is computed without writing, and is that of what is written."""
    record = data.draw(drafts(structures()[name], tidy=False))
    assert record._size() == len(record.encode())


def test_open_words_are_bounded() -> None:
    """Words of which only some groups were given are remembered, but not without end."""
    for number in range(1 << 13):
        groups = {f"X{bit}": number >> bit & 1 for bit in range(1, 7)}
        word = mqmq.BaseHeaderFlags(**groups, PR=number & 7, TR=number >> 7 & 1)
        assert mqmq.BaseHeader(Flags=word).Flags == word
    assert len(mqmq.BaseHeaderFlags.open_words) <= 4096


@pytest.mark.parametrize("number", [-1, 1 << 32])
def test_numbers_of_a_list_have_a_range(number: int) -> None:
    for cls, field in ((mw.mqcn.NotificationUpdate, "PropertyId"), (mqdsrp.DirectoryChange, "PropertyID")):
        with pytest.raises(mw.EncodeError, match="does not fit 4 bytes") as caught:
            cls(**{field: [0xFFFFFFFF, number], "PropertyValue": [mw.PropertyValue(3, 1)] * 2})
        assert caught.value.path == f"{cls.__name__}.{field}[1]"


def test_the_error_behind_a_text_is_behind_it() -> None:
    """A count of bytes is not one of characters."""
    raw = mqmq.MQDSPUBLICKEY(sProviderName="abc", aBuf=b"key").encode()
    with pytest.raises(mw.DecodeError) as caught:
        mqmq.MQDSPUBLICKEY.decode(raw[:-1])
    assert (caught.value.path, caught.value.offset) == ("MQDSPUBLICKEY.aBuf", 20)


def test_a_text_without_its_number() -> None:
    with pytest.raises(
        mw.EncodeError, match=r"must be absent when Count is 0 - at `SeqNumberHeader\.MachineName`"
    ):
        mqdsrp.SeqNumberHeader(MachineName="x")


@pytest.mark.parametrize(
    ("kind", "names"),
    [(mw.mqcn.NotificationUpdate, "PropertyId"), (mqdsrp.DirectoryChange, "PropertyID")],
)
def test_more_properties_than_a_byte_counts(kind: Any, names: str) -> None:
    def with_properties(count: int) -> Any:
        return kind(PathName="a", **{names: (101,) * count, "PropertyValue": (NULL_GUID,) * count})

    assert with_properties(255).NumberOfProperties == 255
    with pytest.raises(EncodeError, match="expected at most 255 elements"):
        with_properties(256)
