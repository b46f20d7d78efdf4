"""The files under `specs` are complete, consistent and hold what their README says."""

from __future__ import annotations

import re
import struct
import uuid
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from support_specs import SPECS, Vector, load_errata, load_requirements, load_vectors

if TYPE_CHECKING:
    from pathlib import Path

VECTORS = load_vectors()
REQUIREMENTS = load_requirements()
ERRATA = load_errata()
FILES = sorted(path for path in SPECS.rglob("*") if path.is_file())

# Packets that do not start with a BaseHeader.
WITHOUT_BASE_HEADER = {"PingPacket"}
PACKET_SIZE_AT = 8

# Octets of each integer field that is not a doubleword; the last one or two names of the path decide.
WIDTHS = {
    "Flags": 2,
    "UserHeader.Flags": 4,
    "MessagePropertiesHeader.Flags": 1,
    "Signature": 2,
    "BaseHeader.Signature": 4,
    "VersionNumber": 1,
    "Reserved": 2,
    "BaseHeader.Reserved": 1,
    "OperatingSystem": 2,
    "WindowSize": 2,
    "AckSequenceNumber": 2,
    "RecoverableMsgAckSeqNumber": 2,
    "UserMsgSequenceNumber": 2,
    "RecoverableMsgSeqNumber": 2,
    "Count": 2,
    "SenderIdSize": 2,
    "EncryptionKeySize": 2,
    "SignatureSize": 2,
    "LabelLength": 1,
    "MessageClass": 2,
}
# Bits of each group of more than one bit.
BITS = {
    "BaseHeader.Flags.PR": 3,
    "InternalHeader.Flags.PT": 4,
    "EstablishConnectionHeader.OperatingSystem.RE": 8,
    "UserHeader.Flags.RC": 5,
    "UserHeader.Flags.DM": 2,
    "UserHeader.Flags.DQ": 3,
    "UserHeader.Flags.AQ": 3,
    "UserHeader.Flags.RQ": 3,
    "UserHeader.Flags.X3": 2,
    "UserHeader.Flags.X4": 3,
    "SecurityHeader.Flags.ST": 4,
    "SecurityHeader.Flags.AS": 4,
    "MessagePropertiesHeader.Flags.X": 4,
    "Flags.X": 14,
}
WCHARS = {"DirectFormatName", "Label"}
GUIDS = {"QMGuid", "ClientGuid", "ServerGuid", "SourceQueueManager", "QueueManagerAddress"}

WITH_FIELDS = [vector for vector in VECTORS if not vector.truncated]

# An absolute path, a link, a number of an issue, the name of a file that is not here, a remark for later.
FORBIDDEN = re.compile(
    r"(?:^|[\s\"'(`])(?:/[a-z]+){2}"
    r"|[a-z]+://"
    r"|(?<!PKCS )(?<!\w)#\d"
    r"|\.(?:tsv|csv|txt|pdf)\b"
    r"|\b(?:todo|fixme|tbd|seed)\b",
    re.IGNORECASE | re.MULTILINE,
)


def _width(path: str) -> int:
    names = path.split(".")
    return WIDTHS.get(".".join(names[-2:]), WIDTHS.get(names[-1], 4))


def _octets(path: str, value: object) -> bytes:
    name = path.rpartition(".")[2]
    if isinstance(value, int):
        return value.to_bytes(_width(path), "little")
    assert isinstance(value, str)
    if name in WCHARS:
        return value.encode("utf-16-le")
    if name in GUIDS:
        assert value == str(uuid.UUID(value))
        return uuid.UUID(value).bytes_le
    assert value == bytes.fromhex(value).hex()
    return bytes.fromhex(value)


def _parent(path: str) -> str:
    return path.rpartition(".")[0]


@pytest.mark.parametrize("vector", WITH_FIELDS, ids=lambda vector: vector.name)
def test_fields_give_the_bytes_back(vector: Vector) -> None:
    words = [(path, value) for path, value in vector.fields.items() if _parent(path) not in vector.fields]
    assert b"".join(_octets(path, value) for path, value in words) == vector.data


