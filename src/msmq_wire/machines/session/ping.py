"""Pings ([MS-MQQB] 2.2.7): requests whether a session would be accepted, and their answers."""

from __future__ import annotations

import msgspec

import msmq_wire as mw
from msmq_wire import GUID, mqqb
from msmq_wire.documents.opening import PING_SIGNATURE
from msmq_wire.values.errors import need

from .link import need_time
from .manager import QueueManager

_WITHOUT_LICENSES = frozenset({"windows-server-2003"})
"""The version that counts licenses but answers Pings without checking them ([MS-MQQB] note 70)."""
_WITHOUT_MOST = frozenset({"windows-nt-4.0"})
"""The version that answers Pings without checking the number of sessions ([MS-MQQB] note 70)."""
_WAIT = 1.0
"""Ping Response Timer, in seconds ([MS-MQQB] 3.1.2.9)."""


class PingAnswer(msgspec.Struct, frozen=True):
    """A Ping was answered ([MS-MQQB] 3.1.7.9).

    Attributes:
        remote: The queue manager that answered.
        accepts: Whether it would accept a session now.
    """

    remote: GUID
    accepts: bool


class PingUnanswered(msgspec.Struct, frozen=True):
    """A Ping was not answered within a second ([MS-MQQB] 3.1.6.8)."""


def _read(datagram: bytes | bytearray | memoryview) -> mqqb.PingPacket | None:
    try:
        packet = mqqb.PingPacket.decode(datagram)
    except mw.DecodeError:
        return None
    return packet if packet.Signature == PING_SIGNATURE else None


class PingClient:
    """Sends Pings to one host ([MS-MQQB] 3.1.7.6, 3.1.7.8)."""

    __slots__ = ("_cookie", "_manager", "_now", "_until")

    _now: float

    def __init__(self, manager: QueueManager) -> None:
        """Create a client; the queue manager counts the cookies."""
        need("manager", manager, QueueManager, "a QueueManager")
        self._manager = manager
        self._cookie = 0
        self._until: float | None = None

    @property
    def next_timeout(self) -> float | None:
        """The time at which to call `timeout`; None without a pending request."""
        return self._until

    def request(self, now: float) -> bytes:
        """Return the request datagram, to be sent to UDP port 3527."""
        need_time(now)
        self._cookie = self._manager.next_cookie()
        self._now, self._until = now, now + _WAIT
        return mqqb.PingPacket(
            Flags=mqqb.PingPacketFlags(RC=int(not self._manager.settings.server_system)),
            Cookie=self._cookie,
            QMGuid=self._manager.identifier,
        ).encode()

    def receive(self, datagram: bytes | bytearray | memoryview, now: float) -> list[PingAnswer]:
        """Process a received datagram; datagrams that do not answer the last request are ignored."""
        self._at(now)
        packet = _read(datagram)
        if packet is None or self._until is None or packet.Cookie != self._cookie:
            return []
        self._until = None
        return [PingAnswer(packet.QMGuid, accepts=not packet.Flags.RF)]

    def timeout(self, now: float) -> list[PingUnanswered]:
        """Report a missing answer if the time has expired."""
        self._at(now)
        if self._until is None or now < self._until:
            return []
        self._until = None
        return [PingUnanswered()]

    def _at(self, now: float) -> None:
        need_time(now)
        if self._until is not None and now < self._now:
            self._until -= self._now - now
        self._now = now


class PingAnswerer:
    """Answers Pings ([MS-MQQB] 3.1.7.7)."""

    __slots__ = ("_manager",)

    def __init__(self, manager: QueueManager) -> None:
        """Create an answerer for a queue manager."""
        need("manager", manager, QueueManager, "a QueueManager")
        self._manager = manager

    def receive(self, datagram: bytes | bytearray | memoryview) -> bytes | None:
        """Return the answer to a datagram; None if it is not a Ping, or if Pings are not answered."""
        packet, manager = _read(datagram), self._manager
        if packet is None or not manager.settings.answers_ping:
            return None
        profile = manager.settings.profile
        refused = (not manager.has_room and profile not in _WITHOUT_MOST) or (
            not manager.has_license(packet.QMGuid) and profile not in _WITHOUT_LICENSES
        )
        return mqqb.PingPacket(
            Flags=mqqb.PingPacketFlags(RC=packet.Flags.RC, RF=int(refused)),
            Cookie=packet.Cookie,
            QMGuid=self._manager.identifier,
        ).encode()
