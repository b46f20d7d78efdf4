"""The strategies keep their promises: conformant, bent in one respect, all branches, small when shrunk."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from strategies import UNSHRUNK, examples_of
from support_marks import proves
from support_rows import for_each, table

import msmq_wire as mw
from msmq_wire import Record, mqdsrp, mqmq, mqqb
from msmq_wire import testing as mt
from msmq_wire.checks.rules import FUNCTION_IDS, RULES
from msmq_wire.checks.validation import Context, validate
from msmq_wire.definitions.properties import VARTYPE, Form
from msmq_wire.documents.layouts import structures
from msmq_wire.ndr.model import Array, Embedded
from msmq_wire.records.model import Choice, Structure
from msmq_wire.testing.bent import records
from msmq_wire.testing.bent.bases import BASES
from msmq_wire.testing.bent.in_context import IN_CONTEXT
from msmq_wire.testing.bent.records import broken_record, sites_of_rules
from msmq_wire.testing.bent.several_fields import INSEPARABLE, SEVERAL
from msmq_wire.testing.strategies import replication
from msmq_wire.testing.strategies.calls import records_of, values_of
from msmq_wire.testing.strategies.choices import Dice, binaries, numbers, rolled, texts
from msmq_wire.testing.strategies.directory import BLOBS_OF
from msmq_wire.testing.strategies.headers import security_header
from msmq_wire.testing.strategies.replication import Replicas
from msmq_wire.testing.strategies.sessions import session_packets
from msmq_wire.values.guid import NULL_GUID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAMES = table(lambda: sorted(structures()))
MANY = settings(UNSHRUNK, max_examples=400)
QUICK = settings(MANY, max_examples=3000)
KINDS: list[tuple[st.SearchStrategy[Any], type[Any]]] = [
    (mt.user_messages(), mqmq.UserMessage),
    (mt.message_packets(), mw.mqrr.MessagePacket),
    (mt.establish_connections(), mqqb.EstablishConnection),
    (mt.connection_parameters(), mqqb.ConnectionParameters),
    (mt.session_acks(), mqqb.SessionAck),
    (mt.order_acks(), mqqb.OrderAck),
    (mt.final_acks(), mqqb.FinalAck),
    (mt.pings(), mqqb.PingPacket),
    (mt.notifications(), mw.mqcn.ChangeNotificationMessage),
    (mt.guids(), mw.GUID),
]


@pytest.mark.tables
@for_each("name", NAMES)
def test_valid(name: str) -> None:
    @given(mt.valid(name))
    def conformant(record: Any) -> None:
        assert [violation.requirement for violation in validate(record, "should")] == []
        data = record.encode()
        assert record.layout.scoped or type(record).decode(data) == record

    conformant()


@given(mt.packets())
def test_packets_are_what_they_decode_to(packet: Any) -> None:
    assert validate(packet) == ()
    assert mw.decode(mw.encode(packet)) == packet


@given(mt.replication_messages())
def test_replication_messages(message: Any) -> None:
    assert validate(message) == ()
    assert mqdsrp.decode(message.encode()) == message


@for_each("name", NAMES)
def test_records_read_again(name: str) -> None:
    @given(mt.records(name))
    def same(record: Any) -> None:
        data = record.encode()
        assert record.layout.scoped or type(record).decode(data) == record

    same()


@for_each(("strategy", "kind"), lambda: KINDS)
def test_kinds(strategy: st.SearchStrategy[Any], kind: type[Any]) -> None:
    assert isinstance(find(strategy, lambda _: True, settings=UNSHRUNK), kind)


@pytest.mark.each(3)
@for_each("name", NAMES)
def test_registered(name: str) -> None:
    kind: Any = Record.class_of(name)
    assert isinstance(find(st.from_type(kind), lambda _: True, settings=UNSHRUNK), kind)


def test_rolled_choices_have_the_bounds_of_drawn_ones() -> None:
    """From nothing to the longest; a text may have two WCHARs for a character."""
    dice = rolled(Random(7))  # noqa: S311  # any will do
    assert {len(dice.binary(3)) for _ in range(200)} == {0, 1, 2, 3}
    assert {len(dice.text(3)) for _ in range(200)} == {0, 1, 2, 3}
    assert max(dice.number(5) for _ in range(200)) == 31


def _measures(measure: Callable[[Any], int], size: int) -> Callable[[Any], bool]:
    return lambda drawn: measure(drawn) == size


@pytest.mark.parametrize(
    ("strategy", "measure", "most"),
    [(numbers(5), int, 31), (texts(3), len, 3), (binaries(3), len, 3)],
    ids=["numbers", "texts", "binaries"],
)
def test_drawn_choices_have_these_bounds(
    strategy: st.SearchStrategy[Any], measure: Callable[[Any], int], most: int
) -> None:
    for size in (0, most):
        found = find(strategy, _measures(measure, size))
        assert measure(found) == size
    with pytest.raises(NoSuchExample):
        find(strategy, lambda drawn: not 0 <= measure(drawn) <= most, settings=UNSHRUNK)


@cache
def talks() -> list[Any]:
    return [session_packets(rolled(Random(seed))) for seed in range(200)]  # noqa: S311  # any numbers will do


def test_how_many_sessions_there_are() -> None:
    """One or two between two queue managers, of which a quarter is refused and ends there."""
    sizes, refusals, stamps = set(), [], set()
    for talk in talks():
        begins = [at for at, (way, one) in enumerate(talk) if way == "->" and _is_request(one)]
        sizes.add(len(begins))
        for begin, end in pairwise([*begins, len(talk)]):
            request, answer = (packet for _, packet in talk[begin : begin + 2])
            refused = bool(answer.InternalHeader.Flags.CS)
            refusals.append(refused)
            assert not request.InternalHeader.Flags.CS
            assert (end - begin == 2) is refused
            stamps.add(request.EstablishConnectionHeader.TimeStamp)
    assert sizes == {1, 2}
    assert 0.15 < sum(refusals) / len(refusals) < 0.35
    assert 0 in stamps
    assert len(stamps) > 3  # a later session began later


def _is_request(packet: Any) -> bool:
    return isinstance(packet, mqqb.EstablishConnection)


def test_what_sessions_have_in_them() -> None:
    """Up to three messages and SessionAcks in both directions, and acknowledgments of transactional ones."""
    counts, kinds, ways = set(), Counter[str](), set()
    elsewhere = (
        *("SRMPEnvelopeHeader", "CompoundMessageHeader", "ExtensionHeader", "SubqueueHeader"),
        *("DeadLetterHeader", "ExtendedAddressHeader", "MultiQueueFormatHeader", "SoapHeader"),
    )
    for talk in talks():
        own = 0
        for way, packet in talk:
            own = 0 if _is_request(packet) else own + isinstance(packet, (mqmq.UserMessage, mqqb.SessionAck))
            counts.add(own)
            kinds[type(packet).__name__] += 1
            if isinstance(packet, mqmq.UserMessage):
                ways.add((way, packet.TransactionHeader is None, packet.SessionHeader is None))
                assert {getattr(packet, name) for name in elsewhere} == {None}
    assert counts == {0, 1, 2, 3}
    assert len(ways) == 8
    assert kinds["OrderAck"] == kinds["FinalAck"]
    # A third of the rounds, of which there are up to three, and never the first.
    assert 0.1 < kinds["SessionAck"] / (kinds["SessionAck"] + kinds["UserMessage"]) < 0.25


def test_numbers_of_transactional_messages_in_sessions() -> None:
    """In one sequence of each direction, from one on, over all sessions."""
    most = 0
    for talk in talks():
        numbers: dict[str, list[int]] = {"->": [], "<-": []}
        for way, packet in talk:
            header = getattr(packet, "TransactionHeader", None)
            if header is not None:
                assert header.TxSequenceID == mqmq.TxSequenceID(1, 1)
                assert header.PreviousTxSequenceNumber == header.TxSequenceNumber - 1
                numbers[way].append(header.TxSequenceNumber)
        for found in numbers.values():
            assert found == [*range(1, len(found) + 1)]
            most = max(most, len(found))
    assert most > 2


def test_how_deep_variants_are_nested() -> None:
    """A vector of variants may have one among its values, whose values have none."""

    def is_vector(variant: Any) -> bool:
        return bool(variant.vt == VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT)

    def has_vector(variants: Any) -> bool:
        return any(map(is_vector, variants))

    values = Array(Embedded("PROPVARIANT"), "cElems")
    assert find(records_of("PROPVARIANT", 1), is_vector, settings=MANY)
    assert find(values_of(values, 2), has_vector, settings=MANY)
    for strategy, sight in ((records_of("PROPVARIANT", 0), is_vector), (values_of(values, 1), has_vector)):
        with pytest.raises(NoSuchExample):
            find(strategy, sight, settings=UNSHRUNK)


def test_unknown_kinds() -> None:
    for make in (mt.records, mt.valid, mt.near_valid_bytes, mt.calls):
        with pytest.raises(ValueError, match="no structure 'Bogus'"):
            make("Bogus")
    for bent in (mt.bent_packets, mt.bent_in_context):
        with pytest.raises(ValueError, match="not a requirement"):
            bent("MQMQ-0-00")
        with pytest.raises(
            mw.WrongTypeError, match="requirement: expected the id of a requirement, got list"
        ):
            bent([])  # type: ignore[arg-type]


OPTIONS: list[tuple[str, Callable[[Any], object]]] = [
    ("transactional", lambda m: m.TransactionHeader),
    ("with_security", lambda m: m.SecurityHeader),
    ("with_debug", lambda m: m.DebugHeader),
    ("with_soap", lambda m: m.SoapHeader),
    ("with_destinations", lambda m: m.MultiQueueFormatHeader),
    ("with_acknowledgments", lambda m: m.UserHeader.AdminQueue),
    ("with_session_header", lambda m: m.SessionHeader),
    ("over_http", lambda m: m.SRMPEnvelopeHeader and m.CompoundMessageHeader),
    ("from_remote_read", lambda m: m.ExtensionHeader and m.SubqueueHeader and m.ExtendedAddressHeader),
]


@for_each(("option", "part"), lambda: OPTIONS)
@pytest.mark.parametrize("wish", [True, False])
def test_options(option: str, part: Callable[[Any], object], wish: bool) -> None:
    wishes: dict[str, Any] = {option: wish}

    @given(mt.user_messages(**wishes))
    def kept(message: Any) -> None:
        assert (part(message) is not None) == wish
        assert validate(message, channel="remote-read" if message.SRMPEnvelopeHeader else "session") == ()

    kept()


# ------------------------------------------------------------------------------------------- branches


def _branches(structure: Structure) -> Iterator[tuple[str, object]]:
    """Every way that an optional part, a choice or the flag of an optional part can go."""
    for field in structure.fields:
        path = f"{structure.name}.{field.name}"
        if field.present is not None:
            yield from ((path, True), (path, False))
        if isinstance(field.kind, Choice):
            for value in field.kind.forms:
                yield path, value


def _taken(record: Any) -> Iterator[tuple[str, object]]:
    for field in record.layout.fields:
        path, value = f"{record.layout.name}.{field.name}", getattr(record, field.name)
        if field.present is not None:
            yield path, value is not None
        if isinstance(field.kind, Choice):
            word: Any = record
            for step in field.kind.selector.split("."):
                word = getattr(word, step)
            yield path, word
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Record):
                yield from _taken(part)


@pytest.mark.each(6)
@pytest.mark.parametrize(
    "name", ["UserMessage", "MessagePacket", "DirectoryChange", "ChangeRequestMessage",
             "ChangePropagationMessage", "ChangeNotificationMessage"],
)  # fmt: skip
def test_every_branch_is_reached(name: str) -> None:
    """Within 400 examples, for the structure and all that is within it."""
    seen: set[tuple[str, object]] = set()
    owners: set[str] = set()

    @MANY
    @given(mt.valid(name))
    def look(record: Any) -> None:
        seen.update(_taken(record))

    look()
    owners = {path.partition(".")[0] for path, _ in seen}
    wanted = {row for owner in owners for row in _branches(structures()[owner])}
    # A remote read always has a subqueue and an address after its ExtensionHeader, and within a
    # MessagePacket these headers and the SessionHeader are not in the message itself.
    left_out = {"UserMessage.SessionHeader", "UserMessage.ExtensionHeader", "UserMessage.SubqueueHeader",
                "UserMessage.DeadLetterHeader", "UserMessage.ExtendedAddressHeader"}  # fmt: skip
    if name == "UserMessage":  # headers of what came over HTTP are for remote reads
        wanted -= {(f"UserMessage.{part}", True) for part in ("SRMPEnvelopeHeader", "CompoundMessageHeader")}
    # A SecurityHeader of nothing is not conformant.
    wanted.discard(("SecurityHeader.SecurityData", False))
    missing = {row for row in wanted - seen if not (name == "MessagePacket" and row[0] in left_out)}
    assert missing == set()


# ---------------------------------------------------------------------------------------- bent records


@given(st.deferred(mt.bent_packets))
def test_any_bent_packet(bent: tuple[str, Any]) -> None:
    requirement, record = bent
    assert {item.requirement for item in validate(record)} == {requirement}


@pytest.mark.each(4)
@pytest.mark.requirement
@for_each("requirement", lambda: [proves(one) for one in sorted(mt.BENDABLE)])
def test_bent_packet(requirement: str) -> None:
    @settings(MANY, max_examples=4)
    @given(mt.bent_packets(requirement))
    def one(bent: tuple[str, Any]) -> None:
        assert bent[0] == requirement
        found = validate(bent[1], mt.BENDABLE[requirement])
        assert {item.requirement for item in found} == {requirement}

    one()


PACKETS_BY_HEADER = {
    **dict.fromkeys(
        (
            "BaseHeader", "UserHeader", "MessagePropertiesHeader", "TransactionHeader", "SecurityHeader",
            "SecurityData", "DebugHeader", "SoapHeader", "MultiQueueFormatHeader", "MQFAddressHeader",
            "MQFSignatureHeader", "SessionHeader",
        ),
        "UserMessage",
    ),
    **dict.fromkeys(
        (
            "SRMPEnvelopeHeader", "CompoundMessageHeader", "ExtensionHeader", "SubqueueHeader",
            "DeadLetterHeader", "ExtendedAddressHeader",
        ),
        "MessagePacket",
    ),
    "ConnectionParametersHeader": "ConnectionParameters",
    "EstablishConnectionHeader": "EstablishConnection",
    "InternalHeader": "EstablishConnection",
}  # fmt: skip


def test_headers_are_bent_in_packets() -> None:
    dice = rolled(Random(1))  # noqa: S311  # any numbers will do
    made = {name: [base(dice) for _ in range(9)] for name, (_, base) in BASES.items()}
    assert {name: type(packets[0]).__name__ for name, packets in made.items()} == PACKETS_BY_HEADER
    for name, (path, _) in BASES.items():
        assert name in {type(attrgetter(path)(packet)).__name__ for packet in made[name]}


def test_keys_with_fewer_bits_than_bytes() -> None:
    """From one bit to seven fewer than 8 for each byte, so the number of bytes still fits."""
    key, changes = mqmq.SenderCertPublicKey(Modulus=bytes(4)), SEVERAL["MQMQ-2.2.20.6-40"].changes
    dice = Dice(lambda _: bytes(range(16)))
    assert {changes(key, dice)["LengthInBits"] for _ in range(16)} == {25, 26, 27, 28, 29, 30, 31}


SPANS: list[tuple[str, Callable[[Any, Any], int], set[int]]] = [
    ("MQMQ-2.2.4-01", lambda old, new: len(new.Address) - len(old.Address), {1, 2, 3}),
    ("MQMQ-2.2.14-01", lambda _, new: int(new.PropertyValue[0].value), {*range(1, 257)}),
    ("MQMQ-2.2.19.3-42", lambda _, new: len(new.MessagePropertiesHeader.Label), {*range(251, 256)}),
    ("MQMQ-2.2.20.6-40", lambda old, new: 8 * len(old.Modulus) - new.LengthInBits, {*range(1, 8)}),
    ("MQMQ-2.2.20.6-44", lambda _, new: len(new.SecurityData.SenderCert), {*range(65536, 65544)}),
    *((name, lambda old, new: len(new.MessagePropertiesHeader.MessageBody)
       - len(old.MessagePropertiesHeader.MessageBody), {1, 2, 3, 4}) for name in
      ("MQQB-2.2.4-09", "MQQB-2.2.5-10")),
    ("MQCN-3.3.5.3-09", lambda old, new: len(new.MessagePropertiesHeader.MessageBody)
     - len(old.MessagePropertiesHeader.MessageBody), {-1}),
]  # fmt: skip


@for_each("row", lambda: range(len(SPANS)))
def test_how_far_a_size_is_bent(row: int) -> None:
    """From the first value that is too many or too few; the whole of these ranges is tried."""
    requirement, measure, wanted = SPANS[row]
    record = SEVERAL[requirement].base(rolled(Random(2)))  # noqa: S311  # any will do
    found = set()
    for byte in range(256):
        changes = SEVERAL[requirement].changes(record, Dice(lambda _, byte=byte: bytes([byte]) * 16))
        found.add(measure(record, records.bent(record, changes)))
    assert found == wanted


def some_dice() -> list[Dice]:
    """Dice of twenty seeds, anew for each test: what was drawn from them before must not count."""
    return [rolled(Random(seed)) for seed in range(20)]  # noqa: S311  # any numbers will do


@for_each("requirement", lambda: sorted(SEVERAL))
def test_what_is_bent_in_several_fields_was_straight(requirement: str) -> None:
    for dice in some_dice():
        record = SEVERAL[requirement].base(dice)
        assert record.encode()
        assert validate(record) == ()


def test_signed_messages_of_a_queue_manager_without_identifier() -> None:
    """Also where the sender is NULL, the SecurityID is the SourceQueueManager."""
    headers = [security_header(dice, NULL_GUID) for dice in some_dice()]
    named = {header.SecurityData.SecurityID for header in headers if header.Flags.ST == 2}
    assert named == {bytes(16)}


@for_each("requirement", lambda: sorted(IN_CONTEXT))
def test_what_is_bent_in_context_was_straight(requirement: str) -> None:
    """In that context, and for a packet also where packets are sent, in a session."""
    for dice in some_dice():
        record, context = IN_CONTEXT[requirement].base(dice)
        channel: Any = "session" if "BaseHeader" in record.layout.by_name else None
        assert record.encode()
        assert validate(record, channel=channel, context=context) == ()


@pytest.mark.parametrize("bits", [1, 4, 8, 16, 32, 64])
def test_numbers_of_dice(bits: int) -> None:
    """None has more bits, and the smallest, the largest and the one in the middle are often drawn."""
    dice = rolled(Random(1))  # noqa: S311  # as above
    found = [dice.number(bits) for _ in range(300)]
    assert (min(found), max(found)) == (0, 2**bits - 1)
    assert all(found.count(number) > 10 for number in (0, 1, 2 ** (bits - 1) - 1, 2**bits - 1))


def test_dice_use_every_byte() -> None:
    tapes = iter((bytes(range(16)), bytes(range(16, 32)), bytes(16)))
    dice = Dice(lambda _: next(tapes))
    assert [dice.byte() for _ in range(33)] == [*range(32), 0]


@pytest.mark.requirement
@for_each("requirement", lambda: [proves(one) for one in sorted(mt.BENDABLE_IN_CONTEXT)])
def test_bent_in_context(requirement: str) -> None:
    @settings(MANY, max_examples=max(4, settings().max_examples // 2))
    @given(mt.bent_in_context(requirement))
    def one(bent: tuple[str, Any, Context]) -> None:
        name, record, context = bent
        assert name == requirement
        found = validate(record, mt.BENDABLE_IN_CONTEXT[requirement], context=context)
        assert {item.requirement for item in found} == {requirement}
        assert {item.requirement for item in validate(record)} <= {"MQQB-3.1.5.3.2-02"}

    one()


@given(mt.bent_in_context())
def test_anything_bent_in_context(bent: tuple[str, Any, Context]) -> None:
    requirement, record, context = bent
    assert {item.requirement for item in validate(record, "should", context=context)} == {requirement}


def test_what_can_be_bent() -> None:
    ruled = {rule.requirement for rules in RULES.values() for rule in rules} | FUNCTION_IDS
    assert ruled - {*mt.BENDABLE, *mt.BENDABLE_IN_CONTEXT} == set(INSEPARABLE)


@pytest.mark.long
@pytest.mark.parametrize("kind", [mqmq.UserMessage, mqqb.SessionAck, "DirectoryChange"])
def test_near_valid_bytes(kind: Any) -> None:
    outcomes = set()
    record_class: Any = Record.class_of(kind) if isinstance(kind, str) else kind

    @MANY
    @given(mt.near_valid_bytes(kind))
    def read(data: bytes) -> None:
        try:
            record_class.decode(data)
            outcomes.add("read")
        except mw.DecodeError:
            outcomes.add("refused")

    read()
    assert outcomes == {"read", "refused"}


# ------------------------------------------------------------------------------------------- sessions


@given(mt.sessions())
def test_sessions(session: list[tuple[mt.Direction, Any]]) -> None:
    sent: dict[str, int] = {}
    asked: Any = None
    by_number = {}
    for way, packet in session:
        context = Context()
        if isinstance(packet, mqqb.EstablishConnection):
            sent = {"->": 0, "<-": 0} if way == "->" else sent
            context = Context() if way == "->" else Context(request=asked)
            asked = packet
        elif isinstance(packet, (mqmq.UserMessage, mqqb.OrderAck, mqqb.FinalAck)):
            sent[way] += 1
            by_number[packet.UserHeader.MessageID] = way, packet
        if isinstance(packet, mqqb.FinalAck):
            body = mqqb.FinalAckBody.decode(packet.MessagePropertiesHeader.MessageBody)
            there, acknowledged = by_number[body.MessageID]
            assert there != way
            assert validate(body, context=Context(request=acknowledged)) == ()
        header = getattr(packet, "SessionHeader", None)
        if header is not None:
            assert header.UserMsgSequenceNumber == sent[way]
            assert header.AckSequenceNumber == sent["<-" if way == "->" else "->"]
        assert validate(packet, channel="session", context=context) == ()
        assert mw.decode(mw.encode(packet)) == packet
    assert [*by_number] == [*range(1, len(by_number) + 1)]


SIGHTS: list[Callable[[list[tuple[mt.Direction, Any]]], object]] = [
    lambda s: any(isinstance(p, mqqb.EstablishConnection) and p.InternalHeader.Flags.CS for _, p in s),
    lambda s: sum(isinstance(p, mqqb.EstablishConnection) for _, p in s) > 2,
    lambda s: any(isinstance(p, mqqb.FinalAck) for _, p in s),
    lambda s: any(isinstance(p, mqqb.SessionAck) and p.SessionHeader.RecoverableMsgAckFlags for _, p in s),
    lambda s: any(isinstance(p, mqmq.UserMessage) and p.SessionHeader for _, p in s),
]


@for_each("sight", lambda: range(len(SIGHTS)))
def test_what_happens_in_sessions(sight: int) -> None:
    assert find(mt.sessions(), lambda session: bool(SIGHTS[sight](session)), settings=QUICK)


@given(mt.replication_histories())
def test_replication_histories(history: list[mt.Delivery]) -> None:
    last: dict[tuple[str, mw.GUID], int] = {}
    for delivery in history:
        message, request = delivery.message, delivery.request
        assert validate(message, "should", context=Context(request=request)) == ()
        assert mqdsrp.decode(message.encode()) == message
        assert delivery.sender != delivery.receiver
        if isinstance(
            message, (mqdsrp.SyncReplyMessage, mqdsrp.AlreadyPurgedMessage, mqdsrp.ChangeReplyMessage)
        ):
            assert request is not None
        if isinstance(message, mqdsrp.ChangePropagationMessage):
            for change in message.DirectoryChanges:
                place = delivery.receiver, change.PartitionID
                assert int(change.PreviousSeqNumber) < int(change.SeqNumber)
                assert last.get(place, 0) < int(change.SeqNumber)
                last[place] = int(change.SeqNumber)


@pytest.mark.each(4)
@pytest.mark.parametrize(
    "kind",
    [
        mqdsrp.ChangePropagationMessage, mqdsrp.ChangeRequestMessage, mqdsrp.ChangeReplyMessage,
        mqdsrp.SyncRequestMessage, mqdsrp.SyncReplyMessage, mqdsrp.AlreadyPurgedMessage,
        mqdsrp.PSCAckMessage, mqdsrp.BSCAckMessage,
    ],
)  # fmt: skip
def test_what_happens_in_histories(kind: type[Any]) -> None:
    assert find(
        mt.replication_histories(), lambda h: any(isinstance(d.message, kind) for d in h), settings=QUICK
    )


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("second", range(7))
def test_histories_have_two_or_three_servers(
    first: int, second: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And up to five steps, so that they stay short."""

    class Noted:
        def __init__(self, names: tuple[str, ...]) -> None:
            self.names = names

        def step(self, _: Dice) -> list[tuple[str, ...]]:
            return [self.names]

    monkeypatch.setattr(replication, "Replicas", Noted)
    found: Any = replication.delivery_history(Dice(lambda _: bytes([first, second] * 8)))
    names = ("pec", "psc", "bsc") if first == 1 else ("pec", "psc")
    assert found == [names] * (0 if second == 6 else second)


