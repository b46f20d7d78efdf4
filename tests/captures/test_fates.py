"""`deliveries` against what queue managers did: endpoints with failures, and sensors that miss bytes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from support_examples import share
from support_fates import FAULTS, LOSSES, History, complaints, misplaced, write

from msmq_wire import captures

if TYPE_CHECKING:
    from pathlib import Path

    from msmq_wire.testing.captures.connections import Faults

KINDS = {"complete": None, "losses": LOSSES, "faults": FAULTS}


def judge(place: Path, first: int, count: int, faults: Faults | None) -> Counter[str]:
    """Hold the table of some histories against them, and count the states."""
    histories = [History(seed, faults) for seed in range(first, first + count)]
    paths = write(place, histories)
    settings = captures.Settings(processes=1, clock_tolerance=0.0)
    tables = captures.tables(paths, ["deliveries", "queues"], settings)
    rows = {row["message"]: row for row in tables["deliveries"].read_all().to_pylist()}
    states = {row["queue"]: row["states"][0][0] for row in tables["queues"].read_all().to_pylist()}
    assert [*complaints(histories, rows, states)] == []
    if faults is None:
        assert [*misplaced(histories, rows)] == []
    return Counter(row["state"] for row in rows.values())


@pytest.mark.each(3)
@pytest.mark.parametrize("kind", KINDS)
def test_deliveries_is_what_was_done(tmp_path: Path, kind: str) -> None:
    """Exactly where all bytes were captured; elsewhere never more than was done, and `unknown` in doubt.

    Where all were captured, the packets are named that acknowledged messages.
    """
    states = judge(tmp_path, 0, 20, KINDS[kind])
    every = {"refused", "received", "expired", "reached", "accepted", "sent"}
    assert set(states) >= every | ({"unknown"} if kind != "complete" else set())


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", range(1000, 3000, 100)[: share(20)])
def test_many_histories(tmp_path: Path, first: int, kind: str) -> None:
    """Six thousand histories in a thorough run."""
    judge(tmp_path, first, share(100, 40), KINDS[kind])
