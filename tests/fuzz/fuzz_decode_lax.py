"""Whatever the bytes: what was understood of them, why it ends there, and the rest; nothing is lost."""

from __future__ import annotations

from harness import instrumented, main, one_verdict, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire.packets.packet import accept

MODULES = ("packets.packet",)
KIND = "packet"


def check(data: bytes) -> None:
    result = mw.decode_lax(data)
    assert data.endswith(result.rest)
    assert all(0 <= found.offset <= len(data) for found in mw.validate(result, "should"))
    if result.error is None:
        assert result.packet is not None
        assert mw.encode(result.packet) + result.rest == data
        assert all(getattr(result.packet, name) == part for name, part in result.headers.items())
    else:
        assert result.packet is None
        placed(result.error, data)
        for part in result.headers.values():
            mw.encode(part)
    fields = {**result.fields, **result.doubtful}
    assert len(fields) == len(result.fields) + len(result.doubtful)
    assert result.errors[:1] == (() if result.error is None else (result.error,))
    assert (result.reached is None) == (result.error is None)
    assert result.reached is None or 0 <= result.reached.offset <= len(data)
    if result.cut and result.reached:
        # A part may be broken before the one that is cut off: its own error is one more.  Bytes that do not
        # begin with the mark of a packet have no other error.
        assert result.reached.offset <= result.cut.offset
        no_packet = result.reached.path in {"BaseHeader.VersionNumber", "BaseHeader.Signature"}
        assert no_packet or len(result.errors) > 1 or result.cut.path == result.reached.path
        assert result.cut.offset + result.cut.size == len(data)
    part = mw.decode_lax(data[: len(data) * 2 // 3])
    if result.packet is not None and part.packet is None and not part.doubtful:
        assert list(part.fields.items()) == list(fields.items())[: len(part.fields)]
    assert all(0 <= place.offset < len(data) for place in mw.carve(data, inside=True))
    mw.to_dict(result)
    few = mw.Limits(packet_size=200, string_length=8, elements=2)
    small = mw.decode_lax(data, limits=few)
    assert small.error is None or small.packet is None
    assert accept(data, few) == (None if small.rest else small.packet)
    try:
        packet = mw.decode(data)
    except mw.DecodeError as error:
        assert result.error is not None or result.rest
        if result.error is not None:
            one_verdict(error, result.error)
    else:
        assert (packet, result.error, result.rest) == (result.packet, None, b"")
        try:
            assert mw.decode(data, strict=True) == packet
        except mw.ConformanceError as error:
            assert error.violations


if __name__ == "__main__":
    main(__name__)
