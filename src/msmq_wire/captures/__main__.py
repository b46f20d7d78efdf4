"""``python -m msmq_wire.captures PATH... --output DIR``: captures to tables, and ten lines about them."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

from msmq_wire.values.errors import MsmqWireError

from . import FORMATS, TABLES, write
from .summary import Summary

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_BAD_INPUT, _BAD_OUTPUT = 1, 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m msmq_wire.captures",
        description="Reads MSMQ packets out of capture files and writes tables of what was found.",
    )
    parser.add_argument("input", nargs="+", help="files, directories and patterns")
    parser.add_argument("--output", required=True, help="the directory for the tables")
    parser.add_argument("--format", choices=FORMATS, default="parquet", help="parquet if not given")
    parser.add_argument("--tables", help=f"some of these, separated by commas: {', '.join(TABLES)}")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """The command.

    Returns:
        0; 1 where the input cannot be read, 2 where the output cannot be written.
    """
    given = _parser().parse_args(arguments)
    names = None if given.tables is None else [name for name in given.tables.split(",") if name]
    summary = Summary()
    began = time.monotonic()
    try:
        write(given.input, given.output, given.format, names, notice=summary.add)
    except (MsmqWireError, ModuleNotFoundError) as error:
        print(f"msmq_wire.captures: {error}", file=sys.stderr)  # noqa: T201  # this is the command line
        return _BAD_INPUT
    except OSError as error:
        print(f"msmq_wire.captures: {error}", file=sys.stderr)  # noqa: T201  # as above
        return _BAD_OUTPUT
    for line in summary.lines():
        if names is None or line.split(maxsplit=1)[0] in {*names, "missing"} or line[:1] == " ":
            print(line)  # noqa: T201  # as above
    print(f"{sum(summary.rows.values()):,} rows in {given.output}, {time.monotonic() - began:.1f} s")  # noqa: T201  # as above
    return 0


if __name__ == "__main__":
    sys.exit(main())
