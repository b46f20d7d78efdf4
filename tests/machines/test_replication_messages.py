"""The steps of [MC-MQDSRP] 3.2 and 3.3, on a single machine: what it does as a server and as a client."""

from __future__ import annotations

from typing import Any

import pytest
from support_machines import (
    BAD_SIGNATURE,
    INTER,
    INTRA,
    MACHINE,
    NACK,
    QUEUE,
    S0,
    S1,
    S2,
    SITE,
    E,
    change,
    deleted,
    guid,
    has_queue,
    machine,
    part,
    propagation,
    reply,
    request,
    sync_request,
    waiting_for,
    window,
)
from support_replication import deliver, no, sent

from msmq_wire import GUID, PropertyValue, mqdsrp, replace
from msmq_wire.documents.propid import ObjectClass, by_name
from msmq_wire.machines.replication import (
    Acknowledgment,
    BSCAckTimer,
    CancelTimer,
    ChangePropagationTimer,
    ChangeRequestTimer,
    Command,
    DeletedObject,
    DirectoryNeighbor,
    Machine,
    MemoryDirectory,
    PropagateDirectoryChange,
    PropagationScope,
    PurgeState,
    Readings,
    ResetTimer,
    SendMessage,
    StartTimer,
    TimerFired,
)
from msmq_wire.values.properties.values import type_of
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER, MIN_SEQ_NUMBER

# ------------------------------------------------------------------------------------------ the server


def test_receive_change_propagation() -> None:
    """[MC-MQDSRP] 3.2.7.1."""
    made = machine()
    deliver(made, propagation(change(0, 1), change(1, 2), change(1, 3)))
    assert part(made).LastSeqNumber == no(3)
    assert deliver(made, propagation(PSC2=(guid(9), 9, 0))) == []
    part(made).PurgedSeqNumber = no(2)
    assert deliver(made, propagation(PSC9=(S2, 9, 1))) == []
    assert part(made).AllowedPurgeSeqNumber == no(0)
    assert deliver(made, propagation(PSC9=(S2, 3, 2))) == []
    assert (part(made).AllowedPurgeSeqNumber, part(made).AuthorityName) == (no(2), "PSC2")
    (posted,) = deliver(made, propagation(PSC9=(S2, 9, 2)))
    assert isinstance(posted, SendMessage)
    assert posted.Destination == part(made).AuthorityName == "PSC9"
    assert window(made).ChangeMissingWindow == no(10)
    printed = machine(readings=Readings(window_hides_loss=True))
    window(printed).ChangeMissingWindow = no(10)
    assert deliver(printed, propagation(PSC2=(S2, 9, 0))) == []
    assert len(deliver(printed, propagation(PSC2=(S2, 10, 0)))) == 1
    bsc = machine("BSC1a")
    (posted,) = deliver(bsc, propagation(PSC9=(S2, 9, 0)))
    assert isinstance(posted, SendMessage)
    assert posted.Destination == bsc.volatile.MyPSCName == "PSC9"
    assert part(bsc).AuthorityName == "PSC2"


