"""Where a generated decoder stands: runs of fixed fields, positions, and the innermost limit.

1. Fixed fields gather in a run, which one `struct.Struct` reads.
2. A position is a name and an offset from it; a branch moves a name of its own.
3. A run of slices is checked against the limit once, after it: positions only grow, so that the next check
   will find out, and a slice takes no more than there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.compiler.emit import Emitter

if TYPE_CHECKING:
    from msmq_wire.compiler.generate import Compiler

__all__ = ["PositionEmitter", "plus"]


def plus(start: str, size: str | int) -> str:
    """Source of a sum, without zeros."""
    if start == "0":
        return str(size)
    return f"{start}+{size}" if size else start


class PositionEmitter(Emitter):
    """A function that reads `data` from a position on.

    Attributes:
        at: Source of the last position that has a name, or the number where it is known.
        offset: How many bytes after it reading goes on.
        end: Name of the innermost limit.
        whole: The size of a packet that always has the same, which is measured before it is read.
        after_run: What to do as soon as the run of fixed fields has been read.
        unchecked: Whether the position was moved without looking at the limit.
    """

    def __init__(self, compiler: Compiler, at: str, whole: int | None) -> None:
        super().__init__(compiler.module)
        self.compiler = compiler
        self.at = at
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
        """The position after the run that has gathered, for those who will ask for it again."""
        self._movable = ""
        source = plus(self.at, self.offset + self._run_size)
        return source if source.isalnum() else f"({source})"

    def fixed(self, code: str, size: int, stem: str, owner: str = "") -> str:
        """Add a field to the run; returns the name of its value."""
        name = self.fresh(stem, owner)
        self._run.append((code, name))
        self._run_size += size
        return name

    def flush(self) -> None:
        """Read the run of fixed fields that has gathered."""
        if self._run:
            here = self.here
            self.offset += self._run_size
            if self.whole is None:
                self.name(f"{self._run[-1][1]}_end")
                self.emit(f"if {self.here} > {self.end}: raise Reject")
            formats = "<" + "".join(code for code, _ in self._run)
            reader = self.compiler.unpacker(formats)
            names = "".join(f"{name}, " for _, name in self._run)
            self.emit(f"{names.rstrip() if len(self._run) == 1 else names[:-2]} = {reader}(data, {here})")
            self._run = []
            self._run_size = 0
            self.unchecked = False
        for line in self.after_run:
            self.emit(line)
        self.after_run = []

    def name(self, stem: str) -> None:
        """Name the present position, unless its number is known."""
        if self.offset and self.at != "0":
            self.advance("", stem)
            self._movable = self.at

    def advance(self, size: str, stem: str, owner: str = "") -> None:
        """Move on by so many bytes, which nobody has checked against the limit."""
        name = self.fresh(stem, owner)
        self.emit(f"{name} = {self.here} + {size}" if size else f"{name} = {self.here}")
        self.at, self.offset = name, 0

    def check(self) -> None:
        if self.unchecked:
            self.emit(f"if {self.here} > {self.end}: raise Reject")
            self.unchecked = False

    def settle(self) -> None:
        self.flush()
        self.check()

    def branch(self, stem: str) -> str:
        """Name the present position so that branches can move it; a name that nobody else knows will do."""
        self.flush()
        if self.here != self._movable:
            name = self.fresh(stem)
            self.emit(f"{name} = {self.here}")
            self.at, self.offset = name, 0
        return self.at

    def join(self, name: str, *, unchecked: bool = False) -> None:
        """End a branch: store the position under the name that `branch` gave.

        What was not held against the limit in here, or on the other way, still has to be.
        """
        self.flush()
        self.unchecked |= unchecked
        if self.here != name:
            self.emit(f"{name} = {self.here}")
        self.at, self.offset, self._movable = name, 0, name
