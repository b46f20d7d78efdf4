"""The history of a message, in lines for people."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, Final

from msmq_wire.captures.answers.deliveries.reasons import ARRIVED
from msmq_wire.captures.answers.purposes import TIMEOUTS, outcome_of
from msmq_wire.captures.rows.packets import CLOCK_TOLERANCE
from msmq_wire.values.times import EPOCH
from msmq_wire.views.texts import counted, duration, position_of

from .words import queues_of, time_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def delivery_line(row: Mapping[str, Any]) -> str:
    """Return a row of `deliveries` in one line, without its state."""
    parts = [row["message"]]
    if queues := queues_of(row):
        parts.append(f"to {queues}")
    if row["label"]:
        parts.append(repr(row["label"]))
    return f"{time_of(row['first_at'] or row['last_at'])}  {', '.join(parts)}: {row['why']}"


def story(row: Mapping[str, Any], clock_tolerance: float = CLOCK_TOLERANCE) -> Iterator[str]:
    """Yield the lines about a message: what it is, then what was captured of it.

    Lines are in the order of time, but hops in that of `hops`: clocks of sensors may differ.

    Args:
        row: A row of the table `deliveries`.
        clock_tolerance: By how many seconds the clocks of senders and sensors may differ.
    """
    yield f"{row['message']}: {row['state']}"
    yield f"  {row['why']}"
    yield from (f"  {text}" for text in _facts(row, clock_tolerance))
    events = sorted(_events(row), key=lambda event: event[0])
    yield from (f"{time_of(time)}  {text}" for _, time, text in events)


def _facts(row: Mapping[str, Any], clock_tolerance: float) -> Iterator[str]:
    queues = row["destinations"] or [row["destination"]]
    for queue in filter(None, queues):
        yield f"to {queue}"
    what = [row["mode"], row["message_class"], row["purpose"] and f"purpose {row['purpose']}"]
    if row["label"]:
        what.append(f"label {row['label']!r}")
    if row["size"] is not None:
        what.append(counted(row["size"], "byte"))
    if row["partial"]:
        what.append("captured in part only")
    yield ", ".join(filter(None, what)) or "nothing of it was captured"
    if row["sequence"] is not None:
        yield f"number {row['number_in_sequence']} of sequence {row['sequence']}"
    if row["sent_at"] is not None:
        yield f"sent {time_of(row['sent_at'])} by the clock of {row['source_queue_manager']}"
        yield from _difference(row, clock_tolerance)
    for name, what_for in (("reach", "reach its queue"), ("receive", "be taken from its queue")):
        if row[f"{name}_by"] is not None:
            is_met = row["state"] in (ARRIVED if name == "reach" else {"received"})
            is_met |= name == "reach" and any(
                outcome_of(said["class"]) in ARRIVED for said in row["acknowledgments"]
            )
            ends = "met" if is_met else "not certainly over when the capture ended"
            if row["state"] == "expired" and row["class"] == TIMEOUTS[name]:
                ends = "missed, as an acknowledgment says"
            elif row[f"{name}_passed"]:
                ends = "passed, without a sign of it"
            elif not is_met and row["last_at"] is None:
                ends = "not known whether it passed, because its packets have no times"
            yield f"has to {what_for} until {time_of(row[f'{name}_by'])}: {ends}"


def _difference(row: Mapping[str, Any], clock_tolerance: float) -> Iterator[str]:
    """Yield by how much the time of a message differs from that of the sensor, if that is much.

    A message may wait before it is sent, but is not captured before.
    """
    if row["first_at"] is None or row["sent_at"] == EPOCH:  # zero states no time
        return
    seconds = (row["first_at"] - row["sent_at"]).total_seconds()
    if abs(seconds) > clock_tolerance:
        apart = duration(int(abs(seconds)), "s")
        yield (
            f"captured {apart} later: it waited, or this clock is behind that of the sensor"
            if seconds > 0
            else f"captured {apart} earlier: this clock is ahead of that of the sensor"
        )


def _events(row: Mapping[str, Any]) -> Iterator[tuple[dt.datetime, dt.datetime | None, str]]:
    """Yield what was captured of a message: the time by which it is ordered, its own, and a text."""
    before, is_to_several = _EARLIEST, len({hop["destination"] for hop in row["hops"]}) > 1
    for hop in row["hops"]:
        before = max(before, hop["time"] or _EARLIEST)
        events = _events_of_hop(hop, is_to_several=is_to_several)
        yield from ((max(before, time or _EARLIEST), time, text) for time, text in events)
    yield from ((time or _EARLIEST, time, text) for time, text in _other_events(row))


_LOST: Final = {"missing bytes": "are missing", "unreadable bytes": "cannot be read"}
_EARLIEST: Final = dt.datetime.min.replace(tzinfo=dt.UTC)


def _events_of_hop(
    hop: Mapping[str, Any], *, is_to_several: bool
) -> Iterator[tuple[dt.datetime | None, str]]:
    again = f", sent {hop['sent']} times" if hop["sent"] > 1 else ""
    if hop["count"] > len(hop["sensors"]):
        again += f", captured {hop['count']} times until {time_of(hop['last_at'])}"
    if len(hop["sensors"]) > 1:
        again += f", captured at {len(hop['sensors'])} sensors"
    queue = f", for {hop['destination']}" if is_to_several else ""
    ends = (
        "in a file of packets" if hop["from"] is hop["to"] is None else f"from {hop['from']} to {hop['to']}"
    )
    yield hop["time"], f"{ends}{queue}: {position_of(hop)}{again}"
    for time, name, what in (
        ("session_acknowledged_at", "session_acknowledgment", "acknowledged it in the session"),
        ("stored_at", "stored_acknowledgment", "reports that it stored it"),
    ):
        if hop[name] is not None:
            yield hop[time], f"{hop['to']} {what}{queue}: {position_of(hop[name])}"


def _other_events(row: Mapping[str, Any]) -> Iterator[tuple[dt.datetime | None, str]]:
    for read in row["reads"]:
        queue = f" from {read['queue']}" if read["queue"] else ""
        yield read["time"], f"a remote read returned it{queue} to {read['by']}: {position_of(read)}"
    for copy in row["copies"]:
        yield copy["time"], f"a copy goes to a {copy['to']} queue: {position_of(copy)}"
    for response in row["responses"]:
        sender = f"queue manager {response['queue_manager']}"
        yield (
            response["time"],
            f"{sender} sends message {response['message']} about it: {position_of(response)}",
        )
    for answer in row["acknowledgments"]:
        sender = f"queue manager {answer['queue_manager']}"
        queue = f" for {answer['queue']}" if len(row["destinations"] or ()) > 1 and answer["queue"] else ""
        yield answer["time"], f"{sender} says {answer['class']}{queue}: {position_of(answer)}"
    if row["order_acknowledgment"] is not None:
        at = position_of(row["order_acknowledgment"])
        yield row["order_acknowledged_at"], f"an OrderAck acknowledges its place in the sequence: {at}"
    if row["final_acknowledgment"] is not None:
        at = position_of(row["final_acknowledgment"])
        yield row["final_acknowledged_at"], f"a FinalAck says {row['final_class']}: {at}"
    for proof in row["proof"]:
        if proof["what"] == "end of the remote read":
            yield proof["time"], f"the call that ends the remote read succeeded: {position_of(proof)}"
        if proof["what"] in _LOST:
            fault = _LOST[proof["what"]]
            yield proof["time"], f"bytes that may have belonged to it {fault}: {position_of(proof)}"
