"""[MS-MQQB] 3.1.5.8.9 and 3.1.7.1.7: reports, which inform an application of the route of a traced message.

1. A report is a message of the class MQMSG_CLASS_REPORT, which only queue managers send.
2. The errata decide ambiguous statements: the label and the next hop of a report Q31.
3. The computer in a label and the first digits are those of the message that was traced.  Hops are those of a
   message, at most 0x1D, and the same in the label and the body.
4. Of a report that does not go to a public queue, no other fault is reported; of a directory message with the
   class of a report, only the class is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from msmq_wire.names.format_names import DirectName, PrivateName, PublicName, is_allowed
from msmq_wire.names.grammar import is_ip_address
from msmq_wire.packets.carriers import queue_of
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import EncodeError
from msmq_wire.values.guid import GUID

from .vocabulary import Rule, asked, fits, given, rule

if TYPE_CHECKING:
    from msmq_wire.names.format_names import FormatName

    from .vocabulary import Context

_PUBLIC = 5
_IS_REPORT: Final = (
    "MessagePropertiesHeader.MessageClass",
    "==",
    int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT),
)
_IS_SENT_AS_REPORT: Final = (_IS_REPORT, ("UserHeader.Flags.DQ", "==", _PUBLIC))
_HOPS: Final = "(?P<hops>0[0-9A-F]|1[0-9A-D])"
"""A count of hops: the range of UserHeader.Flags.RC, [MS-MQMQ] 2.2.19.2."""
_LABEL: Final = re.compile(
    rf"(?P<start>[0-9A-F]{{4}}):(?P<number>[0-9A-F]{{8}}):{_HOPS} received by "
    r"(?P<computer>[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}) at "
    r"\d\d:\d\d(?::\d\d)? (?:AM|PM) (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), ?"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d \d\d\0",
    re.IGNORECASE | re.ASCII,
)
_BODY: Final = re.compile(
    r"<MESSAGE ID>(?P<number>[0-9A-F]{8})</MESSAGE ID>\r\n"
    r"<TARGET QUEUE>(?P<queue>[^\r\n]*)</TARGET QUEUE>\r\n"
    rf"(?:<NEXT HOP>(?P<hop>[0-9A-F.:]*)</NEXT HOP>\r\n<HOP COUNT>{_HOPS} ?</HOP COUNT>\r\n)?\0?",
    re.IGNORECASE | re.ASCII,
)
_FORMS: Final = (DirectName, PublicName, PrivateName)
"""The names that a queue of a message can have."""
_LONGEST: Final = 4096
"""Bytes of the longest body that is read as a report; the names of queues are shorter."""


def _label(message: Any) -> re.Match[str] | None:
    """Return the parts of a label, or None; its first digits are those of the computer in it."""
    match = _LABEL.fullmatch(message.MessagePropertiesHeader.Label)
    same = match is not None and match["computer"].upper().startswith(match["start"].upper())
    return match if same else None


def message_in_label(report: Any) -> tuple[GUID, int] | None:
    """Return the queue manager and the number of the message that the label of a report names; or None."""
    label = _label(report)
    return None if label is None else (GUID.of(label["computer"]), int(label["number"], 16))


def _body(message: Any) -> re.Match[str] | None:
    """Return the parts of a body, or None; a queue or a next hop without a name has an empty text."""
    body = message.MessagePropertiesHeader.MessageBody
    if len(body) > _LONGEST or len(body) % 2:
        return None
    match = _BODY.fullmatch(body.decode("utf-16-le", "surrogatepass"))
    if match is None or (match["hop"] and not is_ip_address(match["hop"])):
        return None
    return match if not match["queue"] or _queue(match["queue"]) is not None else None


def _queue(text: str) -> FormatName | None:
    """Return the format name of a queue that messages can have as their destination; None for other texts."""
    for form in _FORMS:
        try:
            name = form.parse(text)
        except EncodeError:
            continue
        return name if is_allowed(name, sdk=True) else None
    return None


def _names_one_message(message: Any) -> bool:
    """Return whether label and body have one number and one count of hops, if the body has a count.

    Other rules report texts of other forms.
    """
    label, body = _label(message), _body(message)
    if label is None or body is None:
        return True
    hops = body["hops"] or label["hops"]
    return (label["number"].upper(), label["hops"].upper()) == (body["number"].upper(), hops.upper())


def _reported(message: Any, context: Context) -> Any:
    """Return the message that a report is about, if the context has it."""
    number = message.MessagePropertiesHeader.MessageClass
    return asked(context, "UserMessage") if number == MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT else None


def _goes_where_asked(message: Any, context: Context) -> bool:
    traced = _reported(message, context)
    if traced is None or traced.DebugHeader is None:
        return True
    queue = getattr(message.UserHeader.DestinationQueue, "PublicQueueIdentifier", None)
    return bool(queue == traced.DebugHeader.QueueIdentifier)


def _is_about(message: Any, context: Context) -> bool:
    traced = _reported(message, context)
    named = None if traced is None else message_in_label(message)
    return named is None or named == (traced.UserHeader.SourceQueueManager, traced.UserHeader.MessageID)


def _has_its_queue(message: Any, context: Context) -> bool:
    traced = _reported(message, context)
    body = None if traced is None else _body(message)
    if body is None:
        return True
    try:
        queue = traced.UserHeader.destination
    except EncodeError:  # the message has a text that is no name
        return True
    return str(_queue(body["queue"])).upper() == str(queue).upper()


RULES: dict[str, tuple[Rule, ...]] = {
    "UserMessage": (
        fits(
            "MQQB-3.1.5.8.9-01",
            "UserHeader.Flags.DQ",
            lambda m: m.UserHeader.Flags.DQ == _PUBLIC or queue_of(m) is not None,
            f"{_PUBLIC}, a public queue, because it is a report",
            _IS_REPORT,
        ),
        rule(
            "MQQB-3.1.5.8.9-02",
            "UserHeader.Flags.DM",
            "==",
            0,
            "0, because a report is express",
            *_IS_SENT_AS_REPORT,
        ),
        fits(
            "MQQB-3.1.5.8.9-03",
            "MessagePropertiesHeader.Label",
            _label,
            "a text with number, hops, sender and time of the message reported, as in [MS-MQQB] 3.1.5.8.9",
            *_IS_SENT_AS_REPORT,
        ),
        fits(
            "MQQB-3.1.5.8.9-04",
            "MessagePropertiesHeader.MessageBody",
            _body,
            "a text with MESSAGE ID and TARGET QUEUE, a format name, as in [MS-MQQB] 3.1.5.8.9",
            *_IS_SENT_AS_REPORT,
        ),
        fits(
            "MQQB-3.1.5.8.9-05",
            "MessagePropertiesHeader.MessageBody",
            _names_one_message,
            "with the number and the hops that the label has",
            *_IS_SENT_AS_REPORT,
        ),
        given(
            "request",
            "MQQB-3.1.5.8.9-06",
            "UserHeader.DestinationQueue",
            _goes_where_asked,
            "QueueIdentifier of the DebugHeader of the message reported",
        ),
        given(
            "request",
            "MQQB-3.1.5.8.9-07",
            "MessagePropertiesHeader.Label",
            _is_about,
            "SourceQueueManager and MessageID of the message reported",
        ),
        given(
            "request",
            "MQQB-3.1.5.8.9-08",
            "MessagePropertiesHeader.MessageBody",
            _has_its_queue,
            "with the name of DestinationQueue of the message reported",
        ),
    ),
}
