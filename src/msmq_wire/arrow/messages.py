"""The columns of interpreted UserMessages.

1. Nothing is decoded twice: the headers are columns, and only the required ones are read.
2. The comment of a column describes the meaning of null; `problems` lists values that could not be
   interpreted.
"""

from __future__ import annotations

import struct
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.documents.readings import ADDRESS_LENGTHS, SIGNATURE_SIZES, is_encrypted, is_signed
from msmq_wire.documents.transactions import sequence_of
from msmq_wire.packets.carriers import carries
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.numbers import DIRECT
from msmq_wire.values.times import SECOND

from .bodies import FORMS, Body, read_bodies, read_body
from .columns import PROBLEMS, Column, Columns, Copied, Derived, Joined
from .schema import TIME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from msmq_wire.names.format_names import FormatName

_SOURCE: Final = "UserHeader.SourceQueueManager"
_ADDRESS: Final = "UserHeader.QueueManagerAddress"
RECEIVER: Final = (_ADDRESS, "UserHeader.Flags.DQ")
_HOSTS: Final = tuple(struct.pack("<HH", length, kind) for kind, length in ADDRESS_LENGTHS.items())
"""The first bytes of an IPv4 and an IPv6 address, which a remote read returns in place of the null GUID of a
direct name ([MS-MQRR] 2.2.5.1)."""
_CLASS: Final = "MessagePropertiesHeader.MessageClass"
_CORRELATION: Final = "MessagePropertiesHeader.CorrelationID"
_BODY: Final = "MessagePropertiesHeader.MessageBody"
_LABEL: Final = "MessagePropertiesHeader.Label"
_DESTINATIONS, _ADMIN_QUEUES, _RESPONSE_QUEUES = (
    f"MultiQueueFormatHeader.{name}.FormatNameList" for name in ("Destination", "Administration", "Response")
)
_COMPOUND: Final = tuple(f"CompoundMessageHeader.{name}" for name in ("MsgBodyOffset", "MsgBodySize", "Data"))
NO_CORRELATION: Final = bytes(20)
"""CorrelationID of a message that refers to no other one ([MS-MQMQ] 2.2.19.3)."""
DELIVERED: Final = "delivered"
RETRIEVED: Final = "retrieved"
_WANTED: Final = {
    "PA": DELIVERED,
    "PR": RETRIEVED,
    "NA": "not delivered",
    "NR": "not retrieved",
}
"""Acknowledgments by flag ([MS-MQMQ] 2.2.19.3)."""


# ------------------------------------------------------------------------------------------ queues


def _name(message: Any, reading: str) -> str | None:
    """Return the name of a queue in the UserHeader."""
    name: FormatName | None = getattr(message.UserHeader, reading)
    return None if name is None else str(name)


def _listed(message: Any, which: str) -> list[str | MsmqWireError]:
    """Return the names in a list of a MultiQueueFormatHeader, and the errors of invalid ones."""
    header = message.MultiQueueFormatHeader
    names = None if header is None else getattr(header, which)
    answers: list[str | MsmqWireError] = []
    for element in () if names is None else names.FormatNameList:
        try:
            answers.append(str(element.format_name))
        except MsmqWireError as error:
            answers.append(error)
    return answers


def _queue(reading: str, which: str) -> Callable[[Any], str | None]:
    """Return the function that reads a queue from the UserHeader, or else the first valid name of a list."""

    def read(message: Any) -> str | None:
        name, error = None, None
        try:
            name = _name(message, reading)
        except MsmqWireError as wrong:
            error = wrong
        if name is None:
            name = next((name for name in _listed(message, which) if isinstance(name, str)), None)
        if name is None and error is not None:
            raise error
        return name

    return read


def _destinations(message: Any) -> list[str | MsmqWireError]:
    listed = _listed(message, "Destination")
    try:
        destination = _name(message, "destination")
    except MsmqWireError as error:
        return [*listed, error] if any(isinstance(name, str) for name in listed) else listed
    return listed if destination is None or destination in listed else [destination, *listed]


# --------------------------------------------------------------------------------------------- other values


