"""The parts of a replication machine, each without those that it does not need."""

from __future__ import annotations

from collections import Counter
from functools import partial
from math import inf, nan
from typing import Any, cast

import pytest
from support_machines import INTER, INTRA, MACHINE, QUEUE, S1, S2, SITE, E, change, guid, request, server
from support_replication import no, sent

import msmq_wire as mw
from msmq_wire import mqdsrp
from msmq_wire.documents.directory_objects import (
    ENTERPRISE_TYPES,
    KINDS,
    SITE_TYPES,
    chosen_identifier,
    neutral,
    type_of_change,
)
from msmq_wire.documents.directory_properties import pack
from msmq_wire.documents.propid import breach, by_number
from msmq_wire.machines.replication import (
    CancelTimer,
    ChangePropagationTimer,
    Command,
    MemoryDirectory,
    PersistentState,
    PropagationScope,
    Readings,
    SendMessage,
    ServerState,
    Settings,
    StartTimer,
)
from msmq_wire.machines.replication.network import RandomNetwork, Reliable
from msmq_wire.machines.replication.parts.authority import Authority
from msmq_wire.machines.replication.parts.deletions import Deletions
from msmq_wire.machines.replication.parts.neighbors import Neighbors
from msmq_wire.machines.replication.parts.objects import Objects, Subject
from msmq_wire.machines.replication.parts.outbox import Outbox
from msmq_wire.machines.replication.parts.partitions import Partitions
from msmq_wire.machines.replication.parts.replica import Replica
from msmq_wire.machines.replication.parts.replies import Replies
from msmq_wire.machines.replication.parts.requests import MQDS_UNKNOWN_SOURCE, Requests
from msmq_wire.machines.replication.readings import AS_PRINTED


class Parts:
    """The parts of PSC1, as far as a test asks for them; each knows those above it only."""

    def __init__(self, **options: Any) -> None:
        self.known = ServerState(
            server=server("PSC1"), directory=MemoryDirectory(), persistent=PersistentState(), **options
        )
        self.outbox = Outbox(self.known)
        self.partitions = Partitions(self.known, self.outbox)
        self.own, self.other = self.partitions.add(S1, "PSC1"), self.partitions.add(S2, "PSC2")

    def neighbors(self) -> Neighbors:
        return Neighbors(self.known, self.outbox, self.partitions)

    def deletions(self) -> Deletions:
        return Deletions(self.known, self.partitions, self.neighbors())

    def objects(self) -> Objects:
        return Objects(self.known, self.partitions, self.neighbors(), self.deletions())


def test_what_an_object_lacks_is_sent_as_a_value_that_is_allowed() -> None:
    """The path is not among them, because every object with a path has it."""
    for kind in KINDS.values():
        for number in kind.changes:
            found = by_number(number)
            if found is not None and number != kind.path:
                assert breach(found, neutral(number).value) is None
                assert neutral(number).encode()


def test_outbox() -> None:
    parts = Parts()
    message = mqdsrp.ChangeReplyMessage(RequesterName="PSC2")
    timer = ChangePropagationTimer("PSC2", INTER)
    parts.outbox.start_timer(timer, 3)
    parts.outbox.cancel_timer(timer)
    parts.outbox.send_replication_message("", message)
    parts.outbox.send_replication_message("PSC2", message)
    parts.known.readings = Readings(masked_priority=True)
    parts.outbox.send_replication_message("PSC2", message)
    first, second, *posted = parts.outbox.take()
    assert (first, second) == (StartTimer(timer, 3), CancelTimer(timer))
    assert [item.Priority for item in posted if isinstance(item, SendMessage)] == [7, 0]
    assert parts.outbox.take() == []
    assert parts.outbox.header(6) == mqdsrp.BaseReplicationHeader(SiteID=S1, Operation=6)


