"""Encoded messages that are created once and sent many times, because creating each record would be too slow.

1. A pool has a few hundred valid messages of all kinds, with queues, labels and bodies like those of business
   applications.
2. Fields that differ for each sending are overwritten in the bytes: sender, time, number.  The diagnostic
   reader determines the offsets of these fields.
3. A bent message violates one requirement, which is known by construction.
4. A spoilt message is a damaged message of the pool.  It is only used if a stream finds no packet in it, but
   finds the next packet after it, so the loss is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hypothesis.errors import UnsatisfiedAssumption

import msmq_wire as mw
from msmq_wire import mqmq, mqqb
from msmq_wire.packets.packet import accept
from msmq_wire.packets.packet_starts import SIGNATURE_BYTES
from msmq_wire.packets.stream import Frame
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.testing.bent.records import broken_fields
from msmq_wire.testing.strategies.choices import rolled
from msmq_wire.testing.strategies.headers import SID
from msmq_wire.testing.strategies.packets import final_ack_of, message, order_ack_of
from msmq_wire.values.limits import DEFAULT_LIMITS
from msmq_wire.values.numbers import SENT_BY_QUEUE_MANAGER

from .message_truth import is_stamped, message_truth
from .truth import IntendedViolation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from .message_truth import Message

_QUEUES = (
    "orders", "orders_out", "invoices", "payments", "shipping", "stock", "prices", "audit", "crm_events",
    "hr\\payroll", "retry", "dead_orders", "telemetry", "print_jobs", "mail_out", "ledger",
)  # fmt: skip
_LABELS = (
    "",
    "Order",
    "Invoice 2024",
    "Payment run",
    "Stock level",
    "Abgleich",
    "r\u00e9essai",
    "\u5728\u5eab",
)
_WORDS = ("customer", "article", "amount", "currency", "warehouse", "due", "carrier", "reference", "status")
_STRING, _TEXT, _BYTES = 8, 31, 0x1011  # VT_BSTR, which most programs send; VT_LPWSTR; VT_VECTOR | VT_UI1
_SIZES = ((20, 200), (200, 800), (800, 4000), (4000, 40000))
"""Sizes of bodies: smallest and largest size in bytes."""
_SHARES = (0.7, 0.95, 0.994, 1.0)
"""Cumulative share of the messages with each."""
_TRIES = 12
_UNSIGNED: Final = IntendedViolation("MQQB-3.1.5.1.2-01", None)
_UNREADABLE: Final = IntendedViolation("MQQB-3.1.5.1.3-01", None)
_ACKNOWLEDGED = "UserMessage.MessagePropertiesHeader.MessageBody"
_STAMPS = {
    "UserMessage.UserHeader.SourceQueueManager": "source",
    "UserMessage.UserHeader.QueueManagerAddress": "receiver",
    "UserMessage.UserHeader.SentTime": "sent",
    "UserMessage.UserHeader.MessageID": "number",
    "UserMessage.TransactionHeader.Flags": "bounds",
    "UserMessage.TransactionHeader.TxSequenceID": "sequence",
    "UserMessage.TransactionHeader.TxSequenceNumber": "sequence_number",
    "UserMessage.TransactionHeader.PreviousTxSequenceNumber": "previous",
    _ACKNOWLEDGED: "body",
}
_MISREAD = frozenset({"SoapHeader.HeaderPadding", "SoapHeader.Padding", "MultiQueueFormatHeader.Padding"})
"""Paddings whose size a reader computes: behind one of another size, it reads other fields."""


class Template(NamedTuple):
    """A message as bytes.

    Attributes:
        kind: Name of its record class.
        data: Its bytes, with a SessionHeader if one is appended.
        spans: Offset and size of the fields to overwrite, by short names.
        rides: Whether a SessionHeader is appended.
        recoverable: Whether it counts as recoverable.
        transactional: Whether it belongs to a sequence.
        final: Whether it asks for an acknowledgment of its removal.
        acknowledges: Whether its class is that of an acknowledgment or a report.
        addressed: Whether the receiver is inserted, too.
        meaning: Its interpretation, without the sender.
        breach: The requirement that it violates.
    """

    kind: str
    data: bytes
    spans: dict[str, tuple[int, int]]
    rides: bool = False
    recoverable: bool = False
    transactional: bool = False
    final: bool = False
    acknowledges: bool = False
    addressed: bool = False
    meaning: Message | None = None
    breach: IntendedViolation | None = None


def stamped(template: Template, stamps: dict[str, bytes], rider: bytes = b"") -> bytes:
    """Return the bytes of a message with some fields overwritten."""
    data = bytearray(template.data)
    for name, value in stamps.items():
        at, size = template.spans[name]
        data[at : at + size] = value
    if rider:
        data[-len(rider) :] = rider
    return bytes(data)


def _template(packet: Any, breach: IntendedViolation | None = None) -> Template:
    data = mw.encode(packet)
    reader = diagnostic_reader(data)
    reader.read(type(packet).layout, 0, len(data))
    root = type(packet).__name__
    paths = {f"{root}.{path.partition('.')[2]}": name for path, name in _STAMPS.items()}
    spans = {paths[piece.path]: (piece.offset, piece.size) for piece in reader.spans if piece.path in paths}
    user = root == "UserMessage"
    return Template(
        root,
        data,
        spans,
        rides=user and packet.SessionHeader is not None,
        recoverable=bool(packet.UserHeader.Flags.DM),
        transactional=user and packet.TransactionHeader is not None,
        final=user and asks_for_removal(packet),
        acknowledges=packet.MessagePropertiesHeader.MessageClass != 0,
        addressed=user and is_stamped(packet),
        meaning=message_truth(packet) if user else None,
        breach=breach,
    )


def asks_for_removal(packet: Any) -> bool:
    """Return whether a message asks for a FinalAck when it is taken from its queue ([MS-MQQB] 3.1.7.2.2)."""
    flags, transaction = packet.UserHeader.Flags, packet.TransactionHeader
    return bool(flags.JP or flags.JN or (transaction is not None and transaction.Flags.FA))


def _of_a_user(packet: Any) -> Any:
    """Return a message whose proof names no queue manager, because others will send it."""
    security = getattr(packet, "SecurityHeader", None)
    if security is None or security.Flags.ST != SENT_BY_QUEUE_MANAGER:
        return packet
    data = mw.replace(security.SecurityData, SecurityID=SID)
    flags = security.Flags.replace(ST=_USER)
    return mw.replace(packet, SecurityHeader=mw.replace(security, Flags=flags, SecurityData=data))


_USER = 1


def _addressed(make: Callable[[], Any]) -> Template:
    """Return an acknowledgment for a queue of a queue manager, given by GUID."""
    while True:
        packet = make()
        if packet.UserHeader.QueueManagerAddress:
            return _template(packet)


def _occurs(packet: Any) -> bool:
    """Return whether a message occurs in sessions."""
    plain = packet.CompoundMessageHeader is None and packet.ExtensionHeader is None
    return plain and packet.UserHeader.Flags.DM in {0, 1}


class Pool:
    """Messages to send.

    Args:
        random: The source of random numbers.
        hosts: Names of the computers whose queues are destinations.
        size: Number of messages to create.
        bent: Whether to create messages that violate a requirement, too.

    Attributes:
        messages: Valid UserMessages.
        bent: UserMessages that violate one requirement each.
        spoilt: Bytes in which a stream finds no packet, and the requirement that they violate.
        order_ack: An OrderAck; its body and destination queue manager are overwritten for each sending.
        final_ack: A FinalAck, likewise.
        session_ack: A SessionAck; its SessionHeader is overwritten for each sending.
    """

    def __init__(self, random: Random, hosts: tuple[str, ...], size: int, *, bent: bool = False) -> None:
        self._random = random
        self._hosts = hosts
        self.messages = [self._message(riding=index % 2 == 1) for index in range(size)]
        dice = rolled(random)
        self.order_ack = _addressed(lambda: order_ack_of(dice, mqqb.OrderAckBody()))
        self.final_ack = _addressed(lambda: final_ack_of(dice, mqqb.FinalAckBody()))
        self.session_ack = Template("SessionAck", mw.encode(mqqb.SessionAck()), {})
        self.bent = [*self._bent()] if bent else []
        self.spoilt: list[tuple[bytes, IntendedViolation]] = []
        while len(self.spoilt) < size // 8:
            spoilt, breach = self._spoilt(random.choice(self.messages).data)
            if self._is_skipped(spoilt):
                self.spoilt.append((spoilt, breach))

    def _message(self, *, riding: bool) -> Template:
        while True:
            packet = message(
                rolled(self._random),
                with_session_header=riding,
                over_http=False,
                from_remote_read=False,
                with_others=False,  # a new header leaves the captures of a seed as they are
            )
            packet = self._dressed(packet)
            if not mw.validate(packet, "should"):
                template = _template(packet)
                if template.data.count(SIGNATURE_BYTES) == 1:
                    return template

    def _bent(self) -> Iterator[Template]:
        """Return messages that violate one requirement each, in a field that is not overwritten."""
        for requirement, path, broken in broken_fields(mqmq.UserMessage):
            if f"UserMessage.{path}" in _STAMPS or path.startswith("SessionHeader") or path in _MISREAD:
                continue
            for _ in range(_TRIES):
                try:
                    packet = broken(rolled(self._random), self._dressed)
                except UnsatisfiedAssumption:
                    break
                if not _occurs(packet):
                    continue
                if accept(mw.encode(packet), DEFAULT_LIMITS) != packet:
                    break  # the field decides how others are read
                template = _template(packet, IntendedViolation(requirement, f"UserMessage.{path}"))
                if template.data.count(SIGNATURE_BYTES) == 1:
                    yield template
                    break

    def _dressed(self, packet: Any) -> Any:
        """Return the message with a queue, a label and a body as applications use them."""
        random = self._random
        packet = _of_a_user(packet)
        body, kind = self._body()
        label = random.choice(_LABELS)
        properties = mw.replace(
            packet.MessagePropertiesHeader,
            Label=f"{label}\0" if label else "",
            MessageBody=body,
            BodyType=kind,
            AllocationBodySize=len(body),
        )
        changes: dict[str, Any] = {"MessagePropertiesHeader": properties}
        if isinstance(packet.UserHeader.DestinationQueue, mqmq.DirectQueueFormatName):
            queue = f"OS:{random.choice(self._hosts)}\\private$\\{random.choice(_QUEUES)}\0"
            changes["UserHeader"] = mw.replace(
                packet.UserHeader, DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName=queue)
            )
        return mw.replace(packet, **changes)

    def _body(self) -> tuple[bytes, int]:
        random = self._random
        (sizes,) = random.choices(_SIZES, cum_weights=_SHARES)
        size = random.randrange(*sizes)
        if random.random() < 0.2:
            return random.randbytes(size).replace(SIGNATURE_BYTES, b"\0\0\0\0"), _BYTES
        words, left = ["<order>"], size // 2
        while left > 0:
            words.append(f"<{(word := random.choice(_WORDS))}>{random.randrange(10**6)}</{word}>")
            left -= len(words[-1])
        kind = _STRING if size % 5 else _TEXT
        return f"{''.join(words)}</order>".encode("utf-16-le"), kind

    def _spoilt(self, data: bytes) -> tuple[bytes, IntendedViolation]:
        random = self._random
        spoilt = bytearray(data)
        match random.randrange(4):
            case 0:  # the signature
                spoilt[data.index(SIGNATURE_BYTES) + random.randrange(len(SIGNATURE_BYTES))] ^= (
                    1 << random.randrange(8)
                )
                return bytes(spoilt), _UNSIGNED
            case 1:  # anything
                return random.randbytes(random.randrange(1, 200)).replace(SIGNATURE_BYTES, b""), _UNSIGNED
            case _:  # a word of the headers
                at = random.randrange(mqmq.BaseHeader.layout.least_size, min(len(data), 400))
                spoilt[at : at + 4] = random.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\x7f\0\x80"))
        return bytes(spoilt[: len(data)]), _UNREADABLE

    def _is_skipped(self, spoilt: bytes) -> bool:
        """Return whether a stream skips exactly these bytes, whatever packets precede and follow them."""
        packet = mw.encode(mqqb.ConnectionParameters())
        for before in (b"", packet, self.messages[0].data):
            frames = mw.PacketStream().frames(before + spoilt + packet + packet, final=True)
            whole = [item.data for item in frames if isinstance(item, Frame)]
            if b"".join(whole) != before + packet + packet:
                return False
        return bool(spoilt)
