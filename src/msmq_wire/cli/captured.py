"""Rows of tables from captures, for the subcommands.

1. Files, directories and patterns are read in one run of the engine.  Pipes and text are read incrementally;
   subcommands that need the complete input first store it in a file.
2. This module needs the extra ``captures``; `commands` imports it when the input is a capture.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures import SCHEMAS, TABLES, LockedError, write
from msmq_wire.captures.engine import Settings, run, run_live
from msmq_wire.captures.files.containers import JOINED
from msmq_wire.captures.files.sources import Source, files_of, shown
from msmq_wire.captures.findings.patterns import SEVERITIES
from msmq_wire.captures.lakes import MissingPackageError
from msmq_wire.captures.network.frames import OMITTED, Reason
from msmq_wire.captures.reports.report import TABLES as REPORTED
from msmq_wire.captures.reports.report import Report, Waiting, written
from msmq_wire.captures.reports.summary import Summary
from msmq_wire.captures.reports.words import Meanings, evidence_of, place_of, session_lines
from msmq_wire.captures.rows.packets import POSITION
from msmq_wire.captures.rows.partial import are_begun
from msmq_wire.captures.schemas import plain
from msmq_wire.captures.writing import check_output
from msmq_wire.packets.foreign import NO_CAPTURE
from msmq_wire.packets.packet_starts import MARK_SIZE
from msmq_wire.packets.reassembly import Kind
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.paths import with_slashes
from msmq_wire.views.texts import counted, position_of, size

from .conditions import Where
from .extras import MissingError
from .inputs import look_for_captures, readable
from .options import clock_tolerance
from .outcome import OptionError
from .output import UnwritableError, note, write_file
from .own_tables import output_with, tables_problem
from .packet_text import text_of
from .packets import packet_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from msmq_wire.checks.rules import Level

    from .inputs import Input
    from .outcome import Outcome

__all__ = [
    "SCHEMAS",
    "TABLES",
    "Meanings",
    "all_of",
    "check_pattern",
    "evidence_of",
    "findings_of",
    "pieces_of",
    "place_of",
    "rows_of",
    "session_lines",
    "settings_of",
    "table_of",
    "whole",
    "write_report",
    "write_tables",
]

_PROGRESS: Final = 2.0
_AS_A_FILE: Final = "a file of the same frames has them"
_NO_CAPTURE, _, _ = NO_CAPTURE.partition("{")
_NAME_IT: Final = "; text that stands for bytes, such as a dump, is read only if its file is named"


class _Progress:
    """Reports the progress of long work on a terminal."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _PROGRESS

    def __call__(self, progress: Any) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _PROGRESS
            note(f"{progress.stage}: {100 * progress.done // max(progress.total, 1)} %")


def settings_of(**more: Any) -> Settings:
    """Return the settings for reading captures, with progress on a terminal."""
    tell = _Progress() if sys.stderr is not None and sys.stderr.isatty() else None
    return Settings(progress=tell, **clock_tolerance(), **more)


def rows_of(
    inputs: Sequence[Input],
    table: str,
    outcome: Outcome,
    where: Sequence[str] = (),
    settings: Settings | None = None,
) -> Iterator[Any]:
    """Yield batches of the rows of a table for which all conditions hold; record unreadable parts.

    Args:
        inputs: The inputs.
        table: One of `engine.LIVE`, or ``pieces``.
        outcome: Records unreadable parts; for violations, also the number of packets.
        where: The conditions.
        settings: How to read the captures.
    """
    condition = Where(where, SCHEMAS[table]) if where else None
    wanted, settings = [table, "quarantine", "frames"], settings or settings_of()
    if table == "violations":  # their rows do not contain the number of validated packets
        wanted.append("pieces")
    for name, batch in _runs(inputs, wanted, settings, outcome):
        if name == "pieces" != table:
            outcome.shown += pc.sum(are_begun(batch)).as_py() or 0
        elif not _noted(name, batch, outcome):
            rows = batch if condition is None else condition.filter(batch)
            if table == "messages" and settings.keys:
                outcome.closed += _encrypted(rows)
            yield rows


def _runs(
    inputs: Sequence[Input], wanted: Sequence[str], settings: Settings, outcome: Outcome
) -> Iterator[tuple[str, Any]]:
    files = [item.name for item in inputs if item.chunks is None and not item.text]
    if files:
        yield from run(files, wanted, settings)
    for item in inputs:
        if item.chunks is not None or item.text:
            chunks = item.data()
            if item.text:
                try:
                    chunks = iter([*chunks])
                except MsmqWireError as error:
                    outcome.problem(str(error))
                    continue
            yield from run_live(Source(chunks, live=True), shown(with_slashes(item.name)), wanted, settings)


