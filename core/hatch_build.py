"""How hatchling builds msmq-wire-core, the core of the package alone.

1. The core is what `msmq_wire.preload` imports: the modules at the top of the package, and the folders of its
   `_CORE`.
2. The metadata are those of the full distribution, without the command and the extras.
3. In place of everything else in the full distribution is a module that says what to install.
4. A source distribution has what is taken from the repository in the folder ``full``.
"""

from __future__ import annotations

import ast
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path("src", "msmq_wire")
NAME = "msmq-wire-core"
INTRODUCTION = f"""
This is `{NAME}`, the core of `msmq_wire` alone: the codec, `explain`, `validate` and the state machines, but
neither the command nor the extras. Both have the same modules, so install one of them.
"""
ABSENT = '''"""Not in {core}."""

import sys

ADVICE = "{subject} is not in {core}: pip uninstall {core}, then pip install '{full}'"
if __name__ == "__main__":
    print(f"msmq-wire: {{ADVICE}}", file=sys.stderr)
    sys.exit(2)
raise ImportError(ADVICE, name="{module}")  # `from msmq_wire import ...` would hide a ModuleNotFoundError
'''


def repository(root: str) -> Path:
    """The folder with the full project: in a source distribution its part that the core needs."""
    copied = Path(root, "full")
    return copied if copied.is_dir() else Path(root).parent


def project(home: Path) -> dict[str, Any]:
    """The table ``project`` of the full distribution."""
    table: dict[str, Any] = tomllib.loads((home / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def core(home: Path) -> list[Path]:
    """The modules and folders of the core, in the package."""
    source = (home / PACKAGE / "__init__.py").read_text("utf-8")
    folders = next(
        ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_CORE"
    )
    parts = sorted((home / PACKAGE).iterdir())
    return [path for path in parts if path.name in folders or (path.is_file() and path.stem != "__main__")]


def absent(home: Path) -> Iterator[tuple[str, str]]:
    """The names and texts of the modules in place of what the core does not have."""
    tables = tomllib.loads((home / "pyproject.toml").read_text("utf-8"))
    excluded = tables["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
    extras = {"__main__": "cli,captures"} | {
        name: name for name in tables["project"]["optional-dependencies"]
    }
    present = core(home)
    for path in sorted((home / PACKAGE).iterdir()):
        is_module = path.stem == "__main__" or (path / "__init__.py").exists()
        if path in present or path.relative_to(home).as_posix() in excluded or not is_module:
            continue
        extra = extras.get(path.stem)
        module = f"msmq_wire.{path.stem}"
        subject = "the command" if path.stem == "__main__" else module
        full = f"msmq_wire[{extra}]" if extra else "msmq_wire"
        yield f"{path.stem}.py", ABSENT.format(subject=subject, module=module, core=NAME, full=full)


class Metadata(MetadataHookInterface):
    """What the core says of itself."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Take the fields of the full distribution that are left open."""
        home = repository(self.root)
        title, text = (home / "README.md").read_text("utf-8").split("\n", 1)
        readme = {"content-type": "text/markdown", "text": f"{title}\n{INTRODUCTION}{text}"}
        taken = project(home) | {"readme": readme}
        metadata.update({name: taken[name] for name in metadata["dynamic"]})


class Build(BuildHookInterface[Any]):
    """What is in the wheel and in the source distribution."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # its signature
        """Select the files."""
        home = repository(self.root)
        taken: dict[str, str] = build_data["force_include"]
        if self.target_name == "sdist":
            names = ["pyproject.toml", "README.md", PACKAGE.as_posix()]
            taken.update({str(home / name): f"full/{name}" for name in names})
            return
        taken.update({str(path): f"msmq_wire/{path.name}" for path in core(home)})
        self._written = tempfile.TemporaryDirectory()
        for name, text in absent(home):
            path = Path(self._written.name, name)
            path.write_text(text, "utf-8")
            taken[str(path)] = f"msmq_wire/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the modules that were written."""
        if self.target_name == "wheel":
            self._written.cleanup()
