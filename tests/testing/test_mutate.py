"""The mutator: every mutation does what its name says, in one place, and always the same."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from collections import Counter
from inspect import getsource
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from support_calls import calls_of
from support_specs import load_vectors

import msmq_wire as mw
from msmq_wire import mqdsrp, mqmq, mqqb, rpc
from msmq_wire import testing as mt
from msmq_wire.definitions.texts import TEXTS
from msmq_wire.documents.layouts import structures
from msmq_wire.testing import Mutation, SessionMutation
from msmq_wire.testing.mutation import corpus
from msmq_wire.testing.mutation.numbers import Switch, View, places
from msmq_wire.testing.mutation.operations import MUTATIONS, Change, Subject, set_reserved

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SAMPLES = mt.samples()
FULL = SAMPLES[1]
"""A UserMessage with every header."""
MESSAGE = next(vector.data for vector in load_vectors() if vector.completed)
SESSION = [bytes([number]) * 4 for number in range(6)]


def differing(one: bytes, other: bytes) -> tuple[int, int]:
    """Where two buffers of a size begin and end to differ."""
    found = [at for at, (left, right) in enumerate(zip(one, other, strict=True)) if left != right]
    return found[0], found[-1] + 1


def spans(data: bytes) -> dict[str, tuple[int, int]]:
    return {piece.path: (piece.offset, piece.offset + piece.size) for piece in View(data, None).fields}


@pytest.mark.parametrize("mutation", Mutation)
def test_every_mutation_has_something_to_do(mutation: Mutation) -> None:
    mutant = mt.mutate(FULL, 7, mutation=mutation)
    assert mutant.mutation is mutation
    assert mutant.data != FULL


@pytest.mark.each(4)
@pytest.mark.parametrize("mutation", [None, *Mutation])
def test_the_seed_decides_all(mutation: Mutation | None) -> None:
    first = [mt.mutate(FULL, seed, mutation=mutation) for seed in range(40)]
    assert first == [mt.mutate(FULL, seed, mutation=mutation) for seed in range(40)]
    assert len({mutant.data for mutant in first}) > 5


def mutants_by_hash() -> str:
    full = mt.samples()[1]
    mutants = [mt.mutate(full, seed, stacked=4) for seed in range(20)]
    return f"{mutants}\n{list(mt.session_mutants(mt.samples(), 20))}"


@pytest.mark.parametrize("mutation", Mutation)
def test_a_mutant_differs_from_its_input(mutation: Mutation) -> None:
    """Also if the mutation has nothing to do, and bytes are changed instead."""
    for data in (SAMPLES[4], b"\0"):
        assert all(mt.mutate(data, seed, mutation=mutation).data != data for seed in range(60))


def test_the_order_of_sets_decides_nothing() -> None:
    """A process that hashes texts in another way makes the same mutants."""
    code = f"from msmq_wire import testing as mt\n{getsource(mutants_by_hash)}\nprint(mutants_by_hash())"
    done = subprocess.run(  # noqa: S603  # our own text
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    assert done.stdout == f"{mutants_by_hash()}\n"


def test_weights_choose_the_mutations() -> None:
    only = {Mutation.LIE_IN_LENGTH: 3, Mutation.LIE_IN_COUNT: 1}
    steps = Counter(
        step.mutation for seed in range(100) for step in mt.mutate(FULL, seed, stacked=3, weights=only).steps
    )
    assert set(steps) == {*only}
    assert steps[Mutation.LIE_IN_LENGTH] > steps[Mutation.LIE_IN_COUNT] > 0
    with pytest.raises(mw.MsmqWireError, match="all of them are zero"):
        mt.mutate(FULL, 1, weights={Mutation.APPEND: 0})
    with pytest.raises(mw.MsmqWireError, match="0 or more"):
        mt.mutate(FULL, 1, weights={Mutation.APPEND: -1})
    with pytest.raises(mw.MsmqWireError, match="there is no mutation"):
        mt.mutate(FULL, 1, weights={"appendd": 1})  # type: ignore[dict-item]


def test_kinds_without_a_weight_are_never_chosen() -> None:
    """Also if no other kind is applicable, or none any more after the first step."""
    ack = mqqb.SessionAck().encode()
    both = {Mutation.LIE_IN_COUNT: 1000, Mutation.LIE_IN_LENGTH: 1}
    assert {mt.mutate(ack, seed, weights=both).mutation for seed in range(50)} == {Mutation.LIE_IN_LENGTH}
    for call in (mt.mutate, lambda *args, **options: next(mt.mutants(*args, **options))):
        with pytest.raises(mw.MsmqWireError, match="no mutation with a weight is applicable"):
            call(ack, 1, weights={Mutation.LIE_IN_COUNT: 1})
    (cut,) = mt.mutants(b"a", 9, weights={Mutation.CUT_OFF: 1})
    assert (cut.data, len(cut.steps)) == (b"", 1)
    assert mt.mutate(b"a", cut.seed, stacked=1, weights={Mutation.CUT_OFF: 1}) == cut


def test_mutants_go_on_in_another_process() -> None:
    """The iterator can be pickled when it has begun."""
    mutants = mt.mutants(mqqb.SessionAck().encode(), 30, kind=mqqb.SessionAck)
    first = next(mutants)
    again = pickle.loads(pickle.dumps(mutants))  # noqa: S301  # our own bytes
    rest = [*again]
    assert (len(rest), rest) == (29, [*mutants])
    assert first not in rest


def test_no_step_is_without_a_path() -> None:
    steps = [step for seed in range(300) for step in mt.mutate(FULL, seed, stacked=3).steps]
    assert [step for step in steps if not step.path] == []


def test_sessions_are_refused_and_wrongly_acknowledged() -> None:
    packets = [mqqb.EstablishConnection().encode(), mqqb.ConnectionParameters().encode(), *SAMPLES[-1:]]
    for seed in range(20):
        refused, _ = mt.mutate_session(packets, seed, mutation="refuse")
        answers: list[Any] = list(map(mw.decode, refused))
        assert [packet.InternalHeader.Flags.CS for packet in answers].count(1) == 1
        broken, _ = mt.mutate_session(packets, seed, mutation="break-acknowledgment")
        assert broken != packets
        assert list(map(len, broken)) == list(map(len, packets))
    assert len(mt.mutate_session([b"x", b"y"], 1, mutation="refuse")[0]) < 2


def test_session_mutants_are_stacked() -> None:
    packets = [mqqb.EstablishConnection().encode(), mqqb.ConnectionParameters().encode(), *SAMPLES[-1:]]
    many = list(mt.session_mutants(packets, 200, stacked=3, seed=5))
    assert many[0].seed == 5
    assert {step for mutant in many for step in mutant.steps} == set(SessionMutation)
    assert many == list(mt.session_mutants(packets, 200, stacked=3, seed=5))
    with pytest.raises(mw.MsmqWireError, match="no mutants"):
        mt.session_mutants([], 1)


@pytest.mark.parametrize("session", [[b"a"], [b"a"] * 2, [b"a", b"b", b"a"], [b""]])
def test_mutants_of_a_session_differ_from_it(session: list[bytes]) -> None:
    """Also if its packets have no other order."""
    for mutation in SessionMutation:
        for seed in range(20):
            packets, done = mt.mutate_session(session, seed, mutation=mutation)
            assert packets != session
            assert done in {mutation, SessionMutation.MUTATE_PACKET}
        assert mt.mutate_session(session, seed)[0] != session
    assert mt.mutate_session([b"a"], 1, mutation="swap")[1] is SessionMutation.MUTATE_PACKET
    many = mt.session_mutants(session, 300, stacked=2)
    packets_of = [mutant.packets for mutant in many]
    assert tuple(session) not in packets_of
    assert len(set(packets_of)) == len(packets_of) > 100
    assert len(list(mt.session_mutants(session, 3000, stacked=1))) < 300  # there are no more


NUMBERS = [Mutation.FLIP_PRESENCE, Mutation.SELECT_FORM, Mutation.LIE_IN_LENGTH, Mutation.LIE_IN_COUNT,
           Mutation.WRAP_SIZE, Mutation.BREAK_ACKNOWLEDGMENT, Mutation.SET_RESERVED, Mutation.SET_KNOWN,
           Mutation.SET_EXTREME]  # fmt: skip


@pytest.mark.each(5)
@pytest.mark.parametrize("mutation", NUMBERS)
@pytest.mark.parametrize("data", [FULL, MESSAGE])
def test_only_the_field_that_is_named_changes(mutation: Mutation, data: bytes) -> None:
    places_of = spans(data)
    for seed in range(60):
        mutant = mt.mutate(data, seed, mutation=mutation)
        if mutant.mutation is mutation:
            start, stop = differing(data, mutant.data)
            first, last = places_of[mutant.path]
            assert first <= start < stop <= last


def test_presence_flags_lie() -> None:
    """Nothing but a bit changes, and the reader that believes it goes astray or finds nothing there."""
    verdicts = set()
    for seed in range(60):
        mutant = mt.mutate(MESSAGE, seed, mutation="flip-presence")
        assert mutant.path.rpartition(".")[2] == "Flags"
        error = mw.decode_lax(mutant.data).error
        verdicts.add(error is None)
    assert False in verdicts


@pytest.mark.each(3)
@pytest.mark.parametrize("mutation", ["lie-in-length", "lie-in-count", "wrap-size"])
def test_each_size_is_lied_about(mutation: str) -> None:
    """Every length and count of the packet has its turn."""
    table = {"lie-in-length": places().lengths, "lie-in-count": places().counts}.get(
        mutation, places().lengths | set(places().counts)
    )
    wanted = {piece.path for piece in View(FULL, None).owned(table)}
    assert len(wanted) >= 3
    assert {mt.mutate(FULL, seed, mutation=mutation).path for seed in range(600)} == wanted


def test_sizes_are_known() -> None:
    """The layouts say what is a size; some by hand, so that an empty table is noticed."""
    found = places().lengths
    for owned in (
        ("BaseHeader", "PacketSize"), ("SecurityHeader", "SenderIdSize"),
        ("SecurityHeader", "ProviderInfoSize"),
        ("MessagePropertiesHeader", "LabelLength"), ("MessagePropertiesHeader", "MessageSize"),
        ("SRMPEnvelopeHeader", "DataLength"), ("CompoundMessageHeader", "MsgBodyOffset"),
        ("MQFAddressHeader", "HeaderSize"), ("ChangeRequestHeader", "PSCNameOffset"),
        ("ExtensionHeader", "RemainingHeadersSize"), ("DirectQueueFormatName", "Count"),
    ):  # fmt: skip
        assert owned in found
    assert places().counts["SyncReplyHeader", "Count"] == mqdsrp.DirectoryChange.layout.least_size
    assert places().counts["MQFAddressHeader", "ElementCount"] >= 4
    assert ("UserHeader", "Flags") in places().presence
    assert ("UserHeader", "Flags") in places().forms
    assert ("SessionHeader", "AckSequenceNumber") in places().arithmetic
    assert places().forms["BaseReplicationHeader", "Operation"] == (Switch(0, 8, (0, 1, 2, 3, 4, 5, 6, 7)),)
    assert places().forms["MQFAddressHeader", "HeaderID"] == (Switch(0, 16, (100, 200, 300)),)


def _owned(text: str) -> set[tuple[str, str]]:
    return {(owner, field) for row in text.split() for owner, _, field in [row.partition(".")]}


def _announcing() -> dict[tuple[str, str], set[str]]:
    """The flags that say that a part is there, by their words, as the comments of the C texts have them."""
    flags: dict[tuple[str, str], set[str]] = {}
    for structure in structures().values():
        for field in structure.fields:
            said = re.search(r"present if (\S+) is ", field.doc)
            if said and field.present:
                steps = said[1].split(".")
                owner = steps.pop(0) if steps[0] in structures() else structure.name
                flags.setdefault((owner, steps[0]), set()).add(steps[-1])
    assert len(flags) > 6
    return flags


def _counts(owner: str, number: str, element: str) -> bool:
    """Whether elements of such a type have this count in the C text of a structure."""
    text = "".join(c_text.text for c_text in TEXTS.values()).partition(f"struct {owner} {{")[2]
    return bool(re.search(rf"\b{element} +\w+\[{number}\b", text.partition("\n};")[0]))


def test_all_that_determines_what_follows_is_known() -> None:
    """By the documents: what says that a part is there, which form it has, and how many or how long it is."""
    found = places()
    assert {owner: len(switches) for owner, switches in found.presence.items()} == {
        owner: len(names) for owner, names in _announcing().items()
    }
    assert all(switch.values == (0, 1) for switches in found.presence.values() for switch in switches)
    queues = {switch.values for switch in found.forms["UserHeader", "Flags"] if switch.width == 3}
    assert queues == {(0, 3, 5, 7), (0, 2, 3, 5, 6, 7), (0, 1, 2, 3, 4, 5, 6, 7)}
    assert found.forms["MQFFormatNameElement", "FormatType"] == (Switch(0, 16, (1, 2, 3, 6)),)
    assert found.forms["ChangeNotificationMessage", "Version"] == (Switch(0, 8, (1, 2)),)
    assert found.forms["InternalHeader", "Flags"] == (Switch(0, 4, (1, 2, 3)),)
    assert found.forms["BaseHeader", "Flags"] == (Switch(0, 3, (0,)), Switch(3, 1, (1,)), Switch(4, 1, (1,)))
    assert len(found.forms) == 7
    counts = {
        ("ChangeNotificationMessage", "NumberOfUpdateNotifications"): 43,
        ("ChangePropagationMessage", "Count"): 43, ("SyncReplyHeader", "Count"): 43,
        ("DirectoryChange", "NumberOfProperties"): 4, ("NotificationUpdate", "NumberOfProperties"): 4,
        ("MQDSPUBLICKEYS", "cNumofKeys"): 12, ("MQUSERSIGNCERTS", "CertificateCount"): 36,
        ("MQFAddressHeader", "ElementCount"): 4, ("SeqNumberHeader", "Count"): 32,
    }  # fmt: skip
    assert counts.items() <= found.counts.items()
    assert all(_counts(*number, r"(?!w?char\b)\w+") for number in found.counts.keys() - counts)
    lengths = _owned("""
        BaseHeader.PacketSize ChangeRequestHeader.PSCNameOffset CompoundMessageHeader.HTTPBodySize
        CompoundMessageHeader.MsgBodyOffset CompoundMessageHeader.MsgBodySize DeadLetterHeader.HeaderSize
        DirectQueueFormatName.Count ExtendedAddressHeader.AddressLength ExtendedAddressHeader.HeaderSize
        ExtensionHeader.HeaderSize ExtensionHeader.RemainingHeadersSize MQDSPUBLICKEY.ulKeyLen
        MQDSPUBLICKEY.ulProviderLen MQDSPUBLICKEYS.ulLen MQFAddressHeader.HeaderSize MQFSignatureHeader.Size
        MQUSERSIGNCERT.CertificateLength MessagePropertiesHeader.AllocationBodySize
        MessagePropertiesHeader.ExtensionSize MessagePropertiesHeader.LabelLength
        MessagePropertiesHeader.MessageSize PUBLICKEYBLOB.bitLen SRMPEnvelopeHeader.DataLength
        SecurityHeader.EncryptionKeySize SecurityHeader.ProviderInfoSize SecurityHeader.SenderCertSize
        SecurityHeader.SenderIdSize SecurityHeader.SignatureSize SenderCertPublicKey.LengthInBits
        SoapHeader.BodyDataLength SoapHeader.HeaderDataLength SubqueueHeader.HeaderSize
        TA_ADDRESS.AddressLength UserHeaderAddress.AddressLength""")
    assert lengths <= found.lengths
    assert all(_counts(*number, "w?char") for number in found.lengths - lengths)
    assert found.arithmetic == _owned("""
        AlreadyPurgedMessage.PurgedSeqNumber ConnectionParametersHeader.WindowSize
        DirectoryChange.PreviousSeqNumber DirectoryChange.PurgedSeqNumber DirectoryChange.SeqNumber
        FinalAckBody.MessageID FinalAckBody.TxPreviousSequenceNumber FinalAckBody.TxSequenceNumber
        OrderAckBody.TxPreviousSequenceNumber OrderAckBody.TxSequenceNumber
        PARTITION_SEQ_NUMBERS.LastSeqNumber PARTITION_SEQ_NUMBERS.PurgedSeqNumber
        PSCAckMessage.AckedSeqNumber SessionHeader.AckSequenceNumber SessionHeader.RecoverableMsgAckFlags
        SessionHeader.RecoverableMsgAckSeqNumber SessionHeader.RecoverableMsgSeqNumber
        SessionHeader.UserMsgSequenceNumber SessionHeader.WindowSize SyncReplyHeader.FromSeqNumber
        SyncReplyHeader.PurgedSeqNumber SyncReplyHeader.ToSeqNumber SyncRequestMessage.FromSeqNumber
        SyncRequestMessage.KnownPurgedSeqNumber SyncRequestMessage.ToSeqNumber
        TransactionHeader.PreviousTxSequenceNumber TransactionHeader.TxSequenceNumber
        UserHeader.MessageID""")


def test_boundaries_move_without_a_change_of_the_sum() -> None:
    sizes = [piece.path for piece in View(FULL, None).owned(places().lengths)]
    for seed in range(40):
        mutant = mt.mutate(FULL, seed, mutation="move-boundary")
        before, after = spans(FULL), mutant.data
        assert len(after) == len(FULL)
        changed = [path for path in sizes if FULL[slice(*before[path])] != after[slice(*before[path])]]
        assert len(changed) == 2


def test_parts_come_from_donors() -> None:
    donor = mqmq.UserMessage(
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="donor\0", MessageBody=b"donated!")
    ).encode()
    mutants = [mt.mutate(SAMPLES[0], seed, mutation="splice-header", donors=[donor]) for seed in range(40)]
    assert any(b"donated!" in mutant.data for mutant in mutants)


def test_acknowledgments_are_off_by_a_little() -> None:
    """Among the wrong numbers are those next to the right one, and the limits of 16 bits."""
    message = mqmq.UserMessage(
        SessionHeader=mqmq.SessionHeader(AckSequenceNumber=100, UserMsgSequenceNumber=200)
    ).encode()
    path = "UserMessage.SessionHeader.AckSequenceNumber"
    start, end = spans(message)[path]
    mutants = [mt.mutate(message, seed, mutation="break-acknowledgment") for seed in range(400)]
    found = {int.from_bytes(one.data[start:end], "little") for one in mutants if one.path == path}
    assert found >= {0, 1, 99, 101, 102, 103, 200, 0x8000, 0xFFFF}


def test_acknowledgments_inside_bodies() -> None:
    order_ack = next(data for data in SAMPLES if type(mw.decode(data)).__name__ == "OrderAck")
    paths = {mt.mutate(order_ack, seed, mutation="break-acknowledgment").path for seed in range(80)}
    assert any("MessageBody.OrderAckBody" in path or "OrderAckBody." in path for path in paths)


@pytest.mark.parametrize("kind", ["replication", "notification", mqmq.MQUSERSIGNCERTS, "PingPacket"])
def test_kinds(kind: Any) -> None:
    samples = mt.samples(kind) or (mqmq.MQUSERSIGNCERTS(Certificates=[mqmq.MQUSERSIGNCERT()]).encode(),)
    for data in samples:
        assert {mt.mutate(data, seed, kind=kind).mutation for seed in range(60)} - {Mutation.CHANGE_BYTES}


def test_replication_sequence_numbers_are_big_endian() -> None:
    change: Any = mqdsrp.DirectoryChange(PathName="a", SeqNumber=7, PreviousSeqNumber=6)
    data = mqdsrp.encode(mqdsrp.SyncReplyMessage(DirectoryChanges=[change]))
    numbers = set()
    for seed in range(200):
        mutant = mt.mutate(data, seed, mutation="break-acknowledgment", kind="replication")
        found: Any = mqdsrp.decode(mutant.data)
        numbers.add(int(found.DirectoryChanges[0].SeqNumber))
    assert {7, 8, 9} <= numbers


@pytest.mark.parametrize("data", [b"", b"\0", b"no packet at all", bytes(range(256))])
def test_bytes_without_structure_have_mutants_too(data: bytes) -> None:
    for seed in range(20):
        assert mt.mutate(data, seed).mutation in {Mutation.CHANGE_BYTES, Mutation.APPEND, Mutation.CUT_OFF}


def test_size_is_bounded() -> None:
    assert all(len(mt.mutate(FULL, seed, max_size=99).data) <= 99 for seed in range(60))
    mutator = mt.custom_mutator()
    assert all(len(mutator(FULL, 99, seed)) <= 99 for seed in range(20))
    assert mutator(FULL, 4096, 5) == mt.mutate(FULL, 5, max_size=4096).data
    for kind, wanted, data in (
        ("replication", "replication", mt.samples("replication")[0]),
        ("UserHeader", "UserHeader", mqmq.UserHeader().encode()),
        ("stream", None, b""),
    ):
        found = [mt.custom_mutator(kind)(data, 4096, seed) for seed in range(20)]
        assert found == [mt.mutate(data, seed, kind=wanted, max_size=4096).data for seed in range(20)]


def test_unknown_names() -> None:
    with pytest.raises(ValueError, match="there is no mutation 'lie-in-size'; did you mean lie-in-length"):
        mt.mutate(FULL, 1, mutation="lie-in-size")
    with pytest.raises(ValueError, match="there is no mutation 'nothing'; there are swap, drop, duplicate"):
        mt.mutate_session([FULL], 1, mutation="nothing")
    with pytest.raises(ValueError, match="no structure 'Nothing'"):
        mt.mutate(FULL, 1, kind="Nothing")
    with pytest.raises(ValueError, match="without packets"):
        mt.mutate_session([], 1)


# --------------------------------------------------------------------------------------------- sessions


@pytest.mark.parametrize("mutation", SessionMutation)
def test_every_session_mutation(mutation: SessionMutation) -> None:
    mutants = [mt.mutate_session(SESSION, seed, mutation=mutation) for seed in range(30)]
    assert mutants == [mt.mutate_session(SESSION, seed, mutation=mutation) for seed in range(30)]
    assert {done for _, done in mutants} == {mutation}
    assert any(packets != SESSION for packets, _ in mutants)


def test_what_happens_to_sessions() -> None:
    def all_of(mutation: str) -> list[list[bytes]]:
        return [mt.mutate_session(SESSION, seed, mutation=mutation)[0] for seed in range(30)]

    assert all(sorted(packets) == SESSION for packets in all_of("swap") + all_of("reverse"))
    assert all(len(packets) == 5 for packets in all_of("drop"))
    assert all(any(one == next_ for one, next_ in pairwise(packets)) for packets in all_of("duplicate"))
    assert all(sorted({*packets}) == SESSION and len(packets) == 7 for packets in all_of("replay"))
    assert any(packets.count(SESSION[0]) == 2 for packets in all_of("restart"))
    woven, _ = mt.mutate_session(SESSION, 1, mutation="interleave", donors=[b"other"])
    assert b"other" in woven
    assert len(woven) == 7


def test_sessions_as_one_run_of_bytes() -> None:
    mutator = mt.custom_mutator("stream")
    run = b"".join(SAMPLES)
    mutants = {mutator(run, 10_000, seed) for seed in range(40)}
    assert len(mutants) > 20
    assert len({len(mutant) for mutant in mutants}) > 5


# ------------------------------------------------------------------------------- corpus and dictionary


def test_dictionary() -> None:
    lines = mt.dictionary().splitlines()
    names = [line.partition("=")[0] for line in lines]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r'\w+="(\\x[0-9a-f]{2})+"', line) for line in lines)
    assert 'BaseHeader_Signature="\\x4c\\x49\\x4f\\x52"' in lines
    assert 'PROPID_Q_LABEL="\\x6c\\x00\\x00\\x00"' in lines
    assert any(line.startswith("VT_LPWSTR=") for line in lines)
    assert any(line.startswith("UserHeader_Flags_MQ=") for line in lines)
    assert any(line.startswith("MESSAGE_CLASS_VALUES_MQMSG_CLASS_ORDER_ACK=") for line in lines)


def test_limits_of_numbers_are_in_the_dictionary() -> None:
    """Zero, one, and both sides of the sign, with 8, 16 and 32 bits."""
    words = {line.partition("=")[2] for line in mt.dictionary().splitlines()}
    for number in (
        "00", "01", "7f", "80", "ff", "0000", "0100", "ff7f", "0080", "ffff",
        "00000000", "01000000", "ffffff7f", "00000080", "ffffffff",
    ):  # fmt: skip
        assert '"' + "".join(f"\\x{number[at : at + 2]}" for at in range(0, len(number), 2)) + '"' in words


@pytest.mark.parametrize("kind", [None, "stream", "replication", "notification", "MQFAddressHeader"])
def test_seed_corpus(kind: str | None) -> None:
    found = mt.seed_corpus(kind, count=20, packets=[b"my own"])
    assert b"my own" in found
    assert len(found) > 20
    assert len(set(found)) == len(found)
    assert found == mt.seed_corpus(kind, count=20, packets=[b"my own"])


def test_samples_between_them_have_every_header() -> None:
    seen: set[str] = set()
    for data in SAMPLES:
        packet: Any = mw.decode(data)
        seen |= {name for name in packet.layout.by_name if getattr(packet, name) is not None}
    assert seen >= set(mqmq.UserMessage.layout.by_name)


def test_samples_of_replication_are_of_each_message() -> None:
    seen = [type(mqdsrp.decode(data)) for data in mt.samples("replication")]
    assert {kind.__name__ for kind in seen} == {
        *("ChangePropagationMessage", "SyncReplyMessage", "ChangeRequestMessage", "SyncRequestMessage"),
        *("ChangeReplyMessage", "AlreadyPurgedMessage", "PSCAckMessage", "BSCAckMessage"),
    }


WITHOUT = """
import sys
sys.modules["hypothesis"] = None
from importlib import util
find = util.find_spec
util.find_spec = lambda name, *rest: None if name == "hypothesis" else find(name, *rest)
from msmq_wire import testing as mt
data = mt.samples()[0]
assert mt.mutate(data, 1).data != data
assert mt.custom_mutator()(data, 100, 1)
assert mt.mutate_session([data], 1) and mt.dictionary() and len(mt.seed_corpus()) >= 6
try:
    mt.packets
