"""What a signature covers, field by field, and its digest."""

from __future__ import annotations

import hashlib
import pickle
import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from support_specs import load_requirements

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.packets import signature
from msmq_wire.packets.carriers import DirectoryQueue
from msmq_wire.packets.signature import (
    Forms,
    SecurityError,
    SignatureVersion,
    UnavailableError,
    default_version,
    digest,
    hash_of,
    signature_region,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = "557358d1-9150-9595-4997-b6e611ea26c6"
CONNECTOR = "00112233-4455-6677-8899-aabbccddeeff"
PUBLIC = "01234567-89ab-cdef-0123-456789abcdef"


def message() -> mqmq.UserMessage:
    """A message in which every field of a region has a value of its own, and every padding is 0xEE."""
    return mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(PR=6)),
        UserHeader=mqmq.UserHeader(
            SourceQueueManager=SOURCE,
            Flags=mqmq.UserHeaderFlags(DM=1, JP=1, JN=0),
            DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName="OS:dd\\q\0", Padding=b"\xee\xee"),
            AdminQueue=mqmq.PrivateQueueFormatName(SOURCE, 7),
            ResponseQueue=mqmq.PublicQueueFormatName(PUBLIC),
            ConnectorType=CONNECTOR,
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Flags=mqmq.MessagePropertiesHeaderFlags(PA=1, NA=1, X=0xF),
            MessageClass=0x8006,
            CorrelationID=bytes(range(20)),
            BodyType=0x1011,
            ApplicationTag=0x04030201,
            HashAlgorithm=0x8003,
            Label="hi\0",
            ExtensionData=b"ext",
            MessageBody=b"body",
        ),
        MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader(
            Destination=mqmq.MQFAddressHeader(
                FormatNameList=[
                    mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName("OS:a\\q")),
                    mqmq.MQFFormatNameElement(
                        FormatName=mqmq.PublicQueueFormatName(PUBLIC), Padding=b"\xee\xee"
                    ),
                ]
            )
        ),
    )


# Typed in by hand from the values above and the sections' lists.
FIRST = [
    "000102030405060708090a0b0c0d0e0f10111213",  # CorrelationID
    "01020304",  # ApplicationTag
    "626f6479",  # MessageBody: body
    "680069000000",  # Label: hi and its terminator
    "67452301ab89efcd0123456789abcdef",  # ResponseQueue: the public queue's GUID
    "d1587355509195954997b6e611ea26c607000000",  # AdminQueue: host and number
]
SINCE_2_0 = [
    "d1587355509195954997b6e611ea26c6",  # SourceQueueManager
    "01",  # DM
    "06",  # PR
    "02",  # JP << 1 | JN
    "05",  # Flags & 0x0F: PA and NA
    "0680",  # MessageClass
    "11100000",  # BodyType
    "33221100554477668899aabbccddeeff",  # ConnectorType
]
DESTINATION = "10004f0053003a00640064005c0071000000"  # Count 16, OS:dd\\q, terminator
EXTENSION = "657874"
LIST = "0300" + "4f0053003a0061005c0071000000" + "0100" + "67452301ab89efcd0123456789abcdef"

VECTORS = {
    1: FIRST,
    2: [*FIRST, *SINCE_2_0, DESTINATION],
    3: [*FIRST, EXTENSION, LIST, *SINCE_2_0],
}

NAMES = {
    "MessagePropertiesHeader.CorrelationID",
    "MessagePropertiesHeader.ApplicationTag",
    "MessagePropertiesHeader.MessageBody",
    "MessagePropertiesHeader.Label",
    "UserHeader.ResponseQueue",
    "UserHeader.AdminQueue",
}


