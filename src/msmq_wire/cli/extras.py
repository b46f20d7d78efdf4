"""Modules that need an extra; they are imported on demand."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class MissingError(Exception):
    """An extra is not installed."""


def captured_module(name: str = "captured") -> Any:
    """Import a module that needs the extra ``captures``.

    Raises:
        MissingError: The extra is not installed.
    """
    try:
        return import_module(f".{name}", __package__)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in {"filetype", "numpy", "pyarrow"}:
            raise
        problem = f"captures need the package {package}: pip install 'msmq_wire[cli,captures]'"
        raise MissingError(problem) from None
