"""What a sender and a receiver share, against the same tables read from the documents a second time.

A sender and a receiver that go by one table agree whatever it holds.  `specs/second-reading.toml` was read
from the pages without a look at the tables of the package; here messages are made and judged by it.
"""

from __future__ import annotations

import re
import tomllib
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from support_marks import proves
from support_rows import for_each
from support_specs import SPECS, load_requirements

import msmq_wire as mw
from msmq_wire import GUID, PropertyValue, mqcn, mqdsrp, validate
from msmq_wire.definitions.error_codes import NUMBERS as NUMBERS_OF_RESULTS
from msmq_wire.definitions.properties import VARTYPE, ObjectClass
from msmq_wire.documents.directory_objects import KINDS
from msmq_wire.documents.propid import PROPERTIES, by_name, object_class_of, vartype_name
from msmq_wire.documents.session_protocol import HANDSHAKE
from msmq_wire.machines.notification import machine as cn
from msmq_wire.machines.replication import PurgeState
from msmq_wire.machines.replication.events import Command
from msmq_wire.testing.bent.records import bend
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES, QUEUE_FORMAT_TYPE

if TYPE_CHECKING:
    from enum import IntEnum

READ: dict[str, Any] = tomllib.loads((SPECS / "second-reading.toml").read_text("utf-8"))
NOTIFICATIONS = READ["notification"]
ROWS = READ["properties"]["rows"]
NUMBERS = {name: number for _, name, number, _ in ROWS}
TYPES = {name: vartype for _, name, _, vartype in ROWS}
QUEUE, DIRECTORY, SENDER = (GUID(bytes([n]) * 16) for n in (3, 4, 5))
SPELLED = {"PathName": "Pathname", "Journal": "Journaling"}
"""Attributes that the sections spell in two ways (erratum C16)."""


def vartype_of(text: str) -> int:
    """The number of a variant type as the pages print it."""
    return sum(int(READ["variant_types"][part.strip()]) for part in text.split("|"))


def some_value(name: str) -> PropertyValue:
    """A value of the property's type, from the second reading alone."""
    text = TYPES[name]
    if name == "PROPID_Q_PATHNAME":
        return PropertyValue(vartype_of(text), "m\\q")
    if text.endswith("VT_VECTOR"):
        return PropertyValue(vartype_of(text), b"" if text.startswith("VT_UI1 ") else ())
    usual: dict[str, Any] = {"VT_LPWSTR": "a", "VT_BLOB": b"", "VT_CLSID": QUEUE}
    return PropertyValue(vartype_of(text), usual.get(text, 1))


def on_wire(value: Any) -> Any:
    """What stands for a natural value."""
    if isinstance(value, datetime):
        return int(value.timestamp())
    return GUID.of(value) if isinstance(value, UUID) else value


# ------------------------------------------------------------------------------------------- enumerations


@pytest.mark.tables(-1)
@pytest.mark.parametrize(
    ("table", "ours"),
    [
        ("message_classes", MESSAGE_CLASS_VALUES),
        ("variant_types", VARTYPE),
        ("purge_states", PurgeState),
        pytest.param("queue_format_types", QUEUE_FORMAT_TYPE, marks=pytest.mark.requirement("MQMQ-2.2.6-01")),
    ],
)
def test_numbers_of_names(table: str, ours: type[IntEnum]) -> None:
    also = {"VT_BSTR": 8} if ours is VARTYPE else {}  # a BodyType of [MS-MQQB] 4.1, no type of the page
    assert {member.name: int(member) for member in ours} == READ[table] | also


@pytest.mark.tables(-1)
def test_result_codes() -> None:
    assert READ["result_codes"] == NUMBERS_OF_RESULTS


@pytest.mark.tables(-1)
def test_commands() -> None:
    assert {member.name.lower(): int(member) for member in Command} == READ["commands"]


@pytest.mark.requirement("MQDSRP-2.2.6.1-01")
@for_each(("name", "operation"), READ["operations"].items)
def test_operations(name: str, operation: int) -> None:
    some = mqdsrp.DirectoryChange(PathName="m")
    record = getattr(mqdsrp, name)(**({"DirectoryChange": some} if name == "ChangeRequestMessage" else {}))
    data = mqdsrp.encode(record)
    assert data[17] == operation  # behind the version and the site
    assert type(mqdsrp.decode(data)).__name__ == name


