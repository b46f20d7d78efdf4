"""How packets were sent: in a session of [MS-MQQB], or in a remote procedure call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.columns import Column

if TYPE_CHECKING:
    from msmq_wire.checks.rules import Channel

CHANNEL: Final = Column(
    "channel",
    pa.string(),
    "``session``, or ``remote-read`` for a packet in a remote procedure call; null if it is in a file of "
    "packets, in a datagram, or in a connection of another protocol.",
)
"""The column with the channel of a packet, named as by `validate`."""
REMOTE_READ: Final = "remote-read"
CHANNELS: Final[dict[str, Channel]] = {"RPC": REMOTE_READ}
"""The channels of packets in connections of other protocols."""


def channels_of(pieces: pa.RecordBatch) -> pa.Array:
    """Return the channel of each piece, by the protocol of its flow."""
    protocol = pieces.column("protocol")
    channel = pc.if_else(pc.equal(pieces.column("transport"), "tcp"), "session", None)
    channel = pc.if_else(protocol.is_valid(), None, channel)
    for name, other in CHANNELS.items():
        channel = pc.if_else(pc.fill_null(pc.equal(protocol, name), False), other, channel)
    return channel
