"""Batches in files of the temporary directory."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from msmq_wire.captures.spool import Spool, divided


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="there is no /proc here")
def test_a_closed_spool_frees_its_file(tmp_path: Path) -> None:
    """A file that is still open keeps its space on the disk, although it is deleted."""
    batch = pa.record_batch({"key": ["a", "b"] * 50, "number": [*range(100)]})
    spool = Spool(batch.schema, tmp_path / "spool", limit=0)
    spool.add(batch)
    parts = [sum(part.num_rows for part in group) for group in divided(spool, "key", most=50)]
    assert parts == [50, 50]
    open_files = [path.readlink() for path in Path("/proc/self/fd").iterdir() if path.is_symlink()]
    assert not [path for path in open_files if tmp_path in path.parents]
    assert not [*tmp_path.iterdir()]
