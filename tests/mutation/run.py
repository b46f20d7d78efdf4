"""Damages rules, layout tables and the engine, one place at a time, and sees whether the tests notice.

1. A mutant is one module with one change that an operator made.  Changes that Python does not see, such as in
   annotations, are left out.
2. Each mutant is tested in a process of its own, which gets the changed source in the place of the file, and
   what the compiler makes of changed definitions or rules; no file is touched.  The fastest tests run first,
   and the first failure ends it.  Of the engine each mutant runs the tests that come to its line, by a run
   with the plugin `traced`, as the session ``mutants`` makes it: ``.coverage.contexts`` says which come to a
   line, and ``.coverage.times`` how long they take.  What a fixture or a cache makes for several tests counts
   for the first of them alone, so that a mutant that none of them notices, and that has no reason to live,
   also runs the tests of its folder that were written since then, and all of the files of its folder of
   which a test comes to any line of the module.
3. What no rule changes is imported before the mutants of rules, and the tests that name the requirement of
   the changed line run first: most mutants of a rule take a second.
4. Results are kept by the digest of the changed source and of the tests near it, so that a run can be stopped
   and taken up again, and a second run tests only what has changed.
5. Survivors that do not matter have their reason in ``survivors.toml``.
6. All mutants take days of one processor, so that ``--part 2/12`` takes a twelfth of the modules: as many
   processes on as many machines try the whole in a night.
"""

from __future__ import annotations

import argparse
import ast
import gc
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from faults import ROOT, SOURCE, Changed, prepare
from operators import Tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CONTEXTS = ROOT / ".coverage.contexts"
TIMES = ROOT / ".coverage.times"
REPORT = ROOT / "build" / "mutants.json"
REASONS = Path(__file__).with_name("survivors.toml")
_FOLDERS = [str(SOURCE.parent), str(ROOT / "tests"), str(ROOT / "tests" / "support")]
_RULES_FOLDER = "checks/rules/"
_DEFINITIONS_FOLDER = "definitions/"
_COMPILER_FOLDER = "compiler/"
_EXPORTS_FOLDER = "exports/"
_UNCHANGED = (
    *("documents.layouts", "mqmq", "mqrr", "mqqb", "mqcn", "mqdsrp", "compiler.generate"),
    *("packets.partial", "machines.replication"),
)
"""Modules of the package that import no rule, with all that they import."""
_REQUIREMENT = re.compile(r"[A-Z]+-\d+(?:\.\d+)+-\d+")

_RULE_TESTS = (
    (
        "checks/test_rules_bounds.py",
        "checks/test_rules_bent.py",
        "checks/test_rules_catalogue.py",
        "checks/test_validate.py",
    ),
    ("checks/test_requirements.py", "packets/test_mqcn.py", "packets/test_mqdsrp.py"),
)
_SESSION_TESTS = (("checks/test_session_monitor.py",),)
_OWN_TESTS = {"session": _SESSION_TESTS, "_calls": (("ndr/test_calls.py",),)}
"""Of rules that are for no packet by itself, by a word of the module's name."""
_LAYOUT_TESTS = (
    ("documents/test_vectors.py", "documents/test_directory_vectors.py"),
    (
        "definitions/test_layout.py",
        "packets/test_packets.py",
        "packets/test_mqdsrp.py",
        "packets/test_mqcn.py",
    ),
    (
        "checks/test_rules_bent.py",
        "checks/test_requirements_encode.py",
        "checks/test_requirements_decode.py",
        "records/test_build.py",
    ),
)
_RULES = sorted((SOURCE / "checks" / "rules").glob("_[!_]*.py"))
TARGETS: dict[str, tuple[tuple[str, ...], ...]] = {
    **{
        f"checks/rules/{path.name}": next(
            (tests for word, tests in _OWN_TESTS.items() if word in path.name), _RULE_TESTS
        )
        for path in _RULES
    },
    **{
        f"definitions/{path.name}": _LAYOUT_TESTS
        for path in sorted((SOURCE / "definitions").glob("[cr]*.py"))
    },
}
"""Modules that are damaged, and the tests that should notice, the fastest first."""
ENGINE = tuple(
    str(path.relative_to(SOURCE))
    for folder in (
        *("arrow", "captures", "checks", "compiler", "crypto", "documents", "exports", "machines"),
        *("names", "ndr", "packets", "records", "testing", "values", "views"),
    )
    for path in sorted((SOURCE / folder).rglob("*.py"))
    if not path.name.startswith("__")
    and "checks/rules/" not in str(path)
    and "checks/verdicts/" not in str(path)
)
"""Modules whose mutants run the tests that come to their line."""
_MOST = 120
"""Tests of a mutant of the engine at most: so many of its own folder, and so many of all."""
_LONGEST = 15
"""Seconds that they take together at most, unless one alone takes longer."""
_LONGEST_NEAR = 90
"""The same for all tests of these files; their number has no bound."""
_NO_TEST = 99
"""The exit code of a process in which pytest fails without a test that does."""
_DIGESTS = "_on_every_machine"
"""In the names of tests that hold digests of what seeds give; they notice any change and do not count."""
_OF_ALL_TESTS = ("msmq_wire.machines.replication", "support_invariants", "conformance_report")
"""What is imported for every test."""
_FROZEN = "project/test_house.py::test_structs_are_frozen"
"""What looks at each struct, when no test comes to the line that makes it."""
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
_WAITING = 600
"""Seconds after which it counts as noticed because it waits for something."""
_IDLE = 30
"""If it has used more processor seconds than this by then, it was not waiting: the machine was busy."""


