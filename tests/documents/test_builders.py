"""The generated builders of all structures, against values, sizes and JSON types computed from the layouts.

A record of every structure is filled with values of which no two fields have the same, also where they
contradict each other, so that a field that is mixed up or forgotten is seen.
"""

from __future__ import annotations

import pkgutil
import uuid
from importlib import import_module
from itertools import count, product
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pytest
from support_parts import fields_of_kind
from support_rows import for_each, table

from msmq_wire import (
    GUID,
    SEQUENCE_NUMBER,
    EncodeError,
    PropertyValue,
    Record,
    mqcn,
    mqdsrp,
    mqmq,
    mqqb,
    mqrr,
    replace,
)
from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents import builders
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Field,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Sequence,
    Structure,
    Text,
    Values,
)
from msmq_wire.records.omitted import Omitted
from msmq_wire.records.plan import plan_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LOADED = (mqcn, mqdsrp, mqmq, mqqb, mqrr)  # all structures have their classes
NAMES = table(lambda: [*structures()])


def some(structure: Structure, field: Field, numbers: Iterator[int], *, wide: bool, form: int) -> Any:
    """A value that no other field has; texts are wide or not, and a choice has one of its forms."""
    kind, n = field.kind, next(numbers) % 97 + 1
    match kind:
        case Integer():
            return n
        case Flags():
            return Record.class_of(structure.name).flags[field.name](n)
        case Guid():
            return GUID(bytes(range(n, n + 16)))
        case Sequence():
            return SEQUENCE_NUMBER(bytes(range(n, n + 8)))
        case Numbers():
            return (104, 105)
        case Values():
            return (PropertyValue(VARTYPE.VT_UI1, n), PropertyValue(VARTYPE.VT_UI4, n + 1))
        case Text():
            shown = f"{n}\u20ac\U0001f600" if wide else f"{n}"
            return shown if kind.count in (NUL, EOF) else f"{shown}\0"
        case Bytes():
            return bytes([n]) * (kind.count if isinstance(kind.count, int) else 1 + n % 5)
        case Padding():
            return bytes([n]) * (1 + n % 3)
        case Nested():
            return filled(kind.structure, numbers, wide=wide, form=form)
        case Items():
            return tuple(filled(kind.structure, numbers, wide=wide, form=form) for _ in range(2))
        case Choice():
            forms = kind.structures
            return filled(forms[form % len(forms)], numbers, wide=wide, form=form)
    raise AssertionError(kind)


def values_of(structure: Structure, numbers: Iterator[int], *, wide: bool, form: int) -> dict[str, Any]:
    return {field.name: some(structure, field, numbers, wide=wide, form=form) for field in structure.fields}


def filled(structure: Structure, numbers: Iterator[int], *, wide: bool = False, form: int = 0) -> Any:
    """A record with such values, whether or not they agree."""
    values = values_of(structure, numbers, wide=wide, form=form)
    return Record.class_of(structure.name).raw(*values.values())


def is_optional(field: Field) -> bool:
    return field.present is not None or isinstance(field.kind, Choice)


def samples(name: str) -> Iterator[Any]:
    """Records with all fields, with each form; without each optional one; and with it alone."""
    structure = structures()[name]
    cls = Record.class_of(name)
    optional = [field.name for field in structure.fields if is_optional(field)]
    for wide, form in product((False, True), range(4)):
        values = values_of(structure, count(form), wide=wide, form=form)
        absent = [(), *((one,) for one in optional), tuple(optional)]
        absent += [tuple(other for other in optional if other != one) for one in optional]
        for names in absent:
            yield cls.raw(*(values | dict.fromkeys(names)).values())


def size_of(field: Field, value: Any) -> int:
    """The bytes of a value, by its kind."""
    match field.kind:
        case _ if value is None:
            return 0
        case Integer(size=size) | Flags(size=size):
            return size
        case Guid():
            return 16
        case Sequence():
            return 8
        case Numbers(size=size):
            return size * len(value)
        case Values():
            return sum(len(item.encode()) for item in value)
        case Text(count=counted):
            return len(value.encode("utf-16-le")) + (2 if counted == NUL else 0)
        case Nested() | Choice():
            return total(value)
        case Items():
            return sum(map(total, value))
    return len(value)


def total(record: Any) -> int:
    return sum(size_of(field, getattr(record, field.name)) for field in record.layout.fields)


