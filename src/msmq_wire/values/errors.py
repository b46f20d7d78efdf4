"""Exceptions; the class states whether the sender or the caller is at fault.

1. Every exception that the library raises on purpose is a `MsmqWireError`, which is a `ValueError`.
2. `DecodeError`: the bytes cannot be read.  The sender's fault, or the capture's.
3. `EncodeError`: the caller's record cannot be written.  The caller's fault.
4. `ConformanceError`: the bytes were read, but a document forbids them.
5. Each fact in a message is also an attribute, so programs need not parse the text.
6. A decoder only rejects bytes.  What is wrong with them is located when a fact of its error is first read.
"""

from __future__ import annotations

import pickle
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakSet

from .hooks import requirement_of
from .refusals import Problem, Sentence, say

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from types import UnionType
    from typing import Any

_SHOWN = 120
_FACTS = (
    *("problem", "code", "structure", "path", "offset", "expected", "actual", "limit"),
    *("source_path", "source_offset"),
)
"""The facts of an error, the problem first."""
_GOT = "expected {}, got {}"
WITHOUT_NULL = "text without null characters"


class MsmqWireError(ValueError):
    """The base of every error that this library raises on purpose."""


class WrongTypeError(MsmqWireError, TypeError):
    """An argument of a call has the wrong type; this is a `TypeError` too."""


class DecodeError(MsmqWireError):
    """The bytes cannot be decoded as the requested structure.

    Attributes:
        code: The problem, as a member of `Problem`.
        problem: Description of the problem, without its location.
        structure: Name of the innermost structure being decoded, as in the document.
        path: Dotted path of the field from the outermost structure, such as
            ``UserMessage.SecurityHeader.SignatureSize``.
        offset: Offset of the field, in bytes from the beginning of the input.
        expected: The expected value: a number of bytes, a value or a set of values.
        actual: The value that was found instead.
        limit: The field that bounds the readable bytes, ``"buffer"`` for the end of the input, or a limit of
            the caller, such as ``"Limits.changes"``.
        source_path: Dotted path of the field with the wrong value: a size, count or offset that reaches too
            far, a size that is too small for its contents, an unknown identifier, or a flag whose header is
            missing.  None if no number is wrong, as in a truncated packet whose sizes are missing or correct.
        source_offset: Offset of that field, in bytes from the beginning of the input; None likewise.
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
        code: Problem | None = None,
    ) -> None:
        """Create the error; the problem follows from a sentence of `say`, or is given as `code`."""
        default_code = problem.code if isinstance(problem, Sentence) else Problem.OTHER
        self.code = default_code if code is None else code
        self.problem = str(problem)
        self.structure = structure
        self.path = path
        self.offset = offset
        self.expected = expected
        self.actual = actual
        self.limit = limit
        self.source_path = source_path
        self.source_offset = source_offset

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A fact of an error that `deferred` made; all are computed when the first one is read."""
            facts = vars(self)
            locate = facts.get("_locate")
            if name in _FACTS and locate is not None:
                error = locate()
                facts.update({fact: getattr(error, fact) for fact in _FACTS})
                facts.pop("_locate", None)
            if name not in facts:
                raise AttributeError(f"{type(self).__name__} has no attribute {name}", name=name, obj=self)
            return facts[name]

        @property
        def args(self) -> tuple[str]:
            """The message, as of every exception."""
            return (str(self),)

    def __str__(self) -> str:
        return f"{self.problem} (limit: {self.limit}) - at `{self.path}`, byte {self.offset}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    @property
    def requirement(self) -> str | None:
        """Id of the requirement that the bytes violate; None if no document states one, or for a limit."""
        requirement: str | None = requirement_of(self)
        return requirement

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.problem, _facts(self) | {"actual": portable(self.actual)})


