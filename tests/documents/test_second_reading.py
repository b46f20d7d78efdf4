"""What a sender and a receiver share, against the same tables read from the documents a second time.

A sender and a receiver that go by one table agree whatever it holds.  `specs/second-reading.toml` was read
from the pages without a look at the tables of the package; here messages are made and judged by it.
"""

from __future__ import annotations

import tomllib
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from support_marks import proves
from support_specs import SPECS

from msmq_wire import GUID, PropertyValue, mqcn, mqdsrp, validate
from msmq_wire.definitions.properties import VARTYPE, ObjectClass
from msmq_wire.documents.propid import PROPERTIES, by_name, object_class_of, vartype_name
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


def test_commands() -> None:
    assert {member.name.lower(): int(member) for member in Command} == READ["commands"]


@pytest.mark.parametrize(("name", "operation"), READ["operations"].items())
def test_operations(name: str, operation: int) -> None:
    some = mqdsrp.DirectoryChange(PathName="m")
    record = getattr(mqdsrp, name)(**({"DirectoryChange": some} if name == "ChangeRequestMessage" else {}))
    data = mqdsrp.encode(record)
    assert data[17] == operation  # behind the version and the site
    assert type(mqdsrp.decode(data)).__name__ == name


@pytest.mark.parametrize(("name", "number"), READ["classes"].items())
def test_classes_of_objects(name: str, number: int) -> None:
    spelled = {"CN": "CONNECTED_NETWORK", "ROUTINGLINK": "ROUTING_LINK"}
    short = name.removeprefix("MQDS_")
    ours = ObjectClass[spelled.get(short, short)]
    assert READ["deleted_classes"][name] == number == int(ours)
    for identifier in (number * 100 + 1, 1000 + number * 100 + 1):
        assert object_class_of(identifier) is ours


# --------------------------------------------------------------------------------------------- properties


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


@pytest.mark.parametrize(("requirement", "number", "vartype"), _typed())
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
