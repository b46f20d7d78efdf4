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


@pytest.mark.parametrize("path", run.TARGETS)
def test_every_target_has_mutants_and_tests(path: str) -> None:
    assert next(run.mutants(path)).code != (SOURCE / path).read_text("utf-8")
    assert all((ROOT / "tests" / test).exists() for tests in run.TARGETS[path] for test in tests)


def test_parts_are_the_whole() -> None:
    """Each module is in one part, and the parts are nearly of one size."""
    parts = [run.part_of(run.ENGINE, number, 12) for number in range(1, 13)]
    assert sorted(path for part in parts for path in part) == sorted(run.ENGINE)
    sizes = [sum((SOURCE / path).stat().st_size for path in part) for part in parts]
    assert max(sizes) < 1.3 * min(sizes)
    with pytest.raises(SystemExit):
        run.part_of(run.ENGINE, 13, 12)


def test_results_are_of_the_source_and_of_its_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = next(run.mutants("checks/calls.py", 1))
    assert mutant.key == mutant._replace(line=1).key
    assert mutant.key != mutant._replace(code="").key
    before = mutant.key
    monkeypatch.setattr(run, "_digest_of_tests", lambda _: "of other tests")
    assert mutant.key != before


def _printed(code: str) -> list[str]:
    """The words that a program prints, in a process that has imported nothing of the package."""
    done = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", code],
        cwd=Path(run.__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


_JUDGED = """
import run
path = "definitions/c_mqqb.py"
(mutant,) = [one for one in run.mutants(path) if one.operator == "WidenField" and "WindowSize" in one.before]
print(*run.unsound([path]), run.judge(mutant))
"""


def test_a_mutant_is_noticed() -> None:
    """And where nothing is damaged nothing is."""
    assert _printed(_JUDGED) == ["killed"]


_SOUND = r"""
import run
path = "names/grammar.py"
nothing = run.Mutant(path, 1, "", "", "none", (run.SOURCE / path).read_text("utf-8"))
test = "names/test_format_names.py::test_a_megabyte_is_checked"
for cases in ((("A-HTTP://", r"\\-OS:"), (r"\\-TCP:", "//-OS:")), (("nothing",),)):
    run.tests_of = lambda _: [tuple(f"{test}[{case}]" for case in stage) for stage in cases]
    try:
        print(run.judge(nothing))
    except RuntimeError as error:
        print(type(error).__name__)
"""


def test_nothing_is_noticed_where_nothing_is_damaged() -> None:
    """Whatever cases are called; and a case that pytest does not find notices nothing."""
    assert _printed(_SOUND) == ["survived", "RuntimeError"]
