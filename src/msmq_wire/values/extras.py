"""The error for an extra that is not installed."""

from __future__ import annotations


def needed(extra: str, error: ModuleNotFoundError, module: str = "") -> ModuleNotFoundError:
    """The error with the command that installs the missing package.

    Args:
        extra: The extra.
        error: The error of the import.
        module: The module that needs it, if its name differs from that of the extra.
    """
    package = (error.name or "").partition(".")[0]
    return ModuleNotFoundError(
        f"msmq_wire.{module or extra} needs the package {package}: pip install 'msmq_wire[{extra}]'",
        name=package,
    )