except ModuleNotFoundError as error:
    assert "needs Hypothesis" in str(error)
else:
    raise SystemExit("no error")
try:
    mt.nothing
except AttributeError:
    print("fine")
"""


def test_the_kit_needs_no_hypothesis() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], check=True, capture_output=True, text=True)  # noqa: S603  # our own text
    assert done.stdout == "fine\n"


# ------------------------------------------------------------------------------------- many of them

ONE = mqmq.UserMessage(
    MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="hello\0", MessageBody=b"body")
).encode()


@pytest.mark.long
def test_two_bends_are_almost_always_others() -> None:
    assert len({mt.mutate(ONE, seed, stacked=2).data for seed in range(10_000)}) >= 9_500


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "least"),
    [
        *((kind, 1_950) for kind in ("EstablishConnection", "ConnectionParameters", "SessionAck")),
        *((kind, 1_950) for kind in ("PingPacket", "OrderAck", "FinalAck")),
        ("SyncRequestMessage", 1_850),  # it is short and has one part
    ],
)
def test_short_packets_have_many_mutants(kind: str, least: int) -> None:
    """Of 10,000 mutants of these packets more than 9,500 differ; here are fewer, to be quick."""
    data = mw.Record.class_of(kind)().encode()
    found = {mt.mutate(data, seed, stacked=2, kind=kind).data for seed in range(2_000)}
    assert len(found) >= least
    assert data not in found


def test_later_mutations_do_not_restore_the_input() -> None:
    data = mqqb.PingPacket().encode()
    for seed in range(300):
        assert mt.mutate(data, seed, stacked=2, kind="PingPacket", mutation="set-extreme").data != data


def test_mutants_are_distinct() -> None:
    made = mt.mutants(ONE, 500, stacked=1)
    found = list(made)
    assert len({mutant.data for mutant in found}) == len(found) == 500
    assert ONE not in {mutant.data for mutant in found}
    assert made.duplicates == found[-1].seed + 1 - 500 > 0
    assert list(made) == []
    for mutant in found[:20]:
        assert mt.mutate(ONE, mutant.seed) == mutant


def test_what_was_done_is_told() -> None:
    for mutant in mt.mutants(ONE, 50, stacked=3, seed=1000):
        assert len(mutant.steps) == 3
        assert mutant.steps[-1] == (mutant.mutation, mutant.path)
        assert mt.mutate(ONE, mutant.seed, stacked=3) == mutant


def test_there_are_not_always_so_many() -> None:
    made = mt.mutants(b"", 10_000, stacked=1, mutation="cut-off", max_size=1)
    found = list(made)
    assert len(found) < 300
    assert made.duplicates >= 50


def test_when_there_are_no_more() -> None:
    """After 50 duplicates in a row there is no mutant, and none later."""
    made = mt.mutants(b"", 5, mutation="cut-off", max_size=0)
    assert list(made) == list(made) == []
    assert made.duplicates == 50


def test_of_other_kinds_and_sizes() -> None:
    (body,) = {
        mqdsrp.encode(mqdsrp.SyncReplyMessage(DirectoryChanges=[mqdsrp.DirectoryChange(PathName="a")]))
    }
    found = list(mt.mutants(body, 30, kind="replication", max_size=50, donors=[body]))
    assert len(found) == 30
    assert all(len(mutant.data) <= 50 for mutant in found)


@pytest.mark.parametrize("call", [mt.mutate, mt.mutants])
def test_no_bends_are_no_mutants(call: Any) -> None:
    with pytest.raises(ValueError, match="stacked is 0, not 1 or more"):
        call(ONE, 1, stacked=0)


def test_regressions_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "crash-1").write_bytes(b"\x10\x00")
    (tmp_path / "a.hex").write_text("10 c0\n")
    (tmp_path / "B.HEX").write_text("10")
    (tmp_path / "folder").mkdir()
    assert mt.regressions(tmp_path) == {"B.HEX": b"\x10", "a.hex": b"\x10\xc0", "crash-1": b"\x10\x00"}
    (tmp_path / "b.hex").write_text("no digits")
    with pytest.raises(ValueError, match=r"b\.hex does not contain only hexadecimal digits: "):
        mt.regressions(tmp_path)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: mt.mutate(FULL, "1"), "seed: expected a whole number, got str"),  # type: ignore[arg-type]
        (lambda: mt.mutate(FULL, 1, stacked=1.5), "stacked: "),  # type: ignore[arg-type]
        (lambda: mt.mutants(FULL, "9"), "n: expected a whole number, got str"),  # type: ignore[arg-type]
        (lambda: mt.mutants(FULL, 9, seed=None), "seed: "),  # type: ignore[arg-type]
        (lambda: mt.mutate_session(FULL, 1), "session: expected a collection of packets, got bytes"),  # type: ignore[arg-type]
        (lambda: mt.mutate_session(["10c0"], 1), "expected bytes, got str"),  # type: ignore[list-item]
        (
            lambda: mt.seed_corpus(count=1, packets=FULL),  # type: ignore[arg-type]
            "packets: expected a collection of packets, got bytes",
        ),
        (lambda: mt.seed_corpus(count=1, packets=["10c0"]), "expected bytes, got str"),  # type: ignore[list-item]
        (lambda: mt.mutate_session(SESSION, "x"), "seed: expected a whole number, got str"),  # type: ignore[arg-type]
        (lambda: mt.mutate_session(SESSION, 1, donors=[5], mutation="interleave"), "expected bytes, got int"),  # type: ignore[list-item]
        (lambda: mt.mutants(FULL, 5, max_size="x"), "max_size: expected a whole number, got str"),  # type: ignore[arg-type]
        (lambda: mt.mutants(FULL, 5, donors=5), "donors: expected a collection of packets, got int"),  # type: ignore[arg-type]
        (lambda: mt.custom_mutator()(FULL, 1.5, 1), "max_size: "),  # type: ignore[arg-type]
        (lambda: mt.custom_mutator("stream")(FULL, 9, "1"), "seed: "),  # type: ignore[arg-type]
        (lambda: mt.seed_corpus(count="x"), "count: "),  # type: ignore[arg-type]
        (lambda: mt.user_messages(transactional="x"), "transactional: expected True, False or None, got str"),  # type: ignore[arg-type]
        (lambda: mt.user_messages(body=5), "body: expected a strategy, got int"),  # type: ignore[arg-type]
    ],
)
def test_arguments_of_other_types(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(TypeError, match=f"^{told}"):
        call()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: mt.mutate(FULL, 1, max_size=-1), "max_size is -1, not 0 or more"),
        (lambda: mt.custom_mutator()(FULL, -1, 1), "max_size is -1, not 0 or more"),
        (lambda: mt.custom_mutator("stream")(FULL, -1, 1), "max_size is -1, not 0 or more"),
        (lambda: mt.seed_corpus(count=-1), "count is -1, not 0 or more"),
        (lambda: mt.mutate(FULL, 1, kind=int), "there is no structure 'int'"),  # type: ignore[arg-type]
        (lambda: mt.custom_mutator(int), "there is no structure 'int'"),  # type: ignore[arg-type]
        (lambda: mt.samples("nonsense"), "there is no structure 'nonsense'"),
        (
            lambda: mt.samples("SectionBuffer"),
            "SectionBuffer is a structure of remote calls, of which there are no",
        ),
        (
            lambda: mt.mutate(FULL, 1, kind=rpc.BLOB),  # type: ignore[arg-type]
            "BLOB is a structure of remote calls, of which there are no",
        ),
        (
            lambda: mt.valid(rpc.BLOB),  # type: ignore[type-var]
            r"BLOB is a structure of remote calls: use calls\('BLOB'\)",
        ),
        (lambda: mt.near_valid_bytes("BLOB"), r"BLOB is a structure of remote calls: use calls\('BLOB'\)"),
        (lambda: mt.samples("SesionAck"), "there is no structure 'SesionAck'; did you mean SessionAck"),
        (lambda: mt.user_messages(profile="windows-95"), "profile is 'windows-95', not one of"),  # type: ignore[arg-type]
    ],
)
def test_arguments_of_other_values(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(mw.MsmqWireError, match=f"^{told}"):
        call()


def test_no_seeds_of_strategies() -> None:
    assert mt.seed_corpus(count=0) == tuple(sorted(SAMPLES, key=lambda data: (len(data), data)))
    assert mt.samples("SessionAck") == ()


@pytest.mark.parametrize("stacked", [1, 2, 5])
def test_a_mutant_has_all_that_reproduces_it(stacked: int) -> None:
    for mutant in mt.mutants(FULL, 20, stacked=stacked):
        assert mt.mutate(FULL, mutant.seed, stacked=len(mutant.steps)) == mutant


def test_a_mutator_of_no_structure_is_refused_before_the_fuzzer_runs() -> None:
    with pytest.raises(ValueError, match="no structure 'SesionAck'"):
        mt.custom_mutator("SesionAck")


def test_what_is_reserved_alone_is_changed() -> None:
    """Fillers as a whole, and words with groups of flags that have no meaning."""
    found = {
        change.path
        for seed in range(60)
        if (change := set_reserved(Subject(View(FULL, None), (), Random(seed))))  # noqa: S311  # any will do
    }
    assert "UserMessage.UserHeader.Flags" in found
    assert any(path.endswith("Padding") for path in found)
    for path in found:
        assert re.search(r"(Padding\d?|Reserved\w*|Flags)$", path), path


def test_words_of_the_dictionary_have_names_and_sizes() -> None:
    """Limits of numbers are named by their bits; a constant of many bytes has the first 16 of them."""
    words = dict(line.split("=", 1) for line in mt.dictionary().splitlines())
    sizes = {name: word.count("x") for name, word in words.items()}
    assert words["number8_7f"] == '"\\x7f"'
    assert words["number16_ff"] == '"\\xff\\xff"'
    assert words["number32_7f"] == '"\\xff\\xff\\xff\\x7f"'
    assert words["EstablishConnectionHeader_Padding"] == '"' + "\\x5a" * 16 + '"'
    assert sizes["EstablishConnectionHeader_Padding"] == 16


def test_samples_are_conformant() -> None:
    """But for headers of HTTP in the message that has every header: none is sent with them."""
    for data in SAMPLES:
        found = {one.requirement for one in mw.validate(mw.decode(data), "should")}
        assert found == ({"MQMQ-2.2.19.2-31"} if data == FULL else set())
    full: Any = mw.decode(FULL)
    assert all(getattr(full, name) is not None for name in full.layout.by_name)
    for data in mt.samples("replication"):
        assert not mw.validate(mqdsrp.decode(data))


WORDS = {
    "BaseHeader_VersionNumber": "10",
    "BaseHeader_Signature": "4c494f52",
    "BaseHeader_Flags_SH": "1000",
    "UserHeader_Flags_RC": "1f000000",
    "MessagePropertiesHeader_Flags_X": "f0",
    "PROVIDER_TYPE_PROV_RSA_AES": "18000000",
    "ALG_ID_CALG_AES_192": "0f660000",
    "ADDRESS_TYPE_IPX_ADDRESS_TYPE": "0300",
    "MESSAGE_CLASS_VALUES_MQMSG_CLASS_NACK_BAD_DST_Q": "0080",
    "QUEUE_FORMAT_TYPE_QUEUE_FORMAT_TYPE_SUBQUEUE": "0800",
    "MQQUEUEACCESSMASK_MQSEC_QUEUE_GENERIC_READ": "2b000200",
    "MQQMACCESSMASK_MQSEC_DELETE_MACHINE": "00000100",
    "MQENTACCESSMASK_MQSEC_ENTERPRISE_GENERIC_READ": "21000200",
    "Response_HeaderID_300": "2c01",
    "DirectoryChange_UseGuid_0": "00",
    "BaseReplicationHeader_Operation_5": "05",
    "VT_LPWSTR": "1f00",
    "VT_LPWSTR_vector": "1f10",
    "VT_UI4_vector": "1310",
    "PROPID_Q_LABEL": "6c000000",
    "text_PRIVATE": "505249564154453d",
    "text_PRIVATE_2": "50524956415445245c",
    "wide_TCP": "5400430050003a00",
    "number16_ff": "ffff",
    "number32_7f": "ffffff7f",
}
"""Words of the dictionary, as the documents have them: signatures, flags, members of enumerations, types,
identifiers of properties, beginnings of texts and limits of numbers."""


@pytest.mark.parametrize("name", WORDS)
def test_a_word_of_the_dictionary_is_as_it_is_on_the_wire(name: str) -> None:
    """With the name of what it is, and all bytes of its field; a second word of a name has a number."""
    words = dict(line.split("=", 1) for line in mt.dictionary().splitlines())
    assert words[name].replace("\\x", "").strip('"') == WORDS[name]


@pytest.mark.parametrize(
    ("prefix", "size"),
    [
        *(("ALG_ID_", 4), ("PROVIDER_TYPE_", 4), ("PROPID_", 4), ("VT_", 2), ("ADDRESS_TYPE_", 2)),
        *(("MQQMACCESSMASK_", 4), ("MQQUEUEACCESSMASK_", 4), ("MQENTACCESSMASK_", 4)),
        *(("MESSAGE_CLASS_VALUES_", 2), ("QUEUE_FORMAT_TYPE_", 2)),
        *(("BaseHeader_Flags_", 2), ("UserHeader_Flags_", 4), ("MessagePropertiesHeader_Flags_", 1)),
    ],
)
def test_all_words_of_a_kind_have_the_size_of_their_field(prefix: str, size: int) -> None:
    words = (line.split("=", 1) for line in mt.dictionary().splitlines())
    assert {word.count("x") for name, word in words if name.startswith(prefix)} == {size}


def test_one_seed_in_four_is_mutated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the samples and what the strategies made, of which there are 100 if nothing else is said."""
    asked = []

    def drawn(_: object, count: int) -> list[bytes]:
        asked.append(count)
        return [mqmq.BaseHeader(PacketSize=number).encode() for number in range(9)]

    monkeypatch.setattr(corpus, "drawn_packets", drawn)
    made = drawn(None, 9)
    found = {*mt.seed_corpus("BaseHeader")}
    assert asked == [9, 100]
    assert found - {*made} == {mt.mutate(made[at * 4], at, kind="BaseHeader").data for at in range(3)}
    assert {*mt.seed_corpus("stream", count=9)} == {*made, *SAMPLES}


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        (None, mw.decode), ("packet", mw.decode), ("replication", mqdsrp.decode),
        ("notification", mw.mqcn.ChangeNotificationMessage.decode),
        ("TA_ADDRESS", mqmq.TA_ADDRESS.decode),
    ],
)  # fmt: skip
def test_seeds_are_of_their_kind(kind: str | None, read: Callable[[bytes], Any]) -> None:
    """What the strategies make can be read, and packets and messages are conformant."""
    drawn = corpus.drawn_packets(kind, 20)
    assert len(drawn) == 20
    for packet in map(read, drawn):
        over_http = (
            getattr(packet, "SRMPEnvelopeHeader", None) is not None
        )  # as only a remote read returns it
        violations = mw.validate(packet, channel="remote-read") if over_http else mw.validate(packet)
        assert kind == "TA_ADDRESS" or not violations


