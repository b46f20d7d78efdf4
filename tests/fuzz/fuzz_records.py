"""Any bytes are a structure that encodes to the same bytes, or are refused; both readers agree."""

from __future__ import annotations

from harness import instrumented, main, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire import mqcn, mqdsrp
    from msmq_wire.documents.layouts import structures
    from msmq_wire.records.record import Record, diagnostic_reader

MODULES = ("records.diagnostic_reader", "records.cursors", "values.wchar")
HEAD = 1
"""One byte chooses the structure; its bytes are after it."""
LOADED = (mqcn, mqdsrp)  # their structures are known once they are imported
ALONE = tuple(structure for structure in structures().values() if not structure.scoped)


def KIND(head: bytes) -> str:
    """The structure that the first byte chooses."""
    return ALONE[head[0] % len(ALONE)].name


def check(data: bytes) -> None:
    structure = ALONE[data[0] % len(ALONE)] if data else ALONE[0]
    raw = data[HEAD:]
    slow: object
    try:
        slow, end = diagnostic_reader(raw).read(structure, 0, len(raw))
    except mw.DecodeError as error:
        placed(error, raw)
        slow, end = str(error), len(raw)
    try:
        record = Record.class_of(structure.name).decode(raw)
    except mw.DecodeError as error:
        placed(error, raw)
        assert isinstance(slow, str) or end < len(raw)
        if error.source_path is None:  # otherwise it may name the number that lies
            assert slow == str(error) or end < len(raw)
        return
    assert slow == record
    assert end == len(raw)
    assert record.encode() == raw
    assert hash(record) == hash(slow)
    assert len(repr(record)) < 1000 + 100 * len(raw)


if __name__ == "__main__":
    main(__name__)
