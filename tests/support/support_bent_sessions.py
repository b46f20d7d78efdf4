"""One way to violate each requirement that a `SessionMonitor` reports.

A bend takes a wire with an open session and no packets in transit, and puts an illegal packet, or a packet at
the wrong time, on the tape.  The two queue managers continue as if it had been legal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from support_sessions import STRANGER, N, Wire, bend, other

from msmq_wire import mqmq, mqqb

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.checks.sessions.monitor import Direction

_E = "EstablishConnectionHeader"
_C = "ConnectionParametersHeader"
_T = "TransactionHeader"
_S = "SessionHeader"


def _bent(path: str, value: Any) -> Callable[[Any], Any]:
    return lambda packet: bend(packet, path, value)


# ------------------------------------------------------------------------------------------ handshake


def _handshake(index: int, path: str, value: Any) -> Callable[[Wire, Direction], None]:
    """A new session, with one packet of its handshake bent."""

    def make(wire: Wire, way: Direction) -> None:
        wire.open(way, {index: _bent(path, value)})

    return make


def _accepts_stranger(wire: Wire, way: Direction) -> None:
    """The acceptor, identified by a Ping, accepts a request to another queue manager."""
    ping(wire, way)
    stranger = _bent(f"{_E}.ServerGuid", STRANGER)
    wire.open(way, {0: stranger, 1: stranger})


def _before_it_is_open(send: Callable[[Wire, Direction], Any]) -> Callable[[Wire, Direction], None]:
    """A packet that is only allowed in an open session, sent within the handshake."""

    def make(wire: Wire, way: Direction) -> None:
        back = other(way)
        for side in (way, back):
            wire.transact(side)
        wire.settle()
        wire.open(way, last=len(wire.tape) % 4 or 3)
        send(wire, way)

    return make


def _asks_again(wire: Wire, way: Direction) -> None:
    wire.tape.append((way, wire.request(way)))


def _goes_on_after_refusal(wire: Wire, way: Direction) -> None:
    wire.open(way, {1: _bent("InternalHeader.Flags.CS", 1)}, last=2)
    wire.tape.append((way, wire.parameters(way)))
    wire.open(way)


def _renegotiates(wire: Wire, way: Direction) -> None:
    wire.tape.append((way, wire.parameters(way)))


# ----------------------------------------------------------------------------------------------- Ping


def ping(wire: Wire, way: Direction, answer: dict[str, Any] | None = None, **asked: Any) -> None:
    """A Ping and its answer."""
    flags = mqqb.PingPacketFlags(RC=1, RF=asked.pop("RF", 0))
    request = mqqb.PingPacket(Flags=flags, Cookie=len(wire.tape) + 1, QMGuid=wire.sides[way].guid)
    back = other(way)
    flags = mqqb.PingPacketFlags(RC=1)
    wire.tape.append((way, request))
    reply = mqqb.PingPacket(Flags=flags, Cookie=request.Cookie, QMGuid=wire.sides[back].guid)
    for path, value in (answer or {}).items():
        reply = bend(reply, path, value)
    wire.tape.append((back, reply))


def _answers(path: str, value: Any) -> Callable[[Wire, Direction], None]:
    return lambda wire, way: ping(wire, way, {path: value})


# --------------------------------------------------------------------------------------------- counts


def _beyond_the_window(wire: Wire, way: Direction) -> None:
    us = wire.sides[way]
    while us.unacknowledged <= us.window:
        wire.send(way)
    wire.settle()
    wire.session_ack(other(way))
    wire.settle()


def _acknowledges_unsent(wire: Wire, way: Direction) -> None:
    """A SessionAck begins with a recoverable message beyond those that were sent."""
    back = other(way)
    wire.send(back, recoverable=True)
    wire.settle()
    beyond = (wire.sides[back].recoverable_sent + 1) % N
    wire.session_ack(way, _bent(f"{_S}.RecoverableMsgAckSeqNumber", beyond))


def _header(path: str, change: Callable[[Any], int]) -> Callable[[Wire, Direction], None]:
    """A SessionAck with a wrong value in a field."""

    def make(wire: Wire, way: Direction) -> None:
        back = other(way)
        for _ in range(2):
            wire.send(back, recoverable=True)
        wire.settle()
        wire.session_ack(way, lambda packet: bend(packet, f"{_S}.{path}", change(packet.SessionHeader)))

    return make


def _acknowledges_again(wire: Wire, way: Direction) -> None:
    """A recoverable message is acknowledged while none waits."""
    wire.send(other(way), recoverable=True)
    wire.settle()
    ack = wire.session_ack(way)
    number = ack.SessionHeader.RecoverableMsgAckSeqNumber
    wire.session_ack(
        way,
        lambda packet: bend(
            bend(packet, f"{_S}.RecoverableMsgAckSeqNumber", number), f"{_S}.RecoverableMsgAckFlags", 1
        ),
    )


# -------------------------------------------------------------------------------- transactional messages


def _begin_sequence(wire: Wire, way: Direction, number: int = 1) -> None:
    us = wire.sides[way]
    us.waiting, us.behind, us.ordinal, us.number = [], 0, us.ordinal + 1, number


def _transacts(path: str, change: Callable[[Any], Any], before: int = 2) -> Callable[[Wire, Direction], None]:
    """A new sequence, whose last message is bent."""

    def make(wire: Wire, way: Direction) -> None:
        _begin_sequence(wire, way)
        wire.transact(way)  # so that the next sequence certainly begins here
        _begin_sequence(wire, way)
        for _ in range(before):
            wire.transact(way)
        wire.transact(way, bent=lambda packet: bend(packet, f"{_T}.{path}", change(packet.TransactionHeader)))

    return make


def _begins_late(wire: Wire, way: Direction) -> None:
    _begin_sequence(wire, way)
    wire.transact(way)
    _begin_sequence(wire, way, 5)
    wire.transact(way)


def _on_an_old_sequence(identifier: Any) -> Any:
    return mqmq.TxSequenceID(identifier.Ordinal, identifier.TimeStamp - 1)


def _acknowledged(change: Callable[[Wire, Direction], Any]) -> Callable[[Wire, Direction], None]:
    """Two messages of a new sequence arrive and are acknowledged."""

    def make(wire: Wire, way: Direction) -> None:
        back = other(way)
        wire.sides[way].unread.clear()
        _begin_sequence(wire, back)
        wire.transact(back)
        _begin_sequence(wire, back)
        wire.settle()
        wire.sides[way].unread.clear()
        wire.transact(back)
        wire.transact(back)
        wire.settle()
        change(wire, way)

    return make


def _order_ack(**changed: Any) -> Callable[[Wire, Direction], None]:
    return _acknowledged(lambda wire, way: wire.order_ack(way, **changed))


def _order_goes_back(wire: Wire, way: Direction) -> None:
    wire.order_ack(way)
    wire.order_ack(way, TxSequenceNumber=1, TxPreviousSequenceNumber=0)


def _ordered_by_a_stranger(wire: Wire, way: Direction) -> None:
    wire.order_ack(way)
    _, packet = wire.tape.pop()
    wire.tape.append((way, bend(packet, "UserHeader.SourceQueueManager", STRANGER)))


def _final_ack(**changed: Any) -> Callable[[Wire, Direction], None]:
    return _acknowledged(lambda wire, way: wire.final_ack(way, **changed))


def _acknowledges_nothing(wire: Wire, way: Direction) -> None:
    """A SessionAck acknowledges messages that another one acknowledged before."""
    wire.send(other(way))
    wire.settle()
    wire.session_ack(way)
    wire.session_ack(way)


def _two_messages_with_one_id(wire: Wire, way: Direction) -> None:
    message = wire.send(way).UserHeader.MessageID
    wire.send(way, recoverable=True, bent=_bent("UserHeader.MessageID", message))


def _acknowledges_express(wire: Wire, way: Direction) -> None:
    message = wire.send(other(way)).UserHeader.MessageID
    wire.settle()
    _acknowledged(lambda wire, way: wire.final_ack(way, MessageID=message))(wire, way)


def _unwanted(wire: Wire, way: Direction) -> None:
    """A message that asked for no FinalAck is taken from its queue."""
    back = other(way)
    wire.sides[way].unread.clear()
    _begin_sequence(wire, back)
    wire.transact(back, bent=_bent(f"{_T}.Flags.FA", 0))
    wire.settle()
    wire.final_ack(way)


def _removed_twice(wire: Wire, way: Direction) -> None:
    us = wire.sides[way]
    us.unread.insert(0, us.unread[0])
    wire.final_ack(way)
    wire.final_ack(way)


_LATER = mqmq.TxSequenceID(0xFFFF, 5)

BENDS: dict[str, Callable[[Wire, Direction], None]] = {
    "MQQB-2.2.1-06": _accepts_stranger,
    "MQQB-2.2.3.1-03": _handshake(1, f"{_E}.ServerGuid", STRANGER),
    "MQQB-2.2.3.1-08": _handshake(1, f"{_E}.OperatingSystem.SE", 1),
    "MQQB-2.2.3.1-09": _handshake(1, f"{_E}.OperatingSystem.OS", 1),
    "MQQB-2.2.3.1-23": _handshake(1, f"{_E}.Padding", bytes(512)),
    "MQQB-2.2.3.1-25": _handshake(1, f"{_E}.ClientGuid", STRANGER),
    "MQQB-2.2.3.1-26": _handshake(1, f"{_E}.TimeStamp", 1),
    "MQQB-2.2.4.1-01": _order_ack(TxSequenceID=_LATER),
    "MQQB-2.2.4.1-02": _order_ack(TxSequenceNumber=3, TxPreviousSequenceNumber=2),
    "MQQB-2.2.5.1-01": _final_ack(TxSequenceID=_LATER),
    "MQQB-2.2.5.1-02": _final_ack(TxSequenceNumber=9),
    "MQQB-2.2.5-16": _acknowledges_express,
    "MQQB-2.2.5.1-03": _acknowledged(
        lambda wire, way: (wire.sides[way].unread.pop(0), wire.final_ack(way, TxPreviousSequenceNumber=0))
    ),
    "MQQB-2.2.5.1-07": _final_ack(SourceGUID=STRANGER),
    "MQQB-2.2.5.1-08": _final_ack(MessageID=0xFFFFFF),
    "MQQB-2.2.7-04": _answers("Flags.RC", 0),
    "MQQB-2.2.7-07": lambda wire, way: ping(wire, way, RF=1),
    "MQQB-2.2.7-24": _answers("Cookie", 0xFFFF),
    "MQQB-2.2.7-27": _answers("QMGuid", STRANGER),
    "MQQB-3.1.1.3-01": _two_messages_with_one_id,
    "MQQB-3.1.1.5-01": _transacts("TxSequenceID", lambda header: _on_an_old_sequence(header.TxSequenceID)),
    "MQQB-3.1.1.6.2-01": _acknowledged(_order_goes_back),
    "MQQB-3.1.5.2.3-01": _handshake(0, "InternalHeader.Flags.CS", 1),
    "MQQB-3.1.5.3-01": _asks_again,
    "MQQB-3.1.5.3.2-01": _goes_on_after_refusal,
    "MQQB-3.1.5.3.2-02": _handshake(2, "InternalHeader.Flags.CS", 1),
    "MQQB-3.1.5.4-01": _renegotiates,
    "MQQB-3.1.5.4.1-01": _handshake(3, "InternalHeader.Flags.CS", 1),
    "MQQB-3.1.5.4.1-02": _handshake(3, f"{_C}.RecoverableAckTimeout", 2000),
    "MQQB-3.1.5.4.1-03": _handshake(3, f"{_C}.AckTimeout", 60000),
    "MQQB-3.1.5.5-01": _before_it_is_open(lambda wire, way: wire.session_ack(way)),
    "MQQB-3.1.5.6-01": _before_it_is_open(lambda wire, way: wire.order_ack(way)),
    "MQQB-3.1.5.7-01": _before_it_is_open(lambda wire, way: wire.final_ack(way)),
    "MQQB-3.1.5.8-01": _before_it_is_open(lambda wire, way: wire.send(way, riding=True)),
    "MQQB-3.1.5.5.5-01": _header("UserMsgSequenceNumber", lambda header: header.UserMsgSequenceNumber + 1),
    "MQQB-3.1.6.4-01": _acknowledges_nothing,
    "MQQB-3.1.7.2.2-01": _unwanted,
    "MQQB-3.1.7.2.2-02": _acknowledged(_removed_twice),
    "MQQB-3.1.7.1-01": _beyond_the_window,
    "MQMQ-2.2.18.1.6-01": _acknowledged(_ordered_by_a_stranger),
    "MQMQ-2.2.20.4-06": _header("AckSequenceNumber", lambda header: header.AckSequenceNumber + 1),
    "MQMQ-2.2.20.4-07": _acknowledges_unsent,
    "MQMQ-2.2.20.4-08": _acknowledges_again,
    "MQMQ-2.2.20.4-09": _header("RecoverableMsgAckFlags", lambda header: header.RecoverableMsgAckFlags + 4),
    "MQMQ-2.2.20.4-11": _header("RecoverableMsgSeqNumber", lambda header: header.RecoverableMsgSeqNumber + 1),
    "MQMQ-2.2.20.5-26": _transacts("TxSequenceNumber", lambda header: header.TxSequenceNumber + 1),
    "MQMQ-2.2.20.5-27": _begins_late,
    "MQMQ-2.2.20.5-28": _transacts("PreviousTxSequenceNumber", lambda header: header.TxSequenceNumber - 2),
    "MQMQ-2.2.20.5-29": _transacts("PreviousTxSequenceNumber", lambda _: 1, before=0),
}
