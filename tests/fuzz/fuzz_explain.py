"""Any bytes are explained in bounded lines of printable ASCII, with the error that decode has."""

from __future__ import annotations

from harness import instrumented, main

with instrumented():
    from fuzz_records import ALONE

    import msmq_wire as mw
    from msmq_wire.records.record import Record

MODULES = ("views.explanation", "views.meanings", "views.texts")
HEAD = 1
"""One byte chooses the structure, or none; the bytes are after it."""


def KIND(head: bytes) -> str | None:
    """The structure that the first byte chooses; None for a packet."""
    return ALONE[head[0] % len(ALONE)].name if head[0] < 128 else None


def check(data: bytes) -> None:
    number, raw = data[0] if data else 0, data[HEAD:]
    structure = ALONE[number % len(ALONE)] if number < 128 else None
    text = mw.explain(raw, structure.name if structure else None)
    lines = text.split("\n")
    assert text.isascii()
    assert all(line.isprintable() and line == line.rstrip() for line in lines)
    assert len(lines) < 400 + len(raw) // 4
    assert len(text) < 40_000 + 80 * len(raw)
    if structure is not None:
        try:
            record = Record.class_of(structure.name).decode(raw)
        except mw.DecodeError:
            return
        assert mw.explain(record) == text
    if structure is None and raw[2:4] != b"\x48\x55":
        result = mw.decode_lax(raw)
        assert lines[-1].startswith("error: ") == (result.error is not None)
        if result.packet is not None and not result.rest:
            assert mw.explain(result.packet) == text


if __name__ == "__main__":
    main(__name__)
