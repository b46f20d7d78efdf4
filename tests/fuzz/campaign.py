"""Fuzzes every target in turn, goes on where it stopped, and says how far it has come.

    python campaign.py --seconds 3600 [--jobs 2] [--target fuzz_decode ...] [--unguided SHARE] [--coverage]

1. What was found worth keeping is in ``.fuzz/corpus``, a finding in ``.fuzz/findings``, sums in
   ``.fuzz/state.json``.  Every start writes the seeds anew.  Targets take turns of some minutes, and the sums
   are written and printed after each, so that little is lost when it is ended early.
2. Guided executions are atheris's: it keeps what reaches new edges.  Unguided ones take what it kept, mutate
   it with the kit, and run the same properties without instrumentation, which is many times as fast.
3. Coverage is measured by replaying the corpus under coverage.py: branches of each target's modules.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from seeds import TARGETS, target, write

_HERE = Path(__file__).parent
_STATUS = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)")
_DONE = re.compile(r"stat::number_of_executed_units: (\d+)")
_SHARE = 0.5
_STRUCTURED = 32
_TURN = 120
"""Seconds that a target has until it is another's turn."""


class Campaign:
    """A directory with all that is known, and what is done with it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.state_file = directory / "state.json"
        self.lock = threading.Lock()
        write(directory / "seeds")
        (directory / "findings").mkdir(exist_ok=True)
        found = json.loads(self.state_file.read_text()) if self.state_file.exists() else {}
        self.state: dict[str, dict[str, Any]] = {name: found.get(name, {}) for name in TARGETS}

    def corpus(self, name: str) -> Path:
        """Where the inputs of a target are kept."""
        made = self.directory / "corpus" / name
        made.mkdir(parents=True, exist_ok=True)
        return made

    def add(self, name: str, **numbers: int) -> None:
        """Add to the sums of a target."""
        with self.lock:
            sums = self.state[name]
            for key, number in numbers.items():
                sums[key] = sums.get(key, 0) + number
            written = self.state_file.with_suffix(".new")
            written.write_text(json.dumps(self.state, indent=1))
            written.replace(self.state_file)

    def run(self, names: list[str], seconds: int, share: float, jobs: int) -> None:
        """Let targets take turns for so long, so many of them at a time."""
        stop = time.monotonic() + seconds
        while (left := stop - time.monotonic()) >= 1:
            turn = min(_TURN, max(left * jobs / len(names), 2))

            def take_turn(name: str, turn: float = turn) -> None:
                if time.monotonic() < stop:
                    self.guided(name, max(round(turn * (1 - share)), 1))
                    if share:
                        self.unguided(name, max(round(turn * share), 1))

            with ThreadPoolExecutor(jobs) as pool:
                list(pool.map(take_turn, names))
            self.report()

    def guided(self, name: str, seconds: int) -> None:
        """Let atheris drive a target."""
        seeds = self.directory / "seeds"
        findings = self.directory / "findings"
        done = subprocess.run(  # noqa: S603  # our own program
            [
                sys.executable,
                str(_HERE / f"{name}.py"),
                f"-max_total_time={seconds}",
                "-print_final_stats=1",
                f"-dict={seeds / name}.dict",
                f"-artifact_prefix={findings}/{name}-",
                str(self.corpus(name)),
                str(seeds / f"{name}_seed_corpus"),
            ],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        status = _STATUS.findall(done.stderr)
        runs = _DONE.search(done.stderr)
        if status:
            self.state[name]["edges"] = int(status[-1][0])
        self.add(name, guided=int(runs[1]) if runs else 0, seconds=seconds)
        if done.returncode:
            self.add(name, findings=1)
            print(f"{name}: A VIOLATION\n{done.stderr[-4000:]}", flush=True)

    def unguided(self, name: str, seconds: int) -> None:
        """Run a property on mutants of what was kept, in a process of its own."""
        code = f"import campaign; campaign.volley({name!r}, {seconds}, {str(self.directory)!r})"
        done = subprocess.run(  # noqa: S603  # our own program
            [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=_environment()
        )
        if done.returncode:
            self.add(name, findings=1)
            print(f"{name}: A VIOLATION\n{done.stdout}{done.stderr[-4000:]}", flush=True)
        else:
            self.add(name, unguided=int(done.stdout))

    def coverage(self, names: list[str]) -> None:
        """Replay the corpora and measure branches: each target of its modules, then all of all modules."""
        for chosen in (*([name] for name in names), list(TARGETS)):
            code = f"import campaign; campaign.replay({chosen!r}, {str(self.directory)!r})"
            done = subprocess.run(  # noqa: S603  # our own program
                [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=_environment()
            )
            print(done.stdout.rstrip() or done.stderr[-2000:])

    def report(self) -> None:
        """Print the sums."""
        print(f"{'target':<22}{'guided':>12}{'unguided':>12}{'edges':>8}{'corpus':>8}{'findings':>10}")
        total = {"guided": 0, "unguided": 0, "findings": 0}
        for name, sums in self.state.items():
            for key in total:
                total[key] += sums.get(key, 0)
            size = len(list(self.corpus(name).iterdir()))
            print(
                f"{name:<22}{sums.get('guided', 0):>12,}{sums.get('unguided', 0):>12,}"
                f"{sums.get('edges', 0):>8,}{size:>8,}{sums.get('findings', 0):>10,}"
            )
        executions = total["guided"] + total["unguided"]
        print(
            f"{executions:,} executions, {total['guided']:,} of them guided; {total['findings']} findings",
            flush=True,
        )


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def volley(name: str, seconds: int, directory: str) -> None:
    """Run a property on mutants of its corpus for so long; print how often.  A finding is written down."""
    from msmq_wire.testing import mutate  # noqa: PLC0415  # the child's

    module, where = target(name), Path(directory)
    kept = sorted((where / "corpus" / name).iterdir()) + sorted(
        (where / "seeds" / f"{name}_seed_corpus").iterdir()
    )
    inputs = [path.read_bytes() for path in kept]
    dice = random.Random(time.time_ns())  # noqa: S311  # a fuzzer's
    head = getattr(module, "HEAD", 0)
    count, stop = 0, time.monotonic() + seconds
    while time.monotonic() < stop:
        for _ in range(256):
            data = _mutant(dice, inputs)
            if not dice.randrange(_STRUCTURED) and module.KIND is not None and len(data) >= head:
                kind = module.KIND(data[:head]) if callable(module.KIND) else module.KIND
                kind = None if kind == "stream" else kind
                data = data[:head] + mutate(data[head:], dice.getrandbits(32), kind=kind).data
            try:
                module.check(data)
            except BaseException:
                (where / "findings" / f"{name}-unguided-{time.time_ns()}").write_bytes(data)
                raise
        count += 256
    print(count)


def _mutant(dice: random.Random, inputs: list[bytes]) -> bytes:
    """One of the inputs with some accidents; quick rather than clever."""
    data = bytearray(dice.choice(inputs))
    for _ in range(dice.choice((1, 1, 1, 2, 3, 5))):
        at = dice.randrange(len(data) + 1)
        match dice.randrange(7):
            case 0:
                del data[at : at + dice.randint(1, 8)]
            case 1:
                data[at:at] = dice.randbytes(dice.randint(1, 4))
            case 2:
                other = dice.choice(inputs)
                start = dice.randrange(len(other) + 1)
                data[at : at + dice.randrange(33)] = other[start : start + dice.randrange(33)]
            case 3:
                del data[at:]
            case _ if at < len(data):
                data[at] = dice.choice((0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF, data[at] ^ 1 << dice.randrange(8)))
    return bytes(data)


def replay(names: list[str], directory: str) -> None:
    """Run properties on their corpora under coverage.py and print what they cover of their modules."""
    import coverage  # noqa: PLC0415  # only this needs it

    measured = coverage.Coverage(branch=True, source=["msmq_wire"], data_file=None, config_file=False)
    measured.exclude("if TYPE_CHECKING:")
    measured.exclude("raise (AssertionError|KeyError)")  # what no input reaches, if the library is right
    for loaded in [loaded for loaded in sys.modules if loaded.partition(".")[0] == "msmq_wire"]:
        del sys.modules[loaded]  # so that the lines of the modules themselves count
    measured.start()
    modules = [target(name) for name in names]
    for name, module in zip(names, modules, strict=True):
        for kept in (Path(directory, "corpus", name), Path(directory, "seeds", f"{name}_seed_corpus")):
            for path in sorted(kept.iterdir()):
                module.check(path.read_bytes())
    measured.stop()
    label = names[0] if len(names) == 1 else "all"
    for part in sorted({part for module in modules for part in module.MODULES}):
        file = Path(sys.modules[f"msmq_wire.{part}"].__file__ or "")
        numbers = measured._analyze(str(file)).numbers
        missing = measured.analysis2(str(file))[3]
        print(f"{label:<22}{part:<20}{numbers.pc_covered:6.1f}%  lines not reached: {missing}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60, help="how long, over all targets")
    parser.add_argument("--target", action="append", choices=TARGETS, help="only this target")
    parser.add_argument("--unguided", type=float, default=_SHARE, help="share of the time without atheris")
    parser.add_argument("--jobs", type=int, default=1, help="how many targets at a time")
    parser.add_argument("--directory", type=Path, default=Path(".fuzz"))
    parser.add_argument("--coverage", action="store_true", help="measure what the corpus covers")
    options = parser.parse_args()
    names = options.target or list(TARGETS)
    options.directory.mkdir(parents=True, exist_ok=True)
    campaign = Campaign(options.directory)
    if options.seconds:
        campaign.run(names, options.seconds, options.unguided, options.jobs)
    else:
        campaign.report()
    if options.coverage:
        campaign.coverage(names)
    if any(sums.get("findings") for sums in campaign.state.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
