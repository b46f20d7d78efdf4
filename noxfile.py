"""Sessions: lint, types, tests, docs; `nox -l` lists them."""

from __future__ import annotations

from pathlib import Path

import nox

nox.options.sessions = ["lint", "types", "tests", "docs"]
nox.options.default_venv_backend = "venv"


def _install(session: nox.Session, *groups: str) -> None:
    session.install("--quiet", "--upgrade", "pip>=25.1")
    session.install("--quiet", "-e", ".", *(f"--group={group}" for group in groups))


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
def generate(session: nox.Session) -> None:
    """Write the generated modules anew, from the definitions; ``-- --check`` fails where one is stale."""
    _install(session, "lint")
    session.run("python", "-m", "msmq_wire.compiler", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests and measure what they cover."""
    _install(session, "test")
    session.run("python", "-m", "pytest", "--cov", "--cov-report=term-missing", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation; a warning is an error."""
    _install(session, "docs")
    target = Path(session.create_tmp()) / "html"
    session.run("sphinx-build", "-W", "--keep-going", "-b", "html", "docs", str(target))


@nox.session
def thorough(session: nox.Session) -> None:
    """Run the property tests with many more examples; takes as long as it takes."""
    _install(session, "test")
    session.run("python", "-m", "pytest", "--hypothesis-profile=thorough", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Fuzz every target for so long: ``nox -s fuzz -- --seconds 3600``; goes on where it stopped."""
    _install(session, "fuzz")
    session.env["PYTHONPATH"] = "tests/support:tests/fuzz"
    session.run("python", "tests/fuzz/campaign.py", *session.posargs)


@nox.session
def report(session: nox.Session) -> None:
    """Run the tests that prove requirements, and write the report in the documentation anew."""
    _install(session, "test")
    session.run(
        "python", "-m", "pytest", "-m", "requirement", "--conformance-report=docs/reference", *session.posargs
    )


@nox.session
def duvet(session: nox.Session) -> None:
    """Write the catalogue of requirements in the format of the tool duvet, to .duvet."""
    session.run("python", "tests/support/export_duvet.py", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Time msmq_wire against hand-written code and its peers; writes the reference page."""
    _install(session, "bench")
    session.run("python", "-m", "pytest", "tests/benchmarks/check_peers.py")
    session.chdir("tests")
    session.run("python", "-m", "benchmarks", "--write", "../docs/reference", *session.posargs)


@nox.session
def mutants(session: nox.Session) -> None:
    """Damage rules and layouts, one place at a time, and see whether the tests notice; takes hours."""
    _install(session, "test", "mutation")
    session.run("python", "-m", "pytest", "-o", "addopts=", "tests/mutation/check_operators.py")
    session.run("python", "tests/mutation/run.py", *session.posargs)


@nox.session
def spark_proof(session: nox.Session) -> None:
    """Run the Spark job on a million packets with faults, and compare with the ground truth; takes long."""
    _install(session, "test")
    directory = Path(session.create_tmp()) / "proof"
    session.chdir("tests")
    session.run("python", "-m", "spark.proof", str(directory.resolve()), *session.posargs)


@nox.session
def spark_bench(session: nox.Session) -> None:
    """Time each stage of the Spark pipeline against an identity pass over the same data."""
    _install(session, "test")
    session.chdir("tests")
    session.run("python", "-m", "benchmarks.bench_spark", *session.posargs)
