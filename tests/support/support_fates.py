"""Short histories of some queue managers with many failures, simulated by `testing.captures.network`.

Everything follows from a seed: the hosts, what applications send and read, links that break, hosts that
restart, and frames that sensors miss.
"""

from __future__ import annotations

from ipaddress import IPv4Address
from itertools import combinations
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any

from support_by_hand import pcap

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.captures.answers.deliveries.reasons import WEAKEST
from msmq_wire.machines.session import Message, Settings
from msmq_wire.testing.captures import wire
from msmq_wire.testing.captures.connections import Faults
from msmq_wire.testing.captures.network import Host, Network, Sensor
from msmq_wire.testing.captures.remote_reads import Reader
from msmq_wire.testing.captures.statements import state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from msmq_wire.testing.captures.remote_reads import Ending
    from msmq_wire.testing.captures.statements import Evidence, Letter

START = 1_700_000_000.0
END = START + 300.0
CLASSES = mqmq.MESSAGE_CLASS_VALUES
REFUSALS = {
    b"B": CLASSES.MQMSG_CLASS_NACK_BAD_DST_Q,
    b"A": CLASSES.MQMSG_CLASS_NACK_ACCESS_DENIED,
    b"Q": CLASSES.MQMSG_CLASS_NACK_Q_EXCEED_QUOTA,
}
"""How a message is refused, by the beginning of its body."""
REMOVALS = (
    *[CLASSES.MQMSG_CLASS_ACK_RECEIVE] * 4,
    CLASSES.MQMSG_CLASS_NACK_Q_PURGED,
    CLASSES.MQMSG_CLASS_NACK_RECEIVE_TIMEOUT,
    CLASSES.MQMSG_CLASS_NACK_RECEIVE_REJECTED,
)
ENDINGS: tuple[Ending, ...] = ("taken", "taken", "refused", "failed", "unanswered", "looked at")
"""How remote reads end."""
UNDERWAY = 20.0
"""Seconds within which an acknowledgment arrives, over several hops; the capture may end before."""
ANSWER = b"answer"
"""The body of the messages that programs send for those that they have taken; nobody takes these."""
LOSSES = Faults(loss=0.08, truncate=0.03)
FAULTS = Faults(
    loss=0.04, reorder=0.05, retransmit=0.05, overlap=0.02, conflict=0.02, keepalive=0.02, truncate=0.02,
    damage=0.02, fragment=0.02, wrap=0.1, midstream=0.1, late=0.2, fastopen=0.1, tunnel=0.1,
)  # fmt: skip


def _is_for_programs(packet: mqmq.UserMessage) -> bool:
    return packet.MessagePropertiesHeader.MessageBody != ANSWER


def _queue_of(packet: mqmq.UserMessage) -> str:
    header: Any = packet.UserHeader
    return str(mw.queue_names.from_wire(header.DestinationQueue, host=header.QueueManagerAddress))


def judge(packet: mqmq.UserMessage) -> int | None:
    """Refuse messages by their bodies."""
    return REFUSALS.get(packet.MessagePropertiesHeader.MessageBody[:1])


