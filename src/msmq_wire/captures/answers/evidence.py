"""The evidence about messages in packets: the rows from which `deliveries` is made.

1. Each row states one fact about the messages of one queue manager, so that rows of all buckets and sensors
   can be joined: a message was sent, with its acknowledgment in the session; a message was acknowledged, or a
   sequence up to a number; or a message was answered.  Missing bytes may contain messages of any queue
   manager.
2. A row has the columns of `messages` that do not change from hop to hop, and the place of its packet.
3. Texts repeat, except identifiers of messages, and are numbers of a dictionary.
"""

from __future__ import annotations

import enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import among, array_of, either, ints, marks, meeting, order_by, ranks
from msmq_wire.captures.rows.channels import REMOTE_READ
from msmq_wire.captures.rows.compared import HEAD
from msmq_wire.captures.rows.destinations import COPIES
from msmq_wire.captures.rows.messages import MESSAGES
from msmq_wire.captures.rows.remote_reads import REMOVALS
from msmq_wire.captures.schemas import TIME, coded
from msmq_wire.captures.tables import PACKETS
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.numbers import MAX_PACKET_SIZE

from .hosts import addresses, are_claims
from .purposes import is_administration, is_application, is_negative, purposes
from .sessions import IN_SESSIONS, Acknowledged, Doubt, Flows, acknowledged
from .usage import ASKED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class EvidenceKind(enum.IntEnum):
    """The kinds of rows."""

    SENT = 0
    ADMINISTRATION = 1
    FINAL = 2
    ORDER = 3
    RESPONSE = 4
    LOST = 5
    READ = 6
    CLAIM = 7
    ADDRESS = 8


