"""How Sphinx builds the documentation."""  # noqa: INP001  # read by Sphinx, not imported as a package

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.pycode import ModuleAnalyzer
from sphinx.util.logging import getLogger

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
logger = getLogger(__name__)

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = _project["name"]
author = _project["authors"][0]["name"]
copyright = f"2026, {author}"  # noqa: A001  # the name that Sphinx reads
release = version = _project["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "examples"]
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(ROOT / "docs" / "static" / "scorer.js")
html_title = f"{project} {release}"
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True


_CODE = re.compile(r"(?<!`)`([^`]+)`(?=(\w)?)(?!`)")
_RETURNS = re.compile(r"^( *(?:Returns|Yields):\n +)", re.MULTILINE)


def _of_constant(name: str, it: object) -> list[str]:
    """Return the text under a constant where it is defined: Sphinx looks for it only in the public module."""
    for module in sorted(sys.modules):
        if module.startswith("msmq_wire.") and getattr(sys.modules[module], name, None) is it:
            found: dict[tuple[str, str], list[str]] = ModuleAnalyzer.for_module(module).find_attr_docs()
            if ("", name) in found:
                return list(found["", name])
    return []


def _mark(app: Sphinx, what: str, name: str, it: object, _options: object, lines: list[str]) -> None:
    """Say in Sphinx's way what is code, and that no type stands in front of a colon."""
    if what == "data":
        lines[:] = _of_constant(name.rpartition(".")[2], it) or lines
    app.config.napoleon_use_ivar = not hasattr(it, "layout")  # fields of records are entries of the index
    text = _CODE.sub(lambda code: f"``{code[1]}``" + ("\\ " if code[2] else ""), "\n".join(lines))
    start = ": " if what in {"property", "attribute", "data"} else ""
    lines[:] = (start + _RETURNS.sub(r"\1: ", text)).split("\n")


def _copy(app: Sphinx, exception: Exception | None) -> None:
    """Put the report of the last complete run of the tests beside the page that links to it."""
    if exception is None and app.builder.format == "html":
        for name in ("requirements.html", "requirements.json"):
            report = ROOT / "build" / "conformance" / name
            if report.exists():
                shutil.copy(report, Path(app.outdir) / "reference" / name)
            else:
                logger.info("%s is missing: nox -s report writes it", report)


def setup(app: Sphinx) -> None:
    """Mark the code in docstrings, and add the report."""
    app.connect("build-finished", _copy)
    app.connect("autodoc-process-docstring", _mark, priority=400)  # before napoleon
