"""Fuzz a queue manager with boofuzz; only one that you own or are authorised to test.

``python docs/examples/fuzz_boofuzz.py 127.0.0.1 1801 --mutants 300``

boofuzz sends the packets of a session in order and replaces one of them at a time.  Its own primitives know
nothing about the sizes and flags within a packet, so the replacements come from `msmq_wire.testing.mutants`.
boofuzz stores every case in ``boofuzz-results`` and writes what it does to a log.  The exit status is 1 if
the queue manager stops accepting connections; the last case in the log is the cause.
"""  # noqa: INP001  # a script, not a package

from __future__ import annotations

import argparse
import socket
import sys
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import boofuzz

from msmq_wire import testing as mt
from msmq_wire.session import Acceptor, Initiator, Message, QueueManager

if TYPE_CHECKING:
    from collections.abc import Iterator


class MutatedPacket(boofuzz.BasePrimitive):
    """A valid packet, and its mutants."""

    def __init__(self, name: str, packet: bytes, count: int) -> None:
        super().__init__(name=name, default_value=packet)
        self.count = count

    def mutations(self, default_value: bytes) -> Iterator[bytes]:
        """Yield distinct mutants, the same in each run."""
        for mutant in mt.mutants(default_value, self.count, stacked=2):
            yield mutant.data

    def num_mutations(self, default_value: bytes) -> int:  # noqa: ARG002  # the signature of boofuzz
        """The number of mutants, for the display of progress."""
        return self.count


def session_packets(host: str) -> Iterator[tuple[str, bytes]]:
    """Yield what a client sends to open a session and to send a message, by holding the session in memory."""
    client = Initiator(QueueManager(str(uuid.uuid4())), address=host)
    server = Acceptor(QueueManager(str(uuid.uuid4())), address="127.0.0.1")
    client.send(Message(f"DIRECT=TCP:{host}\\private$\\orders", b"<order/>", label="order"), time.time())
    client.connected(time.time())
    server.connected(time.time())
    for name in ("EstablishConnection", "ConnectionParameters", "UserMessage"):
        data = client.data_to_send()
        yield name, data
        server.receive(data, time.time())
        client.receive(server.data_to_send(), time.time())


def main() -> int:
    """Read the command line and go."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("host")
    parser.add_argument("port", type=int, nargs="?", default=1801)
    parser.add_argument("--mutants", type=int, default=300, help="number of mutants of each packet")
    parser.add_argument("--wait", type=float, default=0.2, help="seconds for an answer")
    parser.add_argument("--log", type=Path, default=Path("boofuzz.log"), help="what boofuzz does, as text")
    arguments = parser.parse_args()
    connection = boofuzz.TCPSocketConnection(arguments.host, arguments.port, recv_timeout=arguments.wait)
    with arguments.log.open("w") as log:
        session = boofuzz.Session(
            target=boofuzz.Target(connection=connection),
            web_port=None,
            keep_web_open=False,
            fuzz_loggers=[boofuzz.FuzzLoggerText(file_handle=log)],
            restart_sleep_time=1,
            restart_threshold=3,
        )
        path: list[boofuzz.Request] = []
        for name, packet in session_packets(arguments.host):
            children = (MutatedPacket("packet", packet, arguments.mutants),)
            path = [*path[-1:], boofuzz.Request(name, children=children)]
            session.connect(*path)
        session.fuzz()  # returns if the queue manager accepts no connection any more
    try:
        socket.create_connection((arguments.host, arguments.port), 5).close()
    except OSError as error:
        sys.stdout.write(f"case {session.total_mutant_index}, or the one before it, stopped it: {error!r}\n")
        return 1
    sys.stdout.write(f"{session.total_mutant_index} cases, and it still accepts connections\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
