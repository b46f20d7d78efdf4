"""Statistics of a task about the rows that it made; the driver adds them up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.files.containers import NO_TIME
from msmq_wire.captures.files.reading import Tally
from msmq_wire.captures.network.frames import Reason
from msmq_wire.captures.tables import sensor_of, whole_packets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_COUNTED: Final = {
    "packets": "type",
    "violations": "requirement",
    "quarantine": "cause",
    "sessions": "outcome",
}
BALANCE: Final = ("bytes", "in_packets", "in_quarantine", "in_gaps", "difference")


class TaskStatistics(msgspec.Struct):
    """Statistics about rows.

    Attributes:
        rows: Number of rows by table.
        counts: By table, number of rows by the value of the counted column.
        damaged: Damaged captures, with the error.
        captured: Captured bytes of flows.
        balance: Bytes of flows, and in which tables they are.
        frames: By file, frames and their captured bytes by reason and detail.
        others: By file and protocol, number of segments that are not MSMQ, and bytes of their frames.
        last: By sensor, when the last segment was captured, in microseconds since 1970; for increments.
        late: For open connections, by pair and sensor, `RetentionPolicy.late`; for increments.
        until: By sensor, when its last frame was captured, likewise; without frames, as in a stream, the last
            segment of a flow of MSMQ.
        wrong: Errors about flows that do not balance.
        files: By table, the files that the task has written.
    """

    rows: dict[str, int] = {}
    counts: dict[str, dict[str, int]] = {}
    damaged: dict[str, str] = {}
    captured: int = 0
    balance: dict[str, int] = {}
    frames: dict[str, dict[tuple[str, str], tuple[int, int]]] = {}
    others: dict[tuple[str, str], tuple[int, int]] = {}
    last: dict[str, int] = {}
    late: dict[tuple[str, str], int] = {}
    until: dict[str, int] = {}
    wrong: list[str] = []
    files: dict[str, list[str]] = {}

    def take(self, table: str, batch: pa.RecordBatch) -> None:
        """Count rows of a table."""
        self.rows[table] = self.rows.get(table, 0) + batch.num_rows
        if table == "packets":  # without the other columns, which are wide
            batch = whole_packets(batch.select(["type", "partial"]))
        if table == "directory_objects":
            self._count(table, _object_names(batch))
        elif table in _COUNTED:
            self._count(table, batch.column(_COUNTED[table]), batch if table == "quarantine" else None)
        if table == "quarantine":
            self._damage(batch)
        elif table == "flows":
            self.captured += int(pc.sum(batch.column("captured")).as_py() or 0)
        elif table == "balance":
            sums = {name: int(pc.sum(batch.column(name)).as_py() or 0) for name in BALANCE}
            _add(self.balance, sums)

    def tally(self, file: str, tally: Tally) -> None:
        """Add the results of the frames of a part of a file."""
        if tally.until != NO_TIME:
            self.note_until({sensor_of(file): tally.until})
        self._frames(file, {key: (count, tally.bytes[key]) for key, count in tally.frames.items()})

    def add_others(self, others: Iterable[tuple[str, str, int, int]]) -> None:
        """Add the frames of other protocols: file, protocol, number of frames, and their bytes."""
        for file, protocol, count, size in others:
            before = self.others.get((file, protocol), (0, 0))
            self.others[file, protocol] = before[0] + count, before[1] + size

    def note_until(self, until: Mapping[str, int]) -> None:
        """Record when each sensor captured its last frame."""
        for sensor, time in until.items():
            self.until[sensor] = max(self.until.get(sensor, time), time)

    def _frames(self, file: str, counts: Mapping[tuple[str, str], tuple[int, int]]) -> None:
        counts_of_file = self.frames.setdefault(file, {})
        for key, (frames, size) in counts.items():
            before = counts_of_file.get(key, (0, 0))
            counts_of_file[key] = before[0] + frames, before[1] + size

    def _count(self, table: str, values: pa.Array, places: pa.RecordBatch | None = None) -> None:
        """Count rows by a value, or the errors that rows stand for."""
        counts = self.counts.setdefault(table, {})
        if places is None:
            by_value = pc.value_counts(values).to_pylist()
            _add(counts, {row["values"] or "unknown": row["counts"] for row in by_value})
        else:
            each = pa.table([values, places.column("places")], ["value", "places"]).group_by("value")
            for row in each.aggregate([("places", "sum")]).to_pylist():
                _add(counts, {row["value"] or "unknown": row["places_sum"]})

    def _damage(self, batch: pa.RecordBatch) -> None:
        wrong = batch.filter(pc.is_in(batch.column("kind"), pa.array(["file", "frame"])))
        for file, error in zip(
            wrong.column("file").to_pylist(), wrong.column("error").to_pylist(), strict=True
        ):
            self.damaged[file] = min(self.damaged.get(file, error), error)

    def encode(self) -> bytes:
        """Return the statistics as bytes."""
        return msgspec.msgpack.encode(self)

    def add(self, other: TaskStatistics) -> None:
        """Add the statistics of another task, without its files."""
        _add(self.rows, other.rows)
        for table, counts in other.counts.items():
            _add(self.counts.setdefault(table, {}), counts)
        for file, error in other.damaged.items():
            self.damaged[file] = min(self.damaged.get(file, error), error)
        self.captured += other.captured
        _add(self.balance, other.balance)
        for file, reasons in other.frames.items():
            self._frames(file, reasons)
        self.add_others((*key, *counts) for key, counts in other.others.items())
        for sensor, time in other.last.items():
            self.last[sensor] = max(self.last.get(sensor, time), time)
        self.late |= other.late
        self.note_until(other.until)
        self.wrong += other.wrong

    def tallies(self) -> dict[str, Tally]:
        """Return the results of the frames of each file."""
        tallies: dict[str, Tally] = {}
        for file, counts in self.frames.items():
            tallies[file] = tally = Tally()
            for (reason, detail), (frames, size) in counts.items():
                tally.add(reason, detail, size, frames)
        for (file, protocol), (count, size) in self.others.items():
            tallies[file].move(Reason.READ, Reason.STREAM, count, size, protocol)
        return tallies


def _add(counts: dict[Any, int], more: Mapping[Any, int]) -> None:
    for key, count in more.items():
        counts[key] = counts.get(key, 0) + count


def _object_names(batch: pa.RecordBatch) -> pa.Array:
    """Return the classes of objects, with deleted ones counted separately."""
    class_names = pc.coalesce(batch.column("object_class"), "of unknown class")
    end = pc.if_else(batch.column("deleted"), ", deleted", "")
    return pc.binary_join_element_wise(class_names, end, "")
