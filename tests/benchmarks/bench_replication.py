"""How fast an enterprise replicates: applications of a change per second, and the memory that it takes.

Run it as a program::

    python tests/benchmarks/bench_replication.py             # 50 servers, 2,000 changes: seconds
    python tests/benchmarks/bench_replication.py 200 20000   # 4 million applications: minutes

A fifth of the servers are PSCs, the others BSCs, evenly among the sites.  Of ten changes one creates a queue,
one deletes one, the others update some properties.  At the end every replica has to be its authority's.
"""

from __future__ import annotations

import random
import sys
import time

from msmq_wire.documents.propid import ObjectClass
from msmq_wire.machines.replication import Enterprise, Settings

QUEUE = ObjectClass.QUEUE
_ROUNDS = 50
_HOUR = 3600


def built(servers: int) -> tuple[Enterprise, list[str]]:
    """An enterprise at rest, and its sites."""
    world = Enterprise(settings=Settings(empty_propagations=False))
    sites = ["site0"]
    for number in range(1, max(1, servers // 5)):
        sites.append(f"site{number}")
        world.add_site(f"PSC{number}", sites[-1])
        world.run(11)
    for number in range(servers - len(sites)):
        world.add_bsc(f"BSC{number}", sites[number % len(sites)])
        world.run(3)
    world.run(60)
    return world, sites


def change(world: Enterprise, sites: list[str], count: int, dice: random.Random) -> int:
    """Make changes at the authorities while time passes.

    Returns:
        How many there were events.
    """
    events = 0
    there: dict[str, list[str]] = {site: [] for site in sites}
    for number in range(count):
        where = dice.choice(sites)
        psc, site, known = world.authority(world.site(where)), world.site(where), there[where]
        what = number % 10
        if what == 0 or not known:
            known.append(f"{where}\\q{number}")
            world.create(psc, QUEUE, known[-1], {"PROPID_Q_LABEL": "new"}, partition=site)
        elif what == 1:
            world.delete(psc, QUEUE, known.pop(dice.randrange(len(known))), partition=site)
        else:
            values = {"PROPID_Q_LABEL": f"label {number}"} if what % 2 else {"PROPID_Q_QUOTA": number}
            world.update(psc, QUEUE, dice.choice(known), values, partition=site)
        if number % (count // _ROUNDS or 1) == 0:
            events += world.run(10)
    return events + world.run(60)


def peak() -> float:
    """The most memory so far, in MiB; Windows does not tell."""
    if sys.platform == "win32":
        return 0
    import resource  # noqa: PLC0415  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(servers: int, count: int) -> None:
    """Build, change, compare, and print what it took."""
    start = time.perf_counter()
    world, sites = built(servers)
    print(f"{servers} servers, {len(sites)} sites: built in {time.perf_counter() - start:.1f} s")
    before = peak()
    start = time.perf_counter()
    events = change(world, sites, count, random.Random(1))  # noqa: S311  # to be repeated
    took = time.perf_counter() - start
    applied = count * (servers - 1)
    print(f"{count} changes, {applied} applications, {events} events in {took:.1f} s")
    print(f"{applied / took:.0f} applications a second, {took / applied * 1e6:.1f} us each")
    print(f"memory {before:.0f} MiB at rest, {peak():.0f} MiB at most")
    differences = world.differences()
    if differences:
        sys.exit("\n".join(["did not converge:", *differences[:10]]))
    print(f"all {servers} replicas are the same after {world.time / _HOUR:.1f} hours of simulated time")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]) if sys.argv[2:] else (50, 2000))