class EncodeError(MsmqWireError):
    """The caller's record cannot be encoded, or the caller's text cannot be parsed.

    Attributes:
        problem: Description of the problem, without its location.
        structure: Name of the structure that holds the field.
        path: Dotted path of the field.
        expected: The type, range or length of the field on the wire.
        actual: The given value.
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
        return _rebuild, (type(self), self.problem, _facts(self) | {"actual": portable(self.actual)})


class ConformanceError(MsmqWireError):
    """The bytes can be decoded, but violate a requirement of a document.

    Attributes:
        violations: The violations, each with the id of the requirement, path, offset and message;
            ``violations.left_out`` is the number of omitted ones.
    """

    def __init__(self, violations: Sequence[Any]) -> None:
        self.violations = violations if isinstance(violations, tuple) else tuple(violations)
        left_out = getattr(violations, "left_out", 0)
        more = [f"{left_out} more {plural(left_out, 'violation')} omitted"] * bool(left_out)
        super().__init__("; ".join([*map(str, self.violations), *more]))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.violations,)


_Error = TypeVar("_Error", DecodeError, EncodeError)


def shortened(value: object) -> str:
    """Format a value for a message: its repr, shortened; also for huge integers."""
    if isinstance(value, int) and not -(1 << 128) < value < 1 << 128:
        return f"a number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  # a caller's object may raise any, and deep nesting RecursionError
        return f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def plural(count: object, word: str, words: str = "") -> str:
    """Return a word that goes with a number: ``byte`` or ``bytes``, ``was`` or ``were``."""
    return word if count == 1 else words or f"{word}s"


def in_bytes(count: int) -> str:
    """Format a size for a message."""
    return f"{count} {plural(count, 'byte')}"


def wrong_type(expected: object, given: object) -> str:
    """Return the sentence about an argument of the wrong type."""
    return _GOT.format(expected, type(given).__name__)


def wrong_value(expected: object, given: object) -> str:
    """Return the sentence about an argument with a wrong value."""
    return _GOT.format(expected, shortened(given))


def need(
    name: str, value: object, kind: type[Any] | UnionType | tuple[type[Any], ...], expected: str
) -> None:
    """Raise an error for an argument of a call that has the wrong type.

    Raises:
        WrongTypeError: The value is not of this type.
    """
    if not isinstance(value, kind):
        raise WrongTypeError(f"{name}: {wrong_type(expected, value)}")


def need_count(name: str, value: object) -> None:
    """Raise an error unless an argument of a call is an integer that is not negative.

    Raises:
        WrongTypeError: The value is not an integer.
        MsmqWireError: The value is negative.
    """
    need(name, value, int, "a number")
    if value < 0:  # type: ignore[operator]  # it is a number
        raise MsmqWireError(f"{name} is {shortened(value)}, which is not a count")


def need_one_of(name: str, value: object, allowed: Collection[str]) -> None:
    """Raise an error unless an argument of a call is one of the known words.

    Raises:
        MsmqWireError: The value is not one of them.
    """
    if not isinstance(value, str) or value not in allowed:
        raise MsmqWireError(f"{name} is {shortened(value)}, not one of {', '.join(map(repr, allowed))}")


def need_within(name: str, value: object, low: float, high: float, expected: str) -> None:
    """Raise an error unless an argument of a call is a number within bounds; NaN is rejected.

    Raises:
        WrongTypeError: The value is not a number.
        MsmqWireError: The value is out of bounds.
    """
    need(name, value, (int, float), "a number")
    if not low <= value <= high:  # type: ignore[operator]  # it is a number
        raise MsmqWireError(f"{name} is {shortened(value)}, not {expected}")


def null_character(given: str) -> str:
    """Return the sentence about a text that its null character would terminate."""
    return _GOT.format(WITHOUT_NULL, f"one at {given.index(chr(0))}")


def left_over(name: str, pos: int, end: int) -> DecodeError:
    """The error for bytes after a structure that should fill its buffer."""
    return DecodeError(
        say(Problem.LEFT_OVER, in_bytes(end - pos)),
        structure=name,
        path=name,
        offset=pos,
        expected=0,
        actual=end - pos,
    )


_UNLOCATED: WeakSet[DecodeError] = WeakSet()
"""The errors that the types of properties decide, until these change."""


def deferred(locate: Callable[[], DecodeError], *, of_properties: bool = False) -> DecodeError:
    """An error whose facts, those of the error that `locate` returns, are computed when one is first read.

    It refers to what `locate` refers to until then.

    Args:
        locate: Returns the error.
        of_properties: Whether it depends on the registered types of properties.  Then it is located before
            these change.
    """
    error = DecodeError.__new__(DecodeError)
    error.__dict__["_locate"] = locate
    if of_properties:
        _UNLOCATED.add(error)
    return error


def locate_errors() -> None:
    """Locate all errors that the types of properties decide, because these are about to change."""
    with suppress(KeyError):  # there is none
        while True:
            _ = _UNLOCATED.pop().code


def kept(error: DecodeError) -> DecodeError:
    """Drop traceback and context, so that a stored error does not keep the frames of its callers alive."""
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)


def elsewhere(error: _Error, **location: Any) -> _Error:
    """Copy an error with another path or offset.

    A copy, because a raised error holds references to the frames that raised it, and so to the bytes.
    """
    return type(error)(error.problem, **_facts(error) | location)


def explained(error: DecodeError, meaning: str) -> DecodeError:
    """Copy an error, with an explanation."""
    return DecodeError(f"{error.problem}; {meaning}", **_facts(error))


def moved(error: DecodeError, by: int) -> DecodeError:
    """Copy an error, with its offsets increased by a number of bytes."""
    source = error.source_offset
    return elsewhere(error, offset=error.offset + by, source_offset=None if source is None else source + by)


def _facts(error: DecodeError | EncodeError) -> dict[str, Any]:
    """The arguments of an error, except the problem."""
    return {name: getattr(error, name) for name in _FACTS[1:] if hasattr(error, name)}


def portable(actual: object) -> object:
    """A value of the caller for a pickled error: a value that cannot be pickled becomes text."""
    if not isinstance(actual, str | bytes | int | None):
        try:
            pickle.dumps(actual)
        except Exception:  # noqa: BLE001  # each type raises its own
            return shortened(actual)
    return actual


def _rebuild(kind: type[Any], problem: str, facts: dict[str, Any]) -> Any:
    return kind(problem, **facts)
