"""Whatever is in a capture, tables come out of it, and frames and bytes add up."""

from __future__ import annotations

import random
import struct
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support_examples import examples

from msmq_wire import captures
from msmq_wire.testing.captures import Faults, write_captures


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    place = tmp_path_factory.mktemp("sample")
    faults = msgspec.structs.replace(Faults.all(), bend=0.0)
    return write_captures(place, 60, seed=3, faults=faults, managers=5, files=1).captures[0].read_bytes()


def frames_of(data: bytes) -> list[bytes]:
    """The records of a capture, with their headers."""
    found, at = [], 24
    while at < len(data):
        size = 16 + struct.unpack_from("<8xI", data, at)[0]
        found.append(data[at : at + size])
        at += size
    return found


def bent(record: bytes, dice: random.Random) -> bytes:
    """A record with other bytes in its frame, mostly in its headers; its sizes stay."""
    made = bytearray(record)
    for _ in range(dice.choice((1, 1, 2, 8))):
        at = dice.randrange(16, len(made)) if dice.random() < 0.3 else dice.randrange(16, min(len(made), 90))
        made[at] = dice.choice((0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)))
    return bytes(made)


@pytest.mark.long
@settings(max_examples=examples(100))
@given(st.integers(0, 2**32 - 1))
def test_bent_frames(tmp_path_factory: pytest.TempPathFactory, sample: bytes, seed: int) -> None:
    """Frames that are bent, dropped, repeated and swapped: no error, one count a frame, and a balance."""
    dice = random.Random(seed)  # noqa: S311  # a seed, not a secret
    records = frames_of(sample)
    for _ in range(dice.choice((1, 5, 40))):
        at = dice.randrange(len(records))
        match dice.choice(("bend", "bend", "bend", "drop", "repeat", "swap")):
            case "bend":
                records[at] = bent(records[at], dice)
            case "drop" if len(records) > 1:
                del records[at]
            case "repeat":
                records.insert(dice.randrange(len(records)), records[at])
            case "swap":
                other = dice.randrange(len(records))
                records[at], records[other] = records[other], records[at]
    place = tmp_path_factory.getbasetemp() / "bent.pcap"
    place.write_bytes(sample[:24] + b"".join(records))
    tables: dict[str, list[dict[str, Any]]] = {
        name: reader.read_all().to_pylist() for name, reader in captures.tables(place).items()
    }
    assert sum(row["frames"] for row in tables["frames"]) == len(records)
    assert {row["difference"] for row in tables["balance"]} <= {0}
    sizes = sum(row["size"] for row in tables["flows"])
    parts = [row for name in ("packets", "gaps", "quarantine") for row in tables[name]]
    assert sizes == sum(
        row["size"]
        for row in parts
        if row["flow"] and row.get("kind") not in {"conflict", "directory"} and not row.get("partial")
    )


@pytest.mark.long
@settings(max_examples=examples(100))
@given(st.data())
def test_bent_files(tmp_path_factory: pytest.TempPathFactory, sample: bytes, data: Any) -> None:
    """Files with other bytes anywhere, and cut ones."""
    broken = bytearray(sample[: data.draw(st.integers(1, len(sample)))])
    for _ in range(data.draw(st.integers(0, 4))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    place = tmp_path_factory.getbasetemp() / "broken.pcap"
    place.write_bytes(broken)
    for reader in captures.tables(place).values():
        reader.read_all()
