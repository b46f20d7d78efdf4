"""Records with some fields set to other values and nothing computed anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire._record import Flags

if TYPE_CHECKING:
    from collections.abc import Mapping


def bend(record: Any, path: str, value: Any) -> Any:
    """The same record with one field, element or group of flags set, and nothing recomputed."""
    head, _, rest = path.partition(".")
    name, _, index = head.partition("[")
    old = getattr(record, name)
    made: Any
    if index:
        place = int(index[:-1])
        made = tuple(
            (bend(item, rest, value) if rest else value) if at == place else item
            for at, item in enumerate(old)
        )
    elif rest:
        # The stubs know the groups of each flags class only.
        flags: Any = old
        made = flags.replace(**{rest: value}) if isinstance(old, Flags) else bend(old, rest, value)
    else:
        made = type(record).flags[name](value) if name in type(record).flags else value
    return type(record).raw(
        *(made if field.name == name else getattr(record, field.name) for field in record.layout.fields)
    )


def bent(record: Any, changes: Mapping[str, Any]) -> Any:
    """A record with some fields set; PacketSize follows unless it is among them."""
    for path, value in changes.items():
        record = bend(record, path, value)
    if "BaseHeader" in record.layout.by_name and "BaseHeader.PacketSize" not in changes:
        outside = 16 if getattr(record, "SessionHeader", None) and record.layout.name == "UserMessage" else 0
        record = bend(record, "BaseHeader.PacketSize", len(record.encode()) - outside)
    return record
