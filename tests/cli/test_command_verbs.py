"""The verbs on captures: what they list, what they take as conditions, and hostile input."""

from __future__ import annotations

import bz2
import csv
import datetime as dt
import gzip
import io
import json
import lzma
import os
import re
import signal
import struct
import subprocess
import sys
from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from support_specs import load_tcp_packets

import msmq_wire as mw
from msmq_wire import captures, mqmq, mqqb, mqrr
from msmq_wire.captures.reports.words import Meanings, evidence_of, session_lines
from msmq_wire.cli import commands, options
from msmq_wire.cli.conditions import Where
from msmq_wire.cli.extraction import extraction
from msmq_wire.cli.output import Status, UnwritableError
from msmq_wire.cli.rows import json_lines, paths_of, table_lines
from msmq_wire.packets.carving import carve
from msmq_wire.testing.captures import Faults, write_captures
from msmq_wire.testing.captures.wire import Address
from msmq_wire.testing.captures.wire import Path as Traffic
from msmq_wire.views.texts import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Run = Callable[..., tuple[int, str, str]]

ESTABLISH = mw.encode(mqqb.SessionAck())
HEX = "10c00b004c494f5220000000ffffffff00000300d8050000c0d4010000004000"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captures without a fault."""
    place = tmp_path_factory.mktemp("cli")
    write_captures(place, 120, seed=11, files=2, faults=Faults())
    return place / "captures"


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# ------------------------------------------------------------------------------------------ lists


def test_packets_are_those_of_the_library(folder: Path, run: Run) -> None:
    status, out, err = run("packets", folder, "--fields", "*")
    assert (status, err) == (0, "")
    found = [(row["flow"], row["offset"], row["data"]) for row in rows(out)]
    assert found == [(one.flow, one.offset, one.data.hex()) for one in captures.read(folder)]
    assert len(found) >= 120


def test_conditions_and_fields(folder: Path, run: Run) -> None:
    everything = [one.packet for one in captures.read(folder)]
    users = [packet for packet in everything if isinstance(packet, mqmq.UserMessage)]
    for condition, wanted in {
        "type=UserMessage": len(users),
        "type != UserMessage": len(everything) - len(users),
        "UserHeader.Flags.DM=1": sum(
            packet.UserHeader.Flags.DM == 1 for packet in everything if hasattr(packet, "UserHeader")
        ),
        "TransactionHeader": sum(packet.TransactionHeader is not None for packet in users),
        "!UserHeader": sum(getattr(packet, "UserHeader", None) is None for packet in everything),
        "BaseHeader.PacketSize>=0x400": sum(
            packet.BaseHeader.PacketSize >= 0x400 for packet in everything if hasattr(packet, "BaseHeader")
        ),
        "dst_port=1801": sum(one.dst_port == 1801 for one in captures.read(folder)),
    }.items():
        status, out, _ = run(
            "packets", folder, "--where", condition, "--fields", "type,BaseHeader.PacketSize"
        )
        found = rows(out)
        assert len(found) == wanted, condition
        assert all(set(row) <= {"type", "BaseHeader.PacketSize"} for row in found)
        assert status == (0 if wanted else 1)


def test_several_conditions_all_hold(folder: Path, run: Run) -> None:
    words = ["messages", folder, "--fields", "label,destination,destinations"]
    every = rows(run(*words)[1])
    found = rows(run(*words, "--where", "destination~^direct", "--where", "!label")[1])
    assert found == [
        row for row in every if row.get("destination", "").upper().startswith("DIRECT") and "label" not in row
    ]
    listed = rows(run(*words, "--where", "destinations~private")[1])
    assert listed == [row for row in every if any("private" in name.lower() for name in row["destinations"])]
    assert listed


def test_values_of_every_type() -> None:
    guid = mw.GUID.of("01020304-0506-0708-090a-0b0c0d0e0f10")
    batch = pa.record_batch(
        {
            "text": ["a", "b", None],
            "number": pa.array([1, 255, None], pa.uint64()),
            "flag": [True, False, None],
            "bytes": [b"\1\2", guid.bytes_le, None],
            "time": pa.array([0, 86_400_000_000, None], pa.timestamp("us", tz="UTC")),
            "list": pa.array([["x", "y"], [], None], pa.list_(pa.string())),
            "deep": pa.array([{"inner": 1}, None, {"inner": None}]),
        }
    )
    for condition, wanted in {
        "text=a": [0], "text>a": [1], "text~^B$": [1], "text!~a": [1], "number=0xff": [1], "number<2": [0],
        "flag=false": [1], "bytes=0102": [0], f"bytes={guid}": [1], "time>=1970-01-02": [1],
        "time<1970-01-01T12:00:00+00:00": [0], "list=y": [0], "list~z": [], "deep.inner=1": [0],
        "deep": [0, 2], "text=": [], "!deep": [1], " number  = 1 ": [0],
    }.items():  # fmt: skip
        kept = Where([condition], batch.schema).filter(batch)
        assert kept.equals(batch.take(pa.array(wanted, pa.int64()))), condition
    wrong = "|a b|!text=a|nothing|text.inner=1|deep=1|number=x|flag=2|bytes=0|time=soon|number~1|text~("
    for condition in (*wrong.split("|"), "number=99999999999999999999999"):
        with pytest.raises(mw.MsmqWireError):
            Where([condition], batch.schema)
    assert [*paths_of(batch.schema)][-2:] == ["deep", "deep.inner"]


def test_conditions_that_are_joined() -> None:
    batch = pa.record_batch(
        {
            "label": ["an order", "invoice (new)", "a or b", None],
            "size": pa.array([1, 20, 300, 4], pa.int64()),
            "queues": pa.array([["x"], ["x", "y"], [], None], pa.list_(pa.string())),
            "severity": ["info", "warning", "alert", None],
            "host": ["10.0.0.1", "10.1.0.1", None, "2001:db8::1"],
        }
    )
    for condition, wanted in {
        "size=1 or size=4": [0, 3],
        "size>1 and size<300": [1, 3],
        "size=1 or size>1 and size<300": [0, 1, 3],
        "(size=1 or size>1) and size<300": [0, 1, 3],
        "not size=1": [1, 2, 3],
        "not (size=1 OR size=20)": [2, 3],
        "not label~order": [1, 2],
        "label or size=4": [0, 1, 2, 3],
        "(!label)": [3],
        "size in (1, 0x14)": [0, 1],
        "size not in (1,20)": [2, 3],
        "label in ('an order', \"a or b\", nothing)": [0, 2],
        "label like 'a%'": [0, 2],
        "label like %new)": [1],
        "label not like '_n order' and size>0": [1, 2],
        "label~order or invoice": [],
        "label~(order|invoice)": [0, 1],
        "(label~(order|invoice))": [0, 1],
        "label='a or b'": [2],
        "label='a or b' or size=1": [0, 2],
        "label=a or b": [2],
        "queues=y or queues~z": [1],
        "not queues=y": [0, 2, 3],
        "severity>=warning": [1, 2],
        "severity<Alert": [0, 1],
        "severity!=info": [1, 2],
        "severity in (info, alert)": [0, 2],
        "host=10.0.0.0/16": [0],
        "host!=10.0.0.0/16": [1, 3],
        "label is null": [3],
        "label IS NOT NULL and size>1": [1, 2],
        "not label is null": [0, 1, 2],
        "(queues is null) or size=1": [0, 2, 3],
        "label=a or b or host is null": [2],
        "label=an order and admin": [],
    }.items():
        kept = Where([condition], batch.schema).filter(batch)
        assert kept.equals(batch.take(pa.array(wanted, pa.int64()))), condition
    wrong = "size=1 or|(size=1|size=1)|size in 1|size in (1|size in (x)|size like 1|not|()|size=1 or lable=x"
    wrong += "|size is|size is nothing|!size is null|lable is null"
    for condition in (*wrong.split("|"), "(" * 100 + "size=1", "label=a or !lable", "severity>=bad"):
        with pytest.raises(mw.MsmqWireError):
            Where([condition], batch.schema)


def test_a_field_that_is_not_there_is_guessed(folder: Path, run: Run) -> None:
    status, out, err = run("packets", folder, "--fields", "AckTimeout")
    assert (status, out) == (Status.USAGE, "")
    assert "did you mean ConnectionParametersHeader.AckTimeout" in err
    assert run("messages", folder, "--where", "lable=x")[2].endswith("did you mean label?\n")
    said = "the fields of headers are columns of msmq-wire packets\n"
    assert run("messages", folder, "--fields", "UserHeader.MessageID")[2].endswith(said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["messages", "--where", "time>yesterday"],
            "expected a time such as 2024-05-31T22:13:20 for time, got",
        ),
        (["messages", "--where", "size>big"], "expected an integer for size, got 'big'"),
        (["messages", "--where", "partial=2"], "expected true or false for partial, got '2'"),
        (["messages", "--where", "body=xy"], "expected hexadecimal digits or a GUID for body, got 'xy'"),
        (["messages", "--where", "label~("], "'(' is not a regular expression"),
        (["messages", "--where", "size~1"], "size is not text, but ~ searches in text"),
        (
            ["packets", "--where", "src=10.0.0.0/33"],
            "expected a network such as 10.0.0.0/8, got '10.0.0.0/33'",
        ),
        (["packets", "--where", "src=hub"], "expected an address or a network for src, got 'hub'"),
        (["packets", "--where", "dst!=10.0.0.300"], "expected an address or a network for dst, got"),
        (["packets", "--fields", "nothing"], "there is no field 'nothing'; expected one of sensor, "),
        (
            ["tables", "--output", "x", "--tables", "message"],
            "there is no table 'message'; did you mean messages?",
        ),
        (["tables", "--output", "x", "--tables", "a"], "there is no table 'a'; there are flows, packets, "),
        (
            ["tables", "--output", "x", "--tables", ""],
            "expected names, separated by commas, for --tables, got",
        ),
        (["validate", "--ignore", "MQMQ"], "expected an id such as MQMQ-2.2.19.1-36, got 'MQMQ'"),
    ],
)
def test_options_that_are_wrong(words: list[str], said: str, folder: Path, run: Run) -> None:
    """Status 2 and one sentence, as the reference says; nothing is written."""
    status, out, err = run(*words, folder)
    assert (status, out, err.count("\n")) == (Status.USAGE, "", 1)
    assert said in err


def test_usage_names_the_subcommand(run: Run) -> None:
    assert run("diff", "one")[2].endswith("(see msmq-wire diff --help)\n")
    assert run("nothing")[2].endswith("(see msmq-wire --help)\n")


def test_help_fits_into_its_columns(run: Run) -> None:
    assert "..." not in run("--help")[1].partition("Commands:")[2]


@pytest.mark.long
def test_addresses_in_networks(folder: Path, run: Run) -> None:
    everything = [*captures.read(folder)]
    for network in ("10.0.0.0/8", "10.1.0.0/16", "2001:db8:1::/48", "10.1.0.9/16", "0.0.0.0/0"):
        known = ip_network(network, strict=False)
        inside = sum(ip_address(str(one.src)) in known for one in everything)
        assert len(rows(run("packets", folder, "--where", f"src={network}", "--fields", "src")[1])) == inside
        found = rows(run("packets", folder, "--where", f"src!={network}", "--fields", "src")[1])
        assert len(found) == len(everything) - inside
    assert (
        0 < sum(ip_address(str(one.src)) in ip_network("10.0.0.0/8") for one in everything) < len(everything)
    )
    rest = Where(["src!=10.0.0.0/8"], pa.schema({"src": pa.string()}))
    batch = pa.record_batch({"src": pa.array([None, "10.0.0.1", "11.0.0.1", "11.0.0.1"])})
    assert rest.filter(batch)["src"].to_pylist() == ["11.0.0.1"] * 2


def test_tables_for_people(folder: Path, run: Run) -> None:
    status, out, _ = run("messages", folder, "--format", "table", "--limit", "3")
    lines = out.splitlines()
    assert status == 0
    assert lines[0].split() == [
        "time",
        "src",
        "dst",
        "destination",
        "message_class",
        "label",
        "body_form",
        "size",
    ]
    assert len(lines) == 4
    assert len({line.rstrip()[: lines[0].index("src")].count("-") for line in lines[1:]}) == 1


@pytest.mark.each(5)
@pytest.mark.parametrize("table", ["messages", "packets"])
@pytest.mark.parametrize("room", [80, 100, 132])
def test_tables_fit_the_terminal(
    table: str, room: int, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line is longer, and no column is cut that need not be."""
    wide = run(table, folder, "--format", "table")[1].splitlines()
    monkeypatch.setattr("msmq_wire.cli.commands.is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", str(room))
    lines = run(table, folder)[1].splitlines()
    assert len(lines) == len(wide)
    assert max(map(len, lines)) <= room
    assert max(map(len, wide)) > 110
    kept = lines[0].split()
    assert [name for name in wide[0].split() if name in kept] == kept
    assert {"time", "src"} < {*kept}
    monkeypatch.setenv("COLUMNS", "999")
    assert run(table, folder)[1].splitlines() == wide


