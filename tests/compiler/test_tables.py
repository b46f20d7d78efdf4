"""What the compiler has against the definitions, the relations and the rules, in one failure."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.tables(0)
def test_the_compiler_accepts_the_tables_and_its_modules_are_not_stale() -> None:
    done = subprocess.run(  # our own interpreter and our own text
        [sys.executable, "-m", "msmq_wire.compiler", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stderr}{done.stdout}"
