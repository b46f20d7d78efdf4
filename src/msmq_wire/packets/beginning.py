"""The protocol of a connection, by its first captured bytes.

1. Most connections begin with a packet, or with bytes that name another protocol.
2. A capture may begin within a connection, so that its first bytes are the rest of a frame or a packet.  Then
   the first of these decides: the mark of a packet, or a header of DCE/RPC with another one where its frame
   ends.
3. Other bytes belong to a connection of MSMQ.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from .calls import next_frame
from .mistaken import protocol_name
from .packet_starts import search

CALLS: Final = "RPC"
"""The name of the protocol that `CallStream` reads."""
_MOST: Final = 1 << 16
"""How many bytes are examined: a frame of a call is not longer, and most packets are shorter."""


class Protocol(NamedTuple):
    """A protocol.

    Attributes:
        name: Its name, such as ``RPC``; empty for MSMQ, and if it is unknown.
        is_late: Whether the first bytes are the rest of a frame or a packet.
    """

    name: str = ""
    is_late: bool = False


def protocol_of(head: bytes, *, final: bool = False) -> Protocol | None:
    """Return the protocol of a connection.

    Args:
        head: The first captured bytes.
        final: Whether nothing follows them.

    Returns:
        The protocol; None if more bytes are needed.
    """
    name = protocol_name(head)
    packet = search(head, 0)
    if name or packet == 0:
        return Protocol(name)
    begin, undecided = next_frame(head, len(head) if packet < 0 else packet, final=final)
    if begin >= 0:
        return Protocol(CALLS, is_late=True)
    is_enough = final or len(head) >= _MOST or (packet > 0 and undecided < 0)
    return Protocol() if is_enough else None
