"""The job as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from .conftest import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["HERE", "LIGHT", "started", "state_of"]

HERE = Path(__file__).parents[2]
JOB = [sys.executable, "-m", "msmq_wire.spark"]
LIGHT = [f"--conf={name}={value}" for name, value in OPTIONS.items()]


def started(words: Sequence[str]) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(HERE / "src"), "PYTHONWARNINGS": "ignore"}
    pipe = subprocess.PIPE
    return subprocess.Popen([*JOB, *words], env=environment, stdout=pipe, stderr=pipe, text=True)  # noqa: S603  # our own words


def state_of(output: Path) -> str:
    (row,) = pq.read_table(output / "run").to_pylist()
    return str(row["state"])
