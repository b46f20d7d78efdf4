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

from msmq_wire.records import accept, replacing
from msmq_wire.records.flags import Flags
from msmq_wire.records.left_out import LeftOut
from msmq_wire.records.packing import rival_stands
from msmq_wire.records.plain import Taken
from msmq_wire.records.record import Record
from msmq_wire.records.registry import ENCODERS, PACKETS, SHARING, SIZES, register
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.numbers import NUMBERS
from msmq_wire.values.reject import Reject
from msmq_wire.values.wchar import wchar_count

from . import layouts, readings
from .mqmq import (
    BaseHeader,
    BaseHeaderFlags,
    DebugHeader,
    MessagePropertiesHeader,
    MessagePropertiesHeaderFlags,
    MultiQueueFormatHeader,
    SecurityHeader,
    SecurityHeaderFlags,
    SessionHeader,
    SoapHeader,
    TransactionHeader,
    UserHeader,
    UserHeaderFlags,
    bits_UserHeader_AdminQueue,
    bits_UserHeader_DestinationQueue,
    bits_UserHeader_ResponseQueue,
    build_BaseHeader,
    build_MessagePropertiesHeader,
    build_SecurityData,
    build_SecurityHeader,
    build_UserHeader,
    decode_MQFAddressHeader,
    default_MessagePropertiesHeaderFlags,
    encode_DebugHeader,
    encode_MultiQueueFormatHeader,
    encode_SecurityHeader,
    encode_SessionHeader,
    encode_SoapHeader,
    encode_TransactionHeader,
    form_UserHeader_AdminQueue,
    form_UserHeader_DestinationQueue,
    form_UserHeader_ResponseQueue,
    from_plain_BaseHeader,
    from_plain_DebugHeader,
    from_plain_MessagePropertiesHeader,
    from_plain_MultiQueueFormatHeader,
    from_plain_SecurityHeader,
    from_plain_SessionHeader,
    from_plain_SoapHeader,
    from_plain_TransactionHeader,
    from_plain_UserHeader,
    guid_UserHeader_ConnectorType,
    guid_UserHeader_QueueManagerAddress,
    guid_UserHeader_SourceQueueManager,
    integer_BaseHeader_TimeToReachQueue,
    integer_MessagePropertiesHeader_ApplicationTag,
    integer_MessagePropertiesHeader_BodyType,
    integer_MessagePropertiesHeader_EncryptionAlgorithm,
    integer_MessagePropertiesHeader_HashAlgorithm,
    integer_MessagePropertiesHeader_MessageClass,
    integer_MessagePropertiesHeader_PrivacyLevel,
    integer_UserHeader_MessageID,
    integer_UserHeader_SentTime,
    integer_UserHeader_TimeToBeReceived,
    known_BaseHeaderFlags,
    known_DebugHeaderFlags,
    known_MessagePropertiesHeaderFlags,
    known_SecurityHeaderFlags,
    known_TransactionHeaderFlags,
    known_UserHeaderFlags,
    new_BaseHeader,
    new_DebugHeader,
    new_DirectQueueFormatName,
    new_MessagePropertiesHeader,
    new_MQFSignatureHeader,
    new_MultiQueueFormatHeader,
    new_PrivateQueueFormatName,
    new_PrivateQueueFormatNameId,
    new_PublicQueueFormatName,
    new_SecurityData,
    new_SecurityHeader,
    new_SessionHeader,
    new_SoapHeader,
    new_TransactionHeader,
    new_TxSequenceID,
    new_UserHeader,
    partial_BaseHeaderFlags,
    partial_DebugHeaderFlags,
    partial_SecurityHeaderFlags,
    partial_TransactionHeaderFlags,
    partial_UserHeaderFlags,
    plain_BaseHeader,
    plain_DebugHeader,
    plain_MessagePropertiesHeader,
    plain_MultiQueueFormatHeader,
    plain_SecurityHeader,
    plain_SessionHeader,
    plain_SoapHeader,
    plain_TransactionHeader,
    plain_UserHeader,
    raw_bytes_MessagePropertiesHeader_CorrelationID,
    raw_bytes_MessagePropertiesHeader_ExtensionData,
    raw_bytes_MessagePropertiesHeader_MessageBody,
    raw_bytes_SecurityData_EncryptionKey,
    raw_bytes_SecurityData_ProviderInfo,
    raw_bytes_SecurityData_SecurityID,
    raw_bytes_SecurityData_SenderCert,
    raw_bytes_SecurityData_Signature,
    refuse_size_MessagePropertiesHeader,
    refuse_size_MessagePropertiesHeader_2,
    refuse_size_MessagePropertiesHeader_3,
    refuse_size_SecurityHeader,
    refuse_size_SecurityHeader_2,
    refuse_size_SecurityHeader_3,
    refuse_size_SecurityHeader_4,
    refuse_size_SecurityHeader_5,
    size_MQFFormatNameElement,
    text_MessagePropertiesHeader_Label,
)
from .mqrr import (
    CompoundMessageHeader,
    DeadLetterHeader,
    ExtendedAddressHeader,
    ExtensionHeader,
    SRMPEnvelopeHeader,
    SubqueueHeader,
    decode_DeadLetterHeader,
    encode_CompoundMessageHeader,
    encode_DeadLetterHeader,
    encode_ExtendedAddressHeader,
    encode_ExtensionHeader,
    encode_SRMPEnvelopeHeader,
    encode_SubqueueHeader,
    from_plain_CompoundMessageHeader,
    from_plain_DeadLetterHeader,
    from_plain_ExtendedAddressHeader,
    from_plain_ExtensionHeader,
    from_plain_SRMPEnvelopeHeader,
    from_plain_SubqueueHeader,
    known_ExtensionHeaderFlags,
    known_SubqueueHeaderFlags,
    new_CompoundMessageHeader,
    new_ExtendedAddressHeader,
    new_ExtensionHeader,
    new_SRMPEnvelopeHeader,
    new_SubqueueHeader,
    partial_ExtensionHeaderFlags,
    plain_CompoundMessageHeader,
    plain_DeadLetterHeader,
    plain_ExtendedAddressHeader,
    plain_ExtensionHeader,
    plain_SRMPEnvelopeHeader,
    plain_SubqueueHeader,
    size_DeadLetterHeader,
)

