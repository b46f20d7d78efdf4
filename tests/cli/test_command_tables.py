"""``msmq-wire tables``: the tables, the ten lines, and one line for what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from msmq_wire.cli import main
from msmq_wire.testing.captures import write_captures

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captures with every fault."""
    place = tmp_path_factory.mktemp("town")
    assert main_of_generator(place) == 0
    wrong = bytes.fromhex("10c00b004c494f52200000000500000000000300d8050000c0d4010000004000")
    (place / "captures" / "wrong.bin").write_bytes(wrong)  # its TimeToReachQueue is none for such a packet
    return place / "captures"


def main_of_generator(place: Path) -> int:
    from msmq_wire.testing.captures import main as generate  # noqa: PLC0415  # its name is taken here

    return generate([str(place), "--packets", "300", "--faults", "all"])


def test_tables_and_summary(town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert callable(write_captures)
    capsys.readouterr()
    assert main(["tables", str(town), "--output", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    lines = shown.out.splitlines()
    words = [line.split()[0] for line in lines]
    for name in ("packets", "messages", "sessions", "violations", "quarantine"):
        rows = pq.read_table(tmp_path / name).num_rows
        assert lines[words.index(name)].split()[1].rstrip(",:") == f"{rows:,}"
    gaps = pq.read_table(tmp_path / "gaps")
    assert lines[words.index("missing")].split()[1:3] == [f"{gaps.num_rows:,}", "gaps,"]
    worst = max(
        pq.read_table(tmp_path / "violations").column("requirement").value_counts().to_pylist(),
        key=lambda item: item["counts"],
    )
    assert lines[words.index("violations") + 1].split()[0] == f"{worst['counts']:,}"
    assert len(lines) <= 12


def test_one_line_for_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", str(tmp_path / "nothing"), "--output", str(tmp_path / "tables")]) == 1
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert shown.err.startswith("msmq-wire: ")


def test_some_tables(town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["tables", str(town), "--output", str(tmp_path), "--tables", "packets", "--format", "jsonl"])
        == 0
    )
    out = capsys.readouterr().out
    assert out.startswith("packets ")
    assert "messages" not in out
    assert [path.name for path in tmp_path.iterdir()] == ["packets"]
