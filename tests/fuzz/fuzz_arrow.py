"""Read as a row of an array or alone, any bytes are the same packet, or refused in the same words."""

from __future__ import annotations

from harness import instrumented, main

with instrumented():
    import msmq_wire as mw
    from msmq_wire import arrow, mqdsrp

import pyarrow as pa

MODULES = ("arrow", "arrow._rows", "arrow._columns", "arrow._encode")
KIND = None
HEAD = 1
"""One byte chooses what to read; the rows, each with its length in two bytes, are behind it."""


def check(data: bytes) -> None:
    directory = data[:1] > b"\x7f"
    rows = _rows(data[HEAD:])
    read = mqdsrp.decode if directory else mw.decode
    array = pa.array(rows, pa.binary())
    found = arrow.decode_directory(array) if directory else arrow.decode_packets(array)
    assert len(found) == len(rows)
    errors = found.field("error").to_pylist()
    kinds = found.field("kind").to_pylist()
    for raw, error, kind in zip(rows, errors, kinds, strict=True):
        try:
            packet = read(raw)
        except mw.DecodeError as refusal:
            assert error is not None
            assert error["message"] == str(refusal)
            assert (error["structure"], error["path"]) == (refusal.structure, refusal.path)
        else:
            assert error is None
            assert kind == type(packet).__name__
    whole = [raw for raw, error in zip(rows, errors, strict=True) if error is None]
    array = pa.array(whole, pa.binary())
    if directory:
        assert arrow.encode_directory(arrow.decode_directory(array)).to_pylist() == whole
    else:
        assert arrow.encode_packets(arrow.decode_packets(array)).to_pylist() == whole


def _rows(data: bytes) -> list[bytes]:
    found: list[bytes] = []
    while len(data) >= 2 and len(found) < 16:
        size = int.from_bytes(data[:2], "little")
        found.append(data[2 : 2 + size])
        data = data[2 + size :]
    return found


if __name__ == "__main__":
    main(__name__)
