"""What becomes of packets of any size, up to the largest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

import msmq_wire as mw
from msmq_wire.captures.engine import Settings
from msmq_wire.captures.engine import run as run_here
from msmq_wire.captures.framing import PIECES
from msmq_wire.spark import MsmqDataSource, Pipeline, tables
from msmq_wire.spark._schema import spark_type

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def message(size: int) -> bytes:
    """A message of about so many bytes."""
    empty = len(mw.encode(mw.mqmq.UserMessage()))
    body = bytes(index % 251 for index in range(size - empty))
    properties = mw.mqmq.MessagePropertiesHeader(MessageBody=body, Label=f"{size}")
    return mw.encode(mw.mqmq.UserMessage(MessagePropertiesHeader=properties))


def test_small_and_large_packets(spark: SparkSession) -> None:
    """Every packet has its row, and what is no packet has none."""
    packets = [message(size) for size in (400, 32_000, 33_000, 4_000_000)]
    sizes = [len(data) for data in packets]
    rows = [
        {"kind": "packet", "type": "UserMessage", "data": data, "size": len(data), "offset": offset}
        for offset, data in enumerate(packets)
    ]
    rows += [{"kind": "junk", "data": b"junk", "size": 4}, {"kind": "gap", "size": 100_000}]
    pieces = spark.createDataFrame(rows, spark_type(PIECES))
    found = tables.packets(pieces)
    assert found.columns == tables.PACKETS.names
    read = (
        found.orderBy("offset").select("data", "BaseHeader.PacketSize", "MessagePropertiesHeader").collect()
    )
    assert [bytes(row.data) for row in read] == packets
    assert [row.PacketSize for row in read] == sizes
    for row, data in zip(read, packets, strict=True):
        expected = mw.mqmq.UserMessage.decode(data).MessagePropertiesHeader
        assert bytes(row.MessagePropertiesHeader.MessageBody) == expected.MessageBody
        assert row.MessagePropertiesHeader.Label == expected.Label


def test_rows_read_at_a_time(spark: SparkSession, tmp_path: Path) -> None:
    """The larger the rows, the fewer are read from a file at a time; then all is as before."""
    setting = "spark.sql.parquet.columnarReaderBatchSize"
    usual = spark.conf.get(setting)
    Path(tmp_path, "few.msmq").write_bytes(message(4_000_000) * 3)
    rows = {}

    def told(line: str) -> None:
        rows[line.split(maxsplit=1)[0]] = int(str(spark.conf.get(setting)))

    pipeline = Pipeline(spark, str(tmp_path / "tables"), told=told)
    pipeline.read([str(tmp_path / "few.msmq")])
    pipeline.make()
    assert spark.conf.get(setting) == usual
    assert rows["packets"] == rows["violations"] == 8
    assert rows["segments"] == 4096
    assert pipeline.table("messages").count() == 3


def test_damage_in_parts(spark: SparkSession, tmp_path: Path) -> None:
    """A file that several tasks read has the same rows of damage as one that is read as a whole."""
    frame = bytes(12) + b"\x08\x00" + bytes(20)
    frames = [frame[: 14 + at % 3 * 8] for at in range(3000)] + [frame[:5]] * 7
    records = [bytes(8) + len(one).to_bytes(4, "little") * 2 + one for one in frames]
    header = bytes.fromhex("d4c3b2a10200040000000000000000000000040001000000")
    place = tmp_path / "damaged.pcap"
    place.write_bytes(header + b"".join(records))
    spark.dataSource.register(MsmqDataSource)
    source = spark.read.format("msmq").option("bytesPerPartition", 5000).option("tcpPorts", "any")
    segments = source.load(str(place))
    assert segments.where("error is not null").count() > 10
    nothing = spark.createDataFrame([], spark_type(PIECES))
    bodies = nothing.withColumn("body", nothing.data)
    there = tables.quarantine(nothing, segments, bodies).orderBy("first_frame").toArrow().to_pylist()
    batches = [batch for name, batch in run_here([str(place)], settings=Settings()) if name == "quarantine"]
    here = [row for row in pa.Table.from_batches(batches).to_pylist() if row["kind"] in {"frame", "file"}]
    assert sorted(row["places"] for row in here) == [7, 3000]
    assert there == sorted(here, key=lambda row: row["first_frame"])
