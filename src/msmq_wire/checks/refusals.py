"""The requirements that rejected bytes violate.

1. A `DecodeError` has the problem, the structure and the field at which decoding stopped, and the limit.  The
   tables are searched in this order: `KINDS` by the problem and the field, `FIELDS` by the field alone; for
   missing bytes `PROMISES` by the structure, then `BOUNDS` by the limit, `WHOLE` by the outermost structure
   and `LAYOUTS` by the innermost and the outermost one.
2. What a rule states of a flag, a form or a size is taken from the rule.
3. Exceeding a limit of the caller violates no requirement, unless no document allows such a packet.
4. The errata decide ambiguous statements: administration queues M5, packets of other versions Q20, bytes
   after the last header R12.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from msmq_wire.definitions.relations import PRESENT, announcing
from msmq_wire.values.numbers import MAX_PACKET_SIZE
from msmq_wire.values.refusals import Problem

from .rules import OTHER_FIELD, RULES, requirement_of_presence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmq_wire.values.errors import DecodeError

_COUNTS: Final = OTHER_FIELD - {"at least field", "form of"}


# ------------------------------------------------------------------------------- what follows from rules


class _Announced(NamedTuple):
    """A part that a flag announces, with the requirements that are violated without part or flag."""

    part: str
    flag: str
    missing: str
    surplus: str

    @property
    def is_in_header(self) -> bool:
        """Whether the flag is in the header that has the part."""
        return self.part.partition(".")[0] == self.flag.partition(".")[0]


_ANNOUNCED: Final = tuple(
    _Announced(
        part,
        announcing(part)[0],
        requirement_of_presence(part, is_missing=True),
        requirement_of_presence(part, is_missing=False),
    )
    for part in PRESENT
    if ".Flags." in announcing(part)[0]
)


def _of_rules() -> Iterator[tuple[tuple[Problem, str], str]]:
    """Yield the rows of `KINDS` that follow from rules; of several parts with one flag, the first counts."""
    for row in reversed(_ANNOUNCED):
        yield (Problem.PROMISE, row.flag), row.missing
        yield (Problem.FLAG, row.flag), row.surplus
        yield (Problem.VALUE, row.flag), row.surplus
        if row.is_in_header:
            yield (Problem.SHORT, row.part), row.missing
    for structure, rules in RULES.items():
        for rule in rules:
            if rule.operator in _COUNTS:
                yield (Problem.VALUE, f"{structure}.{rule.path}"), rule.requirement
            elif rule.operator == "form of" and rule.value.startswith("Flags."):
                yield (Problem.FLAG, f"{structure}.{rule.value}"), rule.requirement


# ------------------------------------------------------------------------------------------------ tables

KINDS: Final = {
    **{key: requirement for key, requirement in _of_rules() if requirement},
    (Problem.LEFT_OVER, "UserMessage"): "MQMQ-2.2.19.1-31",
    (Problem.LEFT_OVER, "MessagePacket"): "MQRR-2.2.5.2-01",
    (Problem.LEFT_OVER, "MQDSPUBLICKEYS"): "MQMQ-2.2.2-01",
    (Problem.LEFT_OVER, "MQDSPUBLICKEY"): "MQMQ-2.2.1-01",
    (Problem.LEFT_OVER, "MQUSERSIGNCERTS"): "MQMQ-2.2.21-01",
    (Problem.LEFT_OVER, "MQUSERSIGNCERT"): "MQMQ-2.2.22-02",
    (Problem.LEFT_OVER, "TA_ADDRESS"): "MQMQ-2.2.4-01",
    (Problem.LEFT_OVER, "DirectQueueFormatName"): "MQMQ-2.2.18.1.5.2-02",
    (Problem.LEFT_OVER, "MQFDirectQueueFormatName"): "MQMQ-2.2.18.1.4.1-02",
    (Problem.LEFT_OVER, "MQFFormatNameElement"): "MQMQ-2.2.18.1.4-02",
    (Problem.LEFT_OVER, "DirectoryChange"): "MQDSRP-2.2.4-06",
    (Problem.LEFT_OVER, "NotificationUpdate"): "MQCN-2.2.6-10",
    (Problem.LEFT_OVER, "SyncReplyMessage"): "MQDSRP-2.2.6.5-02",
    (Problem.LEFT_OVER, "SeqNumberHeader"): "MQDSRP-2.2.5.4-03",
    (Problem.LEFT_OVER, "SeqNumberHeader.MachineName"): "MQDSRP-2.2.5.4-01",
    (Problem.LEFT_OVER, "ChangePropagationMessage"): "MQDSRP-2.2.5.4-03",
    (Problem.LEFT_OVER, "ChangeNotificationMessage"): "MQCN-3.3.5.3-09",
    (Problem.LEFT_OVER, "ChangeNotificationMessage.Data"): "MQCN-2.2.4-02",
    (Problem.SHORT, "MQDSPUBLICKEYS.cNumofKeys"): "MQMQ-2.2.2-01",
    (Problem.SHORT, "MQFFormatNameElement.FormatType"): "MQMQ-2.2.20.2-05",
    (Problem.SHORT, "BaseReplicationHeader.Operation"): "MQDSRP-2.2.6-01",
    (Problem.SHORT, "ChangeRequestMessage.DirectoryChange.Command"): "MQDSRP-2.2.6.2-02",
    (Problem.SHORT, "SyncReplyMessage.DirectoryChanges.Command"): "MQDSRP-2.2.6.5-02",
    (Problem.SHORT, "ChangePropagationMessage.DirectoryChanges.Command"): "MQDSRP-2.2.6.9-05",
    (Problem.SHORT, "SeqNumberHeader.Count"): "MQDSRP-2.2.6.9-07",
    (Problem.SHORT, "NotificationUpdate.Command"): "MQCN-2.2.4-02",
    (Problem.SHORT, "ChangeNotificationMessage.Data.Updates.UseGuid"): "MQCN-2.2.4-02",
    (Problem.UNTERMINATED, "PropertyValue"): "MQCN-2.2.3.10-03",
    (Problem.ELEMENTS_ABOVE, "PropertyValue"): "MQCN-2.2.6-14",
    (Problem.VARIANT_TYPE, "PropertyValue"): "MQMQ-2.2.13.1-01",
    (Problem.IDENTIFIER, "NotificationUpdate.PropertyId"): "MQCN-2.2.2-01",
    (Problem.IDENTIFIER, "DirectoryChange.PropertyID"): "MQDSRP-2.2.4-12",
    (Problem.EVENT, "NotificationBody.Text"): "MQCN-2.2.5-02",
    (Problem.OBJECT_GUID, "NotificationBody.Text"): "MQCN-2.2.5-07",
    (Problem.FLAG, "UserHeader.Flags"): "MQMQ-2.2.19.2-51",
    (Problem.FLAG, "ExtensionHeader.Flags.SQ"): "MQRR-2.2.5.2-04",
    (Problem.FLAG, "ExtensionHeader.Flags.EA"): "MQRR-2.2.5.2-09",
    (Problem.PROMISE, "MessagePacket.UserMessage.UserHeader.Flags.AH"): "MQRR-2.2.5.1.2-02",
    (Problem.PROMISE, "UserHeader.Flags.AH"): "MQMQ-2.2.19.2-31",
    (Problem.PROMISE, "UserHeader.Flags.AQ"): "MQMQ-2.2.19.2-42",
    (Problem.PROMISE, "UserHeader.Flags.RQ"): "MQMQ-2.2.19.2-45",
    (Problem.VALUE, "DebugHeader.Flags.QT"): "MQMQ-2.2.20.8-01",
    (Problem.VALUE, "ChangeRequestHeader.PSCNameOffset"): "MQDSRP-2.2.5.2-03",
    (Problem.SHORT, "MessagePropertiesHeader.Padding"): "MQMQ-2.2.19.3-40",
    (Problem.SHORT, "MQFAddressHeader.ElementCount"): "MQMQ-2.2.20.2-01",
    (Problem.UNTERMINATED, "DeadLetterHeader.DeadLetterPathName"): "MQRR-2.2.5.4-02",
}
"""The requirement, by the kind of error and the field, or the structure with bytes left over.

