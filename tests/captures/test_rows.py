"""Rows of directory changes and of parts of messages, value by value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import msmq_wire as mw
from msmq_wire import mqdsrp, mqmq, mqqb
from msmq_wire.captures.rows import directory, partial
from msmq_wire.captures.rows.directory import changes
from msmq_wire.captures.rows.packets import CARRIED
from msmq_wire.documents import propid
from msmq_wire.packets.kinds import record_of
from msmq_wire.packets.reassembly import Kind

from .segments import MESSAGE

G1, G2 = mw.GUID(b"\x11" * 16), mw.GUID(b"\x22" * 16)
SITE, PARTITION = mw.GUID(b"\x33" * 16), mw.GUID(b"\x44" * 16)


def change(*properties: tuple[int, Any], **fields: Any) -> Any:
    numbers, values = [number for number, _ in properties], [value for _, value in properties]
    given = {"PathName": "Server\\Q", "PartitionID": PARTITION, **fields}
    return mqdsrp.DirectoryChange(PropertyID=numbers, PropertyValue=values, **given)


def rows_of(*messages: Any, carries: str = "REPLICATION") -> list[dict[str, Any]]:
    columns = {name: pa.nulls(len(messages), kind) for name, kind, _ in CARRIED}
    columns |= {"server": pa.array(["s"] * len(messages)), "carries": pa.array([carries] * len(messages))}
    columns["body"] = pa.array([mqdsrp.encode(message) for message in messages])
    (batch,) = changes()([pa.RecordBatch.from_pydict(columns)])
    found: list[dict[str, Any]] = batch.to_pylist()
    return found


def header(operation: int) -> Any:
    return mqdsrp.BaseReplicationHeader(SiteID=SITE, Operation=operation)


def test_changes_of_several_messages() -> None:
    """Each has its place in its message, and what its message says of itself."""
    first = mqdsrp.ChangePropagationMessage(
        BaseReplicationHeader=header(0),
        DirectoryChanges=[
            change((108, "one"), Command=0, SeqNumber=5, PreviousSeqNumber=4),
            change(Command=2, SeqNumber=6, PathName="OTHER"),
        ],
    )
    reply = mqdsrp.SyncReplyMessage(
        SyncReplyHeader=mqdsrp.SyncReplyHeader(BaseReplicationHeader=header(3)),
        DirectoryChanges=[change((108, "two"), Command=3)],
    )
    rows = rows_of(first, reply, mqdsrp.ChangePropagationMessage(), reply)
    assert [row["index"] for row in rows] == [0, 1, 0, 0]
    assert [row["type"] for row in rows] == ["ChangePropagationMessage"] * 2 + ["SyncReplyMessage"] * 2
    assert {row["site"] for row in rows} == {str(SITE)}
    assert {row["PartitionID"] for row in rows} == {str(PARTITION)}
    assert [row["path"] for row in rows] == ["server\\q", "other", "server\\q", "server\\q"]
    assert [row["PathName"] for row in rows][:2] == ["Server\\Q", "OTHER"]
    assert [[name for name, _ in row["properties"]] for row in rows] == [["PROPID_Q_LABEL"], []] + [
        ["PROPID_Q_LABEL"]
    ] * 2
    assert [row["properties"][0][1]["text"] for row in (rows[0], rows[2])] == ["one", "two"]
    assert rows[2] == rows[3]
    (single,) = rows_of(reply, carries="NOTIFICATION")
    assert (single["type"], single["site"]) == ("ChangeNotificationMessage", None)


def test_the_change_of_a_request() -> None:
    """It is the only one of its message, whose header is another; requests come after lists of changes."""
    request = mqdsrp.ChangeRequestMessage(
        ChangeRequestHeader=mqdsrp.ChangeRequestHeader(BaseReplicationHeader=header(1)),
        DirectoryChange=change((108, "asked"), Command=1),
    )
    listed = mqdsrp.ChangePropagationMessage(
        BaseReplicationHeader=header(0), DirectoryChanges=[change((108, "told"), Command=1)] * 2
    )
    rows = rows_of(request, listed, request)
    kinds = ["ChangePropagationMessage"] * 2 + ["ChangeRequestMessage"] * 2
    assert [(row["type"], row["index"], row["site"]) for row in rows] == [
        (kind, index, str(SITE)) for kind, index in zip(kinds, (0, 1, 0, 0), strict=True)
    ]
    assert [row["properties"][0][1]["text"] for row in rows] == ["told", "told", "asked", "asked"]
    assert [row["object_class"] for row in rows] == ["QUEUE"] * 4


@pytest.mark.parametrize(
    ("parents", "places"), [([], []), ([0, 0, 0], [0, 1, 2]), ([0, 0, 2, 2, 2, 3], [0, 1, 0, 1, 2, 0])]
)
def test_places_of_changes(parents: list[int], places: list[int]) -> None:
    assert directory.places_of(np.array(parents, np.int64)) == places


IDENTIFIERS = (
    *("PROPID_Q_INSTANCE", "PROPID_QM_MACHINE_ID", "PROPID_S_SITEID", "PROPID_CN_GUID"),
    *("PROPID_E_ID", "PROPID_U_ID", "PROPID_L_ID", "PROPID_D_IDENTIFIER"),
)


@pytest.mark.parametrize("name", IDENTIFIERS)
def test_objects_are_known_by_a_property(name: str) -> None:
    """Unless the change names the object itself; other GUIDs, such as that of a type, are no identifiers."""
    number = propid.PROPID[name]
    of_type = propid.PROPID["PROPID_Q_TYPE"]
    rows = rows_of(
        mqdsrp.ChangePropagationMessage(
            DirectoryChanges=[
                change((of_type, G2), (int(number), G1)),
                change((of_type, G2)),
                change((int(number), G1), UseGuid=1, GuidIdentifier=G2, PathName=None),
            ]
        )
    )
    assert [row["identifier"] for row in rows] == [str(G1), None, str(G2)]


def test_the_first_of_equal_properties_is_used() -> None:
    """A property without a name has its number; the order makes no other contents, and a value does."""
    label, quota = (108, "one"), (105, 7)
    rows = rows_of(
        mqdsrp.ChangePropagationMessage(
            DirectoryChanges=[
                change(label, quota),
                change(quota, label, (108, "two")),
                change(quota, (108, "two")),
                change(label, quota, PreviousSeqNumber=1),
                change(label, quota, PathName="SERVER\\q"),
                change(label, quota, Command=1),
            ]
        )
    )
    assert [(name, value["text"]) for name, value in rows[1]["properties"]] == [
        ("PROPID_Q_QUOTA", None),
        ("PROPID_Q_LABEL", "one"),
    ]
    contents = [row["content"] for row in rows]
    assert contents[0] == contents[1] == contents[4]
    assert len({*contents[:4], contents[5]}) == 4


# ------------------------------------------------------------------------------------------ parts


def pieces(*data: bytes, kind: Kind = Kind.TAIL) -> pa.RecordBatch:
    columns = {name: pa.nulls(len(data), of) for name, of, _ in CARRIED}
    columns |= {"kind": pa.array([str(kind)] * len(data)), "data": pa.array(data, pa.binary())}
    return pa.RecordBatch.from_pydict(columns)


@pytest.mark.parametrize(
    ("kind", "data", "known"),
    [
        (Kind.HEAD, MESSAGE[:8], True),
        (Kind.TAIL, MESSAGE[:8], True),
        (Kind.UNREADABLE, MESSAGE[:8], True),
        (Kind.JUNK, MESSAGE[:8], False),
        (Kind.REST, MESSAGE[:8], False),
        (Kind.PACKET, MESSAGE, False),
        (Kind.HEAD, MESSAGE[:7], False),
        (Kind.HEAD, b"\x11" + MESSAGE[1:], False),
        (Kind.HEAD, MESSAGE[:7] + b"\0" + MESSAGE[8:], False),
        (Kind.HEAD, b"", False),
    ],
)
def test_parts_begin_as_packets(kind: Kind, data: bytes, known: bool) -> None:
    """With the version and the signature."""
    assert partial.are_parts(pieces(data, kind=kind)).to_pylist() == [known]


def test_packets_without_a_signature_are_pings() -> None:
    ping = mqqb.PingPacket().encode()
    assert record_of(ping) == mqqb.PingPacket()
    assert record_of(MESSAGE) == mw.decode(MESSAGE)
    for wrong in (ping[:-1], ping + b"\0", mqmq.BaseHeader().encode()):
        with pytest.raises(mw.DecodeError):
            record_of(wrong)