def test_as_many_queues_are_changed_again_as_a_history_remembers() -> None:
    """The latest 64, so that a long history keeps its size; the oldest of them is forgotten first."""
    replicas = Replicas(("pec", "psc"), losses=0)
    for _ in range(66):
        replicas.step(Dice(lambda _: bytes(16)))
    assert [*replicas.queues] == [f"host{number}\\queue" for number in range(3, 67)]


def test_messages_get_lost_in_histories() -> None:
    assert find(mt.replication_histories(), lambda h: any(d.lost for d in h), settings=QUICK)


@pytest.mark.parametrize(("losses", "lost"), [(0, False), (1, True)])
def test_what_is_lost_is_told(losses: int, lost: bool) -> None:
    replicas = Replicas(("pec", "psc"), losses=losses)
    found = replicas.step(Dice(lambda _: bytes(16)))
    assert {delivery.lost for delivery in found} == {lost}


@pytest.mark.parametrize("outages", [False, True])
def test_servers_that_have_nothing_to_tell_say_nothing(outages: bool) -> None:
    """No message of changes is empty."""
    replicas = Replicas(("pec", "psc", "bsc"), losses=0, outages=outages)
    dice = rolled(Random(1))  # noqa: S311  # any numbers will do
    found = [delivery.message for _ in range(20) for delivery in replicas.step(dice)]
    changes = [one.DirectoryChanges for one in found if isinstance(one, mqdsrp.ChangePropagationMessage)]
    assert len(changes) > 20
    assert all(changes)


