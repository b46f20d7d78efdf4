"""Records survive the way through dictionaries and JSON; what is no record is refused with its place."""

from __future__ import annotations

import json
import uuid
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_rows import for_each, table
from support_specs import load_vectors

import msmq_wire as mw
from msmq_wire import mqmq, mqqb, mqrr
from msmq_wire.documents.layouts import structures
from msmq_wire.records.model import Flags
from msmq_wire.records.record import record_class
from msmq_wire.values.properties.values import MAX_DEPTH, PropertyValue
from msmq_wire.views.plain import STRUCTURE, from_dict, to_dict

GUID = mw.GUID.of("557358d1-9150-9595-4997-b6e611ea26c6")
VECTORS = table(lambda: {vector.name: vector for vector in load_vectors() if not vector.truncated})
DirectoryChange = record_class("DirectoryChange")
ChangePropagationMessage = record_class("ChangePropagationMessage")
SHARED = {"BaseHeader", "UserHeader", "MessagePropertiesHeader"}


def decoded(name: str) -> Any:
    vector = VECTORS()[name]
    return mqqb.PingPacket.decode(vector.data) if vector.packet == "PingPacket" else mw.decode(vector.data)


def acknowledgment(kind: Any, number: int, label: str = "QM Ordering Ack") -> Any:
    return kind(
        UserHeader=mqmq.UserHeader(DestinationQueue=mqmq.PrivateQueueFormatNameId(4)),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label=label, MessageClass=number, MessageBody=bytes(36)
        ),
    )


def element(name: Any) -> Any:
    return mqmq.MQFFormatNameElement(FormatName=name)


FULL = mqmq.UserMessage(
    UserHeader=mqmq.UserHeader(
        SourceQueueManager=GUID,
        DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\q"),
        AdminQueue=mqmq.PrivateQueueFormatNameId(4),
        ResponseQueue=mqmq.PrivateQueueFormatName(GUID, 5),
        ConnectorType=GUID,
    ),
    TransactionHeader=mqmq.TransactionHeader(ConnectorQMGuid=GUID),
    SecurityHeader=mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SecurityID=GUID.bytes_le)),
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="a\ud800\u65e5", MessageBody=b"x" * 5),
    DebugHeader=mqmq.DebugHeader(QueueIdentifier=GUID),
    SoapHeader=mqmq.SoapHeader(Header="h", Body="b"),
    MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader(
        Destination=mqmq.MQFAddressHeader(
            FormatNameList=[
                element(mqmq.MQFDirectQueueFormatName("OS:a\\b")),
                element(mqmq.PublicQueueFormatName(GUID)),
                element(mqmq.PrivateQueueFormatName(GUID, 7)),
                element(mqmq.MQFDistributionQueueFormatName(GUID)),
            ]
        )
    ),
    ExtensionHeader=mqrr.ExtensionHeader(),
    SubqueueHeader=mqrr.SubqueueHeader(),
    DeadLetterHeader=mqrr.DeadLetterHeader(DeadLetterPathName="d"),
    ExtendedAddressHeader=mqrr.ExtendedAddressHeader(AddressType=1),
)
CHANGE = DirectoryChange(
    PathName="a\\b",
    SeqNumber=5,
    PropertyID=[101, 103, 1201, 102],
    PropertyValue=[
        GUID,
        "label",
        PropertyValue(
            0x100C,
            (
                PropertyValue(0x101F, ("a", "b")),
                PropertyValue(65, b"\x01"),
                PropertyValue(0, None),
                PropertyValue(0x1048, (GUID,)),
                PropertyValue(19, 7),
            ),
        ),
        PropertyValue(2, -1),
    ],
)
RECORDS = [
    FULL,
    CHANGE,
    ChangePropagationMessage(DirectoryChanges=[CHANGE]),
    record_class("ChangeNotificationMessage")(Version=2, Data=record_class("NotificationBody")(Text="x")),
    mqrr.MessagePacket(UserMessage=FULL),
    mqmq.BaseHeader(),
    mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(PR=1)),
    acknowledgment(mqqb.OrderAck, 0xFF),
    acknowledgment(mqqb.FinalAck, 0x4000),
    mqmq.UserMessage(UserHeader=FULL.UserHeader),
    # Bent on purpose: selectors, sizes and flags that say something else than what is there.
    mqmq.UserHeader(DestinationQueue=mqmq.PublicQueueFormatName(GUID), Flags=mqmq.UserHeaderFlags(DQ=7)),
    mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(DQ=5, AQ=1)),
    mqmq.UserHeader(AdminQueue=mqmq.PrivateQueueFormatNameId(1), Flags=mqmq.UserHeaderFlags(AQ=6)),
    mqmq.MQFFormatNameElement(FormatType=1, FormatName=mqmq.MQFDirectQueueFormatName("x")),
    mqmq.MQFAddressHeader(HeaderSize=3, ElementCount=77, Padding=b"abc"),
    mqmq.MessagePropertiesHeader(LabelLength=3, Label="no terminator", MessageSize=9, Padding=b"xyz12"),
    mqmq.SecurityHeader(SenderIdSize=9),
    mw.replace(FULL, BaseHeader=mqmq.BaseHeader(PacketSize=1, Signature=0, Flags=0xFFFF)),
]


