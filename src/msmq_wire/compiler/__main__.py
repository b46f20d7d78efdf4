"""``python -m msmq_wire.compiler [--check]``: writes the generated files, or fails if one is stale."""

from __future__ import annotations

import argparse
import subprocess
import sys

from .checks.imports import location_of, shown


def main() -> int:
    """Run the command and return its exit code."""
    try:
        return _run()
    except Exception as error:
        location = location_of(error)
        if location is None:
            raise
        print(shown(*location), file=sys.stderr)  # noqa: T201  # a command
        return 1


def _run() -> int:
    from .checks.mistakes import Mistakes  # noqa: PLC0415  # imports the definitions, which may contain mistakes
    from .generate import SOURCE, SPECS, write  # noqa: PLC0415  # as above

    parser = argparse.ArgumentParser(prog="python -m msmq_wire.compiler", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a module is stale")
    check = parser.parse_args().check
    try:
        stale = write(check=check)
    except Mistakes as error:
        print(error, file=sys.stderr)  # noqa: T201  # a command
        return 1
    for path in stale:
        name = path.relative_to(SOURCE if path.is_relative_to(SOURCE) else SPECS.parent)
        print(f"{'stale' if check else 'written'}: {name}")  # noqa: T201  # a command
    if check and stale:
        print("write them: python -m msmq_wire.compiler", file=sys.stderr)  # noqa: T201  # as above
    if check or not any(path.suffix == ".py" for path in stale):
        return 1 if check and stale else 0
    # A written module may be an input of the modules that are not written yet, so generate again.
    return subprocess.run([sys.executable, "-m", __package__], check=False).returncode  # noqa: S603  # ourselves


if __name__ == "__main__":
    sys.exit(main())
