"""Suggestions for unknown names."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["did_you_mean"]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error message with the most similar known name; empty if none is similar."""
    near = import_module("difflib").get_close_matches(name, list(known), 1)  # only imported for errors
    return f"; did you mean {near[0]}?" if near else ""
