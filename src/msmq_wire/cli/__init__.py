"""The command ``msmq-wire``; needs the extra ``cli``, and ``captures`` for what reads captures.

- `commands`: the verbs, each a function of click.
- `inputs`: what is read: files of any form, pipes, hexadecimal text.
- `rows`: which rows of tables are shown, and how.
- `words`: sessions, violations and places in words; explanations with colours.
- `output`: what is written, and what the status of the process is.
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
        arguments: The words after its name; None takes those of this process.

    Returns:
        The status for the shell, a number of `output.Status`.
    """
    try:
        from .commands import run  # noqa: PLC0415  # the extra may not be installed
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        return failed("the command needs the package click: pip install 'msmq_wire[cli,captures]'")
    return run(arguments)
