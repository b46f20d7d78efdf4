"""What a name that is not known may have been meant for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["did_you_mean"]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence that names the nearest of what is known; empty if nothing is near."""
    near = import_module("difflib").get_close_matches(
        name, list(known), 1
    )  # not for programs without mistakes
    return f"; did you mean {near[0]}?" if near else ""