def test_receive_change_request() -> None:
    """[MC-MQDSRP] 3.2.7.2 and 3.2.7.6."""
    made = machine()
    part(made, S1).LastSeqNumber = no(4)
    (posted,) = deliver(made, request())
    assert isinstance(posted, SendMessage)
    answer = posted.ReplicationMessage
    assert isinstance(answer, mqdsrp.ChangeReplyMessage)
    assert posted.Destination == answer.RequesterName == "PSC2"
    assert (answer.RequestIdentifier, answer.Result) == (7, 0)
    assert answer.BaseReplicationHeader == mqdsrp.BaseReplicationHeader(SiteID=S1, Operation=4)
    found = made.directory.read(QUEUE, "C\\q", None)
    assert found is not None
    assert found.SeqNumber == part(made, S1).LastSeqNumber == no(5)
    assert sent(deliver(made, request()))[0].Result != 0  # it is there already
    assert sent(deliver(made, request(9)))[0].Result == 0xC00E0001
    assert part(made, S1).LastSeqNumber == no(5)
    assert sent(deliver(made, request(Command.UPDATE)))[0].Result == 0
    assert sent(deliver(made, request(Command.SYNC)))[0].Result == 0
    assert sent(deliver(made, request(Command.DELETE)))[0].Result == 0
    assert part(made, S1).LastSeqNumber == no(8)
    (kept,) = made.persistent.DeletedObjectCollection[S1].values()
    assert kept == DeletedObject(guid(1), S1, no(8), 1, 0)
    # The reply goes to a neighbor, otherwise by way of the requester's PSC, otherwise to it.
    for requester, psc, receiver in (
        ("BSC1a", None, "BSC1a"),
        ("BSC2a", "PSC2", "PSC2"),
        ("PSC9", None, "PSC9"),
    ):
        (posted,) = deliver(made, request(9, requester=requester, psc=psc))
        assert isinstance(posted, SendMessage)
        assert posted.Destination == receiver
    # Another's partition: passed on; the reply goes back when there is one.
    passed_on = request(partition=S2, requester="BSC1a", psc="PSC1")
    (posted, timer) = deliver(made, passed_on)
    assert isinstance(posted, SendMessage)
    assert (posted.Destination, posted.ReplicationMessage) == ("PSC2", passed_on)
    assert timer == StartTimer(ChangeRequestTimer("BSC1a", 7), 10)
    back = mqdsrp.ChangeReplyMessage(RequestIdentifier=7, Result=3, RequesterName="BSC1a")
    (answer,) = sent(deliver(made, back))
    assert (answer.Result, answer.RequesterName) == (3, "BSC1a")
    (answer,) = sent(deliver(made, request(partition=guid(9))))
    assert answer.Result == 0xC00E0504
    # The PEC's enterprise partition; a PSC only passes that on.
    pec = machine("PEC0")
    network: dict[str, Any] = {
        "PathName": "net",
        "properties": {"PROPID_CN_PROTOCOLID": 1},
        "id": "PROPID_CN_GUID",
    }
    assert sent(deliver(pec, request(partition=E, **network)))[0].Result == 0
    assert isinstance(
        sent(deliver(machine(), request(partition=E, **network)))[0], mqdsrp.ChangeRequestMessage
    )


@pytest.mark.parametrize("command", [4, 9, 255])
@pytest.mark.parametrize("there", [False, True])
def test_a_request_without_an_operation(command: int, there: bool) -> None:
    """[MC-MQDSRP] 3.2.7.2: MQ_ERROR, whether or not the object is there."""
    made = machine()
    if there:
        deliver(made, request())
    before = part(made, S1).LastSeqNumber
    assert sent(deliver(made, request(command)))[0].Result == 0xC00E0001
    assert part(made, S1).LastSeqNumber == before


@pytest.mark.parametrize("command", [Command.UPDATE, Command.DELETE, Command.SYNC])
def test_a_request_for_an_object_of_another_partition(command: Command) -> None:
    """Errata D51: each operation on it fails, and the replica stays as its authority has it."""
    made = machine()
    deliver(made, propagation(change(Command.CREATE, 1)))
    (answer,) = sent(deliver(made, request(command)))
    assert answer.Result == 0xC00E050F
    found = made.directory.read(QUEUE, "C\\q", None)
    assert found is not None
    assert (found.PartitionID, found.SeqNumber) == (S2, no(1))
    assert part(made, S1).LastSeqNumber == no(0)
    literal = machine(readings=Readings(any_partition=True))
    deliver(literal, propagation(change(Command.CREATE, 1)))
    assert sent(deliver(literal, request(command)))[0].Result == 0


@pytest.mark.parametrize("command", [Command.CREATE, Command.SYNC])
@pytest.mark.parametrize("given", [False, True])
def test_a_request_does_not_bring_back_what_was_deleted(command: Command, given: bool) -> None:
    """Errata D53, for both operations that create an object, also where its GUID is only a property."""
    values: dict[str, Any] = {"PROPID_Q_LABEL": "x"}
    if command == Command.SYNC:
        values["PROPID_Q_INSTANCE"] = guid(1)  # `request` adds it to a creation
    again = request(command, properties=values)
    for come_back in (False, True):
        made = machine(readings=Readings(creation_as_given=given, deleted_come_back=come_back))
        assert sent(deliver(made, again))[0].Result == 0
        assert sent(deliver(made, request(Command.DELETE)))[0].Result == 0
        assert (sent(deliver(made, again))[0].Result == 0) == come_back
        assert has_queue(made) == come_back


def test_a_psc_that_does_not_know_its_site() -> None:
    """Errata D60: no partition to change, and none to report in a SeqNumberHeader."""
    made = machine()
    del made.persistent.DirectoryPartitionCollection[S1]
    assert sent(deliver(made, request()))[0].Result == 0xC00E0504
    posted, _ = made.step(TimerFired(ChangePropagationTimer("PSC2", INTER), 1))
    assert isinstance(posted, SendMessage)
    assert isinstance(posted.ReplicationMessage, mqdsrp.ChangePropagationMessage)
    assert posted.ReplicationMessage.SeqNumberHeader == mqdsrp.SeqNumberHeader(Count=0)


