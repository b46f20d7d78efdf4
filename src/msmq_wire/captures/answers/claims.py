"""Claims to be a queue manager, which several computers may make: one rule for all tables.

1. A connection in which its opener asks for a session claims that the queue manager has its address, from the
   first packet to the last one.
2. Claims of two addresses of one kind, IPv4 or IPv6, that overlap at one sensor may be those of two
   computers: then no address is known to be that of the queue manager.  `findings` also compares when their
   systems started.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import array_of, ints, marks, order_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]


def of_several_computers(claims: pa.Table) -> frozenset[str]:
    """Return the queue managers that several computers may claim to be.

    Args:
        claims: Rows of `SIGHTINGS` that ask for sessions, with a time.
    """
    managers, sensors, addresses = (
        array_of(claims.column(name)) for name in ("queue_manager", "sensor", "value")
    )
    sensor = sensors.dictionary_encode()
    identity = ints(managers.dictionary_encode().indices) * (len(claims) + 1) + ints(sensor.indices)
    times = ints(claims.column("time")), ints(claims.column("until"), -1)
    return frozenset(managers.filter(pa.array(contested(identity, addresses, *times))).to_pylist())


def contested(identity: Ints, address: pa.Array, since: Ints, until: Ints) -> Bools:
    """Return which claims are of an identity and a kind of addresses with claims of two computers.

    Args:
        identity: What is claimed at which sensor, as a number.
        address: The address of each claim.
        since: When it begins.
        until: When it ends.
    """
    coded = address.dictionary_encode()
    own = ints(coded.indices)
    is_6 = np.append(marks(pc.match_substring(coded.dictionary.cast(pa.string()), ":")), False)[own]
    _, of = np.unique(identity * 2 + is_6, return_inverse=True)
    order = order_by(of, since)
    by_end = order_by(until[order])
    rank = np.empty(len(order), np.int64)
    rank[by_end] = np.arange(len(order))
    # Of the claims that begin before one, the last to end tells whether any of them overlaps.
    last = order[by_end[np.maximum.accumulate(of[order] * len(order) + rank) % max(len(order), 1)]]
    before, after = last[:-1], order[1:]
    overlap = (of[before] == of[after]) & (own[before] != own[after]) & (until[before] > since[after])
    which: Bools = np.isin(of, of[after[overlap]])
    return which
