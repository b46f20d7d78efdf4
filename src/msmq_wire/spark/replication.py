"""The directory as its servers told each other: changes, what is missing of them, and what became of objects.

1. A change is told by its partition and its sequence number; every server may propagate it, and a repetition
   is the same change.  What several servers propagated differently is divergence, and a row.
2. Sequence numbers stay the eight bytes of the wire: Spark compares binary values byte by byte as unsigned
   numbers, which is their order ([MC-MQDSRP] 2.2.2).
3. An object is told by its GUID.  Where a change names it by its path only, the GUID that any change of the
   partition gave for that path counts, and else the path.
4. Everything is a query: nothing is collected, whatever the size of the directory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pyspark.sql import Window
from pyspark.sql import functions as F  # as everybody calls it

from msmq_wire.captures.rows.directory import CHANGES, changes
from msmq_wire.captures.rows.packets import CARRIED

from ._schema import spark_type

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = [
    "directory_changes",
    "directory_divergence",
    "directory_gaps",
    "directory_history",
    "directory_objects",
]

_CARRIED: Final = [name for name, _, _ in CARRIED]
_COMMANDS: Final = ("create", "update", "delete", "synchronize")
_DELETE: Final = 2
_UPDATE: Final = 1
_PROPAGATING: Final = ("ChangePropagationMessage", "SyncReplyMessage")
_CHANGE: Final = ["PartitionID", "SeqNumber"]
_OBJECT: Final = ["PartitionID", "object"]


def directory_changes(bodies: DataFrame) -> DataFrame:
    """One row a change, with its properties by name.

    Args:
        bodies: What `tables.directory_bodies` returns.
    """
    rows = bodies.where("body is not null").mapInArrow(changes(), spark_type(CHANGES))
    return rows.select(
        *_CARRIED,
        "server",
        *("site", "type", "index", "Command"),
        F.get(F.array(*map(F.lit, _COMMANDS)), F.col("Command").cast("int")).alias("command_name"),
        *("object_class", "PathName", "identifier", "PartitionID"),
        *("PreviousSeqNumber", "SeqNumber", "PurgedSeqNumber", "properties"),
        *("path", "content"),
    )


def _propagated(rows: DataFrame) -> DataFrame:
    return rows.where(F.col("type").isin(*_PROPAGATING))


def directory_history(rows: DataFrame) -> DataFrame:
    """One row a change of an object, in order, each change once; deletions are rows too.

    `version` counts the changes of an object from 1; `until` is the sequence number of the next one.
    """
    rows = _propagated(rows)
    first = Window.partitionBy(*_CHANGE).orderBy("time", "file", "first_frame", "offset", "index")
    rows = rows.withColumn("_n", F.row_number().over(first)).where("_n = 1").drop("_n")
    path = F.col("path")
    known = (
        rows.where("PathName is not null and identifier is not null")
        .groupBy("PartitionID", path.alias("_path"))
        .agg(F.max_by("identifier", "SeqNumber").alias("_identifier"))
    )
    rows = rows.withColumn("_path", path).join(known, ["PartitionID", "_path"], "left")
    rows = rows.withColumn("object", F.coalesce("identifier", "_identifier", "_path"))
    order = Window.partitionBy(*_OBJECT).orderBy("SeqNumber")
    return rows.select(
        *_OBJECT,
        F.row_number().over(order).alias("version"),
        "SeqNumber",
        F.lead("SeqNumber").over(order).alias("until"),
        *("Command", "command_name", "object_class", "PathName", "identifier", "properties"),
        *("server", "time", "file", "first_frame", "flow", "offset", "index"),
    )


def directory_objects(history: DataFrame) -> DataFrame:
    """One row an object: whether it was deleted, and each of its properties as last set.

    An update changes only what it brings; a creation or synchronization begins anew.
    """
    order = "SeqNumber"
    whole = F.col("Command") != _UPDATE
    objects = history.groupBy(*_OBJECT).agg(
        F.max(order).alias("SeqNumber"),
        F.max(F.when(whole, F.col(order))).alias("_since"),
        F.max_by(F.col("Command") == _DELETE, order).alias("deleted"),
        F.max_by("object_class", F.when(F.col("object_class").isNotNull(), F.col(order))).alias(
            "object_class"
        ),
        F.max_by("PathName", F.when(F.col("PathName").isNotNull(), F.col(order))).alias("PathName"),
        F.count("*").alias("changes"),
        F.max("time").alias("time"),
    )
    values = (
        history.join(objects.select(*_OBJECT, "_since"), _OBJECT)
        .where(F.col("_since").isNull() | (F.col(order) >= F.col("_since")))
        .select(*_OBJECT, order, F.explode("properties").alias("name", "value"))
        .groupBy(*_OBJECT, "name")
        .agg(F.max_by("value", order).alias("value"))
        .groupBy(*_OBJECT)
        .agg(F.map_from_entries(F.sort_array(F.collect_list(F.struct("name", "value")))).alias("properties"))
    )
    return objects.drop("_since").join(values, _OBJECT, "left")


def directory_gaps(rows: DataFrame) -> DataFrame:
    """One row a place in a partition's chain of sequence numbers where changes are missing.

    `after` is the last change in front of it, null where the first captured change has others before it;
    `purged` says that the missing ones had been purged by the server.
    """
    rows = (
        _propagated(rows)
        .groupBy(*_CHANGE)
        .agg(
            F.min("PreviousSeqNumber").alias("PreviousSeqNumber"),
            F.max("PurgedSeqNumber").alias("PurgedSeqNumber"),
            F.min("time").alias("time"),
        )
    )
    before = F.lag("SeqNumber").over(Window.partitionBy("PartitionID").orderBy("SeqNumber"))
    none = F.unhex(F.lit("00" * 8))
    missing = F.when(F.col("after").isNull(), F.col("PreviousSeqNumber") != none).otherwise(
        F.col("PreviousSeqNumber") != F.col("after")
    )
    return (
        rows.withColumn("after", before)
        .where(missing)
        .select(
            "PartitionID",
            "after",
            "PreviousSeqNumber",
            "SeqNumber",
            (F.col("PreviousSeqNumber") <= F.col("PurgedSeqNumber")).alias("purged"),
            "time",
        )
    )


def directory_divergence(rows: DataFrame) -> DataFrame:
    """One row a change that was propagated in more than one version, with the servers of each version."""
    versions = (
        _propagated(rows)
        .groupBy(*_CHANGE, "content")
        .agg(
            F.sort_array(F.collect_set("server")).alias("servers"),
            F.count("*").alias("copies"),
            F.min_by(F.struct("Command", "PathName", "identifier", "properties"), "time").alias("change"),
        )
    )
    return (
        versions.groupBy(*_CHANGE)
        .agg(F.collect_list(F.struct("servers", "copies", "change")).alias("versions"))
        .where(F.size("versions") > 1)
    )
