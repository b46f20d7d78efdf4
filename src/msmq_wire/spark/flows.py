"""Segments to flows to pieces: what Spark SQL does for reassembly, around the `FlowReader` of the workers.

1. A connection is told by its endpoints and the sequence number of its SYN, so that a port that is used again
   begins another one.  What was captured before the first SYN is a connection of its own.
2. The place of a segment in its flow is a sum of differences of sequence numbers, each taken modulo 2**32 as
   the nearer one: flows may be longer than sequence numbers reach.
3. What comes first in both directions together is told by the acknowledgments of TCP and not by the time of
   capture, for captures have segments out of order and answers before their questions.
4. Files of one directory are what one sensor captured, one after the other; a flow may cross them.
5. All rows of a connection go to one task, which sorts them on disk if need be.  No other step needs more
   memory than a batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pyspark.sql import Window
from pyspark.sql import functions as F  # as everybody calls it

from msmq_wire.captures.framing import PIECES, pieces_of
from msmq_wire.captures.schemas import FLOW
from msmq_wire.captures.segments import ACK, FIN, RST, SYN
from msmq_wire.packets import MAX_PACKET_SIZE

from ._schema import spark_type

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["ordered", "reassembled", "spans"]

_KEYS: Final = [name for name, _, _ in FLOW]
_WRAP: Final = 1 << 32
_HALF: Final = 1 << 31


def _bit(flag: int) -> Column:
    """1 if a flag of TCP is set, else 0."""
    return (F.coalesce(F.col("flags"), F.lit(0)).bitwiseAND(F.lit(flag)) != 0).cast("int")


def _endpoint(side: str) -> Column:
    host, port = F.col(side), F.col(f"{side}_port")
    shown = F.when(host.contains(":"), F.concat(F.lit("["), host, F.lit("]"))).otherwise(host)
    return F.coalesce(F.concat_ws(":", shown, port.cast("string")), F.lit(""))


def ordered(segments: DataFrame) -> DataFrame:
    """Add connection, flow and place to segments.

    Args:
        segments: Rows of the source ``msmq``; those with an error are left out.

    Returns:
        The rows that tell something about the bytes of a flow, with the columns of `FLOW` and two more.  The
        segment's bytes are at `place` in the flow, from any beginning; its sender had `seen` the other flow
        of the connection up to there.
    """
    rows = segments.where("error is null")
    raw = F.col("transport") == "raw"
    # One shuffle brings both directions of a pair of endpoints together, and serves both windows.
    rows = (
        rows.withColumn("sensor", F.regexp_replace("file", r"[^/\\]*$", ""))
        .withColumn("_from", _endpoint("src"))
        .withColumn("_to", _endpoint("dst"))
        .withColumn("_forward", F.col("_from") <= F.col("_to"))
        .withColumn(
            "_pair",
            F.when(raw, F.col("file"))
            .when(F.col("_forward"), F.concat_ws(" ", "transport", "_from", "_to"))
            .otherwise(F.concat_ws(" ", "transport", "_to", "_from")),
        )
    )
    captured = Window.partitionBy("sensor", "_pair").orderBy("time", "file", "frame")
    before = captured.rowsBetween(Window.unboundedPreceding, -1)
    rows = rows.repartition("sensor", "_pair").withColumn("_opening", F.last(_opening(), True).over(captured))
    # One window for both directions: what a segment has seen is a place in the other one.
    for name, here in (("_there", F.col("_forward")), ("_back", ~F.col("_forward"))):
        numbered = F.when(here & ~_reset(), F.struct("_opening", "seq", "length", "flags"))
        rows = rows.withColumn(f"{name}_before", F.last(numbered, True).over(before))
    rows = rows.withColumn("_before", _own("_there_before", "_back_before"))
    for name, here in (("_there", F.col("_forward")), ("_back", ~F.col("_forward"))):
        step = F.sum(F.when(here, _step()).otherwise(0))
        rows = rows.withColumn(f"{name}_place", step.over(captured))
    rows = rows.withColumn(
        "place", F.when(F.col("_forward"), F.col("_there_place")).otherwise(F.col("_back_place")) + _bit(SYN)
    )
    rows = rows.withColumn("seen", _seen())
    return rows.where(_tells()).select(*_flow_columns(raw), *_row_columns())


def _own(there: str, back: str) -> Column:
    """What came before in the same direction, if it is of the same connection."""
    before = F.when(F.col("_forward"), F.col(there)).otherwise(F.col(back))
    return F.when(before["_opening"].eqNullSafe(F.col("_opening")), before)


def _near(number: Column, before: Column) -> Column:
    """How far a sequence number lies behind another, as the nearer of the two ways around."""
    return F.pmod(number - before + _HALF, F.lit(_WRAP)) - _HALF


def _seen() -> Column:
    """Up to which place its sender had seen what the other side sent."""
    other = _own("_back_before", "_there_before")
    place = F.when(F.col("_forward"), F.col("_back_place")).otherwise(F.col("_there_place"))
    step = F.when(_bit(ACK) == 1, _near(F.col("ack"), other["seq"]))
    return place + F.coalesce(step, F.lit(0))


def _reset() -> Column:
    """Whether this is a reset without bytes: its sequence number can be anything."""
    return (_bit(RST) == 1) & (F.col("length") == 0)


def _opening() -> Column:
    """The SYN that opened the connection, on the rows that show it: who sent it, and its sequence number."""
    opened = F.when(_bit(ACK) == 1, F.pmod(F.col("ack") - 1, F.lit(_WRAP))).otherwise(F.col("seq"))
    by_forward = F.col("_forward") == (_bit(ACK) == 0)
    return F.when(_bit(SYN) == 1, opened * 2 + by_forward.cast("long"))


def _step() -> Column:
    """How far a segment lies behind the one captured before."""
    seq, before = F.col("seq"), F.col("_before")
    near = _near(seq, before["seq"])
    step = F.when(F.col("transport") == "udp", before["length"].cast("long"))
    step = step.when(F.col("transport") == "raw", seq - before["seq"]).when(_reset(), 0).otherwise(near)
    return F.coalesce(step, F.lit(0))


def _tells() -> Column:
    """Whether a row says something about the bytes of its flow: it has some, or shows that some are missing.

    A segment without bytes whose number is one too high only shows that the FIN before it is missing.
    """
    before = F.col("_before")
    counted = (before["flags"].bitwiseAND(F.lit(SYN)) != 0).cast("int") + (
        before["flags"].bitwiseAND(F.lit(FIN)) != 0
    ).cast("int")
    ahead = F.pmod(F.col("seq") - before["seq"] - before["length"] - counted, F.lit(_WRAP))
    shows = (F.col("transport") == "tcp") & (ahead > 1) & (ahead < _HALF)
    ends = _bit(SYN) + _bit(FIN) + _bit(RST) > 0
    return (F.col("length") > 0) | ends | F.coalesce(shows, F.lit(False))


def _flow_columns(raw: Column) -> list[Column]:
    opening = F.col("_opening")
    number = F.when(opening.isNull(), F.lit("")).otherwise(
        F.concat(F.lit(" #"), F.lower(F.hex(F.floor(opening / 2))))
    )
    to_lower_port = F.coalesce(F.col("dst_port") < F.col("src_port"), F.lit(True))
    from_opener = F.when(opening.isNull(), to_lower_port).otherwise((opening % 2 == 1) == F.col("_forward"))
    return [
        F.col("sensor"),
        F.col("transport"),
        F.concat("_pair", number).alias("connection"),
        F.when(raw, F.col("file"))
        .otherwise(F.concat(F.col("transport"), F.lit(" "), "_from", F.lit(" > "), "_to", number))
        .alias("flow"),
        F.when(from_opener, "->").otherwise("<-").alias("direction"),
        *(F.col(name) for name in ("src", "src_port", "dst", "dst_port")),
    ]


def _row_columns() -> list[Column]:
    names = ("place", "seen", "length", "captured", "payload", "time", "file", "frame")
    opened = F.col("_opening").isNotNull().alias("opened")
    return [*(F.col(name) for name in names), opened, (_bit(FIN) + _bit(RST) > 0).alias("closed")]


def spans(places: DataFrame) -> DataFrame:
    """How long each flow is, and how much of it was captured, worked out without its bytes.

    Args:
        places: What `ordered` returns.
    """
    return places.groupBy(*_KEYS).agg(
        (F.max(F.col("place") + F.col("length")) - F.min("place")).alias("size"),
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
    # The windows have brought each flow into one partition already, by their very definition.
    rows = places.sortWithinPartitions("sensor", "flow", "place", "time", "file", "frame")
    return rows.mapInArrow(pieces_of(max_packet_size), spark_type(PIECES))
