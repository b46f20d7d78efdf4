"""Named faults: each can still be made, and the tests that it names notice it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections import Counter
from fnmatch import fnmatch

import pytest
from faults import SOURCE, Fault, load_faults
from support_specs import EVIDENCE, SPECS, load_evidence

FAULTS = load_faults()


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.path}:{at}" for at, fault in enumerate(FAULTS)])
def test_a_fault_can_be_made(fault: Fault) -> None:
    source = (SOURCE / fault.path).read_text("utf-8")
    assert source.count(fault.before) == 1
    assert fault.after not in {fault.before, ""}
    compile(fault.code, fault.path, "exec")


def test_each_test_has_one_kind_of_evidence_and_exists() -> None:
    kinds = load_evidence()
    assert set(kinds.values()) <= set(EVIDENCE)
    for node in kinds:
        file, *names = node.split("::")
        text = (SPECS.parent / file).read_text("utf-8")
        assert f"def {names[-1]}(" in text, node
    every = Counter(test for fault in FAULTS for test in set(fault.tests))
    assert every
    assert max(every.values()) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each fault needs a process that begins as this one is")
def test_faults_are_noticed() -> None:
    """All of them, in every run; ``nox -s mutants`` tries mutants that nobody named."""
    command = [sys.executable, str(SPECS.parent / "tests" / "mutation" / "faults.py")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)  # noqa: S603  # a program of this tree
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 unnoticed" in result.stdout


def test_every_part_of_the_engine_is_sampled() -> None:
    """At least forty faults, and some in each folder of which the mutation run tries mutants."""
    assert len(FAULTS) >= 40
    folders = {fault.path.partition("/")[0] for fault in FAULTS}
    assert folders >= {
        *("arrow", "captures", "checks", "compiler", "crypto", "documents", "machines", "packets"),
        *("testing", "values", "views"),
    }


def test_each_reason_is_of_a_line_that_is_there() -> None:
    """Of mutants that nobody named and that may live."""
    lines = {
        path.relative_to(SOURCE).as_posix(): path.read_text("utf-8").splitlines()
        for path in SOURCE.rglob("*.py")
    }
    table = tomllib.loads((SPECS.parent / "tests" / "mutation" / "survivors.toml").read_text("utf-8"))
    for row in table["survivor"]:
        found = [line for path, of in lines.items() if fnmatch(path, row["path"]) for line in of]
        assert any(row["before"] in line for line in found), row
        assert row["reason"]