# ------------------------------------------------------------------------------------------- round trips


def test_keys_tell_every_structure_but_two() -> None:
    shared = [
        (one, other)
        for one, other in combinations(structures().values(), 2)
        if one.by_name.keys() == other.by_name.keys()
    ]
    assert [{one.name, other.name} for one, other in shared] == [{"OrderAck", "FinalAck"}]
    assert structures()["OrderAck"].by_name.keys() == SHARED


def test_groups_hold_every_bit_of_their_word() -> None:
    for structure in structures().values():
        for field in structure.fields:
            if isinstance(field.kind, Flags):
                assert sum(group.width for group in field.kind.groups) == field.kind.size * 8


@for_each("name", VECTORS)
def test_vectors(name: str) -> None:
    packet = decoded(name)
    plain = to_dict(packet)
    assert from_dict(plain) == packet
    again = from_dict(json.loads(json.dumps(plain)))
    assert type(again) is type(packet)
    assert again.encode() == VECTORS()[name].data


@for_each("record", lambda: RECORDS, ids=lambda record: type(record).__name__)
def test_records(record: Any) -> None:
    plain = to_dict(record)
    assert list(plain) == [field.name for field in record.layout.fields]
    for kind in (None, type(record), type(record).__name__):
        again = from_dict(json.loads(json.dumps(plain)), kind)
        assert type(again) is type(record)
        assert again == record
        assert again.encode() == record.encode()


def test_values_are_of_json_types() -> None:
    plain = to_dict(FULL)
    user = plain["UserHeader"]
    assert user["SourceQueueManager"] == str(GUID)
    assert user["DestinationQueue"] == {"Count": 14, "DirectFormatName": "OS:a\\q\0", "Padding": ""}
    assert list(user["Flags"])[:6] == ["RC", "DM", "X1", "JN", "JP", "DQ"]
    assert user["Flags"]["DQ"] == 7
    assert plain["SessionHeader"] is None
    assert plain["MessagePropertiesHeader"]["Label"] == "a\ud800\u65e5\0"
    assert plain["MessagePropertiesHeader"]["MessageBody"] == "78" * 5
    names = plain["MultiQueueFormatHeader"]["Destination"]["FormatNameList"]
    assert [item["FormatType"] for item in names] == [3, 1, 2, 6]
    change = to_dict(CHANGE)
    assert change["SeqNumber"] == "0000000000000005"
    assert change["PropertyID"] == [101, 103, 1201, 102]
    assert change["PropertyValue"][1] == {"vt": 31, "value": "label"}
    assert change["PropertyValue"][2]["value"][0] == {"vt": 0x101F, "value": ["a", "b"]}
    # Nothing but the types of JSON, exactly.
    assert {type(value) for value in to_dict(mqmq.BaseHeader()).values()} == {int, dict}


@pytest.mark.parametrize(
    ("kind", "number", "label", "named"),
    [
        (mqqb.OrderAck, 0xFF, "QM Ordering Ack", False),
        (mqqb.OrderAck, 0x4000, "QM Ordering Ack", True),
        (mqqb.OrderAck, 0xFF, "", True),
        (mqqb.FinalAck, 0xC001, "QM Ordering Ack", False),
        (mqqb.FinalAck, 0, "QM Ordering Ack", True),
        (mqqb.FinalAck, 0x4000, "another", True),
    ],
)
def test_acknowledgments_are_named_only_where_they_have_to_be(
    kind: Any, number: int, label: str, named: bool
) -> None:
    record = acknowledgment(kind, number, label)
    plain = to_dict(record)
    assert (plain.get(STRUCTURE) == kind.__name__) is named
    again = from_dict(json.loads(json.dumps(plain)))
    assert type(again) is kind
    assert again == record


