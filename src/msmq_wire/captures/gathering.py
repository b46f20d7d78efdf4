"""Rows that are gathered from all buckets, and the tables that are made of them at the end.

1. Most tables are made bucket by bucket.  Tables that join packets of several connections, such as the
   history of a directory, are made of rows that buckets return for them: see `GATHERED`.
2. Rows with equal keys come together, so that several processes can each make the tables of some keys.  Rows
   that all keys need come to each of them.
3. Rows may give further rows to gather; their entry in `GATHERED` comes later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from .answers.collecting import EVIDENT
from .answers.deliveries.rows import delivery_rows
from .answers.evidence import EVIDENCE, of_all_managers
from .answers.hosts import SIGHTED, SIGHTINGS, host_rows
from .answers.usage import USED, USES, usage_rows
from .comparing import COMPARABLE, violations_of_pairs
from .directory import SCHEMAS as DIRECTORY
from .directory import directory_tables
from .findings.joining import FACTS_JOINED, JOINED, joined_findings
from .findings.replays import CARRIED_MESSAGES, REPLAYED, replay_findings
from .replying import EXCHANGED, violations_of_replies
from .rows.compared import COMPARED
from .rows.directory import CHANGES
from .rows.exchanges import EXCHANGES, are_losses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import pyarrow as pa

    from .engine import Settings

    Make = Callable[
        [Iterable[pa.RecordBatch], frozenset[str], Settings, Mapping[str, int]],
        Iterator[tuple[str, pa.RecordBatch]],
    ]

CHANGED: Final = "changes"
"""The name of directory changes as gathered rows."""


class Gathered(NamedTuple):
    """Rows that buckets return for tables.

    Attributes:
        schema: Their columns.
        key: The column of text whose equal values have to come together.
        gives: The tables, and the further rows to gather, that are made of them.
        make: Makes these, as `tables_of` does.
        shared: Returns which rows all keys need; None if there are none.  A row may be returned several
            times.
    """

    schema: pa.Schema
    key: str
    gives: frozenset[str]
    make: Make
    shared: Callable[[pa.RecordBatch], pa.Array] | None = None


GATHERED: Final[dict[str, Gathered]] = {
    CHANGED: Gathered(
        CHANGES,
        "PartitionID",
        frozenset(DIRECTORY),
        lambda batches, _wanted, _settings, _until: directory_tables(batches),
    ),
    JOINED: Gathered(
        FACTS_JOINED,
        "key",
        frozenset({"findings"}),
        lambda batches, _wanted, _settings, _until: joined_findings(batches),
    ),
    REPLAYED: Gathered(
        CARRIED_MESSAGES,
        "source_queue_manager",
        frozenset({"findings"}),
        lambda batches, _wanted, _settings, _until: replay_findings(batches),
    ),
    COMPARABLE: Gathered(
        COMPARED,
        "manager",
        frozenset({"violations"}),
        lambda batches, _wanted, settings, _until: violations_of_pairs(
            batches, settings.level, settings.ignore
        ),
    ),
    EXCHANGED: Gathered(
        EXCHANGES,
        "key",
        frozenset({"violations"}),
        lambda batches, _wanted, settings, _until: violations_of_replies(batches, settings.ignore),
        are_losses,
    ),
    EVIDENT: Gathered(EVIDENCE, "manager", frozenset({"deliveries", USED}), delivery_rows, of_all_managers),
    SIGHTED: Gathered(SIGHTINGS, "queue_manager", frozenset({"hosts"}), host_rows),
    USED: Gathered(USES, "folded", frozenset({"queues", "dependencies"}), usage_rows),
}
"""The rows to gather, by name, in the order in which their tables can be made."""

LATE: Final = frozenset(name for rows in GATHERED.values() for name in rows.gives) - {
    *GATHERED,
    "findings",
    "violations",
}
"""The tables that have rows from gathered rows only."""


def needed(wanted: Iterable[str]) -> frozenset[str]:
    """Return the names of the rows that have to be gathered for some tables."""
    names = {*wanted}
    for name, rows in reversed(GATHERED.items()):
        if names & rows.gives:
            names.add(name)
    return frozenset(names & {*GATHERED})


def tables_of(
    name: str,
    batches: Iterable[pa.RecordBatch],
    wanted: frozenset[str],
    settings: Settings,
    until: Mapping[str, int],
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield the wanted tables, and the further rows, that are made of gathered rows.

    Args:
        name: The name of the rows.
        batches: All rows of some keys, and the shared ones.
        wanted: The names of wanted tables and of `needed` rows.
        settings: The settings for reporting.
        until: For each sensor, when its last frame was captured, in microseconds since 1970.
    """
    for table, batch in GATHERED[name].make(batches, wanted, settings, until):
        if table in wanted:
            yield table, batch
