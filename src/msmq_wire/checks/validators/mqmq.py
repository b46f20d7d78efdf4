"""Validators of [MS-MQMQ]: the data structures of Message Queuing.

Generated from `checks.rules` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING

from msmq_wire.checks.offsets import Inside
from msmq_wire.checks.rules import RULES, embedded_in, rows_by_id
from msmq_wire.documents.mqmq import (
    DirectQueueFormatName,
    MQFDirectQueueFormatName,
    MQFDistributionQueueFormatName,
    PrivateQueueFormatName,
    PrivateQueueFormatNameId,
    PublicQueueFormatName,
)
from msmq_wire.records.record import size_of_record
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.wchar import wchar_count

from .registry import VALIDATORS

if TYPE_CHECKING:
    from msmq_wire.checks.collector import Trail, ViolationCollector
    from msmq_wire.documents.mqmq import (
        MQDSPUBLICKEY,
        MQDSPUBLICKEYS,
        MQUSERSIGNCERT,
        MQUSERSIGNCERTS,
        TA_ADDRESS,
        BaseHeader,
        DebugHeader,
        MessagePropertiesHeader,
        MQFAddressHeader,
        MQFFormatNameElement,
        MQFSignatureHeader,
        MultiQueueFormatHeader,
        SecurityData,
        SecurityHeader,
        SenderCertPublicKey,
        SessionHeader,
        SoapHeader,
        TransactionHeader,
        UserHeader,
    )


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.1 MQDSPUBLICKEY


MQDSPUBLICKEY_ROWS = rows_by_id(RULES["MQDSPUBLICKEY"])

mqdspublickey_mqmq_2_2_1_05 = MQDSPUBLICKEY_ROWS["MQMQ-2.2.1-05"].value
read_mqdspublickey_a_buf = embedded_in("MQDSPUBLICKEY", "aBuf").read


def validate_MQDSPUBLICKEY(record: MQDSPUBLICKEY, trail: Trail, search: ViolationCollector) -> None:
    ul_key_len = record.ulKeyLen
    ul_provider_len = record.ulProviderLen
    ul_provider_type = record.ulProviderType
    s_provider_name = record.sProviderName
    a_buf = record.aBuf
    if ul_key_len != len(a_buf):
        search.broken(record, trail, MQDSPUBLICKEY_ROWS["MQMQ-2.2.1-01"])
    if ul_provider_len != 2 * wchar_count(s_provider_name):
        search.broken(record, trail, MQDSPUBLICKEY_ROWS["MQMQ-2.2.1-02"])
    if ul_provider_type not in {1, 0x18}:
        search.broken(record, trail, MQDSPUBLICKEY_ROWS["MQMQ-2.2.1-04"])
    if not mqdspublickey_mqmq_2_2_1_05(record):
        search.broken(record, trail, MQDSPUBLICKEY_ROWS["MQMQ-2.2.1-05"])
    if not s_provider_name or s_provider_name.find("\0") != len(s_provider_name) - 1:
        search.broken(record, trail, MQDSPUBLICKEY_ROWS["MQMQ-2.2.1-06"])
    if search.profile is not None:
        search.lacking(record, trail)
    if a_buf.startswith(b"\x06\x02\x00\x00\x00\xa4\x00\x00"):
        for where, offset, inner in read_mqdspublickey_a_buf(record):
            validate = VALIDATORS.get(inner.__class__.__name__)
            if validate is not None:
                validate(inner, (trail, "aBuf", *where, Inside(offset, inner)), search)


VALIDATORS["MQDSPUBLICKEY"] = validate_MQDSPUBLICKEY


# ----------------------------------------------------------------------- [MS-MQMQ] 2.2.2 MQDSPUBLICKEYS


MQDSPUBLICKEYS_ROWS = rows_by_id(RULES["MQDSPUBLICKEYS"])


def validate_MQDSPUBLICKEYS(record: MQDSPUBLICKEYS, trail: Trail, search: ViolationCollector) -> None:
    ul_len = record.ulLen
    c_numof_keys = record.cNumofKeys
    a_public_keys = record.aPublicKeys
    if ul_len != size_of_record(record):
        search.broken(record, trail, MQDSPUBLICKEYS_ROWS["MQMQ-2.2.2-01"])
    if c_numof_keys != len(a_public_keys):
        search.broken(record, trail, MQDSPUBLICKEYS_ROWS["MQMQ-2.2.2-02"])
    for index, element in enumerate(a_public_keys):
        validate_MQDSPUBLICKEY(element, (trail, "aPublicKeys", index), search)


VALIDATORS["MQDSPUBLICKEYS"] = validate_MQDSPUBLICKEYS


# --------------------------------------------------------------------------- [MS-MQMQ] 2.2.4 TA_ADDRESS


TA_ADDRESS_ROWS = rows_by_id(RULES["TA_ADDRESS"])


def validate_TA_ADDRESS(record: TA_ADDRESS, trail: Trail, search: ViolationCollector) -> None:
    address_length = record.AddressLength
    address_type = record.AddressType
    address = record.Address
    if address_length != len(address):
        search.broken(record, trail, TA_ADDRESS_ROWS["MQMQ-2.2.4-01"])
    if address_type == 1 and address_length != 4:
        search.broken(record, trail, TA_ADDRESS_ROWS["MQMQ-2.2.4-02"])
    if address_type == 2 and address_length != 4:
        search.broken(record, trail, TA_ADDRESS_ROWS["MQMQ-2.2.4-02/2"])
    if address_type == 3 and address_length != 0xA:
        search.broken(record, trail, TA_ADDRESS_ROWS["MQMQ-2.2.4-02/3"])
    if address_type == 5 and address_length != 0x10:
        search.broken(record, trail, TA_ADDRESS_ROWS["MQMQ-2.2.4-02/4"])
    if address_type not in {1, 2, 3, 5}:
        search.broken(record, trail, TA_ADDRESS_ROWS["MQMQ-2.2.4-03"])


VALIDATORS["TA_ADDRESS"] = validate_TA_ADDRESS


# ------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4.1 MQFDirectQueueFormatName


MQF_DIRECT_QUEUE_FORMAT_NAME_ROWS = rows_by_id(RULES["MQFDirectQueueFormatName"])

mqf_direct_queue_format_name_mqmq_2_2_18_1_4_1_02 = MQF_DIRECT_QUEUE_FORMAT_NAME_ROWS[
    "MQMQ-2.2.18.1.4.1-02"
].value
mqf_direct_queue_format_name_mqmq_2_2_18_1_4_1_02_2 = MQF_DIRECT_QUEUE_FORMAT_NAME_ROWS[
    "MQMQ-2.2.18.1.4.1-02/2"
].value
mqf_direct_queue_format_name_mqmq_2_1_7_01 = MQF_DIRECT_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.1.7-01"].value


def validate_MQFDirectQueueFormatName(
    record: MQFDirectQueueFormatName, trail: Trail, search: ViolationCollector
) -> None:
    if not mqf_direct_queue_format_name_mqmq_2_2_18_1_4_1_02(record):
        search.broken(record, trail, MQF_DIRECT_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.2.18.1.4.1-02"])
    if search.practice:
        if not mqf_direct_queue_format_name_mqmq_2_2_18_1_4_1_02_2(record):
            search.broken(record, trail, MQF_DIRECT_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.2.18.1.4.1-02/2"])
    if not mqf_direct_queue_format_name_mqmq_2_1_7_01(record):
        search.broken(record, trail, MQF_DIRECT_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.1.7-01"])
    if search.profile is not None:
        search.lacking(record, trail)


VALIDATORS["MQFDirectQueueFormatName"] = validate_MQFDirectQueueFormatName


# ------------------------------------------------ [MS-MQMQ] 2.2.18.1.4.2 MQFDistributionQueueFormatName


MQF_DISTRIBUTION_QUEUE_FORMAT_NAME_ROWS = rows_by_id(RULES["MQFDistributionQueueFormatName"])


def validate_MQFDistributionQueueFormatName(
    record: MQFDistributionQueueFormatName, trail: Trail, search: ViolationCollector
) -> None:
    distribution_list_identifier = record.DistributionListIdentifier
    if distribution_list_identifier == NULL_GUID:
        search.broken(record, trail, MQF_DISTRIBUTION_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.2.18.1.4.2-02"])


VALIDATORS["MQFDistributionQueueFormatName"] = validate_MQFDistributionQueueFormatName


# --------------------------------------------------------- [MS-MQMQ] 2.2.18.1.5.2 DirectQueueFormatName


DIRECT_QUEUE_FORMAT_NAME_ROWS = rows_by_id(RULES["DirectQueueFormatName"])

direct_queue_format_name_mqmq_2_2_18_1_5_2_03_2 = DIRECT_QUEUE_FORMAT_NAME_ROWS[
    "MQMQ-2.2.18.1.5.2-03/2"
].value
direct_queue_format_name_mqmq_2_2_18_1_5_2_03_3 = DIRECT_QUEUE_FORMAT_NAME_ROWS[
    "MQMQ-2.2.18.1.5.2-03/3"
].value
direct_queue_format_name_mqmq_2_2_18_1_5_2_03_4 = DIRECT_QUEUE_FORMAT_NAME_ROWS[
    "MQMQ-2.2.18.1.5.2-03/4"
].value


def validate_DirectQueueFormatName(
    record: DirectQueueFormatName, trail: Trail, search: ViolationCollector
) -> None:
    count = record.Count
    direct_format_name = record.DirectFormatName
    if count != 2 * wchar_count(direct_format_name):
        search.broken(record, trail, DIRECT_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.2.18.1.5.2-02"])
    if not direct_format_name or direct_format_name.find("\0") != len(direct_format_name) - 1:
        search.broken(record, trail, DIRECT_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.2.18.1.5.2-03"])
    if not direct_queue_format_name_mqmq_2_2_18_1_5_2_03_2(record):
        search.broken(record, trail, DIRECT_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.2.18.1.5.2-03/2"])
    if search.practice:
        if not direct_queue_format_name_mqmq_2_2_18_1_5_2_03_3(record):
            search.broken(record, trail, DIRECT_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.2.18.1.5.2-03/3"])
    if not direct_queue_format_name_mqmq_2_2_18_1_5_2_03_4(record):
        search.broken(record, trail, DIRECT_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.2.18.1.5.2-03/4"])
    if search.profile is not None:
        search.lacking(record, trail)


VALIDATORS["DirectQueueFormatName"] = validate_DirectQueueFormatName


# --------------------------------------------------------- [MS-MQMQ] 2.2.18.1.7.1 PublicQueueFormatName


PUBLIC_QUEUE_FORMAT_NAME_ROWS = rows_by_id(RULES["PublicQueueFormatName"])


def validate_PublicQueueFormatName(
    record: PublicQueueFormatName, trail: Trail, search: ViolationCollector
) -> None:
    public_queue_identifier = record.PublicQueueIdentifier
    if public_queue_identifier == NULL_GUID:
        search.broken(record, trail, PUBLIC_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.2.18.1.7.1-02"])


VALIDATORS["PublicQueueFormatName"] = validate_PublicQueueFormatName


# -------------------------------------------------------- [MS-MQMQ] 2.2.18.1.7.2 PrivateQueueFormatName


PRIVATE_QUEUE_FORMAT_NAME_ROWS = rows_by_id(RULES["PrivateQueueFormatName"])


def validate_PrivateQueueFormatName(
    record: PrivateQueueFormatName, trail: Trail, search: ViolationCollector
) -> None:
    source_queue_manager = record.SourceQueueManager
    if source_queue_manager == NULL_GUID:
        search.broken(record, trail, PRIVATE_QUEUE_FORMAT_NAME_ROWS["MQMQ-2.2.18.1.7.2-02"])


VALIDATORS["PrivateQueueFormatName"] = validate_PrivateQueueFormatName


# ------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4 MQFFormatNameElement


MQF_FORMAT_NAME_ELEMENT_ROWS = rows_by_id(RULES["MQFFormatNameElement"])

MQF_FORMAT_NAME_ELEMENT_FORMAT_NAME_FORMS = {
    1: PublicQueueFormatName,
    2: PrivateQueueFormatName,
    3: MQFDirectQueueFormatName,
    6: MQFDistributionQueueFormatName,
}


def validate_MQFFormatNameElement(
    record: MQFFormatNameElement, trail: Trail, search: ViolationCollector
) -> None:
    format_type = record.FormatType
    format_name = record.FormatName
    if format_type not in {1, 2, 3, 6}:
        search.broken(record, trail, MQF_FORMAT_NAME_ELEMENT_ROWS["MQMQ-2.2.18.1.4-01"])
    if (
        MQF_FORMAT_NAME_ELEMENT_FORMAT_NAME_FORMS.get(format_type, format_name.__class__)
        is not format_name.__class__
    ):
        search.broken(record, trail, MQF_FORMAT_NAME_ELEMENT_ROWS["MQMQ-2.2.18.1.4-02"])
    if format_name is not None:
        validate = VALIDATORS.get(format_name.__class__.__name__)
        if validate is not None:
            validate(format_name, (trail, "FormatName"), search)


VALIDATORS["MQFFormatNameElement"] = validate_MQFFormatNameElement


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.19.1 BaseHeader


BASE_HEADER_ROWS = rows_by_id(RULES["BaseHeader"])


def validate_BaseHeader(record: BaseHeader, trail: Trail, search: ViolationCollector) -> None:
    version_number = record.VersionNumber
    reserved = record.Reserved
    flags = record.Flags
    signature = record.Signature
    packet_size = record.PacketSize
    if version_number != 0x10:
        search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-01"])
    if search.practice:
        if reserved == 0x5A:
            search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-02"])
    if flags & 0x100 and not flags & 0x20:
        search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-15"])
    if signature != 0x524F494C:
        search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-30"])
    if packet_size > 0x400000:
        search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-37"])
    if search.should:
        if flags & 0xFEC0:
            if flags & 0x40:
                search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-10"])
            if flags & 0x80:
                search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-12"])
            if flags & 0x200:
                search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-16"])
            if flags & 0x400:
                search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-18"])
            if flags & 0x800:
                search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-20"])
            if flags & 0x1000:
                search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-22"])
            if flags & 0x2000:
                search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-24"])
            if flags & 0x4000:
                search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-26"])
            if flags & 0x8000:
                search.broken(record, trail, BASE_HEADER_ROWS["MQMQ-2.2.19.1-28"])


VALIDATORS["BaseHeader"] = validate_BaseHeader


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.19.2 UserHeader


USER_HEADER_ROWS = rows_by_id(RULES["UserHeader"])

user_header_mqrr_2_2_5_1_01 = USER_HEADER_ROWS["MQRR-2.2.5.1-01"].value
user_header_mqrr_2_2_5_1_02 = USER_HEADER_ROWS["MQRR-2.2.5.1-02"].value
user_header_mqrr_2_2_5_1_03 = USER_HEADER_ROWS["MQRR-2.2.5.1-03"].value
USER_HEADER_DESTINATION_QUEUE_FORMS = {
    0: NoneType,
    3: PrivateQueueFormatNameId,
    5: PublicQueueFormatName,
    7: DirectQueueFormatName,
}
USER_HEADER_ADMIN_QUEUE_FORMS = {
    0: NoneType,
    2: PrivateQueueFormatNameId,
    3: PrivateQueueFormatNameId,
    5: PublicQueueFormatName,
    6: PrivateQueueFormatName,
    7: DirectQueueFormatName,
}
USER_HEADER_RESPONSE_QUEUE_FORMS = {
    0: NoneType,
    1: NoneType,
    2: PrivateQueueFormatNameId,
    3: PrivateQueueFormatNameId,
    4: PrivateQueueFormatNameId,
    5: PublicQueueFormatName,
    6: PrivateQueueFormatName,
    7: DirectQueueFormatName,
}
USER_HEADER_IN_CONTEXT = tuple(row for row in USER_HEADER_ROWS.values() if row.needs)


def validate_UserHeader(record: UserHeader, trail: Trail, search: ViolationCollector) -> None:
    source_queue_manager = record.SourceQueueManager
    queue_manager_address = record.QueueManagerAddress
    flags = record.Flags
    destination_queue = record.DestinationQueue
    admin_queue = record.AdminQueue
    response_queue = record.ResponseQueue
    connector_type = record.ConnectorType
    if search.practice:
        if source_queue_manager == NULL_GUID:
            search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-01"])
    if search.channel != "remote-read":
        if flags >> 10 & 0x7 == 7 and queue_manager_address != NULL_GUID:
            search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-04"])
        if flags >> 10 & 0x7 in {3, 5} and queue_manager_address == NULL_GUID:
            search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-03"])
    if flags & 0x1F > 0x1D:
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-08"])
    if flags >> 5 & 0x3 not in {0, 1}:
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-09"])
    if flags >> 10 & 0x7 not in {0, 3, 5, 7}:
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-16"])
    if flags >> 13 & 0x7 not in {0, 2, 3, 5, 6, 7}:
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-17"])
    if flags & 0x100000 and not flags & 0x60:
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-23"])
    if not flags & 0x200000:
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-24"])
    if connector_type is None and flags & 0x400000:
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-25"])
    if connector_type is not None and not flags & 0x400000:
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-26"])
    if flags >> 16 & 0x7 in {1, 4} and not flags & 0xE000:
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-47"])
    if (
        USER_HEADER_DESTINATION_QUEUE_FORMS.get(flags >> 10 & 0x7, destination_queue.__class__)
        is not destination_queue.__class__
    ):
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-50"])
    if (
        USER_HEADER_ADMIN_QUEUE_FORMS.get(flags >> 13 & 0x7, admin_queue.__class__)
        is not admin_queue.__class__
    ):
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-51"])
    if (
        USER_HEADER_RESPONSE_QUEUE_FORMS.get(flags >> 16 & 0x7, response_queue.__class__)
        is not response_queue.__class__
    ):
        search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-52"])
    if search.channel in {"session", "directory"}:
        if flags & 0x2000000:
            search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-31"])
    if search.should:
        if flags & 0xED000080:
            if flags & 0x80:
                search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-12"])
            if flags & 0x1000000:
                search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-29"])
            if flags & 0xE0000000:
                search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-36"])
            if flags & 0xC000000:
                search.broken(record, trail, USER_HEADER_ROWS["MQMQ-2.2.19.2-32"])
    if search.channel == "remote-read":
        if flags >> 10 & 0x7 == 7 and not user_header_mqrr_2_2_5_1_01(record):
            search.broken(record, trail, USER_HEADER_ROWS["MQRR-2.2.5.1-01"])
        if flags >> 10 & 0x7 == 7 and not user_header_mqrr_2_2_5_1_02(record):
            search.broken(record, trail, USER_HEADER_ROWS["MQRR-2.2.5.1-02"])
        if flags >> 10 & 0x7 == 7 and not user_header_mqrr_2_2_5_1_03(record):
            search.broken(record, trail, USER_HEADER_ROWS["MQRR-2.2.5.1-03"])
    if search.context is not None:
        search.in_context(record, trail, USER_HEADER_IN_CONTEXT)
    if search.profile is not None:
        search.lacking(record, trail)
    if destination_queue is not None:
        validate = VALIDATORS.get(destination_queue.__class__.__name__)
        if validate is not None:
            validate(destination_queue, (trail, "DestinationQueue"), search)
    if admin_queue is not None:
        validate = VALIDATORS.get(admin_queue.__class__.__name__)
        if validate is not None:
            validate(admin_queue, (trail, "AdminQueue"), search)
    if response_queue is not None:
        validate = VALIDATORS.get(response_queue.__class__.__name__)
        if validate is not None:
            validate(response_queue, (trail, "ResponseQueue"), search)


VALIDATORS["UserHeader"] = validate_UserHeader


# ----------------------------------------------------------- [MS-MQMQ] 2.2.19.3 MessagePropertiesHeader


MESSAGE_PROPERTIES_HEADER_ROWS = rows_by_id(RULES["MessagePropertiesHeader"])

message_properties_header_mqmq_2_2_19_3_40 = MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-40"].value


def validate_MessagePropertiesHeader(
    record: MessagePropertiesHeader, trail: Trail, search: ViolationCollector
) -> None:
    flags = record.Flags
    label_length = record.LabelLength
    message_class = record.MessageClass
    body_type = record.BodyType
    message_size = record.MessageSize
    allocation_body_size = record.AllocationBodySize
    privacy_level = record.PrivacyLevel
    hash_algorithm = record.HashAlgorithm
    encryption_algorithm = record.EncryptionAlgorithm
    extension_size = record.ExtensionSize
    label = record.Label
    extension_data = record.ExtensionData
    message_body = record.MessageBody
    if search.should:
        if flags & 0x10:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-05"])
        if flags & 0x20:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-07"])
        if flags & 0x40:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-09"])
        if flags & 0x80:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-11"])
    if label_length != wchar_count(label):
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-13"])
    if (
        message_class
        not in {
            0,
            1,
            2,
            0xFF,
            0x4000,
            0x8000,
            0x8001,
            0x8002,
            0x8003,
            0x8004,
            0x8005,
            0x8006,
            0x8007,
            0x8009,
            0x800A,
            0x800B,
            0xC000,
            0xC001,
            0xC002,
            0xC004,
        }
        and message_class & 0x1E00
    ):
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-16"])
    if body_type not in {
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        0xB,
        0xC,
        0x10,
        0x11,
        0x12,
        0x13,
        0x14,
        0x15,
        0x1E,
        0x1F,
        0x41,
        0x44,
        0x45,
        0x48,
        0x300,
        0x1000,
        0x1001,
        0x1002,
        0x1003,
        0x100B,
        0x100C,
        0x1010,
        0x1011,
        0x1012,
        0x1013,
        0x1014,
        0x1015,
        0x101F,
        0x1041,
        0x1048,
        0x2011,
    }:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20"])
    if search.practice:
        if body_type == 4:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20/2"])
        if body_type == 5:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20/3"])
        if body_type == 6:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20/4"])
        if body_type == 7:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20/5"])
        if body_type == 8:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20/6"])
        if body_type == 0x1E:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20/7"])
        if body_type == 0x44:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20/8"])
        if body_type == 0x45:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20/9"])
        if body_type == 0x300:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20/10"])
        if body_type == 0x2011:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-20/11"])
    if body_type == 0xC:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.12-07"])
    if body_type == 0x1000:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.12-17"])
    if message_size != len(message_body):
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-22"])
    if allocation_body_size < message_size:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-24"])
    if allocation_body_size > 0x400000:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-24/2"])
    if privacy_level not in {0, 1, 3, 5}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-25"])
    if privacy_level == 0 and encryption_algorithm not in {0, 0x6602, 0x660E, 0x660F, 0x6610, 0x6801}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-29"])
    if privacy_level != 0 and encryption_algorithm not in {0x6602, 0x660E, 0x660F, 0x6610, 0x6801}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-29/2"])
    if privacy_level in {1, 3} and encryption_algorithm in {0x660E, 0x660F, 0x6610}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-31"])
    if privacy_level == 5 and encryption_algorithm in {0x6602, 0x6801}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-31/2"])
    if extension_size != len(extension_data):
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-33"])
    if label.find("\0") != len(label) - 1:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-36"])
    if not message_properties_header_mqmq_2_2_19_3_40(record):
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-40"])
    if label_length > 0xFA:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-42"])
    if hash_algorithm not in {0, 0x8001, 0x8002, 0x8003, 0x8004, 0x800C, 0x800E}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-43"])
    if search.practice:
        if hash_algorithm == 0:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS["MQMQ-2.2.19.3-43/2"])
    if search.profile is not None:
        search.lacking(record, trail)


VALIDATORS["MessagePropertiesHeader"] = validate_MessagePropertiesHeader


# ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.2 MQFAddressHeader


MQF_ADDRESS_HEADER_ROWS = rows_by_id(RULES["MQFAddressHeader"])

mqf_address_header_mqmq_2_2_20_2_01 = MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.20.2-01"].value
mqf_address_header_mqmq_2_2_20_2_05_2 = MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.20.2-05/2"].value
mqf_address_header_mqmq_2_2_20_1_02 = MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.20.1-02"].value
mqf_address_header_mqmq_2_2_18_1_4_1_03 = MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.18.1.4.1-03"].value
mqf_address_header_mqmq_2_2_18_1_4_2_03 = MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.18.1.4.2-03"].value
mqf_address_header_mqmq_2_2_18_1_7_2_05 = MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.18.1.7.2-05"].value


def validate_MQFAddressHeader(record: MQFAddressHeader, trail: Trail, search: ViolationCollector) -> None:
    header_id = record.HeaderID
    reserved = record.Reserved
    element_count = record.ElementCount
    format_name_list = record.FormatNameList
    if not mqf_address_header_mqmq_2_2_20_2_01(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.20.2-01"])
    if header_id not in {0x64, 0xC8, 0x12C}:
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.20.2-02"])
    if search.should:
        if reserved != 0:
            search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.20.2-03"])
    if element_count != len(format_name_list):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.20.2-05"])
    if not mqf_address_header_mqmq_2_2_20_2_05_2(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.20.2-05/2"])
    if not mqf_address_header_mqmq_2_2_20_1_02(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.20.1-02"])
    if not mqf_address_header_mqmq_2_2_18_1_4_1_03(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.18.1.4.1-03"])
    if not mqf_address_header_mqmq_2_2_18_1_4_2_03(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.18.1.4.2-03"])
    if not mqf_address_header_mqmq_2_2_18_1_7_2_05(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS["MQMQ-2.2.18.1.7.2-05"])
    for index, element in enumerate(format_name_list):
        validate_MQFFormatNameElement(element, (trail, "FormatNameList", index), search)


VALIDATORS["MQFAddressHeader"] = validate_MQFAddressHeader


# ---------------------------------------------------------------- [MS-MQMQ] 2.2.20.3 MQFSignatureHeader


MQF_SIGNATURE_HEADER_ROWS = rows_by_id(RULES["MQFSignatureHeader"])


def validate_MQFSignatureHeader(record: MQFSignatureHeader, trail: Trail, search: ViolationCollector) -> None:
    id_ = record.ID
    reserved = record.Reserved
    size_ = record.Size
    signature = record.Signature
    if id_ != 0x15E:
        search.broken(record, trail, MQF_SIGNATURE_HEADER_ROWS["MQMQ-2.2.20.3-01"])
    if search.should:
        if reserved != 0:
            search.broken(record, trail, MQF_SIGNATURE_HEADER_ROWS["MQMQ-2.2.20.3-02"])
    if size_ != len(signature):
        search.broken(record, trail, MQF_SIGNATURE_HEADER_ROWS["MQMQ-2.2.20.3-04"])


VALIDATORS["MQFSignatureHeader"] = validate_MQFSignatureHeader


# ------------------------------------------------------------ [MS-MQMQ] 2.2.20.1 MultiQueueFormatHeader


MULTI_QUEUE_FORMAT_HEADER_ROWS = rows_by_id(RULES["MultiQueueFormatHeader"])

multi_queue_format_header_mqmq_2_2_19_1_31 = MULTI_QUEUE_FORMAT_HEADER_ROWS["MQMQ-2.2.19.1-31"].value


def validate_MultiQueueFormatHeader(
    record: MultiQueueFormatHeader, trail: Trail, search: ViolationCollector
) -> None:
    destination = record.Destination
    administration = record.Administration
    response = record.Response
    signature = record.Signature
    destination_element_count = destination.ElementCount
    destination_header_id = destination.HeaderID
    administration_header_id = administration.HeaderID
    response_header_id = response.HeaderID
    if destination_element_count == 0:
        search.broken(record, trail, MULTI_QUEUE_FORMAT_HEADER_ROWS["MQMQ-2.2.20.1-01"])
    if destination_header_id != 0x64:
        search.broken(record, trail, MULTI_QUEUE_FORMAT_HEADER_ROWS["MQMQ-2.2.20.2-02"])
    if administration_header_id != 0xC8:
        search.broken(record, trail, MULTI_QUEUE_FORMAT_HEADER_ROWS["MQMQ-2.2.20.2-02/2"])
    if response_header_id != 0x12C:
        search.broken(record, trail, MULTI_QUEUE_FORMAT_HEADER_ROWS["MQMQ-2.2.20.2-02/3"])
    if not multi_queue_format_header_mqmq_2_2_19_1_31(record):
        search.broken(record, trail, MULTI_QUEUE_FORMAT_HEADER_ROWS["MQMQ-2.2.19.1-31"])
    validate_MQFAddressHeader(destination, (trail, "Destination"), search)
    validate_MQFAddressHeader(administration, (trail, "Administration"), search)
    validate_MQFAddressHeader(response, (trail, "Response"), search)
    validate_MQFSignatureHeader(signature, (trail, "Signature"), search)


VALIDATORS["MultiQueueFormatHeader"] = validate_MultiQueueFormatHeader


# --------------------------------------------------------------------- [MS-MQMQ] 2.2.20.4 SessionHeader


SESSION_HEADER_ROWS = rows_by_id(RULES["SessionHeader"])


def validate_SessionHeader(record: SessionHeader, trail: Trail, search: ViolationCollector) -> None:
    recoverable_msg_ack_seq_number = record.RecoverableMsgAckSeqNumber
    recoverable_msg_ack_flags = record.RecoverableMsgAckFlags
    window_size = record.WindowSize
    if search.should:
        if window_size != 0x40:
            search.broken(record, trail, SESSION_HEADER_ROWS["MQMQ-2.2.20.4-13"])
    if window_size < 0x1:
        search.broken(record, trail, SESSION_HEADER_ROWS["MQMQ-2.2.20.4-15"])
    if recoverable_msg_ack_seq_number != 0 and not recoverable_msg_ack_flags & 0x1:
        search.broken(record, trail, SESSION_HEADER_ROWS["MQMQ-2.2.20.4-09"])
    if recoverable_msg_ack_flags != 0 and not recoverable_msg_ack_flags & 0x1:
        search.broken(record, trail, SESSION_HEADER_ROWS["MQMQ-2.2.20.4-09/2"])


VALIDATORS["SessionHeader"] = validate_SessionHeader


# ----------------------------------------------------------------- [MS-MQMQ] 2.2.20.5 TransactionHeader


TRANSACTION_HEADER_ROWS = rows_by_id(RULES["TransactionHeader"])

transaction_header_mqmq_2_2_20_5_36 = TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-36"].value


def validate_TransactionHeader(record: TransactionHeader, trail: Trail, search: ViolationCollector) -> None:
    flags = record.Flags
    tx_sequence_number = record.TxSequenceNumber
    previous_tx_sequence_number = record.PreviousTxSequenceNumber
    connector_qm_guid = record.ConnectorQMGuid
    if connector_qm_guid is None and flags & 0x1:
        search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-03"])
    if search.should:
        if flags & 0xFF000000:
            if flags & 0x1000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-10"])
            if flags & 0x2000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-12"])
            if flags & 0x4000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-14"])
            if flags & 0x8000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-16"])
            if flags & 0x10000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-18"])
            if flags & 0x20000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-20"])
            if flags & 0x40000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-22"])
            if flags & 0x80000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-24"])
    if connector_qm_guid is not None and not flags & 0x1:
        search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-31"])
    if tx_sequence_number < 0x1:
        search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-33"])
    if previous_tx_sequence_number > 0xFFFFFFFE:
        search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-34"])
    if (
        tx_sequence_number != 0
        and previous_tx_sequence_number != 0xFFFFFFFF
        and not transaction_header_mqmq_2_2_20_5_36(record)
    ):
        search.broken(record, trail, TRANSACTION_HEADER_ROWS["MQMQ-2.2.20.5-36"])
    if search.profile is not None:
        search.lacking(record, trail)


VALIDATORS["TransactionHeader"] = validate_TransactionHeader


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SecurityData


SECURITY_DATA_ROWS = rows_by_id(RULES["SecurityData"])

security_data_mqmq_2_2_20_6_25 = SECURITY_DATA_ROWS["MQMQ-2.2.20.6-25"].value
security_data_mqmq_2_2_20_6_25_2 = SECURITY_DATA_ROWS["MQMQ-2.2.20.6-25/2"].value
security_data_mqmq_2_2_20_6_25_3 = SECURITY_DATA_ROWS["MQMQ-2.2.20.6-25/3"].value
security_data_mqmq_2_2_20_6_25_4 = SECURITY_DATA_ROWS["MQMQ-2.2.20.6-25/4"].value
security_data_mqmq_2_2_20_6_25_5 = SECURITY_DATA_ROWS["MQMQ-2.2.20.6-25/5"].value
security_data_mqqb_2_4_2_02 = SECURITY_DATA_ROWS["MQQB-2.4.2-02"].value
security_data_mqqb_3_1_7_1_4_01 = SECURITY_DATA_ROWS["MQQB-3.1.7.1.4-01"].value
read_security_data_encryption_key = embedded_in("SecurityData", "EncryptionKey").read
read_security_data_sender_cert = embedded_in("SecurityData", "SenderCert").read
read_security_data_provider_info = embedded_in("SecurityData", "ProviderInfo").read


def validate_SecurityData(record: SecurityData, trail: Trail, search: ViolationCollector) -> None:
    if not security_data_mqmq_2_2_20_6_25(record):
        search.broken(record, trail, SECURITY_DATA_ROWS["MQMQ-2.2.20.6-25"])
    if not security_data_mqmq_2_2_20_6_25_2(record):
        search.broken(record, trail, SECURITY_DATA_ROWS["MQMQ-2.2.20.6-25/2"])
    if not security_data_mqmq_2_2_20_6_25_3(record):
        search.broken(record, trail, SECURITY_DATA_ROWS["MQMQ-2.2.20.6-25/3"])
    if not security_data_mqmq_2_2_20_6_25_4(record):
        search.broken(record, trail, SECURITY_DATA_ROWS["MQMQ-2.2.20.6-25/4"])
    if not security_data_mqmq_2_2_20_6_25_5(record):
        search.broken(record, trail, SECURITY_DATA_ROWS["MQMQ-2.2.20.6-25/5"])
    if not security_data_mqqb_2_4_2_02(record):
        search.broken(record, trail, SECURITY_DATA_ROWS["MQQB-2.4.2-02"])
    if not security_data_mqqb_3_1_7_1_4_01(record):
        search.broken(record, trail, SECURITY_DATA_ROWS["MQQB-3.1.7.1.4-01"])
    if record.EncryptionKey:
        for where, offset, inner in read_security_data_encryption_key(record):
            validate = VALIDATORS.get(inner.__class__.__name__)
            if validate is not None:
                validate(inner, (trail, "EncryptionKey", *where, Inside(offset, inner)), search)
    if record.SenderCert.startswith(b"\x06\x02\x00\x00"):
        for where, offset, inner in read_security_data_sender_cert(record):
            validate = VALIDATORS.get(inner.__class__.__name__)
            if validate is not None:
                validate(inner, (trail, "SenderCert", *where, Inside(offset, inner)), search)
    if record.ProviderInfo:
        for where, offset, inner in read_security_data_provider_info(record):
            validate = VALIDATORS.get(inner.__class__.__name__)
            if validate is not None:
                validate(inner, (trail, "ProviderInfo", *where, Inside(offset, inner)), search)


VALIDATORS["SecurityData"] = validate_SecurityData


# -------------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SecurityHeader


SECURITY_HEADER_ROWS = rows_by_id(RULES["SecurityHeader"])

security_header_mqmq_2_2_20_6_03 = SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-03"].value
security_header_mqmq_2_2_20_6_04 = SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-04"].value
security_header_mqmq_2_2_20_6_07 = SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-07"].value
security_header_mqmq_2_2_20_6_46 = SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-46"].value


def validate_SecurityHeader(record: SecurityHeader, trail: Trail, search: ViolationCollector) -> None:
    flags = record.Flags
    sender_id_size = record.SenderIdSize
    encryption_key_size = record.EncryptionKeySize
    signature_size = record.SignatureSize
    sender_cert_size = record.SenderCertSize
    provider_info_size = record.ProviderInfoSize
    security_data = record.SecurityData
    if flags & 0xF not in {0, 1, 2}:
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-01"])
    if not flags & 0xF and sender_id_size != 0:
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-02"])
    if flags & 0xF == 1 and not security_header_mqmq_2_2_20_6_03(record):
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-03"])
    if flags & 0xF == 2 and not security_header_mqmq_2_2_20_6_04(record):
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-04"])
    if flags & 0x10:
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-05"])
    if not flags & 0x40 and signature_size != 0 and not security_header_mqmq_2_2_20_6_07(record):
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-07"])
    if security_data is None and flags & 0x80:
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-08"])
    if search.channel in {"session", "directory"}:
        if flags & 0xF00:
            search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-09"])
    if search.channel in {"remote-read", "stored"}:
        if flags >> 8 & 0xF not in {0, 1, 3, 5}:
            search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-09/2"])
    if search.should:
        if flags & 0xF000:
            if flags & 0x1000:
                search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-10"])
            if flags & 0x2000:
                search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-12"])
            if flags & 0x4000:
                search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-14"])
            if flags & 0x8000:
                search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-16"])
    if sender_id_size != (len(security_data.SecurityID) if security_data is not None else 0):
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-18"])
    if encryption_key_size != (len(security_data.EncryptionKey) if security_data is not None else 0):
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-19"])
    if signature_size != (len(security_data.Signature) if security_data is not None else 0):
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-20"])
    if sender_cert_size != (len(security_data.SenderCert) if security_data is not None else 0):
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-21"])
    if provider_info_size != (len(security_data.ProviderInfo) if security_data is not None else 0):
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-22"])
    if (
        encryption_key_size == 0
        and signature_size == 0
        and sender_cert_size == 0
        and provider_info_size == 0
        and sender_id_size == 0
    ):
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-23"])
    if flags & 0x40 and provider_info_size != 0:
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-43"])
    if sender_cert_size > 0xFFFF:
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-44"])
    if not security_header_mqmq_2_2_20_6_46(record):
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-46"])
    if flags & 0x20 and encryption_key_size == 0:
        search.broken(record, trail, SECURITY_HEADER_ROWS["MQMQ-2.2.20.6-06"])
    if security_data is not None:
        validate_SecurityData(security_data, (trail, "SecurityData"), search)


VALIDATORS["SecurityHeader"] = validate_SecurityHeader


# --------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SenderCertPublicKey


SENDER_CERT_PUBLIC_KEY_ROWS = rows_by_id(RULES["SenderCertPublicKey"])

sender_cert_public_key_mqmq_2_2_20_6_34 = SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-34"].value
sender_cert_public_key_mqmq_2_2_20_6_40 = SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-40"].value


def validate_SenderCertPublicKey(
    record: SenderCertPublicKey, trail: Trail, search: ViolationCollector
) -> None:
    b_type = record.bType
    b_version = record.bVersion
    reserved = record.reserved
    key_type = record.KeyType
    magic = record.magic
    public_exponent = record.PublicExponent
    if key_type not in {0x2400, 0xA400}:
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-32"])
    if not public_exponent & 0x1:
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-36"])
    if public_exponent == 1:
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-36/2"])
    if b_type != 6:
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-48"])
    if b_version != 2:
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-48/2"])
    if reserved != 0:
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-48/3"])
    if magic != b"RSA1":
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-48/4"])
    if not sender_cert_public_key_mqmq_2_2_20_6_34(record):
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-34"])
    if not sender_cert_public_key_mqmq_2_2_20_6_40(record):
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS["MQMQ-2.2.20.6-40"])


VALIDATORS["SenderCertPublicKey"] = validate_SenderCertPublicKey


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.20.7 SoapHeader


SOAP_HEADER_ROWS = rows_by_id(RULES["SoapHeader"])

soap_header_mqmq_2_2_19_1_31 = SOAP_HEADER_ROWS["MQMQ-2.2.19.1-31"].value
soap_header_mqmq_2_2_19_1_31_2 = SOAP_HEADER_ROWS["MQMQ-2.2.19.1-31/2"].value


def validate_SoapHeader(record: SoapHeader, trail: Trail, search: ViolationCollector) -> None:
    header_section_id = record.HeaderSectionID
    reserved = record.Reserved
    header_data_length = record.HeaderDataLength
    header = record.Header
    body_section_id = record.BodySectionID
    reserved1 = record.Reserved1
    body_data_length = record.BodyDataLength
    body = record.Body
    if header_section_id != 0x320:
        search.broken(record, trail, SOAP_HEADER_ROWS["MQMQ-2.2.20.7-01"])
    if search.should:
        if reserved != 0:
            search.broken(record, trail, SOAP_HEADER_ROWS["MQMQ-2.2.20.7-02"])
    if header_data_length != wchar_count(header):
        search.broken(record, trail, SOAP_HEADER_ROWS["MQMQ-2.2.20.7-04"])
    if body_section_id != 0x384:
        search.broken(record, trail, SOAP_HEADER_ROWS["MQMQ-2.2.20.7-05"])
    if search.should:
        if reserved1 != 0:
            search.broken(record, trail, SOAP_HEADER_ROWS["MQMQ-2.2.20.7-06"])
    if body_data_length != wchar_count(body):
        search.broken(record, trail, SOAP_HEADER_ROWS["MQMQ-2.2.20.7-08"])
    if header.find("\0") != len(header) - 1:
        search.broken(record, trail, SOAP_HEADER_ROWS["MQMQ-2.2.20.7-09"])
    if body.find("\0") != len(body) - 1:
        search.broken(record, trail, SOAP_HEADER_ROWS["MQMQ-2.2.20.7-10"])
    if not soap_header_mqmq_2_2_19_1_31(record):
        search.broken(record, trail, SOAP_HEADER_ROWS["MQMQ-2.2.19.1-31"])
    if not soap_header_mqmq_2_2_19_1_31_2(record):
        search.broken(record, trail, SOAP_HEADER_ROWS["MQMQ-2.2.19.1-31/2"])


VALIDATORS["SoapHeader"] = validate_SoapHeader


# ----------------------------------------------------------------------- [MS-MQMQ] 2.2.20.8 DebugHeader


DEBUG_HEADER_ROWS = rows_by_id(RULES["DebugHeader"])


def validate_DebugHeader(record: DebugHeader, trail: Trail, search: ViolationCollector) -> None:
    flags = record.Flags
    reserved = record.Reserved
    queue_identifier = record.QueueIdentifier
    if flags & 0x3 not in {0, 1}:
        search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-01"])
    if search.should:
        if flags & 0xFFFC:
            if flags & 0x4:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-02"])
            if flags & 0x8:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-04"])
            if flags & 0x10:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-06"])
            if flags & 0x20:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-08"])
            if flags & 0x40:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-10"])
            if flags & 0x80:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-12"])
            if flags & 0x100:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-14"])
            if flags & 0x200:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-16"])
            if flags & 0x400:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-18"])
            if flags & 0x800:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-20"])
            if flags & 0x1000:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-22"])
            if flags & 0x2000:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-24"])
            if flags & 0x4000:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-26"])
            if flags & 0x8000:
                search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-28"])
        if reserved != 0:
            search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-30"])
    if queue_identifier is None and flags & 0x3 == 1:
        search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-32"])
    if queue_identifier is not None and flags & 0x3 != 1:
        search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-33"])
    if queue_identifier == NULL_GUID:
        search.broken(record, trail, DEBUG_HEADER_ROWS["MQMQ-2.2.20.8-34"])


VALIDATORS["DebugHeader"] = validate_DebugHeader


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.22 MQUSERSIGNCERT


MQUSERSIGNCERT_ROWS = rows_by_id(RULES["MQUSERSIGNCERT"])

mqusersigncert_mqmq_2_2_22_01 = MQUSERSIGNCERT_ROWS["MQMQ-2.2.22-01"].value


def validate_MQUSERSIGNCERT(record: MQUSERSIGNCERT, trail: Trail, search: ViolationCollector) -> None:
    certificate_length = record.CertificateLength
    certificate = record.Certificate
    if not mqusersigncert_mqmq_2_2_22_01(record):
        search.broken(record, trail, MQUSERSIGNCERT_ROWS["MQMQ-2.2.22-01"])
    if certificate_length != len(certificate):
        search.broken(record, trail, MQUSERSIGNCERT_ROWS["MQMQ-2.2.22-02"])


VALIDATORS["MQUSERSIGNCERT"] = validate_MQUSERSIGNCERT


# --------------------------------------------------------------------- [MS-MQMQ] 2.2.21 MQUSERSIGNCERTS


MQUSERSIGNCERTS_ROWS = rows_by_id(RULES["MQUSERSIGNCERTS"])


def validate_MQUSERSIGNCERTS(record: MQUSERSIGNCERTS, trail: Trail, search: ViolationCollector) -> None:
    certificate_count = record.CertificateCount
    certificates = record.Certificates
    if certificate_count != len(certificates):
        search.broken(record, trail, MQUSERSIGNCERTS_ROWS["MQMQ-2.2.21-01"])
    for index, element in enumerate(certificates):
        validate_MQUSERSIGNCERT(element, (trail, "Certificates", index), search)


VALIDATORS["MQUSERSIGNCERTS"] = validate_MQUSERSIGNCERTS