def test_columns_are_narrowed_the_widest_first() -> None:
    moment = dt.datetime(2024, 5, 31, 22, 13, 20, 123456, tzinfo=dt.UTC)
    row = {"time": moment, "src": "10.0.0.1", "number": 12345, "label": "x" * 30, "type": "y" * 14}
    batch = pa.RecordBatch.from_pylist([row])
    heading, line = table_lines(68, ["number"])(batch)
    assert heading.split() == ["time", "src", "number", "label", "type"]
    assert line == f"2024-05-31 22:13:20  10.0.0.1  12345   {'x' * 10}...  {'y' * 14}\n"
    heading, line = table_lines(60, ["number"])(batch)
    assert heading.split() == ["time", "src", "label", "type"]
    assert len(line) <= 61
    lines = table_lines(40)
    assert [*lines(pa.RecordBatch.from_pylist([{"label": "a"}]))] == ["label\n", "a\n"]
    assert [*lines(pa.RecordBatch.from_pylist([{"label": "b" * 40}]))] == ["b" * 40 + "\n"]


def test_an_empty_map_is_an_object() -> None:
    counts = pa.array([[("a", 1)], [], None], pa.map_(pa.string(), pa.int64()))
    assert [*json_lines(pa.record_batch([counts], ["states"]))] == [
        '{"states": {"a": 1}}\n', '{"states": {}}\n', "{}\n"
    ]  # fmt: skip


def test_letters_that_take_two_columns_of_a_terminal() -> None:
    rows = [{"label": label, "size": 7} for label in ("orders", "注文", "e\u0301t\u00e9")]
    lines = [*table_lines()(pa.RecordBatch.from_pylist(rows))]
    assert lines == ["label   size\n", "orders  7\n", "注文    7\n", "e\u0301t\u00e9     7\n"]
    narrow = [*table_lines(40)(pa.RecordBatch.from_pylist([{"label": "注文" * 20, "type": "y" * 14}]))]
    assert narrow[1] == "注文" * 5 + "...   " + "y" * 14 + "\n"  # of 24 columns