@given(st.data())
def test_changed_records(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from([item for item in RECORDS if not item.layout.scoped]))
    for _ in range(3):
        field = data.draw(st.sampled_from(record.layout.fields))
        value = data.draw(
            st.one_of(
                st.integers(0, 0xFFFF),
                st.binary(max_size=9),
                st.text(max_size=5),
                st.sampled_from([getattr(item, field.name) for item in RECORDS if hasattr(item, field.name)]),
            )
        )
        try:
            record = mw.replace(record, **{field.name: value})
        except mw.EncodeError:
            continue
    again = from_dict(json.loads(json.dumps(to_dict(record))))
    assert type(again) is type(record)
    assert again == record


@given(st.binary(max_size=80))
def test_bodies_survive(body: bytes) -> None:
    record = mqmq.MessagePropertiesHeader(MessageBody=body)
    assert from_dict(to_dict(record)) == record


@pytest.mark.parametrize(
    ("name", "field", "least", "most"),
    [
        ("ULARGE_INTEGER", "QuadPart", 0, (1 << 64) - 1),
        ("SEQUENCE_INFO", "SeqID", -(1 << 63), (1 << 63) - 1),
        ("SEQUENCE_INFO", "SeqNo", 0, (1 << 32) - 1),
    ],
)
def test_the_ends_of_numbers(name: str, field: str, least: int, most: int) -> None:
    for number in (least, most):
        record = getattr(mqmq, name)(**{field: number})
        plain = to_dict(record)
        assert plain[field] == number
        assert from_dict(plain, name) == record
    for number in (least - 1, most + 1):
        with pytest.raises(mw.EncodeError) as caught:
            from_dict({field: number}, name)
        assert caught.value.path == f"{name}.{field}"


# ------------------------------------------------------------------------------------ written by a person


def test_missing_keys_are_computed() -> None:
    made = from_dict(
        {
            "UserHeader": {
                "SourceQueueManager": str(GUID).upper(),
                "DestinationQueue": {"DirectFormatName": "OS:a\\q"},
                "Flags": {"DM": 1, "JN": None},
            },
            "MessagePropertiesHeader": {"Label": "hi", "MessageBody": "01 02"},
            "BaseHeader": None,
        }
    )
    assert made == mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=GUID,
            DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\q"),
            Flags=mqmq.UserHeaderFlags(DM=1),
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="hi", MessageBody=b"\1\2"),
    )
    assert mw.decode(made.encode()) == made


def test_the_class_is_given_or_named() -> None:
    assert from_dict({}, "BaseHeader") == mqmq.BaseHeader()
    assert from_dict({}, mqmq.BaseHeader) == mqmq.BaseHeader()
    assert from_dict({STRUCTURE: "OrderAck"}) == mqqb.OrderAck()
    assert from_dict({STRUCTURE: "BaseHeader"}, "BaseHeader") == mqmq.BaseHeader()
    assert from_dict({"VersionNumber": 1, "Flags": 0xFFFF}).Flags == 0xFFFF
    assert type(from_dict({"Cookie": 5})) is mqqb.PingPacket
    assert type(from_dict({"MessagePropertiesHeader": {}})) is mqmq.UserMessage
    assert type(from_dict({"UserHeader": {}})) is mqmq.UserMessage


def test_the_keys_of_no_structure() -> None:
    with pytest.raises(mw.EncodeError, match=r"do not determine the structure; give kind or \$structure"):
        from_dict({"type": "UserMessage"})


def test_queues_as_text() -> None:
    """The text is taken as the constructor takes it; what names no queue is refused with its whole path."""
    plain = {"UserHeader": {"DestinationQueue": "DIRECT=OS:a\\b", "AdminQueue": "DIRECT=OS:c\\d"}}
    header = mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b", AdminQueue="DIRECT=OS:c\\d")
    assert from_dict(plain, "UserMessage") == mqmq.UserMessage(UserHeader=header)
    for value in ("orders", ["DIRECT=OS:a\\b"]):
        with pytest.raises(mw.EncodeError) as caught:
            from_dict({"UserHeader": {"DestinationQueue": value}}, "UserMessage")
        assert caught.value.path == "UserMessage.UserHeader.DestinationQueue"


def test_selectors_decide_between_forms_that_the_keys_leave_open() -> None:
    assert from_dict({"FormatType": 1, "FormatName": {}}) == element(mqmq.PublicQueueFormatName())
    made = from_dict({"Flags": {"DQ": 5}, "DestinationQueue": {}}, "UserHeader")
    assert made.DestinationQueue == mqmq.PublicQueueFormatName()


