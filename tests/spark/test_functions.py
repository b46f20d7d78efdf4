"""Functions for columns of bytes, in DataFrames and in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import msmq_wire as mw
from msmq_wire import mqdsrp
from msmq_wire import spark as msmq
from msmq_wire.mqqb import PingPacket

from .support_segments import GOLDEN, MESSAGE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

DIRECTORY = mqdsrp.ChangePropagationMessage(
    DirectoryChanges=(
        mqdsrp.DirectoryChange(PathName="a\\b"),
        mqdsrp.DirectoryChange(Command=2, PathName="c"),
    )
).encode()
BYTES = {
    **GOLDEN,
    "a ping": PingPacket().encode(),
    "junk": b"junk",
    "empty": b"",
    "cut": MESSAGE[:-1],
    "directory": DIRECTORY,
    "nothing": None,
}


@pytest.fixture(scope="module")
def packets(spark: SparkSession) -> DataFrame:
    msmq.register(spark)
    rows = [(name, None if data is None else bytearray(data)) for name, data in BYTES.items()]
    frame = spark.createDataFrame(rows, "name string, data binary")
    frame.createOrReplaceTempView("packets")
    return frame


@pytest.fixture(scope="module")
def answers(packets: DataFrame, spark: SparkSession) -> dict[str, Row]:
    assert packets.columns == ["name", "data"]
    calls = (
        "decode_packets(data) AS packet",
        "decode_directory(data) AS change",
        "validate(data) AS found",
        "explain(data) AS text",
    )
    query = "SELECT name, {} FROM packets"
    return {row.name: row for row in spark.sql(query.format(", ".join(calls))).collect()}


def test_decode_packets(answers: dict[str, Row]) -> None:
    for name, data in GOLDEN.items():
        packet: Any = mw.decode(data)
        found = answers[name].packet
        assert found.kind == type(packet).__name__
        assert found.error is None
        assert found.BaseHeader.PacketSize == len(data)
    assert answers[next(iter(GOLDEN))].packet.UserHeader is None
    assert answers["cut"].packet.kind is None
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(MESSAGE[:-1])
    assert answers["cut"].packet.error.message == str(caught.value)
    assert answers["empty"].packet.error.message
    assert answers["nothing"].packet is None


def test_decode_directory(answers: dict[str, Row]) -> None:
    change = answers["directory"].change
    assert change.kind == "ChangePropagationMessage"
    assert [(one.Command, one.PathName) for one in change.DirectoryChanges] == [(0, "a\\b"), (2, "c")]
    assert answers["junk"].change.error.message


def test_validate(answers: dict[str, Row]) -> None:
    found = [
        (one.requirement, one.path, one.field_offset)
        for one in answers["frame-7-user-message-completed"].found
    ]
    assert found == [(one.requirement, one.path, one.offset) for one in mw.validate(mw.decode(MESSAGE))]
    assert found
    assert answers["a ping"].found == []
    for name in ("junk", "empty", "cut", "directory", "nothing"):
        assert answers[name].found is None


def test_explain(answers: dict[str, Row]) -> None:
    assert answers["frame-7-user-message-completed"].text == mw.explain(MESSAGE)
    assert answers["junk"].text
    assert answers["nothing"].text is None


def test_on_dataframes(packets: DataFrame) -> None:
    """The same as functions of Python; columns of the page by their names."""
    rows = packets.select(
        "name", msmq.decode_packets("data").alias("packet"), msmq.validate("data").alias("found")
    )
    found = (
        rows.where("packet.kind = 'UserMessage'")
        .select("packet.UserHeader.MessageID", "found.requirement")
        .collect()
    )
    assert [row.MessageID for row in found] == [mw.decode(MESSAGE).UserHeader.MessageID]  # type: ignore[union-attr]
    texts = packets.select(msmq.explain("data"), msmq.decode_directory("data")).count()
    assert texts == len(BYTES)


def test_exports() -> None:
    assert all(getattr(msmq, name) is not None for name in msmq.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        msmq.nothing  # noqa: B018  # the access is the test
