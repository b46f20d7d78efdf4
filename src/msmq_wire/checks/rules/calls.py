"""Rules for RPC calls: [MS-MQMQ] 2.2.7, 2.2.14 to 2.2.16, and [MS-MQRR] 2.2.6.

The errata decide ambiguous statements: names that the SDK allows M47.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msmq_wire.documents.layouts import structures
from msmq_wire.documents.mqmq import UserHeaderFlags
from msmq_wire.names.format_names import DirectName
from msmq_wire.records.record import record_class
from msmq_wire.values.enumerations import QUEUE_FORMAT_TYPE as QFT
from msmq_wire.values.enumerations import QUEUE_SUFFIX_TYPE as SUFFIX
from msmq_wire.values.enumerations import SectionType
from msmq_wire.values.errors import DecodeError

from .mqmq_structures import direct_name_problem
from .vocabulary import NAMES_OF_SDK, Explains

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from msmq_wire.values.violation import Level

_SYSTEM = 0x80
_FLAGS = 0xF0
_FLAGS_AT = structures()["BaseHeader"].least_size + structures()["UserHeader"].offset_of("Flags")
_FLAGS_SIZE = 4
_OVER_HTTP = int(UserHeaderFlags(AH=1)) ^ int(UserHeaderFlags(AH=0))
_FIRST = {SectionType.stBinaryFirstSection, SectionType.stSrmpFirstSection}


class CallRule(NamedTuple):
    """A requirement on a record.

    Attributes:
        requirement: Its id.
        field: The field that violates it.
        holds: Returns whether a record satisfies it.
        allowed: The allowed values, as text.
        level: The level of the requirement.
        erratum: For a rule of the level "practice", the erratum with the evidence.
        practice: The known behavior of implementations, in words that follow "known implementations".
    """

    requirement: str
    field: str
    holds: Callable[[Any], bool]
    allowed: str
    level: Level = "must"
    erratum: str = ""
    practice: str = ""


def _suffixed(suffix: SUFFIX, holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return the condition for names with that suffix."""
    return lambda record: record.suffix != suffix or holds(record)


def _flags(suffix: SUFFIX, flags: int) -> Callable[[Any], bool]:
    return _suffixed(suffix, lambda record: record.m_SuffixAndFlags & _FLAGS == flags)


def _kind(suffix: SUFFIX, *kinds: QFT) -> Callable[[Any], bool]:
    return _suffixed(suffix, lambda record: record.m_qft in kinds)


def _no_kind(suffix: SUFFIX, *kinds: QFT) -> Callable[[Any], bool]:
    return _suffixed(suffix, lambda record: record.m_qft not in kinds)


def _name(
    requirement: str, kind: QFT, arm: str, allowed: str, *, has_subqueue: bool = False
) -> tuple[CallRule, ...]:
    """Return the rules for a direct name: one by the pages of the SDK, and a stricter one by the document."""

    def allows(*, sdk: bool) -> Explains:
        def problem(record: Any) -> str:
            if record.m_qft != kind:
                return ""
            text = getattr(record, arm) or ""
            told = direct_name_problem(text, sdk=sdk)
            if not told and has_subqueue and DirectName.from_wire_text(text).subqueue is None:
                return "found none"
            return told

        return Explains(problem)

    return (
        CallRule(requirement, "_union", allows(sdk=True), allowed),
        CallRule(requirement, "_union", allows(sdk=False), allowed, "practice", "M47", NAMES_OF_SDK),
    )


def _counts(requirement: str, count: str = "cElems", array: str = "pElems") -> tuple[CallRule, ...]:
    """Return the rule for the count of an array; a null pointer points to no elements."""
    return (
        CallRule(
            requirement,
            count,
            lambda record: getattr(record, count) == len(getattr(record, array) or ()),
            f"the number of elements of {array}",
        ),
    )


def _is_whole(record: Any) -> bool:
    """Return whether a section is a message packet, unless its type is another or its size is wrong."""
    data = record.pSectionBuffer
    if (
        record.SectionBufferType != SectionType.stFullPacket
        or data is None
        or len(data) != record.SectionSize
    ):
        return True
    try:
        record_class("MessagePacket").decode(data)
    except DecodeError:
        return False
    return True


