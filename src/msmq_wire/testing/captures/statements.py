"""The statements of packets about messages, as intended by their senders, and the fates of messages.

1. A `Statement` is recorded when an endpoint writes a packet, from the actions of the endpoints so far;
   captures and their readers do not influence it.
2. A `Letter` is a message, with the actions of queue managers on it, and the evidence in packets that passed
   a sensor, and in those that a sensor captured completely.
3. `state` follows the table of `docs/reference/deliveries.md`, from evidence alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES

if TYPE_CHECKING:
    from collections.abc import Collection

    from msmq_wire import GUID

_TIMEOUTS: Final = (
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT,
    MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT,
)
_FATES: Final = ("received", "refused", "expired", "reached", "forwarded")
_SAID: Final = {"taken": "received", "answered": "received", "returned": "reached"}
"""The states that responses and remote reads prove."""
_WORST: Final = (
    "refused",
    "expired",
    "sent",
    "unknown",
    "unseen",
    "accepted",
    "forwarded",
    "reached",
    "received",
)


def worst(states: Collection[str]) -> str:
    """Return the worst of the states, or of the fates, of the copies of a message to several queues.

    Copies without a captured packet are unknown.
    """
    names = (
        states if {*states} == {"unseen"} else {"unknown" if name == "unseen" else name for name in states}
    )
    return min(names, key=_WORST.index)


def state_of(message_class: int) -> str:
    """Return the state of a message that an acknowledgment of a class means ([MS-MQMQ] 2.2.18.1.6)."""
    if message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_REACH_QUEUE:
        return "reached"
    if message_class == MESSAGE_CLASS_VALUES.MQMSG_CLASS_ACK_RECEIVE:
        return "received"
    return "expired" if message_class in _TIMEOUTS else "refused"


class Deed(NamedTuple):
    """An action of a queue manager on a message.

    Attributes:
        time: Seconds since 1970.
        by: Name of the host.
        what: ``forwarded``, ``reached``, ``received``, ``refused``, ``expired`` or ``dead-lettered``.
        message_class: The class of the acknowledgment for it; 0 for none.
    """

    time: float
    by: str
    what: str
    message_class: int = 0


class Statement(NamedTuple):
    """The statements of a packet about messages.

    Attributes:
        carries: The message in it.
        accepted: Number of messages of the other side that it acknowledges in the session; 0 for none.
        stored: Number of recoverable ones that it acknowledges as stored.
        about: The message that an administration acknowledgment names.
        concludes: The message whose place in its sequence a FinalAck names, but not its queue.
        message_class: The class of the acknowledgment.
        answers: The message to which an application responds with it.
        sequence: The source and the sequence of which an OrderAck acknowledges messages.
        ordered: The last number that it acknowledges.
    """

    carries: Letter | None = None
    accepted: int = 0
    stored: int = 0
    about: Letter | None = None
    concludes: Letter | None = None
    message_class: int = 0
    answers: Letter | None = None
    sequence: tuple[GUID, int] | None = None
    ordered: int = 0


What: TypeAlias = Literal[
    "carried", "accepted", "stored", "told", "concluded", "answered", "ordered", "returned", "taken"
]  # fmt: skip


class Evidence(NamedTuple):
    """The statement of one packet about one message.

    Attributes:
        what: ``carried``, ``accepted``, ``stored``, ``told`` by an administration acknowledgment,
            ``concluded`` by a FinalAck, ``answered``, ``ordered``, ``returned`` by a remote read, or
            ``taken`` by its reader.
        hop: Names of the hosts that write and read the packet.
        line: Number of the connection, and the sensor.
        message_class: The class of such an acknowledgment.
        time: When it passed a sensor, in seconds since 1970.
    """

    what: What
    hop: tuple[str, str]
    line: str
    message_class: int = 0
    time: float = 0.0


class Letter(msgspec.Struct, eq=False):
    """A message, or the copy for one of its queues, and the actions on it.

    Attributes:
        message: Its identifier, as in the table `messages`.
        source: Name of the host that sent it.
        home: Name of the host with its queue; empty if the packet has only an address.
        transactional: Whether it belongs to a transaction.
        sent_at: Seconds since 1970.
        reach: Its TimeToReachQueue in seconds.
        receive: Its TimeToBeReceived in seconds.
        tells_arrival: Whether it asks for an acknowledgment that it has come to its queue.
        tells_removal: Whether it asks for one that it was taken from its queue.
        label: Its label.
        destination: Format name of its queue.
        queues: The names of the hosts with its queues, by the format names of these; empty for a distribution
            list.
        message_class: Its class.
        size: Size of its packet in bytes.
        encrypted: Whether its body is encrypted.
        signed: Whether it has a signature.
        deeds: The actions of queue managers on it, in the order of time.
        passed: The evidence in packets that passed a sensor, captured or not.
        captured: The evidence in packets that were captured completely.
    """

    message: str
    source: str
    home: str
    transactional: bool
    sent_at: int
    reach: float
    receive: float
    tells_arrival: bool
    tells_removal: bool
    label: str
    destination: str
    queues: Mapping[str, str]
    message_class: int
    size: int
    encrypted: bool
    signed: bool
    deeds: list[Deed] = []
    passed: dict[tuple[Any, ...], Evidence] = {}
    captured: dict[tuple[Any, ...], Evidence] = {}

    @property
    def fate(self) -> str:
        """Its actual fate; ``sent`` if no queue manager accepted it."""
        deeds = {deed.what for deed in self.deeds}
        return next((what for what in _FATES if what in deeds), "sent")

    def has_been(self, what: str) -> bool:
        """Return whether a queue manager performed an action on it."""
        return any(deed.what == what for deed in self.deeds)


def final_hop(home: str, evidence: Collection[Evidence]) -> tuple[str, str] | None:
    """Return the last hop of a message by its evidence; None if it proves no hop.

    It ends at the host with the queue, if its name is given.  Otherwise, if hops between were not captured,
    the time decides.
    """
    hops: dict[tuple[str, str], float] = {}
    for row in evidence:
        if row.what == "carried":
            hops[row.hop] = min(row.time, hops.get(row.hop, row.time))
    at_home = [hop for hop in hops if hop[1] == home]
    if at_home:
        return at_home[-1]
    onward = [hop for hop in hops if not any(other[0] == hop[1] for other in hops)]
    return max(onward, key=hops.__getitem__, default=None)


def state(letter: Letter, evidence: Collection[Evidence], until: float, *, alone: bool = True) -> str:
    """Return the state of a message that follows from evidence; ``unseen`` without a packet.

    Args:
        letter: The message.
        evidence: The evidence.
        until: The end of the capture, in seconds since 1970.
        alone: Whether all copies of it are known to have gone to different hosts; others may be duplicates
            ([MS-MQQB] 3.1.5.8.1).
    """
    states = {state_of(row.message_class) for row in evidence if row.what in {"told", "concluded"}}
    states |= {row.what for row in evidence if row.what in _SAID}
    for name in ("refused", "received", "expired", "taken", "answered", "reached", "returned"):
        if name in states:
            return _SAID.get(name, name)
    if any(row.what == "ordered" for row in evidence):
        return "reached"
    hop = final_hop(letter.home, evidence)
    if hop is None:
        return "unseen"
    lines = {row.line for row in evidence if row.what == "carried" and row.hop == hop}
    answers = [row for row in evidence if row.hop == hop[::-1] and row.line in lines]
    is_home = not letter.home or hop[1] == letter.home
    if is_home and alone and not letter.transactional:
        stored = min((row.time for row in answers if row.what == "stored"), default=inf)
        if stored <= letter.sent_at + letter.reach < inf or stored < inf == letter.reach:
            return "reached"
    if any(row.what == "accepted" for row in answers):
        return "accepted"
    # Only who asks for an acknowledgment can conclude from its absence.
    limits = [letter.reach] if letter.tells_arrival else []
    limits += [letter.receive] if letter.tells_arrival or letter.tells_removal else []
    return "expired" if letter.sent_at + min(limits, default=inf) < until else "sent"
