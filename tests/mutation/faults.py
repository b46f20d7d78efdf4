"""Puts each named fault of ``specs/faults.toml`` in its place, and sees whether the tests that it names fail.

A test of a machine is evidence if there is a fault that it notices.  No file is touched: a process of its own
gets the changed source.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
import tomllib
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_loader
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import CodeType

    import pytest

__all__ = ["ROOT", "SOURCE", "Changed", "Fault", "in_a_process", "load_faults", "noticed"]

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "msmq_wire"
PATIENCE = 150
"""Seconds of processor time after which a process with a fault is ended: the fault made something endless."""
_HANGS = 1800
"""Seconds after which it waits for something that does not come."""
_EARLY = ("pytest", "hypothesis.strategies", "msgspec", "dissect.cstruct", "cryptography.x509", "numpy")


class Fault(NamedTuple):
    """A change to a module that tests have to notice.

    Attributes:
        path: The module, from the package.
        before: Text that it has once.
        after: What stands there instead.
        tests: Node ids of the tests that fail then, without parameters.
    """

    path: str
    before: str
    after: str
    tests: tuple[str, ...]

    @property
    def code(self) -> str:
        """The source with the fault."""
        return (SOURCE / self.path).read_text("utf-8").replace(self.before, self.after, 1)


class Changed(SourceFileLoader):
    """Loads one module from another source, and finds it."""

    def __init__(self, path: str, code: str) -> None:
        name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        super().__init__(f"msmq_wire.{name}", str(SOURCE / path))
        self.source = code

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """The spec of that module; of others none."""
        return spec_from_loader(name, self) if name == self.name else None

    def get_code(self, _: str) -> CodeType:
        """Its code, which no cache has."""
        return compile(self.source, self.path, "exec")


class _Failures:
    """Which tests failed."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.found.add(report.nodeid.partition("[")[0])


def load_faults() -> list[Fault]:
    """Every named fault."""
    table = tomllib.loads((ROOT / "specs" / "faults.toml").read_text("utf-8"))
    return [Fault(row["path"], row["before"], row["after"], tuple(row["tests"])) for row in table["fault"]]


def prepare() -> None:
    """Import what every process needs and no fault changes."""
    for name in _EARLY:
        try:
            import_module(name)
        except ImportError:  # an optional one
            continue
    sys.path[:0] = [str(SOURCE.parent), str(ROOT / "tests"), str(ROOT / "tests" / "support")]
    import_module("support_specs").load_requirements()


def in_a_process(work: Callable[[], Iterable[str]]) -> set[str] | None:
    """What a function gives in a process of its own, without a word; None if that ends otherwise."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
        signal.alarm(_HANGS)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        try:
            os.write(writing, json.dumps(sorted(work())).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return set(json.loads(said)) if said else None


def noticed(path: str, code: str, tests: Iterable[str]) -> set[str] | None:
    """Those of some tests that fail with this source; None if that ended the process or was endless."""

    def work() -> set[str]:
        import pytest  # noqa: PLC0415  # imported before the fork

        sys.meta_path.insert(0, Changed(path, code))
        os.environ["HYPOTHESIS_PROFILE"] = "unshrunk"  # that a test fails is enough
        failures = _Failures()
        options = [
            *("--long", "-q", "--tb=native", "-p", "no:cacheprovider", "-p", "no:warnings"),
            *("-o", "addopts=", "--rootdir", str(ROOT)),
        ]
        ended = pytest.main([*options, *(str(ROOT / test) for test in tests)], plugins=[failures])
        return failures.found if ended in {0, 1} else {"collection"}

    return in_a_process(work)


def main() -> int:
    """Try the faults, and say which tests passed with one that they are named for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=0, help="try so many, always the same; 0 is all")
    arguments = parser.parse_args()
    faults = load_faults()
    if 0 < arguments.sample < len(faults):
        faults = [faults[at * len(faults) // arguments.sample] for at in range(arguments.sample)]
    prepare()
    missed = 0
    for fault in faults:
        failed = noticed(fault.path, fault.code, fault.tests)
        for test in fault.tests:
            if failed is not None and test not in failed:
                missed += 1
                print(f"{fault.path}: {fault.before!r} -> {fault.after!r} is not noticed by {test}")
    print(f"{len(faults)} faults, {sum(len(fault.tests) for fault in faults)} tests, {missed} unnoticed")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
