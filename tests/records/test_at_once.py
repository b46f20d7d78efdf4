"""A message in one call is the one that its parts' classes make: same records, same refusals."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_parts import defaults
from support_rows import for_each

import msmq_wire as mw
from msmq_wire import GUID, EncodeError, mqmq

DIRECT, PRIVATE, PUBLIC = (
    "DIRECT=OS:server\\private$\\orders",
    "PRIVATE=00112233-4455-6677-8899-aabbccddeeff\\00000007",
    "PUBLIC=00112233-4455-6677-8899-aabbccddeeff",
)
numbers = st.integers(0, 0xFFFFFFFF)
raw = st.binary(max_size=9)
guids = st.binary(min_size=16, max_size=16).map(GUID)
queues = st.sampled_from(
    [DIRECT, PRIVATE, PUBLIC, mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\b", Padding=b"1234567")]
)
sids = st.sampled_from([bytes.fromhex("010100000000000512000000"), bytes(16), b"\1", b""]) | raw

SAID: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "BaseHeader": {"TimeToReachQueue": numbers},
    "UserHeader": {
        "SourceQueueManager": guids,
        "QueueManagerAddress": guids,
        "TimeToBeReceived": numbers,
        "SentTime": numbers,
        "MessageID": numbers,
        "DestinationQueue": queues,
        "AdminQueue": queues,
        "ResponseQueue": queues,
        "ConnectorType": guids,
    },
    "SecurityData": dict.fromkeys(("EncryptionKey", "Signature", "SenderCert", "ProviderInfo"), raw)
    | {"SecurityID": sids},
    "MessagePropertiesHeader": {
        "MessageClass": st.integers(0, 0xFFFF),
        "CorrelationID": st.binary(min_size=20, max_size=20),
        "BodyType": numbers,
        "ApplicationTag": numbers,
        "PrivacyLevel": st.sampled_from([0, 3, 5]),
        "HashAlgorithm": numbers,
        "EncryptionAlgorithm": numbers,
        "Label": st.text(max_size=5) | st.just("order\0") | st.just("\ud83d\ude00"),
        "ExtensionData": raw,
        "MessageBody": raw | raw.map(bytearray),
    },
}
WORDS = {
    "BaseHeaderFlags": mqmq.BaseHeaderFlags(PR=5),
    "UserHeaderFlags": mqmq.UserHeaderFlags(DM=1, JN=1),
    "SecurityHeaderFlags": mqmq.SecurityHeaderFlags(ST=2),
    "MessagePropertiesHeaderFlags": 3,
}
HEADERS: dict[str, Any] = defaults("UserMessage") | {
    "TransactionHeader": mqmq.TransactionHeader(),
    "DebugHeader": mqmq.DebugHeader(QueueIdentifier=GUID(bytes(16))),
    "SRMPEnvelopeHeader": mw.mqrr.SRMPEnvelopeHeader(Data="<e/>"),
    "CompoundMessageHeader": mw.mqrr.CompoundMessageHeader(Data=b"m"),
    "SoapHeader": mqmq.SoapHeader(),
    "MultiQueueFormatHeader": mqmq.MultiQueueFormatHeader(),
    "ExtensionHeader": mw.mqrr.ExtensionHeader(),
    "SubqueueHeader": mw.mqrr.SubqueueHeader(),
    "DeadLetterHeader": mw.mqrr.DeadLetterHeader(DeadLetterPathName="a\\b"),
    "ExtendedAddressHeader": mw.mqrr.ExtendedAddressHeader(),
    "SessionHeader": mqmq.SessionHeader(),
}
for _built in ("BaseHeader", "UserHeader", "SecurityHeader", "MessagePropertiesHeader"):
    del HEADERS[_built]


def by_classes(said: dict[str, Any]) -> mqmq.UserMessage:
    """The same message, a class called for each part."""

    def part(name: str) -> dict[str, Any]:
        return {field: said[field] for field in SAID[name] if field in said}

    def word(name: str) -> dict[str, Any]:
        return {"Flags": said[f"{name}Flags"]} if f"{name}Flags" in said else {}

    security = None
    if part("SecurityData") or word("SecurityHeader"):
        data = mqmq.SecurityData(**part("SecurityData"))
        security = mqmq.SecurityHeader(SecurityData=data, **word("SecurityHeader"))
    return mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(**part("BaseHeader"), **word("BaseHeader")),
        UserHeader=mqmq.UserHeader(**part("UserHeader"), **word("UserHeader")),
        SecurityHeader=security,
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            **part("MessagePropertiesHeader"), **word("MessagePropertiesHeader")
        ),
        **{name: header for name, header in said.items() if name in HEADERS},
    )


usual = st.fixed_dictionaries(
    {}, optional={name: item for part in SAID.values() for name, item in part.items()}
)
words = st.fixed_dictionaries({}, optional={name: st.just(word) for name, word in WORDS.items()})
headers = st.fixed_dictionaries({}, optional={name: st.just(header) for name, header in HEADERS.items()})


def outcome(make: Any, said: dict[str, Any]) -> Any:
    """The record, or what is wrong with it: another machine's private queue is no destination."""
    try:
        return make(said)
    except EncodeError as error:
        return str(error)


