"""An enterprise: many queue managers that communicate, and directory servers that replicate, with sensors.

1. Two queue managers have one connection at a time.  It carries a session of [MS-MQQB], often after a Ping.
   The session is opened or refused, has messages of all kinds in both directions, acknowledgments, and an
   end.
2. The first three queue managers are also directory servers; their replication messages are sent in their
   sessions.
3. Everything is determined by the seed.  Memory grows by a few bytes per packet, because directories grow.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

import msmq_wire as mw
from msmq_wire import GUID, mqmq, mqqb
from msmq_wire.documents.directory_properties import pack
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.testing.strategies.choices import rolled
from msmq_wire.testing.strategies.directory import signed
from msmq_wire.testing.strategies.replication import Replicas
from msmq_wire.testing.strategies.sessions import Side
from msmq_wire.values.numbers import PING_PORT, PORT
from msmq_wire.values.times import SECOND

from .connections import Connection, Faults
from .donors import Pool, stamped
from .message_truth import message_truth
from .session_truth import Session, Step
from .truth import Sent, Span, changes_of
from .wire import FIRST_PORT, LAST_PORT, Address, Frame, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .connections import Event
    from .donors import Template

_CONTROLLERS = 3
_START = 1_700_000_000
_PENDING = 24
_SESSION = 400
_NEIGHBOURS = 60
_ACTIVE = 40
_RESERVED = mqqb.OrderAckBody().Reserved
_LEAST_KINDS, _MOST_KINDS = 48, 384
_SETTLED = 0.8
_UNACKNOWLEDGED, _RECOVERABLE_UNACKNOWLEDGED = 40, 12


class Manager:
    """A queue manager."""

    def __init__(self, index: int, random: Random) -> None:
        site = index % 7
        self.name = f"{('hq', 'lab', 'north', 'south', 'east', 'west', 'dc')[site]}-msmq{index:02d}"
        self.guid = GUID(random.randbytes(16))
        self.mac = b"\x02\x00\x5e" + index.to_bytes(3, "big")
        self.ips = (IPv4Address(f"10.{site}.{index // 250}.{1 + index % 250}"),
                    IPv6Address(f"2001:db8:{site:x}::{index + 1:x}"))  # fmt: skip
        self.vlan = ((), (), (100 + site,), (7, 100 + site))[site % 4]
        self.number = 0
        self.recent_port = random.randrange(FIRST_PORT, LAST_PORT)

    def port(self) -> int:
        """Return an unused port."""
        self.recent_port = self.recent_port + 1 if self.recent_port < LAST_PORT else FIRST_PORT
        return self.recent_port


class _Pair:
    """Two queue managers, the initiator first."""

    def __init__(self, initiator: Manager, acceptor: Manager, number: int, file: str, random: Random) -> None:
        self.managers = initiator, acceptor
        self.number = number  # part of the identifiers of its sequences
        self.file = file
        self.version = random.random() < 0.25
        self.connections: dict[int, int] = {}  # number of earlier connections, by the initiator's port
        self.last_port = 0
        self.sequence_numbers = [0, 0]  # last number in the transactional sequence of each direction

    def ends(self, port: int, other_port: int) -> tuple[Address, Address]:
        """Return the addresses of both sides."""
        initiator, acceptor = self.managers
        return (Address(initiator.ips[self.version], port, initiator.mac),
                Address(acceptor.ips[self.version], other_port, acceptor.mac))  # fmt: skip


def _internal(way: int, packet: Any, step: Step) -> Sent:
    """Return a packet of the handshake."""
    return Sent(way, mw.encode(packet), type(packet).__name__, step)


def _alone(template: Template, number: int) -> bytes:
    """Return the flags of the only message of a transaction, with the number of the message."""
    at, size = template.spans["bounds"]
    flags = mqmq.TransactionHeaderFlags(int.from_bytes(template.data[at : at + size], "little"))
    return int(flags.replace(FM=1, LM=1, ID=number % (1 << 20))).to_bytes(size, "little")


def is_due(side: Side) -> bool:
    """Return whether a side must acknowledge received messages, because the other side would have to wait."""
    return (
        side.received - side.announced > _UNACKNOWLEDGED
        or side.recoverable_received - side.acknowledged > _RECOVERABLE_UNACKNOWLEDGED
    )


def ride(side: Side) -> tuple[bytes, Step]:
    """Return the next SessionHeader of a side, and its effect on the session."""
    named = side.recoverable_received > side.acknowledged
    header = side.header()
    return header.encode(), Step(
        window=header.WindowSize,
        acknowledges=side.received,
        recoverable_acknowledges=side.recoverable_received if named else None,
    )


def _tally(template: Template) -> tuple[str, ...]:
    """Return the kinds as which a message is counted."""
    if template.kind != "UserMessage":
        return ("order_acks" if template.kind == "OrderAck" else "final_acks",)
    kind = "transactional" if template.transactional else "recoverable" if template.recoverable else "express"
    return (kind, "acknowledgments") if template.acknowledges else (kind,)


def _counted_step(side: Side, step: Step, *tally: str) -> Step:
    """Return the step with the current counts of its sender."""
    return step._replace(tally=tally, sent=side.sent, recoverable=side.recoverable_sent)


class Enterprise:
    """Queue managers and the messages that they send.

    Args:
        packets: Number of packets to send, without unreadable ones.
        seed: The seed, which determines everything.
        faults: The faults.
        managers: Number of queue managers, at least four and at most 5000.
        files: Number of sensors, each with its capture file.

    Attributes:
        sent: Number of packets sent so far.
    """

    def __init__(self, packets: int, seed: int, faults: Faults | None, *, managers: int, files: int) -> None:
        self.sent = 0
        self._most = packets
        self._faults = faults or Faults()
        self._random = random = Random(seed)  # noqa: S311  # repeatable on purpose
        self._managers = [Manager(index, random) for index in range(managers)]
        kinds = max(_LEAST_KINDS, min(_MOST_KINDS, packets // 8))
        hosts = tuple(manager.name for manager in self._managers)
        self._pool = Pool(random, hosts, kinds, bent=self._faults.bend > 0)
        self._dice = rolled(random)
        names = [manager.name for manager in self._managers[:_CONTROLLERS]]
        self._replicas = Replicas(names, losses=20, outages=False)
        self._outboxes: dict[tuple[str, str], list[Any]] = {}
        self._files = [f"sensor{index:02d}" for index in range(files)]
        self._clock = _START * SECOND
        self.idle = self._pairs()

    def _pairs(self) -> list[_Pair]:
        """Return the pairs that communicate: all directory servers with each other, the others with a few."""
        random = self._random
        pairs: list[_Pair] = []
        for index, manager in enumerate(self._managers):
            later = self._managers[max(index + 1, _CONTROLLERS) :][:_NEIGHBOURS]
            others = self._managers[index + 1 : _CONTROLLERS] + random.sample(later, k=min(3, len(later)))
            for peer in others:
                ends = (manager, peer) if random.random() < 0.5 else (peer, manager)
                pairs.append(_Pair(*ends, len(pairs) + 1, self._files[len(pairs) % len(self._files)], random))
        return pairs

    def run(self) -> Iterator[Frame | Span | Session]:
        """Yield all frames in the order of capture, and the ground truth as soon as it is final."""
        random, clock = self._random, self._faults.clock
        behind = dict.fromkeys(self._files, 0)  # offsets of the sensors' clocks
        active: list[tuple[_Pair, Iterator[Iterator[Event]]]] = []
        while self.idle or active:
            if self.idle and self.sent < self._most and len(active) < _ACTIVE:
                pair = self.idle.pop(random.randrange(len(self.idle)))
                active.append((pair, self._talk(pair)))
            if not active:
                return
            index = random.randrange(len(active))
            pair, talk = active[index]
            burst = next(talk, None)
            if burst is None:
                active[index] = active[-1]
                active.pop()
                self.idle.append(pair)
                continue
            for event in burst:
                if isinstance(event, bytes):
                    self._clock += random.randrange(1, 400)
                    if clock and random.random() < clock:
                        behind[pair.file] += random.randrange(SECOND)
                    yield Frame(pair.file, self._clock - behind[pair.file], event)
                else:
                    yield event

    # ------------------------------------------------------------------------------------- one connection

    def _talk(self, pair: _Pair) -> Iterator[Iterator[Event]]:
        """Yield a connection from start to end, in bursts."""
        random, faults = self._random, self._faults
        if random.random() < 0.3:
            yield self._ping(pair)
        again = pair.last_port if random.random() < faults.reuse else 0
        pair.last_port = port = again or pair.managers[0].port()
        number = pair.connections.get(port, 0)
        pair.connections = {port: number + 1}  # ports are reused after thousands of connections
        if number:
            faults = msgspec.structs.replace(faults, midstream=0.0)
        ends = pair.ends(port, PORT)
        line = Connection(
            random, ends, vlan=pair.managers[0].vlan, file=pair.file, number=number, faults=faults
        )
        yield line.open()
        for sent in self._session(pair):
            yield line.send(sent)
            if random.random() < faults.spoil:
                data, breach = random.choice(self._pool.spoilt)
                yield line.send(Sent(sent.way, data, None, breach=breach))
        yield line.close()

    def _ping(self, pair: _Pair) -> Iterator[Event]:
        """Yield a Ping and its answer, [MS-MQQB] 2.1.2."""
        cookie = self._random.getrandbits(32)
        ends = pair.ends(pair.managers[0].port(), PING_PORT)
        for asks, manager in ((True, pair.managers[0]), (False, pair.managers[1])):
            src, dst = ends if asks else ends[::-1]
            flags = mqqb.PingPacketFlags(RC=int(asks))
            data = mqqb.PingPacket(Flags=flags, Cookie=cookie, QMGuid=manager.guid).encode()
            yield Path(src, dst, pair.managers[0].vlan).udp(data)
            labels = (pair.file, str(src.ip), src.port, str(dst.ip), dst.port, 0)
            yield Span(*labels, "ping", None, len(data), data, "PingPacket")

    def _session(self, pair: _Pair) -> Iterator[Sent]:
        """Yield the packets of a session."""
        random = self._random
        refused = random.random() < 0.05
        for sent in self._opening(pair, refused=refused):
            if self._counted():
                yield sent
        if refused:
            return
        sides = Side(pair.managers[0].guid), Side(pair.managers[1].guid)
        for _ in range(random.randrange(1, _SESSION)):
            if not self._counted():
                return
            way = int(random.random() < 0.3)
            delivery = self._delivery(pair, way, sides)
            if delivery is not None:
                yield delivery
            else:
                yield from self.message_packets(pair, way, sides)
            for back in (1 - way, way):
                if is_due(sides[back]) and self._counted():
                    yield self._session_ack(back, sides[back])
        if random.random() < _SETTLED:
            for way, side in enumerate(sides):
                if side.announced < side.received and self._counted():
                    yield self._session_ack(way, side)

    def _opening(self, pair: _Pair, *, refused: bool) -> Iterator[Sent]:
        client, server = (manager.guid for manager in pair.managers)
        header = mqqb.EstablishConnectionHeader(
            ClientGuid=client, ServerGuid=server, TimeStamp=self._clock // 1000 & 0xFFFFFFFF
        )
        flags = mqqb.InternalHeaderFlags(CS=int(refused))
        question = mqqb.EstablishConnection(EstablishConnectionHeader=header)
        answer = mqqb.EstablishConnection(
            InternalHeader=mqqb.InternalHeader(Flags=flags), EstablishConnectionHeader=header
        )
        asked = Step(1, managers=(str(client), None), time_stamp=header.TimeStamp)
        accepted = None if refused else str(server)
        yield _internal(0, question, asked)
        yield _internal(
            1, answer, asked._replace(handshake=2, refused=refused, managers=(str(client), accepted))
        )
        if not refused:
            parameters = mqqb.ConnectionParameters()
            terms = parameters.ConnectionParametersHeader
            timeouts = terms.RecoverableAckTimeout, terms.AckTimeout
            for way in (0, 1):
                step = Step(3 + way, timeouts=timeouts, window=terms.WindowSize)
                yield _internal(way, parameters, step)

    def _counted(self) -> bool:
        """Count a packet; return whether it may be sent."""
        if self.sent >= self._most:
            return False
        self.sent += 1
        return True

    def message_packets(self, pair: _Pair, way: int, sides: tuple[Side, Side]) -> Iterator[Sent]:
        """Yield the packets by which one side sends a message."""
        random, pool = self._random, self._pool
        bent = pool.bent and random.random() < self._faults.bend
        template = random.choice(pool.bent if bent else pool.messages)
        stamps = self._stamps(pair, way)
        if not template.transactional:
            yield self._stamped(way, sides, template, stamps)
            return
        pair.sequence_numbers[way] = sequence_number = pair.sequence_numbers[way] % 0xFFFFFFFF + 1
        sequence = mqmq.TxSequenceID.raw(pair.number, way + 1)
        if template.addressed:
            stamps["receiver"] = pair.managers[1 - way].guid.bytes_le
        stamps["sequence"] = sequence.encode()
        stamps["bounds"] = _alone(template, int.from_bytes(stamps["number"], "little"))
        stamps["sequence_number"], stamps["previous"] = (
            sequence_number.to_bytes(4, "little"),
            (sequence_number - 1).to_bytes(4, "little"),
        )
        yield self._stamped(way, sides, template, stamps, sequence_number=sequence_number)
        if random.random() < 0.25:
            number, source = int.from_bytes(stamps["number"], "little"), pair.managers[way].guid
            order = mqqb.OrderAckBody.raw(sequence, sequence_number, sequence_number - 1, _RESERVED)
            final = mqqb.FinalAckBody.raw(sequence, sequence_number, sequence_number - 1, source, number)
            for ack, body, ordered in (
                (pool.order_ack, order, sequence_number),
                (pool.final_ack, final, None),
            ):
                if (ordered is not None or template.final) and self._counted():
                    stamps = {
                        **self._stamps(pair, 1 - way),
                        "receiver": source.bytes_le,
                        "body": body.encode(),
                    }
                    yield self._stamped(1 - way, sides, ack, stamps, ordered=ordered)

    def _stamped(
        self,
        way: int,
        sides: tuple[Side, Side],
        template: Template,
        stamps: dict[str, bytes],
        *,
        sequence_number: int | None = None,
        ordered: int | None = None,
    ) -> Sent:
        """Return a message of the pool, sent by one side."""
        side = sides[way]
        side.send(sides[1 - way], recoverable=template.recoverable)
        rider, step = ride(side) if template.rides else (b"", Step())
        number, sent = (int.from_bytes(stamps[name], "little") for name in ("number", "sent"))
        meaning = template.meaning and template.meaning.sent(
            side.manager, number, sent, sides[1 - way].manager
        )
        return Sent(
            way,
            stamped(template, stamps, rider),
            template.kind,
            step=_counted_step(
                side, step._replace(sequence_number=sequence_number, ordered=ordered), *_tally(template)
            ),
            message=meaning,
            breach=template.breach,
        )

    def _session_ack(self, way: int, side: Side) -> Sent:
        template = self._pool.session_ack
        rider, step = ride(side)
        return Sent(
            way, stamped(template, {}, rider), template.kind, _counted_step(side, step, "session_acks")
        )

    def _stamps(self, pair: _Pair, way: int) -> dict[str, bytes]:
        """Return the fields of a message that depend on its sender."""
        sender = pair.managers[way]
        sender.number = (sender.number + 1) & 0xFFFFFFFF
        return {
            "source": sender.guid.bytes_le,
            "number": sender.number.to_bytes(4, "little"),
            "sent": (self._clock // SECOND).to_bytes(4, "little"),
        }

    # ---------------------------------------------------------------------------------------- replication

    def _delivery(self, pair: _Pair, way: int, sides: tuple[Side, Side]) -> Sent | None:
        """Return the next message of [MC-MQDSRP] from one directory server to another, if there is one."""
        sender, receiver = pair.managers[way], pair.managers[1 - way]
        if not {sender, receiver} <= set(self._managers[:_CONTROLLERS]):
            return None
        if sum(map(len, self._outboxes.values())) < _PENDING:
            for delivery in self._replicas.step(self._dice):
                if not delivery.lost:
                    self._outbox(delivery.sender, delivery.receiver).append(delivery.message)
        box = self._outbox(sender.name, receiver.name)
        if not box:
            return None
        due = box.pop(0)
        if self._faults.diverge and self._random.random() < self._faults.diverge:
            self._diverge(due, receiver, sender)
        sender.number = (sender.number + 1) & 0xFFFFFFFF
        message = signed(
            mqdsrp.wrap(
                due, receiver.name, sender.guid, message_id=sender.number, sent_time=self._clock // SECOND
            )
        )
        sides[way].send(sides[1 - way], recoverable=False)
        return Sent(
            way,
            mw.encode(message),
            "UserMessage",
            step=_counted_step(sides[way], Step(), "express"),
            message=message_truth(message, "REPLICATION").sent(
                sender.guid, sender.number, message.UserHeader.SentTime
            ),
            changes=changes_of(due, sender.guid),
        )

    def _outbox(self, sender: str, receiver: str) -> list[Any]:
        return self._outboxes.setdefault((sender, receiver), [])

    def _diverge(self, message: Any, server: Manager, first: Manager) -> None:
        """Let a server propagate received changes as its own, with different contents."""
        before = getattr(message, "DirectoryChanges", ())
        numbers = {number for change in before for number in change.PropertyID}
        if not isinstance(message, mqdsrp.ChangePropagationMessage) or not before or numbers & {*_OTHER[0]}:
            return
        changes = tuple(
            mw.replace(
                change,
                PropertyID=(*change.PropertyID, *_OTHER[0]),
                PropertyValue=(*change.PropertyValue, *_OTHER[1]),
            )
            for change in before
        )
        third = next(manager for manager in self._managers[:_CONTROLLERS] if manager not in {server, first})
        self._outbox(server.name, third.name).append(mw.replace(message, DirectoryChanges=changes))


_OTHER = pack({"PROPID_Q_AUTHENTICATE": 1})
"""Properties that the other version of a change has in addition."""