if TYPE_CHECKING:
    import uuid

    from msmq_wire.documents import (
        mqcn,
        mqmq,
        mqrr,
        user_message,
    )
    from msmq_wire.names import format_names
    from msmq_wire.packets.directory import replication
    from msmq_wire.records.model import Structure
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
        if (
            SecurityHeaderFlags is not None
            or MessagePropertiesHeaderFlags is not None
            or UserHeaderFlags is not None
            or BaseHeaderFlags is not None
            or TransactionHeader is not None
            or DebugHeader is not None
            or SRMPEnvelopeHeader is not None
            or CompoundMessageHeader is not None
            or SoapHeader is not None
            or MultiQueueFormatHeader is not None
            or ExtensionHeader is not None
            or SubqueueHeader is not None
            or DeadLetterHeader is not None
            or ExtendedAddressHeader is not None
            or SessionHeader is not None
        ):
            return build_UserMessage(
                BaseHeader=build_BaseHeader(Flags=BaseHeaderFlags, TimeToReachQueue=TimeToReachQueue),
                UserHeader=build_UserHeader(
                    SourceQueueManager=SourceQueueManager,
                    QueueManagerAddress=QueueManagerAddress,
                    TimeToBeReceived=TimeToBeReceived,
                    SentTime=SentTime,
                    MessageID=MessageID,
                    Flags=UserHeaderFlags,
                    DestinationQueue=DestinationQueue,
                    AdminQueue=AdminQueue,
                    ResponseQueue=ResponseQueue,
                    ConnectorType=ConnectorType,
                ),
                TransactionHeader=TransactionHeader,
                SecurityHeader=build_SecurityHeader(
                    Flags=SecurityHeaderFlags,
                    SecurityData=build_SecurityData(
                        SecurityID=SecurityID,
                        EncryptionKey=EncryptionKey,
                        Signature=Signature,
                        SenderCert=SenderCert,
                        ProviderInfo=ProviderInfo,
                    ),
                )
                if SecurityID is not None
                or EncryptionKey is not None
                or Signature is not None
                or SenderCert is not None
                or ProviderInfo is not None
                or SecurityHeaderFlags is not None
                else None,
                MessagePropertiesHeader=build_MessagePropertiesHeader(
                    Flags=MessagePropertiesHeaderFlags,
                    MessageClass=MessageClass,
                    CorrelationID=CorrelationID,
                    BodyType=BodyType,
                    ApplicationTag=ApplicationTag,
                    PrivacyLevel=PrivacyLevel,
                    HashAlgorithm=HashAlgorithm,
                    EncryptionAlgorithm=EncryptionAlgorithm,
                    Label=Label,
                    ExtensionData=ExtensionData,
                    MessageBody=MessageBody,
                ),
                DebugHeader=DebugHeader,
                SRMPEnvelopeHeader=SRMPEnvelopeHeader,
                CompoundMessageHeader=CompoundMessageHeader,
                SoapHeader=SoapHeader,
                MultiQueueFormatHeader=MultiQueueFormatHeader,
                ExtensionHeader=ExtensionHeader,
                SubqueueHeader=SubqueueHeader,
                DeadLetterHeader=DeadLetterHeader,
                ExtendedAddressHeader=ExtendedAddressHeader,
                SessionHeader=SessionHeader,
            )
        if (
            SecurityID is None
            and EncryptionKey is None
            and Signature is None
            and SenderCert is None
            and ProviderInfo is None
        ):
            SecurityHeader = None
        else:
            if SecurityID is None:
                SecurityID = b""
                _true_SenderIdSize = 0
                _SecurityIDPadding = b""
            else:
                if SecurityID.__class__ is not bytes:
                    SecurityID = raw_bytes_SecurityData_SecurityID(SecurityID)
                _true_SenderIdSize = len(SecurityID)
                if _true_SenderIdSize > 65535:
                    refuse_size_SecurityHeader(_true_SenderIdSize)
                _SecurityIDPadding = PADDINGS[-_true_SenderIdSize & 3]
            if EncryptionKey is None:
                EncryptionKey = b""
                _true_EncryptionKeySize = 0
                _EncryptionKeyPadding = b""
            else:
                if EncryptionKey.__class__ is not bytes:
                    EncryptionKey = raw_bytes_SecurityData_EncryptionKey(EncryptionKey)
                _true_EncryptionKeySize = len(EncryptionKey)
                if _true_EncryptionKeySize > 65535:
                    refuse_size_SecurityHeader_2(_true_EncryptionKeySize)
                _EncryptionKeyPadding = PADDINGS[-_true_EncryptionKeySize & 3]
            if Signature is None:
                Signature = b""
                _true_SignatureSize = 0
                _SignaturePadding = b""
            else:
                if Signature.__class__ is not bytes:
                    Signature = raw_bytes_SecurityData_Signature(Signature)
                _true_SignatureSize = len(Signature)
                if _true_SignatureSize > 65535:
                    refuse_size_SecurityHeader_3(_true_SignatureSize)
                _SignaturePadding = PADDINGS[-_true_SignatureSize & 3]
            if SenderCert is None:
                SenderCert = b""
                _true_SenderCertSize = 0
                _SenderCertPadding = b""
            else:
                if SenderCert.__class__ is not bytes:
                    SenderCert = raw_bytes_SecurityData_SenderCert(SenderCert)
                _true_SenderCertSize = len(SenderCert)
                if _true_SenderCertSize > 4294967295:
                    refuse_size_SecurityHeader_4(_true_SenderCertSize)
                _SenderCertPadding = PADDINGS[-_true_SenderCertSize & 3]
            if ProviderInfo is None:
                ProviderInfo = b""
                _true_ProviderInfoSize = 0
                _ProviderInfoPadding = b""
            else:
                if ProviderInfo.__class__ is not bytes:
                    ProviderInfo = raw_bytes_SecurityData_ProviderInfo(ProviderInfo)
                _true_ProviderInfoSize = len(ProviderInfo)
                if _true_ProviderInfoSize > 4294967295:
                    refuse_size_SecurityHeader_5(_true_ProviderInfoSize)
                _ProviderInfoPadding = PADDINGS[-_true_ProviderInfoSize & 3]
            if not (SecurityID or EncryptionKey or Signature or SenderCert or ProviderInfo):
                SecurityData = None
            else:
                SecurityData = new_SecurityData(
                    *(
                        SecurityID,
                        _SecurityIDPadding,
                        EncryptionKey,
                        _EncryptionKeyPadding,
                        Signature,
                        _SignaturePadding,
                        SenderCert,
                        _SenderCertPadding,
                        ProviderInfo,
                        _ProviderInfoPadding,
                    )
                )
            _SecurityHeaderFlags = 0x0
            if SecurityData is not None:
                _SecurityHeaderFlags |= (
                    (
                        0
                        if not SecurityID
                        else 1
                        if SecurityID[0] == 1
                        and len(SecurityID) >= 8
                        and (len(SecurityID) == 8 + 4 * SecurityID[1])
                        else 2
                    )
                    | ((1 if Signature and (not ProviderInfo) else 0) << 6)
                    | 0x80
                )
            SecurityHeader = new_SecurityHeader(
                *(
                    known_SecurityHeaderFlags[_SecurityHeaderFlags],
                    _true_SenderIdSize,
                    _true_EncryptionKeySize,
                    _true_SignatureSize,
                    _true_SenderCertSize,
                    _true_ProviderInfoSize,
                    SecurityData,
                )
            )
        if MessageClass is None:
            MessageClass = 0
        else:
            if MessageClass.__class__ is not int or not 0 <= MessageClass <= 65535:
                MessageClass = integer_MessagePropertiesHeader_MessageClass(MessageClass)
        if CorrelationID is None:
            CorrelationID = ZEROS_20
        else:
            if CorrelationID.__class__ is not bytes or len(CorrelationID) != 20:
                CorrelationID = raw_bytes_MessagePropertiesHeader_CorrelationID(CorrelationID)
        if BodyType is None:
            BodyType = 0
        else:
            if BodyType.__class__ is not int or not 0 <= BodyType <= 4294967295:
                BodyType = integer_MessagePropertiesHeader_BodyType(BodyType)
        if ApplicationTag is None:
            ApplicationTag = 0
        else:
            if ApplicationTag.__class__ is not int or not 0 <= ApplicationTag <= 4294967295:
                ApplicationTag = integer_MessagePropertiesHeader_ApplicationTag(ApplicationTag)
        if PrivacyLevel is None:
            PrivacyLevel = 0
        else:
            if PrivacyLevel.__class__ is not int or not 0 <= PrivacyLevel <= 4294967295:
                PrivacyLevel = integer_MessagePropertiesHeader_PrivacyLevel(PrivacyLevel)
        if HashAlgorithm is None:
            HashAlgorithm = 32782
        else:
            if HashAlgorithm.__class__ is not int or not 0 <= HashAlgorithm <= 4294967295:
                HashAlgorithm = integer_MessagePropertiesHeader_HashAlgorithm(HashAlgorithm)
        if EncryptionAlgorithm is not None:
            if EncryptionAlgorithm.__class__ is not int or not 0 <= EncryptionAlgorithm <= 4294967295:
                EncryptionAlgorithm = integer_MessagePropertiesHeader_EncryptionAlgorithm(EncryptionAlgorithm)
        if Label is None:
            Label = ""
            _true_LabelLength = 0
        else:
            if Label.__class__ is not str or not Label.isascii():
                Label = text_MessagePropertiesHeader_Label(Label)
            if Label and Label[-1] != "\0":
                Label += "\0"
            _true_LabelLength = len(Label) if Label.isascii() else wchar_count(Label)
            if _true_LabelLength > 255:
                refuse_size_MessagePropertiesHeader(_true_LabelLength)
        if ExtensionData is None:
            ExtensionData = b""
            _true_ExtensionSize = 0
        else:
            if ExtensionData.__class__ is not bytes:
                ExtensionData = raw_bytes_MessagePropertiesHeader_ExtensionData(ExtensionData)
            _true_ExtensionSize = len(ExtensionData)
            if _true_ExtensionSize > 4294967295:
                refuse_size_MessagePropertiesHeader_2(_true_ExtensionSize)
        if MessageBody is None:
            MessageBody = b""
            _true_MessageSize = 0
        else:
            if MessageBody.__class__ is not bytes:
                MessageBody = raw_bytes_MessagePropertiesHeader_MessageBody(MessageBody)
            _true_MessageSize = len(MessageBody)
            if _true_MessageSize > 4294967295:
                refuse_size_MessagePropertiesHeader_3(_true_MessageSize)
        if EncryptionAlgorithm is None:
            EncryptionAlgorithm = 26128 if PrivacyLevel == 5 else 26625
        _Padding = PADDINGS[-(_true_LabelLength * 2 + _true_ExtensionSize + _true_MessageSize) & 3]
        MessagePropertiesHeader = new_MessagePropertiesHeader(
            *(
                default_MessagePropertiesHeaderFlags,
                _true_LabelLength,
                MessageClass,
                CorrelationID,
                BodyType,
                ApplicationTag,
                _true_MessageSize,
                (len(MessageBody)),
                PrivacyLevel,
                HashAlgorithm,
                EncryptionAlgorithm,
                _true_ExtensionSize,
                Label,
                ExtensionData,
                MessageBody,
                _Padding,
            )
        )
        _out_QueueManagerAddress = QueueManagerAddress is None
        if SourceQueueManager is None:
            SourceQueueManager = NULL_GUID
        else:
            if not (
                SourceQueueManager.__class__ is GUID
                and (_raw := SourceQueueManager.bytes_le).__class__ is bytes
                and len(_raw) == 16
            ):
                SourceQueueManager = guid_UserHeader_SourceQueueManager(SourceQueueManager)
        if QueueManagerAddress is None:
            QueueManagerAddress = NULL_GUID
        else:
            if not (
                QueueManagerAddress.__class__ is GUID
                and (_raw := QueueManagerAddress.bytes_le).__class__ is bytes
                and len(_raw) == 16
            ):
                QueueManagerAddress = guid_UserHeader_QueueManagerAddress(QueueManagerAddress)
        if TimeToBeReceived is None:
            TimeToBeReceived = 4294967295
        else:
            if TimeToBeReceived.__class__ is not int or not 0 <= TimeToBeReceived <= 4294967295:
                TimeToBeReceived = integer_UserHeader_TimeToBeReceived(TimeToBeReceived)
        if SentTime is None:
            SentTime = 0
        else:
            if SentTime.__class__ is not int or not 0 <= SentTime <= 4294967295:
                SentTime = integer_UserHeader_SentTime(SentTime)
        if MessageID is None:
            MessageID = 0
        else:
            if MessageID.__class__ is not int or not 0 <= MessageID <= 4294967295:
                MessageID = integer_UserHeader_MessageID(MessageID)
        _chosen_DestinationQueue = None
        if DestinationQueue is not None:
            if DestinationQueue.__class__ not in form_UserHeader_DestinationQueue.classes:
                _given_DestinationQueue = (
                    DestinationQueue,
                    None if _out_QueueManagerAddress else QueueManagerAddress,
                )
                DestinationQueue, _chosen_DestinationQueue, _host = (
                    DestinationQueue.__class__ is str
                    and form_UserHeader_DestinationQueue.texts.get(_given_DestinationQueue)
                ) or form_UserHeader_DestinationQueue(*_given_DestinationQueue)
                if _host is not None:
                    QueueManagerAddress = _host
                    _out_QueueManagerAddress = False
        _chosen_AdminQueue = None
        if AdminQueue is not None:
            if AdminQueue.__class__ not in form_UserHeader_AdminQueue.classes:
                _given_AdminQueue = (
                    AdminQueue,
                    SourceQueueManager,
                    None if _out_QueueManagerAddress else QueueManagerAddress,
                )
                AdminQueue, _chosen_AdminQueue, _host = (
                    AdminQueue.__class__ is str and form_UserHeader_AdminQueue.texts.get(_given_AdminQueue)
                ) or form_UserHeader_AdminQueue(*_given_AdminQueue)
                if _host is not None:
                    QueueManagerAddress = _host
                    _out_QueueManagerAddress = False
        _chosen_ResponseQueue = None
        if ResponseQueue is not None:
            if ResponseQueue.__class__ not in form_UserHeader_ResponseQueue.classes:
                _given_ResponseQueue = (
                    ResponseQueue,
                    SourceQueueManager,
                    None if _out_QueueManagerAddress else QueueManagerAddress,
                )
                ResponseQueue, _chosen_ResponseQueue, _host = (
                    ResponseQueue.__class__ is str
                    and form_UserHeader_ResponseQueue.texts.get(_given_ResponseQueue)
                ) or form_UserHeader_ResponseQueue(*_given_ResponseQueue)
                if _host is not None:
                    QueueManagerAddress = _host
                    _out_QueueManagerAddress = False
        if ConnectorType is not None:
            if not (
                ConnectorType.__class__ is GUID
                and (_raw := ConnectorType.bytes_le).__class__ is bytes
                and len(_raw) == 16
            ):
                ConnectorType = guid_UserHeader_ConnectorType(ConnectorType)
        _UserHeaderFlags = 0x200000
        if ConnectorType is not None:
            _UserHeaderFlags |= 0x400000
        if DestinationQueue is not None:
            _UserHeaderFlags |= (
                bits_UserHeader_DestinationQueue[DestinationQueue.__class__]
                if _chosen_DestinationQueue is None
                else _chosen_DestinationQueue << 10
            )
        if AdminQueue is not None:
            _UserHeaderFlags |= (
                bits_UserHeader_AdminQueue[AdminQueue.__class__]
                if _chosen_AdminQueue is None
                else _chosen_AdminQueue << 13
            )
        if ResponseQueue is not None:
            _UserHeaderFlags |= (
                bits_UserHeader_ResponseQueue[ResponseQueue.__class__]
                if _chosen_ResponseQueue is None
                else _chosen_ResponseQueue << 16
            )
        if SecurityHeader is not None:
            _UserHeaderFlags |= 0x80000
        UserHeader = new_UserHeader(
            *(
                SourceQueueManager,
                QueueManagerAddress,
                TimeToBeReceived,
                SentTime,
                MessageID,
                known_UserHeaderFlags[_UserHeaderFlags],
                DestinationQueue,
                AdminQueue,
                ResponseQueue,
                ConnectorType,
            )
        )
        if TimeToReachQueue is None:
            TimeToReachQueue = 4294967295
        else:
            if TimeToReachQueue.__class__ is not int or not 0 <= TimeToReachQueue <= 4294967295:
                TimeToReachQueue = integer_BaseHeader_TimeToReachQueue(TimeToReachQueue)
        _PacketSize = 120 + (_true_LabelLength * 2) + _true_ExtensionSize + _true_MessageSize + len(_Padding)
        if DestinationQueue is not None:
            _PacketSize += SIZES[DestinationQueue.__class__](DestinationQueue)
        if AdminQueue is not None:
            _PacketSize += SIZES[AdminQueue.__class__](AdminQueue)
        if ResponseQueue is not None:
            _PacketSize += SIZES[ResponseQueue.__class__](ResponseQueue)
        if ConnectorType is not None:
            _PacketSize += 16
        if SecurityHeader is not None:
            _PacketSize += 16
            if SecurityData is not None:
                _PacketSize += (
                    _true_SenderIdSize
                    + len(_SecurityIDPadding)
                    + _true_EncryptionKeySize
                    + len(_EncryptionKeyPadding)
                    + _true_SignatureSize
                    + len(_SignaturePadding)
                    + _true_SenderCertSize
                    + len(_SenderCertPadding)
                    + _true_ProviderInfoSize
                    + len(_ProviderInfoPadding)
                )
        BaseHeader = new_BaseHeader(
            *(16, 0, usual_BaseHeaderFlags, 1380927820, _PacketSize, TimeToReachQueue)
        )
        made: UserMessage = new_UserMessage(
            *(
                BaseHeader,
                UserHeader,
                None,
                SecurityHeader,
                MessagePropertiesHeader,
                None,
                None,
                None,
                None,
                None,
                None,
                None,
                None,
                None,
                None,
            )
        )
        return made


