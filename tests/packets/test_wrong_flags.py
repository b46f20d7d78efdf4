"""Message packets of remote reads whose flags or sizes contradict their headers: what lies is named."""

from __future__ import annotations

from typing import Any

import pytest

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.documents.mqrr import (
    CompoundMessageHeader,
    DeadLetterHeader,
    ExtendedAddressHeader,
    ExtensionHeader,
    SRMPEnvelopeHeader,
    SubqueueHeader,
)
from msmq_wire.mqrr import MessagePacket
from msmq_wire.records.diagnostic_reader import DiagnosticReader
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.records.registry import PACKETS
from msmq_wire.testing.bent.records import bend

MESSAGE = mqmq.UserMessage(
    UserHeader=mqmq.UserHeader(
        DestinationQueue="DIRECT=OS:host\\queue",
        QueueManagerAddress=bytes.fromhex("0400010000000000 0a00000700000000"),
    ),
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="label\0", MessageBody=b"hello"),
)
ADDRESS = ExtendedAddressHeader(AddressLength=4, AddressType=1, Address=bytes.fromhex("0a000007") + bytes(12))
TRAILERS: dict[str, Any] = {"SubqueueHeader": SubqueueHeader(), "ExtendedAddressHeader": ADDRESS}
DEAD = DeadLetterHeader(DeadLetterPathName="DIRECT=OS:host\\private$\\dead")
SRMP: dict[str, Any] = {
    "SRMPEnvelopeHeader": SRMPEnvelopeHeader(Data="<e/>\0"),
    "CompoundMessageHeader": CompoundMessageHeader(Data=b"HTTP body"),
}


def packet(dead: DeadLetterHeader | None = None, **more: Any) -> Any:
    return MessagePacket(
        UserMessage=mw.replace(MESSAGE, **more) if more else MESSAGE,
        ExtensionHeader=ExtensionHeader(),
        DeadLetterHeader=dead,
        **TRAILERS,
    )


WITHOUT, WITH = packet(), packet(DEAD)
SIZE = WITH.DeadLetterHeader.HeaderSize
RIGHT = [WITHOUT, WITH, packet(**SRMP), packet(DEAD, **SRMP)]
LIES = [
    (bend(WITHOUT, "ExtensionHeader.Flags.DL", 1), "ExtensionHeader.Flags.DL", "MQRR-2.2.5.2-03"),
    (bend(WITH, "ExtensionHeader.Flags.DL", 0), "ExtensionHeader.Flags.DL", "MQRR-2.2.5.2-02"),
    *(
        (bend(known, f"ExtensionHeader.Flags.{flag}", 0), f"ExtensionHeader.Flags.{flag}", requirement)
        for known in (WITHOUT, WITH)
        for flag, requirement in (("SQ", "MQRR-2.2.5.2-04"), ("EA", "MQRR-2.2.5.2-09"))
    ),
    *(
        (bend(WITH, "DeadLetterHeader.HeaderSize", size), "DeadLetterHeader.HeaderSize", "MQRR-2.2.5.4-01")
        for size in (8, SIZE - 4, SIZE + 4, SIZE + 28, 4000)
    ),
    (
        bend(WITHOUT, "UserMessage.UserHeader.Flags.AH", 1),
        "UserMessage.UserHeader.Flags.AH",
        "MQRR-2.2.5.1.2-02",
    ),
    (
        bend(packet(**SRMP), "UserMessage.UserHeader.Flags.AH", 0),
        "UserMessage.UserHeader.Flags.AH",
        "MQRR-2.2.5.1.1-02",
    ),
    (
        bend(WITH, "UserMessage.UserHeader.Flags.MQ", 1),
        "UserMessage.UserHeader.Flags.MQ",
        "MQMQ-2.2.19.2-27",
    ),
]


@pytest.mark.parametrize("record", RIGHT)
def test_right_ones(record: Any) -> None:
    data = record.encode()
    assert MessagePacket.decode(data) == record
    assert mw.decode_lax(data, "MessagePacket").packet == record


