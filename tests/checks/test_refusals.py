"""A breach in received bytes has a name, whether decoding refuses the bytes or `validate` reports it.

Bent records are written and read again.  The catalogue says of each requirement which of the two happens.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis.errors import UnsatisfiedAssumption
from support_rows import for_each, table
from support_specs import load_requirements

import msmq_wire as mw
from msmq_wire import mqcn, mqdsrp, mqmq, mqqb, mqrr
from msmq_wire import testing as mt
from msmq_wire.checks import refusals as _refusals
from msmq_wire.documents.layouts import structures
from msmq_wire.testing.bent import records as _bent
from msmq_wire.testing.strategies.choices import rolled
from msmq_wire.testing.strategies.kinds import MAKERS
from msmq_wire.values.refusals import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

CATALOGUE = table(lambda: {row.id: row for row in load_requirements()})
MUSTS = table(lambda: [requirement for requirement, level in mt.BENDABLE.items() if level == "must"])
REFUSED = table(lambda: [requirement for requirement in MUSTS() if CATALOGUE()[requirement].received])
TABLES = (
    *(_refusals.KINDS, _refusals.FIELDS, _refusals.PROMISES),
    *(_refusals.BOUNDS, _refusals.WHOLE, _refusals.LAYOUTS),
)


def _records(requirement: str, count: int) -> Iterator[Any]:
    """Records that break a requirement and can be written."""
    places = _bent.sites_of_rules().get(requirement)
    for seed in range(count):
        dice = rolled(Random(seed))  # noqa: S311  # any will do
        try:
            if places is None:
                record = _bent.bad_property(dice, requirement)
            else:
                record = _bent.broken_record(dice, requirement, places[seed % len(places)])
            record.encode()
        except (UnsatisfiedAssumption, mw.EncodeError):
            continue
        yield record


def _read(record: Any) -> Any:
    """The record that the bytes give, or the error; None for what cannot be read alone."""
    try:
        return type(record).decode(record.encode())
    except mw.DecodeError as error:
        return None if "alone" in error.problem else error


@for_each("requirement", REFUSED)
def test_refused_with_a_name(requirement: str) -> None:
    for record in _records(requirement, 6):
        read = _read(record)
        if isinstance(read, mw.DecodeError):
            assert read.requirement in CATALOGUE(), str(read)
        elif read is not None:
            assert requirement not in {item.requirement for item in mw.validate(read)}


@for_each("requirement", lambda: [one for one in MUSTS() if one not in REFUSED()])
def test_reported(requirement: str) -> None:
    for record in _records(requirement, 80):
        read = _read(record)
        if isinstance(read, mw.Record) and requirement in {item.requirement for item in mw.validate(read)}:
            return
    pytest.fail(f"{requirement} was never reported of received bytes")


def test_names_are_those_of_the_documents() -> None:
    layouts = structures()
    rpc_structures = {name for name in dir(mw.rpc) if isinstance(getattr(mw.rpc, name), type)}
    for rows in TABLES:
        for key, requirement in rows.items():
            name = key[1] if isinstance(key, tuple) else key.removeprefix("SessionAck.")
            assert CATALOGUE()[requirement].absolute, requirement
            structure, _, path = name.partition(".")
            is_value = structure in {"SEQUENCE_NUMBER", "PropertyValue"}
            assert structure in layouts or structure in rpc_structures or is_value, name
            if path and structure in layouts:
                assert path.partition(".")[0] in layouts[structure].by_name, name


# What the documents say of a field, of bytes missing there ("short") or in a structure ("within"), of
# bytes after its end ("left over"), of a size that bounds it, and of a message that does not fill its bytes.
SAID = """
[field]
MQMQ-2.2.19.1-01 BaseHeader.VersionNumber
MQMQ-2.2.19.1-30 BaseHeader.Signature
MQMQ-2.2.19.1-31 BaseHeader.PacketSize
MQQB-2.2.1-03 InternalHeader.Flags.PT InternalHeader.Flags
MQMQ-2.2.19.2-16 UserHeader.Flags.DQ
MQMQ-2.2.19.2-17 UserHeader.Flags.AQ
MQMQ-2.2.18.1.5.2-02 DirectQueueFormatName.Count DirectQueueFormatName.DirectFormatName
MQMQ-2.2.18.1.4-01 MQFFormatNameElement.FormatType
MQMQ-2.2.18.1.4.1-02 MQFDirectQueueFormatName.DirectFormatName
MQMQ-2.2.20.2-01 MQFAddressHeader.HeaderSize
MQMQ-2.2.20.2-05 MQFAddressHeader.ElementCount
MQMQ-2.2.20.3-04 MQFSignatureHeader.Signature
MQMQ-2.2.19.3-13 MessagePropertiesHeader.Label
MQMQ-2.2.19.3-34 MessagePropertiesHeader.ExtensionData
MQMQ-2.2.19.3-23 MessagePropertiesHeader.MessageBody
MQMQ-2.2.20.6-18 SecurityData.SecurityID
MQMQ-2.2.20.6-19 SecurityData.EncryptionKey
MQMQ-2.2.20.6-20 SecurityData.Signature
MQMQ-2.2.20.6-21 SecurityData.SenderCert
MQMQ-2.2.20.6-22 SecurityData.ProviderInfo
MQMQ-2.2.20.7-04 SoapHeader.Header
MQMQ-2.2.20.7-08 SoapHeader.Body
MQRR-2.2.5.1.2.1-03 SRMPEnvelopeHeader.Data
MQRR-2.2.5.1.2.2-03 CompoundMessageHeader.Data
MQRR-2.2.5.4-01 DeadLetterHeader.HeaderSize
MQMQ-2.2.1-02 MQDSPUBLICKEY.ulProviderLen MQDSPUBLICKEY.sProviderName
MQMQ-2.2.1-01 MQDSPUBLICKEY.aBuf
MQMQ-2.2.2-01 MQDSPUBLICKEYS.ulLen
MQMQ-2.2.2-02 MQDSPUBLICKEYS.cNumofKeys
MQMQ-2.2.21-01 MQUSERSIGNCERTS.CertificateCount
MQMQ-2.2.22-02 MQUSERSIGNCERT.Certificate
MQMQ-2.2.4-01 TA_ADDRESS.Address
MQMQ-2.2.13.1-01 PROPVARIANT.vt
MQDSRP-2.2.5.1-02 BaseReplicationHeader.Operation
MQDSRP-2.2.4-02 DirectoryChange.UseGuid
MQDSRP-2.2.4-09 DirectoryChange.PathName
MQDSRP-2.2.4-06 DirectoryChange.PropertyID
MQDSRP-2.2.4-12 DirectoryChange.PropertyValue
MQDSRP-2.2.5.2-05 ChangeRequestHeader.PSCNameOffset
MQDSRP-2.2.5.2-06 ChangeRequestHeader.RequesterName
MQDSRP-2.2.5.2-07 ChangeRequestHeader.PSCName
MQDSRP-2.2.6.3-05 ChangeReplyMessage.RequesterName
MQDSRP-2.2.6.4-05 SyncRequestMessage.RequesterName
MQDSRP-2.2.6.5-02 SyncReplyHeader.Count
MQDSRP-2.2.6.6-04 BSCAckMessage.BSCName
MQDSRP-2.2.6.7-05 PSCAckMessage.PSCName
MQDSRP-2.2.5.4-03 SeqNumberHeader.Count
MQDSRP-2.2.5.4-04 SeqNumberHeader.MachineName
MQDSRP-2.2.6.9-05 ChangePropagationMessage.Count
MQCN-2.2.4-04 ChangeNotificationMessage.Version
MQCN-2.2.4-02 ChangeNotificationMessage.NumberOfUpdateNotifications
MQCN-2.2.5-05 NotificationBody.Text
MQCN-2.2.6-02 NotificationUpdate.UseGuid
MQCN-2.2.6-04 NotificationUpdate.PathName
MQCN-2.2.6-10 NotificationUpdate.PropertyId
MQCN-2.2.6-14 NotificationUpdate.PropertyValue

