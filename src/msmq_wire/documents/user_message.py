"""[MS-MQMQ] 2.2.20 and [MS-MQRR] 2.2.5: whole messages, made of the headers of both documents.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from codecs import utf_16_le_decode as decode_utf16
from codecs import utf_16_le_encode as encode_utf16
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar

from msmq_wire.records.flags import Flags
from msmq_wire.records.packing import rival_stands
from msmq_wire.records.record import Later, Record
from msmq_wire.records.registry import PACKETS, register
from msmq_wire.values.guid import GUID
from msmq_wire.values.reject import Reject

from . import readings
from .mqmq import (
    BaseHeaderFlags,
    MessagePropertiesHeaderFlags,
    SecurityHeaderFlags,
    UserHeaderFlags,
    decode_DebugHeader,
    decode_DirectQueueFormatName,
    decode_MultiQueueFormatHeader,
    decode_PrivateQueueFormatName,
    decode_PrivateQueueFormatNameId,
    decode_PublicQueueFormatName,
    decode_SoapHeader,
    encode_DebugHeader,
    encode_MultiQueueFormatHeader,
    encode_SecurityHeader,
    encode_SessionHeader,
    encode_SoapHeader,
    encode_TransactionHeader,
    known_BaseHeaderFlags,
    known_MessagePropertiesHeaderFlags,
    known_SecurityHeaderFlags,
    known_TransactionHeaderFlags,
    known_UserHeaderFlags,
    new_BaseHeader,
    new_DirectQueueFormatName,
    new_MessagePropertiesHeader,
    new_PrivateQueueFormatNameId,
    new_PublicQueueFormatName,
    new_SecurityData,
    new_SecurityHeader,
    new_SessionHeader,
    new_TransactionHeader,
    new_TxSequenceID,
    new_UserHeader,
)
from .mqrr import (
    decode_CompoundMessageHeader,
    decode_DeadLetterHeader,
    decode_ExtendedAddressHeader,
    decode_SRMPEnvelopeHeader,
    decode_SubqueueHeader,
    encode_CompoundMessageHeader,
    encode_DeadLetterHeader,
    encode_ExtendedAddressHeader,
    encode_ExtensionHeader,
    encode_SRMPEnvelopeHeader,
    encode_SubqueueHeader,
    known_ExtensionHeaderFlags,
    new_ExtensionHeader,
)

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping
    from typing import Self

    from msmq_wire.documents import mqcn, mqmq, mqrr, user_message
    from msmq_wire.names import format_names
    from msmq_wire.packets.directory import replication
    from msmq_wire.values.limits import Limits
    from msmq_wire.values.properties.natural import BodyValue

    _Bytes = bytes | bytearray | memoryview
    _Guid = GUID | uuid.UUID | str | bytes
__all__ = ["MessagePacket", "UserMessage"]
join = b"".join


# ------------------------------------------------------------------------- [MS-MQMQ] 2.2.20 UserMessage


class UserMessage(Record, frozen=True, gc=False):
    """A message: a packet of the binary protocol, or a message that was sent over HTTP ([MS-MQRR]
    2.2.5.1) ([MS-MQMQ] 2.2.20).

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
        SessionHeader: Acknowledgment after the message, not counted in PacketSize; present if
            BaseHeader.Flags.SH is set.
    """

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
            TransactionHeader: mqmq.TransactionHeader | None = None,
            SecurityHeader: mqmq.SecurityHeader | None = None,
            MessagePropertiesHeader: mqmq.MessagePropertiesHeader = ...,
            DebugHeader: mqmq.DebugHeader | None = None,
            SRMPEnvelopeHeader: mqrr.SRMPEnvelopeHeader | None = None,
            CompoundMessageHeader: mqrr.CompoundMessageHeader | None = None,
            SoapHeader: mqmq.SoapHeader | None = None,
            MultiQueueFormatHeader: mqmq.MultiQueueFormatHeader | None = None,
            ExtensionHeader: mqrr.ExtensionHeader | None = None,
            SubqueueHeader: mqrr.SubqueueHeader | None = None,
            DeadLetterHeader: mqrr.DeadLetterHeader | None = None,
            ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None = None,
            SessionHeader: mqmq.SessionHeader | None = None,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
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
        ) -> Self: ...

    @property
    def is_without_announced_session_header(self) -> bool:
        """From `BaseHeader.Flags.SH`: whether an announced SessionHeader is absent.

        This is possible in a packet of a remote read, which may have an ExtensionHeader or nothing in its place.
        """
        return readings.is_without_announced_session_header(self)

    @property
    def is_transactional(self) -> bool:
        """Whether the message belongs to a transaction: it has a TransactionHeader."""
        return readings.is_transactional(self)

    @property
    def label(self) -> str:
        """From `MessagePropertiesHeader.Label`: as its `label`."""
        return readings.message_label(self)

    @property
    def destination(self) -> format_names.FormatName | None:
        """From `UserHeader.DestinationQueue`: the final destination; None if there is none.

        Raises:
            EncodeError: The text on the wire is not a direct name.
        """
        return readings.message_destination(self)

    @property
    def body(self) -> bytes:
        """The payload: `MessageBody`, or for a message sent over HTTP the body part of the request.

        The SRMP body is given by the offset and size in CompoundMessageHeader, as far as it is within Data.
        """
        return readings.body(self)

    @property
    def typed_body(self) -> BodyValue:
        """From `body` and `MessagePropertiesHeader.BodyType`: text, number, GUID or another value of that type.

        Bytes if the type is unknown, if the body does not match it, or if the body is encrypted.
        """
        return readings.typed_body(self)

    @property
    def directory_message(self) -> replication.Message | mqcn.ChangeNotificationMessage | None:
        """From queue, class and `MessageBody`: the replication message or change notification in the body.

        None for a message that carries neither; `carriers` describes how they are detected.

        Raises:
            DecodeError: The message should carry one, but its body cannot be decoded.
        """
        return readings.directory_message(self)

    if TYPE_CHECKING:

        @staticmethod
        def of(
            TimeToReachQueue: int | None = None,
            SourceQueueManager: _Guid | None = None,
            QueueManagerAddress: _Guid | None = None,
            TimeToBeReceived: int | None = None,
            SentTime: int | None = None,
            MessageID: int | None = None,
            DestinationQueue: mqmq.PrivateQueueFormatNameId
            | mqmq.PublicQueueFormatName
            | mqmq.DirectQueueFormatName
            | format_names.FormatName
            | str
            | None = None,
            AdminQueue: mqmq.PrivateQueueFormatNameId
            | mqmq.PublicQueueFormatName
            | mqmq.PrivateQueueFormatName
            | mqmq.DirectQueueFormatName
            | format_names.FormatName
            | str
            | None = None,
            ResponseQueue: mqmq.PrivateQueueFormatNameId
            | mqmq.PublicQueueFormatName
            | mqmq.PrivateQueueFormatName
            | mqmq.DirectQueueFormatName
            | format_names.FormatName
            | str
            | None = None,
            ConnectorType: _Guid | None = None,
            SecurityID: _Bytes | None = None,
            EncryptionKey: _Bytes | None = None,
            Signature: _Bytes | None = None,
            SenderCert: _Bytes | None = None,
            ProviderInfo: _Bytes | None = None,
            MessageClass: int | None = None,
            CorrelationID: _Bytes | None = None,
            BodyType: int | None = None,
            ApplicationTag: int | None = None,
            PrivacyLevel: int | None = None,
            HashAlgorithm: int | None = None,
            EncryptionAlgorithm: int | None = None,
            Label: str | None = None,
            ExtensionData: _Bytes | None = None,
            MessageBody: _Bytes | None = None,
            SecurityHeaderFlags: SecurityHeaderFlags | int | None = None,
            MessagePropertiesHeaderFlags: MessagePropertiesHeaderFlags | int | None = None,
            UserHeaderFlags: UserHeaderFlags | int | None = None,
            BaseHeaderFlags: BaseHeaderFlags | int | None = None,
            TransactionHeader: mqmq.TransactionHeader | None = None,
            DebugHeader: mqmq.DebugHeader | None = None,
            SRMPEnvelopeHeader: mqrr.SRMPEnvelopeHeader | None = None,
            CompoundMessageHeader: mqrr.CompoundMessageHeader | None = None,
            SoapHeader: mqmq.SoapHeader | None = None,
            MultiQueueFormatHeader: mqmq.MultiQueueFormatHeader | None = None,
            ExtensionHeader: mqrr.ExtensionHeader | None = None,
            SubqueueHeader: mqrr.SubqueueHeader | None = None,
            DeadLetterHeader: mqrr.DeadLetterHeader | None = None,
            ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None = None,
            SessionHeader: mqmq.SessionHeader | None = None,
        ) -> UserMessage:
            """Create one from the fields of its parts: BaseHeader, UserHeader, SecurityHeader, MessagePropertiesHeader.

            An omitted argument has the default of its part's class, or is computed.  A SecurityHeader is created
            if one of its fields is given.

            Args:
                TimeToReachQueue: Time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite.
                SourceQueueManager: Queue manager of the original sender.
                QueueManagerAddress: Destination queue manager; null for a direct format name.
                TimeToBeReceived: Seconds until the message expires; 0xFFFFFFFF: never.
                SentTime: When the packet was sent, seconds since 1970-01-01 UTC.
                MessageID: Number of the message, unique within its sender.
                DestinationQueue: Final destination, in the form that Flags.DQ selects.
                AdminQueue: Queue for administration acknowledgments, in the form that Flags.AQ selects.
                ResponseQueue: Queue for replies, in the form that Flags.RQ selects.
                ConnectorType: Defined by the application; present if Flags.CQ is set.
                SecurityID: SID of the sender, or GUID of its queue manager.
                EncryptionKey: Session key, see SIMPLEBLOB.
                Signature: Digital signature of the packet.
                SenderCert: X.509 certificate of the sender.
                ProviderInfo: Alternative provider, see ProviderInfo.
                MessageClass: Type of the message.
                CorrelationID: Application's data; in an acknowledgment the MessageIdentifier of the message
                    acknowledged.
                BodyType: Variant type of the body.
                ApplicationTag: Application's number.
                PrivacyLevel: Encryption of the body.
                HashAlgorithm: Hash that the signature uses.
                EncryptionAlgorithm: Cipher of the body.
                Label: Application's description, terminator included.
                ExtensionData: Application's additional data.
                MessageBody: The message itself.
                SecurityHeaderFlags: `SecurityHeader.Flags`: options of the security information.
                MessagePropertiesHeaderFlags: `MessagePropertiesHeader.Flags`: administration acknowledgments
                    asked for.
                UserHeaderFlags: `UserHeader.Flags`: options of the message.
                BaseHeaderFlags: `BaseHeader.Flags`: options of the packet.
                TransactionHeader: Place in a transactional sequence; present if UserHeader.Flags.TH is set.
                DebugHeader: Trace queue; present if BaseHeader.Flags.DH is set.
                SRMPEnvelopeHeader: SOAP envelope; present if UserHeader.Flags.AH is set.
                CompoundMessageHeader: HTTP message; present if UserHeader.Flags.AH is set.
                SoapHeader: Application's SOAP texts; present if UserHeader.Flags.HH is set.
                MultiQueueFormatHeader: All destinations; present if UserHeader.Flags.MQ is set.
                ExtensionHeader: Announces the next three; present if bytes remain within PacketSize.
                SubqueueHeader: Subqueue; present if ExtensionHeader.Flags.SQ is set.
                DeadLetterHeader: Dead-letter queue; present if ExtensionHeader.Flags.DL is set.
                ExtendedAddressHeader: Sender's address; present if ExtensionHeader.Flags.EA is set.
                SessionHeader: Acknowledgment after the message, not counted in PacketSize; present if
                    BaseHeader.Flags.SH is set.

            Raises:
                EncodeError: A field holds a value that cannot be encoded.
            """

    else:
        of = Later()


unpack_BBHIII16s16sIIII = Struct("<BBHIII16s16sIIII").unpack_from
unpack_H = Struct("<H").unpack_from
unpack_16s = Struct("<16s").unpack_from
unpack_I = Struct("<I").unpack_from
unpack_IIIII = Struct("<IIIII").unpack_from
unpack_HHHHII = Struct("<HHHHII").unpack_from
unpack_BBH20sIIIIIIII = Struct("<BBH20sIIIIIIII").unpack_from
unpack_IIB3s = Struct("<IIB3s").unpack_from
unpack_HHIHHHH = Struct("<HHIHHHH").unpack_from
new_UserMessage = UserMessage.raw


def decode_UserMessage(
    data: bytes, pos: int, end: int, limits: Limits, ends_here: bool = False
) -> tuple[UserMessage, int]:
    user_header_flags_end = pos + 64
    if user_header_flags_end > end:
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
        user_header_flags,
    ) = unpack_BBHIII16s16sIIII(data, pos)
    limit = pos + packet_size
    if limit > end:
        raise Reject
    if flags & 0x10 and not ends_here and end == limit:  # SessionHeader
        limit -= 16
    destination_queue_form = user_header_flags & 0x1C00
    if destination_queue_form == 0x1C00:  # DQ = 7
        count_end = user_header_flags_end + 2
        if count_end > limit:
            raise Reject
        (count,) = unpack_H(data, user_header_flags_end)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = count_end + count
        if direct_format_name_end > limit:
            raise Reject
        padding_end = direct_format_name_end + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(
                count,
                decode_utf16(data[count_end:direct_format_name_end], "surrogatepass", True)[0],
                data[direct_format_name_end:padding_end],
            )
        )
        destination_queue_end = padding_end
    elif destination_queue_form == 0x1400:  # DQ = 5
        public_queue_identifier_end = user_header_flags_end + 16
        if public_queue_identifier_end > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, user_header_flags_end)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = public_queue_identifier_end
    elif destination_queue_form == 0xC00:  # DQ = 3
        private_queue_identifier_end = user_header_flags_end + 4
        if private_queue_identifier_end > limit:
            raise Reject
        (private_queue_identifier,) = unpack_I(data, user_header_flags_end)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        destination_queue_end = private_queue_identifier_end
    elif destination_queue_form == 0:  # DQ = 0
        destination_queue = None
        destination_queue_end = user_header_flags_end
    else:
        raise Reject
    if user_header_flags & 0x47E000:  # AQ, RQ, CQ
        admin_queue_form = user_header_flags & 0xE000
        admin_queue: Any
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue, admin_queue_end = decode_DirectQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue, admin_queue_end = decode_PrivateQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue, admin_queue_end = decode_PublicQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue, admin_queue_end = decode_PrivateQueueFormatNameId(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        response_queue: Any
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue, response_queue_end = decode_DirectQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue, response_queue_end = decode_PrivateQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue, response_queue_end = decode_PublicQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue, response_queue_end = decode_PrivateQueueFormatNameId(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form in (0, 0x10000):  # RQ = 0 or 1
            response_queue = None
            response_queue_end = admin_queue_end
        else:
            raise Reject
        if user_header_flags & 0x400000:  # CQ
            user_header_connector_type_end = response_queue_end + 16
            if user_header_connector_type_end > limit:
                raise Reject
            (user_header_connector_type,) = unpack_16s(data, response_queue_end)
            connector_type = GUID(user_header_connector_type)
            response_queue_end = user_header_connector_type_end
        else:
            connector_type = None
        destination_queue_end = response_queue_end
    else:
        admin_queue = response_queue = connector_type = None
    if user_header_flags & 0x100000:  # TH
        previous_tx_sequence_number_end = destination_queue_end + 20
        if previous_tx_sequence_number_end > limit:
            raise Reject
        transaction_header_flags, ordinal, time_stamp, tx_sequence_number, previous_tx_sequence_number = (
            unpack_IIIII(data, destination_queue_end)
        )
        if transaction_header_flags & 0x1:  # CG
            transaction_header_connector_qm_guid_end = previous_tx_sequence_number_end + 16
            if transaction_header_connector_qm_guid_end > limit:
                raise Reject
            (transaction_header_connector_qm_guid,) = unpack_16s(data, previous_tx_sequence_number_end)
            connector_qm_guid = GUID(transaction_header_connector_qm_guid)
            previous_tx_sequence_number_end = transaction_header_connector_qm_guid_end
        else:
            connector_qm_guid = None
        transaction_header = new_TransactionHeader(
            *(
                known_TransactionHeaderFlags[transaction_header_flags],
                new_TxSequenceID(*(ordinal, time_stamp)),
                tx_sequence_number,
                previous_tx_sequence_number,
                connector_qm_guid,
            )
        )
        destination_queue_end = previous_tx_sequence_number_end
    else:
        transaction_header = None
    if user_header_flags & 0x80000:  # SH
        provider_info_size_end = destination_queue_end + 16
        if provider_info_size_end > limit:
            raise Reject
        (
            security_header_flags,
            sender_id_size,
            encryption_key_size,
            signature_size,
            sender_cert_size,
            provider_info_size,
        ) = unpack_HHHHII(data, destination_queue_end)
        if sender_id_size | encryption_key_size | signature_size | sender_cert_size | provider_info_size:
            security_id_end = provider_info_size_end + sender_id_size
            security_id_padding_end = security_id_end + (-sender_id_size & 3)
            encryption_key_end = security_id_padding_end + encryption_key_size
            encryption_key_padding_end = encryption_key_end + (-encryption_key_size & 3)
            signature_end = encryption_key_padding_end + signature_size
            signature_padding_end = signature_end + (-signature_size & 3)
            sender_cert_end = signature_padding_end + sender_cert_size
            sender_cert_padding_end = sender_cert_end + (-sender_cert_size & 3)
            provider_info_end = sender_cert_padding_end + provider_info_size
            provider_info_padding_end = provider_info_end + (-provider_info_size & 3)
            security_data = new_SecurityData(
                *(
                    data[provider_info_size_end:security_id_end],
                    data[security_id_end:security_id_padding_end],
                    data[security_id_padding_end:encryption_key_end],
                    data[encryption_key_end:encryption_key_padding_end],
                    data[encryption_key_padding_end:signature_end],
                    data[signature_end:signature_padding_end],
                    data[signature_padding_end:sender_cert_end],
                    data[sender_cert_end:sender_cert_padding_end],
                    data[sender_cert_padding_end:provider_info_end],
                    data[provider_info_end:provider_info_padding_end],
                )
            )
            provider_info_size_end = provider_info_padding_end
        else:
            security_data = None
        security_header = new_SecurityHeader(
            *(
                known_SecurityHeaderFlags[security_header_flags],
                sender_id_size,
                encryption_key_size,
                signature_size,
                sender_cert_size,
                provider_info_size,
                security_data,
            )
        )
        destination_queue_end = provider_info_size_end
    else:
        security_header = None
    extension_size_end = destination_queue_end + 56
    if extension_size_end > limit:
        raise Reject
    (
        message_properties_header_flags,
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
    ) = unpack_BBH20sIIIIIIII(data, destination_queue_end)
    if label_length > limits.string_length:
        raise Reject
    label_end = extension_size_end + label_length * 2
    if label_end > limit:
        raise Reject
    extension_data_end = label_end + extension_size
    message_body_end = extension_data_end + message_size
    message_properties_header_padding_end = message_body_end + (
        -(label_length * 2 + extension_size + message_size) & 3
    )
    debug_header_start = message_properties_header_padding_end
    if flags & 0x30 or user_header_flags & 0x12800000 or limit != debug_header_start:  # DH, AH, HH, MQ, SH
        debug_header_start_2 = debug_header_start
        if flags & 0x20:  # DH
            debug_header, debug_header_start_2 = decode_DebugHeader(data, debug_header_start_2, limit, limits)
        else:
            debug_header = None
        if user_header_flags & 0x2000000:  # AH
            srmp_envelope_header, debug_header_start_2 = decode_SRMPEnvelopeHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            srmp_envelope_header = None
        if user_header_flags & 0x2000000:  # AH
            compound_message_header, debug_header_start_2 = decode_CompoundMessageHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            compound_message_header = None
        if user_header_flags & 0x10000000:  # HH
            soap_header, debug_header_start_2 = decode_SoapHeader(data, debug_header_start_2, limit, limits)
        else:
            soap_header = None
        if user_header_flags & 0x800000:  # MQ
            multi_queue_format_header, debug_header_start_2 = decode_MultiQueueFormatHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            multi_queue_format_header = None
        if limit != debug_header_start_2:
            extension_header_reserved_end = debug_header_start_2 + 12
            if extension_header_reserved_end > limit:
                raise Reject
            header_size, remaining_headers_size, extension_header_flags, extension_header_reserved = (
                unpack_IIB3s(data, debug_header_start_2)
            )
            extension_header = new_ExtensionHeader(
                *(
                    header_size,
                    remaining_headers_size,
                    known_ExtensionHeaderFlags[extension_header_flags],
                    extension_header_reserved,
                )
            )
            debug_header_start_2 = extension_header_reserved_end
        else:
            extension_header = None
            extension_header_flags = 0
        if extension_header_flags & 0x2:  # SQ
            subqueue_header, debug_header_start_2 = decode_SubqueueHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            subqueue_header = None
        if extension_header_flags & 0x1:  # DL
            dead_letter_header, debug_header_start_2 = decode_DeadLetterHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            dead_letter_header = None
        if extension_header_flags & 0x10:  # EA
            extended_address_header, debug_header_start_2 = decode_ExtendedAddressHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            extended_address_header = None
        if debug_header_start_2 != limit:
            raise Reject
        session_header_start = limit
        if flags & 0x10 and not rival_stands(
            UserMessage.layout.by_name["SessionHeader"], data, limit, end, ends_here
        ):  # SH
            session_header_reserved_end = session_header_start + 16
            if session_header_reserved_end > end:
                raise Reject
            (
                ack_sequence_number,
                recoverable_msg_ack_seq_number,
                recoverable_msg_ack_flags,
                user_msg_sequence_number,
                recoverable_msg_seq_number,
                window_size,
                session_header_reserved,
            ) = unpack_HHIHHHH(data, session_header_start)
            session_header = new_SessionHeader(
                *(
                    ack_sequence_number,
                    recoverable_msg_ack_seq_number,
                    recoverable_msg_ack_flags,
                    user_msg_sequence_number,
                    recoverable_msg_seq_number,
                    window_size,
                    session_header_reserved,
                )
            )
            session_header_start = session_header_reserved_end
        else:
            session_header = None
        debug_header_start = session_header_start
    else:
        debug_header = srmp_envelope_header = compound_message_header = soap_header = (
            multi_queue_format_header
        ) = extension_header = subqueue_header = dead_letter_header = extended_address_header = (
            session_header
        ) = None
    if debug_header_start > end:
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
                    known_UserHeaderFlags[user_header_flags],
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
                    known_MessagePropertiesHeaderFlags[message_properties_header_flags],
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
                    decode_utf16(data[extension_size_end:label_end], "surrogatepass", True)[0],
                    data[label_end:extension_data_end],
                    data[extension_data_end:message_body_end],
                    data[message_body_end:message_properties_header_padding_end],
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
    ), debug_header_start


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
            (b"" if destination_queue is None else destination_queue._write()),
            (
                join(
                    (
                        (b"" if admin_queue is None else admin_queue._write()),
                        (b"" if response_queue is None else response_queue._write()),
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


register(UserMessage, decode_UserMessage, encode_UserMessage)


def decode_packet_UserMessage(data: bytes, end: int, limits: Limits) -> UserMessage:
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
        user_header_flags,
    ) = unpack_BBHIII16s16sIIII(data, 0)
    if version_number != 0x10:
        raise Reject
    if signature != 0x524F494C:
        raise Reject
    limit = packet_size
    if limit > end:
        raise Reject
    if limit > limits.packet_size:
        raise Reject
    if flags & 0x10 and end == limit:  # SessionHeader
        limit -= 16
    destination_queue_form = user_header_flags & 0x1C00
    if destination_queue_form == 0x1C00:  # DQ = 7
        (count,) = unpack_H(data, 64)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = 66 + count
        padding_end = direct_format_name_end + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(
                count,
                decode_utf16(data[66:direct_format_name_end], "surrogatepass", True)[0],
                data[direct_format_name_end:padding_end],
            )
        )
        destination_queue_end = padding_end
    elif destination_queue_form == 0x1400:  # DQ = 5
        (public_queue_identifier,) = unpack_16s(data, 64)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = 80
    elif destination_queue_form == 0xC00:  # DQ = 3
        (private_queue_identifier,) = unpack_I(data, 64)
        destination_queue = new_PrivateQueueFormatNameId(*(private_queue_identifier,))
        destination_queue_end = 68
    elif destination_queue_form == 0:  # DQ = 0
        destination_queue = None
        destination_queue_end = 64
    else:
        raise Reject
    if user_header_flags & 0x47E000:  # AQ, RQ, CQ
        admin_queue_form = user_header_flags & 0xE000
        admin_queue: Any
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue, admin_queue_end = decode_DirectQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue, admin_queue_end = decode_PrivateQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue, admin_queue_end = decode_PublicQueueFormatName(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue, admin_queue_end = decode_PrivateQueueFormatNameId(
                data, destination_queue_end, limit, limits
            )
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        response_queue: Any
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue, response_queue_end = decode_DirectQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue, response_queue_end = decode_PrivateQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue, response_queue_end = decode_PublicQueueFormatName(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue, response_queue_end = decode_PrivateQueueFormatNameId(
                data, admin_queue_end, limit, limits
            )
        elif response_queue_form in (0, 0x10000):  # RQ = 0 or 1
            response_queue = None
            response_queue_end = admin_queue_end
        else:
            raise Reject
        if user_header_flags & 0x400000:  # CQ
            user_header_connector_type_end = response_queue_end + 16
            (user_header_connector_type,) = unpack_16s(data, response_queue_end)
            connector_type = GUID(user_header_connector_type)
            response_queue_end = user_header_connector_type_end
        else:
            connector_type = None
        destination_queue_end = response_queue_end
    else:
        admin_queue = response_queue = connector_type = None
    if user_header_flags & 0x100000:  # TH
        previous_tx_sequence_number_end = destination_queue_end + 20
        transaction_header_flags, ordinal, time_stamp, tx_sequence_number, previous_tx_sequence_number = (
            unpack_IIIII(data, destination_queue_end)
        )
        if transaction_header_flags & 0x1:  # CG
            transaction_header_connector_qm_guid_end = previous_tx_sequence_number_end + 16
            (transaction_header_connector_qm_guid,) = unpack_16s(data, previous_tx_sequence_number_end)
            connector_qm_guid = GUID(transaction_header_connector_qm_guid)
            previous_tx_sequence_number_end = transaction_header_connector_qm_guid_end
        else:
            connector_qm_guid = None
        transaction_header = new_TransactionHeader(
            *(
                known_TransactionHeaderFlags[transaction_header_flags],
                new_TxSequenceID(*(ordinal, time_stamp)),
                tx_sequence_number,
                previous_tx_sequence_number,
                connector_qm_guid,
            )
        )
        destination_queue_end = previous_tx_sequence_number_end
    else:
        transaction_header = None
    if user_header_flags & 0x80000:  # SH
        provider_info_size_end = destination_queue_end + 16
        (
            security_header_flags,
            sender_id_size,
            encryption_key_size,
            signature_size,
            sender_cert_size,
            provider_info_size,
        ) = unpack_HHHHII(data, destination_queue_end)
        if sender_id_size | encryption_key_size | signature_size | sender_cert_size | provider_info_size:
            security_id_end = provider_info_size_end + sender_id_size
            security_id_padding_end = security_id_end + (-sender_id_size & 3)
            encryption_key_end = security_id_padding_end + encryption_key_size
            encryption_key_padding_end = encryption_key_end + (-encryption_key_size & 3)
            signature_end = encryption_key_padding_end + signature_size
            signature_padding_end = signature_end + (-signature_size & 3)
            sender_cert_end = signature_padding_end + sender_cert_size
            sender_cert_padding_end = sender_cert_end + (-sender_cert_size & 3)
            provider_info_end = sender_cert_padding_end + provider_info_size
            provider_info_padding_end = provider_info_end + (-provider_info_size & 3)
            security_data = new_SecurityData(
                *(
                    data[provider_info_size_end:security_id_end],
                    data[security_id_end:security_id_padding_end],
                    data[security_id_padding_end:encryption_key_end],
                    data[encryption_key_end:encryption_key_padding_end],
                    data[encryption_key_padding_end:signature_end],
                    data[signature_end:signature_padding_end],
                    data[signature_padding_end:sender_cert_end],
                    data[sender_cert_end:sender_cert_padding_end],
                    data[sender_cert_padding_end:provider_info_end],
                    data[provider_info_end:provider_info_padding_end],
                )
            )
            provider_info_size_end = provider_info_padding_end
        else:
            security_data = None
        security_header = new_SecurityHeader(
            *(
                known_SecurityHeaderFlags[security_header_flags],
                sender_id_size,
                encryption_key_size,
                signature_size,
                sender_cert_size,
                provider_info_size,
                security_data,
            )
        )
        destination_queue_end = provider_info_size_end
    else:
        security_header = None
    extension_size_end = destination_queue_end + 56
    (
        message_properties_header_flags,
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
    ) = unpack_BBH20sIIIIIIII(data, destination_queue_end)
    if label_length > limits.string_length:
        raise Reject
    label_end = extension_size_end + label_length * 2
    extension_data_end = label_end + extension_size
    message_body_end = extension_data_end + message_size
    message_properties_header_padding_end = message_body_end + (
        -(label_length * 2 + extension_size + message_size) & 3
    )
    debug_header_start = message_properties_header_padding_end
    if flags & 0x30 or user_header_flags & 0x12800000 or limit != debug_header_start:  # DH, AH, HH, MQ, SH
        debug_header_start_2 = debug_header_start
        if flags & 0x20:  # DH
            debug_header, debug_header_start_2 = decode_DebugHeader(data, debug_header_start_2, limit, limits)
        else:
            debug_header = None
        if user_header_flags & 0x2000000:  # AH
            srmp_envelope_header, debug_header_start_2 = decode_SRMPEnvelopeHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            srmp_envelope_header = None
        if user_header_flags & 0x2000000:  # AH
            compound_message_header, debug_header_start_2 = decode_CompoundMessageHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            compound_message_header = None
        if user_header_flags & 0x10000000:  # HH
            soap_header, debug_header_start_2 = decode_SoapHeader(data, debug_header_start_2, limit, limits)
        else:
            soap_header = None
        if user_header_flags & 0x800000:  # MQ
            multi_queue_format_header, debug_header_start_2 = decode_MultiQueueFormatHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            multi_queue_format_header = None
        if limit != debug_header_start_2:
            extension_header_reserved_end = debug_header_start_2 + 12
            header_size, remaining_headers_size, extension_header_flags, extension_header_reserved = (
                unpack_IIB3s(data, debug_header_start_2)
            )
            extension_header = new_ExtensionHeader(
                *(
                    header_size,
                    remaining_headers_size,
                    known_ExtensionHeaderFlags[extension_header_flags],
                    extension_header_reserved,
                )
            )
            debug_header_start_2 = extension_header_reserved_end
        else:
            extension_header = None
            extension_header_flags = 0
        if extension_header_flags & 0x2:  # SQ
            subqueue_header, debug_header_start_2 = decode_SubqueueHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            subqueue_header = None
        if extension_header_flags & 0x1:  # DL
            dead_letter_header, debug_header_start_2 = decode_DeadLetterHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            dead_letter_header = None
        if extension_header_flags & 0x10:  # EA
            extended_address_header, debug_header_start_2 = decode_ExtendedAddressHeader(
                data, debug_header_start_2, limit, limits
            )
        else:
            extended_address_header = None
        if debug_header_start_2 != limit:
            raise Reject
        session_header_start = limit
        if flags & 0x10:  # SH
            session_header_reserved_end = session_header_start + 16
            (
                ack_sequence_number,
                recoverable_msg_ack_seq_number,
                recoverable_msg_ack_flags,
                user_msg_sequence_number,
                recoverable_msg_seq_number,
                window_size,
                session_header_reserved,
            ) = unpack_HHIHHHH(data, session_header_start)
            session_header = new_SessionHeader(
                *(
                    ack_sequence_number,
                    recoverable_msg_ack_seq_number,
                    recoverable_msg_ack_flags,
                    user_msg_sequence_number,
                    recoverable_msg_seq_number,
                    window_size,
                    session_header_reserved,
                )
            )
            session_header_start = session_header_reserved_end
        else:
            session_header = None
        debug_header_start = session_header_start
    else:
        debug_header = srmp_envelope_header = compound_message_header = soap_header = (
            multi_queue_format_header
        ) = extension_header = subqueue_header = dead_letter_header = extended_address_header = (
            session_header
        ) = None
    if debug_header_start != end:
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
                    known_UserHeaderFlags[user_header_flags],
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
                    known_MessagePropertiesHeaderFlags[message_properties_header_flags],
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
                    decode_utf16(data[extension_size_end:label_end], "surrogatepass", True)[0],
                    data[label_end:extension_data_end],
                    data[extension_data_end:message_body_end],
                    data[message_body_end:message_properties_header_padding_end],
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
            ExtensionHeader: mqrr.ExtensionHeader | None = None,
            SubqueueHeader: mqrr.SubqueueHeader | None = None,
            DeadLetterHeader: mqrr.DeadLetterHeader | None = None,
            ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None = None,
        ) -> None: ...

        def __replace__(
            self,
            changes: Mapping[str, Any] | None = None,
            /,
            *,
            UserMessage: user_message.UserMessage = ...,
            ExtensionHeader: mqrr.ExtensionHeader | None = ...,
            SubqueueHeader: mqrr.SubqueueHeader | None = ...,
            DeadLetterHeader: mqrr.DeadLetterHeader | None = ...,
            ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None = ...,
        ) -> Self: ...

    @property
    def has_trailers_inside(self) -> bool:
        """From `UserMessage.ExtensionHeader`: whether it and its headers are within `PacketSize`.

        In the document they follow the message and are fields of the packet; some packets have them within the
        message.  Both forms are decoded.
        """
        return readings.has_trailers_inside(self)


new_MessagePacket = MessagePacket.raw


def decode_MessagePacket(data: bytes, pos: int, end: int, limits: Limits) -> tuple[MessagePacket, int]:
    try:
        user_message, user_message_end = decode_UserMessage(data, pos, end, limits)
    except Reject:
        user_message, user_message_end = decode_UserMessage(data, pos, end, limits, ends_here=True)
    extension_header_start = user_message_end
    if end != user_message_end:
        reserved_end = extension_header_start + 12
        if reserved_end > end:
            raise Reject
        header_size, remaining_headers_size, flags, reserved = unpack_IIB3s(data, extension_header_start)
        extension_header = new_ExtensionHeader(
            *(header_size, remaining_headers_size, known_ExtensionHeaderFlags[flags], reserved)
        )
        extension_header_start = reserved_end
    else:
        extension_header = None
        flags = 0
    if flags & 0x13:  # SQ, DL, EA
        if flags & 0x2:  # SQ
            subqueue_header, extension_header_start = decode_SubqueueHeader(
                data, extension_header_start, end, limits
            )
        else:
            subqueue_header = None
        if flags & 0x1:  # DL
            dead_letter_header, extension_header_start = decode_DeadLetterHeader(
                data, extension_header_start, end, limits
            )
        else:
            dead_letter_header = None
        if flags & 0x10:  # EA
            extended_address_header, extension_header_start = decode_ExtendedAddressHeader(
                data, extension_header_start, end, limits
            )
        else:
            extended_address_header = None
    else:
        subqueue_header = dead_letter_header = extended_address_header = None
    return new_MessagePacket(
        *(user_message, extension_header, subqueue_header, dead_letter_header, extended_address_header)
    ), extension_header_start


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
            (b"" if destination_queue is None else destination_queue._write()),
            (
                join(
                    (
                        (b"" if admin_queue is None else admin_queue._write()),
                        (b"" if response_queue is None else response_queue._write()),
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


register(MessagePacket, decode_MessagePacket, encode_MessagePacket)
