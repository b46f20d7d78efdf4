"""What a verb has met, which decides what is said at the end and the status."""

from __future__ import annotations

from collections import Counter

from .output import Status, note

__all__ = ["Found", "MissingError"]


class MissingError(Exception):
    """An extra is not installed."""


class Found:
    """What was met.

    Attributes:
        shown: How many packets, rows or sessions were written.
        wrong: How many violations or differences there are.
        frames: Frames of captures by what became of them.
    """

    def __init__(self) -> None:
        self.shown = 0
        self.wrong = 0
        self.frames: Counter[str] = Counter()
        self._first: str | None = None
        self._problems = 0

    def problem(self, text: str, count: int = 1) -> None:
        """Keep what could not be read; the first is told, the others are counted."""
        if self._first is None:
            self._first = text
        self._problems += count

    def nothing(self, what: str, unmatched: str = "") -> None:
        """Say that nothing was shown, unless something is wrong anyway.

        Args:
            what: What there is none of; what became of frames is added.
            unmatched: What to say instead where only something was asked for.
        """
        if not self.shown and unmatched:
            self.problem(unmatched)
        elif not self.shown and self._first is None:
            frames = ", ".join(f"{reason} {count:,}" for reason, count in self.frames.most_common())
            self.problem(what + (f"; frames: {frames}" if frames else ""))

    def status(self) -> int:
        """Say on standard error what could not be read; the status."""
        status = Status.FOUND if self.wrong else Status.DONE
        if self._first is not None:
            more = f" (the first of {self._problems:,} such places)" if self._problems > 1 else ""
            note(self._first + more)
            status = status or Status.UNREADABLE
        return int(status)
