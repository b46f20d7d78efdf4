"""Paddings of another size than a reader takes: `validate` reports them, the bytes read differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import msmq_wire as mw
from msmq_wire import mqmq, mqrr
from msmq_wire.testing.bent.records import walk
from msmq_wire.values.guid import GUID, NULL_GUID

if TYPE_CHECKING:
    from collections.abc import Iterator

QUEUE_MANAGER = GUID(b"\x01" * 16)
ADDRESS = GUID(mqrr.UserHeaderAddress(AddressLength=4, AddressType=1, Address=b"\x0a\0\0\1\0\0\0\0").encode())
NAMES = (
    mqmq.PublicQueueFormatName(QUEUE_MANAGER),
    mqmq.MQFDirectQueueFormatName("OS:host\\queue"),
    mqmq.PrivateQueueFormatName(QUEUE_MANAGER, 1),
    mqmq.MQFDirectQueueFormatName("OS:hosts\\queue"),
    mqmq.MQFDistributionQueueFormatName(QUEUE_MANAGER),
    mqmq.PublicQueueFormatName(QUEUE_MANAGER),
)
LISTS = mqmq.MultiQueueFormatHeader(
    Destination=mqmq.MQFAddressHeader(
        HeaderID=0x64, FormatNameList=tuple(mqmq.MQFFormatNameElement(FormatName=name) for name in NAMES)
    ),
    Signature=mqmq.MQFSignatureHeader(Signature=b"signed"),
)


def _message(text: str, *, address: GUID = NULL_GUID, **headers: Any) -> mqmq.UserMessage:
    """Return a message whose paddings have other sizes for a longer text."""
    message = mqmq.UserMessage.of(
        SourceQueueManager=QUEUE_MANAGER,
        QueueManagerAddress=address,
        DestinationQueue=f"DIRECT=OS:host\\{text}",
        ResponseQueue=f"DIRECT=OS:hosts\\{text}",
        MessageBody=text.encode(),
        SecurityID=QUEUE_MANAGER.bytes_le,
        Signature=text.encode(),
        SenderCert=b"certificate",
        SecurityHeaderFlags=mqmq.SecurityHeaderFlags(ST=2, DE=1),
    )
    return mw.replace(message, SoapHeader=mqmq.SoapHeader(Header=text, Body=f"{text}{text}"), **headers)


def _over_http(text: str) -> mqrr.MessagePacket:
    return mqrr.MessagePacket(
        UserMessage=_message(
            text,
            address=ADDRESS,
            SRMPEnvelopeHeader=mqrr.SRMPEnvelopeHeader(Data=text),
            CompoundMessageHeader=mqrr.CompoundMessageHeader(Data=text.encode()),
        )
    )


PACKETS = {
    f"{name} with {text}": packet
    for text in ("a", "ab", "abc", "abcd")
    for name, packet in (
        ("message", _message(text)),
        ("message to several queues", _message(text, MultiQueueFormatHeader=LISTS)),
        ("message over HTTP", _over_http(text)),
    )
}


def _paddings(record: Any, outer: str = "") -> Iterator[str]:
    """Yield the paths of all paddings in a record."""
    for field in record.layout.fields:
        value = getattr(record, field.name)
        if field.name.endswith("Padding"):
            yield f"{outer}{field.name}"
        elif isinstance(value, mw.Record):
            yield from _paddings(value, f"{outer}{field.name}.")


def _with(record: Any, path: str, value: Any) -> Any:
    """Return a record with another value in one field; numbers around it that depend on it follow."""
    name, _, inner = path.partition(".")
    return mw.replace(record, **{name: _with(getattr(record, name), inner, value) if inner else value})


def _sized(packet: Any) -> Any:
    """Return a packet that states its size."""
    outer = "UserMessage." if isinstance(packet, mqrr.MessagePacket) else ""
    return mw.replace(packet, {f"{outer}BaseHeader.PacketSize": len(packet.encode())})


def _reads_back(packet: Any) -> bool:
    try:
        return bool(mw.decode(packet.encode(), type(packet)) == packet)
    except mw.DecodeError:
        return False


@pytest.mark.parametrize("name", PACKETS)
def test_a_padding_that_violates_nothing_reads_back(name: str) -> None:
    packet = PACKETS[name]
    assert mw.validate(packet) == ()
    assert _reads_back(packet)
    for path in _paddings(packet):
        sized = [_sized(_with(packet, path, bytes(size))) for size in range(9)]
        told = [
            [(violation.requirement, violation.path) for violation in mw.validate(item)] for item in sized
        ]
        assert all(len(set(items)) == len(items) for items in told), path
        reported = {size for size, items in enumerate(told) if items}
        misread = {size for size, item in enumerate(sized) if not _reads_back(item)}
        assert reported >= misread, path
        assert len(walk(packet, path)[1]) not in reported


@pytest.mark.parametrize("number", range(len(NAMES)))
def test_a_padding_in_a_list_of_names(number: int) -> None:
    before = list(LISTS.Destination.FormatNameList)
    for size in range(9):
        element = mqmq.MQFFormatNameElement(before[number].FormatType, bytes(size), NAMES[number])
        names = (*before[:number], element, *before[number + 1 :])
        header = mqmq.MQFAddressHeader(HeaderID=0x64, FormatNameList=names)
        reads = mw.decode_lax(header.encode(), "MQFAddressHeader").packet == header
        assert reads or mw.validate(header), (number, size)


def test_what_is_reported_of_a_padding() -> None:
    """Not PacketSize, which is the size of the bytes, but what they are too many or too few for."""
    packet = PACKETS["message to several queues with abc"]
    found = {
        path: [(violation.requirement, violation.path) for violation in mw.validate(_sized(longer))]
        for path in _paddings(packet)
        if (longer := _with(packet, path, bytes(8)))
    }
    header, packing = "MQMQ-2.2.19.1-31", "MQMQ-2.2.20.6-25"
    assert {path: requirements[0] for path, requirements in found.items()} == {
        path: (requirement, f"UserMessage.{path}")
        for path, requirement in (
            ("UserHeader.DestinationQueue.Padding", "MQMQ-2.2.18.1.5.2-03"),
            ("UserHeader.ResponseQueue.Padding", "MQMQ-2.2.18.1.5.2-03"),
            ("SecurityHeader.SecurityData.SecurityIDPadding", packing),
            ("SecurityHeader.SecurityData.EncryptionKeyPadding", packing),
            ("SecurityHeader.SecurityData.SignaturePadding", packing),
            ("SecurityHeader.SecurityData.SenderCertPadding", packing),
            ("SecurityHeader.SecurityData.ProviderInfoPadding", packing),
            ("MessagePropertiesHeader.Padding", "MQMQ-2.2.19.3-40"),
            ("SoapHeader.HeaderPadding", header),
            ("SoapHeader.Padding", header),
            ("MultiQueueFormatHeader.Destination.Padding", "MQMQ-2.2.20.2-05"),
            ("MultiQueueFormatHeader.Administration.Padding", "MQMQ-2.2.20.2-05"),
            ("MultiQueueFormatHeader.Response.Padding", "MQMQ-2.2.20.2-05"),
            ("MultiQueueFormatHeader.Padding", header),
        )
    } | {
        f"MultiQueueFormatHeader.{part}.Padding": (
            "MQMQ-2.2.20.2-05",
            f"UserMessage.MultiQueueFormatHeader.{part}.ElementCount",
        )
        for part in ("Destination", "Administration", "Response")
    }
