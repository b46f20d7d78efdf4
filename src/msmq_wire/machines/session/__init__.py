"""The binary protocol of [MS-MQQB] 3.1 as pure endpoints: bytes and time in, bytes and events out.

- `endpoint` has `Initiator` and `Acceptor`; `sender` and `receiver` are their halves, which share a `link`,
- `manager` has what sessions share, `settings` their numbers,
- `message` is what a caller wants to send, `events` what they are told, `state` what is remembered,
- `framing` cuts packets out of a stream, `acknowledgments` makes those that are sent back,
- `ping` asks and answers Pings,
- `reports` makes the reports of traced messages, `management` tells what management may ask,
- `interop` acts like a version of Windows.
"""

from .endpoint import Acceptor, Initiator
from .events import (
    Acknowledged,
    AcknowledgedBy,
    Closed,
    Connect,
    Duplicate,
    Elsewhere,
    Established,
    Event,
    Expired,
    OutOfOrder,
    Received,
    Refused,
    Rejected,
    Violated,
)
from .interop import PROFILES
from .management import Attempt, IncomingTransfer, OutgoingTransfer
from .manager import NO_ROOM, Judge, QueueManager
from .message import FOREVER, Message
from .ping import PING_PORT, PingAnswer, PingAnswerer, PingClient, PingUnanswered
from .settings import Settings

__all__ = [
    "FOREVER",
    "NO_ROOM",
    "PING_PORT",
    "PROFILES",
    "Acceptor",
    "Acknowledged",
    "AcknowledgedBy",
    "Attempt",
    "Closed",
    "Connect",
    "Duplicate",
    "Elsewhere",
    "Established",
    "Event",
    "Expired",
    "IncomingTransfer",
    "Initiator",
    "Judge",
    "Message",
    "OutOfOrder",
    "OutgoingTransfer",
    "PingAnswer",
    "PingAnswerer",
    "PingClient",
    "PingUnanswered",
    "QueueManager",
    "Received",
    "Refused",
    "Rejected",
    "Settings",
    "Violated",
]
