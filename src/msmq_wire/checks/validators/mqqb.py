"""Validators of [MS-MQQB]: the packets of the binary protocol.

Generated from `checks.rules` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmq_wire.checks.offsets import Inside
from msmq_wire.checks.rules import RULES, embedded_in, rows_by_id
from msmq_wire.values.guid import NULL_GUID

from .mqmq import (
    validate_BaseHeader,
    validate_MessagePropertiesHeader,
    validate_SessionHeader,
    validate_UserHeader,
)
from .registry import VALIDATORS

if TYPE_CHECKING:
    from msmq_wire.checks.collector import Trail, ViolationCollector
    from msmq_wire.documents.mqqb import (
        PUBLICKEYBLOB,
        SIMPLEBLOB,
        ConnectionParameters,
        ConnectionParametersHeader,
        EstablishConnection,
        EstablishConnectionHeader,
        FinalAck,
        FinalAckBody,
        InternalHeader,
        OrderAck,
        OrderAckBody,
        PingPacket,
        SessionAck,
    )


# ----------------------------------------------------------------------- [MS-MQQB] 2.2.1 InternalHeader


INTERNAL_HEADER_ROWS = rows_by_id(RULES["InternalHeader"])


def validate_InternalHeader(record: InternalHeader, trail: Trail, search: ViolationCollector) -> None:
    reserved = record.Reserved
    flags = record.Flags
    if reserved != 0:
        search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-01"])
    if flags & 0xF not in {1, 2, 3}:
        search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-03"])
    if flags & 0xF not in {2, 3} and flags & 0x10:
        search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-05"])
    if search.should:
        if flags & 0xFFE0:
            if flags & 0x20:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-08"])
            if flags & 0x40:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-10"])
            if flags & 0x80:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-12"])
            if flags & 0x100:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-14"])
            if flags & 0x200:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-16"])
            if flags & 0x400:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-18"])
            if flags & 0x800:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-20"])
            if flags & 0x1000:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-22"])
            if flags & 0x2000:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-24"])
            if flags & 0x4000:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-26"])
            if flags & 0x8000:
                search.broken(record, trail, INTERNAL_HEADER_ROWS["MQQB-2.2.1-28"])


VALIDATORS["InternalHeader"] = validate_InternalHeader


# --------------------------------------------------------- [MS-MQQB] 2.2.2.1 ConnectionParametersHeader


CONNECTION_PARAMETERS_HEADER_ROWS = rows_by_id(RULES["ConnectionParametersHeader"])

CONNECTION_PARAMETERS_HEADER_IN_CONTEXT = tuple(
    row for row in CONNECTION_PARAMETERS_HEADER_ROWS.values() if row.needs
)


def validate_ConnectionParametersHeader(
    record: ConnectionParametersHeader, trail: Trail, search: ViolationCollector
) -> None:
    recoverable_ack_timeout = record.RecoverableAckTimeout
    ack_timeout = record.AckTimeout
    reserved = record.Reserved
    if reserved != 0:
        search.broken(record, trail, CONNECTION_PARAMETERS_HEADER_ROWS["MQQB-2.2.2.1-01"])
    if not 0x1F4 <= recoverable_ack_timeout <= 0x1D4C0:
        search.broken(record, trail, CONNECTION_PARAMETERS_HEADER_ROWS["MQQB-2.2.2.1-03"])
    if not 0x4E20 <= ack_timeout <= 0x1D4C0:
        search.broken(record, trail, CONNECTION_PARAMETERS_HEADER_ROWS["MQQB-2.2.2.1-04"])
    if search.context is not None:
        search.in_context(record, trail, CONNECTION_PARAMETERS_HEADER_IN_CONTEXT)


VALIDATORS["ConnectionParametersHeader"] = validate_ConnectionParametersHeader


# ----------------------------------------------------------------- [MS-MQQB] 2.2.2 ConnectionParameters


CONNECTION_PARAMETERS_ROWS = rows_by_id(RULES["ConnectionParameters"])

connection_parameters_mqmq_2_2_19_1_31 = CONNECTION_PARAMETERS_ROWS["MQMQ-2.2.19.1-31"].value
CONNECTION_PARAMETERS_IN_CONTEXT = tuple(row for row in CONNECTION_PARAMETERS_ROWS.values() if row.needs)


def validate_ConnectionParameters(
    record: ConnectionParameters, trail: Trail, search: ViolationCollector
) -> None:
    base_header = record.BaseHeader
    internal_header = record.InternalHeader
    connection_parameters_header = record.ConnectionParametersHeader
    base_header_flags = base_header.Flags
    base_header_time_to_reach_queue = base_header.TimeToReachQueue
    internal_header_flags = internal_header.Flags
    if not base_header_flags & 0x8:
        search.broken(record, trail, CONNECTION_PARAMETERS_ROWS["MQMQ-2.2.19.1-05"])
    if base_header_flags & 0x20:
        search.broken(record, trail, CONNECTION_PARAMETERS_ROWS["MQMQ-2.2.19.1-08"])
    if base_header_time_to_reach_queue != 0xFFFFFFFF:
        search.broken(record, trail, CONNECTION_PARAMETERS_ROWS["MQMQ-2.2.19.1-36"])
    if not connection_parameters_mqmq_2_2_19_1_31(record):
        search.broken(record, trail, CONNECTION_PARAMETERS_ROWS["MQMQ-2.2.19.1-31"])
    if internal_header_flags & 0xF != 3:
        search.broken(record, trail, CONNECTION_PARAMETERS_ROWS["MQQB-2.2.2-02"])
    if base_header_flags & 0x10:
        search.broken(record, trail, CONNECTION_PARAMETERS_ROWS["MQMQ-2.2.19.1-07"])
    if internal_header_flags & 0x10:
        search.broken(record, trail, CONNECTION_PARAMETERS_ROWS["MQQB-3.1.5.3.2-02"])
    if search.context is not None:
        search.in_context(record, trail, CONNECTION_PARAMETERS_IN_CONTEXT)
    validate_BaseHeader(base_header, (trail, "BaseHeader"), search)
    validate_InternalHeader(internal_header, (trail, "InternalHeader"), search)
    validate_ConnectionParametersHeader(
        connection_parameters_header, (trail, "ConnectionParametersHeader"), search
    )


VALIDATORS["ConnectionParameters"] = validate_ConnectionParameters


# ---------------------------------------------------------- [MS-MQQB] 2.2.3.1 EstablishConnectionHeader


ESTABLISH_CONNECTION_HEADER_ROWS = rows_by_id(RULES["EstablishConnectionHeader"])

ESTABLISH_CONNECTION_HEADER_IN_CONTEXT = tuple(
    row for row in ESTABLISH_CONNECTION_HEADER_ROWS.values() if row.needs
)


def validate_EstablishConnectionHeader(
    record: EstablishConnectionHeader, trail: Trail, search: ViolationCollector
) -> None:
    client_guid = record.ClientGuid
    operating_system = record.OperatingSystem
    reserved = record.Reserved
    if operating_system & 0xFF != 0x10:
        search.broken(record, trail, ESTABLISH_CONNECTION_HEADER_ROWS["MQQB-2.2.3.1-05"])
    if search.should:
        if operating_system & 0xF800:
            if operating_system & 0x800:
                search.broken(record, trail, ESTABLISH_CONNECTION_HEADER_ROWS["MQQB-2.2.3.1-11"])
            if operating_system & 0x1000:
                search.broken(record, trail, ESTABLISH_CONNECTION_HEADER_ROWS["MQQB-2.2.3.1-13"])
            if operating_system & 0x2000:
                search.broken(record, trail, ESTABLISH_CONNECTION_HEADER_ROWS["MQQB-2.2.3.1-15"])
            if operating_system & 0x4000:
                search.broken(record, trail, ESTABLISH_CONNECTION_HEADER_ROWS["MQQB-2.2.3.1-17"])
            if operating_system & 0x8000:
                search.broken(record, trail, ESTABLISH_CONNECTION_HEADER_ROWS["MQQB-2.2.3.1-19"])
    if reserved != 0:
        search.broken(record, trail, ESTABLISH_CONNECTION_HEADER_ROWS["MQQB-2.2.3.1-21"])
    if search.practice:
        if client_guid == NULL_GUID:
            search.broken(record, trail, ESTABLISH_CONNECTION_HEADER_ROWS["MQQB-2.2.3.1-25/4"])
    if search.context is not None:
        search.in_context(record, trail, ESTABLISH_CONNECTION_HEADER_IN_CONTEXT)


VALIDATORS["EstablishConnectionHeader"] = validate_EstablishConnectionHeader


# ------------------------------------------------------------------ [MS-MQQB] 2.2.3 EstablishConnection


ESTABLISH_CONNECTION_ROWS = rows_by_id(RULES["EstablishConnection"])

establish_connection_mqmq_2_2_19_1_31 = ESTABLISH_CONNECTION_ROWS["MQMQ-2.2.19.1-31"].value
ESTABLISH_CONNECTION_IN_CONTEXT = tuple(row for row in ESTABLISH_CONNECTION_ROWS.values() if row.needs)


def validate_EstablishConnection(
    record: EstablishConnection, trail: Trail, search: ViolationCollector
) -> None:
    base_header = record.BaseHeader
    internal_header = record.InternalHeader
    establish_connection_header = record.EstablishConnectionHeader
    base_header_flags = base_header.Flags
    base_header_time_to_reach_queue = base_header.TimeToReachQueue
    internal_header_flags = internal_header.Flags
    if not base_header_flags & 0x8:
        search.broken(record, trail, ESTABLISH_CONNECTION_ROWS["MQMQ-2.2.19.1-05"])
    if base_header_flags & 0x20:
        search.broken(record, trail, ESTABLISH_CONNECTION_ROWS["MQMQ-2.2.19.1-08"])
    if base_header_time_to_reach_queue != 0xFFFFFFFF:
        search.broken(record, trail, ESTABLISH_CONNECTION_ROWS["MQMQ-2.2.19.1-36"])
    if not establish_connection_mqmq_2_2_19_1_31(record):
        search.broken(record, trail, ESTABLISH_CONNECTION_ROWS["MQMQ-2.2.19.1-31"])
    if internal_header_flags & 0xF != 2:
        search.broken(record, trail, ESTABLISH_CONNECTION_ROWS["MQQB-2.2.3-02"])
    if base_header_flags & 0x10:
        search.broken(record, trail, ESTABLISH_CONNECTION_ROWS["MQMQ-2.2.19.1-07"])
    if search.context is not None:
        search.in_context(record, trail, ESTABLISH_CONNECTION_IN_CONTEXT)
    validate_BaseHeader(base_header, (trail, "BaseHeader"), search)
    validate_InternalHeader(internal_header, (trail, "InternalHeader"), search)
    validate_EstablishConnectionHeader(
        establish_connection_header, (trail, "EstablishConnectionHeader"), search
    )


VALIDATORS["EstablishConnection"] = validate_EstablishConnection


# ----------------------------------------------------------------------- [MS-MQQB] 2.2.4.1 OrderAckBody


ORDER_ACK_BODY_ROWS = rows_by_id(RULES["OrderAckBody"])

order_ack_body_mqqb_2_2_4_1_03 = ORDER_ACK_BODY_ROWS["MQQB-2.2.4.1-03"].value
order_ack_body_mqqb_2_2_4_1_04 = ORDER_ACK_BODY_ROWS["MQQB-2.2.4.1-04"].value
ORDER_ACK_BODY_IN_CONTEXT = tuple(row for row in ORDER_ACK_BODY_ROWS.values() if row.needs)


def validate_OrderAckBody(record: OrderAckBody, trail: Trail, search: ViolationCollector) -> None:
    tx_sequence_number = record.TxSequenceNumber
    tx_previous_sequence_number = record.TxPreviousSequenceNumber
    if (
        tx_sequence_number != 0
        and tx_previous_sequence_number != 0xFFFFFFFF
        and not order_ack_body_mqqb_2_2_4_1_03(record)
    ):
        search.broken(record, trail, ORDER_ACK_BODY_ROWS["MQQB-2.2.4.1-03"])
    if search.should:
        if not order_ack_body_mqqb_2_2_4_1_04(record):
            search.broken(record, trail, ORDER_ACK_BODY_ROWS["MQQB-2.2.4.1-04"])
    if tx_sequence_number < 0x1:
        search.broken(record, trail, ORDER_ACK_BODY_ROWS["MQQB-2.2.4.1-06"])
    if tx_previous_sequence_number > 0xFFFFFFFE:
        search.broken(record, trail, ORDER_ACK_BODY_ROWS["MQQB-2.2.4.1-07"])
    if search.context is not None:
        search.in_context(record, trail, ORDER_ACK_BODY_IN_CONTEXT)


VALIDATORS["OrderAckBody"] = validate_OrderAckBody


# ----------------------------------------------------------------------------- [MS-MQQB] 2.2.4 OrderAck


ORDER_ACK_ROWS = rows_by_id(RULES["OrderAck"])

order_ack_mqmq_2_2_19_1_31 = ORDER_ACK_ROWS["MQMQ-2.2.19.1-31"].value
order_ack_mqqb_2_2_4_05 = ORDER_ACK_ROWS["MQQB-2.2.4-05"].value
order_ack_mqqb_2_2_4_06 = ORDER_ACK_ROWS["MQQB-2.2.4-06"].value
ORDER_ACK_IN_CONTEXT = tuple(row for row in ORDER_ACK_ROWS.values() if row.needs)
read_order_ack_message_properties_header_message_body = embedded_in(
    "OrderAck", "MessagePropertiesHeader.MessageBody"
).read


def validate_OrderAck(record: OrderAck, trail: Trail, search: ViolationCollector) -> None:
    base_header = record.BaseHeader
    user_header = record.UserHeader
    message_properties_header = record.MessagePropertiesHeader
    base_header_flags = base_header.Flags
    base_header_time_to_reach_queue = base_header.TimeToReachQueue
    user_header_flags = user_header.Flags
    message_properties_header_body_type = message_properties_header.BodyType
    message_properties_header_flags = message_properties_header.Flags
    message_properties_header_label = message_properties_header.Label
    message_properties_header_message_class = message_properties_header.MessageClass
    message_properties_header_message_size = message_properties_header.MessageSize
    message_properties_header_privacy_level = message_properties_header.PrivacyLevel
    if not order_ack_mqmq_2_2_19_1_31(record):
        search.broken(record, trail, ORDER_ACK_ROWS["MQMQ-2.2.19.1-31"])
    if base_header_flags != 0:
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-2.2.4-01"])
    if user_header_flags & 0xFFDFE39F:
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-2.2.4-03"])
    if user_header_flags >> 10 & 0x7 not in {3, 7}:
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-2.2.4-04"])
    if user_header_flags >> 10 & 0x7 == 3 and not order_ack_mqqb_2_2_4_05(record):
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-2.2.4-05"])
    if user_header_flags >> 10 & 0x7 == 7 and not order_ack_mqqb_2_2_4_06(record):
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-2.2.4-06"])
    if message_properties_header_label != "QM Ordering Ack\x00":
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-2.2.4-08"])
    if message_properties_header_message_size != 0x24:
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-2.2.4-09"])
    if message_properties_header_flags != 0:
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-2.2.4-10"])
    if message_properties_header_body_type != 0:
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-2.2.4-12"])
    if message_properties_header_privacy_level != 0:
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-3.1.7.17-01"])
    if search.practice:
        if base_header_time_to_reach_queue != 0xFFFFFFFF:
            search.broken(record, trail, ORDER_ACK_ROWS["MQMQ-2.2.19.1-36"])
    if message_properties_header_message_class != 0xFF:
        search.broken(record, trail, ORDER_ACK_ROWS["MQQB-2.2.4-11"])
    if search.context is not None:
        search.in_context(record, trail, ORDER_ACK_IN_CONTEXT)
    if search.profile is not None:
        search.lacking(record, trail)
    validate_BaseHeader(base_header, (trail, "BaseHeader"), search)
    validate_UserHeader(user_header, (trail, "UserHeader"), search)
    validate_MessagePropertiesHeader(message_properties_header, (trail, "MessagePropertiesHeader"), search)
    if message_properties_header.MessageBody:
        for where, offset, inner in read_order_ack_message_properties_header_message_body(record):
            validate = VALIDATORS.get(inner.__class__.__name__)
            if validate is not None:
                validate(
                    inner,
                    (trail, "MessagePropertiesHeader", "MessageBody", *where, Inside(offset, inner)),
                    search,
                )


VALIDATORS["OrderAck"] = validate_OrderAck


# ----------------------------------------------------------------------- [MS-MQQB] 2.2.5.1 FinalAckBody


FINAL_ACK_BODY_ROWS = rows_by_id(RULES["FinalAckBody"])

final_ack_body_mqqb_2_2_5_1_09 = FINAL_ACK_BODY_ROWS["MQQB-2.2.5.1-09"].value
FINAL_ACK_BODY_IN_CONTEXT = tuple(row for row in FINAL_ACK_BODY_ROWS.values() if row.needs)


def validate_FinalAckBody(record: FinalAckBody, trail: Trail, search: ViolationCollector) -> None:
    tx_sequence_number = record.TxSequenceNumber
    tx_previous_sequence_number = record.TxPreviousSequenceNumber
    source_guid = record.SourceGUID
    if tx_sequence_number < 0x1:
        search.broken(record, trail, FINAL_ACK_BODY_ROWS["MQQB-2.2.5.1-04"])
    if tx_previous_sequence_number > 0xFFFFFFFE:
        search.broken(record, trail, FINAL_ACK_BODY_ROWS["MQQB-2.2.5.1-05"])
    if (
        tx_sequence_number != 0
        and tx_previous_sequence_number != 0xFFFFFFFF
        and not final_ack_body_mqqb_2_2_5_1_09(record)
    ):
        search.broken(record, trail, FINAL_ACK_BODY_ROWS["MQQB-2.2.5.1-09"])
    if search.practice:
        if source_guid == NULL_GUID:
            search.broken(record, trail, FINAL_ACK_BODY_ROWS["MQQB-2.2.5.1-07/2"])
    if search.context is not None:
        search.in_context(record, trail, FINAL_ACK_BODY_IN_CONTEXT)


VALIDATORS["FinalAckBody"] = validate_FinalAckBody


# ----------------------------------------------------------------------------- [MS-MQQB] 2.2.5 FinalAck


FINAL_ACK_ROWS = rows_by_id(RULES["FinalAck"])

final_ack_mqmq_2_2_19_1_31 = FINAL_ACK_ROWS["MQMQ-2.2.19.1-31"].value
final_ack_mqqb_2_2_5_06 = FINAL_ACK_ROWS["MQQB-2.2.5-06"].value
final_ack_mqqb_2_2_5_07 = FINAL_ACK_ROWS["MQQB-2.2.5-07"].value
FINAL_ACK_IN_CONTEXT = tuple(row for row in FINAL_ACK_ROWS.values() if row.needs)
read_final_ack_message_properties_header_message_body = embedded_in(
    "FinalAck", "MessagePropertiesHeader.MessageBody"
).read


def validate_FinalAck(record: FinalAck, trail: Trail, search: ViolationCollector) -> None:
    base_header = record.BaseHeader
    user_header = record.UserHeader
    message_properties_header = record.MessagePropertiesHeader
    base_header_flags = base_header.Flags
    base_header_time_to_reach_queue = base_header.TimeToReachQueue
    user_header_flags = user_header.Flags
    message_properties_header_body_type = message_properties_header.BodyType
    message_properties_header_flags = message_properties_header.Flags
    message_properties_header_label = message_properties_header.Label
    message_properties_header_message_class = message_properties_header.MessageClass
    message_properties_header_message_size = message_properties_header.MessageSize
    message_properties_header_privacy_level = message_properties_header.PrivacyLevel
    if not final_ack_mqmq_2_2_19_1_31(record):
        search.broken(record, trail, FINAL_ACK_ROWS["MQMQ-2.2.19.1-31"])
    if user_header_flags >> 5 & 0x3 != 1:
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-03"])
    if base_header_flags != 0:
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-01"])
    if user_header_flags & 0xFFDFE39F:
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-04"])
    if user_header_flags >> 10 & 0x7 not in {3, 7}:
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-05"])
    if user_header_flags >> 10 & 0x7 == 3 and not final_ack_mqqb_2_2_5_06(record):
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-06"])
    if user_header_flags >> 10 & 0x7 == 7 and not final_ack_mqqb_2_2_5_07(record):
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-07"])
    if message_properties_header_label != "QM Ordering Ack\x00":
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-09"])
    if message_properties_header_message_size != 0x24:
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-10"])
    if message_properties_header_flags != 0:
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-11"])
    if message_properties_header_body_type != 0:
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-14"])
    if message_properties_header_privacy_level != 0:
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-3.1.7.17-01"])
    if search.practice:
        if base_header_time_to_reach_queue != 0xFFFFFFFF:
            search.broken(record, trail, FINAL_ACK_ROWS["MQMQ-2.2.19.1-36"])
    if message_properties_header_message_class not in {
        0x4000,
        0x8000,
        0x8003,
        0x8004,
        0x8006,
        0x8007,
        0x8009,
        0x800B,
        0xC000,
        0xC001,
        0xC002,
    }:
        search.broken(record, trail, FINAL_ACK_ROWS["MQQB-2.2.5-13"])
    if search.context is not None:
        search.in_context(record, trail, FINAL_ACK_IN_CONTEXT)
    if search.profile is not None:
        search.lacking(record, trail)
    validate_BaseHeader(base_header, (trail, "BaseHeader"), search)
    validate_UserHeader(user_header, (trail, "UserHeader"), search)
    validate_MessagePropertiesHeader(message_properties_header, (trail, "MessagePropertiesHeader"), search)
    if message_properties_header.MessageBody:
        for where, offset, inner in read_final_ack_message_properties_header_message_body(record):
            validate = VALIDATORS.get(inner.__class__.__name__)
            if validate is not None:
                validate(
                    inner,
                    (trail, "MessagePropertiesHeader", "MessageBody", *where, Inside(offset, inner)),
                    search,
                )


VALIDATORS["FinalAck"] = validate_FinalAck


# --------------------------------------------------------------------------- [MS-MQQB] 2.2.6 SessionAck


SESSION_ACK_ROWS = rows_by_id(RULES["SessionAck"])

session_ack_mqmq_2_2_19_1_31 = SESSION_ACK_ROWS["MQMQ-2.2.19.1-31"].value


def validate_SessionAck(record: SessionAck, trail: Trail, search: ViolationCollector) -> None:
    base_header = record.BaseHeader
    internal_header = record.InternalHeader
    session_header = record.SessionHeader
    base_header_flags = base_header.Flags
    base_header_time_to_reach_queue = base_header.TimeToReachQueue
    internal_header_flags = internal_header.Flags
    if not base_header_flags & 0x8:
        search.broken(record, trail, SESSION_ACK_ROWS["MQMQ-2.2.19.1-05"])
    if base_header_flags & 0x20:
        search.broken(record, trail, SESSION_ACK_ROWS["MQMQ-2.2.19.1-08"])
    if base_header_time_to_reach_queue != 0xFFFFFFFF:
        search.broken(record, trail, SESSION_ACK_ROWS["MQMQ-2.2.19.1-36"])
    if not session_ack_mqmq_2_2_19_1_31(record):
        search.broken(record, trail, SESSION_ACK_ROWS["MQMQ-2.2.19.1-31"])
    if not base_header_flags & 0x10:
        search.broken(record, trail, SESSION_ACK_ROWS["MQQB-2.2.6-02"])
    if internal_header_flags & 0xF != 1:
        search.broken(record, trail, SESSION_ACK_ROWS["MQQB-2.2.6-03"])
    validate_BaseHeader(base_header, (trail, "BaseHeader"), search)
    validate_InternalHeader(internal_header, (trail, "InternalHeader"), search)
    validate_SessionHeader(session_header, (trail, "SessionHeader"), search)


VALIDATORS["SessionAck"] = validate_SessionAck


# --------------------------------------------------------------------------- [MS-MQQB] 2.2.7 PingPacket


PING_PACKET_ROWS = rows_by_id(RULES["PingPacket"])

PING_PACKET_IN_CONTEXT = tuple(row for row in PING_PACKET_ROWS.values() if row.needs)


def validate_PingPacket(record: PingPacket, trail: Trail, search: ViolationCollector) -> None:
    signature = record.Signature
    if signature != 0x5548:
        search.broken(record, trail, PING_PACKET_ROWS["MQQB-2.2.7-22"])
    if search.context is not None:
        search.in_context(record, trail, PING_PACKET_IN_CONTEXT)
    if search.profile is not None:
        search.lacking(record, trail)


VALIDATORS["PingPacket"] = validate_PingPacket


# ------------------------------------------------------------------------ [MS-MQQB] 2.4.1 PUBLICKEYBLOB


PUBLICKEYBLOB_ROWS = rows_by_id(RULES["PUBLICKEYBLOB"])

publickeyblob_mqqb_2_4_1_04 = PUBLICKEYBLOB_ROWS["MQQB-2.4.1-04"].value


def validate_PUBLICKEYBLOB(record: PUBLICKEYBLOB, trail: Trail, search: ViolationCollector) -> None:
    b_type = record.bType
    b_version = record.bVersion
    reserved = record.reserved
    ai_key_alg = record.aiKeyAlg
    magic = record.magic
    pub_exp = record.pubExp
    if not pub_exp & 0x1:
        search.broken(record, trail, PUBLICKEYBLOB_ROWS["MQQB-2.4.1-02"])
    if pub_exp == 1:
        search.broken(record, trail, PUBLICKEYBLOB_ROWS["MQQB-2.4.1-02/2"])
    if not publickeyblob_mqqb_2_4_1_04(record):
        search.broken(record, trail, PUBLICKEYBLOB_ROWS["MQQB-2.4.1-04"])
    if b_type != 6:
        search.broken(record, trail, PUBLICKEYBLOB_ROWS["MQQB-2.4.1-05"])
    if b_version != 2:
        search.broken(record, trail, PUBLICKEYBLOB_ROWS["MQQB-2.4.1-05/2"])
    if reserved != 0:
        search.broken(record, trail, PUBLICKEYBLOB_ROWS["MQQB-2.4.1-05/3"])
    if ai_key_alg != 0xA400:
        search.broken(record, trail, PUBLICKEYBLOB_ROWS["MQQB-2.4.1-05/4"])
    if magic != b"RSA1":
        search.broken(record, trail, PUBLICKEYBLOB_ROWS["MQQB-2.4.1-05/5"])


VALIDATORS["PUBLICKEYBLOB"] = validate_PUBLICKEYBLOB


# --------------------------------------------------------------------------- [MS-MQQB] 2.4.2 SIMPLEBLOB


SIMPLEBLOB_ROWS = rows_by_id(RULES["SIMPLEBLOB"])

simpleblob_mqqb_2_4_2_03 = SIMPLEBLOB_ROWS["MQQB-2.4.2-03"].value


def validate_SIMPLEBLOB(record: SIMPLEBLOB, trail: Trail, search: ViolationCollector) -> None:
    b_type = record.bType
    b_version = record.bVersion
    reserved = record.reserved
    session_key_algorithm = record.sessionKeyAlgorithm
    ai_key_alg = record.aiKeyAlg
    if not simpleblob_mqqb_2_4_2_03(record):
        search.broken(record, trail, SIMPLEBLOB_ROWS["MQQB-2.4.2-03"])
    if session_key_algorithm not in {0x6602, 0x660E, 0x660F, 0x6610, 0x6801}:
        search.broken(record, trail, SIMPLEBLOB_ROWS["MQQB-2.4.2-01"])
    if b_type != 1:
        search.broken(record, trail, SIMPLEBLOB_ROWS["MQQB-2.4.2-02"])
    if b_version != 2:
        search.broken(record, trail, SIMPLEBLOB_ROWS["MQQB-2.4.2-02/2"])
    if reserved != 0:
        search.broken(record, trail, SIMPLEBLOB_ROWS["MQQB-2.4.2-02/3"])
    if ai_key_alg != 0xA400:
        search.broken(record, trail, SIMPLEBLOB_ROWS["MQQB-2.4.2-02/4"])


VALIDATORS["SIMPLEBLOB"] = validate_SIMPLEBLOB