def test_a_synchronization_has_its_type_in_the_first_property() -> None:
    """Errata D59: also where the directory service propagates it, and by GUID where it is requested."""
    made = machine()
    deliver(made, request())
    label = PropertyValue(31, "new")
    made.step(
        PropagateDirectoryChange(
            Operation=Command.SYNC, PartitionID=S1, SeqNumber=no(2), GuidIdentifier=guid(1),
            PropertyID=(108, 111), PropertyValue=(label, PropertyValue(17, 8)),
        )
    )  # fmt: skip
    found = made.directory.read(QUEUE, None, guid(1))
    assert found is not None
    assert (found.properties[108], found.SeqNumber) == (label, no(2))
    again = request(Command.SYNC, GuidIdentifier=guid(1), properties={"PROPID_Q_QUOTA": 5})
    assert sent(deliver(made, again))[0].Result == 0
    assert found.SeqNumber == no(3)


def test_receive_sync_request() -> None:
    """[MC-MQDSRP] 3.2.7.3 and 3.2.7.7."""
    made = machine()
    for number in (1, 2, 3, 4):
        made.directory.create(QUEUE, f"C\\{number}", guid(number), S1, no(number), {})
    made.directory.create(MACHINE, "C", guid(9), S1, no(6), {})
    deleted(made, S1, 5)
    deleted(made, S2, 5)
    part(made, S1).LastSeqNumber, part(made, S1).PurgedSeqNumber = no(6), no(2)
    assert deliver(made, sync_request(guid(99))) == []
    part(made, S1).PurgeState = PurgeState.SYNC0
    assert deliver(made, sync_request(S1, 3)) == []
    part(made, S1).PurgeState = PurgeState.NORMAL
    (posted,) = deliver(made, sync_request(S1, 1))
    assert isinstance(posted, SendMessage)
    purged = posted.ReplicationMessage
    assert isinstance(purged, mqdsrp.AlreadyPurgedMessage)
    assert posted.Destination == "PSC2"
    assert (purged.PartitionID, purged.PurgedSeqNumber) == (S1, no(2))
    assert purged.BaseReplicationHeader.Operation == 5
    (known,) = sent(deliver(made, sync_request(S1, 0, KnownPurgedSeqNumber=no(2))))
    assert [int(row.SeqNumber) for row in known.DirectoryChanges] == [1, 2, 3, 4, 5, 6]
    (posted,) = deliver(made, sync_request(S1, 2))
    assert isinstance(posted, SendMessage)
    answer: Any = posted.ReplicationMessage
    assert posted.Destination == "PSC2"
    assert answer.SyncReplyHeader == mqdsrp.SyncReplyHeader(
        BaseReplicationHeader=mqdsrp.BaseReplicationHeader(SiteID=S1, Operation=3),
        PartitionID=S1,
        FromSeqNumber=no(2),
        ToSeqNumber=no(6),
        PurgedSeqNumber=no(2),
        Count=5,
        CompleteSync0=0,
    )
    rows = answer.DirectoryChanges
    assert [(int(row.PreviousSeqNumber), int(row.SeqNumber)) for row in rows] == [
        (2, 2),
        (2, 3),
        (3, 4),
        (4, 5),
        (5, 6),
    ]
    assert [row.Command for row in rows] == [3, 3, 3, 2, 3]
    assert all((row.PurgedSeqNumber, row.PartitionID, row.UseGuid) == (no(2), S1, 1) for row in rows)
    gone = rows[3]
    assert (gone.GuidIdentifier, gone.NumberOfProperties, gone.PropertyID) == (guid(5), 2, (1403, 1404))
    assert gone.PropertyValue == (PropertyValue(17, 0), PropertyValue(17, 1))
    # Up to a number; in the sync0 state with the two answers.
    for last, complete in ((no(4), 1), (no(6), 2), (MAX_SEQ_NUMBER, 2)):
        (answer,) = sent(deliver(made, sync_request(S1, 2, last, IsSync0=1)))
        assert answer.SyncReplyHeader.CompleteSync0 == complete
        assert answer.SyncReplyHeader.ToSeqNumber == (no(6) if last == MAX_SEQ_NUMBER else last)


