"""Options that subcommands share: their checks and their completion in a shell."""

from __future__ import annotations

import os
import re
from functools import wraps
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from msmq_wire.documents.layouts import structures
from msmq_wire.packets.packet import class_of
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.wchar import has_surrogate

from .extras import MissingError, captured_module
from .output import is_terminal

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST: Final = (1 << 63) - 1
_TOLERANCE: Final = "msmq_wire.clock_tolerance"
_COLOURS: Final = ("auto", "always", "never")
_REQUIREMENT: Final = re.compile(r"MQ[A-Z]+-[0-9A-Z.]+-[0-9]+")

files_argument = click.argument("files", nargs=-1, type=click.Path(readable=False), metavar="[FILE]...")
hex_option = click.option(
    "--hex", "digits", metavar="TEXT", help="The bytes as text: digits, a dump, a literal."
)
lines_option = click.option(
    "--format",
    "form",
    type=click.Choice(("text", "jsonl")),
    default="text",
    help="Output format; default: text.",
)
key_option = click.option(
    "--key",
    "keys",
    type=click.Path(),
    metavar="FILE",
    multiple=True,
    callback=lambda _context, _option, paths: tuple(map(_private_key, paths)),
    help="Decrypt bodies with this RSA private key of a receiver: PEM, DER, or PKCS #12 without a password.",
)
color_option = click.option(
    "--color",
    type=click.Choice(_COLOURS),
    default="auto",
    help="When to use colours; auto: on a terminal, unless NO_COLOR is set.",
)


def schema_option(function: Any) -> Any:
    """Add the option that names fields as another tool does.  It means JSON lines.

    It excludes other formats and a choice of columns.
    """

    @wraps(function)
    def checked(*arguments: Any, form: str, schema: str, **options: Any) -> Any:
        if schema != "own":
            is_default = click.get_current_context().get_parameter_source("form") is ParameterSource.DEFAULT
            if not is_default and form not in {"auto", "jsonl", schema}:
                raise click.UsageError(
                    f"--schema names the fields of JSON lines, so it excludes --format {form}"
                )
            if options.get("fields") is not None:
                raise click.UsageError("--schema names the fields of JSON lines, so it excludes --fields")
            form = "jsonl"
        return function(*arguments, form=form, schema=schema, **options)

    return click.option(
        "--schema",
        type=click.Choice(("own", "ecs", "zeek", "zeek-tsv")),
        default="own",
        help="Names of the fields of JSON lines: own (default), those of Elastic Common Schema, or of Zeek; "
        "zeek-tsv: the text format of Zeek's logs.",
    )(checked)


def _private_key(path: str) -> Any:
    """Read a private key, which is kept in memory only."""
    try:
        from msmq_wire.crypto import PrivateKey  # noqa: PLC0415  # needs an extra

        return PrivateKey(Path(path).read_bytes())
    except ImportError as error:
        raise MissingError(str(error)) from None
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror}") from None
    except MsmqWireError as error:
        raise click.BadParameter(f"{path}: {error}") from None


def at_most(_context: Any, _option: Any, given: Any) -> Any:
    """Reduce numbers to 63 bits, which pyarrow and itertools accept, and which no input reaches."""
    if isinstance(given, tuple):
        return tuple(min(number, _MOST) for number in given)
    return None if given is None else min(given, _MOST)


def complete_paths(table: str) -> Callable[[Any, Any, str], list[CompletionItem]]:
    """Create the completion of field paths of a table, after the last comma."""

    def complete(_context: Any, _parameter: Any, incomplete: str) -> list[CompletionItem]:
        try:
            schemas = captured_module().SCHEMAS | {"dependencies": captured_module("dependencies").COLUMNS}
            paths = captured_module("rows").paths_of(schemas[table])
        except MissingError:
            return []
        before, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(before + comma + path) for path in paths if path.lower().startswith(last.lower())
        ]

    return complete


def complete_structures(_context: Any, _parameter: Any, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a structure."""
    return [CompletionItem(name) for name in structures() if name.lower().startswith(incomplete.lower())]


def check_structure(_context: Any, _parameter: Any, kind: str | None) -> str | None:
    """Check the name of a structure."""
    if kind is not None:
        try:
            class_of(kind)
        except MsmqWireError as error:
            raise click.BadParameter(str(error)) from None
    return kind


kind_option = click.option(
    "--kind",
    metavar="NAME",
    callback=check_structure,
    shell_complete=complete_structures,
    help="Decode the bytes as this structure, such as DirectoryChange.",
)


def check_text(_context: Any, _parameter: Any, given: Any) -> Any:
    """Refuse arguments, one or several, that are not UTF-8, which nothing in a table can contain."""
    for text in (given,) if isinstance(given, str) else given:
        if has_surrogate(text):
            raise click.BadParameter(f"expected UTF-8, got {os.fsencode(text)!r}")
    return given


def _remember_tolerance(context: click.Context, _option: Any, given: float | None) -> None:
    if given is not None and isnan(given):  # NaN is within any range
        raise click.BadParameter("expected a number, got nan")
    context.meta[_TOLERANCE] = given


tolerance_option = click.option(
    "--clock-tolerance",
    type=click.FloatRange(0, 0xFFFF_FFFF),
    callback=_remember_tolerance,
    expose_value=False,
    metavar="SECONDS",
    help="In captures, by how much the clocks of senders and sensors may differ; default: 60.",
)
"""Sets what `clock_tolerance` returns."""


def clock_tolerance() -> dict[str, Any]:
    """Return the setting that `tolerance_option` gives, if it was given."""
    context = click.get_current_context(silent=True)
    given = None if context is None else context.meta.get(_TOLERANCE)
    return {} if given is None else {"clock_tolerance": given}


def check_requirements(_context: Any, _parameter: Any, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Check ids of requirements."""
    for identifier in ids:
        if not _REQUIREMENT.fullmatch(identifier):
            raise click.BadParameter(f"expected an id such as MQMQ-2.2.19.1-36, got {identifier!r}")
    return ids


def with_colours(color: str) -> bool:
    """Return whether the value of `color_option` means colours."""
    return color == "always" or (color == "auto" and is_terminal() and "NO_COLOR" not in os.environ)


_CONDITIONS: Final = {
    "packets": "type=UserMessage",
    "messages": "label~order",
    "findings": "severity>=warning",
    "deliveries": "state=sent",
    "dependencies": "queue~orders",
    "queues": "purpose=application",
    "hosts": "machine~sales",
}
"""A condition for the rows of each table."""


def where_option(table: str) -> Callable[[Any], Any]:
    """Create the option that selects rows of a table."""
    return click.option(
        "--where",
        multiple=True,
        metavar="CONDITION",
        callback=check_text,
        shell_complete=complete_paths(table),
        help=f"Only rows that match, such as {_CONDITIONS[table]}; if repeated, all must match.",
    )
