"""Who sends to which queue, and who queue managers are: connections by hand, and a recount in Python."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pytest

import msmq_wire as mw
from msmq_wire import GUID, NULL_GUID, captures, mqmq
from msmq_wire.testing.captures import Faults, write_captures

from .conversations import (
    DENIED,
    QUEUE,
    REACHED,
    RECEIVER,
    ROUTER,
    SENDER,
    Wire,
    answered,
    message,
    session,
    session_ack,
    told,
    transactional,
)
from .segments import EPOCH, Talk
from .test_directory import carried, change

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Rows = list[dict[str, Any]]
OTHER = GUID.of("44444444-4444-4444-4444-444444444444")


@pytest.fixture
def wire(tmp_path: Path) -> Wire:
    return Wire(tmp_path)


def test_what_a_queue_gets(wire: Wire) -> None:
    """Two senders, three messages; a copy at another sensor is the same message."""
    large = message(1, MessageBody=b"x" * 400)
    for sensor in ("a", "b"):
        talk = session(wire.sensor(sensor))
        talk.send("->", large, transactional(2)).send("<-", told(DENIED, about=1))
        talk.close()
    asked: dict[str, Any] = {
        "AdminQueue": "DIRECT=OS:sender\\private$\\admin",
        "ResponseQueue": "DIRECT=OS:sender\\private$\\in",
        "TimeToReachQueue": 30,
    }
    third = message(3, OTHER, **asked)
    session(wire.captures[0], OTHER, src="10.0.0.3").send("->", third).close()
    (row,) = [row for row in wire.rows("queues") if row["purpose"] == "application"]
    sizes = sorted(map(len, (large, transactional(2), third)))
    assert (row["queue"], row["messages"], row["hosts"], row["queue_managers"]) == (QUEUE, 3, 2, 2)
    assert (row["bytes"], row["size_median"]) == (sum(sizes), sizes[1])
    assert row["size_95"] == row["size_largest"] == sizes[2]
    assert (row["express"], row["recoverable"], row["transactional"]) == (2, 0, 1)
    assert row["states"] == [("sent", 2), ("refused", 1)]
    assert row["admin_queues"] == [(asked["AdminQueue"], 1)]
    assert row["response_queues"] == [(asked["ResponseQueue"], 1)]
    assert dict(row["reach_timeouts"])["30"] == 1
    assert row["receivers"] == [(str(RECEIVER), 3)]
    rows = [row for row in wire.rows("dependencies") if row["purpose"] == "application"]
    first, second = sorted(rows, key=lambda row: str(row["host"]))
    assert (first["host"], first["queue_manager"], first["messages"]) == ("10.0.0.1", str(SENDER), 2)
    assert (second["host"], second["queue_manager"], second["messages"]) == ("10.0.0.3", str(OTHER), 1)


def test_the_case_of_a_name_does_not_matter(wire: Wire) -> None:
    """A queue has one row, with the name that most messages have, and the senders of all of them."""
    talk = session(wire.sensor())
    talk.send("->", message(1), message(2), message(3, DestinationQueue=QUEUE.upper())).close()
    others = message(4, OTHER, DestinationQueue=QUEUE.upper()), message(5, OTHER)
    session(wire.captures[0], OTHER, src="10.0.0.3").send("->", *others).close()
    (row,) = wire.rows("queues")
    assert (row["queue"], row["messages"], row["hosts"]) == (QUEUE, 5, 2)
    rows = wire.rows("dependencies")
    assert sorted((row["queue"], row["host"], row["messages"]) for row in rows) == [
        (QUEUE, "10.0.0.1", 3),
        (QUEUE, "10.0.0.3", 2),
    ]


@pytest.mark.parametrize("whole", [True, False])
def test_the_size_is_that_of_the_message(wire: Wire, *, whole: bool) -> None:
    """A SessionHeader behind it is for other messages; a part of it says how large it is."""
    data = message(1, MessageBody=b"x" * 400)
    rider = mqmq.SessionHeader(AckSequenceNumber=1)
    riding = mw.encode(mw.replace(mw.decode(data), SessionHeader=rider))
    assert len(riding) == len(data) + len(rider.encode())
    talk = session(wire.sensor()).send("<-", message(8, RECEIVER))
    talk.send("->", riding if whole else riding[:300])
    sizes = {row["message_number"]: row["size"] for row in wire.rows()}
    assert sizes[1] == len(data)
    assert [row["bytes"] for row in wire.rows("dependencies") if row["queue_manager"] == str(SENDER)] == [
        len(data)
    ]


def test_purposes_are_told_apart(wire: Wire) -> None:
    session(wire.sensor()).send("->", message()).send("<-", told(REACHED)).close()
    assert {(row["purpose"], row["messages"]) for row in wire.rows("queues")} == {
        ("application", 1),
        ("acknowledgment", 1),
    }


def test_the_host_behind_a_router_is_unknown(wire: Wire) -> None:
    """The address of a router is not that of the sender."""
    capture = wire.sensor()
    session(capture, ROUTER, RECEIVER).send("->", message()).close()
    (row,) = wire.rows("dependencies")
    assert (row["host"], row["queue_manager"]) == (None, str(SENDER))
    session(capture, SENDER, ROUTER, src="10.0.0.9", src_port=50_000).send("->", message(8)).close()
    hosts = {row["host"]: row["messages"] for row in wire.rows("dependencies")}
    assert hosts == {"10.0.0.9": 2}  # its only address by its handshakes


@pytest.mark.each(4)
@pytest.mark.parametrize("way", ["->", "<-"])
@pytest.mark.parametrize(
    ("second", "host"), [(None, "10.0.0.1"), ("10.0.0.1", "10.0.0.1"), ("10.0.0.9", None)]
)
def test_the_host_of_a_message_that_was_only_read(
    wire: Wire, way: str, second: str | None, host: str | None
) -> None:
    """No hop of it was captured, but handshakes say where its queue manager is, if that is at one address."""
    capture = wire.sensor()
    reader = Talk(capture, src="10.0.0.50", src_port=50_100, dst_port=2105).open()
    reader.send("<-", answered(message())).close()
    assert {row["host"] for row in wire.rows("dependencies")} == {None}
    asks = way == "->"
    managers = (SENDER, RECEIVER) if asks else (RECEIVER, SENDER)
    ends: dict[str, Any] = {"src" if asks else "dst": "10.0.0.1", "dst" if asks else "src": "10.0.0.2"}
    session(capture, *managers, **ends).close()
    if second is not None:
        ends["src" if asks else "dst"] = second
        session(capture, *managers, src_port=50_001, **ends).close()
    assert {row["host"] for row in wire.rows("dependencies")} == {host}
    assert {row["hosts"] for row in wire.rows("queues")} == {0 if host is None else 1}


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("joined", [1, 1 << 18])
def test_an_address_of_two_queue_managers_is_no_host(wire: Wire, joined: int, *, apart: bool) -> None:
    """Whichever rows are joined: large captures are joined by queue managers."""
    wire.joined, wire.apart = joined, apart
    capture = wire.sensor()
    reader = Talk(capture, src="10.0.0.50", src_port=50_100, dst_port=2105).open()
    reader.send("<-", answered(message())).close()
    session(capture, src="192.0.2.1").close()
    assert [row["host"] for row in wire.rows("dependencies")] == ["192.0.2.1"]
    session(wire.sensor("b"), ROUTER, src="192.0.2.1", src_port=50_001).close()
    assert [row["host"] for row in wire.rows("dependencies")] == [None]


@pytest.mark.parametrize("is_first", [False, True])
def test_the_host_of_a_router_that_is_captured_first(wire: Wire, *, is_first: bool) -> None:
    """A hop without a handshake may be that of a router; one with a handshake counts wherever it comes."""
    parts = [wire.sensor("a"), wire.sensor("b")]

    def onward() -> None:
        Talk(parts[0], src="10.0.0.9", src_port=50_000).send("->", message()).close()

    def away() -> None:
        session(parts[1], SENDER, ROUTER).send("->", message()).send("<-", session_ack(1)).close()

    for talk in (onward, away) if is_first else (away, onward):
        talk()
    (row,) = wire.rows("dependencies")
    assert (row["host"], row["queue_manager"]) == ("10.0.0.1", str(SENDER))


def test_the_host_without_a_handshake_is_unknown(wire: Wire) -> None:
    """Unless another message of its queue manager came from the same address after a handshake."""
    capture = wire.sensor()
    for number, src in enumerate(("10.0.0.9", "10.0.0.1"), 1):
        Talk(capture, src=src, src_port=50_000).send("->", message(number)).close()
    (row,) = wire.rows("dependencies")
    assert (row["host"], row["queue_manager"], row["messages"]) == (None, str(SENDER), 2)
    session(capture).send("->", message(3)).close()
    assert {row["host"]: row["messages"] for row in wire.rows("dependencies")} == {None: 1, "10.0.0.1": 2}


def test_an_address_of_two_queue_managers_proves_nothing(wire: Wire) -> None:
    """A router behind the same address may have sent a message on."""
    capture = wire.sensor()
    session(capture).send("->", message(1)).close()
    session(capture, ROUTER, RECEIVER, src_port=50_001).send("->", message(2)).close()
    Talk(capture, src_port=50_002).send("->", message(3)).close()
    assert {row["host"]: row["messages"] for row in wire.rows("dependencies")} == {None: 2, "10.0.0.1": 1}


def test_a_null_guid_proves_nothing(wire: Wire) -> None:
    """Neither where its messages come from nor that of a computer."""
    capture = wire.sensor()
    session(capture, NULL_GUID).send("->", message(manager=NULL_GUID)).close()
    Talk(capture, src_port=50_000).send("->", message(8, NULL_GUID)).close()
    assert [(row["host"], row["queue_manager"]) for row in wire.rows("dependencies")] == [
        (None, str(NULL_GUID))
    ]
    assert [row["queue_manager"] for row in wire.rows("hosts")] == [str(RECEIVER)]


@pytest.mark.each(5)
@pytest.mark.parametrize(
    ("second", "at", "sensor", "is_shared"),
    [
        ("10.0.0.9", 5, "a", True),
        ("10.0.0.9", 11, "a", False),  # a computer whose address changes
        ("2001:db8::9", 5, "a", False),  # which has one of the other kind, too
        ("10.0.0.9", 5, "b", False),  # another sensor may see another address of it
        ("10.0.0.1", 5, "a", False),
    ],
)
@pytest.mark.parametrize("sends", [True, False])
def test_a_guid_of_two_computers_proves_no_address(
    wire: Wire, second: str, at: int, sensor: str, is_shared: bool, sends: bool
) -> None:
    """Both ask for sessions at the same time, whether they send messages or not."""
    first = wire.sensor("a")
    talk = session(first).send("->", message())
    talk.segment("->", talk.next["->"], message(8), time=EPOCH + dt.timedelta(seconds=10))
    other = wire.sensor(sensor)
    talk = session(other, src=second, src_port=50_000)
    (talk.send("->", message(9)) if sends else talk).close()
    for row in other.rows:
        row["time"] += dt.timedelta(seconds=at)
    hosts = {row["host"] for row in wire.rows("dependencies")}
    assert hosts == ({None} if is_shared else {"10.0.0.1", second} if sends else {"10.0.0.1"})
    (row,) = [row for row in wire.rows("hosts") if row["queue_manager"] == str(SENDER)]
    assert (row["address"] is None) == is_shared
    assert {*row["addresses"]} == {"10.0.0.1", second}
    assert ("forged-identity" in {row["id"] for row in wire.rows("findings")}) == is_shared


def test_busiest_minute_and_hour(wire: Wire) -> None:
    """Of equal ones the first."""
    talk = session(wire.sensor())
    begin = EPOCH.replace(minute=0, second=0, microsecond=0)
    number = 1
    for minute, count in ((61, 2), (125, 3), (126, 3), (190, 1)):
        for second in range(count):
            payload = message(number)
            time = begin + dt.timedelta(minutes=minute, seconds=second)
            talk.segment("->", talk.next["->"], payload, time=time)
            talk.next["->"] += len(payload)
            number += 1
    (row,) = wire.rows("queues")
    assert row["busiest_minute"] == begin + dt.timedelta(minutes=125)
    assert row["busiest_minute_messages"] == 3
    assert row["busiest_hour"] == begin + dt.timedelta(hours=2)
    assert row["busiest_hour_messages"] == 6


def test_only_an_acknowledgment_is_no_use(wire: Wire) -> None:
    """A message that only its acknowledgment names was sent to an unknown queue."""
    session(wire.sensor()).send("<-", told(REACHED)).close()
    assert [row["purpose"] for row in wire.rows("queues")] == ["acknowledgment"]


# ------------------------------------------------------------------------------------------------- hosts


def hosts(wire: Wire) -> dict[str, dict[str, Any]]:
    return {row["queue_manager"]: row for row in wire.rows("hosts")}


def test_addresses_and_names(wire: Wire) -> None:
    """A handshake gives both addresses; a direct format name that of the machine at the other end."""
    capture = wire.sensor()
    session(capture).send("->", message(1), message(2)).close()
    session(capture, src="192.0.2.1").close()
    rows = hosts(wire)
    sender, receiver = rows[str(SENDER)], rows[str(RECEIVER)]
    assert sender["addresses"] == ["10.0.0.1", "192.0.2.1"]
    assert (sender["machine"], sender["machines"]) == (None, [])
    assert (receiver["address"], receiver["machine"]) == ("10.0.0.2", "receiver")
    (proof,) = [item for item in receiver["evidence"] if item["what"] == "machine"]
    assert (proof["by"], proof["count"], proof["value"]) == ("direct queue", 2, "receiver")
    assert (proof["file"], proof["first_frame"]) == ("/captures/a/1.pcap", 8)


def test_a_handshake_at_several_sensors_is_one(wire: Wire) -> None:
    """The address with most handshakes, not the one with most sensors."""
    capture = wire.sensor()
    for port in (50000, 50001):
        session(capture, src_port=port).close()
    for name in ("a", "b", "c"):
        later = wire.sensor(name)
        session(later, src="192.0.2.1", src_port=50002).close()
        for row in later.rows:
            row["time"] += dt.timedelta(hours=1)
    sender = hosts(wire)[str(SENDER)]
    assert sender["address"] == "10.0.0.1"
    assert [proof["count"] for proof in sender["evidence"]] == [2, 1]


def test_without_a_handshake_nobody_is_known(wire: Wire) -> None:
    Talk(wire.sensor()).open().send("->", message()).close()
    assert hosts(wire) == {}


@pytest.mark.parametrize("host", [".", "localhost", "127.0.0.1", "[::1]", "10.0.0.2"])
def test_an_address_or_the_computer_itself_names_no_machine(wire: Wire, host: str) -> None:
    queue = f"DIRECT=OS:{host}\\private$\\orders"
    session(wire.sensor()).send(
        "->", message(1, DestinationQueue=queue), message(2, DestinationQueue=queue)
    ).close()
    assert hosts(wire)[str(RECEIVER)]["machines"] == []
    session(wire.captures[0], src_port=50_001).send("->", message(3)).close()
    assert hosts(wire)[str(RECEIVER)]["machines"] == ["receiver"]


def test_a_message_to_several_queues_names_no_machine(wire: Wire) -> None:
    names = tuple(
        mqmq.MQFFormatNameElement(
            FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName=f"OS:{name}\\private$\\orders")
        )
        for name in ("one", "two")
    )
    lists = mqmq.MultiQueueFormatHeader(Destination=mqmq.MQFAddressHeader(FormatNameList=names))
    session(wire.sensor()).send("->", message(MultiQueueFormatHeader=lists)).send(
        "<-", session_ack(1)
    ).close()
    assert hosts(wire)[str(RECEIVER)]["machine"] is None


@pytest.mark.parametrize(
    ("properties", "named"),
    [
        ({"PROPID_QM_MACHINE_ID": RECEIVER, "PROPID_QM_PATHNAME": "Server1"}, "server1"),
        ({"PROPID_Q_QMID": RECEIVER, "PROPID_Q_PATHNAME": "Server1\\orders"}, "server1"),
        ({"PROPID_Q_INSTANCE": RECEIVER, "PROPID_Q_PATHNAME": "Server1\\orders"}, None),
    ],
)
def test_the_directory_names_machines(wire: Wire, properties: dict[str, Any], named: str | None) -> None:
    """The queue manager and its machine have to be properties of one object."""
    changed = carried(0, change(1, 0, properties=properties, PathName="server1"))
    session(wire.sensor()).send("->", changed).close()
    proofs = [item for item in hosts(wire)[str(RECEIVER)]["evidence"] if item["by"] == "directory"]
    assert [item["value"] for item in proofs] == ([named] if named else [])


# ------------------------------------------------------------------------------------- counted again


def counted(rows: Rows, messages: Rows) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Yield keys and the messages of `deliveries` for them, with what they asked for."""
    asked: dict[str, dict[str, Any]] = {}
    for row in sorted(messages, key=lambda row: row["partial"]):
        asked.setdefault(row["message"], row)
    for row in rows:
        if row["first_at"] is not None:
            for queue in row["destinations"] or ():
                own = asked[row["message"]]
                yield (queue, row["purpose"]), {**own, **row, "asked": own["acknowledgments"]}


