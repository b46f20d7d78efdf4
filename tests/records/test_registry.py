"""Caches of the generated codec."""

from __future__ import annotations

import struct

import pytest

from msmq_wire.records.registry import CLASSES, DECODERS, ArrayMethods
from msmq_wire.values.limits import DEFAULT_LIMITS


def test_methods_of_arrays_are_cached_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attacker chooses the counts: those beyond the limit work, and are not kept."""
    monkeypatch.setattr(ArrayMethods, "LIMIT", 2)
    pack = ArrayMethods("pack", "I")
    for count in (1, 3, 2, 4, 3):
        assert pack[count](*range(count)) == struct.pack(f"<{count}I", *range(count))
    assert sorted(pack) == [1, 3]


def test_what_is_registered_is_found_by_its_name() -> None:
    """Classes and decoders by structure, sizes by class; what there is not is no key."""
    header = CLASSES["SessionHeader"]()
    data = header.encode()
    assert DECODERS["SessionHeader"](b"zz" + data, 2, 2 + len(data), DEFAULT_LIMITS) == (
        header,
        2 + len(data),
    )
    assert header._size() == len(data)
    element = CLASSES["MQDSPUBLICKEY"](aBuf=b"abc")
    decode = DECODERS["MQDSPUBLICKEY"]
    assert decode(element.encode(), 0, len(element.encode()), DEFAULT_LIMITS, 0)[0] == element
    for table in (CLASSES, DECODERS):
        with pytest.raises(KeyError):
            table["Nothing"]
    assert "SecurityData" in CLASSES
    with pytest.raises(KeyError):
        DECODERS["SecurityData"]  # its sizes are in the header around it


def test_few_classes_have_another_constructor() -> None:
    assert callable(CLASSES["UserMessage"].of)
    assert callable(CLASSES["NotificationBody"].of)
    assert not hasattr(CLASSES["BaseHeader"], "of")
