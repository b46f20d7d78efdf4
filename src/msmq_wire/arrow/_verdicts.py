"""Verdicts on many packets: what numbers and sizes clear is not looked at again.

1. A plain message has only the three headers that all have, one queue, and no wish for acknowledgments.
   Where its fields lie follows from a few sizes, so that whole columns of it are compared at once.
2. A row is cleared only if no rule is against a plain message with its values, on any level.  Rules that look
   one value up are asked, once a value, by a header that has that value.
3. Whatever else a row is, the record validator judges it.  A row that is not cleared costs time only; the
   tests bend every requirement and compare, so that no finding is lost.
4. The rules of remote reads are other ones: there, every row is judged by itself.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from msmq_wire import mqmq
from msmq_wire.checks.validation import validate
from msmq_wire.packets import marks
from msmq_wire.packets.carriers import queue_of
from msmq_wire.packets.packet import decode
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from msmq_wire.checks.validation import Channel, Level, Violation

    from ._input import Rows

__all__ = ["FINDING", "findings"]

FINDING: Final = pa.struct(
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

_BASE, _USER, _PROPERTIES = (
    (kind.layout.least_size, {field.name: kind.layout.offset_of(field.name) for field in kind.layout.fields})
    for kind in (mqmq.BaseHeader, mqmq.UserHeader, mqmq.MessagePropertiesHeader)
)
_PRIORITY = 0x0007
_MODES = 0x1F | 1 << 5 | 3 << 8 | 7 << 10 | 1 << 21
_HAS_PROPERTIES = 1 << 21
_HOPS, _MOST_HOPS = 0x1F, 0x1D
_PRIVATE, _PUBLIC, _DIRECT = 3, 5, 7
_NUMBER, _GUID = 4, 16
_ORDER_ACK, _ADMINISTRATION = 0x00FF, 0x4000
_LARGEST = 0x0040_0000
_MOST_LABEL = 0xFA
_FILLED = 0x5A
_CHUNK = 8192
"""Rows that are compared together, so few that they stay in the cache."""


def findings(rows: Rows, level: Level, channel: Channel) -> pa.ListArray:
    """A list of findings for each row; null for what is no packet."""
    cleared = np.zeros(len(rows), np.bool_)
    if channel != "remote-read":
        for first in range(0, len(rows), _CHUNK):
            cleared[_Plain(rows, first, first + _CHUNK).cleared()] = True
    counts = np.zeros(len(rows), np.int64)
    missing = np.zeros(len(rows), np.bool_)
    values: list[dict[str, Any]] = []
    for row in np.flatnonzero(~cleared).tolist():
        if rows.valid is not None and not rows.valid[row]:
            missing[row] = True
            continue
        try:
            found = validate(decode(rows.bytes_of(row)), level, channel=channel)
        except MsmqWireError:
            missing[row] = True
            continue
        counts[row] = len(found)
        values += map(_as_row, found)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()),
        pa.array(values, FINDING),
        mask=pa.array(missing) if missing.any() else None,
    )


def _as_row(found: Violation) -> dict[str, Any]:
    return {
        "requirement": found.requirement,
        "section": found.section,
        "level": found.level,
        "path": found.path,
        "offset": found.offset,
        "allowed": found.allowed,
        "message": found.message.encode("utf-8", "replace").decode(),
    }


class _Plain:
    """The rows that are plain messages, fewer from one step to the next, and where their parts begin."""

    def __init__(self, rows: Rows, first: int, last: int) -> None:
        self.data, self.view = rows.data, memoryview(rows.buffer)
        least = _BASE[0] + _USER[0] + _NUMBER + _PROPERTIES[0]
        sizes = rows.ends[first:last] - rows.starts[first:last]
        self.rows: NDArray[np.int64] = first + np.flatnonzero(sizes >= least)
        self.start = rows.starts[self.rows]
        self.end = rows.ends[self.rows]
        self.queue = self.start + _BASE[0] + _USER[0]
        self.properties = self.queue
        self.form = np.zeros(len(self.rows), np.int64)

    def cleared(self) -> NDArray[np.int64]:
        """The numbers of the rows that no rule is against."""
        for step in (self._heads, self._queues, self._numbers, self._sizes, self._labels):
            if len(self.rows):
                step()
        return self.rows

    def keep(self, mask: NDArray[np.bool_]) -> None:
        """Go on with some of the rows."""
        self.rows, self.start, self.end = self.rows[mask], self.start[mask], self.end[mask]
        self.queue, self.properties, self.form = self.queue[mask], self.properties[mask], self.form[mask]

    def number(self, places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
        """Little-endian numbers at places that lie anywhere."""
        found = self.data[places].astype(np.int64)
        for byte in range(1, size):
            found |= self.data[places + byte].astype(np.int64) << 8 * byte
        return found

    def _heads(self) -> None:
        base, user = self.start, self.start + _BASE[0]
        self.keep(
            (self.data[base + _BASE[1]["VersionNumber"]] == marks.VERSION)
            & (self.data[base + _BASE[1]["Reserved"]] != _FILLED)
            & (self.number(base + _BASE[1]["Flags"], 2) & ~_PRIORITY == 0)
            & (self.number(base + _BASE[1]["Signature"], 4) == marks.SIGNATURE)
            & (self.number(base + _BASE[1]["PacketSize"], 4) == self.end - base)
            & (self.end - base <= _LARGEST)
            & (self.number(user + _USER[1]["Flags"], 4) & ~_MODES == 0)
        )
        flags = self.number(self.start + _BASE[0] + _USER[1]["Flags"], 4)
        self.form = flags >> 10 & 7
        self.keep((flags & _HAS_PROPERTIES != 0) & (flags & _HOPS <= _MOST_HOPS))

    def _queues(self) -> None:
        taken = np.zeros(len(self.rows), np.int64)
        taken[self.form == _PRIVATE], taken[self.form == _PUBLIC] = _NUMBER, _GUID
        direct = np.flatnonzero(self.form == _DIRECT)
        counts = self.number(self.queue[direct], 2)
        taken[direct] = 2 + counts + (-(2 + counts) & 3)
        self.properties = self.queue + taken
        fine = (taken > 0) & (self.properties + _PROPERTIES[0] <= self.end)
        private = np.flatnonzero(fine & (self.form == _PRIVATE))
        fine[private] = self._each(self.number(self.queue[private], _NUMBER), _private_is_fine)
        manager = self.start + _BASE[0] + _USER[1]["QueueManagerAddress"]
        named = np.flatnonzero(fine & (self.form == _DIRECT))
        for half in (0, 4, 8, 12):  # a direct name has no queue manager
            fine[named] &= self.number(manager[named] + half, 4) == 0
        named = np.flatnonzero(fine & (self.form == _DIRECT))
        view = self.view
        begins, ends = self.queue[named].tolist(), self.properties[named].tolist()
        fine[named] = [_name_is_fine(bytes(view[begin:end])) for begin, end in zip(begins, ends, strict=True)]
        self.keep(fine)

    def _numbers(self) -> None:
        at = self.properties
        classes = self.number(at + _PROPERTIES[1]["MessageClass"], 2)
        fine = (
            (self.data[at + _PROPERTIES[1]["Flags"]] == 0)
            & (self.number(at + _PROPERTIES[1]["PrivacyLevel"], 4) == 0)
            & (classes < _ADMINISTRATION)
            & (classes != _ORDER_ACK)
            & self._each(classes, partial(_is_fine, "MessageClass"))
        )
        for name in ("BodyType", "HashAlgorithm", "EncryptionAlgorithm"):
            fine &= self._each(self.number(at + _PROPERTIES[1][name], 4), partial(_is_fine, name))
        self.keep(fine)

    def _sizes(self) -> None:
        at = self.properties
        label = 2 * self.data[at + _PROPERTIES[1]["LabelLength"]].astype(np.int64)
        body = self.number(at + _PROPERTIES[1]["MessageSize"], 4)
        content = label + body + self.number(at + _PROPERTIES[1]["ExtensionSize"], 4)
        self.keep(
            (label <= 2 * _MOST_LABEL)
            & (self.number(at + _PROPERTIES[1]["AllocationBodySize"], 4) >= body)
            & (at + _PROPERTIES[0] + content + (-content & 3) == self.end)
        )

    def _labels(self) -> None:
        """A label has one null, which is its last character."""
        lengths = self.data[self.properties + _PROPERTIES[1]["LabelLength"]].astype(np.int64)
        begins = self.properties + _PROPERTIES[0]
        before = np.cumsum(lengths) - lengths
        within = np.arange(int(lengths.sum()), dtype=np.int64) - np.repeat(before, lengths)
        places = np.repeat(begins, lengths) + 2 * within
        nulls = (self.data[places] | self.data[places + 1]) == 0
        owners = np.repeat(np.arange(len(lengths)), lengths)
        counts = np.bincount(owners[nulls], minlength=len(lengths))
        last = begins + 2 * lengths - 2  # without a label, two bytes before its place
        ends = (self.data[last] | self.data[last + 1]) == 0
        self.keep((lengths == 0) | ((counts == 1) & ends))

    @staticmethod
    def _each(values: NDArray[np.int64], is_fine: Callable[[int], bool]) -> NDArray[np.bool_]:
        """Whether values are fine, each different one asked about once."""
        if len(values) and (values == values[0]).all():
            return np.full(len(values), is_fine(int(values[0])))
        different, places = np.unique(values, return_inverse=True)
        return np.array([is_fine(int(value)) for value in different], np.bool_)[places]


# ------------------------------------------------------------------------------------------ single values


@lru_cache(maxsize=4096)
def _is_fine(field: str, value: int) -> bool:
    """Whether no rule is against a header for a number in one of its fields."""
    fields: dict[str, Any] = {"PrivacyLevel": 0, field: value}
    return not validate(mqmq.MessagePropertiesHeader(**fields), "practice")


@lru_cache(maxsize=4096)
def _private_is_fine(number: int) -> bool:
    """Whether a private queue is one of an application."""
    return _carries_nothing(mqmq.PrivateQueueFormatNameId(number))


@lru_cache(maxsize=4096)
def _name_is_fine(data: bytes) -> bool:
    """Whether no rule is against a direct name, and it is that of an application's queue."""
    try:
        return _carries_nothing(mqmq.DirectQueueFormatName.decode(data))
    except MsmqWireError:
        return False


def _carries_nothing(queue: Any) -> bool:
    message = mqmq.UserMessage(UserHeader=mqmq.UserHeader(DestinationQueue=queue))
    return queue_of(message) is None and not validate(message, "practice")
