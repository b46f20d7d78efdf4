"""Reports of traced messages: texts by the grammar of [MS-MQQB] 3.1.5.8.9 and 3.1.7.1.7."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support_talk import CLIENT, QUEUE, SERVER, START, Talk

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.machines.session.reports import report_of_arrival, report_of_sending
from msmq_wire.session import Elsewhere, Message, Received

REPORTS = "11111111-2222-3333-4444-555555555555"
LABEL = re.compile(
    r"[0-9A-Fa-f]{4}:[0-9A-F]{8}:[0-9A-F]{2} received by "
    r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12} at "
    r"\d\d:\d\d:\d\d (AM|PM) (Mon|Tue|Wed|Thu|Fri|Sat|Sun),"
    r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d \d\d"
)


def reports(talk: Talk, way: Any) -> list[Message]:
    found = [event.content for event in talk.events[way] if isinstance(event, Elsewhere)]
    return [content for content in found if isinstance(content, Message)]


def text(message: Message) -> str:
    return message.body.decode("utf-16-le")


def test_both_sides_report_a_traced_message() -> None:
    talk = Talk(remote=SERVER, address="10.0.0.1").opened()
    talk.send(Message(QUEUE, b"x", trace=REPORTS))
    talk.settle()
    (sent,) = reports(talk, "->")
    (came,) = reports(talk, "<-")
    assert sent.destination == came.destination == f"PUBLIC={REPORTS}"
    assert sent.message_class == came.message_class == mqmq.MESSAGE_CLASS_VALUES.MQMSG_CLASS_REPORT
    assert not sent.is_stored
    assert LABEL.fullmatch(sent.label)
    assert LABEL.fullmatch(came.label)
    assert came.label.startswith(
        f"{str(CLIENT)[:4]}:00000001:00 received by {CLIENT} at 22:13:20 PM Tue,Nov 14 23"
    )
    target = f"<MESSAGE ID>00000001</MESSAGE ID>\r\n<TARGET QUEUE>{QUEUE}</TARGET QUEUE>\r\n"
    assert text(came) == target
    assert text(sent) == f"{target}<NEXT HOP>10.0.0.1</NEXT HOP>\r\n<HOP COUNT>00 </HOP COUNT>\r\n"
    (received,) = (event for event in talk.events["<-"] if isinstance(event, Received))
    assert received.trace == mw.GUID.of(REPORTS)
    assert not talk.findings


def test_a_report_can_be_sent() -> None:
    talk = Talk().opened()
    talk.send(Message(QUEUE, trace=REPORTS))
    talk.settle()
    (report,) = reports(talk, "->")
    other = Talk().opened()
    other.send(report)
    other.settle()
    (packet,) = (event.message for event in other.events["<-"] if isinstance(event, Received))
    assert packet.MessagePropertiesHeader.MessageClass == 1
    assert not mw.validate(packet)


def test_a_message_that_is_sent_again_is_reported_again() -> None:
    talk = Talk().opened()
    talk.send(Message(QUEUE, recoverable=True, trace=REPORTS))
    talk.cut()
    talk.settle()
    assert len(reports(talk, "->")) == 2
    assert len(reports(talk, "<-")) == 1


def test_who_passes_a_message_on_reports_it() -> None:
    talk = Talk().opened()
    third = mw.GUID(bytes([3]) * 16)
    talk.send(Message(f"PRIVATE={third}\\00000007", trace=REPORTS))
    talk.settle()
    (report,) = reports(talk, "<-")
    assert f"PRIVATE={third}" in text(report).upper().replace(str(third).upper(), str(third))
    (event,) = (event for event in talk.events["<-"] if isinstance(event, Received))
    assert event.action == "forward"


@pytest.mark.parametrize("bend", [{"TR": 0}, {}])
def test_what_is_not_traced_is_not_reported(bend: dict[str, int]) -> None:
    message = Message(QUEUE, trace=REPORTS if bend else "")
    talk = Talk()
    packet = talk.managers["->"].shapes.packet(message, SERVER, 1, 1)
    flags = packet.BaseHeader.Flags.replace(**bend)
    packet = mw.replace(packet, BaseHeader=mw.replace(packet.BaseHeader, Flags=flags))
    assert report_of_arrival(packet, START) is None
    assert report_of_sending(packet, START, "") is None


@pytest.mark.parametrize("now", [-1.0, 0.0, 1e300])
def test_any_moment_has_a_text(now: float) -> None:
    packet = Talk().managers["->"].shapes.packet(Message(QUEUE, trace=REPORTS), SERVER, 1, 1)
    report = report_of_arrival(packet, now)
    assert report is not None
    assert LABEL.fullmatch(report.label)


def test_a_name_that_is_none_leaves_the_text_empty() -> None:
    packet = Talk().managers["->"].shapes.packet(Message(QUEUE, trace=REPORTS), SERVER, 1, 1)
    for queue in (mqmq.DirectQueueFormatName(DirectFormatName="nonsense\0"), None):
        header = mw.replace(packet.UserHeader, DestinationQueue=queue)
        report = report_of_arrival(mw.replace(packet, UserHeader=header), START)
        assert report is not None
        assert "<TARGET QUEUE></TARGET QUEUE>" in text(report)


def test_the_queue_of_reports_is_a_guid() -> None:
    with pytest.raises(mw.EncodeError):
        Talk().client.send(Message(QUEUE, trace="nonsense"), START)


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (0, "00:00:00 AM Thu,Jan 01 70"),
        (43_199, "11:59:59 AM Thu,Jan 01 70"),
        (43_200, "12:00:00 PM Thu,Jan 01 70"),
        (0xFFFFFFFF, "06:28:15 AM Sun,Feb 07 06"),
        (-1.0, "00:00:00 AM Thu,Jan 01 70"),
        (1e300, "06:28:15 AM Sun,Feb 07 06"),
    ],
)
def test_times_of_reports(now: float, told: str) -> None:
    """From the first second of 1970 to the last one that 32 bits hold, which stands for all after it."""
    packet = mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(TR=1)),
        DebugHeader=mqmq.DebugHeader(QueueIdentifier=mw.GUID.of(REPORTS)),
    )
    report = report_of_arrival(packet, now)
    assert report is not None
    assert report.label.endswith(f" at {told}")
