"""Validators of [MC-MQDSRP] 2.2: the messages of directory replication.

Generated from `checks.rules` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.checks.offsets import Inside
from msmq_wire.checks.rules import RULE_FUNCTIONS, RULES, embedded_in, rows_by_id
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.sequence_number import MIN_SEQ_NUMBER

from .registry import VALIDATORS

if TYPE_CHECKING:
    from msmq_wire.checks.collector import Trail, ViolationCollector
    from msmq_wire.documents.mqdsrp import (
        AlreadyPurgedMessage,
        BaseReplicationHeader,
        BSCAckMessage,
        ChangePropagationMessage,
        ChangeReplyMessage,
        ChangeRequestHeader,
        ChangeRequestMessage,
        DirectoryChange,
        PSCAckMessage,
        SeqNumberHeader,
        SyncReplyHeader,
        SyncReplyMessage,
        SyncRequestMessage,
    )


# -------------------------------------------------------------------- [MC-MQDSRP] 2.2.4 DirectoryChange


DIRECTORY_CHANGE_ROWS = rows_by_id(RULES["DirectoryChange"])

directory_change_mqdsrp_2_2_4_07 = DIRECTORY_CHANGE_ROWS["MQDSRP-2.2.4-07"].value
DIRECTORY_CHANGE_FUNCTIONS = RULE_FUNCTIONS["DirectoryChange"]
read_directory_change_property_value = embedded_in("DirectoryChange", "PropertyValue").read


def validate_DirectoryChange(record: DirectoryChange, trail: Trail, search: ViolationCollector) -> None:
    command = record.Command
    use_guid = record.UseGuid
    path_name = record.PathName
    guid_identifier = record.GuidIdentifier
    number_of_properties = record.NumberOfProperties
    property_id = record.PropertyID
    if command > 0x3:
        search.broken(record, trail, DIRECTORY_CHANGE_ROWS["MQDSRP-2.2.4-01"])
    if use_guid not in {0, 1}:
        search.broken(record, trail, DIRECTORY_CHANGE_ROWS["MQDSRP-2.2.4-02"])
    if use_guid == 1 and path_name is not None:
        search.broken(record, trail, DIRECTORY_CHANGE_ROWS["MQDSRP-2.2.4-03"])
    if use_guid == 1 and guid_identifier is None:
        search.broken(record, trail, DIRECTORY_CHANGE_ROWS["MQDSRP-2.2.4-05"])
    if number_of_properties != len(property_id):
        search.broken(record, trail, DIRECTORY_CHANGE_ROWS["MQDSRP-2.2.4-06"])
    if not directory_change_mqdsrp_2_2_4_07(record):
        search.broken(record, trail, DIRECTORY_CHANGE_ROWS["MQDSRP-2.2.4-07"])
    if use_guid == 0 and guid_identifier is not None:
        search.broken(record, trail, DIRECTORY_CHANGE_ROWS["MQDSRP-2.2.4-10"])
    if guid_identifier == NULL_GUID:
        search.broken(record, trail, DIRECTORY_CHANGE_ROWS["MQDSRP-2.2.4-04"])
    if search.profile is not None:
        search.lacking(record, trail)
    for rule_function in DIRECTORY_CHANGE_FUNCTIONS:
        for violation in rule_function(record):
            search.add(trail, violation)
    if record.PropertyValue:
        for where, offset, inner in read_directory_change_property_value(record):
            validate = VALIDATORS.get(inner.__class__.__name__)
            if validate is not None:
                validate(inner, (trail, "PropertyValue", *where, Inside(offset, inner)), search)


VALIDATORS["DirectoryChange"] = validate_DirectoryChange


# ------------------------------------------------------------ [MC-MQDSRP] 2.2.5.1 BaseReplicationHeader


BASE_REPLICATION_HEADER_ROWS = rows_by_id(RULES["BaseReplicationHeader"])

BASE_REPLICATION_HEADER_IN_CONTEXT = tuple(row for row in BASE_REPLICATION_HEADER_ROWS.values() if row.needs)


def validate_BaseReplicationHeader(
    record: BaseReplicationHeader, trail: Trail, search: ViolationCollector
) -> None:
    version = record.Version
    site_id = record.SiteID
    operation = record.Operation
    if version != 0:
        search.broken(record, trail, BASE_REPLICATION_HEADER_ROWS["MQDSRP-2.2.5.1-01"])
    if operation > 0x7:
        search.broken(record, trail, BASE_REPLICATION_HEADER_ROWS["MQDSRP-2.2.5.1-02"])
    if site_id == NULL_GUID:
        search.broken(record, trail, BASE_REPLICATION_HEADER_ROWS["MQDSRP-2.2.5.1-05"])
    if search.context is not None:
        search.in_context(record, trail, BASE_REPLICATION_HEADER_IN_CONTEXT)


VALIDATORS["BaseReplicationHeader"] = validate_BaseReplicationHeader


# -------------------------------------------------------------- [MC-MQDSRP] 2.2.5.2 ChangeRequestHeader


CHANGE_REQUEST_HEADER_ROWS = rows_by_id(RULES["ChangeRequestHeader"])

change_request_header_mqdsrp_2_2_5_2_05 = CHANGE_REQUEST_HEADER_ROWS["MQDSRP-2.2.5.2-05"].value
CHANGE_REQUEST_HEADER_IN_CONTEXT = tuple(row for row in CHANGE_REQUEST_HEADER_ROWS.values() if row.needs)


def validate_ChangeRequestHeader(
    record: ChangeRequestHeader, trail: Trail, search: ViolationCollector
) -> None:
    base_replication_header = record.BaseReplicationHeader
    psc_name_offset = record.PSCNameOffset
    psc_name = record.PSCName
    base_replication_header_operation = base_replication_header.Operation
    if base_replication_header_operation != 1:
        search.broken(record, trail, CHANGE_REQUEST_HEADER_ROWS["MQDSRP-2.2.5.2-01"])
    if psc_name is None and psc_name_offset != 0:
        search.broken(record, trail, CHANGE_REQUEST_HEADER_ROWS["MQDSRP-2.2.5.2-03"])
    if psc_name is not None and not change_request_header_mqdsrp_2_2_5_2_05(record):
        search.broken(record, trail, CHANGE_REQUEST_HEADER_ROWS["MQDSRP-2.2.5.2-05"])
    if search.context is not None:
        search.in_context(record, trail, CHANGE_REQUEST_HEADER_IN_CONTEXT)
    validate_BaseReplicationHeader(base_replication_header, (trail, "BaseReplicationHeader"), search)


VALIDATORS["ChangeRequestHeader"] = validate_ChangeRequestHeader


# ------------------------------------------------------------------ [MC-MQDSRP] 2.2.5.3 SyncReplyHeader


SYNC_REPLY_HEADER_ROWS = rows_by_id(RULES["SyncReplyHeader"])


def validate_SyncReplyHeader(record: SyncReplyHeader, trail: Trail, search: ViolationCollector) -> None:
    base_replication_header = record.BaseReplicationHeader
    complete_sync0 = record.CompleteSync0
    base_replication_header_operation = base_replication_header.Operation
    if base_replication_header_operation != 3:
        search.broken(record, trail, SYNC_REPLY_HEADER_ROWS["MQDSRP-2.2.5.3-01"])
    if complete_sync0 not in {0, 1, 2}:
        search.broken(record, trail, SYNC_REPLY_HEADER_ROWS["MQDSRP-2.2.5.3-02"])
    validate_BaseReplicationHeader(base_replication_header, (trail, "BaseReplicationHeader"), search)


VALIDATORS["SyncReplyHeader"] = validate_SyncReplyHeader


# ------------------------------------------------------------------ [MC-MQDSRP] 2.2.5.4 SeqNumberHeader


SEQ_NUMBER_HEADER_ROWS = rows_by_id(RULES["SeqNumberHeader"])


def validate_SeqNumberHeader(record: SeqNumberHeader, trail: Trail, search: ViolationCollector) -> None:
    count = record.Count
    machine_name = record.MachineName
    partition_seq_numbers = record.PartitionSeqNumbers
    if count == 0 and machine_name is not None:
        search.broken(record, trail, SEQ_NUMBER_HEADER_ROWS["MQDSRP-2.2.5.4-01"])
    if count != len(partition_seq_numbers):
        search.broken(record, trail, SEQ_NUMBER_HEADER_ROWS["MQDSRP-2.2.5.4-03"])


VALIDATORS["SeqNumberHeader"] = validate_SeqNumberHeader


# ------------------------------------------------------------- [MC-MQDSRP] 2.2.6.2 ChangeRequestMessage


CHANGE_REQUEST_MESSAGE_ROWS = rows_by_id(RULES["ChangeRequestMessage"])

change_request_message_mqdsrp_3_1_7_1_1_14 = CHANGE_REQUEST_MESSAGE_ROWS["MQDSRP-3.1.7.1.1-14"].value


def validate_ChangeRequestMessage(
    record: ChangeRequestMessage, trail: Trail, search: ViolationCollector
) -> None:
    change_request_header = record.ChangeRequestHeader
    directory_change = record.DirectoryChange
    directory_change_previous_seq_number = directory_change.PreviousSeqNumber
    directory_change_purged_seq_number = directory_change.PurgedSeqNumber
    directory_change_seq_number = directory_change.SeqNumber
    if not change_request_message_mqdsrp_3_1_7_1_1_14(record):
        search.broken(record, trail, CHANGE_REQUEST_MESSAGE_ROWS["MQDSRP-3.1.7.1.1-14"])
    if directory_change_previous_seq_number != MIN_SEQ_NUMBER:
        search.broken(record, trail, CHANGE_REQUEST_MESSAGE_ROWS["MQDSRP-3.1.7.1.1-15"])
    if directory_change_seq_number != MIN_SEQ_NUMBER:
        search.broken(record, trail, CHANGE_REQUEST_MESSAGE_ROWS["MQDSRP-3.1.7.1.1-16"])
    if directory_change_purged_seq_number != MIN_SEQ_NUMBER:
        search.broken(record, trail, CHANGE_REQUEST_MESSAGE_ROWS["MQDSRP-3.1.7.1.1-17"])
    validate_ChangeRequestHeader(change_request_header, (trail, "ChangeRequestHeader"), search)
    validate_DirectoryChange(directory_change, (trail, "DirectoryChange"), search)


VALIDATORS["ChangeRequestMessage"] = validate_ChangeRequestMessage


# --------------------------------------------------------------- [MC-MQDSRP] 2.2.6.3 ChangeReplyMessage


CHANGE_REPLY_MESSAGE_ROWS = rows_by_id(RULES["ChangeReplyMessage"])

CHANGE_REPLY_MESSAGE_IN_CONTEXT = tuple(row for row in CHANGE_REPLY_MESSAGE_ROWS.values() if row.needs)


def validate_ChangeReplyMessage(record: ChangeReplyMessage, trail: Trail, search: ViolationCollector) -> None:
    base_replication_header = record.BaseReplicationHeader
    base_replication_header_operation = base_replication_header.Operation
    if base_replication_header_operation != 4:
        search.broken(record, trail, CHANGE_REPLY_MESSAGE_ROWS["MQDSRP-2.2.6.3-01"])
    if search.context is not None:
        search.in_context(record, trail, CHANGE_REPLY_MESSAGE_IN_CONTEXT)
    validate_BaseReplicationHeader(base_replication_header, (trail, "BaseReplicationHeader"), search)


VALIDATORS["ChangeReplyMessage"] = validate_ChangeReplyMessage


# --------------------------------------------------------------- [MC-MQDSRP] 2.2.6.4 SyncRequestMessage


SYNC_REQUEST_MESSAGE_ROWS = rows_by_id(RULES["SyncRequestMessage"])

SYNC_REQUEST_MESSAGE_IN_CONTEXT = tuple(row for row in SYNC_REQUEST_MESSAGE_ROWS.values() if row.needs)


def validate_SyncRequestMessage(record: SyncRequestMessage, trail: Trail, search: ViolationCollector) -> None:
    base_replication_header = record.BaseReplicationHeader
    is_sync0 = record.IsSync0
    scope = record.Scope
    base_replication_header_operation = base_replication_header.Operation
    if base_replication_header_operation != 2:
        search.broken(record, trail, SYNC_REQUEST_MESSAGE_ROWS["MQDSRP-2.2.6.4-01"])
    if is_sync0 not in {0, 1}:
        search.broken(record, trail, SYNC_REQUEST_MESSAGE_ROWS["MQDSRP-2.2.6.4-02"])
    if scope not in {0, 1}:
        search.broken(record, trail, SYNC_REQUEST_MESSAGE_ROWS["MQDSRP-2.2.6.4-03"])
    if search.context is not None:
        search.in_context(record, trail, SYNC_REQUEST_MESSAGE_IN_CONTEXT)
    validate_BaseReplicationHeader(base_replication_header, (trail, "BaseReplicationHeader"), search)


VALIDATORS["SyncRequestMessage"] = validate_SyncRequestMessage


# ----------------------------------------------------------------- [MC-MQDSRP] 2.2.6.5 SyncReplyMessage


SYNC_REPLY_MESSAGE_ROWS = rows_by_id(RULES["SyncReplyMessage"])

SYNC_REPLY_MESSAGE_IN_CONTEXT = tuple(row for row in SYNC_REPLY_MESSAGE_ROWS.values() if row.needs)
SYNC_REPLY_MESSAGE_FUNCTIONS = RULE_FUNCTIONS["SyncReplyMessage"]


def validate_SyncReplyMessage(record: SyncReplyMessage, trail: Trail, search: ViolationCollector) -> None:
    sync_reply_header = record.SyncReplyHeader
    directory_changes = record.DirectoryChanges
    sync_reply_header_count = sync_reply_header.Count
    if sync_reply_header_count != len(directory_changes):
        search.broken(record, trail, SYNC_REPLY_MESSAGE_ROWS["MQDSRP-2.2.6.5-02"])
    if search.context is not None:
        search.in_context(record, trail, SYNC_REPLY_MESSAGE_IN_CONTEXT)
    for rule_function in SYNC_REPLY_MESSAGE_FUNCTIONS:
        for violation in rule_function(record):
            search.add(trail, violation)
    validate_SyncReplyHeader(sync_reply_header, (trail, "SyncReplyHeader"), search)
    for index, element in enumerate(directory_changes):
        validate_DirectoryChange(element, (trail, "DirectoryChanges", index), search)


VALIDATORS["SyncReplyMessage"] = validate_SyncReplyMessage


# -------------------------------------------------------------------- [MC-MQDSRP] 2.2.6.6 BSCAckMessage


BSC_ACK_MESSAGE_ROWS = rows_by_id(RULES["BSCAckMessage"])

BSC_ACK_MESSAGE_IN_CONTEXT = tuple(row for row in BSC_ACK_MESSAGE_ROWS.values() if row.needs)


def validate_BSCAckMessage(record: BSCAckMessage, trail: Trail, search: ViolationCollector) -> None:
    base_replication_header = record.BaseReplicationHeader
    bsc_machine_id = record.BSCMachineID
    base_replication_header_operation = base_replication_header.Operation
    if base_replication_header_operation != 7:
        search.broken(record, trail, BSC_ACK_MESSAGE_ROWS["MQDSRP-2.2.6.6-01"])
    if bsc_machine_id == NULL_GUID:
        search.broken(record, trail, BSC_ACK_MESSAGE_ROWS["MQDSRP-2.2.6.6-03"])
    if search.context is not None:
        search.in_context(record, trail, BSC_ACK_MESSAGE_IN_CONTEXT)
    validate_BaseReplicationHeader(base_replication_header, (trail, "BaseReplicationHeader"), search)


VALIDATORS["BSCAckMessage"] = validate_BSCAckMessage


# -------------------------------------------------------------------- [MC-MQDSRP] 2.2.6.7 PSCAckMessage


PSC_ACK_MESSAGE_ROWS = rows_by_id(RULES["PSCAckMessage"])


def validate_PSCAckMessage(record: PSCAckMessage, trail: Trail, search: ViolationCollector) -> None:
    base_replication_header = record.BaseReplicationHeader
    psc_site_id = record.PSCSiteID
    base_replication_header_operation = base_replication_header.Operation
    if base_replication_header_operation != 6:
        search.broken(record, trail, PSC_ACK_MESSAGE_ROWS["MQDSRP-2.2.6.7-01"])
    if psc_site_id == NULL_GUID:
        search.broken(record, trail, PSC_ACK_MESSAGE_ROWS["MQDSRP-2.2.6.7-03"])
    validate_BaseReplicationHeader(base_replication_header, (trail, "BaseReplicationHeader"), search)


VALIDATORS["PSCAckMessage"] = validate_PSCAckMessage


# ------------------------------------------------------------- [MC-MQDSRP] 2.2.6.8 AlreadyPurgedMessage


ALREADY_PURGED_MESSAGE_ROWS = rows_by_id(RULES["AlreadyPurgedMessage"])

ALREADY_PURGED_MESSAGE_IN_CONTEXT = tuple(row for row in ALREADY_PURGED_MESSAGE_ROWS.values() if row.needs)


def validate_AlreadyPurgedMessage(
    record: AlreadyPurgedMessage, trail: Trail, search: ViolationCollector
) -> None:
    base_replication_header = record.BaseReplicationHeader
    base_replication_header_operation = base_replication_header.Operation
    if base_replication_header_operation != 5:
        search.broken(record, trail, ALREADY_PURGED_MESSAGE_ROWS["MQDSRP-2.2.6.8-01"])
    if search.context is not None:
        search.in_context(record, trail, ALREADY_PURGED_MESSAGE_IN_CONTEXT)
    validate_BaseReplicationHeader(base_replication_header, (trail, "BaseReplicationHeader"), search)


VALIDATORS["AlreadyPurgedMessage"] = validate_AlreadyPurgedMessage


# --------------------------------------------------------- [MC-MQDSRP] 2.2.6.9 ChangePropagationMessage


CHANGE_PROPAGATION_MESSAGE_ROWS = rows_by_id(RULES["ChangePropagationMessage"])

CHANGE_PROPAGATION_MESSAGE_FUNCTIONS = RULE_FUNCTIONS["ChangePropagationMessage"]


def validate_ChangePropagationMessage(
    record: ChangePropagationMessage, trail: Trail, search: ViolationCollector
) -> None:
    base_replication_header = record.BaseReplicationHeader
    flush = record.Flush
    count = record.Count
    directory_changes = record.DirectoryChanges
    seq_number_header = record.SeqNumberHeader
    base_replication_header_operation = base_replication_header.Operation
    if base_replication_header_operation != 0:
        search.broken(record, trail, CHANGE_PROPAGATION_MESSAGE_ROWS["MQDSRP-2.2.6.9-01"])
    if flush not in {0, 1}:
        search.broken(record, trail, CHANGE_PROPAGATION_MESSAGE_ROWS["MQDSRP-2.2.6.9-02"])
    if count != len(directory_changes):
        search.broken(record, trail, CHANGE_PROPAGATION_MESSAGE_ROWS["MQDSRP-2.2.6.9-05"])
    for rule_function in CHANGE_PROPAGATION_MESSAGE_FUNCTIONS:
        for violation in rule_function(record):
            search.add(trail, violation)
    validate_BaseReplicationHeader(base_replication_header, (trail, "BaseReplicationHeader"), search)
    for index, element in enumerate(directory_changes):
        validate_DirectoryChange(element, (trail, "DirectoryChanges", index), search)
    validate_SeqNumberHeader(seq_number_header, (trail, "SeqNumberHeader"), search)


VALIDATORS["ChangePropagationMessage"] = validate_ChangePropagationMessage
