"""The purpose of a message, and the state that an acknowledgment gives to the message that it names.

1. Both are tables of names; the first row that applies counts.
2. The private queues of queue managers have fixed numbers ([MC-MQDSRP] 1.9, [MS-MQCN] 1.9, [MS-MQQB] 2.2.4),
   and names that end in ``$``.
"""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from msmq_wire.arrow.distinct import Distinct
from msmq_wire.packets.carriers import DirectoryQueue
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.numbers import ORDER_QUEUE

PURPOSES: Final = ("application", "acknowledgment", "administration", "directory", "system")
"""The purposes of messages: applications, acknowledgments that queue managers send for them, the
administration of queue managers and reports of routes, the directory, and other queues of queue managers."""

REPORT: Final = MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT.name
_TIMEOUTS: Final = {"MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT", "MQMSG_CLASS_NACK_RECEIVE_TIMEOUT"}
OUTCOMES: Final[dict[str, str]] = {
    "MQMSG_CLASS_ACK_REACH_QUEUE": "reached",
    "MQMSG_CLASS_ACK_RECEIVE": "received",
    **{
        value.name: "expired" if value.name in _TIMEOUTS else "refused"
        for value in MESSAGE_CLASS_VALUES
        if "_NACK_" in value.name
    },
}
"""The state of a message that an acknowledgment of a class names, by the name of the class."""
NEGATIVE: Final = frozenset(name for name, state in OUTCOMES.items() if state in {"expired", "refused"})
"""The classes of negative acknowledgments."""
ACKNOWLEDGMENTS: Final = frozenset({*OUTCOMES, MESSAGE_CLASS_VALUES.MQMSG_CLASS_ORDER_ACK.name})
"""The classes of messages that queue managers send as acknowledgments."""
_ADMINISTRATION: Final = ("\\private$\\admin_queue$",)


def purposes(classes: pa.Array, destinations: pa.Array, carries: pa.Array) -> pa.Array:
    """Return for each message one of `PURPOSES`; null if its class and destination are unknown.

    Args:
        classes: Names of classes, as `message_class` of `messages`.
        destinations: Format names of queues, as `destination`.
        carries: The directory queue whose messages have this form, as `carries`.
    """
    distinct = Distinct(classes, destinations, carries)
    return distinct.array([_purpose(*row) for row in distinct.values], pa.string())


def _purpose(message_class: Any, destination: Any, carries: Any) -> str | None:
    if carries is not None:
        return "directory"
    if message_class in ACKNOWLEDGMENTS:
        return "acknowledgment"
    if message_class is None and destination is None:
        return None
    queue = (destination or "").lower()
    if message_class == REPORT or queue.endswith(_ADMINISTRATION):
        return "administration"
    own = queue.endswith("$") or _is_numbered(queue)
    return "system" if own else "application"


_OWN: Final = frozenset({*(queue.number for queue in DirectoryQueue), ORDER_QUEUE})
"""The numbers of private queues that are a queue manager's own."""


def _is_numbered(queue: str) -> bool:
    """Return whether a format name has the number of a private queue of queue managers."""
    kind, _, number = queue.partition("\\")
    return kind.startswith("private=") and int(number.partition(";")[0], 16) in _OWN
