"""Both ends of a session: bytes and time in, bytes and events out ([MS-MQQB] 3.1).

1. Endpoints open no connections, read no clock and do not wait.  The caller passes received bytes and the
   time, sends the bytes that `data_to_send` returns, calls `timeout` at `next_timeout`, and handles the
   events.
2. An `Initiator` exists as long as there are messages for its queue manager; `connected` begins a session on
   a new transport connection.  An `Acceptor` belongs to one transport connection.
3. Times are seconds since 1970, as float.  The clock may jump: after a jump back, timers keep their
   durations; after a jump ahead, timers expire early, which costs a reconnect at most.
4. Received bytes raise no exceptions; only invalid arguments do.  If the document requires that the session
   is closed, there is one `Violated` and one `Closed` event.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import msgspec

import msmq_wire as mw
from msmq_wire import GUID, NULL_GUID, mqmq, mqqb
from msmq_wire.checks.located import unreadable
from msmq_wire.checks.rules.session import requirement_of_unreadable
from msmq_wire.checks.sessions.of_endpoints import another_answer, unexpected
from msmq_wire.documents.session_protocol import PHASE_OF, awaits
from msmq_wire.packets.packet_starts import BASE_SIZE, FLAGS_AT, INTERNAL, starts_packet
from msmq_wire.packets.stream import PacketStream
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import MsmqWireError, need, need_one_of

from .events import Closed, Connect, Established, Refused, Returned
from .link import Ended, Link
from .management import GENERIC_ERROR, STATUSES, Attempt, outgoing_transfer
from .manager import QueueManager, need_negative
from .receiver import Receiver
from .sender import Sendable, Sender
from .state import NEVER, Guid, Outbox, SessionState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from msmq_wire.documents.session_protocol import Role
    from msmq_wire.packets.stream import Frame

    from .events import Event
    from .management import OutgoingTransfer, QueueState, Status
    from .state import Entry

_LEAST_RECOVERABLE, _MOST_RECOVERABLE = 500, 120_000
"""RecoverableAckTimeout, in milliseconds ([MS-MQQB] 2.2.2.1)."""
_ROUND_TRIPS = 8
"""RecoverableAckSendTimeout in round trips ([MS-MQQB] 3.1.5.3.2)."""
_LONGEST_ADDRESS = 255
"""Characters of an address; no name of a host is longer."""
_IDLE = frozenset({"CLOSED", "WAITING_RECONNECT"})


class _Snapshot(msgspec.Struct):
    """The complete state of an endpoint, as plain data."""

    role: str
    state: SessionState
    box: Outbox
    waiting: list[int]
    flying: list[int]
    unstored: dict[int, int]
    numbered: list[int]
    expiring: list[tuple[float, int]]
    held: bytes
    output: list[bytes]
    remote: Guid
    direct: bool
    pinged: bool
    counted: bool
    attempts: list[Attempt]


class Endpoint:
    """The common base class; use `Initiator` or `Acceptor`."""

    __slots__ = ("_counted", "_direct", "_link", "_pinged", "_receiver", "_remote", "_sender", "_stream")

    _role: ClassVar[str]
    _peer: ClassVar[Role]
    _retries: ClassVar[bool] = False

    def __init__(
        self, manager: QueueManager, address: str, *, remote: str, direct: bool, pinged: bool
    ) -> None:
        """Create an endpoint without a transport connection."""
        need("manager", manager, QueueManager, "a QueueManager")
        need("address", address, str, "an address")
        if len(address) > _LONGEST_ADDRESS:
            raise MsmqWireError(f"address has {len(address)} characters, not at most {_LONGEST_ADDRESS}")
        need("pinged", pinged, bool, "True or False")
        self._link = Link(manager, SessionState(address=address, direct=direct, remote=remote))
        self._sender = Sender(self._link, Outbox())
        self._receiver = Receiver(self._link, self._sender)
        self._stream = PacketStream(manager.settings.packet_size, strict=True)
        self._remote, self._direct, self._pinged = remote, direct, pinged
        self._counted = False

    # ------------------------------------------------------------------------------------------ reading

    @property
    def phase(self) -> str:
        """SessionState of [MS-MQQB] 3.1.1.3.1, such as ``OPEN``."""
        return self._link.state.phase

    @property
    def is_open(self) -> bool:
        """Whether the session is open for messages."""
        return self._link.state.phase == "OPEN"

    @property
    def remote(self) -> GUID | None:
        """The other queue manager; None while it is unknown."""
        text = self._link.state.remote
        return GUID(bytes.fromhex(text)) if text else None

    @property
    def waiting(self) -> int:
        """Number of undelivered messages, without those that await a FinalAck."""
        return len(self._sender.box.table)

    @property
    def unacknowledged(self) -> int:
        """UnAckedMessageCount: the number of sent packets without a session acknowledgment."""
        return len(self._sender.flying)

    @property
    def connection_history(self) -> tuple[Attempt, ...]:
        """The latest connection attempts with their status, oldest first ([MS-MQDMPR] 3.1.1.3)."""
        return tuple(self._link.attempts)

    @property
    def queue_state(self) -> QueueState:
        """State of the outgoing queue ([MS-MQDMPR] 3.1.1.3)."""
        link = self._link
        state = link.state
        if state.paused:
            return "OnHold"
        if state.phase == "OPEN":
            return "Connected"
        if state.phase not in _IDLE or state.asked or "retry" in state.timers:
            return "Waiting"
        if link.output:
            return "Disconnecting"
        return "Disconnected" if state.begun else "Inactive"

    @property
    def transfer(self) -> OutgoingTransfer:
        """Progress of the transactional messages to the other queue manager ([MS-MQDMPR] 3.1.1.4)."""
        link, sender = self._link, self._sender
        return outgoing_transfer(
            sender.box, sender.numbered, link.manager.settings.resend, link.state.timers.get("tx_wait", 0.0)
        )

    @property
    def next_timeout(self) -> float | None:
        """The time at which to call `timeout`, in seconds since 1970; None for never."""
        return min(self._link.state.timers.values(), default=None)

    # ------------------------------------------------------------------------------------------ calling

    def connected(self, now: float) -> list[Event]:
        """Report that a transport connection was opened.

        Args:
            now: The time, in seconds since 1970.

        Raises:
            WrongTypeError: `now` is not a number.
            MsmqWireError: There is already a transport connection, or `now` is not within 32 bits, as in
                every other call.
        """
        link = self._link
        state = link.state
        if state.phase not in _IDLE:
            raise MsmqWireError(f"the session is {state.phase}: there is already a transport connection")
        link.at(now)
        settings = link.manager.settings
        self._stream = PacketStream(settings.packet_size, strict=True)
        link.output.clear()
        link.state = SessionState(
            now=now,
            remote=self._remote,
            address=state.address,
            direct=self._direct,
            ack_timeout=round(settings.ack_timeout * 1000),
            last_order=now,
            begun=True,
            paused=state.paused,
        )
        self._sender.begin()
        link.start("initialization", settings.initialization)
        self._begin()
        return self._take_events()

    def receive(self, data: bytes | bytearray | memoryview, now: float) -> list[Event]:
        """Process bytes from the transport; bytes before `connected` and after the end are ignored.

        Args:
            data: Any number of bytes.
            now: The time.

        Returns:
            The events.  If `Received.store` is set, store the message before sending `data_to_send`.

        Raises:
            WrongTypeError: `data` is not a buffer, or `now` is not a number.
        """
        data = as_bytes(data)
        link = self._link
        link.at(now)
        if link.state.phase in _IDLE:
            return self._take_events()
        stream = self._stream
        handlers = self._HANDLERS
        state = link.state
        try:
            for frame in cast("Iterator[Frame]", stream.frames(data)):  # a strict stream skips nothing
                link.packet, kind = frame.packet, type(frame.packet).__name__
                if not awaits(PHASE_OF[state.phase], kind, self._peer):
                    raise link.ended_by(unexpected(kind, PHASE_OF[state.phase]))
                state.heard = True
                handlers[kind](self, frame.packet)
                if state.phase == "OPEN" and state.unacknowledged >= self._receiver.enough:
                    self._sender.session_ack()
                self._sender.pump()
            self._require_packets()
        except Ended as end:
            self._close(end.reason)
        return self._take_events()

    def send(self, message: Sendable, now: float | None = None) -> int:
        """Send a message, immediately or when a session is open.

        Args:
            message: A message, or a packet, for example a packet to forward or a signed one.  A packet of
                this queue manager with the MessageID 0 gets a new one.
            now: The time; None for the time of the last call, if there was one.

        Returns:
            The token that identifies the message in later events.

        Raises:
            EncodeError: The message cannot be encoded.
            WrongTypeError: `message` is neither a message nor a packet, or `now` is not a number.
            MsmqWireError: Its MessageID is in use, no call has stated the time, or this is an acceptor whose
                session ended before the other side was known.
        """
        need("message", message, Sendable, "a Message or a packet that carries one")
        link = self._link
        if now is not None:
            link.at(now)
        elif link.state.now == NEVER:
            raise MsmqWireError("now: the first call has to state the time, which the message carries")
        self._require_way()
        token = self._sender.put(message)
        self._sender.pump()
        self._want()
        return token

    def data_to_send(self) -> bytes:
        """Return the bytes to send over the transport, and clear the output."""
        output = self._link.output
        data = b"".join(output)
        output.clear()
        return data

    def timeout(self, now: float) -> list[Event]:
        """Process expired timers.  Calling it early does nothing."""
        link = self._link
        link.at(now)
        try:
            for name, at in sorted(link.state.timers.items(), key=lambda item: item[1]):
                if at <= now and name in link.state.timers:
                    link.stop(name)
                    self._TIMERS[name](self)
            self._sender.pump()
        except Ended as end:
            self._close(end.reason)
        return self._take_events()

    def disconnected(
        self, now: float, status: Status = "SocketConnectFailure", error: int = GENERIC_ERROR
    ) -> list[Event]:
        """Report that the transport connection was closed or could not be opened ([MS-MQQB] 3.1.7.3).

        Args:
            now: The time.
            status: The reason why it could not be opened, for `connection_history`, such as ``PingFailure``.
            error: Its HRESULT.

        Raises:
            MsmqWireError: There is no such status.
        """
        need_one_of("status", status, sorted(STATUSES))
        need("error", error, int, "a whole number")
        self._link.at(now)
        if self._link.state.phase in _IDLE:
            self._link.attempted(status, error)
            self._link.state.asked = False
            self._want(again=True)
        else:
            self._close("disconnected")
        return self._take_events()

    def close(self, now: float) -> list[Event]:
        """Close the session, because the queue manager stops ([MS-MQQB] 3.1.4.2)."""
        self._link.at(now)
        self._close("stopped")
        return self._take_events()

    def consumed(
        self,
        message: mqmq.UserMessage,
        now: float,
        message_class: int = MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE,
    ) -> list[Event]:
        """Report that a message was taken from its queue ([MS-MQQB] 3.1.7.2).

        Args:
            message: The message of a `Received` event.
            now: The time.
            message_class: ACK_RECEIVE, or a negative class if the message was deleted, purged, rejected or
                not received in time.

        Raises:
            WrongTypeError: An argument has the wrong type.
            MsmqWireError: The class is neither ACK_RECEIVE nor negative, or the time has no form on the wire.
        """
        need("message", message, mqmq.UserMessage, "a UserMessage")
        positive = message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE
        if not positive:
            need_negative("message_class", message_class, "ACK_RECEIVE or a negative class")
        self._link.at(now)
        wanted, header = message.MessagePropertiesHeader.Flags, message.UserHeader
        if wanted.PR if positive else wanted.NR:
            self._receiver.administer(message, message_class)
        transaction = message.TransactionHeader
        if transaction is not None and (header.Flags.JP or header.Flags.JN or transaction.Flags.FA):
            self._receiver.finally_acknowledge(message, transaction, message_class)
        self._sender.pump()
        self._want()
        return self._take_events()

    def pause(self, now: float) -> None:
        """Pause the outgoing queue ([MS-MQQB] 3.1.7.13)."""
        link = self._link
        link.at(now)
        link.state.paused = True
        if link.state.phase == "OPEN":
            self._sender.session_ack(window=1)
            link.state.active = False

    def resume(self, now: float) -> None:
        """Resume the outgoing queue ([MS-MQQB] 3.1.7.14)."""
        link = self._link
        link.at(now)
        link.state.paused = False
        link.state.active = True
        self._sender.pump()
        self._want()

    # ------------------------------------------------------------------------------------------ snapshot

    def snapshot(self) -> dict[str, Any]:
        """Return the complete state of the endpoint as JSON types."""
        link, sender = self._link, self._sender
        snapshot: dict[str, Any] = msgspec.to_builtins(
            _Snapshot(
                role=self._role,
                state=link.state,
                box=sender.box,
                waiting=list(sender.waiting),
                flying=list(sender.flying),
                unstored=sender.unstored,
                numbered=list(sender.numbered),
                expiring=[(float(at), token) for at, token in sender.expiring],
                held=self._stream.pending,
                output=link.output,
                remote=self._remote,
                direct=self._direct,
                pinged=self._pinged,
                counted=self._counted,
                attempts=list(link.attempts),
            ),
            str_keys=True,
        )
        return snapshot

    @classmethod
    def restore(cls, snapshot: dict[str, Any], manager: QueueManager) -> Self:
        """Create an endpoint from a `snapshot`.

        After a crash the transport connection is lost; report this with `disconnected`.

        Raises:
            MsmqWireError: The argument is not a snapshot of such an endpoint.
        """
        try:
            kept = msgspec.convert(snapshot, _Snapshot, strict=True, str_keys=True)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise MsmqWireError(f"not a snapshot of an {cls.__name__}: {error}") from None
        if kept.role != cls._role:
            raise MsmqWireError(f"not a snapshot of an {cls.__name__}, but of the other end")
        self = cls.__new__(cls)
        Endpoint.__init__(
            self, manager, kept.state.address, remote=kept.remote, direct=kept.direct, pinged=kept.pinged
        )
        link, sender = self._link, self._sender
        link.state, link.output = kept.state, kept.output
        link.state.sendable_orders &= bool(link.state.orders)
        link.attempts.extend(kept.attempts)
        sender.box = kept.box
        sender.waiting, sender.flying = deque(kept.waiting), deque(kept.flying)
        sender.unstored, sender.numbered = kept.unstored, deque(kept.numbered)
        sender.expiring = kept.expiring
        self._stream.frames(kept.held)
        self._counted = kept.counted
        return self

    # ------------------------------------------------------------------------------------------ inside

    def _require_packets(self) -> None:
        """Raise unless the pending bytes can begin a packet that the session allows now."""
        stream, link = self._stream, self._link
        if stream.idle:
            return
        if link.state.phase != "OPEN":
            pending = stream.pending
            if len(pending) >= BASE_SIZE and starts_packet(pending, 0) and not pending[FLAGS_AT] & INTERNAL:
                raise link.ended_by(unexpected("UserMessage", PHASE_OF[link.state.phase]))
        error = stream.error
        if error is not None:
            raise link.ended_by(unreadable(requirement_of_unreadable(error.path), error, stream.position))

    def _take_events(self) -> list[Event]:
        events = self._link.events
        self._link.events = []
        return events

    def _begin(self) -> None:
        """Start a session on a new transport connection."""
        raise NotImplementedError

    def _want(self, *, again: bool = False) -> None:
        """Request a connection if messages are waiting."""

    def _require_way(self) -> None:
        """Raise an error if no session will ever take a message."""

    def _establish(self, packet: mqqb.EstablishConnection) -> None:
        raise NotImplementedError

    def _parameters(self, packet: mqqb.ConnectionParameters) -> None:
        raise NotImplementedError

    def _send_parameters(self) -> None:
        link = self._link
        packet = mqqb.ConnectionParameters(
            ConnectionParametersHeader=mqqb.ConnectionParametersHeader(
                RecoverableAckTimeout=link.state.recoverable_ack_timeout,
                AckTimeout=link.state.ack_timeout,
                WindowSize=link.manager.settings.window,
            )
        )
        link.output.append(packet.encode())

    def _open(self) -> None:
        """Initialize the session ([MS-MQQB] 3.1.5.4)."""
        link = self._link
        state = link.state
        link.stop("initialization")
        state.phase, state.established = "OPEN", True
        link.attempted("Established")
        link.start("cleanup", link.manager.settings.cleanup)
        link.events.append(
            Established(
                GUID(bytes.fromhex(state.remote)),
                state.peer_window,
                state.ack_timeout / 1000,
                state.recoverable_ack_timeout / 1000,
                state.quick,
                state.server_system,
            )
        )

    def _close(self, reason: str) -> None:
        """Close the session ([MS-MQQB] 3.1.5.9)."""
        link = self._link
        state = link.state
        if state.phase in _IDLE:
            state.timers.clear()
            return
        if not state.established:
            link.attempted("ConnectionRefused" if reason == "refused" else "UnknownFailure", GENERIC_ERROR)
        link.state.phase = "CLOSED"
        state.timers.clear()
        state.orders.clear()
        state.sendable_orders = False
        self._stream = PacketStream(link.manager.settings.packet_size, strict=True)
        waiting = self.waiting
        retry = self._retries and reason != "stopped" and waiting > 0
        if retry:
            link.state.phase = "WAITING_RECONNECT"
            link.start("retry", link.manager.settings.reconnect)
        self._leave()
        link.events.append(Closed(reason, waiting, retry))

    def _leave(self) -> None:
        """Do additional work of this end when a session is closed."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------ timers

    def _initialization_over(self) -> None:
        raise Ended("no answer")

    def _cleanup_over(self) -> None:
        link = self._link
        if not link.state.active:
            raise Ended("idle")
        link.state.active = False
        link.start("cleanup", link.manager.settings.cleanup)

    def _ack_wait_over(self) -> None:
        link, sender = self._link, self._sender
        if sender.flying or sender.unstored:
            if not link.state.heard:
                raise Ended("no acknowledgment")
            link.start("ack_wait", sender.ack_wait)
        link.state.heard = False

    def _ack_send_over(self) -> None:
        if self._link.state.unacknowledged:
            self._sender.session_ack()

    def _retry_over(self) -> None:
        """Session Retry Connect Timer Event ([MS-MQQB] 3.1.6.1)."""
        state = self._link.state
        if self._sender.box.table:
            state.asked = True
            self._link.events.append(Connect(state.begun, self._link.manager.settings.asks_by_ping))

    _HANDLERS: ClassVar[dict[str, Callable[[Any, Any], None]]] = {
        "EstablishConnection": lambda self, packet: self._establish(packet),
        "ConnectionParameters": lambda self, packet: self._parameters(packet),
        "SessionAck": lambda self, packet: self._receiver.session_ack(packet),
        "OrderAck": lambda self, packet: self._receiver.order_ack(packet),
        "FinalAck": lambda self, packet: self._receiver.final_ack(packet),
        "UserMessage": lambda self, packet: self._receiver.message(packet),
    }
    _TIMERS: ClassVar[dict[str, Callable[[Any], None]]] = {
        "initialization": _initialization_over,
        "cleanup": _cleanup_over,
        "ack_wait": _ack_wait_over,
        "ack_send": _ack_send_over,
        "tx_wait": lambda self: self._sender.resend(),
        "order_ack": lambda self: self._receiver.send_order_acks(),
        "expiry": lambda self: self._sender.expire(),
        "retry": _retry_over,
    }


