"""Conditions of ``--where``: paths into lists and maps, and columns that have few words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from support_fates import History, write

from msmq_wire import captures
from msmq_wire.cli.conditions import WORDS, Where
from msmq_wire.cli.outcome import OptionError
from msmq_wire.cli.rows import column_at, kind_at, paths_of
from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

SCHEMA = pa.schema(
    [
        ("hops", pa.list_(pa.struct([("to", pa.string()), ("at", pa.struct([("frame", pa.int64())]))]))),
        ("lists", pa.list_(pa.struct([("names", pa.list_(pa.string()))]))),
        ("counts", pa.map_(pa.string(), pa.int64())),
    ]
)
FLAGS = pa.schema([("encrypted", pa.bool_()), ("header", pa.struct([("partial", pa.bool_())]))])


def hop(to: str | None, frame: int | None) -> dict[str, Any]:
    return {"to": to, "at": None if frame is None else {"frame": frame}}


ROWS: list[dict[str, Any]] = [
    {"hops": [hop("x", 1)]},
    {"hops": [hop("a", 1), hop("b", 5)], "lists": [{"names": ["n", "m"]}, {"names": None}]},
    {"hops": [hop("b", None), hop(None, 9)], "lists": [{"names": []}], "counts": {"10.0.0.1": 3}},
    {"hops": [], "lists": [], "counts": {"z": 0}},
    {"hops": None, "lists": None, "counts": None},
    {"hops": [None, hop("a", 2)], "lists": [None, {"names": ["m"]}], "counts": {}},
]
BATCH = pa.RecordBatch.from_pylist(ROWS, schema=SCHEMA).slice(1)  # a slice, as batches often are


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        ("encrypted", [0]),
        ("!encrypted", [1]),
        ("not encrypted", [1]),
        ("encrypted or header.partial", [0, 1]),
        ("encrypted is null", [2]),
        ("encrypted is not null", [0, 1]),
        ("header.partial", [1]),
        ("not header.partial", [0]),
    ],
)
def test_a_boolean_column_is_a_condition(condition: str, rows: list[int]) -> None:
    """As in SQL: what is false is there, but the condition does not hold."""
    batch = pa.RecordBatch.from_pylist(
        [
            {"encrypted": True, "header": {"partial": False}},
            {"encrypted": False, "header": {"partial": True}},
            {"encrypted": None, "header": None},
        ],
        schema=FLAGS,
    )
    numbered = batch.append_column("row", pa.array(range(3)))
    assert Where([condition], FLAGS).filter(numbered).column("row").to_pylist() == rows


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("hops.to=b", [0, 1]),
        ("hops.to!=b", [0, 4]),
        ("hops.to in (a, c)", [0, 4]),
        ("hops.to~^A$", [0, 4]),
        ("hops.at.frame>4", [0, 1]),
        ("hops.at.frame<3", [0, 4]),
        ("hops.to=b and hops.at.frame=9", [1]),
        ("not hops.to=b", [2, 3, 4]),
        ("hops", [0, 1, 4]),
        ("!hops", [2, 3]),
        ("hops.at", [0, 1, 4]),
        ("!hops.at.frame", [2, 3]),
        ("lists.names=m", [0, 4]),
        ("lists.names", [0, 4]),
        ("!lists.names", [1, 2, 3]),
        ("counts.10.0.0.1>2", [1]),
        ("counts.z", [2]),
        ("!counts.z", [0, 1, 3, 4]),
        ("counts.z>0 or hops.to=b", [0, 1]),
    ],
)
def test_paths_into_lists_and_maps(condition: str, found: list[int]) -> None:
    """A condition holds if it holds for one of the elements; a list without elements is absent."""
    numbered = BATCH.append_column("number", pa.array(range(len(BATCH))))
    rows = Where([condition], numbered.schema).filter(numbered)
    assert rows.column("number").to_pylist() == found


@pytest.mark.parametrize("path", [path for path in paths_of(SCHEMA) if "." in path])
def test_what_a_path_selects(path: str) -> None:
    """What each element has, in the list that it comes from, and of the type that is told."""

    def within(value: Any, steps: list[str]) -> Any:
        if isinstance(value, list):
            return [within(element, steps) for element in value]
        return value if value is None or not steps else within(value[steps[0]], steps[1:])

    name, *steps = path.split(".")
    column = column_at(BATCH, path)
    assert column.type == kind_at(SCHEMA, path)
    assert column.to_pylist() == [within(row.get(name), steps) for row in ROWS[1:]]


def test_a_key_of_a_map() -> None:
    assert column_at(BATCH, "counts.10.0.0.1").to_pylist() == [None, 3, None, None, None]
    assert kind_at(SCHEMA, "counts.10.0.0.1") == pa.int64()


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("hops.for=b", "there is no field 'hops.for'; did you mean hops.to"),
        ("hops=b", "hops is a structure; expected one of its fields, such as hops.to"),
        ("counts=1", "counts has a value for each key; expected a path such as counts.KEY"),
        ("counts.z=b", "expected an integer for counts.z, got 'b'"),
        ("hops.to='b", 'expected a value that ends with its quotation mark, got "\'b"'),
        ('hops.to like "%', "expected a value that ends with its quotation mark, got '\"%'"),
        ("hops.at.frame=b", "expected an integer for hops.at.frame, got 'b'"),
    ],
)
def test_wrong_paths(condition: str, said: str) -> None:
    with pytest.raises(OptionError, match=f"^{re.escape(said)}"):
        Where([condition], SCHEMA)


# --------------------------------------------------------------------------------------------- few words

TABLES = ("packets", "messages", "findings", "deliveries", "queues", "dependencies")
HAVE = [(table, path) for table in TABLES for path in paths_of(captures.SCHEMAS[table]) if path in WORDS]


def test_each_column_of_few_words_is_one() -> None:
    assert {path for _, path in HAVE} == {*WORDS}


@pytest.mark.parametrize(("table", "path"), HAVE)
def test_other_words_are_an_error(table: str, path: str) -> None:
    """Which lists those that are known; searches take any text."""
    schema = captures.SCHEMAS[table]
    for condition in (f"{path}=bogus", f"{path} in ({WORDS[path][0]}, bogus)", f"not {path}!=bogus"):
        with pytest.raises(OptionError) as caught:
            Where([condition], schema)
        (line,) = str(caught.value).splitlines()
        assert all(word in line for word in WORDS[path])
        assert line.endswith(f" for {path}, got 'bogus'")
    for condition in (f"{path}~bogus", f"{path} like 'bogus%'", f"{path}={WORDS[path][-1].upper()}"):
        assert Where([condition], schema).filter(pa.RecordBatch.from_pylist([], schema=schema)).num_rows == 0


def test_a_class_without_its_prefix_or_by_its_number() -> None:
    schema = captures.SCHEMAS["messages"]
    names = ["MQMSG_CLASS_NACK_DELETED", "1234", None]
    batch = pa.RecordBatch.from_pylist([{"message_class": name} for name in names], schema=schema)
    for condition, found in (
        ("message_class=nack_deleted", names[:1]),
        ("message_class=1234", names[1:2]),
        ("message_class!=NACK_DELETED", names[1:2]),
    ):
        assert Where([condition], schema).filter(batch).column("message_class").to_pylist() == found


@pytest.mark.parametrize("path", ["class", "final_class", "acknowledgments.class", "message_class"])
def test_the_number_of_a_class_in_deliveries(path: str) -> None:
    schema = captures.SCHEMAS["deliveries"]
    column, _, inner = path.partition(".")
    values: list[Any] = ["32776", "MQMSG_CLASS_ACK_RECEIVE"]
    rows = [{column: [{inner: value}] if inner else value} for value in values]
    batch = pa.RecordBatch.from_pylist(rows, schema=schema)
    assert Where([f"{path}=32776"], schema).filter(batch).num_rows == 1


def test_states_that_are_counted() -> None:
    """A key that is no state is an error, and not a count that nothing has."""
    schema = captures.SCHEMAS["queues"]
    rows = [{"states": [("sent", 2)]}, {"states": [("refused", 1)]}]
    batch = pa.RecordBatch.from_pylist(rows, schema=schema)
    assert Where(["states.sent>1"], schema).filter(batch).num_rows == 1
    for condition in ("states.bogus>1", "states.bogus"):
        with pytest.raises(OptionError, match=r"^expected refused, .* or sent for states, got 'bogus'$"):
            Where([condition], schema)


def test_what_tables_have_is_among_the_words(tmp_path: Path) -> None:
    write_captures(tmp_path / "many", 300, seed=8, files=2, faults=Faults.all())
    paths = write(tmp_path / "histories", [History(seed) for seed in range(4)])
    found = captures.tables([tmp_path / "many" / "captures", *paths], TABLES)
    tables = {name: reader.read_all() for name, reader in found.items()}
    seen: dict[str, set[Any]] = {}
    for table, path in HAVE:
        for batch in tables[table].to_batches():
            column = column_at(batch, path)
            while pa.types.is_list(column.type):
                column = pc.list_flatten(column)
            seen.setdefault(path, set()).update(column.drop_null().to_pylist())
    for path, words in seen.items():
        named = {word for word in words if not (path.endswith("class") and word.isdigit())}
        assert named <= {*WORDS[path]}
        assert named
    assert {path for path, words in seen.items() if len(words) > 1} >= {"type", "state", "purpose", "mode"}


# ------------------------------------------------------------------------------------------- the command


def test_hops_and_acknowledgments_of_deliveries(run: Run, tmp_path: Path) -> None:
    paths = write(tmp_path, [History(seed) for seed in range(3)])
    rows = captures.tables(paths, ["deliveries"])["deliveries"].read_all().to_pylist()
    to = rows[0]["hops"][0]["to"]
    stored = [hop["stored_acknowledgment"] for row in rows for hop in row["hops"]]
    frame = min(packet["first_frame"] for packet in stored if packet is not None)
    conditions: dict[str, Callable[[Any], bool]] = {
        f"hops.to={to}": lambda row: any(hop["to"] == to for hop in row["hops"]),
        "acknowledgments.class=ack_reach_queue": lambda row: any(
            one["class"] == "MQMSG_CLASS_ACK_REACH_QUEUE" for one in row["acknowledgments"]
        ),
        f"hops.stored_acknowledgment.first_frame<={frame}": lambda row: any(
            hop["stored_acknowledgment"] and hop["stored_acknowledgment"]["first_frame"] <= frame
            for hop in row["hops"]
        ),
        "!acknowledgments": lambda row: not row["acknowledgments"],
    }
    for condition, holds in conditions.items():
        found = sorted(row["message"] for row in rows if holds(row))
        _, out, _ = run("deliveries", tmp_path, "--where", condition, "--format", "jsonl")
        assert sorted(re.findall(r'^\{"message": "([^"]*)"', out, re.MULTILINE)) == [
            message.replace("\\", "\\\\") for message in found
        ]
        assert 0 < len(found) < len(rows)
    status, out, err = run("deliveries", tmp_path, "--where", "state=bogus")
    assert (status, out) == (2, "")
    assert err.endswith("accepted, unknown or sent for state, got 'bogus'\n")
