"""Layers of Scapy and records of the library agree both ways."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from scapy.all import IP, TCP, Ether, Raw, TCPSession, fuzz, ls, rdpcap, sniff, wrpcap

import vectors
from msmq_wire import DecodeError, EncodeError, decode, mqmq, mqqb
from msmq_wire.packets.packet_starts import BASE_SIZE, MARK_SIZE
from msmq_wire.records.record import record_class
from msmq_wire.scapy import LAYERS, MSMQ, Structure, bind_by_signature, layer_of
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


def test_a_damaged_packet_has_the_fields_before_the_error() -> None:
    """Whatever is cut off, the fields before the cut are there, `Raw` has the rest, and the bytes stay."""
    whole = mqmq.UserMessage.of(
        Label="label", MessageBody=b"body", DestinationQueue="DIRECT=OS:server\\queue"
    )
    data = whole.encode()
    problems = []
    for size in range(1, len(data)):
        layer = MSMQ(data[:size])
        if bytes(layer) != data[:size]:
            problems.append(f"{size} bytes: {bytes(layer)!r}")
        elif size >= BASE_SIZE and layer.BaseHeader.PacketSize != len(data):
            problems.append(f"{size} bytes: PacketSize is {layer.BaseHeader.PacketSize}")
    assert problems == []
    cut = MSMQ(data[:-2])
    assert cut.name == "UserMessage"
    assert cut.MessagePropertiesHeader.Label == "label\0"
    assert cut[Raw].load == b"bo"
    assert MSMQ(data[: BASE_SIZE - 1]).BaseHeader.PacketSize == len(data)
    assert MSMQ(data[:MARK_SIZE]).name == "UserMessage"
    assert MSMQ(data[: MARK_SIZE - 1]).name == "Raw"
    internal = mqqb.SessionAck().encode()
    assert MSMQ(internal[: BASE_SIZE - 1]).name == "Raw"  # its type is not there
    assert MSMQ(internal[:BASE_SIZE]).name == "BaseHeader"


def test_the_published_exploit() -> None:
    """A length beyond the packet: all fields before the one that is too short."""
    published = {
        row.name: bytes.fromhex(row.bytes) for group in vectors.read().groups for row in group.vectors
    }
    data = published["queuejumper-stage2-overflow"]
    frame = Ether(bytes(Ether() / IP() / TCP(dport=1801) / Raw(data)))
    message = frame[LAYERS["UserMessage"]]
    assert message.UserHeader.Flags.AH == 1
    assert message.SRMPEnvelopeHeader.DataLength == 2147484187
    assert frame[Raw].load == data[236:]
    assert bytes(frame[LAYERS["UserMessage"]]) == data
    message.UserHeader.MessageID = 7
    assert bytes(message) != data


def test_elements_of_a_damaged_list() -> None:
    names = [mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName("TCP:1")) for _ in range(3)]
    queues = mqmq.MQFAddressHeader(HeaderID=100, FormatNameList=names)
    record = mqmq.UserMessage(MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader(Destination=queues))
    data = record.encode()
    start = data.index("TCP:1".encode("utf-16-le"))
    layer = MSMQ(data[: start + 20])
    assert [item.FormatType for item in layer.MultiQueueFormatHeader.Destination.FormatNameList] == [3, 3]
    assert bytes(layer) == data[: start + 20]


def test_packets_of_an_unknown_type_keep_their_base_header() -> None:
    data = bytearray(mqqb.SessionAck().encode())
    data[18] = 0x0F
    layer = MSMQ(bytes(data))
    assert layer.name == "BaseHeader"
    assert layer.PacketSize == len(data)
    assert bytes(layer) == bytes(data)


def test_structures_that_are_no_packet_are_read_whole() -> None:
    with pytest.raises(DecodeError):
        LAYERS["SessionHeader"](bytes(3))


def test_parts_belong_to_their_packet() -> None:
    """A value in a part that was not given is kept, and no other packet has it."""
    packet, other = LAYERS["UserMessage"](), LAYERS["UserMessage"]()
    packet.UserHeader.MessageID = 5
    packet.MessagePropertiesHeader.MessageBody = b"body"
    assert decode(bytes(packet)) == mqmq.UserMessage.of(MessageID=5, MessageBody=b"body")
    assert decode(bytes(other)) == mqmq.UserMessage()
    assert decode(bytes(packet.copy())) == decode(bytes(packet))


def test_an_assignment_is_kept_or_raises() -> None:
    packet = LAYERS["UserMessage"]()
    with pytest.raises(AttributeError, match="did you mean UserHeader"):
        packet.UserHeadr = 1
    with pytest.raises(AttributeError, match="UserHeader has it"):
        packet.MessageID = 1
    with pytest.raises(AttributeError):
        packet.BaseHeader.Flags.IN = 1
    with pytest.raises(AttributeError, match="assign a whole value"):
        LAYERS["PingPacket"]().Cookie.low = 1
    packet.UserHeader = b"no header"
    with pytest.raises(EncodeError):
        bytes(packet)


def test_listing(capsys: pytest.CaptureFixture[str]) -> None:
    ls(LAYERS["SessionHeader"])
    assert "AckSequenceNumber : IntegerField" in capsys.readouterr().out


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


@pytest.mark.each(3)
@pytest.mark.parametrize("seed", [1, 2, 5])
def test_captures(seed: int, tmp_path: Path) -> None:
    """A capture with segments that cut and join packets, through Scapy's own session."""
    written = write_captures(tmp_path, packets=60, seed=seed, files=1)
    capture = str(written.captures[0])
    plain = rdpcap(capture)
    assert sum(LAYERS["EstablishConnection"] in frame for frame in plain) > 5
    assert sum(LAYERS["PingPacket"] in frame for frame in plain) > 3
    joined = sniff(offline=capture, session=TCPSession)
    found = Counter(
        layer.__name__
        for frame in joined
        for layer in frame.layers()
        if issubclass(layer, Structure) and "BaseHeader" in layer.layout.by_name
    )
    truth = pq.read_table(written.truth, filters=[("kind", "=", "packet")])
    assert found == Counter(truth.column("packet").to_pylist())
    assert not any(Raw in frame and frame.haslayer(TCP) for frame in joined)


