"""The identifier of a sequence of transactional messages as a number, and back."""

from __future__ import annotations

from typing import Any

from . import mqmq


def sequence_of(identifier: Any) -> int:
    """Return a TxSequenceID as a 64-bit number for comparisons ([MS-MQMQ] 2.2.18.1.2)."""
    return int(identifier.TimeStamp) << 32 | int(identifier.Ordinal)


def transaction_id(sequence: int) -> mqmq.TxSequenceID:
    """Return the TxSequenceID of that number."""
    return mqmq.TxSequenceID(Ordinal=sequence & 0xFFFFFFFF, TimeStamp=sequence >> 32)
