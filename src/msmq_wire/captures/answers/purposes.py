"""The purpose of a message, and the state that an acknowledgment gives to the message that it names.

1. All answers decide by the class of a message with these functions ([MS-MQMQ] 2.2.18.1.6).
2. A class without a name is its number as text.  One that has the form of the negative classes is taken as
   one of them, because queue managers send more of these than the document names.  Any other one is a class
   that an application has set.
3. The private queues of queue managers have fixed numbers ([MC-MQDSRP] 1.9, [MS-MQCN] 1.9, [MS-MQQB] 2.2.4),
   and names that end in ``$``.
"""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from msmq_wire.arrow.distinct import Distinct
from msmq_wire.packets.carriers import DirectoryQueue
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.numbers import ORDER_QUEUE, is_negative_class

PURPOSES: Final = ("application", "acknowledgment", "administration", "directory", "system")
"""The purposes of messages: applications, acknowledgments that queue managers send for them, the
administration of queue managers and reports of routes, the directory, and other queues of queue managers."""

NORMAL: Final = MESSAGE_CLASS_VALUES.MQMSG_CLASS_NORMAL.name
REPORT: Final = MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT.name
ORDER: Final = MESSAGE_CLASS_VALUES.MQMSG_CLASS_ORDER_ACK.name
TIMEOUTS: Final = {
    "reach": MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT.name,
    "receive": MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT.name,
}
"""The classes that say that a deadline was missed: to reach the queue, and to be received."""
OUTCOMES: Final[dict[str, str]] = {
    "MQMSG_CLASS_ACK_REACH_QUEUE": "reached",
    "MQMSG_CLASS_ACK_RECEIVE": "received",
    **{
        value.name: "expired" if value.name in TIMEOUTS.values() else "refused"
        for value in MESSAGE_CLASS_VALUES
        if is_negative_class(value)
    },
}
"""The state of a message that an acknowledgment of a class names, by the name of the class."""


def outcome_of(message_class: str) -> str | None:
    """Return the state that a message of a class gives to the message that it names; None for no state.

    Args:
        message_class: The name of the class, or the number of an unknown one, as `message_class` of
            `messages`.
    """
    if message_class in OUTCOMES:
        return OUTCOMES[message_class]
    number = int(message_class) if message_class.isdigit() else 0
    return "refused" if is_negative_class(number) else None


def is_administration(message_class: str) -> bool:
    """Return whether a class is that of an administration acknowledgment or of a FinalAck."""
    return outcome_of(message_class) is not None


def is_negative(message_class: str) -> bool:
    """Return whether a class is that of a negative acknowledgment."""
    return outcome_of(message_class) in {"expired", "refused"}


def is_application(message_class: str) -> bool:
    """Return whether a class is that of an application's message, which may be a class of its own."""
    return message_class not in {REPORT, ORDER} and not is_administration(message_class)


_ADMINISTRATION: Final = ("\\private$\\admin_queue$",)


def purposes(classes: pa.Array, destinations: pa.Array, carries: pa.Array) -> pa.Array:
    """Return for each message one of `PURPOSES`; null if it is unknown.

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
    if message_class is not None and (message_class == ORDER or is_administration(message_class)):
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
