"""The documentation: what it shows happens, what it lists is there, what it links to exists."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from hypothesis import settings
from support_docs import DOCS, PAGES, ROOT, blocks, ids, run_examples
from support_specs import load_errata, load_requirements

from msmq_wire import captures
from msmq_wire.captures.answers.deliveries.reasons import STATES
from msmq_wire.captures.network.links import LINK_TYPES
from msmq_wire.documents.layouts import structures
from msmq_wire.testing.captures import write_captures
from msmq_wire.values.enumerations import enumerations

if TYPE_CHECKING:
    from pathlib import Path

LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)")
ROW = re.compile(r"^\| (2\.[0-9.]+) \| ([^|]+(?:\\\|[^|]+)?) \| (yes|—) \| (yes|—) \|(.+)\|$", re.MULTILINE)
SCOPE = {
    "MS-MQMQ": r"2\.1|2\.2\.([1-7]|18|19|20|21|22)",
    "MS-MQQB": r"2\.2|2\.4",
    "MS-MQRR": r"2\.2\.5",
    "MC-MQDSRP": r"2\.2",
    "MS-MQCN": r"2\.2",
}


@pytest.fixture(scope="module")
def tables() -> Any:
    """The module that makes the tables of the reference."""
    spec = importlib.util.spec_from_file_location("tables", DOCS / "tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LONG = {"fuzz.md", "test-your-own-code.md"}
"""They make as many mutants, or draw as many examples, as a user would."""


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.long] if page.name in LONG else [], id=ids(page))
        for page in PAGES
        if blocks(page)
    ],
)
def test_examples(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example of a page runs, one after the other, and prints what is printed below it."""
    profile = settings.get_current_profile_name()
    monkeypatch.chdir(ROOT)
    settings.load_profile("unshrunk")  # what is printed is so of all that may be found
    try:
        run_examples(page)
    finally:
        settings.load_profile(profile)


QUERY = re.compile(r"```sql\n(.*?)```", re.DOTALL)
SPARK_ALONE = "parquet.`"
"""What only queries for Spark have."""


def test_queries_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each query for a database runs, on views with the names of the tables or on their files."""
    monkeypatch.chdir(tmp_path)
    captures.write(write_captures("demo", 60, seed=5).captures, "tables")
    database = duckdb.connect()
    for name in captures.TABLES:
        database.read_parquet(f"tables/{name}/*.parquet").create_view(name)
    queries = [query for page in PAGES for query in QUERY.findall(page.read_text("utf-8"))]
    for query in queries:
        if SPARK_ALONE not in query:
            database.execute(query).fetchall()
    assert len(queries) > 4


def test_answers_have_queries() -> None:
    """Beside each answer of the command is the query; for a migration, with its rows in both databases."""
    text = (DOCS / "how-to" / "answer-an-incident.md").read_text("utf-8")
    steps = re.split(r"^## (\d+)\. ", text, flags=re.MULTILINE)[1:]
    assert {number for number, step in zip(steps[::2], steps[1::2], strict=True) if "```sql" in step} == {
        *"123456"
    }
    _, _, text = (DOCS / "start" / "migration.md").read_text("utf-8").partition("## Who depends on a server")
    section, _, _ = text.partition("\n## ")
    queries = re.findall(
        r"^```(python|pycon)$.*?^>>> query = \"\"\"\n(.*?)\"\"\"$", section, re.MULTILINE | re.DOTALL
    )
    assert [kind for kind, _ in queries] == ["python", "pycon"]
    assert len({query for _, query in queries}) == 1
    assert re.search(r"^\$ msmq-wire dependencies .*\nfrom ", section, re.MULTILINE)


def test_every_table_has_its_columns() -> None:
    """Each table has a section with its columns, and a row in the list of tables."""
    columns = (DOCS / "reference" / "table-columns.md").read_text("utf-8")
    names = (DOCS / "reference" / "tables.md").read_text("utf-8")
    for name in (*captures.TABLES, "run"):
        assert f"<!-- table: columns {name} -->" in columns, name
        assert f"| `{name}` |" in names, name


def test_the_glossary_has_the_words_of_the_tables() -> None:
    """Each state, what a row of `deliveries` and of `dependencies` is, and their columns, in order."""
    text = (DOCS / "reference" / "glossary.md").read_text("utf-8")
    entries = re.findall(r"^((?:\S.*\n)+)  \S", text.partition("```{glossary}")[2], re.MULTILINE)
    terms = {term for entry in entries for term in entry.splitlines()}
    words = {"delivery", "dependency", "state", "fate", "purpose", "variant"}
    words |= {"OrderAck", "FinalAck", "dead-letter queue", "journal"}
    assert {*STATES, *words} <= terms
    assert entries == sorted(entries, key=str.lower)


def test_every_kind_of_page_has_examples() -> None:
    """An empty corpus proves nothing."""
    with_examples = [page for page in PAGES if blocks(page)]
    assert ROOT / "README.md" in with_examples


def test_links() -> None:
    """A link leads to a file that exists, and to a heading of it."""
    broken = []
    for page in PAGES:
        for target, heading in LINK.findall(page.read_text(encoding="utf-8")):
            there = page.parent / target
            text = there.read_text(encoding="utf-8") if there.is_file() else None
            titles = re.findall(r"^#+ (.+)$", text or "", re.MULTILINE)
            if text is None or (
                heading and heading not in {title.lower().replace(" ", "-") for title in titles}
            ):
                broken.append((ids(page), target, heading))
    assert broken == []


def test_no_page_is_lost() -> None:
    """Every page is in the table of contents of the page above it."""
    listed = {DOCS / "index.md"}
    for page in PAGES:
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            names = [line for line in tree.splitlines() if line and not line.startswith(":")]
            listed |= {page.parent / f"{name}.md" for name in names}
    assert listed == {page for page in PAGES if page.is_relative_to(DOCS)}


def test_map_of_the_code() -> None:
    """README names every module that users may import, and none that does not exist."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = text.partition("## Map of the code")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", rows, re.MULTILINE)
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    package = ROOT / "src" / "msmq_wire"
    there = {path.stem for path in package.glob("*.py")} | {
        path.parent.name for path in package.glob("*/__init__.py")
    }
    assert named <= there
    assert {name for name in there if not re.match("_[a-z]", name)} <= named