def _is_of_transport(kind: SectionType) -> Callable[[Any], bool]:
    """Return the condition that a first section has this type if its message has the transport of the type.

    A short section does not show the transport.
    """

    def holds(record: Any) -> bool:
        data: bytes = record.pSectionBuffer or b""
        if record.SectionBufferType not in _FIRST - {kind} or len(data) < _FLAGS_AT + _FLAGS_SIZE:
            return True
        flags = int.from_bytes(data[_FLAGS_AT : _FLAGS_AT + _FLAGS_SIZE], "little")
        return bool(flags & _OVER_HTTP) != (kind == SectionType.stSrmpFirstSection)

    return holds


_PUBLIC, _PRIVATE, _MACHINE = (
    QFT.QUEUE_FORMAT_TYPE_PUBLIC,
    QFT.QUEUE_FORMAT_TYPE_PRIVATE,
    QFT.QUEUE_FORMAT_TYPE_MACHINE,
)
_CONNECTOR, _DL, _MULTICAST = (
    QFT.QUEUE_FORMAT_TYPE_CONNECTOR,
    QFT.QUEUE_FORMAT_TYPE_DL,
    QFT.QUEUE_FORMAT_TYPE_MULTICAST,
)
_NONE, _JOURNAL = SUFFIX.QUEUE_SUFFIX_TYPE_NONE, SUFFIX.QUEUE_SUFFIX_TYPE_JOURNAL
_DEADLETTER, _DEADXACT = SUFFIX.QUEUE_SUFFIX_TYPE_DEADLETTER, SUFFIX.QUEUE_SUFFIX_TYPE_DEADXACT
_XACTONLY, _SUBQUEUE = SUFFIX.QUEUE_SUFFIX_TYPE_XACTONLY, SUFFIX.QUEUE_SUFFIX_TYPE_SUBQUEUE
_WHOLE = {SectionType.stFullPacket, SectionType.stBinarySecondSection, SectionType.stSrmpSecondSection}
_ANY_DIRECT = QFT.QUEUE_FORMAT_TYPE_DIRECT

