"""Generates the source of a decoder from a layout.

1. One `struct.Struct` reads each run of fixed fields, across the borders of nested structures.
2. Bytes are slices; a run of slices is checked against the limit once, after it.
3. Sizes are Python integers and never wrap; every position is checked against the innermost limit.
4. A structure with a limit or a loop of its own gets a function of its own; every other one is inlined.
"""

from __future__ import annotations

import codecs
import sys
from typing import TYPE_CHECKING

from . import _expression as expression
from ._emit import Emitter, Reject
from ._layout import (
    EOF,
    NUL,
    Bytes,
    Choice,
    Field,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Sequence,
    Structure,
    Text,
    Values,
)
from ._wchar import find_terminator
from .guid import GUID
from .sequence_number import SEQUENCE_NUMBER

if TYPE_CHECKING:
    from ._codegen import Compiler

__all__ = ["DecoderEmitter"]


class _Scope:
    """The names that an expression inside a structure can see."""

    def __init__(self, structure: Structure, start: str, parent: _Scope | None) -> None:
        self.structure = structure
        self.start = start
        self.parent = parent
        self.values: dict[str, str] = {}
        self.starts: dict[str, str] = {}
        self.inner: dict[str, _Scope] = {}

    def origin(self, name: str) -> str:
        """Where the nearest enclosing structure of that name starts, or else this one."""
        scope: _Scope | None = self
        while scope is not None:
            if scope.structure.name == name:
                return scope.start
            scope = scope.parent
        return self.start

    def resolve(self, path: str) -> str:
        """Source of the value at a dotted path, seen from here."""
        head, _, rest = path.partition(".")
        scope: _Scope | None = self
        while scope is not None:
            if head in scope.inner and rest:
                return scope.inner[head].resolve(rest)
            if head in scope.values:
                return scope.bits(head, rest)
            scope = scope.parent
        raise KeyError(path)

    def bits(self, name: str, group_name: str) -> str:
        word = self.values[name]
        if not group_name:
            return word
        kind = self.structure.by_name[name].kind
        assert isinstance(kind, Flags)  # noqa: S101  # only flags have parts
        group = kind.group(group_name)
        low = (1 << group.width) - 1
        return f"({word} >> {group.shift} & {low})" if group.shift else f"({word} & {low})"


def _is_called(structure: Structure) -> bool:
    """Whether a structure gets a function of its own, because it has a limit or a loop of its own."""
    looping = any(isinstance(field.kind, Items) for field in structure.fields)
    return not structure.scoped and (looping or structure.extent is not None)


