"""Sessions for development; a newcomer needs `quick`, `tests` and `generate`, which are listed first."""

from __future__ import annotations

import sys
from pathlib import Path

import nox

nox.options.sessions = ["lint", "types", "tests", "docs"]
nox.options.default_venv_backend = "venv"


def _install(session: nox.Session, *groups: str) -> None:
    session.install("--quiet", "--upgrade", "pip>=25.1")
    session.install("--quiet", "-e", ".", *(f"--group={group}" for group in groups))


@nox.session
def quick(session: nox.Session) -> None:
    """Check style and run tests of files that differ from main; ``-- tests/packets`` selects a folder."""
    folders, options = session.posargs, []
    if not folders:
        changed = _changed(session)
        python = [name for name in changed if name.endswith(".py") and Path(name).exists()]
        if python:
            session.run(sys.executable, "-m", "ruff", "format", "--check", *python, external=True)
            session.run(sys.executable, "-m", "ruff", "check", *python, external=True)
        folders = _tests_of(changed)
        stems = {Path(name).stem.strip("_") for name in changed if name.startswith("src/")}
        options = ["--budget=40", f"--first={','.join(sorted(stems))}"]
    if not folders:
        session.skip("no file that differs from main has tests")
    session.env["HYPOTHESIS_PROFILE"] = "quick"
    session.run(sys.executable, "-m", "pytest", "-q", "-x", "-n", "auto", *options, *folders, external=True)


quick.python = False  # it runs in the environment of nox, activated or not


def _changed(session: nox.Session) -> list[str]:
    """Files that differ from main, or are new."""
    listed = [
        session.run("git", *command, external=True, silent=True) or ""
        for command in (
            ("diff", "--name-only", "--merge-base", "main"),
            ("ls-files", "--others", "--exclude-standard"),
        )
    ]
    return sorted({name for lines in listed for name in str(lines).split()})


def _tests_of(changed: list[str]) -> list[str]:
    """The tests of these files: changed tests themselves, and the folder of a changed module."""
    wanted: set[str] = set()
    for name in changed:
        path = Path(name)
        if path.match("test_*.py") and path.exists():
            wanted.add(name)
        elif name.startswith("src/msmq_wire/"):
            folder = Path("tests") / path.relative_to("src/msmq_wire").parts[0]
            wanted.add(str(folder) if folder.is_dir() else "tests/project/test_public_api.py")
        elif path.suffix == ".md":
            wanted.add("tests/project/test_docs.py")
    return sorted(name for name in wanted if not any(str(Path(name).parent) == other for other in wanted))


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests by the command of README."""
    _install(session, "test")
    session.run("python", "-m", "pytest", "-n", "auto", *session.posargs)


@nox.session
def generate(session: nox.Session) -> None:
    """Write the generated modules and tables; with ``-- --check``, fail if one is stale."""
    _install(session, "lint", "docs")
    session.run("python", "-m", "msmq_wire.compiler", *session.posargs)
    session.run("python", "docs/tables.py", *session.posargs)


@nox.session
def long(session: nox.Session) -> None:
    """Run every case of every test, and measure their coverage."""
    _install(session, "test")
    session.run("python", "-m", "pytest", "-n", "auto", "--long", "--cov", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Format and lint, without changing anything."""
    _install(session, "lint")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of the package and of its tests."""
    _install(session, "types", "test")
    session.run("mypy", "--strict", "src", "tests")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation; a warning is an error."""
    _install(session, "docs")
    target = Path(session.create_tmp()) / "html"
    session.run("sphinx-build", "-W", "--keep-going", "-b", "html", "docs", str(target))


@nox.session
def report(session: nox.Session) -> None:
    """Run the tests that prove requirements; write their report, and update the numbers on its page."""
    _install(session, "test")
    options = ("-n", "auto", "-m", "requirement", "--conformance-page")
    session.run("python", "-m", "pytest", *options, *session.posargs)


_INDEPENDENT = (
    *("tests/documents", "tests/wireshark", "tests/crypto/test_crypto.py", "tests/packets/test_signature.py"),
    *("tests/checks/test_audit.py", "tests/checks/test_published.py", "tests/checks/test_rules_bent.py"),
    *("tests/checks/test_requirements_decode.py", "tests/checks/test_requirements_encode.py"),
    *("tests/machines/test_replication_model.py", "tests/machines/test_notification_model.py"),
    *("tests/packets/test_directory_messages.py", "tests/values/test_sequence_number.py"),
    *("tests/captures/test_real_stacks.py", "tests/exports/test_exports.py::test_independent_verdicts"),
    "tests/ndr/test_calls.py",
)
"""Tests against independent vectors, packets and programs, and values and models of the documents."""


