"""The layout compiler: the modules of `documents` that it writes, from the definitions.

1. `layouts` is the model itself, written down: structures, fields, kinds.
2. Each document is a module: for each structure, in page order, its flags words, its class, what decodes,
   encodes and measures it, and what builds it.
3. A decoder only accepts or raises `Reject`.  Which field was wrong is found by the slow reader, which reads
   the same layout and knows all places.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from msmq_wire.records import model
from msmq_wire.records.model import Flags, Items, Structure

from .builder import BuildEmitter
from .decoder import DecoderEmitter
from .emit import ClassName, Expression, ModuleText
from .encoder import EncoderEmitter
from .pages import DOCUMENTS, Pages
from .records import flags_source, record_source
from .sizes import SizeEmitter

__all__ = ["Compiler", "generate", "write"]

SOURCE = Path(model.__file__).parents[1]
_HEADER = "Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit."
_ABOUT = {
    "layouts": "The layouts of all structures: the C texts and the relations of `definitions` as one model.",
    "mqmq": "[MS-MQMQ]: the data structures of Message Queuing.",
    "mqrr": "[MS-MQRR] 2.2.5: headers of the message packets of a remote read.",
    "user_message": "[MS-MQMQ] 2.2.20 and [MS-MQRR] 2.2.5: whole messages, made of the headers of both documents.",
    "mqqb": "[MS-MQQB]: the packets of the binary protocol.",
    "mqdsrp": "[MC-MQDSRP] 2.2: the messages of directory replication.",
    "mqcn": "[MS-MQCN] 2.2: change notifications.",
}


class Compiler:
    """Writes the functions of each structure into the text of its module."""

    def __init__(self, pages: Pages) -> None:
        self.structures = pages.done
        self.homes = pages.homes
        self.classes = {name: ClassName.of(structure) for name, structure in pages.done.items()}
        self.module = ModuleText()

    # -- what emitters ask for

    def unpacker(self, formats: str) -> str:
        """The name of the `unpack_from` of a format."""
        name = f"unpack_{formats[1:].replace('?', 'bool')}"
        return self.module.constant(name, Expression(f'Struct("{formats}").unpack_from'))

    def packer(self, formats: str) -> str:
        """The name of the `pack` of a format."""
        return self.module.constant(f"pack_{formats[1:]}", Expression(f'Struct("{formats}").pack'))

    def array_readers(self, code: str) -> str:
        """The name of the `unpack_from` by count of numbers."""
        return self.module.constant(
            f"unpack_many_{code}", Expression(f'ArrayMethods("unpack_from", "{code}")')
        )

    def array_writers(self, code: str) -> str:
        """The name of the `pack` by count of numbers."""
        return self.module.constant(f"pack_many_{code}", Expression(f'ArrayMethods("pack", "{code}")'))

    def size(self, name: str) -> Expression:
        """The function that measures a structure."""
        return Expression(f"size_{name}")

    # -- modules

    def document(
        self, name: str, readings: dict[str, dict[str, Any]], makers: dict[str, dict[str, Any]]
    ) -> str:
        """The text of a document's module, without its imports."""
        self.module = ModuleText()
        for structure in self.structures.values():
            if self.homes[structure.name] == name:
                self.structure(structure, readings.get(structure.name, {}), makers.get(structure.name, {}))
        return self.module.text()

    def structure(self, structure: Structure, readings: dict[str, Any], makers: dict[str, Any]) -> None:
        name = structure.name
        rule = "-" * max(10, 100 - len(structure.section) - len(name))
        self.module.add(f"\n# {rule} {structure.section} {name}\n")
        for field in structure.fields:
            if isinstance(field.kind, Flags):
                self.module.add(flags_source(structure, field, self.classes[name].flags[field.name].defaults))
        self.module.add(record_source(structure, self.homes, readings, makers))
        decode = "None"
        if not structure.scoped:
            decode = f"decode_{name}"
            parameters = "data: bytes, pos: int, end: int, limits: Limits"
            DecoderEmitter(self, structure).function(decode, parameters, f"tuple[{name}, int]")
        for field in structure.fields:
            if isinstance(field.kind, Items):
                self.element(structure, field.kind.structure)
        EncoderEmitter(self, structure).function(f"encode_{name}", f"record: {name}", "bytes")
        SizeEmitter(self, structure).function(f"size_{name}", f"record: {name}", "int")
        builder = BuildEmitter(self, structure)
        builder.function(f"build_{name}", builder.parameters, name)
        self.module.add(f"\nregister({name}, {decode}, encode_{name}, size_{name}, build_{name})\n")
        if structure.extent and "." in structure.extent.path and not structure.scoped:
            self.packet(structure)

    def element(self, around: Structure, element: Structure) -> None:
        """The decoder of an element of an array whose owner starts at `origin`."""
        function = f"decode_{element.name}_in_{around.name}"
        parameters = "data: bytes, pos: int, end: int, origin: int, limits: Limits"
        emitter = DecoderEmitter(self, element, around=around)
        emitter.function(function, parameters, f"tuple[{element.name}, int]")
        self.module.add(f'\nELEMENTS["{around.name}", "{element.name}"] = {function}\n')

    def packet(self, structure: Structure) -> None:
        """The decoders of a packet that fills its bytes."""
        name = structure.name
        for table, ending in (("PACKETS", ""), ("SHARING", "_sharing")):
            function = f"decode_packet_{name}{ending}"
            emitter = DecoderEmitter(self, structure, packet=True, thrifty=bool(ending))
            emitter.function(function, "data: bytes, end: int, limits: Limits", name)
            self.module.add(f'\n{table}["{name}"] = {function}\n')


