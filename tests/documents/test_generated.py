"""The generated modules: every group, every refusal of a builder, every decoder of packets."""

from __future__ import annotations

import pkgutil
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_parts import fields_of_kind
from support_rows import for_each, table
from support_specs import load_vectors

from msmq_wire import DecodeError, EncodeError, Limits, Record, mqcn, mqdsrp, mqmq, mqqb, mqrr
from msmq_wire import testing as mt
from msmq_wire.checks.rules import RULES
from msmq_wire.compiler.pages import Pages
from msmq_wire.documents import builders
from msmq_wire.documents.layouts import structures
from msmq_wire.records import replacing
from msmq_wire.records.model import Bytes, Flags, Integer, Items, Nested, Text
from msmq_wire.records.registry import DECODERS, PACKETS
from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.reject import UNREADABLE, Reject

if TYPE_CHECKING:
    from collections.abc import Iterator

OPEN_ENDED = {"NotificationBody"}
"""Structures that take all bytes there are."""
LOADED = (mqcn, mqdsrp, mqmq, mqqb, mqrr)  # all structures have their classes
NAMES = table(lambda: [*structures()])
WORDS = table(
    lambda: [
        f"{name}.{field.name}"
        for name, structure in structures().items()
        for field in structure.fields
        if isinstance(field.kind, Flags)
    ]
)
FRAMES = table(lambda: [vector for vector in load_vectors() if vector.packet in PACKETS])


def test_layouts_are_those_of_the_definitions() -> None:
    """The generated layouts, and what dissect.cstruct and the tables of relations give now."""
    known = dict(structures())
    read = Pages.read().done  # it makes what is read known instead
    structures().update(known)
    assert known.keys() == read.keys()
    for name, structure in known.items():
        assert repr(structure) == repr(read[name])


@for_each("name", NAMES)
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


@for_each("name", NAMES)
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


@for_each("name", NAMES)
def test_builders_know_what_fits_a_field(name: str) -> None:
    """Of bytes of a fixed size exactly so many; of a number all that its bytes can hold, and no more."""
    cls = Record.class_of(name)
    for field in structures()[name].fields:
        kind = field.kind
        if isinstance(kind, Bytes) and isinstance(kind.count, int):
            fitting: list[Any] = [b"\1" * kind.count, b"\xff" * kind.count]
            others: list[Any] = [b"\1" * size for size in (kind.count - 1, kind.count + 1)]
        elif isinstance(kind, Integer) and not field.present:
            half, whole = 1 << 8 * kind.size - 1, 1 << 8 * kind.size
            low, high = (-half, half) if kind.format.islower() else (0, whole)
            fitting, others = [low, low + 1, high - 2, high - 1], [low - 1, high]
        else:
            continue
        for value in fitting:
            with suppress(EncodeError):  # of a count or a selector what fits may not agree with the rest
                assert getattr(cls(**{**NEEDED.get(name, {}), field.name: value}), field.name) == value
        for value in others:
            with pytest.raises(EncodeError) as caught:
                cls(**{field.name: value})
            assert caught.value.path == f"{name}.{field.name}"
            assert caught.value.actual == (len(value) if isinstance(value, bytes) else value)


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
        try:
            whole, at = DECODERS[name](part, 0, end, DEFAULT_LIMITS)
        except Reject:
            assert made is None
        else:
            assert made == (whole if at == end else None)
        assert made is None or made.encode() == part


