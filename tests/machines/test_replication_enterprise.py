"""Any enterprise on any network: after the faults it converges, and nothing comes back from the dead.

One state machine draws the enterprise, the network, the changes and the crashes.  What it checks while it
runs holds at every moment; what it checks at the end holds after the faults have stopped and three header
periods have passed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support_examples import examples
from support_replication import check_messages

from benchmarks.bench_replication import main
from msmq_wire import mqdsrp
from msmq_wire.documents.propid import PROPID, ObjectClass
from msmq_wire.machines.replication import Enterprise, PurgeState, RandomNetwork, Reliable, Settings

if TYPE_CHECKING:
    from msmq_wire.machines.replication import SendMessage
    from msmq_wire.values.guid import GUID
    from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

QUEUE, NETWORK, USER = ObjectClass.QUEUE, ObjectClass.CONNECTED_NETWORK, ObjectClass.USER
HEADER = 120
SMALL = st.builds(
    Settings,
    header=st.just(HEADER),
    empty_propagations=st.booleans(),
    pending=st.sampled_from([1, 3, 100]),
    purge_buffer=st.sampled_from([1, 4, 16]),
    purge_interval=st.sampled_from([1, 4]),
    ack_interval=st.sampled_from([1, 2, 4]),
    bsc_ack=st.sampled_from([60, 12 * 60 * 60]),
)
"""Numbers so small that purging and full synchronization happen in short runs."""


class Careless(RandomNetwork):
    """A random network that doubles everything but change requests: two of those are two wishes."""

    def delays(self, sender: str, sent: SendMessage) -> tuple[float, ...]:
        found = super().delays(sender, sent)
        return found[:1] if isinstance(sent.ReplicationMessage, mqdsrp.ChangeRequestMessage) else found


NETWORKS = st.builds(
    Careless,
    st.integers(0, 1 << 16),
    drop=st.sampled_from([0.0, 0.2, 0.6]),
    duplicate=st.sampled_from([0.0, 0.3]),
    delay=st.sampled_from([0.1, 20, 300]),
)
MOMENTS = st.sampled_from([0, 0.5, 3, 11, 45, 200])


class Coded(Enterprise):
    """An enterprise whose messages travel as bytes."""

    def send(self, name: str, sent: SendMessage) -> None:
        message = mqdsrp.decode(mqdsrp.encode(sent.ReplicationMessage))
        assert message == sent.ReplicationMessage
        super().send(name, msgspec.structs.replace(sent, ReplicationMessage=message))


class EnterpriseUnderFaults(RuleBasedStateMachine):
    """Up to five PSCs, one of them the PEC, and up to eight BSCs."""

    def __init__(self) -> None:
        super().__init__()
        self.world: Any = None
        self.sites: list[str] = []
        self.down: list[str] = []
        self.numbers: dict[tuple[str, GUID], SEQUENCE_NUMBER] = {}
        self.dead: dict[tuple[str, GUID], set[GUID]] = {}
        self.serial = 0
        self.populated: set[str] = set()

    @initialize(
        kind=st.sampled_from([Enterprise, Coded]),
        numbers=SMALL,
        pscs=st.integers(0, 4),
        bscs=st.lists(st.integers(0, 4), max_size=8),
    )
    def build(self, kind: type[Enterprise], numbers: Settings, pscs: int, bscs: list[int]) -> None:
        self.world = kind(settings=numbers, keep_log=True)
        self.sites = ["site0"]
        for number in range(1, pscs + 1):
            self.sites.append(f"site{number}")
            self.world.add_site(f"PSC{number}", f"site{number}")
            self.world.run(11)
        for number, site in enumerate(bscs):
            self.world.add_bsc(f"BSC{number}", self.sites[site % len(self.sites)])
            self.world.run(1)
        self.populated = {self.sites[site % len(self.sites)] for site in bscs}

    # --------------------------------------------------------------------------------------- changes

    def _at(self, server: int) -> str:
        names = list(self.world.machines)
        return str(names[server % len(names)])

    @rule(server=st.integers(0, 12), site=st.integers(0, 4), name=st.integers(0, 3), scope=st.integers(0, 1))
    def create_queue(self, server: int, site: int, name: int, scope: int) -> None:
        self.serial += 1
        where = self.sites[site % len(self.sites)]
        values = {"PROPID_Q_LABEL": str(self.serial), "PROPID_Q_SCOPE": scope}
        self.world.create(
            self._at(server), QUEUE, f"{where}\\{name}", values, partition=self.world.site(where)
        )

    @rule(
        server=st.integers(0, 12),
        site=st.integers(0, 4),
        name=st.integers(0, 3),
        which=st.sampled_from(["LABEL", "QUOTA"]),
    )
    def update_queue(self, server: int, site: int, name: int, which: str) -> None:
        """Some properties only, so that a change that was skipped shows."""
        self.serial += 1
        where = self.sites[site % len(self.sites)]
        value: Any = str(self.serial) if which == "LABEL" else self.serial
        self.world.update(
            self._at(server),
            QUEUE,
            f"{where}\\{name}",
            {f"PROPID_Q_{which}": value},
            partition=self.world.site(where),
        )

    @rule(server=st.integers(0, 12), site=st.integers(0, 4), name=st.integers(0, 3))
    def delete_queue(self, server: int, site: int, name: int) -> None:
        where = self.sites[site % len(self.sites)]
        self.world.delete(self._at(server), QUEUE, f"{where}\\{name}", partition=self.world.site(where))

    @rule(server=st.integers(0, 12), name=st.integers(0, 2), gone=st.booleans())
    def change_network(self, server: int, name: int, gone: bool) -> None:
        """Objects of the enterprise partition, with and without a path name."""
        at = self._at(server)
        self.serial += 1
        if gone:
            self.world.delete(at, NETWORK, f"net{name}")
        else:
            self.world.create(at, NETWORK, f"net{name}", {"PROPID_CN_PROTOCOLID": 1})
            sid = {"PROPID_U_SID": b"\1\1\0\0\0\0\0\5" + self.serial.to_bytes(4, "little")}
            self.world.create(at, USER, None, sid, identifier=self.world.guid(f"user {self.serial}"))

    @precondition(lambda self: len(self.sites) > 2 and self.sites[-1] not in self.populated)
    @rule()
    def delete_site(self) -> None:
        """A site without BSCs goes, and its PSC with it."""
        psc = f"PSC{self.sites[-1][4:]}"
        if "PEC0" in self.world.machines and psc in self.world.machines:
            self.world.delete("PEC0", ObjectClass.SITE, self.sites.pop())
            self.world.retire(psc)

    # ---------------------------------------------------------------------------------------- faults

    @rule(seconds=MOMENTS)
    def wait(self, seconds: float) -> None:
        self.world.run(seconds)

    @rule(network=NETWORKS)
    def disturb(self, network: RandomNetwork) -> None:
        self.world.network = network

    @rule()
    def repair(self) -> None:
        self.world.network = Reliable()

    @precondition(lambda self: self.world is not None and len(self.world.machines) > 1)
    @rule(server=st.integers(0, 12))
    def crash(self, server: int) -> None:
        name = self._at(server)
        self.world.crash(name)
        self.down.append(name)

    @precondition(lambda self: self.down)
    @rule(which=st.integers(0, 12))
    def restart(self, which: int) -> None:
        self.world.start(self.down.pop(which % len(self.down)))

    # ---------------------------------------------------------------------------------------- checks

    @invariant()
    def numbers_never_go_back(self) -> None:
        """Outside the sync0 states, sequence numbers only grow; a purged number always does."""
        if self.world is None:
            return
        for server in self.world.servers():
            for partition in self.world.state(server.MachineName).DirectoryPartitionCollection.values():
                key = (server.MachineName, partition.PartitionID)
                if partition.PurgeState is PurgeState.NORMAL:
                    before = self.numbers.get(key, partition.LastSeqNumber)
                    purged = self.numbers.get((f"purged {key[0]}", key[1]), partition.PurgedSeqNumber)
                    assert partition.PurgedSeqNumber >= purged
                    # A full synchronization may have begun and ended since: it raises the purged number.
                    assert partition.LastSeqNumber >= before or partition.PurgedSeqNumber > purged
                    self.numbers[key] = partition.LastSeqNumber
                    self.numbers[f"purged {key[0]}", key[1]] = partition.PurgedSeqNumber

    @invariant()
    def nothing_returns_from_the_dead(self) -> None:
        """An object that a server's authority has deleted and this server too is never there again."""
        if self.world is None:
            return
        for server in self.world.servers():
            directory = self.world.directory(server.MachineName)
            for partition, kept in self.world.state(server.MachineName).DeletedObjectCollection.items():
                here = {found.Identifier for found in directory if found.PartitionID == partition}
                gone = self.dead.setdefault((server.MachineName, partition), set())
                gone |= set(kept)
                assert not gone & here

    def teardown(self) -> None:
        if self.world is None:
            return
        for name in self.down:
            self.world.start(name)
        self.world.network = Reliable()
        most = 400_000
        assert self.world.run(310, most=most) < most
        assert self.world.run(3 * HEADER + 60, most=most) < most
        assert self.world.differences() == []
        self.numbers_never_go_back()
        check_messages(self._sample())

    def _sample(self) -> list[Any]:
        """Each message once: the same record goes to several neighbors and is sent again by faults."""
        seen: dict[int, Any] = {}
        for posting in self.world.log:
            message = posting.sent.ReplicationMessage
            if not isinstance(message, mqdsrp.ChangePropagationMessage) or message.Count:
                seen.setdefault(id(message), posting)
        return list(seen.values())[:150] or self.world.log[:10]