unpack_BBHIII16s16sIIII = Struct("<BBHIII16s16sIIII").unpack_from
unpack_H = Struct("<H").unpack_from
unpack_16s = Struct("<16s").unpack_from
unpack_I = Struct("<I").unpack_from
unpack_16sI = Struct("<16sI").unpack_from
unpack_IIIII = Struct("<IIIII").unpack_from
unpack_HHHHII = Struct("<HHHHII").unpack_from
unpack_BBH20sIIIIIIII = Struct("<BBH20sIIIIIIII").unpack_from
unpack_HH = Struct("<HH").unpack_from
unpack_HHI = Struct("<HHI").unpack_from
unpack_HHIII = Struct("<HHIII").unpack_from
unpack_IIB3s = Struct("<IIB3s").unpack_from
unpack_IIIII64s64s = Struct("<IIIII64s64s").unpack_from
unpack_IHHI16s = Struct("<IHHI16s").unpack_from
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
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue_count_end = destination_queue_end + 2
            if admin_queue_count_end > limit:
                raise Reject
            (admin_queue_count,) = unpack_H(data, destination_queue_end)
            if admin_queue_count & 1:
                raise Reject
            if admin_queue_count // 2 > limits.string_length:
                raise Reject
            admin_queue_direct_format_name_end = admin_queue_count_end + admin_queue_count
            if admin_queue_direct_format_name_end > limit:
                raise Reject
            admin_queue_padding_end = admin_queue_direct_format_name_end + (-(2 + admin_queue_count) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(
                    admin_queue_count,
                    decode_utf16(
                        data[admin_queue_count_end:admin_queue_direct_format_name_end], "surrogatepass", True
                    )[0],
                    data[admin_queue_direct_format_name_end:admin_queue_padding_end],
                )
            )
            admin_queue_end = admin_queue_padding_end
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue_private_queue_identifier_end = destination_queue_end + 20
            if admin_queue_private_queue_identifier_end > limit:
                raise Reject
            admin_queue_source_queue_manager, admin_queue_private_queue_identifier = unpack_16sI(
                data, destination_queue_end
            )
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(admin_queue_source_queue_manager), admin_queue_private_queue_identifier)
            )
            admin_queue_end = admin_queue_private_queue_identifier_end
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue_public_queue_identifier_end = destination_queue_end + 16
            if admin_queue_public_queue_identifier_end > limit:
                raise Reject
            (admin_queue_public_queue_identifier,) = unpack_16s(data, destination_queue_end)
            admin_queue = new_PublicQueueFormatName(*(GUID(admin_queue_public_queue_identifier),))
            admin_queue_end = admin_queue_public_queue_identifier_end
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue_private_queue_identifier_2_end = destination_queue_end + 4
            if admin_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (admin_queue_private_queue_identifier_2,) = unpack_I(data, destination_queue_end)
            admin_queue = new_PrivateQueueFormatNameId(*(admin_queue_private_queue_identifier_2,))
            admin_queue_end = admin_queue_private_queue_identifier_2_end
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue_count_end = admin_queue_end + 2
            if response_queue_count_end > limit:
                raise Reject
            (response_queue_count,) = unpack_H(data, admin_queue_end)
            if response_queue_count & 1:
                raise Reject
            if response_queue_count // 2 > limits.string_length:
                raise Reject
            response_queue_direct_format_name_end = response_queue_count_end + response_queue_count
            if response_queue_direct_format_name_end > limit:
                raise Reject
            response_queue_padding_end = response_queue_direct_format_name_end + (
                -(2 + response_queue_count) & 3
            )
            response_queue = new_DirectQueueFormatName(
                *(
                    response_queue_count,
                    decode_utf16(
                        data[response_queue_count_end:response_queue_direct_format_name_end],
                        "surrogatepass",
                        True,
                    )[0],
                    data[response_queue_direct_format_name_end:response_queue_padding_end],
                )
            )
            response_queue_end = response_queue_padding_end
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue_private_queue_identifier_end = admin_queue_end + 20
            if response_queue_private_queue_identifier_end > limit:
                raise Reject
            response_queue_source_queue_manager, response_queue_private_queue_identifier = unpack_16sI(
                data, admin_queue_end
            )
            response_queue = new_PrivateQueueFormatName(
                *(GUID(response_queue_source_queue_manager), response_queue_private_queue_identifier)
            )
            response_queue_end = response_queue_private_queue_identifier_end
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue_public_queue_identifier_end = admin_queue_end + 16
            if response_queue_public_queue_identifier_end > limit:
                raise Reject
            (response_queue_public_queue_identifier,) = unpack_16s(data, admin_queue_end)
            response_queue = new_PublicQueueFormatName(*(GUID(response_queue_public_queue_identifier),))
            response_queue_end = response_queue_public_queue_identifier_end
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue_private_queue_identifier_2_end = admin_queue_end + 4
            if response_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (response_queue_private_queue_identifier_2,) = unpack_I(data, admin_queue_end)
            response_queue = new_PrivateQueueFormatNameId(*(response_queue_private_queue_identifier_2,))
            response_queue_end = response_queue_private_queue_identifier_2_end
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
            debug_header_reserved_end = debug_header_start_2 + 4
            if debug_header_reserved_end > limit:
                raise Reject
            debug_header_flags, debug_header_reserved = unpack_HH(data, debug_header_start_2)
            if (debug_header_flags & 3) == 1:  # QT
                debug_header_queue_identifier_end = debug_header_reserved_end + 16
                if debug_header_queue_identifier_end > limit:
                    raise Reject
                (debug_header_queue_identifier,) = unpack_16s(data, debug_header_reserved_end)
                queue_identifier = GUID(debug_header_queue_identifier)
                debug_header_reserved_end = debug_header_queue_identifier_end
            else:
                queue_identifier = None
            debug_header = new_DebugHeader(
                *(known_DebugHeaderFlags[debug_header_flags], debug_header_reserved, queue_identifier)
            )
            debug_header_start_2 = debug_header_reserved_end
        else:
            debug_header = None
        if user_header_flags & 0x2000000:  # AH
            data_length_end = debug_header_start_2 + 8
            if data_length_end > limit:
                raise Reject
            header_id, srmp_envelope_header_reserved, data_length = unpack_HHI(data, debug_header_start_2)
            if data_length > limits.string_length:
                raise Reject
            data__end = data_length_end + data_length * 2
            if data__end > limit:
                raise Reject
            srmp_envelope_header_padding_end = data__end + (-(data_length * 2) & 3)
            srmp_envelope_header = new_SRMPEnvelopeHeader(
                *(
                    header_id,
                    srmp_envelope_header_reserved,
                    data_length,
                    decode_utf16(data[data_length_end:data__end], "surrogatepass", True)[0],
                    data[data__end:srmp_envelope_header_padding_end],
                )
            )
            debug_header_start_2 = srmp_envelope_header_padding_end
        else:
            srmp_envelope_header = None
        if user_header_flags & 0x2000000:  # AH
            msg_body_offset_end = debug_header_start_2 + 16
            if msg_body_offset_end > limit:
                raise Reject
            (
                compound_message_header_header_id,
                compound_message_header_reserved,
                http_body_size,
                msg_body_size,
                msg_body_offset,
            ) = unpack_HHIII(data, debug_header_start_2)
            compound_message_header_data__end = msg_body_offset_end + http_body_size
            compound_message_header_padding_end = compound_message_header_data__end + (-http_body_size & 3)
            compound_message_header = new_CompoundMessageHeader(
                *(
                    compound_message_header_header_id,
                    compound_message_header_reserved,
                    http_body_size,
                    msg_body_size,
                    msg_body_offset,
                    data[msg_body_offset_end:compound_message_header_data__end],
                    data[compound_message_header_data__end:compound_message_header_padding_end],
                )
            )
            debug_header_start_2 = compound_message_header_padding_end
        else:
            compound_message_header = None
        if user_header_flags & 0x10000000:  # HH
            header_data_length_end = debug_header_start_2 + 8
            if header_data_length_end > limit:
                raise Reject
            header_section_id, soap_header_reserved, header_data_length = unpack_HHI(
                data, debug_header_start_2
            )
            if header_data_length > limits.string_length:
                raise Reject
            header_end = header_data_length_end + header_data_length * 2
            if header_end > limit:
                raise Reject
            header_padding_size = (debug_header_start_2) - (header_end) & 3
            if header_padding_size and (
                data.startswith(b"\x84\x03", header_end)
                or not data.startswith(b"\x84\x03", header_end + header_padding_size)
            ):
                header_padding_size = 0
            header_padding_end = header_end + header_padding_size
            body_data_length_end = header_padding_end + 8
            if body_data_length_end > limit:
                raise Reject
            body_section_id, reserved1, body_data_length = unpack_HHI(data, header_padding_end)
            if body_data_length > limits.string_length:
                raise Reject
            body_end = body_data_length_end + body_data_length * 2
            if body_end > limit:
                raise Reject
            soap_header_padding_end = body_end + min(
                ((debug_header_start_2) - (body_end) & 3), limit - (body_end)
            )
            soap_header = new_SoapHeader(
                *(
                    header_section_id,
                    soap_header_reserved,
                    header_data_length,
                    decode_utf16(data[header_data_length_end:header_end], "surrogatepass", True)[0],
                    data[header_end:header_padding_end],
                    body_section_id,
                    reserved1,
                    body_data_length,
                    decode_utf16(data[body_data_length_end:body_end], "surrogatepass", True)[0],
                    data[body_end:soap_header_padding_end],
                )
            )
            debug_header_start_2 = soap_header_padding_end
        else:
            soap_header = None
        if user_header_flags & 0x800000:  # MQ
            if debug_header_start_2 > limit:
                raise Reject
            destination, destination_end = decode_MQFAddressHeader(data, debug_header_start_2, limit, limits)
            administration, administration_end = decode_MQFAddressHeader(data, destination_end, limit, limits)
            response, response_end = decode_MQFAddressHeader(data, administration_end, limit, limits)
            size__end = response_end + 8
            if size__end > limit:
                raise Reject
            id_, signature_reserved, size_ = unpack_HHI(data, response_end)
            signature_signature_end = size__end + size_
            if signature_signature_end > limit:
                raise Reject
            multi_queue_format_header_padding_end = signature_signature_end + min(
                ((debug_header_start_2) - (signature_signature_end) & 3), limit - (signature_signature_end)
            )
            multi_queue_format_header = new_MultiQueueFormatHeader(
                *(
                    destination,
                    administration,
                    response,
                    new_MQFSignatureHeader(
                        *(id_, signature_reserved, size_, data[size__end:signature_signature_end])
                    ),
                    data[signature_signature_end:multi_queue_format_header_padding_end],
                )
            )
            debug_header_start_2 = multi_queue_format_header_padding_end
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
            target_subqueue_name_end = debug_header_start_2 + 148
            if target_subqueue_name_end > limit:
                raise Reject
            (
                subqueue_header_header_size,
                subqueue_header_flags,
                abort_counter,
                move_counter,
                last_move_time,
                subqueue_name,
                target_subqueue_name,
            ) = unpack_IIIII64s64s(data, debug_header_start_2)
            subqueue_header = new_SubqueueHeader(
                *(
                    subqueue_header_header_size,
                    known_SubqueueHeaderFlags[subqueue_header_flags],
                    abort_counter,
                    move_counter,
                    last_move_time,
                    subqueue_name,
                    target_subqueue_name,
                )
            )
            debug_header_start_2 = target_subqueue_name_end
        else:
            subqueue_header = None
        if extension_header_flags & 0x1:  # DL
            if debug_header_start_2 > limit:
                raise Reject
            dead_letter_header_2, dead_letter_header_end = decode_DeadLetterHeader(
                data, debug_header_start_2, limit, limits
            )
            dead_letter_header = dead_letter_header_2
            debug_header_start_2 = dead_letter_header_end
        else:
            dead_letter_header = None
        if extension_header_flags & 0x10:  # EA
            address_end = debug_header_start_2 + 28
            if address_end > limit:
                raise Reject
            extended_address_header_header_size, address_length, address_type, address_scope, address = (
                unpack_IHHI16s(data, debug_header_start_2)
            )
            extended_address_header = new_ExtendedAddressHeader(
                *(extended_address_header_header_size, address_length, address_type, address_scope, address)
            )
            debug_header_start_2 = address_end
        else:
            extended_address_header = None
        if debug_header_start_2 != limit:
            raise Reject
        session_header_start = limit
        if flags & 0x10 and not rival_stands(
            layouts.UserMessage.by_name["SessionHeader"], data, limit, end, ends_here
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
            + len(soap_header.HeaderPadding)
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


refuse_arguments_UserMessage = partial(replacing.refuse_arguments, layouts.UserMessage)
default_BaseHeader = cache(BaseHeader)
part_UserMessage_BaseHeader = accept.for_field(accept.part, layouts.UserMessage, "BaseHeader", BaseHeader)
class_BaseHeader = BaseHeader
default_UserHeader = cache(UserHeader)
part_UserMessage_UserHeader = accept.for_field(accept.part, layouts.UserMessage, "UserHeader", UserHeader)
class_UserHeader = UserHeader
part_UserMessage_TransactionHeader = accept.for_field(
    accept.part, layouts.UserMessage, "TransactionHeader", TransactionHeader
)
class_TransactionHeader = TransactionHeader
part_UserMessage_SecurityHeader = accept.for_field(
    accept.part, layouts.UserMessage, "SecurityHeader", SecurityHeader
)
class_SecurityHeader = SecurityHeader
default_MessagePropertiesHeader = cache(MessagePropertiesHeader)
part_UserMessage_MessagePropertiesHeader = accept.for_field(
    accept.part, layouts.UserMessage, "MessagePropertiesHeader", MessagePropertiesHeader
)
class_MessagePropertiesHeader = MessagePropertiesHeader
part_UserMessage_DebugHeader = accept.for_field(accept.part, layouts.UserMessage, "DebugHeader", DebugHeader)
class_DebugHeader = DebugHeader
part_UserMessage_SRMPEnvelopeHeader = accept.for_field(
    accept.part, layouts.UserMessage, "SRMPEnvelopeHeader", SRMPEnvelopeHeader
)
class_SRMPEnvelopeHeader = SRMPEnvelopeHeader
part_UserMessage_CompoundMessageHeader = accept.for_field(
    accept.part, layouts.UserMessage, "CompoundMessageHeader", CompoundMessageHeader
)
class_CompoundMessageHeader = CompoundMessageHeader
part_UserMessage_SoapHeader = accept.for_field(accept.part, layouts.UserMessage, "SoapHeader", SoapHeader)
class_SoapHeader = SoapHeader
part_UserMessage_MultiQueueFormatHeader = accept.for_field(
    accept.part, layouts.UserMessage, "MultiQueueFormatHeader", MultiQueueFormatHeader
)
class_MultiQueueFormatHeader = MultiQueueFormatHeader
part_UserMessage_ExtensionHeader = accept.for_field(
    accept.part, layouts.UserMessage, "ExtensionHeader", ExtensionHeader
)
class_ExtensionHeader = ExtensionHeader
part_UserMessage_SubqueueHeader = accept.for_field(
    accept.part, layouts.UserMessage, "SubqueueHeader", SubqueueHeader
)
class_SubqueueHeader = SubqueueHeader
part_UserMessage_DeadLetterHeader = accept.for_field(
    accept.part, layouts.UserMessage, "DeadLetterHeader", DeadLetterHeader
)
class_DeadLetterHeader = DeadLetterHeader
part_UserMessage_ExtendedAddressHeader = accept.for_field(
    accept.part, layouts.UserMessage, "ExtendedAddressHeader", ExtendedAddressHeader
)
class_ExtendedAddressHeader = ExtendedAddressHeader
part_UserMessage_SessionHeader = accept.for_field(
    accept.part, layouts.UserMessage, "SessionHeader", SessionHeader
)
class_SessionHeader = SessionHeader


def build_UserMessage(
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
    *more: Any,
    **unknown: Any,
) -> UserMessage:
    if more or unknown:
        refuse_arguments_UserMessage(more, unknown)
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
                _bits = _bits & -8 | 0
            if DebugHeader is not None:
                _bits |= 0x20
            if SessionHeader is not None:
                _bits |= 0x10
            if _Flags.given & 0x37:
                _open = 0x37 & ~_Flags.given
                _Flags = known_BaseHeaderFlags[_Flags & ~_open | _bits & _open]
            else:
                _Flags = known_BaseHeaderFlags[_Flags & -56 | _bits]
        _PacketSize: int = BaseHeader.PacketSize
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
                    + len(SoapHeader.HeaderPadding)
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
            _bits |= (int(True)) << 5 | 0x100000
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
        _RemainingHeadersSize: int = ExtensionHeader.RemainingHeadersSize
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


def plain_UserMessage(record: UserMessage) -> dict[str, Any]:
    transaction_header = record.TransactionHeader
    security_header = record.SecurityHeader
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
    return {
        "BaseHeader": plain_BaseHeader(record.BaseHeader),
        "UserHeader": plain_UserHeader(record.UserHeader),
        "TransactionHeader": None
        if transaction_header is None
        else plain_TransactionHeader(transaction_header),
        "SecurityHeader": None if security_header is None else plain_SecurityHeader(security_header),
        "MessagePropertiesHeader": plain_MessagePropertiesHeader(record.MessagePropertiesHeader),
        "DebugHeader": None if debug_header is None else plain_DebugHeader(debug_header),
        "SRMPEnvelopeHeader": None
        if srmp_envelope_header is None
        else plain_SRMPEnvelopeHeader(srmp_envelope_header),
        "CompoundMessageHeader": None
        if compound_message_header is None
        else plain_CompoundMessageHeader(compound_message_header),
        "SoapHeader": None if soap_header is None else plain_SoapHeader(soap_header),
        "MultiQueueFormatHeader": None
        if multi_queue_format_header is None
        else plain_MultiQueueFormatHeader(multi_queue_format_header),
        "ExtensionHeader": None if extension_header is None else plain_ExtensionHeader(extension_header),
        "SubqueueHeader": None if subqueue_header is None else plain_SubqueueHeader(subqueue_header),
        "DeadLetterHeader": None
        if dead_letter_header is None
        else plain_DeadLetterHeader(dead_letter_header),
        "ExtendedAddressHeader": None
        if extended_address_header is None
        else plain_ExtendedAddressHeader(extended_address_header),
        "SessionHeader": None if session_header is None else plain_SessionHeader(session_header),
    }


def from_plain_UserMessage(fields: Any, path: str) -> UserMessage:
    taken = Taken(layouts.UserMessage, fields, path)
    made: UserMessage = taken.make(
        UserMessage,
        BaseHeader=taken.part("BaseHeader", from_plain_BaseHeader),
        UserHeader=taken.part("UserHeader", from_plain_UserHeader),
        TransactionHeader=taken.part("TransactionHeader", from_plain_TransactionHeader),
        SecurityHeader=taken.part("SecurityHeader", from_plain_SecurityHeader),
        MessagePropertiesHeader=taken.part("MessagePropertiesHeader", from_plain_MessagePropertiesHeader),
        DebugHeader=taken.part("DebugHeader", from_plain_DebugHeader),
        SRMPEnvelopeHeader=taken.part("SRMPEnvelopeHeader", from_plain_SRMPEnvelopeHeader),
        CompoundMessageHeader=taken.part("CompoundMessageHeader", from_plain_CompoundMessageHeader),
        SoapHeader=taken.part("SoapHeader", from_plain_SoapHeader),
        MultiQueueFormatHeader=taken.part("MultiQueueFormatHeader", from_plain_MultiQueueFormatHeader),
        ExtensionHeader=taken.part("ExtensionHeader", from_plain_ExtensionHeader),
        SubqueueHeader=taken.part("SubqueueHeader", from_plain_SubqueueHeader),
        DeadLetterHeader=taken.part("DeadLetterHeader", from_plain_DeadLetterHeader),
        ExtendedAddressHeader=taken.part("ExtendedAddressHeader", from_plain_ExtendedAddressHeader),
        SessionHeader=taken.part("SessionHeader", from_plain_SessionHeader),
    )
    return made


register(
    UserMessage,
    decode_UserMessage,
    encode_UserMessage,
    size_UserMessage,
    build_UserMessage,
    plain_UserMessage,
    from_plain_UserMessage,
)

PADDINGS = (b"", b"\x00", b"\x00\x00", b"\x00\x00\x00")
ZEROS_20 = bytes(20)
usual_BaseHeaderFlags = BaseHeaderFlags.seen[0x3]


def decode_packet_UserMessage(data: bytes, end: int, limits: Limits) -> UserMessage:
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
        if 66 > limit:
            raise Reject
        (count,) = unpack_H(data, 64)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = 66 + count
        if direct_format_name_end > limit:
            raise Reject
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
        if 80 > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, 64)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = 80
    elif destination_queue_form == 0xC00:  # DQ = 3
        if 68 > limit:
            raise Reject
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
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue_count_end = destination_queue_end + 2
            if admin_queue_count_end > limit:
                raise Reject
            (admin_queue_count,) = unpack_H(data, destination_queue_end)
            if admin_queue_count & 1:
                raise Reject
            if admin_queue_count // 2 > limits.string_length:
                raise Reject
            admin_queue_direct_format_name_end = admin_queue_count_end + admin_queue_count
            if admin_queue_direct_format_name_end > limit:
                raise Reject
            admin_queue_padding_end = admin_queue_direct_format_name_end + (-(2 + admin_queue_count) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(
                    admin_queue_count,
                    decode_utf16(
                        data[admin_queue_count_end:admin_queue_direct_format_name_end], "surrogatepass", True
                    )[0],
                    data[admin_queue_direct_format_name_end:admin_queue_padding_end],
                )
            )
            admin_queue_end = admin_queue_padding_end
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue_private_queue_identifier_end = destination_queue_end + 20
            if admin_queue_private_queue_identifier_end > limit:
                raise Reject
            admin_queue_source_queue_manager, admin_queue_private_queue_identifier = unpack_16sI(
                data, destination_queue_end
            )
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(admin_queue_source_queue_manager), admin_queue_private_queue_identifier)
            )
            admin_queue_end = admin_queue_private_queue_identifier_end
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue_public_queue_identifier_end = destination_queue_end + 16
            if admin_queue_public_queue_identifier_end > limit:
                raise Reject
            (admin_queue_public_queue_identifier,) = unpack_16s(data, destination_queue_end)
            admin_queue = new_PublicQueueFormatName(*(GUID(admin_queue_public_queue_identifier),))
            admin_queue_end = admin_queue_public_queue_identifier_end
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue_private_queue_identifier_2_end = destination_queue_end + 4
            if admin_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (admin_queue_private_queue_identifier_2,) = unpack_I(data, destination_queue_end)
            admin_queue = new_PrivateQueueFormatNameId(*(admin_queue_private_queue_identifier_2,))
            admin_queue_end = admin_queue_private_queue_identifier_2_end
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue_count_end = admin_queue_end + 2
            if response_queue_count_end > limit:
                raise Reject
            (response_queue_count,) = unpack_H(data, admin_queue_end)
            if response_queue_count & 1:
                raise Reject
            if response_queue_count // 2 > limits.string_length:
                raise Reject
            response_queue_direct_format_name_end = response_queue_count_end + response_queue_count
            if response_queue_direct_format_name_end > limit:
                raise Reject
            response_queue_padding_end = response_queue_direct_format_name_end + (
                -(2 + response_queue_count) & 3
            )
            response_queue = new_DirectQueueFormatName(
                *(
                    response_queue_count,
                    decode_utf16(
                        data[response_queue_count_end:response_queue_direct_format_name_end],
                        "surrogatepass",
                        True,
                    )[0],
                    data[response_queue_direct_format_name_end:response_queue_padding_end],
                )
            )
            response_queue_end = response_queue_padding_end
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue_private_queue_identifier_end = admin_queue_end + 20
            if response_queue_private_queue_identifier_end > limit:
                raise Reject
            response_queue_source_queue_manager, response_queue_private_queue_identifier = unpack_16sI(
                data, admin_queue_end
            )
            response_queue = new_PrivateQueueFormatName(
                *(GUID(response_queue_source_queue_manager), response_queue_private_queue_identifier)
            )
            response_queue_end = response_queue_private_queue_identifier_end
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue_public_queue_identifier_end = admin_queue_end + 16
            if response_queue_public_queue_identifier_end > limit:
                raise Reject
            (response_queue_public_queue_identifier,) = unpack_16s(data, admin_queue_end)
            response_queue = new_PublicQueueFormatName(*(GUID(response_queue_public_queue_identifier),))
            response_queue_end = response_queue_public_queue_identifier_end
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue_private_queue_identifier_2_end = admin_queue_end + 4
            if response_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (response_queue_private_queue_identifier_2,) = unpack_I(data, admin_queue_end)
            response_queue = new_PrivateQueueFormatNameId(*(response_queue_private_queue_identifier_2,))
            response_queue_end = response_queue_private_queue_identifier_2_end
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
            debug_header_reserved_end = debug_header_start_2 + 4
            if debug_header_reserved_end > limit:
                raise Reject
            debug_header_flags, debug_header_reserved = unpack_HH(data, debug_header_start_2)
            if (debug_header_flags & 3) == 1:  # QT
                debug_header_queue_identifier_end = debug_header_reserved_end + 16
                if debug_header_queue_identifier_end > limit:
                    raise Reject
                (debug_header_queue_identifier,) = unpack_16s(data, debug_header_reserved_end)
                queue_identifier = GUID(debug_header_queue_identifier)
                debug_header_reserved_end = debug_header_queue_identifier_end
            else:
                queue_identifier = None
            debug_header = new_DebugHeader(
                *(known_DebugHeaderFlags[debug_header_flags], debug_header_reserved, queue_identifier)
            )
            debug_header_start_2 = debug_header_reserved_end
        else:
            debug_header = None
        if user_header_flags & 0x2000000:  # AH
            data_length_end = debug_header_start_2 + 8
            if data_length_end > limit:
                raise Reject
            header_id, srmp_envelope_header_reserved, data_length = unpack_HHI(data, debug_header_start_2)
            if data_length > limits.string_length:
                raise Reject
            data__end = data_length_end + data_length * 2
            if data__end > limit:
                raise Reject
            srmp_envelope_header_padding_end = data__end + (-(data_length * 2) & 3)
            srmp_envelope_header = new_SRMPEnvelopeHeader(
                *(
                    header_id,
                    srmp_envelope_header_reserved,
                    data_length,
                    decode_utf16(data[data_length_end:data__end], "surrogatepass", True)[0],
                    data[data__end:srmp_envelope_header_padding_end],
                )
            )
            debug_header_start_2 = srmp_envelope_header_padding_end
        else:
            srmp_envelope_header = None
        if user_header_flags & 0x2000000:  # AH
            msg_body_offset_end = debug_header_start_2 + 16
            if msg_body_offset_end > limit:
                raise Reject
            (
                compound_message_header_header_id,
                compound_message_header_reserved,
                http_body_size,
                msg_body_size,
                msg_body_offset,
            ) = unpack_HHIII(data, debug_header_start_2)
            compound_message_header_data__end = msg_body_offset_end + http_body_size
            compound_message_header_padding_end = compound_message_header_data__end + (-http_body_size & 3)
            compound_message_header = new_CompoundMessageHeader(
                *(
                    compound_message_header_header_id,
                    compound_message_header_reserved,
                    http_body_size,
                    msg_body_size,
                    msg_body_offset,
                    data[msg_body_offset_end:compound_message_header_data__end],
                    data[compound_message_header_data__end:compound_message_header_padding_end],
                )
            )
            debug_header_start_2 = compound_message_header_padding_end
        else:
            compound_message_header = None
        if user_header_flags & 0x10000000:  # HH
            header_data_length_end = debug_header_start_2 + 8
            if header_data_length_end > limit:
                raise Reject
            header_section_id, soap_header_reserved, header_data_length = unpack_HHI(
                data, debug_header_start_2
            )
            if header_data_length > limits.string_length:
                raise Reject
            header_end = header_data_length_end + header_data_length * 2
            if header_end > limit:
                raise Reject
            header_padding_size = (debug_header_start_2) - (header_end) & 3
            if header_padding_size and (
                data.startswith(b"\x84\x03", header_end)
                or not data.startswith(b"\x84\x03", header_end + header_padding_size)
            ):
                header_padding_size = 0
            header_padding_end = header_end + header_padding_size
            body_data_length_end = header_padding_end + 8
            if body_data_length_end > limit:
                raise Reject
            body_section_id, reserved1, body_data_length = unpack_HHI(data, header_padding_end)
            if body_data_length > limits.string_length:
                raise Reject
            body_end = body_data_length_end + body_data_length * 2
            if body_end > limit:
                raise Reject
            soap_header_padding_end = body_end + min(
                ((debug_header_start_2) - (body_end) & 3), limit - (body_end)
            )
            soap_header = new_SoapHeader(
                *(
                    header_section_id,
                    soap_header_reserved,
                    header_data_length,
                    decode_utf16(data[header_data_length_end:header_end], "surrogatepass", True)[0],
                    data[header_end:header_padding_end],
                    body_section_id,
                    reserved1,
                    body_data_length,
                    decode_utf16(data[body_data_length_end:body_end], "surrogatepass", True)[0],
                    data[body_end:soap_header_padding_end],
                )
            )
            debug_header_start_2 = soap_header_padding_end
        else:
            soap_header = None
        if user_header_flags & 0x800000:  # MQ
            if debug_header_start_2 > limit:
                raise Reject
            destination, destination_end = decode_MQFAddressHeader(data, debug_header_start_2, limit, limits)
            administration, administration_end = decode_MQFAddressHeader(data, destination_end, limit, limits)
            response, response_end = decode_MQFAddressHeader(data, administration_end, limit, limits)
            size__end = response_end + 8
            if size__end > limit:
                raise Reject
            id_, signature_reserved, size_ = unpack_HHI(data, response_end)
            signature_signature_end = size__end + size_
            if signature_signature_end > limit:
                raise Reject
            multi_queue_format_header_padding_end = signature_signature_end + min(
                ((debug_header_start_2) - (signature_signature_end) & 3), limit - (signature_signature_end)
            )
            multi_queue_format_header = new_MultiQueueFormatHeader(
                *(
                    destination,
                    administration,
                    response,
                    new_MQFSignatureHeader(
                        *(id_, signature_reserved, size_, data[size__end:signature_signature_end])
                    ),
                    data[signature_signature_end:multi_queue_format_header_padding_end],
                )
            )
            debug_header_start_2 = multi_queue_format_header_padding_end
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
            target_subqueue_name_end = debug_header_start_2 + 148
            if target_subqueue_name_end > limit:
                raise Reject
            (
                subqueue_header_header_size,
                subqueue_header_flags,
                abort_counter,
                move_counter,
                last_move_time,
                subqueue_name,
                target_subqueue_name,
            ) = unpack_IIIII64s64s(data, debug_header_start_2)
            subqueue_header = new_SubqueueHeader(
                *(
                    subqueue_header_header_size,
                    known_SubqueueHeaderFlags[subqueue_header_flags],
                    abort_counter,
                    move_counter,
                    last_move_time,
                    subqueue_name,
                    target_subqueue_name,
                )
            )
            debug_header_start_2 = target_subqueue_name_end
        else:
            subqueue_header = None
        if extension_header_flags & 0x1:  # DL
            if debug_header_start_2 > limit:
                raise Reject
            dead_letter_header_2, dead_letter_header_end = decode_DeadLetterHeader(
                data, debug_header_start_2, limit, limits
            )
            dead_letter_header = dead_letter_header_2
            debug_header_start_2 = dead_letter_header_end
        else:
            dead_letter_header = None
        if extension_header_flags & 0x10:  # EA
            address_end = debug_header_start_2 + 28
            if address_end > limit:
                raise Reject
            extended_address_header_header_size, address_length, address_type, address_scope, address = (
                unpack_IHHI16s(data, debug_header_start_2)
            )
            extended_address_header = new_ExtendedAddressHeader(
                *(extended_address_header_header_size, address_length, address_type, address_scope, address)
            )
            debug_header_start_2 = address_end
        else:
            extended_address_header = None
        if debug_header_start_2 != limit:
            raise Reject
        session_header_start = limit
        if flags & 0x10:  # SH
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


