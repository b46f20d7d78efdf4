"""`validate` and `require`: what they return, in which order, at which place; captures; near-valid bytes."""

from __future__ import annotations

import pickle
import sys
from typing import Any, ClassVar, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ALONE, PACKET_NAMES, near_valid, packets, records
from support_rows import for_each, table
from support_specs import load_requirements, load_vectors

import msmq_wire as mw
from msmq_wire import (
    GUID,
    ConformanceError,
    DecodeError,
    PropertyValue,
    mqcn,
    mqdsrp,
    mqmq,
    mqqb,
    mqrr,
    testing,
)
from msmq_wire.checks.collector import ViolationCollector
from msmq_wire.checks.rules import carriers
from msmq_wire.checks.rules.vocabulary import RawViolation
from msmq_wire.checks.validation import Channel, Context, Violation, channel_of, require, short, validate
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.directory.carried import read_carried
from msmq_wire.testing.strategies.directory import signed

G1 = GUID(b"\x11" * 16)
OF_SITE: Any = {"BaseReplicationHeader": mqdsrp.BaseReplicationHeader(SiteID=G1)}
SIGNED = (
    "100003004c494f52f0000000ffffffff1111111111111111111111111111111100000000000000000000000000000000ffff"
    "ffff0000005f07000000001c280014004f0053003a0068006f00730074005c00710000000000c1000c000000400000000000"
    "0000000001010000000000051200000073737373737373737373737373737373737373737373737373737373737373737373"
    "7373737373737373737373737373737373737373737373737373737373730000000000000000000000000000000000000000"
    "0000000000000000000000000400000004000000000000000e8000000168000000000000626f6479"
)
"""A UserMessage with a SecurityHeader at 88, which has a signature."""


def _frames() -> dict[str, Any]:
    return {
        vector.name: mw.Record.class_of(vector.packet).decode(vector.data)
        if vector.packet == "PingPacket"
        else mw.decode(vector.data)
        for vector in load_vectors()
        if not vector.truncated
    }


FRAMES = table(_frames)


class TestCaptures:
    """The packets of [MS-MQQB] 4.1."""

    EXPECTED: ClassVar[dict[str, tuple[str, ...]]] = {  # on the level "practice"
        "frame-1-ping-request": (),  # the bits X may have any value
        "frame-2-ping-response": (),
        "frame-3-establish-connection-request": (),  # BaseHeader.Reserved is 0xC0 (errata M36)
        "frame-4-establish-connection-response": ("MQMQ-2.2.19.1-02",),  # here it is 0x5A (errata M36)
        "frame-5-connection-parameters-request": (),  # AckTimeout is the greatest allowed, 120000
        "frame-6-connection-parameters-response": (),
        "frame-7-user-message-completed": (
            # Acknowledgments are asked for, Flags 0x0F, but AQ is 0: no queue for them (errata M5).
            "MQMQ-2.2.19.2-40",
            # BodyType 8 is no variant type of [MS-MQMQ] 2.2.12 (errata M3).
            "MQMQ-2.2.19.3-20",
            # No breach: AI is clear with SecurityData present (errata M4); DE is clear without a signature
            # (errata M8); a cipher stands there with PrivacyLevel 0 (errata M11); the SHA-1 that is named
            # is allowed; SentTime, which repeats the signature, may be any number.
        ),
        "frame-8-session-acknowledgment": (),  # PacketSize counts the SessionHeader here (errata M2)
    }

    def test_all_are_here(self) -> None:
        assert set(FRAMES()) == set(self.EXPECTED)

    @for_each("name", FRAMES)
    @pytest.mark.parametrize("level", ["must", "should"])
    def test_violations(self, name: str, level: Any) -> None:
        assert validate(FRAMES()[name], level) == ()

    @for_each("name", FRAMES)
    def test_practice(self, name: str) -> None:
        found = validate(FRAMES()[name], "practice")
        assert tuple(item.requirement for item in found) == self.EXPECTED[name]
        assert all(item.level == "practice" and item.erratum in item.message for item in found)

    def test_establish_connection_answers_another_request(self) -> None:
        # The dump of the response has other GUIDs than that of the request (errata Q12).
        request = FRAMES()["frame-3-establish-connection-request"]
        response = FRAMES()["frame-4-establish-connection-response"]
        found = validate(response, "should", context=Context(request=request))
        assert [item.requirement for item in found] == ["MQQB-2.2.3.1-25", "MQQB-2.2.3.1-03"]
        assert validate(response, "should", context=Context(is_response=True)) == ()

    def test_answers(self) -> None:
        ping = Context(request=FRAMES()["frame-1-ping-request"])
        assert validate(FRAMES()["frame-2-ping-response"], "should", context=ping) == ()
        parameters = Context(request=FRAMES()["frame-5-connection-parameters-request"])
        assert (
            validate(FRAMES()["frame-6-connection-parameters-response"], "should", context=parameters) == ()
        )