def class_name(message: Any) -> str | None:
    """Return the name of the class of a message, or its number as text; None without a class."""
    header = message.MessagePropertiesHeader
    name = None if header is None else header.message_class
    return None if name is None else str(getattr(name, "name", name))


def _identifier(header: Any) -> str | None:
    """Return the identifier in the CorrelationID as text; None if it is zero."""
    if header.CorrelationID == NO_CORRELATION:
        return None
    identifier = header.correlation_identifier
    return f"{identifier.QueueManagerGuid}\\{identifier.Ordinal}"


def acknowledged_message(message: Any) -> str | None:
    """Return the identifier of the message that an administration acknowledgment or a report is about."""
    header = message.MessagePropertiesHeader
    return _identifier(header) if header.MessageClass else None


def sequence_text(identifier: Any) -> str:
    """Return a TxSequenceID as 16 hexadecimal digits, in whose order sequences begin."""
    return f"{sequence_of(identifier):016x}"


def _sequence(message: Any) -> str | None:
    header = message.TransactionHeader
    return None if header is None else sequence_text(header.TxSequenceID)


def _sender(message: Any) -> str | None:
    sender = None if message.SecurityHeader is None else message.SecurityHeader.sender
    return None if sender is None else str(sender)


def receiver(message: Any) -> str | None:
    """Return the queue manager for which a message is, from its `RECEIVER` fields; None for a direct name.

    Fields behind the end of a packet that is cut are None.
    """
    header = message.UserHeader
    flags, address = header.Flags, header.QueueManagerAddress
    if address is None or flags is None or address == NULL_GUID:
        return None
    is_host = flags.DQ == DIRECT and address.bytes_le.startswith(_HOSTS)
    return None if is_host else str(address)


def _seconds(header: str, reading: str) -> Callable[[Any], int | None]:
    def read(message: Any) -> int | None:
        time = getattr(getattr(message, header), reading)
        return None if time is None else int(time.total_seconds())

    return read


def _carries(message: Any) -> str | None:
    queue = carries(message)
    return None if queue is None else queue.name


def _read(body_type: int, encrypted: bool, body: bytes) -> Body:  # a value
    return Body("encrypted") if encrypted else read_body(body_type, body)


_BODIES: Final = ("body_type", "encrypted", "body")


# ------------------------------------------------------------------------------------------ the columns

