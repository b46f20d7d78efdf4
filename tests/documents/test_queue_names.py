"""Queue names between the wire and text."""

from __future__ import annotations

from typing import Any

import pytest
from support_rows import for_each

from msmq_wire import GUID, EncodeError, mqmq, queue_names
from msmq_wire.names.format_names import DirectName, MultipleName, PrivateName, parse_format_name

HOST = "557358D1-9150-9595-4997-B6E611EA26C6"
OTHER = "43CD8907-394C-8F11-4445-9078909EA0FC"

NAMES = [
    (f"PUBLIC={HOST}", mqmq.PublicQueueFormatName(HOST)),
    (f"PRIVATE={HOST}\\0000000D", mqmq.PrivateQueueFormatName(HOST, 13)),
    ("DIRECT=OS:a04bm02\\q", mqmq.DirectQueueFormatName(DirectFormatName="OS:a04bm02\\q")),
]


@for_each(("text", "wire"), lambda: NAMES)
def test_both_ways(text: str, wire: Any) -> None:
    assert queue_names.to_wire(text) == wire
    assert queue_names.to_wire(parse_format_name(text)) == wire
    assert str(queue_names.from_wire(wire)) == text
    assert str(wire.format_name) == text


@pytest.mark.parametrize(
    "text",
    [
        f"PUBLIC={HOST}",
        f"PRIVATE={HOST}\\0000000D",
        "DIRECT=TCP:10.0.0.1\\private$\\q",
        f"DL={OTHER}",
    ],
)
def test_elements_both_ways(text: str) -> None:
    element = queue_names.to_element(text)
    assert str(queue_names.from_wire(element)) == str(element.format_name) == text
    assert mqmq.MQFFormatNameElement.decode(element.encode()) == element


def test_lists_both_ways() -> None:
    text = f"DIRECT=OS:odd\\q,PUBLIC={HOST},PRIVATE={OTHER}\\00000004,DL={OTHER}"
    header = queue_names.to_wire_list(text)
    assert header.ElementCount == 4
    assert str(header.names) == text
    assert mqmq.MQFAddressHeader.decode(header.encode()) == header
    assert queue_names.to_wire_list(parse_format_name(f"PUBLIC={HOST}")).ElementCount == 1
    assert mqmq.MQFAddressHeader().names is None
    assert isinstance(header.names, MultipleName)


@pytest.mark.parametrize(("direct", "padding"), [("DIRECT=OS:ab\\q", b""), ("DIRECT=OS:abc\\q", b"\0\0")])
def test_padding_of_elements_follows_their_place(direct: str, padding: bytes) -> None:
    """An element that was made alone is padded as its place in the list asks for."""
    listed = f"DL={OTHER}"
    header = queue_names.to_wire_list(f"{direct},{listed}")
    alone, element = queue_names.to_element(listed), header.FormatNameList[1]
    assert alone.Padding == b"\0\0"
    assert element.Padding == padding
    assert element.FormatName == alone.FormatName
    assert mqmq.MQFAddressHeader.decode(header.encode()) == header
    assert str(queue_names.from_wire_list(header)) == f"{direct},{listed}"


def test_short_private_name_needs_its_host() -> None:
    short = mqmq.PrivateQueueFormatNameId(7)
    assert str(queue_names.from_wire(short, host=GUID.of(HOST))) == f"PRIVATE={HOST}\\00000007"
    with pytest.raises(EncodeError, match="does not name its host") as caught:
        queue_names.from_wire(short)
    assert caught.value.expected == "the host's GUID"
    with pytest.raises(EncodeError, match="is not a wire form") as caught:
        queue_names.from_wire(mqmq.XACTUOW(), host=GUID.of(HOST))  # type: ignore[arg-type]  # the wrong record
    assert caught.value.expected == "a wire form"
    assert queue_names.to_wire(f"PRIVATE={HOST}\\7", host=GUID.of(HOST)) == short


