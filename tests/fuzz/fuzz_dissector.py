"""What Wireshark's dissector reads in any bytes, and refuses, is what the library reads and refuses."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
import support_wireshark as library
from harness import instrumented, main, placed
from support_lua import loaded

with instrumented():
    import msmq_wire as mw
    from msmq_wire import mqcn, mqdsrp
    from msmq_wire.documents.layouts import structures
    from msmq_wire.values.properties.types import type_of

MODULES = ("records.diagnostic_reader",)
HEAD = 1
"""One byte chooses the structure; its bytes are after it."""
_DOTS = 2
"""In the name of a field; that of a part of a word of flags, which is no place of its own, has more."""
_UNKNOWN = re.compile(rb"(?:PropertyValue|PropertyI[dD]): expected a property identifier .*, found (\d+)")
LOADED = (mqcn, mqdsrp)  # their structures are known once they are imported
IN_BODIES = frozenset(name.lower() for document in LOADED for name in document.__all__)
ALONE = tuple(structure for structure in structures().values() if not structure.scoped)


def KIND(head: bytes) -> str:
    """The structure that the first byte chooses."""
    return ALONE[head[0] % len(ALONE)].name


@cache
def dissector() -> Any:
    """The reader of the dissector's file, under the Lua that Wireshark has."""
    return loaded("lua54")[1]


def check(data: bytes) -> None:
    name = KIND(data[:HEAD] or b"\0")
    name = "UserMessage" if name in {"OrderAck", "FinalAck"} else name  # Wireshark shows them as such
    raw = data[HEAD:]
    problem, leaves = dissector()(name.encode(), raw)
    try:
        wanted = library.fields_of(name, raw)
    except mw.DecodeError as error:
        placed(error, raw)
        assert problem is not None
        return
    private = _UNKNOWN.match(problem or b"")
    if private and type_of(int(private[1])) is not None:
        return  # its type was registered in this process, which Wireshark does not know
    assert problem is None, (name, problem, raw.hex())
    shown = {line.split()[0] for line in leaves.decode().splitlines()}
    expected = {name for name, _ in wanted if name.count(".") == _DOTS}
    assert expected <= shown
    if shown != expected:  # of a damaged message in the body, Wireshark shows the part that can be read
        assert name == "UserMessage"
        with pytest.raises(mw.DecodeError):
            _ = mw.decode(raw, mw.mqmq.UserMessage).directory_message
        assert {one.split(".")[1] for one in shown - expected} <= IN_BODIES


if __name__ == "__main__":
    main(__name__)