@pytest.mark.parametrize("version", [1, 2, 3])
def test_vectors(version: int) -> None:
    """Each field and the concatenation are the bytes typed in above."""
    region = signature_region(message(), version)
    assert region.version is SignatureVersion(version)
    assert [field.data.hex() for field in region.fields] == VECTORS[version]
    assert region.data.hex() == "".join(VECTORS[version])
    decoded = mw.decode(mw.encode(message()))
    assert isinstance(decoded, mqmq.UserMessage)
    assert signature_region(decoded, version) == region


def test_order_is_that_of_the_requirements() -> None:
    """The requirements list the fields by their short names; ours come in that order."""
    texts = {item.id: item.requirement for item in load_requirements() if item.id.startswith("MQMQ-2.5.")}

    def listed(identifier: str) -> list[str]:
        text = texts[identifier].partition(":")[2] or texts[identifier].removeprefix("Then ")
        return [name.strip().partition(" (")[0] for name in text.split(",")]

    def short(version: int) -> list[str]:
        names = [field.name for field in signature_region(message(), version).fields]
        plain = [name.replace("UserHeader.Flags.", "").replace("BaseHeader.Flags.", "") for name in names]
        return [name.rpartition("Header.")[2].replace("JP << 1 | JN", "JP<<1|JN") for name in plain]

    assert listed("MQMQ-2.5.1-01") == short(1)
    assert short(1) + listed("MQMQ-2.5.2-02") == short(2)
    assert short(1) + listed("MQMQ-2.5.3-02") == short(3)


def test_names_are_the_documents() -> None:
    assert {field.name for field in signature_region(message(), 1).fields} == NAMES


# -------------------------------------------------------------------------------------------- forms


def parts(packet: mqmq.UserMessage, version: int, **choices: Any) -> dict[str, bytes]:
    return dict(signature_region(packet, version, forms=Forms(**choices)).fields)


def test_label_without_terminator() -> None:
    assert parts(message(), 1, label="bare")["MessagePropertiesHeader.Label"] == b"h\0i\0"


def test_queues_with_padding() -> None:
    padded, plain = parts(message(), 2, queues="padded"), parts(message(), 2)
    name = "UserHeader.DestinationQueue"
    assert padded[name] == plain[name] + b"\xee\xee"
    listed = parts(message(), 3, queues="padded")["MultiQueueFormatHeader.FormatNameList"]
    assert listed.hex() == LIST.replace("0100674523", "0100eeee674523")


def test_queues_as_text() -> None:
    text = parts(message(), 2, queues="text")
    assert text["UserHeader.DestinationQueue"] == "DIRECT=OS:dd\\q".encode("utf-16-le")
    assert text["UserHeader.AdminQueue"] == f"PRIVATE={SOURCE.upper()}\\00000007".encode("utf-16-le")
    assert text["UserHeader.ResponseQueue"] == f"PUBLIC={PUBLIC.upper()}".encode("utf-16-le")
    listed = parts(message(), 3, queues="text")["MultiQueueFormatHeader.FormatNameList"]
    assert listed == f"DIRECT=OS:a\\q,PUBLIC={PUBLIC.upper()}".encode("utf-16-le")
    ended = parts(message(), 3, queues="terminated")
    assert ended["UserHeader.ResponseQueue"] == f"PUBLIC={PUBLIC.upper()}\0".encode("utf-16-le")
    both = f"DIRECT=OS:a\\q,PUBLIC={PUBLIC.upper()}\0"
    assert ended["MultiQueueFormatHeader.FormatNameList"] == both.encode("utf-16-le")


def test_text_that_is_no_name() -> None:
    header = mqmq.UserHeader(DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName="nowhere\0"))
    with pytest.raises(mw.EncodeError):
        parts(mqmq.UserMessage(UserHeader=header), 2, queues="text")


def test_response_queue_that_is_the_administration_queue() -> None:
    flags = mqmq.UserHeaderFlags(RQ=1)
    packet = mqmq.UserMessage(UserHeader=mqmq.UserHeader(Flags=flags, AdminQueue=f"PUBLIC={PUBLIC}"))
    assert parts(packet, 1)["UserHeader.ResponseQueue"] == b""
    text = parts(packet, 1, queues="text")
    assert text["UserHeader.ResponseQueue"] == text["UserHeader.AdminQueue"] != b""


