"""The enumerations of the C texts.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

__all__ = [
    "ADDRESS_TYPE",
    "ALG_ID",
    "ENUMERATIONS",
    "MESSAGE_CLASS_VALUES",
    "PROVIDER_TYPE",
    "QUEUE_FORMAT_TYPE",
    "QUEUE_SUFFIX_TYPE",
    "enumerations",
]


class PROVIDER_TYPE(IntEnum):
    """Numbers of the C enumeration PROVIDER_TYPE."""

    PROV_RSA_FULL = 0x0001
    PROV_RSA_AES = 0x0018


class ALG_ID(IntEnum):
    """Numbers of the C enumeration ALG_ID."""

    CALG_RSA_SIGN = 0x2400
    CALG_RSA_KEYX = 0xA400
    CALG_RC2 = 0x6602
    CALG_AES_128 = 0x660E
    CALG_AES_192 = 0x660F
    CALG_AES_256 = 0x6610
    CALG_RC4 = 0x6801
    CALG_MD2 = 0x8001
    CALG_MD4 = 0x8002
    CALG_MD5 = 0x8003
    CALG_SHA1 = 0x8004
    CALG_SHA_256 = 0x800C
    CALG_SHA_512 = 0x800E


class ADDRESS_TYPE(IntEnum):
    """Numbers of the C enumeration ADDRESS_TYPE."""

    IP_ADDRESS_TYPE = 0x0001
    IP_RAS_ADDRESS_TYPE = 0x0002
    IPX_ADDRESS_TYPE = 0x0003
    FOREIGN_ADDRESS_TYPE = 0x0005
    IPV6_ADDRESS_TYPE = 0x0006


class QUEUE_FORMAT_TYPE(IntEnum):
    """Numbers of the C enumeration QUEUE_FORMAT_TYPE."""

    QUEUE_FORMAT_TYPE_UNKNOWN = 0x0000
    QUEUE_FORMAT_TYPE_PUBLIC = 0x0001
    QUEUE_FORMAT_TYPE_PRIVATE = 0x0002
    QUEUE_FORMAT_TYPE_DIRECT = 0x0003
    QUEUE_FORMAT_TYPE_MACHINE = 0x0004
    QUEUE_FORMAT_TYPE_CONNECTOR = 0x0005
    QUEUE_FORMAT_TYPE_DL = 0x0006
    QUEUE_FORMAT_TYPE_MULTICAST = 0x0007
    QUEUE_FORMAT_TYPE_SUBQUEUE = 0x0008


class QUEUE_SUFFIX_TYPE(IntEnum):
    """Numbers of the C enumeration QUEUE_SUFFIX_TYPE."""

    QUEUE_SUFFIX_TYPE_NONE = 0x00
    QUEUE_SUFFIX_TYPE_JOURNAL = 0x01
    QUEUE_SUFFIX_TYPE_DEADLETTER = 0x02
    QUEUE_SUFFIX_TYPE_DEADXACT = 0x03
    QUEUE_SUFFIX_TYPE_XACTONLY = 0x04
    QUEUE_SUFFIX_TYPE_SUBQUEUE = 0x05


class MESSAGE_CLASS_VALUES(IntEnum):
    """Numbers of the C enumeration MESSAGE_CLASS_VALUES."""

    MQMSG_CLASS_NORMAL = 0x0000
    MQMSG_CLASS_REPORT = 0x0001
    MQMSG_CLASS_ACK_REACH_QUEUE = 0x0002
    MQMSG_CLASS_ORDER_ACK = 0x00FF
    MQMSG_CLASS_ACK_RECEIVE = 0x4000
    MQMSG_CLASS_NACK_BAD_DST_Q = 0x8000
    MQMSG_CLASS_NACK_DELETED = 0x8001
    MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT = 0x8002
    MQMSG_CLASS_NACK_Q_EXCEED_QUOTA = 0x8003
    MQMSG_CLASS_NACK_ACCESS_DENIED = 0x8004
    MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED = 0x8005
    MQMSG_CLASS_NACK_BAD_SIGNATURE = 0x8006
    MQMSG_CLASS_NACK_BAD_ENCRYPTION = 0x8007
    MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q = 0x8009
    MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG = 0x800A
    MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER = 0x800B
    MQMSG_CLASS_NACK_Q_DELETED = 0xC000
    MQMSG_CLASS_NACK_Q_PURGED = 0xC001
    MQMSG_CLASS_NACK_RECEIVE_TIMEOUT = 0xC002
    MQMSG_CLASS_NACK_RECEIVE_REJECTED = 0xC004


ENUMERATIONS: Final[dict[str, type[IntEnum]]] = {
    item.__name__: item
    for item in (
        PROVIDER_TYPE,
        ALG_ID,
        ADDRESS_TYPE,
        QUEUE_FORMAT_TYPE,
        QUEUE_SUFFIX_TYPE,
        MESSAGE_CLASS_VALUES,
    )
}

"""Every enumeration by its name."""


def enumerations() -> dict[str, dict[str, int]]:
    """Every enumeration: its members and their values by its name."""
    return {name: {item.name: item.value for item in kind} for name, kind in ENUMERATIONS.items()}
