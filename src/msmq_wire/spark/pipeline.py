"""From captures to tables: the stages of the job, each of which writes a table and reads it back.

1. A stage overwrites its table with what follows from the tables before it.  A run that was killed is simply
   run again; nothing is appended, so nothing is there twice.
2. The table `run` says whether the tables belong together: its one row is ``running`` from the first stage on
   and ``complete`` at the end.
3. A stream only brings segments, exactly once; the tables are then made anew from all of them.
4. Nothing is collected but numbers: counts, sums, and the few rows of the balance that are wrong.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pyspark.sql import functions as F  # as everybody calls it

from msmq_wire.packets.packet import MAX_PACKET_SIZE
from msmq_wire.values.errors import MsmqWireError

from . import flows, replication, tables
from .functions import register

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

__all__ = ["TABLES", "ImbalanceError", "Pipeline", "Stage"]

TABLES: Final = (
    "segments",
    "pieces",
    "flows",
    "packets",
    "gaps",
    "messages",
    "sessions",
    "violations",
    "directory_changes",
    "directory_history",
    "directory_objects",
    "directory_gaps",
    "directory_divergence",
    "quarantine",
    "balance",
)
"""The tables in the order in which they are written; all others are made of the first two."""

_SHOWN = 5
_BATCH: Final = "spark.sql.parquet.columnarReaderBatchSize"
_BYTES: Final = 32 << 20
"""How much of a column is read from a file at a time, at most."""
_WRITING: Final = {"parquet.page.size.row.check.min": "10", "parquet.block.size.row.check.min": "10"}
"""After how many rows Parquet looks whether they have become too many bytes to keep; rows have up to 4 MB."""


class ImbalanceError(MsmqWireError):
    """Bytes of a flow are in no table, or in two: a fault of the pipeline, and never of the captures."""


class Stage(NamedTuple):
    """What a stage did.

    Attributes:
        name: The table.
        rows: How many rows it has.
        seconds: How long it took.
    """

    name: str
    rows: int
    seconds: float


class Pipeline:
    """The stages over one output directory.

    >>> pipeline = Pipeline(spark, "/data/tables")
    >>> pipeline.read(["/data/captures"])
    >>> pipeline.make()
    >>> pipeline.table("messages").groupBy("destination").count().show()

    Attributes:
        spark: The session, of Spark Connect as well.
        output: Where the tables are: a directory or an address that Spark can write to.
        stages: What was done so far.
    """

    def __init__(
        self,
        spark: SparkSession,
        output: str,
        *,
        max_packet_size: int = MAX_PACKET_SIZE,
        told: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """Begin.

        Args:
            spark: The session.
            output: Where to write.
            max_packet_size: The largest PacketSize to wait for.
            told: What takes lines about the progress.
        """
        self.spark = spark
        self.output = output.rstrip("/")
        self.stages: list[Stage] = []
        self._max_packet_size = max_packet_size
        self._told = told
        self._segments = self._path("segments")
        register(spark)

    def _path(self, name: str) -> str:
        return f"{self.output}/{name}"

    def table(self, name: str) -> DataFrame:
        """A table that was written."""
        return self.spark.read.parquet(self._segments if name == "segments" else self._path(name))

    def _write(self, name: str, rows: DataFrame) -> DataFrame:
        self._told(f"{name} ...")
        start = time.monotonic()
        rows.write.mode("overwrite").options(**_WRITING).parquet(self._path(name))
        return self._written(name, start)

    def _written(self, name: str, start: float) -> DataFrame:
        written = self.table(name)
        stage = Stage(name, written.count(), time.monotonic() - start)
        self.stages.append(stage)
        self._told(f"{name}: {stage.rows:,} rows in {stage.seconds:.1f} s")
        return written

    def _mark(self, state: str) -> None:
        row = [(state, json.dumps([stage._asdict() for stage in self.stages]))]
        made = self.spark.createDataFrame(row, "state string, stages string")
        made.withColumn("at", F.current_timestamp()).coalesce(1).write.mode("overwrite").parquet(
            self._path("run")
        )

    # --------------------------------------------------------------------------------------- segments

    def read(self, inputs: Sequence[str], options: Mapping[str, str] | None = None) -> None:
        """Read capture files.

        Args:
            inputs: Files, directories and patterns.
            options: Options of the source ``msmq``.
        """
        self._mark("running")
        source = self.spark.read.format("msmq").options(**dict(options or {}), paths=json.dumps([*inputs]))
        self._segments = self._path("segments")
        self._write("segments", source.load())

    def take(self, inputs: Sequence[str], options: Mapping[str, str] | None = None) -> int:
        """Read the capture files that have come since the last time, each exactly once.

        What was read is in a checkpoint beside the tables, so that this goes on in another process.

        Args:
            inputs: Directories and patterns.
            options: Options of the source ``msmq``.

        Returns:
            How many segments came.
        """
        self._segments = self._path("stream/segments")
        start = time.monotonic()
        source = self.spark.readStream.format("msmq").options(
            **dict(options or {}), paths=json.dumps([*inputs])
        )
        query = (
            source.load()
            .writeStream.format("parquet")
            .options(**_WRITING)
            .option("checkpointLocation", self._path("stream/checkpoint"))
            .trigger(availableNow=True)
            .start(self._segments)
        )
        query.awaitTermination()
        came = sum(int(progress["numInputRows"]) for progress in query.recentProgress)
        if came:
            self._mark("running")
            self._written("segments", start)
        return came

    # ----------------------------------------------------------------------------------------- tables

    def make(self) -> None:
        """Make all tables of the segments.

        Raises:
            ImbalanceError: Packets, quarantine and gaps do not add up to the flows.
        """
        usual = int(str(self.spark.conf.get(_BATCH)))
        try:
            self._make(usual)
        finally:
            self.spark.conf.set(_BATCH, usual)

    def _make(self, usual: int) -> None:
        segments = self.table("segments")
        self._read_few(segments, "captured", usual)
        pieces = self._write("pieces", self._reassembled(segments))
        self._read_few(pieces.where("kind <> 'gap'"), "size", usual)
        spans = self._write("flows", flows.spans(flows.ordered(segments)))
        packets = self._write("packets", tables.packets(pieces))
        gaps = self._write("gaps", tables.gaps(pieces))
        whole = tables.messages(packets)
        messages = self._write("messages", whole.unionByName(tables.partial_messages(pieces)))
        self._judge(pieces, packets, spans)
        bodies = tables.directory_bodies(packets, messages).persist()
        self._replicated(bodies)
        quarantine = self._write("quarantine", tables.quarantine(pieces, segments, bodies))
        bodies.unpersist()
        self._check(self._write("balance", tables.balance(spans, packets, quarantine, gaps)))
        self._mark("complete")

    def _read_few(self, rows: DataFrame, size: str, usual: int) -> None:
        """Let so few rows be read at a time that they fit into memory, however many bytes each has."""
        found = rows.agg(F.max(size)).first()
        largest = found[0] if found is not None and found[0] else 1
        self.spark.conf.set(_BATCH, max(min(usual, _BYTES // largest), 1))

    def _reassembled(self, segments: DataFrame) -> DataFrame:
        return flows.reassembled(flows.ordered(segments), self._max_packet_size)

    def _judge(self, pieces: DataFrame, packets: DataFrame, spans: DataFrame) -> None:
        rows = tables.session_rows(pieces, spans).persist()
        self._write("sessions", rows.where("session is not null").select("session.*"))
        own = tables.violations(packets)
        found = rows.where("finding is not null").select("finding.*").select(*own.columns)
        self._write("violations", own.unionByName(found))
        rows.unpersist()

    def _replicated(self, bodies: DataFrame) -> None:
        changes = self._write("directory_changes", replication.directory_changes(bodies))
        history = self._write("directory_history", replication.directory_history(changes))
        self._write("directory_objects", replication.directory_objects(history))
        self._write("directory_gaps", replication.directory_gaps(changes))
        self._write("directory_divergence", replication.directory_divergence(changes))

    def _check(self, balance: DataFrame) -> None:
        wrong = balance.where("difference <> 0")
        rows: list[Any] = wrong.limit(_SHOWN).collect()
        if rows:
            shown = "; ".join(f"{row.flow}: {row.difference:+,} bytes" for row in rows)
            raise ImbalanceError(f"{wrong.count()} flows do not balance: {shown}")
