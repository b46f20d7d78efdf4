"""The exception of the fast readers."""

from __future__ import annotations

__all__ = ["Reject"]


class Reject(Exception):
    """The bytes do not fit the layout."""