@pytest.mark.long
def test_segments_that_end_anywhere(tmp_path: Path) -> None:
    """However two packets and a half are cut, each is one whole layer, and the half comes with the FIN."""
    packets = [mqmq.UserMessage.of(MessageBody=bytes([value]) * 200).encode() for value in (1, 2, 3)]
    data = b"".join(packets)[:-50]
    for size in (1, 31, 33, 100, 300, len(packets[0]), len(data)):
        parts = [data[at : at + size] for at in range(0, len(data), size)]
        ends = Ether() / IP(src="10.0.0.1", dst="10.0.0.2")
        frames = [
            ends / TCP(sport=4000, dport=1801, seq=1 + index * size, flags="PA") / Raw(part)
            for index, part in enumerate(parts)
        ]
        frames.append(ends / TCP(sport=4000, dport=1801, seq=1 + len(data), flags="FA"))
        wrpcap(str(tmp_path / "cut.pcap"), frames)
        joined = sniff(offline=str(tmp_path / "cut.pcap"), session=TCPSession)
        messages = [
            frame.getlayer(LAYERS["UserMessage"], number)
            for frame in joined
            for number in range(1, 4)
            if frame.getlayer(LAYERS["UserMessage"], number)
        ]
        assert [bytes(message)[: len(packets[0])] for message in messages[:2]] == packets[:2]
        assert len(messages) == 3
        assert b"".join(bytes(frame[TCP].payload) for frame in joined) == data


@pytest.mark.parametrize("inside", [False, True])
def test_a_session_header_behind_the_first_packet(tmp_path: Path, *, inside: bool) -> None:
    """Whether PacketSize counts it or not, the next packet begins behind it."""
    message = bytearray(mqmq.UserMessage.of(MessageBody=b"body").encode())
    message[2] |= 0x10  # SH
    if inside:
        message[8:12] = (len(message) + 16).to_bytes(4, "little")
    packets = [bytes(message) + mqmq.SessionHeader().encode(), mqqb.SessionAck().encode()]
    frame = Ether() / IP() / TCP(sport=4000, dport=1801, seq=1) / Raw(b"".join(packets))
    wrpcap(str(tmp_path / "a.pcap"), [frame])
    (joined,) = sniff(offline=str(tmp_path / "a.pcap"), session=TCPSession)
    first = joined.getlayer(LAYERS["UserMessage"])
    assert [type(layer).__name__ for layer in (first, first.payload)] == ["UserMessage", "SessionAck"]
    assert [bytes(first)[: len(packets[0])], bytes(first.payload)] == packets


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


def test_only_records_have_layers() -> None:
    with pytest.raises(TypeError, match="a record"):
        layer_of(5)  # type: ignore[arg-type]  # it is the error


def test_layers_can_be_pickled() -> None:
    """For processes that share the work."""
    packet = MSMQ(mqmq.UserMessage.of(MessageBody=b"body").encode())
    again = pickle.loads(pickle.dumps(packet))  # noqa: S301  # our own
    assert type(again) is type(packet)
    assert bytes(again) == bytes(packet)
