"""[MC-MQDSRP] 2.2: replication messages.

1. The errata decide ambiguous statements: PathName and GuidIdentifier D3 and D4, PSCName D2, widths of counts
   D21.  The sequence numbers of a change have no rule of their own (D30), nor have names of machines, and
   partitions that a propagation or an acknowledgment names twice (D63).
2. Fields that a reply repeats are checked if the context contains the request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.values.sequence_number import MIN_SEQ_NUMBER
from msmq_wire.values.wchar import wchar_count

from .vocabulary import (
    Repeats,
    Rule,
    asked,
    count,
    fits,
    given,
    identifies,
    in_range,
    must_be,
    one_of,
    presence,
    rule,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX = b"\xff" * 8
_SCOPES = {"BSC": 0, "PSC": 1}


# -------------------------------------------------------------------------------------- conditions


def _offset_fits(header: Any) -> bool:
    """Return whether the text before PSCName includes its terminator."""
    return bool(header.PSCNameOffset == wchar_count(header.RequesterName) + 1)


def _answer(
    requirement: str, path: str, structure: str, holds: Callable[[Any, Any], bool], allowed: str
) -> Rule:
    """Return a rule for the reply to a kind of request."""
    return given(
        "request",
        requirement,
        path,
        lambda reply, context: (request := asked(context, structure)) is None or holds(reply, request),
        allowed,
    )


def _not_from(requirement: str, role: str, operation: int, why: str) -> Rule:
    """Return a rule: a server with a role does not send a message, which its operation tells."""
    return given(
        "role",
        requirement,
        "Operation",
        lambda h, context: context.role != role or h.Operation != operation,
        f"another one than {operation} from a {role}, because {why}",
    )


def _unnumbered(requirement: str, field: str) -> Rule:
    """Return a rule: a requested change has no number yet."""
    return rule(
        requirement, f"DirectoryChange.{field}", "==", MIN_SEQ_NUMBER, "0 in a change that is requested"
    )


def _is_purged(purged: Any, request: Any) -> bool:
    """Return whether a request asks for purged numbers, and does not know that they are purged."""
    return bool(request.FromSeqNumber < purged and request.KnownPurgedSeqNumber < purged)


def _range_end(reply: Any, request: Any) -> bool:
    """Return whether the end of the range fits; a request for everything ends at the newest number."""
    asked = request.ToSeqNumber
    return bool(asked.raw == _MAX or reply.SyncReplyHeader.ToSeqNumber == asked)


# ------------------------------------------------------------------------------------------- rules

RULES: dict[str, tuple[Rule, ...]] = {
    "DirectoryChange": (
        in_range("MQDSRP-2.2.4-01", "Command", 0, 3),
        one_of("MQDSRP-2.2.4-02", "UseGuid", 0, 1),
        rule(
            "MQDSRP-2.2.4-03",
            "PathName",
            "is absent",
            None,
            "absent while UseGuid is 1",
            ("UseGuid", "==", 1),
        ),
        rule(
            "MQDSRP-2.2.4-05",
            "GuidIdentifier",
            "is there",
            None,
            "present while UseGuid is 1",
            ("UseGuid", "==", 1),
        ),
        count("MQDSRP-2.2.4-06", "NumberOfProperties", "PropertyID"),
        fits(
            "MQDSRP-2.2.4-07",
            "PropertyValue",
            lambda c: len(c.PropertyValue) == len(c.PropertyID),
            "as long as PropertyID",
        ),
        rule(
            "MQDSRP-2.2.4-10",
            "GuidIdentifier",
            "is absent",
            None,
            "absent while UseGuid is 0",
            ("UseGuid", "==", 0),
        ),
        identifies("MQDSRP-2.2.4-04", "GuidIdentifier", "the object"),
    ),
    "BaseReplicationHeader": (
        must_be("MQDSRP-2.2.5.1-01", "Version", 0),
        in_range("MQDSRP-2.2.5.1-02", "Operation", 0, 7),
        identifies("MQDSRP-2.2.5.1-05", "SiteID", "the sender's site"),
        _not_from("MQDSRP-2.2.6.6-05", "PSC", 7, "a BSC sends a BSCAckMessage to its PSC"),
        _not_from("MQDSRP-2.2.6.7-06", "BSC", 6, "a PSC sends a PSCAckMessage to the object authority"),
        _not_from(
            "MQDSRP-2.2.6.9-08", "BSC", 0, "object authorities and PSCs send a ChangePropagationMessage"
        ),
    ),
    "ChangeRequestHeader": (
        must_be("MQDSRP-2.2.5.2-01", "BaseReplicationHeader.Operation", 1),
        *presence("ChangeRequestHeader.PSCName", missing="MQDSRP-2.2.5.2-03"),
        fits(
            "MQDSRP-2.2.5.2-05",
            "PSCNameOffset",
            _offset_fits,
            "the number of WCHARs in RequesterName with its terminator",
            ("PSCName", "is there"),
        ),
        given(
            "role",
            "MQDSRP-3.1.7.1.1-09",
            "PSCName",
            lambda h, context: context.role != "BSC" or h.PSCName is not None,
            "present from a BSC",
        ),
    ),
    "ChangeRequestMessage": (
        fits(
            "MQDSRP-3.1.7.1.1-14",
            "DirectoryChange.PartitionID",
            lambda r: r.DirectoryChange.PartitionID == r.ChangeRequestHeader.PartitionID,
            "that of ChangeRequestHeader",
        ),
        _unnumbered("MQDSRP-3.1.7.1.1-15", "PreviousSeqNumber"),
        _unnumbered("MQDSRP-3.1.7.1.1-16", "SeqNumber"),
        _unnumbered("MQDSRP-3.1.7.1.1-17", "PurgedSeqNumber"),
    ),
    "ChangeReplyMessage": (
        must_be("MQDSRP-2.2.6.3-01", "BaseReplicationHeader.Operation", 4),
        _answer(
            "MQDSRP-2.2.6.3-03",
            "RequestIdentifier",
            "ChangeRequestMessage",
            lambda r, q: r.RequestIdentifier == q.ChangeRequestHeader.RequestIdentifier,
            "that of the request",
        ),
        _answer(
            "MQDSRP-2.2.6.3-06",
            "RequesterName",
            "ChangeRequestMessage",
            lambda r, q: r.RequesterName == q.ChangeRequestHeader.RequesterName,
            "that of the request",
        ),
    ),
    "SyncRequestMessage": (
        must_be("MQDSRP-2.2.6.4-01", "BaseReplicationHeader.Operation", 2),
        one_of("MQDSRP-2.2.6.4-02", "IsSync0", 0, 1),
        one_of("MQDSRP-2.2.6.4-03", "Scope", 0, 1),
        given(
            "role",
            "MQDSRP-3.3.7.3-10",
            "Scope",
            Repeats(
                "Scope",
                lambda _, context: _SCOPES.get(context.role or ""),
                lambda context: f"because a {context.role} sent it",
            ),
            "0 from a BSC and 1 from a PSC",
        ),
    ),
    "SyncReplyHeader": (
        must_be("MQDSRP-2.2.5.3-01", "BaseReplicationHeader.Operation", 3),
        one_of("MQDSRP-2.2.5.3-02", "CompleteSync0", 0, 1, 2),
    ),
    "SyncReplyMessage": (
        count("MQDSRP-2.2.6.5-02", "SyncReplyHeader.Count", "DirectoryChanges"),
        _answer(
            "MQDSRP-3.2.7.3-05",
            "SyncReplyHeader.ToSeqNumber",
            "SyncRequestMessage",
            _range_end,
            "that of the request",
        ),
        _answer(
            "MQDSRP-3.2.7.3-19",
            "SyncReplyHeader.PartitionID",
            "SyncRequestMessage",
            lambda r, q: r.SyncReplyHeader.PartitionID == q.PartitionID,
            "that of the request",
        ),
        _answer(
            "MQDSRP-3.2.7.3-20",
            "SyncReplyHeader.FromSeqNumber",
            "SyncRequestMessage",
            lambda r, q: r.SyncReplyHeader.FromSeqNumber == q.FromSeqNumber,
            "that of the request",
        ),
        _answer(
            "MQDSRP-3.2.7.3-23",
            "SyncReplyHeader.CompleteSync0",
            "SyncRequestMessage",
            lambda r, q: bool(r.SyncReplyHeader.CompleteSync0) == bool(q.IsSync0),
            "0 unless the request has IsSync0",
        ),
        _answer(
            "MQDSRP-3.2.7.3-04",
            "SyncReplyHeader.PurgedSeqNumber",
            "SyncRequestMessage",
            lambda r, q: not _is_purged(r.SyncReplyHeader.PurgedSeqNumber, q),
            "at most FromSeqNumber or KnownPurgedSeqNumber of the request, because it was not refused",
        ),
    ),
    "SeqNumberHeader": (
        rule(
            "MQDSRP-2.2.5.4-01",
            "MachineName",
            "is absent",
            None,
            "absent while Count is 0",
            ("Count", "==", 0),
        ),
        count("MQDSRP-2.2.5.4-03", "Count", "PartitionSeqNumbers"),
    ),
    "BSCAckMessage": (
        must_be("MQDSRP-2.2.6.6-01", "BaseReplicationHeader.Operation", 7),
        identifies("MQDSRP-2.2.6.6-03", "BSCMachineID", "the BSC"),
        given(
            "sender",
            "MQDSRP-3.3.6.2-03",
            "BSCMachineID",
            lambda a, context: a.BSCMachineID == context.sender,
            "the BSC, which sent the message",
        ),
    ),
    "PSCAckMessage": (
        must_be("MQDSRP-2.2.6.7-01", "BaseReplicationHeader.Operation", 6),
        identifies("MQDSRP-2.2.6.7-03", "PSCSiteID", "the site of the PSC"),
    ),
    "AlreadyPurgedMessage": (
        must_be("MQDSRP-2.2.6.8-01", "BaseReplicationHeader.Operation", 5),
        _answer(
            "MQDSRP-3.2.7.3-04",
            "PurgedSeqNumber",
            "SyncRequestMessage",
            lambda r, q: _is_purged(r.PurgedSeqNumber, q),
            "above FromSeqNumber and KnownPurgedSeqNumber of the request, because it was refused",
        ),
        _answer(
            "MQDSRP-3.2.7.7-04",
            "PartitionID",
            "SyncRequestMessage",
            lambda r, q: r.PartitionID == q.PartitionID,
            "that of the request",
        ),
    ),
    "ChangePropagationMessage": (
        must_be("MQDSRP-2.2.6.9-01", "BaseReplicationHeader.Operation", 0),
        one_of("MQDSRP-2.2.6.9-02", "Flush", 0, 1),
        count("MQDSRP-2.2.6.9-05", "Count", "DirectoryChanges"),
    ),
}
