"""Fuzz a reader of packets with atheris; here the reader is this library.

``python docs/examples/fuzz_atheris.py corpus -max_total_time=60``: the options are those of libFuzzer.  Seeds
are written to the folder, and the dictionary beside it.
"""  # noqa: INP001  # a script, not a package

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["msmq_wire"]):
    import msmq_wire as mw

    mw.preload()  # names are imported on first use, and what is imported later is not instrumented

from msmq_wire import testing as mt

STRUCTURED = 16
"""One mutation in so many knows the structure of packets; those of atheris are faster."""

_mutate = mt.custom_mutator()


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Mutate an input, now and then with regard to its structure."""
    if seed % STRUCTURED:
        return bytes(atheris.Mutate(data, max_size))
    return _mutate(data, max_size, seed)


def target(data: bytes) -> None:
    """What can be decoded encodes to the same bytes; put your own reader here."""
    result = mw.decode_lax(data)
    if result.packet is not None:
        assert mw.encode(result.packet) + result.rest == data  # noqa: S101  # atheris reports any exception


def main() -> None:
    """Write the seeds, and fuzz until told to stop."""
    folder = next((Path(word) for word in sys.argv[1:] if not word.startswith("-")), Path("corpus"))
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(mt.seed_corpus(count=50)):
        (folder / f"seed{number}").write_bytes(seed)
    words = folder.with_name(f"{folder.name}.dict")
    words.write_text(mt.dictionary(), encoding="ascii")
    options = [f"-dict={words}", *sys.argv[1:]]
    if str(folder) not in sys.argv:
        options.append(str(folder))
    atheris.Setup([sys.argv[0], *options], target, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
