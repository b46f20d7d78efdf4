"""The definitions: structures as C text, their relations beyond C, and property identifiers.

- `c_mqmq`, `c_mqrr`, `c_mqqb`, `c_mqdsrp`, `c_mqcn`: the structures of one document each, as C text.
- `relations`: presence, choices, alignment, defaults, keyed by the paths of the page.
- `texts`: all C texts, in order; `load` gives their cstruct types.
- `error_codes`: the names of [MS-MQMQ] 2.4.
- `properties`: the property identifiers of [MS-MQMQ] 2.3, a row each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dissect.cstruct import cstruct

__all__ = ["load"]


def load() -> cstruct:
    """The structures and enumerations of packets as types of `dissect.cstruct`.

    They are made from the C texts only, without `relations`, so optional parts, forms and paddings to a
    boundary are read as if they were always present.  An array whose size is in the enclosing structure is
    not read: this structure, and those that contain it, raise an error of `dissect.cstruct`.  Structures of
    remote calls have no C text.  For whole packets use `msmq_wire.decode`.

    Returns:
        A new `cstruct` with all types, little-endian: ``load().SessionHeader(data)``.
    """
    from dissect.cstruct import cstruct  # noqa: PLC0415  # the codec does not need it

    from .texts import TEXTS  # noqa: PLC0415  # nor the C texts

    types = cstruct()
    types.load("\n".join(text.text for text in TEXTS.values()), compiled=False)
    return types
