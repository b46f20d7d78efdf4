"""The Kaitai compiler, an npm package, and the readers that it generates from ``specs/msmq.ksy``."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from support_specs import SPECS

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

__all__ = ["ENVIRONMENT", "NODE", "compiled", "module"]

NODE = SPECS.parent / "tests" / "exports" / "kaitai"
"""The folder with the npm packages: ``npm install --no-package-lock`` there installs them."""

ENVIRONMENT = {**os.environ, "NODE_PATH": str(NODE / "node_modules")}
"""The environment in which programs outside that folder have its packages."""


def compiled(directory: Path, *languages: str) -> Path:
    """Write the readers in these languages to a directory, and return it."""
    node = shutil.which("node")
    if node is None or not (NODE / "node_modules").is_dir():
        pytest.skip(
            f"Node.js, or `npm install --no-package-lock` in {NODE.relative_to(SPECS.parent)}, is missing"
        )
    command = [node, str(NODE / "compile.js"), str(SPECS / "msmq.ksy"), str(directory), *languages]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603  # ours
    return directory


def module(directory: Path) -> ModuleType:
    """Import the reader in Python."""
    spec = importlib.util.spec_from_file_location("generated_kaitai_reader", directory / "msmq.py")
    assert spec is not None
    assert spec.loader is not None
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    return reader
