"""Divides a bucket with many rows into parts that fit into memory.

1. Pairs of endpoints are independent of each other, so each part has whole pairs of a sensor, in their order.
2. A single pair with too many rows is a part of its own, a `Giant`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from msmq_wire.captures.disk import Disk, windows

from .buckets import Bucket, Payloads, pairs_of
from .giants import Giant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

__all__ = ["parts_of"]

MOST: Final = 1 << 19
"""Number of rows that are sorted in memory."""


def parts_of(batches: list[pa.RecordBatch], place: Path) -> Iterator[Bucket | Giant]:
    """Yield the parts of a bucket.

    Args:
        batches: Its rows.
        place: A directory for temporary files.
    """
    payloads = Payloads.of_batches(batches)
    count = sum(batch.num_rows for batch in batches)
    if count <= MOST:
        yield Bucket(batches, payloads)
        return
    disk = Disk(place)
    numbers, counts = disk.array(count, np.int32), list[int]()
    known = dict[tuple[str, str], int]()
    for batch, start in zip(batches, payloads.starts.tolist(), strict=True):
        own, of = pairs_of(batch)
        numbers_of = np.array([known.setdefault(pair, len(known)) for pair, _ in own], np.int32)
        numbers[start : start + len(batch)] = numbers_of[of]
        counts += [0] * (len(known) - len(counts))
        for number, more in zip(numbers_of.tolist(), np.bincount(of).tolist(), strict=True):
            counts[number] += more
    groups: list[list[tuple[str, str]]] = []
    held = count
    for pair in sorted(known):
        held += counts[known[pair]]
        if held > MOST:
            groups.append([])
            held = counts[known[pair]]
        groups[-1].append(pair)
    group_of = np.empty(len(known), np.int64)
    for number, pairs in enumerate(groups):
        group_of[[known[pair] for pair in pairs]] = number
    for number, pairs in enumerate(groups):
        size = sum(counts[known[pair]] for pair in pairs)
        which = disk.array(size)
        at = 0
        for start, stop in windows(0, count):
            (rows,) = (group_of[numbers[start:stop]] == number).nonzero()
            which[at : at + len(rows)] = start + rows
            at += len(rows)
        if size > MOST:
            yield Giant(batches, payloads, which, pairs[0], disk)
        else:
            yield Bucket(batches, payloads._replace(which=which))