@pytest.mark.parametrize(
    ("first", "done"),
    [
        (0, "create"), (1, "create"), (2, "create"), (3, "create"), (4, "update"), (5, "update"),
        (6, "delete"), (7, "miss"),
    ],
)  # fmt: skip
def test_what_directory_servers_do(first: int, done: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of eight steps four create a queue, two change one, one deletes one, and in one a server is down.

    While there is no queue, one is created; without outages no server is down.
    """
    replicas, steps = Replicas(("pec", "psc"), losses=0), list[str]()

    def noted(kind: str, act: Callable[..., None]) -> Callable[..., None]:
        def acting(*given: Any) -> None:
            steps.append(kind)
            act(*given)

        return acting

    for kind in ("create", "update", "delete", "miss"):
        monkeypatch.setattr(replicas, f"_{kind}", noted(kind, getattr(replicas, f"_{kind}")))

    def step() -> str:
        steps.clear()
        replicas.step(Dice(lambda _: bytes([first, *[0] * 15])))
        return steps[0]

    assert step() == ("miss" if done == "miss" else "create")
    replicas.step(Dice(lambda _: bytes(16)))
    assert step() == done
    monkeypatch.setattr(replicas, "_outages", False)
    replicas.step(Dice(lambda _: bytes(16)))
    assert step() == ("update" if done == "miss" else done)


def test_what_is_changed_of_queues() -> None:
    """Journaling, quota, priority and label, of a queue of the own site or of another."""
    replicas, found = Replicas(("pec", "psc"), losses=0), dict[int, Any]()
    replicas.step(Dice(lambda _: bytes(16)))
    for number in range(8):
        for one in replicas.step(Dice(lambda _, number=number: bytes([4, number % 2, 0, number, *[1] * 12]))):
            for change in getattr(one.message, "DirectoryChanges", ()):
                found |= zip(change.PropertyID, change.PropertyValue, strict=True)
    assert {104, 105, 106, 108} <= {*found}
    assert [found[number].value for number in (104, 105, 106, 108)] == [1, 1, 1, "host"]


@pytest.mark.parametrize("losses", [1, 2, 5, 20])
def test_one_in_so_many_messages_is_lost(losses: int) -> None:
    replicas = Replicas(("pec", "psc"), losses=losses)
    sent: Any = None  # the network takes every message alike
    lost = 0
    for byte in range(100):
        replicas.dice = Dice(lambda _, byte=byte: bytes([byte]) * 16)
        lost += replicas.delays("pec", sent) == ()
    assert lost == 100 // losses


def test_no_message_arrives_before_it_was_sent() -> None:
    replicas = Replicas(("pec", "psc"), losses=0)
    replicas.step(rolled(Random(1)))  # noqa: S311  # as above
    sent: Any = None  # the network takes every message alike
    assert all(delay > 0 for delay in replicas.delays("pec", sent))


# ------------------------------------------------------------------------------------------ shrinking

SMALL: list[tuple[Callable[[Any], object], int, str]] = [
    (lambda _: True, 152, "UserHeader MessagePropertiesHeader"),
    (lambda m: m.SoapHeader, 172, "UserHeader MessagePropertiesHeader SoapHeader"),
    (lambda m: len(m.MessagePropertiesHeader.MessageBody) > 3, 156, "UserHeader MessagePropertiesHeader"),
    (lambda m: m.UserHeader.SentTime > 1000, 152, "UserHeader MessagePropertiesHeader"),
    (lambda m: m.TransactionHeader, 172, "UserHeader TransactionHeader MessagePropertiesHeader"),
]


@pytest.mark.long
@for_each("number", lambda: range(len(SMALL)))
def test_smallest_messages(number: int) -> None:
    wanted, size, headers = SMALL[number]
    least = find(mt.user_messages(), lambda message: bool(wanted(message)))
    there = [field.name for field in least.layout.fields if getattr(least, field.name) is not None]
    assert (len(least.encode()), " ".join(there[1:])) == (size, headers)


def test_smallest_number() -> None:
    least = find(mt.user_messages(), lambda message: message.UserHeader.SentTime > 1000)
    assert least.UserHeader.SentTime == 1001
    assert least.MessagePropertiesHeader.Label == ""


# -------------------------------------------------------------------------------------- bent by class


@pytest.mark.long
def test_classes_are_bent_as_often_as_each_other() -> None:
    found = [type(record).__name__ for _, record in examples_of(mt.bent_packets(), 600)]
    most = max(found.count(name) for name in found)
    assert len(set(found)) > 30
    assert most < len(found) / 8


@pytest.mark.parametrize("kind", [mqmq.UserMessage, "OrderAck", mqdsrp.DirectoryChange])
def test_bent_of_one_class(kind: Any) -> None:
    name = kind if isinstance(kind, str) else kind.__name__
    for requirement, record in examples_of(mt.bent_packets(kind=kind), 30):
        assert type(record).__name__ == name
        assert requirement in {violation.requirement for violation in validate(record)}
        assert record.encode()


def test_bent_of_a_class_and_a_requirement() -> None:
    places = mt.bent_packets("MQMQ-2.2.19.2-08", kind="UserMessage")
    assert {requirement for requirement, _ in examples_of(places, 5)} == {"MQMQ-2.2.19.2-08"}
    with pytest.raises(ValueError, match=r"no SessionAck can violate MQMQ-2.2.19.2-08 alone"):
        mt.bent_packets("MQMQ-2.2.19.2-08", kind="SessionAck")
    for requirement in (None, "MQMQ-2.2.19.2-08"):
        with pytest.raises(ValueError, match="there is no structure 'SesionAck'; did you mean SessionAck"):
            mt.bent_packets(requirement, kind="SesionAck")
    with pytest.raises(ValueError, match="no TA_ADDRESS can violate MQMQ-2"):
        mt.bent_packets("MQMQ-2.2.19.2-08", kind="TA_ADDRESS")


def test_a_requirement_that_is_not_broken_alone_says_why() -> None:
    with pytest.raises(
        ValueError, match=r"^'MQQB-2\.2\.7-24' needs a context to be violated: use bent_in_context$"
    ):
        mt.bent_packets("MQQB-2.2.7-24")
    with pytest.raises(
        ValueError, match=r"^'MQMQ-2\.2\.20\.6-08' is not a requirement that can be violated alone$"
    ):
        mt.bent_packets("MQMQ-2.2.20.6-08")  # another one is as similar, and as wrong


def test_kinds_of_another_type() -> None:
    number: Any = 5
    strategies = (mt.valid, mt.records, mt.near_valid_bytes, mt.calls)
    for strategy in (*strategies, lambda kind: mt.bent_packets(kind=kind)):
        with pytest.raises(TypeError, match="expected a record class, or the name of a structure, got int"):
            strategy(number)
    with pytest.raises(TypeError, match="expected the id of a requirement, got int"):
        mt.bent_packets(number)


def test_calls_have_any_value_in_each_field() -> None:
    """Reserved fields as well, and each type of the union."""
    for field in ("wReserved1", "wReserved3", "property_value.value"):
        assert find(mt.calls("PROPVARIANT"), attrgetter(field), settings=MANY)
    assert find(mt.calls("PROPVARIANT"), lambda one: one.vt == VARTYPE.VT_UI1, settings=MANY)
    assert find(
        mt.calls("PROPVARIANT"), lambda one: one.vt == VARTYPE.VT_VECTOR | VARTYPE.VT_UI4, settings=MANY
    )


def test_structures_within_properties_can_be_read() -> None:
    for form, cls in (
        (Form.TA_ADDRESS, mqmq.TA_ADDRESS),
        (Form.MQDSPUBLICKEYS, mqmq.MQDSPUBLICKEYS),
        (Form.MQUSERSIGNCERTS, mqmq.MQUSERSIGNCERTS),
    ):
        nothing, blob = BLOBS_OF[form]
        assert nothing == b""
        assert cls.decode(blob).encode() == blob


@pytest.mark.parametrize(("profile", "there"), [("windows-xp", True), ("windows-2000", False)])
def test_lists_of_destinations_came_with_windows_xp(profile: Any, there: bool) -> None:
    def has_lists(message: Any) -> bool:
        return message.MultiQueueFormatHeader is not None

    if there:
        assert find(mt.user_messages(profile=profile), has_lists, settings=UNSHRUNK)
    else:
        with pytest.raises(NoSuchExample):
            find(mt.user_messages(profile=profile), has_lists, settings=UNSHRUNK)


@pytest.mark.parametrize("seed", range(40))
def test_a_size_is_bent_in_a_header_alone(seed: int) -> None:
    """In a whole packet most other sizes break more than the one requirement."""
    found = [
        broken_record(rolled(Random(seed)), "MQMQ-2.2.19.1-37", place)  # noqa: S311  # any will do
        for place in sites_of_rules()["MQMQ-2.2.19.1-37"]
    ]
    assert {type(header) for header in found} == {mqmq.BaseHeader}


def test_a_number_out_of_order_is_behind_the_one_that_is_due() -> None:
    """It is one of a message, however low the number was and whatever is drawn."""
    bend = IN_CONTEXT["MQQB-2.2.4.1-02"]
    body = mqqb.OrderAckBody(TxSequenceNumber=3)
    for drawn in (0, 200):
        changes = bend.changes(body, Dice(lambda _, drawn=drawn: bytes([drawn])))
        assert changes == {"TxSequenceNumber": 4 + drawn, "TxPreviousSequenceNumber": 3 + drawn}


OTHERS = {
    "MQQB-2.2.3.1-08": 1, "MQQB-2.2.3.1-09": 1, "MQQB-2.2.7-04": 1, "MQDSRP-3.2.7.3-23": 1,
    "MQQB-2.2.3.1-26": 16, "MQQB-2.2.7-24": 16, "MQQB-2.2.5.1-08": 16, "MQDSRP-2.2.6.3-03": 16,
}  # fmt: skip
"""Requirements that another number breaks, and how many bits it has."""


@for_each("requirement", lambda: OTHERS)
def test_another_number_is_another(requirement: str) -> None:
    """Whatever is drawn, and always one of the size of the field or of sixteen bits."""
    bend, bits = IN_CONTEXT[requirement], OTHERS[requirement]
    record, _ = bend.base(rolled(Random(3)))  # noqa: S311  # any will do
    seen = set()
    for byte in range(256):
        ((path, value),) = bend.changes(record, Dice(lambda _, byte=byte: bytes([byte]) * 16)).items()
        assert value != attrgetter(path)(record) % (1 << bits)
        assert 0 <= value < 1 << bits
        seen.add(value)
    assert len(seen) == min(256, (1 << bits) - 1)


@pytest.mark.parametrize("number", [1, 2, 0x200, 0x201, 0xFFFFFFFF])
@pytest.mark.parametrize("byte", [0, 1, 255])
def test_another_number_of_a_message_is_one_that_a_message_has(number: int, byte: int) -> None:
    body = mqqb.FinalAckBody(TxSequenceNumber=number, TxPreviousSequenceNumber=number - 1)
    dice = Dice(lambda _: bytes([byte]) * 16)
    (other,) = IN_CONTEXT["MQQB-2.2.5.1-02"].changes(body, dice).values()
    assert 1 <= other <= 0xFFFFFFFF
    assert abs(other - number) == byte + 1
    (before,) = IN_CONTEXT["MQQB-2.2.5.1-03"].changes(body, dice).values()
    assert before == (1 if number == 1 else 0)


@given(mt.sessions())
def test_two_queue_managers_have_a_session(session: list[tuple[mt.Direction, Any]]) -> None:
    """The initiator is the client of the handshake, and each side sends its own messages."""
    requests = [packet for _, packet in session if isinstance(packet, mqqb.EstablishConnection)]
    ends = {
        (one.EstablishConnectionHeader.ClientGuid, one.EstablishConnectionHeader.ServerGuid)
        for one in requests
    }
    ((client, acceptor),) = ends
    assert client != acceptor
    for way, packet in session:
        if isinstance(packet, mqmq.UserMessage):
            assert packet.UserHeader.SourceQueueManager == (client if way == "->" else acceptor)


class Tape(Random):
    """Some bytes, and zeros after them: whatever else is drawn is the simplest."""

    def __init__(self, first: bytes) -> None:
        super().__init__(0)
        self.first = first

    def randbytes(self, n: int) -> bytes:
        found, self.first = self.first[:n], self.first[n:]
        return found.ljust(n, b"\0")

    def getrandbits(self, _: int, /) -> int:
        return 0


def packets_for(*bytes_of_dice: int) -> list[tuple[mt.Direction, Any]]:
    """The packets of sessions for some first bytes; the two queue managers are chosen by two zeros."""
    tape = bytes([0, 0, *bytes_of_dice])
    return [*session_packets(rolled(Tape(tape.ljust(16, b"\0"))))]


def said(*bytes_of_dice: int) -> list[Any]:
    """The same without the directions."""
    return [packet for _, packet in packets_for(*bytes_of_dice)]


@pytest.mark.parametrize("byte", range(8))
def test_what_a_byte_decides_of_sessions(byte: int) -> None:
    """One in three has two sessions, one session in four is refused, and others have up to three rounds.

    A third of the rounds only acknowledges, where there is something to acknowledge.
    """
    opened = [one for one in said(byte) if isinstance(one, mqqb.EstablishConnection)]
    assert len(opened) == (4 if byte % 3 == 2 else 2)
    assert len({one.EstablishConnectionHeader.TimeStamp for one in opened}) == len(opened) // 2
    refused = [one for one in said(0, byte) if one.InternalHeader.Flags.CS]
    assert len(refused) == (byte % 4 == 3)
    assert len(said(0, byte)) == (2 if byte % 4 == 3 else 4)
    assert [type(one) for one in said(0, 0, byte)[4:]] == [mqmq.UserMessage] * (byte % 4)
    (one,) = said(0, 0, 1, 0, byte)[4:]
    assert isinstance(one, mqmq.UserMessage)  # nothing came that a SessionAck could acknowledge
    message = (0, 0, 0, 0)
    for turn in (0, 1):  # the side that owes an acknowledgment sends it, whichever turn it is
        (_, first), (way, second) = packets_for(0, 0, 2, *message, turn, byte)[4:]
        assert isinstance(first, mqmq.UserMessage)
        if byte % 3 == 2:
            assert (way, type(second)) == ("<-", mqqb.SessionAck)
            assert second.SessionHeader.AckSequenceNumber == 1
        else:
            assert (way, type(second)) == ("<-" if turn else "->", mqmq.UserMessage)