MESSAGES: Final = Columns(
    Column(
        "source_queue_manager", pa.string(), "GUID of the queue manager that sent it first.",
        lambda message: str(message.UserHeader.SourceQueueManager), (_SOURCE,),
    ),
    Column(
        "message_number", pa.int64(), "Its number, unique within the queue manager that sent it first.",
        Copied("UserHeader.MessageID"),
    ),
    Column(
        "message", pa.string(),
        "Its identifier: `source_queue_manager`, a backslash and `message_number`.",
        Joined(("source_queue_manager", "message_number")),
    ),
    Column(
        "destination_queue_manager", pa.string(),
        "GUID of the queue manager for which it is; null if it is addressed by a direct format name.",
        receiver, RECEIVER,
    ),
    Column("sent_at", TIME, "When it was sent, by the clock of the sender, in full seconds.",
           Copied("UserHeader.SentTime", SECOND)),
    Column(
        "destination", pa.string(),
        "Format name of the queue for which it is; of several, the first; null if the message names none, or "
        "if `problems` gives a reason.",
        _queue("destination", "Destination"), ("UserHeader.DestinationQueue", _ADDRESS, _DESTINATIONS),
        copied=(_ADDRESS,),
    ),
    Column(
        "destinations", pa.list_(pa.string()),
        "Format names of all queues for which it is, one or several.",
        _destinations, ("UserHeader.DestinationQueue", _ADDRESS, _DESTINATIONS),  # it compares names
    ),
    Column(
        "admin_queue", pa.string(),
        "Format name of the queue for its administration acknowledgments; of several, the first; null if "
        "none, or if `problems` gives a reason.",
        _queue("admin_queue", "Administration"),
        ("UserHeader.AdminQueue", _SOURCE, _ADDRESS, _ADMIN_QUEUES), copied=(_SOURCE, _ADDRESS),
    ),
    Column(
        "response_queue", pa.string(),
        "Format name of the queue for answers; of several, the first; null if none, or if `problems` gives a "
        "reason.",
        _queue("response_queue", "Response"),
        ("UserHeader.AdminQueue", "UserHeader.ResponseQueue", _SOURCE, _ADDRESS, _RESPONSE_QUEUES),
        copied=(_SOURCE, _ADDRESS),
    ),
    Column(
        "message_class", pa.string(),
        "Name of its class in `MESSAGE_CLASS_VALUES`, or the number of an unknown class.",
        class_name, (_CLASS,),
    ),
    Column("label", pa.string(),
           "The label that the application gave it, without its terminator; null characters within it stay.",
           lambda message: message.MessagePropertiesHeader.label, (_LABEL,), is_partial=True),
    Column(
        "correlation", pa.string(),
        "Identifier in its CorrelationID, usually that of another message; null if it is zero.",
        lambda message: _identifier(message.MessagePropertiesHeader), (_CORRELATION,),
    ),
    Column(
        "acknowledged_message", pa.string(),
        "Identifier of the message that it acknowledges or reports, with the outcome in `message_class`, or "
        "to which it refers with a class of an application; null for messages of the normal class.",
        acknowledged_message, (_CLASS, _CORRELATION),
    ),
    Column(
        "acknowledged_in_session", pa.int64(),
        "Number of messages of the other side that its SessionHeader acknowledges, modulo 65,536, as in "
        "`number_in_session`; null without one.",
        Copied("SessionHeader.AckSequenceNumber"),
    ),
    Column(
        "time_to_reach_queue", pa.int64(),
        "Time in which it has to reach the queue manager, in seconds; null if unlimited.",
        _seconds("BaseHeader", "time_to_reach_queue"), ("BaseHeader.TimeToReachQueue",),
    ),
    Column(
        "time_to_be_received", pa.int64(),
        "Time in which an application has to receive it, in seconds; null if unlimited.",
        _seconds("UserHeader", "time_to_be_received"), ("UserHeader.TimeToBeReceived",),
    ),
    Column("priority", pa.int64(), "Its priority, from 0 to 7.", Copied("BaseHeader.Flags.PR")),
    Column("recoverable", pa.bool_(), "Whether it survives a restart of a queue manager.",
           Copied("UserHeader.Flags.DM")),
    Column("dead_letter", pa.bool_(),
           "Whether the sender keeps it in a dead-letter queue if it cannot be delivered.",
           Copied("UserHeader.Flags.JN")),
    Column("journal", pa.bool_(), "Whether the sender keeps a copy in its journal.",
           Copied("UserHeader.Flags.JP")),
    Column("transactional", pa.bool_(), "Whether it belongs to a transaction.",
           Copied("UserHeader.Flags.TH")),
    Column(
        "sequence", pa.string(),
        "TxSequenceID of its sequence of transactional messages as 16 hexadecimal digits, greater for later "
        "sequences; null if it is not transactional.",
        _sequence, ("TransactionHeader.TxSequenceID.Ordinal", "TransactionHeader.TxSequenceID.TimeStamp"),
    ),
    Column(
        "number_in_sequence", pa.int64(),
        "Its TxSequenceNumber, from 1; null if it is not transactional.",
        Copied("TransactionHeader.TxSequenceNumber"),
    ),
    Column(
        "previous_in_sequence", pa.int64(),
        "The number before it in its sequence, 0 for the first; null if it is not transactional.",
        Copied("TransactionHeader.PreviousTxSequenceNumber"),
    ),
    Column(
        "sender", pa.string(),
        "SID or GUID of the sender; null if the message does not name its sender.",
        _sender, ("SecurityHeader.Flags.ST", "SecurityHeader.SecurityData.SecurityID"),
    ),
    Column("body_type", pa.int64(), "BodyType: the variant type of the body; 0 if the application knows it.",
           Copied("MessagePropertiesHeader.BodyType")),
    Column("application_tag", pa.int64(), "ApplicationTag: a number of the application.",
           Copied("MessagePropertiesHeader.ApplicationTag")),
    Column(
        "body", pa.binary(), "The body; of a message over HTTP, the body in its request.",
        lambda message: message.body, (_BODY, *_COMPOUND), same=(_BODY, _COMPOUND[-1]), is_partial=True,
    ),
    Column(
        "text", pa.string(),
        "The body as text, without terminators, as far as it was captured; null characters within it stay; "
        "null if `body_form` is not a form of text.",
        Derived(_BODIES, _read, read_bodies, 1),
    ),
    Column(
        "carries", pa.string(),
        "The directory queue whose messages have this form; null for other messages.",
        _carries, ("UserHeader.DestinationQueue", _CLASS, f"{_BODY}?"),
    ),
    Column("problems", pa.list_(pa.string()),
           "Values that could not be read, such as an invalid queue name; of a partial message also the "
           "columns that are unknown.", PROBLEMS),
    Column(
        "acknowledgments", pa.list_(pa.string()),
        "The requested acknowledgments: ``delivered``, ``retrieved``, ``not delivered``, ``not retrieved``.",
        lambda message: [
            word for flag, word in _WANTED.items() if getattr(message.MessagePropertiesHeader.Flags, flag)
        ],
        tuple(f"MessagePropertiesHeader.Flags.{flag}" for flag in _WANTED),
    ),
    Column("encrypted", pa.bool_(), "Whether the body is encrypted.",
           is_encrypted, ("SecurityHeader.Flags.EB",)),
    Column(
        "signed", pa.bool_(), "Whether the message has a signature of the sender.",
        is_signed, SIGNATURE_SIZES,
    ),
    Column("body_form", pa.string(), f"Form of the body: {FORMS}.", Derived(_BODIES, _read, read_bodies, 0)),
    Column(
        "body_types", pa.list_(pa.string()),
        "Names of the .NET classes in a serialized body, from its bytes; null for other bodies.",
        Derived(_BODIES, _read, read_bodies, 2),
    ),
)  # fmt: skip
"""The columns of interpreted messages."""

