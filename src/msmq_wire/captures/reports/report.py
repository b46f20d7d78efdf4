"""A self-contained HTML page about captures, created from the tables while they are written.

1. Counts are complete, and packets that cannot be read whole are packets.  Lists are bounded: messages and
   other packets are thinned evenly, in their order, and the page states the total.  A packet to which another
   list leads is not thinned out if its table is passed before the packets, as `written` yields them and
   `Waiting` does.
2. Packets are explained until the page has about `PAGE` bytes: one of each kind, those of findings, those
   with violations, then all others, spread over time.  For packets that are not explained the page names the
   command.
3. Texts are in the page as compressed JSON, so they cannot be parsed as HTML; scripts show them as text.
   Characters that are not printable are escaped before.
"""

from __future__ import annotations

import base64
import html
import json
import zlib
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import dataset

from msmq_wire.captures.answers.deliveries.reasons import ARRIVED, STATES
from msmq_wire.captures.answers.purposes import PURPOSES
from msmq_wire.captures.findings.joining import micros_of
from msmq_wire.captures.findings.patterns import PATTERNS, SEVERITIES
from msmq_wire.captures.schemas import TIME
from msmq_wire.captures.spool import Spool
from msmq_wire.captures.writing import BATCH, GENERATOR, OPEN, run_rows, valid_rows
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.violation import section_of
from msmq_wire.views.explanation import explain
from msmq_wire.views.texts import endpoint, printable

from .graphs import Machines, chosen_of, edges_of, heaviest
from .recurring import Recurring
from .summary import destinations_of
from .words import Meanings, queues_of, several_queues, sides_of, state_of, unreadable_in, violations_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Key = tuple[str, str, int]

PAGE: Final = 970_000
"""Approximate size limit of a page in bytes."""
TABLES: Final = (
    "flows", "gaps", "sessions", "violations", "findings", "deliveries", "dependencies", "hosts",
    "quarantine", "frames", "packets", "messages",
)  # fmt: skip
"""The tables that a page needs, in the order in which they are best passed."""

MESSAGES: Final = 3000
OTHERS: Final = 1000
SESSIONS: Final = 1500
GAPS: Final = 300
FATES: Final = 500
"""Number of messages of applications that are listed of each state; of others, a quarter."""
_FINDINGS: Final = 100
"""Number of findings of each pattern that are listed."""
PAIRS: Final = 200
KEYS: Final = 20_000
"""Number of pairs or queues that are counted separately; further ones are counted together."""
EDGES: Final = 4000
"""Number of edges of dependencies that are listed: the heaviest of each queue, then the heaviest others."""
BUCKETS: Final = 600
_TEXT: Final = 80
_TOGETHER: Final = 8
"""The number of explanations that are compressed at once to measure their size."""
_LARGE: Final = 1 << 16
"""Larger packets are listed but not explained."""
_OTHERS_KEY: Final = "(others)"


class Thinned:
    """A bounded sample of rows: every n-th row, with n doubled when there are too many."""

    def __init__(self, most: int) -> None:
        self.rows: list[dict[str, Any]] = []
        self.total = 0
        self._most = most
        self._step = 1

    def wanted(self, count: int) -> list[int]:
        """Return which of the next rows are kept."""
        first = -self.total % self._step
        self.total += count
        return [*range(first, count, self._step)]

    def keep(self, rows: Iterable[dict[str, Any]]) -> None:
        """Keep these rows."""
        self.rows.extend(rows)
        while len(self.rows) > self._most:
            self.rows = self.rows[::2]
            self._step *= 2


class Times:
    """Packets by time and type, in intervals that are doubled when there are too many."""

    def __init__(self) -> None:
        self.shift = 10
        self.counts: Counter[tuple[int, str]] = Counter()

    def add(self, times: pa.Array, types: pa.Array) -> None:
        """Count packets."""
        has_time = pc.is_valid(times)
        places = pc.shift_right(times.filter(has_time).cast(pa.int64()), self.shift)
        grouped = pa.table({"at": places, "type": types.filter(has_time)})
        for row in grouped.group_by(["at", "type"]).aggregate([([], "count_all")]).to_pylist():
            self.counts[row["at"], row["type"]] += row["count_all"]
        while self.counts and self._span() > BUCKETS:
            self.shift += 1
            wider: Counter[tuple[int, str]] = Counter()
            for (at, kind), count in self.counts.items():
                wider[at >> 1, kind] += count
            self.counts = wider

    def _span(self) -> int:
        places = [at for at, _ in self.counts]
        return max(places) - min(places) + 1


