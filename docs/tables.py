"""Generates the tables of the reference from the library and `specs`.

    python docs/tables.py [--check]

The function `name` returns the text between the lines ``<!-- table: name argument -->`` and
``<!-- end of table -->`` of a page.  The tables are committed, so that pages can be read in a checkout.  With
``--check`` nothing is written, and stale pages are listed.
"""  # noqa: INP001  # a program, no package

from __future__ import annotations

import argparse
import inspect
import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msmq_wire import mqcn, mqdsrp, mqmq, mqqb, mqrr, rpc
from msmq_wire.documents.layouts import structures as registered
from msmq_wire.documents.readings import READINGS
from msmq_wire.ndr import model as ndr
from msmq_wire.records import model as layout
from msmq_wire.records.record import Flags, Record, record_class
from msmq_wire.values.enumerations import enumerations as all_enumerations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

__all__ = [
    "MODULES",
    "TABLES",
    "attributes",
    "calls",
    "columns",
    "deliveries",
    "enumerations",
    "errata",
    "filled",
    "findings",
    "public",
    "segments",
    "stale",
    "structures",
    "zeek",
]

ROOT = Path(__file__).resolve().parent.parent
_MARK = re.compile(
    r"^(?P<mark><!-- table: (?P<name>\w+)(?: (?P<argument>\S+))? -->\n).*?^(?P<end><!-- end of table -->)$",
    re.MULTILINE | re.DOTALL,
)
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#$~])")
_CODE = re.compile(r"``?(.+?)``?")
_NUMBERS = {"B": "uint8", "H": "uint16", "I": "uint32", "Q": "uint64",
            "b": "int8", "h": "int16", "i": "int32", "q": "int64"}  # fmt: skip
_ELSEWHERE = {"ImbalanceError", "SecurityError", "UnavailableError"}  # errors have entries on other pages
_LOADED = rpc  # importing it registers the structures of calls
MODULES = {"MS-MQMQ": mqmq, "MS-MQQB": mqqb, "MS-MQRR": mqrr, "MC-MQDSRP": mqdsrp, "MS-MQCN": mqcn}


