"""Any bytes are a packet that encodes to the same bytes, or are refused with structure, path and offset."""

from __future__ import annotations

from harness import instrumented, main, placed

with instrumented():
    import msmq_wire as mw

MODULES = ("packets",)
"""Both readers of packets are in one module; what is `decode_lax`'s of it, the other target covers."""
KIND = "packet"


def check(data: bytes) -> None:
    try:
        packet = mw.decode(data)
    except mw.DecodeError as error:
        placed(error, data)
        return
    assert mw.encode(packet) == data


if __name__ == "__main__":
    main(__name__)