class History:
    """One history.

    Attributes:
        network: Its hosts, and the fates of their messages.
        frames: The captured frames.
    """

    def __init__(self, seed: int, faults: Faults | None = None, *, sensors: int | None = None) -> None:
        self.seed = seed
        self.faults = faults
        self.dice = dice = Random(seed)  # noqa: S311  # a seed, not a secret
        self.answers = Random(f"{seed} answers")  # noqa: S311  # likewise
        self.calls = Random(f"{seed} calls")  # noqa: S311  # likewise
        settings = Settings(
            window=dice.choice((1, 2, 4, 64)),
            insecure_nacks=dice.random() < 0.7,
            cleanup=dice.choice((20.0, 60.0, 300.0)),
        )
        count = dice.choice((2, 2, 3, 4))
        hosts = [
            Host(
                f"host{seed}-{index}",
                IPv4Address((10 << 24) + 4 * seed + index),
                mw.GUID(dice.randbytes(16)),
                settings,
                judge,
            )
            for index in range(count)
        ]
        for index, host in enumerate(hosts):  # a line of hosts, each next to its neighbours
            for other, to in enumerate(hosts):
                if other != index:
                    host.routes[to.name] = hosts[index + (1 if other > index else -1)].name
        self.hosts = hosts
        beside = dice.sample(hosts, k=min(count, sensors or dice.randint(1, count)))
        self.network = Network(
            dice,
            hosts,
            [Sensor(f"sensor{number}", host.name) for number, host in enumerate(beside)],
            faults or Faults(),
            start=START,
            latency=dice.choice(((0.0001, 0.002), (0.01, 0.2), (0.2, 3.0))),
        )
        for _ in range(dice.randint(2, 14)):
            self._plan_message(dice.choice((dice.uniform(0, 200), dice.uniform(290, 299.9))))
        for _ in range(dice.randint(0, 12)):
            self._plan_reader(dice.uniform(0, 290))
        for _ in range(dice.choice((0, 0, 1, 2, 4))):
            self._plan_failure(dice.uniform(0, 200))
        reader = Reader("reader", IPv4Address(0xC6336400 + seed % 250), mw.GUID(self.calls.randbytes(16)))
        for _ in range(self.calls.choice((0, 0, 1, 3))):
            self._plan_reader_from_afar(reader, beside, self.calls.uniform(0, 290))
        copies = Random(f"{seed} copies")  # noqa: S311  # likewise
        for number in range(copies.choice((0, 1, 3))):
            self._plan_message_to_several(copies, number, copies.uniform(0, 200))
        self.frames = [event for event in self.network.run(END) if isinstance(event, wire.Frame)]

    @property
    def letters(self) -> Iterable[Letter]:
        """All messages that were written."""
        return self.network.letters

    def _plan_message(self, after: float) -> None:
        dice, hosts = self.dice, self.hosts
        at = dice.randrange(len(hosts))
        to = dice.choice([index for index in range(len(hosts)) if index != at])
        near = abs(to - at) == 1
        source, target = hosts[at], hosts[to]
        kind = dice.choice(("express", "recoverable", "transactional" if near else "recoverable"))
        direct = near and dice.random() < 0.25
        back = f"PRIVATE={source.identifier}\\00000009"
        if near and dice.random() < 0.2:
            back = f"DIRECT=TCP:{source.ip}\\private$\\admin"
        flags = [dice.random() < 0.4 for _ in range(7)]
        message = Message(
            f"DIRECT=TCP:{target.ip}\\private$\\q" if direct else f"PRIVATE={target.identifier}\\00000007",
            dice.choice((*[b""] * 12, *REFUSALS)) + dice.randbytes(dice.choice((1, 20, 20, 4000))),
            label=f"letter {dice.randrange(10**6)}",
            recoverable=kind == "recoverable",
            transactional=kind == "transactional",
            journal=flags[0],
            dead_letter=flags[1],
            final_ack=flags[2] and kind == "transactional",
            admin_queue=back if dice.random() < 0.6 and any(flags[3:]) else "",
            positive_arrival=flags[3],
            positive_receive=flags[4],
            negative_arrival=flags[5],
            negative_receive=flags[6],
            reach_queue=dice.choice((0xFFFFFFFF, 0xFFFFFFFF, 1, 5, 60)),
            be_received=dice.choice((0xFFFFFFFF, 0xFFFFFFFF, 5, 60)),
        )
        for number in range(dice.choice((1, 1, 1, 2, 5))):
            self.network.at(
                START + after + number * 0.001,
                lambda: self.network.send(source.name, target.name, message, direct=direct),
            )

    def _plan_message_to_several(self, dice: Random, number: int, after: float) -> None:
        """Plan a message to queues of its own, of which some may have one queue manager."""
        source = dice.choice(self.hosts)
        others = [host for host in self.hosts if host is not source]
        is_near = dice.random() < 0.5
        if is_near:
            others = [host for host in others if source.routes[host.name] == host.name]
        queues = [
            mw.format_names.PrivateName(dice.choice(others).identifier, 0x100 * (number + 1) + index)
            for index in range(dice.choice((2, 2, 3)))
        ]
        flags = [dice.random() < 0.5 for _ in range(4)]
        back = f"PRIVATE={source.identifier}\\00000009"
        message = Message(
            str(queues[0]),
            dice.choice((*[b""] * 6, *REFUSALS)) + dice.randbytes(20),
            label=f"letter {dice.randrange(10**6)}",
            recoverable=dice.random() < 0.5,
            transactional=(is_transactional := is_near and dice.random() < 0.5),
            final_ack=is_near and dice.random() < 0.5 and is_transactional,
            admin_queue=back if dice.random() < 0.7 and any(flags) else "",
            positive_arrival=flags[0],
            positive_receive=flags[1],
            negative_arrival=flags[2],
            negative_receive=flags[3],
            reach_queue=dice.choice((0xFFFFFFFF, 0xFFFFFFFF, 5, 60)),
        )
        self.network.at(START + after, lambda: self.network.distribute(source.name, message, queues))

    def _plan_reader(self, after: float) -> None:
        dice = self.dice
        host, removal = dice.choice(self.hosts), dice.choice(REMOVALS)
        answers = removal == CLASSES.MQMSG_CLASS_ACK_RECEIVE and self.answers.random() < 0.5

        def read() -> None:
            for packet in host.queues:
                if _is_for_programs(packet):
                    self.network.read(host.name, removal, packet)
                    is_copy = packet.MultiQueueFormatHeader is not None
                    if answers and packet not in host.queues and not is_copy:
                        self._respond(host, packet.UserHeader)
                    return

        self.network.at(START + after, read)

    def _plan_reader_from_afar(self, reader: Reader, beside: Sequence[Host], after: float) -> None:
        """Plan a program that reads a queue by remote calls that a sensor captures."""
        calls = self.calls
        number, ending = calls.randrange(len(beside)), calls.choice(ENDINGS)

        def read() -> None:
            host = beside[number]
            queues = {_queue_of(packet) for packet in host.queues if _is_for_programs(packet)}
            for queue in sorted(queues)[:1]:
                self.network.read_from_afar(reader, host.name, queue, f"sensor{number}", calls, ending=ending)

        self.network.at(START + after, read)

    def _respond(self, host: Host, header: mqmq.UserHeader) -> None:
        """Have the program that took a message send one to its sender."""
        source = self.network.name_of(header.SourceQueueManager)
        message = Message(
            f"PRIVATE={header.SourceQueueManager}\\0000000a",
            ANSWER,
            correlation=header.SourceQueueManager.bytes_le + header.MessageID.to_bytes(4, "little"),
        )
        self.network.send(host.name, source, message)

    def _plan_failure(self, after: float) -> None:
        dice, hosts = self.dice, self.hosts
        at = dice.randrange(len(hosts) - 1)
        one, other, seconds = hosts[at].name, hosts[at + 1].name, dice.choice((0.0, 0.0, 3.0, 40.0))
        if dice.random() < 0.6:
            self.network.at(START + after, lambda: self.network.break_link(one, other, seconds))
        else:
            self.network.at(START + after, lambda: self.network.restart(one, seconds))


