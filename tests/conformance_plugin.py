"""A pytest plugin: which requirement each test proves, whether all are proved, and a report of that.

1. A test says what it proves by ``@pytest.mark.requirement(*ids)``.  Tests that the catalogue names under
   `proved_by`, and those that are evidence, get the mark here, so that ``-m requirement`` selects all tests
   that count.
2. Of a test over a table, each row proves what it names, see `support_rows`.
3. Marks travel as properties of the test reports.  So the process that gathers the reports knows them, also
   with xdist, where the tests are collected elsewhere.
4. The run fails when a mark names no requirement of the catalogue.  A complete run also fails when an
   absolute requirement that can be tested has no test that passed, or, if no test was skipped, when the
   committed page has other numbers.  A run of some paths, words or failures is not complete and is not
   judged.
5. A complete run writes ``requirements.json`` and ``requirements.html`` to the directory that the
   configuration names; any run does with ``--conformance-report=DIR``.  ``--conformance-page`` writes the
   numbers of the committed page anew.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import pytest
from support_rows import PROPERTY_OF_A_ROW
from support_specs import SPECS, load_evidence, load_requirements

from conformance_report import RESULTS, Results, Tested, with_numbers, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from support_specs import Requirement

__all__ = ["Conformance"]

_PROPERTY: Final = "requirement"
_NAME: Final = "conformance"
_SHOWN: Final = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the report and the page, and the place of the catalogue."""
    group = parser.getgroup("conformance")
    group.addoption(
        "--conformance-report",
        metavar="DIR",
        default=None,
        help="write which tests prove which requirements, as JSON and HTML, into this directory",
    )
    group.addoption(
        "--conformance-page",
        action="store_true",
        help="write the numbers of the committed page anew, if the run is complete and no test was skipped",
    )
    parser.addini("conformance_report", "directory of the report of a complete run", default="")
    parser.addini(
        "conformance_page", "the committed page with numbers of results, if there is one", default=""
    )
    parser.addini("conformance_specs", "directory with the requirements", default=str(SPECS))


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known and start to listen."""
    config.addinivalue_line(
        "markers", "requirement(*ids): the test proves these requirements of the catalogue"
    )
    config.pluginmanager.register(Conformance(config), _NAME)


class Conformance:
    """What one run shows about the requirements.

    Attributes:
        requirements: The catalogue by id.
        results: What was seen of each.
        unknown: Ids that are not in the catalogue, each with the first test that named it.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        specs = Path(config.getini("conformance_specs"))
        try:
            rows = load_requirements(specs)
        except ValueError as error:  # of TOML, too
            raise pytest.UsageError(str(error)) from error
        self.requirements: dict[str, Requirement] = {row.id: row for row in rows}
        self._evidence = load_evidence(specs)
        self.results = Results(rows, self._evidence)
        self.unknown: dict[str, str] = {}
        self._page: str = config.getini("conformance_page")
        self._proving: dict[str, list[str]] = {}
        for row in rows:
            for node in row.proved_by:
                self._proving.setdefault(node, []).append(row.id)

    # ---------------------------------------------------------------- where tests are collected

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: Sequence[pytest.Item]) -> None:
        """Mark what the catalogue names, and let the marks travel with the reports."""
        for item in items:
            ids = self._proving.get(_function(item.nodeid))
            if ids or _function(item.nodeid) in self._evidence:  # the mark of a table has no ids
                item.add_marker(pytest.mark.requirement(*(ids or ())))
            proved = {one: None for mark in item.iter_markers("requirement") for one in mark.args}
            item.user_properties += [(_PROPERTY, one) for one in proved]

    # ---------------------------------------------------------------- where reports are gathered

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a test ended."""
        for name, value in report.user_properties:
            if name == _PROPERTY:
                self._note(report, str(value), report.outcome)
            elif name == PROPERTY_OF_A_ROW and report.when == "call":
                requirement, outcome = cast("list[str]", value)
                self._note(report, requirement, outcome)

    def _note(self, report: pytest.TestReport, requirement: str, outcome: str) -> None:
        if requirement not in self.requirements:
            self.unknown.setdefault(requirement, report.nodeid)
        elif outcome != "passed" or report.when == "call":
            self.results.add(requirement, Tested(_function(report.nodeid), outcome))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the report and the page, and fail the run if need be."""
        if hasattr(self._config, "workerinput"):
            return
        directory = self._directory(session)
        if directory is not None:
            write(self.results, directory)
        if self._config.getoption("conformance_page") and self._comparable(session):
            path = self._config.rootpath / self._page
            path.write_text(with_numbers(path.read_text("utf-8"), self.results), "utf-8", newline="\n")
        if session.exitstatus == pytest.ExitCode.OK and any(self._complaints(session)):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what is missing, and what the report says."""
        session = terminalreporter._session
        directory = self._directory(session)
        if directory is not None:
            counts = Counter(map(self.results.result, self.results.requirements))
            said = ", ".join(f"{counts[result]} {result}" for result in RESULTS if counts[result])
            part = "" if self._complete(session) else " (a part of the tests)"
            terminalreporter.line(f"conformance report in {directory}{part}: {said}")
        lines = list(self._complaints(session))
        if lines:
            terminalreporter.section("conformance", red=True)
            for line in lines[:_SHOWN]:
                terminalreporter.line(line)
            if len(lines) > _SHOWN:
                terminalreporter.line(f"and {len(lines) - _SHOWN} more")

    def _complaints(self, session: pytest.Session) -> Iterator[str]:
        for one, node in sorted(self.unknown.items()):
            yield f"{node} names {one!r}, which is no requirement"
        if self._complete(session):
            for row in self.results.untested():
                yield f"{row.id} ({row.level}, {', '.join(row.checked)}) has no test that passed"
            if self._comparable(session):
                page = (self._config.rootpath / self._page).read_text("utf-8")
                if page != with_numbers(page, self.results):
                    yield f"{self._page} has other numbers than this run: run nox -s report"

    def _directory(self, session: pytest.Session) -> Path | None:
        """Where the report goes."""
        chosen = self._config.getoption("conformance_report")
        if chosen is not None:
            return Path(chosen)
        configured = self._config.getini("conformance_report")
        return self._config.rootpath / configured if configured and self._complete(session) else None

    def _comparable(self, session: pytest.Session) -> bool:
        """Whether the numbers of the page have to be those of this run."""
        return bool(self._page) and self._complete(session) and self.results.all_passed()

    def _complete(self, session: pytest.Session) -> bool:
        """Whether every test that counts was run."""
        config = self._config
        option = config.option
        paths = {Path(path).resolve() for path in config.args}
        every = {(config.rootpath / path).resolve() for path in config.getini("testpaths")}
        return (
            paths == (every or {config.invocation_params.dir})
            and option.markexpr in {"", "requirement"}
            and not any(
                getattr(option, name, None)
                for name in (
                    "keyword",
                    "deselect",
                    "ignore",
                    "ignore_glob",
                    "lf",
                    "collectonly",
                    "stepwise",
                    "left_out",  # an option of this project's tests: the other half
                )
            )
            and not (session.shouldstop or session.shouldfail)
            and not self._broken()
        )

    def _broken(self) -> bool:
        """Whether a file could not be collected."""
        reporter: Any = self._config.pluginmanager.get_plugin("terminalreporter")
        return reporter is not None and any(
            isinstance(report, pytest.CollectReport) for report in reporter.stats.get("error", ())
        )


def _function(node: str) -> str:
    """The id of a test without its parameters."""
    return node.partition("[")[0]