@pytest.mark.each(2)
@pytest.mark.parametrize("faults", [Faults(), Faults(loss=0.02, retransmit=0.05, midstream=0.2, bend=0.1)])
def test_equal_to_a_count_without_the_engine(tmp_path: Path, faults: Faults) -> None:
    write_captures(tmp_path, 600, seed=11, faults=faults)
    names = ["deliveries", "messages", "queues", "dependencies"]
    tables = {
        name: table.read_all().to_pylist()
        for name, table in captures.tables(tmp_path / "captures", names).items()
    }
    groups: defaultdict[tuple[Any, ...], Rows] = defaultdict(list)
    for key, row in counted(tables["deliveries"], tables["messages"]):
        groups[key].append(row)
    assert groups
    numbers = {key: len(rows) for key, rows in groups.items()}
    assert {(row["queue"], row["purpose"]): row["messages"] for row in tables["queues"]} == numbers
    sums = Counter[tuple[Any, ...]]()
    for row in tables["dependencies"]:
        sums[row["queue"], row["purpose"]] += row["messages"]
    assert sums == numbers
    for row in tables["queues"]:
        rows = groups[row["queue"], row["purpose"]]
        sizes = sorted(each["size"] for each in rows)
        assert row["bytes"] == sum(sizes)
        assert row["size_median"] == sizes[(len(sizes) - 1) // 2]
        assert row["size_95"] == sizes[-(-95 * len(sizes) // 100) - 1]
        assert row["first_at"] == min(each["first_at"] for each in rows)
        assert row["last_at"] == max(each["first_at"] for each in rows)
        states = Counter(dict(row["states"]))
        alone = Counter(each["state"] for each in rows if len(each["destinations"]) == 1)
        assert alone <= states  # the others have a state at each queue
        assert states.total() == len(rows)
        assert row["transactional"] == sum(each["mode"] == "transactional" for each in rows)
        assert row["busiest_minute_messages"] == max(
            Counter(each["first_at"].replace(second=0, microsecond=0) for each in rows).values()
        )
        if all(each["variants"] == 1 for each in rows):
            assert row["encrypted"] == sum(bool(each["encrypted"]) for each in rows)
            assert dict(row["body_forms"]) == Counter(each["body_form"] for each in rows if each["body_form"])
            asks = Counter(name for each in rows for name in each["asked"] or ())
            assert dict(row["acknowledgments"]) == asks
