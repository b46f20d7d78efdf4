"""Many short connections in a capture: read at once, or segment by segment where anything is unusual.

A pipe reads every connection segment by segment, so its pieces are what those of the file have to be.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from support_by_hand import A, Capture
from support_examples import share

import msmq_wire as mw
from msmq_wire import captures, mqmq, mqqb
from msmq_wire.captures.engine import run, run_live
from msmq_wire.captures.files.sources import Source
from msmq_wire.captures.rows import sessions
from msmq_wire.testing.bent.records import bend
from msmq_wire.testing.captures.wire import ACK, FIN, RST

if TYPE_CHECKING:
    import pathlib

_CONNECTIONS = 60
"""So many that packets are looked for in columns."""
_TABLES = ("packets", "gaps", "quarantine")
_ACK = mw.encode(mqqb.SessionAck())
_NAMES = (
    "flow", "direction", "connection", "offset", "size", "kind", "type", "data", "error", "time", "end_time",
    "first_frame", "last_frame",
)  # fmt: skip


def message(dice: random.Random) -> bytes:
    """A message, also with a SessionHeader that PacketSize counts or not."""
    record = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(MessageID=dice.randrange(1, 99)),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=bytes(dice.choice((0, 10, 700)))),
        SessionHeader=mqmq.SessionHeader() if dice.random() < 0.3 else None,
    )
    data = record.encode()
    return bend(record, "BaseHeader.PacketSize", len(data)).encode() if dice.random() < 0.5 else data


def talk(dice: random.Random, port: int) -> Capture:
    """A connection with a few packets, and now and then with what captures and networks do to it."""
    own = Capture(client=A._replace(port=port), seq=dice.choice((1000, 2**32 - 5)), back=2**32 - 1).open()
    for _ in range(dice.choice((0, 1, 1, 1, 2, 4))):
        way = dice.choice(("->", "->", "<-"))
        data = message(dice) if dice.random() < 0.8 else _ACK
        data = dice.choice(
            (data, data, data, data, data, b"junk" + data, data[:40], data[:30] + b"\xff" + data[31:])
        )
        size = dice.choice((len(data), len(data), 500, 60))
        for part in (data[at : at + size] for at in range(0, len(data), size)):
            event = dice.random()
            if event < 0.02:  # not captured
                own.next[way] += len(part)
                continue
            own.send(part, way=way)
            if event > 0.98:  # sent again
                own.add(way, own.next[way] - len(part), ACK, part)
            if event > 0.9:
                own.send(b"", way=dice.choice(("->", "<-")))
            if len(part) < size < len(data) and event < 0.3:  # an acknowledgment that was overtaken
                own.add(way, own.next[way] - len(part) - size)
    event = dice.random()
    if event < 0.1:
        own.add("->", own.next["->"], RST | ACK)
    elif event < 0.2:
        own.add("->", own.next["->"] + dice.choice((1, 100)), dice.choice((ACK, FIN | ACK)))
    elif event < 0.9:
        own.close()
    return own


def rows(batches: Any) -> dict[str, list[str]]:
    """The rows of each table as sorted texts, because a pipe yields what it knows first."""
    tables: dict[str, list[str]] = {name: [] for name in _TABLES}
    for name, batch in batches:
        tables[name] += [repr({key: row[key] for key in _NAMES if key in row}) for row in batch.to_pylist()]
    return {name: sorted(each) for name, each in tables.items()}


@pytest.mark.each(15)
@pytest.mark.parametrize("seed", range(share(30, 12)))
def test_many_short_connections(seed: int, tmp_path: pathlib.Path) -> None:
    dice = random.Random(seed)  # noqa: S311  # a seed, not a secret
    capture = talk(dice, 20_000)
    for port in range(20_001, 20_000 + _CONNECTIONS):
        capture.frames += talk(dice, port).frames
    capture.frames.sort()
    path = tmp_path / "a.pcap"
    path.write_bytes(capture.data)
    whole = rows(run([str(path)], _TABLES))
    source = Source(iter([capture.data]), live=True)
    assert whole == rows(run_live(source, str(path), _TABLES))
    assert len(whole["packets"]) > _CONNECTIONS
    assert not any(
        row["difference"] for row in captures.tables(path, ["balance"])["balance"].read_all().to_pylist()
    )


def single(dice: random.Random, port: int) -> Capture:
    """A connection with one packet, of both directions or one, from its beginning or not."""
    own = Capture(client=A._replace(port=port))
    if dice.random() < 0.8:
        own.open()
    transaction = mqmq.TransactionHeader(TxSequenceNumber=dice.choice((1, 7)))
    counts = mqmq.SessionHeader(
        AckSequenceNumber=dice.choice((0, 3)),
        UserMsgSequenceNumber=dice.choice((1, 5)),
        WindowSize=dice.choice((1, 64)),
    )
    record = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            MessageID=dice.randrange(1, 99), Flags=mqmq.UserHeaderFlags(DM=dice.randrange(2))
        ),
        TransactionHeader=dice.choice((None, transaction)),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            MessageClass=dice.choice((0, 2)), MessageBody=bytes(10)
        ),
        SessionHeader=dice.choice((None, counts)),
    )
    own.send(dice.choice((_ACK, *[mw.encode(record)] * 4)), way=dice.choice(("->", "->", "<-")))
    if dice.random() < 0.8:
        own.close()
    if dice.random() < 0.6:
        own.frames = [(time, frame) for time, frame in own.frames if (frame[26:30] == A.ip.packed)]
    return own


@pytest.mark.each(3)
@pytest.mark.parametrize("seed", range(3))
def test_sessions_of_single_packets(
    seed: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are made once for equal ones, and are those that a monitor has of each."""
    dice = random.Random(seed)  # noqa: S311  # a seed, not a secret
    capture = single(dice, 20_000)
    for port in range(20_001, 20_000 + 5 * _CONNECTIONS):
        capture.frames += single(dice, port).frames
    capture.frames.sort()
    path = tmp_path / "a.pcap"
    path.write_bytes(capture.data)
    summary, made = sessions.LoneSessions.summary, []

    def watched(*arguments: Any) -> Any:
        made.append(summary(*arguments))
        return made[-1]

    def judged() -> list[Any]:
        return [table.read_all() for table in captures.tables(path, ["sessions", "violations"]).values()]

    monkeypatch.setattr(sessions.LoneSessions, "summary", watched)
    together = judged()
    assert len(made) - made.count(None) > _CONNECTIONS
    monkeypatch.setattr(sessions.LoneSessions, "summary", lambda *_: None)
    assert together == judged()
    assert len({str(row["backward"]) for row in together[0].to_pylist()}) > 4
