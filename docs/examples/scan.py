"""Request a session from many hosts, and print the reply of each.

``python docs/examples/scan.py 10.0.0.1 10.0.0.2:1801`` prints a line for each host as it replies; without
arguments, the hosts are read from standard input.  Scan only hosts that you are authorised to scan.
"""  # noqa: INP001  # a script, not a package

from __future__ import annotations

import argparse
import asyncio
import sys
import time
import uuid

from msmq_wire import decode, decode_lax, mqqb
from msmq_wire.session import Closed, Initiator, QueueManager, Refused, Violated

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]  # None for no module

AT_ONCE = 1000
PADDING = b"\x5a" * 512


def facts(answer: bytes) -> str:
    """Describe the sender of an EstablishConnection."""
    packet = decode(answer)
    if not isinstance(packet, mqqb.EstablishConnection):
        return ""
    header = packet.EstablishConnectionHeader
    padding = "as documented" if header.Padding == PADDING else "other"
    return (
        f"{header.ServerGuid} flags {int(header.OperatingSystem):#06x} "
        f"reserved {packet.BaseHeader.Reserved:#04x} padding {padding}"
    )


def address_of(target: str) -> tuple[str, int]:
    """Host and port of ``10.0.0.1:1801``, ``[fe80::1]:1801`` or either without a port, which is 0 then.

    Raises:
        ValueError: It is none of these.
    """
    if target.startswith("["):
        host, bracket, rest = target[1:].partition("]")
        if not bracket or rest[:1] not in {"", ":"}:
            raise ValueError(target)
        return host, int(rest[1:] or 0)
    if target.count(":") > 1:
        return target, 0
    host, _, port = target.partition(":")
    return host, int(port or 0)


async def judge(manager: QueueManager, host: str, port: int, patience: float) -> str:
    """Query one host, and describe its reply."""
    try:
        reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port), patience)
    except (OverflowError, UnicodeError):
        return "no connection: no name or address of a host, or no port"
    except TimeoutError:
        return "no connection: timeout"
    except OSError as error:
        return f"no connection: {error.strerror or error}"
    session = Initiator(manager, address=host)
    session.connected(time.time())
    heard = b""
    try:
        question = session.data_to_send()
        writer.write(question)
        until = time.monotonic() + patience
        while True:
            left = until - time.monotonic()
            try:
                data = await asyncio.wait_for(reader.read(4096), max(0.0, left))
            except TimeoutError:
                return f"half an answer: {len(heard)} bytes" if heard else "silent"
            if not data:
                return f"half an answer: {len(heard)} bytes" if heard else "closed without an answer"
            heard += data
            if heard == question:
                return "not MSMQ: it sends back what it receives"
            for event in session.receive(data, time.time()):
                if isinstance(event, Refused):
                    return f"refuses: {facts(heard[:572])}"
                if isinstance(event, Violated):
                    error = decode_lax(heard).error
                    protocol = error.problem.partition("these bytes are ")[2] if error else ""
                    what = protocol or heard[:8].hex(" ") + " ..."
                    return f"not MSMQ: {what} ({event.violation.requirement})"
                if isinstance(event, Closed):
                    return event.reason
            if session.phase == "WAITING_CPR_MSG":
                return f"accepts: {facts(heard[:572])}"
    except OSError as error:
        return f"connection lost: {error.strerror or error}"
    finally:
        writer.close()


async def scan(targets: list[str], port: int, patience: float) -> None:
    """Scan all hosts, with a limit on parallel connections."""
    manager = QueueManager(str(uuid.uuid4()))
    free = asyncio.Semaphore(AT_ONCE)

    async def one(target: str) -> None:
        try:
            host, own_port = address_of(target)
        except ValueError:
            sys.stdout.write(f"{target} no connection: no address\n")
            return
        async with free:
            verdict = await judge(manager, host, own_port or port, patience)
        sys.stdout.write(f"{target} {verdict}\n")

    await asyncio.gather(*(one(target) for target in targets))


def main() -> int:
    """Read the arguments, and scan."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "targets", nargs="*", help="host, host:port or [host]:port; default: read from standard input"
    )
    parser.add_argument("--port", type=int, default=1801)
    parser.add_argument("--patience", type=float, default=5.0, help="seconds for each host")
    arguments = parser.parse_args()
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = AT_ONCE + 100
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard < 0 else min(wanted, hard), hard))
    targets = arguments.targets or sys.stdin.read().split()
    asyncio.run(scan(targets, arguments.port, arguments.patience))
    return 0


if __name__ == "__main__":
    sys.exit(main())
