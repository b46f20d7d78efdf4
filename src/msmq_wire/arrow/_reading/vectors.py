"""Reads all rows that can be read as vectors.

1. The first bytes of a row determine its kind, and each kind has a plan.
2. The layout alone does not determine the kind of a message that may be an acknowledgment.  The record
   decoder determines it, once for all rows with the same relevant bytes.
3. Rows that a plan rejects are left to the record decoder.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from msmq_wire.arrow._filling.nested import Columns
from msmq_wire.arrow._filling.store import INLINE
from msmq_wire.definitions import relations
from msmq_wire.documents.layouts import structures
from msmq_wire.packets import packet as packets
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.values.numbers import MAX_PACKET_SIZE
from msmq_wire.values.wchar import to_wchars

from .gather import Chunk, Targets
from .plan import head_of, plan_of
from .selection import GatheredBytes, Selection, Terminators, Windows
from .steps import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from msmq_wire.arrow._filling.nested import TreeColumn
    from msmq_wire.arrow._input import Rows
    from msmq_wire.arrow._rows import Outcomes

    Integers = NDArray[np.int64]

CHUNK = 16_384
"""Number of rows that are read together."""
BYTES = 1 << 24


class Doubt(NamedTuple):
    """How to determine the kind of rows whose layout is ambiguous.

    Attributes:
        rows_of: Returns which of the rows may be of another kind.
        telling: Returns the bounds of the two byte ranges that, with the size, determine the kind of such
            a row; given the start of the rows and of the traced bytes.
    """

    rows_of: Callable[[Selection, Windows], NDArray[np.bool_]]
    telling: Callable[[Integers, Integers], tuple[Integers, Integers, Integers, Integers]]


class Kinds(NamedTuple):
    """How to detect the kind of a row from its first bytes.

    Attributes:
        size: Size of the fields that all kinds start with.
        reach: Number of bytes gathered at the start; they include the first runs of most kinds.
        signs: For each kind, its first bytes, eight at a time: offset, mask and value.
        doubts: Kinds that their first bytes do not determine.
        traced: Path of bytes whose position is needed to determine them.
    """

    size: int
    reach: int
    signs: dict[str, list[tuple[int, int, int]]]
    doubts: dict[str, Doubt]
    traced: str = ""

    def matching(self, heads: GatheredBytes, kind: str) -> NDArray[np.bool_]:
        """Return which rows are of a kind."""
        matches: Any = None
        for offset, mask, value in self.signs[kind]:
            same = heads.fields(_LANE, offset) & mask == value
            matches = same if matches is None else matches & same
        known: NDArray[np.bool_] = matches
        return known


_LANE = np.dtype("<u8")
_WHOLE = (1 << 64) - 1
_MOST = 128
"""The largest first run in bytes that is gathered for rows of all kinds."""


def _kinds(
    model: str,
    head: tuple[str, ...],
    tests: dict[str, dict[str, int]],
    doubts: dict[str, Doubt],
    traced: str = "",
) -> Kinds:
    """Return kinds by the values of fields and groups; `model` is a structure with the common head."""
    run = head_of(model, head)
    firsts = [next(step.size for step in plan_of(kind) if isinstance(step, Run)) for kind in tests]
    reach = max(size for size in (run.size, *firsts) if size <= _MOST) + INLINE
    slots = {slot.path: slot for slot in run.slots}
    signs = {}
    for kind, values in tests.items():
        mask = sign = 0
        for path, value in values.items():
            group = structures()[model].group(path)
            field = path.removesuffix(f".{group.name}") if group else path
            name, offset = slots[field].name, slots[field].offset
            width, shift = (8 * run.dtype[name].itemsize, 0) if group is None else (group.width, group.shift)
            mask |= (1 << width) - 1 << 8 * offset + shift
            sign |= value << 8 * offset + shift
        lanes = [
            (offset, mask >> 8 * offset & _WHOLE, sign >> 8 * offset & _WHOLE)
            for offset in range(0, run.size, _LANE.itemsize)
        ]
        signs[kind] = [lane for lane in lanes if lane[1]]
    return Kinds(run.size, reach, signs, doubts, traced)


@cache
def packet_kinds() -> Kinds:
    """Return the kinds of packets, as `packets` detects them."""
    always = {"BaseHeader.VersionNumber": packets.VERSION, "BaseHeader.Signature": packets.SIGNATURE}
    telling = ("BaseHeader.Flags.IN", "InternalHeader.Flags.PT")
    tests = {"UserMessage": {**always, telling[0]: 0}}
    for name, fixed in relations.FIXED.items():
        if all(path in fixed for path in telling):
            tests[name] = {**always, **{path: fixed[path] for path in telling}}
    return _kinds(
        "SessionAck",
        ("BaseHeader", "InternalHeader"),
        tests,
        {"UserMessage": Doubt(_acknowledges, _telling)},
        _LABEL,
    )


@cache
def directory_kinds() -> Kinds:
    """Return the kinds of replication messages by operation, at any offset of their first header."""
    telling = "BaseReplicationHeader.Operation"
    tests = {}
    for kind in mqdsrp.Message.__args__:
        name = kind.__name__
        for part in (name, structures()[name].fields[0].name):
            if telling in (fixed := relations.FIXED.get(part, {})):
                tests[name] = {telling: fixed[telling]}
    return _kinds("AlreadyPurgedMessage", ("BaseReplicationHeader",), tests, {})


_LABEL = "MessagePropertiesHeader.Label"
_ORDER_LABEL = to_wchars(packets.ORDER_LABEL)
_FIRST = structures()["BaseHeader"].least_size + structures()["UserHeader"].offset_of("Flags")
_PROPERTIES = structures()["MessagePropertiesHeader"]
_BACK = [
    _PROPERTIES.offset_of("Label") - _PROPERTIES.offset_of(name) for name in ("CorrelationID", "BodyType")
]


def _acknowledges(read: Selection, windows: Windows) -> NDArray[np.bool_]:
    """Return which messages have no base flags and the label of acknowledgments."""
    units = len(_ORDER_LABEL) // 2
    acknowledges: NDArray[np.bool_] = (read.value("BaseHeader.Flags") == 0) & (
        read.value(f"{_LABEL}Length") == units
    )
    if acknowledges.any():
        (index,) = acknowledges.nonzero()
        labels = windows[len(_ORDER_LABEL)][read.value(f"@{_LABEL}")[index]]
        acknowledges[index] = labels == np.frombuffer(_ORDER_LABEL, labels.dtype)[0]
    return acknowledges


def _telling(start: Integers, label: Integers) -> tuple[Integers, Integers, Integers, Integers]:
    """Return the bounds of the bytes that determine whether a message is an acknowledgment, and which one.

    These bytes contain its flags, destination, class and sizes.  The bytes between them repeat from one
    acknowledgment to the next, except the identifier of the acknowledged message.
    """
    about, behind = (label - size for size in _BACK)
    return start + _FIRST, about, behind, label


def read_chunks(
    rows: Rows, kinds: Kinds, decode: Callable[[bytes], Any], column: TreeColumn, outcomes: Outcomes
) -> NDArray[np.int64]:
    """Read all rows that can be read as vectors; return the indices of the others in ascending order."""
    reader = _Reader(rows, kinds, decode, Columns(column), outcomes)
    left, start = [], 0
    while start < len(rows):
        # A chunk is also limited in bytes, because temporary arrays take memory for each byte.
        within = int(np.searchsorted(rows.starts, rows.starts[start] + BYTES))
        size = min(CHUNK, within - start)
        left.append(reader.chunk(start, size))
        start += size
    refused = np.concatenate(left) if left else np.empty(0, np.int64)
    column.reset(refused)
    return refused if rows.valid is None else refused[rows.valid[refused]]


class _Reader:
    """Reads rows chunk by chunk."""

    def __init__(
        self, rows: Rows, kinds: Kinds, decode: Callable[[bytes], Any], columns: Columns, outcomes: Outcomes
    ) -> None:
        self.rows = rows
        self.kinds = kinds
        self.decode = decode
        self.columns = columns
        self.targets = Targets(columns)
        self.outcomes = outcomes
        self.windows = Windows(rows.data)
        self.codes = {name: code for code, name in enumerate(outcomes.kinds)}
        self.codes_of_bytes: dict[tuple[int, bytes, bytes], int] = {}

    def chunk(self, start: int, size: int) -> NDArray[np.int64]:
        """Read a chunk; return the rows that were not decided."""
        kinds, room = self.kinds, self.rows.data.size - INLINE
        begins, ends = self.rows.starts[start : start + size], self.rows.ends[start : start + size]
        sizes = ends - begins
        chosen = Selection(None, begins)
        chosen.values["@end"] = ends
        chosen = chosen.kept((sizes >= kinds.size) & (sizes <= MAX_PACKET_SIZE) & (ends <= room))
        decided = np.zeros(size, np.bool_)
        if len(chosen.at):
            self.windows.touch(chosen.at)
            # Near the end of the input, a row may end before `reach` bytes.
            reach = kinds.reach if chosen.at[-1] + kinds.reach <= self.rows.data.size else kinds.size + INLINE
            heads = GatheredBytes(chosen.at, self.windows.gather(reach, chosen.at), 0)
            terminators = Terminators(self.rows.data, int(begins[0]), int(ends.max()))
            chunk = Chunk(self.windows, self.targets, terminators, kinds.traced, start, size)
            for kind in kinds.signs:
                matching = kinds.matching(heads, kind)
                whole = bool(matching.all())
                if whole or matching.any():
                    index = None if whole else matching.nonzero()[0]
                    decided[self.kind(kind, chosen, index, heads, chunk)] = True
                if whole:
                    break
        return start + (~decided).nonzero()[0]

    def kind(self, kind: str, chosen: Selection, index: Any, heads: GatheredBytes, chunk: Chunk) -> Any:
        """Read rows of a kind; return the positions in the chunk of those that were decided."""
        start, size = chunk.start, chunk.size
        picked = chosen if index is None else chosen.narrowed(index)
        fresh = Selection.of_structures(picked.rows, picked.at, picked.value("@end"))
        fresh.gathered = GatheredBytes(fresh.at, heads.records if index is None else heads.records[index], 0)
        read = chunk.read(plan_of(kind), fresh)
        if len(read.at):
            read = read.kept(read.at == read.value("@end"))
        places: Any = slice(None) if read.rows is None else read.rows
        self.outcomes.codes[start : start + size][places] = self.codes[kind]
        doubt = self.kinds.doubts.get(kind)
        if doubt is not None and len(read.at):
            self.decide(doubt, read, start)
        return places

    def decide(self, doubt: Doubt, read: Selection, start: int) -> None:
        """Determine the kinds of rows whose layout is ambiguous."""
        (doubted,) = doubt.rows_of(read, self.windows).nonzero()
        rows = start + (doubted if read.rows is None else read.rows[doubted])
        data, begins = memoryview(self.rows.buffer), self.rows.starts[rows]
        sizes = self.rows.ends[rows] - begins
        bounds = doubt.telling(begins, read.value(f"@{self.kinds.traced}")[doubted])
        columns = [numbers.tolist() for numbers in (rows, sizes, *bounds)]
        for row, size, first, stop, second, end in zip(*columns, strict=True):
            alike = size, data[first:stop].tobytes(), data[second:end].tobytes()
            code = self.codes_of_bytes.get(alike)
            if code is None:
                kind = type(self.decode(self.rows.bytes_of(row))).__name__
                code = self.codes_of_bytes[alike] = self.codes[kind]
            self.outcomes.codes[row] = code