def test_absent_parts() -> None:
    """Nothing by default; else what the caller says."""
    empty = mqmq.UserMessage()
    assert parts(empty, 3)["UserHeader.ConnectorType"] == b""
    assert parts(empty, 3)["MultiQueueFormatHeader.FormatNameList"] == b""
    assert parts(empty, 2, queues="terminated")["UserHeader.DestinationQueue"] == b""
    assert parts(empty, 2, absent_connector_type=bytes(16))["UserHeader.ConnectorType"] == bytes(16)
    filled = parts(empty, 2, absent_queue=b"\0\0")
    assert [name for name, data in filled.items() if data == b"\0\0" and "Queue" in name] == [
        "UserHeader.ResponseQueue",
        "UserHeader.AdminQueue",
        "UserHeader.DestinationQueue",
    ]
    bare = mw.replace(empty, MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader())
    assert parts(bare, 3)["MultiQueueFormatHeader.FormatNameList"] == b""


def test_destination_in_3_0() -> None:
    region = signature_region(message(), 3, forms=Forms(destination_in_3_0=True))
    assert region.fields[:-1] == signature_region(message(), 3).fields
    assert region.fields[-1] == signature_region(message(), 2).fields[-1]
    assert signature_region(message(), 2, forms=Forms(destination_in_3_0=True)).data.hex() == "".join(
        VECTORS[2]
    )


@pytest.mark.parametrize("name", ["label", "queues", "byte_order"])
def test_unknown_form(name: str) -> None:
    choices: dict[str, Any] = {name: "other"}
    with pytest.raises(SecurityError, match=f"^{name} is one of .*, not 'other'$") as caught:
        Forms(**choices)
    assert caught.value.actual == "other"


# ------------------------------------------------------------------------------------------- versions


@pytest.mark.parametrize("version", [0, 4, "1"])
def test_unknown_version(version: Any) -> None:
    with pytest.raises(SecurityError, match="version 1, 2 or 3, not") as caught:
        signature_region(message(), version)
    assert caught.value.actual == version


@pytest.mark.parametrize("function", [lambda p: signature_region(p, 1), default_version, digest])
def test_only_messages(function: Callable[[Any], object]) -> None:
    """Anything else is a mistake of the program, which a handler of `SecurityError` does not hide."""
    with pytest.raises(mw.WrongTypeError, match=r"^expected a UserMessage, got SessionAck$"):
        function(mw.mqqb.SessionAck())
    with pytest.raises(
        mw.WrongTypeError, match=r"^expected a UserMessage, got MessagePacket: use its UserMessage$"
    ):
        function(mw.mqrr.MessagePacket())


def test_default_version() -> None:
    """3.0 with several destinations, 1.0 for directory messages, else 2.0."""
    assert default_version(message()) is SignatureVersion.MSMQ_3_0
    single = mw.replace(message(), MultiQueueFormatHeader=None)
    assert default_version(single) is SignatureVersion.MSMQ_2_0
    for queue in DirectoryQueue:
        header = mqmq.UserHeader(DestinationQueue=f"DIRECT=OS:server{queue.path}")
        assert default_version(mqmq.UserMessage(UserHeader=header)) is SignatureVersion.MSMQ_1_0


# -------------------------------------------------------------------------------------------- digests


@pytest.mark.parametrize(
    ("algorithm", "name"), [(0x8003, "md5"), (0x8004, "sha1"), (0x800C, "sha256"), (0x800E, "sha512")]
)
@pytest.mark.parametrize("version", [1, 2, 3])
def test_digest(algorithm: int, name: str, version: int) -> None:
    expected = hashlib.new(name, bytes.fromhex("".join(VECTORS[version]))).digest()
    assert digest(message(), version, algorithm) == expected
    properties = mw.replace(message().MessagePropertiesHeader, HashAlgorithm=algorithm)
    packet = mw.replace(message(), MessagePropertiesHeader=properties)
    assert digest(packet, version) == expected
    if version == 3:
        assert digest(packet) == expected