_IN_VAIN = frozenset({signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM})
"""What ends a process that takes too long."""


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

    @property
    def key(self) -> str:
        """A digest of what is tested, and by what."""
        text = f"{self.path}\0{_digest_of_tests(self.path)}\0{self.code}"
        return hashlib.sha256(text.encode()).hexdigest()[:24]


@cache
def _digest_of_tests(path: str) -> str:
    """A digest of the tests that are named for a module or are in its folder, and of what they share."""
    tests = ROOT / "tests"
    named = [tests / test for stage in TARGETS.get(path, ()) for test in stage]
    near = named or sorted((tests / path.partition("/")[0]).rglob("*.py"))
    files = [*near, *sorted((tests / "support").glob("*.py"))]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


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
            made = _mutant(path, source, code, name.partition("/")[2])
            if "TYPE_CHECKING" not in made.before:
                yield made


def _mutant(path: str, source: str, code: str, operator: str) -> Mutant:
    old, new = source.splitlines(), code.splitlines()
    line = next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), len(new) - 1
    )
    after = "(gone)" if operator == "DropItem" else new[line].strip()
    return Mutant(path, line + 1, old[line].strip(), after, operator, code)


# ------------------------------------------------------------------------------------------------ tests


def _generated() -> Iterator[Mutant]:
    """What the compiler makes of the rules as they now are."""
    from msmq_wire.compiler.generate import verdicts  # noqa: PLC0415  # it takes the changed rules

    for path, text in verdicts(_pages()).items():
        yield Mutant(path, 0, "", "", "generated", text)


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
            from msmq_wire.compiler import generate  # noqa: PLC0415  # of the changed definitions

            exports = mutant.path.startswith(_EXPORTS_FOLDER)
            texts = generate.generate_others() if exports else generate.generate()
            made = {
                os.path.relpath(path, SOURCE): text
                for path, text in texts.items()
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
    ours = {f"msmq_wire.checks.{name}" for name in ("rules", "validation", "verdicts")} & set(sys.modules)
    if ours:
        raise RuntimeError(f"{sorted(ours)} would be the unchanged ones")


class _Nearest:
    """Lets the tests that name a requirement of the changed line run first, and nothing after a failure."""

    def __init__(self, mutant: Mutant) -> None:
        self.names = _REQUIREMENT.findall(mutant.before)

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Put them in front; the others stay in order."""
        items.sort(key=lambda item: not any(name in item.nodeid for name in self.names))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """End the process with the first failure, without clearing up."""
        if report.failed:
            os._exit(1)

    pytest_collectreport = pytest_runtest_logreport


def _survives(mutant: Mutant, tests: tuple[str, ...]) -> bool:
    """In a process of its own: whether all tests pass.

    pytest runs once in a process: what it collects a second time has backslashes in its names twice.
    """
    import pytest  # noqa: PLC0415  # imported before the fork

    made: dict[str, str] | None = {}
    if mutant.path.startswith(_DEFINITIONS_FOLDER):
        made = _compiled(mutant)  # before anything of the package is imported
    sys.meta_path.insert(0, Changed(mutant.path, mutant.code))
    if mutant.path.startswith((_COMPILER_FOLDER, _EXPORTS_FOLDER)) and _compiled(mutant) != {}:
        return False  # what is committed is compared with what the compiler makes
    if mutant.path.startswith(_RULES_FOLDER):
        made = {one.path: one.code for one in _generated()}
    if made is None:
        return False
    for path, code in made.items():
        sys.meta_path.insert(0, Changed(path, code))
    sys.path[:0] = _FOLDERS
    os.environ["PYTHONPATH"] = str(SOURCE.parent)  # for the processes that tests start
    if not mutant.path.startswith(_RULES_FOLDER):
        for name in (_name(mutant.path), *_OF_ALL_TESTS):
            import_module(name)  # what fails here is noticed, and not an error of pytest
    paths = [f"{ROOT}/tests/{test}" for test in tests]  # no `Path`, which changes names of cases
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:warnings", "-o", "addopts="]
    quick = ["--assert=plain", "--tb=no", "-p", "no:unraisableexception"]  # nobody reads why one failed
    if pytest.main([*options, *quick, *paths], plugins=[_Nearest(mutant)]) != 0:
        os._exit(_NO_TEST)
    return True


def _name(path: str) -> str:
    """The name of a module that is imported."""
    return f"msmq_wire.{path.removesuffix('.py').replace('/', '.')}"


@cache
def _lines(path: str) -> dict[int, list[str]]:
    """Which tests come to which line of a module."""
    from coverage import CoverageData  # noqa: PLC0415  # only the engine needs it

    data = CoverageData(str(CONTEXTS))
    data.read()
    known = [
        name for name in data.measured_files() if name.endswith(f"/{SOURCE.name}/{path}")
    ]  # of any clone
    return {
        line: sorted(_there().intersection(contexts))
        for name in known
        for line, contexts in data.contexts_by_lineno(name).items()
    }


def tests_of(mutant: Mutant) -> tuple[tuple[str, ...], ...]:
    """The tests that should notice a mutant, the fastest or nearest first; none if no test comes there.

    What is carried out on import belongs to no test: it runs the tests that write the name that is assigned
    there or come to a line with it, or to any line of the module, or those of its folder if it has only
    definitions.
    """
    if mutant.path in TARGETS:
        return TARGETS[mutant.path]
    if mutant.path.startswith(_COMPILER_FOLDER):
        return (("compiler",),)
    own = f"tests/{mutant.path.partition('/')[0]}/"
    lines = _lines(mutant.path)
    found, naming = set(lines.get(mutant.line, ())), set[str]()
    if not found:
        names = _assigned(mutant)
        naming = {test for test in _tests() if names and _writes(test.partition("::")[0], names)}
        found = _users(mutant, names, lines) or set(chain(*lines.values()))
    found = found or {test for test in _tests() if test.startswith(own)}
    stages = [*map(_fastest, (naming, {test for test in found if test.startswith(own)}, found))]
    if "frozen=" in mutant.before:
        stages.insert(0, (_FROZEN,))
    if _reason(mutant) is None:
        files = {test.partition("::")[0] for test in chain(*lines.values()) if test.startswith(own)}
        near = {test for test in _cases() if test.partition("::")[0] in files}
        stages += [_added(own), _fastest(near, _LONGEST_NEAR, len(near))]
    seen: set[str] = set()
    for at, stage in enumerate(stages):  # none runs what one before it ran
        stages[at] = tuple(test for test in stage if test not in seen)
        seen.update(stage)
    return tuple(stage for stage in stages if stage)


def _assigned(mutant: Mutant) -> str:
    """A pattern of the names that the changed statement assigns; nothing if it assigns none."""
    statements = ast.parse((SOURCE / mutant.path).read_text("utf-8")).body
    changed = next(one for one in reversed(statements) if one.lineno <= mutant.line)
    if not isinstance(changed, (ast.Assign, ast.AnnAssign)):
        return ""
    targets = changed.targets if isinstance(changed, ast.Assign) else [changed.target]
    names = [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return rf"\b({'|'.join(names)})\b" if names else ""


@cache
def _writes(path: str, names: str) -> bool:
    """Whether a file of tests has one of these names."""
    file = ROOT / path
    return file.exists() and re.search(names, file.read_text("utf-8")) is not None


def _users(mutant: Mutant, names: str, lines: dict[int, list[str]]) -> set[str]:
    """The tests that come to a line with one of these names."""
    code = enumerate((SOURCE / mutant.path).read_text("utf-8").splitlines(), 1)
    return {test for line, text in code if names and re.search(names, text) for test in lines.get(line, ())}


def _tests() -> set[str]:
    """All tests, without their cases."""
    return {name for name in _seconds() if "[" not in name}


def _cases() -> set[str]:
    """All cases of all tests."""
    return _seconds().keys() - {case.partition("[")[0] for case in _seconds() if "[" in case}


@cache
def _there() -> frozenset[str]:
    """The cases of all tests as they are now: some were written or renamed after the tests were traced."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-o", "addopts=", "tests"]
    aside = ["--ignore=tests/spark", "--ignore=tests/project", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(_FOLDERS)}
    listed = subprocess.run(  # noqa: S603  # our own interpreter
        [*command, *aside], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    cases = (line for line in listed.stdout.splitlines() if line.startswith("tests/") and "::" in line)
    return frozenset(case for case in cases if _DIGESTS not in case)


def _added(folder: str) -> tuple[str, ...]:
    """The cases of a folder of tests that tracing did not know."""
    cases = {case for case in _there() if case.startswith(folder)} - _seconds().keys()
    return tuple(sorted(case.removeprefix("tests/") for case in cases))


def _fastest(tests: Iterable[str], longest: float = _LONGEST, most: int = _MOST) -> tuple[str, ...]:
    """Those that take least, and one at least; the first case of a test makes what the others find."""
    seconds = _seconds()
    of: dict[str, list[str]] = {}
    for test in sorted(tests, key=lambda test: (seconds.get(test, 1.0), test)):
        of.setdefault(test.partition("[")[0], []).append(test)
    chosen: list[str] = []
    total = 0.0
    for name in sorted(of, key=lambda name: (seconds.get(name, 1.0), name)):
        total += seconds.get(name, 1.0)
        for test in of[name]:
            if chosen and (total >= longest or len(chosen) == most):
                break
            chosen.append(test)
            total += seconds.get(test, 1.0)
    return tuple(test.removeprefix("tests/") for test in chosen)


@cache
def _seconds() -> dict[str, float]:
    """How long each case takes, and, by the name of the test, the longest of its cases."""
    found: dict[str, float] = {}
    for line in TIMES.read_text("utf-8").splitlines() if TIMES.exists() else ():
        seconds, _, case = line.partition(" ")
        if case not in _there():
            continue
        for name in (case, case.partition("[")[0]):
            found[name] = max(found.get(name, 0.0), float(seconds))
    return found


def judge(mutant: Mutant) -> str:
    """``killed``, ``timeout``, ``survived``, or ``unreached`` if no test comes to it."""
    outcome = "unreached"
    for tests in tests_of(mutant):
        outcome = _outcome(mutant, tests)
        if outcome != "survived":
            break
    return outcome


def _outcome(mutant: Mutant, tests: tuple[str, ...]) -> str:
    """What becomes of it in some tests."""
    child = os.fork()
    if child == 0:
        gc.disable()
        resource.setrlimit(resource.RLIMIT_CPU, (_PATIENCE, _PATIENCE))  # other processes do not count
        signal.alarm(_WAITING)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        survives = False
        try:
            survives = _survives(mutant, tests)
        finally:
            os._exit(0 if survives else 1)
    _, status, used = os.wait4(child, 0)
    if os.WIFSIGNALED(status):
        worked = used.ru_utime + used.ru_stime > _IDLE
        if os.WTERMSIG(status) == signal.SIGALRM and worked and mutant.operator != "none":
            raise RuntimeError(f"the machine is too busy for {mutant.path}:{mutant.line}: judge it again")
        return "timeout" if os.WTERMSIG(status) in _IN_VAIN else "killed"
    if os.WEXITSTATUS(status) == _NO_TEST:  # a mutant may change what cases are called
        sane = mutant._replace(code=(SOURCE / mutant.path).read_text("utf-8"))
        if sane == mutant or _outcome(sane, tests) != "survived":
            raise RuntimeError(f"pytest does not find all tests of {mutant.path}:{mutant.line}")
    return "survived" if os.WEXITSTATUS(status) == 0 else "killed"


def unsound(paths: Iterable[str]) -> set[str]:
    """The modules of which a test fails while nothing is damaged, so that it would notice everything.

    Each test is run once, however many modules it tests.
    """
    stages = {path: tests_of(_undamaged(path)) for path in paths}
    failing: set[str] = set()
    for path, tests in _parts(stages):
        if _outcome(_undamaged(path), tests) != "survived":
            failing.update(tests)
    return {path for path, of in stages.items() if not of or failing.intersection(chain(*of))}


def _undamaged(path: str) -> Mutant:
    """A module as it is, and the line to which most tests come."""
    source = (SOURCE / path).read_text("utf-8")
    lines = {} if path in TARGETS else _lines(path)
    line = max(lines, key=lambda line: len(lines[line]), default=1)
    return Mutant(path, line, source.splitlines()[line - 1], "", "none", source)


def _parts(stages: dict[str, tuple[tuple[str, ...], ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What one process runs, and a module for which it does: whole files as they are listed, or cases."""
    files = {of: path for path in stages for of in stages[path] if "::" not in of[0]}
    yield from ((path, of) for of, path in files.items())
    cases = {test: path for path in stages for of in stages[path] if of not in files for test in of}
    part: list[str] = []
    total = 0.0
    for test in sorted(cases):
        part.append(test)
        total += _seconds().get(f"tests/{test}", 1.0)
        if total >= _LONGEST_NEAR:
            yield cases[test], tuple(part)
            part, total = [], 0.0
    if part:
        yield cases[part[0]], tuple(part)


# ----------------------------------------------------------------------------------------------- report


@cache
def _reasons() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(REASONS.read_text("utf-8"))["survivor"]
    return found


def _reason(mutant: Mutant) -> str | None:
    for row in _reasons():
        lines = row["before"] in mutant.before and row["after"] in mutant.after
        if lines and fnmatch(mutant.path, row["path"]):
            return str(row["reason"])
    return None


def report(results: dict[str, str], everything: list[Mutant], *, sampled: bool = False) -> dict[str, Any]:
    """What became of the mutants, by module; survivors with their reasons; modules that a sample is of."""
    modules: dict[str, Counter[str]] = {}
    survivors = []
    for mutant in everything:
        outcome = results.get(mutant.key, "untested")
        modules.setdefault(mutant.path, Counter())[outcome] += 1
        if outcome in {"survived", "unreached"}:
            survivors.append(
                {
                    "file": f"src/msmq_wire/{mutant.path}",
                    "line": mutant.line,
                    "operator": mutant.operator,
                    "before": mutant.before,
                    "after": mutant.after,
                    "reason": _reason(mutant),
                }
            )
    total = sum(modules.values(), Counter())
    tested = total.total() - total["untested"]
    return {
        "modules": {path: dict(sorted(counts.items())) for path, counts in sorted(modules.items())},
        "sampled": sorted(modules) if sampled else [],
        "total": dict(sorted(total.items())),
        "killed": round((total["killed"] + total["timeout"]) / tested, 4) if tested else None,
        "survivors": survivors,
    }


def _merged(made: dict[str, Any]) -> dict[str, Any]:
    """What was found now, and of other modules what the last run found.

    No sample replaces a whole module, all of whose mutants were judged.
    """
    none: dict[str, Any] = {"modules": {}, "sampled": [], "survivors": []}
    old = json.loads(REPORT.read_text("utf-8")) if REPORT.exists() else none
    whole = {
        path
        for path, counts in old["modules"].items()
        if path not in old["sampled"]
        and not counts.get("untested")
        and sum(counts.values()) > sum(made["modules"].get(path, {}).values())
    }
    kept = {
        path: counts
        for path, counts in old["modules"].items()
        if (SOURCE / path).exists()
        and (path not in made["modules"] or (path in made["sampled"] and path in whole))
    }
    modules = dict(sorted({**made["modules"], **kept}.items()))
    sampled = [path for path in modules if path in (old if path in kept else made)["sampled"]]
    total = sum(map(Counter, modules.values()), Counter[str]())
    tested = total.total() - total["untested"]
    survivors = [one for one in old["survivors"] if _path(one) in kept]
    survivors += [one for one in made["survivors"] if _path(one) not in kept]
    return {
        "modules": modules,
        "sampled": sampled,
        "lines": _lines_tried(set(modules).difference(sampled)),
        "total": dict(sorted(total.items())),
        "killed": round((total["killed"] + total["timeout"]) / tested, 4),
        "survivors": survivors,
    }


def _writer() -> Any:
    """The module that writes the report; it imports rules, so that it comes after all processes."""
    sys.path[:0] = _FOLDERS
    return import_module("conformance_report")


def _lines_tried(modules: Iterable[str]) -> list[int]:
    """Lines of the modules all of whose mutants were tried, and of the whole source."""
    return [_writer().lines_of(modules), _writer().lines_of(None)]


def _below(made: dict[str, Any], least: float) -> list[str]:
    """The folders where too few mutants are noticed, of those that nothing says may live."""
    return [
        row.folder
        for row in _writer().folders_of(made)
        if row.tried > row.excused and row.noticed < least * (row.tried - row.excused)
    ]


def _path(survivor: dict[str, Any]) -> str:
    return str(survivor["file"]).removeprefix("src/msmq_wire/")


def part_of(paths: Iterable[str], number: int, of: int) -> list[str]:
    """The modules of one of so many parts, which have about as many bytes each."""
    if not 1 <= number <= of:
        raise SystemExit(f"--part: there is no part {number} of {of}")
    sizes = {path: (SOURCE / path).stat().st_size for path in paths}
    parts: list[list[str]] = [[] for _ in range(of)]
    for path in sorted(sizes, key=lambda path: (-sizes[path], path)):
        min(parts, key=lambda part: sum(map(sizes.__getitem__, part))).append(path)
    return parts[number - 1]


def main() -> int:
    """Run until all mutants are judged or the time is over, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, default=ROOT / ".mutants.json", help="where results are kept")
    parser.add_argument(
        "--only", action="append", help="only modules whose path has this in it; any of several"
    )
    parser.add_argument("--sample", type=int, default=0, help="about so many of each module, 0 for all")
    parser.add_argument("--seed", default="", help="another text draws another sample")
    parser.add_argument("--part", default="1/1", help="only a part of the modules, such as 2/12")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so many minutes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--least", type=float, default=0.9, help="fail below this share of noticed mutants")
    arguments = parser.parse_args()
    results: dict[str, str] = json.loads(arguments.store.read_text()) if arguments.store.exists() else {}
    paths = [
        path
        for path in dict.fromkeys((*TARGETS, *(ENGINE if CONTEXTS.exists() else ())))
        if arguments.only is None or any(part in path for part in arguments.only)
    ]
    paths = part_of(paths, *map(int, arguments.part.split("/")))
    everything = [mutant for path in paths for mutant in mutants(path, arguments.sample, arguments.seed)]
    waiting = [mutant for mutant in everything if mutant.key not in results]
    waiting.sort(key=lambda mutant: mutant.key)  # so that a part of a run is a sample
    prepare()
    print(f"{len(everything)} mutants, {len(waiting)} to judge", flush=True)
    end = time.monotonic() + 60 * arguments.minutes
    damaged: set[str] = set()

    def one(mutant: Mutant) -> None:
        if time.monotonic() < end:
            try:
                results[mutant.key] = judge(mutant)
            except RuntimeError as error:  # it stays untested
                print(error, flush=True)

    for of_rules in (False, True):
        mine = [mutant for mutant in waiting if mutant.path.startswith(_RULES_FOLDER) is of_rules]
        if of_rules and mine:
            _prepare_rules()
        bad = unsound(dict.fromkeys(mutant.path for mutant in mine))
        for path in sorted(bad):
            print(f"tests of {path} fail without any damage", flush=True)
        damaged |= bad
        mine = [mutant for mutant in mine if mutant.path not in bad]  # the others stay untested
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for done, _ in enumerate(pool.map(one, mine), 1):
                arguments.store.write_text(json.dumps(results, indent=0, sort_keys=True))
                if done % 10 == 0 or done == len(mine):
                    print(f"{done} of {len(mine)}", dict(Counter(results.values())), flush=True)
    arguments.store.write_text(json.dumps(results, indent=0, sort_keys=True))
    made = report(results, everything, sampled=arguments.sample > 0)
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps(_merged(made), indent=1) + "\n")
    print(json.dumps({name: made[name] for name in ("total", "killed")}))
    for survivor in made["survivors"]:
        if survivor["reason"] is None:
            print(f"{survivor['file']}:{survivor['line']}: {survivor['before']} -> {survivor['after']}")
    good = made["killed"] is not None and made["killed"] >= arguments.least
    below = _below(made, arguments.least)
    for folder in below:
        print(f"too few mutants of {folder} are noticed")
    return 0 if good and not below and not damaged else 1


if __name__ == "__main__":
    raise SystemExit(main())
