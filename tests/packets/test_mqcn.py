"""Change notifications of both versions: by hand, leniently and hostile.

Whole, cut and damaged ones are in `tests/documents/test_directory_vectors.py` and `test_roundtrip.py`.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_directory import changes, facts, guids

import msmq_wire as mw
from msmq_wire import GUID, DecodeError, EncodeError, mqcn, mqdsrp
from msmq_wire.definitions.properties import ObjectClass
from msmq_wire.mqcn import NotificationBody, NotificationEvent
from msmq_wire.values.errors import in_bytes
from msmq_wire.values.properties.values import PropertyValue

OBJECT = GUID.of("00112233-4455-6677-8899-aabbccddeeff")
OBJECT_BYTES = "33221100554477668899aabbccddeeff"
TEXT = (
    "<Notification><Event>2</Event><ObjectGuid>00112233-4455-6677-8899-AABBCCDDEEFF</ObjectGuid>"
    "<DomainController>dc1.example</DomainController></Notification>"
)
TEXT_PATH = "ChangeNotificationMessage.Data.Text"

# By hand from [MS-MQCN] 2.2.4 to 2.2.6.
UPDATE = "01 01" + OBJECT_BYTES + "00" * 16 + "11" * 24 + "01" + "73000000" + OBJECT_BYTES
CREATED = "00 00" + "6d005c0071000000" + "22" * 16 + "00" * 24 + "00"
PAGES = {
    "queue manager": (bytes.fromhex("02 01") + TEXT.encode("utf-16-le"), (TEXT, b"")),
    "directory": (bytes.fromhex("01 02" + UPDATE + CREATED), None),
    "nothing": (bytes.fromhex("01 00"), None),
}


def body(text: str, rest: bytes = b"") -> bytes:
    return b"\2\1" + text.encode("utf-16-le", "surrogatepass") + rest


def refusal(data: bytes) -> DecodeError:
    """What `decode` says of bytes that it refuses; `decode_lax` has to agree."""
    with pytest.raises(DecodeError) as caught:
        mqcn.decode(data)
    error = caught.value
    lax = mqcn.decode_lax(data)
    assert data.endswith(lax.rest)
    if lax.packet is None:
        assert lax.error is not None
        assert facts(lax.error) == facts(error)
    else:
        assert error.problem == f"{in_bytes(len(lax.rest))} left over"
        assert mqcn.encode(lax.packet) + lax.rest == data
    return error


# -------------------------------------------------------------------------------------------- by hand


def test_version_2() -> None:
    made = mqcn.ChangeNotificationMessage(
        Data=NotificationBody.of(NotificationEvent.QUEUE_CHANGED, OBJECT, "dc1.example")
    )
    assert mqcn.encode(made) == PAGES["queue manager"][0]
    data: Any = mqcn.decode(mqcn.encode(made))
    assert (data.Version, data.NumberOfUpdateNotifications) == (2, 1)
    assert data.Data.event is NotificationEvent.QUEUE_CHANGED
    assert data.Data.object_guid == OBJECT
    assert data.Data.domain_controller == "dc1.example"


def test_version_1() -> None:
    updates = [
        mqcn.NotificationUpdate(
            Command=1, GuidIdentifier=OBJECT, Reserved=b"\x11" * 24, PropertyId=[115], PropertyValue=[OBJECT]
        ),
        mqcn.NotificationUpdate(PathName="m\\q", GuidMasterId=b"\x22" * 16),
    ]
    made = mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=updates))
    assert mqcn.encode(made) == PAGES["directory"][0]
    data: Any = mqcn.decode(mqcn.encode(made))
    assert (data.Version, data.NumberOfUpdateNotifications) == (1, 2)
    first, second = data.Data.Updates
    assert first.properties == {"PROPID_Q_QMID": OBJECT.uuid}
    assert first.object_class is ObjectClass.QUEUE
    assert second.object_class is None
    assert (second.PathName, second.properties) == ("m\\q", {})


@given(changes(mqcn.NotificationUpdate))
def test_updates_are_directory_changes(update: Any) -> None:
    data = update.encode()
    change: Any = mqdsrp.DirectoryChange.decode(data)
    assert change.encode() == data
    assert change.PartitionID == update.GuidMasterId
    numbers = (change.PreviousSeqNumber, change.SeqNumber, change.PurgedSeqNumber)
    assert b"".join(number.raw for number in numbers) == update.Reserved
    assert (change.PropertyID, change.PropertyValue) == (update.PropertyId, update.PropertyValue)
    assert change.properties == update.properties
    assert change.object_class == update.object_class


@pytest.mark.parametrize("data", [5, "text", None])
def test_only_buffers_are_read(data: Any) -> None:
    for read in (mqcn.decode, mqcn.decode_lax):
        with pytest.raises(TypeError):
            read(data)


# ------------------------------------------------------------------------------------ lenient text


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT + "\0",
        TEXT.lower(),
        TEXT.upper(),
        TEXT.replace("</ObjectGuid>", "</ObjectGuid >"),
        TEXT.replace(">", "   >"),
        TEXT.replace("AABBCCDDEEFF", "aabbCCddeeff"),
    ],
)
@pytest.mark.parametrize("odd", [b"", b"\0", b"\xff"])
def test_tolerance(text: str, odd: bytes) -> None:
    data = body(text, odd)
    message: Any = mqcn.decode(data)
    assert message.Data.event == 2
    assert message.Data.object_guid == OBJECT
    assert message.Data.domain_controller.lower() == "dc1.example"
    assert (message.Data.Text, message.Data.Unused) == (text, odd)
    assert mqcn.encode(message) == data


@pytest.mark.parametrize("name", ["", "a<b", "</Domain", "\u0100\ud800 ", "x" * 300, "<", "a\0b"])
def test_names_are_not_judged(name: str) -> None:
    message: Any = mqcn.decode(body(TEXT.replace("dc1.example", name)))
    assert message.Data.domain_controller == name


def test_name_ends_at_the_first_closing_tag() -> None:
    text = TEXT.replace("dc1", "a</DOMAINCONTROLLER>")
    error = refusal(body(text))
    assert error.expected == "</Notification>"


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("", 0, "<Notification>"),
        ("hello", 0, "<Notification>"),
        ("\ufeff" + TEXT, 0, "<Notification>"),
        (TEXT.replace("<Event>", "<event >x"), 22, "event from 1 to 4"),
        (TEXT.replace("2<", "5<"), 21, "event from 1 to 4"),
        (TEXT.replace("2<", "22<"), 22, "</Event>"),
        (TEXT.replace("<Notification>", "<Notification>\n"), 14, "<Event>"),
        (TEXT.replace("0011", "{0011"), TEXT.index("0011"), "GUID"),
        (TEXT.replace("EEFF<", "EEFFA<"), TEXT.index("</ObjectG"), "</ObjectGuid>"),
        (TEXT.replace("</DomainController>", ""), TEXT.index("dc1"), "</DomainController>"),
        (TEXT.replace("Notification", "Not\u0131fication"), 0, "<Notification>"),
        (
            TEXT.replace("DomainController", "DirectoryServiceServer"),
            TEXT.index("<Dom"),
            "<DomainController>",
        ),
        (TEXT[:-1], TEXT.index("</Not"), "</Notification>"),
    ],
)
def test_texts_that_are_no_notification(text: str, at: int, expected: str) -> None:
    error = refusal(body(text))
    assert (error.structure, error.path, error.offset, error.expected) == (
        "NotificationBody",
        TEXT_PATH,
        2 + 2 * at,
        expected,
    )
    assert error.actual == text[at : at + 24]
    lax = mqcn.decode_lax(body(text))
    assert lax.headers == {"Version": 2, "NumberOfUpdateNotifications": 1}
    assert lax.rest == body(text)[2:]
    record = NotificationBody(Text=text)
    for reading in ("event", "object_guid", "domain_controller"):
        with pytest.raises(DecodeError) as caught:
            getattr(record, reading)
        assert (caught.value.path, caught.value.offset) == ("NotificationBody.Text", 2 * at)


def test_offsets_count_code_units() -> None:
    error = refusal(body(TEXT.replace("dc1", "\U0001f600").replace("</Notification>", "?")))
    assert error.offset == 2 + 2 * (TEXT.index("dc1") + 2 + len(".example</DomainController>"))


@pytest.mark.parametrize("rest", ["x", "\0\0", "\0x", TEXT])
def test_nothing_follows_a_notification(rest: str) -> None:
    error = refusal(body(TEXT + rest))
    kept = TEXT + ("\0" if rest[0] == "\0" else "")
    lax: Any = mqcn.decode_lax(body(TEXT + rest, b"!"))
    assert lax.packet.Data.Text == kept
    assert lax.rest == body(rest[len(kept) - len(TEXT) :], b"!")[2:]
    assert error.offset == len(body(kept))
    with pytest.raises(DecodeError, match="expected nothing, or one terminator behind the end, found"):
        _ = NotificationBody(Text=TEXT + rest).event


def test_hostile_text() -> None:
    refusal(body("<Notification" + " " * 100_000))
    refusal(body(TEXT.replace("</DomainController>", "</DomainController " * 20_000)))


# ------------------------------------------------------------------------------- version 1, leniently


def test_lax_keeps_whole_updates() -> None:
    data = PAGES["directory"][0][:-1]
    lax = mqcn.decode_lax(data)
    assert lax.headers["Version"] == 1
    assert lax.headers["Data.Updates"] == (mqcn.NotificationUpdate.decode(bytes.fromhex(UPDATE)),)
    assert lax.headers["Data.Updates[1].PathName"] == "m\\q"
    assert lax.rest == b""
    assert lax.error is not None
    assert lax.error.path == "ChangeNotificationMessage.Data.Updates[1].NumberOfProperties"


def test_unknown_property() -> None:
    update = mqcn.NotificationUpdate(
        PathName="a", PropertyId=[105, 4000], PropertyValue=[5, PropertyValue(19, 1)]
    )
    data = b"\1\1" + update.encode()
    error = refusal(data)
    assert error.path == "ChangeNotificationMessage.Data.Updates[0].PropertyId[1]"
    assert (error.actual, error.offset) == (4000, len(data) - 12)
    assert error.requirement == "MQCN-2.2.2-01"
    lax = mqcn.decode_lax(data)
    assert lax.headers["Data.Updates"] == ()
    assert lax.headers["Data.Updates[0].PropertyValue[0]"] == PropertyValue(19, 5)
    assert lax.rest == data[-4:]


def test_number_of_updates_is_bounded() -> None:
    error = refusal(b"\1\xff" + bytes(98))
    assert (error.path, error.offset, error.actual) == (
        "ChangeNotificationMessage.NumberOfUpdateNotifications",
        1,
        255,
    )


@pytest.mark.parametrize("version", [0, 3, 255])
def test_unknown_versions(version: int) -> None:
    error = refusal(bytes([version, 1]) + bytes(50))
    assert (error.path, error.offset, error.actual) == ("ChangeNotificationMessage.Version", 0, version)


def test_number_of_a_version_2_is_data() -> None:
    message: Any = mqcn.decode(b"\2\7" + body(TEXT)[2:])
    assert message.NumberOfUpdateNotifications == 7


# -------------------------------------------------------------------------------------------- encoding


@given(st.sampled_from(NotificationEvent), guids())
def test_bodies_are_written_by_the_page(event: NotificationEvent, identifier: GUID) -> None:
    made: Any = NotificationBody.of(int(event), identifier.uuid, "!~")
    assert made.Text == (
        f"<Notification><Event>{event.value}</Event><ObjectGuid>{str(identifier).upper()}</ObjectGuid>"
        "<DomainController>!~</DomainController></Notification>"
    )
    assert (made.event, made.object_guid, made.domain_controller) == (event, identifier, "!~")
    assert made.event is event


@pytest.mark.parametrize("name", ["", "x" * 257, "a<b", "a b", "é", "a\0", "\x7f", None, 5, b"dc"])
def test_names_that_cannot_be_written(name: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        NotificationBody.of(1, OBJECT, name)
    assert caught.value.path == "NotificationBody.Text.DomainController"
    assert caught.value.actual is name
    assert caught.value.expected == "1 to 256 visible ASCII characters without <"


def test_the_fault_in_a_name_is_named() -> None:
    with pytest.raises(EncodeError, match="has '<' at 2, which the grammar does not allow"):
        NotificationBody.of(1, OBJECT, "dc<")
    with pytest.raises(EncodeError, match="has 257 characters"):
        NotificationBody.of(1, OBJECT, "d" * 257)
    NotificationBody.of(1, OBJECT, "d" * 256)
    for name, at in (("<", 0), ("d" * 255 + "<", 255)):  # as long as names may be
        with pytest.raises(EncodeError, match=f"has '<' at {at}, which the grammar does not allow"):
            NotificationBody.of(1, OBJECT, name)
    with pytest.raises(EncodeError, match="has 0 characters"):
        NotificationBody.of(1, OBJECT, "")


@pytest.mark.parametrize("event", [0, 5, -1, "1", None, [], 1.5])
def test_events_that_cannot_be_written(event: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        NotificationBody.of(event, OBJECT, "dc")
    assert caught.value.path == "NotificationBody.Text.Event"


def test_identifiers_that_cannot_be_written() -> None:
    with pytest.raises(EncodeError) as caught:
        NotificationBody.of(1, "no GUID", "dc")
    assert caught.value.path == "NotificationBody.Text.ObjectGuid"


@pytest.mark.parametrize("value", [NotificationBody(), None, b""])
def test_only_messages_are_written(value: Any) -> None:
    with pytest.raises(EncodeError, match="expected a change notification, got"):
        mqcn.encode(value)


def test_too_many_updates() -> None:
    update = mqcn.NotificationUpdate(PathName="")
    with pytest.raises(EncodeError) as caught:
        mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=[update] * 256))
    assert caught.value.path == "ChangeNotificationMessage.Data.Updates"
    with pytest.raises(EncodeError) as caught:
        mqcn.NotificationUpdate(PathName="a\0")
    assert caught.value.path == "NotificationUpdate.PathName"


def test_bent_messages_are_written_as_they_are() -> None:
    bent = mqcn.ChangeNotificationMessage(Data=NotificationBody(Text="x", Unused=b"yz"))
    assert mqcn.encode(bent) == b"\2\1x\0yz"


@pytest.mark.parametrize(
    ("name", "behind", "kept"),
    [
        ("directory", b"\x7fabc", 1),  # the first is the byte of the sender's buffer
        ("nothing", b"\x7fabc", 1),
        (
            "queue manager",
            "wxyz".encode("utf-16-le") + b"!",
            0,
        ),  # it would be the last, if no text were between
    ],
)
def test_bytes_behind_a_notification(name: str, behind: bytes, kept: int) -> None:
    whole = PAGES[name][0] + behind
    end = len(whole) - len(behind) + kept
    error = refusal(whole)
    assert (error.problem, error.offset) == (f"{len(whole) - end} bytes left over", end)
    lax = mqcn.decode_lax(whole)
    assert (lax.packet, lax.rest) == (mqcn.decode(whole[:end]), whole[end:])


def test_text_that_is_no_notification_is_doubtful() -> None:
    data = body("<Notice/>")
    lax = mqcn.decode_lax(data)
    assert dict(lax.headers) == dict(lax.fields) == {"Version": 2, "NumberOfUpdateNotifications": 1}
    assert dict(lax.doubtful) == {"Data.Text": "<Notice/>", "Data.Unused": b""}
    assert (lax.packet, lax.rest) == (None, data[2:])
    assert (lax.reached, lax.cut) == (("Data.Text", 2), None)
    assert lax.errors == (lax.error,)
    assert lax.error is not None
    assert lax.error.offset >= 2


def test_notifications_larger_than_the_limit() -> None:
    for data, _ in PAGES.values():
        limits = mw.Limits(packet_size=len(data) - 1)
        assert mqcn.decode(data, limits=mw.Limits(packet_size=len(data))) == mqcn.decode(data)
        with pytest.raises(DecodeError, match="packet size") as caught:
            mqcn.decode(data, limits=limits)
        assert caught.value.limit == "Limits.packet_size"
        lax = mqcn.decode_lax(data, limits=limits)
        assert (lax.packet, dict(lax.headers), lax.rest) == (None, {}, data)