def test_acknowledgments() -> None:
    """[MC-MQDSRP] 3.2.7.4 and 3.2.7.5, 3.1.1.2.4."""
    made = machine("PEC0")
    known = made.persistent.PSCNeighborCollection
    ack = mqdsrp.PSCAckMessage(AckedPartitionID=E, AckedSeqNumber=no(256), PSCName="PSC1")
    deliver(made, ack)
    assert (known["PSC1"].AckedPECSeqNumber, known["PSC1"].AckedSeqNumber) == (no(256), no(0))
    deliver(made, replace(ack, AckedPartitionID=S0, AckedSeqNumber=no(512)))
    assert (known["PSC1"].AckedPECSeqNumber, known["PSC1"].AckedSeqNumber) == (no(256), no(512))
    before = repr(made.persistent)
    for ignored in (replace(ack, PSCName="PSC9"), replace(ack, AckedPartitionID=S2)):
        assert deliver(made, ignored) == []
    assert repr(made.persistent) == before
    psc = machine()
    deliver(psc, replace(ack, PSCName="PSC2", AckedPartitionID=E))
    assert psc.persistent.PSCNeighborCollection["PSC2"] == DirectoryNeighbor(S2, "PSC2")
    seen = mqdsrp.BSCAckMessage(BSCMachineID=guid(1), BSCName="BSC1a")
    deliver(psc, seen, time=77.5)
    assert psc.persistent.BSCNeighborCollection["BSC1a"].LastAckedTime == 77.5
    deliver(psc, replace(seen, BSCName="BSC9"), time=78)
    bsc = machine("BSC1a")
    before = repr(bsc.persistent)
    deliver(bsc, seen)
    deliver(bsc, ack)
    assert repr(bsc.persistent) == before
    assert psc.persistent.BSCNeighborCollection["BSC1a"].LastAckedTime == 77.5


