"""Verdicts on [MS-MQCN] 2.2: change notifications.

Generated from `checks.rules` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.checks.places import Inside
from msmq_wire.checks.rules import EMBEDDED, JUDGES, RULES
from msmq_wire.documents.mqcn import NotificationBody, NotificationUpdates

from .registry import VERDICTS

if TYPE_CHECKING:
    from msmq_wire.checks.search import Search, Trail
    from msmq_wire.documents.mqcn import ChangeNotificationMessage, NotificationUpdate
__all__ = [
    "judge_ChangeNotificationMessage",
    "judge_NotificationBody",
    "judge_NotificationUpdate",
    "judge_NotificationUpdates",
]


# --------------------------------------------------------------------- [MS-MQCN] 2.2.5 NotificationBody


NOTIFICATION_BODY_ROWS = RULES["NotificationBody"]

notification_body_1 = NOTIFICATION_BODY_ROWS[1].value
notification_body_2 = NOTIFICATION_BODY_ROWS[2].value
notification_body_3 = NOTIFICATION_BODY_ROWS[3].value
notification_body_4 = NOTIFICATION_BODY_ROWS[4].value


def judge_NotificationBody(record: NotificationBody, trail: Trail, search: Search) -> None:
    if len(record.Unused) > 1:
        search.broken(record, trail, NOTIFICATION_BODY_ROWS[0])  # MQCN-2.2.5-05
    if not notification_body_1(record):
        search.broken(record, trail, NOTIFICATION_BODY_ROWS[1])  # MQCN-2.2.5-02
    if not notification_body_2(record):
        search.broken(record, trail, NOTIFICATION_BODY_ROWS[2])  # MQCN-2.2.5-05
    if not notification_body_3(record):
        search.broken(record, trail, NOTIFICATION_BODY_ROWS[3])  # MQCN-2.2.5-07
    if not notification_body_4(record):
        search.broken(record, trail, NOTIFICATION_BODY_ROWS[4])  # MQCN-2.2.5-08


VERDICTS["NotificationBody"] = judge_NotificationBody


# ------------------------------------------------------------------- [MS-MQCN] 2.2.6 NotificationUpdate


NOTIFICATION_UPDATE_ROWS = RULES["NotificationUpdate"]

notification_update_3 = NOTIFICATION_UPDATE_ROWS[3].value
notification_update_6 = NOTIFICATION_UPDATE_ROWS[6].value
notification_update_7 = NOTIFICATION_UPDATE_ROWS[7].value
notification_update_10 = NOTIFICATION_UPDATE_ROWS[10].value
notification_update_11 = NOTIFICATION_UPDATE_ROWS[11].value
notification_update_12 = NOTIFICATION_UPDATE_ROWS[12].value
notification_update_14 = NOTIFICATION_UPDATE_ROWS[14].value
notification_update_16 = NOTIFICATION_UPDATE_ROWS[16].value
judge_notification_update = JUDGES["NotificationUpdate"][0]
read_notification_update = EMBEDDED["NotificationUpdate"][0].read


def judge_NotificationUpdate(record: NotificationUpdate, trail: Trail, search: Search) -> None:
    command = record.Command
    use_guid = record.UseGuid
    guid_identifier = record.GuidIdentifier
    property_id = record.PropertyId
    if command > 0x2:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[0])  # MQCN-2.2.6-01
    if guid_identifier is not None and use_guid != 1:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[1])  # MQCN-2.2.6-02
    if guid_identifier is None and use_guid != 0:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[2])  # MQCN-2.2.6-03
    if not notification_update_3(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[3])  # MQCN-2.2.6-05
    if use_guid == 1 and record.PathName is not None:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[4])  # MQCN-2.2.6-06
    if record.NumberOfProperties != len(property_id):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[5])  # MQCN-2.2.6-10
    if not notification_update_6(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[6])  # MQCN-2.2.6-11
    if not notification_update_7(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[7])  # MQCN-2.2.2-01
    if command == 0 and use_guid != 0:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[8])  # MQCN-3.3.5.2-05
    if command != 0 and use_guid == 0:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[9])  # MQCN-3.3.5.2-06
    if command == 0 and not notification_update_10(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[10])  # MQCN-3.3.5.2-14
    if command == 0 and not notification_update_11(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[11])  # MQCN-3.3.5.2-15
    if not notification_update_12(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[12])  # MQCN-3.3.5.2-17
    if command == 1 and property_id == ():
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[13])  # MQCN-3.3.5.2-17
    if not notification_update_14(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[14])  # MQCN-3.3.5.2-19
    if command == 2 and property_id != (1403, 1404):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[15])  # MQCN-3.3.5.2-22
    if command == 2 and property_id == (1403, 1404) and not notification_update_16(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS[16])  # MQCN-3.3.5.2-26
    if search.profile is not None:
        search.lacking(record, trail)
    for finding in judge_notification_update(record):
        search.judged(trail, finding)
    if record.PropertyValue:
        for where, offset, inner in read_notification_update(record):
            judge = VERDICTS.get(inner.__class__.__name__)
            if judge is not None:
                judge(inner, (trail, "PropertyValue", *where, Inside(offset, inner)), search)


VERDICTS["NotificationUpdate"] = judge_NotificationUpdate


# ------------------------------------------------------------------ [MS-MQCN] 2.2.4 NotificationUpdates


NOTIFICATION_UPDATES_ROWS = RULES["NotificationUpdates"]


def judge_NotificationUpdates(record: NotificationUpdates, trail: Trail, search: Search) -> None:
    updates = record.Updates
    if len(record.Unused) > 1:
        search.broken(record, trail, NOTIFICATION_UPDATES_ROWS[0])  # MQCN-2.2.4-02
    for index, element in enumerate(updates):
        judge_NotificationUpdate(element, (trail, "Updates", index), search)


VERDICTS["NotificationUpdates"] = judge_NotificationUpdates


# ------------------------------------------------------------ [MS-MQCN] 2.2.4 ChangeNotificationMessage


CHANGE_NOTIFICATION_MESSAGE_ROWS = RULES["ChangeNotificationMessage"]

change_notification_message_0 = CHANGE_NOTIFICATION_MESSAGE_ROWS[0].value
CHANGE_NOTIFICATION_MESSAGE_DATA__FORMS = {1: NotificationUpdates, 2: NotificationBody}
CHANGE_NOTIFICATION_MESSAGE_IN_CONTEXT = tuple(row for row in CHANGE_NOTIFICATION_MESSAGE_ROWS if row.needs)


def judge_ChangeNotificationMessage(record: ChangeNotificationMessage, trail: Trail, search: Search) -> None:
    version = record.Version
    data_ = record.Data
    if not change_notification_message_0(record):
        search.broken(record, trail, CHANGE_NOTIFICATION_MESSAGE_ROWS[0])  # MQCN-2.2.4-02
    if version == 2 and record.NumberOfUpdateNotifications != 1:
        search.broken(record, trail, CHANGE_NOTIFICATION_MESSAGE_ROWS[1])  # MQCN-2.2.4-03
    if version not in {1, 2}:
        search.broken(record, trail, CHANGE_NOTIFICATION_MESSAGE_ROWS[2])  # MQCN-2.2.4-04
    if CHANGE_NOTIFICATION_MESSAGE_DATA__FORMS.get(version, data_.__class__) is not data_.__class__:
        search.broken(record, trail, CHANGE_NOTIFICATION_MESSAGE_ROWS[4])  # MQCN-2.2.4-05
    if search.context is not None:
        search.in_context(record, trail, CHANGE_NOTIFICATION_MESSAGE_IN_CONTEXT)
    if search.profile is not None:
        search.lacking(record, trail)
    if data_ is not None:
        judge = VERDICTS.get(data_.__class__.__name__)
        if judge is not None:
            judge(data_, (trail, "Data"), search)


VERDICTS["ChangeNotificationMessage"] = judge_ChangeNotificationMessage
