"""The number of examples for property tests that need more than others."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["examples"]


def examples(count: int) -> int:
    """This many with ``--long``; otherwise fewer, in the ratio of other property tests."""
    of_long = settings.get_profile("long").max_examples
    return max(1, count * min(settings().max_examples, of_long) // of_long)