def test_partitions() -> None:
    parts = Parts()
    known = parts.partitions
    assert known.all() == [parts.own, parts.other]
    assert (known.own_partition(S1), known.own_partition(S2)) == (parts.own, None)
    assert (known.told_partition(S1), known.told_partition(S2)) == (None, parts.other)
    assert known.my_site_partition is parts.own
    assert known.my_enterprise_partition is None
    known.state(parts.other).ChangeMissingWindow = no(5)
    known.send_sync_request(parts.other)
    (asked,) = sent(parts.outbox.take())
    assert (asked.PartitionID, asked.RequesterName) == (S2, "PSC1")
    assert known.remove(S2) is parts.other
    assert (known.get(S2), known.remove(S2)) == (None, None)
    assert known.state(known.add(S2, "PSC2")).ChangeMissingWindow != no(5)


def test_neighbors() -> None:
    parts = Parts()
    neighbors = parts.neighbors()
    for name, site, scope in (("PSC2", S2, INTER), ("BSC1a", S1, INTRA), ("PSC1", S1, INTRA)):
        neighbors.add_neighbor(name, site, scope)
    assert [list(neighbors.of(scope)) for scope in PropagationScope] == [["BSC1a"], ["PSC2"]]
    assert neighbors.is_known("BSC1a")
    assert not neighbors.is_known("PSC1")
    neighbors.queue(change(0, 1))
    neighbors.relay(change(0, 2), at_once=False)
    parts.outbox.take()
    neighbors.send_change_propagation("BSC1a", INTRA)
    (message,) = sent(parts.outbox.take())
    assert [int(item.SeqNumber) for item in message.DirectoryChanges] == [1, 2]
    neighbors.rename_neighbor(S2, "PSC9")
    assert len(neighbors.state("PSC9", INTER).AvailableChangeCollection) == 1
    assert neighbors.least_acknowledged(S1) == 0
    neighbors.receive_psc_ack(mqdsrp.PSCAckMessage(AckedPartitionID=S1, AckedSeqNumber=no(7), PSCName="PSC9"))
    assert neighbors.least_acknowledged(S1) == 7
    neighbors.remove_neighbor("PSC9", INTER)
    assert neighbors.least_acknowledged(S1) is None


def test_deletions() -> None:
    parts = Parts(settings=Settings(purge_buffer=2))
    kept = parts.deletions()
    for number in range(1, 6):
        kept.remember(parts.own, guid(number), no(number), int(QUEUE), 0)
    assert [int(item.SeqNumber) for item in kept.between(parts.own, no(2), no(4))] == [2, 3, 4]
    assert list(kept.between(parts.other, no(0), no(9))) == []
    parts.own.LastSeqNumber = no(5)
    kept.purge_deleted_objects(parts.own)
    assert list(kept.of(S1)) == [guid(4), guid(5)]
    assert parts.own.PurgedSeqNumber == no(3)
    kept.mark(parts.own)
    kept.remember(parts.own, guid(5), no(6), int(QUEUE), 0)
    kept.sweep(parts.own)
    assert list(kept.of(S1)) == [guid(5)]
    kept.forget(S1)
    assert kept.of(S1) == {}


def test_objects() -> None:
    parts = Parts()
    objects = parts.objects()
    bsc = Subject.of(Command.CREATE, "BSC1a", guid(1), *pack({"PROPID_QM_SERVICE": 2}))
    assert bsc is not None
    assert objects.carry_out(parts.own, Command.CREATE, bsc, no(1)) == (0, False)
    assert list(parts.known.persistent.BSCNeighborCollection) == ["BSC1a"]
    assert objects.names(bsc._replace(path=None)) == ("BSC1a", guid(1))
    enterprise = parts.partitions.add(E, "PEC0")
    site = Subject.of(Command.CREATE, "site9", guid(9), *pack({"PROPID_S_PSC": "PSC9"}))
    assert site is not None
    assert objects.carry_out(enterprise, Command.CREATE, site, no(1)).flush
    assert parts.partitions.get(guid(9)) is not None
    assert objects.carry_out(parts.own, 9, bsc, no(2)).status != 0
    assert objects.remove_site(guid(9))
    assert not objects.remove_site(guid(9))
    assert not objects.remove_site(E)
    assert parts.known.directory.read(MACHINE, "BSC1a", None) is not None
    assert parts.known.directory.read(SITE, "site9", None) is not None
    assert Subject.of(Command.UPDATE, "x", None, (108,), ()) is None


