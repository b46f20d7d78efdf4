"""What workers do with packets: batches of Arrow in, rows of the tables out.

1. A worker takes rows with a column `data` and passes on the columns that tell where they are from.
2. What only the rules and the readings of records know is asked packet by packet, within a batch.
3. Whatever the bytes are, a worker does not raise: what cannot be read is a row that says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow import cleared
from msmq_wire.captures.schemas import FLOW, PLACE, plain, schema_of
from msmq_wire.checks.validation import Context, validate
from msmq_wire.documents.mqqb import PingPacket
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.packets.carriers import DirectoryQueue, carries
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.directory.carried import carried_by
from msmq_wire.packets.directory.notification import ChangeNotificationMessage, NotificationUpdates
from msmq_wire.packets.marks import is_signed
from msmq_wire.packets.packet import decode
from msmq_wire.values.errors import DecodeError, MsmqWireError
from msmq_wire.views.explanation import explain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from msmq_wire.checks.profiles import ProfileName
    from msmq_wire.checks.rules import Channel, Level

    Worker = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

__all__ = [
    "BODIES",
    "CARRIED",
    "VIOLATION",
    "VIOLATIONS",
    "Judge",
    "Worker",
    "bodies",
    "explanations",
    "finding_row",
    "record_of",
    "violations",
    "violations_of",
]

CARRIED: Final = FLOW + PLACE
"""The columns that every row of a packet passes on."""
_SECOND: Final = 1e6
_NAMES: Final = [name for name, _, _ in CARRIED]


def record_of(data: bytes) -> Any:
    """The packet that these bytes are; a Ping has no signature where the others have it.

    Raises:
        DecodeError: They are none.
    """
    if not is_signed(data) and len(data) == PingPacket.layout.least_size:
        return PingPacket.decode(data)
    return decode(data)


def _expanded(
    schema: pa.Schema,
    make: Callable[..., Iterable[tuple[Any, ...]]],
    more: Callable[[pa.RecordBatch], tuple[list[Any], ...]] = lambda _: (),
) -> Worker:
    """A worker that makes rows of the bytes of each packet, and of what else is told of each."""
    own = [field for field in plain(schema) if field.name not in _NAMES]

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            indices: list[int] = []
            rows: list[tuple[Any, ...]] = []
            told = zip(batch.column("data").to_pylist(), *more(batch), strict=True)
            for index, packet in enumerate(told):
                for row in make(*packet):
                    indices.append(index)
                    rows.append(row)
            passed = batch.select(_NAMES).take(pa.array(indices, pa.int64()))
            columns: list[Any] = [*zip(*rows, strict=True)] or [[]] * len(own)
            made = [pa.array(column, field.type) for column, field in zip(columns, own, strict=True)]
            yield pa.RecordBatch.from_arrays([*passed.columns, *made], schema=plain(schema))

    return run


# ------------------------------------------------------------------------------------------ directory

BODIES: Final = schema_of(
    [
        *CARRIED,
        ("server", pa.string(), "`UserMessage.UserHeader.SourceQueueManager`"),
        ("carries", pa.string(), "The directory queue whose kind of message it is."),
        ("body", pa.binary(), "A replication message; for a change notification, one that has its updates."),
        ("data", pa.binary(), "The body as it was, if it cannot be read."),
        ("error", pa.string(), "Why it cannot be read."),
        ("path", pa.string(), "The field where reading failed."),
        ("error_offset", pa.int64(), "Where that is, in bytes from the beginning of the body."),
    ]
)
"""The columns of directory messages on their way to `directory_changes`."""


def bodies() -> Worker:
    """The worker that takes the directory message out of each message that carries one."""
    return _expanded(BODIES, _body)


def _body(data: bytes) -> Iterator[tuple[Any, ...]]:
    message: Any = decode(data)
    queue = carries(message) if isinstance(message, UserMessage) else None
    if queue is None:
        return
    server = str(message.UserHeader.SourceQueueManager)
    body = message.MessagePropertiesHeader.MessageBody
    try:
        carried = carried_by(message)
    except DecodeError as error:
        yield server, queue.name, None, body, str(error), error.path, error.offset
        return
    if queue is DirectoryQueue.NOTIFICATION:
        body = _as_replication(carried)
    yield server, queue.name, body, None, None, None, None


def _as_replication(notification: ChangeNotificationMessage) -> bytes | None:
    """A change propagation with the updates of a notification, which are the same bytes ([MS-MQCN] 2.2.6)."""
    if not isinstance(notification.Data, NotificationUpdates):
        return None
    changes = [mqdsrp.DirectoryChange.decode(update.encode()) for update in notification.Data.Updates]
    return mqdsrp.ChangePropagationMessage(DirectoryChanges=changes).encode()


# ----------------------------------------------------------------------------------------- violations

_VIOLATION: Final = (
    ("requirement", pa.string(), "Id of the requirement that is broken."),
    ("path", pa.string(), "The field, from the packet on."),
    ("field_offset", pa.int64(), "Where the field starts, in bytes from the beginning of the packet."),
    ("found", pa.string(), "What it holds."),
    ("allowed", pa.string(), "What it may hold."),
    ("message", pa.string(), "One sentence about it."),
    ("level", pa.string(), "How strict the page is: ``must``, ``should`` or ``practice``."),
)
VIOLATION: Final = pa.struct([(name, kind) for name, kind, _ in _VIOLATION])
"""What the function `validate` gives a list of."""

VIOLATIONS: Final = schema_of(
    [
        *CARRIED,
        ("type", pa.string(), "Name of the packet's structure; null for what is no packet."),
        *_VIOLATION,
    ]
)
"""The columns of `violations`."""


def finding_row(found: Any) -> dict[str, Any]:
    """The columns of a `Violation` or `SessionFinding`."""
    return {
        "requirement": found.requirement,
        "path": found.path,
        "field_offset": getattr(found, "field_offset", found.offset),
        "found": None if found.found is None else _text(found.found),
        "allowed": found.allowed,
        "message": found.message,
        "level": getattr(found, "level", "must"),  # what a session forbids, it forbids
    }


def _text(value: Any) -> str:
    text = value.hex() if isinstance(value, bytes) else str(value)
    return text[:200].encode("utf-8", "replace").decode()


class Judge(NamedTuple):
    """Finds the requirements that packets of a session violate; the attributes are as for `validate`."""

    level: Level = "must"
    profile: ProfileName | None = None
    ignore: Collection[str] = ()

    def found(self, record: Any, time: int | None, receiver: str | None) -> Iterable[Any]:
        """The violations of a packet.

        Args:
            record: The packet.
            time: When its first segment was captured, in microseconds since 1970, if that is known.
            receiver: The IP address that it went to, if there was one.
        """
        seen_at = None if time is None else time / _SECOND
        return validate(
            record,
            self.level,
            channel="session",
            context=Context(seen_at=seen_at, receiver_address=receiver or None),
            profile=self.profile,
            ignore=self.ignore,
        )

    def cleared(self, batch: pa.RecordBatch) -> pa.BooleanArray:
        """Of which packets it is known without a look at each that nothing would be found.

        Args:
            batch: The packets, with the time and the receiver of each.
        """
        if self.profile is not None:  # which has rules of its own
            return pa.array(np.zeros(len(batch), np.bool_))
        data, time, receiver = (batch.column(name) for name in ("data", "time", "dst"))
        return cleared(data, self.level, seen_at=time, receiver_address=receiver)


def _met(batch: pa.RecordBatch) -> tuple[list[Any], ...]:
    """When packets were captured, in microseconds since 1970, and the addresses that they went to."""
    return batch.column("time").cast(pa.int64()).to_pylist(), batch.column("dst").to_pylist()


def violations(judge: Judge = Judge()) -> Worker:  # noqa: B008  # it does not change
    """The worker that lists the requirements that packets violate."""

    def make(data: bytes, time: int | None, receiver: str | None) -> Iterator[tuple[Any, ...]]:
        record = record_of(data)
        for found in judge.found(record, time, receiver):
            yield type(record).__name__, *finding_row(found).values()

    expand = _expanded(VIOLATIONS, make, _met)

    def doubtful(batch: pa.RecordBatch) -> pa.RecordBatch:
        return batch.filter(pc.invert(judge.cleared(batch)))

    return lambda batches: expand(map(doubtful, batches))


# ------------------------------------------------------------------------------------- SQL functions


def violations_of(
    data: bytes | None, level: Level = "must", channel: Channel = "session"
) -> list[dict[str, Any]] | None:
    """What a packet has against the documents; null for what is not a packet.

    Args:
        data: The packet.
        level: As `validate` takes it.
        channel: Where the packet was met, likewise.

    Raises:
        ValueError: There is no such level or channel.
    """
    if data is None:
        return None
    try:
        found = validate(record_of(data), level, channel=channel)
    except MsmqWireError:
        return None
    return [finding_row(one) for one in found]


def explanations(data: bytes | None) -> str | None:
    """The lines of `explain`."""
    return None if data is None else explain(data).encode("utf-8", "replace").decode()
