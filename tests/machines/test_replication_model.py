"""Random histories of five servers, each of them a machine and the model of the page in lockstep.

A history has what networks and people do: losses, doubles, reorderings, restarts, late joins, clocks that
run, requests, deletions and purges; and what nobody should do: forged messages with hostile numbers.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from support_lockstep import Pair
from support_machines import BAD_SIGNATURE, NACK, S0, S1, S2, E, guid, server
from support_replication import no

import msmq_wire as mw
from msmq_wire import GUID, mqdsrp
from msmq_wire.documents.directory_objects import ENTERPRISE_TYPES, KINDS, deletion
from msmq_wire.documents.directory_properties import pack
from msmq_wire.documents.propid import ObjectClass
from msmq_wire.machines.replication import (
    AS_PRINTED,
    CancelTimer,
    ChangeRemoteObject,
    Command,
    Initialize,
    MessageReceived,
    PropagateDirectoryChange,
    Readings,
    SendMessage,
    Settings,
    StartTimer,
    TimerFired,
)

HISTORIES = int(os.environ.get("REPLICATION_HISTORIES", "240"))
"""How many random histories a run has."""

LAST = (1 << 64) - 1
NAMES = ("PEC0", "PSC1", "PSC2", "BSC1a", "BSC0b")
SITES = {"site0": (S0, "PEC0"), "site1": (S1, "PSC1"), "site2": (S2, "PSC2")}
PARTITIONS = (E, S0, S1, S2)
PROPERTIES: dict[ObjectClass, dict[str, Any]] = {
    ObjectClass.QUEUE: {"PROPID_Q_LABEL": "label", "PROPID_Q_QUOTA": 5, "PROPID_Q_SCOPE": 0},
    ObjectClass.MACHINE: {"PROPID_QM_SERVICE": 2, "PROPID_QM_QUOTA": 7},
    ObjectClass.SITE: {"PROPID_S_PSC": "PSC1", "PROPID_S_INTERVAL1": 3},
    ObjectClass.CONNECTED_NETWORK: {"PROPID_CN_PROTOCOLID": 1},
    ObjectClass.ENTERPRISE: {"PROPID_E_PECNAME": "PEC0", "PROPID_E_LONG_LIVE": 9},
    ObjectClass.USER: {"PROPID_U_SID": b"\1\1\0\0\0\0\0\5\1\0\0\0"},
    ObjectClass.ROUTING_LINK: {"PROPID_L_COST": 2},
}
PATHS = {
    ObjectClass.QUEUE: ("C\\a", "C\\b"),
    ObjectClass.MACHINE: ("BSC1a", "BSC0b", "PSC2"),
    ObjectClass.SITE: tuple(SITES),
    ObjectClass.CONNECTED_NETWORK: ("net",),
    ObjectClass.ENTERPRISE: ("enterprise",),
}


MET = {
    "AlreadyPurgedMessage", "BSCAckMessage", "ChangePropagationMessage", "ChangeReplyMessage",
    "ChangeRequestMessage", "PSCAckMessage", "SyncReplyMessage", "SyncRequestMessage", "NORMAL", "SYNC0",
    "purged",
}  # fmt: skip
"""What happens in any sixty histories."""


class History:
    """One history.

    Args:
        seed: Of everything in it.
    """

    def __init__(self, seed: int) -> None:
        self.dice = dice = random.Random(seed)  # noqa: S311  # a history, to be repeated
        self.readings = self._readings()
        self.settings = Settings(
            pending=dice.choice([1, 3, 100]),
            purge_buffer=dice.choice([0, 1, 4, 1024]),
            purge_interval=dice.choice([0, 1, 4, 256]),
            ack_interval=dice.choice([1, 2, 256]),
            header=dice.choice([30, 1200]),
            empty_propagations=dice.random() < 0.5,
        )
        self.pairs: dict[str, Pair] = {}
        self.flying: list[tuple[str, str, Any]] = []
        self.timers: dict[tuple[str, Any], None] = {}
        self.now = 0.0
        self.serial = 0
        self.steps = 0
        self.seen: set[str] = set()

    def _readings(self) -> Readings:
        dice = self.dice
        sort = dice.random()
        if sort < 0.5:
            return Readings()
        if sort < 0.6:
            return AS_PRINTED
        many = dice.choice([0.1, 0.5])
        return Readings(**{name: dice.random() < many for name in Readings.__struct_fields__})

    def run(self, length: int) -> None:
        """So many things happen."""
        self.join("PEC0")
        self.own(E, Command.CREATE, ObjectClass.ENTERPRISE, "enterprise", None)
        self.own(E, Command.CREATE, ObjectClass.SITE, "site0", S0, {"PROPID_S_PSC": "PEC0"})
        happenings = [
            (self.deliver, 10), (self.clock, 6), (self.change, 6), (self.remote, 3), (self.forge, 4),
            (self.late, 3), (self.restart, 1), (self.come_back, 1),
            (self.refuse, 1),
        ]  # fmt: skip
        acts, weights = zip(*happenings, strict=True)
        for _ in range(length):
            self.dice.choices(acts, weights)[0]()
            if self.dice.random() < 0.4:
                self.settle()

    # -------------------------------------------------------------------------------------- the world

    def step(self, name: str, event: Any) -> None:
        self.steps += 1
        for effect in self.pairs[name].restart() if event is None else self.pairs[name].step(event):
            if isinstance(effect, SendMessage):
                self.seen.add(type(effect.ReplicationMessage).__name__)
                self.carry(name, effect)
                self.flying.append((name, effect.Destination, effect.ReplicationMessage))
            elif isinstance(effect, StartTimer):
                self.timers[name, effect.timer] = None
            elif isinstance(effect, CancelTimer):
                self.timers.pop((name, effect.timer), None)

        for partition in self.pairs[name].machine.partitions.all():
            self.seen.add(partition.PurgeState.name)
            self.seen.add("purged" if int(partition.PurgedSeqNumber) else "not purged")

    def carry(self, name: str, effect: SendMessage) -> None:
        """Now and then a message travels whole, as bytes."""
        if self.steps % 10:
            return
        identifier = self.pairs[name].machine.shared.server.Identifier
        carrier = effect.to_user_message(identifier, message_id=self.steps)
        arrived: Any = mw.decode(mw.encode(carrier))
        event = MessageReceived.of(arrived, self.now, effect.Destination)
        assert event == MessageReceived(effect.ReplicationMessage, self.now, 0, effect.Destination)
        assert effect.Priority == arrived.BaseHeader.Flags.PR or self.readings.masked_priority
        assert arrived.BaseHeader.TimeToReachQueue == effect.Timeout

    def join(self, name: str) -> None:
        self.pairs[name] = Pair(server(name), self.readings, self.settings)
        self.step(name, Initialize())

    def late(self) -> None:
        """A server that is not there yet comes, as an administrator has it."""
        missing = [name for name in NAMES if name not in self.pairs]
        if not missing:
            return
        name = missing[0]
        site, psc = SITES[f"site{name[3]}"]
        if name == psc:
            self.own(E, Command.CREATE, ObjectClass.SITE, f"site{name[3]}", site, {"PROPID_S_PSC": psc})
        else:
            self.own(site, Command.CREATE, ObjectClass.MACHINE, name, None, {"PROPID_QM_SERVICE": 2})
        self.join(name)

    def settle(self) -> None:
        """A while without faults and without time: talk ends, whatever was said before."""
        if self.readings != Readings():  # others may not end
            for flight in self.flying[:12]:
                self.flying.remove(flight)
                self.arrive(flight)
            return
        limit = 30 * (len(self.flying) + 1)
        while self.flying:
            self.arrive(self.flying.pop(0))
            limit -= 1
            assert limit > 0, "talk does not end"

    def arrive(self, flight: tuple[str, str, Any], **given: Any) -> None:
        if flight[1] in self.pairs:
            self.step(flight[1], MessageReceived(flight[2], self.now, **given))

    # ---------------------------------------------------------------------------------- what happens

    def deliver(self) -> None:
        """A message arrives, not always the first one, not always once, not always at all, or comes back."""
        if not self.flying:
            return
        flight = self.flying.pop(self.dice.randrange(len(self.flying)))
        fate = self.dice.random()
        if fate < 0.15:
            return
        if fate < 0.25:
            self.flying.append(flight)
        if fate < 0.95:
            self.arrive(flight)
        else:
            event = MessageReceived(
                flight[2], self.now, self.dice.choice([NACK, BAD_SIGNATURE, 1]), flight[1]
            )
            self.step(flight[0], event)

    def clock(self) -> None:
        self.now += self.dice.choice([1, 10, 40])
        known = list(self.timers)
        for name, timer in self.dice.sample(known, min(len(known), 3)):
            if (name, timer) in self.timers:
                del self.timers[name, timer]
                self.step(name, TimerFired(timer, self.now))

    def restart(self) -> None:
        name = self.dice.choice(list(self.pairs))
        for key in [key for key in self.timers if key[0] == name]:
            del self.timers[key]
        self.step(name, None)

    def refuse(self) -> None:
        """The directory of a server refuses changes for a while."""
        pair = self.dice.choice(list(self.pairs.values()))
        pair.refuse(not pair.directory.refusing and self.dice.random() < 0.6)

    def come_back(self) -> None:
        """An authority is restored from a backup: it forgets some changes."""
        name = self.dice.choice(list(self.pairs))
        pair = self.pairs[name]
        for partition in pair.machine.partitions.all():
            if pair.machine.partitions.is_authority(partition.PartitionID) and self.dice.random() < 0.5:
                last = max(int(partition.PurgedSeqNumber), int(partition.LastSeqNumber) - 2)
                partition.LastSeqNumber = no(last)
                pair.model.partitions[partition.PartitionID]["last"] = last

    def subject(self, partition: GUID) -> tuple[Any, Any, Any, dict[str, Any]]:
        """An object type, and names and properties of an object."""
        dice = self.dice
        kinds = ENTERPRISE_TYPES if partition == E else (ObjectClass.MACHINE, ObjectClass.QUEUE)
        kind = dice.choice(kinds)
        some = {name: value for name, value in PROPERTIES[kind].items() if dice.random() < 0.7}
        values = some or dict(PROPERTIES[kind])
        if "PROPID_S_PSC" in values:
            values["PROPID_S_PSC"] = dice.choice(["PSC1", "PSC2", "PSC1", "PSC2", "PEC0", ""])
        if "PROPID_QM_SERVICE" in values:
            values["PROPID_QM_SERVICE"] = dice.choice([0, 1, 2, 2])
        path = dice.choice(PATHS[kind]) if kind in PATHS else None
        if kind is ObjectClass.SITE:
            identifier = dice.choice([S1, S2, guid(9), E])
        else:
            identifier = guid(10 * int(kind) + dice.randrange(3))
        return kind, path, identifier, values

    def change(self) -> None:
        """A directory service changes an object of its own."""
        partition = self.dice.choice(PARTITIONS)
        kind, path, identifier, values = self.subject(partition)
        command = self.dice.choice([Command.CREATE, Command.CREATE, Command.UPDATE, Command.DELETE])
        if command != Command.CREATE and path and self.dice.random() < 0.5:
            identifier = None
        self.own(partition, command, kind, path, identifier, values)

    def own(
        self, partition: GUID, command: Command, kind: Any, path: Any, identifier: Any,
        values: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        owner = "PEC0" if partition in {E, S0} else f"PSC{PARTITIONS.index(partition) - 1}"
        pair = self.pairs.get(owner)
        if pair is None or pair.directory.refusing:
            return
        known = pair.machine.partitions.own_partition(partition)
        if known is None:
            return
        directory, model = pair.machine.directory, pair.model
        number = known.LastSeqNumber + 1
        if number <= known.LastSeqNumber:  # as printed, its numbering can be ended
            return
        if command == Command.CREATE:
            self.serial += 1
            identifier = identifier or guid(1000 + self.serial)
            given: dict[int, Any] = {KINDS[kind].identifier: identifier}
            if path:
                given[KINDS[kind].path] = path
            ids, packed = pack(values or {})
            more = pack(given)
            ids, packed = ids + more[0], packed + more[1]
            held = dict(zip(ids, packed, strict=True))
            if directory.create(kind, path, identifier, partition, number, held):
                return
            assert model.make(int(kind), path, identifier, partition, int(number), held) == 0
        else:
            found = directory.read(kind, path, identifier)
            if found is None or found.PartitionID != partition:
                return
            path, identifier = found.PathName, found.Identifier
            there: Any = model.find(int(kind), path, identifier)
            if command == Command.DELETE:
                ids, packed = deletion(int(partition == E), int(kind))
                directory.delete(kind, path, identifier)
                model.drop(there)
            else:
                ids, packed = pack(values or {})
                held = dict(zip(ids, packed, strict=True))
                directory.update(kind, path, identifier, number, held)
                there["number"] = int(number)
                there["values"].update(held)
        event = PropagateDirectoryChange(
            Operation=command, PartitionID=partition, SeqNumber=number, PathName=path,
            GuidIdentifier=identifier, PropertyID=ids, PropertyValue=packed,
        )  # fmt: skip
        self.step(owner, event)

    def asked(self, partition: GUID) -> tuple[Command, Any, Any, Any, Any]:
        """A change that somebody wants: command, names, identifiers, values."""
        dice = self.dice
        kind, path, identifier, values = self.subject(partition)
        command = dice.choice(list(Command))
        if command == Command.DELETE:
            ids, packed = deletion(int(partition == E), int(kind))
        else:
            ids, packed = pack(values)
        if command == Command.CREATE and dice.random() < 0.5:
            more = pack({KINDS[kind].identifier: identifier})
            ids, packed = ids + more[0], packed + more[1]
        if path is not None and dice.random() < 0.5:
            return command, path, None, ids, packed
        return command, None, identifier, ids, packed

    def remote(self) -> None:
        """A server wants an object changed that it is not the authority of."""
        name, partition = self.dice.choice(list(self.pairs)), self.dice.choice(PARTITIONS)
        command, path, identifier, ids, packed = self.asked(partition)
        event = ChangeRemoteObject(
            Operation=command, PartitionID=partition, RequestIdentifier=self.dice.randrange(3), PathName=path,
            GuidIdentifier=identifier, PropertyID=ids, PropertyValue=packed,
        )  # fmt: skip
        self.step(name, event)

    # --------------------------------------------------------------------------- what nobody should do

    def number(self, partition: GUID) -> Any:
        """A number near that of an authority, or one that is not."""
        near = [0]
        for pair in self.pairs.values():
            known = pair.machine.partition(partition)
            if known is not None:
                near.append(int(known.LastSeqNumber))
        if self.dice.random() < 0.12:
            return no(self.dice.choice([1 << 63, LAST - 1, LAST]))
        return no(min(LAST, max(0, self.dice.choice(near) + self.dice.randrange(-2, 4))))

    def forged_change(self, partition: GUID) -> Any:
        command, path, identifier, ids, packed = self.asked(partition)
        named = {"PathName": path} if path is not None else {"GuidIdentifier": identifier}
        return mqdsrp.DirectoryChange(
            Command=command, PartitionID=partition, PreviousSeqNumber=self.number(partition),
            SeqNumber=self.number(partition),
            PurgedSeqNumber=self.number(partition) if self.dice.random() < 0.2 else no(0),
            PropertyID=ids, PropertyValue=packed, **named,
        )  # fmt: skip

    def forge(self) -> None:
        """A message that is well-formed and may say anything."""
        dice = self.dice
        name, partition = dice.choice(list(self.pairs)), dice.choice(PARTITIONS)
        number, other = self.number(partition), self.number(partition)
        who = dice.choice([*NAMES, ""])
        base = {"BaseReplicationHeader": mqdsrp.BaseReplicationHeader(SiteID=dice.choice(PARTITIONS))}
        changes = tuple(self.forged_change(partition) for _ in range(dice.randrange(4)))

        def of(operation: int) -> dict[str, Any]:
            return {
                "BaseReplicationHeader": mqdsrp.BaseReplicationHeader(
                    SiteID=base["BaseReplicationHeader"].SiteID, Operation=operation
                )
            }

        rows = (
            mqdsrp.PARTITION_SEQ_NUMBERS(PartitionID=partition, LastSeqNumber=number, PurgedSeqNumber=other),
        )
        kind = dice.randrange(8)
        message: Any
        if kind == 0:
            header = mqdsrp.SeqNumberHeader()
            if dice.random() < 0.4:
                header = mqdsrp.SeqNumberHeader(MachineName=who, PartitionSeqNumbers=rows)
            message = mqdsrp.ChangePropagationMessage(
                **of(0), Flush=dice.randrange(2), DirectoryChanges=changes, SeqNumberHeader=header
            )
        elif kind == 1:
            message = mqdsrp.ChangeRequestMessage(
                ChangeRequestHeader=mqdsrp.ChangeRequestHeader(
                    **of(1), PartitionID=partition, RequestIdentifier=dice.randrange(3), RequesterName=who
                ),
                DirectoryChange=self.forged_change(partition),
            )
        elif kind == 2:
            message = mqdsrp.SyncRequestMessage(
                **of(2), PartitionID=partition, FromSeqNumber=number, ToSeqNumber=other,
                KnownPurgedSeqNumber=self.number(partition), IsSync0=dice.randrange(2),
                Scope=dice.randrange(2), RequesterName=who,
            )  # fmt: skip
        elif kind == 3:
            message = mqdsrp.SyncReplyMessage(
                SyncReplyHeader=mqdsrp.SyncReplyHeader(
                    **of(3), PartitionID=partition, FromSeqNumber=number, ToSeqNumber=other,
                    PurgedSeqNumber=dice.choice([no(0), self.number(partition)]), Count=len(changes),
                    CompleteSync0=dice.randrange(3),
                ),
                DirectoryChanges=changes,
            )  # fmt: skip
        elif kind == 4:
            message = mqdsrp.ChangeReplyMessage(
                **of(4), RequestIdentifier=dice.randrange(5), Result=dice.choice([0, 5]), RequesterName=who
            )
        elif kind == 5:
            message = mqdsrp.AlreadyPurgedMessage(**of(5), PartitionID=partition, PurgedSeqNumber=number)
        elif kind == 6:
            message = mqdsrp.PSCAckMessage(
                **of(6), PSCSiteID=S1, AckedPartitionID=partition, AckedSeqNumber=number, PSCName=who
            )
        else:
            message = mqdsrp.BSCAckMessage(**of(7), BSCMachineID=guid(1), BSCName=who)
        self.arrive(("", name, message))


@pytest.mark.each(8)
@pytest.mark.parametrize("part", range(8))
def test_machine_and_model_agree(part: int) -> None:
    """After every step of every history both have said the same and know the same."""
    seen: set[str] = set()
    for seed in range(part, HISTORIES, 8):
        history = History(seed)
        try:
            history.run(60)
        except AssertionError as error:
            error.add_note(f"history {seed}, step {history.steps}, {history.readings}")
            raise
        seen |= history.seen
    assert seen >= MET
