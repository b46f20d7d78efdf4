"""A summary of a run for people, from the statistics of the workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from msmq_wire.views.texts import counted, printable

from .statistics import BALANCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from msmq_wire.spark.pipeline import Pipeline

_MOST: Final = 30

Counts = list[tuple[str, int]]
_TITLES: Final = {
    "packets": "Packets by type",
    "violations": "Violations by requirement",
    "quarantine": "Quarantine by cause",
    "sessions": "Sessions by outcome",
    "directory_objects": "Directory objects by class",
}
"""What is counted in tables."""


class Summary(msgspec.Struct, frozen=True):
    """The statistics of a run.

    Attributes:
        counts: By table that was made, what is in it: packets by type, violations by requirement, rows of
            quarantine by cause, sessions by outcome, directory objects by class, deleted ones separately.
        damaged: Files that could not be read completely, with the error.
        captured: Captured payload bytes.
        balance: Bytes of the flows, and in which tables they are.
        seconds: Duration of the run.
    """

    counts: dict[str, Counts]
    damaged: list[tuple[str, str]]
    captured: int
    balance: dict[str, int]
    seconds: float

    def __str__(self) -> str:
        return "\n".join(map(printable, self._lines()))

    def _lines(self) -> Iterator[str]:
        for table, counts in self.counts.items():
            yield f"{_TITLES[table]}:"
            for name, count in counts or [("none", 0)]:
                yield f"  {count:>12,}  {name}"
        if self.damaged:
            yield "Damaged captures:"
            yield from (f"  {file}: {error}" for file, error in self.damaged)
        yield "Balance:"
        for name in BALANCE:
            yield f"  {self.balance[name]:>18,}  {name.replace('_', ' ')}"
        rate = self.captured / self.seconds / 1e6 if self.seconds else 0.0
        read, speed = [counted(self.captured, "byte")], [f"{rate:.1f} MB/s"]
        if "packets" in self.counts:
            packets = sum(count for _, count in self.counts["packets"])
            read.insert(0, counted(packets, "packet"))
            speed.insert(0, f"{packets / max(self.seconds, 1e-9):,.0f} packets/s")
        yield f"{', '.join(read)} in {self.seconds:.1f} s: {', '.join(speed)}"


def summary_of(pipeline: Pipeline, seconds: float) -> Summary:
    """Return the summary of a run, from the statistics of its workers.

    Args:
        pipeline: The run; its tables are complete.
        seconds: Its duration.
    """
    facts = pipeline.facts
    return Summary(
        counts={name: _top(facts.counts.get(name, {})) for name in _TITLES if name in pipeline.tables},
        damaged=sorted(facts.damaged.items())[:_MOST],
        captured=facts.captured,
        balance={name: facts.balance.get(name, 0) for name in BALANCE},
        seconds=seconds,
    )


def _top(counts: Mapping[Any, int]) -> list[tuple[Any, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