class Report:
    """Collects the contents of the page; pass each batch of `TABLES`, in any order of tables."""

    def __init__(self) -> None:
        self._kinds: Counter[str] = Counter()
        self._rows: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()
        self._times = Times()
        self.pair_rows: dict[tuple[str, str], list[int]] = {}
        self._queues: Counter[str] = Counter()
        self._undirected = 0
        self._messages, self._others = Thinned(MESSAGES), Thinned(OTHERS)
        self.kept: dict[Key, dict[str, Any]] = {}
        self._sessions = Thinned(SESSIONS)
        self._outcomes: Counter[str] = Counter()
        self._violations: Counter[tuple[str, str]] = Counter()
        self._examples: dict[tuple[str, str], dict[str, Any]] = {}
        self._violating: Counter[Key] = Counter()
        self._findings: dict[str, list[dict[str, Any]]] = {}
        self._found: Counter[str] = Counter()
        self._found_at: set[Key] = set()
        self._fates: Counter[tuple[str, bool]] = Counter()
        self._undelivered: dict[tuple[str, bool], Thinned] = {}
        self._named_at: set[Key] | None = None
        """The packets to which other lists lead, without those that came; None to compute it again."""
        self._named_rows: list[dict[str, Any]] = []
        self._dependencies: list[dict[str, Any]] = []
        self._left_out = 0
        self._queues_left_out = set[int]()  # hashes of their names
        self._hosts: list[dict[str, Any]] = []
        self._gaps = Thinned(GAPS)
        self._causes: dict[tuple[str, str], list[Any]] = {}
        self._frames: dict[str, list[int]] = {}
        self._meanings = Meanings(KEYS)
        self._unreadable = 0
        self._captured: list[int] = []  # the times of the first and the last frame

    def add(self, table: str, batch: pa.RecordBatch) -> None:
        """Add one batch of a table; other tables than `TABLES` are ignored."""
        if not batch.num_rows:
            return
        self._rows[table] += batch.num_rows
        if "size" in batch.schema.names:
            self._bytes[table] += pc.sum(batch.column("size")).as_py() or 0
        take = getattr(self, f"_add_{table}", None)
        if take is not None:
            take(batch)

    # ---------------------------------------------------------------------------------------- tables

    def _add_packets(self, batch: pa.RecordBatch) -> None:
        types = pc.coalesce(batch.column("type"), _UNKNOWN)
        self._unreadable += pc.sum(batch.column("partial")).as_py() or 0
        for count in pc.value_counts(types).to_pylist():
            self._kinds[str(count["values"])] += count["counts"]
        self._times.add(batch.column("time"), types)
        names = ("src", "dst", "size")
        ends = pa.table([batch.column(name) for name in names], names=[*names])
        grouped = ends.group_by(["src", "dst"]).aggregate([("size", "count"), ("size", "sum")])
        for row in grouped.to_pylist():
            pair = self.pair_row(row["src"], row["dst"])
            pair[0] += row["size_count"]
            pair[2] += row["size_sum"]
        if self._named_at is None:
            self._named_at = self._named()
        if self._named_at:
            columns = (batch.column(name).to_pylist() for name in KEY)
            named = pa.array([key in self._named_at for key in zip(*columns, strict=True)], pa.bool_())
            self._named_rows += self._packets_of(batch.filter(named))
            self._named_at.difference_update(map(_key, self._named_rows))
            batch, types = batch.filter(pc.invert(named)), types.filter(pc.invert(named))
        is_message = pc.equal(types, "UserMessage")
        for kept, wanted in ((self._messages, is_message), (self._others, pc.invert(is_message))):
            rows = batch.filter(wanted)
            kept.keep(self._packets_of(rows.take(pa.array(kept.wanted(rows.num_rows), pa.int64()))))
        if len(self.kept) > 2 * (MESSAGES + OTHERS):
            kept_rows = self._held()
            self.kept = {_key(row): row for row in kept_rows}

    def _named(self) -> set[Key]:
        """Return the packets to which findings, violations and messages lead."""
        rows = [*self._examples.values(), *filter(None, map(_packet_of, self._fates_listed()))]
        return (self._found_at | {*map(_key, rows)}).difference(map(_key, self._named_rows))

    def _fates_listed(self) -> list[dict[str, Any]]:
        """Return the messages that are listed because they did not arrive."""
        return [row for thinned in self._undelivered.values() for row in thinned.rows]

    def _packets_of(self, rows: pa.RecordBatch) -> list[dict[str, Any]]:
        """Return packets as the page lists them, and find them for their messages."""
        packets = []
        for read in _rows(rows.select(PACKET)):
            row = {**read, **_EMPTY}
            row["type"] = row["type"] or _UNKNOWN
            if row["size"] > _LARGE:
                row["data"] = None
            packets.append(row)
        self.kept.update({_key(row): row for row in packets})
        return packets

    def _held(self) -> list[dict[str, Any]]:
        """Return the packets that are kept."""
        return [*self._messages.rows, *self._others.rows, *self._named_rows]

    def pair_row(self, src: str | None, dst: str | None) -> list[int]:
        """Return the counts of a pair of addresses."""
        key = src or "(file)", dst or "(file)"
        if key not in self.pair_rows and len(self.pair_rows) >= KEYS:
            key = _OTHERS_KEY, _OTHERS_KEY
        return self.pair_rows.setdefault(key, [0, 0, 0])

    def _add_messages(self, batch: pa.RecordBatch) -> None:
        destinations = destinations_of(batch)
        self._undirected += destinations.null_count
        for count in pc.value_counts(destinations.drop_null()).to_pylist():
            is_listed = count["values"] in self._queues or len(self._queues) < KEYS
            self._queues[count["values"] if is_listed else _OTHERS_KEY] += count["counts"]
        names = (*KEY, "src", "dst")
        columns = [batch.column(name).to_pylist() for name in names]
        for at, (sensor, flow, offset, src, dst) in enumerate(zip(*columns, strict=True)):
            self.pair_row(src, dst)[1] += 1
            row = self.kept.get((sensor, flow, offset))
            if row is not None:
                row |= {name: batch.column(name)[at].as_py() for name in MESSAGE}
                row["destination"] = row["destination"] or several_queues(
                    batch.column("destinations")[at].as_py() or ()
                )

    def _add_flows(self, batch: pa.RecordBatch) -> None:
        for name, least in (("time", pc.min), ("end_time", pc.max)):
            time = least(batch.column(name).cast(pa.int64())).as_py()
            self._captured += [] if time is None else [time]
        self._captured = [*{min(self._captured), max(self._captured)}] if self._captured else []

    def _add_sessions(self, batch: pa.RecordBatch) -> None:
        for count in pc.value_counts(batch.column("outcome")).to_pylist():
            self._outcomes[count["values"]] += count["counts"]
        chosen = batch.take(pa.array(self._sessions.wanted(batch.num_rows), pa.int64()))
        self._sessions.keep(_rows(chosen, "first_at"))

    def _add_violations(self, batch: pa.RecordBatch) -> None:
        self._meanings.add(batch)
        names = ("level", "requirement", *KEY)
        columns = [batch.column(name).to_pylist() for name in names]
        for at, (level, requirement, *key) in enumerate(zip(*columns, strict=True)):
            self._violations[level, requirement] += 1
            if (level, requirement) not in self._examples:
                (self._examples[level, requirement],) = batch.slice(at, 1).to_pylist()
                self._named_at = None
            if len(self._violating) < KEYS:
                self._violating[tuple(key)] += 1

    def _add_findings(self, batch: pa.RecordBatch) -> None:
        for row in _rows(batch):
            self._found[row["id"]] += 1
            listed = self._findings.setdefault(row["id"], [])
            if len(listed) < _FINDINGS:
                listed.append(row)
                self._found_at.add(_key(row))
                self._named_at = None

    def _add_deliveries(self, batch: pa.RecordBatch) -> None:
        own = pc.fill_null(pc.equal(batch.column("purpose"), PURPOSES[0]), False)
        time = pc.coalesce(batch.column("first_at"), batch.column("last_at"))
        times = batch.select(_DELIVERY).append_column("time", time)
        grouped = pa.table({"state": batch.column("state"), "own": own}).group_by(["state", "own"])
        for row in grouped.aggregate([([], "count_all")]).to_pylist():
            self._fates[row["state"], row["own"]] += row["count_all"]
            if row["state"] in UNDELIVERED:
                most = FATES if row["own"] else FATES // 4
                thinned = self._undelivered.setdefault((row["state"], row["own"]), Thinned(most))
                alike = pc.and_(pc.equal(batch.column("state"), row["state"]), pc.equal(own, row["own"]))
                rows = times.filter(alike)
                for start in range(0, rows.num_rows, most):
                    some = rows.slice(start, most)
                    thinned.keep(_rows(some.take(pa.array(thinned.wanted(some.num_rows), pa.int64()))))
        self._named_at = None

    def _add_dependencies(self, batch: pa.RecordBatch) -> None:
        rows = batch.filter(pc.equal(batch.column("purpose"), PURPOSES[0])).select(_DEPENDENCY)
        self._dependencies += rows.to_pylist()
        if len(self._dependencies) > 2 * KEYS:
            self._dependencies.sort(key=lambda row: -row["messages"])
            self._left_out += len(self._dependencies) - KEYS
            kept = chosen_of([row["queue"] for row in self._dependencies], KEYS)
            self._queues_left_out.update(hash(row["queue"]) for row in self._dependencies)
            self._dependencies = [self._dependencies[index] for index in kept]

    def _add_hosts(self, batch: pa.RecordBatch) -> None:
        self._hosts += batch.select(["queue_manager", "machine", "address"]).to_pylist()[
            : KEYS - len(self._hosts)
        ]

    def _add_gaps(self, batch: pa.RecordBatch) -> None:
        chosen = batch.take(pa.array(self._gaps.wanted(batch.num_rows), pa.int64()))
        self._gaps.keep(_rows(chosen.select(["flow", "offset", "size", "time", "file", "first_frame"])))

    def _add_quarantine(self, batch: pa.RecordBatch) -> None:
        names = ("kind", "cause", "places", "size", "file", "first_frame", "error")
        for kind, cause, places, size, file, frame, error in zip(
            *(batch.column(name).to_pylist() for name in names), strict=True
        ):
            key = str(kind), str(cause)
            if key not in self._causes and len(self._causes) >= PAIRS:
                key = _OTHERS_KEY, _OTHERS_KEY
            row = self._causes.setdefault(key, [0, 0, file, frame, error])
            row[0] += places
            row[1] += size or 0

    def _add_frames(self, batch: pa.RecordBatch) -> None:
        for reason, count, size in zip(
            *(batch.column(name).to_pylist() for name in ("reason", "frames", "bytes")), strict=True
        ):
            row = self._frames.setdefault(reason, [0, 0])
            row[0] += count
            row[1] += size

    # ---------------------------------------------------------------------------------------- the page

    def page(self, title: str) -> str:
        """Return the page.

        Args:
            title: A description of the captures.
        """
        packets = sorted(
            self._held(),
            key=lambda row: (row["time"] or 0, row["file"] or "", row["first_frame"] or 0, row["offset"]),
        )
        facts = _packed([json.dumps(clean(self._facts(packets)), separators=(",", ":"))])
        template = files(__package__).joinpath("report.html").read_text("utf-8")
        room = max(PAGE - len(facts) * 4 // 3 - len(template), 0) * 3 // 4
        order = [at for at, row in enumerate(packets) if row["data"] is not None]
        order.sort(key=lambda at: interest(packets[at], self._violating, at))
        order.sort(key=lambda at: _key(packets[at]) not in self._found_at)
        firsts: dict[tuple[Any, ...], int] = {}
        for at in order:
            firsts.setdefault(_kind(packets[at], self._violating), at)
        order.sort(key=frozenset(firsts.values()).__contains__, reverse=True)
        explained, which = pack_explanations([packets[at]["data"] for at in order], room)
        parts = {
            "TITLE": html.escape(printable(title)),
            "GENERATOR": GENERATOR,
            "FACTS": base64.b64encode(facts).decode(),
            "EXPLAINED": base64.b64encode(explained).decode(),
            "ORDER": json.dumps(order[:which]),
        }
        for name, part in parts.items():
            template = template.replace(f"@{name}@", part)
        return template

    def _facts(self, packets: Sequence[dict[str, Any]]) -> dict[str, Any]:
        kinds = [name for name, _ in self._kinds.most_common()]
        names = [*dict.fromkeys(row["file"] or "" for row in packets)]
        file_of = {name: at for at, name in enumerate(names)}
        place_of = {_key(row): at for at, row in enumerate(packets)}
        shown = sorted(self.pair_rows.items(), key=lambda item: (-item[1][0], item[0]))[:PAIRS]
        sessions = sorted(self._sessions.rows, key=lambda row: (row["first_at"] is None, row["first_at"]))
        times = sorted(self._times.counts.items())
        start = min((at for at, _ in self._times.counts), default=0)
        edges = edges_of(self._dependencies, Machines.of(self._hosts))
        kept_edges = heaviest(edges, EDGES)
        queues = self._queues_left_out - {hash(row["queue"]) for row in self._dependencies}
        more_queues = len({edge.queue for edge in edges} - {edge.queue for edge in kept_edges}) + len(queues)
        return {
            "files": names,
            "kinds": kinds,
            "rows": {name: self._rows[name] for name in TABLES},
            "bytes": {name: self._bytes[name] for name in TABLES},
            "counts": [self._kinds[name] for name in kinds],
            "unreadable": self._unreadable,
            "captured": sorted(self._captured),
            "start": start << self._times.shift,
            "step": 1 << self._times.shift,
            "times": [[at - start, kinds.index(kind), count] for (at, kind), count in times],
            "pairs": [[*pair, *counts] for pair, counts in shown],
            "morePairs": len(self.pair_rows) - len(shown),
            "queues": self._queues.most_common(PAIRS),
            "edges": [[*edge] for edge in kept_edges],
            "moreEdges": len(edges) - len(kept_edges) + self._left_out,
            "moreEdgeQueues": more_queues,
            "undirected": self._undirected,
            "moreQueues": max(len(self._queues) - PAIRS, 0),
            "packets": [
                [
                    row["time"], endpoint(row["src"], row["src_port"]), endpoint(row["dst"], row["dst_port"]),
                    kinds.index(row["type"]), row["size"], file_of[row["file"] or ""], row["first_frame"],
                    *(row[name] for name in MESSAGE), self._violating.get(_key(row), 0),
                    row["error"] if row["partial"] else None,
                ]
                for row in packets
            ],
            "sessions": [
                [
                    *(row[name] for name in ("first_at", "opener", "acceptor", "outcome")), state_of(row),
                    [*sides_of(row)], [*violations_of(row, self._meanings)], unreadable_in(row),
                ]
                for row in sessions
            ],
            "outcomes": self._outcomes.most_common(),
            "violations": [
                [
                    level, requirement, section_of(requirement), count, row["message"], row["file"],
                    row["first_frame"], place_of.get(_key(row), -1),
                ]
                for (level, requirement), count in self._violations.most_common()
                for row in [self._examples[level, requirement]]
            ],
            "findings": [
                [
                    pattern.id, pattern.name, pattern.severity, self._found[pattern.id], pattern.references,
                    pattern.meaning, pattern.looks_alike, pattern.action,
                    [
                        [
                            row["time"],
                            endpoint(row["src"], row["src_port"]), endpoint(row["dst"], row["dst_port"]),
                            row["evidence"], row["count"], row["file"], row["first_frame"],
                            place_of.get(_key(row), -1),
                        ]
                        for row in sorted(self._findings[pattern.id], key=lambda row: row["time"] or 0)
                    ],
                ]
                for severity in reversed(SEVERITIES)
                for pattern in PATTERNS
                if pattern.severity == severity and pattern.id in self._findings
            ],
            "fates": [
                [state, means, self._fates[state, True], self._fates[state, False]]
                for state, means in STATES.items()
            ],
            "undeliveredStates": UNDELIVERED,
            "undelivered": [
                [
                    *(row[name] for name in ("time", "state", "message", "purpose")),
                    queues_of(row), row["label"], row["why"],
                    *((packet["file"], packet["first_frame"]) if packet else (None, None)),
                    place_of.get(_key(packet), -1) if packet else -1,
                ]
                for row in sorted(
                    map(_timed, self._fates_listed()),
                    key=lambda row: (UNDELIVERED.index(row["state"]), row["time"] or 0, row["message"]),
                )
                for packet in [_packet_of(row)]
            ],
            "severities": {
                severity: sum(self._found[pattern.id] for pattern in PATTERNS if pattern.severity == severity)
                for severity in SEVERITIES
            },
            "patterns": len(PATTERNS),
            "gaps": [[*row.values()] for row in self._gaps.rows],
            "quarantine": [[*key, *row] for key, row in self._causes.items()],
            "frames": [[reason, *counts] for reason, counts in self._frames.items()],
        }  # fmt: skip


class Waiting:
    """Passes rows of tables to a report in the order that it needs.

    Packets, and the messages in them, wait on disk until all rows are passed that lead to some of them.

    Args:
        report: The report.
        path: A directory for files.
    """

    def __init__(self, report: Report, path: str | os.PathLike[str]) -> None:
        self._report = report
        self._path = Path(path)
        self._spools: dict[str, Spool] = {}

    def add(self, table: str, batch: pa.RecordBatch) -> None:
        """Add one batch of a table."""
        if table not in _LAST:
            self._report.add(table, batch)
            return
        rows = batch.select(needed(table, batch.schema.names))
        if table not in self._spools:
            self._spools[table] = Spool(rows.schema, self._path / table, _HELD)
        self._spools[table].add(rows)

    def finish(self) -> None:
        """Pass on the waiting rows."""
        for table in _LAST:
            if table in self._spools:
                for batch in self._spools[table].batches():
                    self._report.add(table, batch)


def written(
    tables: str | os.PathLike[str], schemas: Mapping[str, pa.Schema]
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield the batches of `TABLES` in a directory, a few rows at a time; of increments, the valid rows.

    Args:
        tables: The directory of the tables, as the local engine or Spark wrote them, as Parquet files.
        schemas: Their columns.

    Raises:
        MsmqWireError: There are no such tables, or not those of one run.
        OSError: A file cannot be read.
    """
    if not Path(tables).exists():
        raise MsmqWireError(f"{tables}: there is no such folder")
    runs = run_rows(tables)
    if any(row.get("state") == "running" for row in runs):
        raise MsmqWireError(
            f"{tables} has tables of several runs: wait for the end of the run that replaces them; "
            "if it was killed, run it again"
        )
    missing = [name for name in TABLES if not Path(tables, name).is_dir()]
    if missing:
        if Path(tables).is_file():
            raise MsmqWireError(
                f"{tables} is a file, not a folder of tables: for a capture use msmq-wire tables --report"
            )
        raise MsmqWireError(
            f"{tables} has no table {missing[0]}: a report takes {', '.join(TABLES)} as Parquet"
        )
    valid = valid_rows(runs)
    for name in TABLES:
        try:
            folder = Path(tables, name)
            rows = dataset.dataset(
                folder,
                format="parquet",
                partitioning=_partitioning(folder, schemas[name]),
                exclude_invalid_files=False,
            )
            columns = needed(name, schemas[name].names)
            absent = [column for column in columns if column not in rows.schema.names]
            if absent:
                raise MsmqWireError(
                    f"the table {name} has no column {absent[0]}: another version or program wrote it"
                )
            batches = rows.to_batches(
                columns=columns,
                filter=valid,
                batch_size=_ROWS,
                batch_readahead=1,
                fragment_readahead=1,
                use_threads=False,
            )
            yield from ((name, timed(batch)) for batch in batches)
        except pa.ArrowInvalid as error:
            if any(Path(tables, name).glob("*.parquet")):
                raise MsmqWireError(f"the table {name} cannot be read: {error}") from None
            raise MsmqWireError(
                f"{tables} has no table {name} as Parquet: a report takes no other form"
            ) from None
    now = run_rows(tables)
    if now != runs and (not runs or now[:-1] != runs):  # rows of the increment before the last are kept
        raise MsmqWireError(f"{tables} was written while it was read: run it again")


def _partitioning(folder: Path, schema: pa.Schema) -> Any:
    """Return the columns that are folders of a table, as Spark writes them."""
    parts = {part for file in folder.rglob("*.parquet") for part in file.relative_to(folder).parts[:-1]}
    names = {name for name, equals, _ in (part.partition("=") for part in parts) if equals}
    kinds = {BATCH: pa.int32(), OPEN: pa.int32(), "date": pa.string()}
    kinds |= {field.name: field.type for field in schema}
    return dataset.partitioning(pa.schema([(name, kinds[name]) for name in sorted(names)]), flavor="hive")


def timed(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with times in microseconds; Spark may write nanoseconds."""
    arrays = [
        column.cast(TIME, safe=False) if pa.types.is_timestamp(column.type) else column
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)


def needed(table: str, columns: Iterable[str]) -> list[str]:
    """Return the columns of a table that a page needs."""
    return [*PACKET] if table == "packets" else [name for name in columns if name not in _UNUSED]


_LAST: Final = TABLES[-2:]
"""The tables that wait for the others, which say which packets to keep."""
_HELD: Final = 16 << 20
"""Bytes of a table that wait in memory, before they go to a file."""
_ROWS: Final = 4096
"""Number of rows of a table that are read at a time."""
_UNUSED: Final = frozenset({"body", "text", "data"})
"""Large columns that the page does not need, in all tables except `packets`."""
PACKET: Final = (
    *("sensor", "flow", "offset", "src", "src_port", "dst", "dst_port"),
    *("type", "size", "time", "file", "first_frame", "data", "partial", "error"),
)
UNDELIVERED: Final = tuple(state for state in STATES if state not in {*ARRIVED, "accepted"})
"""The states of messages that are listed: those that did not arrive according to the captures."""
_DELIVERY: Final = (
    *("state", "message", "purpose", "destination", "destinations", "label", "why", "proof", "reads"),
)
_DEPENDENCY: Final = ("queue", "host", "queue_manager", "messages", "bytes", "states")
_UNKNOWN: Final = "unknown"
"""The type of a packet whose type cannot be read."""
MESSAGE: Final = ("destination", "label", "message_class", "body_form")
_EMPTY: Final = dict.fromkeys(MESSAGE)

KEY: Final = ("sensor", "flow", "offset")
"""The columns that identify a packet, also in rows that lead to one."""


def _key(row: dict[str, Any]) -> Key:
    return row["sensor"], row["flow"], row["offset"]


def _rows(batch: pa.RecordBatch, time: str = "time") -> list[dict[str, Any]]:
    """Return rows with times in microseconds since 1970."""
    at = batch.schema.get_field_index(time)
    whole = batch.set_column(at, time, batch.column(time).cast(pa.int64()))
    return [*whole.to_pylist()]


def _packet_of(row: dict[str, Any]) -> dict[str, Any] | None:
    """Return the place of the packet that best proves the state of a message, a row of `deliveries`."""
    packets: list[dict[str, Any]] = [*row["proof"], *row["reads"]]
    return packets[0] if packets else None


def _timed(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of `deliveries` with the time of the packet to which the page leads, if there is one."""
    packet = _packet_of(row)
    return row if packet is None or packet["time"] is None else {**row, "time": micros_of(packet)}


def clean(value: Any) -> Any:
    """Return the value with all texts made printable and truncated."""
    match value:
        case str():
            text = printable(value)
            return text if len(text) <= 4 * _TEXT else text[: 4 * _TEXT] + "..."
        case dict():
            return {key: clean(item) for key, item in value.items()}
        case list() | tuple():
            return [clean(item) for item in value]
    return value


def _packed(lines: Iterable[str]) -> bytes:
    return zlib.compress("\n".join(lines).encode("utf-8", "replace"), 9, zlib.MAX_WBITS)


def interest(row: dict[str, Any], violating: Counter[Key], at: int) -> tuple[int, ...]:
    """Sort key of packets to explain: first violating ones, then messages, then others, spread over time."""
    spread = int(f"{at:016b}"[::-1], 2)
    is_faulty = row["partial"] or violating.get(_key(row), 0)
    return not is_faulty, row["type"] != "UserMessage", spread, at


def _kind(row: dict[str, Any], violating: Counter[Key]) -> tuple[Any, ...]:
    """The key of packets of which at least one is explained."""
    violates = _key(row) in violating
    return row["type"], row["partial"], row["message_class"], row["body_form"], violates


def pack_explanations(packets: Sequence[bytes], room: int) -> tuple[bytes, int]:
    """Return compressed explanations, as many as fit, and their number."""
    packer, recurring = zlib.compressobj(9), Recurring()
    packed = b""
    count = 0
    for data in packets:
        packed += packer.compress(recurring.encoded(explain(data)).encode() + b"\n")
        count += 1
        if not count % _TOGETHER:
            packed += packer.flush(zlib.Z_SYNC_FLUSH)
            if len(packed) >= room:
                break
    return packed + packer.flush(), count
