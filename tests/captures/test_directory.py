"""The directory as servers told each other: gaps, divergence, and what became of each object."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import msmq_wire as mw
from msmq_wire import mqcn, mqdsrp
from msmq_wire.captures.directory import COMMANDS, command_names, directory_tables
from msmq_wire.captures.engine import Settings
from msmq_wire.captures.gathering import CHANGED
from msmq_wire.captures.table_builder import TableBuilder
from msmq_wire.documents.directory_properties import pack
from msmq_wire.mqmq import MessagePropertiesHeader, UserHeader, UserMessage
from msmq_wire.values.guid import GUID

from .segments import EPOCH, Capture, Row, Talk, batch_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


PARTITION, SITE = (
    GUID.of("11111111-2222-3333-4444-555555555555"),
    GUID.of("aaaaaaaa-2222-3333-4444-555555555555"),
)
QUEUE = GUID.of("bbbbbbbb-2222-3333-4444-555555555555")
SERVERS = [GUID.of(f"{number:08x}-0000-0000-0000-000000000001") for number in (1, 2)]
HIGH = 0x7FFF_FFFF_FFFF_FFFE
"""Numbers go on after this one into those that would be negative if they were signed."""


def change(number: int, command: int = 1, before: int | None = None, purged: int = 0, **more: Any) -> Any:
    properties = more.pop("properties", {"PROPID_Q_LABEL": f"label {number}"})
    identifiers, values = pack(properties)
    named = more or {"UseGuid": 1, "GuidIdentifier": QUEUE}
    return mqdsrp.DirectoryChange(
        Command=command,
        PartitionID=PARTITION,
        PreviousSeqNumber=mqdsrp.SEQUENCE_NUMBER.of(number - 1 if before is None else before),
        SeqNumber=mqdsrp.SEQUENCE_NUMBER.of(number),
        PurgedSeqNumber=mqdsrp.SEQUENCE_NUMBER.of(purged),
        PropertyID=identifiers,
        PropertyValue=values,
        **named,
    )


def carried(server: int, *changes: Any) -> bytes:
    """A message with these changes, on the wire."""
    header = mqdsrp.BaseReplicationHeader(SiteID=SITE)
    propagation = mqdsrp.ChangePropagationMessage(BaseReplicationHeader=header, DirectoryChanges=changes)
    return message(propagation.encode(), "DIRECT=OS:dc\\private$\\mqis_queue$", server)


def message(body: bytes, queue: str, server: int) -> bytes:
    head = UserHeader(SourceQueueManager=SERVERS[server], DestinationQueue=queue, MessageID=1)
    properties = MessagePropertiesHeader(MessageBody=body)
    return UserMessage(UserHeader=head, MessagePropertiesHeader=properties).encode()


PATH: dict[str, Any] = {"PathName": "dc\\orders"}
TOLD = [
    carried(0, change(1, 0, properties={"PROPID_Q_INSTANCE": QUEUE, "PROPID_Q_LABEL": "new"}, **PATH)),
    carried(0, change(2), change(3, properties={"PROPID_Q_QUOTA": 5, "PROPID_Q_LABEL": "third"}, **PATH)),
    carried(1, change(2), change(3, properties={"PROPID_Q_LABEL": "another", "PROPID_Q_QUOTA": 5}, **PATH)),
    carried(0, change(7, before=6), change(9, before=8, purged=8)),
    carried(1, change(HIGH, 0, before=9, PathName="dc\\other")),
    carried(1, change(HIGH + 1, PathName="dc\\other"), change(HIGH + 2, PathName="dc\\other")),
    carried(
        1, change(HIGH + 3, 2, PathName="DC\\OTHER", properties={"PROPID_D_SCOPE": 1, "PROPID_D_OBJTYPE": 1})
    ),
    message(b"no replication", "DIRECT=OS:dc\\private$\\mqis_queue$", 0),
]


def number(value: int) -> bytes:
    return value.to_bytes(8, "big")


def tables_of(place: Path, *captures: Capture) -> dict[str, Any]:
    """The tables of the directory, of some captures."""
    maker = TableBuilder(frozenset({"directory_changes"}), Settings(), place)
    changed = [batch for name, batch in maker.tables([batch_of(*captures)], 0) if name == CHANGED]
    return dict(directory_tables(changed))


@pytest.fixture(scope="module")
def rows_of_table(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[Row]]:
    capture = Capture()
    talk = Talk(capture).open()
    for told in TOLD:
        talk.send("->", told)
    update = mqcn.NotificationUpdate.decode(change(4).encode())
    notification = mqcn.ChangeNotificationMessage(Version=1, Data=mqcn.NotificationUpdates(Updates=(update,)))
    talk.send("->", message(mqcn.encode(notification), "DIRECT=OS:dc\\private$\\notify_queue$", 0))
    place = tmp_path_factory.mktemp("bucket")
    maker = TableBuilder(frozenset({"directory_changes", "quarantine"}), Settings(), place)
    made: dict[str, list[Row]] = {}
    changed = []
    for name, batch in maker.tables([batch_of(capture)], 0):
        if name == CHANGED:
            changed.append(batch)
        else:
            made.setdefault(name, []).extend(rows_of(batch))
    for name, batch in directory_tables(changed):
        made.setdefault(name.removeprefix("directory_"), []).extend(rows_of(batch))
    for name in ("history", "objects", "gaps"):
        made[name].sort(key=lambda row: row.SeqNumber)
    made["changes"].sort(key=lambda row: (row.offset, row["index"]))
    return made.__getitem__


def test_changes(rows_of_table: Callable[[str], list[Row]]) -> None:
    """Each change is a row, with typed properties by name, of notifications too."""
    rows = rows_of_table("changes")
    assert len(rows) == 12
    first, last = rows[0], rows[-1]
    assert (first.type, first.server, first.site) == ("ChangePropagationMessage", str(SERVERS[0]), str(SITE))
    assert (first.command_name, first.object_class, first.identifier) == ("create", "QUEUE", str(QUEUE))
    assert (first.PathName, first.PartitionID, first.SeqNumber) == ("dc\\orders", str(PARTITION), number(1))
    assert first.properties["PROPID_Q_LABEL"].text == "new"
    assert rows[2].properties["PROPID_Q_QUOTA"].integer == 5
    assert (last.type, last.site, last.SeqNumber) == ("ChangeNotificationMessage", None, number(4))
    (deleted,) = (row for row in rows if row.command_name == "delete")
    assert (deleted.SeqNumber, deleted.object_class) == (number(HIGH + 3), "QUEUE")
    (unread,) = rows_of_table("quarantine")
    assert (unread.kind, unread.data) == ("directory", b"no replication")


def test_changes_of_one_message(tmp_path: Path) -> None:
    """They are numbered within their message; the first property of each tells the class of its object."""
    capture = Capture()
    mixed = change(3, properties={"PROPID_Q_LABEL": "a queue", "PROPID_QM_SITE_ID": SITE})
    Talk(capture).open().send("->", carried(0, change(1), change(2), mixed), carried(1, change(1), change(2)))
    rows = rows_of(tables_of(tmp_path, capture)["directory_changes"])
    rows.sort(key=lambda row: (row.offset, row["index"]))
    assert [(row["index"], row.SeqNumber) for row in rows] == [
        (0, number(1)), (1, number(2)), (2, number(3)), (0, number(1)), (1, number(2))
    ]  # fmt: skip
    assert {row.object_class for row in rows} == {"QUEUE"}


def test_only_what_is_asked_for(tmp_path: Path) -> None:
    """Bodies are read only for tables that need them."""
    capture = Capture()
    Talk(capture).open().send("->", TOLD[0])
    made = TableBuilder(frozenset({"packets"}), Settings(), tmp_path).tables([batch_of(capture)], 0)
    assert [(name, batch.num_rows) for name, batch in made] == [("packets", 1)]


@pytest.mark.parametrize("name", ["packets", "messages", "quarantine", "directory_changes"])
def test_a_table_that_is_asked_for_alone(name: str, tmp_path: Path) -> None:
    """It is the same as with others: bodies are read if it needs them."""
    capture = Capture()
    Talk(capture).open().send("->", *TOLD, b"junk")
    tables = []
    for wanted in ({name}, {"packets", "messages", "quarantine", "directory_objects"}):
        made = TableBuilder(frozenset(wanted), Settings(), tmp_path).tables([batch_of(capture)], 0)
        own = CHANGED if name.startswith("directory") else name
        tables.append([row for found, batch in made if found == own for row in rows_of(batch)])
    assert tables[0] == tables[1]
    assert tables[0]


def test_history(rows_of_table: Callable[[str], list[Row]]) -> None:
    """Each change once, in the order of unsigned numbers; a path leads to the object that it named."""
    rows = rows_of_table("history")
    assert [(row.object, row.version, row.SeqNumber) for row in rows] == [
        *((str(QUEUE), version, number(at)) for version, at in enumerate((1, 2, 3, 7, 9), 1)),
        *(("dc\\other", version, number(HIGH + version - 1)) for version in (1, 2, 3, 4)),
    ]
    assert [row.until for row in rows[:5]] == [number(at) for at in (2, 3, 7, 9)] + [None]
    assert [row.command_name for row in rows[5:]] == ["create", "update", "update", "delete"]


@pytest.mark.parametrize("named", [{0}, {1}, {2}, {0, 2}])
def test_a_path_has_the_guid_that_any_change_tells(tmp_path: Path, named: set[int]) -> None:
    """Changes with the path alone, before and after, are of the object with this GUID."""
    changes = [
        change(at + 1, PathName="dc\\orders", properties={"PROPID_Q_INSTANCE": QUEUE} if at in named else {})
        for at in range(3)
    ]
    capture = Capture()
    Talk(capture).open().send("->", carried(0, *changes))
    history = rows_of(tables_of(tmp_path, capture)["directory_history"])
    assert [(row.object, row.version) for row in history] == [(str(QUEUE), at) for at in (1, 2, 3)]


def test_what_was_told_first(tmp_path: Path) -> None:
    """Of several servers that tell the same change, the history has the one that was captured first."""
    captures = [Capture(f"/captures/{name}.pcap") for name in "abc"]
    for host, (server, capture) in enumerate(zip((1, 0, 1), captures, strict=True)):
        Talk(capture, src=f"10.0.1.{host}").open().send("->", carried(server, change(2)))
    for row in captures[1].rows:
        row["time"] -= dt.timedelta(hours=1)
    tables = tables_of(tmp_path, *captures)
    (row,) = rows_of(tables["directory_history"])
    assert (row.file, row.server) == ("/captures/b.pcap", str(SERVERS[0]))
    assert tables["directory_changes"].num_rows == 3


def raw(name: str, data: bytes, time: int | None) -> Capture:
    """A file of packets, with a time in seconds or without one."""
    capture = Capture(f"/captures/{name}")
    at = None if time is None else EPOCH + dt.timedelta(seconds=time)
    capture.add(transport="raw", payload=data, seq=0, time=at)
    return capture


@pytest.mark.parametrize(
    ("times", "first"),
    [
        ((None, None, None), "a"),
        ((5, None, 3), "b"),  # what has no time is before all others
        ((-9, None, -8), "b"),  # also before 1970
        ((5, 4, 3), "c"),
        ((4, 4, 3), "c"),
        ((5, 4, 4), "b"),
        ((None, None, -(10**9)), "a"),
    ],
)
def test_the_order_of_what_was_told(tmp_path: Path, times: tuple[int | None, ...], first: str) -> None:
    """First what has no time, then by time; what has the same time or none, by file."""
    captures = [raw(name, carried(0, change(2)), time) for name, time in zip("abc", times, strict=True)]
    tables = tables_of(tmp_path, *reversed(captures))
    (row,) = rows_of(tables["directory_history"])
    assert row.file == f"/captures/{first}"


def test_the_order_within_a_file(tmp_path: Path) -> None:
    """Without a time the frame decides, then the place in the flow, then the place in the message."""
    twice = [change(2, PathName="dc\\first"), change(2, PathName="dc\\second")]
    for messages in ((carried(0, *twice),), (carried(0, twice[0]), carried(1, twice[1]))):
        capture = raw("a", b"".join(messages), None)
        (row,) = rows_of(tables_of(tmp_path, capture)["directory_history"])
        assert row.PathName == "dc\\first"
    frames = Capture("/captures/a")
    at = 0
    for message_of_frame in (carried(0, twice[0]), carried(0, twice[1])):
        frames.add(transport="raw", payload=message_of_frame, seq=at, time=None)
        at += len(message_of_frame)
    (row,) = rows_of(tables_of(tmp_path, frames)["directory_history"])
    assert (row.PathName, row.first_frame) == ("dc\\first", 1)


def told_in(place: Path, *changes: Any, server: int = 0) -> dict[str, list[Row]]:
    """The rows of the tables, of one message."""
    tables = tables_of(place, raw("a", carried(server, *changes), 7))
    return {name.removeprefix("directory_"): rows_of(batch) for name, batch in tables.items()}


@pytest.mark.parametrize("replied", [False, True])
def test_what_propagates_changes(replied: bool, tmp_path: Path) -> None:
    """A server tells its changes unasked, and all of a partition in reply; both make objects."""
    header = mqdsrp.BaseReplicationHeader(SiteID=SITE, Operation=3 if replied else 0)
    body: Any
    if replied:
        head = mqdsrp.SyncReplyHeader(BaseReplicationHeader=header, PartitionID=PARTITION)
        body = mqdsrp.SyncReplyMessage(SyncReplyHeader=head, DirectoryChanges=(change(1, 0), change(3)))
    else:
        body = mqdsrp.ChangePropagationMessage(
            BaseReplicationHeader=header, DirectoryChanges=(change(1, 0), change(3))
        )
    told = message(body.encode(), "DIRECT=OS:dc\\private$\\mqis_queue$", 0)
    tables = tables_of(tmp_path, raw("a", told, 7))
    assert [row.SeqNumber for row in rows_of(tables["directory_history"])] == [number(1), number(3)]
    assert [row.SeqNumber for row in rows_of(tables["directory_gaps"])] == [number(3)]


def test_gaps_at_the_beginning_and_of_each_partition(tmp_path: Path) -> None:
    """A first change with a number before it shows a gap; numbers of another partition are no end of one."""
    other = GUID.of("22222222-2222-3333-4444-555555555555")
    second = change(9, before=7)
    second = mw.replace(second, PartitionID=other)
    assert second.PartitionID == other
    rows = told_in(tmp_path, change(1), change(5, before=4, purged=4), change(7, before=6, purged=3), second)[
        "gaps"
    ]
    time = EPOCH + dt.timedelta(seconds=7)
    assert [
        (row.PartitionID, row.after, row.PreviousSeqNumber, row.SeqNumber, row.purged, row.time)
        for row in rows
    ] == [
        (str(PARTITION), number(1), number(4), number(5), True, time),
        (str(PARTITION), number(5), number(6), number(7), False, time),
        (str(other), None, number(7), number(9), False, time),
    ]
    assert [row.after for row in told_in(tmp_path, change(3))["gaps"]] == [None]
    assert "gaps" not in told_in(tmp_path, change(1), change(2))


def test_numbers_of_each_partition(tmp_path: Path) -> None:
    """Two partitions number their changes by themselves, and a path is an object in each."""
    other = GUID.of("00000000-2222-3333-4444-555555555555")
    changes = [change(at, PathName="dc\\orders") for at in (1, 2)]
    rows = told_in(tmp_path, *changes, *(mw.replace(one, PartitionID=other) for one in changes))
    for name in ("history", "objects"):
        rows[name].sort(key=lambda row: row.PartitionID)
    assert [(row.PartitionID, row.object, row.version, row.SeqNumber) for row in rows["history"]] == [
        (str(partition), "dc\\orders", at, number(at)) for partition in (other, PARTITION) for at in (1, 2)
    ]
    assert [(row.PartitionID, row.changes) for row in rows["objects"]] == [
        (str(other), 2),
        (str(PARTITION), 2),
    ]
    assert "divergence" not in rows
    assert "gaps" not in rows


def test_a_guid_is_that_of_the_path_in_its_partition(tmp_path: Path) -> None:
    """The same path elsewhere is another object; of several GUIDs that a path had, the last one counts."""
    other = GUID.of("00000000-2222-3333-4444-555555555555")
    instances = [QUEUE, SITE]
    changes = [
        change(at, PathName="dc\\orders", properties={"PROPID_Q_INSTANCE": guid})
        for at, guid in enumerate(instances, 1)
    ]
    nameless = change(3, PathName="DC\\orders", properties={})
    rows = told_in(tmp_path, nameless, *reversed(changes), mw.replace(nameless, PartitionID=other))
    assert sorted((row.PartitionID, row.object, row.SeqNumber) for row in rows["history"]) == [
        (str(other), "dc\\orders", number(3)),
        (str(PARTITION), str(SITE), number(2)),
        (str(PARTITION), str(SITE), number(3)),
        (str(PARTITION), str(QUEUE), number(1)),
    ]


def test_gaps_that_servers_tell_differently(tmp_path: Path) -> None:
    """The least number before counts, the highest number that was purged, and the first time."""
    captures = [
        raw("a", carried(0, change(1), change(9, before=8, purged=2)), 9),
        raw("b", carried(1, change(9, before=5, purged=5)), 8),
        raw("c", carried(1, change(9, before=7)), None),
    ]
    (row,) = rows_of(tables_of(tmp_path, *captures)["directory_gaps"])
    assert (row.after, row.PreviousSeqNumber, row.purged) == (number(1), number(5), True)
    assert row.time == EPOCH + dt.timedelta(seconds=8)
    joined = [*captures, raw("d", carried(1, change(9, before=1)), 3)]
    assert "directory_gaps" not in tables_of(tmp_path, *joined)


def test_what_an_object_is_after_its_changes(tmp_path: Path) -> None:
    """An update keeps the other properties; what creates or synchronizes an object has all there are."""

    def properties(**named: Any) -> dict[str, Any]:
        return {f"PROPID_Q_{name}": value for name, value in named.items()}

    updates = [
        change(1, 0, properties=properties(LABEL="one", QUOTA=1)),
        change(2, 1, properties=properties(QUOTA=2)),
        change(3, 1, properties=properties(JOURNAL_QUOTA=1)),
    ]
    for more, expected in (
        ([], {"PROPID_Q_LABEL": "one", "PROPID_Q_QUOTA": 2, "PROPID_Q_JOURNAL_QUOTA": 1}),
        ([change(4, 3, properties=properties(QUOTA=4))], {"PROPID_Q_QUOTA": 4}),
        ([change(4, 0, properties=properties(LABEL="new"))], {"PROPID_Q_LABEL": "new"}),
        (
            [change(4, 3, properties=properties(QUOTA=4)), change(5, 1, properties=properties(LABEL="x"))],
            {"PROPID_Q_QUOTA": 4, "PROPID_Q_LABEL": "x"},
        ),
    ):
        (row,) = told_in(tmp_path, *updates, *more)["objects"]
        values = {
            name: value.text if value.text is not None else value.integer
            for name, value in row.properties.items()
        }
        assert values == expected
        assert [*row.properties] == sorted(expected)
        assert (row.SeqNumber, row.changes, row.deleted) == (number(3 + len(more)), 3 + len(more), False)


def test_an_object_of_which_only_updates_were_captured(tmp_path: Path) -> None:
    """It has the properties of all of them, the latest value of each."""
    values = ({"QUOTA": 1, "JOURNAL_QUOTA": 1}, {"QUOTA": 2}, {"PRIV_LEVEL": 3})
    changes = [
        change(at, 1, properties={f"PROPID_Q_{name}": value for name, value in one.items()})
        for at, one in enumerate(values, 1)
    ]
    (row,) = told_in(tmp_path, *changes)["objects"]
    assert {name.removeprefix("PROPID_Q_"): value.integer for name, value in row.properties.items()} == {
        "QUOTA": 2, "JOURNAL_QUOTA": 1, "PRIV_LEVEL": 3
    }  # fmt: skip


def test_the_latest_name_of_an_object(tmp_path: Path) -> None:
    """Of changes that do not tell it the one before counts; its time is the last that is known."""
    captures = [
        raw("a", carried(0, change(1, 0, PathName="dc\\old", properties={"PROPID_Q_INSTANCE": QUEUE})), 5),
        raw("b", carried(0, change(2)), 9),
        raw("c", carried(0, change(3)), None),
    ]
    (row,) = rows_of(tables_of(tmp_path, *captures)["directory_objects"])
    assert (row.object, row.PathName, row.changes) == (str(QUEUE), "dc\\old", 3)
    assert row.time == EPOCH + dt.timedelta(seconds=9)
    (untimed,) = rows_of(tables_of(tmp_path, captures[2])["directory_objects"])
    assert (untimed.time, untimed.PathName) == (None, None)


def test_versions_of_a_change(tmp_path: Path) -> None:
    """Each content once, with all servers that told it and how often; equal contents are no divergence."""
    same, again = (change(2, PathName=path) for path in ("dc\\Orders", "DC\\orders"))
    another = change(2, PathName="dc\\orders", properties={"PROPID_Q_LABEL": "another"})
    captures = [
        raw("a", carried(1, same), 1),
        raw("b", carried(0, same), 2),
        raw("c", carried(0, again), 3),
        raw("d", carried(1, another), 4),
    ]
    (row,) = rows_of(tables_of(tmp_path, *captures)["directory_divergence"])
    assert [(one.servers, one.copies, one.change.PathName) for one in row.versions] == [
        ([str(server) for server in SERVERS], 3, "dc\\Orders"),  # as it was told first
        ([str(SERVERS[1])], 1, "dc\\orders"),
    ]
    assert "directory_divergence" not in tables_of(tmp_path, *captures[:3])


def test_commands_without_a_name(tmp_path: Path) -> None:
    """The numbers of commands are 0 to 3 ([MC-MQDSRP] 2.2.3); others have no name and stay a row."""
    assert COMMANDS == ("create", "update", "delete", "synchronize")
    rows = told_in(tmp_path, *(change(at + 1, at, PathName=f"dc\\{at}") for at in range(4)))["changes"]
    assert [row.command_name for row in rows] == [*COMMANDS]
    assert command_names(pa.array([3, 4, 255])).to_pylist() == ["synchronize", None, None]


def test_objects(rows_of_table: Callable[[str], list[Row]]) -> None:
    """The latest value of each property since the object was created; deleted objects are rows."""
    queue, other = rows_of_table("objects")
    assert (queue.object, queue.deleted, queue.changes, queue.object_class) == (str(QUEUE), False, 5, "QUEUE")
    assert queue.properties["PROPID_Q_LABEL"].text == "label 9"
    assert queue.properties["PROPID_Q_QUOTA"].integer == 5
    assert (other.object, other.deleted, other.changes) == ("dc\\other", True, 4)
    assert set(other.properties) == {"PROPID_D_SCOPE", "PROPID_D_OBJTYPE"}


def test_objects_without_properties(tmp_path: Path) -> None:
    """They have none, and those of the objects beside them are where they belong."""
    capture = Capture()
    changes = [
        change(number, PathName=f"dc\\q{number}", properties={"PROPID_Q_QUOTA": number} if number % 2 else {})
        for number in (1, 2, 3, 4, 5)
    ]
    Talk(capture).open().send("->", carried(0, *changes))
    objects = rows_of(tables_of(tmp_path, capture)["directory_objects"])
    quotas = {row.object: row.properties and row.properties["PROPID_Q_QUOTA"].integer for row in objects}
    assert quotas == {"dc\\q1": 1, "dc\\q2": None, "dc\\q3": 3, "dc\\q4": None, "dc\\q5": 5}


def test_gaps(rows_of_table: Callable[[str], list[Row]]) -> None:
    """Where the number before is not the one that was captured before; purged ones are told apart."""
    rows = rows_of_table("gaps")
    assert [(row.after, row.PreviousSeqNumber, row.SeqNumber, row.purged) for row in rows] == [
        (number(3), number(6), number(7), False),
        (number(7), number(8), number(9), True),
    ]


def test_divergence(rows_of_table: Callable[[str], list[Row]]) -> None:
    """Two servers that told the third change differently; the order of properties is no difference."""
    (row,) = rows_of_table("divergence")
    assert (row.PartitionID, row.SeqNumber) == (str(PARTITION), number(3))
    versions = sorted((version.servers, version.copies) for version in row.versions)
    assert versions == [([str(server)], 1) for server in SERVERS]
    labels = {version.change.properties["PROPID_Q_LABEL"].text for version in row.versions}
    assert labels == {"third", "another"}
