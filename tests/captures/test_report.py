"""The page about captures: what it counts, what it leaves out, hostile texts, and a browser."""

from __future__ import annotations

import base64
import datetime as dt
import json
import os
import re
import struct
import subprocess
import zlib
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from support_browser import CHROMIUM, OPTIONS
from support_by_hand import Capture
from support_examples import share

import msmq_wire as mw
from msmq_wire import captures, mqmq
from msmq_wire.captures.engine import Settings, run
from msmq_wire.captures.reports import report as module
from msmq_wire.captures.reports.recurring import Recurring
from msmq_wire.captures.reports.report import TABLES, Report, needed, written
from msmq_wire.captures.reports.words import several_queues
from msmq_wire.captures.schemas import plain
from msmq_wire.cli import main
from msmq_wire.testing.captures import Faults, write_captures, write_rehearsal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

needs_browser = pytest.mark.needs("chromium|google-chrome")
HOSTILE = "</script><img src=x onerror=document.title='owned'>\x1b[2J\n\u202e\ud800&amp;\"'"


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, pa.RecordBatch]]:
    place = tmp_path_factory.mktemp("report")
    faults = msgspec.structs.replace(Faults.all(), truncate=0.03)
    write_captures(place, 400, seed=12, files=2, faults=faults)
    return [*run([str(place / "captures")], TABLES, Settings(level="practice"))]


def write_part(folder: Path, rows: pa.Table) -> None:
    """Write rows as the Spark job does, with the column `sensor` in the names of folders."""
    sensors = rows["sensor"].unique().to_pylist() if "sensor" in rows.column_names else [None]
    for sensor in sensors:
        part, place = rows, folder
        if sensor is not None:
            part = rows.filter(pc.equal(rows["sensor"], sensor)).drop_columns("sensor")
            place = folder / "date=2026-01-01" / f"sensor={quote(sensor, safe='')}"
        place.mkdir(parents=True)
        pq.write_table(part, place / "part-00000.parquet")


def mark(output: Path, number: int) -> None:
    """Make an increment valid."""
    row = pa.table({"id": [f"run {number}"], "state": ["complete"]})
    write_part(output / "run" / f"batch={number}", row)


def rows_of(batches: Iterable[tuple[str, pa.RecordBatch]]) -> Counter[str]:
    """Rows of the tables of a report, with the columns that it needs."""
    return Counter(
        f"{name} {sorted(row.items())}"
        for name, batch in batches
        for row in batch.select(needed(name, batch.schema.names)).to_pylist()
    )


def test_a_report_of_increments(batches: list[tuple[str, pa.RecordBatch]], tmp_path: Path) -> None:
    """It has final rows, and those that are open in the last increment; none of one that is not complete."""
    for name in TABLES:
        rows = pa.Table.from_batches(
            [batch for table, batch in batches if table == name], plain(captures.SCHEMAS[name])
        )
        half = rows.num_rows // 2
        parts = {"1/open=0": rows[:half], "1/open=1": rows[half:], "2/open=1": rows[half:], "3/open=0": rows}
        for place, part in parts.items():
            write_part(tmp_path / name / f"batch={place}", part)
    for number in (1, 2):
        mark(tmp_path, number)
    expected = rows_of(batches)
    assert expected.total() > 500
    assert rows_of(written(tmp_path, captures.SCHEMAS)) == expected
    for numbers in ((3,), (4, 5)):  # are added meanwhile; rows of the increment before the last are kept
        reading = written(tmp_path, captures.SCHEMAS)
        next(reading)
        for number in numbers:
            mark(tmp_path, number)
        if len(numbers) == 1:
            assert [*reading]
            continue
        with pytest.raises(mw.MsmqWireError, match="was written while it was read"):
            list(reading)


SIDE = {
    "messages": 0,
    "tally": dict.fromkeys(
        (
            "packets",
            "express",
            "recoverable",
            "transactional",
            "order_acks",
            "final_acks",
            "session_acks",
            "gaps",
        ),
        0,
    ),
}


def gathered(batches: list[tuple[str, pa.RecordBatch]], times: int = 1) -> Report:
    report = Report()
    for _ in range(times):
        for table, batch in batches:
            report.add(table, batch)
    return report


@pytest.fixture(scope="module")
def page(batches: list[tuple[str, pa.RecordBatch]]) -> str:
    return gathered(batches).page("MSMQ <everywhere>")


def part(page: str, name: str) -> str:
    found = re.search(rf'<script type="[a-z/]+" id="{name}">([^<]*)</script>', page)
    assert found
    return found[1]


def facts_of(page: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(part(page, "facts"))))
    return found


def texts_of(page: str) -> list[str]:
    lines = zlib.decompress(base64.b64decode(part(page, "explained"))).decode().splitlines()
    tails: list[str] = []
    following: dict[int, tuple[str, int]] = {}
    texts = []
    for line in lines:
        before, text = -1, []
        start, field, value, *items = json.loads(line)
        at, digits = 0, (start - 3) // 2
        for item in items:
            head, tail = following.get(before, ("", -1))
            if isinstance(item, str):
                head = item
            elif item:
                head, tail = item
                if isinstance(tail, str):
                    tails.append(tail)
                    tail = len(tails) - 1
            following[before] = head, tail
            before = tail
            name, _, rest = tails[tail].partition("\t")
            place, _, octets = head.partition("\t")
            if re.fullmatch(r"-?\d+", place):
                at += int(place)
                place = f"{at:0{digits}x} {at:>{digits}}"
            text.append(
                (place.ljust(start) + octets.ljust(field - start) + name.ljust(value - field) + rest).rstrip()
            )
        texts.append("\n".join(text))
    return texts


def test_what_it_says_is_what_the_tables_say(batches: list[tuple[str, pa.RecordBatch]], page: str) -> None:
    tables = {
        name: pa.Table.from_batches([batch for table, batch in batches if table == name]).to_pylist()
        for name in {table for table, _ in batches}
    }
    facts = facts_of(page)
    assert facts["rows"] == {name: len(tables[name]) for name in TABLES}
    assert sum(count for _, _, count in facts["times"]) == len(tables["packets"])
    assert sum(pair[2] for pair in facts["pairs"]) == len(tables["packets"])
    assert sum(pair[3] for pair in facts["pairs"]) == len(tables["messages"])
    queues = [row["destinations"] or [row["destination"]] for row in tables["messages"]]
    directed = [name for names in queues for name in names if name]
    assert sum(count for _, count in facts["queues"]) == len(directed)
    assert facts["undirected"] == queues.count([None])
    assert sum(row[3] for row in facts["violations"]) == len(tables["violations"])
    assert {(row[0], row[1]) for row in facts["violations"]} == {
        (row["level"], row["requirement"]) for row in tables["violations"]
    }
    assert len(facts["packets"]) == len(tables["packets"])
    assert len(facts["sessions"]) == len(tables["sessions"])
    assert sum(row[2] for row in facts["quarantine"]) == len(tables["quarantine"])
    assert sum(row[1] for row in facts["frames"]) == sum(row["frames"] for row in tables["frames"])
    order = json.loads(part(page, "order"))
    texts = texts_of(page)
    assert len(order) == len(texts)
    by_place = {(row["file"], row["first_frame"], row["size"]): row["data"] for row in tables["packets"]}
    for at, text in zip(order, texts, strict=True):
        row = facts["packets"][at]
        data = by_place[facts["files"][row[5]], row[6], row[4]]
        assert len(text) > 100
        if sum(1 for one in tables["packets"] if one["first_frame"] == row[6]) == 1:
            assert text == mw.explain(data)
    unreadable = [row for row in tables["packets"] if row["partial"]]
    assert facts["unreadable"] == len(unreadable) > 0
    assert Counter(row[12] for row in facts["packets"] if row[12]) == Counter(
        row["error"] for row in unreadable
    )


