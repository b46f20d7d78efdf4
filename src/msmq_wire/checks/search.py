"""What the verdicts of `checks.verdicts` report to: what is looked for, and what was found so far.

1. A verdict says only which rule a record breaks.  Values, paths and words are computed here, for what is
   reported and for nothing else.
2. A trail is a chain: the trail to the structure around, then the steps from there.  It costs one tuple for
   each structure, and nobody follows it before something is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .places import Inside
from .profiles import lacks

if TYPE_CHECKING:
    from .places import Step
    from .profiles import Lack, Profile
    from .rules import Channel, Context, Finding, Level, Rule

__all__ = ["Breach", "Search", "Trail"]

Trail = tuple[Any, ...]
"""The trail to the structure around (None for the outermost), then the steps from there."""


class Breach(NamedTuple):
    """What was found, before it is put into words.

    Attributes:
        steps: What leads to the field, the name of the outermost structure first.
        requirement: What is broken.
        found: What the field holds.
        allowed: What it may hold, in words.
        level: How strict the document is.
        fault: A sentence without its stop that says it better.
        erratum: Where the evidence is for what implementations do.
        practice: What they do.
        note: The note on product behavior, for a finding about a profile.
    """

    steps: tuple[Step, ...]
    requirement: str
    found: Any
    allowed: str
    level: Level
    fault: str = ""
    erratum: str = ""
    practice: str = ""
    note: str = ""


class Search:
    """What is looked for, and what was found.

    Attributes:
        channel: Where the packet was met.
        should: Whether recommendations count.
        practice: Whether what implementations are known to do counts.
        context: What the caller knows; None for nothing.
        profile: The version of Windows that sent the packet, or None.
        found: Breaches by requirement and steps, in the order in which they were found.
        left_out: How many more there are.
    """

    __slots__ = (
        "_ignored",
        "_limit",
        "channel",
        "context",
        "found",
        "left_out",
        "practice",
        "profile",
        "should",
    )

    def __init__(
        self,
        level: Level,
        channel: Channel,
        context: Context | None,
        profile: Profile | None,
        ignored: frozenset[str],
        limit: int,
    ) -> None:
        self.channel = channel
        self.practice = level == "practice"
        self.should = level != "must"
        self.context = context
        self.profile = profile
        self.found: dict[tuple[str, tuple[Step, ...]], Breach] = {}
        self.left_out = 0
        self._ignored = ignored
        self._limit = limit

    def broken(self, record: Any, trail: Trail, row: Rule) -> None:
        """A record breaks a rule."""
        self._add_at(
            record, trail, row.path, row.requirement, row.allowed, row.level, "", row.erratum, row.practice
        )

    def in_context(self, record: Any, trail: Trail, rows: tuple[Rule, ...]) -> None:
        """Look at the rules that need a context, as far as that is known."""
        known = self.context
        for row in rows:
            if (
                known is not None
                and known.knows(row.needs)
                and (not row.channels or self.channel in row.channels)
                and not row.value(record, known)
            ):
                self.broken(record, trail, row)

    def judged(self, trail: Trail, finding: Finding) -> None:
        """What a judge has found; judges go by requirements only, not by recommendations."""
        if finding.channels and self.channel not in finding.channels:
            return
        self._add(
            Breach(
                _steps(trail) + finding.steps,
                finding.requirement,
                finding.found,
                finding.allowed,
                "must",
                finding.fault,
            )
        )

    def lacking(self, record: Any, trail: Trail) -> None:
        """Look for what the version of Windows does not have."""
        profile = self.profile
        if profile is None:
            return
        for row in lacks(record.layout.name, profile.msmq_version):
            self.lacking_one(record, trail, row, profile)

    def lacking_one(self, record: Any, trail: Trail, row: Lack, profile: Profile) -> None:
        """Look for one thing that the version of Windows does not have."""
        if not row.has(record, profile.msmq_version):
            return
        fault = f"from {profile.name} it has to be {row.allowed} ({row.note})"
        self._add_at(record, trail, row.path, row.requirement, row.allowed, "practice", fault, note=row.note)

    def _add_at(
        self, record: Any, trail: Trail, path: str, requirement: str, *words: Any, **more: Any
    ) -> None:
        if requirement in self._ignored:
            return
        steps = tuple(path.split("."))
        value = record
        for step in steps:
            value = getattr(value, step, None)
        self._add(Breach(_steps(trail) + steps, requirement, value, *words, **more))

    def _add(self, breach: Breach) -> None:
        """Keep a violation, unless nobody wants to hear of it, or it is known, or there are too many."""
        if breach.requirement in self._ignored:
            return
        key = breach.requirement, tuple(step for step in breach.steps if not isinstance(step, Inside))
        if key in self.found:
            return
        if len(self.found) < self._limit:
            self.found[key] = breach
        else:
            self.left_out += 1


def _steps(trail: Trail | None) -> tuple[Step, ...]:
    chain: list[Trail] = []
    while trail is not None:
        chain.append(trail)
        trail = trail[0]
    return tuple(step for part in reversed(chain) for step in part[1:])