def test_replication_messages_are_signed_with_md5() -> None:
    """[MC-MQDSRP] 3.1.7.2.1 with errata D26: MD5 over the fields of version 1.0."""
    packet = mw.mqdsrp.wrap(
        mw.mqdsrp.ChangePropagationMessage(),
        destination="server",
        queue_manager=SOURCE,
        message_id=1,
        sent_time=0,
    )
    covered = signature_region(packet, 1).data
    assert packet.MessagePropertiesHeader.MessageBody in covered
    assert digest(packet) == hashlib.md5(covered, usedforsecurity=False).digest()


@pytest.mark.parametrize("algorithm", [0, 0x8005, 0x6610, 2**40, "md5"])
def test_unknown_algorithm(algorithm: Any) -> None:
    with pytest.raises(
        SecurityError, match=r"is not a hash algorithm; expected one of 0x8001 \(MD2\)"
    ) as caught:
        digest(message(), 1, algorithm)
    assert caught.value.actual == algorithm
    assert not isinstance(caught.value, UnavailableError)


class _Interpreter:
    """A `hashlib` with these hashes only."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def new(self, name: str, data: bytes, *, usedforsecurity: bool) -> Any:
        assert not usedforsecurity
        if name not in self.names:
            raise ValueError(name)
        return SimpleNamespace(digest=lambda: b"own " + name.encode() + data)


@pytest.mark.parametrize(("algorithm", "name"), [(0x8001, "md2"), (0x8002, "md4")])
def test_old_hashes(algorithm: int, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter's own first, then pycryptodome's under either of its names, then a clear error."""
    for package in ("Crypto", "Cryptodome"):
        monkeypatch.setitem(sys.modules, f"{package}.Hash.{name.upper()}", None)
    monkeypatch.setattr(signature, "hashlib", _Interpreter())
    with pytest.raises(UnavailableError, match=f"{name.upper()} is not offered .* install pycryptodome"):
        hash_of(b"data", algorithm)
    for package in ("Crypto", "Cryptodome"):
        for whole in (package, f"{package}.Hash"):
            monkeypatch.setitem(sys.modules, whole, ModuleType(whole))
        module: Any = ModuleType(name)
        module.new = lambda data, package=package: SimpleNamespace(digest=lambda: package.encode() + data)
        monkeypatch.setitem(sys.modules, f"{package}.Hash.{name.upper()}", module)
        assert hash_of(b"data", algorithm) == package.encode() + b"data"
    monkeypatch.setattr(signature, "hashlib", _Interpreter(name))
    assert hash_of(b"data", algorithm) == b"own " + name.encode() + b"data"


def test_errors_are_ours_and_survive_pickling() -> None:
    for kind in (SecurityError, UnavailableError):
        error = kind("what", 3)
        assert isinstance(error, mw.MsmqWireError)
        again = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
        assert (type(again), str(again), again.problem, again.actual) == (kind, "what", "what", 3)


# ----------------------------------------------------------------------------------------- properties


@given(strategies.records("UserMessage"), st.sampled_from([1, 2, 3]))
def test_any_message_has_a_region(packet: Any, version: int) -> None:
    """Regions are made of what the bytes say: a decoded message has the same."""
    region = signature_region(packet, version)
    assert region.data == b"".join(data for _, data in region.fields)
    again = mqmq.UserMessage.decode(packet.encode())
    assert signature_region(again, version) == region
    assert len(region.fields) == {1: 6, 2: 15, 3: 16}[version]
    assert len(signature_region(packet, version, forms=Forms(queues="padded")).data) >= len(region.data)