@pytest.mark.long
def test_many_packets(batches: list[tuple[str, pa.RecordBatch]]) -> None:
    """The page stays below a megabyte, counts all, and says what it lists."""
    packets = sum(batch.num_rows for table, batch in batches if table == "packets")
    times = share(400_000) // packets + 1
    report = gathered(batches, times)
    page = report.page("Many")
    assert len(page.encode()) < 1_000_000
    facts = facts_of(page)
    assert facts["rows"]["packets"] == packets * times
    assert sum(count for _, _, count in facts["times"]) == packets * times
    assert 1000 <= len(facts["packets"]) <= 4000
    assert len(texts_of(page)) > 0.9 * len(facts["packets"])


def test_a_page_without_room_explains_each_kind_first(
    batches: list[tuple[str, pa.RecordBatch]], page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then packets of findings, then those with violations, then as many others as fit."""
    monkeypatch.setattr(module, "PAGE", len(page) - len(part(page, "explained")) // 3)
    smaller = gathered(batches).page("MSMQ <everywhere>")
    facts = facts_of(smaller)
    order = json.loads(part(smaller, "order"))
    chosen = [facts["packets"][at] for at in order]
    found = {row[-1] for finding in facts["findings"] for row in finding[-1]} - {-1}
    assert found <= {*order}

    def kind(row: list[Any]) -> tuple[Any, ...]:
        return row[3], row[9], row[10], bool(row[11]), row[12] is None

    kinds = {kind(row) for row in facts["packets"]}
    first = chosen[: len(kinds)]
    assert len({kind(row) for row in first}) == len(first) > 20
    for some in (order[: len(kinds)], order[len(kinds) :]):
        others = [facts["packets"][at] for at in some if at not in found]
        violating = [bool(row[11]) or row[12] is not None for row in others]
        assert violating == sorted(violating, reverse=True)
    assert len(chosen) < len(facts["packets"])
    assert len(smaller) < module.PAGE + 20_000


@pytest.mark.long
def test_explanations_are_short(batches: list[tuple[str, pa.RecordBatch]]) -> None:
    """They differ from others in little, so that a page has room for thousands."""
    recurring = Recurring()
    data = [raw for table, batch in batches if table == "packets" for raw in batch["data"].to_pylist()]
    texts = [mw.explain(one) for one in data]
    lines = "\n".join(map(recurring.encoded, texts)).encode()
    assert len(zlib.compress(lines, 9)) < len(zlib.compress("\n".join(texts).encode(), 9)) / 2


@pytest.mark.long
def test_explanations_take_what_the_rest_of_the_page_leaves(
    batches: list[tuple[str, pa.RecordBatch]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their bytes are three quarters of their text in the page."""
    rooms: list[int] = []

    def nothing(_: Any, room: int) -> tuple[bytes, int]:
        rooms.append(room)
        return b"", 0

    monkeypatch.setattr(module, "pack_explanations", nothing)
    report = gathered(batches)
    rest = len(report.page(""))
    for more in (4000, 40_000):
        monkeypatch.setattr(module, "PAGE", rest + more)
        report.page("")
        assert more * 3 // 4 - 50 < rooms[-1] <= more * 3 // 4  # the words that are replaced take some
    monkeypatch.setattr(module, "PAGE", rest // 2)
    report.page("")
    assert rooms[-1] == 0


def test_rows_are_thinned_evenly() -> None:
    thinned = module.Thinned(10)
    for start in range(0, 1000, 7):
        count = min(7, 1000 - start)
        thinned.keep({"at": start + at} for at in thinned.wanted(count))
    kept = [row["at"] for row in thinned.rows]
    assert thinned.total == 1000
    assert 5 <= len(kept) <= 10
    assert len({after - before for before, after in pairwise(kept)}) == 1


@pytest.mark.parametrize(("count", "kept"), [(10, 10), (11, 6)])
def test_rows_are_thinned_only_if_there_are_too_many(count: int, kept: int) -> None:
    thinned = module.Thinned(10)
    thinned.keep({"at": at} for at in thinned.wanted(count))
    assert len(thinned.rows) == kept


def test_times_far_apart() -> None:
    times = module.Times()
    for at in (0, 10**15, 5 * 10**14):
        times.add(pa.array([at, None], pa.timestamp("us", tz="UTC")), pa.array(["A", "B"]))
    assert sum(times.counts.values()) == 3
    places = [at for at, _ in times.counts]
    assert max(places) - min(places) < module.BUCKETS


@pytest.mark.long
def test_lists_are_bounded_and_counts_are_complete(
    batches: list[tuple[str, pa.RecordBatch]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has no room is counted: further pairs together, further queues by number."""
    whole = facts_of(gathered(batches).page("All"))
    bounds = {"MESSAGES": 20, "OTHERS": 10, "SESSIONS": 5, "GAPS": 1, "PAIRS": 3, "KEYS": 6}
    for name, most in bounds.items():
        monkeypatch.setattr(module, name, most)
    facts = facts_of(gathered(batches).page("All"))
    for name in ("rows", "bytes", "counts", "outcomes", "undirected", "frames", "times"):
        assert facts[name] == whole[name]
    for name, most in (("sessions", 5), ("gaps", 1), ("packets", 30)):
        assert most / 2 <= len(facts[name]) <= most < len(whole[name])
    assert (len(facts["pairs"]), facts["morePairs"]) == (3, 4)  # the six first and the others
    assert tuple(facts["pairs"][0][:2]) == ("(others)", "(others)")
    named = [pair for pair in facts["pairs"] if pair[0] != "(others)"]
    assert named == [pair for pair in whole["pairs"] if pair[:2] in [one[:2] for one in named]]
    assert (len(facts["queues"]), facts["moreQueues"]) == (3, 4)
    monkeypatch.setattr(module, "PAIRS", 1)
    causes = facts_of(gathered(batches).page("All"))["quarantine"]
    assert [row[:2] for row in causes] == [whole["quarantine"][0][:2], ["(others)", "(others)"]]
    assert sum(row[2] for row in causes) == sum(row[2] for row in whole["quarantine"])
    assert sum(row[3] for row in facts["violations"]) == sum(row[3] for row in whole["violations"])


def test_large_packets_are_listed_but_not_explained(tmp_path: Path) -> None:
    bodies = [b"", bytes(40_000), bytes(80_000)]
    messages = [
        mw.encode(mqmq.UserMessage(MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=body)))
        for body in bodies
    ]
    (tmp_path / "a.bin").write_bytes(b"".join(messages))
    report = Report()
    for table, batch in run([str(tmp_path)], TABLES):
        report.add(table, batch)
    page = report.page("Sizes")
    assert [row[4] for row in facts_of(page)["packets"]] == [*map(len, messages)]
    assert sorted(json.loads(part(page, "order"))) == [0, 1]


def dependency(sender: str, queue: str, messages: int, states: dict[str, int]) -> dict[str, Any]:
    return {
        "queue": queue, "purpose": "application", "host": None, "queue_manager": sender,
        "messages": messages, "bytes": 100 * messages, "states": [*states.items()],
    }  # fmt: skip


def test_packets_of_findings_stay(
    batches: list[tuple[str, pa.RecordBatch]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If findings are known before packets, as tables are read, each listed one leads to its packet."""
    monkeypatch.setattr(module, "MESSAGES", 4)
    monkeypatch.setattr(module, "OTHERS", 4)
    packets = [batch for name, batch in batches if name == "packets"]
    keys = [{name: row[name] for name in module.KEY} for batch in packets for row in batch.to_pylist()]
    names = captures.SCHEMAS["findings"]
    finding: dict[str, Any] = {
        **dict.fromkeys(names.names),
        "id": "executable-body",
        "count": 1,
        "references": [],
    }
    rows = [{**finding, **key} for key in keys[5:60:5]]
    report = Report()
    report.add("findings", pa.RecordBatch.from_pylist(rows, schema=plain(names)))
    for batch in packets:
        report.add("packets", batch)
    page = report.page("Found")
    facts = facts_of(page)
    ((*_, found),) = facts["findings"]
    places = {row[-1] for row in found}
    assert min(places) >= 0
    assert len(places) == len(rows)
    assert len(facts["packets"]) <= len(rows) + 8
    order = json.loads(part(page, "order"))
    assert places <= {*order}


def paged(tmp_path: Path) -> dict[str, dict[str, Any]]:
    """Facts of the page that is made from captures, and of the page from their tables."""
    write_captures(tmp_path, 400, seed=14, files=2, faults=Faults.all())
    inputs, tables = str(tmp_path / "captures"), str(tmp_path / "tables")
    alone, beside, after = (str(tmp_path / f"{name}.html") for name in ("alone", "beside", "after"))
    assert main(["tables", inputs, "--report", alone, "--level", "must"]) == 0
    assert main(["tables", inputs, "--report", beside, "--output", tables, "--level", "must"]) == 0
    assert main(["report", tables, after]) == 0
    return {page: facts_of((tmp_path / f"{page}.html").read_text()) for page in ("alone", "beside", "after")}


@pytest.mark.long
def test_packets_to_which_a_page_leads_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a page is made, and however many packets it leaves out."""
    for name, most in {"MESSAGES": 4, "OTHERS": 4, "FATES": 40}.items():
        monkeypatch.setattr(module, name, most)
    pages = paged(tmp_path)
    assert pages["alone"] == pages["beside"] == pages["after"]
    facts = pages["alone"]
    packets = pq.read_table(tmp_path / "tables" / "packets", columns=["file", "first_frame"]).to_pylist()
    places = {(row["file"], row["first_frame"]) for row in packets}
    leads = [
        *(row[-4:] for row in facts["violations"]),
        # A segment that contradicts another one leads to the packet with the other bytes.
        *(row for finding in facts["findings"] if finding[0] != "segment-conflict" for row in finding[-1]),
        *facts["undelivered"],
    ]
    at_packets = [row for row in leads if (row[-3], row[-2]) in places]
    assert len(at_packets) > 40
    assert all(facts["findings"])
    for *_, file, frame, at in at_packets:
        assert (facts["files"][facts["packets"][at][5]], facts["packets"][at][6]) == (file, frame)
        assert at >= 0
    assert len(facts["packets"]) < len(packets) / 2


def test_what_became_of_messages(batches: list[tuple[str, pa.RecordBatch]], page: str) -> None:
    """As `deliveries` has it; those that did not arrive are listed, the worst first."""
    rows = pa.Table.from_batches([batch for name, batch in batches if name == "deliveries"]).to_pylist()
    facts = facts_of(page)
    counts = Counter((row["state"], row["purpose"] == "application") for row in rows)
    assert [(row[0], row[2], row[3]) for row in facts["fates"]] == [
        (state, counts[state, True], counts[state, False])
        for state in ("refused", "received", "expired", "reached", "accepted", "unknown", "sent")
    ]
    listed = [row for row in rows if row["state"] in {"refused", "expired", "unknown", "sent"}]
    assert Counter((row[1], row[2], row[6]) for row in facts["undelivered"]) == Counter(
        (row["state"], row["message"], row["why"]) for row in listed
    )
    assert [*dict.fromkeys(row[1] for row in facts["undelivered"])] == [
        "refused",
        "expired",
        "unknown",
        "sent",
    ]


def delivery(at_: float, state: str, purpose: str | None = "application", **more: Any) -> dict[str, Any]:
    return {
        "message": f"{state}\\{at_}", "state": state, "purpose": purpose, "why": "Why.", "proof": [],
        "reads": [], "first_at": at(at_), **more,
    }  # fmt: skip


def test_rows_of_messages_that_did_not_arrive() -> None:
    proof = {"what": "message", "flow": "f", "offset": 5, "file": "a", "first_frame": 7, "time": at(9)}
    facts = facts_about(
        packets=[packet(offset=5)],
        deliveries=[
            delivery(3, "sent", destination="q", label="l", proof=[proof, {**proof, "offset": 9}]),
            delivery(2, "unknown", None, first_at=None, last_at=at(4), destinations=["q", "r"]),
            delivery(1, "unknown", reads=[{**proof, "offset": 6, "by": "x"}]),
            delivery(2, "refused", "system"),
            delivery(2, "accepted"),
        ],
    )
    assert facts["undelivered"] == [
        [2_000_000, "refused", "refused\\2", "system", "", None, "Why.", None, None, -1],
        [4_000_000, "unknown", "unknown\\2", None, "q, r", None, "Why.", None, None, -1],
        [9_000_000, "unknown", "unknown\\1", "application", "", None, "Why.", "a", 7, -1],
        [9_000_000, "sent", "sent\\3", "application", "q", "l", "Why.", "a", 7, 0],
    ]
    assert [row[2:] for row in facts["fates"] if any(row[2:])] == [[0, 1], [1, 0], [1, 1], [1, 0]]


def test_messages_that_did_not_arrive_are_thinned_by_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few of one state stay among many of another; of those that are for applications, more stay."""
    monkeypatch.setattr(module, "FATES", 40)
    rows = [delivery(at_, "sent", purpose) for at_ in range(500) for purpose in ("application", "system")]
    facts = facts_about(deliveries=[*rows, *(delivery(at_, "expired") for at_ in range(3))])
    listed = Counter((row[1], row[3]) for row in facts["undelivered"])
    assert 20 <= listed["sent", "application"] <= 40
    assert 5 <= listed["sent", "system"] <= 10
    assert listed["expired", "application"] == 3
    assert [row[2:] for row in facts["fates"] if any(row[2:])] == [[3, 0], [500, 500]]


def test_dependencies_are_edges() -> None:
    """Only messages of applications; a sender has the name of its machine, whichever table comes first."""
    rows = [dependency("a", "q", 3, {"sent": 2, "refused": 1}), dependency("b", "q", 5, {"reached": 5})]
    rows.append({**dependency("a", "admin", 9, {"sent": 9}), "purpose": "acknowledgment"})
    report = Report()
    for table, listed in (("dependencies", rows), ("hosts", [{"queue_manager": "b", "machine": "server"}])):
        schema = captures.SCHEMAS[table]
        full = [{**dict.fromkeys(schema.names), **row} for row in listed]
        report.add(table, pa.RecordBatch.from_pylist(full, schema=plain(schema)))
    facts = facts_of(report.page("Edges"))
    assert facts["edges"] == [["server", "q", 5, 500, 0], ["a", "q", 3, 300, 1]]
    assert facts["moreEdges"] == 0


def test_many_dependencies_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEYS", 5)
    monkeypatch.setattr(module, "EDGES", 3)
    schema = captures.SCHEMAS["dependencies"]
    rows = [
        {**dict.fromkeys(schema.names), **dependency("a", f"q{at}", at, {"sent": at})} for at in range(1, 30)
    ]
    for count in (29, 7, 10):
        report, batch = Report(), pa.RecordBatch.from_pylist(rows, schema=plain(schema))
        for start in range(0, 29, count):
            report.add("dependencies", batch.slice(start, count))
        facts = facts_of(report.page("Many"))
        assert [edge[1] for edge in facts["edges"]] == ["q29", "q28", "q27"]
        assert (facts["moreEdges"], facts["moreEdgeQueues"]) == (26, 26)


def test_each_queue_keeps_its_heaviest_dependency(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others stay if there is room; the page counts what it leaves out, and queues of which nothing stays."""
    monkeypatch.setattr(module, "EDGES", 4)
    rows = [dependency(f"a{at}", f"q{at % 3}", 90 - at, {"sent": 90 - at}) for at in range(9)]
    rows += [dependency("b", f"few{at}", at, {"sent": at}) for at in (1, 2)]
    facts = facts_about(dependencies=rows)
    assert [edge[1:3] for edge in facts["edges"]] == [["q0", 90], ["q1", 89], ["q2", 88], ["few2", 2]]
    assert (facts["moreEdges"], facts["moreEdgeQueues"]) == (7, 1)
    monkeypatch.setattr(module, "EDGES", 6)
    facts = facts_about(dependencies=rows)
    assert [edge[2] for edge in facts["edges"]] == [90, 89, 88, 87, 2, 1]
    assert (facts["moreEdges"], facts["moreEdgeQueues"]) == (5, 0)


def test_many_dependencies_are_thinned_by_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while rows still come: the rows of a busy queue do not displace the only one of another."""
    monkeypatch.setattr(module, "KEYS", 5)
    rows = [dependency(f"a{at}", "busy", 9, {"sent": 9}) for at in range(20)]
    facts = facts_about(dependencies=[*rows, dependency("b", "quiet", 1, {"sent": 1})])
    assert [edge[1] for edge in facts["edges"]] == ["busy"] * 4 + ["quiet"]
    assert facts["moreEdges"] == 16


@pytest.mark.parametrize(
    ("queues", "shown"),
    [([], ""), (["a"], "a"), (["a", "b", "c"], "a, b, c"), (["a", "b", "c", "d", "e"], "a, b, c and 2 more")],
)
def test_the_destinations_of_a_message(queues: list[str], shown: str) -> None:
    assert several_queues(queues) == shown


@pytest.mark.parametrize(("length", "shown"), [(320, 320), (321, 323)])
def test_long_texts_are_cut(length: int, shown: int) -> None:
    """Wherever they are."""
    (text,) = module.clean({"names": ({"name": "x" * length},)})["names"][0].values()
    assert len(text) == shown
    assert text.endswith("...") is (shown > 320)


END = {"sensor": "s", "flow": "f"}


def test_packets_in_the_order_in_which_they_are_explained() -> None:
    """Violating ones, then messages, then others; each spread over time, not from the first on."""
    rows = [
        {**END, "offset": at, "type": "UserMessage" if at % 2 else "SessionAck", "partial": False}
        for at in range(8)
    ]
    order = sorted(range(8), key=lambda at: module.interest(rows[at], Counter({("s", "f", 6): 1}), at))
    assert order[0] == 6
    assert [at % 2 for at in order[1:]] == [1, 1, 1, 1, 0, 0, 0]
    assert order[1:5] == [1, 5, 3, 7]


def test_nothing_at_all() -> None:
    facts = facts_of(Report().page("Nothing"))
    assert facts["packets"] == []


def row_of(table: str, **values: Any) -> dict[str, Any]:
    """A row of a table; what is not given is null."""
    return {**dict.fromkeys(captures.SCHEMAS[table].names), **values}


def facts_about(**tables: list[dict[str, Any]]) -> dict[str, Any]:
    """The facts of a page about some rows."""
    report = Report()
    for table, rows in tables.items():
        full = [row_of(table, **row) for row in rows]
        report.add(table, pa.RecordBatch.from_pylist(full, schema=plain(captures.SCHEMAS[table])))
    return facts_of(report.page("Some"))


def at(seconds: float) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, dt.UTC)


def packet(**more: Any) -> dict[str, Any]:
    return {"partial": False, "type": "SessionAck", "flow": "f", "offset": 0, "size": 100, **more}


ENDS = {"src": "10.0.0.1", "src_port": 5000, "dst": "10.0.0.2", "dst_port": 1801}


def test_rows_of_packets_and_their_messages() -> None:
    """Each list of the page names its columns by their place, so that places matter."""
    facts = facts_about(
        packets=[
            packet(type="UserMessage", size=400, time=at(2), file="b", first_frame=7, **ENDS),
            packet(offset=400, size=40, time=at(1), file="a", first_frame=9, **ENDS),
            packet(flow="g", offset=5, size=30),
            packet(flow="g", offset=9, size=1, partial=True, error="cut"),
            packet(flow="g", offset=35, size=20),
        ],
        messages=[
            {"flow": "f", "offset": 0, "label": "l", "destination": "q", "message_class": "Normal",
             "body_form": "text", **ENDS},
            {"flow": "f", "offset": 1, "destinations": ["q", "r"]},
            {"flow": "f", "offset": 2},
        ],
        violations=[
            {"level": "must", "requirement": "MQMQ-2.2.19.1-01", "flow": "f", "offset": 0, "message": "m",
             "file": "b", "first_frame": 7},
            {"level": "must", "requirement": "MQMQ-2.2.19.1-01", "flow": "f", "offset": 0, "message": "n"},
            {"level": "practice", "requirement": "MQQB-2.2.4-05", "flow": "h", "offset": 0, "message": "o"},
        ],
    )  # fmt: skip
    assert facts["files"] == ["", "a", "b"]
    assert (facts["kinds"], facts["counts"]) == (["SessionAck", "UserMessage"], [4, 1])
    assert facts["unreadable"] == 1
    first, second = "10.0.0.1:5000", "10.0.0.2:1801"
    nothing = [None, None, None, None, 0, None]
    assert facts["packets"] == [
        [None, "", "", 0, 30, 0, None, *nothing],
        [None, "", "", 0, 1, 0, None, *nothing[:5], "cut"],
        [None, "", "", 0, 20, 0, None, *nothing],
        [1_000_000, first, second, 0, 40, 1, 9, *nothing],
        [2_000_000, first, second, 1, 400, 2, 7, "q", "l", "Normal", "text", 2, None],
    ]
    assert facts["pairs"] == [["(file)", "(file)", 3, 2, 51], ["10.0.0.1", "10.0.0.2", 2, 1, 440]]
    assert facts["morePairs"] == facts["moreQueues"] == 0
    assert facts["queues"] == [["q", 2], ["r", 1]]
    assert facts["undirected"] == 1
    assert facts["violations"] == [
        ["must", "MQMQ-2.2.19.1-01", "[MS-MQMQ] 2.2.19.1", 2, "m", "b", 7, 4],
        ["practice", "MQQB-2.2.4-05", "[MS-MQQB] 2.2.4", 1, "o", None, None, -1],
    ]
    assert facts["bytes"]["packets"] == 491
    assert facts["rows"]["packets"] == 5
    assert facts["step"] == 1 << 11  # microseconds: 600 steps reach over a second
    assert facts["start"] == 1_000_000 >> 11 << 11
    assert sum(count for _, _, count in facts["times"]) == 2


def test_a_packet_at_two_sensors() -> None:
    """Each has its message, and a list leads to the one at its own sensor."""
    ends = [{"sensor": name, "flow": "f", "offset": 0, "file": f"{name}.pcap"} for name in ("a", "b")]
    proof = {"what": "message", **ends[0]}
    facts = facts_about(
        deliveries=[delivery(1, "sent", proof=[proof])],
        violations=[{"level": "must", "requirement": "MQMQ-2.2.19.1-01", **ends[1]}],
        packets=[packet(type="UserMessage", time=at(1), **one) for one in ends],
        messages=[{**one, "label": f"at {one['sensor']}"} for one in ends],
    )
    assert [(facts["files"][row[5]], row[8], row[11]) for row in facts["packets"]] == [
        ("a.pcap", "at a", 0),
        ("b.pcap", "at b", 1),
    ]
    assert (facts["undelivered"][0][-1], facts["violations"][0][-1]) == (0, 1)


def test_packets_of_a_time_are_in_the_order_of_their_files_frames_and_offsets() -> None:
    where = [("a", 1, 0), ("a", 1, 9), ("a", 2, 0), ("b", 1, 5)]
    rows = [
        packet(flow=f"{number}", offset=offset, size=number, time=at(1), file=file, first_frame=frame)
        for number, (file, frame, offset) in enumerate(where)
    ]
    assert [row[4] for row in facts_about(packets=rows[::-1])["packets"]] == [0, 1, 2, 3]


def test_packets_without_a_time_or_a_frame_come_first() -> None:
    """Without a time as in 1970, and without a frame before the first one of their file."""
    rows = [
        packet(offset=0, size=1, time=at(-1e-6), file="d"),
        packet(offset=1, size=2, file="a"),
        packet(offset=2, size=3, time=at(0), file="b"),
        packet(offset=3, size=4, time=at(1e-6), file="a"),
        packet(offset=9, size=5, time=at(1), file="a"),
        packet(offset=4, size=6, time=at(1), file="a", first_frame=1),
    ]
    assert [row[4] for row in facts_about(packets=rows[::-1])["packets"]] == [1, 2, 3, 4, 5, 6]


def test_pairs_in_the_order_of_their_packets() -> None:
    """The most first; of equal ones by name, whatever messages and bytes they have."""
    ends = [("b", "x"), ("a", "y"), ("a", "x"), ("c", "x"), ("c", "x")]
    packets = [packet(src=src, dst=dst, size=9 - number) for number, (src, dst) in enumerate(ends)]
    found = facts_about(packets=packets, messages=[{"src": "b", "dst": "x"}])["pairs"]
    assert found == [
        ["c", "x", 2, 0, 11], ["a", "x", 1, 0, 7], ["a", "y", 1, 0, 8], ["b", "x", 1, 1, 9]
    ]  # fmt: skip


def test_rows_of_gaps_frames_and_quarantine() -> None:
    gap = {"flow": "f", "offset": 3, "size": 4, "time": at(1), "file": "a", "first_frame": 5}
    rows = [
        {"kind": "gap", "cause": "c", "places": 1, "size": 10, "file": "a", "first_frame": 2, "error": "e"},
        {"kind": "gap", "cause": "c", "places": 3, "file": "b", "first_frame": 3, "error": "x"},
        {"kind": "gap", "cause": "d", "places": 1, "size": 1},
    ]
    frames = [
        {"reason": "read", "frames": 2, "bytes": 100},
        {"reason": "read", "frames": 3, "bytes": 20},
        {"reason": "no IP", "frames": 1, "bytes": 9},
    ]
    assert facts_about(quarantine=rows[1:2])["bytes"]["quarantine"] == 0  # of unknown size
    facts = facts_about(gaps=[gap], quarantine=rows, frames=frames)
    assert facts["gaps"] == [["f", 3, 4, 1_000_000, "a", 5]]
    assert facts["quarantine"] == [
        ["gap", "c", 4, 10, "a", 2, "e"],
        ["gap", "d", 1, 1, None, None, None],
    ]
    assert facts["frames"] == [["read", 5, 120], ["no IP", 1, 9]]
    assert facts["bytes"]["gaps"] == 4
    assert facts["bytes"]["quarantine"] == 11


def test_sessions_are_in_the_order_of_time_and_those_without_come_last() -> None:
    sides = {"forward": SIDE, "backward": SIDE, "outcome": "open", "acceptor": "b"}
    starts = {"none": None, "late": at(5), "early": at(2)}
    rows = [{"opener": name, "first_at": start, **sides} for name, start in starts.items()]
    facts = facts_about(sessions=rows)
    assert [row[:5] for row in facts["sessions"]] == [
        [2_000_000, "early", "b", "open", "no packet was captured"],
        [5_000_000, "late", "b", "open", "no packet was captured"],
        [None, "none", "b", "open", "no packet was captured"],
    ]
    assert facts["outcomes"] == [["open", 3]]


@pytest.mark.parametrize(
    ("table", "most", "same"),
    [("gaps", 300, {}), ("sessions", 1500, {"outcome": "open", "forward": SIDE, "backward": SIDE})],
)
def test_how_many_gaps_and_sessions_a_page_lists(table: str, most: int, same: dict[str, Any]) -> None:
    """Of one more than it lists, it lists each second."""
    for count, listed in ((most, most), (most + 1, most // 2 + 1)):
        rows = [{"opener": "a", "acceptor": "b", **same}] if table == "sessions" else [{"size": 1}]
        assert len(facts_about(**{table: rows * count})[table]) == listed


@pytest.mark.parametrize(("kind", "most"), [("UserMessage", 3000), ("SessionAck", 1000)])
def test_how_many_packets_a_page_lists(kind: str, most: int) -> None:
    for count, listed in ((most, most), (most + 1, most // 2 + 1)):
        facts = facts_about(packets=[packet(type=kind, offset=at) for at in range(count)])
        assert (len(facts["packets"]), facts["counts"]) == (listed, [count])


def test_how_many_pairs_queues_and_causes_a_page_lists() -> None:
    names = [f"{at:03}" for at in range(201)]
    facts = facts_about(
        packets=[packet(src=name) for name in names],
        messages=[{"destination": name, "src": name} for name in names],
        quarantine=[{"kind": "frame", "cause": name, "places": 1, "size": 1} for name in names],
    )
    assert (len(facts["pairs"]), facts["morePairs"]) == (200, 1)
    assert (len(facts["queues"]), facts["moreQueues"]) == (200, 1)
    assert len(facts["quarantine"]) == 201
    assert facts["quarantine"][-1][:2] == ["(others)", "(others)"]


@pytest.mark.long
def test_how_many_pairs_and_queues_are_counted_one_by_one() -> None:
    """Twenty thousand."""
    report = Report()
    pairs = [report.pair_row(f"{at}", None) for at in range(20_001)]
    assert len(report.pair_rows) == 20_001
    assert report.pair_row("(others)", "(others)") is pairs[-1]
    assert report.pair_row("7", None) is pairs[7]
    rows = [{"destination": f"{at}"} for at in (*range(20_001), 20_001, 7)]
    facts = facts_about(messages=rows)
    assert facts["queues"][:2] == [["7", 2], ["(others)", 2]]
    assert facts["moreQueues"] == 20_001 - 200
    others = [{"level": "must", "requirement": "MQMQ-1-1", "flow": "f", "offset": at} for at in range(20_001)]
    packets = [packet(offset=at) for at in (19_999, 20_000)]
    facts = facts_about(packets=packets, violations=others)
    assert [row[11] for row in facts["packets"]] == [1, 0]
    assert facts["violations"][0][3] == 20_001


def test_a_time_has_as_many_steps_as_the_page_can_show() -> None:
    """Six hundred; one step more doubles each."""
    for last, step in ((599, 1 << 10), (600, 1 << 11)):
        facts = facts_about(packets=[packet(time=at(0)), packet(time=at(last * 1024e-6))])
        assert facts["step"] == step
        assert facts["start"] == 0


@pytest.mark.parametrize(("size", "shown"), [(1 << 16, [0]), ((1 << 16) + 1, [])])
def test_a_packet_of_64_kibibytes_is_explained_and_none_larger(size: int, shown: list[int]) -> None:
    report = Report()
    row = row_of("packets", **packet(size=size, data=bytes(20)))
    report.add("packets", pa.RecordBatch.from_pylist([row], schema=plain(captures.SCHEMAS["packets"])))
    assert json.loads(part(report.page("One"), "order")) == shown


def test_what_a_table_that_no_page_needs_adds() -> None:
    """Its rows are counted, no more; batches without rows say nothing."""
    report = Report()
    report.add("balance", pa.RecordBatch.from_pydict({"size": [1]}))
    report.add("gaps", pa.RecordBatch.from_pylist([], schema=plain(captures.SCHEMAS["gaps"])))
    facts = facts_of(report.page("Else"))
    assert facts["rows"] == dict.fromkeys(TABLES, 0)
    assert (facts["start"], facts["step"], facts["times"]) == (0, 1024, [])


@pytest.mark.long
def test_what_was_kept_of_packets_that_are_no_longer_listed_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a report does not grow with the capture; messages come to listed packets still."""
    monkeypatch.setattr(module, "MESSAGES", 2)
    monkeypatch.setattr(module, "OTHERS", 1)
    report = Report()
    schema = plain(captures.SCHEMAS["packets"])
    for offset in range(50):
        row = row_of("packets", **packet(type="UserMessage", offset=offset))
        report.add("packets", pa.RecordBatch.from_pylist([row], schema=schema))
        assert len(report.kept) <= 6
    listed = next(offset for *_, offset in report.kept)
    row = row_of("messages", flow="f", offset=listed, label="here")
    report.add("messages", pa.RecordBatch.from_pylist([row], schema=plain(captures.SCHEMAS["messages"])))
    assert "here" in [row[8] for row in facts_of(report.page("Few"))["packets"]]


def test_explanations_end_when_there_is_no_room() -> None:
    """After eight, since what they take is not known before; and each is there whole."""
    packets = [bytes(16)] * 20
    packed, count = module.pack_explanations(packets, 0)
    assert count == 8
    assert len(zlib.decompress(packed).splitlines()) == 8
    full = zlib.compressobj(9)
    recurring = Recurring()
    lines = b"".join(recurring.encoded(mw.explain(one)).encode() + b"\n" for one in packets[:8])
    size = len(full.compress(lines) + full.flush(zlib.Z_SYNC_FLUSH))
    assert [module.pack_explanations(packets, room)[1] for room in (size, size + 1)] == [8, 16]
    assert module.pack_explanations(packets, 1 << 20)[1] == 20
    assert module.pack_explanations([], 0)[1] == 0


def test_the_sixteen_bits_of_a_place_spread_packets_over_time() -> None:
    """So do halves, quarters and so on of up to 65,536 packets."""
    rows = {**END, "offset": 0, "type": "UserMessage", "partial": False}
    order = sorted((0, 1, 2, 1 << 14, 1 << 15), key=lambda at: module.interest(rows, Counter(), at))
    assert order == [0, 1 << 15, 1 << 14, 2, 1]


def hostile_page(tmp_path: Path) -> tuple[str, str]:
    """A page about a packet whose label is hostile, in a file whose name is, too."""
    label = HOSTILE.replace("\ud800", "") + "\0"
    message = mw.replace(
        mqmq.UserMessage(),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label=label, MessageBody=b"<b>"),
    )
    name = "x<script>\n\x1b\udcff.bin" if os.name == "posix" else "x.bin"
    (tmp_path / name).write_bytes(mw.encode(message))
    report = Report()
    for table, batch in run([str(tmp_path)], TABLES):
        report.add(table, batch)
    return report.page(f"{name} {HOSTILE}"), label


def test_hostile_texts(tmp_path: Path) -> None:
    page, _ = hostile_page(tmp_path)
    page.encode()  # no half of a surrogate pair
    assert "<img" not in page
    assert "x<script>" not in page
    assert not [char for char in page if not char.isprintable() and char != "\n"]
    (row,) = facts_of(page)["packets"]
    assert row[8] == "</script><img src=x onerror=document.title='owned'>\\x1b[2J\\n\\u202e&amp;\"'"


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_captures(tmp_path, 60, seed=2, files=1)
    words = ["tables", str(tmp_path / "captures"), "--report", str(tmp_path / "x.html")]
    assert main(words) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"report       {tmp_path}/x.html"
    assert facts_of((tmp_path / "x.html").read_text("utf-8"))["rows"]["packets"] > 10
    assert main([*words, "--output", str(tmp_path / "tables")]) == 0
    assert (tmp_path / "tables" / "packets").is_dir()
    assert main([*words, "--tables", "packets"]) == 2
    assert main(words[:2]) == 2
    assert main([*words[:3], str(tmp_path / "no" / "x.html")]) == 4


# ------------------------------------------------------------------------------------------ a browser

STEPS = """
const w = f.contentWindow, results = {};
const texts = selector => [...d.querySelectorAll(selector)].map(node => node.textContent);
const until = async seen => { while (!seen()) await new Promise(done => setTimeout(done, 10)); };
(async () => {
  results.title = d.title; results.trouble = d.getElementById('trouble').textContent;
  results.heading = d.querySelector('h1').textContent;
  results.cards = texts('.card b'); results.listed = texts('#list tr.pick').length;
  results.bars = d.querySelectorAll('#chart rect').length;
  results.wide = d.documentElement.scrollWidth - d.documentElement.clientWidth;
  const first = d.querySelector('#list tr.pick');
  first.click(); await until(() => d.querySelector('#list tr.inner pre'));
  results.explained = texts('#list tr.inner pre');
  const marks = [...d.querySelectorAll('#list tr.inner pre .mark')];
  const above = d.querySelectorAll('#list tr.inner p.must:first-child');
  const reasons = [...above, ...marks.filter(node => !node.textContent.startsWith('<'))];
  results.reasons = reasons.map(node => node.getBoundingClientRect().right <= d.documentElement.clientWidth);
  results.at = Number(first.dataset.at);
  results.opened = d.documentElement.scrollWidth - d.documentElement.clientWidth;
  const cell = first.querySelector('td span').getBoundingClientRect();
  results.visible = cell.left >= 0 && cell.right <= d.documentElement.clientWidth;
  first.click(); await until(() => !d.querySelector('#list tr.inner'));
  results.closed = texts('#list tr.inner').length;
  const search = d.getElementById('search'); search.value = WORD; search.oninput();
  results.found = texts('#list tr.pick').length;
  search.value = 'nothing has this'; search.oninput();
  results.none = texts('#list tr.pick').length;
  const kind = d.getElementById('kind'); kind.value = ''; search.value = ''; kind.onchange();
  results.all = texts('#list tr.pick').length;
  first.focus(); results.sessions = texts('#sessionList tbody tr').length;
  results.good = texts('#sessionList .tag.closed').length;
  results.levels = texts('#violationList .tag');
  const stroke = d.querySelector('#graph path'), style = stroke && w.getComputedStyle(stroke);
  results.stroke = style && [Number(style.opacity), parseFloat(style.strokeWidth)];
  const cells = row => [...row.cells].slice(0, 3).map(cell => cell.textContent);
  results.states = [...d.querySelectorAll('#states tbody tr')].map(cells);
  results.fates = texts('#fateList tbody tr').length;
  const state = d.getElementById('state'), searched = d.getElementById('searchFates');
  d.getElementById('purpose').value = '';
  if (REFUSED) {
    state.value = 'refused'; state.onchange();
    results.refused = texts('#fateList .tag');
    results.refusedListed = d.getElementById('fatesListed').textContent;
    searched.value = REFUSED; searched.oninput();
    results.searched = texts('#fateList tbody tr td:nth-child(3)');
    d.querySelector('#fateList a').click(); await until(() => d.querySelector('#list tr.inner'));
    results.shown = Number(d.querySelector('#list tr.pick').dataset.at);
  }
  results.names = texts('#graph text'); results.edgesListed = d.getElementById('edgesListed').textContent;
  const rare = d.getElementById('searchEdges'); rare.value = 'rare'; rare.oninput();
  results.rare = texts('#edges tbody td:nth-child(2)'); results.rareNames = texts('#graph text');
  results.images = d.images.length; results.scripts = d.scripts.length;
  const out = document.createElement('pre'); out.id = 'results';
  out.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(results)))); document.body.append(out);
})();
"""


def drawn_name(text: str) -> str:
    """The name that a text of the graph shows, without its title, which repeats it with a number."""
    return text[: text.index(": ") // 2]


def in_browser(page: str, width: int, word: str, place: Path) -> dict[str, Any]:
    """What a browser shows of a page in a window of that width, and after clicks and searches."""
    refused = [row[2] for row in facts_of(page)["undelivered"] if row[1] == "refused"]
    steps = STEPS.replace("WORD", json.dumps(word)).replace(
        "REFUSED", json.dumps(refused[-1] if refused else None)
    )
    inner = json.dumps(page).replace("</", "<\\/")
    (place / "frame.html").write_text(
        "<!DOCTYPE html><meta charset=utf-8>"
        f"<iframe id=f style='width:{width}px;height:900px;border:0'></iframe>"
        f"<script type=application/json id=p>{inner}</script><script>"
        "const f = document.getElementById('f');"
        "f.srcdoc = JSON.parse(document.getElementById('p').textContent);"
        "const wait = setInterval(() => { const d = f.contentDocument;"
        f"if (d && d.body && d.body.dataset.ready) {{ clearInterval(wait); {steps} }} }}, 20);</script>",
        "utf-8",
    )
    done = subprocess.run(  # noqa: S603  # the browser of this machine
        [
            *(CHROMIUM, *OPTIONS, "--headless=new", f"--user-data-dir={place}/profile"),
            *("--virtual-time-budget=20000", "--dump-dom"),
            f"file://{place}/frame.html",
        ],
        capture_output=True,
        check=False,
        timeout=600,
    )
    found = re.search(rb'<pre id="results">([^<]+)</pre>', done.stdout)
    assert found, done.stderr[-2000:]
    results: dict[str, Any] = json.loads(base64.b64decode(found[1]))
    return results


@pytest.mark.long
@needs_browser
@pytest.mark.parametrize("width", [1280, 390])
def test_in_a_browser(page: str, width: int, tmp_path: Path) -> None:
    facts = facts_of(page)
    messages = [row for row in facts["packets"] if facts["kinds"][row[3]] == "UserMessage"]
    word = next(row[8] for row in messages if row[8] and " " not in row[8]).lower()
    seen = in_browser(page, width, word, tmp_path)
    assert (seen["title"], seen["heading"], seen["trouble"]) == ("MSMQ <everywhere>", "MSMQ <everywhere>", "")
    names = ("packets", "messages", "sessions", "violations", "gaps", "quarantine")
    severe = facts["severities"]["warning"] + facts["severities"]["alert"]
    cards = [f"{severe:,}", *(f"{facts['rows'][name]:,}" for name in names)]
    failed = sum(own + others for state, _, own, others in facts["fates"] if state in {"refused", "expired"})
    assert seen["cards"] == [*cards[:3], f"{failed:,}", *cards[3:]]
    assert seen["listed"] == min(len(messages), 100)
    assert seen["bars"] > 10
    assert (seen["wide"], seen["opened"]) == (0, 0)  # nothing sticks out, not even an open packet
    assert seen["visible"]
    order = json.loads(part(page, "order"))
    text = texts_of(page)[order.index(seen["at"])]
    assert [one.rstrip("\n") for one in seen["explained"]] == [text]
    assert seen["closed"] == seen["none"] == 0
    assert 0 < seen["found"] < len(messages)
    assert seen["all"] == min(len(facts["packets"]), 100)
    assert seen["sessions"] == min(len(facts["sessions"]), 100)
    assert seen["good"] > 0
    assert set(seen["levels"]) == {row[0] for row in facts["violations"]}
    stated = {state: (own, own + others) for state, _, own, others in facts["fates"] if own + others}
    assert seen["states"] == [
        [state, *(f"{count:,}" for count in counts)] for state, counts in stated.items()
    ]
    own = [row for row in facts["undelivered"] if row[3] == "application"]
    assert seen["fates"] == min(len(own), 12)
    refused = [row for row in facts["undelivered"] if row[1] == "refused"]
    assert seen["refused"] == ["refused"] * min(len(refused), 12)
    assert f"{len(refused)} found" in seen["refusedListed"]
    assert seen["searched"] == [refused[-1][2]]
    assert seen["shown"] == refused[-1][-1]


@pytest.mark.long
@needs_browser
def test_a_dense_graph_in_a_browser(batches: list[tuple[str, pa.RecordBatch]], tmp_path: Path) -> None:
    """Of many edges each is thin and light."""
    schema = captures.SCHEMAS["dependencies"]
    strokes = []
    for count in (10, 700):
        report = gathered([(name, batch) for name, batch in batches if name != "dependencies"])
        rows = [
            {**dict.fromkeys(schema.names), **dependency("a", f"q{at}", 1, {"sent": 1})}
            for at in range(count)
        ]
        report.add("dependencies", pa.RecordBatch.from_pylist(rows, schema=plain(schema)))
        place = tmp_path / str(count)
        place.mkdir()
        strokes.append(in_browser(report.page("Dense"), 1280, "sent", place)["stroke"])
    few, many = strokes
    assert all(dense < sparse / 2 for sparse, dense in zip(few, many, strict=True))


@pytest.mark.long
@needs_browser
def test_a_graph_of_many_queues_in_a_browser(
    batches: list[tuple[str, pa.RecordBatch]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of 200 queues is drawn, with the heaviest others; the search reaches what is not."""
    report = gathered([(name, batch) for name, batch in batches if name != "dependencies"])
    rows = [dependency(f"s{at}", f"q{at % 199}", 5000 - at, {"sent": 1}) for at in range(2000)]
    rows += [dependency(f"s{at}", "q-rare", 1, {"sent": 1}) for at in (7, 8)]
    schema = captures.SCHEMAS["dependencies"]
    full = [{**dict.fromkeys(schema.names), **row} for row in rows]
    report.add("dependencies", pa.RecordBatch.from_pylist(full, schema=plain(schema)))
    seen = in_browser(report.page("Many queues"), 1280, "sent", tmp_path)
    monkeypatch.setattr(module, "EDGES", 150)
    (tmp_path / "few").mkdir()
    few = in_browser(report.page("Few"), 390, "sent", tmp_path / "few")["edgesListed"]
    assert "1,852 other connections are left out of this page, among them all of 50 queues" in few
    queues = {f"q{at}" for at in range(199)} | {"q-rare"}
    assert queues == {name for name in map(drawn_name, seen["names"]) if name[0] == "q"}
    assert "2,002 of 2,002 connections" in seen["edgesListed"]
    assert "to 200 queues" in seen["edgesListed"]
    assert "The graph has 500 of them" in seen["edgesListed"]
    assert seen["rare"] == ["q-rare"] * 2
    assert sorted(map(drawn_name, seen["rareNames"])) == ["q-rare", "s7", "s8"]


@pytest.mark.long
@needs_browser
def test_a_session_that_violates_something_in_a_browser(tmp_path: Path) -> None:
    """A message without a handshake, from a connection that was closed, is not shown as if all were well."""
    message = mqmq.UserMessage.of(MessageBody=b"a", DestinationQueue="DIRECT=OS:a\\b", Label="sent").encode()
    path = tmp_path / "a.pcap"
    path.write_bytes(Capture().open().send(message).close().data)
    page = gathered([*run([str(path)], TABLES)]).page("one")
    ((*_, outcome, _, _, violations, unreadable),) = facts_of(page)["sessions"]
    assert (outcome, len(violations), unreadable) == ("closed", 1, 0)
    seen = in_browser(page, 390, "sent", tmp_path)
    assert (seen["sessions"], seen["good"]) == (1, 0)


@pytest.mark.long
@needs_browser
def test_the_reason_of_an_unreadable_packet_in_a_browser(tmp_path: Path) -> None:
    """A narrow page shows all of it, without scrolling: above the fields, and where reading stopped."""
    message = mqmq.UserMessage.of(
        MessageBody=b"a" * 40, DestinationQueue="DIRECT=OS:a\\b", Label="sent"
    ).encode()
    path = tmp_path / "a.pcap"
    path.write_bytes(Capture().open().send(message[:-30]).close().data)
    page = gathered([*run([str(path)], TABLES)]).page("one")
    assert in_browser(page, 390, "sent", tmp_path)["reasons"] == [True, True, True]


@pytest.mark.long
@needs_browser
def test_hostile_texts_in_a_browser(tmp_path: Path) -> None:
    page, _ = hostile_page(tmp_path)
    (tmp_path / "browser").mkdir()
    seen = in_browser(page, 800, "onerror", tmp_path / "browser")
    assert "owned" not in seen["title"].split("'")[0]
    assert (seen["images"], seen["listed"], seen["found"]) == (0, 1, 1)
    assert seen["scripts"] == page.count("<script")


def test_the_schemas_have_what_it_takes() -> None:
    for name in module.PACKET:
        assert name in captures.SCHEMAS["packets"].names
    for name in module.MESSAGE:
        assert name in captures.SCHEMAS["messages"].names


def test_a_time_in_nanoseconds() -> None:
    """As some tables of Spark have it; a page counts microseconds."""
    times = pa.array([1_999, 2_000], pa.timestamp("ns", tz="UTC"))
    batch = module.timed(pa.RecordBatch.from_arrays([times, pa.array([7, 8])], ["time", "size"]))
    assert batch.column("time").cast(pa.int64()).to_pylist() == [1, 2]
    assert batch.column("size").to_pylist() == [7, 8]


@pytest.mark.long
def test_a_page_of_tables_that_are_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is the page that is made while they are written; what is no such directory is told."""
    write_captures(tmp_path, 200, seed=4, faults=Faults.all())
    tables, first, again = (str(tmp_path / name) for name in ("tables", "first.html", "again.html"))
    inputs = str(tmp_path / "captures")
    assert main(["tables", inputs, "--output", tables, "--report", first]) == 0
    assert main(["report", tables, again]) == 0
    assert facts_of((tmp_path / "again.html").read_text()) == facts_of((tmp_path / "first.html").read_text())
    for file in (tmp_path / "tables").glob("*/*.parquet"):  # as Spark writes them
        pq.write_table(pq.read_table(file), file, use_deprecated_int96_timestamps=True)
    assert pq.read_schema(next((tmp_path / "tables" / "gaps").iterdir())).field("time").type.unit == "ns"
    assert main(["report", tables, str(tmp_path / "spark.html")]) == 0
    assert facts_of((tmp_path / "spark.html").read_text()) == facts_of((tmp_path / "first.html").read_text())
    told = capsys.readouterr().out
    assert told.count(f"report       {tmp_path}") == 3
    large = {"body", "text", "data"}  # which take memory, and of which a page shows only packets
    for name, batch in module.written(tables, captures.SCHEMAS):
        assert large.isdisjoint(batch.schema.names) is (name != "packets")
    assert main(["report", inputs, again]) == 1
    assert "has no table flows" in capsys.readouterr().err
    for name, column in (("messages", "label"), ("packets", "sensor")):
        (file,) = (tmp_path / "tables" / name).glob("*.parquet")
        rows = pq.read_table(file)
        pq.write_table(rows.drop_columns([column]), file)
        assert main(["report", tables, again]) == 1
        assert f"the table {name} has no column {column}: another version" in capsys.readouterr().err
        pq.write_table(rows, file)
    (tmp_path / "tables" / "gaps" / "part-00000.parquet").write_bytes(b"no Parquet")
    assert main(["report", tables, again]) == 1
    assert "the table gaps cannot be read" in capsys.readouterr().err


@pytest.mark.long
def test_times_are_those_of_the_frames_beside_them(tmp_path: Path) -> None:
    """In each list of the page, and in each table, the time and the number beside it are of one frame."""
    written = write_rehearsal(
        tmp_path, 5_000, seed=3, managers=5, files=3, faults=Faults(loss=0.01, clock=0.01)
    )
    times = {}
    for path in written.captures:
        data, at_, frames = path.read_bytes(), 24, []
        while at_ < len(data):
            seconds, micros, size = struct.unpack_from("<III", data, at_)
            frames.append(seconds * 1_000_000 + micros)
            at_ += 16 + size
        times[str(path)] = frames
    page = tmp_path / "page.html"
    assert main(["tables", str(tmp_path / "captures"), "--report", str(page)]) == 0
    facts = facts_of(page.read_text("utf-8"))
    listed = [(row[0], facts["files"][row[5]], row[6]) for row in facts["packets"]]
    listed += [(row[0], row[5], row[6]) for *_, rows in facts["findings"] for row in rows]
    listed += [(row[0], row[7], row[8]) for row in facts["undelivered"]]
    listed += [(row[3], row[4], row[5]) for row in facts["gaps"]]
    counts = Counter(
        frame is not None and times[file][frame - 1] == time for time, file, frame in listed if file
    )
    assert counts[True] > 1000
    assert not counts[False]
    captured = sorted(time for frames in times.values() for time in frames)
    assert facts["captured"][0] == captured[0]
    assert facts["captured"][1] in captured[-6:]  # without acknowledgments of TCP alone

    def pairs(value: Any) -> Iterator[tuple[Any, str, int]]:
        """The times, files and numbers of frames in a row and in what is in it."""
        if isinstance(value, list):
            for inner in value:
                yield from pairs(inner)
        elif isinstance(value, dict):
            for names in (("time", "file", "first_frame"), ("end_time", "last_file", "last_frame")):
                if value.get(names[-1]) is not None and names[0] in value:
                    yield tuple(value[name] for name in names)
            for inner in value.values():
                yield from pairs(inner)

    for name, table in captures.tables(tmp_path / "captures").items():
        for time, file, frame in pairs(table.read_all().to_pylist()):
            assert time == dt.datetime.fromtimestamp(0, dt.UTC) + dt.timedelta(
                microseconds=times[file][frame - 1]
            ), name