[left over]
MQMQ-2.2.19.1-31 UserMessage
MQRR-2.2.5.2-01 MessagePacket
MQMQ-2.2.2-01 MQDSPUBLICKEYS
MQMQ-2.2.1-01 MQDSPUBLICKEY
MQMQ-2.2.21-01 MQUSERSIGNCERTS
MQMQ-2.2.22-02 MQUSERSIGNCERT
MQMQ-2.2.4-01 TA_ADDRESS
MQMQ-2.2.18.1.5.2-02 DirectQueueFormatName
MQMQ-2.2.18.1.4.1-02 MQFDirectQueueFormatName
MQMQ-2.2.18.1.4-02 MQFFormatNameElement
MQDSRP-2.2.4-06 DirectoryChange
MQCN-2.2.6-10 NotificationUpdate
MQDSRP-2.2.6.5-02 SyncReplyMessage
MQDSRP-2.2.5.4-03 SeqNumberHeader ChangePropagationMessage
MQCN-3.3.5.3-09 ChangeNotificationMessage

[short]
MQMQ-2.2.20.2-05 MQFFormatNameElement.FormatType
MQMQ-2.2.19.2-25 UserHeader.ConnectorType
MQMQ-2.2.20.5-03 TransactionHeader.ConnectorQMGuid
MQMQ-2.2.20.8-32 DebugHeader.QueueIdentifier
MQDSRP-2.2.6-01 BaseReplicationHeader.Operation
MQDSRP-2.2.6.2-02 ChangeRequestMessage.DirectoryChange.Command
MQDSRP-2.2.6.5-02 SyncReplyMessage.DirectoryChanges.Command
MQDSRP-2.2.6.9-05 ChangePropagationMessage.DirectoryChanges.Command
MQDSRP-2.2.6.9-07 SeqNumberHeader.Count
MQCN-2.2.4-02 NotificationUpdate.Command

