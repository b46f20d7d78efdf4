"""What is compared: each function of `SECTIONS` times one thing and gives tables.

A new section is one more function here; it gets `Effort` and returns `Table`s.
"""

from __future__ import annotations

import importlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, settings

import msmq_wire as mw
from msmq_wire import testing

from . import hand, ours
from .agreement import disagreements
from .samples import (
    MESSAGE,
    NAMES,
    build_message,
    by_headers,
    message_at_once,
    sample,
    stream_of,
)
from .timing import Result, race

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from msmq_wire import Record

    from .codec import Codec
    from .samples import Message

__all__ = ["PEERS", "SECTIONS", "Effort", "Table", "contenders"]

PEERS = ("cstruct", "construct", "kaitai", "scapy", "impacket")
BASE = "HAND"
_US, _MS = 1e6, 1e3


class Effort(NamedTuple):
    """How long to look."""

    rounds: int
    seconds: float
    stream_size: int


class Table(NamedTuple):
    """Results of one comparison.

    Attributes:
        name: Short and unique, for the JSON.
        title: What was compared.
        unit: Of the times, and how many of it a second has.
        base: What the ratios are to; None for times only.
        rows: Results by row and contender.
        goals: The largest ratio, or time, that we want of msmq_wire, by row.
    """

    name: str
    title: str
    unit: tuple[str, float]
    base: str | None
    rows: dict[str, dict[str, Result]]
    goals: Mapping[str, float] = {}


def contenders() -> dict[str, Mapping[str, Codec]]:
    """All codecs, HAND and msmq_wire first."""
    peers = {name: importlib.import_module(f".peers.with_{name}", __package__).CODECS for name in PEERS}
    return {BASE: hand.CODECS, "msmq_wire": ours.CODECS, **peers}


def codecs(effort: Effort) -> list[Table]:
    """Decoding and encoding of every sample, by everybody."""
    known = contenders()
    reading: dict[str, dict[str, Result]] = {}
    writing: dict[str, dict[str, Result]] = {}
    for name in NAMES:
        data = sample(name).data
        calls: dict[str, Callable[[], object]] = {}
        writers: dict[str, Callable[[], object]] = {}
        for who, by_sample in known.items():
            codec = by_sample[name]
            problems = disagreements(codec, sample(name))
            if problems:
                raise AssertionError(f"{who} disagrees: {problems[:3]}")
            calls[who] = partial(codec.decode, data)
            if codec.encode:
                writers[who] = partial(codec.encode, codec.prepared(codec.decode(data)))
        reading[name] = race(calls, BASE, rounds=effort.rounds, seconds=effort.seconds)
        writing[name] = race(writers, BASE, rounds=effort.rounds, seconds=effort.seconds)
    wanted = ("UserMessage", "UserMessage, frame 7", "EstablishConnection", "ChangePropagation, 100 changes")
    return [
        Table("decode", "Decoding, every field read", ("us", _US), BASE, reading, dict.fromkeys(wanted, 1.3)),
        Table("encode", "Encoding, lengths given", ("us", _US), BASE, writing, dict.fromkeys(wanted, 1.5)),
    ]


def building(effort: Effort) -> list[Table]:
    """From what an application says to bytes, every length computed."""
    ways = {"UserMessage, in one call": message_at_once, "UserMessage, a class a part": build_message}
    rows = {}
    for name, way in ways.items():
        if hand.build_and_encode(MESSAGE) != way(MESSAGE).encode():
            raise AssertionError("HAND builds another message")
        calls: dict[str, Callable[[], object]] = {
            BASE: partial(hand.build_and_encode, MESSAGE),
            "msmq_wire": partial(_made_and_encoded, way),
        }
        rows[name] = race(calls, BASE, rounds=effort.rounds, seconds=effort.seconds)
    title = "Building a UserMessage from keyword arguments and encoding it"
    return [Table("build", title, ("us", _US), BASE, rows, dict(zip(ways, (1.5, 2.5), strict=True)))]


