"""The job: ``python -m msmq_wire.spark INPUT... --output DIR``.

1. The exit status is 0 if all tables are written and balance, 1 with one line of text if the job could not
   run or was interrupted, 2 for invalid arguments, and 3 if the tables do not balance.
2. Damage in captures is not a failure: everything else is read, and the damage is reported in `quarantine`.
3. Without `--master`, `--remote` or a surrounding spark-submit it runs in this process on all processors.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import socket
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from msmq_wire.checks.profiles import PROFILES
from msmq_wire.checks.rules import LEVELS
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.paths import PATTERN, is_address
from msmq_wire.views.texts import endpoint

from ._interrupts import Interrupts
from ._java import complaint, end_java, has_java_ended, sharing, start_java
from ._workers.timeouts import IDLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from msmq_wire.captures.locks import Lock

    from .pipeline import Pipeline

_FEW_ROWS = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
}
"""Settings without compilation of queries, for tables that tasks write: Java then moves few rows."""
_MASTER = re.compile(
    r"yarn|local(\[(\*|[1-9]\d*)(,\s*[1-9]\d*)?\])?|local-cluster\[\d+\s*,\s*\d+\s*,\s*\d+\s*\]"
    r"|spark://[^\s/,:]+:\d+(,[^\s/,:]+:\d+)*|k8s://\S+"
)
_MEMORY = re.compile(r"[1-9]\d*[kmgtKMGT]?[bB]?")
_EVERY = 60.0
"""Seconds between checks for captures."""
_CONNECT_PORT = 15002
_PATIENCE = 20.0
"""Seconds to wait for a connection with a server of Spark Connect."""
PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")
"""Variables that make gRPC connect through a proxy."""
_OPTIONS = "spark.driver.extraJavaOptions"
_QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options for a fast start of Java: on one machine, Python does the work, and Java only moves the data."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """End the program with one line of text."""
        _failed(f"{message} (see --help)")
        self.exit(2)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected seconds, 0 or more, got {text!r}")
    return value


def _size(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if not 0 < value < 1 << 32:
        raise argparse.ArgumentTypeError(f"expected a number of bytes above 0, got {text!r}")
    return value


def _text(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError(f"expected a text, got {text!r}")
    return text


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise argparse.ArgumentTypeError(f"expected names, separated by commas, got {text!r}")
    return names


def _pair(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return name, value


def _setting(text: str) -> tuple[str, str]:
    name, value = _pair(text)
    if not name.startswith("spark."):
        raise argparse.ArgumentTypeError(f"expected a setting of Spark, spark.NAME=VALUE, got {text!r}")
    if name.endswith(("driver.memory", "executor.memory")) and not _MEMORY.fullmatch(value):
        raise argparse.ArgumentTypeError(f"expected a size of memory, such as 4g, got {text!r}")
    return name, value


def _master(text: str) -> str:
    if not _MASTER.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"expected local[N], local-cluster[N,CORES,MB], spark://HOST:PORT, yarn or k8s://HOST: {text!r}"
        )
    return text


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m msmq_wire.spark",
        description="Read captures of MSMQ traffic into tables, with Apache Spark.",
    )
    parser.add_argument(
        "input", nargs="+", type=_text, help="capture file, directory or pattern; a path or a URL"
    )
    parser.add_argument(
        "--output", type=_text, required=True, help="output directory or URL of the tables; overwritten"
    )
    parser.add_argument("--format", type=_text, default="parquet", help="Spark's name of the table format")
    parser.add_argument(
        "--catalog", type=_text, metavar="CATALOG.SCHEMA", help="write the tables to this catalog instead"
    )
    parser.add_argument(
        "--partition-by", type=_names, metavar="COLUMN,...",
        help="columns by which tables are partitioned that have them; date is that of the time (with "
        "--streaming date,sensor)",
    )  # fmt: skip
    parser.add_argument("--master", type=_master, help="Spark master; local[*] by default")
    parser.add_argument("--remote", type=_text, help="Spark Connect server, such as sc://host:15002")
    parser.add_argument(
        "--conf", type=_setting, action="append", default=[], metavar="KEY=VALUE", help="Spark setting"
    )
    parser.add_argument(
        "--option", type=_pair, action="append", default=[], metavar="KEY=VALUE",
        help="option of the source msmq",
    )  # fmt: skip
    parser.add_argument(
        "--tables", type=_names, metavar="NAME,...",
        help="the tables to write; default: all but segments and pieces",
    )  # fmt: skip
    parser.add_argument("--max-packet-size", type=_size, help="largest accepted PacketSize, in bytes")
    parser.add_argument("--level", choices=LEVELS, help="report violations up to this level; default: must")
    parser.add_argument(
        "--profile", choices=[*PROFILES], metavar="NAME", help="the version of Windows that sent the packets"
    )
    parser.add_argument("--ignore", type=_names, metavar="ID,...", help="do not report these requirements")
    parser.add_argument(
        "--clock-tolerance", type=_seconds, metavar="SECONDS",
        help="how far the clocks of senders may be behind those of the captures, or two sensors' differ (60)",
    )  # fmt: skip
    parser.add_argument("--streaming", action="store_true", help="process new captures continuously")
    parser.add_argument(
        "--every",
        type=_seconds,
        help=f"with --streaming, seconds between checks for captures; 0: check once ({_EVERY:.0f})",
    )
    parser.add_argument(
        "--idle", type=_seconds, metavar="SECONDS",
        help="with --streaming, seconds without a segment after which an open connection counts as ended "
        f"({IDLE})",
    )  # fmt: skip
    parser.add_argument(
        "--report", type=_text,
        help="file for the HTML report; default: OUTPUT/report.html if that is local and all tables of the "
        "report are written; with --streaming, none",
    )  # fmt: skip
    parser.add_argument(
        "--break-lock", action="store_true",
        help="ignore the lock file of a run that was killed, where files cannot be locked",
    )  # fmt: skip
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the job; return its exit status.

    An interrupt (SIGINT) at any time ends it with one line and the status 1, after Spark has been stopped.
    """
    return _main(arguments, is_process=False)


