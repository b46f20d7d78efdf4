"""Community IDs: the values that the specification publishes, and another implementation."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING

import communityid
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msmq_wire import captures
from msmq_wire.captures.rows.community import community_id, community_ids
from msmq_wire.testing.captures import write_captures

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        (("tcp", "128.232.110.120", 34855, "66.35.250.204", 80), "1:LQU9qZlK+B5F3KDmev6m5PMibrg="),
        (("tcp", "66.35.250.204", 80, "128.232.110.120", 34855), "1:LQU9qZlK+B5F3KDmev6m5PMibrg="),
        (("udp", "192.168.1.52", 54585, "8.8.8.8", 53), "1:d/FP5EW3wiY1vCndhwleRRKHowQ="),
        (("udp", "8.8.8.8", 53, "192.168.1.52", 54585), "1:d/FP5EW3wiY1vCndhwleRRKHowQ="),
    ],
)
def test_published_values(ends: tuple[str, str, int, str, int], expected: str) -> None:
    assert community_id(*ends) == expected


ADDRESSES = st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)).map(str)
PORTS = st.integers(0, 0xFFFF)


TRANSPORTS = st.sampled_from(("tcp", "udp"))


@given(src=ADDRESSES, dst=ADDRESSES, src_port=PORTS, dst_port=PORTS, transport=TRANSPORTS)
def test_equal_to_the_package(src: str, dst: str, src_port: int, dst_port: int, transport: str) -> None:
    if ip_address(src).version != ip_address(dst).version:
        return
    make = communityid.FlowTuple.make_tcp if transport == "tcp" else communityid.FlowTuple.make_udp
    expected = communityid.CommunityID().calc(make(src, dst, src_port, dst_port))
    assert community_id(transport, src, src_port, dst, dst_port) == expected
    assert community_id(transport, dst, dst_port, src, src_port) == expected


def test_without_ports() -> None:
    rows = pa.table(
        {
            "transport": ["raw", "tcp", None],
            "src": [None, "10.0.0.1", "10.0.0.1"],
            "src_port": pa.array([None, 1, 1]),
            "dst": [None, None, "10.0.0.2"],
            "dst_port": pa.array([None, 1801, 1801]),
        }
    )
    assert community_ids(rows).to_pylist() == [None, None, None]


def test_flows_and_packets_agree(tmp_path: Path) -> None:
    """Both directions of a connection have one identifier, in both tables."""
    write_captures(tmp_path, 80, seed=9, files=1)
    tables = captures.tables(tmp_path / "captures", ["flows", "packets"])
    of: dict[tuple[str, str], str] = {}
    for row in tables["flows"].read_all().to_pylist():
        assert of.setdefault((row["sensor"], row["connection"]), row["community_id"]) == row["community_id"]
    for row in tables["packets"].read_all().select(["sensor", "connection", "community_id"]).to_pylist():
        assert of[row["sensor"], row["connection"]] == row["community_id"]
