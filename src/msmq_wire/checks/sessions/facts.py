"""The facts of a packet that the rules of sessions need, as numbers and names, from a record or from columns.

1. `Facts` is flat, so that it can be made from columns without records.  The record is decoded if a rule is
   violated.
2. `PartialFacts` has the facts of a packet that cannot be read whole, as far as they are known.
3. Packets of the handshake and Pings are rare and judged as records.
"""

from __future__ import annotations

from hashlib import blake2b
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from msmq_wire.documents.session_protocol import ACKNOWLEDGMENTS
from msmq_wire.documents.transactions import sequence_of
from msmq_wire.packets.packet import decode
from msmq_wire.records.record import record_class
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.guid import NULL_GUID

if TYPE_CHECKING:
    from collections.abc import Callable

_Body = tuple[Any, ...]
NO_BODY: Final[_Body] = (None, 0, 0, None, 0)
RECOVERABLE: Final = 1
"""`UserHeader.Flags.DM` of a recoverable message."""
PATHS: Final = {
    "manager": "UserHeader.SourceQueueManager",
    "address": "UserHeader.QueueManagerAddress",
    "message_id": "UserHeader.MessageID",
    "sent_at": "UserHeader.SentTime",
    "recoverable": "UserHeader.Flags.DM",
    "message_class": "MessagePropertiesHeader.MessageClass",
    "size": "MessagePropertiesHeader.MessageSize",
    "number": "TransactionHeader.TxSequenceNumber",
    "previous": "TransactionHeader.PreviousTxSequenceNumber",
    "acknowledged": "SessionHeader.AckSequenceNumber",
    "first": "SessionHeader.RecoverableMsgAckSeqNumber",
    "flags": "SessionHeader.RecoverableMsgAckFlags",
    "sent": "SessionHeader.UserMsgSequenceNumber",
    "recoverable_sent": "SessionHeader.RecoverableMsgSeqNumber",
    "window": "SessionHeader.WindowSize",
}
"""The fields of which facts are copies, by attribute of `Facts`, in their order."""
FINAL: Final = ("UserHeader.Flags.JP", "UserHeader.Flags.JN", "TransactionHeader.Flags.FA")
"""The flags of a message with a transaction of which one makes a FinalAck due."""


class Facts(msgspec.Struct, frozen=True, gc=False):
    """The facts of a UserMessage, OrderAck, FinalAck or SessionAck.

    Attributes:
        kind: The class of the packet.
        manager: UserHeader.SourceQueueManager as text; empty in a SessionAck, as the following.
        address: UserHeader.QueueManagerAddress as text; empty for the null GUID.
        message_id: UserHeader.MessageID.
        sent_at: UserHeader.SentTime.
        recoverable: Whether UserHeader.Flags.DM is 1.
        message_class: MessagePropertiesHeader.MessageClass.
        size: MessagePropertiesHeader.MessageSize.
        final: Whether a FinalAck is due when the message is removed from its queue: Flags.JP, JN or FA.
        sequence: TxSequenceID as a 64-bit number, of the message, or of the message that an OrderAck or a
            FinalAck names; None if there is none.
        number: TxSequenceNumber, likewise.
        previous: PreviousTxSequenceNumber, likewise.
        named_manager: SourceGUID of a FinalAck's body, as text; None in other packets.
        named_message: MessageID of a FinalAck's body.
        queue: The `queue_digest` of a transactional message; None in other packets.
        acknowledged: SessionHeader.AckSequenceNumber; None without a SessionHeader.
        first: SessionHeader.RecoverableMsgAckSeqNumber, and so on.
        flags: SessionHeader.RecoverableMsgAckFlags.
        sent: SessionHeader.UserMsgSequenceNumber.
        recoverable_sent: SessionHeader.RecoverableMsgSeqNumber.
        window: SessionHeader.WindowSize.
        data: The record, or an Arrow array with the bytes of packets.
        row: The index of the packet in the array; -1 if `data` is the record.
    """

    kind: str
    manager: str
    address: str
    message_id: int
    sent_at: int
    recoverable: bool
    message_class: int
    size: int
    final: bool
    sequence: int | None
    number: int
    previous: int
    named_manager: str | None
    named_message: int
    queue: str | None
    acknowledged: int | None
    first: int
    flags: int
    sent: int
    recoverable_sent: int
    window: int
    data: Any
    row: int

    def record(self) -> Any:
        """Return the packet itself."""
        return self.data if self.row < 0 else decode(self.data[self.row].as_py())


def _reader(header: str) -> attrgetter[Any]:
    """Return the function that reads the fields of `PATHS` from a header."""
    return attrgetter(
        *(path.removeprefix(f"{header}.") for path in PATHS.values() if path.startswith(f"{header}."))
    )