def test_replica_and_replies() -> None:
    parts = Parts()
    neighbors, deletions, objects = parts.neighbors(), parts.deletions(), parts.objects()
    replica = Replica(parts.known, parts.outbox, parts.partitions, neighbors, deletions, objects)
    for number, previous in ((1, 0), (3, 2), (2, 1)):
        replica.handle_directory_change(
            parts.other, change(0, number, previous, PathName=f"C\\q{number}", guid=guid(number)), True
        )
    assert parts.other.LastSeqNumber == no(3)
    assert not parts.partitions.state(parts.other).PendingChangeCollection
    assert parts.outbox.take() == []  # all was asked for when the server started
    replies = Replies(parts.known, parts.outbox, parts.partitions, deletions)
    asked = mqdsrp.SyncRequestMessage(
        PartitionID=S2, FromSeqNumber=no(2), ToSeqNumber=no(9), RequesterName="BSC1a"
    )
    replies.receive_sync_request(asked)
    (answer,) = sent(parts.outbox.take())
    assert [int(item.SeqNumber) for item in answer.DirectoryChanges] == [2, 3]


def test_authority_and_requests() -> None:
    parts = Parts()
    neighbors, objects = parts.neighbors(), parts.objects()
    neighbors.add_neighbor("PSC2", S2, INTER)
    authority = Authority(parts.known, parts.partitions, neighbors, parts.deletions(), objects)
    requests = Requests(parts.known, parts.outbox, parts.partitions, neighbors, authority)
    parts.outbox.take()
    assert (authority.next_number(S1), authority.next_number(S2)) == (no(1), no(0))
    requests.receive_change_request(request())
    (answer,) = sent(parts.outbox.take())
    assert (answer.Result, authority.next_number(S1)) == (0, no(2))
    assert len(neighbors.state("PSC2", INTER).AvailableChangeCollection) == 1
    assert requests.process_change_request(request(1, S2), forwarded=True) is None
    assert requests.process_change_request(request(1, guid(9), "PSC8"), forwarded=True) == MQDS_UNKNOWN_SOURCE
    parts.outbox.take()
    requests.receive_change_reply(
        mqdsrp.ChangeReplyMessage(RequestIdentifier=7, Result=5, RequesterName="PSC2")
    )
    (answer,) = sent(parts.outbox.take())
    assert answer.Result == 5
    assert not parts.known.volatile.waiting


def test_type_of_a_deletion() -> None:
    """The second value says it; where it is missing, none follows."""
    scope, kind = mw.PropertyValue(17, 1), mw.PropertyValue(17, 1)
    assert type_of_change(2, [], [scope]) is None
    assert type_of_change(2, [], [scope, kind]) == 1


def test_numbers_of_the_document() -> None:
    """[MC-MQDSRP] notes 6, 7, 11 and 12, and 3.1.7.2.2, 3.1.7.2.3 and 3.1.7.2.9."""
    kept = Settings()
    assert (kept.intersite, kept.intrasite) == (10, 2)
    assert (kept.first_bsc_ack, kept.bsc_ack, kept.header) == (5, 12 * 3600, 20 * 60)
    assert (kept.reply_wait, kept.forwarded_wait, kept.reset_retry) == (10, 20, 60)
    assert (kept.pending, kept.purge_buffer, kept.purge_interval, kept.ack_interval) == (100, 1024, 256, 256)
    assert kept.empty_propagations


def test_readings_are_those_with_which_replicas_converge() -> None:
    """None is that of the text where it differs, and all are in the literal document."""
    assert not any(getattr(Readings(), name) for name in Readings.__struct_fields__)
    added = {name for name in Readings.__struct_fields__ if not getattr(AS_PRINTED, name)}
    assert added == {
        "ask_from_next", "masked_priority", "flush_to_bsc", "site_of_forwarder", "ask_each_time",
    }  # fmt: skip