[unknown]
MQCN-2.2.2-01 NotificationUpdate.PropertyId

[unterminated]
MQRR-2.2.5.4-02 DeadLetterHeader.DeadLetterPathName

[event]
MQCN-2.2.5-02 NotificationBody.Text

[guid]
MQCN-2.2.5-07 NotificationBody.Text

[within]
MQMQ-2.2.19.2-21 TransactionHeader
MQMQ-2.2.19.2-19 SecurityHeader
MQMQ-2.2.19.1-09 DebugHeader
MQMQ-2.2.19.2-34 SoapHeader
MQRR-2.2.5.1.2-02 SRMPEnvelopeHeader
MQRR-2.2.5.1.2-03 CompoundMessageHeader
MQMQ-2.2.20-11 SessionHeader
MQRR-2.2.5.2-04 SubqueueHeader
MQRR-2.2.5.2-09 ExtendedAddressHeader
MQRR-2.2.5.2-03 DeadLetterHeader
MQMQ-2.2.18.1.4-02 PublicQueueFormatName PrivateQueueFormatName MQFDistributionQueueFormatName
MQMQ-2.2.2-02 MQDSPUBLICKEY
MQMQ-2.2.21-01 MQUSERSIGNCERT
MQDSRP-2.2.5.4-03 PARTITION_SEQ_NUMBERS

[size]
MQMQ-2.2.19.1-31 BaseHeader.PacketSize
MQMQ-2.2.20.2-01 MQFAddressHeader.HeaderSize
MQRR-2.2.5.4-01 DeadLetterHeader.HeaderSize
MQMQ-2.2.2-01 MQDSPUBLICKEYS.ulLen

