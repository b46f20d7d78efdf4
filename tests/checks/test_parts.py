"""What is known of bytes that cannot be read whole is judged; what is not judged is said."""

from __future__ import annotations

import gzip
import json
import pickle
from collections import Counter
from functools import cache
from typing import Any

import pytest
from support_examples import share
from support_specs import SPECS

import msmq_wire
from msmq_wire import GUID, DecodeError, mqdsrp
from msmq_wire.checks import parts
from msmq_wire.checks.collector import ViolationCollector
from msmq_wire.checks.offsets import path_of
from msmq_wire.checks.parts import PartialRecord, UncheckedRequirement, Unknown, part_of
from msmq_wire.checks.rules import RULES
from msmq_wire.checks.validation import channel_of, validate
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.partial import nested
from msmq_wire.records.record import Record
from msmq_wire.records.spans import leaves

mw: Any = msmq_wire
mqmq = mw.mqmq


@cache
def samples() -> tuple[tuple[bytes, Any, Any], ...]:
    """The vectors of the independent reader that can be read: bytes, kind, record."""
    found: dict[bytes, tuple[bytes, Any, Any]] = {}
    with gzip.open(SPECS / "vectors" / "independent.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            data = bytes.fromhex(row["hex"])
            for kind in (None, row["kind"]):
                try:
                    found.setdefault(data, (data, kind, mw.decode(data, kind)))
                except (DecodeError, ValueError):
                    continue
                break
    return tuple(found.values())


def message(**properties: Any) -> Any:
    """A message with a flag that should not be set, and a property that breaks a rule."""
    return mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            DestinationQueue="DIRECT=OS:server\\private$\\orders", Flags=mqmq.UserHeaderFlags(RC=0x1E)
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label="an order", MessageBody=b"a body", PrivacyLevel=9, **properties
        ),
    )


def forced(held: Any) -> Any:
    """A record as a part of one, and what is within it likewise."""
    if isinstance(held, tuple):
        return tuple(map(forced, held))
    if not isinstance(held, Record):
        return held
    values = {field.name: forced(getattr(held, field.name)) for field in held.layout.fields}
    return PartialRecord(held.layout, values, {})


def test_rows_say_what_verdicts_say() -> None:
    """Records are judged as if something were not known of each: by rows, and not by validators."""
    judged = 0
    for _, _, record in samples():
        name = type(record).__name__
        search = ViolationCollector("practice", channel_of(name), None, None, frozenset(), 500)
        unjudged: dict[tuple[str, str], Any] = {}
        parts.PartialValidator(search, unjudged).validate(forced(record), (None, name), name)
        missed = {one.requirement for one in unjudged.values()}
        found = {(one.requirement, path_of(one.steps)) for one in search.violations.values()}
        expected = {(one.requirement, one.path) for one in validate(record, "practice")}
        assert found <= expected
        assert {requirement for requirement, _ in expected - found} <= missed
        judged += len(found)
    assert judged > 300


def test_what_is_known_wholly_is_a_record() -> None:
    whole = 0
    for _, _, record in samples():
        made = part_of(record.layout, nested(leaves(record)[0]))
        if type(made) is not PartialRecord:
            assert made == record
            whole += 1
    assert whole > 250


def location_of(violation: Any) -> tuple[str, str, int]:
    """What is violated, and where in the packet: as long as nothing tells, it may be an acknowledgment."""
    return violation.requirement, violation.path.partition(".")[2], violation.offset


