"""What is drawn for each structure: all that the documents allow, as often as a fuzzer needs it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import find
from strategies import examples_of

from msmq_wire import GUID, mqcn, mqdsrp, mqmq, mqqb, mqrr
from msmq_wire.checks.profiles import PROFILES
from msmq_wire.checks.validation import validate
from msmq_wire.definitions.properties import VARTYPE, ObjectClass
from msmq_wire.documents.propid import by_number
from msmq_wire.packets.directory.carried import carried_by
from msmq_wire.testing import records
from msmq_wire.testing.strategies.any_record import damaged, property_values
from msmq_wire.testing.strategies.calls import records_of
from msmq_wire.testing.strategies.choices import Dice, rolled
from msmq_wire.testing.strategies.directory import (
    answer,
    carried,
    carried_notification,
    had_by,
    notifications,
    property_value,
)
from msmq_wire.testing.strategies.kinds import MAKERS
from msmq_wire.testing.strategies.packets import message, sent_by_version
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.numbers import FOREVER
from msmq_wire.values.properties.values import READERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MANY = 400
BOUNDS: dict[int, tuple[int, int]] = {
    VARTYPE.VT_I1: (-0x80, 0x7F), VARTYPE.VT_UI1: (0, 0xFF), VARTYPE.VT_I2: (-0x8000, 0x7FFF),
    VARTYPE.VT_UI2: (0, 0xFFFF), VARTYPE.VT_BOOL: (0, 0xFFFF), VARTYPE.VT_I4: (-1 << 31, (1 << 31) - 1),
    VARTYPE.VT_UI4: (0, (1 << 32) - 1), VARTYPE.VT_I8: (-1 << 63, (1 << 63) - 1),
    VARTYPE.VT_UI8: (0, (1 << 64) - 1),
}  # fmt: skip
"""The least and the largest number of a type."""


@cache
def drawn(name: str) -> list[Any]:
    return [MAKERS[name](rolled(Random(seed))) for seed in range(MANY)]  # noqa: S311  # any will do


def values(name: str, measure: Callable[[Any], Any]) -> set[Any]:
    return {measure(record) for record in drawn(name)}


NAMES = {mqmq.DirectQueueFormatName, mqmq.PublicQueueFormatName, mqmq.PrivateQueueFormatNameId, type(None)}
CLASSES = {*map(int, mqmq.MESSAGE_CLASS_VALUES)}
BOTH = {0, 1}
LETTERS = "aZ \\\u00e9\u4e00\U0001f600"
"""A text with a backslash, and with characters of one to four bytes in UTF-8."""
DIRECT = {
    "OS:host\\queue", "OS:host\\private$\\queue", "TCP:10.0.0.1\\queue", "HTTP://host/msmq/queue",
    "OS:host.example\\private$\\queue;journal",
}  # fmt: skip
"""Queues of each kind and address that have a direct format name."""


def _part(kind: Any, data: bytes, field: str) -> Any:
    """A field of a structure within bytes, if there are any."""
    return getattr(kind.decode(data), field) if data else None


ALL: list[tuple[str, Callable[[Any], Any], set[Any]]] = [
    ("BaseHeader", lambda h: h.Flags.PR, {*range(8)}),
    ("BaseHeader", lambda h: (h.Flags.IN, h.Flags.SH), {(0, 0), (0, 1), (1, 0), (1, 1)}),
    ("BaseHeader", lambda h: (h.Flags.DH, h.Flags.TR), {(0, 0), (1, 1)}),
    ("UserHeader", lambda h: h.Flags.DQ, {0, 3, 5, 7}),
    ("UserHeader", lambda h: h.Flags.AQ, {0, 2, 3, 5, 6, 7}),
    ("UserHeader", lambda h: h.Flags.RQ, {*range(8)}),
    ("UserHeader", lambda h: h.Flags.RC, {*range(0x1E)}),  # 0x1D is the most, [MS-MQMQ] 2.2.19.2
    ("UserHeader", lambda h: (h.Flags.JN, h.Flags.JP), {(0, 0), (0, 1), (1, 0), (1, 1)}),
    ("UserHeader", lambda h: h.Flags.DM, BOTH),
    ("UserHeader", lambda h: type(h.DestinationQueue), NAMES),
    ("UserHeader", lambda h: (h.Flags.DQ == 7, h.QueueManagerAddress == NULL_GUID), {
        (True, True), (False, False), (False, True)}),
    ("UserHeader", lambda h: h.ConnectorType is None, {False, True}),
    ("MessagePropertiesHeader", lambda h: h.MessageClass in CLASSES, {False, True}),
    ("MessagePropertiesHeader", lambda h: h.Flags & 0xF, {*range(16)}),
    ("MessagePropertiesHeader", lambda h: h.PrivacyLevel, {0, 1, 3, 5}),
    ("MessagePropertiesHeader", lambda h: len(h.Label), {0, *range(2, 8), 250}),  # 250 is the most
    ("MessagePropertiesHeader", lambda h: len(h.MessageBody), {*range(13)}),
    ("MessagePropertiesHeader", lambda h: len(h.ExtensionData), {*range(7)}),
    ("MessagePropertiesHeader", lambda h: h.AllocationBodySize - len(h.MessageBody), {0, 1, 4096}),
    ("MessagePropertiesHeader", lambda h: h.BodyType, {  # as [MS-MQMQ] 2.2.19.3 lists them
        0, 1, 2, 3, 8, 11, 16, 17, 18, 19, 20, 21, 31, 65, 72, 0x1011, 0x100C}),
    ("MessagePropertiesHeader", lambda h: h.HashAlgorithm, {0x8001, 0x8002, 0x8003, 0x8004, 0x800C, 0x800E}),
    ("MessagePropertiesHeader", lambda h: (h.PrivacyLevel, h.EncryptionAlgorithm), {
        (0, 0), (0, 0x6602), (0, 0x660E), (0, 0x660F), (0, 0x6610), (0, 0x6801), (1, 0x6602), (1, 0x6801),
        (3, 0x6602), (3, 0x6801), (5, 0x660E), (5, 0x660F), (5, 0x6610)}),
    ("ProviderInfo", lambda p: p.ProviderType, {1, 24}),
    ("PUBLICKEYBLOB", lambda b: b.pubExp, {3, 65537}),
    ("SenderCertPublicKey", lambda k: (k.KeyType, k.PublicExponent), {
        (0x2400, 3), (0x2400, 65537), (0xA400, 3), (0xA400, 65537)}),
    ("ConnectionParametersHeader", lambda h: (h.RecoverableAckTimeout, h.AckTimeout), {
        (one, other) for one in (500, 1496, 120_000) for other in (20_000, 120_000)}),
    ("FinalAck", lambda p: p.MessagePropertiesHeader.MessageClass, {
        0x4000, 0x8000, 0x8003, 0x8004, 0x8006, 0x8007, 0x8009, 0x800B, 0xC000, 0xC001, 0xC002}),
    ("TransactionHeader", lambda h: (h.TxSequenceNumber > 0, h.ConnectorQMGuid is None, h.Flags.CG), {
        (True, True, 0), (True, False, 1)}),
    ("TransactionHeader", lambda h: h.PreviousTxSequenceNumber - h.TxSequenceNumber in {-1, 0}, {
        True, False}),
    ("TransactionHeader", lambda h: (h.Flags.FA, h.Flags.FM, h.Flags.LM), {
        (a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)}),
    ("SecurityHeader", lambda h: h.Flags.EB, BOTH),
    ("SecurityHeader", lambda h: (h.Flags.ST, len(h.SecurityData.SecurityID)), {(0, 0), (1, 12), (2, 16)}),
    ("DebugHeader", lambda h: (h.Flags.QT, h.QueueIdentifier is None), {(0, True), (1, False)}),
    ("CompoundMessageHeader", lambda h: h.Data[: h.MsgBodyOffset], {b"POST "}),
    ("CompoundMessageHeader", lambda h: len(h.Data) - h.MsgBodyOffset - h.MsgBodySize, {0}),
    ("CompoundMessageHeader", lambda h: h.MsgBodySize, {*range(9)}),
    ("MultiQueueFormatHeader", lambda h: len(h.Destination.FormatNameList), {1, 2}),
    ("MultiQueueFormatHeader", lambda h: (h.Destination.HeaderID, h.Administration.HeaderID,
                                          h.Response.HeaderID), {(100, 200, 300)}),
    ("MultiQueueFormatHeader", lambda h: len(h.Signature.Signature), {*range(9)}),
    ("MQFAddressHeader", lambda h: h.HeaderID, {100, 200, 300}),
    ("MQFFormatNameElement", lambda e: type(e.FormatName), {
        mqmq.MQFDirectQueueFormatName, mqmq.MQFDistributionQueueFormatName, mqmq.PublicQueueFormatName,
        mqmq.PrivateQueueFormatName}),
    ("SubqueueHeader", lambda h: h.AbortCounter > 0, {False, True}),
    ("SubqueueHeader", lambda h: (h.MoveCounter > 0, h.LastMoveTime > 0), {
        (False, False), (True, False), (True, True)}),
    ("SubqueueHeader", lambda h: len(h.SubqueueName.rstrip(b"\0")), {0, 5, 61}),  # up to 31 characters
    ("SubqueueHeader", lambda h: len(h.SubqueueName), {64}),
    ("ExtensionHeader", lambda h: (h.Flags.DL, h.Flags.DI), {(0, 0), (0, 1), (1, 0), (1, 1)}),
    ("ExtendedAddressHeader", lambda h: (h.AddressType, h.AddressLength), {(0, 0), (1, 4), (6, 16)}),
    ("UserHeaderAddress", lambda a: (a.AddressType, a.AddressLength), {(1, 4), (6, 16)}),
    ("TA_ADDRESS", lambda a: (a.AddressType, len(a.Address)), {(1, 4), (2, 4), (3, 10), (5, 16)}),
    ("SIMPLEBLOB", lambda b: len(b.encryptedKey), {64, 128, 256}),
    ("MQDSPUBLICKEYS", lambda keys: len(keys.aPublicKeys), {0, 1, 2}),
    ("MQUSERSIGNCERTS", lambda certs: len(certs.Certificates), {0, 1, 2}),
    ("EstablishConnection", lambda p: (p.InternalHeader.Flags.CS), BOTH),
    ("EstablishConnectionHeader", lambda h: (h.OperatingSystem.SE, h.OperatingSystem.OS,
                                             h.OperatingSystem.QS), {
        (a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)}),
    ("EstablishConnectionHeader", lambda h: (len(h.Padding), len({*h.Padding})), {(512, 1)}),
    ("EstablishConnectionHeader", lambda h: h.Padding[0] == 0x5A, {False, True}),
    ("ConnectionParametersHeader", lambda h: 20_000 <= h.AckTimeout <= 120_000, {True}),
    ("ConnectionParametersHeader", lambda h: h.RecoverableAckTimeout >= 500, {True}),
    ("OrderAck", lambda p: (type(p.UserHeader.DestinationQueue), p.UserHeader.QueueManagerAddress
                            == NULL_GUID), {
        (mqmq.PrivateQueueFormatNameId, False), (mqmq.DirectQueueFormatName, True)}),
    ("OrderAck", lambda p: p.MessagePropertiesHeader.MessageClass, {0xFF}),
    ("FinalAck", lambda p: p.MessagePropertiesHeader.MessageClass >> 12, {0x4, 0x8, 0xC}),
    ("OrderAckBody", lambda b: b.TxSequenceNumber > 0, {True}),
    ("FinalAckBody", lambda b: (b.TxSequenceNumber > 0, b.TxPreviousSequenceNumber
                                in {0, b.TxSequenceNumber - 1}), {(True, True)}),
    ("PingPacket", lambda p: (p.Flags.RC, p.Flags.RF), {(0, 0), (0, 1), (1, 0), (1, 1)}),
    ("DirectoryChange", lambda c: c.Command, {0, 1, 2, 3}),
    ("DirectoryChange", lambda c: len(c.PropertyID), {0, 1, 2, 3}),
    ("DirectoryChange", lambda c: (c.PathName is None, c.GuidIdentifier is None), {
        (True, False), (False, True)}),
    ("ChangeRequestHeader", lambda h: h.PSCName is None, {False, True}),
    ("ChangeRequestMessage", lambda m: m.ChangeRequestHeader.BaseReplicationHeader.Operation, {1}),
    ("SyncReplyMessage", lambda m: len(m.DirectoryChanges) - m.SyncReplyHeader.Count, {0}),
    ("SyncReplyMessage", lambda m: len(m.DirectoryChanges), {0, 1, 2}),
    ("SyncReplyMessage", lambda m: m.SyncReplyHeader.CompleteSync0, {0, 1, 2}),
    ("SyncRequestMessage", lambda m: (m.IsSync0, m.Scope), {(0, 0), (0, 1), (1, 0), (1, 1)}),
    ("ChangeReplyMessage", lambda m: m.Result == 0, {False, True}),
    ("ChangePropagationMessage", lambda m: (m.Flush, len(m.DirectoryChanges)), {
        (flush, count) for flush in (0, 1) for count in (0, 1, 2)}),
    ("SeqNumberHeader", lambda h: (len(h.PartitionSeqNumbers), h.MachineName is None), {
        (0, True), (1, False), (2, False)}),
    ("BaseReplicationHeader", lambda h: h.Operation, {*range(8)}),
    ("NotificationUpdate", lambda u: u.Command, {0, 1, 2}),
    ("NotificationUpdates", lambda u: (len(u.Updates), u.Unused), {
        (count, unused) for count in (1, 2) for unused in (b"", b"\0")}),
    ("NotificationBody", lambda b: (b.Text[-1], b.Unused), {
        (last, unused) for last in (">", "\0") for unused in (b"", b"\0")}),
    ("ChangeNotificationMessage", lambda m: (m.Version, type(m.Data)), {
        (1, mqcn.NotificationUpdates), (2, mqcn.NotificationBody)}),
    ("NotificationBody", lambda b: b.Text[21:22], {*"1234"}),  # the event
    ("NotificationBody", lambda b: b.Text.partition("Controller>")[2].partition("<")[0], {
        "server", "s" * 256, "!~", "dc.example"}),  # 256 is the most
    ("NotificationUpdate", lambda u: u.PathName, {None, "host\\queue", "host\\private$\\queue"}),
    ("UserMessage", lambda m: (m.TransactionHeader is None, m.BaseHeader.Flags.PR), {
        (False, 0), *((True, priority) for priority in range(8))}),
    ("UserMessage", lambda m: (m.DebugHeader is None, m.BaseHeader.Flags.TR), {
        (True, 0), (False, 0), (False, 1)}),
    ("UserMessage", lambda m: (m.SRMPEnvelopeHeader, m.CompoundMessageHeader), {(None, None)}),
    ("MessagePacket", lambda p: (p.UserMessage.SRMPEnvelopeHeader is None,
                                 p.UserMessage.CompoundMessageHeader is None, p.ExtensionHeader is None), {
        (http, http, extended) for http in (False, True) for extended in (False, True)}),
    ("MessagePacket", lambda p: (p.UserMessage.SessionHeader, p.UserMessage.ExtensionHeader), {(None, None)}),
    ("SecurityHeader", lambda h: _part(mqmq.ProviderInfo, h.SecurityData.ProviderInfo, "ProviderType"), {
        None, 1, 24}),
    ("SecurityHeader", lambda h: _part(mqqb.SIMPLEBLOB, h.SecurityData.EncryptionKey,
                                       "sessionKeyAlgorithm"), {
        None, 0x6602, 0x6801, 0x660E, 0x660F, 0x6610}),
    ("SecurityHeader", lambda h: len(_part(mqqb.SIMPLEBLOB, h.SecurityData.EncryptionKey, "encryptedKey")
                                     or b""), {0, 64, 128, 256}),  # as many as RSA of 512 bits on has
    ("MQDSPUBLICKEY", lambda k: (k.ulProviderType, _part(mqqb.PUBLICKEYBLOB, k.aBuf, "pubExp")), {
        (1, 3), (1, 65537), (24, 3), (24, 65537)}),
    ("SoapHeader", lambda h: len(h.Header), {*range(1, 8)}),
    ("SoapHeader", lambda h: len(h.Body), {*range(1, 8)}),
    ("MQFSignatureHeader", lambda h: len(h.Signature), {*range(9)}),
    ("MQUSERSIGNCERT", lambda c: len(c.Certificate), {*range(9)}),
    ("DirectQueueFormatName", lambda n: n.DirectFormatName, {f"{name}\0" for name in DIRECT}),
    ("MQFDirectQueueFormatName", lambda n: n.DirectFormatName, {n for n in DIRECT if ";" not in n}),
    ("OrderAck", lambda p: getattr(p.UserHeader.DestinationQueue, "DirectFormatName", None), {
        None, "TCP:10.0.0.1\\PRIVATE$\\order_queue$\0",
        "SPX:00000001.0123456789AB\\private$\\order_queue$\0"}),
    ("EstablishConnectionHeader", lambda h: h.Padding[0], {0x5A, 0, 0xFF}),
    ("DirectoryChange", lambda c: c.PathName, {None, "", "host", "host\\queue", LETTERS}),
    ("BSCAckMessage", lambda m: m.BSCName, {"", "host", "psc", "bsc", LETTERS}),
    ("DeadLetterHeader", lambda h: h.DeadLetterPathName, {"dead", "host\\dead", "DIRECT=OS:host\\dead1"}),
    ("SubqueueHeader", lambda h: len(h.TargetSubqueueName.rstrip(b"\0")), {0, 5, 61}),
]  # fmt: skip
"""A structure, what is looked at, and all that is drawn of it."""


def test_all_of_it_is_drawn() -> None:
    drawn = [(at, name, values(name, measure)) for at, (name, measure, _) in enumerate(ALL)]
    assert drawn == [(at, name, wanted) for at, (name, _, wanted) in enumerate(ALL)]


NUMBERS: list[tuple[str, int, int, str]] = [
    ("BaseHeader", 32, FOREVER, "TimeToReachQueue"),
    ("UserHeader", 32, FOREVER, "TimeToBeReceived"),
    ("UserHeader", 32, 0, "SentTime MessageID"),
    ("UserMessage", 32, FOREVER, "BaseHeader.TimeToReachQueue"),
    ("MessagePropertiesHeader", 32, 0, "ApplicationTag"),
    ("TransactionHeader", 32, 0, "TxSequenceID.Ordinal TxSequenceID.TimeStamp"),
    ("TransactionHeader", 32, 1, "TxSequenceNumber"),
    ("TransactionHeader", 20, 0, "Flags.ID"),
    ("SRMPEnvelopeHeader", 16, 0, "HeaderId Reserved"),
    ("CompoundMessageHeader", 16, 500, "HeaderId"),
    ("SessionHeader", 16, 0, "AckSequenceNumber RecoverableMsgAckSeqNumber"),
    ("SessionHeader", 16, 0, "UserMsgSequenceNumber RecoverableMsgSeqNumber"),
    ("SessionHeader", 32, 1, "RecoverableMsgAckFlags"),
    ("SubqueueHeader", 32, 0, "AbortCounter MoveCounter LastMoveTime"),
    ("ExtensionHeader", 32, 0, "RemainingHeadersSize"),
    ("UserHeaderAddress", 32, 0, "AddressScope"),
    ("ExtendedAddressHeader", 32, 0, "AddressScope"),
    ("EstablishConnectionHeader", 32, 0, "TimeStamp"),
    ("ConnectionParametersHeader", 16, 64, "WindowSize"),
    ("OrderAck", 32, FOREVER, "BaseHeader.TimeToReachQueue"),
    ("FinalAck", 32, 0, "UserHeader.SentTime UserHeader.MessageID"),
    ("OrderAckBody", 32, 0, "TxSequenceID.Ordinal TxSequenceID.TimeStamp"),
    ("OrderAckBody", 32, 1, "TxSequenceNumber"),
    ("FinalAckBody", 32, 0, "TxSequenceID.Ordinal TxSequenceID.TimeStamp MessageID"),
    ("FinalAckBody", 32, 1, "TxSequenceNumber"),
    ("PingPacket", 32, 0, "Cookie"),
    ("ChangeRequestHeader", 32, 0, "RequestIdentifier"),
    ("ChangeReplyMessage", 32, 0, "RequestIdentifier"),
    ("SyncReplyHeader", 32, 0, "Count"),
    ("SyncReplyHeader", 64, 0, "FromSeqNumber PurgedSeqNumber"),
    ("SyncRequestMessage", 64, 0, "FromSeqNumber ToSeqNumber KnownPurgedSeqNumber"),
    ("DirectoryChange", 64, 0, "PreviousSeqNumber SeqNumber PurgedSeqNumber"),
    ("PARTITION_SEQ_NUMBERS", 64, 0, "LastSeqNumber PurgedSeqNumber"),
]
"""Fields that may have any number: their structure, their bits, and the number that they have most often."""


@pytest.mark.parametrize("row", range(len(NUMBERS)), ids=[f"{row[0]}-{at}" for at, row in enumerate(NUMBERS)])
def test_numbers_of_any_size_are_drawn(row: int) -> None:
    """The largest of the field, the largest signed one, and others between; the usual one most often."""
    name, bits, usual, paths = NUMBERS[row]
    for path in paths.split():
        seen = Counter(int(attrgetter(path)(record)) for record in drawn(name))
        assert max(seen) == 2**bits - 1
        assert 2 ** (bits - 1) - 1 in seen
        assert any(2 ** (bits - 3) < number < 2 ** (bits - 1) - 1 for number in seen)
        assert seen.most_common(1)[0][0] == usual


def test_each_class_of_messages_is_drawn() -> None:
    """Also one that no document names, of each kind that applications may use; no OrderAck's or report's."""
    seen = values("MessagePropertiesHeader", lambda header: header.MessageClass)
    assert CLASSES - seen == {0x01, 0xFF}
    assert seen - CLASSES == {0x100, 0xE0FF}
    assert values("SubqueueHeader", lambda header: header.Flags >> 1 & 0xFFFF) == CLASSES


def test_each_part_of_a_security_header_is_drawn_alone() -> None:
    """And all together, and never none."""
    parts = ("SecurityID", "EncryptionKey", "Signature", "SenderCert", "ProviderInfo")
    headers = [MAKERS["SecurityHeader"](rolled(Random(seed))) for seed in range(3000)]  # noqa: S311  # any will do
    seen = {frozenset(name for name in parts if getattr(header.SecurityData, name)) for header in headers}
    assert {frozenset({part}) for part in parts} | {frozenset(parts)} <= seen
    assert frozenset() not in seen


def test_queues_of_acknowledgments_and_of_the_directory_are_left_alone() -> None:
    """1, 3 and 4 are their private queues: a message to one of them has to be of its kind."""
    numbers = {
        queue.PrivateQueueIdentifier
        for header in drawn("UserHeader")
        for queue in (header.DestinationQueue, header.AdminQueue, header.ResponseQueue)
        if isinstance(queue, (mqmq.PrivateQueueFormatNameId, mqmq.PrivateQueueFormatName))
    }
    assert len(numbers) >= 5
    assert {2, 0xFFFFFFFF} <= numbers
    assert not numbers & {1, 3, 4}


def test_responses_go_where_their_flags_say() -> None:
    """0 and 1 of RQ have no name of their own, [MS-MQMQ] 2.2.19.2."""
    for header in drawn("UserHeader"):
        assert (header.ResponseQueue is None) == (header.Flags.RQ in {0, 1})
        assert (header.AdminQueue is None) == (header.Flags.AQ == 0)


def test_each_property_of_changes_is_drawn() -> None:
    """Of all but management, with the values of its type."""
    seen = Counter[int]()
    for change in [MAKERS["DirectoryChange"](rolled(Random(seed))) for seed in range(2500)]:  # noqa: S311  # any
        seen.update(change.PropertyID)
    kinds = {known.object_class for known in map(by_number, seen) if known}
    assert len(seen) > 100
    assert kinds.isdisjoint({ObjectClass.MANAGEMENT_MACHINE, ObjectClass.MANAGEMENT_QUEUE})
    assert {ObjectClass.QUEUE, ObjectClass.MACHINE, ObjectClass.SITE, ObjectClass.ENTERPRISE} <= kinds


def test_what_was_deleted_and_looked_up_is_drawn() -> None:
    """An answer has both, of all object types; a deletion names what was deleted."""
    types = set()
    for reply in [answer(rolled(Random(seed)), 3) for seed in range(100)]:  # noqa: S311  # any seed will do
        for change in reply.DirectoryChanges:
            if change.Command == 2:
                assert change.PropertyID == (1403, 1404)
                types.add((2, change.PropertyValue[1].value))
            else:
                assert change.Command == 3
                known = by_number(change.PropertyID[0])
                assert known is not None
                types.add((3, known.object_class))
    assert types == {(command, number) for command in (2, 3) for number in (1, 2, 3, 5, 6, 7, 8)}


NUMBERS_OF = {
    104: {0, 1}, 111: {0, 1}, 113: {0, 1}, 114: {0, 1},  # flags of queues
    112: {0, 1, 2}, 602: {0, 1, 2},  # privacy; style of names
    210: {0, 1, 2, 4, 8, 16},  # services
    501: {1, 3, 5},  # protocols of a network
    1404: {1, 2, 3, 4, 5, 7, 8},  # kinds of deleted objects
    1103: {0, 1, 2, 3, 4, 5, 7, 8},  # bits of what a descriptor has, single and together
    5204: {0, 1, 2, 3, 8, 0x10, 0x40, 0x1000},  # the same of an account; 0x1000 is a computer
}  # fmt: skip
"""Properties with few numbers, and those of them that are drawn; [MS-MQMQ] 2.3."""
BOUNDS_OF = {
    105: {0, 0x7FFFFFFF, 0xFFFFFFFF}, 305: {0, 0xFFFF}, 312: {0, 0xFF}, 109: {0, 0x7FFFFFFF},
    106: {0, 0x1000}, 803: {1, 0xFFFF}, 612: {0x6602},
}  # fmt: skip
"""Those with any number of a type, and the largest of it; a cost is not zero, RC2 is an algorithm."""
TEXTS_OF = {
    103: {"host\\queue", "DIRECT=OS:host\\queue"}, 124: {"host\\queue", "DIRECT=OS:host\\queue"},
    125: {"224.0.0.1:1801"}, 126: {"ldap://host/CN=queue"}, 5101: {"MSMQ Settings"},
    221: {"", "CN=host,DC=example", "IP=10.0.0.1"},
}  # fmt: skip
"""The same of properties whose texts have a form."""
SOME_TEXTS_OF = {
    108: {"", LETTERS}, 203: {"host"}, 233: {"host.example"}, 5202: {"host$"}, 604: {"\\\\host"},
    304: {"224.0.0.1"},
}  # fmt: skip
"""Names of computers and addresses among the texts that have no form."""
TYPE_OF = {104: 17, 602: 17, 210: 19, 106: 2, 305: 18, 109: 3, 108: 31, 101: 72, 117: 65, 205: 0x1011}
"""Types of some; of variants, [MS-MQMQ] 2.2.12."""


def _values_of(number: int) -> list[Any]:
    """A value for each byte."""
    return [property_value(Dice(lambda _, byte=byte: bytes([byte]) * 16), number).value for byte in range(16)]


@pytest.mark.parametrize(
    ("wanted", "exactly"),
    [(NUMBERS_OF, True), (BOUNDS_OF, False), (TEXTS_OF, True), (SOME_TEXTS_OF, False)],
    ids=["numbers", "bounds", "texts", "names"],
)
def test_values_that_a_property_allows_are_drawn(wanted: dict[int, set[Any]], exactly: bool) -> None:
    for number, allowed in wanted.items():
        found = {*_values_of(number)}
        assert found == allowed if exactly else found >= allowed, number


def test_values_of_properties_have_their_types_and_sizes() -> None:
    """Lists of nothing, of one and of two; sequence numbers of eight bytes; four identifiers, one zero."""
    dice = rolled(Random(2))  # noqa: S311  # any will do
    assert {number: property_value(dice, number).vt for number in TYPE_OF} == TYPE_OF
    assert {*map(len, _values_of(117))} == {8}
    for number in (207, 223):
        assert {*map(len, _values_of(number))} == {0, 1, 2}
    assert NULL_GUID in _values_of(101)
    assert len({*_values_of(101)}) == 4
    assert {*_values_of(205)} == {b"", b"\x01", b"\x01\x02"}
    assert {*map(len, _values_of(1205))} == {0, 1, 8, 16}


def test_values_with_structures_are_drawn_whole() -> None:
    """Public keys and certificates of one and of several, besides those of nothing."""
    sizes: dict[int, set[int]] = {}
    for change in [MAKERS["DirectoryChange"](rolled(Random(seed))) for seed in range(6000)]:  # noqa: S311  # any
        for number, value in zip(change.PropertyID, change.PropertyValue, strict=True):
            known: Any = by_number(number)
            if known.kind is not None and isinstance(value.value, bytes):
                kind: Any = {
                    "MQDSPUBLICKEYS": mqmq.MQDSPUBLICKEYS,
                    "MQUSERSIGNCERTS": mqmq.MQUSERSIGNCERTS,
                }.get(known.kind.name)
                if kind is not None and value.value:
                    decoded = kind.decode(value.value)
                    held = getattr(decoded, "aPublicKeys", getattr(decoded, "Certificates", ()))
                    sizes.setdefault(number, set()).add(len(held))
    assert sizes
    assert all(found == {0, 1, 2} for found in sizes.values())


def updates(command: int) -> Iterable[Any]:
    return [update for update in drawn("NotificationUpdate") if update.Command == command]


def test_updates_are_of_the_kinds_of_the_document() -> None:
    """[MS-MQCN] 3.3.5.2: what was changed has a GUID, what was created a path name."""
    for update in drawn("NotificationUpdate"):
        assert (update.PathName is None) == (update.Command != 0)
        assert (update.GuidIdentifier is None) == (update.Command == 0)
        assert isinstance(update.GuidMasterId, GUID)
    changed = {update.PropertyId[:2] if update.PropertyId[0] == 202 else 115 for update in updates(1)}
    assert changed == {115, (202, 219)}
    assert {len(update.PropertyId) for update in updates(1)} == {1, 2, 3, 4}
    assert {update.PropertyId for update in updates(2)} == {(1403, 1404)}
    assert len({update.PropertyId[:15] for update in updates(0)}) == 1
    assert {15, 16} <= {len(update.PropertyId) for update in updates(0)} <= {15, 16, 17}


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "windows-nt-4.0"])
def test_a_version_of_windows_sends_what_it_has(profile: Any) -> None:
    """Nothing that is drawn for it has to be thrown away."""
    for seed in range(40):
        for http, channel in ((False, "session"), (True, "remote-read")):
            packet = message(rolled(Random(seed)), over_http=http)  # noqa: S311  # any will do
            sent = sent_by_version(packet, PROFILES[profile])
            assert validate(sent, profile=profile, channel=channel) == ()  # type: ignore[arg-type]  # one of them


@pytest.mark.parametrize(
    ("profile", "lists", "levels"),
    [
        ("windows-nt-4.0", False, {0}),
        ("windows-2000", False, {0, 1, 3}),
        ("windows-xp", True, {0, 1, 3}),
        ("windows-vista", True, {0, 1, 3, 5}),
        ("windows-7", True, {0, 1, 3, 5}),
    ],
)
def test_what_came_with_a_version_of_windows(profile: Any, lists: bool, levels: set[int]) -> None:
    """Lists of destinations with XP, encryption with 2000, and encryption with AES with Vista."""
    sent = [sent_by_version(packet, PROFILES[profile]) for packet in drawn("UserMessage")]
    assert any(packet.MultiQueueFormatHeader is not None for packet in sent) is lists
    assert {packet.MessagePropertiesHeader.PrivacyLevel for packet in sent} == levels
    ciphers = {
        packet.MessagePropertiesHeader.EncryptionAlgorithm
        for packet in sent
        if packet.MessagePropertiesHeader.PrivacyLevel == 5
    }
    assert ciphers == ({0x6610, 0x660E, 0x660F} if 5 in levels else set())
    hashes = {packet.MessagePropertiesHeader.HashAlgorithm for packet in sent}
    assert hashes == {PROFILES[profile].hash_algorithm}


@pytest.mark.parametrize(
    ("profile", "version"),
    [("windows-2000", 1), ("windows-xp", 2)],
)
def test_who_notifies_in_a_version_of_windows(profile: Any, version: int) -> None:
    """The directory service before XP, with version 1; later the queue managers: [MS-MQCN] note 5."""
    assert {one.Version for one in examples_of(notifications(profile=profile), 5)} == {version}


@pytest.mark.parametrize("name", ["ChangePropagationMessage", "ChangeRequestMessage", "SyncReplyMessage"])
def test_properties_that_a_version_lacks_are_left_out(name: str) -> None:
    """And no others; each value stays with its property."""
    for record in drawn(name):
        assert had_by(record, PROFILES["windows-2000"]).layout is record.layout
        kept = had_by(record, PROFILES["windows-11"])
        before = [pair for change in _changes(record) for pair in _pairs(change)]
        after = [pair for change in _changes(kept) for pair in _pairs(change)]
        mixed = {116, 211, 307, 504, 607, 703, 804, 5107, 1402}  # of mixed mode: notes of [MS-MQMQ] 6
        assert after == [(number, value) for number, value in before if number not in mixed]


def _changes(record: Any) -> tuple[mqdsrp.DirectoryChange, ...]:
    single = getattr(record, "DirectoryChange", None)
    return tuple(record.DirectoryChanges) if single is None else (single,)


def _pairs(change: Any) -> list[tuple[int, Any]]:
    return list(zip(change.PropertyID, change.PropertyValue, strict=True))


def test_addresses_in_messages_that_are_read_from_afar() -> None:
    """A remote read puts the address of the sender where a direct name left the GUID zero."""
    for packet in drawn("MessagePacket"):
        header = packet.UserMessage.UserHeader
        if header.Flags.DQ == 7:
            found: Any = mqrr.UserHeaderAddress.decode(header.QueueManagerAddress.bytes_le)
            assert (found.AddressType, found.AddressLength) in {(1, 4), (6, 16)}


def test_bodies_of_acknowledgments_are_their_own() -> None:
    for kind, body in (("OrderAck", mqqb.OrderAckBody), ("FinalAck", mqqb.FinalAckBody)):
        for packet in drawn(kind):
            assert body.decode(packet.MessagePropertiesHeader.MessageBody)
            assert packet.MessagePropertiesHeader.Label == "QM Ordering Ack\0"


DAMAGES: list[tuple[str, Callable[[bytes], bool]]] = [
    ("a bit is flipped", lambda data: len(data) == 6 and 0x60 in data),
    ("the lowest bit is flipped", lambda data: len(data) == 6 and data.count(0x41) > 0),
    ("a byte is zero", lambda data: 0 in data),
    ("a byte is seven", lambda data: 7 in data),
    ("a byte is as large as a signed one can be", lambda data: 0x7F in data),
    ("a byte is as large as can be", lambda data: 0xFF in data),
    ("a byte is four more", lambda data: len(data) == 6 and 0x44 in data),
    ("all is cut off", lambda data: len(data) == 0),
    ("all but one byte is cut off", lambda data: data == b"\x40"),
    ("something is appended", lambda data: len(data) > 12 and data.startswith(b"\x40" * 6)),
    ("four bytes are left out", lambda data: data == b"\x40\x40"),
    ("one byte is left out", lambda data: data == b"\x40" * 5),
    ("the first byte alone is changed", lambda data: data[:1] != b"\x40" and data[1:] == b"\x40" * 5),
    ("the last byte alone is changed", lambda data: data[:-1] == b"\x40" * 5 and data[-1:] != b"\x40"),
    ("it is changed twice", lambda data: len(data) == 6 and sum(byte != 0x40 for byte in data) == 2),
    ("it is changed three times", lambda data: len(data) == 6 and sum(byte != 0x40 for byte in data) == 3),
]


def test_bytes_are_damaged_in_every_way() -> None:
    """By three changes at most, each of four bytes at most, or of twenty at the end."""
    found = examples_of(damaged(b"\x40" * 6), 600)
    assert [done for done, sight in DAMAGES if not any(map(sight, found))] == []
    assert max(map(len, found)) <= 66
    assert all(len(data) <= 60 for data in examples_of(damaged(b""), 100))
    assert {len(data) for data in examples_of(damaged(b"\x40"), 100)} >= {0, 1, 2}


@pytest.mark.long
def test_bytes_are_damaged_in_up_to_three_places() -> None:
    """What one change makes is within 20 bytes; the simplest damage is some."""
    whole = b"\x40" * 500
    counts = Counter[int]()
    for data in examples_of(damaged(whole), 400):
        places = [at for at, byte in enumerate(data) if byte != 0x40]
        counts[sum(later - earlier > 20 for earlier, later in pairwise([-99, *places]))] += 1
    assert {*counts} == {0, 1, 2, 3}
    assert find(damaged(whole), bool) != whole


def _is_lone(text: str) -> bool:
    return any(0xD800 <= ord(character) < 0xE000 for character in text)


SEEN: list[tuple[str, Callable[[Any], Any]]] = [
    ("TxSequenceID", lambda record: record.Ordinal == 0xFFFFFFFF),
    ("TxSequenceID", lambda record: 1 < record.TimeStamp < 0xFFFFFFFF),
    ("SoapHeader", lambda record: _is_lone(record.Header)),
    ("SoapHeader", lambda record: record.Body == ""),
    ("SoapHeader", lambda record: "\U0001f600" in record.Body),
    ("SecurityData", lambda record: len(record.SignaturePadding) == 3 and any(record.SignaturePadding)),
    ("ExtensionHeader", lambda record: any(record.Reserved)),
    ("UserHeader", lambda record: record.Flags & 0xFFFFFFFF == 0xFFFFFFFF or record.Flags >> 26),
    ("UserHeader", lambda record: record.ConnectorType is not None),
    ("SubqueueHeader", lambda record: len({*record.SubqueueName}) > 1),
    ("MQFAddressHeader", lambda record: len(record.FormatNameList) == 3),
    ("MQFAddressHeader", lambda record: len(record.FormatNameList) == 0),
    ("SecurityData", lambda record: len(record.SecurityID) == 9),
    ("DirectoryChange", lambda record: len(record.PropertyID) == 4),
    ("DirectoryChange", lambda record: record.PathName is not None and record.PathName != ""),
    ("DirectoryChange", lambda record: record.GuidIdentifier is not None),
    ("DirectoryChange", lambda record: int(record.SeqNumber) > 1 << 60),
    ("SyncReplyMessage", lambda record: len(record.DirectoryChanges) == 2),
]


@pytest.mark.each(9)
@pytest.mark.parametrize("name", sorted({name for name, _ in SEEN}))
def test_any_record_is_drawn(name: str) -> None:
    found = examples_of(records(name), 300)
    assert all(any(map(sight, found)) for structure, sight in SEEN if structure == name)


def test_well_formed_texts_have_no_half_of_a_character() -> None:
    assert not any(_is_lone(one.Header) for one in examples_of(records("SoapHeader", well_formed=True), 60))


@pytest.mark.each(16)
@pytest.mark.parametrize("vt", sorted({*READERS}))
def test_any_value_of_a_property_is_drawn(vt: int) -> None:
    """Numbers up to both bounds of their type, vectors of up to three values."""
    found = {one.value for one in examples_of(property_values(vt), 150)}
    base = vt & ~VARTYPE.VT_VECTOR
    if vt & VARTYPE.VT_VECTOR:
        longest = 6 if base == VARTYPE.VT_UI1 else 3
        assert {0, longest} <= {*map(len, found)} <= {*range(longest + 1)}
    elif base in BOUNDS:
        assert {0, 1, *BOUNDS[base]} <= found
        assert (min(found), max(found)) == BOUNDS[base]
    elif base == VARTYPE.VT_CLSID:
        assert len(found) > 20
    elif base == VARTYPE.VT_BLOB:
        assert {*map(len, found)} == {*range(7)}
    elif base in {VARTYPE.VT_EMPTY, VARTYPE.VT_NULL}:
        assert found == {None}
    else:
        assert {0, 6} <= {*map(len, found)} <= {*range(7)}
        assert any(map(_is_lone, found))


def test_how_deep_values_of_properties_are_nested() -> None:
    """Vectors of variants within each other, down to a fourth that has no more within it."""

    def depth(one: Any) -> int:
        if one.vt != VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT:
            return 0
        return 1 + max(map(depth, one.value), default=0)

    variants = VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT
    for level, most in ((3, 1), (2, 2)):
        found = {depth(one) for one in examples_of(property_values(variants, depth=level), 150)}
        assert found == {*range(1, most + 1)}


def test_messages_that_carry_messages() -> None:
    """Of each class, or of one that is given; notifications of both kinds, or only those of a service."""
    dices = [rolled(Random(seed)) for seed in range(60)]  # noqa: S311  # any will do
    kinds = {type(carried_by(carried(dice))).__name__ for dice in dices}
    assert len(kinds) == 8
    assert {type(carried_by(carried(dice, name))).__name__ for dice in dices[:9] for name in kinds} == kinds
    version = attrgetter("Version")
    for updates, wanted in ((False, {1, 2}), (True, {1})):
        found = {version(carried_by(carried_notification(dice, updates=updates))) for dice in dices}
        assert found == wanted
    assert {version(carried_by(carried_notification(dice))) for dice in dices} == {1, 2}


@pytest.mark.long
def test_variants_of_the_last_level_hold_no_variants() -> None:
    """But vectors of numbers, texts and GUIDs."""
    inner = {one.vt for one in examples_of(records_of("PROPVARIANT", 0), 1000)}
    outer = {one.vt for one in examples_of(records_of("PROPVARIANT", 1), 1000)}
    variants = VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT
    assert variants in outer - inner
    assert inner >= {
        VARTYPE.VT_VECTOR | vt for vt in (VARTYPE.VT_UI1, VARTYPE.VT_UI4, VARTYPE.VT_CLSID, VARTYPE.VT_LPWSTR)
    }
