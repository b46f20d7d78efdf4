"""What histories of single servers do not show: the simulation, its clock, masses, refusals, odd objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support_machines import INTER, INTRA, MACHINE, QUEUE, S1, S2, E, change, guid, machine, part, propagation
from support_replication import QUICK, check_messages, deliver, no, of_kind, sent

from msmq_wire import MsmqWireError, mqdsrp
from msmq_wire.documents.propid import ObjectClass
from msmq_wire.machines.replication import (
    BSCAckTimer,
    ChangePropagationTimer,
    ChangeRemoteObject,
    ChangeRequestTimer,
    Command,
    Enterprise,
    MemoryDirectory,
    MessageReceived,
    PurgeState,
    ResetTimer,
    Settings,
    StartTimer,
    TimerFired,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire import GUID
    from msmq_wire.machines.replication import SendMessage

USER, LINK = ObjectClass.USER, ObjectClass.ROUTING_LINK


def enterprise(**options: Any) -> Enterprise:
    """Two sites, a BSC in each, at rest."""
    world = Enterprise(**{"settings": QUICK, "keep_log": True, **options})
    world.add_site("PSC1", "site1")
    world.run(30)
    world.add_bsc("BSC0", "site0")
    world.add_bsc("BSC1", "site1")
    world.run(60)
    assert world.differences() == []
    return world


# -------------------------------------------------------------------------------------- the simulation


def test_what_a_simulation_refuses() -> None:
    """Servers and sites that there are not, twice, or down: one error of this library, and nothing done."""
    world = enterprise()
    world.crash("BSC0")
    wrong: list[Callable[[], object]] = [
        lambda: world.crash("BSC0"),
        lambda: world.crash("nobody"),
        lambda: world.start("BSC1"),
        lambda: world.start("nobody"),
        lambda: world.retire("nobody"),
        lambda: world.site("nowhere"),
        lambda: world.directory("nobody"),
        lambda: world.state("nobody"),
        lambda: world.authority(guid(9)),
        lambda: world.add_site("PSC1", "site9"),
        lambda: world.add_site("PSC9", "site1"),
        lambda: world.add_bsc("BSC1", "site1"),
        lambda: world.add_bsc("BSC9", "nowhere"),
        lambda: world.create("BSC0", QUEUE, "C\\q", partition=world.site("site0")),
    ]
    before = (len(world.log), [server.MachineName for server in world.servers()])
    for attempt in wrong:
        with pytest.raises(MsmqWireError):
            attempt()
    for seconds in (-1, float("nan")):
        with pytest.raises(ValueError, match="expected a duration of 0 seconds or more"):
            world.run(seconds)
    assert before == (len(world.log), [server.MachineName for server in world.servers()])
    world.crash("PEC0")
    with pytest.raises(MsmqWireError):
        world.add_site("PSC9", "site9")
    with pytest.raises(MsmqWireError):
        world.add_bsc("BSC9", "site0")
    for name in ("PEC0", "BSC0"):
        world.start(name)
    world.add_site("PSC9", "site9")
    world.run(60)
    assert world.differences() == []


def times(world: Enterprise, sender: str, destination: str, kind: type) -> list[float]:
    return [
        round(row.time, 6)
        for row in world.log
        if (row.sender, row.sent.Destination) == (sender, destination)
        and isinstance(row.sent.ReplicationMessage, kind)
    ]


def test_the_clock_of_a_simulation() -> None:
    """Product notes 6, 7 and 12: 10 and 2 seconds, 5 seconds and 12 hours, 20 minutes."""
    world = Enterprise(keep_log=True, settings=Settings(bsc_ack=1800))
    world.add_site("PSC1", "site1")
    world.run(1)
    world.add_bsc("BSC0", "site0")
    world.run(2500)
    propagated = mqdsrp.ChangePropagationMessage
    assert times(world, "PEC0", "PSC1", propagated)[:3] == [10, 20, 30]
    assert times(world, "PEC0", "BSC0", propagated)[:3] == [3, 5, 7]
    assert times(world, "BSC0", "PEC0", mqdsrp.BSCAckMessage) == [6, 1806]
    assert machine("BSC1a").step(TimerFired(BSCAckTimer()))[-1] == StartTimer(BSCAckTimer(), 12 * 3600)
    headers = [
        row.time
        for row in world.log
        if (row.sender, row.sent.Destination) == ("PEC0", "PSC1")
        and isinstance(message := row.sent.ReplicationMessage, propagated)
        and message.SeqNumberHeader.Count
    ]
    assert headers[:3] == [10, 1210, 2410]


def test_the_clock_of_a_server_is_that_of_its_events() -> None:
    """Zero before the first of them, and with those that do not say when they are."""
    made = machine()
    assert made.shared.time == 0
    for event, now in ((TimerFired(BSCAckTimer(), 7.5), 7.5), (MessageReceived(propagation(), 9), 9)):
        made.step(event)
        assert made.shared.time == now
    for event in (TimerFired(BSCAckTimer()), MessageReceived(propagation())):
        made.shared.time = 3
        made.step(event)
        assert made.shared.time == 0


def test_a_request_waits_as_long_as_it_may() -> None:
    """Product note 11: 10 seconds for the authority, 20 where it has to be passed on or is not known."""
    for partition, seconds in ((S1, 10), (S2, 20), (guid(9), 20)):
        made = machine("BSC1a")
        event = ChangeRemoteObject(
            Operation=Command.UPDATE, PartitionID=partition, RequestIdentifier=1, PathName="C\\q"
        )
        assert made.step(event)[1] == StartTimer(ChangeRequestTimer("BSC1a", 1), seconds)
    world = enterprise()
    world.crash("PEC0")
    asked = world.create("BSC1", QUEUE, "C\\q", partition=world.site("site0"))
    world.run(9)
    assert ("BSC1", asked) not in world.completed
    world.run(2)
    assert world.completed["BSC1", asked] == 0xC00E0049  # the PSC, which waited ten seconds, says so


# ------------------------------------------------------------------------------------- odd objects


def test_users_and_links() -> None:
    """Objects without a path name go by their GUID, at once, by request and by synchronization."""
    world = enterprise()
    user, link = world.guid("user"), world.guid("link")
    requests = [
        world.create("BSC1", USER, None, {"PROPID_U_SID": b"\1\1\0\0\0\0\0\5\1\0\0\0"}, identifier=user),
        world.create("PSC1", LINK, None, {"PROPID_L_COST": 3}, identifier=link),
    ]
    world.run(60)
    world.crash("BSC1")
    requests.append(world.update("PSC1", LINK, None, {"PROPID_L_COST": 7}, identifier=link))
    requests.append(world.delete("PSC1", USER, None, identifier=user))
    world.run(60)
    world.start("BSC1")
    world.run(60)
    assert [
        world.completed["BSC1" if number == 0 else "PSC1", asked] for number, asked in enumerate(requests)
    ] == [0] * 4
    for server in world.servers():
        directory = world.directory(server.MachineName)
        found = directory.read(LINK, None, link)
        assert found is not None
        assert found.properties[801 + 2].value == 7
        assert directory.read(USER, None, user) is None
    assert world.differences() == []
    assert check_messages(world.log)
    changes = [
        item
        for message in of_kind(world, mqdsrp.ChangePropagationMessage)
        for item in message.DirectoryChanges
    ]
    assert {item.UseGuid for item in changes if item.GuidIdentifier in {user, link}} == {1}


def test_a_creation_without_a_guid() -> None:
    """A request that gives none: the authority chooses, and all servers have the same."""
    world = enterprise()
    machine_at = world.machines["PSC1"]
    event = ChangeRemoteObject(
        Operation=Command.CREATE, PartitionID=world.site("site0"), RequestIdentifier=900, PathName="C\\new",
        PropertyID=change(1, 1).PropertyID, PropertyValue=change(1, 1).PropertyValue,
    )  # fmt: skip
    for effect in machine_at.step(event):
        world.carry_out("PSC1", effect)
    world.run(60)
    assert world.completed["PSC1", 900] == 0
    assert world.differences() == []
    found = {
        item.Identifier
        for server in world.servers()
        for item in world.directory(server.MachineName)
        if item.PathName == "C\\new"
    }
    assert len(found) == 1


def test_one_identifier_for_two_kinds_of_objects() -> None:
    """A directory keeps a queue and a machine of one GUID apart, also when both are deleted."""
    directory = MemoryDirectory()
    for kind, path in ((QUEUE, "C\\q"), (MACHINE, "C")):
        assert directory.create(kind, path, guid(1), S1, no(1), {}) == 0
    assert len(list(directory.lookup(QUEUE, S1, no(0), no(9), 0))) == 1
    assert len(list(directory.lookup(MACHINE, S1, no(0), no(9), 0))) == 1
    assert directory.delete(QUEUE, None, guid(1)) == 0
    assert directory.delete(MACHINE, None, guid(1)) == 0
    assert len(directory) == 0


def test_an_object_without_a_path_name_takes_the_place_of_none() -> None:
    directory = MemoryDirectory()
    assert directory.create(QUEUE, "", guid(1), S1, no(1), {}) == 0
    assert directory.create(QUEUE, None, guid(2), S1, no(2), {}) == 0
    assert len(directory) == 2


def test_a_machine_that_is_a_neighbor_twice() -> None:
    """A BSC of this site that is another site's PSC: what waits for the one does not wait for the other."""
    made = machine()
    made.neighbors.queue(change(1, 1))
    made.neighbors.add_neighbor("PSC2", S1, INTRA)
    made.neighbors.queue(change(1, 2))
    told = {}
    for scope in (INTER, INTRA):
        (message,) = sent(made.step(TimerFired(ChangePropagationTimer("PSC2", scope))))
        told[scope] = [int(item.SeqNumber) for item in message.DirectoryChanges]
    assert told == {INTER: [1, 2], INTRA: [2]}