def decode_packet_UserMessage_sharing(data: bytes, end: int, limits: Limits) -> UserMessage:
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
        if 66 > limit:
            raise Reject
        (count,) = unpack_H(data, 64)
        if count & 1:
            raise Reject
        if count // 2 > limits.string_length:
            raise Reject
        direct_format_name_end = 66 + count
        if direct_format_name_end > limit:
            raise Reject
        padding_end = direct_format_name_end + (-(2 + count) & 3)
        destination_queue = new_DirectQueueFormatName(
            *(
                NUMBERS[count >> 8][count & 0xFF],
                decode_utf16(data[66:direct_format_name_end], "surrogatepass", True)[0],
                data[direct_format_name_end:padding_end],
            )
        )
        destination_queue_end = padding_end
    elif destination_queue_form == 0x1400:  # DQ = 5
        if 80 > limit:
            raise Reject
        (public_queue_identifier,) = unpack_16s(data, 64)
        destination_queue = new_PublicQueueFormatName(*(GUID(public_queue_identifier),))
        destination_queue_end = 80
    elif destination_queue_form == 0xC00:  # DQ = 3
        if 68 > limit:
            raise Reject
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
        if admin_queue_form == 0xE000:  # AQ = 7
            admin_queue_count_end = destination_queue_end + 2
            if admin_queue_count_end > limit:
                raise Reject
            (admin_queue_count,) = unpack_H(data, destination_queue_end)
            if admin_queue_count & 1:
                raise Reject
            if admin_queue_count // 2 > limits.string_length:
                raise Reject
            admin_queue_direct_format_name_end = admin_queue_count_end + admin_queue_count
            if admin_queue_direct_format_name_end > limit:
                raise Reject
            admin_queue_padding_end = admin_queue_direct_format_name_end + (-(2 + admin_queue_count) & 3)
            admin_queue = new_DirectQueueFormatName(
                *(
                    NUMBERS[admin_queue_count >> 8][admin_queue_count & 0xFF],
                    decode_utf16(
                        data[admin_queue_count_end:admin_queue_direct_format_name_end], "surrogatepass", True
                    )[0],
                    data[admin_queue_direct_format_name_end:admin_queue_padding_end],
                )
            )
            admin_queue_end = admin_queue_padding_end
        elif admin_queue_form == 0xC000:  # AQ = 6
            admin_queue_private_queue_identifier_end = destination_queue_end + 20
            if admin_queue_private_queue_identifier_end > limit:
                raise Reject
            admin_queue_source_queue_manager, admin_queue_private_queue_identifier = unpack_16sI(
                data, destination_queue_end
            )
            admin_queue = new_PrivateQueueFormatName(
                *(GUID(admin_queue_source_queue_manager), admin_queue_private_queue_identifier)
            )
            admin_queue_end = admin_queue_private_queue_identifier_end
        elif admin_queue_form == 0xA000:  # AQ = 5
            admin_queue_public_queue_identifier_end = destination_queue_end + 16
            if admin_queue_public_queue_identifier_end > limit:
                raise Reject
            (admin_queue_public_queue_identifier,) = unpack_16s(data, destination_queue_end)
            admin_queue = new_PublicQueueFormatName(*(GUID(admin_queue_public_queue_identifier),))
            admin_queue_end = admin_queue_public_queue_identifier_end
        elif admin_queue_form in (0x4000, 0x6000):  # AQ = 2 or 3
            admin_queue_private_queue_identifier_2_end = destination_queue_end + 4
            if admin_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (admin_queue_private_queue_identifier_2,) = unpack_I(data, destination_queue_end)
            admin_queue = new_PrivateQueueFormatNameId(*(admin_queue_private_queue_identifier_2,))
            admin_queue_end = admin_queue_private_queue_identifier_2_end
        elif admin_queue_form == 0:  # AQ = 0
            admin_queue = None
            admin_queue_end = destination_queue_end
        else:
            raise Reject
        response_queue_form = user_header_flags & 0x70000
        if response_queue_form == 0x70000:  # RQ = 7
            response_queue_count_end = admin_queue_end + 2
            if response_queue_count_end > limit:
                raise Reject
            (response_queue_count,) = unpack_H(data, admin_queue_end)
            if response_queue_count & 1:
                raise Reject
            if response_queue_count // 2 > limits.string_length:
                raise Reject
            response_queue_direct_format_name_end = response_queue_count_end + response_queue_count
            if response_queue_direct_format_name_end > limit:
                raise Reject
            response_queue_padding_end = response_queue_direct_format_name_end + (
                -(2 + response_queue_count) & 3
            )
            response_queue = new_DirectQueueFormatName(
                *(
                    NUMBERS[response_queue_count >> 8][response_queue_count & 0xFF],
                    decode_utf16(
                        data[response_queue_count_end:response_queue_direct_format_name_end],
                        "surrogatepass",
                        True,
                    )[0],
                    data[response_queue_direct_format_name_end:response_queue_padding_end],
                )
            )
            response_queue_end = response_queue_padding_end
        elif response_queue_form == 0x60000:  # RQ = 6
            response_queue_private_queue_identifier_end = admin_queue_end + 20
            if response_queue_private_queue_identifier_end > limit:
                raise Reject
            response_queue_source_queue_manager, response_queue_private_queue_identifier = unpack_16sI(
                data, admin_queue_end
            )
            response_queue = new_PrivateQueueFormatName(
                *(GUID(response_queue_source_queue_manager), response_queue_private_queue_identifier)
            )
            response_queue_end = response_queue_private_queue_identifier_end
        elif response_queue_form == 0x50000:  # RQ = 5
            response_queue_public_queue_identifier_end = admin_queue_end + 16
            if response_queue_public_queue_identifier_end > limit:
                raise Reject
            (response_queue_public_queue_identifier,) = unpack_16s(data, admin_queue_end)
            response_queue = new_PublicQueueFormatName(*(GUID(response_queue_public_queue_identifier),))
            response_queue_end = response_queue_public_queue_identifier_end
        elif response_queue_form in (0x20000, 0x30000, 0x40000):  # RQ = 2 or 3 or 4
            response_queue_private_queue_identifier_2_end = admin_queue_end + 4
            if response_queue_private_queue_identifier_2_end > limit:
                raise Reject
            (response_queue_private_queue_identifier_2,) = unpack_I(data, admin_queue_end)
            response_queue = new_PrivateQueueFormatNameId(*(response_queue_private_queue_identifier_2,))
            response_queue_end = response_queue_private_queue_identifier_2_end
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
                NUMBERS[sender_id_size >> 8][sender_id_size & 0xFF],
                NUMBERS[encryption_key_size >> 8][encryption_key_size & 0xFF],
                NUMBERS[signature_size >> 8][signature_size & 0xFF],
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
            debug_header_reserved_end = debug_header_start_2 + 4
            if debug_header_reserved_end > limit:
                raise Reject
            debug_header_flags, debug_header_reserved = unpack_HH(data, debug_header_start_2)
            if (debug_header_flags & 3) == 1:  # QT
                debug_header_queue_identifier_end = debug_header_reserved_end + 16
                if debug_header_queue_identifier_end > limit:
                    raise Reject
                (debug_header_queue_identifier,) = unpack_16s(data, debug_header_reserved_end)
                queue_identifier = GUID(debug_header_queue_identifier)
                debug_header_reserved_end = debug_header_queue_identifier_end
            else:
                queue_identifier = None
            debug_header = new_DebugHeader(
                *(
                    known_DebugHeaderFlags[debug_header_flags],
                    NUMBERS[debug_header_reserved >> 8][debug_header_reserved & 0xFF],
                    queue_identifier,
                )
            )
            debug_header_start_2 = debug_header_reserved_end
        else:
            debug_header = None
        if user_header_flags & 0x2000000:  # AH
            data_length_end = debug_header_start_2 + 8
            if data_length_end > limit:
                raise Reject
            header_id, srmp_envelope_header_reserved, data_length = unpack_HHI(data, debug_header_start_2)
            if data_length > limits.string_length:
                raise Reject
            data__end = data_length_end + data_length * 2
            if data__end > limit:
                raise Reject
            srmp_envelope_header_padding_end = data__end + (-(data_length * 2) & 3)
            srmp_envelope_header = new_SRMPEnvelopeHeader(
                *(
                    NUMBERS[header_id >> 8][header_id & 0xFF],
                    NUMBERS[srmp_envelope_header_reserved >> 8][srmp_envelope_header_reserved & 0xFF],
                    data_length,
                    decode_utf16(data[data_length_end:data__end], "surrogatepass", True)[0],
                    data[data__end:srmp_envelope_header_padding_end],
                )
            )
            debug_header_start_2 = srmp_envelope_header_padding_end
        else:
            srmp_envelope_header = None
        if user_header_flags & 0x2000000:  # AH
            msg_body_offset_end = debug_header_start_2 + 16
            if msg_body_offset_end > limit:
                raise Reject
            (
                compound_message_header_header_id,
                compound_message_header_reserved,
                http_body_size,
                msg_body_size,
                msg_body_offset,
            ) = unpack_HHIII(data, debug_header_start_2)
            compound_message_header_data__end = msg_body_offset_end + http_body_size
            compound_message_header_padding_end = compound_message_header_data__end + (-http_body_size & 3)
            compound_message_header = new_CompoundMessageHeader(
                *(
                    NUMBERS[compound_message_header_header_id >> 8][compound_message_header_header_id & 0xFF],
                    NUMBERS[compound_message_header_reserved >> 8][compound_message_header_reserved & 0xFF],
                    http_body_size,
                    msg_body_size,
                    msg_body_offset,
                    data[msg_body_offset_end:compound_message_header_data__end],
                    data[compound_message_header_data__end:compound_message_header_padding_end],
                )
            )
            debug_header_start_2 = compound_message_header_padding_end
        else:
            compound_message_header = None
        if user_header_flags & 0x10000000:  # HH
            header_data_length_end = debug_header_start_2 + 8
            if header_data_length_end > limit:
                raise Reject
            header_section_id, soap_header_reserved, header_data_length = unpack_HHI(
                data, debug_header_start_2
            )
            if header_data_length > limits.string_length:
                raise Reject
            header_end = header_data_length_end + header_data_length * 2
            if header_end > limit:
                raise Reject
            header_padding_size = (debug_header_start_2) - (header_end) & 3
            if header_padding_size and (
                data.startswith(b"\x84\x03", header_end)
                or not data.startswith(b"\x84\x03", header_end + header_padding_size)
            ):
                header_padding_size = 0
            header_padding_end = header_end + header_padding_size
            body_data_length_end = header_padding_end + 8
            if body_data_length_end > limit:
                raise Reject
            body_section_id, reserved1, body_data_length = unpack_HHI(data, header_padding_end)
            if body_data_length > limits.string_length:
                raise Reject
            body_end = body_data_length_end + body_data_length * 2
            if body_end > limit:
                raise Reject
            soap_header_padding_end = body_end + min(
                ((debug_header_start_2) - (body_end) & 3), limit - (body_end)
            )
            soap_header = new_SoapHeader(
                *(
                    NUMBERS[header_section_id >> 8][header_section_id & 0xFF],
                    NUMBERS[soap_header_reserved >> 8][soap_header_reserved & 0xFF],
                    header_data_length,
                    decode_utf16(data[header_data_length_end:header_end], "surrogatepass", True)[0],
                    data[header_end:header_padding_end],
                    NUMBERS[body_section_id >> 8][body_section_id & 0xFF],
                    NUMBERS[reserved1 >> 8][reserved1 & 0xFF],
                    body_data_length,
                    decode_utf16(data[body_data_length_end:body_end], "surrogatepass", True)[0],
                    data[body_end:soap_header_padding_end],
                )
            )
            debug_header_start_2 = soap_header_padding_end
        else:
            soap_header = None
        if user_header_flags & 0x800000:  # MQ
            if debug_header_start_2 > limit:
                raise Reject
            destination, destination_end = decode_MQFAddressHeader(data, debug_header_start_2, limit, limits)
            administration, administration_end = decode_MQFAddressHeader(data, destination_end, limit, limits)
            response, response_end = decode_MQFAddressHeader(data, administration_end, limit, limits)
            size__end = response_end + 8
            if size__end > limit:
                raise Reject
            id_, signature_reserved, size_ = unpack_HHI(data, response_end)
            signature_signature_end = size__end + size_
            if signature_signature_end > limit:
                raise Reject
            multi_queue_format_header_padding_end = signature_signature_end + min(
                ((debug_header_start_2) - (signature_signature_end) & 3), limit - (signature_signature_end)
            )
            multi_queue_format_header = new_MultiQueueFormatHeader(
                *(
                    destination,
                    administration,
                    response,
                    new_MQFSignatureHeader(
                        *(
                            NUMBERS[id_ >> 8][id_ & 0xFF],
                            NUMBERS[signature_reserved >> 8][signature_reserved & 0xFF],
                            size_,
                            data[size__end:signature_signature_end],
                        )
                    ),
                    data[signature_signature_end:multi_queue_format_header_padding_end],
                )
            )
            debug_header_start_2 = multi_queue_format_header_padding_end
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
            target_subqueue_name_end = debug_header_start_2 + 148
            if target_subqueue_name_end > limit:
                raise Reject
            (
                subqueue_header_header_size,
                subqueue_header_flags,
                abort_counter,
                move_counter,
                last_move_time,
                subqueue_name,
                target_subqueue_name,
            ) = unpack_IIIII64s64s(data, debug_header_start_2)
            subqueue_header = new_SubqueueHeader(
                *(
                    subqueue_header_header_size,
                    known_SubqueueHeaderFlags[subqueue_header_flags],
                    abort_counter,
                    move_counter,
                    last_move_time,
                    subqueue_name,
                    target_subqueue_name,
                )
            )
            debug_header_start_2 = target_subqueue_name_end
        else:
            subqueue_header = None
        if extension_header_flags & 0x1:  # DL
            if debug_header_start_2 > limit:
                raise Reject
            dead_letter_header_2, dead_letter_header_end = decode_DeadLetterHeader(
                data, debug_header_start_2, limit, limits
            )
            dead_letter_header = dead_letter_header_2
            debug_header_start_2 = dead_letter_header_end
        else:
            dead_letter_header = None
        if extension_header_flags & 0x10:  # EA
            address_end = debug_header_start_2 + 28
            if address_end > limit:
                raise Reject
            extended_address_header_header_size, address_length, address_type, address_scope, address = (
                unpack_IHHI16s(data, debug_header_start_2)
            )
            extended_address_header = new_ExtendedAddressHeader(
                *(
                    extended_address_header_header_size,
                    NUMBERS[address_length >> 8][address_length & 0xFF],
                    NUMBERS[address_type >> 8][address_type & 0xFF],
                    address_scope,
                    address,
                )
            )
            debug_header_start_2 = address_end
        else:
            extended_address_header = None
        if debug_header_start_2 != limit:
            raise Reject
        session_header_start = limit
        if flags & 0x10:  # SH
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
                    NUMBERS[ack_sequence_number >> 8][ack_sequence_number & 0xFF],
                    NUMBERS[recoverable_msg_ack_seq_number >> 8][recoverable_msg_ack_seq_number & 0xFF],
                    recoverable_msg_ack_flags,
                    NUMBERS[user_msg_sequence_number >> 8][user_msg_sequence_number & 0xFF],
                    NUMBERS[recoverable_msg_seq_number >> 8][recoverable_msg_seq_number & 0xFF],
                    NUMBERS[window_size >> 8][window_size & 0xFF],
                    NUMBERS[session_header_reserved >> 8][session_header_reserved & 0xFF],
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
            ExtensionHeader: mqrr.ExtensionHeader | None = None,
            SubqueueHeader: mqrr.SubqueueHeader | None = None,
            DeadLetterHeader: mqrr.DeadLetterHeader | None = None,
            ExtendedAddressHeader: mqrr.ExtendedAddressHeader | None = None,
        ) -> None: ...

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
            target_subqueue_name_end = extension_header_start + 148
            if target_subqueue_name_end > end:
                raise Reject
            (
                subqueue_header_header_size,
                subqueue_header_flags,
                abort_counter,
                move_counter,
                last_move_time,
                subqueue_name,
                target_subqueue_name,
            ) = unpack_IIIII64s64s(data, extension_header_start)
            subqueue_header = new_SubqueueHeader(
                *(
                    subqueue_header_header_size,
                    known_SubqueueHeaderFlags[subqueue_header_flags],
                    abort_counter,
                    move_counter,
                    last_move_time,
                    subqueue_name,
                    target_subqueue_name,
                )
            )
            extension_header_start = target_subqueue_name_end
        else:
            subqueue_header = None
        if flags & 0x1:  # DL
            dead_letter_header_2, dead_letter_header_end = decode_DeadLetterHeader(
                data, extension_header_start, end, limits
            )
            dead_letter_header = dead_letter_header_2
            extension_header_start = dead_letter_header_end
        else:
            dead_letter_header = None
        if flags & 0x10:  # EA
            address_end = extension_header_start + 28
            if address_end > end:
                raise Reject
            extended_address_header_header_size, address_length, address_type, address_scope, address = (
                unpack_IHHI16s(data, extension_header_start)
            )
            extended_address_header = new_ExtendedAddressHeader(
                *(extended_address_header_header_size, address_length, address_type, address_scope, address)
            )
            extension_header_start = address_end
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
            + len(_part_13.HeaderPadding)
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