@pytest.mark.each(6)
@pytest.mark.parametrize("part", range(6))
def test_at_every_cut(part: int) -> None:
    """Nothing is found that is not found in the whole, and what is not found any more was not judged."""
    found = missed = 0
    for data, kind, record in samples()[part::6]:
        name = type(record).__name__
        whole = {location_of(one) for one in validate(record, "practice")}
        named = {place[:2] for place in whole}
        for cut in range(20, len(data), max(1, len(data) // share(20, 10))):
            result = mw.decode_lax(data[:cut], kind)
            if result.packet is not None or result.doubtful or result.source is None:
                continue
            told = validate(result, "practice")
            own = {location_of(one) for one in told}
            # An empty field behind the cut has no place yet, and is said to be at that of its structure.
            nowhere = {location_of(one) for one in told if one.found in ("", b"")}
            assert own - nowhere <= whole
            assert {place[:2] for place in nowhere} <= named
            own |= {place for place in whole if place[:2] in {empty[:2] for empty in nowhere}}
            missing = {one.requirement for one in told.unjudged}
            for requirement, path, _ in whole - own:
                assert requirement in missing, (name, cut, path)
            found += len(own)
            missed += len(missing)
    assert found > 50
    assert missed > 500


def test_a_header_that_is_cut() -> None:
    """Every rule whose fields are there is judged, and the others are named with their place."""
    data = message().encode()
    first, *rest = validate(message())
    cut = mw.decode_lax(data[:64])
    assert cut.reached.path.startswith("UserHeader.")
    told = validate(cut)
    assert tuple(told) == (first,)
    assert first.path == "UserMessage.UserHeader.Flags.RC"
    for violation in rest:
        assert UncheckedRequirement(violation.requirement, violation.path, violation.level) in told.unjudged
    assert str(told).endswith(" requirements were not judged")
    assert pickle.loads(pickle.dumps(told)).unjudged == told.unjudged  # noqa: S301  # our own bytes
    ignored = validate(cut, ignore=[rest[0].requirement])
    assert rest[0].requirement not in {one.requirement for one in ignored.unjudged}
    assert validate(message()).unjudged == ()


_BODY = "MessagePropertiesHeader.MessageBody"


@pytest.mark.parametrize("kind", ["OrderAck", "FinalAck"])
def test_acknowledgments_by_what_is_there_of_their_body(kind: str) -> None:
    """Rules on the body are judged once their fields are there, with the paths and offsets of the whole."""
    sequence = mqmq.TxSequenceID(7, 9)
    body = getattr(mw.mqqb, f"{kind}Body")(TxSequenceID=sequence, TxSequenceNumber=0).encode()

    def ack(body: bytes) -> Any:
        return getattr(mw.mqqb, kind)(
            UserHeader=mqmq.UserHeader(DestinationQueue=mqmq.PrivateQueueFormatNameId(4)),
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
                Label="QM Ordering Ack", MessageClass=0xFF if kind == "OrderAck" else 0x4000, MessageBody=body
            ),
        )

    data = ack(body).encode()
    assert type(mw.decode(data)).__name__ == kind
    (wrong,) = (item for item in validate(ack(body)) if item.path.startswith(f"{kind}.{_BODY}."))
    start = data.index(body)
    assert wrong.offset == start + 8
    for cut in range(start, len(data)):
        told = validate(mw.decode_lax(data[:cut]))
        assert (wrong in told) == (cut >= start + 12)
        assert (wrong.requirement in {item.requirement for item in told.unjudged}) == (cut < start + 12)
        assert {item.path.partition(".")[0] for item in (*told, *told.unjudged)} == {kind}
    longer = ack(body + bytes(4)).encode()  # no body of an acknowledgment has this size
    assert not [item for item in validate(mw.decode_lax(longer[:-6])) if f"{_BODY}." in item.path]


@pytest.mark.parametrize("priority", [0, 3])
def test_rules_on_messages_that_may_be_acknowledgments(priority: int) -> None:
    """Rules on all of a packet are judged when its priority or its queue tells which one it is."""
    header = mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(PR=priority), TimeToReachQueue=5)
    queue = "DIRECT=OS:server\\private$\\orders"
    record = mqmq.UserMessage(BaseHeader=header, UserHeader=mqmq.UserHeader(DestinationQueue=queue))
    data, context = record.encode(), mw.Context(seen_at=1_700_000_000.0)
    (late,) = (item for item in validate(record, context=context) if item.path.endswith(".TimeToReachQueue"))
    early = validate(mw.decode_lax(data[:64]), context=context)
    assert (late in early) == bool(priority)
    kinds = {item.path.partition(".")[0] for item in early.unjudged}
    assert kinds == ({"UserMessage"} if priority else {"UserMessage", "OrderAck", "FinalAck"})
    later = validate(mw.decode_lax(data[:-1]), context=context)
    assert late in later
    assert {item.path.partition(".")[0] for item in later.unjudged} == {"UserMessage"}


