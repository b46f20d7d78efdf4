"""The invariants of the fuzz targets, driven by Hypothesis: on any bytes, on seeds, and on mutants of seeds.

What a fuzzer has found is in `FOUND`, so that it is never lost again.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seeds import TARGETS, seeds, target, write
from support_examples import share

from msmq_wire.testing import mutate

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
SHORT_ROWS = (
    "00200010000b004c494f5220000000ffffffff00000300c0d40100204e000000000100200010000b0002494f"
    "5220000000ffffffff00000300d8050000c0d400000000ec00200010000b004c494f52000000000001000000"
    "000200000042000011121314151617ff00000300f4010000204e000000004000200010000b004c494f522000"
    "0000ffffff0000001300c0d40100c0010000004000"
)
TWO_VERDICTS = (
    "100013004c494f52c8000000ffffffff0000000000000000000000000000000000000000000000000000000000000000"
    "ffffffff00000000000000000000a0000000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000e800000016800000000000030000000640000000200000003004f0053003a0061005c00"
    "6200000003004f0053003a00630063005c006400000000000c000000c8000000000000000c0000002c01000000000000"
    "5e01000000000000"
)
BROKEN_AND_CUT = (
    "100000004c494f523c010000ffffffff060708090a0b0c0d0e0f10111213141500000000000000000000000000000000"
    "ffffffff3ed4b00d7e6db1af091fa5002e0048005400540050003a002f002f0068006f00730074002f006d0073006d00"
    "71002f0071007500650075006500000035363738393a3b3c3d3e3f40414243440007038025262728292a2b2c2d2e2f30"
    "31323334250000000100000000000000010000000200000003000000038000000168000000000000004e610061002000"
    "5c005a0000000b0024000000640000000100000002000000232425262728292a2b2c2d2e2f303132080000003c000000"
    "c80000000200000002000000202122232425262728292a2bffffff020000002a2b2c2d2e2f3031323334353637383905"
    "0000000c0000ff2c010000000000005e01000000000000"
)
REACHED_BEFORE_THE_CUT = (
    "100000004c494f5220ff0000ffffffff15161718191a1b1c1d1e1f202100000000000000000000000000000000ffffff"
    "ffae00000000000020201c2000ff60005300500058003a003000300030003000300030003000312e0030003100320033"
    "0034003500360037003800390041fe42005c00700072006900760061007400650024005c006f0072006400650072005f"
    "007100750065007500650024000000000000100b80000000000000000000000000000000ff0000000000000000000000"
    "002410000024000000000000000e800000016800000000000051004cf820004f00720064006500720069006e00670020"
    "00410063006b0000005c00000000000000e4000000e30000003b3c3d3e3f404142434445464748494a00000000"
)
DAMAGED_BODY = (
    "28019ab84ffeffffff78010000eb0000001c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1ca079c0e0a079c0e0a079c0e0a079c0"
    "e0fd180000ce3401008a681c00556e9f1001000000010000000000a2b01d0800000000000001000000ffffffff000000"
    "00b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4570b0000000000000000000000000000d2036280ec8dec8dec8dec8dec8dec"
    "8dec8dec8dec8dec8d00000000000000000900000031010000ffffffffd32d0000000000000100000000de6100000011"
    "6843d02418ddaa8f084d02b10582828282828282828282828282828282c400100c07000000e9003dd83dd800dee900e9"
    "00000000003e0203000000004e3dd800000c00000001000100000000004c00000000004301030000000100e6a99ae9bd"
    "d99ae9bdd99ae9bdd99ae9bdd9060036992d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d02003e7c0a0d0d0a0a0d0d0a0a0d0d"
    "0a0a0d0d0a9b0800000c000000000018010000000000000000090000004190d13b59ef7201f5d7518eec0f0000520000"
    "000100ceb200000000"
)
FOUND = [
    ("fuzz_dissector", DAMAGED_BODY),
    ("fuzz_decode", "10c00b004c494f5200000000"),
    ("fuzz_decode_lax", "10c00bff4c494f5201000000ffffff"),
    ("fuzz_decode_lax", "ff001b00a8c4ae334c494f5224"),
    ("fuzz_decode_lax", TWO_VERDICTS),
    ("fuzz_decode_lax", BROKEN_AND_CUT),
    ("fuzz_decode_lax", REACHED_BEFORE_THE_CUT),
    ("fuzz_arrow", SHORT_ROWS),
    ("fuzz_format_names", "06" + b"DIRECT=OS:a\\b\0".hex()),
]
"""Inputs that once broke an invariant."""


_PARTS = 4


@cache
def corpus(name: str) -> tuple[bytes, ...]:
    return tuple(sorted(seeds(name)))


def mutant(module: Any, data: bytes, seed: int) -> bytes:
    head: int = getattr(module, "HEAD", 0)
    kind = module.KIND(data[:head]) if callable(module.KIND) else module.KIND
    return data[:head] + mutate(data[head:], seed, kind=None if kind == "stream" else kind).data


def inputs(name: str) -> st.SearchStrategy[bytes]:
    """Any bytes, a seed, or a mutant of a seed."""
    module = target(name)
    some = st.sampled_from(corpus(name))
    mutants = st.builds(mutant, st.just(module), some, st.integers(0, 0xFFFFFFFF))
    return st.binary(max_size=300) | some | mutants | mutants


def driven(name: str) -> Callable[[], None]:
    """A Hypothesis test of a target's invariant."""
    check = target(name).check

    @given(inputs(name))
    def test(data: bytes) -> None:
        check(data)

    return test