def _encrypted(messages: Any) -> int:
    """Return the number of messages whose bodies are encrypted."""
    return pc.sum(pc.equal(messages.column("body_form"), "encrypted")).as_py() or 0


def _noted(name: str, batch: Any, outcome: Outcome) -> bool:
    """Record a batch of unreadable parts; return whether it was one.

    Args:
        name: The table.
        batch: Its rows.
        outcome: Where they are recorded.
    """
    if name == "frames":
        columns = (batch.column(column).to_pylist() for column in ("reason", "frames", "file"))
        for reason, count, file in zip(*columns, strict=True):
            if reason == Reason.LATE and count:
                outcome.problem(
                    f"{file}: {counted(count, 'segment')} came too late for a pipe: {_AS_A_FILE}", count
                )
            if reason in OMITTED:
                outcome.omitted[reason] += 1
            elif count:
                outcome.frames[reason] += count
    elif name != "quarantine":
        return False
    else:
        joints = pc.equal(batch.column("cause"), JOINED)
        _recorded(batch.filter(joints), outcome.remark)
        unreadable = batch.filter(pc.and_(_unreadable(batch), pc.invert(joints)))
        _recorded(_without_tables(unreadable, outcome), outcome.problem)
    return True


def _without_tables(quarantine: Any, outcome: Outcome) -> Any:
    """Return rows of `quarantine` without files of tables; each directory of these is one problem."""
    files = quarantine.column("file")
    outputs = {file: output for file in pc.unique(files).to_pylist() if (output := output_with(file))}
    for output in dict.fromkeys(outputs.values()):
        if output not in outcome.outputs:
            outcome.outputs.add(output)
            outcome.problem(tables_problem(output))
    return quarantine.filter(pc.invert(pc.is_in(files, pa.array([*outputs], pa.string()))))


def _recorded(quarantine: Any, record: Callable[[str, int], object]) -> None:
    """Record the first of some rows, and the number of parts."""
    for row in quarantine.slice(0, 1).to_pylist():
        where = f"{row['file']}, byte {row['error_offset'] or 0:,}"
        if row["transport"] == "raw" or row["first_frame"]:
            where = position_of(row)
        hint = ""
        if row["cause"].startswith(_NO_CAPTURE) and len(row["data"]) >= MARK_SIZE:
            is_text = text_of(row["data"]) is not None
            hint = _NAME_IT if is_text else "; msmq-wire carve looks for packets in it"
        record(
            f"{where}: {row['error'] or row['cause']}{hint}",
            pc.sum(quarantine.column("places")).as_py(),
        )


def _unreadable(quarantine: Any) -> Any:
    """Return which rows are parts that cannot be read; bytes of a connection of another protocol are none."""
    is_foreign = pc.is_in(quarantine.column("kind"), pa.array([str(Kind.JUNK), str(Kind.CONFLICT)]))
    return pc.invert(pc.and_(is_foreign, quarantine.column("protocol").is_valid()))


def pieces_of(
    inputs: Sequence[Input], frames: Sequence[int], where: Sequence[str], outcome: Outcome
) -> Iterator[tuple[str, bytes | None, str, str | None]]:
    """Yield the pieces of captures to explain: heading, packet, error, structure of a whole packet.

    The structure of a Ping comes from the row: its port identifies it, not its bytes.

    Args:
        inputs: The captures.
        frames: Numbers of frames to include; all if empty.
        where: Conditions for packets; with conditions, pieces that are not packets are omitted.
        outcome: Records unreadable parts.
    """
    packets = bool(where)
    for batch in rows_of(inputs, "packets" if packets else "pieces", outcome, where):
        rows = batch.select([*POSITION, "type", "data", *(["partial"] if packets else ["kind", "error"])])
        if not packets:
            rows = rows.append_column("begun", are_begun(rows))
        if frames:
            rows = rows.filter(_in_frames(rows, frames))
        for row in rows.to_pylist():
            kind, begun = row.get("kind", Kind.PACKET), row.get("begun", True)
            structure = row["type"] if kind == Kind.PACKET and not row.get("partial") else None
            name = structure or (
                packet_name(row["data"])
                if begun
                else "missing"
                if kind == Kind.GAP
                else f"not a packet ({kind})"
            )
            heading = f"{name}: {size(row['size'])}, {place_of(row)}"
            yield heading, row["data"] if begun else None, row.get("error") or "", structure