The field is that of the innermost structure, or its whole path from the outermost one."""

FIELDS: Final = {
    "BaseHeader.VersionNumber": "MQMQ-2.2.19.1-01",
    "BaseHeader.Signature": "MQMQ-2.2.19.1-30",
    "BaseHeader.PacketSize": "MQMQ-2.2.19.1-31",
    "InternalHeader.Flags.PT": "MQQB-2.2.1-03",
    "InternalHeader.Flags": "MQQB-2.2.1-03",
    "UserHeader.Flags.DQ": "MQMQ-2.2.19.2-16",
    "UserHeader.Flags.AQ": "MQMQ-2.2.19.2-17",
    "DirectQueueFormatName.Count": "MQMQ-2.2.18.1.5.2-02",
    "DirectQueueFormatName.DirectFormatName": "MQMQ-2.2.18.1.5.2-02",
    "MQFFormatNameElement.FormatType": "MQMQ-2.2.18.1.4-01",
    "MQFDirectQueueFormatName.DirectFormatName": "MQMQ-2.2.18.1.4.1-02",
    "MQFAddressHeader.HeaderSize": "MQMQ-2.2.20.2-01",
    "MQFAddressHeader.ElementCount": "MQMQ-2.2.20.2-05",
    "MQFSignatureHeader.Signature": "MQMQ-2.2.20.3-04",
    "MessagePropertiesHeader.Label": "MQMQ-2.2.19.3-13",
    "MessagePropertiesHeader.ExtensionData": "MQMQ-2.2.19.3-34",
    "MessagePropertiesHeader.MessageBody": "MQMQ-2.2.19.3-23",
    "SecurityHeader.SenderIdSize": "MQMQ-2.2.20.6-18",
    "SecurityHeader.EncryptionKeySize": "MQMQ-2.2.20.6-19",
    "SecurityHeader.SignatureSize": "MQMQ-2.2.20.6-20",
    "SecurityHeader.SenderCertSize": "MQMQ-2.2.20.6-21",
    "SecurityHeader.ProviderInfoSize": "MQMQ-2.2.20.6-22",
    "SecurityData.SecurityID": "MQMQ-2.2.20.6-18",
    "SenderCertPublicKey.LengthInBits": "MQMQ-2.2.20.6-33",
    "SenderCertPublicKey.PublicExponent": "MQMQ-2.2.20.6-35",
    "SecurityData.EncryptionKey": "MQMQ-2.2.20.6-19",
    "SecurityData.Signature": "MQMQ-2.2.20.6-20",
    "SecurityData.SenderCert": "MQMQ-2.2.20.6-21",
    "SecurityData.ProviderInfo": "MQMQ-2.2.20.6-22",
    "SoapHeader.Header": "MQMQ-2.2.20.7-04",
    "SoapHeader.Body": "MQMQ-2.2.20.7-08",
    "SRMPEnvelopeHeader.Data": "MQRR-2.2.5.1.2.1-03",
    "CompoundMessageHeader.Data": "MQRR-2.2.5.1.2.2-03",
    "DeadLetterHeader.HeaderSize": "MQRR-2.2.5.4-01",
    "MQDSPUBLICKEY.ulKeyLen": "MQMQ-2.2.1-01",
    "MQDSPUBLICKEY.ulProviderLen": "MQMQ-2.2.1-02",
    "MQDSPUBLICKEY.sProviderName": "MQMQ-2.2.1-02",
    "MQDSPUBLICKEY.aBuf": "MQMQ-2.2.1-01",
    "MQDSPUBLICKEYS.ulLen": "MQMQ-2.2.2-01",
    "MQDSPUBLICKEYS.cNumofKeys": "MQMQ-2.2.2-02",
    "MQUSERSIGNCERTS.CertificateCount": "MQMQ-2.2.21-01",
    "MQUSERSIGNCERT.CertificateLength": "MQMQ-2.2.22-02",
    "MQUSERSIGNCERT.Certificate": "MQMQ-2.2.22-02",
    "TA_ADDRESS.AddressLength": "MQMQ-2.2.4-01",
    "TA_ADDRESS.Address": "MQMQ-2.2.4-01",
    "QUEUE_FORMAT.m_qft": "MQMQ-2.2.7-01",
    "QUEUE_FORMAT._union": "MQMQ-2.2.7-01",
    "QUEUE_FORMAT._union.m_oPrivateID": "MQMQ-2.2.7-15",
    "QUEUE_FORMAT._union.m_pDirectID": "MQMQ-2.2.7-17",
    "QUEUE_FORMAT._union.m_pDirectSubqueueID": "MQMQ-2.2.7-16",
    "DL_ID.m_pwzDomain": "MQMQ-2.2.9-01",
    "PROPVARIANT.vt": "MQMQ-2.2.13.1-01",
    "PROPVARIANT._varUnion": "MQMQ-2.2.13.1-05",
    "PROPVARIANT._varUnion.pwszVal": "MQMQ-2.2.12-14",
    "BLOB.pBlobData": "MQMQ-2.2.15-01",
    "CAUB.pElems": "MQMQ-2.2.16.1-01",
    "CAUI.pElems": "MQMQ-2.2.16.2-01",
    "CAL.pElems": "MQMQ-2.2.16.3-01",
    "CAUL.pElems": "MQMQ-2.2.16.4-01",
    "CAUH.pElems": "MQMQ-2.2.16.5-01",
    "CACLSID.pElems": "MQMQ-2.2.16.6-01",
    "CALPWSTR.pElems": "MQMQ-2.2.16.7-01",
    "CAPROPVARIANT.pElems": "MQMQ-2.2.16.8-01",
    "SectionBuffer.pSectionBuffer": "MQRR-2.2.6-04",
    "BaseReplicationHeader.Operation": "MQDSRP-2.2.5.1-02",
    "DirectoryChange.UseGuid": "MQDSRP-2.2.4-02",
    "DirectoryChange.PathName": "MQDSRP-2.2.4-09",
    "DirectoryChange.NumberOfProperties": "MQDSRP-2.2.4-06",
    "DirectoryChange.PropertyID": "MQDSRP-2.2.4-06",
    "DirectoryChange.PropertyValue": "MQDSRP-2.2.4-12",
    "ChangeRequestHeader.PSCNameOffset": "MQDSRP-2.2.5.2-05",
    "ChangeRequestHeader.RequesterName": "MQDSRP-2.2.5.2-06",
    "ChangeRequestHeader.PSCName": "MQDSRP-2.2.5.2-07",
    "ChangeReplyMessage.RequesterName": "MQDSRP-2.2.6.3-05",
    "SyncRequestMessage.RequesterName": "MQDSRP-2.2.6.4-05",
    "SyncReplyHeader.Count": "MQDSRP-2.2.6.5-02",
    "BSCAckMessage.BSCName": "MQDSRP-2.2.6.6-04",
    "PSCAckMessage.PSCName": "MQDSRP-2.2.6.7-05",
    "SeqNumberHeader.Count": "MQDSRP-2.2.5.4-03",
    "SeqNumberHeader.MachineName": "MQDSRP-2.2.5.4-04",
    "ChangePropagationMessage.Count": "MQDSRP-2.2.6.9-05",
    "ChangeNotificationMessage.Version": "MQCN-2.2.4-04",
    "ChangeNotificationMessage.NumberOfUpdateNotifications": "MQCN-2.2.4-02",
    "NotificationBody.Text": "MQCN-2.2.5-05",
    "NotificationUpdate.UseGuid": "MQCN-2.2.6-02",
    "NotificationUpdate.PathName": "MQCN-2.2.6-04",
    "NotificationUpdate.NumberOfProperties": "MQCN-2.2.6-10",
    "NotificationUpdate.PropertyId": "MQCN-2.2.6-10",
    "NotificationUpdate.PropertyValue": "MQCN-2.2.6-14",
}
"""The requirement, by the field at which decoding stopped."""

PROMISES: Final = {
    **{row.part.partition(".")[2]: row.missing for row in _ANNOUNCED if not row.is_in_header},
    "SessionAck.SessionHeader": "MQQB-2.2.6-04",
    "PublicQueueFormatName": "MQMQ-2.2.18.1.4-02",
    "PrivateQueueFormatName": "MQMQ-2.2.18.1.4-02",
    "MQFDistributionQueueFormatName": "MQMQ-2.2.18.1.4-02",
    "MQDSPUBLICKEY": "MQMQ-2.2.2-02",
    "MQUSERSIGNCERT": "MQMQ-2.2.21-01",
    "PARTITION_SEQ_NUMBERS": "MQDSRP-2.2.5.4-03",
}
"""The requirement that a structure is present, by the structure in which the bytes end."""

BOUNDS: Final = {
    "BaseHeader.PacketSize": "MQMQ-2.2.19.1-31",
    "MQFAddressHeader.HeaderSize": "MQMQ-2.2.20.2-01",
    "DeadLetterHeader.HeaderSize": "MQRR-2.2.5.4-01",
    "MQDSPUBLICKEYS.ulLen": "MQMQ-2.2.2-01",
}
"""The requirement on a size, by the field of the size."""

WHOLE: Final = {
    "BaseReplicationHeader": "MQDSRP-2.2.6-01",
    "AlreadyPurgedMessage": "MQDSRP-2.2.6.8-02",
    **dict.fromkeys(
        (
            "ChangeRequestMessage",
            "ChangeReplyMessage",
            "SyncRequestMessage",
            "SyncReplyMessage",
            "BSCAckMessage",
            "PSCAckMessage",
            "ChangePropagationMessage",
            "DirectoryChange",
            "ChangeRequestHeader",
            "SeqNumberHeader",
        ),
        "MQDSRP-2.1-02",
    ),
    **dict.fromkeys(("ChangeNotificationMessage", "NotificationUpdate"), "MQCN-2.1-01"),
    **dict.fromkeys(
        (
            *("UserMessage", "EstablishConnection", "ConnectionParameters", "SessionAck"),
            *("OrderAck", "FinalAck", "MessagePacket"),
        ),
        "MQMQ-2.2.19.1-31",
    ),
}
"""The requirement that a message fills its bytes exactly, by the outermost structure."""

LAYOUTS: Final = {
    "IPXAddress": "MQMQ-2.2.4.2-01",
    "SEQUENCE_INFO": "MQMQ-2.2.5.1-01",
    "TxSequenceID": "MQMQ-2.2.18.1.2-01",
    "MessageIdentifier": "MQMQ-2.2.18.1.3-03",
    "MQFFormatNameElement": "MQMQ-2.2.18.1.4-02",
    "MQFDirectQueueFormatName": "MQMQ-2.2.18.1.4.1-01",
    "MQFDistributionQueueFormatName": "MQMQ-2.2.18.1.4.2-01",
    "PrivateQueueFormatNameId": "MQMQ-2.2.18.1.5.1-01",
    "DirectQueueFormatName": "MQMQ-2.2.18.1.5.2-01",
    "PublicQueueFormatName": "MQMQ-2.2.18.1.7.1-01",
    "PrivateQueueFormatName": "MQMQ-2.2.18.1.7.2-01",
    "BaseHeader": "MQMQ-2.2.19.1-39",
    "UserHeader": "MQMQ-2.2.19.2-53",
    "MessagePropertiesHeader": "MQMQ-2.2.19.3-44",
    "MultiQueueFormatHeader": "MQMQ-2.2.20.1-02",
    "MQFAddressHeader": "MQMQ-2.2.20.2-01",
    "SessionHeader": "MQMQ-2.2.20.4-16",
    "TransactionHeader": "MQMQ-2.2.20.5-35",
    "SecurityHeader": "MQMQ-2.2.20.6-47",
    "MQDSPUBLICKEYS": "MQMQ-2.2.2-01",
    "MQDSPUBLICKEY": "MQMQ-2.2.1-01",
    "TA_ADDRESS": "MQMQ-2.2.4-01",
    "MQUSERSIGNCERT": "MQMQ-2.2.22-03",
    "MQUSERSIGNCERTS": "MQMQ-2.2.21-01",
    "ExtensionHeader": "MQRR-2.2.5.2-14",
    "SubqueueHeader": "MQRR-2.2.5.3-11",
    "ExtendedAddressHeader": "MQRR-2.2.5.5-09",
    "InternalHeader": "MQQB-2.2.1-30",
    "EstablishConnectionHeader": "MQQB-2.2.3.1-24",
    "OrderAckBody": "MQQB-2.2.4.1-08",
    "FinalAckBody": "MQQB-2.2.5.1-06",
    "PingPacket": "MQQB-2.2.7-26",
    "PUBLICKEYBLOB": "MQQB-2.4.1-05",
    "SIMPLEBLOB": "MQQB-2.4.2-02",
    "PARTITION_SEQ_NUMBERS": "MQDSRP-2.2.3-01",
    "SEQUENCE_NUMBER": "MQDSRP-2.2.2-01",
    "SyncReplyHeader": "MQDSRP-2.2.5.3-03",
    "QUEUE_FORMAT": "MQMQ-2.2.7-18",
    "DL_ID": "MQMQ-2.2.9-02",
    "PropertyValue": "MQCN-2.2.6-14",
    "PROPVARIANT": "MQMQ-2.2.13.1-05",
    "BLOB": "MQMQ-2.2.15-01",
    "CAUB": "MQMQ-2.2.16.1-01",
    "CAUI": "MQMQ-2.2.16.2-01",
    "CAL": "MQMQ-2.2.16.3-01",
    "CAUL": "MQMQ-2.2.16.4-01",
    "CAUH": "MQMQ-2.2.16.5-01",
    "CACLSID": "MQMQ-2.2.16.6-01",
    "CALPWSTR": "MQMQ-2.2.16.7-01",
    "CAPROPVARIANT": "MQMQ-2.2.16.8-01",
    "SectionBuffer": "MQRR-2.2.6-04",
    "ConnectionParametersHeader": "MQQB-2.2.2-03",
    "BaseReplicationHeader": "MQDSRP-2.2.5.1-03",
    "MQFSignatureHeader": "MQMQ-2.2.20.3-05",
    "SecurityData": "MQMQ-2.2.20.6-45",
    "ProviderInfo": "MQMQ-2.2.20.6-46",
    "SoapHeader": "MQMQ-2.2.20.7-08",
    "DebugHeader": "MQMQ-2.2.20.8-32",
    "UserHeaderAddress": "MQRR-2.2.5.1-08",
    "SRMPEnvelopeHeader": "MQRR-2.2.5.1.2.1-03",
    "CompoundMessageHeader": "MQRR-2.2.5.1.2.2-03",
    "DeadLetterHeader": "MQRR-2.2.5.4-01",
}
"""The requirement on the layout of a structure, for one that is too short or too long."""

_CUT: Final = frozenset({Problem.SHORT, Problem.COUNT_SHORT})
_ENDS: Final = frozenset({Problem.SHORT, Problem.COUNT_SHORT, Problem.LEFT_OVER, Problem.UNTERMINATED})


def requirement_of(error: DecodeError) -> str | None:
    """The id of the requirement that the bytes violate; None if no document states one."""
    structure, limit, code = error.structure, error.limit, error.code
    if limit == "Limits.packet_size" and isinstance(error.actual, int) and error.actual > MAX_PACKET_SIZE:
        return "MQMQ-2.2.19.1-37"
    if limit.startswith("Limits.") or code in {Problem.ALONE, Problem.OTHER}:
        return None
    kind = Problem.SHORT if code in _CUT else code
    outermost, *steps = re.sub(r"\[\d+\]", "", error.path).split(".")
    last = steps[-1:]
    names = [structure, *(".".join([structure, *part]) for part in (last, steps[-2:]) if part)]
    names.append(".".join((outermost, *steps)))
    for name in reversed(names):
        requirement = KINDS.get((kind, name)) or FIELDS.get(name)
        if requirement is not None:
            return requirement
    requirement = None
    if code in _CUT:
        requirement = PROMISES.get(f"{outermost}.{structure}") or PROMISES.get(structure)
    requirement = requirement or BOUNDS.get(limit)
    if requirement is None and code in _ENDS:
        requirement = WHOLE.get(outermost) or LAYOUTS.get(structure) or LAYOUTS.get(outermost)
    return requirement
