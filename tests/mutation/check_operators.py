"""What the operators make of small sources; the mutation run begins with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import run
from cosmic_ray.mutating import mutate_code
from faults import ROOT, SOURCE
from operators import DropItem, ResizeField, SwapFields, WidenField

TEXT = 'C = r"""\nstruct S {\n    uint8  A;   // a\n    uint16 B[2]; // b\n};\n"""\n'


@pytest.mark.parametrize(
    ("operator", "occurrence", "before", "after"),
    [
        (DropItem, 0, "x = {1: 2, 3: 4}", "x = { 3: 4}"),
        (DropItem, 1, "x = {1: 2, 3: 4}", "x = {1: 2,}"),
        (DropItem, 1, "x = (f(1), f(2))", "x = (f(1),)"),
        (
            SwapFields,
            0,
            TEXT,
            TEXT.replace("uint8  A;   // a\n    uint16 B[2]; //", "uint16 B[2];   // a\n    uint8  A; //"),
        ),
        (WidenField, 1, TEXT, TEXT.replace("uint16 B", "uint32 B")),
        (ResizeField, 0, TEXT, TEXT.replace("[2]", "[3]")),
    ],
)
def test_operator(operator: type, occurrence: int, before: str, after: str) -> None:
    assert mutate_code(before, operator(), occurrence) == after


@pytest.mark.parametrize("source", ["x = (1, 2)", "f(1, 2)", "x = {1: 2}"])
def test_what_is_left_alone(source: str) -> None:
    assert mutate_code(source, DropItem(), 0) is None


def test_rules_and_definitions_are_damaged() -> None:
    assert {"checks/rules/mqqb.py", "definitions/c_mqqb.py"} <= run.TARGETS.keys()


@pytest.mark.parametrize("path", run.TARGETS)
def test_every_target_has_mutants_and_tests(path: str) -> None:
    assert next(run.mutants(path)).code != (SOURCE / path).read_text("utf-8")
    assert all((ROOT / "tests" / test).exists() for test in run.TARGETS[path])


_JUDGED = """
import run
path = "definitions/c_mqqb.py"
(mutant,) = [one for one in run.mutants(path) if one.operator == "WidenField" and "WindowSize" in one.before]
print(run.sound(path), run.judge(mutant))
"""


def test_a_mutant_is_noticed_and_nothing_where_nothing_is_damaged() -> None:
    """In a process that has imported nothing of the package."""
    done = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", _JUDGED],
        cwd=Path(run.__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "killed"]
