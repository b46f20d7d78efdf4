"""Generates the source of a decoder from a layout.

1. One `struct.Struct` reads each run of fixed fields, also across nested structures (`position`).
2. The value of a field is an expression, which is inserted where its record is created.  It is valid until
   the end of the branch that produced it, because the position variables in it may change after that.
3. Sizes are Python integers and cannot overflow; every position is checked against the innermost limit.
4. A structure with its own limit or loop gets its own function; all others are inlined.
5. Consecutive optional parts share one test, because most packets have none of them.  They are decoded by
   their own functions, because each local variable costs time even if the packet lacks the part.
6. The size of a fixed-size packet is checked once, before anything is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msmq_wire.compiler.emit import snake_case
from msmq_wire.definitions import relations
from msmq_wire.records.model import (
    EOF,
    Bytes,
    Choice,
    Count,
    Extent,
    Field,
    Fill,
    Integer,
    Items,
    Nested,
    Numbers,
    Padding,
    Presence,
    Structure,
    Text,
    Values,
)
from msmq_wire.records.packing import packing

from .position import PositionEmitter, plus
from .scope import REMAINING, Scope, announces, flag_of, is_called, may_end_here, optional_run

if TYPE_CHECKING:
    from msmq_wire.compiler.generate import Compiler


class DecoderEmitter(PositionEmitter):
    """Emit the body of ``decode(data, pos, end)``, or of ``decode(data, end)`` for packets.

    The decoder of a packet starts at offset 0, must consume all bytes, and checks the signature and
    version.  It takes 3 to 6 percent less time than the decoder of the structure, without the checks that
    the latter leaves to its caller, and all packets share one object for the signature.  The decoder of an
    array element also takes the offset from which its paddings count.
    """

    def __init__(
        self,
        compiler: Compiler,
        structure: Structure,
        *,
        packet: bool = False,
        origin: Structure | None = None,
    ) -> None:
        whole = structure.fixed_size if packet else None
        super().__init__(compiler, "0" if packet else "pos", whole, packet=packet)
        self.pending_limit: tuple[Scope, Structure, Extent] | None = None
        self.packing = ""
        self.apart = False
        self.outside = any(field.outside for field in structure.fields)
        if packet and not self.outside:
            self.emit("if end > limits.packet_size: raise Reject")
        if self.whole is not None:
            self.emit(f"if end != {self.whole}: raise Reject")
        parent = None
        if origin:
            self.emit("if origin is None: origin = pos")
            parent = Scope(origin, "origin", None)
        result = self.structure(Scope(structure, self.at, parent))
        if packet:
            self.flush()
            if self.whole is None:
                self.emit(f"if {self.here} != end: raise Reject")
            self.emit(f"packet: {structure.name} = {result}")
            self.emit("return packet")
        else:
            self.settle()
            self.emit(f"return {result}, {self.here}")

    # -- limits

    def flush(self) -> None:
        super().flush()
        if self.pending_limit:
            self.limit(*self.pending_limit)

    def limit(self, scope: Scope, structure: Structure, extent: Extent) -> None:
        """Reduce the limit after the field that holds it has been read."""
        try:
            size = scope.resolve(extent.path)
        except KeyError:
            return
        self.pending_limit = None
        multiple = extent.multiple
        if multiple > 1:
            size = f"({size} + {multiple - 1} & {-multiple})"
        if self.whole is not None:
            self.emit(f"if {size} != {self.whole}: raise Reject")
            return
        self.emit(f"limit = {plus(scope.start, size)}")
        self.emit("if limit > end: raise Reject")
        if self.packet and self.outside:  # bytes after the stated size do not count
            self.emit("if limit > limits.packet_size: raise Reject")
        for field in structure.fields:
            if field.outside and field.present:
                inside = self.condition(scope, field.present)
                room = self.compiler.structures[field.name].fixed_size
                if field.rival and not self.packet:
                    inside += " and not ends_here"
                self.emit(f"if {inside} and end == limit:  # {field.name}")
                self.emit(f"    limit -= {room}")
        self.end = "limit"
        self.unchecked = True

    def condition(self, scope: Scope, present: Presence) -> str:
        if not present.numbers:
            return f"{self.end} != {self.here}"
        if present.value is not None:
            return f"{scope.resolve(present.path)} == {present.value}"
        word, group = scope.find(present.path) if present.path else ("", None)
        return f"{word} & {group.mask:#x}" if group else " | ".join(map(scope.resolve, present.numbers))

    # -- structures and fields

    def structure(self, scope: Scope) -> str:
        structure = scope.structure
        if structure.extent:
            self.pending_limit = (scope, structure, structure.extent)
        parts: list[str] = []
        fields = structure.fields
        while len(parts) < len(fields):
            rest = fields[len(parts) :]
            if rest[-1].outside and optional_run(rest) == rest:
                parts += self.optional_parts(scope, rest)  # most packets end here
                break
            parts.append(self.field(scope, rest[0]))
            if flag_of(rest[0]):
                parts += self.optional_parts(scope, optional_run(rest[1:]))
        if structure.extent:
            self.close()
        maker = self.constant(f"new_{structure.name}", self.compiler.classes[structure.name].raw)
        values = ", ".join(parts) + ("," if len(parts) == 1 else "")
        return f"{maker}(*({values}))"

    def close(self) -> None:
        """Emit the end of an extent: reject bytes that remain inside it."""
        self.flush()
        if self.end == "limit":
            self.unchecked = False
            if self.here != "limit":
                self.emit(f"if {self.here} != limit: raise Reject")
            self.at, self.offset, self.end = "limit", 0, "end"

    def optional_parts(self, scope: Scope, fields: tuple[Field, ...]) -> list[str]:
        """Emit consecutive optional parts, which are skipped with one test if all are absent."""
        if len(fields) <= 1 and not any(field.outside for field in fields):
            return []
        names = {field.name for field in fields}
        merge, unchecked = self.branch(f"{snake_case(fields[0].name)}_start"), self.unchecked
        masks: dict[str, int] = {}
        tests = []
        flags = []
        for field in fields:
            path = flag_of(field)
            if path == REMAINING or field.outside:
                tests.append(f"{self.end} != {self.here}")
            if path and path != REMAINING and path.partition(".")[0] not in names:
                word, mask = scope.bits(path)
                masks[word] = masks.get(word, 0) | mask
                flags.append(path)
        tests = [f"{word} & {mask:#x}" for word, mask in masks.items()] + tests
        self.emit(f"if {' or '.join(dict.fromkeys(tests))}:{_comment(flags)}")
        self.indent += 1
        parts = []
        for field in fields:
            if field.outside:
                self.close()
            self.apart = not field.outside
            parts.append(self.field(scope, field))
        self.apart = False
        self.join(merge, unchecked=unchecked)
        self.indent -= 1
        self.emit("else:")
        self.emit(f"    {' = '.join(parts)} = None")
        return parts

    def field(self, scope: Scope, field: Field) -> str:
        if field.present is None:
            return self.value(scope, field)
        self.flush()
        condition = self.condition(scope, field.present)
        if field.rival and not self.packet:  # nothing follows a packet
            named = f'{scope.structure.name}.layout.by_name["{field.name}"]'
            condition += f" and not rival_stands({named}, data, {self.here}, {self.end}, ends_here)"
        name = self.fresh(snake_case(field.name))
        merge, unchecked = self.branch(f"{snake_case(field.name)}_start"), self.unchecked
        self.emit(f"if {condition}:{_comment([field.present.path] if '&' in condition else [])}")
        self.indent += 1
        if field.part and self.is_called(scope, field, field.part):
            self.call(field.part, name, merge)
        else:
            value = self.value(scope, field)
            self.flush()
            self.emit(f"{name} = {value}")
        self.join(merge, unchecked=unchecked)
        self.indent -= 1
        self.emit("else:")
        self.emit(f"    {name} = None")
        inner = scope.inner.get(field.name)
        if inner is not None and announces(scope.structure, field):
            for item in inner.structure.fields:
                if item.word:
                    self.emit(f"    {inner.values[item.name]} = 0")
        return name

    def value(self, scope: Scope, field: Field) -> str:
        kind = field.kind
        if kind.code:
            return self.fixed_value(scope, field)
        match kind:
            case Numbers():
                return self.numbers(scope, field, kind)
            case Values():
                return self.property_values(scope, field, kind)
            case Bytes(count=(str() | Count() | Fill()) as count):
                return self.bytes(scope, field, count)
            case Text():
                return self.text(scope, field, kind.count)
            case Padding():
                return self.padding(scope, field, kind)
            case Nested():
                return self.nested(scope, field, kind.structure)
            case Items():
                return self.items(scope, field, kind)
            case Choice():
                return self.choice(scope, field, kind)
        raise AssertionError(kind)

    def fixed_value(self, scope: Scope, field: Field) -> str:
        """Add a field of fixed size to the run; return source of its value."""
        kind = field.kind
        name = self.fixed(kind.code, kind.least_size, snake_case(field.name), scope.name)
        if not kind.is_number:
            return f"{kind.value_class.__name__}({name})" if kind.value_class else name
        scope.values[field.name] = name
        if field.word:
            words = self.compiler.classes[scope.structure.name].flags[field.name]
            return f"{self.constant(f'known_{words}', words.cache)}[{name}]"
        path = f"{scope.structure.name}.{field.name}"
        if field.known:
            self.after_run.append(f"if {name} not in {field.known}: raise Reject")
        elif self.packet and path in relations.MARKS:
            self.after_run.append(f"if {name} != {relations.DEFAULTS[path]:#x}: raise Reject")
            return f"{relations.DEFAULTS[path]:#x}"  # all packets share one object
        return name

    def bytes(self, scope: Scope, field: Field, count: str | Count | Fill) -> str:
        self.flush()
        start = self.here
        if isinstance(count, str):
            self.check()
            self.at, self.offset = self.end, 0
        else:
            size = scope.fill(count) if isinstance(count, Fill) else scope.elements(count)
            self.advance(size if size.isidentifier() else f"({size})", _end(field), scope.name)
            self.unchecked = True
        return f"data[{start}:{self.here}]"

    def numbers(self, scope: Scope, field: Field, kind: Numbers) -> str:
        self.settle()
        count = scope.elements(kind.count)
        start = self.here
        self.bound(field, count)
        size = f"{count} * {kind.size}" if count.isidentifier() else f"({count}) * {kind.size}"
        self.advance(size, _end(field), scope.name)
        self.emit(f"if {self.here} > {self.end}: raise Reject")
        scope.values[field.name] = name = self.fresh(snake_case(field.name))
        if any(item.identifiers == field.name for item in scope.structure.fields):
            scope.values[f"{field.name}.read"] = read = self.fresh("read_values")
            if not any("readers = " in line for line in self.lines):
                self.lines.insert(0, "    readers = readers_of(limits)")
            self.emit(f"{name}, {read} = readers[data[{start}:{self.here}]]")
            return name
        readers = self.compiler.array_readers(kind.format)
        self.emit(f"{name} = {readers}[{count}](data, {start})")
        return name

    def property_values(self, scope: Scope, field: Field, kind: Values) -> str:
        self.settle()
        name = self.fresh(snake_case(field.name))
        after = self.fresh(_end(field), scope.name)
        read = scope.values[f"{kind.identifiers}.read"]
        self.emit(f"{name}, {after} = {read}(data, {self.here}, {self.end})")
        self.at, self.offset = after, 0
        return name

    def text(self, scope: Scope, field: Field, count: str | Count) -> str:
        self.flush()
        start = self.here
        if field.offset_in:
            self.check()
            units, origin = field.offset_in
            self.emit(f"if {start} - {scope.starts[origin]} != {scope.resolve(units)} * 2: raise Reject")
        if any(item.offset_in and item.offset_in[1] == field.name for item in scope.structure.fields):
            scope.starts[field.name] = self.fresh(f"{snake_case(field.name)}_start")
            self.emit(f"{scope.starts[field.name]} = {start}")
        if count == EOF:
            self.check()
            stop = self.fresh(_end(field), scope.name)
            self.emit(f"{stop} = {self.end} - ({self.end} - ({start}) & 1)")
            self.bound(field, f"({stop} - ({start})) // 2")
            self.at, self.offset = stop, 0
            return f'decode_utf16(data[{start}:{stop}], "surrogatepass", True)[0]'
        if not isinstance(count, Count):
            self.check()
            stop = self.fresh(_end(field), scope.name)
            self.emit(f"{stop} = find_terminator(data, {start}, {self.end})")
            self.emit(f"if {stop} < 0: raise Reject")
            self.bound(field, f"({stop} - ({start})) // 2")
            self.at, self.offset = stop, 2
            return f'decode_utf16(data[{start}:{stop}], "surrogatepass", True)[0]'
        if count.per_unit == 2:  # the count is in bytes
            size = scope.resolve(count.number)
            self.emit(f"if {size} & 1: raise Reject")
            elements = f"{size} // 2"
        else:
            elements = scope.elements(count)
            size = f"{elements} * 2" if elements.isidentifier() else f"({elements}) * 2"
        self.bound(field, elements)
        self.advance(size, _end(field), scope.name)
        self.fit()
        return f'decode_utf16(data[{start}:{self.here}], "surrogatepass", True)[0]'

    def padding(self, scope: Scope, field: Field, kind: Padding) -> str:
        self.settle()
        rule = kind.alignment
        low = str(rule.boundary - 1)
        for value, boundary in rule.boundaries:
            low = f"({boundary - 1} if {scope.resolve(rule.selector)} == {value} else {low})"
        size = f"({scope.origin(rule.origin)} - ({self.here}) & {low})"
        if rule.packed and self.packing:
            values = f"== {rule.packed[0]}" if len(rule.packed) == 1 else f"in {rule.packed}"
            chosen = f"{scope.resolve(rule.selector)} {values}"
            self.emit(f"if packed is None and {chosen}:")
            self.emit(f"    packed = {self.packing}")
            size = f"(0 if packed and {chosen} else {size})"
        if rule.before:
            size = self.announced(scope, field, size, *rule.before)
        if rule.cut_short:
            size = f"min({size}, {self.end} - ({self.here}))"
        start = self.here
        self.advance(size, _end(field), scope.name)
        self.unchecked = True
        return f"data[{start}:{self.here}]"

    def announced(self, scope: Scope, field: Field, size: str, following: str, number: int) -> str:
        """Return the size of a padding that exists only if the number follows it and is not at its place."""
        kind = scope.structure.by_name[following].kind_as(Integer)
        mark = number.to_bytes(kind.size, "little")
        name = self.fresh(f"{snake_case(field.name)}_size")
        self.emit(f"{name} = {size}")
        self.emit(f"if {name} and (data.startswith({mark!r}, {self.here})")
        self.emit(f"    or not data.startswith({mark!r}, {self.here} + {name})): {name} = 0")
        return name

    def is_called(self, scope: Scope, field: Field, structure: Structure) -> bool:
        """Return whether a part is decoded by its own function."""
        return is_called(structure) or (self.apart and not announces(scope.structure, field))

    def nested(self, scope: Scope, field: Field, structure: Structure) -> str:
        if not self.is_called(scope, field, structure):
            inner = scope.inner[field.name] = Scope(structure, self.start(), scope, snake_case(field.name))
            return self.structure(inner)
        name = self.fresh(snake_case(field.name))
        self.call(structure, name, self.fresh(_end(field)))
        return name

    def call(self, structure: Structure, name: str, after: str) -> None:
        """Emit the call of the decoder of a structure, and the names of the record and its end."""
        self.flush()
        if not structure.least_size:
            self.check()  # otherwise the called function checks the position
        target = f"{name}, {after} = decode_{structure.name}(data, {self.here}, {self.end}, limits"
        if may_end_here(structure):
            for line in ("try:", f"    {target})", "except Reject:", f"    {target}, ends_here=True)"):
                self.emit(line)
        else:
            self.emit(f"{target})")
        self.at, self.offset, self.unchecked = after, 0, False

    def bound(self, field: Field, count: str) -> None:
        """Emit a check of a count against the limit of its field."""
        if field.limit:
            self.emit(f"if {count} > limits.{field.limit}: raise Reject")

    def items(self, scope: Scope, field: Field, kind: Items) -> str:
        self.settle()
        count = scope.elements(kind.count)
        self.bound(field, count)
        target = self.fresh(snake_case(field.name))
        self.emit(f"{target} = []")
        self.pack(scope, kind.structure, count)
        merge = self.branch(f"{snake_case(field.name)}_start")
        self.emit(f"for _ in range({count}):")
        self.indent += 1
        start = self.fresh("start")
        begin = len(self.lines)
        element = self.structure(Scope(kind.structure, start, scope))
        self.settle()
        if any(re.search(rf"\b{start}\b", line) for line in [*self.lines[begin:], element]):
            self.lines.insert(begin, "    " * self.indent + f"{start} = {merge}")
        self.emit(f"{target}.append({element})")
        self.join(merge)
        self.indent -= 1
        self.packing = ""
        return f"tuple({target})"

    def pack(self, scope: Scope, element: Structure, count: str) -> None:
        """Emit setup for elements that may lack paddings; the decoder detects this once per list."""
        extent = scope.structure.extent
        if packing(element) is None or extent is None:
            return
        first = self.fresh("first")
        self.emit(f"{first} = {self.here}")
        self.emit("packed = None")
        decode = f"decode_{element.name}"
        stated = plus(scope.start, scope.resolve(extent.path))
        bounds = f"{first}, {self.end}, {scope.start}, {count}, {stated}"
        self.packing = f"is_packed({element.name}.layout, {decode}, data, {bounds}, limits)"

    def choice(self, scope: Scope, field: Field, kind: Choice) -> str:
        self.flush()
        fork = self.at, self.offset, self.unchecked
        unchecked = False
        merge, name = self.fresh(_end(field)), self.fresh(snake_case(field.name))
        selector = self.fresh(f"{snake_case(field.name)}_form")
        source, group = scope.find(kind.selector)
        shift = group.shift if group else 0
        self.emit(f"{selector} = {f'{source} & {group.mask:#x}' if group else source}")
        if self.apart:
            self.emit(f"{name}: Any")
        word = "if"
        by_form: dict[str, tuple[Structure | None, list[int]]] = {}
        for value, form in kind.forms.items():
            by_form.setdefault(form.name if form else "", (form, []))[1].append(value << shift)
        # Direct names have the largest number and are the most common; absent parts rarely get this far.
        for form, values in reversed(by_form.values()):
            shown = [f"{value:#x}" if group and value else str(value) for value in values]
            test = f"== {shown[0]}" if len(values) == 1 else f"in ({', '.join(shown)})"
            chosen = " or ".join(str(value >> shift) for value in values)
            self.emit(f"{word} {selector} {test}:{f'  # {group.name} = {chosen}' if group else ''}")
            word = "elif"
            self.indent += 1
            self.at, self.offset, self.unchecked = fork
            if form and self.apart:
                self.call(form, name, merge)
            else:
                inner = Scope(form, self.start(), scope, snake_case(field.name)) if form else None
                inner_source = self.structure(inner) if inner else "None"
                self.flush()
                self.emit(f"{name} = {inner_source}")
            self.join(merge, unchecked=unchecked)
            unchecked = self.unchecked
            self.indent -= 1
        self.emit("else: raise Reject")
        return name


def _end(field: Field) -> str:
    """Return the name of the variable for the offset after a field."""
    return f"{snake_case(field.name)}_end"


def _comment(paths: list[str]) -> str:
    """Return a comment with the bit groups that a mask tests."""
    groups = dict.fromkeys(path.rpartition(".")[2] for path in paths)
    return f"  # {', '.join(groups)}" if groups else ""
