"""Layers of Scapy and records of the library agree both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scapy.all import IP, TCP, Ether, Raw, TCPSession, fuzz, rdpcap, sniff, wrpcap

import vectors
from msmq_wire import DecodeError, decode, mqmq, mqqb
from msmq_wire.records.record import record_class
from msmq_wire.scapy import LAYERS, MSMQ, bind_by_signature, layer_of
from msmq_wire.testing.captures import write_captures

if TYPE_CHECKING:
    from pathlib import Path


OTHERS = {"property value", "replication", "notification"}
"""What is no structure by name."""


def test_vectors() -> None:
    """Every vector that can be read: the same values, and the same bytes, from bytes and from the record."""
    seen = 0
    for group in vectors.read().groups:
        for row in group.vectors:
            if (
                row.structure in {"property value", "replication", "notification"}
                or row.result == "unreadable"
            ):
                continue
            data = bytes.fromhex(row.bytes)
            if row.structure == "packet":
                record, layer = decode(data), MSMQ(data)
            else:
                record, layer = record_class(row.structure).decode(data), LAYERS[row.structure](data)
            assert layer.record == record, row.name
            assert bytes(layer) == data, row.name
            assert bytes(layer_of(record)) == data, row.name
            seen += 1
    assert seen > 800


def test_what_cannot_be_read_stays_raw() -> None:
    damaged = mqqb.SessionAck().encode()[:-3]
    frame = Ether(bytes(Ether() / IP() / TCP(dport=1801) / Raw(damaged)))
    assert frame[Raw].load == damaged
    with pytest.raises(DecodeError):
        LAYERS["SessionAck"](damaged)


def test_lengths_are_computed() -> None:
    properties = LAYERS["MessagePropertiesHeader"](Label="abc\0", MessageBody=b"12345")
    packet = MSMQ(bytes(LAYERS["UserMessage"](MessagePropertiesHeader=properties)))
    assert (packet.MessagePropertiesHeader.LabelLength, packet.MessagePropertiesHeader.MessageSize) == (4, 5)
    packet.MessagePropertiesHeader.MessageBody = b"123456789"
    wrong = bytes(packet)
    with pytest.raises(DecodeError):
        decode(wrong)
    for name in ("MessageSize", "AllocationBodySize", "Padding"):
        delattr(packet.MessagePropertiesHeader, name)
    del packet.BaseHeader.PacketSize
    message: Any = decode(bytes(packet))
    assert message == mqmq.UserMessage(
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="abc\0", MessageBody=b"123456789")
    )


def test_show_and_copy() -> None:
    packet = MSMQ(mqqb.EstablishConnection().encode())
    text = packet.show(dump=True)
    assert "EstablishConnectionHeader" in text
    assert "BaseHeaderFlags(PR=3, IN=1)" in text
    assert packet.copy() == packet
    assert MSMQ().name == "UserMessage"
    assert "computed" in repr(LAYERS["PingPacket"]().getfieldval("Cookie"))


@pytest.mark.parametrize("name", ["UserMessage", "EstablishConnection", "PingPacket", "BSCAckMessage"])
def test_fuzz(name: str) -> None:
    """Values differ from one build to the next, and what is built can be read."""
    drawn = fuzz(LAYERS[name]())
    built = {bytes(drawn) for _ in range(30)}
    assert len(built) == 30
    for data in built:
        assert record_class(name).decode(data).encode() == data


def test_captures(tmp_path: Path) -> None:
    """A capture with segments that cut and join packets, through Scapy's own session."""
    written = write_captures(tmp_path, packets=60, seed=2, files=1)
    capture = str(written.captures[0])
    plain = rdpcap(capture)
    assert sum(LAYERS["EstablishConnection"] in frame for frame in plain) > 5
    assert sum(LAYERS["PingPacket"] in frame for frame in plain) > 3
    joined = sniff(offline=capture, session=TCPSession)
    names = {layer for frame in joined for layer in ("UserMessage", "OrderAck") if LAYERS[layer] in frame}
    assert "UserMessage" in names


def test_any_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TCP, "guess_payload_class", TCP.guess_payload_class)
    packets = mqqb.SessionAck().encode() + mqqb.ConnectionParameters().encode()
    wrpcap(str(tmp_path / "a.pcap"), [Ether() / IP() / TCP(sport=5, dport=6) / Raw(packets)])
    assert Raw in rdpcap(str(tmp_path / "a.pcap"))[0]
    bind_by_signature()
    bind_by_signature()
    (frame,) = rdpcap(str(tmp_path / "a.pcap"))
    assert LAYERS["SessionAck"] in frame
    assert LAYERS["ConnectionParameters"] in frame
    assert TCP(dport=7) / Raw(b"other") is not None