GUID_TEXT: Final = 36
"""The length of a GUID as text, with which the identifier of a message begins."""
NEVER: Final = int(np.iinfo(np.int64).max)
"""Stands for a time that is null."""
WHERE: Final = ("sensor", "connection", "flow", "offset", "file", "first_frame")
"""Where a packet is in the captures."""
_PLACE: Final = ("time", *WHERE)
_ENDS: Final = ("src", "dst")
_OWN: Final = (
    "destination_queue_manager", "sent_at", "destination", "destinations", "label", "recoverable",
    "transactional", "dead_letter", "journal", "partial", "size", *ASKED,
)  # fmt: skip
"""The columns of `messages` that a row about a message that was sent has, beside the place."""
_MESSAGE: Final = (
    *_OWN, "message", "source_queue_manager", "message_class", "sequence", "number_in_sequence",
    "correlation", "acknowledged_message", "carries",
)  # fmt: skip
"""The columns of `messages` from which evidence is made."""
_PACKET: Final = (
    "sensor", "connection", "flow", "direction", "offset", "time", "file", "first_frame", "src",
    "number_in_session", "type", "source_queue_manager", "destination_queue_manager", "message",
    "message_class", "acknowledged_message", "acknowledged_sequence", "acknowledged_number",
    "acknowledged_in_session", "SessionHeader",
)  # fmt: skip
_ACKNOWLEDGED: Final = ("time", "flow", "offset", "file", "first_frame")
_SENT: Final = (
    *_PLACE, *_ENDS, *_OWN, "message", "message_class", "sequence", "number_in_sequence", "head", "body_size",
    "source_queue_manager", "channel", "queue", "carries",
)  # fmt: skip
"""The columns of messages that were sent, or read."""
_REQUEST: Final = ("handle", "scope", "sensor")
"""The columns of removals that tell requests with one number apart."""
_ANSWER: Final = (*_PLACE, "source_queue_manager", "message", "message_class")
"""The columns of messages and packets that answer others."""
_NUMBERED: Final = {"sequence": "acknowledged_sequence", "number": "acknowledged_number"}
"""The columns of OrderAcks and FinalAcks with the place of a message in its sequence, and in `packets`."""
_OF_ORDERS: Final = ("destination_queue_manager", *_NUMBERED.values())
_TYPES: Final[dict[str, pa.DataType]] = {
    "kind": pa.int8(),
    "manager": pa.string(),
    "message": pa.string(),
    **{name: MESSAGES.field(name).type for name in (*_PLACE, *_ENDS)},
    "from_manager": pa.string(),
    "to_manager": pa.string(),
    "by": pa.string(),
    "own": pa.string(),
    "message_class": pa.string(),
    "sequence": pa.string(),
    "number": pa.int64(),
    **{name: MESSAGES.field(name).type for name in _OWN},
    "purpose": pa.string(),
    "head": pa.binary(),
    "body_size": pa.int64(),
    "doubt": pa.int8(),
    "heard": pa.int64(),
    "until": TIME,
    **{
        f"{kind}.{name}": MESSAGES.field(name).type
        for kind in ("received", "stored", "loss")
        for name in _ACKNOWLEDGED
    },
}
_IDENTIFIERS: Final = ("message", "own")
EVIDENCE: Final = coded(_TYPES.items(), *_IDENTIFIERS)
"""The columns of evidence.

``manager`` is the queue manager that sent the message, null for missing bytes, and ``by`` the queue manager
that acknowledged or answered it, with the message ``own``, or the queue from which a remote read returned it.
``response_queue`` of an administration acknowledgment is the queue of the message that it acknowledges
([MS-MQQB] 3.1.7.15), and a FinalAck has the ``sequence`` and the ``number`` of the message.
``received`` and ``stored`` are the places of packets that acknowledged the message in its session, and
``doubt`` is a `Doubt`, also of missing bytes, and
``loss`` is the place of missing bytes that may contain such a packet.  ``heard`` is the last offset of the
other direction of the session at which the sensor captured, or missed, something; -1 for none.  Of a message
that a remote read returned, ``received`` is the place of the answer to the call by which its reader has taken
it, and ``stored`` that of such an answer within a transaction.  A claim says that ``manager`` had the address
``src`` from ``time`` to ``until``, when it asked for a session; an address says so of one that was asked, or
at an unknown time.
"""
MANAGERS: Final = coded([(name, pa.string()) for name in ("sensor", "connection", "forward", "backward")])
"""The queue managers at both ends of sessions, as `sessions` has them."""
LOSSES: Final = coded(
    [
        *(
            (name, MESSAGES.field(name).type)
            for name in ("sensor", "connection", "direction", *_ACKNOWLEDGED)
        ),
        ("end_time", TIME),
        ("doubt", pa.int8()),
    ]
)
"""Bytes of flows that are in no packet, and the `Doubt` in which they leave an acknowledgment."""
_UNREAD: Final = pa.array([str(kind) for kind in (Kind.UNREADABLE, Kind.JUNK)])
"""The kinds of pieces that were captured and cannot be read."""

LIGHT_PACKETS: Final = coded(
    [
        *((name, PACKETS.field(name).type) for name in _PACKET),
        ("in_session", pa.bool_()),
        ("recoverable", pa.bool_()),
        ("announced", pa.int64()),
    ],
    *_IDENTIFIERS,
)
"""The columns of `packets` that evidence is made of, whether it is recoverable, and its PacketSize."""
_LIGHT: Final = (*_PLACE, "direction", *_ENDS, "channel", "queue", *_MESSAGE)
LIGHT_MESSAGES: Final = coded(
    [
        *((name, MESSAGES.field(name).type) for name in _LIGHT),
        ("head", pa.binary()),
        ("body_size", pa.int64()),
    ],
    *_IDENTIFIERS,
)
"""The columns of `messages` that evidence is made of, with the beginning and the size of a body.

They are null if it is encrypted.
"""
LIGHT_REMOVALS: Final = coded((field.name, field.type) for field in REMOVALS)
"""The columns of `REMOVALS`."""


