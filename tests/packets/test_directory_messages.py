"""Directory messages inside messages: what is found, what is not, and what a sender has to say."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from hypothesis import given
from support_directory import messages, notifications
from support_rows import for_each

import msmq_wire as mw
from msmq_wire import GUID, DecodeError, EncodeError, mqcn, mqdsrp, mqmq
from msmq_wire.names.format_names import DirectName, PrivateName
from msmq_wire.packets.carriers import DirectoryQueue
from msmq_wire.testing.strategies.directory import signed

SENDER = GUID.of("00112233-4455-6677-8899-aabbccddeeff")
# A GUID that looks like a SID with two authorities.
LIKE_A_SID = GUID(b"\1\2" + bytes(14))
HOST = GUID(bytes(range(16)))
MD5, SHA_1, SHA_512 = 0x8003, 0x8004, 0x800E
REPLICATION, NOTIFICATION = 1, 3

change = mqdsrp.DirectoryChange(PathName="m\\q", PropertyID=[105], PropertyValue=[1])
BODY = mqcn.NotificationBody.of(1, SENDER, "dc")
TEXT = mqcn.ChangeNotificationMessage(Data=BODY)
UPDATES = mqcn.ChangeNotificationMessage(
    Data=mqcn.NotificationUpdates(Updates=[mqcn.NotificationUpdate(PathName="m\\q")])
)
ACK = mqdsrp.BSCAckMessage(
    BaseReplicationHeader=mqdsrp.BaseReplicationHeader(SiteID=SENDER), BSCMachineID=SENDER, BSCName="b"
)

# Message, timeout in seconds, priority, whether failures are reported: from the events that send them.
PRESCRIBED = [
    (mqdsrp.ChangePropagationMessage(DirectoryChanges=[change]), 1200, 3, False),
    (mqdsrp.ChangeRequestMessage(DirectoryChange=change), 10, 7, True),
    (mqdsrp.SyncRequestMessage(), 1200, 3, True),
    (mqdsrp.SyncReplyMessage(DirectoryChanges=[change]), 1200, 3, False),
    (mqdsrp.ChangeReplyMessage(), 10, 7, True),
    (mqdsrp.AlreadyPurgedMessage(), 1200, 3, False),
    (mqdsrp.PSCAckMessage(), 1200, 3, True),
    (ACK, 1200, 3, True),
]


def carrier(queue: Any, body: bytes, number: int = 0, **parts: Any) -> Any:
    """A message to a queue."""
    return mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue=queue),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageClass=number, MessageBody=body),
        **parts,
    )


# ------------------------------------------------------------------------------------------- builders


@for_each(("message", "timeout", "priority", "reported"), lambda: PRESCRIBED)
@pytest.mark.parametrize("sender", [SENDER, LIKE_A_SID])
def test_replication(message: Any, timeout: int, priority: int, reported: bool, sender: GUID) -> None:
    made = mqdsrp.wrap(message, "machine", sender, message_id=5, sent_time=6)
    properties = made.MessagePropertiesHeader
    assert made.BaseHeader.TimeToReachQueue == made.UserHeader.TimeToBeReceived == timeout
    assert priority == made.BaseHeader.Flags.PR
    assert made.UserHeader.Flags.DM == 0
    assert (made.UserHeader.MessageID, made.UserHeader.SentTime) == (5, 6)
    assert made.UserHeader.SourceQueueManager == sender
    assert made.UserHeader.destination == DirectName.parse("DIRECT=OS:machine\\private$\\mqis_queue$")
    replies = PrivateName(sender, REPLICATION) if reported else None
    assert made.UserHeader.admin_queue == made.UserHeader.response_queue == replies
    assert properties.MessageClass == 0
    assert properties.Flags.to_dict() == {"PA": 0, "PR": 0, "NA": int(reported), "NR": 0, "X": 0}
    assert properties.HashAlgorithm == MD5
    assert properties.MessageBody == mqdsrp.encode(message)
    assert properties.Label == ""
    assert made.SecurityHeader is not None
    assert made.SecurityHeader.Flags.ST == 2
    assert made.SecurityHeader.sender == sender
    assert made.directory_message == message
    assert mw.decode(mw.encode(made)) == made


def test_replication_again() -> None:
    made = mqdsrp.wrap(PRESCRIBED[0][0], "machine", SENDER, again=True)
    assert made.BaseHeader.TimeToReachQueue == made.UserHeader.TimeToBeReceived == 10
    assert made.BaseHeader.Flags.PR == 3
    assert made.MessagePropertiesHeader.Flags.NA == 1
    assert made.UserHeader.admin_queue == PrivateName(SENDER, REPLICATION)


@pytest.mark.parametrize("message", [TEXT, UPDATES])
@pytest.mark.parametrize(
    ("version", "algorithm"), [(1, MD5), (2, MD5), (3, SHA_1), (4, SHA_1), (5, SHA_512), (6, SHA_512)]
)
def test_notification(message: Any, version: int, algorithm: int) -> None:
    made = mqcn.wrap(message, HOST, LIKE_A_SID, msmq_version=version, message_id=5, sent_time=6)
    properties = made.MessagePropertiesHeader
    assert made.BaseHeader.TimeToReachQueue == 300
    assert made.UserHeader.TimeToBeReceived == 0xFFFFFFFF
    assert made.BaseHeader.Flags.PR == 3
    assert made.UserHeader.Flags.DM == 0
    assert (made.UserHeader.MessageID, made.UserHeader.SentTime) == (5, 6)
    assert made.UserHeader.destination == PrivateName(HOST, NOTIFICATION)
    assert made.UserHeader.Flags.DQ == 3
    assert made.UserHeader.admin_queue is made.UserHeader.response_queue is None
    assert properties.MessageClass == 0
    assert properties.HashAlgorithm == algorithm
    assert properties.MessageBody == mqcn.encode(message) + b"\0"
    found: Any = made.directory_message
    assert mw.replace(found, Data=message.Data) == message
    assert found.Data.Unused == b"\0"
    if message is UPDATES:
        assert made.SecurityHeader is not None
        assert made.SecurityHeader.sender == LIKE_A_SID
    else:
        assert made.SecurityHeader is None
    assert mw.decode(mw.encode(made)) == made
    assert mqcn.wrap(found, HOST, SENDER).MessagePropertiesHeader.MessageBody == properties.MessageBody


def test_notification_takes_the_newest_algorithm() -> None:
    assert mqcn.wrap(TEXT, str(HOST), str(SENDER)).MessagePropertiesHeader.HashAlgorithm == SHA_512


@pytest.mark.parametrize("version", [0, 7, None])
def test_versions_of_msmq(version: Any) -> None:
    with pytest.raises(EncodeError, match="expected a version of MSMQ, got"):
        mqcn.wrap(TEXT, HOST, SENDER, msmq_version=version)


@pytest.mark.parametrize("machine", ["x", "x" * 256, "!", "[", "]", "~", "dc-1.example.com"])
def test_machines_that_have_a_name(machine: str) -> None:
    """[MC-MQDSRP] 3.1.1.2.1: 1 to 256 visible characters; a backslash would begin the name of the queue."""
    made = mqdsrp.wrap(ACK, machine, SENDER)
    queue: Any = made.UserHeader.DestinationQueue
    assert queue.DirectFormatName == f"OS:{machine}\\private$\\mqis_queue$\0"
    assert made.UserHeader.QueueManagerAddress == GUID(bytes(16))
    assert mqdsrp.wrap(ACK, HOST, SENDER).UserHeader.QueueManagerAddress == HOST


@pytest.mark.parametrize("machine", ["", "a\\b", "a\0b", "a b", "x" * 257, None])
@pytest.mark.parametrize(("wrap", "message"), [(mqdsrp.wrap, ACK), (mqcn.wrap, TEXT)])
def test_machines_that_are_none(wrap: Any, message: Any, machine: Any) -> None:
    with pytest.raises(EncodeError, match="expected a GUID or the name of a machine, got") as caught:
        wrap(message, machine, SENDER)
    assert caught.value.path == "UserMessage.UserHeader.DestinationQueue"


@pytest.mark.parametrize(
    ("wrap", "message", "number", "path"),
    [
        (mqdsrp.wrap, ACK, REPLICATION, "\\private$\\mqis_queue$"),
        (mqcn.wrap, TEXT, NOTIFICATION, "\\private$\\notify_queue$"),
    ],
)
def test_destinations(wrap: Any, message: Any, number: int, path: str) -> None:
    by_name = wrap(message, "machine", SENDER)
    assert by_name.UserHeader.destination == DirectName.parse(f"DIRECT=OS:machine{path}")
    for destination in (HOST, HOST.uuid, str(HOST), f"{{{HOST}}}".upper()):
        made = wrap(message, destination, SENDER)
        assert made.UserHeader.destination == PrivateName(HOST, number)
        assert mw.replace(made, UserHeader=by_name.UserHeader) == by_name
        assert made.directory_message == by_name.directory_message
        named = {"MQDSRP-3.1.7.2.1-17"} if wrap is mqdsrp.wrap else set()  # its page knows machines only
        assert {found.requirement for found in mw.validate(signed(made))} == named


def test_both_wraps_take_the_same() -> None:
    """What only one document has is named: a message sent again, the version of MSMQ."""
    known: list[dict[str, Any]] = []
    for wrap, own in ((mqdsrp.wrap, "again"), (mqcn.wrap, "msmq_version")):
        parameters = dict(inspect.signature(wrap).parameters)
        assert parameters.pop(own).kind is inspect.Parameter.KEYWORD_ONLY
        known.append({name: (item.kind, item.default) for name, item in parameters.items()})
        assert list(known[-1]) == ["message", "destination", "queue_manager", "message_id", "sent_time"]
        assert parameters["destination"].annotation == "GUID | uuid.UUID | str"
    assert known[0] == known[1]


@pytest.mark.parametrize("value", [TEXT, change, None])
def test_wrap_takes_messages_only(value: Any) -> None:
    with pytest.raises(EncodeError, match="expected a replication message, got"):
        mqdsrp.wrap(value, "machine", SENDER)
    with pytest.raises(EncodeError, match="expected a change notification, got"):
        mqcn.wrap(ACK, HOST, SENDER)  # type: ignore[arg-type]  # what a caller might do
    with pytest.raises(EncodeError):
        mqdsrp.wrap(ACK, "machine", "no GUID")


@given(messages())
def test_wrapped_replication_is_found(message: Any) -> None:
    made = mqdsrp.wrap(message, "machine", SENDER)
    read: Any = mw.decode(made.encode())
    assert read.directory_message == message


@given(notifications())
def test_wrapped_notification_is_found(message: Any) -> None:
    read: Any = mw.decode(mqcn.wrap(message, HOST, SENDER).encode())
    found = read.directory_message
    assert mqcn.encode(found).startswith(mqcn.encode(message))
    assert found.Data.Unused


# -------------------------------------------------------------------------------------------- reading


def test_queues() -> None:
    assert [queue.number for queue in DirectoryQueue] == [REPLICATION, NOTIFICATION]
    assert DirectoryQueue.REPLICATION.path == "\\private$\\mqis_queue$"


@pytest.mark.parametrize(
    "queue",
    [
        mqmq.PrivateQueueFormatNameId(REPLICATION),
        mqmq.DirectQueueFormatName(DirectFormatName="OS:machine\\PRIVATE$\\MQIS_queue$"),
        mqmq.DirectQueueFormatName(DirectFormatName="TCP:1.2.3.4\\private$\\mqis_queue$\0"),
    ],
)
def test_replication_queue(queue: Any) -> None:
    body = mqdsrp.encode(ACK)
    assert carrier(queue, body).directory_message == ACK
    assert carrier(queue, body, 0x8006).directory_message == ACK
    assert carrier(queue, body, 0x8000).directory_message == ACK
    assert carrier(queue, body, 0xC003).directory_message == ACK  # the last one (errata D62)
    for number in (1, 2, 0x4000, 0x7FFF, 0xC004):
        assert carrier(queue, body, number).directory_message is None
    assert carrier(queue, b"").directory_message is None
    assert carrier(queue, b"", 0x8006).directory_message is None


@pytest.mark.parametrize(
    "queue",
    [
        mqmq.PrivateQueueFormatNameId(NOTIFICATION),
        mqmq.DirectQueueFormatName(DirectFormatName="OS:machine\\private$\\notify_queue$"),
    ],
)
def test_notification_queue(queue: Any) -> None:
    body = mqcn.encode(TEXT)
    assert carrier(queue, body).directory_message == TEXT
    assert carrier(queue, body, 0x8006).directory_message is None
    with pytest.raises(DecodeError):
        _ = carrier(queue, b"").directory_message


@pytest.mark.parametrize(
    "queue",
    [
        mqmq.PrivateQueueFormatNameId(2),
        mqmq.PublicQueueFormatName(SENDER),
        mqmq.DirectQueueFormatName(DirectFormatName="OS:machine\\mqis_queue$"),
        mqmq.DirectQueueFormatName(DirectFormatName="OS:machine\\private$\\mqis_queue$;journal"),
        mqmq.DirectQueueFormatName(DirectFormatName="OS:machine\\private$\\order_queue$"),
        None,
    ],
)
def test_other_queues(queue: Any) -> None:
    assert carrier(queue, mqdsrp.encode(ACK)).directory_message is None


@pytest.mark.parametrize(
    ("number", "path"),
    [(REPLICATION, "BaseReplicationHeader.Version"), (NOTIFICATION, "ChangeNotificationMessage.Version")],
)
def test_bodies_that_cannot_be_read(number: int, path: str) -> None:
    body = b"" if number == NOTIFICATION else b"\0"
    with pytest.raises(DecodeError) as caught:
        _ = carrier(mqmq.PrivateQueueFormatNameId(number), body).directory_message
    assert caught.value.path in {path, "BaseReplicationHeader.SiteID"}


def test_encrypted_bodies() -> None:
    secret = mqmq.SecurityHeader(
        Flags=mqmq.SecurityHeaderFlags(EB=1), SecurityData=mqmq.SecurityData(EncryptionKey=b"key")
    )
    message = carrier(mqmq.PrivateQueueFormatNameId(REPLICATION), mqdsrp.encode(ACK), SecurityHeader=secret)
    with pytest.raises(DecodeError, match="expected an unencrypted body, found an encrypted one") as caught:
        _ = message.directory_message
    assert caught.value.path == "UserMessage.MessagePropertiesHeader.MessageBody"
    assert caught.value.offset == 0
    plain = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(EncryptionKey=b"key"))
    message = carrier(mqmq.PrivateQueueFormatNameId(REPLICATION), mqdsrp.encode(ACK), SecurityHeader=plain)
    assert message.directory_message == ACK


def test_a_count_of_sequence_numbers_that_nothing_follows() -> None:
    """The name before them is what lacks, and the count is why."""
    data = mqdsrp.encode(mqdsrp.ChangePropagationMessage())[:-2] + b"\5\0"
    with pytest.raises(DecodeError) as caught:
        mqdsrp.decode(data)
    error = caught.value
    assert (error.path, error.offset) == ("ChangePropagationMessage.SeqNumberHeader.MachineName", len(data))
    place = "ChangePropagationMessage.SeqNumberHeader.Count", len(data) - 2
    assert (error.source_path, error.source_offset) == place
