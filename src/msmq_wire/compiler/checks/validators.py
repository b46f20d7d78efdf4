"""Emits the validators: for each structure, one function that reports which rules a record violates.

1. A rule is a row with a path, an operator and a value.  Each row becomes one condition that is true if the
   record violates the rule.  Conditions are in the order of the rows.
2. If a path leads through an absent optional part, the rule does not apply, so it is not violated.
3. Rows with the same level and channels share one `if`.  Bit groups of one word that must all be clear are
   tested together first.
4. The rules that need a context or a profile come next, then `RULE_FUNCTIONS`, then the rules of nested
   parts, then those of structures inside byte fields.
5. A row is named by its key in `rows_by_id`, an embedded structure by its path, never by a position.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msmq_wire.checks.profiles import ROWS as LACKS
from msmq_wire.checks.rules import CHANNELS, EMBEDDED, OTHER_FIELD, RULE_FUNCTIONS, RULES, rows_by_id
from msmq_wire.compiler.emit import Emitter, Expression, ModuleText, snake_case, source_of
from msmq_wire.records.model import Choice, Group, Integer, Structure
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.sequence_number import MIN_SEQ_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from msmq_wire.checks.rules import Comparison, Embedded, Rule
    from msmq_wire.records.model import Field

_LEAST_GROUPS = 3
"""Test this many or more bit groups of a word together first if all of them must be clear."""
_REVERSED = {"==": "!=", "!=": "==", "<=": ">", "in": "not in", "not in": "in"}
_LENGTHS = {
    "bytes of": "len({})",
    "elements of": "len({})",
    "WCHARs of": "wchar_count({})",
    "WCHAR bytes of": "2 * wchar_count({})",
}


def validator_names(structures: Iterable[Structure]) -> set[str]:
    """Return the names of the structures that have rules, or that contain a structure with rules."""
    candidates = list(structures)
    names = {*RULES, *RULE_FUNCTIONS, *EMBEDDED, *(row.structure for row in LACKS)}
    names = {name for name in names if RULES.get(name, True)}
    before = -1
    while len(names) != before:
        before = len(names)
        names |= {
            structure.name
            for structure in candidates
            if any(inner.name in names for field in structure.fields for inner in field.structures)
        }
    return names


class _Operand:
    """Source that reads a field, with tests for the optional parts on its path."""

    def __init__(self, source: str, guards: tuple[str, ...], field: Field, group: Group | None) -> None:
        self.source, self.guards, self.field, self.group = source, guards, field, group


class ValidatorEmitter(Emitter):
    """Emit the validator function of one structure."""

    def __init__(self, module: ModuleText, structure: Structure, names: set[str]) -> None:
        super().__init__(module)
        self.structure = structure
        self.validated = names
        self.rows = rows_by_id(RULES.get(structure.name, ()))
        self.locals: dict[str, str] = {}
        self._write()

    @property
    def table(self) -> str:
        """The name of the module constant that holds the rows."""
        return f"{snake_case(self.structure.name)}_rows".upper()

    # -- the function

    def _write(self) -> None:
        name = self.structure.name
        if self.rows:
            self.module.add(f'\n{self.table} = rows_by_id(RULES["{name}"])\n')
            for key, row in self.rows.items():
                if row.operator == "fits" and not row.needs:
                    self.module.add(f'{self._function(key)} = {self.table}["{key}"].value\n')
        self._hoist()
        plain = [(key, row) for key, row in self.rows.items() if not row.needs]
        for (level, channels), rows in groupby(plain, lambda each: (each[1].level, each[1].channels)):
            self._block(level, channels, list(rows))
        if any(row.needs for row in self.rows.values()):
            rows_ = self.module.constant(
                f"{self.table}_IN_CONTEXT".replace("_ROWS", ""),
                Expression(f"tuple(row for row in {self.table}.values() if row.needs)"),
            )
            self.emit("if search.context is not None:")
            self.emit(f"    search.in_context(record, trail, {rows_})")
        if any(row.structure == name for row in LACKS):
            self.emit("if search.profile is not None:")
            self.emit("    search.lacking(record, trail)")
        if RULE_FUNCTIONS.get(name):
            functions = self.module.constant(
                f"{snake_case(name)}_functions".upper(), Expression(f'RULE_FUNCTIONS["{name}"]')
            )
            self.emit(f"for rule_function in {functions}:")
            self.emit("    for violation in rule_function(record):")
            self.emit("        search.add(trail, violation)")
        for field in self.structure.fields:
            self._part(field)
        for embedded in EMBEDDED.get(name, ()):
            self._embedded(embedded)
        self.function(f"validate_{name}", f"record: {name}, trail: Trail, search: ViolationCollector", "None")
        self.module.add(f'\nVALIDATORS["{name}"] = validate_{name}\n')

    def _function(self, key: str) -> str:
        words = re.sub(r"\W", "_", key).lower()
        return f"{snake_case(self.structure.name)}_{words}"

    def _paths(self) -> Iterable[str]:
        for row in self.rows.values():
            if row.needs:
                continue
            compared: tuple[Rule | Comparison, ...] = (row, *row.when)
            for each in compared:
                if each.operator != "fits":
                    yield each.path
                if each.operator in OTHER_FIELD:
                    yield each.value

    def _hoist(self) -> None:
        """Assign fields that the rules read to local variables, unless an optional part is on the path."""
        paths: set[str] = set()
        for path in self._paths():
            *outer, last = path.split(".")
            paths |= {".".join(outer[:end]) for end in range(1, len(outer) + 1)}
            if self.structure.at(path)[1] is None:
                paths.add(path)
        for field in self.structure.fields:
            if any(inner.name in self.validated for inner in field.structures):
                paths.add(field.name)
        for path in sorted(paths, key=lambda path: (path.count("."), self._order(path), path)):
            outer_path, _, last = path.rpartition(".")
            if outer_path and self._optional(outer_path):
                continue
            owner = self.locals.get(outer_path, f"record.{outer_path}") if outer_path else "record"
            local = self.fresh(snake_case(path.replace(".", "")))
            self.locals[path] = local
            self.emit(f"{local} = {owner}.{last}")

    def _order(self, path: str) -> int:
        names = [field.name for field in self.structure.fields]
        return names.index(path.partition(".")[0])

    def _optional(self, path: str) -> bool:
        """Return whether any step of the path is optional, including the last."""
        structure = self.structure
        for step in path.split("."):
            field = structure.by_name[step]
            if field.present is not None:
                return True
            structure = field.part or structure
        return False

    # -- operands

    def _operand(self, path: str) -> _Operand:
        field, group = self.structure.at(path)
        steps = path.split(".")[: -1 if group else None]
        guards = tuple(
            f"{self._read(steps[:end])} is not None"
            for end in range(1, len(steps) + (group is not None))
            if self.structure.at(".".join(steps[:end]))[0].present is not None
        )
        return _Operand(self._read(steps), guards, field, group)

    def _read(self, steps: list[str]) -> str:
        """Return source that reads a field, starting from the longest prefix that is in a local variable."""
        for end in range(len(steps), 0, -1):
            local = self.locals.get(".".join(steps[:end]))
            if local:
                return ".".join([local, *steps[end:]])
        return ".".join(["record", *steps])

    def _value(self, operand: _Operand, value: Any) -> str:
        if isinstance(value, frozenset):
            return f"{{{', '.join(self._value(operand, item) for item in sorted(value))}}}"
        if value == NULL_GUID:
            return "NULL_GUID"
        if value == MIN_SEQ_NUMBER:
            return "MIN_SEQ_NUMBER"
        if type(value) is int:
            return f"{value:#x}" if value > 9 else str(value)
        return source_of(value)

    # -- conditions

    def _condition(self, key: str, each: Comparison | Rule, *, holds: bool) -> list[str]:
        """Return source that is true if a comparison holds or, if `holds` is false, if it is violated."""
        if each.operator == "fits":
            return [f"{'' if holds else 'not '}{self._function(key)}(record)"]
        operand = self._operand(each.path)
        return [*operand.guards, self._compared(operand, each.operator, each.value, holds=holds)]

    def _compared(self, operand: _Operand, operator: str, value: Any, *, holds: bool) -> str:
        source = operand.source
        group = operand.group
        if operator in {"is there", "is absent"}:
            return f"{source} is {'not ' * ((operator == 'is there') == holds)}None"
        if operator in {"with bits", "without bits"}:
            mask = value << (group.shift if group else 0)
            return f"{'' if (operator == 'with bits') == holds else 'not '}{source} & {mask:#x}"
        if operator == "form of":
            return self._form(operand, value, holds=holds)
        if operator in {"ends with null", "empty or ends with null"}:
            ended = f'{source}.find("\\0") {"==" if holds else "!="} len({source}) - 1'
            if operator == "empty or ends with null":
                return ended  # an empty text also passes: `find` and `len - 1` are both -1
            return f"{source} and {ended}" if holds else f"(not {source} or {ended})"
        if operator == "at most bytes":
            return f"len({source}) {'<=' if holds else '>'} {value}"
        if operator == "own size":
            return f"{source} {'==' if holds else '!='} size_of_record(record)"
        if operator == "at least field":
            return f"{source} {'>=' if holds else '<'} {self._operand(value).source}"
        if operator in _LENGTHS:
            return f"{source} {'==' if holds else '!='} {self._length(operator, value)}"
        return self._number(operand, operator, value, holds=holds)

    def _length(self, operator: str, path: str) -> str:
        other = self._operand(path)
        guards = [*other.guards]
        if other.field.present is not None:
            guards.append(f"{other.source} is not None")
        length = _LENGTHS[operator].format(other.source)
        return f"({length} if {' and '.join(guards)} else 0)" if guards else length

    def _number(self, operand: _Operand, operator: str, value: Any, *, holds: bool) -> str:
        source, group = operand.source, operand.group
        if group is not None:
            mask = (1 << group.width) - 1
            if operator in {"==", "!="} and (value == 0 or group.width == 1):
                is_set = (operator == "!=") == (value == 0)
                return f"{'' if is_set == holds else 'not '}{source} & {group.mask:#x}"
            source = f"{source} >> {group.shift} & {mask:#x}" if group.shift else f"{source} & {mask:#x}"
        if operator == "within":
            low, high = value
            most = operand.field.kind.bounds[1] if isinstance(operand.field.kind, Integer) else None
            if group is not None:
                most = mask
            if low == 0:
                return f"{source} {'<=' if holds else '>'} {high:#x}"
            if high == most:
                return f"{source} {'>=' if holds else '<'} {low:#x}"
            return f"{'' if holds else 'not '}{low:#x} <= {source} <= {high:#x}"
        sign = operator if holds else _REVERSED[operator]
        if isinstance(value, tuple):
            return f"{source} {sign} {source_of(value)}"
        return f"{source} {sign} {self._value(operand, value)}"

    def _form(self, operand: _Operand, selector: str, *, holds: bool) -> str:
        kind = operand.field.kind_as(Choice)
        forms = self.module.constant(
            f"{snake_case(self.structure.name)}_{snake_case(operand.field.name)}_forms".upper(),
            Expression(
                f"{{{', '.join(f'{key}: {form.name if form else type(None).__name__}' for key, form in kind.forms.items())}}}"
            ),
        )
        chosen = self._operand(selector)
        source = chosen.source
        if chosen.group is not None:
            source = f"{source} >> {chosen.group.shift} & {(1 << chosen.group.width) - 1:#x}"
        class_of = f"{operand.source}.__class__"
        return f"{forms}.get({source}, {class_of}) is {'' if holds else 'not '}{class_of}"

    # -- blocks of rows

    def _block(self, level: str, channels: tuple[str, ...], rows: list[tuple[str, Rule]]) -> None:
        conditions = [f"search.{level}"] if level != "must" else []
        if channels:
            conditions.append(_channel(channels))
        if conditions:
            self.emit(f"if {' and '.join(conditions)}:")
            self.indent += 1
        for clear, run in groupby(rows, self._clears):
            group = list(run)
            if clear and len(group) >= _LEAST_GROUPS:
                mask = sum(self._mask(row.path) for _, row in group)
                self.emit(f"if {self._operand(group[0][1].path).source} & {mask:#x}:")
                self.indent += 1
            for key, row in group:
                self._row(key, row)
            if clear and len(group) >= _LEAST_GROUPS:
                self.indent -= 1
        if conditions:
            self.indent -= 1

    def _clears(self, each: tuple[str, Rule]) -> str:
        """Return the word of a row that only requires a bit group to be clear; else an empty string."""
        row = each[1]
        if row.operator != "==" or row.value != 0 or row.when or self.structure.at(row.path)[1] is None:
            return ""
        return "" if self._operand(row.path).guards else row.path.rpartition(".")[0]

    def _mask(self, path: str) -> int:
        group = self.structure.at(path)[1]
        return 0 if group is None else group.mask

    def _row(self, key: str, row: Rule) -> None:
        conditions = []
        for each in row.when:
            conditions += self._condition(key, each, holds=True)
        conditions += self._condition(key, row, holds=False)
        self.emit(f"if {' and '.join(dict.fromkeys(conditions))}:")
        self.emit(f'    search.broken(record, trail, {self.table}["{key}"])')

    # -- nested structures

    def _part(self, field: Field) -> None:
        forms = [form.name for form in field.structures if form.name in self.validated]
        if not forms:
            return
        part = self.locals[field.name]
        steps = f'(trail, "{field.name}")'
        if field.element:
            self.emit(f"for index, element in enumerate({part}):")
            self.emit(f'    validate_{forms[0]}(element, (trail, "{field.name}", index), search)')
            return
        if field.can_be_none:
            self.emit(f"if {part} is not None:")
            self.indent += 1
        if field.part:
            self.emit(f"validate_{forms[0]}({part}, {steps}, search)")
        else:
            self._dispatch(part, steps)
        self.indent -= field.can_be_none

    def _embedded(self, row: Embedded) -> None:
        """Emit the checks for structures inside a byte field, and for the violations of a row with `reports`."""
        name, path = self.structure.name, row.path
        read = self.module.constant(
            f"read_{snake_case(name)}_{snake_case(path.replace('.', ''))}",
            Expression(f'embedded_in("{name}", "{path}").read'),
        )
        steps = "".join(f', "{step}"' for step in path.split("."))
        if row.reports:
            self.emit(f"for item in {read}(record):")
            self.emit("    if isinstance(item, RawViolation):")
            self.emit("        search.add(trail, item)")
            self.emit("        continue")
            self.emit("    where, offset, inner = item")
        else:
            bytes_ = self._read(path.split("."))
            begins = f"{bytes_}.startswith({row.begins!r})" if row.begins else bytes_
            self.emit(f"if {begins}:")
            self.indent += 1
            self.emit(f"for where, offset, inner in {read}(record):")
        self.indent += 1
        self._dispatch("inner", f"(trail{steps}, *where, Inside(offset, inner))")
        self.indent -= 1 if row.reports else 2

    def _dispatch(self, part: str, trail: str) -> None:
        """Emit a call of the validator for a field that holds one of several structures."""
        self.emit(f"validate = VALIDATORS.get({part}.__class__.__name__)")
        self.emit("if validate is not None:")
        self.emit(f"    validate({part}, {trail}, search)")


def _channel(channels: tuple[str, ...]) -> str:
    match channels, [name for name in CHANNELS if name not in channels]:
        case (channel,), _:
            return f'search.channel == "{channel}"'
        case _, [other]:
            return f'search.channel != "{other}"'
    return f"search.channel in {{{', '.join(map(repr, channels))}}}"