def write(place: Path, histories: Sequence[History]) -> list[Path]:
    """Write what the sensors of histories captured, each sensor to its folder, up to `END`."""
    frames = sorted(
        (frame for history in histories for frame in history.frames), key=lambda frame: frame.time
    )
    one, other = (wire.Address(IPv4Address(f"192.0.2.{end}"), 1801 + end, bytes(6)) for end in (1, 0))
    last = wire.Path(one, other)
    paths = []
    for sensor in sorted({frame.file for frame in frames}):
        folder = place / sensor
        folder.mkdir(parents=True)
        paths.append(folder / "capture.pcap")
        own = [frame for frame in frames if frame.file == sensor]
        own.append(wire.Frame(sensor, int(END + 1) * 1_000_000, last.tcp(1, 1, wire.ACK, b"x")))
        paths[-1].write_bytes(pcap((frame.time, frame.data) for frame in own))
    return paths


# ----------------------------------------------------------------------------------------------- judging


def complaints(
    histories: Iterable[History], rows: Mapping[str, dict[str, Any]], states: Mapping[str, str]
) -> Iterator[str]:
    """Yield the faults of tables.

    Args:
        histories: The histories.
        rows: Those of `deliveries`, by the identifiers of messages.
        states: The states in `queues` of messages to several queues, by the names of these.
    """
    for history in histories:
        for letter in history.letters:
            copies = [copy for copy in history.letters if copy.message == letter.message]
            row = rows.get(letter.message)
            stated = row["state"] if row is not None else None
            if len(letter.queues) > 1 and row is not None:
                of_queues = [states[queue] for queue in letter.queues if queue in states]
                if letter.destination not in states:
                    continue  # what was captured of it does not name this queue
                worst = {max(of_queues, key=WEAKEST.index)}
                unseen = [copy for copy in copies if not _is_captured(copy)]
                if unseen:  # a FinalAck does not name the queue
                    told = [state(copy, copy.captured.values(), END + 1) for copy in unseen]
                    known = [name for name in (*of_queues, *told) if name not in {"unknown", "unseen"}]
                    worst.add(max(known, key=WEAKEST.index, default=""))
                if row["state"] not in worst:
                    yield f"history {history.seed}, message {letter.message}: {stated} of {of_queues}"
                stated = states[letter.destination]
                row = {**row, "state": stated, "class": None}
            late = history.faults is not None
            allowed = set[str | None]()
            for alone in _are_alone(letter, copies):
                allowed |= _allowed(history.network, letter, late=late, alone=alone)
            place = f"history {history.seed}, message {letter.message}: {stated}"
            if stated not in allowed:
                yield f"{place}, not {allowed}"
            if row is not None and not _is_true(letter, row):
                yield f"{place}, but {[(deed.by, deed.what) for deed in letter.deeds]}"


