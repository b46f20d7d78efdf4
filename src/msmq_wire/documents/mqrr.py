"""[MS-MQRR] 2.2.5: the message packet that a remote read returns.  One record class a structure."""

from __future__ import annotations

from msmq_wire.records.record import Record

__all__ = [
    "CompoundMessageHeader",
    "DeadLetterHeader",
    "ExtendedAddressHeader",
    "ExtensionHeader",
    "ExtensionHeaderFlags",
    "MessagePacket",
    "SRMPEnvelopeHeader",
    "SubqueueHeader",
    "SubqueueHeaderFlags",
    "UserHeaderAddress",
]


class SRMPEnvelopeHeader(Record):
    """The SOAP envelope of a message that came over HTTP."""


class CompoundMessageHeader(Record):
    """The HTTP request of a message that came over HTTP, and where in it the body is."""


class ExtensionHeader(Record):
    """Which further headers follow a message."""


class SubqueueHeader(Record):
    """The subqueue of a message and its moves."""


class DeadLetterHeader(Record):
    """The dead-letter queue that the application asked for."""


class ExtendedAddressHeader(Record):
    """The address of the host that sent a message."""


class UserHeaderAddress(Record):
    """What `UserHeader.QueueManagerAddress` holds in a remote read: the address of the sending host."""


class MessagePacket(Record):
    """A message and the headers that follow it in a remote read."""


ExtensionHeaderFlags = ExtensionHeader.flags["Flags"]
SubqueueHeaderFlags = SubqueueHeader.flags["Flags"]