class DecoderEmitter(Emitter):
    """The body of ``decode(data, pos, end)``."""

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__({"Reject": Reject, "GUID": GUID, "utf16": codecs.utf_16_le_decode})
        self.compiler = compiler
        self.at = "pos"
        self.offset = 0
        self.end = "end"
        self.run: list[tuple[str, str]] = []
        self.run_size = 0
        self.after_run: list[str] = []
        self.unchecked = False
        self.pending_limit: tuple[_Scope, Structure] | None = None
        scope = _Scope(structure, "pos", None)
        result = self.structure(scope)
        self.settle()
        self.emit(f"return {result}, {self.here}")

    @property
    def here(self) -> str:
        return f"{self.at}+{self.offset}" if self.offset else self.at

    # -- positions and limits

    def check(self) -> None:
        if self.unchecked:
            self.emit(f"if {self.here} > {self.end}: raise Reject")
            self.unchecked = False

    def flush(self) -> None:
        """Read the run of fixed fields that has gathered."""
        if self.run:
            formats = "<" + "".join(code for code, _ in self.run)
            names = ", ".join(name for _, name in self.run)
            self.emit(f"if {self.at}+{self.offset + self.run_size} > {self.end}: raise Reject")
            reader = self.constant("unpack", self.compiler.unpacker(formats))
            self.emit(f"{names}{',' if len(self.run) == 1 else ''} = {reader}(data, {self.here})")
            self.offset += self.run_size
            self.run = []
            self.run_size = 0
            self.unchecked = False
        for line in self.after_run:
            self.emit(line)
        self.after_run = []
        if self.pending_limit:
            self.limit()

    def limit(self) -> None:
        """Narrow the limit once the field that holds it has been read."""
        assert self.pending_limit  # noqa: S101  # the caller looked
        scope, structure = self.pending_limit
        assert structure.extent  # noqa: S101  # awaited for its extent
        try:
            size = scope.resolve(structure.extent.path)
        except KeyError:
            return
        self.pending_limit = None
        multiple = structure.extent.multiple
        if multiple > 1:
            size = f"({size} + {multiple - 1} & {-multiple})"
        self.emit(f"limit = {scope.start} + {size}")
        self.emit("if limit > end: raise Reject")
        for field in structure.fields:
            if field.outside:
                assert field.present  # noqa: S101  # what is always there needs no room elsewhere
                inside = self.condition(scope, field.present)
                room = self.compiler.structures[field.name].fixed_size
                self.emit(f"if {inside} and end == limit: limit -= {room}")
        self.end = "limit"
        self.emit(f"if {self.here} > limit: raise Reject")

    def settle(self) -> None:
        self.flush()
        self.check()

    def branch(self) -> str:
        """Name the present position so that branches can move it."""
        self.settle()
        name = self.fresh("p")
        self.emit(f"{name} = {self.here}")
        self.at, self.offset = name, 0
        return name

    def join(self, name: str) -> None:
        """End a branch: store the position under the name that `branch` gave."""
        self.settle()
        if self.here != name:
            self.emit(f"{name} = {self.here}")
        self.at, self.offset = name, 0

    def advance(self, size: str) -> None:
        name = self.fresh("p")
        self.emit(f"{name} = {self.here} + {size}")
        self.at, self.offset = name, 0

    def condition(self, scope: _Scope, present: str) -> str:
        return expression.to_python(
            present,
            lambda name: f"{self.end} != {self.here}" if name == "remaining" else scope.resolve(name),
        )

    # -- structures and fields

    def structure(self, scope: _Scope) -> str:
        structure = scope.structure
        if structure.extent:
            self.pending_limit = (scope, structure)
        parts = []
        closed = structure.extent is None
        for field in structure.fields:
            if field.outside and not closed:
                self.close()
                closed = True
            parts.append(self.field(scope, field))
        if not closed:
            self.close()
        name = self.fresh("r")
        maker = self.constant("make", self.compiler.classes[structure.name].raw)
        self.later(f"{name} = {maker}(*({', '.join(parts)},))")
        return name

    def close(self) -> None:
        """The fields inside an extent end here; nothing may be left over."""
        self.settle()
        self.emit(f"if {self.here} != limit: raise Reject")
        self.at, self.offset, self.end = "limit", 0, "end"

    def later(self, line: str) -> None:
        if self.run:
            self.after_run.append(line)
        else:
            self.emit(line)

    def field(self, scope: _Scope, field: Field) -> str:
        if field.present is None:
            return self.value(scope, field)
        self.settle()
        condition = self.condition(scope, field.present)
        name = self.fresh("o")
        merge = self.branch()
        self.emit(f"if {condition}:")
        self.indent += 1
        value = self.value(scope, field)
        self.join(merge)
        self.emit(f"{name} = {value}")
        self.indent -= 1
        self.emit("else:")
        self.emit(f"    {name} = None")
        inner = scope.inner.get(field.name)
        if inner is not None:
            for item in inner.structure.fields:
                if isinstance(item.kind, Flags):
                    self.emit(f"    {inner.values[item.name]} = 0")
        return name

    def fixed(self, code: str, size: int) -> str:
        name = self.fresh("v")
        self.run.append((code, name))
        self.run_size += size
        return name

    def value(self, scope: _Scope, field: Field) -> str:
        kind = field.kind
        match kind:
            case Integer():
                scope.values[field.name] = name = self.fixed(kind.format, kind.size)
                if field.known:
                    self.after_run.append(f"if {name} not in {field.known}: raise Reject")
                return name
            case Flags():
                scope.values[field.name] = name = self.fixed(kind.format, kind.size)
                seen = self.compiler.classes[scope.structure.name].flags[field.name].seen
                return f"{self.constant('seen', seen)}[{name}]"
            case Guid():
                return f"GUID({self.fixed('16s', 16)})"
            case Sequence():
                make = self.constant("SEQUENCE_NUMBER", SEQUENCE_NUMBER)
                return f"{make}({self.fixed('8s', 8)})"
            case Numbers():
                return self.numbers(scope, field, kind)
            case Values():
                return self.property_values(scope, kind)
            case Bytes(count=int(count)):
                return self.fixed(f"{count}s", count)
            case Bytes(count=str(count)):
                return self.bytes(scope, count)
            case Text():
                return self.text(scope, field, kind.count)
            case Padding():
                return self.padding(scope, kind)
            case Nested():
                return self.nested(scope, field, kind.structure)
            case Items():
                return self.items(scope, field, kind)
            case Choice():
                return self.choice(scope, kind)
        raise AssertionError(kind)

    def bytes(self, scope: _Scope, count: str) -> str:
        self.flush()
        name = self.fresh("v")
        if count == EOF:
            self.check()
            self.emit(f"{name} = data[{self.here}:{self.end}]")
            self.at, self.offset = self.end, 0
            return name
        start = self.here
        self.advance(f"({expression.to_python(count, scope.resolve)})")
        self.emit(f"{name} = data[{start}:{self.here}]")
        self.unchecked = True
        return name

    def numbers(self, scope: _Scope, field: Field, kind: Numbers) -> str:
        self.settle()
        count = expression.to_python(kind.count, scope.resolve)
        start = self.here
        self.bound(scope, field, count, kind.size)
        self.advance(f"({count}) * {kind.size}")
        self.emit(f"if {self.here} > {self.end}: raise Reject")
        scope.values[field.name] = name = self.fresh("v")
        readers = self.constant("arrays", self.compiler.array_readers(kind.format))
        self.emit(f"{name} = {readers}[{count}](data, {start})")
        return name

    def property_values(self, scope: _Scope, kind: Values) -> str:
        from .property_values import values_reader  # noqa: PLC0415  # only the directory protocols need it

        self.settle()
        name = self.fresh("v")
        after = self.fresh("p")
        read = self.constant("read_values", values_reader(self.compiler.limits))
        identifiers = scope.resolve(kind.identifiers)
        self.emit(f"{name}, {after} = {read}({identifiers}, data, {self.here}, {self.end})")
        self.at, self.offset = after, 0
        return name

    def text(self, scope: _Scope, field: Field, count: str) -> str:
        self.flush()
        name = self.fresh("v")
        start = self.here
        if field.offset_in:
            self.check()
            units, origin = field.offset_in
            self.emit(f"if {start} - {scope.starts[origin]} != {scope.resolve(units)} * 2: raise Reject")
        if any(item.offset_in and item.offset_in[1] == field.name for item in scope.structure.fields):
            scope.starts[field.name] = self.fresh("s")
            self.emit(f"{scope.starts[field.name]} = {start}")
        if count == EOF:
            self.check()
            stop = self.fresh("p")
            self.emit(f"{stop} = {self.end} - ({self.end} - ({start}) & 1)")
            self.bound(scope, field, f"({stop} - ({start})) // 2", 2)
            self.emit(f'{name} = utf16(data[{start}:{stop}], "surrogatepass", True)[0]')
            self.at, self.offset = stop, 0
            return name
        if count == NUL:
            self.check()
            find = self.constant("find_terminator", find_terminator)
            stop = self.fresh("t")
            self.emit(f"{stop} = {find}(data, {start}, {self.end})")
            self.emit(f"if {stop} < 0: raise Reject")
            self.bound(scope, field, f"({stop} - ({start})) // 2", 2)
            self.emit(f'{name} = utf16(data[{start}:{stop}], "surrogatepass", True)[0]')
            self.at, self.offset = stop, 2
            return name
        turned = expression.quotient(count)
        if turned and turned[1] == 2:
            size = scope.resolve(turned[0])
            self.emit(f"if {size} & 1: raise Reject")
        else:
            size = f"({expression.to_python(count, scope.resolve)}) * 2"
        self.bound(scope, field, f"({size}) // 2", 2)
        self.advance(size)
        self.emit(f"if {self.here} > {self.end}: raise Reject")
        self.unchecked = False
        self.emit(f'{name} = utf16(data[{start}:{self.here}], "surrogatepass", True)[0]')
        return name

    def padding(self, scope: _Scope, kind: Padding) -> str:
        self.settle()
        rule = kind.alignment
        low = str(rule.boundary - 1)
        for value, boundary in rule.boundaries:
            low = f"({boundary - 1} if {scope.resolve(rule.selector)} == {value} else {low})"
        size = f"({scope.origin(rule.origin)} - ({self.here}) & {low})"
        if rule.cut_short:
            size = f"min({size}, {self.end} - ({self.here}))"
        start = self.here
        self.advance(size)
        name = self.fresh("v")
        self.emit(f"{name} = data[{start}:{self.here}]")
        self.unchecked = True
        return name

    def nested(self, scope: _Scope, field: Field, structure: Structure) -> str:
        if not _is_called(structure):
            inner = scope.inner[field.name] = _Scope(structure, self.start(), scope)
            return self.structure(inner)
        self.settle()
        name = self.fresh("r")
        after = self.fresh("p")
        function = self.constant("decode", self.compiler.decoder(structure.name))
        self.emit(f"{name}, {after} = {function}(data, {self.here}, {self.end})")
        self.at, self.offset = after, 0
        return name

    def start(self) -> str:
        """The position behind the run that has gathered."""
        offset = self.offset + self.run_size
        return f"({self.at}+{offset})" if offset else self.at

    def bound(self, scope: _Scope, field: Field, count: str, unit: int) -> None:
        """Hold a count against the limit of its field, where there is one that it can exceed."""
        source = scope.structure.by_name.get(getattr(field.kind, "count", ""))
        most = source.kind.bounds[1] if source and isinstance(source.kind, Integer) else sys.maxsize
        bound = self.compiler.limits.bound(field.limit, unit, most) if field.limit else None
        if bound is not None:
            self.emit(f"if {count} > {bound}: raise Reject")

    def items(self, scope: _Scope, field: Field, kind: Items) -> str:
        self.settle()
        count = expression.to_python(kind.count, scope.resolve)
        self.bound(scope, field, count, kind.structure.least_size)
        self.emit(f"if ({count}) * {kind.structure.least_size} > {self.end} - ({self.here}): raise Reject")
        found = self.fresh("found")
        self.emit(f"{found} = []")
        merge = self.branch()
        self.emit(f"for _ in range({count}):")
        self.indent += 1
        start = self.fresh("s")
        self.emit(f"{start} = {merge}")
        made = self.structure(_Scope(kind.structure, start, scope))
        self.join(merge)
        self.emit(f"{found}.append({made})")
        self.indent -= 1
        return f"tuple({found})"

    def choice(self, scope: _Scope, kind: Choice) -> str:
        merge = self.branch()
        name = self.fresh("c")
        selector = self.fresh("k")
        self.emit(f"{selector} = {scope.resolve(kind.selector)}")
        word = "if"
        by_form: dict[str, tuple[Structure | None, list[int]]] = {}
        for value, form in kind.forms.items():
            by_form.setdefault(form.name if form else "", (form, []))[1].append(value)
        for form, values in by_form.values():
            test = f"== {values[0]}" if len(values) == 1 else f"in {tuple(values)}"
            self.emit(f"{word} {selector} {test}:")
            word = "elif"
            self.indent += 1
            made = self.structure(_Scope(form, merge, scope)) if form else "None"
            self.join(merge)
            self.emit(f"{name} = {made}")
            self.indent -= 1
        self.emit("else: raise Reject")
        return name
