"""The tables, each a function from DataFrames to a DataFrame.

1. `packets`, `gaps` and `quarantine` divide the pieces of all flows; `balance` holds them against the flows
   themselves, which `flows.spans` measures without looking at a byte.
2. The other tables say what the packets mean.  A packet is in as many of them as it has something to say.
3. Column names in PascalCase are those of the page; the names of all others are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pyspark.sql import functions as F  # as everybody calls it

from msmq_wire.captures.rows.messages import FIELDS, MESSAGES
from msmq_wire.captures.rows.messages import messages as message_worker
from msmq_wire.captures.rows.packets import BODIES, CARRIED, VIOLATIONS, bodies
from msmq_wire.captures.rows.packets import violations as violation_worker
from msmq_wire.captures.rows.partial import PARTS
from msmq_wire.captures.rows.partial import partial_messages as partial_worker
from msmq_wire.captures.schemas import FLOW
from msmq_wire.captures.segments import NUMBERS
from msmq_wire.captures.tables import PACKETS, QUARANTINE
from msmq_wire.packets.marks import SIGNATURE_AT, SIGNATURE_BYTES, VERSION_BYTES
from msmq_wire.packets.reassembly import Kind

from ._schema import spark_type
from .functions import decode_packets

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructType

__all__ = [
    "PACKETS",
    "QUARANTINE",
    "balance",
    "directory_bodies",
    "gaps",
    "messages",
    "packets",
    "partial_messages",
    "quarantine",
    "session_rows",
    "violations",
    "whole_packets",
]

_KEYS: Final = [name for name, _, _ in FLOW]
_CARRIED: Final = [name for name, _, _ in CARRIED]
_PACKET: Final = str(Kind.PACKET)
_GAP: Final = str(Kind.GAP)
_SUMMED: Final = ("size", "places")
_BESIDE: Final = [str(kind) for kind in Kind if not kind.in_stream]


def _of_kind(pieces: DataFrame, *kinds: str) -> DataFrame:
    return pieces.where(F.col("kind").isin(*kinds))


def packets(pieces: DataFrame) -> DataFrame:
    """One row a packet, or a part of one: where, its type, its bytes, its headers as nested structs."""
    marked = (F.substring("data", 1, len(VERSION_BYTES)) == F.lit(VERSION_BYTES)) & (
        F.substring("data", SIGNATURE_AT + 1, len(SIGNATURE_BYTES)) == F.lit(SIGNATURE_BYTES)
    )
    partial = F.col("kind") != _PACKET
    rows = pieces.where((F.col("kind") == _PACKET) | (F.col("kind").isin(*PARTS) & marked))
    # A function of the bytes alone: what else is known of a packet need not go to Python and back.
    rows = rows.select(
        *_CARRIED, "type", "data", partial.alias("partial"), decode_packets("data").alias("read")
    )
    told = {
        "type": F.when(F.col("partial"), F.col("read.kind")).otherwise(F.col("type")),
        "error": F.when(F.col("partial"), F.col("read.error.message")),
        "reached": F.when(F.col("partial"), F.col("read.reached.path")),
    }
    headers = [f"read.{field.name}" for field in PACKETS if field.name not in {*rows.columns, *told}]
    passed = [name for name in rows.columns if name not in {*told, "read"}]
    made = [column.alias(name) for name, column in told.items()]
    return _as(rows.select(*passed, *made, *headers), spark_type(PACKETS))


def whole_packets(packets: DataFrame) -> DataFrame:
    """The rows of `packets` that were captured whole."""
    return packets.where("not partial")


def gaps(pieces: DataFrame) -> DataFrame:
    """One row a place where bytes are missing."""
    return _of_kind(pieces, _GAP).select(*_CARRIED)


def messages(packets: DataFrame) -> DataFrame:
    """One row a UserMessage that is whole: its queues, class, label and more, as a person would say them."""
    fields = [F.col(path).alias(path.replace(".", "_")) for path in FIELDS]
    rows = whole_packets(packets).where("type = 'UserMessage'").select(*_CARRIED, *fields)
    return rows.mapInArrow(message_worker(), spark_type(MESSAGES))


def partial_messages(pieces: DataFrame) -> DataFrame:
    """One row a UserMessage that was not captured whole: what is known of it."""
    rows = _of_kind(pieces, *PARTS).select(*_CARRIED, "kind", "data")
    return rows.mapInArrow(partial_worker(), spark_type(MESSAGES))


def violations(packets: DataFrame) -> DataFrame:
    """One row a breach of a requirement that a whole packet shows by itself."""
    return (
        whole_packets(packets)
        .select(*_CARRIED, "data")
        .mapInArrow(violation_worker(), spark_type(VIOLATIONS))
    )


def directory_bodies(packets: DataFrame, messages: DataFrame) -> DataFrame:
    """The directory messages in bodies of messages, with an error where one cannot be read."""
    carriers = messages.where("carries is not null").select("sensor", "flow", "offset")
    rows = (
        whole_packets(packets)
        .join(carriers, ["sensor", "flow", "offset"], "left_semi")
        .select(*_CARRIED, "data")
    )
    return rows.mapInArrow(bodies(), spark_type(BODIES))


def session_rows(pieces: DataFrame, spans: DataFrame) -> DataFrame:
    """Sessions, and what is illegal about them: a column for each, of which one is null."""
    from msmq_wire.captures.rows.sessions import SESSION_ROWS, session_rows  # noqa: PLC0415  # it takes the rules of sessions

    ends = spans.groupBy("sensor", "connection").agg(
        F.max("opened").alias("opened"), F.max("closed").alias("closed")
    )
    stream = pieces.where(~F.col("kind").isin(*_BESIDE)).where("transport = 'tcp'")
    columns = [*_CARRIED, "kind", "type", "error", "path", "error_offset", "turn", "seen"]
    data = F.when(F.col("kind") == _PACKET, F.col("data")).alias("data")
    rows = stream.select(*columns, data).join(ends, ["sensor", "connection"])
    rows = rows.repartition("sensor", "connection").sortWithinPartitions(
        "sensor", "connection", "turn", "end_time", "last_file", "last_frame", "flow", "offset"
    )
    return rows.mapInArrow(session_rows(), spark_type(SESSION_ROWS))


# ----------------------------------------------------------------------------------------- quarantine


def quarantine(pieces: DataFrame, segments: DataFrame, bodies: DataFrame) -> DataFrame:
    """One row for bytes that did not decode: pieces of flows, frames and files, directory messages."""
    captures = segments.where("error is not null").select(
        F.regexp_replace("file", r"[^/\\]*$", "").alias("sensor"),
        *("transport", "src", "src_port", "dst", "dst_port", "time", "file", "error"),
        F.col("length").cast("long").alias("size"),
        F.col("time").alias("end_time"),
        F.col("frame").alias("first_frame"),
        F.col("file").alias("last_file"),
        F.col("frame").alias("last_frame"),
        F.when(F.col("frame").isNull(), "file").otherwise("frame").alias("kind"),
        F.regexp_replace("error", NUMBERS, "N").alias("cause"),
        F.col("offset").alias("error_offset"),
        "places",
        F.col("payload").alias("data"),
    )
    captures = (  # a file may have been read in parts
        captures.groupBy("file", "kind", "cause")
        .agg(
            F.min_by(F.struct(*captures.columns), "error_offset").alias("first"),
            *(F.sum(name).alias(name) for name in _SUMMED),
        )
        .select(*(name if name in _SUMMED else f"first.{name}" for name in captures.columns))
    )
    unread = bodies.where("error is not null").select(
        *_CARRIED,
        F.lit("directory").alias("kind"),
        F.lit(1).alias("places"),
        F.concat(F.lit("unreadable: "), F.regexp_replace("path", r"\[\d+\]", "[]")).alias("cause"),
        *("error", "path", "error_offset", "data"),
    )
    rows = pieces.where(~F.col("kind").isin(_PACKET, _GAP)).withColumn("places", F.lit(1))
    schema = spark_type(QUARANTINE)
    return _as(rows, schema).unionByName(_as(captures, schema)).unionByName(_as(unread, schema))


def _as(rows: DataFrame, schema: StructType) -> DataFrame:
    """The columns of a schema, in its order and with its comments; null where there are none."""
    there = set(rows.columns)
    return rows.select(
        *(
            (F.col(field.name) if field.name in there else F.lit(None))
            .cast(field.dataType)
            .alias(field.name, metadata=field.metadata)
            for field in schema.fields
        )
    )


# -------------------------------------------------------------------------------------------- balance


def balance(spans: DataFrame, packets: DataFrame, quarantine: DataFrame, gaps: DataFrame) -> DataFrame:
    """One row a flow: how many bytes it has, where they went, and the difference, which has to be 0.

    Args:
        spans: What `flows.spans` measured.
        packets: The table.
        quarantine: The table; only pieces of flows count.
        gaps: The table.
    """
    in_stream = [str(kind) for kind in Kind if kind.in_stream]
    parts = [
        spans.select("sensor", "flow", F.col("size").alias("bytes")),
        whole_packets(packets).select("sensor", "flow", F.col("size").alias("in_packets")),
        quarantine.where(F.col("kind").isin(*in_stream)).select(
            "sensor", "flow", F.col("size").alias("in_quarantine")
        ),
        gaps.select("sensor", "flow", F.col("size").alias("in_gaps")),
    ]
    rows = parts[0]
    for part in parts[1:]:
        rows = rows.unionByName(part, allowMissingColumns=True)
    totals = rows.groupBy("sensor", "flow").agg(*(_total(name) for name in _BALANCE))
    return totals.withColumn(
        "difference", F.col("bytes") - F.col("in_packets") - F.col("in_quarantine") - F.col("in_gaps")
    )


_BALANCE: Final = ("bytes", "in_packets", "in_quarantine", "in_gaps")


def _total(name: str) -> Column:
    return F.coalesce(F.sum(name), F.lit(0)).alias(name)
