"""How records are bent: which values are tried, and what a record and its context are before."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import msmq_wire as mw
from msmq_wire import mqcn, mqdsrp, mqmq, mqqb
from msmq_wire import testing as mt
from msmq_wire.checks.validation import validate
from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.testing.bent import records
from msmq_wire.testing.bent.bases import OF_A_CLASS, WHOLE
from msmq_wire.testing.bent.in_context import IN_CONTEXT
from msmq_wire.testing.bent.several_fields import SEVERAL
from msmq_wire.testing.strategies.choices import Dice, rolled

if TYPE_CHECKING:
    from collections.abc import Iterator

SEEDS = range(60)


def dice(seed: int) -> Dice:
    return rolled(Random(seed))  # noqa: S311  # any numbers will do


def constant(byte: int) -> Dice:
    """Dice that always show the same."""
    return Dice(lambda _: bytes([byte]) * 16)


def in_context(requirement: str) -> Iterator[tuple[Any, Any, Any]]:
    """Records, their contexts, and what they become."""
    for seed in SEEDS:
        record, context = IN_CONTEXT[requirement].base(dice(seed))
        changes = IN_CONTEXT[requirement].changes(record, dice(seed))
        yield record, context, records.bent(record, changes)


def several(requirement: str) -> Iterator[tuple[Any, Any]]:
    """Records, and what they become."""
    for seed in SEEDS:
        record = SEVERAL[requirement].base(dice(seed))
        yield record, records.bent(record, SEVERAL[requirement].changes(record, dice(seed)))


def test_changes_of_an_answer_are_those_of_its_header() -> None:
    """Each has a number above the one that is known already, up to the last one, and after the previous."""
    for reply, _ in several("MQDSRP-3.2.7.3-16"):
        header = reply.SyncReplyHeader
        numbers = [int(change.SeqNumber) for change in reply.DirectoryChanges]
        before = [int(change.PreviousSeqNumber) for change in reply.DirectoryChanges]
        assert before == [int(header.FromSeqNumber), *numbers[:-1]]
        assert sorted({*before, *numbers}) == [*before, numbers[-1]]
        assert numbers[-1] <= int(header.ToSeqNumber)
        assert header.Count == len(numbers) == 2


def test_requests_for_sessions_have_any_time_and_system() -> None:
    headers = [record.EstablishConnectionHeader for record, _, _ in in_context("MQQB-2.2.3.1-03")]
    assert {one.OperatingSystem.SE for one in headers} == {0, 1}
    assert {one.OperatingSystem.OS for one in headers} == {0, 1}
    assert max(one.TimeStamp for one in headers) == 2**32 - 1


def test_a_request_for_another_queue_manager_was_refused() -> None:
    for answer, context, bent in in_context("MQQB-2.2.1-06"):
        assert (answer.InternalHeader.Flags.CS, bent.InternalHeader.Flags.CS) == (1, 0)
        asked = context.request.EstablishConnectionHeader.ServerGuid
        assert asked not in {context.sender, mw.NULL_GUID}


def test_what_comes_back_is_a_refusal() -> None:
    """With the identifier of the message, which it then has no more."""
    for answer, context, bent in in_context("MQMQ-2.2.19.3-19"):
        header = answer.MessagePropertiesHeader
        assert header.MessageClass & 0x8000
        assert header.CorrelationID == context.request.UserHeader.message_identifier.encode()
        assert bent.MessagePropertiesHeader.CorrelationID != header.CorrelationID
        assert len(bent.MessagePropertiesHeader.CorrelationID) == 20


def test_a_message_is_late_in_the_second_after_its_time() -> None:
    """Before it is bent it has all time that there is."""
    for packet, context, bent in in_context("MQMQ-2.2.19.1-34"):
        assert packet.BaseHeader.TimeToReachQueue == 0xFFFFFFFF
        assert bent.BaseHeader.TimeToReachQueue == 1
        assert context.seen_at == packet.UserHeader.SentTime + 1 + 1


def test_who_signs_is_the_sender() -> None:
    for packet, bent in several("MQMQ-2.2.20.6-26"):
        assert packet.SecurityHeader.Flags.ST == 2
        source = packet.UserHeader.SourceQueueManager
        assert packet.SecurityHeader.SecurityData.SecurityID == source.bytes_le
        assert len(bent.SecurityHeader.SecurityData.SecurityID) == 16


def test_a_directory_service_notifies_in_version_1() -> None:
    for sent, context, bent in in_context("MQCN-2.2.4-01"):
        assert (sent.Version, context.role) == (1, "directory")
        assert (bent.Version, bent.NumberOfUpdateNotifications) == (2, 1)
        assert isinstance(bent.Data, mqcn.NotificationBody)


def test_a_padding_of_other_bytes_has_its_size() -> None:
    """It is 512 bytes of 0x5a in a request, so nothing but the bytes is wrong."""
    for record, _, bent in in_context("MQQB-2.2.3.1-23"):
        assert len(bent.EstablishConnectionHeader.Padding) == 512
        assert len(bent.encode()) == len(record.encode())


def test_who_asks_for_a_psc_tells_its_name() -> None:
    for header, _, bent in in_context("MQDSRP-3.1.7.1.1-09"):
        assert header.PSCName == "psc"
        assert (bent.PSCName, bent.PSCNameOffset) == (None, 0)


def test_the_next_number_but_one() -> None:
    """A message that is out of order has a predecessor that its acknowledgment names."""
    for body, _, bent in in_context("MQQB-2.2.4.1-02"):
        assert bent.TxSequenceNumber > 0
        assert bent.TxPreviousSequenceNumber == bent.TxSequenceNumber - 1
        assert bent.TxSequenceNumber != body.TxSequenceNumber


def test_a_deletion_is_of_a_site_or_of_a_machine() -> None:
    """One of the two values is wrong: the scope of the enterprise, or the type of a queue."""
    update = SEVERAL["MQCN-3.3.5.2-26"].base(dice(1))
    found = set()
    for byte in range(8):
        bent = records.bent(update, SEVERAL["MQCN-3.3.5.2-26"].changes(update, constant(byte)))
        assert [one.requirement for one in validate(bent)] == ["MQCN-3.3.5.2-26"]
        found.add(tuple(value.value for value in bent.PropertyValue))
    assert found == {(0, 1), (1, 2)}


def test_a_reply_has_a_deletion_in_another_order() -> None:
    """It is complete, with the identifiers of both properties."""
    for reply, bent in several("MQDSRP-3.2.7.3-13"):
        (first, deletion) = bent.DirectoryChanges
        assert first == reply.DirectoryChanges[0]
        assert bent.SyncReplyHeader.Count == len(bent.DirectoryChanges)
        assert (deletion.Command, deletion.PropertyID) == (2, (1404, 1403))
        assert {one.vt for one in deletion.PropertyValue} == {VARTYPE.VT_UI1}


def test_a_user_signs_what_queue_managers_send() -> None:
    """With a SID of one part, {S-1-5-18}."""
    for packet, bent in several("MQDSRP-3.1.7.2.1-14"):
        assert packet.SecurityHeader is None or packet.SecurityHeader.Flags.ST != 1
        assert bent.SecurityHeader.Flags.ST == 1
        assert bent.SecurityHeader.SecurityData.SecurityID.hex() == "010100000000000512000000"


def test_a_signature_has_lost_its_provider() -> None:
    for header, bent in several("MQMQ-2.2.20.6-07"):
        assert header.ProviderInfoSize == len(header.SecurityData.ProviderInfo) > 0
        assert header.SecurityData.Signature
        assert (bent.ProviderInfoSize, bent.SecurityData.ProviderInfo) == (0, b"")
        assert bent.SecurityData.Signature == header.SecurityData.Signature


def test_names_are_bent_one_byte_too_early_or_late() -> None:
    """The last name of a list starts at an odd offset, after up to three bytes."""
    for requirement in ("MQMQ-2.2.18.1.4.1-03", "MQMQ-2.2.18.1.4.2-03", "MQMQ-2.2.18.1.7.2-05"):
        header = SEVERAL[requirement].base(dice(1))
        sizes = set()
        for byte in range(8):
            changes = SEVERAL[requirement].changes(header, constant(byte))
            bent = records.bent(header, changes)
            sizes.add(len(bent.FormatNameList[-1].Padding))
            assert bent.FormatNameList[:-1] == header.FormatNameList[:-1]
        right = len(header.FormatNameList[-1].Padding)
        assert sizes == {size for size in range(4) if size % 2 != right % 2}


def test_a_property_of_no_document_takes_the_place_of_one() -> None:
    for update, bent in several("MQCN-2.2.2-01"):
        assert bent.PropertyId == (*update.PropertyId[:-1], 9999)


def test_properties_without_a_type_of_their_own() -> None:
    """One more with a type that none of them has; whichever it is, only its type is wrong."""
    found = set()
    for byte in range(256):
        update = SEVERAL["MQCN-2.2.6-14"].base(dice(byte))
        bent = records.bent(update, SEVERAL["MQCN-2.2.6-14"].changes(update, constant(byte)))
        assert bent.NumberOfProperties == len(bent.PropertyId) == len(update.PropertyId) + 1
        assert bent.PropertyValue[:-1] == update.PropertyValue
        assert bent.PropertyValue[-1].vt == VARTYPE.VT_I8
        found.add(bent.PropertyId[-1])
    assert len(found) > 20


@pytest.mark.parametrize(
    ("requirement", "number", "there"),
    [
        ("MQCN-3.3.5.2-14", 114, False), ("MQCN-3.3.5.2-15", 126, True), ("MQCN-3.3.5.2-17", 115, False),
        ("MQCN-3.3.5.2-19", 219, False), ("MQCN-3.3.5.2-22", 1404, False),
    ],
)  # fmt: skip
def test_which_property_is_missing_or_too_many(requirement: str, number: int, there: bool) -> None:
    for update, bent in several(requirement):
        assert (number in bent.PropertyId) is there
        assert (number in update.PropertyId) is not there
        assert {*update.PropertyId} ^ {*bent.PropertyId} <= {number, 104}
        assert bent.NumberOfProperties == len(bent.PropertyId) == len(bent.PropertyValue) > 0


def test_acknowledgments_are_asked_for_where_there_are_none() -> None:
    for requirement in (one for one in SEVERAL if SEVERAL[one].changes.__name__ == "_acknowledged"):
        for packet, bent in several(requirement):
            assert packet.MessagePropertiesHeader.Flags.PA == 0
            assert bent.MessagePropertiesHeader.Flags.PA == 1
            assert bent.UserHeader.AdminQueue is not None


@pytest.mark.parametrize(
    ("kind", "value", "tried"),
    [
        ("BaseHeader.PacketSize", 100, {0, 1, 9, 99, 101, 0xFFFF, 0xFFFFFFFF}),
        ("BaseHeader.VersionNumber", 16, {0, 1, 9, 15, 17, 0x41, 0x5A}),
        ("UserHeader.Flags.RC", 3, {*range(32)} - {3}),
    ],
)
def test_which_numbers_are_tried(kind: str, value: int, tried: set[int]) -> None:
    """Neighbours, small ones and limits, which fit and are others; of a few bits all."""
    structure, path = kind.split(".", 1)
    record = records.bend(mw.Record.class_of(structure)(), path, value)
    field, there = records.walk(record, path)
    found = [*records.others(field, there, dice(0))]
    assert tried <= {*found}
    assert value not in found
    bits = 5 if "RC" in path else 8 * field.kind.size
    assert all(0 <= number < 1 << bits for number in found)


def test_every_bit_of_a_word_is_tried() -> None:
    record = mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(PR=3))
    found = [*records.others(*records.walk(record, "Flags"), dice(0))]
    word = int(record.Flags)
    assert sorted(found) == sorted([0, *(word ^ 1 << bit for bit in range(16))])


def element(number: int) -> Any:
    queue = mqmq.PublicQueueFormatName(mw.GUID(bytes([number]) * 16))
    return mqmq.MQFFormatNameElement(FormatName=queue)


def test_which_texts_and_bytes_are_tried() -> None:
    """Longer and shorter ones, without a terminator, and with other characters."""
    label = mqmq.MessagePropertiesHeader(Label="ab\0")
    texts = [*records.others(*records.walk(label, "Label"), dice(0))]
    assert {None, "ab\0x", "ab", "abx", "\0ab\0", "l" * 250 + "\0", "a\0b\0"} <= {*texts}
    sub = mw.mqrr.ExtendedAddressHeader(AddressLength=4, AddressType=1, Address=b"abcd".ljust(16, b"\0"))
    address = sub.Address
    found = [*records.others(*records.walk(sub, "Address"), dice(0))]
    assert {address + b"\1", address[:-1], b"", b"\1" * 16, b"\2" + address[1:]} <= {*found}
    assert {b"a\0\0\0b" + bytes(59), bytes(63) + b"\1"} <= {
        *found
    }  # names of subqueues with more behind them
    assert {len(one) for one in found} >= {0, 3, 15, 16, 17, 64}
    names = mqmq.MQFAddressHeader(FormatNameList=[element(1)])
    (one,) = names.FormatNameList
    lists = [*records.others(*records.walk(names, "FormatNameList"), dice(0))]
    assert lists == [(), (), (), (one, one), (one,)]


@pytest.mark.parametrize("index", [0, 1])
def test_an_element_of_a_list_is_bent(index: int) -> None:
    """And nothing else, at any depth; what is within an element, too."""
    header = mqmq.MQFAddressHeader(FormatNameList=(element(1), element(2)))
    bent = records.bend(header, f"FormatNameList[{index}].FormatType", 9)
    assert [one.FormatType for one in bent.FormatNameList] == [9 if at == index else 1 for at in range(2)]
    assert bent.HeaderSize == header.HeaderSize
    whole = records.bend(header, f"FormatNameList[{index}]", header.FormatNameList[1 - index])
    assert whole.FormatNameList == (header.FormatNameList[1 - index],) * 2


def test_the_size_of_a_packet_follows_what_is_bent() -> None:
    """But for the 16 bytes of a SessionHeader, and unless the size itself is bent."""
    for session in (None, mqmq.SessionHeader()):
        packet = mqmq.UserMessage(SessionHeader=session)
        body = mw.replace(packet.MessagePropertiesHeader, MessageBody=b"body")
        bent = records.bent(packet, {"MessagePropertiesHeader": body})
        assert bent.BaseHeader.PacketSize == len(bent.encode()) - (16 if session else 0)
        assert records.bent(packet, {"BaseHeader.PacketSize": 7}).BaseHeader.PacketSize == 7
        carrier = mw.mqrr.MessagePacket(UserMessage=packet)
        changed = records.bent(carrier, {"UserMessage.MessagePropertiesHeader": body})
        assert changed.UserMessage.BaseHeader.PacketSize == bent.BaseHeader.PacketSize
        path = "UserMessage.BaseHeader.PacketSize"
        assert records.bent(carrier, {path: 7}).UserMessage.BaseHeader.PacketSize == 7
    assert records.bent(mqqb.PingPacket(), {"Cookie": 1}).Cookie == 1


def test_a_bad_value_of_a_property_breaks_one_requirement() -> None:
    """Each that may be drawn, in the creation of an object that is right otherwise."""
    for requirement, rows in records.bad_property_values().items():
        for number, value in rows:
            change = records.directory_change(constant(0), number, value)
            assert [one.requirement for one in validate(change)] == [requirement]
            assert (change.Command, change.UseGuid, change.NumberOfProperties) == (3, 1, 1)
            assert {change.SeqNumber, change.PreviousSeqNumber} == {mqdsrp.MIN_SEQ_NUMBER}


def test_each_field_that_is_bent_can_break_its_requirement() -> None:
    """Where the fields of several structures break one, all of them do, whatever the packet is."""
    for requirement, places in records.sites_of_rules().items():
        for place in places:
            for seed in range(2):
                bent = records.broken_record(dice(seed), requirement, place)
                assert [*{one.requirement for one in validate(bent, place.level)}] == [requirement]


def test_of_wide_groups_the_first_numbers_are_tried() -> None:
    """All of six bits, but for the one that is there."""
    record = mw.mqrr.SubqueueHeader()
    record = records.bend(record, "Flags.AcknowledgementClass", 3)
    found = [*records.others(*records.walk(record, "Flags.AcknowledgementClass"), dice(0))]
    assert found == [number for number in range(64) if number != 3]


def test_where_the_tries_begin() -> None:
    """With another one for each number that is drawn, and all of them have their turn."""
    record = mqmq.PrivateQueueFormatName(PrivateQueueIdentifier=7)  # it has no other number
    site = records.BendSite(lambda _: record, "PrivateQueueIdentifier", "must")
    first = [records.ways_to_break(record, site, constant(byte)) for byte in range(4)]
    for at, ways in enumerate(first):
        assert ways == first[0][at:] + first[0][:at]
    assert [{*ways[0].values()} for ways in first] == [{8}, {6}, {0}, {1}]


def test_the_shortest_text_that_is_too_long() -> None:
    """A label has at most 124 WCHARs."""
    rows = [row for rows in records.bad_property_values().values() for row in rows]
    labels = {value.value for number, value in rows if number == 108 and str(value.value).startswith("l")}
    assert {len(label) for label in labels} == {125}


@pytest.mark.parametrize("kind", [mqmq.UserMessage, mqqb.SessionAck, mqqb.ConnectionParameters])
def test_fields_that_break_a_requirement_of_a_kind(kind: type[Any]) -> None:
    """All that must be so and that the field of the rule breaks; each in a packet that was dressed before."""
    found = {name: (path, make) for name, path, make in records.broken_fields(kind)}
    others = {*WHOLE, *SEVERAL}
    wanted = {one for one in records.by_kind()[kind.__name__] if mt.BENDABLE[one] == "must"}
    assert set(found) == {one for one in wanted - others if one.rpartition("-")[0] not in OF_A_CLASS}
    for requirement, (path, make) in found.items():
        seen: list[Any] = []

        def dressed(packet: Any, seen: list[Any] = seen) -> Any:
            seen.append(packet)
            return packet

        bent = make(dice(1), dressed)
        assert isinstance(bent, kind)
        assert [*{one.requirement for one in validate(bent)}] == [requirement]
        old, new = (records.walk(one, path)[1] for one in (seen[-1], bent))
        assert old != new


def test_a_rule_of_two_numbers_is_broken_without_a_bend_of_its_own() -> None:
    """By a number of a field beside that of the rule, if no other value of the field breaks it."""
    base, path = mqqb.ConnectionParameters(), "ConnectionParametersHeader.AckTimeout"
    beside = base.ConnectionParametersHeader.RecoverableAckTimeout
    ways = records.ways_to_break(base, records.BendSite(lambda _: base, path, "must"), dice(0))
    tried = [changes[path] for changes in ways]
    assert {beside - 1, beside, beside + 1} <= set(tried)
    flags = records.BendSite(lambda _: base, "InternalHeader.Flags.PT", "must")
    assert all(changes.keys() == {flags.path} for changes in records.ways_to_break(base, flags, dice(0)))