@pytest.mark.tables(-1)
@for_each(("name", "number"), READ["classes"].items)
def test_classes_of_objects(name: str, number: int) -> None:
    ours = class_named(name)
    assert READ["deleted_classes"][name] == number == int(ours)
    for identifier in (number * 100 + 1, 1000 + number * 100 + 1):
        assert object_class_of(identifier) is ours


def class_named(name: str) -> ObjectClass:
    """The class of objects that the pages call so."""
    spelled = {"CN": "CONNECTED_NETWORK", "ROUTINGLINK": "ROUTING_LINK"}
    short = name.removeprefix("MQDS_")
    return ObjectClass[spelled.get(short, short)]


# ---------------------------------------------------------------------------------------------- handshake


@pytest.mark.tables(-1)
@for_each("row", lambda: READ["handshake"], ids=lambda row: row["waits"])
def test_handshake(row: dict[str, str]) -> None:
    """Who waits so gets this packet, answers it while the session is not open, and then waits so."""
    (transition,) = (each for each in HANDSHAKE.values() if each.waits == row["waits"])
    assert (transition.packet, transition.sender) == (row["packet"], row["sender"])
    answer = HANDSHAKE.get(transition.leads_to)
    phase = answer.leads_to if answer else transition.leads_to
    assert (HANDSHAKE[phase].waits if phase in HANDSHAKE else phase.upper()) == row["becomes"]


# --------------------------------------------------------------------------------------------- properties


@pytest.mark.tables(-1)
@for_each(("name", "row"), READ["lookup"].items)
def test_properties_of_objects(name: str, row: dict[str, list[str]]) -> None:
    """The number of an object, its identifier, and what is looked up or changed."""
    kind = KINDS[class_named(name)]
    numbers = {column: [NUMBERS[f"PROPID_{short}"] for short in names] for column, names in row.items()}
    assert list(kind.changes) == numbers["changed"]
    looked_up = [number for number in kind.changes if number not in kind.undefined]
    assert [kind.identifier, *looked_up] == numbers["looked_up"][1:]


@pytest.mark.tables(-1)
def test_properties() -> None:
    ours = [(row.section, row.name, row.number, vartype_name(row.vartype)) for row in PROPERTIES]
    assert [(*row[:3], row[3].replace(" ", "")) for row in ours] == [
        (*row[:3], row[3].replace(" ", "")) for row in ROWS
    ]


def _typed() -> list[Any]:
    rows = []
    for _, name, number, vartype in ROWS:
        known = by_name(name)
        if known is not None and known.type_requirement is not None:
            rows.append(proves(known.type_requirement, number, vartype))
    return rows


@for_each(("requirement", "number", "vartype"), _typed)
@pytest.mark.requirement("MQDSRP-2.2.4-12", "MQCN-2.2.6-14")
def test_type_of_a_property(requirement: str, number: int, vartype: str) -> None:
    """A value of the type that the page prints has the right type, and a value of any other has not."""
    for kind, name, general in (
        (mqdsrp.DirectoryChange, "PropertyID", "MQDSRP-2.2.4-12"),
        (mqcn.NotificationUpdate, "PropertyId", "MQCN-2.2.6-14"),
    ):
        record = bend(kind(Command=3, GuidIdentifier=QUEUE), name, (number,))
        record = bend(record, "NumberOfProperties", 1)
        for other in sorted(set(TYPES.values())):
            vt = vartype_of(other)
            empty: Any = {"VT_LPWSTR": "a", "VT_BLOB": b"", "VT_CLSID": QUEUE, "VT_UI1 | VT_VECTOR": b""}
            value = empty.get(other, () if other.endswith("VT_VECTOR") else 1)
            judged = bend(record, "PropertyValue", (PropertyValue(vt, value),))
            found = {item.requirement for item in validate(judged)}
            assert (not found & {requirement, general}) == (other == vartype), other


