"""The sentences for bytes that a decoder rejects, and the requirements that these bytes violate.

1. `SENTENCES` has each sentence once, for the decoders and for the Wireshark dissector.  All have one form:
   what the layout expects and what was found.  Bytes after the end are just counted.
2. A `DecodeError` has the structure and the field at which decoding stopped, and the limit.  Three tables are
   searched in this order: `KINDS` by the problem and the field, `FIELDS` by the field alone, and, for missing
   bytes of a structure, `PROMISES` by the structure and then `BOUNDS` by the limit.
3. Exceeding a limit of the caller violates no requirement, unless no document allows such a packet.
4. The errata decide ambiguous statements: administration queues M5, packets of other versions Q20, bytes
   after the last header R12.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Literal

__all__ = [
    "BOUNDS",
    "FIELDS",
    "IDENTIFIER",
    "KINDS",
    "PROMISES",
    "SENTENCES",
    "VARIANT_TYPE",
    "requirement_of",
    "say",
]

Sentence = Literal[
    "expected",
    "count missing",
    "left over",
    "unterminated",
    "size above",
    "padded size above",
    "size below",
    "count above",
    "elements above",
    "odd",
    "offset",
    "identifier",
    "variant type",
    "limit",
]
IDENTIFIER: Final = "a property identifier of [MS-MQMQ] 2.3 or one that was registered"
VARIANT_TYPE: Final = "a variant type of [MS-MQMQ] 2.2.12"
SENTENCES: Final[dict[Sentence, str]] = {
    "expected": "expected %s, found %s",
    "count missing": "expected %s for its count, found %s",
    "left over": "%s left over",
    "unterminated": "expected a terminator at the end, found %s without one",
    "size above": "expected a size of at most %s, found %s",
    "padded size above": "expected a size of at most %s, found %s (%s with padding)",
    "size below": "expected a size of at least %s, found %s",
    "count above": "expected a count of at most %s, found %s",
    "elements above": "expected elements that fit %s, found a count of %s",
    "odd": "expected an even number of bytes, found %s",
    "offset": "expected an offset of %s WCHARs, found %s",
    "identifier": f"expected {IDENTIFIER}, found %s",
    "variant type": f"expected {VARIANT_TYPE}, found %s",
    "limit": "%s: expected at most %s, found %s",
}
"""The sentences about rejected bytes; `say` replaces each ``%s`` with a fact."""


def say(sentence: Sentence, *facts: object) -> str:
    """Return a sentence with its facts, in the order in which it has them."""
    return SENTENCES[sentence] % facts


def _like(sentence: Sentence, *facts: str) -> str:
    """Return the pattern of a sentence, from patterns of its facts."""
    return re.escape(SENTENCES[sentence]) % facts


_LARGEST_PACKET = 0x0040_0000
_P = "MQMQ-2.2.19.3"
_S = "MQMQ-2.2.20.6"


@cache
def _words() -> tuple[tuple[str, str], ...]:
    """Kinds of errors, with the patterns of their problems."""
    return (
        ("short", _like("expected", r"\d+ bytes?", r"\d+")),
        ("short", _like("count missing", r"\d+ bytes?", r"\d+")),
        ("left over", _like("left over", r"\d+ bytes?")),
        ("unterminated", _like("unterminated", ".+")),
        ("unknown", _like("identifier", r"\d+")),
        ("event", _like("expected", "(?:event from 1 to 4|</Event>)", ".*")),
        ("guid", _like("expected", "(?:GUID|</ObjectGuid>)", ".*")),
    )


KINDS: Final = {
    ("left over", "UserMessage"): "MQMQ-2.2.19.1-31",
    ("left over", "MessagePacket"): "MQRR-2.2.5.2-01",
    ("left over", "MQDSPUBLICKEYS"): "MQMQ-2.2.2-01",
    ("left over", "MQDSPUBLICKEY"): "MQMQ-2.2.1-01",
    ("left over", "MQUSERSIGNCERTS"): "MQMQ-2.2.21-01",
    ("left over", "MQUSERSIGNCERT"): "MQMQ-2.2.22-02",
    ("left over", "TA_ADDRESS"): "MQMQ-2.2.4-01",
    ("left over", "DirectQueueFormatName"): "MQMQ-2.2.18.1.5.2-02",
    ("left over", "MQFDirectQueueFormatName"): "MQMQ-2.2.18.1.4.1-02",
    ("left over", "MQFFormatNameElement"): "MQMQ-2.2.18.1.4-02",
    ("left over", "DirectoryChange"): "MQDSRP-2.2.4-06",
    ("left over", "NotificationUpdate"): "MQCN-2.2.6-10",
    ("left over", "SyncReplyMessage"): "MQDSRP-2.2.6.5-02",
    ("left over", "SeqNumberHeader"): "MQDSRP-2.2.5.4-03",
    ("left over", "ChangePropagationMessage"): "MQDSRP-2.2.5.4-03",
    ("left over", "ChangeNotificationMessage"): "MQCN-2.1-01",
    ("short", "MQFFormatNameElement.FormatType"): "MQMQ-2.2.20.2-05",
    ("short", "UserHeader.ConnectorType"): "MQMQ-2.2.19.2-25",
    ("short", "TransactionHeader.ConnectorQMGuid"): "MQMQ-2.2.20.5-03",
    ("short", "DebugHeader.QueueIdentifier"): "MQMQ-2.2.20.8-32",
    ("short", "BaseReplicationHeader.Operation"): "MQDSRP-2.2.6-01",
    ("short", "ChangeRequestMessage.DirectoryChange.Command"): "MQDSRP-2.2.6.2-02",
    ("short", "SyncReplyMessage.DirectoryChanges.Command"): "MQDSRP-2.2.6.5-02",
    ("short", "ChangePropagationMessage.DirectoryChanges.Command"): "MQDSRP-2.2.6.9-05",
    ("short", "SeqNumberHeader.Count"): "MQDSRP-2.2.6.9-07",
    ("short", "NotificationUpdate.Command"): "MQCN-2.2.4-02",
    ("unknown", "NotificationUpdate.PropertyValue"): "MQCN-2.2.2-01",
    ("event", "NotificationBody.Text"): "MQCN-2.2.5-02",
    ("guid", "NotificationBody.Text"): "MQCN-2.2.5-07",
    ("unterminated", "DeadLetterHeader.DeadLetterPathName"): "MQRR-2.2.5.4-02",
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
    "MessagePropertiesHeader.Label": f"{_P}-13",
    "MessagePropertiesHeader.ExtensionData": f"{_P}-34",
    "MessagePropertiesHeader.MessageBody": f"{_P}-23",
    "SecurityData.SecurityID": f"{_S}-18",
    "SecurityData.EncryptionKey": f"{_S}-19",
    "SecurityData.Signature": f"{_S}-20",
    "SecurityData.SenderCert": f"{_S}-21",
    "SecurityData.ProviderInfo": f"{_S}-22",
    "SoapHeader.Header": "MQMQ-2.2.20.7-04",
    "SoapHeader.Body": "MQMQ-2.2.20.7-08",
    "SRMPEnvelopeHeader.Data": "MQRR-2.2.5.1.2.1-03",
    "CompoundMessageHeader.Data": "MQRR-2.2.5.1.2.2-03",
    "DeadLetterHeader.HeaderSize": "MQRR-2.2.5.4-01",
    "MQDSPUBLICKEY.ulProviderLen": "MQMQ-2.2.1-02",
    "MQDSPUBLICKEY.sProviderName": "MQMQ-2.2.1-02",
    "MQDSPUBLICKEY.aBuf": "MQMQ-2.2.1-01",
    "MQDSPUBLICKEYS.ulLen": "MQMQ-2.2.2-01",
    "MQDSPUBLICKEYS.cNumofKeys": "MQMQ-2.2.2-02",
    "MQUSERSIGNCERTS.CertificateCount": "MQMQ-2.2.21-01",
    "MQUSERSIGNCERT.Certificate": "MQMQ-2.2.22-02",
    "TA_ADDRESS.Address": "MQMQ-2.2.4-01",
    "PROPVARIANT.vt": "MQMQ-2.2.13.1-01",
    "BaseReplicationHeader.Operation": "MQDSRP-2.2.5.1-02",
    "DirectoryChange.UseGuid": "MQDSRP-2.2.4-02",
    "DirectoryChange.PathName": "MQDSRP-2.2.4-09",
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
    "NotificationUpdate.PropertyId": "MQCN-2.2.6-10",
    "NotificationUpdate.PropertyValue": "MQCN-2.2.6-14",
}
"""The requirement, by the field at which decoding stopped."""

PROMISES: Final = {
    "TransactionHeader": "MQMQ-2.2.19.2-21",
    "SecurityHeader": "MQMQ-2.2.19.2-19",
    "DebugHeader": "MQMQ-2.2.19.1-09",
    "SoapHeader": "MQMQ-2.2.19.2-34",
    "SRMPEnvelopeHeader": "MQRR-2.2.5.1.2-02",
    "CompoundMessageHeader": "MQRR-2.2.5.1.2-03",
    "SessionHeader": "MQMQ-2.2.20-11",
    "SubqueueHeader": "MQRR-2.2.5.2-04",
    "ExtendedAddressHeader": "MQRR-2.2.5.2-09",
    "DeadLetterHeader": "MQRR-2.2.5.2-03",
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

_WHOLE: Final = {
    "BaseReplicationHeader": "MQDSRP-2.2.6-01",
    **dict.fromkeys(
        (
            "ChangeRequestMessage",
            "ChangeReplyMessage",
            "SyncRequestMessage",
            "SyncReplyMessage",
            "BSCAckMessage",
            "PSCAckMessage",
            "AlreadyPurgedMessage",
            "ChangePropagationMessage",
            "DirectoryChange",
            "ChangeRequestHeader",
            "SeqNumberHeader",
        ),
        "MQDSRP-2.1-02",
    ),
    **dict.fromkeys(("ChangeNotificationMessage", "NotificationUpdate"), "MQCN-2.1-01"),
    **dict.fromkeys(
        ("UserMessage", "EstablishConnection", "ConnectionParameters", "SessionAck", "MessagePacket"),
        "MQMQ-2.2.19.1-31",
    ),
}
"""The requirement that a message fills its bytes exactly, by the outermost structure."""


def requirement_of(problem: str, structure: str, path: str, limit: str, actual: object = None) -> str | None:
    """The id of the requirement that the bytes violate; None if no document states one.

    Args:
        problem: The problem of the error.
        structure: The innermost structure being decoded.
        path: Dotted path of the field from the outermost structure.
        limit: The field or limit that bounds the readable bytes.
        actual: The value that was found.
    """
    if limit == "Limits.packet_size" and isinstance(actual, int) and actual > _LARGEST_PACKET:
        return "MQMQ-2.2.19.1-37"
    if limit.startswith("Limits."):
        return None
    kind = next((name for name, words in _words() if re.fullmatch(words, problem)), "")
    outermost, *steps = re.sub(r"\[\d+\]", "", path).split(".")
    last = steps[-1:]
    names = [structure, *(".".join([structure, *part]) for part in (last, steps[-2:]) if part)]
    names.append(".".join((outermost, *steps)))
    for name in reversed(names):
        found = KINDS.get((kind, name)) or FIELDS.get(name)
        if found is not None:
            return found
    if kind == "short":
        found = PROMISES.get(structure) or BOUNDS.get(limit)
    elif kind == "left over":
        found = BOUNDS.get(limit)
    else:
        return BOUNDS.get(limit)
    return found or _WHOLE.get(outermost)
