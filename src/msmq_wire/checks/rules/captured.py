"""[MS-MQMQ] 2.2.19.2 and 2.2.20.5: messages of one queue manager compared with each other, over all sessions.

1. A rule compares two different messages of a queue manager: `Pairing` defines the pairs.  Captures find the
   pairs in tables, and apply the conditions to all of them at once.
2. A copy of a packet is the same message: sent again, on its next hop, or seen by another sensor.  Messages
   are different if their identifiers differ, or the columns that no queue manager changes (`CONTENT`).
3. The boundaries of transactions apply to each queue separately, as the SDK states (errata M48).
4. An identifier of a transaction may come again after 2^20 transactions, or after a restart (errata M49),
   and a MessageID after 2^32 messages (errata M51).
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from msmq_wire.values.times import SECOND
from msmq_wire.values.violation import Level

CONTENT: Final = ("sent_at", "message_class", "label", "body_size", "head")
"""The columns that distinguish messages with one identifier: time of sending, class, label, body."""


class Compared(NamedTuple):
    """The fields of messages that rules compare: a value for one message, or an array for many.

    Attributes:
        message_id: UserHeader.MessageID.
        sent_at: UserHeader.SentTime.
        number: TransactionHeader.TxSequenceNumber.
        first: Whether TransactionHeader.Flags.FM is set.
        last: Whether TransactionHeader.Flags.LM is set.
        transaction: TransactionHeader.Flags.ID.
    """

    message_id: Any
    sent_at: Any
    number: Any
    first: Any
    last: Any
    transaction: Any


class Pairing(enum.Enum):
    """Which two messages of a queue manager a rule compares, the earlier one first."""

    IDENTIFIER = "they have one identifier; the earlier one was captured first"
    POSITION = "they have one number in one sequence to one queue, in different connections"
    NEIGHBOURS = "the later one has the next number in the sequence, and names the earlier one as previous"
    TRANSACTION = "the next one to the queue with the same identifier of a transaction, and no neighbour"


_FIELDS: Final = {
    "message_id": "UserHeader.MessageID",
    "sent_at": "UserHeader.SentTime",
    "number": "TransactionHeader.TxSequenceNumber",
    "first": "TransactionHeader.Flags.FM",
    "last": "TransactionHeader.Flags.LM",
    "transaction": "TransactionHeader.Flags.ID",
}


class CaptureRule(msgspec.Struct, frozen=True):
    """One requirement, as a condition on two messages.

    Attributes:
        requirement: Its id.
        pairing: Which messages are compared.
        of: The attribute of `Compared` with the wrong value.
        breaks: The condition on the earlier and the later message, for values and for arrays.
        allowed: The allowed values.
        fault: The fault of the value, in words that follow it.
        in_later: Whether the wrong value is in the later message.
        level: As in `Violation`.
        erratum: The erratum with the evidence for a known deviation.
    """

    requirement: str
    pairing: Pairing
    of: str
    breaks: Callable[[Compared, Compared], Any]
    allowed: str
    fault: str
    in_later: bool = True
    level: Level = "must"
    erratum: str = ""

    @property
    def path(self) -> str:
        """The field, from the packet."""
        return f"UserMessage.{_FIELDS[self.of]}"


_RECURS: Final = 1 << 20
"""After this many transactions an identifier is reused; each sends at least one message."""


_ROUND: Final = (1 << 32) // SECOND
"""Seconds in which a queue manager that sends a million messages a second uses all values of MessageID."""


def is_of_one_round(earlier: Any, later: Any) -> Any:
    """Return whether the time between two messages is too short for MessageID to have started over.

    Args:
        earlier: SentTime of a message, or an array of them.
        later: That of another one.
    """
    return abs(later - earlier) < _ROUND


def _always(_: Compared, later: Compared) -> Any:
    return later.message_id == later.message_id


def _is_next(earlier: Compared, later: Compared) -> Any:
    """No other message was sent between them, so none can be missing."""
    return later.message_id - earlier.message_id == 1


def _same(earlier: Compared, later: Compared) -> Any:
    return earlier.transaction == later.transaction


def _other(earlier: Compared, later: Compared) -> Any:
    return (earlier.transaction != later.transaction) & _is_next(earlier, later)


def _comes_again(earlier: Compared, later: Compared) -> Any:
    return earlier.last & later.first & _same(earlier, later)


_OWN: Final = "a number that no other message of the queue manager has"
_OF_ANOTHER: Final = "which a different message has"
_UNIQUE: Final = "a value that no other transaction of the queue manager has"
CAPTURED: Final[tuple[CaptureRule, ...]] = (
    CaptureRule(
        "MQMQ-2.2.19.2-07", Pairing.IDENTIFIER, "message_id",
        lambda a, b: is_of_one_round(a.sent_at, b.sent_at), _OWN, _OF_ANOTHER,
    ),
    CaptureRule(
        "MQMQ-2.2.19.2-07", Pairing.IDENTIFIER, "message_id",
        lambda a, b: abs(b.sent_at - a.sent_at) >= _ROUND, _OWN, _OF_ANOTHER,
        level="practice", erratum="M51",
    ),
    CaptureRule(
        "MQMQ-2.2.20.5-26", Pairing.POSITION, "number", _always,
        "the position of the message in its sequence", "which a different message of the sequence has",
    ),
    CaptureRule(
        "MQMQ-2.2.20.5-04", Pairing.NEIGHBOURS, "first", lambda a, b: _other(a, b) & a.last & ~b.first,
        "1 in the first message of a transaction",
        "but the message before it in the sequence ends another transaction",
    ),
    CaptureRule(
        "MQMQ-2.2.20.5-05", Pairing.NEIGHBOURS, "first", lambda a, b: _same(a, b) & ~a.last & b.first,
        "0 in every message of a transaction but the first",
        "but the message before it in the sequence is of the same transaction",
    ),
    CaptureRule(
        "MQMQ-2.2.20.5-06", Pairing.NEIGHBOURS, "last", lambda a, b: _other(a, b) & ~a.last & b.first,
        "1 in the last message of a transaction",
        "but the next message of the sequence begins another transaction", in_later=False,
    ),
    CaptureRule(
        "MQMQ-2.2.20.5-07", Pairing.NEIGHBOURS, "last", lambda a, b: _same(a, b) & a.last & ~b.first,
        "0 in every message of a transaction but the last",
        "but the next message of the sequence is of the same transaction", in_later=False,
    ),
    CaptureRule(
        "MQMQ-2.2.20.5-08", Pairing.NEIGHBOURS, "transaction",
        lambda a, b: _other(a, b) & ~a.last & ~b.first, "one value in all messages of a transaction",
        "but the message before it in the sequence has another value, and no transaction ends between them",
    ),
    CaptureRule(
        "MQMQ-2.2.20.5-09", Pairing.NEIGHBOURS, "transaction",
        lambda a, b: _comes_again(a, b) & _is_next(a, b), _UNIQUE,
        "which the transaction before it in the sequence has",
    ),
    CaptureRule(
        "MQMQ-2.2.20.5-09", Pairing.TRANSACTION, "transaction",
        lambda a, b: (a.last | b.first) & (abs(b.message_id - a.message_id) < _RECURS), _UNIQUE,
        "which an earlier transaction has", level="practice", erratum="M49",
    ),
)  # fmt: skip
"""The rules."""
