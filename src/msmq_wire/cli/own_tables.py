"""Tables that are given as input where captures are expected; needs the extra ``captures``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from msmq_wire.captures.files.sources import shown
from msmq_wire.captures.reports.report import TABLES as REPORTED
from msmq_wire.captures.table_builder import TABLES
from msmq_wire.captures.writing import DATABASE, is_report, output_of

from .outcome import OptionError

_TABLES: Final = {"explain": "packets", "validate": "violations"}
"""The tables that have what subcommands show whose name is not that of a table."""
_USUAL: Final = "deliveries"
"""The table for other subcommands."""

_OF_LAKES: Final = ("_delta_log", "metadata")
"""Folders of tables whose Parquet files are not all valid."""


def output_with(file: str) -> str | None:
    """Return the directory of tables to which a file belongs; None if it belongs to none."""
    try:
        output = output_of(Path(file))
    except (OSError, ValueError):
        return None
    return None if output is None else str(output)


def check_captures(folder: str) -> None:
    """Check that a directory has other files than those of tables.

    Raises:
        OptionError: It has none.
    """
    output = _only_output(folder)
    if output is not None:
        raise OptionError(tables_problem(output))


def _only_output(folder: str) -> str | None:
    """Return the first directory of tables in a folder that has no other files, apart from reports."""
    output = None
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        for name in names:
            path = os.path.join(root, name)  # noqa: PTH118  # paths may contain bytes that are not text
            output_here = None if name[0] in "._" else output_with(path)
            output = output or output_here
            if name[0] not in "._" and output_here is None and not is_report(path):
                return None
    return output


def tables_problem(output: str) -> str:
    """Return a sentence that says where the rows of a directory of tables are, and how to read them."""
    context = click.get_current_context(silent=True)
    verb = "" if context is None else context.info_name or ""
    table = verb if verb in TABLES else _TABLES.get(verb, _USUAL)
    folder, database, name = Path(output, table), Path(output, DATABASE), shown(output)
    advice = f"read {shown(str(folder)) if folder.is_dir() else 'its tables'}"
    if database.exists():
        advice = f"read the table {table} in {shown(str(database))} with DuckDB"
    elif any(folder.glob("**/*.parquet")) and not any((folder / inner).exists() for inner in _OF_LAKES):
        advice += " with DuckDB"
        if all(Path(output, other).is_dir() for other in REPORTED):
            advice += f", or write a page about all tables with msmq-wire report {name} PAGE"
    return f"{name} has tables that msmq-wire wrote, but msmq-wire {verb} reads captures: {advice}"
