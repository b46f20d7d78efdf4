"""How fast two endpoints talk in one process, and how much memory an idle session takes.

Run it as a program::

    python tests/benchmarks/bench_session.py          # 20,000 messages a round
    python tests/benchmarks/bench_session.py 200000

An express message of 1,000 bytes is given to an `Initiator`, goes as bytes to an `Acceptor`, and is
acknowledged.  The same packet is encoded and decoded alone in the same round.  Seconds are those of the
processor, and the least of several rounds counts, so that what else a machine does plays no part.  They are
those of the thread: the clock of a process whose seconds are bounded stands still between the ticks of Linux.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
import tracemalloc

import msmq_wire as mw
from msmq_wire.session import Acceptor, Initiator, Message, QueueManager, Received

CLIENT, SERVER = (mw.GUID(bytes([n]) * 16) for n in (1, 2))
MESSAGE = Message("DIRECT=TCP:10.0.0.1\\private$\\orders", bytes(1000), label="a label")
GOALS = {"messages a second": 50_000, "times decode and encode": 4.0, "bytes of an idle session": 10_000}
_ROUNDS = 7
_IDLE = 200
_BURST = 32


def opened(client: QueueManager, server: QueueManager) -> tuple[Initiator, Acceptor]:
    """Both ends of an open session."""
    here, there = Initiator(client, address="10.0.0.1"), Acceptor(server)
    here.connected(1.0)
    there.connected(1.0)
    for _ in range(3):
        there.receive(here.data_to_send(), 1.0)
        here.receive(there.data_to_send(), 1.0)
    assert here.is_open
    assert there.is_open
    return here, there


def talk(count: int) -> float:
    """Seconds for a message from one end to the other and its acknowledgment."""
    here, there = opened(QueueManager(CLIENT), QueueManager(SERVER))
    came = 0
    start = time.thread_time()
    for _ in range(count // _BURST):
        for _ in range(_BURST):
            here.send(MESSAGE)
        came += sum(type(event) is Received for event in there.receive(here.data_to_send(), 2.0))
        here.receive(there.data_to_send(), 2.0)
    taken = time.thread_time() - start
    assert came == count // _BURST * _BURST
    assert here.waiting == 0
    return taken / came


def alone(count: int) -> float:
    """Seconds to encode such a packet and to decode it."""
    here, _ = opened(QueueManager(CLIENT), QueueManager(SERVER))
    here.send(MESSAGE)
    data = here.data_to_send()
    packet = mw.decode(data)
    start = time.thread_time()
    for _ in range(count):
        packet.encode()
        mw.decode(data)
    return (time.thread_time() - start) / count


def idle() -> float:
    """Bytes that one end of an idle session takes."""
    client, server = QueueManager(CLIENT), QueueManager(SERVER)
    kept = [opened(client, server)]
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept += [opened(client, server) for _ in range(_IDLE)]
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return taken / _IDLE / 2


def measure(count: int) -> dict[str, float]:
    """The figures of `GOALS`: the least times, and the median of the ratios within a round."""
    rounds = [(talk(count), alone(count)) for _ in range(_ROUNDS)]
    return {
        "messages a second": 1 / min(one for one, _ in rounds),
        "times decode and encode": statistics.median(one / other for one, other in rounds),
        "bytes of an idle session": idle(),
    }


def main() -> None:
    """Print the figures beside what is wanted."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    for name, value in measure(count).items():
        print(f"{name}: {value:,.1f} (goal {GOALS[name]:,})")


if __name__ == "__main__":
    main()
