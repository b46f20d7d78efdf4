"""Packets of a session by short names, with the counts and acknowledgments of the document."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import msmq_wire as mw
from msmq_wire import NULL_GUID, mqmq, mqqb

if TYPE_CHECKING:
    from pathlib import Path

    from msmq_wire.checks.sessions.monitor import Direction

GUIDS = {
    ">": mw.GUID(bytes([1]) * 16),
    "<": mw.GUID(bytes([2]) * 16),
    "X": mw.GUID(bytes([3]) * 16),
    "0": NULL_GUID,
}
PACKET = re.compile(r"([~*]?)([<>])([A-Zxrtofa]a?)([\d/]*)(?:\((.*)\))?")
WAYS: dict[str, Direction] = {">": "->", "<": "<-"}


def lines_of(file: Path) -> list[str]:
    """The sequences of a file, without its comments."""
    return [line for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]


class Play:
    """Both sides with the counts of the document; packets arrive at once."""

    def __init__(self) -> None:
        self.message = 1000
        self.begin()

    def begin(self) -> None:
        """3.1.3.2: all counts are zero."""
        self.sent, self.stored_sent, self.told, self.stored_told = (Counter[str]() for _ in range(4))

    def header(self, way: str, given: dict[str, Any]) -> mqmq.SessionHeader:
        """3.1.6.4: every received message is acknowledged, recoverable messages from the first one on."""
        back = "<" if way == ">" else ">"
        new = self.stored_sent[back] - self.stored_told[back]
        if "first" not in given and "flags" not in given:
            self.stored_told[back] = self.stored_sent[back]
        first = self.stored_sent[back] - new + 1 if new else 0
        values = (
            ("AckSequenceNumber", "ack", self.sent[back]), ("RecoverableMsgAckSeqNumber", "first", first),
            ("RecoverableMsgAckFlags", "flags", (1 << new) - 1),
            ("UserMsgSequenceNumber", "sent", self.sent[way]),
            ("RecoverableMsgSeqNumber", "rsent", self.stored_sent[way]), ("WindowSize", "window", 64),
        )  # fmt: skip
        return mqmq.SessionHeader(**{field: given.get(name, usual) for field, name, usual in values})

    def packet(self, way: str, kind: str, numbers: str, given: dict[str, Any]) -> Any:
        back = "<" if way == ">" else ">"
        if kind == "E":
            if way == ">":
                self.begin()
            client, server = GUIDS[given.get("client", ">")], GUIDS[given.get("server", "<")]
            flags = mqqb.EstablishConnectionHeaderOperatingSystem(
                RE=0x10, SE=given.get("se", 0), OS=given.get("os", 0)
            )
            return mqqb.EstablishConnection(
                InternalHeader=mqqb.InternalHeader(
                    Flags=mqqb.InternalHeaderFlags(PT=2, CS=given.get("cs", 0))
                ),
                EstablishConnectionHeader=mqqb.EstablishConnectionHeader(
                    ClientGuid=client,
                    ServerGuid=server,
                    TimeStamp=given.get("stamp", 1),
                    OperatingSystem=flags,
                ),
            )
        if kind == "P":
            return mqqb.ConnectionParameters(
                InternalHeader=mqqb.InternalHeader(
                    Flags=mqqb.InternalHeaderFlags(PT=3, CS=given.get("cs", 0))
                ),
                ConnectionParametersHeader=mqqb.ConnectionParametersHeader(
                    RecoverableAckTimeout=given.get("rec", 1000),
                    AckTimeout=given.get("ack", 30000),
                    WindowSize=given.get("window", 64),
                ),
            )
        if kind == "a":
            return mqqb.SessionAck(SessionHeader=self.header(way, given))
        self.message += 1
        self.sent[way] += 1
        self.stored_sent[way] += kind[0] in "rtf"
        number, _, previous = numbers.partition("/")
        ordinal = "ABC".index(given.get("seq", "A")) + 1
        sequence = mqmq.TxSequenceID(Ordinal=ordinal, TimeStamp=5)
        usual = 100 * ordinal + int(number) if kind[0] == "t" else self.message
        head: dict[str, Any] = {
            "SourceQueueManager": GUIDS[given.get("src", way) if kind[0] != "f" else way],
            "QueueManagerAddress": GUIDS[given.get("to", back)],
            "MessageID": given.get("own" if kind[0] == "f" else "id", usual),
            "SentTime": given.get("at", 7),
            "DestinationQueue": mqmq.PrivateQueueFormatNameId(4 if kind[0] in "of" else given.get("q", 7)),
            "Flags": mqmq.UserHeaderFlags(
                DM=int(kind[0] in "rtf"), JP=given.get("jp", 0), JN=given.get("jn", 0)
            ),
        }  # fmt: skip
        if kind[0] in "of":
            body: Any = mqqb.OrderAckBody(TxSequenceID=sequence, TxSequenceNumber=int(number))
            if kind == "f":
                body = mqqb.FinalAckBody(
                    TxSequenceID=sequence, TxSequenceNumber=int(number),
                    TxPreviousSequenceNumber=given.get("prev", int(number) - 1),
                    SourceGUID=GUIDS[given.get("src", back)],
                    MessageID=given.get("id", 100 * ordinal + int(number)),
                )  # fmt: skip
            properties = mqmq.MessagePropertiesHeader(
                Label="QM Ordering Ack\0",
                MessageClass=given.get("class", 0x4000) if kind == "f" else 0xFF,
                MessageBody=body.encode(),
            )
            return (mqqb.OrderAck if kind == "o" else mqqb.FinalAck)(
                UserHeader=mqmq.UserHeader(**head), MessagePropertiesHeader=properties
            )
        transaction = None
        if kind[0] == "t":
            transaction = mqmq.TransactionHeader(
                Flags=mqmq.TransactionHeaderFlags(FA=given.get("fa", 1)), TxSequenceID=sequence,
                TxSequenceNumber=int(number), PreviousTxSequenceNumber=int(previous),
            )  # fmt: skip
        return mqmq.UserMessage(
            UserHeader=mqmq.UserHeader(**head),
            TransactionHeader=transaction,
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=bytes(given.get("size", 3))),
            SessionHeader=self.header(way, given) if kind.endswith("a") else None,
        )


def given_values(text: str | None) -> dict[str, Any]:
    pairs = (pair.split("=") for pair in (text or "").split(",") if pair)
    return {
        key: value if key in {"seq", "src", "to", "server", "client"} else int(value, 0)
        for key, value in pairs
    }
