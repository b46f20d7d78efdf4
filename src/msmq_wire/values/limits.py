"""Bounds for untrusted input.

1. Every limit has a name, a unit and a default, and can be lowered or raised.  Input that exceeds a limit
   raises a `DecodeError` whose `limit` names it, such as ``Limits.changes``.
2. The defaults accept everything that the documents allow, except lists of thousands of queues and tens of
   thousands of changes.  `packet_size` is the largest packet of [MS-MQMQ] 2.2.19.1; most other limits follow
   from it.
3. Decoders take the limits as an argument and check each count before they read its elements.
"""

from __future__ import annotations

import sys

import msgspec

from msmq_wire.values.numbers import MAX_PACKET_SIZE

from .errors import DecodeError, need_count
from .refusals import Problem, say


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds for decoding, explaining and validating.

    Attributes:
        packet_size: Bytes of a packet, as `BaseHeader.PacketSize` counts them, or of any other input.
        changes: Directory changes or notification updates in a message.
        properties: Properties of one change.
        queues: Names in a list of queues, such as the destinations of a message.
        elements: Elements of any other array: certificates, numbers of partitions, elements of a vector in a
            property value.
        string_length: WCHARs of a text in the record, including a terminator that the text includes.
        fields: Fields that `explain` lists before it omits further elements of arrays, whatever
            `max_elements` is.  Omitted elements are counted; nothing is rejected.
        lax_fields: Fields in `LaxResult.fields` before further elements of arrays are omitted;
            `LaxResult.left_out` counts them, and nothing is rejected.
        violations: Violations that `validate` reports; further ones are counted, and nothing is rejected.

    Raises:
        WrongTypeError: A limit is not an integer.
        MsmqWireError: A limit is negative.
    """

    packet_size: int = MAX_PACKET_SIZE
    changes: int = 40_000
    properties: int = 255
    queues: int = 3_000
    elements: int = MAX_PACKET_SIZE
    string_length: int = MAX_PACKET_SIZE // 2
    fields: int = 500
    lax_fields: int = 10_000
    violations: int = 10_000

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            need_count(f"Limits.{name}", getattr(self, name))

    def hold(self, name: str, count: int, *, structure: str, path: str, offset: int) -> None:
        """Raise an error for a count that exceeds a limit; the other arguments locate the count.

        Raises:
            DecodeError: The count exceeds the limit.
        """
        most = getattr(self, name)
        if count > most:
            raise DecodeError(
                say(Problem.LIMIT, name.replace("_", " "), most, count),
                structure=structure,
                path=path,
                offset=offset,
                expected=f"at most {most}",
                actual=count,
                limit=f"Limits.{name}",
            )

    def bound(self, name: str, unit: int, most: int = sys.maxsize) -> int | None:
        """The limit of that name, or None if no input can exceed it.

        Args:
            name: One of the attributes.
            unit: The smallest size of a counted element, in bytes.
            most: The largest count that the field can hold.
        """
        value: int = getattr(self, name)
        return value if value < most and (value + 1) * unit <= self.packet_size else None


DEFAULT_LIMITS = Limits()
"""The default limits of every decoder."""
UNLIMITED = Limits(**dict.fromkeys(Limits.__struct_fields__, sys.maxsize))
"""No limits: memory and time are still proportional to the input."""