_read_user, _read_properties = _reader("UserHeader"), _reader("MessagePropertiesHeader")
_read_transaction, _read_session = _reader("TransactionHeader"), _reader("SessionHeader")
_read_final: Final = attrgetter(*FINAL)


def facts_of(packet: Any) -> Facts:
    """Return the facts of a record of one of the classes in `session_protocol.OPENED`."""
    kind = packet.layout.name
    header = getattr(packet, "SessionHeader", None)
    counts = (None, 0, 0, 0, 0, 0) if header is None else _read_session(header)
    if kind == "SessionAck":
        nothing: tuple[Any, ...] = ("", "", 0, 0, False, 0, 0, False, *NO_BODY, None, *counts, packet, -1)
        return Facts(kind, *nothing)
    manager, address, message_id, sent_at, mode = _read_user(packet.UserHeader)
    properties = packet.MessagePropertiesHeader
    transaction = getattr(packet, "TransactionHeader", None)
    final, body, queue = False, NO_BODY, None
    if kind != "UserMessage":
        body = _body_facts(kind, properties.MessageBody)
    elif transaction is not None:
        final = any(_read_final(packet))
        queue = queue_digest(packet.UserHeader)
        body = (sequence_of(transaction.TxSequenceID), *_read_transaction(transaction), None, 0)
    fields: tuple[Any, ...] = (
        str(manager), _address(address), message_id, sent_at, _is_recoverable(mode),
        *_read_properties(properties), final, *body, queue, *counts, packet, -1,
    )  # fmt: skip
    return Facts(kind, *fields)


def _address(manager: Any) -> str:
    return "" if manager == NULL_GUID else str(manager)


def _is_recoverable(mode: int) -> bool:
    return mode == RECOVERABLE


def _body_facts(kind: str, raw: bytes) -> _Body:
    """Return the fields of an OrderAck or a FinalAck: sequence, number, previous number, manager, message."""
    try:
        body: Any = record_class(f"{kind}Body").decode(raw)
    except DecodeError:
        return NO_BODY
    return tuple(read(body) for read in _IN_BODY.values())


_IN_BODY: Final[dict[str, Callable[[Any], Any]]] = {
    "sequence": lambda body: sequence_of(body.TxSequenceID),
    "number": attrgetter("TxSequenceNumber"),
    "previous": attrgetter("TxPreviousSequenceNumber"),
    "named_manager": lambda body: str(body.SourceGUID) if body.layout.name == "FinalAckBody" else None,
    "named_message": lambda body: body.MessageID if body.layout.name == "FinalAckBody" else 0,
}
"""The facts in the body of an OrderAck or a FinalAck, as in `NO_BODY`."""
_AS_FACTS: Final[dict[str, Callable[[Any], Any]]] = {
    "manager": str,
    "address": _address,
    "recoverable": _is_recoverable,
}
"""How fields become facts that are not the same."""


class PartialFacts:
    """The facts of a packet of which a part is known; reading one that is not known raises `Unknown`.

    Attributes:
        kind: As in `Facts`.
    """

    __slots__ = ("_part", "kind")

    def __init__(self, kind: str, part: Any) -> None:
        """Store the part.

        Args:
            kind: The class of the packet.
            part: What is known, as a `PartialRecord` or a record; the body of an acknowledgment, too.
        """
        self.kind = kind
        self._part = part

    def record(self) -> Any:
        """Return the part itself."""
        return self._part

    def __getattr__(self, name: str) -> Any:
        part = self._part
        if name in _IN_BODY and self.kind in ACKNOWLEDGMENTS:
            body = part.MessagePropertiesHeader.MessageBody
            if isinstance(body, bytes):
                return dict(zip(_IN_BODY, _body_facts(self.kind, body), strict=True))[name]
            return _IN_BODY[name](body)
        if name in {"sequence", "queue"}:
            transaction = part.TransactionHeader
            if transaction is None:
                return None
            return queue_digest(part.UserHeader) if name == "queue" else sequence_of(transaction.TxSequenceID)
        header, _, path = PATHS[name].partition(".")
        fields = getattr(part, header)
        if fields is None:
            return None if name == "acknowledged" else 0
        value = attrgetter(path)(fields)
        return _AS_FACTS[name](value) if name in _AS_FACTS else value


def queue_digest(header: Any) -> str:
    """Return a digest of the destination queue of a UserHeader."""
    queue = header.DestinationQueue
    name = b"" if queue is None else queue.encode()
    address: bytes = header.QueueManagerAddress.bytes_le
    return blake2b(address + name, digest_size=8).hexdigest()
