"""The read position of a generated decoder: runs of fixed fields, offsets, and the innermost limit.

1. Consecutive fixed fields form a run, which one `struct.Struct` reads.
2. A position is a variable plus a constant offset; each branch updates its own variable.
3. Consecutive slices are checked against the limit once, after the last.  This is safe: positions only
   increase, so the next check detects an overrun, and a Python slice never reads past the end.
4. In a packet, which must fill its bytes, runs and texts are not checked either: the last check detects an
   overrun.  If there are too few bytes, `struct` or the text codec raises its own exception first; the caller
   expects all of `UNREADABLE`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.compiler.emit import Emitter

if TYPE_CHECKING:
    from msmq_wire.compiler.generate import Compiler


def plus(start: str, size: str | int) -> str:
    """Return source of a sum, without zeros."""
    if start == "0":
        return str(size)
    return f"{start}+{size}" if size else start


class PositionEmitter(Emitter):
    """Emit a function that reads `data` from a position on.

    Attributes:
        at: Source of the last position that has a variable, or the number if it is a constant.
        offset: Number of bytes from there to the current position.
        end: Variable of the innermost limit.
        packet: Whether the function reads a packet, which must fill its bytes.
        whole: The size of a fixed-size packet, which is checked before anything is read.
        after_run: Lines to emit after the current run of fixed fields has been read.
        unchecked: Whether the position moved without a check against the limit.
    """

    def __init__(self, compiler: Compiler, at: str, whole: int | None, *, packet: bool) -> None:
        super().__init__(compiler.module)
        self.compiler = compiler
        self.at = at
        self.packet = packet
        self.offset = 0
        self.end = "end"
        self.whole = whole
        self.after_run: list[str] = []
        self.unchecked = False
        self._movable = ""
        self._run: list[tuple[str, str]] = []
        self._run_size = 0

    @property
    def here(self) -> str:
        return plus(self.at, self.offset)

    def start(self) -> str:
        """Return source of the position after the current run, for uses that can come later."""
        self._movable = ""
        source = plus(self.at, self.offset + self._run_size)
        return source if source.isalnum() else f"({source})"

    def fixed(self, code: str, size: int, stem: str, owner: str = "") -> str:
        """Add a field to the run; return the variable of its value."""
        name = self.fresh(stem, owner)
        self._run.append((code, name))
        self._run_size += size
        return name

    def flush(self) -> None:
        """Emit the read of the current run of fixed fields."""
        if self._run:
            here = self.here
            self.offset += self._run_size
            if self.whole is None:
                self.name(f"{self._run[-1][1]}_end")
                self.fit()
            formats = "<" + "".join(code for code, _ in self._run)
            reader = self.compiler.unpacker(formats)
            names = "".join(f"{name}, " for _, name in self._run)
            self.emit(f"{names.rstrip() if len(self._run) == 1 else names[:-2]} = {reader}(data, {here})")
            self._run = []
            self._run_size = 0
        for line in self.after_run:
            self.emit(line)
        self.after_run = []

    def name(self, stem: str) -> None:
        """Assign the current position to a variable, unless it is a constant."""
        if self.offset and self.at != "0":
            self.advance("", stem)
            self._movable = self.at

    def advance(self, size: str, stem: str, owner: str = "") -> None:
        """Emit a move of the position by a number of bytes, without a check against the limit."""
        name = self.fresh(stem, owner)
        self.emit(f"{name} = {self.here} + {size}" if size else f"{name} = {self.here}")
        self.at, self.offset = name, 0

    def fit(self) -> None:
        """Emit a check of the position against the limit; in a packet, leave it to a later one."""
        self.unchecked = True
        if not self.packet:
            self.check()

    def check(self) -> None:
        if self.unchecked:
            self.emit(f"if {self.here} > {self.end}: raise Reject")
            self.unchecked = False

    def settle(self) -> None:
        self.flush()
        self.check()

    def branch(self, stem: str) -> str:
        """Give the position a variable that branches can update; reuse one that no other code refers to."""
        self.flush()
        if self.here != self._movable:
            name = self.fresh(stem)
            self.emit(f"{name} = {self.here}")
            self.at, self.offset = name, 0
        return self.at

    def join(self, name: str, *, unchecked: bool = False) -> None:
        """End a branch: store the position in the variable that `branch` returned.

        If either path moved the position without a check against the limit, the check is still
        pending.
        """
        self.flush()
        self.unchecked |= unchecked
        if self.here != name:
            self.emit(f"{name} = {self.here}")
        self.at, self.offset, self._movable = name, 0, name
