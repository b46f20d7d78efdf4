"""Mistakes in the definitions, each reported as one sentence with file and line.

1. `Pages` parses the C texts and raises `Mistake` if it cannot parse one.
2. `find` resolves every path in the tables of relations, readings and known values, and every text in the
   package that looks like a path.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msmq_wire.compiler.checks.imports import shown
from msmq_wire.compiler.expressions import Unreadable, fields_of
from msmq_wire.compiler.opening import constants_of, row_of
from msmq_wire.definitions import relations
from msmq_wire.definitions.texts import TEXTS
from msmq_wire.values.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.records.model import Flags, Structure

DEFINITIONS = Path(relations.__file__).parent
_OPENING = "msmq_wire.documents.opening"
_ROOT = DEFINITIONS.parents[2]
_SPECS = _ROOT / "specs"
_CHAIN = re.compile(r"\b[A-Z]\w*(?:\.[A-Z]\w*)+")
"""A path, perhaps behind names of modules: the words of a structure and its fields."""


class Mistake(Exception):
    """A mistake in the definitions.

    Attributes:
        file: The file with the mistake.
        line: The line, counted from 1; 0 if unknown.
        sentence: The fault.
    """

    def __init__(self, file: Path, line: int, sentence: str) -> None:
        super().__init__(shown(file, line, sentence))
        self.file = file
        self.line = line
        self.sentence = sentence


class Mistakes(Exception):
    """All mistakes in the definitions.

    Attributes:
        mistakes: The mistakes, at least one.
    """

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


# ---------------------------------------------------------------------------------------------- locations


@cache
def tree_of(file: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(file.read_text("utf-8"), file)


@cache
def _rows(file: Path) -> dict[tuple[str, str], list[int]]:
    """Map table name and string constant to line numbers, for the tables of a module."""
    rows: dict[tuple[str, str], list[int]] = {}
    for node in tree_of(file).body:
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
        for target in targets:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    rows.setdefault((ast.unparse(target), inner.value), []).append(inner.lineno)
    return rows


def line_of_row(file: Path, table: str, key: str, within: str = "") -> int:
    """Return the line of a row of a table, or of a text within the row, or 0."""
    line = min(_rows(file).get((table, key), [0]))
    return min((each for each in _rows(file).get((table, within), ()) if each >= line), default=line)


def line_of_field(document: str, structure: str, field: str = "") -> tuple[Path, int]:
    """Return the file that defines a structure, and the line of the structure or field (0 if not found)."""
    file = DEFINITIONS / TEXTS[document].file
    outermost = structure.partition(".")[0]
    inside = False
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if re.match(rf"\s*(typedef )?struct {outermost}\b", line):
            if not field:
                return file, number
            inside = True
        elif inside and re.search(rf"\b{field}\b[^;]*;", line.partition("//")[0]):
            return file, number
    return file, 0


# ------------------------------------------------------------------------------------------------- paths


def resolve(structure: Structure, path: str) -> str:
    """Return why a dotted path from a structure does not resolve, or an empty string if it does.

    A path leads through parts to a field, or to a bit group of a flags word.
    """
    here: Structure | None = structure
    words: Flags | None = None
    for name in path.split("."):
        if words is not None:
            if name not in {group.name for group in words.groups}:
                return f"{words.name} has no group {name}"
            here = words = None
        elif here is None:
            return f"there is no field within {path.rpartition(f'.{name}')[0]}"
        elif name not in here.by_name:
            return f"{here.name} has no field {name}"
        else:
            field = here.by_name[name]
            here, words = field.part, field.word
    return ""


def _whole(structures: dict[str, Structure], path: str) -> str:
    """Resolve a path that begins with the name of its structure; return as `resolve` does."""
    name, _, rest = path.partition(".")
    if name not in structures:
        return f"there is no structure {name}"
    return resolve(structures[name], rest) if rest else f"{path} names no field"


def find(structures: dict[str, Structure], homes: dict[str, str]) -> list[Mistake]:
    """Return every mistake in the tables, given all structures and the document of each."""
    mistakes = [
        *_in_flags(structures, homes),
        *_in_texts(structures, homes),
        *_in_relations(structures),
        *_in_layouts(structures, homes),
    ]
    try:
        mistakes += _in_readings(structures)
    except Exception:
        if not mistakes:  # from which the error may follow
            raise
    locations = {(mistake.file, mistake.line) for mistake in mistakes}
    return [
        *mistakes,
        *(
            other
            for other in (*_in_comments(structures), *_in_sources(structures))
            if (other.file, other.line) not in locations
        ),
    ]


def _in_flags(structures: dict[str, Structure], homes: dict[str, str]) -> Iterator[Mistake]:
    """Check that the groups of a flags word fill it."""
    for structure in structures.values():
        for field in structure.fields:
            bits = sum(group.width for group in field.word.groups) if field.word else 0
            if field.word and bits != 8 * field.word.size:
                file, line = line_of_field(homes[structure.name], structure.name, field.name)
                problem = f"its groups have {bits} bits, and the word has {8 * field.word.size}"
                yield Mistake(file, line, f"{structure.name}.{field.name}: {problem}")


def _in_texts(structures: dict[str, Structure], homes: dict[str, str]) -> Iterator[Mistake]:
    """Check that each structure, field and group has a description, and that counts stand before their arrays."""
    for structure in structures.values():
        names = [field.name for field in structure.fields]
        home = homes[structure.name]
        if not structure.doc:
            yield Mistake(
                *line_of_field(home, structure.name), f"{structure.name} has no line above that describes it"
            )
        for field in structure.fields:
            path = f"{structure.name}.{field.name}"
            parts = [(path, field.name, field.doc or field.is_filler)]
            groups = field.word.groups if field.word else ()
            parts += [(f"{path}.{group.name}", group.name, group.doc) for group in groups]
            problems = [(name, f"{part} has no comment") for part, name, doc in parts if not doc]
            count = str(getattr(getattr(field.kind, "count", None), "number", ""))
            if count in names[names.index(field.name) :]:
                problems.append((field.name, f"{path} stands before {count}, its count"))
            for name, problem in problems:
                yield Mistake(*line_of_field(home, structure.name, name), problem)


def of_number(structures: dict[str, Structure], path: str, value: Any) -> str:
    """Return why a group of flags or a field cannot have a value, or an empty string if it can.

    A text is an expression, which can have any value.
    """
    name, _, rest = path.partition(".")
    if isinstance(value, str) or name not in structures or resolve(structures[name], rest):
        return ""  # a wrong path is another mistake
    field, group = structures[name].at(rest)
    size = field.kind.fixed_size
    if group or field.kind.is_number or field.word:
        if not isinstance(value, int):
            return f"{path} is a number, and cannot be {value!r}"
        bits = group.width if group else 8 * (size or 0)
        return f"{path} has {bits} bits, and cannot be {value:#x}" if value.bit_length() > bits else ""
    if isinstance(value, bytes) and size not in {None, len(value)}:
        return f"{path} has {size} bytes, and cannot be {value!r}"
    return ""


def _in_relations(by_name: dict[str, Structure]) -> Iterator[Mistake]:
    file = Path(relations.__file__)

    def mistake(table: str, key: str, problem: str, words: str = "") -> Mistake:
        line = line_of_row(file, table, key, words)
        return Mistake(file, line, f"{table}: {words or key}: {problem}")

    paths = ("PRESENT", "CHOICES", "ALIGNED", "SUPPORTED_VALUES", "COUNTS", "OFFSETS", "VALUES", "OUTSIDE", "RIVALS", "DEFAULTS",
             "OMITTABLE_HOSTS", "INFERRED_HOST", "CONVERTERS", "MARKS", "CONSTANT_BITS", "LIMITS", "COMPUTED", "REMAINDERS")  # fmt: skip
    for table in paths:
        for path in getattr(relations, table):
            problem = _whole(by_name, path)
            if problem:
                yield mistake(table, path, problem)
    for table, row, words, path, value in _values():
        problem = of_number(by_name, path, value)
        if problem:
            yield mistake(table, row, problem, words)
    yield from _doubled(file)
    for path, limit in relations.LIMITS.items():
        if limit not in Limits.__struct_fields__:
            yield mistake("LIMITS", path, f"there is no limit {limit}")
    for name, path in relations.OPENING.items():
        problem = "" if path in by_name else _whole(by_name, path)
        if problem:
            yield mistake("OPENING", name, problem)
    for constant, module in _unknown_constants(by_name):
        row = row_of(constant)
        problem = f"{relations.OPENING.get(row, 'nothing')} gives no {constant}, which {module} reads"
        yield mistake("OPENING", row or constant, problem)
    for path, rule in relations.ALIGNED.items():
        owner = path.partition(".")[0]
        named = (rule.selector, rule.before[0] if rule.before else "")
        for name in filter(None, named if owner in by_name else ()):
            if name not in by_name[owner].by_name:
                yield mistake("ALIGNED", path, f"{name} is not a field of {owner}")
        if rule.origin not in by_name:
            yield mistake("ALIGNED", path, f"there is no structure {rule.origin}")
    for path, names in relations.OFFSETS.items():
        for name in names if not _whole(by_name, path) else ():
            problem = resolve(by_name[path.partition(".")[0]], name)
            if problem:
                yield mistake("OFFSETS", path, problem)
    for path, numbers in relations.RIVALS.items():
        for number in numbers:
            problem = _whole(by_name, number)
            if problem:
                yield mistake("RIVALS", path, problem, number)
    for path, groups in relations.CONSTANT_BITS.items():
        for group in groups if not _whole(by_name, path) else ():
            problem = _whole(by_name, f"{path}.{group}")
            if problem:
                yield mistake("CONSTANT_BITS", path, problem, group)
            for part in relations.PRESENT:
                if relations.announcing(part)[0] == f"{path}.{group}":
                    yield mistake("CONSTANT_BITS", path, f"{path}.{group} announces {part}", group)
    for table in ("EXTENTS", "FIXED", "PARTS", "FLAT_CONSTRUCTORS", "REFINED"):
        for name in getattr(relations, table):
            if name not in by_name:
                yield mistake(table, name, f"there is no structure {name}")
    for name, (path, _) in relations.EXTENTS.items():
        problem = resolve(by_name[name], path) if name in by_name else ""
        if problem:
            yield mistake("EXTENTS", name, problem)
    for name, fixed in relations.FIXED.items():
        for path, value in fixed.items():
            problem = (
                (resolve(by_name[name], path) or _expression(by_name[name], value)) if name in by_name else ""
            )
            if problem:
                yield mistake("FIXED", name, problem, path)
    for name, defaults in relations.PARTS.items():
        for part, values in defaults.items() if name in by_name else ():
            for path, value in values.items():
                problem = resolve(by_name[name], f"{part}.{path}")
                if isinstance(value, (relations.Encoded, relations.Built)) and value.structure not in by_name:
                    problem = f"there is no structure {value.structure}"
                elif isinstance(value, relations.Built):
                    problem = problem or resolve(by_name[value.structure], value.field)
                elif not problem:
                    problem = of_number(by_name, f"{name}.{part}.{path}", value)
                if problem:
                    yield mistake("PARTS", name, problem, path)
    for name, other in relations.REFINED.items():
        if other not in by_name:
            yield mistake("REFINED", name, f"there is no structure {other}")
    for path, parts in relations.REMAINDERS.items():
        for part in parts:
            if part not in by_name:
                yield mistake("REMAINDERS", path, f"there is no structure {part}")
    for name, structures in relations.FLAT_CONSTRUCTORS.items():
        for part in structures if name in by_name else ():
            field = by_name[name].by_name.get(part)
            if field is None or not field.part:
                yield mistake("FLAT_CONSTRUCTORS", name, f"{name} has no part {part}")
    for table in ("DEFAULTS", "COMPUTED"):
        for path, value in getattr(relations, table).items():
            structure = by_name.get(path.partition(".")[0])
            problem = _expression(structure, value) if structure else ""
            if problem:
                yield mistake(table, path, problem)
    for path, hosts in relations.OMITTABLE_HOSTS.items():
        structure = by_name.get(path.partition(".")[0])
        for _, host in hosts:
            problem = resolve(structure, host) if structure else ""
            if problem:
                yield mistake("OMITTABLE_HOSTS", path, problem)


def _doubled(file: Path) -> Iterator[Mistake]:
    """Check that no row of a table replaces another one."""
    for node in ast.walk(tree_of(file)):
        keys = (
            [key for key in node.keys if isinstance(key, ast.Constant)] if isinstance(node, ast.Dict) else []
        )
        for at, key in enumerate(keys):
            if key.value in {before.value for before in keys[:at]}:
                yield Mistake(
                    file, key.lineno, f"{key.value!r}: an earlier row of this table has the same key"
                )


def _values() -> Iterator[tuple[str, str, str, str, Any]]:
    """Yield each value that a table gives to a number: table, key of the row, key within it, path, and value."""
    yield from (("PRESENT", part, "", *relations.announcing(part)) for part in relations.PRESENT)
    yield from (("DEFAULTS", path, "", path, value) for path, value in relations.DEFAULTS.items())
    for path, values in relations.SUPPORTED_VALUES.items():
        yield from (("SUPPORTED_VALUES", path, "", path, value) for value in values)
    for path, (selector, forms) in relations.CHOICES.items():
        owner = path.partition(".")[0]
        yield from (("CHOICES", path, "", f"{owner}.{selector}", value) for value in forms)
    for row, bits in relations.CONSTANT_BITS.items():
        yield from (("CONSTANT_BITS", row, group, f"{row}.{group}", value) for group, value in bits.items())
    for row, fixed in relations.FIXED.items():
        yield from (("FIXED", row, path, f"{row}.{path}", value) for path, value in fixed.items())


def _unknown_constants(structures: dict[str, Structure]) -> Iterator[tuple[str, str]]:
    """Yield the constants of the opening that modules import and no row defines, with the module."""
    rows = relations.OPENING.items()
    paths = (*relations.DEFAULTS, *(path for _, path in rows if path not in structures))
    are_numbers = all(isinstance(relations.DEFAULTS.get(path, 0), int) for _, path in rows)
    if not are_numbers or any(_whole(structures, path) for path in paths):
        return  # which is another mistake
    given = {constant for name, path in rows for constant, _ in constants_of(name, path, structures)}
    for file in sorted(DEFINITIONS.parent.rglob("*.py")):
        unknown = sorted(_of_opening(file) - given - {"ORDER_LABEL"})
        yield from ((name, file.relative_to(DEFINITIONS.parent).as_posix()) for name in unknown)


@cache
def _of_opening(file: Path) -> set[str]:
    """Return the constants of the opening that a module imports."""
    if _OPENING not in file.read_text("utf-8"):
        return set()
    imports = (node for node in ast.walk(tree_of(file)) if isinstance(node, ast.ImportFrom))
    return {alias.name for node in imports if node.module == _OPENING for alias in node.names}


def _in_sources(structures: dict[str, Structure]) -> Iterator[Mistake]:
    """Check every path in the package, as text or code, and in the vectors of the catalogue.

    A path begins with the name of a structure, followed by names of fields, such as ``UserHeader.Flags.JN``.
    """
    fields = {field.name for structure in structures.values() for field in structure.fields}
    others = {DEFINITIONS, DEFINITIONS.parent / "testing" / "bent"}  # these are checked more closely
    sources = [file for file in sorted(DEFINITIONS.parent.rglob("*.py")) if file.parent not in others]
    for file in (*sources, *sorted(_SPECS.glob("vectors/*.toml"))):
        for number, words in _chains(file):
            at = next((at for at, word in enumerate(words[:-1]) if word in structures), None)
            if at is not None:
                problem = resolve(structures[words[at]], ".".join(words[at + 1 :]))
                wanted = problem.rpartition(" has no field ")[2]
                if " has no " in problem and wanted not in fields:  # a part within may have it
                    yield Mistake(file, number, f"{'.'.join(words[at:])}: {problem}")


@cache
def _chains(file: Path) -> list[tuple[int, list[str]]]:
    """Return all that may be paths in a file that is not generated, word by word, each with its line."""
    text = file.read_text("utf-8")
    lines = enumerate(text.splitlines(), 1) if not _is_generated(text) else ()
    return [(number, chain.split(".")) for number, line in lines for chain in _CHAIN.findall(line)]


def _is_generated(source: str) -> bool:
    """Return whether a module says at its beginning that it is generated."""
    return "enerated from" in source[:600]


def of_renamed(structures: dict[str, Structure], before: dict[str, Structure]) -> Iterator[Mistake]:
    """Check what else may have the name of a field or group that has another name now.

    They are subjects of requirements, and in code that name as an argument, an attribute or a whole text.  A
    name that another field still has is not looked for in code.
    """
    subject = re.compile(r'subject = "(.+)"')
    for file in sorted(_SPECS.glob("requirements/*.toml")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            match = subject.fullmatch(line)
            problem = _whole(structures, match[1]) if match and not _whole(before, match[1]) else ""
            if match and problem:
                yield Mistake(file, number, f"{match[1]}: {problem}")
    yield from _in_paths(structures, before)
    gone = _names(before) - _names(structures)
    for folder in (DEFINITIONS.parent, _SPECS.parent / "tests"):
        for file in sorted(folder.rglob("*.py")) if gone else ():
            text = file.read_text("utf-8")
            is_searched = not _is_generated(text) and any(name in text for name in gone)
            for node in ast.walk(tree_of(file)) if is_searched else ():
                names = {getattr(node, part, None) for part in ("value", "arg", "attr")}
                for name in sorted(gone & names):
                    yield Mistake(
                        file, getattr(node, "lineno", 0), f"{name}: no field or group has this name now"
                    )


def _in_paths(structures: dict[str, Structure], before: dict[str, Structure]) -> Iterator[Mistake]:
    """Check paths in code and tests, also as keywords, such as ``UserHeader__MessageID``."""
    path = re.compile(
        rf"\b({'|'.join(sorted(before, key=len, reverse=True))})((?:(?:\.|__)[A-Z][A-Za-z0-9]*)+)\b"
    )
    changed = [name for name, structure in before.items() if structure != structures.get(name)]
    for folder in (DEFINITIONS.parent, _ROOT / "tests"):
        for file in sorted(folder.rglob("*.py")) if changed else ():
            text = file.read_text("utf-8")
            for number, line in enumerate(text.splitlines(), 1) if not _is_generated(text) else ():
                for match in path.finditer(line):
                    named = match[0].replace("__", ".")
                    problem = _whole(structures, named) if not _whole(before, named) else ""
                    if problem:
                        yield Mistake(file, number, f"{named}: {problem}")


def _names(structures: dict[str, Structure]) -> set[str]:
    """Return the names of all fields and groups."""
    words = [field.word for structure in structures.values() for field in structure.fields if field.word]
    fields = {field.name for structure in structures.values() for field in structure.fields}
    return fields | {group.name for word in words for group in word.groups}


def _expression(structure: Structure, value: Any) -> str:
    """Return the fault of the expression of an omitted value, which may read fields of its structure."""
    try:
        names = fields_of(value) if isinstance(value, str) else ()
    except Unreadable as error:
        return str(error)
    return next(
        (f"{structure.name} has no field {name}" for name in names if name not in structure.by_name), ""
    )


def _in_layouts(structures: dict[str, Structure], homes: dict[str, str]) -> Iterator[Mistake]:
    """Check that every number that a field depends on is in its own structure or in an enclosing one."""
    around = _around(structures)
    for structure in structures.values():
        for field in structure.fields:
            for path in field.numbers:
                problem = resolve(structure, path)
                if problem and not any(not resolve(outer, path) for outer in around.get(structure.name, ())):
                    row = f"{structure.name}.{field.name}"
                    table = _table_of(row, path)
                    if table:
                        file, line = (
                            Path(relations.__file__),
                            line_of_row(Path(relations.__file__), table, row),
                        )
                    else:
                        file, line = line_of_field(homes[structure.name], structure.name, field.name)
                    yield Mistake(file, line, f"{table}: {row}: {problem}".removeprefix(": "))


def _table_of(row: str, path: str) -> str:
    """Return the table whose row says that a field depends on a path; empty if the C text says so."""
    for table in ("PRESENT", "CHOICES", "COUNTS", "OFFSETS", "VALUES"):
        stated = getattr(relations, table).get(row, "")
        if path in (stated if isinstance(stated, str) else stated[0]):
            return table
    return ""


def _in_comments(structures: dict[str, Structure]) -> Iterator[Mistake]:
    """Check every path in a comment of a C text, from its structure or from the outermost one on."""
    for file in sorted(DEFINITIONS.glob("c_*.py")):
        owner = ""
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            text, _, comment = line.partition("//")
            begins = re.match(r"(?:typedef )?struct (\w+)", text)
            owner = begins[1] if begins else owner
            for path in re.findall(r"\b(?:[A-Z]\w*\.)+[A-Z]\w*", comment):
                problem = resolve(structures[owner], path) if owner in structures else ""
                if problem and _whole(structures, path):
                    yield Mistake(file, number, f"{path}, in a comment: {problem}")


def _around(by_name: dict[str, Structure]) -> dict[str, list[Structure]]:
    """Map each structure to all structures that enclose it, directly or indirectly."""
    structures: dict[str, list[Structure]] = {}

    def enter(structure: Structure, outer: tuple[Structure, ...]) -> None:
        structures.setdefault(structure.name, []).extend(outer)
        for field in structure.fields:
            for inner in field.structures:
                enter(inner, (*outer, structure))

    for structure in by_name.values():
        enter(structure, ())
    return structures


def _in_readings(structures: dict[str, Structure]) -> Iterator[Mistake]:
    """Check that readings name existing structures, and known values existing fields."""
    from msmq_wire.documents import readings  # noqa: PLC0415  # readings import the records, which are compiled from the layouts
    from msmq_wire.views import known_values  # noqa: PLC0415  # as above

    for table in ("READINGS", "MAKERS"):
        for name, functions in getattr(readings, table).items():
            if name not in structures:
                function = next(iter(functions.values()))
                line = function.__code__.co_firstlineno
                yield Mistake(Path(readings.__file__), line, f"{table}: there is no structure {name}")
    file = Path(known_values.__file__)
    for table in ("VALUES", "OPTIONAL", "EXPECTED", "UNITS", "HEXADECIMAL", "EMBEDDED"):
        for path in getattr(known_values, table):
            problem = _whole(structures, path)
            if problem:
                yield Mistake(file, line_of_row(file, table, path), f"{table}: {path}: {problem}")
