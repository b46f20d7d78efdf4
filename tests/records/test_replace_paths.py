"""`replace` with paths: what is named is kept, and everything that depends on another field is recomputed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import msmq_wire as mw
from msmq_wire import mqdsrp, mqmq, mqqb, rpc
from msmq_wire import testing as mt

RECEIVER = mw.GUID(bytes(range(16)))
MESSAGE = mqmq.UserMessage.of(Label="label", MessageBody=b"body", DestinationQueue="DIRECT=OS:server\\queue")
PACKETS: tuple[Any, ...] = (
    mqmq.UserMessage,
    mqqb.EstablishConnection,
    mqqb.ConnectionParameters,
    mqqb.OrderAck,
    mqqb.FinalAck,
    mqqb.SessionAck,
)


def test_packets_are_right_by_default() -> None:
    """Built without an argument, or with `of`, each decodes as itself and violates nothing.

    No default can name the queue manager that an OrderAck or a FinalAck is for.
    """
    unaddressed = (mqqb.OrderAck, mqqb.FinalAck)
    problems = []
    for kind in PACKETS:
        packet = kind()
        broken = [violation.requirement for violation in mw.validate(packet, "should")]
        if (
            packet != kind.of()
            or type(mw.decode(packet.encode())) is not kind
            or broken != (["MQMQ-2.2.19.2-03"] if kind in unaddressed else [])
        ):
            problems.append((kind.__name__, mw.decode(packet.encode()), broken))
    assert problems == []


@pytest.mark.parametrize("kind", [mqqb.OrderAck, mqqb.FinalAck])
def test_acknowledgments_to_a_queue_manager(kind: Any) -> None:
    assert mw.validate(kind.of(QueueManagerAddress=RECEIVER), "should") == ()


def test_acknowledgments_of_other_messages() -> None:
    body = mqqb.OrderAckBody(TxSequenceNumber=9)
    packet = mqqb.OrderAck.of(QueueManagerAddress=RECEIVER, MessageID=5, MessageBody=body.encode())
    assert type(mw.decode(packet.encode())) is mqqb.OrderAck
    assert packet.UserHeader.MessageID == 5
    assert mw.validate(packet) == ()


def test_a_field_in_a_header_leaves_the_size_right() -> None:
    packet = mw.replace(
        MESSAGE, {"BaseHeader.TimeToReachQueue": 60}, TransactionHeader=mqmq.TransactionHeader()
    )
    assert packet.BaseHeader.TimeToReachQueue == 60
    assert packet.BaseHeader.PacketSize == len(packet.encode())
    assert packet.UserHeader.Flags.TH == 1
    assert mw.decode(packet.encode()) == packet


def test_what_is_named_is_kept() -> None:
    packet = mw.replace(
        MESSAGE,
        {
            "BaseHeader.PacketSize": 5,
            "UserHeader.Flags.TH": 1,
            "MessagePropertiesHeader.MessageSize": 9,
            "MessagePropertiesHeader.Label": "a longer label\0",
        },
    )
    properties = packet.MessagePropertiesHeader
    assert (packet.BaseHeader.PacketSize, packet.UserHeader.Flags.TH) == (5, 1)
    assert (properties.MessageSize, properties.LabelLength) == (9, len("a longer label\0"))
    assert packet.TransactionHeader is None


def test_elements_and_forms() -> None:
    message = mqdsrp.ChangePropagationMessage(
        DirectoryChanges=[mqdsrp.DirectoryChange(PathName=name) for name in "ab"]
    )
    changed = mw.replace(message, {"DirectoryChanges[1].PathName": "other"})
    assert [change.PathName for change in changed.DirectoryChanges] == ["a", "other"]
    named = mw.replace(MESSAGE, {"UserHeader.DestinationQueue.DirectFormatName": "OS:a\\longer\\name\0"})
    assert mw.decode(named.encode()) == named


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"BaseHeadr.PacketSize": 1}, r"no such field; did you mean BaseHeader\?"),
        ({"BaseHeader.PacketSiz": 1}, r"no such field; did you mean PacketSize\?"),
        ({"BaseHeader.Flags.QQ": 1}, "no such field"),
        ({"UserHeader.Flags.DQ": 99}, "expected 0 to 7, got 99"),
        ({"BaseHeader.PacketSize.low": 1}, "has no parts"),
        ({"UserHeader.AdminQueue.Count": 1}, "is absent, and may have several forms"),
        (
            {"BaseHeader[0]": 1},
            r"is no element, because BaseHeader is no array - at `UserMessage.BaseHeader\[0\]`",
        ),
        ({"BaseHeader.Flags[PR]": 1}, "is no element, because Flags is no array"),
        ({"BaseHeader..PacketSize": 1}, "has a part without a name"),
        ({"": 1}, "has a part without a name"),
    ],
)
def test_paths_that_lead_nowhere(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(mw.EncodeError, match=sentence):
        mw.replace(MESSAGE, changes)


def test_paths_as_errors_and_violations_have_them() -> None:
    """They begin with the name of the record."""
    expected = mw.replace(MESSAGE, {"BaseHeader.TimeToReachQueue": 5})
    assert mw.replace(MESSAGE, {"UserMessage.BaseHeader.TimeToReachQueue": 5}) == expected
    for path in ("UserMessage.UserMessage.BaseHeader.PacketSize", "BaseHeader.BaseHeader.PacketSize"):
        with pytest.raises(mw.EncodeError, match="no such field"):
            mw.replace(MESSAGE, {path: 5})
    twice = dict.fromkeys(("BaseHeader.PacketSize", "UserMessage.BaseHeader.PacketSize"), 5)
    with pytest.raises(mw.EncodeError, match=r"is given twice - at `UserMessage.BaseHeader.PacketSize`"):
        mw.replace(MESSAGE, twice)
    section = mw.replace(rpc.SectionBuffer(pSectionBuffer=b"ab"), {"SectionBuffer.pSectionBuffer": b"a"})
    assert section.pSectionBuffer == b"a"


def test_elements_that_are_not_there() -> None:
    message = mqdsrp.ChangePropagationMessage()
    with pytest.raises(mw.EncodeError, match="is no element"):
        mw.replace(message, {"DirectoryChanges[0].PathName": "a"})
    with pytest.raises(mw.MsmqWireError, match="a mapping of fields to values"):
        mw.replace(message, 5)  # type: ignore[call-overload]  # it is the error


@given(mt.user_messages(), st.integers(0, 0xFFFFFFFF))
def test_a_path_changes_one_field_of_any_message(packet: mqmq.UserMessage, number: int) -> None:
    """The same as a new header with that field, as nothing depends on it."""
    header = mw.replace(packet.UserHeader, MessageID=number)
    assert mw.replace(packet, {"UserHeader.MessageID": number}) == mw.replace(packet, UserHeader=header)


@given(mt.user_messages())
def test_no_change_changes_nothing(packet: mqmq.UserMessage) -> None:
    assert mw.replace(packet, {"BaseHeader.TimeToReachQueue": packet.BaseHeader.TimeToReachQueue}) == packet
