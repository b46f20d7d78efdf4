"""Rows of `violations` that a reply shows beside its request, from connections of all buckets and sensors.

1. Buckets give rows of `EXCHANGES`; rows with one key come together, and `checks.replies` compares them.
2. An acknowledgment or a report is about one message, of which several packets may be captured, on several
   hops.  It is wrong if it is wrong beside each of them.  Nothing is decided for a message to several
   queues, because not all of its packets may be captured, and beside packets that the same sensor captured
   after the reply: they are of another message.
3. A SyncReply or AlreadyPurged message does not name its request.  It answers one that was captured before it
   in the same connection, for the same numbers, and that has no reply yet.  It is wrong if it is also wrong
   beside those of other connections.  After a reply that was captured before its request, nothing is decided.
4. A reply may answer a request that was not captured, because identifiers and numbers are used again.  So it
   is wrong only if no bytes are missing in which its requester or its sender is named.
5. More requests than `_MOST` with one key decide nothing, so that the work for each reply is bounded.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import array_of, ints, marks
from msmq_wire.checks.replies import carried, fits, names, violations_beside
from msmq_wire.checks.sessions.state import Direction, other
from msmq_wire.packets.packet import decode

from .comparing import in_order_of_capture, violations_of_two
from .rows.destinations import is_copy
from .rows.exchanges import EXCHANGES, are_losses
from .rows.packets import violation_row
from .schemas import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from msmq_wire.values.violation import Violation

EXCHANGED: Final = "exchanges"
"""The name of these rows as gathered rows."""

_ROWS: Final = 20_000
_MOST: Final = 64
"""The number of requests with which a reply is compared."""
_STREAM: Final = ("sensor", "connection", "direction")


class _Packet(NamedTuple):
    """A request or a reply.

    Attributes:
        row: Its row.
        asks: Whether it is a request.
        stream: Its sensor, connection and direction.
        message: The UserMessage.
        carried: The directory message in it, or None.
    """

    row: int
    asks: bool
    stream: tuple[str, str, Direction]
    message: Any
    carried: Any

    @property
    def identifier(self) -> tuple[Any, int]:
        """The identifier of the message."""
        header = self.message.UserHeader
        return header.SourceQueueManager, header.MessageID


class _Wrong(NamedTuple):
    """A violation of a reply beside a request."""

    reply: _Packet
    request: _Packet
    violation: Violation


class _Exchanges:
    """Requests and replies with common keys.

    Attributes:
        places: Their rows, without packets.
        asks: Which of them are requests.
        shapes: The shapes of those that have one.
        fitting: The shapes of replies and requests that fit.
    """

    def __init__(self, table: pa.Table, rows: NDArray[np.int64], lossy: frozenset[tuple[str, str]]) -> None:
        self.places = table.drop_columns(["data"]).take(pa.array(rows)).combine_chunks()
        self._data = table.column("data")
        self._rows = rows.tolist()
        self._lossy = lossy
        self.asks, self.shapes = (self.places.column(name).to_pylist() for name in ("asks", "shape"))
        self.fitting: set[tuple[bytes, bytes]] = set()
        self._streams = [*zip(*(self.places.column(name).to_pylist() for name in _STREAM), strict=True)]

    def packets(self, rows: Sequence[int], *, ask: bool | None = None) -> Iterator[_Packet]:
        """Yield the packets of rows; only those that ask, or only the others, if that is given."""
        for row in rows:
            asks = self.asks[row]
            if ask is None or ask == asks:
                message = decode(self._data[self._rows[row]].as_py())
                yield _Packet(row, asks, self._streams[row], message, carried(message))

    def are_complete(self, reply: _Packet, request: _Packet) -> bool:
        """Return whether their sensors miss no bytes that may have another request for the reply."""
        sensors = {packet.stream[0] for packet in (reply, request)}
        managers = {
            packet.message.UserHeader.SourceQueueManager.bytes_le.hex() for packet in (reply, request)
        }
        return self._lossy.isdisjoint(product(sensors, {*managers, ""}))

    def violations(self, wrong: Sequence[_Wrong]) -> pa.RecordBatch:
        """Return rows of `violations`."""
        rows = [violation_row(each.violation) for each in wrong]
        columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows[0]}
        columns["type"] = ["UserMessage"] * len(rows)
        replies = np.array([each.reply.row for each in wrong])
        requests = np.array([each.request.row for each in wrong])
        return violations_of_two(self.places, replies, requests, columns)


def violations_of_replies(
    batches: Iterable[pa.RecordBatch], ignored: frozenset[str]
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield the rows of `violations` that are made of all requests and replies with some keys.

    Args:
        batches: Rows of `EXCHANGES`.
        ignored: Ids of requirements that are not reported.
    """
    table = pa.Table.from_batches([*batches], plain(EXCHANGES))
    is_loss = are_losses(table)
    losses = table.filter(is_loss)
    lossy = frozenset(zip(*(losses.column(name).to_pylist() for name in ("sensor", "key")), strict=True))
    table = table.filter(pc.invert(is_loss))
    keys = array_of(table.column("key")).dictionary_encode()
    codes, asks = ints(keys.indices), marks(table.column("asks"))
    asked, answered, undecided = np.zeros((3, len(keys.dictionary)), np.bool_)
    asked[codes[asks]] = answered[codes[~asks]] = True
    undecided[codes[marks(pc.is_null(table.column("data")))]] = True
    rows = np.flatnonzero((asked & answered & ~undecided)[codes])  # most requests have no reply
    if not len(rows):
        return
    exchanges, codes = _Exchanges(table, rows, lossy), codes[rows]
    order = in_order_of_capture(exchanges.places)
    order = order[np.argsort(codes[order], kind="stable")]
    wrong: list[_Wrong] = []
    for group in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
        judge = _JUDGES[len(keys.dictionary[int(codes[group[0]])].as_py()) // 2]
        judged = judge(exchanges, group.tolist(), ignored)
        wrong += [each for each in judged if exchanges.are_complete(each.reply, each.request)]
    for start in range(0, len(wrong), _ROWS):
        yield "violations", exchanges.violations(wrong[start : start + _ROWS])


def _of_message(exchanges: _Exchanges, rows: Sequence[int], ignored: frozenset[str]) -> Iterator[_Wrong]:
    """Yield the violations of acknowledgments and reports that are about one message."""
    asking = [row for row in rows if exchanges.asks[row]]
    if len(asking) > _MOST:
        return
    shapes, fitting = exchanges.shapes, exchanges.fitting
    asked = {shapes[row] for row in asking}
    order = {row: at for at, row in enumerate(rows)}
    requests: list[_Packet] = []
    for row in rows:
        if exchanges.asks[row] or any((shapes[row], shape) in fitting for shape in asked):
            continue
        requests = requests or [*exchanges.packets(asking)]
        if any(request.message.MultiQueueFormatHeader for request in requests):
            return
        (reply,) = exchanges.packets([row])
        earlier = [request for request in requests if _is_earlier(request, reply, order)]
        if not earlier or reply.identifier == requests[0].identifier or is_copy(reply.message.UserHeader):
            continue
        request, wrong = _compared(reply, earlier, ignored)
        yield from wrong
        if not wrong and None not in (pair := (shapes[row], shapes[request.row])):
            fitting.add(pair)


def _of_change(exchanges: _Exchanges, rows: Sequence[int], ignored: frozenset[str]) -> Iterator[_Wrong]:
    """Yield the violations of replies to requests for changes, which have one number."""
    requests = [*islice(exchanges.packets(rows, ask=True), _MOST + 1)]
    if len(requests) > _MOST:
        return
    order = {row: at for at, row in enumerate(rows)}
    for reply in exchanges.packets(rows, ask=False):
        alike = [
            request for request in requests if _names(reply, request) and _is_earlier(request, reply, order)
        ]
        if alike:
            yield from _compared(reply, alike, ignored)[1]


def _of_partition(exchanges: _Exchanges, rows: Sequence[int], ignored: frozenset[str]) -> Iterator[_Wrong]:
    """Yield the violations of replies to requests for the changes of a partition."""
    waiting: defaultdict[Any, list[_Packet]] = defaultdict(list)  # by sensor, connection and direction
    over: set[Any] = set()  # the streams and identifiers of replies, and of what they answer
    unordered: set[Any] = set()  # streams of requests whose replies were captured before them
    for packet in exchanges.packets(rows):
        if packet.carried is None or (packet.stream, packet.identifier) in over:
            continue  # it was sent again
        if packet.asks:
            waiting[packet.stream] = [*waiting[packet.stream], packet][-_MOST:]
            continue
        sensor, connection, way = packet.stream
        back = sensor, connection, other(way)
        alike = [request for request in waiting[back] if _names(packet, request)]
        if not alike:
            unordered.add(back)
        elif back not in unordered:
            request, wrong = _compared(packet, alike, ignored)
            elsewhere = (each for stream in waiting if stream != back for each in waiting[stream])
            if wrong and _may_answer(packet, elsewhere):
                continue
            over |= {(packet.stream, packet.identifier), (back, request.identifier)}
            waiting[back] = [each for each in waiting[back] if each.identifier != request.identifier]
            yield from wrong


def _may_answer(reply: _Packet, requests: Iterable[_Packet]) -> bool:
    """Return whether a reply fits one of some requests, or these are too many to compare."""
    compared = [*islice(requests, _MOST + 1)]
    return len(compared) > _MOST or any(
        _names(reply, request) and fits(reply.message, request.message) for request in compared
    )


def _is_earlier(request: _Packet, reply: _Packet, order: Mapping[int, int]) -> bool:
    """Return whether a request was captured before a reply; the clocks of two sensors differ."""
    return request.stream[0] != reply.stream[0] or order[request.row] < order[reply.row]


def _compared(
    reply: _Packet, requests: Sequence[_Packet], ignored: frozenset[str]
) -> tuple[_Packet, list[_Wrong]]:
    """Return the request that a reply fits best, and its violations beside it."""
    different: dict[Any, _Packet] = {}  # captured copies are the same
    for request in requests:
        different.setdefault(request.message, request)
    for request in different.values():
        if fits(reply.message, request.message):
            return request, []
    violations, best = min(
        (
            (violations_beside(reply.message, request.message, ignored), request)
            for request in different.values()
        ),
        key=lambda pair: len(pair[0]),
    )
    return best, [_Wrong(reply, best, violation) for violation in violations]


def _names(reply: _Packet, request: _Packet) -> bool:
    """Return whether the directory message of a reply names that of a request."""
    return None not in (reply.carried, request.carried) and names(reply.carried, request.carried)


_JUDGES: Final[dict[int, Callable[[_Exchanges, Sequence[int], frozenset[str]], Iterator[_Wrong]]]] = {
    20: _of_message,
    16: _of_partition,
    4: _of_change,
}
"""How the packets with one key are judged, by the size of the key in bytes."""
