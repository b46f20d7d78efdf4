"""A small queue manager over TCP, for testing clients: it stores and acknowledges messages.

1. `msmq_wire.session.Acceptor` implements the protocol; this module adds sockets and a clock.
2. The server has named queues, or accepts messages for every queue.  Messages are consumed immediately, so
   that requested acknowledgments are sent.
3. The server has not been tested against a queue manager of Windows; the how-to page describes its tests.

``python -m msmq_wire.testing.server --port 1801 --queue orders --transactional-queue invoices`` runs it, and
prints one line for each event.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import sys
import time
import uuid
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from msmq_wire import GUID, EncodeError, mqmq, queue_names
from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.session import (
    PROFILES,
    Acceptor,
    Acknowledged,
    Closed,
    Elsewhere,
    Event,
    Received,
    Rejected,
    Settings,
    Violated,
)
from msmq_wire.session import QueueManager as Manager
from msmq_wire.values.body_types import BODY_TYPES
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import MsmqWireError, need, need_within, shortened
from msmq_wire.values.numbers import PORT
from msmq_wire.views.texts import endpoint

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

__all__ = ["QueueServer", "main", "serve"]

_PIECE = 0x1_0000


def queue_of(message: mqmq.UserMessage) -> str:
    """Name of the destination queue of a message in lower case; for a private queue its number."""
    queue: Any = message.UserHeader.DestinationQueue
    if queue is None:
        return ""
    try:
        name = queue_names.from_wire(queue, host=message.UserHeader.QueueManagerAddress)
    except EncodeError:
        return str(queue)
    return _last(str(name))


def _last(path: str) -> str:
    """Return the name of a queue without its host and ``private$``, in lower case."""
    return path.lower().rpartition("\\")[2]


class QueueServer:
    """A queue manager that listens.

    Attributes:
        manager: The shared state of its sessions.
        queues: Whether each of its queues is transactional, by lower-case name; None: every queue exists and
            accepts every message.
        received: The received messages, in order.
        events: All events of its sessions.
        port: The TCP port on which it listens.
    """

    def __init__(
        self,
        identifier: GUID | str | None = None,
        settings: Settings | None = None,
        queues: dict[str, bool] | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        """Create a queue manager that does not listen yet.

        Args:
            identifier: Its GUID; None for a new one.
            settings: Its numbers and policies.
            queues: Whether each of its queues is transactional, by name, with or without ``private$``.
            say: A function that is called with a line for each event.
        """
        need("queues", queues, (dict, type(None)), "a dictionary of names and whether transactional")
        for name, kind in (queues or {}).items():
            need("queues", name, str, "names of queues")
            need(f"queues[{name!r}]", kind, bool, "whether it is transactional")
        self.manager = Manager(GUID.of(identifier or uuid.uuid4()), settings, judge=self._judge)
        self.queues = None if queues is None else {_last(name): kind for name, kind in queues.items()}
        self.received: list[mqmq.UserMessage] = []
        self.events: list[Event] = []
        self.port = 0
        self._say = say if say is not None else lambda _: None
        self._server: asyncio.Server | None = None
        self.connections: set[asyncio.Task[None]] = set()
        self._stopped = False

    def _judge(self, message: mqmq.UserMessage) -> int | None:
        """Whether the queue exists and accepts such messages ([MS-MQQB] 3.1.5.8.2)."""
        if self.queues is None:
            return None
        is_transactional = self.queues.get(queue_of(message))
        if is_transactional is None:
            return MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_DST_Q
        if (message.TransactionHeader is not None) == is_transactional:
            return None
        if is_transactional:
            return MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG
        return MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Start to listen.

        Args:
            host: Address to listen on.
            port: TCP port; 0 for any free port, see the attribute `port`.

        Raises:
            WrongTypeError: An argument has the wrong type.
            MsmqWireError: There is no such port, or the host is not an address.
            OSError: The address cannot be used; the error names it.
        """
        need("host", host, str, "an address")
        need("port", port, int, "a whole number")
        need_within("port", port, 0, 0xFFFF, "0 to 65535")
        try:
            self._server = await asyncio.start_server(self._accept, host, port, backlog=1024)
        except OSError as error:
            number = error.errno or errno.EADDRNOTAVAIL  # asyncio gives none from Python 3.13 on
            raise OSError(
                number, f"cannot listen on {endpoint(host, port)}: {error.strerror or error}"
            ) from None
        except ValueError:
            raise MsmqWireError(f"host is {shortened(host)}, not an address") from None
        self.port = self._server.sockets[0].getsockname()[1]
        self._say(f"listening on {endpoint(host, self.port)} as {self.manager.identifier}")

    async def stop(self) -> None:
        """Stop listening, and close every connection."""
        self._stopped = True
        if self._server is not None:
            self._server.close()
        for talk in self.connections:
            talk.cancel()
        await asyncio.gather(*self.connections, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.current_task()
        if talk is not None:
            self.connections.add(talk)
            talk.add_done_callback(self.connections.discard)
        try:
            await self._talk(reader, writer)
        except OSError as error:
            self._say(f"connection lost: {error}")
        except asyncio.CancelledError:
            if not self._stopped:  # asyncio of Python 3.11 reports this end as an error
                raise
        finally:
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until one side closes it."""
        address = str(writer.get_extra_info("peername")[0])
        session = Acceptor(self.manager, address=address)
        events = session.connected(time.time())
        coming: asyncio.Task[bytes] | None = None
        try:
            while True:
                for event in events:
                    self.take(session, event, address)
                data = session.data_to_send()
                if data:
                    writer.write(data)
                    await writer.drain()
                if session.phase == "CLOSED":
                    return
                coming = coming or asyncio.ensure_future(reader.read(_PIECE))
                due = session.next_timeout
                wait = None if due is None else max(0.0, due - time.time())
                await asyncio.wait({coming}, timeout=wait)
                if not coming.done():
                    events = session.timeout(time.time())
                    continue
                data, coming = coming.result(), None
                events = session.receive(data, time.time()) if data else session.disconnected(time.time())
        finally:
            if coming is not None:
                coming.cancel()
            for event in session.close(time.time()):
                self.take(session, event, address)

    def take(self, session: Acceptor, event: Event, address: str) -> None:
        """Record an event of a session, report it in a line, and take a message from its queue."""
        self.events.append(event)
        match event:
            case Received(message=message, action="deliver"):
                self.received.append(message)
                label = message.MessagePropertiesHeader.Label.rstrip("\0")
                self._say(f"{address}: {queue_of(message)} gets {label!r}: {_body_of(message)}")
                for more in session.consumed(message, time.time()):
                    self.take(session, more, address)
            case Rejected(message=message, message_class=number):
                self._say(
                    f"{address}: {queue_of(message)} refuses a message: {MESSAGE_CLASS_VALUES(number).name}"
                )
            case Violated(violation=violation):
                self._say(f"{address}: violates {violation.requirement}: {violation.message}")
            case Closed(reason=reason):
                self._say(f"{address}: closed, {reason}")
            case Elsewhere():
                self._say(f"{address}: an acknowledgment for another host is dropped")
            case Acknowledged():
                pass
            case _:
                self._say(f"{address}: {type(event).__name__}")


_KINDS: Final = {int(kind): kind.name for kind in VARTYPE if kind}
_LONGEST_BODY: Final = 60
"""Characters of a body that are shown."""


def _body_of(message: mqmq.UserMessage) -> str:
    """Return the description of the body of a message, and its beginning."""
    properties = message.MessagePropertiesHeader
    size = f"{len(properties.MessageBody)} bytes"
    if properties.PrivacyLevel:
        return f"{size}, encrypted"
    type_name = BODY_TYPES.get(properties.BodyType) or _KINDS.get(properties.BodyType)
    kind = type_name or (f"BodyType {properties.BodyType}" if properties.BodyType else "")
    shown = repr(message.typed_body)
    shown = shown if len(shown) <= _LONGEST_BODY else f"{shown[:_LONGEST_BODY]}..."
    return f"{size} of {kind}, {shown}" if kind else f"{size}, {shown}"


@asynccontextmanager
async def serve(
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    identifier: GUID | str | None = None,
    settings: Settings | None = None,
    queues: dict[str, bool] | None = None,
) -> AsyncIterator[QueueServer]:
    """Run a queue manager within an asynchronous context.

    Args:
        host: Address to listen on.
        port: TCP port; 0 for any that is free.
        identifier: Its GUID; None for a new one.
        settings: Its numbers and policies.
        queues: Whether each of its queues is transactional, by name, with or without ``private$``; None for
            every queue.
    """
    server = QueueServer(identifier, settings, queues)
    await server.start(host, port)
    try:
        yield server
    finally:
        await server.stop()


async def run(arguments: argparse.Namespace) -> None:
    queues = dict.fromkeys(arguments.queue, False) | dict.fromkeys(arguments.transactional_queue, True)

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    server = QueueServer(arguments.guid, PROFILES.get(arguments.profile), queues or None, say)
    await server.start(arguments.host, arguments.port)
    try:
        await asyncio.Event().wait()
    finally:
        await server.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a queue manager until it is interrupted."""
    parser = argparse.ArgumentParser(prog="python -m msmq_wire.testing.server", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=PORT, help="TCP port; 0 for any that is free")
    parser.add_argument("--guid", help="its identifier; a new one by default")
    parser.add_argument("--queue", action="append", default=[], help="a queue that is not transactional")
    parser.add_argument("--transactional-queue", action="append", default=[], help="a transactional queue")
    parser.add_argument("--profile", choices=sorted(PROFILES), help="version of Windows to act like")
    try:
        asyncio.run(run(parser.parse_args(arguments)))
    except KeyboardInterrupt:
        return 0
    except (OSError, MsmqWireError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