def _main(arguments: Sequence[str] | None, *, is_process: bool) -> int:
    try:
        with Interrupts(is_process=is_process) as interrupts:
            parser = _parser()
            given = parser.parse_args(arguments)
            if given.master and given.remote:
                parser.error("--master and --remote cannot be used together")
            for name, usual in (("every", _EVERY), ("idle", IDLE)):
                if getattr(given, name) is None:
                    setattr(given, name, usual)
                elif not given.streaming:
                    parser.error(f"--{name} needs --streaming")
            interrupts.on_interrupt = _tell_interrupt
            return interrupts.run(lambda: _job(given, interrupts))
    except KeyboardInterrupt:
        _tell_interrupt()
        return 1
    finally:
        if not is_process:
            logging.getLogger().removeHandler(_SILENT)


def _tell_interrupt() -> None:
    """Print once that the job ends, and silence the logs of Java and py4j about the end."""
    root = logging.getLogger()
    if _SILENT not in root.handlers:
        root.addHandler(_SILENT)
        _failed("interrupted; run it again to continue")


def _job(given: argparse.Namespace, interrupts: Interrupts) -> int:
    """Run the job in a thread; return its exit status."""
    problem = _problem(given)
    if problem:
        return _failed(problem)
    interrupts.check()
    try:
        from py4j.protocol import Py4JError, Py4JNetworkError  # noqa: PLC0415  # the extra may not be installed
        from pyspark.errors import PySparkException  # noqa: PLC0415  # as above
    except ImportError as error:
        return _failed(f"{error}; pip install 'msmq_wire[spark]'")
    from msmq_wire.captures.table_builder import ImbalanceError  # noqa: PLC0415  # as above

    try:
        return _run(given, interrupts)
    except ImbalanceError as error:
        problem, status = str(error), 3
    except (MsmqWireError, PySparkException, Py4JError, OSError) as error:
        problem, status = _cause(error), 1
        if isinstance(error, (Py4JNetworkError, ConnectionError)) and has_java_ended():
            problem = "Java has ended, by itself or because it was killed; run it again"
    interrupts.check()  # cancelled work has failed, too
    _failed(problem)
    return status


