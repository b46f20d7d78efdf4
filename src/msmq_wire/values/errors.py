"""Exceptions; the class says whether the sender or the caller is at fault.

1. Every exception that the library raises on purpose is a `MsmqWireError`, which is a `ValueError`.
2. `DecodeError`: the bytes cannot be read.  The sender's fault, or the capture's.
3. `EncodeError`: the caller's record cannot be written.  The caller's fault.
4. `ConformanceError`: the bytes were read, but a document forbids them.
5. Each fact in a message is an attribute too; nobody has to parse text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from .refusals import requirement_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["ConformanceError", "DecodeError", "EncodeError", "MsmqWireError"]


_SHOWN = 120


class MsmqWireError(ValueError):
    """The base of every error that this library raises on purpose."""


class DecodeError(MsmqWireError):
    """The bytes cannot be read as the structure that was asked for.

    Attributes:
        problem: What is wrong, in words, without the place.
        structure: Name of the innermost structure being read, as the document prints it.
        path: Dotted path of the field from the outermost structure, such as
            ``UserMessage.SecurityHeader.SignatureSize``.
        offset: Where the field starts, in bytes from the beginning of the input.
        expected: What would have been read: a number of bytes, a value or a set of values.
        actual: What is there instead.
        limit: The field whose value bounds the bytes that may be read, ``"buffer"`` for the end of the
            input, or what a caller allows, such as ``"Limits.changes"``.
        source_path: Dotted path of the field that says what cannot be: the size, count or offset that reaches
            too far, or the size that ends before what it has to hold.  None where no number is to blame,
            such as in a cut-off packet whose sizes are not there or are right.
        source_offset: Where that field starts, in bytes from the beginning of the input; None likewise.
    """

    def __init__(
        self,
        problem: str,
        *,
        structure: str,
        path: str,
        offset: int,
        expected: object = None,
        actual: object = None,
        limit: str = "buffer",
        source_path: str | None = None,
        source_offset: int | None = None,
    ) -> None:
        self.problem = problem
        self.structure = structure
        self.path = path
        self.offset = offset
        self.expected = expected
        self.actual = actual
        self.limit = limit
        self.source_path = source_path
        self.source_offset = source_offset
        super().__init__(f"{problem} (limit: {limit}) - at `{path}`, byte {offset}")

    @property
    def requirement(self) -> str | None:
        """Id of the requirement that the bytes break; None where no document has one, or for a limit."""
        return requirement_of(self.problem, self.structure, self.path, self.limit, self.actual)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.problem, _facts(self))


def read_back(text: str, path: str, offset: int) -> DecodeError:
    """The error that a text was made of, where only its path and offset were kept beside the text."""
    said = text.removesuffix(f") - at `{path}`, byte {offset}")
    problem, _, limit = said.rpartition(" (limit: ")
    return DecodeError(problem, structure=path.partition(".")[0], path=path, offset=offset, limit=limit)


class EncodeError(MsmqWireError):
    """The caller's record, or the text that the caller gave, cannot be written.

    Attributes:
        problem: What is wrong, in words, without the place.
        structure: Name of the structure that holds the field.
        path: Dotted path of the field.
        expected: The type, range or length that the field has on the wire.
        actual: The value that was given.
    """

    def __init__(
        self, problem: str, *, structure: str, path: str, expected: object = None, actual: object = None
    ) -> None:
        self.problem = problem
        self.structure = structure
        self.path = path
        self.expected = expected
        self.actual = actual
        super().__init__(f"{problem} - at `{path}`")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.problem, _facts(self))


class ConformanceError(MsmqWireError):
    """The bytes can be read, but break a requirement of a document.

    Attributes:
        violations: What was found, each with the requirement's id, path, offset and message, and how many
            more there are.
    """

    def __init__(self, violations: Sequence[Any]) -> None:
        self.violations = violations if isinstance(violations, tuple) else tuple(violations)
        left_out = getattr(violations, "left_out", 0)
        more = [f"{left_out} more findings are left out"] * bool(left_out)
        super().__init__("; ".join([*map(str, self.violations), *more]))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.violations,)


_Error = TypeVar("_Error", DecodeError, EncodeError)


def shortened(value: object) -> str:
    """A value for a message: as Python writes it, but short, and for numbers of any size."""
    if isinstance(value, int) and not -(1 << 128) < value < 1 << 128:
        return f"a number of {value.bit_length()} bits"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def in_bytes(count: int) -> str:
    """A size for a message."""
    return "1 byte" if count == 1 else f"{count} bytes"


def elsewhere(error: _Error, **place: Any) -> _Error:
    """The same error, with another path or offset.

    A new one, because an error that was raised holds on to what raised it, and so to the bytes.
    """
    return type(error)(error.problem, **_facts(error) | place)


def moved(error: DecodeError, by: int) -> DecodeError:
    """The same error, where the input began so many bytes earlier."""
    source = error.source_offset
    return elsewhere(error, offset=error.offset + by, source_offset=None if source is None else source + by)


def _facts(error: DecodeError | EncodeError) -> dict[str, Any]:
    """What an error was made of, besides the problem."""
    names = (
        "structure",
        "path",
        "offset",
        "expected",
        "actual",
        "limit",
        "source_path",
        "source_offset",
    )
    return {name: getattr(error, name) for name in names if hasattr(error, name)}


def _rebuild(kind: type[Any], problem: str, facts: dict[str, Any]) -> Any:
    return kind(problem, **facts)
