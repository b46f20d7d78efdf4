"""The layout compiler: generates the modules of `documents` from the definitions.

1. `layouts` contains the model itself as source: structures, fields, kinds.
2. Each document becomes a module.  For each structure, in page order, it contains the flags words, the record
   class, and the functions to decode and encode it.
3. Each document has a second module, in `builders`, with the functions to measure a record, to build it, and
   to convert it to and from a dictionary.  Programs that only decode do not import it.
4. A generated decoder only accepts or raises `Reject`.  The diagnostic reader then finds which field was wrong; it
   reads the same layout and knows the path and offset of every field.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msmq_wire.definitions import relations
from msmq_wire.definitions.texts import TEXTS
from msmq_wire.ndr.model import Packed
from msmq_wire.records import model
from msmq_wire.records.model import Guid, Integer, Structure
from msmq_wire.values.guid import GUID_FORM

from .checks.mistakes import Mistakes
from .codec.builder import Builder
from .codec.decoder import DecoderEmitter
from .codec.draft import Draft
from .codec.encoder import EncoderEmitter, ListEmitter, has_values
from .codec.flat_constructor import AtOnce, declaration, signature
from .codec.plain import FromPlainEmitter, PlainEmitter
from .codec.scope import may_end_here
from .codec.sizes import SizeEmitter
from .emit import ClassName, Expression, ModuleText, model_source
from .opening import constants_of
from .pages import Pages
from .records import flags_source, headers_source, record_source
from .rpc import rpc_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


SOURCE = Path(model.__file__).parents[1]
BUILDERS = "builders"
"""The folder of the modules of builders, in `documents`."""
SPECS = SOURCE.parents[1] / "specs"
_HEADER = "Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit."
_RULES_HEADER = "Generated from `checks.rules` by ``python -m msmq_wire.compiler``; do not edit."


class Compiler:
    """Generates the functions of each structure into the text of its module."""

    def __init__(self, pages: Pages) -> None:
        self.structures = pages.done
        self.homes = pages.homes
        self.classes = {name: ClassName.of(structure) for name, structure in pages.done.items()}
        self.module = ModuleText()
        self.elements = {
            field.element.name
            for structure in pages.done.values()
            for field in structure.fields
            if field.element
        }
        self._shared: dict[str, tuple[str, str]] = {}

    # -- constants and functions for the emitters

    def unpacker(self, formats: str) -> str:
        """Return the name of `unpack_from` of a struct format."""
        name = f"unpack_{formats[1:].replace('?', 'bool')}"
        return self.module.constant(name, Expression(f'Struct("{formats}").unpack_from'))

    def packer(self, formats: str) -> str:
        """Return the name of `pack` of a struct format."""
        return self.module.constant(f"pack_{formats[1:]}", Expression(f'Struct("{formats}").pack'))

    def array_readers(self, code: str) -> str:
        """Return the name of the table of `unpack_from` methods of an integer type, by count."""
        return self.module.constant(
            f"unpack_many_{code}", Expression(f'ArrayMethods("unpack_from", "{code}")')
        )

    def array_writers(self, code: str) -> str:
        """Return the name of the table of `pack` methods of an integer type, by count."""
        return self.module.constant(f"pack_many_{code}", Expression(f'ArrayMethods("pack", "{code}")'))

    def size(self, name: str) -> Expression:
        """Return the name of the function that measures a structure."""
        return Expression(f"size_{name}")

    # -- modules

    def document(
        self, name: str, readings: dict[str, dict[str, Any]], makers: dict[str, dict[str, Any]]
    ) -> str:
        """Return the text of a document's module, without its imports."""
        self.module = ModuleText(self._shared)
        structures = self._own(name)
        for structure in structures:
            self.structure(structure, readings.get(structure.name, {}), makers.get(structure.name, {}))
        self._share(name, structures)
        return self.module.text()

    def builders(self, name: str) -> str:
        """Return the text of the module of a document's builders, without its imports."""
        self.module = ModuleText(self._shared)
        structures = self._own(name)
        for structure in structures:
            self.builder(structure)
        self._share(f"{BUILDERS}.{name}", structures)
        return self.module.text()

    def _own(self, name: str) -> list[Structure]:
        return [structure for structure in self.structures.values() if self.homes[structure.name] == name]

    def _share(self, module: str, structures: list[Structure]) -> None:
        """Let later modules import those constants of this one that refer to its structures."""
        ours = {structure.name for structure in structures}
        ours |= {str(word) for name in ours for word in self.classes[name].flags.values()}
        for source, name in self.module.constants.items():
            if ours & set(re.findall(r"\w+", source)):
                self._shared[source] = name, module

    def structure(self, structure: Structure, readings: dict[str, Any], makers: dict[str, Any]) -> None:
        name = structure.name
        self.module.add(_heading(structure))
        for field in structure.fields:
            if field.word:
                self.module.add(flags_source(structure, field, self.classes[name].flags[field.name].defaults))
        declared = record_source(structure, self.homes, readings, makers)
        if name in relations.FLAT_CONSTRUCTORS:
            declared += declaration(structure, self.homes)
        self.module.add(declared)
        decode = "None"
        if not structure.scoped:
            decode = f"decode_{name}"
            parameters = "data: bytes, pos: int, end: int, limits: Limits"
            if may_end_here(structure):
                parameters += ", ends_here: bool = False"
            if name in self.elements:
                parameters += ", origin: int | None = None"
            emitter = DecoderEmitter(self, structure, origin=self._origin(structure))
            emitter.function(decode, parameters, f"tuple[{name}, int]")
        encoder = (ListEmitter if has_values(structure) else EncoderEmitter)(self, structure)
        encoder.function(f"encode_{name}", f"record: {name}", "bytes")
        self.module.add(f"\nregister({name}, {decode}, encode_{name})\n")
        if _is_packet(structure) and name not in relations.REFINED:
            self.packet(structure)

    def builder(self, structure: Structure) -> None:
        """Generate the functions that measure and build a record, and convert it to and from a dictionary."""
        name = structure.name
        self.module.add(_heading(structure))
        SizeEmitter(self, structure).function(f"size_{name}", f"record: {name}", "int")
        builder = Builder(Draft(self, structure))
        builder.body()
        builder.draft.function(f"build_{name}", builder.parameters, name)
        functions = ["size", "build", "plain", "from_plain"]
        PlainEmitter(self, structure).function(f"plain_{name}", f"record: {name}", "dict[str, Any]")
        FromPlainEmitter(self, structure).function(f"from_plain_{name}", "fields: Any, path: str", name)
        if name in relations.FLAT_CONSTRUCTORS:
            at_once = AtOnce(Draft(self, structure))
            at_once.draft.function(f"of_{name}", signature(structure, self.homes), name)
            functions.append("of")
        self.module.add(f"\nregister({name}, {', '.join(f'{verb}_{name}' for verb in functions)})\n")

    def _origin(self, structure: Structure) -> Structure | None:
        """Return the enclosing structure from whose offset paddings of an array element count."""
        alignments = [field.alignment for field in structure.fields if field.alignment]
        origins = {alignment.origin for alignment in alignments} - {structure.name}
        return self.structures[origins.pop()] if origins else None

    def packet(self, structure: Structure) -> None:
        """Generate the decoder of a packet that fills its input completely."""
        name = structure.name
        function = f"decode_packet_{name}"
        emitter = DecoderEmitter(self, structure, packet=True)
        emitter.function(function, "data: bytes, end: int, limits: Limits", name)
        self.module.add(f'\nPACKETS["{name}"] = {function}\n')


