"""What notifications contain, by hand from the lists of [MS-MQCN] and the numbers of [MS-MQMQ] 2.3."""

from __future__ import annotations

from typing import Any

import pytest

from msmq_wire.documents.notification_contents import (
    CONTENTS,
    QUEUE_ATTRIBUTES,
    QUEUE_MANAGER_ATTRIBUTES,
    READ_QUEUE,
    READ_QUEUE_MANAGER,
    Operation,
)
from msmq_wire.documents.notification_text import NotificationEvent
from msmq_wire.documents.transactions import sequence_of, transaction_id
from msmq_wire.mqmq import TxSequenceID

# [MS-MQCN] 3.1.1.3
QUEUE = {
    "Identifier": 101,
    "Type": 102,
    "Pathname": 103,
    "Journaling": 104,
    "Quota": 105,
    "BasePriority": 106,
    "JournalQuota": 107,
    "Label": 108,
    "CreateTime": 109,
    "ModifyTime": 110,
    "Authentication": 111,
    "PrivacyLevel": 112,
    "Transactional": 113,
    "Scope": 114,
    "MulticastAddress": 125,
    "DirectoryPath": 126,
    "Security": 1101,
}
# [MS-MQCN] 3.1.1.2.1
QUEUE_MANAGER = {
    "Identifier": 202,
    "ConnectedNetworkIdentifierList": 207,
    "QueueManagerQuota": 214,
    "JournalQuota": 215,
    "QueueManagerVersion": 216,
    "ForeignSystem": 219,
    "OperatingSystemType": 220,
    "Security": 1201,
}


def test_properties_of_attributes() -> None:
    assert QUEUE_ATTRIBUTES == QUEUE
    assert QUEUE_MANAGER_ATTRIBUTES == QUEUE_MANAGER
    assert sorted(READ_QUEUE) == sorted(QUEUE.keys() - {"Scope"})
    assert sorted(READ_QUEUE_MANAGER) == ["JournalQuota", "QueueManagerQuota", "Security"]


@pytest.mark.parametrize(
    ("operation", "command", "event", "kind", "required", "changed", "ignored", "forbidden", "fixed"),
    [
        (
            Operation.QueueCreation, 0, 1, 1,
            {101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 1101},
            set(), set(), (126,), (),
        ),
        (Operation.QueueUpdate, 1, 2, 1, {115}, {104, 105, 106, 107, 111, 112, 1101}, set(), None, ()),
        (Operation.QueueDeletion, 2, 3, 1, {1403, 1404}, set(), set(), None, (1, 1)),
        (
            Operation.QueueManagerUpdate, 1, 4, 2,
            {202, 219}, {214, 215, 1201}, {206, 207, 216, 220}, None, (),
        ),
    ],
)  # fmt: skip
def test_contents_of_an_operation(
    operation: Operation,
    command: int,
    event: int,
    kind: int,
    required: set[int],
    changed: set[int],
    ignored: set[int],
    forbidden: Any,
    fixed: tuple[int, ...],
) -> None:
    """[MS-MQCN] 3.3.5.1 and 3.3.5.2; the receiver takes over what is new, or what was changed."""
    found = CONTENTS[operation]
    assert (found.command, found.event, found.object_class) == (command, event, kind)
    assert (set(found.required), set(found.changed), set(found.ignored)) == (required, changed, ignored)
    assert (found.forbidden, found.fixed) == (forbidden, fixed)
    assert set(found.applied) == (required if event == 1 else changed)
    assert list(CONTENTS) == list(Operation)


def test_events_have_the_numbers_of_the_page() -> None:
    """[MS-MQCN] 2.2.5."""
    assert {event.name: int(event) for event in NotificationEvent} == {
        "QUEUE_CREATED": 1,
        "QUEUE_CHANGED": 2,
        "QUEUE_DELETED": 3,
        "MACHINE_CHANGED": 4,
    }


@pytest.mark.parametrize(
    ("time", "ordinal", "number"),
    [
        (0, 0, 0),
        (0, 1, 1),
        (1, 0, 1 << 32),
        (0, 0xFFFFFFFF, 0xFFFFFFFF),
        (0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFFFFFFFFFE),
    ],
)
def test_sequences_as_numbers(time: int, ordinal: int, number: int) -> None:
    """[MS-MQMQ] 2.2.18.1.2: the time counts more than the ordinal."""
    identifier = TxSequenceID(TimeStamp=time, Ordinal=ordinal)
    assert sequence_of(identifier) == number
    assert transaction_id(number) == identifier
