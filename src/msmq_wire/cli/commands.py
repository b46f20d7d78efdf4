"""The subcommands of ``msmq-wire``.

1. Subcommands that list (`explain`, `packets`, `messages`, `validate`) write each packet immediately, also
   while a capture is still being written to a pipe.  Those that need the complete input (`tables`,
   `sessions`, `queues`) store a pipe in a file until it ends; Control-C ends it too.
2. Modules that read captures are imported on demand: everything else works without the extra ``captures``.
3. Subcommands return their exit status; `run` converts exceptions to a status and one line of text.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
from collections import Counter
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from msmq_wire import __version__
from msmq_wire import wireshark as dissector
from msmq_wire.checks.profiles import PROFILES
from msmq_wire.checks.rules import CHANNELS, LEVELS
from msmq_wire.checks.validation import validate as violations_of
from msmq_wire.packets.carving import carve as carved
from msmq_wire.packets.mistaken import packing_name
from msmq_wire.packets.partial import LaxResult
from msmq_wire.records.record import encode_record
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.hints import did_you_mean
from msmq_wire.views.explanation import explain as explained
from msmq_wire.views.plain import from_dict, to_dict
from msmq_wire.views.texts import counted, padded, printable, size, text_width

from . import styled_text
from .differences import differences
from .extras import MissingError, captured_module
from .inputs import Input, look
from .options import (
    at_most,
    check_requirements,
    check_structure,
    check_text,
    clock_tolerance,
    color_option,
    complete_paths,
    complete_structures,
    files_argument,
    hex_option,
    key_option,
    kind_option,
    lines_option,
    schema_option,
    tolerance_option,
    where_option,
    with_colours,
)
from .outcome import OptionError, Outcome
from .output import (
    ClosedError,
    Status,
    UnwritableError,
    failed,
    forget,
    is_terminal,
    say,
    text_of_error,
    write,
    write_file,
)
from .output_conflicts import check_apart
from .packets import decrypted_packet, opened_packet, read_packet
from .pieces import byte_pieces, inputs_of, is_path, packet_of, pieces_of, typed_input

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from msmq_wire.packets.carving import Carved

    from .pieces import Piece

_FORMATS: Final = ("auto", "table", "jsonl", "csv")
_TABLE_FORMATS: Final = ("parquet", "jsonl", "duckdb", "delta", "iceberg", "ecs", "zeek", "zeek-tsv")
_SEVERITIES: Final = ("info", "warning", "alert")
_EACH_FORMAT: Final = "auto: a table on a terminal, otherwise jsonl."
_LISTED: Final = {
    "packets": ("time", "src", "src_port", "dst", "dst_port", "type", "size", "first_frame"),
    "messages": ("time", "src", "dst", "destination", "message_class", "label", "body_form", "size"),
    "findings": ("time", "severity", "id", "src", "dst", "file", "first_frame", "evidence"),
    "deliveries": ("first_at", "state", "message", "destination", "label", "why"),
    "queues": ("queue", "purpose", "messages", "bytes", "hosts", "last_at"),
    "hosts": ("machine", "address", "queue_manager", "first_at", "last_at"),
}
"""The default columns of a listing on a terminal."""
_EXPENDABLE: Final = {
    "packets": ("src_port", "dst_port", "size"),
    "messages": ("body_form", "message_class", "dst", "size"),
    "findings": ("file", "first_frame"),
    "deliveries": ("label", "first_at"),
    "queues": ("last_at", "bytes", "hosts"),
    "hosts": ("first_at", "last_at"),
}
"""Those that a narrow terminal omits, in this order."""
_ORDERS: Final = {
    "queues": (("messages", "descending"), ("queue", "ascending"), ("purpose", "ascending")),
    "hosts": (("machine", "ascending"), ("address", "ascending"), ("queue_manager", "ascending")),
}
"""The order of a listing that needs the complete input."""


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="msmq-wire")
def app() -> None:
    """Read, explain and validate packets of Microsoft Message Queuing (MSMQ).

    FILE is a capture (pcap or pcapng, compressed or not), a file of packets, or bytes as text: hexadecimal
    digits, a dump of xxd, hexdump, od, Wireshark or Format-Hex, a literal or an array of a programming
    language, or base64; or the output of tcpdump -X. Without FILE, or for -, standard input is read, also of
    a running tcpdump -w -.
    """


def _inputs(files: Sequence[str], digits: str | None, outcome: Outcome) -> list[Input]:
    """Return the inputs: files, or the text of ``--hex``."""
    if digits is None:
        return inputs_of(files, outcome)
    if files:
        raise click.UsageError("--hex and FILE cannot be used together")
    return [typed_input(digits)]


# ------------------------------------------------------------------------------------------ explain


@app.command()
@files_argument
@hex_option
@kind_option
@click.option(
    "--frame",
    "frames",
    type=click.IntRange(min=1),
    callback=at_most,
    multiple=True,
    help="Only packets in this frame.",
)
@where_option("packets")
@click.option("--limit", type=click.IntRange(min=1), callback=at_most, help="Stop after this many packets.")
@click.option(
    "--profile",
    type=click.Choice([*PROFILES]),
    metavar="NAME",
    help="Report features that this version of Windows does not send.",
)
@color_option
@key_option
@click.option("--html", "page", type=click.Path(), metavar="PATH", help="Write an HTML page.")
@click.option(
    "--json", "plain", is_flag=True, help="Print one JSON line for each packet, as input for encode."
)
def explain(
    files: tuple[str, ...], digits: str | None, kind: str | None, frames: tuple[int, ...],
    where: tuple[str, ...], limit: int | None, profile: Any, color: str, keys: tuple[Any, ...],
    page: str | None, plain: bool,
) -> int:  # fmt: skip
    """Explain packets field by field."""
    outcome = Outcome()
    if plain and page is not None:
        raise click.UsageError("--json and --html exclude each other")
    if not plain and digits is None:
        check_apart(page, files or ("-",))
    inputs = _inputs(files, digits, outcome)
    pieces = _limited(pieces_of(inputs, kind, frames, where, outcome), limit)

    def shown() -> Iterator[tuple[str, str]]:
        for heading, data, error, structure in pieces:
            outcome.shown += 1
            yield heading, error if data is None else explained(data, kind or structure, profile=profile)
            if data is not None and keys and (clear := decrypted_packet(data, keys, outcome)) is not None:
                yield clear

    if plain:
        for _, data, _, structure in pieces:
            if data is not None and (packet := read_packet(data, kind or structure)) is not None:
                outcome.shown += 1
                line = to_dict(opened_packet(packet, keys, outcome) if keys else packet)
                if isinstance(packet, LaxResult):
                    line[_BYTES] = data.hex()
                write(printable(json.dumps(line, ensure_ascii=False), in_json=True) + "\n", flush=True)
    elif page is not None:
        names, texts = ", ".join(item.name for item in inputs), shown()
        first = next(texts, None)
        if first is not None:
            whole_page = styled_text.page_of(names, chain([first], texts))
            write_file(page, (part.encode("utf-8", "replace") for part in whole_page))
    else:
        colours = with_colours(color)
        for heading, text in shown():
            whole = (f"== {printable(heading)}\n" if heading else "") + f"{text}\n"
            write(styled_text.coloured(whole) if colours else whole)
            write("\n", flush=True)
    outcome.nothing("there are no bytes to explain", "no packet matches" if frames or where else "")
    return outcome.status()


# ------------------------------------------------------------------------------------------ lists


def _write_line(parts: styled_text.Parts, colours: bool) -> None:
    write(styled_text.line_of(parts, colours=colours))


def _limited(pieces: Iterator[Piece], limit: int | None) -> Iterator[Piece]:
    """Yield pieces up to so many packets; gaps and other bytes do not count."""
    packets = 0
    for piece in pieces:
        yield piece
        packets += piece[1] is not None
        if packets == limit:
            return


_limit = click.option(
    "--limit", type=click.IntRange(min=1), callback=at_most, help="Stop after this many rows."
)


def _fields(table: str) -> Callable[[Any], Any]:
    """Create the option that selects columns of a table."""
    return click.option(
        "--fields",
        metavar="PATHS",
        shell_complete=complete_paths(table),
        help="Only these columns, separated by commas; * for all.",
    )


def _list_options(table: str) -> Callable[[Any], Any]:
    """Add the options of subcommands that list the rows of a table."""
    is_live = table not in _ORDERS

    def decorate(function: Any) -> Any:
        form = click.option(
            "--format",
            "form",
            type=click.Choice(_FORMATS),
            default="auto",
            help=f"Output format; {_EACH_FORMAT}",
        )
        extract = click.option(
            "--extract",
            metavar="DIRECTORY",
            type=click.Path(),
            help=f"Also write each {'body' if table == 'messages' else 'packet'} to a file in this folder.",
        )
        sort = click.option(
            "--sort",
            type=click.Choice(("time",)),
            help="Sort the rows; default: in the order of connections. Reads the complete input first.",
        )
        listed = sort(_limit(extract(function))) if is_live else _limit(function)
        return files_argument(where_option(table)(_fields(table)(form(schema_option(listed)))))

    return decorate


@app.command(short_help="List packets with their headers.")
@_list_options("packets")
def packets(files: tuple[str, ...], **options: Any) -> int:
    """List packets with their headers, as JSON lines or as a table."""
    return _listing("packets", files, **options)


@app.command(short_help="List messages: queues, label, body, times.")
@_list_options("messages")
@key_option
def messages(files: tuple[str, ...], **options: Any) -> int:
    """List messages: queues, label, body, identifiers and times in readable form."""
    return _listing("messages", files, **options)


def _listing(
    table: str,
    files: Sequence[str],
    *,
    where: Sequence[str],
    fields: str | None,
    form: str,
    schema: str,
    sort: str | None,
    limit: int | None,
    extract: str | None,
    keys: tuple[Any, ...] = (),
) -> int:
    captured, rows = captured_module(), captured_module("rows")
    names, lines = _columns(table, fields, form, schema)
    select = rows.selected(names, captured.SCHEMAS[table])
    outcome = Outcome()
    inputs = inputs_of(files, outcome)
    extraction = captured_module("extraction").extraction(table, extract) if extract is not None else None
    batches = captured.rows_of(inputs, table, outcome, where, captured.settings_of(keys=keys))
    if sort is not None:
        columns = None if extraction is not None else [name.partition(".")[0] for name in names]
        batches = rows.by_time(batches, columns)
    for batch in batches:
        rows_left = batch.slice(0, None if limit is None else limit - outcome.shown)
        chosen = select(rows_left)
        if extraction is not None:
            chosen = chosen.append_column("extracted", extraction(rows_left))
        for line in lines(chosen) if chosen.num_rows else ():
            write(line)
        write(flush=True)
        outcome.shown += chosen.num_rows
        if outcome.shown == limit:
            break
    outcome.nothing(f"there are no {table}", f"none of the {table} matches" if where else "")
    return outcome.status()


def _columns(
    table: str, fields: str | None, form: str, schema: str, columns: Sequence[str] | None = None
) -> tuple[Sequence[str], Callable[[Any], Iterator[str]]]:
    """Return the paths that a listing has as columns, and the function that makes lines of rows of these.

    The columns are those of the table, if not given.
    """
    rows, columns = captured_module("rows"), columns or captured_module().SCHEMAS[table].names
    as_table = form == "table" or (form == "auto" and is_terminal())
    if fields == "*":
        names: Sequence[str] = columns
    elif fields is not None:
        names = [*dict.fromkeys(name.strip() for name in fields.split(",") if name.strip())]
        if not names:
            raise OptionError(f"expected columns such as {columns[0]}, or * for all, got {fields!r}")
    else:
        names = _LISTED[table] if as_table else [name for name in columns if name != "data"]
    if form == "csv":
        return names, rows.csv_lines()
    if not as_table:
        return names, rows.lines_of(schema, table)
    room = get_terminal_size().columns if is_terminal() else None
    return names, rows.table_lines(room, _EXPENDABLE[table] if fields is None else ())


@app.command(short_help="List queues: their messages, senders and states.")
@_list_options("queues")
@tolerance_option
def queues(files: tuple[str, ...], **options: Any) -> int:
    """List the queues to which messages were sent, those with the most messages first.

    A queue has a row for each purpose of its messages; a message counts once, however often it was captured.
    """
    return _whole_listing("queues", files, **options)


@app.command(short_help="List queue managers: their addresses and names.")
@_list_options("hosts")
def hosts(files: tuple[str, ...], **options: Any) -> int:
    """List queue managers, with the addresses and machine names that packets prove, by name."""
    return _whole_listing("hosts", files, **options)


def _whole_listing(
    table: str,
    files: Sequence[str],
    *,
    where: Sequence[str],
    fields: str | None,
    form: str,
    schema: str,
    limit: int | None,
) -> int:
    """List a table that needs the complete input."""
    captured, outcome = captured_module(), Outcome()
    names, lines = _columns(table, fields, form, schema)
    select = captured_module("rows").selected(names, captured.SCHEMAS[table])
    with captured.whole(files or ("-",), outcome) as paths:
        rows = captured.table_of(paths, table, outcome, where)
    outcome.shown = rows.num_rows
    for batch in captured_module("rows").ordered(rows, _ORDERS[table]).slice(0, limit).to_batches():
        for line in lines(select(batch)):
            write(line)
    outcome.nothing(f"there are no {table}", f"none of the {table} matches" if where else "")
    return outcome.status()


# ------------------------------------------------------------------------------------------ validate


@app.command()
@files_argument
@hex_option
@kind_option
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="must",
    help="Report violations up to this level; default: must.",
)
@click.option(
    "--channel", type=click.Choice(CHANNELS), help="How the packets were transferred; captures: session."
)
@click.option(
    "--profile", type=click.Choice([*PROFILES]), metavar="NAME", help="The version of Windows that sent them."
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="ID",
    callback=check_requirements,
    help="Do not report this requirement.",
)
@tolerance_option
@color_option
def validate(
    files: tuple[str, ...],
    digits: str | None,
    kind: str | None,
    level: Any,
    channel: Any,
    profile: Any,
    ignore: tuple[str, ...],
    color: str,
) -> int:
    """List the requirements that packets and sessions violate.

    Sessions in files are validated too. From a pipe, each packet is validated separately.
    """
    outcome, colours = Outcome(), with_colours(color)
    inputs = _inputs(files, digits, outcome)
    captures = [item for item in inputs if item.capture]
    if captures:
        if channel not in {None, "session"}:
            raise click.UsageError("--channel for captures must be session")
        if kind is not None:
            raise click.UsageError("--kind is for bytes, not for captures")
        captured = captured_module()
        settings = captured.settings_of(level=level, profile=profile, ignore=frozenset(ignore))
        for batch in captured.rows_of(captures, "violations", outcome, settings=settings):
            for row in batch.to_pylist():
                _write_line(styled_text.violation_parts(row, captured.place_of(row)), colours)
                outcome.wrong += 1
            write(flush=True)
    for item in inputs:
        if item.capture:
            continue
        for heading, data, _, _ in byte_pieces(item, kind, outcome):
            packet = None if data is None else read_packet(data, kind)
            if packet is None:
                continue
            outcome.shown += 1
            for broken in violations_of(packet, level, channel=channel, profile=profile, ignore=ignore):
                row = {
                    "level": broken.level,
                    "message": broken.message,
                    "requirement": broken.requirement,
                    "field_offset": broken.offset,
                }
                _write_line(styled_text.violation_parts(row, heading or kind or "PingPacket"), colours)
                outcome.wrong += 1
            write(flush=True)
    outcome.nothing("there are no packets")
    return outcome.status()


# ------------------------------------------------------------------------------------------ all of captures


@app.command(short_help="Write the tables of captures, or a report.")
@files_argument
@click.option("--output", type=click.Path(), metavar="DIR", help="The directory for the tables.")
@click.option(
    "--format",
    "form",
    type=click.Choice(_TABLE_FORMATS),
    default="parquet",
    help="Format of the tables; default: parquet.  ecs and zeek are JSON lines with their names of fields, "
    "zeek-tsv is the text format of Zeek's logs.",
)
@schema_option
@click.option("--tables", "names", metavar="NAMES", help="Only these tables, separated by commas.")
@click.option("--report", "page", type=click.Path(), metavar="PATH", help="Write an HTML report.")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    help="Validate up to this level; default: practice for a report alone, else must.",
)
@click.option(
    "--break-lock",
    is_flag=True,
    help="Ignore the lock file of a run that was killed, where files cannot be locked.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Status 1 if any part of the captures cannot be read: a file, a frame, or bytes of a connection of "
    "MSMQ.",
)
@key_option
@tolerance_option
def tables(
    files: tuple[str, ...],
    output: str | None,
    form: str,
    schema: str,
    names: str | None,
    page: str | None,
    level: Any,
    *,
    break_lock: bool,
    strict: bool,
    keys: tuple[Any, ...],
) -> int:
    """Write the tables of captures, or a report, and print a summary of about ten lines.

    Tables that exist in the output are replaced when all new ones are complete. If anything else is at the
    place of a table, or another run writes there, nothing is written.

    Unreadable parts are listed in the tables and in the report, and the first one on standard error. They
    change the exit status only if nothing can be read, or with --strict.
    """
    if output is None and page is None:
        raise click.UsageError("expected --output or --report")
    if page is not None and names is not None:
        raise click.UsageError("--report needs all tables, so it cannot be used with --tables")
    if output is None and (option := _given("form", "schema", "break_lock")):
        raise click.UsageError(f"{option} is for tables, so it needs --output")
    form = form if schema == "own" else schema
    check_apart(page, files or ("-",))
    captured = captured_module()
    wanted = None if names is None else [name.strip() for name in names.split(",") if name.strip()]
    if wanted == []:
        raise OptionError(f"expected names, separated by commas, for --tables, got {names!r}")
    for name in wanted or ():
        if name not in captured.TABLES:
            hint = did_you_mean(name, captured.TABLES) or f"; there are {', '.join(captured.TABLES)}"
            raise OptionError(f"there is no table {name!r}{hint}")
    if output is not None:
        check_apart(page, _tables_in(output), "a table")
    level = level or ("must" if output is not None else "practice")
    outcome = Outcome()
    with captured.whole(files or ("-",)) as paths:
        for line in captured.write_tables(
            paths, wanted, output, form, page, level, outcome, breaks=break_lock, keys=keys
        ):
            if page != "-":  # otherwise the page is there
                say(line)
    status = outcome.status()
    return status if strict or not outcome.shown else int(Status.DONE)


def _given(*names: str) -> str | None:
    """Return the first of these options that was given."""
    context = click.get_current_context()
    options = {option.name: option.opts[0] for option in context.command.params}
    is_given = (name for name in names if context.get_parameter_source(name) is not ParameterSource.DEFAULT)
    return next((options[name] for name in is_given), None)


def _tables_in(directory: str) -> list[str]:
    """Return the places of tables; other files of the output may be replaced."""
    return [os.path.join(directory, name) for name in captured_module().TABLES]  # noqa: PTH118  # as given


@app.command(short_help="Write an HTML report about existing tables.")
@click.argument("directory", type=click.Path())
@click.argument("page", type=click.Path())
def report(directory: str, page: str) -> int:
    """Write an HTML report about Parquet tables that `tables --output` or Spark wrote."""
    captured = captured_module()
    check_apart(page, _tables_in(directory), "a table")
    for line in captured.write_report(directory, page):
        if page != "-":
            say(line)
    return int(Status.DONE)


@app.command()
@files_argument
@lines_option
@schema_option
@color_option
def sessions(files: tuple[str, ...], form: str, schema: str, color: str) -> int:
    """List sessions: endpoints, outcome, and rejected messages."""
    captured, outcome, colours = captured_module(), Outcome(), with_colours(color)
    rows: list[dict[str, Any]] = []
    meanings = captured.Meanings()
    lines = captured_module("rows").lines_of(schema, "sessions")
    with captured.whole(files or ("-",), outcome) as paths:
        for table, batch in captured.all_of(paths, ("sessions", "violations"), outcome):
            if table == "violations":
                meanings.add(batch)
            elif form == "jsonl":
                for line in lines(batch):
                    write(line)
                outcome.shown += batch.num_rows
            else:
                rows += batch.to_pylist()
    for row in sorted(rows, key=lambda row: (row["first_at"] is None, row["first_at"], row["connection"])):
        outcome.shown += 1
        for line in captured.session_lines(row, meanings):
            _write_line(styled_text.session_parts(line), colours)
    outcome.nothing("there are no sessions")
    return outcome.status()


_ROWS_SHOWN: Final = 1000
_answer_format = click.option(
    "--format",
    "form",
    type=click.Choice(("text", *_FORMATS)),
    default="text",
    help=f"Output format; default: text, with --fields auto.  {_EACH_FORMAT}",
)


def _answer_lines(
    table: str, fields: str | None, form: str, schema: str, sentence: Callable[[dict[str, Any]], str]
) -> Callable[[Any], Iterator[str]]:
    """Return the function that makes lines of rows: a sentence for each, or their columns."""
    if form == "text" and fields is None:
        return lambda batch: map(sentence, batch.to_pylist())
    names, lines = _columns(table, fields, _FORMATS[0] if form == "text" else form, schema)
    select = captured_module("rows").selected(names, captured_module().SCHEMAS[table])
    return lambda batch: lines(select(batch))


@app.command(short_help="List signs of attacks.")
@files_argument
@where_option("findings")
@click.option(
    "--severity",
    type=click.Choice(_SEVERITIES),
    default="info",
    help="The lowest severity to list; default: info.",
)
@_fields("findings")
@_answer_format
@_limit
@schema_option
@color_option
def findings(
    files: tuple[str, ...],
    where: Sequence[str],
    severity: str,
    fields: str | None,
    form: str,
    limit: int | None,
    schema: str,
    color: str,
) -> int:
    """List signs of attacks, such as exploits, scans and serialized objects, the most severe first.

    The exit status is 3 if any is a warning or an alert.
    """
    captured, outcome, colours = captured_module(), Outcome(), with_colours(color)

    def sentence(row: dict[str, Any]) -> str:
        parts = styled_text.finding_parts(row, captured.place_of(row), captured.evidence_of(row))
        return styled_text.line_of(parts, colours=colours)

    lines = _answer_lines("findings", fields, form, schema, sentence)
    with captured.whole(files or ("-",), outcome) as paths:
        rows = captured.findings_of(paths, outcome, where, severity)
    for batch in rows.slice(0, limit).to_batches(max_chunksize=_ROWS_SHOWN):
        for line in lines(batch):
            write(line)
    counts = [rows.column("severity").to_pylist().count(level) for level in _SEVERITIES]
    frames = outcome.frames["read"]
    outcome.shown, outcome.wrong = frames or outcome.rows["flows"], sum(counts[1:])
    outcome.nothing("there are no packets")
    if form == "text" and fields is None and outcome.shown:
        listed = [*zip(_SEVERITIES, counts, strict=True)][_SEVERITIES.index(severity) :]
        named = ", ".join(f"{level} {count:,}" for level, count in listed)
        say(f"{counted(frames, 'frame') if frames else 'packets without frames'}: {named}")
    return outcome.status()


@app.command(short_help="List messages with their state: what became of each.")
@files_argument
@where_option("deliveries")
@_fields("deliveries")
@_answer_format
@_limit
@schema_option
@tolerance_option
@color_option
def deliveries(
    files: tuple[str, ...],
    where: Sequence[str],
    fields: str | None,
    form: str,
    limit: int | None,
    schema: str,
    color: str,
) -> int:
    """List messages with their state, which is what became of them, in the order of time.

    The states are refused, received, expired, reached, accepted, unknown and sent: --where state=sent.
    """
    captured, outcome, colours = captured_module(), Outcome(), with_colours(color)
    answers = captured_module("deliveries")

    def sentence(row: dict[str, Any]) -> str:
        parts = styled_text.delivery_parts(row["state"], answers.delivery_line(row))
        return styled_text.line_of(parts, colours=colours)

    lines = _answer_lines("deliveries", fields, form, schema, sentence)
    with captured.whole(files or ("-",), outcome) as paths:
        rows = answers.deliveries_of(paths, outcome, where)
    for batch in rows.slice(0, limit).to_batches(max_chunksize=_ROWS_SHOWN):
        for line in lines(batch):
            write(line)
    outcome.shown = rows.num_rows
    outcome.nothing("there are no messages", "no message matches" if where else "")
    if form == "text" and fields is None and outcome.shown:
        counts = Counter(rows.column("state").to_pylist()).most_common()
        say(
            f"{counted(outcome.shown, 'message')}: "
            + ", ".join(f"{state} {count:,}" for state, count in counts)
        )
    return outcome.status()


@app.command(short_help="Show what became of one message, in the order of time.")
@click.argument("message", callback=check_text)
@files_argument
@tolerance_option
@color_option
def follow(message: str, files: tuple[str, ...], color: str) -> int:
    """Show what became of MESSAGE, which is an identifier or a part of a label, with times and frames."""
    captured, outcome, colours = captured_module(), Outcome(), with_colours(color)
    answers = captured_module("deliveries")
    with captured.whole(files or ("-",), outcome) as paths:
        for row in answers.followed(paths, outcome, message):
            if outcome.shown:
                write("\n")
            outcome.shown += 1
            for line in answers.story(row, **clock_tolerance()):
                _write_line(styled_text.session_parts(line), colours)
    outcome.nothing("there are no messages", f"no message has this identifier, or '{message}' in its label")
    return outcome.status()


_PURPOSES: Final = ("application", "acknowledgment", "administration", "directory", "system", "all")


@app.command(short_help="List dependencies: which host sends to which queue.")
@files_argument
@where_option("dependencies")
@_fields("dependencies")
@tolerance_option
@click.option(
    "--purpose",
    type=click.Choice(_PURPOSES),
    default="application",
    help="The purpose of the messages; default: application.",
)
@click.option(
    "--on",
    "server",
    metavar="SERVER",
    help="Only hosts that depend on this server: its address, its name, or the GUID of its queue manager.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    callback=at_most,
    metavar="COUNT",
    help="Stop after this many rows or edges.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("auto", "table", "jsonl", "csv", "dot", "mermaid")),
    default="auto",
    help="auto: a table on a terminal, else JSON lines.  dot is for Graphviz.",
)
@schema_option
def dependencies(
    files: tuple[str, ...],
    where: Sequence[str],
    fields: str | None,
    purpose: str,
    server: str | None,
    limit: int | None,
    form: str,
    schema: str,
) -> int:
    """List which host and queue manager send to which queue, those with the most messages first.

    Messages count once, however often they were captured.  A machine has a name if packets prove it.  With
    --on, a message goes to a server if it was last sent there, or if the name of its queue has the server.
    """
    captured, outcome = captured_module(), Outcome()
    answers, rows_as = captured_module("dependencies"), captured_module("rows")
    is_graph = form in {"dot", "mermaid"}
    if is_graph and fields is not None:
        raise click.UsageError(f"--fields cannot be used with --format {form}")
    is_table = fields is None and (form == "table" or (form == "auto" and is_terminal()))
    if not (is_graph or is_table):
        fields = "*" if form == "csv" and fields is None else fields
        columns = answers.COLUMNS.names if fields is not None else None
        names, as_lines = _columns("dependencies", fields, form, schema, columns)
        select = rows_as.selected(names, answers.COLUMNS)
    with captured.whole(files or ("-",), outcome) as paths:
        rows, machines, every = answers.dependencies_of(paths, outcome, where, purpose, server)
    outcome.shown = rows.num_rows
    if is_graph:
        lines = answers.graph_lines(rows, machines, form, limit)
    elif is_table:
        room = get_terminal_size().columns if is_terminal() else None
        lines = rows_as.table_lines(room, ("last_at", "purpose"))(answers.table_of_rows(rows, limit))
    else:
        batches = rows.slice(0, limit).to_batches()
        lines = (line for batch in batches for line in as_lines(select(batch)))
    for line in lines if outcome.shown else ():
        write(line)
    unmatched = "nothing matches"
    if not (where or server is not None):
        unmatched = f"there are no messages with the purpose {purpose} (see --purpose)"
    outcome.nothing("there are no messages to a known queue", unmatched if every else "")
    return outcome.status()


# ------------------------------------------------------------------------------------------ images

_CONFIDENCES: Final = ("low", "medium", "high")


@app.command(short_help="Find packets in an image of memory or of a disk.")
@click.argument("file", default="-", metavar="[FILE]", type=click.Path(readable=False))
@click.option(
    "--confidence",
    type=click.Choice(_CONFIDENCES),
    default="low",
    help="The lowest confidence to list; default: low.",
)
@click.option("--inside", is_flag=True, help="Also find packets within packets.")
@lines_option
@click.option("--output", type=click.Path(), metavar="PATH", help="Write the complete packets to a file.")
def carve(file: str, confidence: str, *, inside: bool, form: str, output: str | None) -> int:
    """Find packets, and parts of packets, in an image of memory or of a disk, or in any other file."""
    check_apart(output, [file])
    outcome, least, lower = Outcome(), _CONFIDENCES.index(confidence), 0
    with _mapped(look(file)) as image:

        def packets() -> Iterator[bytes]:
            nonlocal lower
            for piece in carved(image, inside=inside):
                if _CONFIDENCES.index(piece.confidence) < least:
                    lower += 1
                    continue
                outcome.shown += 1
                if output != "-":  # otherwise the packets are there
                    _list_piece(piece, form)
                if piece.result.packet is not None and piece.inside is None:
                    yield image[piece.offset : piece.offset + piece.size]

        if output is None:
            for _ in packets():
                pass
        else:
            write_file(output, packets())
        packing = packing_name(image[:8])
    hint = f"; it is {packing} data: decompress it first" if packing else ""
    name = "standard input" if file == "-" else file
    if lower:
        outcome.nothing(
            f"{name}: nothing of confidence {confidence}, {counted(lower, 'piece')} of a lower one"
        )
    outcome.nothing(f"{name}: no packet begins in it{hint}")
    return outcome.status()


def _list_piece(piece: Carved, form: str) -> None:
    """Write the line of what was found in an image."""
    if form == "jsonl":
        row = {name: getattr(piece, name) for name in ("offset", "size", "kind", "confidence", "reason")}
        if piece.inside is not None:
            row["inside"] = piece.inside
        write(printable(json.dumps(row, ensure_ascii=False), in_json=True) + "\n")
    else:
        within = "" if piece.inside is None else f", within the packet at byte {piece.inside:,}"
        location = f"byte {piece.offset:,}: {piece.kind}, {size(piece.size)}"
        say(f"{piece.confidence:<6}  {location}{within}: {piece.reason}")


@contextmanager
def _mapped(item: Input) -> Iterator[Any]:
    """Map the bytes of an input; a pipe is stored in a temporary file."""
    with TemporaryFile() if item.chunks is not None or item.text else Path(item.name).open("rb") as file:
        if item.chunks is not None or item.text:
            for chunk in item.data(of_packets=False):
                file.write(chunk)
            file.flush()
        if not os.fstat(file.fileno()).st_size:
            yield b""
            return
        image = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            yield image
        finally:
            with suppress(BufferError):  # an error that is being raised holds a part of it
                image.close()


# ------------------------------------------------------------------------------------------ two packets


@app.command()
@click.argument("left")
@click.argument("right")
@color_option
def diff(left: str, right: str, color: str) -> int:
    """Compare two packets field by field.

    A packet that cannot be read whole is compared by its certain fields, then by its bytes.
    LEFT and RIGHT are files, or hexadecimal digits. FILE#N is the N-th packet of a file, or the packet in
    frame N of a capture.
    """
    if left == right == "-":
        raise click.UsageError("only one of the packets can be standard input")
    outcome = Outcome()
    rows = [
        ("field", *(name if is_path(name) else side for name, side in ((left, "left"), (right, "right")))),
        *differences(packet_of(left), packet_of(right)),
    ]
    outcome.wrong = len(rows) - 1
    widths = [max(text_width(printable(row[at])) for row in rows) for at in range(2)]
    colours = with_colours(color)
    for number, row in enumerate(rows if outcome.wrong else ()):
        path, value = (padded(printable(cell), columns) for cell, columns in zip(row, widths, strict=False))
        name, rest = f"{path}  ", f"{value}  {row[2]}"
        parts = [("field", name), ("", rest)] if number else [("title", name + rest)]
        _write_line(parts, colours)
    return outcome.status()


@app.command(short_help="Encode packets from the JSON of explain --json.")
@click.argument("file", default="-", metavar="[FILE]")
@click.option(
    "--kind",
    metavar="NAME",
    callback=check_structure,
    shell_complete=complete_structures,
    help="The structure, if the keys do not determine it.",
)
@click.option("--output", type=click.Path(), metavar="PATH", help="Write the bytes to a file.")
@click.option("--raw", is_flag=True, help="Write the bytes to standard output instead of hexadecimal digits.")
def encode(file: str, kind: str | None, output: str | None, raw: bool) -> int:
    """Encode packets from the JSON of explain --json; omitted fields are computed.

    For a packet that could not be read whole, the JSON has the bytes, as $bytes; they are written unchanged.
    """
    check_apart(output, [file])
    text = b"".join(look(file)._replace(text=False).data())
    plains = _plains(text)
    if not plains:
        raise MsmqWireError("the JSON has no packets")
    packets = (_bytes_of(plain, kind) for plain in plains)
    if output is not None:
        write_file(output, packets)
        return int(Status.DONE)
    for data in packets:
        write(data if raw else data.hex() + "\n")
    return int(Status.DONE)


_BYTES: Final = "$bytes"
"""The key of the bytes of a packet that cannot be read whole."""


def _bytes_of(plain: Any, kind: str | None) -> bytes:
    """Encode the JSON of a packet; for one that could not be read whole, return the bytes.

    Raises:
        EncodeError: The JSON is not that of a packet.
        MsmqWireError: The bytes are not hexadecimal.
    """
    if isinstance(plain, dict) and _BYTES in plain:
        try:
            return bytes.fromhex(plain[_BYTES])
        except (TypeError, ValueError):
            raise MsmqWireError(f"{_BYTES} is not hexadecimal") from None
    return encode_record(from_dict(plain, kind))


def _plains(text: bytes) -> list[Any]:
    """Return the values of a JSON text: one value, a list of values, or one value on each line.

    Raises:
        MsmqWireError: The text is not JSON.
    """
    try:
        whole = text.decode("utf-8-sig")
        try:
            value = json.loads(whole)
        except json.JSONDecodeError as error:
            if error.msg != "Extra data":
                raise
            return [json.loads(line) for line in whole.splitlines() if line.strip()]
    except UnicodeDecodeError as error:
        raise MsmqWireError(
            f"the input is not JSON: byte {error.start} is {text[error.start]:#04x}, which is not UTF-8"
        ) from None
    except (ValueError, RecursionError) as error:
        raise MsmqWireError(f"the text is not JSON: {error}") from None
    return value if isinstance(value, list) else [value]


@app.command()
@click.option("--path", "prints", is_flag=True, help="Print the path of the dissector.")
@click.option(
    "--install", "installs", is_flag=True, help="Copy it to the personal plugin folder, and print that path."
)
def wireshark(*, prints: bool, installs: bool) -> int:
    """Locate or install the Wireshark dissector."""
    if prints == installs:
        raise click.UsageError("expected either --path or --install")
    try:
        path = dissector.install() if installs else dissector.path()
    except OSError as error:
        raise UnwritableError(f"{error.filename}: {error.strerror}") from error
    write(f"{path}\n")
    return int(Status.DONE)


_SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@app.command(short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(tuple(_SHELLS)))
def completion(shell: str) -> int:
    """Print the shell script for completion: eval "$(msmq-wire completion bash)"."""
    script = _SHELLS[shell](app, {}, "msmq-wire", "_MSMQ_WIRE_COMPLETE").source()
    write(f"{script}\n")
    return int(Status.DONE)


# ------------------------------------------------------------------------------------------ the process


def run(arguments: Sequence[str] | None) -> int:
    """Run the command; see `msmq_wire.cli.main`."""
    given = [*(sys.argv[1:] if arguments is None else arguments)]
    completing = "_MSMQ_WIRE_COMPLETE" in os.environ
    try:
        status = app.main(
            given if given or completing else ["--help"],
            "msmq-wire",
            "_MSMQ_WIRE_COMPLETE",
            standalone_mode=False,
        )
        write(flush=True)
    except ClosedError:  # the reader of the output closed the pipe
        forget()
        return int(Status.CLOSED)
    except UnwritableError as error:
        forget()
        return failed(str(error), Status.UNWRITABLE)
    except (KeyboardInterrupt, click.Abort):
        forget()
        return failed("interrupted", Status.INTERRUPTED)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = "msmq-wire" if context is None else context.command_path
        return failed(f"{error.format_message()} (see {command} --help)")
    except (MissingError, OptionError) as error:
        return failed(str(error))
    except MsmqWireError as error:
        return failed(str(error), Status.UNREADABLE)
    except OSError as error:
        if error.errno is not None and error.filename is None:  # output written by click
            forget()
            return failed(f"standard output: {error.strerror}", Status.UNWRITABLE)
        return failed(text_of_error(error), Status.UNREADABLE)
    return int(status or Status.DONE)
