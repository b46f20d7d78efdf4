"""Generates the classes of flags words and records; their docstrings come from the definitions."""

from __future__ import annotations

import inspect
import textwrap
from typing import TYPE_CHECKING, Any

from msmq_wire.definitions.relations import CONVERTERS
from msmq_wire.records import model
from msmq_wire.records.plan import omitted

from .kinds import sources

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from msmq_wire.records.model import Field, Structure


_WIDTH = 106


def sentence(text: str) -> str:
    """Return a comment as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def documentation(text: str, indent: int) -> str:
    """Return a docstring with that text."""
    body = inspect.cleandoc(text)
    lines = f'"""{body}\n"""' if "\n" in body else f'"""{body}"""'
    return textwrap.indent(lines, " " * indent)


def wrapped(text: str, indent: int, more: int = 0) -> list[str]:
    """Wrap a text to lines; `more` is the extra indentation of all lines but the first."""
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + more),
        break_on_hyphens=False,
    )


def flags_source(structure: Structure, field: Field, defaults: int) -> str:
    """Return the source of a flags class."""
    kind = field.kind_as(model.Flags)
    parameters = ", ".join(f"{group.name}: int = ..." for group in kind.groups)
    lines = [
        f"\nclass {kind.name}(Flags):",
        *wrapped(f'"""Groups of `{structure.name}.{field.name}`: {field.doc}."""', 4),
        "",
        "    __slots__ = ()",
        f'    structure = "{structure.name}"',
        f'    field = "{field.name}"',
        f"    defaults = {defaults:#x}",
        "",
        "    if TYPE_CHECKING:",
        f"        def __new__(cls, value: int | None = None, /, *, {parameters}) -> Self: ...",
        f"        def replace(self, *, {parameters}) -> Self: ...",
        "",
    ]
    for group in kind.groups:
        low = (1 << group.width) - 1
        read = f"int(self) >> {group.shift} & {low:#x}" if group.shift else f"int(self) & {low:#x}"
        lines += [
            "    @property",
            f"    def {group.name}(self) -> int:",
            documentation(sentence(group.doc), 8),
            f"        return {read}",
            "",
        ]
    return "\n".join(lines)


def record_source(
    structure: Structure,
    homes: dict[str, str],
    readings: dict[str, Any],
    makers: dict[str, Any],
) -> str:
    """Return the source of a structure's record class; methods can be appended."""
    summary = structure.doc or sentence(f"{structure.name}")
    words = {item.name: item.word.name for item in structure.fields if item.word}
    flags = ", ".join(f'"{name}": {kind}' for name, kind in words.items())
    lines = [f"\nclass {structure.name}(Record, frozen=True, gc=False):"]
    lines += wrapped(f'"""{sentence(summary)[:-1]} ({structure.section}).', 4)
    lines += ["", "    Attributes:"]
    for field in structure.fields:
        lines += wrapped(f"{field.name}: {sentence(field.doc or field.name)}", 8, 4)
    lines += ['    """', ""]
    lines += [f"    flags: ClassVar[dict[str, type[Flags]]] = {{{flags}}}", ""]
    lines += [f"    {field.name}: {_held(field, homes)}" for field in structure.fields]
    lines += ["", "    if TYPE_CHECKING:", "        def __init__(", "            self,"]
    lines += [
        f"            {field.name}: {accepted(structure, field, homes)} = {_default(structure, field)},"
        for field in structure.fields
    ]
    lines += ["        ) -> None: ...", ""]
    lines += [
        "        def __replace__(",
        "            self,",
        "            changes: Mapping[str, Any] | None = None,",
        "            /,",
        "            *,",
    ]
    lines += [
        f"            {field.name}: {accepted(structure, field, homes)} = ...," for field in structure.fields
    ]
    lines += ["        ) -> Self: ...", ""]
    lines += meant(readings, makers)
    return "\n".join(lines)