def test_levels_and_headers_that_are_absent() -> None:
    data = message().encode()
    counts = Counter(one.level for one in validate(mw.decode_lax(data[:64]), "practice").unjudged)
    assert counts.keys() == {"must", "should", "practice"}
    must = validate(mw.decode_lax(data[:64]))
    assert {one.level for one in must.unjudged} == {"must"}
    assert not any("TransactionHeader." in one.path for one in must.unjudged)  # its flag is clear
    assert any("MessagePropertiesHeader.Label" in one.path for one in must.unjudged)
    early = validate(mw.decode_lax(data[:40]))
    assert any("TransactionHeader." in one.path for one in early.unjudged)


def test_a_context_and_a_profile() -> None:
    data = message().encode()
    context = mw.Context(sender=mw.GUID("6f9619ff-8b86-d011-b42d-00cf4fc964ff"))
    whole = validate(message(), context=context, profile="windows-nt-4.0", level="practice")
    cut = validate(mw.decode_lax(data[:-4]), context=context, profile="windows-nt-4.0", level="practice")
    keys = {(one.requirement, one.path, one.offset) for one in cut}
    assert keys <= {(one.requirement, one.path, one.offset) for one in whole}
    missed = {one.requirement for one in cut.unjudged}
    assert all(
        one.requirement in missed for one in whole if (one.requirement, one.path, one.offset) not in keys
    )


def test_property_values_that_are_there() -> None:
    """Each value is judged by itself, also where the list breaks off."""
    change = mqdsrp.DirectoryChange(
        Command=1,
        PathName="a\\b",
        PropertyID=(104, 103),
        PropertyValue=(mw.PropertyValue(17, 9), mw.PropertyValue(31, "label")),
    )
    whole = mqdsrp.ChangePropagationMessage(DirectoryChanges=(change,))
    (wrong,) = [one for one in validate(whole) if "PropertyValue[0]" in one.path]
    data = mqdsrp.encode(whole)
    result = mqdsrp.decode_lax(data[: wrong.offset + 9])
    assert result.reached is not None
    assert result.reached.path.endswith("PropertyValue[1]")
    told = validate(result)
    assert wrong in told
    assert wrong.requirement in {one.requirement for one in told.unjudged}  # of the other value


def carrier(queue: str) -> bytes:
    """A message to a queue, without the last bytes of its body."""
    found = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue=f"DIRECT=OS:host\\private$\\{queue}"),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=bytes(64)),
    )
    return bytes(found.encode()[:-8])


def test_rules_on_what_a_body_would_hold() -> None:
    """The queue tells what a body is, also one that is not there."""
    body = "UserMessage.MessagePropertiesHeader.MessageBody."

    def unjudged(data: bytes) -> set[str]:
        paths = {one.path for one in validate(mw.decode_lax(data)).unjudged}
        return {path.removeprefix(body).partition(".")[0] for path in paths if path.startswith(body)}

    replication = unjudged(carrier("mqis_queue$"))
    assert {"BaseReplicationHeader", "DirectoryChanges[]", "SeqNumberHeader"} <= replication
    assert not replication & {"Data", "NumberOfUpdateNotifications"}
    assert {"Data"} <= unjudged(carrier("notify_queue$"))
    assert not unjudged(carrier("orders"))
    assert {"BaseReplicationHeader", "Data"} <= unjudged(carrier("orders")[:60])  # the queue is not known


def test_rules_on_bytes_that_hold_a_structure() -> None:
    key = "UserMessage.SecurityHeader.SecurityData.EncryptionKey."

    data = msmq_wire.replace(
        message(),
        SecurityHeader=mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(EncryptionKey=bytes(40))),
    ).encode()
    cut = mw.decode_lax(data[:140])
    assert cut.reached.path == "SecurityHeader.SecurityData.EncryptionKey"
    assert any(one.path.startswith(key) for one in validate(cut).unjudged)


def test_rules_on_property_values_that_are_not_there() -> None:
    """The identifier says what a value would hold."""
    change = mqdsrp.DirectoryChange(
        Command=1,
        PathName="a\\b",
        PropertyID=(103, 238, 103),
        PropertyValue=("label", bytes(8), "label"),
    )
    data = mqdsrp.encode(mqdsrp.ChangePropagationMessage(DirectoryChanges=(change,)))
    result = mqdsrp.decode_lax(data[: data.index(bytes(8) + "label".encode("utf-16-le")) + 3])
    assert result.reached is not None
    assert result.reached.path.endswith("PropertyValue[1]")
    paths = {one.path for one in validate(result).unjudged}
    inner = {path.partition("PropertyValue[")[2] for path in paths if "PropertyValue[" in path}
    assert {path.partition("]")[0] for path in inner} == {"1"}