def _problem(given: argparse.Namespace) -> str | None:
    """Return why the job cannot run, checked before Spark is started; empty if it can."""
    if given.remote and not given.remote.startswith("local"):
        return _problem_of_server(given.remote)
    if not os.environ.get("PYSPARK_GATEWAY_PORT"):
        java = complaint()
        if java:
            return java
    problems = (_problem_of_input(location, streaming=given.streaming) for location in given.input)
    problem = next(filter(None, problems), None)
    if problem is None and not is_address(given.output) and Path(given.output).is_file():
        return f"{given.output}: is a file, and tables need a directory"
    return problem


def _problem_of_server(remote: str) -> str | None:
    """Return why the server cannot be reached; Spark itself would retry silently for many minutes."""
    try:
        location = urlsplit(remote)
        host, port = location.hostname, location.port or _CONNECT_PORT
    except ValueError as error:
        return f"{remote}: {error}"
    if location.scheme != "sc" or not host:
        return f"{remote}: expected sc://HOST:PORT"
    if any(os.environ.get(name) for name in PROXIES):
        return None
    try:
        socket.create_connection((host, port), timeout=_PATIENCE).close()
    except OSError as error:
        return f"{remote}: there is no connection to {endpoint(host, port)}: {error.strerror or error}"
    return None


def _problem_of_input(location: str, *, streaming: bool) -> str | None:
    if is_address(location) or PATTERN.search(location):
        return None
    path = Path(location)
    if not path.exists():
        return f"{location}: no such file or directory"
    if path.is_dir() and not streaming and not any(file.is_file() for file in path.rglob("*")):
        return f"{location}: it contains no file"
    return None


def _failed(problem: str) -> int:
    print(f"msmq_wire.spark: {problem}", file=sys.stderr)  # noqa: T201  # this is the command line
    return 1


_CAUSE = re.compile(r"(: |Caused by: )?[\w.$]*(?:Error|Exception): (.+)")
_INNER = re.compile(r"(?:.*: )?(?:\w+\.)+[\w$]*(?:Error|Exception): (.+)")
"""A pattern for the Java class of the cause in an error text."""


def _cause(error: BaseException) -> str:
    """Return one line about an error, with its cause, which Spark stores separately."""
    sentence, inner = first_cause(str(error)), error
    while getattr(inner, "_cause", None) is not None:
        inner = inner._cause  # type: ignore[attr-defined]  # noqa: SLF001  # there is no other way
    return _together(sentence, first_cause(str(inner)))


