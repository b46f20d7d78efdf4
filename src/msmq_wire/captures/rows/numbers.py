"""The numbers of messages in their session, counted in each flow.

1. A session is a TCP connection.  Each side counts the UserMessages, OrderAcks and FinalAcks that it sends,
   modulo 65,536; a SessionHeader states the count, including the message before it ([MS-MQQB] 3.1.7.1.3).
2. The count is known from the handshake on, or from a SessionHeader on.  After missing or unreadable bytes it
   is unknown until the next SessionHeader.  Bytes that are missing within a packet have no message: if the
   next packet begins where the PacketSize says, it goes on.  So it does after a message that cannot be read.
   An internal packet that cannot be read may be a message with a wrong flag, and the reverse.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.columns import Column
from msmq_wire.documents.session_protocol import COUNTED, HANDSHAKE_PACKETS, NUMBERS
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.packets.packet_starts import BASE_SIZE, ends, unpack_base
from msmq_wire.packets.reassembly import Kind

from .channels import CHANNEL
from .remote_reads import OPENED
from .session_facts import numbers_of, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable

IN_SESSION: Final = (
    CHANNEL,
    *OPENED,
    Column(
        "session",
        pa.string(),
        "Identifier of its session, as in `sessions`; null if it is not in a session.",
    ),
    Column(
        "number_in_session",
        pa.int64(),
        "Its number among the messages that its side has sent in the session, from 1, modulo 65,536, as "
        "SessionHeaders count them; null if it is not counted, or if missing or unreadable bytes hide it.",
    ),
)
"""The columns for the channel and the session of a packet, and its number in the session."""

_PACKET, _CONFLICT = Kind.PACKET.value, Kind.CONFLICT.value
_HEAD, _UNREADABLE = Kind.HEAD.value, Kind.UNREADABLE.value
LEAST_MESSAGE: Final = UserMessage.layout.least_size
"""The size of the smallest message in bytes."""
_WITHIN: Final = frozenset({Kind.GAP.value, Kind.REST.value, _CONFLICT})
"""The kinds of pieces that may be within a packet."""
_FLOWS: Final = 1 << 14
"""The number of flows whose count is kept while they alternate, as in a live capture."""


class _Cut(NamedTuple):
    """A packet that is not whole: where it may end, and the count after it."""

    ends: tuple[int, ...]
    sent: int


class Numbers:
    """The counts of all flows."""

    def __init__(self) -> None:
        self._sent: OrderedDict[tuple[str, str], int | _Cut] = OrderedDict()

    def of(self, pieces: pa.RecordBatch, announced: pa.Array, stated: pa.Array) -> pa.Array:
        """Return the number of each piece in its session; null if it is not counted, or unknown.

        Args:
            pieces: The pieces, those of a flow in order; later calls go on.
            announced: The kind of packet as which each piece begins; null for other pieces.
            stated: The UserMsgSequenceNumber of each piece; null without a SessionHeader.
        """
        names = ("sensor", "flow", "kind")
        texts = map(texts_of, (*(pieces.column(name) for name in names), announced))
        rows = zip(*texts, numbers_of(stated), strict=True)
        numbers = self._counted(rows, pieces.column("offset"), pieces.column("data"))
        return pc.if_else(pc.equal(pieces.column("transport"), "tcp"), pa.array(numbers, pa.int64()), None)

    def _counted(
        self, rows: Iterable[tuple[Any, ...]], offsets: pa.Array, data: pa.Array
    ) -> list[int | None]:
        numbers: list[int | None] = []
        flow: tuple[str, str] | None = None
        sent: int | _Cut | None = None
        for row, (sensor, name, kind, announced, stated) in enumerate(rows):
            if flow is None or name != flow[1] or sensor != flow[0]:
                self._keep(flow, sent)
                flow = sensor, name
                sent = self._sent.pop(flow, None)
            number = None
            if isinstance(sent, _Cut):
                if kind in _WITHIN:
                    numbers.append(None)
                    continue
                sent = sent.sent if offsets[row].as_py() in sent.ends else None
            if announced in COUNTED:
                number = stated if sent is None else (sent + 1) % NUMBERS
            if kind == _PACKET:
                if announced in HANDSHAKE_PACKETS:
                    sent = sent or 0
                elif announced in COUNTED:
                    sent = number
                if stated is not None:
                    sent = stated if sent in {None, stated} else None
            elif kind in {_HEAD, _UNREADABLE}:
                after = (
                    number if announced in COUNTED else sent or 0 if announced in HANDSHAKE_PACKETS else sent
                )
                head, sent = data[row].as_py(), None
                if after is not None and announced is not None and len(head) >= BASE_SIZE:
                    _, flags, _, size = unpack_base(head)
                    if kind == _HEAD or (announced in COUNTED and size >= LEAST_MESSAGE):
                        sent = _Cut(ends(offsets[row].as_py() + size, flags), after)
            elif kind != _CONFLICT:  # the bytes are missing or not a packet
                sent = None
            numbers.append(number)
        self._keep(flow, sent)
        return numbers

    def _keep(self, flow: tuple[str, str] | None, sent: int | _Cut | None) -> None:
        if flow is not None and sent is not None:
            self._sent[flow] = sent
            if len(self._sent) > _FLOWS:
                self._sent.popitem(last=False)
