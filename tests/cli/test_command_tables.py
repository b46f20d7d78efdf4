"""``msmq-wire tables``: the tables, the ten lines, and one line for what is wrong."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import struct
import subprocess
import sys
from typing import TYPE_CHECKING

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from support_by_hand import A, Capture
from support_remote_reads import Frames, answer_stub

import msmq_wire as mw
from msmq_wire import captures, mqqb
from msmq_wire.captures.writing import GENERATOR
from msmq_wire.cli import main
from msmq_wire.cli.output import Status
from msmq_wire.testing.captures import Faults, write_captures

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


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captures without a fault."""
    folder = tmp_path_factory.mktemp("sound")
    write_captures(folder, 60, seed=3, files=2, faults=Faults())
    return folder / "captures"


def main_of_generator(place: Path) -> int:
    from msmq_wire.testing.captures import main as generate  # noqa: PLC0415  # its name is taken here

    return generate([str(place), "--packets", "600", "--faults", "all"])


def test_tables_and_summary(town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert callable(write_captures)
    capsys.readouterr()
    assert main(["tables", str(town), "--output", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert shown.err.endswith("unreadable parts)\n")
    lines = shown.out.splitlines()
    words = [line.split()[0] for line in lines]
    for name in ("packets", "messages", "sessions", "violations", "quarantine"):
        table = pq.read_table(tmp_path / name)
        partial = pc.sum(table["partial"]).as_py() or 0 if name == "packets" else 0  # they are told apart
        rows = table.num_rows - partial
        assert lines[words.index(name)].split()[1].rstrip(",:;") == f"{rows:,}"
    gaps = pq.read_table(tmp_path / "gaps")
    assert lines[words.index("missing")].split()[1:3] == [
        f"{gaps.num_rows:,}",
        "gap," if gaps.num_rows == 1 else "gaps,",
    ]
    worst = max(
        pq.read_table(tmp_path / "violations").column("requirement").value_counts().to_pylist(),
        key=lambda item: item["counts"],
    )
    assert lines[words.index("violations") + 1].split()[0] == f"{worst['counts']:,}"
    assert len(lines) <= 13
    written = sum(
        pq.read_metadata(path).num_rows for path in tmp_path.glob("*/*.parquet") if "run" not in path.parts
    )
    assert lines[-1].startswith(f"{written:,} rows in ")
    for some in ("messages", "gaps,directory_changes", "sessions,violations,flows", "flows"):
        assert main(["tables", str(town), "--output", str(tmp_path / "some"), "--tables", some]) == 0
        told = capsys.readouterr().out.splitlines()[:-1]
        assert {line for line in told if line.split()[0] in _WORDS.values()} == {
            line for line in lines for name in some.split(",") if line.startswith(_WORDS.get(name, "-"))
        }


def test_a_report_counts_only_what_it_needs(
    town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Objects of a directory are not in it, so that it has no number of them."""
    assert main(["tables", str(town), "--report", str(tmp_path / "page.html")]) == 0
    words = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert {"packets", "sessions", "report"} <= {*words}
    assert "directory" not in words


_WORDS = {"messages": "messages", "gaps": "missing", "sessions": "sessions", "violations": "violations"}
"""The first words of lines about tables."""


def test_one_line_for_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", str(tmp_path / "nothing"), "--output", str(tmp_path / "tables")]) == 1
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert shown.err.startswith("msmq-wire: ")


def test_what_is_no_capture_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tables of nothing are no success; damage beside packets is, and so is a capture of something else."""
    image = tmp_path / "image.bin"
    image.write_bytes(bytes(5) + b"\xff" * 300)
    assert main(["tables", str(image), "--output", str(tmp_path / "tables")]) == 1
    shown = capsys.readouterr()
    said = "byte 0: the file does not begin as pcap, pcapng or MSMQ packets does"
    said += "; msmq-wire carve looks for packets in it"
    assert shown.err == f"msmq-wire: {image}, {said}\n"
    assert shown.out.splitlines()[:2] == ["frames       0", "packets      0, 0 bytes"]
    for table in ("messages", "quarantine", "gaps"):
        assert main(["tables", str(image), "--output", str(tmp_path / "tables"), "--tables", table]) == 1
        assert capsys.readouterr().err == f"msmq-wire: {image}, {said}\n"
    assert main(["packets", str(image)]) == 1
    assert capsys.readouterr().err == f"msmq-wire: {image}, {said}\n"
    (tmp_path / "ack.bin").write_bytes(mw.encode(mqqb.SessionAck()))
    both = [str(image), str(tmp_path / "ack.bin")]
    for more in ([], ["--tables", "quarantine"], ["--tables", "packets"]):
        for strict in (0, 1):
            words = [*both, "--output", str(tmp_path / "tables"), *more, *["--strict"] * strict]
            assert main(["tables", *words]) == strict
            assert capsys.readouterr().err == f"msmq-wire: {image}, {said}\n"
        wanted = {*more[1:]} or {*captures.TABLES}
        assert {path.name for path in (tmp_path / "tables").iterdir() if path.is_dir()} - {"run"} == wanted
    assert main(["tables", both[1], "--output", str(tmp_path / "tables"), "--strict"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["empty", "header.pcap", "hidden"])
def test_an_empty_capture_is_told(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without a file, and a capture without a frame, are what they are for other verbs."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "header.pcap").write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / ".a.pcap").write_bytes(mw.encode(mqqb.SessionAck()))
    page = tmp_path / "page.html"
    for words, said in (
        (["packets"], ""),
        (["tables", "--output", str(tmp_path / "tables")], f"0 rows in {tmp_path / 'tables'}, "),
        (["tables", "--output", str(tmp_path / "t"), "--tables", "gaps"], f"0 rows in {tmp_path / 't'}, "),
        (["tables", "--report", str(page)], f"report       {page}\n"),
    ):
        assert main([*words, str(tmp_path / name)]) == 1
        shown = capsys.readouterr()
        more = "; entries not read: hidden 1" if name == "hidden" else ""
        assert shown.err == f"msmq-wire: there are no packets{more}\n"
        assert shown.err.count("\n") == 1
        assert name != "empty" or (shown.out.startswith(said) and shown.out.count("\n") == bool(said))


def test_a_cut_capture_is_told(town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that ends early, packed or not: one line with the place and the reason, as of other verbs."""
    data = next(path for path in town.rglob("*.pcap*") if path.is_file()).read_bytes()
    for name, contents in (("a.pcap", data[:-3]), ("a.pcap.gz", gzip.compress(data)[:-30])):
        path = tmp_path / name
        path.write_bytes(contents)
        words = [str(path), "--output", str(tmp_path / "tables"), "--tables", "packets"]
        assert main(["tables", *words]) == 0
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert said.startswith(f"msmq-wire: {path}, ")
        assert main(["tables", *words, "--strict"]) == 1
        assert capsys.readouterr().err == said


def _calls() -> Capture:
    """A remote read: frames of RPC, with a message in one of them."""
    return Frames().bind().opened(2).received(3, size=100).talk


_HALF = Frames().bind().answer(answer_stub(), 3)[0][:-60]
"""A frame of RPC that ends within a message."""


def _acknowledged(junk: bytes) -> Capture:
    client = A._replace(port=50001)
    return Capture(client=client).open().send(mw.encode(mqqb.SessionAck()), junk)


def _pages(port: int) -> Capture:
    return Capture(port).open().send(b"GET / HTTP/1.1\r\n\r\n").send(b"HTTP/1.1 404 \r\n\r\n", way="<-")


@pytest.mark.each(6)
@pytest.mark.parametrize(
    ("talk", "unread"),
    [
        (_calls(), 0),
        (_pages(1801), 0),
        (_pages(80), 0),
        (Frames().bind().opened(2).received(3).talk.send(_HALF, way="<-"), 1),
        (_acknowledged(b"no packet"), 1),
        (_acknowledged(bytes(20)).join(_pages(1801)), 1),
    ],
)
def test_what_is_sound_but_no_msmq_is_not_unreadable(
    talk: Capture, unread: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(talk.close().data)
    words = ["tables", str(path), "--output", str(tmp_path / "tables")]
    assert [main(words), main([*words, "--strict"])] == [0, unread]
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 * unread
    assert all(line.startswith(f"msmq-wire: {path}, frame ") for line in said)


@pytest.mark.parametrize("verb", ["tables", "messages", "explain", "validate", "diff"])
def test_archives_and_traces_name_what_converts_them(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files of archives, and the first buffer of an ETL file: its size, and the mark of its first event."""
    (tmp_path / "inner").write_bytes(bytes(5000))
    shutil.make_archive(str(tmp_path / "a"), "zip", tmp_path, "inner")
    shutil.make_archive(str(tmp_path / "a"), "tar", tmp_path, "inner")
    (tmp_path / "a.rar").write_bytes(b"Rar!\x1a\x07\x01\0" + bytes(300))
    (tmp_path / "old.rar").write_bytes(b"Rar!\x1a\x07\0" + bytes(300))
    (tmp_path / "a.etl").write_bytes(struct.pack("<I", 65536) + bytes(68) + b"\2\0\2\xc0" + bytes(400))
    (tmp_path / "visual").write_bytes(b"\5VNF" + bytes(200))
    (tmp_path / "nettl").write_bytes(b"TR\0d\0" + bytes(200))
    (tmp_path / "k12.txt").write_text(
        "+---------+---------------+----------+\r\n22:13:20,010,000   ETHER\r\n"
    )
    for name, command in (
        ("a.zip", "unpack it with: unzip FILE"),
        ("a.tar", "unpack it with: tar -xf FILE"),
        ("a.rar", "unpack it with: unrar x FILE"),
        ("old.rar", "unpack it with: unrar x FILE"),
        ("a.etl", "convert it with: pktmon etl2pcap FILE --out FILE.pcapng, or etl2pcapng"),
        ("visual", "convert it with: editcap -F pcapng FILE FILE.pcapng"),
        ("nettl", "convert it with: editcap -F pcapng -T ether FILE FILE.pcapng"),
        ("k12.txt", "convert it with: editcap -F pcapng -T ether FILE FILE.pcapng"),
    ):
        path = str(tmp_path / name)
        more = {"tables": ["--output", str(tmp_path / "tables")], "diff": [path]}.get(verb, [])
        assert main([verb, path, *more]) == 1
        said = capsys.readouterr().err
        assert said.startswith(f"msmq-wire: {path}")
        assert said.endswith(f"which is not read; {command}\n")
        assert said.count("\n") == 1


def test_a_page_that_cannot_be_written_is_told_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = str(tmp_path / "nowhere" / "page.html")
    capture = tmp_path / "ack.bin"
    capture.write_bytes(mw.encode(mqqb.SessionAck()))
    for words in (["tables", str(capture), "--report", page], ["report", str(tmp_path), page]):
        assert main(words) == 4
        assert capsys.readouterr() == ("", f"msmq-wire: {page}: No such file or directory\n")
    words = ["tables", str(capture), "--output", str(tmp_path / "tables"), "--report", str(tmp_path)]
    assert main(words) == 4
    assert capsys.readouterr() == ("", f"msmq-wire: {tmp_path}: Is a directory\n")
    assert not (tmp_path / "tables").exists()


@pytest.mark.long
def test_pipes_have_their_name(tmp_path: Path) -> None:
    """Errors name standard input, not the file that it was stored in."""
    whole = mw.encode(mqqb.SessionAck())
    for words in (["sessions"], ["tables", "--output", str(tmp_path)]):
        done = subprocess.run(  # noqa: S603  # our own interpreter
            [sys.executable, "-m", "msmq_wire", *words],
            input=b"\xff" * 36 + whole * (words == ["sessions"]),
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert done.returncode == 1
        assert done.stderr.startswith(b"msmq-wire: -, "), done.stderr


def test_tables_of_standard_input_name_it(
    town: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No table and no report names the file that it was stored in."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "stored"))
    (tmp_path / "stored").mkdir()
    data = max(town.rglob("*.pcap"), key=lambda path: path.stat().st_size).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data + bytes(40))))
    page, output = tmp_path / "page.html", tmp_path / "tables"
    assert main(["tables", "-", "--output", str(output), "--report", str(page)]) == 0
    assert "stored" not in page.read_text("utf-8") + capsys.readouterr().out
    for name in ("packets", "messages", "quarantine", "frames"):
        table = pq.read_table(output / name)
        for column in {"file", "last_file"} & {*table.column_names}:
            assert set(table.column(column).to_pylist()) <= {"-"}, (name, column)
        assert set(table.column("sensor").to_pylist()) <= {""}
        assert table.num_rows


def test_some_tables(town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["tables", str(town), "--output", str(tmp_path), "--tables", "packets", "--format", "jsonl"])
        == 0
    )
    out = capsys.readouterr().out
    assert out.startswith("packets ")
    assert "messages" not in out
    assert {path.name for path in tmp_path.iterdir()} == {"packets", "run"}


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_only_tables_are_replaced(
    form: str, town: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder with the name of a table may have captures and notes, which stay."""
    monkeypatch.chdir(tmp_path)
    data = min(town.rglob("*.pcap")).read_bytes()
    for name, said in (("packets/own.pcap", "packets"), ("sessions/notes.txt", "sessions")):
        (tmp_path / said).mkdir()
        (tmp_path / name).write_bytes(data)
        assert main(["tables", said, "--output", ".", "--format", form]) == 2
        problem = f"{name} is not a file of a table, and {said} would be replaced: choose another output"
        assert capsys.readouterr() == ("", f"msmq-wire: {problem}\n")
        assert (tmp_path / name).read_bytes() == data
        assert [path.name for path in tmp_path.iterdir()] == [said]
        (tmp_path / name).unlink()
        (tmp_path / said).rmdir()
    for output, problem in (("", "output: expected a path, got ''"), (str(town / "wrong.bin"), "is a file")):
        assert main(["tables", str(town), "--output", output]) == 2
        assert problem in capsys.readouterr().err
    assert main(["tables", "--help"]) == 0
    assert "replaced" in capsys.readouterr().out


@pytest.mark.long
def test_a_report_apart_from_inputs_and_tables(
    town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also if there is no such file yet, so that the next run says the same."""
    (tmp_path / "link").symlink_to(town)
    output = tmp_path / "tables"
    cases = {
        town / "page.html": f"is inside {town}, which is an input",
        tmp_path / "link" / "page.html": f"is inside {town}, which is an input",
        output / "frames" / "page.html": f"is inside {output / 'frames'}, which is a table",
    }
    before = {*town.iterdir()}
    for page, said in cases.items():
        assert main(["tables", str(town), "--output", str(output), "--report", str(page)]) == 2
        expected = f"msmq-wire: {page} {said}: choose another place for the output\n"
        assert capsys.readouterr() == ("", expected)
    assert {*town.iterdir()} == before
    assert not output.exists()
    assert main(["tables", str(town), "--output", str(output), "--report", str(output / "page.html")]) == 0


@pytest.mark.long
def test_a_report_beside_its_tables(town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It may be made again, but not in place of a table's file."""
    assert main(["tables", str(town), "--output", str(tmp_path)]) == 0
    for _ in range(2):
        assert main(["report", str(tmp_path), str(tmp_path / "page.html")]) == 0
    capsys.readouterr()
    own = tmp_path / "messages" / "part-00000.parquet"
    before = own.read_bytes()
    assert main(["report", str(tmp_path), str(own)]) == 2
    said = f"msmq-wire: {own} is an input: choose another file for the output\n"
    assert capsys.readouterr() == ("", said)
    assert own.read_bytes() == before


@pytest.mark.long
@pytest.mark.parametrize(("count", "packed"), [(2, True), (4, False)])
def test_joined_captures_lose_nothing(
    count: int, packed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says that another capture begins, and the status is that of a capture without damage."""
    written = write_captures(tmp_path / "made", 60, seed=1, files=count)
    parts = [path.read_bytes() for path in written.captures]
    path = tmp_path / "joined"
    path.write_bytes(b"".join(gzip.compress(part) if packed else part for part in parts))
    more = f" (one of {count - 1})" if count > 2 else ""
    said = "another capture begins within the file; its frames are read as later ones"
    line = f"msmq-wire: {path}, byte {len(parts[0]):,}: {said}{more}\n"
    for verb in ("packets", "explain", "sessions", "hosts"):
        assert main([verb, str(path)]) == 0, verb
        assert capsys.readouterr().err == line
    assert main(["validate", str(path)]) in {0, 3}
    assert capsys.readouterr().err == line
    assert main(["tables", str(path), "--output", str(tmp_path / "tables"), "--strict"]) == 0
    assert capsys.readouterr().err == line
    assert pq.read_table(tmp_path / "tables" / "quarantine").column("cause").to_pylist() == [said]
    assert pq.read_table(tmp_path / "tables" / "packets").num_rows == written.packets + written.pings
    path.write_bytes(path.read_bytes()[:-3])
    assert main(["tables", str(path), "--output", str(tmp_path / "tables"), "--strict"]) == 1
    assert capsys.readouterr().err.startswith(line)


def test_a_report_about_no_tables(town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = tmp_path / "lines"
    assert main(["tables", str(town), "--output", str(lines), "--format", "jsonl"]) == 0
    capsys.readouterr()
    for folder, said in (
        (tmp_path / "nowhere", f"{tmp_path / 'nowhere'}: there is no such folder"),
        (lines, f"{lines} has no table flows as Parquet: a report takes no other form"),
    ):
        assert main(["report", str(folder), str(tmp_path / "page.html")]) == 1
        assert capsys.readouterr() == ("", f"msmq-wire: {said}\n")
        assert not (tmp_path / "page.html").exists()


@pytest.mark.each(6)
@pytest.mark.parametrize("form", ["parquet", "jsonl", "zeek-tsv", "duckdb", "delta", "iceberg"])
def test_tables_are_no_captures(
    form: str, sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A directory of tables, with a report, is one sentence: where the rows are, and what reads them."""
    packages = {"duckdb": "duckdb", "delta": "deltalake", "iceberg": "pyiceberg.catalog.sql"}
    pytest.importorskip(packages.get(form, "pyarrow"))
    output = tmp_path / "tables"
    captures.write(sound, output, form)
    (output / "page.html").write_text(f"<!DOCTYPE html>{GENERATOR}")
    for verb in ("packets", "explain", "validate", "deliveries", "dependencies", "tables"):
        more = ["--output", str(tmp_path / "more")] if verb == "tables" else []
        assert main([verb, str(output), *more]) == Status.USAGE
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        told = f"msmq-wire: {output} has tables that msmq-wire wrote, but msmq-wire {verb} reads"
        assert err.startswith(told)
        table = {"explain": "packets", "validate": "violations", "tables": "deliveries"}.get(verb, verb)
        in_duckdb = f"read the table {table} in {output}/tables.duckdb"
        assert f": {in_duckdb if form == 'duckdb' else f'read {output}/{table}'}" in err
        assert (f"msmq-wire report {output} PAGE" in err) == (form == "parquet")
        assert not (tmp_path / "more").exists()


@pytest.mark.parametrize("verb", ["packets", "explain", "validate", "deliveries", "dependencies", "tables"])
def test_files_of_tables_are_unreadable_parts(
    verb: str, sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also if a pattern matches them: only directories of tables are mistaken operands."""
    output = tmp_path / "tables"
    captures.write(sound, output, names=["packets"])
    more = ["--output", str(tmp_path / "more")] if verb == "tables" else []
    (file,) = (output / "packets").iterdir()
    for path in (output / "*", output / "packets" / "*", file):
        assert main([verb, str(path), *more]) == Status.UNREADABLE
    assert capsys.readouterr().err.count("\n") == 3


def test_a_report_is_advised_only_of_the_tables_that_it_takes(
    sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    captures.write(sound, tmp_path, names=["hosts", "packets"])
    assert main(["hosts", str(tmp_path)]) == Status.USAGE
    _, err = capsys.readouterr()
    assert err.endswith(f": read {tmp_path}/hosts with DuckDB\n")


def test_tables_beside_captures_are_told_once(
    sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The captures are read; a folder of both, and files of tables, are told once for each directory."""
    both = tmp_path / "both"
    shutil.copytree(sound, both / "captures")
    captures.write(sound, both / "tables", names=["packets", "hosts"])
    fields = ("--fields", "queue_manager,addresses")
    assert main(["hosts", str(sound), *fields]) == Status.DONE
    listed, _ = capsys.readouterr()
    files = (both / "tables").rglob("*.parquet")
    for paths in ([both], [both / "captures", both / "tables"], [sound, *files]):
        assert main(["hosts", *map(str, paths), *fields]) == Status.UNREADABLE
        out, err = capsys.readouterr()
        assert out == listed
        assert err.count("\n") == err.count("has tables that msmq-wire wrote, but msmq-wire hosts reads") == 1
        assert "unreadable parts" not in err


def test_a_capture_beside_files_of_tables(
    sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name of a table's folder alone makes no table of a capture in it."""
    folder = tmp_path / "packets"
    shutil.copytree(sound, folder)
    for number, file in enumerate(sorted(folder.iterdir())):
        file.rename(folder / f"part-{number:05}{file.suffix}")
    assert main(["hosts", str(tmp_path), "--fields", "machine"]) == Status.DONE
    assert main(["hosts", str(sound), "--fields", "machine"]) == Status.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]
