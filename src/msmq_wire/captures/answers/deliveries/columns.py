"""The columns of `deliveries`."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from msmq_wire.captures.answers.evidence import WHERE
from msmq_wire.captures.answers.purposes import PURPOSES
from msmq_wire.captures.rows.destinations import COPIES
from msmq_wire.captures.rows.messages import MESSAGES
from msmq_wire.captures.schemas import TIME, schema_of

from .reasons import STATES

_SEVERAL: Final = "several are a fault of a sender, or forged"


def _types(*names: str) -> list[tuple[str, pa.DataType]]:
    """Return the types of columns of `messages`."""
    return [(name, MESSAGES.field(name).type) for name in names]


PROOF_TYPE: Final = pa.struct(
    [("what", pa.string()), *_types("time", "sensor", "flow", "offset", "file", "first_frame")]
)
_PACKET: Final = pa.struct(_types(*WHERE))
HOP_TYPE: Final = pa.struct(
    [
        *_types("time"),
        ("from", pa.string()),
        ("to", pa.string()),
        *_types("destination", *WHERE),
        ("count", pa.int64()),
        ("last_at", TIME),
        ("sent", pa.int64()),
        ("sensors", pa.list_(pa.string())),
        ("session_acknowledged_at", TIME),
        ("session_acknowledgment", _PACKET),
        ("stored_at", TIME),
        ("stored_acknowledgment", _PACKET),
    ]
)
READ_TYPE: Final = pa.struct([*_types("time"), ("by", pa.string()), *_types("queue", *WHERE)])
COPY_TYPE: Final = pa.struct([("to", pa.string()), *_types("time", *WHERE)])
RESPONSE_TYPE: Final = pa.struct(
    [*_types("time"), ("queue_manager", pa.string()), *_types("message", "destination", *WHERE)]
)
ACKNOWLEDGMENT_TYPE: Final = pa.struct(
    [
        ("class", pa.string()),
        *_types("time"),
        ("queue_manager", pa.string()),
        ("queue", pa.string()),
        *_types("message", *WHERE),
    ]
)


def _same(name: str) -> tuple[str, pa.DataType, str]:
    """Return the definition of a column that `messages` has, too."""
    field = MESSAGES.field(name)
    return name, field.type, field.metadata[b"comment"].decode()


DELIVERIES: Final = schema_of(
    [
        ("message", pa.string(), "Identifier of the message, as in `messages`."),
        _same("source_queue_manager"),
        _same("message_number"),
        (
            "variant",
            pa.int64(),
            f"Number of the message among those with its identifier, from 1; {_SEVERAL}.",
        ),
        ("variants", pa.int64(), "How many different messages with its identifier were captured."),
        ("purpose", pa.string(), f"What it is for: {', '.join(PURPOSES)}; null if it is unknown."),
        (
            "state", pa.string(),
            "What became of it: " + "; ".join(f"``{state}``: {text}" for state, text in STATES.items())
            + ".  The first that applies; of a message to several queues, the worst.",
        ),
        (
            "class",
            pa.string(),
            "The class of the acknowledgment that decides `state`, or its number; null if none does.",
        ),
        ("why", pa.string(), "The reason for `state` in a sentence."),
        _same("destination"),
        _same("destinations"),
        _same("destination_queue_manager"),
        _same("label"),
        _same("message_class"),
        ("mode", pa.string(), "``express``, ``recoverable`` or ``transactional``."),
        _same("sent_at"),
        ("first_at", TIME, "When it was captured first; null if only acknowledgments were captured."),
        (
            "last_at",
            TIME,
            "When it, an acknowledgment of it, also by its session, a read or an answer was captured last.",
        ),
        ("size", pa.int64(), "Its PacketSize, also of a part of it; beyond 4 MiB, as in `messages`."),
        ("partial", pa.bool_(), "Whether no packet of it was captured completely."),
        (
            "hops",
            pa.list_(HOP_TYPE),
            (
                "The captured hops, each after the one that ends where it begins, and otherwise in the order "
                "of time: when, from and to which queue manager, or address if that is unknown, for which "
                "queue, where the first packet is, how often and when last it was captured, how often it "
                "was sent at least, at which sensors it was captured, and when and with which packet the "
                "receiver acknowledged it in the session, and as stored.  A packet at several sensors was "
                "sent once."
            ),
        ),
        (
            "reads",
            pa.list_(READ_TYPE),
            (
                "The remote reads that returned it: when, to which address, from which queue (null if no "
                "captured call names it), and where the packet is.  "
                "`proof` has the call that says that the reader has taken it."
            ),
        ),
        _same("sequence"),
        _same("number_in_sequence"),
        ("order_acknowledged_at", TIME, "When an OrderAck for it was captured; null if none was."),
        ("order_acknowledgment", _PACKET, "Where this OrderAck is in the captures."),
        ("final_acknowledged_at", TIME, "When its first FinalAck was captured; null if none was."),
        ("final_acknowledgment", _PACKET, "Where this FinalAck is in the captures."),
        ("final_class", pa.string(), "The class of that FinalAck, or its number."),
        (
            "acknowledgments",
            pa.list_(ACKNOWLEDGMENT_TYPE),
            (
                "Its administration acknowledgments in the order of time, each once: the class or number, "
                "the queue manager that sent it, the queue that it is about, and the identifier of the "
                "acknowledgment and where it was captured."
            ),
        ),
        _same("dead_letter"),
        _same("journal"),
        (
            "copies",
            pa.list_(COPY_TYPE),
            (
                "The captured packets that take it to a dead-letter queue or a journal, in the order of "
                "time: to which of them, when, and where the packet is."
            ),
        ),
        ("reach_by", TIME, "When it has to have reached its queue, by the sender's clock; null if never."),
        (
            "reach_passed", pa.bool_(),
            "Whether that passed, by `clock_tolerance`, without evidence that it arrived; null without one.",
        ),
        ("receive_by", TIME, "When it has to have been taken from its queue, likewise."),
        ("receive_passed", pa.bool_(), "Whether that passed without evidence that it was taken."),
        (
            "responses", pa.list_(RESPONSE_TYPE),
            (
                "The messages of applications that name it in their CorrelationID, in the order of time, "
                "each once: when, from which queue manager, its identifier, to which queue, and where it is."
            ),
        ),
        (
            "proof", pa.list_(PROOF_TYPE),
            (
                "The packets, or the missing or unreadable bytes, that prove `state`: what, and where it is "
                "in the captures."
            ),
        ),
    ]
)  # fmt: skip
"""The columns of `deliveries`."""
COPIED: Final = tuple(name.replace("_", "-") for name in COPIES)
"""To what copies of messages go, beside their queue."""
