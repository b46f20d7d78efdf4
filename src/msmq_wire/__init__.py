"""A pure, zero-I/O codec for the wire formats of Microsoft Message Queuing (MSMQ).

Every packet of [MS-MQQB], [MS-MQMQ] and [MS-MQRR] decodes to an immutable record and encodes back to the
same bytes; the messages of [MC-MQDSRP] and [MS-MQCN] are in `mqdsrp` and `mqcn`.

Each name is imported on first use, so a program loads only the modules that it needs.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .values import hooks as _hooks

if TYPE_CHECKING:
    __version__: str
    from . import definitions, mqcn, mqdsrp, mqmq, mqqb, mqrr, rpc, session
    from .checks.profiles import PROFILES
    from .checks.sessions.monitor import SessionMonitor
    from .checks.sessions.state import SessionSummary, SideSummary, Tally
    from .checks.validation import Context, Violation, validate
    from .documents import directory_properties, propid, queue_names
    from .names import format_names
    from .packets import carriers, signature
    from .packets.carving import Carved, carve
    from .packets.kinds import Packet
    from .packets.lax import decode_lax
    from .packets.packet import decode, encode
    from .packets.partial import LaxResult
    from .packets.reassembly import FlowReader, Kind, Origin, Piece
    from .packets.skips import Skipped
    from .packets.stream import Frame, PacketStream
    from .records.record import Flags, Record, replace
    from .values.errors import ConformanceError, DecodeError, EncodeError, MsmqWireError, WrongTypeError
    from .values.guid import GUID, NULL_GUID
    from .values.limits import UNLIMITED, Limits
    from .values.numbers import MAX_PACKET_SIZE
    from .values.properties.values import PropertyValue, register_type, type_of, unregister_type
    from .values.refusals import Problem
    from .values.sequence_number import SEQUENCE_NUMBER
    from .views.explanation import explain
    from .views.plain import from_dict, to_dict

__all__ = [
    "GUID",
    "MAX_PACKET_SIZE",
    "NULL_GUID",
    "PROFILES",
    "SEQUENCE_NUMBER",
    "UNLIMITED",
    "Carved",
    "ConformanceError",
    "Context",
    "DecodeError",
    "EncodeError",
    "Flags",
    "FlowReader",
    "Frame",
    "Kind",
    "LaxResult",
    "Limits",
    "MsmqWireError",
    "Origin",
    "Packet",
    "PacketStream",
    "Piece",
    "Problem",
    "PropertyValue",
    "Record",
    "SessionMonitor",
    "SessionSummary",
    "SideSummary",
    "Skipped",
    "Tally",
    "Violation",
    "WrongTypeError",
    "carriers",
    "carve",
    "decode",
    "decode_lax",
    "definitions",
    "directory_properties",
    "encode",
    "explain",
    "format_names",
    "from_dict",
    "mqcn",
    "mqdsrp",
    "mqmq",
    "mqqb",
    "mqrr",
    "preload",
    "propid",
    "queue_names",
    "register_type",
    "replace",
    "rpc",
    "session",
    "signature",
    "to_dict",
    "type_of",
    "unregister_type",
    "validate",
]

_HOMES = {
    "GUID": "values.guid",
    "MAX_PACKET_SIZE": "values.numbers",
    "NULL_GUID": "values.guid",
    "PROFILES": "checks.profiles",
    "SEQUENCE_NUMBER": "values.sequence_number",
    "UNLIMITED": "values.limits",
    "Carved": "packets.carving",
    "ConformanceError": "values.errors",
    "Context": "checks.validation",
    "DecodeError": "values.errors",
    "EncodeError": "values.errors",
    "Flags": "records.record",
    "FlowReader": "packets.reassembly",
    "Frame": "packets.stream",
    "Kind": "packets.reassembly",
    "LaxResult": "packets.partial",
    "Limits": "values.limits",
    "MsmqWireError": "values.errors",
    "Origin": "packets.reassembly",
    "Packet": "packets.kinds",
    "PacketStream": "packets.stream",
    "Piece": "packets.reassembly",
    "Problem": "values.refusals",
    "PropertyValue": "values.properties.values",
    "Record": "records.record",
    "SessionMonitor": "checks.sessions.monitor",
    "SessionSummary": "checks.sessions.state",
    "SideSummary": "checks.sessions.state",
    "Skipped": "packets.skips",
    "Tally": "checks.sessions.state",
    "Violation": "checks.validation",
    "WrongTypeError": "values.errors",
    "carve": "packets.carving",
    "decode": "packets.packet",
    "decode_lax": "packets.lax",
    "encode": "packets.packet",
    "explain": "views.explanation",
    "from_dict": "views.plain",
    "register_type": "values.properties.values",
    "replace": "records.record",
    "to_dict": "views.plain",
    "type_of": "values.properties.values",
    "unregister_type": "values.properties.values",
    "validate": "checks.validation",
}
"""The module of each public name."""

_MODULES = {
    "carriers": "packets.carriers",
    "definitions": "definitions",
    "directory_properties": "documents.directory_properties",
    "format_names": "names.format_names",
    "mqcn": "mqcn",
    "mqdsrp": "mqdsrp",
    "mqmq": "mqmq",
    "mqqb": "mqqb",
    "mqrr": "mqrr",
    "propid": "documents.propid",
    "queue_names": "documents.queue_names",
    "rpc": "rpc",
    "session": "session",
    "signature": "packets.signature",
}
"""The path of each public module."""
_SEPARATE = frozenset({"arrow", "captures", "crypto", "machines", "scapy", "spark", "testing", "wireshark"})
"""Public modules that ``import msmq_wire`` does not provide."""


_hooks.import_layouts.provide(f"{__name__}.documents", "import_layouts")
_hooks.import_document.provide(f"{__name__}.documents", "import_document")
_hooks.require_conformance.provide(f"{__name__}.checks.validation", "require")
_hooks.requirement_of.provide(f"{__name__}.checks.refusals", "requirement_of")
_hooks.about_flag.provide(f"{__name__}.packets.packet", "about_flag")
_hooks.from_wire.provide(f"{__name__}.documents.queue_names", "from_wire")
_hooks.from_wire_list.provide(f"{__name__}.documents.queue_names", "from_wire_list")
_hooks.carried_by.provide(f"{__name__}.packets.directory.carried", "carried_by")

if not TYPE_CHECKING:  # so that type checkers report unknown names

    def __getattr__(name: str) -> Any:
        """Import a public name on first use."""
        if name in _HOMES:
            value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        elif name in _MODULES:
            value = import_module(f".{_MODULES[name]}", __name__)
        elif name == "__version__":
            value = _version()
        else:
            hint = f": import {__name__}.{name}" if name in _SEPARATE else ""
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")
        globals()[name] = value
        return value


def _version() -> str:
    """The version of the installed distribution; ``0+unknown`` for modules that were copied without it."""
    metadata = import_module("importlib.metadata")
    for name in (__name__, f"{__name__}_core"):
        try:
            return str(metadata.version(name))
        except metadata.PackageNotFoundError:
            continue
    return "0+unknown"


def __dir__() -> list[str]:
    return sorted(__all__)


def preload() -> None:
    """Import all modules of the core at once.

    For sandboxes, audit hooks, instrumentation and frozen programs: after this call, no function of the core
    opens a file or imports a module.  Modules that need an extra (`arrow`, `captures`, `crypto`, `spark`,
    `testing`) are not imported.
    """
    from pkgutil import walk_packages  # noqa: PLC0415  # nothing else needs it

    for name in (*__all__, "__version__"):
        getattr(sys.modules[__name__], name)
    for folder in _CORE:
        package = import_module(f".{folder}", __name__)
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    for name in _LATE:
        import_module(name)


_CORE = (
    "definitions",
    "values",
    "names",
    "records",
    "documents",
    "ndr",
    "packets",
    "checks",
    "views",
    "machines",
)
"""The folders of the core; the distribution msmq-wire-core has these, and the modules beside them."""
_LATE = (
    "difflib",
    "hashlib",
    "ipaddress",
    "encodings.idna",
    "encodings.utf_16_le",
    "encodings.latin_1",
    "encodings.ascii",
)
"""Modules that the standard library imports when its functions are called."""
