"""The folders of the package: imports point downwards, and there is no circle."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import msgspec
import pytest

import msmq_wire

SOURCE = Path(msmq_wire.__file__).parent
LAYERS = (
    *("definitions", "values", "names", "records", "documents", "ndr", "packets", "checks"),
    *(
        "views",
        "machines",
        "arrow",
        "crypto",
        "captures",
        "spark",
        "testing",
        "wireshark",
        "scapy",
        "cli",
        "exports",
    ),
)
"""Each folder imports from those before it only; the compiler is for building, and nobody imports it."""
FACES = {
    "mqmq": "documents",
    "mqqb": "documents",
    "mqrr": "documents",
    "mqdsrp": "packets",
    "mqcn": "packets",
    "rpc": "ndr",
    "session": "machines",
}
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(SOURCE.rglob("*.py"))
}
ROOT = msmq_wire._HOMES | msmq_wire._MODULES
"""The modules of the names of the root."""


@cache
def tree_of(path: Path) -> ast.Module:
    """The module, parsed once."""
    return ast.parse(path.read_text("utf-8"))


@cache
def parts(path: Path) -> tuple[list[ast.Import | ast.ImportFrom], set[str]]:
    """The imports of a module, at its top or in a function, and its texts, not those for types alone."""
    statements: list[ast.Import | ast.ImportFrom] = []
    texts: set[str] = set()
    waiting: list[ast.AST] = [tree_of(path)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            statements.append(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
        waiting += ast.iter_child_nodes(node)
    return statements, texts


def imports(module: str, path: Path) -> set[str]:
    """The modules of the package that one imports."""
    here = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    found = set()
    for node in parts(path)[0]:
        if isinstance(node, ast.Import):
            found |= {name.name.removeprefix("msmq_wire.") for name in node.names}
            continue
        base = node.module or ""
        if node.level:
            base = ".".join([*here[: len(here) - node.level + 1], *([base] if base else [])])
        elif base.partition(".")[0] != "msmq_wire":
            continue
        base = base.removeprefix("msmq_wire").lstrip(".")
        inner = {f"{base}.{name.name}".lstrip(".") for name in node.names}
        found |= {ROOT.get(name, name if name in MODULES else base) for name in inner}
    text = path.read_text("utf-8")
    if "import msmq_wire as" in text:
        found |= of_the_root(tree_of(path))
    if "import_module" in text:
        found |= late(tree_of(path), here)
    return {name for name in found if name in MODULES and name not in {"", "__init__", module}}


def of_the_root(tree: ast.Module) -> set[str]:
    """The modules of the names that are taken from the root by ``import msmq_wire as mw``."""
    names = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for name in node.names
        if name.name == "msmq_wire"
    }
    return {
        ROOT[node.attr]
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names
        if node.attr in ROOT
    }


def late(tree: ast.Module, here: list[str]) -> set[str]:
    """The modules that a function imports which takes their names within the folder, as `_late` does."""
    functions = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "import_module"
        if ast.unparse(inner.args[0]).startswith("f'.{")
    }
    return {
        ".".join([*here, argument.value])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def named(path: Path) -> set[str]:
    """The modules of the package that a module names in texts, as `import_module` takes them."""
    whole = (re.fullmatch(r"(?:msmq_wire)?\.+(\w+(?:\.\w+)*)", text) for text in parts(path)[1])
    return {
        match[1] for match in whole if match and (match[1] in MODULES or match[1].partition(".")[0] in LAYERS)
    }


@cache
def graph() -> dict[str, set[str]]:
    """What each module imports."""
    return {module: imports(module, path) for module, path in MODULES.items() if module != "__init__"}


def test_there_is_a_graph() -> None:
    assert "values.errors" in graph()["packets.packet"]
    assert len(graph()) > 200


def test_late_imports_and_names_of_the_root_are_in_the_graph() -> None:
    found = graph()
    assert {"documents.directory_properties", "documents.notification_text"} <= found["documents.readings"]
    assert "checks.validation" in found["machines.session.interop"]  # mw.validate
    assert late(ast.parse("def at(name): return import_module(f'.{name}', __package__)\nat('b')"), ["a"]) == {
        "a.b"
    }
    assert of_the_root(ast.parse("import msmq_wire as mw\nmw.decode(mw.nothing)")) == {"packets.packet"}


def test_underscores_are_private() -> None:
    """A module or folder whose name starts with an underscore is imported only within its folder."""
    outside = {
        (module, name)
        for module, names in graph().items()
        for name in names
        for prefix, mark, _ in [f".{name}".partition("._")]
        if mark and not f".{module}.".startswith(f"{prefix}.")
    }
    assert outside == set()


def test_no_circle() -> None:
    """Leaves are taken away until nothing is left."""
    left = {module: set(found) for module, found in graph().items()}
    while leaves := {module for module, found in left.items() if not found & left.keys()}:
        for module in leaves:
            del left[module]
    assert sorted(left) == []


@pytest.mark.parametrize("folder", LAYERS)
def test_imports_point_downwards(folder: str) -> None:
    allowed = {*LAYERS[: LAYERS.index(folder) + 1]}
    for module, found in graph().items():
        if module.partition(".")[0] != folder:
            continue
        folders = {FACES.get(name, name.partition(".")[0]) for name in found}
        assert folders <= allowed, module


def test_no_text_names_an_upper_folder() -> None:
    """Where a lower folder needs an upper one, the package tells a hook where it is."""
    upward = []
    for module, path in MODULES.items():
        folder = FACES.get(module, module.partition(".")[0])
        if folder not in LAYERS:
            continue
        upper = LAYERS[LAYERS.index(folder) + 1 :]
        upward += [(module, name) for name in named(path) if name.partition(".")[0] in upper]
    assert upward == []


def test_texts_that_name_modules_are_seen(tmp_path: Path) -> None:
    """Whole names and relative ones; no sentence, and no name of something else."""
    path = tmp_path / "module.py"
    path.write_text(
        'A = "msmq_wire.checks.validation", ".packets.packet", "..views", f"see {A}"\n'
        'B = "msmq_wire reads", "msmq.checks", "checks.validation", ".json"\n'
    )
    assert named(path) == {"checks.validation", "packets.packet", "views"}


@pytest.mark.parametrize("page", ["README.md", "docs/explanation/design.md"])
def test_maps_have_this_order(page: str) -> None:
    """Each says that a folder imports only from those above it in its table."""
    text = (Path(__file__).parents[2] / page).read_text("utf-8")
    first = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    named = [name for cell in first for name in re.findall(r"`(\w+)`", cell)]
    assert tuple(name for name in named if name in LAYERS) == LAYERS
    assert named[-1] == "compiler"


def test_nobody_imports_the_compiler() -> None:
    for module, found in graph().items():
        assert module.startswith("compiler") or not any(name.startswith("compiler") for name in found)


@pytest.mark.parametrize("folder", LAYERS)
def test_folders_say_what_lives_there(folder: str) -> None:
    """Each has a text at its head, and so have the folders in it."""
    for path in (SOURCE / folder).rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(path.read_text("utf-8")))
    for path in [SOURCE / folder, *(path for path in (SOURCE / folder).rglob("*") if path.is_dir())]:
        assert path.name == "__pycache__" or (path / "__init__.py").exists()


MUTABLE = {
    "checks.sessions.state": {"Tally", "Sequence", "SideState", "SessionState"},
    "machines.replication.directory": {"DirectoryObject"},
    "machines.replication.state": {
        *("DirectoryPartition", "DirectoryNeighbor", "DeletedObject", "PersistentState", "PartitionState"),
        *("NeighborState", "VolatileState", "ServerState"),
    },
    "machines.session.endpoint": {"Snapshot"},
    "machines.session.manager": {"Memory"},
    "machines.session.state": {"Entry", "Outbox", "Inbox", "Order", "SessionState"},
    "spark._inputs.contents": {"Content", "State"},
    "spark._reports.statistics": {"TaskStatistics"},
    "testing.captures.statements": {"Letter"},
}
"""What machines and counters remember; every other struct is a value."""


STRUCTS = [name for name, path in MODULES.items() if re.search(r"\bStruct\b", path.read_text("utf-8"))]


def test_structs_are_frozen() -> None:
    """A value that another one holds cannot change under it."""
    mutable: dict[str, set[str]] = {}
    for module in STRUCTS:
        for item in vars(importlib.import_module(f"msmq_wire.{module}")).values():
            is_own = isinstance(item, type) and item.__module__ == f"msmq_wire.{module}"
            if is_own and issubclass(item, msgspec.Struct) and not item.__struct_config__.frozen:
                mutable.setdefault(module, set()).add(item.__name__.removeprefix("_"))
    assert mutable == MUTABLE


def test_top_level() -> None:
    """The top level holds what its readers expect there: a stray download or capture does not stay."""
    root = SOURCE.parent.parent
    git = shutil.which("git") or pytest.skip("git is not here")
    listed = subprocess.run([git, "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False)  # noqa: S603
    if listed.returncode:
        pytest.skip("not a checkout of git")
    entries = {path.partition("/")[0] for path in listed.stdout.split("\0") if path}
    documents = {
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "CITATION.cff",
        "CODE_OF_CONDUCT.md",
        "CONTRIBUTING.md",
    }
    folders = {"core", "docs", "specs", "src", "tests"}
    assert {entry for entry in entries if not entry.startswith(".")} == {
        *documents, *folders, "noxfile.py", "pyproject.toml",
    }  # fmt: skip


_LISTED = frozenset({"checks.validation", "documents.notification_text", "records.model"})
"""Modules whose lists of names the compiler and other tests read."""


def test_only_public_modules_list_their_names() -> None:
    """`__all__` is where users import from, and where names of other modules are passed on."""
    inner = {"machines.notification", "machines.replication", "testing.captures", "testing.server"}
    public = {"__init__", *FACES, *msmq_wire._MODULES.values(), *msmq_wire._SEPARATE, *inner, *_LISTED}
    listing = {}
    for module, path in MODULES.items():
        package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
        for node in tree_of(path).body:
            if isinstance(node, ast.ImportFrom) and node.names[0].name in {"*", "__all__"}:
                public.add(".".join([*package[: len(package) - node.level + 1], node.module or ""]))
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                listing[module] = set(ast.literal_eval(node.value))
    needless = {}
    for module, names in listing.items():
        path = MODULES[module]
        imported = {
            name.asname or name.name
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in node.names
        }
        is_generated = "Generated from" in path.read_text("utf-8")
        if module not in public and not is_generated and not names & imported:
            needless[module] = sorted(names)
    assert needless == {}
