"""What versions of Windows send: each row finds what its versions lack, and nothing in later ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis.errors import NoSuchExample
from support_rows import for_each
from support_specs import load_requirements

import msmq_wire as mw
from msmq_wire import mqcn, mqdsrp, mqmq, mqqb, mqrr
from msmq_wire import testing as mt
from msmq_wire.checks.profiles import PROFILES, ROWS
from msmq_wire.checks.validation import validate

mt_settings = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
CATALOGUE = {row.id for row in load_requirements()}
BY_VERSION = {
    1: "windows-nt-4.0",
    2: "windows-2000",
    3: "windows-xp",
    4: "windows-vista",
    5: "windows-7",
    6: "windows-11",
}
LISTS = mqmq.MultiQueueFormatHeader(
    Destination=mqmq.MQFAddressHeader(),
    Administration=mqmq.MQFAddressHeader(),
    Response=mqmq.MQFAddressHeader(),
    Signature=mqmq.MQFSignatureHeader(),
)


def _properties(**fields: Any) -> Any:
    return mqmq.MessagePropertiesHeader(HashAlgorithm=0, **fields)


def _name(text: str) -> Any:
    return mqmq.DirectQueueFormatName(DirectFormatName=text)


def _listed(text: str) -> Any:
    return mqmq.MQFDirectQueueFormatName(DirectFormatName=text)


def _ordered(text: str) -> Any:
    return mqqb.OrderAck.of(DestinationQueue=f"DIRECT={text}", MessageBody=mqqb.OrderAckBody().encode())


def _finally(text: str) -> Any:
    return mqqb.FinalAck.of(DestinationQueue=f"DIRECT={text}", MessageBody=mqqb.FinalAckBody().encode())


def _key(provider: str) -> Any:
    return mqmq.MQDSPUBLICKEY(sProviderName=f"{provider}\0")


NOTICE = mqcn.NotificationBody.of(1, mw.NULL_GUID, "dc")
OLD_MACHINE = "Windows NT Server 4.0 (Build 1381, x86) - MSMQ 1.0 (Build 300)"


def _changes(number: int, value: Any) -> tuple[Any, ...]:
    return (
        mqdsrp.DirectoryChange(PathName="host", PropertyID=(number,), PropertyValue=(value,)),
        mqcn.NotificationUpdate(PathName="host", PropertyId=(number,), PropertyValue=(value,)),
    )


G = mw.GUID(b"\x11" * 16)
SENT_WITH_SHA_1 = mqcn.ChangeNotificationMessage(Version=2, Data=NOTICE)
SHOWN: list[tuple[Any, str, set[int]]] = [
    (_properties(PrivacyLevel=1), "[MS-MQMQ] 6 <6>", {1}),
    (_properties(PrivacyLevel=5, EncryptionAlgorithm=0x6602), "[MS-MQQB] 6 <58>", {2, 3}),
    (_properties(EncryptionAlgorithm=0x6610), "[MS-MQMQ] 6 <6>", {1, 2, 3}),
    (mqmq.MessagePropertiesHeader(HashAlgorithm=0x8004), "[MS-MQQB] 6 <1>", {1}),
    (mqmq.MessagePropertiesHeader(HashAlgorithm=0x800E), "[MS-MQQB] 6 <1>", {1, 2, 3, 4}),
    (mqmq.MessagePropertiesHeader(HashAlgorithm=0x8003), "[MS-MQQB] 6 <1>", {6}),
    (mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(JN=1)), "[MS-MQMQ] 6 <3>", {1}),
    (mqmq.UserMessage(MultiQueueFormatHeader=LISTS), "[MS-MQMQ] 6 <9>", {1, 2}),
    (mqmq.TransactionHeader(Flags=mqmq.TransactionHeaderFlags(FM=1)), "[MS-MQMQ] 6 <18>", {1}),
    (mqmq.TransactionHeader(Flags=mqmq.TransactionHeaderFlags(LM=1)), "[MS-MQMQ] 6 <18>", {1}),
    (mqqb.PingPacket(), "[MS-MQQB] 6 <41>", {4, 5, 6}),
    (_name("OS:host\\queue;sub"), "[MS-MQMQ] 2.1", {1, 2, 3}),
    (_name("SPX:00000001.00A0C9112233\\queue"), "[MS-MQQB] 6 <4>", {3, 4, 5, 6}),
    (_listed("OS:host\\queue;sub"), "[MS-MQMQ] 2.1", {1, 2, 3}),
    (_listed("SPX:00000001.00A0C9112233\\queue"), "[MS-MQQB] 6 <4>", {3, 4, 5, 6}),
    (_name("OS:host\\a+b"), "[MS-MQMQ] 2.1", {2, 3, 4, 5, 6}),
    (_listed('OS:host\\a"b'), "[MS-MQMQ] 2.1", {2, 3, 4, 5, 6}),
    (_name("OS:host\\очередь"), "[MS-MQMQ] 2.1", set()),
    (mqcn.NotificationUpdate(PathName="host\\a,b"), "[MS-MQMQ] 2.1", {2, 3, 4, 5, 6}),
    *((change, "[MS-MQMQ] 2.1", {2, 3, 4, 5, 6}) for change in _changes(103, mw.PropertyValue(31, "h\\a+b"))),
    (mqcn.wrap(SENT_WITH_SHA_1, G, G, msmq_version=3), "[MS-MQCN] 6 <12>", {1, 2, 5, 6}),
    (mqrr.MessagePacket(), "[MS-MQRR] 6 <2>", {1, 2, 3}),
    (mqrr.MessagePacket(ExtensionHeader=mqrr.ExtensionHeader()), "[MS-MQRR] 6 <5>", {3}),
    *(
        (change, f"[MS-MQMQ] 6 <{note}>", {3, 4, 5, 6})
        for number, note in {
            116: 26,
            211: 28,
            307: 32,
            504: 34,
            607: 37,
            703: 39,
            804: 40,
            5107: 41,
            1402: 43,
        }.items()
        for change in _changes(number, mw.PropertyValue(72, mw.NULL_GUID))
    ),
    (mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates()), "[MS-MQCN] 6 <5>", {3, 4, 5, 6}),
    (mqcn.ChangeNotificationMessage(Version=2, Data=NOTICE), "[MS-MQCN] 6 <5>", {1, 2}),
    (_ordered("SPX:00000001.00A0C9112233\\order_queue$"), "[MS-MQQB] 6 <16>", {2}),
    (_ordered("TCP:10.0.0.1\\order_queue$"), "[MS-MQQB] 6 <16>", set()),
    (_finally("SPX:00000001.00A0C9112233\\order_queue$"), "[MS-MQQB] 6 <18>", {2}),
    (_key("Microsoft Enhanced RSA and AES Cryptographic Provider"), "[MS-MQQB] 6 <65>", {1, 2, 3}),
    (_key("Microsoft Enhanced Cryptographic Provider v1.0"), "[MS-MQQB] 6 <65>", set()),
    (_key("Microsoft Base Cryptographic Provider v1.0"), "[MS-MQQB] 6 <65>", set()),
    *((change, "[MS-MQMQ] 2.3", {1}) for change in _changes(222, mw.PropertyValue(0x1048, (mw.NULL_GUID,)))),
    *((change, "[MS-MQMQ] 2.3", {1, 2}) for change in _changes(125, mw.PropertyValue(31, "234.1.1.1:8001"))),
    *((change, "[MS-MQMQ] 2.3", set()) for change in _changes(108, mw.PropertyValue(31, "label"))),
    *((change, "[MS-MQMQ] 6 <30>", {1, 2}) for change in _changes(216, mw.PropertyValue(31, "Windows 10"))),
    *((change, "[MS-MQMQ] 6 <30>", {1, 2}) for change in _changes(216, mw.PropertyValue(31, ""))),
    *((change, "[MS-MQMQ] 6 <30>", set()) for change in _changes(216, mw.PropertyValue(31, OLD_MACHINE))),
]


@for_each(("record", "note", "versions"), lambda: SHOWN)
def test_what_a_version_lacks(record: Any, note: str, versions: set[int]) -> None:
    for version, name in BY_VERSION.items():
        for level in ("must", "practice"):
            found: Any = validate(record, level, profile=name)  # type: ignore[arg-type]  # both are names
            told = [item for item in found if item.note == note]
            assert bool(told) == (version in versions), (version, found)
            assert all(item.level == "practice" and note in item.message for item in told)
    assert not any(item.note for item in validate(record, "practice"))


def test_windows_xp_has_no_remote_reads() -> None:
    """By [MS-MQRR] note 2; Windows Server 2003 has the same version of Message Queuing, and has them."""
    for name, lacking in (("windows-xp", True), ("windows-server-2003", False)):
        found: Any = validate(mqrr.MessagePacket(), "practice", profile=name)  # type: ignore[arg-type]  # a name
        assert any(item.note == "[MS-MQRR] 6 <2>" for item in found) is lacking


def test_every_row_is_shown() -> None:
    assert {note for _, note, _ in SHOWN} == {row.note for row in ROWS}
    assert {row.requirement for row in ROWS} <= CATALOGUE


def test_names_of_versions() -> None:
    versions = [profile.msmq_version for profile in PROFILES.values()]
    assert versions == sorted(versions)
    assert set(versions) == {1, 2, 3, 4, 5, 6}
    with pytest.raises(ValueError, match=r"profile is 'windows-95', not one of 'windows-nt-4\.0'"):
        validate(mqmq.BaseHeader(), profile="windows-95")  # type: ignore[arg-type]  # this is the mistake


def test_defaults_of_versions() -> None:
    for name, wanted in (("windows-2000", 0x8003), ("windows-vista", 0x8004), ("windows-10", 0x800E)):
        defaults: dict[str, Any] = dict(PROFILES[name].defaults)
        header = mqmq.MessagePropertiesHeader(**defaults)
        assert header.HashAlgorithm == wanted
        assert validate(header, "practice", profile=name) == ()  # type: ignore[arg-type]  # a name
    assert [PROFILES[name].provider[:14] for name in ("windows-2000", "windows-xp", "windows-11")] == [
        "", "Microsoft Base", "Microsoft AES ",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("names", "sent", "taken"),
    [
        ("windows-nt-4.0", {"MD2", "MD4", "MD5"}, {"MD2", "MD4", "MD5"}),
        ("windows-2000 windows-xp windows-server-2003", {"MD2", "MD4", "MD5", "SHA-1"}, None),
        ("windows-vista windows-server-2008", {"MD2", "MD4", "MD5", "SHA-1"}, None),
        (
            "windows-7 windows-server-2008-r2",
            {"MD2", "MD4", "MD5", "SHA-1", "SHA-256", "SHA-512"},
            {"MD2", "MD4", "MD5", "SHA-1", "SHA-256", "SHA-512"},
        ),
        (
            "windows-8 windows-server-2012 windows-10 windows-server-2025",
            {"SHA-1", "SHA-256", "SHA-512"},
            {"MD2", "MD4", "MD5", "SHA-1", "SHA-256", "SHA-512"},
        ),
    ],
)
def test_hashes_of_versions(names: str, sent: set[str], taken: set[str] | None) -> None:
    """The table of [MS-MQQB] note 1, typed in; the numbers are those of [MS-MQMQ] 2.2.19.3."""
    numbers = {
        "MD2": 0x8001, "MD4": 0x8002, "MD5": 0x8003, "SHA-1": 0x8004, "SHA-256": 0x800C, "SHA-512": 0x800E,
    }  # fmt: skip
    for name in names.split():
        profile = PROFILES[name]
        assert profile.hashes_sent == {numbers[hash_] for hash_ in sent}
        assert profile.hashes_taken == {numbers[hash_] for hash_ in taken or sent}


@for_each("name", lambda: PROFILES)
def test_messages_of_a_version(name: Any) -> None:
    @given(mt.user_messages(profile=name))
    @mt_settings
    def look(message: Any) -> None:
        assert validate(message, "should", profile=name) == ()

    look()


def test_a_listing_says_what_the_version_lacks() -> None:
    message = mqmq.UserMessage(MultiQueueFormatHeader=LISTS)
    text = mw.explain(message, profile="windows-2000")
    assert text.startswith(mw.explain(message))
    assert "windows-2000: UserMessage.MultiQueueFormatHeader: from windows-2000 it has to be absent" in text
    assert mw.explain(message.encode(), profile="windows-2000") == text
    assert mw.explain(message.encode()[:40], profile="windows-2000") == mw.explain(message.encode()[:40])
    header = mqmq.MessagePropertiesHeader(HashAlgorithm=0x800E)
    assert "windows-2000: MessagePropertiesHeader.HashAlgorithm: " in mw.explain(
        header, profile="windows-2000"
    )


def test_a_profile_can_be_muted() -> None:
    header = _properties(PrivacyLevel=1)
    assert validate(header, profile="windows-nt-4.0", ignore="MQMQ-2.2.19.3-25") == ()


@for_each("name", BY_VERSION.values)
def test_directory_messages_that_a_version_could_have_sent(name: Any) -> None:
    @mt_settings
    @given(mt.replication_messages(profile=name), mt.notifications(profile=name))
    def look(replicated: Any, notified: Any) -> None:
        for message in (replicated, notified):
            assert validate(message, "should", profile=name) == ()

    look()


@pytest.mark.long
@pytest.mark.parametrize(
    ("strategy", "name", "kind"),
    [("replication_messages", "windows-xp", 503), ("notifications", "windows-2000", 105)],
)
def test_what_directory_messages_leave_out(strategy: str, name: Any, kind: int) -> None:
    """Messages of nobody in particular have what a version lacks; those of a version have all the rest."""
    every = getattr(mt, strategy)
    lacking = find(every(), lambda message: bool(validate(message, profile=name)), settings=FIND)
    assert validate(lacking) == ()
    with pytest.raises(NoSuchExample):
        find(
            every(profile=name),
            lambda message: bool(validate(message, profile=name)),
            settings=FEW_TRIES,
        )
    find(every(profile=name), lambda message: kind in _numbers(message), settings=FIND)


@pytest.mark.parametrize(("name", "version"), [("windows-2000", 1), ("windows-xp", 2), ("windows-11", 2)])
def test_the_version_of_a_notification(name: Any, version: int) -> None:
    """[MS-MQCN] note 5: a directory service notifies, or the queue managers do."""
    with pytest.raises(NoSuchExample):
        find(
            mt.notifications(profile=name),
            lambda message: bool(message.Version != version),
            settings=FEW_TRIES,
        )


def _numbers(message: Any) -> set[int]:
    data = getattr(message, "Data", message)
    changes = [getattr(data, "DirectoryChange", None), *getattr(data, "DirectoryChanges", ())]
    updates = getattr(data, "Updates", ())
    return {
        number
        for one, path in [
            *((one, "PropertyID") for one in changes),
            *((one, "PropertyId") for one in updates),
        ]
        if one is not None
        for number in getattr(one, path)
    }


FIND = settings(max_examples=3000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
FEW_TRIES = settings(FIND, max_examples=30)


@pytest.mark.parametrize(
    ("algorithm", "lacks"), [(0x660E, True), (0x660F, True), (0x6610, True), (0x6801, False), (0x6602, False)]
)
def test_algorithms_of_aes_came_with_windows_vista(algorithm: int, lacks: bool) -> None:
    """[MS-MQMQ] note 6: CALG_AES_128, 192 and 256; CALG_RC4 and RC2 are older."""
    properties = mqmq.MessagePropertiesHeader(EncryptionAlgorithm=algorithm)
    versions: tuple[tuple[Any, bool], ...] = (("windows-server-2003", lacks), ("windows-vista", False))
    for profile, found in versions:
        told = {one.requirement for one in mw.validate(properties, profile=profile)}
        assert ("MQMQ-2.2.19.3-29" in told) is found
