"""Captures to tables with Apache Spark; needs the extra ``spark`` and Java 17 or later.

1. `format("msmq")`, which `MsmqDataSource` is, reads capture files to rows of TCP segments and UDP datagrams.
2. What is no part of a file's own formats is in modules without Spark, and tested without it.

Each name is imported when it is first asked for, so that workers import only what they run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .segments import SEGMENTS
    from .source import MsmqDataSource

__all__ = ["SEGMENTS", "MsmqDataSource"]

_HOMES = {"SEGMENTS": "segments", "MsmqDataSource": "source"}
"""Where each name is."""


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    return value