class TestViolation:
    """What a violation says."""

    def test_facts(self) -> None:
        frame = FRAMES()["frame-7-user-message-completed"]
        queue, body = validate(frame, "practice")
        assert body == Violation(
            requirement="MQMQ-2.2.19.3-20",
            path="UserMessage.MessagePropertiesHeader.BodyType",
            offset=160,
            found=8,
            allowed="a variant type of [MS-MQMQ] 2.2.12",
            message="UserMessage.MessagePropertiesHeader.BodyType is 8, but according to the document has to "
            "be a variant type of [MS-MQMQ] 2.2.12; known implementations send VT_BSTR, a text of COM (M3).",
            level="practice",
            erratum="M3",
        )
        assert body.section == "[MS-MQMQ] 2.2.19.3"
        assert frame.encode()[160:164] == b"\x08\0\0\0"
        assert (queue.path, queue.offset, queue.found) == ("UserMessage.UserHeader.Flags.AQ", 60, 0)
        assert str(body) == f"{body.message} (MQMQ-2.2.19.3-20, byte 160)"

    @pytest.mark.parametrize(
        ("requirement", "section"),
        [
            ("MQMQ-2.2.7-02", "[MS-MQMQ] 2.2.7"),
            ("MQQB-3.1.5.8-01", "[MS-MQQB] 3.1.5.8"),
            ("MQRR-2.2.5.2-09", "[MS-MQRR] 2.2.5.2"),
            ("MQDSRP-2.1-02", "[MC-MQDSRP] 2.1"),
            ("MQCN-2.2.6-10", "[MS-MQCN] 2.2.6"),
        ],
    )
    def test_section(self, requirement: str, section: str) -> None:
        assert Violation(requirement, "", 0, None, "", "").section == section

    def test_is_a_value(self) -> None:
        (found, _) = validate(FRAMES()["frame-7-user-message-completed"], "practice")
        assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301  # our own bytes
        with pytest.raises(AttributeError):
            found.offset = 1  # type: ignore[misc]  # this is the mistake
        assert msgspec.to_builtins(found)["requirement"] == found.requirement

    def test_should_is_milder(self) -> None:
        header = mqmq.SessionHeader(WindowSize=32)
        assert validate(header) == ()
        (found,) = validate(header, "should")
        assert found.message == "SessionHeader.WindowSize is 0x20, but should be 0x40."

    def test_order(self) -> None:
        message = mqmq.UserMessage(
            BaseHeader=mqmq.BaseHeader(VersionNumber=9, Signature=1, TimeToReachQueue=2),
            UserHeader=mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(RC=31, DM=3)),
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
                PrivacyLevel=9, BodyType=99, HashAlgorithm=1
            ),
        )
        found = validate(message)
        assert [item.requirement for item in found] == [
            "MQMQ-2.2.19.1-01",
            "MQMQ-2.2.19.1-30",
            "MQMQ-2.2.19.2-08",
            "MQMQ-2.2.19.2-09",
            "MQMQ-2.2.19.3-20",
            "MQMQ-2.2.19.3-25",
            "MQMQ-2.2.19.3-43",
        ]
        assert [item.offset for item in found] == [0, 4, 60, 60, 88, 104, 108]

    def test_absent_and_long_values(self) -> None:
        header = mqmq.SecurityHeader(
            Flags=mqmq.SecurityHeaderFlags(ST=1), SecurityData=mqmq.SecurityData(SecurityID=b"x" * 100)
        )
        (found,) = validate(header)
        assert "is 100 bytes 7878787878787878..., but" in found.message
        assert found.found == b"x" * 100
        (found,) = validate(mqmq.SecurityHeader())
        assert found.offset == 2
        transaction = mqmq.TransactionHeader(Flags=mqmq.TransactionHeaderFlags(CG=1))
        assert [item.path for item in validate(transaction)] == ["TransactionHeader.Flags.CG"]
        update = mqcn.NotificationUpdate(Command=1, GuidIdentifier=G1, UseGuid=0)
        assert "GuidIdentifier" in " ".join(item.message for item in validate(update))

    @pytest.mark.parametrize(("size", "said"), [(77, 79), (78, 80), (79, 83), (500, 83)])
    def test_texts_of_up_to_eighty_characters_are_whole(self, size: int, said: int) -> None:
        """With their quotes; of longer ones the first eighty are shown, and that there are more."""
        text = short("x" * size)
        assert (len(text), text.endswith("...")) == (said, said > 80)

    def test_long_text_is_shortened(self) -> None:
        body = mqcn.NotificationBody(Text="no notification" * 20)
        (found,) = validate(body)
        assert len(found.message) < 250


