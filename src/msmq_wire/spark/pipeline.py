"""From captures to tables in one pass: files to segments, one exchange, and workers that make all tables.

1. Workers read files and bring segments to the bucket of their connection.  One task a bucket puts them in
   order and together, reads each packet once, judges it, and says how many rows of what it made.
2. What all tasks made is set aside in `stage` under the output, table by table, and then written as tables by
   Spark's own writers.  Numbers come from what tasks said: no table is read again.
3. A table is overwritten with what follows from the captures.  A run that was killed is simply run again;
   nothing is appended, so nothing is there twice.  The table `run` says whether the tables belong together:
   its one row is ``running`` from the beginning and ``complete`` at the end.
4. A stream only brings segments, exactly once; the tables are then made anew from all of them, without
   `frames`: of what is no segment nothing is kept.
"""

from __future__ import annotations

import json
import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import pyarrow as pa
from pyspark.sql import functions as F  # as everybody calls it

from msmq_wire import captures
from msmq_wire.captures.engine import ImbalanceError, frame_rows
from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.captures.flows.framing import PIECES
from msmq_wire.captures.schemas import plain
from msmq_wire.packets.packet import MAX_PACKET_SIZE
from msmq_wire.values.errors import MsmqWireError

from . import _work as work
from ._facts import Facts
from ._options import settings_of
from ._schema import spark_type
from .functions import register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from ._options import Settings as Options

__all__ = ["MORE", "TABLES", "ImbalanceError", "Pipeline", "Stage", "chosen"]

TABLES: Final = captures.TABLES
"""The tables, the same as without Spark."""
MORE: Final = ("segments", "pieces")
"""What tables are made of; written if it is asked for."""

_SCHEMAS: Final[Mapping[str, pa.Schema]] = {**captures.SCHEMAS, "segments": SEGMENTS, "pieces": PIECES}
_DIRECTORY: Final = frozenset(name for name in TABLES if name.startswith("directory_"))
_BUCKET: Final = 16 << 20
"""How many bytes of files make a bucket."""
_MOST_BUCKETS: Final = 8192
_AT_ONCE: Final = 4
"""How many tables are written at the same time."""
_WHILE_MAKING: Final = {
    "spark.sql.parquet.columnarReaderBatchSize": "8",  # rows that were set aside have megabytes
    "spark.sql.maxConcurrentOutputFileWriters": "32",  # or what is set aside would be sorted by table
}
_WRITING: Final = {"parquet.page.size.row.check.min": "10", "parquet.block.size.row.check.min": "10"}
"""After how many rows Parquet looks whether they have become too many bytes to keep; rows have up to 4 MB."""
_SETTING_ASIDE: Final = {**_WRITING, "compression": "uncompressed", "parquet.enable.dictionary": "false"}
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


