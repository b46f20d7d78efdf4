"""The states of messages, and the reasons for them."""

from __future__ import annotations

from typing import Final, NamedTuple


class Reason(NamedTuple):
    """A reason for a state.

    Attributes:
        state: The state.
        means: The meaning of the state for this reason.
        why: The sentence in `why`.
    """

    state: str
    means: str
    why: str


REASONS: Final = {
    "refused": Reason(
        "refused",
        "a negative acknowledgment, which is an administration acknowledgment or a FinalAck, reports it",
        "{by} refused it: {name}.",
    ),
    "received": Reason(
        "received",
        "an acknowledgment of the class MQMSG_CLASS_ACK_RECEIVE reports that it was taken from its queue",
        "{by} says that it was taken from its queue: {name}.",
    ),
    "expired": Reason(
        "expired",
        "a negative acknowledgment reports that its time ran out",
        "{by} says that its time ran out: {name}.",
    ),
    "taken": Reason(
        "received", "a remote read took it from its queue", "A remote read took it from the queue {by}."
    ),
    "answered": Reason(
        "received",
        "a response proves that a program has read it, and no negative acknowledgment came back",
        "{by} sent a response to it, so a program has read it.",
    ),
    "late": Reason(
        "expired",
        "its time ended while the capture went on, and the acknowledgment that it asks for had not come back",
        "Its time ended, and the acknowledgment that it asks for had not come back.",
    ),
    "reached": Reason(
        "reached",
        "in its queue: an acknowledgment of the class MQMSG_CLASS_ACK_REACH_QUEUE",
        "{by} says that it is in its queue: {name}.",
    ),
    "in transaction": Reason(
        "reached",
        "a remote read took it from its queue in a transaction",
        (
            "A remote read took it from the queue {by} in a transaction, and no captured packet says whether "
            "that was committed."
        ),
    ),
    "returned": Reason(
        "reached",
        "a remote read returned it from its queue",
        "A remote read returned it from the queue {by}, and no captured call proves that it was taken.",
    ),
    "ordered": Reason(
        "reached", "an OrderAck", "An OrderAck of {by} acknowledges its place in its sequence."
    ),
    "stored": Reason(
        "reached",
        "its queue manager acknowledged that it stored the message",
        "{by}, which has its queue, acknowledged that it stored it.",
    ),
    "accepted": Reason(
        "accepted",
        "acknowledged in its session by the last queue manager to which it was seen going",
        "{by} acknowledged it in its session.",
    ),
    "lost": Reason(
        "unknown",
        "an answer may be among bytes that are missing or cannot be read",
        "{by} may have answered in bytes that are missing in the capture.",
    ),
    "unread": Reason(
        "unknown",
        "an answer may be among bytes that are missing or cannot be read",
        "{by} may have answered in bytes that cannot be read.",
    ),
    "again": Reason(
        "unknown",
        "it may have been sent again among them",
        "It may have been sent to {by} again in bytes that are missing in the capture.",
    ),
    "again unread": Reason(
        "unknown",
        "it may have been sent again among them",
        "It may have been sent to {by} again in bytes that cannot be read.",
    ),
    "uncounted": Reason(
        "unknown", "its number in its session is not known", "Its number in its session is not known."
    ),
    "unheard": Reason(
        "unknown",
        "no packet of the other direction was captured",
        "Of its connection, no packet from {by} was captured at the same sensor.",
    ),
    "apart": Reason(
        "unknown",
        "it was captured outside of a session",
        "It was captured outside of a session, where nothing acknowledges it.",
    ),
    "read": Reason(
        "unknown",
        "only a remote read of it was captured, and no call proves that it was in its queue",
        "Only a remote read of it was captured, from the queue {by}.",
    ),
    "read somewhere": Reason(
        "unknown",
        "only a remote read of it was captured, and no call proves that it was in its queue",
        "Only a remote read of it was captured, and no captured call says from which queue.",
    ),
    "copied": Reason(
        "unknown",
        "only a copy of it for a dead-letter queue or a journal was captured",
        "Only a copy of it for a dead-letter queue or a journal was captured.",
    ),
    "unseen": Reason(
        "unknown", "only an acknowledgment of it was captured", "Only an acknowledgment of it was captured."
    ),
    "sent": Reason(
        "sent",
        "seen, and no acknowledgment came back before the capture ended",
        "{by} was sent it, and no acknowledgment came back before the capture ended.",
    ),
    "unasked": Reason(
        "sent",
        (
            "its time ended, but it asks for no administration acknowledgment to its sender that would tell "
            "whether it was in time"
        ),
        (
            "{by} was sent it, and no acknowledgment came back. Its time ended, but it asks for no "
            "administration acknowledgment to its sender that would tell whether it was in time."
        ),
    ),
    "either": Reason(
        "unknown",
        "an answer to it may be for another one of its queues",
        "An answer to it does not say for which of its queues it is.",
    ),
    "absent": Reason(
        "unknown",
        "nothing was captured of one of its queues",
        "Of one of its queues, nothing was captured.",
    ),
}
"""The reasons for states."""
REMOVALS: Final = {
    "MQMSG_CLASS_NACK_DELETED": "{by} says that it was deleted: {name}.",
    "MQMSG_CLASS_NACK_Q_DELETED": "{by} says that its queue was deleted: {name}.",
    "MQMSG_CLASS_NACK_Q_PURGED": "{by} says that its queue was purged: {name}.",
    "MQMSG_CLASS_NACK_RECEIVE_REJECTED": "{by} says that its reader rejected it: {name}.",
}
"""The sentences of the classes of `refused` for messages that were removed later, by whom or what."""


def _meanings() -> dict[str, str]:
    """Return the meaning of each state, with all reasons for it."""
    meanings: dict[str, dict[str, None]] = {}
    for reason in REASONS.values():
        meanings.setdefault(reason.state, {})[reason.means] = None
    return {
        state: ", or ".join(filter(None, (", ".join([*means][:-1]), [*means][-1])))
        for state, means in meanings.items()
    }


STATES: Final = _meanings()
"""The states of messages; the first that applies counts."""
UNDELIVERED: Final = frozenset({"refused", "expired"})
"""The states of messages that did not come to their queue, or were not taken from it."""
ARRIVED: Final = frozenset({"received", "reached"})
"""The states of messages that came to their queue."""
WEAKEST: Final = ("received", "reached", "accepted", "unknown", "sent", "expired", "refused")
"""The states from the best to the worst, for messages to several queues."""
