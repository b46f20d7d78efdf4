"""[MS-MQQB] 3.1.5.8.9 and 3.1.7.1.7: reports, which inform an application of the route of a traced message.

1. A report is a message of the class MQMSG_CLASS_REPORT, which only queue managers send.
2. The errata decide ambiguous statements: the label of a report Q31.
3. The computer in a label and the first digits are those of the message that was traced.
4. Of a report that does not go to a public queue, no other fault is reported; of a directory message with the
   class of a report, only the class is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from msmq_wire.packets.carriers import queue_of
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES

from .vocabulary import Rule, asked, fits, given, rule

if TYPE_CHECKING:
    from .vocabulary import Context

__all__ = ["RULES"]

_PUBLIC = 5
_HEADER = "MessagePropertiesHeader"
_IS_REPORT: Final = (f"{_HEADER}.MessageClass", "==", int(MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT))
_IS_SENT_AS_REPORT: Final = (_IS_REPORT, ("UserHeader.Flags.DQ", "==", _PUBLIC))
_LABEL: Final = re.compile(
    r"(?P<start>[0-9A-F]{4}):(?P<number>[0-9A-F]{8}):[0-9A-F]{2} received by "
    r"(?P<computer>[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}) at "
    r"\d\d:\d\d(?::\d\d)? (?:AM|PM) (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), ?"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d \d\d\0",
    re.IGNORECASE | re.ASCII,
)
_BODY: Final = re.compile(
    r"<MESSAGE ID>(?P<number>[0-9A-F]{8})</MESSAGE ID>\r\n<TARGET QUEUE>[^<]*</TARGET QUEUE>\r\n"
    r"(?:<NEXT HOP>[0-9A-F.:]*</NEXT HOP>\r\n<HOP COUNT>[0-9A-F]{2} ?</HOP COUNT>\r\n)?\0?",
    re.IGNORECASE | re.ASCII,
)
_LONGEST: Final = 4096
"""Bytes of the longest body that is read as a report; the names of queues are shorter."""


def _label(message: Any) -> re.Match[str] | None:
    """Return the parts of a label, or None; its first digits are those of the computer in it."""
    match = _LABEL.fullmatch(message.MessagePropertiesHeader.Label)
    same = match is not None and match["computer"].upper().startswith(match["start"].upper())
    return match if same else None


def _body(message: Any) -> re.Match[str] | None:
    body = message.MessagePropertiesHeader.MessageBody
    if len(body) > _LONGEST or len(body) % 2:
        return None
    return _BODY.fullmatch(body.decode("utf-16-le", "surrogatepass"))


def _names_one_message(message: Any) -> bool:
    """Return whether label and body have one number; other rules report texts of other forms."""
    label, body = _label(message), _body(message)
    return label is None or body is None or label["number"].upper() == body["number"].upper()


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
    traced, label = _reported(message, context), _label(message)
    if traced is None or label is None:
        return True
    header = traced.UserHeader
    computer, number = str(header.SourceQueueManager).upper(), int(label["number"], 16)
    return label["computer"].upper() == computer and number == header.MessageID


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
            f"{_HEADER}.Label",
            _label,
            "a text with number, hops, sender and time of the message reported, as in [MS-MQQB] 3.1.5.8.9",
            *_IS_SENT_AS_REPORT,
        ),
        fits(
            "MQQB-3.1.5.8.9-04",
            f"{_HEADER}.MessageBody",
            _body,
            "a text with MESSAGE ID and TARGET QUEUE, as in [MS-MQQB] 3.1.5.8.9",
            *_IS_SENT_AS_REPORT,
        ),
        fits(
            "MQQB-3.1.5.8.9-05",
            f"{_HEADER}.MessageBody",
            _names_one_message,
            "with the number that the label has",
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
            f"{_HEADER}.Label",
            _is_about,
            "SourceQueueManager and MessageID of the message reported",
        ),
    ),
}
