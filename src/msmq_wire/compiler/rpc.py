"""Generates the module of structures in RPC calls, from C text with IDL attributes in comments."""

from __future__ import annotations

import re
from enum import EnumMeta
from typing import TYPE_CHECKING, Any

from dissect.cstruct import Pointer as CPointer
from dissect.cstruct import Union as CUnion

from msmq_wire.definitions import load
from msmq_wire.definitions.c_rpc import RPC
from msmq_wire.ndr.model import (
    Arm,
    Array,
    Embedded,
    Field,
    Guid,
    Packed,
    Pointer,
    Scalar,
    String,
    Structure,
    Type,
    Union,
)

from .emit import model_source
from .pages import INTEGERS, annotation_of, comments
from .records import documentation, meant, sentence, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


_ATTRIBUTE = re.compile(r"\[(?P<name>\w+)(?:\((?P<value>[^)]*)\))?\] ?")


class _Declared:
    """A parsed comment: its attributes, and the text after them."""

    def __init__(self, text: str) -> None:
        self.attributes = {attribute["name"]: attribute["value"] for attribute in _ATTRIBUTE.finditer(text)}
        self.doc = _ATTRIBUTE.sub("", text)

    def numbers(self, name: str) -> list[int]:
        """Return the values that an attribute lists."""
        return [int(value, 0) for value in (self.attributes.get(name) or "").split(",") if value]


class _Page:
    """Converts cstruct types into layouts.

    Args:
        packed: Fixed-size structures that are records of packets.
    """

    def __init__(self, packed: Mapping[str, Packed]) -> None:
        self.packed = packed
        self.types = load()
        self.types.load(RPC, compiled=False)
        self.sections, self.docs = comments(RPC)

    def structures(self) -> list[Structure]:
        return [self.structure(name, section) for name, section in self.sections.items()]

    def structure(self, name: str, section: str) -> Structure:
        fields: list[Field] = []
        for item in getattr(self.types, name).__fields__:
            comment = _Declared(self.docs[f"{name}.{item.name}"])
            if issubclass(item.type, CUnion):
                kind = self.union(f"{name}.{item.name}", item.type, comment, fields)
            else:
                kind = self.type(item.type, comment)
            fields.append(Field(item.name, kind, comment.doc, comment.attributes.get("default")))
        return Structure(name, section, tuple(fields), self.docs[name])

    def union(self, path: str, declared: Any, comment: _Declared, before: list[Field]) -> Type:
        arms: dict[int, Arm | None] = dict.fromkeys(comment.numbers("empty"))
        for item in declared.__fields__:
            arm = _Declared(self.docs[f"{path}.{item.name}"])
            variant = Arm(item.name, self.type(item.type, arm), arm.doc)
            arms |= dict.fromkeys(arm.numbers("case"), variant)
        selector = comment.attributes["switch_is"] or ""
        tag = next(field.type for field in before if field.name == selector)
        assert isinstance(tag, Scalar)  # noqa: S101  # selectors are always numbers
        return Union(selector, tag, arms)

    def type(self, declared: Any, comment: _Declared) -> Type:
        if not issubclass(declared, CPointer):
            return self.plain(declared)
        target = annotation_of(declared, "type")
        count = comment.attributes.get("size_is")
        if count is None:
            return Pointer(String() if "string" in comment.attributes else Guid())
        if "of" in comment.attributes:
            return Pointer(Array(Embedded(comment.attributes["of"] or ""), count))
        return Pointer(
            Array(Pointer(String()) if issubclass(target, CPointer) else self.plain(target), count)
        )

    def plain(self, declared: Any) -> Type:
        name = declared.__name__
        if name == "GUID":
            return Guid()
        if name in INTEGERS:
            return Scalar(INTEGERS[name], annotation_of(declared, "size"))
        if isinstance(declared, EnumMeta):
            return Scalar(
                INTEGERS[annotation_of(declared, "type").__name__], annotation_of(declared, "size"), name
            )
        if name in self.packed:
            return self.packed[name]
        return Embedded(name)


def _python_type(kind: Type | String | Array) -> str:
    """Return the type annotation of a record's field."""
    match kind:
        case Scalar():
            return "int"
        case Guid():
            return "GUID"
        case Packed() | Embedded():
            return kind.name
        case String():
            return "str"
        case Array(element=Scalar(size=1)):
            return "bytes"
        case Array():
            return f"tuple[{_python_type(kind.element)}, ...]"
        case Pointer():
            return f"{_python_type(kind.to)} | None"
        case Union():
            forms = dict.fromkeys(_python_type(arm.type) for arm in kind.arms.values() if arm)
            parts = dict.fromkeys(part for form in forms for part in form.split(" | "))
            return " | ".join([*(part for part in parts if part != "None"), "None"])
    raise AssertionError(kind)


