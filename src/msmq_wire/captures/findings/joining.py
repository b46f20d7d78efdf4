"""Findings that join connections of all buckets: scans, floods, forged identities, unknown directory servers.

1. Buckets give rows of `FACTS_JOINED`: the actions of a source, added up.  Rows with equal keys come
   together.
2. Adding up is the same in any order and in any parts, so increments give the findings of a single run.
3. Addresses are compared within one sensor only: another sensor may see the same host at another address.
"""

from __future__ import annotations

import datetime as dt
import enum
from collections import Counter, defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.answers.claims import contested
from msmq_wire.captures.rows.packets import CARRIED, POSITION
from msmq_wire.captures.schemas import plain, schema_of
from msmq_wire.captures.sums import Sums
from msmq_wire.values.times import EPOCH, MINUTE

from .bursts import ALL
from .patterns import PATTERNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

JOINED: Final = "finding_facts"
"""The name of these rows as gathered rows."""
FACTS_JOINED: Final = schema_of(
    [
        ("key", pa.string(), "Topic, sensor, and what is compared."),
        ("topic", pa.string(), "``speaker``, ``asked``, ``flood``, ``messages``, ``sent`` or ``received``."),
        ("other", pa.string(), "The address that the key is about."),
        (
            "number",
            pa.int64(),
            (
                "Minute of a flood, -1 for all messages; for ``asked``, a `Contact`; for ``speaker``, time "
                "of the request, in microseconds since 1970."
            ),
        ),
        (
            "started",
            pa.int64(),
            (
                "For ``speaker``, when its system started, by the TimeStamp of the request, in milliseconds "
                "since 1970, modulo 2^32; otherwise 0."
            ),
        ),
        ("count", pa.int64(), "Number of packets, messages or connections."),
        ("until", pa.int64(), "Time of the last one, in microseconds since 1970."),
        *CARRIED,
    ]
)
"""The columns of gathered rows; the position is that of the first packet."""
FINDINGS: Final = schema_of(
    [
        *CARRIED,
        ("id", pa.string(), "Identifier of the pattern."),
        ("name", pa.string(), "What was found."),
        ("severity", pa.string(), "``info``, ``warning`` or ``alert``."),
        ("references", pa.list_(pa.string()), "Public identifiers, such as those of CVE."),
        ("evidence", pa.string(), "What the bytes say, in one sentence."),
        ("count", pa.int64(), "Number of packets, messages or connections; the position is the first."),
        ("message", pa.string(), "Identifier of the first message; null if not about messages."),
    ]
)
"""The columns of `findings`."""

BY_POSITION: Final = ("time", "sensor", "flow", "offset")
"""The columns by which findings are ordered; null is last."""
_KEY: Final = ("key", "topic", "other", "number", "started")
_SPEAKER: Final = "speaker"
_BY_ID: Final = {pattern.id: pattern for pattern in PATTERNS}
_MICROSECOND: Final = dt.timedelta(microseconds=1)
TICKS: Final = 1 << 32
"""The number of values of TimeStamp, in milliseconds."""
_ALIKE, _DRIFT = 2000, 2000
"""How many milliseconds two times are apart at which one system started, at most, and after how many more
milliseconds between the requests by one more, because clocks differ in speed."""
_SPEAKERS: Final = 8
"""The addresses of a queue manager that are compared with the next one: those that send for longest."""
_TRIES, _TRIES_FOR, _TRIES_EVERY = 3, MINUTE, 60 * MINUTE
"""A queue manager tries a neighbour that does not answer so often at least, for so long, and at least every
so many microseconds."""


class Contact(enum.IntEnum):
    """What a source had to do with another address."""

    TALKED = 0
    """It opened a connection in which there was more than a request for a session and its answer."""
    ASKED = 1
    """It opened a connection in which there was nothing else."""
    PINGED = 2
    """It sent a PingPacket."""
    CALLED = 3
    """The other address opened a connection in which there was more than a request and its answer."""


def _least(identifier: str, fact: str) -> int:
    """Return the threshold of a fact in a pattern."""
    (value,) = (row.value for row in _BY_ID[identifier].conditions if row.fact == fact)
    return int(value)


_SCANNED, _SHARE = (_least("scan", fact) for fact in ("hosts", "share"))
_FLOOD: Final = _least("connection-flood", "most")
_KNOWN_SERVERS: Final = _least("directory-stranger", "servers")
_MESSAGES, _TIMES, _QUIET = (_least("message-flood", fact) for fact in ("messages", "times", "minutes"))


def finding_row(
    identifier: str, row: Mapping[str, Any], known: Mapping[str, Any], count: int = 1
) -> dict[str, Any]:
    """Return a row of `FINDINGS`.

    Args:
        identifier: The pattern.
        row: A row with the position.
        known: The facts for the evidence.
        count: How often it was found.
    """
    pattern = _BY_ID[identifier]
    return {
        **{name: row[name] for name in POSITION},
        "id": pattern.id,
        "name": pattern.name,
        "severity": pattern.severity,
        "references": list(pattern.references),
        "evidence": pattern.evidence.format_map(known),
        "count": count,
        "message": row.get("message"),
    }