def _heading(structure: Structure) -> str:
    rule = "-" * max(10, 100 - len(structure.section) - len(structure.name))
    return f"\n# {rule} {structure.section} {structure.name}\n"


# ------------------------------------------------------------------------------------------ the layouts


def _layouts(pages: Pages) -> str:
    lines = []
    for structure in pages.done.values():
        fields = "".join(f"{model_source(field)}, " for field in structure.fields)
        rest = [
            f"{key}={model_source(getattr(structure, key))}"
            for key in ("extent", "scoped", "doc")
            if getattr(structure, key)
        ]
        arguments = ", ".join([repr(structure.name), repr(structure.section), f"({fields})", *rest])
        lines.append(f"{structure.name} = Structure({arguments})\n")
    for home in TEXTS:
        names = [name for name in pages.done if pages.homes[name] == home]
        lines.append(f"register({', '.join([repr(home), *names])})\n")
    return "\n".join(lines)


def _opening_constants(pages: Pages) -> str:
    """Return the constants that distinguish packets."""
    lines = []
    for name, path in relations.OPENING.items():
        lines += [f"{constant} = {value}" for constant, value in constants_of(name, path, pages.done)]
        lines.append(f'"""From `{path}`."""')
    lines.append(f"ORDER_LABEL = {relations.ORDER_LABEL!r}")
    lines.append('"""The label of the messages that acknowledge others."""')
    return "\n".join(lines) + "\n"


