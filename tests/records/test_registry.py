"""Caches of the generated codec."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from msmq_wire.records.registry import ArrayMethods

if TYPE_CHECKING:
    import pytest


def test_methods_of_arrays_are_cached_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attacker chooses the counts: those beyond the limit work, and are not kept."""
    monkeypatch.setattr(ArrayMethods, "LIMIT", 2)
    pack = ArrayMethods("pack", "I")
    for count in (1, 3, 2, 4, 3):
        assert pack[count](*range(count)) == struct.pack(f"<{count}I", *range(count))
    assert sorted(pack) == [1, 3]
