"""The distribution msmq-wire-core: its size, what it does by itself, and its errors for what it lacks."""

from __future__ import annotations

import email
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from support_docs import DOCS, ROOT, blocks
from support_specs import load_vectors
from test_public_api import PRELOADED

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MISSING = {
    **{
        name: f"msmq_wire[{name}]"
        for name in ("arrow", "captures", "cli", "crypto", "scapy", "spark", "testing")
    },
    **dict.fromkeys(("exports", "wireshark"), "msmq_wire"),
    "__main__": "msmq_wire[cli,captures]",
}
"""What the core does not have, and what to install for it."""
LOADED = """
import sys
import msmq_wire
msmq_wire.preload()
print(*sorted(name for name in sys.modules if name.partition(".")[0] == "msmq_wire"))
print(*sorted({name.partition(".")[0] for name, module in sys.modules.items()
               if "site-packages" in str(getattr(module, "__file__", ""))}))
print(msmq_wire.__version__)
"""
EXAMPLES = """
import doctest, sys
test = doctest.DocTestParser().get_doctest(sys.stdin.read(), {}, "examples", None, 0)
print(doctest.DocTestRunner().run(test))
"""
IMPORTS = """
import sys
for name in sys.argv[1:]:
    outer, _, last = name.rpartition(".")
    try: exec(f"from {outer} import {last}" if outer else f"import {name}")
    except ImportError as error: print(error.name, "|", error)
"""