# -------------------------------------------------------------------------------------- whole modules


def _enumerations(pages: Pages) -> str:
    parts = []
    for name, members in pages.enumerations().items():
        is_mask = pages.is_mask(name)
        width = 10 if is_mask else 2 + 2 * min(pages.enumeration_size(name), 2)
        lines = [f"    {member} = {value:#0{width}x}" for member, value in members.items()]
        what = "Bits of the access mask" if is_mask else "Numbers of the C enumeration"
        doc = f'    """{what} {name}."""\n'
        parts.append("\n".join([f"\nclass {name}({'IntFlag' if is_mask else 'IntEnum'}):", doc, *lines, ""]))
    names = ", ".join(pages.enumerations())
    parts.append(
        "ENUMERATIONS: Final[dict[str, type[IntEnum | IntFlag]]] = "
        f"{{item.__name__: item for item in ({names})}}\n"
    )
    parts.append('"""Every enumeration by its name."""\n')
    parts.append(
        "\ndef enumerations() -> dict[str, dict[str, int]]:\n"
        '    """Every enumeration: its members and their values by its name."""\n'
        "    return {\n"
        "        name: {member: int(value) for member, value in kind.__members__.items()}\n"
        "        for name, kind in ENUMERATIONS.items()\n"
        "    }\n"
    )
    return "\n".join(parts)


_IMPORTS = {
    "msmq_wire.definitions.relations": ("FUNCTIONS", "Alignment"),
    "msmq_wire.documents.converters": tuple({rule.function for rule in relations.CONVERTERS.values()}),
    "msmq_wire.records": ("accept", "replacing"),
    "msmq_wire.records.flags": ("Flags",),
    "msmq_wire.records.packing": ("is_packed", "rival_stands"),
    "msmq_wire.records.omitted": ("KeptText", "Omitted", "OmittedBytes"),
    "msmq_wire.records.plain": ("FieldSource",),
    "msmq_wire.records.record": ("Later", "Record"),
    "msmq_wire.records.registry": (
        "PACKETS",
        "ArrayMethods",
        "register",
        "size_of",
    ),
    "msmq_wire.values": ("plain", "plain_properties"),
    "msmq_wire.values.guid": ("GUID", "NULL_GUID"),
    "msmq_wire.values.properties.lists": ("LIST_BYTES", "readers_of"),
    "msmq_wire.values.properties.values": ("add_values", "size_of_values", "write_values"),
    "msmq_wire.values.reject": ("Reject",),
    "msmq_wire.values.sequence_number": ("MIN_SEQ_NUMBER", "SEQUENCE_NUMBER"),
    "msmq_wire.values.wchar": ("find_terminator", "wchar_count"),
    "enum": ("IntEnum", "IntFlag"),
    "functools": ("cache", "partial"),
    "struct": ("Struct",),
    "typing": ("TYPE_CHECKING", "Any", "ClassVar", "Final"),
}
_CHECKED = {
    "msmq_wire.documents": (*TEXTS, "directory_properties", "notification_text", "propid"),
    "msmq_wire.names": ("format_names",),
    "msmq_wire.values": ("enumerations",),
    "msmq_wire.packets.directory": ("replication",),
    "msmq_wire.records.model": ("Structure",),
    "msmq_wire.values.limits": ("Limits",),
    "msmq_wire.values.properties.natural": ("BodyValue",),
    "msmq_wire.values.properties.values": ("PropertyValue",),
    "collections.abc": ("Iterable", "Mapping"),
    "typing": ("Self",),
}


