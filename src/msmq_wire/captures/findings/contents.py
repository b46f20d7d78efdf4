"""The types of bodies by their first bytes: executables, scripts, command lines, and objects of .NET.

Only bodies that begin like one of these are processed one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import marks
from msmq_wire.arrow.bodies import executable_name
from msmq_wire.arrow.dotnet import VERSION, VERSION_AT, Types, is_object, type_names

from .command_lines import command_line, rows_with_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_UTF_8_MARK, _UTF_16_MARK = b"\xef\xbb\xbf", b"\xff\xfe"
_MOST_SHOWN: Final = 5


class Gadget(NamedTuple):
    """A class of .NET that runs code, or loads some, while it is deserialized.

    Attributes:
        type: Its full name; a nested class, or a generic one with its arguments, begins with it.
        name: The name of the chain in public tools.
    """

    type: str
    name: str


GADGETS: Final = (
    Gadget("System.DelegateSerializationHolder", "TypeConfuseDelegate"),
    Gadget("System.Management.Automation.PSObject", "PSObject"),
    Gadget(
        "Microsoft.VisualStudio.Text.Formatting.TextFormattingRunProperties", "TextFormattingRunProperties"
    ),
    Gadget(
        "System.Workflow.ComponentModel.Serialization.ActivitySurrogateSelector", "ActivitySurrogateSelector"
    ),
    Gadget("System.Windows.Forms.AxHost+State", "AxHostState"),
    Gadget("System.Drawing.Design.ToolboxItemContainer", "ToolboxItemContainer"),
    Gadget("System.Data.DataSet", "DataSet"),
    Gadget("System.Security.Claims.ClaimsIdentity", "ClaimsIdentity"),
    Gadget("System.Security.Claims.ClaimsPrincipal", "ClaimsPrincipal"),
    Gadget("System.Security.Principal.WindowsIdentity", "WindowsIdentity"),
    Gadget("System.Security.Principal.WindowsPrincipal", "WindowsPrincipal"),
    Gadget("System.Security.Principal.GenericPrincipal", "GenericPrincipal"),
    Gadget("Microsoft.IdentityModel.Claims.WindowsClaimsIdentity", "WindowsClaimsIdentity"),
    Gadget("System.IdentityModel.Tokens.SessionSecurityToken", "SessionSecurityToken"),
    Gadget("Microsoft.IdentityModel.Tokens.SessionSecurityToken", "SessionSecurityToken"),
    Gadget("System.Web.UI.MobileControls.SessionViewState", "SessionViewStateHistoryItem"),
    Gadget("System.Web.Security.RolePrincipal", "RolePrincipal"),
    Gadget("System.Resources.ResourceSet", "ResourceSet"),
    Gadget("System.Runtime.Remoting.ObjRef", "ObjRef"),
    Gadget("System.Configuration.SettingsPropertyValue", "GetterSettingsPropertyValue"),
    Gadget("System.CodeDom.Compiler.CompilerResults", "GetterCompilerResults"),
)
"""Classes of the public gadget chains for BinaryFormatter (ysoserial.net)."""


def _gadgets_of(names: tuple[str, ...]) -> dict[str, str]:
    """Return the types that are classes of chains, each with the name of its chain."""
    return {name: gadget.name for gadget in GADGETS for name in names if _is_of(name.lstrip(), gadget.type)}


def _is_of(name: str, kind: str) -> bool:
    """Return whether a type is of a class: nested, generic, an array, or with the name of its assembly."""
    return name.startswith(kind) and name[len(kind) : len(kind) + 1] in {"", "+", "`", "[", ","}


# ------------------------------------------------------------------------------------------ executables


_PROGRAMS: Final = {
    "": None,
    "PE": "a Windows executable (MZ, PE)",
    **dict.fromkeys(("NE", "LE", "LX"), "a Windows executable (MZ)"),
    "ELF": "an ELF executable",
    "Mach-O": "a Mach-O executable",
    "Java class": "a Java class",
    "LNK": "a shortcut of Windows (LNK)",
}
"""What formats of executables are, by the names that `executable_name` returns."""


def _program(body: bytes) -> str | None:
    """An executable, by its headers; its mark alone may be a text or a number."""
    return _PROGRAMS[executable_name(body)]


def _script(body: bytes) -> str | None:
    """The first line names the interpreter by its path."""
    wide = body.startswith((_UTF_16_MARK, b"#\0"))
    text = body.removeprefix(_UTF_16_MARK)[: 512 if wide else 256]
    text = text[::2] if wide else text.removeprefix(_UTF_8_MARK)
    line = text.partition(b"\n")[0].removeprefix(b"#!").strip()
    return f"a script for {line.decode('ascii')}" if line.startswith(b"/") and _is_shown(line) else None


def _php(_body: bytes) -> str:
    return "a PHP script"


def _batch(_body: bytes) -> str:
    return "a batch file"


def _is_shown(line: bytes) -> bool:
    return all(0x20 <= byte < 0x7F for byte in line)


_ECHOES: Final = (b"@echo off", b"@Echo off", b"@Echo Off", b"@ECHO OFF")
_MARKS: Final[tuple[tuple[str, tuple[bytes, ...], Callable[[bytes], str | None]], ...]] = (
    ("MZ with a PE, NE, LE or LX header", (b"MZ",), _program),
    ("ELF", (b"\x7fELF",), _program),
    ("Mach-O", (b"\xfe\xed\xfa", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe"), _program),
    ("Java classes", (b"\xca\xfe\xba\xbe",), _program),
    ("shortcuts of Windows (LNK)", (b"L\0\0\0\1\x14\2\0",), _program),
    ("#! with a path", (b"#!", _UTF_8_MARK + b"#!", b"#\0!\0", _UTF_16_MARK + b"#\0!\0"), _script),
    ("<?php", (b"<?php", _UTF_8_MARK + b"<?php"), _php),
    (
        "@echo off",
        tuple(mark + line for mark in (b"", _UTF_8_MARK) for line in _ECHOES),
        _batch,
    ),
)
"""What executables and scripts are known by, their first bytes, and what decides."""
*_FIRST, _LAST = (words for words, _, _ in _MARKS)
PROGRAMS: Final = f"{', '.join(_FIRST)}, and {_LAST}"
"""What executables and scripts are known by, in words."""


# ------------------------------------------------------------------------------------------ columns

CONTENT_COLUMNS: Final = ("content", "types", "gadgets")
"""The columns of `content_columns`."""


def content_columns(bodies: pa.Array) -> dict[str, pa.Array]:
    """Return the types of bodies as columns of texts.

    Args:
        bodies: Bodies, which are bytes or null.

    Returns:
        ``content``: an executable, a script or a command line; ``types``: the types of a serialized
        object, the first ones by name; ``gadgets``: chains of `GADGETS` among them.  Null for other bodies.
    """
    columns: dict[str, list[str | None]] = {name: [None] * len(bodies) for name in CONTENT_COLUMNS}
    for row in _that_begin(bodies, VERSION, VERSION_AT):
        body = bodies[row].as_py()
        if is_object(body):
            types = type_names(body)
            gadgets = _gadgets_of(types.names)
            columns["types"][row] = _listed(types, gadgets)
            columns["gadgets"][row] = ", ".join(dict.fromkeys(gadgets.values())) or None
    for _, beginnings, decide in _MARKS:
        for row in (row for mark in beginnings for row in _that_begin(bodies, mark)):
            columns["content"][row] = columns["content"][row] or decide(bodies[row].as_py())
    for row in rows_with_names(bodies):
        columns["content"][row] = columns["content"][row] or command_line(bodies[row].as_py())
    return {name: pa.array(column, pa.string()) for name, column in columns.items()}


def _listed(types: Types, gadgets: Iterable[str]) -> str:
    """Return the first types by name, those of chains before others, and whether there may be more."""
    names = [*dict.fromkeys([*gadgets, *types.names])]
    more = len(names) - _MOST_SHOWN
    shown = ", ".join(map(_short, names[:_MOST_SHOWN])) + (f" and {more} more" if more > 0 else "")
    return (shown or "no class") + ("" if types.problem is None else "; the rest cannot be read")


def _that_begin(bodies: pa.Array, mark: bytes, at: int = 0) -> list[int]:
    begins = pc.equal(pc.binary_slice(bodies, at, at + len(mark)), mark)
    rows: list[int] = np.flatnonzero(marks(begins)).tolist()
    return rows


def _short(name: str) -> str:
    """Return the name of a type without the assemblies of its arguments."""
    return name.partition("[[")[0][:120]
