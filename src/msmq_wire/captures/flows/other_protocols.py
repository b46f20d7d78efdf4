"""Counts the frames of connections that are not MSMQ."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

Others: TypeAlias = "list[tuple[str, str, int, int]]"
"""Segments of connections that are not MSMQ: file, protocol or "", their number, bytes of their frames."""


def others_of(
    windows: Iterable[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]],
    files: Sequence[str],
    protocols: Sequence[str],
) -> Others:
    """Count segments by file and protocol.

    Args:
        windows: For some segments after the other, the numbers of their files and of their protocols, and
            the bytes of their frames.
        files: The names of files; several numbers may have one name.
        protocols: The names of protocols.
    """
    counts, sizes = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for file, protocol, frame_bytes in windows:
        code, there = np.unique(file * len(protocols) + protocol, return_inverse=True)
        sums: tuple[Any, Any] = np.bincount(there, minlength=len(code)), np.bincount(there, frame_bytes)
        for key, count, size in zip(code.tolist(), *(each.tolist() for each in sums), strict=True):
            other = files[key // len(protocols)], protocols[key % len(protocols)]
            counts[other] += count
            sizes[other] += int(size)
    return [(*other, count, sizes[other]) for other, count in counts.items()]
