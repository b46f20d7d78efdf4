"""The scenarios of [MC-MQDSRP] 4, step by step."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest
from support_replication import QUICK, check_messages, no, of_kind, talk, three_sites

from msmq_wire import mqdsrp
from msmq_wire.documents.propid import ObjectClass
from msmq_wire.machines.replication import (
    PEC_PARTITION_ID,
    Command,
    Enterprise,
    PurgeState,
    RandomNetwork,
    Settings,
)
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER

REQUEST, REPLY = "SyncRequestMessage", "SyncReplyMessage"


def partitions(enterprise: Enterprise, server: str) -> set[str]:
    known = {PEC_PARTITION_ID: "enterprise"}
    known |= {enterprise.site(site): site for site in sites(enterprise)}
    return {known[identifier] for identifier in enterprise.state(server).DirectoryPartitionCollection}


def sites(enterprise: Enterprise) -> set[str]:
    return {
        found.PathName or "" for found in enterprise.directory("PEC0") if found.ObjectType is ObjectClass.SITE
    }


def test_adding_a_site() -> None:
    """[MC-MQDSRP] 4.1."""
    enterprise = Enterprise(settings=QUICK, keep_log=True)
    enterprise.run(1)
    assert partitions(enterprise, "PEC0") == {"enterprise", "site0"}

    # PEC0 creates the site: a partition, a neighbor.  PSC1 starts, knows one partition, asks for it.
    enterprise.add_site("PSC1", "site1")
    assert partitions(enterprise, "PEC0") == {"enterprise", "site0", "site1"}
    assert list(enterprise.state("PEC0").PSCNeighborCollection) == ["PSC1"]
    assert partitions(enterprise, "PSC1") == {"enterprise"}
    (request,) = of_kind(enterprise, mqdsrp.SyncRequestMessage, "PSC1")
    assert (request.PartitionID, request.FromSeqNumber) == (PEC_PARTITION_ID, no(0))
    assert (request.ToSeqNumber, request.IsSync0, request.Scope) == (MAX_SEQ_NUMBER, 0, 1)

    # The reply has the enterprise and both sites; of them follow partitions, a neighbor, the next request.
    talked = talk(enterprise, 1)
    assert [row for row in talked if row[0] == "PSC1" or row[1] == "PSC1"] == [
        ("PEC0", "PSC1", REPLY),
        ("PSC1", "PEC0", REQUEST),
        ("PEC0", "PSC1", REPLY),
    ]
    first, second = of_kind(enterprise, mqdsrp.SyncReplyMessage, "PEC0")
    assert [change.Command for change in first.DirectoryChanges] == [Command.SYNC] * 3
    assert second.SyncReplyHeader.PartitionID == enterprise.site("site0")
    assert partitions(enterprise, "PSC1") == {"enterprise", "site0", "site1"}
    assert list(enterprise.state("PSC1").PSCNeighborCollection) == ["PEC0"]
    assert enterprise.differences() == []

    # What happens in site1 goes to PEC0 now.
    values = {"PROPID_QM_QUOTA": 5}
    enterprise.create("PSC1", ObjectClass.MACHINE, "C11", values, partition=enterprise.site("site1"))
    assert ("PSC1", "PEC0", "ChangePropagationMessage") in talk(enterprise, 11)
    assert enterprise.differences() == []

    # The PSC of another site creates two partitions of others and asks both authorities.
    enterprise.add_site("PSC2", "site2")
    before = len(enterprise.log)
    enterprise.run(1)
    asked = [row.sent for row in enterprise.log[before:] if row.sender == "PSC2"]
    assert [row.Destination for row in asked] == ["PEC0", "PSC1"]
    enterprise.run(11)
    assert partitions(enterprise, "PSC2") == {"enterprise", "site0", "site1", "site2"}
    assert set(enterprise.state("PSC1").PSCNeighborCollection) == {"PEC0", "PSC2"}
    assert enterprise.differences() == []
    assert check_messages(enterprise.log)


def test_partitions_that_one_side_does_not_know_are_differences() -> None:
    enterprise = Enterprise(settings=QUICK)
    enterprise.add_site("PSC1", "site1")
    enterprise.run(1)
    site = enterprise.site("site1")
    kept = enterprise.state("PEC0").DirectoryPartitionCollection.pop(site)
    assert enterprise.differences() == [f"PSC1, partition {site}: not known by both"]
    enterprise.state("PEC0").DirectoryPartitionCollection[site] = kept
    del enterprise.state("PSC1").DirectoryPartitionCollection[enterprise.site("site0")]
    assert enterprise.differences() == [f"PSC1, partition {enterprise.site('site0')}: not known by both"]


@pytest.mark.parametrize(
    ("drop", "duplicate", "copies"), [(0.0, 0.0, 1), (0.0, 1.0, 2), (1.0, 0.0, 0), (1.0, 1.0, 0)]
)
def test_a_network_that_always_or_never_fails(drop: float, duplicate: float, copies: int) -> None:
    network = RandomNetwork(1, drop=drop, duplicate=duplicate, delay=5)
    enterprise = Enterprise(settings=QUICK, keep_log=True)
    enterprise.add_site("PSC1", "site1")
    delays = network.delays("PSC1", enterprise.log[0].sent)
    assert len(delays) == copies
    assert all(0 <= delay <= 5 for delay in delays)


def test_adding_a_bsc() -> None:
    """[MC-MQDSRP] 4.2."""
    enterprise = Enterprise(settings=QUICK, keep_log=True)
    for number in (1, 2):
        enterprise.add_site(f"PSC{number}", f"site{number}")
        enterprise.run(15)
    enterprise.create("PSC1", ObjectClass.MACHINE, "C11", {}, partition=enterprise.site("site1"))
    enterprise.run(15)
    enterprise.add_bsc("BSC01", "site0")
    assert partitions(enterprise, "BSC01") == {"enterprise"}
    talked = [row for row in talk(enterprise, 1) if "BSC01" in row[:2]]
    # One partition, then the three sites; everything is asked of the BSC's own PSC.
    assert talked == [
        ("PEC0", "BSC01", REPLY),
        *[("BSC01", "PEC0", REQUEST)] * 3,
        *[("PEC0", "BSC01", REPLY)] * 3,
    ]
    requests = of_kind(enterprise, mqdsrp.SyncRequestMessage, "BSC01")
    assert [request.Scope for request in requests] == [0] * 4
    assert [request.PartitionID for request in requests[1:]] == [
        enterprise.site(site) for site in ("site0", "site1", "site2")
    ]
    assert partitions(enterprise, "BSC01") == {"enterprise", "site0", "site1", "site2"}
    assert list(enterprise.state("PEC0").BSCNeighborCollection) == ["BSC01"]
    assert not enterprise.state("BSC01").PSCNeighborCollection
    # Five seconds after the start it acknowledges.
    enterprise.run(11)
    assert enterprise.differences() == []
    assert len(of_kind(enterprise, mqdsrp.BSCAckMessage, "BSC01")) == 1
    assert enterprise.state("PEC0").BSCNeighborCollection["BSC01"].LastAckedTime > 0
    assert check_messages(enterprise.log)


def test_creating_a_remote_queue() -> None:
    """[MC-MQDSRP] 4.3."""
    enterprise = three_sites()
    before = len(enterprise.log)
    site = enterprise.site("site1")
    enterprise.run(0.5)
    request = enterprise.create(
        "BSC21", ObjectClass.QUEUE, "C14\\testq", {"PROPID_Q_LABEL": "test"}, partition=site
    )
    enterprise.run(30)
    rows = [
        (row.sender, row.sent.Destination, type(row.sent.ReplicationMessage).__name__)
        for row in enterprise.log[before:]
    ]
    change, reply, propagation = (
        "ChangeRequestMessage", "ChangeReplyMessage", "ChangePropagationMessage",
    )  # fmt: skip
    assert rows[:4] == [
        ("BSC21", "PSC2", change),
        ("PSC2", "PSC1", change),
        ("PSC1", "PSC2", reply),
        ("PSC2", "BSC21", reply),
    ]
    assert enterprise.completed["BSC21", request] == 0
    assert {row for row in rows[4:] if row[2] == propagation} == {
        ("PSC1", "PEC0", propagation),
        ("PSC1", "PSC2", propagation),
        ("PSC2", "BSC21", propagation),
        ("PEC0", "BSC01", propagation),
        ("PEC0", "BSC02", propagation),
    }
    asked, forwarded = of_kind(enterprise, mqdsrp.ChangeRequestMessage)
    assert asked == forwarded  # with the SiteID of its sender, errata D24
    assert asked.ChangeRequestHeader.PSCName == "PSC2"
    assert [answer.RequesterName for answer in of_kind(enterprise, mqdsrp.ChangeReplyMessage)] == [
        "BSC21"
    ] * 2
    for server in ("PEC0", "PSC1", "PSC2", "BSC01", "BSC02", "BSC21"):
        found = enterprise.directory(server).read(ObjectClass.QUEUE, "C14\\testq", None)
        assert found is not None
        assert (found.SeqNumber, found.PartitionID) == (no(1), site)
    assert enterprise.differences() == []
    assert check_messages(enterprise.log)


def deletion_that_a_bsc_misses() -> Enterprise:
    """The enterprise of [MC-MQDSRP] 4.4 with a buffer of one change, so that ten changes are enough."""
    settings = Settings(
        empty_propagations=False, purge_buffer=1, purge_interval=1, ack_interval=1, bsc_ack=20, header=60
    )
    enterprise = three_sites(settings=settings)
    site = enterprise.site("site1")
    for number in range(7):
        enterprise.create("PSC1", ObjectClass.QUEUE, f"C14\\q{number}", {}, partition=site)
    enterprise.run(30)
    enterprise.delete("PSC1", ObjectClass.QUEUE, "C14\\q0", partition=site)
    (kept,) = enterprise.state("PSC1").DeletedObjectCollection[site].values()
    assert (kept.SeqNumber, kept.ObjectType, kept.Scope) == (no(8), 1, 0)
    enterprise.crash("BSC01")
    enterprise.run(30)
    for server in ("PEC0", "PSC2", "BSC02", "BSC21"):
        assert enterprise.directory(server).read(ObjectClass.QUEUE, "C14\\q0", None) is None
        assert len(enterprise.state(server).DeletedObjectCollection[site]) == 1
    assert {ack.BSCName for ack in of_kind(enterprise, mqdsrp.BSCAckMessage)} >= {"BSC02", "BSC21"}
    return enterprise


def test_deleting_a_queue() -> None:
    """[MC-MQDSRP] 4.4."""
    enterprise = deletion_that_a_bsc_misses()
    site = enterprise.site("site1")

    # PEC0 and PSC2 acknowledge; with the next change PSC1 purges what both have.
    neighbors = enterprise.state("PSC1").PSCNeighborCollection
    assert {name: int(item.AckedSeqNumber) for name, item in neighbors.items()} == {"PEC0": 8, "PSC2": 8}
    for number in (9, 10):
        enterprise.create("PSC1", ObjectClass.QUEUE, f"C14\\q{number}", {}, partition=site)
        enterprise.run(30)
    assert not enterprise.state("PSC1").DeletedObjectCollection[site]
    assert enterprise.state("PSC1").DirectoryPartitionCollection[site].PurgedSeqNumber >= no(8)
    assert check_messages(enterprise.log)


def test_full_partition_synchronization() -> None:
    """[MC-MQDSRP] 4.5: a BSC has been away until its PSC has purged a deletion that it does not know."""
    enterprise = deletion_that_a_bsc_misses()
    site = enterprise.site("site1")
    for number in range(9, 31):
        enterprise.create("PSC1", ObjectClass.QUEUE, f"C14\\q{number}", {}, partition=site)
        enterprise.run(15)
    enterprise.delete("PSC1", ObjectClass.QUEUE, "C14\\q1", partition=site)
    for number in range(31, 36):
        enterprise.create("PSC1", ObjectClass.QUEUE, f"C14\\q{number}", {}, partition=site)
        enterprise.run(120)
    replica = enterprise.state("PEC0").DirectoryPartitionCollection[site]
    assert (
        replica.PurgedSeqNumber > enterprise.state("BSC01").DirectoryPartitionCollection[site].LastSeqNumber
    )
    before = len(enterprise.log)
    enterprise.start("BSC01")
    seen = []
    for _ in range(100):
        enterprise.run(0.01)
        seen.append(enterprise.state("BSC01").DirectoryPartitionCollection[site].PurgeState)
    states = [state for state, _ in groupby(seen)]
    assert states == [PurgeState.NORMAL, PurgeState.SYNC0, PurgeState.NORMAL]
    talked: list[Any] = [
        row.sent.ReplicationMessage
        for row in enterprise.log[before:]
        if "BSC01" in (row.sender, row.sent.Destination)
    ]
    about = [message for message in talked if getattr(message, "PartitionID", None) == site]
    assert [type(message).__name__ for message in about] == [REQUEST, "AlreadyPurgedMessage", REQUEST]
    assert [about[0].FromSeqNumber, about[2].FromSeqNumber, about[2].IsSync0] == [no(7), no(0), 1]
    replies = [message for message in talked if type(message).__name__ == REPLY]
    (rebuilt,) = [message for message in replies if message.SyncReplyHeader.CompleteSync0]
    assert rebuilt.SyncReplyHeader.CompleteSync0 == 2
    enterprise.run(130)
    assert enterprise.directory("BSC01").read(ObjectClass.QUEUE, "C14\\q0", None) is None
    assert enterprise.differences() == []
    assert check_messages(enterprise.log)
