"""Any bytes are a value of the type that they are said to be and encode to the same bytes, or are refused."""

from __future__ import annotations

from harness import accident, instrumented, main, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire import PropertyValue
    from msmq_wire.property_values import READERS

MODULES = ("property_values",)
KIND = None
HEAD = 1
"""So many bytes choose the type; the value is behind them."""
TYPES = (*sorted(READERS), 0x9999)


def check(data: bytes) -> None:
    if not data:
        return
    vt, raw = TYPES[data[0] % len(TYPES)], data[HEAD:]
    try:
        value = PropertyValue.decode(vt, raw)
    except mw.DecodeError as error:
        placed(error, raw)
        return
    assert value.vt == vt
    assert value.encode() == raw
    try:
        PropertyValue.of(TYPES[len(raw) % len(TYPES)], value.natural)
    except mw.EncodeError as error:
        accident(error)  # it is of another type
    try:
        again = PropertyValue.of(vt, value.natural)
    except mw.EncodeError as error:
        accident(error)  # a VT_BOOL of another pattern than its two is no bool
    else:
        assert again.natural == value.natural


if __name__ == "__main__":
    main(__name__)