def first_cause(text: str) -> str:
    """Return one line of a long error report, with the cause."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    causes = [match for line in lines if (match := _CAUSE.match(line))]
    if not causes:
        return _bare(lines[0]) if lines else "Spark gave up"
    last = causes[-1]
    first = next((cause for cause in causes if cause[1] == ": "), last) if last[1] == "Caused by: " else last
    return _together(_bare(first[2]), _bare(last[2]))


def _bare(text: str) -> str:
    inner = _INNER.match(text)
    return inner[1] if inner else text


def _together(sentence: str, cause: str) -> str:
    return sentence if cause in sentence else f"{sentence} {cause}"


def open_session(given: argparse.Namespace, files: Sequence[int]) -> SparkSession:
    """Return the session of Spark, with the master and the memory of the options."""
    from pyspark.find_spark_home import _find_spark_home  # noqa: PLC0415  # as above
    from pyspark.sql import SparkSession  # noqa: PLC0415  # as above

    builder: Any = SparkSession.builder.appName("msmq_wire")
    settings = {
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.maxBytesPerBatch": "16m",
        "spark.sql.parquet.columnarReaderBatchSize": "64",  # packets have up to 4 MB
    }
    local = (given.master or given.remote or "").startswith("local")
    if given.remote:
        builder = builder.remote(given.remote)
    elif given.master or not os.environ.get("PYSPARK_GATEWAY_PORT"):
        builder = builder.master(given.master or "local[*]")
        local = local or not given.master
    if local:
        # One machine: use the local address, the same Python, and no more partitions than useful.
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        settings |= {
            "spark.log.level": "ERROR",
            "spark.shuffle.compress": "false",  # moved data is compressed already
            "spark.python.unix.domain.socket.enabled": str(os.name == "posix").lower(),
            "spark.sql.shuffle.partitions": str(2 * (os.cpu_count() or 1)),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
        }
    given_settings = dict(given.conf)
    if local and _OPTIONS not in given_settings:
        settings[_OPTIONS] = _QUICK + sharing(Path(_find_spark_home(), "jars"))
    if local and not _apart(given):
        settings |= _FEW_ROWS
    for name, value in (settings | given_settings).items():
        builder = builder.config(name, value)
    if not given.remote and not os.environ.get("PYSPARK_GATEWAY_PORT"):
        start_java(settings | given_settings, files, is_quiet=local)
    session: SparkSession = builder.getOrCreate()
    return session


def _run(given: argparse.Namespace, interrupts: Interrupts) -> int:
    from msmq_wire.captures.locks import Lock  # noqa: PLC0415  # as above
    from msmq_wire.checks.validation import requirement_ids  # noqa: PLC0415  # as above

    from ._inputs.options import place_of, settings_of  # noqa: PLC0415  # as above
    from .pipeline import check_columns, chosen  # noqa: PLC0415  # as above

    names = chosen(given.tables)
    check_columns(given.partition_by or (), names)
    requirement_ids(given.ignore or ())
    settings_of({**dict(given.option), "paths": '["captures"]'})
    if given.streaming and "segments" in names:
        raise MsmqWireError("increments have no table segments")
    _check_inputs(given, _report_of(given, names))
    with ExitStack() as stack:
        lock = None
        if not is_address(place_of(given.output)):
            lock = stack.enter_context(Lock(place_of(given.output), breaks=given.break_lock))
            _check_output(given)
        interrupts.check()
        spark = open_session(given, () if lock is None else lock.files)
        interrupts.cancel = lambda: _cancel(spark)
        try:
            interrupts.check()
            return _make(given, names, spark, lock, interrupts)
        finally:
            spark.stop()
            if interrupts.is_requested and interrupts.is_process:
                end_java()


def _make(
    given: argparse.Namespace,
    names: Sequence[str],
    spark: SparkSession,
    lock: Lock | None,
    interrupts: Interrupts,
) -> int:
    """Make the tables; with `--streaming`, repeatedly."""
    from .pipeline import Pipeline  # noqa: PLC0415  # as above

    def progress(line: str) -> None:
        interrupts.check()
        _progress(line)

    options = dict(given.option)
    names_of_settings = ("max_packet_size", "level", "profile", "ignore", "clock_tolerance")
    more = {name: value for name in names_of_settings if (value := getattr(given, name)) is not None}
    pipeline = Pipeline(
        spark, given.output, tables=names, form=given.format, catalog=given.catalog,
        partition_by=given.partition_by, idle=given.idle, progress=progress, lock=lock,
        break_lock=given.break_lock, **more,
    )  # fmt: skip
    first = True
    while True:
        start = time.monotonic()
        if not given.streaming:
            pipeline.read(given.input, options)
            pipeline.make()
            _finish(given, pipeline, start)
            return 0
        if pipeline.take(given.input, options) or first:
            _finish(given, pipeline, start)
        if not given.every:
            return 0
        first = False
        interrupts.wait(given.every)


def _cancel(spark: SparkSession) -> None:
    """Cancel the running jobs."""
    context: Any = getattr(spark, "sparkContext", None)
    if context is None:
        spark.interruptAll()
    else:
        context.cancelAllJobs()


_SILENT = logging.NullHandler()


def _report_of(given: argparse.Namespace, tables: Sequence[str]) -> Path | None:
    """Return the file of the report; None if there is none.

    Raises:
        MsmqWireError: A report is requested, and a table that it needs is not.
    """
    from msmq_wire.captures.reports.report import TABLES  # noqa: PLC0415  # as above
    from msmq_wire.captures.writing import REPORT  # noqa: PLC0415  # as above

    from ._inputs.options import place_of  # noqa: PLC0415  # as above

    missing = [name for name in TABLES if name not in tables]
    if given.report:
        if missing:
            raise MsmqWireError(f"--tables does not name {missing[0]}, which the report needs")
        return Path(given.report)
    local = place_of(given.output)
    return None if missing or given.streaming or is_address(local) else Path(local, REPORT)


def _check_inputs(given: argparse.Namespace, report: Path | None) -> None:
    """Check that no file is both read and written.

    Raises:
        MsmqWireError: The output is in an input, or the report is one, or cannot be a file.
    """
    from msmq_wire.captures import TABLES  # noqa: PLC0415  # as above
    from msmq_wire.captures.writing import check_apart  # noqa: PLC0415  # as above

    check_apart(given.output, given.input)
    if report is None:
        return
    if report.is_dir():
        raise MsmqWireError(f"{report} is a directory, and the report needs a file")
    above = next(path for path in report.absolute().parents if path.exists())
    if not above.is_dir():
        raise MsmqWireError(f"{above} is a file, and the report needs a directory")
    if given.report and not report.exists():
        try:
            TemporaryFile(dir=above).close()
        except OSError as error:
            raise MsmqWireError(
                f"{above}: the report cannot be created there: {error.strerror or error}"
            ) from None
    for location in given.input:
        if report.exists() and Path(location).exists() and report.samefile(location):
            raise MsmqWireError(f"{report} is an input: choose another file for the report")
    if given.report:
        check_apart(given.report, given.input)
        for name in TABLES:
            if Path(os.path.realpath(report)).is_relative_to(os.path.realpath(Path(given.output, name))):
                raise MsmqWireError(
                    f"{report} is inside the table {name}: choose another place for the report"
                )


def _check_output(given: argparse.Namespace) -> None:
    """Check that only tables are replaced, if the output is a path.

    Raises:
        MsmqWireError: An input, or anything that is not a table, would be replaced.
        OSError: A directory cannot be read.
    """
    from msmq_wire.captures.writing import check_output  # noqa: PLC0415  # as above

    from ._inputs.options import place_of  # noqa: PLC0415  # as above

    replaces = not (given.streaming or given.catalog) and given.format in {"parquet", "orc", "avro", "json"}
    inputs = [location for location in given.input if not is_address(location)]
    check_output(place_of(given.output), inputs, None if replaces else ["stage"])


def _progress(line: str) -> None:
    # One write call, because tables are written in parallel.
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {line}\n")
    sys.stderr.flush()


def _apart(given: argparse.Namespace) -> bool:
    """Return whether the tables differ from those of the local engine in location, structure or format."""
    is_other = given.streaming or given.catalog or given.partition_by or given.format != "parquet"
    return bool(is_other) or is_address(given.output)


def _finish(given: argparse.Namespace, pipeline: Pipeline, start: float) -> None:
    """Print the summary, and write the report."""
    from msmq_wire.captures import SCHEMAS  # noqa: PLC0415  # as above
    from msmq_wire.captures.files.sources import shown  # noqa: PLC0415  # as above
    from msmq_wire.captures.reports.report import Report, written  # noqa: PLC0415  # as above

    from ._reports.report import written_by  # noqa: PLC0415  # as above
    from ._reports.summary import summary_of  # noqa: PLC0415  # as above

    summary = summary_of(pipeline, time.monotonic() - start)
    pipeline.stages.clear()
    print(summary, flush=True)  # noqa: T201  # as above
    location = _report_of(given, pipeline.tables)
    if location is not None:
        report = Report()
        for name, batch in written_by(pipeline) if _apart(given) else written(given.output, SCHEMAS):
            report.add(name, batch)
        page = report.page(f"MSMQ in {', '.join(map(shown, given.input))}")
        location.parent.mkdir(parents=True, exist_ok=True)
        location.write_bytes(page.encode("utf-8", "replace"))
        print(f"Report: {location}", flush=True)  # noqa: T201  # as above


if __name__ == "__main__":
    sys.exit(_main(None, is_process=True))