class Initiator(Endpoint):
    r"""The end that requests the session.

    >>> session = Initiator(manager, address="10.0.0.1")
    >>> token = session.send(Message(r"DIRECT=TCP:10.0.0.1\private$\orders", b"..."), now)
    >>> session.connected(now)
    >>> transport.write(session.data_to_send())
    """

    __slots__ = ()
    _role = "initiator"
    _peer = "acceptor"
    _retries = True

    def __init__(
        self,
        manager: QueueManager,
        *,
        remote: GUID | str | None = None,
        address: str = "",
        pinged: bool = False,
    ) -> None:
        """Create an endpoint without a transport connection.

        Args:
            manager: The queue manager that sends.
            remote: The receiving queue manager; None if only its address is known, as for direct
                names.
            address: Its address, as in direct names.
            pinged: Whether a Ping was sent and answered; sent as `OperatingSystem.SE`.

        Raises:
            EncodeError: `remote` is not a GUID.
        """
        remote_hex = "" if remote is None else GUID.of(remote).bytes_le.hex()
        super().__init__(manager, address, remote=remote_hex, direct=remote is None, pinged=pinged)

    def _begin(self) -> None:
        """Sending an EstablishConnection Request Packet ([MS-MQQB] 3.1.5.2.3)."""
        link = self._link
        state, manager = link.state, link.manager
        state.phase = "WAITING_ECR_MSG"
        link.attempted("InProcess")
        state.time_stamp = _milliseconds(state.now - manager.booted)
        state.quick, state.server_system = not self._pinged, manager.settings.server_system
        link.output.append(self._request().encode())

    def _request(self) -> mqqb.EstablishConnection:
        """Return the request of the session."""
        state = self._link.state
        return mqqb.EstablishConnection(
            EstablishConnectionHeader=mqqb.EstablishConnectionHeader(
                ClientGuid=self._link.manager.identifier,
                ServerGuid=bytes.fromhex(self._remote) if self._remote else NULL_GUID,
                TimeStamp=state.time_stamp,
                OperatingSystem=mqqb.EstablishConnectionHeaderOperatingSystem(
                    RE=0x10, SE=int(state.quick), OS=int(state.server_system)
                ),
            )
        )

    def _establish(self, packet: mqqb.EstablishConnection) -> None:
        """Receive the response ([MS-MQQB] 3.1.5.3.2)."""
        link = self._link
        state, header = link.state, packet.EstablishConnectionHeader
        if packet.InternalHeader.Flags.CS:
            link.events.append(Refused(header.ServerGuid, by_us=False, reason=""))
            raise Ended("refused")
        remote = header.ServerGuid.bytes_le.hex()
        answers = remote == self._remote if self._remote else header.ServerGuid != NULL_GUID  # null: an echo
        if header.ClientGuid != link.manager.identifier or not answers:
            raise link.ended_by(another_answer(packet, self._request()))
        state.remote = remote
        trip = (_milliseconds(state.now - link.manager.booted) - header.TimeStamp) & 0xFFFFFFFF
        set_back = trip >= 0x8000_0000  # the clock
        wanted = _LEAST_RECOVERABLE if set_back else _ROUND_TRIPS * trip
        state.recoverable_ack_timeout = min(max(wanted, _LEAST_RECOVERABLE), _MOST_RECOVERABLE)
        self._send_parameters()
        state.phase = "WAITING_CPR_MSG"
        link.attempted("EstablishPacketReceived")

    def _parameters(self, packet: mqqb.ConnectionParameters) -> None:
        """Receive the response ([MS-MQQB] 3.1.5.4.2)."""
        link = self._link
        if packet.InternalHeader.Flags.CS:
            link.events.append(Refused(GUID(bytes.fromhex(link.state.remote)), by_us=False, reason=""))
            raise Ended("refused")
        link.state.peer_window = packet.ConnectionParametersHeader.WindowSize
        self._open()

    def _leave(self) -> None:
        for entry in self._sender.box.table.values():
            entry.flying = False
        self._sender.flying.clear()
        self._sender.unstored.clear()

    def _want(self, *, again: bool = False) -> None:
        state = self._link.state
        if state.phase not in _IDLE or state.asked or state.paused or not self._sender.box.table:
            return
        if state.phase == "WAITING_RECONNECT" or again:
            self._link.start_if_stopped("retry", self._link.manager.settings.reconnect)
        else:
            self._link.start_if_stopped("retry", 0)