def position_key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the key that orders rows by their positions; rows without a time come last."""
    return row["time"] is None, *(row[name] for name in BY_POSITION)


class _Sum(NamedTuple):
    """Equal rows, added up: the first position, the number, and the last time."""

    row: dict[str, Any]
    total: int
    until: int


class FactSums:
    """Adds up rows of `FACTS_JOINED`."""

    def __init__(self) -> None:
        self._sums = Sums(plain(FACTS_JOINED), _KEY, {"count": "sum", "until": "max"}, BY_POSITION)

    def add(
        self,
        topic: str,
        subject: Sequence[Any],
        other: pa.Array,
        rows: pa.RecordBatch,
        until: pa.Array,
        *,
        number: Any = 0,
        count: Any = 1,
        started: Any = 0,
    ) -> None:
        """Add packets or connections, or several for each row.

        Args:
            topic: As in `FACTS_JOINED`.
            subject: What is compared, within the sensor of the row: words, or columns of them.
            other: The addresses.
            rows: The positions.
            until: The times, in microseconds since 1970.
            number: As in `FACTS_JOINED`; a column, or the same for all.
            count: How many there are; a column, or the same for all.
            started: As in `FACTS_JOINED`; a column, or the same for all.
        """
        columns = {
            "key": pc.binary_join_element_wise(*subject, rows.column("sensor"), " "),
            "topic": topic,
            "other": other,
            "number": number,
            "started": started,
            "count": count,
            "until": until,
        }
        arrays = [
            values if isinstance(values, pa.Array) else pa.repeat(values, len(rows))
            for values in columns.values()
        ]
        positions = rows.select(POSITION).columns
        self.merge(pa.RecordBatch.from_arrays([*arrays, *positions], schema=plain(FACTS_JOINED)))

    def merge(self, batch: pa.RecordBatch) -> None:
        """Add rows of `FACTS_JOINED`, which may be sums themselves."""
        self._sums.add(batch)

    def batch(self) -> pa.RecordBatch:
        """Return the rows, added up."""
        return self._sums.batch()

    def findings(self) -> Iterator[dict[str, Any]]:
        """Yield rows of `FINDINGS`, by the keys."""
        by_key: defaultdict[str, list[tuple[str, str, int, _Sum]]] = defaultdict(list)
        for row in sorted(_without_single_speakers(self.batch()).to_pylist(), key=itemgetter(*_KEY)):
            span = _Sum(row, row["count"], row["until"])
            by_key[row["key"]].append((row["topic"], row["other"], row["number"], span))
        for key, rows in by_key.items():
            yield from _FINDERS[rows[0][0]](key, rows)


def _without_single_speakers(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows without the connections of a queue manager that only one computer claims to be."""
    speaks = pc.equal(rows.column("topic"), _SPEAKER)
    claims = rows.filter(speaks)
    key = claims.column("key")
    numbers = (claims.column(name).to_numpy() for name in ("number", "until"))
    several = contested(key.dictionary_encode().indices.to_numpy(), claims.column("other"), *numbers)
    is_single = pc.invert(pc.is_in(rows.column("key"), key.filter(pa.array(several))))
    return rows.filter(pc.invert(pc.and_(speaks, is_single)))


_Rows = list[tuple[str, str, int, _Sum]]


def _forged(key: str, rows: _Rows) -> Iterator[dict[str, Any]]:
    """Two computers claim to be one queue manager during the same time; each pair of addresses counts once.

    The times are those of connections, because an address that returns after a while was not there between.
    Two addresses are those of one computer if its system started at one time: it has both, or the sensor
    sees it on both sides of an address translation.
    """
    latest: dict[bool, list[tuple[str, _Sum]]] = {False: [], True: []}
    pairs: dict[frozenset[str], tuple[str, _Sum, str, _Sum]] = {}
    counts = Counter[frozenset[str]]()
    for _, other, _, span in sorted(rows, key=lambda row: (row[2], row[1])):
        kind = latest[":" in other]
        at = micros_of(span.row)
        before = next(
            (held for held in kind if held[0] != other and at < held[1].until and _apart(held[1], span)), None
        )
        if before is not None:
            pair = frozenset((before[0], other))
            counts[pair] += span.total + (0 if pair in pairs else before[1].total)
            pairs.setdefault(pair, (*before, other, span))
        ends = dict(kind)
        ends[other] = max(span, ends.get(other, span), key=_until)
        kind[:] = sorted(ends.items(), key=lambda held: _until(held[1]), reverse=True)[:_SPEAKERS]
    for pair, (address, first, other, second) in pairs.items():
        times = map(_said, (micros_of(first.row), first.until, micros_of(second.row)))
        known: dict[str, Any] = {"manager": key.partition(" ")[0], "one": address, "two": other}
        known["apart"] = _apart(first, second) // 1000
        known |= zip(("since", "until", "at"), times, strict=True)
        yield finding_row("forged-identity", second.row, known, counts[pair])


def _until(span: _Sum) -> int:
    return span.until


