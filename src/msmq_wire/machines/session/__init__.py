"""Endpoints of the binary protocol ([MS-MQQB] 3.1) without I/O: bytes and time in, bytes and events out.

- `endpoint` has `Initiator` and `Acceptor`; `sender` and `receiver` are their halves, which share a `link`,
- `manager` has the state that sessions share, `settings` their durations, sizes and policies,
- `message` has the messages to send, `events` the events for the caller, `state` the state of a session,
- `acknowledgments` builds acknowledgments,
- `ping` sends and answers Pings,
- `reports` builds the reports of traced messages, `management` implements management queries,
- `readings` has switches for ambiguous statements, `interop` imitates versions of Windows.
"""

from msmq_wire.values.numbers import FOREVER, PING_PORT

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
    Returned,
    Violated,
)
from .interop import PROFILES
from .management import Attempt, IncomingTransfer, OutgoingTransfer
from .manager import NO_ROOM, Judge, QueueManager
from .message import Message
from .ping import PingAnswer, PingAnswerer, PingClient, PingUnanswered
from .readings import AS_PRINTED, Readings
from .settings import Settings

__all__ = [
    "AS_PRINTED",
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
    "Readings",
    "Received",
    "Refused",
    "Rejected",
    "Returned",
    "Settings",
    "Violated",
]