ONE_BIT = (0, 1), (2, 0xFF)
DESCRIPTOR = (bytes.fromhex("01000080" + "00" * 16),), (b"\x09",)
DN = ("CN=a,DC=b",), ("a", "=")
KEYS = (bytes.fromhex("0800000000000000"),), (b"\x09",)
SERVICES = (0, 1, 2, 4, 8), (3, 0x20)
VALUES: dict[str, tuple[str, tuple[tuple[Any, ...], tuple[Any, ...]]]] = {
    "MQDSRP-2.2.2-01": ("PROPID_Q_SEQNUM", ((bytes(8),), (bytes(7), bytes(9)))),
    "MQMQ-2.3.1.3-01": ("PROPID_Q_PATHNAME", (("m\\q", "m\\private$\\q"), ("\x01", "q"))),
    "MQMQ-2.3.1.4-01": ("PROPID_Q_JOURNAL", ONE_BIT),
    "MQMQ-2.3.1.8-01": ("PROPID_Q_LABEL", (("l" * 124,), ("l" * 125,))),
    "MQMQ-2.3.1.11-01": ("PROPID_Q_AUTHENTICATE", ONE_BIT),
    "MQMQ-2.3.1.12-01": ("PROPID_Q_PRIV_LEVEL", ((0, 1, 2), (3, 0xFFFFFFFF))),
    "MQMQ-2.3.1.13-01": ("PROPID_Q_TRANSACTION", ONE_BIT),
    "MQMQ-2.3.1.14-01": ("PROPID_Q_SCOPE", ONE_BIT),
    "MQMQ-2.3.1.23-02": (
        "PROPID_Q_MULTICAST_ADDRESS",
        (("224.0.0.0:1", "239.255.255.255:1"), ("223.255.255.255:1",)),
    ),
    "MQMQ-2.3.1.25-01": ("PROPID_Q_SECURITY", DESCRIPTOR),
    "MQMQ-2.3.2.5-01": ("PROPID_QM_ADDRESS", ((bytes.fromhex("040001000a010203"),), (b"\x09",))),
    "MQMQ-2.3.2.18-01": ("PROPID_QM_FOREIGN", ONE_BIT),
    "MQMQ-2.3.2.19-01": ("PROPID_QM_OS", ((0, 0x100, 0x200, 0x300, 0x400, 0x500), (1, 0x600))),
    "MQMQ-2.3.2.20-01": ("PROPID_QM_FULL_PATH", DN),
    "MQMQ-2.3.2.24-02": ("PROPID_QM_SERVICE_ROUTING", ONE_BIT),
    "MQMQ-2.3.2.31-01": ("PROPID_QM_SECURITY_INFORMATION", ((0, 1, 2, 4, 8, 15), (16, 0x80000000))),
    "MQMQ-2.3.2.35-01": ("PROPID_QM_GROUP_IN_CLUSTER", ONE_BIT),
    "MQMQ-2.3.2.36-01": ("PROPID_QM_SECURITY", DESCRIPTOR),
    "MQMQ-2.3.2.37-01": ("PROPID_QM_SIGN_PK", KEYS),
    "MQMQ-2.3.2.38-01": ("PROPID_QM_ENCRYPT_PK", KEYS),
    "MQMQ-2.3.3.10-01": ("PROPID_S_NT4_STUB", ((0, 1), (2, 0xFFFF))),
    "MQMQ-2.3.3.11-01": ("PROPID_S_FOREIGN", ONE_BIT),
    "MQMQ-2.3.3.13-01": ("PROPID_S_SECURITY", DESCRIPTOR),
    "MQMQ-2.3.3.14-01": ("PROPID_S_PSC_SIGNPK", KEYS),
    "MQMQ-2.3.4.1-01": ("PROPID_CN_PROTOCOLID", ((1, 3, 5), (0, 2, 4, 6))),
    "MQMQ-2.3.4.6-01": ("PROPID_CN_SECURITY", DESCRIPTOR),
    "MQMQ-2.3.5.2-01": ("PROPID_E_NAMESTYLE", ((0, 1, 2), (3,))),
    "MQMQ-2.3.5.17-01": ("PROPID_E_SECURITY", DESCRIPTOR),
    "MQMQ-2.3.6.1-01": ("PROPID_U_SID", ((bytes.fromhex("010100000000000512000000"),), (b"\x09",))),
    "MQMQ-2.3.7.3-01": ("PROPID_L_COST", ((1, 999999), (0, 1000000))),
    "MQMQ-2.3.7.8-01": ("PROPID_L_NEIGHBOR1_DN", DN),
    "MQMQ-2.3.7.9-01": ("PROPID_L_NEIGHBOR2_DN", DN),
    "MQMQ-2.3.7.11-01": ("PROPID_L_FULL_PATH", DN),
    "MQMQ-2.3.7.12-01": ("PROPID_L_ACTUAL_COST", ((1, 999999), (0, 1000000))),
    "MQMQ-2.3.8.1-01": ("PROPID_SET_NAME", (("MSMQ Settings",), ("MSMQ settings ",))),
    "MQMQ-2.3.8.2-01": ("PROPID_SET_SERVICE", SERVICES),
    "MQMQ-2.3.8.4-01": ("PROPID_SET_FULL_PATH", DN),
    "MQMQ-2.3.8.5-01": ("PROPID_SET_NT4", ONE_BIT),
    "MQMQ-2.3.8.8-01": ("PROPID_SET_SERVICE_ROUTING", ONE_BIT),
    "MQMQ-2.3.8.9-01": ("PROPID_SET_SERVICE_DSSERVER", ONE_BIT),
    "MQMQ-2.3.8.10-01": ("PROPID_SET_SERVICE_DEPCLIENTS", ONE_BIT),
    "MQMQ-2.3.8.11-01": ("PROPID_SET_OLDSERVICE", SERVICES),
    "MQMQ-2.3.10.1-01": ("PROPID_COM_FULL_PATH", DN),
    "MQMQ-2.3.10.4-01": ("PROPID_COM_DNS_HOSTNAME", (("host.example.com",), ("a b",))),
    "MQMQ-2.3.13.3-01": ("PROPID_D_SCOPE", ONE_BIT),
    "MQMQ-2.3.13.4-01": ("PROPID_D_OBJTYPE", ((1, 2, 3, 4, 5, 6, 7, 8), (0, 9))),
}
"""Requirement, property, values that its section allows, and values that it does not."""