def _module(name: str, body: str, pages: Pages, constants: Mapping[str, str] | None = None) -> str:
    """Return a whole module: docstring, the imports that the body needs, names, body."""
    used, aliases = _words(body)
    lines = _opening(TEXTS[name].about if name in TEXTS else _ABOUT[name], used)
    if name == "layouts":
        exported = [*pages.done, "structures"]
        lines.append(
            f"from msmq_wire.records.model import {', '.join(sorted(_MODEL & used | {'structures'}))}"
        )
        used -= _MODEL
    lines += _imports(used, _IMPORTS)
    if name in TEXTS:
        lines.append("from . import readings")
        for module in TEXTS:
            if module != name:
                lines += _import(f".{module}", _names(module, ("decode", "encode"), used, pages, constants))
        exported = re.findall(r"^class (\w+)\(", body, re.MULTILINE)
        lines += _type_imports(used, aliases)
    elif name == "opening":
        exported = re.findall(r"^(\w+) = ", body, re.MULTILINE)
    elif name != "layouts":
        exported = ["ENUMERATIONS", "enumerations", *pages.enumerations()]
    lines.append(f"__all__ = {[*exported]!r}")
    if "join" in used and name in TEXTS:
        lines.append('join = b"".join')
    return "\n".join(lines) + "\n\n" + body


def _builders_module(name: str, body: str, pages: Pages, constants: Mapping[str, str]) -> str:
    """Return the whole module of the builders of a document, as `_module` does."""
    used, aliases = _words(body)
    types = _type_imports(used, aliases)
    lines = _opening(f"Building the records of {TEXTS[name].about}", used)
    lines += _imports(used - {"register"} | ({"TYPE_CHECKING"} if types else set()), _IMPORTS)
    lines.append("from msmq_wire.documents import layouts")
    lines.append("from msmq_wire.records.registry import register_builders as register")
    for module in TEXTS:
        home = f"msmq_wire.documents.{module}"
        lines += _import(home, _names(module, (), used, pages, constants))
        if module != name:
            verbs = ("size", "build", "plain", "from_plain")
            theirs = {item: home for item, home in constants.items() if home == f"{BUILDERS}.{module}"}
            lines += _import(f".{module}", [*_functions(module, verbs, used, pages), *theirs])
    lines += types
    return "\n".join(lines) + "\n\n" + body


def _words(body: str) -> tuple[set[str], list[str]]:
    """Return the names in the source of a body, and the type aliases that it needs."""
    aliases = [f"    {alias} = {meaning}" for alias, meaning in _ALIASES.items() if alias in body]
    return set(re.findall(r"[A-Za-z_]\w*", "\n".join([body, *aliases]))), aliases


def _opening(about: str, used: set[str]) -> list[str]:
    lines = [f'"""{about}', "", f"{_HEADER}", '"""', "", "from __future__ import annotations", ""]
    if "replace" in used:
        lines.append("from msgspec.structs import replace")
    if "decode_utf16" in used:
        lines.append("from codecs import utf_16_le_decode as decode_utf16")
    if "encode_utf16" in used:
        lines.append("from codecs import utf_16_le_encode as encode_utf16")
    return lines


def _import(module: str, names: Iterable[str]) -> list[str]:
    """Return the import of these names; nothing if there are none."""
    imported = ", ".join(names)
    return [f"from {module} import {imported}"] if imported else []


