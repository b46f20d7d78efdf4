"""A violation of a requirement, wherever it was found."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

Level: TypeAlias = Literal["must", "should", "practice"]
_DOCUMENTS = {
    "MQMQ": "MS-MQMQ",
    "MQQB": "MS-MQQB",
    "MQRR": "MS-MQRR",
    "MQDSRP": "MC-MQDSRP",
    "MQCN": "MS-MQCN",
}


def section_of(requirement: str) -> str:
    """The section of a requirement, by its id."""
    document, section, _ = requirement.split("-")
    return f"[{_DOCUMENTS[document]}] {section}"


class Violation(msgspec.Struct, frozen=True):
    """A violation of a requirement, by a packet alone or given its session.

    Attributes:
        requirement: Id of the violated requirement, such as ``MQMQ-2.2.19.1-31``; empty for the form of a
            property value that a document describes without requiring it.
        path: Dotted path of the field from the outermost structure, such as
            ``UserMessage.BaseHeader.PacketSize``; that of the packet itself if the packet is illegal in the
            state of its session.
        offset: Offset of the field, or of its position if it is absent, in bytes from the beginning of the
            encoded record.
        found: The value of the field; None if it is absent.
        allowed: The allowed values, as text.
        message: A sentence that describes the violation.
        level: ``"must"``, ``"should"``, or ``"practice"`` for deviations of known implementations.
        erratum: The erratum with the evidence for a known deviation; otherwise empty.
        note: The note on product behavior behind a violation of a profile; otherwise empty.
        direction: In a session, the direction of the packet; otherwise empty.
        packet: In a session, the index of the packet among those fed, from 0; for bytes that are not a
            packet, the next index.
        at: In a session, the time of the packet, as fed.
        stream_offset: In a session, the offset of the packet in its stream, as fed.
    """

    requirement: str
    path: str
    offset: int
    found: Any
    allowed: str
    message: str
    level: Level = "must"
    erratum: str = ""
    note: str = ""
    direction: str = ""
    packet: int | None = None
    at: float | None = None
    stream_offset: int | None = None

    @property
    def section(self) -> str:
        """The section that states the requirement, such as ``[MS-MQMQ] 2.2.19.1``."""
        return section_of(self.requirement) if self.requirement else ""

    def __str__(self) -> str:
        if self.packet is None:
            return f"{self.message} ({self.requirement}, byte {self.offset})"
        where = "" if self.stream_offset is None else f", byte {self.stream_offset}"
        return f"{self.message} ({self.requirement}, packet {self.packet} {self.direction}{where})"
