"""Each reading of [MC-MQDSRP] that can be switched: what the other one does, and that ours does not.

The first part are counter-examples: runs after which an enterprise that takes the document at its word
stays apart, or never comes to rest.  Ours converges in the same run.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support_replication import deliver, no, of_kind, sent
from support_specs import load_errata

from msmq_wire import mqdsrp
from msmq_wire.documents.directory_objects import deletion
from msmq_wire.documents.propid import ObjectClass
from msmq_wire.machines.replication import (
    AS_PRINTED,
    PEC_PARTITION_ID,
    Enterprise,
    PurgeState,
    RandomNetwork,
    Readings,
    Settings,
)
from msmq_wire.values.sequence_number import MAX_SEQ_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.machines.replication import SendMessage

HOURS = 3 * 60 * 60
LIVELOCK = 20_000
QUEUE, MACHINE = ObjectClass.QUEUE, ObjectClass.MACHINE
OURS = Readings()


class Cable:
    """A network with a rule: it says after how many seconds a message arrives, None for never."""

    def __init__(self) -> None:
        self.rule: Callable[[str, SendMessage], float | None] = lambda *_: 0.01

    def delays(self, sender: str, sent: SendMessage) -> tuple[float, ...]:
        found = self.rule(sender, sent)
        return () if found is None else (found,)

    def lose(self, kind: type[Any], receiver: str = "") -> None:
        """Lose the messages of a kind to a server, or to all; propagations only where they bring changes."""

        def rule(_: str, posted: SendMessage) -> float | None:
            message: Any = posted.ReplicationMessage
            hit = isinstance(message, kind) and posted.Destination.startswith(receiver)
            return None if hit and getattr(message, "DirectoryChanges", True) else 0.01

        self.rule = rule

    def heal(self) -> None:
        self.rule = lambda *_: 0.01


class Run:
    """PEC0 with site0, PSC1 with site1, and what else a test adds."""

    def __init__(self, readings: Readings, *bscs: str, **settings: Any) -> None:
        numbers: dict[str, Any] = {"empty_propagations": False, "header": 60, **settings}
        self.cable = Cable()
        # The enterprise comes up with our readings, so that the fault shows where it belongs.
        self.world = Enterprise(network=self.cable, settings=Settings(**numbers), keep_log=True)
        self.world.run(15)
        self.world.add_site("PSC1", "site1")
        self.world.run(15)
        for bsc in bscs:
            self.world.add_bsc(bsc, f"site{bsc[3]}")
            self.world.run(15)
        self.site = self.world.site("site0")
        self.world.readings_of_all = readings
        for name, machine in self.world.machines.items():
            machine.readings = readings
            self.world.servers_by_name[name] = (*self.world.servers_by_name[name][:3], readings)

    def create(self, path: str, at: str = "PEC0", partition: Any = None, **properties: Any) -> int:
        values = {f"PROPID_Q_{name}": value for name, value in properties.items()}
        return self.world.create(at, QUEUE, path, values, partition=partition or self.site)

    def update(self, path: str, **properties: Any) -> None:
        values = {f"PROPID_Q_{name}": value for name, value in properties.items()}
        self.world.update("PEC0", QUEUE, path, values, partition=self.site)

    def delete(self, path: str) -> None:
        self.world.delete("PEC0", QUEUE, path, partition=self.site)

    def replica(self, server: str = "PSC1") -> Any:
        return self.world.state(server).DirectoryPartitionCollection[self.site]

    def settle(self) -> bool:
        """Let the network be good and time pass; whether the enterprise has converged and is at rest."""
        self.cable.heal()
        return self.world.run(HOURS, most=LIVELOCK) < LIVELOCK and not self.world.differences()

    def until(self, kind: type[Any]) -> None:
        """Let time pass until a message of a kind is sent."""
        before = len(of_kind(self.world, kind))
        while len(of_kind(self.world, kind)) == before:
            self.world.run(0.5)


PROPAGATION = mqdsrp.ChangePropagationMessage


# -------------------------------------------------------------------------------------- counter-examples


def lost_deletion(run: Run) -> None:
    run.create("C\\q")
    run.world.run(15)
    run.cable.lose(PROPAGATION)
    run.delete("C\\q")
    run.world.run(15)


def newest_first(run: Run) -> None:
    for number in range(3):
        run.create(f"C\\q{number}")
    run.world.add_site("PSC2", "site2")


def foreign_deletions(run: Run) -> None:
    for number in range(5):
        run.create(f"C\\q{number}")
    run.delete("C\\q1")
    run.world.run(15)
    run.cable.lose(PROPAGATION)
    run.create("D\\q", "PSC1", run.world.site("site1"))
    run.world.run(15)
    run.cable.heal()
    run.world.run(120)
    run.create("D\\r", "PSC1", run.world.site("site1"))


def allowed_purge(run: Run) -> None:
    for number in range(20):
        run.create(f"C\\q{number}")
        run.world.run(15)
    run.replica("PEC0").PurgedSeqNumber = no(9)
    run.world.run(200)
    run.world.crash("BSC1x")
    run.world.start("BSC1x")
    run.world.run(15)
    run.create("C\\r")
    run.world.run(15)
    run.cable.lose(PROPAGATION, "BSC1x")
    run.create("C\\s")
    run.world.run(15)


def site_without_identifier(run: Run) -> None:
    run.cable.lose(PROPAGATION, "PSC1")
    run.world.add_site("PSC2", "site2")
    run.world.run(15)


def purged_unnoticed(run: Run) -> None:
    """A deletion that a BSC missed is purged at its PSC, whose PurgedSeqNumber does not say so."""
    run.create("C\\q")
    run.world.run(15)
    run.cable.lose(PROPAGATION, "BSC0x")
    run.delete("C\\q")
    run.world.run(15)
    for number in range(4):
        run.create(f"C\\r{number}")
        run.world.run(15)
    assert not run.world.state("PEC0").DeletedObjectCollection[run.site]


def site_scope(run: Run) -> None:
    run.create("C\\q", LABEL="old", SCOPE=0)
    run.create("C\\r")
    run.world.run(15)
    run.cable.lose(PROPAGATION)
    run.update("C\\q", LABEL="new")
    run.update("C\\r", LABEL="new")
    run.world.run(15)


def lost_request(run: Run) -> None:
    run.world.crash("PSC1")
    run.create("C\\q")
    run.world.run(15)
    run.cable.lose(mqdsrp.SyncRequestMessage)
    run.world.start("PSC1")
    run.world.run(0.1)


def gap_after_the_first_reply(run: Run) -> None:
    """The reply to a restarted server is late; one change is lost meanwhile, and the next one waits."""
    run.create("C\\q")
    run.world.run(15)
    run.world.crash("PSC1")
    run.cable.rule = lambda _, sent: (
        30 if isinstance(sent.ReplicationMessage, mqdsrp.SyncReplyMessage) else 0.01
    )
    run.world.start("PSC1")
    run.world.run(0.1)
    late = run.cable.rule
    run.cable.lose(PROPAGATION)
    run.create("C\\r")
    run.world.run(12)
    run.cable.rule = late
    run.create("C\\s")
    run.world.run(12)


def changed_behind_the_window(run: Run) -> None:
    """An object changes within the range that is asked for, and again after it before the reply."""
    run.create("C\\q", LABEL="old")
    run.create("C\\r")
    run.world.run(15)
    run.cable.lose(PROPAGATION)
    run.update("C\\q", LABEL="new")
    run.update("C\\r", LABEL="new")
    run.world.run(15)
    lossy = run.cable.rule

    def slow_request(sender: str, sent: SendMessage) -> float | None:
        return 3 if isinstance(sent.ReplicationMessage, mqdsrp.SyncRequestMessage) else lossy(sender, sent)

    run.cable.rule = slow_request
    run.until(mqdsrp.SyncRequestMessage)
    run.update("C\\r", QUOTA=1)
    run.update("C\\q", QUOTA=1)
    run.cable.heal()


def pending_update_between(run: Run) -> None:
    """Two lost changes, two that wait; the second of these updates what the first lost one changed."""
    for path in ("C\\q", "C\\r", "C\\s"):
        run.create(path, LABEL="old")
    run.world.run(15)
    run.cable.lose(PROPAGATION)
    run.update("C\\q", LABEL="new")
    run.update("C\\r", LABEL="new")
    run.world.run(15)
    run.cable.heal()
    run.update("C\\s", LABEL="new")
    run.update("C\\q", QUOTA=1)


def created_and_deleted_unseen(run: Run) -> None:
    run.cable.lose(PROPAGATION)
    run.create("C\\q")
    run.delete("C\\q")
    run.create("C\\r")
    run.world.run(15)


def lost_relay(run: Run) -> None:
    """A BSC misses a change of another site that its PSC has."""
    run.cable.lose(PROPAGATION, "BSC1x")
    run.create("C\\q")
    run.world.run(30)


def deleted_site(run: Run) -> None:
    run.world.add_site("PSC2", "site2")
    run.world.run(15)
    run.world.crash("PSC2")
    run.world.delete("PEC0", ObjectClass.SITE, "site2")
    run.world.run(15)
    assert run.world.site("site2") not in run.world.state("PEC0").DirectoryPartitionCollection
    run.world.start("PSC2")


def same_neighbor_first(run: Run) -> None:
    run.world.add_site("PSC2", "site2")
    run.world.run(7)
    for machine in run.world.machines.values():
        machine.volatile.neighbors.clear()
    run.world.run(300)
    run.cable.lose(PROPAGATION, "PSC")
    run.create("C\\q")
    run.world.run(15)


def broken_reset(run: Run) -> None:
    run.create("C\\q")
    run.world.run(15)
    run.world.crash("PSC1")
    run.replica().PurgeState = PurgeState.STARTSYNC0
    run.replica().LastSeqNumber = no(0)
    run.world.start("PSC1")


def number_of_an_empty_reply(run: Run) -> None:
    run.create("C\\q", SCOPE=0)
    run.world.run(15)
    run.cable.lose(PROPAGATION)
    run.update("C\\q", LABEL="new")
    run.world.run(15)
    run.cable.heal()
    run.world.run(100)
    run.create("C\\r")
    run.world.run(15)


def broken_off_by_header(run: Run) -> None:
    """The first request of the sync0 state is lost; the next SeqNumberHeader leads to another one."""
    run.create("C\\q")
    run.world.run(15)
    run.replica("PEC0").PurgedSeqNumber = no(1)
    run.world.crash("PSC1")
    run.replica().LastSeqNumber = no(0)
    run.cable.rule = lambda _, sent: None if getattr(sent.ReplicationMessage, "IsSync0", 0) else 0.01
    run.world.start("PSC1")
    run.world.run(5)
    assert run.replica().PurgeState is PurgeState.SYNC0
    run.create("C\\r")


COUNTER_EXAMPLES: list[tuple[str, Callable[[Run], None], tuple[str, ...], dict[str, Any]]] = [
    ("descending_replies", newest_first, (), {}),
    ("all_deleted_objects", foreign_deletions, (), {}),
    ("allowed_purge_in_headers", allowed_purge, ("BSC1x",), {"purge_buffer": 4, "purge_interval": 8}),
    ("site_from_property", site_without_identifier, (), {}),
    (
        "purge_below_zero",
        purged_unnoticed,
        ("BSC0x",),
        {"purge_buffer": 1, "purge_interval": 1, "ack_interval": 1},
    ),
    ("scope_in_lookup", site_scope, (), {}),
    ("window_hides_loss", lost_request, (), {}),
    (
        "pending_by_own_number ask_up_to_window number_from_empty_reply",
        gap_after_the_first_reply,
        (),
        {"header": 1200},
    ),
    ("ask_up_to_window", changed_behind_the_window, (), {}),
    ("ask_up_to_window", broken_off_by_header, (), {}),
    ("pending_between", pending_update_between, (), {}),
    ("absent_is_error", created_and_deleted_unseen, (), {}),
    ("authority_keeps_deletions", lost_deletion, (), {}),
    ("own_types_only", lost_relay, ("BSC1x",), {}),
    ("only_pec_deletes_sites", deleted_site, (), {}),
    ("one_header_clock", same_neighbor_first, (), {}),
    ("stuck_in_startsync0 window_hides_loss", broken_reset, (), {}),
    (
        "number_from_empty_reply ask_up_to_window scope_in_lookup",
        number_of_an_empty_reply,
        (),
        {},
    ),
]


@pytest.mark.each(12)
@pytest.mark.parametrize(
    ("switches", "story", "bscs", "settings"),
    COUNTER_EXAMPLES,
    ids=[f"{story.__name__}" for _, story, *_ in COUNTER_EXAMPLES],
)
def test_counter_examples(
    switches: str, story: Callable[[Run], None], bscs: tuple[str, ...], settings: dict[str, Any]
) -> None:
    """With the reading as printed the replicas stay apart for ever; with ours they do not."""
    ours = Run(OURS, *bscs, **settings)
    story(ours)
    assert ours.settle()
    printed = Run(Readings(**dict.fromkeys(switches.split(), True)), *bscs, **settings)
    story(printed)
    assert not printed.settle()


def test_number_goes_back() -> None:
    """What the gap after the first reply does in detail: LastSeqNumber becomes 0 (errata D34 and D45)."""
    readings = Readings(pending_by_own_number=True, ask_up_to_window=True, number_from_empty_reply=True)
    run = Run(readings, header=1200)
    gap_after_the_first_reply(run)
    assert run.replica().LastSeqNumber == no(1)
    run.cable.heal()
    run.world.run(30, most=LIVELOCK)
    assert run.replica().LastSeqNumber == no(0)
    requests = of_kind(run.world, mqdsrp.SyncRequestMessage, "PSC1")[-10:]
    assert {(request.FromSeqNumber, request.ToSeqNumber) for request in requests} == {(no(0), no(0))}


def test_a_bsc_is_taken_for_an_authority() -> None:
    """A BSC that propagates becomes the authority in the eyes of a PSC that is behind it (errata D41)."""
    for readings, authority in ((OURS, "PEC0"), (Readings(bsc_propagates=True), "BSC0x")):
        run = Run(readings, "BSC0x")
        run.cable.rule = lambda sender, sent: (
            0.01 if sender == "BSC0x" or sent.Destination != "PSC1" else None
        )
        run.world.crash("BSC0x")
        bsc = run.world.state("BSC0x")
        bsc.DirectoryPartitionCollection.pop(run.world.site("site1"))
        bsc.DirectoryPartitionCollection[PEC_PARTITION_ID].LastSeqNumber = no(0)
        run.world.start("BSC0x")
        run.world.machines["BSC0x"].readings = readings
        run.create("C\\q")
        run.world.run(100)
        assert run.replica().AuthorityName == authority


def test_as_printed_does_not_converge() -> None:
    """The whole document at its word, in an ordinary run on an ordinary network."""
    world = Enterprise(readings=AS_PRINTED, settings=Settings(header=60, empty_propagations=False))
    world.add_site("PSC1", "site1")
    world.run(15)
    world.network = RandomNetwork(1)
    for number in range(20):
        world.create("PEC0", QUEUE, f"C\\q{number}", partition=world.site("site0"))
        world.run(15)
    assert world.run(HOURS, most=LIVELOCK) == LIVELOCK or world.differences()


# ------------------------------------------------------------------------ readings that show on the wire


def test_requests_by_path_only() -> None:
    for readings, status in ((OURS, 0), (Readings(requests_by_path_only=True), 0xC00E050F)):
        run = Run(readings)
        identifier = run.world.guid("user")
        run.world.create("PEC0", ObjectClass.USER, None, {"PROPID_U_SID": b"s"}, identifier=identifier)
        request = run.world.delete("PSC1", ObjectClass.USER, None, identifier=identifier)
        run.world.run(30)
        assert run.world.completed["PSC1", request] == status
        (sent, *_) = of_kind(run.world, mqdsrp.ChangeRequestMessage)
        assert sent.DirectoryChange.UseGuid == int(readings is OURS)


def test_own_number_as_purged() -> None:
    for readings, purged in ((OURS, 0), (Readings(own_number_as_purged=True), 1)):
        run = Run(readings)
        run.create("C\\q")
        run.world.run(15)
        change = of_kind(run.world, PROPAGATION, "PEC0")[-1].DirectoryChanges[-1]
        assert (change.SeqNumber, change.PurgedSeqNumber) == (no(1), no(purged))
        assert run.settle()


def test_ask_from_next() -> None:
    for readings, first in ((OURS, 1), (Readings(ask_from_next=True), 2)):
        run = Run(readings)
        run.create("C\\q")
        run.world.run(15)
        run.world.crash("PSC1")
        run.create("C\\r")
        run.world.start("PSC1")
        run.world.machines["PSC1"].readings = readings
        partition = run.replica()
        run.world.machines["PSC1"].partitions.send_sync_request(partition)
        run.world.carry_out("PSC1", run.world.machines["PSC1"].outbox.take()[-1])
        request = of_kind(run.world, mqdsrp.SyncRequestMessage)[-1]
        assert (request.FromSeqNumber, request.ToSeqNumber) == (no(first), MAX_SEQ_NUMBER)
        assert run.settle()


def test_masked_priority() -> None:
    for readings, priority in ((OURS, 7), (Readings(masked_priority=True), 0)):
        run = Run(readings)
        run.create("C\\q", at="PSC1")
        run.world.run(1)
        urgent = (mqdsrp.ChangeRequestMessage, mqdsrp.ChangeReplyMessage)
        rows = [row.sent for row in run.world.log if isinstance(row.sent.ReplicationMessage, urgent)]
        assert [row.Priority for row in rows] == [priority] * 2
        carriers: list[Any] = [row.to_user_message(run.world.guid("sender")) for row in rows]
        assert [carrier.BaseHeader.Flags.PR for carrier in carriers] == [priority] * 2


def test_flush_to_bsc() -> None:
    for readings, flush in ((OURS, 0), (Readings(flush_to_bsc=True), 1)):
        run = Run(readings, "BSC0x")
        run.create("C\\q")
        run.world.run(15)
        for receiver, expected in (("PSC1", 0), ("BSC0x", flush)):
            got = [row.sent.ReplicationMessage for row in run.world.log if row.sent.Destination == receiver]
            assert [message.Flush for message in got if isinstance(message, PROPAGATION)][-1] == expected
        assert run.settle()


def test_site_of_forwarder() -> None:
    """A request that came from a third site is passed on."""
    for readings, site in ((OURS, "site2"), (Readings(site_of_forwarder=True), "site1")):
        run = Run(readings)
        request = mqdsrp.ChangeRequestMessage(
            ChangeRequestHeader=mqdsrp.ChangeRequestHeader(
                BaseReplicationHeader=mqdsrp.BaseReplicationHeader(
                    SiteID=run.world.guid("site site2"), Operation=1
                ),
                PartitionID=run.site,
                RequestIdentifier=7,
                RequesterName="PSC2",
            ),
            DirectoryChange=mqdsrp.DirectoryChange(Command=0, PathName="C\\q", PartitionID=run.site),
        )
        (passed_on,) = sent(deliver(run.world.machines["PSC1"], request))
        assert passed_on.ChangeRequestHeader.BaseReplicationHeader.SiteID == run.world.guid(f"site {site}")
        assert passed_on.DirectoryChange == request.DirectoryChange


def test_ask_each_time() -> None:
    """Out of order within the window: no second request, or one (errata D29)."""
    for readings, requests in ((OURS, 0), (Readings(ask_each_time=True), 1)):
        run = Run(readings)
        machine = run.world.machines["PSC1"]
        machine.volatile.of_partition(run.replica()).ChangeMissingWindow = no(100)
        run.cable.lose(PROPAGATION, "PSC1")
        run.create("C\\q")
        run.world.run(11)
        before = len(of_kind(run.world, mqdsrp.SyncRequestMessage))
        run.cable.heal()
        run.create("C\\r")
        run.world.run(11)
        assert len(of_kind(run.world, mqdsrp.SyncRequestMessage)) - before == requests


def test_given_name_only() -> None:
    """A BSC's machine is deleted by its GUID (errata D46)."""
    for readings, left in ((OURS, []), (Readings(given_name_only=True), ["BSC0x"])):
        run = Run(readings, "BSC0x")
        found = run.world.directory("PEC0").read(MACHINE, "BSC0x", None)
        assert found is not None
        run.world.run(15)
        request = mqdsrp.ChangeRequestMessage(
            ChangeRequestHeader=mqdsrp.ChangeRequestHeader(
                PartitionID=run.site, RequestIdentifier=1, RequesterName="PSC1"
            ),
            DirectoryChange=mqdsrp.DirectoryChange(
                Command=2, GuidIdentifier=found.Identifier, PartitionID=run.site,
                PropertyID=(1403, 1404), PropertyValue=deletion(0, MACHINE)[1],
            ),
        )  # fmt: skip
        status = run.world.machines["PEC0"].authority.execute(run.replica("PEC0"), request.DirectoryChange)
        assert status == 0
        assert list(run.world.state("PEC0").BSCNeighborCollection) == left