def _in_frames(rows: Any, frames: Sequence[int]) -> Any:
    within = None
    first, last = rows.column("first_frame"), rows.column("last_frame")
    one_file = pc.equal(rows.column("file"), rows.column("last_file"))
    for frame in frames:
        inside = pc.and_(pc.less_equal(first, frame), pc.greater_equal(last, frame))
        matches = pc.if_else(one_file, inside, pc.or_(pc.equal(first, frame), pc.equal(last, frame)))
        within = matches if within is None else pc.or_(within, matches)
    return within


def check_pattern(pattern: str) -> None:
    """Check that a file matches a pattern.

    Raises:
        MsmqWireError: No file matches it.
    """
    files_of([pattern], unread=[])


@contextmanager
def whole(paths: Sequence[str], outcome: Outcome | None = None) -> Iterator[dict[str, str]]:
    """Yield paths of complete captures with their names for messages.

    Input from a pipe, or text, is stored in a temporary file.

    Args:
        paths: Files, directories, patterns, or ``-`` for standard input.
        outcome: Records what cannot be read beside other input; None if all has to be readable.

    Raises:
        OSError: An input cannot be read.
        MsmqWireError: A text is not bytes, no file matches a pattern, or a directory is one of tables.
    """
    with TemporaryDirectory(prefix="msmq_wire-") as directory:
        paths_by_name = {}
        inputs = [*map(look_for_captures, paths)] if outcome is None else readable(paths, outcome)
        for number, item in enumerate(inputs):
            if item.chunks is None and not item.text:
                paths_by_name[item.name] = item.name
                continue
            kept = Path(directory, f"input-{number}")
            try:
                with kept.open("wb") as file:
                    try:
                        for chunk in item.data():
                            file.write(chunk)
                    except KeyboardInterrupt:
                        note("interrupted; only the input before this point is used")
            except OSError as error:
                if error.filename is None:  # it is known for the input
                    error.filename = str(kept)
                raise
            except MsmqWireError as error:
                if outcome is None:
                    raise
                outcome.problem(str(error))
                continue
            paths_by_name[str(kept)] = item.name
        yield paths_by_name


