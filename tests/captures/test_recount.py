"""What summaries count, held against who made the frames: nothing here is counted by the engine."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.utils import wrpcap
from support_examples import share

from msmq_wire import captures, mqmq, mqqb
from msmq_wire.captures.engine import run_live
from msmq_wire.captures.files.sources import Source
from msmq_wire.cli import main

if TYPE_CHECKING:
    from pathlib import Path

PROTOCOLS = {
    "HTTP": (b"GET /a HTTP/1.1\r\n", b"Host: b\r\n\r\n"),
    "TLS": (bytes.fromhex("1603010005010000 0100"), b"\x17\x03\x03\x00\x01a"),
    "RPC": (bytes.fromhex("05000b0310000000 48000000 01000000") + bytes(56), bytes(40)),
    "AMQP": (b"AMQP\0\1\0\0", b"\0\0\0\x20\2\0\0\0"),
    "": (b"of no protocol", b"that is known"),
}
"""The first data of connections, and what follows it."""
MSMQ = 1801
JUNK = b"no packet at all, but on the port of one"


class Traffic:
    """Frames of known content, in one file.

    Attributes:
        frames: The frames.
        reasons: Number of the frames, by the reason that `frames` should have.
        bytes: Bytes of the frames, likewise.
        protocols: Number of the frames in streams that are not MSMQ, by protocol.
        packets: Sizes of the packets, by type.
        missing: Sizes of what was not captured.
        outside: Bytes in no packet, of connections of MSMQ.
        unread: Bytes in no packet, of other connections to its port.
    """

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)  # noqa: S311  # a seed, not a secret
        self.frames: list[Any] = []
        self.reasons: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self.protocols: Counter[str] = Counter()
        self.packets: dict[str, list[int]] = {}
        self.missing: list[int] = []
        self.outside = self.unread = 0
        self.connections = 0
        self.port = 40_000

    def add(self, reason: str, frame: Any) -> None:
        self.frames.append(frame)
        self.reasons[reason] += 1
        self.bytes[reason] += len(bytes(frame))

    def others(self, port: int, reason: str = "other stream") -> None:
        """Connections of other protocols; the reason is that of one whose protocol is unknown."""
        ends = Ether() / IP(src="10.0.0.3", dst="10.0.0.4")
        for _ in range(self.dice.randrange(1, 4)):
            self.add("not IP", Ether() / ARP())
            self.add("other protocol", ends / ICMP())
            self.add("other protocol", ends / UDP(sport=5, dport=53) / bytes(self.dice.randrange(40)))
        for protocol, parts in PROTOCOLS.items():
            self.port += 1
            again, answers = self.dice.randrange(3), self.dice.random() < 0.5
            data = [b"", *parts, *parts[1:] * again]
            seq = self.dice.randrange(1 << 32)
            for part in data:
                ports = (port, self.port) if answers else (self.port, port)
                segment = TCP(sport=ports[0], dport=ports[1], seq=seq, flags="PA" if part else "S")
                seq = (seq + len(part) + (not part)) % (1 << 32)
                self.add("other stream" if protocol else reason, ends / segment / part)
                if port == MSMQ:
                    self.unread += len(part)
            if protocol or reason == "other stream":
                self.protocols[protocol] += len(data)
            else:
                self.connections += 1  # unknown, so it is one of MSMQ

    def connection(self) -> None:
        """A connection of MSMQ, with bytes that are no packet, and with a packet that is missing."""
        self.port += 1
        self.connections += 1
        ends = Ether() / IP(src="10.0.0.1", dst="10.0.0.2")
        seq = self.dice.randrange(1 << 32)

        def send(data: bytes, flags: str = "PA") -> None:
            nonlocal seq
            self.add("read", ends / TCP(sport=self.port, dport=MSMQ, seq=seq, flags=flags) / data)
            seq = (seq + len(data) + (flags == "S")) % (1 << 32)

        def packet(record: Any) -> None:
            data = record.encode()
            self.packets.setdefault(type(record).__name__, []).append(len(data))
            cut = self.dice.randrange(1, len(data))
            send(data[:cut])
            send(data[cut:])

        send(b"", "S")
        packet(mqqb.EstablishConnection())
        for _ in range(self.dice.randrange(1, 6)):
            body = bytes(self.dice.randrange(200))
            packet(mqmq.UserMessage.of(MessageBody=body, DestinationQueue="DIRECT=OS:a\\private$\\q"))
        if self.dice.random() < 0.5:
            lost = mqqb.SessionAck().encode()
            self.missing.append(len(lost))
            seq = (seq + len(lost)) % (1 << 32)
            packet(mqqb.SessionAck())
        if self.dice.random() < 0.5:
            self.outside += len(JUNK)
            send(JUNK)


@pytest.mark.each(6)
@pytest.mark.parametrize("seed", range(share(6, 3)))
def test_summaries(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traffic = Traffic(seed)
    for _ in range(4):
        traffic.others(8080)
        traffic.others(MSMQ, "read")
        traffic.connection()
    wrpcap(str(tmp_path / "a.pcap"), traffic.frames)

    rows = captures.tables(tmp_path / "a.pcap", ["frames"])["frames"].read_all().to_pylist()
    counted, sizes, protocols = Counter[str](), Counter[str](), Counter[str]()
    for row in rows:
        if row["reason"] == "other stream":
            protocols[row["detail"]] += row["frames"]
        counted[row["reason"]] += row["frames"]
        sizes[row["reason"]] += row["bytes"]
    assert (counted, sizes, protocols) == (traffic.reasons, traffic.bytes, traffic.protocols)

    data = (tmp_path / "a.pcap").read_bytes()
    pipe = Source((data[at : at + 1000] for at in range(0, len(data), 1000)), live=True)
    live = [batch for name, batch in run_live(pipe, str(tmp_path / "a.pcap"), ("frames",))]
    assert [row for batch in live for row in batch.to_pylist()] == rows

    assert main(["tables", str(tmp_path / "a.pcap"), "--output", str(tmp_path / "tables")]) == 0
    shown = {
        name: text.replace(",", "")
        for name, text in re.findall(r"^(\w+) +(\d.*)$", "".join(capsys.readouterr()), re.MULTILINE)
    }
    packets = traffic.packets
    kinds = {
        name: int(count) for name, count in re.findall(r"(\w+) (\d+)", shown["packets"].partition(":")[2])
    }
    assert kinds == {name: len(own) for name, own in packets.items()}
    total = sum(kinds.values())
    assert shown["packets"].startswith(f"{total} {sum(map(sum, packets.values()))} bytes:")
    reasons = {name: int(count) for name, count in re.findall(r"([a-zA-Z ]+) (\d+)", shown["frames"])}
    assert {name.strip(): count for name, count in reasons.items()} == traffic.reasons
    assert shown["frames"].startswith(f"{len(traffic.frames)}:")
    assert shown["messages"].startswith(f"{len(packets['UserMessage'])} ")
    assert shown["sessions"].startswith(f"{traffic.connections}; ")
    missing = traffic.missing
    gaps = f"{len(missing)} gap{'s' * (len(missing) != 1)} {sum(missing)} bytes not captured"
    assert shown["missing"] == gaps
    assert f"{traffic.outside + traffic.unread} bytes outside whole packets" in shown["quarantine"]