class Acceptor(Endpoint):
    """The end that accepts the session, for one transport connection."""

    __slots__ = ()
    _role = "acceptor"
    _peer = "initiator"

    def __init__(self, manager: QueueManager, *, address: str = "") -> None:
        """Create an endpoint; call `connected` immediately, because the transport is connected.

        Args:
            manager: The receiving queue manager.
            address: Address of the other side, the destination of OrderAcks for direct names.
        """
        super().__init__(manager, address, remote="", direct=False, pinged=False)

    def _begin(self) -> None:
        """Handling an Incoming Transport Connection ([MS-MQQB] 3.1.5.10)."""
        self._link.state.phase = "WAITING_EC_MSG"

    def _establish(self, packet: mqqb.EstablishConnection) -> None:
        """Receive the request ([MS-MQQB] 3.1.5.3.1)."""
        link = self._link
        state, manager, header = link.state, link.manager, packet.EstablishConnectionHeader
        asked = header.OperatingSystem
        state.remote = header.ClientGuid.bytes_le.hex()
        state.quick, state.server_system = bool(asked.SE), bool(asked.OS)
        reason = ""
        if header.ServerGuid not in (manager.identifier, NULL_GUID):
            reason = "another queue manager was asked for"
        elif not manager.has_room:
            reason = "there are too many sessions"
        elif asked.SE and not manager.has_license(header.ClientGuid):  # otherwise the Ping was refused
            reason = "there is no access license for one more initiator"
        answer = mqqb.EstablishConnection(
            InternalHeader=mqqb.InternalHeader(Flags=mqqb.InternalHeaderFlags(PT=2, CS=int(bool(reason)))),
            EstablishConnectionHeader=mqqb.EstablishConnectionHeader(
                ClientGuid=header.ClientGuid,
                ServerGuid=manager.identifier,
                TimeStamp=header.TimeStamp,
                OperatingSystem=mqqb.EstablishConnectionHeaderOperatingSystem(
                    RE=0x10, SE=asked.SE, OS=asked.OS
                ),
            ),
        )
        link.output.append(answer.encode())
        if reason:
            link.events.append(Refused(header.ClientGuid, by_us=True, reason=reason))
            raise Ended("refused")
        manager.count_session(1, state.remote)
        self._counted = True
        state.phase = "WAITING_CP_MSG"
        link.start("initialization", manager.settings.initialization)

    def _parameters(self, packet: mqqb.ConnectionParameters) -> None:
        """Receive the request ([MS-MQQB] 3.1.5.4.1)."""
        link = self._link
        state, header = link.state, packet.ConnectionParametersHeader
        state.peer_window = header.WindowSize
        state.ack_timeout = header.AckTimeout
        state.recoverable_ack_timeout = header.RecoverableAckTimeout
        self._send_parameters()
        before = self._sender.box
        self._sender.adopt(link.manager.take_outbox(state.remote))
        if before.table:  # messages that were sent before the other side was known
            table = self._sender.box.table
            for token in before.table.keys() & table.keys():  # MessageIDs that the caller has set twice
                self._give_back(token, before.table.pop(token))
            table.update(before.table)
            self._sender.adopt(self._sender.box)
        self._open()

    def _leave(self) -> None:
        if self._counted:
            self._link.manager.count_session(-1, self._link.state.remote)
            self._counted = False
        self._want()

    def _want(self, *, again: bool = False) -> None:  # noqa: ARG002  # only the other side can connect
        """Leave waiting messages to the next session of the same peer."""
        state, manager = self._link.state, self._link.manager
        if state.phase != "CLOSED" or not state.begun:
            return
        box = self._sender.box
        if state.remote:
            manager.keep_outbox(state.remote, box)
        else:
            for token, entry in box.table.items():
                self._give_back(token, entry)
        self._sender.adopt(Outbox())

    def _give_back(self, token: int, entry: Entry) -> None:
        content: Any = mw.decode(entry.data)
        self._link.events.append(Returned(token, content))

    def _require_way(self) -> None:
        state = self._link.state
        if state.begun and state.phase == "CLOSED" and not state.remote:
            raise MsmqWireError("the session ended before the other side was known: send it in another one")


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000) & 0xFFFFFFFF
