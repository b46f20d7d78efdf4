"""The features that versions of Windows support, according to the product behavior notes of the documents.

1. A row states which versions lack a feature, which field indicates the feature, and which note states it.
2. Versions are those of Message Queuing, 1 to 6, and those of Windows.  One version of Message Queuing was
   part of several versions of Windows.
3. A note is not a requirement: contradictions to it are reported only if the caller selects a profile.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

from msmq_wire.documents.propid import by_number
from msmq_wire.names.format_names import DirectName, QueuePath, check, is_allowed
from msmq_wire.packets.carriers import DirectoryQueue, carries
from msmq_wire.values.algorithms import AES, DEFAULT_HASHES, HASH_NUMBERS
from msmq_wire.values.enumerations import ALG_ID
from msmq_wire.values.errors import EncodeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ProfileName: TypeAlias = Literal[
    "windows-nt-4.0",
    "windows-2000",
    "windows-xp",
    "windows-server-2003",
    "windows-vista",
    "windows-server-2008",
    "windows-7",
    "windows-server-2008-r2",
    "windows-8",
    "windows-server-2012",
    "windows-8.1",
    "windows-server-2012-r2",
    "windows-10",
    "windows-server-2016",
    "windows-server-2019",
    "windows-server-2022",
    "windows-11",
    "windows-server-2025",
]

_MD: Final = frozenset(map(int, (ALG_ID.CALG_MD2, ALG_ID.CALG_MD4, ALG_ID.CALG_MD5)))
_MD_OR_SHA1: Final = _MD | {int(ALG_ID.CALG_SHA1)}
_SENT: Final = (_MD, _MD_OR_SHA1, _MD_OR_SHA1, _MD_OR_SHA1, HASH_NUMBERS, HASH_NUMBERS - _MD)
"""Hash algorithms that a version can use, [MS-MQQB] note 1; by [MS-MQMQ] note 7, Windows 2000 lacks SHA-1."""
_TAKEN: Final = (*_SENT[:5], _SENT[4])
_BASE, _ADVANCED = "Microsoft Base Cryptographic Provider v1.0", "Microsoft AES Cryptographic Provider"
_PROVIDERS: Final = ("", "", _BASE, _ADVANCED, _ADVANCED, _ADVANCED)
_DIRECT_PROTOCOLS_OF_OLD = ("SPX:", "IPX:")


class Profile(NamedTuple):
    """A version of Windows.

    Attributes:
        name: Its name, such as ``windows-xp``.
        msmq_version: Major version of Message Queuing, 1 to 6.
        hash_algorithm: The algorithm that it signs with by default ([MS-MQMQ] note 7).
        hashes_sent: The algorithms that it can sign with ([MS-MQQB] note 1).
        hashes_taken: The algorithms that it accepts.
        provider: The cryptographic provider that it signs with by default, or empty if no note names it
            ([MS-MQMQ] note 19).
    """

    name: str
    msmq_version: int
    hash_algorithm: int
    hashes_sent: frozenset[int]
    hashes_taken: frozenset[int]
    provider: str

    @property
    def replaced(self) -> frozenset[str]:
        """Recommendations that a note replaces for this version: the hash algorithm, [MS-MQMQ] <7>."""
        return frozenset() if self.hash_algorithm == ALG_ID.CALG_SHA_512 else frozenset({"MQMQ-2.2.19.3-28"})

    @property
    def defaults(self) -> dict[str, int]:
        """Fields of a `MessagePropertiesHeader` as this version fills them in, for the builder."""
        return {"HashAlgorithm": self.hash_algorithm}


def _version_of(name: str) -> int:
    versions = {"nt-4.0": 1, "2000": 2, "xp": 3, "server-2003": 3, "vista": 4, "server-2008": 4, "7": 5}
    return {**versions, "server-2008-r2": 5}.get(name.removeprefix("windows-"), 6)


def _profile(name: str) -> Profile:
    version = _version_of(name)
    return Profile(
        name,
        version,
        DEFAULT_HASHES[version],
        _SENT[version - 1],
        _TAKEN[version - 1],
        _PROVIDERS[version - 1],
    )


PROFILES: Final[Mapping[str, Profile]] = {name: _profile(name) for name in get_args(ProfileName)}
"""Profiles by name, the oldest first."""


class UnsupportedFeature(NamedTuple):
    """A feature that some versions of Windows do not support.

    Attributes:
        structure: The structure that indicates it.
        path: The field, from that structure.
        requirement: The requirement on the field.
        first: The first version of Message Queuing that lacks it.
        last: The last such version.
        note: Document and number of the note.
        has: Whether a record has it; takes the version too.
        allowed: The allowed values of the field in such a version, in words.
        windows: Which of these versions of Windows lack it; empty for all.
    """

    structure: str
    path: str
    requirement: str
    first: int
    last: int
    note: str
    has: Callable[[Any, int], Any]
    allowed: str
    windows: frozenset[str] = frozenset()

    def fault(self, profile: Profile) -> str:
        """Return the fault if a version of Windows has the feature, without full stop."""
        return f"from {profile.name} it has to be {self.allowed} ({self.note})"


def _breaks_grammar(name: Any, version: int) -> bool:
    return _is_of_another_version(name.DirectFormatName.removesuffix("\0"), version)


def _is_of_another_version(text: str, version: int) -> bool:
    """Return whether a direct name is valid in some version but not in this one."""
    try:
        parsed = DirectName.from_wire_text(text)
    except EncodeError:
        return False
    return bool(check(parsed, version=version, sdk=True)) and is_allowed(parsed, sdk=True)


def _queue_name(arm: str, requirement: str) -> UnsupportedFeature:
    """Return the row of a direct name of a QUEUE_FORMAT."""
    return UnsupportedFeature(
        "QUEUE_FORMAT", "_union", requirement, 1, 6, "[MS-MQMQ] 2.1",
        lambda q, version: _is_of_another_version(getattr(q, arm) or "", version),
        "a name of that version's grammar",
    )  # fmt: skip


def _breaks_path_grammar(text: Any, version: int) -> bool:
    """Return whether a path name of a queue is valid in some version but not in this one."""
    try:
        parsed = QueuePath.parse(text)
    except EncodeError:
        return False
    return bool(check(parsed, version=version, sdk=True)) and is_allowed(parsed, sdk=True)


def _is_spx(name: Any, _: int) -> bool:
    return bool(name.DirectFormatName[:4].upper() in _DIRECT_PROTOCOLS_OF_OLD)


def _goes_over_spx(acknowledgment: Any, version: int) -> bool:
    queue = acknowledgment.UserHeader.DestinationQueue
    return hasattr(queue, "DirectFormatName") and _is_spx(queue, version)


_PARTITIONS: Final = {116: 26, 211: 28, 307: 32, 504: 34, 607: 37, 703: 39, 804: 40, 5107: 41, 1402: 43}
"""Properties that only mixed-mode replication uses, with the number of the note in [MS-MQMQ] 6."""
_MACHINE_TYPE = 216
_PATHS = (103, 124)
"""PROPID_Q_PATHNAME and PROPID_Q_PATHNAME_DNS."""
_OLD_MACHINE_TYPE = re.compile(
    r"Windows [ -~]* \d*\.\d* \(Build \d*, [ -~]*\) - MSMQ \d*\.\d* \(Build \d*\)", re.ASCII
)
_CHANGES = {
    "DirectoryChange": ("PropertyID", "MQDSRP-2.2.4-12"),
    "NotificationUpdate": ("PropertyId", "MQCN-2.2.6-14"),
}
"""Fields with property identifiers: structure, field, and the requirement on values of each property."""


def _named(structure: str, number: int, note: int) -> UnsupportedFeature:
    """Return rows: versions without mixed mode do not use the property."""
    path, general = _CHANGES[structure]
    definition = by_number(number)
    requirement = definition.type_requirement if definition else None
    return UnsupportedFeature(
        structure, path, requirement or general, 3, 6, f"[MS-MQMQ] 6 <{note}>",
        lambda change, _: number in getattr(change, path), f"without {number}, which only mixed mode used",
    )  # fmt: skip


def _other_path_name(structure: str, number: int) -> UnsupportedFeature:
    """Return rows: path names of queues have the grammar of the version."""
    path, general = _CHANGES[structure]
    definition = by_number(number)
    requirement = (
        definition.value_requirements[0] if definition and definition.value_requirements else general
    )

    def breaks_grammar(change: Any, version: int) -> bool:
        values = zip(getattr(change, path), change.PropertyValue, strict=False)
        return any(
            _breaks_path_grammar(value.value, version) for identifier, value in values if identifier == number
        )

    return UnsupportedFeature(
        structure, "PropertyValue", requirement, 1, 6, "[MS-MQMQ] 2.1",
        breaks_grammar, "with path names of that version's grammar",
    )  # fmt: skip


def _later_property(structure: str) -> UnsupportedFeature:
    """Return rows: properties of later versions."""
    path, general = _CHANGES[structure]

    def has_later(change: Any, version: int) -> bool:
        named = (by_number(number) for number in getattr(change, path) if number not in _PARTITIONS)
        return any(definition is not None and definition.since > version for definition in named)

    return UnsupportedFeature(
        structure, path, general, 1, 2, "[MS-MQMQ] 2.3", has_later, "without properties of later versions",
    )  # fmt: skip


def _is_notified_by_another(message: Any, version: int) -> bool:
    """Return whether a change notification has another hash algorithm than the default of the version."""
    if carries(message) is not DirectoryQueue.NOTIFICATION:
        return False
    return bool(message.MessagePropertiesHeader.HashAlgorithm != DEFAULT_HASHES[version])


def _old_machine_type(structure: str) -> UnsupportedFeature:
    """Return rows: the first versions accept a machine type of one form only."""
    path, _ = _CHANGES[structure]

    def breaks_form(change: Any, _: int) -> bool:
        values = zip(getattr(change, path), change.PropertyValue, strict=False)
        texts = [value.value for number, value in values if number == _MACHINE_TYPE]
        return any(isinstance(text, str) and not _OLD_MACHINE_TYPE.fullmatch(text) for text in texts)

    return UnsupportedFeature(
        structure, "PropertyValue", "MQMQ-2.3.2.15-01", 1, 2, "[MS-MQMQ] 6 <30>",
        breaks_form, "with a machine type such as Windows NT 4.0 (Build 1381, x86) - MSMQ 1.0 (Build 300)",
    )  # fmt: skip


_NO_REMOTE_READS: Final = "absent, because it has no remote reads of that protocol"
_OLDER = "a name without SPX and IPX, which only Windows NT has for acknowledgments"
_PROVIDERS_OF_KEYS: Final = (_BASE, "Microsoft Enhanced Cryptographic Provider v1.0")
_NOTIFICATION = "ChangeNotificationMessage"
ROWS: Final = (
    UnsupportedFeature(
        "MessagePropertiesHeader", "PrivacyLevel", "MQMQ-2.2.19.3-25", 1, 1, "[MS-MQMQ] 6 <6>",
        lambda h, _: h.PrivacyLevel, "0, because it cannot encrypt",
    ),
    UnsupportedFeature(
        "MessagePropertiesHeader", "PrivacyLevel", "MQMQ-2.2.19.3-25", 1, 3, "[MS-MQQB] 6 <58>",
        lambda h, _: h.PrivacyLevel == 5, "another level than 5, which it rejects",
    ),
    UnsupportedFeature(
        "MessagePropertiesHeader", "EncryptionAlgorithm", "MQMQ-2.2.19.3-29", 1, 3, "[MS-MQMQ] 6 <6>",
        lambda h, _: h.EncryptionAlgorithm in AES, "an algorithm other than AES",
    ),
    UnsupportedFeature(
        "MessagePropertiesHeader", "HashAlgorithm", "MQMQ-2.2.19.3-43", 1, 6, "[MS-MQQB] 6 <1>",
        lambda h, version: h.HashAlgorithm and h.HashAlgorithm not in _SENT[version - 1],
        "an algorithm that it has",
    ),
    UnsupportedFeature(
        "UserHeader", "Flags.JN", "MQMQ-2.2.19.2-14", 1, 1, "[MS-MQMQ] 6 <3>",
        lambda h, _: h.Flags.JN, "0, because it has no negative source journaling",
    ),
    UnsupportedFeature(
        "UserMessage", "MultiQueueFormatHeader", "MQMQ-2.2.19.2-27", 1, 2, "[MS-MQMQ] 6 <9>",
        lambda m, _: m.MultiQueueFormatHeader is not None, "absent",
    ),
    UnsupportedFeature(
        "TransactionHeader", "Flags.FM", "MQMQ-2.2.20.5-04", 1, 1, "[MS-MQMQ] 6 <18>",
        lambda h, _: h.Flags.FM, "0",
    ),
    UnsupportedFeature(
        "TransactionHeader", "Flags.LM", "MQMQ-2.2.20.5-06", 1, 1, "[MS-MQMQ] 6 <18>",
        lambda h, _: h.Flags.LM, "0",
    ),
    UnsupportedFeature(
        "PingPacket", "Flags", "MQQB-2.2.7-22", 4, 6, "[MS-MQQB] 6 <41>",
        lambda *_: True, "absent, because it does not ping; an answer may be configured",
    ),
    UnsupportedFeature(
        "DirectQueueFormatName", "DirectFormatName", "MQMQ-2.2.18.1.5.2-03", 1, 6, "[MS-MQMQ] 2.1",
        _breaks_grammar, "a name of that version's grammar",
    ),
    UnsupportedFeature(
        "DirectQueueFormatName", "DirectFormatName", "MQMQ-2.2.18.1.5.2-03", 3, 6, "[MS-MQQB] 6 <4>",
        _is_spx, "a name without SPX and IPX",
    ),
    UnsupportedFeature(
        "MQFDirectQueueFormatName", "DirectFormatName", "MQMQ-2.2.18.1.4.1-02", 1, 6, "[MS-MQMQ] 2.1",
        _breaks_grammar, "a name of that version's grammar",
    ),
    UnsupportedFeature(
        "MQFDirectQueueFormatName", "DirectFormatName", "MQMQ-2.2.18.1.4.1-02", 3, 6, "[MS-MQQB] 6 <4>",
        _is_spx, "a name without SPX and IPX",
    ),
    UnsupportedFeature(
        "MessagePacket", "UserMessage", "MQRR-2.2.5.2-01", 1, 2, "[MS-MQRR] 6 <2>",
        lambda *_: True, _NO_REMOTE_READS,
    ),
    UnsupportedFeature(
        "MessagePacket", "UserMessage", "MQRR-2.2.5.2-01", 3, 3, "[MS-MQRR] 6 <2>",
        lambda *_: True, _NO_REMOTE_READS, frozenset({"windows-xp"}),
    ),
    UnsupportedFeature(
        "MessagePacket", "ExtensionHeader", "MQRR-2.2.5.2-01", 3, 3, "[MS-MQRR] 6 <5>",
        lambda m, _: m.ExtensionHeader is not None, "absent, with what it announces",
    ),
    UnsupportedFeature(
        _NOTIFICATION, "Version", "MQCN-2.2.4-01", 1, 2, "[MS-MQCN] 6 <5>",
        lambda m, _: m.Version == 2, "1, because its directory service notifies",
    ),
    UnsupportedFeature(
        _NOTIFICATION, "Version", "MQCN-2.2.4-01", 3, 6, "[MS-MQCN] 6 <5>",
        lambda m, _: m.Version == 1, "2, because its queue managers notify",
    ),
    UnsupportedFeature(
        "NotificationUpdate", "PathName", "MQCN-2.2.6-05", 1, 6, "[MS-MQMQ] 2.1",
        lambda u, version: _breaks_path_grammar(u.PathName, version), "a path name of that version's grammar",
    ),
    *(
        UnsupportedFeature(
            acknowledgment, "UserHeader.DestinationQueue", "MQMQ-2.2.18.1.5.2-03", 2, 2,
            f"[MS-MQQB] 6 <{note}>", _goes_over_spx, _OLDER,
        )
        for acknowledgment, note in (("OrderAck", 16), ("FinalAck", 18))
    ),
    UnsupportedFeature(
        "MQDSPUBLICKEY", "sProviderName", "MQMQ-2.2.1-06", 1, 3, "[MS-MQQB] 6 <65>",
        lambda key, _: key.sProviderName.removesuffix("\0") not in _PROVIDERS_OF_KEYS,
        " or ".join(_PROVIDERS_OF_KEYS),
    ),
    *(_other_path_name(structure, number) for structure in _CHANGES for number in _PATHS),
    UnsupportedFeature(
        "UserMessage", "MessagePropertiesHeader.HashAlgorithm", "MQCN-3.3.5.3-07", 1, 6, "[MS-MQCN] 6 <12>",
        _is_notified_by_another, "the default of that version",
    ),
    *(_named(structure, *noted) for structure in _CHANGES for noted in _PARTITIONS.items()),
    *map(_old_machine_type, _CHANGES),
    *map(_later_property, _CHANGES),
)  # fmt: skip
"""The missing features by version; a version of Message Queuing stands for all its versions of Windows."""
CALL_ROWS: Final = (
    UnsupportedFeature(
        "QUEUE_FORMAT", "m_qft", "MQMQ-2.2.7-01", 1, 3, "[MS-MQMQ] 2.2.6",
        lambda q, _: q.m_pDirectSubqueueID is not None, "a kind without a subqueue",
    ),
    _queue_name("m_pDirectSubqueueID", "MQMQ-2.2.7-16"),
    _queue_name("m_pDirectID", "MQMQ-2.2.7-17"),
)  # fmt: skip
"""The same for structures of remote calls."""


def lacks(structure: str, profile: Profile) -> tuple[UnsupportedFeature, ...]:
    """Return the features that a version of Windows lacks and that a structure can indicate."""
    return tuple(
        row
        for row in (*ROWS, *CALL_ROWS)
        if row.structure == structure
        and row.first <= profile.msmq_version <= row.last
        and (not row.windows or profile.name in row.windows)
    )
