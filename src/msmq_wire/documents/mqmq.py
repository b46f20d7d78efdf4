"""[MS-MQMQ]: the data structures of Message Queuing.  One record class a structure, named as on the page.

1. The fields of each class are those of its definition in `c_mqmq` (or `c_mqrr`), in page order.
2. Enumerations and flags words stand beside the records that use them.
3. Properties in snake_case interpret fields; they are listed in `readings`.
"""

from __future__ import annotations

from msmq_wire.records.record import Record
from msmq_wire.values.enumerations import (
    ADDRESS_TYPE,
    ALG_ID,
    MESSAGE_CLASS_VALUES,
    PROVIDER_TYPE,
    QUEUE_FORMAT_TYPE,
    QUEUE_SUFFIX_TYPE,
)

__all__ = [
    "ADDRESS_TYPE",
    "ALG_ID",
    "MESSAGE_CLASS_VALUES",
    "MQDSPUBLICKEY",
    "MQDSPUBLICKEYS",
    "MQUSERSIGNCERT",
    "MQUSERSIGNCERTS",
    "PROVIDER_TYPE",
    "QUEUE_FORMAT_TYPE",
    "QUEUE_SUFFIX_TYPE",
    "SEQUENCE_INFO",
    "TA_ADDRESS",
    "XACTUOW",
    "BaseHeader",
    "BaseHeaderFlags",
    "DebugHeader",
    "DebugHeaderFlags",
    "DirectQueueFormatName",
    "IPXAddress",
    "MQFAddressHeader",
    "MQFDirectQueueFormatName",
    "MQFDistributionQueueFormatName",
    "MQFFormatNameElement",
    "MQFSignatureHeader",
    "MessageIdentifier",
    "MessagePropertiesHeader",
    "MessagePropertiesHeaderFlags",
    "MultiQueueFormatHeader",
    "PrivateQueueFormatName",
    "PrivateQueueFormatNameId",
    "ProviderInfo",
    "PublicQueueFormatName",
    "SecurityData",
    "SecurityHeader",
    "SecurityHeaderFlags",
    "SenderCertPublicKey",
    "SessionHeader",
    "SoapHeader",
    "TransactionHeader",
    "TransactionHeaderFlags",
    "TxSequenceID",
    "UserHeader",
    "UserHeaderFlags",
    "UserMessage",
]


class MQDSPUBLICKEY(Record):
    """A public key of a queue manager, with the provider that made it."""


class MQDSPUBLICKEYS(Record):
    """Several public keys of a queue manager, as the directory keeps them."""


class TA_ADDRESS(Record):
    """A transport address of one kind."""


class IPXAddress(Record):
    """An IPX address, the Address of a TA_ADDRESS of type IPX_ADDRESS_TYPE."""


class SEQUENCE_INFO(Record):
    """Where a message stands in its stream."""


class TxSequenceID(Record):
    """Identifier of a sequence of transactional messages."""


class MessageIdentifier(Record):
    """Identifier of a message among all messages of all queue managers."""


class MQFDirectQueueFormatName(Record):
    """A direct format name in a list of names."""


class MQFDistributionQueueFormatName(Record):
    """A distribution list in a list of names."""


class PrivateQueueFormatNameId(Record):
    """A private queue whose host is known from elsewhere."""


class DirectQueueFormatName(Record):
    """A direct format name in a UserHeader."""


class PublicQueueFormatName(Record):
    """A public queue."""


class PrivateQueueFormatName(Record):
    """A private queue and its host."""


class MQFFormatNameElement(Record):
    """One name of a list of names, in one of four forms."""


class XACTUOW(Record):
    """Identifier of a transactional unit of work."""


class BaseHeader(Record):
    """The first header of every packet: what it is and how long it is."""


class UserHeader(Record):
    """Who sends a message, to which queues, and which headers go with it."""


class MessagePropertiesHeader(Record):
    """A message's class, label and body."""


class MQFAddressHeader(Record):
    """A list of queue names."""


class MQFSignatureHeader(Record):
    """The signature of a MultiQueueFormatHeader."""


class MultiQueueFormatHeader(Record):
    """All destinations of a message that was sent to several queues."""


class SessionHeader(Record):
    """Acknowledgments of the messages received on a session, and its window."""


class TransactionHeader(Record):
    """Where a message stands in its transactional sequence."""


class SecurityData(Record):
    """The five parts behind a SecurityHeader, each followed by its padding."""


class SecurityHeader(Record):
    """Sender's identity, keys, signature and certificate."""


class ProviderInfo(Record):
    """The cryptographic provider that made a signature, from `SecurityData.ProviderInfo`."""


class SenderCertPublicKey(Record):
    """The public key in a sender's certificate."""


class SoapHeader(Record):
    """Two texts of the application."""


class DebugHeader(Record):
    """The queue that receives trace messages."""


class MQUSERSIGNCERT(Record):
    """A user's certificate with its digest and identifier."""


class MQUSERSIGNCERTS(Record):
    """All certificates of a user, as the directory keeps them."""


class UserMessage(Record):
    """A whole message: a packet of the binary protocol, or one that came over HTTP ([MS-MQRR] 2.2.5.1)."""


BaseHeaderFlags = BaseHeader.flags["Flags"]
UserHeaderFlags = UserHeader.flags["Flags"]
MessagePropertiesHeaderFlags = MessagePropertiesHeader.flags["Flags"]
TransactionHeaderFlags = TransactionHeader.flags["Flags"]
SecurityHeaderFlags = SecurityHeader.flags["Flags"]
DebugHeaderFlags = DebugHeader.flags["Flags"]