@pytest.mark.requirement
@for_each(
    ("requirement", "name", "allowed", "forbidden"),
    lambda: [proves(one, name, *values) for one, (name, values) in VALUES.items()],
)
def test_values_of_a_property(
    requirement: str, name: str, allowed: tuple[Any, ...], forbidden: tuple[Any, ...]
) -> None:
    for value in (*allowed, *forbidden):
        record = mqdsrp.DirectoryChange(
            GuidIdentifier=QUEUE,
            PropertyID=(NUMBERS[name],),
            PropertyValue=(PropertyValue(vartype_of(TYPES[name]), value),),
        )
        found = {item.requirement for item in validate(record, "should")}
        assert (requirement in found) == (value in forbidden), value
        assert value in forbidden or not found


# -------------------------------------------------------------------------------------------- unused bits


FLAGS = {
    "BaseHeader.Flags": 2,
    "UserHeader.Flags": 44,
    "TransactionHeader.Flags": 0,
    "SecurityHeader.Flags": 0,
    "DebugHeader.Flags": 0,
    "InternalHeader.Flags": 2,
    "EstablishConnectionHeader.OperatingSystem": 36,
}
"""Words of flags, and the byte of their structure at which the pages have them."""


def _unused() -> list[Any]:
    rows = []
    every = load_requirements()
    disregarded = [row for row in every if row.why.startswith("any value is read")]
    for row in every:
        said = re.fullmatch(r"Unused bits? (\d+)(?:-(\d+))? left clear by the sender", row.requirement)
        word = row.subject.rpartition(".")[0]
        if said and word in FLAGS:
            first, last = int(said[1]), int(said[2] or said[1])
            also = tuple(other.id for other in disregarded if other.subject == row.subject)
            rows.append(proves(row.id, word, range(first, last + 1), also=also))
    return rows


