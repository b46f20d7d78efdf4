"""Verdicts on [MS-MQMQ]: the data structures of Message Queuing.

Generated from `checks.rules` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING

from msmq_wire.checks.places import Inside
from msmq_wire.checks.rules import EMBEDDED, RULES
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

from .registry import VERDICTS

if TYPE_CHECKING:
    from msmq_wire.checks.search import Search, Trail
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
__all__ = [
    "judge_BaseHeader",
    "judge_DebugHeader",
    "judge_DirectQueueFormatName",
    "judge_MQDSPUBLICKEY",
    "judge_MQDSPUBLICKEYS",
    "judge_MQFAddressHeader",
    "judge_MQFDirectQueueFormatName",
    "judge_MQFFormatNameElement",
    "judge_MQFSignatureHeader",
    "judge_MQUSERSIGNCERT",
    "judge_MQUSERSIGNCERTS",
    "judge_MessagePropertiesHeader",
    "judge_MultiQueueFormatHeader",
    "judge_SecurityData",
    "judge_SecurityHeader",
    "judge_SenderCertPublicKey",
    "judge_SessionHeader",
    "judge_SoapHeader",
    "judge_TA_ADDRESS",
    "judge_TransactionHeader",
    "judge_UserHeader",
]


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.1 MQDSPUBLICKEY


MQDSPUBLICKEY_ROWS = RULES["MQDSPUBLICKEY"]

mqdspublickey_3 = MQDSPUBLICKEY_ROWS[3].value
read_mqdspublickey = EMBEDDED["MQDSPUBLICKEY"][0].read


def judge_MQDSPUBLICKEY(record: MQDSPUBLICKEY, trail: Trail, search: Search) -> None:
    s_provider_name = record.sProviderName
    if record.ulKeyLen != len(record.aBuf):
        search.broken(record, trail, MQDSPUBLICKEY_ROWS[0])  # MQMQ-2.2.1-01
    if record.ulProviderLen != 2 * wchar_count(s_provider_name):
        search.broken(record, trail, MQDSPUBLICKEY_ROWS[1])  # MQMQ-2.2.1-02
    if record.ulProviderType not in {1, 0x18}:
        search.broken(record, trail, MQDSPUBLICKEY_ROWS[2])  # MQMQ-2.2.1-04
    if not mqdspublickey_3(record):
        search.broken(record, trail, MQDSPUBLICKEY_ROWS[3])  # MQMQ-2.2.1-05
    if not s_provider_name or s_provider_name.find("\0") != len(s_provider_name) - 1:
        search.broken(record, trail, MQDSPUBLICKEY_ROWS[4])  # MQMQ-2.2.1-06
    if record.aBuf.startswith(b"\x06\x02"):
        for where, offset, inner in read_mqdspublickey(record):
            judge = VERDICTS.get(inner.__class__.__name__)
            if judge is not None:
                judge(inner, (trail, "aBuf", *where, Inside(offset, inner)), search)


VERDICTS["MQDSPUBLICKEY"] = judge_MQDSPUBLICKEY


# ----------------------------------------------------------------------- [MS-MQMQ] 2.2.2 MQDSPUBLICKEYS


MQDSPUBLICKEYS_ROWS = RULES["MQDSPUBLICKEYS"]


def judge_MQDSPUBLICKEYS(record: MQDSPUBLICKEYS, trail: Trail, search: Search) -> None:
    a_public_keys = record.aPublicKeys
    if record.ulLen != size_of_record(record):
        search.broken(record, trail, MQDSPUBLICKEYS_ROWS[0])  # MQMQ-2.2.2-01
    if record.cNumofKeys != len(a_public_keys):
        search.broken(record, trail, MQDSPUBLICKEYS_ROWS[1])  # MQMQ-2.2.2-02
    for index, element in enumerate(a_public_keys):
        judge_MQDSPUBLICKEY(element, (trail, "aPublicKeys", index), search)


VERDICTS["MQDSPUBLICKEYS"] = judge_MQDSPUBLICKEYS


# --------------------------------------------------------------------------- [MS-MQMQ] 2.2.4 TA_ADDRESS


TA_ADDRESS_ROWS = RULES["TA_ADDRESS"]


def judge_TA_ADDRESS(record: TA_ADDRESS, trail: Trail, search: Search) -> None:
    address_length = record.AddressLength
    address_type = record.AddressType
    if address_length != len(record.Address):
        search.broken(record, trail, TA_ADDRESS_ROWS[0])  # MQMQ-2.2.4-01
    if address_type == 1 and address_length != 4:
        search.broken(record, trail, TA_ADDRESS_ROWS[1])  # MQMQ-2.2.4-02
    if address_type == 2 and address_length != 4:
        search.broken(record, trail, TA_ADDRESS_ROWS[2])  # MQMQ-2.2.4-02
    if address_type == 3 and address_length != 0xA:
        search.broken(record, trail, TA_ADDRESS_ROWS[3])  # MQMQ-2.2.4-02
    if address_type == 5 and address_length != 0x10:
        search.broken(record, trail, TA_ADDRESS_ROWS[4])  # MQMQ-2.2.4-02
    if address_type not in {1, 2, 3, 5}:
        search.broken(record, trail, TA_ADDRESS_ROWS[5])  # MQMQ-2.2.4-03


VERDICTS["TA_ADDRESS"] = judge_TA_ADDRESS


# ------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4.1 MQFDirectQueueFormatName


MQF_DIRECT_QUEUE_FORMAT_NAME_ROWS = RULES["MQFDirectQueueFormatName"]

mqf_direct_queue_format_name_0 = MQF_DIRECT_QUEUE_FORMAT_NAME_ROWS[0].value


def judge_MQFDirectQueueFormatName(record: MQFDirectQueueFormatName, trail: Trail, search: Search) -> None:
    if not mqf_direct_queue_format_name_0(record):
        search.broken(record, trail, MQF_DIRECT_QUEUE_FORMAT_NAME_ROWS[0])  # MQMQ-2.2.18.1.4.1-02
    if search.profile is not None:
        search.lacking(record, trail)


VERDICTS["MQFDirectQueueFormatName"] = judge_MQFDirectQueueFormatName


# --------------------------------------------------------- [MS-MQMQ] 2.2.18.1.5.2 DirectQueueFormatName


DIRECT_QUEUE_FORMAT_NAME_ROWS = RULES["DirectQueueFormatName"]

direct_queue_format_name_2 = DIRECT_QUEUE_FORMAT_NAME_ROWS[2].value


def judge_DirectQueueFormatName(record: DirectQueueFormatName, trail: Trail, search: Search) -> None:
    direct_format_name = record.DirectFormatName
    if record.Count != 2 * wchar_count(direct_format_name):
        search.broken(record, trail, DIRECT_QUEUE_FORMAT_NAME_ROWS[0])  # MQMQ-2.2.18.1.5.2-02
    if not direct_format_name or direct_format_name.find("\0") != len(direct_format_name) - 1:
        search.broken(record, trail, DIRECT_QUEUE_FORMAT_NAME_ROWS[1])  # MQMQ-2.2.18.1.5.2-03
    if not direct_queue_format_name_2(record):
        search.broken(record, trail, DIRECT_QUEUE_FORMAT_NAME_ROWS[2])  # MQMQ-2.2.18.1.5.2-03
    if search.profile is not None:
        search.lacking(record, trail)


VERDICTS["DirectQueueFormatName"] = judge_DirectQueueFormatName


# ------------------------------------------------------------ [MS-MQMQ] 2.2.18.1.4 MQFFormatNameElement


MQF_FORMAT_NAME_ELEMENT_ROWS = RULES["MQFFormatNameElement"]

MQF_FORMAT_NAME_ELEMENT_FORMAT_NAME_FORMS = {
    1: PublicQueueFormatName,
    2: PrivateQueueFormatName,
    3: MQFDirectQueueFormatName,
    6: MQFDistributionQueueFormatName,
}


def judge_MQFFormatNameElement(record: MQFFormatNameElement, trail: Trail, search: Search) -> None:
    format_type = record.FormatType
    format_name = record.FormatName
    if format_type not in {1, 2, 3, 6}:
        search.broken(record, trail, MQF_FORMAT_NAME_ELEMENT_ROWS[0])  # MQMQ-2.2.18.1.4-01
    if (
        MQF_FORMAT_NAME_ELEMENT_FORMAT_NAME_FORMS.get(format_type, format_name.__class__)
        is not format_name.__class__
    ):
        search.broken(record, trail, MQF_FORMAT_NAME_ELEMENT_ROWS[1])  # MQMQ-2.2.18.1.4-02
    if format_name is not None:
        judge = VERDICTS.get(format_name.__class__.__name__)
        if judge is not None:
            judge(format_name, (trail, "FormatName"), search)


VERDICTS["MQFFormatNameElement"] = judge_MQFFormatNameElement


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.19.1 BaseHeader


BASE_HEADER_ROWS = RULES["BaseHeader"]


def judge_BaseHeader(record: BaseHeader, trail: Trail, search: Search) -> None:
    flags = record.Flags
    if record.VersionNumber != 0x10:
        search.broken(record, trail, BASE_HEADER_ROWS[0])  # MQMQ-2.2.19.1-01
    if search.practice:
        if record.Reserved == 0x5A:
            search.broken(record, trail, BASE_HEADER_ROWS[1])  # MQMQ-2.2.19.1-02
    if search.should:
        if flags & 0xFEC0:
            if flags & 0x40:
                search.broken(record, trail, BASE_HEADER_ROWS[2])  # MQMQ-2.2.19.1-10
            if flags & 0x80:
                search.broken(record, trail, BASE_HEADER_ROWS[3])  # MQMQ-2.2.19.1-12
            if flags & 0x200:
                search.broken(record, trail, BASE_HEADER_ROWS[4])  # MQMQ-2.2.19.1-16
            if flags & 0x400:
                search.broken(record, trail, BASE_HEADER_ROWS[5])  # MQMQ-2.2.19.1-18
            if flags & 0x800:
                search.broken(record, trail, BASE_HEADER_ROWS[6])  # MQMQ-2.2.19.1-20
            if flags & 0x1000:
                search.broken(record, trail, BASE_HEADER_ROWS[7])  # MQMQ-2.2.19.1-22
            if flags & 0x2000:
                search.broken(record, trail, BASE_HEADER_ROWS[8])  # MQMQ-2.2.19.1-24
            if flags & 0x4000:
                search.broken(record, trail, BASE_HEADER_ROWS[9])  # MQMQ-2.2.19.1-26
            if flags & 0x8000:
                search.broken(record, trail, BASE_HEADER_ROWS[10])  # MQMQ-2.2.19.1-28
    if flags & 0x100 and not flags & 0x20:
        search.broken(record, trail, BASE_HEADER_ROWS[11])  # MQMQ-2.2.19.1-15
    if record.Signature != 0x524F494C:
        search.broken(record, trail, BASE_HEADER_ROWS[12])  # MQMQ-2.2.19.1-30
    if record.PacketSize > 0x400000:
        search.broken(record, trail, BASE_HEADER_ROWS[13])  # MQMQ-2.2.19.1-37


VERDICTS["BaseHeader"] = judge_BaseHeader


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.19.2 UserHeader


USER_HEADER_ROWS = RULES["UserHeader"]

user_header_18 = USER_HEADER_ROWS[18].value
user_header_19 = USER_HEADER_ROWS[19].value
user_header_20 = USER_HEADER_ROWS[20].value
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
USER_HEADER_IN_CONTEXT = tuple(row for row in USER_HEADER_ROWS if row.needs)


def judge_UserHeader(record: UserHeader, trail: Trail, search: Search) -> None:
    flags = record.Flags
    destination_queue = record.DestinationQueue
    admin_queue = record.AdminQueue
    response_queue = record.ResponseQueue
    connector_type = record.ConnectorType
    if search.channel != "remote-read":
        if flags >> 10 & 0x7 == 7 and record.QueueManagerAddress != NULL_GUID:
            search.broken(record, trail, USER_HEADER_ROWS[0])  # MQMQ-2.2.19.2-04
    if flags & 0x1F > 0x1D:
        search.broken(record, trail, USER_HEADER_ROWS[2])  # MQMQ-2.2.19.2-08
    if flags >> 5 & 0x3 not in {0, 1}:
        search.broken(record, trail, USER_HEADER_ROWS[3])  # MQMQ-2.2.19.2-09
    if search.should:
        if flags & 0xED000080:
            if flags & 0x80:
                search.broken(record, trail, USER_HEADER_ROWS[4])  # MQMQ-2.2.19.2-12
            if flags & 0x1000000:
                search.broken(record, trail, USER_HEADER_ROWS[5])  # MQMQ-2.2.19.2-29
            if flags & 0xE0000000:
                search.broken(record, trail, USER_HEADER_ROWS[6])  # MQMQ-2.2.19.2-36
            if flags & 0xC000000:
                search.broken(record, trail, USER_HEADER_ROWS[7])  # MQMQ-2.2.19.2-32
    if flags >> 10 & 0x7 not in {0, 3, 5, 7}:
        search.broken(record, trail, USER_HEADER_ROWS[8])  # MQMQ-2.2.19.2-16
    if flags >> 13 & 0x7 not in {0, 2, 3, 5, 6, 7}:
        search.broken(record, trail, USER_HEADER_ROWS[9])  # MQMQ-2.2.19.2-17
    if flags & 0x100000 and not flags & 0x60:
        search.broken(record, trail, USER_HEADER_ROWS[10])  # MQMQ-2.2.19.2-23
    if not flags & 0x200000:
        search.broken(record, trail, USER_HEADER_ROWS[11])  # MQMQ-2.2.19.2-24
    if connector_type is None and flags & 0x400000:
        search.broken(record, trail, USER_HEADER_ROWS[12])  # MQMQ-2.2.19.2-25
    if connector_type is not None and not flags & 0x400000:
        search.broken(record, trail, USER_HEADER_ROWS[13])  # MQMQ-2.2.19.2-26
    if (
        USER_HEADER_DESTINATION_QUEUE_FORMS.get(flags >> 10 & 0x7, destination_queue.__class__)
        is not destination_queue.__class__
    ):
        search.broken(record, trail, USER_HEADER_ROWS[14])  # MQMQ-2.2.19.2-50
    if (
        USER_HEADER_ADMIN_QUEUE_FORMS.get(flags >> 13 & 0x7, admin_queue.__class__)
        is not admin_queue.__class__
    ):
        search.broken(record, trail, USER_HEADER_ROWS[15])  # MQMQ-2.2.19.2-51
    if (
        USER_HEADER_RESPONSE_QUEUE_FORMS.get(flags >> 16 & 0x7, response_queue.__class__)
        is not response_queue.__class__
    ):
        search.broken(record, trail, USER_HEADER_ROWS[16])  # MQMQ-2.2.19.2-52
    if search.channel in {"session", "directory"}:
        if flags & 0x2000000:
            search.broken(record, trail, USER_HEADER_ROWS[17])  # MQMQ-2.2.19.2-31
    if search.channel == "remote-read":
        if flags >> 10 & 0x7 == 7 and not user_header_18(record):
            search.broken(record, trail, USER_HEADER_ROWS[18])  # MQRR-2.2.5.1-01
        if flags >> 10 & 0x7 == 7 and not user_header_19(record):
            search.broken(record, trail, USER_HEADER_ROWS[19])  # MQRR-2.2.5.1-02
        if flags >> 10 & 0x7 == 7 and not user_header_20(record):
            search.broken(record, trail, USER_HEADER_ROWS[20])  # MQRR-2.2.5.1-03
    if search.context is not None:
        search.in_context(record, trail, USER_HEADER_IN_CONTEXT)
    if search.profile is not None:
        search.lacking(record, trail)
    if destination_queue is not None:
        judge = VERDICTS.get(destination_queue.__class__.__name__)
        if judge is not None:
            judge(destination_queue, (trail, "DestinationQueue"), search)
    if admin_queue is not None:
        judge = VERDICTS.get(admin_queue.__class__.__name__)
        if judge is not None:
            judge(admin_queue, (trail, "AdminQueue"), search)
    if response_queue is not None:
        judge = VERDICTS.get(response_queue.__class__.__name__)
        if judge is not None:
            judge(response_queue, (trail, "ResponseQueue"), search)


VERDICTS["UserHeader"] = judge_UserHeader


# ----------------------------------------------------------- [MS-MQMQ] 2.2.19.3 MessagePropertiesHeader


MESSAGE_PROPERTIES_HEADER_ROWS = RULES["MessagePropertiesHeader"]

message_properties_header_29 = MESSAGE_PROPERTIES_HEADER_ROWS[29].value
MESSAGE_PROPERTIES_HEADER_IN_CONTEXT = tuple(row for row in MESSAGE_PROPERTIES_HEADER_ROWS if row.needs)


def judge_MessagePropertiesHeader(record: MessagePropertiesHeader, trail: Trail, search: Search) -> None:
    flags = record.Flags
    label_length = record.LabelLength
    message_class = record.MessageClass
    body_type = record.BodyType
    message_size = record.MessageSize
    privacy_level = record.PrivacyLevel
    hash_algorithm = record.HashAlgorithm
    encryption_algorithm = record.EncryptionAlgorithm
    label = record.Label
    if search.should:
        if flags & 0x10:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[0])  # MQMQ-2.2.19.3-05
        if flags & 0x20:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[1])  # MQMQ-2.2.19.3-07
        if flags & 0x40:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[2])  # MQMQ-2.2.19.3-09
        if flags & 0x80:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[3])  # MQMQ-2.2.19.3-11
    if label_length != wchar_count(label):
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[4])  # MQMQ-2.2.19.3-13
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
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[5])  # MQMQ-2.2.19.3-16
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
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[7])  # MQMQ-2.2.19.3-20
    if search.practice:
        if body_type == 4:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[8])  # MQMQ-2.2.19.3-20
        if body_type == 5:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[9])  # MQMQ-2.2.19.3-20
        if body_type == 6:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[10])  # MQMQ-2.2.19.3-20
        if body_type == 7:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[11])  # MQMQ-2.2.19.3-20
        if body_type == 8:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[12])  # MQMQ-2.2.19.3-20
        if body_type == 0x1E:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[13])  # MQMQ-2.2.19.3-20
        if body_type == 0x44:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[14])  # MQMQ-2.2.19.3-20
        if body_type == 0x45:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[15])  # MQMQ-2.2.19.3-20
        if body_type == 0x300:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[16])  # MQMQ-2.2.19.3-20
        if body_type == 0x2011:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[17])  # MQMQ-2.2.19.3-20
    if body_type == 0xC:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[18])  # MQMQ-2.2.12-07
    if body_type == 0x1000:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[19])  # MQMQ-2.2.12-17
    if message_size != len(record.MessageBody):
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[20])  # MQMQ-2.2.19.3-22
    if record.AllocationBodySize < message_size:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[21])  # MQMQ-2.2.19.3-24
    if privacy_level not in {0, 1, 3, 5}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[22])  # MQMQ-2.2.19.3-25
    if privacy_level == 0 and encryption_algorithm not in {0, 0x6602, 0x660E, 0x660F, 0x6610, 0x6801}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[23])  # MQMQ-2.2.19.3-29
    if privacy_level != 0 and encryption_algorithm not in {0x6602, 0x660E, 0x660F, 0x6610, 0x6801}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[24])  # MQMQ-2.2.19.3-29
    if privacy_level in {1, 3} and encryption_algorithm in {0x660E, 0x660F, 0x6610}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[25])  # MQMQ-2.2.19.3-31
    if privacy_level == 5 and encryption_algorithm in {0x6602, 0x6801}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[26])  # MQMQ-2.2.19.3-31
    if record.ExtensionSize != len(record.ExtensionData):
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[27])  # MQMQ-2.2.19.3-33
    if label.find("\0") != len(label) - 1:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[28])  # MQMQ-2.2.19.3-36
    if not message_properties_header_29(record):
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[29])  # MQMQ-2.2.19.3-40
    if label_length > 0xFA:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[30])  # MQMQ-2.2.19.3-42
    if hash_algorithm not in {0, 0x8001, 0x8002, 0x8003, 0x8004, 0x800C, 0x800E}:
        search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[31])  # MQMQ-2.2.19.3-43
    if search.practice:
        if hash_algorithm == 0:
            search.broken(record, trail, MESSAGE_PROPERTIES_HEADER_ROWS[32])  # MQMQ-2.2.19.3-43
    if search.context is not None:
        search.in_context(record, trail, MESSAGE_PROPERTIES_HEADER_IN_CONTEXT)
    if search.profile is not None:
        search.lacking(record, trail)


VERDICTS["MessagePropertiesHeader"] = judge_MessagePropertiesHeader


# ------------------------------------------------------------------ [MS-MQMQ] 2.2.20.2 MQFAddressHeader


MQF_ADDRESS_HEADER_ROWS = RULES["MQFAddressHeader"]

mqf_address_header_0 = MQF_ADDRESS_HEADER_ROWS[0].value
mqf_address_header_5 = MQF_ADDRESS_HEADER_ROWS[5].value
mqf_address_header_6 = MQF_ADDRESS_HEADER_ROWS[6].value
mqf_address_header_7 = MQF_ADDRESS_HEADER_ROWS[7].value
mqf_address_header_8 = MQF_ADDRESS_HEADER_ROWS[8].value


def judge_MQFAddressHeader(record: MQFAddressHeader, trail: Trail, search: Search) -> None:
    format_name_list = record.FormatNameList
    if not mqf_address_header_0(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS[0])  # MQMQ-2.2.20.2-01
    if record.HeaderID not in {0x64, 0xC8, 0x12C}:
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS[1])  # MQMQ-2.2.20.2-02
    if search.should:
        if record.Reserved != 0:
            search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS[2])  # MQMQ-2.2.20.2-03
    if record.ElementCount != len(format_name_list):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS[3])  # MQMQ-2.2.20.2-05
    if len(record.Padding) > 3:
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS[4])  # MQMQ-2.2.20.2-05
    if not mqf_address_header_5(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS[5])  # MQMQ-2.2.20.1-02
    if not mqf_address_header_6(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS[6])  # MQMQ-2.2.18.1.4.1-03
    if not mqf_address_header_7(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS[7])  # MQMQ-2.2.18.1.4.2-03
    if not mqf_address_header_8(record):
        search.broken(record, trail, MQF_ADDRESS_HEADER_ROWS[8])  # MQMQ-2.2.18.1.7.2-05
    for index, element in enumerate(format_name_list):
        judge_MQFFormatNameElement(element, (trail, "FormatNameList", index), search)


VERDICTS["MQFAddressHeader"] = judge_MQFAddressHeader


# ---------------------------------------------------------------- [MS-MQMQ] 2.2.20.3 MQFSignatureHeader


MQF_SIGNATURE_HEADER_ROWS = RULES["MQFSignatureHeader"]


def judge_MQFSignatureHeader(record: MQFSignatureHeader, trail: Trail, search: Search) -> None:
    if record.ID != 0x15E:
        search.broken(record, trail, MQF_SIGNATURE_HEADER_ROWS[0])  # MQMQ-2.2.20.3-01
    if search.should:
        if record.Reserved != 0:
            search.broken(record, trail, MQF_SIGNATURE_HEADER_ROWS[1])  # MQMQ-2.2.20.3-02
    if record.Size != len(record.Signature):
        search.broken(record, trail, MQF_SIGNATURE_HEADER_ROWS[2])  # MQMQ-2.2.20.3-04


VERDICTS["MQFSignatureHeader"] = judge_MQFSignatureHeader


# ------------------------------------------------------------ [MS-MQMQ] 2.2.20.1 MultiQueueFormatHeader


MULTI_QUEUE_FORMAT_HEADER_ROWS = RULES["MultiQueueFormatHeader"]


def judge_MultiQueueFormatHeader(record: MultiQueueFormatHeader, trail: Trail, search: Search) -> None:
    destination = record.Destination
    administration = record.Administration
    response = record.Response
    signature = record.Signature
    if destination.HeaderID != 0x64:
        search.broken(record, trail, MULTI_QUEUE_FORMAT_HEADER_ROWS[0])  # MQMQ-2.2.20.2-02
    if administration.HeaderID != 0xC8:
        search.broken(record, trail, MULTI_QUEUE_FORMAT_HEADER_ROWS[1])  # MQMQ-2.2.20.2-02
    if response.HeaderID != 0x12C:
        search.broken(record, trail, MULTI_QUEUE_FORMAT_HEADER_ROWS[2])  # MQMQ-2.2.20.2-02
    judge_MQFAddressHeader(destination, (trail, "Destination"), search)
    judge_MQFAddressHeader(administration, (trail, "Administration"), search)
    judge_MQFAddressHeader(response, (trail, "Response"), search)
    judge_MQFSignatureHeader(signature, (trail, "Signature"), search)


VERDICTS["MultiQueueFormatHeader"] = judge_MultiQueueFormatHeader


# --------------------------------------------------------------------- [MS-MQMQ] 2.2.20.4 SessionHeader


SESSION_HEADER_ROWS = RULES["SessionHeader"]


def judge_SessionHeader(record: SessionHeader, trail: Trail, search: Search) -> None:
    window_size = record.WindowSize
    if search.should:
        if window_size != 0x40:
            search.broken(record, trail, SESSION_HEADER_ROWS[0])  # MQMQ-2.2.20.4-13
    if window_size < 0x1:
        search.broken(record, trail, SESSION_HEADER_ROWS[1])  # MQMQ-2.2.20.4-15


VERDICTS["SessionHeader"] = judge_SessionHeader


# ----------------------------------------------------------------- [MS-MQMQ] 2.2.20.5 TransactionHeader


TRANSACTION_HEADER_ROWS = RULES["TransactionHeader"]

transaction_header_12 = TRANSACTION_HEADER_ROWS[12].value


def judge_TransactionHeader(record: TransactionHeader, trail: Trail, search: Search) -> None:
    flags = record.Flags
    tx_sequence_number = record.TxSequenceNumber
    previous_tx_sequence_number = record.PreviousTxSequenceNumber
    connector_qm_guid = record.ConnectorQMGuid
    if connector_qm_guid is None and flags & 0x1:
        search.broken(record, trail, TRANSACTION_HEADER_ROWS[0])  # MQMQ-2.2.20.5-03
    if search.should:
        if flags & 0xFF000000:
            if flags & 0x1000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS[1])  # MQMQ-2.2.20.5-10
            if flags & 0x2000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS[2])  # MQMQ-2.2.20.5-12
            if flags & 0x4000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS[3])  # MQMQ-2.2.20.5-14
            if flags & 0x8000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS[4])  # MQMQ-2.2.20.5-16
            if flags & 0x10000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS[5])  # MQMQ-2.2.20.5-18
            if flags & 0x20000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS[6])  # MQMQ-2.2.20.5-20
            if flags & 0x40000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS[7])  # MQMQ-2.2.20.5-22
            if flags & 0x80000000:
                search.broken(record, trail, TRANSACTION_HEADER_ROWS[8])  # MQMQ-2.2.20.5-24
    if connector_qm_guid is not None and not flags & 0x1:
        search.broken(record, trail, TRANSACTION_HEADER_ROWS[9])  # MQMQ-2.2.20.5-31
    if tx_sequence_number < 0x1:
        search.broken(record, trail, TRANSACTION_HEADER_ROWS[10])  # MQMQ-2.2.20.5-33
    if previous_tx_sequence_number > 0xFFFFFFFE:
        search.broken(record, trail, TRANSACTION_HEADER_ROWS[11])  # MQMQ-2.2.20.5-34
    if (
        tx_sequence_number != 0
        and previous_tx_sequence_number != 0xFFFFFFFF
        and not transaction_header_12(record)
    ):
        search.broken(record, trail, TRANSACTION_HEADER_ROWS[12])  # MQMQ-2.2.20.5-36
    if search.profile is not None:
        search.lacking(record, trail)


VERDICTS["TransactionHeader"] = judge_TransactionHeader


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SecurityData


SECURITY_DATA_ROWS = RULES["SecurityData"]

security_data_0 = SECURITY_DATA_ROWS[0].value
security_data_1 = SECURITY_DATA_ROWS[1].value
read_security_data = EMBEDDED["SecurityData"][0].read
read_security_data_2 = EMBEDDED["SecurityData"][1].read
read_security_data_3 = EMBEDDED["SecurityData"][2].read


def judge_SecurityData(record: SecurityData, trail: Trail, search: Search) -> None:
    if not security_data_0(record):
        search.broken(record, trail, SECURITY_DATA_ROWS[0])  # MQMQ-2.2.20.6-25
    if not security_data_1(record):
        search.broken(record, trail, SECURITY_DATA_ROWS[1])  # MQQB-2.4.2-02
    if record.EncryptionKey:
        for where, offset, inner in read_security_data(record):
            judge = VERDICTS.get(inner.__class__.__name__)
            if judge is not None:
                judge(inner, (trail, "EncryptionKey", *where, Inside(offset, inner)), search)
    if record.SenderCert.startswith(b"\x06\x02\x00\x00"):
        for where, offset, inner in read_security_data_2(record):
            judge = VERDICTS.get(inner.__class__.__name__)
            if judge is not None:
                judge(inner, (trail, "SenderCert", *where, Inside(offset, inner)), search)
    if record.ProviderInfo:
        for where, offset, inner in read_security_data_3(record):
            judge = VERDICTS.get(inner.__class__.__name__)
            if judge is not None:
                judge(inner, (trail, "ProviderInfo", *where, Inside(offset, inner)), search)


VERDICTS["SecurityData"] = judge_SecurityData


# -------------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SecurityHeader


SECURITY_HEADER_ROWS = RULES["SecurityHeader"]

security_header_2 = SECURITY_HEADER_ROWS[2].value
security_header_3 = SECURITY_HEADER_ROWS[3].value
security_header_5 = SECURITY_HEADER_ROWS[5].value
security_header_20 = SECURITY_HEADER_ROWS[20].value
SECURITY_HEADER_IN_CONTEXT = tuple(row for row in SECURITY_HEADER_ROWS if row.needs)


def judge_SecurityHeader(record: SecurityHeader, trail: Trail, search: Search) -> None:
    flags = record.Flags
    sender_id_size = record.SenderIdSize
    encryption_key_size = record.EncryptionKeySize
    signature_size = record.SignatureSize
    sender_cert_size = record.SenderCertSize
    provider_info_size = record.ProviderInfoSize
    security_data = record.SecurityData
    if flags & 0xF not in {0, 1, 2}:
        search.broken(record, trail, SECURITY_HEADER_ROWS[0])  # MQMQ-2.2.20.6-01
    if not flags & 0xF and sender_id_size != 0:
        search.broken(record, trail, SECURITY_HEADER_ROWS[1])  # MQMQ-2.2.20.6-02
    if flags & 0xF == 1 and not security_header_2(record):
        search.broken(record, trail, SECURITY_HEADER_ROWS[2])  # MQMQ-2.2.20.6-03
    if flags & 0xF == 2 and not security_header_3(record):
        search.broken(record, trail, SECURITY_HEADER_ROWS[3])  # MQMQ-2.2.20.6-04
    if flags & 0x10:
        search.broken(record, trail, SECURITY_HEADER_ROWS[4])  # MQMQ-2.2.20.6-05
    if not flags & 0x40 and signature_size != 0 and not security_header_5(record):
        search.broken(record, trail, SECURITY_HEADER_ROWS[5])  # MQMQ-2.2.20.6-07
    if security_data is None and flags & 0x80:
        search.broken(record, trail, SECURITY_HEADER_ROWS[6])  # MQMQ-2.2.20.6-08
    if flags & 0xF00:
        search.broken(record, trail, SECURITY_HEADER_ROWS[7])  # MQMQ-2.2.20.6-09
    if search.should:
        if flags & 0xF000:
            if flags & 0x1000:
                search.broken(record, trail, SECURITY_HEADER_ROWS[8])  # MQMQ-2.2.20.6-10
            if flags & 0x2000:
                search.broken(record, trail, SECURITY_HEADER_ROWS[9])  # MQMQ-2.2.20.6-12
            if flags & 0x4000:
                search.broken(record, trail, SECURITY_HEADER_ROWS[10])  # MQMQ-2.2.20.6-14
            if flags & 0x8000:
                search.broken(record, trail, SECURITY_HEADER_ROWS[11])  # MQMQ-2.2.20.6-16
    if sender_id_size != (len(security_data.SecurityID) if security_data is not None else 0):
        search.broken(record, trail, SECURITY_HEADER_ROWS[12])  # MQMQ-2.2.20.6-18
    if encryption_key_size != (len(security_data.EncryptionKey) if security_data is not None else 0):
        search.broken(record, trail, SECURITY_HEADER_ROWS[13])  # MQMQ-2.2.20.6-19
    if signature_size != (len(security_data.Signature) if security_data is not None else 0):
        search.broken(record, trail, SECURITY_HEADER_ROWS[14])  # MQMQ-2.2.20.6-20
    if sender_cert_size != (len(security_data.SenderCert) if security_data is not None else 0):
        search.broken(record, trail, SECURITY_HEADER_ROWS[15])  # MQMQ-2.2.20.6-21
    if provider_info_size != (len(security_data.ProviderInfo) if security_data is not None else 0):
        search.broken(record, trail, SECURITY_HEADER_ROWS[16])  # MQMQ-2.2.20.6-22
    if (
        encryption_key_size == 0
        and signature_size == 0
        and sender_cert_size == 0
        and provider_info_size == 0
        and sender_id_size == 0
    ):
        search.broken(record, trail, SECURITY_HEADER_ROWS[17])  # MQMQ-2.2.20.6-23
    if flags & 0x40 and provider_info_size != 0:
        search.broken(record, trail, SECURITY_HEADER_ROWS[18])  # MQMQ-2.2.20.6-43
    if sender_cert_size > 0xFFFF:
        search.broken(record, trail, SECURITY_HEADER_ROWS[19])  # MQMQ-2.2.20.6-44
    if not security_header_20(record):
        search.broken(record, trail, SECURITY_HEADER_ROWS[20])  # MQMQ-2.2.20.6-46
    if search.context is not None:
        search.in_context(record, trail, SECURITY_HEADER_IN_CONTEXT)
    if security_data is not None:
        judge_SecurityData(security_data, (trail, "SecurityData"), search)


VERDICTS["SecurityHeader"] = judge_SecurityHeader


# --------------------------------------------------------------- [MS-MQMQ] 2.2.20.6 SenderCertPublicKey


SENDER_CERT_PUBLIC_KEY_ROWS = RULES["SenderCertPublicKey"]

sender_cert_public_key_1 = SENDER_CERT_PUBLIC_KEY_ROWS[1].value
sender_cert_public_key_2 = SENDER_CERT_PUBLIC_KEY_ROWS[2].value


def judge_SenderCertPublicKey(record: SenderCertPublicKey, trail: Trail, search: Search) -> None:
    if record.KeyType not in {0x2400, 0xA400}:
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS[0])  # MQMQ-2.2.20.6-32
    if not sender_cert_public_key_1(record):
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS[1])  # MQMQ-2.2.20.6-34
    if not sender_cert_public_key_2(record):
        search.broken(record, trail, SENDER_CERT_PUBLIC_KEY_ROWS[2])  # MQMQ-2.2.20.6-40


VERDICTS["SenderCertPublicKey"] = judge_SenderCertPublicKey


# ------------------------------------------------------------------------ [MS-MQMQ] 2.2.20.7 SoapHeader


SOAP_HEADER_ROWS = RULES["SoapHeader"]


def judge_SoapHeader(record: SoapHeader, trail: Trail, search: Search) -> None:
    header = record.Header
    body = record.Body
    if record.HeaderSectionID != 0x320:
        search.broken(record, trail, SOAP_HEADER_ROWS[0])  # MQMQ-2.2.20.7-01
    if search.should:
        if record.Reserved != 0:
            search.broken(record, trail, SOAP_HEADER_ROWS[1])  # MQMQ-2.2.20.7-02
    if record.HeaderDataLength != wchar_count(header):
        search.broken(record, trail, SOAP_HEADER_ROWS[2])  # MQMQ-2.2.20.7-04
    if record.BodySectionID != 0x384:
        search.broken(record, trail, SOAP_HEADER_ROWS[3])  # MQMQ-2.2.20.7-05
    if search.should:
        if record.Reserved1 != 0:
            search.broken(record, trail, SOAP_HEADER_ROWS[4])  # MQMQ-2.2.20.7-06
    if record.BodyDataLength != wchar_count(body):
        search.broken(record, trail, SOAP_HEADER_ROWS[5])  # MQMQ-2.2.20.7-08
    if header.find("\0") != len(header) - 1:
        search.broken(record, trail, SOAP_HEADER_ROWS[6])  # MQMQ-2.2.20.7-09
    if body.find("\0") != len(body) - 1:
        search.broken(record, trail, SOAP_HEADER_ROWS[7])  # MQMQ-2.2.20.7-10


VERDICTS["SoapHeader"] = judge_SoapHeader


# ----------------------------------------------------------------------- [MS-MQMQ] 2.2.20.8 DebugHeader


DEBUG_HEADER_ROWS = RULES["DebugHeader"]


def judge_DebugHeader(record: DebugHeader, trail: Trail, search: Search) -> None:
    flags = record.Flags
    queue_identifier = record.QueueIdentifier
    if flags & 0x3 not in {0, 1}:
        search.broken(record, trail, DEBUG_HEADER_ROWS[0])  # MQMQ-2.2.20.8-01
    if search.should:
        if flags & 0xFFFC:
            if flags & 0x4:
                search.broken(record, trail, DEBUG_HEADER_ROWS[1])  # MQMQ-2.2.20.8-02
            if flags & 0x8:
                search.broken(record, trail, DEBUG_HEADER_ROWS[2])  # MQMQ-2.2.20.8-04
            if flags & 0x10:
                search.broken(record, trail, DEBUG_HEADER_ROWS[3])  # MQMQ-2.2.20.8-06
            if flags & 0x20:
                search.broken(record, trail, DEBUG_HEADER_ROWS[4])  # MQMQ-2.2.20.8-08
            if flags & 0x40:
                search.broken(record, trail, DEBUG_HEADER_ROWS[5])  # MQMQ-2.2.20.8-10
            if flags & 0x80:
                search.broken(record, trail, DEBUG_HEADER_ROWS[6])  # MQMQ-2.2.20.8-12
            if flags & 0x100:
                search.broken(record, trail, DEBUG_HEADER_ROWS[7])  # MQMQ-2.2.20.8-14
            if flags & 0x200:
                search.broken(record, trail, DEBUG_HEADER_ROWS[8])  # MQMQ-2.2.20.8-16
            if flags & 0x400:
                search.broken(record, trail, DEBUG_HEADER_ROWS[9])  # MQMQ-2.2.20.8-18
            if flags & 0x800:
                search.broken(record, trail, DEBUG_HEADER_ROWS[10])  # MQMQ-2.2.20.8-20
            if flags & 0x1000:
                search.broken(record, trail, DEBUG_HEADER_ROWS[11])  # MQMQ-2.2.20.8-22
            if flags & 0x2000:
                search.broken(record, trail, DEBUG_HEADER_ROWS[12])  # MQMQ-2.2.20.8-24
            if flags & 0x4000:
                search.broken(record, trail, DEBUG_HEADER_ROWS[13])  # MQMQ-2.2.20.8-26
            if flags & 0x8000:
                search.broken(record, trail, DEBUG_HEADER_ROWS[14])  # MQMQ-2.2.20.8-28
        if record.Reserved != 0:
            search.broken(record, trail, DEBUG_HEADER_ROWS[15])  # MQMQ-2.2.20.8-30
    if queue_identifier is None and flags & 0x3 == 1:
        search.broken(record, trail, DEBUG_HEADER_ROWS[16])  # MQMQ-2.2.20.8-32
    if queue_identifier is not None and flags & 0x3 != 1:
        search.broken(record, trail, DEBUG_HEADER_ROWS[17])  # MQMQ-2.2.20.8-33


VERDICTS["DebugHeader"] = judge_DebugHeader


# ---------------------------------------------------------------------- [MS-MQMQ] 2.2.22 MQUSERSIGNCERT


MQUSERSIGNCERT_ROWS = RULES["MQUSERSIGNCERT"]

mqusersigncert_0 = MQUSERSIGNCERT_ROWS[0].value


def judge_MQUSERSIGNCERT(record: MQUSERSIGNCERT, trail: Trail, search: Search) -> None:
    if not mqusersigncert_0(record):
        search.broken(record, trail, MQUSERSIGNCERT_ROWS[0])  # MQMQ-2.2.22-01
    if record.CertificateLength != len(record.Certificate):
        search.broken(record, trail, MQUSERSIGNCERT_ROWS[1])  # MQMQ-2.2.22-02


VERDICTS["MQUSERSIGNCERT"] = judge_MQUSERSIGNCERT


# --------------------------------------------------------------------- [MS-MQMQ] 2.2.21 MQUSERSIGNCERTS


MQUSERSIGNCERTS_ROWS = RULES["MQUSERSIGNCERTS"]


def judge_MQUSERSIGNCERTS(record: MQUSERSIGNCERTS, trail: Trail, search: Search) -> None:
    certificates = record.Certificates
    if record.CertificateCount != len(certificates):
        search.broken(record, trail, MQUSERSIGNCERTS_ROWS[0])  # MQMQ-2.2.21-01
    for index, element in enumerate(certificates):
        judge_MQUSERSIGNCERT(element, (trail, "Certificates", index), search)


VERDICTS["MQUSERSIGNCERTS"] = judge_MQUSERSIGNCERTS
