"""What the fast readers raise: that bytes do not fit, and nothing else."""

from __future__ import annotations

__all__ = ["Reject"]


class Reject(Exception):
    """The bytes do not fit the layout."""
