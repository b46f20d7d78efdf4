"""Writers of one output in processes of their own: two at once, and one after another that was killed.

These tests need no session of their own, so that they run beside those that share one.
"""

from __future__ import annotations

import os
import random
import signal
from typing import TYPE_CHECKING

import pytest
from support_examples import share

from msmq_wire.testing.captures import write_captures

from .support_job import LIGHT, End, Gate, JobProcess
from .support_truth import read_by_desk, read_without_spark

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("packets", "messages", "flows", "frames")
OF_STREAMS = ("packets", "messages", "flows")
"""Tables that a query has too: frames that are no segments do not reach it."""
KINDS = ("batch", "increment", "stream", "desk")
PAIRS = [
    ("batch", "desk"),
    ("increment", "stream"),
    ("desk", "increment"),
    ("stream", "batch"),
    ("batch", "batch"),
    ("batch", "increment"),
    ("increment", "batch"),
    ("increment", "increment"),
    ("increment", "desk"),
    ("desk", "batch"),
    ("desk", "desk"),
    ("stream", "increment"),
    ("stream", "stream"),
    ("stream", "desk"),
]
"""Writers that are first and second: the first two pairs have each kind, the first four have it at both."""
LINES = ("captures ...", "packets in", "rows in")
"""Lines of a job that has reached its stages, one after the other."""
REFUSALS = (
    "is being written by",
    "increments can only continue increments",
    "a query can only continue tables of queries",
    "has tables of another query",
)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two captures of one sensor."""
    return write_captures(tmp_path_factory.mktemp("writers"), 60, seed=41, files=2).captures[0].parent


@pytest.fixture(scope="module")
def expected(inputs: Path) -> dict[str, Counter[str]]:
    return read_by_desk(inputs, NAMES)


@pytest.fixture(scope="module")
def holder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JobProcess]:
    """The process of those that write first."""
    with JobProcess(tmp_path_factory.mktemp("holder") / "lock") as process:
        yield process


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JobProcess]:
    """The process of those that write second."""
    with JobProcess(tmp_path_factory.mktemp("other") / "lock") as process:
        yield process


def command_of(kind: str, inputs: Path, output: Path, query: int = 0) -> list[str]:
    """The words of a writer, first its module.  Queries of different numbers are different."""
    if kind == "desk":
        return ["msmq_wire", "tables", str(inputs), "--output", str(output)]
    more = {
        "batch": ["--master", "local[1]"],
        "increment": ["--master", "local[1]", "--streaming", "--every", "0"],
        "stream": [f"{output} checkpoint {query}"],
    }
    module = "stream_into" if kind == "stream" else "msmq_wire.spark"
    words = [module, str(inputs), "--output", str(output), "--tables", ",".join(NAMES)]
    return [*words, *more[kind], *LIGHT]


def is_refused(end: End) -> bool:
    """Whether a writer ended with a line that says so."""
    return end.status != 0 and any(text in end.said for text in REFUSALS)


def is_whole(output: Path, expected: dict[str, Counter[str]], *kinds: str) -> bool:
    names = OF_STREAMS if "stream" in kinds else NAMES
    return read_without_spark(output, names)[1] == {name: expected[name] for name in names}


@pytest.mark.long
@pytest.mark.parametrize("repetition", range(share(2)))
@pytest.mark.parametrize(("first", "second"), PAIRS[: share(len(PAIRS), 2)])
def test_two_writers_at_once(
    first: str,
    second: str,
    repetition: int,
    inputs: Path,
    expected: dict[str, Counter[str]],
    holder: JobProcess,
    other: JobProcess,
    tmp_path: Path,
) -> None:
    """The second begins when the first opens the lock: one is refused, or begins after the other's end.

    A query has the lock while it adds a batch.  If it is a desk that writes between two batches, the query is
    refused.
    """
    output = tmp_path / f"tables {repetition}"
    with Gate(holder.lock) as gate, holder.running(command_of(first, inputs, output)) as process:
        gate.wait(process)
        other.run(command_of(second, inputs, output, query=1))
    ends = holder.last, other.last
    assert [end for end in ends if end.status and not is_refused(end)] == []
    assert not all(end.status for end in ends)
    assert is_whole(output, expected, first, second)


@pytest.mark.long
@pytest.mark.parametrize("number", range(share(24, 3))[::-1])
def test_two_writers_at_any_moment(
    number: int,
    inputs: Path,
    expected: dict[str, Counter[str]],
    holder: JobProcess,
    other: JobProcess,
    tmp_path: Path,
) -> None:
    """One stops at a line or at some call of a function, and another one writes.

    The first goes on; or it is killed, and the next one of its kind writes at once, while Java still ends.
    Whatever was not refused ends well, and in the end the tables are whole.
    """
    draw = random.Random(number)  # noqa: S311  # reproducible
    first, is_killed = ("batch", "stream", "increment")[number % 3], number % 4 != 2
    second, moment = draw.choice(KINDS), str(int(10 ** draw.uniform(3, 6)))
    if number % 3 < 2:
        moment = LINES[(number % 3 + number // 3) % 3]
    output = tmp_path / "tables"
    command = command_of(first, inputs, output)
    if is_killed and first != "stream":
        holder.end()  # the Java that a job starts holds the lock for it, but not for jobs after it
    with holder.running(command, ("STOP", moment)) as process:
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        ends = [other.run(command_of(second, inputs, output, query=1))]
        process.send_signal(signal.SIGKILL if is_killed else signal.SIGCONT)
    ends.append(other.run(command) if is_killed else holder.last)
    assert [end for end in ends if end.status and not is_refused(end)] == []
    assert is_whole(output, expected, first, second)
