"""Captures of real TCP stacks over a bad wire: what the applications received is what is read."""

from __future__ import annotations

import subprocess
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from msmq_wire import captures
from msmq_wire.testing.captures import Span, events

from .wire import Faults, Hosts, can_run

if TYPE_CHECKING:
    from pathlib import Path

WHY_NOT = can_run()
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
COUNT = 4
CASES = {
    "a good wire": (Faults(), 1801, False),
    "losses": (Faults(lose=0.04, repeat=0.03, swap=0.05), 1801, False),
    "losses, IPv6, another port": (Faults(lose=0.04, repeat=0.03, swap=0.05), 5001, True),
    "damage": (Faults(damage=0.05, lose=0.01), 1801, False),
}


def streams() -> list[list[bytes]]:
    """The packets of the longest ways of generated connections."""
    ways: dict[Any, list[bytes]] = defaultdict(list)
    for event in events(600, seed=21, managers=5, files=1):
        if isinstance(event, Span) and event.kind == "packet":
            ways[event.src, event.src_port, event.dst, event.dst_port, event.connection].append(
                event.data or b""
            )
    return sorted(ways.values(), key=lambda way: -sum(map(len, way)))[: 2 * COUNT]


class Talked:
    """What two hosts have said."""

    def __init__(self, directory: Path, case: str) -> None:
        faults, port, six = CASES[case]
        self.directory = directory
        self.faults = faults
        self.sent = streams()
        for number, packets in enumerate(self.sent):
            name = f"there{number // 2}" if number % 2 == 0 else f"back{number // 2}"
            (directory / name).write_bytes(b"".join(packets))
        with Hosts(directory, faults, seed=5) as hosts:
            hosts.talk(COUNT, port, six=six)
            self.captures = {host: hosts.capture(host) for host in ("a", "b")}
        for number in range(COUNT):  # the stacks did their work
            for way in ("there", "back"):
                assert (directory / f"got-{way}{number}").read_bytes() == (
                    directory / f"{way}{number}"
                ).read_bytes()


@pytest.fixture(scope="module", params=CASES)
def talked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Talked:
    return Talked(tmp_path_factory.mktemp("hosts"), request.param)


@pytest.mark.each(4)
@pytest.mark.parametrize("host", ["a", "b"])
def test_packets(talked: Talked, host: str) -> None:
    """On both sides each flow has all packets that were sent, in order, with no gap and nothing else."""
    found = captures.tables(
        talked.captures[host], ["packets", "gaps", "quarantine", "flows", "balance", "frames"]
    )
    rows = found["packets"].read_all().to_pylist()
    flows: dict[str, list[bytes]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row["offset"]):
        flows[row["flow"]].append(row["data"])
    assert Counter(map(tuple, flows.values())) == Counter(map(tuple, talked.sent))
    assert found["gaps"].read_all().num_rows == 0
    kinds = Counter(found["quarantine"].read_all().column("kind").to_pylist())
    assert set(kinds) <= ({"conflict"} if talked.faults.damage else set())
    sizes = {row["flow"]: row["size"] for row in found["flows"].read_all().to_pylist()}
    assert {flow: sum(map(len, data)) for flow, data in flows.items()} == sizes
    assert {row["opened"] for row in found["flows"].read_all().to_pylist()} == {True}


@pytest.mark.each(4)
@pytest.mark.parametrize("host", ["a", "b"])
def test_every_frame_is_counted(talked: Talked, host: str) -> None:
    path = talked.captures[host]
    frames = captures.tables(path, ["frames"])["frames"].read_all().to_pylist()
    data, at, count = path.read_bytes(), 24, 0
    while at < len(data):
        at += 16 + int.from_bytes(data[at + 8 : at + 12], "little")
        count += 1
    assert sum(row["frames"] for row in frames) == count
    assert {row["reason"] for row in frames} <= {"read", "not IP", "other protocol"}


@pytest.mark.each(8)
@pytest.mark.needs("tshark")
@pytest.mark.parametrize("host", ["a", "b"])
def test_against_tshark(talked: Talked, host: str) -> None:
    """The streams that Wireshark puts together are the same bytes, unless copies are damaged."""
    if talked.faults.damage:
        pytest.skip("Wireshark takes the copy that came first")
    flows: dict[str, bytes] = defaultdict(bytes)
    for found in captures.read(talked.captures[host]):
        flows[found.flow] += found.data
    theirs: list[bytes] = []
    command = ["tshark", "-r", str(talked.captures[host]), "-q"]
    for number in range(COUNT):
        command += ["-z", f"follow,tcp,raw,{number}"]
    told = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    for stream in told.split("Follow: tcp,raw")[1:]:
        ways = [b"", b""]
        for line in stream.splitlines():
            text = line.strip()
            if text and all(sign in "0123456789abcdef" for sign in text):
                ways[line.startswith("\t")] += bytes.fromhex(text)
        theirs += ways
    assert Counter(theirs) == Counter(flows.values())
