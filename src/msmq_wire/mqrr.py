"""[MS-MQRR] 2.2.5: message packets of a remote read; one record class a structure, named as on the page."""

from __future__ import annotations

from .documents.mqrr import (
    CompoundMessageHeader,
    DeadLetterHeader,
    ExtendedAddressHeader,
    ExtensionHeader,
    ExtensionHeaderFlags,
    SRMPEnvelopeHeader,
    SubqueueHeader,
    SubqueueHeaderFlags,
    UserHeaderAddress,
)
from .documents.user_message import MessagePacket

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