def misplaced(histories: Iterable[History], rows: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the acknowledging packets in a row and in the ground truth, if they differ.

    The rows are those of histories without faults, as `write` has written them.
    """
    frames: dict[str, list[wire.Frame]] = {}
    for frame in sorted((frame for one in histories for frame in one.frames), key=lambda frame: frame.time):
        frames.setdefault(frame.file, []).append(frame)
    for history in histories:
        by_identifier = {str(host.identifier).lower(): host for host in history.hosts}
        addresses = {host.name: host.ip.packed for host in history.hosts}
        for letter in history.letters:
            row = rows.get(letter.message, {"hops": [], "order_acknowledgment": None})
            told = dict[Any, Any]()
            for hop in row["hops"]:
                if hop["destination"] != letter.destination:
                    continue
                ends = tuple(by_identifier[hop[name]].name for name in ("to", "from"))
                told["accepted", ends] = hop["session_acknowledgment"]
                told["stored", ends] = hop["stored_acknowledgment"]
            is_copy = len(letter.queues) > 1  # the row has the OrderAck for one of them
            told["ordered", None] = None if is_copy else row["order_acknowledgment"]
            stated = dict[Any, Any]()
            for key, packet in told.items():
                if packet is not None:
                    frame = frames[packet["file"].split("/")[-2]][packet["first_frame"] - 1]
                    stated[key] = frame.time, frame.data[26:30]  # the source of its IPv4 header
            for key, (time, source) in _acknowledged(letter, addresses).items():
                if is_copy and key[0] == "ordered":
                    continue
                at, address = stated.pop(key, (0, b""))
                if address != source or abs(at / 1_000_000 - time) > _AT_ONCE:
                    yield f"history {history.seed}, message {letter.message}: {key} at {time}, not {at}"
            if stated:
                yield f"history {history.seed}, message {letter.message}: not {stated}"


_AT_ONCE = 0.000_05
"""Frames of one moment have times of their own: seconds between them at most."""


def _acknowledged(letter: Letter, addresses: Mapping[str, bytes]) -> dict[Any, tuple[float, bytes]]:
    """Return when, and from which address, packets acknowledged a message first, with their kind and hop."""
    first = dict[Any, tuple[float, bytes]]()
    for row in letter.captured.values():
        if row.what in {"accepted", "stored", "ordered"}:
            key = row.what, None if row.what == "ordered" else row.hop
            first[key] = min(first.get(key, (inf, b"")), (row.time, addresses[row.hop[0]]))
    return first


def _is_captured(letter: Letter) -> bool:
    return any(row.what == "carried" for row in letter.captured.values())


def _are_alone(letter: Letter, copies: Sequence[Letter]) -> set[bool]:
    """Return what may be known of a message: whether its host gets no copy of it for another queue."""
    homes, others = [*letter.queues.values()], [copy for copy in copies if copy is not letter]
    if len(copies) < len(homes) or homes.count(letter.home) > 1:
        return {False}
    alone = set[bool]()
    for captured in (True, False):
        rows = [(copy.captured if captured else copy.passed).values() for copy in others]
        ends = [{end for row in of_copy if row.what == "carried" for end in row.hop} for of_copy in rows]
        alone.add(all(ends) and not any(letter.home in hosts for hosts in ends))
    return alone


def _allowed(network: Network, letter: Letter, *, late: bool, alone: bool) -> set[str | None]:
    """Return the states that a message may have; exactly one, if every byte was captured.

    Args:
        network: The network.
        letter: The message.
        late: Whether segments may be captured late.
        alone: As in `state`.
    """
    captured = [*letter.captured.values()]
    # Bytes of a packet that is not complete may be enough to read its contents.
    more = [
        row for key, row in letter.passed.items() if row.line in network.lost and key not in letter.captured
    ]
    allowed: set[str | None] = set()
    kinds = sorted({row.what for row in more})
    pairs = {frozenset(row.hop) for row in (*captured, *more) if row.what == "carried"}
    doubtful = bool(pairs & network.lost_pairs)
    for count in range(len(kinds) + 1):
        for chosen in combinations(kinds, count):
            rows = [*captured, *(row for row in more if row.what in chosen)]
            allowed |= _weaker(letter, rows, doubtful=doubtful, late=late, alone=alone)
    is_late = any(row.what == "carried" and row.line in network.late for row in captured)
    if doubtful and not is_late:  # otherwise the answer seems to have been lost before
        near = {frozenset(row.hop) for row in captured if row.what == "carried"} or pairs
        rows = [
            row  # a session further on its way, of which no packet with it was captured, answers nothing
            for row in letter.passed.values()
            if row.what not in {"carried", "accepted", "stored"} or frozenset(row.hop) in near
        ]
        if state(letter, [*_placed(rows)], END + 1) != "sent":  # it, or an answer, is among the missing bytes
            allowed.discard("sent")
    if any(row.what == "returned" for row in more):
        allowed.add("unknown")  # without the call around it, a packet seems to be sent on, and not answered
    if not any(row.what == "carried" for row in captured) and more:
        allowed |= {"accepted", "unknown"}
    return allowed


def _weaker(
    letter: Letter, rows: Sequence[Evidence], *, doubtful: bool, late: bool, alone: bool
) -> set[str | None]:
    """Return the state that follows from evidence, and those that may stand for it if it is doubtful."""
    is_one = len(letter.queues) == 1
    if not any(row.what in {"carried", "told", "concluded", "returned", "taken"} for row in rows):
        return {None} if is_one else {None, "unknown"}  # another queue may be known
    stated = state(letter, rows, END + 1, alone=alone)
    if stated == "unseen":
        return {"unknown"}
    kinds = {row.what for row in rows}
    allowed: set[str | None] = {stated}
    if not is_one and "carried" not in kinds:  # a FinalAck names only its place in its sequence
        others = [row for row in rows if row.what != "concluded"]
        allowed |= {"unknown", state(letter, others, END + 1, alone=alone)} - {"unseen"}
    if late:
        allowed.add(state(letter, [*_placed(rows)], END + 1, alone=alone))
    by_session = not kinds & {"told", "concluded", "ordered", "answered", "returned", "taken"}
    if doubtful and by_session:
        allowed.add("unknown")
        if stated == "reached":  # as stored, which has counts of its own
            allowed.add("accepted")
    if late and by_session and letter.reach < inf and "stored" in kinds:  # in time or not
        allowed |= {"accepted", "reached"}
    return allowed


def _placed(rows: Iterable[Evidence]) -> Iterator[Evidence]:
    """Yield evidence without acknowledgments in connections before a captured packet with the message.

    They may be for an earlier sending of it, and need not tell whose messages they acknowledge.
    """
    carried = set[str]()
    for row in rows:
        if row.what == "carried":
            carried.add(row.line)
        if row.what not in {"accepted", "stored", "ordered"} or row.line in carried:
            yield row


def _is_true(letter: Letter, row: Mapping[str, Any]) -> bool:
    """Return whether a row agrees with the deeds of queue managers, which need not report refusals."""
    stated, others = row["state"], [deed for deed in letter.deeds if deed.by != letter.source]
    if stated in {"received", "refused"} or (stated == "expired" and row["class"] is not None):
        return letter.has_been(stated)
    if stated == "expired":
        # What was not taken in time may have come to its queue, if only its removal would have been told.
        told = {deed.what for deed in others if deed.time < END - UNDERWAY}
        in_time = {"reached", "received"} if letter.tells_arrival else {"received"}
        return "expired" in {deed.what for deed in others} or in_time.isdisjoint(told)
    if stated == "reached":
        if row["class"] == "MQMSG_CLASS_ACK_REACH_QUEUE":
            return letter.has_been("reached")
        # Its sender may have given it up; an OrderAck for a later one acknowledges its number, too.
        return bool(others) or letter.transactional
    # Because it came out of order, or is a duplicate of the copy for another queue.
    dropped = letter.transactional or len(letter.queues) > 1
    return bool(others) or dropped or stated != "accepted"
