"""The command ``msmq-wire``; needs the extra ``cli``, and ``captures`` to read captures.

- `commands`: the subcommands, each a click function.
- `inputs`: input from files of any format, pipes, and hexadecimal text.
- `rows`: selecting and formatting the rows of tables.
- `words`: violations as text; explanations with colours.
- `apart`: the check that an output is not an input.
- `output`: output, and the exit status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .output import failed

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: The command-line arguments; None for those of this process.

    Returns:
        The exit status, a value of `output.Status`.
    """
    try:
        from .commands import run  # noqa: PLC0415  # the extra may not be installed
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        return failed("the command needs the package click: pip install 'msmq_wire[cli,captures]'")
    return run(arguments)
