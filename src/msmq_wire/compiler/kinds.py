"""The generated code for a field of each kind: one row for each kind.

1. The texts are templates.  `kind` is the kind itself, `value` is source of a value, `name` is the field.
2. A record's class, its builder, its encoder, its size, and its dictionary are made from these rows.  Only
   decoders are not: they depend on the fields read before (`codec.decoder`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.records import accept, model

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.records.model import Kind


class Sources(NamedTuple):
    """The templates of a kind.

    Attributes:
        annotation: Type annotation of the field in the record; `class_` is the class of its structure.
        accepted: Type annotation of the constructor's parameter.
        plain: The value as JSON type.
        from_plain: The value, taken from a dictionary.
        size: Its size in bytes; `units` is source of its length, `ended` adds the size of its terminator.
        written: Its bytes, or the value that `struct` packs if its size is fixed.
        check: The function of `accept` that checks a given value.
        doubt: Test of a value that has to be checked; empty if each value is.
        omitted: Name of the value of an omitted field that is always present, if there is one.
        units: Length of a value, in elements.
        elements: The name of the elements in errors.
    """

    annotation: str
    accepted: str
    plain: str
    from_plain: str
    size: str = "{kind.fixed_size}"
    written: str = "{value}"
    check: Callable[..., Any] | None = None
    doubt: str = ""
    omitted: str = ""
    units: str = "len({value})"
    elements: str = "elements"


_BYTES = Sources(
    annotation="bytes",
    accepted="_Bytes",
    plain="{value}.hex()",
    from_plain='taken.value("{name}", plain.octets)',
    size="{units}",
    check=accept.raw_bytes,
    doubt="{value}.__class__ is not bytes",
    elements="bytes",
)

_SOURCES: dict[type[Kind], Sources] = {
    model.Integer: Sources(
        annotation="int",
        accepted="int",
        plain="{value}",
        from_plain='taken.value("{name}", plain.number)',
        check=accept.integer,
        doubt="{value}.__class__ is not int or not {kind.bounds[0]} <= {value} <= {kind.bounds[1]}",
    ),
    model.Flags: Sources(
        annotation="{kind.name}",
        accepted="{kind.name} | int",
        # The lines of `Flags.to_dict` and `str`, inlined to save calls.
        plain="groups_{kind.name}[{value}].copy()",
        from_plain='taken.flags("{name}")',
    ),
    model.Guid: Sources(
        annotation="GUID",
        accepted="_Guid",
        plain="{value}.__str__()",
        from_plain='taken.value("{name}", plain.guid)',
        written="{value}.bytes_le",
        check=accept.guid,
        doubt="not ({value}.__class__ is GUID and (_raw := {value}.bytes_le).__class__ is bytes and len(_raw) == 16)",
        omitted="NULL_GUID",
    ),
    model.Sequence: Sources(
        annotation="SEQUENCE_NUMBER",
        accepted="_Number",
        plain="{value}.__str__()",
        from_plain='taken.value("{name}", plain.sequence)',
        written="{value}.raw",
        check=accept.sequence_number,
        omitted="MIN_SEQ_NUMBER",
    ),
    model.Numbers: Sources(
        annotation="tuple[int, ...]",
        accepted="Iterable[int]",
        plain="list({value})",
        from_plain='taken.each("{name}", plain.number)',
        size="{units} * {kind.size}",
        check=accept.numbers,
    ),
    model.Values: Sources(
        annotation="tuple[PropertyValue, ...]",
        accepted="Iterable[Any]",
        plain="plain_properties.properties({value})",
        from_plain='taken.properties("{name}", "{kind.identifiers}")',
        size="size_of_values({value})",
        written="write_values({value})",
        check=accept.property_values,
    ),
    model.Bytes: _BYTES,
    model.Padding: _BYTES,
    model.Text: Sources(
        annotation="str",
        accepted="str",
        plain="{value}",
        from_plain='taken.value("{name}", plain.text)',
        size="({units} * 2{ended})",
        written='encode_utf16({value}, "surrogatepass")[0]',
        check=accept.text,
        units="(len({value}) if {value}.isascii() else wchar_count({value}))",
        elements="WCHARs",
    ),
    model.Nested: Sources(
        annotation="{class_}",
        accepted="{class_}",
        plain="plain_{kind.structure.name}({value})",
        from_plain='taken.part("{name}", from_plain_{kind.structure.name})',
        size="size_{kind.structure.name}({value})",
        written="encode_{kind.structure.name}({value})",
        check=accept.part,
    ),
    model.Items: Sources(
        annotation="tuple[{class_}, ...]",
        accepted="Iterable[{class_}]",
        plain="[plain_{kind.structure.name}(item) for item in {value}]",
        from_plain='taken.parts("{name}", from_plain_{kind.structure.name})',
        size="sum(map(size_{kind.structure.name}, {value}))",
        written="join([encode_{kind.structure.name}(item) for item in {value}])",
        check=accept.parts,
    ),
    model.Choice: Sources(
        annotation="{class_}",
        accepted="{class_}",
        plain="{value}._plain()",
        from_plain='taken.form("{name}")',
        size="size_of({value})",
        written="{value}._write()",
    ),
}


def sources(kind: Kind) -> Sources:
    """Return the templates of a kind."""
    return _SOURCES[type(kind)]


def units(kind: Kind, value: str) -> str:
    """Return source of the number of elements of an array on the wire."""
    return sources(kind).units.format(value=value)


def encoded(kind: Kind, value: str) -> list[str]:
    """Return source of the parts of a field's bytes."""
    terminator = [r'b"\0\0"'] if getattr(kind, "count", None) == model.NUL else []
    return [sources(kind).written.format(kind=kind, value=value), *terminator]