def plain_of(record: Any) -> dict[str, Any]:
    """The JSON types of a record, by the kinds of its fields."""

    def one(field: Field) -> Any:
        value = getattr(record, field.name)
        match field.kind:
            case _ if value is None:
                return None
            case Integer():
                return int(value)
            case Flags(groups=groups):
                return {group.name: int(value) // 2**group.shift % 2**group.width for group in groups}
            case Guid():
                return str(uuid.UUID(bytes_le=value.bytes_le))
            case Sequence():
                return value.raw.hex()
            case Numbers():
                return list(value)
            case Values():
                return [{"vt": int(item.vt), "value": item.value} for item in value]
            case Text():
                return value
            case Nested() | Choice():
                return plain_of(value)
            case Items():
                return [plain_of(item) for item in value]
        return value.hex()

    return {field.name: one(field) for field in record.layout.fields}


@for_each("name", NAMES)
def test_sizes(name: str) -> None:
    """Each field that is there counts once; of a text its WCHARs."""
    for record in samples(name):
        assert record._size() == total(record)


NEEDED = {
    "MQFFormatNameElement": "FormatName",
    "ChangeNotificationMessage": "Data",
    "UserMessage": "ExtensionHeader",
    "MessagePacket": "ExtensionHeader",
    "SeqNumberHeader": "MachineName",
}
"""What a builder asks for, or makes, if other fields are there; each has a test of its own elsewhere."""


def complete(name: str) -> Iterator[Any]:
    """The records to which a builder adds nothing."""
    return (one for one in samples(name) if getattr(one, NEEDED.get(name, ""), one) is not None)


@for_each("name", NAMES)
def test_json_types(name: str) -> None:
    """Each field has its own value there, in page order, and comes back from there."""
    for record in samples(name):
        plain = record._plain()
        assert plain == plain_of(record)
        assert [*plain] == [field.name for field in record.layout.fields]
    for record in complete(name):
        assert type(record)._from_plain(plain_of(record), name) == record


@for_each("name", NAMES)
def test_what_is_given_is_kept(name: str) -> None:
    """By name and by place, also where it contradicts other fields."""
    cls = Record.class_of(name)
    for record in complete(name):
        given = {field.name: getattr(record, field.name) for field in record.layout.fields}
        assert cls(**given) == cls(*given.values()) == record


def consistent(name: str, start: int, *, wide: bool = False, form: int = 0) -> dict[str, Any]:
    """Values of all fields that say something themselves, without what follows from them.

    Parts are made of such values too; of two fields that exclude each other the first is there.
    """
    structure = structures()[name]
    values = values_of(structure, count(start), wide=wide, form=form)
    given: dict[str, Any] = {}
    for at, field in enumerate(structure.fields):
        kind = field.kind
        if isinstance(kind, Nested):
            given[field.name] = built(kind.structure.name, start + 7 * at, wide=wide, form=form)
        elif not (isinstance(kind, (Integer, Flags, Padding)) or field.is_filler):
            given[field.name] = values[field.name]
    return {key: value for key, value in given.items() if key != "GuidIdentifier" or "PathName" not in given}


def built(name: str, start: int, *, wide: bool = False, form: int = 0) -> Any:
    return Record.class_of(name)(**consistent(name, start, wide=wide, form=form))


KEPT: dict[str, dict[str, Any]] = {
    "OrderAckBody": {"TxPreviousSequenceNumber": 5},
    "UserMessage": {
        "BaseHeader": mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(PR=2)),
        "UserHeader": mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(DM=1)),
    },
}
"""What stays when a record is replaced, though a builder would compute it."""


@for_each("name", NAMES)
def test_replacing_is_building(name: str) -> None:
    """A record with a field replaced is the one that is built with that value, whatever follows from it."""
    cls, structure = Record.class_of(name), structures()[name]
    for form in range(4):
        given = consistent(name, form, form=form)
        given |= KEPT.get(name, {})
        base = cls(**given)
        others = values_of(structure, count(40), wide=True, form=form)
        others |= consistent(name, 40, wide=True, form=form)
        for field in structure.fields:
            change = {field.name: others[field.name]}
            if field.name == "GuidIdentifier" and "PathName" in given:
                change["PathName"] = None
            assert replace(base, **change) == cls(**{**given, **change}), field.name
            if is_optional(field) and field.name in given:
                left = {key: value for key, value in given.items() if key != field.name}
                assert outcome(replace, base, **{field.name: None}) == outcome(cls, **left), field.name


def outcome(make: Any, *given: Any, **named: Any) -> Any:
    """A record, or what is wrong with it."""
    try:
        return make(*given, **named)
    except EncodeError as error:
        return error.path, error.problem


