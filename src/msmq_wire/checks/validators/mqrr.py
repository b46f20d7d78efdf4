"""Validators of [MS-MQRR] 2.2.5: headers of the message packets of a remote read.

Generated from `checks.rules` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.checks.rules import RULES, rows_by_id
from msmq_wire.records.record import size_of_record
from msmq_wire.values.wchar import wchar_count

from .registry import VALIDATORS

if TYPE_CHECKING:
    from msmq_wire.checks.collector import Trail, ViolationCollector
    from msmq_wire.documents.mqrr import (
        CompoundMessageHeader,
        DeadLetterHeader,
        ExtendedAddressHeader,
        ExtensionHeader,
        SRMPEnvelopeHeader,
        SubqueueHeader,
    )


# ------------------------------------------------------------- [MS-MQRR] 2.2.5.1.2.1 SRMPEnvelopeHeader


SRMP_ENVELOPE_HEADER_ROWS = rows_by_id(RULES["SRMPEnvelopeHeader"])

srmp_envelope_header_mqmq_2_2_19_1_31 = SRMP_ENVELOPE_HEADER_ROWS["MQMQ-2.2.19.1-31"].value


def validate_SRMPEnvelopeHeader(record: SRMPEnvelopeHeader, trail: Trail, search: ViolationCollector) -> None:
    data_length = record.DataLength
    data_ = record.Data
    if search.channel == "remote-read":
        if data_length != wchar_count(data_):
            search.broken(record, trail, SRMP_ENVELOPE_HEADER_ROWS["MQRR-2.2.5.1.2.1-03"])
        if not data_ or data_.find("\0") != len(data_) - 1:
            search.broken(record, trail, SRMP_ENVELOPE_HEADER_ROWS["MQRR-2.2.5.1.2.1-04"])
        if not srmp_envelope_header_mqmq_2_2_19_1_31(record):
            search.broken(record, trail, SRMP_ENVELOPE_HEADER_ROWS["MQMQ-2.2.19.1-31"])


VALIDATORS["SRMPEnvelopeHeader"] = validate_SRMPEnvelopeHeader


# ---------------------------------------------------------- [MS-MQRR] 2.2.5.1.2.2 CompoundMessageHeader


COMPOUND_MESSAGE_HEADER_ROWS = rows_by_id(RULES["CompoundMessageHeader"])

compound_message_header_mqrr_2_2_5_1_2_2_04 = COMPOUND_MESSAGE_HEADER_ROWS["MQRR-2.2.5.1.2.2-04"].value
compound_message_header_mqrr_2_2_5_1_2_2_05 = COMPOUND_MESSAGE_HEADER_ROWS["MQRR-2.2.5.1.2.2-05"].value
compound_message_header_mqmq_2_2_19_1_31 = COMPOUND_MESSAGE_HEADER_ROWS["MQMQ-2.2.19.1-31"].value


def validate_CompoundMessageHeader(
    record: CompoundMessageHeader, trail: Trail, search: ViolationCollector
) -> None:
    http_body_size = record.HTTPBodySize
    data_ = record.Data
    if search.channel == "remote-read":
        if http_body_size != len(data_):
            search.broken(record, trail, COMPOUND_MESSAGE_HEADER_ROWS["MQRR-2.2.5.1.2.2-03"])
        if not compound_message_header_mqrr_2_2_5_1_2_2_04(record):
            search.broken(record, trail, COMPOUND_MESSAGE_HEADER_ROWS["MQRR-2.2.5.1.2.2-04"])
        if not compound_message_header_mqrr_2_2_5_1_2_2_05(record):
            search.broken(record, trail, COMPOUND_MESSAGE_HEADER_ROWS["MQRR-2.2.5.1.2.2-05"])
        if not compound_message_header_mqmq_2_2_19_1_31(record):
            search.broken(record, trail, COMPOUND_MESSAGE_HEADER_ROWS["MQMQ-2.2.19.1-31"])


VALIDATORS["CompoundMessageHeader"] = validate_CompoundMessageHeader


# -------------------------------------------------------------------- [MS-MQRR] 2.2.5.2 ExtensionHeader


EXTENSION_HEADER_ROWS = rows_by_id(RULES["ExtensionHeader"])


def validate_ExtensionHeader(record: ExtensionHeader, trail: Trail, search: ViolationCollector) -> None:
    header_size = record.HeaderSize
    flags = record.Flags
    if search.channel == "remote-read":
        if not flags & 0x2:
            search.broken(record, trail, EXTENSION_HEADER_ROWS["MQRR-2.2.5.2-04"])
        if not flags & 0x10:
            search.broken(record, trail, EXTENSION_HEADER_ROWS["MQRR-2.2.5.2-09"])
        if header_size != 0xC:
            search.broken(record, trail, EXTENSION_HEADER_ROWS["MQRR-2.2.5.2-14"])


VALIDATORS["ExtensionHeader"] = validate_ExtensionHeader


# --------------------------------------------------------------------- [MS-MQRR] 2.2.5.3 SubqueueHeader


SUBQUEUE_HEADER_ROWS = rows_by_id(RULES["SubqueueHeader"])

subqueue_header_mqrr_2_2_5_3_03 = SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-03"].value
subqueue_header_mqrr_2_2_5_3_05 = SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-05"].value
subqueue_header_mqrr_2_2_5_3_08 = SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-08"].value
subqueue_header_mqrr_2_2_5_3_12 = SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-12"].value
subqueue_header_mqrr_2_2_5_3_05_2 = SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-05/2"].value
subqueue_header_mqrr_2_2_5_3_08_2 = SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-08/2"].value
subqueue_header_mqrr_2_2_5_3_06 = SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-06"].value
subqueue_header_mqrr_2_2_5_3_09 = SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-09"].value


def validate_SubqueueHeader(record: SubqueueHeader, trail: Trail, search: ViolationCollector) -> None:
    header_size = record.HeaderSize
    flags = record.Flags
    move_counter = record.MoveCounter
    if search.channel == "remote-read":
        if flags & 0x1:
            search.broken(record, trail, SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-02"])
        if not subqueue_header_mqrr_2_2_5_3_03(record):
            search.broken(record, trail, SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-03"])
        if not subqueue_header_mqrr_2_2_5_3_05(record):
            search.broken(record, trail, SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-05"])
        if not subqueue_header_mqrr_2_2_5_3_08(record):
            search.broken(record, trail, SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-08"])
        if move_counter == 0 and not subqueue_header_mqrr_2_2_5_3_12(record):
            search.broken(record, trail, SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-12"])
        if not subqueue_header_mqrr_2_2_5_3_05_2(record):
            search.broken(record, trail, SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-05/2"])
        if not subqueue_header_mqrr_2_2_5_3_08_2(record):
            search.broken(record, trail, SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-08/2"])
        if not subqueue_header_mqrr_2_2_5_3_06(record):
            search.broken(record, trail, SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-06"])
        if not subqueue_header_mqrr_2_2_5_3_09(record):
            search.broken(record, trail, SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-09"])
        if header_size != 0x94:
            search.broken(record, trail, SUBQUEUE_HEADER_ROWS["MQRR-2.2.5.3-11"])


VALIDATORS["SubqueueHeader"] = validate_SubqueueHeader


# ------------------------------------------------------------------- [MS-MQRR] 2.2.5.4 DeadLetterHeader


DEAD_LETTER_HEADER_ROWS = rows_by_id(RULES["DeadLetterHeader"])

dead_letter_header_mqrr_2_2_5_4_03 = DEAD_LETTER_HEADER_ROWS["MQRR-2.2.5.4-03"].value


def validate_DeadLetterHeader(record: DeadLetterHeader, trail: Trail, search: ViolationCollector) -> None:
    header_size = record.HeaderSize
    dead_letter_path_name = record.DeadLetterPathName
    padding = record.Padding
    if search.channel == "remote-read":
        if header_size != size_of_record(record):
            search.broken(record, trail, DEAD_LETTER_HEADER_ROWS["MQRR-2.2.5.4-01"])
        if dead_letter_path_name == "":
            search.broken(record, trail, DEAD_LETTER_HEADER_ROWS["MQRR-2.2.5.4-02"])
        if not dead_letter_header_mqrr_2_2_5_4_03(record):
            search.broken(record, trail, DEAD_LETTER_HEADER_ROWS["MQRR-2.2.5.4-03"])
    if len(padding) > 3:
        search.broken(record, trail, DEAD_LETTER_HEADER_ROWS["MQRR-2.2.5.4-03/2"])


VALIDATORS["DeadLetterHeader"] = validate_DeadLetterHeader


# -------------------------------------------------------------- [MS-MQRR] 2.2.5.5 ExtendedAddressHeader


EXTENDED_ADDRESS_HEADER_ROWS = rows_by_id(RULES["ExtendedAddressHeader"])


def validate_ExtendedAddressHeader(
    record: ExtendedAddressHeader, trail: Trail, search: ViolationCollector
) -> None:
    header_size = record.HeaderSize
    address_length = record.AddressLength
    address_type = record.AddressType
    address_scope = record.AddressScope
    if search.channel == "remote-read":
        if address_type == 1 and address_length != 4:
            search.broken(record, trail, EXTENDED_ADDRESS_HEADER_ROWS["MQRR-2.2.5.5-02"])
        if address_type == 6 and address_length != 0x10:
            search.broken(record, trail, EXTENDED_ADDRESS_HEADER_ROWS["MQRR-2.2.5.5-02/2"])
        if address_type not in {0, 1, 6}:
            search.broken(record, trail, EXTENDED_ADDRESS_HEADER_ROWS["MQRR-2.2.5.5-03"])
        if address_type not in {0, 6} and address_scope != 0:
            search.broken(record, trail, EXTENDED_ADDRESS_HEADER_ROWS["MQRR-2.2.5.5-05"])
        if header_size != 0x1C:
            search.broken(record, trail, EXTENDED_ADDRESS_HEADER_ROWS["MQRR-2.2.5.5-09"])


VALIDATORS["ExtendedAddressHeader"] = validate_ExtendedAddressHeader
