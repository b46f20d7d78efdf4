"""The sizes, counts and offsets of a packet that lead out of it, in sentences.

1. The bytes of an incomplete packet prove less: one of its lengths counts only if it exceeds PacketSize.
2. If PacketSize cannot be right, the other lengths are compared with the largest packet.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from msmq_wire.packets.lax import decode_part, stops_of
from msmq_wire.packets.packet_starts import BASE_SIZE, PACKET_SIZE, PACKET_SIZE_AT, starts_packet, unpack_base
from msmq_wire.values.errors import plural
from msmq_wire.values.numbers import MAX_PACKET_SIZE
from msmq_wire.values.refusals import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from msmq_wire.values.errors import DecodeError

_OVER_HTTP: Final = re.compile(r"UserMessage\.(SRMPEnvelopeHeader|CompoundMessageHeader)\b")
_FLAGS: Final = "UserHeader.Flags"
_ABOVE: Final = frozenset(
    {Problem.SIZE_ABOVE, Problem.PADDED_SIZE_ABOVE, Problem.COUNT_ABOVE, Problem.ELEMENTS_ABOVE}
)
_SHORT: Final = frozenset({Problem.SHORT, Problem.COUNT_SHORT})
_LEADS_OUT: Final = _ABOVE | _SHORT | {Problem.SIZE_BELOW}
"""The problems of a length that leads out; the others fit into the packet, but an odd one may not."""
_OF_NUMBERS: Final = frozenset({Problem.VALUE, Problem.SIZE_BELOW})
"""The problems of a number of which the right value, or the least, is known."""
_CUT: Final = "buffer"
"""The limit of an error that is about missing bytes."""


class WrongLengths(NamedTuple):
    """Sentences about the lengths of a packet; None if none of them certainly leads out of it.

    Attributes:
        any: About PacketSize, or else about the first length that leads out.
        over_http: About a length in a header of messages over HTTP.
        over_http_flag: The flag that announces these headers, if only PacketSize hides it; None otherwise.
    """

    any: str | None = None
    over_http: str | None = None
    over_http_flag: int | None = None


def wrong_lengths(
    data: bytes, *, left: int | None = None, section: int | None = None, is_followed: bool = False
) -> WrongLengths:
    """Return what is certain about the lengths of a packet that cannot be read whole.

    Args:
        data: Its bytes, up to the next packet or the end of the captured ones.
        left: Number of bytes from its beginning to the end of the connection; None if unknown.
        section: Number of bytes of the whole packet, as the answer of a remote read says; None if unknown.
        is_followed: Whether another packet follows, and none begins where PacketSize says that it ends.
    """
    if len(data) < BASE_SIZE or not starts_packet(data, 0):
        return WrongLengths()
    size, bound = unpack_base(data)[3], MAX_PACKET_SIZE
    errors = _errors(data)
    problem = _of_packet_size(size, len(data), errors, left, section, is_followed=is_followed)
    over_http_flag = None
    if problem is not None and size < len(data):
        data = data[:PACKET_SIZE_AT] + struct.pack("<I", bound) + data[PACKET_SIZE_AT + 4 :]
        errors = _errors(data)
        over_http_flag = getattr(decode_part(data).fields.get(_FLAGS), "AH", None)
    elif size <= bound:
        bound = size
    error = next((error for error in errors if _certain(error, bound, is_cut=bound > len(data))), None)
    sentence = None if error is None else _sentence(error, size, bound)
    if error is not None and _OVER_HTTP.match(str(error.source_path)):
        return WrongLengths(problem, sentence, over_http_flag)
    return WrongLengths(problem or sentence, None, over_http_flag)


def _errors(data: bytes) -> Sequence[DecodeError]:
    """Return the errors of a packet; instead of one that gives a number its right value, where it leads."""
    errors = decode_part(data).errors
    is_number = bool(errors) and errors[0].code in _OF_NUMBERS and ".Flags." not in errors[0].path
    return stops_of(data) if is_number else errors


def _of_packet_size(
    size: int,
    there: int,
    errors: Sequence[DecodeError],
    left: int | None,
    section: int | None,
    *,
    is_followed: bool,
) -> str | None:
    """Return why PacketSize cannot be right; None if it may be."""
    if not BASE_SIZE <= size <= MAX_PACKET_SIZE:
        reason = f"a packet has {BASE_SIZE} to {MAX_PACKET_SIZE:,} bytes"
    elif left is not None and size > left:
        reason = f"the connection ends {_bytes(left)} after the beginning of the packet"
    elif section is not None and size > section:
        reason = f"a remote read returned the whole packet in {_bytes(section)}"
    elif is_followed and size > there:
        reason = f"the next packet begins {_bytes(there)} after this one"
    elif errors and size <= there and errors[0].code in _SHORT and _is_packet_size(errors[0]):
        error = errors[0]
        reason = f"{error.path} has {_bytes(error.expected)} from byte {error.offset:,} on"
    else:
        return None
    return f"{PACKET_SIZE} is {size:,}, but {reason}"


def _is_packet_size(error: DecodeError) -> bool:
    return str(error.source_path).endswith(PACKET_SIZE)


def _certain(error: DecodeError, bound: int, *, is_cut: bool) -> bool:
    """Return whether an error proves that a length leads out of a packet of at most `bound` bytes."""
    if error.source_path is None or _is_packet_size(error):
        return False
    if error.code is Problem.ODD:  # the text follows its size
        return isinstance(error.actual, int) and error.offset + error.actual > bound
    if error.code not in _LEADS_OUT:
        return False
    if not is_cut:
        return error.limit != _CUT
    if error.code in _SHORT:
        return isinstance(error.expected, int) and error.offset + error.expected > bound
    return error.code in _ABOVE and isinstance(error.actual, int) and error.actual > bound


def _sentence(error: DecodeError, size: int, bound: int) -> str:
    """Return the sentence about a length that leads out of its packet, or of the part around it."""
    field = f"{error.source_path} at byte {error.source_offset:,}"
    whole = f"{PACKET_SIZE} is {size:,}" if bound == size else f"a packet has at most {bound:,} bytes"
    is_of_packet = error.limit in {PACKET_SIZE, _CUT}
    part = error.path.removeprefix(str(error.source_path).rpartition(".")[0] + ".")
    expected, actual = _number(error.expected), _number(error.actual)
    if error.code in _SHORT and is_of_packet:
        reason = f"says that {part} has {_bytes(error.expected)} from byte {error.offset:,} on, but {whole}"
    elif error.code in _SHORT:
        reason = f"leaves {_bytes(error.actual)} for {part}, which has {expected}"
    elif error.code is Problem.SIZE_BELOW:
        reason = f"is {actual}, but its contents have {_bytes(error.expected)}"
    elif error.limit == _CUT or error.code is Problem.ODD:
        reason = f"is {actual}, but {whole}"
    else:
        reason = f"is {actual}, but {error.limit} allows {expected}"
    return f"{field} {reason}"


def _bytes(value: object) -> str:
    return f"{_number(value)} {plural(value, 'byte')}"


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
