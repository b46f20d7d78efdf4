"""A replication machine and the model of `model_replication`, step by step side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model_replication import Model
from support_replication import no

from msmq_wire import PropertyValue, mqdsrp
from msmq_wire.documents.directory_objects import chosen_identifier
from msmq_wire.documents.propid import VARTYPE
from msmq_wire.machines.replication import (
    PEC_PARTITION_ID,
    Acknowledgment,
    BSCAckTimer,
    CancelTimer,
    ChangeCompleted,
    ChangePropagationTimer,
    ChangeRemoteObject,
    ChangeRequestTimer,
    Initialize,
    Machine,
    MemoryDirectory,
    MessageReceived,
    NextSequenceNumber,
    OpenQueue,
    PropagateDirectoryChange,
    PropagationScope,
    Readings,
    SendMessage,
    Settings,
    StartTimer,
    TimerFired,
)
from msmq_wire.machines.replication.directory import MQ_ERROR

if TYPE_CHECKING:
    from msmq_wire.machines.replication import Effect, Event, QueueManager, Timer

__all__ = ["Pair", "plain"]

INTER = PropagationScope.INTERSITE


def plain_change(change: mqdsrp.DirectoryChange, *, lifted: bool = False) -> tuple[Any, ...]:
    """A change in the form of the model; with `lifted` its values stay PropertyValues."""
    assert change.UseGuid == (change.GuidIdentifier is not None) == (change.PathName is None)
    values = change.PropertyValue if lifted else tuple(value.value for value in change.PropertyValue)
    return (
        int(change.Command), change.PathName, change.GuidIdentifier, change.PartitionID,
        int(change.PreviousSeqNumber), int(change.SeqNumber), int(change.PurgedSeqNumber),
        tuple(change.PropertyID), tuple(values),
    )  # fmt: skip


def plain(message: Any, *, lifted: bool = False) -> tuple[Any, ...]:
    """A message in the form of the model."""

    def changes() -> tuple[Any, ...]:
        return tuple(plain_change(change, lifted=lifted) for change in message.DirectoryChanges)

    match message:
        case mqdsrp.ChangePropagationMessage():
            header = message.SeqNumberHeader
            rows = tuple(
                (row.PartitionID, int(row.LastSeqNumber), int(row.PurgedSeqNumber))
                for row in header.PartitionSeqNumbers
            )
            told: tuple[Any, ...] = (message.Flush, changes(), header.MachineName or "", rows)
            return ("propagation", message.BaseReplicationHeader.SiteID, *told)
        case mqdsrp.ChangeRequestMessage():
            asked = message.ChangeRequestHeader
            return (
                "request", asked.BaseReplicationHeader.SiteID, asked.PartitionID, asked.RequestIdentifier,
                asked.RequesterName, asked.PSCName, plain_change(message.DirectoryChange, lifted=lifted),
            )  # fmt: skip
        case mqdsrp.SyncRequestMessage():
            return (
                "sync request", message.BaseReplicationHeader.SiteID, message.PartitionID,
                int(message.FromSeqNumber), int(message.ToSeqNumber), int(message.KnownPurgedSeqNumber),
                message.IsSync0, message.Scope, message.RequesterName,
            )  # fmt: skip
        case mqdsrp.SyncReplyMessage():
            head = message.SyncReplyHeader
            assert head.Count == len(message.DirectoryChanges)
            return (
                "sync reply", head.BaseReplicationHeader.SiteID, head.PartitionID, int(head.FromSeqNumber),
                int(head.ToSeqNumber), int(head.PurgedSeqNumber), head.CompleteSync0, changes(),
            )  # fmt: skip
        case mqdsrp.ChangeReplyMessage():
            told = (message.RequestIdentifier, message.Result, message.RequesterName)
            return ("reply", message.BaseReplicationHeader.SiteID, *told)
        case mqdsrp.AlreadyPurgedMessage():
            told = (message.PartitionID, int(message.PurgedSeqNumber))
            return ("purged", message.BaseReplicationHeader.SiteID, *told)
        case mqdsrp.PSCAckMessage():
            told = (message.PSCSiteID, message.AckedPartitionID, int(message.AckedSeqNumber), message.PSCName)
            return ("psc ack", message.BaseReplicationHeader.SiteID, *told)
        case mqdsrp.BSCAckMessage():
            told = (message.BSCMachineID, message.BSCName)
            return ("bsc ack", message.BaseReplicationHeader.SiteID, *told)
    raise AssertionError(type(message).__name__)


def plain_timer(timer: Timer) -> tuple[Any, ...]:
    if isinstance(timer, ChangePropagationTimer):
        return ("propagate", timer.MachineName, "psc" if timer.Scope is INTER else "bsc")
    if isinstance(timer, BSCAckTimer):
        return ("bsc ack",)
    if isinstance(timer, ChangeRequestTimer):
        return ("request", timer.RequesterName, timer.RequestIdentifier)
    return ("reset", timer.PartitionID)


def plain_effect(effect: Effect, queue: str) -> tuple[Any, ...]:
    match effect:
        case OpenQueue():
            return ("open", effect.FormatName)
        case SendMessage():
            report = effect.AckRequested is Acknowledgment.NACK_REACH_QUEUE
            assert effect.AdminQueueFormatName == effect.ResponseQueueFormatName
            assert effect.AdminQueueFormatName == (queue if report else None)
            message = plain(effect.ReplicationMessage)
            return (
                "send",
                effect.Destination,
                message,
                effect.Timeout,
                effect.Priority,
                report,
                effect.again,
            )
        case StartTimer():
            return ("start", plain_timer(effect.timer), effect.after)
        case CancelTimer():
            return ("cancel", plain_timer(effect.timer))
        case ChangeCompleted():
            return ("completed", effect.RequestIdentifier, effect.Status)
        case NextSequenceNumber():
            return ("next", int(effect.SeqNumber))


def flat(told: Any) -> Any:
    """The output of the model, with unchanged values of properties."""
    if isinstance(told, PropertyValue):
        return told.value
    if isinstance(told, tuple):
        return tuple(flat(item) for item in told)
    return told


class Unwilling(MemoryDirectory):
    """A directory that refuses every change while a switch is set."""

    refusing = False

    def create(self, *given: Any) -> int:
        return MQ_ERROR if self.refusing else super().create(*given)

    def update(self, *given: Any) -> int:
        return MQ_ERROR if self.refusing else super().update(*given)

    def delete(self, *given: Any) -> int:
        return MQ_ERROR if self.refusing else super().delete(*given)

    def mark(self, *given: Any) -> int:
        return MQ_ERROR if self.refusing else super().mark(*given)

    def sweep(self, *given: Any) -> int:
        return MQ_ERROR if self.refusing else super().sweep(*given)


class Pair:
    """One server twice.

    Args:
        server: The server.
        readings: The switches of both.
        settings: The settings of both.
    """

    def __init__(self, server: QueueManager, readings: Readings, settings: Settings) -> None:
        self.directory = Unwilling()
        self.machine = Machine(server, self.directory, readings=readings, settings=settings)
        me = {
            "name": server.MachineName, "guid": server.Identifier, "site": server.SiteIdentifier,
            "pec": server.pec, "psc": server.psc, "role": server.role.value,
        }  # fmt: skip
        self.model = Model(
            me,
            readings,
            settings,
            PEC_PARTITION_ID,
            lambda partition, number: chosen_identifier(partition, no(number).raw),
            lambda _, value: PropertyValue(
                VARTYPE.VT_LPWSTR if isinstance(value, str) else VARTYPE.VT_CLSID, value
            ),
        )
        self.queue = f"PRIVATE={server.Identifier}\\00000001"

    def refuse(self, refusing: bool) -> None:
        """Let the directory refuse changes from now on, or no longer."""
        self.directory.refusing = self.model.refusing = refusing

    def restart(self) -> list[Effect]:
        """Restart the machine; the model starts again as 3.1.3 requires."""
        old = self.machine.shared
        self.machine = Machine(
            old.server, old.directory, old.persistent, readings=old.readings, settings=old.settings
        )
        return self.step(Initialize())

    def step(self, event: Event) -> list[Effect]:
        """Pass an event to both; check that their effects and states are equal afterwards."""
        effects = self.machine.step(event)
        model = self.model
        model.out = []
        match event:
            case Initialize():
                model.initialize()
            case MessageReceived():
                message = plain(event.message, lifted=True)
                model.receive(message, event.Class, event.destination, event.time)
            case TimerFired():
                model.fire(plain_timer(event.timer), event.time)
            case ChangeRemoteObject():
                model.change_other(
                    int(event.Operation), event.PartitionID, event.RequestIdentifier, event.PathName,
                    event.GuidIdentifier, event.PropertyID, event.PropertyValue,
                )  # fmt: skip
            case PropagateDirectoryChange():
                model.change_own(
                    int(event.Operation), event.PartitionID, int(event.SeqNumber), event.PathName,
                    event.GuidIdentifier, event.PropertyID, event.PropertyValue,
                )  # fmt: skip
            case _:
                raise AssertionError(event)
        said = [plain_effect(effect, self.queue) for effect in effects]
        assert [flat(effect) for effect in model.out] == said
        assert self.known_to_model() == self.known_to_machine()
        return effects

    def known_to_model(self) -> dict[str, Any]:
        model = self.model
        return {
            "partitions": {
                identifier: (
                    item["authority"], item["last"], item["purged"], item["allowed"], item["state"],
                    item["previous"], item["window"],
                    [flat(item["pending"][number]) for number in sorted(item["pending"])],
                )
                for identifier, item in model.partitions.items()
            },
            "neighbors": {
                (which, name): (
                    item["site"], item["acked"], item["acked pec"], item["time"],
                    [flat(change) for change in item["changes"]],
                )
                for which, known in model.neighbors.items()
                for name, item in known.items()
            },
            "deleted": {owner: kept for owner, kept in model.deleted.items() if kept},
            "objects": {
                key: (
                    item["path"], item["partition"], item["number"],
                    {number: value.value for number, value in item["values"].items()},
                )
                for key, item in model.objects.items()
            },
            "waiting": set(model.waiting),
            "psc": model.psc,
        }  # fmt: skip

    def known_to_machine(self) -> dict[str, Any]:
        made = self.machine
        known = made.persistent
        partitions, neighbors = {}, {}
        for identifier, item in known.DirectoryPartitionCollection.items():
            state = made.partitions.state(item)
            partitions[identifier] = (
                item.AuthorityName, int(item.LastSeqNumber), int(item.PurgedSeqNumber),
                int(item.AllowedPurgeSeqNumber), int(item.PurgeState), int(state.PreviousPurgedSeqNumber),
                int(state.ChangeMissingWindow),
                [plain_change(change) for change in state.PendingChangeCollection.values()],
            )  # fmt: skip
        for which, scope in (("psc", INTER), ("bsc", PropagationScope.INTRASITE)):
            for name, neighbor in made.neighbors.of(scope).items():
                waiting = made.neighbors.state(name, scope).AvailableChangeCollection
                neighbors[which, name] = (
                    neighbor.PartitionID, int(neighbor.AckedSeqNumber), int(neighbor.AckedPECSeqNumber),
                    neighbor.LastAckedTime, [plain_change(change) for change in waiting],
                )  # fmt: skip
        return {
            "partitions": partitions,
            "neighbors": neighbors,
            "deleted": {
                owner: {
                    guid: [int(item.SeqNumber), item.ObjectType, item.Scope] for guid, item in kept.items()
                }
                for owner, kept in known.DeletedObjectCollection.items()
                if kept
            },
            "objects": {
                (int(item.ObjectType), item.Identifier): (
                    item.PathName, item.PartitionID, int(item.SeqNumber),
                    {number: value.value for number, value in item.properties.items()},
                )
                for item in self.directory
            },
            "waiting": set(made.volatile.waiting),
            "psc": made.volatile.MyPSCName,
        }  # fmt: skip
