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
    _test(copy)


def _test(copy: Copy) -> None:
    """Write the tables and vectors, and run the tests that the page names."""
    copy.run("docs/tables.py")
    copy.run("tests/vectors.py")
    copy.test(*copy.block("tests")[1].removeprefix("python -m pytest ").split())


@pytest.mark.long
def test_the_suite_is_green_after_a_larger_header(tmp_path: Path) -> None:
    copy = add_structure(tmp_path)
    copy.add_requirements("specs/requirements/MS-MQMQ.toml", *copy.block("larger requirements:"))
    for step, text in copy.blocks("larger:"):
        name, _, before = step.partition(" ")
        copy.insert(name, f"{before}\n", text, behind=True)
    copy.compile()
    copy.run("-c", LARGER)
    _test(copy)


LARGER = """\
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