class TestPlaces:
    """Offsets, also of elements and of structures within bytes."""

    def test_elements(self) -> None:
        address = mqmq.MQFAddressHeader(
            HeaderID=0x64,
            FormatNameList=(
                mqmq.MQFFormatNameElement(FormatName=mqmq.PublicQueueFormatName(G1)),
                mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName("nonsense")),
            ),
        )
        (found,) = validate(address)
        assert found.path == "MQFAddressHeader.FormatNameList[1].FormatName.DirectFormatName"
        assert address.encode()[found.offset :].startswith("nonsense".encode("utf-16-le"))

    def test_body_of_an_acknowledgment(self) -> None:
        body = mqqb.OrderAckBody(TxSequenceID=mqmq.TxSequenceID(7, 9), TxSequenceNumber=0)
        ack = mqqb.OrderAck(
            UserHeader=mqmq.UserHeader(
                QueueManagerAddress=G1, DestinationQueue=mqmq.PrivateQueueFormatNameId(4)
            ),
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
                Label="QM Ordering Ack", MessageClass=0xFF, MessageBody=body.encode()
            ),
        )
        (found,) = validate(ack)
        assert found.requirement == "MQQB-2.2.4.1-06"
        assert found.path == "OrderAck.MessagePropertiesHeader.MessageBody.TxSequenceNumber"
        assert found.offset == ack.encode().index(body.encode()) + 8

    def test_directory_message_in_a_message(self) -> None:
        change = mqdsrp.DirectoryChange(
            GuidIdentifier=G1,
            PropertyID=(103, 104),
            PropertyValue=(PropertyValue(31, "host\\queue"), PropertyValue(17, 2)),
        )
        numbers = map(mqdsrp.SEQUENCE_NUMBER.of, (1, 2))
        changes = [mw.replace(change, SeqNumber=number) for number in numbers]
        changes[1] = mw.replace(changes[1], PreviousSeqNumber=1)
        inner = mqdsrp.ChangePropagationMessage(DirectoryChanges=changes, **OF_SITE)
        message = signed(mqdsrp.wrap(inner, "host", G1))
        first, second = validate(message)
        assert first.requirement == second.requirement == "MQMQ-2.3.1.4-01"
        path = "UserMessage.MessagePropertiesHeader.MessageBody.DirectoryChanges[1].PropertyValue[1]"
        assert second.path == path
        assert message.encode()[second.offset] == 2
        assert second.offset - first.offset == len(change.encode())
        assert second.message == f"{path}: PROPID_Q_JOURNAL is 2, not one of 0, 1."
        assert second.allowed == "what [MS-MQMQ] 2.3.1.4 allows for PROPID_Q_JOURNAL"
        (alone, _) = validate(inner)
        assert alone.path == "ChangePropagationMessage.DirectoryChanges[0].PropertyValue[1]"

    def test_directory_message_that_cannot_be_read(self) -> None:
        message = signed(mqdsrp.wrap(mqdsrp.AlreadyPurgedMessage(**OF_SITE), "host", G1))
        assert validate(message, "should") == ()
        header = message.MessagePropertiesHeader
        cut = mw.replace(message, MessagePropertiesHeader=mw.replace(header, MessageBody=b"\0" * 9))
        (found,) = validate(cut)
        assert found.requirement == "MQDSRP-2.1-02"
        assert "expected 16 bytes, found 8" in found.message
        assert cut.encode()[found.offset :][:9] == bytes(9)

    def test_how_it_was_sent_is_not_seen_from_afar(self) -> None:
        """In a remote read the lifetime is a moment, and nothing is said of how the message came."""
        message = signed(mqdsrp.wrap(mqdsrp.AlreadyPurgedMessage(**OF_SITE), "host", G1))
        base = message.BaseHeader
        late = mw.replace(message, BaseHeader=mw.replace(base, TimeToReachQueue=1_700_000_000))
        for channel in ("session", "directory", "stored"):
            assert [found.requirement for found in validate(late, channel=channel)] == ["MQDSRP-3.2.7.7-07"]
        assert "MQDSRP-3.2.7.7-07" not in {
            found.requirement for found in validate(late, channel="remote-read")
        }

    def test_what_is_carried_is_read_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """And not at all where the queue says that nothing is carried."""
        read: list[Any] = []

        def counted(message: Any, queue: Any) -> Any:
            read.append(message)
            return read_carried(message, queue)

        monkeypatch.setattr(carriers, "read_carried", counted)
        message = signed(mqdsrp.wrap(mqdsrp.AlreadyPurgedMessage(**OF_SITE), "host", G1))
        assert validate(message) == ()
        assert read == [message]
        assert validate(mqmq.UserMessage()) == ()
        assert len(read) == 1

    def test_identifiers(self) -> None:
        update = mqcn.NotificationUpdate(
            Command=0,
            PathName="host\\queue",
            GuidMasterId=G1,
            PropertyId=(104, 115),
            PropertyValue=(PropertyValue(17, 1), PropertyValue(72, G1)),
        )
        (found,) = validate(update)
        assert found.requirement == "MQCN-3.3.5.2-14"
        assert update.encode()[found.offset : found.offset + 4] == (104).to_bytes(4, "little")

    def test_within_a_structure_within_a_blob(self) -> None:
        key = mqqb.PUBLICKEYBLOB(modulus=b"m" * 64, bitLen=8)
        keys = mqmq.MQDSPUBLICKEYS(aPublicKeys=(mqmq.MQDSPUBLICKEY(sProviderName="p", aBuf=key.encode()),))
        change = mqdsrp.DirectoryChange(
            GuidIdentifier=G1, PropertyID=(1202,), PropertyValue=(PropertyValue(65, keys.encode()),)
        )
        (found,) = validate(change)
        assert found.path == "DirectoryChange.PropertyValue[0].aPublicKeys[0].aBuf.bitLen"
        assert found.offset == change.encode().index(key.encode()) + 12


