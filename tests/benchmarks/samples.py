"""The packets that are timed, as records of msmq_wire and as bytes."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from support_specs import SPECS, load_vectors

from msmq_wire import GUID, DecodeError, decode, mqdsrp, mqmq

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire import Record

__all__ = [
    "IDENTIFIERS",
    "MESSAGE",
    "NAMES",
    "Message",
    "Sample",
    "build_message",
    "by_headers",
    "message_at_once",
    "sample",
    "stream_of",
]

IDENTIFIERS = (101, 102, 103, 104, 105, 106, 108, 1101)
"""The properties of each change: those that a new queue has."""

NAMES = (
    "BaseHeader",
    "UserMessage",
    "UserMessage, frame 7",
    "EstablishConnection",
    "ChangePropagation, 1 change",
    "ChangePropagation, 100 changes",
)


class Sample(NamedTuple):
    """A packet: what it is called, its bytes, and the record that they hold."""

    name: str
    data: bytes
    record: Record


class Message(NamedTuple):
    """What an application says when it sends a message; everything else follows."""

    source: GUID
    queue: str
    sid: bytes
    label: str
    body: bytes
    body_type: int
    message_id: int
    sent_time: int


MESSAGE = Message(
    GUID.of("557358d1-9150-9595-4997-b6e611ea26c6"),
    "OS:server\\private$\\orders",
    bytes.fromhex("010500000000000515000000ad4a9ebd36d9fa3d63a656dae8030000"),
    "an order for the warehouse",
    bytes(range(200)),
    8,
    2286,
    1380927820,
)


def build_message(message: Message) -> mqmq.UserMessage:
    """The record of a message, all lengths computed."""
    source, queue, sid, label, body, body_type, number, sent = message  # as HAND does: attributes are slower
    return mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=source,
            SentTime=sent,
            MessageID=number,
            DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName=queue),
        ),
        SecurityHeader=mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=sid)),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            BodyType=body_type, Label=label, MessageBody=body
        ),
    )


def message_at_once(message: Message) -> mqmq.UserMessage:
    """The same record, made in one call."""
    source, queue, sid, label, body, body_type, number, sent = message
    return mqmq.UserMessage.of(
        SourceQueueManager=source,
        SentTime=sent,
        MessageID=number,
        DestinationQueue=f"DIRECT={queue}",
        SecurityID=sid,
        BodyType=body_type,
        Label=label,
        MessageBody=body,
    )


def _change(number: int) -> mqdsrp.DirectoryChange:
    guid = GUID(number.to_bytes(16, "little"))
    return mqdsrp.DirectoryChange(
        Command=1,
        PathName=f"SERVER{number:03}\\orders",
        PartitionID=MESSAGE.source,
        PreviousSeqNumber=number,
        SeqNumber=number + 1,
        PurgedSeqNumber=3,
        PropertyID=IDENTIFIERS,
        PropertyValue=(guid, guid, f"server{number:03}\\orders", 0, 8192, 3, "orders", bytes(100)),
    )


def _propagation(changes: int) -> mqdsrp.ChangePropagationMessage:
    partition = mqdsrp.PARTITION_SEQ_NUMBERS(PartitionID=MESSAGE.source, LastSeqNumber=7, PurgedSeqNumber=3)
    return mqdsrp.ChangePropagationMessage(
        BaseReplicationHeader=mqdsrp.BaseReplicationHeader(SiteID=MESSAGE.source),
        DirectoryChanges=[_change(number) for number in range(changes)],
        SeqNumberHeader=mqdsrp.SeqNumberHeader(MachineName="SERVER", PartitionSeqNumbers=[partition]),
    )


@cache
def sample(name: str) -> Sample:
    """The sample of that name."""
    frames = {vector.name: vector.data for vector in load_vectors()}
    makers: dict[str, Callable[[], Any]] = {
        "BaseHeader": lambda: mqmq.BaseHeader.decode(frames["frame-7-user-message-completed"][:16]),
        "UserMessage": lambda: build_message(MESSAGE),
        "UserMessage, frame 7": lambda: decode(frames["frame-7-user-message-completed"]),
        "EstablishConnection": lambda: decode(frames["frame-3-establish-connection-request"]),
        "ChangePropagation, 1 change": lambda: _propagation(1),
        "ChangePropagation, 100 changes": lambda: _propagation(100),
    }
    made = makers[name]()
    data = made.encode()
    return Sample(name, data, type(made).decode(data))


def by_headers() -> dict[str, list[bytes]]:
    """A packet of the independent vectors for each kind and set of headers that they have, by kind."""
    found: dict[tuple[str, tuple[str, ...]], bytes] = {}
    with gzip.open(SPECS / "vectors" / "independent.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            data = bytes.fromhex(json.loads(line)["hex"])
            try:
                packet = decode(data)
            except DecodeError:
                continue
            there = (name for name in packet.layout.by_name if getattr(packet, name) is not None)
            found.setdefault((type(packet).__name__, tuple(there)), data)
    kinds: dict[str, list[bytes]] = {}
    for (kind, _), data in found.items():
        kinds.setdefault(kind, []).append(data)
    return kinds


def stream_of(data: bytes, size: int) -> bytes:
    """A session of so many copies of a packet as `size` holds."""
    return data * max(1, size // len(data))