def light_packets(packets: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows of `packets` as rows of `LIGHT_PACKETS`."""
    columns = [packets.column(name) for name in _PACKET]
    mode = pc.struct_field(packets.column("UserHeader"), ["Flags", "DM"])
    announced = pc.struct_field(packets.column("BaseHeader"), "PacketSize")
    own = [packets.column("session").is_valid(), pc.equal(mode, 1), announced]
    return _batch([*columns, *own], LIGHT_PACKETS)


def light_messages(messages: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows of `messages` as rows of `LIGHT_MESSAGES`."""
    body = messages.column("body")
    # Each hop may have a key of its own, so that equal bodies differ.
    hidden = pc.fill_null(messages.column("encrypted"), False)
    facts = pc.binary_slice(body, 0, HEAD), pc.binary_length(body).cast(pa.int64())
    own = [pc.if_else(hidden, pa.scalar(None, fact.type), fact) for fact in facts]
    columns = [messages.column(name) for name in _LIGHT]
    return _batch([*columns, *own], LIGHT_MESSAGES)


def light_removals(removals: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows of `REMOVALS` as rows of `LIGHT_REMOVALS`."""
    return _batch(removals.columns, LIGHT_REMOVALS)


def losses(pieces: pa.RecordBatch) -> pa.RecordBatch:
    """Return pieces of streams that are no packets as rows of `LOSSES`."""
    doubt = pc.if_else(pc.is_in(pieces.column("kind"), _UNREAD), int(Doubt.UNREAD), int(Doubt.LOST))
    return _batch([*pieces.select(LOSSES.names[:-1]).columns, doubt], LOSSES)


def managers(sessions: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows of `sessions` as rows of `MANAGERS`."""
    sides = (pc.struct_field(sessions.column(side), "manager") for side in ("forward", "backward"))
    ends = [sessions.column("sensor"), sessions.column("connection")]
    return _batch([*ends, *sides], MANAGERS)


def _batch(columns: list[pa.Array], schema: pa.Schema) -> pa.RecordBatch:
    """Return columns as those of a schema."""
    arrays = [column.cast(field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


class Connections:
    """All packets of connections, and the queue managers at their ends.

    Args:
        packets: Rows of `light_packets`.
        messages: Rows of `light_messages`, of these packets.
        losses: Rows of `LOSSES`: what is missing.
        managers: Rows of `MANAGERS`.
        removals: Rows of `LIGHT_REMOVALS`.

    Attributes:
        packets, messages, losses, removals: As given.
        flow, message_flow, lost_flow, removal_flow: The flow of each of their rows, as in `Flows`.
        names: The queue managers at the ends of flows.
    """

    def __init__(
        self, packets: pa.Table, messages: pa.Table, losses: pa.Table, managers: pa.Table, removals: pa.Table
    ) -> None:
        self.packets, self.messages, self.losses, self.removals = (
            table.combine_chunks() for table in (packets, messages, losses, removals)
        )
        directed = managers.append_column("direction", _forward(managers))
        flows = Flows(packets, losses, messages, directed, removals)
        self.flow, self.lost_flow, self.message_flow, manager_flow, self.removal_flow = flows.of
        self.names = Names(managers, manager_flow, len(flows.first))

    @cached_property
    def are_dead_letters(self) -> NDArray[np.bool_]:
        """Which messages are in a dead-letter queue, by their destination or the queue that was read."""
        names = (self.messages.column(name) for name in ("destination", "queue"))
        copied, taken = (ends_with(array_of(column), COPIES["dead_letter"]) for column in names)
        return copied | taken

    @cached_property
    def addresses(self) -> pa.Table:
        """The addresses of queue managers, as rows of `SIGHTINGS`."""
        return addresses(self)


def evidence(connections: Connections) -> pa.Table:
    """Return the evidence about messages as rows of `EVIDENCE`."""
    packets, losses = connections.packets, connections.losses
    flow = connections.flow
    (sessions,) = marks(packets.column("in_session")).nonzero()
    held = packets.select(IN_SESSIONS).take(pa.array(sessions))
    known = acknowledged(held, flow[sessions], losses, connections.lost_flow)
    parts = [
        _sent(connections, known, sessions),
        _acknowledgments(connections),
        _responses(connections),
        _finals(packets),
        _orders(connections),
        _lost(losses, connections.lost_flow, connections.names),
        _claims(connections.addresses),
    ]
    return pa.concat_tables(parts)


def _forward(managers: pa.Table) -> pa.Array:
    return pa.repeat(pa.scalar("->"), managers.num_rows)


class Names:
    """The queue managers at the ends of flows."""

    def __init__(self, managers: pa.Table, flow: NDArray[np.int64], count: int) -> None:
        self._row = np.full(2 * count, -1, np.int64)
        self._row[flow] = np.arange(len(flow))
        self._count = len(flow)
        # One array, because conditions on two dictionaries are slow.
        self._ends = pa.concat_arrays([array_of(managers.column(name)) for name in ("forward", "backward")])

    def of(self, flow: NDArray[np.int64], *, receiver: bool) -> pa.Array:
        """Return the queue manager that sends a flow, or that receives it."""
        row = self._row[flow & ~1]
        at = row + np.where((flow & 1 == 1) != receiver, self._count, 0)
        return self._ends.take(pa.array(at, mask=row < 0))


def _table(count: int, columns: dict[str, Any]) -> pa.Table:
    """Return rows of `EVIDENCE`; other columns are null."""
    arrays = [
        columns[field.name].cast(field.type) if field.name in columns else pa.nulls(count, field.type)
        for field in EVIDENCE
    ]
    return pa.table(arrays, schema=EVIDENCE)


def _of(kind: EvidenceKind, count: int) -> pa.Array:
    return pa.array(np.full(count, int(kind), np.int8))


def manager_in(identifiers: Any) -> Any:
    """Return the queue manager in identifiers of messages."""
    return pc.utf8_slice_codeunits(identifiers, 0, GUID_TEXT)


# ------------------------------------------------------------------------------------------------- messages


def _sent(connections: Connections, known: Acknowledged, sessions: Ints) -> pa.Table:
    """Rows for messages that were sent, and for those that a remote read returned.

    Args:
        connections: The connections.
        known: The acknowledgments of their packets of sessions.
        sessions: The rows of these packets.
    """
    packets, messages, names = connections.packets, connections.messages, connections.names
    good = marks(messages.column("message").is_valid())
    (chosen,) = good.nonzero()
    rows = messages.select(_SENT)
    if not good.all():
        rows = rows.take(pa.array(chosen))
    flow, own_flow = connections.flow, connections.message_flow[chosen]
    at = _joined(flow, ints(packets.column("offset")), own_flow, ints(rows.column("offset")))
    columns = {name: rows.column(name) for name in (*_PLACE, *_ENDS, *_OWN, "message", "message_class")}
    # The size does not depend on how much was captured, nor on a SessionHeader behind it.
    announced = packets.column("announced").take(pa.array(at, mask=at == packets.num_rows))
    is_possible = pc.less_equal(announced, MAX_PACKET_SIZE)
    columns["size"] = pc.if_else(pc.fill_null(is_possible, False), announced, rows.column("size"))
    in_sessions = np.full(packets.num_rows + 1, -1, np.int64)
    in_sessions[sessions] = np.arange(len(sessions))
    at = in_sessions[at]  # among the packets of sessions; -1 for others
    columns |= {"sequence": rows.column("sequence"), "number": rows.column("number_in_sequence")}
    columns |= {"head": rows.column("head"), "body_size": rows.column("body_size")}
    is_read = among(rows.column("channel"), [REMOTE_READ])
    columns["kind"] = pa.array(np.where(is_read, EvidenceKind.READ, EvidenceKind.SENT).astype(np.int8))
    columns["manager"] = rows.column("source_queue_manager")
    columns["by"] = rows.column("queue")
    columns["from_manager"] = names.of(own_flow, receiver=False)
    columns["to_manager"] = names.of(own_flow, receiver=True)
    classes = array_of(rows.column("message_class"))
    # In a dead-letter queue, the class is not that of the message.
    own_class = np.where(connections.are_dead_letters[chosen], -1, np.arange(rows.num_rows))
    columns["purpose"] = purposes(
        classes.take(pa.array(own_class, mask=own_class < 0)),
        *(array_of(rows.column(name)) for name in ("destination", "carries")),
    )
    columns["doubt"] = pa.array(np.append(known.doubt, Doubt.APART)[at])
    columns["heard"] = pa.array(np.append(known.heard, -1)[at])
    for name, known_rows, table in (
        ("received", np.append(sessions, -1)[known.by], packets),
        ("stored", np.append(sessions, -1)[known.stored_by], packets),
        ("loss", known.loss, connections.losses),
    ):
        row = np.append(known_rows, -1)[at]
        taken = pa.array(row, mask=row < 0)
        columns |= {f"{name}.{inner}": table.column(inner).take(taken) for inner in _ACKNOWLEDGED}
    ended = _ended(connections, own_flow, ints(rows.column("offset")))
    if (ended >= 0).any():
        within = np.append(marks(connections.removals.column("in_transaction")), False)[ended]
        for name, hidden in (("received", within), ("stored", ~within)):
            taken = pa.array(ended, mask=(ended < 0) | hidden)
            for inner in _ACKNOWLEDGED:
                other = array_of(connections.removals.column(inner)).take(taken)
                columns[f"{name}.{inner}"] = either(array_of(columns[f"{name}.{inner}"]), other)
    return _table(len(chosen), columns)


def _ended(connections: Connections, flow: Ints, offset: Ints) -> Ints:
    """Return for each message, by its flow and offset, the removal that says that it was taken; -1 for none.

    It is the next row after the message with the same request.  Removals of a connection are in its order,
    which counts rather than the time: a segment may be captured late.
    """
    removals = connections.removals
    is_packet = marks(removals.column("is_taken").is_null())
    if is_packet.all():
        return np.full(len(flow), -1, np.int64)
    texts = [ints(array_of(removals.column(name)).dictionary_encode().indices) for name in _REQUEST]
    within = marks(removals.column("in_transaction")).astype(np.int64)
    keys = [ints(removals.column("number")), within, *texts]
    connection = connections.removal_flow // 2
    begins = np.cumsum(np.append(1, connection[1:] != connection[:-1]))
    times, rank = np.unique(ints(removals.column("time")), return_inverse=True)
    latest = np.maximum.accumulate(begins * len(times) + rank) - begins * len(times)
    order = order_by(*keys[::-1], latest)
    same = np.logical_and.reduce([key[order][1:] == key[order][:-1] for key in keys])
    before, after = order[:-1][same], order[1:][same]
    good = is_packet[before] & marks(removals.column("is_taken"))[after]
    ended = np.full(len(order) + 1, -1, np.int64)
    ended[before[good]] = after[good]
    (returned,) = is_packet.nonzero()
    places = connections.removal_flow[returned], ints(removals.column("offset"))[returned]
    at = _joined(*places, flow, offset)
    rows: Ints = ended[np.append(returned, -1)[np.minimum(at, len(returned))]]
    return rows


def _joined(flow: Any, offset: Any, of: Any, at: Any) -> NDArray[np.int64]:
    """Return a row with each flow and offset; the number of rows if there is none."""
    if not len(flow):
        return np.zeros(len(of), np.int64)
    span = int(max(offset.max(), at.max(initial=0))) + 2
    keys = flow * span + offset
    order = order_by(keys)
    wanted = of * span + at
    nearest = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    rows: NDArray[np.int64] = np.where(keys[order[nearest]] == wanted, order[nearest], len(keys))
    return rows


def _acknowledgments(connections: Connections) -> pa.Table:
    """Rows for administration acknowledgments.

    A message in a dead-letter queue has a negative class of its own, beside its CorrelationID; so may one
    that was read from a queue that no captured call names.
    """
    messages = connections.messages
    classes, queues = messages.column("message_class"), messages.column("queue")
    read = among(messages.column("channel"), [REMOTE_READ])
    is_own = read & marks(queues.is_null()) & meeting(classes, is_negative)
    which = meeting(classes, is_administration) & ~is_own & ~connections.are_dead_letters
    return _answers(
        EvidenceKind.ADMINISTRATION,
        messages,
        "acknowledged_message",
        which,
        {"response_queue": "response_queue", "destination": "destination"},
    )


def ends_with(names: pa.Array, suffixes: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return which names of queues have such an end; null has none."""
    return meeting(names, lambda name: name.upper().endswith(suffixes))


def _responses(connections: Connections) -> pa.Table:
    """Rows for messages of applications that refer to others by their CorrelationID.

    In a dead-letter queue, the class is not that of the message.
    """
    messages = connections.messages
    classes = messages.column("message_class")
    which = meeting(classes, is_application) | (marks(classes.is_valid()) & connections.are_dead_letters)
    return _answers(EvidenceKind.RESPONSE, messages, "correlation", which, {"destination": "destination"})


def _answers(
    kind: EvidenceKind, table: pa.Table, name: str, which: NDArray[np.bool_], more: Mapping[str, str]
) -> pa.Table:
    """Rows for some messages or packets, those with a column that names a message.

    `more` are other columns of evidence, and their names in the table.
    """
    (chosen,) = (which & marks(table.column(name).is_valid())).nonzero()
    rows = table.select([*_ANSWER, name, *more.values()]).take(pa.array(chosen))
    named = rows.column(name).cast(pa.string())
    columns = {name: rows.column(name) for name in (*_PLACE, "message_class")}
    columns |= {name: rows.column(own) for name, own in more.items()}
    columns |= {"message": named, "manager": manager_in(named), "by": rows.column("source_queue_manager")}
    columns |= {"own": rows.column("message"), "kind": _of(kind, rows.num_rows)}
    return _table(rows.num_rows, columns)


# -------------------------------------------------------------------------------------------------- packets


def _finals(packets: pa.Table) -> pa.Table:
    """Rows for FinalAcks."""
    which = among(packets.column("type"), ["FinalAck"])
    return _answers(EvidenceKind.FINAL, packets, "acknowledged_message", which, _NUMBERED)


def _orders(connections: Connections) -> pa.Table:
    """Rows for OrderAcks, which name the sequences of the queue manager that they are sent to.

    One to a direct name does not name this queue manager.  Without a handshake, it is the one whose
    messages with this sequence went the other way.
    """
    packets, flow, names = connections.packets, connections.flow, connections.names
    is_order = among(packets.column("type"), ["OrderAck"])
    (chosen,) = (is_order & marks(packets.column("acknowledged_sequence").is_valid())).nonzero()
    rows = packets.select([*_ANSWER, *_OF_ORDERS]).take(pa.array(chosen))
    manager = either(
        rows.column("destination_queue_manager").combine_chunks(), names.of(flow[chosen], receiver=True)
    )
    if manager.null_count:
        messages, message_flow = connections.messages, connections.message_flow
        (ordered,) = marks(messages.column("sequence").is_valid()).nonzero()
        theirs = messages.select(["sequence", "source_queue_manager"]).take(pa.array(ordered))
        sequences = [rows.column("acknowledged_sequence"), theirs.column("sequence")]
        coded = pa.concat_arrays([column.combine_chunks() for column in sequences]).dictionary_encode()
        code = ints(coded.indices)
        at = _joined(message_flow[ordered], code[len(chosen) :], flow[chosen] ^ 1, code[: len(chosen)])
        source = theirs.column("source_queue_manager").combine_chunks()
        manager = either(manager, source.take(pa.array(at, mask=at == len(ordered))))
    columns = {name: rows.column(name) for name in (*_PLACE, "message_class")}
    columns |= {"manager": manager, "by": rows.column("source_queue_manager"), "own": rows.column("message")}
    columns |= {name: rows.column(own) for name, own in _NUMBERED.items()}
    columns["kind"] = _of(EvidenceKind.ORDER, rows.num_rows)
    return _table(rows.num_rows, columns)


def _lost(losses: pa.Table, flow: Ints, names: Names) -> pa.Table:
    """Rows for missing bytes: the last ones between each two queue managers."""
    ends = [names.of(flow, receiver=receiver) for receiver in (False, True)]
    (chosen,) = marks(pc.and_(*(end.is_valid() for end in ends))).nonzero()
    rows = losses.take(pa.array(chosen))
    sender, receiver = (end.take(pa.array(chosen)) for end in ends)
    columns = {name: rows.column(name) for name in ("sensor", "connection")}
    columns |= {f"loss.{name}": rows.column(name) for name in _ACKNOWLEDGED}
    columns["doubt"] = rows.column("doubt")
    columns |= {"time": rows.column("end_time"), "from_manager": sender, "to_manager": receiver}
    columns["kind"] = _of(EvidenceKind.LOST, len(chosen))
    lost = _table(len(chosen), columns)
    numbers = ints(pa.concat_arrays([sender, receiver]).dictionary_encode().indices)
    senders, receivers = numbers[: len(chosen)], numbers[len(chosen) :]
    lower, higher = np.minimum(senders, receivers), np.maximum(senders, receivers)
    pairs = lower * (numbers.max(initial=0) + 1) + higher
    latest = loss_order(lost)[::-1]
    _, first = np.unique(pairs[latest], return_index=True)
    return lost.take(pa.array(latest[first]))


def _claims(sighted: pa.Table) -> pa.Table:
    """Rows for claims to be a queue manager, and for other addresses of queue managers."""
    columns = {name: sighted.column(name) for name in ("sensor", "time", "until")}
    columns |= {"manager": sighted.column("queue_manager"), "src": sighted.column("value")}
    kinds = np.where(are_claims(sighted), EvidenceKind.CLAIM, EvidenceKind.ADDRESS)
    columns["kind"] = pa.array(kinds.astype(np.int8))
    return _table(sighted.num_rows, columns)


def loss_order(lost: pa.Table) -> Ints:
    """Return the order of rows about missing bytes by time; those of one time are in the order of places."""
    texts = [ranks(array_of(lost.column(name))) for name in ("loss.file", "loss.flow", "sensor")]
    numbers = [ints(lost.column(f"loss.{name}")) for name in ("first_frame", "offset")]
    order: Ints = order_by(ints(lost.column("time"), NEVER), *texts[::-1], *numbers[::-1])
    return order


def of_all_managers(rows: pa.RecordBatch) -> pa.Array:
    """Return which rows of `EVIDENCE` are needed with the messages of each queue manager.

    Bytes that are missing between two queue managers may have messages that these only pass on.  An address
    may be that of several queue managers, so that each address of each of them is needed once.
    """
    kinds = ints(rows.column("kind"))
    needed = kinds == EvidenceKind.LOST
    (sighted,) = np.isin(kinds, (EvidenceKind.CLAIM, EvidenceKind.ADDRESS)).nonzero()
    manager, address = (
        ints(rows.column(name).dictionary_encode().indices)[sighted] for name in ("manager", "src")
    )
    _, first = np.unique(manager * (rows.num_rows + 1) + address, return_index=True)
    needed[sighted[first]] = True
    return pa.array(needed)
