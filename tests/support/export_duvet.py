"""Write the catalogue in the format of duvet, a tool that compares source code with specifications.

``python tests/support/export_duvet.py [DIR]`` writes ``.duvet`` below a directory:

1. ``specifications/<document>.md`` has the statements as headings and lists.  They are in this project's own
   words; duvet looks for its quotes there, because the documents themselves may not be passed on.
2. ``requirements/<document>/<section>.toml`` has the statements of a section as quotes, each with its level.
   A statement that nothing can check is an exception, with the reason.
3. ``config.toml`` names the specifications, and the comments by which Python files would cite them.
"""

from __future__ import annotations

import json
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from support_specs import load_requirements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from support_specs import Requirement

__all__ = ["export"]

_SCHEMA: Final = "https://awslabs.github.io/duvet/config/v0.4.json"
_SPECIFICATIONS: Final = ".duvet/specifications"
_STYLE: Final = '{ meta = "#=", content = "#%" }'


def export(directory: Path) -> int:
    """Write everything below a directory, and return the number of requirements."""
    requirements = load_requirements()
    config = [f"'$schema' = {_quoted(_SCHEMA)}"]
    config += [
        f'[[source]]\npattern = "{folder}/**/*.py"\ncomment-style = {_STYLE}' for folder in ("src", "tests")
    ]
    for document, rows in groupby(requirements, key=lambda row: row.document):
        name = f"{_SPECIFICATIONS}/{document}.md"
        config.append(f'[[specification]]\nsource = "{name}"\nformat = "markdown"')
        sections: dict[str, list[Requirement]] = {}
        for row in rows:
            sections.setdefault(row.section, []).append(row)
        _write(directory / name, [f"# {document}", *(_text(*section) for section in sections.items())])
        for section, found in sections.items():
            anchor = section.replace(".", "-")
            path = directory / ".duvet" / "requirements" / document / f"{anchor}.toml"
            _write(path, [f"target = {_quoted(f'{name}#{anchor}')}", *_tables(found)])
    _write(directory / ".duvet" / "config.toml", config)
    return len(requirements)


def _text(section: str, rows: Iterable[Requirement]) -> str:
    """A section as text; duvet makes the anchor of its heading, with dashes for dots."""
    return "\n".join((f"## {section}\n", *(f"- {_sentence(row)}" for row in rows)))


def _sentence(row: Requirement) -> str:
    return f"{row.id}, {row.subject}, {row.level}: {row.requirement}"


def _tables(rows: Iterable[Requirement]) -> list[str]:
    """The tables of a section; duvet knows the levels MUST, SHOULD and MAY."""
    tables = []
    for row in rows:
        quote = f"quote = {_quoted(_sentence(row))}"
        tables.append(f"[[spec]]\nlevel = {_quoted(row.level.partition(' ')[0])}\n{quote}")
        if row.checked == ("nowhere",):
            tables.append(f"[[exception]]\n{quote}\nreason = {_quoted(row.why)}")
    return tables


def _quoted(text: str) -> str:
    """A string of TOML; for ASCII it has the form of JSON."""
    return json.dumps(text)


def _write(path: Path, blocks: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    sys.stdout.write(f"{export(target)} requirements below {target / '.duvet'}\n")
