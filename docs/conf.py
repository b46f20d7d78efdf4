"""How Sphinx builds the documentation."""  # noqa: INP001  # read by Sphinx, not imported as a package

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "docs")]

import tables  # noqa: E402  # found through the path above

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
html_title = f"{project} {release}"
default_role = "literal"
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True


def _fill(_app: Sphinx, _name: str, source: list[str]) -> None:
    source[0] = tables.filled(source[0])


def setup(app: Sphinx) -> None:
    """Put the tables into the pages as they are read."""
    app.connect("source-read", _fill)
