"""The problems for which a decoder rejects bytes, and the sentence about each.

1. `SENTENCES` has each sentence once, for the decoders and for the Wireshark dissector.  All have one form:
   the expected and the actual value.  Bytes after the end are only counted.
2. `say` returns a sentence with its problem, so that nobody needs to parse it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Problem(StrEnum):
    """Why bytes are rejected."""

    SHORT = "short"
    """Too few bytes remain for a field."""
    COUNT_SHORT = "count missing"
    """Too few bytes remain for the count of a value."""
    LEFT_OVER = "left over"
    """Bytes follow the end of a structure that has to fill its bounds."""
    UNTERMINATED = "unterminated"
    """A text has no terminator."""
    SIZE_ABOVE = "size above"
    """A size exceeds the available bytes."""
    PADDED_SIZE_ABOVE = "padded size above"
    """A size with its padding exceeds the available bytes."""
    SIZE_BELOW = "size below"
    """A size is too small for its contents."""
    COUNT_ABOVE = "count above"
    """A count exceeds the elements that fit into the available bytes."""
    ELEMENTS_ABOVE = "elements above"
    """The count of a value exceeds the elements that fit into the available bytes."""
    ODD = "odd"
    """A size in bytes of WCHARs is odd."""
    OFFSET = "offset"
    """An offset is not that of the field."""
    IDENTIFIER = "identifier"
    """A property identifier has no known type."""
    VARIANT_TYPE = "variant type"
    """A variant type is not one of the document."""
    EVENT = "event"
    """A text has no event where one is required."""
    OBJECT_GUID = "object guid"
    """A text has no GUID where one is required."""
    VALUE = "expected"
    """A field has another value than those with which the bytes can be read."""
    FLAG = "flag"
    """A flag is clear, although the header that it announces is present."""
    PROMISE = "promise"
    """A flag is set, although the header that it announces is missing."""
    LIMIT = "limit"
    """A limit of the caller is exceeded."""
    ALONE = "alone"
    """The structure cannot be decoded without the one around it."""
    OTHER = "other"
    """The error was made from a sentence of the caller's own."""


IDENTIFIER: Final = "a property identifier of [MS-MQMQ] 2.3 or one that was registered"
VARIANT_TYPE: Final = "a variant type of [MS-MQMQ] 2.2.12"
_EXPECTED: Final = "expected %s, found %s"
SENTENCES: Final[dict[Problem, str]] = {
    Problem.SHORT: _EXPECTED,
    Problem.COUNT_SHORT: "expected %s for its count, found %s",
    Problem.LEFT_OVER: "%s left over",
    Problem.UNTERMINATED: "expected a terminator at the end, found %s without one",
    Problem.SIZE_ABOVE: "expected a size of at most %s, found %s",
    Problem.PADDED_SIZE_ABOVE: "expected a size of at most %s, found %s (%s with padding)",
    Problem.SIZE_BELOW: "expected a size of at least %s, found %s",
    Problem.COUNT_ABOVE: "expected a count of at most %s, found %s",
    Problem.ELEMENTS_ABOVE: "expected elements that fit %s, found a count of %s",
    Problem.ODD: "expected an even number of bytes, found %s",
    Problem.OFFSET: "expected an offset of %s WCHARs, found %s",
    Problem.IDENTIFIER: f"expected {IDENTIFIER}, found %s",
    Problem.VARIANT_TYPE: f"expected {VARIANT_TYPE}, found %s",
    Problem.EVENT: _EXPECTED,
    Problem.OBJECT_GUID: _EXPECTED,
    Problem.VALUE: _EXPECTED,
    Problem.FLAG: _EXPECTED,
    Problem.PROMISE: _EXPECTED,
    Problem.LIMIT: "%s: expected at most %s, found %s",
    Problem.ALONE: "cannot be decoded alone, because its sizes are in the enclosing structure",
}
"""The sentences about rejected bytes; `say` replaces each ``%s`` with a fact."""


class Sentence(str):
    """A sentence about rejected bytes.

    Attributes:
        code: The problem.
    """

    __slots__ = ("code",)

    code: Problem


def say(problem: Problem, *facts: object) -> Sentence:
    """Return the sentence about a problem with its facts, in the order in which it has them."""
    sentence = Sentence(SENTENCES[problem] % facts)
    sentence.code = problem
    return sentence
