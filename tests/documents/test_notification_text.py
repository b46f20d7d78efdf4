"""The text of notifications ([MS-MQCN] 2.2.5): which names are allowed, and where a text stops being one."""

from __future__ import annotations

import pytest

from msmq_wire import GUID, DecodeError, EncodeError
from msmq_wire.documents.notification_text import notification_text, parse_notification

OBJECT = GUID.of("00112233-4455-6677-8899-aabbccddeeff")


@pytest.mark.parametrize("length", [1, 2, 255, 256])
def test_names_of_any_allowed_length(length: int) -> None:
    """Up to 256 characters; a wrong one is named with its place."""
    name = "d" * length
    text = notification_text(4, OBJECT, name)
    found = parse_notification(text)
    assert (found.event, found.object_guid, found.domain_controller) == (4, OBJECT, name)
    assert found.end == len(text)
    for at in {0, length - 1}:
        with pytest.raises(EncodeError, match=f"has '<' at {at}, which the grammar does not allow"):
            notification_text(4, OBJECT, name[:at] + "<" + name[at + 1 :])


@pytest.mark.parametrize("length", [0, 257, 300])
def test_names_of_other_lengths(length: int) -> None:
    with pytest.raises(EncodeError, match=f"has {length} characters"):
        notification_text(1, OBJECT, "<" * length)


@pytest.mark.parametrize("end", [0, 13, 20, 30, 60, 90])
def test_where_a_text_stops_being_a_notification(end: int) -> None:
    """The error is there, in bytes from the beginning of the field, and shows 24 characters."""
    text = notification_text(1, OBJECT, "dc")
    bent = text[:end] + "\u0100" + text[end + 1 :]
    with pytest.raises(DecodeError) as caught:
        parse_notification(bent, path="P", offset=100)
    error = caught.value
    begin = (error.offset - 100) // 2
    assert begin <= end
    assert (error.path, error.structure, error.actual) == ("P", "NotificationBody", bent[begin : begin + 24])
    for rest in ("\0", ""):
        assert parse_notification(text + rest).end == len(text + rest)
    assert parse_notification(text + "\0x", whole=False).end == len(text) + 1
    with pytest.raises(DecodeError) as caught:
        parse_notification(text + "\0x")
    assert caught.value.offset == 2 * len(text) + 2
