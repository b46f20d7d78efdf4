"""The registered validators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.checks.collector import Trail, ViolationCollector

VALIDATORS: dict[str, Callable[[Any, Trail, ViolationCollector], None]] = {}
"""By the name of the structure: the function that reports to the search which rules its record violates."""
