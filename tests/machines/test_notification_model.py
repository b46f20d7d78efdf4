"""Whole messages with change notifications, beside a second reading of [MS-MQCN] 3.2.5 and 3.3.5.3.

The reading here takes a UserMessage apart by itself and goes by the page and its errata; it shares nothing
with the machine but the values of properties.
"""

from __future__ import annotations

import random
import re
import struct
from typing import Any

import pytest

import msmq_wire as mw
from msmq_wire import mqcn, mqmq
from msmq_wire.documents.directory_properties import Properties, pack
from msmq_wire.documents.propid import PROPID
from msmq_wire.machines import notification as cn

HERE, THERE, QUEUE, DIRECTORY = (mw.GUID(bytes([n]) * 16) for n in (1, 2, 3, 4))
SERVER = "dc.example"

# ------------------------------------------------------------------------------ 3.3.5.3: what is sent

MD5, SHA_1, SHA_512 = 0x8003, 0x8004, 0x800E


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("msmq", "hashing", "signed"),
    [
        (1, MD5, "Sig10"),
        (2, MD5, "Sig20"),
        (3, SHA_1, "Sig20"),
        (4, SHA_1, "Sig20"),
        (5, SHA_512, "Sig20"),
        (6, SHA_512, "Sig20"),
    ],
)
def test_what_is_sent(version: int, msmq: int, hashing: int, signed: str) -> None:
    """Every attribute of 3.3.5.3, read from the bytes that go out."""
    if version == 1:
        update = cn.notification_update(cn.Operation.QueueDeletion, originator=DIRECTORY, identifier=QUEUE)
        message = cn.prepare_version_1([update])
    else:
        message = cn.prepare_version_2(cn.Operation.QueueUpdate, QUEUE, SERVER)
    posted = cn.send(message, HERE, THERE, msmq_version=msmq, message_id=7, sent_time=1234)
    assert posted.authentication_level == signed
    assert posted.queue == f"PRIVATE={HERE}\\00000003"
    raw = mw.encode(posted.message)
    # BaseHeader: 16 bytes, the last four TimeToReachQueue.  UserHeader: two GUIDs and four numbers.
    assert struct.unpack_from("<I", raw, 12) == (300,)
    assert raw[16:32] == THERE.bytes_le
    assert raw[32:48] == HERE.bytes_le
    assert struct.unpack_from("<II", raw, 52) == (1234, 7)
    got: Any = mw.decode(raw)
    assert got.UserHeader.Flags.DM == 0  # Express
    assert got.MessagePropertiesHeader.MessageClass == 0  # Normal
    assert got.MessagePropertiesHeader.HashAlgorithm == hashing
    body = mqcn.encode(message)
    assert got.MessagePropertiesHeader.MessageBody == body + b"\0"
    security = got.SecurityHeader
    if version == 1:
        assert security.Flags.ST == 2
        assert security.SecurityData.SecurityID == THERE.bytes_le  # errata C8
    else:
        assert security is None
    assert body[:2] == bytes([version, 1])


# --------------------------------------------------------------------------- 3.2.5: what is understood

CREATED = {
    "Type": "TYPE", "Identifier": "INSTANCE", "BasePriority": "BASEPRIORITY", "Journaling": "JOURNAL",
    "Quota": "QUOTA", "JournalQuota": "JOURNAL_QUOTA", "CreateTime": "CREATE_TIME",
    "ModifyTime": "MODIFY_TIME", "Security": "SECURITY", "Pathname": "PATHNAME", "Label": "LABEL",
    "Authentication": "AUTHENTICATE", "PrivacyLevel": "PRIV_LEVEL", "Transactional": "TRANSACTION",
    "Scope": "SCOPE",
}  # fmt: skip
UPDATED = (
    "BasePriority",
    "Journaling",
    "Quota",
    "JournalQuota",
    "Security",
    "Authentication",
    "PrivacyLevel",
)
OF_MACHINE = {"QueueManagerQuota": "QUOTA", "JournalQuota": "JOURNAL_QUOTA", "Security": "SECURITY"}
READ = [
    "Type", "Identifier", "BasePriority", "Journaling", "Quota", "JournalQuota", "CreateTime", "ModifyTime",
    "Security", "Pathname", "Label", "Authentication", "PrivacyLevel", "Transactional", "MulticastAddress",
    "DirectoryPath",
]  # fmt: skip
TEXT = re.compile(
    r"<Notification *><Event *>([1-4])</Event *><ObjectGuid *>([0-9A-F-]{36})</ObjectGuid *>"
    r"<DomainController *>(.*?)</DomainController *></Notification *>",
    re.IGNORECASE | re.DOTALL,
)
Told = list[tuple[Any, ...]]