def test_requests_not_propagated() -> None:
    for readings, count in ((OURS, 1), (Readings(requests_not_propagated=True), 0)):
        run = Run(readings)
        run.create("C\\q", at="PSC1")
        run.world.run(12)
        changes = [
            change
            for message in of_kind(run.world, PROPAGATION, "PEC0")
            for change in message.DirectoryChanges
            if change.PartitionID == run.site
        ]
        assert len(changes) == count
        assert run.settle()


def test_authority_never_purges() -> None:
    for readings, left in ((OURS, 0), (Readings(authority_never_purges=True), 1)):
        run = Run(readings, purge_buffer=2, purge_interval=1, ack_interval=1)
        run.create("C\\q")
        run.delete("C\\q")
        for number in range(5):
            run.create(f"C\\r{number}")
            run.world.run(15)
        assert len(run.world.state("PEC0").DeletedObjectCollection[run.site]) == left


def test_any_partition() -> None:
    for readings, status in ((OURS, 0xC00E050F), (Readings(any_partition=True), 0)):
        run = Run(readings)
        run.create("D\\q", "PSC1", run.world.site("site1"))
        run.world.run(15)
        request = run.world.update("PSC1", QUEUE, "D\\q", {"PROPID_Q_LABEL": "x"}, partition=run.site)
        run.world.run(15)
        assert run.world.completed["PSC1", request] == status


