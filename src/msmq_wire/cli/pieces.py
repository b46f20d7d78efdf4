"""The packets of inputs and operands.

A piece is a packet, or other bytes, with a heading.
"""

from __future__ import annotations

import os
import re
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from msmq_wire.packets.foreign import FORMATS, NO_CAPTURE
from msmq_wire.packets.lax import decode_lax
from msmq_wire.packets.mistaken import capture_name
from msmq_wire.packets.packet import class_of
from msmq_wire.packets.packet_starts import MARK_SIZE, begins_ping
from msmq_wire.packets.stream import Frame, PacketStream, Partial
from msmq_wire.values.errors import DecodeError, MsmqWireError
from msmq_wire.views.texts import size

from .extras import captured_module
from .inputs import Input, look, readable
from .outcome import OptionError, Outcome
from .packet_text import bytes_of_text
from .packets import error_text, packet_error, packet_name, read_packet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MANY_DIGITS: Final = 19
"""Fewer digits are always a number of 63 bits."""
_DIGITS: Final = re.compile(r"(?:[0-9A-Fa-f]{2}[\s:-]*){16,}")
"""Hexadecimal digits, enough for a packet."""
_FEW_DIGITS: Final = re.compile(r"[0-9A-Fa-f\s:-]+")

Piece = tuple[str, bytes | None, str, str | None]
"""A heading, the bytes if they are or might be a packet, the error, and the structure if it is known."""


def inputs_of(files: Sequence[str], outcome: Outcome) -> list[Input]:
    """Return the inputs at some paths; without a path, standard input.

    Raises:
        OptionError: A path is hexadecimal digits.
        OSError: No input can be read.
    """
    for file in files:
        if _DIGITS.fullmatch(file) and not _exists(file):
            raise OptionError("expected a file, got hexadecimal digits: use --hex of explain or validate")
    return readable(files or ("-",), outcome)


def typed_input(digits: str) -> Input:
    """Return the input for ``--hex``."""
    try:
        data = bytes_of_text(digits)
        return Input("-", bool(capture_name(data)), iter([data]), text=False)
    except MsmqWireError as error:
        hint = "; for a file, omit --hex" if _exists(digits) else ""
        raise OptionError(f"{error}{hint}") from None


def pieces_of(
    inputs: Sequence[Input], kind: str | None, frames: Sequence[int], where: Sequence[str], outcome: Outcome
) -> Iterator[Piece]:
    """Yield the pieces to explain."""
    for item in inputs:
        if item.capture and kind is None:
            yield from captured_module().pieces_of([item], frames, where, outcome)
        elif (frames or where) and not item.unread:
            if item.capture:
                raise OptionError("--kind is for bytes: it cannot be used with --frame and --where")
            raise OptionError(f"{item.name}: --frame and --where need a capture, but this is not one")
        else:
            yield from byte_pieces(item, kind, outcome)


def byte_pieces(source: Input, kind: str | None, outcome: Outcome) -> Iterator[Piece]:
    """Yield the pieces of an input that is not a capture."""
    if source.unread and kind is None:
        outcome.problem(f"{source.name}: the file is {source.unread}")
        return
    chunks = source.data(of_packets=kind is None)
    try:
        first = next(chunks, b"")
    except MsmqWireError as error:
        outcome.problem(str(error))
        return
    if not first and source.name != "-":
        outcome.problem(f"{source.name}: the file is empty")
        return
    if kind is None and begins_ping(first):
        kind = "PingPacket"
    if kind is not None:
        data = first + b"".join(chunks)
        if data:
            try:
                class_of(kind).decode(data)
            except DecodeError as error:
                outcome.problem(error_text(error))
            yield "", data, "", kind
        return
    is_too_short = source.chunks is None and len(first) < MARK_SIZE  # for a packet and for a capture
    if is_too_short:
        outcome.problem(f"{source.name}, byte 0: {NO_CAPTURE.format(FORMATS)}")
    stream = PacketStream(max_skipped=0)  # each skip is used when it is found
    for final, chunk in chain(((False, chunk) for chunk in chain([first], chunks)), [(True, b"")]):
        for item in stream.frames(chunk, final=final):
            begun = isinstance(item, (Frame, Partial))
            name = (
                type(item.packet).__name__
                if isinstance(item, Frame)
                else packet_name(item.data)
                if begun
                else "not a packet"
            )
            heading = f"{name}: {size(len(item.data))} at byte {item.offset:,}"
            problem = ""
            if not isinstance(item, Frame):
                problem = (packet_error(item.data) if begun else "") or str(item.error)
                if not is_too_short:
                    file = "" if source.name == "-" else f"{source.name}, "
                    outcome.problem(f"{file}byte {item.offset:,}: {problem}")
            yield heading, item.data if begun else None, problem, None


def packet_of(operand: str) -> tuple[bytes, Any]:
    """Return the packet of an operand of `diff`: its bytes, and the result of `read_packet`.

    Raises:
        MsmqWireError: The operand has no packet, or several.
    """
    path, mark, number = operand.rpartition("#")
    if not mark or not number.isdecimal() or _exists(operand):
        path, number = operand, ""
    wanted = int(number) if 0 < len(number) < _MANY_DIGITS else 1
    if not wanted or len(number) >= _MANY_DIGITS:
        raise MsmqWireError(f"{operand}: there is no such packet")
    if not is_path(path):
        return _known(bytes_of_text(path), "the text")
    try:
        item, outcome = look(path), Outcome()
    except FileNotFoundError:
        if _FEW_DIGITS.fullmatch(path):
            raise MsmqWireError(
                f"{path}: no such file; hexadecimal digits of a packet are at least 32"
            ) from None
        raise
    if item.unread:
        raise MsmqWireError(f"{path}: the file is {item.unread}")
    if item.capture and not number:
        raise OptionError(f"{path} is a capture; add the number of a frame, such as {path}#12")
    pieces = pieces_of([item], None, [wanted] if item.capture else [], [], outcome)
    wanted = 0 if item.capture else wanted - 1
    has_others = False
    packets = []
    for _, data, _, _ in pieces:
        if data is None:
            has_others = True
        else:
            packets.append(data)
        if len(packets) == wanted + 2:
            break
    if len(packets) <= wanted:
        if item.capture:
            raise MsmqWireError(f"{path}: no packet in frame {number}")
        if not packets and outcome.first_problem is not None:
            raise MsmqWireError(outcome.first_problem)
        raise MsmqWireError(f"{path}: there is no packet {wanted + 1}, only {len(packets)}")
    if len(packets) > wanted + 1 and not number:
        raise OptionError(f"{path} has several packets; for the first one, use {path}#1")
    if has_others and not number:
        raise OptionError(f"{path} has a packet and other bytes; for the packet, use {path}#1")
    return _known(packets[wanted], operand)


def _exists(path: str) -> bool:
    return os.path.exists(path)  # noqa: PTH110  # text that is too long for a file name is not an error


def is_path(operand: str) -> bool:
    """Return whether an operand is a path and not hexadecimal text."""
    return operand == "-" or _DIGITS.fullmatch(operand) is None or _exists(operand)


def _known(data: bytes, operand: str) -> tuple[bytes, Any]:
    packet = read_packet(data)
    if packet is None:
        raise MsmqWireError(f"{operand}: {decode_lax(data).error}")
    return data, packet
