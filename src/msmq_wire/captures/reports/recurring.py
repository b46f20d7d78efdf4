"""Explanations as short JSON: most of their lines are those of another packet, in the same order.

1. A line is a head and a tail.  The head is the distance of its offset from the one before, a tab, and its
   bytes; the tail is its field, a tab, its value and meaning.  The columns begin at other positions in each
   text: three numbers before the lines state them, and the spaces between columns are omitted.
2. After a tail, the line is expected that followed it last time.  An item is 0 for the expected line, a text
   for another head, or a pair of head and tail, where a known tail is its number.
3. The script of the page reverses this, text by text.
"""

from __future__ import annotations

import json
from typing import Any, Final

_COLUMNS: Final = ("bytes", "field", "value")


class Recurring:
    """Encodes explanations, one after the other."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._next: dict[int, tuple[str, int]] = {}

    def encoded(self, text: str) -> str:
        """Return an explanation as one line of JSON."""
        lines = text.split("\n")
        start, field, value = map(lines[0].find, _COLUMNS)
        items: list[Any] = [start, field, value]
        before, at = -1, 0
        for line in lines:
            location = line[:start].rstrip()
            digits = location.partition(" ")[2]
            if digits.strip().isdecimal():
                at, location = int(digits), str(int(digits) - at)
            head = f"{location}\t{line[start:field].rstrip()}"
            tail = f"{line[field:value].rstrip()}\t{line[value:]}"
            expected = self._next.get(before, ("", -1))
            number = self._numbers.get(tail)
            if number is None:
                number = self._numbers[tail] = len(self._numbers)
                items.append([head, tail])
            elif (head, number) == expected:
                items.append(0)
            else:
                items.append(head if number == expected[1] else [head, number])
            self._next[before] = head, number
            before = number
        return json.dumps(items, separators=(",", ":"))
