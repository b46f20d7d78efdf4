"""The table `hosts`: the addresses and machine names of queue managers that packets prove.

1. A handshake proves that a queue manager is reached at an address; behind address translation this is the
   translated address.
2. A message to ``DIRECT=OS:name`` goes straight to that machine ([MS-MQMQ] 2.1.2), so the handshake names the
   queue manager of that machine.
3. A change of the directory names the machine of a queue manager.
4. Handshakes and changes are not verified and may be forged: `evidence` has the proof of each row.
5. A null GUID is that of no queue manager.  One with which two addresses ask for sessions at the same time is
   that of several computers, such as a copied one, and proves no address.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import array_of, ints, marks, order_by, ranks
from msmq_wire.captures.rows.messages import MESSAGES
from msmq_wire.captures.schemas import TIME, plain, schema_of
from msmq_wire.definitions.properties import ObjectClass
from msmq_wire.names.grammar import is_ip_address
from msmq_wire.values.guid import GUID, NULL_GUID

from .claims import of_several_computers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from .evidence import Connections

    Ints = NDArray[np.int64]

SIGHTED: Final = "sightings"
"""The name of the sightings of queue managers, as gathered rows."""
_FLOW: Final = ("sensor", "flow")
_PLACE: Final = ("offset", "file", "first_frame")
_POSITION: Final = (*_FLOW, *_PLACE)
_KEYS: Final = ("queue_manager", "what", "value", "by")
SIGHTINGS: Final = pa.schema(
    [
        *((name, pa.string()) for name in _KEYS),
        ("count", pa.int64()),
        ("time", TIME),
        ("until", TIME),
        ("asks", pa.bool_()),
        *((name, MESSAGES.field(name).type) for name in _POSITION),
    ]
)
"""The columns of sightings: how often, from when to when, whether it asks for the session, where first."""

_ADDRESS: Final = "address"
_MACHINE: Final = "machine"
_RESTS_ON: Final = {
    "handshake": "the handshakes of its sessions came from that address, or went there",
    "direct queue": "messages to ``DIRECT=OS:`` with that name went straight to it",
    "directory": "changes of the directory gave that name to its machine",
}
"""The kinds of proof of a sighting."""
_EVIDENCE: Final = pa.struct(
    [
        ("what", pa.string()),
        ("value", pa.string()),
        ("by", pa.string()),
        ("count", pa.int64()),
        ("first_at", TIME),
        ("last_at", TIME),
        *((name, MESSAGES.field(name).type) for name in _POSITION),
    ]
)
HOSTS: Final = schema_of(
    [
        ("queue_manager", pa.string(), "GUID of the queue manager."),
        (
            "address",
            pa.string(),
            (
                "Its IP address; of several the one with most handshakes; null if two of one kind, IPv4 or "
                "IPv6, ask for sessions with its GUID at the same time."
            ),
        ),
        ("machine", pa.string(), "Name of its machine in lower case; of several the most frequent."),
        ("addresses", pa.list_(pa.string()), "All its addresses, the most frequent first."),
        ("machines", pa.list_(pa.string()), "All names of its machine, the most frequent first."),
        ("first_at", TIME, "When it was first seen."),
        ("last_at", TIME, "When it was last seen."),
        (
            "evidence",
            pa.list_(_EVIDENCE),
            "What proves each address (``what`` is ``address``) and name (``machine``): by what ("
            + "; ".join(f"``{name}``: {text}" for name, text in _RESTS_ON.items())
            + "), how often, from when to when, and where in the captures first.",
        ),
    ]
)
"""The columns of `hosts`."""

_DIRECT: Final = r"^(?i:DIRECT=OS:)(?P<machine>[^\\]+)\\"
_MACHINES: Final = (("PROPID_QM_PATHNAME", "PROPID_QM_MACHINE_ID"), ("PROPID_Q_PATHNAME", "PROPID_Q_QMID"))
"""Properties with the name of a machine, and with the GUID of its queue manager, of one object."""
_ITSELF: Final = {".", "localhost"}
"""Names by which a computer means itself."""
_NEVER: Final = int(np.iinfo(np.int64).max)


class _Sighting(NamedTuple):
    """Equal sightings, added up."""

    total: int
    time: int
    until: int
    position: tuple[Any, ...]


def addresses(connections: Connections) -> pa.Table:
    """Return the addresses of queue managers, as rows of `SIGHTINGS`: those of the ends of connections."""
    packets, names = connections.packets, connections.names
    flow, time = connections.flow, ints(packets.column("time"), _NEVER)
    count = int(flow.max(initial=-1)) + 1
    earliest, latest = np.full(count, _NEVER), np.full(count, -1)
    np.minimum.at(earliest, flow, time)
    np.maximum.at(latest, flow, time)
    (first,) = (time == earliest[flow]).nonzero()
    first = first[order_by(flow[first], ints(packets.column("offset"))[first])]
    own, begins = np.unique(flow[first], return_index=True)
    rows = packets.select(["time", *_POSITION, "src"]).take(pa.array(first[begins]))
    until = latest[own]
    return _rows(
        rows, names.of(own, receiver=False), _ADDRESS, rows.column("src"), "handshake",
        pa.array(until, mask=until == _NEVER).cast(TIME), pa.array(own & 1 == 0),
    )  # fmt: skip


def are_claims(sighted: pa.Table) -> NDArray[np.bool_]:
    """Return which rows of `SIGHTINGS` ask for a session, as `of_several_computers` compares them."""
    return marks(pc.and_(sighted.column("asks"), sighted.column("time").is_valid()))


def sightings(connections: Connections) -> pa.Table:
    """Return the sightings of queue managers in the packets of connections, as rows of `SIGHTINGS`."""
    messages, names = connections.messages, connections.names
    coded = messages.column("destination").combine_chunks().dictionary_encode()
    machines = pc.utf8_lower(pc.struct_field(pc.extract_regex(coded.dictionary, _DIRECT), "machine"))
    named = [None if name is None or _is_no_name(name) else name for name in machines.to_pylist()]
    machine = pa.array(named, pa.string()).take(coded.indices)
    direct = marks(
        pc.and_(machine.is_valid(), pc.equal(pc.list_value_length(messages.column("destinations")), 1))
    )
    (chosen,) = direct.nonzero()
    rows = messages.select(["time", *_POSITION]).take(pa.array(chosen))
    named = _rows(
        rows, names.of(connections.message_flow[chosen], receiver=True), _MACHINE,
        machine.take(pa.array(chosen)), "direct queue", rows.column("time"), pa.repeat(False, len(chosen)),
    )  # fmt: skip
    return pa.concat_tables([connections.addresses, named])


def _is_no_name(machine: str) -> bool:
    """Return whether the host of a direct name is an address, or the computer itself, and so no name."""
    return machine in _ITSELF or is_ip_address(machine)


def _rows(
    rows: pa.Table, manager: pa.Array, what: str, value: Any, by: str, until: Any, asks: pa.Array
) -> pa.Table:
    """Return the sightings that have a queue manager and a value; equal ones are one row."""
    columns = {name: rows.column(name) for name in ("time", *_POSITION)}
    columns |= {"queue_manager": manager, "what": pa.repeat(what, len(rows)), "value": value}
    columns |= {"by": pa.repeat(by, len(rows)), "count": pa.repeat(1, len(rows)), "until": until}
    columns["asks"] = asks
    table = pa.table([columns[field.name].cast(field.type) for field in SIGHTINGS], schema=SIGHTINGS)
    is_known = pc.fill_null(pc.not_equal(table.column("queue_manager"), str(NULL_GUID)), False)
    return _summed(table.filter(pc.and_(is_known, table.column("value").is_valid())))


def _summed(table: pa.Table) -> pa.Table:
    """Return one row for equal sightings in a flow, with the earliest position."""
    order = [(name, "ascending") for name in ("time", "sensor", "flow", "offset")]
    grouped = table.sort_by(order).group_by([*_KEYS, *_FLOW], use_threads=False)
    sums = grouped.aggregate(
        [("count", "sum"), ("until", "max"), *((name, "first") for name in ("time", "asks", *_PLACE))]
    )
    renamed = {"count": "count_sum", "until": "until_max", **{name: name for name in (*_KEYS, *_FLOW)}}
    columns = [sums.column(renamed.get(name, f"{name}_first")) for name in SIGHTINGS.names]
    return pa.table(columns, schema=SIGHTINGS)


def sightings_of_changes(changes: pa.RecordBatch) -> pa.RecordBatch:
    """Return the sightings of queue managers in changes of a directory, as rows of `SIGHTINGS`.

    Args:
        changes: Rows of `rows.directory.CHANGES`.
    """
    rows: list[tuple[Any, ...]] = []
    columns = (changes.column(name) for name in ("properties", "object_class", "identifier", "time"))
    for index, (properties, kind, identifier, time) in enumerate(zip(*columns, strict=True)):
        known = dict(properties.as_py() or ())
        manager, path = _named(known, kind.as_py(), identifier.as_py())
        if manager is not None and path:
            position = [changes.column(name)[index].as_py() for name in _POSITION]
            machine = path.partition("\\")[0].lower()
            span = time.as_py(), time.as_py()
            rows.append((manager, _MACHINE, machine, "directory", 1, *span, False, *position))
    return pa.RecordBatch.from_pylist(
        [dict(zip(SIGHTINGS.names, row, strict=True)) for row in rows], schema=SIGHTINGS
    )


def _named(
    known: Mapping[str, Any], kind: str | None, identifier: str | None
) -> tuple[str | None, str | None]:
    """Return the queue manager and the path name in the properties of an object."""
    for path, manager in _MACHINES:
        text, guid = known.get(path, {}).get("text"), known.get(manager, {}).get("guid")
        if text and guid:
            return str(GUID(guid)), text
        if text and kind == ObjectClass.MACHINE.name and path == "PROPID_QM_PATHNAME":
            return identifier, text
    return None, None


def host_rows(
    batches: Iterable[pa.RecordBatch], _wanted: frozenset[str], _settings: Any, _until: Mapping[str, int]
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield `hosts` of rows of `SIGHTINGS`; the arguments are those of `gathering.tables_of`."""
    managers: dict[str, dict[tuple[str, str, str], _Sighting]] = {}
    sighted = pa.Table.from_batches([*batches], SIGHTINGS)
    shared = of_several_computers(sighted.filter(pa.array(are_claims(sighted))))
    for manager, what, value, by, count, time, until, _, *position in zip(*_together(sighted), strict=True):
        managers.setdefault(manager, {})[what, value, by] = _Sighting(count, time, until, tuple(position))
    rows = [_host(manager, managers[manager], manager in shared) for manager in sorted(managers)]
    if rows:
        yield "hosts", pa.RecordBatch.from_pylist(rows, schema=plain(HOSTS))


