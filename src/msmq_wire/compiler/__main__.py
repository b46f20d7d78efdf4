"""``python -m msmq_wire.compiler [--check]``: writes the modules that are generated, or fails where one is stale."""

from __future__ import annotations

import argparse
import sys

from .generate import SOURCE, write


def main() -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m msmq_wire.compiler", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a module is stale")
    check = parser.parse_args().check
    stale = write(check=check)
    for path in stale:
        print(f"{'stale' if check else 'written'}: {path.relative_to(SOURCE)}")  # noqa: T201  # a command
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main())
