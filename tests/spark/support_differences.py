"""Tables beside the ground truth of generated captures, compared in Spark: how many rows differ.

1. Both sides are brought into one form and compared as multisets, in one job; only counts are collected.
2. Which connection it is among several of the same four ends is no column of tables, and not compared: rows
   differ by their offsets, and sessions by their TimeStamp.
3. Where junk lies next to a gap or to more junk, a reader may draw the line elsewhere.  The truth says so,
   and violations within such junk are left out; everywhere else they have to be the same.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # as everybody calls it

from msmq_wire.checks.rules.session import UNREADABLE
from msmq_wire.testing.captures import files as captures

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import Column, SparkSession

__all__ = ["differences"]

ENDS = ["file", "src", "src_port", "dst", "dst_port"]
_MESSAGE = [name for name in captures.MESSAGES.names if name not in {*ENDS, "connection", "body"}]
_PARTY = [name for name in captures.Party._fields if name not in {"tally", "packets", "lost"}]
_TALLY = [field.name for field in captures.SESSIONS.field("forward").type.field("tally").type]
_SESSION = [
    name for name in captures.Session._fields if name not in {*ENDS, "connection", "forward", "backward"}
]


def differences(
    spark: SparkSession, table: Callable[[str], DataFrame], written: Path, sensor: str = ""
) -> dict[str, int]:
    """How many rows the tables have too many and too few, by what they are.

    Args:
        spark: The session.
        table: Gives a table of the pipeline by its name.
        written: Directory that `write_captures` wrote to.
        sensor: Part of the name of the directory whose captures are compared, if there are others.
    """

    def captured(name: str) -> DataFrame:
        return table(name).where(F.col("sensor").contains(sensor))

    def truth(name: str) -> DataFrame:
        return spark.read.parquet(str(written / f"{name}.parquet"))

    pairs = {
        **_pieces(captured, truth("truth")),
        "message": (
            _messages(_typed(captured("messages").where("not partial"))),
            _messages(truth("messages")),
        ),
        "session": (_found_sessions(captured("sessions")), _sessions(truth("sessions"))),
        **_violations(_of_whole_packets(captured), truth("violations")),
    }
    counts = reduce(DataFrame.unionAll, (_counts(name, *pair) for name, pair in pairs.items())).collect()
    return {f"{row[0]}, too {word}": row[word] for row in counts for word in ("many", "few")}


def _counts(name: str, rows: DataFrame, right: DataFrame) -> DataFrame:
    """One row: how often rows occur on one side more than on the other."""
    names = [f"column{number}" for number in range(len(right.columns))]
    sides = (rows.toDF(*names), F.lit(1)), (right.toDF(*names), F.lit(-1))
    signed = reduce(DataFrame.unionAll, (side.withColumn("sign", sign) for side, sign in sides))
    surplus = signed.groupBy(*names).agg(F.sum("sign").alias("surplus"))
    ways = F.col("surplus"), -F.col("surplus")
    many, few = (F.coalesce(F.sum(F.greatest(way, F.lit(0))), F.lit(0)) for way in ways)
    return surplus.select(F.lit(name), many.alias("many"), few.alias("few"))


def _named(table: DataFrame) -> DataFrame:
    """The file by its name alone."""
    return table.withColumn("file", F.element_at(F.split("file", "/"), -1))


def _placed(table: DataFrame, size: str, *more: str | Column) -> DataFrame:
    locations = F.col("offset").cast("bigint"), F.col(size).cast("bigint").alias("size")
    return _named(table).select(*ENDS, *locations, *more)


_Pairs = dict[str, "tuple[DataFrame, DataFrame]"]


def _pieces(found: Callable[[str], DataFrame], truth: DataFrame) -> _Pairs:
    """Packets and gaps at their places; of junk, how many bytes each flow has."""
    digest = F.sha2("data", 256)
    right = {kind: truth.where(F.col("kind") == kind) for kind in ("packet", "gap", "junk")}
    packets = found("packets").where("transport = 'tcp' and not partial")
    gaps = found("gaps").withColumn("file", F.coalesce("file", "last_file"))
    junk = found("quarantine").where("transport = 'tcp' and kind <> 'conflict'")
    return {
        "packet": (
            _placed(packets, "size", "type", digest),
            _placed(right["packet"], "length", "packet", digest),
        ),
        "gap": (_placed(gaps, "size"), _placed(right["gap"], "length")),
        "junk": (
            _placed(junk, "size").groupBy(*ENDS).agg(F.sum("size")),
            _placed(right["junk"], "length").groupBy(*ENDS).agg(F.sum("size")),
        ),
    }


def _typed(messages: DataFrame) -> DataFrame:
    """Messages with the texts that follow from BodyType only, as the truth has them."""
    guessed = F.col("body_form").isin("UTF-8 XML", "UTF-16", "Latin-1 (guess)")
    return messages.withColumn("text", F.when(~guessed, F.col("text")))


def _messages(table: DataFrame) -> DataFrame:
    return _named(table).select(*ENDS, *_MESSAGE, F.sha2("body", 256))


# ------------------------------------------------------------------------------------------- sessions


def _sessions(truth: DataFrame) -> DataFrame:
    def ends(side: str) -> Column:
        bracketed = F.when(F.col(side).contains(":"), F.concat(F.lit("["), side, F.lit("]"))).otherwise(
            F.col(side)
        )
        return F.concat_ws(":", bracketed, F.col(f"{side}_port").cast("string"))

    sides = [part for side in ("forward", "backward") for part in _party(side, F.col(f"{side}.lost"))]
    packets = [F.col(f"{side}.packets") for side in ("forward", "backward")]
    return truth.select(ends("src"), ends("dst"), *_SESSION, *sides, *packets, packets[0] + packets[1])


def _found_sessions(table: DataFrame) -> DataFrame:
    sides = [
        part for side in ("forward", "backward") for part in _party(side, F.col(f"{side}.tally.gaps") > 0)
    ]
    packets = [F.col(f"{side}.tally.packets") for side in ("forward", "backward")]
    fed = F.coalesce(F.col("last_packet") - F.col("first_packet") + 1, F.lit(0))
    return table.where("transport = 'tcp'").select("opener", "acceptor", *_SESSION, *sides, *packets, fed)


def _party(side: str, lost: Column) -> list[Column]:
    return [
        *(F.col(f"{side}.{name}") for name in _PARTY),
        *(F.col(f"{side}.tally.{name}") for name in _TALLY),
        lost,
    ]


# ----------------------------------------------------------------------------------------- violations


def _of_whole_packets(found: Callable[[str], DataFrame]) -> DataFrame:
    """Violations without those of packets that were not captured whole, which the truth does not have."""
    key = ["sensor", "flow", "offset"]
    parts = found("packets").where("partial").select(key)
    rows, junk = found("violations"), F.col("requirement").isin(*UNREADABLE)
    return rows.where(junk).unionByName(rows.where(~junk).join(parts, key, "left_anti"))


def _violations(table: DataFrame, truth: DataFrame) -> _Pairs:
    """What packets break, with the path; and what junk breaks, where that is certain."""
    junk = F.col("requirement").isin(*UNREADABLE)
    rows, right = (
        _placed(table, "size", "requirement", "path"),
        _placed(truth, "length", "requirement", "path", "certain"),
    )
    doubtful = right.where("not certain").select(
        *ENDS, F.col("offset").alias("begin"), F.col("size").alias("room")
    )
    within = (F.col("offset") >= F.col("begin")) & (F.col("offset") < F.col("begin") + F.col("room"))
    same = [rows[name] == doubtful[name] for name in ENDS]
    told = rows.where(junk).join(F.broadcast(doubtful), [*same, within], "left_anti").drop("path")
    return {
        "violation": (rows.where(~junk), right.where(~junk).drop("certain")),
        "violation by junk": (told, right.where(junk & F.col("certain")).drop("path", "certain")),
    }