def test_deleted_come_back() -> None:
    """A creation that arrives again after the deletion (errata D53)."""
    for readings, there in ((OURS, False), (Readings(deleted_come_back=True), True)):
        run = Run(readings)
        run.create("C\\q", at="PSC1")
        run.world.run(15)
        (request,) = of_kind(run.world, mqdsrp.ChangeRequestMessage)
        run.delete("C\\q")
        deliver(run.world.machines["PEC0"], request)
        assert run.settle()
        found = run.world.directory("PSC1").read(QUEUE, "C\\q", None)
        assert (found is not None) == there


def test_every_switch_has_its_erratum() -> None:
    """The documentation of each switch names an erratum that exists and can be met in the field."""
    known = {erratum.id: erratum for erratum in load_errata()}
    text = inspect.getdoc(Readings) or ""
    found = dict(re.findall(r"^    (\w+): [^:]*?\(errata\s+(D\d+)\)\.$", text, re.MULTILINE | re.DOTALL))
    assert set(found) == set(Readings.__struct_fields__)
    for name, identifier in found.items():
        assert known[identifier].switchable, name


def test_every_switch_is_off() -> None:
    assert Readings() == Readings(**dict.fromkeys(Readings.__struct_fields__, False))


def test_every_switch_is_tested() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    for name in ("test_replication_hostile.py", "test_replication_parts.py"):
        source += Path(__file__).with_name(name).read_text(encoding="utf-8")
    for name in Readings.__struct_fields__:
        assert re.search(rf"\b{name}\b", source), name
