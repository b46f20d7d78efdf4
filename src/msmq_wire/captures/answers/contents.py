"""Tells packets of different messages with one identifier apart, whole and partial ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import array_of, ints, marks
from msmq_wire.arrow.distinct import Distinct
from msmq_wire.checks.rules import CONTENT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

_MOST: Final = 32
"""With how many messages of its identifier a packet is compared, if it is partial or from a remote read."""


def contents_of(packets: pa.Table, identifier: Ints, read: Bools) -> Ints:
    """Return equal numbers for packets of one message.

    Packets are of different messages if they differ in a value that is certain: the columns `CONTENT` of a
    whole packet, and of a partial one those that are known, the label and the body as far as they go.

    Args:
        packets: The columns `CONTENT`, and ``partial``.
        identifier: The number of the identifier of each.
        read: Which of them a remote read returned.
    """
    content = np.arange(len(packets))
    (whole,) = (~read & ~marks(packets.column("partial"))).nonzero()
    columns = (array_of(packets.column(name)).take(pa.array(whole)) for name in CONTENT)
    distinct = Distinct(pa.array(identifier[whole]), *columns)
    content[whole] = whole[distinct.first[distinct.indices.to_numpy()]]
    (open_,) = (content == np.arange(len(packets))).nonzero()
    open_ = open_[np.bincount(identifier[open_])[identifier[open_]] > 1] if len(open_) else open_
    known = _Known(packets.take(pa.array(open_)), read[open_])
    left = np.lexsort([-known.label.size, -known.body, ~known.is_sent_whole, identifier[open_]])
    for _ in range(_MOST):
        of = identifier[open_[left]]
        begins = np.append(True, of[1:] != of[:-1])[: len(of)]
        # The first one left of each identifier is the one of which most is known.
        most = left[np.maximum.accumulate(np.where(begins, np.arange(len(left)), 0))]
        differ = known.differ(left, most)
        content[open_[left[~differ]]] = open_[most[~differ]]
        left = left[differ]
        if not len(left):
            break
    return content[content]


class _Bytes:
    """Values of bytes, or of texts.

    Attributes:
        size: The size of each; -1 for null.
    """

    def __init__(self, column: pa.ChunkedArray) -> None:
        values = array_of(column)
        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        values = pa.concat_arrays([values.cast(pa.large_binary())])
        self.size = ints(pc.binary_length(values))
        _, offsets, data = values.buffers()
        self._starts = np.frombuffer(offsets, np.int64)[:-1]
        self._data = np.frombuffer(data or b"", np.uint8)

    def differ(self, rows: Ints, others: Ints) -> Bools:
        """Return which values differ from others before either ends."""
        size = np.maximum(np.minimum(self.size[rows], self.size[others]), 0)
        pair = np.repeat(np.arange(len(rows)), size)
        at = np.arange(len(pair)) - np.repeat(np.cumsum(size) - size, size)
        byte, other_byte = (self._data[self._starts[which[pair]] + at] for which in (rows, others))
        differ = np.zeros(len(rows), np.bool_)
        differ[pair[byte != other_byte]] = True
        return differ


class _Known:
    """What is known of packets with one identifier.

    Args:
        rows: Their columns `CONTENT`, and whether they are partial.
        read: Which of them a remote read returned, maybe from a dead-letter queue, with another class.

    Attributes:
        label: Their labels.
        body: The sizes of their bodies, as far as they go; -1 for null.
        is_sent_whole: Whether they are neither partial nor from a remote read.
    """

    def __init__(self, rows: pa.Table, read: Bools) -> None:
        self.label, self._head = _Bytes(rows.column("label")), _Bytes(rows.column("head"))
        self.body, self._sent_at = ints(rows.column("body_size")), ints(rows.column("sent_at"))
        classes = array_of(rows.column("message_class")).dictionary_encode()
        self._class = np.where(read, -1, ints(classes.indices))
        self._partial = marks(rows.column("partial"))
        self.is_sent_whole = ~self._partial & ~read

    def differ(self, rows: Ints, others: Ints) -> Bools:
        """Return which packets differ from others in a value that is certain of both."""
        both_whole = self.is_sent_whole[rows] & self.is_sent_whole[others]
        differ = self.label.differ(rows, others) | self._head.differ(rows, others)
        never = np.zeros(len(self._partial), np.bool_)
        for values, is_cut in (
            (self._sent_at, never),
            (self._class, never),
            (self.label.size, self._partial & (self.body < 0)),  # complete if the body has begun
            (self.body, self._partial),
        ):
            value, other = values[rows], values[others]
            goes_on = (is_cut[rows] & (value < other)) | (is_cut[others] & (other < value))
            is_known = (value >= 0) & (other >= 0) & ~goes_on
            differ |= (value != other) & (is_known | both_whole)
        return differ
