"""Errors: whose fault, which message, which facts; and that they travel between processes."""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock, patch

import pytest
from support_rows import for_each

import msmq_wire as mw
from msmq_wire import (
    GUID,
    ConformanceError,
    DecodeError,
    EncodeError,
    MsmqWireError,
    Record,
    mqcn,
    mqdsrp,
    mqmq,
    mqqb,
    mqrr,
    rpc,
    session,
    testing,
)
from msmq_wire.checks.sessions.monitor import SessionMonitor
from msmq_wire.documents import directory_properties
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.propid import PROPID, ObjectClass
from msmq_wire.machines import notification, replication
from msmq_wire.mqrr import MessagePacket
from msmq_wire.packets.carriers import carries, queue_of
from msmq_wire.packets.reassembly import FlowReader, Origin
from msmq_wire.packets.signature import Forms, hash_of, signature_region
from msmq_wire.records.diagnostic_reader import DiagnosticReader
from msmq_wire.records.record import diagnostic_reader
from msmq_wire.testing.bent.records import bend
from msmq_wire.testing.server import QueueServer
from msmq_wire.values.errors import WrongTypeError, deferred, explained, kept, moved, shortened
from msmq_wire.values.extras import needed
from msmq_wire.values.refusals import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from msmq_wire.records.spans import FieldSpan

FACTS: dict[type[MsmqWireError], tuple[str, ...]] = {
    DecodeError: (
        "problem",
        "structure",
        "path",
        "offset",
        "expected",
        "actual",
        "limit",
        "source_path",
        "source_offset",
    ),
    EncodeError: ("problem", "structure", "path", "expected", "actual"),
    ConformanceError: ("violations",),
}


def facts(error: MsmqWireError) -> dict[str, Any]:
    return {name: getattr(error, name) for name in FACTS[type(error)]}


DECODE = DecodeError(
    say(mw.Problem.SHORT, "4 bytes", 1),
    structure="BaseHeader",
    path="UserMessage.BaseHeader.Signature",
    offset=4,
    expected=4,
    actual=1,
    limit="BaseHeader.PacketSize",
    source_path="UserMessage.BaseHeader.PacketSize",
    source_offset=8,
)
ENCODE = EncodeError(
    "expected 0 to 255, got 256", structure="BaseHeader", path="BaseHeader.Reserved", expected="x", actual=256
)
CONFORMANCE = ConformanceError(["one", "two"])


def test_hierarchy() -> None:
    """Whoever catches ValueError catches all of them; the three are apart from each other."""
    assert issubclass(MsmqWireError, ValueError)
    for kind in FACTS:
        assert issubclass(kind, MsmqWireError)
        assert not any(issubclass(kind, other) for other in FACTS if other is not kind)


def test_messages() -> None:
    """Problem, limit and place, in this order."""
    assert str(DECODE) == (
        "expected 4 bytes, found 1 (limit: BaseHeader.PacketSize)"
        " - at `UserMessage.BaseHeader.Signature`, byte 4"
    )
    assert str(ENCODE) == "expected 0 to 255, got 256 - at `BaseHeader.Reserved`"
    assert str(CONFORMANCE) == "one; two"
    assert CONFORMANCE.violations == ("one", "two")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1 << 128) - 1, str((1 << 128) - 1)),
        (1 << 128, "a number of 129 bits"),
        (-(1 << 128) + 1, str(-(1 << 128) + 1)),
        (-(1 << 128), "a number of 129 bits"),
    ],
)
def test_huge_numbers_are_not_written_out(value: int, text: str) -> None:
    assert shortened(value) == text


@pytest.mark.parametrize(
    ("name", "module", "text", "package"),
    [
        (
            "pyarrow.parquet",
            "",
            "msmq_wire.arrow needs the package pyarrow: pip install 'msmq_wire[arrow]'",
            "pyarrow",
        ),
        ("click", "cli", "msmq_wire.cli needs the package click: pip install 'msmq_wire[arrow]'", "click"),
        (None, "", "msmq_wire.arrow needs the package : pip install 'msmq_wire[arrow]'", ""),
    ],
)
def test_the_error_for_a_missing_extra(name: str | None, module: str, text: str, package: str) -> None:
    error = needed("arrow", ModuleNotFoundError(name=name), module)
    assert (str(error), error.name) == (text, package)


@pytest.mark.parametrize("length", [117, 118, 119, 500])
def test_a_long_value_is_shortened_to_120_characters(length: int) -> None:
    """The quotation marks count."""
    text = repr("x" * length)
    assert shortened("x" * length) == (text if len(text) <= 120 else text[:120] + "...")


def test_a_problem_has_a_code() -> None:
    """Also a copy with an explanation or another place; a sentence of the caller's own has none."""
    assert DECODE.code is mw.Problem.SHORT
    assert explained(moved(DECODE, 3), "because").code is mw.Problem.SHORT
    assert DecodeError("p", structure="s", path="s.f", offset=0).code is mw.Problem.OTHER
    with pytest.raises(DecodeError) as caught:
        mw.decode(MESSAGE + b"?")
    assert caught.value.code is mw.Problem.LEFT_OVER


@pytest.mark.parametrize(
    ("header", "flag", "requirement"),
    [
        ("TransactionHeader", "UserHeader.Flags.TH", "MQMQ-2.2.19.2-22"),
        ("SecurityHeader", "UserHeader.Flags.SH", "MQMQ-2.2.19.2-20"),
        ("DebugHeader", "BaseHeader.Flags.DH", "MQMQ-2.2.19.1-09"),
        ("SoapHeader", "UserHeader.Flags.HH", "MQMQ-2.2.19.2-35"),
        ("MultiQueueFormatHeader", "UserHeader.Flags.MQ", "MQMQ-2.2.19.2-28"),
    ],
)
def test_a_clear_flag_of_a_header_that_is_there_is_named(header: str, flag: str, requirement: str) -> None:
    """Not what its bytes would be without it."""
    record = mqmq.UserMessage(**PARTS, **{header: HEADERS[header]})
    message = bend(record, flag, 0).encode()
    with pytest.raises(DecodeError) as caught:
        mw.decode(message)
    error = caught.value
    assert (error.path, error.requirement) == (f"UserMessage.{flag}", requirement)
    assert (error.code, error.expected, error.actual) == (mw.Problem.FLAG, 1, 0)
    assert (error.source_path, error.source_offset) == (error.path, error.offset)
    lax = mw.decode_lax(message).error
    assert lax is not None
    assert str(lax) == str(error)


