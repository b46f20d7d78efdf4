"""Named faults: each can still be made, and the tests that it names notice it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections import Counter

import pytest
from faults import SOURCE, Fault, load_faults
from support_rows import for_each, table
from support_specs import EVIDENCE, SPECS, load_evidence

FAULTS = table(load_faults)


@for_each("fault", FAULTS, ids=lambda fault: f"{fault.path}: {fault.before}")
def test_a_fault_can_be_made(fault: Fault) -> None:
    """Its place moves with the code; what has no place any more goes to ``[[gone]]``, with the reason."""
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
    every = Counter(test for fault in FAULTS() for test in set(fault.tests))
    assert every
    assert max(every.values()) == 1


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="each fault needs a process that begins as this one is")
def test_faults_are_noticed() -> None:
    """All of them, in a process each."""
    command = [sys.executable, str(SPECS.parent / "tests" / "mutation" / "faults.py")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=14_400, check=False)  # noqa: S603  # a program of this tree
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 unnoticed" in result.stdout


def test_every_part_of_the_engine_is_sampled() -> None:
    folders = {fault.path.partition("/")[0] for fault in FAULTS()}
    assert folders >= {
        *("arrow", "captures", "checks", "compiler", "crypto", "documents", "machines", "packets"),
        *("testing", "values", "views"),
    }


def test_a_fault_without_a_place_has_a_reason() -> None:
    for row in tomllib.loads((SPECS / "faults.toml").read_text("utf-8")).get("gone", ()):
        assert row.keys() == {"path", "before", "after", "reason"}, row
