"""Add the addresses of the project to pyproject.toml: ``python .ci/urls.py https://github.com/OWNER/NAME``.

The source does not say where it is published, so a fork does not claim the addresses of another one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
TABLE = "[project.urls]\n"
HOME = re.compile(r"https://[\w.-]+/(?P<owner>[\w-]+)/(?P<name>[\w.-]+)")


def addresses(home: str) -> dict[str, str]:
    """The addresses of a repository on GitHub, and of its pages.

    Raises:
        SystemExit: It is not the address of a repository.
    """
    found = HOME.fullmatch(home)
    if found is None:
        sys.exit(f"expected an address such as https://github.com/OWNER/NAME, got {home!r}")
    return {
        "Homepage": home,
        "Documentation": f"https://{found['owner'].lower()}.github.io/{found['name']}/",
        "Changelog": f"{home}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{home}/issues",
    }


def with_addresses(text: str, home: str) -> str:
    """The text of pyproject.toml with the addresses."""
    rows = "".join(f'{name} = "{address}"\n' for name, address in addresses(home).items())
    return text.replace(TABLE, TABLE + rows, 1)


if __name__ == "__main__":
    PROJECT.write_text(with_addresses(PROJECT.read_text("utf-8"), *sys.argv[1:]), "utf-8")
