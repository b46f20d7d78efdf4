"""How much a decoder takes from a stranger.

1. Every bound has a name, a unit and a default, and can be lowered or raised; what exceeds one is refused
   with a `DecodeError` whose `limit` names it, such as ``Limits.changes``.
2. The defaults refuse nothing that the documents allow, but for lists of thousands of queues and tens of
   thousands of changes: `packet_size` is the largest packet of [MS-MQMQ] 2.2.19.1, and most others are what
   fits into it.
3. Decoders take the limits as an argument and check each count before they read its elements.
"""

from __future__ import annotations

import sys

import msgspec

from .errors import DecodeError, MsmqWireError

__all__ = ["DEFAULT_LIMITS", "UNLIMITED", "Limits"]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of one decoding; all of them hold at once.

    Attributes:
        packet_size: Bytes of a packet, as `BaseHeader.PacketSize` counts them, or of any other input.
        changes: Directory changes or notification updates in a message.
        properties: Properties of one change.
        queues: Names of a list of queues, such as those that a message was sent to.
        elements: Elements of any other array: certificates, numbers of partitions, elements of a vector in a
            property value.
        string_length: WCHARs of a text, as many as the record's text has; a terminator that C counts in, the
            text has too.
        fields: Fields that `explain` has listed when it leaves out elements of arrays that follow, however
            many it was asked for; what is left out is counted, and nothing is refused.
        lax_fields: Fields that `LaxResult.fields` has when it leaves out elements of arrays that follow;
            `LaxResult.left_out` counts them, and nothing is refused.
        findings: Violations that `validate` reports; what is beyond is counted, and nothing is refused.

    Raises:
        MsmqWireError: A bound is negative or no number.
    """

    packet_size: int = 0x0040_0000
    changes: int = 40_000
    properties: int = 255
    queues: int = 3_000
    elements: int = 0x0040_0000
    string_length: int = 0x0020_0000
    fields: int = 500
    lax_fields: int = 10_000
    findings: int = 10_000

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not isinstance(value, int) or value < 0:
                raise MsmqWireError(f"Limits.{name} is {value!r}, which is no number of anything")

    def hold(self, name: str, count: int, *, structure: str, path: str, offset: int) -> None:
        """Refuse a count that exceeds the bound of that name; the other arguments are its place.

        Raises:
            DecodeError: It does.
        """
        most = getattr(self, name)
        if count > most:
            raise DecodeError(
                f"{name.replace('_', ' ')}: {count}, more than the {most} that are taken",
                structure=structure,
                path=path,
                offset=offset,
                expected=f"at most {most}",
                actual=count,
                limit=f"Limits.{name}",
            )

    def bound(self, name: str, unit: int, most: int = sys.maxsize) -> int | None:
        """The bound of that name, or None where nothing can exceed it.

        Args:
            name: One of the attributes.
            unit: Bytes that one of what is counted takes at least.
            most: The largest count that can be written.
        """
        value: int = getattr(self, name)
        return value if value < most and (value + 1) * unit <= self.packet_size else None


DEFAULT_LIMITS = Limits()
"""What every decoder goes by unless its caller says otherwise."""
UNLIMITED = Limits(**dict.fromkeys(Limits.__struct_fields__, sys.maxsize))
"""No bounds: memory and time are still in proportion to the input."""