def test_targets_are_there() -> None:
    assert {name.removeprefix("fuzz_") for name in TARGETS} >= {
        "decode", "decode_lax", "stream", "replication", "notification", "property_values", "format_names",
        "from_dict", "explain", "validate", "flow", "sessions", "endpoints", "arrow", "crypto", "calls",
        "captures", "commands", "dissector",
    }  # fmt: skip


@pytest.mark.parametrize("name", TARGETS)
def test_first_line_is_the_invariant(name: str) -> None:
    first = (HERE / f"{name}.py").read_text().splitlines()[0]
    assert first.startswith('"""')
    assert first.endswith('."""')


@pytest.mark.each(4)
@pytest.mark.parametrize("name", TARGETS)
def test_invariant(name: str) -> None:
    driven(name)()


@pytest.mark.each(4 * _PARTS)
@pytest.mark.parametrize("part", range(share(_PARTS)))
@pytest.mark.parametrize("name", TARGETS)
def test_invariant_on_every_seed(name: str, part: int) -> None:
    assert len(corpus(name)) >= 30
    for data in corpus(name)[part::_PARTS]:
        target(name).check(data)


@pytest.mark.each(8)
@pytest.mark.parametrize("name", TARGETS)
def test_one_input(name: str) -> None:
    """An external fuzzer's bytes steer the same test."""
    test: Any = driven(name)
    kept = [test.hypothesis.fuzz_one_input(bytes([number]) * 40) for number in range(6)]
    kept += [test.hypothesis.fuzz_one_input(data) for data in corpus(name)[:2]]
    assert any(kept)


@pytest.mark.parametrize(("name", "data"), FOUND)
def test_found(name: str, data: str) -> None:
    target(name).check(bytes.fromhex(data))


@pytest.mark.each(5)
@pytest.mark.parametrize("name", TARGETS)
def test_a_broken_invariant_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The properties can fail: for a library that says the same to everything each of them does."""
    module = target(name)
    for holder, attribute in BREAKS[name]:
        monkeypatch.setattr(getattr(module, holder), attribute, lambda *_, **__: None)
    with pytest.raises((AssertionError, AttributeError, TypeError, ValueError)):
        all(module.check(data) is None for data in corpus(name))


BREAKS = {
    "fuzz_calls": [("mw", "from_dict")],
    "fuzz_arrow": [("arrow", "encode_packets")],
    "fuzz_captures": [("engine", "run")],
    "fuzz_commands": [("cli", "main")],
    "fuzz_crypto": [("crypto", "sender_certificate")],
    "fuzz_decode": [("mw", "encode")],
    "fuzz_decode_lax": [("mw", "encode")],
    "fuzz_dissector": [("library", "fields_of")],
    "fuzz_endpoints": [("mw", "encode")],
    "fuzz_explain": [("mw", "explain")],
    "fuzz_flow": [("mw", "encode")],
    "fuzz_format_names": [("queue_names", "from_wire")],
    "fuzz_from_dict": [("mw", "to_dict")],
    "fuzz_notification": [("mqcn", "encode")],
    "fuzz_property_values": [("PropertyValue", "encode")],
    "fuzz_records": [("Record", "encode")],
    "fuzz_replication": [("mqdsrp", "iter_changes")],
    "fuzz_sessions": [("SessionMonitor", "snapshot")],
    "fuzz_stream": [("mw", "encode")],
    "fuzz_validate": [("mw", "validate")],
}
"""What to break of the library so that a target has to notice."""


@pytest.mark.long
def test_seeds_are_written(tmp_path: Path) -> None:
    write(tmp_path)
    for name in TARGETS:
        assert len(list((tmp_path / f"{name}_seed_corpus").iterdir())) >= min(len(corpus(name)), 60)
        assert "BaseHeader_Signature=" in (tmp_path / f"{name}.dict").read_text()


@pytest.mark.long
def test_targets_need_no_atheris() -> None:
    """Imported, a target is a module like any other."""
    program = (
        "import sys; sys.modules['atheris'] = None; import seeds; [seeds.target(n) for n in seeds.TARGETS]"
    )
    path = f"{HERE}:{HERE.parent / 'support'}:{HERE.parents[1] / 'src'}"
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONPATH": path})  # noqa: S603  # our own


def test_build_script_names_every_target() -> None:
    script = (HERE / "build.sh").read_text()
    assert "fuzz_*.py" in script
    assert "seeds.py" in script
    assert (HERE / "project.yaml").exists()
    assert (HERE / "Dockerfile").exists()