TestEnterpriseUnderFaults = EnterpriseUnderFaults.TestCase
TestEnterpriseUnderFaults.settings = settings(
    max_examples=max(examples(25), settings().max_examples),
    stateful_step_count=40,
    suppress_health_check=list(HealthCheck),
)


def test_a_bsc_is_a_machine_of_its_site() -> None:
    """Its object says which service it has, 2 for a BSC, and its site ([MS-MQMQ] 2.3.2.10, 2.3.2.1)."""
    world = Enterprise()
    world.add_site("PSC1", "site1")
    world.run(11)
    world.add_bsc("BSC1", "site1")
    (machine,) = [found for found in world.directory("PSC1") if found.ObjectType is ObjectClass.MACHINE]
    values = {number: value.value for number, value in machine.properties.items()}
    assert (values[PROPID["PROPID_QM_SERVICE"]], values[PROPID["PROPID_QM_SITE_ID"]]) == (
        2,
        world.site("site1"),
    )


def run_of(kind: type[Enterprise], seed: int) -> Enterprise:
    """A run that is the same for the same seed."""
    world = kind(
        settings=Settings(header=30, purge_buffer=1, purge_interval=1, ack_interval=1), keep_log=True
    )
    for number in (1, 2):
        world.add_site(f"PSC{number}", f"site{number}")
        world.run(11)
    world.add_bsc("BSC0", "site0")
    world.add_bsc("BSC2", "site2")
    world.run(11)
    world.network = RandomNetwork(seed, drop=0.3, duplicate=0.2, delay=40)
    names = ("PEC0", "PSC1", "PSC2", "BSC0")
    for number in range(60):
        at, where = names[number % 4], f"site{number % 3}"
        path, site = f"{where}\\{number % 4}", world.site(where)
        if number % 3:
            world.create(at, QUEUE, path, {"PROPID_Q_LABEL": str(number)}, partition=site)
        else:
            world.delete(at, QUEUE, path, partition=site)
        world.run(7)
        if number % 20 == 4:
            world.crash("BSC2")
        elif number % 20 == 18:
            world.start("BSC2")
    world.network = Reliable()
    world.run(3 * HEADER)
    return world


@pytest.mark.long
def test_bytes_of_a_run_are_the_run() -> None:
    """Whether messages travel as records or as bytes, the servers say and know the same."""
    kinds: set[type] = set()
    for seed in range(3):
        plain, coded = run_of(Enterprise, seed), run_of(Coded, seed)
        assert plain.log == coded.log
        assert plain.completed == coded.completed
        kinds |= {type(row.sent.ReplicationMessage) for row in plain.log}
        assert plain.differences() == coded.differences() == []
        for server in plain.servers():
            assert plain.state(server.MachineName) == coded.state(server.MachineName)
            assert list(plain.directory(server.MachineName)) == list(coded.directory(server.MachineName))
    assert len(kinds) == 8
    assert check_messages(plain.log)


def test_the_benchmark_converges(capsys: pytest.CaptureFixture[str]) -> None:
    """The program that measures the throughput still runs, in small."""
    main(20, 200)
    assert capsys.readouterr().out.splitlines()[-1].startswith("all 20 replicas are the same")
