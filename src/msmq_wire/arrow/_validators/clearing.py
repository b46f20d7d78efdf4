"""Clears rows with the plans, and validates those that are not cleared as records.

1. A packet is cleared if no test of its kind doubts it and it has no part without tests.
2. Rare parts are read in a second pass, for the packets that have them only.  A part without tests, such as
   a list of names, is validated as a record, once for each distinct value of lists of queues.
3. The record validator validates all packets that are not cleared, and makes their violations.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow._filling.store import NOWHERE
from msmq_wire.checks.validation import validate
from msmq_wire.documents.opening import SESSION_HEADER_SIZE
from msmq_wire.packets.kinds import record_of
from msmq_wire.values.errors import DecodeError

from .functions import bytes_are_clear, is_clear
from .plans import LISTS, plans
from .table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from msmq_wire.arrow._input import Rows
    from msmq_wire.checks.rules import Channel, Level
    from msmq_wire.checks.validation import Violation

    from .plans import Plan
    from .table import Mask, Met

    Reader = Callable[[Rows, tuple[str, ...], dict[str, NDArray[np.int64]]], pa.StructArray]

VIOLATION: Final = pa.struct(
    [
        ("requirement", pa.string()),
        ("section", pa.string()),
        ("level", pa.string()),
        ("path", pa.string()),
        ("offset", pa.int64()),
        ("allowed", pa.string()),
        ("message", pa.string()),
    ]
)
"""A `Violation` as a row."""

CHUNK = 1 << 18
"""The number of rows that are compared together, so large that the fixed cost of a chunk does not matter."""
_KEPT = 4096
"""The largest size in bytes of lists of queues that are cached."""
_kept = lru_cache(maxsize=1024)(bytes_are_clear)


def violations(rows: Rows, level: Level, channel: Channel, read: Reader, circumstances: Met) -> pa.ListArray:
    """Return a list of violations for each row; null for a row that is not a packet.

    Args:
        rows: The packets.
        level: As for `validate`.
        channel: As for `validate`.
        read: Reads rows as the columns at these paths.
        circumstances: When and where the packets were captured.
    """
    good = cleared_rows(rows, level, channel, read, circumstances)
    counts = np.zeros(len(rows), np.int64)
    missing = np.zeros(len(rows), np.bool_)
    values: list[dict[str, Any]] = []
    for row in np.flatnonzero(~good).tolist():
        if rows.valid is not None and not rows.valid[row]:
            missing[row] = True
            continue
        context = circumstances.context_of(row)
        try:
            violations = validate(record_of(rows.bytes_of(row)), level, channel=channel, context=context)
        except DecodeError:
            missing[row] = True
            continue
        counts[row] = len(violations)
        values += map(_as_row, violations)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()),
        pa.array(values, VIOLATION),
        mask=pa.array(missing) if missing.any() else None,
    )


def _as_row(violation: Violation) -> dict[str, Any]:
    return {
        "requirement": violation.requirement,
        "section": violation.section,
        "level": violation.level,
        "path": violation.path,
        "offset": violation.offset,
        "allowed": violation.allowed,
        "message": violation.message.encode("utf-8", "replace").decode(),
    }


def columns_to_clear(level: Level, channel: Channel, circumstances: Met) -> tuple[str, ...]:
    """Return the columns that `cleared_rows` requests if it is `at_once`."""
    return plans(level, channel, True, circumstances.parts)[1]


def cleared_rows(
    rows: Rows, level: Level, channel: Channel, read: Reader, circumstances: Met, *, at_once: bool = False
) -> Mask:
    """Return which rows the columns clear of violations.

    Args:
        rows: As for `violations`.
        level: As for `violations`.
        channel: As for `violations`.
        read: As for `violations`.
        circumstances: As for `violations`.
        at_once: Whether the columns of rare parts are available; otherwise they are read for rows with these
            parts only.
    """
    good = np.zeros(len(rows), np.bool_)
    for first in range(0, len(rows), CHUNK):
        chosen = slice(first, first + CHUNK)
        some = rows.some(chosen)
        clear, waiting = _cleared(some, level, channel, read, circumstances.some(chosen), at_once=at_once)
        for row, lists in waiting:
            clear[row] = _lists_are_clear(lists, level, channel) or _parts_are_clear(
                record_of(some.bytes_of(row)), level, channel
            )
        good[first : first + CHUNK] = clear
    return good


def _cleared(
    rows: Rows, level: Level, channel: Channel, read: Reader, circumstances: Met, *, at_once: bool
) -> tuple[Mask, list[tuple[int, bytes]]]:
    """Return which rows are cleared, and which others only have unchecked parts left.

    The latter are returned with the bytes of their lists of queues if nothing else is left to check.
    """
    good, waiting, begins = _compared(rows, level, channel, read, circumstances, rare=at_once)
    again = np.flatnonzero(waiting)
    if not len(again):
        return good, []
    if at_once:
        begins = begins[0][again], begins[1][again]
    else:
        some = rows.some(again)
        good[again], waiting, begins = _compared(
            some, level, channel, read, circumstances.some(again), rare=True
        )
        left = np.flatnonzero(waiting)
        again, begins = again[left], (begins[0][left], begins[1][left])
    bounds = zip(*(indices.tolist() for indices in begins), strict=True)
    lists = [rows.data[start:stop].tobytes() for start, stop in bounds]
    return good, list(zip(again.tolist(), lists, strict=True))


def _compared(
    rows: Rows, level: Level, channel: Channel, read: Reader, circumstances: Met, *, rare: bool
) -> tuple[Mask, Mask, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return which rows are cleared, and which others would be without unchecked parts.

    Also return the start and end of the lists of queues of each row; a start of `NOWHERE` means unknown.
    """
    tests, columns = plans(level, channel, rare, circumstances.parts)
    good, waiting = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
    begins, ends = np.full(len(rows), NOWHERE, np.int64), rows.ends.copy()
    if not tests:
        return good, waiting, (begins, ends)
    table = read(rows, columns, {LISTS: begins} if rare else {})
    kinds = table.field("kind")
    codes = np.frombuffer(kinds.indices.buffers()[1], "i1", len(kinds), kinds.offset)
    errors = table.field("error")
    if kinds.null_count or errors.null_count < len(errors):
        whole = pc.and_(kinds.is_valid(), errors.is_null())
        codes = np.where(whole.to_numpy(zero_copy_only=False), codes, -1)
    names = kinds.dictionary.to_pylist()
    for root, plan in tests.items():
        of_root = codes == names.index(root) if root in names else np.zeros(len(rows), np.bool_)
        if of_root.any():
            packets = Table(table, rows.ends - rows.starts, circumstances, root, of_root, level, channel)
            of_root &= ~_doubted(packets, plan)
            unchecked = _unchecked(packets, plan)
            good |= of_root & ~unchecked
            waiting |= of_root & unchecked
            if rare and root == "UserMessage":
                appended = packets.there("SessionHeader")
                ends -= SESSION_HEADER_SIZE if appended is None else SESSION_HEADER_SIZE * appended
    return good, waiting, (begins, ends)


def _doubted(table: Table, plan: Plan) -> Mask:
    doubted = table.nowhere()
    for part, test in plan.tests:
        rows_in_doubt = test(table)
        if rows_in_doubt is not None:
            doubted |= table.within(part, rows_in_doubt)
    return doubted


def _unchecked(table: Table, plan: Plan) -> Mask:
    unchecked = table.nowhere()
    for part in plan.unchecked:
        there = table.there(part)
        unchecked |= True if there is None else there
    return unchecked


def _parts_are_clear(packet: Any, level: Level, channel: Channel) -> bool:
    """Return whether the unchecked parts of a packet have no violations."""
    plan = plans(level, channel, True, frozenset({""}))[0][type(packet).__name__]
    parts = (attrgetter(path)(packet) for path in plan.unchecked)
    return all(is_clear(part, level, channel) for part in parts if part is not None)


def _lists_are_clear(data: bytes, level: Level, channel: Channel) -> bool:
    """Return whether these bytes are lists of queues without violations; cached, because lists repeat."""
    check = _kept if len(data) <= _KEPT else bytes_are_clear
    return check(data, LISTS, level, channel)
