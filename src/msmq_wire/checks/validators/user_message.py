"""Validators of [MS-MQMQ] 2.2.20 and [MS-MQRR] 2.2.5: whole messages, made of the headers of both documents.

Generated from `checks.rules` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.checks.offsets import Inside
from msmq_wire.checks.rules import RULES, RawViolation, embedded_in, rows_by_id

from .mqmq import (
    validate_BaseHeader,
    validate_DebugHeader,
    validate_MessagePropertiesHeader,
    validate_MultiQueueFormatHeader,
    validate_SecurityHeader,
    validate_SessionHeader,
    validate_SoapHeader,
    validate_TransactionHeader,
    validate_UserHeader,
)
from .mqrr import (
    validate_CompoundMessageHeader,
    validate_DeadLetterHeader,
    validate_ExtendedAddressHeader,
    validate_ExtensionHeader,
    validate_SRMPEnvelopeHeader,
    validate_SubqueueHeader,
)
from .registry import VALIDATORS

if TYPE_CHECKING:
    from msmq_wire.checks.collector import Trail, ViolationCollector
    from msmq_wire.documents.user_message import MessagePacket, UserMessage


# ------------------------------------------------------------------------- [MS-MQMQ] 2.2.20 UserMessage


USER_MESSAGE_ROWS = rows_by_id(RULES["UserMessage"])

user_message_mqmq_2_2_19_1_31 = USER_MESSAGE_ROWS["MQMQ-2.2.19.1-31"].value
user_message_mqmq_2_2_19_2_26 = USER_MESSAGE_ROWS["MQMQ-2.2.19.2-26"].value
user_message_mqmq_2_2_20_5_31 = USER_MESSAGE_ROWS["MQMQ-2.2.20.5-31"].value
user_message_mqmq_2_2_20_6_26 = USER_MESSAGE_ROWS["MQMQ-2.2.20.6-26"].value
user_message_mqqb_2_4_2_04 = USER_MESSAGE_ROWS["MQQB-2.4.2-04"].value
user_message_mqmq_2_2_19_3_45 = USER_MESSAGE_ROWS["MQMQ-2.2.19.3-45"].value
user_message_mqqb_3_1_7_1_5_01 = USER_MESSAGE_ROWS["MQQB-3.1.7.1.5-01"].value
user_message_mqmq_2_2_19_3_28 = USER_MESSAGE_ROWS["MQMQ-2.2.19.3-28"].value
user_message_mqmq_2_2_19_3_28_2 = USER_MESSAGE_ROWS["MQMQ-2.2.19.3-28/2"].value
user_message_mqmq_2_2_19_1_32 = USER_MESSAGE_ROWS["MQMQ-2.2.19.1-32"].value
user_message_mqmq_2_2_19_1_31_2 = USER_MESSAGE_ROWS["MQMQ-2.2.19.1-31/2"].value
user_message_mqqb_2_2_5_09 = USER_MESSAGE_ROWS["MQQB-2.2.5-09"].value
user_message_mqqb_3_1_7_1_4_02 = USER_MESSAGE_ROWS["MQQB-3.1.7.1.4-02"].value
user_message_mqqb_2_2_4_05 = USER_MESSAGE_ROWS["MQQB-2.2.4-05"].value
user_message_mqqb_2_2_4_06 = USER_MESSAGE_ROWS["MQQB-2.2.4-06"].value
user_message_mqqb_2_2_5_06 = USER_MESSAGE_ROWS["MQQB-2.2.5-06"].value
user_message_mqqb_2_2_5_07 = USER_MESSAGE_ROWS["MQQB-2.2.5-07"].value
user_message_mqqb_3_1_5_8_9_01 = USER_MESSAGE_ROWS["MQQB-3.1.5.8.9-01"].value
user_message_mqqb_3_1_5_8_9_03 = USER_MESSAGE_ROWS["MQQB-3.1.5.8.9-03"].value
user_message_mqqb_3_1_5_8_9_04 = USER_MESSAGE_ROWS["MQQB-3.1.5.8.9-04"].value
user_message_mqqb_3_1_5_8_9_05 = USER_MESSAGE_ROWS["MQQB-3.1.5.8.9-05"].value
user_message_mqrr_2_2_5_2_01 = USER_MESSAGE_ROWS["MQRR-2.2.5.2-01"].value
user_message_mqrr_2_2_5_5_06 = USER_MESSAGE_ROWS["MQRR-2.2.5.5-06"].value
USER_MESSAGE_IN_CONTEXT = tuple(row for row in USER_MESSAGE_ROWS.values() if row.needs)
read_user_message_message_properties_header_message_body = embedded_in(
    "UserMessage", "MessagePropertiesHeader.MessageBody"
).read


def validate_UserMessage(record: UserMessage, trail: Trail, search: ViolationCollector) -> None:
    base_header = record.BaseHeader
    user_header = record.UserHeader
    transaction_header = record.TransactionHeader
    security_header = record.SecurityHeader
    message_properties_header = record.MessagePropertiesHeader
    debug_header = record.DebugHeader
    srmp_envelope_header = record.SRMPEnvelopeHeader
    compound_message_header = record.CompoundMessageHeader
    soap_header = record.SoapHeader
    multi_queue_format_header = record.MultiQueueFormatHeader
    extension_header = record.ExtensionHeader
    subqueue_header = record.SubqueueHeader
    dead_letter_header = record.DeadLetterHeader
    extended_address_header = record.ExtendedAddressHeader
    session_header = record.SessionHeader
    base_header_flags = base_header.Flags
    user_header_flags = user_header.Flags
    message_properties_header_body_type = message_properties_header.BodyType
    message_properties_header_encryption_algorithm = message_properties_header.EncryptionAlgorithm
    message_properties_header_flags = message_properties_header.Flags
    message_properties_header_hash_algorithm = message_properties_header.HashAlgorithm
    message_properties_header_label = message_properties_header.Label
    message_properties_header_message_class = message_properties_header.MessageClass
    message_properties_header_message_size = message_properties_header.MessageSize
    message_properties_header_privacy_level = message_properties_header.PrivacyLevel
    if user_header_flags & 0x100000 and base_header_flags & 0x7:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.1-04"])
    if not user_message_mqmq_2_2_19_1_31(record):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.1-31"])
    if message_properties_header_message_class not in {
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
    } and not user_message_mqmq_2_2_19_2_26(record):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-26"])
    if (
        message_properties_header_message_class
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
        and transaction_header is not None
        and not user_message_mqmq_2_2_20_5_31(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.20.5-31"])
    if (
        security_header is not None
        and security_header.Flags & 0xF == 2
        and not user_message_mqmq_2_2_20_6_26(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.20.6-26"])
    if (
        security_header is not None
        and security_header.Flags & 0x20
        and message_properties_header_encryption_algorithm in {0x6602, 0x660E, 0x660F, 0x6610, 0x6801}
        and not user_message_mqqb_2_4_2_04(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.4.2-04"])
    if search.channel in {"session", "directory"}:
        if (
            security_header is not None
            and security_header.Flags & 0x20
            and message_properties_header_encryption_algorithm in {0x6602, 0x660E, 0x660F, 0x6610}
            and not user_message_mqmq_2_2_19_3_45(record)
        ):
            search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.3-45"])
        if (
            security_header is not None
            and security_header.Flags & 0x20
            and not user_message_mqqb_3_1_7_1_5_01(record)
        ):
            search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-3.1.7.1.5-01"])
    if search.practice and search.channel in {"session", "directory"}:
        if (
            security_header is not None
            and security_header.Flags & 0x20
            and user_header_flags >> 10 & 0x7 not in {3, 5}
        ):
            search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-3.1.7.1.5-02"])
    if (
        security_header is not None
        and security_header.Flags & 0x20
        and message_properties_header_privacy_level == 0
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.20.6-06"])
    if search.should:
        if (
            security_header is not None
            and security_header.SignatureSize != 0
            and message_properties_header_hash_algorithm != 0
            and not user_message_mqmq_2_2_19_3_28(record)
        ):
            search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.3-28"])
        if (
            multi_queue_format_header is not None
            and multi_queue_format_header.Signature.Size != 0
            and message_properties_header_hash_algorithm != 0
            and not user_message_mqmq_2_2_19_3_28_2(record)
        ):
            search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.3-28/2"])
    if session_header is not None and not user_message_mqmq_2_2_19_1_32(record):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.1-32"])
    if (
        security_header is not None
        and security_header.SignatureSize != 0
        and message_properties_header_hash_algorithm == 0
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.3-43"])
    if (
        multi_queue_format_header is not None
        and multi_queue_format_header.Signature.Size != 0
        and message_properties_header_hash_algorithm == 0
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.3-43/2"])
    if search.practice:
        if message_properties_header_flags & 0xF and not user_header_flags & 0xE000:
            search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-40"])
    if message_properties_header_flags == 0 and user_header_flags & 0xE000:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-41"])
    if base_header_flags & 0x8:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.20-02"])
    if transaction_header is None and user_header_flags & 0x100000:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-21"])
    if transaction_header is not None and not user_header_flags & 0x100000:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-22"])
    if security_header is None and user_header_flags & 0x80000:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-19"])
    if security_header is not None and not user_header_flags & 0x80000:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-20"])
    if debug_header is None and base_header_flags & 0x20:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.1-09"])
    if debug_header is not None and not base_header_flags & 0x20:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.1-09/2"])
    if soap_header is None and user_header_flags & 0x10000000:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-34"])
    if soap_header is not None and not user_header_flags & 0x10000000:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-35"])
    if multi_queue_format_header is None and user_header_flags & 0x800000:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-27"])
    if multi_queue_format_header is not None and not user_header_flags & 0x800000:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.2-28"])
    if session_header is None and base_header_flags & 0x10:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.20-11"])
    if session_header is not None and not base_header_flags & 0x10:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.20-11/2"])
    if (
        soap_header is not None
        and multi_queue_format_header is not None
        and not user_message_mqmq_2_2_19_1_31_2(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQMQ-2.2.19.1-31/2"])
    if (
        message_properties_header_message_class >= 0x4000
        and message_properties_header_label != "QM Ordering Ack\x00"
        and not user_message_mqqb_2_2_5_09(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.5-09"])
    if (
        multi_queue_format_header is not None
        and security_header is not None
        and security_header.SecurityData is not None
        and not user_message_mqqb_3_1_7_1_4_02(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-3.1.7.1.4-02"])
    if message_properties_header_message_class == 0xFF and base_header_flags != 0:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.4-01"])
    if message_properties_header_message_class == 0xFF and user_header_flags & 0xFFDFE39F:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.4-03"])
    if message_properties_header_message_class == 0xFF and user_header_flags >> 10 & 0x7 not in {3, 7}:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.4-04"])
    if (
        message_properties_header_message_class == 0xFF
        and user_header_flags >> 10 & 0x7 == 3
        and not user_message_mqqb_2_2_4_05(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.4-05"])
    if (
        message_properties_header_message_class == 0xFF
        and user_header_flags >> 10 & 0x7 == 7
        and not user_message_mqqb_2_2_4_06(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.4-06"])
    if (
        message_properties_header_message_class == 0xFF
        and message_properties_header_label != "QM Ordering Ack\x00"
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.4-08"])
    if message_properties_header_message_class == 0xFF and message_properties_header_message_size != 0x24:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.4-09"])
    if message_properties_header_message_class == 0xFF and message_properties_header_flags != 0:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.4-10"])
    if message_properties_header_message_class == 0xFF and message_properties_header_body_type != 0:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.4-12"])
    if message_properties_header_message_class == 0xFF and message_properties_header_privacy_level != 0:
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-3.1.7.17-01"])
    if (
        message_properties_header_message_class >= 0x4000
        and message_properties_header_label == "QM Ordering Ack\x00"
        and base_header_flags != 0
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.5-01"])
    if (
        message_properties_header_message_class >= 0x4000
        and message_properties_header_label == "QM Ordering Ack\x00"
        and user_header_flags & 0xFFDFE39F
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.5-04"])
    if (
        message_properties_header_message_class >= 0x4000
        and message_properties_header_label == "QM Ordering Ack\x00"
        and user_header_flags >> 10 & 0x7 not in {3, 7}
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.5-05"])
    if (
        message_properties_header_message_class >= 0x4000
        and message_properties_header_label == "QM Ordering Ack\x00"
        and user_header_flags >> 10 & 0x7 == 3
        and not user_message_mqqb_2_2_5_06(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.5-06"])
    if (
        message_properties_header_message_class >= 0x4000
        and message_properties_header_label == "QM Ordering Ack\x00"
        and user_header_flags >> 10 & 0x7 == 7
        and not user_message_mqqb_2_2_5_07(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.5-07"])
    if (
        message_properties_header_message_class >= 0x4000
        and message_properties_header_label == "QM Ordering Ack\x00"
        and message_properties_header_message_size != 0x24
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.5-10"])
    if (
        message_properties_header_message_class >= 0x4000
        and message_properties_header_label == "QM Ordering Ack\x00"
        and message_properties_header_flags != 0
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.5-11"])
    if (
        message_properties_header_message_class >= 0x4000
        and message_properties_header_label == "QM Ordering Ack\x00"
        and message_properties_header_body_type != 0
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-2.2.5-14"])
    if (
        message_properties_header_message_class >= 0x4000
        and message_properties_header_label == "QM Ordering Ack\x00"
        and message_properties_header_privacy_level != 0
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-3.1.7.17-01/2"])
    if message_properties_header_message_class == 1 and not user_message_mqqb_3_1_5_8_9_01(record):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-3.1.5.8.9-01"])
    if (
        message_properties_header_message_class == 1
        and user_header_flags >> 10 & 0x7 == 5
        and user_header_flags & 0x60
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-3.1.5.8.9-02"])
    if (
        message_properties_header_message_class == 1
        and user_header_flags >> 10 & 0x7 == 5
        and not user_message_mqqb_3_1_5_8_9_03(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-3.1.5.8.9-03"])
    if (
        message_properties_header_message_class == 1
        and user_header_flags >> 10 & 0x7 == 5
        and not user_message_mqqb_3_1_5_8_9_04(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-3.1.5.8.9-04"])
    if (
        message_properties_header_message_class == 1
        and user_header_flags >> 10 & 0x7 == 5
        and not user_message_mqqb_3_1_5_8_9_05(record)
    ):
        search.broken(record, trail, USER_MESSAGE_ROWS["MQQB-3.1.5.8.9-05"])
    if search.channel == "remote-read":
        if srmp_envelope_header is not None and not user_header_flags & 0x2000000:
            search.broken(record, trail, USER_MESSAGE_ROWS["MQRR-2.2.5.1.1-02"])
        if compound_message_header is not None and not user_header_flags & 0x2000000:
            search.broken(record, trail, USER_MESSAGE_ROWS["MQRR-2.2.5.1.1-03"])
        if srmp_envelope_header is None and user_header_flags & 0x2000000:
            search.broken(record, trail, USER_MESSAGE_ROWS["MQRR-2.2.5.1.2-02"])
        if compound_message_header is None and user_header_flags & 0x2000000:
            search.broken(record, trail, USER_MESSAGE_ROWS["MQRR-2.2.5.1.2-03"])
        if extension_header is not None and not user_message_mqrr_2_2_5_2_01(record):
            search.broken(record, trail, USER_MESSAGE_ROWS["MQRR-2.2.5.2-01"])
        if (
            dead_letter_header is not None
            and extension_header is not None
            and not extension_header.Flags & 0x1
        ):
            search.broken(record, trail, USER_MESSAGE_ROWS["MQRR-2.2.5.2-02"])
        if dead_letter_header is None and extension_header is not None and extension_header.Flags & 0x1:
            search.broken(record, trail, USER_MESSAGE_ROWS["MQRR-2.2.5.2-03"])
        if extension_header is not None and extension_header.Flags & 0x2 and subqueue_header is None:
            search.broken(record, trail, USER_MESSAGE_ROWS["MQRR-2.2.5.2-04"])
        if extension_header is not None and extension_header.Flags & 0x10 and extended_address_header is None:
            search.broken(record, trail, USER_MESSAGE_ROWS["MQRR-2.2.5.2-09"])
        if (
            extended_address_header is not None
            and user_header_flags >> 10 & 0x7 == 7
            and not user_message_mqrr_2_2_5_5_06(record)
        ):
            search.broken(record, trail, USER_MESSAGE_ROWS["MQRR-2.2.5.5-06"])
    if search.context is not None:
        search.in_context(record, trail, USER_MESSAGE_IN_CONTEXT)
    if search.profile is not None:
        search.lacking(record, trail)
    validate_BaseHeader(base_header, (trail, "BaseHeader"), search)
    validate_UserHeader(user_header, (trail, "UserHeader"), search)
    if transaction_header is not None:
        validate_TransactionHeader(transaction_header, (trail, "TransactionHeader"), search)
    if security_header is not None:
        validate_SecurityHeader(security_header, (trail, "SecurityHeader"), search)
    validate_MessagePropertiesHeader(message_properties_header, (trail, "MessagePropertiesHeader"), search)
    if debug_header is not None:
        validate_DebugHeader(debug_header, (trail, "DebugHeader"), search)
    if srmp_envelope_header is not None:
        validate_SRMPEnvelopeHeader(srmp_envelope_header, (trail, "SRMPEnvelopeHeader"), search)
    if compound_message_header is not None:
        validate_CompoundMessageHeader(compound_message_header, (trail, "CompoundMessageHeader"), search)
    if soap_header is not None:
        validate_SoapHeader(soap_header, (trail, "SoapHeader"), search)
    if multi_queue_format_header is not None:
        validate_MultiQueueFormatHeader(multi_queue_format_header, (trail, "MultiQueueFormatHeader"), search)
    if extension_header is not None:
        validate_ExtensionHeader(extension_header, (trail, "ExtensionHeader"), search)
    if subqueue_header is not None:
        validate_SubqueueHeader(subqueue_header, (trail, "SubqueueHeader"), search)
    if dead_letter_header is not None:
        validate_DeadLetterHeader(dead_letter_header, (trail, "DeadLetterHeader"), search)
    if extended_address_header is not None:
        validate_ExtendedAddressHeader(extended_address_header, (trail, "ExtendedAddressHeader"), search)
    if session_header is not None:
        validate_SessionHeader(session_header, (trail, "SessionHeader"), search)
    for item in read_user_message_message_properties_header_message_body(record):
        if isinstance(item, RawViolation):
            search.add(trail, item)
            continue
        where, offset, inner = item
        validate = VALIDATORS.get(inner.__class__.__name__)
        if validate is not None:
            validate(
                inner,
                (trail, "MessagePropertiesHeader", "MessageBody", *where, Inside(offset, inner)),
                search,
            )


VALIDATORS["UserMessage"] = validate_UserMessage


# ------------------------------------------------------------------------ [MS-MQRR] 2.2.5 MessagePacket


MESSAGE_PACKET_ROWS = rows_by_id(RULES["MessagePacket"])

message_packet_mqrr_2_2_5_2_01 = MESSAGE_PACKET_ROWS["MQRR-2.2.5.2-01"].value
message_packet_mqrr_2_2_5_5_06 = MESSAGE_PACKET_ROWS["MQRR-2.2.5.5-06"].value


def validate_MessagePacket(record: MessagePacket, trail: Trail, search: ViolationCollector) -> None:
    user_message = record.UserMessage
    extension_header = record.ExtensionHeader
    subqueue_header = record.SubqueueHeader
    dead_letter_header = record.DeadLetterHeader
    extended_address_header = record.ExtendedAddressHeader
    user_message_user_header = user_message.UserHeader
    user_message_user_header_flags = user_message_user_header.Flags
    if search.channel == "remote-read":
        if extension_header is not None and not message_packet_mqrr_2_2_5_2_01(record):
            search.broken(record, trail, MESSAGE_PACKET_ROWS["MQRR-2.2.5.2-01"])
        if (
            dead_letter_header is not None
            and extension_header is not None
            and not extension_header.Flags & 0x1
        ):
            search.broken(record, trail, MESSAGE_PACKET_ROWS["MQRR-2.2.5.2-02"])
        if dead_letter_header is None and extension_header is not None and extension_header.Flags & 0x1:
            search.broken(record, trail, MESSAGE_PACKET_ROWS["MQRR-2.2.5.2-03"])
        if extension_header is not None and extension_header.Flags & 0x2 and subqueue_header is None:
            search.broken(record, trail, MESSAGE_PACKET_ROWS["MQRR-2.2.5.2-04"])
        if extension_header is not None and extension_header.Flags & 0x10 and extended_address_header is None:
            search.broken(record, trail, MESSAGE_PACKET_ROWS["MQRR-2.2.5.2-09"])
        if (
            extended_address_header is not None
            and user_message_user_header_flags >> 10 & 0x7 == 7
            and not message_packet_mqrr_2_2_5_5_06(record)
        ):
            search.broken(record, trail, MESSAGE_PACKET_ROWS["MQRR-2.2.5.5-06"])
    if search.profile is not None:
        search.lacking(record, trail)
    validate_UserMessage(user_message, (trail, "UserMessage"), search)
    if extension_header is not None:
        validate_ExtensionHeader(extension_header, (trail, "ExtensionHeader"), search)
    if subqueue_header is not None:
        validate_SubqueueHeader(subqueue_header, (trail, "SubqueueHeader"), search)
    if dead_letter_header is not None:
        validate_DeadLetterHeader(dead_letter_header, (trail, "DeadLetterHeader"), search)
    if extended_address_header is not None:
        validate_ExtendedAddressHeader(extended_address_header, (trail, "ExtendedAddressHeader"), search)


VALIDATORS["MessagePacket"] = validate_MessagePacket
