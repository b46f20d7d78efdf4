"""What two verbs say of one packet agrees, whatever is damaged in a capture."""

from __future__ import annotations

import io
import json
import re
import tomllib
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support_by_hand import Capture
from support_examples import examples
from support_specs import SPECS

from msmq_wire import captures
from msmq_wire.cli import main
from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from pathlib import Path

_HEADING = re.compile(r"== ([\w ]+): ([\d,]+) bytes?, .*?, frames? (\d+)")
_VIOLATION = re.compile(r"\(([A-Z-]+-[\d.]+-\d+), byte -?\d+[;)]")
PUBLISHED = tomllib.loads((SPECS / "vectors" / "published.toml").read_text(encoding="utf-8"))["published"]
_ERROR = re.compile(r"^error: (.*)$", re.MULTILINE)
_HEAD = 24


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    place = tmp_path_factory.mktemp("agreement")
    return (
        write_captures(place, 40, seed=5, files=1, managers=5, faults=Faults.all()).captures[0].read_bytes()
    )


def said(*words: object) -> str:
    """What a verb writes; for damage there is no other status than those of findings and unreadable parts."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        assert main([str(word) for word in words]) in {0, 1, 3}
    written: Any = out.buffer
    text: str = written.getvalue().decode()
    return text


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def check(path: Path) -> int:
    """Hold the verbs against the tables; return how many packets cannot be read whole."""
    names = ["packets", "messages", "violations", "sessions", "deliveries", "queues", "hosts", "findings"]
    tables = {name: table.read_all().to_pylist() for name, table in captures.tables(path, names).items()}
    packets = tables["packets"]
    partial = [row for row in packets if row["partial"]]
    listed = lines_of(said("packets", path))
    assert Counter((row["first_frame"], row["size"], row.get("type")) for row in listed) == Counter(
        (row["first_frame"], row["size"], row["type"]) for row in packets
    )
    explained = lines_of(said("explain", path, "--json"))
    errors = Counter(row["$error"] for row in explained if "$error" in row)
    assert len(explained) == len(packets)
    assert errors == Counter(row["error"] for row in partial)
    text = said("explain", path)
    assert Counter(_ERROR.findall(text)) == errors
    headings = Counter(
        (int(frame), int(size.replace(",", "")), "unreadable" in kind)
        for kind, size, frame in _HEADING.findall(text)
        if kind.split()[0] not in {"not", "missing", "gap"}
    )
    assert headings == Counter((row["first_frame"], row["size"], row["partial"]) for row in packets)
    for verb in ("messages", "sessions", "deliveries", "queues", "hosts"):
        assert len(lines_of(said(verb, path, "--format", "jsonl"))) == len(tables[verb])
    judged = _VIOLATION.findall(said("validate", path))
    assert Counter(judged) == Counter(row["requirement"] for row in tables["violations"])
    unasked = {row["connection"] for row in tables["findings"] if row["id"] == "no-handshake"}
    assert unasked <= {row["connection"] for row in tables["sessions"] if row["handshake"] == "none"}
    return len(partial)


@pytest.mark.each(8)
@pytest.mark.parametrize("row", PUBLISHED, ids=[row["name"] for row in PUBLISHED])
def test_published_packets(row: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(Capture().open().send(bytes.fromhex(row["hex"])).close().data)
    check(path)


@pytest.mark.long
@settings(max_examples=examples(24))
@given(
    st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(1, 255)), max_size=12), st.integers(0, 1 << 20)
)
def test_verbs_agree(
    capture: bytes, tmp_path_factory: pytest.TempPathFactory, wrong: list[tuple[int, int]], lost: int
) -> None:
    """Any bytes behind the header of the file are others, and up to half of it is lost."""
    path = tmp_path_factory.mktemp("damaged") / "a.pcap"
    damaged = bytearray(capture)
    for at, bits in wrong:
        damaged[_HEAD + at % (len(capture) - _HEAD)] ^= bits
    path.write_bytes(damaged[: len(damaged) - lost % (len(damaged) // 2)])
    check(path)


@pytest.mark.long
def test_packets_that_are_mostly_cut(tmp_path: Path) -> None:
    faults = Faults(truncate=0.5, damage=0.2, loss=0.1)
    written = write_captures(tmp_path, 80, seed=6, files=1, managers=5, faults=faults)
    assert check(written.captures[0]) > 5
