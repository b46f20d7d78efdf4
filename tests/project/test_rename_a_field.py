"""The page that says how to rename a field: done as it says, on a copy, the tests are green."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from support_copy import Copy

if TYPE_CHECKING:
    from pathlib import Path

_DAMAGED = """
from msmq_wire import decode_lax, mqmq

data = bytearray(mqmq.UserMessage().encode())
for at in range(len(data)):
    for bit in range(8):
        data[at] ^= 1 << bit
        decode_lax(bytes(data))
        data[at] ^= 1 << bit
"""


@pytest.mark.long
def test_the_steps_of_the_page_work(tmp_path: Path) -> None:
    copy = Copy(tmp_path, "rename-a-field")
    (name, old), (_, new) = copy.block("old:"), copy.block("new:")
    copy.change(name, old.strip(), new.strip())
    named = copy.refused()
    assert {path.rpartition("/")[2] for path, _ in named} == {
        *("relations.py", "known_values.py", "mqmq_message.py", "mqqb-4.1.toml", "MS-MQMQ.toml"),
        "test_specs.py",
    }
    for path, line in named:
        copy.change_line(path, line, "X3", "EX")
    copy.compile()
    copy.run("-c", _DAMAGED)
    layout = "tests/definitions/test_layout.py"
    (line,) = [number for number, text in enumerate(copy.read(layout).splitlines(), 1) if "X3 26-27" in text]
    copy.change_line(layout, line, "X3 26-27", "EX 26-27")
    copy.run("docs/tables.py")
    waits = [f"--deselect={test}" for test in copy.block("waits:")[1].split()]
    folders = ("tests/definitions", "tests/compiler", "tests/documents", "tests/records")
    copy.test(*waits, *folders, "tests/project/test_specs.py")
    assert not re.search(r"UserHeader\.Flags\.X3", copy.read("src/msmq_wire/definitions/relations.py"))