PARTS = table(lambda: fields_of_kind(Nested))


@for_each(("name", "part"), PARTS)
def test_what_is_given_of_a_part(name: str, part: str) -> None:
    """Whole words and numbers stay, one alone or all but one; the packet computes only what is left out."""
    cls, given = Record.class_of(name), consistent(name, 1)
    kind = type(given[part])
    usual, plain = getattr(cls(**given), part), consistent(kind.__name__, 3)
    said = {
        field.name: kind.flags[field.name](at + 1) if isinstance(field.kind, Flags) else at + 70
        for at, field in enumerate(kind.layout.fields)
        if isinstance(field.kind, (Flags, Integer))
    }
    for names in [*((one,) for one in said), *(said.keys() - {one} for one in said), tuple(said)]:
        more = {one: said[one] for one in names}
        alone = kind(**plain, **more)
        found = getattr(cls(**{**given, part: alone}), part)
        left = getattr(cls(**{**given, part: kind(**plain)}), part)
        for field in kind.layout.fields:
            before = getattr(alone, field.name)
            awaited = type(before) is Omitted or type(before) is not type(getattr(usual, field.name))
            expected = getattr(left, field.name) if awaited else before
            assert getattr(found, field.name) == expected, (field.name, names)
            assert type(getattr(found, field.name)) is type(getattr(usual, field.name))


SET: dict[str, dict[str, int]] = {
    # [MS-MQQB] 2.2: an internal packet and its type; an order or a final acknowledgment has priority 0
    "ConnectionParameters": {"BaseHeader.Flags.IN": 1, "InternalHeader.Flags.PT": 3},
    "EstablishConnection": {"BaseHeader.Flags.IN": 1, "InternalHeader.Flags.PT": 2},
    "SessionAck": {"BaseHeader.Flags.IN": 1, "BaseHeader.Flags.SH": 1, "InternalHeader.Flags.PT": 1},
    "OrderAck": {"BaseHeader.Flags.PR": 0, "BaseHeader.Flags.IN": 0, "UserHeader.Flags.DM": 0},
    "FinalAck": {"BaseHeader.Flags.PR": 0, "BaseHeader.Flags.IN": 0, "UserHeader.Flags.DM": 1},
    "UserMessage": {"BaseHeader.Flags.PR": 3, "BaseHeader.Flags.IN": 0, "UserHeader.Flags.DM": 0},
    # [MS-MQMQ] 2.2.20.1: the three lists
    "MultiQueueFormatHeader": {
        "Destination.HeaderID": 100,
        "Administration.HeaderID": 200,
        "Response.HeaderID": 300,
    },
    # [MC-MQDSRP] 2.2.5 and 2.2.6: operations
    "ChangePropagationMessage": {"BaseReplicationHeader.Operation": 0},
    "ChangeRequestHeader": {"BaseReplicationHeader.Operation": 1},
    "SyncRequestMessage": {"BaseReplicationHeader.Operation": 2},
    "SyncReplyHeader": {"BaseReplicationHeader.Operation": 3},
    "ChangeReplyMessage": {"BaseReplicationHeader.Operation": 4},
    "AlreadyPurgedMessage": {"BaseReplicationHeader.Operation": 5},
    "PSCAckMessage": {"BaseReplicationHeader.Operation": 6},
    "BSCAckMessage": {"BaseReplicationHeader.Operation": 7},
}
"""What a packet makes of the numbers and groups of its parts."""


@for_each(
    ("name", "path", "value"), lambda: [(name, *row) for name, rows in SET.items() for row in rows.items()]
)
def test_what_a_packet_sets(name: str, path: str, value: int) -> None:
    """Whether or not the part, another field of it or another group is given; a value that is given stays."""
    cls, (part, word, *inner) = Record.class_of(name), path.split(".")
    group = "".join(inner)
    found = attrgetter(path)
    assert found(cls()) == value
    kind = type(getattr(cls(), part))
    assert found(cls(**{part: kind()})) == value
    if not group:
        assert found(cls(**{part: kind(**{word: 9})})) == 9
        return
    words = kind.flags[word]
    for other in words.kind.groups:
        given = words(**{other.name: 1})
        assert found(cls(**{part: kind(**{word: given})})) == (1 if other.name == group else value)
    for number in (0, 1):
        assert found(cls(**{part: kind(**{word: words(**{group: number})})})) == number


GUIDS = table(lambda: fields_of_kind(Guid))


