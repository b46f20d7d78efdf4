"""Fuzz a queue manager over TCP, state by state; only one that you own or are authorised to test.

``python docs/examples/fuzz_server.py 127.0.0.1 1801 --mutants 300 --found found``

A valid client brings the session into a state (requesting it, sending its parameters, sending a message).
Then one packet is replaced by a mutant.  Another client then checks that the queue manager still accepts
sessions.  A mutant that stops it is written to the folder, which `msmq_wire.testing.regressions` reads, and
the exit status is 1.

``python docs/examples/fuzz_server.py 127.0.0.1 1801 --replay found``

This sends the stored mutants again, or one file, each in the state that its name begins with.  Any other file
is sent where the packet belongs that it resembles, or in the state that ``--state`` names.
"""  # noqa: INP001  # a script, not a package

from __future__ import annotations

import argparse
import asyncio
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msmq_wire as mw
from msmq_wire import testing as mt
from msmq_wire.session import Closed, Initiator, Message, QueueManager

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STATES = ("EstablishConnection", "ConnectionParameters", "UserMessage")


class Sent(NamedTuple):
    """Bytes sent in place of a packet: the state, the seed or the name of the file, and the mutations."""

    data: bytes
    state: str
    name: str
    done: str


def client(host: str) -> Initiator:
    """A valid client with a message to send."""
    session = Initiator(QueueManager(str(uuid.uuid4())), address=host)
    session.send(Message(f"DIRECT=TCP:{host}\\private$\\orders", b"<order/>", label="order"), time.time())
    return session


async def walk(
    host: str, port: int, wait: float, state: str | None = None, change: Callable[[bytes], Sent] | None = None
) -> Sent | None:
    """Go to a state and change the packet sent there; without a change, only open the session.

    Raises:
        OSError: The session could not be opened before.
    """
    reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port), wait)
    session = client(host)
    try:
        session.connected(time.time())
        for name in STATES:
            data = await asyncio.wait_for(next_packet(reader, session), wait)
            if change is not None and name == state:
                sent = change(data)
                writer.write(sent.data)
                await writer.drain()
                with suppress(
                    OSError, TimeoutError
                ):  # silence and a close are valid reactions to invalid packets
                    await asyncio.wait_for(reader.read(65_536), wait / 10)
                return sent
            if session.is_open:
                return None
            writer.write(data)
        raise ConnectionError("the session does not open")
    finally:
        writer.close()


async def next_packet(reader: asyncio.StreamReader, session: Initiator) -> bytes:
    """Read until the session has something to send.

    Raises:
        ConnectionError: It is closed before.
    """
    while not (data := session.data_to_send()):
        answer = await reader.read(65_536)
        events = session.receive(answer, time.time())
        if not answer or any(isinstance(event, Closed) for event in events):
            raise ConnectionError("the session does not open")
    return data


def mutants(first: int, count: int) -> Iterator[tuple[str, Callable[[bytes], Sent]]]:
    """A state and a change of its packet for each seed."""
    for seed in range(first, first + count):
        state = STATES[seed % len(STATES)]

        def change(data: bytes, state: str = state, seed: int = seed) -> Sent:
            mutant = next(mt.mutants(data, 1, stacked=2, seed=seed))
            done = ", ".join(f"{step.mutation} at {step.path}" for step in mutant.steps)
            return Sent(mutant.data, state, f"seed {mutant.seed}", done)

        yield state, change


def stored(path: Path, state: str | None) -> Iterator[tuple[str, Callable[[bytes], Sent]]]:
    """The state and the bytes of each stored mutant: a file, or all files of a folder.

    Raises:
        MsmqWireError: The folder has no files.
    """
    inputs = mt.regressions(path)
    if not inputs:
        raise mw.MsmqWireError(f"there are no files in {path}")
    for name, data in inputs.items():
        sent = Sent(data, state or state_of(name, data), name, "replayed")
        yield sent.state, lambda _, sent=sent: sent  # type: ignore[misc]  # bound now, not when it is called


def state_of(name: str, data: bytes) -> str:
    """The state that the name of a file begins with; else that of the packet that the bytes resemble."""
    begun = name.partition("-")[0]
    if begun in STATES:
        return begun
    if "UserHeader" in mw.decode_lax(data).headers:
        return "UserMessage"
    return "ConnectionParameters" if data[18:19] == b"\x03" else "EstablishConnection"


async def fuzz(arguments: argparse.Namespace) -> bool:
    """Send all mutants; return whether the queue manager survived.

    Raises:
        OSError: It accepted no session before the first mutant.
    """
    host, port, wait = arguments.host, arguments.port, arguments.wait
    replayed = arguments.replay is not None
    changes = list(
        stored(arguments.replay, arguments.state) if replayed else mutants(arguments.seed, arguments.mutants)
    )
    await walk(host, port, wait)
    last: Sent | None = None
    count = 0
    for state, change in changes:
        try:
            last = await walk(host, port, wait, state, change) or last
            await walk(host, port, wait)
        except (OSError, TimeoutError) as error:
            if last is None:
                raise
            if not replayed:
                keep(arguments.found, last)
            sys.stdout.write(f"{last.name} ({last.state}: {last.done}) stopped it: {error!r}\n")
            return False
        count += 1
    sys.stdout.write(f"{count} mutants, and it still opens sessions\n")
    return True


def keep(folder: Path, sent: Sent) -> None:
    """Store a mutant, under a name that tells its state."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{sent.state}-{sent.name.removeprefix('seed ')}.hex").write_text(sent.data.hex())


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
    parser.add_argument("--replay", type=Path, help="send this file, or all files of this folder, instead")
    parser.add_argument(
        "--state", choices=STATES, help="where to send what is replayed; by default its name decides"
    )
    arguments = parser.parse_args()
    try:
        return 0 if asyncio.run(fuzz(arguments)) else 1
    except mw.MsmqWireError as error:
        parser.error(str(error))
    except FileNotFoundError as error:
        parser.error(f"there is no {error.filename}")
    except (OSError, TimeoutError) as error:
        sys.stderr.write(f"{arguments.host}:{arguments.port} opens no session: {error!r}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
