"""Writes the type stubs of the record modules from the layouts.

Run as a program it writes them beside the modules; the tests compare its output with what is committed.
"""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

from msmq_wire.documents.readings import READINGS
from msmq_wire.records import model as layout
from msmq_wire.records.record import Flags, Record
from msmq_wire.values.enumerations import ENUMERATIONS

SOURCE = Path(layout.__file__).parents[1]
MODULES = ("mqmq", "mqqb", "mqrr", "mqdsrp", "mqcn")
OTHERS = {
    "directory_properties": "msmq_wire.documents",
    "format_names": "msmq_wire.names",
    "notification_text": "msmq_wire.documents",
    "propid": "msmq_wire.values",
    "replication": "msmq_wire.packets",
}
"""Modules whose names annotations use, qualified, and their packages."""
ALIASES = {
    "_Bytes": "bytes | bytearray | memoryview",
    "_Guid": "GUID | uuid.UUID | str | bytes",
    "_Number": "SEQUENCE_NUMBER | int | str | bytes",
}
HEADER = '''"""Generated from the layouts; do not edit.  The nox session `stubs` writes it anew."""
'''


def stubs() -> dict[str, str]:
    """Every stub by its file name."""
    loaded = {name: importlib.import_module(f"msmq_wire.documents.{name}") for name in MODULES}
    homes = {
        member: name
        for name, module in loaded.items()
        for member in module.__all__
        if getattr(getattr(module, member), "__module__", "").endswith(name) or member in ENUMERATIONS
    }
    made = {f"documents/{name}.pyi": _formatted(_module(module, homes)) for name, module in loaded.items()}
    made["values/enumerations.pyi"] = _formatted(_enumerations())
    return made


def _formatted(text: str) -> str:
    """The text as the formatter leaves it, so that the stubs need no exception from the style."""
    ruff = [sys.executable, "-m", "ruff"]
    for step in (["check", "--select", "I", "--fix", "--quiet"], ["format"]):
        command = [*ruff, *step, "--stdin-filename", str(SOURCE / "stub.pyi"), "-"]
        done = subprocess.run(  # noqa: S603  # our own interpreter and our own text
            command, input=text, capture_output=True, text=True, check=True, cwd=SOURCE
        )
        text = done.stdout
    return text


def _enumerations() -> str:
    parts = [HEADER, "from enum import IntEnum\nfrom typing import Final\n"]
    for name, kind in ENUMERATIONS.items():
        members = [f"    {member.name} = {member.value:#06x}" for member in kind]
        parts.append("\n".join([f"class {name}(IntEnum):", *members, ""]))
    parts.append("ENUMERATIONS: Final[dict[str, type[IntEnum]]]\n")
    return "\n".join(parts)


def _module(module: Any, homes: dict[str, str]) -> str:
    flags: list[str] = []
    classes: list[str] = []
    for member in module.__all__:
        value = getattr(module, member)
        if member in ENUMERATIONS:
            continue
        if issubclass(value, Flags):
            flags.append(_flags(member, value))
        elif issubclass(value, Record):
            classes.append(_record(value, homes))
    body = "\n".join([*flags, *classes])
    enums = sorted(member for member in module.__all__ if member in ENUMERATIONS)
    exported = "\n".join(f'    "{member}",' for member in module.__all__)
    parts = [HEADER, *_imports(body)]
    if enums:
        parts.append(f"from msmq_wire.values.enumerations import {', '.join(enums)}")
    parts.append(f"\n__all__ = [\n{exported}\n]\n")
    parts += [f"{alias} = {meaning}\n" for alias, meaning in ALIASES.items() if alias in body]
    return "\n".join([*parts, body])


def _imports(body: str) -> list[str]:
    """The import lines that the body needs; names are qualified, because fields bear the names of types."""
    text = body + "".join(meaning for alias, meaning in ALIASES.items() if alias in body)
    homes = dict.fromkeys(MODULES, "msmq_wire.documents") | OTHERS
    modules = [(home, name) for name, home in homes.items() if re.search(rf"(?<![\w.]){name}\.", text)]
    lines = [
        ("import datetime as dt", "dt."),
        ("import ipaddress", "ipaddress."),
        ("from collections.abc import Iterable", "Iterable["),
        ("from typing import Any", "Any"),
        ("from typing import Self", "Self"),
        ("import uuid", "uuid."),
        *((f"from {home} import {name}", ".") for home, name in modules),
        ("from msmq_wire.records.record import Flags", "(Flags)"),
        ("from msmq_wire.records.record import Record", "(Record)"),
        ("from msmq_wire.values.guid import GUID", "GUID"),
        ("from msmq_wire.values.property_values import PropertyValue", "PropertyValue"),
        ("from msmq_wire.values.sequence_number import SEQUENCE_NUMBER", "SEQUENCE_NUMBER"),
    ]
    return [line for line, mark in lines if mark in text]