COLUMNS = {
    SITE: ("site", "PROPID_S_PATHNAME", (303, 305, 306, 301, 304, 1302, 1301)),
    ObjectClass.CONNECTED_NETWORK: ("net", "PROPID_CN_NAME", (502, 501, 1501)),
    ObjectClass.ENTERPRISE: (
        "e", "PROPID_E_NAME",
        (601, 602, 603, 604, 616, 617, 1601, 605, 606, 610, 611, 612, 613, 614, 615),
    ),
    ObjectClass.USER: (None, "", (701, 705, 702)),
    ObjectClass.ROUTING_LINK: (None, "", (803, 801, 802)),
    MACHINE: (
        "C", "PROPID_QM_PATHNAME",
        (219, 214, 215, 207, 216, 220, 206, 217, 1203, 209, 218, 208, 203, 210, 1202, 201, 1201, 212),
    ),
    QUEUE: (
        "C\\q", "PROPID_Q_PATHNAME",
        (114, 115, 102, 106, 104, 105, 107, 109, 110, 103, 108, 111, 112, 113, 1101, 118, 119),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", COLUMNS, ids=lambda kind: kind.name)
def test_lookup_directory_objects(kind: ObjectClass) -> None:
    """[MC-MQDSRP] 3.2.7.8."""
    path, path_property, columns = COLUMNS[kind]
    made = machine("PEC0")
    partition = S0 if kind in {MACHINE, QUEUE} else E
    looked_up = columns[1]
    value = PropertyValue(type_of(looked_up) or 0, 7 if type_of(looked_up) in {17, 18, 19, 3} else b"x")
    if type_of(looked_up) in {72, 0x1048}:
        value = PropertyValue(type_of(looked_up) or 0, guid(3) if type_of(looked_up) == 72 else (guid(3),))
    given = {looked_up: value}
    for number in (1, 2, 3):
        name = f"{path}{number}" if path else None
        made.directory.create(kind, name, guid(number), partition, no(number), given)
    made.directory.create(QUEUE, "D\\q", guid(4), S1, no(2), {})
    part(made, partition).LastSeqNumber = no(3)
    (answer,) = sent(deliver(made, sync_request(partition, 2, no(2))))
    (row,) = answer.DirectoryChanges
    assert (row.Command, row.UseGuid, row.GuidIdentifier, row.SeqNumber) == (3, 1, guid(2), no(2))
    assert (row.NumberOfProperties, row.PropertyID) == (len(columns), columns)
    values = dict(zip(row.PropertyID, row.PropertyValue, strict=True))
    assert values[looked_up] == value
    assert all(values[number].vt == type_of(number) for number in columns)
    if path:
        known = by_name(path_property)
        assert known is not None
        assert values[known.number].value == f"{path}2"


def test_scope_of_a_lookup() -> None:
    """[MC-MQDSRP] 3.2.7.8: iScope is for queues; ours answers with all of them (errata D52)."""
    scope = by_name("PROPID_Q_SCOPE")
    assert scope is not None
    for readings, asked, found in (
        (Readings(), 1, 3),
        (Readings(scope_in_lookup=True), 1, 2),
        (Readings(scope_in_lookup=True), 0, 3),
    ):
        made = machine(readings=readings)
        for number in (0, 1):
            values = {scope.number: PropertyValue(17, number)}
            made.directory.create(QUEUE, f"C\\{number}", guid(number), S1, no(number + 1), values)
        made.directory.create(MACHINE, "C", guid(3), S1, no(3), {})
        part(made, S1).LastSeqNumber = no(3)
        (answer,) = sent(deliver(made, sync_request(S1, Scope=asked)))
        assert len(answer.DirectoryChanges) == found


# ------------------------------------------------------------------------------------------ the client


def test_timers() -> None:
    """[MC-MQDSRP] 3.3.2, 3.3.6.1 and 3.3.6.2."""
    made = machine()
    deliver(made, request())
    for name, scope, period in (("PEC0", INTER, 10), ("BSC1a", INTRA, 2)):
        timer = ChangePropagationTimer(name, scope)
        posted, again = made.step(TimerFired(timer, 3))
        assert isinstance(posted, SendMessage)
        assert posted.Destination == name
        assert again == StartTimer(timer, period)
    assert made.step(TimerFired(ChangePropagationTimer("PSC9", INTER), 3)) == []  # no neighbor any more
    bsc = machine("BSC1a")
    posted, again = bsc.step(TimerFired(BSCAckTimer(), 5))
    assert isinstance(posted, SendMessage)
    assert posted.Destination == "PSC1"
    assert posted.ReplicationMessage == mqdsrp.BSCAckMessage(
        BaseReplicationHeader=mqdsrp.BaseReplicationHeader(SiteID=S1, Operation=7),
        BSCMachineID=bsc.shared.server.Identifier,
        BSCName="BSC1a",
    )
    assert again == StartTimer(BSCAckTimer(), 12 * 60 * 60)


def test_send_change_propagation() -> None:
    """[MC-MQDSRP] 3.3.7.2."""

    def fired(made: Machine, name: str, scope: PropagationScope, time: float) -> Any:
        return sent(made.step(TimerFired(ChangePropagationTimer(name, scope), time)))[0]

    made = machine()
    deliver(made, request())
    message = fired(made, "PEC0", INTER, 0)
    assert message.BaseReplicationHeader == mqdsrp.BaseReplicationHeader(SiteID=S1, Operation=0)
    assert (message.Flush, message.Count, len(message.DirectoryChanges)) == (0, 1, 1)
    header = message.SeqNumberHeader
    assert (header.Count, header.MachineName) == (1, "PSC1")
    assert [(row.PartitionID, row.LastSeqNumber) for row in header.PartitionSeqNumbers] == [(S1, no(1))]
    assert waiting_for(made, "PEC0") == []
    for time, count in ((10, 0), (1199, 0), (1200, 1)):
        message = fired(made, "PEC0", INTER, time)
        assert (message.Count, message.SeqNumberHeader.Count) == (0, count)
    assert fired(made, "PEC0", INTER, 1201).SeqNumberHeader.MachineName is None
    pec = machine("PEC0")
    part(pec, E).LastSeqNumber, part(pec, E).PurgedSeqNumber = no(9), no(3)
    part(pec, S0).LastSeqNumber, part(pec, S0).PurgedSeqNumber = no(8), no(2)
    rows = fired(pec, "PSC1", INTER, 0).SeqNumberHeader.PartitionSeqNumbers
    assert [(r.PartitionID, int(r.LastSeqNumber), int(r.PurgedSeqNumber)) for r in rows] == [
        (E, 9, 3),
        (S0, 8, 2),
    ]
    # Intrasite: all partitions; of another's the purged number, or what the text has instead (errata D13).
    for readings, foreign in ((Readings(), 4), (Readings(allowed_purge_in_headers=True), 6)):
        made = machine(readings=readings)
        for partition in (S1, S2):
            part(made, partition).PurgedSeqNumber, part(made, partition).AllowedPurgeSeqNumber = no(4), no(6)
        rows = fired(made, "BSC1a", INTRA, 0).SeqNumberHeader.PartitionSeqNumbers
        assert {row.PartitionID: int(row.PurgedSeqNumber) for row in rows} == {
            E: 0,
            S0: 0,
            S1: 4,
            S2: foreign,
        }
    # More changes than a message holds take two (errata D21).
    one = change(1, 1)
    made.volatile.of_neighbor(INTER, "PEC0").AvailableChangeCollection = [one] * 0x10001
    posted = sent(made.step(TimerFired(ChangePropagationTimer("PEC0", INTER), 0)))
    assert [message.Count for message in posted] == [0xFFFF, 2]
    assert [message.SeqNumberHeader.Count for message in posted] == [0, 1]


def test_send_sync_request() -> None:
    """[MC-MQDSRP] 3.3.7.3."""
    for name, destination, scope in (("PSC1", "PSC2", 1), ("BSC1a", "PSC1", 0)):
        made = machine(name)
        part(made).LastSeqNumber, part(made).PurgedSeqNumber = no(8), no(3)
        window(made).ChangeMissingWindow = no(12)
        for state, count in ((0, 1), (1, 0), (2, 1), (3, 0)):
            part(made).PurgeState = PurgeState(state)
            made.outbox.take()
            made.partitions.send_sync_request(part(made))
            effects = made.outbox.take()
            assert len(effects) == count
            for posted in effects:
                assert isinstance(posted, SendMessage)
                assert posted.Destination == destination
                assert posted.ReplicationMessage == mqdsrp.SyncRequestMessage(
                    BaseReplicationHeader=mqdsrp.BaseReplicationHeader(SiteID=S1, Operation=2),
                    PartitionID=S2,
                    FromSeqNumber=no(8),
                    ToSeqNumber=MAX_SEQ_NUMBER,
                    KnownPurgedSeqNumber=no(3),
                    IsSync0=int(state == 2),
                    Scope=scope,
                    RequesterName=name,
                )
        made.readings = Readings(ask_up_to_window=True)
        part(made).PurgeState = PurgeState.NORMAL
        made.outbox.take()
        made.partitions.send_sync_request(part(made))
        assert sent(made.outbox.take())[0].ToSeqNumber == no(12)


def test_send_psc_ack() -> None:
    """[MC-MQDSRP] 3.3.7.4."""
    made = machine()
    part(made).LastSeqNumber = no(0xFF)
    (posted,) = deliver(made, propagation(change(0, 0x100)))
    assert isinstance(posted, SendMessage)
    assert posted.Destination == "PSC2"
    assert posted.ReplicationMessage == mqdsrp.PSCAckMessage(
        BaseReplicationHeader=mqdsrp.BaseReplicationHeader(SiteID=S1, Operation=6),
        PSCSiteID=S1,
        AckedPartitionID=S2,
        AckedSeqNumber=no(0x100),
        PSCName="PSC1",
    )


def test_receive_sync_reply() -> None:
    """[MC-MQDSRP] 3.3.7.5."""
    made = machine()
    first, second = change(3, 1, GuidIdentifier=guid(1)), change(3, 3, 1, GuidIdentifier=guid(2))
    assert deliver(made, reply(first, last=3, partition=guid(9))) == []
    part(made).PurgedSeqNumber = no(2)
    deliver(made, reply(first, second, last=3, purged=1))
    assert part(made).LastSeqNumber == no(0)
    part(made).PurgedSeqNumber = no(0)
    window(made).PendingChangeCollection[no(4)] = change(1, 4, 3, GuidIdentifier=guid(2))
    assert window(made).ChangeMissingWindow == MAX_SEQ_NUMBER
    deliver(made, reply(first, second, last=3))
    assert window(made).ChangeMissingWindow == MIN_SEQ_NUMBER
    assert part(made).LastSeqNumber == no(4)  # what waited has followed
    deliver(made, reply(first=4, last=9))
    assert part(made).LastSeqNumber == no(9)  # there was nothing, so much is known
    deliver(made, reply(first=4, last=6))
    assert part(made).LastSeqNumber == no(9)
    printed = machine(readings=Readings(number_from_empty_reply=True))
    for asked, expected in ((MAX_SEQ_NUMBER, 0), (no(7), 0), (no(9), 9)):
        window(printed).ChangeMissingWindow = asked
        deliver(printed, reply(last=9))
        assert part(printed).LastSeqNumber == no(expected)
        assert (window(printed).ChangeMissingWindow == MIN_SEQ_NUMBER) == (asked != no(7))
    # In the sync0 state.
    for complete, state, messages in (
        (1, PurgeState.SYNC0, 1),
        (2, PurgeState.NORMAL, 0),
        (0, PurgeState.SYNC0, 0),
    ):
        part(made).PurgeState = PurgeState.SYNC0
        assert len(sent(deliver(made, reply(last=9, complete=complete)))) == messages
        assert part(made).PurgeState is state


def test_receive_already_purged() -> None:
    """[MC-MQDSRP] 3.3.7.7 and 3.3.7.10."""
    made = machine()
    deliver(made, propagation(change(0, 1), change(0, 2, PathName="D\\q", guid=guid(2))))
    deliver(made, propagation(change(1, 9)))
    kept = deleted(made, S2, 2)
    purged = mqdsrp.AlreadyPurgedMessage(PartitionID=S2, PurgedSeqNumber=no(2))
    assert deliver(made, replace(purged, PartitionID=guid(9))) == []
    assert deliver(made, purged) == []  # it has come so far
    part(made).PurgedSeqNumber = no(20)
    assert deliver(made, replace(purged, PurgedSeqNumber=no(20))) == []  # it knows
    part(made).PurgedSeqNumber = no(0)
    (asked,) = sent(deliver(made, replace(purged, PurgedSeqNumber=no(20))))
    assert part(made).PurgeState is PurgeState.SYNC0
    assert (part(made).LastSeqNumber, part(made).PurgedSeqNumber) == (no(0), no(20))
    assert (asked.FromSeqNumber, asked.IsSync0, asked.KnownPurgedSeqNumber) == (no(0), 1, no(20))
    assert window(made).ChangeMissingWindow == MAX_SEQ_NUMBER
    assert not window(made).PendingChangeCollection
    assert not has_queue(made)
    assert kept[guid(2)].SeqNumber == MIN_SEQ_NUMBER
    # Complete Sync0 State, 3.3.7.11: what did not come again is gone.
    again = change(
        3,
        5,
        0,
        GuidIdentifier=guid(1),
        PurgedSeqNumber=no(20),
        properties={"PROPID_Q_LABEL": "new", "PROPID_Q_PATHNAME": "C\\q"},
    )
    window(made).PendingChangeCollection[no(32)] = change(1, 32, PurgedSeqNumber=no(20))
    deliver(made, reply(again, last=30, purged=20, complete=2))
    assert part(made).PurgeState is PurgeState.NORMAL
    assert part(made).LastSeqNumber == no(30)  # the reply was whole, errata D45
    assert has_queue(made)
    assert not has_queue(made, "D\\q")
    assert not made.persistent.DeletedObjectCollection[S2]
    assert window(made).ChangeMissingWindow == no(32)  # the pending change has a gap before it: asked for
    made.replica.complete_sync0_state(part(made))
    assert part(made).PurgeState is PurgeState.NORMAL


class Unwilling(MemoryDirectory):
    """A directory whose resets fail for a while."""

    refusals = 2

    def mark(self, partition: GUID) -> int:
        self.refusals -= 1
        return 1 if self.refusals >= 0 else super().mark(partition)

    def sweep(self, partition: GUID) -> int:
        self.refusals -= 1
        return 1 if self.refusals >= 0 else super().sweep(partition)


def test_resets_are_repeated() -> None:
    """[MC-MQDSRP] 3.3.7.10 and 3.3.7.11: Reset Directory Partition is tried until it succeeds."""
    made = machine()
    made.shared.directory = directory = Unwilling()
    timer = ResetTimer(S2)
    purged = mqdsrp.AlreadyPurgedMessage(PartitionID=S2, PurgedSeqNumber=no(20))
    assert deliver(made, purged) == [StartTimer(timer, 60)]
    assert part(made).PurgeState is PurgeState.STARTSYNC0
    assert made.step(TimerFired(timer, 60)) == [StartTimer(timer, 60)]
    assert len(sent(made.step(TimerFired(timer, 120)))) == 1
    directory.refusals = 1
    assert deliver(made, reply(last=30, purged=20, complete=2)) == [StartTimer(timer, 60)]
    assert part(made).PurgeState is PurgeState.COMPLETESYNC0
    assert made.step(TimerFired(timer, 180)) == []
    assert part(made).PurgeState is PurgeState.NORMAL
    assert made.step(TimerFired(timer, 240)) == []


def test_receive_request_nack() -> None:
    """[MC-MQDSRP] 3.3.7.9."""
    made = machine()
    message = sync_request(S2)
    assert deliver(made, message, Class=NACK, destination="PSC2") == []
    (posted,) = deliver(made, message, Class=BAD_SIGNATURE, destination="PSC2")
    assert isinstance(posted, SendMessage)
    assert (posted.Destination, posted.ReplicationMessage) == ("PSC2", message)
    assert (posted.Timeout, posted.Priority, posted.again) == (10, 3, True)
    assert posted.AckRequested is Acknowledgment.NACK_REACH_QUEUE
    assert posted.AdminQueueFormatName == f"PRIVATE={made.shared.server.Identifier}\\00000001"


def test_objects_without_a_guid() -> None:
    """Errata D50: the authority gives one and says so; all servers that have to choose choose the same."""
    made = machine()
    bare = replace(
        request().DirectoryChange,
        PropertyID=(108,),
        PropertyValue=(PropertyValue(31, "x"),),
    )
    deliver(made, replace(request(), DirectoryChange=bare))
    found = made.directory.read(QUEUE, "C\\q", None)
    assert found is not None
    (queued,) = made.volatile.neighbors[INTER, "PEC0"].AvailableChangeCollection
    assert dict(zip(queued.PropertyID, queued.PropertyValue, strict=True))[101].value == found.Identifier
    told = replace(bare, PartitionID=S2, SeqNumber=no(1))
    chosen = set()
    for name in ("PEC0", "PSC1", "BSC1a"):
        replica = machine(name)
        deliver(replica, propagation(told))
        same = replica.directory.read(QUEUE, "C\\q", None)
        assert same is not None
        chosen.add(same.Identifier)
    assert len(chosen) == 1
    # A synchronization that names nothing is refused, one that names the object in its properties is not.
    made = machine()
    deliver(made, propagation(replace(told, Command=3)))
    assert not has_queue(made)
    named = replace(
        told,
        Command=3,
        PropertyID=(108, 101),
        PropertyValue=(*told.PropertyValue, PropertyValue(72, guid(1))),
    )
    deliver(made, propagation(named))
    assert has_queue(made)


def test_sites_that_are_gone_after_a_full_synchronization() -> None:
    """Errata D42: the partition and the neighbor of a site go with the site's object."""
    made = machine()
    for number, site in ((1, S0), (2, S1), (3, S2)):
        values = {304: PropertyValue(31, f"PSC{number}")}
        made.directory.create(SITE, f"site{number - 1}", site, E, no(number), values)
    made.directory.create(QUEUE, "C\\q", guid(1), S2, no(1), {})
    deliver(made, mqdsrp.AlreadyPurgedMessage(PartitionID=E, PurgedSeqNumber=no(20)))
    rows = [
        mqdsrp.DirectoryChange(
            Command=3,
            GuidIdentifier=site,
            PartitionID=E,
            PreviousSeqNumber=no(number),
            SeqNumber=no(number + 1),
            PurgedSeqNumber=no(20),
            PropertyID=(301, 304),
            PropertyValue=(PropertyValue(31, f"site{number}"), PropertyValue(31, psc)),
        )
        for number, (site, psc) in enumerate(((S0, "PEC0"), (S1, "PSC1")))
    ]
    effects = deliver(made, reply(*rows, last=20, purged=20, complete=2, partition=E))
    assert set(made.persistent.DirectoryPartitionCollection) == {E, S0, S1}
    assert list(made.persistent.PSCNeighborCollection) == ["PEC0"]
    assert CancelTimer(ChangePropagationTimer("PSC2", INTER)) in effects
    assert not has_queue(made)


@pytest.mark.parametrize("printed", [False, True])
def test_another_psc_by_synchronization(printed: bool) -> None:
    """[MC-MQDSRP] 3.1.7.2.11: a known site is found by its GUID; PROPID_S_SITEID is of a new one (D16)."""
    made = machine(readings=Readings(site_from_property=printed))
    deliver(made, reply(
        change(3, 1, PartitionID=E, GuidIdentifier=S2, properties={"PROPID_S_PSC": "PSC9"}),
        last=1, partition=E,
    ))  # fmt: skip
    assert part(made).AuthorityName == "PSC9"
    assert set(made.persistent.PSCNeighborCollection) == {"PEC0", "PSC9"}


def test_another_psc() -> None:
    """A site that is created again under another PSC, and one that becomes the server's own."""
    made = machine()
    values = (PropertyValue(31, "PSC9"), PropertyValue(72, S2))
    again = mqdsrp.DirectoryChange(
        PathName="site2", PartitionID=E, SeqNumber=no(1), PropertyID=(304, 302), PropertyValue=values
    )
    neighbors = made.persistent.PSCNeighborCollection
    neighbors["PSC2"].AckedSeqNumber = no(256)
    deliver(made, request())
    deliver(made, propagation(again))
    assert part(made).AuthorityName == "PSC9"
    assert neighbors == {
        "PEC0": DirectoryNeighbor(S0, "PEC0"),
        "PSC9": DirectoryNeighbor(S2, "PSC9", AckedSeqNumber=no(256)),
    }
    assert waiting_for(made, "PSC9") == [1]
    mine = replace(again, Command=1, PreviousSeqNumber=no(1), SeqNumber=no(2), PropertyID=(304,),
        PropertyValue=(PropertyValue(31, "PSC1"),))  # fmt: skip
    deliver(made, propagation(mine))
    assert part(made).AuthorityName == "PSC1"
    assert set(neighbors) == {"PEC0"}
