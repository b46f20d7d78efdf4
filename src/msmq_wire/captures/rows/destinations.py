"""What is computed of the destination queues of messages, once for all with equal fields.

1. The name of a queue is opened by its record: a packet of each destination is decoded.
2. Rules on sessions and the comparison of messages need the same destinations, so they are remembered
   together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from msmq_wire.arrow.distinct import Distinct
from msmq_wire.checks.sessions.facts import queue_digest
from msmq_wire.packets.packet import decode
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COPIES: Final = {"dead_letter": (";DEADLETTER", ";DEADXACT"), "journal": (";JOURNAL",)}
"""The suffixes of the names of queues to which queue managers move or copy messages."""
_COPIES: Final = tuple(suffix for suffixes in COPIES.values() for suffix in suffixes)
_KNOWN: Final[dict[tuple[Any, ...], Any]] = {}
"""The digests of destinations, and whether they are for copies, by their fields."""


def destination_columns(
    data: pa.Array, user: pa.StructArray, rows: NDArray[np.int64]
) -> tuple[pa.StringArray, pa.BooleanArray]:
    """Return the `queue_digest` of destinations, and whether they are for copies, as `is_copy` says.

    Args:
        data: The bytes of packets.
        user: Their UserHeader, as a column.
        rows: The messages whose destinations are wanted, all of which can be read.
    """
    taken = pa.array(rows)
    address, queue = (user.field(name).take(taken) for name in ("QueueManagerAddress", "DestinationQueue"))
    distinct = Distinct(address, *queue.flatten())

    def value(row: int) -> tuple[str, bool]:
        packet: Any = decode(data[int(rows[row])].as_py())
        return queue_digest(packet.UserHeader), is_copy(packet.UserHeader)

    values = distinct.each(_KNOWN, value)
    digests = distinct.array([digest for digest, _ in values], pa.string())
    return digests, distinct.array([copy for _, copy in values], pa.bool_())


def is_copy(header: Any) -> bool:
    """Return whether the destination in a UserHeader is a dead-letter queue or a journal."""
    try:
        name = header.destination
    except MsmqWireError:
        return False
    return name is not None and str(name).upper().endswith(_COPIES)
