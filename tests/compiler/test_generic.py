"""The generic part knows nothing of Message Queuing: its layouts come from the definitions alone."""

from __future__ import annotations

import ast
import inspect
import re
import tokenize
from pathlib import Path

from support_rows import for_each

import msmq_wire
from msmq_wire.documents.layouts import structures
from msmq_wire.records import model
from msmq_wire.records.model import Flags
from msmq_wire.values.enumerations import enumerations

SOURCE = Path(msmq_wire.__file__).parent
FILES = sorted([*(SOURCE / "compiler").rglob("*.py"), *(SOURCE / "records").rglob("*.py")])

OWN = {*model.__all__, *dir(ast), *dir(inspect), "PropertyValue", "Scope", "Value"}
"""Names of pages that are also words of the generic part: its own classes, those of values and of Python."""


def names_of_pages() -> set[str]:
    """Every name of a structure, a field, a group or an enumeration that is no everyday word."""
    found = set(enumerations())
    for structure in structures().values():
        found.add(structure.name)
        for field in structure.fields:
            found.add(field.name)
            if isinstance(field.kind, Flags):
                found.add(field.kind.name)
                found.update(group.name for group in field.kind.groups)
    return {name for name in found if len(name) > 2 and not name.islower()} - OWN


@for_each("path", lambda: FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_name_of_a_page(path: Path) -> None:
    """Neither as a name nor within a text; comments and docstrings may give examples."""
    known = names_of_pages()
    with path.open("rb") as file:
        tokens = [
            token
            for token in tokenize.tokenize(file.readline)
            if token.type == tokenize.NAME
            or (token.type == tokenize.STRING and not token.string.startswith(('"""', 'r"""')))
        ]
    found = {
        (token.start[0], word)
        for token in tokens
        for word in re.findall(r"[A-Za-z_]\w*", token.string)
        if word in known
    }
    assert found == set()


def test_the_names_are_known() -> None:
    """The test above has something to find."""
    assert {"UserHeader", "PacketSize", "UserMessage", "BaseHeaderFlags", "ALG_ID"} <= names_of_pages()
