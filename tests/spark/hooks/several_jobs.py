"""Runs programs in this process, one after the other, so that Java starts once.

Each line of standard input has in JSON the words of a program, first its module; and null, or the name and
the moment of a signal that it sends itself, at its end if the moment has not come.  A line of standard output
tells what it wrote to standard error, and its status.
"""

from __future__ import annotations

import io
import json
import os
import runpy
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path


def main() -> None:
    with Path(os.devnull).open("w", encoding="utf-8") as nothing:
        os.dup2(nothing.fileno(), 2)  # the log of Java
    for line in sys.stdin:
        sys.argv, ends = json.loads(line)
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        status: object = None
        with redirect_stdout(out), redirect_stderr(err):
            ending = sys.modules["sitecustomize"].Ending(*ends) if ends else None
            try:
                runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
            except SystemExit as ended:
                status = ended.code
            except Exception:  # noqa: BLE001  # as a process would end
                traceback.print_exc()
                status = 1
        if ending:
            ending.come()
        err.seek(0)
        sys.stdout.write(f"{json.dumps([err.read(), status or 0])}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