refuse_arguments_MessagePacket = partial(replacing.refuse_arguments, layouts.MessagePacket)
default_UserMessage = cache(UserMessage)
part_MessagePacket_UserMessage = accept.for_field(
    accept.part, layouts.MessagePacket, "UserMessage", UserMessage
)
class_UserMessage = UserMessage
part_MessagePacket_ExtensionHeader = accept.for_field(
    accept.part, layouts.MessagePacket, "ExtensionHeader", ExtensionHeader
)
part_MessagePacket_SubqueueHeader = accept.for_field(
    accept.part, layouts.MessagePacket, "SubqueueHeader", SubqueueHeader
)
part_MessagePacket_DeadLetterHeader = accept.for_field(
    accept.part, layouts.MessagePacket, "DeadLetterHeader", DeadLetterHeader
)
part_MessagePacket_ExtendedAddressHeader = accept.for_field(
    accept.part, layouts.MessagePacket, "ExtendedAddressHeader", ExtendedAddressHeader
)


def build_MessagePacket(
    UserMessage: Any = None,
    ExtensionHeader: Any = None,
    SubqueueHeader: Any = None,
    DeadLetterHeader: Any = None,
    ExtendedAddressHeader: Any = None,
    *more: Any,
    **unknown: Any,
) -> MessagePacket:
    if more or unknown:
        refuse_arguments_MessagePacket(more, unknown)
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
        _RemainingHeadersSize: int = ExtensionHeader.RemainingHeadersSize
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