def meant(readings: Mapping[str, Callable[..., Any]], makers: Mapping[str, Callable[..., Any]]) -> list[str]:
    """Return the source of the properties and class methods that call the functions of `readings`."""
    lines: list[str] = []
    for name, function in readings.items():
        result = str(inspect.signature(function).return_annotation)
        lines += [
            "    @property",
            f"    def {name}(self) -> {result}:",
            documentation(function.__doc__ or "", 8),
            f"        return readings.{function.__name__}(self)",
            "",
        ]
    for name, function in makers.items():
        signature = inspect.signature(function)
        shown = str(signature).replace("'", "").replace("(cls: Any, ", "(cls, ")
        given = ", ".join(list(signature.parameters)[1:])
        call = [f"        return readings.{function.__name__}(cls, {given})", ""]
        if shown.endswith(" -> Any"):  # it calls the class
            shown = f"{shown.removesuffix('Any')}Self"
            call = [
                f"        record: Self = readings.{function.__name__}(cls, {given})",
                "        return record",
                "",
            ]
        lines += [
            "    @classmethod",
            f"    def {name}{shown}:",
            documentation(function.__doc__ or "", 8),
            *call,
        ]
    return lines


def headers_source(headers: Mapping[str, str]) -> str:
    """Return the source of the type of the headers in a result of `decode_lax`.

    Args:
        headers: The names of the headers of packets, and the document of each.
    """
    documents = ", ".join(dict.fromkeys(headers.values()))
    lines = [
        '"""The headers in the result of `decode_lax`, by name; type checkers know the class of each.',
        "",
        "At run time this is an ordinary mapping.  For structures other than packets, the names are paths.",
        "",
        "Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping",
        "from typing import TYPE_CHECKING, Any, Literal, overload",
        "",
        "if TYPE_CHECKING:",
        f"    from msmq_wire.documents import {documents}",
        "",
        '__all__ = ["Headers"]',
        "",
        "if TYPE_CHECKING:",
        "",
        "    class Headers(Mapping[str, Any]):",
        '        """Headers by name."""',
        "",
    ]
    for name, home in headers.items():
        lines.append("        @overload")
        lines.append(f'        def __getitem__(self, name: Literal["{name}"], /) -> {home}.{name}: ...')
    lines += [
        "        @overload",
        "        def __getitem__(self, name: str, /) -> Any: ...",
        "        def __getitem__(self, name: str, /) -> Any: ...",
    ]
    marker = "  # type: ignore[override]  # it knows more"
    for name, home in headers.items():
        lines.append(f"        @overload{marker}")
        lines.append(f'        def get(self, name: Literal["{name}"], /) -> {home}.{name} | None: ...')
        marker = ""
    lines += [
        "        @overload",
        "        def get(self, name: str, default: Any = ..., /) -> Any: ...",
        "        def get(self, name: str, default: Any = ..., /) -> Any:",
        '            """A header, or a default."""',
        "",
        "else:",
        "    Headers = Mapping[str, Any]",
        "",
    ]
    return "\n".join(lines)


def _home(name: str, homes: dict[str, str]) -> str:
    """Return a class name qualified by its module, because fields with the same name hide the class."""
    return f"{homes[name]}.{name}"


def _class(field: Field, homes: dict[str, str], converted: tuple[str, ...] = ()) -> str:
    """Return the classes of the structures that a field can be, and those that are converted to one."""
    classes = [_home(structure.name, homes) for structure in field.structures]
    nothing = ["None"] if isinstance(field.kind, model.Choice) and None in field.kind.forms.values() else []
    return " | ".join([*classes, *converted, *nothing])


def _held(field: Field, homes: dict[str, str]) -> str:
    """Return the type annotation of a record's field."""
    annotation = sources(field.kind).annotation.format(kind=field.kind, class_=_class(field, homes))
    return f"{annotation} | None" if field.present else annotation


def _default(structure: Structure, field: Field) -> str:
    """Return source of the value that an omitted field gets; `...` if it is computed."""
    value = omitted(structure, field)
    if value is ...:
        return "..."
    return f"{value:#x}" if isinstance(value, int) and value > 0xFFFF else repr(value)


def accepted(structure: Structure, field: Field, homes: dict[str, str]) -> str:
    """Return the type annotation of the constructor's parameter for a field."""
    converter = CONVERTERS.get(f"{structure.name}.{field.name}")
    class_ = _class(field, homes, tuple(converter.takes) if converter else ())
    annotation = sources(field.kind).accepted.format(kind=field.kind, class_=class_)
    return f"{annotation} | None" if field.present else annotation
