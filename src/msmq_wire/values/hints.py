"""Errors for unknown names, with suggestions."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .errors import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of an error message with the most similar known name; empty if none is similar."""
    near = import_module("difflib").get_close_matches(name, list(names), 1)  # only imported for errors
    return f"; did you mean {near[0]}?" if near else ""


def no_structure(kind: object, names: Iterable[str]) -> str:
    """The message for an unknown name or class of a structure."""
    name = str(kind if isinstance(kind, str) else getattr(kind, "__name__", ""))
    return f"there is no structure {shortened(name or kind)}{did_you_mean(name, names)}"
