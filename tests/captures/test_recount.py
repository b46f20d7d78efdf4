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

from msmq_wire import captures, mqmq, mqqb
from msmq_wire.cli import main

if TYPE_CHECKING:
    from pathlib import Path

JUNK = b"no packet at all, but on the port of one"


class Traffic:
    """Frames of known content, in one file.

    Attributes:
        frames: The frames.
        reasons: Number and bytes of the frames, by the reason that `frames` should have.
        packets: Sizes of the packets, by type.
        missing: Sizes of what was not captured.
        outside: Bytes in no packet.
    """

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)  # noqa: S311  # a seed, not a secret
        self.frames: list[Any] = []
        self.reasons: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self.packets: dict[str, list[int]] = {}
        self.missing: list[int] = []
        self.outside = 0
        self.connections = 0
        self.port = 40_000

    def add(self, reason: str, frame: Any) -> None:
        self.frames.append(frame)
        self.reasons[reason] += 1
        self.bytes[reason] += len(bytes(frame))

    def others(self) -> None:
        ends = Ether() / IP(src="10.0.0.3", dst="10.0.0.4")
        for _ in range(self.dice.randrange(1, 4)):
            self.add("not IP", Ether() / ARP())
            self.add("other protocol", ends / ICMP())
            self.add("other protocol", ends / UDP(sport=5, dport=53) / bytes(self.dice.randrange(40)))
        self.port += 1
        for size in range(self.dice.randrange(1, 5)):
            segment = TCP(sport=self.port, dport=8080, seq=1 + 10 * size, flags="PA")
            self.add("other stream", ends / segment / (b"GET / HTTP"))

    def connection(self) -> None:
        """A connection of MSMQ, with bytes that are no packet, and with a packet that is missing."""
        self.port += 1
        self.connections += 1
        ends = Ether() / IP(src="10.0.0.1", dst="10.0.0.2")
        seq = self.dice.randrange(1 << 32)

        def send(data: bytes, flags: str = "PA") -> None:
            nonlocal seq
            self.add("read", ends / TCP(sport=self.port, dport=1801, seq=seq, flags=flags) / data)
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


@pytest.mark.parametrize("seed", range(6))
def test_summaries(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traffic = Traffic(seed)
    for _ in range(4):
        traffic.others()
        traffic.connection()
    wrpcap(str(tmp_path / "a.pcap"), traffic.frames)

    rows = captures.tables(tmp_path / "a.pcap", ["frames"])["frames"].read_all().to_pylist()
    counted, sizes = Counter[str](), Counter[str]()
    for row in rows:
        counted[row["reason"]] += row["frames"]
        sizes[row["reason"]] += row["bytes"]
    assert (counted, sizes) == (traffic.reasons, traffic.bytes)

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
    assert shown["sessions"].startswith(f"{traffic.connections} ")
    missing = traffic.missing
    gaps = f"{len(missing)} gap{'s' * (len(missing) != 1)} {sum(missing)} bytes not captured"
    assert shown["missing"] == gaps
    assert f"{traffic.outside} bytes outside whole packets" in shown["quarantine"]