@pytest.mark.parametrize(("record", "path", "requirement"), LIES)
def test_what_lies_is_named(record: Any, path: str, requirement: str) -> None:
    """By `decode` and `decode_lax` alike, and `validate` reports no field that only seems wrong."""
    data = record.encode()
    with pytest.raises(mw.DecodeError) as caught:
        MessagePacket.decode(data)
    error = caught.value
    assert (error.path, error.requirement) == (f"MessagePacket.{path}", requirement)
    lax = mw.decode_lax(data, "MessagePacket")
    assert str(lax.error) == str(error)
    assert lax.packet is None
    assert list(mw.validate(lax)) == []
    trailer = "UserMessage." not in path
    assert all(not name.startswith("ExtendedAddressHeader") for name in lax.fields) or not trailer


@pytest.mark.parametrize(("record", "path", "requirement"), LIES)
def test_the_same_field_of_a_record(record: Any, path: str, requirement: str) -> None:
    """A record that contradicts itself is reported with the requirement that rejects its bytes."""
    found = {(one.requirement, one.path) for one in mw.validate(record)}
    assert (requirement, f"MessagePacket.{path}") in found


@pytest.mark.parametrize("guid", [bytes(range(1, 17)), b"A" * 16])
def test_a_connector_without_its_flag(guid: bytes) -> None:
    """As a ConnectorType before the TransactionHeader they would leave its numbers in no order."""
    header = mqmq.TransactionHeader(TxSequenceNumber=1, ConnectorQMGuid=mw.GUID(guid))
    record = bend(mw.replace(MESSAGE, TransactionHeader=header), "TransactionHeader.Flags.CG", 0)
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(record.encode())
    assert caught.value.path == "UserMessage.TransactionHeader.Flags.CG"
    assert caught.value.requirement == "MQMQ-2.2.20.5-31"


def test_two_lies() -> None:
    """Then nothing is known to be wrong but where decoding stops."""
    record = bend(bend(WITH, "ExtensionHeader.Flags.DL", 0), "ExtensionHeader.Flags.SQ", 0)
    with pytest.raises(mw.DecodeError) as caught:
        MessagePacket.decode(record.encode())
    assert caught.value.path == "MessagePacket"
    record = bend(bend(WITH, "ExtensionHeader.Flags.DL", 0), "ExtensionHeader.RemainingHeadersSize", 1)
    lax = mw.decode_lax(record.encode(), "MessagePacket")
    assert lax.error is None
    assert lax.packet is not None


def test_headers_within_the_packet() -> None:
    """Some packets have them within PacketSize (errata R12)."""
    record: Any = mw.replace(MESSAGE, ExtensionHeader=ExtensionHeader(), DeadLetterHeader=DEAD, **TRAILERS)
    data = bend(record, "ExtensionHeader.Flags.DL", 0).encode()
    for decode in (mw.decode, mqmq.UserMessage.decode):
        with pytest.raises(mw.DecodeError) as caught:
            decode(data)
        assert caught.value.path == "UserMessage.ExtensionHeader.Flags.DL"
        assert caught.value.requirement == "MQRR-2.2.5.2-02"


def test_a_cut_packet() -> None:
    """No flag is wrong: bytes are missing.  All trailers may be missing (errata R8)."""
    data = WITH.encode()
    for size in {*range(len(data))} - {len(WITH.UserMessage.encode())}:
        with pytest.raises(mw.DecodeError) as caught:
            MessagePacket.decode(data[:size])
        assert ".Flags." not in caught.value.path, size


SOAP: Any = mw.replace(
    MESSAGE, SoapHeader=mqmq.SoapHeader(Header="<header/>\0", Body="<body/>\0"), UserHeader=mqmq.UserHeader(
        DestinationQueue="DIRECT=OS:host\\a", ResponseQueue="DIRECT=OS:host\\response"
    )
)  # fmt: skip
LONG = [
    ("UserHeader.DestinationQueue.Count", "MQMQ-2.2.18.1.5.2-02", 2),
    ("UserHeader.ResponseQueue.Count", "MQMQ-2.2.18.1.5.2-02", 2),
    ("MessagePropertiesHeader.LabelLength", "MQMQ-2.2.19.3-13", 1),
    ("SoapHeader.HeaderDataLength", "MQMQ-2.2.20.7-04", 1),
]


