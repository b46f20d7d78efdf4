"""One directory server of a known enterprise, and messages for it; for the tests of single steps."""

from __future__ import annotations

from typing import Any

from support_replication import no

from msmq_wire import GUID, mqdsrp
from msmq_wire.documents.directory_properties import pack
from msmq_wire.documents.propid import ObjectClass
from msmq_wire.machines.replication import (
    PEC_PARTITION_ID,
    Command,
    DeletedObject,
    DirectoryNeighbor,
    DirectoryPartition,
    Initialize,
    Machine,
    MemoryDirectory,
    PersistentState,
    PropagationScope,
    QueueManager,
    Role,
)
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER

__all__ = [
    "BAD_SIGNATURE",
    "INTER",
    "INTRA",
    "MACHINE",
    "NACK",
    "OWNERS",
    "QUEUE",
    "S0",
    "S1",
    "S2",
    "SITE",
    "E",
    "change",
    "deleted",
    "guid",
    "has_queue",
    "machine",
    "part",
    "propagation",
    "reply",
    "request",
    "server",
    "sync_request",
    "waiting_for",
    "window",
]

E, S0, S1, S2 = PEC_PARTITION_ID, *(GUID.of(f"0000000{n}-0000-0000-0000-000000000000") for n in (1, 2, 3))
INTER, INTRA = PropagationScope.INTERSITE, PropagationScope.INTRASITE
QUEUE, MACHINE, SITE = ObjectClass.QUEUE, ObjectClass.MACHINE, ObjectClass.SITE
OWNERS = {E: "PEC0", S0: "PEC0", S1: "PSC1", S2: "PSC2"}
NACK, BAD_SIGNATURE = 0x8003, 0x8006


def guid(number: int) -> GUID:
    return GUID.of(f"a{number:07x}-0000-0000-0000-000000000000")


def server(name: str) -> QueueManager:
    role = Role.BSC if name.startswith("BSC") else Role(name[:3])
    site = (S0, S1, S2)[int(name[3])]
    psc = "PEC0" if name[3] == "0" else f"PSC{name[3]}"
    return QueueManager(
        MachineName=name, Identifier=guid(ord(name[0])), SiteIdentifier=site, role=role, pec="PEC0", psc=psc
    )


def machine(name: str = "PSC1", **options: Any) -> Machine:
    """A started server of three sites that knows the partitions; PSC1 has the BSC BSC1a."""
    known = PersistentState()
    for partition, owner in OWNERS.items():
        known.DirectoryPartitionCollection[partition] = DirectoryPartition(partition, owner)
        if partition != E and owner != name and not name.startswith("BSC"):
            known.PSCNeighborCollection[owner] = DirectoryNeighbor(partition, owner)
    if name == "PSC1":
        known.BSCNeighborCollection["BSC1a"] = DirectoryNeighbor(S1, "BSC1a")
    made = Machine(server(name), MemoryDirectory(), known, **options)
    made.step(Initialize())
    return made


def part(made: Machine, partition: GUID = S2) -> DirectoryPartition:
    return made.persistent.DirectoryPartitionCollection[partition]


def window(made: Machine, partition: GUID = S2) -> Any:
    return made.volatile.of_partition(part(made, partition))


def waiting_for(made: Machine, name: str) -> list[int]:
    """Numbers of the changes that wait to be propagated to a neighbor."""
    known = made.volatile.neighbors.get((INTRA if name.startswith("BSC") else INTER, name))
    return [int(change.SeqNumber) for change in known.AvailableChangeCollection] if known else []


def change(command: int, number: int, previous: int | None = None, **given: Any) -> mqdsrp.DirectoryChange:
    r"""A change of the queue C\\q of site2, or with the values in `given`."""
    values = given.pop("properties", {"PROPID_Q_LABEL": f"label {number}"})
    numbers, packed = pack(values)
    if command == Command.DELETE:
        numbers, packed = pack({"PROPID_D_SCOPE": 0, "PROPID_D_OBJTYPE": given.pop("kind", 1)})
    if command == Command.CREATE and "GuidIdentifier" not in given:
        more, first = pack({given.pop("id", "PROPID_Q_INSTANCE"): given.pop("guid", guid(1))})
        numbers, packed = (*numbers, *more), (*packed, *first)
    if "GuidIdentifier" not in given:
        given.setdefault("PathName", "C\\q")
    return mqdsrp.DirectoryChange(
        **{
            "Command": command,
            "PartitionID": S2,
            "PreviousSeqNumber": no(number - 1 if previous is None else previous),
            "SeqNumber": no(number),
            "PropertyID": numbers,
            "PropertyValue": packed,
            **given,
        }
    )


def propagation(*changes: Any, flush: int = 0, **numbers: tuple[GUID, int, int]) -> Any:
    header = mqdsrp.SeqNumberHeader()
    if numbers:
        ((name, row),) = numbers.items()
        header = mqdsrp.SeqNumberHeader(
            MachineName=name,
            PartitionSeqNumbers=(
                mqdsrp.PARTITION_SEQ_NUMBERS(
                    PartitionID=row[0], LastSeqNumber=no(row[1]), PurgedSeqNumber=no(row[2])
                ),
            ),
        )
    return mqdsrp.ChangePropagationMessage(
        BaseReplicationHeader=mqdsrp.BaseReplicationHeader(SiteID=S2, Operation=0),
        Flush=flush,
        DirectoryChanges=changes,
        SeqNumberHeader=header,
    )


def reply(
    *changes: Any, first: int = 0, last: int = 0, purged: int = 0, complete: int = 0, partition: GUID = S2
) -> Any:
    return mqdsrp.SyncReplyMessage(
        SyncReplyHeader=mqdsrp.SyncReplyHeader(
            PartitionID=partition, FromSeqNumber=no(first), ToSeqNumber=no(last), PurgedSeqNumber=no(purged),
            Count=len(changes), CompleteSync0=complete,
        ),
        DirectoryChanges=changes,
    )  # fmt: skip


def request(
    command: int = Command.CREATE, partition: GUID = S1, requester: str = "PSC2", **given: Any
) -> Any:
    return mqdsrp.ChangeRequestMessage(
        ChangeRequestHeader=mqdsrp.ChangeRequestHeader(
            PartitionID=partition,
            RequestIdentifier=7,
            RequesterName=requester,
            PSCName=given.pop("psc", None),
        ),
        DirectoryChange=change(command, 0, 0, PartitionID=partition, **given),
    )


def sync_request(partition: GUID, first: int = 0, last: Any = MAX_SEQ_NUMBER, **given: Any) -> Any:
    return mqdsrp.SyncRequestMessage(
        **{
            "PartitionID": partition,
            "FromSeqNumber": no(first),
            "ToSeqNumber": last,
            "Scope": 1,
            "RequesterName": "PSC2",
            **given,
        }
    )


def has_queue(made: Machine, path: str = "C\\q") -> bool:
    return made.directory.read(QUEUE, path, None) is not None


def deleted(made: Machine, partition: GUID, *numbers: int) -> dict[GUID, DeletedObject]:
    kept = {guid(n): DeletedObject(guid(n), partition, no(n), 1, 0) for n in numbers}
    made.persistent.DeletedObjectCollection[partition] = kept
    return kept