def at_once(said: dict[str, Any]) -> mqmq.UserMessage:
    return mqmq.UserMessage.of(**said)


@given(usual)
def test_usual_messages(said: dict[str, Any]) -> None:
    made = outcome(at_once, said)
    assert made == outcome(by_classes, said)
    if isinstance(made, str):
        assert {"DestinationQueue", "QueueManagerAddress"} <= set(said)
        return
    assert repr(made) == repr(by_classes(said))  # words are whole: no group is left to be filled in
    assert made.encode() == by_classes(said).encode()
    assert len(made.encode()) == made.BaseHeader.PacketSize


@given(usual, words, headers)
def test_other_messages(said: dict[str, Any], flags: dict[str, Any], others: dict[str, Any]) -> None:
    said |= flags | others
    assert outcome(at_once, said) == outcome(by_classes, said)


@for_each("name", lambda: [*WORDS, *HEADERS])
def test_each_other_part_alone(name: str) -> None:
    """None of them is forgotten; a part that needs another one is refused alike."""
    said = {name: (WORDS | HEADERS)[name]}
    assert outcome(at_once, said) == outcome(by_classes, said)


def refusal(make: Any, said: dict[str, Any]) -> tuple[Any, ...]:
    with pytest.raises(EncodeError) as caught:
        make(said)
    error = caught.value
    return error.problem, error.structure, error.path, error.expected, str(error.actual)[:40]


@for_each(("name", "value"), lambda: [
        *((name, value) for part in SAID.values() for name in part for value in (-1, 1 << 32, "\ud800x", 1.5)
          if not (name == "Label" and isinstance(value, str))),
        ("Label", "x" * 256),
        ("Label", "\U0001f600" * 128),
        ("SecurityID", bytes(1 << 16)),
        ("Signature", bytes(1 << 16)),
        ("CorrelationID", bytes(19)),
        ("DestinationQueue", "nowhere"),
        ("DestinationQueue", mqmq.PrivateQueueFormatName()),
        ("TransactionHeader", mqmq.SessionHeader()),
    ])  # fmt: skip
def test_refusals(name: str, value: Any) -> None:
    assert refusal(at_once, {name: value}) == refusal(
        lambda said: mqmq.UserMessage(**said) if name == "TransactionHeader" else by_classes(said),
        {name: value},
    )


def test_what_it_takes() -> None:
    """Every field that somebody says, under its own name; what follows from it is no parameter."""
    names = list(inspect.signature(mqmq.UserMessage.of).parameters)
    fields = {name for part in SAID.values() for name in part}
    others = set(mqmq.UserMessage.layout.by_name) - {
        "BaseHeader", "UserHeader", "SecurityHeader", "MessagePropertiesHeader",
    }  # fmt: skip
    assert set(names) == fields | set(WORDS) | others
    assert len(names) == len(set(names))


def test_names_that_came_before() -> None:
    """A name that is met again means the same, and a private one goes by the host that is given."""
    first, second = GUID(bytes(16)), GUID(bytes([1]) * 16)
    for _ in range(2):
        for host in (first, second):
            short = mqmq.UserMessage.of(SourceQueueManager=host, AdminQueue=f"PRIVATE={host}\\7")
            assert short.UserHeader.AdminQueue == mqmq.PrivateQueueFormatNameId(7)
            long = mqmq.UserMessage.of(SourceQueueManager=first, AdminQueue=f"PRIVATE={second}\\7")
            assert long.UserHeader.AdminQueue == mqmq.PrivateQueueFormatName(second, 7)


def test_few_names_are_remembered() -> None:
    remembered = mqmq.UserMessage.of.__globals__["form_UserHeader_DestinationQueue"].texts
    remembered.clear()
    for number in range(2500):
        mqmq.UserMessage.of(DestinationQueue=f"DIRECT=OS:host\\{number}")
    assert 0 < len(remembered) <= 1024
    remembered.clear()
    mqmq.UserMessage.of(DestinationQueue=f"DIRECT=OS:host\\{'x' * 300}")
    assert not remembered