# ------------------------------------------------------------------------------------------ the layouts


def _layouts(pages: Pages) -> str:
    lines = []
    for structure in pages.done.values():
        fields = "".join(f"{_value(field)}, " for field in structure.fields)
        rest = [
            f"{key}={_value(getattr(structure, key))}"
            for key in ("extent", "scoped", "doc")
            if getattr(structure, key)
        ]
        arguments = ", ".join([repr(structure.name), repr(structure.section), f"({fields})", *rest])
        lines.append(f"{structure.name} = Structure({arguments})\n")
    names = ", ".join(pages.done)
    lines.append(f"register({names})\n")
    return "\n".join(lines)


def _value(value: Any) -> str:
    """A value of the model as source; what has its default is left out."""
    if isinstance(value, Structure):
        return value.name
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_value(item)}' for key, item in value.items())}}}"
    if isinstance(value, model.Alignment):
        return repr(value)
    if isinstance(value, tuple):
        return f"({''.join(f'{_value(item)}, ' for item in value)})"
    if hasattr(value, "__struct_fields__"):
        defaults = dict(
            zip(reversed(value.__struct_fields__), reversed(value.__struct_defaults__), strict=False)
        )
        arguments = []
        for key in value.__struct_fields__:
            item = getattr(value, key)
            if key in defaults and item == defaults[key]:
                continue
            arguments.append(f"{key}={_value(item)}" if key in defaults else _value(item))
        return f"{type(value).__name__}({', '.join(arguments)})"
    return repr(value)


# -------------------------------------------------------------------------------------- whole modules


def _enumerations(pages: Pages) -> str:
    parts = []
    for name, members in pages.enumerations().items():
        width = {"QUEUE_SUFFIX_TYPE": 4}.get(name, 6)
        lines = [f"    {member} = {value:#0{width}x}" for member, value in members.items()]
        doc = f'    """Numbers of the C enumeration {name}."""\n'
        parts.append("\n".join([f"\nclass {name}(IntEnum):", doc, *lines, ""]))
    names = ", ".join(pages.enumerations())
    parts.append(
        f"ENUMERATIONS: Final[dict[str, type[IntEnum]]] = {{item.__name__: item for item in ({names})}}\n"
    )
    parts.append('"""Every enumeration by its name."""\n')
    parts.append(
        "\ndef enumerations() -> dict[str, dict[str, int]]:\n"
        '    """Every enumeration: its members and their values by its name."""\n'
        "    return {name: {item.name: item.value for item in kind} for name, kind in ENUMERATIONS.items()}\n"
    )
    return "\n".join(parts)


_IMPORTS = {
    "msmq_wire.definitions.relations": ("COMPUTED", "DEFAULTS", "FIXED", "Alignment"),
    "msmq_wire.records": ("accept", "replacing"),
    "msmq_wire.records.flags": ("Flags",),
    "msmq_wire.records.left_out": ("KeptText", "LeftOut", "LeftOutBytes"),
    "msmq_wire.records.record": ("Record",),
    "msmq_wire.records.registry": (
        "ELEMENTS",
        "ENCODERS",
        "PACKETS",
        "SHARING",
        "SIZES",
        "ArrayMethods",
        "register",
    ),
    "msmq_wire.values.guid": ("GUID", "NULL_GUID"),
    "msmq_wire.values.numbers": ("NUMBERS",),
    "msmq_wire.values.property_lists": ("WRITERS", "readers_of"),
    "msmq_wire.values.reject": ("Reject",),
    "msmq_wire.values.sequence_number": ("MIN_SEQ_NUMBER", "SEQUENCE_NUMBER"),
    "msmq_wire.values.wchar": ("find_terminator", "wchar_count"),
    "enum": ("IntEnum",),
    "functools": ("cache", "partial"),
    "struct": ("Struct",),
    "typing": ("TYPE_CHECKING", "Any", "ClassVar", "Final"),
}
_CHECKED = {
    "msmq_wire.names": ("format_names",),
    "msmq_wire.values": ("enumerations",),
    "msmq_wire.packets": ("replication",),
    "msmq_wire.records.model": ("Structure",),
    "msmq_wire.values.limits": ("Limits",),
    "msmq_wire.values.property_values": ("PropertyValue",),
    "collections.abc": ("Iterable",),
    "typing": ("Self",),
}