def _doc(text: str, indent: int) -> str:
    body = inspect.cleandoc(text)
    lines = f'"""{body}\n"""' if "\n" in body else f'"""{body}"""'
    return textwrap.indent(lines, " " * indent)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _flags(name: str, kind: type[Flags]) -> str:
    groups = kind.kind.groups
    parameters = ", ".join(f"{group.name}: int = ..." for group in groups)
    lines = [
        f"class {name}(Flags):",
        _doc(kind.__doc__ or "", 4),
        f"    def __new__(cls, value: int | None = None, /, *, {parameters}) -> Self: ...",
        f"    def replace(self, *, {parameters}) -> Self: ...",
    ]
    for group in groups:
        lines += ["    @property", f"    def {group.name}(self) -> int:", _doc(_sentence(group.doc), 8)]
    return "\n".join([*lines, ""])


def _record(kind: type[Record], homes: dict[str, str]) -> str:
    structure = kind.layout
    own = {name: kind.flags[name] for name in kind.flags}
    lines = [
        f"class {kind.__name__}(Record):",
        _doc(kind.__doc__ or "", 4),
        "    def __init__(",
        "        self,",
    ]
    lines += [f"        {field.name}: {_accepted(field, own, homes)} = ...," for field in structure.fields]
    lines += ["    ) -> None: ..."]
    for field in structure.fields:
        lines += [
            "    @property",
            f"    def {field.name}(self) -> {_held(field, own, homes)}:",
            _doc(_sentence(field.doc), 8),
        ]
    for name, function in READINGS.get(kind.__name__, {}).items():
        result = str(inspect.signature(function).return_annotation)
        lines += ["    @property", f"    def {name}(self) -> {result}:", _doc(function.__doc__ or "", 8)]
    for name, value in vars(kind).items():
        if isinstance(value, classmethod):
            signature = str(inspect.signature(value.__func__)).replace("'", "")
            lines += [
                "    @classmethod",
                f"    def {name}{signature}:",
                _doc(value.__func__.__doc__ or "", 8),
            ]
    return "\n".join([*lines, ""])


def _home(name: str, homes: dict[str, str]) -> str:
    return f"{homes[name]}.{name}"


def _forms(kind: layout.Choice, homes: dict[str, str]) -> list[str]:
    return [_home(name, homes) for name in dict.fromkeys(form.name for form in kind.forms.values() if form)]


def _held(field: layout.Field, flags: dict[str, type[Flags]], homes: dict[str, str]) -> str:
    """The type of a record's field."""
    kind = field.kind
    optional = " | None" if field.present else ""
    match kind:
        case layout.Integer():
            return "int"
        case layout.Flags():
            return flags[field.name].__name__
        case layout.Guid():
            return f"GUID{optional}"
        case layout.Sequence():
            return "SEQUENCE_NUMBER"
        case layout.Numbers():
            return "tuple[int, ...]"
        case layout.Values():
            return "tuple[PropertyValue, ...]"
        case layout.Bytes() | layout.Padding():
            return "bytes"
        case layout.Text():
            return f"str{optional}"
        case layout.Nested():
            return f"{_home(kind.structure.name, homes)}{optional}"
        case layout.Items():
            return f"tuple[{_home(kind.structure.name, homes)}, ...]"
        case layout.Choice():
            nothing = ["None"] if None in kind.forms.values() else []
            return " | ".join([*_forms(kind, homes), *nothing])
    raise AssertionError(kind)


def _accepted(field: layout.Field, flags: dict[str, type[Flags]], homes: dict[str, str]) -> str:
    """The type that the constructor takes for a field."""
    kind = field.kind
    optional = " | None" if field.present else ""
    match kind:
        case layout.Flags():
            return f"{flags[field.name].__name__} | int"
        case layout.Guid():
            return f"_Guid{optional}"
        case layout.Sequence():
            return "_Number"
        case layout.Numbers():
            return "Iterable[int]"
        case layout.Values():
            return "Iterable[Any]"
        case layout.Bytes() | layout.Padding():
            return "_Bytes"
        case layout.Items():
            return f"Iterable[{_home(kind.structure.name, homes)}]"
        case layout.Choice() if None in kind.forms.values():
            return " | ".join([*_forms(kind, homes), "format_names.FormatName", "str", "None"])
    return _held(field, flags, homes)


def main() -> None:
    """Write the stubs beside the modules."""
    for name, text in stubs().items():
        (SOURCE / name).write_text(text)


if __name__ == "__main__":
    main()