class TestLevelsAndContext:
    """Arguments."""

    def test_unknown_level(self) -> None:
        with pytest.raises(ValueError, match="'may'"):
            validate(mqmq.BaseHeader(), "may")  # type: ignore[arg-type]  # this is the mistake

    def test_should_includes_must(self) -> None:
        header = mqmq.BaseHeader(VersionNumber=1, Flags=mqmq.BaseHeaderFlags(X9=1))
        assert [item.requirement for item in validate(header, "should")] == [
            "MQMQ-2.2.19.1-01",
            "MQMQ-2.2.19.1-10",
        ]
        assert [item.requirement for item in validate(header)] == ["MQMQ-2.2.19.1-01"]

    def test_the_channel_is_said(self) -> None:
        address = mqrr.UserHeaderAddress(AddressLength=4, AddressType=1, Address=b"\x7f\0\0\1\0\0\0\0")
        header = mqmq.UserHeader(
            QueueManagerAddress=GUID(address.encode()), DestinationQueue="DIRECT=OS:host\\queue"
        )
        message = mqmq.UserMessage(UserHeader=header)
        assert [item.requirement for item in validate(message)] == ["MQMQ-2.2.19.2-04"]
        assert validate(message, channel="remote-read") == ()
        assert validate(mqrr.MessagePacket(UserMessage=message)) == ()
        assert [item.requirement for item in validate(header)] == ["MQMQ-2.2.19.2-04"]

    def test_unknown_channel(self) -> None:
        with pytest.raises(ValueError, match="channel is 'http', not one of 'session', 'remote-read'"):
            validate(mqmq.BaseHeader(), channel="http")  # type: ignore[arg-type]  # this is the mistake

    @pytest.mark.requirement("MQMQ-2.2.19.2-31")
    @for_each("channel", lambda: get_args(Channel))
    def test_a_message_that_came_over_http(self, channel: Any) -> None:
        flags = mqmq.UserHeaderFlags(AH=1)
        header = mqmq.UserHeader(Flags=flags, QueueManagerAddress=G1, DestinationQueue=f"PUBLIC={G1}")
        sent = channel in {"session", "directory"}
        assert [item.requirement for item in validate(header, channel=channel)] == ["MQMQ-2.2.19.2-31"] * sent

    @for_each("channel", lambda: [None, *get_args(Channel)])
    def test_the_document_of_remote_reads_is_for_remote_reads(self, channel: Any) -> None:
        message = mqmq.UserMessage(ExtensionHeader=mqrr.ExtensionHeader(Flags=mqrr.ExtensionHeaderFlags(0)))
        found = [item.requirement for item in validate(message, channel=channel)]
        assert found == ["MQRR-2.2.5.2-04", "MQRR-2.2.5.2-09"] * (channel == "remote-read")

    def test_muted(self) -> None:
        header = mqmq.BaseHeader(VersionNumber=1, Signature=2)
        both = ["MQMQ-2.2.19.1-01", "MQMQ-2.2.19.1-30"]
        assert [item.requirement for item in validate(header)] == both
        for ignored in (both[0], both[:1], {both[0]}):
            assert [item.requirement for item in validate(header, ignore=ignored)] == both[1:]
        assert validate(header, ignore=set(both)) == ()
        require(header, ignore=both)
        require(header, ignore=frozenset(both))

    @pytest.mark.parametrize(
        ("ignore", "told"),
        [
            ("MQQB-9.9.9-99", "'MQQB-9.9.9-99' is not the id of a requirement"),
            (
                "MQMQ-2.2.19.1",
                "'MQMQ-2.2.19.1' is not the id of a requirement; did you mean MQMQ-2.2.19.3-31",
            ),
            ({"MQQ-2.2.1-04"}, "'MQQ-2.2.1-04' is not the id of a requirement; did you mean MQMQ-2.2.1-04"),
            ([None], "expected ids of requirements, got NoneType"),
            ([""], "'' is not the id of a requirement"),
            (5, "expected ids of requirements, got int"),
        ],
    )
    def test_what_is_no_id_is_not_ignored(self, ignore: Any, told: str) -> None:
        with pytest.raises(mw.MsmqWireError, match=f"^ignore: {told}"):
            validate(mqmq.BaseHeader(), ignore=ignore)

    def test_every_requirement_can_be_ignored(self) -> None:
        """Also one of another document or level, and one that `validate` does not check."""
        assert validate(mqmq.BaseHeader(), ignore=[row.id for row in load_requirements()]) == ()

    @pytest.mark.parametrize("level", ["must", "should", "practice"])
    @pytest.mark.parametrize("number", [0, 8, 9, 30, 31, 0x300, 0x1008, 0x2011])
    def test_types_of_bodies(self, level: Any, number: int) -> None:
        header = mqmq.MessagePropertiesHeader(BodyType=number)
        found = [(item.requirement, item.level) for item in validate(header, level)]
        if number in {0, 31}:
            assert found == []
        elif number in {9, 0x1008}:
            assert found == [("MQMQ-2.2.19.3-20", "must")]
        else:
            assert found == [("MQMQ-2.2.19.3-20", "practice")] * (level == "practice")

    def test_a_signature_needs_its_algorithm(self) -> None:
        properties = mqmq.MessagePropertiesHeader(HashAlgorithm=0)
        header = mqmq.UserHeader(SourceQueueManager=G1)
        plain = mqmq.UserMessage(UserHeader=header, MessagePropertiesHeader=properties)
        assert validate(plain, "should") == ()
        assert [item.level for item in validate(plain, "practice")] == ["practice"]
        security = mqmq.SecurityHeader(
            SecurityData=mqmq.SecurityData(Signature=b"s" * 16, ProviderInfo=b"\1\0\0\0p\0\0\0")
        )
        several = mqmq.MultiQueueFormatHeader(
            Destination=mqmq.MQFAddressHeader(
                FormatNameList=(mqmq.MQFFormatNameElement(FormatName=mqmq.PublicQueueFormatName(G1)),)
            ),
            Signature=mqmq.MQFSignatureHeader(Signature=b"s" * 16),
        )
        for header_of in ({"SecurityHeader": security}, {"MultiQueueFormatHeader": several}):
            message = mw.replace(plain, **header_of)
            for violations in (validate(message), validate(message, "practice")):
                assert [(item.requirement, item.level) for item in violations] == [
                    ("MQMQ-2.2.19.3-43", "must")
                ]
                assert "without a signature" not in violations[0].message


