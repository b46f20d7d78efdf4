"""Fuzz a queue manager over TCP, state by state; only one that you own or are authorised to test.

``python docs/examples/fuzz_server.py 127.0.0.1 1801 --mutants 300 --found found``

A valid client brings the session into a state (requesting it, sending its parameters, sending a message).
Then one packet is replaced by a mutant.  Another client then checks that the queue manager still accepts
sessions.  A mutant that stops it is written to the folder, which `msmq_wire.testing.regressions` reads, and
the exit status is 1.
"""  # noqa: INP001  # a script, not a package

from __future__ import annotations

import argparse
import asyncio
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path

from msmq_wire import testing as mt
from msmq_wire.session import Initiator, Message, QueueManager

STATES = ("EstablishConnection", "ConnectionParameters", "UserMessage")


def client(host: str) -> Initiator:
    """A valid client with a message to send."""
    session = Initiator(QueueManager(str(uuid.uuid4())), address=host)
    session.send(Message(f"DIRECT=TCP:{host}\\private$\\orders", b"<order/>", label="order"), time.time())
    return session


async def walk(host: str, port: int, state: str | None, seed: int, wait: float) -> mt.Mutant | None:
    """Go to a state and mutate the packet sent there; without a state, only open the session.

    Raises:
        OSError: The session could not be opened before.
    """
    reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port), wait)
    session = client(host)
    try:
        session.connected(time.time())
        for name in STATES:
            data = session.data_to_send()
            if name == state:
                mutant = next(mt.mutants(data, 1, stacked=2, seed=seed))
                writer.write(mutant.data)
                await writer.drain()
                with suppress(
                    OSError, TimeoutError
                ):  # silence and a close are valid reactions to invalid packets
                    await asyncio.wait_for(reader.read(65_536), wait / 10)
                return mutant
            if session.is_open:
                return None
            writer.write(data)
            answer = await asyncio.wait_for(reader.read(65_536), wait)
            session.receive(answer, time.time())
        raise ConnectionError("the session does not open")
    finally:
        writer.close()


async def fuzz(arguments: argparse.Namespace) -> bool:
    """Send all mutants; return whether the queue manager survived.

    Raises:
        OSError: It accepted no session before the first mutant.
    """
    bent: tuple[str, mt.Mutant] | None = None
    for seed in range(arguments.seed, arguments.seed + arguments.mutants):
        try:
            state = STATES[seed % len(STATES)]
            mutant = await walk(arguments.host, arguments.port, state, seed, arguments.wait)
            bent = (state, mutant) if mutant else bent
            await walk(arguments.host, arguments.port, None, seed, arguments.wait)
        except (OSError, TimeoutError) as error:
            if bent is None:
                raise
            report(arguments.found, *bent, error)
            return False
    sys.stdout.write(f"{arguments.mutants} mutants, and it still opens sessions\n")
    return True


def report(folder: Path, state: str, mutant: mt.Mutant, error: Exception) -> None:
    """Store the last mutant, and print its description."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{state}-{mutant.seed}.hex").write_text(mutant.data.hex())
    done = ", ".join(f"{step.mutation} at {step.path or 'the whole'}" for step in mutant.steps)
    sys.stdout.write(f"seed {mutant.seed} ({state}: {done}) stopped it: {error!r}\n")


def main() -> int:
    """Read the command line and go."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("host")
    parser.add_argument("port", type=int, nargs="?", default=1801)
    parser.add_argument("--mutants", type=int, default=300, help="number of mutants")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--wait", type=float, default=5.0, help="seconds for an answer")
    parser.add_argument(
        "--found", type=Path, default=Path("found"), help="folder for the mutants that stopped it"
    )
    arguments = parser.parse_args()
    try:
        return 0 if asyncio.run(fuzz(arguments)) else 1
    except (OSError, TimeoutError) as error:
        sys.stderr.write(f"{arguments.host}:{arguments.port} opens no session: {error!r}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
