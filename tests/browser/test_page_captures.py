"""What the page makes of captures, held against the tables; here its module runs without a browser."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from scapy.layers.inet import IP, TCP, fragment
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.utils import wrpcap
from support_browser import browser_page

from msmq_wire import captures, mqmq, mqqb
from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from pathlib import Path

MESSAGES = [mqmq.UserMessage.of(MessageBody=bytes([number]) * 700).encode() for number in range(6)]


@pytest.fixture(scope="module")
def page() -> Any:
    return browser_page()


def taken(page: Any, path: Path) -> tuple[str, list[bytes]]:
    answer = json.loads(page.from_bytes(path.read_bytes()))
    return answer["status"], [data for data, _ in page.KEPT]


@pytest.mark.each(4)
@pytest.mark.parametrize("seed", range(4))
def test_the_packets_are_those_of_the_tables(page: Any, seed: int, tmp_path: Path) -> None:
    """Lost, repeated, overlapping, exchanged and cut segments, numbers that go around, ports used again.

    The page checks no checksums, and reads neither tunnels nor fragments of datagrams.
    """
    faults = msgspec.structs.replace(
        Faults.all(), bend=0.0, fragment=0.0, tunnel=0.0, damage=0.0, loss=0.02, overlap=0.02
    )
    (path,) = write_captures(tmp_path, 200, seed=seed, files=1, faults=faults).captures
    rows = captures.tables(path, ["packets", "gaps"])
    packets = rows["packets"].read_all().to_pylist()
    status, listed = taken(page, path)
    whole = Counter(row["data"] for row in packets if not row["partial"])
    assert whole - Counter(listed) == Counter()
    assert (Counter(listed) - whole).total() == sum(row["partial"] for row in packets)
    missing = sum(row["size"] for row in rows["gaps"].read_all().to_pylist())
    assert (f" {missing:,} bytes were not captured." in status) == (missing > 0)


def test_segments_of_another_program(page: Any, tmp_path: Path) -> None:
    """Made by scapy: a number that goes around, copies in part, a port that is used again, fragments."""
    ends = Ether() / IP(src="10.0.0.1", dst="10.0.0.2")
    frames = []

    def send(number: int, data: bytes = b"", flags: str = "A") -> None:
        frames.append(ends / TCP(sport=5000, dport=1801, seq=number % 2**32, flags=flags) / data)

    first, second = b"".join(MESSAGES[:3]), b"".join(MESSAGES[3:])
    start = 2**32 - 1000
    send(start, flags="S")
    for at in range(0, len(first), 500):
        send(start + 1 + max(at - 200, 0), first[max(at - 200, 0) : at + 500])  # 200 bytes are sent again
    send(7, flags="S")
    send(8 + 1000, second[1000:])
    send(8, second[:1000])
    frames += fragment(ends / TCP(sport=6000, dport=1801, seq=1) / MESSAGES[0], fragsize=400)
    path = tmp_path / "a.pcap"
    wrpcap(str(path), frames)
    status, listed = taken(page, path)
    assert Counter(listed) == Counter(MESSAGES)
    assert status == "6 packets. 3 fragments of datagrams are not read here."


def test_what_is_missing_is_told(page: Any, tmp_path: Path) -> None:
    ends = Ether() / IP(src="10.0.0.1", dst="10.0.0.2")
    data = MESSAGES[0]
    parts = [(1, data[:300]), (401, data[400:]), (1 + len(data), mqqb.SessionAck().encode()), (9000, b"junk")]
    frames = [ends / TCP(sport=5000, dport=1801, seq=number, flags="A") / part for number, part in parts]
    path = tmp_path / "a.pcap"
    wrpcap(str(path), frames)
    status, listed = taken(page, path)
    assert listed[0] == data[:300]
    assert listed[-1] == mqqb.SessionAck().encode()
    missing = 100 + 9000 - 1 - len(data) - len(listed[-1])
    assert f"{missing:,} bytes were not captured." in status
    assert "bytes are no packet." in status


@pytest.mark.parametrize("ip", [IP(dst="10.0.0.2", len=0), IPv6(dst="2001:db8::2", plen=0)])
def test_segments_that_the_network_card_splits(page: Any, ip: Any, tmp_path: Path) -> None:
    """Their size in the IP header is zero."""
    path = tmp_path / "a.pcap"
    wrpcap(str(path), [Ether() / ip / TCP(sport=5000, dport=1801, seq=1) / b"".join(MESSAGES)])
    assert taken(page, path) == ("6 packets.", MESSAGES)


@pytest.mark.parametrize(("form", "advice"), [("pcapng", "Save it as pcap"), ("pcap.gz", "Unpack it")])
def test_what_the_page_does_not_read(page: Any, form: Any, advice: str, tmp_path: Path) -> None:
    """It says what to do with the file; the command reads it."""
    (path,) = write_captures(tmp_path, 20, files=1, form=form).captures
    status, listed = taken(page, path)
    assert f" file. {advice}, or use msmq-wire explain." in status
    assert listed == []
    assert captures.tables(path, ["packets"])["packets"].read_all().num_rows > 0
