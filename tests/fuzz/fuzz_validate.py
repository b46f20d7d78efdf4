"""Whatever decodes is judged, with places that exist, and strict decoding agrees."""

from __future__ import annotations

from harness import instrumented, main

with instrumented():
    from fuzz_records import ALONE

    import msmq_wire as mw
    from msmq_wire.records.record import Record

MODULES = ("checks.validation",)
HEAD = 1
"""One byte chooses the structure, or a packet; the bytes are after it."""


def KIND(head: bytes) -> str | None:
    """The structure that the first byte chooses; None for a packet."""
    return ALONE[head[0] % len(ALONE)].name if head[0] < 128 else None


def check(data: bytes) -> None:
    number, raw = data[0] if data else 0, data[HEAD:]
    try:
        if number < 128:
            record = Record.class_of(ALONE[number % len(ALONE)].name).decode(raw)
        else:
            record = mw.decode(raw)
    except mw.DecodeError:
        return
    found = mw.validate(record, "should")
    for violation in found:
        assert violation.requirement
        assert violation.path.partition(".")[0] == type(record).__name__
        assert 0 <= violation.offset <= len(raw)
        assert len(violation.message) < 2000
    broken = mw.validate(record)
    assert set(broken) <= set(found)
    if number >= 128:
        try:
            mw.decode(raw, strict=True)
        except mw.ConformanceError as error:
            assert broken
            assert error.violations == broken
        else:
            assert not broken


if __name__ == "__main__":
    main(__name__)
