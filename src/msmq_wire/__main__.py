"""The command line: ``python -m msmq_wire`` explains bytes from a file, from standard input or from text.

1. Here, and nowhere else in the package, is something read or written.
2. Raw bytes, hexadecimal digits, and the dumps of ``xxd`` and ``hexdump -C`` are told apart by themselves.
3. What is understood goes to standard output.  What is wrong is one line of printable ASCII on standard error
   and status 1, whichever of the three is closed, full or gone.
"""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .packets import notification as mqcn  # noqa: F401  # they make their structures known
from .packets.marks import begins_ping, is_signed
from .packets.stream import Frame, PacketStream
from .values.errors import DecodeError, MsmqWireError
from .views.explanation import explain
from .views.plain import class_of
from .views.texts import escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["from_hex", "main"]

_OFFSET = re.compile(r"\s*([0-9A-Fa-f]+)(:?)\s*")
_TEXT = frozenset(b"\t\r\n" + bytes(range(0x20, 0x7F)))
_COLONS = re.compile(r"[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2})+")


def from_hex(text: str) -> bytes:
    """The bytes that hexadecimal digits, or a dump of ``xxd`` or ``hexdump -C``, stand for.

    Args:
        text: Digits with white space anywhere or with a colon between all bytes, or a dump whose offsets
            begin at zero and leave no gap.

    Raises:
        MsmqWireError: The text is neither.
    """
    if _COLONS.fullmatch(text.strip()):
        text = text.replace(":", " ")
    if ":" not in text and "|" not in text:
        try:
            return bytes.fromhex("".join(text.split()))
        except ValueError:
            raise MsmqWireError("the text is not hexadecimal, two digits a byte") from None
    data = bytearray()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        start = _OFFSET.match(line)
        if start is None or int(start[1], 16) != len(data):
            raise MsmqWireError(f"line {number} of the dump does not begin with the offset {len(data):#x}")
        rest = line[start.end() :]
        digits = rest.partition("  ")[0] if start[2] else rest.partition("|")[0]
        try:
            data += bytes.fromhex("".join(digits.split()))
        except ValueError:
            raise MsmqWireError(f"line {number} of the dump is not hexadecimal") from None
    return bytes(data)


def _read(file: str, digits: str | None) -> bytes:
    """The bytes that are asked about.

    Raises:
        OSError: The file cannot be read.
        MsmqWireError: The text does not stand for bytes, or there are none.
    """
    if digits is not None:
        data = from_hex(digits)
    else:
        data = _standard_input() if file == "-" else Path(file).read_bytes()
        if _TEXT.issuperset(data):
            data = from_hex(data.decode("ascii"))
    if not data:
        raise MsmqWireError("there are no bytes to explain")
    return data


def _standard_input() -> bytes:
    if sys.stdin is None:  # closed before the process began
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return sys.stdin.buffer.read()


def _explanations(data: bytes, kind: str | None) -> Iterator[tuple[str, DecodeError | None]]:
    """What is to be shown, piece by piece, each with the error that it has.

    Raises:
        MsmqWireError: There is no structure of that kind.
    """
    if kind is None and begins_ping(data):
        kind = "PingPacket"
    if kind is not None:
        error = None
        try:
            class_of(kind).decode(data)
        except DecodeError as found:
            error = found
        yield explain(data, kind), error
        return
    for item in PacketStream(max_skipped=None).frames(data, final=True):
        size = f"{len(item.data):,} bytes from byte {item.offset:,} on"
        if isinstance(item, Frame):
            yield f"== {type(item.packet).__name__}: {size}\n{explain(item.data)}\n", None
        elif is_signed(item.data):
            yield f"== damaged: {size}\n{explain(item.data)}\n", item.error
        else:
            yield f"== no packet: {size}\n{item.error}\n", item.error


def _complain(problem: str) -> int:
    with suppress(OSError, AttributeError):  # there may be nobody to complain to
        sys.stderr.write(f"msmq_wire: {escape(problem)}\n")
        sys.stderr.flush()
    return 1


class _Unwritable(Exception):
    """Standard output cannot be written."""


def _write(text: str, *, flush: bool = False) -> None:
    if sys.stdout is None:  # closed before the process began
        raise _Unwritable(os.strerror(errno.EBADF))
    try:
        sys.stdout.write(text)
        if flush:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _Unwritable(error.strerror) from error


def _forget_output() -> None:
    """What could not be written is not tried again when the process ends."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Explain the bytes that the arguments name.

    Args:
        arguments: The words of the command line; None takes those of this process.

    Returns:
        The status for the shell: 0 if everything could be read, 1 if not.
    """
    parser = argparse.ArgumentParser(
        prog="python -m msmq_wire",
        description="Explain MSMQ packets field by field.",
        epilog="Input may be raw bytes, hexadecimal digits, or a dump of xxd or hexdump -C.",
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="one direction of a TCP session; - is stdin"
    )
    source.add_argument("--hex", metavar="TEXT", help="the bytes themselves, as hexadecimal digits or a dump")
    parser.add_argument(
        "--kind", metavar="NAME", help="the structure that all the bytes are, such as DirectoryChange"
    )
    options = parser.parse_args(arguments)
    errors: list[DecodeError] = []
    try:
        for text, error in _explanations(_read(options.file, options.hex), options.kind):
            _write(text + "\n")
            errors += [error] if error else []
        _write("", flush=True)
    except BrokenPipeError:  # whoever reads has seen enough
        _forget_output()
        return 1
    except _Unwritable as error:
        _forget_output()
        return _complain(f"standard output: {error}")
    except OSError as error:
        return _complain(f"{error.filename or 'standard input'}: {error.strerror}")
    except MsmqWireError as error:
        return _complain(str(error))
    if not errors:
        return 0
    more = f" (the first of {len(errors)} such places)" if len(errors) > 1 else ""
    return _complain(f"{errors[0]}{more}")


if __name__ == "__main__":
    sys.exit(main())