@pytest.mark.parametrize("vector", WITH_FIELDS, ids=lambda vector: vector.name)
def test_groups_of_bits_give_the_word_back(vector: Vector) -> None:
    groups = [path for path in vector.fields if _parent(path) in vector.fields]
    assert groups
    for word, paths in groupby(groups, key=_parent):
        total = shift = 0
        for path in paths:
            value = vector.fields[path]
            bits = BITS.get(path, 1)
            assert isinstance(value, int)
            assert 0 <= value < 1 << bits
            total |= value << shift
            shift += bits
        assert (total, shift) == (vector.fields[word], 8 * _width(word)), word


def test_vectors_are_complete() -> None:
    assert len(VECTORS) == 9
    assert len({vector.name for vector in VECTORS}) == len(VECTORS)
    assert Counter(vector.packet for vector in VECTORS) == {
        "PingPacket": 2,
        "EstablishConnection": 2,
        "ConnectionParameters": 2,
        "UserMessage": 2,
        "SessionAck": 1,
    }
    for vector in VECTORS:
        assert vector.data
        assert vector.provenance
        assert vector.truncated != bool(vector.fields)
        assert re.fullmatch(r"\[M[CS]-MQ[A-Z]+\] \d+(\.\d+)*", vector.section)
        assert vector.direction in {"client to server", "server to client"}


def test_vector_lengths() -> None:
    for vector in VECTORS:
        if vector.packet in WITHOUT_BASE_HEADER:
            assert len(vector.data) == 24
            continue
        (size,) = struct.unpack_from("<I", vector.data, PACKET_SIZE_AT)
        if vector.truncated:
            assert len(vector.data) < size
        else:
            assert len(vector.data) == size == vector.fields["BaseHeader.PacketSize"]


def test_completed_vector_continues_the_truncated_one() -> None:
    (short,) = (vector for vector in VECTORS if vector.truncated)
    (full,) = (vector for vector in VECTORS if vector.completed)
    assert (len(short.data), len(full.data)) == (1650, 2224)
    assert full.data == short.data + b"a\0" * 286 + bytes(2)


def test_requirements_are_complete() -> None:
    assert len(REQUIREMENTS) == len({row.id for row in REQUIREMENTS}) == 1501
    assert Counter(row.document for row in REQUIREMENTS) == {
        "MC-MQDSRP": 508,
        "MS-MQCN": 189,
        "MS-MQMQ": 589,
        "MS-MQQB": 151,
        "MS-MQRR": 64,
    }
    assert Counter(row.level for row in REQUIREMENTS) == {
        "MUST": 1361,
        "MUST NOT": 61,
        "SHOULD": 20,
        "SHOULD NOT": 59,
    }
    assert Counter(row.kind for row in REQUIREMENTS) == {
        "wire": 708,
        "context": 295,
        "processing": 472,
        "definition": 26,
    }


def test_requirement_ids_follow_document_and_section() -> None:
    number: Counter[str] = Counter()
    for row in REQUIREMENTS:
        stem = f"{row.document.partition('-')[2]}-{row.section}"
        number[stem] += 1
        assert row.id == f"{stem}-{number[stem]:02d}"
        assert row.subject
        assert row.requirement


def test_requirement_files_are_named_after_their_document() -> None:
    names = {path.stem for path in SPECS.glob("requirements/*.toml")}
    assert names == {row.document for row in REQUIREMENTS}


def test_errata_are_complete() -> None:
    last = {"D": 31, "C": 16, "M": 30, "Q": 18, "R": 11}
    wanted = {f"{letter}{number + 1}" for letter, count in last.items() for number in range(count)}
    assert len(ERRATA) == len(wanted) == 106
    assert {erratum.id for erratum in ERRATA} == wanted
    for erratum in ERRATA:
        assert erratum.certainty in {"shown", "text", "inferred"}
        assert (erratum.switchable is not None) == erratum.id.startswith("D")
        assert erratum.conflict
        assert erratum.reading
        cited = [re.fullmatch(r"\[(M[CS]-[A-Z]+)\] \d+(?:\.\d+)*", section) for section in erratum.sections]
        assert {match[1] for match in cited if match} == set(erratum.documents)
        assert all(cited)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_are_plain(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.isascii()
    assert text.endswith("\n")
    assert FORBIDDEN.search(text) is None
