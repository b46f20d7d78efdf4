"""Any bytes are a packet that encodes to the same bytes, or are refused with their place, by every reader."""

from __future__ import annotations

from harness import instrumented, main, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire.packets.packet import accept
    from msmq_wire.values.limits import DEFAULT_LIMITS

MODULES = ("packets.packet",)
KIND = "packet"


def check(data: bytes) -> None:
    accepted = accept(data, DEFAULT_LIMITS)
    try:
        packet = mw.decode(data)
    except mw.DecodeError as error:
        placed(error, data)
        lax = mw.decode_lax(data)
        assert lax.error is not None or lax.rest
        assert accepted is None
        return
    assert accepted == packet
    assert mw.encode(packet) == data
    try:
        assert mw.decode(data, strict=True) == packet
    except mw.ConformanceError as error:
        assert error.violations


if __name__ == "__main__":
    main(__name__)
