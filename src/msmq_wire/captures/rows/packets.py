"""Workers for packets: Arrow batches in, rows of the tables out.

1. A worker takes rows with a column `data` and copies the columns for their location.
2. Rules and readings that only exist for records are applied packet by packet, within a batch.
3. A worker never raises because of the bytes; if they cannot be decoded, the row has an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow import cleared, decode_and_clear, decode_packets
from msmq_wire.captures.schemas import FLOW, PLACE, plain, schema_of
from msmq_wire.checks.validation import Context, validate, violations_in_part
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.packets.carriers import DirectoryQueue, carries
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.directory.carried import carried_by
from msmq_wire.packets.directory.notification import ChangeNotificationMessage, NotificationUpdates
from msmq_wire.packets.kinds import record_of
from msmq_wire.packets.lax import decode_part
from msmq_wire.packets.packet import decode
from msmq_wire.packets.partial import LaxResult
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.times import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from msmq_wire.checks.profiles import ProfileName
    from msmq_wire.checks.rules import Channel, Level
    from msmq_wire.values.violation import Violation

    Worker = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

CARRIED: Final = FLOW + PLACE
"""The columns that every row of a packet has."""
POSITION: Final = [name for name, _, _ in CARRIED]
"""Their names."""
STYLE: Final[dict[str, Any]] = {"spark": True, "text": "utf8"}
"""How the tables store values."""
CLOCK_TOLERANCE: Final = 60.0
"""The usual `Settings.clock_tolerance` (errata M41)."""


def _expanded(
    schema: pa.Schema,
    make: Callable[..., Iterable[tuple[Any, ...]]],
    more: Callable[[pa.RecordBatch], tuple[list[Any], ...]] = lambda _: (),
) -> Worker:
    """Return a worker that creates rows from the bytes of each packet, and from the values of `more`."""
    fields = [field for field in plain(schema) if field.name not in POSITION]

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            indices: list[int] = []
            rows: list[tuple[Any, ...]] = []
            inputs = zip(batch.column("data").to_pylist(), *more(batch), strict=True)
            for index, packet in enumerate(inputs):
                for row in make(*packet):
                    indices.append(index)
                    rows.append(row)
            passed = batch.select(POSITION).take(pa.array(indices, pa.int64()))
            columns: list[Any] = [*zip(*rows, strict=True)] or [[]] * len(fields)
            arrays = [pa.array(column, field.type) for column, field in zip(columns, fields, strict=True)]
            yield pa.RecordBatch.from_arrays([*passed.columns, *arrays], schema=plain(schema))

    return run


# ------------------------------------------------------------------------------------------ directory

BODIES: Final = schema_of(
    [
        *CARRIED,
        ("server", pa.string(), "`UserMessage.UserHeader.SourceQueueManager`"),
        ("carries", pa.string(), "The directory queue whose messages have this form."),
        ("body", pa.binary(), "A replication message; for a change notification, one with its updates."),
        ("data", pa.binary(), "The original body if it cannot be decoded."),
        ("error", pa.string(), "The error; null if the body was decoded."),
        ("path", pa.string(), "The field at which decoding failed."),
        ("error_offset", pa.int64(), "Offset of the error in the body."),
    ]
)
"""The columns of directory messages, before `directory_changes` is made from them."""


def bodies() -> Worker:
    """Return the worker that extracts the directory message from each message that carries one."""
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
    """Return a change propagation with the updates of a notification, byte for byte ([MS-MQCN] 2.2.6)."""
    if not isinstance(notification.Data, NotificationUpdates):
        return None
    changes = [mqdsrp.DirectoryChange.decode(update.encode()) for update in notification.Data.Updates]
    return mqdsrp.ChangePropagationMessage(DirectoryChanges=changes).encode()


# ----------------------------------------------------------------------------------------- violations

_VIOLATION: Final = (
    ("requirement", pa.string(), "Id of the violated requirement."),
    ("path", pa.string(), "Path of the field, from the packet."),
    ("field_offset", pa.int64(), "Offset of the field in the packet."),
    ("found", pa.string(), "The value of the field."),
    ("allowed", pa.string(), "The allowed values."),
    ("message", pa.string(), "The violation in one sentence."),
    ("level", pa.string(), "``must``, ``should`` or ``practice``."),
)
VIOLATION: Final = pa.struct([(name, kind) for name, kind, _ in _VIOLATION])
"""The element type of the result of the function `validate`."""

OTHER: Final = pa.struct(
    [
        (name, kind)
        for name, kind, _ in CARRIED
        if name in {"sensor", "connection", "flow", "offset", "time", "file", "first_frame"}
    ]
)
"""The location of the other message, for a violation that needs two messages."""
VIOLATIONS: Final = schema_of(
    [
        *CARRIED,
        ("type", pa.string(), "Name of the packet's structure; null if it is not a packet."),
        *_VIOLATION,
        (
            "other",
            OTHER,
            "Location of the other message, for a violation that needs two messages; otherwise null.",
        ),
    ]
)
"""The columns of `violations`."""


def violation_row(violation: Violation) -> dict[str, Any]:
    """Return the columns of a violation."""
    return {
        "requirement": violation.requirement,
        "path": violation.path,
        "field_offset": violation.offset,
        "found": None if violation.found is None else _text(violation.found),
        "allowed": violation.allowed,
        "message": violation.message,
        "level": violation.level,
    }


def _text(value: Any) -> str:
    text = value.hex() if isinstance(value, bytes) else str(value)
    return text[:200].encode("utf-8", "replace").decode()


def _read(data: bytes) -> tuple[Any, str | None]:
    """Return a packet, or its readable part, and the name of its structure."""
    try:
        record = record_of(data)
    except DecodeError:
        result = decode_part(data)
        return result, result.source and result.source.kind
    return record, type(record).__name__


class PacketValidator(NamedTuple):
    """Validates packets; the attributes are as for `validate`."""

    level: Level = "must"
    profile: ProfileName | None = None
    ignore: Collection[str] = ()
    clock_tolerance: float = CLOCK_TOLERANCE
    channel: Channel = "session"

    def violations(self, record: Any, time: int | None, receiver: str | None) -> Iterable[Any]:
        """Return the violations of a packet.

        Args:
            record: The packet, or the result of `decode_lax`.
            time: When its first segment was captured, in microseconds since 1970; None if unknown.
            receiver: The IP address of the receiver, if there is one.
        """
        seen_at = None if time is None else time / SECOND
        context = Context(
            seen_at=seen_at, receiver_address=receiver or None, clock_tolerance=self.clock_tolerance
        )
        is_part = isinstance(record, LaxResult) and record.packet is None
        judge = violations_in_part if is_part else validate
        return judge(
            record,
            self.level,
            channel=self.channel,
            context=context,
            profile=self.profile,
            ignore=self.ignore,
        )

    def decoded(
        self, batch: pa.RecordBatch, columns: Iterable[str] | None
    ) -> tuple[pa.StructArray, pa.BooleanArray]:
        """Decode packets, and return which ones are cleared of violations, as `cleared` does.

        Args:
            batch: As for `cleared`.
            columns: As for `decode_packets`.
        """
        data, time, receiver = (batch.column(name) for name in ("data", "time", "dst"))
        if self.profile is not None:  # profiles have rules without column tests
            return decode_packets(data, columns=columns, **STYLE), pa.repeat(pa.scalar(False), len(batch))
        return decode_and_clear(
            data,
            self.level,
            columns=columns,
            seen_at=time,
            receiver_address=receiver,
            clock_tolerance=self.clock_tolerance,
            **STYLE,
        )

    def cleared(self, batch: pa.RecordBatch) -> pa.BooleanArray:
        """Return which packets are cleared of violations by their columns, without decoding them.

        Args:
            batch: The packets, with the time and the receiver of each.
        """
        # Profiles have rules without column tests, and column tests apply to sessions only.
        if self.profile is not None or self.channel != "session":
            return pa.array(np.zeros(len(batch), np.bool_))
        data, time, receiver = (batch.column(name) for name in ("data", "time", "dst"))
        return cleared(
            data, self.level, seen_at=time, receiver_address=receiver, clock_tolerance=self.clock_tolerance
        )


def _met(batch: pa.RecordBatch) -> tuple[list[Any], ...]:
    """Return capture times in microseconds since 1970, and receiver addresses."""
    return batch.column("time").cast(pa.int64()).to_pylist(), batch.column("dst").to_pylist()


def violations(validator: PacketValidator = PacketValidator()) -> Worker:  # noqa: B008  # it is immutable
    """Return the worker that lists the violations of packets."""

    def make(data: bytes, time: int | None, receiver: str | None) -> Iterator[tuple[Any, ...]]:
        record, name = _read(data)
        for violation in validator.violations(record, time, receiver):
            yield name, *violation_row(violation).values(), None

    expand = _expanded(VIOLATIONS, make, _met)

    def doubtful(batch: pa.RecordBatch) -> pa.RecordBatch:
        return batch.filter(pc.invert(validator.cleared(batch)))

    return lambda batches: expand(map(doubtful, batches))