@pytest.mark.parametrize(
    ("header", "flag", "requirement"),
    [
        ("", "UserHeader.Flags.TH", "MQMQ-2.2.19.2-21"),
        ("", "UserHeader.Flags.SH", "MQMQ-2.2.19.2-19"),
        ("", "UserHeader.Flags.CQ", "MQMQ-2.2.19.2-25"),
        ("", "UserHeader.Flags.HH", "MQMQ-2.2.19.2-34"),
        ("", "UserHeader.Flags.MQ", "MQMQ-2.2.19.2-27"),
        ("", "UserHeader.Flags.AH", "MQMQ-2.2.19.2-31"),
        ("", "BaseHeader.Flags.DH", "MQMQ-2.2.19.1-09"),
        ("TransactionHeader", "TransactionHeader.Flags.CG", "MQMQ-2.2.20.5-03"),
    ],
)
def test_a_set_flag_of_a_header_that_is_missing_is_named(header: str, flag: str, requirement: str) -> None:
    """Not the header that lacks bytes because others were taken for the missing one."""
    headers = {header: HEADERS[header]} if header else {}
    message = bend(mqmq.UserMessage(**PARTS, **headers), flag, 1).encode()
    with pytest.raises(DecodeError) as caught:
        mw.decode(message)
    error = caught.value
    assert (error.path, error.requirement) == (f"UserMessage.{flag}", requirement)
    assert (error.code, error.expected, error.actual) == (mw.Problem.PROMISE, 0, 1)
    assert (error.source_path, error.source_offset) == (error.path, error.offset)


@pytest.mark.parametrize(("stated", "requirement"), [(0, "MQMQ-2.2.20.8-33"), (3, "MQMQ-2.2.20.8-01")])
def test_a_queue_type_that_does_not_fit_its_queue_is_named(stated: int, requirement: str) -> None:
    """The 16 bytes are no ExtensionHeader."""
    record = mqmq.UserMessage(**PARTS, DebugHeader=HEADERS["DebugHeader"])
    with pytest.raises(DecodeError) as caught:
        mw.decode(bend(record, "DebugHeader.Flags.QT", stated).encode())
    error = caught.value
    assert (error.path, error.requirement) == ("UserMessage.DebugHeader.Flags.QT", requirement)


def test_surplus_bytes_are_no_header() -> None:
    """Bytes after the last header are an ExtensionHeader only if they state its size."""
    message = mqmq.UserMessage(**PARTS)
    size = message.BaseHeader.PacketSize + 8
    longer = bend(message, "BaseHeader.PacketSize", size).encode() + b"surplus!"
    with pytest.raises(DecodeError) as caught:
        mw.decode(longer)
    assert (caught.value.path, caught.value.offset) == ("UserMessage", size - 8)
    assert caught.value.problem == "8 bytes left over"


@pytest.mark.parametrize(
    "surplus", [b"surp", bytes(4), bytes.fromhex("0c000100"), bytes.fromhex("01000100") + bytes(16)]
)
def test_surplus_bytes_are_a_debug_header_only_with_a_queue(surplus: bytes) -> None:
    """Any four bytes that announce no queue would do for one."""
    message = mqmq.UserMessage(**PARTS)
    size = message.BaseHeader.PacketSize + len(surplus)
    with pytest.raises(DecodeError) as caught:
        mw.decode(bend(message, "BaseHeader.PacketSize", size).encode() + surplus)
    assert (caught.value.path, caught.value.requirement) == ("UserMessage", "MQMQ-2.2.19.1-31")


def test_a_length_that_ends_a_text_too_early_is_named() -> None:
    """Not what the text and the bytes after it were taken for."""
    count = "UserHeader.DestinationQueue.Count"
    with pytest.raises(DecodeError) as caught:
        mw.decode(bend(mqmq.UserMessage(**PARTS), count, 0).encode())
    error = caught.value
    assert error.path == "UserMessage.UserHeader.DestinationQueue.DirectFormatName"
    assert (error.code, error.requirement) == (mw.Problem.UNTERMINATED, "MQMQ-2.2.18.1.5.2-02")
    assert (error.source_path, error.source_offset) == (f"UserMessage.{count}", 64)


def test_a_count_beyond_the_size_of_a_list_is_named() -> None:
    """Not the element that would begin with the padding."""
    record = mqmq.UserMessage(**PARTS, MultiQueueFormatHeader=HEADERS["MultiQueueFormatHeader"])
    count = "MultiQueueFormatHeader.Destination.ElementCount"
    with pytest.raises(DecodeError) as caught:
        mw.decode(bend(record, count, 2).encode())
    error = caught.value
    assert (error.path, error.requirement) == (f"UserMessage.{count}", "MQMQ-2.2.20.2-05")
    assert (error.code, error.expected, error.actual) == (mw.Problem.COUNT_ABOVE, "at most 1", 2)


