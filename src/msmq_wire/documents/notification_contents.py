"""The contents of a change notification for each operation: the lists of [MS-MQCN] as tables.

1. `CONTENTS` has a row for each operation of 3.3.4.1.  `machines.notification` and the rules of
   `checks.rules.mqcn` use it.
2. `QUEUE_ATTRIBUTES` and `QUEUE_MANAGER_ATTRIBUTES` map attributes to properties as 3.1.1.3 and 3.1.1.2.1 do;
   the references of these sections are wrong in places (errata C6).
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

import msgspec

from msmq_wire.documents.propid import PROPID, ObjectClass

from .notification_text import NotificationEvent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


class Operation(enum.Enum):
    """The operation of a notification, iOperation of [MS-MQCN] 3.3.4.1."""

    QueueCreation = enum.auto()
    QueueUpdate = enum.auto()
    QueueDeletion = enum.auto()
    QueueManagerUpdate = enum.auto()


class Content(msgspec.Struct, frozen=True):
    """The contents of a notification of an operation.

    Attributes:
        command: Command of a NotificationUpdate, 3.3.5.2.
        event: Event of a NotificationBody, 3.3.5.1.
        object_class: The kind of object.
        required: Required PROPIDs.
        required_by: The requirement on them.
        changed: PROPIDs of changed properties, which the receiver applies.
        ignored: Allowed PROPIDs that the receiver does not apply.
        forbidden: Forbidden PROPIDs; None for all that are not listed above.
        forbidden_by: The requirement on them.
        fixed: The values of the required properties, if they have only one.
    """

    command: int
    event: NotificationEvent
    object_class: ObjectClass
    required: tuple[int, ...]
    required_by: str
    forbidden_by: str
    changed: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
    forbidden: tuple[int, ...] | None = None
    fixed: tuple[int, ...] = ()

    def missing(self, identifiers: Collection[int]) -> tuple[int, ...]:
        """Required PROPIDs that are missing."""
        return tuple(number for number in self.required if number not in identifiers)

    def excess(self, identifiers: Iterable[int]) -> tuple[int, ...]:
        """Forbidden PROPIDs that are present."""
        if self.forbidden is not None:
            return tuple(number for number in identifiers if number in self.forbidden)
        listed = {*self.required, *self.changed, *self.ignored}
        return tuple(number for number in identifiers if number not in listed)

    @property
    def applied(self) -> tuple[int, ...]:
        """PROPIDs that the receiver applies, 3.2.5.1: all of a new object, the changed ones of others."""
        return self.required if self.event is NotificationEvent.QUEUE_CREATED else self.changed


def _of(prefix: str, *names: str) -> tuple[int, ...]:
    return tuple(PROPID[f"PROPID_{prefix}_{name}"] for name in names)


CONTENTS: Final[dict[Operation, Content]] = {
    Operation.QueueCreation: Content(
        command=0,
        event=NotificationEvent.QUEUE_CREATED,
        object_class=ObjectClass.QUEUE,
        required=_of(
            "Q", "TYPE", "INSTANCE", "BASEPRIORITY", "JOURNAL", "QUOTA", "JOURNAL_QUOTA", "CREATE_TIME",
            "MODIFY_TIME", "SCOPE", "SECURITY", "PATHNAME", "LABEL", "AUTHENTICATE", "PRIV_LEVEL",
            "TRANSACTION",
        ),
        required_by="MQCN-3.3.5.2-14",
        forbidden=_of("Q", "ADS_PATH"),
        forbidden_by="MQCN-3.3.5.2-15",
    ),
    Operation.QueueUpdate: Content(
        command=1,
        event=NotificationEvent.QUEUE_CHANGED,
        object_class=ObjectClass.QUEUE,
        required=_of("Q", "QMID"),
        required_by="MQCN-3.3.5.2-17",
        changed=_of(
            "Q", "JOURNAL", "QUOTA", "BASEPRIORITY", "JOURNAL_QUOTA", "SECURITY", "AUTHENTICATE", "PRIV_LEVEL"
        ),
        forbidden_by="MQCN-3.3.5.2-18",
    ),
    Operation.QueueDeletion: Content(
        command=2,
        event=NotificationEvent.QUEUE_DELETED,
        object_class=ObjectClass.QUEUE,
        required=_of("D", "SCOPE", "OBJTYPE"),
        required_by="MQCN-3.3.5.2-22",
        fixed=(1, int(ObjectClass.QUEUE)),  # MQDS_ENTERPRISESCOPE and MQDS_QUEUE
        forbidden_by="MQCN-3.3.5.2-22",
    ),
    Operation.QueueManagerUpdate: Content(
        command=1,
        event=NotificationEvent.MACHINE_CHANGED,
        object_class=ObjectClass.MACHINE,
        required=_of("QM", "MACHINE_ID", "FOREIGN"),
        required_by="MQCN-3.3.5.2-19",
        changed=_of("QM", "QUOTA", "JOURNAL_QUOTA", "SECURITY"),
        ignored=_of("QM", "ADDRESS", "CNS", "MACHINE_TYPE", "OS"),
        forbidden_by="MQCN-3.3.5.2-20",
    ),
}  # fmt: skip
"""[MS-MQCN] 3.3.5.1 and 3.3.5.2, and the properties that the receiver applies by 3.2.5.1."""

QUEUE_ATTRIBUTES: Final[dict[str, int]] = {
    name: PROPID[f"PROPID_Q_{prop}"]
    for name, prop in {
        "Type": "TYPE",
        "Identifier": "INSTANCE",
        "BasePriority": "BASEPRIORITY",
        "Journaling": "JOURNAL",
        "Quota": "QUOTA",
        "JournalQuota": "JOURNAL_QUOTA",
        "CreateTime": "CREATE_TIME",
        "ModifyTime": "MODIFY_TIME",
        "Security": "SECURITY",
        "Pathname": "PATHNAME",
        "Label": "LABEL",
        "Authentication": "AUTHENTICATE",
        "PrivacyLevel": "PRIV_LEVEL",
        "Transactional": "TRANSACTION",
        "MulticastAddress": "MULTICAST_ADDRESS",
        "DirectoryPath": "ADS_PATH",
        "Scope": "SCOPE",
    }.items()
}
"""Attributes of a Queue and their PROPIDs, 3.1.1.3; also called Journal and PathName (errata C16)."""

QUEUE_MANAGER_ATTRIBUTES: Final[dict[str, int]] = {
    name: PROPID[f"PROPID_QM_{prop}"]
    for name, prop in {
        "Identifier": "MACHINE_ID",
        "ForeignSystem": "FOREIGN",
        "QueueManagerQuota": "QUOTA",
        "JournalQuota": "JOURNAL_QUOTA",
        "Security": "SECURITY",
        "ConnectedNetworkIdentifierList": "CNS",
        "QueueManagerVersion": "MACHINE_TYPE",
        "OperatingSystemType": "OS",
    }.items()
}
"""Attributes of a QueueManager and their PROPIDs, 3.1.1.2.1."""

READ_QUEUE: Final = tuple(name for name in QUEUE_ATTRIBUTES if name != "Scope")
"""Attributes that are read from the directory when a queue was created or changed, 3.2.5.2."""
READ_QUEUE_MANAGER: Final = ("QueueManagerQuota", "JournalQuota", "Security")
"""Attributes that are read from the directory when a queue manager was changed, 3.2.5.2."""
