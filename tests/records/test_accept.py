"""Values that a caller gives, at their bounds; and what is kept in memory of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

import msmq_wire as mw
from msmq_wire import GUID, EncodeError, mqdsrp, mqmq
from msmq_wire.documents.converters import queue_form
from msmq_wire.documents.layouts import structures
from msmq_wire.records import accept, omitted
from msmq_wire.records.flags import Flags
from msmq_wire.records.model import Count, Field, Integer, Numbers, Structure
from msmq_wire.records.omitted import Omitted, OmittedBytes
from msmq_wire.records.spans import leaves

if TYPE_CHECKING:
    from collections.abc import Callable


def bound(function: Callable[..., Any], path: str, *more: Any) -> Callable[[Any], Any]:
    structure, _, field = path.partition(".")
    return accept.for_field(function, structures()[structure], field, *more)


def refusal(call: Callable[..., Any], *values: Any) -> tuple[str, object, object]:
    with pytest.raises(EncodeError) as caught:
        call(*values)
    return caught.value.path, caught.value.expected, caught.value.actual


@pytest.mark.parametrize(
    ("path", "low", "high"),
    [
        ("BaseHeader.PacketSize", 0, 0xFFFFFFFF),
        ("SessionHeader.AckSequenceNumber", 0, 0xFFFF),
        ("DirectoryChange.Command", 0, 0xFF),
    ],
)
def test_numbers(path: str, low: int, high: int) -> None:
    take = bound(accept.integer, path)
    assert (take(low), take(high)) == (low, high)
    for value in (low - 1, high + 1, "1", None, 1.0):
        assert refusal(take, value) == (path, f"{low} to {high:#x}", value)
    assert type(take(True)) is int
    assert type(take(Omitted(1))) is Omitted  # it is still to be computed


def test_arrays_of_numbers() -> None:
    take = bound(accept.numbers, "DirectoryChange.PropertyID")
    assert take([0, 0xFFFFFFFF]) == (0, 0xFFFFFFFF)
    assert take(iter(())) == ()
    for value in (-1, 1 << 32, "1"):
        assert refusal(take, [5, value]) == (
            "DirectoryChange.PropertyID[1]",
            "0 to 0xffffffff",
            value,
        )
    assert refusal(lambda: take(5))[:2] == ("DirectoryChange.PropertyID", "numbers")
    with pytest.raises(EncodeError, match="4294967296 does not fit 4 bytes"):
        take([1 << 32])


def test_arrays_of_numbers_with_a_sign() -> None:
    fields = (Field("Count", Integer("B", 1), ""), Field("Steps", Numbers("h", 2, Count("Count")), ""))
    structure = Structure("Walk", "[X] 1", fields)
    assert accept.numbers(structure, fields[1], [-0x8000, 0x7FFF]) == (-0x8000, 0x7FFF)
    for value in (-0x8001, 0x8000):
        call = partial(accept.numbers, structure, fields[1], [value])
        assert refusal(call) == ("Walk.Steps[0]", "-32768 to 0x7fff", value)


def test_bytes() -> None:
    take = bound(accept.raw_bytes, "SubqueueHeader.SubqueueName")
    size = structures()["SubqueueHeader"].by_name["SubqueueName"].fixed_size
    assert size
    for value in (bytes(size), bytearray(size), memoryview(bytes(size))):
        assert type(take(value)) is bytes
    for length in (size - 1, size + 1, 0):
        assert refusal(take, bytes(length))[1:] == (size, length)
    assert refusal(lambda: take("text"))[1:] == ("bytes", "text")
    assert type(take(OmittedBytes(size))) is OmittedBytes
    free = bound(accept.raw_bytes, "MessagePropertiesHeader.MessageBody")
    assert (free(b""), free(bytes(9))) == (b"", bytes(9))


def test_texts() -> None:
    ended, counted = bound(accept.text, "BSCAckMessage.BSCName"), bound(accept.text, "SoapHeader.Body")
    assert (ended("a\u0100"), counted("a\0b")) == ("a\u0100", "a\0b")
    assert refusal(lambda: ended("a\0b"))[1:] == ("text without null characters", "a\0b")
    assert refusal(lambda: counted(b"a"))[1:] == ("str", b"a")
    assert counted("\ud83d\ude00") == "\U0001f600"


def test_parts() -> None:
    one = bound(accept.part, "UserMessage.UserHeader", mqmq.UserHeader)
    header = mqmq.UserHeader()
    assert one(header) is header
    assert refusal(lambda: one(None)) == ("UserMessage.UserHeader", "UserHeader", None)
    several = bound(accept.parts, "MQFAddressHeader.FormatNameList", mqmq.MQFFormatNameElement)
    element = mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName="OS:a\\b"))
    assert several(iter([element])) == (element,)
    path = "MQFAddressHeader.FormatNameList"
    assert refusal(lambda: several([element, header])) == (f"{path}[1]", "MQFFormatNameElement", header)
    assert refusal(lambda: several(7))[0] == path


@pytest.mark.parametrize(
    ("values", "path", "actual"),
    [
        (None, "DirectoryChange.PropertyValue", 0),
        ([1], "DirectoryChange.PropertyValue", 1),
        ([1, "x", 3], "DirectoryChange.PropertyValue[2]", 3),  # its type is unknown
        ([1, "x", mw.PropertyValue(19, 1)], "DirectoryChange.PropertyValue", 3),
        (["x", "x"], "DirectoryChange.PropertyValue[0]", "x"),
        (7, "DirectoryChange.PropertyValue", 7),
    ],
)
def test_property_values(values: Any, path: str, actual: object) -> None:
    """One for each identifier, with the type that it announces, or with a type of its own."""
    take = bound(accept.property_values, "DirectoryChange.PropertyValue", (105, 108))
    assert take([1, "x"]) == (mw.PropertyValue(19, 1), mw.PropertyValue(31, "x"))
    assert take([mw.PropertyValue(31, "y"), "x"])[0] == mw.PropertyValue(31, "y")
    found = refusal(lambda: take(values))
    assert (found[0], found[2]) == (path, actual)


# ------------------------------------------------------------------------------------------ what is kept


def forms() -> accept.Forms:
    kinds = (mqmq.PublicQueueFormatName, mqmq.PrivateQueueFormatNameId, mqmq.DirectQueueFormatName)
    return accept.Forms(structures()["UserHeader"], "DestinationQueue", *kinds, convert=queue_form)


def test_names_that_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short texts with their results, and not too many: then it begins anew."""
    monkeypatch.setattr(accept, "MANY", 2)
    take, host = forms(), GUID(bytes(16))
    first, second, third = (f"DIRECT=OS:host\\{number}" for number in range(3))
    made = take(first, host)
    assert made[0] == mqmq.DirectQueueFormatName(DirectFormatName="OS:host\\0\0")
    assert take.texts == {(first, host): made}
    take(second, host)
    assert {text for text, _ in take.texts} == {first, second}
    take(third, host)
    assert {text for text, _ in take.texts} == {third}


