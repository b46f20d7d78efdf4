"""Write the source tree of the distribution msmq-wire-core, to be built: ``python .ci/core.py DIRECTORY``.

1. The core is what `preload` imports: the modules at the top of the package and the folders of its `_CORE`.
2. The metadata are those of pyproject.toml, without the command and the extras.
3. In place of everything else in the full distribution is a module that says what to install.
"""

from __future__ import annotations

import re
import runpy
import shutil
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path("src", "msmq_wire")
NAME = "msmq-wire-core"
LEFT_OUT = ("[project.scripts]", "[project.optional-dependencies]")
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


def metadata(text: str) -> str:
    """The text of pyproject.toml for the core."""
    kept = [
        table
        for table in re.split(r"^(?=\[)", text, flags=re.MULTILINE)
        if table.startswith(("[build-system]", "[project")) and not table.startswith(LEFT_OUT)
    ]
    packages = f'[tool.hatch.build.targets.wheel]\npackages = ["{PACKAGE.as_posix()}"]\n'
    return re.sub(
        r'^name = ".*"$', f'name = "{NAME}"', "".join((*kept, packages)), count=1, flags=re.MULTILINE
    )


def write(target: Path) -> None:
    """Write the tree to a directory that does not exist yet."""
    target.mkdir(parents=True)
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    (target / "pyproject.toml").write_text(metadata(project), "utf-8")
    shutil.copy(ROOT / "LICENSE", target)
    title, text = (ROOT / "README.md").read_text("utf-8").split("\n", 1)
    (target / "README.md").write_text(f"{title}\n{INTRODUCTION}{text}", "utf-8")

    core = runpy.run_path(str(ROOT / PACKAGE / "__init__.py"))["_CORE"]
    package = target / PACKAGE
    package.mkdir(parents=True)
    tables = tomllib.loads(project)
    extras = {"__main__": "cli,captures"} | {
        name: name for name in tables["project"]["optional-dependencies"]
    }
    excluded = tables["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
    for path in sorted((ROOT / PACKAGE).iterdir()):
        if path.relative_to(ROOT).as_posix() in excluded:
            continue
        if path.name in core:
            shutil.copytree(path, package / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif path.stem == "__main__" or (path / "__init__.py").exists():
            extra = extras.get(path.stem)
            full = f"msmq_wire[{extra}]" if extra else "msmq_wire"
            module = f"msmq_wire.{path.stem}"
            subject = "the command" if path.stem == "__main__" else module
            advice = ABSENT.format(subject=subject, module=module, core=NAME, full=full)
            (package / f"{path.stem}.py").write_text(advice, "utf-8")
        elif path.is_file():
            shutil.copy(path, package)


if __name__ == "__main__":
    if len(sys.argv) != 2 or Path(sys.argv[1]).exists():
        sys.exit("usage: python .ci/core.py DIRECTORY; the directory must not exist")
    write(Path(sys.argv[1]))
