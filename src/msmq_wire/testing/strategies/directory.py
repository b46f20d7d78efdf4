"""Valid directory messages of [MC-MQDSRP] and [MS-MQCN].

1. Each property has a list of values: those candidates of its type that its rules allow.  All properties of
   directory changes occur; with a profile, only those that this version of Windows has.
2. Notifications are of the three kinds of [MS-MQCN] 3.3.5.2, for queues and for machines.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.checks.profiles import PROFILES, lacks
from msmq_wire.checks.validation import validate
from msmq_wire.definitions.error_codes import NUMBERS
from msmq_wire.definitions.properties import PROPERTIES, VARTYPE, Form, ObjectClass
from msmq_wire.documents.directory_objects import ENTERPRISE_TYPES, KINDS, SITE_TYPES, deletion
from msmq_wire.documents.notification_contents import CONTENTS, Operation
from msmq_wire.documents.notification_text import notification_text
from msmq_wire.documents.propid import by_number
from msmq_wire.packets.directory import notification as mqcn
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.properties.values import PropertyValue, type_of

from .choices import GUIDS, LETTERS
from .headers import MAKERS as STRUCTURES
from .packets import from_dice

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis import strategies as st

    from msmq_wire.checks.profiles import Profile, ProfileName

    from .choices import Dice

_DELETION, _SYNC, _DELETED = 2, 3, (1403, 1404)
_LAST_WITH_SERVICE = 2  # [MS-MQCN] 6 <5>: its directory service notifies
_NUMBERS = (0, 1, 2, 3, 4, 5, 7, 8, 0x10, 0x40, 0xFF, 0x1000, 0x6602, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF)
_TEXTS = (
    "", "host", "host\\queue", "host.example", "CN=host,DC=example", "ldap://host/CN=queue", "host$",
    "MSMQ Settings", "\\\\host", "224.0.0.1:1801", "224.0.0.1", "DIRECT=OS:host\\queue", "IP=10.0.0.1",
    LETTERS,
)  # fmt: skip
_BLOBS = (b"", b"\x01", bytes(8), bytes(range(16)))
BLOBS_OF: Final = {
    Form.SID: (b"", b"\x01\x01" + bytes(5) + b"\x05\x12\x00\x00\x00"),
    Form.SECURITY_DESCRIPTOR: (b"", b"\x01\x00\x04\x80" + bytes(16)),
    Form.TA_ADDRESS: (b"", b"\x04\x00\x01\x00\x0a\x00\x00\x01"),
    Form.MQDSPUBLICKEYS: (b"", b"\x08" + bytes(7)),
    Form.MQUSERSIGNCERTS: (b"", bytes(4)),
}
_TABLE: Final = tuple(
    definition
    for definition in PROPERTIES
    if by_number(definition.number) is definition and type_of(definition.number)
)
_BY_NUMBER: Final = {definition.number: definition for definition in _TABLE}
_NEW_QUEUE = CONTENTS[Operation.QueueCreation].required
_QUEUE_OTHERS = tuple(
    definition.number
    for definition in _TABLE
    if definition.object_class is ObjectClass.QUEUE and definition.type_requirement is None
)
"""Properties of queues whose types have no requirements of their own; a created queue may have them too."""
_QUEUE_EXTRA = CONTENTS[Operation.QueueUpdate].changed
_MACHINE_EXTRA = (
    *CONTENTS[Operation.QueueManagerUpdate].changed,
    *CONTENTS[Operation.QueueManagerUpdate].ignored,
)
_STRUCTURED = {Form.MQDSPUBLICKEYS: "MQDSPUBLICKEYS", Form.MQUSERSIGNCERTS: "MQUSERSIGNCERTS"}


def candidates(vartype: int, kind: Form | None = None) -> tuple[Any, ...]:
    """Return values of a type, which a property may or may not allow."""
    if kind in BLOBS_OF and vartype == VARTYPE.VT_BLOB:
        return BLOBS_OF[kind]
    if vartype & VARTYPE.VT_VECTOR:
        inner = candidates(vartype & ~VARTYPE.VT_VECTOR)
        if vartype == VARTYPE.VT_UI1 | VARTYPE.VT_VECTOR:
            return (b"", b"\x01", b"\x01\x02")
        return ((), *((value,) for value in inner), *((value, value) for value in inner[:2]))
    usual: dict[int, tuple[Any, ...]] = {
        VARTYPE.VT_LPWSTR: _TEXTS,
        VARTYPE.VT_BLOB: _BLOBS,
        VARTYPE.VT_CLSID: GUIDS[:4],
    }
    return usual.get(vartype, _NUMBERS)


@cache
def _values_of(number: int) -> tuple[PropertyValue, ...]:
    """Return values of a property that violate no rule."""
    definition, values = _BY_NUMBER[number], []
    for candidate in candidates(definition.vartype, definition.kind):
        value = PropertyValue(definition.vartype, candidate)
        try:
            change = mqdsrp.DirectoryChange(PathName="", PropertyID=(number,), PropertyValue=(value,))
            if not validate(change, "should"):
                change.encode()
                values.append(value)
        except ValueError:
            continue  # the number is too large for its type
    return tuple(values)


def property_numbers() -> tuple[tuple[int, int], ...]:
    """Return identifiers of the properties that a directory change can have, and their types."""
    return tuple((definition.number, definition.vartype) for definition in _TABLE)


def property_value(dice: Dice, number: int) -> PropertyValue:
    """Return a valid value of the property."""
    definition = _BY_NUMBER[number]
    if definition.kind in _STRUCTURED and dice.flag():
        return PropertyValue(definition.vartype, STRUCTURES[_STRUCTURED[definition.kind]](dice).encode())
    return dice.pick(_values_of(number))


def _sequence_number(dice: Dice) -> Any:
    return mqdsrp.SEQUENCE_NUMBER.of(dice.number(64))


def directory_change(dice: Dice, **fields: Any) -> Any:
    """Return a change of an object that is identified by its path or by its GUID."""
    numbers = tuple(_TABLE[dice.byte() % len(_TABLE)].number for _ in range(dice.byte() % 4))
    name: dict[str, Any] = (
        {"GuidIdentifier": dice.identity()}
        if dice.flag()
        else {"PathName": dice.pick(("host\\queue", "", "host", LETTERS))}
    )
    given = {
        "Command": dice.byte() % 4,
        "PartitionID": dice.guid(),
        "PreviousSeqNumber": _sequence_number(dice),
        "SeqNumber": _sequence_number(dice),
        "PurgedSeqNumber": _sequence_number(dice),
        "PropertyID": numbers,
        "PropertyValue": tuple(property_value(dice, number) for number in numbers),
        **name,
    }
    return mqdsrp.DirectoryChange(**{**given, **fields})


def propagated(dice: Dice, count: int) -> tuple[Any, ...]:
    """Return changes as they are propagated, each with the number before its own."""
    kept = []
    for _ in range(count):
        number = 1 + dice.number(64) % (2**64 - 1)
        change = directory_change(
            dice,
            PreviousSeqNumber=mqdsrp.SEQUENCE_NUMBER.of(number - 1),
            SeqNumber=mqdsrp.SEQUENCE_NUMBER.of(number),
        )
        if change.Command == _DELETION:
            values = tuple(PropertyValue(VARTYPE.VT_UI1, 1) for _ in _DELETED)
            change = mw.replace(change, PropertyID=_DELETED, PropertyValue=values)
        kept.append(change)
    return tuple(kept)


def _change_request(dice: Dice) -> Any:
    header = _change_request_header(dice)
    numbers = dict.fromkeys(("PreviousSeqNumber", "SeqNumber", "PurgedSeqNumber"), mqdsrp.MIN_SEQ_NUMBER)
    change = directory_change(dice, PartitionID=header.PartitionID, **numbers)
    return mqdsrp.ChangeRequestMessage(ChangeRequestHeader=header, DirectoryChange=change)


def _name(dice: Dice) -> str:
    return dice.pick(("psc", "bsc", "host", "", LETTERS))


def _site(dice: Dice, operation: int = 0) -> Any:
    return mqdsrp.BaseReplicationHeader(SiteID=dice.identity(), Operation=operation)


def _change_request_header(dice: Dice) -> Any:
    return mqdsrp.ChangeRequestHeader(
        BaseReplicationHeader=_site(dice, 1),
        PartitionID=dice.guid(),
        RequestIdentifier=dice.number(32),
        RequesterName=_name(dice),
        PSCName=_name(dice) if dice.flag() else None,
    )


def _sync_reply_header(dice: Dice, count: int = 0) -> Any:
    first, last = sorted((_sequence_number(dice), _sequence_number(dice)))
    return mqdsrp.SyncReplyHeader(
        BaseReplicationHeader=_site(dice, 3),
        PartitionID=dice.pick((NULL_GUID, dice.guid())),
        FromSeqNumber=first,
        ToSeqNumber=last,
        PurgedSeqNumber=_sequence_number(dice),
        Count=count,
        CompleteSync0=dice.byte() % 3,
    )


_STEPS: Final = 3
"""The most numbers by which a change of a reply is above the one before it."""


def answer(dice: Dice, count: int, *, of: Any = None, deleted: bool | None = None) -> Any:
    """Return a reply with looked-up objects and deletions, numbered within the range of its header.

    Args:
        dice: The source of choices.
        count: The number of changes.
        of: The object type of all changes; by default any of the partition.
        deleted: Whether the changes are deletions; by default some are.
    """
    header = _sync_reply_header(dice, count)
    if of is not None:
        header = mw.replace(header, PartitionID=NULL_GUID if of in ENTERPRISE_TYPES else dice.identity())
    types = ENTERPRISE_TYPES if header.PartitionID == NULL_GUID else SITE_TYPES
    least = min(int(header.FromSeqNumber), int(mqdsrp.MAX_SEQ_NUMBER) - _STEPS * count)
    most = max(int(header.ToSeqNumber), least + _STEPS * count)
    before, end = map(mqdsrp.SEQUENCE_NUMBER.of, (least, most))
    header = mw.replace(header, FromSeqNumber=before, ToSeqNumber=end)
    changes: list[Any] = []
    for _ in range(count):
        kind = dice.pick(types) if of is None else of
        is_deleted = not dice.byte() % 4 if deleted is None else deleted
        numbers = _DELETED if is_deleted else KINDS[kind].changes
        values = (
            deletion(1, int(kind))[1]
            if is_deleted
            else [property_value(dice, identifier) for identifier in numbers]
        )
        may_repeat = not changes or is_deleted or changes[-1].Command == _DELETION
        step = dice.byte() % _STEPS
        number = mqdsrp.SEQUENCE_NUMBER.of(int(before) + (step if may_repeat else step + 1))
        changes.append(
            mqdsrp.DirectoryChange(
                Command=_DELETION if is_deleted else _SYNC,
                GuidIdentifier=dice.identity(),
                PartitionID=header.PartitionID,
                PreviousSeqNumber=before,
                SeqNumber=number,
                PurgedSeqNumber=header.PurgedSeqNumber,
                PropertyID=numbers,
                PropertyValue=values,
            )
        )
        before = number
    return mqdsrp.SyncReplyMessage(SyncReplyHeader=header, DirectoryChanges=tuple(changes))


def _partition(dice: Dice) -> Any:
    return mqdsrp.PARTITION_SEQ_NUMBERS(
        PartitionID=dice.guid(), LastSeqNumber=_sequence_number(dice), PurgedSeqNumber=_sequence_number(dice)
    )


def _seq_number_header(dice: Dice) -> Any:
    partitions = tuple(_partition(dice) for _ in range(dice.byte() % 3))
    return mqdsrp.SeqNumberHeader(
        MachineName=_name(dice) if partitions else None, PartitionSeqNumbers=partitions
    )


def _propagation(dice: Dice) -> Any:
    return mqdsrp.ChangePropagationMessage(
        BaseReplicationHeader=_site(dice),
        Flush=dice.byte() & 1,
        DirectoryChanges=propagated(dice, dice.byte() % 3),
        SeqNumberHeader=_seq_number_header(dice),
    )


# ------------------------------------------------------------------------------------- notifications


def _update(dice: Dice, command: int, numbers: tuple[int, ...], values: Any = None, **fields: Any) -> Any:
    return mqcn.NotificationUpdate(
        Command=command,
        GuidMasterId=dice.identity(),
        PropertyId=numbers,
        PropertyValue=values or tuple(property_value(dice, number) for number in numbers),
        **fields,
    )


def _deleted(dice: Dice) -> Any:
    values = (PropertyValue(VARTYPE.VT_UI1, 1), PropertyValue(VARTYPE.VT_UI1, 1))
    return _update(dice, 2, (1403, 1404), values, GuidIdentifier=dice.identity())


def _changed_queue(dice: Dice) -> Any:
    numbers = (115, *(dice.pick(_QUEUE_EXTRA) for _ in range(dice.byte() % 3)))
    return _update(dice, 1, numbers, GuidIdentifier=dice.identity())


def _changed_machine(dice: Dice) -> Any:
    identifier = dice.identity()
    others = (219, *(dice.pick(_MACHINE_EXTRA) for _ in range(dice.byte() % 3)))
    values = (
        PropertyValue(VARTYPE.VT_CLSID, identifier),
        *(property_value(dice, number) for number in others),
    )
    return _update(dice, 1, (202, *others), values, GuidIdentifier=identifier)


def _created(dice: Dice) -> Any:
    others = (dice.pick(_QUEUE_OTHERS) for _ in range(dice.byte() % 2))
    return _update(
        dice, 0, (*_NEW_QUEUE, *others), PathName=dice.pick(("host\\queue", "host\\private$\\queue"))
    )


UPDATES: Final[dict[str, Callable[[Dice], Any]]] = {
    "deleted": _deleted,
    "changed queue": _changed_queue,
    "changed machine": _changed_machine,
    "created": _created,
}
"""Functions that create an update of each kind."""


def notification_update(dice: Dice) -> Any:
    """Return a created, changed or deleted queue, or a changed machine."""
    return dice.pick(tuple(UPDATES.values()))(dice)


def _updates(dice: Dice) -> Any:
    updates = tuple(notification_update(dice) for _ in range(1 + dice.byte() % 2))
    return mqcn.NotificationUpdates(Updates=updates, Unused=b"\0" if dice.flag() else b"")


def _body(dice: Dice) -> Any:
    text = notification_text(
        dice.byte() % 4 + 1, dice.identity(), dice.pick(("server", "s" * 256, "!~", "dc.example"))
    )
    return mqcn.NotificationBody(Text=text + dice.pick(("", "\0")), Unused=b"\0" if dice.flag() else b"")


def _notification(dice: Dice) -> Any:
    data: Any = _body(dice) if dice.flag() else _updates(dice)
    return mqcn.ChangeNotificationMessage(Data=data)


_REPLICATION: Final[dict[str, Callable[[Dice], Any]]] = {
    "ChangePropagationMessage": _propagation,
    "ChangeRequestMessage": _change_request,
    "SyncRequestMessage": lambda dice: mqdsrp.SyncRequestMessage(
        BaseReplicationHeader=_site(dice, 2),
        PartitionID=dice.guid(),
        FromSeqNumber=_sequence_number(dice),
        ToSeqNumber=_sequence_number(dice),
        KnownPurgedSeqNumber=_sequence_number(dice),
        IsSync0=dice.byte() & 1,
        Scope=dice.byte() & 1,
        RequesterName=_name(dice),
    ),
    "SyncReplyMessage": lambda dice: answer(dice, dice.byte() % 3),
    "ChangeReplyMessage": lambda dice: mqdsrp.ChangeReplyMessage(
        BaseReplicationHeader=_site(dice, 4),
        RequestIdentifier=dice.number(32),
        Result=dice.pick((0, NUMBERS["MQ_ERROR"])),
        RequesterName=_name(dice),
    ),
    "AlreadyPurgedMessage": lambda dice: mqdsrp.AlreadyPurgedMessage(
        BaseReplicationHeader=_site(dice, 5), PartitionID=dice.guid(), PurgedSeqNumber=_sequence_number(dice)
    ),
    "PSCAckMessage": lambda dice: mqdsrp.PSCAckMessage(
        BaseReplicationHeader=_site(dice, 6),
        PSCSiteID=dice.identity(),
        AckedPartitionID=dice.guid(),
        AckedSeqNumber=_sequence_number(dice),
        PSCName=_name(dice),
    ),
    "BSCAckMessage": lambda dice: mqdsrp.BSCAckMessage(
        BaseReplicationHeader=_site(dice, 7), BSCMachineID=dice.identity(), BSCName=_name(dice)
    ),
}

MAKERS: Final[dict[str, Callable[[Dice], Any]]] = {
    **_REPLICATION,
    "PARTITION_SEQ_NUMBERS": _partition,
    "DirectoryChange": directory_change,
    "BaseReplicationHeader": lambda dice: _site(dice, dice.byte() % 8),
    "ChangeRequestHeader": _change_request_header,
    "SyncReplyHeader": lambda dice: _sync_reply_header(dice, dice.number(32)),
    "SeqNumberHeader": _seq_number_header,
    "NotificationUpdate": notification_update,
    "NotificationUpdates": _updates,
    "NotificationBody": _body,
    "ChangeNotificationMessage": _notification,
}
"""Functions that create a structure, by its name."""


def signed(message: Any) -> Any:
    """Return a message with a signature by the default provider, in the place of its key's owner."""
    flags = mqmq.SecurityHeaderFlags(
        ST=message.SecurityHeader.Flags.ST if message.SecurityHeader else 0, DE=1
    )
    value = b"" if message.SecurityHeader is None else message.SecurityHeader.SecurityData.SecurityID
    data = mqmq.SecurityData(SecurityID=value, Signature=bytes(range(64)))
    return mw.replace(message, SecurityHeader=mqmq.SecurityHeader(Flags=flags, SecurityData=data))


