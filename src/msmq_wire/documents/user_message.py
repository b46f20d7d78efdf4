"""[MS-MQMQ] 2.2.20 and [MS-MQRR] 2.2.5: whole messages, made of the headers of both documents.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from codecs import utf_16_le_decode as decode_utf16
from codecs import utf_16_le_encode as encode_utf16
from functools import cache, partial
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace

from msmq_wire.definitions.relations import FIXED
from msmq_wire.records import accept, replacing
from msmq_wire.records.flags import Flags
from msmq_wire.records.left_out import LeftOut
from msmq_wire.records.record import Record
from msmq_wire.records.registry import ENCODERS, PACKETS, SHARING, SIZES, register
from msmq_wire.values.guid import GUID
from msmq_wire.values.numbers import NUMBERS
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import wchar_count

from . import layouts, readings
from .mqmq import (
    BaseHeader,
    BaseHeaderFlags,
    DebugHeader,
    DebugHeaderFlags,
    DirectQueueFormatName,
    MessagePropertiesHeader,
    MessagePropertiesHeaderFlags,
    MQFSignatureHeader,
    MultiQueueFormatHeader,
    PrivateQueueFormatName,
    PrivateQueueFormatNameId,
    PublicQueueFormatName,
    SecurityData,
    SecurityHeader,
    SecurityHeaderFlags,
    SessionHeader,
    SoapHeader,
    TransactionHeader,
    TransactionHeaderFlags,
    TxSequenceID,
    UserHeader,
    UserHeaderFlags,
    decode_MQFAddressHeader,
    encode_DebugHeader,
    encode_MultiQueueFormatHeader,
    encode_SecurityHeader,
    encode_SessionHeader,
    encode_SoapHeader,
    encode_TransactionHeader,
    size_MQFFormatNameElement,
)
from .mqrr import (
    CompoundMessageHeader,
    DeadLetterHeader,
    ExtendedAddressHeader,
    ExtensionHeader,
    ExtensionHeaderFlags,
    SRMPEnvelopeHeader,
    SubqueueHeader,
    SubqueueHeaderFlags,
    decode_DeadLetterHeader,
    encode_CompoundMessageHeader,
    encode_DeadLetterHeader,
    encode_ExtendedAddressHeader,
    encode_ExtensionHeader,
    encode_SRMPEnvelopeHeader,
    encode_SubqueueHeader,
    size_DeadLetterHeader,
)

if TYPE_CHECKING:
    from msmq_wire.documents import (
        mqcn,
        mqmq,
        mqrr,
        user_message,
    )
    from msmq_wire.packets import replication
    from msmq_wire.records.model import Structure
    from msmq_wire.values.limits import Limits
__all__ = ["MessagePacket", "UserMessage"]
join = b"".join


# ------------------------------------------------------------------------- [MS-MQMQ] 2.2.20 UserMessage


class UserMessage(Record, frozen=True, gc=False):
    """A whole message: a packet of the binary protocol, or one that came over HTTP ([MS-MQRR] 2.2.5.1)
    ([MS-MQMQ] 2.2.20).

    Attributes:
        BaseHeader: Kind, size and lifetime of the packet.
        UserHeader: Sender, queues and options.
        TransactionHeader: Place in a transactional sequence; present if UserHeader.Flags.TH is set.
        SecurityHeader: Sender, signature and keys; present if UserHeader.Flags.SH is set.
        MessagePropertiesHeader: Label, class and body; present if UserHeader.Flags.MP is set.
        DebugHeader: Trace queue; present if BaseHeader.Flags.DH is set.
        SRMPEnvelopeHeader: SOAP envelope; present if UserHeader.Flags.AH is set.
        CompoundMessageHeader: HTTP message; present if UserHeader.Flags.AH is set.
        SoapHeader: Application's SOAP texts; present if UserHeader.Flags.HH is set.
        MultiQueueFormatHeader: All destinations; present if UserHeader.Flags.MQ is set.
        ExtensionHeader: Announces the next three; present if bytes remain within PacketSize.
        SubqueueHeader: Subqueue; present if ExtensionHeader.Flags.SQ is set.
        DeadLetterHeader: Dead-letter queue; present if ExtensionHeader.Flags.DL is set.
        ExtendedAddressHeader: Sender's address; present if ExtensionHeader.Flags.EA is set.
        SessionHeader: Acknowledgment that rides along, behind PacketSize; present if BaseHeader.Flags.SH
            is set.
    """

    layout: ClassVar[Structure] = layouts.UserMessage
    flags: ClassVar[dict[str, type[Flags]]] = {}

    BaseHeader: mqmq.BaseHeader
    UserHeader: mqmq.UserHeader
    TransactionHeader: mqmq.TransactionHeader | None
    SecurityHeader: mqmq.SecurityHeader | None
    MessagePropertiesHeader: mqmq.MessagePropertiesHeader
    DebugHeader: mqmq.DebugHeader | None
    SRMPEnvelopeHeader: mqrr.SRMPEnvelopeHeader | None
    CompoundMessageHeader: mqrr.CompoundMessageHeader | None
    SoapHeader: mqmq.SoapHeader | None
    MultiQueueFormatHeader: mqmq.MultiQueueFormatHeader | None
    ExtensionHeader: mqrr.ExtensionHeader | None
    SubqueueHeader: mqrr.SubqueueHeader | None
    DeadLetterHeader: mqrr.DeadLetterHeader | None
    ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None
    SessionHeader: mqmq.SessionHeader | None

    if TYPE_CHECKING:

        def __init__(
            self,
            BaseHeader: mqmq.BaseHeader = ...,
            UserHeader: mqmq.UserHeader = ...,
            TransactionHeader: mqmq.TransactionHeader | None = ...,
            SecurityHeader: mqmq.SecurityHeader | None = ...,
            MessagePropertiesHeader: mqmq.MessagePropertiesHeader = ...,
            DebugHeader: mqmq.DebugHeader | None = ...,
            SRMPEnvelopeHeader: mqrr.SRMPEnvelopeHeader | None = ...,
            CompoundMessageHeader: mqrr.CompoundMessageHeader | None = ...,
            SoapHeader: mqmq.SoapHeader | None = ...,
            MultiQueueFormatHeader: mqmq.MultiQueueFormatHeader | None = ...,
            ExtensionHeader: mqrr.ExtensionHeader | None = ...,
            SubqueueHeader: mqrr.SubqueueHeader | None = ...,
            DeadLetterHeader: mqrr.DeadLetterHeader | None = ...,
            ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None = ...,
            SessionHeader: mqmq.SessionHeader | None = ...,
        ) -> None: ...

    @property
    def is_transactional(self) -> bool:
        """Whether the message belongs to a transaction: it has a TransactionHeader."""
        return readings.is_transactional(self)

    @property
    def body(self) -> bytes:
        """The message's payload: `MessageBody`, or for a message sent over HTTP the part that is its body.

        The SRMP body is what CompoundMessageHeader's offset and size name, as far as it lies within Data.
        """
        return readings.body(self)

    @property
    def typed_body(self) -> Any:
        """From `body` and `MessagePropertiesHeader.BodyType`: text, number, GUID or whatever else the type says.

        Bytes where the type says nothing, where the body does not fit it, and where it is encrypted.
        """
        return readings.typed_body(self)

    @property
    def directory_message(self) -> replication.Message | mqcn.ChangeNotificationMessage | None:
        """From queue, class and `MessageBody`: the replication message or change notification in the body.

        None for a message that carries neither; `carriers` says how that is told.

        Raises:
            DecodeError: The message should carry one, but its body cannot be read as one.
        """
        return readings.directory_message(self)


known_BaseHeaderFlags = BaseHeaderFlags.seen

new_BaseHeader = BaseHeader.raw

known_UserHeaderFlags = UserHeaderFlags.seen

unpack_BBHIII16s16sIIII = Struct("<BBHIII16s16sIIII").unpack_from

unpack_H = Struct("<H").unpack_from

new_DirectQueueFormatName = DirectQueueFormatName.raw

new_PublicQueueFormatName = PublicQueueFormatName.raw

unpack_16s = Struct("<16s").unpack_from

new_PrivateQueueFormatNameId = PrivateQueueFormatNameId.raw

unpack_I = Struct("<I").unpack_from

new_PrivateQueueFormatName = PrivateQueueFormatName.raw

unpack_16sI = Struct("<16sI").unpack_from

new_UserHeader = UserHeader.raw

known_TransactionHeaderFlags = TransactionHeaderFlags.seen

new_TxSequenceID = TxSequenceID.raw

unpack_IIIII = Struct("<IIIII").unpack_from

new_TransactionHeader = TransactionHeader.raw

known_SecurityHeaderFlags = SecurityHeaderFlags.seen

unpack_HHHHII = Struct("<HHHHII").unpack_from

new_SecurityData = SecurityData.raw

new_SecurityHeader = SecurityHeader.raw

known_MessagePropertiesHeaderFlags = MessagePropertiesHeaderFlags.seen

unpack_BBH20sIIIIIIII = Struct("<BBH20sIIIIIIII").unpack_from

new_MessagePropertiesHeader = MessagePropertiesHeader.raw

known_DebugHeaderFlags = DebugHeaderFlags.seen

unpack_HH = Struct("<HH").unpack_from

new_DebugHeader = DebugHeader.raw

unpack_HHI = Struct("<HHI").unpack_from

new_SRMPEnvelopeHeader = SRMPEnvelopeHeader.raw

unpack_HHIII = Struct("<HHIII").unpack_from

new_CompoundMessageHeader = CompoundMessageHeader.raw

new_SoapHeader = SoapHeader.raw

new_MQFSignatureHeader = MQFSignatureHeader.raw

new_MultiQueueFormatHeader = MultiQueueFormatHeader.raw

known_ExtensionHeaderFlags = ExtensionHeaderFlags.seen

new_ExtensionHeader = ExtensionHeader.raw

unpack_IIB3s = Struct("<IIB3s").unpack_from

known_SubqueueHeaderFlags = SubqueueHeaderFlags.seen

new_SubqueueHeader = SubqueueHeader.raw

unpack_IIIII64s64s = Struct("<IIIII64s64s").unpack_from

new_ExtendedAddressHeader = ExtendedAddressHeader.raw

unpack_IHHI16s = Struct("<IHHI16s").unpack_from

new_SessionHeader = SessionHeader.raw

unpack_HHIHHHH = Struct("<HHIHHHH").unpack_from

new_UserMessage = UserMessage.raw


def decode_UserMessage(data: bytes, pos: int, end: int, limits: Limits) -> tuple[UserMessage, int]:
    at = pos + 64
    if at > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        source_queue_manager,
        queue_manager_address,
        time_to_be_received,
        sent_time,
        message_id,
        flags_2,
    ) = unpack_BBHIII16s16sIIII(data, pos)
    limit = pos + packet_size
    if limit > end:
        raise Reject
    if flags & 0x10 and end == limit:
        limit -= 16
    destination_queue_form = flags_2 & 0x1C00
    if destination_queue_form == 7168:
        at_3 = at + 2
        if at_3 > limit:
            raise Reject
        (count,) = unpack_H(data, at)
        if count & 1:
            raise Reject
        if (count) // 2 > limits.string_length:
            raise Reject
        at_4 = at_3 + count
        if at_4 > limit:
            raise Reject
        at_5 = at_4 + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(count, decode_utf16(data[at_3:at_4], "surrogatepass", True)[0], data[at_4:at_5])
        )
        at_2 = at_5
    elif destination_queue_form == 5120:
        at_6 = at + 16
        if at_6 > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, at)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        at_2 = at_6
    elif destination_queue_form == 3072:
        at_7 = at + 4
        if at_7 > limit:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, at)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        at_2 = at_7
    elif destination_queue_form == 0:
        destination_queue = None
        at_2 = at
    else:
        raise Reject
    if flags_2 & 0x47E000:
        admin_queue_form = flags_2 & 0xE000
        if admin_queue_form == 57344:
            at_9 = at_2 + 2
            if at_9 > limit:
                raise Reject
            (count_2,) = unpack_H(data, at_2)
            if count_2 & 1:
                raise Reject
            if (count_2) // 2 > limits.string_length:
                raise Reject
            at_10 = at_9 + count_2
            if at_10 > limit:
                raise Reject
            at_11 = at_10 + (-(2 + count_2) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(count_2, decode_utf16(data[at_9:at_10], "surrogatepass", True)[0], data[at_10:at_11])
            )
            at_8 = at_11
        elif admin_queue_form == 49152:
            at_12 = at_2 + 20
            if at_12 > limit:
                raise Reject
            source_queue_manager_2, private_queue_identifier_2 = unpack_16sI(data, at_2)
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(source_queue_manager_2), private_queue_identifier_2)
            )
            at_8 = at_12
        elif admin_queue_form == 40960:
            at_13 = at_2 + 16
            if at_13 > limit:
                raise Reject
            (public_queue_identifier_2,) = unpack_16s(data, at_2)
            admin_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier_2),))
            at_8 = at_13
        elif admin_queue_form in (16384, 24576):
            at_14 = at_2 + 4
            if at_14 > limit:
                raise Reject
            (private_queue_identifier_3,) = unpack_I(data, at_2)
            admin_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier_3,))
            at_8 = at_14
        elif admin_queue_form == 0:
            admin_queue = None
            at_8 = at_2
        else:
            raise Reject
        response_queue_form = flags_2 & 0x70000
        if response_queue_form == 458752:
            at_16 = at_8 + 2
            if at_16 > limit:
                raise Reject
            (count_3,) = unpack_H(data, at_8)
            if count_3 & 1:
                raise Reject
            if (count_3) // 2 > limits.string_length:
                raise Reject
            at_17 = at_16 + count_3
            if at_17 > limit:
                raise Reject
            at_18 = at_17 + (-(2 + count_3) & 3)
            response_queue = new_DirectQueueFormatName(
                *(count_3, decode_utf16(data[at_16:at_17], "surrogatepass", True)[0], data[at_17:at_18])
            )
            at_15 = at_18
        elif response_queue_form == 393216:
            at_19 = at_8 + 20
            if at_19 > limit:
                raise Reject
            source_queue_manager_3, private_queue_identifier_4 = unpack_16sI(data, at_8)
            response_queue = new_PrivateQueueFormatName(
                *(GUID(source_queue_manager_3), private_queue_identifier_4)
            )
            at_15 = at_19
        elif response_queue_form == 327680:
            at_20 = at_8 + 16
            if at_20 > limit:
                raise Reject
            (public_queue_identifier_3,) = unpack_16s(data, at_8)
            response_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier_3),))
            at_15 = at_20
        elif response_queue_form in (131072, 196608, 262144):
            at_21 = at_8 + 4
            if at_21 > limit:
                raise Reject
            (private_queue_identifier_5,) = unpack_I(data, at_8)
            response_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier_5,))
            at_15 = at_21
        elif response_queue_form in (0, 65536):
            response_queue = None
            at_15 = at_8
        else:
            raise Reject
        if flags_2 & 0x400000:
            at_22 = at_15 + 16
            if at_22 > limit:
                raise Reject
            (connector_type_2,) = unpack_16s(data, at_15)
            connector_type = GUID(connector_type_2)
            at_15 = at_22
        else:
            connector_type = None
        at_2 = at_15
    else:
        admin_queue = response_queue = connector_type = None
    if flags_2 & 0x100000:
        at_23 = at_2 + 20
        if at_23 > limit:
            raise Reject
        flags_3, ordinal, time_stamp, tx_sequence_number, previous_tx_sequence_number = unpack_IIIII(
            data, at_2
        )
        if flags_3 & 0x1:
            at_24 = at_23 + 16
            if at_24 > limit:
                raise Reject
            (connector_qm_guid_2,) = unpack_16s(data, at_23)
            connector_qm_guid = GUID(connector_qm_guid_2)
            at_23 = at_24
        else:
            connector_qm_guid = None
        transaction_header = new_TransactionHeader(
            *(
                known_TransactionHeaderFlags[flags_3],
                new_TxSequenceID(*(ordinal, time_stamp)),
                tx_sequence_number,
                previous_tx_sequence_number,
                connector_qm_guid,
            )
        )
        at_2 = at_23
    else:
        transaction_header = None
    if flags_2 & 0x80000:
        at_25 = at_2 + 16
        if at_25 > limit:
            raise Reject
        flags_4, sender_id_size, encryption_key_size, signature_size, sender_cert_size, provider_info_size = (
            unpack_HHHHII(data, at_2)
        )
        if sender_id_size | encryption_key_size | signature_size | sender_cert_size | provider_info_size:
            at_26 = at_25 + sender_id_size
            at_27 = at_26 + (-sender_id_size & 3)
            at_28 = at_27 + encryption_key_size
            at_29 = at_28 + (-encryption_key_size & 3)
            at_30 = at_29 + signature_size
            at_31 = at_30 + (-signature_size & 3)
            at_32 = at_31 + sender_cert_size
            at_33 = at_32 + (-sender_cert_size & 3)
            at_34 = at_33 + provider_info_size
            at_35 = at_34 + (-provider_info_size & 3)
            security_data = new_SecurityData(
                *(
                    data[at_25:at_26],
                    data[at_26:at_27],
                    data[at_27:at_28],
                    data[at_28:at_29],
                    data[at_29:at_30],
                    data[at_30:at_31],
                    data[at_31:at_32],
                    data[at_32:at_33],
                    data[at_33:at_34],
                    data[at_34:at_35],
                )
            )
            at_25 = at_35
        else:
            security_data = None
        security_header = new_SecurityHeader(
            *(
                known_SecurityHeaderFlags[flags_4],
                sender_id_size,
                encryption_key_size,
                signature_size,
                sender_cert_size,
                provider_info_size,
                security_data,
            )
        )
        at_2 = at_25
    else:
        security_header = None
    at_36 = at_2 + 56
    if at_36 > limit:
        raise Reject
    (
        flags_5,
        label_length,
        message_class,
        correlation_id,
        body_type,
        application_tag,
        message_size,
        allocation_body_size,
        privacy_level,
        hash_algorithm,
        encryption_algorithm,
        extension_size,
    ) = unpack_BBH20sIIIIIIII(data, at_2)
    if ((label_length) * 2) // 2 > limits.string_length:
        raise Reject
    at_37 = at_36 + (label_length) * 2
    if at_37 > limit:
        raise Reject
    at_38 = at_37 + extension_size
    at_39 = at_38 + message_size
    at_40 = at_39 + (-(label_length * 2 + extension_size + message_size) & 3)
    at_41 = at_40
    if flags & 0x30 or flags_2 & 0x12800000 or limit != at_41:
        at_42 = at_41
        if flags & 0x20:
            at_43 = at_42 + 4
            if at_43 > limit:
                raise Reject
            flags_6, reserved_2 = unpack_HH(data, at_42)
            if (flags_6 & 3) == 1:
                at_44 = at_43 + 16
                if at_44 > limit:
                    raise Reject
                (queue_identifier_2,) = unpack_16s(data, at_43)
                queue_identifier = GUID(queue_identifier_2)
                at_43 = at_44
            else:
                queue_identifier = None
            debug_header = new_DebugHeader(*(known_DebugHeaderFlags[flags_6], reserved_2, queue_identifier))
            at_42 = at_43
        else:
            debug_header = None
        if flags_2 & 0x2000000:
            at_45 = at_42 + 8
            if at_45 > limit:
                raise Reject
            header_id, reserved_3, data_length = unpack_HHI(data, at_42)
            if ((data_length) * 2) // 2 > limits.string_length:
                raise Reject
            at_46 = at_45 + (data_length) * 2
            if at_46 > limit:
                raise Reject
            at_47 = at_46 + (-(data_length * 2) & 3)
            srmp_envelope_header = new_SRMPEnvelopeHeader(
                *(
                    header_id,
                    reserved_3,
                    data_length,
                    decode_utf16(data[at_45:at_46], "surrogatepass", True)[0],
                    data[at_46:at_47],
                )
            )
            at_42 = at_47
        else:
            srmp_envelope_header = None
        if flags_2 & 0x2000000:
            at_48 = at_42 + 16
            if at_48 > limit:
                raise Reject
            header_id_2, reserved_4, http_body_size, msg_body_size, msg_body_offset = unpack_HHIII(
                data, at_42
            )
            at_49 = at_48 + http_body_size
            at_50 = at_49 + (-http_body_size & 3)
            compound_message_header = new_CompoundMessageHeader(
                *(
                    header_id_2,
                    reserved_4,
                    http_body_size,
                    msg_body_size,
                    msg_body_offset,
                    data[at_48:at_49],
                    data[at_49:at_50],
                )
            )
            at_42 = at_50
        else:
            compound_message_header = None
        if flags_2 & 0x10000000:
            at_51 = at_42 + 8
            if at_51 > limit:
                raise Reject
            header_section_id, reserved_5, header_data_length = unpack_HHI(data, at_42)
            if ((header_data_length) * 2) // 2 > limits.string_length:
                raise Reject
            at_52 = at_51 + (header_data_length) * 2
            if at_52 > limit:
                raise Reject
            at_53 = at_52 + 8
            if at_53 > limit:
                raise Reject
            body_section_id, reserved1, body_data_length = unpack_HHI(data, at_52)
            if ((body_data_length) * 2) // 2 > limits.string_length:
                raise Reject
            at_54 = at_53 + (body_data_length) * 2
            if at_54 > limit:
                raise Reject
            at_55 = at_54 + min(((at_42) - (at_54) & 3), limit - (at_54))
            soap_header = new_SoapHeader(
                *(
                    header_section_id,
                    reserved_5,
                    header_data_length,
                    decode_utf16(data[at_51:at_52], "surrogatepass", True)[0],
                    body_section_id,
                    reserved1,
                    body_data_length,
                    decode_utf16(data[at_53:at_54], "surrogatepass", True)[0],
                    data[at_54:at_55],
                )
            )
            at_42 = at_55
        else:
            soap_header = None
        if flags_2 & 0x800000:
            if at_42 > limit:
                raise Reject
            destination, at_56 = decode_MQFAddressHeader(data, at_42, limit, limits)
            administration, at_57 = decode_MQFAddressHeader(data, at_56, limit, limits)
            response, at_58 = decode_MQFAddressHeader(data, at_57, limit, limits)
            at_59 = at_58 + 8
            if at_59 > limit:
                raise Reject
            id_, reserved_6, size_ = unpack_HHI(data, at_58)
            at_60 = at_59 + size_
            if at_60 > limit:
                raise Reject
            at_61 = at_60 + min(((at_42) - (at_60) & 3), limit - (at_60))
            multi_queue_format_header = new_MultiQueueFormatHeader(
                *(
                    destination,
                    administration,
                    response,
                    new_MQFSignatureHeader(*(id_, reserved_6, size_, data[at_59:at_60])),
                    data[at_60:at_61],
                )
            )
            at_42 = at_61
        else:
            multi_queue_format_header = None
        if limit != at_42:
            at_62 = at_42 + 12
            if at_62 > limit:
                raise Reject
            header_size, remaining_headers_size, flags_7, reserved_7 = unpack_IIB3s(data, at_42)
            extension_header = new_ExtensionHeader(
                *(header_size, remaining_headers_size, known_ExtensionHeaderFlags[flags_7], reserved_7)
            )
            at_42 = at_62
        else:
            extension_header = None
            flags_7 = 0
        if flags_7 & 0x2:
            at_63 = at_42 + 148
            if at_63 > limit:
                raise Reject
            (
                header_size_2,
                flags_8,
                abort_counter,
                move_counter,
                last_move_time,
                subqueue_name,
                target_subqueue_name,
            ) = unpack_IIIII64s64s(data, at_42)
            subqueue_header = new_SubqueueHeader(
                *(
                    header_size_2,
                    known_SubqueueHeaderFlags[flags_8],
                    abort_counter,
                    move_counter,
                    last_move_time,
                    subqueue_name,
                    target_subqueue_name,
                )
            )
            at_42 = at_63
        else:
            subqueue_header = None
        if flags_7 & 0x1:
            if at_42 > limit:
                raise Reject
            dead_letter_header_2, at_64 = decode_DeadLetterHeader(data, at_42, limit, limits)
            dead_letter_header = dead_letter_header_2
            at_42 = at_64
        else:
            dead_letter_header = None
        if flags_7 & 0x10:
            at_65 = at_42 + 28
            if at_65 > limit:
                raise Reject
            header_size_3, address_length, address_type, address_scope, address = unpack_IHHI16s(data, at_42)
            extended_address_header = new_ExtendedAddressHeader(
                *(header_size_3, address_length, address_type, address_scope, address)
            )
            at_42 = at_65
        else:
            extended_address_header = None
        if at_42 != limit:
            raise Reject
        at_66 = limit
        if flags & 0x10:
            at_67 = at_66 + 16
            if at_67 > end:
                raise Reject
            (
                ack_sequence_number,
                recoverable_msg_ack_seq_number,
                recoverable_msg_ack_flags,
                user_msg_sequence_number,
                recoverable_msg_seq_number,
                window_size,
                reserved_8,
            ) = unpack_HHIHHHH(data, at_66)
            session_header = new_SessionHeader(
                *(
                    ack_sequence_number,
                    recoverable_msg_ack_seq_number,
                    recoverable_msg_ack_flags,
                    user_msg_sequence_number,
                    recoverable_msg_seq_number,
                    window_size,
                    reserved_8,
                )
            )
            at_66 = at_67
        else:
            session_header = None
        at_41 = at_66
    else:
        debug_header = srmp_envelope_header = compound_message_header = soap_header = (
            multi_queue_format_header
        ) = extension_header = subqueue_header = dead_letter_header = extended_address_header = (
            session_header
        ) = None
    if at_41 > end:
        raise Reject
    return new_UserMessage(
        *(
            new_BaseHeader(
                *(
                    version_number,
                    reserved,
                    known_BaseHeaderFlags[flags],
                    signature,
                    packet_size,
                    time_to_reach_queue,
                )
            ),
            new_UserHeader(
                *(
                    GUID(source_queue_manager),
                    GUID(queue_manager_address),
                    time_to_be_received,
                    sent_time,
                    message_id,
                    known_UserHeaderFlags[flags_2],
                    destination_queue,
                    admin_queue,
                    response_queue,
                    connector_type,
                )
            ),
            transaction_header,
            security_header,
            new_MessagePropertiesHeader(
                *(
                    known_MessagePropertiesHeaderFlags[flags_5],
                    label_length,
                    message_class,
                    correlation_id,
                    body_type,
                    application_tag,
                    message_size,
                    allocation_body_size,
                    privacy_level,
                    hash_algorithm,
                    encryption_algorithm,
                    extension_size,
                    decode_utf16(data[at_36:at_37], "surrogatepass", True)[0],
                    data[at_37:at_38],
                    data[at_38:at_39],
                    data[at_39:at_40],
                )
            ),
            debug_header,
            srmp_envelope_header,
            compound_message_header,
            soap_header,
            multi_queue_format_header,
            extension_header,
            subqueue_header,
            dead_letter_header,
            extended_address_header,
            session_header,
        )
    ), at_41


pack_BBHIII16s16sIIII = Struct("<BBHIII16s16sIIII").pack

pack_BBH20sIIIIIIII = Struct("<BBH20sIIIIIIII").pack


def encode_UserMessage(record: UserMessage) -> bytes:
    base_header = record.BaseHeader
    user_header = record.UserHeader
    destination_queue = user_header.DestinationQueue
    admin_queue = user_header.AdminQueue
    response_queue = user_header.ResponseQueue
    connector_type = user_header.ConnectorType
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
    return join(
        (
            pack_BBHIII16s16sIIII(
                base_header.VersionNumber,
                base_header.Reserved,
                base_header.Flags,
                base_header.Signature,
                base_header.PacketSize,
                base_header.TimeToReachQueue,
                user_header.SourceQueueManager.bytes_le,
                user_header.QueueManagerAddress.bytes_le,
                user_header.TimeToBeReceived,
                user_header.SentTime,
                user_header.MessageID,
                user_header.Flags,
            ),
            (b"" if destination_queue is None else ENCODERS[destination_queue.__class__](destination_queue)),
            (
                join(
                    (
                        (b"" if admin_queue is None else ENCODERS[admin_queue.__class__](admin_queue)),
                        (
                            b""
                            if response_queue is None
                            else ENCODERS[response_queue.__class__](response_queue)
                        ),
                        (b"" if connector_type is None else connector_type.bytes_le),
                    )
                )
                if admin_queue is not None or response_queue is not None or connector_type is not None
                else b""
            ),
            (b"" if transaction_header is None else encode_TransactionHeader(transaction_header)),
            (b"" if security_header is None else encode_SecurityHeader(security_header)),
            pack_BBH20sIIIIIIII(
                message_properties_header.Flags,
                message_properties_header.LabelLength,
                message_properties_header.MessageClass,
                message_properties_header.CorrelationID,
                message_properties_header.BodyType,
                message_properties_header.ApplicationTag,
                message_properties_header.MessageSize,
                message_properties_header.AllocationBodySize,
                message_properties_header.PrivacyLevel,
                message_properties_header.HashAlgorithm,
                message_properties_header.EncryptionAlgorithm,
                message_properties_header.ExtensionSize,
            ),
            encode_utf16(message_properties_header.Label, "surrogatepass")[0],
            message_properties_header.ExtensionData,
            message_properties_header.MessageBody,
            message_properties_header.Padding,
            (b"" if debug_header is None else encode_DebugHeader(debug_header)),
            (
                join(
                    (
                        (
                            b""
                            if srmp_envelope_header is None
                            else encode_SRMPEnvelopeHeader(srmp_envelope_header)
                        ),
                        (
                            b""
                            if compound_message_header is None
                            else encode_CompoundMessageHeader(compound_message_header)
                        ),
                        (b"" if soap_header is None else encode_SoapHeader(soap_header)),
                        (
                            b""
                            if multi_queue_format_header is None
                            else encode_MultiQueueFormatHeader(multi_queue_format_header)
                        ),
                        (b"" if extension_header is None else encode_ExtensionHeader(extension_header)),
                        (b"" if subqueue_header is None else encode_SubqueueHeader(subqueue_header)),
                        (b"" if dead_letter_header is None else encode_DeadLetterHeader(dead_letter_header)),
                        (
                            b""
                            if extended_address_header is None
                            else encode_ExtendedAddressHeader(extended_address_header)
                        ),
                        (b"" if session_header is None else encode_SessionHeader(session_header)),
                    )
                )
                if srmp_envelope_header is not None
                or compound_message_header is not None
                or soap_header is not None
                or multi_queue_format_header is not None
                or extension_header is not None
                or subqueue_header is not None
                or dead_letter_header is not None
                or extended_address_header is not None
                or session_header is not None
                else b""
            ),
        )
    )


def size_UserMessage(record: UserMessage) -> int:
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
    size = (
        120
        + (
            (
                len(message_properties_header.Label)
                if message_properties_header.Label.isascii()
                else wchar_count(message_properties_header.Label)
            )
            * 2
        )
        + len(message_properties_header.ExtensionData)
        + len(message_properties_header.MessageBody)
        + len(message_properties_header.Padding)
    )
    if (_part := user_header.DestinationQueue) is not None:
        size += SIZES[_part.__class__](_part)
    if (_part_2 := user_header.AdminQueue) is not None:
        size += SIZES[_part_2.__class__](_part_2)
    if (_part_3 := user_header.ResponseQueue) is not None:
        size += SIZES[_part_3.__class__](_part_3)
    if (_part_4 := user_header.ConnectorType) is not None:
        size += 16
    if transaction_header is not None:
        size += 20
        if (_part_5 := transaction_header.ConnectorQMGuid) is not None:
            size += 16
    if security_header is not None:
        size += 16
        if (_part_6 := security_header.SecurityData) is not None:
            size += (
                len(_part_6.SecurityID)
                + len(_part_6.SecurityIDPadding)
                + len(_part_6.EncryptionKey)
                + len(_part_6.EncryptionKeyPadding)
                + len(_part_6.Signature)
                + len(_part_6.SignaturePadding)
                + len(_part_6.SenderCert)
                + len(_part_6.SenderCertPadding)
                + len(_part_6.ProviderInfo)
                + len(_part_6.ProviderInfoPadding)
            )
    if debug_header is not None:
        size += 4
        if (_part_7 := debug_header.QueueIdentifier) is not None:
            size += 16
    if srmp_envelope_header is not None:
        size += (
            8
            + (
                (
                    len(srmp_envelope_header.Data)
                    if srmp_envelope_header.Data.isascii()
                    else wchar_count(srmp_envelope_header.Data)
                )
                * 2
            )
            + len(srmp_envelope_header.Padding)
        )
    if compound_message_header is not None:
        size += 16 + len(compound_message_header.Data) + len(compound_message_header.Padding)
    if soap_header is not None:
        size += (
            16
            + (
                (len(soap_header.Header) if soap_header.Header.isascii() else wchar_count(soap_header.Header))
                * 2
            )
            + ((len(soap_header.Body) if soap_header.Body.isascii() else wchar_count(soap_header.Body)) * 2)
            + len(soap_header.Padding)
        )
    if multi_queue_format_header is not None:
        size += (
            44
            + sum(map(size_MQFFormatNameElement, multi_queue_format_header.Destination.FormatNameList))
            + len(multi_queue_format_header.Destination.Padding)
            + sum(map(size_MQFFormatNameElement, multi_queue_format_header.Administration.FormatNameList))
            + len(multi_queue_format_header.Administration.Padding)
            + sum(map(size_MQFFormatNameElement, multi_queue_format_header.Response.FormatNameList))
            + len(multi_queue_format_header.Response.Padding)
            + len(multi_queue_format_header.Signature.Signature)
            + len(multi_queue_format_header.Padding)
        )
    if extension_header is not None:
        size += 12
    if subqueue_header is not None:
        size += 148
    if dead_letter_header is not None:
        size += size_DeadLetterHeader(dead_letter_header)
    if extended_address_header is not None:
        size += 28
    if session_header is not None:
        size += 16
    return size


bind_UserMessage = partial(replacing.bind, UserMessage)

default_BaseHeader = cache(BaseHeader)

part_UserMessage_BaseHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["BaseHeader"], BaseHeader
)

class_BaseHeader = BaseHeader

default_UserHeader = cache(UserHeader)

part_UserMessage_UserHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["UserHeader"], UserHeader
)

class_UserHeader = UserHeader

part_UserMessage_TransactionHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["TransactionHeader"], TransactionHeader
)

class_TransactionHeader = TransactionHeader

part_UserMessage_SecurityHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["SecurityHeader"], SecurityHeader
)

class_SecurityHeader = SecurityHeader

default_MessagePropertiesHeader = cache(MessagePropertiesHeader)

part_UserMessage_MessagePropertiesHeader = partial(
    accept.part,
    layouts.UserMessage,
    layouts.UserMessage.by_name["MessagePropertiesHeader"],
    MessagePropertiesHeader,
)

class_MessagePropertiesHeader = MessagePropertiesHeader

part_UserMessage_DebugHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["DebugHeader"], DebugHeader
)

class_DebugHeader = DebugHeader

part_UserMessage_SRMPEnvelopeHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["SRMPEnvelopeHeader"], SRMPEnvelopeHeader
)

class_SRMPEnvelopeHeader = SRMPEnvelopeHeader

part_UserMessage_CompoundMessageHeader = partial(
    accept.part,
    layouts.UserMessage,
    layouts.UserMessage.by_name["CompoundMessageHeader"],
    CompoundMessageHeader,
)

class_CompoundMessageHeader = CompoundMessageHeader

part_UserMessage_SoapHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["SoapHeader"], SoapHeader
)

class_SoapHeader = SoapHeader

part_UserMessage_MultiQueueFormatHeader = partial(
    accept.part,
    layouts.UserMessage,
    layouts.UserMessage.by_name["MultiQueueFormatHeader"],
    MultiQueueFormatHeader,
)

class_MultiQueueFormatHeader = MultiQueueFormatHeader

part_UserMessage_ExtensionHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["ExtensionHeader"], ExtensionHeader
)

class_ExtensionHeader = ExtensionHeader

part_UserMessage_SubqueueHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["SubqueueHeader"], SubqueueHeader
)

class_SubqueueHeader = SubqueueHeader

part_UserMessage_DeadLetterHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["DeadLetterHeader"], DeadLetterHeader
)

class_DeadLetterHeader = DeadLetterHeader

part_UserMessage_ExtendedAddressHeader = partial(
    accept.part,
    layouts.UserMessage,
    layouts.UserMessage.by_name["ExtendedAddressHeader"],
    ExtendedAddressHeader,
)

class_ExtendedAddressHeader = ExtendedAddressHeader

part_UserMessage_SessionHeader = partial(
    accept.part, layouts.UserMessage, layouts.UserMessage.by_name["SessionHeader"], SessionHeader
)

class_SessionHeader = SessionHeader

partial_UserHeaderFlags = UserHeaderFlags.partial

partial_ExtensionHeaderFlags = ExtensionHeaderFlags.partial

partial_BaseHeaderFlags = BaseHeaderFlags.partial

compute_UserMessage = FIXED["UserMessage"]["BaseHeader.Flags.PR"]

compute_UserMessage_2 = FIXED["UserMessage"]["UserHeader.Flags.DM"]

partial_TransactionHeaderFlags = TransactionHeaderFlags.partial

partial_SecurityHeaderFlags = SecurityHeaderFlags.partial

partial_DebugHeaderFlags = DebugHeaderFlags.partial


def build_UserMessage(
    *args: Any,
    BaseHeader: Any = None,
    UserHeader: Any = None,
    TransactionHeader: Any = None,
    SecurityHeader: Any = None,
    MessagePropertiesHeader: Any = None,
    DebugHeader: Any = None,
    SRMPEnvelopeHeader: Any = None,
    CompoundMessageHeader: Any = None,
    SoapHeader: Any = None,
    MultiQueueFormatHeader: Any = None,
    ExtensionHeader: Any = None,
    SubqueueHeader: Any = None,
    DeadLetterHeader: Any = None,
    ExtendedAddressHeader: Any = None,
    SessionHeader: Any = None,
    **unknown: Any,
) -> UserMessage:
    if args or unknown:
        bound: UserMessage = bind_UserMessage(
            args,
            {
                "BaseHeader": BaseHeader,
                "UserHeader": UserHeader,
                "TransactionHeader": TransactionHeader,
                "SecurityHeader": SecurityHeader,
                "MessagePropertiesHeader": MessagePropertiesHeader,
                "DebugHeader": DebugHeader,
                "SRMPEnvelopeHeader": SRMPEnvelopeHeader,
                "CompoundMessageHeader": CompoundMessageHeader,
                "SoapHeader": SoapHeader,
                "MultiQueueFormatHeader": MultiQueueFormatHeader,
                "ExtensionHeader": ExtensionHeader,
                "SubqueueHeader": SubqueueHeader,
                "DeadLetterHeader": DeadLetterHeader,
                "ExtendedAddressHeader": ExtendedAddressHeader,
                "SessionHeader": SessionHeader,
            },
            unknown,
        )
        return bound
    if BaseHeader is None:
        BaseHeader = default_BaseHeader()
    else:
        if BaseHeader.__class__ is not class_BaseHeader:
            part_UserMessage_BaseHeader(BaseHeader)
    if UserHeader is None:
        UserHeader = default_UserHeader()
    else:
        if UserHeader.__class__ is not class_UserHeader:
            part_UserMessage_UserHeader(UserHeader)
    if TransactionHeader is not None:
        if TransactionHeader.__class__ is not class_TransactionHeader:
            part_UserMessage_TransactionHeader(TransactionHeader)
    if SecurityHeader is not None:
        if SecurityHeader.__class__ is not class_SecurityHeader:
            part_UserMessage_SecurityHeader(SecurityHeader)
    if MessagePropertiesHeader is None:
        MessagePropertiesHeader = default_MessagePropertiesHeader()
    else:
        if MessagePropertiesHeader.__class__ is not class_MessagePropertiesHeader:
            part_UserMessage_MessagePropertiesHeader(MessagePropertiesHeader)
    if DebugHeader is not None:
        if DebugHeader.__class__ is not class_DebugHeader:
            part_UserMessage_DebugHeader(DebugHeader)
    if SRMPEnvelopeHeader is not None:
        if SRMPEnvelopeHeader.__class__ is not class_SRMPEnvelopeHeader:
            part_UserMessage_SRMPEnvelopeHeader(SRMPEnvelopeHeader)
    if CompoundMessageHeader is not None:
        if CompoundMessageHeader.__class__ is not class_CompoundMessageHeader:
            part_UserMessage_CompoundMessageHeader(CompoundMessageHeader)
    if SoapHeader is not None:
        if SoapHeader.__class__ is not class_SoapHeader:
            part_UserMessage_SoapHeader(SoapHeader)
    if MultiQueueFormatHeader is not None:
        if MultiQueueFormatHeader.__class__ is not class_MultiQueueFormatHeader:
            part_UserMessage_MultiQueueFormatHeader(MultiQueueFormatHeader)
    if ExtensionHeader is not None:
        if ExtensionHeader.__class__ is not class_ExtensionHeader:
            part_UserMessage_ExtensionHeader(ExtensionHeader)
    if SubqueueHeader is not None:
        if SubqueueHeader.__class__ is not class_SubqueueHeader:
            part_UserMessage_SubqueueHeader(SubqueueHeader)
    if DeadLetterHeader is not None:
        if DeadLetterHeader.__class__ is not class_DeadLetterHeader:
            part_UserMessage_DeadLetterHeader(DeadLetterHeader)
    if ExtendedAddressHeader is not None:
        if ExtendedAddressHeader.__class__ is not class_ExtendedAddressHeader:
            part_UserMessage_ExtendedAddressHeader(ExtendedAddressHeader)
    if SessionHeader is not None:
        if SessionHeader.__class__ is not class_SessionHeader:
            part_UserMessage_SessionHeader(SessionHeader)
    if SRMPEnvelopeHeader is not None or CompoundMessageHeader is not None:
        if (
            SRMPEnvelopeHeader is None
            and UserHeader.Flags.__class__ is partial_UserHeaderFlags
            and not UserHeader.Flags.given & 0x2000000
        ):
            SRMPEnvelopeHeader = class_SRMPEnvelopeHeader()
        if (
            CompoundMessageHeader is None
            and UserHeader.Flags.__class__ is partial_UserHeaderFlags
            and not UserHeader.Flags.given & 0x2000000
        ):
            CompoundMessageHeader = class_CompoundMessageHeader()
    if SubqueueHeader is not None:
        if ExtensionHeader is None:
            ExtensionHeader = class_ExtensionHeader()
    if DeadLetterHeader is not None:
        if ExtensionHeader is None:
            ExtensionHeader = class_ExtensionHeader()
    if ExtendedAddressHeader is not None:
        if ExtensionHeader is None:
            ExtensionHeader = class_ExtensionHeader()
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is LeftOut:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x3
            if TransactionHeader is not None:
                _bits = _bits & -8 | compute_UserMessage(TransactionHeader)
            if DebugHeader is not None:
                _bits |= 0x20
            if SessionHeader is not None:
                _bits |= 0x10
            if _Flags.given & 0x37:
                _open = 0x37 & ~_Flags.given
                _Flags = known_BaseHeaderFlags[_Flags & ~_open | _bits & _open]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -56 | _bits]
        _PacketSize = BaseHeader.PacketSize
        if _PacketSize.__class__ is LeftOut:
            _PacketSize = (
                120
                + (
                    (
                        len(MessagePropertiesHeader.Label)
                        if MessagePropertiesHeader.Label.isascii()
                        else wchar_count(MessagePropertiesHeader.Label)
                    )
                    * 2
                )
                + len(MessagePropertiesHeader.ExtensionData)
                + len(MessagePropertiesHeader.MessageBody)
                + len(MessagePropertiesHeader.Padding)
            )
            if (_part := UserHeader.DestinationQueue) is not None:
                _PacketSize += SIZES[_part.__class__](_part)
            if (_part_2 := UserHeader.AdminQueue) is not None:
                _PacketSize += SIZES[_part_2.__class__](_part_2)
            if (_part_3 := UserHeader.ResponseQueue) is not None:
                _PacketSize += SIZES[_part_3.__class__](_part_3)
            if (_part_4 := UserHeader.ConnectorType) is not None:
                _PacketSize += 16
            if TransactionHeader is not None:
                _PacketSize += 20
                if (_part_5 := TransactionHeader.ConnectorQMGuid) is not None:
                    _PacketSize += 16
            if SecurityHeader is not None:
                _PacketSize += 16
                if (_part_6 := SecurityHeader.SecurityData) is not None:
                    _PacketSize += (
                        len(_part_6.SecurityID)
                        + len(_part_6.SecurityIDPadding)
                        + len(_part_6.EncryptionKey)
                        + len(_part_6.EncryptionKeyPadding)
                        + len(_part_6.Signature)
                        + len(_part_6.SignaturePadding)
                        + len(_part_6.SenderCert)
                        + len(_part_6.SenderCertPadding)
                        + len(_part_6.ProviderInfo)
                        + len(_part_6.ProviderInfoPadding)
                    )
            if DebugHeader is not None:
                _PacketSize += 4
                if (_part_7 := DebugHeader.QueueIdentifier) is not None:
                    _PacketSize += 16
            if SRMPEnvelopeHeader is not None:
                _PacketSize += (
                    8
                    + (
                        (
                            len(SRMPEnvelopeHeader.Data)
                            if SRMPEnvelopeHeader.Data.isascii()
                            else wchar_count(SRMPEnvelopeHeader.Data)
                        )
                        * 2
                    )
                    + len(SRMPEnvelopeHeader.Padding)
                )
            if CompoundMessageHeader is not None:
                _PacketSize += 16 + len(CompoundMessageHeader.Data) + len(CompoundMessageHeader.Padding)
            if SoapHeader is not None:
                _PacketSize += (
                    16
                    + (
                        (
                            len(SoapHeader.Header)
                            if SoapHeader.Header.isascii()
                            else wchar_count(SoapHeader.Header)
                        )
                        * 2
                    )
                    + (
                        (len(SoapHeader.Body) if SoapHeader.Body.isascii() else wchar_count(SoapHeader.Body))
                        * 2
                    )
                    + len(SoapHeader.Padding)
                )
            if MultiQueueFormatHeader is not None:
                _PacketSize += (
                    44
                    + sum(map(size_MQFFormatNameElement, MultiQueueFormatHeader.Destination.FormatNameList))
                    + len(MultiQueueFormatHeader.Destination.Padding)
                    + sum(
                        map(size_MQFFormatNameElement, MultiQueueFormatHeader.Administration.FormatNameList)
                    )
                    + len(MultiQueueFormatHeader.Administration.Padding)
                    + sum(map(size_MQFFormatNameElement, MultiQueueFormatHeader.Response.FormatNameList))
                    + len(MultiQueueFormatHeader.Response.Padding)
                    + len(MultiQueueFormatHeader.Signature.Signature)
                    + len(MultiQueueFormatHeader.Padding)
                )
            if ExtensionHeader is not None:
                _PacketSize += 12
            if SubqueueHeader is not None:
                _PacketSize += 148
            if DeadLetterHeader is not None:
                _PacketSize += size_DeadLetterHeader(DeadLetterHeader)
            if ExtendedAddressHeader is not None:
                _PacketSize += 28
        BaseHeader = replace(BaseHeader, Flags=_Flags, PacketSize=_PacketSize)
    if UserHeader.Flags.__class__ is partial_UserHeaderFlags:
        _Flags = UserHeader.Flags
        _bits = 0x0
        if TransactionHeader is not None:
            _bits |= compute_UserMessage_2(TransactionHeader) << 5 | 0x100000
        if SecurityHeader is not None:
            _bits |= 0x80000
        if SRMPEnvelopeHeader is not None or CompoundMessageHeader is not None:
            _bits |= 0x2000000
        if SoapHeader is not None:
            _bits |= 0x10000000
        if MultiQueueFormatHeader is not None:
            _bits |= 0x800000
        if _Flags.given & 0x12980060:
            _open = 0x12980060 & ~_Flags.given
            _Flags = known_UserHeaderFlags[_Flags & ~_open | _bits & _open]
        else:
            _Flags = known_UserHeaderFlags[_Flags & -311951457 | _bits]
        UserHeader = replace(UserHeader, Flags=_Flags)
    if TransactionHeader is not None and (
        TransactionHeader.Flags.__class__ is partial_TransactionHeaderFlags
    ):
        _Flags = TransactionHeader.Flags
        _Flags = known_TransactionHeaderFlags[_Flags]
        TransactionHeader = replace(TransactionHeader, Flags=_Flags)
    if SecurityHeader is not None and (SecurityHeader.Flags.__class__ is partial_SecurityHeaderFlags):
        _Flags = SecurityHeader.Flags
        _Flags = known_SecurityHeaderFlags[_Flags]
        SecurityHeader = replace(SecurityHeader, Flags=_Flags)
    if DebugHeader is not None and (DebugHeader.Flags.__class__ is partial_DebugHeaderFlags):
        _Flags = DebugHeader.Flags
        _Flags = known_DebugHeaderFlags[_Flags]
        DebugHeader = replace(DebugHeader, Flags=_Flags)
    if ExtensionHeader is not None and (
        ExtensionHeader.Flags.__class__ is partial_ExtensionHeaderFlags
        or ExtensionHeader.RemainingHeadersSize.__class__ is LeftOut
    ):
        _Flags = ExtensionHeader.Flags
        if _Flags.__class__ is partial_ExtensionHeaderFlags:
            _bits = 0x0
            if SubqueueHeader is not None:
                _bits |= 0x2
            if DeadLetterHeader is not None:
                _bits |= 0x1
            if ExtendedAddressHeader is not None:
                _bits |= 0x10
            if _Flags.given & 0x13:
                _open = 0x13 & ~_Flags.given
                _Flags = known_ExtensionHeaderFlags[_Flags & ~_open | _bits & _open]
            else:
                _Flags = known_ExtensionHeaderFlags[_Flags & -20 | _bits]
        _RemainingHeadersSize = ExtensionHeader.RemainingHeadersSize
        if _RemainingHeadersSize.__class__ is LeftOut:
            _RemainingHeadersSize = 0
            if SubqueueHeader is not None:
                _RemainingHeadersSize += 148
            if DeadLetterHeader is not None:
                _RemainingHeadersSize += size_DeadLetterHeader(DeadLetterHeader)
            if ExtendedAddressHeader is not None:
                _RemainingHeadersSize += 28
        ExtensionHeader = replace(ExtensionHeader, Flags=_Flags, RemainingHeadersSize=_RemainingHeadersSize)
    made: UserMessage = new_UserMessage(
        *(
            BaseHeader,
            UserHeader,
            TransactionHeader,
            SecurityHeader,
            MessagePropertiesHeader,
            DebugHeader,
            SRMPEnvelopeHeader,
            CompoundMessageHeader,
            SoapHeader,
            MultiQueueFormatHeader,
            ExtensionHeader,
            SubqueueHeader,
            DeadLetterHeader,
            ExtendedAddressHeader,
            SessionHeader,
        )
    )
    return made


register(UserMessage, decode_UserMessage, encode_UserMessage, size_UserMessage, build_UserMessage)


def decode_packet_UserMessage(data: bytes, end: int, limits: Limits) -> UserMessage:
    if end > limits.packet_size:
        raise Reject
    if 64 > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        source_queue_manager,
        queue_manager_address,
        time_to_be_received,
        sent_time,
        message_id,
        flags_2,
    ) = unpack_BBHIII16s16sIIII(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    limit = packet_size
    if limit > end:
        raise Reject
    if flags & 0x10 and end == limit:
        limit -= 16
    destination_queue_form = flags_2 & 0x1C00
    if destination_queue_form == 7168:
        if 66 > limit:
            raise Reject
        (count,) = unpack_H(data, 64)
        if count & 1:
            raise Reject
        if (count) // 2 > limits.string_length:
            raise Reject
        at_2 = 66 + count
        if at_2 > limit:
            raise Reject
        at_3 = at_2 + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(count, decode_utf16(data[66:at_2], "surrogatepass", True)[0], data[at_2:at_3])
        )
        at = at_3
    elif destination_queue_form == 5120:
        if 80 > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, 64)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        at = 80
    elif destination_queue_form == 3072:
        if 68 > limit:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, 64)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        at = 68
    elif destination_queue_form == 0:
        destination_queue = None
        at = 64
    else:
        raise Reject
    if flags_2 & 0x47E000:
        admin_queue_form = flags_2 & 0xE000
        if admin_queue_form == 57344:
            at_5 = at + 2
            if at_5 > limit:
                raise Reject
            (count_2,) = unpack_H(data, at)
            if count_2 & 1:
                raise Reject
            if (count_2) // 2 > limits.string_length:
                raise Reject
            at_6 = at_5 + count_2
            if at_6 > limit:
                raise Reject
            at_7 = at_6 + (-(2 + count_2) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(count_2, decode_utf16(data[at_5:at_6], "surrogatepass", True)[0], data[at_6:at_7])
            )
            at_4 = at_7
        elif admin_queue_form == 49152:
            at_8 = at + 20
            if at_8 > limit:
                raise Reject
            source_queue_manager_2, private_queue_identifier_2 = unpack_16sI(data, at)
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(source_queue_manager_2), private_queue_identifier_2)
            )
            at_4 = at_8
        elif admin_queue_form == 40960:
            at_9 = at + 16
            if at_9 > limit:
                raise Reject
            (public_queue_identifier_2,) = unpack_16s(data, at)
            admin_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier_2),))
            at_4 = at_9
        elif admin_queue_form in (16384, 24576):
            at_10 = at + 4
            if at_10 > limit:
                raise Reject
            (private_queue_identifier_3,) = unpack_I(data, at)
            admin_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier_3,))
            at_4 = at_10
        elif admin_queue_form == 0:
            admin_queue = None
            at_4 = at
        else:
            raise Reject
        response_queue_form = flags_2 & 0x70000
        if response_queue_form == 458752:
            at_12 = at_4 + 2
            if at_12 > limit:
                raise Reject
            (count_3,) = unpack_H(data, at_4)
            if count_3 & 1:
                raise Reject
            if (count_3) // 2 > limits.string_length:
                raise Reject
            at_13 = at_12 + count_3
            if at_13 > limit:
                raise Reject
            at_14 = at_13 + (-(2 + count_3) & 3)
            response_queue = new_DirectQueueFormatName(
                *(count_3, decode_utf16(data[at_12:at_13], "surrogatepass", True)[0], data[at_13:at_14])
            )
            at_11 = at_14
        elif response_queue_form == 393216:
            at_15 = at_4 + 20
            if at_15 > limit:
                raise Reject
            source_queue_manager_3, private_queue_identifier_4 = unpack_16sI(data, at_4)
            response_queue = new_PrivateQueueFormatName(
                *(GUID(source_queue_manager_3), private_queue_identifier_4)
            )
            at_11 = at_15
        elif response_queue_form == 327680:
            at_16 = at_4 + 16
            if at_16 > limit:
                raise Reject
            (public_queue_identifier_3,) = unpack_16s(data, at_4)
            response_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier_3),))
            at_11 = at_16
        elif response_queue_form in (131072, 196608, 262144):
            at_17 = at_4 + 4
            if at_17 > limit:
                raise Reject
            (private_queue_identifier_5,) = unpack_I(data, at_4)
            response_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier_5,))
            at_11 = at_17
        elif response_queue_form in (0, 65536):
            response_queue = None
            at_11 = at_4
        else:
            raise Reject
        if flags_2 & 0x400000:
            at_18 = at_11 + 16
            if at_18 > limit:
                raise Reject
            (connector_type_2,) = unpack_16s(data, at_11)
            connector_type = GUID(connector_type_2)
            at_11 = at_18
        else:
            connector_type = None
        at = at_11
    else:
        admin_queue = response_queue = connector_type = None
    if flags_2 & 0x100000:
        at_19 = at + 20
        if at_19 > limit:
            raise Reject
        flags_3, ordinal, time_stamp, tx_sequence_number, previous_tx_sequence_number = unpack_IIIII(data, at)
        if flags_3 & 0x1:
            at_20 = at_19 + 16
            if at_20 > limit:
                raise Reject
            (connector_qm_guid_2,) = unpack_16s(data, at_19)
            connector_qm_guid = GUID(connector_qm_guid_2)
            at_19 = at_20
        else:
            connector_qm_guid = None
        transaction_header = new_TransactionHeader(
            *(
                known_TransactionHeaderFlags[flags_3],
                new_TxSequenceID(*(ordinal, time_stamp)),
                tx_sequence_number,
                previous_tx_sequence_number,
                connector_qm_guid,
            )
        )
        at = at_19
    else:
        transaction_header = None
    if flags_2 & 0x80000:
        at_21 = at + 16
        if at_21 > limit:
            raise Reject
        flags_4, sender_id_size, encryption_key_size, signature_size, sender_cert_size, provider_info_size = (
            unpack_HHHHII(data, at)
        )
        if sender_id_size | encryption_key_size | signature_size | sender_cert_size | provider_info_size:
            at_22 = at_21 + sender_id_size
            at_23 = at_22 + (-sender_id_size & 3)
            at_24 = at_23 + encryption_key_size
            at_25 = at_24 + (-encryption_key_size & 3)
            at_26 = at_25 + signature_size
            at_27 = at_26 + (-signature_size & 3)
            at_28 = at_27 + sender_cert_size
            at_29 = at_28 + (-sender_cert_size & 3)
            at_30 = at_29 + provider_info_size
            at_31 = at_30 + (-provider_info_size & 3)
            security_data = new_SecurityData(
                *(
                    data[at_21:at_22],
                    data[at_22:at_23],
                    data[at_23:at_24],
                    data[at_24:at_25],
                    data[at_25:at_26],
                    data[at_26:at_27],
                    data[at_27:at_28],
                    data[at_28:at_29],
                    data[at_29:at_30],
                    data[at_30:at_31],
                )
            )
            at_21 = at_31
        else:
            security_data = None
        security_header = new_SecurityHeader(
            *(
                known_SecurityHeaderFlags[flags_4],
                sender_id_size,
                encryption_key_size,
                signature_size,
                sender_cert_size,
                provider_info_size,
                security_data,
            )
        )
        at = at_21
    else:
        security_header = None
    at_32 = at + 56
    if at_32 > limit:
        raise Reject
    (
        flags_5,
        label_length,
        message_class,
        correlation_id,
        body_type,
        application_tag,
        message_size,
        allocation_body_size,
        privacy_level,
        hash_algorithm,
        encryption_algorithm,
        extension_size,
    ) = unpack_BBH20sIIIIIIII(data, at)
    if ((label_length) * 2) // 2 > limits.string_length:
        raise Reject
    at_33 = at_32 + (label_length) * 2
    if at_33 > limit:
        raise Reject
    at_34 = at_33 + extension_size
    at_35 = at_34 + message_size
    at_36 = at_35 + (-(label_length * 2 + extension_size + message_size) & 3)
    at_37 = at_36
    if flags & 0x30 or flags_2 & 0x12800000 or limit != at_37:
        at_38 = at_37
        if flags & 0x20:
            at_39 = at_38 + 4
            if at_39 > limit:
                raise Reject
            flags_6, reserved_2 = unpack_HH(data, at_38)
            if (flags_6 & 3) == 1:
                at_40 = at_39 + 16
                if at_40 > limit:
                    raise Reject
                (queue_identifier_2,) = unpack_16s(data, at_39)
                queue_identifier = GUID(queue_identifier_2)
                at_39 = at_40
            else:
                queue_identifier = None
            debug_header = new_DebugHeader(*(known_DebugHeaderFlags[flags_6], reserved_2, queue_identifier))
            at_38 = at_39
        else:
            debug_header = None
        if flags_2 & 0x2000000:
            at_41 = at_38 + 8
            if at_41 > limit:
                raise Reject
            header_id, reserved_3, data_length = unpack_HHI(data, at_38)
            if ((data_length) * 2) // 2 > limits.string_length:
                raise Reject
            at_42 = at_41 + (data_length) * 2
            if at_42 > limit:
                raise Reject
            at_43 = at_42 + (-(data_length * 2) & 3)
            srmp_envelope_header = new_SRMPEnvelopeHeader(
                *(
                    header_id,
                    reserved_3,
                    data_length,
                    decode_utf16(data[at_41:at_42], "surrogatepass", True)[0],
                    data[at_42:at_43],
                )
            )
            at_38 = at_43
        else:
            srmp_envelope_header = None
        if flags_2 & 0x2000000:
            at_44 = at_38 + 16
            if at_44 > limit:
                raise Reject
            header_id_2, reserved_4, http_body_size, msg_body_size, msg_body_offset = unpack_HHIII(
                data, at_38
            )
            at_45 = at_44 + http_body_size
            at_46 = at_45 + (-http_body_size & 3)
            compound_message_header = new_CompoundMessageHeader(
                *(
                    header_id_2,
                    reserved_4,
                    http_body_size,
                    msg_body_size,
                    msg_body_offset,
                    data[at_44:at_45],
                    data[at_45:at_46],
                )
            )
            at_38 = at_46
        else:
            compound_message_header = None
        if flags_2 & 0x10000000:
            at_47 = at_38 + 8
            if at_47 > limit:
                raise Reject
            header_section_id, reserved_5, header_data_length = unpack_HHI(data, at_38)
            if ((header_data_length) * 2) // 2 > limits.string_length:
                raise Reject
            at_48 = at_47 + (header_data_length) * 2
            if at_48 > limit:
                raise Reject
            at_49 = at_48 + 8
            if at_49 > limit:
                raise Reject
            body_section_id, reserved1, body_data_length = unpack_HHI(data, at_48)
            if ((body_data_length) * 2) // 2 > limits.string_length:
                raise Reject
            at_50 = at_49 + (body_data_length) * 2
            if at_50 > limit:
                raise Reject
            at_51 = at_50 + min(((at_38) - (at_50) & 3), limit - (at_50))
            soap_header = new_SoapHeader(
                *(
                    header_section_id,
                    reserved_5,
                    header_data_length,
                    decode_utf16(data[at_47:at_48], "surrogatepass", True)[0],
                    body_section_id,
                    reserved1,
                    body_data_length,
                    decode_utf16(data[at_49:at_50], "surrogatepass", True)[0],
                    data[at_50:at_51],
                )
            )
            at_38 = at_51
        else:
            soap_header = None
        if flags_2 & 0x800000:
            if at_38 > limit:
                raise Reject
            destination, at_52 = decode_MQFAddressHeader(data, at_38, limit, limits)
            administration, at_53 = decode_MQFAddressHeader(data, at_52, limit, limits)
            response, at_54 = decode_MQFAddressHeader(data, at_53, limit, limits)
            at_55 = at_54 + 8
            if at_55 > limit:
                raise Reject
            id_, reserved_6, size_ = unpack_HHI(data, at_54)
            at_56 = at_55 + size_
            if at_56 > limit:
                raise Reject
            at_57 = at_56 + min(((at_38) - (at_56) & 3), limit - (at_56))
            multi_queue_format_header = new_MultiQueueFormatHeader(
                *(
                    destination,
                    administration,
                    response,
                    new_MQFSignatureHeader(*(id_, reserved_6, size_, data[at_55:at_56])),
                    data[at_56:at_57],
                )
            )
            at_38 = at_57
        else:
            multi_queue_format_header = None
        if limit != at_38:
            at_58 = at_38 + 12
            if at_58 > limit:
                raise Reject
            header_size, remaining_headers_size, flags_7, reserved_7 = unpack_IIB3s(data, at_38)
            extension_header = new_ExtensionHeader(
                *(header_size, remaining_headers_size, known_ExtensionHeaderFlags[flags_7], reserved_7)
            )
            at_38 = at_58
        else:
            extension_header = None
            flags_7 = 0
        if flags_7 & 0x2:
            at_59 = at_38 + 148
            if at_59 > limit:
                raise Reject
            (
                header_size_2,
                flags_8,
                abort_counter,
                move_counter,
                last_move_time,
                subqueue_name,
                target_subqueue_name,
            ) = unpack_IIIII64s64s(data, at_38)
            subqueue_header = new_SubqueueHeader(
                *(
                    header_size_2,
                    known_SubqueueHeaderFlags[flags_8],
                    abort_counter,
                    move_counter,
                    last_move_time,
                    subqueue_name,
                    target_subqueue_name,
                )
            )
            at_38 = at_59
        else:
            subqueue_header = None
        if flags_7 & 0x1:
            if at_38 > limit:
                raise Reject
            dead_letter_header_2, at_60 = decode_DeadLetterHeader(data, at_38, limit, limits)
            dead_letter_header = dead_letter_header_2
            at_38 = at_60
        else:
            dead_letter_header = None
        if flags_7 & 0x10:
            at_61 = at_38 + 28
            if at_61 > limit:
                raise Reject
            header_size_3, address_length, address_type, address_scope, address = unpack_IHHI16s(data, at_38)
            extended_address_header = new_ExtendedAddressHeader(
                *(header_size_3, address_length, address_type, address_scope, address)
            )
            at_38 = at_61
        else:
            extended_address_header = None
        if at_38 != limit:
            raise Reject
        at_62 = limit
        if flags & 0x10:
            at_63 = at_62 + 16
            if at_63 > end:
                raise Reject
            (
                ack_sequence_number,
                recoverable_msg_ack_seq_number,
                recoverable_msg_ack_flags,
                user_msg_sequence_number,
                recoverable_msg_seq_number,
                window_size,
                reserved_8,
            ) = unpack_HHIHHHH(data, at_62)
            session_header = new_SessionHeader(
                *(
                    ack_sequence_number,
                    recoverable_msg_ack_seq_number,
                    recoverable_msg_ack_flags,
                    user_msg_sequence_number,
                    recoverable_msg_seq_number,
                    window_size,
                    reserved_8,
                )
            )
            at_62 = at_63
        else:
            session_header = None
        at_37 = at_62
    else:
        debug_header = srmp_envelope_header = compound_message_header = soap_header = (
            multi_queue_format_header
        ) = extension_header = subqueue_header = dead_letter_header = extended_address_header = (
            session_header
        ) = None
    if at_37 > end:
        raise Reject
    if at_37 != end:
        raise Reject
    packet: UserMessage = new_UserMessage(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_UserHeader(
                *(
                    GUID(source_queue_manager),
                    GUID(queue_manager_address),
                    time_to_be_received,
                    sent_time,
                    message_id,
                    known_UserHeaderFlags[flags_2],
                    destination_queue,
                    admin_queue,
                    response_queue,
                    connector_type,
                )
            ),
            transaction_header,
            security_header,
            new_MessagePropertiesHeader(
                *(
                    known_MessagePropertiesHeaderFlags[flags_5],
                    label_length,
                    message_class,
                    correlation_id,
                    body_type,
                    application_tag,
                    message_size,
                    allocation_body_size,
                    privacy_level,
                    hash_algorithm,
                    encryption_algorithm,
                    extension_size,
                    decode_utf16(data[at_32:at_33], "surrogatepass", True)[0],
                    data[at_33:at_34],
                    data[at_34:at_35],
                    data[at_35:at_36],
                )
            ),
            debug_header,
            srmp_envelope_header,
            compound_message_header,
            soap_header,
            multi_queue_format_header,
            extension_header,
            subqueue_header,
            dead_letter_header,
            extended_address_header,
            session_header,
        )
    )
    return packet


PACKETS["UserMessage"] = decode_packet_UserMessage


def decode_packet_UserMessage_sharing(data: bytes, end: int, limits: Limits) -> UserMessage:
    if end > limits.packet_size:
        raise Reject
    if 64 > end:
        raise Reject
    (
        version_number,
        reserved,
        flags,
        signature,
        packet_size,
        time_to_reach_queue,
        source_queue_manager,
        queue_manager_address,
        time_to_be_received,
        sent_time,
        message_id,
        flags_2,
    ) = unpack_BBHIII16s16sIIII(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    limit = packet_size
    if limit > end:
        raise Reject
    if flags & 0x10 and end == limit:
        limit -= 16
    destination_queue_form = flags_2 & 0x1C00
    if destination_queue_form == 7168:
        if 66 > limit:
            raise Reject
        (count,) = unpack_H(data, 64)
        if count & 1:
            raise Reject
        if (count) // 2 > limits.string_length:
            raise Reject
        at_2 = 66 + count
        if at_2 > limit:
            raise Reject
        at_3 = at_2 + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(
                NUMBERS[count >> 8][count & 0xFF],
                decode_utf16(data[66:at_2], "surrogatepass", True)[0],
                data[at_2:at_3],
            )
        )
        at = at_3
    elif destination_queue_form == 5120:
        if 80 > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, 64)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        at = 80
    elif destination_queue_form == 3072:
        if 68 > limit:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, 64)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        at = 68
    elif destination_queue_form == 0:
        destination_queue = None
        at = 64
    else:
        raise Reject
    if flags_2 & 0x47E000:
        admin_queue_form = flags_2 & 0xE000
        if admin_queue_form == 57344:
            at_5 = at + 2
            if at_5 > limit:
                raise Reject
            (count_2,) = unpack_H(data, at)
            if count_2 & 1:
                raise Reject
            if (count_2) // 2 > limits.string_length:
                raise Reject
            at_6 = at_5 + count_2
            if at_6 > limit:
                raise Reject
            at_7 = at_6 + (-(2 + count_2) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(
                    NUMBERS[count_2 >> 8][count_2 & 0xFF],
                    decode_utf16(data[at_5:at_6], "surrogatepass", True)[0],
                    data[at_6:at_7],
                )
            )
            at_4 = at_7
        elif admin_queue_form == 49152:
            at_8 = at + 20
            if at_8 > limit:
                raise Reject
            source_queue_manager_2, private_queue_identifier_2 = unpack_16sI(data, at)
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(source_queue_manager_2), private_queue_identifier_2)
            )
            at_4 = at_8
        elif admin_queue_form == 40960:
            at_9 = at + 16
            if at_9 > limit:
                raise Reject
            (public_queue_identifier_2,) = unpack_16s(data, at)
            admin_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier_2),))
            at_4 = at_9
        elif admin_queue_form in (16384, 24576):
            at_10 = at + 4
            if at_10 > limit:
                raise Reject
            (private_queue_identifier_3,) = unpack_I(data, at)
            admin_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier_3,))
            at_4 = at_10
        elif admin_queue_form == 0:
            admin_queue = None
            at_4 = at
        else:
            raise Reject
        response_queue_form = flags_2 & 0x70000
        if response_queue_form == 458752:
            at_12 = at_4 + 2
            if at_12 > limit:
                raise Reject
            (count_3,) = unpack_H(data, at_4)
            if count_3 & 1:
                raise Reject
            if (count_3) // 2 > limits.string_length:
                raise Reject
            at_13 = at_12 + count_3
            if at_13 > limit:
                raise Reject
            at_14 = at_13 + (-(2 + count_3) & 3)
            response_queue = new_DirectQueueFormatName(
                *(
                    NUMBERS[count_3 >> 8][count_3 & 0xFF],
                    decode_utf16(data[at_12:at_13], "surrogatepass", True)[0],
                    data[at_13:at_14],
                )
            )
            at_11 = at_14
        elif response_queue_form == 393216:
            at_15 = at_4 + 20
            if at_15 > limit:
                raise Reject
            source_queue_manager_3, private_queue_identifier_4 = unpack_16sI(data, at_4)
            response_queue = new_PrivateQueueFormatName(
                *(GUID(source_queue_manager_3), private_queue_identifier_4)
            )
            at_11 = at_15
        elif response_queue_form == 327680:
            at_16 = at_4 + 16
            if at_16 > limit:
                raise Reject
            (public_queue_identifier_3,) = unpack_16s(data, at_4)
            response_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier_3),))
            at_11 = at_16
        elif response_queue_form in (131072, 196608, 262144):
            at_17 = at_4 + 4
            if at_17 > limit:
                raise Reject
            (private_queue_identifier_5,) = unpack_I(data, at_4)
            response_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier_5,))
            at_11 = at_17
        elif response_queue_form in (0, 65536):
            response_queue = None
            at_11 = at_4
        else:
            raise Reject
        if flags_2 & 0x400000:
            at_18 = at_11 + 16
            if at_18 > limit:
                raise Reject
            (connector_type_2,) = unpack_16s(data, at_11)
            connector_type = GUID(connector_type_2)
            at_11 = at_18
        else:
            connector_type = None
        at = at_11
    else:
        admin_queue = response_queue = connector_type = None
    if flags_2 & 0x100000:
        at_19 = at + 20
        if at_19 > limit:
            raise Reject
        flags_3, ordinal, time_stamp, tx_sequence_number, previous_tx_sequence_number = unpack_IIIII(data, at)
        if flags_3 & 0x1:
            at_20 = at_19 + 16
            if at_20 > limit:
                raise Reject
            (connector_qm_guid_2,) = unpack_16s(data, at_19)
            connector_qm_guid = GUID(connector_qm_guid_2)
            at_19 = at_20
        else:
            connector_qm_guid = None
        transaction_header = new_TransactionHeader(
            *(
                known_TransactionHeaderFlags[flags_3],
                new_TxSequenceID(*(ordinal, time_stamp)),
                tx_sequence_number,
                previous_tx_sequence_number,
                connector_qm_guid,
            )
        )
        at = at_19
    else:
        transaction_header = None
    if flags_2 & 0x80000:
        at_21 = at + 16
        if at_21 > limit:
            raise Reject
        flags_4, sender_id_size, encryption_key_size, signature_size, sender_cert_size, provider_info_size = (
            unpack_HHHHII(data, at)
        )
        if sender_id_size | encryption_key_size | signature_size | sender_cert_size | provider_info_size:
            at_22 = at_21 + sender_id_size
            at_23 = at_22 + (-sender_id_size & 3)
            at_24 = at_23 + encryption_key_size
            at_25 = at_24 + (-encryption_key_size & 3)
            at_26 = at_25 + signature_size
            at_27 = at_26 + (-signature_size & 3)
            at_28 = at_27 + sender_cert_size
            at_29 = at_28 + (-sender_cert_size & 3)
            at_30 = at_29 + provider_info_size
            at_31 = at_30 + (-provider_info_size & 3)
            security_data = new_SecurityData(
                *(
                    data[at_21:at_22],
                    data[at_22:at_23],
                    data[at_23:at_24],
                    data[at_24:at_25],
                    data[at_25:at_26],
                    data[at_26:at_27],
                    data[at_27:at_28],
                    data[at_28:at_29],
                    data[at_29:at_30],
                    data[at_30:at_31],
                )
            )
            at_21 = at_31
        else:
            security_data = None
        security_header = new_SecurityHeader(
            *(
                known_SecurityHeaderFlags[flags_4],
                NUMBERS[sender_id_size >> 8][sender_id_size & 0xFF],
                NUMBERS[encryption_key_size >> 8][encryption_key_size & 0xFF],
                NUMBERS[signature_size >> 8][signature_size & 0xFF],
                sender_cert_size,
                provider_info_size,
                security_data,
            )
        )
        at = at_21
    else:
        security_header = None
    at_32 = at + 56
    if at_32 > limit:
        raise Reject
    (
        flags_5,
        label_length,
        message_class,
        correlation_id,
        body_type,
        application_tag,
        message_size,
        allocation_body_size,
        privacy_level,
        hash_algorithm,
        encryption_algorithm,
        extension_size,
    ) = unpack_BBH20sIIIIIIII(data, at)
    if ((label_length) * 2) // 2 > limits.string_length:
        raise Reject
    at_33 = at_32 + (label_length) * 2
    if at_33 > limit:
        raise Reject
    at_34 = at_33 + extension_size
    at_35 = at_34 + message_size
    at_36 = at_35 + (-(label_length * 2 + extension_size + message_size) & 3)
    at_37 = at_36
    if flags & 0x30 or flags_2 & 0x12800000 or limit != at_37:
        at_38 = at_37
        if flags & 0x20:
            at_39 = at_38 + 4
            if at_39 > limit:
                raise Reject
            flags_6, reserved_2 = unpack_HH(data, at_38)
            if (flags_6 & 3) == 1:
                at_40 = at_39 + 16
                if at_40 > limit:
                    raise Reject
                (queue_identifier_2,) = unpack_16s(data, at_39)
                queue_identifier = GUID(queue_identifier_2)
                at_39 = at_40
            else:
                queue_identifier = None
            debug_header = new_DebugHeader(
                *(
                    known_DebugHeaderFlags[flags_6],
                    NUMBERS[reserved_2 >> 8][reserved_2 & 0xFF],
                    queue_identifier,
                )
            )
            at_38 = at_39
        else:
            debug_header = None
        if flags_2 & 0x2000000:
            at_41 = at_38 + 8
            if at_41 > limit:
                raise Reject
            header_id, reserved_3, data_length = unpack_HHI(data, at_38)
            if ((data_length) * 2) // 2 > limits.string_length:
                raise Reject
            at_42 = at_41 + (data_length) * 2
            if at_42 > limit:
                raise Reject
            at_43 = at_42 + (-(data_length * 2) & 3)
            srmp_envelope_header = new_SRMPEnvelopeHeader(
                *(
                    NUMBERS[header_id >> 8][header_id & 0xFF],
                    NUMBERS[reserved_3 >> 8][reserved_3 & 0xFF],
                    data_length,
                    decode_utf16(data[at_41:at_42], "surrogatepass", True)[0],
                    data[at_42:at_43],
                )
            )
            at_38 = at_43
        else:
            srmp_envelope_header = None
        if flags_2 & 0x2000000:
            at_44 = at_38 + 16
            if at_44 > limit:
                raise Reject
            header_id_2, reserved_4, http_body_size, msg_body_size, msg_body_offset = unpack_HHIII(
                data, at_38
            )
            at_45 = at_44 + http_body_size
            at_46 = at_45 + (-http_body_size & 3)
            compound_message_header = new_CompoundMessageHeader(
                *(
                    NUMBERS[header_id_2 >> 8][header_id_2 & 0xFF],
                    NUMBERS[reserved_4 >> 8][reserved_4 & 0xFF],
                    http_body_size,
                    msg_body_size,
                    msg_body_offset,
                    data[at_44:at_45],
                    data[at_45:at_46],
                )
            )
            at_38 = at_46
        else:
            compound_message_header = None
        if flags_2 & 0x10000000:
            at_47 = at_38 + 8
            if at_47 > limit:
                raise Reject
            header_section_id, reserved_5, header_data_length = unpack_HHI(data, at_38)
            if ((header_data_length) * 2) // 2 > limits.string_length:
                raise Reject
            at_48 = at_47 + (header_data_length) * 2
            if at_48 > limit:
                raise Reject
            at_49 = at_48 + 8
            if at_49 > limit:
                raise Reject
            body_section_id, reserved1, body_data_length = unpack_HHI(data, at_48)
            if ((body_data_length) * 2) // 2 > limits.string_length:
                raise Reject
            at_50 = at_49 + (body_data_length) * 2
            if at_50 > limit:
                raise Reject
            at_51 = at_50 + min(((at_38) - (at_50) & 3), limit - (at_50))
            soap_header = new_SoapHeader(
                *(
                    NUMBERS[header_section_id >> 8][header_section_id & 0xFF],
                    NUMBERS[reserved_5 >> 8][reserved_5 & 0xFF],
                    header_data_length,
                    decode_utf16(data[at_47:at_48], "surrogatepass", True)[0],
                    NUMBERS[body_section_id >> 8][body_section_id & 0xFF],
                    NUMBERS[reserved1 >> 8][reserved1 & 0xFF],
                    body_data_length,
                    decode_utf16(data[at_49:at_50], "surrogatepass", True)[0],
                    data[at_50:at_51],
                )
            )
            at_38 = at_51
        else:
            soap_header = None
        if flags_2 & 0x800000:
            if at_38 > limit:
                raise Reject
            destination, at_52 = decode_MQFAddressHeader(data, at_38, limit, limits)
            administration, at_53 = decode_MQFAddressHeader(data, at_52, limit, limits)
            response, at_54 = decode_MQFAddressHeader(data, at_53, limit, limits)
            at_55 = at_54 + 8
            if at_55 > limit:
                raise Reject
            id_, reserved_6, size_ = unpack_HHI(data, at_54)
            at_56 = at_55 + size_
            if at_56 > limit:
                raise Reject
            at_57 = at_56 + min(((at_38) - (at_56) & 3), limit - (at_56))
            multi_queue_format_header = new_MultiQueueFormatHeader(
                *(
                    destination,
                    administration,
                    response,
                    new_MQFSignatureHeader(
                        *(
                            NUMBERS[id_ >> 8][id_ & 0xFF],
                            NUMBERS[reserved_6 >> 8][reserved_6 & 0xFF],
                            size_,
                            data[at_55:at_56],
                        )
                    ),
                    data[at_56:at_57],
                )
            )
            at_38 = at_57
        else:
            multi_queue_format_header = None
        if limit != at_38:
            at_58 = at_38 + 12
            if at_58 > limit:
                raise Reject
            header_size, remaining_headers_size, flags_7, reserved_7 = unpack_IIB3s(data, at_38)
            extension_header = new_ExtensionHeader(
                *(header_size, remaining_headers_size, known_ExtensionHeaderFlags[flags_7], reserved_7)
            )
            at_38 = at_58
        else:
            extension_header = None
            flags_7 = 0
        if flags_7 & 0x2:
            at_59 = at_38 + 148
            if at_59 > limit:
                raise Reject
            (
                header_size_2,
                flags_8,
                abort_counter,
                move_counter,
                last_move_time,
                subqueue_name,
                target_subqueue_name,
            ) = unpack_IIIII64s64s(data, at_38)
            subqueue_header = new_SubqueueHeader(
                *(
                    header_size_2,
                    known_SubqueueHeaderFlags[flags_8],
                    abort_counter,
                    move_counter,
                    last_move_time,
                    subqueue_name,
                    target_subqueue_name,
                )
            )
            at_38 = at_59
        else:
            subqueue_header = None
        if flags_7 & 0x1:
            if at_38 > limit:
                raise Reject
            dead_letter_header_2, at_60 = decode_DeadLetterHeader(data, at_38, limit, limits)
            dead_letter_header = dead_letter_header_2
            at_38 = at_60
        else:
            dead_letter_header = None
        if flags_7 & 0x10:
            at_61 = at_38 + 28
            if at_61 > limit:
                raise Reject
            header_size_3, address_length, address_type, address_scope, address = unpack_IHHI16s(data, at_38)
            extended_address_header = new_ExtendedAddressHeader(
                *(
                    header_size_3,
                    NUMBERS[address_length >> 8][address_length & 0xFF],
                    NUMBERS[address_type >> 8][address_type & 0xFF],
                    address_scope,
                    address,
                )
            )
            at_38 = at_61
        else:
            extended_address_header = None
        if at_38 != limit:
            raise Reject
        at_62 = limit
        if flags & 0x10:
            at_63 = at_62 + 16
            if at_63 > end:
                raise Reject
            (
                ack_sequence_number,
                recoverable_msg_ack_seq_number,
                recoverable_msg_ack_flags,
                user_msg_sequence_number,
                recoverable_msg_seq_number,
                window_size,
                reserved_8,
            ) = unpack_HHIHHHH(data, at_62)
            session_header = new_SessionHeader(
                *(
                    NUMBERS[ack_sequence_number >> 8][ack_sequence_number & 0xFF],
                    NUMBERS[recoverable_msg_ack_seq_number >> 8][recoverable_msg_ack_seq_number & 0xFF],
                    recoverable_msg_ack_flags,
                    NUMBERS[user_msg_sequence_number >> 8][user_msg_sequence_number & 0xFF],
                    NUMBERS[recoverable_msg_seq_number >> 8][recoverable_msg_seq_number & 0xFF],
                    NUMBERS[window_size >> 8][window_size & 0xFF],
                    NUMBERS[reserved_8 >> 8][reserved_8 & 0xFF],
                )
            )
            at_62 = at_63
        else:
            session_header = None
        at_37 = at_62
    else:
        debug_header = srmp_envelope_header = compound_message_header = soap_header = (
            multi_queue_format_header
        ) = extension_header = subqueue_header = dead_letter_header = extended_address_header = (
            session_header
        ) = None
    if at_37 > end:
        raise Reject
    if at_37 != end:
        raise Reject
    packet: UserMessage = new_UserMessage(
        *(
            new_BaseHeader(
                *(0x10, reserved, known_BaseHeaderFlags[flags], 0x524F494C, packet_size, time_to_reach_queue)
            ),
            new_UserHeader(
                *(
                    GUID(source_queue_manager),
                    GUID(queue_manager_address),
                    time_to_be_received,
                    sent_time,
                    message_id,
                    known_UserHeaderFlags[flags_2],
                    destination_queue,
                    admin_queue,
                    response_queue,
                    connector_type,
                )
            ),
            transaction_header,
            security_header,
            new_MessagePropertiesHeader(
                *(
                    known_MessagePropertiesHeaderFlags[flags_5],
                    label_length,
                    NUMBERS[message_class >> 8][message_class & 0xFF],
                    correlation_id,
                    body_type,
                    application_tag,
                    message_size,
                    allocation_body_size,
                    privacy_level,
                    hash_algorithm,
                    encryption_algorithm,
                    extension_size,
                    decode_utf16(data[at_32:at_33], "surrogatepass", True)[0],
                    data[at_33:at_34],
                    data[at_34:at_35],
                    data[at_35:at_36],
                )
            ),
            debug_header,
            srmp_envelope_header,
            compound_message_header,
            soap_header,
            multi_queue_format_header,
            extension_header,
            subqueue_header,
            dead_letter_header,
            extended_address_header,
            session_header,
        )
    )
    return packet


SHARING["UserMessage"] = decode_packet_UserMessage_sharing


# ------------------------------------------------------------------------ [MS-MQRR] 2.2.5 MessagePacket


class MessagePacket(Record, frozen=True, gc=False):
    """A message and the headers that follow it in a remote read ([MS-MQRR] 2.2.5).

    Attributes:
        UserMessage: The message.
        ExtensionHeader: Announces the next three; absent in packets of Windows Server 2003.
        SubqueueHeader: Subqueue; present if ExtensionHeader.Flags.SQ is set.
        DeadLetterHeader: Dead-letter queue; present if ExtensionHeader.Flags.DL is set.
        ExtendedAddressHeader: Sender's address; present if ExtensionHeader.Flags.EA is set.
    """

    layout: ClassVar[Structure] = layouts.MessagePacket
    flags: ClassVar[dict[str, type[Flags]]] = {}

    UserMessage: user_message.UserMessage
    ExtensionHeader: mqrr.ExtensionHeader | None
    SubqueueHeader: mqrr.SubqueueHeader | None
    DeadLetterHeader: mqrr.DeadLetterHeader | None
    ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None

    if TYPE_CHECKING:

        def __init__(
            self,
            UserMessage: user_message.UserMessage = ...,
            ExtensionHeader: mqrr.ExtensionHeader | None = ...,
            SubqueueHeader: mqrr.SubqueueHeader | None = ...,
            DeadLetterHeader: mqrr.DeadLetterHeader | None = ...,
            ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None = ...,
        ) -> None: ...


new_MessagePacket = MessagePacket.raw


def decode_MessagePacket(data: bytes, pos: int, end: int, limits: Limits) -> tuple[MessagePacket, int]:
    user_message, at = decode_UserMessage(data, pos, end, limits)
    at_2 = at
    if end != at:
        at_3 = at_2 + 12
        if at_3 > end:
            raise Reject
        header_size, remaining_headers_size, flags, reserved = unpack_IIB3s(data, at_2)
        extension_header = new_ExtensionHeader(
            *(header_size, remaining_headers_size, known_ExtensionHeaderFlags[flags], reserved)
        )
        at_2 = at_3
    else:
        extension_header = None
        flags = 0
    if flags & 0x13:
        if flags & 0x2:
            at_4 = at_2 + 148
            if at_4 > end:
                raise Reject
            (
                header_size_2,
                flags_2,
                abort_counter,
                move_counter,
                last_move_time,
                subqueue_name,
                target_subqueue_name,
            ) = unpack_IIIII64s64s(data, at_2)
            subqueue_header = new_SubqueueHeader(
                *(
                    header_size_2,
                    known_SubqueueHeaderFlags[flags_2],
                    abort_counter,
                    move_counter,
                    last_move_time,
                    subqueue_name,
                    target_subqueue_name,
                )
            )
            at_2 = at_4
        else:
            subqueue_header = None
        if flags & 0x1:
            dead_letter_header_2, at_5 = decode_DeadLetterHeader(data, at_2, end, limits)
            dead_letter_header = dead_letter_header_2
            at_2 = at_5
        else:
            dead_letter_header = None
        if flags & 0x10:
            at_6 = at_2 + 28
            if at_6 > end:
                raise Reject
            header_size_3, address_length, address_type, address_scope, address = unpack_IHHI16s(data, at_2)
            extended_address_header = new_ExtendedAddressHeader(
                *(header_size_3, address_length, address_type, address_scope, address)
            )
            at_2 = at_6
        else:
            extended_address_header = None
    else:
        subqueue_header = dead_letter_header = extended_address_header = None
    return new_MessagePacket(
        *(user_message, extension_header, subqueue_header, dead_letter_header, extended_address_header)
    ), at_2


def encode_MessagePacket(record: MessagePacket) -> bytes:
    user_message = record.UserMessage
    base_header = user_message.BaseHeader
    user_header = user_message.UserHeader
    destination_queue = user_header.DestinationQueue
    admin_queue = user_header.AdminQueue
    response_queue = user_header.ResponseQueue
    connector_type = user_header.ConnectorType
    transaction_header = user_message.TransactionHeader
    security_header = user_message.SecurityHeader
    message_properties_header = user_message.MessagePropertiesHeader
    debug_header = user_message.DebugHeader
    srmp_envelope_header = user_message.SRMPEnvelopeHeader
    compound_message_header = user_message.CompoundMessageHeader
    soap_header = user_message.SoapHeader
    multi_queue_format_header = user_message.MultiQueueFormatHeader
    extension_header = user_message.ExtensionHeader
    subqueue_header = user_message.SubqueueHeader
    dead_letter_header = user_message.DeadLetterHeader
    extended_address_header = user_message.ExtendedAddressHeader
    session_header = user_message.SessionHeader
    extension_header_2 = record.ExtensionHeader
    subqueue_header_2 = record.SubqueueHeader
    dead_letter_header_2 = record.DeadLetterHeader
    extended_address_header_2 = record.ExtendedAddressHeader
    return join(
        (
            pack_BBHIII16s16sIIII(
                base_header.VersionNumber,
                base_header.Reserved,
                base_header.Flags,
                base_header.Signature,
                base_header.PacketSize,
                base_header.TimeToReachQueue,
                user_header.SourceQueueManager.bytes_le,
                user_header.QueueManagerAddress.bytes_le,
                user_header.TimeToBeReceived,
                user_header.SentTime,
                user_header.MessageID,
                user_header.Flags,
            ),
            (b"" if destination_queue is None else ENCODERS[destination_queue.__class__](destination_queue)),
            (
                join(
                    (
                        (b"" if admin_queue is None else ENCODERS[admin_queue.__class__](admin_queue)),
                        (
                            b""
                            if response_queue is None
                            else ENCODERS[response_queue.__class__](response_queue)
                        ),
                        (b"" if connector_type is None else connector_type.bytes_le),
                    )
                )
                if admin_queue is not None or response_queue is not None or connector_type is not None
                else b""
            ),
            (b"" if transaction_header is None else encode_TransactionHeader(transaction_header)),
            (b"" if security_header is None else encode_SecurityHeader(security_header)),
            pack_BBH20sIIIIIIII(
                message_properties_header.Flags,
                message_properties_header.LabelLength,
                message_properties_header.MessageClass,
                message_properties_header.CorrelationID,
                message_properties_header.BodyType,
                message_properties_header.ApplicationTag,
                message_properties_header.MessageSize,
                message_properties_header.AllocationBodySize,
                message_properties_header.PrivacyLevel,
                message_properties_header.HashAlgorithm,
                message_properties_header.EncryptionAlgorithm,
                message_properties_header.ExtensionSize,
            ),
            encode_utf16(message_properties_header.Label, "surrogatepass")[0],
            message_properties_header.ExtensionData,
            message_properties_header.MessageBody,
            message_properties_header.Padding,
            (b"" if debug_header is None else encode_DebugHeader(debug_header)),
            (
                join(
                    (
                        (
                            b""
                            if srmp_envelope_header is None
                            else encode_SRMPEnvelopeHeader(srmp_envelope_header)
                        ),
                        (
                            b""
                            if compound_message_header is None
                            else encode_CompoundMessageHeader(compound_message_header)
                        ),
                        (b"" if soap_header is None else encode_SoapHeader(soap_header)),
                        (
                            b""
                            if multi_queue_format_header is None
                            else encode_MultiQueueFormatHeader(multi_queue_format_header)
                        ),
                        (b"" if extension_header is None else encode_ExtensionHeader(extension_header)),
                        (b"" if subqueue_header is None else encode_SubqueueHeader(subqueue_header)),
                        (b"" if dead_letter_header is None else encode_DeadLetterHeader(dead_letter_header)),
                        (
                            b""
                            if extended_address_header is None
                            else encode_ExtendedAddressHeader(extended_address_header)
                        ),
                        (b"" if session_header is None else encode_SessionHeader(session_header)),
                    )
                )
                if srmp_envelope_header is not None
                or compound_message_header is not None
                or soap_header is not None
                or multi_queue_format_header is not None
                or extension_header is not None
                or subqueue_header is not None
                or dead_letter_header is not None
                or extended_address_header is not None
                or session_header is not None
                else b""
            ),
            (b"" if extension_header_2 is None else encode_ExtensionHeader(extension_header_2)),
            (
                join(
                    (
                        (b"" if subqueue_header_2 is None else encode_SubqueueHeader(subqueue_header_2)),
                        (
                            b""
                            if dead_letter_header_2 is None
                            else encode_DeadLetterHeader(dead_letter_header_2)
                        ),
                        (
                            b""
                            if extended_address_header_2 is None
                            else encode_ExtendedAddressHeader(extended_address_header_2)
                        ),
                    )
                )
                if subqueue_header_2 is not None
                or dead_letter_header_2 is not None
                or extended_address_header_2 is not None
                else b""
            ),
        )
    )


def size_MessagePacket(record: MessagePacket) -> int:
    user_message = record.UserMessage
    extension_header = record.ExtensionHeader
    subqueue_header = record.SubqueueHeader
    dead_letter_header = record.DeadLetterHeader
    extended_address_header = record.ExtendedAddressHeader
    size = (
        120
        + (
            (
                len(user_message.MessagePropertiesHeader.Label)
                if user_message.MessagePropertiesHeader.Label.isascii()
                else wchar_count(user_message.MessagePropertiesHeader.Label)
            )
            * 2
        )
        + len(user_message.MessagePropertiesHeader.ExtensionData)
        + len(user_message.MessagePropertiesHeader.MessageBody)
        + len(user_message.MessagePropertiesHeader.Padding)
    )
    if (_part := user_message.UserHeader.DestinationQueue) is not None:
        size += SIZES[_part.__class__](_part)
    if (_part_2 := user_message.UserHeader.AdminQueue) is not None:
        size += SIZES[_part_2.__class__](_part_2)
    if (_part_3 := user_message.UserHeader.ResponseQueue) is not None:
        size += SIZES[_part_3.__class__](_part_3)
    if (_part_4 := user_message.UserHeader.ConnectorType) is not None:
        size += 16
    if (_part_5 := user_message.TransactionHeader) is not None:
        size += 20
        if (_part_6 := _part_5.ConnectorQMGuid) is not None:
            size += 16
    if (_part_7 := user_message.SecurityHeader) is not None:
        size += 16
        if (_part_8 := _part_7.SecurityData) is not None:
            size += (
                len(_part_8.SecurityID)
                + len(_part_8.SecurityIDPadding)
                + len(_part_8.EncryptionKey)
                + len(_part_8.EncryptionKeyPadding)
                + len(_part_8.Signature)
                + len(_part_8.SignaturePadding)
                + len(_part_8.SenderCert)
                + len(_part_8.SenderCertPadding)
                + len(_part_8.ProviderInfo)
                + len(_part_8.ProviderInfoPadding)
            )
    if (_part_9 := user_message.DebugHeader) is not None:
        size += 4
        if (_part_10 := _part_9.QueueIdentifier) is not None:
            size += 16
    if (_part_11 := user_message.SRMPEnvelopeHeader) is not None:
        size += (
            8
            + ((len(_part_11.Data) if _part_11.Data.isascii() else wchar_count(_part_11.Data)) * 2)
            + len(_part_11.Padding)
        )
    if (_part_12 := user_message.CompoundMessageHeader) is not None:
        size += 16 + len(_part_12.Data) + len(_part_12.Padding)
    if (_part_13 := user_message.SoapHeader) is not None:
        size += (
            16
            + ((len(_part_13.Header) if _part_13.Header.isascii() else wchar_count(_part_13.Header)) * 2)
            + ((len(_part_13.Body) if _part_13.Body.isascii() else wchar_count(_part_13.Body)) * 2)
            + len(_part_13.Padding)
        )
    if (_part_14 := user_message.MultiQueueFormatHeader) is not None:
        size += (
            44
            + sum(map(size_MQFFormatNameElement, _part_14.Destination.FormatNameList))
            + len(_part_14.Destination.Padding)
            + sum(map(size_MQFFormatNameElement, _part_14.Administration.FormatNameList))
            + len(_part_14.Administration.Padding)
            + sum(map(size_MQFFormatNameElement, _part_14.Response.FormatNameList))
            + len(_part_14.Response.Padding)
            + len(_part_14.Signature.Signature)
            + len(_part_14.Padding)
        )
    if (_part_15 := user_message.ExtensionHeader) is not None:
        size += 12
    if (_part_16 := user_message.SubqueueHeader) is not None:
        size += 148
    if (_part_17 := user_message.DeadLetterHeader) is not None:
        size += size_DeadLetterHeader(_part_17)
    if (_part_18 := user_message.ExtendedAddressHeader) is not None:
        size += 28
    if (_part_19 := user_message.SessionHeader) is not None:
        size += 16
    if extension_header is not None:
        size += 12
    if subqueue_header is not None:
        size += 148
    if dead_letter_header is not None:
        size += size_DeadLetterHeader(dead_letter_header)
    if extended_address_header is not None:
        size += 28
    return size


bind_MessagePacket = partial(replacing.bind, MessagePacket)

default_UserMessage = cache(UserMessage)

part_MessagePacket_UserMessage = partial(
    accept.part, layouts.MessagePacket, layouts.MessagePacket.by_name["UserMessage"], UserMessage
)

class_UserMessage = UserMessage

part_MessagePacket_ExtensionHeader = partial(
    accept.part, layouts.MessagePacket, layouts.MessagePacket.by_name["ExtensionHeader"], ExtensionHeader
)

part_MessagePacket_SubqueueHeader = partial(
    accept.part, layouts.MessagePacket, layouts.MessagePacket.by_name["SubqueueHeader"], SubqueueHeader
)

part_MessagePacket_DeadLetterHeader = partial(
    accept.part, layouts.MessagePacket, layouts.MessagePacket.by_name["DeadLetterHeader"], DeadLetterHeader
)

part_MessagePacket_ExtendedAddressHeader = partial(
    accept.part,
    layouts.MessagePacket,
    layouts.MessagePacket.by_name["ExtendedAddressHeader"],
    ExtendedAddressHeader,
)


def build_MessagePacket(
    *args: Any,
    UserMessage: Any = None,
    ExtensionHeader: Any = None,
    SubqueueHeader: Any = None,
    DeadLetterHeader: Any = None,
    ExtendedAddressHeader: Any = None,
    **unknown: Any,
) -> MessagePacket:
    if args or unknown:
        bound: MessagePacket = bind_MessagePacket(
            args,
            {
                "UserMessage": UserMessage,
                "ExtensionHeader": ExtensionHeader,
                "SubqueueHeader": SubqueueHeader,
                "DeadLetterHeader": DeadLetterHeader,
                "ExtendedAddressHeader": ExtendedAddressHeader,
            },
            unknown,
        )
        return bound
    if UserMessage is None:
        UserMessage = default_UserMessage()
    else:
        if UserMessage.__class__ is not class_UserMessage:
            part_MessagePacket_UserMessage(UserMessage)
    if ExtensionHeader is not None:
        if ExtensionHeader.__class__ is not class_ExtensionHeader:
            part_MessagePacket_ExtensionHeader(ExtensionHeader)
    if SubqueueHeader is not None:
        if SubqueueHeader.__class__ is not class_SubqueueHeader:
            part_MessagePacket_SubqueueHeader(SubqueueHeader)
    if DeadLetterHeader is not None:
        if DeadLetterHeader.__class__ is not class_DeadLetterHeader:
            part_MessagePacket_DeadLetterHeader(DeadLetterHeader)
    if ExtendedAddressHeader is not None:
        if ExtendedAddressHeader.__class__ is not class_ExtendedAddressHeader:
            part_MessagePacket_ExtendedAddressHeader(ExtendedAddressHeader)
    if SubqueueHeader is not None:
        if ExtensionHeader is None:
            ExtensionHeader = class_ExtensionHeader()
    if DeadLetterHeader is not None:
        if ExtensionHeader is None:
            ExtensionHeader = class_ExtensionHeader()
    if ExtendedAddressHeader is not None:
        if ExtensionHeader is None:
            ExtensionHeader = class_ExtensionHeader()
    if ExtensionHeader is not None and (
        ExtensionHeader.Flags.__class__ is partial_ExtensionHeaderFlags
        or ExtensionHeader.RemainingHeadersSize.__class__ is LeftOut
    ):
        _Flags = ExtensionHeader.Flags
        if _Flags.__class__ is partial_ExtensionHeaderFlags:
            _bits = 0x0
            if SubqueueHeader is not None:
                _bits |= 0x2
            if DeadLetterHeader is not None:
                _bits |= 0x1
            if ExtendedAddressHeader is not None:
                _bits |= 0x10
            if _Flags.given & 0x13:
                _open = 0x13 & ~_Flags.given
                _Flags = known_ExtensionHeaderFlags[_Flags & ~_open | _bits & _open]
            else:
                _Flags = known_ExtensionHeaderFlags[_Flags & -20 | _bits]
        _RemainingHeadersSize = ExtensionHeader.RemainingHeadersSize
        if _RemainingHeadersSize.__class__ is LeftOut:
            _RemainingHeadersSize = 0
            if SubqueueHeader is not None:
                _RemainingHeadersSize += 148
            if DeadLetterHeader is not None:
                _RemainingHeadersSize += size_DeadLetterHeader(DeadLetterHeader)
            if ExtendedAddressHeader is not None:
                _RemainingHeadersSize += 28
        ExtensionHeader = replace(ExtensionHeader, Flags=_Flags, RemainingHeadersSize=_RemainingHeadersSize)
    made: MessagePacket = new_MessagePacket(
        *(UserMessage, ExtensionHeader, SubqueueHeader, DeadLetterHeader, ExtendedAddressHeader)
    )
    return made


register(MessagePacket, decode_MessagePacket, encode_MessagePacket, size_MessagePacket, build_MessagePacket)
