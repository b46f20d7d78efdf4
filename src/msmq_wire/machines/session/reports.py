"""Reports of traced messages, which inform an application of the route of its message.

1. A message is traced if `BaseHeader.Flags.TR` is set and its DebugHeader names a public queue.
2. Only the directory knows where the public queue is, so the caller sends the report, as an `Elsewhere`
   event.
3. Times in a label are UTC.  By the grammar, hours count to 24 and also have AM or PM, and no blank follows
   the comma after the day (errata Q31).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.values.wchar import to_wchars

from .message import Message

if TYPE_CHECKING:
    from msmq_wire import GUID

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NOON = 12
_LAST = 0xFFFFFFFF
"""The latest time that a packet can represent."""


def report_queue(packet: mqmq.UserMessage) -> GUID | None:
    """Return the public queue for reports of a message; None if it is not traced."""
    debug = packet.DebugHeader
    return debug.QueueIdentifier if debug is not None and packet.BaseHeader.Flags.TR else None


def report_of_arrival(packet: mqmq.UserMessage, now: float) -> Message | None:
    """Return the report of a received message ([MS-MQQB] 3.1.5.8.9).

    Args:
        packet: The message, as received.
        now: The time, in seconds since 1970.

    Returns: The report; None if the message is not traced.
    """
    return _report(packet, now, ())


def report_of_sending(packet: mqmq.UserMessage, now: float, address: str) -> Message | None:
    """Return the report of a sent message ([MS-MQQB] 3.1.7.1.7).

    Args:
        packet: The message, as sent.
        now: The time, in seconds since 1970.
        address: IP address of the other queue manager; empty if unknown.

    Returns: The report; None if the message is not traced.
    """
    hops = f"{packet.UserHeader.Flags.RC:02X}"
    return _report(
        packet, now, (f"<NEXT HOP>{address}</NEXT HOP>\r\n", f"<HOP COUNT>{hops} </HOP COUNT>\r\n")
    )


def _report(packet: mqmq.UserMessage, now: float, more: tuple[str, ...]) -> Message | None:
    queue = report_queue(packet)
    if queue is None:
        return None
    header = packet.UserHeader
    source, number = str(header.SourceQueueManager), f"{header.MessageID:08X}"
    label = f"{source[:4]}:{number}:{header.Flags.RC:02X} received by {source} at {_moment(now)}"
    lines = (
        f"<MESSAGE ID>{number}</MESSAGE ID>\r\n",
        f"<TARGET QUEUE>{_target(packet)}</TARGET QUEUE>\r\n",
        *more,
    )
    return Message(
        f"PUBLIC={queue}",
        to_wchars("".join(lines)),
        label=label,
        message_class=mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT,
    )


def _target(packet: mqmq.UserMessage) -> str:
    header = packet.UserHeader
    if header.DestinationQueue is None:
        return ""
    try:
        return str(mw.queue_names.from_wire(header.DestinationQueue, host=header.QueueManagerAddress))
    except mw.EncodeError:  # not the name of a queue
        return ""


def _moment(now: float) -> str:
    at = time.gmtime(min(max(now, 0.0), _LAST))
    half = "AM" if at.tm_hour < _NOON else "PM"
    hour = f"{at.tm_hour:02}:{at.tm_min:02}:{at.tm_sec:02}"
    day = f"{_DAYS[at.tm_wday]},{_MONTHS[at.tm_mon - 1]} {at.tm_mday:02}"
    return f"{hour} {half} {day} {at.tm_year % 100:02}"