class TestBounds:
    """How much is reported."""

    CHANGES = mqdsrp.ChangePropagationMessage(
        **OF_SITE,
        DirectoryChanges=tuple(
            mqdsrp.DirectoryChange.raw(
                9, 1, None, G1, G1, *map(mqdsrp.SEQUENCE_NUMBER.of, (number, number + 1, 0)), 0, (), ()
            )
            for number in range(50)
        ),
    )

    @pytest.mark.parametrize("limit", [0, 1, 49, 50, 51])
    def test_findings(self, limit: int) -> None:
        found = validate(self.CHANGES, limits=mw.Limits(violations=limit))
        assert (len(found), found.left_out) == (min(limit, 50), max(50 - limit, 0))
        assert found == validate(self.CHANGES)[:limit]
        noun = "violation" if found.left_out == 1 else "violations"
        said = f"{found.left_out} more {noun} omitted (limit: Limits.violations)"
        assert (said in str(found)) == (limit < 50)
        assert pickle.loads(pickle.dumps(found)).left_out == found.left_out  # noqa: S301  # our own bytes

    def test_two_rules_of_one_requirement(self) -> None:
        """What both of them find is one violation, also beyond the limit."""
        name = mqmq.DirectQueueFormatName(Count=4, DirectFormatName="a\0b")
        assert [one.requirement for one in validate(name)] == ["MQMQ-2.2.18.1.5.2-02", "MQMQ-2.2.18.1.5.2-03"]
        for limit in range(3):
            assert validate(name, limits=mw.Limits(violations=limit)).left_out == 2 - limit

    @pytest.mark.parametrize("limit", [0, 1, 2])
    def test_the_same_again_is_not_counted(self, limit: int) -> None:
        """Neither next to it nor after others; another place is another violation."""
        search = ViolationCollector("must", "session", None, None, frozenset(), limit)
        for requirement, field in (("A", "X"), ("B", "X"), ("A", "X"), ("B", "X"), ("A", "Y"), ("A", "X")):
            search.add((None, "UserMessage"), RawViolation(requirement, (field,), 1, "2"))
        assert (len(search.violations), search.left_out) == (limit, 3 - limit)

    def test_an_error_says_so_too(self) -> None:
        found = validate(self.CHANGES, limits=mw.Limits(violations=1))
        assert str(ConformanceError(found)).endswith("; 49 more violations omitted")

    def test_what_was_read_of_damaged_bytes(self) -> None:
        message = mqmq.UserMessage(
            UserHeader=mqmq.UserHeader(Flags=mqmq.UserHeaderFlags(RC=0x1E)),
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=b"body", PrivacyLevel=9),
        )
        whole = mw.decode_lax(message.encode())
        assert validate(whole) == validate(message)
        cut = mw.decode_lax(message.encode()[:-8])
        assert cut.packet is None
        assert validate(message)[0] in validate(cut)
        assert set(validate(cut)) <= set(validate(message))
        none = mw.decode_lax(b"")
        assert validate(none) == ()

    def test_what_was_read_of_a_damaged_directory_message(self) -> None:
        """Parts that are no records, and elements of arrays, are passed over or judged where they stand."""
        change = mqdsrp.DirectoryChange(PathName="\x01")
        for message in (
            mqdsrp.SyncReplyMessage(DirectoryChanges=[change] * 3),
            mqdsrp.ChangePropagationMessage(DirectoryChanges=[change] * 3),
            mqdsrp.ChangeRequestMessage(DirectoryChange=change),
        ):
            data = mqdsrp.encode(message)
            whole = {(found.requirement, found.offset) for found in validate(message, "should")}
            for size in range(len(data)):
                lax = mqdsrp.decode_lax(data[:size])
                found = validate(lax, "should")
                assert all(violation.offset <= size for violation in found)
                assert {(one.requirement, one.offset) for one in found} <= whole
            assert not whole or found

    @pytest.mark.parametrize("kind", [None, "replication", "notification"])
    def test_whatever_was_read(self, kind: str | None) -> None:
        """What a lax reader gives is judged, with places that exist."""
        read: Any = {None: mw.decode_lax, "replication": mqdsrp.decode_lax, "notification": mqcn.decode_lax}
        for number, sample in enumerate(testing.samples(kind)):
            for seed in range(30):
                data = testing.mutate(sample, 100 * number + seed, kind=kind).data
                for bytes_left in (data, data[: len(data) * seed // 30]):
                    found = validate(read[kind](bytes_left), "should")
                    assert all(0 <= violation.offset <= len(bytes_left) for violation in found)


class TestReadings:
    """What the errata let pass."""

    @pytest.mark.parametrize("queue", [None, f"PUBLIC={G1}"])
    def test_unused_bits_ask_for_no_acknowledgment(self, queue: str | None) -> None:
        # With an unused bit alone, an administration queue may be there or not (errata M34).
        flags = mqmq.MessagePropertiesHeaderFlags(X=1)
        message = mqmq.UserMessage(
            UserHeader=mqmq.UserHeader(AdminQueue=queue),
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Flags=flags),
        )
        assert validate(message) == ()

    @pytest.mark.requirement("MQMQ-2.2.20.6-09")
    @for_each("channel", lambda: get_args(Channel))
    @pytest.mark.parametrize("kind", range(16))
    def test_a_receiver_notes_the_type_of_a_signature(self, channel: Any, kind: int) -> None:
        # SecurityHeader.Flags.AS is 0 as sent, and 1, 3 or 5 after [MS-MQQB] 3.1.5.8.3 (errata M9).
        data = bytearray.fromhex(SIGNED)
        data[89] |= kind
        allowed = {0, 1, 3, 5} if channel in {"remote-read", "stored"} else {0}
        requirements = {item.requirement for item in validate(mw.decode(data), channel=channel)}
        assert ("MQMQ-2.2.20.6-09" in requirements) == (kind not in allowed)

    @pytest.mark.parametrize(
        ("record", "context", "told"),
        [
            (mqqb.EstablishConnectionHeader(ClientGuid=G1, OperatingSystem=0x0210), {"server_class": False},
             "OperatingSystem.OS is 1, but has to be 0, because the initiator is not of the server class."),
            (mqdsrp.SyncRequestMessage(Scope=0, **OF_SITE), {"role": "PSC"},
             "Scope is 0, but has to be 1, because a PSC sent it."),
            (mqdsrp.SyncRequestMessage(Scope=1, **OF_SITE), {"role": "BSC"},
             "Scope is 1, but has to be 0, because a BSC sent it."),
        ],
    )  # fmt: skip
    def test_the_context_determines_a_value(self, record: Any, context: Any, told: str) -> None:
        (violation,) = validate(record, context=Context(**context))
        assert violation.message.endswith(told)


class TestRequire:
    """Refusing instead of reporting."""

    def test_conformant(self) -> None:
        require(mqmq.UserMessage())
        require(mqmq.SessionHeader(WindowSize=1))

    def test_violations(self) -> None:
        frame = FRAMES()["frame-7-user-message-completed"]
        require(frame)
        with pytest.raises(ConformanceError) as caught:
            require(frame, "practice")
        found = validate(frame, "practice")
        assert caught.value.violations == found
        assert str(caught.value) == str(found) == "; ".join(map(str, found))

    def test_level_and_context(self) -> None:
        with pytest.raises(ConformanceError, match=r"MQMQ-2\.2\.20\.4-13"):
            require(mqmq.SessionHeader(WindowSize=1), "should")
        with pytest.raises(ConformanceError, match=r"MQQB-2\.2\.7-27"):
            require(mqqb.PingPacket(), context=Context(sender=G1))


class TestDefaults:
    """Records whose makers leave everything out."""

    @pytest.mark.parametrize(
        "kind",
        [
            mqmq.UserMessage,
            mqqb.SessionAck,
            mqqb.EstablishConnection,
            mqqb.ConnectionParameters,
            mqqb.PingPacket,
            mqmq.BaseHeader,
            mqmq.UserHeader,
            mqmq.MessagePropertiesHeader,
            mqmq.TransactionHeader,
            mqmq.SessionHeader,
            mqmq.DebugHeader,
            mqmq.MQFSignatureHeader,
            mqmq.SoapHeader,
            mqrr.SubqueueHeader,
            mqrr.ExtendedAddressHeader,
            mqqb.PUBLICKEYBLOB,
        ],
    )
    def test_conform(self, kind: Any) -> None:
        assert validate(kind(), "should") == ()

    def test_with_content(self) -> None:
        message = mqmq.UserMessage(
            UserHeader=mqmq.UserHeader(SourceQueueManager=G1, DestinationQueue="DIRECT=OS:host\\queue"),
            TransactionHeader=mqmq.TransactionHeader(),
            SecurityHeader=mqmq.SecurityHeader(
                SecurityData=mqmq.SecurityData(SecurityID=G1.bytes_le, Signature=b"signature")
            ),
            MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="label", MessageBody=b"body"),
            SoapHeader=mqmq.SoapHeader(Header="header", Body="body"),
            SessionHeader=mqmq.SessionHeader(),
        )
        assert validate(message, "should") == ()
        assert validate(mw.decode(message.encode()), "should") == ()


