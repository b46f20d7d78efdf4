"""``python docs/browser/build.py FOLDER``: put the page together with Python and the package, in one folder.

The folder can be served by any web server; nothing is fetched from elsewhere when the page runs.  npm brings
Pyodide, pip brings the wheel of msgspec for it and makes that of this package.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

__all__ = ["build"]

HERE = Path(__file__).parent
PYODIDE, PLATFORM, PYTHON = "314.0.7", "pyemscripten_2026_0_wasm32", "3.14"
NEEDED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PAGE = ("index.html", "page.css", "page.mjs", "page.py")


def _run(*command: str, cwd: Path) -> None:
    subprocess.run(command, cwd=cwd, check=True, capture_output=True)


def build(target: Path) -> Path:
    """Fill a folder, which is made; returns it.

    Raises:
        CalledProcessError: npm or pip could not bring what is needed.
    """
    target.mkdir(parents=True, exist_ok=True)
    for name in PAGE:
        shutil.copy(HERE / name, target)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _run("npm", "pack", f"pyodide@{PYODIDE}", cwd=place)
        with tarfile.open(next(place.glob("*.tgz"))) as archive:
            for name in NEEDED:
                content = archive.extractfile(f"package/{name}")
                assert content is not None
                (target / name).write_bytes(content.read())
        pip = [sys.executable, "-m", "pip"]
        binary = ["--platform", PLATFORM, "--python-version", PYTHON, "--only-binary=:all:", "--no-deps"]
        _run(*pip, "download", *binary, "msgspec>=0.21,<1", cwd=place)
        _run(*pip, "wheel", "--no-deps", str(HERE.parents[1]), cwd=place)
        wheels = sorted(place.glob("*.whl"))
        for wheel in wheels:
            shutil.copy(wheel, target)
    (target / "wheels.json").write_text(json.dumps([wheel.name for wheel in wheels]), "utf-8")
    return target


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    print(build(parser.parse_args().folder))
