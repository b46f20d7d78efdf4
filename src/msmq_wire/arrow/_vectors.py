"""Which rows can be read at once, and as what.

1. The first bytes of a row tell its kind, and each kind has a plan.
2. A message that may be an acknowledgment is of one kind or another by more than its layout; there the
   decoder of records names the kind.
3. Whatever a plan refuses is left to the decoder of records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from msmq_wire import _relations as relations
from msmq_wire import mqdsrp, packets
from msmq_wire._wchar import to_wchars

from ._gather import Chunk, Targets
from ._plan import Run, group_of, head_of, plan_of
from ._selection import Selection, Windows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ._columns import Column, TreeColumn
    from ._input import Rows
    from ._rows import Verdicts

__all__ = ["Kinds", "directory_kinds", "packet_kinds", "read_chunks"]

CHUNK = 8192
_ROOM = 12
"""Bytes behind a row that gathering a short value at its end may touch."""


class Kinds(NamedTuple):
    """How to tell kinds of rows by their first bytes.

    Attributes:
        model: A structure that begins as all do.
        head: The fields that all begin with.
        tests: By kind, what values fields and groups of the head have.
        doubtful: By kind, which of the rows that were read may be of another kind.
        traced: Bytes whose place `doubtful` asks for.
    """

    model: str
    head: tuple[str, ...]
    tests: dict[str, dict[str, int]]
    doubtful: dict[str, Callable[[Selection, Windows], NDArray[np.bool_]]]
    traced: str = ""

    @property
    def run(self) -> Run:
        """The run of the head."""
        return head_of(self.model, self.head)

    def told(self, heads: NDArray[Any], kind: str) -> NDArray[np.bool_]:
        """Which heads are of a kind."""
        names = {slot.path: slot.name for slot in self.run.slots}
        found: Any = None
        for path, value in self.tests[kind].items():
            field, group = group_of(self.model, path)
            word = heads[names[field]]
            same = word == value if group is None else word & group.mask == value << group.shift
            found = same if found is None else found & same
        mask: NDArray[np.bool_] = found
        return mask


def packet_kinds() -> Kinds:
    """The kinds of packet, as `packets` tells them."""
    always = {"BaseHeader.VersionNumber": packets.VERSION, "BaseHeader.Signature": packets.SIGNATURE}
    telling = ("BaseHeader.Flags.IN", "InternalHeader.Flags.PT")
    tests = {"UserMessage": {**always, telling[0]: 0}}
    for name, fixed in relations.FIXED.items():
        if all(path in fixed for path in telling):
            tests[name] = {**always, **{path: fixed[path] for path in telling}}
    return Kinds(
        "SessionAck", ("BaseHeader", "InternalHeader"), tests, {"UserMessage": _acknowledges}, _LABEL
    )


def directory_kinds() -> Kinds:
    """The kinds of replication message that have no lists, by their operation."""
    telling = "BaseReplicationHeader.Operation"
    names = (kind.__name__ for kind in mqdsrp.Message.__args__)
    fixed = {name: relations.FIXED.get(name, {}) for name in names}
    tests = {name: {telling: values[telling]} for name, values in fixed.items() if telling in values}
    return Kinds("AlreadyPurgedMessage", ("BaseReplicationHeader",), tests, {})


_LABEL = "MessagePropertiesHeader.Label"
_ORDER_LABEL = to_wchars(packets.ORDER_LABEL)


def _acknowledges(read: Selection, windows: Windows) -> NDArray[np.bool_]:
    """Which messages have no base flag and the label of acknowledgments."""
    units = len(_ORDER_LABEL) // 2
    found: NDArray[np.bool_] = (read.value("BaseHeader.Flags") == 0) & (
        read.value(f"{_LABEL}Length") == units
    )
    if found.any():
        index = np.flatnonzero(found)
        labels = windows[len(_ORDER_LABEL)][read.value(f"@{_LABEL}")[index]]
        found[index] = labels == np.frombuffer(_ORDER_LABEL, labels.dtype)[0]
    return found


def read_chunks(
    rows: Rows, kinds: Kinds, decode: Callable[[bytes], Any], column: TreeColumn, verdicts: Verdicts
) -> NDArray[np.int64]:
    """Read what can be read at once; gives the rows that are left, in order."""
    reader = _Reader(rows, kinds, decode, column.by_path(), verdicts)
    left = [reader.chunk(start, min(CHUNK, len(rows) - start)) for start in range(0, len(rows), CHUNK)]
    refused = np.concatenate(left) if left else np.empty(0, np.int64)
    for known in reader.columns.values():
        known.reset(refused)
    return refused if rows.valid is None else refused[rows.valid[refused]]


class _Reader:
    """Reads the chunks of some rows."""

    def __init__(
        self,
        rows: Rows,
        kinds: Kinds,
        decode: Callable[[bytes], Any],
        columns: dict[str, Column],
        verdicts: Verdicts,
    ) -> None:
        self.rows = rows
        self.kinds = kinds
        self.decode = decode
        self.columns = columns
        self.targets = Targets(columns)
        self.verdicts = verdicts
        self.windows = Windows(rows.data)
        self.codes = {name: code for code, name in enumerate(verdicts.kinds)}

    def chunk(self, start: int, size: int) -> NDArray[np.int64]:
        """Read some rows; gives those that were not decided."""
        run, room = self.kinds.run, self.rows.data.size - _ROOM
        begins, ends = self.rows.starts[start : start + size], self.rows.ends[start : start + size]
        sizes = ends - begins
        chosen = Selection(None, begins, None, None)
        chosen.values["@end"] = ends
        chosen = chosen.kept((sizes >= run.size) & (sizes <= packets.MAX_PACKET_SIZE) & (ends <= room))
        decided = np.zeros(size, np.bool_)
        if len(chosen.at):
            self.windows.touch(chosen.at)
            heads = self.windows.gather(run.size, chosen.at).view(run.dtype)
            for kind in self.kinds.tests:
                told = self.kinds.told(heads, kind)
                whole = bool(told.all())
                if whole or told.any():
                    picked = chosen if whole else chosen.narrowed(np.flatnonzero(told))
                    decided[self.kind(kind, picked, start)] = True
                if whole:
                    break
        return start + np.flatnonzero(~decided)

    def kind(self, kind: str, picked: Selection, start: int) -> Any:
        """Read rows of a kind; gives the places in the chunk of those that were decided."""
        size = min(CHUNK, len(self.rows) - start)
        chunk = Chunk(self.windows, self.targets, self.kinds.traced, start, size)
        mine = Selection(picked.rows, picked.at, None, None)
        mine.values["@"] = mine.at
        mine.values["@end"] = mine.values["@limit"] = picked.value("@end")
        read = chunk.read(plan_of(kind), mine)
        if len(read.at):
            read = read.kept(read.at == read.value("@end"))
        index: Any = slice(None) if read.rows is None else read.rows
        self.verdicts.codes[start : start + size][index] = self.codes[kind]
        doubtful = self.kinds.doubtful.get(kind)
        if doubtful is not None and len(read.at):
            found = np.flatnonzero(doubtful(read, self.windows))
            for row in (start + (found if read.rows is None else read.rows[found])).tolist():
                self.verdicts.codes[row] = self.codes[type(self.decode(self.rows.bytes_of(row))).__name__]
        return index
