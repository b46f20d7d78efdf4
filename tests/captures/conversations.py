"""Conversations of queue managers by hand: messages, what comes back for them, and the resulting tables."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import msmq_wire as mw
from msmq_wire import GUID, mqmq, mqqb
from msmq_wire.captures.engine import Settings
from msmq_wire.captures.gathering import GATHERED, needed, tables_of
from msmq_wire.captures.schemas import uncoded
from msmq_wire.captures.spool import Spool, divided
from msmq_wire.captures.table_builder import TableBuilder

from .segments import Capture, Talk, batch_of

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

SENDER = GUID.of("11111111-1111-1111-1111-111111111111")
ROUTER = GUID.of("22222222-2222-2222-2222-222222222222")
RECEIVER = GUID.of("33333333-3333-3333-3333-333333333333")
SENT = 1767225600  # 2026-01-01, when captures by hand begin
MESSAGE = f"{SENDER}\\7"
REACHED, RECEIVED = 0x0002, 0x4000
DENIED, NO_QUEUE, LATE, NOT_TAKEN = 0x8004, 0x8001, 0x8002, 0xC001
FINALLY_LATE = 0xC002
QUEUE = "DIRECT=OS:receiver\\private$\\orders"


class Wire:
    """Captures of one or more sensors, and the rows that come of them."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.captures: list[Capture] = []
        self.settings = Settings()
        self.joined = 1 << 18
        """How many gathered rows are joined at once."""
        self.apart = False
        """Whether each capture is a bucket."""

    def sensor(self, name: str = "a") -> Capture:
        self.captures.append(Capture(f"/captures/{name}/1.pcap"))
        return self.captures[-1]

    def rows(self, table: str = "deliveries") -> list[dict[str, Any]]:
        """All rows of a table."""
        wanted = frozenset({table})
        wanted |= needed(wanted)
        maker = TableBuilder(wanted, self.settings, self.directory)
        batches: dict[str, list[pa.RecordBatch]] = {table: []}
        buckets = [[capture] for capture in self.captures] if self.apart else [self.captures]
        for bucket in buckets:
            for name, batch in maker.tables([batch_of(*bucket)], 0):
                batches.setdefault(name, []).append(batch)
        for name, gathered in GATHERED.items():
            spool = Spool(uncoded(gathered.schema), self.directory / name, None)
            for batch in filter(len, batches.get(name, ())):
                spool.add(batch.cast(spool.schema))
            for group in divided(spool, gathered.key, self.joined, gathered.shared):
                for given, batch in tables_of(name, group, wanted, self.settings, maker.until):
                    batches.setdefault(given, []).append(batch)
        return [row for batch in batches[table] for row in batch.to_pylist()]

    def row(self, message: str = MESSAGE) -> dict[str, Any]:
        """The row of `deliveries` of a message."""
        (row,) = [row for row in self.rows() if row["message"] == message]
        return row


def session(capture: Capture, client: GUID = SENDER, server: GUID = RECEIVER, **ends: Any) -> Talk:
    """A connection with a complete handshake."""
    talk = Talk(capture, **ends).open()
    header = mqqb.EstablishConnectionHeader(ClientGuid=client, ServerGuid=server)
    establish = mw.encode(mqqb.EstablishConnection(EstablishConnectionHeader=header))
    parameters = mw.encode(mqqb.ConnectionParameters())
    return talk.send("->", establish).send("<-", establish).send("->", parameters).send("<-", parameters)


def message(number: int = 7, manager: GUID = SENDER, *, recoverable: bool = False, **more: Any) -> bytes:
    flags = mqmq.UserHeaderFlags(DM=int(recoverable))
    fields = {
        "SourceQueueManager": manager, "MessageID": number, "SentTime": SENT, "DestinationQueue": QUEUE,
        "MessageBody": b"order", "UserHeaderFlags": flags,
    }  # fmt: skip
    return mw.encode(mqmq.UserMessage.of(**{**fields, **more}))


