"""Readers of queues: the remote calls that open queues, joined with the calls that return packets.

1. A packet in an answer belongs to the request with the same number.  This request names a handle, which an
   earlier answer gave to a request that named the queue and the client.
2. Pieces come in an order in which a request precedes its answer.
3. A handle is valid in all connections of an association group; handles that other connections open are
   collected first.
4. Memory is bounded: the least recently used requests and handles are removed.
5. Requests to remove a message, the packets that they return, and the calls that end them are rows of
   `REMOVALS`: any connection of the group may end what another one began.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.columns import Column, writable
from msmq_wire.captures.schemas import FLOW, PLACE
from msmq_wire.packets.calls import Call
from msmq_wire.packets.remote_reads import (
    IN_TRANSACTION,
    Ending,
    Opening,
    ending,
    handle_of,
    has_succeeded,
    opened_handle,
    opening,
    removal_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

OPENED: Final = (
    Column(
        "reader",
        pa.string(),
        "GUID of the client, as a rule a queue manager, that opened the queue from which a remote read "
        "returned the packet; null if no call names it.",
    ),
    Column(
        "queue",
        pa.string(),
        "Format name with which that client opened the queue; null if no call names it.",
    ),
)
"""The columns that come from the calls of a remote read, named as the attributes of `Opening`."""
_PLACE: Final = ("sensor", "connection", "flow", "direction", "offset", "time", "file", "first_frame")
REMOVALS: Final = pa.schema(
    [
        *((name, kind) for name, kind, _ in (*FLOW, *PLACE) if name in _PLACE),
        ("scope", pa.string()),
        ("handle", pa.binary()),
        ("number", pa.int64()),
        ("is_taken", pa.bool_()),
        ("in_transaction", pa.bool_()),
    ]
)
"""Requests to remove a message, the packets that they returned, and the answers to the calls that end them.