@pytest.mark.parametrize(
    ("name", "requirement", "field", "most"),
    [
        ("NotificationUpdates", "MQCN-2.2.4-02", "Unused", 1),
        ("NotificationBody", "MQCN-2.2.5-05", "Unused", 1),
        ("DeadLetterHeader", "MQRR-2.2.5.4-03", "Padding", 3),
    ],
)
def test_how_many_bytes_may_be_left_over(name: str, requirement: str, field: str, most: int) -> None:
    (rule,) = (
        one for one in RULES[name] if (one.requirement, one.operator) == (requirement, "at most bytes")
    )
    for size in range(most + 3):
        part: Any = PartialRecord(structures()[name], {field: bytes(size)}, {})
        assert parts.comparison_holds(part, rule, absent=True) is (size <= most)


def test_absent_fields_are_where_they_would_be() -> None:
    """A carrier lacks queues and a SecurityHeader, also if its last byte is cut, which is padding."""
    sender = GUID.of("030201a1-0504-0706-0809-0a0b0c0d0e0f")
    request = mqdsrp.wrap(mqdsrp.SyncRequestMessage(RequesterName="bsc1"), "psc", sender)
    header = mqmq.UserHeader(
        SourceQueueManager=sender, MessageID=1, DestinationQueue=request.UserHeader.DestinationQueue
    )
    properties = request.MessagePropertiesHeader
    data = mqmq.UserMessage(UserHeader=header, MessagePropertiesHeader=properties).encode()
    whole = {(found.path, found.offset) for found in validate(msmq_wire.decode(data))}
    part = {(found.path, found.offset) for found in validate(msmq_wire.decode_lax(data[:-1]))}
    assert whole == part
    assert properties.Padding
    assert {"UserMessage.UserHeader.ResponseQueue", "UserMessage.SecurityHeader"} <= {*dict(part)}


def test_offsets_in_headers_of_a_packet_of_unknown_kind() -> None:
    """They count from the first byte, whatever follows the headers."""
    flags = mqmq.BaseHeaderFlags(IN=1, TR=1)
    data = mqmq.BaseHeader(Flags=flags, PacketSize=40).encode()
    for more in (b"", b"\1\2"):
        result = mw.decode_lax(data + more)
        assert result.source is None
        found = {one.requirement: (one.path, one.offset) for one in validate(result)}
        assert found.pop("MQMQ-2.2.19.1-15") == ("BaseHeader.Flags.DH", 2)
        assert found == ({"MQQB-2.2.1-01": ("InternalHeader.Reserved", 16)} if more else {})
    places = parts.PartialOffsets(mw.decode_lax(data + b"\1\2"))
    assert places.offset_of(("BaseHeader", "VersionNumber")) == 0
    assert places.offset_of(("BaseHeader", "TimeToReachQueue")) == 12
    assert places.offset_of(("InternalHeader", "Reserved")) == 16
    assert places.offset_of(("InternalHeader", "Flags")) == 18


@pytest.mark.parametrize(
    ("name", "known", "empty"),
    [
        ("MQFAddressHeader", {"ElementCount": 0}, {"FormatNameList": ()}),
        ("DirectoryChange", {"NumberOfProperties": 0}, {"PropertyID": (), "PropertyValue": ()}),
        ("MessagePropertiesHeader", {"ExtensionSize": 0}, {"ExtensionData": b""}),
        ("MessagePropertiesHeader", {"LabelLength": 0}, {"Label": ""}),
        ("MessagePropertiesHeader", {"MessageSize": 0}, {"MessageBody": b""}),
    ],
)
def test_what_is_counted_as_nothing_is_known_to_be_empty(
    name: str, known: dict[str, Any], empty: dict[str, Any]
) -> None:
    """It has no bytes, so that no path of a decoder names it."""
    made = part_of(structures()[name], known)
    for field, value in empty.items():
        assert (getattr(made, field), type(getattr(made, field))) == (value, type(value))
    more = dict.fromkeys(known, 1)
    with pytest.raises(Unknown):
        getattr(part_of(structures()[name], more), next(iter(empty)))