def answered(data: bytes, call: int = 1) -> bytes:
    """The answer to a remote call, in one fragment, that returns a packet."""
    stub = bytes(24) + data + bytes(-len(data) % 8)
    header = struct.pack("<BBBBIHHIIHBB", 5, 0, 2, 3, 0x10, 24 + len(stub), 0, call, len(stub), 0, 0, 0)
    return header + stub


def told(kind: int, about: int = 7, number: int = 90, by: GUID = RECEIVER, **more: Any) -> bytes:
    """An administration acknowledgment of a message of the sender."""
    named = SENDER.bytes_le + about.to_bytes(4, "little")
    return message(
        number, by, MessageClass=kind, CorrelationID=named,
        DestinationQueue="DIRECT=OS:sender\\private$\\admin", MessageBody=b"", **more,
    )  # fmt: skip


def session_ack(count: int, *, stored: int = 0, **more: int) -> bytes:
    """So many messages of the other side are acknowledged, and so many of its recoverable ones as stored."""
    flags = (1 << stored) - 1  # one bit for each from the number on
    return mw.encode(
        mqqb.SessionAck.of(
            AckSequenceNumber=count,
            RecoverableMsgAckSeqNumber=1 if stored else 0,
            RecoverableMsgAckFlags=flags,
            **more,
        )
    )


def order_ack(number: int, sequence: Any, by: GUID = RECEIVER, to: GUID = SENDER) -> bytes:
    body = mqqb.OrderAckBody(
        TxSequenceID=sequence, TxSequenceNumber=number, TxPreviousSequenceNumber=number - 1
    )
    return mw.encode(
        mqqb.OrderAck.of(
            SourceQueueManager=by, QueueManagerAddress=to, MessageID=50, MessageBody=body.encode()
        )
    )


def final_ack(kind: int, sequence: Any, about: int = 7, at: int = 1) -> bytes:
    body = mqqb.FinalAckBody(
        TxSequenceID=sequence,
        TxSequenceNumber=at,
        TxPreviousSequenceNumber=at - 1,
        SourceGUID=SENDER,
        MessageID=about,
    )
    return mw.encode(
        mqqb.FinalAck.of(
            SourceQueueManager=RECEIVER, QueueManagerAddress=SENDER, MessageID=51, MessageClass=kind,
            MessageBody=body.encode(),
        )
    )  # fmt: skip


SEQUENCE = mqmq.TxSequenceID(Ordinal=3, TimeStamp=SENT)


OTHER_SEQUENCE = mqmq.TxSequenceID(Ordinal=4, TimeStamp=SENT)


def in_sequence(at: int = 1, sequence: Any = SEQUENCE) -> mqmq.TransactionHeader:
    """The place of a message in a sequence."""
    return mqmq.TransactionHeader(TxSequenceID=sequence, TxSequenceNumber=at, PreviousTxSequenceNumber=at - 1)


def transactional(number: int = 7, at: int = 1) -> bytes:
    return message(number, recoverable=True, TransactionHeader=in_sequence(at))


TWO_QUEUES = ONE, TWO = (r"DIRECT=OS:one\private$\orders", r"DIRECT=OS:two\private$\orders")


def listed(*queues: str) -> mqmq.MQFAddressHeader:
    """A list of queues with direct names."""
    names = [
        mqmq.MQFFormatNameElement(
            FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName=name.removeprefix("DIRECT="))
        )
        for name in queues
    ]
    return mqmq.MQFAddressHeader(FormatNameList=names)


def to_two(manager: GUID, queue: str, **more: Any) -> bytes:
    """The copy of a message to two queues that goes to one of them."""
    lists = mqmq.MultiQueueFormatHeader(Destination=listed(*TWO_QUEUES))
    named = {"QueueManagerAddress": manager, "MultiQueueFormatHeader": lists, "DestinationQueue": queue}
    return message(**{**named, **more})