class Stage(NamedTuple):
    """What a stage did.

    Attributes:
        name: The table, or ``captures`` for the pass over all captures.
        rows: How many rows it has; of the pass, how many packets it found.
        seconds: How long it took.
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
        spark: The session, of Spark Connect as well.
        output: Where the tables are: a directory or an address that Spark can write to.
        tables: The tables to write.
        stages: What was done so far.
        facts: What workers said about the rows that they made.
    """

    def __init__(
        self,
        spark: SparkSession,
        output: str,
        *,
        tables: Iterable[str] | None = None,
        max_packet_size: int = MAX_PACKET_SIZE,
        told: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """Begin.

        Args:
            spark: The session.
            output: Where to write.
            tables: The tables to write, of `TABLES` and `MORE`; None: all of `TABLES`.
            max_packet_size: The largest PacketSize to wait for.
            told: What takes lines about the progress.

        Raises:
            MsmqWireError: There is no such table.
        """
        self.spark = spark
        self.output = output.rstrip("/")
        self.tables = chosen(tables)
        self.stages: list[Stage] = []
        self.facts = Facts()
        self._settings = captures.Settings(max_packet_size=max_packet_size)
        self._told = told
        self._options: Options | None = None  # of files that are read with the tables
        self._stored = self._path("segments")

    def _path(self, name: str) -> str:
        return f"{self.output}/{name}"

    def table(self, name: str) -> DataFrame:
        """A table that was written."""
        return self.spark.read.parquet(self._stored if name == "segments" else self._path(name))

    def _mark(self, state: str) -> None:
        stages = json.dumps([stage._asdict() for stage in self.stages])
        columns = {"state": F.lit(state), "stages": F.lit(stages), "at": F.current_timestamp()}
        made = self.spark.range(0, 1, 1, 1).select(*(value.alias(name) for name, value in columns.items()))
        made.write.mode("overwrite").parquet(self._path("run"))

    def _done(self, name: str, rows: int, start: float) -> None:
        stage = Stage(name, rows, time.monotonic() - start)
        self.stages.append(stage)
        self._told(
            f"{name}: {stage.rows:,} {'packets' if name == 'captures' else 'rows'} in {stage.seconds:.1f} s"
        )

    # --------------------------------------------------------------------------------------- captures

    def read(self, inputs: Sequence[str], options: Mapping[str, str] | None = None) -> None:
        """Say what to read; `make` reads it.

        Args:
            inputs: Files, directories and patterns.
            options: Options of the source ``msmq``; ``tcpPorts`` is ``any`` if not given, and MSMQ is told by
                its bytes.

        Raises:
            MsmqWireError: An option cannot be understood.
        """
        given = self._given(inputs, options)
        self._options = settings_of(given)
        self._mark("running")
        self._stored = self._path("segments")
        if "segments" in self.tables:
            register(self.spark)
            start = time.monotonic()
            self._told("segments ...")
            rows = self.spark.read.format("msmq").options(**given).load()
            rows.write.mode("overwrite").options(**_WRITING).parquet(self._stored)
            self._done("segments", self.table("segments").count(), start)

    @staticmethod
    def _given(inputs: Sequence[str], options: Mapping[str, str] | None) -> dict[str, str]:
        own = {name.lower(): value for name, value in (options or {}).items()}
        return {"tcpports": "any", **own, "paths": json.dumps([*inputs])}

    def take(self, inputs: Sequence[str], options: Mapping[str, str] | None = None) -> int:
        """Read the capture files that have come since the last time, each exactly once.

        What was read is in a checkpoint beside the tables, so that this goes on in another process.

        Args:
            inputs: Directories and patterns.
            options: As for `read`.

        Returns:
            How many segments came.
        """
        register(self.spark)
        self._options, self._stored = None, self._path("stream/segments")
        start = time.monotonic()
        source = self.spark.readStream.format("msmq").options(**self._given(inputs, options))
        query = (
            source.load()
            .writeStream.format("parquet")
            .options(**_WRITING)
            .option("checkpointLocation", self._path("stream/checkpoint"))
            .trigger(availableNow=True)
            .start(self._stored)
        )
        query.awaitTermination()
        came = sum(int(progress["numInputRows"]) for progress in query.recentProgress)
        if came:
            self._mark("running")
            self._done("segments", came, start)
        return came

    # ----------------------------------------------------------------------------------------- tables

    def make(self) -> None:
        """Make the tables.

        Raises:
            MsmqWireError: There is nothing at a path.
            ImbalanceError: Packets, quarantine and gaps do not add up to the flows.
        """
        usual = {name: str(self.spark.conf.get(name)) for name in _WHILE_MAKING}
        for name, value in _WHILE_MAKING.items():
            self.spark.conf.set(name, value)
        try:
            self._make()
        finally:
            for name, value in usual.items():
                self.spark.conf.set(name, value)
            self._clear()

    def _make(self) -> None:
        self.facts = Facts()
        start = time.monotonic()
        wanted = frozenset(self.tables) - {"segments"}
        moved, count = self._segments()
        self._told("captures ...")
        made = moved.repartitionById(count, F.col("bucket")).mapInArrow(
            work.making(self._settings, wanted), work.MOVED
        )
        self._set_aside("made", made)
        if self.facts.wrong:
            raise ImbalanceError("; ".join(self.facts.wrong))
        self._done("captures", sum(self.facts.counts.get("packets", {}).values()), start)
        if wanted & _DIRECTORY and self.facts.rows.get(work.CHANGES):
            self._make_directory(wanted & _DIRECTORY)
        left = {"segments"} if self._options else {"segments", "frames"}
        with ThreadPoolExecutor(_AT_ONCE) as crew:
            for written in [crew.submit(self._write, name) for name in self.tables if name not in left]:
                written.result()
        self._mark("complete")
        self._told("complete")

    def _segments(self) -> tuple[DataFrame, int]:
        """The segments with the numbers of their buckets, and how many of these there are."""
        if self._options is None:
            rows = self.table("segments")
            size = rows.agg(F.sum("captured")).first()
            count = _buckets(int(size[0] or 0) if size is not None else 0)
            return rows.select(*SEGMENTS.names).mapInArrow(work.bucketed(count), work.MOVED), count
        found = self.spark.range(1).mapInArrow(work.finding(self._options), work.MOVED).collect()
        tasks = [bytes(row.data) for row in found if row.table == "task"]
        (unread,) = (msgspec.msgpack.decode(bytes(row.data)) for row in found if row.table == "unread")
        count = _buckets(max((row.bucket for row in found), default=0))
        numbers = self.spark.range(0, max(len(tasks), 1), 1, max(len(tasks), 1))
        worker = work.reading(tasks, self._options.limits, count, unread)
        return numbers.mapInArrow(worker, work.MOVED), count

    def _set_aside(self, name: str, rows: DataFrame) -> None:
        place = self._path(f"stage/{name}")
        written = rows.write.mode("overwrite").options(**_SETTING_ASIDE).partitionBy("table")
        written.parquet(place)
        self._hear(bytes(row.data) for row in self._aside(name, work.SAID).collect())

    def _aside(self, name: str, table: str) -> DataFrame:
        rows = self.spark.read.schema(work.MOVED).parquet(self._path(f"stage/{name}"))
        return rows.where(F.col("table") == table).select("bucket", "data")

    def _hear(self, said: Iterator[bytes]) -> None:
        for data in said:
            self.facts.add(msgspec.msgpack.decode(data, type=Facts))

    def _make_directory(self, wanted: frozenset[str]) -> None:
        changes = self._aside("made", work.CHANGES)
        made = changes.repartitionById(work.PARTITIONS, F.col("bucket")).mapInArrow(
            work.directory(wanted), work.MOVED
        )
        self._set_aside("directory", made)

    def _write(self, name: str) -> None:
        start = time.monotonic()
        self._told(f"{name} ...")
        schema = _SCHEMAS[name]
        count = self.facts.rows.get(name, 0)
        if name == "frames":
            batch = frame_rows(self.facts.tallies())
            count = batch.num_rows
            made = pa.Table.from_batches([batch])
            rows = self.spark.createDataFrame(made, spark_type(schema)).coalesce(1)
        elif not count:
            rows = self._none(schema)
        else:
            aside = self._aside("directory" if name in _DIRECTORY else "made", name).select("data")
            rows = aside.mapInArrow(work.unpacked(plain(schema)), spark_type(schema))
        rows.write.mode("overwrite").options(**_WRITING).parquet(self._path(name))
        self._done(name, count, start)

    def _none(self, schema: pa.Schema) -> DataFrame:
        """No rows with these columns."""
        fields = spark_type(schema).fields
        columns = [
            F.lit(None).cast(field.dataType).alias(field.name, metadata=field.metadata) for field in fields
        ]
        return self.spark.range(0, 0, 1, 1).select(*columns)

    def _clear(self) -> None:
        """Remove what was set aside."""
        place = self._path("stage")
        if _ADDRESS.match(place):  # there is no other way through Spark Connect
            for name in ("made", "directory"):
                self.spark.range(0).write.mode("overwrite").parquet(f"{place}/{name}")
        else:
            shutil.rmtree(place, ignore_errors=True)


def chosen(names: Iterable[str] | None) -> list[str]:
    """The tables of these names; of None, all of `TABLES`.

    Raises:
        MsmqWireError: There is no such table.
    """
    found = [*TABLES] if names is None else list(dict.fromkeys(names))
    for name in found:
        if name not in _SCHEMAS:
            raise MsmqWireError(f"there is no table {name!r}; there are {', '.join((*TABLES, *MORE))}")
    return found


def _buckets(size: int) -> int:
    """How many buckets captures of so many bytes have."""
    return min(max(-(-size // _BUCKET), 1), _MOST_BUCKETS)