class TestCarriers:
    """Directory messages in the messages that this library makes for them."""

    @pytest.mark.parametrize(
        "message",
        [
            mqdsrp.AlreadyPurgedMessage(**OF_SITE),
            mqdsrp.BSCAckMessage(BSCMachineID=G1, BSCName="bsc", **OF_SITE),
            mqdsrp.ChangePropagationMessage(**OF_SITE),
            mqdsrp.ChangeReplyMessage(RequesterName="psc", **OF_SITE),
            mqdsrp.ChangeRequestMessage(
                ChangeRequestHeader=mqdsrp.ChangeRequestHeader(RequesterName="psc", **OF_SITE),
                DirectoryChange=mqdsrp.DirectoryChange(GuidIdentifier=G1),
            ),
            mqdsrp.PSCAckMessage(PSCName="psc", PSCSiteID=G1, **OF_SITE),
            mqdsrp.SyncReplyMessage(SyncReplyHeader=mqdsrp.SyncReplyHeader(**OF_SITE)),
            mqdsrp.SyncRequestMessage(RequesterName="psc", **OF_SITE),
        ],
    )
    def test_replication(self, message: Any) -> None:
        carrier = signed(mqdsrp.wrap(message, "host", G1))
        assert validate(carrier, "should", context=Context(sender=G1)) == ()

    def test_notification(self) -> None:
        body = mqcn.NotificationBody.of(4, G1, "server")
        message = mqcn.ChangeNotificationMessage(Version=2, Data=body)
        assert (
            validate(signed(mqcn.wrap(message, G1, G1)), "should", context=Context(sender=G1, receiver=G1))
            == ()
        )


