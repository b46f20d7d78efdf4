"""The command ``msmq-wire``; needs the extra ``cli``, and ``captures`` to read captures.

- `commands`: the subcommands, each a click function.
- `options`: options that subcommands share.
- `pieces`: the packets of inputs and operands.
- `inputs`: input from files of any format, and pipes.
- `packet_text`: bytes in the form of text, such as digits, dumps and literals.
- `tcpdump_text`: the output of tcpdump -X as a capture.
- `rows`: selecting and formatting the rows of tables.
- `styled_text`: violations as text; explanations with colours.
- `output_conflicts`: the check that an output is not an input.
- `output`: output, and the exit status.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class _TerminatedError(BaseException):
    """The process has received SIGTERM."""


def _terminate(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # some programs send it twice; cleaning up is fast
    raise _TerminatedError


@contextmanager
def _terminable() -> Iterator[None]:
    """End the command by an exception on SIGTERM, so that temporary files are removed."""
    before = signal.getsignal(signal.SIGTERM)
    ours = False
    if before is signal.SIG_DFL:
        with suppress(ValueError):  # not the main thread
            signal.signal(signal.SIGTERM, _terminate)
            ours = True
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGTERM, before)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: The command-line arguments; None for those of this process.

    Returns:
        The exit status, a value of `output.Status`.
    """
    with _terminable():
        try:
            return _run(arguments)
        except (KeyboardInterrupt, _TerminatedError) as error:
            from .output import Status, failed, forget  # noqa: PLC0415  # they may come during its import

            forget()
            if isinstance(error, KeyboardInterrupt):
                return failed("interrupted", Status.INTERRUPTED)
            return failed("terminated", Status.TERMINATED)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        from .commands import run  # noqa: PLC0415  # the extra may not be installed
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        from .output import failed  # noqa: PLC0415  # as in `main`

        return failed("the command needs the package click: pip install 'msmq_wire[cli,captures]'")
    return run(arguments)
