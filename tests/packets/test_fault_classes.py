"""A vector and a test for each class of fault that was published for readers of this protocol."""

from __future__ import annotations

import struct
import tomllib
from typing import Any

import pytest
from support_rows import for_each
from support_specs import SPECS

import msmq_wire as mw
from msmq_wire import DecodeError, PropertyValue, mqdsrp, mqmq
from msmq_wire.documents.propid import VARTYPE
from msmq_wire.testing.mutation.numbers import View
from msmq_wire.values.limits import UNLIMITED

PARTS: Any = mqmq
MESSAGES: Any = mqdsrp
_ELEMENT = PARTS.MQFFormatNameElement(FormatName=PARTS.MQFDirectQueueFormatName("OS:a\\b"))
_BYTES = VARTYPE.VT_UI1 | VARTYPE.VT_VECTOR
BASES: dict[str, tuple[Any, bytes]] = {
    "http": (
        mw.decode,
        PARTS.UserMessage(
            SRMPEnvelopeHeader=mw.mqrr.SRMPEnvelopeHeader(Data="<se/>\0"),
            CompoundMessageHeader=mw.mqrr.CompoundMessageHeader(
                Data=b"POST / body", MsgBodySize=4, MsgBodyOffset=7
            ),
        ).encode(),
    ),
    "secured": (
        mw.decode,
        PARTS.UserMessage(
            SecurityHeader=PARTS.SecurityHeader(
                SecurityData=PARTS.SecurityData(
                    SecurityID=bytes(16), EncryptionKey=b"key", Signature=b"signature", SenderCert=b"cert",
                    ProviderInfo=bytes(8),
                )
            )
        ).encode(),
    ),
    "queues": (
        mw.decode,
        PARTS.UserMessage(
            MultiQueueFormatHeader=PARTS.MultiQueueFormatHeader(
                Destination=PARTS.MQFAddressHeader(FormatNameList=[_ELEMENT] * 3)
            )
        ).encode(),
    ),
    "labelled": (
        mw.decode,
        PARTS.UserMessage(
            MessagePropertiesHeader=PARTS.MessagePropertiesHeader(Label="abc\0", MessageBody=b"body")
        ).encode(),
    ),
    "remote": (
        mw.decode,
        PARTS.UserMessage(
            ExtensionHeader=mw.mqrr.ExtensionHeader(),
            DeadLetterHeader=mw.mqrr.DeadLetterHeader(DeadLetterPathName="a\\b"),
        ).encode(),
    ),
    "direct": (
        mw.decode,
        PARTS.UserMessage(UserHeader=PARTS.UserHeader(DestinationQueue="DIRECT=OS:a\\b")).encode(),
    ),
    "change": (
        mqdsrp.DirectoryChange.decode,
        MESSAGES.DirectoryChange(
            PathName="a", PropertyID=[205], PropertyValue=[PropertyValue.of(_BYTES, b"ab")]
        ).encode(),
    ),
}  # fmt: skip
FAULTS = tomllib.loads((SPECS / "vectors/faults.toml").read_text(encoding="utf-8"))["fault"]


def hostile(fault: dict[str, Any]) -> bytes:
    """The bytes of a vector."""
    read, base = BASES[fault["start"]]
    kind = None if read is mw.decode else "DirectoryChange"
    places = {piece.path: piece for piece in View(base, kind).fields}
    data = bytearray(base)
    for path, number in fault["changes"]:
        piece = places[path]
        size = 4 if "PropertyValue" in path else piece.size
        data[piece.offset : piece.offset + size] = number.to_bytes(size, "little")
    return bytes(data) + bytes(fault.get("fill", len(data)) - len(data))


def test_every_fault_has_a_name_of_its_own() -> None:
    assert len({fault["name"] for fault in FAULTS}) == len(FAULTS) > 0


@for_each("base", lambda: BASES)
def test_bases_are_in_order(base: str) -> None:
    read, data = BASES[base]
    assert read(data).encode() == data


@for_each("fault", lambda: FAULTS)
def test_fault(fault: dict[str, Any]) -> None:
    """Refused with the field that lies, or read, written back as it was, and found wrong."""
    read, _ = BASES[fault["start"]]
    data = hostile(fault)
    if fault["verdict"] == "accepted":
        packet = read(data)
        assert packet.encode() == data
        assert isinstance(mw.explain(data), str)
        return
    with pytest.raises(DecodeError) as caught:
        read(data)
    error = caught.value
    assert error.path == fault["verdict"]
    assert error.structure
    assert 0 <= error.offset <= len(data)
    if read is mw.decode:
        assert str(mw.decode_lax(data).error) == str(error)
        assert list(mw.PacketStream(1 << 23).frames(data, final=True))


@pytest.mark.parametrize(
    "name", ["compound-offset-outside", "compound-body-outside", "label-without-terminator"]
)
def test_what_is_accepted_is_judged(name: str) -> None:
    """Readable, so it is read; `validate` says what is wrong."""
    fault = next(fault for fault in FAULTS if fault["name"] == name)
    path = fault["changes"][0][0]
    read, _ = BASES[fault["start"]]
    channel: Any = "remote-read" if fault["start"] == "http" else "session"
    found = mw.validate(read(hostile(fault)), "should", channel=channel)
    assert any(violation.path.startswith(path.rpartition(".")[0]) for violation in found)


TEN_THOUSAND = 10_000


def test_ten_thousand_names() -> None:
    lists = PARTS.MQFAddressHeader(FormatNameList=[_ELEMENT] * TEN_THOUSAND)
    packet = PARTS.UserMessage(MultiQueueFormatHeader=PARTS.MultiQueueFormatHeader(Destination=lists))
    data = packet.encode()
    assert mw.decode(data, limits=UNLIMITED) == packet
    with pytest.raises(DecodeError):
        mw.decode(data[:-1], limits=UNLIMITED)
    with pytest.raises(DecodeError, match="queues"):
        mw.decode(data)


def test_ten_thousand_changes() -> None:
    change = MESSAGES.DirectoryChange(PathName="a")
    message = MESSAGES.SyncReplyMessage(DirectoryChanges=[change] * TEN_THOUSAND)
    data = mqdsrp.encode(message)
    assert mqdsrp.decode(data) == message
    with pytest.raises(DecodeError):
        mqdsrp.decode(data[:-1])


def test_ten_thousand_vectors_within_each_other() -> None:
    variants = VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT
    nested = struct.pack("<IH", 1, variants) * TEN_THOUSAND + bytes(4)
    with pytest.raises(DecodeError):
        PropertyValue.decode(variants, nested)


def test_ten_thousand_headers_in_a_stream() -> None:
    base = BASES["labelled"][1][:8]
    stream = mw.PacketStream()
    header = base + struct.pack("<II", 0x0040_0000, 0xFFFFFFFF)
    found = stream.frames(header * TEN_THOUSAND, final=True)
    assert b"".join(item.data for item in found) == header * TEN_THOUSAND


def test_ten_thousand_dictionaries_within_each_other() -> None:
    plain: Any = {}
    for _ in range(TEN_THOUSAND):
        plain = {"BaseHeader": plain}
    with pytest.raises(mw.EncodeError):
        mw.from_dict(plain)
