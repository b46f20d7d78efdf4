"""Damages the rules and the definitions, one place at a time, and sees whether the tests notice.

1. A mutant is one module with one change that an operator made.  Changes that Python does not see, such as in
   annotations, are left out.
2. Each mutant is tested in a process of its own, which gets the changed source in the place of the file, and
   what the compiler makes of it; no file is touched.
3. What no rule changes is imported before the mutants of rules, and the rows of tests that are named by the
   requirement of the changed line are tried first: most mutants of a rule take a second.
4. The tests notice `--least` of the mutants, or the run fails.  Those that live are listed; many of them mean
   the same as what they replace.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import re
import resource
import signal
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from faults import ROOT, SOURCE, Changed, prepare
from operators import Tables

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["TARGETS", "Mutant", "judge", "mutants", "sound"]

_FOLDERS = [str(SOURCE.parent), str(ROOT / "tests"), str(ROOT / "tests" / "support")]
_RULES_FOLDER = "checks/rules/"
_UNCHANGED = (
    *("documents.layouts", "mqmq", "mqrr", "mqqb", "mqcn", "mqdsrp", "compiler.generate"),
    *("packets.partial", "machines.replication"),
)
"""Modules of the package that import no rule, with all that they import."""
_REQUIREMENT = re.compile(r"[A-Z]+-\d+(?:\.\d+)+-\d+")

_RULE_TESTS = (
    "checks/test_rules_bounds.py",
    "checks/test_rules_bent.py",
    "checks/test_audit.py",
    "checks/test_rules_catalogue.py",
    "checks/test_validate.py",
    "checks/test_requirements.py",
    "packets/test_mqcn.py",
    "packets/test_mqdsrp.py",
)
_OWN_TESTS = {"session": ("checks/test_session_monitor.py",), "calls": ("ndr/test_calls.py",)}
"""Of rules that are for no packet by itself, by a word of the module's name."""
_LAYOUT_TESTS = (
    "documents/test_vectors.py",
    "documents/test_directory_vectors.py",
    "definitions/test_layout.py",
    "packets/test_packets.py",
    "packets/test_mqdsrp.py",
    "packets/test_mqcn.py",
    "checks/test_rules_bent.py",
    "checks/test_requirements_encode.py",
    "checks/test_requirements_decode.py",
    "records/test_build.py",
)
TARGETS: dict[str, tuple[str, ...]] = {
    **{
        f"{_RULES_FOLDER}{path.name}": next(
            (tests for word, tests in _OWN_TESTS.items() if word in path.name), _RULE_TESTS
        )
        for path in sorted((SOURCE / "checks" / "rules").glob("[!_]*.py"))
    },
    **{
        f"definitions/{path.name}": ("ndr/test_calls.py",) if "rpc" in path.name else _LAYOUT_TESTS
        for path in sorted((SOURCE / "definitions").glob("[cr]*.py"))
    },
}
"""Modules that are damaged, and the tests that should notice, the fastest first."""
_COMPARISONS = ("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")
_ARITHMETIC = (
    *("Add_Sub", "Sub_Add", "Mul_Add", "FloorDiv_Mul", "Mod_Add", "Pow_Add"),
    *("BitAnd_BitOr", "BitOr_BitAnd", "RShift_LShift", "LShift_RShift"),
)
_CORE = (
    *("NumberReplacer", "AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr"),
    *("ReplaceOrWithAnd", "ReplaceUnaryOperator_Delete_Not", "ZeroIterationForLoop"),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak"),
    *(f"ReplaceComparisonOperator_{pair}" for pair in _COMPARISONS),
    *(f"ReplaceBinaryOperator_{pair}" for pair in _ARITHMETIC),
)
"""Operators of Cosmic Ray that change what a rule says; each in one direction or two, not in all."""
_PATIENCE = 150
"""Processor seconds after which a mutant counts as noticed: it made something endless."""
_ENDLESS = frozenset({signal.SIGXCPU, signal.SIGKILL})


