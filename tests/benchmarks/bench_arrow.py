"""How fast arrays of packets decode, as ratios to a copy of the same bytes and to the decoder of records.

Run as a program: ``python tests/benchmarks/bench_arrow.py [--rows N] [--most N] [--json FILE]``.  The corpus
has messages of many layouts: queues of every form, with and without transaction, security and session
headers, none of which breaks a rule.  What is decoded and judged is held against records before anything is
timed.  Row by row, `validate` has its rows decoded first, as `arrow.validate` decodes them.  Rounds of all
contenders alternate.  A time is the least of all rounds, because others use the machine too; ratios are
those of the least times.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

import msmq_wire as mw
from msmq_wire import arrow, mqdsrp, mqmq

if TYPE_CHECKING:
    from collections.abc import Callable

SHAPES = 256
PROJECTION = ["UserHeader.Flags.DQ", "MessagePropertiesHeader.Label"]
FEW = 5000
CHANGES = 20_000
MEGA = 1e6
_POOLS: list[pa.MemoryPool] = []  # a pool outlives whatever was allocated in it


def message(dice: random.Random, body: int) -> bytes:
    """A message of a random layout with a body of that size."""
    queue: Any = dice.choice(
        [
            f"DIRECT=OS:server{dice.randrange(99):02}\\private$\\orders{'x' * dice.randrange(8)}",
            f"DIRECT=TCP:10.0.{dice.randrange(255)}.{dice.randrange(255)}\\q{'y' * dice.randrange(9)}",
            f"PUBLIC={mw.GUID(dice.randbytes(16))}",
            mqmq.PrivateQueueFormatNameId(PrivateQueueIdentifier=dice.randrange(1 << 32)),
        ]
    )
    user: dict[str, Any] = {
        "SourceQueueManager": dice.randbytes(16),
        "SentTime": dice.randrange(1 << 32),
        "MessageID": dice.randrange(1 << 32),
        "DestinationQueue": queue,
    }
    if not str(queue).startswith("DIRECT="):
        user["QueueManagerAddress"] = dice.randbytes(16)
    flags = mqmq.MessagePropertiesHeaderFlags()
    parts: dict[str, Any] = {}
    if dice.random() < 0.25:
        user["AdminQueue"] = f"DIRECT=OS:sender\\admin{'z' * dice.randrange(5)}"
        flags = mqmq.MessagePropertiesHeaderFlags(PA=1)
    if dice.random() < 0.25:
        user["ResponseQueue"] = f"PUBLIC={mw.GUID(dice.randbytes(16))}"
    if dice.random() < 0.4:
        parts["TransactionHeader"] = mqmq.TransactionHeader(TxSequenceNumber=dice.randrange(1, 1000))
    if dice.random() < 0.5:
        data: dict[str, bytes] = {"SecurityID": b"\x01\x05" + dice.randbytes(26)}
        if dice.random() < 0.2:
            data |= {"Signature": dice.randbytes(128), "SenderCert": dice.randbytes(300)}
        parts["SecurityHeader"] = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(**data))
    if dice.random() < 0.2:
        parts["SessionHeader"] = mqmq.SessionHeader(AckSequenceNumber=dice.randrange(1 << 16))
    properties = mqmq.MessagePropertiesHeader(
        Flags=flags,
        Label=f"message {'l' * dice.randrange(12)}",
        MessageBody=dice.randbytes(body),
        CorrelationID=dice.randbytes(20),
        ApplicationTag=dice.randrange(1 << 32),
        BodyType=dice.choice([0, 8, 0x1011]),
    )
    header = mqmq.UserHeader(**user)
    return mw.encode(mqmq.UserMessage(UserHeader=header, MessagePropertiesHeader=properties, **parts))


def corpus(rows: int, body: int) -> pa.Array:
    """Many messages of mixed layouts, in random order."""
    dice = random.Random(body)  # noqa: S311  # the same corpus every time
    shapes = [message(dice, body) for _ in range(SHAPES)]
    order = [dice.randrange(SHAPES) for _ in range(rows)]
    size = sum(len(shapes[index]) for index in order)
    return pa.array([shapes[index] for index in order], pa.binary() if size < 1 << 31 else pa.large_binary())


def history(changes: int) -> bytes:
    """A ChangePropagationMessage with so many changes."""
    return mqdsrp.encode(
        mqdsrp.ChangePropagationMessage(DirectoryChanges=[_change(n) for n in range(changes)])
    )


def _change(number: int) -> Any:
    return mqdsrp.DirectoryChange(
        PathName=f"server\\orders{number}",
        SeqNumber=number,
        PropertyID=(103, 108),
        PropertyValue=(f"server\\orders{number}", "orders of the shop"),
    )


def timed(contenders: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The least seconds of each contender, in alternating rounds."""
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            start = time.perf_counter()
            kept = run()
            found[name].append(time.perf_counter() - start)
            del kept
    return {name: min(times) for name, times in found.items()}


def check(array: pa.Array) -> None:
    """Every verdict and every byte, for the first rows."""
    few = array.slice(0, FEW)
    found = arrow.decode_packets(few)
    records = [mw.decode(row.as_py()) for row in few]
    assert found.field("kind").to_pylist() == [type(record).__name__ for record in records]
    assert found.field("error").null_count == len(few)
    assert arrow.encode_packets(found).equals(few.cast(pa.binary()))
    assert arrow.validate(few).to_pylist() == [list(mw.validate(record)) for record in records]


