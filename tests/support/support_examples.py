"""How many examples a property test draws that needs more than others."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["examples"]


def examples(count: int) -> int:
    """So many with ``--long``, and otherwise as much less as other property tests draw."""
    of_long = settings.get_profile("long").max_examples
    return max(1, count * min(settings().max_examples, of_long) // of_long)
