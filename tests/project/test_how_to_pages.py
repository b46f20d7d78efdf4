"""The pages that say how to change the library: done as they say, they work on a copy, and its tests pass."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from support_copy import Copy, add_structure
from support_examples import share

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.long

_MQQB = "specs/requirements/MS-MQQB.toml"


def test_a_structure(tmp_path: Path) -> None:
    copy = Copy(tmp_path, "add-a-structure")
    add_structure(copy)
    copy.compile()
    for name in ("works", "checked", "drawn"):
        copy.example(copy.block(name)[1])
    assert "class NoteHeader(Record" in copy.read("src/msmq_wire/documents/mqmq.py")
    _add_fields(copy)
    copy.compile()
    copy.example(_FIELDS)


def _add_fields(copy: Copy) -> None:
    """Do the steps of the section about other kinds of fields."""
    copy = copy.on_page("add-a-structure")
    copy.add_requirements("specs/requirements/MS-MQMQ.toml", *copy.block("larger requirements:"))
    for step, text in copy.blocks("larger:"):
        name, _, before = step.partition(" ")
        copy.insert(name, f"{before}\n", text, behind=True)


_FIELDS = """\
import uuid

import pyarrow as pa
from hypothesis import find

import msmq_wire as mw
from msmq_wire import arrow
from msmq_wire import testing as mt
from msmq_wire.mqmq import GUIDElement, NoteHeader, UserHeader, UserMessage

header = UserHeader(DestinationQueue="DIRECT=OS:host\\\\queue")
first, second = uuid.UUID(int=1), uuid.UUID(int=2)
note = NoteHeader(Hops=[GUIDElement(first), GUIDElement(str(second))], Title="a")
data = UserMessage(UserHeader=header, NoteHeader=note).encode()
assert UserMessage.decode(data).NoteHeader == note
assert (note.HopCount, note.TitleSize) == (2, 4)
assert first.bytes_le + second.bytes_le in note.encode()
assert str(second) in str(mw.explain(note))
columns = arrow.decode_packets(pa.array([data])).field("NoteHeader").field("Hops")
assert columns.to_pylist() == [[{"Value": first.bytes_le}, {"Value": second.bytes_le}]]
find(mt.user_messages(), lambda message: message.NoteHeader and len(message.NoteHeader.Hops) > 1)
"""


def test_a_kind(tmp_path: Path) -> None:
    copy = Copy(tmp_path, "add-a-kind")
    add_structure(copy)
    for name, text in copy.blocks("file:"):
        copy.write(name, text)
    for where in ("before", "behind"):
        for step, text in copy.blocks(f"{where}:"):
            name, _, mark = step.partition(" ")
            addition = text.removesuffix("\n") if where == "behind" else text
            copy.insert(name, mark, addition, behind=where == "behind")
    copy.compile()
    works = copy.block("works")[1]
    assert works.count("\nassert ") > 1  # the page says what the kind does, and this runs it
    copy.example(works)


def test_a_rule(tmp_path: Path) -> None:
    copy = Copy(tmp_path, "add-a-rule")
    _add_rule(copy)
    copy.compile()
    copy.example(copy.block("works")[1])
    copy.example(copy.block("drawn")[1])

    right, wrong = copy.block("mistaken:")
    path = "src/msmq_wire/checks/rules/mqqb.py"
    copy.change(path, f'"MQQB-2.2.2.1-06", {right}', f'"MQQB-2.2.2.1-06", {wrong.strip()}')
    ((refused, line),) = copy.refused()
    assert refused == path
    assert "RecoverableAckTimeouts" in copy.read(path).splitlines()[line - 1]


def _add_rule(copy: Copy) -> None:
    """Do the steps of the page, without the rule of a session."""
    copy = copy.on_page("add-a-rule")
    copy.add_requirements(_MQQB, *copy.block("requirements:"))
    name, text = copy.block("rule:")
    name, _, before = name.partition(" ")
    copy.insert(f"src/msmq_wire/{name}", f"        {before}\n", text)


def _add_rule_of_a_session(copy: Copy) -> None:
    copy = copy.on_page("add-a-rule")
    copy.add_requirements(_MQQB, *copy.block("session requirements:"))
    name, text = copy.block("session rule:")
    name, _, before = name.partition(" ")
    copy.insert(f"src/msmq_wire/{name}", f"{before}\n", text, behind=True)


def test_a_column(tmp_path: Path) -> None:
    copy = Copy(tmp_path, "add-a-column")
    _add_columns(copy)
    with pytest.raises(AssertionError, match=r"messages\.py:\d+: hops: UserHeader\.RC: UserHeader has no"):
        copy.run("docs/tables.py")
    _mend_columns(copy)
    copy.run("docs/tables.py")
    copy.example(copy.block("works")[1])
    assert "| `hops` | `int64` | Number of routing" in copy.read("docs/reference/table-columns.md")


def _add_columns(copy: Copy) -> None:
    """Do the steps of the page, with the mistake that it shows."""
    copy = copy.on_page("add-a-column")
    (columns, field), (_, function), (tests, values) = copy.blocks("row:")
    copy.insert(columns, '    Column("journal", ', field + function)
    copy.insert(tests, '        ("label", {"Label"', values)


def _mend_columns(copy: Copy) -> None:
    copy = copy.on_page("add-a-column")
    wrong, right = copy.block("mended:")
    copy.change(copy.blocks("row:")[0][0], wrong, right.strip())


def test_the_suite_is_green_after_all_of_them(tmp_path: Path) -> None:
    """A field is renamed, a header, rules and columns are added: the tests that the pages name."""
    copy = Copy(tmp_path, "rename-a-field")
    _rename_flag(copy)
    add_structure(copy)
    _add_fields(copy)
    _add_rule(copy)
    _add_rule_of_a_session(copy)
    _add_columns(copy)
    _mend_columns(copy)
    copy.compile()
    copy.example(_DAMAGED)
    copy.run("docs/tables.py")
    copy.run(*(["tests/vectors.py"] if share(2) > 1 else ["-c", _VECTORS]))
    paths = {path for page in _PAGES for path in copy.on_page(page).tests()}
    waits = [f"--deselect={test}" for test in copy.block("waits:")[1].split()]
    copy.test(*waits, *sorted(paths))


_PAGES = ("add-a-structure", "add-a-rule", "add-a-column", "rename-a-field")
_VECTORS = """
import sys