def run(*words: str | Path, given: str = "", directory: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a program to its end."""
    return subprocess.run(  # noqa: S603  # our own interpreter and our own text
        words, input=given, capture_output=True, text=True, check=False, cwd=directory
    )


class Installed(NamedTuple):
    """A wheel, and an environment with it."""

    wheel: Path
    python: Path
    """Its interpreter."""
    packages: Path
    """The folder of installed packages."""
    size: int
    """The size of the installed files and of their bytecode."""

    @classmethod
    def build(cls, project: Path, at: Path) -> Installed:
        """Build the wheel of a project and install it, without a network."""
        done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", at, directory=project)
        assert done.returncode == 0, done.stderr
        (wheel,) = at.glob("*.whl")
        venv.create(at / "venv", symlinks=sys.platform != "win32")
        python = at / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        install = ("install", "--quiet", "--isolated", "--no-index", "--no-deps", wheel)
        done = run(sys.executable, "-m", "pip", "--python", python, *install)
        assert done.returncode == 0, done.stderr
        base = {"base": str(at / "venv"), "platbase": str(at / "venv")}
        packages = Path(sysconfig.get_path("purelib", "venv", base))
        size = sum(path.stat().st_size for path in packages.rglob("*") if path.is_file())
        return cls(wheel, python, packages, size)


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The core alone, without its dependencies."""
    return Installed.build(ROOT / "core", tmp_path_factory.mktemp("core"))


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The full distribution, without its dependencies."""
    return Installed.build(ROOT, tmp_path_factory.mktemp("full"))


@pytest.fixture(scope="module")
def usable(core: Installed) -> Installed:
    """The core with its two dependencies and nothing else."""
    for name in ("msgspec", "dissect.cstruct"):
        spec = find_spec(name)
        assert spec is not None
        assert spec.submodule_search_locations is not None
        shutil.copytree(
            spec.submodule_search_locations[0], core.packages.joinpath(*name.split(".")), dirs_exist_ok=True
        )
    return core


@pytest.mark.long
def test_sizes(core: Installed, full: Installed) -> None:
    """The core is small, and the page says what both distributions weigh.

    The size of bytecode depends on the version of Python.
    """
    assert core.wheel.stat().st_size < 700_000
    page = (DOCS / "install.md").read_text("utf-8")
    said = re.findall(r"^\| `(msmq[\w-]+)` \|.*\| ([\d.]+) MB \| ([\d.]+) MB \|$", page, re.MULTILINE)
    both = {"msmq_wire": full, "msmq-wire-core": core}
    assert [name for name, *_ in said] == list(both)
    for name, wheel, installed in said:
        assert both[name].wheel.stat().st_size / 1e6 == pytest.approx(float(wheel), rel=0.05), name
        assert both[name].size / 1e6 == pytest.approx(float(installed), rel=0.15), name


@pytest.mark.long
def test_both_have_the_same_modules(core: Installed, full: Installed) -> None:
    """The core has files of the full distribution, which has the whole package but its compiler."""
    with zipfile.ZipFile(core.wheel) as archive:
        modules = {name: archive.read(name) for name in archive.namelist() if name.startswith("msmq_wire/")}
    with zipfile.ZipFile(full.wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("msmq_wire/")}
        missing = {f"msmq_wire/{name}.py" for name in MISSING}
        assert missing <= modules.keys()
        assert all(archive.read(name) == modules[name] for name in modules.keys() - missing)
    parts = {path.name for path in (ROOT / "src" / "msmq_wire").iterdir()} - {"__pycache__", "compiler"}
    assert {name.split("/")[1] for name in names} == parts | {"data"}


@pytest.mark.long
def test_metadata(core: Installed) -> None:
    """They are those of the project, without what the core does not have."""
    with zipfile.ZipFile(core.wheel) as archive:
        names = archive.namelist()
        (path,) = (name for name in names if name.endswith("/METADATA"))
        found = email.message_from_bytes(archive.read(path))
    assert (found["Name"], found["Version"]) == ("msmq-wire-core", PROJECT["version"])
    assert (found["Summary"], found["Requires-Python"]) == (
        PROJECT["description"],
        PROJECT["requires-python"],
    )
    assert set(found.get_all("Classifier", [])) == set(PROJECT["classifiers"])
    needed = {Requirement(text) for text in found.get_all("Requires-Dist", [])}
    assert needed == {Requirement(text) for text in PROJECT["dependencies"]}
    assert found.get_all("Provides-Extra") is None
    assert "so install one of them" in str(found.get_payload())
    assert not any("entry_points" in name for name in names)
    (path,) = (name for name in names if name.endswith("/licenses/LICENSE"))
    with zipfile.ZipFile(core.wheel) as archive:
        assert archive.read(path) == (ROOT / "LICENSE").read_bytes()


@pytest.mark.long
def test_the_wheel_of_the_source_distribution_is_the_same(core: Installed, tmp_path: Path) -> None:
    """It has what it needs of the repository."""
    done = run(
        sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path, directory=ROOT / "core"
    )
    assert done.returncode == 0, done.stderr
    (source,) = tmp_path.glob("*.tar.gz")
    shutil.unpack_archive(source, tmp_path, filter="data")
    done = run(
        *(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path),
        directory=tmp_path / source.name.removesuffix(".tar.gz"),
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / core.wheel.name).read_bytes() == core.wheel.read_bytes()


@pytest.mark.long
def test_it_has_what_it_imports(usable: Installed) -> None:
    """All modules of the core can be imported, and import nothing else but msgspec."""
    done = run(usable.python, "-I", "-c", LOADED)
    assert done.stderr == ""
    modules, packages, version = done.stdout.splitlines()
    source = ROOT / "src" / "msmq_wire"
    wanted = {
        ".".join(("msmq_wire", *path.relative_to(source).with_suffix("").parts)).removesuffix(".__init__")
        for path in source.rglob("*.py")
        if path.relative_to(source).parts[0].removesuffix(".py") not in {*MISSING, "compiler"}
    }
    assert set(modules.split()) == wanted
    assert packages == "msgspec msmq_wire"
    assert version == PROJECT["version"]


def test_examples(usable: Installed) -> None:
    """The first example of README, and the layouts in dissect.cstruct."""
    text = "\n".join((*blocks(ROOT / "README.md"), *blocks(DOCS / "how-to" / "dissect.md")))
    done = run(usable.python, "-I", "-c", EXAMPLES, given=text)
    assert done.stderr == ""
    assert re.fullmatch(r"TestResults\(failed=0, attempted=[1-9]\d+\)\n", done.stdout), done.stdout


@pytest.mark.long
def test_functions_open_and_import_nothing(usable: Installed) -> None:
    frames = [vector.data.hex() for vector in load_vectors() if vector.section.startswith("[MS-MQQB] 4.1")]
    done = run(usable.python, "-I", "-c", PRELOADED, *frames)
    assert (done.stdout, done.stderr) == ("silent\n", "")


def sentence(name: str) -> str:
    """The advice for a module."""
    advice = f"pip uninstall msmq-wire-core, then pip install '{MISSING[name]}'"
    subject = "the command" if name == "__main__" else f"msmq_wire.{name}"
    return f"{subject} is not in msmq-wire-core: {advice}"


def test_what_is_missing_says_what_to_install(usable: Installed) -> None:
    names = [f"msmq_wire.{name}" for name in MISSING]
    done = run(usable.python, "-I", "-c", IMPORTS, *names, "msmq_wire.testing.strategies")
    wanted = [f"msmq_wire.{name} | {sentence(name)}" for name in (*MISSING, "testing")]
    assert (done.stdout.splitlines(), done.stderr) == (wanted, "")


@pytest.mark.each(3)
@pytest.mark.parametrize("module", ["msmq_wire", "msmq_wire.captures", "msmq_wire.testing.captures"])
def test_missing_commands_say_what_to_install(usable: Installed, module: str) -> None:
    """One line, without a traceback."""
    done = run(usable.python, "-I", "-m", module)
    assert done.returncode != 0
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert sentence(module.split(".")[1] if "." in module else "__main__") in line
