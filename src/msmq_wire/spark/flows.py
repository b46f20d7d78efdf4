"""Segments to flows to pieces: what Spark does around functions of `msmq_wire.captures`.

1. The order of capture is that of the frames of a file; files of one directory are what one sensor captured,
   and are put in order by their times.  A flow may cross them.  A clock that is set back within a file moves
   what is before it, and no frame.
2. All rows of a pair of endpoints go to one task, which sorts them on disk if need be.  No other step needs
   more memory than a batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pyspark.sql import Window
from pyspark.sql import functions as F  # as everybody calls it

from msmq_wire.captures.framing import PIECES, pieces_of
from msmq_wire.captures.ordering import ORDERED
from msmq_wire.captures.ordering import ordered as places_of
from msmq_wire.captures.schemas import FLOW
from msmq_wire.captures.segments import SEGMENTS
from msmq_wire.packets.packet import MAX_PACKET_SIZE

from ._schema import spark_type

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["ordered", "reassembled", "spans"]

_KEYS: Final = [name for name, _, _ in FLOW]
_PAIR: Final = ("sensor", "pair")


def _endpoint(side: str) -> Column:
    host, port = F.col(side), F.col(f"{side}_port")
    shown = F.when(host.contains(":"), F.concat(F.lit("["), host, F.lit("]"))).otherwise(host)
    return F.coalesce(F.concat_ws(":", shown, port.cast("string")), F.lit(""))


def ordered(segments: DataFrame) -> DataFrame:
    """Add connection, flow and place to segments.

    Args:
        segments: Rows of the source ``msmq``; those with an error are left out.

    Returns:
        The rows that tell something about the bytes of a flow, with the columns of `ORDERED`.
    """
    raw = F.col("transport") == "raw"
    forward = F.col("_from") <= F.col("_to")
    rows = (
        segments.where("error is null")
        .select(*(name for name in SEGMENTS.names if name not in {"error", "offset", "places"}))
        .withColumn("sensor", F.regexp_replace("file", r"[^/\\]*$", ""))
        .withColumn("_from", _endpoint("src"))
        .withColumn("_to", _endpoint("dst"))
        .withColumn("forward", forward)
        .withColumn(
            "pair",
            F.when(raw, F.col("file"))
            .when(forward, F.concat_ws(" ", "transport", "_from", "_to"))
            .otherwise(F.concat_ws(" ", "transport", "_to", "_from")),
        )
        .drop("_from", "_to")
    )
    # One shuffle brings both directions of a pair of endpoints together, and serves all windows.
    rows = rows.repartition(*_PAIR)
    pair = Window.partitionBy(*_PAIR)
    later = Window.partitionBy(*_PAIR, "file").orderBy("frame").rowsBetween(0, Window.unboundedFollowing)
    file = Window.partitionBy(*_PAIR, "file")
    rows = rows.withColumn("_clock", F.coalesce(F.min("time").over(later), F.max("time").over(file)))
    rows = rows.withColumn("_marked", F.max("marked").over(pair)).where("_marked is not false")
    rows = rows.sortWithinPartitions(*_PAIR, "_clock", "file", "frame").drop("_clock", "_marked", "marked")
    return rows.mapInArrow(places_of, spark_type(ORDERED))


def _size() -> Column:
    """Where a flow ends: at its last byte, or where a segment without bytes shows that some are missing.

    A FIN has a number and no byte, whether it was captured or not.
    """
    end = F.col("place") + F.col("length")
    bytes_end = F.max(F.when(F.col("solid"), end))
    shown = F.max(F.when(~F.col("solid"), F.col("place")))
    hidden = F.max(F.when(F.col("fin"), end)).isNotNull() | (shown == bytes_end + 1)
    return F.coalesce(F.when(hidden, bytes_end), F.greatest(bytes_end, shown), F.min("place"))


def spans(places: DataFrame) -> DataFrame:
    """How long each flow is, and how much of it was captured, worked out without its bytes.

    Args:
        places: What `ordered` returns.
    """
    return places.groupBy(*_KEYS).agg(
        (_size() - F.min("place")).alias("size"),
        F.sum("captured").alias("captured"),
        F.count("*").alias("segments"),
        F.max("opened").alias("opened"),
        F.max("closed").alias("closed"),
        F.min("time").alias("time"),
        F.max("time").alias("end_time"),
    )


def reassembled(places: DataFrame, max_packet_size: int = MAX_PACKET_SIZE) -> DataFrame:
    """The pieces of all flows: packets, gaps and what is neither.

    Args:
        places: What `ordered` returns.
        max_packet_size: The largest PacketSize to wait for.
    """
    rows = places.repartition("sensor", "connection").sortWithinPartitions(
        "sensor", "flow", "place", "wrong", "position"
    )
    return rows.mapInArrow(pieces_of(max_packet_size), spark_type(PIECES))
