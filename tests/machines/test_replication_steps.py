"""The steps of [MC-MQDSRP] 3.1, on a single machine: state, local events, changes in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support_replication import deliver, no, sent

from msmq_wire import GUID, DecodeError, mqdsrp, replace
from msmq_wire.documents.directory_properties import pack
from msmq_wire.documents.propid import by_name
from msmq_wire.machines.replication import (
    Acknowledgment,
    BSCAckTimer,
    CancelTimer,
    ChangeCompleted,
    ChangePropagationTimer,
    ChangeRemoteObject,
    ChangeRequestTimer,
    Command,
    DirectoryNeighbor,
    DirectoryPartition,
    Enterprise,
    Initialize,
    Machine,
    MemoryDirectory,
    MessageReceived,
    NextSequenceNumber,
    OpenQueue,
    PropagateDirectoryChange,
    PurgeState,
    ReadNextSequenceNumber,
    SendMessage,
    Settings,
    StartTimer,
    TimerFired,
)
from msmq_wire.packets.carriers import DirectoryQueue
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER, MIN_SEQ_NUMBER

if TYPE_CHECKING:
    from msmq_wire.mqmq import BaseHeader

from support_machines import (
    INTER,
    INTRA,
    MACHINE,
    NACK,
    QUEUE,
    S0,
    S1,
    S2,
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
    server,
    waiting_for,
    window,
)

# ------------------------------------------------------------------------------- state and beginning


def test_initialization() -> None:
    """[MC-MQDSRP] 3.1.3 and 3.3.3, for a server that knows nothing yet."""
    for name in ("PEC0", "PSC1", "BSC1a"):
        made = Machine(server(name), MemoryDirectory())
        effects = made.step(Initialize())
        partition = made.persistent.DirectoryPartitionCollection.pop(E)
        assert not made.persistent.DirectoryPartitionCollection
        assert partition == DirectoryPartition(E, "PEC0")
        assert partition.LastSeqNumber == partition.PurgedSeqNumber == MIN_SEQ_NUMBER
        assert partition.AllowedPurgeSeqNumber == MIN_SEQ_NUMBER
        assert partition.PurgeState is PurgeState.NORMAL
        assert made.partitions.my_site_partition is None
        assert made.volatile.MyPSCName == ("PSC1" if name == "BSC1a" else "")
        queue = OpenQueue(f"PRIVATE={made.shared.server.Identifier}\\00000001", "ReceiveAccess", "DenyNone")
        assert effects[0] == queue
        assert (StartTimer(BSCAckTimer(), 5) in effects) == (name == "BSC1a")
        assert len(sent(effects)) == (name != "PEC0")
        state = made.volatile.of_partition(partition)
        assert state.PreviousPurgedSeqNumber == MIN_SEQ_NUMBER
        assert state.ChangeMissingWindow == MAX_SEQ_NUMBER
        assert not state.PendingChangeCollection


def test_restart() -> None:
    """[MC-MQDSRP] 3.1.1.1, 3.1.1.3, 3.1.3 and 3.3.3, for a server that comes back."""
    made = machine()
    deliver(made, propagation(change(0, 1), change(1, 3, 2)))
    assert window(made).PendingChangeCollection
    made.volatile.of_neighbor(INTER, "PEC0").header_sent = 5
    part(made, S1).AuthorityName = "PSC1"
    before = (repr(made.persistent), list(made.directory))  # type: ignore[call-overload]  # the directory of the tests can be listed
    again = Machine(made.shared.server, made.directory, made.persistent)
    effects = again.step(Initialize())
    assert (repr(again.persistent), list(again.directory)) == before  # type: ignore[call-overload]  # the Store of the tests can be listed
    assert not again.volatile.partitions or not window(again).PendingChangeCollection
    assert window(again).ChangeMissingWindow == MAX_SEQ_NUMBER
    assert waiting_for(again, "BSC1a") == []
    assert again.partitions.my_site_partition is part(again, S1)
    assert again.partitions.my_enterprise_partition is None
    assert machine("PEC0").partitions.my_enterprise_partition is not None
    timers = {effect.timer: effect.after for effect in effects if isinstance(effect, StartTimer)}
    assert timers == {
        ChangePropagationTimer("BSC1a", INTRA): 2,
        ChangePropagationTimer("PEC0", INTER): 10,
        ChangePropagationTimer("PSC2", INTER): 10,
    }
    assert [message.PartitionID for message in sent(effects)] == [E, S0, S2]
    bsc = Machine(server("BSC1a"), MemoryDirectory(), again.persistent)
    assert [message.PartitionID for message in sent(bsc.step(Initialize()))] == [E, S0, S1, S2]
    assert bsc.volatile.MyPSCName == "PSC1"


def test_receiving() -> None:
    """[MC-MQDSRP] 3.1.5.1: what is dropped, and what comes back."""
    made = machine()
    message = propagation(change(0, 1))
    other = replace(message, BaseReplicationHeader=mqdsrp.BaseReplicationHeader(Version=1, Operation=0))
    assert made.step(MessageReceived(None)) == []
    for dropped in (
        MessageReceived(other),
        MessageReceived(message, Class=1),
        MessageReceived(message, Class=0x4000),
    ):
        made.step(dropped)
        assert not has_queue(made)
    deliver(made, message, Class=NACK)
    assert not has_queue(made)
    deliver(made, message)
    assert has_queue(made)
    with pytest.raises(DecodeError):
        mqdsrp.decode(bytes(17) + b"\x08")
    carrier = mqdsrp.wrap(message, "PSC1", guid(1))
    assert MessageReceived.of(carrier, 3) == MessageReceived(message, 3, 0)
    empty = replace(
        carrier, MessagePropertiesHeader=replace(carrier.MessagePropertiesHeader, MessageBody=b"")
    )
    assert MessageReceived.of(empty) == MessageReceived(None, 0, 0)


@pytest.mark.parametrize(
    ("number", "negative"),
    [(0x7FFF, False), (0x8000, True), (0xC002, True), (0xC003, True), (0xC004, False), (0xFFFF, False)],
)
def test_classes_of_negative_acknowledgments(number: int, negative: bool) -> None:
    """[MC-MQDSRP] 3.1.5.1: from NackBadDestQueue to NackReceiveTimeoutAtSender (errata D62)."""
    made = machine()
    made.step(
        ChangeRemoteObject(Operation=Command.UPDATE, PartitionID=S2, RequestIdentifier=7, PathName="C\\q")
    )
    mine = request(Command.UPDATE, S2, "PSC1")
    assert (ChangeCompleted(7, 0xC00E004A) in deliver(made, mine, Class=number)) == negative
    carrier = mqdsrp.wrap(mine, "PSC1", guid(1))
    returned = replace(
        carrier, MessagePropertiesHeader=replace(carrier.MessagePropertiesHeader, MessageClass=number)
    )
    assert (returned.directory_message == mine) == negative


def test_processing_changes() -> None:
    """[MC-MQDSRP] 3.1.5.2 and 2.2.6.9: unknown partitions, and what Flush decides."""
    made = machine()
    unknown = change(0, 1, PartitionID=guid(9))
    assert deliver(made, propagation(unknown)) == []
    values = {"PROPID_S_PSC": "PSC9", "PROPID_S_SITEID": guid(9), "PROPID_S_PATHNAME": "site9"}
    site = change(
        0, 1, PartitionID=E, PathName="site9", properties=values, id="PROPID_S_SITEID", guid=guid(9)
    )
    for flush, flushed in ((1, False), (0, True)):
        made = machine()
        effects = deliver(made, propagation(site, flush=flush))
        to_bsc = [
            effect for effect in effects if isinstance(effect, SendMessage) and effect.Destination == "BSC1a"
        ]
        assert bool(to_bsc) == flushed
    # A sync reply is flushed on like a propagation with Flush 0.
    made = machine()
    synced = change(3, 1, PartitionID=E, GuidIdentifier=guid(9), properties={"PROPID_S_PSC": "PSC9"})
    effects = deliver(made, reply(synced, last=1, partition=E))
    assert any(isinstance(effect, SendMessage) and effect.Destination == "BSC1a" for effect in effects)


# ----------------------------------------------------------------------- events of related protocols


def test_change_remote_object() -> None:
    """[MC-MQDSRP] 3.1.7.1.1 and 3.3.7.1."""
    numbers, values = pack({"PROPID_Q_LABEL": "x", "PROPID_Q_QUOTA": 1})
    for name, next_hop, wait, psc, offset in (
        ("PSC1", "PSC2", 10, None, 0),
        ("BSC1a", "PSC1", 20, "PSC1", 6),
    ):
        made = machine(name)
        event = ChangeRemoteObject(
            Operation=Command.UPDATE,
            PartitionID=S2,
            RequestIdentifier=42,
            PathName="C\\q",
            PropertyID=numbers,
            PropertyValue=values,
        )
        posted, timer = made.step(event)
        assert isinstance(posted, SendMessage)
        message = posted.ReplicationMessage
        assert isinstance(message, mqdsrp.ChangeRequestMessage)
        header, asked = message.ChangeRequestHeader, message.DirectoryChange
        assert header.BaseReplicationHeader == mqdsrp.BaseReplicationHeader(SiteID=S1, Operation=1)
        assert (header.PartitionID, header.RequestIdentifier, header.RequesterName) == (S2, 42, name)
        assert (header.PSCNameOffset, header.PSCName) == (offset, psc)
        assert (asked.Command, asked.UseGuid, asked.PathName, asked.GuidIdentifier) == (1, 0, "C\\q", None)
        assert asked.PartitionID == S2
        assert asked.PreviousSeqNumber == asked.SeqNumber == asked.PurgedSeqNumber == MIN_SEQ_NUMBER
        assert (asked.NumberOfProperties, asked.PropertyID, asked.PropertyValue) == (2, numbers, values)
        assert posted.Destination == next_hop
        assert timer == StartTimer(ChangeRequestTimer(name, 42), wait)
    # A BSC whose PSC is the authority waits as long as a PSC.
    made = machine("BSC1a")
    local = ChangeRemoteObject(Operation=Command.UPDATE, PartitionID=S1, RequestIdentifier=1, PathName="C\\q")
    assert made.step(local)[1] == StartTimer(ChangeRequestTimer("BSC1a", 1), 10)
    # An unknown partition.
    lost = ChangeRemoteObject(
        Operation=Command.UPDATE, PartitionID=guid(9), RequestIdentifier=1, PathName="C\\q"
    )
    assert machine().step(lost) == [ChangeCompleted(1, 0xC00E0504)]


def answered(made: Machine, identifier: int = 42) -> None:
    event = ChangeRemoteObject(
        Operation=Command.UPDATE, PartitionID=S2, RequestIdentifier=identifier, PathName="C\\q"
    )
    made.step(event)


def test_end_of_a_request() -> None:
    """[MC-MQDSRP] 3.3.7.1, 3.3.7.6 and 3.3.7.8: the reply, a refusal, the end of the wait."""
    made = machine()
    answered(made)
    timer = ChangeRequestTimer("PSC1", 42)
    answer = mqdsrp.ChangeReplyMessage(RequestIdentifier=42, Result=5, RequesterName="PSC1")
    assert deliver(made, replace(answer, RequestIdentifier=43)) == []
    assert deliver(made, replace(answer, RequesterName="PSC2")) == []
    assert deliver(made, answer) == [CancelTimer(timer), ChangeCompleted(42, 5)]
    assert deliver(made, answer) == []
    answered(made)
    assert made.step(TimerFired(timer, 10)) == [ChangeCompleted(42, 0xC00E0049)]
    answered(made)
    mine = next(iter(made.volatile.waiting.values())).message
    assert deliver(made, mine, Class=NACK) == [CancelTimer(timer), ChangeCompleted(42, 0xC00E004A)]
    assert deliver(made, mine, Class=NACK) == []


def test_propagate_directory_change() -> None:
    """[MC-MQDSRP] 3.1.7.1.2."""
    numbers, values = pack({"PROPID_Q_LABEL": "x"})
    made = machine()
    part(made, S1).LastSeqNumber = no(4)
    part(made, S1).PurgedSeqNumber = no(2)
    made.directory.create(QUEUE, "C\\q", guid(1), S1, no(5), {})
    usual = {"PathName": "C\\q", "PropertyID": numbers, "PropertyValue": values}

    def changed(operation: Any, partition: GUID, number: int, **other: Any) -> PropagateDirectoryChange:
        parts = {"Operation": operation, "PartitionID": partition, "SeqNumber": no(number)}
        return PropagateDirectoryChange(**parts, **{**usual, **other})

    assert made.step(changed(Command.UPDATE, S1, 5, GuidIdentifier=guid(1))) == []
    assert waiting_for(made, "PEC0") == waiting_for(made, "PSC2") == waiting_for(made, "BSC1a") == [5]
    assert part(made, S1).LastSeqNumber == no(5)
    (queued,) = made.volatile.neighbors[INTER, "PEC0"].AvailableChangeCollection
    assert (queued.Command, queued.UseGuid, queued.PathName, queued.GuidIdentifier) == (1, 1, None, guid(1))
    assert (queued.PartitionID, queued.PreviousSeqNumber, queued.SeqNumber) == (S1, no(4), no(5))
    assert queued.PurgedSeqNumber == no(2)  # errata D6
    assert (queued.PropertyID, queued.PropertyValue) == (numbers, values)
    # Without a GUID the path name is used; a deletion begins with scope and type.
    gone = pack({"PROPID_D_SCOPE": 0, "PROPID_D_OBJTYPE": 1})
    made.step(changed(Command.DELETE, S1, 6, PathName="D\\q", PropertyID=gone[0], PropertyValue=gone[1]))
    queued = made.volatile.neighbors[INTER, "PEC0"].AvailableChangeCollection[-1]
    assert (queued.UseGuid, queued.PathName, queued.PropertyID[0]) == (0, "D\\q", 1403)
    assert [value.value for value in queued.PropertyValue] == [0, 1]
    # Partitions of others, a BSC, and a command that there is not: nothing.
    for other, name in ((S2, "PSC1"), (E, "PSC1"), (S1, "BSC1a")):
        refused = machine(name)
        assert refused.step(changed(Command.UPDATE, other, 1)) == []
        assert part(refused, other).LastSeqNumber == MIN_SEQ_NUMBER
    for operation, count in ((Command.CREATE, 1), (Command.SYNC, 1), (9, 0)):
        tried = machine()
        tried.step(changed(operation, S1, 1, GuidIdentifier=guid(1)))
        assert len(waiting_for(tried, "PEC0")) == count


def test_read_next_sequence_number() -> None:
    """[MC-MQDSRP] 3.1.7.1.3."""
    made = machine("PEC0")
    for partition, last, following in ((E, 7, 8), (S0, 0xFF, 0x100), (S1, 7, 0)):
        part(made, partition).LastSeqNumber = no(last)
        assert made.step(ReadNextSequenceNumber(partition)) == [NextSequenceNumber(partition, no(following))]


def test_send_replication_message() -> None:
    """[MC-MQDSRP] 3.1.7.2.1: the effect says what the UserMessage has that `wrap` makes."""
    made = machine("BSC1a")
    (posted, _) = made.step(TimerFired(BSCAckTimer(), 1))
    assert isinstance(posted, SendMessage)
    assert posted.AckRequested is Acknowledgment.NACK_REACH_QUEUE
    assert (
        posted.AdminQueueFormatName
        == posted.ResponseQueueFormatName
        == f"PRIVATE={made.shared.server.Identifier}\\00000001"
    )
    carrier: Any = posted.to_user_message(made.shared.server.Identifier, message_id=3)
    header: BaseHeader = carrier.BaseHeader
    assert (header.TimeToReachQueue, header.Flags.PR) == (posted.Timeout, posted.Priority) == (1200, 3)
    assert carrier.UserHeader.TimeToBeReceived == posted.Timeout
    assert carrier.MessagePropertiesHeader.Flags.NA == 1
    assert carrier.UserHeader.DestinationQueue.DirectFormatName.startswith(
        "OS:PSC1" + DirectoryQueue.REPLICATION.path
    )
    assert mqdsrp.decode(carrier.MessagePropertiesHeader.MessageBody) == posted.ReplicationMessage
    pscs = machine("PSC2")
    (first, *_) = pscs.step(TimerFired(ChangePropagationTimer("PEC0", INTER), 1))
    assert isinstance(first, SendMessage)
    assert (first.AckRequested, first.AdminQueueFormatName) == (Acknowledgment.NONE, None)
    assert first.to_user_message(pscs.shared.server.Identifier).MessagePropertiesHeader.Flags.NA == 0
    (urgent, _) = machine().step(
        ChangeRemoteObject(Operation=Command.UPDATE, PartitionID=S2, RequestIdentifier=1, PathName="C\\q")
    )
    assert isinstance(urgent, SendMessage)
    assert (urgent.Timeout, urgent.Priority) == (10, 7)


# --------------------------------------------------------------------------------- changes in their order


def test_handle_directory_change() -> None:
    """[MC-MQDSRP] 3.1.7.2.2."""
    made = machine(settings=Settings(pending=3))
    deliver(made, propagation(change(0, 1)))
    assert part(made).LastSeqNumber == no(1)
    deliver(made, propagation(change(1, 1, 0)))  # a number that was there
    part(made).PurgedSeqNumber = no(5)
    deliver(made, propagation(change(1, 2, PurgedSeqNumber=no(4))))  # from before a purge
    assert part(made).LastSeqNumber == no(1)
    part(made).PurgedSeqNumber = no(0)
    window(made).ChangeMissingWindow = no(5)
    assert deliver(made, propagation(change(1, 4))) == []  # within the window: asked for already
    assert list(window(made).PendingChangeCollection) == [no(4)]
    deliver(made, propagation(change(1, 6), change(1, 5), change(1, 5), change(1, 9)))
    assert list(window(made).PendingChangeCollection) == [no(4), no(5), no(6)]  # sorted, once, at most three
    window(made).PendingChangeCollection.clear()
    (asked,) = sent(deliver(made, propagation(change(1, 8))))  # beyond the window
    assert (asked.FromSeqNumber, window(made).ChangeMissingWindow) == (no(1), no(8))
    deliver(made, propagation(change(1, 7, 1)))  # the gap is filled: what waited follows
    assert part(made).LastSeqNumber == no(8)
    assert not window(made).PendingChangeCollection


def test_handle_in_sync_change() -> None:
    """[MC-MQDSRP] 3.1.7.2.3."""
    made = machine(settings=Settings(purge_interval=2))
    deliver(made, propagation(change(0, 1), change(1, 2)))
    assert waiting_for(made, "BSC1a") == [1, 2]
    assert waiting_for(made, "PEC0") == []  # it is not ours
    assert window(made).PreviousPurgedSeqNumber == no(0)
    deliver(made, propagation(change(2, 3)))
    assert not has_queue(made)
    (kept,) = made.persistent.DeletedObjectCollection[S2].values()
    assert (kept.ObjectType, kept.Scope) == (1, 0)
    assert window(made).PreviousPurgedSeqNumber == no(3)
    deliver(made, propagation(change(3, 4, GuidIdentifier=guid(2))))
    assert made.directory.read(QUEUE, None, guid(2)) is not None
    deliver(made, propagation(change(1, 5, PathName="no such")))  # fails: the number stays
    deliver(made, propagation(change(9, 5), change(1, 5, properties={"PROPID_D_SCOPE": 1})))
    assert part(made).LastSeqNumber == no(4)
    part(made).LastSeqNumber = no(0xFE)
    assert sent(deliver(made, propagation(change(0, 0xFF)))) == []
    (ack,) = sent(deliver(made, propagation(change(1, 0x100))))
    assert isinstance(ack, mqdsrp.PSCAckMessage)
    # While a partition is rebuilt nothing is relayed, and acknowledged from the purged number on.
    part(made).PurgeState = PurgeState.SYNC0
    made.volatile.neighbors[INTRA, "BSC1a"].AvailableChangeCollection.clear()
    part(made).LastSeqNumber, part(made).PurgedSeqNumber = no(0x1FF), no(0x300)
    assert sent(deliver(made, propagation(change(1, 0x200, PurgedSeqNumber=no(0x300))))) == []
    assert waiting_for(made, "BSC1a") == []
    part(made).LastSeqNumber = no(0x2FF)
    assert len(sent(deliver(made, propagation(change(1, 0x300, PurgedSeqNumber=no(0x300)))))) == 1
    # A BSC acknowledges by its timer only.
    bsc = machine("BSC1a")
    part(bsc).LastSeqNumber = no(0xFF)
    assert sent(deliver(bsc, propagation(change(0, 0x100)))) == []


def test_check_pending_changes() -> None:
    """[MC-MQDSRP] 3.1.7.2.4."""
    made = machine()
    deliver(made, reply(change(3, 1, GuidIdentifier=guid(1)), last=1))
    pending = window(made).PendingChangeCollection
    old = change(1, 3, GuidIdentifier=guid(1))
    late = change(1, 6, GuidIdentifier=guid(1), PurgedSeqNumber=no(2))
    pending.update({no(3): old, no(6): late})
    part(made).PurgedSeqNumber = no(2)
    made.outbox.take()
    # The first is from before a purge, the second has a gap before it.
    made.replica.check_pending_changes(part(made))
    assert list(pending) == [no(6)]
    (asked,) = sent(made.outbox.take())
    assert (asked.FromSeqNumber, window(made).ChangeMissingWindow) == (no(1), no(6))
    made.outbox.take()
    made.replica.check_pending_changes(part(made))  # asked for already
    assert made.outbox.take() == []
    part(made).LastSeqNumber = no(5)
    made.replica.check_pending_changes(part(made))
    assert (part(made).LastSeqNumber, len(pending)) == (no(6), 0)
    pending[no(4)] = change(1, 4, GuidIdentifier=guid(1), PurgedSeqNumber=no(2))
    made.replica.check_pending_changes(part(made))  # too late: it goes without being applied
    assert (part(made).LastSeqNumber, len(pending)) == (no(6), 0)


# ---------------------------------------------------------------------------------------- the commands


def site_change(command: int, number: int, psc: str, **given: Any) -> mqdsrp.DirectoryChange:
    values = {"PROPID_S_PSC": psc}
    if command == Command.CREATE:
        return change(
            command,
            number,
            PartitionID=E,
            PathName="site9",
            properties=values,
            id="PROPID_S_SITEID",
            guid=guid(9),
            **given,
        )
    return change(command, number, PartitionID=E, properties=values, **given)


def test_handle_directory_create() -> None:
    """[MC-MQDSRP] 3.1.7.2.5."""
    made = machine()
    effects = deliver(made, propagation(site_change(0, 1, "PSC9")))
    assert part(made, guid(9)) == DirectoryPartition(guid(9), "PSC9")
    assert made.persistent.PSCNeighborCollection["PSC9"] == DirectoryNeighbor(guid(9), "PSC9")
    assert StartTimer(ChangePropagationTimer("PSC9", INTER), 10) in effects
    asked = next(message for message in sent(effects) if isinstance(message, mqdsrp.SyncRequestMessage))
    assert asked.PartitionID == guid(9)
    assert deliver(made, propagation(site_change(0, 2, "PSC9"))) == []  # it cannot be created again
    # The own site: its partition, and nobody to ask.
    own = Machine(server("PSC1"), MemoryDirectory())
    own.step(Initialize())
    mine = change(
        0,
        1,
        PartitionID=E,
        PathName="site1",
        properties={"PROPID_S_PSC": "PSC1"},
        id="PROPID_S_SITEID",
        guid=S1,
    )
    assert deliver(own, propagation(mine)) == []
    assert own.partitions.my_site_partition == DirectoryPartition(S1, "PSC1")
    # A machine that is a BSC: of the own site, of another, on a BSC; and one that is none.
    for name, site, service, known in (
        ("PSC1", S1, 2, True),
        ("PSC1", S2, 2, False),
        ("BSC1b", S1, 2, False),
        ("PSC1", S1, 1, False),
    ):
        made = machine(name)
        new = change(
            0,
            1,
            PartitionID=site,
            PathName="BSC1b",
            properties={"PROPID_QM_SERVICE": service},
            id="PROPID_QM_MACHINE_ID",
        )
        if site == S1 and name == "PSC1":
            effects = deliver(
                made,
                request(
                    partition=S1,
                    PathName="BSC1b",
                    properties={"PROPID_QM_SERVICE": service},
                    id="PROPID_QM_MACHINE_ID",
                ),
            )
        else:
            effects = deliver(made, propagation(new))
        assert made.directory.read(MACHINE, "BSC1b", None) is not None
        assert ("BSC1b" in made.persistent.BSCNeighborCollection) == known
        assert (StartTimer(ChangePropagationTimer("BSC1b", INTRA), 2) in effects) == known
    assert made.persistent.BSCNeighborCollection["BSC1a"].LastAckedTime == 0


def test_handle_directory_update() -> None:
    """[MC-MQDSRP] 3.1.7.2.6, 3.1.7.2.10 to 3.1.7.2.12."""
    made = machine()
    deliver(made, propagation(change(0, 1)))
    deliver(made, propagation(change(1, 2, GuidIdentifier=guid(1))))
    found = made.directory.read(QUEUE, "C\\q", None)
    assert found is not None
    label = by_name("PROPID_Q_LABEL")
    assert label is not None
    assert (found.SeqNumber, found.properties[label.number].value) == (no(2), "label 2")
    # Enterprise: another PEC.
    values = {"PROPID_E_PECNAME": "PEC0"}
    enterprise = change(0, 1, PartitionID=E, PathName="e", properties=values, id="PROPID_E_ID", guid=guid(5))
    deliver(made, propagation(enterprise))
    same = change(1, 2, PartitionID=E, PathName="e", properties={"PROPID_E_NAME": "other"})
    assert sent(deliver(made, propagation(same))) == []
    moved = change(1, 3, PartitionID=E, PathName="e", properties={"PROPID_E_PECNAME": "PEC9"})
    effects = deliver(made, propagation(moved))
    assert part(made, E).AuthorityName == "PEC9"
    assert [effect.Destination for effect in effects if isinstance(effect, SendMessage)] == [
        "BSC1a"
    ]  # flushed
    # Site: without PROPID_S_PSC nothing; with it another PSC; unknown only if synchronized.
    deliver(made, propagation(site_change(0, 4, "PSC9")))
    assert (
        sent(
            deliver(
                made,
                propagation(
                    change(1, 5, PartitionID=E, PathName="site9", properties={"PROPID_S_INTERVAL1": 3})
                ),
            )
        )
        == []
    )
    effects = deliver(made, propagation(site_change(1, 6, "PSC8", PathName="site9")))
    assert part(made, guid(9)).AuthorityName == "PSC8"
    assert {"PSC8"} == set(made.persistent.PSCNeighborCollection) - {"PEC0", "PSC2"}
    assert CancelTimer(ChangePropagationTimer("PSC9", INTER)) in effects
    assert StartTimer(ChangePropagationTimer("PSC8", INTER), 10) in effects
    made.persistent.DirectoryPartitionCollection.pop(guid(9))
    deliver(made, propagation(site_change(1, 7, "PSC7", PathName="site9")))
    assert guid(9) not in made.persistent.DirectoryPartitionCollection
    effects = deliver(
        made, reply(site_change(3, 8, "PSC7", GuidIdentifier=guid(9)), first=7, last=8, partition=E)
    )
    assert part(made, guid(9)) == DirectoryPartition(guid(9), "PSC7")
    assert made.persistent.PSCNeighborCollection["PSC7"].PartitionID == guid(9)
    assert StartTimer(ChangePropagationTimer("PSC7", INTER), 10) in effects
    # The own site comes by synchronization.
    own = Machine(server("PSC1"), MemoryDirectory())
    own.step(Initialize())
    assert sent(deliver(own, reply(site_change(3, 1, "PSC1", GuidIdentifier=S1), last=1, partition=E))) == []
    assert own.partitions.my_site_partition == DirectoryPartition(S1, "PSC1")


def test_handle_machine_update() -> None:
    """[MC-MQDSRP] 3.1.7.2.12: a machine of the own site becomes a BSC, and is none any more."""
    made = machine()

    def updated(service: Any, partition: GUID = S1) -> list[Any]:
        values = {"PROPID_QM_SERVICE": service} if service is not None else {"PROPID_QM_QUOTA": 1}
        return deliver(made, request(Command.UPDATE, partition, PathName="C11", properties=values))

    deliver(
        made,
        request(partition=S1, PathName="C11", properties={"PROPID_QM_QUOTA": 1}, id="PROPID_QM_MACHINE_ID"),
    )
    known = made.persistent.BSCNeighborCollection
    updated(None)
    assert list(known) == ["BSC1a"]
    timer = ChangePropagationTimer("C11", INTRA)
    assert StartTimer(timer, 2) in updated(2)
    assert known["C11"] == DirectoryNeighbor(S1, "C11")
    assert StartTimer(timer, 2) not in updated(2)  # it is one already
    assert CancelTimer(timer) in updated(8)
    assert list(known) == ["BSC1a"]
    other = change(
        0, 1, PathName="C22", properties={"PROPID_QM_SERVICE": 1}, id="PROPID_QM_MACHINE_ID", guid=guid(7)
    )
    deliver(made, propagation(other, change(1, 2, PathName="C22", properties={"PROPID_QM_SERVICE": 2})))
    assert list(known) == ["BSC1a"]  # of another site


def test_handle_directory_delete() -> None:
    """[MC-MQDSRP] 3.1.7.2.7."""
    made = machine("PEC0")
    deliver(
        made,
        request(
            partition=E,
            PathName="site9",
            properties={"PROPID_S_PSC": "PSC9"},
            id="PROPID_S_SITEID",
            guid=guid(9),
        ),
    )
    assert "PSC9" in made.persistent.PSCNeighborCollection
    effects = deliver(made, request(Command.DELETE, E, PathName="site9", kind=3))
    assert guid(9) not in made.persistent.DirectoryPartitionCollection
    assert "PSC9" not in made.persistent.PSCNeighborCollection
    assert CancelTimer(ChangePropagationTimer("PSC9", INTER)) in effects
    assert [message.Result for message in sent(effects)] == [0]
    # A deletion that cannot be carried out is reported.
    assert [m.Result for m in sent(deliver(made, request(Command.DELETE, E, PathName="site9", kind=3)))] == [
        0xC00E050F
    ]
    # A machine: the BSC neighbor goes.
    psc = machine()
    deliver(
        psc,
        request(
            partition=S1, PathName="BSC1a", properties={"PROPID_QM_SERVICE": 2}, id="PROPID_QM_MACHINE_ID"
        ),
    )
    assert list(psc.persistent.BSCNeighborCollection) == ["BSC1a"]
    deliver(psc, request(Command.DELETE, S1, PathName="BSC1a", kind=2))
    assert not psc.persistent.BSCNeighborCollection


def test_handle_directory_sync() -> None:
    """[MC-MQDSRP] 3.1.7.2.8: what is there is updated, what is not is created."""
    made = machine()
    values: dict[str, Any] = {"PROPID_Q_LABEL": "one", "PROPID_Q_PATHNAME": "C\\q"}
    deliver(made, propagation(change(3, 1, GuidIdentifier=guid(1), properties=values)))
    found = made.directory.read(QUEUE, "C\\q", None)
    assert found is not None
    assert (found.Identifier, found.SeqNumber) == (guid(1), no(1))
    values |= {"PROPID_Q_LABEL": "two"} | {"PROPID_Q_HASHKEY": 99}
    deliver(made, propagation(change(3, 2, GuidIdentifier=guid(1), properties=values)))
    hashed, label = by_name("PROPID_Q_HASHKEY"), by_name("PROPID_Q_LABEL")
    assert hashed is not None
    assert label is not None
    assert found.properties[label.number].value == "two"
    assert hashed.number not in found.properties  # undefined in a synchronization
    assert found.SeqNumber == no(2)
    # For a machine of the own site there is more to do.
    synced = request(
        Command.SYNC,
        S1,
        PathName="BSC1b",
        properties={"PROPID_QM_SERVICE": 2, "PROPID_QM_MACHINE_ID": guid(4)},
    )
    deliver(made, synced)
    assert "BSC1b" in made.persistent.BSCNeighborCollection


def test_purge_deleted_objects() -> None:
    """[MC-MQDSRP] 3.1.7.2.9."""
    made = machine()
    mine, other = deleted(made, S1, 10, 20, 30), deleted(made, S2, 10, 20, 30)
    for partition in (S1, S2):
        part(made, partition).LastSeqNumber = no(1024 + 25)
    neighbors = made.persistent.PSCNeighborCollection
    made.deletions.purge_deleted_objects(part(made, S1))  # nobody has acknowledged
    assert len(mine) == 3
    neighbors["PEC0"].AckedSeqNumber, neighbors["PSC2"].AckedSeqNumber = no(20), no(28)
    made.deletions.purge_deleted_objects(part(made, S1))
    assert list(mine) == [guid(30)]
    assert part(made, S1).PurgedSeqNumber == no(20)
    made.deletions.purge_deleted_objects(part(made, S2))  # nothing is allowed yet
    assert len(other) == 3
    part(made, S2).AllowedPurgeSeqNumber = no(15)
    made.deletions.purge_deleted_objects(part(made, S2))
    assert list(other) == [guid(20), guid(30)]
    part(made, S2).AllowedPurgeSeqNumber = no(900)
    made.deletions.purge_deleted_objects(part(made, S2))  # up to the buffer of 1024
    assert list(other) == [guid(30)]
    part(made, S2).PurgeState = PurgeState.SYNC0
    part(made, S2).LastSeqNumber = no(5000)
    made.deletions.purge_deleted_objects(part(made, S2))
    assert list(other) == [guid(30)]
    pec = machine("PEC0")
    gone = deleted(pec, E, 5)
    part(pec, E).LastSeqNumber = no(1100)
    for neighbor in pec.persistent.PSCNeighborCollection.values():
        neighbor.AckedPECSeqNumber = no(60)
    pec.deletions.purge_deleted_objects(part(pec, E))
    assert not gone
    young = machine()
    kept = deleted(young, S1, 5)
    part(young, S1).LastSeqNumber = no(100)
    young.deletions.purge_deleted_objects(part(young, S1))
    assert len(kept) == 1  # errata D18


@pytest.mark.parametrize(("purged", "left"), [(19, 1), (20, 3), (21, 3)])
def test_what_was_purged_is_not_purged_again(purged: int, left: int) -> None:
    """Nothing is done where PurgedSeqNumber is as far as the limit, whatever came later with less."""
    made = machine()
    kept = deleted(made, S1, 10, 20, 30)
    part(made, S1).LastSeqNumber, part(made, S1).PurgedSeqNumber = no(1024 + 20), no(purged)
    for neighbor in made.persistent.PSCNeighborCollection.values():
        neighbor.AckedSeqNumber = no(1000)
    made.deletions.purge_deleted_objects(part(made, S1))
    assert len(kept) == left
    assert part(made, S1).PurgedSeqNumber == no(max(purged, 20))


@pytest.mark.parametrize(("allowed", "left"), [(14, 3), (15, 2), (16, 2), (25, 1)])
def test_a_replica_purges_what_its_authority_allows(allowed: int, left: int) -> None:
    """Unless that is less than it has purged already: then nothing is done."""
    made = machine()
    kept = deleted(made, S2, 15, 20, 30)
    part(made).LastSeqNumber, part(made).PurgedSeqNumber = no(5000), no(15)
    part(made).AllowedPurgeSeqNumber = no(allowed)
    made.deletions.purge_deleted_objects(part(made))
    assert len(kept) == left
    assert part(made).PurgedSeqNumber == no(max(allowed, 15))


@pytest.mark.parametrize(("count", "fits"), [(253, True), (254, False)])
def test_as_many_properties_as_a_change_holds(count: int, fits: bool) -> None:
    """NumberOfProperties has one byte; a creation says GUID and path name too."""
    made = machine()
    numbers, values = pack({"PROPID_Q_LABEL": "a"})
    asked = request(PropertyID=numbers * count, PropertyValue=values * count, PathName="C\\q",
                    GuidIdentifier=None)  # fmt: skip
    made.requests.receive_change_request(asked)
    (answer,) = sent(made.outbox.take())
    assert (answer.Result == 0) is fits
    numbers, values = numbers * (count + 2), values * (count + 2)
    event = PropagateDirectoryChange(Operation=Command.UPDATE, PartitionID=S1, SeqNumber=no(9),
                                     PathName="C\\q", GuidIdentifier=None, PropertyID=numbers,
                                     PropertyValue=values)  # fmt: skip
    if fits:
        assert made.step(event) == []
        return
    with pytest.raises(ValueError, match="at most 255 properties"):
        made.step(event)


def test_a_carrier_has_the_number_and_the_time_that_are_given() -> None:
    """None if none is: whoever sends it numbers it."""
    made = machine()
    made.partitions.send_psc_ack(part(made))
    (posted,) = (effect for effect in made.outbox.take() if isinstance(effect, SendMessage))
    plain: Any = posted.to_user_message(guid(1))
    assert (plain.UserHeader.MessageID, plain.UserHeader.SentTime) == (0, 0)
    assert plain.UserHeader.SourceQueueManager == guid(1)
    given: Any = posted.to_user_message(guid(1), message_id=5, sent_time=7)
    assert (given.UserHeader.MessageID, given.UserHeader.SentTime) == (5, 7)


def test_a_name_with_a_lone_surrogate_stands_for_a_guid() -> None:
    """Names on the wire may have one; other names have the GUID that `uuid.uuid5` gives."""
    assert Enterprise.guid("machine PEC0") == GUID.of("d436eeab-b64c-54e5-a88e-3123ef2d2d65")
    world = Enterprise("PEC")
    world.add_site("PSC", "site\ud800")
    assert world.run(60) > 0
    assert world.differences() == []
