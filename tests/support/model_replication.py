"""A second reading of [MC-MQDSRP] section 3, to be driven beside `replication.Machine` step by step.

1. It was written from the page and the errata, not from the machine, and shares no code with it: sequence
   numbers are integers, messages and effects are tuples, the state is made of dictionaries, and so is the
   directory.
2. It is slow and plain on purpose.  If an erratum has a switch, the model tests it.
3. `support_lockstep` translates between the two.

A change is ``(command, path, guid, partition, previous, number, purged, identifiers, values)``; of path and
guid one is None.
"""

# ruff: noqa: ARG002, SIM102  # the arguments and the steps are those of the page

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.documents.propid import PROPID

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Model"]

LEAST, MOST = 0, (1 << 64) - 1
OK, ERROR, EXISTS = 0, 0xC00E0001, 0xC00E0005
NOT_FOUND, UNKNOWN_SOURCE = 0xC00E050F, 0xC00E0504
NO_RESPONSE, NOT_REACHED = 0xC00E0049, 0xC00E004A
BAD_SIGNATURE = 0x8006
QUEUE, MACHINE, SITE, NETWORK, ENTERPRISE, USER, LINK = 1, 2, 3, 5, 6, 7, 8
CREATE, UPDATE, DELETE, SYNC = range(4)
NORMAL, STARTING, SYNC0, COMPLETING = range(4)
BSC = 2


def _ids(prefix: str, names: str) -> tuple[int, ...]:
    return tuple(PROPID[f"PROPID_{prefix}_{name}"] for name in names.split())


# The table of 3.2.7.8: what a synchronization carries, and the last so many of it undefined.
CARRIED: dict[int, tuple[tuple[int, ...], int]] = {
    SITE: (_ids("S", "GATES INTERVAL1 INTERVAL2 PATHNAME PSC PSC_SIGNPK SECURITY"), 0),
    NETWORK: (_ids("CN", "NAME PROTOCOLID SECURITY"), 0),
    ENTERPRISE: (
        _ids(
            "E",
            "NAME NAMESTYLE CSP_NAME PECNAME LONG_LIVE VERSION SECURITY"
            " S_INTERVAL1 S_INTERVAL2 CRL CSP_TYPE ENCRYPT_ALG SIGN_ALG HASH_ALG CIPHER_MODE",
        ),
        8,
    ),
    USER: (_ids("U", "SID DIGEST SIGN_CERT"), 0),
    LINK: (_ids("L", "COST NEIGHBOR1 NEIGHBOR2"), 0),
    MACHINE: (
        _ids(
            "QM",
            "FOREIGN QUOTA JOURNAL_QUOTA CNS MACHINE_TYPE OS ADDRESS CREATE_TIME ENCRYPT_PK INFRS"
            " MODIFY_TIME OUTFRS PATHNAME SERVICE SIGN_PK SITE_ID SECURITY HASHKEY",
        ),
        1,
    ),
    QUEUE: (
        _ids(
            "Q",
            "SCOPE QMID TYPE BASEPRIORITY JOURNAL QUOTA JOURNAL_QUOTA CREATE_TIME MODIFY_TIME PATHNAME LABEL"
            " AUTHENTICATE PRIV_LEVEL TRANSACTION SECURITY HASHKEY LABEL_HASHKEY",
        ),
        2,
    ),
}
GUID_OF = {
    SITE: _ids("S", "SITEID")[0], NETWORK: _ids("CN", "GUID")[0], ENTERPRISE: _ids("E", "ID")[0],
    USER: _ids("U", "ID")[0], LINK: _ids("L", "ID")[0], MACHINE: _ids("QM", "MACHINE_ID")[0],
    QUEUE: _ids("Q", "INSTANCE")[0],
}  # fmt: skip
PATH_OF = {
    SITE: _ids("S", "PATHNAME")[0], NETWORK: _ids("CN", "NAME")[0], ENTERPRISE: _ids("E", "NAME")[0],
    MACHINE: _ids("QM", "PATHNAME")[0], QUEUE: _ids("Q", "PATHNAME")[0],
}  # fmt: skip
SCOPE, TYPE = _ids("D", "SCOPE OBJTYPE")
PSC_NAME, PEC_NAME = _ids("S", "PSC")[0], _ids("E", "PECNAME")[0]
SERVICE, QUEUE_SCOPE = _ids("QM", "SERVICE")[0], _ids("Q", "SCOPE")[0]
# Of 3.1.7.2.1 and the events that raise it: seconds, priority, and whether to report a failure.
DELIVERY = {
    "propagation": (1200, 3, False), "request": (10, 7, True), "sync request": (1200, 3, True),
    "sync reply": (1200, 3, False), "reply": (10, 7, True), "purged": (1200, 3, False),
    "psc ack": (1200, 3, True), "bsc ack": (1200, 3, True),
}  # fmt: skip


