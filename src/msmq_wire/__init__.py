"""A pure, zero-I/O codec for the wire formats of Microsoft Message Queuing (MSMQ).

Every packet of [MS-MQQB], [MS-MQMQ] and [MS-MQRR] decodes to an immutable record and encodes back to the
same bytes; the messages of [MC-MQDSRP] and [MS-MQCN] are in `mqdsrp` and `mqcn`.

Each name is imported when it is first asked for: a program pays for the documents that it reads.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import format_names, mqcn, mqdsrp, mqmq, mqqb, mqrr, propid, queue_names, session
    from ._record import Flags, Record, replace
    from .errors import ConformanceError, DecodeError, EncodeError, MsmqWireError
    from .explanation import explain
    from .guid import GUID, NULL_GUID
    from .limits import Limits
    from .packets import MAX_PACKET_SIZE, LaxResult, Packet, decode, decode_lax, encode
    from .plain import from_dict, to_dict
    from .property_values import PropertyValue
    from .sequence_number import SEQUENCE_NUMBER
    from .stream import PacketStream
    from .validation import Context, Violation, validate

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
    "GUID": "guid",
    "MAX_PACKET_SIZE": "packets",
    "NULL_GUID": "guid",
    "SEQUENCE_NUMBER": "sequence_number",
    "ConformanceError": "errors",
    "Context": "validation",
    "DecodeError": "errors",
    "EncodeError": "errors",
    "Flags": "_record",
    "LaxResult": "packets",
    "Limits": "limits",
    "MsmqWireError": "errors",
    "Packet": "packets",
    "PacketStream": "stream",
    "PropertyValue": "property_values",
    "Record": "_record",
    "Violation": "validation",
    "decode": "packets",
    "decode_lax": "packets",
    "encode": "packets",
    "explain": "explanation",
    "from_dict": "plain",
    "replace": "_record",
    "to_dict": "plain",
    "validate": "validation",
}
"""Where each name is; the other names of `__all__` are modules."""


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name in _HOMES:
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    elif name in __all__:
        value = import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