def plain_MessagePacket(record: MessagePacket) -> dict[str, Any]:
    extension_header = record.ExtensionHeader
    subqueue_header = record.SubqueueHeader
    dead_letter_header = record.DeadLetterHeader
    extended_address_header = record.ExtendedAddressHeader
    return {
        "UserMessage": plain_UserMessage(record.UserMessage),
        "ExtensionHeader": None if extension_header is None else plain_ExtensionHeader(extension_header),
        "SubqueueHeader": None if subqueue_header is None else plain_SubqueueHeader(subqueue_header),
        "DeadLetterHeader": None
        if dead_letter_header is None
        else plain_DeadLetterHeader(dead_letter_header),
        "ExtendedAddressHeader": None
        if extended_address_header is None
        else plain_ExtendedAddressHeader(extended_address_header),
    }


def from_plain_MessagePacket(fields: Any, path: str) -> MessagePacket:
    taken = Taken(layouts.MessagePacket, fields, path)
    made: MessagePacket = taken.make(
        MessagePacket,
        UserMessage=taken.part("UserMessage", from_plain_UserMessage),
        ExtensionHeader=taken.part("ExtensionHeader", from_plain_ExtensionHeader),
        SubqueueHeader=taken.part("SubqueueHeader", from_plain_SubqueueHeader),
        DeadLetterHeader=taken.part("DeadLetterHeader", from_plain_DeadLetterHeader),
        ExtendedAddressHeader=taken.part("ExtendedAddressHeader", from_plain_ExtendedAddressHeader),
    )
    return made


register(
    MessagePacket,
    decode_MessagePacket,
    encode_MessagePacket,
    size_MessagePacket,
    build_MessagePacket,
    plain_MessagePacket,
    from_plain_MessagePacket,
)