def test_what_the_samples_are_of() -> None:
    """A message of little, one with everything, and each packet that sessions have beside them."""
    assert [type(mw.decode(data)).__name__ for data in SAMPLES] == [
        *("UserMessage", "UserMessage", "OrderAck", "EstablishConnection", "ConnectionParameters"),
        "SessionAck",
    ]
    (notification,) = mt.samples("notification")
    sent: Any = mw.mqcn.ChangeNotificationMessage.decode(notification)
    (update,) = sent.Data.Updates
    assert (update.PathName, update.PropertyId) == ("a", (104,))
    several: Any = mqdsrp.decode(mt.samples("replication")[0])
    assert [change.PropertyID for change in several.DirectoryChanges] == [(104, 108)] * 2


def test_what_replication_messages_cannot_be_told_from() -> None:
    """Bytes that end before their Operation, and an Operation that no message has."""
    (operation,) = {
        piece.offset for piece in View(mt.samples("replication")[3], "replication").fields
        if piece.path.endswith("Operation")
    }  # fmt: skip
    for data in (b"", bytes(operation), bytes(operation) + b"\x08", bytes(operation) + b"\xff"):
        assert View(data, "replication").fields == []
    assert View(bytes(operation + 1), "replication").fields != []


def test_a_mutation_that_changes_nothing_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that finds nothing to change, nor one whose result is there already."""
    nothing: Any = lambda _: None  # noqa: E731  # as short as it is
    same: Any = lambda subject: Change(subject.view.data, "same")  # noqa: E731  # as above
    for change in (nothing, same):
        monkeypatch.setitem(MUTATIONS, Mutation.APPEND, change)
        for stacked in (1, 2):
            mutant = mt.mutate(b"data", 3, mutation="append", stacked=stacked)
            assert {step for step, _ in mutant.steps} == {Mutation.CHANGE_BYTES}


def _all_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    for number, mutation in enumerate(Mutation):
        made: Any = lambda _, data=bytes([number]) * 9: Change(data, "")  # noqa: E731  # as above
        monkeypatch.setitem(MUTATIONS, mutation, made)


WEIGHTS = dict.fromkeys(Mutation, 4) | {
    **dict.fromkeys((Mutation.FLIP_PRESENCE, Mutation.SELECT_FORM, Mutation.SET_KNOWN), 1),
    **dict.fromkeys((Mutation.MOVE_BOUNDARY, Mutation.CUT_OFF), 1),
    Mutation.CHANGE_BYTES: 8,
}
"""How often each mutation is chosen in a stack: those with few results less often, bytes most often."""


@pytest.mark.long
@pytest.mark.parametrize("at", [0, 1])
def test_how_often_a_mutation_is_chosen_in_a_stack(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one may cut off what follows; a later one does not, for it would undo what was done."""
    _all_possible(monkeypatch)
    weights = WEIGHTS if at == 0 else WEIGHTS | {Mutation.CUT_OFF: 0}
    chosen = Counter(mt.mutate(b"", seed, stacked=2).steps[at].mutation for seed in range(6000))
    unit = 6000 / sum(weights.values())
    assert {one: round(chosen[one] / unit) for one in Mutation} == weights