@pytest.mark.each(2)
@pytest.mark.parametrize("table", ["messages", "packets"])
def test_rows_in_the_order_of_time(
    table: str, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same rows, sorted; with a limit the first ones; too many are refused."""
    words = [table, folder, "--fields", "time,size,src"]
    plain = rows(run(*words)[1])
    expected = sorted(plain, key=lambda row: row["time"])
    assert expected != plain
    assert rows(run(*words, "--sort", "time")[1]) == expected
    assert rows(run(*words, "--sort", "time", "--limit", "5")[1]) == expected[:5]
    whole = rows(run(table, folder, "--sort", "time")[1])
    assert [row["time"] for row in whole] == [row["time"] for row in expected]
    monkeypatch.setattr("msmq_wire.cli.rows.MAX_SORTED", 100)
    status, out, err = run(*words, "--sort", "time")
    assert (status, out) == (2, "")
    assert "too large to sort: choose some with --where and --fields" in err


@pytest.mark.each(20)
@pytest.mark.parametrize(
    "verb",
    [
        "packets",
        "messages",
        "sessions",
        "explain",
        "validate",
        "findings",
        "deliveries",
        "dependencies",
        "queues",
        "hosts",
    ],
)
def test_a_version_that_is_not_known(verb: str, folder: Path, run: Run, tmp_path: Path) -> None:
    """Every verb reads the file as one of the version that is known, and says so once."""
    whole, path = next(folder.iterdir()).read_bytes(), tmp_path / "a.pcap"
    path.write_bytes(whole)
    _, usual, told = run(verb, path)
    path.write_bytes(of_version(whole, 2, 9))
    problem = "version 2.9 of pcap is unknown; the file is read as version 2.4"
    assert run(verb, path)[1:] == (usual, f"msmq-wire: {path}, byte 4: {problem}\n{told}")


def of_version(whole: bytes, major: int, minor: int) -> bytes:
    """A pcap file that says another version."""
    return whole[:4] + struct.pack("<HH", major, minor) + whole[8:]


@pytest.mark.parametrize("version", [(2, 9), (7, 1)])
def test_tables_of_a_version_that_is_not_known(
    version: tuple[int, int], folder: Path, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(of_version(next(folder.iterdir()).read_bytes(), *version))
    problem = "version {}.{} of pcap is unknown; the file is read as version 2.4".format(*version)
    _, _, told = run("tables", path, "--output", tmp_path / "tables", "--tables", "packets")
    assert f"msmq-wire: {path}, byte 4: {problem}\n" in told
    assert [*captures.read(path)]


def test_nothing_is_told(run: Run, tmp_path: Path, folder: Path) -> None:
    empty = tmp_path / "empty.pcap"
    empty.write_bytes(next(folder.iterdir()).read_bytes()[:24])
    assert run("packets", empty) == (1, "", "msmq-wire: there are no packets\n")
    assert run("sessions", empty) == (1, "", "msmq-wire: there are no sessions\n")
    assert run("validate", empty) == (1, "", "msmq-wire: there are no packets\n")
    other = tmp_path / "other.pcap"
    frame = Traffic(
        Address(ip_address("10.0.0.1"), 50000, bytes(6)), Address(ip_address("10.0.0.2"), 80, bytes(6))
    )
    sent = frame.tcp(1, 1, 0x18, b"GET / HTTP/1.1\r\n\r\n")
    other.write_bytes(empty.read_bytes() + struct.pack("<IIII", 1, 0, len(sent), len(sent)) + sent)
    said = "msmq-wire: there are no packets; frames: other stream 1\n"
    assert run("validate", other) == run("packets", other) == (1, "", said)
    nothing = tmp_path / "nothing"
    nothing.write_bytes(b"")
    assert run("validate", nothing) == (1, "", f"msmq-wire: {nothing}: the file is empty\n")
    assert (
        run("messages", folder, "--where", "label=nobody")[2] == "msmq-wire: none of the messages matches\n"
    )
    capture = next(folder.iterdir())
    assert run("explain", capture, "--frame", "99999")[2] == "msmq-wire: no packet matches\n"
    cut = tmp_path / "cut.pcap"
    cut.write_bytes(capture.read_bytes()[:-1])
    said = run("explain", cut, "--frame", "99999")[2]
    assert said.startswith(f"msmq-wire: no packet matches; {cut}, frame ")
    assert "the file ends within a frame" in said
    text = tmp_path / "text.pcap"
    text.write_text("this is no capture")
    assert run("packets", text)[2].startswith(
        f"msmq-wire: {text}: not a capture, but text: neither digits, a dump"
    )
    said = f"{capture} is a file, not a folder of tables: for a capture use msmq-wire tables --report"
    assert run("report", capture, tmp_path / "page.html")[1:] == ("", f"msmq-wire: {said}\n")


# ------------------------------------------------------------------------------------------ files of bodies


def test_packets_in_files(folder: Path, run: Run, tmp_path: Path) -> None:
    status, out, _ = run("packets", folder, "--extract", tmp_path / "new" / "files", "--limit", 9)
    listed = rows(out)
    assert (status, len(listed)) == (0, 9)
    place = tmp_path / "new" / "files"
    assert sorted(path.name for path in place.iterdir()) == [row["extracted"] for row in listed]
    for row in listed:
        packet = mw.decode((place / row["extracted"]).read_bytes())
        assert type(packet).__name__ == row["type"]


def test_bodies_in_files(folder: Path, run: Run, tmp_path: Path) -> None:
    """As they were sent; a message without a body has no file, and no file is written over another."""
    bodies = [one.packet.body for one in captures.read(folder) if isinstance(one.packet, mqmq.UserMessage)]
    status, out, _ = run("messages", folder, "--extract", tmp_path, "--fields", "label")
    names = [row.get("extracted") for row in rows(out)]
    assert (status, len(names)) == (0, len(bodies))
    assert [name and (tmp_path / name).read_bytes() for name in names] == [body or None for body in bodies]
    again, out, said = run("messages", folder, "--extract", tmp_path)
    assert (again, out) == (4, "")
    assert said == f"msmq-wire: {tmp_path} is not empty; extracted files need an empty directory\n"


def test_extracted_files_have_suffixes(tmp_path: Path) -> None:
    forms = ["UTF-8 XML", "UTF-16", ".NET binary", None, "bytes"]
    batch = pa.RecordBatch.from_pydict({"body": [b"1", b"2", b"3", b"4", b""], "body_form": forms})
    write = extraction("messages", str(tmp_path))
    assert write(batch).to_pylist() == ["000001.xml", "000002.txt", "000003.bin", "000004.bin", None]
    assert write(batch.slice(0, 1)).to_pylist() == ["000006.xml"]
    files = pa.RecordBatch.from_pydict(
        {"body": [b"7"] * 5, "body_form": ["BMP", "gzip", "TIFF", "DEB", "PE"]}
    )
    numbers = range(7, 12)
    suffixes = [".bmp", ".gz", ".tif", ".bin", ".bin"]
    assert write(files).to_pylist() == [f"{n:06}{end}" for n, end in zip(numbers, suffixes, strict=True)]
    (tmp_path / "000012.txt").mkdir()
    with pytest.raises(UnwritableError, match="Is a directory"):
        write(batch.slice(1, 1))
    with pytest.raises(UnwritableError, match="Not a directory"):
        extraction("messages", str(tmp_path / "000001.xml" / "in a file"))


# ------------------------------------------------------------------------------------------ explain


def test_explain_takes_captures_by_their_magic(folder: Path, run: Run, tmp_path: Path) -> None:
    renamed = tmp_path / "not-a-capture.bin"
    renamed.write_bytes(next(folder.iterdir()).read_bytes())
    found = [*captures.read(renamed)]
    status, out, err = run("explain", renamed)
    assert (status, err) == (0, "")
    assert out.count("\n== ") + 1 == len(found)
    one = next(one for one in found if isinstance(one.packet, mqmq.UserMessage))
    status, out, _ = run("explain", renamed, "--frame", one.frame)
    assert mw.explain(one.data) in out
    assert f"frame {one.frame}" in out
    status, out, _ = run("explain", renamed, "--where", "type=EstablishConnection", "--limit", 1)
    assert (status, out.count("== ")) == (0, 1)


def test_json_goes_round(folder: Path, run: Run, tmp_path: Path) -> None:
    status, out, _ = run("explain", folder, "--json")
    assert status == 0
    (tmp_path / "all.json").write_text(out)
    status, digits, _ = run("encode", tmp_path / "all.json")
    assert status == 0
    assert digits.split() == [one.data.hex() for one in captures.read(folder)]
    assert run("encode", tmp_path / "all.json", "--output", tmp_path / "all.bin")[0] == 0
    assert (tmp_path / "all.bin").read_bytes() == b"".join(one.data for one in captures.read(folder))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[1]", "expected a dictionary, got int"),
        ('{"a": 1}', "structure"),
        ('{"MessagePropertiesHeader": {"MessageBody": "text"}}', "two digits a byte, got 'text' - at `"),
        ('{"UserHeader": {"SourceQueueManager": "me"}}', "expected the text of a GUID, got 'me' - at `"),
        ('{"UserHeader": {"MessageID": "5"}}', "expected a whole number, got '5' - at `"),
        ("\xff", "the input is not JSON: byte 0 is 0xff, which is not UTF-8"),
    ],
)
def test_json_that_is_no_packet(text: str, said: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text, encoding="latin-1")
    status, out, err = run("encode", tmp_path / "x.json")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert said in err


def test_colours_are_for_terminals(run: Run) -> None:
    plain = run("explain", "--hex", HEX)[1]
    assert "\x1b" not in plain
    dyed = run("explain", "--hex", HEX, "--color", "always")[1]
    assert "\x1b[1m" in dyed
    assert re.sub(r"\x1b\[[0-9;]*m", "", dyed) == plain
    broken = run("explain", "--hex", HEX[:-4], "--color", "always")[1]
    assert "\x1b[1;31merror:" in broken


VIOLATING = "10c00b004c494f52200000000500000000000300d8050000c0d4010000004000"
"""A packet that has no time to reach a queue, and says 5 seconds."""


@pytest.mark.each(4)
@pytest.mark.parametrize("verb", ["validate", "sessions", "diff", "explain"])
def test_colours_of_every_verb(verb: str, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rules everywhere: a terminal without NO_COLOR, or as the option says; the text is the same."""
    operands = {"validate": ["--hex", VIOLATING], "explain": ["--hex", HEX], "diff": [HEX, f"{HEX[:-4]}0900"]}
    words = [verb, *operands.get(verb, [folder])]
    plain = run(*words)[1]
    assert plain
    dyed = run(*words, "--color", "always")[1]
    monkeypatch.setattr("msmq_wire.cli.options.is_terminal", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert run(*words)[1] == dyed
    assert re.sub(r"\x1b\[[0-9;]*m", "", dyed) == plain
    assert all("\x1b[" in line for line in dyed.splitlines() if line.strip() and line[0] != " ")
    assert run(*words, "--color", "never")[1] == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert run(*words)[1] == plain


def test_a_page(folder: Path, run: Run, tmp_path: Path) -> None:
    name = tmp_path / "<b>x\x1b[2J\n<i>.pcap"
    name.write_bytes(next(folder.iterdir()).read_bytes())
    assert run("explain", name, "--html", tmp_path / "x.html", "--limit", 3)[0] == 0
    page = (tmp_path / "x.html").read_text("utf-8")
    assert page.count("<pre>") == 3
    kinds = {*re.findall(r'<span class="(\w+)">', page)}
    assert {"title", "location", "bytes", "field"} <= kinds
    assert all(f".{kind} {{" in page for kind in kinds)
    assert "<b>x" not in page
    assert "\x1b" not in page
    assert "&lt;b&gt;x\\x1b[2J\\n&lt;i&gt;" in page
    status, _, err = run("explain", name, "--html", tmp_path / "nowhere" / "x.html")
    assert status == Status.UNWRITABLE
    assert "No such file" in err


# ------------------------------------------------------------------------------------------ judgements


def test_validate_in_words(run: Run) -> None:
    wrong = mw.replace(
        mqqb.SessionAck(), BaseHeader=mw.replace(mqqb.SessionAck().BaseHeader, TimeToReachQueue=5)
    )
    data = mw.encode(wrong)
    found = mw.validate(wrong)
    assert found
    status, out, err = run("validate", "--hex", data.hex())
    assert (status, err) == (Status.FOUND, "")
    assert len(out.splitlines()) == len(found)
    for violation in found:
        assert violation.message in out
        assert violation.requirement in out
    ignored = [word for violation in found for word in ("--ignore", violation.requirement)]
    assert run("validate", "--hex", data.hex(), *ignored) == (0, "", "")
    assert run("validate", "--hex", ESTABLISH.hex()) == (0, "", "")
    assert run("validate", "--hex", data.hex(), "--level", "nonsense")[0] == Status.USAGE


def test_validate_a_structure(run: Run, tmp_path: Path) -> None:
    """Headers that only a remote read returns follow the packet, so that its kind has to be given."""
    message = mqmq.UserMessage.of(DestinationQueue="PUBLIC=11111111-2222-3333-4444-555555555555")
    header = mqrr.ExtensionHeader(Flags=mqrr.ExtensionHeaderFlags(SQ=0))
    path = tmp_path / "packet.bin"
    path.write_bytes(mqrr.MessagePacket(UserMessage=message, ExtensionHeader=header).encode())
    status, out, _ = run("validate", "--kind", "MessagePacket", "--channel", "remote-read", path)
    assert status == 3
    assert "MessagePacket.ExtensionHeader.Flags.SQ is 0, but has to be 1. (MQRR-2.2.5.2-04" in out
    assert "MQRR-2.2.5.2-04" not in run("validate", path)[1]


def test_validate_names_both_messages(run: Run, tmp_path: Path) -> None:
    faults = {"early": Faults.all(), "late": Faults()}  # both with queue managers that count from 1
    days = [
        write_captures(tmp_path / name, 120, seed=31, faults=own, managers=6, files=1).captures[0]
        for name, own in faults.items()
    ]
    status, out, _ = run("validate", *days)
    lines = [line for line in out.splitlines() if "MQMQ-2.2.19.2-07" in line]
    assert status == Status.FOUND
    assert lines
    for line in lines:
        places = re.search(r"^must  (\S+), frames? (\d+).*; the other message: (\S+), frame (\d+)\)$", line)
        assert places, line
        assert {places[1], places[3]} == {str(day) for day in days}


@pytest.mark.long
def test_validate_captures(run: Run, tmp_path: Path) -> None:
    write_captures(tmp_path, 150, seed=3, files=1, faults=Faults.all())
    status, out, _ = run("validate", tmp_path / "captures")
    table = captures.tables(tmp_path / "captures", ["violations"])["violations"].read_all()
    assert (status == Status.FOUND) == bool(table.num_rows)
    assert len(out.splitlines()) == table.num_rows
    ids = [word for name in set(table.column("requirement").to_pylist()) for word in ("--ignore", name)]
    assert run("validate", tmp_path / "captures", *ids)[1] == ""
    assert run("validate", tmp_path / "captures", "--channel", "stored")[0] == Status.USAGE


def test_sessions_in_words(folder: Path, run: Run) -> None:
    table = captures.tables(folder, ["sessions"])["sessions"].read_all().to_pylist()
    status, out, err = run("sessions", folder)
    assert (status, err) == (0, "")
    heads = [line for line in out.splitlines() if not line.startswith(" ")]
    assert len(heads) == len(table)
    for row in table:
        assert any(f"{row['opener']} opened a connection to {row['acceptor']}" in line for line in heads)
        assert {row["opener"], row["acceptor"]} == {*row["connection"].split()[1:3]}  # IPv6 in brackets
    assert any(row["opener"].startswith("[") for row in table)
    assert len(rows(run("sessions", folder, "--format", "jsonl")[1])) == len(table)


def test_a_refused_session(folder: Path) -> None:
    (row, *_) = captures.tables(folder, ["sessions"])["sessions"].read_all().to_pylist()
    row |= {
        "handshake": "refused",
        "outcome": "refused",
        "violations": [("MQQB-3.1.5.1.2-01", 2)],
        "reconnect_of": 0,
    }
    violation = {
        **{name: row[name] for name in ("sensor", "connection")},
        "requirement": "MQQB-3.1.5.1.2-01", "message": "It is no packet.", "first_frame": 5,
    }  # fmt: skip
    meanings = Meanings()
    meanings.add(pa.RecordBatch.from_pylist([violation]))
    text = "\n".join(session_lines(row, meanings))
    assert "handshake refused by the acceptor" in text
    assert "violation: It is no packet. (MQQB-3.1.5.1.2-01, 2 times, first in frame 5)" in text
    assert "session 0 of this connection" in text


def test_differences(run: Run, tmp_path: Path, folder: Path) -> None:
    other = HEX[:-4] + "0100"
    assert run("diff", HEX, HEX) == (0, "", "")
    assert run("diff", HEX, bytes.fromhex(HEX).hex("-").upper()) == (0, "", "")
    status, out, _ = run("diff", HEX, other)
    assert status == Status.FOUND
    assert [line.split() for line in out.splitlines()] == [
        ["field", "left", "right"],
        ["ConnectionParameters.ConnectionParametersHeader.WindowSize", "64", "1"],
    ]
    (tmp_path / "two.bin").write_bytes(bytes.fromhex(HEX + other))
    assert run("diff", tmp_path / "two.bin", HEX)[2].endswith("two.bin#1\n")
    assert run("diff", f"{tmp_path}/two.bin#1", HEX)[0] == 0
    assert run("diff", f"{tmp_path}/two.bin#2", HEX)[0] == Status.FOUND
    assert run("diff", f"{tmp_path}/two.bin#3", HEX)[2].endswith("two.bin: there is no packet 3, only 2\n")
    capture = next(folder.iterdir())
    one = next(one for one in captures.read(capture) if one.frame > 1)
    assert run("diff", f"{capture}#{one.frame}", one.data.hex())[0] == 0
    assert "is a capture; add the number of a frame, such as" in run("diff", capture, HEX)[2]
    assert run("diff", f"{capture}#99999", HEX)[2] == f"msmq-wire: {capture}: no packet in frame 99999\n"
    lines = run("diff", HEX, ESTABLISH.hex())[1].splitlines()
    assert lines[1].split() == ["packet", "ConnectionParameters", "SessionAck"]
    assert "packet.BaseHeader.PacketSize" in {line.split()[0] for line in lines}
    assert "packet.BaseHeader.Signature" not in {line.split()[0] for line in lines}  # equal in both
    assert run("diff", "00" * 20, HEX)[0] == Status.UNREADABLE
    said = "10c00b: no such file; hexadecimal digits of a packet are at least 32"
    assert run("diff", "10c00b", "10c00c") == (Status.UNREADABLE, "", f"msmq-wire: {said}\n")


def test_carving(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packet = bytes.fromhex(HEX)
    image = bytes(100) + packet + b"\x1b[2J" * 9 + packet + bytes(50) + packet[:20]
    (tmp_path / "image.bin").write_bytes(image)
    status, out, _ = run("carve", tmp_path / "image.bin", "--format", "jsonl")
    assert status == 0
    found = rows(out)
    assert [row["offset"] for row in found] == [
        at for at in range(len(image)) if image.startswith(packet[:20], at)
    ]
    assert [row["confidence"] == "high" for row in found] == [True, True, False]
    words = "carve", tmp_path / "image.bin", "--confidence", "high", "--output", tmp_path / "carved.bin"
    status, out, _ = run(*words)
    assert [line.split()[:4] for line in out.splitlines()] == [
        ["high", "byte", f"{row['offset']}:", "ConnectionParameters,"]
        for row in found
        if row["confidence"] == "high"
    ]
    assert (tmp_path / "carved.bin").read_bytes() == packet * 2
    (tmp_path / "empty.bin").write_bytes(b"")
    empty = tmp_path / "empty.bin"
    assert run("carve", empty) == (1, "", f"msmq-wire: {empty}: no packet begins in it\n")
    assert run("carve", tmp_path)[0] == Status.UNREADABLE
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(image)))
    assert len(run("carve")[1].splitlines()) == 3


@pytest.mark.parametrize("name", ["own", "symbolic", "hard"])
@pytest.mark.parametrize(
    "words",
    [
        ["carve", "OWN", "--output", "PATH"],
        ["tables", "OWN", "--report", "PATH"],
        ["tables", "FOLDER", "--report", "PATH"],
        ["tables", "FOLDER/o*", "--report", "PATH"],
        ["explain", "OWN", "--limit", "1", "--html", "PATH"],
        ["explain", "FOLDER", "--html", "PATH"],
        ["encode", "OWN", "--output", "PATH"],
    ],
)
def test_an_output_is_no_input(words: list[str], name: str, folder: Path, run: Run, tmp_path: Path) -> None:
    """Nothing is touched, whatever name or link the input has."""
    (tmp_path / "in").mkdir()
    own = tmp_path / "in" / "own"
    data = min(folder.iterdir()).read_bytes()
    own.write_bytes(data)
    (tmp_path / "symbolic").symlink_to(own)
    os.link(own, tmp_path / "hard")
    path = own if name == "own" else tmp_path / name
    names = {"OWN": str(own), "FOLDER": str(tmp_path / "in"), "FOLDER/o*": str(tmp_path / "in" / "o*")}
    said = f"msmq-wire: {path} is an input: choose another file for the output\n"
    assert run(*(names.get(word, str(path) if word == "PATH" else word) for word in words)) == (2, "", said)
    assert own.read_bytes() == data
    assert {one.name for one in tmp_path.iterdir()} == {"in", "symbolic", "hard"}


def test_an_output_is_not_standard_input(tmp_path: Path) -> None:
    (tmp_path / "own").write_bytes(ESTABLISH)
    with (tmp_path / "own").open("rb") as file:
        done = subprocess.run(  # noqa: S603  # our own interpreter
            [sys.executable, "-m", "msmq_wire", "carve", "--output", str(tmp_path / "own")],
            stdin=file,
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert (tmp_path / "own").read_bytes() == ESTABLISH


def test_completion(run: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        status, out, _ = run("completion", shell)
        assert status == 0
        assert "_MSMQ_WIRE_COMPLETE" in out
    found = [item.value for item in options.complete_paths("messages")(None, None, "time,la")]
    assert sorted(found) == ["time,label", "time,last_file", "time,last_frame"]
    assert [item.value for item in options.complete_paths("dependencies")(None, None, "fr")] == ["from"]


# ------------------------------------------------------------------------------------------ pipes


WAITS = """
import io, sys
from types import SimpleNamespace

from msmq_wire.cli import main

class Told(io.BufferedReader):
    left = int(sys.argv[1])

    def read1(self, size):
        if self.left <= 0:
            print("waits", flush=True)
        data = super().read1(size)
        self.left -= len(data)
        return data

sys.stdin = SimpleNamespace(buffer=Told(sys.stdin.buffer.raw))
sys.exit(main(sys.argv[2:]))
"""
"""A program that says when it waits for more than so many bytes."""


def start(*words: str, temporary: Path | None = None, told: int | None = None) -> subprocess.Popen[bytes]:
    """The command; with `told`, it says on standard output when it has read so many bytes and waits."""
    places = {} if temporary is None else {"TMPDIR": str(temporary)}
    program = ["-m", "msmq_wire"] if told is None else ["-c", WAITS, str(told)]
    return subprocess.Popen(  # noqa: S603  # our own interpreter
        [sys.executable, *program, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **places},
    )


def send(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal, then a byte: a signal that comes just before a read is handled when that read ends."""
    assert process.stdin is not None
    process.send_signal(number)
    with suppress(BrokenPipeError):
        os.write(process.stdin.fileno(), bytes(1))


@pytest.mark.long
def test_a_capture_is_listed_while_it_comes(folder: Path) -> None:
    """A line is there before the pipe ends, as from tcpdump."""
    data = min(folder.iterdir()).read_bytes()
    whole = [one.data for one in captures.read(min(folder.iterdir()))]
    with start("packets", "--fields", "data") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(data[: len(data) * 2 // 3])
        process.stdin.flush()
        first = json.loads(process.stdout.readline())  # hangs if nothing comes before the end
        assert bytes.fromhex(first["data"]) in whole
        process.stdin.write(data[len(data) * 2 // 3 :])
        process.stdin.close()
        rest = [bytes.fromhex(json.loads(line)["data"]) for line in process.stdout]
    assert sorted([bytes.fromhex(first["data"]), *rest]) == sorted(whole)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs that are started do not ignore Control-C, as those in the background of a shell do."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.usefixtures("interruptible")
def test_control_c_ends(folder: Path, tmp_path: Path) -> None:
    data = min(folder.iterdir()).read_bytes()
    for verb, status in (("packets", Status.INTERRUPTED), ("sessions", Status.DONE)):
        is_silent = verb == "sessions"  # until it has seen all
        with start(verb, temporary=tmp_path, told=len(data) if is_silent else None) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdin.write(data)
            process.stdin.flush()
            line = process.stdout.readline()
            assert line == b"waits\n" if is_silent else line
            send(process, signal.SIGINT)
            out, err = process.stdout.read(), process.stderr.read()
        assert process.returncode == status
        assert b"interrupted" in err
        assert b"Traceback" not in err
        assert bool(out.strip()) or verb == "packets"


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_sigterm_ends_and_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    """While it waits for a pipe, and while it writes tables."""
    output, temporary = tmp_path / "out", tmp_path / "temporary"
    temporary.mkdir()
    data = min(folder.iterdir()).read_bytes()
    code = """
import sys
from msmq_wire.captures import writing
from msmq_wire.cli import main
def add(*_):
    print("adding", flush=True)
    while sys.stdin.buffer.read1():
        pass
writing.Written.add = add
sys.exit(main(sys.argv[1:]))
"""
    places = {"TMPDIR": str(temporary), "PYTHONPATH": os.pathsep.join(sys.path)}
    words = ["tables", str(folder), "--output", str(output)]
    for program in (["-c", code, *words], ["-c", WAITS, str(len(data)), "tables", *words[2:]]):
        with subprocess.Popen(  # noqa: S603  # our own interpreter
            [sys.executable, *program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **places},
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            if code in program:
                assert process.stdout.readline() == b"adding\n"
                assert {path.name[:5] for path in output.iterdir()} == {".new-", ".msmq"}
            else:
                process.stdin.write(data)
                process.stdin.flush()
                assert process.stdout.readline() == b"waits\n"
            process.send_signal(signal.SIGTERM)
            send(process, signal.SIGTERM)
            assert process.stderr.read() == b"msmq-wire: terminated\n"
        assert process.returncode == Status.TERMINATED
        assert not [*temporary.iterdir()]
        assert not output.exists()


def test_sigterm_is_handled_in_the_command_only(run: Run, folder: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    assert run("sessions", folder)[0] == 0
    assert signal.getsignal(signal.SIGTERM) is before


def test_control_c_during_imports(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    class Interrupted:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "msmq_wire.cli.commands":
                raise KeyboardInterrupt

    monkeypatch.setattr("msmq_wire.cli.output.forget", lambda: None)  # standard output is that of the tests
    monkeypatch.delitem(sys.modules, "msmq_wire.cli.commands")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    assert run("--version") == (Status.INTERRUPTED, "", "msmq-wire: interrupted\n")


def test_an_interrupted_file_is_not_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old one stays; one that is written replaces what a link names, and keeps its permissions."""
    (tmp_path / "image").write_bytes(ESTABLISH * 3)
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    real.chmod(0o600)
    link.symlink_to(real)

    def interrupted(*_: object, **__: object) -> Any:
        yield from [*carve(ESTABLISH * 2)]
        raise KeyboardInterrupt

    monkeypatch.setattr("msmq_wire.cli.output.forget", lambda: None)
    monkeypatch.setattr(commands, "forget", lambda: None)
    with monkeypatch.context() as patched:
        patched.setattr(commands, "carved", interrupted)
        for name in ("link", "new"):
            status, _, err = run("carve", tmp_path / "image", "--output", tmp_path / name)
            assert (status, err.strip()) == (Status.INTERRUPTED, "msmq-wire: interrupted")
    assert real.read_bytes() == b"old"
    assert {path.name for path in tmp_path.iterdir()} == {"image", "real", "link"}
    assert run("carve", tmp_path / "image", "--output", link)[0] == 0
    assert real.read_bytes() == ESTABLISH * 3
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"image", "real", "link"}


@pytest.mark.parametrize(
    ("packing", "pack"), [("gzip", gzip.compress), ("xz", lzma.compress), ("bzip2", bz2.compress)]
)
def test_carving_says_what_is_compressed(packing: str, pack: Any, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "own"
    path.write_bytes(pack(bytes(1000)))
    said = f"no packet begins in it; it is {packing} data: decompress it first"
    assert run("carve", path) == (1, "", f"msmq-wire: {path}: {said}\n")


def test_packed_pipes_and_text(
    folder: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = min(folder.iterdir()).read_bytes()
    wanted = [one.data.hex() for one in captures.read(min(folder.iterdir()))]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(data))))
    _, out, _ = run("packets", "-", "--fields", "data")
    assert sorted(row["data"] for row in rows(out)) == sorted(wanted)
    (tmp_path / "packets.hex").write_text(HEX)
    _, text, _ = run("packets", tmp_path / "packets.hex", "--fields", "data,type,file")
    assert rows(text) == [
        {"data": HEX, "type": "ConnectionParameters", "file": str(tmp_path / "packets.hex")}
    ]


_LIMITED = """
import resource, sys
from msmq_wire.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
sys.exit(main(["sessions", "-"]))
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="sizes of files have no limit there")
def test_no_room_for_a_pipe(folder: Path) -> None:
    """The temporary file is named, which standard output is not."""
    data = min(folder.iterdir()).read_bytes()
    # Without -B, Python stores the compiled modules that it imports after the limit, cut off.
    command = [sys.executable, "-B", "-c", _LIMITED]
    run = subprocess.run(command, input=data, capture_output=True, check=False)  # noqa: S603  # our own words
    assert re.fullmatch(rb"msmq-wire: .*msmq_wire-\w+.input-0: File too large\r?\n", run.stderr)
    assert (run.returncode, run.stdout) == (Status.UNREADABLE, b"")


# ------------------------------------------------------------------------------------------ hostile


def test_nothing_reaches_the_terminal(run: Run, tmp_path: Path) -> None:
    """Escapes, line breaks, right-to-left marks in labels and bodies are shown escaped."""
    hostile = "\x1b]0;owned\x07\x9b31m\u202egnp\r\n\x7f"
    message = mqmq.UserMessage()
    message = mw.replace(
        message,
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label=hostile + "\0", MessageBody=b"\x1b[2J"),
    )
    (tmp_path / "x.bin").write_bytes(mw.encode(message))
    verbs = "messages --format table", "messages", "packets", "explain", "explain --json", "validate"
    for words in verbs:
        status, out, err = run(*words.split(), tmp_path / "x.bin")
        assert status in {0, 3}, err
        assert all(char.isprintable() or char == "\n" for char in out), words
    label = rows(run("messages", tmp_path / "x.bin")[1])[0]["label"]
    assert label == hostile


def test_printable() -> None:
    assert printable("caf\u00e9 \u5728\u5eab") == "caf\u00e9 \u5728\u5eab"
    assert printable("\ud800\n\x1b\x9b\u202e") == "\\ud800\\n\\x1b\\x9b\\u202e"
    hostile = "\x7f\x1b\u202e\U000e0001"
    assert json.loads('"' + printable(hostile, in_json=True) + '"') == hostile


def test_names_that_are_no_utf_8(folder: Path, run: Run, tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9\x1b.pcap"
    try:
        Path(os.fsdecode(name)).write_bytes(next(folder.iterdir()).read_bytes())
    except OSError:
        pytest.skip("file names are UTF-8 here")
    for verb in ("packets", "sessions", "validate", "explain"):
        status, out, err = run(verb, os.fsdecode(name))
        assert status == 0, err
        assert all(char.isprintable() or char == "\n" for char in out)


def test_directories_and_what_is_missing(run: Run, tmp_path: Path, folder: Path) -> None:
    assert run("explain", folder, "--limit", "1")[0] == 0
    for verb in ("explain", "packets", "messages", "validate", "sessions"):
        status, out, err = run(verb, tmp_path / "no\x1bthing")
        assert (status, out, err) == (
            1,
            "",
            f"msmq-wire: {tmp_path}/no\\x1bthing: No such file or directory\n",
        )
    (tmp_path / "file").touch()
    status, _, err = run("tables", folder, "--output", tmp_path / "file" / "x")
    assert status == Status.UNWRITABLE
    assert err.count("\n") == 1


VERBS = (
    "explain",
    "packets",
    "messages",
    "validate",
    "sessions",
    "findings",
    "deliveries",
    "queues",
    "hosts",
)


@pytest.mark.each(5)
@pytest.mark.parametrize("verb", [*VERBS, "dependencies --purpose all"])
def test_an_input_that_cannot_be_opened(verb: str, run: Run, tmp_path: Path) -> None:
    """What is readable beside it is listed as it is alone, in any order, and one line tells of the other."""
    write_captures(tmp_path, 40, seed=11, files=1)
    capture = next((tmp_path / "captures").iterdir())
    text = tmp_path / "notes.txt"
    text.write_text("no bytes")
    wrong = tmp_path / "wrong.bin"
    wrong.write_bytes(bytes.fromhex(HEX[:32] + "01" + HEX[34:]))
    alone_status, alone, _ = run(*verb.split(), capture, wrong)
    assert alone
    for path, problem in (
        (tmp_path / "missing", "No such file or directory"),
        (tmp_path / "missing*.pcap", "there is no file"),
        (text, "not a capture, but text"),
    ):
        for files in ((path, capture, wrong), (capture, wrong, path)):
            status, out, err = run(*verb.split(), *files)
            assert out == alone
            assert status == (alone_status or 1)
            assert problem in err
            assert err.count("\n") == 1


def test_tables_need_every_input(run: Run, tmp_path: Path, folder: Path) -> None:
    status, out, err = run("tables", folder, tmp_path / "missing", "--output", tmp_path / "tables")
    assert (status, out, err) == (1, "", f"msmq-wire: {tmp_path}/missing: No such file or directory\n")
    assert not (tmp_path / "tables").exists()


def test_a_file_is_not_replaced_by_nothing(run: Run, tmp_path: Path, folder: Path) -> None:
    """Where nothing is found, what was there stays."""
    kept, junk, empty = (tmp_path / name for name in ("kept", "junk", "empty.json"))
    kept.write_text("precious")
    junk.write_bytes(bytes(300))
    empty.write_text("[]")
    for words in (
        ["carve", "--output", kept, junk],
        ["explain", "--html", kept, "--where", "size>100000000", folder],
        ["encode", "--output", kept, empty],
        ["encode", "--output", tmp_path / "new", empty],
    ):
        status, out, err = run(*words)
        assert (status, out, err.count("\n")) == (1, "", 1)
        assert kept.read_text() == "precious"
    assert {path.name for path in tmp_path.iterdir()} == {"kept", "junk", "empty.json"}


def test_a_file_on_standard_output_is_alone_there(run: Run, tmp_path: Path, folder: Path) -> None:
    tables = tmp_path / "tables"
    assert run("tables", folder, "--output", tables)[0] == 0
    for words in (["tables", folder, "--report", "-"], ["report", tables, "-"]):
        status, out, _ = run(*words)
        assert status == 0
        assert out.startswith("<!DOCTYPE html>")
        assert out.rstrip().endswith("</html>")


def test_conditions_that_nothing_meets(run: Run, tmp_path: Path) -> None:
    """What is said is true: there is something else, or nothing at all."""
    acknowledgment, unnamed, image = (tmp_path / name for name in ("told.bin", "unnamed.bin", "image"))
    fields: dict[str, Any] = {
        "SourceQueueManager": mw.GUID.of("11111111-1111-1111-1111-111111111111"),
        "MessageID": 7,
    }
    queue = "DIRECT=OS:server\\private$\\admin"
    told = mqmq.UserMessage.of(**fields, MessageClass=2, DestinationQueue=queue)
    acknowledgment.write_bytes(mw.encode(told))
    unnamed.write_bytes(mw.encode(mqmq.UserMessage.of(**fields)))
    image.write_bytes(bytes(50) + mw.encode(told)[:60])
    for words, said in (
        (
            ["dependencies", acknowledgment],
            "there are no messages with the purpose application (see --purpose)",
        ),
        (["dependencies", "--purpose", "all", "--on", "nowhere", acknowledgment], "nothing matches"),
        (["dependencies", unnamed], "there are no messages to a known queue"),
        (
            ["carve", "--confidence", "high", image],
            f"{image}: nothing of confidence high, 1 piece of a lower one",
        ),
    ):
        assert run(*words) == (1, "", f"msmq-wire: {said}\n")
    status, out, _ = run("dependencies", "--purpose", "all", "--on", "{SERVER}", acknowledgment)
    assert (status, json.loads(out)["queue"]) == (0, queue)
    assert run("dependencies", "--limit", 1 << 80, "--purpose", "all", acknowledgment)[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("validate --clock-tolerance nan", "expected a number, got nan"),
        ("validate --kind MesagePacket", "there is no structure 'MesagePacket'; did you mean MessagePacket?"),
        ("validate --kind MessagePacket", "--kind is for bytes, not for captures"),
        ("explain --json --html page", "--json and --html exclude each other"),
        (
            "explain --kind PingPacket --frame 1",
            "--kind is for bytes: it cannot be used with --frame",
        ),
        ("dependencies --on {}", "expected an address, a name or a GUID for --on, got nothing"),
        ("messages --where hops.to=1", "there is no field 'hops.to'; expected one of sensor"),
        ("messages --where UserHeader.MessageID=1", "the fields of headers are columns of msmq-wire packets"),
    ],
)
def test_options_that_mean_nothing(words: str, said: str, run: Run, tmp_path: Path) -> None:
    """One line that says so, before anything is read or written."""
    write_captures(tmp_path, 20, seed=11, files=1)
    capture = next((tmp_path / "captures").iterdir())
    status, out, err = run(*words.replace("page", str(tmp_path / "page")).split(), capture)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert not (tmp_path / "page").exists()


def test_standard_input_is_one_packet(run: Run) -> None:
    assert run("diff", "-", "-")[::2] == (
        2, "msmq-wire: only one of the packets can be standard input (see msmq-wire diff --help)\n"
    )  # fmt: skip


def test_a_limit_counts_packets(run: Run, tmp_path: Path) -> None:
    """Other bytes between them are explained and not counted."""
    packets = tmp_path / "packets.bin"
    packets.write_bytes((bytes.fromhex(HEX) + bytes(9)) * 4)
    status, out, _ = run("explain", "--json", "--limit", 3, packets)
    assert (status, out.count("\n")) == (1, 3)


def test_a_column_that_is_named_twice(run: Run, folder: Path) -> None:
    """It is there once in each format."""
    for form in ("csv", "jsonl", "table"):
        _, once, _ = run("queues", "--fields", "queue,messages", "--format", form, folder)
        assert run("queues", "--fields", "queue,messages,queue", "--format", form, folder)[1] == once


@pytest.mark.parametrize("verb", ["packets", "messages", "findings"])
def test_a_list_as_csv_or_as_a_table(run: Run, folder: Path, verb: str) -> None:
    """The rows are those of JSON lines, all columns or those that are asked for."""
    status, out, _ = run(verb, "--format", "jsonl", folder)
    rows = [json.loads(line) for line in out.splitlines()]
    assert len(rows) > 5
    assert run(verb, "--format", "auto", folder)[1] == out
    again = run(verb, "--format", "csv", folder)
    listed = [*csv.DictReader(again[1].splitlines())]
    assert again[0] == status
    assert [*listed[0]] == [name for name in captures.SCHEMAS[verb].names if name != "data"]
    assert [row["first_frame"] for row in listed] == [str(row.get("first_frame", "")) for row in rows]
    fields = ("--fields", "first_frame,src", "--limit", "3")
    heads, *lines = run(verb, "--format", "table", *fields, folder)[1].splitlines()
    assert [heads.split(), *(line.split()[0] for line in lines)] == [
        ["first_frame", "src"],
        *(row["first_frame"] for row in listed[:3]),
    ]
    assert run(verb, "--format", "csv", *fields, folder)[1].count("\n") == 4
    assert run(verb, *fields, folder)[1].count("{") == 3


def test_words_that_are_not_utf_8(run: Run, folder: Path) -> None:
    """As a shell passes a name in Latin-1; nothing in a table can be like it."""
    for words in (
        ("follow", "\udcff", folder),
        ("messages", folder, "--where", "label~\udcff"),
        ("queues", folder, "--where", "queue like \udcff%"),
    ):
        status, out, err = run(*words)
        assert (status, out) == (2, "")
        assert "expected UTF-8, got b'" in err
    assert run("tables", folder, "--output", folder.parent / "o\udcff")[0] == 1


def test_findings_that_were_not_listed_are_not_counted(run: Run, folder: Path) -> None:
    every = run("findings", folder)[1].splitlines()[-1]
    some = run("findings", "--severity", "alert", folder)[1].splitlines()[-1]
    assert re.findall(r"(\w+) \d", every) == ["info", "warning", "alert"]
    assert re.findall(r"(\w+) \d", some) == ["alert"]


def test_a_cell_is_cut() -> None:
    batch = pa.record_batch({"a": ["x" * 100, None], "b": [True, False], "c": [[1], []], "d": [b"\1", b""]})
    assert [*table_lines(80)(batch)][1] == "x" * 41 + "...  yes  [1]  01\n"
    assert [*table_lines()(batch)][1] == "x" * 100 + "  yes  [1]  01\n"


def test_without_the_extras(folder: Path) -> None:
    """One sentence with the command that installs it."""
    for package, words in (("click", ["--help"]), ("pyarrow", ["packets", str(folder)])):
        program = (
            f"import sys; sys.modules[{package!r}] = None; sys.argv[1:] = {words!r}\n"
            "from msmq_wire.cli import main; sys.exit(main())"
        )
        done = subprocess.run(  # noqa: S603  # our own interpreter
            [sys.executable, "-c", program],
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert done.returncode == Status.USAGE
        assert done.stdout == b""
        (line,) = done.stderr.splitlines()
        assert line.endswith(b"pip install 'msmq_wire[cli,captures]'")
        assert package.encode() in line


@pytest.mark.parametrize("package", ["deltalake", "duckdb", "pyiceberg"])
def test_a_format_whose_package_is_missing(
    package: str, run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The status is that of a missing extra, and the command installs the extra."""
    extra = {"deltalake": "delta", "duckdb": "duckdb", "pyiceberg": "iceberg"}[package]
    loaded = [name for name in sys.modules if name.partition(".")[0] == package]
    for name in {package, *loaded}:
        monkeypatch.setitem(sys.modules, name, None)
    status, _, err = run("tables", folder, "--output", tmp_path / "out", "--format", extra)
    assert status == Status.USAGE
    assert err.endswith(f": pip install 'msmq_wire[{extra}]'\n")


@pytest.mark.long  # pyarrow tries for some seconds
@pytest.mark.parametrize("words", [["packets"], ["tables", "--output", "OUT"]])
def test_a_file_system_that_cannot_be_reached(run: Run, tmp_path: Path, words: list[str]) -> None:
    """The error is that of the input, not of an output."""
    named = [str(tmp_path / "out") if word == "OUT" else word for word in words]
    address = "s3://key:secret@bucket/x.pcap?scheme=http&endpoint_override=127.0.0.1:1&region=x"
    status, out, err = run(*named, address)
    assert (status, out, err.count("\n")) == (Status.UNREADABLE, "", 1)
    assert re.match(r"msmq-wire: When .* bucket 'bucket': AWS Error NETWORK_CONNECTION", err)


def test_differences_after_a_packet(run: Run, tmp_path: Path) -> None:
    """Bytes behind a whole packet differ from none; a file is not compared as if they were not there."""
    status, out, err = run("diff", HEX, HEX + "ab")
    assert (status, err) == (Status.FOUND, "")
    assert [line.split() for line in out.splitlines()[1:]] == [["bytes", "from", "32", "(none)", "ab"]]
    assert run("diff", HEX + "ab", HEX + "ab") == (Status.DONE, "", "")
    assert run("diff", HEX + "ab", HEX + HEX)[0] == Status.FOUND
    cut = run("diff", HEX[:-2], HEX + "ab")[1].splitlines()
    assert [line.split("  ")[0] for line in cut[1:]] == [
        "ConnectionParameters.ConnectionParametersHeader.WindowSize",
        "bytes from 31",
        "error",
    ]
    path = tmp_path / "a.bin"
    path.write_bytes(bytes.fromhex(HEX + "ab"))
    said = f"msmq-wire: {path} has a packet and other bytes; for the packet, use {path}#1\n"
    assert run("diff", path, HEX) == (Status.USAGE, "", said)
    assert run("diff", f"{path}#1", HEX) == (Status.DONE, "", "")


def test_no_columns(run: Run, folder: Path) -> None:
    for fields in ("", ",", " , "):
        status, out, err = run("packets", folder, "--fields", fields)
        assert (status, out) == (Status.USAGE, "")
        assert err == f"msmq-wire: expected columns such as sensor, or * for all, got {fields!r}\n"


def test_only_opening_a_file_tells_whether_it_is_readable(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The permission bits say no, as those of a file on a network may; the file can be read."""
    path = tmp_path / "a.bin"
    path.write_bytes(ESTABLISH)
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    for verb in ("explain", "packets", "validate", "carve"):
        assert run(verb, path)[::2] == (Status.DONE, "")


@pytest.mark.parametrize("packed", [False, True])
def test_an_output_replaces_no_capture(run: Run, folder: Path, tmp_path: Path, *, packed: bool) -> None:
    """A page or packets never take the place of evidence, as with operands in the wrong order."""
    evidence, packets, tables = tmp_path / "evidence", tmp_path / "packets", tmp_path / "tables"
    data = min(folder.iterdir()).read_bytes()
    data = gzip.compress(data) if packed else data
    evidence.write_bytes(data)
    packets.write_bytes(ESTABLISH)
    assert run("tables", folder, "--output", tables)[0] == Status.DONE
    said = f"msmq-wire: {evidence} is a capture, or compressed: choose another file for the output\n"
    for words in (
        ("report", tables, evidence),
        ("tables", packets, "--report", evidence),
        ("explain", packets, "--html", evidence),
        ("carve", packets, "--output", evidence),
        ("encode", packets, "--output", evidence),
    ):
        assert run(*words) == (Status.USAGE, "", said)
    assert evidence.read_bytes() == data


@pytest.mark.parametrize("verb", ["explain", "validate", "packets", "findings"])
def test_what_cannot_be_read_in_files_of_packets_has_its_place(run: Run, tmp_path: Path, verb: str) -> None:
    """The file, and where the unreadable part begins in it; such a file has no frames."""
    whole, damaged = tmp_path / "whole.bin", tmp_path / "damaged.bin"
    whole.write_bytes(ESTABLISH)
    damaged.write_bytes(ESTABLISH * 2 + ESTABLISH[:-1])
    _, _, err = run(verb, whole, damaged)
    assert err.startswith(
        f"msmq-wire: {damaged}, byte {2 * len(ESTABLISH)}: expected a size of at most 35 bytes"
    )


def test_findings_of_packets_without_frames(run: Run, tmp_path: Path) -> None:
    """Packets back to back are packets, whether anything was found in them or not."""
    path, packets = tmp_path / "a.bin", load_tcp_packets().values()
    path.write_bytes(b"".join(packets))
    status, out, err = run("findings", path)
    assert (status, err) == (Status.FOUND, "")
    assert out.splitlines()[-1].startswith("packets without frames: ")
    path.write_bytes(mw.encode(mw.mqqb.SessionAck()))
    assert run("findings", path) == (0, "packets without frames: info 0, warning 0, alert 0\n", "")
    path.write_bytes(b"nothing of the kind")
    assert "packets without frames" not in run("findings", path)[1]


def test_findings_of_a_capture_without_packets(folder: Path, run: Run, tmp_path: Path) -> None:
    """Connections to the port that carry another protocol are not packets."""
    other, path = tmp_path / "other.pcap", tmp_path / "a.bin"
    client = Address(ip_address("10.0.0.1"), 50000, bytes(6))
    server = Address(ip_address("10.0.0.2"), 1801, bytes(6))
    sent = Traffic(client, server).tcp(1, 1, 0x18, b"GET / HTTP/1.1\r\n\r\n")
    head = next(folder.iterdir()).read_bytes()[:24]
    other.write_bytes(head + struct.pack("<IIII", 1, 0, len(sent), len(sent)) + sent)
    said = "msmq-wire: there are no packets; frames: other stream 1\n"
    assert run("findings", other) == (Status.UNREADABLE, "", said)
    path.write_bytes(mw.encode(mw.mqqb.SessionAck()))
    assert run("findings", other, path)[1] == "packets without frames: info 0, warning 0, alert 0\n"


@pytest.mark.parametrize(
    ("pattern", "count", "end"),
    [
        ("scan", 8, "what; 8 attempts"),
        ("forged-identity", 2, "what; 2 connections"),
        ("message-flood", 3200, "what; 3,200 messages"),
        ("replayed-message", 6, "what, 6 times"),
        ("replayed-message", 1, "what"),
    ],
)
def test_how_often_something_was_found(pattern: str, count: int, end: str) -> None:
    """A sentence about two addresses or many hosts is true once, of several connections."""
    assert evidence_of({"id": pattern, "count": count, "evidence": "what"}) == end
