"""Describes locations, findings and sessions in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msmq_wire.captures.findings.patterns import PATTERNS
from msmq_wire.views.texts import counted, endpoint, position_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow as pa

_UNITS: Final = {pattern.id: pattern.unit for pattern in PATTERNS}
_QUEUES: Final = 3
"""Number of destinations of one message that are shown."""
_OUTCOMES: Final = {
    "opening": "still in its handshake when the capture ended",
    "open": "still open when the capture ended",
    "closed": "closed",
    "broken": "the connection ended within the handshake",
}
_HANDSHAKES: Final = {
    "complete": "handshake complete",
    "refused": "handshake refused by the acceptor",
    "none": "no handshake, although the connection was captured from its beginning",
    "unseen": "no handshake captured",
    "incomplete": "handshake not completed",
}
_KINDS: Final = {
    "express": "express message",
    "recoverable": "recoverable message",
    "transactional": "transactional message",
    "order_acks": "OrderAck",
    "final_acks": "FinalAck",
    "session_acks": "SessionAck",
}


def time_of(time: dt.datetime | None) -> str:
    """Return a time in UTC."""
    return "at an unknown time" if time is None else f"{time:%Y-%m-%d %H:%M:%S.%f}"


def evidence_of(row: Mapping[str, Any]) -> str:
    """Return the sentence of a finding, with its count."""
    unit = _UNITS[row["id"]]
    if unit is not None:
        return f"{row['evidence']}; {counted(row['count'], unit)}"
    times = "" if row["count"] == 1 else f", {row['count']:,} times"
    return f"{row['evidence']}{times}"


def place_of(row: Mapping[str, Any]) -> str:
    """Return the location of a row: file, frames, and endpoints."""
    if row["transport"] == "raw":
        return position_of(row)
    frames = f"frame {row['first_frame']}"
    if row["last_file"] != row["file"]:
        frames = f"{frames} to frame {row['last_frame']} of {row['last_file']}"
    elif row["last_frame"] != row["first_frame"]:
        frames = f"frames {row['first_frame']} to {row['last_frame']}"
    ends = f"{endpoint(row['src'], row['src_port'])} to {endpoint(row['dst'], row['dst_port'])}"
    return f"{row['file']}, {frames}, {time_of(row['time'])}, {ends}"


class Meanings:
    """The first violation of each requirement in each connection, in words.

    Args:
        most: The number of violations to remember.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._known: dict[tuple[str, str, str], tuple[str, int | None]] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Remember rows of the table `violations`."""
        names = ("sensor", "connection", "requirement", "message", "first_frame")
        columns = (batch.column(name).to_pylist() for name in names)
        for sensor, connection, requirement, message, frame in zip(*columns, strict=True):
            if self._most is None or len(self._known) < self._most:
                self._known.setdefault((sensor, connection, requirement), (message, frame))

    def of(self, row: Mapping[str, Any], requirement: str) -> tuple[str, int | None]:
        """Return the sentence about a violation in a session, and the number of its frame."""
        none = "a requirement was violated", None
        return self._known.get((row["sensor"], row["connection"], requirement), none)


def session_lines(row: Mapping[str, Any], meanings: Meanings) -> Iterator[str]:
    """Describe a session.

    Args:
        row: A row of the table `sessions`.
        meanings: The violations of its connection.
    """
    opened = f"{row['opener']} opened a connection to {row['acceptor']}"
    yield f"{time_of(row['first_at'])}  {opened}: {state_of(row)}"
    for side in sides_of(row):
        yield f"  {side}"
    if row["reconnect_of"] is not None:
        yield f"  the same queue managers as in session {row['reconnect_of']} of this connection"
    for violation in violations_of(row, meanings):
        yield f"  violation: {violation}"


def state_of(row: Mapping[str, Any]) -> str:
    """Describe the handshake and the end of a session."""
    unreadable = unreadable_in(row)
    if row["first_packet"] is None and not unreadable:
        return "no packet was captured"
    parts = [_HANDSHAKES[row["handshake"]]]
    if row["outcome"] in _OUTCOMES:
        ended = _ended(row)
        parts = [ended] if ended in {_OUTCOMES["opening"], _OUTCOMES["broken"]} else [*parts, ended]
    if unreadable:
        parts.append(f"{counted(unreadable, 'packet')} could not be read")
    return "; ".join(parts)


def _ended(row: Mapping[str, Any]) -> str:
    """Describe the end of a session, and which messages were acknowledged."""
    outcome = row["outcome"]
    ends = {row["opener"]: row["forward"], row["acceptor"]: row["backward"]}
    senders = {end: side for end, side in ends.items() if side["messages"]}
    waiting = sum(filter(None, (side["unacknowledged"] for side in senders.values())))
    if outcome == "broken" and waiting:
        return f"the connection ended with {counted(waiting, 'message')} not acknowledged"
    unknown = [end for end, side in senders.items() if side["unacknowledged"] is None]
    if outcome == "closed" and unknown:
        unseen = [end for end in unknown if not senders[end]["acknowledged"]]
        if unseen:
            return f"closed; no acknowledgment of the messages of {' and '.join(unseen)} was captured"
        return f"closed; not known whether all messages of {' and '.join(unknown)} were acknowledged"
    if outcome == "closed" and senders:
        return "closed, all messages acknowledged"
    return _OUTCOMES[outcome]


def unreadable_in(row: Mapping[str, Any]) -> int:
    """Return the number of packets of a session that could not be read whole."""
    return sum(row[side]["tally"]["unreadable"] or 0 for side in ("forward", "backward"))


def sides_of(row: Mapping[str, Any]) -> Iterator[str]:
    """Describe what each side of a session sent."""
    for end, side, other in (
        (row["opener"], row["forward"], row["acceptor"]),
        (row["acceptor"], row["backward"], row["opener"]),
    ):
        yield f"{end}{_manager(side)} sent {_sent(side)} to {other}{_unanswered(side)}"


def queues_of(row: Mapping[str, Any]) -> str:
    """Return the queues of a row of `deliveries`; a packet to several queues names one of them."""
    queues = row["destinations"] or ()
    return several_queues(queues) if len(queues) > 1 or not row["destination"] else row["destination"]


def several_queues(queues: Sequence[str]) -> str:
    """Return the first destinations of a message that has several."""
    more = f" and {len(queues) - _QUEUES} more" if len(queues) > _QUEUES else ""
    return ", ".join(queues[:_QUEUES]) + more


def violations_of(row: Mapping[str, Any], meanings: Meanings) -> Iterator[str]:
    """Describe the violations of a session."""
    for requirement, count in row["violations"] or ():
        message, frame = meanings.of(row, requirement)
        times = "" if count == 1 else f", {count:,} times"
        where = "" if frame is None else f", frame {frame}" if count == 1 else f", first in frame {frame}"
        yield f"{message} ({requirement}{times}{where})"


def _manager(side: Mapping[str, Any]) -> str:
    return f" (queue manager {side['manager']})" if side["manager"] else ""


def _sent(side: Mapping[str, Any]) -> str:
    tally = side["tally"]
    kinds = [counted(tally[name], words) for name, words in _KINDS.items() if tally[name]]
    unreadable = tally["unreadable"] or 0
    gaps = tally["gaps"] - unreadable
    kinds += [f"{unreadable:,} unreadable"] if unreadable else []
    kinds += [f"{counted(gaps, 'part')} missing or unreadable"] if gaps else []
    return counted(tally["packets"] + unreadable, "packet") + (f" ({', '.join(kinds)})" if kinds else "")


def _unanswered(side: Mapping[str, Any]) -> str:
    return f"; {side['unacknowledged']:,} not acknowledged" if side["unacknowledged"] else ""