# ------------------------------------------------------------------------------------------ no names


def test_nobody_is_no_authority() -> None:
    """A header without a name and a site without a PSC name nobody; nothing is sent to nobody."""
    made = machine()
    row: dict[str, tuple[GUID, int, int]] = {"": (S2, 5, 0)}
    effects = deliver(made, propagation(flush=0, **row))
    assert part(made).AuthorityName == "PSC2"
    assert len(sent(effects)) == 1
    site = change(3, 1, PartitionID=E, GuidIdentifier=guid(9), properties={"PROPID_S_PSC": ""})
    assert sent(deliver(made, propagation(site))) == []
    assert made.partition(guid(9)) is None
    made.outbox.send_replication_message("", mqdsrp.BSCAckMessage())
    assert made.outbox.take() == []


def test_what_is_no_event() -> None:
    made = machine()
    unread: Any = mqdsrp.SeqNumberHeader()
    events: list[Any] = [None, "event", mqdsrp.BSCAckMessage(), MessageReceived(unread)]
    for event in events:
        with pytest.raises(ValueError, match=r"expected (an event|a replication message)"):
            made.step(event)


# ------------------------------------------------------------------------------------------- refusals


class Unwilling(MemoryDirectory):
    """A directory that refuses changes and resets for a while."""

    refusing = False

    def create(self, *given: Any) -> int:
        return 0xC00E0001 if self.refusing else super().create(*given)

    def update(self, *given: Any) -> int:
        return 0xC00E0001 if self.refusing else super().update(*given)

    def mark(self, *given: Any) -> int:
        return 0xC00E0001 if self.refusing else super().mark(*given)

    def sweep(self, *given: Any) -> int:
        return 0xC00E0001 if self.refusing else super().sweep(*given)