def understood(message: Any, *, authenticated: bool) -> Told:
    """What 3.2.5 does with a message; nothing where it is disregarded."""
    queue = message.UserHeader.DestinationQueue
    number = getattr(queue, "PrivateQueueIdentifier", None)
    direct = getattr(queue, "DirectFormatName", "").rstrip("\0").lower()
    if number != 3 and not direct.endswith("\\private$\\notify_queue$"):
        return []
    if message.MessagePropertiesHeader.MessageClass != 0:
        return []
    security = message.SecurityHeader
    if security is not None and security.Flags.EB:
        return []
    try:
        notification: Any = mqcn.decode(message.MessagePropertiesHeader.MessageBody)
    except mw.DecodeError:
        return []
    if notification.Version == 2:
        return told_by_text(notification.Data.Text)
    if security is None or security.Flags.ST != 2 or not authenticated:
        return []
    done: Told = []
    for update in notification.Data.Updates:
        kind, effect = told_by_update(update)
        done += effect
        if kind == "stop":
            break
    return done


def told_by_text(text: str) -> Told:
    found = TEXT.match(text)
    if found is None:
        return []
    event, guid = int(found.group(1)), mw.GUID.of(found.group(2))
    if event == 3:
        return [("delete", guid)]
    if event == 4:
        return [
            ("read", "QueueManager", guid, ["QueueManagerQuota", "JournalQuota", "Security"], found.group(3))
        ]
    return [("read", "Queue", guid, READ, found.group(3))]


def told_by_update(update: Any) -> tuple[str, Told]:
    ids, values = update.PropertyId, [value.value for value in update.PropertyValue]

    def taken(prefix: str, names: dict[str, str]) -> dict[str, Any]:
        numbers = {name: PROPID[f"PROPID_{prefix}_{rest}"] for name, rest in names.items()}
        held = Properties(ids, update.PropertyValue)
        return {name: held[number] for name, number in numbers.items() if number in ids}

    if update.Command == 2:
        if len(values) < 2 or values[1] != 1:
            return "stop", []
        guid = update.GuidIdentifier
        return "go on", [] if guid is None else [("delete", guid)]
    if update.Command > 2:
        return "go on", []
    first = ids[0] if ids else 0
    kind = (first - 1000) // 100 if first > 1000 else first // 100
    if kind == 1 and update.Command == 0:
        return "go on", [("create", taken("Q", CREATED))]
    if kind == 1:
        changed = taken("Q", {name: CREATED[name] for name in UPDATED})
        return "go on", [("update", update.GuidIdentifier, update.PathName, changed)]
    if kind == 2:
        changed = taken("QM", OF_MACHINE)
        return "go on", [("machine", update.GuidIdentifier, changed)] if update.Command else []
    return "stop", []


def plain(effects: tuple[cn.Effect, ...]) -> Told:
    """The effects of the machine, in the words of `understood`."""
    told: Told = []
    for effect in effects:
        match effect:
            case cn.CreateQueue():
                told.append(("create", effect.attributes))
            case cn.UpdateQueue():
                told.append(("update", effect.identifier, effect.path_name, effect.attributes))
            case cn.UpdateQueueManager():
                told.append(("machine", effect.identifier, effect.attributes))
            case cn.DeleteQueue():
                told.append(("delete", effect.identifier))
            case cn.ReadDirectory():
                told.append(
                    ("read", effect.object_type, effect.identifier, list(effect.attributes), effect.server)
                )
            case cn.Disregard():
                assert effect.violation.message.endswith(".")
    return told