@for_each(("name", "field"), GUIDS)
def test_guids(name: str, field: str) -> None:
    """Sixteen bytes in each form that they may have, and neither more nor fewer."""
    cls, given = Record.class_of(name), consistent(name, 1)
    if field == "GuidIdentifier":
        del given["PathName"]
    value = bytes(range(16))
    for shown in (GUID(value), uuid.UUID(bytes_le=value), value, bytearray(value)):
        assert getattr(cls(**given | {field: shown}), field) == GUID(value)
    wrong: Any
    others: list[Any] = [value[1:], value + b"x", bytearray(value), value.decode()]
    for wrong in (*map(GUID, others), value[1:]):
        with pytest.raises(EncodeError) as caught:
            cls(**given | {field: wrong})
        assert (caught.value.path, caught.value.actual) == (f"{name}.{field}", wrong)
        if name == "UserHeader":
            with pytest.raises(EncodeError) as caught:
                mqmq.UserMessage.of(**{field: wrong})
            assert (caught.value.path, caught.value.actual) == (f"{name}.{field}", wrong)


COUNTED = [
    (name, number, source)
    for name, structure in structures().items()
    for number, source in plan_of(structure).counts.items()
]


def lengths(monkeypatch: pytest.MonkeyPatch, known: dict[Any, int]) -> None:
    """Let builders believe that some values have so many elements, as many as no memory holds."""

    def length(value: Any) -> int:
        return known[value] if value in known else len(value)

    for page in pkgutil.iter_modules(builders.__path__, f"{builders.__name__}."):
        module = import_module(page.name)
        monkeypatch.setattr(module, "len", length, raising=False)