def test_changelog_has_the_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"## {project['version']} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------------------------- generated tables


def test_tables_are_fresh(tables: Any) -> None:
    """What is committed is what would be written."""
    assert not tables.stale(), "run python docs/tables.py"


WITHOUT_EXTRAS = """
import runpy, sys
for name in ("cryptography", "hypothesis", "numpy", "pyarrow", "pyspark", "scapy"):
    sys.modules[name] = None
sys.argv[1:] = ["--check"]
runpy.run_path("docs/tables.py", run_name="__main__")
"""


def test_tables_without_extras() -> None:
    """What needs an extra stays as it is, so that a hook can compare the others in any environment."""
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", WITHOUT_EXTRAS], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "public spark stays as it is: " in done.stdout


def test_structures_are_listed_with_all_fields() -> None:
    """Each structure is on the page of its module with each field and group; nothing is listed twice."""
    pages = sorted((DOCS / "reference").glob("structures-*.md"))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    for structure in structures().values():
        title = structure.name.replace("_", "\\_")
        (section,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        assert structure.section[1:].replace("]", "\\]") in section
        rows = re.findall(r"^\| `([\w.]+)` \| [^|]+ \| ", section, re.MULTILINE)
        names = []
        for field in structure.fields:
            names.append(field.name)
            names += [f"{field.name}.{group.name}" for group in getattr(field.kind, "groups", ())]
        assert rows[: len(names)] == names


_DIRECTIVE = re.compile(
    r"^\.\. (?P<kind>currentmodule|automodule|auto\w+|py:\w+):: (?P<name>[\w.]+)"
    r"|^   :(?P<option>members): *(?P<only>.*)$",
    re.MULTILINE,
)


def indexed() -> dict[str, Any]:
    """Every object that has an entry in the index of the site, by its full name."""
    found: dict[str, Any] = {}
    for page in (DOCS / "reference").glob("*.md"):
        home = whole = ""
        for match in _DIRECTIVE.finditer(page.read_text("utf-8")):
            kind, name = match["kind"], match["name"]
            if kind == "currentmodule":
                home = name
            elif kind == "automodule":
                home = whole = name
            elif match["option"] and whole:
                module = import_module(whole)
                names = match["only"].split(", ") if match["only"] else module.__all__
                found |= {f"{whole}.{one}": getattr(module, one) for one in names}
                whole = ""
            elif kind:
                if name.startswith("msmq_wire."):
                    full, _, last = name.rpartition(".")
                    found[name] = getattr(import_module(full), last)
                else:
                    found[f"{home}.{name}"] = attrgetter(name)(import_module(home))
    return found


@pytest.mark.parametrize(
    "module",
    [
        *(
            "",
            ".mqmq",
            ".mqqb",
            ".mqrr",
            ".mqdsrp",
            ".mqcn",
            ".rpc",
            ".session",
            ".testing",
            ".testing.server",
        ),
        *(".arrow", ".captures", ".crypto", ".spark", ".scapy", ".wireshark", ".names.format_names"),
        *(".documents.queue_names", ".documents.propid", ".packets.signature", ".packets.carriers"),
        *(".machines.notification", ".machines.replication"),
    ],
)
def test_the_index_has_every_public_name(module: str) -> None:
    """A name has an entry, or what it names has one under the name of its own module."""
    home, entries = import_module(f"msmq_wire{module}"), indexed()
    known = {(name.rpartition(".")[2], id(it)) for name, it in entries.items()}
    for name in home.__all__:
        it = getattr(home, name)
        if not isinstance(it, ModuleType) and name != "main":  # a command
            assert f"{home.__name__}.{name}" in entries or (name, id(it)) in known, name


_IMPORT = re.compile(
    r"^(?:>>> |\.\.\. )?(?:from (msmq_wire[\w.]*) import|import (msmq_wire[\w.]*))", re.MULTILINE
)
_INNER = frozenset({
    "msmq_wire.machines.notification", "msmq_wire.machines.replication", "msmq_wire.testing.captures",
    "msmq_wire.testing.server",
})  # fmt: skip
"""Public modules inside of public packages."""
_OF_THE_PAGE = frozenset({"msmq_wire.cli.packet_text"})
"""What the page in the browser imports besides: it reads text as the command does."""


def test_imports_are_of_public_modules() -> None:
    """What the documentation tells users to import is in the root, or in a module that the root names.

    A block of text is no example: it is what a contributor adds to a module.
    """
    home = import_module("msmq_wire")
    public = {"msmq_wire", *(f"msmq_wire.{name}" for name in (*home.__all__, *home._SEPARATE)), *_INNER}
    inner = {}
    programs = (path for folder in ("browser", "examples") for path in sorted((DOCS / folder).glob("*.py")))
    for page in (*PAGES, *programs):
        examples = re.sub(r"```text\n.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        inner[ids(page)] = {name or other for name, other in _IMPORT.findall(examples)} - public
    assert inner.pop("docs/browser/page.py") == _OF_THE_PAGE
    assert {page: names for page, names in inner.items() if names} == {}


def test_entries_are_of_public_modules() -> None:
    """What has an entry in the index can be imported from the root, or from a module that is public."""
    home = import_module("msmq_wire")
    modules = ("", *(f".{path}" for path in (*home._MODULES.values(), *home._SEPARATE)))
    public = {f"msmq_wire{path}" for path in modules} | _INNER
    names = {
        f"{module}.{name}" for module in public for name in getattr(import_module(module), "__all__", ())
    }
    entries = {name for name in indexed() if not {name, name.rpartition(".")[0]} & names}
    assert sorted(entries) == []


_NEEDS = {
    "arrow": r"msmq_wire import .*\barrow\b|msmq_wire\.arrow\b",
    "captures": r"msmq_wire import .*\bcaptures\b|(?<!python -m )\bmsmq_wire\.captures\b",
    "crypto": r"msmq_wire import .*\bcrypto\b|msmq_wire\.crypto\b",
    "scapy": r"msmq_wire import .*\bscapy\b|msmq_wire\.scapy\b|from scapy",
    "spark": r"msmq_wire\.spark\b|msmq_wire import .*\bspark\b",
    "testing": r"msmq_wire\.testing\.captures\b|from hypothesis import",
    "cli": r"(?m)^(?:\$ )?(?:.*\| )?msmq-wire ",
}
"""What in an example needs an extra."""
_INCLUDED = {"spark": {"captures", "arrow"}, "captures": {"arrow"}}
_CONTRIBUTORS = {"add-a-column", "add-a-kind", "add-a-rule", "add-a-structure", "rename-a-field"}
"""Pages for a checkout, which has all extras."""


def test_extras_are_named_on_the_page() -> None:
    """Whoever begins at a page learns there what its examples need."""
    missing = {ids(page): _unnamed_extras(page) for page in PAGES if page.stem not in _CONTRIBUTORS}
    assert {page: extras for page, extras in missing.items() if extras} == {}


def _unnamed_extras(page: Path) -> set[str]:
    text = page.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"^```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    needed = {extra for extra, pattern in _NEEDS.items() if re.search(pattern, code)}
    named = {
        name
        for text_of_extras in re.findall(
            r"\[([a-z,]+)\]['\"`]|[Ee]xtras?\s+((?:`\w+`(?:,?\s+(?:and\s+)?)?)+)", text
        )
        for name in re.findall(r"\w+", " ".join(text_of_extras))
    }
    named |= {included for name in named for included in _INCLUDED.get(name, ())}
    return needed - named


def test_enumerations_are_listed() -> None:
    text = (DOCS / "reference" / "enumerations.md").read_text(encoding="utf-8")
    for members in enumerations().values():
        assert all(f"| `{name}` |" in text for name in members)


def test_errata_are_listed() -> None:
    text = (DOCS / "reference" / "errata.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| ([A-Z][0-9]+) \|", text, re.MULTILINE) == [item.id for item in load_errata()]


def test_link_types_are_listed() -> None:
    """The page of supported captures has each link type that is read, and no other."""
    page = (DOCS / "reference" / "spark-source.md").read_text(encoding="utf-8")
    rows = page.partition("## Supported captures\n")[2].partition("\n- ")[0]
    listed = [
        int(number)
        for cell in re.findall(r"\| ([\d, ]+) \|$", rows, re.MULTILINE)
        for number in cell.split(",")
    ]
    assert sorted(listed) == sorted(LINK_TYPES)


def test_what_contributors_are_told_exists() -> None:
    """Every path and constant that CONTRIBUTING names is there."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|tests|specs|docs|\.ci)/[\w./-]+)`", text)
    assert len(named) > 8
    assert not [name for name in named if not (ROOT / name).exists()]
    for name, path in re.findall(r"`(\w+)` of\s+`([\w/.]+)`", text):
        assert name in (ROOT / path).read_text(encoding="utf-8"), name


def test_cells_cannot_break_a_table() -> None:
    """Every row of a table has as many cells as its title, whatever the texts are."""
    for page in DOCS.rglob("*.md"):
        width = 0
        for line in page.read_text(encoding="utf-8").splitlines():
            if not line.startswith("|"):
                width = 0
                continue
            cells = len(re.findall(r"(?<!\\)\|", line))
            width = width or cells
            assert cells == width, line


# ------------------------------------------------------------------------------------------- coverage


def covered() -> dict[str, dict[str, tuple[str, str]]]:
    """Title and remark of each section that the coverage lists, by document."""
    text = (DOCS / "reference" / "coverage.md").read_text(encoding="utf-8")
    parts = re.split(r"^## \[([A-Z-]+)\].*$", text, flags=re.MULTILINE)
    return {
        document: {row[0]: (row[1], row[4]) for row in ROW.findall(part)}
        for document, part in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_coverage_has_every_section_with_a_statement() -> None:
    """No section in scope that demands something, or that a structure is from, is forgotten."""
    listed = covered()
    assert set(listed) == set(SCOPE)
    wanted = {(item.document, item.section) for item in load_requirements()}
    wanted |= {(item.document, item.section.partition("] ")[2]) for item in structures().values()}
    for document, section in wanted:
        if re.fullmatch(rf"({SCOPE[document]})(\.[0-9.]+)?", section):
            assert section in listed[document], f"[{document}] {section}"


def test_coverage_names_what_is_there(tables: Any) -> None:
    """Each class that the coverage names exists, and each structure is named."""
    text = (DOCS / "reference" / "coverage.md").read_text(encoding="utf-8")
    modules = {module.__name__.rpartition(".")[2]: module for module in tables.MODULES.values()}
    for module, name in re.findall(r"`(\w+)\.(\w+)`", text):
        if module in modules:
            assert hasattr(modules[module], name), f"{module}.{name}"
    for structure in structures().values():
        assert structure.name in text or structure.name == "NotificationUpdates"