CALL_RULES: Final[Mapping[str, tuple[CallRule, ...]]] = {
    "QUEUE_FORMAT": (
        CallRule("MQMQ-2.2.7-02", "m_SuffixAndFlags", _flags(_NONE, 0), "flags of 0 without a suffix"),
        CallRule("MQMQ-2.2.7-03", "m_qft", _no_kind(_NONE, _MACHINE), "not 4 without a suffix"),
        CallRule("MQMQ-2.2.7-04", "m_SuffixAndFlags", _flags(_JOURNAL, _SYSTEM), "0x81 for a journal"),
        CallRule(
            "MQMQ-2.2.7-05",
            "m_qft",
            _no_kind(_JOURNAL, _CONNECTOR, _DL, _MULTICAST),
            "not 5, 6 or 7 for a journal",
        ),
        CallRule(
            "MQMQ-2.2.7-06", "m_SuffixAndFlags", _flags(_DEADLETTER, _SYSTEM), "0x82 for a dead-letter queue"
        ),
        CallRule(
            "MQMQ-2.2.7-07",
            "m_qft",
            _no_kind(_DEADLETTER, _PUBLIC, _PRIVATE, _CONNECTOR, _DL, _MULTICAST),
            "not 1, 2, 5, 6 or 7 for a dead-letter queue",
        ),
        CallRule(
            "MQMQ-2.2.7-08",
            "m_SuffixAndFlags",
            _flags(_DEADXACT, _SYSTEM),
            "0x83 for a transactional dead-letter queue",
        ),
        CallRule(
            "MQMQ-2.2.7-09",
            "m_qft",
            _kind(_DEADXACT, _ANY_DIRECT, _MACHINE),
            "3 or 4 for a transactional dead-letter queue",
        ),
        CallRule(
            "MQMQ-2.2.7-10", "m_qft", _kind(_XACTONLY, _CONNECTOR), "5 for a transactional connector queue"
        ),
        CallRule("MQMQ-2.2.7-11", "m_SuffixAndFlags", _flags(_SUBQUEUE, 0), "0x05 for a subqueue"),
        CallRule(
            "MQMQ-2.2.7-12", "m_qft", _kind(_SUBQUEUE, QFT.QUEUE_FORMAT_TYPE_SUBQUEUE), "8 for a subqueue"
        ),
        CallRule(
            "MQMQ-2.2.7-19",
            "m_SuffixAndFlags",
            lambda record: record.suffix in set(SUFFIX),
            "a suffix of 0 to 5 in bits 0 to 3",
        ),
        CallRule(
            "MQMQ-2.2.7-20",
            "m_SuffixAndFlags",
            _suffixed(_XACTONLY, lambda record: record.m_SuffixAndFlags & _FLAGS in {0, _SYSTEM}),
            "flags of 0 or 0x80",
        ),
        CallRule("MQMQ-2.2.7-13", "m_reserved", lambda record: record.m_reserved == 0, "0", "should"),
        *_name(
            "MQMQ-2.2.7-16",
            QFT.QUEUE_FORMAT_TYPE_SUBQUEUE,
            "m_pDirectSubqueueID",
            "a direct format name with a subqueue",
            has_subqueue=True,
        ),
        *_name("MQMQ-2.2.7-17", _ANY_DIRECT, "m_pDirectID", "a direct format name"),
    ),
    "BLOB": _counts("MQMQ-2.2.15-01", "cbSize", "pBlobData"),
    "CAUB": _counts("MQMQ-2.2.16.1-01"),
    "CAUI": _counts("MQMQ-2.2.16.2-01"),
    "CAL": _counts("MQMQ-2.2.16.3-01"),
    "CAUL": _counts("MQMQ-2.2.16.4-01"),
    "CAUH": _counts("MQMQ-2.2.16.5-01"),
    "CACLSID": _counts("MQMQ-2.2.16.6-01"),
    "CALPWSTR": _counts("MQMQ-2.2.16.7-01"),
    "CAPROPVARIANT": _counts("MQMQ-2.2.16.8-01"),
    "PROPVARIANT": (
        CallRule(
            "MQMQ-2.2.14-01", "_varUnion", lambda record: record.boolVal in {None, 0, 0xFFFF}, "0 or 0xffff"
        ),
    ),
    "SectionBuffer": (
        CallRule(
            "MQRR-2.2.6-01",
            "SectionBufferType",
            lambda record: record.SectionBufferType in set(SectionType),
            "a section type, 0 to 4",
        ),
        CallRule("MQRR-2.2.6-01", "SectionBufferType", _is_whole, "0 for a whole message packet only"),
        CallRule(
            "MQRR-2.2.6-01",
            "SectionBufferType",
            _is_of_transport(SectionType.stSrmpFirstSection),
            "3, because the message has AH, which says that it was sent over HTTP",
        ),
        CallRule(
            "MQRR-2.2.6-01",
            "SectionBufferType",
            _is_of_transport(SectionType.stBinaryFirstSection),
            "1, because the message has no AH, so that it was not sent over HTTP",
        ),
        CallRule(
            "MQRR-2.2.6-02",
            "SectionSizeAlloc",
            lambda record: (
                record.SectionBufferType not in _WHOLE or record.SectionSizeAlloc == record.SectionSize
            ),
            "SectionSize",
        ),
        CallRule(
            "MQRR-2.2.6-03",
            "SectionSizeAlloc",
            lambda record: (
                record.SectionBufferType in _WHOLE or record.SectionSizeAlloc >= record.SectionSize
            ),
            "at least SectionSize",
        ),
        CallRule(
            "MQRR-2.2.6-04",
            "SectionSize",
            lambda record: record.SectionSize == len(record.pSectionBuffer or b""),
            "the size of pSectionBuffer",
        ),
        CallRule(
            "MQRR-2.2.6-05",
            "pSectionBuffer",
            lambda record: record.pSectionBuffer is not None,
            "a pointer to bytes",
        ),
    ),
}
"""Rules by record."""
OF_CALLS: Final = frozenset(rule.requirement for rules in CALL_RULES.values() for rule in rules)
"""Requirements of these rules."""
