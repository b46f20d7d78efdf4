"""Numbers of the documents that belong to no field, or to several."""

from __future__ import annotations

from typing import Final

PORT: Final = 1801
"""TCP port of queue managers ([MS-MQQB] 2.1)."""
PING_PORT: Final = 3527
"""UDP port for Pings ([MS-MQQB] 2.1.2)."""
FOREVER: Final = 0xFFFFFFFF
"""TimeToReachQueue and TimeToBeReceived of a message that never expires ([MS-MQMQ] 2.2.19.1, 2.2.19.2)."""
MAX_PACKET_SIZE: Final = 0x0040_0000
"""The largest `BaseHeader.PacketSize`, in bytes ([MS-MQMQ] 2.2.19.1)."""
MAX_PROPERTIES: Final = 0xFF
"""The largest number of properties of a change: `NumberOfProperties` has one byte ([MC-MQDSRP] 2.2.4)."""
ORDER_QUEUE: Final = 4
"""Number of the private queue order_queue$, which receives OrderAck and FinalAck ([MS-MQQB] 2.2.4)."""
SENT_BY_QUEUE_MANAGER: Final = 2
"""`SecurityHeader.Flags.ST` if SecurityID is the GUID of a queue manager ([MS-MQMQ] 2.2.20.6)."""
DIRECT: Final = 7
"""`UserHeader.Flags.DQ`, and AQ and RQ likewise, of a direct format name ([MS-MQMQ] 2.2.19.2)."""
NEGATIVE_CLASSES: Final = "0x8000 to 0x80FF or 0xC000 to 0xC0FF"
"""The numbers that have the form of a negative class, in words."""


def is_negative_class(message_class: int) -> bool:
    """Return whether a class has the form of a negative acknowledgment ([MS-MQMQ] 2.2.18.1.6)."""
    return message_class & ~0x40FF == 0x8000
