"""The examples of the documentation that need a session: the blocks ``pycon``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support_docs import DOCS, PAGES, blocks, ids, run_examples

from msmq_wire.testing.captures import Faults, write_captures

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

WITH_SESSION = [page for page in PAGES if blocks(page, "pycon")]


@pytest.mark.long
@pytest.mark.parametrize("page", WITH_SESSION, ids=ids)
def test_examples(page: Path, spark: SparkSession, tmp_path: Path) -> None:
    """Every example of a page runs, one after the other, and prints what is printed below it."""
    done = write_captures(tmp_path / "captures", 200, seed=7, faults=Faults(), files=2)
    run_examples(
        page,
        "pycon",
        spark=spark,
        captures=str(tmp_path / "captures" / "captures"),
        truth=str(done.truth),
        first=str(done.captures[0]),
        damaged=str(tmp_path / "damaged.pcap"),
        output=str(tmp_path / "output"),
        checkpoint=str(tmp_path / "checkpoint"),
    )


def test_pages_have_examples() -> None:
    assert DOCS / "how-to" / "read-captures.md" in WITH_SESSION