def test_long_names_are_not_remembered() -> None:
    take, host = forms(), GUID(bytes(16))
    for length in (256, 257):
        take("DIRECT=OS:host\\".ljust(length, "x"), host)
    assert [len(text) for text, _ in take.texts] == [256]
    take(mqmq.PrivateQueueFormatNameId(7), host)
    assert len(take.texts) == 1


def test_forms_that_a_field_does_not_have() -> None:
    path, expected, actual = refusal(lambda: forms()(mqmq.MQFDirectQueueFormatName(), GUID(bytes(16))))
    assert path == "UserHeader.DestinationQueue"
    assert expected == "PublicQueueFormatName, PrivateQueueFormatNameId, DirectQueueFormatName"
    assert actual == mqmq.MQFDirectQueueFormatName()


# ------------------------------------------------------------------------------------------------ words


def test_words_of_some_groups_are_of_the_same_module() -> None:
    """Of a class of its own with the name of the other, which each of them knows as the whole one."""
    whole: Any = mqmq.UserHeaderFlags(1)
    some: Any = mqmq.UserHeaderFlags(DM=1)
    both: Any = mqmq.UserHeaderFlags(DM=1, JN=1)
    assert type(whole) is mqmq.UserHeaderFlags is type(whole).whole()
    assert type(some) is mqmq.UserHeaderFlags.partial is not mqmq.UserHeaderFlags
    assert type(some).whole() is mqmq.UserHeaderFlags
    assert (type(some).__module__, type(some).__name__) == (
        mqmq.UserHeaderFlags.__module__,
        "UserHeaderFlags",
    )
    assert some.given == type(some).kind.group("DM").mask
    assert both.given == some.given | type(some).kind.group("JN").mask


