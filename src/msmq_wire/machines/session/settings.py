"""What may be configured of an endpoint: durations, sizes, policies of [MS-MQQB] 3.1.

1. Durations are seconds; what goes over the wire in milliseconds is converted where it is written.
2. A default is the value that the page gives, or the one that its product notes give for Windows.
3. What a version of Windows has otherwise, `interop` knows.
"""

from __future__ import annotations

import msgspec

from msmq_wire.checks.profiles import PROFILES, ProfileName

__all__ = ["Settings"]

_MOST_SESSIONS = 0xFFFFFFFF
_LAST_LICENSED = 3
"""The last version of Message Queuing that counts licenses."""


class Settings(msgspec.Struct, frozen=True):
    """Numbers and policies of a queue manager.

    Attributes:
        window: `WindowSize`: messages that may be unacknowledged, 1 to 65,535.
        ack_timeout: `AckWaitTimeout`, 20 to 120 seconds; half of it passes before messages are acknowledged.
        ack_wait_factor: How many of these a sender waits for an acknowledgment in a session for a direct
            name; in any other it waits for one (product note 46).
        initialization: Session Initialization Timer (product note 43).
        cleanup: Session Cleanup Timer: a session that was idle so long is closed (product note 44).
        reconnect: Session Retry Connect Timer (product note 45).
        order_ack: `OrderAckTimeout`.
        order_ack_delay: `MaximumOrderAckDelay`.
        resend: `ResendTimerTable`: seconds without OrderAck after which transactional messages go again.
        history: MessageIDHistory Cleanup Timer: how long a message is recognised when it comes again.
        history_size: Messages that are recognised at most; the oldest are forgotten.
        server_system: Whether this runs on a server system, for `OperatingSystem.OS` and Ping `RC`.
        asks_by_ping: Whether a Ping is sent before a session is asked for; told to the acceptor by
            `OperatingSystem.SE`.
        answers_ping: Whether Pings are answered.
        max_sessions: Sessions that are accepted at once.
        licenses: Client Access Licenses: how many initiators may have sessions at once; None for as many as
            come.  The versions of Windows until Server 2003 count them (product notes 12, 57 and 70).
        max_acknowledgments: Acknowledgments that may wait for a peer that takes none; past it the session
            is closed.
        max_acknowledgment_bytes: Their size; a negative one has the body of its message.
        insecure_nacks: `SendInsecureNacks`.
        acknowledges_system_queues: Whether administration acknowledgments are sent for messages to
            administration, notification and order queues (product note 62).
        journals_system_queues: Whether source journaling is done for them (product note 2).
        packet_size: The largest packet that is taken, in bytes.
        profile: The version of Windows to act like; None for none.  What it lacks is neither sent nor taken.
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
    history_size: int = 65_536
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
    packet_size: int = 0x0040_0000
    profile: ProfileName | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.window <= 0xFFFF:
            raise ValueError(f"window is {self.window}, not 1 to 65535")
        if not 20 <= self.ack_timeout <= 120:
            raise ValueError(f"ack_timeout is {self.ack_timeout}, not 20 to 120 seconds")
        if not self.resend or min(self.resend) <= 0:
            raise ValueError("resend has to have positive durations")
        if self.profile is not None and self.profile not in PROFILES:
            raise ValueError(f"profile is {self.profile!r}, not one of {', '.join(map(repr, PROFILES))}")
        if self.licenses is not None and self.licenses < 0:
            raise ValueError(f"licenses is {self.licenses}, below 0")
        counts = self.profile is None or PROFILES[self.profile].msmq_version <= _LAST_LICENSED
        if self.licenses is not None and not counts:
            raise ValueError(f"licenses is {self.licenses}, but {self.profile} counts none")
