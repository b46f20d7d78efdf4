"""WCHARs: texts of units of 16 bits, which need not be valid Unicode."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msmq_wire.values.wchar import find_terminator, from_wchars, to_wchars, wchar_count

UNITS = st.lists(st.sampled_from([0, 1, 0x61, 0x100, 0xD83D, 0xDE00, 0xFFFF]) | st.integers(0, 0xFFFF))


@given(units=UNITS)
def test_any_units_are_a_text(units: list[int]) -> None:
    """Halves of a character are kept, also at the end."""
    raw = b"".join(unit.to_bytes(2, "little") for unit in units)
    text = from_wchars(raw)
    assert to_wchars(text) == raw
    assert wchar_count(text) == len(units)


@given(units=UNITS, before=st.binary(max_size=3), after=st.binary(min_size=1, max_size=3), odd=st.booleans())
@example(units=[0x61], before=b"", after=b"\0", odd=True)
@example(units=[0x61], before=b"", after=b"\0\0", odd=True)
@example(units=[0x61, 0x100, 0x61], before=b"", after=b"\0", odd=True)
def test_the_terminator_is_the_first_unit_of_zero(
    units: list[int], before: bytes, after: bytes, odd: bool
) -> None:
    """Whatever is around it, and whether half of a unit follows."""
    raw = b"".join(unit.to_bytes(2, "little") for unit in units)
    start = len(before)
    found = find_terminator(before + raw + after, start, start + len(raw) + odd)
    assert found == start + 2 * units.index(0) if 0 in units else found < 0


@pytest.mark.parametrize("unit", ["\u0100", "a", "\u6100"])
def test_terminators_after_texts_of_any_length(unit: str) -> None:
    """Two zeros in different units are no terminator."""
    for length in (*range(300), 1000, 5000):
        raw = ("a\u0100" + unit * length).encode("utf-16-le")
        assert find_terminator(raw + bytes(2), 0, len(raw) + 2) == len(raw)
        assert find_terminator(raw, 0, len(raw)) < 0