def _made_and_encoded(make: Callable[[Message], Record]) -> bytes:
    return make(MESSAGE).encode()


def tools(effort: Effort) -> list[Table]:
    """What else is done with a record that was read, in multiples of reading it."""
    rows = {}
    goals = {
        "UserMessage": 4.0,
        "EstablishConnection": 4.0,
        "ChangePropagation, 1 change": 7.0,
        "ChangePropagation, 100 changes": 7.0,
    }
    for name in goals:
        data, record = sample(name).data, sample(name).record
        calls: dict[str, Callable[[], object]] = {
            "decode": partial(ours.CODECS[name].decode, data),
            "validate": partial(mw.validate, record),
            "to_dict": partial(mw.to_dict, record),
            "explain": partial(mw.explain, record),
            "replace": partial(mw.replace, record),
            "refuse": partial(_refused, ours.CODECS[name].decode, data + b"\0"),
            "refuse and locate": partial(_located, ours.CODECS[name].decode, data + b"\0"),
        }
        rows[name] = race(calls, "decode", rounds=effort.rounds, seconds=effort.seconds)
    title = (
        "validate, to_dict, explain, replace, refusing or locating a surplus byte; the goal is for validate"
    )
    return [Table("tools", title, ("us", _US), "decode", rows, goals)]


def _located(decode: Callable[[bytes], object], data: bytes) -> None:
    """Read what has one byte too many, and where that is."""
    str(_refused(decode, data))


def _refused(decode: Callable[[bytes], object], data: bytes) -> mw.DecodeError:
    """Read what has one byte too many."""
    try:
        decode(data)
    except mw.DecodeError as error:
        return error
    raise AssertionError("one byte too many was not seen")


def _feed(chunks: list[bytes]) -> int:
    framer = mw.PacketStream()
    feed = framer.feed
    for chunk in chunks:
        feed(chunk)
    framer.close()
    return framer.packets


def _decode_all(packets: list[bytes]) -> int:
    for data in packets:
        mw.decode(data)
    return len(packets)


