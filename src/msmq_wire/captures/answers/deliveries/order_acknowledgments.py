"""The OrderAck that acknowledges each message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from msmq_wire.arrow.arrays import either, ints, marks, order_by
from msmq_wire.captures.answers.evidence import EvidenceKind

from .grouping import equal_codes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

    from .messages import Messages


_NO_SENSOR: Final = -2


def order_acknowledgments(messages: Messages, of: Ints, rows: Ints, receivers: pa.Array) -> Ints:
    """Return for packets of messages the row of the first OrderAck that acknowledges each; -1 for none.

    An OrderAck acknowledges all messages of a sequence up to a number.  The queue manager of the queue sends
    it, after the message.  The message names that queue manager or goes straight to it; if neither was
    captured, any queue manager may have sent it.

    Args:
        messages: The messages.
        of: The message of each packet.
        rows: The row of each packet; -1 for none.
        receivers: The queue manager to which each went.
    """
    acknowledged = np.full(len(rows), -1, np.int64)
    (orders,) = (messages.kind == EvidenceKind.ORDER).nonzero()
    (own,) = marks(messages.taken("sequence", rows).is_valid()).nonzero()
    if not len(orders) or not len(own):
        return acknowledged
    orders = orders[order_by(messages.rank[orders])]
    of, rows = of[own], rows[own]
    by = either(messages.taken("destination_queue_manager", rows), receivers.take(pa.array(own)))
    named = marks(by.is_valid())
    left = [messages.taken(name, orders) for name in ("manager", "sequence", "by")]
    right = [*(messages.taken(name, rows) for name in ("manager", "sequence")), by]
    for count, which in ((3, named), (2, ~named)):
        if which.any():
            theirs, ours = equal_codes(left[:count], right[:count])
            packets = of[which], rows[which], ours[which]
            acknowledged[own[which]] = _first_orders(messages, orders, theirs, *packets)
    return acknowledged


def _first_orders(messages: Messages, orders: Ints, keys: Ints, own: Ints, rows: Ints, wanted: Ints) -> Ints:
    """Return the first of OrderAcks that has a key, at least the number of a message, and came after it.

    Args:
        messages: The messages.
        orders: The OrderAcks, in the order of rows.
        keys: The key of each.
        own: The message of each of some packets.
        rows: The row of each packet.
        wanted: The key of each packet.

    Returns:
        The row for each packet; -1 for none.
    """
    by_key = order_by(keys)
    orders, keys = orders[by_key], keys[by_key]
    numbers = ints(messages.column("number"))
    least, maxima = numbers[rows], _maxima(numbers[orders])
    times, time = np.unique(messages.time[orders], return_inverse=True)
    span = len(times) + 1
    after = np.searchsorted(keys, wanted, side="right")
    first, sensor = messages.first(messages.sent), messages.coded("sensor")[0]

    def earliest(captured: Ints) -> Ints:
        """Return the first of `orders` for each message, if a sensor captured it; that after all for none."""
        since = np.searchsorted(times, messages.begins(first, own, captured))
        start = np.searchsorted(keys * span + time, wanted * span + since)
        return _first_from(maxima, start, after, least)

    elsewhere = earliest(np.full(len(own), _NO_SENSOR))
    same = np.append(sensor, -1)[first[own]]
    at = np.where(np.append(sensor[orders], _NO_SENSOR)[elsewhere] == same, earliest(same), elsewhere)
    return np.where(at < after, np.append(orders, -1)[at], -1)


def _maxima(values: Ints) -> list[Ints]:
    """Return the largest of 1, 2, 4 and so on values from each on."""
    maxima = [values]
    while 1 << len(maxima) <= len(values):
        half = 1 << len(maxima) - 1
        maxima.append(np.maximum(maxima[-1][:-half], maxima[-1][half:]))
    return maxima


def _first_from(maxima: list[Ints], start: Ints, stop: Ints, least: Ints) -> Ints:
    """Return the first index from `start` on whose value is not less than `least`; `stop` if none is.

    Args:
        maxima: As `_maxima` returns them.
        start: The first index.
        stop: The index after the last.
        least: The number.
    """
    at = np.minimum(start, stop)
    for level in reversed(range(len(maxima))):
        fits = at + (1 << level) <= stop
        low = np.append(maxima[level], 0)[np.where(fits, at, -1)] < least
        at = np.where(fits & low, at + (1 << level), at)
    return at
