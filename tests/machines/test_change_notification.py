"""The rules of [MS-MQCN] 3: what is prepared says what was meant, and what is forbidden is refused."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import msmq_wire as mw
from msmq_wire import ConformanceError, EncodeError, mqcn
from msmq_wire.checks.validation import Context, validate
from msmq_wire.documents.directory_properties import Properties, pack
from msmq_wire.documents.notification_contents import CONTENTS, QUEUE_ATTRIBUTES, QUEUE_MANAGER_ATTRIBUTES
from msmq_wire.documents.notification_text import NotificationEvent, notification_text
from msmq_wire.machines.notification import machine as cn
from msmq_wire.machines.notification.machine import Operation
from msmq_wire.testing.strategies.directory import property_value, signed
from msmq_wire.testing.strategies.packets import from_dice
from msmq_wire.values.properties.values import PropertyValue

if TYPE_CHECKING:
    from collections.abc import Callable

HERE, THERE, QUEUE, DIRECTORY = (mw.GUID(bytes([n]) * 16) for n in (1, 2, 3, 4))
NEW, CHANGED, DELETED, MACHINE = (
    Operation.QueueCreation,
    Operation.QueueUpdate,
    Operation.QueueDeletion,
    Operation.QueueManagerUpdate,
)
ATTRIBUTES = {NEW: QUEUE_ATTRIBUTES, CHANGED: QUEUE_ATTRIBUTES, MACHINE: QUEUE_MANAGER_ATTRIBUTES}
SERVER = "dc.example"
Case = tuple[Operation, dict[int, Any], dict[str, Any]]


def property_values(numbers: tuple[int, ...]) -> st.SearchStrategy[dict[int, Any]]:
    """Values that the documents allow for these properties."""
    return from_dice(lambda dice: {number: property_value(dice, number) for number in numbers})


@st.composite
def cases(draw: Any) -> Case:
    """An operation, the properties that it tells of, and the object."""
    operation = draw(st.sampled_from(Operation))
    content = CONTENTS[operation]
    some = draw(st.lists(st.sampled_from(content.changed + content.ignored or (0,)), unique=True))
    numbers = tuple(draw(st.permutations([*(number for number in some if number), *content.required])))
    values = draw(property_values(numbers))
    if content.fixed:
        values = {}
    if operation is MACHINE:
        values.pop(202)
    named = {"path_name": "host\\queue"} if operation is NEW else {"identifier": QUEUE}
    return operation, values, named


def updated(case: Case) -> Any:
    operation, values, named = case
    return cn.notification_update(operation, values, originator=DIRECTORY, **named)


def expected(case: Case) -> cn.Effect:
    """The effect that is meant."""
    operation, values, _ = case
    if operation is DELETED:
        return cn.DeleteQueue(QUEUE)
    applied = CONTENTS[operation].applied
    held = Properties(tuple(values), tuple(values.values()))
    taken = {
        name: held[number]
        for name, number in ATTRIBUTES[operation].items()
        if number in {*applied} & {*values}
    }
    ignored = tuple(number for number in updated(case).PropertyId if number not in applied)
    if operation is NEW:
        return cn.CreateQueue(taken, ignored)
    if operation is CHANGED:
        return cn.UpdateQueue(QUEUE, None, taken, ignored)
    return cn.UpdateQueueManager(QUEUE, taken, ignored)


@given(st.lists(cases(), min_size=1, max_size=4), st.integers(1, 6))
def test_version_1_does_what_was_meant(told: list[Case], msmq_version: int) -> None:
    message = cn.prepare_version_1(map(updated, told))
    assert validate(message, context=Context(role="directory")) == ()
    assert mqcn.decode(mqcn.encode(message)) == message
    sent = cn.send(message, HERE, THERE, msmq_version=msmq_version, message_id=7)
    assert sent.queue == f"PRIVATE={HERE}\\00000003"
    assert (sent.message.UserHeader.MessageID, sent.message.UserHeader.SentTime) == (7, 0)
    assert sent.authentication_level == ("Sig10" if msmq_version == 1 else "Sig20")
    assert len(sent.message.MessagePropertiesHeader.MessageBody) == len(mqcn.encode(message)) + 1
    assert validate(signed(sent.message)) == ()
    arrived: Any = mw.decode(mw.encode(sent.message))
    assert cn.receive(arrived, authenticated=True) == tuple(map(expected, told))


@given(st.sampled_from(Operation), st.uuids(), st.from_regex(r"\A[\x21-\x3b\x3d-\x7e]{1,256}\Z"))
def test_version_2_does_what_was_meant(operation: Operation, identifier: Any, server: str) -> None:
    message = cn.prepare_version_2(operation, identifier, server)
    assert validate(message, context=Context(role="queue manager")) == ()
    assert mqcn.decode(mqcn.encode(message)) == message
    posted = cn.send(message, HERE, THERE)
    assert (posted.message.UserHeader.MessageID, posted.message.UserHeader.SentTime) == (0, 0)
    assert posted == cn.send(message, HERE, THERE, msmq_version=6)
    arrived: Any = mw.decode(mw.encode(posted.message))
    (effect,) = cn.receive(arrived, authenticated=False)
    if operation is DELETED:
        assert effect == cn.DeleteQueue(mw.GUID.of(identifier))
        return
    assert isinstance(effect, cn.ReadDirectory)
    assert (effect.identifier, effect.server, effect.operation) == (mw.GUID.of(identifier), server, operation)
    assert effect.object_type == ("QueueManager" if operation is MACHINE else "Queue")
    found = {name: number for number, name in enumerate((*effect.attributes, "Scope", "Bogus"))}
    (then,) = cn.resume(effect, found)
    asked = {name: found[name] for name in effect.attributes}
    wanted: dict[Operation, cn.Effect] = {
        NEW: cn.CreateQueue(asked),
        CHANGED: cn.UpdateQueue(effect.identifier, None, asked),
        MACHINE: cn.UpdateQueueManager(effect.identifier, asked),
    }
    assert then == wanted[operation]
    assert cn.resume(effect, {}) == (type(then)(**{**_fields(then), "attributes": {}}),)
    (nothing,) = cn.resume(effect, None)
    assert isinstance(nothing, cn.Disregard)


def _fields(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}


def test_what_is_read_from_the_directory() -> None:
    read = [
        cn.process(
            cn.prepare_version_2(operation, QUEUE, SERVER), sent_by_queue_manager=False, authenticated=False
        )[0]
        for operation in (NEW, CHANGED, MACHINE)
    ]
    assert [getattr(effect, "attributes", None) for effect in read[1:]] == [
        (
            "Type", "Identifier", "BasePriority", "Journaling", "Quota", "JournalQuota", "CreateTime",
            "ModifyTime", "Security", "Pathname", "Label", "Authentication", "PrivacyLevel", "Transactional",
            "MulticastAddress", "DirectoryPath",
        ),
        ("QueueManagerQuota", "JournalQuota", "Security"),
    ]  # fmt: skip
    assert getattr(read[0], "attributes", None) == getattr(read[1], "attributes", ())


# ------------------------------------------------------------------------------------------- refused


def refused(make: Callable[[], object]) -> list[str]:
    with pytest.raises(ConformanceError) as caught:
        make()
    return [item.requirement for item in caught.value.violations]


def update(operation: Operation, properties: Any = None, **named: Any) -> Any:
    return cn.notification_update(operation, properties, originator=DIRECTORY, **named)


def _of_new_queue(draw: Any) -> dict[int, Any]:
    values: dict[int, Any] = draw(property_values(CONTENTS[NEW].required))
    return values


@given(st.data())
def test_each_property_of_a_new_queue_is_needed(data: st.DataObject) -> None:
    values = _of_new_queue(data.draw)
    del values[data.draw(st.sampled_from(sorted(values)))]
    assert refused(lambda: update(NEW, values, path_name="host\\queue")) == ["MQCN-3.3.5.2-14"]


@given(st.data())
def test_a_new_queue_has_no_directory_path(data: st.DataObject) -> None:
    values = _of_new_queue(data.draw) | {"PROPID_Q_ADS_PATH": "LDAP://CN=queue"}
    assert refused(lambda: update(NEW, values, path_name="host\\queue")) == ["MQCN-3.3.5.2-15"]


@given(st.data())
def test_a_new_queue_is_named_by_its_path(data: st.DataObject) -> None:
    values = _of_new_queue(data.draw)
    assert refused(lambda: update(NEW, values, identifier=QUEUE)) == ["MQCN-3.3.5.2-05"]
    assert refused(lambda: update(NEW, values, path_name="no queue")) == ["MQCN-2.2.6-05"]
    with pytest.raises(EncodeError):
        update(NEW, values)
    with pytest.raises(EncodeError):
        update(NEW, values, path_name="host\\queue", identifier=QUEUE)


QMID, MACHINE_ID, FOREIGN = {115: THERE}, {202: QUEUE}, {219: 0}
REFUSED: list[tuple[str, Operation, dict[Any, Any], dict[str, Any]]] = [
    ("MQCN-3.3.5.2-17", CHANGED, {"PROPID_Q_QUOTA": 5}, {"identifier": QUEUE}),
    ("MQCN-3.3.5.2-17", CHANGED, {}, {"identifier": QUEUE}),
    ("MQCN-3.3.5.2-18", CHANGED, QMID | {"PROPID_Q_LABEL": "new"}, {"identifier": QUEUE}),
    ("MQCN-3.3.5.2-18", CHANGED, QMID | {"PROPID_QM_QUOTA": 5}, {"identifier": QUEUE}),
    ("MQCN-3.3.5.2-06", CHANGED, QMID, {"path_name": "host\\queue"}),
    ("MQCN-3.3.5.2-19", MACHINE, {"PROPID_QM_QUOTA": 5}, {"identifier": QUEUE}),
    ("MQCN-3.3.5.2-20", MACHINE, FOREIGN | {"PROPID_QM_SITE_ID": THERE}, {"identifier": QUEUE}),
    ("MQCN-3.3.5.2-09", MACHINE, FOREIGN | {202: THERE}, {"identifier": QUEUE}),
    ("MQCN-3.3.5.2-06", MACHINE, FOREIGN | MACHINE_ID, {"path_name": "host\\queue"}),
    ("MQCN-3.3.5.2-22", DELETED, {"PROPID_Q_QUOTA": 5}, {"identifier": QUEUE}),
    ("MQCN-3.3.5.2-26", DELETED, {"PROPID_D_OBJTYPE": 2}, {"identifier": QUEUE}),
    ("MQCN-3.3.5.2-06", DELETED, {}, {"path_name": "host\\queue"}),
    ("MQMQ-2.3.1.4-01", CHANGED, QMID | {"PROPID_Q_JOURNAL": 2}, {"identifier": QUEUE}),
]


@pytest.mark.parametrize(("requirement", "operation", "properties", "named"), REFUSED)
def test_refused_updates(
    requirement: str, operation: Operation, properties: dict[Any, Any], named: dict[str, Any]
) -> None:
    found = refused(lambda: update(operation, properties, **named))
    assert requirement in found
    assert set(found) - {requirement} <= {"MQCN-3.3.5.2-09"}


UPDATES, TEXT = "ChangeNotificationMessage.Data", "ChangeNotificationMessage.Data.Text"
PLACES: list[tuple[Callable[[], object], str, str, int, str]] = [
    (lambda: cn.prepare_version_1([]), "MQCN-3.3.5.2-01", UPDATES, 2, "one update or more"),
    (lambda: cn.prepare_version_2(NEW, QUEUE, ""),
     "MQCN-2.2.5-08", TEXT, 2, "1 to 256 visible ASCII characters without <"),
    (lambda: update(CHANGED, {"PROPID_Q_QUOTA": 5}, identifier=QUEUE),
     "MQCN-3.3.5.2-17", "NotificationUpdate.PropertyId", 59, "with PROPID_Q_QMID"),
    (lambda: update(CHANGED, QMID | {"PROPID_Q_LABEL": "new", 9999: PropertyValue(19, 5)}, identifier=QUEUE),
     "MQCN-3.3.5.2-18", "NotificationUpdate.PropertyId", 59, "without PROPID_Q_LABEL"),
    (lambda: update(MACHINE, FOREIGN | {202: THERE}, identifier=QUEUE),
     "MQCN-3.3.5.2-09", "NotificationUpdate.GuidIdentifier", 2, f"{THERE}, as PROPID_QM_MACHINE_ID"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "requirement", "path", "offset", "allowed"), PLACES)
def test_where_a_notification_is_wrong(
    make: Callable[[], object], requirement: str, path: str, offset: int, allowed: str
) -> None:
    """Data and the GUID follow two bytes; the numbers also two GUIDs, reserved bytes and their count."""
    with pytest.raises(ConformanceError) as caught:
        make()
    (found,) = [item for item in caught.value.violations if item.requirement == requirement]
    assert (found.path, found.offset, found.allowed) == (path, offset, allowed)


def test_refused_messages() -> None:
    assert refused(lambda: cn.prepare_version_1([])) == ["MQCN-3.3.5.2-01"]
    deletion = update(DELETED, identifier=QUEUE)
    assert refused(lambda: cn.prepare_version_1([mw.replace(deletion, Command=3)])) == ["MQCN-2.2.6-01"]
    with pytest.raises(EncodeError):
        cn.prepare_version_1([deletion] * 256)
    assert len(mqcn.encode(cn.prepare_version_1([deletion] * 255))) == 2 + 255 * len(deletion.encode())
    for server in ("", "a b", "s" * 257, "a<b"):
        assert refused(partial(cn.prepare_version_2, NEW, QUEUE, server)) == ["MQCN-2.2.5-08"]
    with pytest.raises(EncodeError):
        cn.prepare_version_2(NEW, "no GUID", SERVER)
    unknown: Any = "QueueCreation"
    with pytest.raises(EncodeError, match="expected an Operation, got"):
        cn.prepare_version_2(unknown, QUEUE, SERVER)
    with pytest.raises(EncodeError, match="expected an Operation, got"):
        update(unknown, {})


# ----------------------------------------------------------------------------------------- disregarded


def carried(*updates: Any, **changes: Any) -> Any:
    """A signed message with these updates."""
    data = mqcn.NotificationUpdates(Updates=updates)
    message = cn.send(mqcn.ChangeNotificationMessage(Data=data), HERE, THERE).message
    return mw.replace(message, **changes) if changes else message


DELETION = update(DELETED, identifier=QUEUE)
QUOTA = update(CHANGED, QMID | {"PROPID_Q_QUOTA": 5}, identifier=QUEUE)


def bent(record: Any, **changes: Any) -> Any:
    return mw.replace(record, **changes)


def _values(vartype: int, *values: Any) -> tuple[Any, ...]:
    return tuple(mw.PropertyValue(vartype, value) for value in values)


POOLED: dict[int, Any] = {
    102: THERE, 101: QUEUE, 106: -3, 104: 1, 105: 5, 107: 6, 109: 7, 110: 8, 114: 1, 103: "h\\q",
    1101: b"\1\0\0\x80" + bytes(16), 108: "l", 111: 1, 112: 2, 113: 1,
}  # fmt: skip
BENT: dict[str, tuple[Any, str]] = {
    "no command": (bent(QUOTA, Command=9), "MQCN-2.2.6-01"),
    "another object": (
        bent(QUOTA, **dict(zip(("PropertyId", "PropertyValue"), pack({301: "site"}), strict=True))),
        "MQCN-3.3.5.2-03",
    ),
    "no property": (bent(QUOTA, PropertyId=(), PropertyValue=()), "MQCN-3.3.5.2-17"),
    "new machine": (
        bent(QUOTA, Command=0, PropertyId=(214,), PropertyValue=_values(19, 5)),
        "MQCN-3.3.5.2-14",
    ),
    "deleted machine": (bent(DELETION, PropertyValue=_values(17, 1, 2)), "MQCN-3.3.5.2-26"),
    "deleted what": (
        bent(DELETION, PropertyId=(1403,), PropertyValue=_values(17, 1)),
        "MQCN-3.3.5.2-22",
    ),
    "deleted which": (
        bent(DELETION, UseGuid=0, GuidIdentifier=None, PathName="host\\queue"),
        "MQCN-3.3.5.2-06",
    ),
}


def test_a_new_queue_that_begins_as_a_machine() -> None:
    """All properties of a queue are there, but the receiver looks at the first one."""
    properties = {214: 5} | {number: POOLED[number] for number in CONTENTS[NEW].required}
    numbers, values = pack(properties)
    record = bent(QUOTA, Command=0, UseGuid=0, GuidIdentifier=None, PathName="host\\queue")
    record = bent(record, PropertyId=numbers, PropertyValue=values)
    message = mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=(record,)))
    (effect,) = cn.process(message, sent_by_queue_manager=True, authenticated=True)
    (found,) = validate(message)
    assert found.requirement == "MQCN-3.3.5.2-02"
    assert effect == cn.Disregard(found, rest=False)


@pytest.mark.parametrize("name", BENT)
def test_the_reason_is_the_violation_that_validate_finds(name: str) -> None:
    record, requirement = BENT[name]
    message = mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=(QUOTA, record)))
    _, effect = cn.process(message, sent_by_queue_manager=True, authenticated=True)
    (found,) = [item for item in validate(message) if item.requirement == requirement]
    assert isinstance(effect, cn.Disregard)
    assert effect.violation == found


@pytest.mark.parametrize("command", [0, 1])
def test_every_property_that_cannot_be_the_first_is_reported(command: int) -> None:
    """Also one that no document has: what the machine disregards, a rule forbids."""
    value = _values(19, 5)
    for number in (0, *range(90, 240), *range(300, 2000, 25), 0xFFFF, 0xFFFFFFFF):
        record = bent(DELETION, Command=command, PropertyId=(number,), PropertyValue=value)
        message = mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=(record,)))
        (effect,) = cn.process(message, sent_by_queue_manager=True, authenticated=True)
        assert not isinstance(effect, cn.Disregard) or effect.violation in validate(message)


@pytest.mark.parametrize("name", BENT)
def test_disregarded_updates(name: str) -> None:
    wrong, requirement = BENT[name]
    good = cn.UpdateQueue(QUEUE, None, {"Quota": 5}, (115,))
    first, disregarded, *rest = cn.receive(carried(QUOTA, wrong, DELETION), authenticated=True)
    assert first == good
    assert isinstance(disregarded, cn.Disregard)
    assert disregarded.violation.requirement == requirement
    assert disregarded.violation.message.endswith(".")
    assert rest == ([] if disregarded.rest else [cn.DeleteQueue(QUEUE)])
    assert disregarded.rest == (name not in {"no command", "new machine", "deleted which"})


def _unsigned(message: Any) -> Any:
    security = message.SecurityHeader
    flags = mw.mqmq.SecurityHeaderFlags(ST=1)
    return mw.replace(message, SecurityHeader=mw.replace(security, Flags=flags))


def _body(body: bytes) -> Any:
    message = carried(DELETION)
    return mw.replace(
        message, MessagePropertiesHeader=mw.replace(message.MessagePropertiesHeader, MessageBody=body)
    )


def _encrypted() -> Any:
    security = carried(DELETION).SecurityHeader
    flags = mw.mqmq.SecurityHeaderFlags(ST=2, EB=1)
    return carried(DELETION, SecurityHeader=mw.replace(security, Flags=flags))


def _to(queue: str) -> Any:
    message = carried(DELETION)
    return mw.replace(message, UserHeader=mw.replace(message.UserHeader, DestinationQueue=queue))


def _of_class(number: int) -> Any:
    message = carried(DELETION)
    return mw.replace(
        message, MessagePropertiesHeader=mw.replace(message.MessagePropertiesHeader, MessageClass=number)
    )


DISREGARDED: list[tuple[str, Any]] = [
    ("MQCN-3.3.5.3-15", _unsigned(carried(DELETION))),
    ("MQCN-3.3.5.3-15", carried(DELETION, SecurityHeader=None)),
    ("MQCN-2.1-01", _body(b"junk")),
    ("MQCN-2.1-01", _body(b"\2\1" + "<Notification>".encode("utf-16-le"))),
    ("MQCN-2.1-01", _body(b"\3\1")),
    ("MQCN-3.2.5-02", _encrypted()),
    ("MQCN-3.2.5-02", _to("DIRECT=OS:host\\private$\\other")),
    ("MQCN-3.3.5.3-06", _of_class(0x8000)),
    ("MQCN-3.3.5.3-06", _of_class(1)),
]


@pytest.mark.parametrize(("requirement", "message"), DISREGARDED)
def test_disregarded_messages(requirement: str, message: Any) -> None:
    (effect,) = cn.receive(message, authenticated=True)
    assert isinstance(effect, cn.Disregard)
    assert (effect.violation.requirement, effect.rest) == (requirement, True)
    # An encrypted message, one for another queue and an acknowledgment are no notifications, and sound.
    found = [item for item in validate(message) if item.requirement == requirement]
    assert found == [effect.violation] or requirement == "MQCN-3.2.5-02" or message == _of_class(0x8000)


def test_a_message_with_more_violations_than_are_reported() -> None:
    """Ten thousand at most, and the body comes first."""
    record = bent(QUOTA, PropertyId=(104,) * 255, PropertyValue=_values(17, 9) * 255)
    message = carried(*[record] * 40, SecurityHeader=None)
    assert validate(message).left_out
    (effect,) = cn.receive(message, authenticated=True)
    assert isinstance(effect, cn.Disregard)
    assert effect.violation.requirement == "MQCN-3.3.5.3-15"


def test_version_1_has_to_be_authenticated() -> None:
    (effect,) = cn.receive(carried(DELETION), authenticated=False)
    assert isinstance(effect, cn.Disregard)
    assert effect.violation.requirement == "MQCN-3.2.5.1-05"
    assert effect.violation.message == "The message is not authenticated."


def test_which_check_comes_first() -> None:
    """A message that neither names a queue manager nor is authenticated breaks the first rule of 3.2.5.1."""
    (effect,) = cn.process(cn.prepare_version_1([DELETION]), sent_by_queue_manager=False, authenticated=False)
    assert isinstance(effect, cn.Disregard)
    assert effect.violation.requirement == "MQCN-3.2.5.1-04"


@pytest.mark.parametrize("behind", ["", "\0", "\0\0", " more", "\0<Notification>"])
def test_what_is_behind_a_notification_is_not_looked_at(behind: str) -> None:
    """The text ends with its last tag ([MS-MQCN] 2.2.5), whatever a message has behind it."""
    text = notification_text(NotificationEvent.QUEUE_DELETED, QUEUE, "dc") + behind
    message = mqcn.ChangeNotificationMessage(Data=mqcn.NotificationBody(Text=text))
    (effect,) = cn.process(message, sent_by_queue_manager=False, authenticated=False)
    assert effect == cn.DeleteQueue(QUEUE)


def test_a_body_that_is_no_notification() -> None:
    text = notification_text(NotificationEvent.QUEUE_DELETED, QUEUE, "dc")
    for wrong, requirement in (
        ("<Event>5</Event>", "MQCN-2.2.5-05"),
        (text.replace("<Event>3", "<Event>5"), "MQCN-2.2.5-02"),
        (text.replace("-", "", 1), "MQCN-2.2.5-07"),
        (text.replace(">dc<", "><"), "MQCN-2.2.5-08"),
        (text.removesuffix(">"), "MQCN-2.2.5-05"),
    ):
        message = mqcn.ChangeNotificationMessage(Version=2, Data=mqcn.NotificationBody(Text=wrong))
        (effect,) = cn.process(message, sent_by_queue_manager=True, authenticated=True)
        assert isinstance(effect, cn.Disregard) or requirement == "MQCN-2.2.5-08"
        if isinstance(effect, cn.Disregard):
            assert effect.violation.requirement == requirement
            assert effect.violation in validate(message)


def test_an_update_by_path_name() -> None:
    """What the document forbids to send is taken where it says how."""
    named = bent(QUOTA, UseGuid=0, GuidIdentifier=None, PathName="host\\queue")
    (effect,) = cn.receive(carried(named), authenticated=True)
    assert effect == cn.UpdateQueue(None, "host\\queue", {"Quota": 5}, (115,))


def test_what_a_receiver_ignores() -> None:
    """PROPID_Q_ADS_PATH of a new queue, and a value that comes twice."""
    wrong = bent(
        QUOTA,
        Command=0,
        PropertyId=(126, 105, 105),
        PropertyValue=(*_values(31, "LDAP://CN=queue"), *_values(19, 1, 2)),
    )
    (effect,) = cn.receive(carried(wrong), authenticated=True)
    assert effect == cn.CreateQueue({"Quota": 1}, (126,))


@given(st.binary(max_size=200))
def test_any_body_can_be_received(body: bytes) -> None:
    for effect in cn.receive(_body(b"\1\1" + body), authenticated=True):
        assert isinstance(effect, cn.Effect)


def test_attributes_of_a_queue_manager_have_their_numbers() -> None:
    """[MS-MQCN] 3.1.1.2.1, with the numbers of [MS-MQMQ] 2.3.2."""
    assert QUEUE_MANAGER_ATTRIBUTES["OperatingSystemType"] == 220
    assert QUEUE_MANAGER_ATTRIBUTES["QueueManagerVersion"] == 216
