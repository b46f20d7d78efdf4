"""Validators of [MS-MQCN] 2.2: change notifications.

Generated from `checks.rules` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.checks.offsets import Inside
from msmq_wire.checks.rules import RULE_FUNCTIONS, RULES, embedded_in, rows_by_id
from msmq_wire.documents.mqcn import NotificationBody, NotificationUpdates
from msmq_wire.values.guid import NULL_GUID

from .registry import VALIDATORS

if TYPE_CHECKING:
    from msmq_wire.checks.collector import Trail, ViolationCollector
    from msmq_wire.documents.mqcn import ChangeNotificationMessage, NotificationUpdate


# --------------------------------------------------------------------- [MS-MQCN] 2.2.5 NotificationBody


NOTIFICATION_BODY_ROWS = rows_by_id(RULES["NotificationBody"])

notification_body_mqcn_2_2_5_02 = NOTIFICATION_BODY_ROWS["MQCN-2.2.5-02"].value
notification_body_mqcn_2_2_5_05_2 = NOTIFICATION_BODY_ROWS["MQCN-2.2.5-05/2"].value
notification_body_mqcn_2_2_5_03 = NOTIFICATION_BODY_ROWS["MQCN-2.2.5-03"].value
notification_body_mqcn_2_2_5_07 = NOTIFICATION_BODY_ROWS["MQCN-2.2.5-07"].value
notification_body_mqcn_2_2_5_08 = NOTIFICATION_BODY_ROWS["MQCN-2.2.5-08"].value


def validate_NotificationBody(record: NotificationBody, trail: Trail, search: ViolationCollector) -> None:
    unused = record.Unused
    if len(unused) > 1:
        search.broken(record, trail, NOTIFICATION_BODY_ROWS["MQCN-2.2.5-05"])
    if not notification_body_mqcn_2_2_5_02(record):
        search.broken(record, trail, NOTIFICATION_BODY_ROWS["MQCN-2.2.5-02"])
    if not notification_body_mqcn_2_2_5_05_2(record):
        search.broken(record, trail, NOTIFICATION_BODY_ROWS["MQCN-2.2.5-05/2"])
    if not notification_body_mqcn_2_2_5_03(record):
        search.broken(record, trail, NOTIFICATION_BODY_ROWS["MQCN-2.2.5-03"])
    if not notification_body_mqcn_2_2_5_07(record):
        search.broken(record, trail, NOTIFICATION_BODY_ROWS["MQCN-2.2.5-07"])
    if not notification_body_mqcn_2_2_5_08(record):
        search.broken(record, trail, NOTIFICATION_BODY_ROWS["MQCN-2.2.5-08"])


VALIDATORS["NotificationBody"] = validate_NotificationBody


# ------------------------------------------------------------------- [MS-MQCN] 2.2.6 NotificationUpdate


NOTIFICATION_UPDATE_ROWS = rows_by_id(RULES["NotificationUpdate"])

notification_update_mqcn_2_2_6_05 = NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-05"].value
notification_update_mqcn_2_2_6_05_2 = NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-05/2"].value
notification_update_mqcn_2_2_6_11 = NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-11"].value
notification_update_mqcn_2_2_2_01 = NOTIFICATION_UPDATE_ROWS["MQCN-2.2.2-01"].value
notification_update_mqcn_3_3_5_2_02 = NOTIFICATION_UPDATE_ROWS["MQCN-3.3.5.2-02"].value
notification_update_mqcn_3_3_5_2_03 = NOTIFICATION_UPDATE_ROWS["MQCN-3.3.5.2-03"].value
NOTIFICATION_UPDATE_FUNCTIONS = RULE_FUNCTIONS["NotificationUpdate"]
read_notification_update_property_value = embedded_in("NotificationUpdate", "PropertyValue").read


def validate_NotificationUpdate(record: NotificationUpdate, trail: Trail, search: ViolationCollector) -> None:
    command = record.Command
    use_guid = record.UseGuid
    path_name = record.PathName
    guid_identifier = record.GuidIdentifier
    guid_master_id = record.GuidMasterId
    number_of_properties = record.NumberOfProperties
    property_id = record.PropertyId
    if command > 0x2:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-01"])
    if guid_identifier is not None and use_guid != 1:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-02"])
    if guid_identifier is None and use_guid != 0:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-03"])
    if not notification_update_mqcn_2_2_6_05(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-05"])
    if search.practice:
        if not notification_update_mqcn_2_2_6_05_2(record):
            search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-05/2"])
    if use_guid == 1 and path_name is not None:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-06"])
    if number_of_properties != len(property_id):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-10"])
    if not notification_update_mqcn_2_2_6_11(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-11"])
    if not notification_update_mqcn_2_2_2_01(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-2.2.2-01"])
    if guid_identifier == NULL_GUID:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-2.2.6-07"])
    if guid_master_id == NULL_GUID:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-3.3.5.2-10"])
    if command == 0 and use_guid != 0:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-3.3.5.2-05"])
    if command != 0 and use_guid == 0:
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-3.3.5.2-06"])
    if command == 1 and property_id == ():
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-3.3.5.2-17"])
    if command == 2 and property_id != (1403, 1404):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-3.3.5.2-22"])
    if command == 0 and not notification_update_mqcn_3_3_5_2_02(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-3.3.5.2-02"])
    if command == 1 and not notification_update_mqcn_3_3_5_2_03(record):
        search.broken(record, trail, NOTIFICATION_UPDATE_ROWS["MQCN-3.3.5.2-03"])
    if search.profile is not None:
        search.lacking(record, trail)
    for rule_function in NOTIFICATION_UPDATE_FUNCTIONS:
        for violation in rule_function(record):
            search.add(trail, violation)
    if record.PropertyValue:
        for where, offset, inner in read_notification_update_property_value(record):
            validate = VALIDATORS.get(inner.__class__.__name__)
            if validate is not None:
                validate(inner, (trail, "PropertyValue", *where, Inside(offset, inner)), search)


VALIDATORS["NotificationUpdate"] = validate_NotificationUpdate


# ------------------------------------------------------------------ [MS-MQCN] 2.2.4 NotificationUpdates


NOTIFICATION_UPDATES_ROWS = rows_by_id(RULES["NotificationUpdates"])


def validate_NotificationUpdates(
    record: NotificationUpdates, trail: Trail, search: ViolationCollector
) -> None:
    updates = record.Updates
    unused = record.Unused
    if len(unused) > 1:
        search.broken(record, trail, NOTIFICATION_UPDATES_ROWS["MQCN-2.2.4-02"])
    for index, element in enumerate(updates):
        validate_NotificationUpdate(element, (trail, "Updates", index), search)


VALIDATORS["NotificationUpdates"] = validate_NotificationUpdates


# ------------------------------------------------------------ [MS-MQCN] 2.2.4 ChangeNotificationMessage


CHANGE_NOTIFICATION_MESSAGE_ROWS = rows_by_id(RULES["ChangeNotificationMessage"])

change_notification_message_mqcn_3_3_5_2_01 = CHANGE_NOTIFICATION_MESSAGE_ROWS["MQCN-3.3.5.2-01"].value
change_notification_message_mqcn_2_2_4_02 = CHANGE_NOTIFICATION_MESSAGE_ROWS["MQCN-2.2.4-02"].value
CHANGE_NOTIFICATION_MESSAGE_DATA__FORMS = {1: NotificationUpdates, 2: NotificationBody}
CHANGE_NOTIFICATION_MESSAGE_IN_CONTEXT = tuple(
    row for row in CHANGE_NOTIFICATION_MESSAGE_ROWS.values() if row.needs
)


def validate_ChangeNotificationMessage(
    record: ChangeNotificationMessage, trail: Trail, search: ViolationCollector
) -> None:
    version = record.Version
    number_of_update_notifications = record.NumberOfUpdateNotifications
    data_ = record.Data
    if not change_notification_message_mqcn_3_3_5_2_01(record):
        search.broken(record, trail, CHANGE_NOTIFICATION_MESSAGE_ROWS["MQCN-3.3.5.2-01"])
    if not change_notification_message_mqcn_2_2_4_02(record):
        search.broken(record, trail, CHANGE_NOTIFICATION_MESSAGE_ROWS["MQCN-2.2.4-02"])
    if version == 2 and number_of_update_notifications != 1:
        search.broken(record, trail, CHANGE_NOTIFICATION_MESSAGE_ROWS["MQCN-2.2.4-03"])
    if version not in {1, 2}:
        search.broken(record, trail, CHANGE_NOTIFICATION_MESSAGE_ROWS["MQCN-2.2.4-04"])
    if CHANGE_NOTIFICATION_MESSAGE_DATA__FORMS.get(version, data_.__class__) is not data_.__class__:
        search.broken(record, trail, CHANGE_NOTIFICATION_MESSAGE_ROWS["MQCN-2.2.4-05"])
    if search.context is not None:
        search.in_context(record, trail, CHANGE_NOTIFICATION_MESSAGE_IN_CONTEXT)
    if search.profile is not None:
        search.lacking(record, trail)
    if data_ is not None:
        validate = VALIDATORS.get(data_.__class__.__name__)
        if validate is not None:
            validate(data_, (trail, "Data"), search)


VALIDATORS["ChangeNotificationMessage"] = validate_ChangeNotificationMessage