POOL: dict[str, Any] = {
    "PROPID_Q_TYPE": THERE, "PROPID_Q_INSTANCE": QUEUE, "PROPID_Q_BASEPRIORITY": -3, "PROPID_Q_JOURNAL": 1,
    "PROPID_Q_QUOTA": 5, "PROPID_Q_JOURNAL_QUOTA": 6, "PROPID_Q_CREATE_TIME": 7, "PROPID_Q_MODIFY_TIME": 8,
    "PROPID_Q_SECURITY": b"sd", "PROPID_Q_PATHNAME": "h\\q", "PROPID_Q_LABEL": "l",
    "PROPID_Q_AUTHENTICATE": 1, "PROPID_Q_PRIV_LEVEL": 2, "PROPID_Q_TRANSACTION": 1, "PROPID_Q_SCOPE": 1,
    "PROPID_Q_QMID": THERE, "PROPID_Q_ADS_PATH": "LDAP://x", "PROPID_QM_MACHINE_ID": THERE,
    "PROPID_QM_FOREIGN": 0, "PROPID_QM_QUOTA": 9, "PROPID_QM_JOURNAL_QUOTA": 10, "PROPID_QM_SECURITY": b"d",
    "PROPID_QM_OS": 1, "PROPID_S_PSC": "p", "PROPID_D_SCOPE": 1, "PROPID_D_OBJTYPE": 1,
}  # fmt: skip


def some_update(dice: random.Random) -> Any:
    names = dice.sample(sorted(POOL), dice.randrange(6))
    prefix = dice.choice(["PROPID_Q_", "PROPID_Q_", "PROPID_QM_", ""])
    names = [name for name in names if name.startswith(prefix)]
    command = dice.choice([0, 0, 1, 1, 2, 2, 3])
    values = {name: POOL[name] for name in names}
    if command == 2 and dice.random() < 0.8:
        values = {"PROPID_D_SCOPE": 1, "PROPID_D_OBJTYPE": dice.choice([1, 1, 2])}
    ids, packed = pack(values)
    named = {"PathName": "h\\q"} if dice.random() < 0.3 else {"GuidIdentifier": QUEUE}
    return mqcn.NotificationUpdate(
        Command=command, GuidMasterId=DIRECTORY, PropertyId=ids, PropertyValue=packed, **named
    )


def some_message(dice: random.Random) -> Any:
    """A whole message: sound, odd, or damaged somewhere."""
    if dice.random() < 0.6:
        updates = tuple(some_update(dice) for _ in range(dice.randrange(1, 5)))
        message = mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=updates))
    else:
        message = cn.prepare_version_2(dice.choice(list(cn.Operation)), QUEUE, SERVER)
    carrier = cn.send(message, HERE, THERE, msmq_version=dice.randrange(1, 7)).message
    sort = dice.random()
    if sort < 0.1:
        queue = dice.choice(
            [
                "DIRECT=OS:h\\PRIVATE$\\notify_queue$",
                "DIRECT=OS:h\\private$\\other",
                f"PRIVATE={HERE}\\00000001",
            ]
        )
        carrier = mw.replace(carrier, UserHeader=mw.replace(carrier.UserHeader, DestinationQueue=queue))
    elif sort < 0.2:
        flags = mqmq.SecurityHeaderFlags(ST=dice.randrange(4))
        if carrier.SecurityHeader is not None:
            carrier = mw.replace(carrier, SecurityHeader=mw.replace(carrier.SecurityHeader, Flags=flags))
    elif sort < 0.3:
        known = mw.replace(carrier.MessagePropertiesHeader, MessageClass=dice.choice([1, 0x8000, 0x4000]))
        carrier = mw.replace(carrier, MessagePropertiesHeader=known)
    raw = bytearray(mw.encode(carrier))
    if dice.random() < 0.4:
        at = raw.find(carrier.MessagePropertiesHeader.MessageBody)
        for _ in range(dice.randrange(1, 4)):
            raw[dice.randrange(at, len(raw))] = dice.randrange(256)
    return mw.decode(bytes(raw))


@pytest.mark.each(4)
@pytest.mark.parametrize("part", range(4))
def test_whole_messages_are_understood_alike(part: int) -> None:
    seen: dict[str, int] = {}
    for seed in range(part, 2000, 4):
        dice = random.Random(seed)  # noqa: S311  # a message, to be repeated
        message, authenticated = some_message(dice), dice.random() < 0.9
        expected = understood(message, authenticated=authenticated)
        assert plain(cn.receive(message, authenticated=authenticated)) == expected, seed
        for effect in expected or [("nothing",)]:
            seen[effect[0]] = seen.get(effect[0], 0) + 1
    assert set(seen) == {"create", "update", "machine", "delete", "read", "nothing"}
    assert min(seen.values()) >= 5
