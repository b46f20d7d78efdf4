"""The example for atheris instruments all that it fuzzes; a stand-in for atheris counts the imports."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from support_specs import SPECS

if TYPE_CHECKING:
    from pathlib import Path

ROOT = SPECS.parent
STAND_IN = """
import contextlib, pathlib, sys

def core():
    return {name for name in sys.modules if name.startswith("msmq_wire") and ".testing" not in name}

@contextlib.contextmanager
def instrument_imports(include):
    before = core()
    yield
    global instrumented
    instrumented = core() - before

def Mutate(data, max_size):
    return (data + b"!")[:max_size]

def Setup(words, target, custom_mutator):
    global run
    folder = pathlib.Path(words[-1])
    assert words[1] == f"-dict={folder}.dict"
    def run():
        for number, path in enumerate(sorted(folder.iterdir())):
            data = path.read_bytes()
            for seed in (number, 16 * number):
                target(data)
                target(custom_mutator(data, 4096, seed))
        return number + 1

def Fuzz():
    print(run(), "seeds;", "later:", *sorted(core() - instrumented))
"""


@pytest.mark.long
def test_everything_that_the_target_reaches_is_instrumented(tmp_path: Path) -> None:
    (tmp_path / "atheris.py").write_text(STAND_IN)
    done = subprocess.run(  # noqa: S603  # a program of ours
        [sys.executable, str(ROOT / "docs" / "examples" / "fuzz_atheris.py"), "corpus"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "src"), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    count, _, later = done.stdout.partition(" seeds; later:")
    assert int(count) > 50
    assert later.split() == []