def test_alone_all_mutations_are_as_probable(monkeypatch: pytest.MonkeyPatch) -> None:
    _all_possible(monkeypatch)
    chosen = Counter(mt.mutate(b"", seed).mutation for seed in range(3600))
    assert set(chosen) == set(Mutation)
    assert 140 < min(chosen.values()) <= max(chosen.values()) < 260


def test_defaults_of_a_mutant() -> None:
    """One mutation of one, two of many, which begin with the seed zero."""
    assert mt.Mutant(b"", Mutation.APPEND, "").seed == 0
    assert len(mt.mutate(FULL, 5).steps) == 1
    first = next(mt.mutants(FULL, 1))
    assert (first.seed, len(first.steps)) == (0, 2)
    assert mt.mutate(FULL, -1) != mt.mutate(FULL, 1)
    made = mt.mutants(FULL, 3)
    assert len([*made]) == 3
    assert {len(mark) for mark in made.digests} == {16}


def test_weights_cost_what_they_are_to_each_other() -> None:
    """Not what they are; a rare mutation remains possible."""
    few = {mt.Mutation.CHANGE_BYTES: 3, mt.Mutation.APPEND: 1}
    many = {name: weight * 10**12 for name, weight in few.items()}
    names = [mt.mutate(FULL, seed, weights=many).mutation for seed in range(200)]
    assert {*names} == {*few}
    assert names.count(mt.Mutation.CHANGE_BYTES) > 100
    rare = {mt.Mutation.CHANGE_BYTES: 10**12, mt.Mutation.APPEND: 1}
    assert mt.mutate(FULL, 1, weights=rare).mutation in rare


