"""Selects and orders the tests of a run, and skips those whose programs are missing.

1. A run without options has every test but those marked ``long``, and of a test marked ``each(n)`` each n-th
   case; property tests draw few examples.  With ``--long`` it has all, and they draw more; with ``--long
   --left-out`` only the tests that a run without options omits.  How much more is in `support_examples`.
2. A test marked ``needs("tshark")`` is skipped where this program is missing; the last lines name it.
3. Where ``CI`` is ``true`` in the environment, a skip for a reason that is not in `REASONS` fails the run.
4. With pytest-xdist, all tests with a Spark session go to one worker, so that there is one session.
"""

from __future__ import annotations

import compileall
import gc
import importlib
import os
import shutil
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from support_examples import RUNS
from support_invariants import checked

from msmq_wire.machines.replication import Machine

if TYPE_CHECKING:
    from collections.abc import Iterator

sys.dont_write_bytecode = False  # the processes that tests start would each compile the package again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

setattr(Machine, "step", checked(Machine.step))  # noqa: B010  # after every step of every test

pytest_plugins = ["support_command", "support_ports", "support_rows", "support_tables", "conformance_plugin"]

for name, run in RUNS.items():
    settings.register_profile(
        name,
        max_examples=run.examples,
        deadline=None,
        derandomize=name != "thorough",
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.filter_too_much,
        ],
    )
settings.register_profile("unshrunk", settings.get_profile("long"), phases=(Phase.explicit, Phase.generate))


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option for all tests and cases."""
    parser.addoption(
        "--long",
        action="store_true",
        help="run the tests marked 'long' and every case of those marked 'each'",
    )
    parser.addoption(
        "--left-out", action="store_true", help="with --long: run only the tests that a run without it omits"
    )
    parser.addoption("--budget", type=float, help="skip tests that have not begun after this many seconds")
    parser.addoption("--first", default="", help="parts of file names, separated by commas: run these first")


def pytest_configure(config: pytest.Config) -> None:
    """The marks of tests that take long, or need a program."""
    config.addinivalue_line("markers", "long: only with the option --long")
    config.addinivalue_line("markers", "each(n): each n-th case is run, and all with the option --long")
    config.addinivalue_line(
        "markers", "needs(*programs): skipped if one of them is missing; a|b is any of two"
    )
    config.pluginmanager.register(_Skips(), "skips")
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        compileall.compile_dir(_SOURCE, quiet=2, workers=0)  # once, and not in every worker
    settings.load_profile(
        os.environ.get("HYPOTHESIS_PROFILE") or ("long" if config.getoption("--long") else "quick")
    )


_SOURCE: Final = Path(__file__).parent.parent / "src"
_STARTED = time.monotonic()
_NO_SESSION = tuple(
    f"tests/spark/test_{name}.py"
    for name in ("building", "contents", "kill", "processes", "report", "segments")
)
"""Tests without a session, or with some in processes of their own; they run beside those that share one."""
_FIRST = (
    *("tests/spark/", "tests/machines/test_replication_enterprise.py", "tests/fuzz/", "tests/project/"),
    *("tests/testing/test_rehearsal.py", "tests/captures/test_fates.py"),
)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[None]:
    """Never look for garbage among the modules and the tests, of which there is none, and rarely later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Omit long tests unless they are requested; of the rest, the longest begin first."""
    if not config.getoption("--long"):
        _keep(config, items, _in_every_run(items))
    elif config.getoption("--left-out"):
        _keep(config, items, _left_out(items))
    items.sort(key=lambda item: not item.nodeid.startswith(_FIRST))
    words = [word for word in config.getoption("--first").split(",") if word]
    items.sort(key=lambda item: not any(word in item.path.stem for word in words))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests whose program is missing, and tests beyond the time budget of a quick run."""
    needed = [name for mark in item.iter_markers("needs") for name in mark.args]
    missing = [names for names in needed if not any(map(shutil.which, names.split("|")))]
    if missing:
        pytest.skip(f"{', '.join(missing).replace('|', ' or ')} not installed")
    budget = item.config.getoption("--budget")
    if budget is not None and time.monotonic() - _STARTED > budget:
        pytest.skip(f"not begun within {budget:g} s")


def _in_every_run(items: list[pytest.Item]) -> list[bool]:
    """Return the tests of a run without options."""
    numbers: Counter[str] = Counter()
    chosen = []
    for item in items:
        mark = item.get_closest_marker("each")
        test = item.nodeid.partition("[")[0]
        chosen.append(
            item.get_closest_marker("long") is None and (mark is None or numbers[test] % mark.args[0] == 0)
        )
        numbers[test] += 1
    return chosen


def _left_out(items: list[pytest.Item]) -> list[bool]:
    """Return the tests that it omits, also in part: other rows of a table, more examples of a property."""
    return [
        not chosen or (item.get_closest_marker("each") is not None and "[" not in item.nodeid) or _draws(item)
        for item, chosen in zip(items, _in_every_run(items), strict=True)
    ]


def _draws(item: pytest.Item) -> bool:
    """Whether it is a property test or a stateful one, perhaps over a table."""
    function = getattr(item, "obj", None)
    while function is not None and not hasattr(function, "is_hypothesis_test"):
        function = getattr(function, "__wrapped__", None)
    return function is not None


def _keep(config: pytest.Config, items: list[pytest.Item], chosen: list[bool]) -> None:
    kept = [item for item, whether in zip(items, chosen, strict=True) if whether]
    others = [item for item, whether in zip(items, chosen, strict=True) if not whether]
    items[:] = kept
    config.hook.pytest_deselected(items=others)


REASONS: Final = {
    "nothing is closed to the administrator": "files that may not be read: nobody else runs the tests there",
    "Wireshark takes the copy that came first": "damaged copies, which the others of these tests have too",
}
"""Reasons for which a test may be skipped in CI, and why that is harmless."""


class _Skips:
    """The tests that were skipped, by reason."""

    def __init__(self) -> None:
        self._reasons: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record why a test was skipped."""
        if report.skipped and isinstance(report.longrepr, tuple):
            self._reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record why a file was skipped."""
        if report.skipped and isinstance(report.longrepr, tuple):
            self._reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run in CI if a test was skipped for a reason that is not in `REASONS`."""
        if (
            session.exitstatus == pytest.ExitCode.OK
            and self._refused()
            and not hasattr(session.config, "workerinput")
        ):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """One line for each reason."""
        for reason, count in sorted(self._reasons.items()):
            terminalreporter.line(f"{count} skipped: {reason}")
        for reason in self._refused():
            terminalreporter.line(f"no test may be skipped here because of this: {reason}", red=True)

    def _refused(self) -> list[str]:
        return sorted(self._reasons.keys() - REASONS.keys()) if os.environ.get("CI") == "true" else []


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than the number of processors: tests of Spark and of programs wait for other processes."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The tests of a file together, and all tests with a session of Spark.

    Each test by itself would make the fixtures of a module in every worker.
    The mark ``xdist_group`` cannot be used: pytest-xdist 3.8 loses it with pytest 9.2.
    """
    config.option.loadscopereorder = False
    scheduler = importlib.import_module("xdist.scheduler").LoadScopeScheduling(config, log)
    scheduler._split_scope = _scope
    return scheduler


def _scope(nodeid: str) -> str:
    file = nodeid.partition("::")[0]
    return "spark" if file.startswith("tests/spark/") and file not in _NO_SESSION else file