def _apart(first: _Sum, second: _Sum) -> int:
    """Return how many milliseconds apart the systems of two requests started; 0 if it may be one system."""
    apart = (first.row["started"] - second.row["started"]) % TICKS
    apart = min(apart, TICKS - apart)
    between = abs(micros_of(first.row) - micros_of(second.row)) // 1000
    return apart if apart > _ALIKE + between // _DRIFT else 0


def _said(micros: int) -> str:
    """Return a time as in the evidence of a finding."""
    return (EPOCH + micros * _MICROSECOND).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]


def micros_of(row: Mapping[str, Any]) -> int:
    """Return the time of a row in microseconds since 1970; a time without a zone, as of INT96, is of UTC."""
    time = row["time"]
    return int((time - (EPOCH if time.tzinfo else EPOCH.replace(tzinfo=None))) // _MICROSECOND)


def _asked(_: str, rows: _Rows) -> Iterator[dict[str, Any]]:
    """A source that asked a host for a session, or many, and exchanged nothing else with them."""
    known = {other for _, other, number, _ in rows if number in {Contact.TALKED, Contact.CALLED}}
    contacted = {other for _, other, number, _ in rows if number != Contact.CALLED}
    asked: defaultdict[str, list[_Sum]] = defaultdict(list)
    for _, other, number, span in rows:
        if number == Contact.ASKED:
            yield finding_row("handshake-only", span.row, {}, span.total)
        if other not in known:
            asked[other].append(span)
    scanned = [spans for spans in asked.values() if not _is_awaited(spans)]
    if len(scanned) >= _SCANNED and 100 * len(scanned) >= _SHARE * len(contacted):
        spans = [span for own in scanned for span in own]
        first = min((span.row for span in spans), key=position_key)
        facts = {"hosts": len(scanned), "contacted": len(contacted)}
        yield finding_row("scan", first, facts, sum(span.total for span in spans))


def _is_awaited(spans: Iterable[_Sum]) -> bool:
    """Return whether a source asks a host again and again, as for a neighbour that does not answer."""
    tries = sum(span.total for span in spans)
    times = [micros_of(span.row) for span in spans if span.row["time"] is not None]
    lasts = max(span.until for span in spans) - min(times) if times else 0
    return tries >= _TRIES and _TRIES_FOR <= lasts <= _TRIES_EVERY * (tries - 1)


def _flood(_: str, rows: _Rows) -> Iterator[dict[str, Any]]:
    """Minutes with many connections of one source to one destination."""
    minutes = [span for *_, span in rows if span.total >= _FLOOD]
    if minutes:
        first = min((span.row for span in minutes), key=position_key)
        known = {"most": max(span.total for span in minutes)}
        yield finding_row("connection-flood", first, known, sum(span.total for span in minutes))


def _messages(_: str, rows: _Rows) -> Iterator[dict[str, Any]]:
    """Sources that send many messages to one host in a minute, if it usually gets few."""
    every = [span for _, _, number, span in rows if number == ALL]
    many = [
        (other, number, span) for _, other, number, span in rows if number != ALL and span.total >= _MESSAGES
    ]
    if not many:
        return
    spanned = (max(span.until for span in every) - min(micros_of(span.row) for span in every)) // MINUTE
    quiet = spanned - len({number for _, number, _ in many})
    usual = max(sum(span.total for span in every) - sum(span.total for *_, span in many), quiet, 1)
    floods: defaultdict[str, list[_Sum]] = defaultdict(list)
    for source, _minute, span in many:
        if quiet >= _QUIET and span.total * quiet >= _TIMES * usual:
            floods[source].append(span)
    for spans in floods.values():
        most = max(span.total for span in spans)
        facts = {"messages": most, "times": most * quiet // usual, "minutes": quiet}
        first = min((span.row for span in spans), key=position_key)
        yield finding_row("message-flood", first, facts, sum(span.total for span in spans))


def _strangers(_: str, rows: _Rows) -> Iterator[dict[str, Any]]:
    """Addresses that send directory messages and get none, where others do both."""
    sent = {other: span for topic, other, _, span in rows if topic == "sent"}
    received = {other for topic, other, _, _ in rows if topic == "received"}
    servers = len(sent.keys() & received)
    if servers >= _KNOWN_SERVERS:
        for address, span in sent.items():
            if address not in received:
                yield finding_row("directory-stranger", span.row, {"servers": servers}, span.total)


_FINDERS: Final[dict[str, Callable[[str, _Rows], Iterator[dict[str, Any]]]]] = {
    _SPEAKER: _forged,
    "asked": _asked,
    "flood": _flood,
    "messages": _messages,
    "sent": _strangers,
    "received": _strangers,
}
"""The functions that make findings of rows, by topic; rows with equal keys have the same function."""


def joined_findings(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield the rows of ``findings`` that are made of all gathered rows of some keys."""
    facts = FactSums()
    for batch in batches:
        facts.merge(batch)
    rows = sorted(facts.findings(), key=position_key)
    if rows:
        yield "findings", pa.RecordBatch.from_pylist(rows, schema=plain(FINDINGS))
