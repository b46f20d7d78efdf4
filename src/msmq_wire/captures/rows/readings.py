"""The columns of `packets` that are made from headers: identifiers as text, and acknowledged numbers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import marks
from msmq_wire.arrow.columns import Column, Columns, Copied, Joined
from msmq_wire.arrow.fixed import fixed_columns
from msmq_wire.arrow.messages import (
    RECEIVER,
    acknowledged_message,
    class_name,
    fields_of,
    receiver,
    sequence_text,
)
from msmq_wire.documents import mqqb
from msmq_wire.documents.session_protocol import ACKNOWLEDGMENTS
from msmq_wire.values.guid import NULL_GUID

_BODY: Final = "MessagePropertiesHeader.MessageBody"
_BODY_SIZE: Final = mqqb.FinalAckBody.layout.least_size
"""The size of the bodies of OrderAcks and FinalAcks, which begin with the same fields."""


def acknowledged_fields(kinds: pa.Array, bodies: pa.Array) -> dict[str, pa.Array]:
    """Return the acknowledgment fields of OrderAcks and FinalAcks as columns; null for other packets.

    Args:
        kinds: The kinds of packets.
        bodies: Their bodies.
    """
    good = pc.and_(pc.is_in(kinds, pa.array(ACKNOWLEDGMENTS)), pc.equal(pc.binary_length(bodies), _BODY_SIZE))
    rows = np.flatnonzero(marks(good))
    columns = fixed_columns("FinalAckBody", bodies.take(pa.array(rows)))
    final = pc.equal(kinds.take(pa.array(rows)), "FinalAck")
    columns |= {name: pc.if_else(final, columns[name], None) for name in ("SourceGUID", "MessageID")}
    indices = np.full(len(kinds), -1, np.int64)
    indices[rows] = np.arange(len(rows))
    taken = pa.array(indices, mask=indices < 0)
    return {f"acknowledged.{name}": column.take(taken) for name, column in columns.items()}


def _acknowledged(packet: Any) -> str | None:
    body = packet.acknowledged
    if body is None or body.SourceGUID is None:
        return acknowledged_message(packet)
    return f"{body.SourceGUID}\\{body.MessageID}"


_FINAL: Final = ("acknowledged.SourceGUID", "acknowledged.MessageID")


def _acknowledged_sequence(packet: Any) -> str | None:
    body = packet.acknowledged
    return None if body is None else sequence_text(body.TxSequenceID)


def _source(packet: Any) -> str | None:
    header = getattr(packet, "UserHeader", None)
    establishing = getattr(packet, "EstablishConnectionHeader", None)
    guid = getattr(establishing, "ClientGuid", None) if header is None else header.SourceQueueManager
    return None if guid is None else str(guid)


def _destination(packet: Any) -> str | None:
    """Return the queue manager for which a packet is; None for a direct name, and if it is not yet known."""
    if getattr(packet, "UserHeader", None) is not None:
        return receiver(packet)
    guid = getattr(getattr(packet, "EstablishConnectionHeader", None), "ServerGuid", None)
    return None if guid is None or guid == NULL_GUID else str(guid)


READ: Final = Columns(
    Column(
        "source_queue_manager",
        pa.string(),
        "GUID of the queue manager that sent the message first, or that asks for the session; null if the "
        "packet has none.",
        _source, ("UserHeader.SourceQueueManager", "EstablishConnectionHeader.ClientGuid"),
    ),
    Column(
        "destination_queue_manager",
        pa.string(),
        "GUID of the queue manager for which the message is, or that is asked for a session; null if the "
        "packet has none, or a direct format name.",
        _destination, (*RECEIVER, "EstablishConnectionHeader.ServerGuid"),
    ),
    Column(
        "message_number", pa.int64(), "Number of the message; null for other packets.",
        Copied("UserHeader.MessageID"),
    ),
    Column(
        "message", pa.string(),
        "Identifier of the message, as in `messages`; null for other packets.",
        Joined(("source_queue_manager", "message_number")),
    ),
    Column(
        "message_class", pa.string(),
        "Name of the class of the message or acknowledgment, or its number; null for other packets.",
        class_name, ("MessagePropertiesHeader.MessageClass",),
    ),
    Column(
        "acknowledged_message", pa.string(),
        "Identifier of the message of which a FinalAck, an administration acknowledgment or a report has the "
        "outcome in `message_class`, or to which a message with a class of an application refers; null for "
        "other packets.",
        _acknowledged,
        (*_FINAL, "MessagePropertiesHeader.MessageClass", "MessagePropertiesHeader.CorrelationID"),
        within="MessagePropertiesHeader.MessageClass",
    ),
    Column(
        "acknowledged_sequence", pa.string(),
        "The `sequence` of `messages` that an OrderAck or a FinalAck acknowledges; null for other packets.",
        _acknowledged_sequence,
        tuple(f"acknowledged.TxSequenceID.{name}" for name in ("Ordinal", "TimeStamp")),
    ),
    Column(
        "acknowledged_number", pa.int64(),
        "The `number_in_sequence` that it acknowledges, in an OrderAck all up to it; null for other packets.",
        Copied("acknowledged.TxSequenceNumber"),
    ),
    Column(
        "acknowledged_in_session", pa.int64(),
        "The `number_in_session` up to which its SessionHeader acknowledges messages of the other side; null "
        "without one.",
        Copied("SessionHeader.AckSequenceNumber"),
    ),
)  # fmt: skip
"""The columns of `packets` that are made from headers."""

_HEADERS: Final = tuple(path for path in READ.fields if not path.startswith("acknowledged."))


def read_headers(packets: pa.StructArray) -> dict[str, pa.Array]:
    """Return the columns of `READ` for decoded packets."""
    rows = pa.RecordBatch.from_struct_array(packets)
    fields = fields_of(rows, (*_HEADERS, "kind", _BODY))
    fields |= acknowledged_fields(fields["kind"], fields[_BODY])
    return READ.arrays(fields, len(rows))