@for_each(("requirement", "word", "bits"), _unused)
def test_unused_bits_are_those_of_the_page(requirement: str, word: str, bits: range) -> None:
    """The statement has the number of the bit, which is set in the bytes, read all the same, and kept."""
    structure = word.partition(".")[0]
    sound = mw.Record.class_of(structure)().encode()
    before = {item.requirement for item in validate(mw.decode(sound, structure), "should")}
    for bit in bits:
        data = bytearray(sound)
        data[FLAGS[word] + bit // 8] |= 1 << bit % 8
        read = mw.decode(bytes(data), structure)
        assert read.encode() == data
        assert {item.requirement for item in validate(read, "should")} - before == {requirement}, bit


# ------------------------------------------------------------------------------------------ notifications


BY_OPERATION = pytest.mark.parametrize("row", NOTIFICATIONS, ids=[row["operation"] for row in NOTIFICATIONS])


def body(event: int) -> bytes:
    """A notification of version 2 as the grammar of [MS-MQCN] 2.2.5 has it, byte by byte."""
    text = (
        f"<Notification><Event>{event}</Event><ObjectGuid>03030303-0303-0303-0303-030303030303</ObjectGuid>"
        "<DomainController>dc</DomainController></Notification>"
    )
    return b"\2\1" + text.encode("utf-16-le")


@BY_OPERATION
def test_event_that_is_sent(row: dict[str, Any]) -> None:
    made = cn.prepare_version_2(cn.Operation[row["operation"]], QUEUE, "dc")
    assert mqcn.encode(made).removesuffix(b"\0\0") == body(row["event"])


@BY_OPERATION
def test_event_that_comes(row: dict[str, Any]) -> None:
    (effect,) = cn.process(mqcn.decode(body(row["event"])), sent_by_queue_manager=False, authenticated=False)
    if row["effect"] == "DeleteQueue":
        assert effect == cn.DeleteQueue(QUEUE)
        return
    assert isinstance(effect, cn.ReadDirectory)
    assert effect.identifier == QUEUE
    (then,) = cn.resume(effect, dict.fromkeys(effect.attributes, 1))
    assert type(then).__name__ == row["effect"]


@BY_OPERATION
def test_command_that_is_sent(row: dict[str, Any]) -> None:
    told: dict[str, Any] = {"path_name": "m\\q"} if row["names"] == "PathName" else {"identifier": QUEUE}
    names = [] if "fixed" in row else [*row["required"], *row["applied"].values()]
    values = {NUMBERS[name]: some_value(name).value for name in names if name != "PROPID_QM_MACHINE_ID"}
    update: Any = cn.notification_update(cn.Operation[row["operation"]], values, originator=DIRECTORY, **told)
    assert (update.Command, update.UseGuid) == (row["command"], int(row["names"] == "GuidIdentifier"))
    assert {NUMBERS[name] for name in row["required"]} <= set(update.PropertyId)
    if "fixed" in row:
        assert tuple(value.value for value in update.PropertyValue) == tuple(row["fixed"])
        assert list(update.PropertyId) == [NUMBERS[name] for name in row["required"]]


@BY_OPERATION
def test_command_that_comes(row: dict[str, Any]) -> None:
    names = list(dict.fromkeys([*row["required"], *row["applied"].values()]))
    fixed = row.get("fixed", ())
    values = [
        PropertyValue(vartype_of(TYPES[name]), fixed[at]) if fixed else some_value(name)
        for at, name in enumerate(names)
    ]
    named = b"m\0\\\0q\0\0\0" if row["names"] == "PathName" else QUEUE.bytes_le
    octets = b"".join(
        (
            bytes((1, 1, row["command"], row["names"] == "GuidIdentifier")),
            named,
            DIRECTORY.bytes_le,
            bytes(24),
            bytes((len(names),)),
            *(NUMBERS[name].to_bytes(4, "little") for name in names),
            *(value.encode() for value in values),
        )
    )
    (effect,) = cn.process(mqcn.decode(octets), sent_by_queue_manager=True, authenticated=True)
    assert type(effect).__name__ == row["effect"]
    if row["effect"] == "DeleteQueue":
        assert effect == cn.DeleteQueue(QUEUE)
        return
    taken: Any = getattr(effect, "attributes")  # noqa: B009  # effects without it were compared above
    assert set(taken) == {SPELLED.get(name, name) for name in row["applied"]}
    for name, source in row["applied"].items():
        assert on_wire(taken[SPELLED.get(name, name)]) == some_value(source).value, name
