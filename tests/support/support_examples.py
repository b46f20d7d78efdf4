"""The number of examples for property tests that need more than others."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["examples"]


def examples(count: int) -> int:
    """So many with ``--long``; otherwise a sixteenth, but no less than other property tests draw."""
    few = settings().max_examples
    return count if few >= settings.get_profile("long").max_examples else max(few, count // 16)