class TestAnyBytes:
    """Whatever decodes can be validated."""

    @staticmethod
    def check(record: Any) -> None:
        size = len(record.encode())
        found = validate(record, "should")
        assert all(0 <= item.offset <= size for item in found)
        assert list(found) == sorted(found, key=lambda item: (item.offset, item.requirement, item.path))
        assert set(validate(record)) <= set(found)

    @given(packets())
    def test_packets(self, packet: Any) -> None:
        self.check(packet)

    @given(packets(), packets())
    def test_any_request(self, packet: Any, request: Any) -> None:
        context = Context(request=request, sender=G1, receiver=G1, role="PSC")
        size = len(packet.encode())
        assert all(0 <= item.offset <= size for item in validate(packet, "should", context=context))

    @given(st.sampled_from(ALONE).flatmap(records))
    def test_records(self, record: Any) -> None:
        self.check(record)

    @given(
        st.sampled_from((*ALONE, *PACKET_NAMES)).flatmap(
            lambda name: st.tuples(st.just(name), near_valid(name))
        )
    )
    def test_near_valid(self, case: tuple[str, bytes]) -> None:
        name, data = case
        try:
            record = mw.Record.class_of(name).decode(data)
        except DecodeError:
            return
        self.check(record)

    @given(st.sampled_from((*ALONE, *PACKET_NAMES)).flatmap(records), st.data())
    def test_contradictory(self, record: Any, data: Any) -> None:
        """Parts that are optional in one record may be absent in another, whatever its flags say."""
        optional = [field.name for field in record.layout.fields if field.present]
        names = data.draw(st.lists(st.sampled_from(optional), unique=True)) if optional else []
        values = [
            None if field.name in names else getattr(record, field.name) for field in record.layout.fields
        ]
        self.check(type(record).raw(*values))

    @given(st.binary(max_size=120))
    def test_directory_messages(self, data: bytes) -> None:
        for kind in (mqdsrp, mqcn):
            for head in (b"", b"\0" * 17, b"\1\1", b"\2\1"):
                try:
                    record = kind.decode(head + data)
                except DecodeError:
                    continue
                self.check(record)

    @given(
        st.integers(0, 3),
        st.integers(0, 255),
        st.binary(max_size=30),
        st.sampled_from((103, 206, 702, 1101, 1202, 701)),
    )
    def test_property_values(self, command: int, number: int, blob: bytes, identifier: int) -> None:
        value = PropertyValue(31, "a\\b" * (number % 9)) if identifier == 103 else PropertyValue(65, blob)
        kinds: tuple[tuple[Any, str], ...] = (
            (mqdsrp.DirectoryChange, "PropertyID"),
            (mqcn.NotificationUpdate, "PropertyId"),
        )
        for kind, name in kinds:
            self.check(
                kind(Command=command, GuidIdentifier=G1, PropertyValue=(value,), **{name: (identifier,)})
            )


