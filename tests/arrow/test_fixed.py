"""Structures of a fixed size as columns."""

from __future__ import annotations

import pyarrow as pa
import pytest

from msmq_wire.arrow.fixed import fixed_columns

ROWS = (
    "01000000 02000000 03000000 02000000 58d35755509195954997b6e611ea26c6 07000000",
    "ffffffff 00000080 ffffffff feffffff 00000000000000000000000000000000 00000000",
)
"""Two bodies of FinalAcks, field by field ([MS-MQQB] 2.2.5.1)."""


@pytest.mark.parametrize("start", [0, 1, 2])
def test_fields_of_final_acks(start: int) -> None:
    """Also of a slice, and of no rows."""
    data = pa.array([bytes.fromhex(row) for row in ROWS], pa.binary()).slice(start)
    columns = {name: column.to_pylist() for name, column in fixed_columns("FinalAckBody", data).items()}
    guids = [bytes.fromhex("58d35755509195954997b6e611ea26c6"), bytes(16)]
    assert columns == {
        "TxSequenceID.Ordinal": [1, 0xFFFFFFFF][start:],
        "TxSequenceID.TimeStamp": [2, 0x80000000][start:],
        "TxSequenceNumber": [3, 0xFFFFFFFF][start:],
        "TxPreviousSequenceNumber": [2, 0xFFFFFFFE][start:],
        "SourceGUID": guids[start:],
        "MessageID": [7, 0][start:],
    }
