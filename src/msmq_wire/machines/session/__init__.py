"""The binary protocol of [MS-MQQB] 3.1 as pure endpoints: bytes and time in, bytes and events out.

- `endpoint` has `Initiator` and `Acceptor`; `sender` and `receiver` are their halves, which share a `link`,
- `manager` has what sessions share, `settings` their numbers and the profiles of Windows,
- `message` is what a caller wants to send, `events` what they are told, `state` what is remembered,
- `framing` cuts packets out of a stream, `acknowledgments` makes those that are sent back,
- `ping` asks and answers Pings.
"""

from .endpoint import Acceptor, Initiator
from .events import (
    Acknowledged,
    Closed,
    Connect,
    Duplicate,
    Elsewhere,
    Established,
    Event,
    Expired,
    Kind,
    OutOfOrder,
    Received,
    Refused,
    Rejected,
    Violated,
)
from .manager import NO_ROOM, Judge, QueueManager
from .message import FOREVER, Message
from .ping import PING_PORT, PingAnswer, PingAnswerer, PingClient, PingUnanswered
from .settings import PROFILES, Settings

__all__ = [
    "FOREVER",
    "NO_ROOM",
    "PING_PORT",
    "PROFILES",
    "Acceptor",
    "Acknowledged",
    "Closed",
    "Connect",
    "Duplicate",
    "Elsewhere",
    "Established",
    "Event",
    "Expired",
    "Initiator",
    "Judge",
    "Kind",
    "Message",
    "OutOfOrder",
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