FIELDS: Final = MESSAGES.fields
"""Paths of the header columns that `interpreted` needs, in this order."""

_ERROR: Final = pa.field(
    "error", pa.string(), metadata={"comment": "The error of a row without a message; otherwise null."}
)
MESSAGE_TYPE: Final = pa.struct([*MESSAGES.schema, _ERROR])
"""The result type of `messages_of`."""


def fields_of(packets: pa.RecordBatch, paths: tuple[str, ...] = FIELDS) -> dict[str, pa.Array]:
    """Return header columns of packets by path."""
    columns = {}
    for path in paths:
        name, *inner = path.split(".")
        column = packets.column(name)
        columns[path] = pc.struct_field(column, inner) if inner else column
    return columns


def interpreted(
    fields: dict[str, pa.Array], count: int, given: Mapping[str, pa.Array] = MappingProxyType({})
) -> dict[str, pa.Array]:
    """Return the columns of complete UserMessages.

    Args:
        fields: The header columns `FIELDS`, with Spark's types and texts in UTF-8.
        count: The number of messages.
        given: Columns that are already known, by name.
    """
    return MESSAGES.arrays(fields, count, given)


def messages_of(packets: pa.StructArray) -> pa.StructArray:
    """Interpret packets, one row each; a row that is not a message has an error instead.

    Args:
        packets: The decoded columns of `FIELDS`, as `interpreted` takes them.
    """
    kind, error = packets.field("kind"), pc.struct_field(packets, ["error", "message"])
    good = pc.fill_null(pc.and_(pc.equal(kind, "UserMessage"), pc.is_null(error)), False)
    index = np.flatnonzero(good.to_numpy(zero_copy_only=False))
    fields = fields_of(pa.RecordBatch.from_struct_array(packets.take(pa.array(index))))
    struct = interpreted(fields, len(index))
    indices = np.full(len(packets), -1, np.int64)
    indices[index] = np.arange(len(index))
    taken = pa.array(indices, mask=indices < 0)
    other = pc.coalesce(error, pc.binary_join_element_wise("is a packet of another kind: ", kind, ""))
    arrays = [*(struct[name].take(taken) for name in MESSAGES.schema.names), pc.if_else(good, None, other)]
    mask = pc.is_null(packets) if packets.null_count else None
    return pa.StructArray.from_arrays(arrays, fields=[*MESSAGE_TYPE], mask=mask)
