"""Functions for columns of bytes, in DataFrames and in SQL, of a session here and through Spark Connect."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F  # as everybody calls it

import msmq_wire as mw
from captures.segments import GOLDEN, MESSAGE
from msmq_wire import mqdsrp
from msmq_wire import spark as msmq
from msmq_wire.mqqb import PingPacket

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

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
    "a wrong body type": MESSAGE[:160] + b"\x09" + MESSAGE[161:],
    "directory": DIRECTORY,
    "nothing": None,
}


QUERY = """
    SELECT name, decode_packets(data) AS packet, decode_directory(data) AS change,
        validate(data) AS found, explain(data) AS text, decode_messages(data) AS message,
        validate(data, 'should', 'stored') AS stored, validate(data, 'practice') AS practised
    FROM packets
"""


class Answers(NamedTuple):
    """What a session makes of them.

    Attributes:
        rows: The row of each, from SQL.
        identifiers: Of the messages, from DataFrames.
        others: How many rows there are with the other functions, from DataFrames.
    """

    rows: dict[str, Row]
    identifiers: list[int]
    others: int


def ask(spark: SparkSession) -> Answers:
    """Use the functions in every way."""
    msmq.register(spark)
    data = [(name, None if data is None else bytearray(data)) for name, data in BYTES.items()]
    frame = spark.createDataFrame(data, "name string, data binary")
    frame.createOrReplaceTempView("packets")
    rows = spark.sql(QUERY).collect()
    packets = frame.select(msmq.decode_packets("data").alias("packet"), msmq.validate("data").alias("found"))
    messages = packets.where("packet.kind = 'UserMessage' and packet.error is null").select(
        "packet.UserHeader.MessageID", "found"
    )
    others = frame.select(
        msmq.explain("data"), msmq.decode_directory("data"), msmq.decode_messages("data"),
        msmq.validate("data", "should"),
    ).count()  # fmt: skip
    return Answers({row.name: row for row in rows}, [row.MessageID for row in messages.collect()], others)


def ask_through_connect(server: str, place: str) -> None:
    """The same through Spark Connect, which a process with a session of its own cannot have."""
    from pyspark.sql import SparkSession  # noqa: PLC0415  # only this process needs it

    session = SparkSession.builder.remote(server).getOrCreate()
    Path(place).write_bytes(pickle.dumps(ask(session)))
    session.stop()


@pytest.fixture(scope="module")
def classic(spark: SparkSession) -> Answers:
    return ask(spark)


@pytest.fixture(scope="module")
def connect(server: str, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    place = tmp_path_factory.mktemp("connect") / "answers"
    here = Path(__file__).parents[1]
    ours = (here.parent / "src", here, here / "support")
    paths = {"PYTHONPATH": os.pathsep.join(map(str, ours)), "PYSPARK_PYTHON": sys.executable}
    environment = {**os.environ, **paths, "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONWARNINGS": "ignore"}
    code = "from spark.test_functions import ask_through_connect as ask; "
    code += f"ask({server!r}, {str(place)!r})"
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True)  # noqa: S603  # our own words
    answers: Answers = pickle.loads(place.read_bytes())  # noqa: S301  # our own bytes
    return answers


@pytest.fixture(params=["classic", pytest.param("connect", marks=pytest.mark.long)])
def asked(request: pytest.FixtureRequest) -> Answers:
    answers: Answers = request.getfixturevalue(request.param)
    return answers


@pytest.fixture
def answers(asked: Answers) -> dict[str, Row]:
    return asked.rows


def test_decode_packets(answers: dict[str, Row]) -> None:
    for name, data in GOLDEN.items():
        packet: Any = mw.decode(data)
        found = answers[name].packet
        assert found.kind == type(packet).__name__
        assert found.error is None
        assert found.BaseHeader.PacketSize == len(data)
    assert answers[next(iter(GOLDEN))].packet.UserHeader is None
    whole: Any = mw.decode(MESSAGE)
    cut = answers["cut"].packet
    assert cut.kind == "UserMessage"
    assert cut.UserHeader.MessageID == whole.UserHeader.MessageID
    assert cut.reached.asDict() == mw.to_dict(mw.decode_lax(MESSAGE[:-1]))["$reached"]
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
    found = [(one.requirement, one.path, one.field_offset) for one in answers["a wrong body type"].found]
    wanted = mw.validate(mw.decode(BYTES["a wrong body type"] or b""))
    assert found == [(one.requirement, one.path, one.offset) for one in wanted]
    assert found
    assert answers["frame-7-user-message-completed"].found == []  # what it does is practice
    assert answers["a ping"].found == []
    for name in ("junk", "empty", "cut", "directory", "nothing"):
        assert answers[name].found is None


def test_validate_with_level_and_channel(answers: dict[str, Row]) -> None:
    some = 0
    for name in GOLDEN:
        packet = mw.decode(BYTES[name] or b"")
        for column, wanted in (
            ("stored", mw.validate(packet, level="should", channel="stored")),
            ("practised", mw.validate(packet, level="practice", channel="session")),
        ):
            found = [(one.requirement, one.path) for one in answers[name][column]]
            assert found == [(one.requirement, one.path) for one in wanted]
            some += len(found)
    assert some
    assert answers["junk"].stored is None


def test_decode_messages(answers: dict[str, Row]) -> None:
    """What the table of messages says, of whole messages."""
    message: Any = mw.decode(MESSAGE)
    found = answers["frame-7-user-message-completed"].message
    assert found.destination == str(message.UserHeader.destination)
    assert found.sent_at.timestamp() == message.UserHeader.sent_at.timestamp()
    assert found.label == message.MessagePropertiesHeader.label
    assert found.body == message.body
    assert found.problems == []
    for name, row in answers.items():
        if row.packet is None:
            assert row.message is None
            continue
        is_message = row.packet.kind == "UserMessage" and name != "cut"
        assert (row.message.error is None) == is_message, name
        assert (row.message.message is not None) == is_message, name


def test_explain(answers: dict[str, Row]) -> None:
    assert answers["frame-7-user-message-completed"].text == mw.explain(MESSAGE)
    assert answers["junk"].text
    assert answers["nothing"].text is None


def test_on_dataframes(asked: Answers) -> None:
    """The same as functions of Python; columns of the page by their names."""
    message: Any = mw.decode(MESSAGE)
    assert asked.identifiers == [message.UserHeader.MessageID] * 2  # one of them with another body type
    assert asked.others == len(BYTES)


def test_nulls_and_names(spark: SparkSession) -> None:
    """``NULL`` has a type of its own in SQL; a column is named after the function that was called."""
    msmq.register(spark)
    names = ("decode_packets", "decode_directory", "decode_messages", "validate", "explain")
    (row,) = spark.sql(f"SELECT {', '.join(f'{name}(NULL)' for name in names)}").collect()
    assert [*row] == [None] * len(names)
    data = f"X'{MESSAGE.hex()}'"
    (row,) = spark.sql(f"SELECT validate({data}, NULL), validate({data}, 'must', NULL)").collect()
    assert [*row] == [None, None]
    made = [getattr(msmq, name)("data") for name in names]
    columns = spark.createDataFrame([], "data binary").select(*made).columns
    assert [column.partition("(")[0] for column in columns] == [*names]


@pytest.mark.each(6)
@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("validate(X'00', 'shall')", "level is 'shall', not one of 'must', 'should', 'practice'"),
        ("validate(X'00', 'must', 'udp')", "channel is 'udp', not one of 'session', 'remote-read',"),
        ("validate(X'00', 3)", "level is 3, not one of"),
        ("validate(12)", "expected a column of the type binary, found int"),
        ("explain('10000300')", "expected a column of the type binary, found string"),
        ("decode_packets(array(1))", "expected a column of the type binary, found array<int>"),
    ],
)
def test_wrong_arguments(call: str, problem: str, spark: SparkSession) -> None:
    """They are errors of ours; none is taken for bytes that are no packet."""
    msmq.register(spark)
    with pytest.raises(PySparkException) as caught:
        spark.sql(f"SELECT {call}").collect()
    assert f"msmq_wire.values.errors.MsmqWireError: {problem}" in str(caught.value)


def test_exports() -> None:
    assert all(getattr(msmq, name) is not None for name in msmq.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        msmq.nothing  # noqa: B018  # the access is the test


@pytest.mark.long
def test_local_workers_run_the_same_interpreter(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark would start the first ``python3`` of the PATH, here one that does nothing.

    Functions, their names in SQL and the format each see to it by themselves.
    """
    context: Any = spark.sparkContext

    def forget() -> None:
        monkeypatch.setattr(context, "pythonExec", "python3")

    forget()
    with pytest.raises(Py4JJavaError, match="the wrong python"):
        context.parallelize([0], 1).map(abs).collect()
    packets = spark.range(1).select(F.lit(bytearray(MESSAGE)).alias("data"))
    assert packets.select(msmq.validate("data")).collect()[0][0] == []
    forget()
    msmq.register(spark)
    packets.createOrReplaceTempView("packets")
    assert spark.sql("select explain(data) from packets").collect()[0][0] == mw.explain(MESSAGE)
    forget()
    spark.dataSource.register(msmq.MsmqDataSource)
    (tmp_path / "packet").write_bytes(MESSAGE)
    assert spark.read.format("msmq").option("format", "packets").load(str(tmp_path / "packet")).count() == 1
