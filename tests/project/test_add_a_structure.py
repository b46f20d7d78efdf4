"""The page that says how to add a structure: done as it says, on a copy, it ends with a green suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support_copy import add_structure

if TYPE_CHECKING:
    from pathlib import Path

    from support_copy import Copy


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """A copy of the repository after the steps of the page, compiled."""
    copy = add_structure(tmp_path)
    copy.compile()
    return copy


@pytest.mark.long
def test_the_steps_of_the_page_work(copy: Copy) -> None:
    for name in ("works", "checked", "drawn"):
        copy.run("-c", copy.block(name)[1])
    assert "class NoteHeader(Record" in copy.read("src/msmq_wire/documents/mqmq.py")


@pytest.mark.long
def test_the_suite_is_green_afterwards(copy: Copy) -> None:
    copy.run("docs/tables.py")
    copy.run("tests/vectors.py")
    copy.test("tests/definitions", "tests/compiler", "tests/documents", "tests/records", "tests/checks")
    copy.test("tests/testing/test_bent.py", "tests/project/test_specs.py")


GUIDS = """\
import uuid

import pyarrow as pa
from hypothesis import find

import msmq_wire as mw
from msmq_wire import arrow
from msmq_wire import testing as mt
from msmq_wire.mqmq import GUIDElement, NoteHeader, UserHeader, UserMessage

header = UserHeader(DestinationQueue="DIRECT=OS:host\\\\queue")
first, second = uuid.UUID(int=1), uuid.UUID(int=2)
note = NoteHeader(Note=[GUIDElement(first), GUIDElement(str(second))])
data = UserMessage(UserHeader=header, NoteHeader=note).encode()
assert UserMessage.decode(data).NoteHeader == note
assert (note.NoteLength, note.encode()[8:]) == (2, first.bytes_le + second.bytes_le)
assert str(second) in str(mw.explain(note))
columns = arrow.decode_packets(pa.array([data])).field("NoteHeader").field("Note")
assert columns.to_pylist() == [[{"Value": first.bytes_le}, {"Value": second.bytes_le}]]
find(mt.user_messages(), lambda message: message.NoteHeader and len(message.NoteHeader.Note) > 1)
"""


@pytest.mark.long
def test_an_array_of_guids(copy: Copy) -> None:
    definitions = "src/msmq_wire/definitions/c_mqmq.py"
    copy.change(
        definitions,
        "wchar  Note[NoteLength];            // the note, terminator included",
        "GUID   Note[NoteLength];",
    )
    copy.change(
        definitions, "    char   Padding[-(NoteLength * 2) & 3]; // to a 4-byte boundary; any value\n", ""
    )
    copy.compile()
    copy.run("-c", GUIDS)