@pytest.mark.parametrize(
    "text",
    [f"PUBLIC={HOST};JOURNAL", f"PRIVATE={HOST}\\7;JOURNAL", f"MACHINE={HOST};JOURNAL", f"DL={OTHER}",
     "MULTICAST=234.1.1.1:8001", f"CONNECTOR={HOST}"],
)  # fmt: skip
def test_names_without_a_form_in_a_header(text: str) -> None:
    with pytest.raises(EncodeError, match="has no form in a UserHeader") as caught:
        queue_names.to_wire(text)
    assert caught.value.expected == "a public, private or direct name"


@pytest.mark.parametrize("text", [f"PUBLIC={HOST};JOURNAL", f"MACHINE={HOST};JOURNAL", f"DL={OTHER}@domain"])
def test_names_without_a_form_in_a_list(text: str) -> None:
    with pytest.raises(EncodeError, match="has no form in a MQFFormatNameElement") as caught:
        queue_names.to_element(text)
    assert caught.value.expected == "a public, private or direct name or distribution list"


def test_headers_take_names() -> None:
    header = mqmq.UserHeader(
        SourceQueueManager=OTHER,
        DestinationQueue=f"PRIVATE={HOST}\\00000004",
        AdminQueue=f"PRIVATE={OTHER}\\00000005",
        ResponseQueue=PrivateName(GUID.of(HOST), 6),
    )
    assert (header.Flags.DQ, header.Flags.AQ, header.Flags.RQ) == (3, 2, 3)
    assert header.QueueManagerAddress == GUID.of(HOST)
    assert str(header.destination) == f"PRIVATE={HOST}\\00000004"
    assert str(header.admin_queue) == f"PRIVATE={OTHER}\\00000005"
    assert str(header.response_queue) == f"PRIVATE={HOST}\\00000006"
    assert mqmq.UserHeader.decode(header.encode()) == header
    third = mqmq.UserHeader(DestinationQueue="DIRECT=OS:h\\q", AdminQueue=f"PRIVATE={HOST}\\9")
    assert third.Flags.AQ == 6
    assert third.destination == DirectName("OS:h\\q")
    assert not third.QueueManagerAddress


def test_headers_refuse_what_is_no_name() -> None:
    with pytest.raises(EncodeError, match="character 0") as caught:
        mqmq.UserHeader(DestinationQueue="bogus")
    assert caught.value.path == "UserHeader.DestinationQueue"
    with pytest.raises(EncodeError, match="expected one of PrivateQueueFormatNameId, PublicQueueFormatName"):
        mqmq.UserHeader(DestinationQueue=5)  # type: ignore[arg-type]  # the wrong type is the test
    with pytest.raises(EncodeError, match=", got PrivateQueueFormatName"):
        mqmq.UserHeader(DestinationQueue=f"PRIVATE={HOST}\\4", QueueManagerAddress=OTHER)


def test_response_queue_by_selector() -> None:
    admin = mqmq.PrivateQueueFormatName(HOST, 1)
    same = mqmq.UserHeader(AdminQueue=admin, Flags=mqmq.UserHeaderFlags(RQ=1))
    assert same.response_queue == same.admin_queue == PrivateName(GUID.of(HOST), 1)
    beside = mqmq.UserHeader(
        AdminQueue=admin,
        ResponseQueue=mqmq.PrivateQueueFormatNameId(2),
        Flags=mqmq.UserHeaderFlags(RQ=4),
    )
    assert beside.response_queue == PrivateName(GUID.of(HOST), 2)
    assert mqmq.UserHeader.decode(beside.encode()) == beside
    lost = mqmq.UserHeader(ResponseQueue=mqmq.PrivateQueueFormatNameId(2), Flags=mqmq.UserHeaderFlags(RQ=4))
    with pytest.raises(EncodeError, match="does not name its host"):
        lost.response_queue  # noqa: B018  # the access is the test
    assert mqmq.UserHeader().destination is None
