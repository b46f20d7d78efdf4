"""The directory tables: changes, missing changes, and the final state of objects.

1. A change is identified by its partition and its sequence number; every server may propagate it, and a
   repetition is the same change.  A change that servers propagated with different contents is a divergence.
2. Sequence numbers stay the eight bytes of the wire, whose order is theirs ([MC-MQDSRP] 2.2.2).
3. An object is identified by its GUID.  If a change has only its path, the GUID that any change of the
   partition has for that path is used, otherwise the path.
4. Only row numbers are sorted; the properties of changes stay in their columns.  A directory has to fit into
   memory without its properties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from .rows.directory import CHANGES
from .rows.packets import POSITION
from .schemas import TIME, plain, schema_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COMMANDS: Final = ("create", "update", "delete", "synchronize")
"""Names of the commands of changes, by number."""
_UPDATE, _DELETE = 1, 2
_PROPAGATING: Final = frozenset({"ChangePropagationMessage", "SyncReplyMessage"})
_NEVER: Final = bytes(8)
_PROPERTIES: Final = CHANGES.field("properties").type
_NUMBER: Final = CHANGES.field("SeqNumber").type


def _of(*names: str) -> list[pa.Field]:
    return [CHANGES.field(name) for name in names]


def _own(name: str, kind: pa.DataType, sentence: str) -> pa.Field:
    (field,) = schema_of([(name, kind, sentence)])
    return field


_OBJECT: Final = [
    *_of("PartitionID"),
    _own("object", pa.string(), "GUID of the object; if no change has it, its path in lower case."),
]
_COMMAND: Final = _own("command_name", pa.string(), f"What the change does: {', '.join(COMMANDS)}.")
_CHANGED: Final = pa.struct(
    [(field.name, field.type) for field in _of("Command", "PathName", "identifier", "properties")]
)
_VERSION: Final = pa.struct(
    [("servers", pa.list_(pa.string())), ("copies", pa.int64()), ("change", _CHANGED)]
)
SCHEMAS: Final = {
    "directory_changes": pa.schema(
        [
            *_of(*POSITION, "server", "site", "type", "index", "Command"),
            _COMMAND,
            *_of("object_class", "PathName", "identifier", "PartitionID", "PreviousSeqNumber", "SeqNumber"),
            *_of("PurgedSeqNumber", "properties", "path", "content"),
        ]
    ),
    "directory_history": pa.schema(
        [
            *_OBJECT,
            _own("version", pa.int32(), "Number of the change among those of the object, from 1."),
            *_of("SeqNumber"),
            _own("until", _NUMBER, "SeqNumber of the next change of the object; null for the last one."),
            *_of("Command"),
            _COMMAND,
            *_of("object_class", "PathName", "identifier", "properties", "server", "time", "file"),
            *_of("first_frame", "flow", "offset", "index"),
        ]
    ),
    "directory_objects": pa.schema(
        [
            *_OBJECT,
            _own("SeqNumber", _NUMBER, "Sequence number of its last change."),
            _own("deleted", pa.bool_(), "Whether its last change deleted it."),
            *_of("object_class", "PathName"),
            _own("changes", pa.int64(), "Number of its changes."),
            _own("time", TIME, "Time of capture of its last change."),
            _own("properties", _PROPERTIES, "The last value of each property by name, or by number."),
        ]
    ),
    "directory_gaps": pa.schema(
        [
            *_of("PartitionID"),
            _own("after", _NUMBER, "SeqNumber of the last change before the gap; null if there is none."),
            _own("PreviousSeqNumber", _NUMBER, "Sequence number of the last missing change."),
            _own("SeqNumber", _NUMBER, "SeqNumber of the change that names it as its predecessor."),
            _own(
                "purged", pa.bool_(), "Whether the servers have deleted the missing changes; null if unknown."
            ),
            _own("time", TIME, "Time of capture of the change that names it."),
        ]
    ),
    "directory_divergence": pa.schema(
        [
            *_of("PartitionID", "SeqNumber"),
            _own(
                "versions",
                pa.list_(_VERSION),
                "The different contents of the change: the servers that sent each, the number of copies, and "
                "the change.",
            ),
        ]
    ),
}
"""The columns of the tables of the directory."""

_LIGHT: Final = (
    "PartitionID", "SeqNumber", "PreviousSeqNumber", "PurgedSeqNumber", "Command", "object_class", "PathName",
    "path", "identifier", "type", "server", "time", "file", "first_frame", "offset", "index", "content",
)  # fmt: skip


def directory_tables(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """The tables of the directory.

    Args:
        batches: The rows that `rows.directory.changes` made of all directory messages.
    """
    rows = pa.Table.from_batches([*batches], plain(CHANGES)).combine_chunks()
    named = rows.append_column("command_name", command_names(rows.column("Command")))
    yield from _batches("directory_changes", named)
    changes = _Changes(named)
    yield from _batches("directory_history", changes.history())
    yield from _batches("directory_objects", changes.objects())
    yield from _batches("directory_gaps", changes.gaps())
    yield from _batches("directory_divergence", changes.divergence())


def _batches(name: str, rows: pa.Table) -> Iterator[tuple[str, pa.RecordBatch]]:
    schema = SCHEMAS[name]
    for batch in rows.select(schema.names).cast(plain(schema)).to_batches():
        yield name, batch


def command_names(commands: Any) -> pa.Array:
    """Return the names of commands; null for an unknown number."""
    names = [COMMANDS[number] if number < len(COMMANDS) else None for number in commands.to_pylist()]
    return pa.array(names, pa.string())


def _table(rows: list[tuple[Any, ...]], schema: pa.Schema, *more: tuple[str, Any]) -> pa.Table:
    """A table of rows, with existing columns under the names that follow."""
    own_fields = [field for field in schema if field.name not in {name for name, _ in more}]
    columns: list[Any] = [*zip(*rows, strict=True)] or [[]] * len(own_fields)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, own_fields, strict=True)]
    return pa.table(
        [*arrays, *(column for _, column in more)],
        [*(field.name for field in own_fields), *(name for name, _ in more)],
    )


class _Changes:
    """The changes that were propagated, as numbers of rows."""

    def __init__(self, rows: pa.Table) -> None:
        self._rows = rows
        for name in _LIGHT:
            column = rows.column(name)
            setattr(self, f"_{name}", (column.cast(pa.int64()) if name == "time" else column).to_pylist())
        propagated = [at for at, kind in enumerate(self._column("type")) if kind in _PROPAGATING]
        self._propagated = sorted(propagated, key=self._captured)
        self._first: dict[tuple[str, bytes], int] = {}  # the first row of each change
        partitions, numbers = self._column("PartitionID"), self._column("SeqNumber")
        for at in self._propagated:
            self._first.setdefault((partitions[at], numbers[at]), at)
        self._objects = self._by_object()

    def _column(self, name: str) -> list[Any]:
        values: list[Any] = getattr(self, f"_{name}")
        return values

    def _captured(self, at: int) -> tuple[Any, ...]:
        time = self._column("time")[at]
        location = (self._column(name)[at] for name in ("file", "first_frame", "offset", "index"))
        return (time is not None, time, *location)

    def _by_object(self) -> dict[tuple[str, str | None], list[int]]:
        """The changes of each object, in order."""
        partition, number = self._column("PartitionID"), self._column("SeqNumber")
        path, identifier = self._column("path"), self._column("identifier")
        changes = sorted(self._first.values(), key=lambda at: (partition[at], number[at]))
        identifiers = {
            (partition[at], path[at]): identifier[at] for at in changes if identifier[at] is not None
        }
        rows: dict[tuple[str, str | None], list[int]] = {}
        for at in changes:
            name = identifier[at] or identifiers.get((partition[at], path[at])) or path[at]
            rows.setdefault((partition[at], name), []).append(at)
        return rows

    def history(self) -> pa.Table:
        """One row for each change of an object, in order, each change once; deletions are rows too."""
        number = self._column("SeqNumber")
        indices: list[int] = []
        rows = []
        for (partition, name), changes in self._objects.items():
            after = [*(number[at] for at in changes[1:]), None]
            for version, (at, until) in enumerate(zip(changes, after, strict=True), 1):
                indices.append(at)
                rows.append((partition, name, version, until))
        schema = SCHEMAS["directory_history"]
        names = ("PartitionID", "object", "version", "until")
        taken = self._rows.take(pa.array(indices, pa.int64()))
        passed = [(field.name, taken.column(field.name)) for field in schema if field.name not in names]
        ordered = pa.schema([schema.field(name) for name in names])
        table = _table(rows, ordered)
        for name, column in passed:
            table = table.append_column(name, column)
        return table

    def objects(self) -> pa.Table:
        """One row for each object: whether it was deleted, and the last value of each property.

        An update changes only its own properties; a creation or synchronization replaces all properties.
        """
        command, number, time = self._column("Command"), self._column("SeqNumber"), self._column("time")
        properties = self._rows.column("properties").combine_chunks()
        offsets = properties.offsets.to_pylist()
        keys, items = properties.keys.to_pylist(), properties.items
        rows, starts, names, indices = [], [], list[str](), list[int]()
        for (partition, name), changes in self._objects.items():
            since = max((index for index, at in enumerate(changes) if command[at] != _UPDATE), default=0)
            values = {
                keys[value]: value for at in changes[since:] for value in range(offsets[at], offsets[at + 1])
            }
            starts.append(len(names) if values else None)
            for key in sorted(values, key=str.encode):
                names.append(key)
                indices.append(values[key])
            times = [time[at] for at in changes if time[at] is not None]
            rows.append(
                (
                    partition, name, number[changes[-1]], command[changes[-1]] == _DELETE,
                    *(self._latest(column, changes) for column in ("object_class", "PathName")),
                    len(changes), max(times, default=None),
                )
            )  # fmt: skip
        pairs = pa.MapArray.from_arrays(
            pa.array([*starts, len(names)], pa.int32()),
            pa.array(names, pa.string()),
            items.take(pa.array(indices, pa.int64())),
        )
        return _table(rows, SCHEMAS["directory_objects"], ("properties", pairs.cast(_PROPERTIES)))

    def _latest(self, column: str, changes: list[int]) -> Any:
        values = self._column(column)
        return next((values[at] for at in reversed(changes) if values[at] is not None), None)

    def gaps(self) -> pa.Table:
        """One row for each range of missing changes in a partition's chain of sequence numbers."""
        partition, number = self._column("PartitionID"), self._column("SeqNumber")
        previous, purged, time = (
            self._column(name) for name in ("PreviousSeqNumber", "PurgedSeqNumber", "time")
        )
        by_key: dict[tuple[str, bytes], list[int]] = {}
        for at in self._propagated:
            by_key.setdefault((partition[at], number[at]), []).append(at)
        rows: list[tuple[Any, ...]] = []
        before: tuple[str, bytes] | None = None
        for key in sorted(by_key):
            indices = by_key[key]
            least = min((previous[at] for at in indices if previous[at] is not None), default=None)
            most = max((purged[at] for at in indices if purged[at] is not None), default=None)
            after = before[1] if before is not None and before[0] == key[0] else None
            before = key
            if least is not None and least != (after or _NEVER):
                times = [time[at] for at in indices if time[at] is not None]
                is_purged = None if most is None else least <= most
                rows.append((key[0], after, least, key[1], is_purged, min(times, default=None)))
        return _table(rows, SCHEMAS["directory_gaps"])

    def divergence(self) -> pa.Table:
        """One row for each change with several versions, with the servers of each version."""
        partition, number = self._column("PartitionID"), self._column("SeqNumber")
        content, server = self._column("content"), self._column("server")
        by_key: dict[tuple[str, bytes], dict[str, list[int]]] = {}
        for at in self._propagated:
            by_key.setdefault((partition[at], number[at]), {}).setdefault(content[at], []).append(at)
        names = [field.name for field in _CHANGED]
        rows = []
        for key, versions in by_key.items():
            if len(versions) < 2:  # only one version
                continue
            firsts = (
                self._rows.select(names)
                .take(pa.array([indices[0] for indices in versions.values()]))
                .to_pylist()
            )
            told_so = [
                {"servers": sorted({server[at] for at in indices}), "copies": len(indices), "change": change}
                for indices, change in zip(versions.values(), firsts, strict=True)
            ]
            rows.append((*key, told_so))
        return _table(rows, SCHEMAS["directory_divergence"])