@for_each("vector", FRAMES, ids=lambda vector: f"{vector.source}:{vector.name}")
def test_decoders_of_packets_agree(vector: Any) -> None:
    """The one that shares numbers, and the one of the structure, make the same of a packet, at every cut."""
    size = len(vector.data)
    agreed(vector.packet, vector.data, [*range(0, size, 1 + size // 300), size])


@for_each("name", lambda: [*PACKETS])
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


@for_each("name", WORDS)
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


USUAL = {
    # [MS-MQMQ] 2.2.19 and 2.2.20
    "BaseHeader.VersionNumber": 0x10,
    "BaseHeader.Signature": int.from_bytes(b"LIOR", "little"),
    "BaseHeader.TimeToReachQueue": 0xFFFFFFFF,
    "UserHeader.TimeToBeReceived": 0xFFFFFFFF,
    "MessagePropertiesHeader.HashAlgorithm": 0x800E,  # SHA-512
    "MessagePropertiesHeader.EncryptionAlgorithm": 0x6801,  # RC4
    "MQFSignatureHeader.ID": 0x15E,
    "SoapHeader.HeaderSectionID": 0x320,
    "SoapHeader.BodySectionID": 0x384,
    # [MS-MQMQ] 2.2.1 and 2.2.2: sizes and providers of keys
    "MQDSPUBLICKEY.ulProviderType": 1,
    "MQDSPUBLICKEYS.ulLen": 8,
    "MQFAddressHeader.HeaderSize": 12,
    # [MS-MQQB] 2.2 and 2.4
    "SessionHeader.WindowSize": 64,
    "TransactionHeader.TxSequenceNumber": 1,
    "FinalAckBody.TxSequenceNumber": 1,
    "OrderAckBody.TxSequenceNumber": 1,
    "ConnectionParametersHeader.RecoverableAckTimeout": 500,
    "ConnectionParametersHeader.AckTimeout": 20_000,
    "ConnectionParametersHeader.WindowSize": 64,
    "PingPacket.Signature": 0x5548,
    "SenderCertPublicKey.bType": 6,
    "SenderCertPublicKey.bVersion": 2,
    "SenderCertPublicKey.KeyType": 0x2400,
    "SenderCertPublicKey.PublicExponent": 65537,
    "PUBLICKEYBLOB.bType": 6,
    "PUBLICKEYBLOB.bVersion": 2,
    "PUBLICKEYBLOB.aiKeyAlg": 0xA400,
    "PUBLICKEYBLOB.pubExp": 65537,
    "SIMPLEBLOB.bType": 1,
    "SIMPLEBLOB.bVersion": 2,
    "SIMPLEBLOB.sessionKeyAlgorithm": 0x6610,
    "SIMPLEBLOB.aiKeyAlg": 0xA400,
    # [MS-MQRR] 2.2.5
    "CompoundMessageHeader.HeaderId": 500,
    "ExtensionHeader.HeaderSize": 12,
    "SubqueueHeader.HeaderSize": 148,
    "DeadLetterHeader.HeaderSize": 8,
    "ExtendedAddressHeader.HeaderSize": 28,
}
"""Numbers that are not 0 if they are not given."""
NEEDED: dict[str, dict[str, Any]] = {
    "DirectoryChange": {"PathName": ""},
    "NotificationUpdate": {"PathName": ""},
    "ChangeRequestMessage": {"DirectoryChange": mqdsrp.DirectoryChange(PathName="")},
    "ChangeNotificationMessage": {"Data": mqcn.NotificationBody()},
    "MQFFormatNameElement": {"FormatName": mqmq.MQFDirectQueueFormatName()},
}
"""What cannot be left out."""
MADE_OF = {
    "ChangeNotificationMessage.Version": 2,
    "ChangeNotificationMessage.NumberOfUpdateNotifications": 1,
    "MQFFormatNameElement.FormatType": 3,
}
"""Numbers that follow from that."""


@for_each("name", NAMES)
def test_numbers_that_are_not_given(name: str) -> None:
    record = Record.class_of(name)(**NEEDED.get(name, {}))
    for field in record.layout.fields:
        value = getattr(record, field.name)
        if isinstance(field.kind, Integer) and value is not None:
            path = f"{name}.{field.name}"
            assert (path, value) == (path, MADE_OF.get(path, USUAL.get(path, _required(name, field.name))))


def _required(structure: str, field: str) -> Any:
    """The only number that a requirement allows; 0 if there is no such requirement."""
    rules = (
        rule
        for rule in RULES.get(structure, ())
        if rule.path == field and rule.operator == "==" and not rule.when
    )
    return next((rule.value for rule in rules), 0)


@for_each(
    ("name", "field"),
    lambda: fields_of_kind(Text),
)
def test_two_halves_in_a_text_are_one_character(name: str, field: str) -> None:
    """As they are read; and nothing but text is one."""
    cls, given = Record.class_of(name), dict(NEEDED.get(name, {}))
    if name == "SeqNumberHeader":  # which has no text without these
        given["PartitionSeqNumbers"] = [mqdsrp.PARTITION_SEQ_NUMBERS()]
    for text in ("\ud83d\ude00", "a\ud83d\ude00b", "\u0100"):
        given[field] = text
        record = cls(**given)
        value = getattr(record, field)
        assert value.removesuffix("\0") == text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        assert record._size() == len(record.encode())
    for wrong in (b"a", 5, ["a"]):
        with pytest.raises(EncodeError) as caught:
            cls(**{**given, field: wrong})
        assert caught.value.path == f"{name}.{field}"


PACKET_WORDS = table(
    lambda: [
        (name, part.name, word.name)
        for name in (
            "SessionAck",
            "EstablishConnection",
            "ConnectionParameters",
            "OrderAck",
            "FinalAck",
            "UserMessage",
        )
        for part in structures()[name].fields
        if isinstance(part.kind, Nested) and not part.present
        for word in part.kind.structure.fields
        if isinstance(word.kind, Flags)
    ]
)


@for_each(("name", "part", "word"), PACKET_WORDS)
def test_a_group_that_is_given_stays_in_a_packet(name: str, part: str, word: str) -> None:
    """Whatever the packet would make of it; all others are what they are in a packet of nothing."""
    cls = Record.class_of(name)
    header = type(getattr(cls(), part))
    words = header.flags[word]
    usual = getattr(getattr(cls(**{part: header()}), part), word)
    for group in words.kind.groups:
        for value in {0, 1, (1 << group.width) - 1}:
            made = cls(**{part: header(**{word: words(**{group.name: value})})})
            found = getattr(getattr(made, part), word)
            assert found.to_dict() == usual.to_dict() | {group.name: value}
        everything = words((1 << words.kind.size * 8) - 1)
        assert getattr(getattr(cls(**{part: header(**{word: everything})}), part), word) == everything


OPTIONAL: dict[str, Any] = {
    "TransactionHeader": mqmq.TransactionHeader(),
    "SecurityHeader": mqmq.SecurityHeader(),
    "DebugHeader": mqmq.DebugHeader(),
    "SRMPEnvelopeHeader": mqrr.SRMPEnvelopeHeader(Data="<a/>"),
    "CompoundMessageHeader": mqrr.CompoundMessageHeader(Data=b"POST"),
    "SoapHeader": mqmq.SoapHeader(Header="<h/>", Body="<b/>"),
    "MultiQueueFormatHeader": mqmq.MultiQueueFormatHeader(),
    "ExtensionHeader": mqrr.ExtensionHeader(),
    "SubqueueHeader": mqrr.SubqueueHeader(),
    "DeadLetterHeader": mqrr.DeadLetterHeader(DeadLetterPathName="a"),
    "ExtendedAddressHeader": mqrr.ExtendedAddressHeader(),
    "SessionHeader": mqmq.SessionHeader(),
}
"""All that a message may have or lack."""


@for_each(("name", "part", "word"), lambda: [
    *PACKET_WORDS(),
    *(("UserMessage", part, field.name) for part, header in OPTIONAL.items() for field in header.layout.fields
      if isinstance(field.kind, Flags)),
])  # fmt: skip
@pytest.mark.parametrize("whole", [False, True], ids=["alone", "with all parts"])
def test_two_groups_that_are_given_stay_in_a_packet(name: str, part: str, word: str, whole: bool) -> None:
    """Whatever other fields of the header are given; all other groups are what the parts make of them."""
    cls = Record.class_of(name)
    parts = dict(OPTIONAL) if whole and name == "UserMessage" else {}
    given = OPTIONAL[part] if part in OPTIONAL else type(getattr(cls(), part))()
    header = getattr(cls(**{**parts, part: given}), part)
    usual, kind = getattr(header, word), type(header)
    others = {field.name: getattr(header, field.name) for field in kind.layout.fields if field.name != word}
    words = kind.flags[word]
    for groups in combinations(usual.kind.groups, 2):
        for more in ({}, others):
            given = {group.name: (1 << group.width) - 1 for group in groups}
            made = cls(**{**parts, part: kind(**{word: words(**given)}, **more)})
            found = getattr(made, part)
            assert getattr(found, word).to_dict() == usual.to_dict() | given
            assert all(getattr(found, other) == value for other, value in more.items())


TEXTS = table(
    lambda: [
        (name, field.name)
        for name in NAMES()
        for field in structures()[name].fields
        if isinstance(field.kind, Text)
    ]
)


def around(record: Any) -> Iterator[Any]:
    """A record, and each record that has it as a part or as the element of an array, at any depth."""
    yield record
    for name, structure in structures().items():
        for field in structure.fields:
            if record.layout not in field.structures:
                continue
            part = (record,) if isinstance(field.kind, Items) else record
            with suppress(EncodeError):  # it needs other parts too
                outer = Record.class_of(name)(**{field.name: part})
                outer.encode()
                yield from around(outer)


@for_each(("name", "field"), TEXTS)
def test_the_limit_of_each_text(name: str, field: str) -> None:
    """As many WCHARs as the record holds, with the terminator if it holds it, and no fewer, wherever it is.

    The generated decoder itself takes them, not the diagnostic reader that finds errors.
    """
    more: dict[str, Any] = {}
    if name == "SeqNumberHeader":
        more["PartitionSeqNumbers"] = [mqdsrp.PARTITION_SEQ_NUMBERS()]
    inner: Any = Record.class_of(name)(**{field: "x" * 40}, **more)
    size, alone = len(getattr(inner, field)), inner.encode()
    if not inner.layout.scoped:
        take = DECODERS[name]
        assert take(alone, 0, len(alone), Limits(string_length=size)) == (inner, len(alone))
        with pytest.raises(Reject):
            take(alone, 0, len(alone), Limits(string_length=size - 1))
    for record in around(inner):
        if record.layout.scoped:
            continue  # it is read within others only
        data = record.encode()
        decode = DECODERS[record.layout.name]
        assert decode(data, 0, len(data), Limits(string_length=size)) == (record, len(data))
        with pytest.raises(DecodeError) as refused:
            type(record).decode(data, limits=Limits(string_length=size - 1))
        assert (refused.value.limit, refused.value.actual) == ("Limits.string_length", size)


@for_each(("name", "field"), TEXTS)
def test_a_text_may_end_with_half_a_character(name: str, field: str) -> None:
    """The generated decoder reads it as it was sent."""
    given = {**NEEDED.get(name, {}), field: "a\ud800"}
    if name == "SeqNumberHeader":
        given["PartitionSeqNumbers"] = [mqdsrp.PARTITION_SEQ_NUMBERS()]
    for record in around(Record.class_of(name)(**given)):
        if not record.layout.scoped:
            data = record.encode()
            found = DECODERS[record.layout.name](data, 0, len(data), DEFAULT_LIMITS)
            assert found == (record, len(data))


@for_each("name", NAMES)
def test_a_decoder_takes_what_a_record_is(name: str) -> None:
    """From the place where it begins to where it ends, and nothing that is a byte shorter."""
    with suppress(EncodeError):  # it needs other parts
        for record in around(Record.class_of(name)()):
            if record.layout.scoped or record.layout.name not in DECODERS:
                continue
            data, decode = record.encode(), DECODERS[record.layout.name]
            end = 3 + len(data)
            assert decode(b"abc" + data + b"zz", 3, end, DEFAULT_LIMITS) == (record, end)
            if record.layout.name not in OPEN_ENDED:
                with pytest.raises((Reject, *UNREADABLE)):
                    decode(b"abc" + data, 3, end - 1, DEFAULT_LIMITS)


BYTES_OF_TEXT = table(
    lambda: {
        f"{structure.name}.{str(field.kind.count).removesuffix(' / 2')}"
        for structure in structures().values()
        for field in structure.fields
        if isinstance(field.kind, Text) and str(field.kind.count).endswith(" / 2")
    }
)
"""The counts of texts that count bytes, two for each WCHAR; `test_layout.py` has them from the pages."""


def test_what_each_count_can_count() -> None:
    """A builder refuses exactly what is more than its count can say, and names it so."""
    found: dict[str, int] = {}
    for page in pkgutil.iter_modules(builders.__path__, f"{builders.__name__}."):
        for refusal in vars(import_module(page.name)).values():
            if not isinstance(refusal, partial) or refusal.func is not replacing.refuse_size:
                continue
            structure, path, count, what, most = refusal.args
            largest = (1 << 8 * structure.by_name[count].kind.size) - 1
            name = f"{structure.name}.{count}"
            assert most == (largest // 2 if name in BYTES_OF_TEXT() else largest), name
            found[f"{structure.name}.{path}"] = most
            with pytest.raises(EncodeError) as refused:
                refusal(most + 1)
            assert refused.value.path == f"{structure.name}.{path}"
            assert refused.value.problem == (
                f"expected at most {most} {what}, which {count} can count, got {most + 1}"
            )
    assert len(found) >= 25
    update = mqcn.NotificationUpdate(PathName="m")
    change = mqdsrp.DirectoryChange(PathName="m")
    for make, size in (
        (lambda n: mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=[update] * n)), 255),
        (lambda n: mqdsrp.ChangePropagationMessage(DirectoryChanges=[change] * n), 65535),
        (lambda n: mqmq.MessagePropertiesHeader(Label="x" * (n - 1)), 255),
        (lambda n: mqmq.DirectQueueFormatName(DirectFormatName="x" * (n - 1)), 32767),
    ):
        make(size)
        with pytest.raises(EncodeError, match=rf"expected at most {size} .*, got {size + 1}"):
            make(size + 1)
