"""Generates the Wireshark dissector from tables of the layouts and fixed Lua code.

1. `tables` generates the tables from the exported layouts.
2. ``reader.lua`` decodes bytes with the tables and does not depend on Wireshark.  ``dissector.lua`` displays
   the decoded fields, reassembles packets, and links them.
3. `dissector` joins the three to one file, because Wireshark loads files separately.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from .tables import tables

if TYPE_CHECKING:
    from msmq_wire.exports.layouts import Document

_HEAD = """\
-- Message Queuing (MSMQ) for Wireshark 4.0 and later, Lua 5.2 to 5.4.
--
-- Generated from the definitions of msmq_wire by `python -m msmq_wire.compiler`; do not edit.
-- MIT License, Copyright (c) The msmq_wire authors.
--
-- Fields are named `msmq.<structure>.<field>[.<bits>]`, in lower case, as on the pages of [MS-MQMQ],
-- [MS-MQRR], [MS-MQQB], [MC-MQDSRP] and [MS-MQCN]. Beside them are readings such as `msmq.destination`.

"""


def dissector(document: Document) -> str:
    """Return the text of ``msmq.lua``."""
    here = files(__package__)
    parts = [here.joinpath(name).read_text("utf-8") for name in ("reader.lua", "dissector.lua")]
    return "\n".join([_HEAD + tables(document), *parts])