def _together(table: pa.Table) -> list[list[Any]]:
    """Return the columns of `SIGHTINGS`, one row for equal sightings, with the first position.

    What several sensors captured of a flow counts once.
    Times are numbers: `_NEVER` for an unknown `time`, and -1 for an unknown `until`.
    """
    times = {"time": _NEVER, "until": -1}
    for name, unknown in times.items():
        at = SIGHTINGS.names.index(name)
        table = table.set_column(at, name, pa.array(ints(table.column(name), unknown)))
    keys = [
        ranks(array_of(column)) if column.type == pa.string() else ints(column)
        for column in table.select(["time", *_POSITION]).columns
    ]
    table = table.take(pa.array(order_by(*keys)))
    numbered = table.append_column("row", pa.array(np.arange(table.num_rows)))
    for names, how in ((_KEYS + _FLOW, "sum"), ((*_KEYS, "flow"), "max"), (_KEYS, "sum")):
        aggregates = {"count": how, "until": "max", "row": "min"}
        numbered = numbered.group_by([*names], use_threads=False).aggregate([*aggregates.items()])
        renamed = {f"{name}_{function}": name for name, function in aggregates.items()}
        numbered = numbered.rename_columns([renamed.get(name, name) for name in numbered.column_names])
    first = table.take(numbered.column("row"))
    columns = [
        numbered.column(name) if name in {"count", "until"} else first.column(name)
        for name in SIGHTINGS.names
    ]
    return [column.to_pylist() for column in columns]


