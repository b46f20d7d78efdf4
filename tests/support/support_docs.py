"""The pages of the documentation, and their examples."""

from __future__ import annotations

import doctest
import re
from typing import TYPE_CHECKING, Any

from support_specs import SPECS

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DOCS", "PAGES", "ROOT", "blocks", "ids", "run_examples"]

ROOT = SPECS.parent
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")])

_BLOCK = r"^```{}\n(.*?)^```$"
_BLANK = re.compile(r"^$(?=\n(?!>>>).)", re.MULTILINE)


def ids(page: Path) -> str:
    """The name of a page in reports."""
    return str(page.relative_to(ROOT))


def blocks(page: Path, kind: str = "python") -> list[str]:
    """The examples of a kind on a page; an empty line within an output is part of that output."""
    found = re.findall(_BLOCK.format(kind), page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [_BLANK.sub("<BLANKLINE>", block) for block in found]


def run_examples(page: Path, kind: str = "python", **shared: Any) -> None:
    """Run the examples of a page, one after the other; each has to print the output below it."""
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    for block in blocks(page, kind):
        assert block.startswith(">>> "), "an example without a prompt would not be run"
        test = parser.get_doctest(block, shared, ids(page), str(page), 0)
        assert test.examples
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        assert not report, "".join(report)
        shared = test.globs