def carried(dice: Dice, name: str | None = None, *, again: bool = False) -> Any:
    """Return a message that carries a replication message, optionally of a given class or sent again."""
    make = dice.pick(tuple(_REPLICATION.values())) if name is None else _REPLICATION[name]
    sender, message = dice.identity(), make(dice)
    if name == "BSCAckMessage" or type(message) is mqdsrp.BSCAckMessage:
        message = mw.replace(message, BSCMachineID=sender)
    return signed(mqdsrp.wrap(message, "host", sender, again=again, message_id=dice.number(32)))


def carried_notification(dice: Dice, *, updates: bool = False) -> Any:
    """Return a message that carries a change notification, optionally one of a directory service."""
    sent = mqcn.ChangeNotificationMessage(Data=_updates(dice)) if updates else _notification(dice)
    return signed(mqcn.wrap(sent, dice.identity(), dice.identity()))


def replication_messages(*, profile: ProfileName | None = None) -> st.SearchStrategy[Any]:
    """Generate conformant messages of every class that `mqdsrp.decode` returns.

    Args:
        profile: A version of Windows, such as ``"windows-xp"``; only its properties are used.
    """
    makers = tuple(_REPLICATION.values())
    return _sent(lambda dice: dice.pick(makers)(dice), profile)


def notifications(*, profile: ProfileName | None = None) -> st.SearchStrategy[mqcn.ChangeNotificationMessage]:
    """Generate conformant change notifications of both versions.

    Args:
        profile: As for `replication_messages`; only the version that it sends is used.
    """
    if profile is None:
        return from_dice(_notification)
    data = _updates if PROFILES[profile].msmq_version <= _LAST_WITH_SERVICE else _body
    return _sent(lambda dice: mqcn.ChangeNotificationMessage(Data=data(dice)), profile)


