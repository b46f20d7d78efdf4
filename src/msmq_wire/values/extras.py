"""What is said where an extra is not installed."""

from __future__ import annotations

__all__ = ["needed"]


def needed(extra: str, error: ModuleNotFoundError, module: str = "") -> ModuleNotFoundError:
    """The error with the command that installs what is missing.

    Args:
        extra: The extra.
        error: What its import raised.
        module: The module that needs it, if it is not called like the extra.
    """
    package = (error.name or "").partition(".")[0]
    return ModuleNotFoundError(
        f"msmq_wire.{module or extra} needs the package {package}: pip install 'msmq_wire[{extra}]'",
        name=package,
    )
