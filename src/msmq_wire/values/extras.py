"""What is said where an extra is not installed."""

from __future__ import annotations

__all__ = ["needed"]


def needed(extra: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The error with the command that installs what is missing.

    Args:
        extra: The extra, which is called like its package.
        error: What its import raised.
    """
    package = (error.name or "").partition(".")[0]
    return ModuleNotFoundError(
        f"msmq_wire.{extra} needs the package {package}: pip install 'msmq_wire[{extra}]'", name=package
    )
