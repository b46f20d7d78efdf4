"""A pure, zero-I/O codec for the wire formats of Microsoft Message Queuing (MSMQ).

Every packet of [MS-MQQB], [MS-MQMQ] and [MS-MQRR] decodes to an immutable record and encodes back to the
same bytes; the messages of [MC-MQDSRP] and [MS-MQCN] are in `mqdsrp` and `mqcn`.

Each name is imported when it is first asked for: a program pays for the documents that it reads.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import mqcn, mqdsrp, mqmq, mqqb, mqrr, session
    from .checks.validation import Context, Violation, validate
    from .documents import queue_names
    from .names import format_names
    from .packets.packet import MAX_PACKET_SIZE, LaxResult, Packet, decode, decode_lax, encode
    from .packets.stream import PacketStream
    from .records.record import Flags, Record, replace
    from .values import propid
    from .values.errors import ConformanceError, DecodeError, EncodeError, MsmqWireError
    from .values.guid import GUID, NULL_GUID
    from .values.limits import Limits
    from .values.property_values import PropertyValue
    from .values.sequence_number import SEQUENCE_NUMBER
    from .views.explanation import explain
    from .views.plain import from_dict, to_dict

__all__ = [
    "GUID",
    "MAX_PACKET_SIZE",
    "NULL_GUID",
    "SEQUENCE_NUMBER",
    "ConformanceError",
    "Context",
    "DecodeError",
    "EncodeError",
    "Flags",
    "LaxResult",
    "Limits",
    "MsmqWireError",
    "Packet",
    "PacketStream",
    "PropertyValue",
    "Record",
    "Violation",
    "decode",
    "decode_lax",
    "encode",
    "explain",
    "format_names",
    "from_dict",
    "mqcn",
    "mqdsrp",
    "mqmq",
    "mqqb",
    "mqrr",
    "propid",
    "queue_names",
    "replace",
    "session",
    "to_dict",
    "validate",
]

_HOMES = {
    "GUID": "values.guid",
    "MAX_PACKET_SIZE": "packets.packet",
    "NULL_GUID": "values.guid",
    "SEQUENCE_NUMBER": "values.sequence_number",
    "ConformanceError": "values.errors",
    "Context": "checks.validation",
    "DecodeError": "values.errors",
    "EncodeError": "values.errors",
    "Flags": "records.record",
    "LaxResult": "packets.packet",
    "Limits": "values.limits",
    "MsmqWireError": "values.errors",
    "Packet": "packets.packet",
    "PacketStream": "packets.stream",
    "PropertyValue": "values.property_values",
    "Record": "records.record",
    "Violation": "checks.validation",
    "decode": "packets.packet",
    "decode_lax": "packets.packet",
    "encode": "packets.packet",
    "explain": "views.explanation",
    "from_dict": "views.plain",
    "replace": "records.record",
    "to_dict": "views.plain",
    "validate": "checks.validation",
}
"""Where each name is."""

_MODULES = {
    "format_names": "names.format_names",
    "mqcn": "mqcn",
    "mqdsrp": "mqdsrp",
    "mqmq": "mqmq",
    "mqqb": "mqqb",
    "mqrr": "mqrr",
    "propid": "values.propid",
    "queue_names": "documents.queue_names",
    "session": "session",
}
"""Where each module is."""


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name in _HOMES:
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    elif name in _MODULES:
        value = import_module(f".{_MODULES[name]}", __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