class Undefined:
    """Stands for any value: of a property that an object does not have."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]  # it is never looked up

    def __repr__(self) -> str:
        return "undefined"


class Model:
    """One server.

    Args:
        me: ``name``, ``guid``, ``site``, ``pec``, ``psc`` and ``role`` of the server.
        readings: The switches, by attribute.
        settings: The numbers, by attribute.
        enterprise: PEC_PARTITION_ID.
        choose: The GUID for an object that has none, of a partition and a number.
        lift: A property's value of a plain value, for the two properties that are added to a creation.
    """

    def __init__(
        self, me: dict[str, Any], readings: Any, settings: Any, enterprise: Any, choose: Any, lift: Any
    ) -> None:
        self.me, self.r, self.n = me, readings, settings
        self.enterprise, self.choose, self.lift = enterprise, choose, lift
        self.partitions: dict[Any, dict[str, Any]] = {}
        self.neighbors: dict[str, dict[str, dict[str, Any]]] = {"psc": {}, "bsc": {}}
        self.deleted: dict[Any, dict[Any, list[Any]]] = {}
        self.objects: dict[Any, dict[str, Any]] = {}
        self.refusing = False
        self.waiting: dict[Any, tuple[Any, bool]] = {}
        self.psc = ""
        self.last_header: float | None = None
        self.now: float = 0
        self.out: list[Any] = []

    # ------------------------------------------------------------------------------- the directory

    def find(self, kind: int, path: Any, guid: Any) -> dict[str, Any] | None:
        for item in self.objects.values():
            if item["kind"] == kind and item["number"] != LEAST:
                if path is not None:
                    if item["path"] == path:
                        return item
                elif guid is not None and item["guid"] == guid:
                    return item
        return None

    def make(self, kind: int, path: Any, guid: Any, partition: Any, number: int, values: Any) -> int:
        for item in list(self.objects.values()):
            if item["kind"] == kind and (item["guid"] == guid or (path is not None and item["path"] == path)):
                if item["number"] != LEAST:
                    return ERROR if self.refusing else EXISTS
        if self.refusing:
            return ERROR
        for key, item in list(self.objects.items()):
            if item["kind"] == kind and (item["guid"] == guid or (path is not None and item["path"] == path)):
                del self.objects[key]
        self.objects[kind, guid] = {
            "kind": kind, "guid": guid, "path": path, "partition": partition, "number": number,
            "values": dict(values),
        }  # fmt: skip
        return OK

    def drop(self, item: dict[str, Any]) -> None:
        del self.objects[item["kind"], item["guid"]]

    # -------------------------------------------------------------------------------------- helpers

    @property
    def is_bsc(self) -> bool:
        return bool(self.me["role"] == "BSC")

    @property
    def is_pec(self) -> bool:
        return bool(self.me["role"] == "PEC")

    def mine(self, partition: Any) -> bool:
        """MyEnterprisePartition of a PEC, MySitePartition of a PSC."""
        if self.is_bsc or partition not in self.partitions:
            return False
        return self.is_pec if partition == self.enterprise else bool(partition == self.me["site"])

    def foreign(self, partition: Any) -> dict[str, Any] | None:
        if self.mine(partition) and not self.r.own_partition_from_others:
            return None
        return self.partitions.get(partition)

    def send(self, to: str, message: tuple[Any, ...], *, again: bool = False) -> None:
        if not to:
            return
        timeout, priority, report = (10, 3, True) if again else DELIVERY[message[0]]
        if self.r.masked_priority and priority == 7:
            priority = 0
        self.out.append(("send", to, message, timeout, priority, report, again))

    def start(self, timer: tuple[Any, ...], after: float) -> None:
        self.out.append(("start", timer, after))

    def new_partition(self, partition: Any, authority: str) -> dict[str, Any]:
        made = {
            "id": partition, "authority": authority, "last": LEAST, "purged": LEAST, "allowed": LEAST,
            "state": NORMAL, "previous": LEAST, "window": MOST, "pending": {},
        }  # fmt: skip
        self.partitions[partition] = made
        return made

    def period(self, which: str) -> float:
        return float(self.n.intersite if which == "psc" else self.n.intrasite)

    def add_neighbor(self, which: str, name: str, site: Any) -> None:
        if name in self.neighbors[which] or name == self.me["name"]:
            return
        self.neighbors[which][name] = {
            "site": site, "acked": LEAST, "acked pec": LEAST, "time": 0, "changes": [], "header": None,
        }  # fmt: skip
        self.start(("propagate", name, which), self.period(which))

    def remove_neighbor(self, which: str, name: str) -> None:
        if self.neighbors[which].pop(name, None) is not None:
            self.out.append(("cancel", ("propagate", name, which)))

    @staticmethod
    def value(change_ids: Any, change_values: Any, number: int) -> Any:
        for known, value in zip(change_ids, change_values, strict=True):
            if known == number:
                return value.value
        return None

    @staticmethod
    def kind_of(command: int, ids: Any, values: Any) -> int | None:
        """3.1.1.4, and D23."""
        if command == DELETE:
            found = values[1].value if len(values) > 1 else 0
        elif not ids:
            return None
        else:
            found = (ids[0] - 1000) // 100 if ids[0] > 1000 else ids[0] // 100
        return found if found in CARRIED else None

    def other_name(self, kind: int, path: Any, guid: Any) -> tuple[Any, Any]:
        """D46."""
        if not self.r.given_name_only and (path is None or guid is None):
            item = self.find(kind, path, guid)
            if item:
                return item["path"], item["guid"]
        return path, guid

    # ----------------------------------------------------------------------------------- the events

    def initialize(self) -> None:
        self.waiting, self.last_header = {}, None
        if not self.partitions:
            self.new_partition(self.enterprise, self.me["name"] if self.is_pec else self.me["pec"])
        for partition in self.partitions.values():
            partition.update(previous=LEAST, window=MOST, pending={})
        for known in self.neighbors.values():
            for neighbor in known.values():
                neighbor.update(changes=[], header=None)
        if self.is_bsc:
            site = self.partitions.get(self.me["site"])
            self.psc = site["authority"] if site else self.me["psc"]
        self.out.append(("open", f"PRIVATE={self.me['guid']}\\00000001"))
        if self.is_bsc:
            self.start(("bsc ack",), self.n.first_bsc_ack)
        else:
            for which in ("bsc", "psc"):
                for name in self.neighbors[which]:
                    self.start(("propagate", name, which), self.period(which))
        for partition in list(self.partitions.values()):
            if self.is_bsc or partition["authority"] != self.me["name"]:
                if partition["state"] in {STARTING, COMPLETING} and not self.r.stuck_in_startsync0:
                    self.go_on(partition)
                else:
                    self.ask(partition)

    def receive(self, message: tuple[Any, ...], kind: int, destination: str, now: float) -> None:
        self.now = now
        if kind == 0:
            handlers: dict[str, Callable[..., None]] = {
                "propagation": self.on_propagation, "request": self.on_request,
                "sync request": self.on_sync_request, "sync reply": self.on_sync_reply,
                "reply": self.on_reply, "purged": self.on_purged, "psc ack": self.on_psc_ack,
                "bsc ack": self.on_bsc_ack,
            }  # fmt: skip
            handlers[message[0]](*message[2:], site=message[1])
        elif 0x8000 <= kind <= 0xC003:
            if message[0] == "request":
                self.answered((message[4], message[3]), NOT_REACHED)
            elif kind == BAD_SIGNATURE:
                self.send(destination, message, again=True)

    # 3.2.7.1
    def on_propagation(self, flush: int, changes: Any, name: str, rows: Any, site: Any) -> None:
        for change in changes:
            self.take(change, flush == 0, look=True)
        for identifier, last, purged in rows:
            partition = self.foreign(identifier)
            if partition is None or purged < partition["purged"]:
                continue
            partition["allowed"] = max(partition["allowed"], purged)
            if last <= partition["last"]:
                continue
            if self.r.window_hides_loss and last < partition["window"]:
                continue
            if name:
                if self.is_bsc:
                    self.psc = name
                else:
                    partition["authority"] = name
            partition["window"] = (last + 1) % (1 << 64)
            self.ask(partition)

    # 3.1.5.2 and 3.1.7.2.2
    def take(self, change: Any, flush: bool, *, look: bool) -> None:
        partition = self.foreign(change[3])
        if partition is None:
            return
        previous, number, purged = change[4:7]
        if number <= partition["last"] or purged < partition["purged"]:
            return
        if not self.r.impossible_changes and (number == MOST or previous >= number):
            return
        pending = partition["pending"]
        if previous <= partition["last"]:
            if self.in_order(partition, change, flush) == OK and look:
                self.look(partition)
        elif not pending:
            pending[number] = change
            wider = number > partition["window"]
            if wider:
                partition["window"] = number
            if wider or self.r.ask_each_time:
                self.ask(partition)
        elif len(pending) < self.n.pending:
            pending.setdefault(number, change)

    # 3.1.7.2.3
    def in_order(self, partition: dict[str, Any], change: Any, flush: bool) -> int:
        command, path, guid, _, _, number, _, ids, values = change
        kind = self.kind_of(command, ids, values)
        if kind is None:
            return ERROR
        status, need = self.apply(partition, command, kind, path, guid, ids, values, number)
        if status != OK:
            return status
        partition["last"] = number
        if partition["state"] == NORMAL:
            for name, neighbor in self.neighbors["bsc"].items():
                neighbor["changes"].append(change)
                if flush and need:
                    self.propagate(name, "bsc")
            self.purge_sometimes(partition)
        if partition["state"] == NORMAL or number >= partition["purged"]:
            if not self.is_bsc and number % self.n.ack_interval == 0:
                told = ("psc ack", self.me["site"], self.me["site"], partition["id"], number, self.me["name"])
                self.send(partition["authority"], told)
        return OK

    # 3.1.7.2.4
    def look(self, partition: dict[str, Any]) -> None:
        pending = partition["pending"]
        while pending:
            number = min(pending)
            change = pending[number]
            previous, purged = change[4], change[6]
            if purged < partition["purged"]:
                del pending[number]
                continue
            last = partition["last"]
            if self.r.pending_by_own_number:
                if number > last and number > partition["window"]:
                    self.ask(partition)
                    return
                del pending[number]
                if previous == last:
                    self.in_order(partition, change, True)
            elif number <= last:
                del pending[number]
                if previous == last:  # nothing applies what is old
                    assert number <= previous
                    if self.r.impossible_changes:
                        self.in_order(partition, change, True)
            elif previous > last:
                if number > partition["window"]:
                    partition["window"] = number
                    self.ask(partition)
                return
            else:
                del pending[number]
                self.in_order(partition, change, True)

    # 3.1.7.2.5 to 3.1.7.2.8
    def apply(
        self, partition: Any, command: int, kind: int, path: Any, guid: Any, ids: Any, values: Any,
        number: int, *, done: bool = False, asked: bool = False,
    ) -> tuple[int, bool]:  # fmt: skip
        held = dict(zip(ids, values, strict=True))
        written_guid = self.value(ids, values, GUID_OF[kind])
        written_path = self.value(ids, values, PATH_OF[kind]) if kind in PATH_OF else None
        my_site = not self.is_bsc and partition is self.partitions.get(self.me["site"])
        if command == CREATE:
            path = written_path if path is None else path
            guid = written_guid if guid is None else guid
            if guid is None:
                guid = self.choose(partition["id"], number)
            if not done:
                status = self.make(kind, path, guid, partition["id"], number, held)
                if status != OK:
                    return status, False
            psc = self.value(ids, values, PSC_NAME) if kind == SITE else None
            if psc:
                self.site(guid, psc, partition["id"])
                return OK, guid != self.enterprise
            if kind == MACHINE and my_site and path is not None:
                if self.value(ids, values, SERVICE) == BSC:
                    self.add_neighbor("bsc", path, partition["id"])
            return OK, False
        if command == DELETE:
            return self.delete(partition, kind, path, guid, values, number, done=done, asked=asked)
        if command == UPDATE:
            item = self.find(kind, path, guid)
            if not done:
                if item is None or self.refusing:
                    return ERROR if self.refusing else NOT_FOUND, False
                item["number"] = number
                item["values"].update(held)
        elif command == SYNC:
            undefined = CARRIED[kind][0][len(CARRIED[kind][0]) - CARRIED[kind][1] :]
            held = {key: value for key, value in held.items() if key not in undefined}
            item = self.find(kind, path, guid)
            if item is not None:
                if self.refusing:
                    return ERROR, False
                item["number"] = number
                item["values"].update(held)
            else:
                new = (written_path if path is None else path, written_guid if guid is None else guid)
                if new[1] is None:
                    return ERROR, False
                status = self.make(kind, *new, partition["id"], number, held)
                if status != OK:
                    return status, False
        else:
            return ERROR, False
        if kind == ENTERPRISE:
            pec = self.value(ids, values, PEC_NAME)
            if pec and pec != partition["authority"]:
                partition["authority"] = pec
                return OK, True
        elif kind == SITE:
            psc = self.value(ids, values, PSC_NAME)
            which = self.other_name(SITE, path, guid)[1] if psc else None
            if psc and command == SYNC and self.r.site_from_property and which not in self.partitions:
                which = written_guid
            if which is not None and which != self.enterprise:
                if command == SYNC or which in self.partitions:
                    self.site(which, psc)
                    return OK, True
        elif kind == MACHINE and my_site:
            service = self.value(ids, values, SERVICE)
            name = self.other_name(MACHINE, path, guid)[0]
            if service is not None and name is not None:
                if service == BSC:
                    self.add_neighbor("bsc", name, partition["id"])
                else:
                    self.remove_neighbor("bsc", name)
        return OK, False

    def delete(
        self, partition: Any, kind: int, path: Any, guid: Any, values: Any, number: int, *, done: bool,
        asked: bool,
    ) -> tuple[int, bool]:  # fmt: skip
        names = self.other_name(kind, path, guid)
        if not done:
            item = self.find(kind, path, guid)
            if self.refusing:
                return ERROR, False
            if item is not None:
                self.drop(item)
            elif asked or self.r.absent_is_error:
                return NOT_FOUND, False
        if names[1] is not None and (asked or not self.r.authority_keeps_deletions):
            kept = self.deleted.setdefault(partition["id"], {})
            kept[names[1]] = [number, kind, values[0].value]
        if kind == SITE and (self.is_pec or not self.r.only_pec_deletes_sites):
            return OK, names[1] is not None and self.lose_site(names[1])
        if kind == MACHINE and not self.is_bsc and names[0] is not None:
            self.remove_neighbor("bsc", names[0])
        return OK, False

    def site(self, identifier: Any, psc: str, created_in: Any = None) -> None:
        """3.1.7.2.5 and 3.1.7.2.11, D17, D41 and D57."""
        if identifier == self.enterprise:
            return
        partition = self.partitions.get(identifier)
        if partition is None:
            partition = self.new_partition(identifier, psc)
            if psc != self.me["name"]:
                self.ask(partition)
                if not self.is_bsc or self.r.bsc_propagates:
                    printed = created_in if self.r.neighbor_of_enterprise else None
                    self.add_neighbor("psc", psc, identifier if printed is None else printed)
            return
        partition["authority"] = psc
        for name, neighbor in list(self.neighbors["psc"].items()):
            if neighbor["site"] == identifier:
                if name != psc:
                    self.remove_neighbor("psc", name)
                    if psc != self.me["name"] and psc not in self.neighbors["psc"]:
                        self.neighbors["psc"][psc] = neighbor
                        self.start(("propagate", psc, "psc"), self.n.intersite)
                break

    def lose_site(self, identifier: Any) -> bool:
        """3.1.7.2.7 and D42."""
        if identifier == self.enterprise or identifier not in self.partitions:
            return False
        gone = self.partitions.pop(identifier)
        self.remove_neighbor("psc", gone["authority"])
        if not self.r.only_pec_deletes_sites:
            self.deleted.pop(identifier, None)
            for item in list(self.objects.values()):
                if item["partition"] == identifier and not self.refusing:
                    self.drop(item)
        return True

    # 3.1.7.2.9
    def purge_sometimes(self, partition: dict[str, Any]) -> None:
        if partition["last"] > partition["previous"] + self.n.purge_interval:
            self.purge(partition)
            partition["previous"] = partition["last"]

    def purge(self, partition: dict[str, Any]) -> None:
        last, purged = partition["last"], partition["purged"]
        below_zero = last < self.n.purge_buffer
        if below_zero and not self.r.purge_below_zero:
            return
        limit = (last - self.n.purge_buffer) % (1 << 64)
        if partition["state"] != NORMAL or purged >= limit:
            return
        if self.mine(partition["id"]):
            which = "acked pec" if partition["id"] == self.enterprise else "acked"
            acked = [neighbor[which] for neighbor in self.neighbors["psc"].values()]
            if acked and min(acked) <= purged:
                return
            if acked:
                limit = min(acked) if self.r.acknowledged_is_purged else min(limit, *acked)
        elif partition["allowed"] < limit:
            if partition["allowed"] < purged:
                return
            limit = partition["allowed"]
        kept = self.deleted.get(partition["id"], {})
        for guid in [guid for guid, row in kept.items() if row[0] <= limit]:
            del kept[guid]
        if not self.r.purge_below_zero:
            partition["purged"] = min(limit, last)

    # 3.2.7.2
    def on_request(
        self, partition_id: Any, number: int, requester: str, psc: Any, change: Any, site: Any
    ) -> None:
        message = ("request", site, partition_id, number, requester, psc, change)
        if not self.mine(partition_id):
            if self.r.site_of_forwarder:
                message = ("request", self.me["site"], *message[2:])
            status = self.pass_on(message, forwarded=True)
        else:
            status = self.execute(self.partitions[partition_id], change)
        if status is not None:
            self.reply(message, status)

    def execute(self, partition: dict[str, Any], change: Any) -> int:
        command, path, guid, _, _, _, _, ids, values = change
        kind = self.kind_of(command, ids, values)
        if kind is None or command not in {CREATE, UPDATE, DELETE, SYNC}:
            return ERROR
        number = (partition["last"] + 1) % (1 << 64)
        if number in {LEAST, MOST} and not self.r.impossible_changes:
            return ERROR
        if command == CREATE:
            guid, ids, values = self.completed(partition["id"], kind, path, guid, ids, values, number)
            if len(ids) > 255:
                return ERROR
        item = None if command == CREATE else self.find(kind, path, guid)
        comes = item is None and command in {CREATE, SYNC}
        if not comes and not self.r.any_partition:
            if item is None or item["partition"] != partition["id"]:
                return NOT_FOUND
        if comes and not self.r.deleted_come_back:
            given = self.value(ids, values, GUID_OF[kind]) if guid is None else guid
            if given in self.deleted.get(partition["id"], {}):
                return ERROR
        names = self.other_name(kind, path, guid)
        status, _ = self.apply(partition, command, kind, path, guid, ids, values, number, asked=True)
        if status == OK:
            if self.r.requests_not_propagated:
                partition["last"] = number
            else:
                self.publish(partition, command, *names, ids, values, number)
        return status

    def completed(
        self, partition_id: Any, kind: int, path: Any, guid: Any, ids: Any, values: Any, number: int
    ) -> tuple[Any, Any, Any]:
        """D50."""
        if self.r.creation_as_given:
            return guid, ids, values
        written = self.value(ids, values, GUID_OF[kind])
        if written is None:
            written = self.choose(partition_id, number) if guid is None else guid
            ids, values = (*ids, GUID_OF[kind]), (*values, self.lift(GUID_OF[kind], written))
        if path is not None and kind in PATH_OF and self.value(ids, values, PATH_OF[kind]) is None:
            ids, values = (*ids, PATH_OF[kind]), (*values, self.lift(PATH_OF[kind], path))
        return written, ids, values

    # 3.1.7.1.2
    def publish(
        self, partition: Any, command: int, path: Any, guid: Any, ids: Any, values: Any, number: int
    ) -> None:
        purged = number if self.r.own_number_as_purged else partition["purged"]
        change = (
            command, None if guid is not None else path, guid, partition["id"], partition["last"], number,
            purged, ids, values,
        )  # fmt: skip
        for which in ("psc", "bsc"):
            for neighbor in self.neighbors[which].values():
                neighbor["changes"].append(change)
        partition["last"] = number
        if not self.r.authority_never_purges:
            self.purge_sometimes(partition)

    def change_own(
        self, command: int, partition_id: Any, number: int, path: Any, guid: Any, ids: Any, values: Any
    ) -> None:
        if not self.mine(partition_id):
            return
        partition, kind = self.partitions[partition_id], self.kind_of(command, ids, values)
        if kind is None:
            return
        if command == CREATE:
            guid, ids, values = self.completed(partition_id, kind, path, guid, ids, values, number)
        status, _ = self.apply(partition, command, kind, path, guid, ids, values, number, done=True)
        if status == OK:
            self.publish(partition, command, path, guid, ids, values, number)

    # 3.1.7.1.1 and 3.3.7.1
    def change_other(
        self, command: int, partition_id: Any, number: int, path: Any, guid: Any, ids: Any, values: Any
    ) -> None:
        by_guid = path is None and guid is not None and not self.r.requests_by_path_only
        change = (
            command, None if by_guid else path or "", guid if by_guid else None, partition_id, LEAST, LEAST,
            LEAST, ids, values,
        )  # fmt: skip
        psc = self.psc if self.is_bsc else None
        status = self.pass_on(
            ("request", self.me["site"], partition_id, number, self.me["name"], psc, change), forwarded=False
        )
        if status is not None:
            self.out.append(("completed", number, status))

    def pass_on(self, message: tuple[Any, ...], *, forwarded: bool) -> int | None:
        key = (message[4], message[3])
        if forwarded and key in self.waiting and not self.r.requests_in_circles:
            return None
        partition = self.partitions.get(message[2])
        if self.is_bsc:
            hop = self.psc
        elif partition is None:
            return UNKNOWN_SOURCE
        else:
            hop = partition["authority"]
        self.send(hop, message)
        self.waiting[key] = (message, forwarded)
        to_owner = partition is not None and partition["authority"] == hop
        self.start(("request", *key), self.n.reply_wait if to_owner else self.n.forwarded_wait)
        return None

    def answered(self, key: Any, status: int, *, elapsed: bool = False) -> None:
        if key not in self.waiting:
            return
        if not elapsed:
            self.out.append(("cancel", ("request", *key)))
        message, forwarded = self.waiting.pop(key)
        if forwarded:
            self.reply(message, status)
        else:
            self.out.append(("completed", key[1], status))

    # 3.2.7.6
    def reply(self, request: tuple[Any, ...], status: int) -> None:
        _, _, _, number, requester, psc, _ = request
        near = requester in self.neighbors["psc"] or requester in self.neighbors["bsc"]
        self.send(
            requester if near or not psc else psc, ("reply", self.me["site"], number, status, requester)
        )

    # 3.3.7.6
    def on_reply(self, number: int, status: int, requester: str, site: Any) -> None:
        self.answered((requester, number), status)

    # 3.2.7.3 and 3.2.7.8
    def on_sync_request(
        self, identifier: Any, first: int, last: int, known: int, sync0: int, scope: int, requester: str,
        site: Any,
    ) -> None:  # fmt: skip
        partition = self.partitions.get(identifier)
        if partition is None or partition["state"] != NORMAL:
            return
        if first < partition["purged"] and known < partition["purged"]:
            self.send(requester, ("purged", self.me["site"], identifier, partition["purged"]))
            return
        if last == MOST:
            last = partition["last"]
        rows: list[Any] = []
        if self.mine(identifier) or not self.r.own_types_only:
            kinds = (
                (SITE, NETWORK, ENTERPRISE, USER, LINK) if identifier == self.enterprise else (MACHINE, QUEUE)
            )
            for kind in kinds:
                rows += self.lookup(kind, identifier, first, last, scope)
        for owner, kept in self.deleted.items():
            for guid, (number, kind, reach) in kept.items():
                if self.r.all_deleted_objects or (owner == identifier and first <= number <= last):
                    rows.append((number, DELETE, guid, (SCOPE, TYPE), (reach, kind)))
        rows.sort(key=lambda row: row[0], reverse=self.r.descending_replies)
        changes, before = [], first
        for number, command, guid, ids, values in rows:
            changes.append(
                (command, None, guid, identifier, before, number, partition["purged"], ids, values)
            )
            before = number
        complete = 0
        if sync0 == 1:
            complete = 2 if last == partition["last"] else 1
        told = (identifier, first, last, partition["purged"], complete, tuple(changes))
        self.send(requester, ("sync reply", self.me["site"], *told))

    def lookup(self, kind: int, identifier: Any, first: int, last: int, scope: int) -> list[Any]:
        found = []
        for item in self.objects.values():
            if item["kind"] != kind or item["partition"] != identifier:
                continue
            if not first <= item["number"] <= last:
                continue
            reach = item["values"].get(QUEUE_SCOPE)
            if kind == QUEUE and self.r.scope_in_lookup and scope == 1:
                if reach is not None and reach.value != 1:
                    continue
            ids, undefined = CARRIED[kind]
            values = []
            for place, number in enumerate(ids):
                if place >= len(ids) - undefined:
                    values.append(Undefined())
                elif number == PATH_OF.get(kind) and item["path"] is not None:
                    values.append(item["path"])
                else:
                    value = item["values"].get(number)
                    values.append(Undefined() if value is None else value.value)
            found.append((item["number"], SYNC, item["guid"], ids, tuple(values)))
        return found

    # 3.2.7.4 and 3.2.7.5
    def on_psc_ack(self, site_id: Any, partition: Any, number: int, name: str, site: Any) -> None:
        neighbor = self.neighbors["psc"].get(name)
        if neighbor and self.mine(partition):
            neighbor["acked pec" if partition == self.enterprise else "acked"] = number

    def on_bsc_ack(self, guid: Any, name: str, site: Any) -> None:
        neighbor = self.neighbors["bsc"].get(name)
        if neighbor and not self.is_bsc:
            neighbor["time"] = self.now

    # 3.3.7.3
    def ask(self, partition: dict[str, Any]) -> None:
        if partition["state"] not in {NORMAL, SYNC0}:
            return
        first = partition["last"] + 1 if self.r.ask_from_next else partition["last"]
        told = (
            partition["id"], first % (1 << 64), partition["window"] if self.r.ask_up_to_window else MOST,
            partition["purged"], int(partition["state"] == SYNC0), 0 if self.is_bsc else 1, self.me["name"],
        )  # fmt: skip
        self.send(
            self.psc if self.is_bsc else partition["authority"], ("sync request", self.me["site"], *told)
        )

    # 3.3.7.5
    def on_sync_reply(
        self, identifier: Any, first: int, last: int, purged: int, complete: int, changes: Any, site: Any
    ) -> None:
        partition = self.foreign(identifier)
        if partition is None or purged < partition["purged"]:
            return
        before = partition["last"]
        for change in changes:
            self.take(change, True, look=self.r.pending_between)
        printed = self.r.number_from_empty_reply
        if not printed and first <= before and last != MOST:  # D45
            if not changes or changes[-1][5] <= partition["last"]:
                partition["last"] = max(partition["last"], last)
        if partition["state"] == SYNC0:
            if complete == 2 and (printed or self.r.incomplete_sync0 or partition["last"] >= last):
                partition["state"] = COMPLETING
                self.go_on(partition)
            elif complete == 1:
                self.ask(partition)
        elif partition["state"] == NORMAL:
            if partition["window"] == MOST:
                partition["window"] = LEAST
            elif not changes and partition["window"] == last:
                partition["window"] = LEAST
                if printed:
                    partition["last"] = last
            self.look(partition)

    # 3.3.7.7, 3.3.7.10 and 3.3.7.11
    def on_purged(self, identifier: Any, purged: int, site: Any) -> None:
        partition = self.foreign(identifier)
        if partition is None or partition["last"] >= purged or partition["purged"] >= purged:
            return
        partition.update(state=STARTING, last=LEAST, window=MOST, purged=purged, pending={})
        self.go_on(partition)

    def go_on(self, partition: dict[str, Any]) -> None:
        inside = [item for item in self.objects.values() if item["partition"] == partition["id"]]
        kept = self.deleted.get(partition["id"], {})
        if self.refusing and partition["state"] in {STARTING, COMPLETING}:
            self.start(("reset", partition["id"]), self.n.reset_retry)  # D44
            return
        if partition["state"] == STARTING:
            for item in inside:
                item["number"] = LEAST
            for row in kept.values():
                row[0] = LEAST
            partition["state"] = SYNC0
            self.ask(partition)
        elif partition["state"] == COMPLETING:
            for item in inside:
                if item["number"] == LEAST:
                    self.drop(item)
            for guid in [guid for guid, row in kept.items() if row[0] == LEAST]:
                del kept[guid]
            partition.update(state=NORMAL, window=LEAST)
            if partition["id"] == self.enterprise and not self.r.only_pec_deletes_sites:
                for identifier in list(self.partitions):
                    if identifier != self.enterprise and self.find(SITE, None, identifier) is None:
                        self.lose_site(identifier)
            self.look(partition)

    # 3.3.7.2 and 3.3.6
    def propagate(self, name: str, which: str) -> None:
        neighbor = self.neighbors[which][name]
        sent = self.last_header if self.r.one_header_clock else neighbor["header"]
        rows: list[Any] = []
        if sent is None or self.now - sent >= self.n.header:
            neighbor["header"] = self.last_header = self.now
            own = [self.enterprise] if self.is_pec else []
            own += [self.me["site"]] if self.me["site"] in self.partitions else []
            for identifier in own if which == "psc" else list(self.partitions):
                partition = self.partitions[identifier]
                allowed = which == "bsc" and identifier not in own and self.r.allowed_purge_in_headers
                rows.append((identifier, partition["last"], partition["allowed" if allowed else "purged"]))
        changes = tuple(neighbor["changes"])
        if changes or rows or self.n.empty_propagations:
            flush = int(self.r.flush_to_bsc and which == "bsc")
            parts = [changes[at : at + 65535] for at in range(0, len(changes), 65535)] or [()]
            for part in parts[:-1]:
                self.send(name, ("propagation", self.me["site"], flush, part, "", ()))
            header = (self.me["name"], tuple(rows)) if rows else ("", ())
            self.send(name, ("propagation", self.me["site"], flush, parts[-1], *header))
            neighbor["changes"] = []

    def fire(self, timer: tuple[Any, ...], now: float) -> None:
        self.now = now
        if timer[0] == "propagate":
            if timer[1] in self.neighbors[timer[2]]:
                self.propagate(timer[1], timer[2])
                self.start(timer, self.period(timer[2]))
        elif timer[0] == "bsc ack":
            self.send(self.psc, ("bsc ack", self.me["site"], self.me["guid"], self.me["name"]))
            self.start(timer, self.n.bsc_ack)
        elif timer[0] == "request":
            self.answered(timer[1:], NO_RESPONSE, elapsed=True)
        elif timer[0] == "reset" and timer[1] in self.partitions:
            self.go_on(self.partitions[timer[1]])
