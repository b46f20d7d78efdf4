"""The examples of the documentation that need a session: the blocks ``pycon``."""

from __future__ import annotations

import doctest
import re
from typing import TYPE_CHECKING, Any

import pytest

from msmq_wire.testing.captures import Faults, write_captures
from support_specs import SPECS

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

DOCS = SPECS.parent / "docs"
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples(page: Path, spark: SparkSession, tmp_path: Path) -> None:
    """Every example of a page runs, one after the other, and prints what is printed below it."""
    done = write_captures(tmp_path / "captures", 200, seed=7, faults=Faults(), files=2)
    shared: dict[str, Any] = {
        "spark": spark,
        "captures": str(tmp_path / "captures" / "captures"),
        "truth": str(done.truth),
        "first": str(done.captures[0]),
        "damaged": str(tmp_path / "damaged.pcap"),
        "output": str(tmp_path / "output"),
        "checkpoint": str(tmp_path / "checkpoint"),
    }
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        test = parser.get_doctest(block, shared, page.stem, str(page), 0)
        assert test.examples
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        assert not report, "".join(report)
        shared = test.globs


def test_pages_have_examples() -> None:
    assert DOCS / "how-to" / "read-captures.md" in PAGES
