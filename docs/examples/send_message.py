r"""Send a message to a queue over TCP and wait until it is acknowledged.

``python docs/examples/send_message.py 127.0.0.1 1801 'private$\orders' 'some text'``; add ``--transactional``
or ``--recoverable``.  The status is 0 if the message has arrived, 1 if not, and 2 for wrong arguments.
"""  # noqa: INP001  # a script, not a package

from __future__ import annotations

import argparse
import asyncio
import ipaddress
import socket
import sys
import time
import uuid

from msmq_wire import MsmqWireError
from msmq_wire.mqmq import MESSAGE_CLASS_VALUES
from msmq_wire.session import Acknowledged, AcknowledgedBy, Event, Expired, Initiator, Message, QueueManager


def verdict(event: Event, token: int) -> bool | None:
    """Whether the message has arrived; None if the event does not tell."""
    if isinstance(event, Acknowledged) and event.token == token:
        number = event.message_class
        name = {int(known): known.name for known in MESSAGE_CLASS_VALUES}.get(number, "an unknown class")
        sys.stdout.write(f"{event.kind.value} acknowledgment: {name} ({number:#06x})\n")
        if event.rejected:
            return False
        if event.kind is AcknowledgedBy.ADMINISTRATION:
            return True
        sys.stdout.write("arrived, no administration acknowledgment yet: waiting for it\n")
        return None
    sys.stdout.write(f"{type(event).__name__}\n")
    return False if isinstance(event, Expired) else None


async def talk(session: Initiator, token: int, host: str, port: int, until: float) -> bool | None:
    """One connection; whether the message has arrived, None if the connection ended before it was told."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        events = session.connected(time.time())
        while True:
            told = [verdict(event, token) for event in events]
            if set(told) != {None} and told:
                return True in told
            writer.write(session.data_to_send())
            await writer.drain()
            if session.phase in {"CLOSED", "WAITING_RECONNECT"}:
                return None
            now = time.time()
            if now >= until:
                return None  # a queue manager need not say that there is no such queue
            wait = max(0.0, min(session.next_timeout or until, until) - now)
            try:
                data = await asyncio.wait_for(reader.read(65_536), wait)
            except TimeoutError:
                events = session.timeout(time.time())
                continue
            now = time.time()
            events = session.receive(data, now) if data else session.disconnected(now)
    finally:
        writer.close()


def protocol(host: str) -> str:
    """The protocol of a direct format name: TCP with an address, OS with a host name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "OS"
    return "TCP"


async def send(arguments: argparse.Namespace) -> bool:
    """Send, and connect again as long as there is something to wait for."""
    manager = QueueManager(str(uuid.uuid4()))
    session = Initiator(manager, address=arguments.host)
    until = time.time() + arguments.patience
    name = f"DIRECT={protocol(arguments.host)}:{arguments.host}\\{arguments.queue}"
    message = Message(
        name,
        arguments.text.encode("utf-16-le"),
        label="from send_message.py",
        body_type=8,  # VT_BSTR
        recoverable=arguments.recoverable,
        transactional=arguments.transactional,
        admin_queue=f"PRIVATE={manager.identifier}\\00000001",
        positive_arrival=True,
        negative_arrival=True,
        reach_queue=int(arguments.patience) + 1,
    )
    token = session.send(message, time.time())
    said = ""
    while time.time() < until:
        try:
            told = await talk(session, token, arguments.host, arguments.port, until)
            if told is not None:
                return told
        except (socket.gaierror, UnicodeError) as error:
            sys.stdout.write(f"{arguments.host} has no address: {error}\n")
            return False
        except OSError as error:
            if said != str(error):  # it is tried again, and said once
                said = str(error)
                sys.stdout.write(f"{said}; trying again for {until - time.time():.0f} seconds\n")
            session.disconnected(time.time())
        if time.time() >= until:
            break
        if not session.waiting:
            sys.stdout.write("the message waits no longer\n")
            return False
        await asyncio.sleep(max(0.0, (session.next_timeout or 0.0) - time.time()))
        session.timeout(time.time())
    sys.stdout.write(f"no answer within {arguments.patience:.0f} seconds\n")
    return False


def main() -> int:
    """Read the arguments, and send."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("queue")
    parser.add_argument("text")
    parser.add_argument("--recoverable", action="store_true")
    parser.add_argument("--transactional", action="store_true")
    parser.add_argument("--patience", type=float, default=30.0, help="seconds until it gives up")
    arguments = parser.parse_args()
    if not 0 < arguments.port < 1 << 16:
        parser.error(f"port is {arguments.port}, not 1 to 65535")
    try:
        return 0 if asyncio.run(send(arguments)) else 1
    except MsmqWireError as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
