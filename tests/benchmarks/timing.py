"""Contenders that take turns, so that a busy machine is fair to all of them."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Result", "race"]


class Result(NamedTuple):
    """What one contender took.

    Attributes:
        seconds: Median of a call.
        ratio: Median of the ratios to the base in the same round; None without a base.
    """

    seconds: float
    ratio: float | None


def _time(call: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def race(
    contenders: Mapping[str, Callable[[], object]],
    base: str | None,
    *,
    rounds: int = 11,
    seconds: float = 0.02,
) -> dict[str, Result]:
    """Time every contender in each of several rounds.

    Args:
        contenders: Calls without arguments, by name.
        base: The contender that the others are compared with.
        rounds: How often each gets its turn.
        seconds: How long a turn takes at least; a call that takes longer is made once.
    """
    counts = {}
    for name, call in contenders.items():
        first = _time(call, 1)  # what is compiled or imported only once is no part of it
        again = min(first, _time(call, 3 if first < seconds else 1))
        counts[name] = max(1, int(seconds / max(again, 1e-9)))
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, call in contenders.items():
            times[name].append(_time(call, counts[name]))
    found = {}
    for name, own in times.items():
        ratios = [a / b for a, b in zip(own, times[base], strict=True)] if base else []
        found[name] = Result(statistics.median(own), statistics.median(ratios) if ratios else None)
    return found
