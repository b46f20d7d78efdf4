"""Counts, sizes, offsets and forms that contradict the bytes: what lies is named.

Each number on which another field depends gets other values in the bytes of a record.  The error names it, or
names it as the source, unless the bytes do not show which number is wrong.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from support_rows import for_each, table

import msmq_wire as mw
from msmq_wire import mqcn, mqdsrp, mqmq, mqqb
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.mqrr import ExtendedAddressHeader, ExtensionHeader, SubqueueHeader
from msmq_wire.mqrr import MessagePacket
from msmq_wire.records.model import Numbers
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.testing.strategies.choices import rolled
from msmq_wire.testing.strategies.generic import maker
from msmq_wire.testing.strategies.packets import HEADERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from msmq_wire.records.model import Group, Structure
    from msmq_wire.records.spans import FieldSpan

G: Final = "c3010203-0405-0607-0809-0a0b0c0d0e0f"
SID: Final = bytes.fromhex("010200000000000520000000 20020000")
CERTIFICATE: Final = bytes.fromhex("3003020105")
KEY: Final = mqqb.PUBLICKEYBLOB(pubExp=65537, modulus=bytes(range(1, 65)), bitLen=512).encode()


def _list(number: int, *names: Any) -> Any:
    elements = tuple(mqmq.MQFFormatNameElement(FormatName=name) for name in names)
    return mqmq.MQFAddressHeader(HeaderID=number, FormatNameList=elements)


DIRECT: Final = mqmq.MQFDirectQueueFormatName("OS:host\\q")
LISTED: Final = mqmq.MultiQueueFormatHeader(
    Destination=_list(0x64, DIRECT, mqmq.MQFDirectQueueFormatName("OS:b\\q")),
    Administration=_list(0xC8, mqmq.PublicQueueFormatName(G), mqmq.PrivateQueueFormatName(G, 1)),
    Response=_list(0x12C, DIRECT),
)
SECURED: Final = mqmq.SecurityHeader(
    SecurityData=mqmq.SecurityData(
        SecurityID=SID,
        Signature=bytes(range(64)),
        SenderCert=CERTIFICATE,
        ProviderInfo=b"\1\0\0\0" + "provider\0".encode("utf-16-le"),
    )
)
SIGNED: Final = mqmq.SecurityHeader(
    Flags=mqmq.SecurityHeaderFlags(ST=2, DE=1),
    SecurityData=mqmq.SecurityData(
        SecurityID=mw.GUID.of(G).bytes_le,
        Signature=bytes(range(64)),
        SenderCert=mqmq.SenderCertPublicKey(
            LengthInBits=512, PublicExponent=65537, Modulus=bytes(range(1, 65))
        ).encode(),
    ),
)
"""As a queue manager of MSMQ 1.0 signs: with its GUID, and a key instead of a certificate of X.509."""
PROPERTIES: Final = mqmq.MessagePropertiesHeader(
    Label="label\0", ExtensionData=b"extension", MessageBody=b"body"
)
ADDRESS: Final = ExtendedAddressHeader(
    AddressLength=4, AddressType=1, Address=bytes([10, 0, 0, 7]) + bytes(12)
)
CHANGE: Final = mqdsrp.DirectoryChange(
    Command=1,
    GuidIdentifier=G,
    PropertyID=(103, 108, 105),
    PropertyValue=(mw.PropertyValue(31, "host\\q"), mw.PropertyValue(31, "label"), mw.PropertyValue(19, 10)),
)
NAMED: Final = mqdsrp.DirectoryChange(
    Command=1, PathName="host\\q", PropertyID=(105,), PropertyValue=(mw.PropertyValue(19, 10),)
)
PARTITION: Final = mqdsrp.PARTITION_SEQ_NUMBERS(PartitionID=G)
UPDATE: Final = mqcn.NotificationUpdate(
    Command=1,
    GuidIdentifier=G,
    GuidMasterId=G,
    PropertyId=(115, 105),
    PropertyValue=(mw.PropertyValue(72, mw.GUID.of(G)), mw.PropertyValue(19, 10)),
)


def _message(**more: Any) -> Any:
    header = mqmq.UserHeader(
        DestinationQueue="DIRECT=OS:host\\q",
        AdminQueue="DIRECT=OS:host\\adm",
        ResponseQueue="DIRECT=OS:h\\rsp",
        ConnectorType=G,
    )
    return mqmq.UserMessage(**{"UserHeader": header, "MessagePropertiesHeader": PROPERTIES, **more})


OTHERS: Final = {
    field.name: maker(field.name)(rolled(Random(2)))  # noqa: S311  # any will do
    for field in mqmq.UserMessage.layout.fields
    if field.present and field.name not in HEADERS
}
"""Optional headers of which the strategies know nothing but the layout."""


class Sample(NamedTuple):
    """A record, and the function that decodes its bytes."""

    record: Any
    decode: Callable[[bytes], Any]


SAMPLES: Final[dict[str, Sample]] = {
    "secured message": Sample(_message(SecurityHeader=SECURED), mw.decode),
    "message of a queue manager": Sample(_message(SecurityHeader=SIGNED), mw.decode),
    "listed message": Sample(_message(MultiQueueFormatHeader=LISTED), mw.decode),
    "message of an HTTP client": Sample(
        _message(
            SoapHeader=mqmq.SoapHeader(Header="<h/>\0", Body="<b/>\0"),
            DebugHeader=mqmq.DebugHeader(QueueIdentifier=G),
        ),
        mw.decode,
    ),
    "transactional message": Sample(
        _message(TransactionHeader=mqmq.TransactionHeader(ConnectorQMGuid=G)), mw.decode
    ),
    "message with a header of another document": Sample(
        _message(**OTHERS),
        mw.decode,
    ),
    "message of a session": Sample(_message(SessionHeader=mqmq.SessionHeader()), mw.decode),
    "message of a remote read": Sample(
        MessagePacket(
            UserMessage=_message(),
            ExtensionHeader=ExtensionHeader(),
            SubqueueHeader=SubqueueHeader(),
            ExtendedAddressHeader=ADDRESS,
        ),
        MessagePacket.decode,
    ),
    "request": Sample(mqqb.EstablishConnection(), mw.decode),
    "parameters": Sample(mqqb.ConnectionParameters(), mw.decode),
    "acknowledgment": Sample(mqqb.SessionAck(), mw.decode),
    "keys": Sample(
        mqmq.MQDSPUBLICKEYS(aPublicKeys=(mqmq.MQDSPUBLICKEY(sProviderName="provider\0", aBuf=KEY),) * 2),
        mqmq.MQDSPUBLICKEYS.decode,
    ),
    "certificates": Sample(
        mqmq.MQUSERSIGNCERTS(Certificates=(mqmq.MQUSERSIGNCERT(Identifier=G, Certificate=CERTIFICATE),) * 2),
        mqmq.MQUSERSIGNCERTS.decode,
    ),
    "propagation": Sample(
        mqdsrp.ChangePropagationMessage(
            DirectoryChanges=(CHANGE, NAMED, CHANGE),
            SeqNumberHeader=mqdsrp.SeqNumberHeader(MachineName="psc", PartitionSeqNumbers=(PARTITION,) * 2),
        ),
        mqdsrp.decode,
    ),
    "reply": Sample(mqdsrp.SyncReplyMessage(DirectoryChanges=(CHANGE, NAMED)), mqdsrp.decode),
    "change request": Sample(
        mqdsrp.ChangeRequestMessage(
            ChangeRequestHeader=mqdsrp.ChangeRequestHeader(RequesterName="bsc"), DirectoryChange=NAMED
        ),
        mqdsrp.decode,
    ),
    "change request of a BSC": Sample(
        mqdsrp.ChangeRequestMessage(
            ChangeRequestHeader=mqdsrp.ChangeRequestHeader(RequesterName="bsc", PSCName="psc"),
            DirectoryChange=CHANGE,
        ),
        mqdsrp.decode,
    ),
    "notification": Sample(
        mqcn.ChangeNotificationMessage(Version=1, Data=mqcn.NotificationUpdates(Updates=(UPDATE,) * 2)),
        mqcn.decode,
    ),
}

ALWAYS: Final = {
    *(
        "BaseHeader.PacketSize",
        "HeaderSize",
        "ElementCount",
        "NumberOfProperties",
        "UseGuid",
        "PSCNameOffset",
    ),
    *(
        "ulLen",
        "cNumofKeys",
        "ulKeyLen",
        "ulProviderLen",
        "CertificateCount",
        "Count",
        "SyncReplyHeader.Count",
    ),
}
"""Numbers that are named whenever bytes are rejected because of them."""
BY_BOTH: Final = {
    "TA_ADDRESS.AddressLength": "surplus and missing bytes have the field itself, and no other number",
    "SRMPEnvelopeHeader.DataLength": "as SoapHeader.HeaderDataLength",
    "CompoundMessageHeader.HTTPBodySize": "as MessagePropertiesHeader.MessageSize",
    "DeadLetterHeader.HeaderSize": "see test_wrong_flags",
}
"""Numbers that are not named here, and why."""


class Number(NamedTuple):
    """A number in a sample.

    Attributes:
        sample: The key of the sample.
        path: The path of the number.
        label: Its structure, and its path from there.
        span: The field in the bytes, which is its flags word if it is a group.
        group: The group.
    """

    sample: str
    path: str
    label: str
    span: FieldSpan
    group: Group | None

    def cases(self) -> Iterator[tuple[int, bytes]]:
        """Yield other values, each with the bytes."""
        data = SAMPLES[self.sample].record.encode()
        mask, shift = (1 << 8 * self.span.size) - 1, 0
        if self.group is not None:
            mask, shift = self.group.mask, self.group.shift
        word, end = int.from_bytes(self.span.cut(data), "little"), self.span.offset + self.span.size
        stated = (word & mask) >> shift
        for value in {0, 1, *(stated + by for by in (-8, -4, -3, -2, -1, 1, 2, 3, 4, 5, 8, 16, 40))} - {
            stated
        }:
            if value >= 0 and not value << shift & ~mask:
                other = (word & ~mask | value << shift).to_bytes(self.span.size, "little")
                yield value, data[: self.span.offset] + other + data[end:]


def _numbers_of(structure: Structure) -> set[str]:
    """Return the paths of the numbers on which fields of a structure depend."""
    paths = {path for field in structure.fields for path in field.numbers}
    paths |= {field.offset_in[0] for field in structure.fields if field.offset_in}
    paths |= {structure.extent.path} if structure.extent else set()
    arrays = {field.name for field in structure.fields if isinstance(field.kind, Numbers)}
    return {path for path in paths - arrays if path.partition(".")[0] in structure.by_name}


def _in_samples() -> list[Number]:
    numbers = []
    for key, sample in SAMPLES.items():
        data, layout = sample.record.encode(), type(sample.record).layout
        reader = diagnostic_reader(data)
        reader.read(layout, 0, len(data))
        spans = {span.path: span for span in reader.spans}
        for around in [span for span in spans.values() if span.value is None]:
            for name in sorted(_numbers_of(around.structure)):
                path, label = f"{around.path}.{name}", f"{around.structure.name}.{name}"
                word, _, group = path.rpartition(".")
                if path in spans:
                    numbers.append(Number(key, path, label, spans[path], None))
                elif word in spans:
                    field = spans[word].field
                    assert field is not None
                    assert field.word is not None
                    numbers.append(Number(key, path, label, spans[word], field.word.group(group)))
    return numbers


NUMBERS = table(_in_samples)


def _names(error: mw.DecodeError, number: Number) -> bool:
    return number.path in {error.path, error.source_path} or (
        number.group is not None and error.path == number.path.rpartition(".")[0]
    )


def _error(decode: Callable[[bytes], Any], data: bytes) -> mw.DecodeError | None:
    try:
        decode(data)
    except mw.DecodeError as error:
        return error
    return None


@for_each("number", NUMBERS, ids=lambda number: f"{number.sample}: {number.path}")
def test_what_lies_is_named(number: Number) -> None:
    """And each error has a requirement."""
    is_certain = number.label.partition(".")[2] in ALWAYS
    for value, data in number.cases():
        error = _error(SAMPLES[number.sample].decode, data)
        if error is not None:
            assert error.requirement, str(error)
            assert _names(error, number) or not is_certain, (value, str(error), error.source_path)


@for_each("name", lambda: [field.name for field in mqmq.SecurityHeader.layout.fields if "Size" in field.name])
def test_no_other_size_is_named(name: str) -> None:
    """The identifier has the size of its kind, and the key states its own: only one size can be wrong."""
    (number,) = (
        number
        for number in NUMBERS()
        if number.sample == "message of a queue manager" and number.path.endswith(f"SecurityHeader.{name}")
    )
    errors = [(value, _error(mw.decode, data)) for value, data in number.cases()]
    assert [value for value, error in errors if error is not None]
    assert not [(value, str(error)) for value, error in errors if error and not _names(error, number)]


def test_each_number_of_the_definitions_is_named() -> None:
    """With some of its values at least, or the table says why not."""
    known = {f"{name}.{path}" for name, structure in structures().items() for path in _numbers_of(structure)}
    acknowledgments = {"OrderAck.BaseHeader.PacketSize", "FinalAck.BaseHeader.PacketSize"}  # read as messages
    trailers = {path for path in known if ".ExtensionHeader.Flags." in path}  # see test_wrong_flags
    named = {
        number.label
        for number in NUMBERS()
        for _, data in number.cases()
        if (error := _error(SAMPLES[number.sample].decode, data)) is not None and _names(error, number)
    }
    assert known - acknowledgments - trailers - named == BY_BOTH.keys()


@pytest.mark.parametrize("key", SAMPLES)
def test_no_number_lies_in_truncated_bytes(key: str) -> None:
    """Only where a list seems to end are there as many elements as another count would have."""
    record, decode = SAMPLES[key]
    data = record.encode()
    decode(data)
    for size in range(20, len(data)):
        error = _error(decode, data[:size])
        if error is not None and not error.path.endswith("Count"):
            assert error.code not in {mw.Problem.VALUE, mw.Problem.FLAG, mw.Problem.OFFSET}, str(error)


def test_either_of_two_forms() -> None:
    """A name that neither flag announces is that of either queue (errata M62)."""
    header = mqmq.UserHeader(DestinationQueue="DIRECT=OS:host\\q", AdminQueue="DIRECT=OS:host\\adm")
    data = bytearray(_message(UserHeader=header).encode())
    data[61] &= 0x1F  # AQ is 0
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(bytes(data))
    error = caught.value
    assert (error.path, error.requirement) == ("UserMessage.UserHeader.Flags", "MQMQ-2.2.19.2-51")
    assert error.expected == "AQ 7 with AdminQueue or RQ 7 with ResponseQueue"


def test_a_session_header_that_no_flag_announces() -> None:
    data = _message().encode() + mqmq.SessionHeader(AckSequenceNumber=7).encode()
    with pytest.raises(mw.DecodeError) as caught:
        mw.decode(data)
    assert (caught.value.path, caught.value.offset) == ("UserMessage.BaseHeader.Flags.SH", 2)
    for surplus in (bytes(16), data[-16:-1], data[-16:] + b"\0", data[:16]):
        with pytest.raises(mw.DecodeError) as caught:
            mw.decode(_message().encode() + surplus)
        assert caught.value.path == "UserMessage"


def test_surplus_bytes_hide_no_lie() -> None:
    """The packet is what its PacketSize says."""
    number = next(number for number in NUMBERS() if number.path.endswith("Destination.HeaderSize"))
    for _, data in number.cases():
        paths = []
        for surplus in (b"", b"\0", b"\1\2\3\4"):
            error = _error(mw.decode, data + surplus)
            paths += [] if error is None else [error.path]
        assert len({*paths} - {"UserMessage"}) <= 1


def test_an_unknown_property_is_named() -> None:
    change = mqdsrp.DirectoryChange(
        PathName="m", PropertyID=(999,), PropertyValue=(mw.PropertyValue(19, 10),)
    )
    data = mqdsrp.SyncReplyMessage(DirectoryChanges=[change]).encode()
    with pytest.raises(mw.DecodeError) as caught:
        mqdsrp.decode(data)
    error = caught.value
    path = "SyncReplyMessage.DirectoryChanges[0].PropertyID[0]"
    assert (error.source_path, error.source_offset) == (path, data.index((999).to_bytes(4, "little")))