def _accepted(kind: Type) -> str:
    """Return the type annotation of the constructor's parameter for a field."""
    annotation = _python_type(kind)
    annotation = annotation.replace("bytes", "_Bytes")
    annotation = re.sub(r"tuple\[(.*?), \.\.\.\]", r"Iterable[\1]", annotation)
    return annotation if annotation.startswith("int | ") else annotation.replace("GUID", "_Guid")


def _arm_source(field: Field, selector: str, values: list[int], arm: Arm) -> list[str]:
    selectors = " or ".join(f"{value:#x}" for value in values)
    kind = _python_type(arm.type)
    kind = kind if kind.endswith("None") else f"{kind} | None"
    test = f"== {values[0]:#x}" if len(values) == 1 else f"in {tuple(values)}"
    return [
        "    @property",
        f"    def {arm.name}(self) -> {kind}:",
        documentation(f"{sentence(arm.doc)} None unless `{selector}` is {selectors}.", 8),
        f'        return cast("{kind}", self.{field.name}) if self.{selector} {test} else None',
        "",
    ]


def _class(
    structure: Structure, readings: Mapping[str, Callable[..., Any]], makers: Mapping[str, Callable[..., Any]]
) -> str:
    lines = [f"class {structure.name}(NdrRecord, frozen=True):"]
    lines += wrapped(f'"""{sentence(structure.doc)[:-1]} ({structure.section}).', 4)
    lines += ["", "    Attributes:"]
    for field in structure.fields:
        lines += wrapped(f"{field.name}: {sentence(field.doc)}", 8, 4)
    lines += ['    """', "", f"    layout: ClassVar[Structure] = {structure.name}_LAYOUT", ""]
    lines += [f"    {field.name}: {_python_type(field.type)} = LEFT_OUT" for field in structure.fields]
    lines += ["", "    if TYPE_CHECKING:", "        def __init__(", "            self,"]
    lines += [f"            {field.name}: {_accepted(field.type)} = ...," for field in structure.fields]
    lines += ["        ) -> None: ...", ""]
    for field in structure.fields:
        if isinstance(field.type, Union):
            names = dict.fromkeys(arm.name for arm in field.type.arms.values() if arm)
            for name in names:
                arms = [(value, arm) for value, arm in field.type.arms.items() if arm and arm.name == name]
                values = [value for value, _ in arms]
                lines += _arm_source(field, field.type.selector, values, arms[0][1])
    lines += meant(readings, makers)
    return "\n".join(lines)


_HEAD = '''"""The structures that calls carry, and their layouts.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from msmq_wire.values.guid import GUID  # noqa: TC001  # signatures show the types of fields

from . import readings
from .model import (
    Arm, Array, Embedded, Field, Guid, Packed, Pointer, Scalar, String, Structure, Union, register, structures
)
from .record import LEFT_OUT, NdrRecord

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable

    from msmq_wire.names import format_names
    from msmq_wire.values import enumerations
    from msmq_wire.values.properties.values import PropertyValue

    _Bytes = bytes | bytearray | memoryview
    _Guid = GUID | uuid.UUID | str | bytes
'''


def rpc_source(packed: Mapping[str, Packed], homes: Mapping[str, str]) -> str:
    """Return the text of the module.

    Args:
        packed: Structures of numbers without gaps, by name.
        homes: The document module of each record of packets.
    """
    from msmq_wire.ndr.readings import MAKERS, READINGS  # noqa: PLC0415  # import only after the model has been read

    structures = _Page(packed).structures()
    layouts = "\n".join(f"{structure.name}_LAYOUT = {model_source(structure)}" for structure in structures)
    names = [structure.name for structure in structures]
    registered = f"register({', '.join(f'{name}_LAYOUT' for name in names)})"
    classes = "\n\n".join(
        _class(structure, READINGS.get(structure.name, {}), MAKERS.get(structure.name, {}))
        for structure in structures
    )
    shared = sorted({form.name for structure in structures for form in _packed_in(structure)})
    head = _HEAD.replace("from . import readings\n", _shared(shared, homes) + "from . import readings\n", 1)
    exported = repr(sorted([*shared, *names, "structures"]))
    return "\n".join([head, f"__all__ = {exported}", "", layouts, registered, "", classes, ""])


def _packed_in(structure: Structure) -> Iterator[Packed]:
    """Yield the packet records that a structure contains."""
    for field in structure.fields:
        arms = field.type.arms.values() if isinstance(field.type, Union) else ()
        yield from (
            kind for kind in [field.type, *(arm.type for arm in arms if arm)] if isinstance(kind, Packed)
        )


def _shared(names: list[str], homes: Mapping[str, str]) -> str:
    return "".join(f"from msmq_wire.documents.{homes[name]} import {name}\n" for name in names)
