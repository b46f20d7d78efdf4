"""Messages and acknowledgments as far as a session looks at them, for who reads packets as columns.

1. An outline has, under the names of the page, what the steps and the rules of a session ask for, and
   nothing else.
2. Its class has the name of the record that it stands for.  What is told of a broken rule is told of that
   record, which is read then and not before.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec

from msmq_wire.packets.packet import decode
from msmq_wire.values.guid import GUID  # annotates a field, which msgspec evaluates

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
    """Of the flags of a UserHeader, the one that counts."""

    DM: int


CLEAR, SET = Mode(0), Mode(1)


class UserHeader(msgspec.Struct, frozen=True, gc=False):
    """What a session asks of a UserHeader.

    Attributes:
        SourceQueueManager: The GUID, or its text.
        QueueManagerAddress: As on the page.
        MessageID: As on the page.
        Flags: The flags.
        queue: What `queue_digest` makes of the header; needed of transactional messages only.
    """

    SourceQueueManager: GUID | str
    QueueManagerAddress: GUID
    MessageID: int
    Flags: Mode
    queue: str | None = None


class Transaction(msgspec.Struct, frozen=True, gc=False):
    """What a session asks of a TransactionHeader; the names are those of the page."""

    TxSequenceID: Any
    TxSequenceNumber: int
    PreviousTxSequenceNumber: int


class Properties(msgspec.Struct, frozen=True, gc=False):
    """What a session asks of a MessagePropertiesHeader; the body of acknowledgments only."""

    MessageClass: int
    MessageBody: bytes = b""


class Outline(msgspec.Struct, frozen=True, gc=False):
    """A packet as far as a session looks at it.

    Attributes:
        UserHeader: As on the page, as far as that.
        MessagePropertiesHeader: As on the page, as far as that.
        TransactionHeader: As on the page, as far as that.
        SessionHeader: The record.
        data: What has the bytes of the packet, such as an Arrow array.
        at: Where they are in it.
    """

    UserHeader: UserHeader
    MessagePropertiesHeader: Properties
    TransactionHeader: Transaction | None = None
    SessionHeader: Any = None
    data: Any = None
    at: int = 0

    def record(self) -> Any:
        """The packet itself."""
        return decode(self.data[self.at].as_py())


class UserMessage(Outline, frozen=True, gc=False):
    """Stands for a UserMessage."""


class OrderAck(Outline, frozen=True, gc=False):
    """Stands for an OrderAck."""


class FinalAck(Outline, frozen=True, gc=False):
    """Stands for a FinalAck."""


def queue_digest(header: Any) -> str:
    """What stands for the destination queue of a UserHeader."""
    queue = header.DestinationQueue
    name = b"" if queue is None else queue.encode()
    address: bytes = header.QueueManagerAddress.bytes_le
    return blake2b(address + name, digest_size=8).hexdigest()
