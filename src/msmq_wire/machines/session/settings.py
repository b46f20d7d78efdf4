"""The settings of an endpoint: durations, sizes and policies of [MS-MQQB] 3.1.

1. Durations are in seconds; they are converted to milliseconds where the wire format requires it.
2. A default is the value of the document, or of its product notes for Windows.
3. `interop` has the settings of versions of Windows.
"""

from __future__ import annotations

from math import inf

import msgspec

from msmq_wire.checks.profiles import PROFILES, ProfileName
from msmq_wire.packets.packet_starts import BASE_SIZE
from msmq_wire.values.errors import MsmqWireError, need, need_one_of, need_within, shortened
from msmq_wire.values.numbers import MAX_PACKET_SIZE

_MOST_SESSIONS = 0xFFFFFFFF
_LONGEST = 0xFFFFFFFF
"""Seconds; times on the wire have 32 bits."""
_LEAST = {"packet_size": BASE_SIZE}
_LAST_LICENSED = 3
"""The last version of Message Queuing that counts licenses."""


class Settings(msgspec.Struct, frozen=True):
    """Durations, sizes and policies of a queue manager.

    Attributes:
        window: `WindowSize`: maximum number of unacknowledged messages, 1 to 65,535.
        ack_timeout: `AckWaitTimeout`, 20 to 120 seconds; acknowledgments are delayed by up to half of it.
        ack_wait_factor: A sender waits for this multiple of `ack_timeout` in a session for a direct name; in
            other sessions it waits once (product note 46).
        initialization: Session Initialization Timer (product note 43).
        cleanup: Session Cleanup Timer: idle time after which a session is closed (product note 44).
        reconnect: Session Retry Connect Timer (product note 45).
        order_ack: `OrderAckTimeout`.
        order_ack_delay: `MaximumOrderAckDelay`.
        resend: `ResendTimerTable`: seconds without OrderAck after which transactional messages are sent
            again.
        history: MessageIDHistory Cleanup Timer: interval in seconds at which older messages are dropped from
            the history, so duplicates are detected for one to two intervals (product note 47).
        history_size: Maximum number of messages in this history; the oldest are dropped (product note 25).
        server_system: Whether this runs on a server system, for `OperatingSystem.OS` and Ping `RC`.
        asks_by_ping: Whether a Ping is sent before a session is requested; sent to the acceptor as
            `OperatingSystem.SE`.
        answers_ping: Whether Pings are answered.
        max_sessions: Maximum number of accepted sessions at a time.
        licenses: Client Access Licenses: maximum number of initiators with sessions at a time; None for no
            limit. Windows counted them until Server 2003 (product notes 12, 57 and 70).
        max_acknowledgments: Maximum number of queued acknowledgments for a peer that does not read them;
            beyond it the session is closed.
        max_acknowledgment_bytes: Their maximum total size; a negative acknowledgment includes the body of its
            message.
        insecure_nacks: `SendInsecureNacks`.
        acknowledges_system_queues: Whether administration acknowledgments are sent for messages to
            administration, notification and order queues (product note 62).
        journals_system_queues: Whether source journaling is done for them (product note 2).
        packet_size: The largest accepted packet, in bytes.
        profile: The version of Windows to imitate, or None.  Features that it lacks are neither sent nor
            accepted.
    """

    window: int = 64
    ack_timeout: float = 20.0
    ack_wait_factor: int = 2
    initialization: float = 60.0
    cleanup: float = 300.0
    reconnect: float = 5.0
    order_ack: float = 0.5
    order_ack_delay: float = 10.0
    resend: tuple[float, ...] = (30.0,) * 3 + (300.0,) * 3 + (1800.0,) * 3 + (21600.0,)
    history: float = 1800.0
    history_size: int = 10_000
    server_system: bool = True
    asks_by_ping: bool = False
    answers_ping: bool = False
    max_sessions: int = _MOST_SESSIONS
    licenses: int | None = None
    max_acknowledgments: int = 4096
    max_acknowledgment_bytes: int = 0x0100_0000
    insecure_nacks: bool = False
    acknowledges_system_queues: bool = False
    journals_system_queues: bool = False
    packet_size: int = MAX_PACKET_SIZE
    profile: ProfileName | None = None

    def __post_init__(self) -> None:
        for name, default in zip(self.__struct_fields__, self.__struct_defaults__, strict=True):
            value = getattr(self, name)
            if isinstance(default, bool):
                need(name, value, (bool, int), "True or False")
            elif isinstance(default, int):
                need(name, value, int, "a whole number")
                need_within(name, value, _LEAST.get(name, 0), inf, f"{_LEAST.get(name, 0)} or more")
            elif isinstance(default, float):
                need_within(name, value, 0, _LONGEST, f"0 to {_LONGEST} seconds")
        need("resend", self.resend, tuple, "a tuple of durations")
        for duration in self.resend:
            need("resend", duration, (int, float), "a number")
        need("licenses", self.licenses, (int, type(None)), "a number or None")
        if not 1 <= self.window <= 0xFFFF:
            raise MsmqWireError(f"window is {shortened(self.window)}, not 1 to 65535")
        if not 20 <= self.ack_timeout <= 120:
            raise MsmqWireError(f"ack_timeout is {self.ack_timeout}, not 20 to 120 seconds")
        if not self.resend or not all(0 < duration <= _LONGEST for duration in self.resend):
            raise MsmqWireError(
                f"resend is {shortened(self.resend)}, not one or more durations of up to {_LONGEST} seconds"
            )
        if self.profile is not None:
            need_one_of("profile", self.profile, PROFILES)
        if self.licenses is not None and self.licenses < 0:
            raise MsmqWireError(f"licenses is {self.licenses}, not 0 or more")
        counts = self.profile is None or PROFILES[self.profile].msmq_version <= _LAST_LICENSED
        if self.licenses is not None and not counts:
            raise MsmqWireError(f"licenses is {self.licenses}, but {self.profile} does not count licenses")
