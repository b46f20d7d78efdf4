"""The packets in which headers are bent, and requirements that need another field or record.

1. `BASES` contains a packet for a header, and the path of the header in it; other headers are bent alone.
2. `WHOLE` contains requirements that are violated by another field than the one that the rule names.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msmq_wire as mw
from msmq_wire.checks.rules.carriers import DELIVERIES
from msmq_wire.mqmq import UserMessage
from msmq_wire.testing.strategies.directory import carried, carried_notification, signed
from msmq_wire.testing.strategies.headers import MAKERS as HEADERS
from msmq_wire.testing.strategies.packets import MAKERS as PACKETS
from msmq_wire.testing.strategies.packets import extended_packet, message, message_packet, report
from msmq_wire.values.enumerations import ALG_ID

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.testing.strategies.choices import Dice

TEXTS: Final = ("OS:host\\queues\0", "QM Ordering Nak\0", "l" * 250 + "\0", "a\0b\0", "DIRECT=OS:abc", "host")
"""Texts that violate a rule."""


_LISTS = partial(message, with_destinations=True)


_HTTP = partial(message_packet, over_http=True)
_NO_HTTP = partial(message_packet, over_http=False)

BASES: Final[dict[str, tuple[str, Callable[[Dice], Any]]]] = {
    "BaseHeader": ("BaseHeader", message),
    "UserHeader": ("UserHeader", message),
    "MessagePropertiesHeader": ("MessagePropertiesHeader", message),
    "TransactionHeader": ("TransactionHeader", partial(message, transactional=True)),
    "SecurityHeader": ("SecurityHeader", partial(message, with_security=True)),
    "SecurityData": ("SecurityHeader.SecurityData", partial(message, with_security=True)),
    "DebugHeader": ("DebugHeader", partial(message, with_debug=True)),
    "SoapHeader": ("SoapHeader", partial(message, with_soap=True)),
    "MultiQueueFormatHeader": ("MultiQueueFormatHeader", _LISTS),
    "MQFAddressHeader": ("MultiQueueFormatHeader.Response", _LISTS),
    "MQFSignatureHeader": ("MultiQueueFormatHeader.Signature", _LISTS),
    "SessionHeader": ("SessionHeader", partial(message, with_session_header=True)),
    "SRMPEnvelopeHeader": ("UserMessage.SRMPEnvelopeHeader", _HTTP),
    "CompoundMessageHeader": ("UserMessage.CompoundMessageHeader", _HTTP),
    "ExtensionHeader": ("ExtensionHeader", extended_packet),
    "SubqueueHeader": ("SubqueueHeader", extended_packet),
    "DeadLetterHeader": ("DeadLetterHeader", extended_packet),
    "ExtendedAddressHeader": ("ExtendedAddressHeader", extended_packet),
    "ConnectionParametersHeader": ("ConnectionParametersHeader", PACKETS["ConnectionParameters"]),
    "EstablishConnectionHeader": ("EstablishConnectionHeader", PACKETS["EstablishConnection"]),
    "InternalHeader": ("InternalHeader", PACKETS["EstablishConnection"]),
}
"""Path of a structure in a packet, and a function that creates the packet."""


def _as_message(name: str) -> Callable[[Dice], Any]:
    """Return a function that creates an acknowledgment as a message, which it is if it breaks its rules."""

    def raw_message(dice: Dice) -> Any:
        packet = PACKETS[name](dice)
        return UserMessage.raw(*(getattr(packet, field.name, None) for field in UserMessage.layout.fields))

    return raw_message


OF_A_CLASS: Final = {
    **{f"MQQB-2.2.{number}": _as_message(name) for number, name in ((4, "OrderAck"), (5, "FinalAck"))},
    "MQQB-3.1.7.17": lambda dice: _as_message(dice.pick(("OrderAck", "FinalAck")))(dice),
    "MQQB-3.1.5.8.9": report,
}
"""By section of a rule for messages of some class, a function that creates one."""

_SECURED = BASES["SecurityHeader"][1]


def _signed(dice: Dice) -> Any:
    """Return a message with a signature by the recommended algorithm."""
    packet = message(dice, with_security=False)
    header = mw.replace(packet.MessagePropertiesHeader, HashAlgorithm=ALG_ID.CALG_SHA_512)
    return signed(mw.replace(packet, MessagePropertiesHeader=header))


_CARRIED: Final[dict[str, tuple[str, Callable[[Dice], Any]]]] = {
    "MQDSRP-3.1.7.2.1-07": ("UserHeader.Flags.DM", carried),
    "MQDSRP-3.1.7.2.1-12": ("MessagePropertiesHeader.HashAlgorithm", carried),
    "MQCN-3.3.5.3-04": ("BaseHeader.TimeToReachQueue", carried_notification),
    "MQCN-3.3.5.3-05": ("UserHeader.Flags.DM", carried_notification),
    **{ids[1]: ("BaseHeader.Flags.PR", partial(carried, name=name)) for name, ids in DELIVERIES.items()},
    **{
        ids[0]: ("BaseHeader.TimeToReachQueue", partial(carried, name=name))
        for name, ids in DELIVERIES.items()
    },
}
WHOLE: Final[dict[str, tuple[str, Callable[[Dice], Any]]]] = {
    **_CARRIED,
    "MQMQ-2.2.19.1-15": ("BaseHeader.Flags.TR", partial(message, with_debug=False)),
    "MQMQ-2.2.19.1-37": ("PacketSize", HEADERS["BaseHeader"]),
    "MQMQ-2.2.19.2-21": ("TransactionHeader", partial(message, transactional=True)),
    "MQMQ-2.2.19.2-40": ("MessagePropertiesHeader.Flags.PA", partial(message, with_acknowledgments=False)),
    "MQMQ-2.2.19.2-41": ("MessagePropertiesHeader.Flags", partial(message, with_acknowledgments=True)),
    "MQMQ-2.2.19.3-28": ("MessagePropertiesHeader.HashAlgorithm", _signed),
    "MQMQ-2.2.19.3-31": ("MessagePropertiesHeader.PrivacyLevel", message),
    "MQMQ-2.2.20.6-02": ("SecurityHeader.Flags.ST", _SECURED),
    "MQMQ-2.2.20.6-04": ("SecurityHeader.Flags.ST", _SECURED),
    "MQMQ-2.2.20.6-25": ("SecurityHeader.SecurityData.SenderCertPadding", _SECURED),
    "MQMQ-2.2.20.6-43": ("SecurityHeader.Flags.DE", _SECURED),
    "MQMQ-2.2.4-02": ("AddressType", HEADERS["TA_ADDRESS"]),
    "MQQB-2.4.2-02": ("bType", HEADERS["SIMPLEBLOB"]),
    "MQQB-2.2.1-03": ("Flags.PT", PACKETS["InternalHeader"]),
    "MQQB-2.2.1-05": ("InternalHeader.Flags.CS", PACKETS["SessionAck"]),
    "MQRR-2.2.5.1-01": ("UserMessage.UserHeader.QueueManagerAddress", _HTTP),
    "MQRR-2.2.5.1-02": ("UserMessage.UserHeader.QueueManagerAddress", _HTTP),
    "MQRR-2.2.5.1-03": ("UserMessage.UserHeader.QueueManagerAddress", _HTTP),
    "MQRR-2.2.5.2-01": ("ExtensionHeader.RemainingHeadersSize", extended_packet),
    "MQRR-2.2.5.2-02": ("ExtensionHeader.Flags.DL", extended_packet),
    "MQRR-2.2.5.2-03": ("ExtensionHeader.Flags.DL", extended_packet),
    "MQRR-2.2.5.1.1-02": ("UserMessage.SRMPEnvelopeHeader", _NO_HTTP),
    "MQRR-2.2.5.1.1-03": ("UserMessage.CompoundMessageHeader", _NO_HTTP),
    "MQRR-2.2.5.1.2-02": ("UserMessage.SRMPEnvelopeHeader", _HTTP),
    "MQRR-2.2.5.1.2-03": ("UserMessage.CompoundMessageHeader", _HTTP),
}
"""Requirements, the path of the field to bend, and a function that creates the record."""