def test_property_values_without_their_type() -> None:
    made = from_dict(
        {"PathName": "q", "PropertyID": [103, 101], "PropertyValue": ["label", {"value": str(GUID)}]}
    )
    assert made.PropertyValue == (PropertyValue(31, "label"), PropertyValue(72, GUID))


DEEP: Any = {"vt": 0x100C, "value": []}
for _ in range(MAX_DEPTH + 1):
    DEEP = {"vt": 0x100C, "value": [DEEP]}

QUEUE = "UserMessage.UserHeader.DestinationQueue"
VALUE = "DirectoryChange.PropertyValue[0]"

WRONG: list[Any] = [
    (None, None, "Record"),
    ([], "BaseHeader", "BaseHeader"),
    ([], mqmq.BaseHeader, "BaseHeader"),
    ({}, None, "Record"),
    ({}, "Nothing", "Record"),
    ({}, 5, "Record"),
    ({}, mw.Record, "Record"),
    ({STRUCTURE: "OrderAck"}, "FinalAck", f"FinalAck.{STRUCTURE}"),
    ({STRUCTURE: []}, None, "Record"),
    ({5: 1}, "BaseHeader", "BaseHeader.int"),
    ({"UserHeader": {"Flags": {"DM": 4}}}, None, "UserMessage.UserHeader.Flags.DM"),
    ({"UserHeader": {"Flags": {"DM": True}}}, None, "UserMessage.UserHeader.Flags.DM"),
    ({"UserHeader": {"Flags": {"QQ": 4}}}, None, "UserMessage.UserHeader.Flags.QQ"),
    ({"UserHeader": {"Flags": 1 << 32}}, None, "UserMessage.UserHeader.Flags"),
    ({"UserHeader": {"Flags": "x"}}, None, "UserMessage.UserHeader.Flags"),
    ({"UserHeader": {"Nothing": 1}}, None, "UserMessage.UserHeader.Nothing"),
    ({"UserHeader": 5}, None, "UserMessage.UserHeader"),
    ({"UserHeader": {"MessageID": 1.5}}, None, "UserMessage.UserHeader.MessageID"),
    ({"UserHeader": {"MessageID": -1}}, None, "UserMessage.UserHeader.MessageID"),
    ({"UserHeader": {"MessageID": 10**5000}}, None, "UserMessage.UserHeader.MessageID"),
    ({"UserHeader": {"SourceQueueManager": "x"}}, None, "UserMessage.UserHeader.SourceQueueManager"),
    ({"UserHeader": {"SourceQueueManager": 5}}, None, "UserMessage.UserHeader.SourceQueueManager"),
    ({"UserHeader": {"DestinationQueue": 5}}, None, QUEUE),
    ({"UserHeader": {"DestinationQueue": {}}}, None, QUEUE),
    ({"UserHeader": {"DestinationQueue": {}, "Flags": {"DQ": []}}}, None, "UserMessage.UserHeader.Flags.DQ"),
    ({"UserHeader": {"DestinationQueue": {"Q": 1}}}, None, QUEUE),
    ({"UserHeader": {"DestinationQueue": {"Count": "x"}}}, None, f"{QUEUE}.Count"),
    ({"MessageBody": "abc"}, None, "MessagePropertiesHeader.MessageBody"),
    ({"MessageBody": 5}, None, "MessagePropertiesHeader.MessageBody"),
    ({"CorrelationID": "00"}, None, "MessagePropertiesHeader.CorrelationID"),
    ({"Label": b"x"}, None, "MessagePropertiesHeader.Label"),
    ({"Label": "x" * 300}, None, "MessagePropertiesHeader.Label"),
    ({"FormatType": 1}, None, "MQFFormatNameElement.FormatName"),
    ({"FormatNameList": {}}, None, "MQFAddressHeader.FormatNameList"),
    ({"FormatNameList": [{"FormatName": {"X": 1}}]}, None, "MQFAddressHeader.FormatNameList[0].FormatName"),
    ({"FormatNameList": [5]}, None, "MQFAddressHeader.FormatNameList[0]"),
    ({"SeqNumber": "00"}, "DirectoryChange", "DirectoryChange.SeqNumber"),
    ({"SeqNumber": "0" * 15}, "DirectoryChange", "DirectoryChange.SeqNumber"),
    ({"PropertyID": ["x"]}, "DirectoryChange", "DirectoryChange.PropertyID[0]"),
    ({"PropertyID": 5, "PropertyValue": [1]}, "DirectoryChange", "DirectoryChange.PropertyID"),
    ({"PropertyValue": [1]}, "DirectoryChange", f"{VALUE}.vt"),
    ({"PropertyValue": [{"vt": "x"}]}, "DirectoryChange", f"{VALUE}.vt"),
    ({"PropertyValue": [{"vt": 99}]}, "DirectoryChange", f"{VALUE}.vt"),
    ({"PropertyValue": [{"Q": 99}]}, "DirectoryChange", f"{VALUE}.Q"),
    ({"PropertyValue": [{"vt": 0, "value": 1}]}, "DirectoryChange", VALUE),
    ({"PropertyValue": [{"vt": 2, "value": 1 << 20}]}, "DirectoryChange", VALUE),
    ({"PropertyValue": [{"vt": 31, "value": "a\0"}]}, "DirectoryChange", VALUE),
    ({"PropertyValue": [{"vt": 0x1013, "value": 5}]}, "DirectoryChange", VALUE),
    ({"PropertyValue": [{"vt": 0x100C, "value": [5]}]}, "DirectoryChange", f"{VALUE}[0]"),
    ({"PropertyValue": [{"vt": 0x100C, "value": [{"vt": 99}]}]}, "DirectoryChange", f"{VALUE}[0].vt"),
    ({"PropertyValue": [DEEP]}, "DirectoryChange", VALUE + "[0]" * MAX_DEPTH + ".vt"),
]  # fmt: skip