class Mutant(NamedTuple):
    """A module with one change.

    Attributes:
        path: The module, from the package.
        line: The first line that differs.
        before: That line as it was.
        after: And as it is now.
        operator: What changed it.
        code: The whole source.
    """

    path: str
    line: int
    before: str
    after: str
    operator: str
    code: str


# ---------------------------------------------------------------------------------------------- mutants


def _meaning(code: str) -> str | None:
    """What Python sees, without annotations and what only type checkers read; None if it is no Python."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    return ast.dump(tree)


def mutants(path: str, most: int = 0, seed: str = "") -> Iterator[Mutant]:
    """Every mutant of a module, or about so many, the same for each seed."""
    cosmic_ray.plugins.OPERATOR_PROVIDERS["tables"] = Tables()
    source = (SOURCE / path).read_text("utf-8")
    seen = {_meaning(source), None}
    nodes, places = [*ast_nodes(get_ast(source))], []
    for name in (*(f"core/{name}" for name in _CORE), *(f"tables/{name}" for name in Tables())):
        operator = cosmic_ray.plugins.get_operator(name)()
        count = sum(1 for node in nodes for _ in operator.mutation_positions(node))
        places += [(operator, occurrence, name) for occurrence in range(count)]
    if 0 < most < len(places):
        places = Random(path + seed).sample(places, most)  # noqa: S311  # the same each time
    for operator, occurrence, name in places:
        code = mutate_code(source, operator, occurrence)
        meaning = _meaning(code) if code else None
        if meaning not in seen:
            seen.add(meaning)
            mutant = _mutant(path, source, code, name.partition("/")[2])
            if "TYPE_CHECKING" not in mutant.before:
                yield mutant


def _mutant(path: str, source: str, code: str, operator: str) -> Mutant:
    old, new = source.splitlines(), code.splitlines()
    line = next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), len(new) - 1
    )
    after = "(gone)" if operator == "DropItem" else new[line].strip()
    return Mutant(path, line + 1, old[line].strip(), after, operator, code)


# ------------------------------------------------------------------------------- what the compiler makes


def _generated() -> dict[str, str]:
    """What the compiler makes of the rules as they now are."""
    from msmq_wire.compiler.generate import validators  # noqa: PLC0415  # it takes the changed rules

    return {str(path): text for path, text in validators(_pages()).items()}


def _compiled(mutant: Mutant) -> dict[str, str] | None:
    """The modules that the compiler makes of a changed definition; None if it refuses.

    It is another process that compiles, so that this one imports what was made.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            sys.path[:0] = _FOLDERS
            sys.meta_path.insert(0, Changed(mutant.path, mutant.code))
            from msmq_wire.compiler import generate, pages  # noqa: PLC0415  # of the changed definitions

            made = {
                os.path.relpath(path, SOURCE): text
                for path, text in generate.generate(pages.Pages.read()).items()
                if path.read_text("utf-8") != text
            }
            with os.fdopen(writer, "w", encoding="utf-8") as pipe:
                json.dump(made, pipe)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if status == 0 else None


@cache
def _pages() -> Any:
    from msmq_wire.compiler.pages import Pages  # noqa: PLC0415  # not before it is known what is changed
    from msmq_wire.records.model import structures  # noqa: PLC0415  # as above

    before = dict(structures())
    pages = Pages.read()
    structures().update(before)  # records know these, not those that were read anew
    return pages


def _prepare_rules() -> None:
    """Import what every mutant of a rule needs and none changes."""
    sys.path[:0] = _FOLDERS
    for name in _UNCHANGED:
        import_module(f"msmq_wire.{name}")
    import_module("support_specs").load_requirements()
    _pages()
    ours = {f"msmq_wire.checks.{name}" for name in ("rules", "validation", "validators")} & set(sys.modules)
    if ours:
        raise RuntimeError(f"{sorted(ours)} would be the unchanged ones")