# ------------------------------------------------------------------------------------------ profiles


def _sent(make: Callable[[Dice], Any], profile: ProfileName | None) -> st.SearchStrategy[Any]:
    if profile is None:
        return from_dice(make)
    sender = PROFILES[profile]
    return from_dice(lambda dice: had_by(make(dice), sender)).filter(
        lambda sent: not validate(sent, profile=profile)
    )


def had_by(record: Any, profile: Profile) -> Any:
    """Return the changes without the properties that a version of Windows lacks."""
    name = record.layout.name
    if name == "DirectoryChange":
        return _change_by(record, "PropertyID", profile)
    if name == "NotificationUpdate":
        return _change_by(record, "PropertyId", profile)
    if name not in _WITH_CHANGES:
        return record
    path = _WITH_CHANGES[name]
    value = getattr(record, path)
    if isinstance(value, tuple):
        return mw.replace(record, **{path: tuple(had_by(item, profile) for item in value)})
    return mw.replace(record, **{path: had_by(value, profile)})


def _change_by(change: Any, path: str, profile: Profile) -> Any:
    rows = [row for row in lacks(change.layout.name, profile) if row.path in {path, "PropertyValue"}]
    pairs = [
        (number, value)
        for number, value in zip(getattr(change, path), change.PropertyValue, strict=True)
        if not any(
            row.has(_OneProperty((number,), (number,), (value,)), profile.msmq_version) for row in rows
        )
    ]
    numbers, values = zip(*pairs, strict=True) if pairs else ((), ())
    return mw.replace(change, **{path: numbers, "PropertyValue": values})


class _OneProperty(NamedTuple):
    """A property as in changes and updates."""

    PropertyID: tuple[int, ...]
    PropertyId: tuple[int, ...]
    PropertyValue: tuple[PropertyValue, ...]


_WITH_CHANGES: Final = {
    "ChangePropagationMessage": "DirectoryChanges",
    "ChangeRequestMessage": "DirectoryChange",
    "SyncReplyMessage": "DirectoryChanges",
    "ChangeNotificationMessage": "Data",
    "NotificationUpdates": "Updates",
}
"""Structures with changes, and the field that contains them."""