def _aliases(paths: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the names of files that stand for other input."""
    return tuple(
        (with_slashes(path), shown(with_slashes(name))) for path, name in paths.items() if path != name
    )


def all_of(paths: Mapping[str, str], names: Sequence[str], outcome: Outcome) -> Iterator[tuple[str, Any]]:
    """Yield batches of several tables of complete captures, as `whole` yields them."""
    for name, batch in run([*paths], (*names, "quarantine", "frames"), settings_of(aliases=_aliases(paths))):
        if not _noted(name, batch, outcome):
            yield name, batch


def table_of(
    paths: Mapping[str, str], table: str, outcome: Outcome, where: Sequence[str], *more: str
) -> pa.Table:
    """Return the rows of a table of complete captures that match all conditions.

    Args:
        paths: The captures, as `whole` yields them.
        table: The table.
        outcome: Records unreadable parts.
        where: Conditions.
        more: Other tables, whose rows are counted; of `flows`, only those without frames.

    Raises:
        OptionError: A condition is invalid.
    """
    schema = SCHEMAS[table]
    condition = Where(where, schema) if where else None
    batches = []
    for name, batch in all_of(paths, (table, *more), outcome):
        if name == table:
            batches.append(batch if condition is None else condition.filter(batch))
        elif name == "flows":
            outcome.rows[name] += pc.equal(batch.column("transport"), "raw").true_count
        else:
            outcome.rows[name] += batch.num_rows
    return pa.Table.from_batches(batches, plain(schema))


def findings_of(paths: Mapping[str, str], outcome: Outcome, where: Sequence[str], least: str) -> pa.Table:
    """Return the findings of complete captures, the most severe first, then by time.

    Args:
        paths: The captures, as `whole` yields them.
        outcome: Records unreadable parts.
        where: Conditions.
        least: The lowest severity.

    Raises:
        OptionError: A condition is invalid.
    """
    rows = table_of(paths, "findings", outcome, where, "flows")
    ranks = pc.index_in(rows.column("severity"), pa.array(SEVERITIES))
    keys = [
        ("rank", "descending"),
        ("time", "ascending"),
        ("file", "ascending"),
        ("first_frame", "ascending"),
    ]
    order = rows.select(["time", "file", "first_frame"]).append_column("rank", ranks)
    severe = pc.greater_equal(ranks, SEVERITIES.index(least))
    index = pc.sort_indices(order, keys)
    return rows.take(index.filter(severe.take(index)))


def write_tables(
    paths: Mapping[str, str],
    names: Sequence[str] | None,
    output: str | None,
    form: str,
    page: str | None,
    level: Level,
    outcome: Outcome,
    *,
    breaks: bool = False,
    keys: tuple[Any, ...] = (),
) -> Iterator[str]:
    """Write tables of captures, a report, or both; yield the lines of a summary.

    Args:
        paths: The captures, as `whole` yields them.
        names: The tables to write; None for all.
        output: The directory for the tables, or None.
        form: Their format.
        page: The file for the report, or None.
        level: The level up to which packets are validated.
        outcome: Records unreadable parts, and the number of packets if all tables are written, or else of
            frames, or of files of packets.
        breaks: Whether a lock is broken.
        keys: Private keys with which bodies are decrypted.

    Raises:
        OptionError: Something other than a table would be replaced.
        MissingError: The package that the format needs is not installed.
        UnwritableError: A file cannot be written, or another process writes the output.
        MsmqWireError: There is nothing at a path, or no such table.
    """
    summary, report, rows = Summary(), Report(), 0
    began = time.monotonic()
    settings = settings_of(level=level, aliases=_aliases(paths), keys=keys)
    _check_page(page, output)
    if output is not None:
        try:
            check_output(output, [*paths])
        except MsmqWireError as error:
            raise OptionError(str(error)) from None

    def notice(table: str, batch: Any) -> None:
        if names is None or table in names or table == "flows":
            summary.add(table, batch)
        _noted(table, batch, outcome)
        if table == "messages" and keys:
            outcome.closed += _encrypted(batch)
        if page is not None:
            waiting.add(table, batch)

    try:
        with TemporaryDirectory(prefix="msmq_wire-") as directory:
            waiting = Waiting(report, directory)
            if output is not None:
                counts = write([*paths], output, form, names, settings, notice=notice, break_lock=breaks)
                rows = sum(counts.values())
            else:
                for table, batch in run([*paths], REPORTED, settings):
                    notice(table, batch)
            waiting.finish()
    except MissingPackageError as error:
        raise MissingError(str(error)) from None
    except LockedError as error:
        raise UnwritableError(str(error)) from error
    except OSError as error:
        if error.errno is None:  # input of a file system that pyarrow reaches
            raise
        raise UnwritableError(f"{error.filename or output}: {error.strerror or error}") from error
    outcome.shown = (
        summary.rows["packets"] if names is None else outcome.frames["read"] or summary.rows["flows"]
    )
    is_empty = not outcome.shown and not outcome.frames
    if is_empty:
        outcome.nothing("there are no packets")
    if not is_empty or any(summary.rows.values()):  # hidden files have rows
        yield from summary.lines(REPORTED if output is None else names and {*names, "flows"})
    if page is not None:
        yield _page(report, page, ", ".join(map(shown, paths.values())))
    if output is not None:
        yield f"{counted(rows, 'row')} in {output}, {time.monotonic() - began:.1f} s"


def write_report(tables: str, page: str) -> Iterator[str]:
    """Write a report about existing tables; yield the lines of a summary.

    Args:
        tables: The directory of the tables, as Parquet.
        page: The file for the report.

    Raises:
        UnwritableError: The file cannot be written.
        MsmqWireError: There are no such tables.
    """
    summary, report = Summary(), Report()
    _check_page(page)
    for table, batch in written(tables, SCHEMAS):
        summary.add(table, batch)
        report.add(table, batch)
    yield from summary.lines(REPORTED)
    yield _page(report, page, shown(tables))


def _check_page(page: str | None, output: str | None = None) -> None:
    """Check that the folder of a page exists or is the output, and that the page is not a folder.

    Raises:
        UnwritableError: The folder does not exist, or the page is a folder.
    """
    if page is None or page == "-":
        return
    folder = Path(page).absolute().parent
    if not folder.is_dir() and (output is None or folder != Path(output).absolute()):
        raise UnwritableError(f"{page}: {os.strerror(errno.ENOENT)}")
    if Path(page).is_dir():
        raise UnwritableError(f"{page}: {os.strerror(errno.EISDIR)}")


def _page(report: Report, page: str, title: str) -> str:
    write_file(page, [report.page(f"MSMQ in {title}").encode("utf-8", "replace")])
    return f"report       {page}"