[whole]
MQDSRP-2.2.6-01 BaseReplicationHeader
MQDSRP-2.1-02 ChangeRequestMessage ChangeReplyMessage SyncRequestMessage SyncReplyMessage BSCAckMessage
MQDSRP-2.2.6.8-02 AlreadyPurgedMessage
MQDSRP-2.1-02 PSCAckMessage ChangePropagationMessage DirectoryChange
MQDSRP-2.1-02 ChangeRequestHeader SeqNumberHeader
MQCN-2.1-01 ChangeNotificationMessage NotificationUpdate
MQMQ-2.2.19.1-31 UserMessage EstablishConnection ConnectionParameters SessionAck MessagePacket
"""
PROBLEMS = {
    "short": Problem.SHORT,
    "left over": Problem.LEFT_OVER,
    "unknown": Problem.IDENTIFIER,
    "unterminated": Problem.UNTERMINATED,
    "event": Problem.EVENT,
    "guid": Problem.OBJECT_GUID,
}


def _requirement(code: Problem, structure: str, path: str, limit: str) -> str | None:
    return mw.DecodeError("", code=code, structure=structure, path=path, offset=0, limit=limit).requirement


def test_what_the_documents_say_of_each_place() -> None:
    wrong = {}
    for part in SAID.strip().split("\n\n"):
        head, *rows = part.splitlines()
        about = head.strip("[]")
        for row in rows:
            requirement, *names = row.split()
            for name in names:
                structure, _, field = name.partition(".")
                problem = PROBLEMS.get(about, Problem.OFFSET if field.endswith("Offset") else Problem.VALUE)
                facts = (problem, structure, f"Outer.{name}", "")
                if about == "within":
                    facts = (Problem.SHORT, structure, f"Outer.Inner.{structure}", "")
                elif about == "size":
                    facts = (Problem.LEFT_OVER, "Inner", "Outer.Inner", name)
                elif about == "whole":
                    facts = (Problem.LEFT_OVER, "Inner", f"{structure}.Inner", "")
                elif not field:
                    facts = (problem, structure, structure, "")
                if _requirement(*facts) != requirement:
                    wrong[head, name] = _requirement(*facts)
    assert not wrong


def test_every_cut_or_surplus_structure_has_a_requirement() -> None:
    """Whatever part of a structure there is, and whatever follows it."""
    without: dict[str, str] = {}
    unstated = {"SenderCertPublicKey"}  # only two of its fields have a statement
    for name, make in sorted(MAKERS.items()):
        data = make(rolled(Random(7))).encode()  # noqa: S311  # any will do
        for part in [*(data[:size] for size in range(len(data))), data + bytes(1), data + bytes(4)]:
            try:
                mw.Record.class_of(name).decode(part)
            except mw.DecodeError as error:
                if error.requirement is None and error.code is not Problem.ALONE:
                    without[name] = str(error)
            else:
                continue
    assert without.keys() <= unstated


_TYPES = (0, 2, 3, 7, 11, 16, 17, 18, 19, 20, 21, 31, 65, 72, 0x1013, 0x101F, 0x1048, 0x7777)


@pytest.mark.parametrize("vt", _TYPES)
def test_values_have_requirements(vt: int) -> None:
    """Of each type with a form, and of others, whatever the bytes are."""
    for data in (b"", b"\1", b"\2\0\0", b"\2\0\0\0", b"\xff" * 4, b"a\0b\0", bytes(9), bytes(40)):
        try:
            mw.PropertyValue.decode(vt, data)
        except mw.DecodeError as error:
            requirement = error.requirement
        else:
            continue
        assert requirement in CATALOGUE()


@pytest.mark.parametrize(
    ("data", "requirement"),
    [
        ("02 00 00 00 00 00 00 00 02 00 00", "MQMQ-2.2.13.1-05"),
        ("03 00 00 00 00 00 00 00 13 00 00 00 01 00 00 00", "MQMQ-2.2.13.1-05"),
    ],
)
def test_variants_have_requirements(data: str, requirement: str) -> None:
    with pytest.raises(mw.DecodeError) as caught:
        mw.rpc.PROPVARIANT.decode(bytes.fromhex(data))
    assert caught.value.requirement == requirement


def _with(data: bytes, at: int, number: int, size: int = 4) -> bytes:
    return data[:at] + number.to_bytes(size, "little") + data[at + size :]


MESSAGE = mqmq.UserMessage(
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=b"body", Label="label"),
    SoapHeader=mqmq.SoapHeader(Header="h", Body="b"),
).encode()
ESTABLISH = mqqb.EstablishConnection().encode()
ASKED = mqdsrp.ChangeReplyMessage(RequesterName="psc").encode()
CHANGE = mqdsrp.DirectoryChange(PathName="m")
REQUEST = mqdsrp.ChangeRequestMessage(DirectoryChange=CHANGE).encode()
REPLY = mqdsrp.SyncReplyMessage(DirectoryChanges=[CHANGE] * 2).encode()
PROPAGATION = mqdsrp.ChangePropagationMessage(DirectoryChanges=[CHANGE] * 2).encode()
ONE = len(CHANGE.encode())


def _notice(old: str, new: str) -> bytes:
    """A notification of a queue manager, with another text."""
    body = mqcn.NotificationBody.of(1, "557358d1-9150-9595-4997-b6e611ea26c6", "dc")
    encoded = mqcn.encode(mqcn.ChangeNotificationMessage(Version=2, Data=body))
    return encoded.replace(old.encode("utf-16-le"), new.encode("utf-16-le"))


DAMAGED: list[tuple[str, Any, bytes]] = [
    ("MQMQ-2.2.19.1-01", mw.decode, _with(MESSAGE, 0, 9, 1)),
    ("MQMQ-2.2.19.1-30", mw.decode, _with(MESSAGE, 4, 9)),
    ("MQMQ-2.2.19.1-31", mw.decode, MESSAGE[:-1]),
    ("MQMQ-2.2.19.1-31", mw.decode, MESSAGE + b"\0"),
    ("MQMQ-2.2.19.1-31", mw.decode, _with(MESSAGE, 8, 20)),
    ("MQMQ-2.2.19.1-37", mw.decode, _with(MESSAGE, 8, 0x400004).ljust(0x400004, b"\0")),
    ("MQQB-2.2.1-03", mw.decode, _with(ESTABLISH, 18, 9, 2)),
    ("MQMQ-2.2.20-11", mw.decode, _with(MESSAGE, 2, 0x10, 2) + bytes(8)),
    ("MQDSRP-2.2.5.1-02", mqdsrp.decode, _with(ASKED, 17, 9, 1)),
    ("MQDSRP-2.1-02", mqdsrp.decode, ASKED + b"\0"),
    ("MQDSRP-2.2.6.3-05", mqdsrp.decode, ASKED[:-2]),
    ("MQDSRP-2.1-02", mqdsrp.decode, ASKED[:20]),
    ("MQDSRP-2.2.6-01", mqdsrp.decode, b""),
    ("MQDSRP-2.2.6-01", mqdsrp.decode, ASKED[:9]),
    ("MQDSRP-2.2.6-01", mqdsrp.decode, ASKED[:17]),
    ("MQDSRP-2.2.6.2-02", mqdsrp.decode, REQUEST[:-ONE]),
    ("MQDSRP-2.2.6.5-02", mqdsrp.decode, REPLY[:-ONE] + bytes(4)),
    ("MQDSRP-2.2.6.9-07", mqdsrp.decode, PROPAGATION[:-1]),
    ("MQDSRP-2.2.6.9-07", mqdsrp.decode, PROPAGATION[:-2]),
    ("MQCN-2.2.4-04", mqcn.decode, b"\7\1"),
    ("MQCN-3.3.5.3-09", mqcn.decode, _notice("<Event>1", "<Event>1") + b"\0\0more"),
    ("MQCN-2.2.5-02", mqcn.decode, _notice("<Event>1", "<Event>5")),
    ("MQCN-2.2.5-02", mqcn.decode, _notice("<Event>1", "<Event>11")),
    ("MQCN-2.2.5-05", mqcn.decode, _notice("<Event>1</Event>", "")),
    ("MQCN-2.2.5-05", mqcn.decode, _notice("</Notification>", "")),
    ("MQCN-2.2.5-07", mqcn.decode, _notice("<ObjectGuid>", "<ObjectGuid>{")),
    ("MQCN-2.2.5-07", mqcn.decode, _notice("</ObjectGuid>", "0</ObjectGuid>")),
    ("MQRR-2.2.5.2-01", mqrr.MessagePacket.decode, mqrr.MessagePacket().encode() + b"\x0c" + bytes(20)),
]


@for_each(("requirement", "decode", "data"), lambda: DAMAGED)
def test_damaged(requirement: str, decode: Any, data: bytes) -> None:
    with pytest.raises(mw.DecodeError) as caught:
        decode(data)
    assert caught.value.requirement == requirement


def test_a_limit_of_the_caller_is_no_breach() -> None:
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(MESSAGE, limits=mw.Limits(packet_size=16))
    assert caught.value.requirement is None
