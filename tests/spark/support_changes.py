"""What the directory came to, worked out in plain Python from the changes that were captured."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow.parquet as pq

from msmq_wire import GUID
from msmq_wire.documents.propid import by_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["Told", "expected_changes", "expected_tables", "found_changes", "found_tables"]

Properties = tuple[tuple[str, int, str], ...]
"""Name, variant type and value as text, by name."""

_IDENTIFYING = {
    "PROPID_Q_INSTANCE",
    "PROPID_QM_MACHINE_ID",
    "PROPID_S_SITEID",
    "PROPID_CN_GUID",
    "PROPID_E_ID",
}
_PROPAGATING = {"ChangePropagationMessage", "SyncReplyMessage"}
_UPDATE, _DELETE = 1, 2


class Told(NamedTuple):
    """A change as one message told it; the last three only say in which order messages were captured."""

    ends: tuple[str, str, int, str, int]
    offset: int
    position: int
    server: str
    site: str
    type: str
    command: int
    path: str | None
    identifier: str | None
    partition: str
    previous: bytes
    number: bytes
    purged: bytes
    properties: Properties
    captured: tuple[Any, ...] = ()


def _ends(row: dict[str, Any]) -> tuple[str, str, int, str, int]:
    return Path(row["file"]).name, row["src"], row["src_port"], row["dst"], row["dst_port"]


def expected_changes(directory: Path) -> Counter[Told]:
    """What the generator says."""
    found: Counter[Told] = Counter()
    for row in pq.read_table(directory).to_pylist():
        properties = tuple(
            sorted((_name(one["number"]), one["vt"], one["value"]) for one in row["properties"])
        )
        told = [value for name, _, value in properties if name in _IDENTIFYING]
        found[Told(
            _ends(row), row["offset"], row["position"], row["server"], row["site"], row["type"],
            row["Command"], row["PathName"], row["GuidIdentifier"] or (told[0] if told else None),
            row["PartitionID"], row["PreviousSeqNumber"], row["SeqNumber"], row["PurgedSeqNumber"],
            properties,
        )] += 1  # fmt: skip
    return found


def _name(number: int) -> str:
    known = by_number(number)
    return known.name if known else str(number)


def found_changes(rows: Iterable[dict[str, Any]]) -> list[Told]:
    """What `directory_changes` says."""
    return [
        Told(
            _ends(row), row["offset"], row["index"], row["server"], row["site"], row["type"], row["Command"],
            row["PathName"], row["identifier"], row["PartitionID"], row["PreviousSeqNumber"],
            row["SeqNumber"], row["PurgedSeqNumber"], _properties(row["properties"]),
            (row["time"], row["file"], row["first_frame"], row["offset"], row["index"]),
        )
        for row in rows
    ]  # fmt: skip


def _properties(values: Iterable[tuple[str, dict[str, Any]]] | None) -> Properties:
    return tuple(sorted((name, value["vt"], _text(value)) for name, value in values or ()))


def _text(value: dict[str, Any]) -> str:
    """The value of the one slot that has one."""
    (slot,) = [name for name, held in value.items() if name != "vt" and held is not None]
    held = value[slot] if slot.endswith("s") else [value[slot]]
    return " ".join(_one(slot, item) for item in held)


def _one(slot: str, item: Any) -> str:
    if slot.startswith("guid"):
        return str(GUID(item))
    return item.hex() if isinstance(item, bytes) else str(item)


# ---------------------------------------------------------------------------------- what follows from them


def expected_tables(told: Iterable[Told]) -> dict[str, Any]:
    """What the tables of the directory have to say after these changes."""
    by_change: dict[tuple[str, bytes], list[Told]] = defaultdict(list)
    for one in told:
        if one.type in _PROPAGATING:
            by_change[one.partition, one.number].append(one)
    history = dict(_history([min(copies, key=lambda one: one.captured) for copies in by_change.values()]))
    return {
        "directory_history": {
            key: [
                (one.number, one.command, one.path, one.identifier, one.server, one.properties)
                for one in changes
            ]
            for key, changes in history.items()
        },
        "directory_objects": {key: _object(changes) for key, changes in history.items()},
        "directory_gaps": set(_gaps(by_change)),
        "directory_divergence": {
            change: versions
            for change, copies in by_change.items()
            if (versions := _versions(copies)).total() > 1
        },
    }


def _history(changes: list[Told]) -> Iterator[tuple[tuple[str, str], list[Told]]]:
    """The changes of each object in order."""
    changes.sort(key=lambda one: (one.partition, one.number))
    known = {
        (one.partition, one.path.lower()): one.identifier for one in changes if one.path and one.identifier
    }
    objects: dict[tuple[str, str], list[Told]] = defaultdict(list)
    for one in changes:
        path = (one.path or "").lower()
        name = one.identifier or known.get((one.partition, path)) or path
        objects[one.partition, name].append(one)
    yield from objects.items()


def _object(changes: list[Told]) -> tuple[bytes, bool, int, Properties]:
    """The last number, whether it was deleted, how many changes it had, and its properties."""
    values: dict[str, tuple[str, int, str]] = {}
    for one in changes:
        if one.command != _UPDATE:
            values.clear()
        values.update((value[0], value) for value in one.properties)
    last = changes[-1]
    return last.number, last.command == _DELETE, len(changes), tuple(sorted(values.values()))


def _gaps(
    changes: dict[tuple[str, bytes], list[Told]],
) -> Iterator[tuple[str, bytes | None, bytes, bytes, bool]]:
    before: tuple[str, bytes] | None = None
    for partition, number in sorted(changes):
        copies = changes[partition, number]
        previous, purged = min(one.previous for one in copies), max(one.purged for one in copies)
        after = before[1] if before and before[0] == partition else None
        if previous != (after or bytes(8)):
            yield partition, after, previous, number, previous <= purged
        before = partition, number


def _versions(copies: list[Told]) -> Counter[tuple[frozenset[str], int, Properties]]:
    """Servers of each version, how often it was told, and its properties; two may differ in other fields."""
    versions: dict[Any, list[Told]] = defaultdict(list)
    for one in copies:
        content = one.command, (one.path or "").lower(), one.identifier, one.previous, one.properties
        versions[content].append(one)
    return Counter(
        (frozenset(one.server for one in same), len(same), same[0].properties) for same in versions.values()
    )


def found_tables(rows: Callable[[str], list[dict[str, Any]]]) -> dict[str, Any]:
    """What the tables say, in the same form."""
    history: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows("directory_history"):
        history[row["PartitionID"], row["object"]].append(row)
    for changes in history.values():
        changes.sort(key=lambda row: int(row["version"]))
        assert [row["version"] for row in changes] == list(range(1, len(changes) + 1))
        assert [row["until"] for row in changes] == [row["SeqNumber"] for row in changes[1:]] + [None]
    return {
        "directory_history": {key: [_short(row) for row in changes] for key, changes in history.items()},
        "directory_objects": {
            (row["PartitionID"], row["object"]): (
                row["SeqNumber"], row["deleted"], row["changes"], _properties(row["properties"]),
            )
            for row in rows("directory_objects")
        },
        "directory_gaps": {
            (row["PartitionID"], row["after"], row["PreviousSeqNumber"], row["SeqNumber"], row["purged"])
            for row in rows("directory_gaps")
        },
        "directory_divergence": {
            (row["PartitionID"], row["SeqNumber"]): Counter(
                (frozenset(one["servers"]), one["copies"], _properties(one["change"]["properties"]))
                for one in row["versions"]
            )
            for row in rows("directory_divergence")
        },
    }  # fmt: skip


def _short(row: dict[str, Any]) -> tuple[Any, ...]:
    return (
        row["SeqNumber"],
        row["Command"],
        row["PathName"],
        row["identifier"],
        row["server"],
        _properties(row["properties"]),
    )
