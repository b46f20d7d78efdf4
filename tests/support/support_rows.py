"""One test over all rows of a table: one cause is one failure, which lists the rows by name.

1. The table is a function.  It is called while the test runs, so a mistake in it fails the tests that use it,
   and does not prevent the collection of others.
2. All rows are tried.  The failure begins with the name of the first row that fails, shows its traceback, and
   has a line for each other row.
3. Rows that are made by `proves` count as evidence one by one, see `conformance_plugin`.
4. ``--row=NAME`` tries only rows whose name contains this.  The mark ``each(n)`` counts rows.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Test = Callable[..., None]

__all__ = ["PROPERTY_OF_A_ROW", "for_each", "table"]

PROPERTY_OF_A_ROW: Final = "requirement of a row"
_SHOWN: Final = 20
_LONG: Final = 300
_LETTERS: Final = 60
_BITS: Final = 128

_REQUEST: Final = inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD)

T = TypeVar("T")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option for one row."""
    parser.addoption("--row", default="", help="of tests over a table, try only rows with this in their name")


def table(make: Callable[[], T]) -> Callable[[], T]:
    """Return a table that is made once, when a test first reads it.

    ``ROWS = table(lambda: ...)`` at the top of a module is read by ``ROWS()``.
    """
    return functools.cache(make)


def for_each(
    names: str | Sequence[str], rows: Callable[[], Iterable[Any]], ids: Callable[[Any], object] | None = None
) -> Callable[[Test], Test]:
    """Call a test once for each row of a table.

    Args:
        names: The arguments that a row has, as for `pytest.mark.parametrize`.
        rows: Returns the rows: values, tuples of values for several arguments, or results of `pytest.param`.
        ids: The name of a row by its values; by default made of the values.
    """
    arguments = (
        [name.strip() for name in names.split(",") if name.strip()] if isinstance(names, str) else [*names]
    )
    single = len(arguments) == 1

    def decorate(test: Test) -> Test:
        @functools.wraps(test, updated=())  # attributes of Hypothesis stay with the test of a row
        def run(*owner: Any, request: pytest.FixtureRequest, **fixtures: Any) -> None:
            wants = "request" in signature.parameters
            if wants:
                fixtures["request"] = request
            failed: list[tuple[str, BaseException]] = []
            skipped: list[BaseException] = []
            tried = 0
            for at, row in enumerate(_chosen(request, rows(), is_property=property_test is not None)):
                values, marks, name = _taken_apart(row, single, ids, at)
                if request.config.getoption("--row", default="") not in name:
                    continue
                tried += 1
                outcome = "passed"
                if property_test is not None:  # as the plugin of Hypothesis does: other draws for each row
                    digest = f"{request.node.nodeid}[{name}]".encode()
                    property_test.inner_test._hypothesis_internal_add_digest = digest
                try:
                    test(*owner, **dict(zip(arguments, values, strict=True)), **fixtures)
                except pytest.skip.Exception as error:
                    outcome = "skipped"
                    skipped.append(error)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # all rows are tried
                    outcome = "failed"
                    failed.append((name, error))
                for mark in marks:
                    request.node.user_properties += [(PROPERTY_OF_A_ROW, [one, outcome]) for one in mark.args]
            if failed:
                raise AssertionError(_listed(failed, tried)) from failed[0][1]
            if tried and len(skipped) == tried:
                raise skipped[0]

        property_test = getattr(test, "hypothesis", None)
        signature = inspect.signature(test)
        rest = [one for one in signature.parameters.values() if one.name not in {*arguments, "request"}]
        rest.insert("self" in signature.parameters, _REQUEST)
        setattr(run, "__signature__", signature.replace(parameters=rest))  # noqa: B010
        setattr(run, "pytestmark", [*getattr(test, "pytestmark", ())])  # noqa: B010
        return run

    return decorate


def _chosen(request: pytest.FixtureRequest, rows: Iterable[Any], *, is_property: bool) -> Iterable[Any]:
    """Return the rows of a run; what it leaves out of a property is more examples of each row, too."""
    mark = request.node.get_closest_marker("each")
    option = request.config.getoption
    if mark is None or (option("--long", default=False) and not option("--left-out", default=False)):
        return rows
    if option("--long", default=False):
        if is_property:
            return rows
        return [row for at, row in enumerate(rows) if at % mark.args[0]]
    return [*rows][:: mark.args[0]]


def _taken_apart(
    row: Any, single: bool, ids: Callable[[Any], object] | None, at: int
) -> tuple[tuple[Any, ...], list[pytest.Mark], str]:
    """The values, the marks of requirements, and the name of a row."""
    if isinstance(row, _ParameterSet):
        values = tuple(row.values)
        marks = [mark.mark if isinstance(mark, pytest.MarkDecorator) else mark for mark in row.marks]
        named = row.id
    else:
        values, marks, named = ((row,) if single else tuple(row)), [], None
    if not isinstance(named, str):
        named = str(ids(values[0] if single else values)) if ids else "-".join(map(_name, values))
    return values, [mark for mark in marks if mark.name == "requirement"], named or f"row {at}"


_ParameterSet: Final = type(pytest.param())


def _name(value: object) -> str:
    """A short text for a value."""
    for attribute in ("name", "__name__"):
        name = getattr(value, attribute, None)
        if isinstance(name, str):
            return name
    if isinstance(value, bytes):
        text = value[:_LETTERS].hex(" ")
    elif isinstance(value, int) and value.bit_length() > _BITS:
        text = hex(value)
    elif isinstance(value, str | int | float | tuple | None):
        text = str(value) if not isinstance(value, tuple) else " ".join(map(_name, value))
    else:
        text = type(value).__name__
    return text if len(text) <= _LETTERS else f"{text[:_LETTERS]}..."


def _listed(failed: list[tuple[str, BaseException]], tried: int) -> str:
    (name, error), *others = failed
    lines = [f"{name}: {_said(error)}"]
    if others:
        lines.append(f"{len(failed)} of {tried} rows fail; the others:")
        lines += [f"{name}: {_said(error).splitlines()[0][:_LONG]}" for name, error in others[:_SHOWN]]
        if len(others) > _SHOWN:
            lines.append("and " + ", ".join(name for name, _ in others[_SHOWN:]))
    return "\n".join(lines)


def _said(error: BaseException) -> str:
    kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
    return "\n".join([f"{kind}{error}", *getattr(error, "__notes__", ())])