def _message_to_bad_names(count: int) -> mqmq.UserMessage:
    name = mqmq.MQFFormatNameElement(
        FormatType=3, FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName="x")
    )
    lists: dict[str, Any] = {
        part: mqmq.MQFAddressHeader(FormatNameList=(name,) * count)
        for part in ("Destination", "Administration", "Response")
    }
    message = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b"),
        MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader(**lists),
    )
    decoded: mqmq.UserMessage = mw.decode(mw.encode(message))  # type: ignore[assignment]  # it is one
    return decoded


def _calls(message: mqmq.UserMessage) -> int:
    count = 0

    def notice(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(notice)
    try:
        mw.validate(message)
    finally:
        sys.setprofile(None)
    return count


def test_cost_is_linear_in_the_number_of_violations() -> None:
    few, many = _message_to_bad_names(200), _message_to_bad_names(800)
    assert len(mw.validate(many)) == 4 * len(mw.validate(few)) == 2400
    assert _calls(many) < 4.5 * _calls(few)


def test_structures_that_only_remote_reads_return() -> None:
    """Those of [MS-MQRR] 2.2.5 are judged as such unless the caller says more, and no others."""
    found = {name for name in structures() if channel_of(name) == "remote-read"}
    assert found == {
        "MessagePacket", "UserHeaderAddress", "SRMPEnvelopeHeader", "CompoundMessageHeader",
        "ExtensionHeader", "SubqueueHeader", "DeadLetterHeader", "ExtendedAddressHeader",
    }  # fmt: skip
    assert {channel_of(name) for name in structures().keys() - found} == {"session"}


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ({"seen_at": float("nan")}, "seen_at is nan, not a time in seconds"),
        ({"seen_at": float("-inf")}, "seen_at is -inf, not a time in seconds"),
        ({"clock_tolerance": float("nan")}, "clock_tolerance is nan, not a number of seconds from 0 on"),
        ({"clock_tolerance": -1}, "clock_tolerance is -1, not a number of seconds from 0 on"),
    ],
)
def test_times_that_are_none(facts: dict[str, float], problem: str) -> None:
    with pytest.raises(mw.MsmqWireError) as caught:
        Context(**facts)  # type: ignore[arg-type]
    assert str(caught.value) == problem


def test_a_violation_shows_what_a_structure_has() -> None:
    """Its own fields; of lists in it, how many elements they have."""
    fields: dict[str, Any] = {"UserHeader.DestinationQueue": r"DIRECT=OS:host\queue"}
    ack = mw.replace(mqqb.OrderAck(), **fields)
    messages = [item.message for item in validate(ack) if item.path.endswith("DestinationQueue")]
    assert any(r"DirectFormatName='OS:host\\queue\x00'" in message for message in messages)
    assert short(mqmq.MQDSPUBLICKEYS(aPublicKeys=())).endswith("aPublicKeys=0 elements)")