@pytest.mark.parametrize(("path", "requirement", "unit"), LONG)
@pytest.mark.parametrize("more", [2, 3])
def test_a_length_beyond_its_text(path: str, requirement: str, unit: int, more: int) -> None:
    """It is named, not what was read behind it; one character more may be taken from padding."""
    data = bytearray(SOAP.encode())
    reader = diagnostic_reader(bytes(data))
    reader.read(mqmq.UserMessage.layout, 0, len(data))
    (field,) = (field for field in reader.spans if field.path == f"UserMessage.{path}")
    data[field.offset] += more * unit
    for read in (mw.decode, mqmq.UserMessage.decode):
        with pytest.raises(mw.DecodeError) as caught:
            read(bytes(data))
        error = caught.value
        assert (error.path, error.offset) == (f"UserMessage.{path}", field.offset)
        assert error.requirement == requirement
        assert (error.expected, error.actual) == (field.value, field.value + more * unit)
    assert str(mw.decode_lax(bytes(data)).error) == str(error)


def test_zeros_after_a_message_are_no_header() -> None:
    """A SoapHeader of empty texts has as many bytes, but other ones: no flag is at fault."""
    size = len(mqmq.SoapHeader().encode())
    message = bend(MESSAGE, "BaseHeader.PacketSize", MESSAGE.BaseHeader.PacketSize + size)
    with pytest.raises(mw.DecodeError) as caught:
        mqmq.UserMessage.decode(message.encode() + bytes(size))
    assert caught.value.requirement == "MQMQ-2.2.19.1-31"
    with pytest.raises(mw.DecodeError) as caught:
        mqmq.UserMessage.decode(message.encode() + mqmq.SoapHeader().encode())
    assert caught.value.requirement == "MQMQ-2.2.19.2-35"


def test_fields_are_read_once_for_all_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flags, lengths and texts are located by one reader."""
    readers: list[Any] = []
    run = DiagnosticReader.run

    def counted(reader: DiagnosticReader, *arguments: Any) -> tuple[Any, int]:
        readers.append(reader)
        return run(reader, *arguments)

    monkeypatch.setattr(DiagnosticReader, "run", counted)
    with pytest.raises(mw.DecodeError, match="left over"):
        mqmq.UserMessage.decode(MESSAGE.encode() + b"surplus")
    assert len(readers) == 1


def test_attempts_do_not_grow_with_the_body(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever constants of headers stand in it."""
    calls: list[int] = []
    decode = PACKETS["UserMessage"]

    def counted(*arguments: Any) -> Any:
        calls.append(1)
        return decode(*arguments)

    monkeypatch.setitem(PACKETS, "UserMessage", counted)
    counts = []
    for size in (1_000, 4_000):
        properties = mqmq.MessagePropertiesHeader(MessageBody=b"\x64\0\0\0\x20\x03\0\0" * size)
        data = bytearray(mw.replace(MESSAGE, MessagePropertiesHeader=properties).encode())
        at = data.index((8 * size).to_bytes(4, "little") * 2)
        data[at : at + 8] = (4).to_bytes(4, "little") * 2  # MessageSize and AllocationBodySize
        calls.clear()
        with pytest.raises(mw.DecodeError):
            mw.decode(data)
        counts.append(len(calls))
    assert counts[0] == counts[1] < 200


def test_nothing_is_tried_for_a_truncated_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """No flag and no length makes it longer."""
    data = mw.replace(MESSAGE, TransactionHeader=mqmq.TransactionHeader()).encode()
    errors = [error_of(data[:cut]) for cut in range(len(data))]

    def fail(*_: Any) -> None:
        raise AssertionError("a truncated message was tried")

    monkeypatch.setitem(PACKETS, "UserMessage", fail)
    assert [error_of(data[:cut]) for cut in range(len(data))] == errors


def error_of(data: bytes) -> str:
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(data)
    return str(caught.value)


def test_a_byte_after_a_session_header_within_the_packet() -> None:
    """Read as the headers of a remote read, the SessionHeader announces another one."""
    header = mqmq.SessionHeader(AckSequenceNumber=3, UserMsgSequenceNumber=2, WindowSize=64)
    message = mqmq.UserMessage(SessionHeader=header)
    size = len(message.encode())
    data = mw.replace(message, {"BaseHeader.PacketSize": size}).encode() + b"\0"
    with pytest.raises(mw.DecodeError, match="expected 4 bytes, found 0") as caught:
        MessagePacket.decode(data)
    assert caught.value.path == "MessagePacket.UserMessage.SubqueueHeader.Flags"
