"""How many of what only repeats a run has: examples of a property, histories, seeds, moments, packets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RUNS", "Run", "examples", "share"]


class Run(NamedTuple):
    """What a run has of everything that only repeats.

    Attributes:
        examples: How many examples a property test draws that says nothing else.
        divisor: By what a full count is divided.
    """

    examples: int
    divisor: int


RUNS: Final[Mapping[str, Run]] = {"thorough": Run(1000, 1), "long": Run(6, 12), "quick": Run(3, 16)}
"""The runs by their profiles of Hypothesis: of the session `thorough`, with ``--long``, and without."""


def share(count: int, least: int = 1) -> int:
    """So many in the session `thorough`, and in other runs a part of them, but at least so many."""
    drawn = settings().max_examples
    run = next((run for run in RUNS.values() if drawn >= run.examples), RUNS["quick"])
    return max(least, count // run.divisor)


def examples(count: int) -> int:
    """The `share` of a property test that needs more examples than others; it draws no less than others."""
    return share(count, min(count, settings().max_examples))