PARTS: dict[str, Any] = {
    "UserHeader": mqmq.UserHeader(DestinationQueue="DIRECT=OS:host\\queue"),
    "MessagePropertiesHeader": mqmq.MessagePropertiesHeader(Label="label", MessageBody=b"body" * 5),
}
DESTINATION = mqmq.PublicQueueFormatName(mw.GUID(b"\x11" * 16))
HEADERS: dict[str, Any] = {
    "TransactionHeader": mqmq.TransactionHeader(TxSequenceNumber=3),
    "SecurityHeader": mqmq.SecurityHeader(
        SecurityData=mqmq.SecurityData(SecurityID=b"\1\1" + bytes(5) + b"\5\x12\0\0\0")
    ),
    "DebugHeader": mqmq.DebugHeader(QueueIdentifier=mw.GUID(b"\x11" * 16)),
    "SoapHeader": mqmq.SoapHeader(Header="<header/>", Body="<body/>"),
    "MultiQueueFormatHeader": mqmq.MultiQueueFormatHeader(
        Destination=mqmq.MQFAddressHeader(
            FormatNameList=(
                mqmq.MQFFormatNameElement(FormatName=mqmq.PublicQueueFormatName(mw.GUID(b"1" * 16))),
            )
        ),
        Administration=mqmq.MQFAddressHeader(),
        Response=mqmq.MQFAddressHeader(),
        Signature=mqmq.MQFSignatureHeader(Signature=b"sign"),
    ),
}


def test_defaults() -> None:
    """Facts that need not be given."""
    decode = DecodeError("p", structure="s", path="s.f", offset=0)
    assert (decode.expected, decode.actual, decode.limit) == (None, None, "buffer")
    assert (decode.source_path, decode.source_offset) == (None, None)
    encode = EncodeError("p", structure="s", path="s.f")
    assert (encode.expected, encode.actual) == (None, None)
    assert str(ConformanceError([])) == ""