All have the handle and the number of the request; ``scope`` names the connections in which they are valid.
``is_taken`` is null for packets, and says whether the client has the packet before it; a request makes its
number one for another packet.  Requests in transactions have calls of their own.
"""
_MOST: Final = 1 << 14
"""How many requests, and how many handles, are remembered."""
_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


def of_calls(pieces: pa.RecordBatch) -> pa.Array:
    """Return which pieces belong to a remote call."""
    return pc.and_(pc.equal(pieces.column("transport"), "tcp"), pieces.column("call").is_valid())


class _Recent(Generic[_K, _V]):
    """The values that were used most recently."""

    def __init__(self) -> None:
        self._values: OrderedDict[_K, _V] = OrderedDict()

    def get(self, key: _K) -> _V | None:
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: _K, value: _V) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > _MOST:
            self._values.popitem(last=False)

    def clear(self) -> None:
        self._values.clear()


class _Asked(msgspec.Struct, frozen=True):
    """A request.

    Attributes:
        operation: Its opnum.
        opening: The queue that it opens, and the client; None if it opens none.
        handle: The handle from which it reads a message; None if it reads none.
        removal: Its number, if it removes that message; None for others.
        ending: The removal that it ends; None if it ends none.
        answer: Where its answer begins; None if unknown.
    """

    operation: int
    opening: Opening | None
    handle: bytes | None
    removal: int | None = None
    ending: Ending | None = None
    answer: int | None = None


_Group: TypeAlias = tuple[str, frozenset[str], int]
"""The sensor of an association group, its hosts, and its number."""


class _Flow(NamedTuple):
    """The columns of a piece that identify its call."""

    sensor: str
    connection: str
    src: str | None
    dst: str | None


class _Removal(NamedTuple):
    """A request to remove a packet, the packet, or the answer to the call that ends the request.

    Attributes:
        scope: The connections in which the handle is valid.
        handle: The handle.
        number: Number of the request.
        is_taken: Whether the call says that the client has the packet, as in `REMOVALS`; None for a packet.
        in_transaction: Whether the request removes the message in a transaction.
    """

    scope: str
    handle: bytes
    number: int
    is_taken: bool | None
    in_transaction: bool


class RemoteReads:
    """The requests and handles of all connections.

    Attributes:
        removals: Rows of `REMOVALS` for the pieces that were passed to `columns` last.
    """

    def __init__(self) -> None:
        self._asked: _Recent[tuple[str, str, int], _Asked] = _Recent()
        self._opened: _Recent[tuple[str, str, bytes], Opening] = _Recent()
        self._groups: _Recent[tuple[str, str], _Group] = _Recent()
        self._shared: _Recent[tuple[_Group, bytes], tuple[str, Opening]] = _Recent()  # with the connection
        self.removals = pa.RecordBatch.from_pylist([], REMOVALS)

    def learn(self, batches: Iterable[pa.RecordBatch]) -> list[pa.RecordBatch]:
        """Collect the handles that connections open for others of their groups.

        Returns:
            Rows of `REMOVALS`: the calls that begin requests, and that end those of other connections, too.
        """
        endings = [
            _removal_rows(pieces, [
                (row, removal) for row, flow, call in _calls(pieces)
                if (removal := self._taken(flow, call)[1]) is not None
            ])
            for pieces in batches
        ]  # fmt: skip
        self._asked.clear()
        self._opened.clear()
        return endings

    def columns(self, pieces: pa.RecordBatch) -> dict[str, pa.Array]:
        """Return the columns of `OPENED` for pieces, which come after those of earlier calls."""
        which: NDArray[np.int64] = np.full(len(pieces), -1, np.int64)
        openings: dict[Opening, int] = {}
        removals: list[tuple[int, _Removal]] = []
        for row, flow, call in _calls(pieces):
            opened, removal = self._taken(flow, call)
            if opened is not None:
                which[row] = openings.setdefault(opened, len(openings))
            if removal is not None:
                removals.append((row, removal))
        self.removals = _removal_rows(pieces, removals)
        taken = pa.array(which, mask=which < 0)
        return {
            column.name: pa.array([_text(each, column.name) for each in openings], column.type).take(taken)
            for column in OPENED
        }

    def _taken(self, flow: _Flow, call: Call) -> tuple[Opening | None, _Removal | None]:
        """Process a call; return the known properties of the queue of a packet in it, and its removal."""
        connection_key = flow.sensor, flow.connection
        if call.group is not None:
            self._groups.put(
                connection_key, (flow.sensor, frozenset(map(str, (flow.src, flow.dst))), call.group)
            )
            return None, None
        group = self._groups.get(connection_key)
        if call.operation is not None:
            request = _asked(call, call.operation)
            self._asked.put((*connection_key, call.number), request)
            return None, _removal(flow, group, request, is_taken=False)
        asked = self._asked_by(connection_key, call)
        if asked is None:
            return None, None
        if call.stub is None:
            return self._of_packet(flow, group, asked)
        if asked.ending is not None and has_succeeded(call.stub):
            return None, _Removal(_scope(flow, group), *asked.ending)
        if asked.opening is not None:
            handle = opened_handle(asked.operation, call.stub, is_big=call.is_big)
            if handle is not None:
                self._opened.put((*connection_key, handle), asked.opening)
                if group is not None:
                    self._shared.put((group, handle), (flow.connection, asked.opening))
        return None, None

    def _of_packet(
        self, flow: _Flow, group: _Group | None, asked: _Asked
    ) -> tuple[Opening | None, _Removal | None]:
        """Return what is known of a packet in the answer to a request."""
        if asked.handle is None:
            return None, None
        opened = self._opening((flow.sensor, flow.connection), group, asked.handle)
        return opened, _removal(flow, group, asked, is_taken=None)

    def _opening(
        self, connection_key: tuple[str, str], group: _Group | None, handle: bytes
    ) -> Opening | None:
        """Return the known properties of the queue of a handle."""
        opened = self._opened.get((*connection_key, handle))
        if opened is not None or group is None:
            return opened
        _, connection = connection_key
        opener, opened = self._shared.get((group, handle)) or (connection, None)
        return None if opener == connection else opened  # this connection opens the handle later

    def _asked_by(self, connection_key: tuple[str, str], call: Call) -> _Asked | None:
        """Return the request of an answer; a second answer belongs to a lost request."""
        key = *connection_key, call.number
        asked = self._asked.get(key)
        if asked is None or call.begin is None:
            return asked
        if asked.answer is None:
            asked = msgspec.structs.replace(asked, answer=call.begin)
            self._asked.put(key, asked)
        return asked if asked.answer == call.begin else None


def _scope(flow: _Flow, group: _Group | None) -> str:
    """Return a name for the connections in which the handles of one of them are valid."""
    if group is None:
        return flow.connection
    _, hosts, number = group
    return f"{' '.join(sorted(hosts))} {number}"


def _removal(flow: _Flow, group: _Group | None, asked: _Asked, *, is_taken: bool | None) -> _Removal | None:
    """Return a request to remove a message, or its packet; None for other requests."""
    if asked.handle is None or asked.removal is None:
        return None
    is_within = asked.operation in IN_TRANSACTION
    return _Removal(_scope(flow, group), asked.handle, asked.removal, is_taken, is_within)


def _removal_rows(pieces: pa.RecordBatch, removals: list[tuple[int, _Removal]]) -> pa.RecordBatch:
    """Return rows of `REMOVALS`: those of some pieces."""
    rows = [row for row, _ in removals]
    places = pieces.select(_PLACE).take(pa.array(rows, pa.int64()))
    arrays = [
        pa.array([getattr(removal, name) for _, removal in removals], REMOVALS.field(name).type)
        for name in _Removal._fields
    ]
    return pa.RecordBatch.from_arrays([*places.columns, *arrays], schema=REMOVALS)


def _asked(call: Call, operation: int) -> _Asked:
    stub = call.stub
    if stub is None:
        return _Asked(operation, None, None)
    opened = opening(operation, stub, call.word, is_big=call.is_big)
    handle = handle_of(operation, stub, call.word, is_big=call.is_big)
    removal = None if handle is None else removal_of(stub, is_big=call.is_big)
    ended = ending(operation, stub, call.word, is_big=call.is_big)
    return _Asked(operation, opened, handle, removal, ended)


def _calls(pieces: pa.RecordBatch) -> Iterator[tuple[int, _Flow, Call]]:
    """Yield the calls of pieces, each with its row."""
    rows = np.flatnonzero(of_calls(pieces).to_numpy(zero_copy_only=False))
    columns = (pieces.column(name).take(pa.array(rows)).to_pylist() for name in (*_Flow._fields, "call"))
    for row, *flow, call in zip(rows.tolist(), *columns, strict=True):
        yield row, _Flow(*flow), Call(**call)


def _text(opened: Opening, name: str) -> str | None:
    text: str | None = getattr(opened, name)
    return None if text is None else writable(text)