def test_a_directory_that_refuses() -> None:
    """A replica whose directory refuses stays where it is, silently, and catches up later."""
    world = enterprise(settings=Settings(empty_propagations=False, header=60))
    unwilling = Unwilling()
    world.machines["PSC1"].shared.directory = unwilling
    unwilling.__dict__.update(world.directory("PSC1").__dict__)
    unwilling.refusing = True
    site = world.site("site0")
    before = part(world.machines["PSC1"], site).LastSeqNumber
    for number in range(5):
        world.create("PEC0", QUEUE, f"C\\q{number}", {"PROPID_Q_LABEL": "x"}, partition=site)
    said = len(world.log)
    world.run(600)
    assert part(world.machines["PSC1"], site).LastSeqNumber == before
    assert len(world.log) - said < 120
    unwilling.refusing = False
    world.run(200)
    assert world.differences() == []


def test_a_reset_that_fails_and_is_no_longer_needed() -> None:
    """The site goes while its reset waits for the timer; a restart takes a reset up that had failed."""
    made = machine()
    made.shared.directory = unwilling = Unwilling()
    unwilling.refusing = True
    purged = mqdsrp.AlreadyPurgedMessage(PartitionID=S2, PurgedSeqNumber=no(20))
    assert deliver(made, purged) == [StartTimer(ResetTimer(S2), 60)]
    # What comes meanwhile is not answered and does not end the state.
    asked = mqdsrp.SyncRequestMessage(PartitionID=S2, ToSeqNumber=no(9), RequesterName="BSC1a")
    assert deliver(made, asked) == []
    assert deliver(made, purged) == []
    assert part(made).PurgeState is PurgeState.STARTSYNC0
    assert deliver(made, mqdsrp.AlreadyPurgedMessage(PartitionID=S2, PurgedSeqNumber=no(30))) == [
        StartTimer(ResetTimer(S2), 60)
    ]
    assert part(made).PurgedSeqNumber == no(30)
    made.objects.remove_site(S2)
    made.outbox.take()
    assert made.step(TimerFired(ResetTimer(S2), 60)) == []


# -------------------------------------------------------------------------------------------- masses


@pytest.mark.parametrize("lost", [None, 0, 1])
def test_more_changes_than_a_message_holds(lost: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """More changes between two propagations than one takes: either message may be lost or late."""
    monkeypatch.setattr("msmq_wire.machines.replication.parts.neighbors.MOST_CHANGES", 150)
    world = Enterprise(settings=Settings(empty_propagations=False, header=30, intersite=40))
    world.add_site("PSC1", "site1")
    world.run(90)
    site = world.site("site0")
    world.create("PEC0", QUEUE, "C\\q", partition=site)
    for number in range(290):
        world.update("PEC0", QUEUE, "C\\q", {"PROPID_Q_QUOTA": number}, partition=site)
    counts: list[int] = []

    class Cable:
        def delays(self, sender: str, sent: SendMessage) -> tuple[float, ...]:
            message = sent.ReplicationMessage
            if sender == "PEC0" and isinstance(message, mqdsrp.ChangePropagationMessage) and message.Count:
                counts.append(message.Count)
                # The second message overtakes the first, and has more changes than can wait.
                return () if lost == len(counts) - 1 else (1 / len(counts),)
            return (0.01,)

    world.network = Cable()
    world.run(200)
    assert counts == [150, 141]
    assert world.differences() == []