def test_repeated_parts_are_bounded() -> None:
    """Two copies of a large part are enough."""
    data = mqmq.UserMessage.of(MessageBody=bytes(1 << 20)).encode()
    sizes = [len(mt.mutate(data, seed, mutation="repeat-part").data) for seed in range(20)]
    assert max(sizes) < 8 << 20


def test_the_smallest_reproducer_of_a_large_packet() -> None:
    """What no call is left for is not tried: for each byte, that would be a copy of all."""
    data = mqmq.UserMessage.of(MessageBody=b"a" * 200_000).encode()
    mutant = data[:-5] + b"\xff" + data[-4:]
    reproducer, calls = calls_of(
        lambda: mt.minimise(data, mutant, lambda raw: raw[200_000:][-5:-4] == b"\xff", calls=10)
    )
    assert (reproducer.calls, reproducer.complete) == (10, False)
    assert calls < len(data) / 10
    with pytest.raises(mw.WrongTypeError, match="fails: expected a function, got int"):
        mt.minimise(data, mutant, 5)  # type: ignore[arg-type]  # it is the error


def test_counts_and_identifiers_of_properties_are_reached() -> None:
    """Readers allocate what the first say, and interpret values by the second."""
    values = [mw.PropertyValue.of(0x1048, [mw.NULL_GUID] * 3), mw.PropertyValue.of(0x1041, [b"a", b"bc"])]
    mw.register_type(30_002, 0x1041)
    try:
        change = mqdsrp.DirectoryChange(PathName="a", PropertyID=[207, 30_002], PropertyValue=values)
        data = mqdsrp.encode(mqdsrp.SyncReplyMessage(DirectoryChanges=[change]))
        reached = {
            mt.mutate(data, seed, mutation=mutation, kind="replication").path
            for mutation in (Mutation.LIE_IN_COUNT, Mutation.WRAP_SIZE, Mutation.SET_EXTREME)
            for seed in range(200)
        }
    finally:
        mw.unregister_type(30_002)
    change_path = "SyncReplyMessage.DirectoryChanges[0]"
    assert reached >= {
        *(f"{change_path}.PropertyID[{index}]" for index in range(2)),
        *(f"{change_path}.PropertyValue[{path}.Count" for path in ("0]", "1]", "1][0]", "1][1]")),
    }


def test_structures_whose_sizes_are_in_another_one() -> None:
    """They have no fields by themselves; their bytes are mutated as bytes."""
    for kind in (name for name, structure in structures().items() if structure.scoped):
        assert {mt.mutate(bytes(30), seed, kind=kind).data for seed in range(9)} != {bytes(30)}
        assert len(mt.length_mutants(bytes(30), kind=kind)) == 0