@nox.session
def installed(session: nox.Session) -> None:
    """Test the installed wheel against independent vectors, published bytes and programs."""
    session.env["PYTHONPATH"] = ""
    session.install("--quiet", "--upgrade", "pip>=25.1")
    session.install("--quiet", ".", "--group=test")
    where = session.run(
        *("python", "-P", "-c", "import msmq_wire; print(msmq_wire.__file__)"), silent=True, external=False
    )
    if not where or "site-packages" not in where:
        session.error(f"the tests would run against {where}")
    session.run("python", "-m", "pytest", "-q", "-n", "auto", *(session.posargs or _INDEPENDENT))


@nox.session
def distributions(session: nox.Session) -> None:
    """Build the wheels and source distributions of msmq_wire and msmq-wire-core, to dist."""
    session.install("--quiet", "build>=1.2", "twine>=6")
    for project in (".", "core"):
        session.run("python", "-m", "build", "--outdir", "dist", project)
    session.run("python", "-m", "twine", "check", "--strict", *map(str, Path("dist").iterdir()))


@nox.session
def cstruct5(session: nox.Session) -> None:
    """Generate with the prerelease dissect.cstruct 5, and check that the modules are the same."""
    _install(session, "lint", "test")
    session.install("--quiet", "--pre", "dissect.cstruct>=5.0.dev0,<6")
    session.run("python", "-m", "msmq_wire.compiler", "--check")
    session.run("pytest", "-q", "tests/definitions", "tests/compiler")


@nox.session
def thorough(session: nox.Session) -> None:
    """Run every case with the full counts of what only repeats; it takes hours."""
    _install(session, "test")
    options = ("-n", "auto", "--long", "--hypothesis-profile=thorough")
    session.run("python", "-m", "pytest", *options, *session.posargs)


@nox.session
def lakes(session: nox.Session) -> None:
    """Read Delta and Iceberg tables with DuckDB's own readers, whose packages need an older DuckDB."""
    extensions = (f"duckdb-extension-{name}" for name in ("avro", "delta", "iceberg"))
    session.install("--quiet", "-e", ".[delta,iceberg,testing]", *extensions, "pytest", "pytz")
    session.run("python", "-m", "pytest", "-q", "-o", "addopts=", "tests/captures/check_lakes.py")


@nox.session
def mutants(session: nox.Session) -> None:
    """Change the rules and the definitions, one place at a time, and list changes that no test detects."""
    _install(session, "test", "mutation")
    session.run("python", "-m", "pytest", "-o", "addopts=", "tests/mutation/check_operators.py")
    session.run("python", "tests/mutation/run.py", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Fuzz every target for this long: ``nox -s fuzz -- --seconds 3600``; continues the last run."""
    _install(session, "fuzz")
    session.env["PYTHONPATH"] = "tests/support:tests/fuzz"
    session.run("python", "tests/fuzz/campaign.py", *session.posargs)


@nox.session
def duvet(session: nox.Session) -> None:
    """Write the catalogue of requirements in the format of the tool duvet, to .duvet."""
    session.run("python", "tests/support/export_duvet.py", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Time msmq_wire against hand-written code and its peers; writes the reference page."""
    _install(session, "bench")
    kaitai = ("--no-package-lock", "--no-audit", "--no-fund", "--silent", "--prefix", "tests/exports/kaitai")
    session.run("npm", "install", *kaitai, external=True)
    session.run("python", "-m", "pytest", "tests/benchmarks/check_peers.py")
    session.chdir("tests")
    session.run("python", "-m", "benchmarks", "--write", "../docs/reference", *session.posargs)


@nox.session
def captures_bench(session: nox.Session) -> None:
    """Time captures to tables against tshark, and reassembly against decoding and copying."""
    _install(session, "test")
    session.chdir("tests")
    session.run("python", "-m", "benchmarks.bench_captures", *session.posargs)


@nox.session
def spark_proof(session: nox.Session) -> None:
    """Run the Spark job on a million packets with faults, and compare with the ground truth; slow."""
    _install(session, "test")
    directory = Path(session.create_tmp()) / "proof"
    session.env["PYTHONPATH"] = "support"
    session.chdir("tests")
    session.run("python", "-m", "spark.proof", str(directory.resolve()), *session.posargs)


@nox.session
def spark_bench(session: nox.Session) -> None:
    """Time each stage of the Spark pipeline against an identity pass over the same data."""
    _install(session, "test")
    session.env["PYTHONPATH"] = "support"
    session.chdir("tests")
    session.run("python", "-m", "benchmarks.bench_spark", *session.posargs)
