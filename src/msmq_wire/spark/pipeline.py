"""Captures to tables in one pass: files to segments, one exchange, and workers that make all tables.

1. Workers read files and send segments to the bucket of their connection.  One task for each bucket orders
   the segments, reassembles them, decodes and validates each packet once, and counts the rows that it made.
2. The results of all tasks are stored in `stage` under the output, table by table, and then written as tables
   by Spark's own writers.  On one machine, the tasks write Parquet files there, and the driver moves them.
   Counts come from the tasks: no table is read again.
3. `make` overwrites the tables.  A run that was killed is simply repeated; nothing is appended, so no row is
   duplicated.  The table `run` states whether the tables belong together: its only row is ``running`` while
   they are replaced and ``complete`` at the end.  Only one process writes an output at a time
   (`captures.locks`).
4. `take` adds new captures: the cost of an increment depends on the new captures and on the open connections,
   whose segments are kept in `state` under the output.  Tables of the directory and `frames` are rebuilt.  An
   increment is valid when its row of `run` exists, which is written last; if it is killed before that, it is
   repeated and replaced.  If tables of a valid increment are missing, all captures are read again.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import uuid4

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.errors import AnalysisException
from pyspark.sql import functions as F  # the usual name

from msmq_wire import captures
from msmq_wire.captures.engine import frame_rows
from msmq_wire.captures.files.reading import Tally, reunited_batches
from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.captures.files.sources import shown
from msmq_wire.captures.flows.framing import PIECES
from msmq_wire.captures.gathering import GATHERED, needed
from msmq_wire.captures.locks import Lock
from msmq_wire.captures.network.fragments import PendingDatagram
from msmq_wire.captures.rows.packets import CLOCK_TOLERANCE
from msmq_wire.captures.schemas import plain
from msmq_wire.captures.table_builder import ImbalanceError
from msmq_wire.captures.tables import quarantine_of_segments, sensor_of
from msmq_wire.captures.writing import (
    BATCH,
    OPEN,
    SCHEMA_VERSION,
    check_apart,
    check_output,
    remove_older,
)
from msmq_wire.checks.validation import requirement_ids
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.numbers import MAX_PACKET_SIZE
from msmq_wire.values.paths import is_address

from ._inputs.contents import FrameSums
from ._inputs.inputs import Inputs, inputs_of, missing_inputs
from ._inputs.options import absolute, place_of, settings_of
from ._outputs.partitions import has_texts
from ._outputs.schema import spark_type
from ._outputs.sink import (
    WRITING,
    HadoopClaims,
    Sink,
    count_files,
    is_classic,
    local_path,
    names_in,
    remove,
)
from ._python import share_interpreter
from ._reports.progress import tasks_told
from ._reports.statistics import TaskStatistics
from ._workers.building import PARTITIONS, building, joining
from ._workers.files import Files
from ._workers.moving import KEPT, LEFT, MOVED, STATISTICS
from ._workers.open_connections import RetentionPolicy
from ._workers.reading import bucketed, regrouped, row_digests, sent
from ._workers.timeouts import IDLE, LINGER
from ._workers.unpacking import more_columns, unpacked, with_more
from .functions import register

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from pyspark.sql import DataFrame, SparkSession

    from msmq_wire.captures.files.reading import ReadLimits
    from msmq_wire.checks.profiles import ProfileName
    from msmq_wire.checks.rules import Level

    from ._inputs.options import Settings as Options

TABLES: Final = captures.TABLES
"""The tables, the same as without Spark."""
MORE: Final = ("segments", "pieces")
"""Intermediate tables, written if they are requested."""

_SCHEMAS: Final[Mapping[str, pa.Schema]] = {**captures.SCHEMAS, "segments": SEGMENTS, "pieces": PIECES}
_BUCKET: Final = 16 << 20
"""Bytes of capture files for each bucket."""
_MOST_BUCKETS: Final = 8192
_JOINED: Final = 20_000
"""Gathered rows for each task that makes tables of them."""
_AT_ONCE: Final = 4
"""Number of tables that are written in parallel."""
_WHILE_MAKING: Final = {
    "spark.sql.parquet.columnarReaderBatchSize": "8",  # moved rows have megabytes
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",  # as on a desk; INT96 has no zone
    # Otherwise Spark sorts staged rows by table before it writes them.
    "spark.sql.maxConcurrentOutputFileWriters": "32",
}
_SETTING_ASIDE: Final = {**WRITING, "compression": "uncompressed", "parquet.enable.dictionary": "false"}
_NOTHING: Final = frozenset({"PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA"})
_ADDED: Final = ("date",)
_FRAME_SUMS: Final = "content int, frame bigint, sums binary"
"""The columns of `FrameSums`, which increments keep."""
_INCREMENTS: Final = ("date", "sensor")
"""Default partition columns of the tables of increments."""


class _State(NamedTuple):
    """The state that an increment needs from earlier ones.

    Attributes:
        batch: Number of earlier increments.
        marks: How much of the files was read.
        facts: Statistics of the workers about final rows.
        open_facts: The same for rows that the next increment replaces.
        streams: By query of a stream, the number of the last batch that was added.
        files: By number of a valid increment and table, the number of files with final rows, and with others.
    """

    batch: int = 0
    marks: bytes = b""
    facts: bytes = b""
    open_facts: bytes = b""
    streams: dict[str, int] = {}  # noqa: RUF012  # it is never modified
    files: dict[int, dict[str, tuple[int, int]]] = {}  # noqa: RUF012  # as above


class Stage(NamedTuple):
    """The result of a stage.

    Attributes:
        name: The table, or ``captures`` for the pass over all captures.
        rows: Number of rows; for the pass, number of packets.
        seconds: Duration in seconds.
    """

    name: str
    rows: int
    seconds: float


class Pipeline:
    """Captures to tables in one output directory.

    >>> pipeline = Pipeline(spark, "/data/tables")
    >>> pipeline.read(["/data/captures"])
    >>> pipeline.make()
    >>> pipeline.table("messages").groupBy("destination").count().show()

    Attributes:
        spark: The session, also of Spark Connect.
        output: The location of the tables: a directory or a URL that Spark can write to.
        tables: The tables to write.
        stages: The completed stages.
        facts: Statistics of the workers about the rows.
    """

    def __init__(
        self,
        spark: SparkSession,
        output: str,
        *,
        tables: Iterable[str] | None = None,
        max_packet_size: int = MAX_PACKET_SIZE,
        form: str = "parquet",
        catalog: str | None = None,
        partition_by: Sequence[str] | None = None,
        idle: float = IDLE,
        linger: float = LINGER,
        progress: Callable[[str], None] = lambda _line: None,
        lock: Lock | None = None,
        break_lock: bool = False,
        level: Level = "must",
        profile: ProfileName | None = None,
        ignore: Collection[str] = (),
        clock_tolerance: float = CLOCK_TOLERANCE,
    ) -> None:
        """Begin.

        Args:
            spark: The session.
            output: The location of the tables.
            tables: The tables to write, of `TABLES` and `MORE`; None for all of `TABLES`.
            max_packet_size: The largest accepted PacketSize in bytes.
            form: Spark's name of the table format.
            catalog: The catalog and schema of the tables, such as ``lake.msmq``; None for paths under
                `output`.  `run` is always under `output`.
            partition_by: Partition columns, for tables that have them; `date` is derived from the time.
                None: `date` and `sensor` for increments, otherwise none.
            idle: Seconds without a segment after which an open connection ends, for increments; by the time
                of the captures.
            linger: The same for a closed connection, whose segments may be repeated.
            progress: A function that is called with lines about the progress.
            lock: The lock of the output, if it is held already; otherwise each method that writes takes it,
                and `read` keeps it for `make`.  Through Spark Connect, an output at a URL has no lock.
            break_lock: Whether to ignore the lock file of a writer that was killed; needed only where the
                file system has no locks.
            level: The level up to which `violations` has violations, as in `validate`.
            profile: A version of Windows with which packets are compared, as in `validate`.
            ignore: Ids of requirements that are not reported.
            clock_tolerance: As in `captures.Settings`.  Increments of one output need the same values of
                these four.

        Raises:
            MsmqWireError: There is no such table, column, level or profile.
        """
        share_interpreter(spark)
        self.spark = spark
        self.output = output.rstrip("/")
        self.tables = chosen(tables)
        check_columns(partition_by or (), self.tables)
        self.stages: list[Stage] = []
        self.facts = TaskStatistics()
        self._settings = captures.checked_settings(
            captures.Settings(
                max_packet_size=max_packet_size,
                level=level,
                profile=profile,
                ignore=requirement_ids(ignore),
                clock_tolerance=clock_tolerance,
            )
        )
        self._progress = progress
        self._options: Options | None = None
        self._partition_by = partition_by
        self._sink = Sink(spark, self.output, form, catalog, tuple(partition_by or ()))
        self._waits = idle, linger
        self._batch: int | None = None
        self._run = uuid4().hex
        self._given_lock, self._break_lock = lock, break_lock
        self._held: AbstractContextManager[object] | None = None  # from `read` to `make`
        self._files: Files | None = None
        self._written: defaultdict[str, list[str]] = defaultdict(list)  # files of tasks by table
        self._left: list[PendingDatagram] = []
        self._reunited: list[bytes] = []  # digests of the datagrams that tasks have reassembled
        self._joined: dict[str, list[str]] = {}  # by stage, the gathered rows of which it made tables
        self._quarantined: list[pa.RecordBatch] = []  # rows of the driver
        self._statistics = {
            0: TaskStatistics(),
            1: TaskStatistics(),
        }  # the key is 1 for rows that the next increment replaces

    def _path(self, name: str) -> str:
        return f"{self.output}/{name}"

    def _stage(self, name: str) -> str:
        """Return the path of data that this run stages."""
        return self._path(f"stage/{self._run}/{name}")

    def _lock(self) -> AbstractContextManager[object]:
        """Return the lock of the output."""
        if self._given_lock is not None:
            return nullcontext()
        location = place_of(self.output)
        if not is_address(location):
            return Lock(location, breaks=self._break_lock)
        if not is_classic(self.spark):
            return nullcontext()
        return Lock(location, HadoopClaims(self.spark, self.output), breaks=self._break_lock)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the lock, and begin a new run."""
        self._release()
        with self._lock():
            self._run = uuid4().hex
            yield

    def _release(self) -> None:
        lock, self._held = self._held, None
        if lock is not None:
            lock.__exit__(None, None, None)

    def table(self, name: str) -> DataFrame:
        """A written table; for increments, up to the last complete one.

        Raises:
            MsmqWireError: There is no such table.
        """
        (name,) = chosen([name])
        return self._sink.read(name, _SCHEMAS[name], self._last().batch or None)

    def _mark(self, state: str, **more: Any) -> None:
        """Write the row of `run`; readers find all rows of the old one, this, or nothing."""
        stages = json.dumps([stage._asdict() for stage in self.stages])
        columns = {
            "id": F.lit(self._run), "state": F.lit(state), "stages": F.lit(stages),
            "at": F.current_timestamp(),
            "schema_version": F.lit(SCHEMA_VERSION), **{name: F.lit(value) for name, value in more.items()},
        }  # fmt: skip
        row = self.spark.range(0, 1, 1, 1).select(*(value.alias(name) for name, value in columns.items()))
        if self._batch is not None:
            row.write.mode("overwrite").parquet(self._path(f"run/{BATCH}={self._batch}"))
            return
        there, new = (
            local_path(self.spark, location) for location in (self._path("run"), self._stage(state))
        )
        if there is None or new is None:
            row.write.mode("overwrite").parquet(self._path("run"))
            return
        row.write.mode("overwrite").parquet(self._stage(state))
        self._withdraw(f"before {state}")
        new.rename(there)

    def _withdraw(self, name: str) -> None:
        """Move `run` into the stage, under a name: readers find all its rows or none."""
        there, aside = (
            local_path(self.spark, location) for location in (self._path("run"), self._stage(name))
        )
        if there is None or aside is None:
            remove(self.spark, self._path("run"))
        elif there.exists():
            aside.parent.mkdir(parents=True, exist_ok=True)
            there.rename(aside)

    def _done(self, name: str, rows: int, start: float) -> None:
        stage = Stage(name, rows, time.monotonic() - start)
        self.stages.append(stage)
        is_counted = name != "captures" or "packets" in self.tables
        what = f"{stage.rows:,} {'packets' if name == 'captures' else 'rows'}" if is_counted else "read"
        self._progress(f"{name}: {what} in {stage.seconds:.1f} s")

    # --------------------------------------------------------------------------------------- captures

    def read(
        self, inputs: str | os.PathLike[str] | Iterable[Any], options: Mapping[str, str] | None = None
    ) -> None:
        """Set the captures for `make`.

        Args:
            inputs: Files, directories and patterns, or one of them.
            options: Options of the source ``msmq``; ``tcpPorts`` is ``any`` by default, so that MSMQ is
                detected by its bytes.  With ``access`` ``spark`` or ``own``, Spark or the workers open files;
                by default, Spark opens URLs and the workers open paths.

        Raises:
            MsmqWireError: An option is invalid, or an input is not a path.
        """
        inputs = captures.paths_of(inputs)
        given = self._given(inputs, options)
        self._options = settings_of(given)
        check_apart(self.output, inputs)
        self._release()
        lock = self._lock()
        lock.__enter__()
        self._held = lock
        try:
            self._begin_run(given)
        except BaseException:
            self._release()
            raise

    def _begin_run(self, given: dict[str, str]) -> None:
        self._run = uuid4().hex
        self._batch = None
        self._sink = replace(self._sink, partition_by=tuple(self._partition_by or ()))
        self._sink.check((name, self._none(_SCHEMAS[name])) for name in self.tables)
        if "segments" in self.tables:
            self._mark("running")
            register(self.spark)
            start = time.monotonic()
            self._progress("segments ...")
            given.pop("access", None)
            rows = self.spark.read.format("msmq").options(**given).load()
            rows.write.mode("overwrite").options(**WRITING).parquet(self._path("segments"))
            self._done("segments", self.spark.read.parquet(self._path("segments")).count(), start)

    def _given(self, inputs: Sequence[str], options: Mapping[str, str] | None) -> dict[str, str]:
        lower_options = {name.lower(): value for name, value in (options or {}).items()}
        if is_classic(self.spark) and lower_options.get("access", "").lower() != "spark":
            inputs = [absolute(location) for location in inputs]  # workers have directories of their own
        return {"tcpports": "any", **lower_options, "paths": json.dumps([*inputs])}

    def make(self) -> None:
        """Make the tables.

        Raises:
            MsmqWireError: `read` was not called, or a path does not exist.
            ImbalanceError: Packets, quarantine and gaps do not add up to the flows.
        """
        if self._options is None:
            raise MsmqWireError("there are no captures: call read(inputs) first")
        try:
            if self._held is None:  # `make` is called a second time
                self._held = self._lock()
                self._held.__enter__()
                self._run = uuid4().hex
            self._make_all(self._options)
        finally:
            self._release()

    def _make_all(self, options: Options) -> None:
        self._statistics, self._joined = {0: TaskStatistics(), 1: TaskStatistics()}, {}
        self._quarantined = []
        with self._making():
            inputs = inputs_of(self.spark, options)
            self._files = self._own_files()
            count = _buckets(inputs.size)
            self._captures(inputs.moved(count), count, None)
            self._reunite(inputs, count, options.limits)
            self.facts = self._statistics[0]
            if self._gathered:
                self._join(self._aside(self._gathered), TaskStatistics())
            self._mark("running")
            self._remove_older()
            self._write_all()
            self._mark("complete")
        self._progress("complete")

    # ------------------------------------------------------------------------------------- increments

    def take(
        self, inputs: str | os.PathLike[str] | Iterable[Any], options: Mapping[str, str] | None = None
    ) -> int:
        """Add new captures to the tables as an increment; `state` records what was read.

        Args:
            inputs: Directories and patterns, or one of them; the same each time.
            options: As for `read`.

        Returns:
            The number of new files or parts of files; 0 if the tables are unchanged.

        Raises:
            MsmqWireError: An option is invalid, an input is not a path, the existing tables were not made by
                `take`, or tables of this format in a catalog cannot replace rows.
            ImbalanceError: Packets, quarantine and gaps do not add up to the flows.
        """
        inputs = captures.paths_of(inputs)
        settings = settings_of(self._given(inputs, options))
        check_apart(self.output, inputs)
        with self._writing():
            state = self._begin(settings)
            came = inputs_of(self.spark, settings, state.marks, partial(self._frame_sums, state.batch))
            if came.files or not state.batch:
                self._increment(came, state)
            else:
                self.facts = _facts(state.facts, state.open_facts)
            return came.files

    def add(self, rows: DataFrame, number: int, query: str | None = None) -> None:
        """Add segments to the tables exactly once, for ``foreachBatch`` of a stream of the format ``msmq``.

        Frames that are not segments are not counted in `frames`.

        Args:
            rows: Rows of the format ``msmq``.
            number: The number of the batch; a batch that was already added is ignored.
            query: Identifies the query; None for its id from the checkpoint, which Spark Connect does not
                provide.  With an id of your own, tables may begin with any batch.

        Raises:
            MsmqWireError: The tables are from another query, or lack batches of this one, or as in `take`.
            ImbalanceError: As in `take`.
        """
        with self._writing():
            self._add(rows, number, query)

    def _add(self, rows: DataFrame, number: int, query: str | None) -> None:
        state = self._begin()
        is_of_spark = query is None
        if query is None:
            query = str(self.spark.sparkContext.getLocalProperty("sql.streaming.queryId"))
            if state.streams and query not in state.streams:
                raise MsmqWireError(
                    f"{shown(self.output)} has tables of another query: one without its checkpoint reads all "
                    "captures again, and needs another output; queries of different captures are told apart "
                    "by add(query=)"
                )
        last = state.streams.get(query, -1)
        if number <= last:
            return
        if is_of_spark and number > last + 1:
            raise MsmqWireError(
                f"{shown(self.output)} lacks batch {last + 1} of the query, and this is batch {number}: "
                "without its checkpoint the query reads all captures again"
            )
        (facts,) = rows.agg(F.sum("captured").alias("size")).collect()

        def moved(count: int) -> DataFrame:
            return rows.select(*SEGMENTS.names).mapInArrow(bucketed(count), MOVED)

        came = Inputs(int(facts.size or 0), 1, state.marks, moved, moved)
        self._increment(came, state._replace(streams={**state.streams, query: number}))

    def _begin(self, settings: Options | None = None) -> _State:
        """Return the state of the tables, which are those of increments and whole.

        If some are missing, all captures are read again; with `settings`, if they still exist.
        """
        if "segments" in self.tables:
            raise MsmqWireError("increments have no table segments")
        columns = _INCREMENTS if self._partition_by is None else self._partition_by
        self._sink = self._sink.for_increments(columns)
        self._sink.check((name, self._none(_SCHEMAS[name])) for name in self.tables)
        state = self._last()
        if not state.batch:
            self._check_increments()
        elif settings is None and not state.streams:
            raise MsmqWireError(
                f"{shown(self.output)} has tables of increments, "
                "and a query can only continue tables of queries"
            )
        elif settings is not None and state.streams:
            raise MsmqWireError(
                f"{shown(self.output)} has tables of a query, and increments can only continue increments"
            )
        missing = self._missing(state)
        if missing is None:
            return state
        gone = (
            ["the input of a query"]
            if settings is None
            else missing_inputs(self.spark, settings, state.marks)
        )
        if gone:
            raise MsmqWireError(
                f"{missing} is missing, and {gone[0]}, from which it was made, no longer exists: "
                "nothing was changed; put it back, or choose another output"
            )
        self._progress(f"{missing} is missing: all captures are read again")
        location = place_of(self.output)
        if not is_address(location):
            check_output(location, [])
        self._withdraw("before all are read again")
        for name in (*TABLES, "pieces", "state"):
            remove(self.spark, self._path(name))
        return _State()

    def _check_increments(self) -> None:
        """Check that there are no tables but those of increments.

        Raises:
            MsmqWireError: There are.
        """
        problem = f"{shown(self.output)} has tables of one run, and increments can only continue increments"
        try:
            there = self.spark.read.parquet(self._path("run")).columns
        except AnalysisException:
            there = [BATCH]
        if BATCH not in there:
            raise MsmqWireError(problem)
        if self._sink.has_folders():
            for name in self.tables:
                files = names_in(self.spark, self._path(name))
                if any(not file.startswith((f"{BATCH}=", "_", ".")) for file in files):
                    raise MsmqWireError(problem)

    def _missing(self, state: _State) -> str | None:
        """Return a missing file of a valid increment; remove the files of increments that were killed."""
        if not self._sink.has_folders():
            return None
        by_table: dict[str, set[int]] = {name: set() for name in self.tables}
        for batch, counts in state.files.items():
            for name in counts:
                by_table.setdefault(name, set()).add(batch)
        if self._kept_rows:
            by_table["state/gathered"] = {*state.files}
        by_table["state/kept"] = {state.batch} & {*state.files}
        keeps = {*range(1, state.batch + 1)} if state.batch not in state.files else set()
        for name, batches in by_table.items():
            location = self._path(name)
            wanted = {f"{BATCH}={batch}" for batch in batches}
            there = {folder for folder in names_in(self.spark, location) if folder.startswith(f"{BATCH}=")}
            for folder in sorted(wanted - there):
                return shown(f"{location}/{folder}")
            for folder in there - wanted - {f"{BATCH}={batch}" for batch in keeps}:
                remove(self.spark, f"{location}/{folder}")
        for name, expected in state.files.get(state.batch, {}).items():
            if self._count_files(name, state.batch) != expected:
                return f"a file in {shown(self._path(name))}/{BATCH}={state.batch}"
        return None

    def _count_files(self, name: str, batch: int) -> tuple[int, int]:
        """Return the number of files with final rows of an increment, and with others."""
        location = f"{self._path(name)}/{BATCH}={batch}/{OPEN}="
        return count_files(self.spark, f"{location}0"), count_files(self.spark, f"{location}1")

    def _remove_older(self) -> None:
        """Remove the tables of older runs, if they are files of this machine."""
        location = place_of(self.output)
        if not is_address(location):
            remove_older(Path(location), {*self.tables, "run", "stage"})
        else:
            remove(self.spark, self._path("state"))

    def _last(self) -> _State:
        """Return the state after the last complete increment."""
        try:
            rows = self.spark.read.option("mergeSchema", "true").parquet(self._path("run"))
            if BATCH not in rows.columns or "marks" not in rows.columns:
                return _State()
            last = rows.orderBy(F.desc(BATCH)).first()
            notes = rows.select(BATCH, "files").collect() if "files" in rows.columns else []
        except AnalysisException as error:
            if error.getCondition() in _NOTHING:
                return _State()
            raise
        if last is None:
            return _State()
        if last.schema_version > SCHEMA_VERSION:
            raise MsmqWireError(
                f"{shown(self.output)} has tables of schema version {last.schema_version}; "
                f"this msmq_wire knows versions up to {SCHEMA_VERSION}"
            )
        marks, facts, still = (bytes(last[name]) for name in ("marks", "facts", "open_facts"))
        files = {
            int(row[0]): {name: (closed, others) for name, (closed, others) in json.loads(row[1]).items()}
            for row in notes
            if row[1]
        }
        return _State(int(last[BATCH]), marks, facts, still, json.loads(last.streams), files)

    def _increment(self, came: Inputs, state: _State) -> None:
        self._statistics, self._joined = {0: TaskStatistics(), 1: TaskStatistics()}, {}
        self.stages.clear()
        self._quarantined = []
        before = _facts(state.facts)
        with self._making():
            self._batch = batch = state.batch + 1
            self._files = self._own_files()
            kept = self._kept(state.batch)
            count = _buckets(came.size + self._kept_size(kept))
            moved = came.moved(count)
            if kept is not None:
                moved = moved.union(kept.mapInArrow(regrouped(count), MOVED))
            late = _facts(state.open_facts).late
            self._captures(moved, count, RetentionPolicy(before.last, *self._waits, late))
            self._keep(batch, came.frame_sums)
            closed, still = self._statistics[0], self._statistics[1]
            if self._gathered:
                self._join(self._all_gathered(batch), before, is_open=True)
            before.add(closed)
            self.facts = _facts(before.encode(), still.encode())
            self._write_all()
            facts = {"facts": before.encode(), "open_facts": still.encode()}
            files = {}
            if self._sink.has_folders():
                files = {name: self._count_files(name, batch) for name in self.tables}
            self._mark(
                "complete",
                marks=came.marks,
                **facts,
                streams=json.dumps(state.streams),
                files=json.dumps(files),
            )
            self._sink.forget(self.tables, batch - 2)
            remove(self.spark, self._path(f"state/kept/{BATCH}={batch - 1}"), [""])
        self._progress("complete")

    # ----------------------------------------------------------------------------------------- tables

    def _own_files(self) -> Files | None:
        """Return where the tasks write tables themselves; None if Spark writes them."""
        if not self._sink.is_here:
            return None
        location = Path(self._stage("files")).absolute()
        schemas, partition_by = {}, {}
        for name in self._wanted:
            schema = self._with_more(name)
            columns = self._sink.columns(schema.names, self._batch)
            if not all(has_texts(schema.field(column).type) for column in columns):
                return None
            schemas[name] = pa.schema([field for field in schema if field.name not in columns])
            partition_by[name] = columns
        return Files(str(location), schemas, partition_by if any(partition_by.values()) else {})

    def _with_more(self, name: str) -> pa.Schema:
        """Return the columns of a table, with those that partitions need."""
        more = [column for column in _ADDED if column in self._sink.partition_by]
        if self._batch is not None:
            more.append(OPEN)
        return with_more(_SCHEMAS[name], more)

    @property
    def _wanted(self) -> frozenset[str]:
        return frozenset(self.tables) - {"segments"}

    @property
    def _gathered(self) -> list[str]:
        """The names of the rows that are gathered for the tables, in the order of `GATHERED`."""
        names = needed(self._wanted)
        return [name for name in GATHERED if name in names]

    @contextmanager
    def _making(self) -> Iterator[None]:
        """Use settings for rows of megabytes; remove staged data at the end."""
        remove(self.spark, self._path("stage"))  # of a run that was killed
        usual = {name: str(self.spark.conf.get(name)) for name in _WHILE_MAKING}
        for name, value in _WHILE_MAKING.items():
            self.spark.conf.set(name, value)
        try:
            yield
        finally:
            for name, value in usual.items():
                self.spark.conf.set(name, value)
            remove(
                self.spark, self._path("stage"), [f"{self._run}/{name}" for name in ("made", *self._joined)]
            )

    def _captures(self, moved: DataFrame, count: int, keeping: RetentionPolicy | None) -> None:
        """Run the pass over all segments."""
        start = time.monotonic()
        self._progress("captures ...")
        self._written.clear()
        worker = building(self._settings, self._wanted, keeping, self._files)
        with tasks_told(self.spark, "captures", self._progress):
            self._set_aside("made", moved.repartitionById(count, F.col("bucket")).mapInArrow(worker, MOVED))
        wrong = [problem for facts in self._statistics.values() for problem in facts.wrong]
        if wrong:
            raise ImbalanceError("; ".join(wrong))
        packets = sum(sum(facts.counts.get("packets", {}).values()) for facts in self._statistics.values())
        self._done("captures", packets, start)

    def _reunite(self, inputs: Inputs, count: int, limits: ReadLimits) -> None:
        """Reassemble datagrams whose fragments are in several files, or in several parts of a file.

        If others are complete then than the tasks have found among their own fragments, the pass is repeated
        with them, because their connections were made without them.
        """
        tallies: defaultdict[str, Tally] = defaultdict(Tally)
        whole: list[tuple[Any, ...]] = []
        complete: list[bytes] = []
        for batch in reunited_batches(self._left, limits, tallies, sensor_of):
            good = pc.is_null(batch.column("error"))
            self._quarantined.append(quarantine_of_segments(batch.filter(pc.invert(good))))
            complete += row_digests(batch.filter(good))
            sending = sent(batch.filter(good), count)
            whole += [tuple(row.values()) for batch_sent in sending for row in batch_sent.to_pylist()]
        if sorted(complete) != sorted(self._reunited):
            self._progress("captures again, with datagrams whose fragments are in several files or parts")
            self._statistics = {0: TaskStatistics(), 1: TaskStatistics()}
            moved = inputs.moved_apart(count).union(self.spark.createDataFrame(whole, MOVED))
            self._captures(moved, count, None)
        for name, tally in tallies.items():
            self._statistics[0].tally(name, tally)
        for batch in self._quarantined:
            self._statistics[0].take("quarantine", batch)

    def _set_aside(self, name: str, rows: DataFrame) -> None:
        location = self._stage(name)
        written = rows.write.mode("overwrite").options(**_SETTING_ASIDE).partitionBy("table")
        written.parquet(location)
        self._left, self._reunited = [], []
        rows = self.spark.read.schema(MOVED).parquet(location)
        for row in rows.where(F.col("table").isin(STATISTICS, LEFT)).collect():
            if row.table == LEFT:
                reunited, left = msgspec.msgpack.decode(
                    bytes(row.data), type=tuple[list[bytes], list[PendingDatagram]]
                )
                self._reunited += reunited
                self._left += left
            else:
                facts = msgspec.msgpack.decode(bytes(row.data), type=TaskStatistics)
                self._statistics[row.open].add(facts)
                for table, files in facts.files.items():
                    self._written[table] += files

    def _aside(self, names: Collection[str]) -> DataFrame:
        """Return the moved rows of tables, or of gathered rows, from all stages so far."""
        stages = ["made"]
        for stage, joined in self._joined.items():
            if any(not GATHERED[name].gives.isdisjoint(names) for name in joined):
                stages.append(stage)
        # One by one: of several folders in one call, Spark wants the folder above, which has others too.
        rows, *others = [self.spark.read.schema(MOVED).parquet(self._stage(stage)) for stage in stages]
        for more in others:
            rows = rows.union(more)
        return rows.where(F.col("table").isin(*names))

    def _join(self, rows: DataFrame, earlier: TaskStatistics, *, is_open: bool = False) -> None:
        """Make the tables of gathered rows.

        Few rows are joined by one task; it also joins the rows that tables are made of in turn.

        Args:
            rows: All gathered rows.
            earlier: The statistics of earlier increments.
            is_open: Whether the next increment replaces the tables.
        """
        watched = TaskStatistics()
        for statistics in (earlier, *self._statistics.values()):
            watched.note_until(statistics.until)
        names = self._gathered
        while names:
            counted = [earlier, *self._statistics.values()]
            count = sum(statistics.rows.get(name, 0) for statistics in counted for name in names)
            if not count:
                return
            tasks = min(-(-count // _JOINED), PARTITIONS)
            given = {name for own in names for name in GATHERED[own].gives}
            own = [name for name in names if tasks == 1 or name not in given]
            worker = joining(own, self._wanted, self._settings, watched.until, self._files, is_open=is_open)
            stage = f"joined-{len(self._joined)}"
            grouped = rows.repartitionById(tasks, F.col("bucket") % tasks)
            self._set_aside(stage, grouped.mapInArrow(worker, MOVED))
            self._joined[stage] = own
            names = [name for name in names if name not in own]
            if names:
                rows = self._aside(names)

    def _write_all(self) -> None:
        names = [name for name in self.tables if name != "segments"]
        crew = ThreadPoolExecutor(_AT_ONCE)
        try:
            for written in [crew.submit(self._write, name) for name in names]:
                written.result()
        except BaseException as error:
            # Calls that still run at an interrupt end with Spark.
            crew.shutdown(wait=not isinstance(error, KeyboardInterrupt), cancel_futures=True)
            raise
        crew.shutdown()

    def _write(self, name: str) -> None:
        start = time.monotonic()
        if self._files is None:  # otherwise files are moved, which takes no time
            self._progress(f"{name} ...")
        count = sum(facts.rows.get(name, 0) for facts in self._statistics.values())
        frames = frame_rows(self.facts.tallies()) if name == "frames" else None
        if frames is not None:
            count = frames.num_rows
        if self._files is not None:
            batches = [frames] if frames is not None else self._quarantined if name == "quarantine" else []
            written = self._written[name]
            if batches:
                own = self._files.task([name], is_open=frames is not None)
                for batch in batches:
                    own.add(name, batch)
                written += own.close().get(name, [])
            self._sink.put(name, self._files, written, self._stage(""), self._batch)
            self._done(name, count, start)
            return
        full = self._with_more(name)
        if frames is not None:
            columns = more_columns(pa.Table.from_batches([frames]), full.names, is_open=1)
            rows = self.spark.createDataFrame(columns, spark_type(full)).coalesce(1)
        elif not count:
            rows = self._none(full)
        else:
            aside = self._aside([name]).select("data", "open")
            rows = aside.mapInArrow(unpacked(plain(full)), spark_type(full))
            if name == "quarantine" and self._quarantined:
                columns = more_columns(pa.Table.from_batches(self._quarantined), full.names, is_open=0)
                rows = rows.union(self.spark.createDataFrame(columns, spark_type(full)))
        self._sink.write(name, rows, self._batch, is_empty=not count)
        self._done(name, count, start)

    def _none(self, schema: pa.Schema) -> DataFrame:
        """Return a data frame with these columns and no rows."""
        fields = spark_type(schema).fields
        columns = [
            F.lit(None).cast(field.dataType).alias(field.name, metadata=field.metadata) for field in fields
        ]
        return self.spark.range(0, 0, 1, 1).select(*columns)

    # ------------------------------------------------------------------------------------------ state

    def _kept(self, batch: int) -> DataFrame | None:
        """Return the segments of connections that were open after an increment."""
        if not batch:
            return None
        return self.spark.read.schema(MOVED).parquet(self._path(f"state/kept/{BATCH}={batch}"))

    @staticmethod
    def _kept_size(kept: DataFrame | None) -> int:
        sizes = [] if kept is None else kept.agg(F.sum(F.length("data"))).collect()
        return int(sizes[0][0] or 0) if sizes else 0

    def _frame_sums(self, batch: int, contents: list[int]) -> list[FrameSums]:
        """Return the checksums of the frames of contents that were read up to an increment."""
        if not names_in(self.spark, self._path("state/frame_sums")):
            return []
        rows = self.spark.read.schema(f"{_FRAME_SUMS}, {BATCH} int").parquet(self._path("state/frame_sums"))
        rows = rows.where((F.col(BATCH) <= batch) & F.col("content").isin(contents)).drop(BATCH)
        return [FrameSums(content, frame, bytes(sums)) for content, frame, sums in rows.collect()]

    def _keep(self, batch: int, frame_sums: Sequence[FrameSums]) -> None:
        """Write the state for the next increment."""
        location = self._path(f"state/frame_sums/{BATCH}={batch}")
        remove(self.spark, location)
        if frame_sums:
            sums = self.spark.createDataFrame([tuple(row) for row in frame_sums], _FRAME_SUMS)
            sums.coalesce(1).write.mode("overwrite").options(**_SETTING_ASIDE).parquet(location)
        for name, tables in (("kept", [KEPT]), ("gathered", self._kept_rows)):
            if tables:
                rows = self._aside(tables)
                rows.write.mode("overwrite").options(**_SETTING_ASIDE).parquet(
                    self._path(f"state/{name}/{BATCH}={batch}")
                )

    @property
    def _kept_rows(self) -> list[str]:
        """The gathered rows that buckets return, which increments keep; others are made of them."""
        names = {name for rows in GATHERED.values() for name in rows.gives}
        return [name for name in self._gathered if name not in names]

    def _all_gathered(self, batch: int) -> DataFrame:
        """Return all gathered rows up to an increment."""
        rows = self.spark.read.schema(f"{MOVED}, {BATCH} int").parquet(self._path("state/gathered"))
        counts = (F.col(OPEN) == 0) | (F.col(BATCH) == batch)
        return rows.where((F.col(BATCH) <= batch) & counts).drop(BATCH)


def _facts(*parts: bytes) -> TaskStatistics:
    """Add up the statistics of workers."""
    facts = TaskStatistics()
    for data in parts:
        if data:
            facts.add(msgspec.msgpack.decode(bytes(data), type=TaskStatistics))
    return facts


def chosen(names: Iterable[str] | None) -> list[str]:
    """Return the tables with these names; for None, all of `TABLES`.

    Raises:
        MsmqWireError: There is no such table, or no name.
    """
    names = [names] if isinstance(names, str) else names
    tables = [*TABLES] if names is None else list(dict.fromkeys(names))
    if not tables:
        raise MsmqWireError("tables: expected a table, got none")
    for name in tables:
        if name not in _SCHEMAS:
            raise MsmqWireError(f"there is no table {name!r}; there are {', '.join((*TABLES, *MORE))}")
    return tables


def check_columns(columns: Iterable[str], tables: Iterable[str]) -> None:
    """Check that tables can be partitioned by columns.

    Raises:
        MsmqWireError: No table has such a column.
    """
    for name in columns:
        if name not in _ADDED and not any(name in _SCHEMAS[table].names for table in tables):
            raise MsmqWireError(f"no table has a column {name!r} by which it could be partitioned")


def _buckets(size: int) -> int:
    """Return the number of buckets for captures of this size."""
    return min(max(-(-size // _BUCKET), 1), _MOST_BUCKETS)