def _host(manager: str, known: Mapping[tuple[str, str, str], _Sighting], is_shared: bool) -> dict[str, Any]:
    totals: Counter[tuple[str, str]] = Counter()
    for (what, value, _), sighting in known.items():
        totals[what, value] += sighting.total
    ordered = sorted(
        known.items(),
        key=lambda item: (item[0][0], -totals[item[0][:2]], item[0][1], -item[1].total, item[0]),
    )
    lists = {
        what: [*dict.fromkeys(value for (kind, value, _), _ in ordered if kind == what)]
        for what in (_ADDRESS, _MACHINE)
    }
    times = [sighting.time for sighting in known.values() if sighting.time != _NEVER]
    evidence = [
        {
            "what": what,
            "value": value,
            "by": by,
            "count": sighting.total,
            "first_at": None if sighting.time == _NEVER else sighting.time,
            "last_at": None if sighting.until < 0 else sighting.until,
            **dict(zip(_POSITION, sighting.position, strict=True)),
        }
        for (what, value, by), sighting in ordered
    ]
    until = max(sighting.until for sighting in known.values())
    return {
        "queue_manager": manager,
        "address": None if is_shared else next(iter(lists[_ADDRESS]), None),
        "machine": next(iter(lists[_MACHINE]), None),
        "addresses": lists[_ADDRESS],
        "machines": lists[_MACHINE],
        "first_at": min(times, default=None),
        "last_at": None if until < 0 else until,
        "evidence": evidence,
    }
