"""How packets were sent: in a session of [MS-MQQB], or in a remote procedure call."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.columns import Column

if TYPE_CHECKING:
    from msmq_wire.checks.rules import Channel

__all__ = ["CHANNEL", "CHANNELS", "Channels"]

CHANNEL: Final = Column(
    "channel",
    pa.string(),
    "``session``, or ``remote-read`` for a packet in a remote procedure call; null if it is in a file of "
    "packets, in a datagram, or in a connection of another protocol.",
)
"""The column that says how a packet was sent, named as by `validate`."""
CHANNELS: Final[dict[str, Channel]] = {"RPC": "remote-read"}
"""The channels of packets in connections of other protocols."""
_FLOWS: Final = 1 << 14
"""The number of flows of other protocols that are known while they alternate, as in a live capture."""


class Channels:
    """The flows that begin as those of another protocol."""

    def __init__(self) -> None:
        self._protocols: OrderedDict[tuple[str, str], str] = OrderedDict()

    def of(self, pieces: pa.RecordBatch) -> pa.Array:
        """Return the channel of each piece.

        Args:
            pieces: The pieces, those of a flow in order; later calls go on.
        """
        channel = pc.if_else(pc.equal(pieces.column("transport"), "tcp"), "session", None)
        begins = pc.and_(pc.is_valid(pieces.column("protocol")), pc.equal(pieces.column("offset"), 0))
        for row in pieces.filter(begins).select(["sensor", "flow", "protocol"]).to_pylist():
            self._protocols[row["sensor"], row["flow"]] = row["protocol"]
            if len(self._protocols) > _FLOWS:
                self._protocols.popitem(last=False)
        if not self._protocols:
            return channel
        flows = zip(*(pieces.column(name).to_pylist() for name in ("sensor", "flow")), strict=True)
        others = [self._protocols.get(flow) for flow in flows]
        is_other = pa.array([other is not None for other in others], pa.bool_())
        return pc.if_else(
            is_other, pa.array([CHANNELS.get(other or "") for other in others], pa.string()), channel
        )
