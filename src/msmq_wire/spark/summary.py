"""What a run came to: a few numbers that were counted in Spark, for people to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from pyspark.sql import functions as F  # as everybody calls it

from msmq_wire.views.texts import printable

from .pipeline import Stage
from .tables import whole_packets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import Column, DataFrame

    from .pipeline import Pipeline

__all__ = ["Summary", "summary_of"]

_MOST: Final = 30
_BUCKETS: Final = 60
_BALANCE: Final = ("bytes", "in_packets", "in_quarantine", "in_gaps", "difference")

Counts = list[tuple[str, int]]


class Summary(msgspec.Struct, frozen=True):
    """The numbers of a run.

    Attributes:
        packets: Packets by type.
        violations: Breaches by requirement.
        quarantine: What is in quarantine, by cause.
        damaged: Files that could not be read to their end, with the reason.
        objects: Directory objects by class; deleted ones apart.
        sessions: Sessions by outcome.
        captured: Bytes of payload that were captured.
        balance: Bytes of the flows, and where they went.
        traffic: Packets by interval and type: the beginning in milliseconds since 1970, the type, how many.
        edges: From which queue manager or queue to which queue messages went, and how many.
        stages: What took how long.
        seconds: How long the run took.
    """

    packets: Counts
    violations: Counts
    quarantine: Counts
    damaged: list[tuple[str, str]]
    objects: Counts
    sessions: Counts
    captured: int
    balance: dict[str, int]
    traffic: list[tuple[int, str, int]]
    edges: list[tuple[str, str, int]]
    stages: list[Stage]
    seconds: float

    def __str__(self) -> str:
        return "\n".join(map(printable, self._lines()))

    def _lines(self) -> Iterator[str]:
        for title, counts in (
            ("Packets by type", self.packets),
            ("Violations by requirement", self.violations),
            ("Quarantine by cause", self.quarantine),
            ("Sessions by outcome", self.sessions),
            ("Directory objects by class", self.objects),
        ):
            yield f"{title}:"
            for name, count in counts or [("none", 0)]:
                yield f"  {count:>12,}  {name}"
        if self.damaged:
            yield "Damaged captures:"
            yield from (f"  {file}: {error}" for file, error in self.damaged)
        yield "Balance:"
        for name in _BALANCE:
            yield f"  {self.balance[name]:>18,}  {name.replace('_', ' ')}"
        rate = self.captured / self.seconds / 1e6 if self.seconds else 0.0
        packets = sum(count for _, count in self.packets)
        yield (
            f"{packets:,} packets, {self.captured:,} bytes in {self.seconds:.1f} s: "
            f"{packets / max(self.seconds, 1e-9):,.0f} packets/s, {rate:.1f} MB/s"
        )


def summary_of(pipeline: Pipeline, seconds: float) -> Summary:
    """Count what a run came to.

    Args:
        pipeline: The run; its tables are complete.
        seconds: How long it took.
    """
    table = pipeline.table
    packets = whole_packets(table("packets"))
    known = F.coalesce("object_class", F.lit("of unknown class"))
    name = F.concat(known, F.when(F.col("deleted"), ", deleted").otherwise(""))
    objects = table("directory_objects").withColumn("name", name)
    quarantine = table("quarantine")
    damaged = quarantine.where("kind in ('file', 'frame')").groupBy("file").agg(F.min("error").alias("error"))
    totals: Any = table("balance").groupBy().agg(*(F.sum(name).alias(name) for name in _BALANCE)).first()
    captured: Any = table("flows").agg(F.sum("captured")).first()
    return Summary(
        packets=_counts(packets, "type"),
        violations=_counts(table("violations"), "requirement"),
        quarantine=_counts(quarantine, "cause", "places"),
        damaged=[(row.file, row.error) for row in damaged.orderBy("file").limit(_MOST).collect()],
        objects=_counts(objects, "name"),
        sessions=_counts(table("sessions"), "outcome"),
        captured=captured[0] or 0,
        balance={name: totals[name] or 0 for name in _BALANCE},
        traffic=_traffic(packets),
        edges=_edges(table("messages")),
        stages=pipeline.stages,
        seconds=seconds,
    )


def _counts(rows: DataFrame, name: str, number: str = "1") -> Counts:
    counted = rows.groupBy(name).agg(F.sum(F.expr(number)).alias("count"))
    found = counted.orderBy(F.desc("count"), name).limit(_MOST).collect()
    return [(row[0] or "unknown", row[1]) for row in found]


def _traffic(packets: DataFrame) -> list[tuple[int, str, int]]:
    """Packets in intervals of equal length, about sixty of them."""
    ends: Any = packets.agg(F.min("time").cast("double"), F.max("time").cast("double")).first()
    if ends[0] is None:
        return []
    step = max((ends[1] - ends[0]) / _BUCKETS, 1e-6)
    bucket: Column = F.floor((F.col("time").cast("double") - ends[0]) / step)
    rows = packets.where("time is not null").groupBy(bucket.alias("bucket"), "type").count()
    return sorted(
        (round((ends[0] + row.bucket * step) * 1000), row.type, row["count"]) for row in rows.collect()
    )


def _edges(messages: DataFrame) -> list[tuple[str, str, int]]:
    manager = F.split_part("message", F.lit("\\"), F.lit(1))
    source = F.coalesce("response_queue", F.concat(F.lit("manager "), manager))
    rows = messages.where("destination is not null").groupBy(source.alias("source"), "destination").count()
    top = rows.orderBy(F.desc("count"), "source", "destination").limit(_MOST).collect()
    return [(row.source, row.destination, row["count"]) for row in top]
