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


class Summary(msgspec.Struct, frozen=True):
    """The statistics of a run.

    Attributes:
        packets: Packets by type.
        violations: Violations by requirement.
        quarantine: Rows of quarantine, by cause.
        damaged: Files that could not be read completely, with the error.
        objects: Directory objects by class; deleted ones separately.
        sessions: Sessions by outcome.
        captured: Captured payload bytes.
        balance: Bytes of the flows, and in which tables they are.
        seconds: Duration of the run.
    """

    packets: Counts
    violations: Counts
    quarantine: Counts
    damaged: list[tuple[str, str]]
    objects: Counts
    sessions: Counts
    captured: int
    balance: dict[str, int]
    seconds: float

    def __str__(self) -> str:
        return "\n".join(map(printable, self._lines()))

    def _lines(self) -> Iterator[str]:
        for title, counts in (
            ("Packets by type", self.packets),
            ("Violations by requirement", self.violations),
            ("Quarantine by cause", self.quarantine),
            ("Sessions by outcome", self.sessions),
            ("Directory objects by class", self.objects),
        ):
            yield f"{title}:"
            for name, count in counts or [("none", 0)]:
                yield f"  {count:>12,}  {name}"
        if self.damaged:
            yield "Damaged captures:"
            yield from (f"  {file}: {error}" for file, error in self.damaged)
        yield "Balance:"
        for name in BALANCE:
            yield f"  {self.balance[name]:>18,}  {name.replace('_', ' ')}"
        rate = self.captured / self.seconds / 1e6 if self.seconds else 0.0
        packets = sum(count for _, count in self.packets)
        yield (
            f"{counted(packets, 'packet')}, {counted(self.captured, 'byte')} in {self.seconds:.1f} s: "
            f"{packets / max(self.seconds, 1e-9):,.0f} packets/s, {rate:.1f} MB/s"
        )


def summary_of(pipeline: Pipeline, seconds: float) -> Summary:
    """Return the summary of a run, from the statistics of its workers.

    Args:
        pipeline: The run; its tables are complete.
        seconds: Its duration.
    """
    facts = pipeline.facts
    counts = facts.counts
    return Summary(
        packets=_top(counts.get("packets", {})),
        violations=_top(counts.get("violations", {})),
        quarantine=_top(counts.get("quarantine", {})),
        damaged=sorted(facts.damaged.items())[:_MOST],
        objects=_top(counts.get("directory_objects", {})),
        sessions=_top(counts.get("sessions", {})),
        captured=facts.captured,
        balance={name: facts.balance.get(name, 0) for name in BALANCE},
        seconds=seconds,
    )


def _top(counts: Mapping[Any, int]) -> list[tuple[Any, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
