"""Read as a row of an array or alone, any bytes are the same packet, or refused in the same words."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from harness import accident, instrumented, main

with instrumented():
    import msmq_wire as mw
    from msmq_wire import arrow, mqdsrp
    from msmq_wire.arrow._reading import lists as _lists

import pyarrow as pa

MODULES = (
    "arrow",
    "arrow._rows",
    "arrow._filling.columns",
    "arrow._encode",
    "arrow._reading.lists",
    "arrow._filling.nested",
)
KIND = None
HEAD = 1
"""One byte chooses what to read; the rows, each with its length in two bytes, are after it."""


_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"text": "utf8"},
    {"spark": True},
    {"spark": True, "text": "utf8"},
)
_COLUMNS = ("UserHeader", "DirectoryChanges", "BaseHeader.Flags.PR", "NoSuchColumn")


def check(data: bytes) -> None:
    # There are few rows here, and their lists are to be read at once all the same.
    with patch.object(_lists, "FEWEST", 1):
        _check(data)


def _check(data: bytes) -> None:
    directory, choice = data[:1] > b"\x7f", data[0] & 0x7F if data else 0
    rows = _rows(data[HEAD:])
    read = mqdsrp.decode if directory else mw.decode
    decode = arrow.decode_directory if directory else arrow.decode_packets
    encode = arrow.encode_directory if directory else arrow.encode_packets
    array = pa.array(rows, pa.binary())
    found = decode(array)
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
    known = [raw if error is None else None for raw, error in zip(rows, errors, strict=True)]
    assert encode(found).to_pylist() == known
    chunked = pa.chunked_array([array[:1], array[1:]], pa.binary())
    assert decode(chunked).equals(found)
    assert encode(pa.chunked_array([found[:1], found[1:]], found.type)).to_pylist() == known
    _otherwise(directory, array, choice)
    _bent(encode, found, choice)


def _otherwise(directory: bool, array: pa.Array, choice: int) -> None:
    """In other types, and with fewer columns, it is what its type says, with the same verdicts."""
    decode = arrow.decode_directory if directory else arrow.decode_packets
    kind = arrow.directory_type if directory else arrow.packet_type
    options = _OPTIONS[choice & 3]
    whole = decode(array, **options)
    assert whole.type == kind(**options)
    encode = arrow.encode_directory if directory else arrow.encode_packets
    written, exact = encode(whole), encode(decode(array))
    if options.get("text") == "utf8":
        assert written.is_valid().equals(exact.is_valid())  # UTF-8 cannot say every text of the wire
    else:
        assert written.equals(exact)
    few = mw.Limits(packet_size=64 + choice)
    strict = decode(array, limits=few, **options).field("error").to_pylist()
    for error, other in zip(strict, whole.field("error").to_pylist(), strict=True):
        assert error == other or error["limit"] == "Limits.packet_size"
    wanted = [_COLUMNS[choice >> 2 & 3]]
    try:
        some = decode(array, columns=wanted, **options)
    except mw.MsmqWireError as error:
        assert "column" in str(error)
    else:
        assert some.type == kind(wanted, **options)
        assert some.field("error").equals(whole.field("error"))


def _bent(encode: Any, found: pa.StructArray, choice: int) -> None:
    """Columns that were lost or hold something else are computed, or refused."""
    names = [field.name for field in found.type]
    columns = dict(zip(names, found.flatten(), strict=True))
    victim = names[choice % len(names)]
    bent = dict(columns)
    if choice & 0x60 == 0x60:
        bent[victim] = _spoiled(columns[victim], choice >> 3 & 3)
    elif choice & 0x40:
        bent[victim] = pa.nulls(len(found), bent[victim].type)
    elif choice & 0x20:
        del bent[victim]
    else:
        bent["kind"] = columns["kind"].take(pa.array(range(len(found) - 1, -1, -1), pa.int32()))
    struct = pa.StructArray.from_arrays(list(bent.values()), list(bent))
    try:
        encode(columns)
    except mw.MsmqWireError as error:
        assert "expected an Arrow array" in str(error)
    else:
        raise AssertionError(columns)
    try:
        raw = encode(struct)
    except mw.EncodeError as error:
        assert error.problem.startswith("row ")
        accident(error)
    except mw.MsmqWireError as error:
        assert "kind" in str(error)
    else:
        assert len(raw) == len(found)


def _spoiled(array: pa.Array, way: int) -> pa.Array:
    """Structures with numbers that fit no field, or with some fields of each lost."""
    if pa.types.is_struct(array.type):
        names = [field.name for field in array.type]
        children = [
            pa.nulls(len(child), child.type) if way > 1 and number % 2 == way & 1 else _spoiled(child, way)
            for number, child in enumerate(array.flatten())
        ]
        return pa.StructArray.from_arrays(children, names, mask=array.is_null())
    if way < 2 and pa.types.is_integer(array.type):
        return pa.array([(1 << 40) - way] * len(array), pa.int64())
    return array


def _rows(data: bytes) -> list[bytes]:
    found: list[bytes] = []
    while len(data) >= 2 and len(found) < 16:
        size = int.from_bytes(data[:2], "little")
        found.append(data[2 : 2 + size])
        data = data[2 + size :]
    return found


if __name__ == "__main__":
    main(__name__)
