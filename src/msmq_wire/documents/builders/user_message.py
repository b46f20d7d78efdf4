"""Building the records of [MS-MQMQ] 2.2.20 and [MS-MQRR] 2.2.5: whole messages, made of the headers of both documents.

Generated from `definitions` by ``python -m msmq_wire.compiler``; do not edit.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from msmq_wire.documents import layouts
from msmq_wire.documents.mqmq import (
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
    known_BaseHeaderFlags,
    known_DebugHeaderFlags,
    known_SecurityHeaderFlags,
    known_TransactionHeaderFlags,
    known_UserHeaderFlags,
    new_BaseHeader,
    new_MessagePropertiesHeader,
    new_SecurityData,
    new_SecurityHeader,
    new_UserHeader,
)
from msmq_wire.documents.mqrr import (
    CompoundMessageHeader,
    DeadLetterHeader,
    ExtendedAddressHeader,
    ExtensionHeader,
    SRMPEnvelopeHeader,
    SubqueueHeader,
    known_ExtensionHeaderFlags,
)
from msmq_wire.documents.user_message import MessagePacket, UserMessage, new_MessagePacket, new_UserMessage
from msmq_wire.records import accept, replacing
from msmq_wire.records.omitted import Omitted
from msmq_wire.records.plain import FieldSource
from msmq_wire.records.registry import register_builders as register
from msmq_wire.records.registry import size_of
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.wchar import wchar_count

from .mqmq import (
    bits_UserHeader_AdminQueue,
    bits_UserHeader_DestinationQueue,
    bits_UserHeader_ResponseQueue,
    build_BaseHeader,
    build_MessagePropertiesHeader,
    build_SecurityData,
    build_SecurityHeader,
    build_UserHeader,
    default_MessagePropertiesHeaderFlags,
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
    from_plain_CompoundMessageHeader,
    from_plain_DeadLetterHeader,
    from_plain_ExtendedAddressHeader,
    from_plain_ExtensionHeader,
    from_plain_SRMPEnvelopeHeader,
    from_plain_SubqueueHeader,
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

    from msmq_wire.documents import mqmq, mqrr
    from msmq_wire.names import format_names

    _Bytes = bytes | bytearray | memoryview
    _Guid = GUID | uuid.UUID | str | bytes


# ------------------------------------------------------------------------- [MS-MQMQ] 2.2.20 UserMessage


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
        size += size_of(_part)
    if (_part_2 := user_header.AdminQueue) is not None:
        size += size_of(_part_2)
    if (_part_3 := user_header.ResponseQueue) is not None:
        size += size_of(_part_3)
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
    if BaseHeader.Flags.__class__ is partial_BaseHeaderFlags or BaseHeader.PacketSize.__class__ is Omitted:
        _Flags = BaseHeader.Flags
        if _Flags.__class__ is partial_BaseHeaderFlags:
            _bits = 0x3
            if TransactionHeader is not None:
                _bits = _bits & -8
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
        if _PacketSize.__class__ is Omitted:
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
                _PacketSize += size_of(_part)
            if (_part_2 := UserHeader.AdminQueue) is not None:
                _PacketSize += size_of(_part_2)
            if (_part_3 := UserHeader.ResponseQueue) is not None:
                _PacketSize += size_of(_part_3)
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
            _bits |= 0x20 | 0x100000
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
        or ExtensionHeader.RemainingHeadersSize.__class__ is Omitted
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
        if _RemainingHeadersSize.__class__ is Omitted:
            _RemainingHeadersSize = 0
            if SubqueueHeader is not None:
                _RemainingHeadersSize += 148
            if DeadLetterHeader is not None:
                _RemainingHeadersSize += size_DeadLetterHeader(DeadLetterHeader)
            if ExtendedAddressHeader is not None:
                _RemainingHeadersSize += 28
        ExtensionHeader = replace(ExtensionHeader, Flags=_Flags, RemainingHeadersSize=_RemainingHeadersSize)
    record: UserMessage = new_UserMessage(
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
    return record


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
    taken = FieldSource(layouts.UserMessage, fields, path)
    record: UserMessage = taken.make(
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
    return record


PADDINGS = (b"", b"\x00", b"\x00\x00", b"\x00\x00\x00")
ZEROS_20 = bytes(20)
usual_BaseHeaderFlags = BaseHeaderFlags.cache[0x3]


def of_UserMessage(
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
        _PacketSize += size_of(DestinationQueue)
    if AdminQueue is not None:
        _PacketSize += size_of(AdminQueue)
    if ResponseQueue is not None:
        _PacketSize += size_of(ResponseQueue)
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
    BaseHeader = new_BaseHeader(*(16, 0, usual_BaseHeaderFlags, 1380927820, _PacketSize, TimeToReachQueue))
    record: UserMessage = new_UserMessage(
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
    return record


register(
    UserMessage,
    size_UserMessage,
    build_UserMessage,
    plain_UserMessage,
    from_plain_UserMessage,
    of_UserMessage,
)


# ------------------------------------------------------------------------ [MS-MQRR] 2.2.5 MessagePacket


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
        size += size_of(_part)
    if (_part_2 := user_message.UserHeader.AdminQueue) is not None:
        size += size_of(_part_2)
    if (_part_3 := user_message.UserHeader.ResponseQueue) is not None:
        size += size_of(_part_3)
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
        or ExtensionHeader.RemainingHeadersSize.__class__ is Omitted
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
        if _RemainingHeadersSize.__class__ is Omitted:
            _RemainingHeadersSize = 0
            if SubqueueHeader is not None:
                _RemainingHeadersSize += 148
            if DeadLetterHeader is not None:
                _RemainingHeadersSize += size_DeadLetterHeader(DeadLetterHeader)
            if ExtendedAddressHeader is not None:
                _RemainingHeadersSize += 28
        ExtensionHeader = replace(ExtensionHeader, Flags=_Flags, RemainingHeadersSize=_RemainingHeadersSize)
    record: MessagePacket = new_MessagePacket(
        *(UserMessage, ExtensionHeader, SubqueueHeader, DeadLetterHeader, ExtendedAddressHeader)
    )
    return record


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
    taken = FieldSource(layouts.MessagePacket, fields, path)
    record: MessagePacket = taken.make(
        MessagePacket,
        UserMessage=taken.part("UserMessage", from_plain_UserMessage),
        ExtensionHeader=taken.part("ExtensionHeader", from_plain_ExtensionHeader),
        SubqueueHeader=taken.part("SubqueueHeader", from_plain_SubqueueHeader),
        DeadLetterHeader=taken.part("DeadLetterHeader", from_plain_DeadLetterHeader),
        ExtendedAddressHeader=taken.part("ExtendedAddressHeader", from_plain_ExtendedAddressHeader),
    )
    return record


register(
    MessagePacket, size_MessagePacket, build_MessagePacket, plain_MessagePacket, from_plain_MessagePacket
)