def streams(effort: Effort) -> list[Table]:
    """A long session through PacketStream, against decoding the same packets that somebody else has cut."""
    large = build_message(MESSAGE._replace(body=bytes(4_000_000))).encode()
    rows = {}
    for name, data in (
        ("packets of 0.5 kB", sample("UserMessage").data),
        ("packets of 2.2 kB", sample("UserMessage, frame 7").data),
        ("packets of 4 MB", large),
    ):
        stream = stream_of(data, effort.stream_size)
        packets = [stream[at : at + len(data)] for at in range(0, len(stream), len(data))]
        calls: dict[str, Callable[[], object]] = {"decode": partial(_decode_all, packets)}
        for chunk in (1 << 12, 1 << 16, 1 << 20):
            chunks = [stream[at : at + chunk] for at in range(0, len(stream), chunk)]
            if _feed(chunks) != len(packets):
                raise AssertionError("PacketStream finds other packets")
            calls[f"chunks of {chunk >> 10} kB"] = partial(_feed, chunks)
        rows[name] = race(calls, "decode", rounds=max(3, effort.rounds // 4), seconds=0)
    title = f"PacketStream on {effort.stream_size / 1e6:.0f} MB; the goal is at most twice the time of decode"
    return [Table("stream", title, ("ms", _MS), "decode", rows, dict.fromkeys(rows, 2.0))]


def _ignore(example: object) -> None:
    del example


def strategies(effort: Effort) -> list[Table]:
    """How long Hypothesis takes for an example."""
    del effort
    count = 200
    rows: dict[str, dict[str, Result]] = {"an example": {}}
    quiet = settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    known: dict[str, Any] = {
        "packets": testing.packets(),
        "user_messages": testing.user_messages(),
        "replication_messages": testing.replication_messages(),
        "bent_packets": testing.bent_packets(),
    }
    for name, strategy in known.items():
        draw: Callable[[], object] = quiet(given(strategy)(_ignore))  # type: ignore[no-untyped-call]  # of Hypothesis
        found = race({name: draw}, None, rounds=3, seconds=0)[name]
        rows["an example"][name] = Result(found.seconds / count, None)
    return [Table("strategies", "Hypothesis strategies", ("ms", _MS), None, rows)]


_PING = "10c00b004c494f5220000000ffffffff00000300d8050000c0d4010000004000"
_PROGRAMS = {
    "bare interpreter": "pass",
    "its two dependencies": "import dissect.cstruct, msgspec",
    "msmq_wire": "import msmq_wire",
    "and first decode": f"import msmq_wire; msmq_wire.decode(bytes.fromhex({_PING!r}))",
    "and first message": "import msmq_wire; msmq_wire.mqmq.UserMessage().encode()",
}


def _run(program: str, cache: str) -> None:
    """In an environment where modules are compiled once, as they are where they were installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": cache, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)  # noqa: S603  # our own


_ALL_CUTS = 700
_CALLS = 6


def cuts(effort: Effort) -> list[Table]:
    """What is left of a packet, at every cut: the fields and what is wrong, against reading the whole."""
    rows: dict[str, dict[str, Result]] = {}
    for kind, packets in by_headers().items():
        found: list[Result] = []
        whole: list[float] = []
        for data in packets:
            tail = range(_ALL_CUTS, len(data), 7)
            for cut in (*range(min(len(data), _ALL_CUTS)), *tail):
                good, lax = _turns(partial(mw.decode, data), partial(_read_part, data[:cut]), effort.rounds)
                found.append(Result(lax, lax / good))
                whole.append(good)
        found.sort(key=lambda result: result.ratio or 0)
        rows[kind] = {"decode": Result(statistics.median(whole), None)}
        for name, share in (("median cut", 0.5), ("90th percentile", 0.9), ("worst cut", 1)):
            rows[kind][name] = found[min(int(len(found) * share), len(found) - 1)]
    title = "Reading what is left of a packet, at every cut, against reading the whole one"
    return [Table("cuts", title, ("us", _US), "decode", rows, dict.fromkeys(rows, 8))]


def _read_part(data: bytes) -> object:
    result = mw.decode_lax(data)
    return result.fields, result.reached, result.cut, result.errors, result.headers, result.rest


def _turns(one: Callable[[], object], other: Callable[[], object], rounds: int) -> tuple[float, float]:
    """The shortest times of two calls that take turns: what a call takes by itself."""
    best = [float("inf"), float("inf")]
    other()  # what is made once is no part of it
    for _ in range(max(1, rounds // 2)):
        for who, call in enumerate((one, other)):
            begin = time.process_time_ns()
            for _ in range(_CALLS):
                call()
            best[who] = min(best[who], (time.process_time_ns() - begin) / _CALLS * 1e-9)
    return best[0], best[1]


def imports(effort: Effort) -> list[Table]:
    """What a fresh process pays."""
    with tempfile.TemporaryDirectory() as cache:
        calls: dict[str, Callable[[], object]] = {
            name: partial(_run, program, cache) for name, program in _PROGRAMS.items()
        }
        found = race(calls, None, rounds=2 * effort.rounds, seconds=0)
    bare = found["bare interpreter"].seconds
    over = {name: Result(result.seconds - bare, None) for name, result in found.items()}
    over["bare interpreter"] = found["bare interpreter"]
    title = "Startup of a process: the bare interpreter, and the additional time"
    return [Table("import", title, ("ms", _MS), None, {"process": over}, {"process": 0.070})]


SECTIONS: dict[str, Callable[[Effort], list[Table]]] = {
    "codecs": codecs,
    "building": building,
    "tools": tools,
    "streams": streams,
    "cuts": cuts,
    "strategies": strategies,
    "imports": imports,
}
"""Every comparison by name; columnar ones belong after them."""
