"""The results of a subcommand, which determine the final message and the exit status."""

from __future__ import annotations

from collections import Counter

from msmq_wire.values.errors import MsmqWireError
from msmq_wire.views.texts import not_read

from .output import Status, note


class OptionError(MsmqWireError):
    """The value of an option or an operand is invalid."""


class Outcome:
    """Counters of a subcommand.

    Attributes:
        shown: Number of packets, rows or sessions that were written, or of packets that were validated.
        wrong: Number of violations or differences.
        frames: Numbers of captured frames by their result.
        rows: Numbers of rows of tables that are only counted.
        omitted: Numbers of entries of folders that are not read, by reason.
        closed: Number of bodies that none of the keys decrypts.
        outputs: Directories of tables that are reported, because captures are expected.
    """

    def __init__(self) -> None:
        self.shown = 0
        self.wrong = 0
        self.closed = 0
        self.frames: Counter[str] = Counter()
        self.rows: Counter[str] = Counter()
        self.omitted: Counter[str] = Counter()
        self.outputs: set[str] = set()
        self._first: str | None = None
        self._problems = 0
        self._remark: str | None = None
        self._remarks = 0

    def remark(self, text: str, count: int = 1) -> None:
        """Record what loses nothing; the first is reported, the others are counted."""
        if self._remark is None:
            self._remark = text
        self._remarks += count

    def problem(self, text: str, count: int = 1) -> None:
        """Record an unreadable part; the first one is reported, the others are counted."""
        if self._first is None:
            self._first = text
        self._problems += count

    @property
    def first_problem(self) -> str | None:
        """The first unreadable part; None if there is none."""
        return self._first

    def nothing(self, what: str, unmatched: str = "") -> None:
        """Report that nothing was shown, unless there is another problem.

        Args:
            what: The message; counts of frames are added.
            unmatched: The message if only selected items were requested.
        """
        if not self.shown and unmatched:
            if self._first is None:
                self.problem(unmatched)
            else:
                self._first = f"{unmatched}; {self._first}"
        elif not self.shown and self._first is None:
            frames = ", ".join(f"{reason} {count:,}" for reason, count in self.frames.most_common())
            omitted = not_read(self.omitted)
            self.problem(what + (f"; frames: {frames}" if frames else "") + (omitted and f"; {omitted}"))

    def status(self) -> int:
        """Report unreadable parts on standard error, and return the exit status."""
        status = Status.FOUND if self.wrong else Status.DONE
        if self.closed:
            note(f"bodies that stay encrypted, because no key fits: {self.closed:,}")
        if self._remark is not None:
            note(self._remark + (f" (one of {self._remarks:,})" if self._remarks > 1 else ""))
        if self._first is not None:
            more = f" (one of {self._problems:,} unreadable parts)" if self._problems > 1 else ""
            note(self._first + more)
            status = status or Status.UNREADABLE
        return int(status)
