"""What a record's maker left out, and how it is filled in later.

1. A number or padding that only an enclosing record can know is marked by its type.
2. A flags word remembers which groups were given; the others may still be set.
"""

from __future__ import annotations

from typing import Any

__all__ = ["LeftOut", "LeftOutBytes", "changed", "fill", "loosened", "with_group"]


class LeftOut(int):
    """A number that its maker left out and that an enclosing record computes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return LeftOut, (int(self),)


class LeftOutBytes(bytes):
    """Bytes that their maker left out and that an enclosing record computes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return LeftOutBytes, (bytes(self),)


def with_group(word: Any, group: str, value: int, *, keep: bool) -> Any:
    """The flags word with a group set, unless its maker gave that group."""
    mask = word.kind.group(group).mask
    if type(word) is not word.partial or word.given & mask:
        return word
    shifted = value * (mask & -mask)
    return word._partial(int(word) & ~mask | shifted, word.given | (mask if keep else 0))  # noqa: SLF001


def changed(record: Any, changes: dict[str, Any]) -> Any:
    values = [changes.get(field.name, getattr(record, field.name)) for field in record.layout.fields]
    return type(record).raw(*values)


def fill(record: Any, changes: dict[str, Any]) -> Any:
    """A part with what it left to the whole; its flags are settled by this."""
    made: dict[str, Any] = {}
    for path, value in changes.items():
        name, _, group = path.partition(".")
        present = made.get(name, getattr(record, name))
        if group:
            made[name] = with_group(present, group, value, keep=True)
        elif type(present) is LeftOut and value is not None:
            made[name] = int(value)
    for name, kind in type(record).flags.items():
        word = made.get(name, getattr(record, name))
        if type(word) is kind.partial:
            made[name] = kind.seen[int(word)]
    return changed(record, made) if made else record


def loosened(word: Any, mask: int) -> Any:
    if not mask:
        return word
    kind = word.whole()
    given = word.given if type(word) is kind.partial else (1 << kind.kind.size * 8) - 1
    return kind._partial(int(word), given & ~mask)  # noqa: SLF001
