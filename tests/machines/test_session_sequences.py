"""What endpoints do, step by step, from the page: all disagreements at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from support_histories import split
from support_sequences import GUIDS, PACKET, Play, given_values, lines_of

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.machines.session import (
    Acceptor,
    Acknowledged,
    Closed,
    Initiator,
    Message,
    QueueManager,
    Readings,
    Received,
    Settings,
    Violated,
)

FILE = Path(__file__).with_name("session_sequences.txt")
START = 1_700_000_000.0
KINDS: dict[str, dict[str, Any]] = {"x": {}, "r": {"recoverable": True}, "t": {"transactional": True}}


class Desk:
    """An endpoint, and a play of the other side."""

    def __init__(self, role: str, settings: Settings, readings: Readings | None = None) -> None:
        us, them = (">", "<") if role == "I" else ("<", ">")
        self.them = them
        self.manager = QueueManager(GUIDS[us], settings, readings=readings)
        self.role, self.play, self.now = role, Play(), START
        self.session: Any = Initiator(self.manager, remote=GUIDS[them]) if role == "I" else None
        self.events: list[Any] = []
        self.output: list[Any] = []
        self.queue: list[mqmq.UserMessage] = []
        self.sequences: list[Any] = []
        self.gone: list[Any] = []

    def take(self, events: list[Any]) -> None:
        self.events += events
        self.queue += [event.message for event in events if isinstance(event, Received)]
        for raw in split(self.session.data_to_send()):
            packet = mw.decode(raw)
            if isinstance(packet, mqmq.UserMessage) and packet.TransactionHeader is not None:
                identifier = packet.TransactionHeader.TxSequenceID
                if identifier not in self.sequences:
                    self.sequences.append(identifier)
            self.output.append(packet)
            # What the other side knows of it, for its acknowledgments.
            us = "<" if self.them == ">" else ">"
            if not isinstance(packet, (mqqb.EstablishConnection, mqqb.ConnectionParameters, mqqb.SessionAck)):
                self.play.sent[us] += 1
                self.play.stored_sent[us] += packet.UserHeader.Flags.DM == 1

    def connect(self) -> None:
        self.play.begin()
        if self.role == "A":
            self.session = Acceptor(self.manager)
        self.take(self.session.connected(self.now))

    def receive(self, kind: str, numbers: str, given: dict[str, Any]) -> None:
        packet = self.play.packet(self.them, kind, numbers, given)
        if kind == "E" and self.role == "I":  # the answer repeats the TimeStamp
            asked = self.output[-1] if self.output else packet
            stamp = getattr(asked, "EstablishConnectionHeader", packet.EstablishConnectionHeader).TimeStamp
            header = mw.replace(packet.EstablishConnectionHeader, TimeStamp=stamp)
            packet = mw.replace(packet, EstablishConnectionHeader=header)
        if kind in "of" and self.sequences:
            packet = self.of_ours(packet, given)
        self.take(self.session.receive(packet.encode(), self.now))

    def of_ours(self, packet: Any, given: dict[str, Any]) -> Any:
        """The acknowledgment of a sequence of this endpoint, and of its message with that number."""
        first = self.sequences[0]
        later = "ABC".index(given.get("seq", "A"))
        identifier = mqmq.TxSequenceID(Ordinal=first.Ordinal + later, TimeStamp=first.TimeStamp)
        properties = packet.MessagePropertiesHeader
        body: Any = (mqqb.OrderAckBody if isinstance(packet, mqqb.OrderAck) else mqqb.FinalAckBody).decode(
            properties.MessageBody
        )
        body = mw.replace(body, TxSequenceID=identifier)
        if isinstance(body, mqqb.FinalAckBody):
            numbered = {
                one.TransactionHeader.TxSequenceNumber: one.UserHeader.MessageID
                for one in self.sent if one.TransactionHeader is not None
            }  # fmt: skip
            body = mw.replace(body, MessageID=numbered[body.TxSequenceNumber])
        return mw.replace(packet, MessagePropertiesHeader=mw.replace(properties, MessageBody=body.encode()))

    @property
    def sent(self) -> list[mqmq.UserMessage]:
        return [packet for packet in (*self.gone, *self.output) if isinstance(packet, mqmq.UserMessage)]

    def step(self, word: str) -> None:
        if word == "open":
            self.connect()
            for kind in "EP":
                self.receive(kind, "", {})
            self.gone += self.output
            self.output.clear()
            self.events.clear()
        elif word in {"connect", "cut", "pause", "resume"}:
            if word == "connect":
                self.connect()
            elif word == "cut":
                self.take(self.session.disconnected(self.now))
            else:
                getattr(self.session, word)(self.now)
                self.take([])
        elif word == "bad":
            self.take(self.session.receive(b"\x10\x00\x03\x00LIAR" + bytes(8), self.now))
        elif word.startswith("+"):
            self.now += float(word[1:])
            self.take(self.session.timeout(self.now))
        elif word.startswith("take"):
            value = int(word[5:] or "0x4000", 0)
            self.take(self.session.consumed(self.queue.pop(0), self.now, value))
        else:
            self.call(word)

    def call(self, word: str) -> None:
        verb, _, rest = word.partition(":")
        rest, _, count = rest.partition("*")
        for _ in range(int(count or 1)):
            if verb == "send":
                kind, _, options = rest.partition("(")
                given = {key.replace("reach", "reach_queue"): value
                         for key, value in given_values(options.rstrip(")")).items()}  # fmt: skip
                given |= {key: bool(value) for key, value in given.items() if key == "final_ack"}
                queue = f"PRIVATE={GUIDS[self.them]}\\00000007"
                self.session.send(Message(queue, b"abc", **KINDS[kind], **given), self.now)
                self.take([])
            else:
                match = PACKET.fullmatch(self.them + rest)
                assert match is not None, word
                self.receive(match[3], match[4], given_values(match[5]))


def _packet(packet: Any) -> str:
    kind = type(packet).__name__
    if kind in {"EstablishConnection", "ConnectionParameters"}:
        return kind[0] if kind[0] == "E" else "P"
    if kind == "SessionAck":
        header = packet.SessionHeader
        more = f":{header.RecoverableMsgAckSeqNumber}:{header.RecoverableMsgAckFlags}"
        return f"a{header.AckSequenceNumber}{more if header.RecoverableMsgAckFlags else ''}"
    if kind in {"OrderAck", "FinalAck"}:
        body: Any = (mqqb.OrderAckBody if kind == "OrderAck" else mqqb.FinalAckBody).decode(
            packet.MessagePropertiesHeader.MessageBody
        )
        return f"{kind[0].lower()}{body.TxSequenceNumber}"
    riding = "a" if packet.SessionHeader is not None else ""
    transaction = packet.TransactionHeader
    if transaction is not None:
        return f"t{riding}{transaction.TxSequenceNumber}/{transaction.PreviousTxSequenceNumber}"
    return ("r" if packet.UserHeader.Flags.DM == 1 else "x") + riding


def step_output(desk: Desk) -> str:
    """What went out, with the sequence of OrderAcks and the flags of SessionHeaders that ride."""
    texts = []
    for packet in desk.output:
        text = _packet(packet)
        if isinstance(packet, mqqb.OrderAck):
            sequence = mqqb.OrderAckBody.decode(packet.MessagePropertiesHeader.MessageBody).TxSequenceID
            text += f"@{sequence.TimeStamp}:{sequence.Ordinal}" if desk.manager.readings.own_sequence else ""
        elif isinstance(packet, mqmq.UserMessage) and packet.SessionHeader is not None:
            header = packet.SessionHeader
            text += f":{header.RecoverableMsgAckSeqNumber}:{header.RecoverableMsgAckFlags}"
        texts.append(text)
    return ",".join(texts) or "-"


def _event(event: Any) -> str:
    if isinstance(event, Closed):
        return event.reason.replace(" ", "-")
    if isinstance(event, Acknowledged):
        return event.kind.name
    return event.violation.requirement if isinstance(event, Violated) else type(event).__name__


def _difference(line: str) -> str | None:
    """Return what the endpoint does otherwise than the line."""
    section, role, *steps = line.split()
    pairs = re.findall(r"(\w+)=(\d+)", steps[0]) if steps[0].startswith("{") else []
    options: dict[str, Any] = {name: int(value) for name, value in pairs}
    desk = Desk(role, Settings(**options))
    for word in steps[1:] if options else steps:
        verb, _, rest = word.partition(":")
        if verb not in {"out", "ev"}:
            desk.step(word)
            continue
        expected = [] if rest == "-" else rest.split(",")
        if verb == "out":
            actual = [_packet(packet) for packet in desk.output]
            desk.gone += desk.output
            desk.output.clear()
        else:
            actual = [_event(event) for event in desk.events]
            desk.events.clear()
        if actual != expected:
            return f"{section} {role} {' '.join(steps)}: at {word} it is {','.join(actual) or '-'}"
    return None


def test_sequences_of_the_page() -> None:
    assert [difference for line in lines_of(FILE) if (difference := _difference(line)) is not None] == []