def test_which_types_a_partition_has() -> None:
    """[MC-MQDSRP] 3.2.7.3: the enterprise has five, a site machines and queues."""
    assert [kind.name for kind in ENTERPRISE_TYPES] == [
        "SITE", "CONNECTED_NETWORK", "ENTERPRISE", "USER", "ROUTING_LINK",
    ]  # fmt: skip
    assert set(SITE_TYPES) == {MACHINE, QUEUE}
    assert KINDS.keys() == {*ENTERPRISE_TYPES, *SITE_TYPES}
    assert {kind for kind, row in KINDS.items() if not row.path} == set(ENTERPRISE_TYPES[3:])


def test_a_guid_that_nobody_gave_is_the_same_on_every_server() -> None:
    """Also where servers have other versions of this library; it is another for each change."""
    first = chosen_identifier(S1, no(1).raw)
    assert str(first) == "be647e6a-46f8-524f-a544-9de38c3be84b"
    assert len({first, chosen_identifier(S1, no(2).raw), chosen_identifier(S2, no(1).raw)}) == 3


def test_the_enterprise_is_no_site() -> None:
    """Whatever site object has its identifier (errata D57): nothing changes, and no BSC has to know."""
    parts = Parts()
    objects, enterprise = parts.objects(), parts.partitions.add(E, "PEC0")
    for command in (Command.CREATE, Command.UPDATE, Command.SYNC):
        site = Subject.of(command, "nowhere", E, *pack({"PROPID_S_PSC": "PSC9", "PROPID_S_SITEID": E}))
        assert site is not None
        assert objects.carry_out(enterprise, command, site, no(1)) == (0, False)
    assert enterprise.AuthorityName == "PEC0"
    assert parts.known.persistent.PSCNeighborCollection == {}
    assert {part.PartitionID for part in parts.partitions.all()} == {S1, S2, E}


def test_the_psc_of_a_new_site_is_the_neighbor_of_its_partition() -> None:
    """As printed, a site that is created has a neighbor of the enterprise partition (errata D17)."""
    new = guid(77)
    for printed, expected in ((False, new), (True, E)):
        parts = Parts()
        parts.known.readings = Readings(neighbor_of_enterprise=printed)
        objects, enterprise = parts.objects(), parts.partitions.add(E, "PEC0")
        site = Subject.of(
            Command.CREATE, "site", new, *pack({"PROPID_S_PSC": "PSC9", "PROPID_S_SITEID": new})
        )
        assert site is not None
        assert objects.carry_out(enterprise, Command.CREATE, site, no(1)) == (0, True)
        assert parts.known.persistent.PSCNeighborCollection["PSC9"].PartitionID == expected


@pytest.mark.parametrize(
    ("make", "name", "most"),
    [
        (partial(RandomNetwork, 1), "drop", 1),
        (partial(RandomNetwork, 1), "duplicate", 1),
        (partial(RandomNetwork, 1), "delay", inf),
        (Reliable, "latency", inf),
    ],
)
def test_chances_and_durations_of_networks(make: Any, name: str, most: float) -> None:
    """Probabilities go from 0 to 1, and durations from 0 to any number that is one."""
    for value in (0, 1, min(most, 1e300)):
        assert make(**{name: value})
    for value in (-0.5, -1, most + 1, nan):
        with pytest.raises(mw.MsmqWireError, match=rf"^{name} is {value}, not "):
            make(**{name: value})


def test_what_a_network_of_chance_does_unless_told() -> None:
    """It loses a tenth of the messages, doubles a tenth of the others, and takes up to half a minute."""
    network, nothing = RandomNetwork(7), cast("Any", None)
    found = [network.delays("PEC0", nothing) for _ in range(3000)]
    copies = Counter(map(len, found))
    assert 0.08 < copies[0] / 3000 < 0.12
    assert 0.08 < copies[2] / (copies[1] + copies[2]) < 0.12
    delays = [delay for one in found for delay in one]
    assert 0 < min(delays) < 0.5
    assert 29.5 < max(delays) < 30
    assert set(copies) == {0, 1, 2}
    again = RandomNetwork(7)
    assert [again.delays("PEC0", nothing) for _ in range(3000)] == found
    assert Reliable().delays("PEC0", nothing) == (0.01,)


def test_no_event_was_at_a_time_yet() -> None:
    assert Parts().known.time == 0