def _imports(used: set[str], names_by_module: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the imports of those names of modules that are used."""
    return [
        line
        for module, names in names_by_module.items()
        for line in _import(module, [item for item in names if item in used])
    ]


def _functions(module: str, verbs: Iterable[str], used: set[str], pages: Pages) -> list[str]:
    """Return the functions of a document's structures that are used."""
    theirs = [item for item, home in pages.homes.items() if home == module]
    return [f"{verb}_{item}" for item in theirs for verb in verbs if f"{verb}_{item}" in used]


def _names(
    module: str, verbs: Iterable[str], used: set[str], pages: Pages, constants: Mapping[str, str] | None
) -> list[str]:
    """Return the names of a document's module that are used: classes, functions, constants."""
    theirs = [item for item, home in pages.homes.items() if home == module]
    words = [
        field.word.name
        for item in theirs
        for field in pages.done[item].fields
        if field.word and field.word.name in used
    ]
    return [
        *(item for item in theirs if item in used),
        *_functions(module, verbs, used, pages),
        *words,
        *(item for item, home in (constants or {}).items() if home == module),
    ]


def _type_imports(used: set[str], aliases: list[str]) -> list[str]:
    """Return the imports for annotations."""
    lines = [f"import {module}" for name, module in _ANNOTATED.items() if name in used]
    lines += _imports(used, _CHECKED)
    return ["if TYPE_CHECKING:", *(f"    {line}" for line in lines), *aliases] if lines else []


_ABOUT = {
    "layouts": "The layouts of all structures: the C texts and the relations of `definitions` as one model.",
    "enumerations": "The enumerations of the C texts.",
    "opening": "Distinguishes packets by their first bytes: offsets, masks, sizes and usual values.",
}
_ALIASES = {
    "_Bytes": "bytes | bytearray | memoryview",
    "_Guid": "GUID | uuid.UUID | str | bytes",
    "_Number": "SEQUENCE_NUMBER | int | str | bytes",
}
_ANNOTATED = {"dt": "datetime as dt", "ipaddress": "ipaddress", "uuid": "uuid"}
_MODEL = set(model.__all__)


# ------------------------------------------------------------------------------------------- validators

_VALIDATOR_IMPORTS = {
    "msmq_wire.checks.offsets": ("Inside",),
    "msmq_wire.checks.rules": ("RawViolation", "RULE_FUNCTIONS", "RULES", "embedded_in", "rows_by_id"),
    "msmq_wire.records.record": ("size_of_record",),
    "msmq_wire.values.guid": ("NULL_GUID",),
    "msmq_wire.values.sequence_number": ("MIN_SEQ_NUMBER",),
    "msmq_wire.values.wchar": ("wchar_count",),
    "types": ("NoneType",),
}


def validators(pages: Pages) -> dict[str, str]:
    """Generate the validator modules, one for each document."""
    from .checks.rule_mistakes import find  # noqa: PLC0415  # the rules import the records, which must be generated first
    from .checks.validators import ValidatorEmitter, validator_names  # noqa: PLC0415  # as above

    mistakes = find(pages.done)
    if mistakes:
        raise Mistakes(mistakes)
    names = validator_names(pages.done.values())
    texts = {}
    for name in TEXTS:
        module = ModuleText()
        for structure in pages.done.values():
            if pages.homes[structure.name] == name and structure.name in names:
                module.add(_heading(structure))
                ValidatorEmitter(module, structure, names)
        texts[f"checks/validators/{name}.py"] = _validator_module(name, module.text(), pages)
    return texts


def _validator_module(name: str, body: str, pages: Pages) -> str:
    used = set(re.findall(r"[A-Za-z_]\w*", body))
    lines = [f'"""Validators of {TEXTS[name].about}', "", f"{_RULES_HEADER}", '"""', ""]
    lines += ["from __future__ import annotations", "from typing import TYPE_CHECKING, Any"]
    lines += _imports(used, _VALIDATOR_IMPORTS)
    run = set(re.findall(r"\d: (\w+)", body))
    types: list[str] = []
    for document in TEXTS:
        home, theirs = (
            f"msmq_wire.documents.{document}",
            [item for item, of in pages.homes.items() if of == document],
        )
        lines += _import(home, [item for item in theirs if item in run])
        types += _import(home, [item for item in theirs if item not in run and f"record: {item}," in body])
        if document != name:
            lines += _import(f".{document}", _functions(document, ("validate",), used, pages))
    types.append("from msmq_wire.checks.collector import ViolationCollector, Trail")
    lines += ["from .registry import VALIDATORS", "if TYPE_CHECKING:", *(f"    {line}" for line in types)]
    return "\n".join(lines) + "\n\n" + body


def _formatted(text: str, path: Path) -> str:
    """Return the text as the project's formatter formats it, without unused imports."""
    for step in (["check", "--select", "I,F401,F811,RUF022", "--fix", "--quiet"], ["format", "--quiet"]):
        command = [_formatter(), *step, "--stdin-filename", str(path), "-"]
        done = subprocess.run(  # noqa: S603  # the project's formatter and our own text
            command, input=text, capture_output=True, text=True, check=False, cwd=SOURCE
        )
        if done.returncode not in {0, 1} or not done.stdout:
            raise SystemExit(f"{path.name}: {done.stderr}")
        text = done.stdout
    return text


@cache
def _formatter() -> str:
    """Return the path of the formatter, which begins three times as fast without Python."""
    try:
        from ruff import find_ruff_bin  # noqa: PLC0415  # only those who generate need it

        return str(find_ruff_bin())
    except (ImportError, FileNotFoundError) as error:
        raise SystemExit(f"ruff formats generated modules, but is not installed: {error}") from None


def generate(pages: Pages) -> dict[Path, str]:
    """Generate every module; return text by path."""
    from msmq_wire.documents.readings import MAKERS, READINGS  # noqa: PLC0415  # import only after the model has been read

    validating = validators(pages)  # first, as it finds the mistakes in the rules
    compiler = Compiler(pages)
    texts = {"values/enumerations.py": _module("enumerations", _enumerations(pages), pages)}
    texts["documents/layouts.py"] = _module("layouts", _layouts(pages), pages)
    texts["documents/opening.py"] = _module("opening", _opening_constants(pages), pages)
    for name in TEXTS:
        body = compiler.document(name, READINGS, MAKERS)
        texts[f"documents/{name}.py"] = _module(name, body, pages, compiler.module.imported)
    for name in TEXTS:
        body = compiler.builders(name)
        texts[f"documents/{BUILDERS}/{name}.py"] = _builders_module(
            name, body, pages, compiler.module.imported
        )
    texts["packets/headers.py"] = headers_source(_headers(pages))
    texts |= validating
    texts["ndr/structures.py"] = rpc_source(_packed(pages), pages.homes)
    return {SOURCE / path: _formatted(text, SOURCE / path) for path, text in texts.items()}


_NUMBERS = {Integer: (8, "{kind.format}"), Guid: (4, GUID_FORM)}
"""The largest size of a number within a kind of field, in bytes, and the `struct` format of its numbers."""


def _packed(pages: Pages) -> dict[str, Packed]:
    """Return the structures that consist of numbers only, without gaps."""
    packed = {}
    for name, structure in pages.done.items():
        kinds = [field.kind for field in structure.fields if isinstance(field.kind, (Integer, Guid))]
        if structure.fixed_size and len(kinds) == len(structure.fields):
            numbers = [(kind, *_NUMBERS[type(kind)]) for kind in kinds]
            aligned = max(min(kind.size, widest) for kind, widest, _ in numbers)
            form = "".join(form.format(kind=kind) for kind, _, form in numbers)
            packed[name] = Packed(name, structure.fixed_size, aligned, form)
    return packed


def generate_others(pages: Pages) -> dict[Path, str]:
    """Generate the files for other languages: the Wireshark dissector, the layouts as JSON and for Kaitai Struct.

    They are made from the imported package, so the generated modules must be up to date.
    """
    from msmq_wire.exports.kaitai import description  # noqa: PLC0415  # as above
    from msmq_wire.exports.layouts import as_json, document, schema  # noqa: PLC0415  # these import the whole package, with the generated modules
    from msmq_wire.exports.wireshark import dissector  # noqa: PLC0415  # as above

    described = document(pages.done.values())
    files = {SOURCE / "wireshark" / "msmq.lua": dissector(described)}
    if SPECS.is_dir():  # absent in an installed package
        files[SPECS / "msmq.ksy"] = description()
        files[SPECS / "layouts.json"] = as_json(described)
        files[SPECS / "layouts.schema.json"] = as_json(schema())
    return files


def _headers(pages: Pages) -> dict[str, str]:
    """Return the headers of packets, and the document of each."""
    names = {field.name for packet in pages.done.values() if _is_packet(packet) for field in packet.fields}
    return {name: home for name, home in pages.homes.items() if name in names}


def _is_packet(structure: Structure) -> bool:
    """Return whether a header of the structure states the size of all of it."""
    return structure.extent is not None and "." in structure.extent.path and not structure.scoped


def stale_files(texts: dict[Path, str]) -> list[Path]:
    return [path for path, text in texts.items() if not path.exists() or path.read_text("utf-8") != text]


def write(*, check: bool = False) -> list[Path]:
    """Write every file that differs from the generated text; with `check`, only return these files.

    Modules are written first.  After a module was written, only a new process can import it and write the
    rest.

    Returns: The paths of the files that differ.

    Raises:
        Mistakes: The definitions contain mistakes.
    """
    pages = Pages.read()
    texts = generate(pages)
    stale = stale_files(texts)
    if not stale or check:
        others = generate_others(pages)
        texts |= others
        stale += stale_files(others)
    if not check:
        for path in stale:
            path.write_text(texts[path], "utf-8")
    return stale