@for_each(("plain", "kind", "path"), lambda: WRONG)
def test_refusals_say_where(plain: Any, kind: Any, path: str) -> None:
    with pytest.raises(mw.EncodeError) as caught:
        from_dict(plain, kind)
    assert caught.value.path == path
    assert caught.value.structure


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(str(uuid.UUID(int=7))),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=4)
            | st.sampled_from(
                sorted({name for item in structures().values() for name in item.by_name} | {STRUCTURE})
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@given(JSON, st.sampled_from([None, *sorted(structures())]))
def test_any_json_makes_a_record_or_an_error(plain: Any, kind: str | None) -> None:
    try:
        made = from_dict(plain, kind)
    except mw.EncodeError as error:
        assert str(error)  # noqa: PT017  # either outcome will do
    else:
        assert from_dict(to_dict(made)) == made


@given(st.data())
def test_one_wrong_value_anywhere(data: st.DataObject) -> None:
    plain = json.loads(json.dumps(to_dict(data.draw(st.sampled_from(RECORDS)))))
    place = plain
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if not place[key] or not isinstance(place[key], (dict, list)) or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(JSON)
    try:
        made = from_dict(plain)
    except mw.EncodeError:
        return
    assert from_dict(to_dict(made)) == made


@pytest.mark.parametrize(
    ("size", "path", "offset", "whole", "value"),
    [
        (54, "UserHeader.SentTime", 52, 4, "0000"),
        (70, "UserHeader.DestinationQueue.DirectFormatName", 66, 14, "OS"),
        (152, "MessagePropertiesHeader.MessageBody", 148, 6, "61626364"),
    ],
)
def test_what_was_read_of_a_packet_that_is_cut_off(
    size: int, path: str, offset: int, whole: int, value: str
) -> None:
    """The errors, the field that was cut off, how much there is of it, and how much there should be."""
    packet = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b"),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="label\0", MessageBody=b"abcdef"),
    )
    plain = to_dict(mw.decode_lax(packet.encode()[:size]))
    assert plain["$structure"] == "UserMessage"
    assert plain["$reached"] == {"path": path, "offset": offset}
    cut = {"path": path, "offset": offset, "size": size - offset, "whole": whole, "value": value}
    assert plain["$cut"] == cut
    assert plain["$errors"] == [plain["$error"]]
    assert f"at most {size} bytes, found 156" in plain["$error"]
    assert plain["$doubtful"] == {}
    assert "$left_out" not in plain
    assert json.loads(json.dumps(plain)) == plain


def test_fields_that_are_left_out_are_counted() -> None:
    """Elements of arrays beyond the limit; only if there are any."""
    names = [element(mqmq.MQFDirectQueueFormatName(f"OS:a\\{number}")) for number in range(9)]
    data = mqmq.MQFAddressHeader(FormatNameList=names).encode()[:-1]
    few = mw.decode_lax(data, kind="MQFAddressHeader", limits=mw.Limits(lax_fields=10))
    assert to_dict(few)["$left_out"] == few.left_out > 0
    assert "$left_out" not in to_dict(mw.decode_lax(data, kind="MQFAddressHeader"))
