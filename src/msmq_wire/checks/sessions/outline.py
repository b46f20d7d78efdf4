"""Outlines: the fields of messages and acknowledgments that a session needs, for readers of columns.

1. An outline has only the fields that the steps and rules of a session use, under their names in the
   documents.
2. Its class has the name of the record that it represents.  The record is decoded only if a rule is violated.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec

from msmq_wire.packets.packet import decode
from msmq_wire.values.guid import GUID  # msgspec evaluates the annotation of a field

__all__ = [
    "CLEAR",
    "SET",
    "FinalAck",
    "OrderAck",
    "Outline",
    "Properties",
    "Transaction",
    "UserHeader",
    "UserMessage",
    "queue_digest",
]


class Mode(msgspec.Struct, frozen=True, gc=False):
    """The relevant flag of a UserHeader."""

    DM: int


CLEAR, SET = Mode(0), Mode(1)


class UserHeader(msgspec.Struct, frozen=True, gc=False):
    """The fields of a UserHeader that a session needs.

    Attributes:
        SourceQueueManager: The GUID, or its text.
        QueueManagerAddress: As in the document.
        MessageID: As in the document.
        Flags: The flags.
        queue: The `queue_digest` of the header; required for transactional messages only.
    """

    SourceQueueManager: GUID | str
    QueueManagerAddress: GUID
    MessageID: int
    Flags: Mode
    queue: str | None = None


class Transaction(msgspec.Struct, frozen=True, gc=False):
    """The fields of a TransactionHeader that a session needs, with their names in the document."""

    TxSequenceID: Any
    TxSequenceNumber: int
    PreviousTxSequenceNumber: int


class Properties(msgspec.Struct, frozen=True, gc=False):
    """The fields of a MessagePropertiesHeader that a session needs; the body for acknowledgments only."""

    MessageClass: int
    MessageBody: bytes = b""


class Outline(msgspec.Struct, frozen=True, gc=False):
    """The fields of a packet that a session needs.

    Attributes:
        UserHeader: Its outline.
        MessagePropertiesHeader: Its outline.
        TransactionHeader: Its outline.
        SessionHeader: The record.
        data: A sequence with the bytes of the packet, such as an Arrow array.
        at: The index of the packet in it.
    """

    UserHeader: UserHeader
    MessagePropertiesHeader: Properties
    TransactionHeader: Transaction | None = None
    SessionHeader: Any = None
    data: Any = None
    at: int = 0

    def record(self) -> Any:
        """Return the packet itself."""
        return decode(self.data[self.at].as_py())


class UserMessage(Outline, frozen=True, gc=False):
    """Outline of a UserMessage."""


class OrderAck(Outline, frozen=True, gc=False):
    """Outline of an OrderAck."""


class FinalAck(Outline, frozen=True, gc=False):
    """Outline of a FinalAck."""


def queue_digest(header: Any) -> str:
    """Return a digest of the destination queue of a UserHeader."""
    queue = header.DestinationQueue
    name = b"" if queue is None else queue.encode()
    address: bytes = header.QueueManagerAddress.bytes_le
    return blake2b(address + name, digest_size=8).hexdigest()