def _plain(text: str) -> str:
    """Joins the lines of a text and escapes all characters that are markup in Markdown."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _marked(text: str) -> str:
    """Converts the text of a docstring to Markdown; its only markup is code in backticks."""
    pieces = _CODE.split(" ".join(text.split()))
    return "".join(
        f"`{piece}`" if index % 2 else _SPECIAL.sub(r"\\\1", piece) for index, piece in enumerate(pieces)
    )


def _about(text: str, section: str) -> str:
    """The section that defines a structure, then its description without that section."""
    return f"{_plain(section)}. " + _marked(" ".join(text.split()).replace(f" ({section}).", "."))


def _table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


# ------------------------------------------------------------------------------------------ structures


def _type(kind: layout.Kind) -> str:
    """The type of a field, for one cell."""
    match kind:
        case layout.Integer(enumeration=None):
            return _NUMBERS[kind.format]
        case layout.Integer():
            return f"{_NUMBERS[kind.format]}, `{kind.enumeration}`"
        case layout.Flags():
            return f"{_NUMBERS[kind.format]}, groups of bits"
        case layout.Guid():
            return "GUID"
        case layout.Sequence():
            return "SEQUENCE\\_NUMBER"
        case layout.Numbers():
            return f"{_NUMBERS[kind.format]}\\[{_count(kind.count)}\\]"
        case layout.Values():
            return f"property values, types by `{kind.identifiers}`"
        case layout.Bytes():
            return f"bytes\\[{_count(kind.count)}\\]"
        case layout.Text(count=layout.NUL):
            return "WCHARs up to a terminator"
        case layout.Text():
            return f"WCHAR\\[{_count(kind.count)}\\]"
        case layout.Nested():
            return f"`{kind.structure.name}`"
        case layout.Items():
            return f"`{kind.structure.name}`\\[{_count(kind.count)}\\]"
        case layout.Choice():
            known = {form.name: form for form in kind.forms.values() if form}
            return f"by `{kind.selector}`: " + ", ".join(f"`{name}`" for name in known)
    return "bytes to a boundary"


def _count(count: int | str | layout.Count | layout.Fill) -> str:
    if count == layout.EOF:
        return "rest"
    return str(count) if isinstance(count, int) else f"`{count}`"


def _field_rows(structure: layout.Structure) -> Iterable[tuple[str, str, str]]:
    for field in structure.fields:
        yield f"`{field.name}`", _type(field.kind), _plain(field.doc)
        if isinstance(field.kind, layout.Flags):
            for group in field.kind.groups:
                last = group.shift + group.width - 1
                bits = f"bit {last}" if group.width == 1 else f"bits {group.shift} to {last}"
                yield f"`{field.name}.{group.name}`", bits, _plain(group.doc)


def structures(document: str) -> str:
    """Every structure of one document: its section, class, size, fields and properties."""
    module = MODULES[document]
    lines = []
    for structure in layout.structures().values():
        if structure.name not in module.__all__:
            continue
        about = (inspect.getdoc(record_class(structure.name)) or "").partition("\n\n")[0]
        size = structure.fixed_size
        takes = f"{structure.least_size} bytes or more" if size is None else f"{size} bytes"
        lines += [
            f"## {_plain(structure.name)}",
            "",
            f"{_about(about, structure.section)} {takes}. `{module.__name__}.{structure.name}`",
            "",
            *_table(("field", "type", "meaning"), _field_rows(structure)),
        ]
        readings = READINGS.get(structure.name)
        if readings:
            lines += _table(
                ("property", "value"),
                (
                    (f"`{name}`", _marked((inspect.getdoc(function) or "").partition("\n\n")[0]))
                    for name, function in readings.items()
                ),
            )
    return "\n".join(lines)


def calls(_: str) -> str:
    """Every structure of remote calls: its section, class and fields."""
    lines = []
    for structure in ndr.structures().values():
        lines += [
            f"## {_plain(structure.name)}",
            "",
            f"{_about(structure.doc, structure.section)} `msmq_wire.rpc.{structure.name}`",
            "",
            *_table(("field", "type", "meaning"), _call_rows(structure)),
        ]
    return "\n".join(lines)


def _call_rows(structure: ndr.Structure) -> Iterable[tuple[str, str, str]]:
    for field in structure.fields:
        if not isinstance(field.type, ndr.Union):
            yield f"`{field.name}`", _call_type(field.type), _plain(field.doc)
            continue
        yield f"`{field.name}`", f"union by `{field.type.selector}`", _plain(field.doc)
        for value, arm in field.type.arms.items():
            if arm is not None:
                yield f"`{arm.name}`", f"{value:#x}: {_call_type(arm.type)}", _plain(arm.doc)


def _call_type(kind: ndr.Type | ndr.String | ndr.Array) -> str:
    match kind:
        case ndr.Scalar(enumeration=None):
            return _NUMBERS[kind.format]
        case ndr.Scalar():
            return f"{_NUMBERS[kind.format]}, `{kind.enumeration}`"
        case ndr.Guid():
            return "GUID"
        case ndr.Packed() | ndr.Embedded():
            return f"`{kind.name}`"
        case ndr.String():
            return "text"
        case ndr.Array():
            return f"{_call_type(kind.element)}\\[`{kind.count}`\\]"
        case ndr.Pointer():
            return f"pointer to {_call_type(kind.to)}"
    raise AssertionError(kind)


def enumerations(_: str) -> str:
    """Every enumeration with its values."""
    lines = []
    for name, members in all_enumerations().items():
        width = 4 if max(members.values()) > 0xFF else 2
        rows = ((f"`{value:#0{width + 2}x}`", f"`{member}`") for member, value in members.items())
        home = next(module.__name__ for module in MODULES.values() if name in module.__all__)
        entry = ["```{eval-rst}", f".. py:class:: {home}.{name}", "```", ""]
        lines += [f"## {_plain(name)}", "", *entry, *_table(("value", "name"), rows)]
    return "\n".join(lines)


# --------------------------------------------------------------------------------------------- errata


def errata(document: str) -> str:
    """The errata whose identifier begins with the letter of a document."""
    content: dict[str, Any] = tomllib.loads((ROOT / "specs" / "errata.toml").read_text(encoding="utf-8"))
    rows = (
        (
            item["id"],
            _plain(", ".join(item["sections"])),
            _plain(item["conflict"]),
            _plain(item["reading"]),
            item["certainty"] + (", changes bytes" if item["changes_wire"] else ""),
        )
        for item in content["erratum"]
        if item["id"].startswith(document)
    )
    return "\n".join(_table(("id", "sections", "problem", "interpretation", "evidence"), rows))


def segments(_: str = "") -> str:
    """The columns of the Spark data source."""
    schema = import_module("msmq_wire.captures.files.segments").SEGMENTS
    rows = (
        (f"`{field.name}`", f"`{field.type}`", _marked(field.metadata[b"comment"].decode()))
        for field in schema
    )
    return "\n".join(_table(("column", "type", "meaning"), rows))


def columns(table: str) -> str:
    """The columns of a table of captures beside those of all captured items; ``common`` are the latter."""
    schemas = import_module("msmq_wire.captures.schemas")
    common = schemas.schema_of(schemas.FLOW + schemas.PLACE)
    if table == "common":
        return "\n".join(_columns(common))
    schema_of_run = import_module("msmq_wire.captures.writing").RUN
    fields = [*(schema_of_run if table == "run" else import_module("msmq_wire.captures").SCHEMAS[table])]
    if [field.name for field in fields[: len(common)]] != common.names:
        return "\n".join(_columns(fields))
    own = fields[len(common) :]
    before = "The columns of all captured items" + (", then:" if own else ".")
    return "\n".join([before, "", *(_columns(own) if own else [])])


def _columns(fields: Iterable[Any]) -> list[str]:
    rows = (
        (
            f"`{field.name}`",
            f"`{_short(field.type)}`",
            _marked(field.metadata[b"comment"].decode()) + _inner_fields(field),
        )
        for field in fields
    )
    return _table(("column", "type", "meaning"), rows)


_OF_ZEEK = {
    "ts": "Time of capture of its first segment.",
    "uid": "Identifier of the connection, the same in all logs of this library; that of Zeek is another one.",
    "id.orig_h": "Address of the side that opened the connection.",
    "id.orig_p": "Its port.",
    "id.resp_h": "Address of the other side.",
    "id.resp_p": "Its port.",
    "proto": "``tcp`` or ``udp``.",
    "is_orig": "Whether the side that opened the connection sent the packet.",
    "community_id": "The Community ID of the connection.",
}
"""The meaning of fields that Zeek has under the same name."""


def zeek(table: str) -> str:
    """The fields of the log of a table in the format of Zeek, with types; those of headers by header."""
    log_of = import_module("msmq_wire.captures.events").ZeekLog
    schema = import_module("msmq_wire.captures").SCHEMAS[table]
    rows: list[tuple[str, str, str]] = []
    headers: dict[tuple[str, str], list[str]] = {}
    for name, kind in log_of(table, schema).fields.items():
        header, _, field = name.partition(".")
        if name in _OF_ZEEK:
            rows.append((f"`{name}`", f"`{kind}`", _marked(_OF_ZEEK[name])))
        elif field:
            headers.setdefault((header, kind), []).append(f"`{field}`")
        else:
            meaning = _marked(schema.field(name).metadata[b"comment"].decode())
            rows.append((f"`{name}`", f"`{kind}`", meaning))
    inner = [(f"`{header}`", f"`{kind}`", ", ".join(names)) for (header, kind), names in headers.items()]
    between = "The fields of headers are paths that begin with the name of the header, such as "
    header, _, names = inner[0]
    between += f"`{header.strip('`')}.{names.split('`')[1]}`."
    lines = [*_table(("field", "type", "meaning"), rows), between, ""]
    return "\n".join([*lines, *_table(("header", "type", "fields"), inner)])


def _inner_fields(field: Any) -> str:
    """The fields of a struct, or of the structs of a list; those of headers have pages of their own."""
    types = import_module("pyarrow").types
    kind = field.type.value_type if types.is_list(field.type) else field.type
    if not types.is_struct(kind) or field.name in layout.structures():
        return ""
    return " Fields: " + ", ".join(f"`{inner.name}`" for inner in kind) + "."


def _short(kind: Any) -> str:
    """The type of a column; structs without their fields, which are those of a structure or a class."""
    types = import_module("pyarrow").types
    if types.is_struct(kind):
        return "struct"
    if types.is_list(kind):
        return f"list<{_short(kind.value_type)}>"
    if types.is_map(kind):
        return f"map<{_short(kind.key_type)}, {_short(kind.item_type)}>"
    return str(kind)


def deliveries(argument: str) -> str:
    """The states of messages, from the first that applies.

    With ``classes``, the state that each class means; with ``worst``, the states from the best to the worst.
    """
    if argument == "worst":
        return (
            ", ".join(
                f"`{state}`"
                for state in import_module("msmq_wire.captures.answers.deliveries.reasons").WEAKEST
            )
            + "."
        )
    if argument == "classes":
        outcomes = import_module("msmq_wire.captures.answers.purposes").OUTCOMES
        rows = ((f"`{name}`", f"`{state}`") for name, state in outcomes.items())
        return "\n".join(_table(("class of an acknowledgment", "state"), rows))
    states = import_module("msmq_wire.captures.answers.deliveries.reasons").STATES
    return "\n".join(
        _table(("state", "what it means"), ((f"`{state}`", _plain(text)) for state, text in states.items()))
    )


def findings(argument: str) -> str:
    """The patterns of findings; with the identifier of one, all that is to be said of it."""
    module = import_module("msmq_wire.captures.findings.patterns")
    if not argument:
        rows = (
            (
                f"[{one.id}](findings/{one.id}.md)",
                one.severity,
                _marked(one.name),
                ", ".join(map(_plain, one.references)),
            )
            for severity in reversed(module.SEVERITIES)
            for one in module.PATTERNS
            if one.severity == severity
        )
        return "\n".join(_table(("pattern", "severity", "what was found", "references"), rows))
    (one,) = (one for one in module.PATTERNS if one.id == argument)
    lines = [f"{one.severity.capitalize()}, for {_OF[one.subject]}."]
    if one.references:
        lines[0] += f" References: {'; '.join(map(_plain, one.references))}."
    for title, text in _TOLD:
        lines += ["", f"**{title}.** {_marked(getattr(one, text))}"]
    if one.conditions:
        rows = (
            (
                f"`{fact}`",
                operator,
                "" if value is None else f"`{_escaped(value)}`",
                _marked(module.FACTS[fact]),
            )
            for fact, operator, value in one.conditions
        )
        lines += ["", "Outcome if all of these conditions hold:", ""]
        lines += _table(("fact", "condition", "value", "meaning of the fact"), rows)
    return "\n".join(lines)


_OF = {
    "packet": "each packet",
    "segment": "each segment that contradicts another one",
    "message": "each message",
    "connection": "each connection",
    "capture": "all connections at a sensor",
}
_TOLD = (
    ("What it means", "meaning"), ("What else looks like it", "looks_alike"), ("What to do", "action"),
    ("Limits", "limits"),
)  # fmt: skip
"""The paragraphs about a pattern."""


def _escaped(value: Any) -> str:
    """A value in a cell of a table, in code."""
    return str(value).replace("|", "\\|")


def attributes(name: str) -> str:
    """The fields of a struct column of `sessions`, which are the attributes of a class."""
    kind = getattr(import_module("msmq_wire.checks.sessions.state"), name)
    sentences = import_module("msmq_wire.captures.schemas").sentences_of(kind)
    rows = ((f"`{field}`", _marked(sentence)) for field, sentence in sentences.items())
    return "\n".join(_table(("field", "meaning"), rows))


def classes(module: str) -> str:
    """Every record class of a document with its properties, and its words of flags, for index and search."""
    home = import_module(f"msmq_wire.{module}")
    found = {name: getattr(home, name) for name in home.__all__ if isinstance(getattr(home, name), type)}
    records = [name for name, it in found.items() if issubclass(it, Record)]
    words = [name for name, it in found.items() if issubclass(it, Flags)]
    return _entries(home, records + words)


def public(module: str) -> str:
    """Every public name of a module, for index and search."""
    home = import_module(f"msmq_wire.{module}")
    return _entries(home, (name for name in home.__all__ if name not in _ELSEWHERE))


def _entries(home: ModuleType, names: Iterable[str]) -> str:
    lines = ["```{eval-rst}", f".. currentmodule:: {home.__name__}", ""]
    for name in names:
        it = getattr(home, name)
        if isinstance(it, type):
            lines += [f".. autoclass:: {name}()", "   :members:", ""]
        else:
            lines += (
                [f".. autofunction:: {name}"] if callable(it) else [f".. autodata:: {name}", "   :no-value:"]
            )
            lines += [""]
    return "\n".join([*lines, "```"])


TABLES: dict[str, Callable[[str], str]] = {
    "attributes": attributes,
    "classes": classes,
    "columns": columns,
    "deliveries": deliveries,
    "findings": findings,
    "public": public,
    "structures": structures,
    "calls": calls,
    "enumerations": enumerations,
    "errata": errata,
    "segments": segments,
    "zeek": zeek,
}
"""The tables by their names in pages."""


def filled(text: str) -> str:
    """The text of a page with up-to-date tables; those of modules whose extra is missing stay as they are."""

    def table(found: re.Match[str]) -> str:
        try:
            content = TABLES[found["name"]](found["argument"] or "")
        except ImportError as error:
            print(f"{found['name']} {found['argument'] or ''} stays as it is: {error}")  # noqa: T201  # a program
            return found[0]
        return f"{found['mark']}\n{content.strip()}\n\n{found['end']}"

    return _MARK.sub(table, text)


def covered(text: str) -> str:
    """The page of the coverage, with a row for each structure that it does not name."""
    lines = text.splitlines(keepends=True)
    for structure in registered().values():
        document, _, section = structure.section.removeprefix("[").partition("] ")
        if structure.name in text or structure.name == "NotificationUpdates":
            continue
        heading, last = "", 0
        for at, line in enumerate(lines):
            heading = line if line.startswith("## ") else heading
            row = re.match(r"\| ([0-9.]+) \|", line)
            if f"[{document}]" in heading and row and _numbers(row[1]) < _numbers(section):
                last = at
        module = document.partition("-")[2].lower()
        title = structure.name.replace("_", r"\_")
        lines.insert(last + 1, f"| {section} | {title} | yes | yes | `{module}.{structure.name}` |\n")
    return "".join(lines)


def _numbers(section: str) -> list[int]:
    return [int(number) for number in section.split(".")]


def stale() -> dict[Path, str]:
    """The pages with outdated tables, and their up-to-date text."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))}
    written = {path: filled(text) for path, text in pages.items()}
    written |= {path: covered(text) for path, text in written.items() if path.name == "coverage.md"}
    return {path: text for path, text in written.items() if text != pages[path]}


def main() -> None:
    """Write the tables; with ``--check``, list stale pages and exit with 1 if there are any."""
    parser = argparse.ArgumentParser(description="Generates the tables of the reference.")
    parser.add_argument("--check", action="store_true", help="write nothing, list stale pages")
    check = parser.parse_args().check
    found = stale()
    for path, text in found.items():
        print(  # noqa: T201  # a program
            f"{path.relative_to(ROOT)} {'is stale: run python docs/tables.py' if check else 'written'}"
        )
        if not check:
            path.write_text(text, encoding="utf-8")
    if check and found:
        sys.exit(1)


if __name__ == "__main__":
    main()
