"""The registered verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.checks.search import Search, Trail

__all__ = ["VERDICTS"]

VERDICTS: dict[str, Callable[[Any, Trail, Search], None]] = {}
"""By the name of the structure: the function that reports to the search which rules its record violates."""