@pytest.mark.parametrize("error", [DECODE, ENCODE, CONFORMANCE], ids=lambda error: type(error).__name__)
def test_pickles_and_copies_keep_every_fact(error: MsmqWireError) -> None:
    """Pickles and copies keep the message and every fact."""
    twins = [copy.copy(error), copy.deepcopy(error)]
    twins += [pickle.loads(pickle.dumps(error, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]  # noqa: S301  # own pickles
    for twin in twins:
        assert type(twin) is type(error)
        assert str(twin) == str(error)
        assert facts(twin) == facts(error)
        assert getattr(twin, "code", None) == getattr(error, "code", None)


@pytest.mark.parametrize(
    "read",
    [str, repr, pickle.dumps, copy.copy, *map(attrgetter, ("args", "code", "source_path", "requirement"))],
)
def test_an_error_is_located_when_a_fact_is_first_read(read: Callable[[DecodeError], Any]) -> None:
    locate = Mock(return_value=DECODE)
    error = deferred(locate)
    assert kept(error) is error
    assert not hasattr(error, "__notes__")
    locate.assert_not_called()
    read(error)
    locate.assert_called_once()
    assert facts(error) == facts(DECODE)
    assert (str(error), repr(error), error.args) == (str(DECODE), repr(DECODE), DECODE.args)
    locate.assert_called_once()


def refused(name: str, data: str | bytes) -> dict[str, Any]:
    """The facts of the error that some bytes (as hex) cause."""
    raw = bytes.fromhex(data) if isinstance(data, str) else data
    with pytest.raises(DecodeError) as caught:
        Record.class_of(name).decode(raw)
    error = caught.value
    assert str(error) == (f"{error.problem} (limit: {error.limit}) - at `{error.path}`, byte {error.offset}")
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__
    found = facts(error)
    return {name: value for name, value in found.items() if value is not None or "source" not in name}


def test_too_few_bytes() -> None:
    """A field that does not fit: what it needs and what is left."""
    assert refused("TxSequenceID", "0100000002") == {
        "problem": "expected 4 bytes, found 1",
        "structure": "TxSequenceID",
        "path": "TxSequenceID.TimeStamp",
        "offset": 4,
        "expected": 4,
        "actual": 1,
        "limit": "buffer",
    }


def test_too_many_bytes() -> None:
    """Bytes after the structure."""
    assert refused("TxSequenceID", bytes(11)) == {
        "problem": "3 bytes left over",
        "structure": "TxSequenceID",
        "path": "TxSequenceID",
        "offset": 8,
        "expected": 0,
        "actual": 3,
        "limit": "buffer",
    }


def test_no_bytes_are_refused_at_the_first_field() -> None:
    """No bytes at all."""
    found = refused("PingPacket", b"")
    assert (found["path"], found["offset"], found["actual"]) == ("PingPacket.Flags", 0, 0)


def test_counted_bytes() -> None:
    """An array that its count makes too long."""
    assert refused("TA_ADDRESS", "0A00 0300 01020304") == {
        "problem": "expected 10 bytes, found 4",
        "structure": "TA_ADDRESS",
        "path": "TA_ADDRESS.Address",
        "offset": 4,
        "expected": 10,
        "actual": 4,
        "limit": "buffer",
        "source_path": "TA_ADDRESS.AddressLength",
        "source_offset": 0,
    }


def test_odd_text() -> None:
    """A size in bytes that no number of WCHARs has is the fault of the size."""
    assert refused("DirectQueueFormatName", "0300 6100 6200") == {
        "problem": "expected an even number of bytes, found 3",
        "structure": "DirectQueueFormatName",
        "path": "DirectQueueFormatName.Count",
        "offset": 0,
        "expected": "an even number",
        "actual": 3,
        "limit": "buffer",
        "source_path": "DirectQueueFormatName.Count",
        "source_offset": 0,
    }


def test_no_terminator() -> None:
    """A text without an end; zeros that are halves of two units end nothing."""
    assert refused("MQFDirectQueueFormatName", "6100 0061 0041") == {
        "problem": "expected a terminator at the end, found 6 bytes without one",
        "structure": "MQFDirectQueueFormatName",
        "path": "MQFDirectQueueFormatName.DirectFormatName",
        "offset": 0,
        "expected": "a WCHAR 0x0000",
        "actual": "6 bytes without one",
        "limit": "buffer",
    }


def test_too_many_elements() -> None:
    """A count that the bytes cannot hold is refused before anything is read or allocated."""
    assert refused("MQUSERSIGNCERTS", "FFFFFFFF" + "00" * 40) == {
        "problem": "expected a count of at most 1, found 4294967295",
        "structure": "MQUSERSIGNCERTS",
        "path": "MQUSERSIGNCERTS.CertificateCount",
        "offset": 0,
        "expected": "at most 1",
        "actual": 4294967295,
        "limit": "buffer",
        "source_path": "MQUSERSIGNCERTS.CertificateCount",
        "source_offset": 0,
    }


def test_element_path() -> None:
    """Elements are numbered from zero."""
    found = refused("MQUSERSIGNCERTS", "02000000" + "00" * 36 + "00" * 32 + "05000000")
    assert found["path"] == "MQUSERSIGNCERTS.Certificates[1].Certificate"
    assert found["structure"] == "MQUSERSIGNCERT"
    assert (found["offset"], found["expected"], found["actual"]) == (76, 5, 0)


def test_size_beyond_end() -> None:
    """A size that reaches beyond what is there."""
    assert refused("MQDSPUBLICKEYS", "0C000000 00000000") == {
        "problem": "expected a size of at most 8 bytes, found 12",
        "structure": "MQDSPUBLICKEYS",
        "path": "MQDSPUBLICKEYS.ulLen",
        "offset": 0,
        "expected": "at most 8",
        "actual": 12,
        "limit": "buffer",
        "source_path": "MQDSPUBLICKEYS.ulLen",
        "source_offset": 0,
    }


def test_size_too_small() -> None:
    """A size that ends before the field that states it."""
    assert refused("MQDSPUBLICKEYS", "03000000 00000000") == {
        "problem": "expected a size of at least 4 bytes, found 3",
        "structure": "MQDSPUBLICKEYS",
        "path": "MQDSPUBLICKEYS.ulLen",
        "offset": 0,
        "expected": "at least 4",
        "actual": 3,
        "limit": "buffer",
        "source_path": "MQDSPUBLICKEYS.ulLen",
        "source_offset": 0,
    }


def test_size_with_rest() -> None:
    """A size that leaves bytes over inside the structure."""
    assert refused("MQDSPUBLICKEYS", "0C000000 00000000 00000000") == {
        "problem": "4 bytes left over",
        "structure": "MQDSPUBLICKEYS",
        "path": "MQDSPUBLICKEYS",
        "offset": 8,
        "expected": 0,
        "actual": 4,
        "limit": "MQDSPUBLICKEYS.ulLen",
        "source_path": "MQDSPUBLICKEYS.ulLen",
        "source_offset": 0,
    }


def test_rounded_size() -> None:
    """A size that is rounded up beyond the end does not blame a size that would fit."""
    found = refused("MQFAddressHeader", "0D000000 6400 0000 00000000 00")
    assert (found["structure"], found["path"]) == ("MQFAddressHeader", "MQFAddressHeader.HeaderSize")
    assert found["offset"] == 0
    assert found["problem"] == "expected a size of at most 12 bytes, found 13 (16 with padding)"


def test_unknown_selector() -> None:
    """A selector without a form."""
    assert refused("MQFFormatNameElement", "0400 0000" + "00" * 16) == {
        "problem": "expected one of 0x1, 0x2, 0x3, 0x6, found 0x4",
        "structure": "MQFFormatNameElement",
        "path": "MQFFormatNameElement.FormatType",
        "offset": 0,
        "expected": "one of 0x1, 0x2, 0x3, 0x6",
        "actual": 4,
        "limit": "buffer",
    }


def test_innermost_limit() -> None:
    """The limit is the size that is in the way, not the end of the input."""
    data = mw.mqrr.DeadLetterHeader(DeadLetterPathName="ab").encode()
    assert data.hex() == "0c0000006100620000000000"
    assert refused("DeadLetterHeader", b"\x08" + data[1:]) == {
        "problem": "expected a terminator at the end, found 4 bytes without one",
        "structure": "DeadLetterHeader",
        "path": "DeadLetterHeader.DeadLetterPathName",
        "offset": 4,
        "expected": "a WCHAR 0x0000",
        "actual": "4 bytes without one",
        "limit": "DeadLetterHeader.HeaderSize",
        "source_path": "DeadLetterHeader.HeaderSize",
        "source_offset": 0,
    }


def test_limit_of_part() -> None:
    """A limit that a part states for its whole bears the name of the part."""
    data = bytearray(mw.mqmq.UserMessage().encode())
    data[8] = 70
    found = refused("UserMessage", bytes(data[:70]))
    assert found["limit"] == "BaseHeader.PacketSize"
    assert found["path"] == "UserMessage.MessagePropertiesHeader.CorrelationID"
    assert (found["offset"], found["expected"], found["actual"]) == (68, 20, 2)


def test_scoped() -> None:
    """A structure whose sizes stand elsewhere."""
    found = refused("SecurityData", b"")
    assert found["problem"] == "cannot be decoded alone, because its sizes are in the enclosing structure"
    assert (found["structure"], found["path"], found["offset"]) == ("SecurityData", "SecurityData", 0)


def test_encode_error_of_bent_record() -> None:
    """What gets around the builder fails as an EncodeError too, with its cause."""
    bent = mw.mqmq.TxSequenceID.raw(1 << 40, 0)
    with pytest.raises(EncodeError) as caught:
        bent.encode()
    error = caught.value
    assert error.problem.startswith("cannot be written: ")
    assert (error.structure, error.path, error.actual) == ("TxSequenceID", "TxSequenceID", bent)
    assert error.__cause__ is not None


@pytest.mark.parametrize("missing", ["SourceQueueManager", "Flags", "DestinationQueue"])
def test_encode_error_of_wrong_part(missing: str) -> None:
    """The same for parts of no known type."""
    good = mw.mqmq.UserHeader()
    values = [
        object() if field.name == missing else getattr(good, field.name) for field in good.layout.fields
    ]
    with pytest.raises(EncodeError):
        mw.encode(mw.mqmq.UserHeader.raw(*values))


# ------------------------------------------------------------------------------------ the number to blame


MESSAGE = mw.encode(
    mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b"),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="label\0", MessageBody=bytes(80)),
        SRMPEnvelopeHeader=mqrr.SRMPEnvelopeHeader(Data="<se:Envelope/>\0"),
    )
)
SEVERAL = mw.encode(
    mqmq.UserMessage(
        MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader(
            Destination=mw.queue_names.to_wire_list("DIRECT=OS:a\\b,DIRECT=OS:c\\d")
        )
    )
)
CHANGES = mqdsrp.encode(
    mqdsrp.SyncReplyMessage(
        DirectoryChanges=[
            mqdsrp.DirectoryChange(
                PathName="a", PropertyID=[number], PropertyValue=[mw.PropertyValue.of(vt, value)]
            )
            for number, vt, value in (
                (PROPID["PROPID_QM_SITE_IDS"], 0x1048, [GUID(bytes(16))]),
                (PROPID["PROPID_Q_LABEL"], 31, "b"),
            )
        ]
    )
)
REQUEST = mqdsrp.encode(mqdsrp.ChangeRequestMessage(DirectoryChange=mqdsrp.DirectoryChange(PathName="a")))
PROPERTIES = "UserMessage.MessagePropertiesHeader"
LIST = "UserMessage.MultiQueueFormatHeader.Destination"
FIRST = "SyncReplyMessage.DirectoryChanges[0]"
COUNT = "SyncReplyMessage.SyncReplyHeader.Count"
ENVELOPE = "UserMessage.SRMPEnvelopeHeader"
QUEUE = "UserMessage.UserHeader.DestinationQueue"
PACKET_SIZE = "UserMessage.BaseHeader.PacketSize"
NAME_OFFSET = "ChangeRequestMessage.ChangeRequestHeader.PSCNameOffset"
LIES: list[tuple[Callable[[bytes], Any], bytes, str, int, str]] = [
    (mw.decode, MESSAGE, f"{ENVELOPE}.DataLength", 0x7FFFFFFF, f"{ENVELOPE}.Data"),
    (mw.decode, MESSAGE, f"{PROPERTIES}.LabelLength", 0xFF, f"{PROPERTIES}.Label"),
    (mw.decode, MESSAGE, f"{PROPERTIES}.MessageSize", 5000, f"{PROPERTIES}.MessageBody"),
    (mw.decode, MESSAGE, f"{PROPERTIES}.ExtensionSize", 5000, f"{PROPERTIES}.ExtensionData"),
    (mw.decode, MESSAGE, f"{QUEUE}.Count", 0xFFFE, f"{QUEUE}.DirectFormatName"),
    (mw.decode, MESSAGE, f"{QUEUE}.Count", 7, f"{QUEUE}.Count"),
    (mw.decode, MESSAGE, PACKET_SIZE, 0xFFFF, PACKET_SIZE),
    (mw.decode, MESSAGE, PACKET_SIZE, 18, PACKET_SIZE),
    (mw.decode, SEVERAL, f"{LIST}.ElementCount", 0xFFFF, f"{LIST}.ElementCount"),
    (mw.decode, SEVERAL, f"{LIST}.ElementCount", 3, f"{LIST}.ElementCount"),
    (mw.decode, SEVERAL, f"{LIST}.HeaderSize", 0xFFFF, f"{LIST}.HeaderSize"),
    (mw.decode, SEVERAL, f"{LIST}.HeaderSize", 20, f"{LIST}.HeaderSize"),
    (mqdsrp.decode, CHANGES, COUNT, 5000, COUNT),
    (mqdsrp.decode, CHANGES, COUNT, 3, COUNT),
    (mqdsrp.decode, CHANGES, f"{FIRST}.NumberOfProperties", 200, f"{FIRST}.PropertyID"),
    (mqdsrp.decode, CHANGES, f"{FIRST}.PropertyValue[0]", 9, f"{FIRST}.PropertyValue[0]"),
    (mqdsrp.decode, REQUEST, NAME_OFFSET, 9, NAME_OFFSET),
]
"""Reader, bytes, the field that is made to lie, its number, and the field that cannot be read."""


def places(data: bytes, name: str) -> dict[str, FieldSpan]:
    found = diagnostic_reader(data)
    found.read(structures()[name], 0, len(data))
    return {piece.path: piece for piece in found.spans}


@for_each(("read", "data", "liar", "number", "path"), lambda: LIES)
def test_the_number_that_lies_is_named(
    read: Callable[[bytes], Any], data: bytes, liar: str, number: int, path: str
) -> None:
    """The error stands where reading stops; sizes, counts and offsets are named beside it."""
    place = places(data, liar.partition(".")[0])[liar]
    size = 4 if place.field is None else place.size  # a value's first bytes are its count
    lie = data[: place.offset] + number.to_bytes(size, "little") + data[place.offset + size :]
    with pytest.raises(DecodeError) as caught:
        read(lie)
    error = caught.value
    assert error.path == path
    assert (error.source_path, error.source_offset) == (liar, place.offset)
    twin = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own
    assert (twin.source_path, twin.source_offset) == (liar, place.offset)


@pytest.mark.parametrize(
    ("read", "data"),
    [
        (mw.decode, MESSAGE[:10]),
        (mqdsrp.decode, REQUEST[:-1]),
        (mqdsrp.decode, REQUEST + b"\0"),
        (mqmq.BaseHeader.decode, bytes(3)),
    ],
)
def test_nobody_is_blamed_for_a_cut(read: Callable[[bytes], Any], data: bytes) -> None:
    with pytest.raises(DecodeError) as caught:
        read(data)
    assert (caught.value.source_path, caught.value.source_offset) == (None, None)


@pytest.mark.parametrize(
    ("read", "data"),
    [
        (mw.decode, MESSAGE + b"\0"),
        (mw.decode, MESSAGE[:-1] + b"\1\2"),
        (mqmq.UserMessage.decode, MESSAGE + b"\0"),
        (mqdsrp.decode, REQUEST + b"\0"),
        (mqdsrp.decode, CHANGES + b"\0"),
        (mqcn.decode, b"\1\1" + bytes(9)),
    ],
)
def test_bytes_are_rejected_without_the_diagnostic_reader(read: Callable[[bytes], Any], data: bytes) -> None:
    """It is asked for the reason when the error is first read."""
    with patch.object(DiagnosticReader, "run", autospec=True, side_effect=DiagnosticReader.run) as run:
        with pytest.raises(DecodeError) as caught:
            read(data)
        run.assert_not_called()
        assert caught.value.path
        run.assert_called()


def test_blame_in_a_stream_counts_from_its_beginning() -> None:
    place = places(MESSAGE, "UserMessage")["UserMessage.SRMPEnvelopeHeader.DataLength"]
    lie = MESSAGE[: place.offset] + b"\xff" * 4 + MESSAGE[place.offset + 4 :]
    stream = mw.PacketStream()
    stream.feed(MESSAGE + lie + MESSAGE)
    skip = stream.skipped[0]
    assert skip.error.source_path == "UserMessage.SRMPEnvelopeHeader.DataLength"
    assert skip.error.source_offset == len(MESSAGE) + place.offset


def refusals(kind: str | None) -> Iterator[tuple[bytes, DecodeError]]:
    """Mutants that are refused, and why."""
    read: Any = {None: mw.decode, "replication": mqdsrp.decode, "notification": mqcn.decode}[kind]
    for number, sample in enumerate(testing.samples(kind)):
        for seed in range(20):
            data = testing.mutate(sample, 100 * number + seed, kind=kind).data
            try:
                read(data)
            except DecodeError as error:
                yield data, error


@pytest.mark.parametrize("kind", [None, "replication", "notification"])
def test_who_is_blamed_is_there(kind: str | None) -> None:
    """Whatever the damage: where a field is named, it starts there, and not after what it spoils."""
    blamed = 0
    for data, error in refusals(kind):
        assert (error.source_path is None) is (error.source_offset is None)
        if error.source_path is None or error.source_offset is None:
            continue
        blamed += 1
        name = error.path.partition(".")[0]
        assert error.source_path.partition(".")[0] == name
        assert 0 <= error.source_offset <= error.offset <= len(data)
        slow = diagnostic_reader(data, lax=True)
        with suppress(DecodeError):
            slow.read(structures()[name], 0, len(data))
        there = {piece.path: piece.offset for piece in slow.spans}
        word = error.source_path.rpartition(".")[0]
        if (
            "Property" not in error.source_path
        ):  # an identifier, or a value that is not read whole, is no piece
            assert there.get(error.source_path, there.get(word)) == error.source_offset
    assert blamed >= 10


def nested(depth: int) -> Any:
    made: Any = 0
    for _ in range(depth):
        made = [made]
    return made


@pytest.mark.parametrize("value", [nested(100_000), memoryview(b"a"), (x for x in "a"), lambda: 0, object()])
def test_errors_about_any_value_can_be_shown_and_pickled(value: Any) -> None:
    """The value is the caller's: its text may not exist, and pickle may refuse it."""
    for refused in (
        lambda: mqmq.BaseHeader(PacketSize=value),
        lambda: mqmq.MessagePropertiesHeader(Label=value),
        lambda: mw.from_dict({"PacketSize": value}, "BaseHeader"),
        lambda: mw.from_dict(value, "BaseHeader"),
        lambda: mw.Limits(fields=value),
        lambda: mw.decode(b"", value),
        lambda: mw.queue_names.to_wire(value),
    ):
        with pytest.raises(mw.MsmqWireError) as caught:
            refused()
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301  # our own


VALUES: tuple[Any, ...] = (
    None,
    -1,
    1 << 70,
    0.5,
    "x",
    b"x",
    [],
    {},
    [None],
    object(),
    nested(100_000),
    memoryview(bytearray(8))[::2],
    mqmq.BaseHeader(),
)
HEADER: Any = mqmq.BaseHeader()
PARAMETERS = mqqb.ConnectionParameters()
VALUE = rpc.PROPVARIANT.of(3, 1)
CHANGES = mqdsrp.SyncReplyMessage(DirectoryChanges=[mqdsrp.DirectoryChange(PathName="a")]).encode()
NOTICE = mqcn.ChangeNotificationMessage(Version=2, Data=mqcn.NotificationBody.of(2, mw.NULL_GUID, "dc"))
DIRECTORY = replication.MemoryDirectory()
SERVER = replication.QueueManager(
    MachineName="P",
    Identifier=mw.NULL_GUID,
    SiteIdentifier=mw.NULL_GUID,
    role=replication.Role.PEC,
    pec="P",
)
OF_QUEUES = ObjectClass.QUEUE
NAME = mw.format_names.parse_format_name("DIRECT=OS:a\\b")


def _odd(value: Any) -> Any:
    """None is allowed; a number in its place is not."""
    return value or 1


CALLS: dict[str, Callable[[Any], Any]] = {
    "decode": mw.decode,
    "decode kind": lambda value: mw.decode(b"", value),
    "decode_lax kind": lambda value: mw.decode_lax(b"", value),
    "decode_lax vt": lambda value: mw.decode_lax(b"", mw.PropertyValue, vt=value),
    "encode": mw.encode,
    "validate": mw.validate,
    "validate level": lambda value: mw.validate(HEADER, value),
    "validate channel": lambda value: mw.validate(HEADER, channel=value),
    "validate profile": lambda value: mw.validate(HEADER, profile=value),
    "validate context": lambda value: mw.validate(HEADER, context=value),
    **{
        f"context {name}": lambda value, name=name: mw.Context(**{name: value})  # type: ignore[misc]
        for name in mw.Context.__struct_fields__
        if name != "request"
    },
    "validate context request": lambda value: mw.validate(HEADER, context=mw.Context(request=value)),
    "validate ignore": lambda value: mw.validate(HEADER, ignore=value),
    "validate limits": lambda value: mw.validate(HEADER, limits=value),
    "explain": mw.explain,
    "explain max_elements": lambda value: mw.explain(HEADER, max_elements=value),
    "explain limits": lambda value: mw.explain(HEADER, limits=value),
    "explain profile": lambda value: mw.explain(HEADER, profile=value),
    "to_dict": mw.to_dict,
    "from_dict": mw.from_dict,
    "replace": lambda value: mw.replace(value, a=1),
    "carve": mw.carve,
    "carve limits": lambda value: mw.carve(b"", limits=value),
    "stream": mw.PacketStream,
    "stream max_skipped": lambda value: mw.PacketStream(max_skipped=value),
    "stream limits": lambda value: mw.PacketStream(limits=value),
    "stream feed": lambda value: mw.PacketStream().feed(value),
    "GUID.of": mw.GUID.of,
    "property value": lambda value: mw.PropertyValue.of(value, 1),
    "property bytes": lambda value: mw.PropertyValue.decode(value, b""),
    "property limits": lambda value: mw.PropertyValue.decode(19, bytes(4), limits=value),
    "property vector": lambda value: mw.PropertyValue.of(0x1013, value),
    "type_of": lambda value: mw.type_of([value]),  # type: ignore[arg-type]
    "delivery_of": lambda value: mqdsrp.delivery_of(value, mw.NULL_GUID),
    "iter_changes": lambda value: list(mqdsrp.iter_changes(value)),
    "mqcn.decode": mqcn.decode,
    "rpc.decode": lambda value: rpc.decode(value, b""),
    "rpc.decode offset": lambda value: rpc.decode(rpc.PROPVARIANT, VALUE.encode(), offset=value),
    "rpc.decode_array offset": lambda value: rpc.decode_array(rpc.PROPVARIANT, bytes(8), offset=value),
    "rpc.decode_sections offset": lambda value: rpc.decode_sections(bytes(8), offset=value),
    "rpc.encode": rpc.encode,
    "rpc.encode offset": lambda value: rpc.encode(VALUE, offset=value),
    "rpc.encode_array": rpc.encode_array,
    "rpc.encode_sections": rpc.encode_sections,
    "rpc.join_sections": rpc.join_sections,
    "rpc.split_message": lambda value: rpc.split_message(value, 1),
    "rpc.split_message max_body": lambda value: rpc.split_message(MessagePacket(), value),
    "format name": mw.format_names.parse_format_name,
    "format name length": lambda value: mw.format_names.parse_format_name("PUBLIC=x", max_length=value),
    "propid.object_type": mw.propid.object_type,
    "propid.value_name": lambda value: mw.propid.value_name(value, 3),
    "propid.check": lambda value: mw.propid.check(value, 1),
    "propid.by_number": mw.propid.by_number,
    "propid.by_name": mw.propid.by_name,
    "propid.vartype_name": mw.propid.vartype_name,
    "session settings": lambda value: session.Settings(profile=value),
    "monitor": lambda value: SessionMonitor().feed(value, HEADER),
    "decode limits": lambda value: mw.decode(PARAMETERS.encode(), limits=value),
    "record decode limits": lambda value: mqmq.BaseHeader.decode(HEADER.encode(), limits=value),
    "replication decode limits": lambda value: mqdsrp.decode(CHANGES, limits=value),
    "replication decode_lax limits": lambda value: mqdsrp.decode_lax(CHANGES, limits=value),
    "iter_changes limits": lambda value: list(mqdsrp.iter_changes(CHANGES, limits=value)),
    "notification decode limits": lambda value: mqcn.decode(NOTICE.encode(), limits=value),
    "notification decode_lax limits": lambda value: mqcn.decode_lax(NOTICE.encode(), limits=value),
    "join_sections limits": lambda value: rpc.join_sections(
        rpc.split_message(MessagePacket(), 0), limits=value
    ),
    "notification version of MSMQ": lambda value: mqcn.wrap(
        NOTICE, mw.NULL_GUID, mw.NULL_GUID, msmq_version=value
    ),
    "pack": directory_properties.pack,
    "interpret": lambda value: directory_properties.interpret(105, value),
    "interpret identifier": lambda value: directory_properties.interpret(value, mw.PropertyValue.of(3, 1)),
    "body_value type": lambda value: directory_properties.body_value(value, b""),
    "body_value": lambda value: directory_properties.body_value(8, value),
    "propid.object_class_of": mw.propid.object_class_of,
    "propid.breach": lambda value: mw.propid.breach(value, 1),
    "queue list": mw.queue_names.from_wire_list,
    "notification process": lambda value: notification.process(
        value, sent_by_queue_manager=True, authenticated=True
    ),
    "hash": lambda value: hash_of(value, 0x8004),
    "queue of a directory": queue_of,
    "carried": carries,
    "signature forms": lambda value: signature_region(mqmq.UserMessage(), 2, forms=value),
    "absent queue": lambda value: Forms(absent_queue=b"" if value is None else value),
    "absent connector type": lambda value: Forms(absent_connector_type=value),
    "enterprise": replication.Enterprise,
    "enterprise site": lambda value: replication.Enterprise("PEC0", value),
    "enterprise readings": lambda value: replication.Enterprise(readings=value),
    "enterprise settings": lambda value: replication.Enterprise(settings=value),
    "guid": replication.Enterprise.guid,
    "add_site": lambda value: replication.Enterprise().add_site(value, "site1"),
    "add_site site": lambda value: replication.Enterprise().add_site("PSC1", value),
    "add_bsc": lambda value: replication.Enterprise().add_bsc(value, "site0"),
    "add_bsc site": lambda value: replication.Enterprise().add_bsc("BSC1", value),
    "crash": lambda value: replication.Enterprise().crash(value),
    "start": lambda value: replication.Enterprise().start(value),
    "directory": lambda value: replication.Enterprise().directory(value),
    "site": lambda value: replication.Enterprise().site(value),
    "create": lambda value: replication.Enterprise().create(value, OF_QUEUES, "a\\b"),
    "create kind": lambda value: replication.Enterprise().create("PEC0", value, "a\\b"),
    "create path": lambda value: replication.Enterprise().create("PEC0", OF_QUEUES, value),
    "create properties": lambda value: replication.Enterprise().create(
        "PEC0", OF_QUEUES, "a\\b", _odd(value)
    ),
    "update kind": lambda value: replication.Enterprise().update("PEC0", value, "a\\b", {}),
    "delete kind": lambda value: replication.Enterprise().delete("PEC0", value, "a\\b"),
    "partition": replication.Machine(server=SERVER, directory=DIRECTORY).partition,
    "machine readings": lambda value: replication.Machine(SERVER, DIRECTORY, readings=value),
    "machine settings": lambda value: replication.Machine(SERVER, DIRECTORY, settings=value),
    "machine state": lambda value: replication.Machine(SERVER, DIRECTORY, value),
    "network seed": replication.RandomNetwork,
    "network drop": lambda value: replication.RandomNetwork(1, drop=value),
    "network duplicate": lambda value: replication.RandomNetwork(1, duplicate=value),
    "network delay": lambda value: replication.RandomNetwork(1, delay=value),
    "network latency": replication.Reliable,
    "monitor idle": lambda value: mw.SessionMonitor(idle=value),
    "monitor opener": lambda value: mw.SessionMonitor(opener=value),
    "monitor truncated": lambda value: mw.SessionMonitor().truncated("->", part=value),
    "carrier delivery": lambda value: mw.carriers.carrier(
        b"", value, destination=value, queue_manager=mw.NULL_GUID, identified=False, message_id=1, sent_time=1
    ),
    "flow offset": lambda value: list(FlowReader().feed(value, b"", Origin(1, "capture", 1))),
    "flow": lambda value: list(FlowReader().feed(0, value, Origin(1, "capture", 1))),
    "replication": lambda value: replication.Machine(value, value),
    "replication message": replication.MessageReceived.of,
    "notification": lambda value: notification.receive(value, authenticated=True),
    "notification resume": lambda value: notification.resume(value, None),
    "notification updates": notification.prepare_version_1,
    "mutate donors": lambda value: testing.mutate(HEADER.encode(), 1, donors=value),
    "mutate kind": lambda value: testing.mutate(HEADER.encode(), 1, kind=value),
    "mutate max_size": lambda value: testing.mutate(HEADER.encode(), 1, max_size=value),
    "mutants donors": lambda value: testing.mutants(HEADER.encode(), 1, donors=value),
    "mutants max_size": lambda value: testing.mutants(HEADER.encode(), 1, max_size=value),
    "mutate_session": lambda value: testing.mutate_session(value, 1),
    "mutate_session seed": lambda value: testing.mutate_session([HEADER.encode()], value),
    "mutate_session donors": lambda value: testing.mutate_session(
        [b"a"], 1, donors=value, mutation="interleave"
    ),
    "mutate_session mutation": lambda value: testing.mutate_session([b"a"], 1, mutation=value),
    "custom_mutator": testing.custom_mutator,
    "custom_mutator max_size": lambda value: testing.custom_mutator()(HEADER.encode(), value, 1),
    "custom_mutator seed": lambda value: testing.custom_mutator("stream")(HEADER.encode(), 9, value),
    "samples": testing.samples,
    "seed_corpus count": lambda value: testing.seed_corpus(count=value if value != 1 << 70 else "x"),  # type: ignore[arg-type]
    "seed_corpus packets": lambda value: testing.seed_corpus(count=0, packets=value),
    "user_messages": lambda value: testing.user_messages(transactional=value),
    "user_messages body": lambda value: testing.user_messages(body=value),
    "user_messages profile": lambda value: testing.user_messages(profile=value),
    "server queues": lambda value: QueueServer(queues=value),
    "regressions": lambda value: testing.regressions(value if not isinstance(value, str) else 1),  # type: ignore[arg-type]
}


@for_each("call", lambda: CALLS)
def test_a_wrong_argument_raises_an_error_of_ours(call: str) -> None:
    """Whatever the caller gives, the exception is one that this library raises on purpose."""
    refused = 0
    for value in VALUES:
        try:
            CALLS[call](value)
        except mw.MsmqWireError:
            refused += 1
    assert refused > 0


def test_a_wrong_type_is_a_type_error_too() -> None:
    with pytest.raises(WrongTypeError, match="expected a record, got bytes") as caught:
        mw.encode(b"")  # type: ignore[arg-type]
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, mw.MsmqWireError)


def test_flags_are_changed_by_their_own_method() -> None:
    flags: Any = mqmq.BaseHeaderFlags(PR=3)
    with pytest.raises(WrongTypeError, match="got BaseHeaderFlags; call its method replace"):
        mw.replace(flags, PR=4)
    assert flags.replace(PR=4).PR == 4