# ------------------------------------------------------------------------------------------------- tests


class _First:
    """Ends the process with the first failure, without clearing up."""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            os._exit(1)

    pytest_collectreport = pytest_runtest_logreport


def _survives(mutant: Mutant, row: str) -> bool:
    """In a process of its own: whether all tests pass, of those over a table all rows that are named so."""
    import pytest  # noqa: PLC0415  # imported before the fork

    of_rules = mutant.path.startswith(_RULES_FOLDER)
    made = {} if of_rules else _compiled(mutant)  # before anything of the package is imported
    if made is None:
        return False
    sys.meta_path.insert(0, Changed(mutant.path, mutant.code))
    for path, code in (_generated() if of_rules else made).items():
        sys.meta_path.insert(0, Changed(path, code))
    sys.path[:0] = _FOLDERS
    os.environ["PYTHONPATH"] = str(SOURCE.parent)  # for the processes that tests start
    options = [
        "--long",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:warnings",
        "-o",
        "addopts=",
        f"--row={row}",
    ]
    quick = ["--assert=plain", "--tb=no", "-p", "no:unraisableexception"]  # nobody reads why one failed
    tests = [str(ROOT / "tests" / test) for test in TARGETS[mutant.path]]
    return pytest.main([*options, *quick, *tests], plugins=[_First()]) == 0


def judge(mutant: Mutant) -> str:
    """``killed``, ``timeout``, or ``survived``."""
    named = _REQUIREMENT.findall(mutant.before) if mutant.operator != "none" else []
    outcome = "survived"
    for row in (*named[:1], ""):
        outcome = _outcome(mutant, row)
        if outcome != "survived":
            break
    return outcome


def _outcome(mutant: Mutant, row: str) -> str:
    child = os.fork()
    if child == 0:
        gc.disable()
        resource.setrlimit(resource.RLIMIT_CPU, (_PATIENCE, _PATIENCE))  # other processes do not count
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        survives = False
        try:
            survives = _survives(mutant, row)
        finally:
            os._exit(0 if survives else 1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "timeout" if os.WTERMSIG(status) in _ENDLESS else "killed"
    return "survived" if os.WEXITSTATUS(status) == 0 else "killed"


def sound(path: str) -> bool:
    """Whether the tests of a module pass while nothing is damaged; if not, they would notice everything."""
    return judge(Mutant(path, 1, "", "", "none", (SOURCE / path).read_text("utf-8"))) == "survived"


def main() -> int:
    """Judge the mutants, and list those that live."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", help="only modules whose path has this; any of several")
    parser.add_argument("--sample", type=int, default=0, help="about so many of each module, 0 for all")
    parser.add_argument("--seed", default="", help="another text draws another sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--least", type=float, default=0.95, help="fail below this share of noticed mutants")
    arguments = parser.parse_args()
    paths = [path for path in TARGETS if not arguments.only or any(part in path for part in arguments.only)]
    prepare()
    outcomes: Counter[str] = Counter()
    for of_rules in (False, True):
        mine = [path for path in paths if path.startswith(_RULES_FOLDER) is of_rules]
        if of_rules and mine:
            _prepare_rules()
        for path in mine:
            if not sound(path):
                raise SystemExit(f"tests of {path} fail without any damage")
        everything = [mutant for path in mine for mutant in mutants(path, arguments.sample, arguments.seed)]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for mutant, outcome in zip(everything, pool.map(judge, everything), strict=True):
                outcomes[outcome] += 1
                if outcome == "survived":
                    print(f"{mutant.path}:{mutant.line}: {mutant.before} -> {mutant.after}", flush=True)
    total = outcomes.total()
    share = 1 - outcomes["survived"] / total if total else 0.0
    print(f"{total} mutants, {dict(outcomes)}, {share:.1%} noticed")
    return 0 if share >= arguments.least else 1


if __name__ == "__main__":
    raise SystemExit(main())
