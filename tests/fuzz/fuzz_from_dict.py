"""Any JSON value is a record that comes back from its dictionary, or is refused with the path."""

from __future__ import annotations

import json
from typing import Any

from harness import accident, instrumented, main

with instrumented():
    import msmq_wire as mw
    from msmq_wire import mqcn, mqdsrp
    from msmq_wire.documents.layouts import structures
    from msmq_wire.records.model import Flags

MODULES = ("views.plain",)
KIND = None
LOADED = (mqcn, mqdsrp)  # their structures are known once they are imported
NAMES = tuple(structures())
KEYS = sorted(
    {field.name for structure in structures().values() for field in structure.fields}
    | {
        group.name
        for structure in structures().values()
        for field in structure.fields
        if isinstance(field.kind, Flags)
        for group in field.kind.groups
    }
    | {"vt", "value", "$structure"}
)
TEXTS = (
    "",
    "00",
    "6b0f",
    "QM Ordering Ack\0",
    "60a7e1c1-1a3b-4b5c-8d9e-0f1a2b3c4d5e",
    "OS:a\\b",
    "\ud800",
    *NAMES,
)
_DEPTH = 12


def check(data: bytes) -> None:
    plain, kind = _json(data[1:]) if data[:1] == b"j" else _built(data)
    try:
        record = mw.from_dict(plain, kind)
    except mw.EncodeError as error:
        accident(error)
        return
    assert mw.from_dict(mw.to_dict(record), type(record)) == record
    assert mw.from_dict(mw.to_dict(record)) == record or kind is not None
    raw = mw.encode(record)
    assert raw == mw.encode(mw.from_dict(json.loads(json.dumps(mw.to_dict(record))), type(record)))


def _json(text: bytes) -> tuple[Any, None]:
    try:
        return json.loads(text), None
    except (ValueError, RecursionError):
        return None, None


def _built(data: bytes) -> tuple[Any, str | None]:
    """A value and a kind out of any bytes, so that a fuzzer need not learn how JSON is written."""
    rest = iter(data)
    kind = next(rest, 0)
    return _value(rest, 0), NAMES[kind % len(NAMES)] if kind < 128 else None


def _value(rest: Any, depth: int) -> Any:
    choice, number = next(rest, 0), next(rest, 0)
    match choice % 8 if depth < _DEPTH else choice % 4:
        case 0:
            return None
        case 1:
            return number << choice // 8
        case 2:
            return TEXTS[number % len(TEXTS)]
        case 3:
            return (True, 1.5, -1, [], {}, 1 << 70, "zz", 65001)[number % 8]
        case 4:
            return [_value(rest, depth + 1) for _ in range(number % 8)]
        case _:
            keys = [KEYS[(next(rest, 0) << 8 | next(rest, 0)) % len(KEYS)] for _ in range(number % 16)]
            return {key: _value(rest, depth + 1) for key in keys}


if __name__ == "__main__":
    main(__name__)
