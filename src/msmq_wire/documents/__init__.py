"""The records of the documents, named as in the documents, and the meaning of their fields.

- `mqmq`, `mqrr`, `mqqb`, `mqdsrp`, `mqcn`: the record classes of one document each, with their codec.
- `builders`: the functions that build the records of each document.
- `readings`: properties that interpret fields.
- `queue_names`: names of queues between wire and value.
- `transactions`: identifiers of transactional sequences as numbers.
- `propid`: property identifiers with their types and permitted values.
- `directory_properties`: the properties of directory changes by name.
- `notification_text`, `notification_contents`: the text of a notification, and the properties in one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def import_layouts() -> ModuleType:
    """Import the module with the layouts; it is large, and decoding good packets does not need it."""
    return import_module(f"{__name__}.layouts")


def import_document(structure: str, builders: bool) -> None:  # hooks pass arguments by position
    """Import the module of a structure's record, or with `builders` that of its builder.

    Raises:
        KeyError: There is no such structure.
    """
    folder = f"{__name__}.builders" if builders else __name__
    import_module(f"{folder}.{import_layouts().structures()[structure].home}")