@pytest.mark.parametrize("cache", ["cache", "groups", "open_words"])
def test_words_are_kept_up_to_a_limit(cache: str) -> None:
    """4,096 of each kind; then it begins anew."""
    kept: dict[int, Any] = getattr(mqmq.UserHeaderFlags, cache)
    kept.clear()
    sizes = set()
    for word in range(4098):
        found = kept[word]
        assert found == (word if cache != "groups" else Flags.to_dict(mqmq.UserHeaderFlags(word)))
        sizes.add(len(kept))
    kept.clear()
    assert sizes == set(range(1, 4097))


def test_a_word_and_what_was_given_of_it() -> None:
    """The lower bits of an open word are the word, the others the mask of the groups that were given."""
    bits = mqmq.BaseHeaderFlags.kind.size * 8
    found = mqmq.BaseHeaderFlags.open_words[0b111 << bits | 5]
    assert (int(found), found.given) == (5, 0b111)
    assert mqmq.BaseHeaderFlags.open_words[0xFFFF].given == 0


def test_words_at_their_bounds() -> None:
    assert mqmq.BaseHeaderFlags(0xFFFF) == 0xFFFF
    for value in (-1, 0x10000):
        with pytest.raises(EncodeError):
            mqmq.BaseHeaderFlags(value)
    assert mqmq.BaseHeaderFlags(0xFFFF, PR=0) == 0xFFF8
    assert mqmq.BaseHeaderFlags(0, PR=7) == 7


def test_groups_that_are_computed_anew() -> None:
    """Of a word that is loosened, all groups count as given but those of the mask."""
    whole, some = mqmq.BaseHeaderFlags(0x1F), mqmq.BaseHeaderFlags(PR=1, IN=1)
    assert omitted.loosened(whole, 0) is whole
    loose = omitted.loosened(whole, 0b111)
    assert (int(loose), loose.given & 0xFFFF) == (0x1F, 0xFFF8)
    loose = omitted.loosened(some, 0b111)
    assert (int(loose), loose.given) == (int(some), 0b1000)


# ----------------------------------------------------------------------------------------------- leaves


def test_fields_of_a_record_by_path() -> None:
    header = mqdsrp.ChangeRequestMessage(DirectoryChange=mqdsrp.DirectoryChange(PathName="a\\b")).encode()
    record = mqdsrp.decode(header)
    found, omitted = leaves(record)
    assert omitted == 0
    assert list(found)[:2] == [
        "ChangeRequestHeader.BaseReplicationHeader.Version",
        "ChangeRequestHeader.BaseReplicationHeader.SiteID",
    ]
    assert found["DirectoryChange.PathName"] == "a\\b"
    assert "DirectoryChange.GuidIdentifier" not in found  # it is absent


@pytest.mark.parametrize("limit", range(8))
def test_elements_are_omitted_after_so_many_fields(limit: int) -> None:
    """Each element is shown whole as long as fewer fields precede it."""
    one = mqmq.MQDSPUBLICKEY(aBuf=b"x")
    keys = mqmq.MQDSPUBLICKEYS(aPublicKeys=[one] * 4)
    each = len(leaves(one)[0])
    first = len(leaves(mqmq.MQDSPUBLICKEYS())[0])
    found, omitted = leaves(keys, limit)
    shown = min(4, max(0, -(-(limit - first) // each)))
    assert (len(found), omitted) == (first + shown * each, 4 - shown)
    change = mqdsrp.DirectoryChange(PathName="a", PropertyID=[105] * 3, PropertyValue=[1, 2, 3])
    before = len(leaves(mqdsrp.DirectoryChange(PathName="a"))[0])
    found, omitted = leaves(change, before + limit)
    assert (len(found), omitted) == (before + min(3, limit), max(0, 3 - limit))


def test_words_that_nothing_depends_on_stay_whole() -> None:
    """When another field of their record is changed."""
    header = mqmq.MessagePropertiesHeader(Flags=mqmq.MessagePropertiesHeaderFlags(PA=1))
    changed = mw.replace(header, Label="x")
    assert type(changed.Flags) is mqmq.MessagePropertiesHeaderFlags
    assert changed.Flags == header.Flags
