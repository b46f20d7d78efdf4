"""Describes locations and sessions in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping

__all__ = ["counted", "findings_of", "place_of", "session_lines", "sides_of", "state_of", "time_of"]

_OUTCOMES: Final = {
    "opening": "still in its handshake when the capture ended",
    "refused": "refused by the acceptor",
    "open": "still open when the capture ended",
    "closed": "closed, all messages acknowledged",
    "broken": "broken off with messages not acknowledged",
}
_HANDSHAKES: Final = {
    "complete": "the handshake is complete",
    "refused": "the handshake was refused",
    "incomplete": "the handshake is not complete",
    "unseen": "the handshake was not captured",
}
_KINDS: Final = {
    "express": "express message",
    "recoverable": "recoverable message",
    "transactional": "transactional message",
    "order_acks": "OrderAck",
    "final_acks": "FinalAck",
    "session_acks": "SessionAck",
}


def counted(count: int, what: str) -> str:
    """Return a number with its noun."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def time_of(time: dt.datetime | None) -> str:
    """Return a time in UTC."""
    return "at an unknown time" if time is None else f"{time:%Y-%m-%d %H:%M:%S.%f}"


def place_of(row: Mapping[str, Any]) -> str:
    """Return the location of a row: file, frames, and endpoints."""
    if row["transport"] == "raw":
        return f"{row['file']}, byte {row['offset']:,}"
    frames = f"frame {row['first_frame']}"
    if row["last_frame"] != row["first_frame"]:
        frames = f"frames {row['first_frame']} to {row['last_frame']}"
    ends = f"{row['src']}:{row['src_port']} to {row['dst']}:{row['dst_port']}"
    return f"{row['file']}, {frames}, {time_of(row['time'])}, {ends}"


def session_lines(row: Mapping[str, Any], meanings: Mapping[str, str]) -> Iterator[str]:
    """Describe a session.

    Args:
        row: A row of the table `sessions`.
        meanings: A sentence for each requirement that may be violated.
    """
    opened = f"{row['opener']} opened a connection to {row['acceptor']}"
    yield f"{time_of(row['first_at'])}  {opened}: {state_of(row)}"
    for side in sides_of(row):
        yield f"  {side}"
    if row["reconnect_of"] is not None:
        yield f"  the same queue managers as in session {row['reconnect_of']} of this connection"
    for finding in findings_of(row, meanings):
        yield f"  refused: {finding}"


def state_of(row: Mapping[str, Any]) -> str:
    """Describe the handshake and the end of a session."""
    if row["first_packet"] is None:
        return "no packet was captured"
    sides = row["forward"], row["backward"]
    outcome = _OUTCOMES[row["outcome"]]
    if row["outcome"] == "closed" and any(
        side["messages"] and side["unacknowledged"] is None for side in sides
    ):
        outcome = "closed, acknowledgments of the messages were not captured"
    return f"{_HANDSHAKES[row['handshake']]}, {outcome}"


def sides_of(row: Mapping[str, Any]) -> Iterator[str]:
    """Describe what each side of a session sent."""
    for end, side, other in (
        (row["opener"], row["forward"], row["acceptor"]),
        (row["acceptor"], row["backward"], row["opener"]),
    ):
        yield f"{end}{_manager(side)} sent {_sent(side)} to {other}{_unanswered(side)}"


def findings_of(row: Mapping[str, Any], meanings: Mapping[str, str]) -> Iterator[str]:
    """Describe the violations of a session."""
    for requirement, count in row["findings"] or ():
        times = "" if count == 1 else f", {count:,} times"
        yield f"{meanings.get(requirement, 'a requirement was violated')} ({requirement}{times})"


def _manager(side: Mapping[str, Any]) -> str:
    return f" (queue manager {side['manager']})" if side["manager"] else ""


def _sent(side: Mapping[str, Any]) -> str:
    tally = side["tally"]
    kinds = [counted(tally[name], words) for name, words in _KINDS.items() if tally[name]]
    gaps = [counted(tally["gaps"], "missing or unreadable part")] if tally["gaps"] else []
    return f"{counted(tally['packets'], 'packet')}" + (
        f" ({', '.join(kinds + gaps)})" if kinds or gaps else ""
    )


def _unanswered(side: Mapping[str, Any]) -> str:
    return f"; {side['unacknowledged']:,} not acknowledged" if side["unacknowledged"] else ""
