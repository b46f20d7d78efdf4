"""Collects the violations that the validators of `checks.validators` report, with the options of validation.

1. A validator only reports which rule a record violates.  Values, paths and texts are computed here, and only
   for reported violations.
2. A trail is a linked list: the trail of the enclosing structure, then the steps from there.  It costs one
   tuple per structure, and is only followed when a violation is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .offsets import Inside
from .profiles import lacks
from .rules import LEVELS, RawViolation, Repeats, allowed_values, shown

if TYPE_CHECKING:
    from .offsets import Step
    from .profiles import Profile, UnsupportedFeature
    from .rules import Channel, Context, Level, Rule

Trail = tuple[Any, ...]
"""The trail of the enclosing structure (None for the outermost one), then the steps from there."""


_REMEMBERED: Final = 256
"""Number of omitted violations among which duplicates are found; those of one field follow each other."""


class ViolationCollector:
    """Options of the validation, and the violations found.

    Attributes:
        level: The level up to which rules are checked.
        channel: Where the packet was captured.
        should: Whether to check recommendations.
        practice: Whether to check known deviations of implementations.
        context: Facts from the caller, or None.
        profile: The version of Windows that sent the packet, or None.
        ignored: Requirements to ignore.
        violations: Violations by requirement and steps, in the order in which they were found.
        left_out: Number of omitted violations.
    """

    __slots__ = (
        "_limit",
        "_omitted",
        "channel",
        "context",
        "ignored",
        "left_out",
        "level",
        "practice",
        "profile",
        "should",
        "violations",
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
        self.level = level
        self.practice = level == "practice"
        self.should = level != "must"
        self.context = context
        self.profile = profile
        self.violations: dict[tuple[str, tuple[Step, ...]], RawViolation] = {}
        self.left_out = 0
        self.ignored = ignored
        self._limit = limit
        self._omitted: set[tuple[str, tuple[Step, ...]]] = set()

    def broken(self, record: Any, trail: Trail, row: Rule, allowed: str = "") -> None:
        """Add a violation of a rule; `allowed` may be more precise than that of the rule."""
        if row.of_requests and self.context is not None and self.context.answers:
            return
        self._add_at(
            record,
            trail,
            row.path,
            row.requirement,
            allowed or allowed_values(row.allowed, row.value, record),
            level=row.level,
            erratum=row.erratum,
            practice=row.practice,
        )

    def in_context(self, record: Any, trail: Trail, rows: tuple[Rule, ...]) -> None:
        """Test the rules that need a context, if the needed facts are known."""
        context = self.context
        for row in rows:
            if (
                context is not None
                and context.knows(row.needs)
                and row.applies(self.level, self.channel)
                and not row.value(record, context)
            ):
                self.broken(record, trail, row, self.allowed_in_context(record, row))

    def allowed_in_context(self, record: Any, row: Rule) -> str:
        """Return the allowed values of a rule, with the value that the context states."""
        if self.context is None or not isinstance(row.value, Repeats):
            return row.allowed
        wanted = row.value.wanted(record, self.context)
        why = row.allowed if row.value.why is None else row.value.why(self.context)
        return row.allowed if wanted is None else f"{shown(wanted)}, {why}"

    def add(self, trail: Trail, violation: RawViolation) -> None:
        """Add a violation of a `RuleFunction`, unless it is of a later level or of another channel."""
        if violation.channels and self.channel not in violation.channels:
            return
        if violation.level != "must" and LEVELS.index(violation.level) > LEVELS.index(self.level):
            return
        requirement, steps, *more = violation
        self._add(RawViolation(requirement, _steps(trail) + steps, *more))

    def lacking(self, record: Any, trail: Trail) -> None:
        """ViolationCollector for features that the version of Windows lacks."""
        profile = self.profile
        if profile is None:
            return
        for row in lacks(record.layout.name, profile):
            self.lacking_one(record, trail, row, profile)

    def lacking_one(self, record: Any, trail: Trail, row: UnsupportedFeature, profile: Profile) -> None:
        """ViolationCollector for one feature that the version of Windows lacks."""
        if not row.has(record, profile.msmq_version):
            return
        fault = row.fault(profile)
        self._add_at(
            record,
            trail,
            row.path,
            row.requirement,
            row.allowed,
            fault=fault,
            level="practice",
            note=row.note,
        )

    def _add_at(
        self, record: Any, trail: Trail, path: str, requirement: str, allowed: str, **more: Any
    ) -> None:
        if requirement in self.ignored:
            return
        steps = tuple(path.split("."))
        value = record
        for step in steps:
            value = getattr(value, step, None)
        self._add(RawViolation(requirement, _steps(trail) + steps, value, allowed, **more))

    def _add(self, breach: RawViolation) -> None:
        """Add a violation, unless it is ignored, a duplicate, or beyond the limit."""
        if breach.requirement in self.ignored:
            return
        key = breach.requirement, tuple(step for step in breach.steps if not isinstance(step, Inside))
        if key in self.violations or key in self._omitted:
            return
        if len(self.violations) < self._limit:
            self.violations[key] = breach
            return
        self.left_out += 1
        if len(self._omitted) >= _REMEMBERED:
            self._omitted.clear()
        self._omitted.add(key)


def _steps(trail: Trail | None) -> tuple[Step, ...]:
    chain: list[Trail] = []
    while trail is not None:
        chain.append(trail)
        trail = trail[0]
    return tuple(step for part in reversed(chain) for step in part[1:])