@pytest.mark.parametrize(("name", "number", "source"), COUNTED, ids=lambda value: str(value)[:30])
def test_what_a_number_can_count(
    name: str, number: str, source: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As much as its bytes can hold; the array that is too long is named."""
    structure = structures()[name]
    cls, given = Record.class_of(name), consistent(name, 1)
    counted, path = given[source.part] if source.part else None, source.field.name
    value = getattr(counted, path) if source.part else given[path]
    assert getattr(cls(**given), number) == source.per_unit * units(value)
    most = (256 ** structure.by_name[number].kind_as(Integer).size - 1) // source.per_unit
    for size in (1, most - 1, most):
        lengths(monkeypatch, {value: size})
        assert getattr(cls(**given), number) == size * source.per_unit
    lengths(monkeypatch, {value: most + 1})
    with pytest.raises(EncodeError) as caught:
        cls(**given)
    assert caught.value.path == ".".join(filter(None, (name, source.part, path)))
    assert (caught.value.expected, caught.value.actual) == (most, most + 1)
    assert getattr(cls(**given | {number: 3}), number) == 3  # it is not computed


AT_ONCE = [
    ("MessagePropertiesHeader", "Label", "LabelLength", 255),
    ("MessagePropertiesHeader", "ExtensionData", "ExtensionSize", 2**32 - 1),
    ("MessagePropertiesHeader", "MessageBody", "MessageSize", 2**32 - 1),
    ("SecurityHeader", "SecurityID", "SenderIdSize", 2**16 - 1),
    ("SecurityHeader", "EncryptionKey", "EncryptionKeySize", 2**16 - 1),
    ("SecurityHeader", "Signature", "SignatureSize", 2**16 - 1),
    ("SecurityHeader", "SenderCert", "SenderCertSize", 2**32 - 1),
    ("SecurityHeader", "ProviderInfo", "ProviderInfoSize", 2**32 - 1),
]


@pytest.mark.parametrize(("part", "field", "number", "most"), AT_ONCE)
def test_what_a_message_in_one_call_can_hold(
    part: str, field: str, number: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[MS-MQMQ] 2.2.19.3, 2.2.20.6: sizes of 1, 2 and 4 bytes."""
    value: Any = "a\0" if field == "Label" else b"abc"
    for size in (1, most - 1, most):
        lengths(monkeypatch, {value: size})
        message = mqmq.UserMessage.of(**{field: value})
        assert getattr(getattr(message, part), number) == size
    lengths(monkeypatch, {value: most + 1})
    with pytest.raises(EncodeError) as caught:
        mqmq.UserMessage.of(**{field: value})
    assert (caught.value.expected, caught.value.actual) == (most, most + 1)


FORMS = table(lambda: fields_of_kind(Choice))


@for_each(("name", "field"), FORMS)
def test_forms(name: str, field: str) -> None:
    """Each of them, and nothing else, whatever it is."""
    cls, kind = Record.class_of(name), structures()[name].by_name[field].kind_as(Choice)
    forms = {form.name for form in kind.structures}
    for other in NAMES():
        record = filled(structures()[other], count())
        assert (type(outcome(cls, **{field: record})) is cls) == (other in forms)
    wrong: Any
    for wrong in ([], {}, [1], 5, b"a", object()):
        for make in (cls, mqmq.UserMessage.of) if name == "UserHeader" else (cls,):
            with pytest.raises(EncodeError) as caught:
                make(**{field: wrong})
            assert (caught.value.path, caught.value.actual) == (f"{name}.{field}", wrong)


def units(value: Any) -> int:
    return len(value.encode("utf-16-le")) // 2 if isinstance(value, str) else len(value)


WORDS = table(lambda: fields_of_kind(Flags))


def variants(name: str, *, wide: bool = False) -> Iterator[dict[str, Any]]:
    """Values with each form, with all optional fields, with none, with each alone and with all others."""
    optional = [field.name for field in structures()[name].fields if is_optional(field)]
    for form in range(4 if optional else 1):
        given = consistent(name, form, wide=wide, form=form)
        for absent in (
            (),
            optional,
            *([one] for one in optional),
            *([other for other in optional if other != one] for one in optional),
        ):
            yield {key: value for key, value in given.items() if key not in absent}


@for_each(("name", "word"), WORDS)
def test_flags_state_what_is_present(name: str, word: str) -> None:
    """A group says what is there, unless it is given; one that is given changes no other."""
    cls = Record.class_of(name)
    words = cls.flags[word]
    for given in variants(name):
        record = cls(**given)
        usual = getattr(record, word).to_dict()
        for field in structures()[name].fields:
            value = getattr(record, field.name)
            if field.present and field.present.path.startswith(f"{word}."):
                said = field.present.means if value is not None else 0
                assert usual[field.present.path.removeprefix(f"{word}.")] == said
            if isinstance(field.kind, Choice) and field.kind.selector.startswith(f"{word}."):
                form = field.kind.forms[usual[field.kind.selector.removeprefix(f"{word}.")]]
                assert form is (None if value is None else value.layout)
        for group in words.kind.groups:
            for number in range(1 << group.width) if group.width < 4 else (0, 1, (1 << group.width) - 1):
                found = getattr(cls(**given, **{word: words(**{group.name: number})}), word)
                assert found.to_dict() == usual | {group.name: number}, group.name
                changed = replace(record, **{word: words(**{group.name: number})})
                assert getattr(changed, word).to_dict() == usual | {group.name: number}, group.name
        everything = words((1 << words.kind.size * 8) - 1)
        assert getattr(cls(**given, **{word: everything}), word) == everything


def sid(parts: int, revision: int = 1) -> bytes:
    """[MS-DTYP] 2.4.2.2: revision, number of subauthorities, six bytes of the authority, four of each."""
    return bytes([revision, parts, 0, 0, 0, 0, 0, 5]) + b"\x15\0\0\0" * parts


SENDERS = {
    0: [b""],
    1: [sid(0), sid(1), sid(2), sid(5), sid(15)],
    2: [
        bytes(16), b"\1", b"\1\0", sid(0)[:7], sid(0)[:-1] + b"\0\0", sid(1)[:-1], sid(1) + b"\0",
        sid(2) + bytes(4), sid(2)[:-4], sid(1, 0), sid(1, 2), bytes(8),
    ],
}  # fmt: skip
"""[MS-MQMQ] 2.2.20.6: no identifier, a SID, or that of a queue manager, which is all that is no SID."""


@for_each(("kind", "sender"), lambda: [(kind, one) for kind, row in SENDERS.items() for one in row])
@pytest.mark.parametrize("more", [{}, {"Signature": b"s"}, {"ProviderInfo": b"p"},
                                  {"Signature": b"s", "ProviderInfo": b"p"}])  # fmt: skip
def test_words_of_the_security_header(kind: int, sender: bytes, more: dict[str, Any]) -> None:
    """ST says what the identifier is, AI that there is anything, DE that a signature has no provider."""
    there = bool(sender or more)
    default = int(more.keys() == {"Signature"})
    data = mqmq.SecurityData(SecurityID=sender, **more) if there else None
    words = mqmq.SecurityHeaderFlags
    usual = words(ST=kind, DE=default, AI=int(there))
    assert int(mqmq.SecurityHeader(SecurityData=data).Flags) == int(usual)
    message = mqmq.UserMessage.of(SecurityID=sender, **more)
    assert message.SecurityHeader is not None
    assert message.SecurityHeader.Flags == int(usual)
    for group in ("AU", "EB", "AS", "ST", "DE", "AI"):
        word = mqmq.SecurityHeader(Flags=words(**{group: 1}), SecurityData=data).Flags
        assert word.to_dict() == usual.to_dict() | {group: 1}


@pytest.mark.parametrize("size", [0, 1, 2, 64, 255])
def test_numbers_that_follow_from_bytes(size: int) -> None:
    """Bits of a modulus, the size of a body, the number before in a sequence, and the cipher of a level."""
    data = bytes(size)
    assert mqmq.SenderCertPublicKey(Modulus=data).LengthInBits == 8 * size
    assert mqqb.PUBLICKEYBLOB(modulus=data).bitLen == 8 * size
    for header in (
        mqmq.MessagePropertiesHeader(MessageBody=data),
        mqmq.UserMessage.of(MessageBody=data).MessagePropertiesHeader,
    ):
        assert (header.MessageSize, header.AllocationBodySize) == (size, size)
    assert mqqb.OrderAckBody(TxSequenceNumber=size).TxPreviousSequenceNumber == (size - 1 if size else 0)
    for level in (0, 3, 4, 5, 6):
        cipher = 0x6610 if level == 5 else 0x6801  # AES 256 for the highest level, else RC4
        assert mqmq.MessagePropertiesHeader(PrivacyLevel=level).EncryptionAlgorithm == cipher
        message = mqmq.UserMessage.of(PrivacyLevel=level)
        assert message.MessagePropertiesHeader.EncryptionAlgorithm == cipher


SIZED = table(
    lambda: {name: structure.extent for name, structure in structures().items() if structure.extent}
)
AFTER = ("SubqueueHeader", "DeadLetterHeader", "ExtendedAddressHeader")
"""[MS-MQRR] 2.2.5.2: what RemainingHeadersSize counts."""


@for_each("name", lambda: [*SIZED(), "MessagePacket"])
@pytest.mark.parametrize("wide", [False, True])
def test_sizes_that_are_stated(name: str, wide: bool) -> None:
    """Of all that is there but a session header, with each optional part and form and without."""
    cls = Record.class_of(name)
    for start, given in enumerate(variants(name, wide=wide)):
        record = cls(**given)
        if name in SIZED():
            inside = [field for field in record.layout.fields if not field.outside]
            number = attrgetter(SIZED()[name].path)(record)
            assert number == sum(size_of(field, getattr(record, field.name)) for field in inside), start
        extension = getattr(record, "ExtensionHeader", None)
        if extension:
            parts = [part for one in AFTER if (part := getattr(record, one)) is not None]
            assert extension.RemainingHeadersSize == sum(map(total, parts))


def test_a_number_of_changes() -> None:
    """The header of a reply has that of the message."""
    changes = consistent("SyncReplyMessage", 1)["DirectoryChanges"] * 3
    for size in (0, 1, 6):
        reply = mqdsrp.SyncReplyMessage(DirectoryChanges=changes[:size])
        assert reply.SyncReplyHeader.Count == size


def is_padding(name: str, field: Field) -> bool:
    """Whether it ends at a multiple of four bytes of the structure."""
    kind = field.kind
    if isinstance(kind, Padding):
        return kind.alignment.origin == name and kind.alignment.before is None
    return isinstance(kind, Bytes) and field.is_filler and not isinstance(kind.count, int)


PADDED = table(
    lambda: [
        name
        for name, structure in structures().items()
        if any(is_padding(name, field) for field in structure.fields)
    ]
)


@for_each("name", PADDED)
@pytest.mark.parametrize("start", range(8))
def test_paddings(name: str, start: int) -> None:
    """They are zeros up to a multiple of four bytes, whatever the sizes before them are."""
    structure = structures()[name]
    for wide, form in product((False, True), range(4)):
        values = values_of(structure, count(start), wide=wide, form=form)
        given = {
            field.name: values[field.name]
            for field in structure.fields
            if not (is_padding(name, field) or isinstance(field.kind, Integer))
        }
        record = Record.class_of(name)(**given)
        end = 0
        for field in structure.fields:
            value = getattr(record, field.name)
            end += size_of(field, value)
            if is_padding(name, field):
                assert (value, end % 4) == (bytes(len(value)), 0), field.name
                assert len(value) < 4
