"""Requirements that writing sees to: sizes, orders, widths, byte order, terminators and forms of values.

What a row demands is typed in here from the catalogue, and what the library writes is held against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support_marks import proves
from support_rows import for_each, table
from support_specs import load_requirements, load_value_vectors
from support_values import property_value

from msmq_wire import GUID, NULL_GUID, EncodeError, PropertyValue, Record, mqdsrp, mqmq, validate
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.propid import PROPID, by_name
from msmq_wire.records.model import NUL, Bytes, Flags, Integer, Items, Nested, Numbers, Text
from msmq_wire.testing.bent.records import bend
from msmq_wire.values.properties.values import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support_specs import ValueVector

ENCODED = {row.id: row for row in load_requirements() if "encode" in row.checked}

SIZES = {
    "MQMQ-2.2.4.2-01": ("IPXAddress", 10),
    "MQMQ-2.2.5.1-01": ("SEQUENCE_INFO", 16),
    "MQMQ-2.2.18.1.2-01": ("TxSequenceID", 8),
    "MQMQ-2.2.18.1.3-03": ("MessageIdentifier", 20),
    "MQMQ-2.2.18.1.5.1-01": ("PrivateQueueFormatNameId", 4),
    "MQMQ-2.2.18.1.7.1-01": ("PublicQueueFormatName", 16),
    "MQMQ-2.2.18.1.7.2-01": ("PrivateQueueFormatName", 20),
    "MQMQ-2.2.19.1-39": ("BaseHeader", 16),
    "MQMQ-2.2.20.4-16": ("SessionHeader", 16),
    "MQQB-2.2.1-30": ("InternalHeader", 4),
    "MQQB-2.2.2-03": ("ConnectionParameters", 32),
    "MQQB-2.2.3-03": ("EstablishConnection", 572),
    "MQQB-2.2.3.1-24": ("EstablishConnectionHeader", 552),
    "MQQB-2.2.4.1-08": ("OrderAckBody", 36),
    "MQQB-2.2.5.1-06": ("FinalAckBody", 36),
    "MQQB-2.2.6-04": ("SessionAck", 36),
    "MQQB-2.2.7-26": ("PingPacket", 24),
    "MQRR-2.2.5.1-08": ("UserHeaderAddress", 16),
    "MQDSRP-2.2.3-01": ("PARTITION_SEQ_NUMBERS", 32),
    "MQDSRP-2.2.5.1-03": ("BaseReplicationHeader", 18),
    "MQDSRP-2.2.5.3-03": ("SyncReplyHeader", 66),
    "MQDSRP-2.2.6.8-02": ("AlreadyPurgedMessage", 42),
}
LEAST_SIZES = {
    "MQMQ-2.2.19.2-53": ("UserHeader", 48),
    "MQMQ-2.2.19.3-44": ("MessagePropertiesHeader", 56),
    "MQMQ-2.2.20.5-35": ("TransactionHeader", 20),
    "MQMQ-2.2.20.6-47": ("SecurityHeader", 16),
    "MQMQ-2.2.22-03": ("MQUSERSIGNCERT", 36),
    "MQDSRP-2.2.6.4-04": ("SyncRequestMessage", 60 + 2),  # with the terminator of an empty name
    "MQDSRP-2.2.6.6-02": ("BSCAckMessage", 34 + 2),
    "MQDSRP-2.2.6.7-02": ("PSCAckMessage", 58 + 2),
}
ORDERS = {
    "MQMQ-2.2.19.1-39": ("BaseHeader", "VersionNumber Reserved Flags Signature PacketSize TimeToReachQueue"),
    "MQMQ-2.2.4.2-01": ("IPXAddress", "Netnum nodenum"),
    "MQMQ-2.2.5.1-01": ("SEQUENCE_INFO", "SeqID SeqNo PrevNo"),
    "MQMQ-2.2.18.1.2-01": ("TxSequenceID", "Ordinal TimeStamp"),
    "MQMQ-2.2.18.1.3-03": ("MessageIdentifier", "QueueManagerGuid Ordinal"),
    "MQMQ-2.2.18.1.5.2-01": ("DirectQueueFormatName", "Count DirectFormatName"),
    "MQMQ-2.2.18.1.7.2-01": ("PrivateQueueFormatName", "SourceQueueManager PrivateQueueIdentifier"),
    "MQMQ-2.2.19.2-53": (
        "UserHeader",
        "SourceQueueManager QueueManagerAddress TimeToBeReceived SentTime MessageID Flags",
    ),
    "MQMQ-2.2.19.3-44": ("MessagePropertiesHeader", "Label ExtensionData MessageBody Padding"),
    "MQMQ-2.2.20-12": (
        "UserMessage",
        (
            "BaseHeader UserHeader TransactionHeader SecurityHeader MessagePropertiesHeader DebugHeader "
            "SoapHeader MultiQueueFormatHeader SessionHeader"
        ),
    ),
    "MQMQ-2.2.20.6-45": ("SecurityData", "SecurityID EncryptionKey Signature SenderCert ProviderInfo"),
    "MQMQ-2.2.22-03": ("MQUSERSIGNCERT", "Digest Identifier CertificateLength Certificate"),
    "MQQB-2.2.2-03": ("ConnectionParameters", "BaseHeader InternalHeader ConnectionParametersHeader"),
    "MQQB-2.2.3-03": ("EstablishConnection", "BaseHeader InternalHeader EstablishConnectionHeader"),
    "MQQB-2.2.3.1-24": (
        "EstablishConnectionHeader",
        "ClientGuid ServerGuid TimeStamp OperatingSystem Reserved Padding",
    ),
    "MQQB-2.2.4.1-08": ("OrderAckBody", "TxSequenceID TxSequenceNumber TxPreviousSequenceNumber Reserved"),
    "MQQB-2.2.5.1-06": (
        "FinalAckBody",
        "TxSequenceID TxSequenceNumber TxPreviousSequenceNumber SourceGUID MessageID",
    ),
    "MQQB-2.2.6-04": ("SessionAck", "BaseHeader InternalHeader SessionHeader"),
    "MQQB-2.2.7-26": ("PingPacket", "Flags Signature Cookie QMGuid"),
    "MQRR-2.2.5-01": (
        "MessagePacket",
        "UserMessage ExtensionHeader SubqueueHeader DeadLetterHeader ExtendedAddressHeader",
    ),
    "MQRR-2.2.5.1-08": ("UserHeaderAddress", "AddressLength AddressType AddressScope Address"),
    "MQRR-2.2.5.1-10": ("UserMessage", "DebugHeader SRMPEnvelopeHeader CompoundMessageHeader SoapHeader"),
    "MQDSRP-2.2.3-01": ("PARTITION_SEQ_NUMBERS", "PartitionID LastSeqNumber PurgedSeqNumber"),
    "MQDSRP-2.2.4-08": (
        "DirectoryChange",
        (
            "Command UseGuid PathName GuidIdentifier PartitionID PreviousSeqNumber SeqNumber PurgedSeqNumber "
            "NumberOfProperties PropertyID PropertyValue"
        ),
    ),
    "MQDSRP-2.2.5.1-03": ("BaseReplicationHeader", "Version SiteID Operation"),
    "MQDSRP-2.2.5.2-04": (
        "ChangeRequestHeader",
        "BaseReplicationHeader PartitionID RequestIdentifier PSCNameOffset RequesterName PSCName",
    ),
    "MQDSRP-2.2.5.3-03": (
        "SyncReplyHeader",
        "BaseReplicationHeader PartitionID FromSeqNumber ToSeqNumber PurgedSeqNumber Count CompleteSync0",
    ),
    "MQDSRP-2.2.6.2-02": ("ChangeRequestMessage", "ChangeRequestHeader DirectoryChange"),
    "MQDSRP-2.2.6.3-02": (
        "ChangeReplyMessage",
        "BaseReplicationHeader RequestIdentifier Result RequesterName",
    ),
    "MQDSRP-2.2.6.4-04": (
        "SyncRequestMessage",
        (
            "BaseReplicationHeader PartitionID FromSeqNumber ToSeqNumber KnownPurgedSeqNumber IsSync0 Scope "
            "RequesterName"
        ),
    ),
    "MQDSRP-2.2.6.6-02": ("BSCAckMessage", "BaseReplicationHeader BSCMachineID BSCName"),
    "MQDSRP-2.2.6.7-02": (
        "PSCAckMessage",
        "BaseReplicationHeader PSCSiteID AckedPartitionID AckedSeqNumber PSCName",
    ),
    "MQDSRP-2.2.6.8-02": ("AlreadyPurgedMessage", "BaseReplicationHeader PartitionID PurgedSeqNumber"),
    "MQDSRP-2.2.6.9-06": (
        "ChangePropagationMessage",
        "BaseReplicationHeader Flush Count DirectoryChanges SeqNumberHeader",
    ),
    "MQCN-2.2.6-12": (
        "NotificationUpdate",
        (
            "Command UseGuid PathName GuidIdentifier GuidMasterId Reserved NumberOfProperties PropertyId "
            "PropertyValue"
        ),
    ),
}
WIDTHS = {
    "MQMQ-2.2.20.6-33": ("SenderCertPublicKey", "LengthInBits", 4),
    "MQMQ-2.2.20.6-35": ("SenderCertPublicKey", "PublicExponent", 4),
    "MQMQ-2.3-01": ("DirectoryChange", "PropertyID", 4),
    "MQQB-2.2.2.1-05": ("ConnectionParametersHeader", "WindowSize", 2),
    "MQRR-2.2.5.1-05": ("UserHeaderAddress", "Address", 8),
    "MQDSRP-2.2.1-02": ("DirectoryChange", "PropertyID", 4),
    "MQDSRP-2.2.4-11": ("DirectoryChange", "NumberOfProperties", 1),
    "MQDSRP-2.2.5.3-07": ("SyncReplyHeader", "Count", 4),
}
BITS = {
    "MQMQ-2.2.19.1-38": ("BaseHeader", "PR", 0, 3, 3),
    "MQMQ-2.2.19.2-18": ("UserHeader", "RQ", 16, 3, 0),
}
ALWAYS = {
    "MQMQ-2.2.20-01": ("UserMessage", "BaseHeader UserHeader MessagePropertiesHeader"),
    "MQMQ-2.2.20-07": ("UserMessage", "MessagePropertiesHeader"),
    "MQDSRP-2.2.6.9-07": ("ChangePropagationMessage", "SeqNumberHeader"),
}


@pytest.mark.requirement
@for_each(("requirement", "name", "size"), lambda: [proves(one, *row) for one, row in SIZES.items()])
def test_fixed_sizes(requirement: str, name: str, size: int) -> None:
    assert requirement in ENCODED
    assert structures()[name].fixed_size == size


@pytest.mark.requirement
@for_each(("requirement", "name", "size"), lambda: [proves(one, *row) for one, row in LEAST_SIZES.items()])
def test_least_sizes(requirement: str, name: str, size: int) -> None:
    assert requirement in ENCODED
    assert structures()[name].least_size == size


@pytest.mark.requirement
@for_each(("requirement", "name", "fields"), lambda: [proves(one, *row) for one, row in ORDERS.items()])
def test_orders(requirement: str, name: str, fields: str) -> None:
    """The fields that the statement names stand in its order."""
    assert requirement in ENCODED
    wanted = fields.split()
    assert [field for field in structures()[name].by_name if field in wanted] == wanted


@pytest.mark.requirement
@for_each(
    ("requirement", "name", "field", "size"), lambda: [proves(one, *row) for one, row in WIDTHS.items()]
)
def test_widths(requirement: str, name: str, field: str, size: int) -> None:
    assert requirement in ENCODED
    kind = structures()[name].by_name[field].kind
    assert isinstance(kind, (Integer, Numbers, Bytes))
    assert (kind.count if isinstance(kind, Bytes) else kind.size) == size


@pytest.mark.requirement
@for_each(
    ("requirement", "name", "group", "shift", "width", "default"),
    lambda: [proves(one, *row) for one, row in BITS.items()],
)
def test_bits(requirement: str, name: str, group: str, shift: int, width: int, default: int) -> None:
    assert requirement in ENCODED
    kind = structures()[name].by_name["Flags"].kind
    assert isinstance(kind, Flags)
    found = kind.group(group)
    assert (found.shift, found.width) == (shift, width)
    record: Any = Record.class_of(name)()
    assert getattr(record.Flags, group) == default


@pytest.mark.requirement
@for_each(("requirement", "name", "fields"), lambda: [proves(one, *row) for one, row in ALWAYS.items()])
def test_what_is_always_there(requirement: str, name: str, fields: str) -> None:
    assert requirement in ENCODED
    record: Any = Record.class_of(name)()
    for field in fields.split():
        assert structures()[name].by_name[field].present is None
        assert getattr(record, field) is not None
        with pytest.raises(EncodeError):
            bend(record, field, None).encode()


@pytest.mark.requirement("MQMQ-2.2.20.5-35")
def test_transaction_header_with_connector() -> None:
    assert len(mqmq.TransactionHeader(ConnectorQMGuid=NULL_GUID).encode()) == 36


@pytest.mark.requirement("MQMQ-2.2.18.1.2-01")
def test_sequences_are_compared_as_one_number() -> None:
    data = mqmq.TxSequenceID(Ordinal=2, TimeStamp=1).encode()
    assert int.from_bytes(data, "little") == 1 << 32 | 2


@pytest.mark.requirement("MQMQ-2.2.20.2-06")
def test_lists_of_queues() -> None:
    kind = structures()["MQFAddressHeader"].by_name["FormatNameList"].kind
    assert isinstance(kind, Items)
    assert kind.structure.name == "MQFFormatNameElement"
    wrong: Any = (mqmq.PublicQueueFormatName(NULL_GUID),)
    with pytest.raises(EncodeError):
        mqmq.MQFAddressHeader(FormatNameList=wrong)


@pytest.mark.requirement("MQMQ-2.2.20.6-38")
def test_a_modulus_is_bytes() -> None:
    assert isinstance(structures()["SenderCertPublicKey"].by_name["Modulus"].kind, Bytes)


@pytest.mark.requirement("MQDSRP-2.2.6.2-02")
def test_one_change_in_a_request() -> None:
    assert isinstance(structures()["ChangeRequestMessage"].by_name["DirectoryChange"].kind, Nested)


@pytest.mark.requirement("MQDSRP-2.2.6-01")
def test_every_replication_message_begins_with_the_same_header() -> None:
    for kind in mqdsrp.Message.__args__:
        structure = structures()[kind.__name__]
        while isinstance(structure.fields[0].kind, Nested):
            structure = structure.fields[0].kind.structure
        assert structure.name == "BaseReplicationHeader"


# ------------------------------------------------------------------------------------------- byte order


def _numbers(document: str) -> Iterator[tuple[str, str, int, int]]:
    """Numbers at fixed places: structure, field, offset and size."""
    for name, structure in structures().items():
        offset = 0
        for field in structure.fields if structure.document == document else ():
            size = structure.fixed_size if len(structure.fields) == 1 else getattr(field.kind, "size", None)
            if isinstance(field.kind, Integer) and field.kind.bounds[0] == 0:
                yield name, field.name, offset, field.kind.size
            if not isinstance(size, int) or field.present:
                break
            offset += size


@pytest.mark.parametrize(
    ("requirement", "document"),
    [
        proves("MQMQ-2.2.18-01", "MS-MQMQ"),
        proves("MQQB-2.2-01", "MS-MQQB"),
        proves("MQDSRP-2.2-01", "MC-MQDSRP"),
    ],
)
def test_numbers_are_little_endian(requirement: str, document: str) -> None:
    assert requirement in ENCODED
    seen = 0
    for name, field, offset, size in _numbers(document):
        kind: Any = Record.class_of(name)
        number = int.from_bytes(bytes(range(size)), "big")
        try:
            data = kind(**{field: number}).encode()
        except EncodeError:
            continue  # a count or a selector without what it announces
        assert data[offset : offset + size] == bytes(reversed(range(size))), f"{name}.{field}"
        seen += 1
    assert seen > 3


@pytest.mark.requirement("MQDSRP-2.2-01")
def test_sequence_numbers_and_guids() -> None:
    guid = GUID.of("00010203-0405-0607-0809-0a0b0c0d0e0f")
    data = mqdsrp.PARTITION_SEQ_NUMBERS(
        PartitionID=guid, LastSeqNumber=mqdsrp.SEQUENCE_NUMBER.of(1), PurgedSeqNumber=mqdsrp.MIN_SEQ_NUMBER
    ).encode()
    assert data.hex() == "0302010005040706" + "08090a0b0c0d0e0f" + "0000000000000001" + "0000000000000000"


# ------------------------------------------------------------------------------------------- terminators

TERMINATED = {
    "MQRR-2.2.5.4-02": ("DeadLetterHeader", "DeadLetterPathName"),
    "MQDSRP-2.2.4-09": ("DirectoryChange", "PathName"),
    "MQDSRP-2.2.5.2-06": ("ChangeRequestHeader", "RequesterName"),
    "MQDSRP-2.2.5.2-07": ("ChangeRequestHeader", "PSCName"),
    "MQDSRP-2.2.5.4-04": ("SeqNumberHeader", "MachineName"),
    "MQDSRP-2.2.6.3-05": ("ChangeReplyMessage", "RequesterName"),
    "MQDSRP-2.2.6.4-05": ("SyncRequestMessage", "RequesterName"),
    "MQDSRP-2.2.6.6-04": ("BSCAckMessage", "BSCName"),
    "MQDSRP-2.2.6.7-05": ("PSCAckMessage", "PSCName"),
    "MQDSRP-2.2.1-04": ("PSCAckMessage", "PSCName"),
    "MQCN-2.2.6-04": ("NotificationUpdate", "PathName"),
    "MQCN-3.3.5.2-07": ("NotificationUpdate", "PathName"),
}
MORE: dict[str, dict[str, Any]] = {
    "SeqNumberHeader": {
        "PartitionSeqNumbers": (mqdsrp.PARTITION_SEQ_NUMBERS(PartitionID=NULL_GUID),),
    },
}


@pytest.mark.requirement
@for_each(("requirement", "name", "field"), lambda: [proves(one, *row) for one, row in TERMINATED.items()])
def test_terminators(requirement: str, name: str, field: str) -> None:
    """A name is written as UTF-16 with one terminator, and takes none of its own."""
    assert requirement in ENCODED
    kind: Any = Record.class_of(name)
    layout = structures()[name].by_name[field].kind
    assert isinstance(layout, Text)
    assert layout.count == NUL
    data = kind(**{field: "A\N{SNOWMAN}\N{GRINNING FACE}"}, **MORE.get(name, {})).encode()
    assert data.count(bytes.fromhex("4100 0326 3dd8 00de 0000")) == 1
    with pytest.raises(EncodeError, match="null character"):
        kind(**{field: "a\0b"}, **MORE.get(name, {}))


# -------------------------------------------------------------------------------------- property values

_MQCN = [one for one in ENCODED if one.startswith("MQCN-2.2.3")]
_NAMED = [row for row in ENCODED.values() if row.section == "2.2.12"]
_COUNTED = {
    "VT_UI1": "MQMQ-2.2.16.1-01",
    "VT_UI2": "MQMQ-2.2.16.2-01",
    "VT_I4": "MQMQ-2.2.16.3-01",
    "VT_UI4": "MQMQ-2.2.16.4-01",
    "VT_UI8": "MQMQ-2.2.16.5-01",
    "VT_CLSID": "MQMQ-2.2.16.6-01",
    "VT_LPWSTR": "MQMQ-2.2.16.7-01",
    "VT_VARIANT": "MQMQ-2.2.16.8-01",
}


def _proved(vector: ValueVector) -> Iterator[str]:
    """The rows that a property value of known bytes is an instance of."""
    base, _, array = vector.type.partition(" | ")
    section = vector.section.partition("] ")[2]
    yield from (one for one in _MQCN if one.rpartition("-")[0] == f"MQCN-{section}")
    yield from ("MQCN-2.2.3-01", "MQCN-2.2.3-02")
    yield from (row.id for row in _NAMED if f"({base})" in row.requirement)
    if array:
        yield from ("MQMQ-2.2.12-18", "MQCN-2.2.3-03")
        if base in _COUNTED:
            yield _COUNTED[base]
    if base == "VT_VARIANT":
        yield "MQMQ-2.2.13.1-05"
    if vector.type == "VT_BLOB":
        yield "MQMQ-2.2.15-01"


VECTORS = table(
    lambda: [
        pytest.param(vector, marks=pytest.mark.requirement(*_proved(vector)), id=vector.name)
        for vector in load_value_vectors()
    ]
)


@pytest.mark.requirement
@for_each("vector", VECTORS)
def test_values_are_written_in_the_one_form_of_their_type(vector: ValueVector) -> None:
    """The value is that of the page, not only one from which the same bytes come."""
    value = property_value(vector.type, vector.value)
    assert value.vt == vector.number
    assert PropertyValue.decode(vector.number, vector.data) == value
    assert value.encode() == vector.data
    assert PropertyValue.of(vector.number, value.value).encode() == vector.data


LIMITS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "MQMQ-2.3.1.6-01": ("PROPID_Q_BASEPRIORITY", (-0x8000, 0, 0x7FFF)),
    "MQMQ-2.3.1.7-01": ("PROPID_Q_JOURNAL_QUOTA", (0, 0xFFFFFFFF)),
    "MQMQ-2.3.2.10-01": ("PROPID_QM_QUOTA", (0, 0xFFFFFFFF)),
    "MQMQ-2.3.2.14-01": ("PROPID_QM_JOURNAL_QUOTA", (0, 0xFFFFFFFF)),
    "MQMQ-2.3.6.5-01": ("PROPID_U_DIGEST", ((), (NULL_GUID, GUID(b"\xff" * 16)))),
    "MQMQ-2.3.9.3-01": ("PROPID_MQU_DIGEST", ((), (NULL_GUID, GUID(b"\xff" * 16)))),
    "MQMQ-2.3.10.7-01": ("PROPID_COM_DIGEST", ((), (NULL_GUID, GUID(b"\xff" * 16)))),
}


@pytest.mark.requirement
@for_each(("requirement", "name", "values"), lambda: [proves(one, *row) for one, row in LIMITS.items()])
def test_all_values_of_the_type_are_allowed(requirement: str, name: str, values: tuple[Any, ...]) -> None:
    assert requirement in ENCODED
    known = by_name(name)
    assert known is not None
    assert type_of(known.number) == known.vartype
    for value in values:
        change = mqdsrp.DirectoryChange(
            GuidIdentifier=GUID(b"\x11" * 16),
            PropertyID=(known.number,),
            PropertyValue=(PropertyValue(known.vartype, value),),
        )
        assert mqdsrp.DirectoryChange.decode(change.encode()) == change
        assert validate(change, "should") == ()


# ------------------------------------------------------------------------------------------- identifiers

NUMBERS = {
    "MQDSRP-3.1.1.2.2-03": {
        "PROPID_D_IDENTIFIER": 1405, "PROPID_D_PARTITIONID": 1402, "PROPID_D_SEQNUM": 1401,
        "PROPID_D_SCOPE": 1403, "PROPID_D_OBJTYPE": 1404,
    },
    "MQCN-3.1.1.2.1-01": {
        "PROPID_QM_MACHINE_ID": 202, "PROPID_QM_FOREIGN": 219, "PROPID_QM_QUOTA": 214,
        "PROPID_QM_JOURNAL_QUOTA": 215, "PROPID_QM_SECURITY": 1201, "PROPID_QM_CNS": 207,
        "PROPID_QM_MACHINE_TYPE": 216, "PROPID_QM_OS": 220,
    },
    "MQCN-3.1.1.3-01": {
        "PROPID_Q_INSTANCE": 101, "PROPID_Q_TYPE": 102, "PROPID_Q_BASEPRIORITY": 106,
        "PROPID_Q_JOURNAL": 104, "PROPID_Q_QUOTA": 105, "PROPID_Q_JOURNAL_QUOTA": 107,
        "PROPID_Q_CREATE_TIME": 109, "PROPID_Q_MODIFY_TIME": 110, "PROPID_Q_SECURITY": 1101,
        "PROPID_Q_PATHNAME": 103, "PROPID_Q_LABEL": 108, "PROPID_Q_AUTHENTICATE": 111,
        "PROPID_Q_PRIV_LEVEL": 112, "PROPID_Q_TRANSACTION": 113, "PROPID_Q_MULTICAST_ADDRESS": 125,
        "PROPID_Q_ADS_PATH": 126, "PROPID_Q_SCOPE": 114,
    },
}  # fmt: skip


@pytest.mark.requirement
@for_each(("requirement", "numbers"), lambda: [proves(one, row) for one, row in NUMBERS.items()])
def test_identifiers_of_attributes(requirement: str, numbers: dict[str, int]) -> None:
    assert requirement in ENCODED
    assert {name: PROPID[name] for name in numbers} == numbers