sys.path[:0] = ["tests", "tests/support"]
import vectors

del vectors.ORIGINS["bent"]
vectors.main()
"""
"""As `tests/vectors.py` without what it draws for each requirement, which takes most of its time."""
_DAMAGED = """
from msmq_wire import decode_lax, mqmq

data = bytearray(mqmq.UserMessage().encode())
for at in range(len(data)):
    for bit in range(8):
        data[at] ^= 1 << bit
        decode_lax(bytes(data))
        data[at] ^= 1 << bit
"""


def _rename_flag(copy: Copy) -> None:
    """Do the steps of the page; the compiler names every line with the old name but those typed in."""
    (name, old), (_, new) = copy.block("old:"), copy.block("new:")
    copy.change(name, old.strip(), new.strip())
    lines = copy.refused()
    assert {path.rpartition("/")[2] for path, _ in lines} == {
        *("relations.py", "known_values.py", "mqmq_message.py", "mqqb-4.1.toml", "MS-MQMQ.toml"),
        "test_specs.py",
    }
    for path, line in lines:
        copy.change_line(path, line, "X3", "EX")
    layout = "tests/definitions/test_layout.py"
    (line,) = [number for number, text in enumerate(copy.read(layout).splitlines(), 1) if "X3 26-27" in text]
    copy.change_line(layout, line, "X3 26-27", "EX 26-27")
    assert not re.search(r"UserHeader\.Flags\.X3", copy.read("src/msmq_wire/definitions/relations.py"))
