"""Generates the first step of a builder: taking the values that a caller gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.compiler.emit import Expression
from msmq_wire.compiler.kinds import sources
from msmq_wire.definitions import relations
from msmq_wire.records import accept
from msmq_wire.records.model import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Count,
    Field,
    Integer,
    Nested,
    Text,
)
from msmq_wire.records.omitted import Omitted
from msmq_wire.records.plan import awaited

if TYPE_CHECKING:
    from collections.abc import Collection

    from .draft import Draft


def default_value(value: Any) -> str:
    """Return source of the value that a field of a part has by default in a packet."""
    match value:
        case relations.Encoded(structure=structure):
            return f"{structure}().encode()"
        case relations.Built(structure=structure, field=field, value=number):
            return f"{structure}({field}={number})"
    return repr(value)


class Taker:
    """Emit source that checks and converts every value, in page order; values that are set later stay None.

    Values that are clearly valid pass at once; all others go through `accept`.  The values are in
    variables with the names of their fields, and ``_given_Flags`` holds the bit groups of a flags word
    that were given.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.given: set[str] = set()

    def take(self, fields: Collection[Field]) -> None:
        """Emit source that takes the given values of these fields."""
        self.given = {field.name for field in fields}
        for name in self.asked_later():
            if name in self.given:
                self.draft.emit(f"_out_{name} = {name} is None")
        for field in fields:
            self.accept(field)

    def asked_later(self) -> list[str]:
        """Return the fields for which a later step needs to know whether the caller omitted them."""
        names = set(self.draft.plan.companions.values())
        for field in self.draft.structure.fields:
            if f"{self.draft.path(field)}" in relations.OMITTABLE_HOSTS:
                names.update(relations.INFERRED_HOST.values())
        return [name for name in self.draft.structure.by_name if name in names]

    def chosen(self) -> set[str]:
        """Return the numbers that depend on which optional texts and GUIDs are present."""
        offsets = {field.offset_in[0] for field in self.draft.structure.fields if field.offset_in}
        return offsets | self.draft.plan.alternatives.keys()

    def set_last(self) -> set[str]:
        """Return the numbers that select a form or state the size of this structure."""
        names = {selector for selector, _ in self.draft.plan.selectors.values() if "." not in selector}
        extent = self.draft.structure.extent
        return names | ({extent.path} if extent and "." not in extent.path else set())

    # -- given values

    def accept(self, field: Field, absent: str = "") -> None:
        """Emit source that takes one value; `absent` is added to the statement for an omitted value."""
        name, kind = field.name, field.kind
        if self.draft.path(field) in relations.OMITTABLE_HOSTS:
            self.draft.emit(f"_chosen_{name} = None")
        if field.word:
            self.accept_flags(name)
            return
        empty = self.empty(field)
        if empty is None:
            self.draft.emit(f"if {name} is not None:")
        else:
            # Values cannot be omitted if there are identifiers.
            alone = f" and not {field.identifiers}" if field.identifiers else ""
            self.draft.emit(f"if {name} is None{alone}: {name} = {empty}{absent}")
            self.draft.emit("else:")
        self.draft.indent += 1
        match kind:
            case Text():
                self.accept_text(field, kind)
            case Choice():
                self.accept_form(field, kind)
            case _:
                self.check(field)
        self.draft.indent -= 1

    def check(self, field: Field) -> None:
        """Emit source that checks a given value, unless it is clearly valid."""
        name, kind, templates = field.name, field.kind, sources(field.kind)
        cls = [self.draft.compiler.classes[structure.name] for structure in field.structures]
        check = self.draft.checker(templates.check, field, *cls)
        doubt = templates.doubt.format(kind=kind, value=name)
        if field.part:
            doubt = f"{name}.__class__ is not {self.draft.constant(f'class_{cls[0]}', cls[0])}"
            self.draft.emit(f"if {doubt}: {check}({name})")
            if field.part.scoped and field.present:
                # A part with zero bytes cannot be distinguished from an absent one.
                there = " or ".join(f"{name}.{inner}" for inner in field.part.by_name)
                self.draft.emit(f"if not ({there}): {name} = None")
            return
        if field.fixed_size is not None and kind.value_class is None and not kind.is_number:
            doubt += f" or len({name}) != {field.fixed_size}"
        given = f"{field.identifiers}, {name}" if field.identifiers else name
        self.draft.emit(f"{f'if {doubt}: ' if doubt else ''}{name} = {check}({given})")

    def empty(self, field: Field) -> str | None:
        """Return source of the value for an omitted field; None if it stays None or is set later."""
        kind = field.kind
        match kind:
            case Integer():
                return self.empty_integer(field)
            case _ if field.name in relations.PARTS.get(self.draft.structure.name, {}):
                return f"{self.draft.constant(f'default_{self.draft.structure.name}_{field.name}', self.default_part(field))}()"
            case _ if field.present is not None:
                return None
            case _ if field.part:
                # Records are immutable, so all uses can share one default record.
                part = field.part.name
                return f"{self.draft.constant(f'default_{part}', Expression(f'cache({part})'))}()"
            case Bytes(count=count) if count != EOF or not field.is_filler:
                default = relations.DEFAULTS.get(self.draft.path(field))
                if default is not None:
                    return (
                        None
                        if isinstance(default, str)
                        else self.draft.constant(f"default_{self.draft.structure.name}_{field.name}", default)
                    )
                if isinstance(count, int):
                    return self.draft.constant(f"ZEROS_{count}", Expression(f"bytes({count})"))
                return 'b""' if count == EOF or isinstance(count, Count) else None
        return sources(kind).omitted or (repr(kind.omitted) if kind.omitted in ("", ()) else None)

    def default_part(self, field: Field) -> Expression:
        """Return the function that creates the part which this packet has unless it is given."""
        values = relations.PARTS[self.draft.structure.name][field.name]
        given = [f"{name}={default_value(value)}" for name, value in values.items()]
        part = field.kind_as(Nested).structure.name
        return Expression(f"cache(lambda: {part}({', '.join(given)}))")

    def empty_integer(self, field: Field) -> str | None:
        """Return source of the default of an omitted number; None if the number is computed."""
        path = self.draft.path(field)
        source = relations.COMPUTED.get(path, relations.DEFAULTS.get(path, 0))
        derived = {*self.draft.plan.counts, *self.chosen(), *self.set_last()}
        if isinstance(source, str) or field.name in derived:
            return None
        return (
            self.draft.constant(f"LEFT_OUT_{source}", Omitted(source)) if path in awaited() else str(source)
        )

    def accept_flags(self, name: str) -> None:
        """Emit source that takes the word and records which groups were given; omitted ones are set later."""
        cls = self.draft.cls.flags[name]
        whole, open_ = (
            self.draft.constant(f"class_{cls}", cls),
            self.draft.constant(f"partial_{cls}", cls.partial),
        )
        if not self.draft.is_open(name):
            self.draft.emit(
                f"if {name} is None: {name} = {self.draft.constant(f'default_{cls}', cls.word(cls.defaults))}"
            )
            self.draft.emit(f"elif {name}.__class__ is not {whole}: {name} = {whole}({name})")
            return
        everything = (1 << cls.kind.size * 8) - 1
        self.draft.emit(f"if {name} is None: pass")
        self.draft.emit(f"elif {name}.__class__ is {open_}: _given_{name} = {name}.given")
        self.draft.emit("else:")
        self.draft.emit(f"    if {name}.__class__ is not {whole}: {name} = {whole}({name})")
        self.draft.emit(f"    _given_{name} = {everything:#x}")

    def accept_text(self, field: Field, kind: Text) -> None:
        name = field.name
        check = self.draft.checker(accept.text, field)
        odd = f"{name}.__class__ is not str or not {name}.isascii()"
        if kind.count == NUL:
            odd += f' or "\\0" in {name}'
        count = next(
            (count for count, source in self.draft.plan.counts.items() if source.field is field), None
        )
        unended = f'{name} and {name}[-1] != "\\0"'
        if count not in self.given:
            self.draft.emit(f"if {odd}: {name} = {check}({name})")
            if count:
                self.draft.emit(f'if {unended}: {name} += "\\0"')
            return
        self.draft.emit(f"if {name}.__class__ is KeptText: {name} = str({name})")
        self.draft.emit("else:")
        self.draft.emit(f"    if {odd}: {name} = {check}({name})")
        self.draft.emit(f'    if {count} is None and {unended}: {name} += "\\0"')

    def accept_form(self, field: Field, kind: Choice) -> None:
        name, path = field.name, self.draft.path(field)
        classes = ", ".join(self.draft.compiler.classes[form.name] for form in kind.structures)
        convert = ""
        if path in relations.CONVERTERS:
            convert = f", convert={relations.CONVERTERS[path].function}"
        expression = Expression(
            f'accept.Forms(layouts.{self.draft.structure.name}, "{name}", {classes}{convert})'
        )
        form = self.draft.constant(f"form_{self.draft.structure.name}_{name}", expression)
        self.draft.emit(f"if {name}.__class__ not in {form}.classes:")
        hosts = dict.fromkeys(host for _, host in relations.OMITTABLE_HOSTS.get(path, ()))
        if not hosts:
            self.draft.emit(f"    {form}({name})")  # nothing converts it, so this raises
            return
        inferred, given = next(iter(relations.INFERRED_HOST.values())), f"_given_{name}"
        shown = [f"None if _out_{host} else {host}" if host == inferred else host for host in hosts]
        self.draft.emit(f"    {given} = {', '.join([name, *shown])}")
        cached = f"({name}.__class__ is str and {form}.texts.get({given}))"
        self.draft.emit(f"    {name}, _chosen_{name}, _host = {cached} or {form}(*{given})")
        self.draft.emit(f"    if _host is not None: {inferred} = _host; _out_{inferred} = False")