def messages(rows: int, body: int, rounds: int) -> dict[str, Any]:
    """Times of everything for one corpus."""
    array = corpus(rows, body)
    check(array)
    source = np.frombuffer(array.buffers()[2], np.uint8)
    target = np.zeros_like(source)
    records = [row.as_py() for row in array.slice(0, FEW)]
    few = array.slice(0, FEW)
    decoded = arrow.decode_packets(array)
    found = timed(
        {
            "copy of the bytes": lambda: np.copyto(target, source),
            "decode_packets": lambda: arrow.decode_packets(array),
            "decode_packets, text utf8": lambda: arrow.decode_packets(array, text="utf8"),
            "decode_packets, spark": lambda: arrow.decode_packets(array, spark=True),
            "decode_packets, two columns": lambda: arrow.decode_packets(array, columns=PROJECTION),
            "encode_packets": lambda: arrow.encode_packets(decoded),
            "decode, row by row": lambda: [mw.decode(row) for row in records],
            "decode_packets, few rows": lambda: arrow.decode_packets(few),
            "validate": lambda: arrow.validate(array),
            "validate, row by row": lambda: [mw.validate(mw.decode(row)) for row in records],
            "validate, few rows": lambda: arrow.validate(few),
        },
        rounds,
    )
    for name in found:
        if name.endswith(("row by row", "few rows")):
            found[name] *= rows / FEW
    return {"rows": rows, "body": body, "bytes": source.size, "seconds": found}


def directory(changes: int, rounds: int) -> dict[str, Any]:
    """Times of replication messages with so many changes."""
    rows = CHANGES // changes
    array = pa.array([history(changes)] * rows)
    data = [row.as_py() for row in array]
    assert arrow.encode_directory(arrow.decode_directory(array)).equals(array)
    found = timed(
        {
            "copy of the bytes": array.buffers()[2].to_pybytes,
            "decode_directory": lambda: arrow.decode_directory(array),
            "decode, row by row": lambda: [mqdsrp.decode(row) for row in data],
        },
        rounds,
    )
    return {"rows": rows, "changes": changes, "bytes": array.buffers()[2].size, "seconds": found}


def memory(rows: int, body: int) -> dict[str, Any]:
    """What decoding takes at most and what its result keeps, in bytes; the input is not counted."""
    array = corpus(rows, body)
    before = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(before)
    _POOLS.append(pool)
    pa.set_memory_pool(pool)
    tracemalloc.start()
    kept = arrow.decode_packets(array)
    peak = tracemalloc.get_traced_memory()[1] + pool.max_memory()
    tracemalloc.stop()
    held = pool.bytes_allocated()
    del kept
    pa.set_memory_pool(before)
    return {"rows": rows, "body": body, "input": array.buffers()[2].size, "peak": peak, "held": held}


def report(found: dict[str, Any], what: str) -> None:
    """Print the times of one corpus and what they mean."""
    seconds, rows = found["seconds"], found["rows"]
    copy = seconds["copy of the bytes"]
    print(f"{rows:,} {what}, {found['bytes'] / MEGA:.0f} MB")
    print(f"  {'':<30}{'ms':>9}{'M rows/s':>10}{'GB/s':>7}{'x copy':>9}{'x by row':>10}")
    for name, time_taken in seconds.items():
        rates = f"{rows / time_taken / MEGA:10.2f}{found['bytes'] / time_taken / 1e9:7.2f}"
        row = seconds[f"{'validate' if name.startswith('validate') else 'decode'}, row by row"]
        print(f"  {name:<30}{time_taken * 1e3:9.1f}{rates}{time_taken / copy:9.2f}{row / time_taken:10.1f}")


def main() -> None:
    """Check, time and print; write JSON if asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=200_000, help="rows of a corpus")
    parser.add_argument(
        "--most",
        type=int,
        default=0,
        help="also decode so many rows, to see whether time grows in proportion",
    )
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results: dict[str, Any] = {"messages": [], "directory": [], "memory": [], "growth": []}
    for body in (200, 2000):
        results["messages"].append(messages(options.rows, body, options.rounds))
        report(results["messages"][-1], f"messages of mixed layouts, bodies of {body} bytes")
    for changes in (1, 100):
        found = directory(changes, options.rounds)
        results["directory"].append(found)
        report(found, f"replication messages with {changes} changes")
    for body in (200, 2000):
        found = memory(options.rows, body)
        results["memory"].append(found)
        print(
            f"memory besides the input, bodies of {body} bytes: peak {found['peak'] / found['input']:.2f}, "
            f"kept {found['held'] / found['input']:.2f} times the input"
        )
    sizes = [options.rows] + ([options.most] if options.most else [])
    for rows in sizes:
        array = corpus(rows, 200)
        took = timed({"all": lambda array=array: arrow.decode_packets(array)}, 3)["all"]  # type: ignore[misc]  # mypy infers no lambda with defaults
        results["growth"].append({"rows": rows, "seconds": took})
        print(f"{rows:>12,} rows: {took / rows * 1e9:.0f} ns a row")
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