def _module(name: str, body: str, pages: Pages) -> str:
    """A whole module: docstring, imports of what the body uses, names, body."""
    aliases = [f"    {alias} = {meaning}" for alias, meaning in _ALIASES.items() if alias in body]
    used = set(re.findall(r"[A-Za-z_]\w*", "\n".join([body, *aliases])))
    lines = [f'"""{_ABOUT.get(name, "The enumerations of the C texts.")}', "", f"{_HEADER}", '"""', ""]
    lines += ["from __future__ import annotations", ""]
    if "dt" in used:
        lines.append("import datetime as dt")
    if "ipaddress" in used:
        lines.append("import ipaddress")
    if "uuid" in used:
        lines.append("import uuid")
    if "replace" in used:
        lines.append("from msgspec.structs import replace")
    if "decode_utf16" in used:
        lines.append("from codecs import utf_16_le_decode as decode_utf16")
    if "encode_utf16" in used:
        lines.append("from codecs import utf_16_le_encode as encode_utf16")
    exported: list[str] = []
    if name == "layouts":
        exported = [*pages.done, "structures"]
        lines.append(
            f"from msmq_wire.records.model import {', '.join(sorted(_MODEL & used | {'structures'}))}"
        )
    for module, names in _IMPORTS.items():
        found = [item for item in names if item in used and not (name == "layouts" and item in _MODEL)]
        if found:
            lines.append(f"from {module} import {', '.join(found)}")
    if name in DOCUMENTS:
        lines.append("from . import layouts, readings")
        for module in DOCUMENTS:
            theirs = [item for item, home in pages.homes.items() if home == module and module != name]
            found = [item for item in theirs if item in used]
            found += [
                f"{verb}_{item}"
                for item in theirs
                for verb in ("decode", "encode", "size")
                if f"{verb}_{item}" in used
            ]
            found += [
                field.kind.name
                for item in theirs
                for field in pages.done[item].fields
                if isinstance(field.kind, Flags) and field.kind.name in used
            ]
            if found:
                lines.append(f"from .{module} import {', '.join(found)}")
        exported = re.findall(r"^class (\w+)\(", body, re.MULTILINE)
        lines.append("if TYPE_CHECKING:")
        lines += [f"    from {module} import {', '.join(names)}" for module, names in _CHECKED.items()]
        others = [*DOCUMENTS, "directory_properties", "notification_text", "propid"]
        lines.append(f"    from msmq_wire.documents import {', '.join(others)}")
        lines += aliases
    elif name != "layouts":
        exported = ["ENUMERATIONS", "enumerations", *pages.enumerations()]
    lines.append(f"__all__ = {sorted(exported, key=_export_order)!r}")
    if "join" in used and name in DOCUMENTS:
        lines.append('join = b"".join')
    return "\n".join(lines) + "\n\n" + body


_ALIASES = {
    "_Bytes": "bytes | bytearray | memoryview",
    "_Guid": "GUID | uuid.UUID | str | bytes",
    "_Number": "SEQUENCE_NUMBER | int | str | bytes",
}
_MODEL = set(model.__all__)


def _export_order(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def _formatted(text: str, path: Path) -> str:
    """The text as the project's formatter leaves it, without imports that nothing uses."""
    for step in (["check", "--select", "I,F401,F811,RUF022", "--fix", "--quiet"], ["format", "--quiet"]):
        command = [sys.executable, "-m", "ruff", *step, "--stdin-filename", str(path), "-"]
        done = subprocess.run(  # noqa: S603  # our own interpreter and our own text
            command, input=text, capture_output=True, text=True, check=False, cwd=SOURCE
        )
        if done.returncode not in {0, 1} or not done.stdout:
            raise SystemExit(f"{path.name}: {done.stderr}")
        text = done.stdout
    return text


def generate() -> dict[Path, str]:
    """Every generated module: its path and its text."""
    from msmq_wire.documents.readings import MAKERS, READINGS  # noqa: PLC0415  # the model is read first

    pages = Pages()
    pages.read()
    compiler = Compiler(pages)
    texts = {"values/enumerations.py": _module("enumerations", _enumerations(pages), pages)}
    texts["documents/layouts.py"] = _module("layouts", _layouts(pages), pages)
    for name in DOCUMENTS:
        texts[f"documents/{name}.py"] = _module(name, compiler.document(name, READINGS, MAKERS), pages)
    return {SOURCE / path: _formatted(text, SOURCE / path) for path, text in texts.items()}


def write(*, check: bool = False) -> list[Path]:
    """Write the modules that are not as generated, or only tell which they are.

    Returns:
        Their paths.
    """
    stale = [
        path for path, text in generate().items() if not path.exists() or path.read_text("utf-8") != text
    ]
    if not check:
        texts = generate()
        for path in stale:
            path.write_text(texts[path], "utf-8")
    return stale
