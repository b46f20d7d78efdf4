"""Types for values that the caller omitted and an enclosing record fills in later.

1. A number or padding that only an enclosing record can compute is marked by its type.
2. A flags word stores which groups were given; the others can still be set.
"""

from __future__ import annotations

from typing import Any


class Omitted(int):
    """A number that the caller omitted and an enclosing record computes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Omitted, (int(self),)


class KeptText(str):
    """A text that keeps its value while a record is rebuilt with other fields changed."""

    __slots__ = ()


class OmittedBytes(bytes):
    """Bytes that the caller omitted and an enclosing record computes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return OmittedBytes, (bytes(self),)


def changed(record: Any, changes: dict[str, Any]) -> Any:
    values = [changes.get(field.name, getattr(record, field.name)) for field in record.layout.fields]
    return type(record).raw(*values)


def loosened(word: Any, mask: int) -> Any:
    if not mask:
        return word
    kind = word.whole()
    given = word.given if type(word) is kind.partial else ~0
    return kind._partial(int(word), given & ~mask)
